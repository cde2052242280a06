"""Probabilities of error against closed forms, sums over fine grids and simulation."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from family import refusals
from scipy.integrate import trapezoid
from scipy.stats import norm
from sklearn.neighbors import KNeighborsClassifier

from bayeslab import Gaussian, GaussianMixture, GaussianNB, TrueClassifier, make_concentric, make_xor, risk
from bayeslab.risk import bayes_error, error_of


def random_gaussian(rng, d, spread=2):
    A = rng.normal(size=(d, d + 1))
    return Gaussian(spread * rng.normal(size=d), A @ A.T)


@pytest.mark.parametrize("seed", range(8))
def test_one_dimension_against_quadrature(seed):
    rng = np.random.default_rng(seed)
    K = rng.integers(2, 5)
    gaussians = [Gaussian(rng.normal(0, 3), rng.gamma(1) + 0.05) for _ in range(K)]
    priors = rng.dirichlet(np.ones(K))
    x = np.linspace(-40, 40, 400_001)
    joint = [p * norm.pdf(x, g.mean[0], np.sqrt(g.covariance[0, 0])) for p, g in zip(priors, gaussians, strict=True)]
    found = bayes_error(gaussians, priors)
    assert found.method == "exact"
    assert found.value == pytest.approx(1 - trapezoid(np.max(joint, axis=0), x), abs=1e-7)
    # The same densities as mixtures of two equal parts, whose roots nobody computes.
    twice = bayes_error([[(0.5, g), (0.5, g)] for g in gaussians], priors)
    assert twice.method == "points"
    assert abs(twice.value - found.value) <= twice.error


@pytest.mark.parametrize("d", [1, 2, 3, 20])
def test_equal_covariances_in_any_dimension(d):
    """Φ(−Δ/2) for equal priors; for others the threshold moves by ln(π₁/π₂)/Δ."""
    rng = np.random.default_rng(d)
    Σ = random_gaussian(rng, d).covariance
    first, second = Gaussian(rng.normal(size=d), Σ), Gaussian(rng.normal(size=d), Σ)
    Δ = np.sqrt((first.mean - second.mean) @ np.linalg.solve(Σ, first.mean - second.mean))
    assert bayes_error([first, second]).value == pytest.approx(norm.cdf(-Δ / 2), rel=1e-10)
    for π in (0.3, 0.999):
        t = np.log(π / (1 - π)) / Δ
        expected = π * norm.cdf(-Δ / 2 - t) + (1 - π) * norm.cdf(-Δ / 2 + t)
        assert bayes_error([first, second], [π, 1 - π]).value == pytest.approx(expected, rel=1e-9)


def test_several_classes_of_one_covariance():
    """In 20 dimensions: with means on a line, exact; with means at the corners of a square, 1 − (1 − p)²."""
    rng = np.random.default_rng(0)
    G = random_gaussian(rng, 20)
    F, axes = np.linalg.cholesky(G.covariance), np.linalg.qr(rng.normal(size=(20, 2)))[0].T
    three = [Gaussian(G.mean + F @ (2 * k * axes[0]), G.covariance) for k in range(3)]
    found = bayes_error(three)
    assert found.method == "exact"
    assert found.value == pytest.approx(4 / 3 * norm.cdf(-1), rel=1e-10)
    four = [Gaussian(G.mean + F @ (np.array([i, j]) @ axes), G.covariance) for i in (-1, 1) for j in (-1, 1)]
    found = bayes_error(four)
    assert found.method == "rows"
    assert abs(found.value - (1 - norm.cdf(1) ** 2)) <= found.error <= 1e-4


def test_small_errors_keep_their_digits():
    for distance in (20, 40):
        found = bayes_error([Gaussian(0, 1), Gaussian(distance, 1)])
        assert found.value == pytest.approx(norm.cdf(-distance / 2), rel=1e-10, abs=0)


def test_equal_and_impossible_classes():
    same = Gaussian([0, 1], [[2, 1], [1, 3]])
    assert bayes_error([same, same], [0.3, 0.7]).value == pytest.approx(0.3, abs=1e-12)
    assert bayes_error([same, same], [0, 1]).value == 0
    assert bayes_error([Gaussian(0, 1), Gaussian(0, 4)], [1, 0]).value == 0


def test_two_dimensions_against_closed_forms():
    rng, p, r2 = np.random.default_rng(0), norm.cdf(-1 / 0.7225), 7.33**2
    t = np.log(r2) / (1 - 1 / r2)  # half the squared radius of the circle where the two densities are equal
    rings = (np.exp(-t) + 1 - np.exp(-t / r2)) / 2
    for data, exact in ((make_concentric(5, rng), rings), (make_xor(5, rng), 2 * p * (1 - p))):
        found = bayes_error(data.truth.densities_)
        assert abs(found.value - exact) <= found.error <= 1e-5


def test_a_narrow_class_far_away_is_not_overlooked():
    """A class of width σ/50 in the flank of a wide one wins in a disc of known radius."""
    s, c = 0.02, 3.0
    found = bayes_error([Gaussian([0, 0], [1, 1]), Gaussian([c, 0], [s**2, s**2])])
    height = np.exp(-(c**2) / 2)  # the wide density is nearly constant there
    r2 = -2 * np.log(s**2 * height)
    expected = 0.5 * (height * s**2 * r2 / 2 + np.exp(-r2 / 2))
    assert found.value == pytest.approx(expected, rel=0.02)
    assert found.error < expected / 20


def test_an_offset_costs_no_digits():
    """With σ = 2⁻²⁵ and twice that, one σ apart, every number is exact, also far from the origin."""
    for d in (1, 2):
        pairs = [
            [Gaussian(np.full(d, m), variance) for m, variance in ((at, 2.0**-50), (at + 2.0**-25, 2.0**-48))]
            for at in (0.0, 2.0**26)
        ]
        near, far = map(bayes_error, pairs)
        assert far.value == pytest.approx(near.value, rel=1e-12)


def test_classes_far_apart_are_never_confused():
    """σ is smaller than the rounding of the boundary."""
    for means in ((0, 1e8), (1e9, 2e9, 3e9)):
        found = bayes_error([Gaussian(mean, 1e-24) for mean in means])
        assert found.value == 0
        assert found.error < 1e-14


def test_the_error_of_points_covers_the_truth_as_often_as_it_says(monkeypatch):
    """Of 50 linear rules in five dimensions, 99 % have a true error, Φ, within the stated one; half of it, 88 %."""
    monkeypatch.setattr(risk, "N_POINTS", 2000)
    monkeypatch.setattr(risk, "UNSEEN", 0)
    off = []
    for rng in map(np.random.default_rng, range(50)):
        gaussians = [Gaussian(np.zeros(5), 1), Gaussian(rng.normal(size=5) * 0.6, 1)]
        exact = bayes_error(gaussians, [0.3, 0.7])
        best = TrueClassifier(gaussians, [0, 1], [0.3, 0.7])
        silent = SimpleNamespace(classes_=best.classes_, predict=best.predict)  # its densities would make it exact
        found = error_of(silent, gaussians, [0.3, 0.7])
        assert (exact.method, found.method) == ("exact", "points")
        off.append(abs(found.value - exact.value) / found.error)
    # The tolerances are three standard errors of a share of 50; the shares are Student's t with 7 degrees of freedom.
    assert np.mean(np.array(off) < 1) == pytest.approx(0.99, abs=0.05)
    assert np.mean(np.array(off) < 0.5) == pytest.approx(0.876, abs=0.14)


class Cut:
    """A rule that cuts the line at 1 and calls what is below `low`, what is above `high`."""

    def __init__(self, classes, low, high):
        self.classes_, self.low, self.high = classes, low, high

    def predict(self, X):
        return np.where(X[:, 0] < 1, self.low, self.high)


@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("b", "a"), (0, 1), (1, 0)])
def test_error_of_a_rule_with_classes_in_any_order(first, second):
    below, above = Gaussian(0, 1), Gaussian(2, 1)
    found = error_of(Cut([first, second], first, second), [below, above], [0.3, 0.7])
    assert found.value == pytest.approx(norm.cdf(-1), abs=2e-5)
    wrong = error_of(Cut([first, second], second, first), [below, above], [0.3, 0.7])
    assert wrong.value == pytest.approx(norm.cdf(1), abs=2e-5)


@pytest.mark.parametrize(("middle", "third"), [(np.exp(-0.5), 1), (np.exp(-0.5) * (1 + 1e-15), 1 + 1e-15)])
def test_three_classes_that_meet_in_one_point(middle, third):
    """Between N(−1, 1) and N(1, 1), the prior of N(0, 1) is just so small that it wins nowhere, up to rounding."""
    priors = np.array([1, middle, third])
    priors /= priors.sum()
    for order in ([0, 1, 2], [2, 1, 0], [1, 0, 2]):
        gaussians = [Gaussian(m, 1) for m in (-1, 0, 1)]
        found = bayes_error([gaussians[k] for k in order], priors[order])
        assert found.value == pytest.approx(1 - (priors[0] + priors[2]) * norm.cdf(1), abs=1e-12)


@pytest.mark.parametrize("d", [1, 3])
def test_error_of_a_rule_that_predicts_an_unknown_label(d):
    gaussians = [Gaussian(np.zeros(d), 1), Gaussian(np.ones(d), 1)]
    with pytest.raises(ValueError, match=r"predicts 'c', which is not among its classes_: \['a', 'b'\]"):
        error_of(Cut(["a", "b"], "a", "c"), gaussians)


def test_the_error_allows_for_mistakes_that_no_sample_met():
    """With so few points for Φ(−5.5), the standard error computed from them is far too small."""
    gaussians = [Gaussian(np.zeros(3), 1), Gaussian([11, 0, 0], [1, 1, 1 + 1e-9])]
    found = bayes_error(gaussians)
    assert abs(found.value - norm.cdf(-5.5)) <= found.error <= 5e-5


def test_weights_and_priors_may_sum_to_one_only_approximately():
    thirds = [(0.333334, Gaussian(np.full(3, m), 1)) for m in (0.0, 1.0, 2.0)] + [(0, Gaussian(np.zeros(3), 1))]
    found = bayes_error([thirds, thirds], [0.500002, 0.500002])
    assert found.value == pytest.approx(0.5, abs=1e-12)


def test_a_rule_that_was_fitted_to_a_frame_is_given_frames():
    """scikit-learn's rules would warn, and warnings are errors."""
    frame = pd.DataFrame({"width": [0.0, 1, 4, 5], "length": [0, 2, 5, 7]})
    rule = KNeighborsClassifier(1).fit(frame, [0, 0, 1, 1])
    gaussians = [Gaussian([0, 1], 1), Gaussian([4, 6], 1)]
    plain = KNeighborsClassifier(1).fit(frame.to_numpy(), [0, 0, 1, 1])
    assert error_of(rule, gaussians) == error_of(plain, gaussians)


