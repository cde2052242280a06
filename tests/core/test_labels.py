"""Labels that a user gives are respected or refused: classes of priors and costs, columns of frames, masks."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array
from sklearn.base import clone
from sklearn.ensemble import AdaBoostClassifier

from bayeslab import (
    DensityClassifier,
    Gaussian,
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    MultinomialNB,
    NaiveBayes,
    NearestMean,
    Normal,
    ParzenWindow,
    QuadraticDiscriminantAnalysis,
    StudentT,
    TrueClassifier,
    cross_validate,
    e_step,
    error_of,
    k_fold,
    learning_curve,
    load_austen,
    load_iris,
    load_penguins,
    random_split,
    two_class,
)
from bayeslab.plotting import plot_points, plot_regions

BIRDS = load_penguins()
SHARES = pd.Series(BIRDS.y).value_counts(normalize=True)  # the commonest first
PAIR = [Gaussian(0, 1), Gaussian(2, 1)]


@pytest.mark.parametrize("given", [SHARES, SHARES.to_dict(), SHARES.iloc[::-1]])
def test_priors_by_class_are_those_of_a_list_in_the_order_of_the_classes(given):
    by_share = LinearDiscriminantAnalysis().fit(BIRDS.X, BIRDS.y)
    by_label = LinearDiscriminantAnalysis(priors=given).fit(BIRDS.X, BIRDS.y)
    np.testing.assert_allclose(by_label.priors_, by_share.priors_)
    np.testing.assert_allclose(by_share.with_priors("equal").with_priors(given).priors_, by_share.priors_)
    again = LinearDiscriminantAnalysis(priors=given).partial_fit(BIRDS.X[:200], BIRDS.y[:200], by_share.classes_)
    np.testing.assert_allclose(again.partial_fit(BIRDS.X[200:], BIRDS.y[200:]).priors_, by_share.priors_)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"Adelie": 0.5, "Gentoo": 0.5}, "no number for the class 'Chinstrap'"),
        ({**SHARES, "Emperor": 0.0}, "'Emperor' is no class"),
        (pd.Series([0.2, 0.3, 0.5]), "0 is no class"),
        (pd.Series([0.2, 0.3, 0.5], index=["Adelie", "Adelie", "Gentoo"]), "'Adelie' stands twice"),
    ],
)
def test_priors_of_other_classes_are_refused_by_name(given, says):
    with pytest.raises(ValueError, match=says):
        QuadraticDiscriminantAnalysis(priors=given).fit(BIRDS.X, BIRDS.y)


def test_priors_of_known_densities_are_found_by_class():
    rule = GaussianNB().fit([[-1], [1], [1], [3]], ["near", "near", "far", "far"])  # classes far, near
    truth = error_of(rule, PAIR[::-1], [0.9, 0.1]).value
    assert error_of(rule, PAIR[::-1], {"near": 0.1, "far": 0.9}).value == pytest.approx(truth)
    assert TrueClassifier(PAIR, ["a", "b"], {"b": 0.9, "a": 0.1}).priors_.tolist() == [0.1, 0.9]


def test_costs_are_found_by_the_names_of_their_columns():
    rule = GaussianNB().fit([[36.2], [36.8], [38.1], [39.3]], ["well", "well", "ill", "ill"])
    costs = pd.DataFrame({"well": [0, 1], "ill": [9, 0]}, index=["send home", "treat"])
    decided = rule.decide([[36.5], [37.2], [39.0]], costs)
    assert costs.index[decided].tolist() == ["send home", "treat", "treat"]
    with pytest.raises(ValueError, match="'dead' is no class"):
        rule.decide([[36.5]], costs.rename(columns={"ill": "dead"}))


def test_what_is_masked_is_missing():
    x = np.ma.masked_array([5.0, 5.1, 4.9, 1e6], mask=[0, 0, 0, 1])
    for fit in (Gaussian.fit, Normal().fit):
        with pytest.raises(ValueError, match=r"\[3(, 0)?\] is nan.*leave such rows out, or fill them in"):
            fit(x)
    X = np.ma.masked_array(BIRDS.X, mask=np.zeros(BIRDS.X.shape))
    rule = QuadraticDiscriminantAnalysis().fit(X, BIRDS.y)
    X[0, 0] = np.ma.masked
    gap = BIRDS.X[:1].copy()
    gap[0, 0] = np.nan
    np.testing.assert_array_equal(rule.predict_proba(X[:1]), rule.predict_proba(gap))
    with pytest.raises(ValueError, match=r"X\[0, 0\] is nan"):
        rule.fit(X, BIRDS.y)
    with pytest.raises(ValueError, match=r"y\[2\] is masked"):
        rule.fit(BIRDS.X, np.ma.masked_array(np.arange(342) % 2, mask=np.arange(342) == 2))


def test_e_step_refuses_counts_in_place_of_weights():
    with pytest.raises(ValueError, match="sum to 1"):
        e_step([[0.0]], [2, 2], PAIR)


RULES = [
    NearestMean(),
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(shrinkage="ledoit_wolf"),
    LinearDiscriminantAnalysis(shrinkage="oas"),
    GaussianClassifier("diagonal", shared=0.5),
    GaussianNB(shrinkage="oas"),
    DensityClassifier(StudentT()),
    NaiveBayes(ParzenWindow()),
]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_weights_that_are_probabilities_or_shares(rule):
    rows = BIRDS.X[::3]
    plain = rule.fit(BIRDS.X, BIRDS.y).predict_proba(rows)
    for total in (1, 3, 100):
        shares = rule.fit(BIRDS.X, BIRDS.y, np.full(342, total / 342))
        np.testing.assert_allclose(shares.predict_proba(rows), plain, atol=1e-9)
    boosted = AdaBoostClassifier(clone(rule), n_estimators=5).fit(BIRDS.X, BIRDS.y)  # whose weights sum to 1
    assert boosted.score(BIRDS.X, BIRDS.y) > 0.9 * rule.fit(BIRDS.X, BIRDS.y).score(BIRDS.X, BIRDS.y)


def test_shares_are_the_same_at_once_in_pieces_and_without_a_row():
    X, y, shares = BIRDS.X[::9], BIRDS.y[::9], np.random.default_rng(0).dirichlet(np.ones(38))
    for rule in (LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()):
        whole = clone(rule).fit(X, y, shares)
        pieces = clone(rule).partial_fit(X[:20], y[:20], np.unique(y), shares[:20])
        pieces.partial_fit(X[20:], y[20:], None, shares[20:])
        np.testing.assert_allclose(pieces.covariance_, whole.covariance_, rtol=1e-9)
        without = rule.leave_one_out_log_proba(X, y, shares)
        rest = np.arange(38) != 7
        expected = clone(rule).fit(X[rest], y[rest], shares[rest]).predict_log_proba(X[[7]])
        np.testing.assert_allclose(without[[7]], expected, rtol=1e-6)


def test_a_gaussian_of_probabilities():
    x, p = np.array([0.0, 1, 2, 3]), np.array([0.1, 0.2, 0.3, 0.4])
    assert Gaussian.fit(x, ddof=0, weights=p).covariance[0, 0] == pytest.approx(1)  # Σ p x² − 2²
    assert Gaussian.fit(x, weights=p).covariance[0, 0] == pytest.approx(4 / 3)  # of four samples
    assert Gaussian.fit(x, weights=10 * p).covariance[0, 0] == pytest.approx(10 / 9)  # of ten


def test_sparse_documents_are_split_and_validated():
    novels = load_austen()
    sparse, rng = coo_array(novels.X), np.random.default_rng
    folds = k_fold(novels.y, 3, stratify=True)
    dense = cross_validate(MultinomialNB(), novels.X, novels.y, folds)
    pd.testing.assert_frame_equal(cross_validate(MultinomialNB(), sparse, novels.y, folds), dense)
    curves = [learning_curve(MultinomialNB(), X, novels.y, [50], 2, rng(0)) for X in (sparse, novels.X)]
    pd.testing.assert_frame_equal(*curves)
    train, test, *_ = random_split(sparse, novels.y, rng(0), stratify=True)
    assert train.shape[0] + test.shape[0] == len(novels.y)
    first, second = novels.class_names[:2]
    assert (two_class(sparse, novels.y, first, second)[0] != two_class(novels.X, novels.y, first, second)[0]).sum() == 0


def test_the_columns_of_a_frame_are_named_and_nothing_warns():
    iris = load_iris().select(["petal length", "petal width"])
    frame = pd.DataFrame(iris.X, columns=["long", "wide"])
    rule = LinearDiscriminantAnalysis().fit(frame, iris.y)
    _, ax = plt.subplots()
    plot_points(frame, iris.y, ax)
    plot_regions(rule, frame, ax)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("long", "wide")
    plot_points(frame, iris.y, ax, feature_names=frame.columns[::-1])
    assert ax.get_xlabel() == "wide"


@pytest.mark.parametrize("y", [["a", "b", None, "b"], [0, 1, np.nan, 1], pd.Series(["a", "b", pd.NA, "b"])])
def test_a_missing_label_is_named(y):
    with pytest.raises(ValueError, match=r"y\[2\] is .*: a label is missing; leave such rows out"):
        LinearDiscriminantAnalysis().fit([[0.0], [1.0], [2.0], [4.0]], y)
