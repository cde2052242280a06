"""Documents as bags of words: against scikit-learn, sparse and dense, and words of probability 0."""

import numpy as np
import pytest
from family import refusals
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csc_array, csr_array, csr_matrix
from sklearn import naive_bayes

from bayeslab import Bernoulli, BernoulliNB, MultinomialNB, NaiveBayes
from bayeslab.moments import Sums

RNG = np.random.default_rng(0)
X = RNG.poisson(RNG.gamma(0.6, size=30), size=(90, 30)).astype(float)
Y = np.array(["austen", "burney", "scott"])[np.arange(90) % 3]
X[Y == "burney", :5] = 0  # words that one class never has
BOTH = [MultinomialNB, BernoulliNB]
THEIRS = {MultinomialNB: naive_bayes.MultinomialNB, BernoulliNB: naive_bayes.BernoulliNB}


def assert_same(one, other, tolerance=1e-10):
    assert one.classes_.tolist() == other.classes_.tolist()
    for name in ("feature_log_prob_", "feature_count_", "class_count_"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=tolerance, atol=1e-12)
    np.testing.assert_allclose(one.predict_log_proba(X), other.predict_log_proba(X), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("Rule", BOTH)
@pytest.mark.parametrize(("alpha", "priors"), [(1.0, "equal"), (0.01, None), (30, None)])
@pytest.mark.parametrize("kind", [np.asarray, csr_matrix, csr_array, csc_array])
def test_numbers_agree_with_scikit_learn(Rule, alpha, kind, priors):
    weights, y = np.random.default_rng(1).uniform(0.5, 2, size=90), np.where(np.arange(90) < 11, "scott", Y)
    ours = Rule(alpha, priors).fit(kind(X), y, sample_weight=weights)
    theirs = THEIRS[Rule](alpha=alpha, fit_prior=priors is None).fit(kind(X), y, sample_weight=weights)
    assert_same(ours, theirs)
    np.testing.assert_allclose(ours.joint_log_likelihood(kind(X)), theirs.predict_joint_log_proba(X), rtol=1e-10)
    assert ours.predict(kind(X)).tolist() == theirs.predict(X).tolist()


@pytest.mark.parametrize("Rule", BOTH)
@settings(max_examples=settings.default.max_examples // 4)
@given(seed=st.integers(0, 2**32 - 1), cuts=st.lists(st.integers(1, 89), min_size=1, max_size=6, unique=True))
def test_any_pieces_in_any_order_give_one_fit(Rule, seed, cuts):
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 4, 90)
    pieces, streamed, merged = np.split(rng.permutation(90), sorted(cuts)), Rule(), None
    for rows in pieces:
        streamed.partial_fit(csr_array(X[rows]), Y[rows], np.unique(Y), weights[rows])
        part = Rule().partial_fit(X[rows], Y[rows], sample_weight=weights[rows])
        merged = merged.merge(part) if merged else part
    repeated = np.repeat(np.arange(90), weights)
    whole = Rule().fit(X[repeated], Y[repeated])
    assert_same(streamed, whole)
    assert_same(merged, whole)


@pytest.mark.parametrize("Rule", BOTH)
def test_remove_undoes_fit(Rule):
    weights = np.random.default_rng(2).uniform(size=90)
    fitted = Rule(0).fit(X, Y, weights).remove(csr_array(X[6:]), Y[6:], weights[6:])
    expected = Rule(0).fit(X[:6], Y[:6], weights[:6])
    np.testing.assert_allclose(fitted.feature_log_prob_, expected.feature_log_prob_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(fitted.priors_, expected.priors_, rtol=1e-12)
    assert np.isneginf(fitted.feature_log_prob_).any()  # rounding leaves nothing of a removed word


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_without_smoothing_one_word_rules_a_class_out(kind):
    fitted = MultinomialNB(alpha=0).fit(kind([[2.0, 1, 0], [1, 0, 3]]), ["ham", "spam"])
    np.testing.assert_allclose(fitted.predict_proba(kind([[9.0, 1, 0], [0, 0, 1], [1, 0, 0]]))[:, 0], [1, 0, 8 / 11])
    with pytest.warns(
        UserWarning, match="a document of 2 different words: each class has a word that rules it out .*prior"
    ):
        np.testing.assert_allclose(fitted.predict_proba(kind([[0.0, 1, 1]])), [[0.5, 0.5]])
    seen = MultinomialNB(alpha=0).fit(kind([[2.0, 0, 0], [1, 0, 3]]), ["ham", "spam"])
    with pytest.warns(UserWarning, match="a document with the word 1, which no class has"):
        seen.predict(kind([[0.0, 1, 0]]))


def test_without_smoothing_the_bernoulli_densities_are_those_of_the_family():
    """Words that all documents of a class have, that none has, and that some have; all 2⁴ documents."""
    present = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 1, 1], [1, 1, 0, 1], [0, 1, 0, 1]])
    y, documents = np.repeat(["a", "b"], 3), np.array(np.meshgrid(*[[0, 1]] * 4)).reshape(4, -1).T
    ours, expected = BernoulliNB(alpha=0).fit(present, y), NaiveBayes(Bernoulli()).fit(present, y)
    found = ours.joint_log_likelihood(csr_array(documents.astype(float)))
    assert np.isneginf(found).any()
    np.testing.assert_allclose(found, expected.joint_log_likelihood(documents), rtol=1e-12)
    np.testing.assert_allclose(np.exp(found - ours._log_priors).sum(axis=0), 1)


