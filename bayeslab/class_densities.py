"""The Gaussian densities of all classes at once: the terms of ln N(x; μ_k, Σ_k), each computed in this one place.

D²_k(x) = ‖W_k(x − μ_k)‖² is by far the most of the work. Where the classes are near to each other, rows are measured
from one origin, and products of matrices whiten them for all classes at once. What that costs in digits grows with the
distance of the means from the origin, in units of a class's spread: where they are `FAR` away, or where products would
gain nothing, each Gaussian measures from its own mean.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from bayeslab._base.arrays import is_surely_finite
from bayeslab._base.warn import warn_user
from bayeslab.gaussian import Gaussian
from bayeslab.linear import linear_scores

FAR = 1e4  # for squared distances, which lose twice the digits, as well: about 1e-12 of an error is left
LARGE = 64  # columns, from which on a product for each class, of a triangular matrix, is quicker than one for all


class ClassDensities:
    """Gaussians of K classes, whose densities are wanted together.

    Parameters
    ----------
    gaussians : list of K `Gaussian`
    alike : bool
        Whether they have the same covariance: then −½ D²_0(x), `common`, is left out of −½ D²_k(x) for all k, and what
        is left is linear in x.
    """

    def __init__(self, gaussians: list[Gaussian], alike: bool):
        self.gaussians, self.alike = gaussians, alike
        self._volumes = -0.5 * np.array([gaussian.log_determinant for gaussian in gaussians])
        self._constants = -0.5 * np.log(2 * np.pi) * np.array([gaussian.rank for gaussian in gaussians])

    def terms(self, X: np.ndarray) -> dict[str, np.ndarray]:
        """Terms of ln N(x; μ_k, Σ_k), by name, of shape (n, K), or (K,) where all rows have the same.

        Of a row with missing values (NaN) they are those of its observed columns, all 0 where there are none. Rows that
        miss the same columns should stand together: each such group needs marginals of its own.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            halves = (self._at_once or self._each)(X)
        if is_surely_finite(halves):
            return self._named(self._volumes, halves.T, self._constants)
        missing = np.isnan(X)
        gaps = missing.any(axis=1)
        unsure = ~(gaps | np.isfinite(halves).all(axis=0))
        halves[:, unsure] = self._each(X[unsure])  # out of range for a product: each knows whether it is for itself too
        if not gaps.any():
            return self._named(self._volumes, halves.T, self._constants)
        every = np.stack([each.copy() for each in np.broadcast_arrays(self._volumes, halves.T, self._constants)])
        starts = np.flatnonzero(np.append(True, (missing[1:] != missing[:-1]).any(axis=1)))
        for start, stop in zip(starts, [*starts[1:], len(X)], strict=True):
            if gaps[start]:
                every[:, start:stop] = self._of_observed(X[start:stop], ~missing[start])
        return self._named(*every)

    def common(self, X: np.ndarray) -> np.ndarray | float:
        """−½ D²_0(x), shape (n, 1), if the terms are without it; 0 of a row with gaps: its terms are whole."""
        if not (self.alike and self._at_once):
            return 0.0
        half = -0.5 * self.gaussians[0].mahalanobis_squared(X)[:, None]
        return np.where(np.isnan(half), 0.0, half)

    def of_columns(self, columns: np.ndarray) -> ClassDensities:
        """Marginal densities; a warning says where their ranks differ though those of all columns do not."""
        if self.alike:
            first = self.gaussians[0].marginal(columns)
            moved = [first.moved_to(each.mean[columns], each.remainder_of(columns)) for each in self.gaussians]
            return ClassDensities(moved, True)
        marginals = [gaussian.marginal(columns) for gaussian in self.gaussians]
        if len({marginal.rank for marginal in marginals}) > len({gaussian.rank for gaussian in self.gaussians}):
            ranks = ", ".join(str(marginal.rank) for marginal in marginals)
            warn_user(
                f"where only {len(columns)} columns are observed, the covariances of the classes have different ranks "
                f"({ranks}), so their pseudo-densities are not comparable; take shrinkage"
            )
        return ClassDensities(marginals, False)

    @staticmethod
    def _named(volumes, halves, constants) -> dict[str, np.ndarray]:
        return {"−½ ln|Σ|": volumes, "−½ D²": halves, "constant": constants}

    def _of_observed(self, X: np.ndarray, observed: np.ndarray):
        """Terms of rows that miss the same columns, shape (3, n, K), with nothing left out."""
        if not observed.any():
            return 0.0
        marginals = self.of_columns(np.flatnonzero(observed))
        halves = marginals._each(X[:, observed])  # for as few rows, products for all classes would not pay
        return np.stack(np.broadcast_arrays(marginals._volumes, halves.T, marginals._constants))

    def _each(self, X: np.ndarray) -> np.ndarray:
        """−½ D²_k(x), shape (K, n), each measured from its own mean."""
        X = np.asfortranarray(X)  # a column in one piece, along which densities run
        return -0.5 * np.array([gaussian.mahalanobis_squared(X) for gaussian in self.gaussians])

    @cached_property
    def _at_once(self):
        """Function from rows (n, d) to −½ D²_k(x), shape (K, n), for all classes at once, or None."""
        origin = np.mean([gaussian.mean for gaussian in self.gaussians], axis=0)
        means = np.array([gaussian.measured_from(origin) for gaussian in self.gaussians])
        whitenings = [gaussian.whitening for gaussian in self.gaussians]
        make = _linear if self.alike else _by_squares if whitenings[0].ndim == 1 else _by_whitening
        with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is not below FAR
            return make(whitenings, means, origin)


