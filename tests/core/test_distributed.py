"""A fit to any parts, on any worker, is the same as one fit in memory."""

from functools import partial

import dask
import dask.array as da
import dask.dataframe as dd
import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from family import FAMILY, assert_same
from hypothesis import given, settings
from sklearn.base import clone

from bayeslab import GaussianClassifier, GaussianNB, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from bayeslab.distributed import fit, predict

# dask 2026.8 is not ready for pandas 4.
pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame")

CASES = [*FAMILY, GaussianClassifier("full", shared=0.3, priors=[0.2, 0.5, 0.3], shrinkage=0.1)]
LABELS = np.array(["a", "bee", "c"])


@pytest.fixture(autouse=True)
def _one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def make_data(seed, n=120, d=3):
    """Three classes far from the origin, with correlated columns of different units."""
    rng = np.random.default_rng(seed)
    y = LABELS[np.append(rng.integers(3, size=n - 12), np.repeat(np.arange(3), 4))]
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) * [1, 100, 0.01] + 1000 * rng.normal(size=d)
    return X + (y == "bee")[:, None], y, rng


@pytest.mark.parametrize("estimator", CASES, ids=lambda e: type(e).__name__)
@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32 - 1),
    cuts=st.lists(st.integers(0, 120), max_size=12),
    weighted=st.booleans(),
    by_label=st.booleans(),
)
def test_any_parts_are_one_fit(estimator, seed, cuts, weighted, by_label):
    """Five estimators, 40 times: empty parts, single rows, sorted labels and so absent classes, weights of 0 too."""
    X, y, rng = make_data(seed)
    rows = np.argsort(y) if by_label else rng.permutation(120)
    weights = rng.integers(0, 3, 120) * rng.random(120) if weighted else None
    if weighted:
        weights[-12:] = 1  # no class loses all its weight
    cuts = np.sort([*cuts, *cuts[:2]])  # the same place twice makes an empty part
    parts = [None if each is None else np.split(each[rows], cuts) for each in (X, y, weights)]
    assert_same(fit(clone(estimator), *parts), clone(estimator).fit(X, y, weights))


@pytest.mark.parametrize("scheduler", ["synchronous", "threads"])
def test_a_repeated_fit_is_the_same_to_the_last_bit(scheduler):
    X, y, _ = make_data(1, n=4000)
    first = fit(QuadraticDiscriminantAnalysis(), np.array_split(X, 37), np.array_split(y, 37))
    with dask.config.set(scheduler=scheduler):
        again = fit(QuadraticDiscriminantAnalysis(), np.array_split(X, 37), np.array_split(y, 37))
    np.testing.assert_array_equal(again.means_, first.means_)
    np.testing.assert_array_equal(again.covariance_, first.covariance_)


def test_a_part_may_be_a_function_or_a_delayed_object():
    X, y, _ = make_data(2)
    halves = slice(0, 50), slice(50, 120)
    loaders = [partial(X.__getitem__, half) for half in halves]
    later = [dask.delayed(y.__getitem__)(half) for half in halves]
    fitted = fit(GaussianNB(), loaders, later)
    assert_same(fitted, GaussianNB().fit(X, y))
    predicted = np.concatenate(dask.compute(*predict(fitted, loaders)))
    np.testing.assert_array_equal(predicted, fitted.predict(X))


def test_dask_arrays_may_be_cut_anywhere_and_have_unknown_lengths():
    X, y, _ = make_data(3)
    whole = QuadraticDiscriminantAnalysis().fit(X, y)
    cut = da.from_array(X, chunks=(50, 2)), da.from_array(y, chunks=50)
    kept = cut[0][:, 0] > X[:, 0].mean() - 1e9  # all rows, but dask cannot know that
    for X_cut, y_cut in (cut, [each[kept] for each in (da.from_array(X, chunks=(50, 3)), cut[1])]):
        fitted = fit(QuadraticDiscriminantAnalysis(), X_cut, y_cut)
        assert_same(fitted, whole)
        for method in ("predict", "predict_proba", "decision_function"):
            lazy = predict(fitted, X_cut, method)
            assert lazy.dtype == getattr(fitted, method)(X[:1]).dtype
            np.testing.assert_array_equal(lazy.compute(), getattr(fitted, method)(X))


@pytest.fixture(params=["memory", "parquet"])
def frames(request, tmp_path):
    """A frame in memory, and the same in seven partitions, from memory or from files."""
    X, y, rng = make_data(4)
    frame = pd.DataFrame(X, columns=["p", "q", "r"]).assign(label=y, weight=rng.random(120))
    cut = dd.from_pandas(frame, npartitions=7)
    if request.param == "parquet":
        cut.to_parquet(tmp_path, engine="pyarrow")
        cut = dd.read_parquet(tmp_path, engine="pyarrow")
    return frame, cut


def test_a_label_is_a_column_or_a_series(frames):
    frame, cut = frames
    X = frame[["p", "q", "r"]]
    whole = GaussianNB().fit(X, frame["label"], frame["weight"])
    as_columns = fit(GaussianNB(), cut, "label", "weight")
    apart = fit(GaussianNB(), cut[["p", "q", "r"]], cut["label"], cut["weight"])
    for fitted in (as_columns, apart):
        assert_same(fitted, whole)
        assert fitted.feature_names_in_.tolist() == ["p", "q", "r"]


def test_predictions_keep_the_index_of_a_frame(frames):
    frame, cut = frames
    X, cut = frame[["p", "q", "r"]], cut[["p", "q", "r"]]
    fitted = LinearDiscriminantAnalysis().fit(X, frame["label"])
    np.testing.assert_array_equal(predict(fitted, cut).compute(), fitted.predict(X))
    posteriors = predict(fitted, cut, "predict_proba").compute()
    pd.testing.assert_frame_equal(posteriors, pd.DataFrame(fitted.predict_proba(X), X.index, LABELS))
    assert predict(fitted, cut, "transform").compute().shape == (120, 2)


def test_empty_parts_are_predicted_too():
    X, y, _ = make_data(5)
    fitted = GaussianNB().fit(X, y)
    parts = dask.compute(*predict(fitted, [X[:0], X[:1].tolist(), X[1:]], "predict_proba"))
    assert [part.shape for part in parts] == [(0, 3), (1, 3), (119, 3)]
    frame = pd.DataFrame(X, columns=["p", "q", "r"])
    few = dd.from_pandas(frame, npartitions=3).query("p > 1e9")
    assert len(predict(fitted, few.to_dask_array()).compute()) == 0
    days = pd.date_range("2026-01-01", periods=120, name="day")
    none = predict(GaussianNB().fit(frame, y), dd.from_pandas(frame.set_axis(days), npartitions=3).query("p > 1e9"))
    pd.testing.assert_index_equal(none.compute().index, days[:0], exact=True)


def test_the_model_is_fitted_from_scratch_and_can_go_on_learning():
    X, y, _ = make_data(6)
    model = GaussianNB(priors="equal").fit(X[:, :2], y)
    assert fit(model, [X[:60], X[60:]], [y[:60], y[60:]]) is model
    assert_same(model.partial_fit(X[:9], y[:9]), GaussianNB(priors="equal").fit(np.r_[X, X[:9]], np.r_[y, y[:9]]))
    assert model.get_params()["priors"] == "equal"