def test_a_word_that_all_documents_have_is_certain_though_weights_are_rounded():
    rng = np.random.default_rng(0)
    for _ in range(50):
        weights = rng.uniform(0.1, 1, size=31)
        fitted = BernoulliNB(alpha=0).fit(np.ones((31, 1)), np.arange(31) == 30, weights)
        assert np.isneginf(fitted.joint_log_likelihood([[0.0]])).all()


@pytest.mark.parametrize("alpha", [1e300, 1e308, 1.7e308])
def test_however_large_alpha_is_all_words_become_equally_probable(alpha):
    np.testing.assert_allclose(MultinomialNB(alpha).fit(X, Y).feature_log_prob_, -np.log(30))
    np.testing.assert_allclose(BernoulliNB(alpha).fit(X, Y).feature_log_prob_, -np.log(2))


def test_counts_whose_sum_is_out_of_range():
    counts = np.array([[1.7, 1.7, 0.0], [0, 1.7, 1.7]]) * 1e308
    fitted = MultinomialNB(alpha=0).fit(counts, ["a", "b"])
    np.testing.assert_allclose(np.exp(fitted.feature_log_prob_), [[0.5, 0.5, 0], [0, 0.5, 0.5]])
    smoothed = MultinomialNB(alpha=1.7e308).fit(counts, ["a", "b"]).feature_log_prob_
    np.testing.assert_allclose(np.exp(smoothed), [[0.4, 0.4, 0.2], [0.2, 0.4, 0.4]])
    heavy = BernoulliNB(alpha=1.7e308).fit([[1], [0]], ["a", "b"], [5e307, 5e307]).feature_log_prob_
    np.testing.assert_allclose(np.exp(heavy), [[2.2 / 3.9], [1.7 / 3.9]])
    fitted = MultinomialNB().fit([[1, 1, 2], [2, 1, 1]], ["a", "b"])
    with pytest.warns(UserWarning, match="the priors alone decide"):  # x ln p is out of range as well
        assert fitted.predict(np.full((1, 3), 1.7e308)).tolist() == ["a"]


def test_a_word_is_there_where_its_number_is_above_zero():
    fitted = BernoulliNB().fit(csr_array(X - 0.5 * (X == 0)), Y)
    np.testing.assert_array_equal(fitted.feature_count_, BernoulliNB().fit(X > 0, Y).feature_count_)


