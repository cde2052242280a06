"""Moments of a sample: all that a Gaussian fit needs to remember of its data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bayeslab._base.arrays import BLOCK, Array, Weights, as_samples, as_weights, check_number

ROUNDING = 64 * np.finfo(float).eps


def weight_left(before: float, gone: float) -> float:
    """Difference of two weights, or a ValueError if only rounding errors are left."""
    left = before - gone
    if left <= ROUNDING * before:
        raise ValueError(f"cannot remove a weight of {gone:g} from {before:g}: nothing would be left")
    return left


@dataclass(frozen=True, eq=False)
class Sums:
    """Total weight of a sample, and sums over it.

    Parameters
    ----------
    weight : float
        Σ wᵢ.
    totals : dict
        Σ wᵢ tᵢ by the name of t: a number, or an array for one number per column.
    signed : frozenset
        Names of the terms that may be negative. Of the others, a part is no larger than the whole: removing more than
        there is raises an error, and if only rounding errors are left, 0 is left.

    Examples
    --------
    >>> a, b = Sums(2.0, {"x": 5.0}), Sums(1.0, {"x": 3.0})
    >>> (a + b).totals, (a + b - b).totals == a.totals
    ({'x': 8.0}, True)
    """

    weight: float = 0.0
    totals: dict[str, Any] = field(default_factory=dict)
    signed: frozenset[str] = frozenset()

    def __add__(self, other: Sums) -> Sums:
        """Sums over both samples together."""
        totals = dict(self.totals)
        for name, total in other.totals.items():
            totals[name] = totals.get(name, 0.0) + total
        return Sums(self.weight + other.weight, totals, self.signed | other.signed).within_range()

    def __sub__(self, other: Sums) -> Sums:
        """Sums over what is left without the part `other`."""
        rest = weight_left(self.weight, other.weight)
        totals = dict(self.totals)
        for name, gone in other.totals.items():
            before = totals.get(name, 0.0)
            left = before - gone
            if name not in self.signed:
                if np.any(left < -1e-8 * (before + gone)):
                    raise ValueError(f"cannot remove samples that were never added: their sum of {name} is larger")
                left = np.where(left <= ROUNDING * before, 0.0, left)[()]
            totals[name] = left
        return Sums(rest, totals, self.signed)

    def within_range(self) -> Sums:
        """Return these sums, or raise a ValueError if one of them has overflowed."""
        for name, total in self.totals.items():
            if not np.isfinite(total).all():
                raise ValueError(
                    f"the sum of {name} is too large for floating-point numbers: divide the column, or the weights, "
                    f"by a constant, such as the largest"
                )
        return self


@dataclass(frozen=True, eq=False)
class Moments:
    """Total weight, mean and scatter of a weighted sample of d features.

    They add and subtract without the data: ``a + b`` are the moments of both samples together, ``a - b`` those of ``a``
    without the part ``b``.

    Parameters
    ----------
    weight : float
        Σ wᵢ; the number of samples when they are not weighted.
    mean : (d,) array
        μ = Σ wᵢ xᵢ / Σ wᵢ, in the units of X.
    scatter : (d, d) array
        S = Σ wᵢ (xᵢ − μ)(xᵢ − μ)ᵀ, not yet divided, in the units of X squared; for a model that needs no more, only
        its diagonal, shape (d,).
    remainder : (d,) array or float
        The rounding error of `mean`: mean + remainder is μ to about twice the digits. Merging takes differences of
        means, which would lose their digits if the spread is small compared with the mean.
    rows : float
        Number of rows of weight above 0, if it is known; `count` needs it.

    References
    ----------
    Chan, Golub and LeVeque (1983), Algorithms for computing the sample variance, The American Statistician 37.

    Examples
    --------
    >>> a, b = Moments.of([1, 3]), Moments.of([6, 6])
    >>> both = a + b
    >>> both.weight, both.mean.tolist(), both.scatter.tolist()  # (1 − 4)² + (3 − 4)² + 2 (6 − 4)² = 18
    (4.0, [4.0], [[18.0]])
    >>> both.covariance().tolist(), (both - b).mean.tolist()
    ([[6.0]], [2.0])
    """

    weight: float
    mean: Array
    scatter: Array
    remainder: Array | float = 0.0
    rows: float = 0.0

    @classmethod
    def of(cls, X: ArrayLike, weights: Weights = None, *, diagonal: bool = False) -> Moments:
        """Moments of the rows of X, from two passes over the first block of rows, and one over each later block.

        Parameters
        ----------
        X : (n, d) or (n,) array
            Samples in rows; a flat array is n samples of one feature.
        weights : (n,) array, optional
            Non-negative; a weight of 2 means the same as repeating the row.
        diagonal : bool
            Keep only the diagonal of the scatter.

        Raises
        ------
        ValueError
            If X is empty or not finite, or the weights are negative, all zero or not one per row.
        """
        X = as_samples(X)
        weights = None if weights is None else as_weights(weights, len(X))
        return moments_of_rows(X, np.arange(len(X)), weights, diagonal)

    @classmethod
    def none(cls, n_features: int, diagonal: bool = False) -> Moments:
        """Moments of no samples."""
        check_number(n_features, "n_features", 1, whole=True)
        return cls(0.0, np.zeros(n_features), np.zeros(n_features if diagonal else (n_features, n_features)))

    @classmethod
    def pooled(cls, moments: list[Moments]) -> Moments:
        """Moments of all these samples after the mean of each has been moved to 0: weights and scatters add up."""
        if not len(moments):
            raise ValueError("there are no moments to pool: the list is empty")
        weight, none = sum(each.weight for each in moments), np.zeros_like(moments[0].scatter)
        scatter = sum((each.scatter for each in moments), start=none)
        return cls(weight, np.zeros_like(moments[0].mean), scatter, rows=sum(each.rows for each in moments))

    @property
    def n_features(self) -> int:
        """Number of features, d."""
        return len(self.mean)

    @property
    def count(self) -> float:
        """How many samples these count as: their weight, if it may count repetitions, but no fewer than the rows.

        Weights that average less than 1 are no repetitions. They are shares, as in AdaBoost, and their unit is
        arbitrary; as the rows are all there is, they count as so many samples.
        """
        return max(self.weight, self.rows)

    @property
    def variation(self) -> Array:
        """Diagonal of the scatter, shape (d,): Σ wᵢ (xᵢⱼ − μⱼ)² of each column."""
        return self.scatter if self.scatter.ndim == 1 else self.scatter.diagonal()

    def __add__(self, other: Moments) -> Moments:
        """Moments of both samples together: Chan et al., equation 2.1, for matrices."""
        if not (self.weight and other.weight):
            return self if self.weight else other
        both = self._shifted(other, self.weight + other.weight, 1)
        if not np.isfinite(both.scatter).all():
            raise both._overflow()
        return both

    def __sub__(self, other: Moments) -> Moments:
        """Moments of what is left without the part `other`: addition, solved for one of its terms.

        The error is a few ε times the variation before: if only a little of it is left, few digits of that are right.
        """
        rest = weight_left(self.weight, other.weight)
        left = self._shifted(other, rest, -1)
        smallest = np.finfo(float).tiny  # squares below it have lost digits
        lacking = np.flatnonzero(left.variation < -1e-8 * self.variation - smallest)
        if len(lacking):
            raise ValueError(
                f"cannot remove samples that were never added: column {lacking[0]} varies more in them than in all "
                f"samples together"
            )
        # Where all variation was removed, only rounding errors are left.
        none = left.variation <= ROUNDING * self.variation
        left.scatter[none] = 0
        left.scatter[..., none] = 0
        return left

    def _shifted(self, other: Moments, weight: float, sign: int) -> Moments:
        """Moments of this total weight after `other` was added (sign 1) or removed (−1)."""
        if self.scatter.shape != other.scatter.shape:
            raise ValueError(f"moments with scatters of shape {self.scatter.shape} and {other.scatter.shape} differ")
        difference = (other.mean - self.mean) + (other.remainder - self.remainder)
        mean, remainder = add_exactly(self.mean, sign * (other.weight / weight) * difference)
        with np.errstate(over="ignore", invalid="ignore"):
            # In this order, because the product of two tiny or two huge weights may leave the range of numbers.
            square = difference**2 if self.scatter.ndim == 1 else difference[:, None] * difference
            scatter = self.scatter + sign * (other.scatter + self.weight * (other.weight / weight) * square)
        rows = max(self.rows + sign * other.rows, 0)  # of rows that were removed in portions
        return Moments(weight, mean, scatter, remainder + self.remainder, rows)

    def of_columns(self, columns: np.ndarray) -> Moments:
        """Moments of some columns, given by a (d,) array of bool."""
        if np.shape(columns) != self.mean.shape or columns.dtype != bool:
            raise ValueError(f"columns must be True or False for each of the {self.n_features} columns, not {columns}")
        if columns.all():
            return self
        scatter = self.scatter[columns] if self.scatter.ndim == 1 else self.scatter[np.ix_(columns, columns)]
        remainder = np.broadcast_to(self.remainder, self.mean.shape)[columns]
        return Moments(self.weight, self.mean[columns], scatter, remainder, self.rows)

    def without_covariances(self) -> Moments:
        """The same moments with only the diagonal of the scatter."""
        return Moments(self.weight, self.mean, self.variation, self.remainder, self.rows)

    def covariance(self, ddof: float = 1) -> Array:
        """Covariance S / (Σw − ddof), with the shape of the scatter, (d, d) or (d,).

        ``ddof=0`` is the maximum-likelihood estimate; ``ddof=1`` is unbiased if weights count repetitions of rows (its
        square roots are still biased). Weights that average less than 1 are taken as shares, and the divisor is
        Σw (1 − ddof/n) for n rows, so that equal weights change nothing.

        Raises
        ------
        ValueError
            If there are not more than `ddof` samples, which `count` counts.
        """
        if not self.count > ddof:
            raise ValueError(
                f"a covariance with ddof={ddof:g} needs a total weight above {ddof:g}, but the samples have "
                f"{self.count:g}; add samples" + (", or use ddof=0" if ddof and self.weight > 0 else "")
            )
        return self.scatter / (self.weight - ddof * (self.weight / self.count))

    def _overflow(self) -> ValueError:
        """Return the error to raise where the scatter isn't finite."""
        column = int(np.argmin(np.isfinite(self.variation)))
        return ValueError(
            f"the squares of column {column} are too large for floating-point numbers: divide it, or the weights, by a "
            f"constant, such as the largest"
        )


