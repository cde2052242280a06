"""Families of densities in one dimension: each with its formula, its support, and its maximum-likelihood estimate."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy
from sklearn import neighbors
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from bayeslab._base.arrays import as_weights, check_finite, check_number, is_number
from bayeslab._base.atomic import all_or_nothing
from bayeslab._base.sums import Sums
from bayeslab.moments import Moments


class DegenerateSampleError(ValueError):
    """A sample that no density of the family fits best: the narrower it gets, the more likely the sample becomes.

    Examples
    --------
    >>> try:
    ...     Exponential().fit([0, 0, 0])
    ... except DegenerateSampleError as error:
    ...     print(error)
    all samples (of weight 3) are 0, up to rounding: the exponential density that fits them best would have the scale
    0, and be no density; drop the column, or round less
    """


class Family(BaseEstimator):
    """What all families do: check a sample, keep to the support, and go by sufficient statistics where there are any.

    A family of your own for `NaiveBayes` needs no more than ``fit(x, weights)``, which returns it, and
    ``log_density(x)``. If it also has ``summarise(x, weights)``, whose results can be added and subtracted, and
    ``estimate(summary)``, it learns in pieces.
    """

    support = "any number"  # in words

    def fit(self, x, weights=None):
        """Maximum-likelihood estimate from x, shape (n,); a weight of 2 means the same as writing the value twice.

        Raises
        ------
        ValueError
            If a value is not finite or outside of the support, or the weights are negative or all zero.
        DegenerateSampleError
            If the estimate would be a density of width 0.
        """
        return self.estimate(self.summarise(x, weights))

    def log_density(self, x) -> np.ndarray:
        """Return ln p(x) of a number or of an array of any shape: −inf outside of the support, NaN for NaN."""
        x = np.asarray(x, dtype=float)
        found = np.where(np.isnan(x), np.nan, -np.inf)
        try:
            inside = self._contains_as_fitted(x)
            with np.errstate(over="ignore"):  # the square of a huge distance: a density of 0
                found[inside] = self._log_density(x[inside])
        except AttributeError:
            check_is_fitted(self)
            raise
        return found[()]

    def contains(self, x: np.ndarray) -> np.ndarray:
        """Tell which values lie in the support."""
        return ~np.isnan(x)

    def _contains_as_fitted(self, x: np.ndarray) -> np.ndarray:
        """Tell the same by the hyperparameters that were fitted, though they may have changed since."""
        return self.contains(x)

    def _checked(self, x, weights) -> tuple[np.ndarray, np.ndarray]:
        """Return x and weights as arrays, without what weighs nothing."""
        x = np.asarray(x, dtype=float)
        if x.ndim != 1 or not len(x):
            raise ValueError(f"a sample of {self} must have shape (n,) with n at least 1, but x has shape {x.shape}")
        check_finite(x, "x")
        weights = as_weights(weights, len(x))
        x, weights = x[weights > 0], weights[weights > 0]
        outside = x[~self.contains(x)]
        if len(outside):
            raise ValueError(
                f"x holds {outside[0]:g} (and {len(outside) - 1} more), but the support of {self} is {self.support}: "
                f"correct or remove it, or take a family with another support"
            )
        return x, weights

    def _check_scale(self, scale: float, n: float, value: float) -> float:
        """Return a scale above 0."""
        if not scale > 0:
            name = type(self).__name__.lower()
            raise DegenerateSampleError(
                f"all samples (of weight {n:g}) are {value:g}, up to rounding: the {name} density that fits them best "
                f"would have the scale 0, and be no density; drop the column, or round less"
            )
        return scale


class Normal(Family):
    """Gaussian in one dimension: p(x) = exp(−(x − μ)² / 2σ²) / √(2πσ²).

    Estimates: μ is the mean, σ² the mean squared deviation from it, divided by n. Source: Johnson, Kotz and
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

    def summarise(self, x, weights=None) -> Moments:
        """Sufficient statistics: weight, mean and scatter."""
        return Moments.of(*self._checked(x, weights), diagonal=True)

    @all_or_nothing
    def estimate(self, moments: Moments) -> Normal:
        """Take mean and variance from these moments."""
        self.mean_ = float(moments.mean[0])
        self._remainder = float(np.broadcast_to(moments.remainder, 1)[0])  # what the mean lost when it was rounded
        self.variance_ = self._check_scale(float(moments.scatter[0] / moments.weight), moments.weight, self.mean_)
        return self

    def _log_density(self, x):
        z = ((x - self.mean_) - self._remainder) / np.sqrt(self.variance_)
        return -0.5 * (np.log(2 * np.pi) + np.log(self.variance_) + z**2)


class _OfSums(Family):
    """A family whose sufficient statistics are `Sums`: those of its terms, by name, of each value."""

    def summarise(self, x, weights=None) -> Sums:
        """Sufficient statistics: weight, and the sums of the terms."""
        x, weights = self._checked(x, weights)
        with np.errstate(over="ignore"):
            totals = {name: float(weights @ term) for name, term in self._terms(x).items()}
        return Sums(float(weights.sum()), totals).within_range()

    def _terms(self, x):
        return {"x": x}


