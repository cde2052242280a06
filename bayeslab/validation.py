"""Accuracy on data not used for training: cross-validation, its standard error, and learning curves."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from numbers import Integral
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from bayeslab._base.arrays import (
    Labelled,
    Labels,
    as_generator,
    check_labels_are_there,
    check_number,
    check_same_length,
    code_labels,
    hint_if_class,
    rows_of,
)

Rows: TypeAlias = NDArray[np.intp]  # their numbers
Splits: TypeAlias = list[tuple[Rows, Rows]]  # the rows to train on and to test on, of each split


def first_half_split(X: ArrayLike, y: Labels, within_class: bool = False) -> tuple[Any, Any, Labelled, Labelled]:
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


def random_split(
    X: ArrayLike, y: Labels, rng: np.random.Generator, train_size: float = 0.5, stratify: bool = False
) -> tuple[Any, Any, Labelled, Labelled]:
    """Split X and y at random into a part to train on and a part to test on.

    `rng`, `train_size` and `stratify` are described in `shuffle_splits`. A class without a training row is a
    ValueError. X may be a DataFrame.

    Returns
    -------
    X_train, X_test, y_train, y_test

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


def shuffle_splits(
    y: Labels, n_splits: int, rng: np.random.Generator, train_size: float = 0.5, stratify: bool = False
) -> Splits:
    """Draw several random splits, independent of each other for these rows.

    Their accuracies aren't independent, since the splits share the rows: see `accuracy_summary`.

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


def k_fold(
    y: Labels, n_folds: int, rng: np.random.Generator | None = None, stratify: bool = False, n_repeats: int = 1
) -> Splits:
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
        raise ValueError(f"n_folds must be a whole number from 2 to the number of rows, {len(y)}, not {n_folds!r}")
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


def check_training_classes(y: Labelled, train: Sequence[Rows], remedy: str, where: Sequence[str] = ("",)) -> None:
    """Raise a ValueError that names the classes of y without a row in one of these training parts."""
    classes, codes = code_labels(y)
    for rows, place in zip(train, where, strict=True):
        missing = classes[np.bincount(codes[rows], minlength=len(classes)) == 0].tolist()
        if missing:
            raise ValueError(
                f"{place}class {', '.join(map(repr, missing))} is empty: none of its rows is among the {len(rows)} "
                f"training rows of {len(y)}, so nothing can be learned about it; {remedy}"
            )


def as_labels(y: Labels) -> Labelled:
    """Return y as an array of shape (n,) in which no label is missing and all are of one kind."""
    y = np.asarray(y)
    if y.ndim != 1 or not len(y):
        raise ValueError(f"y must have one label per row, shape (n,), but has shape {y.shape}")
    check_labels_are_there(y)
    code_labels(y)  # which raises for labels that cannot be sorted, such as 1 and "a"
    return y


def _groups(y: Labelled, by_class: bool) -> list[Rows]:
    """Return the row numbers of each class, or of all rows as one group."""
    return [np.flatnonzero(y == label) for label in np.unique(y)] if by_class else [np.arange(len(y))]


def _n_train(train_size: float, n: int) -> int:
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


def _train_and_test(test: Rows, n: int) -> tuple[Rows, Rows]:
    """Return the indices of the training rows and of the test rows, both in ascending order."""
    is_test = np.zeros(n, dtype=bool)
    is_test[test] = True
    if not len(test):
        raise ValueError(f"all {n} rows are training rows: nothing is left to test on")
    return np.flatnonzero(~is_test), np.flatnonzero(is_test)


def _split_rows(X: Any, y: Labelled, test: np.ndarray, remedy: str) -> tuple[Any, Any, Labelled, Labelled]:
    check_same_length(X, y)
    train, test = _train_and_test(test, len(y))
    check_training_classes(y, [train], remedy)
    by_row = rows_of(X)
    return by_row[train], by_row[test], y[train], y[test]


def cross_validate(classifier: Any, X: ArrayLike, y: Labels, splits: Splits | Any) -> pd.DataFrame:
    """Train and test a classifier on each split.

    Parameters
    ----------
    classifier : classifier, or dict of classifiers by name
        A clone is fitted to each split. All classifiers of a dict get the same splits.
    X, y : (n, d) and (n,) arrays
    splits : list of (train, test), or scikit-learn splitter
        Pairs of row indices, as `k_fold` and `shuffle_splits` return them.

    Returns
    -------
    pandas.DataFrame
        A row per split, with the columns repeat, fold, n (all rows), n_train, n_test, accuracy and errors; for a dict,
        the name of the classifier comes first. Successive splits whose test parts together contain each row once are
        the folds of one repeat; any other split is a repeat of its own. Repeats and folds count from 0.

    Raises
    ------
    ValueError
        If a training part lacks a class or shares a row with its test part; the message names the fold.

    References
    ----------
    Bint, Huus and Spratt (2014), Implementing Bayes classifiers, §4.6.

    Examples
    --------
    >>> from bayeslab import NearestMean, k_fold
    >>> X, y = [[0], [1], [2], [7], [8], [3]], ["a", "a", "a", "b", "b", "b"]
    >>> cross_validate(NearestMean(), X, y, k_fold(y, 3, stratify=True))["accuracy"].tolist()  # x = 3 is nearer to "a"
    [1.0, 1.0, 0.5]
    """
    table = _evaluate(classifier, X, y, splits)
    return table if isinstance(classifier, dict) else table.drop(columns="classifier")


def learning_curve(
    classifiers: Any,
    X: ArrayLike,
    y: Labels,
    train_sizes: Sequence[float],
    n_repeats: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Accuracy against the number of training rows: train on random stratified parts of the data, test on the rest.

    Parameters
    ----------
    classifiers : classifier, or dict of classifiers by name
        All of them get the same parts.
    X, y : (n, d) and (n,) arrays
    train_sizes : sequence of int or float
        Numbers of rows to train on, or shares of all rows.
    n_repeats : int
        Number of parts drawn at each size.
    rng : numpy.random.Generator

    Returns
    -------
    pandas.DataFrame
        A row per classifier, size and repeat, with the columns classifier, n_train, repeat and accuracy. The accuracy
        is NaN where a classifier cannot be fitted to so few rows: a full covariance per class, for example, needs
        more rows of each class than there are columns.

    Raises
    ------
    ValueError
        If a size leaves a class without a training row, or a classifier cannot be fitted at any size.

    Examples
    --------
    >>> from bayeslab import QuadraticDiscriminantAnalysis as QDA, load_iris
    >>> iris, rng = load_iris(), np.random.default_rng(0)
    >>> table = learning_curve(QDA(), iris.X, iris.y, [12, 75], 20, rng)
    >>> table.groupby("n_train")["accuracy"].mean().round(2).tolist()  # 4 rows per class are too few for a 4 × 4 Σ
    [nan, 0.97]
    """
    splits = [pair for size in train_sizes for pair in shuffle_splits(y, n_repeats, rng, size, stratify=True)]
    table = _evaluate(classifiers, X, y, splits, skip=ValueError)
    table["repeat"] = np.arange(len(table)) % n_repeats
    return table[["classifier", "n_train", "repeat", "accuracy"]]


