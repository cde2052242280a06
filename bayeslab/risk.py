"""Probabilities of error for known densities: the Bayes error, bounds on it, and the true error of any other rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar
from scipy.special import ndtr, ndtri, stdtrit
from sklearn.exceptions import NotFittedError

from bayeslab._base.arrays import as_generator, by_class, check_priors, check_shares
from bayeslab._base.blocks import BLOCK, blocks
from bayeslab._base.estimators import ClassifierMixin
from bayeslab.boundary import check_comparable
from bayeslab.gaussian import Gaussian

if TYPE_CHECKING:
    from bayeslab.mixture import GaussianMixture

Mixture: TypeAlias = list[tuple[float, Gaussian]]
Density: TypeAlias = "Gaussian | GaussianMixture | Mixture"
Priors: TypeAlias = Literal["equal"] | ArrayLike
Term: TypeAlias = tuple[int, float, Gaussian]  # number of a class, prior × weight, and density
Decide: TypeAlias = Callable[[np.ndarray], np.ndarray]  # maps rows to numbers of classes

ROUNDING = 8 * float(np.finfo(float).eps)
LIKELY = 0.99  # quantile of an estimate's error: 98 of 100 if it is normal, which leaves room for those that are not
UNSEEN = 3.0  # of n points none meets a region of probability 3/n in 5 of 100 cases: the rule of three
FARTHEST = 9.0  # standard deviations; less than 1e-18 of a Gaussian lies beyond

N_LATTICES = 8
N_POINTS, N_POINTS_KNOWN = 200_000, 1_000_000  # of all lattices, for any rule and for densities, which take less time
GOLDEN = (np.sqrt(5) - 1) / 2  # multiples of it, modulo 1, are spread evenly however many there are
N_SAMPLES = 100_000  # of each class, for Monte Carlo

STEPS = np.linspace(-FARTHEST, FARTHEST, 13)  # where the first pieces of an integral end, in standard deviations
TOLERANCE, SPLIT, N_LEVELS = 1e-9, 8, 12  # of one piece of an integral; into how many it is cut, and how often
# The 15 points of Gauss and Kronrod on [−1, 1] with their weights, and those of Gauss's rule at every other one.
NODES = np.array([0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945, 0.5860872354676911,
                  0.4058451513773972, 0.2077849550078985, 0])  # fmt: skip
NODES = np.concatenate([-NODES, NODES[-2::-1]])
KRONROD = np.array([0.0229353220105292, 0.0630920926299786, 0.1047900103222502, 0.1406532597159165, 0.1690047266392679,
                    0.1903505780647854, 0.2044329400752989, 0.2094821410847278])  # fmt: skip
KRONROD = np.concatenate([KRONROD, KRONROD[-2::-1]])
GAUSS = np.array([0, 0.1294849661688697, 0, 0.2797053914892767, 0, 0.3818300505051189, 0, 0.4179591836734694])
GAUSS = np.concatenate([GAUSS, GAUSS[-2::-1]])


class ErrorRate(NamedTuple):
    """A probability of error, and how far it may be off.

    Attributes
    ----------
    value : float
    error : float
        The truth lies within `value` ± `error` in at least 95 of 100 problems (counted in 128 to 200 on the line, in
        the plane, and for nearest neighbours, trees and mixtures); where a bound is known, always.
    method : {"exact", "rows", "lattice", "Monte Carlo"}
    """

    value: float
    error: float
    method: Literal["exact", "rows", "lattice", "Monte Carlo"]


def bayes_error(
    densities: Sequence[Density], priors: Priors = "equal", rng: np.random.Generator | None = None
) -> ErrorRate:
    """Bayes error 1 − ∫ max_k π_k p(x | C_k) dx: no rule has a smaller probability of being wrong on a new sample.

    With one Gaussian per class it is "exact" on the line, up to rounding, and in the plane a sum over "rows", on each
    of which it is exact. Gaussians of one covariance are first projected onto the space that their means span, so two
    of them are "exact" in any dimension. Mixtures on the line and in the plane are averaged over points of a "lattice",
    which are the same in every call. In more dimensions the points are samples: "Monte Carlo".

    Parameters
    ----------
    densities : list of K densities
        Each a `Gaussian`, a fitted `GaussianMixture`, or a list of pairs (weight, `Gaussian`).
    priors : "equal" or (K,) array
    rng : numpy.random.Generator, optional
        Needed for Monte Carlo only; the other methods use no randomness.

    Returns
    -------
    ErrorRate
        With an `error` below 1e-8 by rows unless there are many classes, of about 1e-5 by lattice, and of about
        2e-4 by Monte Carlo.

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
    return _integrate(problem, None, rng, problem)


