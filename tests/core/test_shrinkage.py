"""Shrinkage towards the pooled variances, and the intensity that Ledoit and Wolf derive from the data."""

import numpy as np
import pytest
from family import FAMILY
from sklearn.base import clone
from sklearn.covariance import ledoit_wolf_shrinkage

from bayeslab import (
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    load_iris,
)

IRIS = load_iris()


def test_shrinkage_goes_to_the_pooled_variances():
    fitted = QuadraticDiscriminantAnalysis(shrinkage=0.3).fit(IRIS.X, IRIS.y)
    covariances = np.array([np.cov(IRIS.X[IRIS.y == label].T) for label in IRIS.class_names])
    target = np.diag(np.diag(covariances.mean(axis=0)))
    np.testing.assert_allclose(fitted.covariance_, 0.7 * covariances + 0.3 * target)
    everything = QuadraticDiscriminantAnalysis(shrinkage=1).fit(IRIS.X, IRIS.y)
    np.testing.assert_allclose(everything.covariance_, [target] * 3)


def test_the_ledoit_wolf_intensity_is_scikit_learns_for_the_pooled_covariance():
    """There the best multiple of the identity, which scikit-learn shrinks to, is the identity itself."""
    fitted = LinearDiscriminantAnalysis(shrinkage="ledoit_wolf", ddof=0).fit(IRIS.X, IRIS.y)
    means = np.array([IRIS.X[IRIS.y == label].mean(axis=0) for label in IRIS.class_names])
    Z = (IRIS.X - means[np.unique(IRIS.y, return_inverse=True)[1]]) / np.sqrt(
        np.mean([np.cov(IRIS.X[IRIS.y == label].T, ddof=0) for label in IRIS.class_names], axis=0).diagonal()
    )
    expected = ledoit_wolf_shrinkage(Z, assume_centered=True)
    np.testing.assert_allclose(fitted.shrinkage_, expected, rtol=1e-9)


def test_the_ledoit_wolf_intensity_by_its_definition():
    fitted = QuadraticDiscriminantAnalysis(shrinkage="ledoit_wolf").fit(IRIS.X, IRIS.y)
    pooled = np.mean([np.cov(IRIS.X[IRIS.y == label].T) for label in IRIS.class_names], axis=0)
    for label, found in zip(IRIS.class_names, fitted.shrinkage_, strict=True):
        part = IRIS.X[IRIS.y == label]
        Z = (part - part.mean(axis=0)) / np.sqrt(pooled.diagonal())
        S = Z.T @ Z / 50
        uncertainty = np.mean([np.square(np.outer(z, z) - S).sum() for z in Z]) / 50
        assert found == pytest.approx(uncertainty / np.square(S - np.eye(4)).sum())


def test_the_ledoit_wolf_intensity_of_variances_by_its_definition():
    """For a diagonal covariance, the uncertainty and the distance are those of the diagonals."""
    fitted = GaussianNB(shrinkage="ledoit_wolf").fit(IRIS.X, IRIS.y)
    pooled = np.mean([IRIS.X[IRIS.y == label].var(axis=0, ddof=1) for label in IRIS.class_names], axis=0)
    for label, found in zip(IRIS.class_names, fitted.shrinkage_, strict=True):
        part = IRIS.X[IRIS.y == label]
        squares = (part - part.mean(axis=0)) ** 2 / pooled
        uncertainty = np.square(squares - squares.mean(axis=0)).sum(axis=1).mean() / 50
        assert found == pytest.approx(min(1, uncertainty / np.square(squares.mean(axis=0) - 1).sum()))


@pytest.mark.parametrize("estimator", FAMILY, ids=lambda e: type(e).__name__)
def test_the_ledoit_wolf_intensity_of_weights_is_that_of_repetitions(estimator):
    counts = np.random.default_rng(5).integers(0, 4, 150)
    repeated = np.repeat(np.arange(150), counts)
    estimator = clone(estimator).set_params(shrinkage="ledoit_wolf")
    weighted = clone(estimator).fit(IRIS.X, IRIS.y, sample_weight=counts)
    expected = clone(estimator).fit(IRIS.X[repeated], IRIS.y[repeated])
    np.testing.assert_allclose(weighted.shrinkage_, expected.shrinkage_)
    np.testing.assert_allclose(weighted.covariance_, expected.covariance_)


def test_one_variance_shrinks_to_the_mean_of_the_pooled_ones():
    fitted = GaussianClassifier("spherical", shrinkage=0.25).fit(IRIS.X, IRIS.y)
    variances = np.array([IRIS.X[IRIS.y == label].var(axis=0, ddof=1).mean() for label in IRIS.class_names])
    expected = 0.75 * variances + 0.25 * variances.mean()
    np.testing.assert_allclose(fitted.covariance_, expected[:, None, None] * np.eye(4))


@pytest.mark.parametrize("estimator", FAMILY, ids=lambda e: type(e).__name__)
def test_the_ledoit_wolf_intensity_does_not_see_an_offset_or_a_constant_column(estimator):
    X = np.round(IRIS.X * 2**10) / 2**10  # so that adding the offset rounds nothing away
    estimator = clone(estimator).set_params(shrinkage="ledoit_wolf")
    expected = estimator.fit(X, IRIS.y).shrinkage_
    np.testing.assert_allclose(estimator.fit(X + 2.0**36, IRIS.y).shrinkage_, expected, rtol=1e-11)
    with pytest.warns(UserWarning, match="never vary: columns 4"):
        fitted = estimator.fit(np.column_stack([X, np.full(150, 0.1)]), IRIS.y)
    np.testing.assert_allclose(fitted.shrinkage_, expected, rtol=1e-12)


@pytest.mark.parametrize("estimator", FAMILY, ids=lambda e: type(e).__name__)
def test_beside_a_sample_that_has_all_of_the_weight_nothing_is_known_of_the_covariance(estimator):
    X = np.random.default_rng(3).normal(size=(20, 2))
    weights = np.where(np.arange(20) < 2, 1e200, np.arange(20) < 15)
    estimator = clone(estimator).set_params(shrinkage="ledoit_wolf")
    np.testing.assert_array_equal(estimator.fit(X, np.arange(20) % 2, weights).shrinkage_, 1)
