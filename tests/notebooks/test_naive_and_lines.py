"""What notebooks 04, 05 and 15 say about naive Bayes, lines and measured errors, computed in another way."""

import numpy as np
import pytest
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
