"""Labels and priors of classes: coded, counted, checked."""

from __future__ import annotations

import numpy as np


def code_labels(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ``np.unique(y, return_inverse=True)``, by counting instead of sorting where y holds small integers."""
    countable = y.dtype.kind in "iu" and np.can_cast(y.dtype, np.int64)
    least, most = (int(y.min()), int(y.max())) if countable else (0, 0)
    if not countable or most - least > len(y):
        try:
            return np.unique(y, return_inverse=True)
        except TypeError:
            kinds = sorted({type(label).__name__ for label in y.tolist()})
            raise ValueError(f"labels must be of one kind that has an order, but y mixes {', '.join(kinds)}") from None
    offsets = y.astype(np.int64) - least  # in 64 bits: the difference of two small integers may need a larger one
    present = np.bincount(offsets) > 0
    index = offsets if present.all() else (np.cumsum(present) - 1)[offsets]
    return (np.flatnonzero(present) + least).astype(y.dtype), index


def estimate_priors(priors, classes: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, object]:
    """Return the priors as `check_priors` does, or the share of each class in the weights where they are None.

    And what was asked for, which is to be remembered: the hyperparameter may have changed when data are added.
    """
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not np.isfinite(total):
        raise ValueError("the sum of the weights overflows: divide all of them by the largest")
    # A stream may begin with rows that weigh nothing, in which no class has a share.
    found = weights / (total or 1.0) if priors is None else check_priors(priors, classes)
    return found, priors if priors is None or isinstance(priors, str) else found


def check_priors(priors, classes: np.ndarray) -> np.ndarray:
    """Return the priors as an array: 1/K for "equal", else one number per class, which must sum to 1."""
    if priors is None or isinstance(priors, str):
        if priors != "equal":
            raise ValueError(f'priors must be "equal" or one number per class, not {priors!r}')
        return np.full(len(classes), 1 / len(classes))
    priors = np.array(priors, dtype=float)  # a copy: what happens to the caller's array later is not our business
    if priors.shape != classes.shape:
        raise ValueError(
            f"priors has shape {priors.shape}, but y holds {len(classes)} classes: {classes.tolist()}. "
            f"Is a class empty in this training part?"
        )
    check_shares(priors, "priors")
    return priors


def check_shares(shares: np.ndarray, name: str) -> None:
    """Raise a ValueError unless these are non-negative numbers with the sum 1."""
    if not (shares >= 0).all():
        raise ValueError(f"{name} must be non-negative and sum to 1, but one of {shares.tolist()} is {shares.min():g}")
    if not np.isclose(shares.sum(), 1):
        raise ValueError(f"{name} must be non-negative and sum to 1, but {shares.tolist()} sums to {shares.sum():g}")
