"""The Gaussian Bayes classifier: one rule, one density, and a choice of covariance."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, reduce
from operator import add

import numpy as np

from bayeslab._machinery.missing import observed_log_densities
from bayeslab._machinery.shrinkage import fourth_moments, ledoit_wolf_intensity
from bayeslab._machinery.warn import warn_user
from bayeslab.classifier import check_priors
from bayeslab.covariance_kinds import RESTRICT, check_covariance
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments
from bayeslab.streaming import MomentsClassifier

NEEDS_ALL_DATA = "the Ledoit-Wolf intensity needs all data at once: take fit, or a number as shrinkage"


class GaussianClassifier(MomentsClassifier):
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
    singular : {"raise", "pseudo"}
        Where a covariance has no inverse, raise, or use pseudo-inverse and pseudo-determinant in units of the pooled
        standard deviations. Pseudo-densities of different rank are not comparable, which a warning then says.
    shrinkage : None, "ledoit_wolf" or float in [0, 1]
        λ in (1 − λ) Σ_k + λ diag(pooled variances): a target that has no zeros and keeps the units.

    Attributes
    ----------
    classes_ : (K,) array
    moments_ : list of K `Moments`
    priors_, means_, covariance_, gaussians_, rank_, shrinkage_, varies_
        Computed from the moments, when they are first asked for after `partial_fit`; d' of the d columns vary.

    Raises
    ------
    SingularCovarianceError
        From `fit`, if a covariance has no inverse; it names the class, its rank and the columns.
    ValueError
        From `fit`, if a class has too few samples, the priors do not fit, or X holds NaN or infinity.
    """

    def __init__(self, covariance="full", shared=False, priors=None, ddof=1, singular="raise", shrinkage=None):
        self.covariance = covariance
        self.shared = shared
        self.priors = priors
        self.ddof = ddof
        self.singular = singular
        self.shrinkage = shrinkage

    _nan_in_prediction = True  # a missing value is integrated out

    def joint_log_likelihood(self, X) -> np.ndarray:
        """Return ln π_k + ln N(x; μ_k, Σ_k) of each row of X and each class, shape (n, K).

        A row with missing values (NaN) gets the density of its observed columns, the exact marginal.
        """
        return self._in_blocks(self._joint, X)

    def off_support_squared(self, X) -> np.ndarray:
        """Squared distance of each row from the space that holds each class, in pooled standard deviations, (n, K)."""
        X = self._check_samples(X)[:, self.varies_]
        return np.column_stack([gaussian.off_support_squared(X) for gaussian in self.gaussians_])

    @cached_property
    def priors_(self) -> np.ndarray:
        """Prior probabilities, shape (K,)."""
        if self.priors is not None:
            return check_priors(self.priors, self.classes_)
        weights = np.array([moments.weight for moments in self.moments_])
        return weights / weights.sum()

    @cached_property
    def means_(self) -> np.ndarray:
        """Class means, shape (K, d)."""
        return np.array([moments.mean for moments in self.moments_])

    @cached_property
    def varies_(self) -> np.ndarray:
        """Tell which columns vary, shape (d,); a column constant in all of the data is left out."""
        # Merging and removing may leave rounding errors in the means of a constant column.
        differ = np.ptp(self.means_, axis=0) > 1e-13 * np.abs(self.means_).max(axis=0)
        return (self._pooled_variances > 0) | differ

    @cached_property
    def shrinkage_(self) -> np.ndarray:
        """Intensity λ of each class, shape (K,)."""
        if self.shrinkage == "ledoit_wolf":  # which fit would have set
            raise ValueError(NEEDS_ALL_DATA)
        return np.full(len(self.classes_), self.shrinkage or 0.0)

    @cached_property
    def gaussians_(self) -> list[Gaussian]:
        """Density of each class, in the columns that vary."""
        for label, moments in zip(self.classes_.tolist(), self.moments_, strict=True):
            if not moments.weight:
                raise ValueError(f"class {label!r} is empty: none of its samples was given, with a weight above 0")
        if not self.varies_.any():
            raise ValueError("no column of X varies at all: there is nothing to tell the classes by")
        if not self.varies_.all():
            names = self._column_names(np.flatnonzero(~self.varies_))
            warn_user(f"left out, since they never vary: columns {', '.join(map(str, names))}")
        if self.shared:
            shared = self._gaussian(self._pooled, len(self.classes_), "all classes pooled", self.shrinkage_[0])
            return [shared.moved_to(mean) for mean in self.means_[:, self.varies_]]
        named = list(zip(self.classes_.tolist(), self.moments_, self.shrinkage_, strict=True))
        gaussians = [self._gaussian(moments, 1, f"class {label!r}", share) for label, moments, share in named]
        if len({gaussian.rank for gaussian in gaussians}) > 1:
            ranks = ", ".join(f"{label!r} {g.rank}" for (label, *_), g in zip(named, gaussians, strict=True))
            warn_user(
                f"the covariances of the classes have different ranks ({ranks}), so their pseudo-densities, each on a "
                f"space of another dimension, are not comparable; take shrinkage, or PCA first"
            )
        return gaussians

    @cached_property
    def covariance_(self) -> np.ndarray:
        """Covariances of the columns that vary, shape (K, d', d'), or (d', d') when shared."""
        covariances = [gaussian.covariance for gaussian in self.gaussians_]
        return covariances[0] if self.shared else np.array(covariances)

    @cached_property
    def rank_(self) -> np.ndarray:
        """Rank of each covariance, shape (K,)."""
        return np.array([gaussian.rank for gaussian in self.gaussians_])

    @cached_property
    def _pooled(self) -> Moments:
        """Each class moved to the origin, then merged: the scatter about the class means."""
        origin = np.zeros(self.n_features_in_)
        return reduce(add, (replace(moments, mean=origin, remainder=0.0) for moments in self.moments_))

    @cached_property
    def _pooled_variances(self) -> np.ndarray:
        return self._pooled.variation / max(self._pooled.weight - self.ddof * len(self.classes_), 1)

    @cached_property
    def _scale(self) -> np.ndarray:
        """Pooled standard deviations; 1 for a column that varies in no class and has no scale of its own."""
        return np.sqrt(np.where(self._pooled_variances > 0, self._pooled_variances, 1))

    @cached_property
    def _linear(self) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients (d', K) and intercepts (K,) of ln p(x | C_k) − ln p(x | C_0), linear for a shared covariance."""
        whitening, means = self.gaussians_[0].whitening, self.means_[:, self.varies_]
        whitening = np.diag(whitening) if whitening.ndim == 1 else whitening
        origin = means.mean(axis=0)
        whitened = (means - origin) @ whitening
        coefficients = whitening @ (whitened - whitened[0]).T
        intercepts = 0.5 * (np.square(whitened[0]).sum() - np.square(whitened).sum(axis=1))
        return coefficients, intercepts - origin @ coefficients

    def _joint(self, X: np.ndarray) -> np.ndarray:
        """`joint_log_likelihood` of a block of checked rows."""
        if not self.varies_.all():
            X = X[:, self.varies_]
        by_column = np.asfortranarray(X)  # each column in one piece, along which the densities then run
        densities = np.array([gaussian.log_density(by_column) for gaussian in self.gaussians_]).T
        if np.isnan(densities).any():
            densities = observed_log_densities(self.gaussians_, X, self.shared)
        return self._log_priors + densities

    def _scores(self, X: np.ndarray) -> np.ndarray:
        if not self.shared:
            return self._joint(X)
        coefficients, intercepts = self._linear
        observed = X if self.varies_.all() else X[:, self.varies_]
        # Relative to the first class, and transposed: the scores of a class are then in one piece.
        scores = np.zeros((len(self.classes_), len(X)))
        np.matmul(coefficients[:, 1:].T, observed.T, out=scores[1:])
        if np.isnan(scores[1:]).any():
            return self._joint(X)
        return (scores + (intercepts + self._log_priors)[:, None]).T

    _diagonal = property(lambda self: self.covariance != "full")
    _block_width = property(lambda self: len(self.classes_) if self.shared else self.n_features_in_)

    def _streams(self) -> bool:
        if self.shrinkage == "ledoit_wolf":
            raise AttributeError(NEEDS_ALL_DATA)
        return True

    def _forget(self) -> None:
        for name, value in vars(GaussianClassifier).items():
            if isinstance(value, cached_property):
                self.__dict__.pop(name, None)

    def _check_parameters(self) -> None:
        check_covariance(self.covariance)
        if self.singular not in ("raise", "pseudo"):
            raise ValueError(f"singular must be 'raise' or 'pseudo', not {self.singular!r}")
        number = isinstance(self.shrinkage, (int, float)) and 0 <= self.shrinkage <= 1
        if not number and self.shrinkage not in (None, "ledoit_wolf"):
            raise ValueError(f"shrinkage must be None, 'ledoit_wolf' or a number in [0, 1], not {self.shrinkage!r}")

    def _estimate(self, X: np.ndarray, index: np.ndarray, weights) -> None:
        if self.shrinkage == "ledoit_wolf":
            fourth = fourth_moments(X, index, weights, self.means_, self._scale, self._diagonal)
            groups = [(self._pooled, fourth.sum())] if self.shared else zip(self.moments_, fourth, strict=True)
            found = [ledoit_wolf_intensity(m.scatter, self._scale, total, m.weight) for m, total in groups]
            self.shrinkage_ = np.array(found * len(self.classes_) if self.shared else found)
        # All of it now, so that whatever is wrong with the data is said by fit.
        _ = self.priors_, self.covariance_, self.rank_, self.shared and self._linear

    def _gaussian(self, moments: Moments, n_means: int, owner: str, share: float) -> Gaussian:
        """Gaussian of these moments, about `n_means` estimated means, with the covariance this classifier allows."""
        varies = np.flatnonzero(self.varies_)
        scale = self._scale[varies] if self.singular == "pseudo" else None
        try:
            covariance = RESTRICT[self.covariance](self._shrunk(moments, n_means, share))
            return Gaussian(moments.mean[varies], covariance, self.singular, scale)
        except SingularCovarianceError as error:
            n, needed = moments.weight, error.dimension + n_means
            few = self.covariance == "full" and n < needed
            cause = " within the classes" if self.shared else " within the class"
            cause += f" ({n:g} samples, but a full covariance needs at least {needed})" if few else ""
            columns = self._column_names(varies[error.columns])
            raise SingularCovarianceError(error.rank, error.dimension, columns, owner, cause) from None
        except ValueError as error:
            raise ValueError(f"{owner}: {error}") from None

    def _shrunk(self, moments: Moments, n_means: int, share: float) -> np.ndarray:
        """Covariance of the columns that vary, or its diagonal, shrunk towards the pooled variances."""
        target = self._pooled_variances[self.varies_]
        target = target if self._diagonal else np.diag(target)
        if share == 1:  # for which a single sample is enough
            return target
        covariance = moments.covariance(self.ddof * n_means)
        covariance = covariance[self.varies_] if self._diagonal else covariance[np.ix_(self.varies_, self.varies_)]
        return (1 - share) * covariance + share * target

    def _column_names(self, columns: np.ndarray) -> list:
        """Names of these columns where X had names, else their numbers."""
        return getattr(self, "feature_names_in_", np.arange(self.n_features_in_))[columns].tolist()
