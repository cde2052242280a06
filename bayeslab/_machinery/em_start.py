"""Where the EM algorithm may start from, and the covariance of all samples that its components are judged beside."""

from __future__ import annotations

import numpy as np

from bayeslab._machinery.arrays import must_be_finite
from bayeslab.classifier import check_shares
from bayeslab.covariance_kinds import RESTRICT
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments


def given_start(init, n_components: int, spread: np.ndarray, n_features: int, shared: bool):
    """Weights, means and covariances as a user gave them: all, or means only, with equal weights and this spread."""
    if isinstance(init, tuple):
        if len(init) != 3:
            raise ValueError(f"a tuple as init must be (weights, means, covariances), but it has {len(init)} parts")
        start = tuple(np.array(part, dtype=float) for part in init)
    else:
        start = equal_components(np.array(init, dtype=float), spread)
    weights, means, covariances = start
    K, d = n_components, n_features
    parts = {"means": (means, (K, d)), "weights": (weights, (K,)), "covariances": (covariances, (K, *spread.shape))}
    for name, (array, shape) in parts.items():
        if array.shape != shape:
            raise ValueError(f"the {name} in init must have shape {shape}, not {array.shape}")
        must_be_finite(array, f"{name} in init")
    check_shares(weights, "the weights in init")
    if shared and (covariances != covariances[0]).any():
        raise ValueError("with shared=True, all covariances in init must be the same")
    return start


def equal_components(means: np.ndarray, spread: np.ndarray):
    """Components with these means, equal weights, and the covariance of all samples."""
    K = len(means)
    return np.full(K, 1 / K), means, np.array([spread] * K)


def different_rows(X, sample_weight, n_rows, rng) -> np.ndarray:
    """Draw rows of X that are not equal, each as probable as its weight."""
    chosen = []
    for i in rng.choice(len(X), len(X), replace=False, p=sample_weight / sample_weight.sum()):
        if not any((X[i] == row).all() for row in chosen):
            chosen.append(X[i])
        if len(chosen) == n_rows:
            return np.array(chosen)
    raise ValueError(f"n_components is {n_rows}, but X has only {len(chosen)} different rows (n_samples = {len(X)})")


def covariance_of_all(X, sample_weight, covariance) -> np.ndarray:
    """Covariance of all samples, of the components' kind: whether these have collapsed is judged beside it."""
    moments = Moments.of(X, sample_weight, diagonal=covariance != "full")
    spread = RESTRICT[covariance](moments.covariance(ddof=0))
    try:
        Gaussian(moments.mean, spread)
    except SingularCovarianceError as error:
        raise ValueError(
            f"columns {', '.join(map(str, error.columns))}, or a combination of them, do not vary in these {len(X)} "
            f"samples: drop one of these columns, project with PCA before fitting, take more samples than columns, or "
            f"a covariance with fewer parameters: covariance='diagonal'"
        ) from None
    return spread
