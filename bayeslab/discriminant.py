"""Gaussian Bayes classifiers: one rule, one density; the covariance makes it QDA, LDA, naive or nearest mean."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import add

import numpy as np

from bayeslab.classifier import BayesClassifier
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments

# What each kind of covariance keeps of the full matrix: all of it, its diagonal, or the mean of its diagonal.
_RESTRICT = {"full": lambda covariance: covariance, "diagonal": np.diagonal, "spherical": lambda c: c.trace() / len(c)}


class GaussianClassifier(BayesClassifier):
    """Bayes classifier with one Gaussian per class.

    Parameters
    ----------
    covariance : {"full", "diagonal", "spherical"}
        Σ_k as estimated, with its off-diagonal entries set to 0, or σ²I with the mean of its diagonal.
    shared : bool
        One covariance for all classes, pooled from their scatters, instead of one each.
    priors : None, "equal" or (K,) array
        π_k: the share of each class in the training data, 1/K, or these numbers, in the order of `classes_`.
    ddof : float
        1 divides the scatter by n_k − 1 (shared: n − K), the unbiased estimate; 0 by n_k (n), maximum likelihood.

    Attributes
    ----------
    classes_ : (K,) array
    priors_ : (K,) array
    means_ : (K, d) array
    covariance_ : (K, d, d) array, or (d, d) when shared
    gaussians_ : list of K `Gaussian`
    moments_ : list of K `Moments`

    Raises
    ------
    SingularCovarianceError
        From `fit`, if a covariance has no inverse; it names the class, its rank and the columns.
    ValueError
        From `fit`, if a class has too few samples, the priors do not fit, or X holds NaN or infinity.
    """

    def __init__(self, covariance="full", shared=False, priors=None, ddof=1):
        self.covariance = covariance
        self.shared = shared
        self.priors = priors
        self.ddof = ddof

    def fit(self, X, y):
        """Estimate priors, means and covariances from X, shape (n, d), and the labels y, shape (n,)."""
        if self.covariance not in _RESTRICT:
            raise ValueError(f"covariance must be one of {', '.join(map(repr, _RESTRICT))}, not {self.covariance!r}")
        X, index = self._check_training(X, y)
        self.moments_ = [Moments.of(X[index == k]) for k in range(len(self.classes_))]
        self.priors_ = self._estimate_priors()
        self.means_ = np.array([moments.mean for moments in self.moments_])
        self.gaussians_ = self._estimate_gaussians()
        covariances = [gaussian.covariance for gaussian in self.gaussians_]
        self.covariance_ = covariances[0] if self.shared else np.array(covariances)
        return self

    def joint_log_likelihood(self, X) -> np.ndarray:
        """Return ln π_k + ln N(x; μ_k, Σ_k) of each row of X and each class, shape (n, K)."""
        X = self._check_samples(X)
        log_priors = np.log(self.priors_, where=self.priors_ > 0, out=np.full(len(self.priors_), -np.inf))
        return log_priors + np.column_stack([gaussian.log_density(X) for gaussian in self.gaussians_])

    def _estimate_priors(self) -> np.ndarray:
        n_classes = len(self.classes_)
        if self.priors is None:
            weights = np.array([moments.weight for moments in self.moments_])
            return weights / weights.sum()
        if isinstance(self.priors, str):
            if self.priors != "equal":
                raise ValueError(f'priors must be None, "equal" or one number per class, not {self.priors!r}')
            return np.full(n_classes, 1 / n_classes)
        priors = np.asarray(self.priors, dtype=float)
        if priors.shape != (n_classes,):
            raise ValueError(
                f"priors has shape {priors.shape}, but y holds {n_classes} classes: {self.classes_.tolist()}. "
                f"Is a class empty in this training part?"
            )
        if not (priors >= 0).all() or not np.isclose(priors.sum(), 1):
            raise ValueError(
                f"priors must be non-negative and sum to 1, but {priors.tolist()} sums to {priors.sum():g}"
            )
        return priors

    def _estimate_gaussians(self) -> list[Gaussian]:
        if not self.shared:
            return [
                self._gaussian(moments, n_means=1, owner=f"class {label!r}")
                for label, moments in zip(self.classes_.tolist(), self.moments_, strict=True)
            ]
        # Each class moved to the origin, then merged: the scatter about the class means, not about the overall mean.
        origin = np.zeros(self.n_features_in_)
        pooled = reduce(add, (replace(moments, mean=origin) for moments in self.moments_))
        shared = self._gaussian(pooled, n_means=len(self.classes_), owner="all classes pooled")
        return [shared.moved_to(mean) for mean in self.means_]

    def _gaussian(self, moments: Moments, n_means: int, owner: str) -> Gaussian:
        """Gaussian of these moments, about `n_means` estimated means, with the covariance this classifier allows."""
        try:
            covariance = moments.covariance(self.ddof * n_means)
        except ValueError as error:
            raise ValueError(f"{owner}: {error}") from None
        try:
            return Gaussian(moments.mean, _RESTRICT[self.covariance](covariance))
        except SingularCovarianceError as error:
            names = getattr(self, "feature_names_in_", range(self.n_features_in_))
            n, needed = moments.weight, error.dimension + n_means
            few = self.covariance == "full" and n < needed
            cause = f" ({n:g} samples, but a full covariance needs at least {needed})" if few else ""
            columns = [names[column] for column in error.columns]
            raise SingularCovarianceError(error.rank, error.dimension, columns, owner, cause) from None


class QuadraticDiscriminantAnalysis(GaussianClassifier):
    """QDA: a full covariance per class, quadratic boundaries. Some texts call it the optimal Bayes classifier.

    Parameters are those of `GaussianClassifier`.
    """

    def __init__(self, priors=None, ddof=1):
        super().__init__("full", False, priors, ddof)


class LinearDiscriminantAnalysis(GaussianClassifier):
    """LDA: one full covariance for all classes, linear boundaries. Parameters are those of `GaussianClassifier`."""

    def __init__(self, priors=None, ddof=1):
        super().__init__("full", True, priors, ddof)


class GaussianNB(GaussianClassifier):
    """Naive Bayes: a diagonal covariance per class, that is, features independent within each class.

    Parameters are those of `GaussianClassifier`.
    """

    def __init__(self, priors=None, ddof=1):
        super().__init__("diagonal", False, priors, ddof)


class NearestMean(GaussianClassifier):
    """Nearest mean: one σ²I for all classes; with equal priors the class whose mean is nearest wins.

    The priors are therefore "equal" unless given. The one classifier here whose decisions depend on the units of the
    columns. Parameters are those of `GaussianClassifier`.
    """

    def __init__(self, priors="equal", ddof=1):
        super().__init__("spherical", True, priors, ddof)
