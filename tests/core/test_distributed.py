"""A fit to any parts, on any worker, is one fit in memory, also if a worker dies; an error names the part."""

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
from functools import partial
from multiprocessing import forkserver

import dask
import dask.array as da
import dask.dataframe as dd
import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from distributed import Client, KilledWorker, LocalCluster
from family import assert_same, refusals, state
from hypothesis import given, settings
from scipy.sparse import csr_array
from sklearn import naive_bayes
from sklearn.base import clone

from bayeslab import (
    Exponential,
    GaussianClassifier,
    GaussianMixture,
    GaussianNB,
    LinearDiscriminantAnalysis,
    MultinomialNB,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
    SingularCovarianceError,
)
from bayeslab.distributed import fit, predict

# dask 2026.8 is not ready for pandas 4.
pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame")
CASES = [GaussianNB(), GaussianClassifier("full", shared=0.3, priors=[0.2, 0.5, 0.3], shrinkage=0.1)]
LABELS = np.array(["a", "bee", "c"])


@pytest.fixture(autouse=True)
def _one_thread(request):
    """Compute in this thread, except where a test asks for the cluster."""
    with dask.config.set({} if "cluster" in request.fixturenames else {"scheduler": "synchronous"}):
        yield


def make_data(seed, n=120, d=3):
    """Three classes far from the origin, with correlated columns of different units."""
    rng = np.random.default_rng(seed)
    y = LABELS[np.append(rng.integers(3, size=n - 12), np.repeat(np.arange(3), 4))]
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) * [1, 100, 0.01] + 1000 * rng.normal(size=d)
    return X + (y == "bee")[:, None], y, rng


@pytest.mark.parametrize("estimator", CASES, ids=lambda e: type(e).__name__)
@settings(max_examples=20)
@given(
    seed=st.integers(0, 2**32 - 1),
    cuts=st.lists(st.integers(0, 120), max_size=12),
    weighted=st.booleans(),
    by_label=st.booleans(),
)
def test_any_parts_are_one_fit(estimator, seed, cuts, weighted, by_label):
    """Empty parts, single rows, sorted labels and so absent classes, and weights of 0."""
    X, y, rng = make_data(seed)
    rows = np.argsort(y) if by_label else rng.permutation(120)
    weights = rng.integers(0, 3, 120) * rng.random(120) if weighted else None
    if weighted:
        weights[-12:] = 1  # no class loses all its weight
    cuts = np.sort([*cuts, *cuts[:2]])  # the same place twice makes an empty part
    parts = [None if each is None else np.split(each[rows], cuts) for each in (X, y, weights)]
    assert_same(fit(clone(estimator), *parts), clone(estimator).fit(X, y, weights))


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


@pytest.fixture
def frames(tmp_path):
    """A frame, and the same in seven partitions, from files."""
    X, y, rng = make_data(4)
    frame = pd.DataFrame(X, columns=["p", "q", "r"]).assign(label=y, weight=rng.random(120))
    dd.from_pandas(frame, npartitions=7).to_parquet(tmp_path, engine="pyarrow")
    return frame, dd.read_parquet(tmp_path, engine="pyarrow")


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
    fitted, frame = GaussianNB().fit(X, y), pd.DataFrame(X, columns=["p", "q", "r"])
    parts = dask.compute(*predict(fitted, [X[:0], X[:1].tolist(), X[1:]], "predict_proba"))
    assert [part.shape for part in parts] == [(0, 3), (1, 3), (119, 3)]
    days = pd.date_range("2026-01-01", periods=120, name="day")
    none = predict(GaussianNB().fit(frame, y), dd.from_pandas(frame.set_axis(days), npartitions=3).query("p > 1e9"))
    pd.testing.assert_index_equal(none.compute().index, days[:0], exact=True)


def test_the_model_is_fitted_from_scratch_and_can_go_on_learning():
    X, y, _ = make_data(6)
    model = GaussianNB(priors="equal").fit(X[:, :2], y)
    assert fit(model, [X[:60], X[60:]], [y[:60], y[60:]]) is model
    assert_same(model.partial_fit(X[:9], y[:9]), GaussianNB(priors="equal").fit(np.r_[X, X[:9]], np.r_[y, y[:9]]))
    assert model.get_params()["priors"] == "equal"


def rows_of(i, n=400):
    """Make the rows of a part and their labels; most of 20 parts lack a class."""
    rng = np.random.default_rng(i)
    y = rng.integers(1 + i % 3, size=n)
    return rng.normal(size=(n, 3)) + y[:, None], y


def rows_in_trouble(i, trouble):
    """Make the rows of a part; the first worker to do so for part 11 dies."""
    if i == 11 and not trouble.exists():
        trouble.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return rows_of(i)[0]


LABELS_OF_PARTS = [partial(lambda i: rows_of(i)[1], i) for i in range(20)]


