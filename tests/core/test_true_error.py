"""The true error of rules with regions of any width: the stated error covers the difference from an oracle."""

from itertools import combinations, product

import mpmath
import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.special import ndtr
from scipy.stats import norm
from sklearn.tree import DecisionTreeClassifier

from bayeslab import (
    Gaussian,
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    TrueClassifier,
    bayes_error,
    error_of,
)

RULES = [GaussianNB, QuadraticDiscriminantAnalysis, LinearDiscriminantAnalysis, lambda: GaussianClassifier(shared=0.3)]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


def missed(truth, priors, gaussians):
    """Share of each class that a rule of these Gaussians gets wrong: exact along rows, Gauss's rule across them.

    In coordinates that make the class round, pieces are cut at the rows where a boundary begins, and their nodes
    crowd there, since the integrand has square roots.
    """
    return np.array([_missed(k, own, priors, gaussians) for k, own in enumerate(truth)])


def _missed(k, own, priors, gaussians):
    F, A, b, c, edges = np.linalg.cholesky(own.covariance), [], [], [], [np.linspace(-9, 9, 2001)]
    for prior, each in zip(priors, gaussians, strict=True):
        A.append(-F.T @ np.linalg.solve(each.covariance, F) / 2)
        center = np.linalg.solve(F, each.mean - own.mean)
        b.append(-2 * A[-1] @ center)
        c.append(np.log(prior) - np.linalg.slogdet(each.covariance)[1] / 2 + center @ A[-1] @ center)
    pairs = list(combinations(range(len(gaussians)), 2))
    for i, j in pairs:
        P, p, p0 = A[i] - A[j], b[i] - b[j], c[i] - c[j]
        edges.append(
            np.roots([-4 * np.linalg.det(P), 4 * P[0, 1] * p[0] - 4 * P[0, 0] * p[1], p[0] ** 2 - 4 * P[0, 0] * p0])
        )
    edges = np.unique(np.clip(np.concatenate(edges).real, -9, 9))
    middle, half, turn = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2, np.pi / 2 * NODES
    y = (middle[:, None] + half[:, None] * np.sin(turn)).ravel()
    weights = (half[:, None] * WEIGHTS * np.pi / 2 * np.cos(turn)).ravel() * norm.pdf(y)
    rows = [
        np.array([P[0, 0] + 0 * y, 2 * P[0, 1] * y + p[0], P[1, 1] * y**2 + p[1] * y + p0])
        for P, p, p0 in zip(A, b, c, strict=True)
    ]
    ends = [-9 + 0 * y, 9 + 0 * y]
    for i, j in pairs:
        u, v, w = rows[i] - rows[j]
        q = -(v + np.copysign(np.sqrt(np.maximum(v * v - 4 * u * w, 0)), v)) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            ends += [np.clip(np.nan_to_num(root), -9, 9) for root in (q / u, w / q)]
    ends = np.sort(ends, axis=0)
    between = (ends[1:] + ends[:-1]) / 2
    winner = np.argmax([(u * between + v) * between + w for u, v, w in rows], axis=0)
    return np.where(winner != k, np.diff(ndtr(ends), axis=0), 0).sum(axis=0) @ weights


def drawn(seed, d):
    """Return true Gaussians, some of them thin, and a rule fitted to a few of their samples."""
    rng = np.random.default_rng(seed)
    K, n = rng.integers(2, 4), rng.integers(d + 1, 9)
    factors = [rng.normal(size=(d, d)) for _ in range(K)]
    truth = [Gaussian(rng.normal(size=d), A @ A.T + 1e-4 * np.eye(d)) for A in factors]
    X, y = np.concatenate([each.sample(n, rng) for each in truth]), np.repeat(np.arange(K), n)
    return truth, RULES[seed % len(RULES)]().fit(X, y)


@pytest.mark.parametrize("seed", range(8))
def test_the_best_rule_in_the_plane(seed):
    truth, rule = drawn(seed, 2)
    best = bayes_error(truth, rule.priors_)
    assert abs(best.value - rule.priors_ @ missed(truth, rule.priors_, truth)) <= best.error


@pytest.mark.parametrize("seed", range(6))
def test_rules_of_few_samples_in_the_plane(seed):
    truth, rule = drawn(seed, 2)
    priors = np.random.default_rng(seed).dirichlet(np.ones(len(truth)))
    found = error_of(rule, truth, priors)
    assert abs(found.value - priors @ missed(truth, rule.priors_, rule.gaussians_)) <= found.error < 1e-3


