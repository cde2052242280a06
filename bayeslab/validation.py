"""Accuracy on data not used for training: cross-validation, its standard error, and learning curves."""

from __future__ import annotations

from numbers import Integral
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone

from bayeslab._base.arrays import check_same_length
from bayeslab.splits import as_labels, check_training_classes, shuffle_splits


def cross_validate(classifier, X, y, splits) -> pd.DataFrame:
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
        A row per split, with the columns repeat, fold, n_train, n_test, accuracy and errors; for a dict, the name of
        the classifier comes first. Successive splits whose test parts together contain each row once are the folds of
        one repeat; any other split is a repeat of its own. Repeats and folds count from 0.

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


def learning_curve(classifiers, X, y, train_sizes, n_repeats: int, rng: np.random.Generator) -> pd.DataFrame:
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
    overstates the data; the variance is then (1/J + n_test/n_train) s², which Nadeau and Bengio proposed for random
    splits and which we also use for repeated folds. For one k-fold this would at least double the variance, so the
    error of several repeats may be the larger one.

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
    >>> table = pd.DataFrame({"repeat": 0, "n_train": 5, "n_test": 5, "accuracy": [0.8, 1.0]})  # s² = 0.02
    >>> accuracy_summary(table)
    0.900 ± 0.100 (standard error, assuming independent folds, although their training parts overlap)
    >>> accuracy_summary(table.assign(repeat=[0, 1]))  # two splits, each on its own: √((1/2 + 1) s²)
    0.900 ± 0.173 (standard error, assuming splits correlated by their share of test rows)
    """
    if "n_test" not in table:
        raise ValueError("the table must come from cross_validate, with the sizes n_train and n_test of each split")
    if "classifier" in table and table["classifier"].nunique() > 1:
        raise ValueError(
            "the table has several classifiers; summarise one at a time: "
            '{name: accuracy_summary(rows) for name, rows in table.groupby("classifier")}'
        )
    if len(table) < 2:
        raise ValueError(f"a standard error needs the accuracies of at least two splits, not {len(table)}")
    factor, assumes = 1 / len(table), "independent folds, although their training parts overlap"
    if table["repeat"].nunique() > 1:
        factor += table["n_test"].sum() / table["n_train"].sum()
        assumes = "splits correlated by their share of test rows"
    accuracy = table["accuracy"]
    return AccuracySummary(float(accuracy.mean()), float(np.sqrt(factor * accuracy.var(ddof=1))), assumes)


def _evaluate(classifiers, X, y, splits, skip=()) -> pd.DataFrame:
    """Table of `cross_validate`, always with a column of names; accuracy is NaN where a classifier raises `skip`."""
    y = as_labels(y)
    check_same_length(X, y)
    rows_of = X.iloc if hasattr(X, "iloc") else np.asarray(X)  # a DataFrame keeps the names of its columns
    splits = _as_list(splits, X, y)
    numbers = _number_splits(splits, len(y))
    for (repeat, fold), (train, test) in zip(numbers, splits, strict=True):
        both = np.intersect1d(train, test)
        if len(both):
            raise ValueError(f"repeat {repeat}, fold {fold}: row {both[0]} is in the training and in the test part")
        remedy = "shuffle and stratify, such as k_fold(y, n_folds, rng, stratify=True), or train on more rows"
        check_training_classes(y, train, remedy, f"repeat {repeat}, fold {fold}: ")
    named = classifiers if isinstance(classifiers, dict) else {type(classifiers).__name__: classifiers}
    rows = []
    for name, classifier in named.items():
        failures = []
        for numbered, (train, test) in zip(numbers, splits, strict=True):
            try:
                fitted = clone(classifier).fit(rows_of[train], y[train])
                errors = np.count_nonzero(fitted.predict(rows_of[test]) != y[test])
            except skip as failure:  # predict fails if there are fewer than k neighbours, for example
                failures.append(failure)
                errors = np.nan
            rows.append((name, *numbered, len(train), len(test), (len(test) - errors) / len(test), errors))
        if len(failures) == len(splits):
            raise failures[-1]
    names = ["classifier", "repeat", "fold", "n_train", "n_test", "accuracy", "errors"]
    return pd.DataFrame(rows, columns=names)


def _as_list(splits, X, y) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return pairs of indices, from a list of them or from a scikit-learn splitter."""
    if isinstance(splits, Integral):
        raise TypeError(f"splits must be a list of (train, test), such as k_fold(y, {splits}, rng), not {splits}")
    pairs = splits.split(X, y) if hasattr(splits, "split") else splits
    pairs = [(np.asarray(train), np.asarray(test)) for train, test in pairs]
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


def _number_splits(splits, n: int) -> list[tuple[int, int]]:
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