def test_sums_cannot_be_subtracted_from_themselves():
    for weight in (1e-9, 1.0, 1e9):
        with pytest.raises(ValueError, match="nothing would be left"):
            Sums(weight) - Sums(weight * (1 - 1e-15))
        assert (Sums(weight) - Sums(weight * (1 - 1e-9))).weight > 0


@pytest.mark.parametrize("Rule", BOTH)
def test_everything_else_works_on_sparse_documents(Rule):
    fitted, sparse = Rule().fit(csr_array(X), Y), csr_array(X)
    np.testing.assert_array_equal(fitted.decide(sparse), fitted.decide(X))
    np.testing.assert_allclose(fitted.explain(sparse), fitted.explain(X))
    np.testing.assert_array_equal(fitted.with_priors([0, 0.5, 0.5]).predict(sparse[:0:-1]) == "austen", False)
    assert fitted.score(sparse, Y) == fitted.score(X, Y) > 0.4


@pytest.mark.parametrize("Rule", BOTH)
def test_a_changed_hyperparameter_waits_for_the_next_data(Rule):
    fitted = Rule().fit(X[:45], Y[:45])
    before = fitted.set_params(alpha=0.1).predict_log_proba(X)
    np.testing.assert_array_equal(before, Rule().fit(X[:45], Y[:45]).predict_log_proba(X))
    assert_same(fitted.partial_fit(X[45:], Y[45:]), Rule(0.1).fit(X, Y))


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize(
    ("value", "message"),
    [(np.nan, r"X\[2, 1\] is nan; X must"), (np.inf, r"X\[2, 1\] is inf"), (-3.0, r"X\[2, 1\] is -3.*counts are 0 or")],
)
def test_an_entry_that_is_not_a_count_is_named(kind, value, message):
    wrong, fitted = X.copy(), MultinomialNB().fit(X, Y)
    wrong[2, 1] = value
    for call in (lambda X: MultinomialNB().fit(X, Y), fitted.predict, fitted.explain):
        with pytest.raises(ValueError, match=message):
            call(kind(wrong))


test_errors_say_what_is_wrong = refusals(
    (lambda: MultinomialNB(alpha=-1).fit(X, Y), "alpha must be a number, 0 or more, not -1"),
    (lambda: MultinomialNB(0).fit([[0, 0], [1, 2]], [0, 1]), "class 0 has no words at all: set alpha above 0"),
    (lambda: MultinomialNB().partial_fit(X, Y, ["x", *np.unique(Y)]).predict(X), "class 'x' is empty"),
    (lambda: MultinomialNB().fit(X, Y).merge(MultinomialNB(2).fit(X, Y)), "another hyperparameters"),
    (lambda: MultinomialNB().fit(X, Y).remove(99 * X[:9], Y[:9], np.full(9, 0.1)), "never added: their sum of counts"),
    (lambda: MultinomialNB().fit([[1e308], [1e308], [1]], [0, 0, 1]), "sum of counts is too large"),
)


@pytest.mark.parametrize("Rule", BOTH)
def test_duplicate_entries_are_added_up_but_not_in_the_callers_matrix(Rule):
    """The matrix may be read-only, as it is where joblib shares it among processes."""
    data, column, ends = np.array([3.0, -1, 2, 3, 0]), np.array([0, 0, 1, 0, 2]), np.array([0, 2, 4, 5, 5])
    twice, dense = csr_array((data, column, ends), shape=(4, 3)), np.array([[2.0, 0, 0], [3, 2, 0], [0] * 3, [0] * 3])
    for part in (twice.data, twice.indices, twice.indptr):
        part.flags.writeable = False
    fitted, expected = Rule().fit(twice, [0, 0, 1, 1]), Rule().fit(dense, [0, 0, 1, 1])
    np.testing.assert_array_equal(fitted.feature_count_, expected.feature_count_)
    np.testing.assert_array_equal(fitted.predict_log_proba(twice), expected.predict_log_proba(dense))
    assert twice.data.tolist() == data.tolist()
