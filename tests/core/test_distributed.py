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
from family import assert_same, state
from hypothesis import given, settings
from scipy.sparse import csr_array
from sklearn import naive_bayes
from sklearn.base import clone

from bayeslab import (
    Exponential,
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    MultinomialNB,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
)
from bayeslab.distributed import _fit_part, fit

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
    before = state(estimator)
    assert_same(fit(estimator, *parts), clone(estimator).fit(X, y, weights))
    assert state(estimator) == before


def test_dask_arrays_may_be_cut_anywhere_and_have_unknown_lengths():
    X, y, _ = make_data(3)
    whole = QuadraticDiscriminantAnalysis().fit(X, y)
    cut = da.from_array(X, chunks=(50, 2)), da.from_array(y, chunks=50)
    rows = cut[0].rechunk({1: 3})
    unknown = [each[rows[:, 0] > X[:, 0].mean() - 1e9] for each in (rows, cut[1])]  # all rows, but dask can't know
    for X_cut, y_cut in (cut, unknown):
        assert_same(fit(QuadraticDiscriminantAnalysis(), X_cut, y_cut), whole)
    labels = rows.map_blocks(whole.predict, drop_axis=1, dtype=y.dtype)
    np.testing.assert_array_equal(labels.compute(), whole.predict(X))


def test_a_frame_keeps_the_names_of_its_columns(tmp_path):
    """Seven partitions from files, whose labels are one of the columns."""
    X, y, rng = make_data(4)
    frame = pd.DataFrame(X, columns=["p", "q", "r"]).assign(label=y, weight=rng.random(120))
    dd.from_pandas(frame, npartitions=7).to_parquet(tmp_path, engine="pyarrow")
    cut, X = dd.read_parquet(tmp_path, engine="pyarrow"), frame[["p", "q", "r"]]
    fitted = fit(LinearDiscriminantAnalysis(), cut[["p", "q", "r"]], cut["label"], cut["weight"])
    assert_same(fitted, LinearDiscriminantAnalysis().fit(X, frame["label"], frame["weight"]))
    assert fitted.feature_names_in_.tolist() == ["p", "q", "r"]
    labels = cut[["p", "q", "r"]].map_partitions(fitted.predict, meta=fitted.classes_[:0])
    np.testing.assert_array_equal(labels.compute(), fitted.predict(X))
    with pytest.raises(ValueError, match="unseen at fit time:\n- weight"):
        cut[["p", "q", "r", "weight"]].map_partitions(fitted.predict, meta=fitted.classes_[:0]).compute()


def test_parts_may_be_sparse_and_the_fit_goes_on_learning():
    counts, y, _ = make_data(2)
    counts = np.round(np.abs(counts))
    parts = [csr_array(part) for part in (counts[:0], counts[:50], counts[50:])]
    fitted = fit(MultinomialNB(), parts, [y[:0], y[:50], y[50:]]).partial_fit(counts[:9], y[:9])
    whole = MultinomialNB().fit(np.r_[counts, counts[:9]], np.r_[y, y[:9]])
    np.testing.assert_allclose(fitted.feature_log_prob_, whole.feature_log_prob_, rtol=1e-12)


def test_the_fit_of_a_part_does_not_keep_the_part_in_memory():
    X, y, _ = make_data(5)
    _, row = _fit_part("part 0", GaussianNB(), X, y, None)
    assert not np.shares_memory(row, X)


def rows_of(i, n=400):
    """Make the rows of a part and their labels; most of 20 parts lack a class."""
    rng = np.random.default_rng(i)
    y = rng.integers(1 + i % 3, size=n)
    return rng.normal(size=(n, 3)) + y[:, None], y


def rows_in_trouble(i, trouble):
    """Make the rows of a part; the first worker to do so for part 11 dies."""
    if i == 11 and not trouble.exists():
        trouble.touch()
        die()
    return rows_of(i)[0]


def die():
    os.kill(os.getpid(), signal.SIGKILL)


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
def test_the_part_at_fault_is_named_by_a_cluster_too(cluster, monkeypatch):
    with pytest.raises(ValueError, match=r"(?s)X\[0, 0\] is nan.*This happened in part 1 of X and y"):
        fit(GaussianNB(), [partial(rows_in_trouble, 0, None), np.full((400, 3), np.nan)], LABELS_OF_PARTS[:2])
    monkeypatch.setattr(cluster.cluster.scheduler, "allowed_failures", 0)
    with pytest.raises(KilledWorker, match="part-0-of-X-and-y"):
        fit(GaussianNB(), [die], LABELS_OF_PARTS[:1])


def missing_file():
    raise FileNotFoundError("part-2.parquet")


def parts_with(number, X=None, y=None):
    """List four parts, with a given one in place of one of them."""
    parts = [rows_of(2 + 3 * i) for i in range(4)]
    parts[number] = tuple(new if new is not None else old for new, old in zip((X, y), parts[number], strict=True))
    return map(list, zip(*parts, strict=True))


NB, ONE_CLASS = GaussianNB(), ([np.ones((4, 2))] * 2, [[1] * 4] * 2)
NEGATIVE = [np.ones((400, 3)), -np.ones((400, 3))], [rows_of(2)[1]] * 2


@pytest.mark.parametrize(
    ("model", "data", "Error", "message"),
    [
        (NB, parts_with(2, X=missing_file), FileNotFoundError, "part-2.parquet.*happened in part 2 of X and y"),
        (NB, parts_with(1, y=np.zeros(7, int)), ValueError, r"\[400, 7\].*happened in part 1 of X and y"),
        (NB, parts_with(1, X=np.ones((0, 3))), ValueError, r"happened in part 1 of X and y"),
        (NB, parts_with(3, X=np.ones((400, 5))), ValueError, "3 and 5.*happened in merging parts 2 to 3 of X and y"),
        (NaiveBayes(Exponential()), NEGATIVE, ValueError, "x ≥ 0.*column 0 of class 0.*happened in part 1 of X and y"),
        (NB, ONE_CLASS, ValueError, "y holds one class only: 1"),
        (NB, ([np.ones((0, 2))] * 3, [[]] * 3), ValueError, "X holds no rows at all"),
        (NB, ([], []), ValueError, "the same number of parts, one or more, not 0 and 0"),
        (NB, ([np.ones((4, 2))] * 3, [[1] * 4] * 2), ValueError, "the same number of parts, one or more, not 3 and 2"),
        (NB, rows_of(2), TypeError, "X must be a dask array or frame, or a list of parts, not ndarray; for data in"),
        (GaussianNB(shrinkage="ledoit_wolf"), parts_with(0), ValueError, "fitted to parts.*needs all samples"),
        (GaussianNB(priors=[0.5, 0.5]), parts_with(0), ValueError, r"priors has shape \(2,\), but y holds 3 classes"),
        (naive_bayes.GaussianNB(), parts_with(0), ValueError, "to parts of the data: it has no method merge"),
        (GaussianClassifier(), ([np.ones((9, 2))] * 2, [[0] * 9, [1] * 9]), ValueError, "no column of X varies"),
    ],
)
def test_errors_name_the_part(model, data, Error, message):
    with pytest.raises(Error, match=f"(?s){message}"):
        fit(model, *data)


def test_without_dask_the_error_says_what_to_install_and_the_core_works():
    program = (
        "import sys, bayeslab; print({'dask', 'distributed'} & set(sys.modules)); "
        "sys.modules['dask'] = None; import bayeslab.distributed"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "set()\n"
    assert "ImportError: bayeslab.distributed needs dask: python -m pip install dask distributed pyarrow" in done.stderr