def error_of(
    rule: Any, densities: Sequence[Density], priors: Priors = "equal", rng: np.random.Generator | None = None
) -> ErrorRate:
    """Probability that a rule is wrong on a new sample from these densities: its true error.

    Parameters
    ----------
    rule : fitted classifier
        From this package, scikit-learn, or your own with `predict` and `classes_`.
    densities, priors, rng
        As in `bayes_error`, in the order of `rule.classes_`.

    Returns
    -------
    ErrorRate
        A rule of this package with one Gaussian per class is "exact" on the line and integrated along "rows" in the
        plane. Any other is tried on a "lattice" there, with an `error` of about 2e-4 in the plane, or 4e-5 if it
        compares known mixtures.

    Raises
    ------
    ValueError
        As `bayes_error`, or if the rule is not fitted or knows another number of classes.

    Examples
    --------
    >>> from bayeslab import NearestMean
    >>> rule = NearestMean().fit([[-1], [1], [3], [5]], ["a", "a", "b", "b"])  # cuts at 2
    >>> round(error_of(rule, [Gaussian(0, 1), Gaussian(2, 1)]).value, 4)  # the best cut, at 1, gives 0.1587
    0.2614
    """
    if not (hasattr(rule, "classes_") and hasattr(rule, "predict")):
        raise NotFittedError(f"a rule must be a fitted classifier, with predict and classes_; call fit first: {rule!r}")
    classes = np.asarray(rule.classes_)
    problem = _Problem.of(densities, by_class(priors, classes, "priors"))
    if len(classes) != len(problem.parts):
        raise ValueError(
            f"the rule knows {len(classes)} classes, {classes.tolist()}, but there are {len(problem.parts)} densities; "
            f"give one density per class, in this order"
        )
    names = getattr(rule, "feature_names_in_", None)  # of the frame that it was fitted to, whose columns it expects

    def decide(X: np.ndarray) -> np.ndarray:
        labels = np.asarray(rule.predict(X if names is None else pd.DataFrame(X, columns=names)))
        matches = labels[:, None] == classes
        if not matches.any(axis=1).all():
            unknown = labels[~matches.any(axis=1)].tolist()[0]
            raise ValueError(f"the rule predicts {unknown!r}, which is not among its classes_: {classes.tolist()}")
        return matches.argmax(axis=1)

    return _integrate(problem, decide, rng, _densities_of_rule(rule, problem))


def bhattacharyya_bound(first: Gaussian, second: Gaussian, priors: Priors = "equal") -> float:
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


def chernoff_bound(first: Gaussian, second: Gaussian, priors: Priors = "equal") -> tuple[float, float]:
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


def _priors_of_two(first: Gaussian, second: Gaussian, priors: Priors) -> np.ndarray:
    if not (isinstance(first, Gaussian) and isinstance(second, Gaussian)):
        raise ValueError(f"this bound is for two Gaussians only, not for {first!r} and {second!r}")
    return _Problem.of([first, second], priors).priors


