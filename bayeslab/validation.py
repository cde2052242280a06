"""Splits of a data set into a part to train on and a part to test on."""

from __future__ import annotations

import numpy as np

from bayeslab._arrays import as_generator, same_length


def first_half_split(X, y, within_class: bool = False):
    """Train on the first ⌈n/2⌉ rows in file order, test on the rest.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    within_class : bool
        Take the first half of the rows of each class instead, which a file sorted by class needs.

    Returns
    -------
    X_train, X_test, y_train, y_test

    Raises
    ------
    ValueError
        If a class has no row in the training part, or no row is left for the test part.

    References
    ----------
    Bint, Huus and Spratt (2014), Implementing Bayes classifiers, §4.1.
    """
    y = np.asarray(y)
    groups = [np.flatnonzero(y == label) for label in np.unique(y)] if within_class else [np.arange(len(y))]
    train = np.concatenate([rows[: (len(rows) + 1) // 2] for rows in groups])
    return _split(X, y, train, remedy="take first_half_split(..., within_class=True), or random_split")


def random_split(X, y, rng: np.random.Generator, train_size: float = 0.5, stratify: bool = False):
    """Train on a random part of the rows, test on the rest.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    rng : numpy.random.Generator
    train_size : float
        Share of the rows to train on, rounded up to whole rows.
    stratify : bool
        Take that share of each class, instead of leaving the shares to chance.

    Returns
    -------
    X_train, X_test, y_train, y_test

    Raises
    ------
    ValueError
        If `train_size` is not between 0 and 1, a class has no row in the training part, or no
        row is left for the test part.

    References
    ----------
    Bint, Huus and Spratt (2014), Implementing Bayes classifiers, §4.6.
    """
    if not 0 < train_size < 1:
        raise ValueError(f"train_size must be between 0 and 1, not {train_size:g}")
    as_generator(rng)
    y = np.asarray(y)
    groups = [np.flatnonzero(y == label) for label in np.unique(y)] if stratify else [np.arange(len(y))]
    train = np.concatenate([rng.permutation(rows)[: _rounded_up(train_size * len(rows))] for rows in groups])
    return _split(X, y, train, remedy="draw again, or take stratify=True")


def _rounded_up(size: float) -> int:
    return int(np.ceil(round(size, 9)))  # 0.07 × 100 is 7.000000000000001 in floating point, and means 7


def _split(X, y, train, remedy):
    X = np.asarray(X)
    same_length(X, y)
    if len(train) == len(y):
        raise ValueError(f"all {len(y)} rows are training rows: nothing is left to test on")
    missing = np.setdiff1d(y, y[train]).tolist()
    if missing:
        raise ValueError(
            f"class {', '.join(map(repr, missing))} is empty: none of its rows is among the {len(train)} training rows "
            f"of {len(y)}, so nothing can be learned about it; {remedy}"
        )
    is_train = np.zeros(len(y), dtype=bool)
    is_train[train] = True
    return X[is_train], X[~is_train], y[is_train], y[~is_train]
