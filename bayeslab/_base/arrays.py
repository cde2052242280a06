"""Checks and conversions of what users pass, the words for what is wrong with it, and blocks of rows."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from math import isfinite
from numbers import Integral, Real
from threading import Lock
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from threadpoolctl import ThreadpoolController

# What users may pass, and what they get. A DataFrame or a Series is an `ArrayLike` too.
Labels: TypeAlias = ArrayLike  # a flat list of integers, strings or anything else of one kind that has an order
Weights: TypeAlias = ArrayLike | None  # one number per row, or None
# One number per class, in the order of `classes_`, or by class (Series, dict); None: the shares in the training data.
Priors: TypeAlias = Literal["equal"] | ArrayLike | Mapping[Any, float] | None
Array: TypeAlias = NDArray[np.float64]
Labelled: TypeAlias = NDArray[Any]  # labels that we return have the type of those in y

LONG = 16  # longer lists are cut to their first three entries
BLOCK = 65_536  # numbers in a block of rows, which fits the processor's cache
_LIMITING = Lock()
_controller = cache(ThreadpoolController)  # made once, because finding the libraries takes milliseconds

_OURS = ("bayeslab", "sklearn", "functools", "abc")


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the nearest line outside this package and the libraries that call it back."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in _OURS:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


@contextmanager
def locate_errors(where: str | Callable[[], str]) -> Iterator[None]:
    """Context in which errors get a note that says where they happened; a function is asked only then."""
    try:
        yield
    except Exception as error:
        error.add_note(f"This happened in {where() if callable(where) else where}.")
        raise


def quoted(entry: object) -> str:
    """A name in quotes, a number as it is."""
    return repr(str(entry)) if isinstance(entry, str) else str(entry)


def listed(entries: Sequence, say: Callable = quoted) -> str:
    """Entries for a sentence, cut short if there are many: 0, 1, 2, … (600 in all)."""
    if len(entries) <= LONG:
        return ", ".join(map(say, entries))
    return f"{', '.join(map(say, entries[:3]))}, … ({len(entries)} in all)"


def not_varying(columns: Sequence) -> str:
    """Sentence that these columns, or a combination of them, do not vary."""
    if len(columns) == 1:
        return f"column {listed(columns)} does not vary"
    return f"columns {listed(columns)}, or a combination of them, do not vary"


def code_labels(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``np.unique(y, return_inverse=True)``, by counting instead of sorting if y holds small integers.

    A ValueError names the kinds of labels that cannot be sorted together.
    """
    countable = len(y) and y.dtype.kind in "iu" and np.can_cast(y.dtype, np.int64)
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


def check_labels_are_there(y: np.ndarray) -> None:
    """Raise a ValueError that names the first missing label of a flat array."""
    missing = np.flatnonzero(pd.isna(y)) if y.ndim == 1 else []
    if len(missing):
        raise ValueError(f"y[{missing[0]}] is {y[missing[0]]}: a label is missing; leave such rows out")


def as_classes(classes: Any) -> np.ndarray:
    """Return a list of labels as an array, unless NumPy would turn some of them into another kind (1 into "1")."""
    classes = list(classes)
    if any(np.ndim(label) for label in classes) or (classes and set(map(type, classes)) == {type(None)}):
        raise ValueError(f"classes must be a flat list of labels, not {classes!r}")
    kinds = sorted({"text" if isinstance(label, str) else "number" for label in classes if label is not None})
    if len(kinds) > 1:
        raise ValueError(f"labels must be of one kind that has an order, but classes mixes text and numbers: {classes}")
    return np.array(classes)


def estimate_priors(priors: Priors, classes: np.ndarray, weights: Array) -> tuple[Array, Any]:
    """Return the priors, by default each class's share of the weight, and the user's setting.

    The latter is remembered, because the hyperparameter may have changed by the time that more data arrive.
    """
    # A stream may begin with rows of weight 0, in which no class has a share.
    found = weights / (weights.sum() or 1.0) if priors is None else check_priors(priors, classes)
    return found, priors if priors is None or isinstance(priors, str) else found


def by_class(values: Any, classes: np.ndarray, name: str) -> Any:
    """Return the values of a Series or a dict in the order of the classes that label them; others as they are."""
    if not (isinstance(values, Mapping) or (hasattr(values, "index") and hasattr(values, "to_dict"))):
        return values
    labels = list(values) if isinstance(values, Mapping) else values.index.tolist()
    asked = classes.tolist()
    for label in labels:
        if label not in asked or labels.count(label) > 1:
            wrong = "is no class" if label not in asked else "stands twice"
            raise ValueError(f"{name} has a label for each number, but {label!r} {wrong}; the classes are {asked}")
    missing = [label for label in asked if label not in labels]
    if missing:
        raise ValueError(f"{name} has no number for the class {missing[0]!r}; the classes are {asked}")
    return [values[label] if isinstance(values, Mapping) else values.iloc[labels.index(label)] for label in asked]


