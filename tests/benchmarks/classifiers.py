"""Speed and memory of the Gaussian classifiers beside scikit-learn's, in one run on the same data (`make bench`).

Calls alternate between the libraries; times are minima, which other work on the machine disturbs least; ratios are
scikit-learn's time divided by ours, so that above 1 is faster. scikit-learn divides by n, so our ddof is 0, and both
must decide alike.
"""

from __future__ import annotations

import time
import tracemalloc
from statistics import geometric_mean

import numpy as np
from sklearn import discriminant_analysis, naive_bayes

import bayeslab

SHAPES = [
    (150, 4, 3),
    (2_000, 2, 3),
    (100_000, 20, 2),
    (200_000, 20, 10),
    (50_000, 100, 10),
    (20_000, 256, 10),
    (1_000_000, 4, 3),
]
# scikit-learn's LDA has two exact solvers; each case is compared with the faster one.
PAIRS = {
    "QDA": (
        bayeslab.QuadraticDiscriminantAnalysis(ddof=0),
        [
            discriminant_analysis.QuadraticDiscriminantAnalysis(solver="svd"),
            discriminant_analysis.QuadraticDiscriminantAnalysis(solver="eigen"),
        ],
    ),
    "LDA": (
        bayeslab.LinearDiscriminantAnalysis(ddof=0),
        [
            discriminant_analysis.LinearDiscriminantAnalysis(solver="svd"),
            discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr"),
        ],
    ),
    "GaussianNB": (bayeslab.GaussianNB(ddof=0), [naive_bayes.GaussianNB(var_smoothing=0)]),
}


def make_data(n: int, d: int, K: int) -> tuple[np.ndarray, np.ndarray]:
    """Return K overlapping classes with correlated features."""
    rng = np.random.default_rng(0)
    y = rng.integers(K, size=n)
    mix = np.eye(d) + rng.normal(size=(d, d)) / (2 * np.sqrt(d))
    return rng.normal(size=(n, d)) @ mix + rng.normal(size=(K, d))[y], y


def milliseconds(call) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - start)


def compare(calls: list, seconds: float = 2.0) -> list[float]:
    """Least milliseconds of each call, called in turn, at least 5 times and for about so many seconds."""
    runs, end = [], time.perf_counter() + seconds
    while len(runs) < 5 or time.perf_counter() < end:
        runs.append([milliseconds(call) for call in calls])
    return [min(column) for column in zip(*runs, strict=True)]


def measure(shape: tuple[int, int, int], name: str) -> tuple[float, float]:
    """Print a line for one shape and classifier; return the ratios of fit and predict."""
    X, y = make_data(*shape)
    ours, peers = PAIRS[name]
    ours.fit(X, y)
    for peer in peers:
        peer.fit(X, y)
        agree = (ours.predict(X) == peer.predict(X)).mean()
        if agree < 1 - 1e-4:
            raise RuntimeError(f"{name} {shape}: only {agree:.5f} of the labels agree with {peer}")
    fit = compare([lambda each=each: each.fit(X, y) for each in (ours, *peers)])
    predict = compare([lambda each=each: each.predict(X) for each in (ours, *peers)])
    ratios = min(fit[1:]) / fit[0], min(predict[1:]) / predict[0]
    size = "{:>9,} x {:3} x {:2}".format(*shape)
    print(
        f"{name:10s} {size}  fit {fit[0]:8.2f} ms  ratio {ratios[0]:5.2f}   "
        f"predict {predict[0]:8.2f} ms  ratio {ratios[1]:5.2f}",
        flush=True,
    )
    return ratios


def peak_beyond_data(name: str, n: int = 1_000_000, d: int = 20) -> None:
    """Print how far the peak memory of fit and predict lies above that of the data, as NumPy's allocations tell."""
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=n)
    X = rng.normal(size=(n, d)) + y[:, None]
    classifier, peaks = PAIRS[name][0], []
    for call in (lambda: classifier.fit(X, y), lambda: classifier.predict(X)):
        tracemalloc.start()
        call()
        peaks.append(tracemalloc.get_traced_memory()[1] / 2**20)
        tracemalloc.stop()
    print(f"{name:10s} {n:,} x {d}: fit {peaks[0]:5.1f} MB, predict {peaks[1]:5.1f} MB beyond the data")


def main() -> None:
    """Print the table, the geometric means and the memory."""
    ratios = np.array([[measure(shape, name) for shape in SHAPES] for name in PAIRS])
    for k, what in enumerate(("fit", "predict")):
        print(f"{what}: geometric mean {geometric_mean(ratios[..., k].ravel()):.2f}, least {ratios[..., k].min():.2f}")
    for name in PAIRS:
        peak_beyond_data(name)


if __name__ == "__main__":
    main()
