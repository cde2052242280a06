"""Integrals along rays with narrow regions, many classes, or only one possible class."""

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.stats import norm
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from bayeslab import Gaussian, TrueClassifier, bayes_error, error_of


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
    assert abs(found.value - trapezoid(wrong, x) / 2) <= found.error < 1e-7


def test_a_rule_in_narrow_pieces_on_the_line():
    """A tree that has memorised noise, against tails between its thresholds."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 1)), rng.integers(0, 2, 120)
    rule = DecisionTreeClassifier(random_state=0).fit(X, y)
    cuts = np.sort(rule.tree_.threshold[rule.tree_.feature == 0])
    inner = rule.predict(np.concatenate([[cuts[0] - 1], (cuts[1:] + cuts[:-1]) / 2, [cuts[-1] + 1]])[:, None])
    a, b = (np.diff(norm(mean, 1).cdf([-np.inf, *cuts, np.inf])) for mean in (0, 1))
    found = error_of(rule, [Gaussian(0, 1), Gaussian(1, 1)])
    assert abs(found.value - (a[inner == 1].sum() + b[inner == 0].sum()) / 2) <= found.error


def test_the_error_allows_for_narrow_pieces_in_the_plane():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 2)), rng.integers(0, 2, 100)
    rule, gaussians = KNeighborsClassifier(1).fit(X, y), [Gaussian([0, 0], 1), Gaussian([1, 0], 1)]
    X, y = TrueClassifier(gaussians, [0, 1]).sample(20_000, rng)
    found = error_of(rule, gaussians)
    assert abs(found.value - np.mean(rule.predict(X) != y)) < found.error + 0.005
    assert 0.001 < found.error < 0.1


@pytest.mark.parametrize("d", [1, 2])
def test_one_possible_class(d):
    rule = TrueClassifier([Gaussian(np.zeros(d), 1), Gaussian(np.eye(d)[0] * 2, 1)], [0, 1])
    found = error_of(rule, [rule.gaussians[0], rule.gaussians[1]], [1, 0])
    assert found.value == pytest.approx(norm.sf(1), abs=1e-7)


class Stubborn:
    """A rule that always answers 0 and records the largest number of rows that it was given at once."""

    classes_, rows = np.arange(12), 0

    def predict(self, X):
        self.rows = max(self.rows, len(X))
        return np.zeros(len(X), dtype=int)


def test_many_classes_take_little_memory():
    """Of 66 pairs of classes that are equal somewhere on a ray, few are equal where no third class wins."""
    angles, rule = 2 * np.pi * np.arange(12) / 12, Stubborn()
    gaussians = [Gaussian([5 * np.cos(t), 5 * np.sin(t)], 1 + k % 2) for k, t in enumerate(angles)]
    assert error_of(rule, gaussians).value == pytest.approx(11 / 12, abs=1e-12)
    assert rule.rows < 80_000  # about 570 rays, each with 46 regular evaluations and half as many others
