"""Moments against NumPy, and the algebra of merging and removing as properties."""

from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from family import refusals
from hypothesis import example, given
from hypothesis.extra.numpy import arrays

from bayeslab import Moments
from bayeslab._base.arrays import BLOCK
from bayeslab.moments import moments_by_group

numbers = st.floats(-1e3, 1e3, allow_nan=False)


def samples(rows):
    return arrays(float, st.tuples(rows, st.just(3)), elements=numbers)


def assert_same(a, b, size):
    """Equal up to rounding at the size of the data."""
    assert np.isclose(a.weight, b.weight, rtol=1e-12)
    np.testing.assert_allclose(a.mean, b.mean, rtol=1e-12, atol=1e-12 * size)
    np.testing.assert_allclose(a.scatter, b.scatter, rtol=1e-11, atol=1e-11 * size**2 * max(a.weight, 1))


@given(samples(st.integers(1, 8)), samples(st.integers(1, 8)), st.data())
def test_parts_are_numpys_mean_and_covariance_of_the_whole_in_any_order(A, B, data):
    """A weight is a repetition."""
    repetitions = [arrays(int, len(part), elements=st.integers(0, 4)).filter(np.any) for part in (A, B)]
    parts = [(part, data.draw(each)) for part, each in zip((A, B), repetitions, strict=True)]
    whole = np.concatenate([np.repeat(*part, axis=0) for part in parts])
    size = np.abs(whole).max() + 1
    a, b = (Moments.of(*part) for part in parts)
    for merged in (a + b, b + a, Moments.of(whole)):
        assert merged.weight == len(whole)
        np.testing.assert_allclose(merged.mean, whole.mean(axis=0), rtol=0, atol=1e-12 * size)
        for ddof in (0, 1):
            covariance = np.cov(whole.T, ddof=ddof)
            np.testing.assert_allclose(merged.covariance(ddof), covariance, rtol=0, atol=1e-11 * size**2)


@given(samples(st.integers(1, 8)), samples(st.integers(1, 8)))
@example(np.array([[9.28e-161, 0, 0]]), np.zeros((2, 3)))  # whose squares have hardly any digits
def test_removing_undoes_adding(A, B):
    """Up to rounding; and a column of which only the rounding of what there was is left has no variation."""
    size, expected = max(np.abs(A).max(), np.abs(B).max()) + 1, Moments.of(A)
    both = expected + Moments.of(B)
    left = both - Moments.of(B)
    kept = left.variation > 0
    assert (expected.variation[~kept] <= 1e-13 * both.variation[~kept]).all()
    assert_same(left.of_columns(kept), expected.of_columns(kept), 20 * size)
    np.testing.assert_allclose(left.mean, expected.mean, atol=1e-11 * size)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e9 + 0.1, -1e-300])
def test_a_constant_column_has_exactly_no_scatter(value):
    moments = Moments.of(np.full((7, 1), value)) + Moments.of(np.full((4, 1), value), weights=[0, 1, 0.3, 2])
    assert moments.scatter.item() == 0
    assert moments.mean.item() == value


def test_a_column_that_has_lost_its_variation_covaries_with_none():
    X = np.random.default_rng(4).normal(size=(9, 3))
    X[:, 1] = 0.1
    gone = [[5.0, 8.3, -2.0]]
    left = (Moments.of(X) + Moments.of(gone)) - Moments.of(gone)
    np.testing.assert_array_equal(left.scatter[1], 0)
    np.testing.assert_array_equal(left.scatter[:, 1], 0)
    others = [0, 2]
    np.testing.assert_allclose(left.scatter[np.ix_(others, others)], np.cov(X[:, others].T) * 8)


def test_removing_a_little_more_variation_than_there_was():
    """Up to rounding it is all of it; beyond, it was never there."""
    whole = Moments.of([0.0, 0.0, 1.0, 1.0])  # of variation 1
    for excess in (1e-10, 1e-6):
        part = Moments.of([0.5 - np.sqrt((1 + excess) / 2), 0.5 + np.sqrt((1 + excess) / 2)])
        if excess < 1e-8:
            assert (whole - part).scatter.item() == 0
        else:
            with pytest.raises(ValueError, match="never added"):
                whole - part


def test_removing_leaves_the_digits_that_it_promises():
    """A few ε of the variation that was there before, whatever is left."""
    rng = np.random.default_rng(1)
    X = np.append(rng.normal(size=200), 1e5)
    left = Moments.of(X) - Moments.of(X[-1:])
    np.testing.assert_allclose(left.scatter, Moments.of(X[:-1]).scatter, atol=20 * 2e-16 * Moments.of(X).scatter.item())


@pytest.mark.parametrize("first", [1e15, 1e25])
def test_the_first_sample_may_weigh_nothing(first):
    """And may then be anywhere: the origin that digits are measured from is another sample."""
    X = np.append(first, np.random.default_rng(2).normal(size=50))
    weights = np.append(0, np.ones(50))
    moments = Moments.of(X, weights)
    np.testing.assert_allclose(moments.mean, X[1:].mean(), rtol=1e-12)
    np.testing.assert_allclose(moments.covariance(), X[1:].var(ddof=1), rtol=1e-12)


