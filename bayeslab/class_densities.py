"""The Gaussian densities of all classes: the one place that computes the terms of ln N(x; μ_k, Σ_k).

Most of the work is D²_k(x) = ‖W_k (x − μ_k)‖², which each Gaussian measures from its own mean. If all share a
covariance, one matrix product does it from a common origin. This costs digits in proportion to the distance of the
means from there, in standard deviations; if one is too far away (`FAR`), each Gaussian does it by itself.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from bayeslab._base.arrays import check_finite, is_surely_finite, warn_user
from bayeslab.gaussian import Gaussian


def linear_scores(means: np.ndarray, whitening: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and constants of ln N(x; μ_k, Σ), up to a term that is the same for all classes.

    In −½ (x − μ_k)ᵀ Σ⁻¹ (x − μ_k) the quadratic term −½ xᵀΣ⁻¹x is the same for every class, so it does not affect the
    decision. What is left is linear in x: xᵀΣ⁻¹μ_k − ½ μ_kᵀΣ⁻¹μ_k. Any origin will do for x and the means; one near the
    means is the most accurate.

    Parameters
    ----------
    means : (K, d) array
    whitening : (d, r) array, or (d,) for a diagonal Σ
        W with W Wᵀ = Σ⁻¹.

    Returns
    -------
    coefficients : (K, d) array
        Σ⁻¹μ_k.
    constants : (K,) array
        −½ μ_kᵀΣ⁻¹μ_k.

    Examples
    --------
    >>> means = np.array([[0.0], [2.0]])
    >>> coefficients, constants = linear_scores(means, np.eye(1))
    >>> halfway = np.array([1.0])
    >>> (coefficients @ halfway + constants).tolist()  # a tie
    [0.0, 0.0]
    """
    whitening = np.diag(whitening) if whitening.ndim == 1 else whitening
    whitened = means @ whitening
    return whitened @ whitening.T, -0.5 * np.square(whitened).sum(axis=1)


