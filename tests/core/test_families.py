"""Families in one dimension against SciPy, and what each of them must keep: a new one needs an entry in ORACLES."""

import math
import pickle
import re

import numpy as np
import pytest
from every_family import EVERY, FAMILIES, STREAMING, draw, is_continuous, support_of
from family import refusals
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from bayeslab import (
    Bernoulli,
    Binomial,
    Categorical,
    DegenerateSampleError,
    Exponential,
    Gamma,
    Laplace,
    Normal,
    ParzenWindow,
    Poisson,
    Rayleigh,
    StudentT,
)

REAL, POSITIVE, COUNTS = draw(Normal()), draw(Exponential()), draw(Poisson())
CONTINUOUS = [family for family in EVERY if is_continuous(family)]
each_family, each_continuous, each_streaming = (
    pytest.mark.parametrize("family", families, ids=str) for families in (EVERY, CONTINUOUS, STREAMING)
)


def estimate(family, x, weights=None):
    """Fit a copy of a family; `StudentT` as naive Bayes does."""
    family = clone(family)
    return family.estimate(family.summarise(x, weights)) if isinstance(family, StudentT) else family.fit(x, weights)


def smoothed_shares(x):
    counts = np.unique(x, return_counts=True)[1] + 0.5
    return stats.rv_discrete(values=(np.unique(x), counts / counts.sum())).logpmf


# Log density of each family that was fitted to x.
ORACLES = {
    Normal: lambda x: stats.norm(*stats.norm.fit(x)).logpdf,
    Exponential: lambda x: stats.expon(*stats.expon.fit(x, floc=0)).logpdf,
    Gamma: lambda x: stats.gamma(*stats.gamma.fit(x, floc=0)).logpdf,
    Laplace: lambda x: stats.laplace(*stats.laplace.fit(x)).logpdf,
    Rayleigh: lambda x: stats.rayleigh(0, math.sqrt(np.mean(x**2) / 2)).logpdf,  # its `fit` refuses a 0
    ParzenWindow: lambda x: stats.gaussian_kde(x, "silverman").logpdf,
    StudentT: lambda x: stats.t(len(x) - 1, x.mean(), x.std(ddof=1) * math.sqrt(1 + 1 / len(x))).logpdf,
    Poisson: lambda x: stats.poisson(x.mean()).logpmf,
    Binomial: lambda x: stats.binom(12, x.mean() / 12).logpmf,
    Bernoulli: lambda x: stats.bernoulli(x.mean()).logpmf,
    Categorical: smoothed_shares,
}

SMOOTHED = (ParzenWindow, StudentT, Categorical)  # not fitted by maximum likelihood
LOST = {Gamma: 5e-4}  # digits of a concentrated sample that lie below those of the sufficient statistics


@each_family
def test_densities_agree_with_scipy(family):
    sample = draw(family)
    points = np.unique(sample) if isinstance(family, Categorical) else draw(family, seed=1)
    expected = ORACLES[type(family)](sample)(points)
    np.testing.assert_allclose(estimate(family, sample).log_density(points), expected, rtol=1e-10, atol=1e-12)


@each_family
def test_a_density_sums_to_one(family):
    fitted, support = estimate(family, draw(family)), support_of(family)
    if is_continuous(family):
        middle = [support.least, 3, support.most]
        parts = [integrate.quad(lambda x: np.exp(fitted.log_density(x)), *middle[i : i + 2])[0] for i in (0, 1)]
        assert sum(parts) == pytest.approx(1, abs=1e-6)
    else:
        assert np.exp(fitted.log_density(np.arange(100))).sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("family", FAMILIES, ids=str)
def test_what_a_support_contains_can_be_fitted_and_all_else_is_refused_by_name(family):
    support, sample = family.support, draw(family)
    ends = [end for end in (support.least, support.most) if np.isfinite(end)]
    halves = [0.5] if support.whole else []
    for x in [*ends, *(end + side for end in ends for side in (-1, 1)), *halves]:
        if support.contains(np.array(x)):
            fitted = clone(family).fit(np.append(sample, [x, x]))
            assert np.isfinite(fitted.log_density(sample[1:])).all()
        else:
            assert np.isneginf(clone(family).fit(sample).log_density(x))
            message = f"x holds {x:g} (and 0 more), but the support of {family} is {support}: correct"
            with pytest.raises(ValueError, match=re.escape(message)):
                clone(family).fit(np.append(sample, x))
    assert np.isneginf(clone(family).fit(sample).log_density([-np.inf, np.inf])).all()


