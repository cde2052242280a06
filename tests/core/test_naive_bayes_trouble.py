"""Naive Bayes in pieces and with odd families: whatever does not go together is refused by name."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.neighbors import KernelDensity

from bayeslab import (
    Bernoulli,
    BernoulliNB,
    Binomial,
    Categorical,
    DensityClassifier,
    Exponential,
    Gaussian,
    GaussianMixture,
    GaussianNB,
    Laplace,
    Moments,
    MultinomialNB,
    NaiveBayes,
    Normal,
    Poisson,
)

X, Y = np.array([[1.0], [2], [5], [7]]), [0, 0, 1, 1]
FRAME = pd.DataFrame({"u": [1.0, 2, 5, 7], "v": [1.0, 0, 1, 1]})


class Bell:
    """A user-defined family without a base class, which learns in pieces."""

    def __init__(self, ddof=0):
        self.ddof = ddof

    def fit(self, x, weights):
        return self.estimate(self.summarise(x, weights))

    def summarise(self, x, weights):
        return Moments.of(x, weights, diagonal=True)

    def estimate(self, moments):
        self.mean, self.variance = moments.mean[0], moments.covariance(self.ddof)[0]
        return self

    def log_density(self, x):
        return stats.norm(self.mean, np.sqrt(self.variance)).logpdf(x)


def test_a_user_defined_family_learns_in_pieces():
    expected = NaiveBayes(Normal()).fit(np.vstack([X, X + 1]), Y * 2).predict_log_proba(X)
    streamed = NaiveBayes(Bell()).partial_fit(X, Y).partial_fit(X + 1, Y)
    merged = NaiveBayes(Bell()).fit(X, Y).merge(NaiveBayes(Bell()).fit(X + 1, Y))
    for fitted in (streamed, merged, streamed.partial_fit(X, Y).remove(X, Y)):
        np.testing.assert_allclose(fitted.predict_log_proba(X), expected, rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match=r"another hyperparameters: .*column 0.*'ddof': 0.* and .*'ddof': 1"):
        merged.merge(NaiveBayes(Bell(1)).fit(X, Y))


def test_long_lists_of_categories_are_compared_by_value():
    """Their reprs are cut short and equal, and a tuple or an array may hold the same categories as a list."""
    many, others = list(range(500)), [*range(250), 9999, *range(251, 500)]
    fitted = NaiveBayes(Categorical(many, alpha=1)).fit(X, Y)
    with pytest.raises(ValueError, match=r"another hyperparameters: \{'family of column 0'"):
        fitted.merge(NaiveBayes(Categorical(others, alpha=1)).fit(X, Y))
    for same in (tuple(many), range(500), np.arange(500), np.arange(500.0)):
        fitted.merge(NaiveBayes(Categorical(same, alpha=1.0)).fit(X, Y))
    with pytest.raises(ValueError, match=r"(?s)the family of column 0 was Categorical.*start anew"):
        fitted.set_params(families=Categorical(others, alpha=1)).partial_fit(X, Y)


def test_only_columns_that_differ_are_named():
    values = FRAME.assign(u=[1, 2, 5, 7], v=[0, 1, 0, 1])
    fitted = NaiveBayes({"u": Normal(), "v": Bernoulli()}).fit(values, Y)
    with pytest.raises(ValueError, match=r"another hyperparameters: .*column 'v'.*Bernoulli.*Poisson") as caught:
        fitted.merge(NaiveBayes({"u": Normal(), "v": Poisson()}).fit(values, Y))
    with pytest.raises(ValueError, match=r"of column 'v' was Bernoulli.*, but is Poisson.* now: start anew") as again:
        fitted.set_params(families={"u": Normal(), "v": Poisson()}).partial_fit(values, Y)
    assert "'u'" not in str(caught.value) + str(again.value)


@pytest.mark.parametrize(
    ("families", "message"),
    [
        ({"u": Normal(), "v": Bernoulli(), 0: Exponential()}, "but names 0, which is not one of them"),
        ({"u": Normal(), -1: Bernoulli()}, "but names -1, which is not one of them"),
        ({"u": Normal()}, "for each of the columns 'u', 'v', but has none for 'v'"),
        ({}, "but has none for 'u'"),
        ({"u": Normal(), "v": None}, "methods fit and log_density, not None"),
        ([Normal(), "normal"], "methods fit and log_density, not 'normal'"),
        ("normal", "methods fit and log_density, not 'normal'"),
        (None, "methods fit and log_density, not None"),
        (Normal, r"without the \(\) that make an object"),
        (GaussianMixture(2), r"not GaussianMixture\(.*\); DensityClassifier takes this one, for all columns$"),
        ([Normal(), KernelDensity()], r"not KernelDensity\(\); DensityClassifier takes this one"),
    ],
    ids=str,
)
def test_fit_and_partial_fit_refuse_invalid_families(families, message):
    for learn in ("fit", "partial_fit"):
        with pytest.raises(ValueError, match=message):
            getattr(NaiveBayes(families), learn)(FRAME, Y)


def test_a_density_that_is_infinite_or_nan_is_refused():
    class Wrong(Bell):
        value = np.inf

        def log_density(self, x):
            return np.full(np.shape(x), self.value)

    with pytest.raises(ValueError, match="column 0, must return a number or -inf, not inf, at"):
        NaiveBayes(Wrong()).fit(X, Y).predict_proba(X)
    Wrong.value = np.nan
    with pytest.raises(ValueError, match="column 0, must return a number or -inf, not nan, at"):
        NaiveBayes(Wrong()).fit(X, Y).predict(X)


@pytest.mark.parametrize(("summed", "shape"), [(np.sum, r"\(\)"), (lambda p: p[:, None], r"\(4, 1\)")])
def test_a_density_of_the_wrong_shape_is_refused(summed, shape):
    """A sum over all rows would otherwise be taken for the density of each of them."""

    class Wrong(Bell):
        def log_density(self, x):
            return summed(super().log_density(x))

    with pytest.raises(ValueError, match=rf"column 0, must return ln p\(x\) of each row, shape \(4,\), not {shape}"):
        NaiveBayes(Wrong()).fit(X, Y).predict(X[:4])


def test_a_family_must_take_weights_and_a_gaussian_is_not_one():
    class Unweighted(Bell):
        def fit(self, x):
            return self

    with pytest.raises(ValueError, match="the fit of a family must take x and weights"):
        NaiveBayes(Unweighted()).fit(X, Y)
    with pytest.raises(ValueError, match="the Gaussian family is Normal"):
        NaiveBayes(Gaussian(0, 1)).fit(X, Y)
    with pytest.raises(ValueError, match="QuadraticDiscriminantAnalysis"):
        DensityClassifier(Gaussian(0, 1)).fit(X, Y)


@pytest.mark.parametrize("family", [Poisson(), Normal(), Categorical(alpha=1)], ids=str)
def test_removing_samples_that_were_never_added_names_the_column_and_changes_nothing(family):
    two = np.column_stack([X, X + 1])
    fitted = NaiveBayes(family).fit(two, Y)
    before = fitted.predict_log_proba(two)
    with pytest.raises(ValueError, match="never added") as caught:
        fitted.remove([[1.0, 90.0]], [0])
    assert caught.value.__notes__ == ["This happened in column 1."]
    np.testing.assert_array_equal(fitted.predict_log_proba(two), before)


def test_settings_are_copies_of_the_families_that_were_given():
    """What the user changes in them afterwards waits for the next fit, and must not get into the same stream."""
    counts = np.array([[1.0], [3], [2], [4]])
    rule = NaiveBayes(Binomial(4)).partial_fit(counts, Y)
    expected = NaiveBayes(Binomial(4)).fit(counts, Y).joint_log_likelihood(counts)
    rule.families.n = 9
    np.testing.assert_allclose(rule.joint_log_likelihood(counts), expected)
    with pytest.raises(ValueError, match=r"was Binomial\(n=4\), but is Binomial\(n=9\) now: start anew with fit"):
        rule.partial_fit(counts, Y)


def test_a_fit_without_sufficient_statistics_keeps_none_from_the_fit_before():
    rule = NaiveBayes(Normal()).fit(X, Y)
    assert len(rule.statistics_) == 2
    assert not hasattr(rule.set_params(families=Laplace()).fit(X, Y), "statistics_")


PIECES = [[0, 1, 2]], [[0], [1], [2]], [[2, 1], [0]]
GAPS = pd.DataFrame({"u": [1.0, 2, 4, np.nan, 3, 5], "v": [1.0, 2, 3, 5, 4, 9]})
LABELS = np.array(list("aaaabb"))


@pytest.mark.parametrize("family", [Exponential(), Normal()], ids=str)
@pytest.mark.parametrize("added", PIECES, ids=str)
@pytest.mark.parametrize("removed", PIECES, ids=str)
def test_a_column_that_loses_all_its_weight_is_empty_though_weights_are_rounded(family, added, removed):
    """For 0.1 + (0.2 + 0.3) is not (0.1 + 0.2) + 0.3."""
    weights = np.array([0.1, 0.2, 0.3])
    rule = NaiveBayes(family).partial_fit(GAPS[3:], LABELS[3:])
    for rows in added:
        rule.partial_fit(GAPS.iloc[rows], LABELS[rows], sample_weight=weights[rows])
    for rows in removed:
        rule.remove(GAPS.iloc[rows], LABELS[rows], weights[rows])
    assert rule.statistics_[0].columns[0].weight == 0
    found = rule.partial_fit(GAPS[:3], LABELS[:3]).predict_log_proba(GAPS)
    np.testing.assert_allclose(found, NaiveBayes(family).fit(GAPS, LABELS).predict_log_proba(GAPS), rtol=1e-9)


def test_a_removed_row_changes_only_the_columns_that_it_has():
    found = NaiveBayes(Normal()).fit(GAPS, LABELS).remove(GAPS[3:4], ["a"])
    expected = NaiveBayes(Normal()).fit(GAPS.drop(3), LABELS[[0, 1, 2, 4, 5]])
    np.testing.assert_allclose(found.joint_log_likelihood(GAPS), expected.joint_log_likelihood(GAPS), rtol=1e-9)


@pytest.mark.parametrize("rule", [GaussianNB(), NaiveBayes(Normal()), MultinomialNB(), BernoulliNB()], ids=str)
def test_a_stream_needs_classes_and_weights_that_can_be_added_up(rule):
    with pytest.raises(ValueError, match="classes is empty: give all labels that will occur, or None"):
        rule.partial_fit(X, Y, classes=[])
    huge = np.full(4, 4e307)
    fitted = rule.partial_fit(X / 10, Y, sample_weight=huge)
    assert fitted.priors_.tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="sum of the weights overflows: divide all"):
        fitted.partial_fit(X / 10, Y, sample_weight=huge)
    assert fitted.priors_.tolist() == [0.5, 0.5]


def test_columns_of_an_array_are_named_by_number():
    with pytest.raises(ValueError, match="columns 0, 1, but names 2, which is not one of them"):
        NaiveBayes({0: Normal(), 2: Bernoulli()}).fit(FRAME.to_numpy(), Y)
    two = np.column_stack([X, X * 1e307])
    fitted = NaiveBayes(Exponential()).fit(two, Y)
    with pytest.raises(ValueError, match="sum of x is too large") as caught:
        fitted.partial_fit(two, Y)
    assert caught.value.__notes__ == ["This happened in column 1."]


def test_one_family_that_needs_all_samples_is_enough_to_prevent_streaming():
    assert not hasattr(NaiveBayes([Normal(), Laplace()]), "partial_fit")