def check_priors(priors: Priors, classes: np.ndarray) -> Array:
    """Return the priors as an array: 1/K for "equal", else one number per class, which must sum to 1."""
    priors = by_class(priors, classes, "priors")
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


def check_shares(shares: Array, name: str) -> None:
    """Raise a ValueError unless these are non-negative numbers that sum to 1."""
    if not (shares >= 0).all():
        raise ValueError(f"{name} must be non-negative and sum to 1, but one of {shares.tolist()} is {shares.min():g}")
    if not np.isclose(shares.sum(), 1):
        raise ValueError(f"{name} must be non-negative and sum to 1, but {shares.tolist()} sums to {shares.sum():g}")


def is_surely_finite(array: Any) -> bool:
    """A quick test that all entries are finite, by their sum; False may also mean that the sum overflows."""
    stored = array.data if issparse(array) else array  # the sum of a sparse matrix may change it in place
    if stored.dtype == np.float64 and stored.flags.forc:
        return isfinite(np.einsum("i->", stored.ravel(order="K")))  # half the time of `sum`, which saves digits
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(stored.sum()))


def check_finite(array: Any, name: str, allow_nan: bool = False, first_row: int = 0) -> None:
    """Raise a ValueError that names the first entry that is infinite, or NaN if that is not allowed."""
    if is_surely_finite(array):
        return
    stored = array.data if issparse(array) else array
    wrong = np.isinf(stored) if allow_nan else ~np.isfinite(stored)
    if not wrong.any():
        return
    where = np.unravel_index(wrong.argmax(), wrong.shape)
    value = stored[where]
    if issparse(array):
        where = [index[where] for index in array.tocoo().coords]
    entry = f"{name}[{', '.join(str(i + first_row * (not axis)) for axis, i in enumerate(where))}]" if where else name
    allowed = "no infinity" if allow_nan else "no NaN, no infinity"
    remedy = "; leave such rows out, or fill them in" if np.isnan(value) else ""
    raise ValueError(f"{entry} is {value}; {name} must hold finite numbers only ({allowed}){remedy}")


def as_floats(X: ArrayLike) -> Array:
    """Return X as a float array, in which what was masked is missing (NaN)."""
    return np.asarray(unmasked(X), dtype=float)


def unmasked(X: Any) -> Any:
    """Return a masked array with NaN where it is masked, and anything else as it is."""
    return np.ma.filled(X.astype(float), np.nan) if isinstance(X, np.ma.MaskedArray) else X


def as_samples(X: ArrayLike) -> Array:
    """Return X as a finite float array of shape (n, d); a flat array becomes n samples of one feature."""
    X = as_floats(X)
    if X.ndim == 1:
        X = X[:, None]
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"samples must have shape (n, d) with n and d at least 1, but X has shape {X.shape}")
    check_finite(X, "X")
    return X


def as_points(X: ArrayLike, n_features: int, owner: str) -> Array:
    """Return X as a float array of shape (..., d); for d = 1, X may be a number or a flat array."""
    X = as_floats(X)
    if n_features == 1 and X.ndim <= 1:
        X = X[..., None]
    if X.ndim == 0 or X.shape[-1] != n_features:
        raise ValueError(f"{owner} has {n_features} features, but X has shape {X.shape}")
    return X


def as_log_densities(values: ArrayLike, x: np.ndarray, where: Callable[[], str]) -> Array:
    """Validate the log densities that a user's density returned for the rows of x, shape (n,)."""
    values = np.asarray(values, dtype=float)
    if values.shape != x.shape[:1]:
        raise ValueError(
            f"{where()} must return ln p(x) of each row, shape {x.shape[:1]}, not {values.shape}; did it sum over "
            f"the rows, or forget to sum over the columns?"
        )
    for i in np.flatnonzero(~(values < np.inf))[:1]:
        raise ValueError(f"{where()} must return a number or -inf, not {values[i]}, at {x[i].tolist()}")
    return values


