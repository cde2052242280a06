"""Families in one dimension against SciPy: estimates, densities, supports, the ends of their range, and failures."""

import math
import pickle

import numpy as np
import pytest
from family import refusals
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from bayeslab import (
    Bernoulli,
    Binomial,
    Categorical,
    DegenerateSampleError,
    Exponential,
    Laplace,
    Normal,
    ParzenWindow,
    Poisson,
    Rayleigh,
    StudentT,
)

RNG = np.random.default_rng(0)
REAL = RNG.normal(3, 2, size=41)
POSITIVE = RNG.gamma(2, 3, size=40)
COUNTS = RNG.poisson(3, size=40)
CONTINUOUS = {Normal(): REAL, Exponential(): POSITIVE, Laplace(): REAL, Rayleigh(): POSITIVE, ParzenWindow(): REAL}
DISCRETE = {Poisson(): COUNTS, Binomial(12): COUNTS, Bernoulli(): COUNTS > 2, Categorical(): COUNTS}
EACH = [pytest.param(family, sample, id=str(family)) for family, sample in {**CONTINUOUS, **DISCRETE}.items()]
IN_UNITS = [pytest.param(family, sample, id=str(family)) for family, sample in CONTINUOUS.items()]


def estimate(family, x):
    """Fit a family; `StudentT` as naive Bayes does."""
    return family.estimate(family.summarise(x)) if isinstance(family, StudentT) else family.fit(x)


SPREAD_OF_THE_NEXT = REAL.std(ddof=1) * math.sqrt(1 + 1 / 41)


@pytest.mark.parametrize(
    ("family", "sample", "expected"),
    [
        (Normal(), REAL, stats.norm(*stats.norm.fit(REAL)).logpdf),
        (Exponential(), POSITIVE, stats.expon(*stats.expon.fit(POSITIVE, floc=0)).logpdf),
        (Laplace(), REAL, stats.laplace(*stats.laplace.fit(REAL)).logpdf),
        (Rayleigh(), POSITIVE, stats.rayleigh(*stats.rayleigh.fit(POSITIVE, floc=0)).logpdf),
        (ParzenWindow(), REAL, stats.gaussian_kde(REAL, "silverman").logpdf),
        (StudentT(), REAL, stats.t(40, REAL.mean(), SPREAD_OF_THE_NEXT).logpdf),
        (Poisson(), COUNTS, stats.poisson(COUNTS.mean()).logpmf),
        (Binomial(12), COUNTS, stats.binom(12, COUNTS.mean() / 12).logpmf),
        (Bernoulli(), COUNTS > 2, stats.bernoulli((COUNTS > 2).mean()).logpmf),
    ],
)
def test_densities_agree_with_scipy(family, sample, expected):
    points = [0, 1] if isinstance(family, Bernoulli) else np.arange(1, 13)
    np.testing.assert_allclose(estimate(clone(family), sample).log_density(points), expected(points), rtol=1e-10)


@pytest.mark.parametrize(
    ("family", "sample", "inside", "outside"),
    [
        (Exponential(), POSITIVE, [0, 5], [-1e-9, -3]),
        (Rayleigh(), POSITIVE, [1e-9, 5], [0, -1]),
        (Poisson(), COUNTS, [0, 7, 100], [-1, 0.5, np.inf]),
        (Binomial(9), COUNTS.clip(max=9), [0, 9], [-1, 10, 2.5, np.inf]),
        (Bernoulli(), [0, 1, 1], [0, 1], [2, 0.5, -1]),
        (Categorical(), [1, 1, 3], [1, 3], [2, 0, 4, 1.5]),
        (Normal(), REAL, [-50, 50], [np.inf, -np.inf]),
        (Poisson(), [0, 0], [0], [1]),
        (Bernoulli(), [1, 1], [1], [0]),
    ],
)
def test_the_density_is_zero_outside_the_support(family, sample, inside, outside):
    fitted = family.fit(sample)
    assert np.isfinite(fitted.log_density(inside)).all()
    assert np.isneginf(fitted.log_density(outside)).all()
    assert np.isnan(fitted.log_density(np.nan))
    assert fitted.log_density(np.full((2, 3), inside[0])).shape == (2, 3)


@pytest.mark.parametrize(("family", "sample"), EACH)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_weight_is_a_repetition(family, sample, seed):
    """Of weight 0 too, whatever its value."""
    counts = np.random.default_rng(seed).integers(0, 4, len(sample))
    weighted = clone(family).fit(np.append(sample, -1e300), np.append(counts, 0))
    repeated = clone(family).fit(np.repeat(sample, counts))
    points = np.arange(9)
    np.testing.assert_allclose(weighted.log_density(points), repeated.log_density(points), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("family", "sample"), IN_UNITS)