class AccuracySummary(NamedTuple):
    """Mean accuracy over splits, its standard error, and what that error assumes."""

    mean: float
    standard_error: float
    assumes: str

    def __repr__(self) -> str:
        return f"{self.mean:.3f} ± {self.standard_error:.3f} (standard error, assuming {self.assumes})"


def accuracy_summary(table: pd.DataFrame) -> AccuracySummary:
    """Mean accuracy of one classifier over splits, with a standard error.

    The J accuracies have a sample variance s², but they are correlated, and no estimate of the variance of their mean
    is unbiased for all distributions. For the folds of one repeat the variance is taken as s²/J, as if they were
    independent, which is often too small. Several repeats use the same rows again, so J, the number of all splits,
    overstates the data; the variance is then (1/J + n_test/(n − n_test)) s², which Nadeau and Bengio proposed for
    random splits and which we also use for repeated folds. (n counts all rows. They write n_test/n_train, which is the
    same if each row is in one of the two parts.) For one k-fold this would at least double the variance, so the error
    of several repeats may be the larger one.

    The error estimates how much this mean would vary over new data sets of the same size; it is not an error bar for
    the one rule fitted to all rows. It is 0 if all accuracies are equal, for example if there are no errors; for few
    errors use a binomial interval, ``scipy.stats.binomtest(right, n).proportion_ci()``.

    Parameters
    ----------
    table : pandas.DataFrame
        From `cross_validate`, with at least two splits.

    Returns
    -------
    AccuracySummary
        A named tuple (mean, standard_error, assumes).

    References
    ----------
    Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52.
    Bengio and Grandvalet (2004), No unbiased estimator of the variance of k-fold cross-validation, JMLR 5.

    Examples
    --------
    >>> table = pd.DataFrame({"repeat": 0, "n_train": 5, "n_test": 5, "n": 10, "accuracy": [0.8, 1.0]})
    >>> accuracy_summary(table)  # s² = 0.02
    0.900 ± 0.100 (standard error, assuming independent folds, although their training parts overlap)
    >>> accuracy_summary(table.assign(repeat=[0, 1]))  # two splits, each on its own: √((1/2 + 1) s²)
    0.900 ± 0.173 (standard error, assuming splits correlated by their share of test rows)
    """
    if not {"n", "n_test"} <= {*table}:
        raise ValueError("the table must come from cross_validate, with n, the number of all rows, and n_test")
    if "classifier" in table and table["classifier"].nunique() > 1:
        raise ValueError(
            "the table has several classifiers; summarise one at a time: "
            '{name: accuracy_summary(rows) for name, rows in table.groupby("classifier")}'
        )
    if len(table) < 2:
        raise ValueError(f"a standard error needs the accuracies of at least two splits, not {len(table)}")
    factor, assumes = 1 / len(table), "independent folds, although their training parts overlap"
    if table["repeat"].nunique() > 1:
        factor += table["n_test"].sum() / (table["n"] - table["n_test"]).sum()
        assumes = "splits correlated by their share of test rows"
    accuracy = table["accuracy"]
    return AccuracySummary(float(accuracy.mean()), float(np.sqrt(factor * accuracy.var(ddof=1))), assumes)


