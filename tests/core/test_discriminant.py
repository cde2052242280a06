"""Gaussian classifiers against scikit-learn, and what must not change their decisions."""

import numpy as np
import pandas as pd
import pytest
from family import PEER_DDOF
from hypothesis import given
from hypothesis import strategies as st
from sklearn import discriminant_analysis, naive_bayes, neighbors
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayeslab import (
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    SingularCovarianceError,
    load_iris,
    load_penguins,
    two_class,
)

FAMILY = [QuadraticDiscriminantAnalysis, LinearDiscriminantAnalysis, GaussianNB, NearestMean]
ALL = [
    GaussianClassifier(covariance=covariance, shared=shared)
    for covariance in ("full", "diagonal", "spherical")
    for shared in (False, True)
]


def what_we_do_otherwise(estimator) -> dict[str, str]:
    """Checks of scikit-learn that must not pass, and why."""
    reasons = {"check_estimators_nan_inf": "NaN is refused by fit, but in prediction it means a missing value"}
    if estimator.shrinkage == "ledoit_wolf":
        data = (
            "a class of these data is one sample repeated: the intensity finds no uncertainty in it, and no shrinkage"
        )
        reasons["check_sample_weight_equivalence_on_dense_data"] = data
    if estimator.singular == "raise":
        data = "a class of these data has no variance in some direction, which fit refuses unless told what to do"
        if estimator.covariance != "spherical":
            reasons["check_sample_weights_shape"] = reasons["check_sample_weights_not_overwritten"] = data
        if estimator.covariance == "full" or not estimator.shared:
            reasons["check_sample_weight_equivalence_on_dense_data"] = data
    if PEER_DDOF and estimator.covariance == "full" and not estimator.shared and estimator.singular == "raise":
        data = "the data of these checks had fewer samples of a class than columns before scikit-learn 1.9"
        reasons["check_n_features_in_after_fitting"] = reasons["check_dtype_object"] = data
    return reasons


# scikit-learn itself skips check_array_api_input, since no array but NumPy's is promised. The checks whose data are
# singular are passed by the same estimators when told what to do.
CHECKED = [
    *ALL,
    *(Classifier() for Classifier in FAMILY),
    *(Classifier(singular="pseudo", shrinkage=0.1) for Classifier in FAMILY),
    QuadraticDiscriminantAnalysis(singular="pseudo", shrinkage="ledoit_wolf"),
]


@parametrize_with_checks(CHECKED, expected_failed_checks=what_we_do_otherwise)
def test_scikit_learns_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("pair", [("setosa", "versicolor"), ("setosa", "virginica"), ("versicolor", "virginica")])
@pytest.mark.parametrize("half", ["first", "second"])
@pytest.mark.parametrize("kind", ["naive", "full"])
def test_the_twelve_iris_comparisons_agree_label_for_label(pair, half, kind):
    iris = load_iris()
    X, y = two_class(iris.X, iris.y, *pair)
    is_train = np.arange(100) % 50 < 25 if half == "first" else np.arange(100) % 50 >= 25
    # At scikit-learn's divisor; its naive Bayes divides by n, and is exact once its smoothing is off.
    if kind == "naive":
        ours = GaussianNB(priors="equal", ddof=0)
        theirs = naive_bayes.GaussianNB(priors=[0.5, 0.5], var_smoothing=0)
    else:
        ours = QuadraticDiscriminantAnalysis(priors="equal", ddof=PEER_DDOF)
        theirs = discriminant_analysis.QuadraticDiscriminantAnalysis(priors=[0.5, 0.5])
    ours, theirs = ours.fit(X[is_train], y[is_train]), theirs.fit(X[is_train], y[is_train])
    np.testing.assert_array_equal(ours.predict(X[~is_train]), theirs.predict(X[~is_train]))
    log_odds = np.diff(theirs.predict_log_proba(X[~is_train])).ravel()
    if pair[0] != "setosa":  # where the classes are far apart, scikit-learn's log posterior stops at ln of the smallest
        np.testing.assert_allclose(ours.decision_function(X[~is_train]), log_odds, rtol=1e-6)


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


