"""One-dimensional families of densities, each with its formula, its support and its estimate from a sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csc_array, csr_array
from scipy.special import digamma, gammaln, polygamma, xlog1py, xlogy
from sklearn.utils.validation import check_is_fitted

from bayeslab._base.arrays import (
    Array,
    Weights,
    as_floats,
    as_weights,
    blocks,
    check_finite,
    check_number,
    code_labels,
    is_number,
)
from bayeslab._base.estimators import BaseEstimator
from bayeslab._base.failures import all_or_nothing, without_cache
from bayeslab.class_densities import ClassDensities
from bayeslab.gaussian import Gaussian
from bayeslab.moments import ROUNDING, Moments, Sums, moments_by_group


class DegenerateSampleError(ValueError):
    """The likelihood of a sample has no maximum: it grows without bound as the density gets narrower.

    Examples
    --------
    >>> try:
    ...     Exponential().fit([0, 0, 0])
    ... except DegenerateSampleError as error:
    ...     print(error)
    all samples (of weight 3) are 0 up to rounding, so the scale of Exponential() would be 0: drop the column, or use
    values that were rounded less
    """


@dataclass(frozen=True, eq=False)
class Support:
    """The values that a sample may hold, between two ends; outside them the density is 0.

    Examples
    --------
    >>> print(Support(0, whole=True), "|", Support(0, open=True))
    the whole numbers 0, 1, 2, ... | x > 0
    >>> Support(0, open=True).contains(np.array([-1, 0, 2, np.inf, np.nan])).tolist()
    [False, False, True, False, False]
    """

    least: float = -np.inf
    most: float = np.inf
    open: bool = False  # without `least` itself
    whole: bool = False  # whole numbers only
    values: Array | None = None  # only these, in order

    @classmethod
    def of(cls, values: Array) -> Support:
        """Support with these values, in order; those of whole numbers in a row are told apart faster."""
        if values.dtype.kind not in "biuf" or not len(values):
            return cls(values=values)
        in_a_row = (values == values[0] + np.arange(len(values))).all() and values[0] == np.floor(values[0])
        return cls(values[0], values[-1], whole=True) if in_a_row else cls(values=values)

    def contains(self, x: Array) -> np.ndarray:
        """Tell which of these numbers lie in the support."""
        if self.values is not None:
            return np.isin(x, self.values)
        inside = (x > self.least if self.open else x >= self.least) & (x <= self.most) & np.isfinite(x)
        return inside & (x == np.floor(x)) if self.whole else inside

    def contains_all(self, x: Array) -> bool:
        """``contains(x).all()``, which for many numbers takes less time if only the two ends are looked at."""
        if self.values is not None or not x.size:
            return bool(self.contains(x).all())
        ends_inside = self.contains(np.array([x.min(), x.max()])).all()  # not if a number is NaN
        return bool(ends_inside and not (self.whole and (x != np.floor(x)).any()))

    def all_values(self) -> Array:
        """The values of a support that holds only some, in order."""
        return np.arange(self.least, self.most + 1) if self.values is None else self.values

    def __str__(self) -> str:
        if self.values is not None:
            return f"the categories {self.values.tolist()}"
        if self.whole:
            numbers = "0, 1, 2, ..." if self.most == np.inf else f"from {self.least} to {self.most}"
            return f"the whole numbers {numbers}"
        return "any number" if self.least == -np.inf else f"x {'>' if self.open else '≥'} {self.least:g}"


class Family(BaseEstimator):
    """Base class of the families: it validates samples and keeps densities to their support.

    A family of your own for `NaiveBayes` needs only ``fit(x, weights)`` and ``log_density(x)``. It can also learn in
    pieces if it has ``summarise(x, weights)``, which returns an object with a `weight` that can be added and
    subtracted, and ``estimate(summary)``.

    A subclass declares its `support` and has ``_fit(x, weights)`` and ``_log_density(x)`` for values in the support.
    """

    @property
    def support(self) -> Support:
        """Where the density may be above 0; without hyperparameters that matter for it, an attribute of the class."""
        return Support()

    @all_or_nothing
    def fit(self, x: ArrayLike, weights: Weights = None) -> Self:
        """Estimate the parameters from x, shape (n,); a weight of 2 means the same as writing the value twice.

        Raises
        ------
        ValueError
            If a value is not finite or lies outside the support, or if weights are negative or all zero.
        DegenerateSampleError
            If the estimate would be a density of width 0.
        """
        self._support = self.support  # hyperparameters may change
        self._fit(*self._checked(x, weights))
        return self

    def log_density(self, x: ArrayLike) -> Array:
        """Return ln p(x) for a number or an array of any shape: −inf outside the support, NaN for NaN."""
        if "_support" not in vars(self):
            check_is_fitted(self)  # which takes longer than a short column
        x = as_floats(x)
        with np.errstate(over="ignore"):  # so far away, the density is 0
            if self._support.contains_all(x):
                return self._log_density(x)[()]
            inside = self._support.contains(x)
            log_density = np.where(np.isnan(x), np.nan, -np.inf)
            log_density[inside] = self._log_density(x[inside])
        return log_density[()]

    def _fit(self, x: Array, weights: Array) -> None:
        raise NotImplementedError

    def _log_density(self, x: Array) -> Array:
        raise NotImplementedError

    def _checked(self, x: ArrayLike, weights: Weights) -> tuple[Array, Array]:
        """Validate a sample; return its values and weights, without those of weight 0."""
        x = as_floats(x)
        if x.ndim != 1 or not len(x):
            raise ValueError(f"a sample of {self} must have shape (n,) with n at least 1, but x has shape {x.shape}")
        check_finite(x, "x")
        weights = as_weights(weights, len(x))
        x, weights = x[weights > 0], weights[weights > 0]
        if not self._support.contains_all(x):
            outside = x[~self._support.contains(x)]
            raise ValueError(
                f"x holds {outside[0]:g} (and {len(outside) - 1} more), but the support of {self} is {self._support}: "
                f"correct or remove it, or use a family with another support"
            )
        return x, weights

    def _check_positive_scale(self, scale: float, weight: float, value: float, rounding: float = 0.0) -> None:
        """Raise an error if the estimated scale is 0, as most families have it where all samples have one value.

        `rounding` is how large rounding may make it there.
        """
        if not scale > rounding:
            raise DegenerateSampleError(
                f"all samples (of weight {weight:g}) are {value:g} up to rounding, so the scale of {self} would be 0: "
                f"drop the column, or use values that were rounded less"
            )


class ExponentialFamily(Family):
    """A family of the form ln p(x) = h(x) + Σ_t η_t t(x) − A: all that an estimate needs to know are sums of the t(x).

    A subclass declares the statistics t(x) by their names (`_statistics`), estimates its parameters from their sums
    (`_estimate`), and declares the rest of the formula: (η_1, ..., η_T, A), in the order of the statistics and with A
    as it is subtracted (`_natural`), and h(x), unless it is 0 (`_log_base`), with `vanishes` if it is −∞ somewhere. The
    densities of single samples follow from it. `NaiveBayes` takes all columns and classes of a family that has
    `_natural` together, by matrix products, which `_adder` makes.

    Where rounding matters, a family has a `_log_density` of its own instead of `_natural`, as `Gamma`, or `Moments` as
    its sums, as `Normal`.
    """

    signed: frozenset[str] = frozenset()  # names of the statistics that may be negative
    vanishes = False  # is h(x) = −∞ somewhere in the support?

    _natural: Callable[[], ArrayLike]

    def summarise(self, x: ArrayLike, weights: Weights = None) -> Sums | Moments:
        """Return the sufficient statistics of a sample, which can be added and subtracted."""
        asked = self._asked()
        return asked._summarise(*asked._checked(x, weights))

    @all_or_nothing
    def estimate(self, summary: Sums | Moments) -> Self:
        """Estimate the parameters from sufficient statistics."""
        self._support = self.support
        try:
            self._estimate(summary)
        except (AttributeError, TypeError) as error:
            kind = type(summary).__name__
            raise TypeError(f"summary must be what summarise of {self} returns, not {kind} ({error})") from error
        return self

    def _fit(self, x: Array, weights: Array) -> None:
        self._estimate(self._summarise(x, weights))

    def _asked(self) -> Self:
        """Copy with the support that the hyperparameters ask for now."""
        asked = without_cache(self)
        asked._support = self.support
        return asked

    def _summarise(self, x: Array, weights: Array) -> Any:
        return self._summarise_columns(x[:, None], np.zeros(len(x), dtype=int), 1, weights)[0][0]

    def _summarise_columns(self, X: Array, index: np.ndarray, K: int, weights: Array) -> Sequence[Sequence[Any]]:
        """Sufficient statistics of each of K classes and each column of X, whose rows have these weights above 0."""
        sizes, totals = np.zeros(K), dict[str, Any]()
        with np.errstate(over="ignore"):
            for rows in blocks(len(X), X.shape[1]):
                n = len(index[rows])
                members = csc_array((weights[rows], index[rows], np.arange(n + 1)), shape=(K, n))
                sizes += np.bincount(index[rows], weights[rows], K)
                for name, values in self._statistics(X[rows]).items():
                    totals[name] = totals.get(name, 0.0) + members @ values
        Sums(0.0, totals).within_range()
        table = np.array(list(totals.values())).transpose(1, 2, 0).tolist()
        sums = partial(Sums, signed=self.signed)
        return [
            [sums(size, dict(zip(totals, each, strict=True))) for each in columns]
            for size, columns in zip(sizes.tolist(), table, strict=True)
        ]

    def _statistics(self, x: Array) -> dict[str, Array]:
        return {"x": x}

    def _log_base(self, x: Array) -> Array | float:
        return 0.0

    def _estimate(self, summary: Any) -> None:
        raise NotImplementedError

    def _log_density(self, x: Array) -> Array:
        X = x.reshape(-1, 1)
        return self._add_base(self._adder(np.reshape(self._natural(), (1, 1, -1)))(X), X).reshape(x.shape)

    def _adder(self, natural: Array) -> Callable[[Array], Array]:
        """Return a function that adds up the log densities of columns, without h(x), for K classes.

        `natural` holds what `_natural` says of each class and column, shape (K, d, t + 1). The function takes rows in
        the support, shape (n, d), and returns shape (K, n).
        """
        *η, A = np.moveaxis(natural, 2, 0)
        return partial(self._add_up, η, A.sum(axis=1, keepdims=True))

    def _add_up(self, η: list[Array], A: Array, X: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return sum(map(times_terms, η, self._statistics(X).values())) - A

    def _add_base(self, sums: Array, X: Array) -> Array:
        """Add h(x) of all columns to these sums."""
        h = np.sum(self._log_base(X), axis=-1)
        with np.errstate(invalid="ignore"):
            return np.where(np.isneginf(h), -np.inf, sums + h)


class Normal(ExponentialFamily):
    """Gaussian in one dimension: p(x) = exp(−(x − μ)² / 2σ²) / √(2πσ²).

    Estimates: μ is the mean, σ² the sum of squared deviations from it, divided by n. Source: Johnson, Kotz and
    Balakrishnan, Continuous Univariate Distributions 1, chapter 13.

    Attributes
    ----------
    mean_, variance_ : float

    Examples
    --------
    >>> normal = Normal().fit([1, 3])
    >>> normal.mean_, normal.variance_, normal.log_density([2]).round(3).tolist()  # −½ ln 2π
    (2.0, 1.0, [-0.919])
    """

    mean_: float
    variance_: float

    def _summarise_columns(self, X: Array, index: np.ndarray, K: int, weights: Array) -> list[list[Moments]]:
        summaries: list[list[Moments]] = []
        for m in moments_by_group(X, index, K, weights, diagonal=True):
            remainder = m.remainder + np.zeros(len(m.mean))
            of_columns = zip(m.mean[:, None], m.scatter[:, None], remainder[:, None], strict=True)
            summaries.append([Moments(m.weight, mean, scatter, rest, m.rows) for mean, scatter, rest in of_columns])
        return summaries

    def _estimate(self, moments: Moments) -> None:
        mean, variance = float(moments.mean[0]), float(moments.scatter[0] / moments.weight)
        self._check_positive_scale(variance, moments.weight, mean)
        self.mean_, self.variance_ = mean, variance
        self._remainder = float((moments.remainder + np.zeros(1))[0])  # what rounding took from the mean

    def _log_density(self, x: Array) -> Array:
        z = ((x - self.mean_) - self._remainder) / np.sqrt(self.variance_)
        return -0.5 * (np.log(2 * np.pi) + np.log(self.variance_) + z**2)

    def _natural(self) -> tuple[float, ...]:
        """Not η and A, whose terms would cancel, but what `_adder` needs."""
        return self.mean_, self.variance_, self._remainder

    def _adder(self, natural: Array) -> Callable[[Array], Array]:
        """Together, the columns are a Gaussian with a diagonal covariance."""
        gaussians = [Gaussian(mean, σσ).moved_to(mean, remainder) for mean, σσ, remainder in natural.swapaxes(1, 2)]
        return partial(sum_of_gaussian_terms, ClassDensities(gaussians, shared=False))


class Exponential(ExponentialFamily):
    """Waiting times: p(x) = exp(−x/θ) / θ for x ≥ 0.

    Estimate: θ is the mean. Source: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 1, chapter 19.

    Attributes
    ----------
    mean_ : float
        θ, in the units of x.

    Examples
    --------
    >>> Exponential().fit([1, 3]).log_density([-1, 0]).round(3).tolist()  # −ln 2 at 0
    [-inf, -0.693]
    """

    mean_: float

    support: Support = Support(0)

    def _estimate(self, sums: Sums) -> None:
        self.mean_ = sums.totals["x"] / sums.weight
        self._check_positive_scale(self.mean_, sums.weight, 0)

    def _natural(self) -> tuple[float, ...]:
        return -1 / self.mean_, np.log(self.mean_)


class Gamma(ExponentialFamily):
    """Positive numbers that are skewed to the right: p(x) = x^{α−1} exp(−x/θ) / (Γ(α) θ^α) for x > 0.

    For a whole α it is the wait for the α-th of several events, so with α = 1 it is the exponential; for large α it
    looks like a Gaussian. Estimates: θ = x̄/α, and α solves ln α − ψ(α) = s with s = ln x̄ − mean of ln x (ψ is the
    derivative of ln Γ). Sources: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 1, chapter 17;
    Choi and Wette (1969), Technometrics 11; Minka (2002), Estimating a Gamma distribution.

    Attributes
    ----------
    shape_ : float
        α.
    scale_ : float
        θ, in the units of x.

    Examples
    --------
    >>> gamma = Gamma().fit([1, 2, 3, 10])
    >>> round(gamma.shape_, 2), round(gamma.scale_, 2), round(gamma.shape_ * gamma.scale_, 12)  # the mean is kept
    (1.52, 2.63, 4.0)
    """

    shape_: float
    scale_: float

    support: Support = Support(0, open=True)
    signed: frozenset[str] = frozenset({"ln x"})

    def _statistics(self, x: Array) -> dict[str, Array]:
        return {"x": x, "ln x": np.log(x)}

    def _estimate(self, sums: Sums) -> None:
        mean, mean_log = sums.totals["x"] / sums.weight, sums.totals["ln x"] / sums.weight
        with np.errstate(divide="ignore"):  # if rounding has left no mean, after a removal
            s = np.log(mean) - mean_log
        self._check_positive_scale(s, sums.weight, mean, rounding=ROUNDING * (1 + abs(mean_log)))
        α = 2 / (s - 3 + np.sqrt((s - 3) ** 2 + 24 * s))  # right to 1.5 %
        for _ in range(3):  # Newton's method for 1/α, which here more than doubles the digits
            α = 1 / (1 / α + (np.log(α) - digamma(α) - s) / (α - α**2 * polygamma(1, α)))
        self.shape_, self.scale_ = float(α), float(mean / α)

    def _log_density(self, x: Array) -> Array:
        α, log_x = self.shape_, np.log(x)
        # Of about the same size, these terms would cancel if they were added in another order.
        deviation = log_x - np.log(self.scale_) - np.log(α) + 1 - x / self.scale_ / α
        return α * deviation - log_x + (α * np.log(α) - α - gammaln(α))


class Rayleigh(ExponentialFamily):
    """Length of a vector of two independent Gaussians N(0, σ²): p(x) = (x/σ²) exp(−x² / 2σ²) for x ≥ 0.

    Estimate: σ² is half the mean of x². Source: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 1,
    chapter 18.

    Attributes
    ----------
    scale_ : float
        σ, in the units of x.

    Examples
    --------
    >>> Rayleigh().fit([1, 7]).scale_  # √((1 + 49) / 4)
    3.5355339059327378
    """

    scale_: float

    support: Support = Support(0)
    vanishes = True  # at 0

    def _statistics(self, x: Array) -> dict[str, Array]:
        return {"x²": x**2}

    def _estimate(self, sums: Sums) -> None:
        self.scale_ = float(np.sqrt(sums.totals["x²"] / sums.weight / 2))
        self._check_positive_scale(self.scale_, sums.weight, 0)

    def _natural(self) -> tuple[float, ...]:
        return -1 / (2 * self.scale_**2), 2 * np.log(self.scale_)

    def _log_base(self, x: Array) -> Array:
        return np.log(x, where=x > 0, out=np.full(x.shape, -np.inf))


class Poisson(ExponentialFamily):
    """Counts of rare events: p(x) = λˣ exp(−λ) / x! for x = 0, 1, 2, ...

    Estimate: λ is the mean. If all counts are 0, so is λ, and any other count has probability 0. Source: Johnson, Kemp
    and Kotz, Univariate Discrete Distributions, chapter 4.

    Attributes
    ----------
    mean_ : float
        λ.

    Examples
    --------
    >>> Poisson().fit([0, 2, 4]).log_density([0, 0.5]).tolist()
    [-2.0, -inf]
    """

    mean_: float

    support: Support = Support(0, whole=True)

    def _estimate(self, sums: Sums) -> None:
        self.mean_ = sums.totals["x"] / sums.weight

    def _natural(self) -> tuple[float, ...]:
        return xlogy(1, self.mean_), self.mean_

    def _log_base(self, x: Array) -> Array:
        return for_each_number(lambda x: -gammaln(x + 1), x)


class Binomial(ExponentialFamily):
    """Successes in n trials: p(x) = n! / (x! (n − x)!) · pˣ (1 − p)ⁿ⁻ˣ for x = 0, 1, ..., n.

    Estimate: p is the share of successes in all trials. Source: Johnson, Kemp and Kotz, Univariate Discrete
    Distributions, chapter 3.

    Parameters
    ----------
    n : int
        Number of trials of each sample.

    Attributes
    ----------
    p_ : float

    Examples
    --------
    >>> Binomial(4).fit([1, 3, 2]).p_
    0.5
    """

    p_: float

    def __init__(self, n: int):
        self.n = n

    @property
    def support(self) -> Support:
        """The numbers of successes that n trials can have."""
        check_number(self.n, "n", least=1, whole=True)
        return Support(0, self.n, whole=True)

    def _statistics(self, x: Array) -> dict[str, Array]:
        return {"successes": x, "failures": self._support.most - x}

    def _estimate(self, sums: Sums) -> None:
        successes, failures = sums.totals["successes"], sums.totals["failures"]
        self.p_, self._q = successes / (successes + failures), failures / (successes + failures)

    def _natural(self) -> tuple[float, ...]:
        p, q = self.p_, self._q
        # Near 1, p or q = 1 − p has lost digits that the other one has kept.
        return xlogy(1, p) if p <= q else xlog1py(1, -q), xlogy(1, q) if q <= p else xlog1py(1, -p), 0.0

    def _log_base(self, x: Array) -> Array | float:
        n = self._support.most
        return for_each_number(lambda x: gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1), x) if n > 1 else 0.0


class Bernoulli(Binomial):
    """Yes or no: p(1) = p, p(0) = 1 − p; the binomial family with one trial.

    Examples
    --------
    >>> Bernoulli().fit([0, 1, 1, 1]).p_
    0.75
    """

    n = 1

    def __init__(self) -> None:
        pass


class Laplace(Family):
    """Like the Gaussian, with absolute instead of squared deviations: p(x) = exp(−|x − m| / b) / 2b.

    Estimates: m is the median, halfway between the two middle samples if there are two; b is the mean absolute
    deviation from it. The median needs all samples at once. Source: Johnson, Kotz and Balakrishnan, Continuous
    Univariate Distributions 2, chapter 24.

    Attributes
    ----------
    median_, scale_ : float
        m and b, in the units of x.

    Examples
    --------
    >>> laplace = Laplace().fit([1, 2, 3, 10])
    >>> laplace.median_, laplace.scale_
    (2.5, 2.5)
    """

    median_: float
    scale_: float

    def _fit(self, x: Array, weights: Array) -> None:
        order = np.argsort(x, kind="stable")
        share = np.cumsum(weights[order]) / weights.sum()
        # The tolerance finds a tie even where rounding has moved the share away from one half.
        below, above = (x[order][np.argmax(share >= 0.5 + tolerance)] for tolerance in (-1e-12, 1e-12))
        with np.errstate(over="ignore"):
            self.median_ = float(below + (above - below) / 2)
            sums = Sums(float(weights.sum()), {"|x − m|": float(weights @ np.abs(x - self.median_))}).within_range()
        self.scale_ = sums.totals["|x − m|"] / sums.weight
        self._check_positive_scale(self.scale_, sums.weight, x[0])

    def _log_density(self, x: Array) -> Array:
        return -np.abs(x - self.median_) / self.scale_ - np.log(2) - np.log(self.scale_)


class Categorical(ExponentialFamily):
    """Categories coded as numbers: p(c) = (n_c + α) / (n + α C), if n_c of n samples are in category c of C.

    With α = 0 this is the share of each category, the maximum-likelihood estimate. With α > 0 it is as if each category
    had been seen α times more (Lidstone smoothing), so none has probability 0. Source: Manning, Raghavan and Schütze,
    Introduction to Information Retrieval, chapter 13.

    Parameters
    ----------
    categories : None or list of numbers
        All possible categories; by default those in the sample, or in `NaiveBayes` those in the samples of all classes.
    alpha : float
        α.

    Attributes
    ----------
    categories_, log_probabilities_ : (C,) array

    Examples
    --------
    >>> categorical = Categorical([1, 2, 3], alpha=1).fit([1, 1, 1, 2])
    >>> np.exp(categorical.log_density([1, 2, 3, 4])).round(3).tolist()
    [0.571, 0.286, 0.143, 0.0]
    """

    categories_: Array
    log_probabilities_: Array

    def __init__(self, categories: ArrayLike | None = None, alpha: float = 0):
        self.categories = categories
        self.alpha = alpha

    @property
    def support(self) -> Support:
        """The categories, or any number if they are learned."""
        return Support() if self.categories is None else Support.of(np.unique(self.categories))

    def _summarise_columns(self, X: Array, index: np.ndarray, K: int, weights: Array) -> list[tuple[Sums, ...]]:
        sizes = np.bincount(index, weights, K).tolist()
        return list(zip(*(self._counts(x, index, sizes, weights) for x in X.T), strict=True))

    def _counts(self, x: Array, index: np.ndarray, sizes: list[float], weights: Array) -> list[Sums]:
        """Weight of each category of a column, in classes of these sizes."""
        x = np.ascontiguousarray(x)
        found, code = code_labels(x.astype(np.int64) if are_small_counts(x) else x)
        table = np.bincount(index * len(found) + code, weights, len(sizes) * len(found)).reshape(len(sizes), -1)
        categories = found.astype(float).tolist()
        rows = (dict(zip(categories, row, strict=True)) for row in table.tolist())
        return [Sums(size, {c: n for c, n in row.items() if n}) for size, row in zip(sizes, rows, strict=True)]

    def _estimate(self, sums: Sums) -> None:
        check_number(self.alpha, "alpha", least=0)
        seen = sorted(category for category, total in sums.totals.items() if total > 0)
        self.categories_ = np.array(seen if self.categories is None else self._support.all_values(), dtype=float)
        counts = np.array([sums.totals.get(category, 0.0) for category in self.categories_.tolist()])
        with np.errstate(divide="ignore"):
            log_counts = np.logaddexp(np.log(counts), np.log(self.alpha))
        self.log_probabilities_ = log_counts - np.logaddexp.reduce(log_counts)  # SciPy's takes twenty times as long
        if self.categories is None:
            self._support = Support.of(self.categories_)

    def _natural(self) -> Array:
        return self.log_probabilities_

    def _adder(self, natural: Array) -> Callable[[Array], Array]:
        return partial(self._look_up, natural.reshape(len(natural), -1))

    def _look_up(self, log_probabilities: Array, X: Array) -> Array:
        """Multiply the log probabilities with rows that hold 1 for the category of each column, and else 0."""
        (n, d), C = X.shape, len(self.categories_)
        found = X - self._support.least if self._support.whole else np.searchsorted(self.categories_, X)
        places = found.astype(np.intp) + C * np.arange(d)
        ones = csr_array((np.ones(n * d), places.ravel(), d * np.arange(n + 1)), shape=(n, C * d))
        return times_terms(log_probabilities, ones)


class ParzenWindow(Family):
    """Kernel density: a Gaussian of width h around each sample, p(x) = Σᵢ wᵢ N(x; xᵢ, h²) / Σᵢ wᵢ.

    Maximum likelihood would choose h = 0. Without a bandwidth, h = (4 / 3n)^{1/5} s with the standard deviation s
    (divided by n − 1), which is best for large samples of a Gaussian and too wide for several peaks. All samples are
    kept. Source: Silverman (1986), Density Estimation for Statistics and Data Analysis, equation 3.28.

    Parameters
    ----------
    bandwidth : None or float
        h, in the units of x.

    Attributes
    ----------
    bandwidth_ : float

    Examples
    --------
    >>> parzen = ParzenWindow(0.5).fit([0, 4])
    >>> np.exp(parzen.log_density([0, 2, 4])).round(3).tolist()
    [0.399, 0.0, 0.399]
    """

    bandwidth_: float

    def __init__(self, bandwidth: float | None = None):
        self.bandwidth = bandwidth

    def _fit(self, x: Array, weights: Array) -> None:
        if not (self.bandwidth is None or (is_number(self.bandwidth) and self.bandwidth > 0)):
            raise ValueError(f"bandwidth must be None or a number above 0, not {self.bandwidth!r}")
        self.bandwidth_ = self._rule_of_thumb(x, weights) if self.bandwidth is None else float(self.bandwidth)
        self._origin = x[0]  # measured from here in bandwidths, the samples neither overflow nor lose digits
        z = self._in_bandwidths(x)
        if not np.isfinite(z).all():
            raise ValueError(
                f"the distances between the samples, divided by the bandwidth {self.bandwidth_:g}, are too large for "
                f"floating-point numbers: use a larger bandwidth, or divide the column by a constant"
            )
        self._centres, self._shares = z, weights / weights.sum()

    def _rule_of_thumb(self, x: Array, weights: Array) -> float:
        moments = Moments.of(x, weights, diagonal=True)
        n = moments.count
        if not n > 1:
            raise ValueError("the rule for the bandwidth needs more than one sample: add samples, or give a bandwidth")
        bandwidth = float(np.sqrt(moments.covariance()[0]) * (4 / (3 * n)) ** 0.2)
        self._check_positive_scale(bandwidth, n, x[0])
        return bandwidth

    def _in_bandwidths(self, x: Array) -> Array:
        with np.errstate(over="ignore"):
            return (x - self._origin) / self.bandwidth_

    def _log_density(self, x: Array) -> Array:
        z, log_density = self._in_bandwidths(x).ravel(), np.full(x.size, -np.inf)
        near = np.flatnonzero(np.isfinite(z))
        for rows in blocks(len(near), len(self._centres), at_least=1):  # a number for each place and sample
            with np.errstate(over="ignore", divide="ignore"):  # so far away, the density is 0
                exponents = -0.5 * np.square(z[near[rows], None] - self._centres)
                largest = exponents.max(axis=1, initial=np.finfo(float).min)
                sums = np.exp(exponents - largest[:, None]) @ self._shares
                log_density[near[rows]] = largest + np.log(sums)
        return (log_density - np.log(self.bandwidth_ * np.sqrt(2 * np.pi))).reshape(x.shape)


def times_terms(η: Array, terms: Any) -> Array:
    """Product η Tᵀ of parameters, shape (K, d), and terms, shape (n, d) and perhaps sparse, with (−∞) · 0 = 0."""
    never = np.isneginf(η)
    with np.errstate(over="ignore"):  # of so large a term, the density is 0
        product = np.where(never, 0, η) @ terms.T
    if never.any():
        product[never.astype(float) @ (terms != 0).T > 0] = -np.inf
    return product


def sum_of_gaussian_terms(densities: ClassDensities, X: Array) -> Array:
    """ln N(x; μ_k, Σ_k) of each row, shape (K, n)."""
    return densities.scores(X, np.zeros(len(densities.gaussians))).T


def for_each_number(function: Callable[[Array], Array], x: Array) -> Array:
    """function(x) of whole numbers x ≥ 0; where they are small and many, of each number once."""
    if not x.size or x.max() >= x.size:
        return function(x)
    return function(np.arange(x.max() + 1)).take(x.astype(np.intp))


def are_small_counts(x: Array) -> bool:
    """Tell whether these are whole numbers so much smaller than their number that it pays to count each of them."""
    return x.min() >= 0 and x.max() < len(x) / 4 and bool((x == np.floor(x)).all())