@pytest.mark.parametrize("unit", [1e-100, 1e-3, 1e100])
def test_a_density_changes_with_the_unit_as_it_must(family, sample, unit):
    """P(x) dx is the same in any unit."""
    found = clone(family).fit(sample * unit).log_density(sample * unit) + np.log(unit)
    np.testing.assert_allclose(found, clone(family).fit(sample).log_density(sample), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("family", [Normal(), Laplace(), ParzenWindow()], ids=str)
def test_an_offset_costs_no_digits(family):
    x = np.round(REAL * 2**20) / 2**20 * 2**-10  # so that adding the offset rounds nothing away
    near, far = (clone(family).fit(x + offset).log_density(x + offset) for offset in (0, 2.0**20))
    np.testing.assert_allclose(far, near, rtol=1e-9)


@pytest.mark.parametrize(
    ("x", "weights", "median"),
    [
        ([1, 2, 4, 9], None, 3),
        ([-9, -1, -4, -2], None, -3),
        ([9, 1, 4, 2], [1, 1, 1, 1.001], 2),
        ([9, 1, 4, 2], [1, 1, 1, 1 + 1e-9], 2),
        ([1, 2, 4, 9, 10, 11], np.full(6, 0.1), 6.5),  # 0.1 + 0.1 + 0.1 is more than half of the sum of all six
        ([1, 2, 4, 9], [0.1, 0.7, 0.7, 0.1], 3),  # and 0.1 + 0.7 less than half of this sum
        ([1.6e308, 1.7e308], None, 1.65e308),  # half of their sum would be infinite
    ],
)
def test_the_median_is_halfway_between_the_middle_two_by_weight(x, weights, median):
    assert Laplace().fit(x, weights).median_ == pytest.approx(median, rel=1e-15)


def test_probabilities_near_the_ends_keep_their_digits():
    for sample, x in (([1, 0, 2], 0), ([10**6 - 1, 10**6, 10**6 - 2], 10**6)):
        found = Binomial(10**6).fit(sample).log_density(x)
        np.testing.assert_allclose(found, 10**6 * math.log1p(-1e-6), rtol=1e-9)


def test_categories_with_lidstones_smoothing_are_a_dirichlet_mean():
    α, counts = 0.5, np.array([3, 0, 1])
    fitted = Categorical([10, 20, 30], α).fit([10, 10, 30, 10])
    np.testing.assert_allclose(np.exp(fitted.log_density([10, 20, 30])), stats.dirichlet(counts + α).mean())
    assert np.isneginf(Categorical([10, 20, 30]).fit([10, 30]).log_density(20))


def test_a_category_whose_weight_fell_to_zero_is_forgotten():
    categorical = Categorical(alpha=1)
    whole, part = categorical.summarise([1, 1, 2, 3], [1, 2, 1, 0.3]), categorical.summarise([3], [0.3])
    categorical.estimate(whole - part)
    assert categorical.categories_.tolist() == [1, 2]
    np.testing.assert_allclose(np.exp(categorical.log_probabilities_), [4 / 6, 2 / 6])


def test_kernels_far_apart_do_not_underflow():
    fitted = ParzenWindow(0.5).fit([0, 1000], [1, 3])
    expected = np.log([0.25, 0.75]) + stats.norm(0, 0.5).logpdf(0)
    np.testing.assert_allclose(fitted.log_density([0, 1000]), expected)
    assert fitted.log_density(500) == pytest.approx(stats.norm(0, 0.5).logpdf(500))  # no underflow: ln of e^−500000


@pytest.mark.parametrize("family", [Normal(), Exponential(), Rayleigh(), Laplace(), ParzenWindow()], ids=str)
def test_a_sample_without_variation_is_refused(family):
    value = 0.0 if isinstance(family, (Exponential, Rayleigh)) else 0.1
    with pytest.raises(DegenerateSampleError, match=rf"\(of weight 3\) are {value:g}.*drop the column") as caught:
        family.fit([value] * 3)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


test_errors_say_what_is_wrong = refusals(
    (lambda: Exponential().fit([1, -2, -3]), r"x holds -2 \(and 1 more\), but .* Exponential\(\) is x ≥ 0.*remove"),
    (lambda: Poisson().fit([1, 2.5]), "x holds 2.5 .*the whole numbers 0, 1, 2, ...: correct"),
    (lambda: Binomial(3).fit([1, 4]), "x holds 4 .*the whole numbers from 0 to 3: correct"),
    (lambda: Bernoulli().fit([1, 2]), r"x holds 2 .*Bernoulli\(\) is the whole numbers from 0 to 1"),
    (lambda: Categorical([1, 2]).fit([1, 3]), r"x holds 3 .*the categories \[1, 2\]"),
    (lambda: Normal().fit([1, np.nan]), r"x\[1\] is nan"),
    (lambda: Normal().fit([]), r"shape \(n,\) with n at least 1, but x has shape \(0,\)"),
    (lambda: Normal().fit([[1], [2]]), r"has shape \(2, 1\)"),
    (lambda: Normal().fit([1, 2], [0, 0]), "all weights are zero"),
    (lambda: Normal().fit([1, 1e200]), "too large for floating-point numbers"),
    (lambda: Rayleigh().fit([1, 1e200]), "sum of x² is too large"),
    (lambda: Binomial(2.5).fit([1]), "n must be a whole number, 1 or more, not 2.5"),
    (lambda: Categorical(alpha=-1).fit([1]), "alpha must be a number, 0 or more, not -1"),
    (lambda: ParzenWindow(0).fit([1]), "bandwidth must be None or a number above 0, not 0"),
    (lambda: ParzenWindow(1).fit([1e308, -1e308]), "divided by the bandwidth 1, are too large .*: use a larger"),
    (lambda: ParzenWindow().fit([1e308, -1e308]), "too large for floating-point numbers"),
    (lambda: ParzenWindow().fit([1, 2], [0.5, 0.5]), "it is 1: multiply .* or give a bandwidth"),
    (lambda: Laplace().fit([1e308, -1e308]), r"sum of \|x − m\| is too large"),
)


GOOD = np.array([0.0, 1, 1, 0, 1, 3])
ALL_BUT_BERNOULLI = [family for family in (*CONTINUOUS, *DISCRETE) if not isinstance(family, Bernoulli)]


@pytest.mark.parametrize("family", [*ALL_BUT_BERNOULLI, Bernoulli(), StudentT()], ids=str)
def test_before_fit_there_is_no_density(family):
    with pytest.raises(NotFittedError, match=f"This {type(family).__name__} instance is not fitted yet"):
        type(family)(**family.get_params()).log_density(1.0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("family", [*ALL_BUT_BERNOULLI, ParzenWindow(1e-3), StudentT()], ids=str)
@pytest.mark.parametrize("unit", [1, 1e-10, 1e5])
def test_far_away_the_log_density_is_a_number_or_minus_infinity(family, unit):
    """At 1e308 the factorial, and the square of the distance, are too large for floats."""
    sample = GOOD if isinstance(family, (Poisson, Binomial, Categorical)) else GOOD * unit
    fitted = estimate(family, sample)
    found = fitted.log_density(np.array([1e155, 1e200, 1e308, 1.7e308, np.inf]))
    assert (found < -300).all()
    assert np.isfinite(fitted.log_density(sample[1]))


def test_estimates_at_the_end_of_the_range_of_floats():
    wide = Laplace().fit([-1.7e308, 0, 1.7e308], np.full(3, 0.5))
    assert wide.log_density(0) == pytest.approx(-np.log(2) - np.log(wide.scale_))  # 2b is infinite
    assert np.isneginf(Laplace().fit([1e308, 1.1e308]).log_density([-1e308, -1.7e308])).all()
    smoothed = Categorical([1, 2, 3], alpha=1.7e308).fit([1, 1, 2], np.full(3, 5e307))
    np.testing.assert_allclose(np.exp(smoothed.log_probabilities_), np.array([2.7, 2.2, 1.7]) / 6.6)
    with pytest.raises(DegenerateSampleError, match=r"so the scale of ParzenWindow\(\) would be 0"):
        ParzenWindow().fit([0, 1], [1e300, 1e-300])  # the bandwidth is about 1e-360


def test_a_changed_hyperparameter_waits_for_the_next_fit():
    binomial, categorical = Binomial(4).fit([1, 3]), Categorical([1, 2, 3]).fit([1, 3])
    binomial.set_params(n=2)
    categorical.set_params(categories=[7])
    np.testing.assert_allclose(binomial.log_density(np.arange(6)), stats.binom(4, 0.5).logpmf(np.arange(6)))
    np.testing.assert_allclose(np.exp(categorical.log_density([1, 2, 3, 7])), [0.5, 0, 0.5, 0])
    np.testing.assert_allclose(binomial.fit([1, 1]).log_density([1, 3]), stats.binom(2, 0.5).logpmf([1, 3]))


def test_silvermans_rule_counts_repetitions():
    few = ParzenWindow(0.5).fit([1, 2], [0.1, 0.2])  # a given bandwidth needs no such weight
    assert few.log_density(2) > few.log_density(1)
    expected = stats.gaussian_kde([1, 2, 2, 5], "silverman").factor * np.std([1, 2, 2, 5], ddof=1)
    assert ParzenWindow().fit([1, 2, 5], [1, 2, 1]).bandwidth_ == pytest.approx(expected)


def test_a_poisson_density_of_huge_counts_is_zero_and_not_nan():
    fitted = Poisson().fit([1e5, 1e5])
    assert fitted.log_density([1e308, 1.7e308]).tolist() == [-np.inf, -np.inf]
    np.testing.assert_allclose(fitted.log_density([3, 1e5, 1e7]), stats.poisson(1e5).logpmf([3, 1e5, 1e7]), rtol=1e-10)