def test_the_six_covariances_are_what_they_say():
    iris = load_iris()
    groups = [iris.X[iris.y == label] for label in iris.class_names]
    full = np.array([np.cov(group.T) for group in groups])
    pooled = sum(49 * Σ for Σ in full) / 147
    keep = {
        "full": lambda Σ: Σ,
        "diagonal": lambda Σ: np.diag(np.diag(Σ)),
        "spherical": lambda Σ: np.eye(4) * np.diag(Σ).mean(),
    }
    for name, restrict in keep.items():
        each = GaussianClassifier(covariance=name).fit(iris.X, iris.y)
        shared = GaussianClassifier(covariance=name, shared=True).fit(iris.X, iris.y)
        np.testing.assert_allclose(each.covariance_, [restrict(Σ) for Σ in full], rtol=1e-12)
        np.testing.assert_allclose(shared.covariance_, restrict(pooled), rtol=1e-12)
        ml = GaussianClassifier(covariance=name, shared=True, ddof=0).fit(iris.X, iris.y)
        np.testing.assert_allclose(ml.covariance_, restrict(pooled) * 147 / 150, rtol=1e-12)


@pytest.mark.parametrize("Classifier", FAMILY)
@given(seed=st.integers(0, 2**32 - 1))
def test_what_must_not_change_the_decisions(Classifier, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], 12)
    X = rng.normal(size=(36, 3)) + y[:, None] * [1, 0.5, 0]
    fitted = Classifier().fit(X, y)
    near = fitted.predict(X)
    clear = np.ptp(np.sort(fitted.predict_log_proba(X))[:, -2:], axis=1) > 1e-6  # not on the boundary itself
    order = rng.permutation(36)
    np.testing.assert_array_equal(Classifier().fit(X[order], y[order]).predict(X)[clear], near[clear])
    renamed = Classifier().fit(X, np.array(["c", "a", "b"])[y])
    np.testing.assert_array_equal(renamed.predict(X)[clear], np.array(["c", "a", "b"])[near][clear])
    if Classifier is not NearestMean:  # the one that depends on units
        change = X * [1e-5, 1, 1e5] + [1e-5, -3, 1e7]
        np.testing.assert_array_equal(Classifier().fit(change, y).predict(change)[clear], near[clear])
    if Classifier is not GaussianNB:  # the one that depends on the axes
        rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        np.testing.assert_array_equal(Classifier().fit(X @ rotation, y).predict(X @ rotation)[clear], near[clear])


def test_priors():
    X, y = np.array([[0.0], [1], [2], [10], [11]]), np.array(["a", "a", "a", "b", "b"])
    assert GaussianNB().fit(X, y).priors_ == pytest.approx([0.6, 0.4])
    assert GaussianNB(priors="equal").fit(X, y).priors_ == pytest.approx([0.5, 0.5])
    never_a = GaussianNB(priors=[0, 1]).fit(X, y)
    assert set(never_a.predict(X)) == {"b"}
    np.testing.assert_allclose(never_a.predict_proba(X), [[0, 1]] * 5)


def test_priors_are_copied():
    priors = np.array([0.2, 0.5, 0.3])
    fitted = GaussianNB(priors=priors).fit(IRIS.X, IRIS.y)
    priors[0] = 9
    assert fitted.priors_.tolist() == [0.2, 0.5, 0.3]


def test_a_tie_goes_to_the_first_class():
    X, y = np.array([[-2.0], [0], [0], [2]]), np.array(["b", "b", "a", "a"])
    fitted = NearestMean().fit(X, y)
    assert fitted.decision_function([[0.0]]) == 0
    assert fitted.predict([[0.0]]) == "a"


def test_posteriors_far_from_the_data_still_sum_to_one():
    iris = load_iris()
    far = QuadraticDiscriminantAnalysis().fit(iris.X, iris.y).predict_proba(iris.X * 1e4)
    np.testing.assert_allclose(far.sum(axis=1), 1)


