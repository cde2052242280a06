"""The probability of error of known densities: the Bayes error, bounds of it, and the error of any other rule."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp, ndtr

from bayeslab._base.arrays import as_generator, check_number
from bayeslab._base.labels import check_priors, check_shares
from bayeslab._rays import UNMET, share_along_rays
from bayeslab.boundary import QuadraticSurface
from bayeslab.gaussian import Gaussian

ROUNDING = 8 * float(np.finfo(float).eps)


class ErrorRate(NamedTuple):
    """A probability of error, and how far it may be off.

    Attributes
    ----------
    value : float
    error : float
        What rounding or integration may have changed, as estimated from half as many rays and other looks at the rule.
        Of a Monte Carlo estimate its standard error, but 1 / n_samples at least: a rarer mistake may not have been met.
    method : {"exact", "rays", "Monte Carlo"}
    """

    value: float
    error: float
    method: str


def bayes_error(densities, priors="equal", rng=None, n_samples: int = 100_000) -> ErrorRate:
    """Bayes error 1 − ∫ max_k π_k p(x | C_k) dx: no rule has a smaller probability of being wrong on a new sample.

    One dimension, or two classes of one covariance in any dimension, give it exactly (Φ at the roots); in two
    dimensions it is integrated along rays; in more, by Monte Carlo.

    Parameters
    ----------
    densities : list of K densities
        Each a `Gaussian`, a fitted `GaussianMixture`, or a list of pairs (weight, `Gaussian`).
    priors : "equal" or (K,) array
    rng : numpy.random.Generator
        Needed for Monte Carlo only.
    n_samples : int
        Samples of each class, for Monte Carlo.

    Returns
    -------
    ErrorRate

    Raises
    ------
    ValueError
        If densities and priors do not go together, weights or priors do not sum to 1, a covariance is singular, or
        Monte Carlo has no `rng`.

    References
    ----------
    Fukunaga (1990), Introduction to Statistical Pattern Recognition, section 3.1.

    Examples
    --------
    >>> near, far = Gaussian(np.zeros(20), np.eye(20)), Gaussian(np.ones(20), np.eye(20))  # √20 apart: Φ(−√20/2)
    >>> value, error, method = bayes_error([near, far])
    >>> round(value, 6), error < 1e-14, method
    (0.012674, True, 'exact')
    """
    problem = _Problem.of(densities, priors).reduced()
    if problem.d == 1 and all(len(parts) == 1 for parts in problem.parts):
        return _by_roots(problem)
    return _integrate(problem, problem.decide, rng, n_samples, problem)


def error_of(rule, densities, priors="equal", rng=None, n_samples: int = 100_000) -> ErrorRate:
    """Probability that a rule is wrong on a new sample of these densities: its true error.

    Parameters
    ----------
    rule : fitted classifier
        With `predict` and `classes_`, of this package or of scikit-learn.
    densities, priors, rng, n_samples
        As in `bayes_error`; densities in the order of `rule.classes_`.

    Returns
    -------
    ErrorRate
        In one and two dimensions along rays. Where the scores of a Gaussian rule of this package are equal is known on
        each of them. Any other rule is looked at every 1/500 or 1/5 standard deviation, and of narrower regions some
        are missed: `error` tells how many by those that are met, and at least what nobody need meet, 10⁻⁴ or 4·10⁻⁵.

    Examples
    --------
    >>> from bayeslab import NearestMean
    >>> rule = NearestMean().fit([[-1], [1], [3], [5]], ["a", "a", "b", "b"])  # cuts at 2
    >>> round(error_of(rule, [Gaussian(0, 1), Gaussian(2, 1)]).value, 4)  # best would be a cut at 1: 0.1587
    0.2614
    """
    problem, classes = _Problem.of(densities, priors), np.asarray(rule.classes_)
    if len(classes) != len(problem.parts):
        raise ValueError(
            f"the rule knows {len(classes)} classes, {classes.tolist()}, but there are {len(problem.parts)} densities; "
            f"give the density of each of these classes, in this order"
        )
    known = _known_of(rule, problem)
    return _integrate(problem, lambda X: np.searchsorted(classes, rule.predict(X)), rng, n_samples, known)


def bhattacharyya_bound(first: Gaussian, second: Gaussian, priors="equal") -> float:
    """Upper bound √(π₁π₂) ∫ √(p₁p₂) dx of the Bayes error of two Gaussians, in any dimension: Chernoff's at s = ½.

    References
    ----------
    Fukunaga (1990), Introduction to Statistical Pattern Recognition, equations 3.151 and 3.152.
    Duda, Hart and Stork (2001), Pattern Classification, section 2.8.2.

    Examples
    --------
    >>> round(bhattacharyya_bound(Gaussian(0, 1), Gaussian(2, 1)), 4)  # the Bayes error is 0.1587
    0.3033
    """
    return float(np.exp(_log_chernoff(0.5, first, second, _priors_of_two(first, second, priors))))


def chernoff_bound(first: Gaussian, second: Gaussian, priors="equal") -> tuple[float, float]:
    """Least upper bound π₁ˢ π₂¹⁻ˢ ∫ p₁ˢ p₂¹⁻ˢ dx of the Bayes error of two Gaussians, and its s in [0, 1].

    It holds since the smaller of two numbers is at most aˢ b¹⁻ˢ.

    References
    ----------
    Fukunaga (1990), Introduction to Statistical Pattern Recognition, equations 3.147 to 3.150.
    Duda, Hart and Stork (2001), Pattern Classification, section 2.8.1.

    Examples
    --------
    >>> bound, s = chernoff_bound(Gaussian(0, 1), Gaussian(0, 9))
    >>> round(bound, 4), round(s, 3)
    (0.3766, 0.33)
    """
    priors = _priors_of_two(first, second, priors)
    if not priors.all():
        return 0.0, float(priors[0] == 0)
    # Its logarithm is convex in s.
    best = minimize_scalar(_log_chernoff, bounds=(0, 1), method="bounded", args=(first, second, priors))
    ends = [(_log_chernoff(s, first, second, priors), s) for s in (0.0, 1.0)]
    value, s = min([(best.fun, best.x), *ends])
    return float(np.exp(value)), float(s)


def _priors_of_two(first: Gaussian, second: Gaussian, priors) -> np.ndarray:
    if not (isinstance(first, Gaussian) and isinstance(second, Gaussian)):
        raise ValueError(f"this bound is known of two Gaussians only, not of {first!r} and {second!r}")
    return _Problem.of([first, second], priors).priors


def _log_chernoff(s: float, first: Gaussian, second: Gaussian, priors) -> float:
    """Return ln π₁ˢ π₂¹⁻ˢ ∫ p₁ˢ p₂¹⁻ˢ dx."""
    between = Gaussian(second.mean, (1 - s) * first.covariance + s * second.covariance)
    exponent = s * (1 - s) * between.mahalanobis_squared(first.mean[None])[0]
    exponent += between.log_determinant - (1 - s) * first.log_determinant - s * second.log_determinant
    with np.errstate(divide="ignore"):
        log_priors = np.log(priors)
    return float(s * log_priors[0] + (1 - s) * log_priors[1] - exponent / 2)


def log_densities(mixtures: list[list[tuple[float, Gaussian]]], X: np.ndarray) -> np.ndarray:
    """Return ln p(x | C_k) = ln Σ_j w_j N(x; μ_j, Σ_j) of each row of X, (n, K); each class is pairs of w_j and N_j.

    Examples
    --------
    >>> np.exp(log_densities([[(0.5, Gaussian(0, 1)), (0.5, Gaussian(4, 1))]], [[2]])).round(3)  # 2 σ from both
    array([[0.054]])
    """
    with np.errstate(divide="ignore"):
        terms = [[np.log(weight) + gaussian.log_density(X) for weight, gaussian in each] for each in mixtures]
    return np.stack([np.logaddexp.reduce(each) for each in terms], axis=-1)


class _Problem(NamedTuple):
    """Classes of known densities: of each the (weight, Gaussian) pairs of its mixture, and the priors."""

    parts: list[list[tuple[float, Gaussian]]]
    priors: np.ndarray

    @classmethod
    def of(cls, densities, priors) -> _Problem:
        parts = [_parts_of(density) for density in densities]
        gaussians = [gaussian for each in parts for _, gaussian in each]
        dimensions = sorted({gaussian.n_features for gaussian in gaussians})
        if len(parts) < 2 or len(dimensions) != 1:
            raise ValueError(
                f"at least two densities of the same features are needed, not {len(parts)} of {dimensions} features"
            )
        if any(gaussian.rank < gaussian.n_features for gaussian in gaussians):
            worst = min(gaussians, key=lambda gaussian: gaussian.rank)
            raise ValueError(
                f"a Gaussian of a singular covariance has no density to integrate: the rank is {worst.rank} of "
                f"{worst.n_features} of {worst}; leave out columns, or add a little to its variances"
            )
        if not isinstance(priors, str) and np.shape(priors) not in {(), (len(parts),)}:
            raise ValueError(f"{len(parts)} densities need {len(parts)} priors, not {np.shape(priors)[0]}: {priors}")
        priors = check_priors(priors, np.arange(len(parts)))
        return cls(parts, priors / priors.sum())

    @property
    def gaussians(self) -> list[Gaussian]:
        return [gaussian for each in self.parts for _, gaussian in each]

    @property
    def terms(self) -> list[tuple[int, float, Gaussian]]:
        """Number of the class, prior × weight and Gaussian of all that may occur."""
        both = enumerate(zip(self.priors, self.parts, strict=True))
        every = [(k, prior * weight, gaussian) for k, (prior, each) in both for weight, gaussian in each]
        return [term for term in every if term[1] > 0]

    @property
    def d(self) -> int:
        return self.gaussians[0].n_features

    def joint(self, X: np.ndarray) -> np.ndarray:
        """Ln π_k p(x | C_k), shape (n, K)."""
        with np.errstate(divide="ignore"):
            return np.log(self.priors) + log_densities(self.parts, X)

    def decide(self, X: np.ndarray) -> np.ndarray:
        """Return the number of the most probable class of each row."""
        return self.joint(X).argmax(axis=1)

    def reduced(self) -> _Problem:
        """Return the same problem measured from the first mean: no digits are lost to an offset that all share.

        Where all classes are Gaussians of one covariance, it has the fewest dimensions: whitened, they are round, and
        differ only in the space that their means span.
        """
        first, every = self.gaussians[0], slice(None)

        def from_first(gaussian):
            rounded_off = gaussian.remainder_of(every) - first.remainder_of(every)
            return gaussian.moved_to((gaussian.mean - first.mean) + rounded_off)

        parts = [[(weight, from_first(gaussian)) for weight, gaussian in each] for each in self.parts]
        if any(len(each) > 1 or (each[0][1].covariance != first.covariance).any() for each in parts):
            return _Problem(parts, self.priors)
        differences, W = np.array([each[0][1].mean for each in parts]), first.whitening
        left, sizes, _ = np.linalg.svd(differences * W if W.ndim == 1 else differences @ W, full_matrices=False)
        kept = max(int((sizes > 1e-12 * sizes[0]).sum()), 1) if sizes[0] > 0 else 1
        coordinates = left[:, :kept] * sizes[:kept]
        return _Problem([[(1.0, Gaussian(mean, np.ones(kept)))] for mean in coordinates], self.priors)


def _parts_of(density) -> list[tuple[float, Gaussian]]:
    if isinstance(density, Gaussian):
        return [(1.0, density)]
    if hasattr(density, "gaussians_") and hasattr(density, "weights_"):
        return list(zip(density.weights_.tolist(), density.gaussians_, strict=True))
    try:
        parts = [(float(weight), gaussian) for weight, gaussian in density]
    except (TypeError, ValueError):
        parts = []
    if not parts or not all(isinstance(gaussian, Gaussian) for _, gaussian in parts):
        raise ValueError(
            f"a density is a Gaussian, a fitted GaussianMixture or pairs (weight, Gaussian), not {density!r}"
        )
    weights = np.array([weight for weight, _ in parts])
    check_shares(weights, "the weights of a mixture")
    return [(weight / weights.sum(), gaussian) for weight, gaussian in parts]


def _known_of(rule, problem: _Problem) -> _Problem | None:
    """Return between which densities the rule decides, if these are Gaussians or mixtures of them, else None."""
    try:
        known = _Problem.of(getattr(rule, "gaussians_", None) or rule.densities_, rule.priors_)
    except (AttributeError, TypeError, ValueError):  # there are none, of another kind, or of fewer dimensions
        return None
    return known if known.d == problem.d and len(known.parts) == len(problem.parts) else None


def _by_roots(problem: _Problem) -> ErrorRate:
    """One dimension, a Gaussian per class: between the roots of all pairs the same class wins."""
    gaussians, priors = [each[0][1] for each in problem.parts], problem.priors
    possible = np.flatnonzero(priors).tolist()
    roots = [
        QuadraticSurface.between(gaussians[i], gaussians[j], priors[[i, j]] / priors[[i, j]].sum()).roots()
        for i, j in combinations(possible, 2)
    ]
    cuts = np.unique(np.concatenate([*roots, []]))
    deviations = np.sqrt([gaussian.covariance[0, 0] for gaussian in gaussians])
    ends = np.concatenate([[-np.inf], cuts, [np.inf]])
    inner = (cuts[1:] + cuts[:-1]) / 2
    beyond = deviations.max() + np.abs(cuts).max(initial=0)  # where a deviation would be lost in a cut's rounding, too
    places = np.concatenate([[cuts[0] - beyond], inner, [cuts[-1] + beyond]]) if len(cuts) else gaussians[0].mean
    winners, wrong, error = problem.decide(places[:, None]), 0.0, ROUNDING
    for k in possible:
        z = (ends - gaussians[k].mean[0]) / deviations[k]
        low, high = z[:-1], z[1:]
        # The difference of the smaller tails, lest a small share drown in the rounding of 1.
        shares = np.where(low > 0, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low))
        wrong += priors[k] * shares[winners != k].sum()
        # At a cut both densities are equal: what its rounding takes from one share, the other gains, to first order.
        at = (winners[1:] == k) != (winners[:-1] == k)
        off = ROUNDING * np.abs(cuts[at]) / deviations[k]
        tail = np.exp(-(np.maximum(np.abs(z[1:-1][at]) - off, 0) ** 2) / 2)
        error += priors[k] * (np.minimum(off, 1) ** 2 * tail).sum()
    return ErrorRate(float(wrong), float(error), "exact")


def _integrate(problem: _Problem, decide: Callable, rng, n_samples: int, known: _Problem | None) -> ErrorRate:
    """Probability that `decide`, from rows to the numbers of classes, is wrong; it may be `known` between what.

    Of another rule, a region too small to be met may be missed.
    """
    if problem.d > 2:
        return _by_samples(problem, decide, rng, n_samples)
    value, error, terms = 0.0, 0.0, (known or problem).terms
    for k, share, gaussian in problem.terms:
        wrong, off = share_along_rays(gaussian, terms, lambda X, k=k: decide(X) != k)
        value, error = value + share * wrong, error + share * off
    return ErrorRate(float(value), float(max(error, 1e-11 if known else UNMET[problem.d])), "rays")


def _by_samples(problem: _Problem, decide, rng, n_samples: int) -> ErrorRate:
    """Mean of 1 − p(decision | x) over samples of each class; it varies less than the share of wrong decisions."""
    if rng is None:
        raise ValueError(f"in {problem.d} dimensions the error is found by Monte Carlo, which needs rng")
    as_generator(rng)
    check_number(n_samples, "n_samples", least=2, whole=True)
    value = variance = 0.0
    for prior, parts in zip(problem.priors, problem.parts, strict=True):
        sizes = rng.multinomial(n_samples, [weight for weight, _ in parts])
        X = np.concatenate([gaussian.sample(size, rng) for size, (_, gaussian) in zip(sizes, parts, strict=True)])
        joint = problem.joint(X)
        others = joint.copy()
        others[np.arange(len(X)), decide(X)] = -np.inf
        wrong = np.exp(logsumexp(others, axis=1) - logsumexp(joint, axis=1))
        value, variance = value + prior * wrong.mean(), variance + prior**2 * wrong.var(ddof=1) / n_samples
    return ErrorRate(float(value), max(float(np.sqrt(variance)), 1 / n_samples), "Monte Carlo")