def _log_chernoff(s: float, first: Gaussian, second: Gaussian, priors: np.ndarray) -> float:
    """ln π₁ˢ π₂¹⁻ˢ ∫ p₁ˢ p₂¹⁻ˢ dx."""
    between = Gaussian(second.mean, (1 - s) * first.covariance + s * second.covariance)
    exponent = s * (1 - s) * between.mahalanobis_squared(first.mean[None])[0]
    exponent += between.log_determinant - (1 - s) * first.log_determinant - s * second.log_determinant
    with np.errstate(divide="ignore"):
        log_priors = np.log(priors)
    return float(s * log_priors[0] + (1 - s) * log_priors[1] - exponent / 2)


class _Problem(NamedTuple):
    """Classes of known densities: the (weight, Gaussian) pairs of each class, and the priors."""

    parts: list[Mixture]
    priors: np.ndarray

    @classmethod
    def of(cls, densities: Sequence[Density], priors: Priors) -> _Problem:
        if isinstance(densities, ClassifierMixin):
            raise ValueError(f"densities must be a list with one density per class, {_not_a_classifier(densities)}")
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
    def terms(self) -> list[Term]:
        """Class number, prior × weight and Gaussian of every component that can occur."""
        classes = enumerate(zip(self.priors.tolist(), self.parts, strict=True))
        every = [(k, prior * weight, gaussian) for k, (prior, mixture) in classes for weight, gaussian in mixture]
        return [term for term in every if term[1] > 0]

    @property
    def d(self) -> int:
        return self.gaussians[0].n_features

    @property
    def has_mixtures(self) -> bool:
        return any(len(mixture) > 1 for mixture in self.parts)

    def shares(self, X: np.ndarray) -> np.ndarray:
        """π_k p(x | C_k), shape (K, n), times a number that differs from row to row of X but is common to all k."""
        classes, shares, gaussians = zip(*self.terms, strict=True)
        terms = np.stack([np.log(share) + each.log_density(X) for share, each in zip(shares, gaussians, strict=True)])
        terms = np.exp(terms - terms.max(axis=0))
        return np.stack([terms[np.equal(classes, k)].sum(axis=0) for k in range(len(self.parts))])

    def reduced(self) -> _Problem:
        """Gaussians of one covariance, whitened, in the space that their means span; any other problem as it is."""
        first = self.gaussians[0]
        if self.has_mixtures or any((each.covariance != first.covariance).any() for each in self.gaussians):
            return self
        differences = np.array([each.mean_from(first.mean) for each in self.gaussians])
        differences -= differences[0]  # what the first mean lost when it was rounded
        W = first.whitening
        left, sizes, _ = np.linalg.svd(differences * W if W.ndim == 1 else differences @ W, full_matrices=False)
        kept = max(int((sizes > 1e-12 * sizes[0]).sum()), 1) if sizes[0] > 0 else 1
        coordinates = left[:, :kept] * sizes[:kept]
        return _Problem([[(1.0, Gaussian(mean, np.ones(kept)))] for mean in coordinates], self.priors)


def _parts_of(density: Any) -> Mixture:
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
            f"{_not_a_classifier(density)}"
        )
    weights = np.array([weight for weight, _ in parts])
    check_shares(weights, "the weights of a mixture")
    return [(weight / weights.sum(), gaussian) for weight, gaussian in parts]


def _not_a_classifier(given: Any) -> str:
    if not isinstance(given, ClassifierMixin):
        return f"not {given!r}"
    return f"not the classifier {given!r}; the densities of one of ours are its gaussians_ or densities_"


def _densities_of_rule(rule: Any, problem: _Problem) -> _Problem | None:
    """The densities that the rule compares if they are Gaussians or mixtures of Gaussians, else None."""
    try:
        known = _Problem.of(getattr(rule, "gaussians_", None) or rule.densities_, rule.priors_)
    except (AttributeError, TypeError, ValueError):  # it has none, or none of this kind, or some are singular
        return None
    return known if known.d == problem.d and len(known.parts) == len(problem.parts) else None