@pytest.mark.parametrize("labels", [[3, 7], [0.5, 1.5], ["no", "yes"], [False, True]])
def test_labels_of_any_kind(labels):
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.repeat([0, 1], 20)
    X[y == 1] += 9
    if labels == [0.5, 1.5]:  # scikit-learn takes broken numbers for a regression target, and so do we
        with pytest.raises(ValueError, match="continuous"):
            GaussianNB().fit(X, np.array(labels)[y])
    else:
        np.testing.assert_array_equal(GaussianNB().fit(X, np.array(labels)[y]).predict(X), np.array(labels)[y])


def test_singular_classes_are_named_with_their_columns():
    iris = load_iris()
    table = pd.DataFrame(iris.X, columns=["sl", "sw", "pl", "pw"])
    table.loc[iris.y == "versicolor", "pw"] = table["pl"] - table["sl"]
    with pytest.raises(SingularCovarianceError) as caught:
        QuadraticDiscriminantAnalysis().fit(table, iris.y)
    error = caught.value
    assert (error.owner, error.rank, error.dimension) == ("class 'versicolor'", 3, 4)
    assert error.columns == ["sl", "pl", "pw"]
    for remedy in ("PCA", "shrink", "pseudo-inverse"):
        assert remedy in str(error)


IRIS = load_iris()
FEW = [0, 1, 2, 50, 51, 52]


@pytest.mark.parametrize(
    ("classifier", "X", "y", "message"),
    [
        (QuadraticDiscriminantAnalysis(), IRIS.X[FEW], IRIS.y[FEW], "class 'setosa'.*3 samples.*at least 5"),
        (LinearDiscriminantAnalysis(), IRIS.X[FEW[1:5]], IRIS.y[FEW[1:5]], "all classes pooled.*4 samples.*at least 6"),
        (GaussianNB(), IRIS.X[:51], IRIS.y[:51], "class 'versicolor'.*the samples have 1"),
        (GaussianNB(), IRIS.X[:50], IRIS.y[:50], "one class only: 'setosa'"),
        (GaussianNB(priors=[0.5, 0.6, 0.1]), IRIS.X, IRIS.y, "sums to 1.2"),
        (GaussianNB(priors=[0.5, 0.5]), IRIS.X, IRIS.y, "y holds 3 classes"),
        (GaussianNB(priors=[1.5, -0.5, 0]), IRIS.X, IRIS.y, "non-negative"),
        (GaussianNB(priors="uniform"), IRIS.X, IRIS.y, "'uniform'"),
        (GaussianClassifier(covariance="tied"), IRIS.X, IRIS.y, "'full', 'diagonal', 'spherical', not 'tied'"),
        (GaussianNB(), IRIS.X[:, 0], IRIS.y, "1D array"),
        (GaussianNB(), np.where(IRIS.X == 4.6, np.nan, IRIS.X), IRIS.y, r"X\[3, 0\] is nan"),
        (GaussianNB(), np.where(IRIS.X == 4.6, np.inf, IRIS.X), IRIS.y, r"X\[3, 0\] is inf"),
    ],
)
def test_errors_of_fit_say_what_and_where(classifier, X, y, message):
    with pytest.raises(ValueError, match=message):
        classifier.fit(X, y)


def test_a_fit_that_fails_leaves_the_classifier_as_it_was():
    classifier = QuadraticDiscriminantAnalysis()
    with pytest.raises(SingularCovarianceError):
        classifier.fit(IRIS.X[FEW], IRIS.y[FEW])
    with pytest.raises(NotFittedError):
        classifier.predict(IRIS.X)
    before = classifier.fit(IRIS.X, IRIS.y).predict_proba(IRIS.X)
    with pytest.raises(SingularCovarianceError):
        classifier.fit(IRIS.X[FEW], [3, 3, 3, 4, 4, 4])
    np.testing.assert_array_equal(classifier.predict_proba(IRIS.X), before)
    assert classifier.classes_.tolist() == IRIS.class_names


def test_errors_of_predict():
    fitted = GaussianNB().fit(IRIS.X, IRIS.y)
    with pytest.raises(ValueError, match="X has 3 features, but GaussianNB is expecting 4"):
        fitted.predict(IRIS.X[:, :3])