@pytest.mark.parametrize("height", [1e-2, 1e-4])
@pytest.mark.parametrize("seed", range(4))
def test_a_small_region_away_from_every_mean_is_not_overlooked(seed, height):
    """Its class is narrower in all directions and so rare that its log odds rise only to this height."""
    rng = np.random.default_rng(seed)
    means, shift, A = 0.7 * rng.normal(size=(2, 2)), rng.normal(size=2), rng.normal(size=(2, 2, 2))
    narrow, more = A @ A.swapaxes(1, 2) + np.eye(2) / 2
    wide, rare = Gaussian(means[0], narrow + more), Gaussian(means[1], narrow)
    P, Q = np.linalg.inv(wide.covariance), np.linalg.inv(rare.covariance)
    highest = np.linalg.solve(Q - P, Q @ rare.mean - P @ wide.mean)
    prior = 1 / (1 + np.exp(rare.log_density(highest) - wide.log_density(highest) - height))
    truth = [Gaussian(highest + shift, 1), Gaussian(highest - shift, 1)]
    for order in (slice(None), slice(None, None, -1)):
        bells, priors, given = [wide, rare][order], [1 - prior, prior][order], [1, 0][order]
        found = error_of(TrueClassifier(bells, [0, 1], priors), truth, given)
        assert abs(found.value - missed(truth, priors, bells) @ given) <= found.error < 1e-8


@pytest.mark.parametrize("width", [0.1, 1e-2, 1e-3, 1e-5])
def test_a_stripe_of_any_width(width):
    """Two Gaussians with the same mean, equal along one axis: the region of one class is an endless stripe."""
    thin, wide, (c, s) = [3.0, width / 2], [3.0, width], (np.cos(0.4), np.sin(0.4))
    R, off = np.array([[c, -s], [s, c]]), 1.7
    rule = TrueClassifier([Gaussian(R @ [0, off], R @ np.diag(np.square(z)) @ R.T) for z in (thin, wide)], [0, 1])
    half = width * np.sqrt(2 * np.log(2) / 3)  # where z²/2w² · 3 = ln 2
    inside = norm.cdf(off + half) - norm.cdf(off - half)
    found = error_of(rule, [Gaussian([0, 0], 1), Gaussian([0, 0], 1)], [0, 1])
    assert abs(found.value - inside) <= found.error < 1e-3


@pytest.mark.parametrize("w", [1e-1, 1e-3, 1e-5])
def test_two_needles_that_cross(w):
    """At right angles and equal but for that, they meet where |x| = |y|: wrong if w |z₂| > |z₁|, so 2/π arctan w."""
    c, s = np.cos(0.4), np.sin(0.4)
    R = np.array([[c, -s], [s, c]])
    found = bayes_error([Gaussian([3, 1], R @ np.diag(variances) @ R.T) for variances in ([1, w**2], [w**2, 1])])
    assert abs(found.value - 2 / np.pi * np.arctan(w)) <= found.error < 1e-8


@pytest.mark.parametrize("seed", range(10))
def test_the_error_of_a_plane_covers_what_nearly_singular_covariances_lose(seed):
    """Against 50 digits, one standard deviation from a plane that the priors alone put there."""
    rng = np.random.default_rng(seed)
    u, step, thin = rng.normal(size=2), 1e-3 * rng.normal(size=2), 10 ** rng.uniform(-7, -2)
    Σ, true = (np.outer(u, u) + each * np.eye(2) for each in (thin, 1e-3 * thin * rng.random()))
    w = np.linalg.solve(Σ, step)
    share = 1 / (1 + np.exp(np.sqrt(w @ true @ w)))
    rule = TrueClassifier([Gaussian([0, 0], Σ), Gaussian(step, Σ)], [0, 1], [1 - share, share])
    found = error_of(rule, [Gaussian([0, 0], true)] * 2, [1, 0])
    with mpmath.workdps(50):
        d, exact = mpmath.matrix(step), mpmath.lu_solve(mpmath.matrix(Σ), mpmath.matrix(step))
        level = mpmath.log(mpmath.mpf(share) / mpmath.mpf(1 - share)) - (exact.T * d)[0] / 2
        value = mpmath.ncdf(level / mpmath.sqrt((exact.T * mpmath.matrix(true) * exact)[0]))
        assert abs(value - found.value) <= found.error


class Silent:
    """A rule with nothing but `predict` and `classes_`."""

    def __init__(self, rule):
        self.predict, self.classes_ = rule.predict, rule.classes_


@pytest.mark.parametrize("d", [1, 2])
def test_a_rule_whose_densities_are_unknown(d):
    """Its regions can be met only by chance, and the stated error allows for that."""
    for seed in range(5 if d == 1 else 1):
        truth, rule = drawn(seed, d)
        found, known = error_of(Silent(rule), truth), error_of(rule, truth)
        assert abs(found.value - known.value) <= found.error + known.error, seed
        assert 1e-5 <= found.error <= 5e-4


