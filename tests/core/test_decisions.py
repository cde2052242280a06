"""Decisions with costs, with a reject option, and under other priors."""

import numpy as np
import pytest

from bayeslab import GaussianNB, QuadraticDiscriminantAnalysis, load_iris, make_xor

IRIS = load_iris()
FITTED = QuadraticDiscriminantAnalysis().fit(IRIS.X, IRIS.y)


def test_without_costs_it_is_predict():
    np.testing.assert_array_equal(FITTED.classes_[FITTED.decide(IRIS.X)], FITTED.predict(IRIS.X))


def test_least_expected_cost():
    """Five decisions for three classes, each row by brute force."""
    costs = np.random.default_rng(0).uniform(0, 5, size=(5, 3))
    expected = [[sum(costs[a, k] * p[k] for k in range(3)) for a in range(5)] for p in FITTED.predict_proba(IRIS.X)]
    np.testing.assert_array_equal(FITTED.decide(IRIS.X, costs), np.argmin(expected, axis=1))


def test_a_costly_error_moves_the_decision():
    costs = np.array([[0, 1, 1], [1, 0, 50], [1, 1, 0]])  # calling a virginica versicolor costs 50
    called = FITTED.classes_[FITTED.decide(IRIS.X, costs)]
    assert not ((called == "versicolor") & (IRIS.y == "virginica")).any()


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


def test_a_rejected_row_cannot_be_taken_for_a_label():
    decided = FITTED.decide(IRIS.X, reject=0.1)
    with pytest.raises(IndexError):
        FITTED.classes_[decided]
    names = np.append(FITTED.classes_, "ask again")[decided]
    sure = FITTED.predict_proba(IRIS.X).max(axis=1) > 0.9
    np.testing.assert_array_equal(names, np.where(sure, FITTED.predict(IRIS.X), "ask again"))


def test_rejecting_more_errs_less():
    rng = np.random.default_rng(1)
    truth = make_xor(5, rng).truth
    X, y = truth.sample(5000, rng)
    errors = []
    for reject in (0.5, 0.3, 0.1):
        decided = truth.decide(X, reject=reject)
        kept = decided < 2
        errors.append((decided[kept] != y[kept]).mean())
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.1


def test_other_priors_are_those_of_a_fit_with_them():
    for priors in ([0.1, 0.2, 0.7], [0, 0.5, 0.5], "equal"):
        shifted = FITTED.with_priors(priors)
        refitted = QuadraticDiscriminantAnalysis(priors=priors).fit(IRIS.X, IRIS.y)
        np.testing.assert_allclose(shifted.predict_proba(IRIS.X), refitted.predict_proba(IRIS.X))
    assert FITTED.priors is None  # the original stays as it was
    np.testing.assert_allclose(FITTED.priors_, 1 / 3)


def test_a_shift_is_the_callers_no_longer():
    priors = np.array([0.2, 0.3, 0.5])
    shifted = FITTED.with_priors(priors)
    priors[:] = 1 / 3
    shifted.fit(IRIS.X, IRIS.y)
    np.testing.assert_allclose(shifted.priors_, [0.2, 0.3, 0.5])


def test_the_truth_can_shift_too():
    truth = make_xor(5, np.random.default_rng(2)).truth
    assert truth.with_priors([1, 0]).predict([[1, -1], [1, 1]]).tolist() == [0, 0]


def test_a_shift_survives_more_data():
    shifted = GaussianNB().fit(IRIS.X, IRIS.y).with_priors([0.5, 0.25, 0.25])
    np.testing.assert_allclose(shifted.partial_fit(IRIS.X[:5], IRIS.y[:5]).priors_, [0.5, 0.25, 0.25])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: FITTED.decide(IRIS.X, np.ones((2, 2))), r"shape \(D, 3\), not \(2, 2\)"),
        (lambda: FITTED.decide(IRIS.X, [[0, 1, np.nan]]), r"costs\[0, 2\] is nan"),
        (lambda: GaussianNB().decide(IRIS.X), "not fitted yet"),
        (lambda: FITTED.decide(IRIS.X, np.ones((0, 3))), r"shape \(D, 3\), not \(0, 3\)"),
        (lambda: FITTED.decide(IRIS.X, reject=np.nan), "reject must be the cost of not deciding, a finite number"),
        (lambda: FITTED.with_priors([0.5, 0.5]), "y holds 3 classes"),
        (lambda: FITTED.with_priors([0.5, 0.6, 0.7]), "sums to 1.8"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("seed", range(40))
def test_a_decision_without_costs_is_predict_also_in_a_tie(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 3, size=(30, 2)).astype(float), np.repeat([0, 1, 2], 10)
    fitted = GaussianNB().fit(X + 1e-3 * rng.normal(size=X.shape), y)
    grid = rng.integers(0, 5, size=(200, 2)).astype(float)
    np.testing.assert_array_equal(fitted.decide(grid), fitted.predict(grid))
