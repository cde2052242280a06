"""Learning from data in parts, larger than memory or on many machines; the fits are merged in a tree (needs dask)."""

from __future__ import annotations

import warnings
from copy import copy
from functools import partial
from uuid import uuid4

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from bayeslab._base.blocks import BLOCK, one_thread
from bayeslab._parts import (
    aligned_parts,
    as_rows,
    check_in_parts,
    load_part,
    named_errors,
    parts_of,
    with_whole_rows,
)

try:
    from dask import delayed
except ImportError as error:
    raise ImportError("bayeslab.distributed needs dask: python -m pip install 'bayeslab[distributed]'") from error


def fit(model, X, y, sample_weight=None):
    """Fit a model to all parts of the data, with the same result as its own `fit` in memory, up to rounding.

    Only the parts in use are in memory. Dask decides where the work is done: in the threads of this process, or, once
    there is a ``distributed.Client()``, on the workers of a cluster. The result is the same to the last bit for any
    number of workers, even if some are lost. To see progress, call it inside ``with dask.diagnostics.ProgressBar():``
    or open the dashboard of the cluster.

    Parameters
    ----------
    model : classifier with `partial_fit` and `merge`
        It is fitted from scratch. A fit that fails leaves it unchanged.
    X : dask array, shape (n, d), dask DataFrame, or list of parts
        n may be unknown. A part is an array or a frame, or a function without parameters that loads it on the worker
        (an array in the list is sent there).
    y : dask array, dask Series or list of parts, or the name of a column of X
        Labels, in the same parts as X. A part may lack some classes, and may be empty.
    sample_weight : as y, optional

    Returns
    -------
    model

    Raises
    ------
    ValueError
        If the model cannot learn from these data with its hyperparameters. The message names the part at fault.

    Examples
    --------
    >>> import dask.array as da
    >>> from bayeslab import GaussianNB, distributed, load_iris
    >>> iris = load_iris()
    >>> X, y = da.from_array(iris.X, chunks=(40, 4)), da.from_array(iris.y, chunks=40)
    >>> rule = distributed.fit(GaussianNB(), X, y)
    >>> rule.means_.round(3)[:, 0].tolist()
    [5.006, 5.936, 6.588]

    The same with functions that load one part each:

    >>> from functools import partial
    >>> def flowers(i):
    ...     return iris.X[40 * i : 40 * i + 40]
    >>> loaders = [partial(flowers, i) for i in range(4)]
    >>> labels = [iris.y[40 * i : 40 * i + 40] for i in range(4)]
    >>> distributed.fit(GaussianNB(), loaders, labels).means_.round(3)[:, 0].tolist()
    [5.006, 5.936, 6.588]
    """
    unfitted = clone(model)
    for name in ("partial_fit", "merge"):
        try:
            getattr(unfitted, name)
        except AttributeError as error:
            reason = error.__cause__ or f"it has no method {name}"
            raise ValueError(f"{model!r} cannot be fitted to parts of the data: {reason}") from None
    priors = getattr(model, "priors", None)
    if priors is not None:
        unfitted.set_params(priors=None)  # given priors are for the classes of all parts together
    parts = aligned_parts(X, y, sample_weight)
    with one_thread(BLOCK, 2):  # a matrix product uses one thread, since each part has a thread already
        result = _fit_parts(unfitted, parts, 0, len(parts) - 1).compute()
    if result is None:
        raise ValueError("X holds no rows at all")
    fitted, row, _ = result
    if len(fitted.classes_) < 2:
        name, label = type(model).__name__, fitted.classes_.tolist()[0]
        raise ValueError(f"{name} needs at least two classes, but all parts of y hold one class only: {label!r}")
    if priors is not None:
        fitted = fitted.with_priors(priors)
    fitted.predict(row)  # parameters are estimated when first needed: do it here, so that errors are raised here
    model.__dict__ = {**vars(fitted), **model.get_params(deep=False)}
    return model