def as_weights(weights: Weights, n: int, may_vanish: bool = False) -> Array:
    """Return n non-negative weights, ones if none are given; they may all be zero only if `may_vanish`."""
    if weights is None:
        return np.ones(n)
    weights = np.asarray(weights, dtype=float)
    if weights.shape != (n,):
        raise ValueError(f"weights must have shape ({n},), one per sample, but have shape {weights.shape}")
    check_finite(weights, "weights")
    if weights.min() < 0:
        worst = int(weights.argmin())
        raise ValueError(f"weights[{worst}] is {weights[worst]:g}; a weight cannot be negative")
    if not (weights.any() or may_vanish):
        raise ValueError("all weights are zero: no sample is left")
    check_total(weights)
    return weights


def check_total(weights: Array) -> None:
    """Raise a ValueError if the sum of these weights overflows."""
    with np.errstate(over="ignore"):
        if weights.sum() == np.inf:
            raise ValueError("the sum of the weights overflows: divide all of them by the largest")


def check_no_class_is_empty(classes: np.ndarray, weights: Iterable[float]) -> None:
    """Raise a ValueError that names the first class of weight 0."""
    for label, weight in zip(classes.tolist(), weights, strict=True):
        if not weight:
            raise ValueError(f"class {label!r} is empty: no sample of it has a weight above 0")


def hint_if_class(value: object) -> str:
    """Return the end of a message about an object that may be a class instead."""
    return "; is it a class, without the () that make an object?" if isinstance(value, type) else ""


def as_generator(rng: object) -> np.random.Generator:
    """Return `rng` if it is a random generator; a seed or None would hide where the randomness comes from."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a random generator, such as np.random.default_rng(0), not {rng!r}")
    return rng


def is_number(value: Any, kind: Any = Real) -> bool:
    """Is this a finite number of this kind (`Real` or `Integral`)? True and False do not count as numbers."""
    if not isinstance(value, kind) or isinstance(value, bool):
        return False
    try:
        return isfinite(value)
    except OverflowError:  # a whole number beyond the range of floats
        return False


def check_number(value: Any, name: str, least: float, whole: bool = False) -> None:
    """Raise a ValueError unless this is a finite number, `least` or more."""
    if not (is_number(value, Integral if whole else Real) and value >= least):
        raise ValueError(f"{name} must be a {'whole ' * whole}number, {least} or more, not {value!r}")


def check_one_of(value: object, name: str, options: tuple[str, ...]) -> None:
    """Raise a ValueError unless this is one of these words."""
    if not (isinstance(value, str) and value in options):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}, not {value!r}")


def rows_of(X: Any) -> Any:
    """Return what gives rows of X by their numbers; a frame and a sparse matrix stay what they are."""
    if issparse(X):
        return X.tocsr()
    return X.iloc if hasattr(X, "iloc") else np.asarray(X)


def rows_without_copy(X: Any, rows: slice) -> Any:
    """``X[rows]`` of a sparse matrix in CSR form, as a view."""
    ends = X.indptr[rows.start : rows.stop + 1]
    stored = slice(ends[0], ends[-1])
    return type(X)((X.data[stored], X.indices[stored], ends - ends[0]), shape=(len(ends) - 1, X.shape[1]))


def check_same_length(X: Any, y: Any) -> None:
    """Raise a ValueError unless X has as many rows as y has labels."""
    shape = np.shape(X)  # of a sparse matrix, too
    if not shape or shape[0] != len(y):
        raise ValueError(f"X has {shape[0] if shape else 'no'} rows, but y has {len(y)} labels")


def blocks(n: int, d: int, at_least: int = 64, size: int = BLOCK) -> list[slice]:
    """Slices that cut n rows of d numbers into blocks of about `size` numbers."""
    step = max(size // d, at_least)
    return [slice(start, start + step) for start in range(0, n, step)]


@contextmanager
def one_thread(n: int, d: int) -> Iterator[None]:
    """Context in which matrix products of blocks of n rows of d numbers use one thread.

    Such a product takes less time than threads need to wait for one another. With two on a quiet laptop, QDA of 64 or
    more columns would be up to 1.6 times as fast; on a shared hub, where the other thread waits for a busy processor,
    up to 2.8 times as slow. A product of more than 512 columns is worth several threads: how many is left to the user.
    """
    # The limit holds for the whole process. Only the first caller sets and restores it: a second one, nested or in
    # another thread, would take the limit of the first for the value to restore.
    if n * d <= BLOCK or d > 512 or not _LIMITING.acquire(blocking=False):
        yield
        return
    try:
        with _controller().limit(limits=1, user_api="blas"):
            yield
    finally:
        _LIMITING.release()
