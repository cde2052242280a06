"""Speed and memory of the EM algorithm beside scikit-learn's, in one run from the same start (`make bench`).

Fits of the two libraries alternate; times are medians of the milliseconds of one iteration; the ratio is scikit-learn's
time divided by ours, so that above 1 is faster. Both make the same number of iterations and must end at the same
log-likelihood.
"""

from __future__ import annotations

import tracemalloc
import warnings

import numpy as np
from classifiers import compare, make_data
from sklearn import mixture
from sklearn.exceptions import ConvergenceWarning

import bayeslab

SHAPES = [(100_000, 2, 3), (100_000, 10, 5), (50_000, 50, 5)]
N_ITER = 20


def pair(X: np.ndarray, K: int) -> tuple[bayeslab.GaussianMixture, mixture.GaussianMixture]:
    """Return both mixtures with the same start and the same number of iterations."""
    weights, means = np.full(K, 1 / K), X[np.random.default_rng(1).choice(len(X), K, replace=False)]
    covariances = np.array([np.cov(X.T)] * K)
    ours = bayeslab.GaussianMixture(K, tol=0, max_iter=N_ITER, init=(weights, means, covariances))
    start = {"weights_init": weights, "means_init": means, "precisions_init": np.linalg.inv(covariances)}
    # Whatever is given, scikit-learn also makes a start of its own, and this is its quickest.
    theirs = mixture.GaussianMixture(
        K, tol=0, reg_covar=0, max_iter=N_ITER, init_params="random_from_data", random_state=0, **start
    )
    return ours, theirs


def fit_without_convergence(model, X: np.ndarray) -> None:
    """Fit a mixture of scikit-learn, which warns that so few iterations have not converged: they shall not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X)


def measure(n: int, d: int, K: int) -> float:
    """Print a line for one shape; return the ratio."""
    X, _ = make_data(n, d, K)
    ours, theirs = pair(X, K)
    times = compare([lambda: ours.fit(X), lambda: fit_without_convergence(theirs, X)], seconds=10)
    if abs(ours.score(X) - theirs.score(X)) > 1e-9 * abs(ours.score(X)):
        raise RuntimeError(f"{(n, d, K)}: log-likelihood {ours.score(X)!r}, but scikit-learn has {theirs.score(X)!r}")
    tracemalloc.start()
    ours.fit(X)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    ours_per, theirs_per = (time / N_ITER for time in times)
    print(
        f"EM         {n:>9,} x {d:3} x {K:2}  iteration {ours_per:7.2f} ms, scikit-learn {theirs_per:7.2f} ms  "
        f"ratio {theirs_per / ours_per:5.2f}   {peak:5.1f} MB beyond the data",
        flush=True,
    )
    return theirs_per / ours_per


def main() -> None:
    """Print the table and the least ratio."""
    print(f"EM: least ratio {min(measure(*shape) for shape in SHAPES):.2f}")


if __name__ == "__main__":
    main()
