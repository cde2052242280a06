"""The densities of all classes together are those of each Gaussian by itself; a missing value is integrated out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from bayeslab import GaussianClassifier, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, load_iris
from bayeslab.class_densities import DIGITS, FEW_GAPS, STRIP, ClassDensities
from bayeslab.classifier import MANY, log_posterior

IRIS = load_iris()
MODELS = [GaussianClassifier(c, shared=s) for c in ("full", "diagonal", "spherical") for s in (False, 0.5, True)]


def posteriors(fitted, X):
    """Log posteriors by the Gaussians, one by one."""
    densities = np.array([gaussian.log_density(X[:, fitted.varies_]) for gaussian in fitted.gaussians_]).T
    return log_posterior(np.log(fitted.priors_) + densities)


@given(
    seed=st.integers(0, 2**32 - 1),
    model=st.sampled_from(MODELS),
    K=st.sampled_from([2, 3, MANY, MANY + 1]),
    d=st.sampled_from([1, 2, 5, 3 * STRIP // 2 - 1, 3 * STRIP // 2]),
    n=st.sampled_from([1, 99, 100, 300]),
    distance=st.sampled_from([0, 1, 20, 1e3, 1e7]),
)
@settings(max_examples=settings.default.max_examples // 2)
def test_products_for_all_classes_are_the_single_gaussians(seed, model, K, d, n, distance):
    """On both sides of every threshold; a class far away must not drown the digits of the others."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(K), d + 5)
    X = rng.normal(size=(len(y), d)) + rng.normal(size=(K, d))[y] + distance * (y == K - 1)[:, None]
    fitted = clone(model).fit(X, y)
    new = X[rng.integers(len(X), size=n)]
    expected = posteriors(fitted, new)
    errors = np.abs(fitted.predict_log_proba(new) - expected)
    conditions = [np.linalg.cond(gaussian.covariance) for gaussian in fitted.gaussians_]
    near = np.abs(expected) < 1e6  # beyond, D² itself has lost more
    assert errors[near].max() < 1e-12 * max(conditions) * (1 + np.abs(expected[near]).max() / 100)
    np.testing.assert_allclose(fitted.predict_proba(new), np.exp(expected), atol=1e-12 * max(conditions))
    np.testing.assert_array_equal(fitted.predict(new), fitted.classes_[fitted.predict_log_proba(new).argmax(axis=1)])


