"""The Gaussian density in d dimensions, 1-D included, computed in the log domain from a Cholesky factor."""

from __future__ import annotations

from copy import copy

import numpy as np
from scipy.linalg import solve_triangular

from bayeslab._validation import must_be_finite
from bayeslab.moments import Moments


class SingularCovarianceError(np.linalg.LinAlgError):
    """A covariance matrix has no inverse: some combination of the columns does not vary at all.

    Attributes
    ----------
    rank, dimension : int
        Rank of the covariance, and the rank it needs.
    columns : list
        Indices or names of the columns that span the null direction.
    owner : str
        Whose covariance it is.
    """

    def __init__(self, rank, dimension, columns, owner="this Gaussian", cause=""):
        self.rank, self.dimension, self.columns, self.owner = rank, dimension, list(columns), owner
        listed = ", ".join(repr(c) if isinstance(c, str) else str(c) for c in self.columns)
        alone = len(self.columns) == 1
        which = f"column {listed} does not vary" if alone else f"a combination of columns {listed} does not vary"
        super().__init__(
            f"the covariance of {owner} is singular: rank {rank} of {dimension}, {which}{cause}. Remedies: "
            f"(1) drop one of these columns, or project with PCA before fitting; (2) shrink the covariance towards "
            f"its diagonal; (3) use the pseudo-inverse with the pseudo-determinant"
        )