def add_exactly(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a + b, rounded, and its rounding error (Knuth's two-sum)."""
    total = a + b
    b_part = total - a
    return total, (a - (total - b_part)) + (b - b_part)


def moments_of_rows(X: Array, rows: np.ndarray, weights: Array | None, diagonal: bool) -> Moments:
    """Moments of the rows of X with these indices, taken a block at a time; no validation.

    Each block is measured from the mean of those before it. How far its own mean is from that origin makes its
    scatter less accurate, but not that of all of them.
    """
    if weights is not None:
        rows = rows[weights[rows] > 0]
    moments, d = None, X.shape[1]
    # With fewer rows than columns per block, merging the (d, d) scatters would cost more than computing them.
    step = max(BLOCK // d, 64 if diagonal else 4 * d)
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        # `take` is faster, but would first copy the whole of an array that is contiguous by columns.
        V = X.take(part, axis=0) if X.flags.c_contiguous else X[part]
        w = np.ones(len(V)) if weights is None else weights[part]
        total = float(len(V) if weights is None else w.sum())
        with np.errstate(over="ignore", invalid="ignore"):
            # Measured from a sample, a mean keeps its digits far from 0, and a constant is exactly constant.
            origin = V[0] + w @ (V - V[0]) / total if moments is None or moments.weight < total else moments.mean
            V -= origin
            shift = w @ V / total
            if diagonal:
                scatter = w @ np.square(V, out=V) - total * shift**2
            else:
                scatter = V.T @ (V if weights is None else w[:, None] * V) - total * (shift[:, None] * shift)
            mean, remainder = add_exactly(origin, shift)
        found = Moments(total, mean, scatter, remainder, len(V))
        if not np.isfinite(scatter).all():
            raise found._overflow()
        moments = found if moments is None else moments + found
    return moments or Moments.none(d, diagonal)


def moments_by_group(
    X: np.ndarray, group: np.ndarray, n_groups: int, weights: Array | None, diagonal: bool
) -> list[Moments]:
    """Moments of each group of rows; `group` holds the group index of each row."""
    order = np.argsort(group.astype(np.min_scalar_type(n_groups)), kind="stable")  # small integers sort in one pass
    ends = np.bincount(group, minlength=n_groups).cumsum().tolist()
    groups = [order[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return [moments_of_rows(X, rows, weights, diagonal) for rows in groups]
