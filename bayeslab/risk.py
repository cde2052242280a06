"""Probabilities of error for known densities: the Bayes error, and the true error of any other rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.polynomial.legendre import leggauss, legvander
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, stdtrit
from scipy.stats.qmc import Sobol
from sklearn.exceptions import NotFittedError

from bayeslab._base.arrays import BLOCK, Array, blocks, by_class, check_priors, check_shares
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
N_SETS = 8  # of points, each with an estimate of its own
N_POINTS = 300_000  # in all sets, for any rule
N_POINTS_KNOWN = 2_000_000  # where densities are compared in the plane, which takes less time
LIKELY = 0.995  # quantile of an estimate's error: 99 of 100 if it is normal, which leaves room for those that are not
UNSEEN = 3.0  # of n points none meets a region of probability 3/n in 5 of 100 cases: the rule of three

FARTHEST = 9.0  # standard deviations; less than 1e-18 of a Gaussian lies beyond
STEPS = np.linspace(-FARTHEST, FARTHEST, 13)  # where the first pieces of an integral end, in standard deviations
TOLERANCE, SPLIT, N_LEVELS = 1e-9, 8, 12  # of one piece of an integral; into how many it is cut, and how often
# Gauss's rule, and a coarser one, of degree 12, which leaves out two of its points: what they differ by is the error.
NODES, FINE = leggauss(15)
COARSE, KEPT = np.zeros(15), np.delete(np.arange(15), [4, 10])
COARSE[KEPT] = np.linalg.solve(legvander(NODES[KEPT], 12).T, 2 * (np.arange(13) == 0))


class ErrorRate(NamedTuple):
    """A probability of error, and how far it may be off.

    Attributes
    ----------
    value : float
    error : float
        The truth lies within `value` ± `error` in at least 95 of 100 problems, as `make bench-integrators` counts.
    method : {"exact", "rows", "points"}
    """

    value: float
    error: float
    method: Literal["exact", "rows", "points"]


def bayes_error(densities: Sequence[Density], priors: Priors = "equal") -> ErrorRate:
    """Bayes error 1 − ∫ max_k π_k p(x | C_k) dx: no rule has a smaller probability of being wrong on a new sample.

    With one Gaussian per class it is "exact" on the line, up to rounding, and in the plane a sum over "rows", on each
    of which it is exact. Gaussians of one covariance are first projected onto the space that their means span, so two
    of them are "exact" in any dimension. Everything else is averaged over many evenly spread "points".

    Parameters
    ----------
    densities : list of K densities
        Each a `Gaussian`, a fitted `GaussianMixture`, or a list of pairs (weight, `Gaussian`).
    priors : "equal" or (K,) array

    Returns
    -------
    ErrorRate
        With an `error` below 1e-8 by rows unless there are many classes, and of about 1e-5 by points in the plane.

    Raises
    ------
    ValueError
        If the densities and priors do not match, a covariance is singular, or scales are so far apart that numbers
        overflow.

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
    return _integrate(problem, None, problem)


