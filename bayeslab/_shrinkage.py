"""The intensity of shrinkage towards a common diagonal that Ledoit and Wolf derive from the data."""

from __future__ import annotations

import numpy as np

from bayeslab._base.blocks import blocks
from bayeslab.moments import Moments


def ledoit_wolf(X: np.ndarray, index: np.ndarray, weights, moments: list, settings) -> np.ndarray:
    """Intensity for each class, shape (K,), from its own covariance, or one for all from the shared covariance.

    X has shape (n, d), `index` holds the class index of each row, and `moments` those of the classes.
    """
    varies = Moments.pooled(moments).variation > 0
    if varies.any() and not varies.all():  # a column without variance is 0 in the target too
        X, moments = X[:, varies], [each.of_columns(varies) for each in moments]
    scale = pooled_scale(moments, settings.ddof)
    fourth = fourth_moments(X, index, weights, moments, scale, settings.variances_only)
    if settings.shared:
        pooled = Moments.pooled(moments)
        return np.full(len(moments), ledoit_wolf_intensity(pooled.scatter, scale, fourth.sum(), pooled.weight))
    pairs = zip(moments, fourth, strict=True)
    return np.array([ledoit_wolf_intensity(each.scatter, scale, total, each.weight) for each, total in pairs])


def pooled_scale(moments: list, ddof: float) -> np.ndarray:
    """Pooled standard deviations, shape (d,); 1 for a column that varies within no class."""
    pooled = Moments.pooled(moments).covariance(ddof * len(moments))
    variances = pooled if pooled.ndim == 1 else pooled.diagonal()
    return np.sqrt(np.where(variances > 0, variances, 1))


def ledoit_wolf_intensity(scatter: np.ndarray, scale: np.ndarray, fourth: float, n: float) -> float:
    """Intensity λ in [0, 1] of the shrinkage (1 − λ) S + λ I of S, the covariance of the scaled samples z.

    λ = (1/n²) Σ ‖zᵢ zᵢᵀ − S‖² / ‖S − I‖², at most 1: the uncertainty of S relative to its distance from the target.
    No distribution is assumed beyond finite fourth moments and independent samples.

    Parameters
    ----------
    scatter : (d, d) array, or (d,) for a diagonal covariance
        Σ xᵢ xᵢᵀ of the samples about their mean, not scaled.
    scale : (d,) array
        The standard deviations in whose units the target is I.
    fourth : float
        Σ ‖zᵢ zᵢᵀ‖²; for a diagonal covariance, only of the diagonals.
    n : float
        Number of samples.

    References
    ----------
    Ledoit and Wolf (2004), A well-conditioned estimator for large-dimensional covariance matrices, Journal of
    Multivariate Analysis 88, lemma 3.4, with the target I instead of the best multiple of I.
    """
    if n <= 1:  # a single sample says nothing about S
        return 1.0
    if scatter.ndim == 1:
        S, target = scatter / scale**2 / n, np.ones(len(scale))
    else:
        S, target = scatter / scale / scale[:, None] / n, np.eye(len(scale))
    # Σ ‖z zᵀ − S‖² = Σ ‖z zᵀ‖² − n ‖S‖² needs no outer product per sample.
    uncertainty = max(fourth / n - np.square(S).sum(), 0) / n
    distance = np.square(S - target).sum()
    return 1.0 if uncertainty >= distance else float(uncertainty / distance)


def fourth_moments(X: np.ndarray, group: np.ndarray, weights, moments: list, scale: np.ndarray, diagonal: bool):
    """Σ w ‖z zᵀ‖² of each group of rows, where z is a row minus its group's mean, in units of `scale`.

    With `diagonal`, the norm is over the diagonal of z zᵀ only.
    """
    sums, means = np.zeros(len(moments)), np.array([each.mean for each in moments])
    remainders = np.array([np.broadcast_to(each.remainder, each.mean.shape) for each in moments])
    for rows in blocks(*X.shape):
        squares = np.square((X[rows] - means[group[rows]] - remainders[group[rows]]) / scale)
        if weights is not None:
            squares[weights[rows] == 0] = 0
        with np.errstate(over="ignore"):  # infinity: S is as uncertain as it can be
            power = np.square(squares).sum(axis=1) if diagonal else np.square(squares.sum(axis=1))
            power = power if weights is None else weights[rows] * power
        sums += np.bincount(group[rows], power, minlength=len(sums))
    return sums
