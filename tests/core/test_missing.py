"""A missing value at prediction is integrated out: the density of what was observed, exactly."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from bayeslab import (
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    load_iris,
)

IRIS = load_iris()
FAMILY = [GaussianClassifier(c, shared=s) for c in ("full", "diagonal", "spherical") for s in (False, True)]


@pytest.mark.parametrize("estimator", FAMILY, ids=str)
def test_a_row_with_gaps_has_the_marginal_density(estimator):
    fitted = estimator.fit(IRIS.X, IRIS.y)
    rng = np.random.default_rng(0)
    X = np.where(rng.random(IRIS.X.shape) < 0.3, np.nan, IRIS.X)
    found = fitted.joint_log_likelihood(X)
    covariances = [fitted.covariance_] * 3 if fitted.shared else fitted.covariance_
    for row, joint in zip(X, found, strict=True):
        o = np.flatnonzero(~np.isnan(row))
        for k in range(3):
            expected = np.log(fitted.priors_[k])
            if len(o):
                expected += multivariate_normal(fitted.means_[k][o], covariances[k][np.ix_(o, o)]).logpdf(row[o])
            assert joint[k] == pytest.approx(expected)
    np.testing.assert_array_equal(fitted.predict(X), fitted.classes_[found.argmax(axis=1)])
    posterior = np.exp(found - found.max(axis=1, keepdims=True))
    np.testing.assert_allclose(fitted.predict_proba(X), posterior / posterior.sum(axis=1, keepdims=True))


def test_nothing_observed_leaves_the_prior():
    fitted = QuadraticDiscriminantAnalysis(priors=[0.2, 0.5, 0.3]).fit(IRIS.X, IRIS.y)
    np.testing.assert_allclose(fitted.predict_proba(np.full((2, 4), np.nan)), [[0.2, 0.5, 0.3]] * 2)


def test_gaps_in_many_rows_and_a_shared_covariance():
    """More rows than fit a block, in few patterns; rows without gaps keep the value they have alone."""
    fitted = LinearDiscriminantAnalysis().fit(IRIS.X, IRIS.y)
    X = np.tile(IRIS.X, (200, 1))
    holes = X.copy()
    holes[::7, 2] = np.nan
    whole = np.arange(len(X)) % 7 != 0
    found = fitted.predict_proba(holes)
    np.testing.assert_allclose(found[whole], fitted.predict_proba(X)[whole], atol=1e-12)
    without = LinearDiscriminantAnalysis().fit(IRIS.X[:, [0, 1, 3]], IRIS.y)
    np.testing.assert_allclose(
        fitted.predict_proba(holes)[::7], without.predict_proba(X[::7][:, [0, 1, 3]]), atol=1e-12
    )


def test_a_gap_where_the_covariance_is_singular():
    X = np.column_stack([IRIS.X, IRIS.X[:, 0]])
    fitted = QuadraticDiscriminantAnalysis(singular="pseudo").fit(X, IRIS.y)
    X[:, 4] = np.nan
    plain = QuadraticDiscriminantAnalysis().fit(IRIS.X, IRIS.y)
    np.testing.assert_allclose(fitted.predict_proba(X), plain.predict_proba(IRIS.X), atol=1e-9)


def test_gaps_in_any_order_of_rows():
    rng = np.random.default_rng(8)
    X = np.where(rng.random((6000, 4)) < 0.3, np.nan, np.tile(IRIS.X, (40, 1)))  # several blocks
    fitted = QuadraticDiscriminantAnalysis().fit(IRIS.X, IRIS.y)
    found = fitted.predict_log_proba(X)
    alone = np.vstack([fitted.predict_log_proba(X[[i]]) for i in range(0, 6000, 97)])
    np.testing.assert_allclose(found[::97], alone, rtol=1e-9, atol=1e-12)


def test_marginals_of_different_rank_are_not_comparable():
    """All four columns have rank 3 in both classes, the first two 2 and 1."""
    rng = np.random.default_rng(9)
    a, b = rng.normal(size=(2, 30, 4))
    a[:, 3], b[:, 1] = a[:, 2], b[:, 0]
    fitted = QuadraticDiscriminantAnalysis(singular="pseudo").fit(np.vstack([a, b]), np.repeat(["a", "b"], 30))
    assert fitted.rank_.tolist() == [3, 3]
    with pytest.warns(UserWarning, match=r"rows with 2 observed columns.*different ranks \(2, 1\)"):
        fitted.predict([[0, 0, np.nan, np.nan]])


def test_ranks_that_differ_anyway_are_not_said_again():
    rng = np.random.default_rng(10)
    a, b = rng.normal(size=(2, 30, 3))
    a[:, 2] = a[:, 1]
    with pytest.warns(UserWarning, match="different ranks"):
        fitted = QuadraticDiscriminantAnalysis(singular="pseudo").fit(np.vstack([a, b]), np.repeat(["a", "b"], 30))
    fitted.predict([[np.nan, 0, 0]])  # ranks 1 and 2, and no other warning


def test_fit_refuses_gaps_and_predict_refuses_infinity():
    X = IRIS.X.copy()
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"X\[3, 1\] is nan"):
        GaussianNB().fit(X, IRIS.y)
    X[3, 1] = np.inf
    with pytest.raises(ValueError, match=r"X\[3, 1\] is inf"):
        GaussianNB().fit(IRIS.X, IRIS.y).predict(X)


@pytest.mark.parametrize("estimator", FAMILY, ids=str)
def test_a_gap_costs_no_digits_far_from_the_origin(estimator):
    """What the mean lost when it was rounded goes along into the marginals."""
    X = np.round(IRIS.X * 2**10) / 2**10  # so that adding the offset rounds nothing away
    holes = np.where(np.random.default_rng(11).random(X.shape) < 0.3, np.nan, X)
    near, far = (estimator.fit(X + offset, IRIS.y).joint_log_likelihood(holes + offset) for offset in (0.0, 2.0**36))
    np.testing.assert_allclose(far, near, rtol=1e-9)
