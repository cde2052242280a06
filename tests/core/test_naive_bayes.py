"""Naive Bayes with any families: against scikit-learn, in pieces, with gaps, and what does not go together, by name."""

import numpy as np
import pandas as pd
import pytest
from every_family import EVERY, STREAMING, draw, is_continuous
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import naive_bayes
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KernelDensity

from bayeslab import (
    Bernoulli,
    BernoulliNB,
    Binomial,
    Categorical,
    Exponential,
    Gaussian,
    GaussianNB,
    Moments,
    MultinomialNB,
    NaiveBayes,
    Normal,
    ParzenWindow,
    Poisson,
    Rayleigh,
    StudentT,
    load_iris,
)

IRIS = load_iris()


def mixed(n=120, seed=0):
    """One column for each family that streams, in three classes, with gaps; and the families."""
    rng, k, families = np.random.default_rng(seed), np.arange(n) % 3, {type(each).__name__: each for each in STREAMING}
    X = pd.DataFrame({name: draw(family, n, k, i) for i, (name, family) in enumerate(families.items())})
    X["Rayleigh"] = X["Rayleigh"].replace(0, np.nan)  # which is in its support, but has density 0
    return X.mask(rng.random(X.shape) < 0.1), np.array(["a", "b", "c"])[k], families


X, Y, FAMILIES = mixed()


def assert_same(one, other, tolerance=1e-9):
    np.testing.assert_allclose(one.priors_, other.priors_, rtol=1e-12)
    found = [rule.joint_log_likelihood(X) for rule in (one, other)]
    np.testing.assert_allclose(*found, rtol=tolerance, atol=tolerance)


def test_the_gaussian_family_is_gaussian_naive_bayes():
    weights = np.random.default_rng(1).uniform(1, 2, size=150)
    ours = NaiveBayes(Normal()).fit(IRIS.X, IRIS.y, weights)
    theirs = naive_bayes.GaussianNB(var_smoothing=0).fit(IRIS.X, IRIS.y, weights)
    also_ours = GaussianNB(ddof=0).fit(IRIS.X, IRIS.y, weights)
    found = ours.joint_log_likelihood(IRIS.X)
    np.testing.assert_allclose(found, theirs.predict_joint_log_proba(IRIS.X), rtol=1e-10)
    # Terms of size 5 may cancel.
    np.testing.assert_allclose(found, also_ours.joint_log_likelihood(IRIS.X), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("alpha", [0.3, 1])
def test_categories_agree_with_scikit_learn(alpha):
    rng = np.random.default_rng(2)
    X, y, weights = rng.integers(0, 5, (90, 3)), np.arange(90) % 3, rng.uniform(size=90)
    X[y == 2] %= 4  # the last class lacks a category, which smoothing must still count
    ours = NaiveBayes(Categorical(alpha=alpha)).fit(X, y, weights)
    theirs = naive_bayes.CategoricalNB(alpha=alpha).fit(X, y, weights)
    np.testing.assert_allclose(ours.joint_log_likelihood(X), theirs.predict_joint_log_proba(X), rtol=1e-10)


def test_each_column_has_its_own_density_and_missing_values_are_left_out():
    """In fit for its column alone, in prediction for its row."""
    fitted = NaiveBayes(FAMILIES).fit(X, Y)
    expected = np.log(np.full((len(X), 3), 1 / 3))
    categories = X["Categorical"].dropna().unique()  # those of all classes
    families = {**FAMILIES, "Categorical": Categorical(categories, alpha=0.5)}
    for k, label in enumerate("abc"):
        for name, family in families.items():
            density = clone(family).estimate(family.summarise(X[name][label == Y].dropna()))
            expected[:, k] += np.where(X[name].isna(), 0, density.log_density(X[name]))
    np.testing.assert_allclose(fitted.joint_log_likelihood(X), expected, rtol=1e-10)
    told = fitted.explain(X)
    terms = told[[f"ln p({name}|C)" for name in X]].sum(axis=1) + told["ln π"]
    np.testing.assert_allclose(terms, expected.ravel(), rtol=1e-10)
    np.testing.assert_allclose(fitted.predict_proba(X * np.nan), np.full((len(X), 3), 1 / 3))


def test_columns_have_names_in_a_frame_and_numbers_in_an_array():
    named = NaiveBayes(FAMILIES).fit(X, Y)
    assert_same(NaiveBayes(list(FAMILIES.values())).fit(X, Y), named, 0)
    assert_same(NaiveBayes(dict(reversed(FAMILIES.items()))).fit(X, Y), named, 0)
    numbered = NaiveBayes(dict(enumerate(FAMILIES.values()))).fit(X.to_numpy(), Y)
    np.testing.assert_array_equal(numbered.predict_proba(X.to_numpy()), named.predict_proba(X))


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), cuts=st.lists(st.integers(1, 119), min_size=1, max_size=6, unique=True))
def test_any_pieces_in_any_order_give_one_fit(seed, cuts):
    """Some pieces are single rows, with empty columns and without most classes."""
    rng = np.random.default_rng(seed)
    streamed, merged, weights = NaiveBayes(FAMILIES), None, rng.uniform(0.1, 2, size=120)
    streamed.partial_fit(X.assign(Exponential=-1.0), Y, sample_weight=np.zeros(120))  # rows of weight 0 do not count
    for rows in np.split(rng.permutation(120), sorted(cuts)):
        streamed.partial_fit(X.iloc[rows], Y[rows], ["a", "b", "c"], weights[rows])
        part = NaiveBayes(FAMILIES).partial_fit(X.iloc[rows], Y[rows], sample_weight=weights[rows])
        merged = merged.merge(part) if merged else part
    whole = NaiveBayes(FAMILIES).fit(X, Y, weights)
    assert_same(streamed, whole)
    assert_same(merged, whole)
    left = streamed.remove(X[60:], Y[60:], weights[60:])
    assert_same(left, NaiveBayes(FAMILIES).fit(X[:60], Y[:60], weights[:60]))