def _linear(whitenings, means, origin):
    """With one covariance −½ D² is linear in x, but for what it is for the first class."""
    coefficients, constants = linear_scores(means, whitenings[0])
    if not -2 * constants.min() <= FAR:  # else the rounding of its constant drowns the near classes
        return None
    coefficients, constants = coefficients - coefficients[0], (constants - constants[0])[:, None]
    far = (np.abs(coefficients) @ np.abs(origin)).max() > FAR
    if not far:
        constants = constants - (coefficients @ origin)[:, None]

    def halves(X):
        found = np.empty((len(coefficients), len(X)))  # transposed: what belongs to a class is in one piece
        found[0] = 0
        np.matmul(coefficients[1:], (X - origin if far else X).T, out=found[1:])
        found[1:] += constants[1:]
        return found

    return halves


def _by_squares(whitenings, means, origin):
    """With diagonal covariances −½ D² is linear in the columns and their squares."""
    precisions = np.square(whitenings)
    distances = (precisions * means**2).sum(axis=1)
    if not distances.max() <= FAR:
        return None
    quadratic, linear, constants = -0.5 * precisions, precisions * means, -0.5 * distances[:, None]

    def halves(X):
        deviations = X - origin
        found = linear @ deviations.T
        found += constants
        found += quadratic @ np.square(deviations, out=deviations).T
        return found

    return halves


def _by_whitening(whitenings, means, origin):
    """Rows are whitened for all classes in one product, while the matrices are small."""
    d, ranks = len(origin), {whitening.shape[1] for whitening in whitenings}
    if d >= LARGE or len(ranks) > 1 or 0 in ranks:
        return None
    pairs = list(zip(means, whitenings, strict=True))
    if not max((np.abs(mean) @ np.abs(W)).max() for mean, W in pairs) <= FAR:
        return None
    whiten = np.vstack([np.vstack([W, -mean @ W]).T for mean, W in pairs])
    column = origin[:, None]

    def halves(X):
        deviations = np.ones((d + 1, len(X)))  # a last row of ones takes the means along
        np.subtract(X.T, column, out=deviations[:-1])
        z = (whiten @ deviations).reshape(len(means), -1, len(X))
        found = np.einsum("kji,kji->ki", z, z)
        found *= -0.5
        return found

    return halves
