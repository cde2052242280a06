"""The probability of error of known densities: the Bayes error, bounds of it, and the error of any other rule."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp, ndtr

from bayeslab._machinery.arrays import as_generator, must_be_number
from bayeslab._machinery.labels import check_priors, check_shares
from bayeslab.boundary import QuadraticSurface
from bayeslab.gaussian import Gaussian

N_RAYS = 512  # in a plane, to begin with
FARTHEST = 9.0  # standard deviations from a mean to which a ray is followed; beyond lies a share below 1e-17


class ErrorRate(NamedTuple):
    """A probability of error, and how far it may be off.

    Attributes
    ----------
    value : float
    error : float
        A bound of the error of rounding or integration; of a Monte Carlo estimate its standard error.
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
        If densities and priors do not go together, a covariance is singular, or Monte Carlo has no `rng`.

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
    return _integrate(problem, problem.decide, rng, n_samples)


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
        In one and two dimensions along rays, whose error is known only as far as the rule's boundary is smooth.

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
            f"the rule knows {len(classes)} classes, {classes.tolist()}, but {len(problem.parts)} densities"
        )
    return _integrate(problem, lambda X: np.searchsorted(classes, rule.predict(X)), rng, n_samples)


def bhattacharyya_bound(first: Gaussian, second: Gaussian, priors="equal") -> float:
    """Upper bound √(π₁π₂) ∫ √(p₁p₂) dx of the Bayes error of two Gaussians, in any dimension: Chernoff's at s = ½.

    References
    ----------
    Duda, Hart and Stork (2001), Pattern Classification, equations 76 and 77 of chapter 2.

    Examples
    --------
    >>> round(bhattacharyya_bound(Gaussian(0, 1), Gaussian(2, 1)), 4)  # the Bayes error is 0.1587
    0.3033
    """
    return float(np.exp(_log_chernoff(0.5, first, second, check_priors(priors, np.arange(2)))))


def chernoff_bound(first: Gaussian, second: Gaussian, priors="equal") -> tuple[float, float]:
    """Least upper bound π₁ˢ π₂¹⁻ˢ ∫ p₁ˢ p₂¹⁻ˢ dx of the Bayes error of two Gaussians, and its s in [0, 1].

    It holds since the smaller of two numbers is at most aˢ b¹⁻ˢ.

    References
    ----------
    Duda, Hart and Stork (2001), Pattern Classification, equations 74 and 75 of chapter 2.

    Examples
    --------
    >>> bound, s = chernoff_bound(Gaussian(0, 1), Gaussian(0, 9))
    >>> round(bound, 4), round(s, 3)
    (0.3766, 0.33)
    """
    priors = check_priors(priors, np.arange(2))
    if not priors.all():
        return 0.0, float(priors[0] == 0)
    # Its logarithm is convex in s.
    best = minimize_scalar(_log_chernoff, (0, 1), bounds=(0, 1), method="bounded", args=(first, second, priors))
    ends = [(_log_chernoff(s, first, second, priors), s) for s in (0.0, 1.0)]
    value, s = min([(best.fun, best.x), *ends])
    return float(np.exp(value)), float(s)


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
            raise ValueError("a Gaussian of a singular covariance has no density to integrate")
        return cls(parts, check_priors(priors, np.arange(len(parts))))

    @property
    def gaussians(self) -> list[Gaussian]:
        return [gaussian for each in self.parts for _, gaussian in each]

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
        """Return the same problem in the fewest dimensions, where all classes are Gaussians of one covariance.

        Whitened, they are round, and differ only in the space that their means span.
        """
        gaussians = [each[0][1] for each in self.parts]
        first = gaussians[0]
        if any(len(each) > 1 for each in self.parts) or any(
            (gaussian.covariance != first.covariance).any() for gaussian in gaussians
        ):
            return self
        differences = np.array([gaussian.mean - first.mean for gaussian in gaussians])
        W = first.whitening
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
    check_shares(np.array([weight for weight, _ in parts]), "the weights of a mixture")
    return parts


