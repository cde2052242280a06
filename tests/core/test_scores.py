"""The densities of all classes together are those of each Gaussian by itself."""

import mpmath
import numpy as np
import pytest
from certificates import exact_fit, exact_log_density
from hypothesis import given
from hypothesis import strategies as st

from bayeslab import GaussianClassifier, LinearDiscriminantAnalysis, load_digits, load_iris
from bayeslab.classifier import log_posterior

IRIS = load_iris()
MODELS = [GaussianClassifier(c, shared=s) for c in ("full", "diagonal", "spherical") for s in (False, 0.5, True)]


def posteriors(fitted, X):
    """Log posteriors by the Gaussians, one by one."""
    densities = np.array([gaussian.log_density(X[:, fitted.varies_]) for gaussian in fitted.gaussians_]).T
    return log_posterior(np.log(fitted.priors_) + densities)


@pytest.mark.parametrize("model", MODELS, ids=str)
@given(seed=st.integers(0, 2**32 - 1), d=st.integers(1, 6), K=st.integers(2, 5), exponent=st.integers(-3, 8))
def test_posteriors_are_those_of_the_single_gaussians(model, seed, d, K, exponent):
    """Also far from the origin, with units that differ, and for classes far from each other."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(K), 12))
    units = 10.0 ** rng.integers(-5, 6, d) if model.covariance != "spherical" else 1.0
    centres = 10.0 ** rng.uniform(-1, 2) * rng.normal(size=(K, d))
    X = (rng.normal(size=(len(y), d)) @ (np.eye(d) + rng.normal(size=(d, d)) / 3) + centres[y]) * units
    X += 10.0**exponent * units * rng.normal(size=d)
    fitted = model.fit(X, y)
    found, expected = fitted.predict_log_proba(X), posteriors(fitted, X)
    size = np.maximum(1, np.abs(expected))
    np.testing.assert_allclose(found / size, expected / size, rtol=0, atol=1e-8)
    np.testing.assert_allclose(np.exp(found), np.exp(expected), rtol=0, atol=1e-8)


@pytest.mark.parametrize("far", IRIS.class_names)
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_products_for_all_classes_serve_only_classes_that_are_near(model, far):
    """If one class is far away, the other two must still be told apart: rounding must not drown them."""
    assert model.fit(IRIS.X, IRIS.y)._fitted.densities._all_at_once
    X = IRIS.X + 1e7 * (IRIS.y == far)[:, None]
    fitted = model.fit(X, IRIS.y)
    assert not fitted._fitted.densities._all_at_once
    np.testing.assert_allclose(fitted.predict_proba(X), np.exp(posteriors(fitted, X)), atol=1e-12)
    assert fitted.score(X, IRIS.y) > 0.9


def test_a_gap_leaves_the_other_rows_alone_and_infinity_is_refused():
    fitted = LinearDiscriminantAnalysis().fit(IRIS.X, IRIS.y)
    X = IRIS.X.copy()
    X[7, 2] = np.nan
    whole = np.arange(150) != 7
    np.testing.assert_allclose(fitted.predict_log_proba(X)[whole], fitted.predict_log_proba(IRIS.X)[whole], atol=1e-12)
    X[9, 0] = np.inf
    with pytest.raises(ValueError, match=r"X\[9, 0\] is inf"):
        fitted.predict(X)


def test_infinity_in_a_column_that_is_left_out_is_refused_too():
    X = np.column_stack([IRIS.X, np.ones(150)])
    with pytest.warns(UserWarning, match="never vary"):
        fitted = LinearDiscriminantAnalysis().fit(X, IRIS.y)
    X[3, 4] = np.inf
    with pytest.raises(ValueError, match=r"X\[3, 4\] is inf"):
        fitted.predict(X)


@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_posteriors_of_lda_far_from_the_origin(offset):
    """Right to 1e-12 against 50 digits, on digits moved by 1e7."""
    digits = load_digits()
    keep = np.isin(digits.y, [3, 5, 8])
    X, y = digits.X[keep][:, [10, 19, 20, 28, 36, 42]] + offset, digits.y[keep]
    fitted, new = LinearDiscriminantAnalysis().fit(X, y), X[::101]
    with mpmath.workdps(50):
        fits = [exact_fit(mpmath.matrix(X[y == k].tolist())) for k in (3, 5, 8)]
        counts = [int((y == k).sum()) for k in (3, 5, 8)]
        pooled = sum((Σ * (n - 1) for (_, Σ), n in zip(fits, counts, strict=True)), mpmath.zeros(6)) / (len(y) - 3)
        joint = [
            [mpmath.log(n) + exact_log_density(x, mean, pooled) for (mean, _), n in zip(fits, counts, strict=True)]
            for x in new
        ]
        exact = [[float(mpmath.exp(a) / mpmath.fsum(map(mpmath.exp, row))) for a in row] for row in joint]
    np.testing.assert_allclose(fitted.predict_proba(new), exact, rtol=0, atol=1e-12)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_row_too_far_from_every_class_is_named(model):
    fitted = model.set_params(priors=[0.2, 0.5, 0.3]).fit(IRIS.X, IRIS.y)
    model.set_params(priors=None)
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
    with pytest.warns(UserWarning, match="different ranks"):
        fitted = GaussianClassifier(covariance, singular="pseudo").fit(X, np.repeat([0, 1], 15))
    np.testing.assert_allclose(fitted.predict_log_proba(X), posteriors(fitted, X), atol=1e-11)


@pytest.mark.parametrize("form", [np.float32, np.int64, object, list, ">f8"])
def test_the_type_of_the_numbers_changes_nothing(form):
    """They are computed with as floats of 64 bits."""
    X = np.round(IRIS.X * 10) + 2.0**20
    given = X.tolist() if form is list else X.astype(form)
    plain, fitted = (LinearDiscriminantAnalysis().fit(each, IRIS.y) for each in (X, given))
    np.testing.assert_array_equal(fitted.means_, plain.means_)
    np.testing.assert_array_equal(fitted.predict_log_proba(given), plain.predict_log_proba(X))
    assert fitted.means_.dtype == fitted.predict_proba(given).dtype == np.float64


@pytest.mark.parametrize("model", [LinearDiscriminantAnalysis(), GaussianClassifier()], ids=str)
@pytest.mark.parametrize("method", ["predict", "predict_proba", "joint_log_likelihood", "explain"])
def test_infinity_is_found_in_any_block_and_named_by_its_row(model, method):
    fitted, X = model.fit(IRIS.X, IRIS.y), np.tile(IRIS.X, (300, 1))
    X[5, 1], X[44_000, 2] = np.nan, -np.inf
    with pytest.raises(ValueError, match=r"X\[44000, 2\] is -inf; X must hold finite numbers only \(no infinity\)"):
        getattr(fitted, method)(X)
