"""The Gaussian density in d dimensions, 1-D included, computed with logarithms from a factor of the covariance."""

from __future__ import annotations

from copy import copy
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg.lapack import dpotrf, dtrtri

from bayeslab._base.arrays import (
    Array,
    Weights,
    as_generator,
    as_points,
    check_finite,
    check_number,
    check_one_of,
    not_varying,
)
from bayeslab.moments import Moments

Singular: TypeAlias = Literal["raise", "pseudo"]

TOLERANCE = 4 * np.finfo(float).eps  # eigenvalues below d times this share of the largest count as zero


def by_eigenvectors(scaled: Array) -> tuple[Array, Array, Array]:
    """Factors F and W of a covariance and of its pseudo-inverse, shape (d, rank), and the lengths of its axes.

    The lengths are the square roots of the eigenvalues, without those that are 0 up to rounding.
    """
    eigenvalues, vectors = np.linalg.eigh(scaled)
    if eigenvalues[0] < -1e-8 * abs(eigenvalues[-1]):
        raise ValueError(
            f"covariance must be positive semi-definite, but divided by its variances it has the eigenvalue "
            f"{eigenvalues[0]:g}; is some covariance larger than the product of its standard deviations?"
        )
    kept = ~is_null(eigenvalues)
    vectors, lengths = vectors[:, kept], np.sqrt(eigenvalues[kept])
    return vectors * lengths, vectors / lengths, lengths


def null_columns(covariance: Array) -> list[int]:
    """Indices of the columns that take part in a direction in which nothing varies."""
    if covariance.ndim == 1:
        return np.flatnonzero(covariance == 0).tolist()
    scale = own_scale(covariance)
    eigenvalues, vectors = np.linalg.eigh(covariance / scale / scale[:, None])
    return np.flatnonzero(np.abs(vectors[:, is_null(eigenvalues)]).max(axis=1) > 1e-4).tolist()


def is_null(eigenvalues: Array) -> np.ndarray:
    """Mark the eigenvalues that are zero up to rounding: at most 4·d·ε times the largest."""
    return eigenvalues <= TOLERANCE * len(eigenvalues) * eigenvalues[-1]


def own_scale(covariance: Array) -> Array:
    """Standard deviations, shape (d,), and 1 for a column that does not vary."""
    variances = covariance if covariance.ndim == 1 else covariance.diagonal()
    return np.sqrt(np.where(variances > 0, variances, 1))


def check_covariance(covariance: Array) -> None:
    """Raise a ValueError that names the entry, if a variance is negative or the matrix not symmetric."""
    variances = covariance if covariance.ndim == 1 else covariance.diagonal()
    if variances.min() < 0:
        column = int(variances.argmin())
        raise ValueError(f"the variance of column {column} is {variances[column]:g}; it cannot be negative")
    scale = own_scale(covariance)
    asymmetry = np.abs(covariance - covariance.T) / scale / (scale[:, None] if covariance.ndim == 2 else 1)
    if asymmetry.max() > 1e-8:
        i, j = (int(index) for index in np.unravel_index(asymmetry.argmax(), asymmetry.shape))
        raise ValueError(
            f"covariance must be symmetric, but covariance[{i}, {j}] is {covariance[i, j]:g} and "
            f"covariance[{j}, {i}] is {covariance[j, i]:g}"
        )