@pytest.fixture(scope="module")
def two_workers():
    """Two small worker processes, with any free port for the dashboard.

    On Linux, they and their replacements are forked from a process that has imported what they need.
    """
    method = "forkserver" if sys.platform == "linux" else "spawn"  # elsewhere, a fork after these imports is not safe
    if method == "forkserver":
        multiprocessing.set_forkserver_preload(["bayeslab.distributed", "dask.dataframe", "hypothesis", "pytest"])
        forkserver.ensure_running()
    with (
        dask.config.set({"distributed.worker.multiprocessing-method": method}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL) as two,
        Client(two) as client,
    ):
        yield client


@pytest.fixture
def cluster(two_workers):
    """Both workers: without them, while one that a test has killed starts again, a fit would wait for ever."""
    two_workers.wait_for_workers(2, timeout=300)
    return two_workers


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
def test_a_worker_killed_in_mid_fit_does_not_change_a_bit(cluster, tmp_path):
    """The result is the same in this process, on two workers, and when one of them is replaced."""
    with dask.config.set(scheduler="synchronous"):
        here = fit(GaussianNB(), [rows_of(i)[0] for i in range(20)], LABELS_OF_PARTS)
    before = set(cluster.scheduler_info()["workers"])
    trouble = tmp_path / "died"
    there = fit(GaussianNB(), [partial(rows_in_trouble, i, trouble) for i in range(20)], LABELS_OF_PARTS)
    assert trouble.exists()
    cluster.wait_for_workers(2)
    assert set(cluster.scheduler_info()["workers"]) != before
    np.testing.assert_array_equal(there.means_, here.means_)
    np.testing.assert_array_equal(there.covariance_, here.covariance_)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
def test_a_part_that_kills_each_worker_is_named(cluster, monkeypatch):
    monkeypatch.setattr(cluster.cluster.scheduler, "allowed_failures", 0)
    with pytest.raises(KilledWorker, match="part-0-of-X-and-y"):
        fit(GaussianNB(), [die], LABELS_OF_PARTS[:1])


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def with_value(value):
    X = rows_of(2)[0]
    X[7, 1] = value
    return X


def parts_with(number, X=None, y=None):
    """List four parts, with a given one in place of one of them."""
    parts = [rows_of(2 + 3 * i) for i in range(4)]
    parts[number] = tuple(new if new is not None else old for new, old in zip((X, y), parts[number], strict=True))
    return map(list, zip(*parts, strict=True))


def missing_file():
    raise FileNotFoundError("part-2.parquet")


MODEL, ONES = GaussianNB(), np.ones(400)


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        (MODEL, parts_with(2, X=with_value(np.nan)), r"part 2 of X and y: X\[7, 1\] is nan"),
        (MODEL, parts_with(2, X=np.ones((400, 5))), "part 2 and part 3 of X and y do not go together: .* 5 and 3"),
        (MODEL, parts_with(1, y=np.zeros(7, int)), "part 1 of X and y: X has 400 rows, but y has 7"),
        (MODEL, parts_with(1, X=np.ones((0, 3))), "part 1 of X and y: X has 0 rows, but y has 400"),
        (MODEL, (*parts_with(1), [*[ONES] * 3, np.ones(7)]), "part 3 .*: X has 400 rows, but sample_weight has 7"),
        (MODEL, ([pd.DataFrame({"p": [1.0], "q": [2.0]})], "label"), "part 0 .* no column 'label', only 'p', 'q'"),
        (MODEL, parts_with(0, y=["a"] * 400), "part 0 and part 1 of X and y do not go together: .*kind of labels"),
        (MODEL, ([np.ones((4, 2))] * 2, [[1] * 4] * 2), "GaussianNB needs .*, but all parts .* one class only: 1"),
        (MODEL, ([np.ones((0, 2))] * 3, [[]] * 3), "X holds no rows at all"),
        (MODEL, ([], []), "X is an empty list of parts"),
        (MODEL, ([np.ones((4, 2))] * 3, [[1] * 4] * 2), "the same number of parts, but X has 3 and y has 2"),
        (MODEL, ([np.ones((4, 2))], "label"), "part 0 of X and y: X is not a DataFrame, so it has no column 'label'"),
        (GaussianNB(shrinkage="ledoit_wolf"), parts_with(0), "cannot be fitted to parts.*needs all data at once"),
        (GaussianNB(priors=[0.5, 0.5]), parts_with(0), r"priors has shape \(2,\), but y holds 3 classes"),
        (naive_bayes.GaussianNB(), parts_with(0), "cannot be fitted to parts of the data: it has no method merge"),
        (GaussianClassifier(), ([np.ones((9, 2))] * 2, [[0] * 9, [1] * 9]), "no column of X varies"),
    ],
)
def test_errors_name_the_part(model, data, message):
    with pytest.raises(ValueError, match=message):
        fit(clone(model), *data)


