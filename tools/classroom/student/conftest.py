"""No window for figures, one thread, and no figure left to the next test."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import matplotlib.pyplot as plt
import pytest

plt.switch_backend("agg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")
