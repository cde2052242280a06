"""Work in blocks of rows that stay in the processor's cache, so that memory is bounded by a block, not by the data."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from functools import cache
from threading import Lock

import numpy as np
from threadpoolctl import ThreadpoolController

BLOCK = 65_536  # numbers in a block
_LIMITING = Lock()


def blocks(n: int, d: int, at_least: int = 64) -> list[slice]:
    """Slices of n rows of d numbers, a block each."""
    step = max(BLOCK // d, at_least)
    return [slice(start, start + step) for start in range(0, n, step)]


def order_by_pattern(X: np.ndarray) -> np.ndarray:
    """Return an order of the rows in which those that miss the same columns stand together."""
    patterns = [np.packbits(np.isnan(X[rows]), axis=1) for rows in blocks(*X.shape)]
    return np.lexsort(np.concatenate(patterns).T)


@contextmanager
def one_thread(n: int, d: int):
    """Context in which matrix products of blocks of n rows of d numbers use one thread.

    The product of a block takes less time than threads need to wait for each other, as measured on two cores.
    """
    # The limit holds for the whole process. Only the first one in sets it, and restores it: what a second one, nested
    # or in another thread, finds is the limit of the first.
    if n * d <= BLOCK or d > 512 or not _LIMITING.acquire(blocking=False):
        yield
        return
    try:
        with _controller().limit(limits=1, user_api="blas"):
            yield
    finally:
        _LIMITING.release()


def every_thread(n: int, d: int):
    """Context in which matrix products use all threads, as they do by themselves."""
    return nullcontext()


@cache
def _controller() -> ThreadpoolController:
    """Make the controller once: finding the libraries takes milliseconds."""
    return ThreadpoolController()
