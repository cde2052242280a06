"""The densities of all classes together are those of each Gaussian by itself; a missing value is integrated out."""

import numpy as np
import pytest
from sklearn.base import clone

from bayeslab import GaussianClassifier, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, load_iris
from bayeslab.classifier import log_posterior

IRIS = load_iris()
MODELS = [GaussianClassifier(c, shared=s) for c in ("full", "diagonal", "spherical") for s in (False, 0.5, True)]


def posteriors(fitted, X):
    """Log posteriors by the Gaussians, one by one."""
    densities = np.array([gaussian.log_density(X[:, fitted.varies_]) for gaussian in fitted.gaussians_]).T
    return log_posterior(np.log(fitted.priors_) + densities)


@pytest.mark.parametrize("far", IRIS.class_names)
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_products_for_all_classes_serve_only_classes_that_are_near(model, far):
    """If one class is far away, the other two must still be told apart: rounding must not drown them."""
    X = IRIS.X + 1e7 * (IRIS.y == far)[:, None]
    fitted = model.fit(X, IRIS.y)
    np.testing.assert_allclose(fitted.predict_proba(X), np.exp(posteriors(fitted, X)), atol=1e-12)
    assert fitted.score(X, IRIS.y) > 0.9


def test_infinity_in_a_column_that_is_left_out_is_refused_too():
    X = np.column_stack([IRIS.X, np.ones(150)])
    with pytest.warns(UserWarning, match="never vary"):
        fitted = LinearDiscriminantAnalysis().fit(X, IRIS.y)
    X[3, 4] = np.inf
    with pytest.raises(ValueError, match=r"X\[3, 4\] is inf"):
        fitted.predict(X)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_row_too_far_from_every_class_is_named(model):
    fitted = clone(model).set_params(priors=[0.2, 0.5, 0.3]).fit(IRIS.X, IRIS.y)
    X = np.vstack([IRIS.X[:2], np.full(4, 1e160)])
    if model.shared == 1:
        assert np.isfinite(fitted.predict_proba(X)).all()  # linear scores do not overflow
        return
    with pytest.warns(UserWarning, match=r"density above 0 at \[1e\+160.*the priors alone decide"):
        found = fitted.predict_proba(X)
    np.testing.assert_allclose(found[2], [0.2, 0.5, 0.3])
    np.testing.assert_allclose(found[:2], fitted.predict_proba(X[:2]))


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_posteriors_are_those_of_the_single_gaussians_where_ranks_differ(covariance):
    X = np.random.default_rng(2).normal(size=(30, 3))
    X[:15, 1] = 0.5
    with pytest.warns(UserWarning, match=r"different ranks \('A' 2, 'B' 3\)"):
        fitted = GaussianClassifier(covariance, singular="pseudo").fit(X, np.repeat(["A", "B"], 15))
    np.testing.assert_allclose(fitted.predict_log_proba(X), posteriors(fitted, X), atol=1e-11)


@pytest.mark.parametrize("model", [LinearDiscriminantAnalysis(), GaussianClassifier()], ids=str)
@pytest.mark.parametrize("method", ["predict", "predict_proba", "joint_log_likelihood", "explain"])
def test_infinity_is_found_in_any_block_and_named_by_its_row(model, method):
    fitted, X = model.fit(IRIS.X, IRIS.y), np.tile(IRIS.X, (300, 1))
    X[5, 1], X[44_000, 2] = np.nan, -np.inf
    with pytest.raises(ValueError, match=r"X\[44000, 2\] is -inf; X must hold finite numbers only \(no infinity\)"):
        getattr(fitted, method)(X)


def test_a_gap_where_the_covariance_is_singular():
    X = np.column_stack([IRIS.X, IRIS.X[:, 0]])
    fitted = QuadraticDiscriminantAnalysis(singular="pseudo").fit(X, IRIS.y)
    X[:, 4] = np.nan
    plain = QuadraticDiscriminantAnalysis().fit(IRIS.X, IRIS.y)
    np.testing.assert_allclose(fitted.predict_proba(X), plain.predict_proba(IRIS.X), atol=1e-9)


@pytest.mark.parametrize("model", [QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis()], ids=str)
def test_rows_with_gaps_in_any_order_have_the_marginal_density(model):
    rng = np.random.default_rng(8)
    X = np.where(rng.random((6000, 4)) < 0.1, np.nan, np.tile(IRIS.X, (40, 1)))  # several blocks
    fitted = model.fit(IRIS.X, IRIS.y)
    found = fitted.joint_log_likelihood(X)
    for row, joint in zip(X[::97], found[::97], strict=True):
        seen = np.flatnonzero(~np.isnan(row))
        expected = [each.marginal(seen).log_density(row[None, seen])[0] for each in fitted.gaussians_]
        np.testing.assert_allclose(joint, np.log(fitted.priors_) + expected, rtol=1e-9)


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


@pytest.mark.parametrize("estimator", [each for each in MODELS if each.shared != 0.5], ids=str)
def test_a_gap_costs_no_digits_far_from_the_origin(estimator):
    """What the mean lost when it was rounded goes along into the marginals."""
    X = np.round(IRIS.X * 2**10) / 2**10  # so that adding the offset rounds nothing away
    holes = np.where(np.random.default_rng(11).random(X.shape) < 0.3, np.nan, X)
    near, far = (estimator.fit(X + offset, IRIS.y).joint_log_likelihood(holes + offset) for offset in (0.0, 2.0**36))
    np.testing.assert_allclose(far, near, rtol=1e-9)