def _by_roots(problem: _Problem) -> ErrorRate:
    """One dimension, a Gaussian per class: between the roots of all pairs the same class wins."""
    gaussians, priors = [each[0][1] for each in problem.parts], problem.priors
    possible = np.flatnonzero(priors).tolist()
    roots = [
        QuadraticSurface.between(gaussians[i], gaussians[j], priors[[i, j]] / priors[[i, j]].sum()).roots()
        for i, j in combinations(possible, 2)
    ]
    cuts = np.unique(np.concatenate([*roots, []]))
    spread = max(np.sqrt(gaussian.covariance[0, 0]) for gaussian in gaussians)
    ends = np.concatenate([[-np.inf], cuts, [np.inf]])
    inner = (cuts[1:] + cuts[:-1]) / 2
    places = np.concatenate([[cuts[0] - spread], inner, [cuts[-1] + spread]]) if len(cuts) else gaussians[0].mean
    winners, wrong = problem.decide(places[:, None]), 0.0
    for k in possible:
        z = (ends - gaussians[k].mean[0]) / np.sqrt(gaussians[k].covariance[0, 0])
        low, high = z[:-1], z[1:]
        # The difference of the smaller tails, lest a small share drown in the rounding of 1.
        shares = np.where(low > 0, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low))
        wrong += priors[k] * shares[winners != k].sum()
    return ErrorRate(float(wrong), 8 * float(np.finfo(float).eps), "exact")


def _integrate(problem: _Problem, decide: Callable, rng, n_samples: int) -> ErrorRate:
    """Probability that `decide`, from rows to the numbers of classes, is wrong."""
    if problem.d > 2:
        return _by_samples(problem, decide, rng, n_samples)
    value = error = 0.0
    for k, (prior, parts) in enumerate(zip(problem.priors, problem.parts, strict=True)):
        for weight, gaussian in parts:
            if share := prior * weight:
                wrong, off = _along_rays(gaussian, problem, lambda X, k=k: decide(X) != k)
                value, error = value + share * wrong, error + share * off
    return ErrorRate(float(value), float(max(error, 1e-11)), "rays")


def _by_samples(problem: _Problem, decide, rng, n_samples: int) -> ErrorRate:
    """Mean of 1 − p(decision | x) over samples of each class; it varies less than the share of wrong decisions."""
    if rng is None:
        raise ValueError(f"in {problem.d} dimensions the error is found by Monte Carlo, which needs rng")
    as_generator(rng)
    must_be_number(n_samples, "n_samples", least=2, whole=True)
    value = variance = 0.0
    for prior, parts in zip(problem.priors, problem.parts, strict=True):
        sizes = rng.multinomial(n_samples, [weight for weight, _ in parts])
        X = np.concatenate([gaussian.sample(size, rng) for size, (_, gaussian) in zip(sizes, parts, strict=True)])
        joint = problem.joint(X)
        others = joint.copy()
        others[np.arange(len(X)), decide(X)] = -np.inf
        wrong = np.exp(logsumexp(others, axis=1) - logsumexp(joint, axis=1))
        value, variance = value + prior * wrong.mean(), variance + prior**2 * wrong.var(ddof=1) / n_samples
    return ErrorRate(float(value), float(np.sqrt(variance)), "Monte Carlo")


def _along_rays(gaussian: Gaussian, problem: _Problem, is_wrong: Callable) -> tuple[float, float]:
    """Probability that samples of a Gaussian in one or two dimensions are judged wrongly, and its error.

    Measured in its own standard deviations, rays leave its mean in all directions alike. Along a ray the decision
    changes at some radii, found by bisection, and the share of the samples beyond a radius is known.
    """
    F = np.linalg.cholesky(gaussian.covariance)
    if problem.d == 1:
        return float(_wrong_shares(np.array([[-1.0], [1.0]]) @ F, gaussian, problem, is_wrong).mean()), 0.0

    def shares(angles):
        directions = np.column_stack([np.cos(angles), np.sin(angles)])
        return _wrong_shares(directions @ F.T, gaussian, problem, is_wrong)

    return _mean_over_circle(shares)