@pytest.mark.parametrize("family", [each for each in EVERY if each not in STREAMING], ids=str)
def test_a_family_without_sufficient_statistics_says_so(family):
    assert not hasattr(NaiveBayes([Normal(), family]), "partial_fit")
    rule = NaiveBayes(FAMILIES).fit(X, Y).set_params(families={**FAMILIES, "StudentT": family}).fit(X, Y)
    for method in ("partial_fit", "merge", "remove"):
        assert not hasattr(rule, method)
        with pytest.raises(AttributeError) as caught:
            getattr(rule, method)
        assert f"{family} needs all samples at once" in str(caught.value.__cause__)
    assert not hasattr(rule, "statistics_")
    with pytest.raises(ValueError, match="start again with fit"):
        rule.set_params(families=FAMILIES).partial_fit(X, Y)


def test_outside_of_every_support_the_prior_decides_and_a_warning_names_the_column():
    rule = NaiveBayes({"x": Exponential(), "n": Bernoulli()}, [0.2, 0.8])
    data = pd.DataFrame({"x": [1.0, 2, 5, 7], "n": [0, 1, 1, 1]})
    rule.fit(data, list("aabb"))
    assert rule.predict_proba(data.assign(n=0))[0].tolist() == [1, 0]  # outside of one support
    with pytest.warns(UserWarning, match=r"at \[-1.0, 1.0\], where column 'x' is -1 \(and 1 more rows\).*priors alone"):
        found = rule.predict_proba(pd.DataFrame({"x": [3.0, -1, -2], "n": [1, 1, np.nan]}))
    np.testing.assert_allclose(found[1:], [[0.2, 0.8]] * 2)
    assert np.isneginf(rule.joint_log_likelihood(pd.DataFrame({"x": [-1.0], "n": [1]}))).all()


def test_a_bandwidth_chosen_by_cross_validation():
    search = GridSearchCV(NaiveBayes(ParzenWindow()), {"families__bandwidth": [1e-3, 0.2, 9.0]}, error_score="raise")
    assert search.fit(IRIS.X, IRIS.y).best_params_ == {"families__bandwidth": 0.2}