def test_a_tree_in_the_plane_against_its_boxes():
    """The stated error holds in 95 of 100 problems; where it doesn't, it is not far off."""
    ratios = []
    for n, seed in product((6, 40), range(10)):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(n, 2)), np.arange(n) % 2
        rule = DecisionTreeClassifier(random_state=0).fit(X, y)
        cuts = [np.concatenate([[-99], np.unique(rule.tree_.threshold[rule.tree_.feature == j]), [99]]) for j in (0, 1)]
        middles = np.stack(np.meshgrid(*((cut[1:] + cut[:-1]) / 2 for cut in cuts), indexing="ij"), axis=-1)
        shares = np.outer(*(np.diff(ndtr(cut)) for cut in cuts))
        found = error_of(rule, [Gaussian([0, 0], 1), Gaussian([9, 9], 1)], [1, 0])
        ratios.append(abs(found.value - shares.ravel() @ rule.predict(middles.reshape(-1, 2))) / found.error)
    assert sum(ratio > 1 for ratio in ratios) <= len(ratios) / 20
    assert max(ratios) <= 2


@pytest.mark.parametrize("angle", [0.1061, 1.0, 2.3456])
def test_a_needle_between_two_rays_is_not_overlooked(angle):
    """A class of width σ/10⁴ points at the wide mean. Oracle: closed form across the needle, sums along it."""
    w, (c, s) = 1e-4, (np.cos(angle), np.sin(angle))
    R = np.array([[c, -s], [s, c]])
    found = bayes_error([Gaussian([0, 0], np.eye(2)), Gaussian(R @ [2.5, 0], R @ np.diag([0.25, w**2]) @ R.T)])
    x = np.linspace(-9, 9, 200_001)
    log_odds = norm.logpdf(x, 2.5, 0.5) - norm.logpdf(x) - np.log(w)
    half = np.sqrt(np.maximum(2 * log_odds, 0) / (1 / w**2 - 1))  # half the width of the region where the needle wins
    wrong = norm.pdf(x) * (1 - 2 * norm.sf(half)) + norm.pdf(x, 2.5, 0.5) * 2 * norm.sf(half / w)
    assert abs(found.value - trapezoid(wrong, x) / 2) <= found.error < 1e-4


@pytest.mark.parametrize("d", [2, 5])
@pytest.mark.parametrize("rule", [LinearDiscriminantAnalysis(), NearestMean(), GaussianClassifier("diagonal", True)])
def test_a_plane_between_two_classes_is_exact_for_mixtures_far_from_the_origin_too(rule, d):
    rng = np.random.default_rng(d)
    bells = [Gaussian(rng.normal(1e4, 1, d), A @ A.T + np.eye(d)) for A in rng.normal(size=(3, d, d))]
    truth, priors = [bells[0], [(0.4, bells[1]), (0.6, bells[2])]], np.array([0.3, 0.7])
    X = np.concatenate([each.sample(d + 5, rng) for each in bells[:2]])
    y = np.repeat([0, 1], d + 5)
    w, w0 = rule.fit(X - 1e4, y).coef_[0], rule.intercept_[0]
    z = np.array([(w0 + w @ (g.mean - 1e4)) / np.sqrt(w @ g.covariance @ w) for g in bells])
    found = error_of(rule.fit(X, y), truth, priors)
    expected = ndtr(z * [1, -1, -1]) @ [0.3, 0.28, 0.42]
    assert found.method == "exact"
    assert found.value == pytest.approx(expected, abs=1e-9)
    assert found.error < 1e-9
    assert error_of(rule, truth, [0, 1]).value == pytest.approx(ndtr(-z[1:]) @ [0.4, 0.6], abs=1e-9)


@pytest.mark.parametrize("step", [1e-8, 1e-150, 1e-200])
@pytest.mark.parametrize("priors", [[0.5, 0.5], [0.3, 0.7]])
def test_classes_that_nearly_coincide_are_told_apart_by_their_priors(step, priors):
    bells = [Gaussian([0, 0], 1), Gaussian([step, 0], 1)]
    found = error_of(TrueClassifier(bells, [0, 1], priors), bells, priors)
    assert abs(found.value - bayes_error(bells, priors).value) <= found.error < 1e-14


def test_a_class_that_a_rule_never_names_is_always_wrong():
    bells = [Gaussian(mean, 1) for mean in ([0, 0], [2, 0], [0, 9])]
    rule = TrueClassifier(bells, [0, 1, 2], [0.5, 0.5, 0])
    found = error_of(rule, bells)
    assert abs(found.value - (2 * ndtr(-1) + 1) / 3) <= found.error


class Stubborn:
    """A rule that always answers 0 and counts the rows that it was given."""

    classes_, rows = np.arange(12), 0

    def predict(self, X):
        self.rows += len(X)
        return np.zeros(len(X), dtype=int)


def test_a_slow_rule_is_not_asked_for_more_with_many_classes():
    angles, rule = 2 * np.pi * np.arange(12) / 12, Stubborn()
    gaussians = [Gaussian([5 * np.cos(t), 5 * np.sin(t)], 1 + k % 2) for k, t in enumerate(angles)]
    assert error_of(rule, gaussians).value == pytest.approx(11 / 12, abs=1e-5)
    assert rule.rows <= 500_000
