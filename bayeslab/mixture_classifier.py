"""Bayes classifier with a mixture of Gaussians per class, for classes that have several centres."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from bayeslab._machinery.arrays import as_weights, must_be_finite
from bayeslab.classifier import BayesClassifier, check_priors
from bayeslab.em import CollapsedComponentError, e_step
from bayeslab.mixture import GaussianMixture


class MixtureClassifier(BayesClassifier):
    """Bayes classifier with a `GaussianMixture` per class, each fitted to the samples of its class alone.

    Parameters
    ----------
    mixture : GaussianMixture, optional
        A clone of it is fitted to each class; by default one of two components.
    priors : None, "equal" or (K,) array
        π_k: the share of each class in the training data, 1/K, or these numbers, in the order of `classes_`.

    Attributes
    ----------
    classes_ : (K,) array
    priors_ : (K,) array
    mixtures_ : list of K `GaussianMixture`

    Raises
    ------
    CollapsedComponentError
        From `fit`, as from that of `GaussianMixture`; it names the class too.
    ValueError
        From `fit`, if there is only one class, X holds NaN or infinity, or the mixture of a class, which the message
        names, cannot be fitted.
    """

    def __init__(self, mixture=None, priors=None):
        self.mixture = mixture
        self.priors = priors

    def fit(self, X, y, sample_weight=None) -> MixtureClassifier:
        """Fit a mixture to the rows of X, shape (n, d), of each label in y, shape (n,).

        A `sample_weight`, shape (n,), of 2 means the same as writing the row twice.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite=False)
        must_be_finite(X, "X")
        check_classification_targets(y)
        sample_weight = as_weights(sample_weight, len(X))
        self.classes_, index = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"two classes are needed, but y holds one class only: {self.classes_.tolist()[0]!r}")
        shares = np.bincount(index, sample_weight) / sample_weight.sum()
        self.priors_ = shares if self.priors is None else check_priors(self.priors, self.classes_)
        mixture = GaussianMixture(n_components=2) if self.mixture is None else self.mixture
        self.mixtures_ = []
        for k, label in enumerate(self.classes_.tolist()):
            try:
                fitted = clone(mixture).fit(X[index == k], sample_weight=sample_weight[index == k])
            except CollapsedComponentError as error:
                owner = f" of class {label!r}"
                raise CollapsedComponentError(error.component, error.iteration, error.what, owner) from None
            except ValueError as error:
                raise ValueError(f"class {label!r}: {error}") from error
            self.mixtures_.append(fitted)
        return self

    def joint_log_likelihood(self, X) -> np.ndarray:
        """Return ln π_k + ln p(x | C_k) of each row of X and each class, shape (n, K)."""
        return self._in_blocks(self._joint, X)

    def _scores(self, X: np.ndarray) -> np.ndarray:
        return self._joint(X)

    def _joint(self, X: np.ndarray) -> np.ndarray:
        """`joint_log_likelihood` of a block of checked rows."""
        by_column = np.asfortranarray(X)
        densities = [e_step(by_column, mixture.weights_, mixture.gaussians_)[1] for mixture in self.mixtures_]
        return self._log_priors + np.column_stack(densities)
