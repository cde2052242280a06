"""Checks of arrays that several modules share: each either returns the array as it is needed or says what is wrong."""

from __future__ import annotations

import numpy as np

# Numbers in a block of rows: few enough to stay in the processor's cache through all that is done with them.
BLOCK = 65_536


def blocks(n: int, d: int):
    """Slices of n rows of d numbers, a block each."""
    step = max(BLOCK // d, 64)
    return [slice(start, start + step) for start in range(0, n, step)]


def must_be_finite(array: np.ndarray, name: str, allow_nan: bool = False) -> None:
    """Raise a ValueError that names the first entry which is infinite, or NaN where that is not allowed."""
    for rows in blocks(len(array), array[0].size) if array.ndim else [...]:
        wrong = np.isinf(array[rows]) if allow_nan else ~np.isfinite(array[rows])
        if wrong.any():
            where = [int(i) for i in np.argwhere(wrong)[0]]
            value = array[rows][tuple(where)]
            if where:
                where[0] += rows.start
                name_of_entry = f"{name}[{', '.join(map(str, where))}]"
            else:
                name_of_entry = name
            allowed = "no infinity" if allow_nan else "no NaN, no infinity"
            raise ValueError(f"{name_of_entry} is {value}; {name} must hold finite numbers only ({allowed})")


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