SICK, WORDS = X.copy(), X.astype(object)
SICK.loc[4, "Exponential"], WORDS.loc[4, "Categorical"] = -2.0, "red"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rule: rule.fit(SICK, Y), r"(?s)x holds -2 .*x ≥ 0.*column 'Exponential' of class 'b'"),
        (lambda rule: rule.fit(WORDS, Y), r"(?s)'red'.*Code categories as numbers"),
        (
            lambda rule: rule.fit(X.assign(Binomial=X.Binomial.mask(Y == "b")), Y),
            "'b' is empty in column 'Binomial'",
        ),
        (lambda rule: rule.fit(X.assign(StudentT=1.0), Y), r"(?s)40\) are 1, so.*drop the.*'StudentT' of class 'a'"),
        (lambda rule: rule.fit(X.assign(Normal=np.inf), Y), r"X\[0, 0\] is inf"),
        (
            lambda rule: rule.merge(NaiveBayes({**FAMILIES, "StudentT": Normal()}).fit(X, Y)),
            "another hyper.*'StudentT'.*StudentT",
        ),
        (lambda rule: rule.set_params(families={**FAMILIES, "StudentT": Normal()}).partial_fit(X, Y), "'StudentT' was"),
        (lambda rule: rule.partial_fit(SICK, Y), r"x holds -2"),
        (lambda rule: rule.partial_fit(X.assign(Normal=1e200), Y), r"(?s)squares of column 0 are too.*in column 0"),
        (lambda rule: rule.partial_fit(X.assign(Categorical=np.inf), Y), "is inf"),
        (
            lambda rule: rule.remove(X[:9].assign(Exponential=900.0), Y[:9]),
            r"(?s)never added: their sum of x is larger.*in column 1\.",
        ),
        (lambda rule: rule.remove(X.fillna(1), Y, np.full(120, 0.95)), "never added: a weight of .* observed values"),
        (lambda rule: rule.remove(X, Y), "cannot remove a weight of 40 from the 40 of class 'a'"),
    ],
)
def test_a_call_that_fails_says_what_is_wrong_and_changes_nothing(call, message):
    rule = NaiveBayes(FAMILIES).partial_fit(X, Y)
    before = {**vars(rule), "families": None}
    with pytest.raises(ValueError, match=message):
        call(rule)
    assert {**vars(rule), "families": None} == before


SMALL, PAIR = np.array([[1.0], [2], [5], [7]]), [0, 0, 1, 1]
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
    expected = NaiveBayes(Normal()).fit(np.vstack([SMALL, SMALL + 1]), PAIR * 2).predict_log_proba(SMALL)
    streamed = NaiveBayes(Bell()).partial_fit(SMALL, PAIR).partial_fit(SMALL + 1, PAIR)
    merged = NaiveBayes(Bell()).fit(SMALL, PAIR).merge(NaiveBayes(Bell()).fit(SMALL + 1, PAIR))
    for fitted in (streamed, merged, streamed.partial_fit(SMALL, PAIR).remove(SMALL, PAIR)):
        np.testing.assert_allclose(fitted.predict_log_proba(SMALL), expected, rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match=r"another hyperparameters: .*column 0.*'ddof': 0.* and .*'ddof': 1"):
        merged.merge(NaiveBayes(Bell(1)).fit(SMALL, PAIR))


def test_long_lists_of_categories_are_compared_by_value():
    """Their reprs are cut short and equal, and a tuple or an array may hold the same categories as a list."""
    many, others = list(range(500)), [*range(250), 9999, *range(251, 500)]
    fitted = NaiveBayes(Categorical(many, alpha=1)).fit(SMALL, PAIR)
    with pytest.raises(ValueError, match=r"another hyperparameters: \{'family of column 0'"):
        fitted.merge(NaiveBayes(Categorical(others, alpha=1)).fit(SMALL, PAIR))
    for same in (tuple(many), range(500), np.arange(500), np.arange(500.0)):
        fitted.merge(NaiveBayes(Categorical(same, alpha=1.0)).fit(SMALL, PAIR))
    with pytest.raises(ValueError, match=r"(?s)the family of column 0 was Categorical.*start again"):
        fitted.set_params(families=Categorical(others, alpha=1)).partial_fit(SMALL, PAIR)


class Unweighted(Bell):
    def fit(self, x):
        return self


