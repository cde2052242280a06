"""Data bigger than memory, or on many machines: what is learned of each part is merged in a tree (needs dask)."""

from __future__ import annotations

import warnings
from copy import copy
from functools import partial

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from bayeslab._parts import as_rows, columns_of_parts, delayed, naming, over_parts, parts_of, whole_rows


def fit(model, X, y, sample_weight=None, progress=False):
    """Fit a model to all parts of the data: what its own `fit` would give, were they in memory, up to rounding.

    Only the parts that are being worked on are in memory. Where the work is done is dask's business: on the threads of
    this process, or on the workers of a cluster as soon as there is a ``distributed.Client()``. Whatever the number of
    workers, and if one is lost on the way, the result is the same to the last bit.

    Parameters
    ----------
    model : classifier with `partial_fit` and `merge`
        It is fitted anew; a fit that fails leaves it as it was.
    X : dask array, shape (n, d), dask DataFrame, or list of parts
        n may be unknown. A part is an array or a frame, or a function without parameters that loads it where it is
        needed (an array in the list is sent there).
    y : dask array, dask Series or list of parts, or the name of a column of X
        Labels, in the same parts as X. A part need not hold every class, nor any row.
    sample_weight : as y, optional
    progress : bool
        Show a progress bar: dask's or the cluster's own, for each pass over the data.

    Returns
    -------
    model

    Raises
    ------
    ValueError
        If the data or the hyperparameters are not fit to be learned from; whatever is wrong with a part names it.

    Examples
    --------
    >>> import dask.array as da
    >>> from bayeslab import GaussianNB, distributed, load_iris
    >>> iris = load_iris()
    >>> X, y = da.from_array(iris.X, chunks=(40, 4)), da.from_array(iris.y, chunks=40)
    >>> rule = distributed.fit(GaussianNB(), X, y)
    >>> rule.means_.round(3)[:, 0].tolist()
    [5.006, 5.936, 6.588]
    >>> (distributed.predict(rule, X) == y).mean().compute().round(2).item()
    0.96

    The same from functions that load a part each:

    >>> from functools import partial
    >>> def flowers(i):
    ...     return iris.X[40 * i : 40 * i + 40]
    >>> loaders = [partial(flowers, i) for i in range(4)]
    >>> labels = [iris.y[40 * i : 40 * i + 40] for i in range(4)]
    >>> distributed.fit(GaussianNB(), loaders, labels).means_.round(3)[:, 0].tolist()
    [5.006, 5.936, 6.588]
    """
    fitted = _fitted_classifier(model, X, y, sample_weight, progress)
    model.__dict__ = {**vars(fitted), **model.get_params(deep=False)}
    return model


def predict(model, X, method="predict"):
    """Predict each part of X, when the answer is asked for with ``.compute()``.

    Parameters
    ----------
    model : fitted estimator
    X : dask array, dask DataFrame, or list of parts
        As in `fit`.
    method : str
        Of the model: "predict", "predict_proba", ..., whatever returns a number or a row of numbers for each row.

    Returns
    -------
    dask array, dask Series or DataFrame, or list of delayed arrays
        Like X. Posteriors in a frame have the labels as names of their columns.

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
    compute = partial(_predicted, model, method)
    if hasattr(X, "map_partitions"):
        return X.map_partitions(compute, meta=_like(model, method, X._meta))
    if isinstance(X, list | tuple):
        return [delayed(compute)(part, number) for number, part in enumerate(parts_of(X, "X"))]
    parts_of(X, "X")  # or raises
    X, like = whole_rows(X), _like(model, method, np.empty((0, model.n_features_in_)))
    axes = {"drop_axis": 1} if like.ndim == 1 else {"chunks": (X.chunks[0], like.shape[1:])}
    return X.map_blocks(compute, meta=like, dtype=like.dtype, **axes)


def _fitted_classifier(model, X, y, sample_weight, progress: bool):
    """Return a copy of a model, fitted to all parts."""
    unfitted = clone(model)
    for name in ("partial_fit", "merge"):
        try:
            getattr(unfitted, name)
        except AttributeError as error:
            reason = error.__cause__ or f"it has no method {name}"
            raise ValueError(f"{model!r} cannot be fitted to parts of the data: {reason}") from None
    if y is None:
        raise ValueError("y is missing: the labels, in the same parts as X, or the name of a column of X")
    priors = getattr(model, "priors", None)
    if priors is not None:
        unfitted.set_params(priors=None)  # which are for the classes of all parts together
    parts = columns_of_parts("X and y", X=X, y=y, sample_weight=sample_weight)
    fitted, row, _ = over_parts(partial(_learned, unfitted), _merged, parts, "X and y", progress)
    if len(fitted.classes_) < 2:
        name, label = type(model).__name__, fitted.classes_.tolist()[0]
        raise ValueError(f"{name} needs at least two classes, but all parts of y hold one class only: {label!r}")
    if priors is not None:
        fitted = fitted.with_priors(priors)
    fitted.predict(row)  # so that whatever is wrong with the data is said now
    return fitted


def _learned(model, X, y, sample_weight):
    """Return what a model has learned of a part; and a row that weighs most, to be predicted, with its weight."""
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    fitted = clone(model).partial_fit(X, y, **weights)
    i = 0 if sample_weight is None else int(np.argmax(sample_weight))
    row = X.iloc[[i]] if hasattr(X, "iloc") else X[[i]]
    return fitted, row, 1.0 if sample_weight is None else float(np.max(sample_weight))


def _merged(a, b):
    (ours, *row), (theirs, *other) = a, b
    # A new model: what a task was given must stay as it is.
    return copy(ours).merge(theirs), *(other if other[-1] > row[-1] else row)


def _predicted(model, method: str, X, number=None, block_info=None, partition_info=None):
    """Prediction of a part; dask says which one it is."""
    if block_info:
        number = block_info[0]["chunk-location"][0]
    elif partition_info:
        number = partition_info["number"]
    with naming(f"part {number} of X"):
        X = as_rows(X() if callable(X) else X)
        if not X.shape[0]:
            return _like(model, method, X)
        return _named(model, getattr(model, method)(X), X)


def _like(model, method: str, X):
    """Prediction of no rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the row is not of the data
        zeros = np.zeros((1, model.n_features_in_))
        row = pd.DataFrame(zeros, columns=X.columns) if hasattr(X, "columns") else zeros
        return _named(model, getattr(model, method)(row)[:0], X[:0])


def _named(model, predicted: np.ndarray, X):
    """Prediction with the index of X, and the labels as names, where X is a frame."""
    if not hasattr(X, "index"):
        return predicted
    if predicted.ndim == 1:
        return pd.Series(predicted, X.index)
    labels = getattr(model, "classes_", range(predicted.shape[1]))
    return pd.DataFrame(predicted, X.index, labels if len(labels) == predicted.shape[1] else None)