def _integrate(
    problem: _Problem, decide: Decide | None, rng: np.random.Generator | None, known: _Problem | None
) -> ErrorRate:
    """Probability that `decide`, or the best rule, is wrong; `known` has the densities that are compared, if known."""
    if problem.d > 2:
        return _by_samples(problem, decide, rng)
    if known is None or known.has_mixtures:
        return _by_lattices(problem, decide, N_POINTS if known is None else N_POINTS_KNOWN)
    origin = problem.gaussians[0].mean  # so that a common offset costs no digits
    return (_on_line if problem.d == 1 else _by_rows)(problem.terms, known.terms, origin)


class _Rows(NamedTuple):
    """Gaussians as they are along rows of the plane: each is a Gaussian of x, times a weight, its density at that y.

    The line is one row. Each array has shape (number of Gaussians, number of rows).
    """

    classes: np.ndarray  # (number of Gaussians,)
    mean: np.ndarray
    deviation: np.ndarray
    log_weight: np.ndarray

    @property
    def level(self) -> np.ndarray:
        """What is added to −½ (x − mean)² / deviation² in the score of a class."""
        return self.log_weight - np.log(self.deviation)


class _Conditional(NamedTuple):
    """Gaussians in the plane, (n,) of each, as a Gaussian of y and, for each y, one of x."""

    classes: np.ndarray
    log_share: np.ndarray
    x: np.ndarray  # mean
    y: np.ndarray
    slope: np.ndarray  # of the mean of x where y is known
    within: np.ndarray  # standard deviation of x where y is known
    across: np.ndarray  # standard deviation of y

    @classmethod
    def of(cls, terms: list[Term], origin: np.ndarray) -> _Conditional:
        classes, shares, gaussians = zip(*terms, strict=True)
        Σ = np.array([each.covariance for each in gaussians])
        W = [each.whitening[:1] if each.whitening.ndim == 1 else each.whitening[0] for each in gaussians]
        x, y = np.array([each.mean_from(origin) for each in gaussians]).T
        within = 1 / np.array([np.linalg.norm(row) for row in W])
        return cls(np.array(classes), np.log(shares), x, y, Σ[:, 0, 1] / Σ[:, 1, 1], within, np.sqrt(Σ[:, 1, 1]))

    def at(self, y: np.ndarray) -> _Rows:
        """The rows at these y, shape (number of rows,)."""
        _, log_share, x, own_y, slope, within, across = (values[:, None] for values in self)
        away = y - own_y
        log_weight = log_share - np.log(across) - np.log(2 * np.pi) / 2 - np.square(away / across) / 2
        return _Rows(self.classes, x + slope * away, within + 0 * away, log_weight)


def _lost(truth: _Rows, rule: _Rows) -> np.ndarray:
    """Probability on each row that the rule, which has one Gaussian per class, is wrong on samples of the truth.

    We walk along the upper envelope of the rule's scores, which are parabolas, from each cut to the next. It has fewer
    than 2 K pieces, and a step compares the winner with K classes.
    """
    n, K = truth.mean.shape[1], len(rule.classes)
    # Far to the left the widest class wins; among equally wide ones the leftmost, or else the most frequent.
    winner = np.lexsort((-rule.log_weight, rule.mean, -rule.deviation), axis=0)[0]
    before, at, rows, lost = winner, np.full(n, -np.inf), np.arange(n), np.zeros(n)
    # Where a piece begins, and how much lies beyond on the side of the smaller tail, or small shares would be rounded.
    begin, beyond = np.full(truth.mean.shape, -np.inf), np.zeros(truth.mean.shape)
    scores = np.array([rule.mean, rule.deviation, rule.level])
    true = np.array([truth.mean, truth.deviation, np.exp(truth.log_weight)])
    for _ in range(4 * K):
        middle, away, following = _next_cut(scores, winner, before, at)
        mean, deviation, weight = true
        z = (middle - mean + away) / deviation
        tail = ndtr(-np.abs(z))
        share = np.where(begin > 0, beyond - tail, np.where(z < 0, tail - beyond, 1 - tail - beyond))
        lost[rows] += (weight * share * (rule.classes[winner] != truth.classes[:, None])).sum(axis=0)
        before, winner, at, begin, beyond = winner, following, np.maximum(middle + away, at), z, tail
        going = np.isfinite(middle + away)
        if not going.any():
            break
        if not going.all():
            state = rows, before, winner, at, begin, beyond, scores, true
            rows, before, winner, at, begin, beyond, scores, true = (values[..., going] for values in state)
    return lost