def _mean_over_circle(function: Callable) -> tuple[float, float]:
    """Mean of a function of the angle, by Simpson's rule, finer where it bends or jumps, and a bound of the error."""
    low = np.linspace(0.1, 0.1 + 2 * np.pi, N_RAYS, endpoint=False)
    at_low = function(low)
    high, at_high = np.append(low[1:], low[0] + 2 * np.pi), np.roll(at_low, -1)
    value = error = 0.0
    for step in range(40):
        middle = (low + high) / 2
        at_middle, linear, width = function(middle), (at_low + at_high) / 2, high - low
        off = np.abs(at_middle - linear) * width
        rough = (off > 1e-9) & (step < 39)
        value += ((linear + 2 * at_middle) * width / 3)[~rough].sum()
        error += off[~rough].sum()
        if not rough.any():
            break
        ends = [(low, middle, at_low, at_middle), (middle, high, at_middle, at_high)]
        low, high, at_low, at_high = (np.concatenate([half[i][rough] for half in ends]) for i in range(4))
    return float(value / (2 * np.pi)), float(error / (2 * np.pi))


def _wrong_shares(directions: np.ndarray, gaussian: Gaussian, problem: _Problem, is_wrong: Callable) -> np.ndarray:
    """Share of the samples on each ray, mean + r · direction, that are judged wrongly."""
    n, d = directions.shape

    def judged(r):  # of as many radii for each ray
        points = gaussian.mean + r[..., None] * directions[:, None, :]
        return is_wrong(points.reshape(-1, d)).reshape(r.shape)

    r = _radii(directions, gaussian, problem)
    wrong = judged(r)
    ray, place = np.nonzero(wrong[:, 1:] != wrong[:, :-1])
    low, high, before = r[ray, place], r[ray, place + 1], wrong[ray, place]
    for _ in range(36 if len(ray) else 0):  # to 1e-12
        middle = (low + high) / 2
        same = is_wrong(gaussian.mean + middle[:, None] * directions[ray]) == before
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    beyond = np.exp(-(high**2) / 2) if d == 2 else 2 * ndtr(-high)
    return wrong[:, 0] + np.bincount(ray, np.where(before, -beyond, beyond), minlength=n)


def _radii(directions: np.ndarray, gaussian: Gaussian, problem: _Problem) -> np.ndarray:
    """Radii between which the decision changes once at most, for each ray: (n, m), in order.

    Along a ray the log of each prior × density is a quadratic of r. Where two of them are equal, the best decision may
    change. Between these places, and at some more, for rules that decide elsewhere, one looks.
    """
    quadratics, regular = [], np.tile(np.linspace(0, FARTHEST, 46), (len(directions), 1))
    for prior, parts in zip(problem.priors, problem.parts, strict=True):
        for weight, other in parts:
            if prior * weight:
                W = other.whitening if other.whitening.ndim == 2 else np.diag(other.whitening)
                a, b = (gaussian.mean - other.mean) @ W, directions @ W
                constant = a @ a + other.log_determinant - 2 * np.log(prior * weight)
                quadratics.append(((b * b).sum(axis=1), b @ a, constant))
    places = []
    for (a1, b1, c1), (a2, b2, c2) in combinations(quadratics, 2):
        a, b, c = a1 - a2, b1 - b2, c1 - c2  # a r² + 2 b r + c = 0
        s = -(b + np.copysign(np.sqrt(np.maximum(b * b - a * c, 0)), b))
        with np.errstate(divide="ignore", invalid="ignore"):
            places += [s / a, c / s]
    places = np.sort(np.clip(np.nan_to_num(np.array(places).T), 0, FARTHEST), axis=1)
    between = (places[:, 1:] + places[:, :-1]) / 2
    return np.sort(np.concatenate([regular, places, between], axis=1), axis=1)