def _evaluate(
    classifiers: Any, X: Any, y: Labels, splits: Splits | Any, skip: type[Exception] | tuple[()] = ()
) -> pd.DataFrame:
    """Table of `cross_validate`, always with a column of names; accuracy is NaN where a classifier raises `skip`."""
    y = as_labels(y)
    check_same_length(X, y)
    by_row = rows_of(X)
    splits = _as_list(splits, X, y)
    numbers = _number_splits(splits, len(y))
    where = [f"repeat {repeat}, fold {fold}: " for repeat, fold in numbers]
    for place, (train, test) in zip(where, splits, strict=True):
        is_train = np.zeros(len(y), dtype=bool)
        is_train[train] = True
        both = test[is_train[test]]
        if len(both):
            raise ValueError(f"{place}row {both.min()} is in the training and in the test part")
    remedy = "shuffle and stratify, such as k_fold(y, n_folds, rng, stratify=True), or train on more rows"
    check_training_classes(y, [train for train, _ in splits], remedy, where)
    named = classifiers if isinstance(classifiers, dict) else {type(classifiers).__name__: classifiers}
    for classifier in named.values():
        if not (hasattr(classifier, "fit") and hasattr(classifier, "predict")) or isinstance(classifier, type):
            wanted = "a classifier with fit and predict, or a dict of classifiers by name"
            raise TypeError(f"{wanted} is needed, not {classifier!r}{hint_if_class(classifier)}")
    rows = []
    for name, classifier in named.items():
        failures = []
        for numbered, (train, test) in zip(numbers, splits, strict=True):
            try:
                fitted = clone(classifier).fit(by_row[train], y[train])
                errors = np.count_nonzero(fitted.predict(by_row[test]) != y[test])
            except skip as failure:  # predict fails if there are fewer than k neighbours, for example
                failures.append(failure)
                errors = np.nan
            rows.append((name, *numbered, len(y), len(train), len(test), (len(test) - errors) / len(test), errors))
        if len(failures) == len(splits):
            raise failures[-1]
    names = ["classifier", "repeat", "fold", "n", "n_train", "n_test", "accuracy", "errors"]
    return pd.DataFrame(rows, columns=names)


def _as_list(splits: Any, X: Any, y: Labelled) -> Splits:
    """Return pairs of indices, from a list of them or from a scikit-learn splitter."""
    if hasattr(splits, "split") and not isinstance(splits, str | bytes):
        splits = list(splits.split(X, y))  # whose own errors say what is wrong
    try:
        pairs = [(np.asarray(train), np.asarray(test)) for train, test in splits]
    except (TypeError, ValueError):
        raise TypeError(
            f"splits must be a list of pairs (train, test), such as k_fold(y, 5, rng), or a scikit-learn splitter, not "
            f"{reprlib.repr(splits)}; of one pair, make a list: [pair]"
        ) from None
    if not pairs:
        raise ValueError("there is no split to evaluate: splits is empty")
    if not all(rows.ndim == 1 and rows.dtype.kind in "iu" for pair in pairs for rows in pair):
        raise TypeError("splits must hold indices of rows; turn a mask into indices with np.flatnonzero(mask)")
    for number, pair in enumerate(pairs):
        for rows in pair:
            outside = rows[(rows < 0) | (rows >= len(y))]
            if len(outside):
                raise ValueError(f"splits[{number}] has the row {outside[0]}, but rows are numbered 0 to {len(y) - 1}")
    return pairs


def _number_splits(splits: Splits, n: int) -> list[tuple[int, int]]:
    """Return the repeat that each split belongs to and its fold in that repeat; both count from 0."""
    ends = np.cumsum([len(test) for _, test in splits])
    numbers, start, repeat = [], 0, 0
    while start < len(splits):
        covered = ends[start] - len(splits[start][1]) + n
        stop = int(np.searchsorted(ends, covered)) + 1
        tests = np.concatenate([test for _, test in splits[start:stop]])
        n_folds = stop - start if (np.bincount(tests, minlength=n) == 1).all() else 1
        numbers += [(repeat, fold) for fold in range(n_folds)]
        start, repeat = start + n_folds, repeat + 1
    return numbers
