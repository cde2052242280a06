"""Naive Bayes with any families: against scikit-learn, in pieces, with missing values, supports and mixed columns."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import naive_bayes
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayeslab import (
    Bernoulli,
    Binomial,
    Categorical,
    DegenerateSampleError,
    Exponential,
    GaussianNB,
    Laplace,
    NaiveBayes,
    Normal,
    ParzenWindow,
    Poisson,
    Rayleigh,
    StudentT,
    load_iris,
)

IRIS = load_iris()
SAME = "a column of these data does not vary within a class, whose likelihood then has no maximum"
CHECKED = [NaiveBayes(family) for family in (Normal(), Laplace(), StudentT(), ParzenWindow(), ParzenWindow(1.0))]


def expected_failures(estimator) -> dict[str, str]:
    """Checks of scikit-learn that are expected to fail, and why."""
    if estimator.families.get_params().get("bandwidth"):
        return {}
    names = "weights_shape", "weights_not_overwritten", "weight_equivalence_on_dense_data"
    return {f"check_sample_{name}": SAME for name in names}


@parametrize_with_checks(CHECKED, expected_failed_checks=expected_failures)
def test_scikit_learns_conventions(estimator, check):
    check(estimator)


def mixed(n=120, seed=0):
    """One column for each family that streams, in three classes, with gaps; and the families."""
    rng, k = np.random.default_rng(seed), np.arange(n) % 3
    columns = {
        "normal": rng.normal(k, 1 + k),
        "wait": rng.exponential(1.0 + k),
        "wind": rng.rayleigh(1.0 + k),
        "count": rng.poisson(1.0 + 2 * k),
        "hits": rng.binomial(5, 0.2 + 0.2 * k),
        "flag": rng.random(n) < 0.2 + 0.3 * k,
        "kind": rng.integers(0, 3 + k, n),
        "few": rng.normal(2 * k),
    }
    X = pd.DataFrame(columns).astype(float)
    X = X.mask(rng.random(X.shape) < 0.1)
    families = [Normal(), Exponential(), Rayleigh(), Poisson(), Binomial(5), Bernoulli(), Categorical(alpha=1)]
    return X, np.array(["a", "b", "c"])[k], dict(zip(columns, [*families, StudentT()], strict=True))


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
    np.testing.assert_allclose(
        found, also_ours.joint_log_likelihood(IRIS.X), rtol=1e-12, atol=1e-12
    )  # terms of size 5 may cancel


@pytest.mark.parametrize("alpha", [0.3, 1])
def test_categories_agree_with_scikit_learn(alpha):
    rng = np.random.default_rng(2)
    X, y, weights = rng.integers(0, 5, (90, 3)), np.arange(90) % 3, rng.uniform(size=90)
    X[y == 0] %= 4  # one class lacks a category, which smoothing must still count
    ours = NaiveBayes(Categorical(alpha=alpha)).fit(X, y, weights)
    theirs = naive_bayes.CategoricalNB(alpha=alpha).fit(X, y, weights)
    np.testing.assert_allclose(ours.joint_log_likelihood(X), theirs.predict_joint_log_proba(X), rtol=1e-10)


def test_each_column_has_its_own_density_and_missing_values_are_left_out():
    """In fit for its column alone, in prediction for its row."""
    fitted = NaiveBayes(FAMILIES).fit(X, Y)
    expected = np.log(np.full((len(X), 3), 1 / 3))
    for k, label in enumerate("abc"):
        part = X[label == Y]
        densities = {
            "normal": stats.norm(part.normal.mean(), part.normal.std(ddof=0)).logpdf,
            "wait": stats.expon(scale=part.wait.mean()).logpdf,
            "wind": stats.rayleigh(scale=np.sqrt((part.wind**2).mean() / 2)).logpdf,
            "count": stats.poisson(part["count"].mean()).logpmf,
            "hits": stats.binom(5, part.hits.mean() / 5).logpmf,
            "flag": stats.bernoulli(part.flag.mean()).logpmf,
            "kind": lambda x, seen=part.kind: np.log([(1 + (seen == v).sum()) / (5 + seen.count()) for v in x]),
            "few": stats.t((n := part.few.count()) - 1, part.few.mean(), part.few.std() * np.sqrt(1 + 1 / n)).logpdf,
        }
        for name, log_density in densities.items():
            expected[:, k] += np.where(X[name].isna(), 0, log_density(X[name]))
    np.testing.assert_allclose(fitted.joint_log_likelihood(X), expected, rtol=1e-10)
    assert fitted.score(X, Y) > 0.8
    np.testing.assert_allclose(fitted.predict_proba(X * np.nan), np.full((len(X), 3), 1 / 3))


def test_columns_have_names_in_a_frame_and_numbers_in_an_array():
    named = NaiveBayes(FAMILIES).fit(X, Y)
    assert_same(NaiveBayes(list(FAMILIES.values())).fit(X, Y), named, 0)
    assert_same(NaiveBayes(dict(reversed(FAMILIES.items()))).fit(X, Y), named, 0)
    numbered = NaiveBayes(dict(enumerate(FAMILIES.values()))).fit(X.to_numpy(), Y)
    np.testing.assert_array_equal(numbered.predict_proba(X.to_numpy()), named.predict_proba(X))


def test_a_weight_is_a_repetition():
    counts = np.random.default_rng(4).integers(0, 4, 120)
    rows = np.repeat(np.arange(120), counts)
    for families in (FAMILIES, {**FAMILIES, "normal": Laplace(), "wait": ParzenWindow()}):
        assert_same(NaiveBayes(families).fit(X, Y, counts), NaiveBayes(families).fit(X.iloc[rows], Y[rows]))


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), cuts=st.lists(st.integers(1, 119), min_size=1, max_size=6, unique=True))
def test_any_pieces_in_any_order_give_one_fit(seed, cuts):
    """Some pieces are single rows, with empty columns and without most classes."""
    rng = np.random.default_rng(seed)
    streamed, merged, weights = NaiveBayes(FAMILIES), None, rng.uniform(0.1, 2, size=120)
    streamed.partial_fit(X.assign(wait=-1.0), Y, sample_weight=np.zeros(120))  # rows of weight 0 do not count
    for rows in np.split(rng.permutation(120), sorted(cuts)):
        streamed.partial_fit(X.iloc[rows], Y[rows], ["a", "b", "c"], weights[rows])
        part = NaiveBayes(FAMILIES).partial_fit(X.iloc[rows], Y[rows], sample_weight=weights[rows])
        merged = merged.merge(part) if merged else part
    whole = NaiveBayes(FAMILIES).fit(X, Y, weights)
    assert_same(streamed, whole)
    assert_same(merged, whole)
    left = streamed.remove(X[60:], Y[60:], weights[60:])
    assert_same(left, NaiveBayes(FAMILIES).fit(X[:60], Y[:60], weights[:60]))


def test_a_removed_category_leaves_no_trace():
    fitted = NaiveBayes(Categorical(alpha=1)).fit([[0], [1], [7], [0], [1]], list("aaabb"), [0.1, 0.2, 0.3, 1, 1])
    found = fitted.remove([[7]], ["a"], [0.3]).densities_[0][0]
    assert found.categories_.tolist() == [0, 1]
    np.testing.assert_allclose(np.exp(found.log_probabilities_), [1.1 / 2.3, 1.2 / 2.3])


def test_a_column_may_be_emptied_and_filled_again():
    gaps = pd.DataFrame({"u": [1, 2, np.nan, 3, 5], "v": [1.0, 3, 4, 2, 6]})
    fitted = NaiveBayes(Normal()).fit(gaps, list("aaabb"))
    fitted.remove(gaps[:2], ["a", "a"]).partial_fit(gaps[1:2], ["a"])
    with pytest.raises(DegenerateSampleError, match=r"(?s)column 'u' of class 'a'"):
        fitted.predict(gaps)
    fitted.partial_fit(gaps[:1], ["a"])
    expected = NaiveBayes(Normal()).fit(gaps, list("aaabb"))
    np.testing.assert_allclose(fitted.predict_log_proba(gaps), expected.predict_log_proba(gaps))


@pytest.mark.parametrize("family", [Laplace(), ParzenWindow()], ids=str)
def test_a_family_without_sufficient_statistics_says_so(family):
    rule = NaiveBayes({**FAMILIES, "few": family}).fit(X, Y)
    for method in ("partial_fit", "merge", "remove"):
        assert not hasattr(rule, method)
        with pytest.raises(AttributeError) as caught:
            getattr(rule, method)
        assert f"{family} needs all samples at once" in str(caught.value.__cause__)
    with pytest.raises(ValueError, match="start anew with fit"):
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


def test_explain_shows_what_each_column_says():
    rule = NaiveBayes(FAMILIES).fit(X, Y)
    told = rule.explain(X[:5])
    terms = told[[f"ln p({name}|C)" for name in X]]
    np.testing.assert_allclose(terms.sum(axis=1) + told["ln π"], rule.joint_log_likelihood(X[:5]).ravel())


@pytest.mark.parametrize("unit", [1e-60, 1e60])
def test_decisions_do_not_depend_on_units(unit):
    for family in (Normal(), Laplace(), Exponential(), Rayleigh(), ParzenWindow(), StudentT()):
        rule = NaiveBayes(family)
        expected = clone(rule).fit(IRIS.X, IRIS.y).predict_log_proba(IRIS.X)
        found = rule.fit(IRIS.X * unit, IRIS.y).predict_log_proba(IRIS.X * unit)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_a_user_defined_family_and_a_bandwidth_chosen_by_cross_validation():
    class Uniform:
        def fit(self, x, weights):
            self.low, self.high = x.min(), x.max()

        def log_density(self, x):
            with np.errstate(divide="ignore"):
                return np.log(((x >= self.low) & (x <= self.high)) / (self.high - self.low))

    rule = NaiveBayes(Uniform()).fit([[0.0], [2], [1], [5]], list("aabb"))
    np.testing.assert_allclose(rule.predict_proba([[0.5], [1.5], [4]]), [[1, 0], [2 / 3, 1 / 3], [0, 1]])
    search = GridSearchCV(NaiveBayes(ParzenWindow()), {"families__bandwidth": [1e-3, 0.2, 9.0]}, error_score="raise")
    assert search.fit(IRIS.X, IRIS.y).best_params_ == {"families__bandwidth": 0.2}


def failing():
    """Calls that must fail, with what they must say."""
    fitted, sick, words = NaiveBayes(FAMILIES).fit(X, Y), X.copy(), X.astype(object)
    sick.loc[4, "wait"], words.loc[4, "kind"] = -2.0, "red"
    empty = X.assign(hits=X.hits.mask(Y == "b"))
    some = dict(list(FAMILIES.items())[1:])
    return [
        (lambda: fitted.fit(sick, Y), r"(?s)x holds -2 .*x ≥ 0.*column 'wait' of class 'b'"),
        (lambda: fitted.fit(words, Y), r"(?s)'red'.*Code categories as numbers"),
        (lambda: fitted.fit(empty, Y), "class 'b': all its values of column 'hits' are missing"),
        (lambda: fitted.fit(X.assign(few=1.0), Y), r"(?s)weight 40\) are 1, so.*drop the.*'few' of class 'a'"),
        (lambda: fitted.fit(X.assign(normal=np.inf), Y), r"X\[0, 0\] is inf"),
        (lambda: NaiveBayes(some).fit(X, Y), "but has none for 'normal'"),
        (lambda: NaiveBayes({**FAMILIES, "colour": Normal()}).fit(X, Y), "names 'colour', which is not one of them"),
        (lambda: NaiveBayes([Normal()] * 3).fit(X, Y), "families has 3 families, but X has 8 columns"),
        (lambda: NaiveBayes(Normal).fit(X, Y), r"is it a class, without the \(\)"),
        (lambda: fitted.merge(NaiveBayes({**FAMILIES, "few": Normal()}).fit(X, Y)), "another hyperparameters"),
        (lambda: fitted.partial_fit(sick, Y), r"x holds -2"),
        (lambda: fitted.remove(X[:9].assign(wait=900.0), Y[:9]), "never added: their sum of x is larger"),
        (lambda: fitted.remove(X.fillna(1), Y, np.full(120, 0.95)), "never added: a weight of .* observed values"),
    ]


@pytest.mark.parametrize("i", range(13))
def test_errors_say_what_is_wrong(i):
    call, message = failing()[i]
    with pytest.raises(ValueError, match=message):
        call()


def test_a_call_that_fails_or_is_interrupted_changes_nothing(monkeypatch):
    fitted = NaiveBayes(FAMILIES).partial_fit(X, Y)
    before, state = fitted.predict_log_proba(X), dict(vars(fitted))
    for call in (
        lambda: fitted.fit(X.assign(wait=-1.0), Y),
        lambda: fitted.partial_fit(X.assign(kind=np.inf), Y),
        lambda: fitted.remove(X, Y),
    ):
        with pytest.raises(ValueError):  # noqa: PT011 - what it says is tested elsewhere
            call()
        assert vars(fitted) == state
    monkeypatch.setattr(StudentT, "estimate", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        fitted.fit(X[:60], Y[:60])
    np.testing.assert_array_equal(fitted.predict_log_proba(X), before)
