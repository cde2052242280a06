"""The Gaussian densities of all classes: the one place that computes the terms of ln N(x; μ_k, Σ_k).

Most of the work is D²_k(x) = ‖W_k (x − μ_k)‖². When the classes lie near one another, matrix products measure the rows
from one common origin and compute it for all classes at once. This costs digits in proportion to the distance of the
means from that origin, in standard deviations. If some mean is too far away (`FAR`), or if there are too many columns
for this to be faster (`LARGE`), each Gaussian measures from its own mean.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from bayeslab._base.arrays import check_finite, is_surely_finite
from bayeslab._base.factor import LARGE
from bayeslab._base.warn import warn_user
from bayeslab.gaussian import Gaussian
from bayeslab.linear import linear_scores

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
        """Function from rows (n, d) to −½ D²_k(x), shape (K, n), for all classes at once, or None."""
        origin = np.mean([gaussian.mean for gaussian in self.gaussians], axis=0)
        means = np.array([gaussian.mean_from(origin) for gaussian in self.gaussians])
        whitenings = [gaussian.whitening for gaussian in self.gaussians]
        make = _linear if self.shared else _by_squares if whitenings[0].ndim == 1 else _by_whitening
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow fails the test against FAR too
            return make(whitenings, means, origin)


def _linear(whitenings, means, origin):
    """With a shared covariance, −½ (D²_k(x) − D²_0(x)) is linear in x."""
    coefficients, constants = linear_scores(means, whitenings[0])
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


def _by_squares(whitenings, means, origin):
    """With diagonal covariances, −½ D² is linear in the columns and their squares."""
    precisions = np.square(whitenings)
    from_origin = (precisions * means**2).sum(axis=1)
    if not from_origin.max() <= FAR:
        return None
    return partial(_exponents_by_squares, -0.5 * precisions, precisions * means, -0.5 * from_origin[:, None], origin)


def _exponents_by_squares(quadratic, linear, constants, origin, X):
    deviations = X - origin
    exponents = linear @ deviations.T
    exponents += constants
    exponents += quadratic @ np.square(deviations, out=deviations).T
    return exponents


def _by_whitening(whitenings, means, origin):
    """With full covariances, one product whitens the rows for all classes, if the matrices are small."""
    d, ranks = len(origin), {whitening.shape[1] for whitening in whitenings}
    if d >= LARGE or len(ranks) > 1 or 0 in ranks:
        return None
    pairs = list(zip(means, whitenings, strict=True))
    if not max((np.abs(mean) @ np.abs(W)).max() for mean, W in pairs) <= FAR:
        return None
    whiten = np.vstack([np.vstack([W, -mean @ W]).T for mean, W in pairs])
    return partial(_exponents_by_whitening, whiten, len(pairs), origin)


def _exponents_by_whitening(whiten, n_classes, origin, X):
    deviations = np.ones((len(origin) + 1, len(X)))  # the last row, of ones, multiplies −μ W
    np.subtract(X.T, origin[:, None], out=deviations[:-1])
    z = (whiten @ deviations).reshape(n_classes, -1, len(X))
    exponents = np.einsum("kji,kji->ki", z, z)
    exponents *= -0.5
    return exponents
