"""Blocks of rows that fit the processor's cache, so that a computation needs little memory beyond the data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock

from threadpoolctl import ThreadpoolController

BLOCK = 65_536  # numbers in a block
_LIMITING = Lock()


def blocks(n: int, d: int, at_least: int = 64, size: int = BLOCK) -> list[slice]:
    """Slices that cut n rows of d numbers into blocks of about `size` numbers."""
    step = max(size // d, at_least)
    return [slice(start, start + step) for start in range(0, n, step)]


@contextmanager
def one_thread(n: int, d: int) -> Iterator[None]:
    """Context in which matrix products of blocks of n rows of d numbers use one thread.

    Such a product takes less time than threads need to wait for one another. With two on a quiet laptop, QDA of 64 or
    more columns would be up to 1.6 times as fast; on a shared hub, where the other thread waits for a busy processor,
    up to 2.8 times as slow. A product of more than 512 columns is worth several threads: how many is left to the user.
    """
    # The limit holds for the whole process. Only the first caller sets and restores it: a second one, nested or in
    # another thread, would take the limit of the first for the value to restore.
    if n * d <= BLOCK or d > 512 or not _LIMITING.acquire(blocking=False):
        yield
        return
    try:
        with _controller().limit(limits=1, user_api="blas"):
            yield
    finally:
        _LIMITING.release()


@cache
def _controller() -> ThreadpoolController:
    """The controller, made once, because finding the libraries takes milliseconds."""
    return ThreadpoolController()