@pytest.mark.parametrize(
    ("family", "sample", "inside", "outside"),
    [
        (Exponential(), POSITIVE, [0, 5], [-1e-9, -3]),
        (Gamma(), POSITIVE[1:], [1e-9, 5], [0, -1]),
        (Rayleigh(), POSITIVE, [1e-9, 5], [0, -1]),
        (Poisson(), COUNTS, [0, 7, 100], [-1, 0.5]),
        (Binomial(9), COUNTS.clip(max=9), [0, 9], [-1, 10, 2.5]),
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


@each_family
@given(seed=st.integers(0, 2**32 - 1))
def test_a_weight_is_a_repetition(family, seed):
    """Of weight 0 too, whatever its value."""
    sample, counts = draw(family), np.random.default_rng(seed).integers(0, 4, 41)
    weighted = estimate(family, np.append(sample, -1e300), np.append(counts, 0))
    repeated = estimate(family, np.repeat(sample, counts))
    found, expected = weighted.log_density(sample), repeated.log_density(sample)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@each_continuous
@pytest.mark.parametrize("unit", [1e-100, 1e-3, 1e100])
def test_a_density_changes_with_the_unit_as_it_must(family, unit):
    """P(x) dx is the same in any unit."""
    sample = draw(family)
    found = estimate(family, sample * unit).log_density(sample * unit) + np.log(unit)
    np.testing.assert_allclose(found, estimate(family, sample).log_density(sample), rtol=1e-11, atol=1e-11)


@each_streaming
@pytest.mark.parametrize("unit", [1e-3, 1, 1e3])
def test_statistics_add_up_and_can_be_removed(family, unit):
    """In units in which all logarithms are negative, or positive."""
    x, weights = draw(family) * (unit if is_continuous(family) else 1), np.random.default_rng(1).uniform(1, 2, 41)
    parts = [family.summarise(x[rows], weights[rows]) for rows in (slice(0, 20), slice(20, 41))]
    whole, points = family.summarise(x, weights), x[:20]
    for sums, expected in (
        (parts[0] + parts[1], whole),
        (whole - parts[1], parts[0]),
        (whole - parts[1] + parts[1], whole),
    ):
        assert sums.weight == pytest.approx(expected.weight, rel=1e-14)
        found = [clone(family).estimate(each).log_density(points) for each in (sums, expected)]
        np.testing.assert_allclose(*found, rtol=1e-10, atol=1e-10)


@each_streaming
def test_what_was_never_added_cannot_be_removed(family):
    x, most = draw(family), min(support_of(family).most, 9999.0)
    others = 1e3 * x[:20] if is_continuous(family) else np.full(29, most)
    with pytest.raises(ValueError, match="cannot remove samples that were never added"):
        family.summarise(x[:30]) - family.summarise(others)
    with pytest.raises(ValueError, match="cannot remove a weight of 41 from 30: nothing would be left"):
        family.summarise(x[:30]) - family.summarise(x)


@pytest.mark.parametrize("family", [each for each in CONTINUOUS if support_of(each).least == -np.inf], ids=str)
def test_an_offset_costs_no_digits(family):
    x = np.round(REAL * 2**20) / 2**20 * 2**-10  # so that adding the offset rounds nothing away
    near, far = (estimate(family, x + offset).log_density(x + offset) for offset in (0, 2.0**20))
    np.testing.assert_allclose(far, near, rtol=1e-9)


@each_continuous
def test_a_sample_far_from_0_costs_no_more_digits_than_its_sums(family):
    """In other units, other digits are rounded away: what changes are those that have no meaning."""
    sample = draw(family)
    sample = np.median(sample) + 1e-5 * (sample - np.median(sample))
    found, expected = (estimate(family, sample * unit).log_density(sample * unit) + np.log(unit) for unit in (0.3, 1))
    np.testing.assert_allclose(found, expected, atol=LOST.get(type(family), 1e-9))


@pytest.mark.parametrize("family", [each for each in EVERY if not isinstance(each, SMOOTHED)], ids=str)
def test_the_likelihood_is_as_large_as_it_can_be(family):
    """To the same sample with other weights belong other parameters: they can't fit better."""
    x, rng = draw(family)[1:], np.random.default_rng(2)
    largest = estimate(family, x).log_density(x).sum()
    for reach in np.repeat([0.01, 0.1, 1], 20):
        other = estimate(family, x, 1 + rng.uniform(-reach, reach, len(x)))
        assert other.log_density(x).sum() <= largest + 1e-11 * abs(largest)


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


@pytest.mark.parametrize("family", [family for family in CONTINUOUS if family in FAMILIES], ids=str)
def test_a_sample_without_variation_is_refused(family):
    value = family.support.least if family.support.contains(family.support.least) else 0.1
    with pytest.raises(DegenerateSampleError, match=rf"\(of weight 3\) are {value:g}.*drop the column") as caught:
        family.fit([value] * 3)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


test_errors_say_what_is_wrong = refusals(
    (lambda: Exponential().fit([1, -2, -3]), r"x holds -2 \(and 1 more\), but .* Exponential\(\) is x ≥ 0.*remove"),
    (lambda: Poisson().fit([1, 2.5]), "x holds 2.5 .*the whole numbers 0, 1, 2, ...: correct"),
    (lambda: Binomial(3).fit([1, 4]), "x holds 4 .*the whole numbers from 0 to 3: correct"),
    (lambda: Bernoulli().fit([1, 2]), r"x holds 2 .*Bernoulli\(\) is the whole numbers from 0 to 1"),
    (lambda: Categorical([1, 2]).fit([1, 3]), "x holds 3 .*the whole numbers from 1 to 2"),
    (lambda: Categorical([1, 3, 7]).fit([1, 2, 7]), r"x holds 2 .*the categories \[1, 3, 7\]"),
    (lambda: Categorical([1, 2.5]).fit([1, 3]), r"x holds 3 .*the categories \[1.0, 2.5\]"),
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
    (lambda: ParzenWindow().fit([1, 2], [0.5, 0]), "needs more than one sample: add samples, or give a"),
    (lambda: Laplace().fit([1e308, -1e308]), r"sum of \|x − m\| is too large"),
)


@each_family
def test_before_fit_there_is_no_density_and_a_fitted_one_can_be_stored(family):
    with pytest.raises(NotFittedError, match=f"This {type(family).__name__} instance is not fitted yet"):
        clone(family).log_density(1.0)
    sample = draw(family)
    fitted = estimate(family, sample)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.log_density(sample), fitted.log_density(sample))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("family", [*EVERY, ParzenWindow(1e-3)], ids=str)
@pytest.mark.parametrize("unit", [1, 1e-10, 1e5])
def test_far_away_the_log_density_is_a_number_or_minus_infinity(family, unit):
    """At 1e308 the factorial, and the square of the distance, are too large for floats."""
    sample = draw(family) * (unit if is_continuous(family) else 1)
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


def test_a_table_of_few_whole_numbers_changes_nothing():
    few, many = np.array([0.0, 3, 12]), np.tile([0.0, 3, 12], 9)
    for family in (Poisson(), Binomial(12)):
        fitted = family.fit([1, 5, 2])
        np.testing.assert_array_equal(fitted.log_density(many), np.tile(fitted.log_density(few), 9))


@pytest.mark.parametrize("shape", [1e-2, 1.0, 30.0, 1e6])
def test_a_gamma_density_has_the_largest_likelihood(shape):
    """From very skewed to nearly Gaussian samples; near its maximum the likelihood is flat."""
    x = np.maximum(np.random.default_rng(2).gamma(shape, 3, size=200), 1e-300)
    fitted = Gamma().fit(x)
    best = stats.gamma(fitted.shape_, 0, fitted.scale_).logpdf(x).sum()
    for α, θ in ((1.01, 1), (0.99, 1), (1, 1.01), (1, 0.99), (1.01, 1 / 1.01), (0.99, 1 / 0.99)):
        assert stats.gamma(fitted.shape_ * α, 0, fitted.scale_ * θ).logpdf(x).sum() < best
    assert fitted.log_density(x).sum() == pytest.approx(best, rel=1e-9)  # to which SciPy adds terms of 1e7


def test_exponential_waits_are_gamma_with_shape_one():
    quantiles = stats.expon(scale=4).ppf((np.arange(10**5) + 0.5) / 10**5)
    fitted = Gamma().fit(quantiles)
    assert (fitted.shape_, fitted.scale_) == pytest.approx((1, 4), rel=1e-3)
    fitted.shape_, fitted.scale_ = 1.0, 4.0
    np.testing.assert_allclose(fitted.log_density(quantiles), stats.expon(scale=4).logpdf(quantiles), rtol=1e-12)
