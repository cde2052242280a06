"""One-dimensional families of densities, each with its formula, its support and its estimate from a sample."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, logsumexp, xlog1py, xlogy
from sklearn import neighbors
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from bayeslab._base.arrays import as_weights, check_finite, check_number, is_number
from bayeslab._base.atomic import all_or_nothing
from bayeslab.moments import Moments, Sums


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


class Family(BaseEstimator):
    """Base class of the families: it validates samples and keeps densities to their support.

    A family of your own for `NaiveBayes` needs only ``fit(x, weights)`` and ``log_density(x)``. It can also learn in
    pieces if it has ``summarise(x, weights)``, which returns an object with a `weight` that can be added and
    subtracted, and ``estimate(summary)``.
    """

    support = "any number"  # in words

    @all_or_nothing
    def fit(self, x, weights=None) -> Family:
        """Estimate the parameters from x, shape (n,); a weight of 2 means the same as writing the value twice.

        Raises
        ------
        ValueError
            If a value is not finite or lies outside the support, or if weights are negative or all zero.
        DegenerateSampleError
            If the estimate would be a density of width 0.
        """
        self._fit(*self._checked(x, weights))
        return self

    def log_density(self, x) -> np.ndarray:
        """Return ln p(x) for a number or an array of any shape: −inf outside the support, NaN for NaN."""
        check_is_fitted(self)
        x = np.asarray(x, dtype=float)
        log_density = np.where(np.isnan(x), np.nan, -np.inf)
        inside = self._contains_as_fitted(x)
        with np.errstate(over="ignore"):  # so far away, the density is 0
            log_density[inside] = self._log_density(x[inside])
        return log_density[()]

    def _contains(self, x: np.ndarray) -> np.ndarray:
        """Tell which values lie in the support."""
        return ~np.isnan(x)

    def _contains_as_fitted(self, x: np.ndarray) -> np.ndarray:
        """Like `_contains`, with the hyperparameters that were used in `fit`."""
        return self._contains(x)

    def _checked(self, x, weights) -> tuple[np.ndarray, np.ndarray]:
        """Validate a sample; return its values and weights, without those of weight 0."""
        x = np.asarray(x, dtype=float)
        if x.ndim != 1 or not len(x):
            raise ValueError(f"a sample of {self} must have shape (n,) with n at least 1, but x has shape {x.shape}")
        check_finite(x, "x")
        weights = as_weights(weights, len(x))
        x, weights = x[weights > 0], weights[weights > 0]
        outside = x[~self._contains(x)]
        if len(outside):
            raise ValueError(
                f"x holds {outside[0]:g} (and {len(outside) - 1} more), but the support of {self} is {self.support}: "
                f"correct or remove it, or use a family with another support"
            )
        return x, weights

    def _check_positive_scale(self, scale: float, weight: float, value: float) -> None:
        """Raise an error if the estimated scale is 0, as it is where all samples have one value."""
        if not scale > 0:
            raise DegenerateSampleError(
                f"all samples (of weight {weight:g}) are {value:g} up to rounding, so the scale of {self} would be 0: "
                f"drop the column, or use values that were rounded less"
            )


class _SummableFamily(Family):
    """A family with sufficient statistics; by default they are sums over the samples."""

    def summarise(self, x, weights=None):
        """Return the sufficient statistics of a sample, which can be added and subtracted."""
        return self._summary(*self._checked(x, weights))

    @all_or_nothing
    def estimate(self, summary):
        """Estimate the parameters from sufficient statistics."""
        self._estimate(summary)
        return self

    def _fit(self, x, weights):
        self._estimate(self._summary(x, weights))

    def _summary(self, x, weights):
        with np.errstate(over="ignore"):
            totals = {name: float(weights @ values) for name, values in self._summands(x).items()}
        return Sums(float(weights.sum()), totals).within_range()

    def _summands(self, x):
        return {"x": x}


class Normal(_SummableFamily):
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

    def _summary(self, x, weights):
        return Moments.of(x, weights, diagonal=True)

    def _estimate(self, moments):
        mean, variance = float(moments.mean[0]), float(moments.scatter[0] / moments.weight)
        self._check_positive_scale(variance, moments.weight, mean)
        self.mean_, self.variance_ = mean, variance
        self._remainder = float(np.broadcast_to(moments.remainder, 1)[0])  # what rounding took from the mean

    def _log_density(self, x):
        z = ((x - self.mean_) - self._remainder) / np.sqrt(self.variance_)
        return -0.5 * (np.log(2 * np.pi) + np.log(self.variance_) + z**2)


class Exponential(_SummableFamily):
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

    support = "x ≥ 0"

    def _contains(self, x):
        return x >= 0

    def _estimate(self, sums):
        self.mean_ = sums.totals["x"] / sums.weight
        self._check_positive_scale(self.mean_, sums.weight, 0)

    def _log_density(self, x):
        return -x / self.mean_ - np.log(self.mean_)


class Rayleigh(_SummableFamily):
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

    support = "x ≥ 0"
    _contains = Exponential._contains

    def _summands(self, x):
        return {"x²": x**2}

    def _estimate(self, sums):
        self.scale_ = float(np.sqrt(sums.totals["x²"] / sums.weight / 2))
        self._check_positive_scale(self.scale_, sums.weight, 0)

    def _log_density(self, x):
        z = x / self.scale_
        positive = (z > 0) & (z < np.inf)  # the density is 0 at 0 and at infinity
        return np.log(z, where=positive, out=np.full(z.shape, -np.inf)) - np.log(self.scale_) - z**2 / 2


class Poisson(_SummableFamily):
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

    support = "the whole numbers 0, 1, 2, ..."

    def _contains(self, x):
        return (x >= 0) & (x == np.floor(x)) & np.isfinite(x)

    def _estimate(self, sums):
        self.mean_ = sums.totals["x"] / sums.weight

    def _log_density(self, x):
        log_factorial = gammaln(x + 1)
        finite = log_factorial < np.inf  # beyond that, x! grows faster than λˣ: the density is 0
        return np.where(finite, xlogy(np.where(finite, x, 0), self.mean_) - self.mean_ - log_factorial, -np.inf)


class Binomial(_SummableFamily):
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

    def __init__(self, n):
        self.n = n

    @property
    def support(self) -> str:  # type: ignore[override]
        """The support, in words."""
        return f"the whole numbers from 0 to {self.n}"

    def _contains(self, x):
        check_number(self.n, "n", least=1, whole=True)
        return Poisson._contains(self, x) & (x <= self.n)

    def _contains_as_fitted(self, x):
        return Poisson._contains(self, x) & (x <= self._trials)

    def _summands(self, x):
        return {"successes": x, "failures": self.n - x}

    def _estimate(self, sums):
        successes, failures = sums.totals["successes"], sums.totals["failures"]
        self.p_, self._q = successes / (successes + failures), failures / (successes + failures)
        self._trials = self.n

    def _log_density(self, x):
        n, p, q = self._trials, self.p_, self._q
        log_coefficient = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)
        # Near 1, p or q = 1 − p has lost digits that the other one has kept.
        log_successes = xlogy(x, p) if p <= q else xlog1py(x, -q)
        log_failures = xlogy(n - x, q) if q <= p else xlog1py(n - x, -p)
        return log_coefficient + log_successes + log_failures


class Bernoulli(Binomial):
    """Yes or no: p(1) = p, p(0) = 1 − p; the binomial family with one trial.

    Examples
    --------
    >>> Bernoulli().fit([0, 1, 1, 1]).p_
    0.75
    """

    n = 1

    def __init__(self):
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

    def _fit(self, x, weights):
        order = np.argsort(x, kind="stable")
        share = np.cumsum(weights[order]) / weights.sum()
        # The tolerance finds a tie even where rounding has moved the share away from one half.
        below, above = (x[order][np.argmax(share >= 0.5 + tolerance)] for tolerance in (-1e-12, 1e-12))
        with np.errstate(over="ignore"):
            self.median_ = float(below + (above - below) / 2)
            sums = Sums(float(weights.sum()), {"|x − m|": float(weights @ np.abs(x - self.median_))}).within_range()
        self.scale_ = sums.totals["|x − m|"] / sums.weight
        self._check_positive_scale(self.scale_, sums.weight, x[0])

    def _log_density(self, x):
        return -np.abs(x - self.median_) / self.scale_ - np.log(2) - np.log(self.scale_)


class Categorical(_SummableFamily):
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

    def __init__(self, categories=None, alpha=0):
        self.categories = categories
        self.alpha = alpha

    @property
    def support(self) -> str:  # type: ignore[override]
        """The support, in words."""
        return "any number" if self.categories is None else f"the categories {np.unique(self.categories).tolist()}"

    def _contains(self, x):
        return ~np.isnan(x) if self.categories is None else np.isin(x, self.categories)

    def _contains_as_fitted(self, x):
        return ~np.isnan(x)

    def _summary(self, x, weights):
        categories, index = np.unique(x, return_inverse=True)
        return Sums(float(weights.sum()), dict(zip(categories.tolist(), np.bincount(index, weights), strict=True)))

    def _estimate(self, sums):
        check_number(self.alpha, "alpha", least=0)
        seen = [category for category, total in sums.totals.items() if total > 0]
        self.categories_ = np.unique(seen if self.categories is None else self.categories).astype(float)
        counts = np.array([sums.totals.get(category, 0.0) for category in self.categories_.tolist()])
        with np.errstate(divide="ignore"):
            log_counts = np.logaddexp(np.log(counts), np.log(self.alpha))
        self.log_probabilities_ = log_counts - logsumexp(log_counts)

    def _log_density(self, x):
        i = np.searchsorted(self.categories_, x).clip(max=len(self.categories_) - 1)
        return np.where(self.categories_[i] == x, self.log_probabilities_[i], -np.inf)


class ParzenWindow(Family):
    """Kernel density: a Gaussian of width h around each sample, p(x) = Σᵢ wᵢ N(x; xᵢ, h²) / Σᵢ wᵢ (scikit-learn's).

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

    def __init__(self, bandwidth=None):
        self.bandwidth = bandwidth

    def _fit(self, x, weights):
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
        self._kernels = neighbors.KernelDensity().fit(z[:, None], sample_weight=weights)

    def _rule_of_thumb(self, x, weights) -> float:
        moments = Moments.of(x, weights, diagonal=True)
        n = moments.weight
        if not n > 1:
            raise ValueError(
                f"the rule for the bandwidth needs a total weight above 1, since weights count repetitions, but it is "
                f"{n:g}: multiply the weights by a constant, or give a bandwidth"
            )
        bandwidth = float(np.sqrt(moments.scatter[0] / (n - 1)) * (4 / (3 * n)) ** 0.2)
        self._check_positive_scale(bandwidth, n, x[0])
        return bandwidth

    def _in_bandwidths(self, x) -> np.ndarray:
        with np.errstate(over="ignore"):
            return (x - self._origin) / self.bandwidth_

    def _log_density(self, x):
        z, log_density = self._in_bandwidths(x), np.full(x.shape, -np.inf)
        near = np.isfinite(z)
        if near.any():
            log_density[near] = self._kernels.score_samples(z[near, None]) - np.log(self.bandwidth_)
        return log_density
