"""Blocks of rows, and one thread inside of them however many callers there are."""

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from bayeslab._base.blocks import BLOCK, blocks, one_thread


def threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_blocks_are_all_rows_in_order():
    for n, d in ((1, 1), (100_000, 3), (500, 2000)):
        rows = np.concatenate([np.arange(n)[part] for part in blocks(n, d)])
        np.testing.assert_array_equal(rows, np.arange(n))
        assert all(part.stop - part.start <= max(BLOCK // d, 64) for part in blocks(n, d))


@pytest.mark.parametrize("first_out", ["ours", "theirs"])
def test_the_threads_are_restored(first_out):
    """Whoever leaves first, and however deeply a call is nested."""
    with threadpool_limits(2, user_api="blas"):
        before, entered, leave = threads(), threading.Event(), threading.Event()

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


def test_small_products_are_left_alone():
    with threadpool_limits(2, user_api="blas"):
        before = threads()
        with one_thread(10, 10):
            assert threads() == before
