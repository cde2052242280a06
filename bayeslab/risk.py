"""Probabilities of error for known densities: the Bayes error, bounds on it, and the true error of any other rule."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp, ndtr, ndtri

from bayeslab._base.arrays import as_generator, check_number, check_priors, check_shares
from bayeslab.boundary import QuadraticSurface, check_comparable
from bayeslab.gaussian import Gaussian

ROUNDING = 8 * float(np.finfo(float).eps)
N_LATTICES, N_POINTS = 8, 2**13  # of points about each Gaussian
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
NEAR = np.concatenate([[0.0], 10.0 ** np.arange(-10, 0), -(10.0 ** np.arange(-10, 0))])  # narrow regions lie there
GOLDEN = (np.sqrt(5) - 1) / 2  # multiples of it, modulo 1, are spread evenly however many there are


class ErrorRate(NamedTuple):
    """A probability of error, and an estimate of how far it may be off.

    Attributes
    ----------
    value : float
    error : float
        For "exact", the effect of rounding, for "rows" a bound, for "lattice" two standard errors, from eight lattices.
        For "Monte Carlo", the standard error, but at least 1 / n_samples: no sample may have met a rarer mistake.
    method : {"exact", "rows", "lattice", "Monte Carlo"}
    """

    value: float
    error: float
    method: str


def bayes_error(densities, priors="equal", rng=None, n_samples: int = 100_000) -> ErrorRate:
    """Bayes error 1 − ∫ max_k π_k p(x | C_k) dx: no rule has a smaller probability of being wrong on a new sample.

    With one Gaussian per class on the line it is "exact": a sum of values of Φ at the boundary points, correct up to
    rounding. Gaussians of one covariance are first projected onto the space that their means span, so two of them are
    "exact" in any dimension. In the plane, one Gaussian per class is integrated along "rows". Everything else on the
    line and in the plane (mixtures, for example) is averaged over a "lattice" of points about each Gaussian, and in
    more dimensions over samples, by "Monte Carlo".

    Parameters
    ----------
    densities : list of K densities
        Each a `Gaussian`, a fitted `GaussianMixture`, or a list of pairs (weight, `Gaussian`).
    priors : "equal" or (K,) array
    rng : numpy.random.Generator, optional
        Needed for Monte Carlo only.
    n_samples : int
        Samples per class for Monte Carlo.

    Returns
    -------
    ErrorRate

    Raises
    ------
    ValueError
        If the densities and priors do not match, a covariance is singular, scales are so far apart that numbers
        overflow, or Monte Carlo has no `rng`.

    References
    ----------
    Fukunaga (1990), Introduction to Statistical Pattern Recognition, section 3.1.

    Examples
    --------
    >>> first, second = Gaussian(np.zeros(20), np.eye(20)), Gaussian(np.ones(20), np.eye(20))  # √20 apart: Φ(−√20/2)
    >>> value, error, method = bayes_error([first, second])
    >>> round(value, 6), error < 1e-14, method
    (0.012674, True, 'exact')
    """
    problem = _Problem.of(densities, priors).reduced()
    if problem.d == 1 and all(len(parts) == 1 for parts in problem.parts):
        return _by_roots(problem)
    return _integrate(problem, problem.decide, rng, n_samples, problem)


def error_of(rule, densities, priors="equal", rng=None, n_samples: int = 100_000) -> ErrorRate:
    """Probability that a rule is wrong on a new sample from these densities: its true error.

    `rule` is a fitted classifier with `predict` and `classes_`, from this package or scikit-learn. The other arguments
    are those of `bayes_error`, with densities and priors in the order of `rule.classes_`.

    Returns
    -------
    ErrorRate
        By "rows" for a Gaussian rule of this package in the plane, by "lattice" for any other there and on the line, by
        "Monte Carlo" in more dimensions.

    Examples
    --------
    >>> from bayeslab import NearestMean
    >>> rule = NearestMean().fit([[-1], [1], [3], [5]], ["a", "a", "b", "b"])  # cuts at 2
    >>> round(error_of(rule, [Gaussian(0, 1), Gaussian(2, 1)]).value, 4)  # the best cut, at 1, gives 0.1587
    0.2614
    """
    problem, classes = _Problem.of(densities, priors), np.asarray(rule.classes_)
    if len(classes) != len(problem.parts):
        raise ValueError(
            f"the rule knows {len(classes)} classes, {classes.tolist()}, but there are {len(problem.parts)} densities; "
            f"give one density per class, in this order"
        )

    def decide(X):
        labels = np.asarray(rule.predict(X))
        matches = labels[:, None] == classes
        if not matches.any(axis=1).all():
            unknown = labels[~matches.any(axis=1)].tolist()[0]
            raise ValueError(f"the rule predicts {unknown!r}, which is not among its classes_: {classes.tolist()}")
        return matches.argmax(axis=1)

    return _integrate(problem, decide, rng, n_samples, _densities_of_rule(rule, problem))


def bhattacharyya_bound(first: Gaussian, second: Gaussian, priors="equal") -> float:
    """Upper bound √(π₁π₂) ∫ √(p₁p₂) dx on the Bayes error of two Gaussians: the Chernoff bound at s = ½.

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
    """Upper bound π₁ˢ π₂¹⁻ˢ ∫ p₁ˢ p₂¹⁻ˢ dx on the Bayes error of two Gaussians, least over s in [0, 1], and that s.

    It is a bound because min(a, b) ≤ aˢ b¹⁻ˢ.

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
        raise ValueError(f"this bound is for two Gaussians only, not for {first!r} and {second!r}")
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
    """Return ln p(x | C_k) = ln Σ_j w_j N(x; μ_j, Σ_j) for each row of X, (n, K); a class is a list of (w_j, N_j)."""
    with np.errstate(divide="ignore"):
        terms = [[np.log(weight) + gaussian.log_density(X) for weight, gaussian in mixture] for mixture in mixtures]
    return np.stack([np.logaddexp.reduce(each) for each in terms], axis=-1)


class _Problem(NamedTuple):
    """Classes of known densities: the (weight, Gaussian) pairs of each class, and the priors."""

    parts: list[list[tuple[float, Gaussian]]]
    priors: np.ndarray

    @classmethod
    def of(cls, densities, priors) -> _Problem:
        parts = [_parts_of(density) for density in densities]
        gaussians = [gaussian for each in parts for _, gaussian in each]
        dimensions = sorted({gaussian.n_features for gaussian in gaussians})
        if len(parts) < 2 or len(dimensions) != 1:
            raise ValueError(
                f"two or more densities with the same features are needed, not {len(parts)} with {dimensions} features"
            )
        if any(gaussian.rank < gaussian.n_features for gaussian in gaussians):
            worst = min(gaussians, key=lambda gaussian: gaussian.rank)
            raise ValueError(
                f"a Gaussian with a singular covariance has no density to integrate: {worst} has rank {worst.rank} of "
                f"{worst.n_features}; leave out columns, or add a little to its variances"
            )
        check_comparable(gaussians)
        if not isinstance(priors, str) and np.shape(priors) not in {(), (len(parts),)}:
            raise ValueError(f"{len(parts)} densities need {len(parts)} priors, not {np.shape(priors)[0]}: {priors}")
        priors = check_priors(priors, np.arange(len(parts)))
        return cls(parts, priors / priors.sum())

    @property
    def gaussians(self) -> list[Gaussian]:
        return [gaussian for each in self.parts for _, gaussian in each]

    @property
    def terms(self) -> list[tuple[int, float, Gaussian]]:
        """Return class number, prior × weight and Gaussian of every component that can occur."""
        classes = enumerate(zip(self.priors, self.parts, strict=True))
        every = [(k, prior * weight, gaussian) for k, (prior, mixture) in classes for weight, gaussian in mixture]
        return [term for term in every if term[1] > 0]

    @property
    def d(self) -> int:
        return self.gaussians[0].n_features

    def joint(self, X: np.ndarray) -> np.ndarray:
        """Return ln π_k p(x | C_k) for each row of X, shape (n, K)."""
        with np.errstate(divide="ignore"):
            return np.log(self.priors) + log_densities(self.parts, X)

    def decide(self, X: np.ndarray) -> np.ndarray:
        """Return the number of the most probable class for each row."""
        return self.joint(X).argmax(axis=1)

    def reduced(self) -> _Problem:
        """Return the same problem measured from the first mean, so that a common offset costs no digits.

        If all classes are Gaussians of one covariance, whiten them and keep only the space that their means span.
        """
        first = self.gaussians[0]
        lost = first.mean_from(first.mean)  # what its mean lost when it was rounded
        parts = [
            [(weight, each.moved_to(each.mean_from(first.mean) - lost)) for weight, each in mixture]
            for mixture in self.parts
        ]
        if any(len(mixture) > 1 or (mixture[0][1].covariance != first.covariance).any() for mixture in parts):
            return _Problem(parts, self.priors)
        differences, W = np.array([gaussian.mean for ((_, gaussian),) in parts]), first.whitening
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
            f"a density must be a Gaussian, a fitted GaussianMixture or a list of pairs (weight, Gaussian), "
            f"not {density!r}"
        )
    weights = np.array([weight for weight, _ in parts])
    check_shares(weights, "the weights of a mixture")
    return [(weight / weights.sum(), gaussian) for weight, gaussian in parts]


def _densities_of_rule(rule, problem: _Problem) -> _Problem | None:
    """Return the densities that the rule compares if they are Gaussians or mixtures of Gaussians, else None."""
    try:
        known = _Problem.of(getattr(rule, "gaussians_", None) or rule.densities_, rule.priors_)
    except (AttributeError, TypeError, ValueError):  # it has none, or none of this kind, or some are singular
        return None
    return known if known.d == problem.d and len(known.parts) == len(problem.parts) else None


def _by_roots(problem: _Problem) -> ErrorRate:
    """Bayes error on the line with one Gaussian per class: between neighbouring roots of all pairs one class wins."""
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
    beyond = deviations.max() + np.abs(cuts).max(initial=0)  # not lost when added to a cut, as a deviation may be
    places = np.concatenate([[cuts[0] - beyond], inner, [cuts[-1] + beyond]]) if len(cuts) else gaussians[0].mean
    winners, wrong, error = problem.decide(places[:, None]), 0.0, ROUNDING
    for k in possible:
        z = (ends - gaussians[k].mean[0]) / deviations[k]
        low, high = z[:-1], z[1:]
        # The difference of the smaller tails, so that a small share is not lost in the rounding of 1.
        shares = np.where(low > 0, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low))
        wrong += priors[k] * shares[winners != k].sum()
        # At a cut both densities are equal, so to first order its rounding moves probability but not the error.
        at = (winners[1:] == k) != (winners[:-1] == k)
        off = ROUNDING * np.abs(cuts[at]) / deviations[k]
        tail = np.exp(-(np.maximum(np.abs(z[1:-1][at]) - off, 0) ** 2) / 2)
        error += priors[k] * (np.minimum(off, 1) ** 2 * tail).sum()
    return ErrorRate(float(wrong), float(error), "exact")


def _integrate(problem: _Problem, decide: Callable, rng, n_samples: int, known: _Problem | None) -> ErrorRate:
    """Probability that `decide`, which maps rows to class numbers, is wrong; `known` has the densities it compares."""
    if problem.d > 2:
        return _by_samples(problem, decide, rng, n_samples)
    if problem.d == 2 and known and all(len(mixture) == 1 for mixture in known.parts):
        value = sum(share * _share_wrong(gaussian, k, known.terms) for k, share, gaussian in problem.terms)
        return ErrorRate(float(value), 1e-7, "rows")
    values = np.zeros(N_LATTICES)
    for _, share, gaussian in problem.terms:
        for j in range(N_LATTICES):
            X = gaussian.mean + gaussian._spread(_lattice(j, problem.d))
            values[j] += share * _wrong(problem, X, decide).mean()
    error = 2 * values.std(ddof=1) / np.sqrt(N_LATTICES)
    return ErrorRate(float(values.mean()), float(max(error, 1 / (N_LATTICES * N_POINTS))), "lattice")


def _share_wrong(own: Gaussian, k: int, terms: list[tuple[int, float, Gaussian]]) -> float:
    """Share of a Gaussian in the plane that the rule with one Gaussian per class gives to other classes than k.

    In coordinates that make it round, the share of each row is exact: the row is cut where two scores are equal. The
    integral across the rows is Gauss's, in pieces that end where a boundary begins, where it has a square root.
    """
    F, scores = np.linalg.cholesky(own.covariance), []
    for _, prior, each in terms:
        W = F.T @ (each.whitening if each.whitening.ndim == 2 else np.diag(each.whitening))
        center = np.linalg.solve(F, each.mean_from(own.mean) - own.mean_from(own.mean))
        A = -W @ W.T / 2
        scores.append((A, -2 * A @ center, np.log(prior) - each.log_determinant / 2 + center @ A @ center))
    edges, pairs = [np.linspace(-9, 9, 101 if len(terms) < 3 else 1001)], list(combinations(scores, 2))
    for P, p, p0 in ([a - b for a, b in zip(*pair, strict=True)] for pair in pairs):
        begins = [-4 * np.linalg.det(P), 4 * (P[0, 1] * p[0] - P[0, 0] * p[1]), p[0] ** 2 - 4 * P[0, 0] * p0]
        level = [P[1, 1], p[1], p0]  # where a boundary that runs along the rows is crossed
        edges.append(np.add.outer(np.concatenate([np.roots(begins), np.roots(level)]).real, NEAR).ravel())
    edges = np.unique(np.clip(np.concatenate(edges), -9, 9))
    turn, half = np.pi / 2 * NODES, np.diff(edges)[:, None] / 2  # nodes crowd at both ends of a piece
    y = ((edges[1:] + edges[:-1])[:, None] / 2 + half * np.sin(turn)).ravel()
    weights = (half * WEIGHTS * np.pi / 2 * np.cos(turn)).ravel() * np.exp(-(y**2) / 2) / np.sqrt(2 * np.pi)
    rows = [(P[0, 0] + 0 * y, 2 * P[0, 1] * y + p[0], (P[1, 1] * y + p[1]) * y + p0) for P, p, p0 in scores]
    cuts = [-9 + 0 * y, 9 + 0 * y]
    for a, b in combinations(rows, 2):
        u, v, w = (one - other for one, other in zip(a, b, strict=True))
        q = -(v + np.copysign(np.sqrt(np.maximum(v * v - 4 * u * w, 0)), v)) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            cuts += [np.clip(np.nan_to_num(root), -9, 9) for root in (q / u, w / q)]
    cuts = np.sort(cuts, axis=0)
    between = (cuts[1:] + cuts[:-1]) / 2
    winner = np.argmax([(u * between + v) * between + w for u, v, w in rows], axis=0)
    classes = np.array([each for each, *_ in terms])
    return float(np.where(classes[winner] != k, np.diff(ndtr(cuts), axis=0), 0).sum(axis=0) @ weights)


def _lattice(j: int, d: int) -> np.ndarray:
    """Points of lattice j, shape (N_POINTS, d): like samples of a standard normal distribution, but evenly spread."""
    i, (shift, turned) = np.arange(N_POINTS), np.random.default_rng(j).random(2)
    share = (i + shift) / N_POINTS
    if d == 1:
        return ndtri(share)[:, None]
    turn = 2 * np.pi * ((i * GOLDEN + turned) % 1)
    return np.sqrt(-2 * np.log1p(-share))[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])


def _wrong(problem: _Problem, X: np.ndarray, decide: Callable) -> np.ndarray:
    """1 − p(decision | x) of each row of X."""
    joint = problem.joint(X)
    others = joint.copy()
    others[np.arange(len(X)), decide(X)] = -np.inf
    return np.exp(logsumexp(others, axis=1) - logsumexp(joint, axis=1))


def _by_samples(problem: _Problem, decide, rng, n_samples: int) -> ErrorRate:
    """Mean of 1 − p(decision | x) over samples of each class, which varies less than the share of wrong decisions."""
    if rng is None:
        raise ValueError(f"in {problem.d} dimensions the error is estimated by Monte Carlo, which needs rng")
    as_generator(rng)
    check_number(n_samples, "n_samples", least=2, whole=True)
    value = variance = 0.0
    for prior, parts in zip(problem.priors, problem.parts, strict=True):
        sizes = rng.multinomial(n_samples, [weight for weight, _ in parts])
        X = np.concatenate([gaussian.sample(size, rng) for size, (_, gaussian) in zip(sizes, parts, strict=True)])
        wrong = _wrong(problem, X, decide)
        value, variance = value + prior * wrong.mean(), variance + prior**2 * wrong.var(ddof=1) / n_samples
    return ErrorRate(float(value), max(float(np.sqrt(variance)), 1 / n_samples), "Monte Carlo")