def fisher_axes(means: np.ndarray, priors: np.ndarray, whitening: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fisher's axes, and the share of the variance between the means that lies along each.

    They maximise (aᵀ S_b a) / (aᵀ S_w a). After whitening, the covariance within the classes is round, and the axes are
    the principal axes of the means.

    Parameters
    ----------
    means : (K, d) array
    priors : (K,) array
        Weights of the means; they sum to 1.
    whitening : (d, r) array
        W with W Wᵀ = Σ⁻¹, the inverse of the covariance within the classes.

    Returns
    -------
    axes : (d, min(K − 1, r)) array
        One per column, the most important first. The variance within the classes is 1 along each; signs are arbitrary.
    ratio : (min(K − 1, r),) array
        Their shares of the variance between the means; they sum to 1, or are all 0 if the means are equal.

    References
    ----------
    Fisher (1936), The use of multiple measurements in taxonomic problems, Annals of Eugenics 7; Rao (1948), JRSS B 10.

    Examples
    --------
    The classes are narrow along the first column and wide along the second, where their means differ more:

    >>> means = np.array([[-1.0, -5.0], [1.0, 5.0]])
    >>> axes, ratio = fisher_axes(means, np.array([0.5, 0.5]), whitening=np.diag([1 / 0.1, 1 / 10]))
    >>> abs(axes[:, 0] / axes[0, 0]).round(4).tolist(), ratio.tolist()
    ([1.0, 0.0005], [1.0])
    """
    whitened = (means - priors @ means) @ whitening
    _, strengths, rotation = np.linalg.svd(np.sqrt(priors)[:, None] * whitened, full_matrices=False)
    n_axes = min(len(means) - 1, whitening.shape[1])
    variances = strengths[:n_axes] ** 2
    return whitening @ rotation[:n_axes].T, variances / (variances.sum() or 1.0)


FAR = 1e4  # squared distances, which lose twice as many digits, are then still right to about 1e-12


class ClassDensities:
    """Gaussians of K classes that are evaluated together.

    Parameters
    ----------
    gaussians : list of K `Gaussian`
    shared : bool
        Do they have the same covariance? Then −½ D²_0(x) may be left out of every −½ D²_k(x), since it is the same for
        all classes; what remains is linear in x. `common` returns what was left out.
    """

    def __init__(self, gaussians: list[Gaussian], shared: bool):
        self.gaussians, self.shared = gaussians, shared
        self._log_volumes = -0.5 * np.array([gaussian.log_determinant for gaussian in gaussians])
        self._constants = -0.5 * np.log(2 * np.pi) * np.array([gaussian.rank for gaussian in gaussians])

    def terms(self, X: np.ndarray) -> dict[str, np.ndarray]:
        """Named terms of ln N(x; μ_k, Σ_k), of shape (n, K), or (K,) if they are the same for every row.

        A row with missing values (NaN) gets the terms of its observed columns: all 0 if nothing was observed.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            exponents = (self._all_at_once or self._class_by_class)(X)
        if is_surely_finite(exponents):
            return self._named(self._log_volumes, exponents.T, self._constants)
        check_finite(X, "X", allow_nan=True)
        missing = np.isnan(X)
        has_gap = missing.any(axis=1)
        # A product may overflow where a single Gaussian does not, and `Gaussian` handles infinity.
        overflows = ~(has_gap | np.isfinite(exponents).all(axis=0))
        exponents[:, overflows] = self._class_by_class(X[overflows])
        if not has_gap.any():
            return self._named(self._log_volumes, exponents.T, self._constants)
        terms = np.array(np.broadcast_arrays(self._log_volumes, exponents.T, self._constants))
        rows = np.flatnonzero(has_gap)
        patterns, pattern_of_row = np.unique(missing[rows], axis=0, return_inverse=True)
        for i, pattern in enumerate(patterns):
            alike = rows[pattern_of_row.ravel() == i]
            terms[:, alike] = self._observed_terms(X[alike], ~pattern)
        return self._named(*terms)

    def common(self, X: np.ndarray) -> np.ndarray | float:
        """−½ D²_0(x), shape (n, 1), where `terms` leaves it out, else 0; rows with gaps have all of it in `terms`."""
        if not (self.shared and self._all_at_once):
            return 0.0
        left_out = -0.5 * self.gaussians[0].mahalanobis_squared(X)[:, None]
        return np.where(np.isnan(left_out), 0.0, left_out)

    def marginals(self, columns: np.ndarray) -> ClassDensities:
        """Marginal densities of some columns, given by their indices; warns if their ranks have become different."""
        if self.shared:
            first = self.gaussians[0].marginal(columns)
            moved = [first.moved_to(each.mean[columns], each.remainder_of(columns)) for each in self.gaussians]
            return ClassDensities(moved, True)
        gaussians = [gaussian.marginal(columns) for gaussian in self.gaussians]
        if len({gaussian.rank for gaussian in gaussians}) > len({gaussian.rank for gaussian in self.gaussians}):
            ranks = ", ".join(str(gaussian.rank) for gaussian in gaussians)
            warn_user(
                f"in rows with {len(columns)} observed columns the covariances of the classes have different ranks "
                f"({ranks}), so their pseudo-densities are not comparable; use shrinkage"
            )
        return ClassDensities(gaussians, False)

    @staticmethod
    def _named(log_volumes, exponents, constants) -> dict[str, np.ndarray]:
        return {"−½ ln|Σ|": log_volumes, "−½ D²": exponents, "constant": constants}

    def _observed_terms(self, X: np.ndarray, observed: np.ndarray) -> np.ndarray | float:
        """Terms, shape (3, n, K), of rows with the same gaps; nothing is left out of them."""
        if not observed.any():
            return 0.0
        marginals = self.marginals(np.flatnonzero(observed))
        exponents = marginals._class_by_class(X[:, observed])  # too few rows to gain from one product for all classes
        return np.array(np.broadcast_arrays(marginals._log_volumes, exponents.T, marginals._constants))

    def _class_by_class(self, X: np.ndarray) -> np.ndarray:
        """−½ D²_k(x), shape (K, n), each Gaussian measuring from its own mean."""
        X = np.asfortranarray(X)  # densities are computed column by column
        return -0.5 * np.array([gaussian.mahalanobis_squared(X) for gaussian in self.gaussians])

    @cached_property
    def _all_at_once(self):
        """Function from rows (n, d) to ½ D²_0(x) − ½ D²_k(x), shape (K, n), for all classes at once, or None."""
        if not self.shared:
            return None
        origin = np.mean([gaussian.mean for gaussian in self.gaussians], axis=0)
        means = np.array([gaussian.mean_from(origin) for gaussian in self.gaussians])
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow fails the test against FAR too
            return _linear(self.gaussians[0].whitening, means, origin)


def _linear(whitening, means, origin):
    """With a shared covariance, −½ (D²_k(x) − D²_0(x)) is linear in x."""
    coefficients, constants = linear_scores(means, whitening)
    if not -2 * constants.min() <= FAR:
        return None
    coefficients, constants = coefficients - coefficients[0], (constants - constants[0])[:, None]
    if (np.abs(coefficients) @ np.abs(origin)).max() > FAR:
        return partial(_linear_exponents, coefficients, constants, origin)
    return partial(_linear_exponents, coefficients, constants - (coefficients @ origin)[:, None], None)


def _linear_exponents(coefficients, constants, origin, X):
    exponents = np.zeros((len(coefficients), len(X)))  # one class per row, so that each is contiguous
    np.matmul(coefficients[1:], (X if origin is None else X - origin).T, out=exponents[1:])
    exponents[1:] += constants[1:]
    return exponents
