"""Labels and priors of classes: coding, counting and checks."""

from __future__ import annotations

import numpy as np


def code_labels(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``np.unique(y, return_inverse=True)``, by counting instead of sorting if y holds small integers."""
    countable = y.dtype.kind in "iu" and np.can_cast(y.dtype, np.int64)
    least, most = (int(y.min()), int(y.max())) if countable else (0, 0)
    if not countable or most - least > len(y):
        return sorted_labels(y, return_inverse=True)
    offsets = y.astype(np.int64) - least  # in 64 bits: the difference of two small integers may need a larger one
    present = np.bincount(offsets) > 0
    index = offsets if present.all() else (np.cumsum(present) - 1)[offsets]
    return (np.flatnonzero(present) + least).astype(y.dtype), index


def sorted_labels(y: np.ndarray, **options):
    """``np.unique(y, ...)``, or a ValueError that names the kinds of labels that cannot be sorted together."""
    try:
        return np.unique(y, **options)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in y.tolist()})
        raise ValueError(f"labels must be of one kind that has an order, but y mixes {', '.join(kinds)}") from None


def as_classes(classes) -> np.ndarray:
    """Return a list of labels as an array, unless NumPy would turn some of them into another kind (1 into "1")."""
    classes = list(classes)
    kinds = sorted({"text" if isinstance(label, str) else "number" for label in classes if label is not None})
    if len(kinds) > 1:
        raise ValueError(f"labels must be of one kind that has an order, but classes mixes text and numbers: {classes}")
    return np.array(classes)


def estimate_priors(priors, classes: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, object]:
    """Return the priors, by default each class's share of the weight, and the user's setting.

    The latter is remembered, because the hyperparameter may have changed by the time that more data arrive.
    """
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not np.isfinite(total):
        raise ValueError("the sum of the weights overflows: divide all of them by the largest")
    # A stream may begin with rows of weight 0, in which no class has a share.
    found = weights / (total or 1.0) if priors is None else check_priors(priors, classes)
    return found, priors if priors is None or isinstance(priors, str) else found


def check_priors(priors, classes: np.ndarray) -> np.ndarray:
    """Return the priors as an array: 1/K for "equal", else one number per class, which must sum to 1."""
    if priors is None or isinstance(priors, str):
        if priors != "equal":
            raise ValueError(f'priors must be "equal" or one number per class, not {priors!r}')
        return np.full(len(classes), 1 / len(classes))
    priors = np.array(priors, dtype=float)  # a copy, which later changes of the caller's array do not reach
    if priors.shape != classes.shape:
        raise ValueError(
            f"priors has shape {priors.shape}, but y holds {len(classes)} classes: {classes.tolist()}. "
            f"Is a class empty in this training part?"
        )
    check_shares(priors, "priors")
    return priors


def check_shares(shares: np.ndarray, name: str) -> None:
    """Raise a ValueError unless these are non-negative numbers that sum to 1."""
    if not (shares >= 0).all():
        raise ValueError(f"{name} must be non-negative and sum to 1, but one of {shares.tolist()} is {shares.min():g}")
    if not np.isclose(shares.sum(), 1):
        raise ValueError(f"{name} must be non-negative and sum to 1, but {shares.tolist()} sums to {shares.sum():g}")
