"""Splits of a data set into a training part and a test part, one or many."""

from __future__ import annotations

from numbers import Integral

import numpy as np
import pandas as pd

from bayeslab._base.arrays import as_generator, check_number, check_same_length
from bayeslab._base.labels import code_labels


def first_half_split(X, y, within_class: bool = False):
    """Split X and y into the first ⌈n/2⌉ rows, to train on, and the rest, to test on.

    ``within_class=True`` takes the first half of the rows of each class instead, as a file sorted by class needs. A
    class without a training row is a ValueError. X may be a DataFrame.

    Returns
    -------
    X_train, X_test, y_train, y_test

    References
    ----------
    Bint, Huus and Spratt (2014), Implementing Bayes classifiers, §4.1.

    Examples
    --------
    >>> X, y = [[1], [2], [3], [4]], ["a", "a", "b", "b"]  # sorted by class: the first two rows lack "b"
    >>> X_train, X_test, y_train, y_test = first_half_split(X, y, within_class=True)
    >>> X_train.tolist(), y_train.tolist()
    ([[1], [3]], ['a', 'b'])
    """
    y = as_labels(y)
    test = np.concatenate([rows[(len(rows) + 1) // 2 :] for rows in _groups(y, within_class)])
    return _split_rows(X, y, test, "take first_half_split(..., within_class=True), or random_split")


def random_split(X, y, rng: np.random.Generator, train_size: float = 0.5, stratify: bool = False):
    """Split X and y at random into a part to train on and a part to test on.

    `rng`, `train_size` and `stratify` are described in `shuffle_splits`. A class without a training row is a
    ValueError. X may be a DataFrame.

    Returns
    -------
    X_train, X_test, y_train, y_test

    References
    ----------
    Bint, Huus and Spratt (2014), Implementing Bayes classifiers, §4.6.

    Examples
    --------
    >>> X, y = np.arange(10)[:, None], ["rare"] * 2 + ["common"] * 8
    >>> X_train, X_test, y_train, y_test = random_split(X, y, np.random.default_rng(0), stratify=True)
    >>> sorted(y_train.tolist())
    ['common', 'common', 'common', 'common', 'rare']
    """
    y = as_labels(y)
    [(_, test)] = shuffle_splits(y, 1, rng, train_size, stratify)
    return _split_rows(X, y, test, "take stratify=True, or a larger train_size")


def shuffle_splits(y, n_splits: int, rng: np.random.Generator, train_size: float = 0.5, stratify: bool = False):
    """Draw several random splits, independent of each other.

    Parameters
    ----------
    y : (n,) array
    n_splits : int
    rng : numpy.random.Generator
    train_size : float or int
        Share of the rows to train on, rounded up to a whole row, or their number.
    stratify : bool
        Give each class its share of the training rows, to within one row, instead of leaving that to chance.

    Returns
    -------
    list of (train, test)
        Indices of rows, in ascending order; scikit-learn takes the list as `cv`.

    Raises
    ------
    ValueError
        If `train_size` leaves no row for one of the parts.

    Examples
    --------
    >>> y, rng = np.array(["common"] * 6 + ["rare"] * 2), np.random.default_rng(0)
    >>> for stratify in (False, True):  # how many of the two rare rows are trained on: chance decides, or always one
    ...     pairs = shuffle_splits(y, 100, rng, stratify=stratify)
    ...     print(np.unique([np.sum(y[train] == "rare") for train, test in pairs]).tolist())
    [0, 1, 2]
    [1]
    """
    as_generator(rng)
    y = as_labels(y)
    check_number(n_splits, "n_splits", least=1, whole=True)
    groups = _groups(y, stratify)
    # Class by class, rounded so that all classes together have exactly the rows asked for.
    ends = np.cumsum([len(rows) for rows in groups]) * _n_train(train_size, len(y)) // len(y)
    counts = np.diff(ends, prepend=0)
    splits = []
    for _ in range(n_splits):
        tests = [rng.permutation(rows)[count:] for rows, count in zip(groups, counts, strict=True)]
        splits.append(_train_and_test(np.concatenate(tests), len(y)))
    return splits


def k_fold(y, n_folds: int, rng: np.random.Generator | None = None, stratify: bool = False, n_repeats: int = 1):
    """Cut the rows into folds; each fold is the test part once, and the others together are the training part.

    Parameters
    ----------
    y : (n,) array
    n_folds : int
        With n folds, each row is left out once.
    rng : numpy.random.Generator, optional
        Shuffles the rows before each repeat; without it they stay in file order.
    stratify : bool
        Deal the rows to the folds in turn, class by class, so that the folds have equal numbers of rows of each
        class, to within one. Otherwise the file is cut into n_folds pieces.
    n_repeats : int
        Number of times to shuffle and cut.

    Returns
    -------
    list of (train, test)
        `n_repeats` · `n_folds` pairs of row indices, in ascending order; scikit-learn takes the list as `cv`. The
        sizes of the folds differ by at most one.

    Raises
    ------
    ValueError
        If there are fewer than two folds, more folds than rows (of the smallest class, if stratified), or several
        repeats without `rng`.

    References
    ----------
    Bint, Huus and Spratt (2014), Implementing Bayes classifiers, §4.6.

    Examples
    --------
    >>> y = ["a", "a", "b", "b"]
    >>> [test.tolist() for train, test in k_fold(y, 2)]  # each training part lacks a class
    [[0, 1], [2, 3]]
    >>> [test.tolist() for train, test in k_fold(y, 2, stratify=True)]
    [[0, 2], [1, 3]]
    """
    y = as_labels(y)
    check_number(n_repeats, "n_repeats", least=1, whole=True)
    groups = _groups(y, stratify)
    if not (isinstance(n_folds, Integral) and 2 <= n_folds <= len(y)):
        raise ValueError(f"n_folds must be a whole number from 2 to the number of rows, {len(y)}, not {n_folds}")
    smallest = min(groups, key=len)
    if len(smallest) < n_folds:
        raise ValueError(
            f"class {y[smallest].tolist()[0]!r} has {len(smallest)} of the rows, too few for {n_folds} folds; "
            f"take fewer folds, or stratify=False"
        )
    if rng is None and n_repeats > 1:
        raise ValueError(f"without rng, all {n_repeats} repeats are the same; give np.random.default_rng(0)")
    shuffle = (lambda rows: rows) if rng is None else as_generator(rng).permutation
    splits = []
    for _ in range(n_repeats):
        order = np.concatenate([shuffle(rows) for rows in groups])
        tests = [order[fold::n_folds] for fold in range(n_folds)] if stratify else np.array_split(order, n_folds)
        splits += [_train_and_test(test, len(y)) for test in tests]
    return splits


def check_training_classes(y: np.ndarray, train: np.ndarray, remedy: str, where: str = "") -> None:
    """Raise a ValueError that names the classes of y without a training row."""
    missing = np.setdiff1d(y, y[train]).tolist()
    if missing:
        raise ValueError(
            f"{where}class {', '.join(map(repr, missing))} is empty: none of its rows is among the {len(train)} "
            f"training rows of {len(y)}, so nothing can be learned about it; {remedy}"
        )


def as_labels(y) -> np.ndarray:
    """Return y as an array of shape (n,) in which no label is missing and all are of one kind."""
    y = np.asarray(y)
    if y.ndim != 1 or not len(y):
        raise ValueError(f"y must have one label per row, shape (n,), but has shape {y.shape}")
    missing = np.flatnonzero(pd.isna(y))
    if len(missing):
        raise ValueError(f"y[{missing[0]}] is {y[missing[0]]}: a label is missing; leave such rows out")
    code_labels(y)  # which raises for labels that cannot be sorted, such as 1 and "a"
    return y


def _groups(y: np.ndarray, by_class: bool) -> list[np.ndarray]:
    """Return the row numbers of each class, or of all rows as one group."""
    return [np.flatnonzero(y == label) for label in np.unique(y)] if by_class else [np.arange(len(y))]


def _n_train(train_size, n: int) -> int:
    """Return the number of training rows for `train_size`, a share or a number of n rows."""
    if isinstance(train_size, Integral):
        size = int(train_size)
        if not 0 < size < n:
            raise ValueError(f"train_size must be between 1 and {n - 1} of {n} rows, not {size}")
        return size
    if not 0 < train_size < 1:
        raise ValueError(f"train_size must be between 0 and 1, or a whole number of rows, not {train_size:g}")
    # 0.07 × 100 is 7.000000000000001 in floating point, but 7 is meant.
    return max(1, int(np.ceil(round(train_size * n, 9))))


def _train_and_test(test: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of the training rows and of the test rows, both in ascending order."""
    is_test = np.zeros(n, dtype=bool)
    is_test[test] = True
    if not len(test):
        raise ValueError(f"all {n} rows are training rows: nothing is left to test on")
    return np.flatnonzero(~is_test), np.flatnonzero(is_test)


def _split_rows(X, y, test, remedy):
    check_same_length(X, y)
    train, test = _train_and_test(test, len(y))
    check_training_classes(y, train, remedy)
    rows_of = X.iloc if hasattr(X, "iloc") else np.asarray(X)  # a DataFrame stays a DataFrame
    return rows_of[train], rows_of[test], y[train], y[test]