class Gaussian:
    """Normal distribution N(μ, Σ) in d dimensions; the 1-D Gaussian is the case d = 1.

    Parameters
    ----------
    mean : (d,) array or float
        μ, in the units of the data.
    covariance : (d, d) array, (d,) array or float
        Σ, in those units squared. A vector is the diagonal of a diagonal Σ, a number σ² stands for σ²I.

    Attributes
    ----------
    mean : (d,) array
    covariance : (d, d) array
    log_determinant : float
        ln |Σ|.
    rank : int
        Rank of Σ.

    Raises
    ------
    SingularCovarianceError
        If Σ is singular: an eigenvalue of the correlation matrix is below 4·d·ε times the largest.
    ValueError
        If shapes do not match, or Σ is not finite, not symmetric or not positive semi-definite.
    """

    def __init__(self, mean, covariance):
        self.mean = np.atleast_1d(np.array(mean, dtype=float))
        if self.mean.ndim != 1 or self.mean.size == 0:
            raise ValueError(f"mean must be a number or have shape (d,), but has shape {self.mean.shape}")
        must_be_finite(self.mean, "mean")
        covariance = np.array(covariance, dtype=float)
        must_be_finite(covariance, "covariance")
        d = self.n_features
        if covariance.ndim == 0:
            covariance = np.full(d, covariance)
        if covariance.shape not in {(d,), (d, d)}:
            raise ValueError(
                f"a mean of shape ({d},) needs a covariance of shape ({d}, {d}), ({d},) or (), not {covariance.shape}"
            )
        # The factor F has Σ = F Fᵀ: lower triangular, or for a diagonal Σ the vector of standard deviations.
        self._factor = _deviations(covariance) if covariance.ndim == 1 else _cholesky(covariance)
        self.covariance = np.diag(covariance) if covariance.ndim == 1 else covariance
        self.log_determinant = 2 * float(np.log(self._factor_diagonal).sum())
        self.rank = d

    @classmethod
    def fit(cls, X, ddof: float = 1, weights=None) -> Gaussian:
        """Gaussian with the mean and covariance of the rows of X, shape (n, d) or (n,).

        ``ddof=1`` divides the scatter by n − 1 (unbiased), ``ddof=0`` by n (maximum likelihood).
        """
        moments = Moments.of(X, weights)
        return cls(moments.mean, moments.covariance(ddof))

    @property
    def n_features(self) -> int:
        """Number of features, d."""
        return len(self.mean)

    @property
    def _factor_diagonal(self) -> np.ndarray:
        return self._factor if self._factor.ndim == 1 else self._factor.diagonal()

    def moved_to(self, mean) -> Gaussian:
        """Gaussian with the same covariance about another mean, shape (d,)."""
        moved = copy(self)
        moved.mean = np.array(mean, dtype=float)
        return moved

    def mahalanobis_squared(self, X) -> np.ndarray:
        """Squared Mahalanobis distance D² = (x − μ)ᵀ Σ⁻¹ (x − μ) of each sample, without unit.

        Parameters
        ----------
        X : (..., d) array
            One sample (d,), samples in rows (n, d), or a grid of them. For d = 1 also a number or a flat array.

        Returns
        -------
        (...) array
        """
        points = self._as_points(X)
        deviations = (points - self.mean).reshape(-1, self.n_features)
        if self._factor.ndim == 1:
            z = deviations / self._factor
        else:
            z = solve_triangular(self._factor, deviations.T, lower=True, check_finite=False).T
        return np.einsum("ij,ij->i", z, z).reshape(points.shape[:-1])[()]

    def log_density(self, X) -> np.ndarray:
        """Return ln N(x; μ, Σ) = −½ (d ln 2π + ln |Σ| + D²) of each sample; X as in `mahalanobis_squared`."""
        return -0.5 * (self.n_features * np.log(2 * np.pi) + self.log_determinant + self.mahalanobis_squared(X))

    def sample(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw n samples, shape (n, d): x = μ + F z with z standard normal and F Fᵀ = Σ."""
        z = rng.standard_normal((n, self.n_features))
        return self.mean + (z * self._factor if self._factor.ndim == 1 else z @ self._factor.T)

    def marginal(self, columns) -> Gaussian:
        """Gaussian of some of the columns (an index or a list of them): their entries of μ and Σ."""
        columns = np.atleast_1d(columns)
        return Gaussian(self.mean[columns], self.covariance[np.ix_(columns, columns)])

    def ellipse(self, n_sigma: float = 1) -> np.ndarray:
        """Return the closed curve of points at Mahalanobis distance `n_sigma` from the mean, shape (181, 2).

        In two dimensions it encloses the probability 1 − exp(−n_sigma²/2): 39 %, 86 %, 98.9 % for 1, 2, 3 σ.
        """
        if self.n_features != 2:
            raise ValueError(f"an ellipse needs 2 features, not {self.n_features}; take marginal([i, j]) first")
        angle = np.linspace(0, 2 * np.pi, 181)
        circle = n_sigma * np.column_stack([np.cos(angle), np.sin(angle)])
        return self.mean + (circle * self._factor if self._factor.ndim == 1 else circle @ self._factor.T)

    def _as_points(self, X) -> np.ndarray:
        X = np.asarray(X, dtype=float)
        if self.n_features == 1 and X.ndim <= 1:
            X = X[..., None]
        if X.ndim == 0 or X.shape[-1] != self.n_features:
            raise ValueError(f"this Gaussian has {self.n_features} features, but X has shape {X.shape}")
        return X

    def __repr__(self) -> str:
        def text(array):
            return np.array2string(array, precision=4, separator=", ").replace("\n", "")

        return f"Gaussian(mean={text(self.mean)}, covariance={text(self.covariance)})"


def _deviations(variances: np.ndarray) -> np.ndarray:
    """Return standard deviations, the factor of a diagonal covariance."""
    if variances.min() < 0:
        column = int(variances.argmin())
        raise ValueError(f"the variance of column {column} is {variances[column]:g}; it cannot be negative")
    constant = np.flatnonzero(variances == 0)
    if len(constant):
        raise SingularCovarianceError(len(variances) - len(constant), len(variances), constant.tolist())
    return np.sqrt(variances)


def _cholesky(covariance: np.ndarray) -> np.ndarray:
    """Lower-triangular L with L Lᵀ = Σ.

    Rank is judged, and the factor computed, on the correlation matrix, so that neither depends on units.
    """
    variances = covariance.diagonal()
    d = len(variances)
    if variances.min() < 0:
        _deviations(variances)  # says which
    scale = np.sqrt(np.where(variances > 0, variances, 1))
    correlation = covariance / scale / scale[:, None]
    asymmetry = np.abs(correlation - correlation.T)
    if asymmetry.max() > 1e-8:
        i, j = (int(index) for index in np.unravel_index(asymmetry.argmax(), asymmetry.shape))
        raise ValueError(
            f"covariance must be symmetric, but covariance[{i}, {j}] is {covariance[i, j]:g} and "
            f"covariance[{j}, {i}] is {covariance[j, i]:g}"
        )
    eigenvalues, vectors = np.linalg.eigh(correlation)
    if eigenvalues[0] < -1e-8 * eigenvalues[-1]:
        raise ValueError(
            f"covariance must be positive semi-definite, but its correlation matrix has the eigenvalue "
            f"{eigenvalues[0]:g}; is some covariance larger than the product of its standard deviations?"
        )
    null = eigenvalues <= 4 * d * np.finfo(float).eps * eigenvalues[-1]
    if null.any():
        involved = np.abs(vectors[:, null]).max(axis=1) > 1e-4
        raise SingularCovarianceError(int(d - null.sum()), d, np.flatnonzero(involved).tolist())
    return scale[:, None] * np.linalg.cholesky(correlation)
