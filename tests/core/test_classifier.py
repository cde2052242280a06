"""Gaussian classifiers against scikit-learn, priors, ties, and decisions with costs."""

import numpy as np
import pandas as pd
import pytest
from family import PEER_DDOF, refusals
from sklearn import discriminant_analysis, naive_bayes, neighbors
from sklearn.metrics import accuracy_score

from bayeslab import (
    Exponential,
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    NaiveBayes,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    load_iris,
    load_penguins,
    make_xor,
)


@pytest.mark.parametrize("load", [load_iris, load_penguins])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (QuadraticDiscriminantAnalysis(ddof=PEER_DDOF), discriminant_analysis.QuadraticDiscriminantAnalysis()),
        (LinearDiscriminantAnalysis(ddof=PEER_DDOF), discriminant_analysis.LinearDiscriminantAnalysis()),
        (GaussianNB(ddof=0), naive_bayes.GaussianNB(var_smoothing=0)),
        (NearestMean(), neighbors.NearestCentroid()),
    ],
    ids=lambda estimator: type(estimator).__module__.split(".")[0],
)
def test_decisions_and_posteriors_are_scikit_learns(load, ours, theirs):
    """Both at scikit-learn's divisor, n."""
    data = load()
    ours.fit(data.X, data.y)
    theirs.fit(data.X, data.y)
    np.testing.assert_array_equal(ours.predict(data.X), theirs.predict(data.X))
    if not isinstance(theirs, neighbors.NearestCentroid):  # its posteriors are another model
        np.testing.assert_allclose(ours.predict_proba(data.X), theirs.predict_proba(data.X), atol=1e-8)


def test_score_is_scikit_learns_accuracy():
    """For arrays of strings or integers we compute it; scikit-learn does so for all others, and checks them."""
    iris = load_iris()
    for y in (iris.y, np.unique(iris.y, return_inverse=True)[1]):
        fitted = NearestMean().fit(iris.X, y)
        expected = accuracy_score(y, fitted.predict(iris.X))
        for same in (y, y[:, None], pd.Series(y)):
            assert fitted.score(iris.X, same) == expected < 1
        weights = np.arange(len(y))
        assert fitted.score(iris.X, y, weights) == accuracy_score(y, fitted.predict(iris.X), sample_weight=weights)
    with pytest.raises(ValueError, match=r"y and the classes \[0, 1, 2\] must be both text or both numbers"):
        fitted.score(iris.X, iris.y)
    for wrong in (y[:-1], [None] * len(y)):
        with pytest.raises((ValueError, TypeError)):
            fitted.score(iris.X, wrong)


def test_priors():
    X, y = np.array([[0.0], [1], [2], [10], [11]]), np.array(["a", "a", "a", "b", "b"])
    assert GaussianNB().fit(X, y).priors_ == pytest.approx([0.6, 0.4])
    assert GaussianNB(priors="equal").fit(X, y).priors_ == pytest.approx([0.5, 0.5])
    never_a = GaussianNB(priors=[0, 1]).fit(X, y)
    assert set(never_a.predict(X)) == {"b"}
    np.testing.assert_allclose(never_a.predict_proba(X), [[0, 1]] * 5)
    given = np.array([0.2, 0.8])
    fitted = GaussianNB(priors=given).fit(X, y)
    shifted = fitted.with_priors(given[::-1])
    given[:] = 9
    assert (fitted.priors_.tolist(), shifted.fit(X, y).priors_.tolist()) == ([0.2, 0.8], [0.8, 0.2])


def test_a_tie_goes_to_the_first_class():
    X, y = np.array([[-2.0], [0], [0], [2]]), np.array(["b", "b", "a", "a"])
    fitted = NearestMean().fit(X, y)
    assert fitted.decision_function([[0.0]]) == 0
    assert fitted.predict([[0.0]]) == "a"


IRIS = load_iris()
FEW = [0, 1, 2, 50, 51, 52]


def fit(Classifier, rows, **parameters):
    return lambda: Classifier(**parameters).fit(IRIS.X[rows], IRIS.y[rows])


test_errors_of_fit_say_what_and_where = refusals(
    (fit(QuadraticDiscriminantAnalysis, FEW), "class 'setosa'.*3 samples.*at least 5"),
    (fit(LinearDiscriminantAnalysis, FEW[1:5]), "all classes pooled.*4 samples.*at least 6"),
    (fit(GaussianNB, range(51)), "class 'versicolor'.*the samples have 1"),
    (fit(GaussianNB, range(50)), "one class only: 'setosa'"),
    (fit(GaussianNB, slice(None), priors=[0.5, 0.6, 0.1]), "sums to 1.2"),
    (fit(GaussianNB, slice(None), priors=[0.5, 0.5]), "y holds 3 classes"),
    (fit(GaussianNB, slice(None), priors=[1.5, -0.5, 0]), "non-negative"),
    (fit(GaussianNB, slice(None), priors="uniform"), "'uniform'"),
)


FITTED = QuadraticDiscriminantAnalysis().fit(IRIS.X, IRIS.y)