class Exponential(_OfSums):
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

    def contains(self, x):
        """Tell which values lie in the support."""
        return x >= 0

    @all_or_nothing
    def estimate(self, sums: Sums) -> Exponential:
        """Take the mean from these sums."""
        self.mean_ = self._check_scale(sums.totals["x"] / sums.weight, sums.weight, 0)
        return self

    def _log_density(self, x):
        return -x / self.mean_ - np.log(self.mean_)


class Rayleigh(_OfSums):
    """Length of a vector of two independent Gaussians N(0, σ²): p(x) = (x/σ²) exp(−x² / 2σ²) for x ≥ 0.

    Estimate: σ² is half the mean square. Source: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 1,
    chapter 18. The density at 0 is 0.

    Attributes
    ----------
    scale_ : float
        σ, in the units of x.

    Examples
    --------
    >>> Rayleigh().fit([1, 7]).scale_  # (1 + 49) / 4 is 12.5
    3.5355339059327378
    """

    support = "x ≥ 0"
    contains = Exponential.contains

    def _terms(self, x):
        return {"x²": x**2}

    @all_or_nothing
    def estimate(self, sums: Sums) -> Rayleigh:
        """Take the scale from these sums."""
        self.scale_ = float(np.sqrt(self._check_scale(sums.totals["x²"] / sums.weight / 2, sums.weight, 0)))
        return self

    def _log_density(self, x):
        z = x / self.scale_
        inside = (z > 0) & (z < np.inf)  # at infinity, as at 0, the density is 0
        return np.log(z, where=inside, out=np.full(z.shape, -np.inf)) - np.log(self.scale_) - z**2 / 2


class Poisson(_OfSums):
    """Counts of rare events: p(x) = λˣ exp(−λ) / x! for x = 0, 1, 2, ...

    Estimate: λ is the mean; 0, if nothing was ever counted: then any other count has probability 0. Source: Johnson,
    Kemp and Kotz, Univariate Discrete Distributions, chapter 4.

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

    def contains(self, x):
        """Tell which values lie in the support."""
        return (x >= 0) & (x == np.floor(x)) & np.isfinite(x)

    @all_or_nothing
    def estimate(self, sums: Sums) -> Poisson:
        """Take the mean from these sums."""
        self.mean_ = sums.totals["x"] / sums.weight
        return self

    def _log_density(self, x):
        ways = gammaln(x + 1)
        kept = ways < np.inf  # else ∞ − ∞, of which the factorial is the larger one
        return np.where(kept, xlogy(np.where(kept, x, 0), self.mean_) - self.mean_ - ways, -np.inf)


class Binomial(_OfSums):
    """Successes in n trials: p(x) = n! / (x! (n − x)!) · pˣ (1 − p)ⁿ⁻ˣ for x = 0, 1, ..., n.

    Estimate: p is the share of successes in all trials. Source: Johnson, Kemp and Kotz, Univariate Discrete
    Distributions, chapter 3.

    Parameters
    ----------
    n : int
        Trials of each sample.

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
    def support(self) -> str:
        """The support, in words."""
        return f"the whole numbers from 0 to {self.n}"

    def contains(self, x):
        """Tell which values lie in the support."""
        check_number(self.n, "n", least=1, whole=True)
        return Poisson.contains(self, x) & (x <= self.n)

    def _terms(self, x):
        return {"successes": x, "failures": self.n - x}

    @all_or_nothing
    def estimate(self, sums: Sums) -> Binomial:
        """Take the share of successes from these sums."""
        successes, failures = sums.totals["successes"], sums.totals["failures"]
        self.p_, self._q = successes / (successes + failures), failures / (successes + failures)
        self._trials = self.n
        return self

    def _contains_as_fitted(self, x):
        return Poisson.contains(self, x) & (x <= self._trials)

    def _log_density(self, x):
        n = self._trials
        arrangements = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)
        # Of the logarithms of p and of q = 1 − p, that of the smaller one is taken directly.
        p, q = self.p_, self._q
        successes = xlogy(x, p) if p <= q else xlog1py(x, -q)
        return arrangements + successes + (xlogy(n - x, q) if q <= p else xlog1py(n - x, -p))


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
    """As the Gaussian, but with absolute, not squared, deviations: p(x) = exp(−|x − m| / b) / 2b.

    Estimates: m is the median, between the two samples in the middle where there are two; b the mean absolute deviation
    from it. The median needs all samples at once. Source: Johnson, Kotz and Balakrishnan, Continuous Univariate
    Distributions 2, chapter 24.

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

    @all_or_nothing
    def fit(self, x, weights=None) -> Laplace:
        """Maximum-likelihood estimate, as in `Family.fit`."""
        x, weights = self._checked(x, weights)
        order = np.argsort(x, kind="stable")
        share = np.cumsum(weights[order]) / weights.sum()
        below, above = (x[order][np.argmax(share >= 0.5 + tie)] for tie in (-1e-12, 1e-12))
        with np.errstate(over="ignore"):
            self.median_ = float(below + (above - below) / 2)
            total = Sums(float(weights.sum()), {"|x − m|": float(weights @ np.abs(x - self.median_))}).within_range()
        self.scale_ = self._check_scale(total.totals["|x − m|"] / total.weight, total.weight, x[0])
        return self

    def _log_density(self, x):
        return -np.abs(x - self.median_) / self.scale_ - np.log(2 * self.scale_)


class Categorical(Family):
    """Categories, coded as numbers: p(c) = (n_c + α) / (n + α C), with n_c of n samples in category c of C.

    Estimate: with α = 0 the share of each category, which is maximum likelihood; with α > 0 as if each category had
    been seen α times more (Lidstone), lest one that was not seen has probability 0. Source: Manning, Raghavan and
    Schütze, Introduction to Information Retrieval, chapter 13.

    Parameters
    ----------
    categories : None or list of numbers
        All there are; by default those in the sample, and in `NaiveBayes` those in the samples of any class.
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
    def support(self) -> str:
        """The support, in words."""
        return "any number" if self.categories is None else f"the categories {np.unique(self.categories).tolist()}"

    def contains(self, x):
        """Tell which values may be categories."""
        return ~np.isnan(x) if self.categories is None else np.isin(x, self.categories)

    def summarise(self, x, weights=None) -> Sums:
        """Sufficient statistics: the weight of each category."""
        x, weights = self._checked(x, weights)
        categories, index = np.unique(x, return_inverse=True)
        return Sums(float(weights.sum()), dict(zip(categories.tolist(), np.bincount(index, weights), strict=True)))

    @all_or_nothing
    def estimate(self, sums: Sums) -> Categorical:
        """Take the probabilities from these sums."""
        check_number(self.alpha, "alpha", least=0)
        seen = [category for category, total in sums.totals.items() if total > 0]
        self.categories_ = np.unique(seen if self.categories is None else self.categories).astype(float)
        counts = np.array([sums.totals.get(category, 0.0) for category in self.categories_.tolist()]) + self.alpha
        with np.errstate(divide="ignore"):
            self.log_probabilities_ = np.log(counts) - np.log(counts.sum())
        return self

    def _contains_as_fitted(self, x):
        return ~np.isnan(x)

    def _log_density(self, x):
        i = np.searchsorted(self.categories_, x).clip(max=len(self.categories_) - 1)
        return np.where(self.categories_[i] == x, self.log_probabilities_[i], -np.inf)