@pytest.mark.parametrize(
    ("families", "message"),
    [
        (Unweighted(), "the fit of a family must take x and weights"),
        ({"u": Normal(), "v": Bernoulli(), 0: Exponential()}, "but names 0, which is not one of them"),
        ({"u": Normal()}, "for each of the columns 'u', 'v', but has none for 'v'"),
        ({2: Normal()}, "but names 2, which is not one of them"),
        ([Normal()] * 3, "families has 3 families, but X has 2 columns"),
        ("normal", "methods fit and log_density, not 'normal'"),
        (None, "methods fit and log_density, not None"),
        (Normal, r"without the \(\) that make an object"),
        ([Normal(), KernelDensity()], r"not KernelDensity\(\); DensityClassifier takes this one, for all columns$"),
    ],
)
def test_fit_and_partial_fit_refuse_invalid_families(families, message):
    for learn in ("fit", "partial_fit"):
        with pytest.raises(ValueError, match=message):
            getattr(NaiveBayes(families), learn)(FRAME, PAIR)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda p: p + np.inf, "a number or -inf, not inf, at"),
        (np.sum, r"ln p\(x\) of each row, shape \(4,\), not \(\)"),  # would be taken for the density of each row
    ],
)
def test_a_density_that_is_no_number_for_each_row_is_refused(wrong, message):
    class Wrong(Bell):
        def log_density(self, x):
            return wrong(super().log_density(x))

    with pytest.raises(ValueError, match=f"column 0, must return {message}"):
        NaiveBayes(Wrong()).fit(SMALL, PAIR).predict(SMALL)


def test_a_gaussian_is_not_a_family():
    with pytest.raises(ValueError, match="the Gaussian family is Normal"):
        NaiveBayes(Gaussian(0, 1)).fit(SMALL, PAIR)


def test_settings_are_copies_of_the_families_that_were_given():
    """What the user changes in them afterwards waits for the next fit, and must not get into the same stream."""
    counts = np.array([[1.0], [3], [2], [4]])
    rule = NaiveBayes(Binomial(4)).partial_fit(counts, PAIR)
    expected = NaiveBayes(Binomial(4)).fit(counts, PAIR).joint_log_likelihood(counts)
    rule.families.n = 9
    np.testing.assert_allclose(rule.joint_log_likelihood(counts), expected)
    with pytest.raises(ValueError, match=r"was Binomial\(n=4\), but is Binomial\(n=9\) now: start again with fit"):
        rule.partial_fit(counts, PAIR)


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
    with pytest.raises(ValueError, match=r"(?s)column 'u' of class 'a'|class 'a' is empty in column 'u'"):
        rule.predict(GAPS)
    found = rule.partial_fit(GAPS[:3], LABELS[:3]).predict_log_proba(GAPS)
    np.testing.assert_allclose(found, NaiveBayes(family).fit(GAPS, LABELS).predict_log_proba(GAPS), rtol=1e-9)


@pytest.mark.parametrize("rule", [GaussianNB(), NaiveBayes(Normal()), MultinomialNB(), BernoulliNB()], ids=str)
def test_a_stream_needs_classes_and_weights_that_can_be_added_up(rule):
    with pytest.raises(ValueError, match="classes is empty: give all labels that will occur, or None"):
        rule.partial_fit(SMALL, PAIR, classes=[])
    huge = np.full(4, 4e307)
    fitted = rule.partial_fit(SMALL / 10, PAIR, sample_weight=huge)
    assert fitted.priors_.tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="sum of the weights overflows: divide all"):
        fitted.partial_fit(SMALL / 10, PAIR, sample_weight=huge)
    assert fitted.priors_.tolist() == [0.5, 0.5]


def test_counts_that_are_looked_up_have_the_densities_of_each():
    rng = np.random.default_rng(0)
    X, y = rng.poisson([2, 5, 5], (80, 3)) * [1.0, 1.0, 0.5], np.arange(80) % 2  # the last column is no count
    fitted = NaiveBayes([Poisson(), Poisson(), Normal()]).fit(X, y)
    new = np.vstack([X, [0, 19, 1], [1, np.nan, 2]])  # 19 is in no class; a gap keeps a column from being looked up
    for rows in (new, new[:-1]):
        columns = [[density.log_density(rows[:, j]) for j, density in enumerate(each)] for each in fitted.densities_]
        expected = np.log(fitted.priors_) + np.nansum(columns, axis=1).T
        np.testing.assert_allclose(fitted.joint_log_likelihood(rows), expected, rtol=1e-12)


