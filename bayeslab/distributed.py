"""Learning from data in parts, larger than memory or on many machines: fits of parts are merged in a tree (needs dask).

To predict, let dask apply the fitted classifier to each part. For a dask array X, whose chunks hold whole rows, and for
a dask DataFrame::

    X.map_blocks(rule.predict, drop_axis=1, dtype=rule.classes_.dtype)
    X.map_partitions(rule.predict, meta=rule.classes_[:0])
"""

from __future__ import annotations

from copy import copy, deepcopy
from typing import Any, TypeAlias, TypeVar
from uuid import uuid4

import numpy as np
from sklearn.base import clone

from bayeslab._base.arrays import BLOCK, locate_errors, one_thread
from bayeslab.classifier import BayesClassifier

try:
    from dask import delayed
except ImportError as error:
    raise ImportError("bayeslab.distributed needs dask: python -m pip install dask distributed pyarrow") from error

Classifier = TypeVar("Classifier", bound=BayesClassifier)
Parts: TypeAlias = Any  # a dask array, frame or series, or a list of parts


def fit(classifier: Classifier, X: Parts, y: Parts, sample_weight: Parts | None = None) -> Classifier:
    """Return a copy of a classifier, fitted to all parts of the data as its own `fit` would be, up to rounding.

    Only the parts in use are in memory. Dask decides where the work is done: in the threads of this process, or, once
    there is a ``distributed.Client()``, on the workers of a cluster. The result is the same to the last bit for any
    number of workers, even if some of them die.

    Parameters
    ----------
    classifier : classifier with `partial_fit` and `merge`
    X : dask array, shape (n, d), dask DataFrame, or list of parts
        n may be unknown. A part is an array or a frame, or a function without parameters that loads it on the worker.
    y : dask array, dask Series or list of parts
        Labels, in the same parts as X. A part may lack some classes, and may be empty.
    sample_weight : as y, optional

    Raises
    ------
    ValueError
        If the classifier cannot learn from these data. A note names the part at fault, in any other error, too.

    Examples
    --------
    >>> import dask.array as da
    >>> from bayeslab import GaussianNB, distributed, load_iris
    >>> iris = load_iris()
    >>> X, y = da.from_array(iris.X, chunks=(40, 4)), da.from_array(iris.y, chunks=40)
    >>> rule = distributed.fit(GaussianNB(), X, y)
    >>> rule.means_.round(3)[:, 0].tolist()
    [5.006, 5.936, 6.588]
    >>> labels = X.map_blocks(rule.predict, drop_axis=1, dtype=rule.classes_.dtype)
    >>> labels[[0, 50, 100]].compute().tolist()
    ['setosa', 'versicolor', 'virginica']

    Functions that load one part each keep the data where they are:

    >>> from functools import partial
    >>> def flowers(i):
    ...     return iris.X[40 * i : 40 * i + 40]
    >>> labels = [iris.y[40 * i : 40 * i + 40] for i in range(4)]
    >>> distributed.fit(GaussianNB(), [partial(flowers, i) for i in range(4)], labels).means_.round(3)[:, 0].tolist()
    [5.006, 5.936, 6.588]
    """
    unfitted = clone(classifier)
    for method in ("partial_fit", "merge"):
        try:
            getattr(unfitted, method)
        except AttributeError as error:
            reason = error.__cause__ or f"it has no method {method}"
            raise ValueError(f"{classifier!r} cannot be fitted to parts of the data: {reason}") from None
    unfitted.set_params(priors=None)  # given priors are for the classes of all parts together
    columns = [_parts_of(X, "X"), _parts_of(y, "y")]
    columns.append([None] * len(columns[0]) if sample_weight is None else _parts_of(sample_weight, "sample_weight"))
    if len({len(parts) for parts in columns}) > 1 or not columns[0]:
        counts = " and ".join(str(len(parts)) for parts in columns)
        raise ValueError(f"X, y and sample_weight must have the same number of parts, one or more, not {counts}")
    with one_thread(BLOCK, 2):  # a matrix product uses one thread, since each part has a thread already
        result = _tree(unfitted, list(zip(*columns, strict=True)), 0).compute()
    if result is None:
        raise ValueError("X holds no rows at all")
    fitted, row = result
    if len(fitted.classes_) < 2:
        label = fitted.classes_.tolist()[0]
        raise ValueError(f"{type(fitted).__name__} needs at least two classes, but y holds one class only: {label!r}")
    if classifier.priors is not None:
        fitted = fitted.with_priors(classifier.priors)
    fitted.predict(row)  # parameters are estimated when first needed: do it here, so that errors are raised here
    return fitted


def _parts_of(data: Parts, name: str) -> list:
    """List the parts; those of a dask array or frame as delayed objects."""
    if isinstance(data, list | tuple):
        return list(data)
    if not hasattr(data, "to_delayed"):
        raise TypeError(
            f"{name} must be a dask array or frame, or a list of parts, not {type(data).__name__}; for data in memory, "
            f"use the classifier's own fit"
        )
    if getattr(data, "ndim", 0) == 2 and hasattr(data, "chunks"):
        data = data.rechunk({1: -1})  # whole rows
    # Graph optimisation may give a column of a parquet file fewer parts than the file has.
    return list(np.ravel(data.to_delayed(optimize_graph=False)))


def _tree(classifier: Classifier, parts: list[tuple], first: int) -> Any:
    """Task that fits the classifier to each half of the parts, the first of which has this number, and merges both.

    Its shape depends on the number of parts only, so that a fit can be repeated to the last bit.
    """
    last, half = first + len(parts) - 1, (len(parts) + 1) // 2
    if first == last:
        # Dask calls a task that has killed its workers by this name, which no other fit may have.
        key = f"part-{first}-of-X-and-y-{uuid4().hex}"
        return delayed(_fit_part)(f"part {first} of X and y", classifier, *parts[0], dask_key_name=key)
    where = f"merging parts {first} to {last} of X and y"
    halves = _tree(classifier, parts[:half], first), _tree(classifier, parts[half:], first + half)
    return delayed(_merge)(where, *halves)


def _fit_part(where: str, classifier: Any, *part: Any) -> tuple | None:
    """Return the classifier fitted to a part, and a row of it; None if the part is empty."""
    with locate_errors(where):
        X, y, weights = (each() if callable(each) else each for each in part)
        if not np.shape(X)[0] and not len(y):
            return None
        given = {} if weights is None else {"sample_weight": weights}
        row = deepcopy(X[:1])  # not a view, which would keep the whole part in memory
        return clone(classifier).partial_fit(X, y, **given), row


def _merge(where: str, a: tuple | None, b: tuple | None) -> tuple | None:
    """Merge two fits into a new one: a task may run twice, so it must not change what it is given."""
    if a is None or b is None:
        return b if a is None else a
    with locate_errors(where):
        return copy(a[0]).merge(b[0]), a[1]