def test_least_expected_cost():
    """Five decisions for three classes, each row by brute force."""
    costs = np.random.default_rng(0).uniform(0, 5, size=(5, 3))
    expected = [[sum(costs[a, k] * p[k] for k in range(3)) for a in range(5)] for p in FITTED.predict_proba(IRIS.X)]
    np.testing.assert_array_equal(FITTED.decide(IRIS.X, costs), np.argmin(expected, axis=1))


@pytest.mark.parametrize("reject", [0.0, 0.05, 0.3, 0.7])
def test_chows_rule(reject):
    """Without costs, rejection costs less than deciding where the largest posterior is at most 1 − reject."""
    largest = FITTED.predict_proba(IRIS.X).max(axis=1)
    np.testing.assert_array_equal(FITTED.decide(IRIS.X, reject=reject) == 3, 1 - largest >= reject)


def test_what_costs_the_same_is_rejected():
    """Chow rejects where deciding is not cheaper."""
    posterior = FITTED.predict_proba(IRIS.X[[70]])
    cost = (posterior @ (1 - np.eye(3))).min()
    assert FITTED.decide(IRIS.X[[70]], reject=cost).tolist() == [3]
    assert FITTED.decide(IRIS.X[[70]], reject=np.nextafter(cost, 1)).tolist() == [posterior.argmax()]


def test_where_errors_cost_less_than_nothing_so_may_a_rejection():
    gains = -np.eye(3)
    assert FITTED.decide(IRIS.X[:1], gains, reject=-0.5).tolist() == [0]
    assert FITTED.decide(IRIS.X[:1], gains, reject=-1).tolist() == [3]


def test_one_warning_counts_the_lost_rows_of_all_blocks():
    rule = NaiveBayes(Exponential()).fit([[1.0], [2], [3], [4]], ["a", "a", "b", "b"])
    X = np.ones((400_000, 1))  # two blocks
    X[[7, -1]] = -1
    with pytest.warns(UserWarning, match=r"at \[-1.0\], where column 0 is -1 \(and 1 more rows\)") as warned:
        rule.predict(X)
    assert len(warned) == 1


def test_other_priors_are_those_of_a_fit_with_them():
    for priors in ([0.1, 0.2, 0.7], [0, 0.5, 0.5], "equal"):
        shifted = FITTED.with_priors(priors)
        refitted = QuadraticDiscriminantAnalysis(priors=priors).fit(IRIS.X, IRIS.y)
        np.testing.assert_allclose(shifted.predict_proba(IRIS.X), refitted.predict_proba(IRIS.X))
    assert FITTED.priors is None  # the original stays as it was
    np.testing.assert_allclose(FITTED.priors_, 1 / 3)
    truth = make_xor(5, np.random.default_rng(2)).truth
    assert truth.with_priors([1, 0]).predict([[1, -1], [1, 1]]).tolist() == [0, 0]


test_decisions_that_make_no_sense_are_named = refusals(
    (lambda: FITTED.decide(IRIS.X, np.ones((2, 2))), r"shape \(D, 3\), not \(2, 2\)"),
    (lambda: FITTED.decide(IRIS.X, [[0, 1, np.nan]]), r"costs\[0, 2\] is nan"),
    (lambda: FITTED.decide(IRIS.X, [[1, 2], [3]]), "costs must be numbers, a row per decision"),
    (lambda: GaussianNB().decide(IRIS.X), "not fitted yet"),
    (lambda: FITTED.decide(IRIS.X, np.ones((0, 3))), r"shape \(D, 3\), not \(0, 3\)"),
    (lambda: FITTED.decide(IRIS.X, reject=np.nan), "reject must be the cost of not deciding, a finite number"),
    (lambda: FITTED.decide(IRIS.X, reject="x"), "a finite number, not 'x'"),
    (
        lambda: FITTED.decide(IRIS.X, reject=-0.1),
        "reject is -0.1, but no decision costs less than 0: nothing would",
    ),
    (lambda: FITTED.decide(IRIS.X, reject=np.full(150, 0.1)), "a finite number, not array"),
    (lambda: FITTED.with_priors(None), 'priors must be "equal" or one number per class, not None'),
    (lambda: FITTED.with_priors([0.5, 0.5]), "y holds 3 classes"),
)


@pytest.mark.parametrize("seed", range(10))
def test_a_decision_without_costs_is_predict_also_in_a_tie(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 3, size=(30, 2)).astype(float), np.repeat([0, 1, 2], 10)
    fitted = GaussianNB().fit(X + 1e-3 * rng.normal(size=X.shape), y)
    grid = rng.integers(0, 5, size=(200, 2)).astype(float)
    np.testing.assert_array_equal(fitted.decide(grid), fitted.predict(grid))


def test_a_subclass_may_fix_its_hyperparameters():
    class Variances(GaussianClassifier):
        covariance, shared, ddof, shrinkage, singular = "diagonal", False, 1, None, "raise"

        def __init__(self, priors=None):
            self.priors = priors

    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    expected = GaussianClassifier("diagonal", shared=False, ddof=1).fit(X, y)
    np.testing.assert_array_equal(Variances().fit(X, y).predict_proba(X), expected.predict_proba(X))
