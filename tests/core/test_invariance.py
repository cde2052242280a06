"""Units and origins of the columns change nothing, whatever the estimator does about singular data."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from sklearn.base import clone

from bayeslab import GaussianNB, LinearDiscriminantAnalysis, NearestMean, QuadraticDiscriminantAnalysis, load_iris

ESTIMATORS = [
    Classifier(**parameters)
    for Classifier in (QuadraticDiscriminantAnalysis, LinearDiscriminantAnalysis, GaussianNB)
    for parameters in ({}, {"shrinkage": 0.2}, {"shrinkage": "ledoit_wolf"}, {"singular": "pseudo"})
]
IRIS = load_iris()


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
@given(data=st.data())
def test_units_and_offsets(estimator, data):
    exponents = data.draw(st.lists(st.integers(-6, 6), min_size=4, max_size=4))
    offsets = data.draw(st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=4))
    units = 10.0 ** np.array(exponents)
    changed = IRIS.X * units + np.array(offsets) * IRIS.X.std(axis=0) * units
    plain = clone(estimator).fit(IRIS.X, IRIS.y)
    moved = clone(estimator).fit(changed, IRIS.y)
    np.testing.assert_array_equal(moved.predict(changed), plain.predict(IRIS.X))
    np.testing.assert_allclose(moved.predict_proba(changed), plain.predict_proba(IRIS.X), atol=1e-6)


def test_units_with_fewer_samples_than_columns():
    """Pseudo-inverse and shrinkage too are taken in units that the data bring along."""
    rng = np.random.default_rng(0)
    y, units = np.repeat([0, 1, 2], 8), 10.0 ** rng.integers(-6, 7, size=12)
    X = rng.normal(size=(24, 12)) + 0.6 * y[:, None]
    for parameters in ({"singular": "pseudo"}, {"shrinkage": "ledoit_wolf"}, {"shrinkage": 0.1}):
        plain = QuadraticDiscriminantAnalysis(**parameters).fit(X, y)
        scaled = QuadraticDiscriminantAnalysis(**parameters).fit(X * units, y)
        np.testing.assert_allclose(scaled.predict_proba(X * units), plain.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("Classifier", [QuadraticDiscriminantAnalysis, LinearDiscriminantAnalysis])
@given(seed=st.integers(0, 2**32 - 1))
def test_an_affine_map_changes_nothing(Classifier, seed):
    rng = np.random.default_rng(seed)
    A = np.linalg.qr(rng.normal(size=(4, 4)))[0] * rng.uniform(0.3, 3, size=4)
    b = 10 * rng.normal(size=4)
    plain, mapped = Classifier().fit(IRIS.X, IRIS.y), Classifier().fit(IRIS.X @ A + b, IRIS.y)
    np.testing.assert_allclose(mapped.predict_proba(IRIS.X @ A + b), plain.predict_proba(IRIS.X), atol=1e-8)


def test_nearest_mean_is_the_one_that_depends_on_units():
    plain, moved = NearestMean().fit(IRIS.X, IRIS.y), NearestMean().fit(IRIS.X * [1, 1, 100, 1], IRIS.y)
    assert (moved.predict(IRIS.X * [1, 1, 100, 1]) != plain.predict(IRIS.X)).any()
    assert "units" in NearestMean.__doc__


@given(seed=st.integers(0, 2**32 - 1))
def test_the_order_of_rows_columns_and_labels_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(150), rng.permutation(4)
    renamed = np.array(["c", "a", "b"])[np.unique(IRIS.y, return_inverse=True)[1]]
    for estimator in ESTIMATORS:
        plain = clone(estimator).fit(IRIS.X, IRIS.y).predict_proba(IRIS.X)
        other = clone(estimator).fit(IRIS.X[rows][:, columns], renamed[rows]).predict_proba(IRIS.X[:, columns])
        np.testing.assert_allclose(other[:, [2, 0, 1]], plain, atol=1e-9)
