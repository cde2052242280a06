"""Data in files, 5 GB by default, on two workers of 1 GB, and in a plain loop (`make bench-distributed`).

Beside them, in the same run, scikit-learn's GaussianNB in a loop. The files are written into a temporary folder first,
and are probably still in the system's cache when they are read. Each row of the table is a fresh process, or two; its
seconds are the better of two runs, its memory the peak of a process (of a worker: the larger one's), Python's own 200
MB or so included. All ways must lead to the same means.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
from distributed import Client, LocalCluster
from sklearn import naive_bayes

import bayeslab
from bayeslab import distributed

ROWS, D, CLASSES = 1_250_000, 10, [0, 1, 2]  # of a part, which is then 100 MB
MEMORY = "1GB"


def write(folder: Path, number: int) -> None:
    """Write a part: three classes with correlated features."""
    rng = np.random.default_rng(number)
    y = rng.integers(3, size=ROWS)
    X = rng.standard_normal((ROWS, D))
    X[:, 1:] += 0.5 * X[:, :-1]
    np.save(folder / f"X{number}.npy", X + y[:, None])
    np.save(folder / f"y{number}.npy", y)


def loaders(folder: Path, name: str, n: int) -> list:
    """Return functions that load the parts of X or y."""
    return [partial(np.load, folder / f"{name}{number}.npy") for number in range(n)]


def peak_memory() -> float:
    """Peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def in_a_loop(model, folder: Path, n: int) -> tuple[float, float, np.ndarray]:
    """Learn a part after the other; return the seconds, the peak memory, and the means."""
    start = time.perf_counter()
    for load_X, load_y in zip(loaders(folder, "X", n), loaders(folder, "y", n), strict=True):
        model.partial_fit(load_X(), load_y(), classes=CLASSES)
    means = model.means_ if hasattr(model, "means_") else model.theta_
    return time.perf_counter() - start, peak_memory(), means


def in_a_fresh_process(call, *args):
    """Return the result of a call in a process of its own, whose peak memory is then that of the call."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(call, *args).result()


def on_workers(model, folder: Path, n: int) -> tuple[float, float, np.ndarray]:
    """Do the same on two workers."""
    with two_workers() as cluster, Client(cluster) as client:
        start = time.perf_counter()
        fitted = distributed.fit(model, loaders(folder, "X", n), loaders(folder, "y", n))
        seconds = time.perf_counter() - start
        return seconds, max(client.run(peak_memory).values()), fitted.means_


def two_workers() -> LocalCluster:
    """Return two workers of one thread, each of which is stopped if it needs more than it may."""
    return LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit=MEMORY, dashboard_address=":0", silence_logs=logging.CRITICAL
    )


def row(what: str, call, n: int):
    """Print a row of the table, the better of two runs; return what came out."""
    seconds, memory, result = min((call() for _ in range(2)), key=lambda each: each[0])
    gigabytes = n * ROWS * D * 8 / 1e9
    print(
        f"{what:32s} {gigabytes:5.2f} GB {seconds:7.1f} s {gigabytes / seconds:6.2f} GB/s {memory:6.0f} MB", flush=True
    )
    return result


def main() -> None:
    """Write the data, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gigabytes", type=float, default=5.0)
    n = round(parser.parse_args().gigabytes * 1e9 / (ROWS * D * 8))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Elsewhere, for a process on Linux begins with the peak memory of the one that has started it.
        with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
            list(pool.map(partial(write, folder), range(n)))
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; parts of 100 MB; workers of {MEMORY}")
        means = [
            row(what, partial(in_a_fresh_process, in_a_loop, model, folder, n), n)
            for what, model in {
                "loop, scikit-learn's GaussianNB": naive_bayes.GaussianNB(),
                "loop, GaussianNB": bayeslab.GaussianNB(),
                "loop, QDA": bayeslab.QuadraticDiscriminantAnalysis(),
            }.items()
        ]
        means.append(row("2 workers, GaussianNB", partial(on_workers, bayeslab.GaussianNB(), folder, n), n))
        qda = bayeslab.QuadraticDiscriminantAnalysis()
        for size in sorted({max(n // k, 1) for k in (8, 4, 2, 1)}):
            means.append(row("2 workers, QDA", partial(on_workers, qda, folder, size), size))
        np.testing.assert_allclose([*means[:4], means[-1]], np.array([means[0]] * 5), rtol=1e-9)
        print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
