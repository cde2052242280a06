"""Families at the ends of their range: failures change nothing, and every log density is a number or −inf."""

import numpy as np
import pytest
from scipy import stats
from sklearn.exceptions import NotFittedError

from bayeslab import (
    Bernoulli,
    Binomial,
    Categorical,
    DegenerateSampleError,
    Exponential,
    Laplace,
    NaiveBayes,
    Normal,
    ParzenWindow,
    Poisson,
    Rayleigh,
    StudentT,
)

GOOD = np.array([0.0, 1, 1, 0, 1, 3])
EACH = [Normal(), Exponential(), Rayleigh(), Poisson(), Binomial(3), Laplace(), Categorical(), ParzenWindow()]


def estimate(family, x):
    """Fit a family; `StudentT` as naive Bayes does."""
    return family.estimate(family.summarise(x)) if isinstance(family, StudentT) else family.fit(x)


@pytest.mark.parametrize("family", [*EACH, StudentT()], ids=str)
def test_a_fit_that_fails_or_is_interrupted_leaves_the_family_as_it_was(family, monkeypatch):
    fitted = estimate(family, GOOD)
    before, density = dict(vars(fitted)), fitted.log_density(GOOD)
    for wrong in ([0, 0, 0], [-9.0, -9.0], [np.nan], [1e308, -1e308]):
        try:
            estimate(fitted, np.array(wrong, dtype=float))
        except ValueError:
            assert vars(fitted) == before
        else:  # a valid sample for this family
            fitted = estimate(fitted, GOOD)
            before = dict(vars(fitted))
    setting = type(fitted).__setattr__

    def interrupted(self, name, value):
        setting(self, name, value)
        raise KeyboardInterrupt

    monkeypatch.setattr(type(fitted), "__setattr__", interrupted)  # after the first attribute that is set
    with pytest.raises(KeyboardInterrupt):
        estimate(fitted, GOOD + 1 if isinstance(family, Normal | Laplace) else GOOD[1:])
    monkeypatch.undo()
    assert vars(fitted) == before
    np.testing.assert_array_equal(fitted.log_density(GOOD), density)


@pytest.mark.parametrize("family", [*EACH, Bernoulli(), StudentT()], ids=str)
def test_before_fit_there_is_no_density(family):
    with pytest.raises(NotFittedError, match=f"This {type(family).__name__} instance is not fitted yet"):
        type(family)(**family.get_params()).log_density(1.0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("family", [*EACH, ParzenWindow(1e-3), StudentT()], ids=str)
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


def test_a_poisson_density_of_huge_counts_is_zero_and_not_nan():
    fitted = Poisson().fit([1e5, 1e5])
    assert fitted.log_density([1e308, 1.7e308]).tolist() == [-np.inf, -np.inf]
    np.testing.assert_allclose(fitted.log_density([3, 1e5, 1e7]), stats.poisson(1e5).logpmf([3, 1e5, 1e7]), rtol=1e-10)


def test_a_point_far_from_all_kernels_is_left_to_the_priors():
    rule = NaiveBayes(ParzenWindow(1e-3)).fit([[1.0], [2], [3], [4]], [0, 0, 1, 1])
    with pytest.warns(UserWarning, match="column 0 is 1e\\+308"):
        np.testing.assert_allclose(rule.predict_proba([[1e308], [1.001]]), [[0.5, 0.5], [1, 0]])


def test_a_changed_hyperparameter_waits_for_the_next_fit():
    binomial, categorical = Binomial(4).fit([1, 3]), Categorical([1, 2, 3]).fit([1, 3])
    binomial.set_params(n=2)
    categorical.set_params(categories=[7])
    np.testing.assert_allclose(binomial.log_density(np.arange(6)), stats.binom(4, 0.5).logpmf(np.arange(6)))
    np.testing.assert_allclose(np.exp(categorical.log_density([1, 2, 3, 7])), [0.5, 0, 0.5, 0])
    np.testing.assert_allclose(binomial.fit([1, 1]).log_density([1, 3]), stats.binom(2, 0.5).logpmf([1, 3]))


def test_silvermans_rule_needs_a_weight_above_one_and_counts_repetitions():
    with pytest.raises(
        ValueError, match=r"needs a total weight above 1, .* it is 0.5: multiply .* or give a bandwidth"
    ):
        ParzenWindow().fit([1, 2, 3, 4, 5], np.full(5, 0.1))
    with pytest.raises(ValueError, match=r"needs a total weight above 1, .* it is 1: multiply"):
        ParzenWindow().fit([1, 2], [0.5, 0.5])
    few = ParzenWindow(0.5).fit([1, 2], [0.1, 0.2])  # a given bandwidth needs no such weight
    assert few.log_density(2) > few.log_density(1)
    expected = stats.gaussian_kde([1, 2, 2, 5], "silverman").factor * np.std([1, 2, 2, 5], ddof=1)
    assert ParzenWindow().fit([1, 2, 5], [1, 2, 1]).bandwidth_ == pytest.approx(expected)


@pytest.mark.parametrize(
    ("family", "message"),
    [
        (ParzenWindow(1), "divided by the bandwidth 1, are too large .*: use a larger bandwidth"),
        (ParzenWindow(1e-320), "divided by the bandwidth 9.99989e-321, are too large"),
        (ParzenWindow(), "too large for floating-point numbers"),
        (Laplace(), r"sum of \|x − m\| is too large"),
    ],
    ids=str,
)
def test_a_sample_out_of_range_raises_an_error_without_a_numpy_warning(family, message):
    with pytest.raises(ValueError, match=message):
        family.fit([1e308, -1e308])