def test_a_heavy_block_after_a_light_one():
    """The mean of few rows is no origin for many that lie far from them."""
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(size=BLOCK), 1e9 + rng.normal(size=BLOCK)])
    weights = np.repeat([1e-9, 1.0], BLOCK)
    exact = Moments.of(X[BLOCK:]) + Moments.of(X[:BLOCK], weights[:BLOCK])
    np.testing.assert_allclose(Moments.of(X, weights).scatter, exact.scatter, rtol=1e-12)


@given(exponents=st.tuples(st.integers(-150, 150), st.integers(-150, 150)))
def test_merging_weights_of_any_size(exponents):
    """Two points of weights a and b have the scatter a·b/(a + b), whatever their size."""
    a, b = (10.0**e for e in exponents)
    merged = Moments.of([[0.0]], [a]) + Moments.of([[3.0]], [b])
    assert merged.scatter[0, 0] == pytest.approx(9 / (1 / a + 1 / b), rel=1e-12, abs=0)


@pytest.mark.parametrize("weight", [1e-200, 1e-160, 1e160, 1e200])
def test_tiny_and_huge_weights_of_many_blocks_are_like_any_others(weight):
    """In maximum likelihood only ratios of weights count, however many blocks are merged."""
    X = np.random.default_rng(0).normal(size=(30_000, 4)) + np.arange(30_000)[:, None] * 1e-4
    weighted = Moments.of(X, np.full(len(X), weight)).covariance(ddof=0)
    np.testing.assert_allclose(weighted, Moments.of(X).covariance(ddof=0), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("diagonal", [False, True])
def test_a_scatter_that_overflows_in_merging_is_named(diagonal):
    """Each part alone has one; how far they are from each other is too far for their weights."""
    near, far = (Moments.of([[0.0, x], [1.0, x + 1]], [1e200, 1e200], diagonal=diagonal) for x in (0.0, 1e60))
    with pytest.raises(ValueError, match=r"squares of column 1 are too large.*or the weights, by a constant"):
        near + far


def test_a_flat_array_is_one_feature():
    assert Moments.of([1, 2, 6]).mean == pytest.approx([3])
    assert Moments.of([1, 2, 6]).covariance() == pytest.approx(np.array([[7]]))


FRACTIONS = Moments.of([1.0, 2.0], weights=[0.1, 0.2])
HUGE = np.array([[1, 1e200], [2, -1e200], [3, 0]])


test_errors_say_what_is_wrong = refusals(
    (lambda: Moments.of([]), r"X has shape \(0, 1\)"),
    (lambda: Moments.of(np.ones((2, 2, 2))), r"X has shape \(2, 2, 2\)"),
    (lambda: Moments.of([[1.0, 2.0], [3.0, np.nan]]), r"X\[1, 1\] is nan"),
    (lambda: Moments.of([1, 2], weights=[1]), r"weights must have shape \(2,\)"),
    (lambda: Moments.of([1, 2], weights=[1, -3]), r"weights\[1\] is -3"),
    (lambda: Moments.of([1, 2], weights=[0, 0]), "all weights are zero"),
    (lambda: Moments.pooled([]), "no moments to pool: the list is empty"),
    (lambda: Moments.of([1.0]).covariance(), "add samples, or use ddof=0"),
    (lambda: Moments.of([1.0]) - Moments.of([1.0]), "nothing would be left"),
    (lambda: FRACTIONS - Moments.of([1.0], [0.1]) - Moments.of([2.0], [0.2]), "nothing would be left"),
    (lambda: Moments.of([[0, 0], [1, 1], [2, 2]]) - Moments.of([[0, 0], [1, 9]]), "never added: column 1 varies"),
    (lambda: Moments.of([1.0]) + Moments.of([[1.0, 2.0]]), r"scatters of shape \(1, 1\) and \(2, 2\) differ"),
    (lambda: moments_by_group(HUGE, np.array([0, 0, 1]), 2, None, False), "squares of column 1 are too large"),
)


def test_the_scatter_of_many_blocks_is_exactly_symmetric():
    rng = np.random.default_rng(0)
    drift = np.linspace(0, 30, 100_000)[:, None] * rng.normal(size=20)
    scatter = Moments.of(rng.normal(size=drift.shape) + drift).scatter
    np.testing.assert_array_equal(scatter, scatter.T)


def test_groups_are_taken_apart_in_any_order():
    rng = np.random.default_rng(0)
    X, group = rng.normal(size=(40, 3)) + 1e6, rng.permutation(np.arange(40) % 4)
    for diagonal in (False, True):
        for k, found in enumerate(moments_by_group(X, group, 5, None, diagonal)[:4]):
            np.testing.assert_allclose(found.mean, X[group == k].mean(axis=0), rtol=1e-15)
            covariance = np.cov(X[group == k].T)
            np.testing.assert_allclose(found.covariance(), covariance.diagonal() if diagonal else covariance, rtol=1e-8)
    assert moments_by_group(X, group, 5, None, False)[4].weight == 0


def test_the_mean_has_lost_nothing():
    X = np.random.default_rng(0).exponential(size=(20_000, 3))
    X[0] = 0  # all others are on one side of the first
    (found,) = moments_by_group(X, np.zeros(len(X), dtype=int), 1, None, True)
    for x, mean, remainder in zip(X.T, found.mean, found.remainder, strict=True):
        assert abs(Fraction(mean) + Fraction(remainder) - sum(map(Fraction, x)) / len(x)) < 2e-16
