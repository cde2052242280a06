"""Work in blocks of rows that stay in the processor's cache, so that memory is bounded by a block, not by the data."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache

from threadpoolctl import ThreadpoolController

BLOCK = 65_536  # numbers in a block


def blocks(n: int, d: int, at_least: int = 64) -> list[slice]:
    """Slices of n rows of d numbers, a block each."""
    step = max(BLOCK // d, at_least)
    return [slice(start, start + step) for start in range(0, n, step)]


def one_thread(n: int, d: int):
    """Context in which matrix products of blocks of n rows of d numbers use one thread.

    The product of a block takes less time than threads need to wait for each other, as measured on two cores.
    """
    return nullcontext() if n * d <= BLOCK or d > 512 else _controller().limit(limits=1, user_api="blas")


@cache
def _controller() -> ThreadpoolController:
    """Make the controller once: finding the libraries takes milliseconds."""
    return ThreadpoolController()