class ParzenWindow(Family):
    """Kernel density: a Gaussian of width h about each sample, p(x) = Σᵢ wᵢ N(x; xᵢ, h²) / Σᵢ wᵢ (scikit-learn's).

    Maximum likelihood would choose h = 0. Without a bandwidth, h = (4 / 3n)^{1/5} s with the standard deviation s
    (divided by n − 1), the best for large samples of a Gaussian, too wide where there are several peaks. All samples
    are kept. Source: Silverman (1986), Density Estimation for Statistics and Data Analysis, equation 3.28.

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

    @all_or_nothing
    def fit(self, x, weights=None) -> ParzenWindow:
        """Keep the samples, and choose the bandwidth where none was given; errors as in `Family.fit`."""
        if not (self.bandwidth is None or (is_number(self.bandwidth) and self.bandwidth > 0)):
            raise ValueError(f"bandwidth must be None or a number above 0, not {self.bandwidth!r}")
        x, weights = self._checked(x, weights)
        self.bandwidth_ = self._rule_of_thumb(x, weights) if self.bandwidth is None else float(self.bandwidth)
        self._origin = x[0]  # in units of the bandwidth, from here, the kernels neither overflow nor lose digits
        z = self._in_bandwidths(x)
        if not np.isfinite(z).all():
            raise ValueError(
                f"the distances between the samples, divided by the bandwidth {self.bandwidth_:g}, are too large for "
                f"floating-point numbers: take a larger bandwidth, or divide the column by a constant"
            )
        self._kernels = neighbors.KernelDensity().fit(z[:, None], sample_weight=weights)
        return self

    def _rule_of_thumb(self, x, weights) -> float:
        moments = Moments.of(x, weights, diagonal=True)
        n, variation = moments.weight, self._check_scale(float(moments.scatter[0]), moments.weight, x[0])
        if not n > 1:
            raise ValueError(
                f"a bandwidth that is chosen by the samples needs a total weight above 1, since weights count "
                f"repetitions, but it is {n:g}: multiply the weights by a constant, or give a bandwidth"
            )
        return float(np.sqrt(variation / (n - 1)) * (4 / (3 * n)) ** 0.2)

    def _in_bandwidths(self, x) -> np.ndarray:
        with np.errstate(over="ignore"):
            return (x - self._origin) / self.bandwidth_

    def _log_density(self, x):
        z, found = self._in_bandwidths(x), np.full(x.shape, -np.inf)
        near = np.isfinite(z)
        if near.any():
            found[near] = self._kernels.score_samples(z[near, None]) - np.log(self.bandwidth_)
        return found