@given(
    seed=st.integers(0, 2**32 - 1),
    model=st.sampled_from([each for each in MODELS if each.shared != 0.5]),
    d=st.sampled_from([2, 6, FEW_GAPS + 5, DIGITS + 1]),
    share=st.sampled_from([0.1, 0.5, 0.9, 1.0]),
    correlation=st.sampled_from([0, 0.9, 0.9999, 1 - 1e-8]),
)
@settings(max_examples=settings.default.max_examples // 2)
def test_rows_with_gaps_have_the_marginal_density(seed, model, d, share, correlation):
    """However many values are missing, and however nearly singular the covariance is."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], d + 20)
    X = rng.normal(size=(len(y), d)) + 3 * rng.normal(size=(3, d))[y]
    X[:, 1] = correlation * X[:, 0] + np.sqrt(1 - correlation**2) * X[:, 1]
    fitted = clone(model).fit(X, y)
    new = np.where(rng.random((40, d)) < share, np.nan, X[rng.integers(len(X), size=40)])
    rtol = 1e-9 if correlation > 0.9 else 1e-11  # the condition number costs digits, but no more than these
    for row, joint, shares in zip(new, fitted.joint_log_likelihood(new), fitted.predict_log_proba(new), strict=True):
        seen = np.flatnonzero(~np.isnan(row))
        expected = [g.marginal(seen).log_density(row[None, seen])[0] if len(seen) else 0 for g in fitted.gaussians_]
        expected += np.log(fitted.priors_)
        np.testing.assert_allclose(joint, expected, rtol=rtol, atol=rtol)
        np.testing.assert_allclose(shares, log_posterior(expected[None])[0], rtol=rtol, atol=rtol * np.abs(joint).max())


@pytest.mark.parametrize("model", [each for each in MODELS if each.shared == 1], ids=str)
def test_classes_that_only_differ_in_gaps_tie(model):
    """To the last digit, so that the first of them wins."""
    rng = np.random.default_rng(8)
    means = np.repeat(np.round(rng.normal(size=(3, 5)), 2), 2, axis=0)
    means[1::2, [1, 3]] += [1.0, -2.0]  # these two columns alone tell 1 from 0, 3 from 2 and 5 from 4
    y = np.repeat(np.arange(6), 9)
    fitted = clone(model).fit(means[y] + np.tile(rng.normal(size=(9, 5)), (6, 1)), y)
    densities = ClassDensities([fitted.gaussians_[0].moved_to(mean) for mean in means], shared=True)
    rows = rng.normal(size=(400, 5))
    rows[rng.random(rows.shape) < 0.3] = np.nan
    rows[:, [1, 3]] = np.nan
    scores = densities.scores(rows, np.zeros(6))
    np.testing.assert_array_equal(scores[:, 1::2], scores[:, ::2])


def test_infinity_in_a_column_that_is_left_out_is_refused_too():
    X = np.column_stack([IRIS.X, np.ones(150)])
    with pytest.warns(UserWarning, match="never vary"):
        fitted = LinearDiscriminantAnalysis().fit(X, IRIS.y)
    X[3, 4] = np.inf
    with pytest.raises(ValueError, match=r"X\[3, 4\] is inf"):
        fitted.predict(X)


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_what_is_not_finite_shows_in_a_column_without_weight(value):
    """The pseudo-inverse leaves it out, since it does not vary within any class."""
    X = np.column_stack([IRIS.X, IRIS.y == "setosa"])
    with pytest.warns(UserWarning, match="leaves out columns"):
        fitted = QuadraticDiscriminantAnalysis(singular="pseudo").fit(X, IRIS.y)
    plain = QuadraticDiscriminantAnalysis().fit(IRIS.X, IRIS.y)
    X[3, 4] = value
    if value == np.inf:
        with pytest.raises(ValueError, match=r"X\[3, 4\] is inf"):
            fitted.predict_proba(X)
    else:
        np.testing.assert_allclose(fitted.predict_proba(X)[3], plain.predict_proba(IRIS.X)[3], atol=1e-9)


def test_a_row_too_far_from_every_class_is_named():
    fitted = GaussianClassifier(priors=[0.2, 0.5, 0.3]).fit(IRIS.X, IRIS.y)
    X = np.vstack([IRIS.X[:2], np.full(4, 1e160)])
    with pytest.warns(UserWarning, match=r"density above 0 at \[1e\+160.*the priors alone decide"):
        found = fitted.predict_proba(X)
    np.testing.assert_allclose(found[2], [0.2, 0.5, 0.3])
    np.testing.assert_allclose(found[:2], fitted.predict_proba(X[:2]))
    with pytest.warns(UserWarning, match=r"\(and 0 more rows\)") as warned:
        table = fitted.explain(X)
    assert len(warned) == 1
    np.testing.assert_array_equal(table["posterior"], found.ravel())


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_posteriors_are_those_of_the_single_gaussians_where_ranks_differ(covariance):
    X = np.random.default_rng(2).normal(size=(30, 3))
    X[:15, 1] = 0.5
    with pytest.warns(UserWarning, match=r"different ranks \('A' 2, 'B' 3\)"):
        fitted = GaussianClassifier(covariance, singular="pseudo").fit(X, np.repeat(["A", "B"], 15))
    np.testing.assert_allclose(fitted.predict_log_proba(X), posteriors(fitted, X), atol=1e-11)


@pytest.mark.parametrize("model", [each for each in MODELS if each.shared == 1], ids=str)
def test_no_row_depends_on_the_gaps_of_another(model):
    """The second row is so far away that the digits of D², common to all classes, would drown the difference."""
    square = np.array([(a, b) for a in (-1.0, 0, 1) for b in (-1.0, 0, 1)])
    fitted = clone(model).fit(np.vstack([square, np.add(square, [4, 0])]), np.repeat([0, 1], 9))
    rows = np.array([[4, 1e9], [1, 0.5], [np.nan, 0]])
    for method in (fitted.predict, fitted.predict_proba, fitted.decision_function):
        np.testing.assert_allclose(method(rows)[:2], method(rows[:2]), rtol=1e-12)


@pytest.mark.parametrize("gap", [0, np.nan])
@pytest.mark.parametrize("model", [each for each in MODELS if each.shared == 1], ids=str)
def test_a_distance_common_to_all_classes_costs_no_digits(model, gap):
    """The classes differ in the first column only, so the second, and its D² of about 1e18, say nothing."""
    cube = np.array(list(np.ndindex(2, 2, 2)), dtype=float)
    fitted = clone(model).fit(np.vstack([cube, np.add(cube, [3, 0, 0])]), np.repeat([0, 1], 8))
    near, far = fitted.predict_log_proba([[1.2, 0, gap], [1.2, 1e9, gap]])
    np.testing.assert_allclose(far, near, rtol=1e-6)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_class_of_prior_0_leaves_the_others_as_they_are(model):
    X = np.where(np.random.default_rng(5).random(IRIS.X.shape) < 0.1, np.nan, IRIS.X)
    fitted = clone(model).set_params(priors=[0, 0.3, 0.7]).fit(IRIS.X, IRIS.y)
    expected = posteriors(fitted.with_priors("equal"), IRIS.X)[:, 1:] + np.log([0.3, 0.7])
    found = fitted.predict_log_proba(np.vstack([IRIS.X, X]))
    np.testing.assert_allclose(found[:150, 1:], log_posterior(expected), atol=1e-9)
    assert (found[:, 0] == -np.inf).all()
    assert np.isfinite(found[:, 1:]).all()
    np.testing.assert_allclose(fitted.predict_log_proba(IRIS.X), found[:150], atol=1e-12)  # where no row has a gap


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
def test_gaps_do_not_depend_on_units(covariance):
    rows, unit = np.where([True, False, False, True], np.nan, IRIS.X), 1e-155  # whose square is no normal number
    fitted = GaussianClassifier(covariance).fit(IRIS.X, IRIS.y)
    in_units = GaussianClassifier(covariance).fit(IRIS.X * unit, IRIS.y)
    np.testing.assert_allclose(in_units.predict_proba(rows * unit), fitted.predict_proba(rows), atol=1e-9)


@pytest.mark.parametrize("model", [LinearDiscriminantAnalysis(), GaussianClassifier()], ids=str)
@pytest.mark.parametrize("method", ["predict", "explain"])
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


def test_marginals_of_different_rank_are_not_comparable():
    """All four columns have rank 3 in both classes, the first two 2 and 1."""
    rng = np.random.default_rng(9)
    a, b = rng.normal(size=(2, 30, 4))
    a[:, 3], b[:, 1] = a[:, 2], b[:, 0]
    fitted = QuadraticDiscriminantAnalysis(singular="pseudo").fit(np.vstack([a, b]), np.repeat(["a", "b"], 30))
    assert [each.rank for each in fitted.gaussians_] == [3, 3]
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
