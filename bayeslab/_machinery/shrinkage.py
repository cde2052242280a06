"""Shrinkage of covariances towards a common diagonal, with the intensity that Ledoit and Wolf derive from the data."""

from __future__ import annotations

import numpy as np

from bayeslab._machinery.blocks import blocks


def ledoit_wolf_intensity(scatter: np.ndarray, scale: np.ndarray, fourth: float, n: float) -> float:
    """Intensity λ in [0, 1] of the shrinkage (1 − λ) S + λ I of S, the covariance of the scaled samples z.

    λ = (1/n²) Σ ‖zᵢ zᵢᵀ − S‖² / ‖S − I‖², at most 1: how uncertain S is, relative to its distance from the target.

    Parameters
    ----------
    scatter : (d, d) array, or (d,) for a diagonal covariance
        Σ xᵢ xᵢᵀ of the samples about their mean, not scaled.
    scale : (d,) array
        Units in which the target is I.
    fourth : float
        Σ ‖zᵢ zᵢᵀ‖²; for a diagonal covariance, of the diagonals only.
    n : float
        Number of samples.

    References
    ----------
    Ledoit and Wolf (2004), A well-conditioned estimator for large-dimensional covariance matrices, Journal of
    Multivariate Analysis 88, lemma 3.4, for the target I instead of its best multiple.
    """
    if n <= 1:  # a single sample says nothing about S
        return 1.0
    if scatter.ndim == 1:
        S, target = scatter / scale**2 / n, np.ones(len(scale))
    else:
        S, target = scatter / scale / scale[:, None] / n, np.eye(len(scale))
    # Σ ‖z zᵀ − S‖² = Σ ‖z zᵀ‖² − n ‖S‖², without forming an outer product for each sample.
    uncertainty = max(fourth / n - np.square(S).sum(), 0) / n
    distance = np.square(S - target).sum()
    return 1.0 if uncertainty >= distance else float(uncertainty / distance)


def fourth_moments(X: np.ndarray, group: np.ndarray, weights, means: np.ndarray, scale: np.ndarray, diagonal: bool):
    """Return Σ w ‖z zᵀ‖² of each group of rows, z being a row about its group's mean in units of `scale`.

    With `diagonal`, ‖·‖ is over the diagonal of z zᵀ only.
    """
    sums = np.zeros(len(means))
    for rows in blocks(*X.shape):
        squares = np.square((X[rows] - means[group[rows]]) / scale)
        power = np.square(squares).sum(axis=1) if diagonal else np.square(squares.sum(axis=1))
        sums += np.bincount(group[rows], power if weights is None else weights[rows] * power, minlength=len(sums))
    return sums
