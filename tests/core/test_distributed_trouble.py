"""A worker that dies changes nothing; an error names the part and leaves the model as it was."""

import logging
import os
import signal
import subprocess
import sys
from functools import partial

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client, KilledWorker, LocalCluster
from family import state
from scipy.sparse import csr_array
from sklearn import naive_bayes
from sklearn.base import clone

from bayeslab import (
    Exponential,
    GaussianClassifier,
    GaussianMixture,
    GaussianNB,
    MultinomialNB,
    NaiveBayes,
    SingularCovarianceError,
)
from bayeslab.distributed import fit, predict


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


LABELS = [partial(lambda i: rows_of(i)[1], i) for i in range(20)]


@pytest.fixture(scope="module")
def cluster():
    """Two small worker processes, with any free port for the dashboard."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL) as two,
        Client(two) as client,
    ):
        yield client


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
def test_a_worker_killed_in_mid_fit_does_not_change_a_bit(cluster, tmp_path):
    """The result is the same in this process, on two workers, and when one of them is replaced."""
    with dask.config.set(scheduler="synchronous"):
        here = fit(GaussianNB(), [rows_of(i)[0] for i in range(20)], LABELS)
    before = set(cluster.scheduler_info()["workers"])
    trouble = tmp_path / "died"
    there = fit(GaussianNB(), [partial(rows_in_trouble, i, trouble) for i in range(20)], LABELS)
    assert trouble.exists()
    cluster.wait_for_workers(2)
    assert set(cluster.scheduler_info()["workers"]) != before
    np.testing.assert_array_equal(there.means_, here.means_)
    np.testing.assert_array_equal(there.covariance_, here.covariance_)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
def test_a_part_that_kills_each_worker_is_named(cluster, monkeypatch):
    monkeypatch.setattr(cluster.cluster.scheduler, "allowed_failures", 0)
    with pytest.raises(KilledWorker, match="part-0-of-X-and-y"):
        fit(GaussianNB(), [die], LABELS[:1])


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def test_on_a_cluster_errors_name_the_part(cluster):
    loaders = [partial(lambda i: rows_of(i)[0], i) for i in range(20)]
    with pytest.raises(ValueError, match=r"part 2 of X and y: X\[7, 1\] is nan"):
        fit(GaussianNB(), [*loaders[:2], with_value(np.nan), *loaders[3:]], LABELS)


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


MODEL = GaussianNB()


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        (MODEL, parts_with(2, X=with_value(np.nan)), r"part 2 of X and y: X\[7, 1\] is nan"),
        (MODEL, parts_with(3, X=with_value(np.inf)), r"part 3 of X and y: X\[7, 1\] is inf"),
        (MODEL, parts_with(2, X=np.ones((400, 5))), "part 2 and part 3 of X and y do not go together: .* 5 and 3"),
        (MODEL, parts_with(1, y=np.zeros(7, int)), "part 1 of X and y: X has 400 rows, but y has 7"),
        (MODEL, parts_with(1, X=np.ones((0, 3))), "part 1 of X and y: X has 0 rows, but y has 400"),
        (
            MODEL,
            (*parts_with(1), [*[np.ones(400)] * 3, np.ones(7)]),
            "part 3 .*: X has 400 rows, but sample_weight has 7",
        ),
        (MODEL, ([pd.DataFrame({"p": [1.0], "q": [2.0]})], "label"), "part 0 .* no column 'label', only 'p', 'q'"),
        (MODEL, parts_with(0, y=["a"] * 400), "part 0 and part 1 of X and y do not go together: .*kind of labels"),
        (MODEL, ([np.ones((4, 2))] * 2, [[1] * 4] * 2), "GaussianNB needs .*, but all parts .* one class only: 1"),
        (MODEL, ([np.ones((0, 2))] * 3, [[]] * 3), "X holds no rows at all"),
        (MODEL, ([], []), "X is an empty list of parts"),
        (
            MODEL,
            ([np.ones((4, 2))] * 3, [[1] * 4] * 2),
            "X and y must have the same number of parts, but X has 3 and y has 2",
        ),
        (
            MODEL,
            ([np.ones((4, 2))], [[1] * 4], [[1] * 4] * 2),
            "sample_weight must .*, but X has 1 and sample_weight has 2",
        ),
        (MODEL, ([np.ones((4, 2))], None), "part 0 of X and y: .* requires y to be passed"),
        (MODEL, ([np.ones((4, 2))], "label"), "part 0 of X and y: X is not a DataFrame, so it has no column 'label'"),
        (MODEL, (*parts_with(1), [*[np.ones(400)] * 3, -np.ones(400)]), r"part 3 of X and y: weights\[0\] is -1"),
        (GaussianNB(shrinkage="ledoit_wolf"), parts_with(0), "cannot be fitted to parts.*needs all data at once"),
        (GaussianNB(priors=[0.5, 0.5]), parts_with(0), r"priors has shape \(2,\), but y holds 3 classes"),
        (naive_bayes.GaussianNB(), parts_with(0), "cannot be fitted to parts of the data: it has no method merge"),
        (GaussianClassifier(), ([np.ones((9, 2))] * 2, [[0] * 9, [1] * 9]), "no column of X varies"),
    ],
)
def test_errors_name_the_part(model, data, message):
    model = clone(model)
    with dask.config.set(scheduler="synchronous"), pytest.raises(ValueError, match=message):
        fit(model, *data)
    assert not hasattr(model, "classes_")


def test_a_fit_that_fails_leaves_the_model_as_it_was():
    X, y = rows_of(2)
    model = GaussianClassifier().fit(X, y)
    before = state(model)
    twice = np.column_stack([X, X[:, 0]])
    with pytest.raises(SingularCovarianceError):
        fit(model, [twice], [y])
    assert state(model) == before


def test_a_part_that_cannot_be_loaded_is_named():
    with pytest.raises(FileNotFoundError) as caught:
        fit(GaussianNB(), [rows_of(2)[0], missing_file], [rows_of(2)[1]] * 2)
    assert caught.value.__notes__ == ["This happened in part 1 of X and y."]


def test_data_in_memory_are_refused():
    X, y = rows_of(2)
    for call in (lambda: fit(GaussianNB(), X, y), lambda: predict(GaussianNB().fit(X, y), X)):
        with pytest.raises(TypeError, match="X must be a dask array or frame, or a list of parts, not ndarray"):
            call()
    with pytest.raises(TypeError, match="X must be a dask array or frame, or a list of parts, not NoneType"):
        fit(GaussianNB(), None, [y])


def test_a_prediction_names_the_part_too():
    X, y = rows_of(2)
    model = GaussianNB().fit(X, y)
    X[205, 1] = np.inf
    in_frame = dd.from_pandas(pd.DataFrame(X), npartitions=4)
    for cut in (da.from_array(X, chunks=(100, 3)), in_frame):
        with pytest.raises(ValueError, match=r"part 2 of X: X\[5, 1\] is inf"):
            predict(model, cut).compute()
    with pytest.raises(ValueError, match=r"part 2 of X: X\[5, 1\] is inf"):
        predict(model, np.split(X, 4))[2].compute()


def test_a_prediction_names_columns_that_the_model_does_not_know():
    X, y = rows_of(2)
    frame = pd.DataFrame(X, columns=["p", "q", "r"]).assign(label=y)
    model = GaussianNB().fit(frame[["p", "q", "r"]], y)
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- label"):
        predict(model, dd.from_pandas(frame, npartitions=4))
    with pytest.raises(ValueError, match=r"part 0 of X: (?s:.*)unseen at fit time:\n- label"):
        predict(model, [frame])[0].compute()
    unnamed = GaussianNB().fit(X, y)
    with pytest.raises(ValueError, match="X has 4 features, but GaussianNB is expecting 3"):
        predict(unnamed, da.from_array(frame.to_numpy(), chunks=(100, 4)))


@pytest.mark.parametrize("kind", ["array", "frame", "list"])
@pytest.mark.parametrize(("model", "method"), [(GaussianNB(), "explain"), (GaussianMixture(), "score")])
def test_a_method_that_does_not_return_a_row_for_each_row_is_refused(model, method, kind):
    X, y = rows_of(2)
    frame = pd.DataFrame(X, columns=["p", "q", "r"])
    model.fit(frame if kind == "frame" else X, y)
    parts = {"array": da.from_array(X), "frame": dd.from_pandas(frame, npartitions=2), "list": [X]}[kind]
    with pytest.raises(
        ValueError, match=f"^(part 0 of X: )?{method} .* a number or a row of numbers for each row of X"
    ):
        dask.compute(predict(model, parts, method))


def test_without_dask_the_error_says_what_to_install_and_the_core_works():
    program = "import sys; sys.modules['dask'] = None; import bayeslab; import bayeslab.distributed"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "ImportError: bayeslab.distributed needs dask: python -m pip install 'bayeslab[distributed]'" in done.stderr
    program = "import sys, bayeslab; sys.exit(bool({'dask', 'distributed'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_a_note_that_names_the_column_is_kept():
    waits = np.abs(rows_of(2)[0])
    with pytest.raises(ValueError, match=r"part 1 of X and y: x holds -0.* is x ≥ 0") as caught:
        fit(NaiveBayes(Exponential()), [waits, waits - [0, waits[:, 1].min() + 1, 0]], [rows_of(2)[1]] * 2)
    assert caught.value.__notes__[0].startswith("This happened in column 1 of class ")


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr"])
def test_parts_may_be_sparse_of_any_kind(kind):
    counts, y = np.round(np.abs(rows_of(2)[0])), rows_of(2)[1]
    with dask.config.set(scheduler="synchronous"):
        parts = [csr_array(part).asformat(kind) for part in (counts[:0], counts[:150], counts[150:])]
        fitted = fit(MultinomialNB(), parts, [y[:0], y[:150], y[150:]])
        whole = MultinomialNB().fit(counts, y)
        np.testing.assert_allclose(fitted.feature_log_prob_, whole.feature_log_prob_, rtol=1e-12)
        predicted = np.concatenate(dask.compute(*predict(fitted, parts)))
    np.testing.assert_array_equal(predicted, whole.predict(counts))


def test_a_loader_that_returns_nothing_and_weights_that_overflow_are_named():
    X, y = rows_of(2)
    with dask.config.set(scheduler="synchronous"):
        with pytest.raises(TypeError, match=r"a part must be an array or a frame, .* not array") as caught:
            fit(GaussianNB(), [X, lambda: None], [y, y])
        assert caught.value.__notes__ == ["This happened in part 1 of X and y."]
        with pytest.raises(
            ValueError, match=r"parts? 0.* and part.*the sum of the weights overflows: divide all of them"
        ):
            fit(GaussianNB(), [X * 1e-3] * 4, [y] * 4, [np.full(400, 2e305)] * 4)