def test_a_fit_that_fails_leaves_the_model_as_it_was():
    X, y = rows_of(2)
    model = GaussianClassifier().fit(X, y)
    before = state(model)
    twice = np.column_stack([X, X[:, 0]])
    with pytest.raises(SingularCovarianceError):
        fit(model, [twice], [y])
    assert state(model) == before


WAITS = np.abs(rows_of(2)[0])


@pytest.mark.parametrize(
    ("model", "part", "Error", "message", "note"),
    [
        (MODEL, missing_file, FileNotFoundError, "part-2", "part 1 of X and y."),
        (MODEL, lambda: None, TypeError, "a part must be an array or a frame, .* not array", "part 1 of X and y."),
        (NaiveBayes(Exponential()), -WAITS, ValueError, "part 1 .*: x holds -.* is x ≥ 0", "column 0 of class 0."),
    ],
)
def test_a_note_names_the_part_or_the_column(model, part, Error, message, note):
    with pytest.raises(Error, match=message) as caught:
        fit(clone(model), [WAITS, part], [rows_of(2)[1]] * 2)
    assert caught.value.__notes__ == [f"This happened in {note}"]


IN_MEMORY = "X must be a dask array or frame, or a list of parts, not"
test_data_in_memory_are_refused = refusals(
    (lambda: fit(GaussianNB(), *rows_of(2)), f"{IN_MEMORY} ndarray"),
    (lambda: predict(GaussianNB().fit(*rows_of(2)), rows_of(2)[0]), f"{IN_MEMORY} ndarray"),
    (lambda: fit(GaussianNB(), None, [rows_of(2)[1]]), f"{IN_MEMORY} NoneType"),
    error=TypeError,
)


def test_a_prediction_names_the_part_too():
    X, y = rows_of(2)
    model = GaussianNB().fit(X, y)
    X[205, 1] = np.inf
    for cut in (da.from_array(X, chunks=(100, 3)), dd.from_pandas(pd.DataFrame(X), npartitions=4), np.split(X, 4)):
        with pytest.raises(ValueError, match=r"part 2 of X: X\[5, 1\] is inf"):
            dask.compute(predict(model, cut))


def test_a_prediction_names_columns_that_the_model_does_not_know():
    X, y = rows_of(2)
    frame = pd.DataFrame(X, columns=["p", "q", "r"]).assign(label=y)
    model = GaussianNB().fit(frame[["p", "q", "r"]], y)
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- label"):
        predict(model, dd.from_pandas(frame, npartitions=4))
    with pytest.raises(ValueError, match=r"part 0 of X: (?s:.*)unseen at fit time:\n- label"):
        predict(model, [frame])[0].compute()


@pytest.mark.parametrize("kind", ["array", "frame", "list"])
@pytest.mark.parametrize(("model", "method"), [(GaussianNB(), "explain"), (GaussianMixture(), "score")])
def test_a_method_that_does_not_return_a_row_for_each_row_is_refused(model, method, kind):
    X, y = rows_of(2)
    frame = pd.DataFrame(X, columns=["p", "q", "r"])
    model.fit(frame if kind == "frame" else X, y)
    parts = {"array": da.from_array(X), "frame": dd.from_pandas(frame, npartitions=2), "list": [X]}[kind]
    message = f"^(part 0 of X: )?{method} .* a number or a row of numbers for each row of X"
    with pytest.raises(ValueError, match=message):
        dask.compute(predict(model, parts, method))


def test_without_dask_the_error_says_what_to_install_and_the_core_works():
    program = (
        "import sys, bayeslab; print({'dask', 'distributed'} & set(sys.modules)); "
        "sys.modules['dask'] = None; import bayeslab.distributed"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "set()\n"
    assert "ImportError: bayeslab.distributed needs dask: python -m pip install 'bayeslab[distributed]'" in done.stderr


@pytest.mark.parametrize("kind", ["csr", "coo"])
def test_parts_may_be_sparse_of_any_kind(kind):
    counts, y = np.round(np.abs(rows_of(2)[0])), rows_of(2)[1]
    parts = [csr_array(part).asformat(kind) for part in (counts[:0], counts[:150], counts[150:])]
    fitted, whole = fit(MultinomialNB(), parts, [y[:0], y[:150], y[150:]]), MultinomialNB().fit(counts, y)
    np.testing.assert_allclose(fitted.feature_log_prob_, whole.feature_log_prob_, rtol=1e-12)
    np.testing.assert_array_equal(np.concatenate(dask.compute(*predict(fitted, parts))), whole.predict(counts))


def test_weights_that_overflow_are_named():
    X, y = rows_of(2)
    with pytest.raises(ValueError, match=r"parts? 0.* and part.*the sum of the weights overflows: divide all of them"):
        fit(GaussianNB(), [X * 1e-3] * 4, [y] * 4, [np.full(400, 2e305)] * 4)
