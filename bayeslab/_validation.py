"""Checks of arrays that several modules share: each either returns the array as it is needed or says what is wrong."""

from __future__ import annotations

import numpy as np


def must_be_finite(array: np.ndarray, name: str) -> None:
    """Raise a ValueError that names the first entry which is NaN or infinite."""
    finite = np.isfinite(array)
    if not finite.all():
        where = tuple(int(i) for i in np.argwhere(~finite)[0])
        place = f"{name}[{', '.join(map(str, where))}]" if where else name
        raise ValueError(f"{place} is {array[where]}; {name} must hold finite numbers only (no NaN, no infinity)")


def as_samples(X) -> np.ndarray:
    """Return X as a finite float array of shape (n, d); a flat array becomes n samples of one feature."""
    X = np.asarray(X, dtype=float)
    if X.ndim == 1:
        X = X[:, None]
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"samples must have shape (n, d) with n and d at least 1, but X has shape {X.shape}")
    must_be_finite(X, "X")
    return X


def as_weights(weights, n: int) -> np.ndarray:
    """Return n non-negative weights, not all zero; ones where none are given."""
    if weights is None:
        return np.ones(n)
    weights = np.asarray(weights, dtype=float)
    if weights.shape != (n,):
        raise ValueError(f"weights must have shape ({n},), one per sample, but have shape {weights.shape}")
    must_be_finite(weights, "weights")
    if weights.min() < 0:
        worst = int(weights.argmin())
        raise ValueError(f"weights[{worst}] is {weights[worst]:g}; a weight cannot be negative")
    if not weights.any():
        raise ValueError("all weights are zero: no sample is left")
    return weights