def test_fitted_mixtures():
    X = np.random.default_rng(0).normal(size=(2, 60, 1)) * [[[1]], [[3]]]
    fitted = [GaussianMixture(2, random_state=0).fit(part) for part in X]
    pairs = [list(zip(each.weights_, each.gaussians_, strict=True)) for each in fitted]
    assert bayes_error(fitted).value == pytest.approx(bayes_error(pairs).value, rel=1e-9)


PLANE, LINE, FLAT = Gaussian([0, 0], 1), Gaussian(0, 1), Gaussian([0, 0], [1, 0], singular="pseudo")
TINY, HUGE, REMOTE = Gaussian([0, 0], [1, 1e-300]), Gaussian([0, 0], [1, 1e300]), Gaussian([0, 1e200], 1)
test_errors_say_what_is_wrong = refusals(
    (lambda: bayes_error([PLANE]), r"not 1 with \[2\] features"),
    (lambda: bayes_error([PLANE, "a bell"]), "a density must be a Gaussian"),
    (
        lambda: bayes_error([PLANE, GaussianNB()]),
        r"must be .* not the classifier GaussianNB\(\); .* gaussians_",
    ),
    (
        lambda: bayes_error(TrueClassifier([PLANE] * 2, [0, 1])),
        "one density per class, not the classifier",
    ),
    (lambda: error_of(GaussianNB(), [PLANE, PLANE]), r"must be a fitted classifier, .* call fit first: GaussianNB"),
    (lambda: error_of(PLANE, [PLANE, PLANE]), r"must be a fitted classifier, .*: Gaussian\(mean"),
    (lambda: bayes_error([LINE, [(0.5, LINE), (0.4, LINE)]]), "weights of a mixture must be non-negative and sum to 1"),
    (lambda: bayes_error([PLANE, LINE]), r"not 2 with \[1, 2\] features"),
    (lambda: bayes_error([PLANE, FLAT]), r"no density to integrate: .* has rank 1 of 2"),
    (lambda: bayes_error([TINY, HUGE]), r"scales .* too far apart: in column 1, .* by 1e\+300 times"),
    (lambda: bayes_error([PLANE, REMOTE]), r"scales .* too far apart: in column 1, .* by 1e\+200 times"),
    (lambda: bayes_error([LINE, LINE], [0.2, 0.3, 0.5]), r"2 densities need 2 priors, not 3: \[0.2, 0.3, 0.5\]"),
    (lambda: error_of(TrueClassifier([PLANE] * 2, [0, 1]), [PLANE] * 3), "knows 2 classes.* there are 3 densities"),
)


def test_an_error_far_below_one_is_not_lost():
    """1 − p(decision | x) is a sum of what is left, which the difference would round to 0."""
    near, far = ([(0.5, Gaussian([x, 0], np.eye(2))), (0.5, Gaussian([x, 3], np.eye(2)))] for x in (0, 16))
    found = bayes_error([near, far])
    assert 0 < found.value < found.error
