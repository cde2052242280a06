"""Bayes classifier with any density: a mixture, a kernel estimate, or ten lines of your own."""

from __future__ import annotations

from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from bayeslab._base.arrays import Labels, Priors, Weights, as_log_densities, hint_if_class, locate_errors
from bayeslab._base.failures import all_or_nothing
from bayeslab.classifier import BayesClassifier
from bayeslab.gaussian import Gaussian


class DensityClassifier(BayesClassifier):
    """Bayes classifier with a density of your choice, fitted to the samples of each class separately.

    Parameters
    ----------
    density : object with `fit` and `score_samples`
        ``fit(X)`` estimates it from X, shape (n, d); ``score_samples(X)`` returns ln p(x) of each row, shape (n,).
        Weights are passed to `fit` as `sample_weight`. Each class gets a copy. Examples are `GaussianMixture`,
        scikit-learn's `KernelDensity`, or a class like the one below.
    priors : None, "equal" or (K,) array
        π_k: the share of each class in the training data, 1/K, or these numbers, in the order of `classes_`.

    Attributes
    ----------
    classes_, priors_ : (K,) array
    densities_ : list of K fitted densities

    Raises
    ------
    ValueError
        From `fit`, if there is only one class, X holds NaN or infinity, or there are weights and the density takes
        none. Errors of the density itself get a note that names the class.

    Examples
    --------
    A Laplace density for each feature, with absolute deviations from the median instead of squared ones from the mean:

    >>> import numpy as np
    >>> from sklearn.base import BaseEstimator  # for repr and hyperparameters; a plain class works too
    >>> from bayeslab import DensityClassifier, load_iris
    >>> class IndependentLaplace(BaseEstimator):
    ...     def fit(self, X):
    ...         self.median = np.median(X, axis=0)
    ...         self.scale = np.abs(X - self.median).mean(axis=0)
    ...         return self
    ...
    ...     def score_samples(self, X):
    ...         return -(np.abs(X - self.median) / self.scale + np.log(2 * self.scale)).sum(axis=1)
    >>> iris = load_iris()
    >>> print(f"{DensityClassifier(IndependentLaplace()).fit(iris.X, iris.y).score(iris.X, iris.y):.3f}")
    0.953
    """

    densities_: list[Any]

    def __init__(self, density: Any, priors: Priors = None):
        self.density = density
        self.priors: Priors = priors

    @all_or_nothing
    def fit(self, X: ArrayLike, y: Labels, sample_weight: Weights = None) -> Self:
        """Fit a density to the rows of X, shape (n, d), of each label in y, shape (n,).

        A `sample_weight`, shape (n,), of 2 means the same as writing the row twice.
        """
        check_density(self.density)
        X, index, weights = self._start_fit(X, y, sample_weight)
        if weights is not None and not has_fit_parameter(self.density, "sample_weight"):
            raise ValueError(
                f"{type(self.density).__name__}.fit takes no sample_weight: fit without weights, or use a density that "
                f"takes them"
            )
        self.densities_ = []
        for k, label in enumerate(self.classes_.tolist()):
            of_class = index == k
            fit_params = {} if weights is None else {"sample_weight": weights[of_class]}
            density = clone(self.density, safe=False)
            with locate_errors(f"the fit of the density of class {label!r}"):
                density.fit(X[of_class], **fit_params)
            self.densities_.append(density)
        return self

    def _terms(self, X: np.ndarray) -> dict[str, np.ndarray]:
        log_densities = np.empty((len(X), len(self.densities_)))
        for k, density in enumerate(self.densities_):
            where = partial("score_samples of {} of class {!r}".format, density, self.classes_.tolist()[k])
            log_densities[:, k] = as_log_densities(density.score_samples(X), X, where)
        return {"ln p(x|C)": log_densities}


def check_density(density: Any) -> None:
    """Raise a ValueError unless this is an object with the methods of a density; say who takes it instead."""
    hint = hint_if_class(density)
    if not hint and hasattr(density, "fit") and hasattr(density, "score_samples"):
        return
    if isinstance(density, Gaussian):
        hint = "; the classifier with a Gaussian per class is QuadraticDiscriminantAnalysis"
    elif not hint and hasattr(density, "fit") and hasattr(density, "log_density"):
        hint = "; NaiveBayes takes this one, for single columns"
    raise ValueError(f"density must be an object with the methods fit and score_samples, not {density!r}{hint}")
