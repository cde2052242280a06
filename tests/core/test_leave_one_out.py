"""Leaving one sample out without fitting again is fitting without it."""

import numpy as np
import pytest
from family import FAMILY
from sklearn.base import clone

from bayeslab import (
    GaussianClassifier,
    GaussianNB,
    QuadraticDiscriminantAnalysis,
    load_iris,
)

IRIS = load_iris()


@pytest.mark.parametrize(
    "estimator",
    [*FAMILY, QuadraticDiscriminantAnalysis(shrinkage=0.2), GaussianClassifier("diagonal", shared=True, ddof=0)],
    ids=str,
)
def test_leaving_one_out_is_fitting_without_it(estimator):
    X, y = IRIS.X[::3], IRIS.y[::3]
    keep = ~np.eye(50, dtype=bool)
    refitted = [clone(estimator).fit(X[rows], y[rows]).predict_log_proba(X[~rows])[0] for rows in keep]
    np.testing.assert_allclose(estimator.leave_one_out_log_proba(X, y), refitted, rtol=1e-9, atol=1e-9)


def test_leaving_out_a_weighted_sample_leaves_out_its_weight():
    X, y, weights = IRIS.X[::3], IRIS.y[::3], np.random.default_rng(3).integers(0, 3, 50)
    left_out = GaussianNB().leave_one_out_log_proba(X, y, weights)
    for i in (0, 20, 49):
        others = np.arange(50) != i
        fitted = GaussianNB().fit(X[others], y[others], weights[others])
        np.testing.assert_allclose(left_out[i], fitted.predict_log_proba(X[i : i + 1])[0], rtol=1e-9)


@pytest.mark.parametrize("estimator", FAMILY[:2], ids=lambda e: type(e).__name__)
def test_leaving_out_the_one_that_made_the_variation(estimator):
    """What is left of a column would be the rounding errors of what was taken: it must be summed anew."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(40, 2)), np.repeat([0, 1], 20)
    X[3, 1], X[30, 0] = 1e7, -1e9
    keep = ~np.eye(40, dtype=bool)
    refitted = [clone(estimator).fit(X[rows], y[rows]).predict_log_proba(X[~rows])[0] for rows in keep]
    np.testing.assert_allclose(estimator.leave_one_out_log_proba(X, y), refitted, rtol=1e-8, atol=1e-8)


def test_leaving_one_out_counts_samples_not_weights():
    """Two samples of weight ½ are two samples; three of which two weigh nothing are one."""
    X, y = np.array([[0.0], [1.0], [2.0], [4.0], [5.0], [7.0]]), np.repeat([0, 1], 3)
    classifier = GaussianNB(ddof=0)
    light = classifier.leave_one_out_log_proba(X, y, np.full(6, 0.25))
    np.testing.assert_allclose(light, classifier.leave_one_out_log_proba(X, y))
    with pytest.raises(ValueError, match="class 1 has only one sample"):
        GaussianClassifier("diagonal", shared=True).leave_one_out_log_proba(X, y, [1, 1, 1, 0, 5, 0])


def test_a_class_of_one_sample_is_named():
    with pytest.raises(ValueError, match="class 'versicolor' has only one sample"):
        GaussianClassifier("diagonal", shared=True).leave_one_out_log_proba(IRIS.X[:51], IRIS.y[:51])


@pytest.mark.parametrize("heavy", [1e12, 1e30])
def test_leaving_out_nearly_all_of_the_weight(heavy):
    """Of the weight that is left, a difference of two large ones, few digits would be right."""
    rng = np.random.default_rng(6)
    X, y, weights = rng.normal(size=(20, 2)), np.repeat([0, 1], 10), np.full(20, 0.3)
    X[3], weights[3] = X[4] + 1e-3, heavy
    found = QuadraticDiscriminantAnalysis().leave_one_out_log_proba(X, y, weights)
    others = np.arange(20) != 3
    fitted = QuadraticDiscriminantAnalysis().fit(X[others], y[others], weights[others])
    np.testing.assert_allclose(found[3], fitted.predict_log_proba(X[[3]])[0], rtol=1e-11)