def predict(model, X, method="predict"):
    """Predict each part of X when the result is asked for with ``.compute()``.

    Parameters
    ----------
    model : fitted estimator
    X : dask array, dask DataFrame, or list of parts
        As in `fit`.
    method : str
        A method of the model that returns a number, a label or a row of numbers for each row of X, such as "predict" or
        "predict_proba".

    Returns
    -------
    dask array, dask Series or DataFrame, or list of delayed arrays
        As X. In a DataFrame the columns of posteriors have the labels as names.

    Examples
    --------
    >>> import dask.array as da
    >>> from bayeslab import NearestMean, distributed
    >>> rule = NearestMean().fit([[0], [2], [6], [8]], ["low", "low", "high", "high"])
    >>> labels = distributed.predict(rule, da.arange(9, chunks=4)[:, None])
    >>> labels[[0, 3, 5]].compute().tolist()
    ['low', 'low', 'high']
    """
    check_is_fitted(model)
    check_in_parts(X, "X")
    compute = partial(_predict_part, model, method)
    if isinstance(X, list | tuple):
        return [delayed(compute)(part, number) for number, part in enumerate(parts_of(X, "X"))]
    if hasattr(X, "map_partitions"):
        return X.map_partitions(compute, meta=_empty_prediction(model, method, X._meta))
    X, empty = with_whole_rows(X), _empty_prediction(model, method, X)
    axes = {"drop_axis": 1} if empty.ndim == 1 else {"chunks": (X.chunks[0], empty.shape[1:])}
    return X.map_blocks(compute, meta=empty, dtype=empty.dtype, **axes)


def _fit_parts(model, parts: list[tuple], first: int, last: int):
    """Task that fits a model to each of the parts from `first` to `last`, and merges both halves of them.

    The tree depends on the number of parts only, so that a fit can be repeated to the last bit. A task must not change
    its arguments, since it may run twice.
    """
    if first == last:
        # Dask calls the task by this name where a part kills all workers; each name is used once.
        key = f"part-{first}-of-X-and-y-{uuid4().hex}"
        return delayed(_fit_part)(f"part {first} of X and y", model, *parts[first], dask_key_name=key)
    halves = [(first, (first + last) // 2), ((first + last) // 2 + 1, last)]
    names = [f"part {a}" if a == b else f"parts {a} to {b}" for a, b in halves]
    where = f"{' and '.join(names)} of X and y do not go together"
    return delayed(_merge)(where, *(_fit_parts(model, parts, *half) for half in halves))


def _fit_part(where: str, model, *part):
    """Fit a model to a part; return it, the row of largest weight and that weight, or None if there are no rows."""
    with named_errors(where):
        X, y, sample_weight = load_part(*part)
        if not X.shape[0]:
            return None
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        fitted = clone(model).partial_fit(X, y, **weights)
        i = 0 if sample_weight is None else int(np.argmax(sample_weight))
        row = X.iloc[[i]] if hasattr(X, "iloc") else X[[i]]
        return fitted, row, 1.0 if sample_weight is None else float(np.max(sample_weight))


def _merge(where: str, a, b):
    if a is None or b is None:
        return b if a is None else a
    with named_errors(where):
        (ours, *row), (theirs, *other) = a, b
        return copy(ours).merge(theirs), *(other if other[-1] > row[-1] else row)


def _predict_part(model, method: str, X, number=None, block_info=None, partition_info=None):
    """Predict a part; dask passes its number in `block_info` or `partition_info`."""
    if block_info:
        number = block_info[0]["chunk-location"][0]
    elif partition_info:
        number = partition_info["number"]
    with named_errors(f"part {number} of X"):
        X = as_rows(X() if callable(X) else X)
        return _prediction(model, method, X) if X.shape[0] else _empty_prediction(model, method, X)


def _prediction(model, method: str, X):
    """Return what a method predicts for rows, with their index, and the labels as names of columns, if X is a frame."""
    predicted = getattr(model, method)(X)
    if np.ndim(predicted) not in (1, 2) or np.shape(predicted)[0] != X.shape[0]:
        raise ValueError(
            f"{method} cannot be used here: it must return a number or a row of numbers for each row of X, but for "
            f"{X.shape[0]} rows it returned a {type(predicted).__name__} of shape {np.shape(predicted)}"
        )
    if not hasattr(X, "index"):
        return predicted
    if predicted.ndim == 1:
        return pd.Series(predicted, X.index)
    labels = getattr(model, "classes_", range(predicted.shape[1]))
    return pd.DataFrame(predicted, X.index, labels if len(labels) == predicted.shape[1] else None)


def _empty_prediction(model, method: str, X):
    """Return the prediction for no rows, in the form that it has for rows like those of X."""
    row = np.zeros((1, *X.shape[1:]))
    if hasattr(X, "columns"):
        row = pd.DataFrame(row, columns=X.columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a row of zeros, which is not in the data
        empty = _prediction(model, method, row)[:0]
    return empty.set_axis(X.index[:0]) if hasattr(X, "index") else empty
