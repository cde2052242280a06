"""What notebooks 04, 05 and 15 say about naive Bayes, lines and measured errors, computed in another way."""

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar
from scipy.stats import multivariate_normal, norm

from bayeslab import make_concentric, make_three_classes, make_xor

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("make", "rate"), [(make_concentric, 9 / 200), (make_xor, 61 / 400), (make_three_classes, 49 / 600)]
)
def test_the_makers_are_tuned_to_the_printed_rates(make, rate):
    data = make(40_000, RNG)
    densities = [multivariate_normal(g.mean, g.covariance).pdf(data.X) for g in data.truth.gaussians]
    if make is make_xor:  # two clusters a class
        densities = [densities[0] + densities[1], densities[2] + densities[3]]
    assert np.mean(np.argmax(densities, axis=0) != data.y) == pytest.approx(rate, abs=0.005)


def test_naive_sees_turned_xor_only():
    """From moments alone: naive compares variances, which turned clusters have exchanged and the others equal."""
    σ2, turn = 0.7225**2, np.array([[1, -1], [1, 1]]) / np.sqrt(2)
    own = [np.array([[1 + σ2, sign], [sign, 1 + σ2]]) for sign in (1, -1)]
    np.testing.assert_array_equal(np.diag(own[0]), np.diag(own[1]))
    turned = [turn @ Σ @ turn.T for Σ in own]
    np.testing.assert_allclose(turned, [np.diag([σ2, 2 + σ2]), np.diag([2 + σ2, σ2])], atol=1e-12)  # no correlation
    p = norm.cdf(-1 / 0.7225)  # so |x₁| against |x₂| decides: the best rule
    assert 400 * 2 * p * (1 - p) == pytest.approx(61, abs=0.01)


def test_error_at_opposite_tilts():
    """The share of the plane's mass with features of opposite signs is arccos ρ / π."""
    lower = multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]]).cdf([0, 0])
    assert 1 - 2 * lower == pytest.approx(np.arccos(0.8) / np.pi, abs=1e-6)


def test_shares_of_best_lines():
    """By symmetry the best line of xor cuts off a corner: look along the diagonal; concentric: any direction."""
    σ = 0.7225

    def on_diagonal(t):  # class 0 at ±√2, class 1 twice at 0; class 0 beyond t
        z = np.sqrt(2)
        return (norm.cdf((t - z) / σ) + norm.cdf((t + z) / σ) + 2 * norm.sf(t / σ)) / 4

    def in_any_direction(t):  # narrow 1, wide 7.33; wide beyond t
        return (norm.cdf(t / 7.33) + norm.sf(t)) / 2

    assert minimize_scalar(on_diagonal, (0.5, 1)).fun == pytest.approx(0.3621, abs=1e-4)
    assert minimize_scalar(in_any_direction, (1, 2)).fun == pytest.approx(0.3151, abs=1e-4)
    # Lines of other directions, on samples: none does better.
    for make, least in ((make_xor, 0.3621), (make_concentric, 0.3151)):
        data = make(20_000, RNG)
        for angle in np.radians(np.arange(0, 180, 15)):
            order = np.argsort(data.X @ [np.cos(angle), np.sin(angle)])
            below = np.cumsum(data.y[order] == 1) + np.cumsum((data.y[order] == 0)[::-1])[::-1]
            wrong = np.minimum(below, len(below) - below).min() / len(below)
            assert wrong > least - 0.01


def test_standard_error_of_a_share():
    shares = RNG.binomial(200, 0.75, size=100_000) / 200
    assert shares.std() == pytest.approx(np.sqrt(0.75 * 0.25 / 200), rel=0.02)


def test_naive_stays_away_from_a_covariance_of_one_half():
    """The best diagonal matrix is as far from [[1, ½], [½, 1]] as the two entries which it lacks."""
    Σ = np.array([[1, 0.5], [0.5, 1]])
    off = minimize(lambda v: np.sum((np.diag(v) - Σ) ** 2), [3.0, 2.0]).fun
    assert np.sqrt(off) == pytest.approx(np.sqrt(0.5), abs=1e-6)