class SingularCovarianceError(np.linalg.LinAlgError):
    """A covariance matrix has no inverse: some combination of the columns does not vary at all.

    Attributes
    ----------
    rank, dimension : int
        Rank of the covariance, and the rank it needs.
    columns : list
        Indices or names of all columns that take part in a direction of no variance; the message may list only a few.
    owner : str
        Whose covariance it is.
    cause, remedies : str
        Why, and what to do; by default what helps wherever a covariance is singular.

    Examples
    --------
    >>> try:
    ...     Gaussian([0, 0, 0], [[1, 1, 0], [1, 1, 0], [0, 0, 1]])
    ... except SingularCovarianceError as error:
    ...     print(f"rank {error.rank} of {error.dimension}: look at columns {error.columns}")
    rank 2 of 3: look at columns [0, 1]
    """

    def __init__(
        self,
        rank: int,
        dimension: int,
        columns: Any,
        owner: str = "this Gaussian",
        cause: str = "",
        remedies: str = "",
    ):
        self.rank = rank
        self.dimension = dimension
        self.columns: list[Any] = list(columns)
        self.owner = owner
        self.cause = cause
        self.remedies = remedies or (
            f"{_fewer_columns(rank, dimension - rank, len(self.columns))}; (2) in a classifier, shrink towards the "
            f"pooled variances, as with shrinkage=0.1; (3) use the pseudo-inverse with the pseudo-determinant: "
            f"singular='pseudo'"
        )
        super().__init__(
            f"the covariance of {owner} is singular: rank {rank} of {dimension}, {not_varying(self.columns)}{cause}. "
            f"Remedies: (1) {self.remedies}"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # By default only the message is pickled, and a worker process could not rebuild the error from it.
        known = self.rank, self.dimension, self.columns, self.owner, self.cause, self.remedies
        return type(self), known, self.__dict__


def _fewer_columns(rank: int, lacking: int, n_columns: int) -> str:
    if n_columns == 1:
        return "drop this column"
    if lacking == 1:
        return "drop one of these columns"
    few = f", or project with PCA (n_components={rank} or less)" if rank else ""
    return f"drop {lacking} of these columns{few}"


class Gaussian:
    """Normal distribution N(μ, Σ) in d dimensions; the 1-D Gaussian is the case d = 1.

    Parameters
    ----------
    mean : (d,) array or float
        μ, in the units of the data.
    covariance : (d, d) array, (d,) array or float
        Σ, in those units squared. A vector is the diagonal of a diagonal Σ; a number σ² stands for σ²I.
    singular : {"raise", "pseudo"}
        What to do if Σ is singular: raise, or use the pseudo-inverse and pseudo-determinant, that is, the density on
        the affine space of dimension `rank` that holds the samples.
    scale : (d,) array, optional
        Units in which the rank is judged and the pseudo-inverse and pseudo-determinant are taken; by default each
        column's own standard deviation. Pseudo-densities are comparable only if they have the same rank and scale.

    Attributes
    ----------
    mean : (d,) array
    log_determinant : float
        ln |Σ|, or the logarithm of the pseudo-determinant.
    rank : int
        Number of eigenvalues of the scaled Σ above 4·d·ε times the largest.
    whitening : (d, rank) array, or (d,) for a diagonal Σ
        W with W Wᵀ = Σ⁻¹: z = (x − μ) W has mean 0 and covariance I.

    Raises
    ------
    SingularCovarianceError
        If Σ is singular and `singular` is "raise".
    ValueError
        If shapes do not match, a scale is not positive, or Σ is not finite, symmetric and positive semi-definite.

    Examples
    --------
    >>> Gaussian([1, 2], [4, 1]).mahalanobis_squared([[1, 2], [3, 2], [1, 4]]).tolist()  # standard deviations 2 and 1
    [0.0, 1.0, 4.0]
    >>> Gaussian.fit([1, 3, 8]), Gaussian.fit([2, 4], ddof=0)
    (Gaussian(mean=[4.], covariance=[[13.]]), Gaussian(mean=[3.], covariance=[[1.]]))
    """

    mean: Array
    singular: Singular
    whitening: Array
    log_determinant: float
    rank: int
    _remainder: Array  # the rounding error of the mean, shape (d,), as far as it is known
    _covariance: Array  # or its diagonal
    _factor: Array  # F with F Fᵀ = Σ, shape (d, rank), or (d,)
    _scale: Array | None

    def __init__(
        self,
        mean: ArrayLike,
        covariance: ArrayLike,
        singular: Singular = "raise",
        scale: ArrayLike | None = None,
    ):
        mean = np.atleast_1d(np.array(mean, dtype=float))
        if mean.ndim != 1 or mean.size == 0:
            raise ValueError(f"mean must be a number or have shape (d,), but has shape {mean.shape}")
        check_finite(mean, "mean")
        covariance = np.array(covariance, dtype=float)
        check_finite(covariance, "covariance")
        check_one_of(singular, "singular", ("raise", "pseudo"))
        d = len(mean)
        if covariance.ndim == 0:
            covariance = np.full(d, covariance)
        if covariance.shape not in {(d,), (d, d)}:
            raise ValueError(
                f"a mean of shape ({d},) needs a covariance of shape ({d}, {d}), ({d},) or (), not {covariance.shape}"
            )
        if scale is not None:
            scale = np.array(scale, dtype=float)
            if scale.shape != (d,) or not ((scale > 0) & np.isfinite(scale)).all():
                raise ValueError(f"scale must hold {d} finite numbers above 0, one per column, not {scale.tolist()}")
        check_covariance(covariance)
        vars(self).update(vars(Gaussian._unchecked(mean, covariance, singular, scale)))

    @classmethod
    def _unchecked(
        cls,
        mean: Array,
        covariance: Array,
        singular: Singular = "raise",
        scale: Array | None = None,
        remainder: Array | float = 0.0,
    ) -> Gaussian:
        """Gaussian of arrays that need no checks, as those of `Moments`; `remainder` is the mean's rounding error.

        Prediction takes only the mean, `whitening` and `log_determinant` from it: W with Σ⁻¹ = W Wᵀ, and ln |Σ|. For
        `sample`, Σ = F Fᵀ. If Σ is singular, these are the pseudo-inverse and pseudo-determinant in units of `scale`; a
        diagonal column of variance 0 gets weight 0 in W.
        """
        new = cls.__new__(cls)
        new.mean, new._remainder = mean, remainder + np.zeros(len(mean))
        new.singular, new._scale, new._covariance = singular, scale, covariance
        scale = own_scale(covariance) if scale is None else scale
        if covariance.ndim == 1:
            varies, F = covariance > 0, np.sqrt(covariance)
            measure = np.where(varies, F, scale)
            W, rank, log_determinant = np.where(varies, 1 / measure, 0), varies.sum(), np.log(measure).sum()
        else:
            scaled = covariance / scale / scale[:, None]
            root, failed = dpotrf(scaled)  # upper triangular, as its inverse is
            F, W, lengths = root.T, dtrtri(root)[0], root.diagonal()  # |Σ| is the square of the product of the lengths
            # ‖W‖² bounds the inverse of the smallest eigenvalue, which usually proves that the rank is full.
            if failed or not TOLERANCE * len(scale) * np.vdot(W, W) * scaled.trace() < 1:
                F, W, lengths = by_eigenvectors(scaled)
            F, W, rank = scale[:, None] * F, W / scale[:, None], len(lengths)
            log_determinant = np.log(lengths).sum() + np.log(scale).sum()
        new._factor, new.whitening, new.log_determinant, new.rank = F, W, 2 * float(log_determinant), int(rank)
        if new.rank < len(mean) and singular == "raise":
            raise SingularCovarianceError(new.rank, len(mean), null_columns(covariance))
        return new

    @classmethod
    def fit(cls, X: ArrayLike, ddof: float = 1, weights: Weights = None) -> Gaussian:
        """Gaussian with the mean and covariance of the rows of X, shape (n, d) or (n,).

        ``ddof=1`` divides the scatter by n − 1 (unbiased), ``ddof=0`` by n (maximum likelihood). With `weights`, n is
        their sum, and ``ddof=1`` is unbiased only if they count repetitions of rows; see `Moments.covariance`.
        """
        moments = Moments.of(X, weights)
        return cls(moments.mean, moments.covariance(ddof)).moved_to(moments.mean, moments.remainder)

    @property
    def n_features(self) -> int:
        """Number of features, d."""
        return len(self.mean)

    @property
    def covariance(self) -> Array:
        """Σ, shape (d, d)."""
        return np.diag(self._covariance) if self._covariance.ndim == 1 else self._covariance

    def moved_to(self, mean: ArrayLike, remainder: Array | float = 0.0) -> Gaussian:
        """Gaussian with the same covariance and another mean, shape (d,); `remainder` is its rounding error."""
        moved, moved_mean = copy(self), np.array(mean, dtype=float)
        if moved_mean.shape != self.mean.shape:
            raise ValueError(f"the new mean must have shape {self.mean.shape}, not {moved_mean.shape}")
        moved.mean, moved._remainder = moved_mean, remainder + np.zeros(len(moved_mean))
        return moved

    def mahalanobis_squared(self, X: ArrayLike) -> Array:
        """Squared Mahalanobis distance D² = (x − μ)ᵀ Σ⁻¹ (x − μ) of each sample, without unit.

        It is NaN if the sample has a NaN, and ∞ if it overflows.

        Parameters
        ----------
        X : (..., d) array
            One sample (d,), samples in rows (n, d), or a grid of them. For d = 1 also a number or a flat array.

        Returns
        -------
        (...) array
        """
        points = as_points(X, self.n_features, "this Gaussian")
        # Transposed: each operation then runs along the samples, of which there are many, not along the features.
        deviations = (points.reshape(-1, self.n_features) - self.mean).T
        if self._remainder.any():
            deviations -= self._remainder[:, None]
        W = self.whitening
        with np.errstate(over="ignore", invalid="ignore"):
            z = W[:, None] * deviations if W.ndim == 1 else W.T @ deviations
            return np.einsum("ij,ij->j", z, z).reshape(points.shape[:-1])[()]

    def log_density(self, X: ArrayLike) -> Array:
        """ln N(x; μ, Σ) = −½ (rank · ln 2π + ln |Σ| + D²) of each sample; X as in `mahalanobis_squared`."""
        return -0.5 * (self.rank * np.log(2 * np.pi) + self.log_determinant + self.mahalanobis_squared(X))

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n samples, shape (n, d): x = μ + F z with z standard normal and F Fᵀ = Σ."""
        check_number(n, "n", least=0, whole=True)
        z = as_generator(rng).standard_normal((n, self._factor.shape[-1]))
        return self.mean + self._spread(z)

    def marginal(self, columns: ArrayLike) -> Gaussian:
        """Marginal Gaussian of some columns (an index or a list of them): their entries of μ and Σ."""
        columns = np.atleast_1d(np.asarray(columns))
        if columns.ndim != 1 or columns.dtype.kind not in "iu" or not (abs(columns + 0.5) < self.n_features).all():
            raise ValueError(f"columns must be indices from 0 to {self.n_features - 1}, not {columns.tolist()}")
        scale = None if self._scale is None else self._scale[columns]
        covariance = self.covariance[np.ix_(columns, columns)]
        if self._factor.ndim == 1:
            covariance = covariance.diagonal()
        marginal = Gaussian(self.mean[columns], covariance, self.singular, scale)
        return marginal.moved_to(marginal.mean, self._remainder[columns])

    def mean_from(self, origin: Array) -> Array:
        """The mean relative to an origin, corrected for its rounding error."""
        origin = np.asarray(origin, dtype=float)
        if origin.shape != self.mean.shape:
            raise ValueError(f"origin must be a point, one number per feature: {self.mean.shape}, not {origin.shape}")
        return (self.mean - origin) + self._remainder

    def ellipse(self, n_sigma: float = 1) -> Array:
        """Closed curve of the points at Mahalanobis distance `n_sigma` from the mean, shape (181, 2).

        In two dimensions it encloses the probability 1 − exp(−n_sigma²/2): 39 %, 86 %, 98.9 % for 1, 2, 3 σ.
        """
        if self.n_features != 2:
            raise ValueError(f"an ellipse needs 2 features, not {self.n_features}; take marginal([i, j]) first")
        angle = np.linspace(0, 2 * np.pi, 181)
        circle = n_sigma * np.column_stack([np.cos(angle), np.sin(angle)])[:, : self._factor.shape[-1]]
        return self.mean + self._spread(circle)

    def _spread(self, z: Array) -> Array:
        """F z for each standard normal row z: rows with this covariance."""
        return z * self._factor if self._factor.ndim == 1 else z @ self._factor.T

    def __repr__(self) -> str:
        def text(array: Array) -> str:
            return np.array2string(array, precision=4, separator=", ").replace("\n", "")

        return f"Gaussian(mean={text(self.mean)}, covariance={text(self.covariance)})"
