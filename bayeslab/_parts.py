"""Data in parts, each loaded where it is worked on; what comes of the parts is merged in a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from bayeslab._base.blocks import BLOCK, one_thread

try:
    from dask import delayed
    from dask.diagnostics import ProgressBar
except ImportError as error:
    raise ImportError("bayeslab.distributed needs dask: python -m pip install 'bayeslab[distributed]'") from error


def parts_of(data, name: str) -> list:
    """List the parts of a dask array, a dask frame or series, or what is such a list already."""
    if isinstance(data, list | tuple):
        if not len(data):
            raise ValueError(f"{name} holds no parts")
        return list(data)
    if not hasattr(data, "to_delayed"):
        raise TypeError(
            f"{name} must be a dask array or frame, or a list of parts, not {type(data).__name__}; what is in memory "
            f"as a whole is for the model's own fit and predict"
        )
    # Optimised, a column of a parquet file may come in fewer parts than the file.
    return list(np.ravel(whole_rows(data).to_delayed(optimize_graph=False)))


def whole_rows(data):
    """Return a dask array with all columns of a row in one chunk; anything else as it is."""
    several = getattr(data, "ndim", 0) == 2 and hasattr(data, "chunks") and len(data.chunks[1]) > 1
    return data.rechunk({1: -1}) if several else data


def columns_of_parts(what: str, **data) -> list[tuple]:
    """Put the parts of X, y, ... beside each other: one tuple for each part.

    None, and a text, which is the name of a column of X, are the same for all parts.
    """
    listed = {name: parts_of(each, name) for name, each in data.items() if not (each is None or isinstance(each, str))}
    lengths = {name: len(parts) for name, parts in listed.items()}
    if len(set(lengths.values())) > 1:
        counts = " and ".join(f"{name} {length}" for name, length in lengths.items())
        raise ValueError(
            f"{what} must be cut into the same parts, but of parts have {counts}: rechunk one like the other"
        )
    n = lengths["X"]
    return list(zip(*(listed.get(name, [each] * n) for name, each in data.items()), strict=True))


@dataclass(frozen=True)
class Result:
    """What came of some neighbouring parts."""

    first: int
    last: int
    value: Any

    def __str__(self) -> str:
        return f"part {self.first}" if self.first == self.last else f"parts {self.first} to {self.last}"


def as_rows(X):
    """Return a part as it is, but a list of rows as an array, and a sparse matrix in the form that has rows to take."""
    if issparse(X):
        return X.tocsr()
    X = X if hasattr(X, "shape") else np.asarray(X)
    if not X.shape:
        raise TypeError(f"a part must be an array or a frame, or a function that returns one, not {X!r}")
    return X


def over_parts(compute: Callable, merge: Callable, parts: list[tuple], what: str, progress: bool):
    """Compute something of each part, where and when dask likes, and merge neighbours until one is left.

    The tree depends on the number of parts, not on which worker is first: repeated, the result is the same to the last
    bit. No task changes what it is given, for a task may run twice.

    Parameters
    ----------
    compute : function
        Of X, y, ... of a part, which holds at least one row. X is without the columns that are given apart.
    merge : function
        Of two values, to one.
    parts : list of tuples
        X, y, ... of each part, functions without parameters that load them, or names of columns of X.
    what : str
        What the parts are of, for errors.
    progress : bool
        Show dask's bar.
    """
    tasks = [delayed(_of_part)(compute, number, what, *data) for number, data in enumerate(parts)]
    while len(tasks) > 1:
        pairs = [delayed(_merged)(merge, what, *tasks[i : i + 2]) for i in range(0, len(tasks) - 1, 2)]
        tasks = pairs + tasks[2 * len(pairs) :]
    with one_thread(BLOCK, 2):  # threads that share the parts need no threads of their own
        result = _computed(tasks[0], progress)
    if result is None:
        raise ValueError("X holds no rows at all")
    return result.value


def _of_part(compute, number: int, what: str, *data) -> Result | None:
    """Load a part, take the columns that are named out of X, and compute."""
    with naming(f"part {number} of {what}"):
        X, *others = (each() if callable(each) else each for each in data)
        X = as_rows(X)
        names = [each for each in others if isinstance(each, str)]
        if names and not hasattr(X, "columns"):
            raise ValueError(f"X is no DataFrame, so that it has no column {names[0]!r}")
        others = [X[each] if isinstance(each, str) else each for each in others]
        X = X.drop(columns=names) if names else X
        return Result(number, number, compute(X, *others)) if X.shape[0] else None


def _merged(merge, what: str, a: Result | None, b: Result | None) -> Result | None:
    if a is None or b is None:
        return b if a is None else a
    with naming(f"{a} and {b} of {what} do not go together"):
        return Result(a.first, b.last, merge(a.value, b.value))


@contextmanager
def naming(where: str) -> Iterator[None]:
    """Say where a ValueError happened at its beginning, and of other errors in a note."""
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


def _computed(task, progress: bool):
    """Compute a task; the bar is dask's own, or that of the cluster whose client is at work."""
    if not progress:
        return task.compute()
    import distributed  # only here, because this import takes long

    try:
        client = distributed.Client.current()
    except ValueError:  # no cluster
        with ProgressBar():
            return task.compute()
    future = client.compute(task)
    distributed.progress(future, notebook=False)
    print()  # the bar leaves the cursor at its end
    return future.result()