def error_of(rule: Any, densities: Sequence[Density], priors: Priors = "equal") -> ErrorRate:
    """Probability that a rule is wrong on a new sample from these densities: its true error.

    Parameters
    ----------
    rule : fitted classifier
        From this package, scikit-learn, or your own with `predict` and `classes_`.
    densities, priors
        As in `bayes_error`, in the order of `rule.classes_`.

    Returns
    -------
    ErrorRate
        A rule of this package with one Gaussian per class is "exact" on the line, and for two classes of one
        covariance in any dimension. Others with one per class are integrated along "rows" in the plane. Any other rule
        is tried at many "points", with an `error` of about 2e-4 in the plane.

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

    return _integrate(problem, decide, _densities_of_rule(rule, problem))


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

    @property
    def has_a_plane(self) -> bool:
        """Whether two classes differ only in their means, so that their boundary is a plane."""
        if len(self.parts) != 2 or self.has_mixtures or not self.priors.all():
            return False
        first, second = self.gaussians
        return bool((first.covariance == second.covariance).all() and (first.mean != second.mean).any())

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


def _integrate(problem: _Problem, decide: Decide | None, known: _Problem | None) -> ErrorRate:
    """Probability that `decide`, or the best rule, is wrong; `known` has the densities that are compared, if known."""
    if known is not None and problem.d > 1 and known.has_a_plane:
        return _beyond_plane(problem.terms, known.terms)
    if problem.d > 2 or known is None or known.has_mixtures:
        return _by_points(problem, decide, N_POINTS_KNOWN if known is not None and problem.d == 2 else N_POINTS)
    origin = problem.gaussians[0].mean  # so that a common offset costs no digits
    return (_on_line if problem.d == 1 else _by_rows)(problem.terms, known.terms, origin)


def _beyond_plane(truth: list[Term], rule: list[Term]) -> ErrorRate:
    """Exact sum of values of Φ: the log odds of the rule, which are linear, are normal in each class."""
    (_, share_0, zero), (_, share_1, one) = rule
    origin = zero.mean  # so that a common offset costs no digits
    start, end = zero.mean_from(origin), one.mean_from(origin)
    step, middle = end - start, (start + end) / 2
    length = np.abs(step).max()
    step = step / length  # squares of a short one would vanish
    W = np.diag(zero.whitening) if zero.whitening.ndim == 1 else zero.whitening
    w, size = W @ (step @ W), np.abs(W) @ (np.abs(step) @ np.abs(W))  # size: of the numbers that are rounded
    value, error = 0.0, ROUNDING
    for k, share, each in truth:
        mean, Σ = each.mean_from(origin), each.covariance
        deviation, level = np.sqrt(w @ Σ @ w), np.log(share_1 / share_0) / length
        z = (w @ (mean - middle) + level) / deviation
        value += share * ndtr(-z if k == 1 else z)
        lost = (size @ (np.abs(mean) + np.abs(middle)) + np.abs(level)) / deviation
        slip = ROUNDING * (lost + np.abs(z) * (size @ np.abs(Σ) @ size) / deviation**2)  # of z
        steepest = np.exp(-(np.clip(np.abs(z) - slip, 0, 40) ** 2) / 2)  # Φ rises no faster near z
        error += share * min(slip * steepest, 1)
    return ErrorRate(float(value), float(error), "exact")


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
    """Integrate what is lost on each row over all rows, in pieces that are cut where two sums disagree."""
    true, ruled = _Conditional.of(truth, origin), _Conditional.of(rule, origin)

    def integrals(low: Array, high: Array) -> tuple[Array, Array]:
        half = (high - low)[:, None] / 2
        # The sine crowds the rows at both ends of a piece, where a boundary may begin with a vertical tangent.
        y = low[:, None] + half * (1 + np.sin(np.pi / 2 * NODES))
        weights = half * np.pi / 2 * np.cos(np.pi / 2 * NODES)
        lost = _lost(true.at(y.ravel()), ruled.at(y.ravel())).reshape(y.shape) * weights
        return lost @ FINE, np.abs(lost @ (FINE - COARSE))

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


def _by_points(problem: _Problem, decide: Decide | None, n_points: int) -> ErrorRate:
    """Mean of 1 − p(decision | x) over points about each Gaussian, as many as its share and more even than samples.

    There are several sets of Sobol's points, each scrambled at random, so that each gives an estimate without bias, and
    their spread tells the error of the mean. The scrambling is the same in every call.

    References
    ----------
    Owen (1998), Scrambling Sobol' and Niederreiter-Xing points, Journal of Complexity 14; Genz and Bretz (2009),
    Computation of Multivariate Normal and t Probabilities, section 4.2.
    """
    rng, values = np.random.default_rng(0), np.zeros(N_SETS)
    most = 2 ** max(int(np.log2(4 * BLOCK / (problem.d + len(problem.parts)))), 8)  # that take little memory
    for j in range(N_SETS):
        points = Sobol(problem.d, seed=rng)
        for _, share, gaussian in problem.terms:
            points.reset()
            n = 2 ** max(round(np.log2(share * n_points / N_SETS)), 6)
            for _ in range(0, n, most):
                z = ndtri(np.maximum(points.random(min(n, most)), np.finfo(float).tiny))
                values[j] += share / n * _wrong(problem, gaussian.mean + gaussian._spread(z), decide).sum()
    error = stdtrit(N_SETS - 1, LIKELY) * values.std(ddof=1) / np.sqrt(N_SETS)
    return ErrorRate(float(values.mean()), float(max(error, UNSEEN / n_points)), "points")


def _wrong(problem: _Problem, X: Array, decide: Decide | None) -> Array:
    """1 − p(decision | x) of each row of X, as the sum of the others, which keeps the digits of small ones."""
    shares = problem.shares(X)
    total, decision = shares.sum(axis=0), shares.argmax(axis=0) if decide is None else decide(X)
    shares[decision, np.arange(len(X))] = 0
    return shares.sum(axis=0) / total