def _next_cut(
    scores: np.ndarray, winner: np.ndarray, before: np.ndarray, at: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where another class overtakes the winner of each row, at `middle` + `away` or never (∞), and which one it is.

    The difference of two scores, u s² + v s + w about the mean of the narrower class, grows through zero once at most:
    at the root s whose slope is the positive root of the discriminant. From there no nearly equal numbers are
    subtracted, except in the discriminant itself.
    """
    mean, deviation, level = scores
    rows, precision = np.arange(len(at)), 1 / np.square(deviation)
    its_mean, its_precision, its_level = (values[winner, rows] for values in (mean, precision, level))
    narrower, apart, higher = precision > its_precision, mean - its_mean, level - its_level
    u, v = (its_precision - precision) / 2, np.minimum(precision, its_precision) * apart
    w = np.where(narrower, v, -v) * apart / 2 + higher
    with np.errstate(divide="ignore", invalid="ignore"):  # two that never cross give NaN or ∞
        slope = np.sqrt(precision * its_precision * apart**2 + 2 * (precision - its_precision) * higher)
        away = np.where(v > 0, -2 * w / (v + slope), (slope - v) / (2 * u))
    middle = np.where(narrower, mean, its_mean)
    # Where three classes meet, rounding may put the second of two cuts before the first. The class that has just been
    # overtaken has no such right, or two that touch would take turns.
    slack = np.zeros(middle.shape) + 1e3 * ROUNDING * (np.abs(at) + deviation.min(axis=0))
    slack[before, rows] = 0
    cut = middle + away
    cut[~(cut > at - np.where(np.isfinite(slack), slack, 0))] = np.inf
    cut[winner, rows] = np.inf
    following = cut.argmin(axis=0)
    last = np.isinf(cut[following, rows])
    return middle[following, rows], np.where(last, np.inf, away[following, rows]), following


def _on_line(truth: list[Term], rule: list[Term], origin: np.ndarray) -> ErrorRate:
    """Exact sum of values of Φ; its error is how much it changes if each number of the rule does in its last digits."""

    def row(terms: list[Term]) -> list[np.ndarray]:
        numbers = [(each.mean_from(origin)[0], 1 / each.whitening.item(), np.log(share)) for _, share, each in terms]
        return [np.tile(column[:, None], 33) for column in np.transpose(numbers)]

    mean, deviation, log_weight = row(rule)
    noise = np.random.default_rng(0).uniform(-ROUNDING, ROUNDING, (3, *mean.shape)) * (np.arange(33) > 0)
    noisy = mean * (1 + noise[0]), deviation * (1 + noise[1]), log_weight + noise[2] * (1 + np.abs(log_weight))
    values = _lost(_Rows(_classes(truth), *row(truth)), _Rows(_classes(rule), *noisy))
    return ErrorRate(float(values[0]), float(ROUNDING + np.abs(values - values[0]).max()), "exact")


def _classes(terms: list[Term]) -> np.ndarray:
    return np.array([k for k, *_ in terms])


def _by_rows(truth: list[Term], rule: list[Term], origin: np.ndarray) -> ErrorRate:
    """Integrate what is lost on each row over all rows, in pieces that are cut where Gauss and Kronrod disagree."""
    true, ruled = _Conditional.of(truth, origin), _Conditional.of(rule, origin)

    def integrals(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        half = (high - low)[:, None] / 2
        # The sine crowds the rows at both ends of a piece, where a boundary may begin with a vertical tangent.
        y = low[:, None] + half * (1 + np.sin(np.pi / 2 * NODES))
        weights = half * np.pi / 2 * np.cos(np.pi / 2 * NODES)
        lost = _lost(true.at(y.ravel()), ruled.at(y.ravel())).reshape(y.shape) * weights
        return lost @ KRONROD, np.abs(lost @ KRONROD - lost @ GAUSS)

    both = _Conditional.of(list(dict.fromkeys(truth + rule)), origin)
    edges = _first_edges(true, ruled, both)
    low, high, value = edges[:-1], edges[1:], 0.0
    # The mean on a row has the rounding error of the whole width, which is a larger share of a narrow row.
    error = max(1e-10, ROUNDING * float(np.hypot(1, both.slope * both.across / both.within).max()))
    for level in range(N_LEVELS):
        parts = [integrals(low[each], high[each]) for each in blocks(len(low), len(NODES) * len(rule))]
        values, off = (np.concatenate(part) for part in zip(*parts, strict=True))
        rough = (off > TOLERANCE) & (level < N_LEVELS - 1)
        value, error = value + values[~rough].sum(), error + off[~rough].sum()
        if not rough.any():
            break
        cuts = np.linspace(low[rough], high[rough], SPLIT + 1)
        low, high = cuts[:-1].ravel(), cuts[1:].ravel()
    return ErrorRate(float(value), float(error), "rows")


def _first_edges(truth: _Conditional, rule: _Conditional, both: _Conditional) -> np.ndarray:
    """Rows at which the first pieces end, so that nothing narrow is overlooked: few rows meet it by chance.

    They are spread over each Gaussian, lie where two narrow ones cross, and where a boundary begins.
    """
    i, j = np.triu_indices(len(both.x), 1)
    with np.errstate(divide="ignore", invalid="ignore"):  # two that are parallel never meet
        turn = both.slope[i] - both.slope[j]
        meeting = (both.x[j] - both.slope[j] * both.y[j] - both.x[i] + both.slope[i] * both.y[i]) / turn
        width = (both.within[i] + both.within[j]) / np.abs(turn)
    narrow = width < np.minimum(both.across[i], both.across[j]) / 3
    edges = [both.y + np.outer(STEPS, both.across), meeting[narrow] + np.outer(STEPS[::3], width[narrow])]
    edges += [_tangents(rule, k) for k in range(len(rule.x) - 1)]
    window = truth.y + np.outer([-FARTHEST, FARTHEST], truth.across)
    return np.unique(np.concatenate([each.ravel() for each in edges]).clip(window.min(), window.max()))


def _tangents(rule: _Conditional, k: int) -> np.ndarray:
    """Rows that touch the boundary of class k with a later one where no third class wins.

    There the discriminant of the difference of two scores is 0, which is quadratic in t, y from the mean of k.
    """
    level, p, q = rule.log_share - np.log(rule.within * rule.across), rule.within**-2.0, rule.across**-2.0
    other = np.arange(k + 1, len(p))
    e, steeper, more = rule.y[k] - rule.y[other], rule.slope[k] - rule.slope[other], p[other] - p[k]
    apart, product = rule.x[k] - rule.x[other] - rule.slope[other] * e, p[k] * p[other]
    a = product * steeper**2 + more * (q[k] - q[other])
    b = product * apart * steeper - more * q[other] * e  # half the coefficient of t
    c = product * apart**2 + more * (2 * (level[other] - level[k]) - q[other] * e**2)
    s = -(b + np.copysign(np.sqrt(np.maximum(b * b - a * c, 0)), b))
    with np.errstate(divide="ignore", invalid="ignore"):  # a root or a place at infinity
        y = rule.y[k] + np.concatenate([s / a, c / s])
        other = np.tile(other, 2)[np.isfinite(y)]
        rows = rule.at(y := y[np.isfinite(y)])
        x = (p[k] * rows.mean[k] - p[other] * rows.mean[other, np.arange(len(y))]) / (p[k] - p[other])
        scores = rows.level - np.square((x - rows.mean) / rows.deviation) / 2
    return y[scores[k] >= scores.max(axis=0) - 1e-3 - 1e-9 * np.abs(scores[k])]  # with room for rounding


def _by_lattices(problem: _Problem, decide: Decide | None, n_points: int) -> ErrorRate:
    """Mean of 1 − p(decision | x) over points about each Gaussian, as many as its share: lattices, shifted at random.

    Each lattice gives an estimate without bias, so their spread tells the error of their mean. The shifts are fixed.

    References
    ----------
    Cranley and Patterson (1976), SIAM Journal on Numerical Analysis 13; Sloan and Joe (1994), Lattice Methods for
    Multiple Integration; Genz and Bretz (2009), Computation of Multivariate Normal and t Probabilities, section 4.2.
    """
    rng, values = np.random.default_rng(0), np.zeros(N_LATTICES)
    for _, share, gaussian in problem.terms:
        n = max(int(share * n_points / N_LATTICES), 64)
        for j, shift in enumerate(rng.random((N_LATTICES, 2))):
            wrong = [_wrong(problem, _lattice(part, n, shift, gaussian), decide) for part in _parts(n, problem)]
            values[j] += share * np.concatenate(wrong).mean()
    error = stdtrit(N_LATTICES - 1, LIKELY) * values.std(ddof=1) / np.sqrt(N_LATTICES)
    return ErrorRate(float(values.mean()), float(max(error, UNSEEN / n_points)), "lattice")


def _lattice(rows: slice, n: int, shift: np.ndarray, gaussian: Gaussian) -> np.ndarray:
    """Some of n points, shape (m, d), that are spread as samples of the Gaussian are, but more evenly."""
    i, d = np.arange(n)[rows, None], gaussian.n_features
    shares = (shift + i * [1 / n, GOLDEN])[:, :d] % 1
    return gaussian.mean + gaussian._spread(ndtri(np.maximum(shares, np.finfo(float).tiny)))


def _wrong(problem: _Problem, X: np.ndarray, decide: Decide | None) -> np.ndarray:
    """1 − p(decision | x) of each row of X, as the sum of the others, which keeps the digits of small ones."""
    shares = problem.shares(X)
    total, decision = shares.sum(axis=0), shares.argmax(axis=0) if decide is None else decide(X)
    shares[decision, np.arange(len(X))] = 0
    return shares.sum(axis=0) / total


def _parts(n: int, problem: _Problem) -> list[slice]:
    """Cut n points into parts that take little memory, but not so many that calling a rule takes the time."""
    return blocks(n, problem.d + len(problem.parts), at_least=BLOCK // 4)


def _by_samples(problem: _Problem, decide: Decide | None, rng: np.random.Generator | None) -> ErrorRate:
    """Mean of 1 − p(decision | x) over samples of each class, which varies less than the share of wrong decisions."""
    if rng is None:
        raise ValueError(f"in {problem.d} dimensions the error is estimated by Monte Carlo, which needs rng")
    as_generator(rng)
    value = variance = 0.0
    for prior, mixture in zip(problem.priors, problem.parts, strict=True):
        wrong = np.concatenate([_wrong(problem, X, decide) for X in _samples(mixture, problem, rng)])
        value, variance = value + prior * wrong.mean(), variance + prior**2 * wrong.var(ddof=1) / N_SAMPLES
    return ErrorRate(float(value), float(max(ndtri(LIKELY) * np.sqrt(variance), UNSEEN / N_SAMPLES)), "Monte Carlo")


def _samples(mixture: Mixture, problem: _Problem, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Draw N_SAMPLES samples of a class, in parts."""
    sizes = rng.multinomial(N_SAMPLES, [weight for weight, _ in mixture])
    for size, (_, gaussian) in zip(sizes.tolist(), mixture, strict=True):
        for rows in _parts(size, problem):
            yield gaussian.sample(len(range(size)[rows]), rng)
