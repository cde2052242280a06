"""Data in parts, each loaded by the task that uses it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from scipy.sparse import issparse

from bayeslab._base.arrays import listed


def check_in_parts(data, name: str) -> None:
    """Raise a TypeError unless this is a dask array, a dask frame or series, or a list of parts."""
    if not (isinstance(data, list | tuple) or hasattr(data, "to_delayed")):
        raise TypeError(
            f"{name} must be a dask array or frame, or a list of parts, not {type(data).__name__}; for data in memory, "
            f"use the model's own fit and predict"
        )


def parts_of(data, name: str) -> list:
    """List the parts of a dask array, frame or series, or return the list of parts that was given."""
    check_in_parts(data, name)
    if isinstance(data, list | tuple):
        if not len(data):
            raise ValueError(f"{name} is an empty list of parts")
        return list(data)
    # Graph optimisation may give a column of a parquet file fewer parts than the file has.
    return list(np.ravel(with_whole_rows(data).to_delayed(optimize_graph=False)))


def with_whole_rows(data):
    """Return a dask array with all columns of a row in one chunk, and any other data as they are."""
    several = getattr(data, "ndim", 0) == 2 and hasattr(data, "chunks") and len(data.chunks[1]) > 1
    return data.rechunk({1: -1}) if several else data


def aligned_parts(X, y, sample_weight) -> list[tuple]:
    """List a tuple for each part: its X, y and sample_weight. None and the name of a column are the same in each."""
    parts = {"X": parts_of(X, "X")}
    for name, each in (("y", y), ("sample_weight", sample_weight)):
        alike = each is None or isinstance(each, str)
        parts[name] = [each] * len(parts["X"]) if alike else parts_of(each, name)
        if len(parts[name]) != len(parts["X"]):
            counts = f"X has {len(parts['X'])} and {name} has {len(parts[name])}"
            raise ValueError(f"X and {name} must have the same number of parts, but {counts}: rechunk one of them")
    return list(zip(*parts.values(), strict=True))


def load_part(X, y, sample_weight) -> tuple:
    """Load a part, and take y and sample_weight out of X where they are names of its columns."""
    X, *others = (each() if callable(each) else each for each in (X, y, sample_weight))
    X = as_rows(X)
    names = [each for each in others if isinstance(each, str)]
    for name in names:
        if not hasattr(X, "columns"):
            raise ValueError(f"X is not a DataFrame, so it has no column {name!r}")
        if name not in X.columns:
            raise ValueError(f"X has no column {name!r}, only {listed(X.columns)}")
    others = [X[each] if isinstance(each, str) else each for each in others]
    for name, each in zip(("y", "sample_weight"), others, strict=True):
        if each is not None and len(each) != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows, but {name} has {len(each)}")
    return X.drop(columns=names) if names else X, *others


def as_rows(X):
    """Return a part as it is, but a list of rows as an array, and a sparse matrix in CSR form."""
    if issparse(X):
        return X.tocsr()
    X = X if hasattr(X, "shape") else np.asarray(X)
    if not X.shape:
        raise TypeError(f"a part must be an array or a frame, or a function that returns one, not {X!r}")
    return X


@contextmanager
def named_errors(where: str) -> Iterator[None]:
    """Put a place at the beginning of the message of a ValueError, and into a note of any other error."""
    try:
        yield
    except ValueError as error:
        named = ValueError(f"{where}: {error}")
        for note in getattr(error, "__notes__", ()):
            named.add_note(note)
        raise named from None
    except Exception as error:
        error.add_note(f"This happened in {where}.")
        raise
