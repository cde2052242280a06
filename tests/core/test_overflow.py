"""In any units, and at the ends of the range of numbers, what comes out is right, or said by name."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayeslab import (
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    Moments,
    QuadraticDiscriminantAnalysis,
    load_iris,
)

IRIS = load_iris()
RULES = [QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis(), GaussianNB(), GaussianClassifier(shared=0.4)]
named = pytest.mark.parametrize("rule", RULES, ids=str)


@named
@pytest.mark.parametrize("unit", [1e-153, 1e-100, 1e100, 1e150])
def test_tiny_and_huge_units(rule, unit):
    expected = rule.fit(IRIS.X, IRIS.y).predict_proba(IRIS.X)
    np.testing.assert_allclose(rule.fit(IRIS.X * unit, IRIS.y).predict_proba(IRIS.X * unit), expected, atol=1e-7)


def test_variances_below_the_least_normal_number():
    """Their squares' digits are few, but whitening with them does not overflow."""
    expected = GaussianNB().fit(IRIS.X, IRIS.y).predict_proba(IRIS.X)
    found = GaussianNB().fit(IRIS.X * 1e-155, IRIS.y).predict_proba(IRIS.X * 1e-155)
    np.testing.assert_allclose(found, expected, atol=1e-3)


@named
def test_squares_that_overflow_are_named(rule):
    X = IRIS.X * [1, 1, 1e160, 1]
    before = rule.fit(IRIS.X, IRIS.y).predict_proba(IRIS.X)
    with pytest.raises(ValueError, match=r"squares of column 2 are too large.*divide it, or the weights"):
        rule.fit(X, IRIS.y)
    np.testing.assert_array_equal(rule.predict_proba(IRIS.X), before)


@named
@pytest.mark.parametrize("weight", [1e-200, 1e-160, 1e160, 1e200])
def test_tiny_and_huge_weights_of_many_blocks_are_like_any_others(rule, weight):
    """In maximum likelihood only ratios of weights count, however many blocks are merged."""
    X, y = np.tile(IRIS.X, (200, 1)) + np.arange(30_000)[:, None] * 1e-4, np.tile(IRIS.y, 200)
    rule = type(rule)(**{**rule.get_params(), "ddof": 0})
    whole, weighted = rule.fit(X, y).covariance_, rule.fit(X, y, np.full(len(X), weight)).covariance_
    np.testing.assert_allclose(weighted, whole, rtol=1e-11)


@given(exponents=st.tuples(st.integers(-150, 150), st.integers(-150, 150)))
def test_merging_weights_of_any_size(exponents):
    """Two points of weights a and b have the scatter a·b/(a + b), whatever their size."""
    a, b = (10.0**e for e in exponents)
    merged = Moments.of([[0.0]], [a]) + Moments.of([[3.0]], [b])
    assert merged.scatter[0, 0] == pytest.approx(9 / (1 / a + 1 / b), rel=1e-12, abs=0)


@pytest.mark.parametrize("diagonal", [False, True])
def test_a_scatter_that_overflows_in_merging_is_named(diagonal):
    """Each part alone has one; how far they are from each other is too far for their weights."""
    near, far = (Moments.of([[0.0, x], [1.0, x + 1]], [1e200, 1e200], diagonal=diagonal) for x in (0.0, 1e60))
    with pytest.raises(ValueError, match=r"squares of column 1 are too large.*or the weights, by a constant"):
        near + far


def test_units_with_fewer_samples_than_columns():
    """Pseudo-inverse and shrinkage too are taken in units that the data bring along."""
    rng = np.random.default_rng(0)
    y, units = np.repeat([0, 1, 2], 8), 10.0 ** rng.integers(-6, 7, size=12)
    X = rng.normal(size=(24, 12)) + 0.6 * y[:, None]
    for parameters in ({"singular": "pseudo"}, {"shrinkage": "ledoit_wolf"}, {"shrinkage": 0.1}):
        plain = QuadraticDiscriminantAnalysis(**parameters).fit(X, y)
        scaled = QuadraticDiscriminantAnalysis(**parameters).fit(X * units, y)
        np.testing.assert_allclose(scaled.predict_proba(X * units), plain.predict_proba(X), atol=1e-6)