@pytest.mark.parametrize("family", [each for each in STREAMING if not isinstance(each, StudentT)], ids=str)
def test_columns_that_are_computed_together_are_those_of_each(family):
    X, y = np.column_stack([draw(family, 90, np.arange(90) % 3, i) for i in range(4)]), np.arange(90) % 3
    if not is_continuous(family):
        X[:, 3] = np.where(y == 1, X[0, 3], X[:, 3])  # then some ln p are −∞
    weights = np.random.default_rng(0).uniform(0.1, 2, 90)
    fitted = NaiveBayes(family).fit(X, y, weights)
    gaps, outside, far = X[:3].copy(), X[:3].copy(), X[:3].copy()
    gaps[0, 1], gaps[1], outside[:, 2], far[:, 1] = np.nan, np.nan, -0.5, 1e200
    for rows in (X, gaps, outside, far, X[:1]):
        expected = np.tile(np.log(fitted.priors_), (len(rows), 1))
        for k, densities in enumerate(fitted.densities_):
            for j, density in enumerate(densities):
                alone = clone(density).fit(X[y == k, j], weights[y == k])
                expected[:, k] += np.nan_to_num(alone.log_density(rows[:, j]), nan=0, neginf=-np.inf)
        np.testing.assert_allclose(fitted.joint_log_likelihood(rows), expected, rtol=1e-12, atol=1e-12)


def test_columns_of_several_families_are_added_up():
    y, families = (
        np.arange(90) % 3,
        [Binomial(5), Poisson(), Normal(), Binomial(7), Categorical(), Normal(), Bernoulli()],
    )
    X = np.column_stack([draw(each, 90, y, i) for i, each in enumerate(families)])
    fitted = NaiveBayes(families).fit(X, y)
    X[0, 1], X[1, 2], X[2, 6] = np.nan, np.nan, 0.5
    columns = [[density.log_density(X[:, j]) for j, density in enumerate(each)] for each in fitted.densities_]
    expected = np.log(fitted.priors_) + np.nansum(columns, axis=1).T
    np.testing.assert_allclose(fitted.joint_log_likelihood(X), expected, rtol=1e-12)


@pytest.mark.parametrize("family", [Bernoulli(), Categorical(), Poisson(), Normal()], ids=str)
def test_classes_that_are_alike_tie_and_the_first_one_wins(family):
    for K in (3, 5, 7):
        one = np.column_stack([draw(family, 37, np.zeros(37, dtype=int), j) for j in range(33)])
        fitted = NaiveBayes(family).fit(np.tile(one, (K, 1)), np.repeat(range(K), 37))
        assert not fitted.predict(one).any()


def test_a_subclass_may_summarise_in_its_own_way():
    class Clipped(Normal):
        def summarise(self, x, weights=None):
            return super().summarise(np.clip(x, -1, 1), weights)

    X, y = np.linspace(-9, 9, 40).reshape(20, 2), np.arange(20) % 2
    ours, clipped = NaiveBayes(Clipped()).fit(X, y), NaiveBayes(Normal()).fit(np.clip(X, -1, 1), y)
    for mine, other in zip(ours.densities_, clipped.densities_, strict=True):
        np.testing.assert_allclose([each.variance_ for each in mine], [each.variance_ for each in other])


def test_what_a_density_keeps_is_its_own_business():
    class Kept:
        def __init__(self):
            self.parts = [np.zeros((2, 3)), np.zeros((2, 4))]

        def fit(self, x, weights=None):
            self.mean_ = np.average(x, weights=weights)

        def log_density(self, x):
            return -np.square(x - self.mean_)

    fitted = NaiveBayes(Kept()).fit([[0], [1], [4], [6]], [0, 0, 1, 1])
    assert fitted.predict([[0.4], [5]]).tolist() == [0, 1]


def test_a_subclass_may_have_a_density_of_its_own():
    class Uniform(Poisson):
        def _log_density(self, x):
            return np.zeros(x.shape)

    fitted = NaiveBayes(Uniform()).fit([[0, 3], [1, 0], [2, 2]], [0, 0, 1])
    np.testing.assert_allclose(fitted.predict_proba([[1, 2]]), [[2 / 3, 1 / 3]])


@pytest.mark.parametrize(("family", "impossible"), [(Rayleigh(), 0.0), (Poisson(), 1e308)], ids=str)
def test_where_no_class_has_a_density_the_label_says_so_too(family, impossible):
    """The label leaves out h(x), which is −∞ there."""
    X, y = np.array([[10.0, 30], [20, 10], [30, 20], [50, 40], [60, 70], [70, 30]]), [0, 0, 1, 1, 1, 1]
    fitted = NaiveBayes(family).fit(X, y)
    rows = np.vstack([X[:1], np.full(2, impossible)])
    for method in (fitted.predict, fitted.predict_proba):
        with pytest.warns(UserWarning, match="no class .* has a density above 0"):
            found = method(rows)
    np.testing.assert_allclose(found[1], fitted.priors_)
    np.testing.assert_allclose(found[:1], fitted.predict_proba(X[:1]))
