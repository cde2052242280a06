"""Why this label? The terms add up to the joint log-likelihood, and the largest sum is the label of `predict`."""

import warnings

import numpy as np
import pandas as pd
from draws import draw_model
from family import refusals
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from bayeslab import (
    DensityClassifier,
    GaussianMixture,
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    load_iris,
    make_xor,
)

IRIS = load_iris()
ROUNDING = 1e-12  # whitening multiplies that of one operation, 1e-16, by the condition number of a root of Σ


def check_one_path(fitted, X):
    """The sums of `explain` are the joint log-likelihoods, and the largest is the label of `predict`."""
    table, joint = fitted.explain(X), fitted.joint_log_likelihood(X)
    terms = table.drop(columns=["sum", "posterior"]).to_numpy()
    with np.errstate(invalid="ignore"):
        error = np.abs(terms.sum(axis=1) - table["sum"]) / np.abs(terms).max(axis=1)
    np.testing.assert_array_less(error.fillna(0), ROUNDING)
    np.testing.assert_array_equal(table["sum"], joint.ravel())
    np.testing.assert_allclose(table["posterior"], fitted.predict_proba(X).ravel(), rtol=1e-12, atol=1e-300)
    # Far away, −½ D² swallows the differences between classes of one covariance: the sums tie, up to rounding.
    reachable = np.isfinite(joint).any(axis=1)
    chosen = joint[np.arange(len(X)), np.searchsorted(fitted.classes_, fitted.predict(X))][reachable]
    largest = joint[reachable].max(axis=1)
    assert (chosen >= largest - ROUNDING * np.abs(largest)).all()
    near = reachable & (np.abs(joint) < 1e6).all(axis=1)
    np.testing.assert_array_equal(fitted.classes_[joint[near].argmax(axis=1)], fitted.predict(X)[near])
    assert table.index.names == ["row", "class"]
    assert len(table) == joint.size
    return table


def test_terms_of_other_densities_add_up_and_the_largest_sum_wins():
    check_one_path(DensityClassifier(GaussianMixture(2, random_state=0)).fit(IRIS.X, IRIS.y), IRIS.X[::7])
    check_one_path(make_xor(5, np.random.default_rng(0)).truth, IRIS.X[::7, :2] - [6, 3])


@settings(max_examples=settings.default.max_examples // 2)
@given(seed=st.integers(0, 2**32 - 1), d=st.integers(2, 5), K=st.integers(2, 4), exponent=st.integers(-6, 160))
def test_explain_shows_what_predict_has_computed(seed, d, K, exponent):
    """Also for rows with gaps, and for rows so remote that squares leave the range of numbers."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(K), 12)
    X = rng.normal(size=(len(y), d)) @ (np.eye(d) + rng.normal(size=(d, d)) / 3) + 3 * rng.normal(size=(K, d))[y]
    fitted = draw_model(rng, K).fit(X, y)
    new = rng.normal(size=(20, d))
    new[10:] *= 10.0**exponent
    new[rng.random(new.shape) < 0.2] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that no class has a density there
        check_one_path(fitted, new)


def test_the_terms_of_a_gaussian_are_what_they_are_called():
    fitted = QuadraticDiscriminantAnalysis(priors=[0.2, 0.3, 0.5]).fit(IRIS.X, IRIS.y)
    table = fitted.explain(IRIS.X[[70]])
    assert table.columns.tolist() == ["ln π", "−½ ln|Σ|", "−½ D²", "constant", "sum", "posterior"]
    np.testing.assert_allclose(table["ln π"], np.log([0.2, 0.3, 0.5]))
    np.testing.assert_allclose(table["−½ ln|Σ|"], [-np.linalg.slogdet(Σ)[1] / 2 for Σ in fitted.covariance_])
    np.testing.assert_allclose(table["constant"], -2 * np.log(2 * np.pi))
    pairs = zip(fitted.means_, fitted.covariance_, strict=True)
    expected = [multivariate_normal(mean, Σ).logpdf(IRIS.X[70]) for mean, Σ in pairs]
    np.testing.assert_allclose(table["sum"] - table["ln π"], expected)


def test_rows_keep_their_names_and_classes_their_labels():
    table = pd.DataFrame(IRIS.X[:100], columns=IRIS.feature_names, index=[f"flower {i}" for i in range(100)])
    explained = LinearDiscriminantAnalysis().fit(table, IRIS.y[:100]).explain(table.iloc[[3, 77]])
    assert explained.loc[("flower 77", "versicolor"), "posterior"] > 0.99
    assert explained.index.get_level_values("row").unique().tolist() == ["flower 3", "flower 77"]


def test_the_constant_counts_the_columns_that_were_observed_or_their_rank():
    X = IRIS.X[::10].copy()
    X[::2, 1], X[5] = np.nan, np.nan
    table = QuadraticDiscriminantAnalysis().fit(IRIS.X, IRIS.y).explain(X)
    np.testing.assert_allclose(table.loc[5, "posterior"], 1 / 3)
    assert (table.loc[5, "sum"] == np.log(1 / 3)).all()
    np.testing.assert_allclose(table.loc[0, "constant"], -1.5 * np.log(2 * np.pi))
    twice = np.column_stack([IRIS.X, IRIS.X[:, 0]])
    fitted = QuadraticDiscriminantAnalysis(singular="pseudo").fit(twice, IRIS.y)
    np.testing.assert_allclose(check_one_path(fitted, twice[:3])["constant"], -2 * np.log(2 * np.pi))


test_rows_that_cannot_be_explained_are_named = refusals(
    (lambda: GaussianNB().fit(IRIS.X, IRIS.y).explain(5.0), "Expected 2D array"),
    (lambda: GaussianNB().fit(IRIS.X, IRIS.y).explain([[1, 2, 3]]), "3 features"),
    (lambda: GaussianNB().explain(IRIS.X), "not fitted"),
)


def test_a_prior_of_0_does_not_hide_the_density():
    mixture = DensityClassifier(GaussianMixture(1), priors=[0, 0.5, 0.5]).fit(IRIS.X, IRIS.y)
    table = mixture.explain(IRIS.X[:1])
    assert np.isneginf(table.loc[(0, "setosa"), "sum"])
    assert np.isfinite(table["ln p(x|C)"]).all()
    assert table.loc[(0, "setosa"), "ln p(x|C)"] == table["ln p(x|C)"].max()
