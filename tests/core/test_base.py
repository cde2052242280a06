"""Blocks of rows and their threads, and methods that change an estimator whole or not at all."""

import threading

import numpy as np
import pytest
from every_family import FAMILIES, draw
from family import Laplace as Density
from sklearn.base import clone
from threadpoolctl import threadpool_info, threadpool_limits

from bayeslab import (
    BernoulliNB,
    DensityClassifier,
    GaussianMixture,
    GaussianNB,
    LinearDiscriminantAnalysis,
    MultinomialNB,
    NaiveBayes,
    Normal,
    StudentT,
)
from bayeslab._base.arrays import BLOCK, blocks, one_thread


def threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_blocks_are_all_rows_in_order():
    for n, d in ((1, 1), (100_000, 3), (500, 2000)):
        rows = np.concatenate([np.arange(n)[part] for part in blocks(n, d)])
        np.testing.assert_array_equal(rows, np.arange(n))
        assert all(part.stop - part.start <= max(BLOCK // d, 64) for part in blocks(n, d))


@pytest.mark.parametrize("first_out", ["ours", "theirs"])
def test_the_threads_are_restored(first_out):
    """Whoever leaves first, and however deeply a call is nested. Small products are left alone."""
    with threadpool_limits(2, user_api="blas"):
        before, entered, leave = threads(), threading.Event(), threading.Event()
        with one_thread(10, 10):
            assert threads() == before

        def stay():
            with one_thread(10**6, 10):
                entered.set()
                leave.wait(10)

        other = threading.Thread(target=stay)
        with one_thread(10**6, 10):
            other.start()
            entered.wait(10)
            with one_thread(10**6, 10):
                assert set(threads()) == {1}
            if first_out == "theirs":
                leave.set()
                other.join()
                assert set(threads()) == {1}
        leave.set()
        other.join()
        assert threads() == before


X, Y = np.random.default_rng(0).poisson(5, size=(40, 3)).astype(float), np.arange(40) % 2
CLASSIFIERS = [
    GaussianNB(),
    LinearDiscriminantAnalysis(),
    DensityClassifier(Density()),
    NaiveBayes(Normal()),
    MultinomialNB(),
    BernoulliNB(),
]
CHANGES = [
    *((each, (X, Y), name) for each in CLASSIFIERS for name in ("fit", "partial_fit", "merge", "remove")),
    (GaussianMixture(1), (X,), "fit"),
    (StudentT(), (X,), "fit"),
    *((each, (draw(each),), name) for each in FAMILIES for name in ("fit", "estimate")),
    (StudentT(), (X[:, :1],), "estimate"),
]


@pytest.mark.parametrize(
    ("estimator", "data", "method"),
    [pytest.param(*each, id=f"{each[0]} {each[2]}") for each in CHANGES if hasattr(each[0], each[2])],
)
def test_a_change_that_is_interrupted_leaves_every_estimator_as_it_was(estimator, data, method, monkeypatch):
    two_columns = [data[0][..., :2] if len(data[0].shape) == 2 else data[0], *data[1:]]
    fitted, other = (clone(estimator).fit(*(part[start:] for part in two_columns)) for start in (0, 20))
    given = {"fit": data, "merge": (other,), "remove": [part[:9] for part in two_columns]}
    if method == "estimate":
        given = {method: (fitted.summarise(data[0][5:]),)}
    before = dict(vars(fitted))
    left = []

    def interrupted(self, name, value):
        object.__setattr__(self, name, value)
        if name != "__dict__" and left.pop() == "last":
            raise KeyboardInterrupt

    monkeypatch.setattr(type(fitted), "__setattr__", interrupted)
    for number in range(1, 99):  # after the first attribute that is set, the second, and so on
        left[:] = ["last", *[""] * (number - 1)]
        try:
            getattr(fitted, method)(*given.get(method, two_columns))
        except KeyboardInterrupt:
            assert vars(fitted) == before
        else:
            break
    assert 1 < number < 98
