"""Checks of notebook 07, k-fold cross-validation."""

from __future__ import annotations

from itertools import count, islice, takewhile

import numpy as np
from scipy.stats import binomtest

from bayeslab.checks import exercise, same_shape
from bayeslab.checks._outcomes import Refused, attempt, kind_of, read
from bayeslab.gaussian_classifier import NearestMean
from bayeslab.validation import k_fold

_LABELS = np.repeat(["elm", "ash", "oak"], [11, 7, 5])[np.random.default_rng(1).permutation(23)]
_N_FOLDS = 4


def _stratified(make_folds):
    """Tell whether folds of five generators are a partition, in equal parts, of all rows and of each class."""
    first_folds = set()
    for seed in range(5):
        folds = make_folds(_LABELS.copy(), _N_FOLDS, np.random.default_rng(seed))
        if folds is None or folds is ...:
            return folds
        listed, error = attempt(lambda folds=folds: list(islice(folds, 100)))
        if error is not None:
            return Refused(f"stratified_folds returned {kind_of(folds)}, not a list of folds.")
        problem = _not_stratified(listed)
        if problem is not None:
            return Refused(problem)
        first_folds.add(tuple(np.sort(listed[0])))
    if len(first_folds) == 1:
        return Refused("five generators gave the same first fold; shuffle the rows of each class, with rng.")
    return True


def _not_stratified(folds):
    """Say what is wrong with one list of folds, or return None."""
    if len(folds) != _N_FOLDS:
        return f"for k = {_N_FOLDS} there should be {_N_FOLDS} folds, but there are {len(folds)}."
    if any(isinstance(fold, tuple) and len(fold) == 2 and np.size(fold[0]) > 1 for fold in folds):
        return "these are pairs of training and test rows; return only the test rows of each fold."
    rows = [read(fold, "a fold is", "stratified_folds") for fold in folds]
    for each in rows:
        if isinstance(each, Refused):
            return "the folds hold labels or other things; return numbers of rows, 0 to n − 1."
        if each.dtype == bool:
            return "the folds hold True and False; return numbers of rows, 0 to n − 1."
    together = np.concatenate([each.ravel() for each in rows])
    if not np.isin(together, np.arange(len(_LABELS))).all():
        return f"the folds hold numbers that are not rows of y; its {len(_LABELS)} rows count from 0."
    times = np.bincount(together.astype(int), minlength=len(_LABELS))
    if (times == _N_FOLDS - 1).all():
        return "these are the training rows; return the rows of each fold itself, the test rows."
    if (times != 1).any():
        row = int(np.flatnonzero(times != 1)[0])
        return f"row {row} is in {times[row]} folds; each row must be in exactly one."
    classes, index = np.unique(_LABELS, return_inverse=True)
    counts = np.array([np.bincount(index[each.ravel().astype(int)], minlength=len(classes)) for each in rows])
    if (np.ptp(counts, axis=0) > 1).any():
        k = int(np.ptp(counts, axis=0).argmax())
        return (
            f"the folds hold {counts[:, k].tolist()} rows of class {classes.tolist()[k]!r}; these may differ by at "
            f"most one. Deal the rows of each class to the folds in turn."
        )
    sizes = counts.sum(axis=1)
    if np.ptp(sizes) > 1:
        return (
            f"the classes are balanced, but the folds have {sizes.tolist()} rows, since each class starts "
            f"at the first fold. Continue where the last class ended."
        )
    return None


@exercise("7.1", {"stratified_folds returned": _stratified})
def stratified_folds(y, k, rng):
    """Rows of each fold."""
    order = np.concatenate([rng.permutation(np.flatnonzero(y == label)) for label in np.unique(y)])
    return [order[fold::k] for fold in range(k)]


@exercise(
    "7.2",
    {
        "left_out_means returned": (
            np.array([[1.0, -2.0, 0.3], [2.5, 0.4, 7.0], [-3.0, 1.7, 0.9], [0.2, 5.0, -1.1], [4.4, 0.6, 2.2]]),
        ),
        "for two rows, left_out_means returned": (np.array([[1.0, 5.0], [3.0, -2.0]]),),
    },
    wrong={
        "you divided by n; without row i there are n − 1 rows.": lambda X: (X.sum(axis=0) - X) / len(X),
        "this is the mean of all rows; row i is still in it.": lambda X: np.tile(X.mean(axis=0), (len(X), 1)),
        "you subtracted row i from the mean; subtract it from the sum n μ.": (
            lambda X: (X.mean(axis=0) - X) / (len(X) - 1),
            lambda X: X.mean(axis=0) - X,
        ),
        "you subtracted x/(n − 1) from μ; start from the sum n μ, then divide.": (
            lambda X: X.mean(axis=0) - X / (len(X) - 1)
        ),
        "the deviation has the wrong sign: without a large row, the mean gets smaller.": (
            lambda X: X.mean(axis=0) + (X - X.mean(axis=0)) / (len(X) - 1)
        ),
        "the deviation is divided by n; without row i there are n − 1 rows.": (
            lambda X: X.mean(axis=0) - (X - X.mean(axis=0)) / len(X)
        ),
        "these are the sums of the other rows; divide by n − 1.": lambda X: X.sum(axis=0) - X,
        "row i counts twice; take it out of the sum instead of adding it.": (
            lambda X: (X.sum(axis=0) + X) / (len(X) + 1)
        ),
        "you added up the columns as well; sum only over the rows, axis=0.": lambda X: (X.sum() - X) / (len(X) - 1),
        "axis=1 adds up the columns of each row; sum over the rows, with axis=0.": (
            lambda X: (X.sum(axis=1) - X) / (len(X) - 1),
            lambda X: (X.sum(axis=1, keepdims=True) - X) / (len(X) - 1),
            lambda X: (X.sum(axis=1, keepdims=True) - X) / (X.shape[1] - 1),
            lambda X: X.mean(axis=1),
            lambda X: np.array([np.delete(X, i, axis=0).mean(axis=1) for i in range(len(X))]),
        ),
        "you subtracted the 1 after the division; put n − 1 in brackets.": lambda X: (X.sum(axis=0) - X) / len(X) - 1,
        "this is x minus the mean of the others; return that mean itself.": lambda X: X - left_out_means(X),
        "this is nan: the mean of no rows, or of a row that you set to nan. Subtract row i from the sum instead.": (
            lambda X: np.where(np.eye(len(X))[:, :, None], np.nan, X).mean(axis=1)
        ),
    },
)
def left_out_means(X):
    """Mean of all other rows, for each row."""
    return (X.sum(axis=0) - X) / (len(X) - 1)


_X, _Y = np.random.default_rng(13).standard_normal((46, 60)), np.arange(46) % 2
_SPLITS = k_fold(_Y, 4, np.random.default_rng(16), stratify=True)


def _three_best(X, y):
    """Choose the columns whose class means differ most."""
    return np.argsort(-np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0)))[:3]


def _result(honest, choose=_three_best):
    return honest(_X.copy(), _Y.copy(), [(train.copy(), test.copy()) for train, test in _SPLITS], choose)


def _rows_seen(honest):
    """Return how many rows choose saw in one call, at most."""
    n_seen = [0]

    def choose(X, y):
        n_seen.append(len(X))
        return _three_best(X, y)

    result = _result(honest, choose)
    return read(result, "honest returned", "honest") if result is None or result is ... else max(n_seen)


def _train(train, test):
    return train


def _test(train, test):
    return test


def _all(train, test):
    return np.union1d(train, test)


def _accuracies(X, y, splits, choose, *, chosen=_train, fitted=_train, scored=_test):
    """Return the accuracy in each split; what is chosen, fitted and scored on which rows may be wrong."""
    accuracies = []
    for train, test in splits:
        choice, fit, score = chosen(train, test), fitted(train, test), scored(train, test)
        columns = choose(X[choice], y[choice])
        rule = NearestMean().fit(X[fit][:, columns], y[fit])
        accuracies.append(rule.score(X[score][:, columns], y[score]))
    return np.array(accuracies)


def _mean(**rows):
    return lambda *args: _accuracies(*args, **rows).mean()


def _chosen_once(place):
    """Return an answer that chooses in the training part of one split, for all."""
    return lambda X, y, splits, choose: _accuracies(X, y, splits, choose, chosen=lambda *_: splits[place][0]).mean()


@exercise(
    "7.3",
    {"the largest number of rows that choose saw at once is": _rows_seen, "honest returned": _result},
    wrong={
        f"the leak is still there: choose saw all {len(_Y)} rows; show it only the training rows of the split.": (
            _mean(chosen=_all)
        ),
        "the rule has learned from the test rows, so there is still a leak: fit it to the training rows only.": (
            _mean(fitted=_all),
            _mean(fitted=_all, scored=_all),
            _mean(fitted=_test),
        ),
        "this is one accuracy per split; return their mean.": same_shape(_accuracies),
        "choose saw the test rows; show it only the training rows of the split.": _mean(chosen=_test),
        "choose was not used: this is nearest mean on all columns.": (
            lambda X, y, splits, choose: honest(X, y, splits, lambda *_: np.arange(X.shape[1]))
        ),
        "you chose once for all splits; choose again in each training part.": tuple(map(_chosen_once, range(4))),
        "you scored the training rows; score the test rows.": _mean(scored=_train),
        "you scored all rows; score the test rows only.": _mean(scored=_all),
        "this is the share of errors; return the accuracy.": lambda *args: 1 - honest(*args),
        "this is the accuracy of the last split only; take the mean of all.": lambda *args: _accuracies(*args)[-1],
        "this is the accuracy of the first split only; return after the loop.": lambda *args: _accuracies(*args)[0],
        "this is the sum over the splits; take the mean.": lambda *args: _accuracies(*args).sum(),
        "this is the mean of no accuracies. Append the accuracy of each split to the list before you take the mean.": (
            lambda *args: np.mean(_accuracies(*args)[:0])
        ),
    },
)
def honest(X, y, splits, choose):
    """Mean accuracy of nearest mean on columns that are chosen in each training part."""
    return _accuracies(X, y, splits, choose).mean()


def _upper(mistakes, n, alternative="less", level=0.95):
    return binomtest(mistakes, n, alternative=alternative).proportion_ci(level).high


def _most(upper, n, limit):
    """Return the largest number of mistakes whose upper end is within the limit; −1 if there is none."""
    return sum(1 for _ in takewhile(lambda mistakes: upper(mistakes, n) <= limit, count())) - 1


def _of(upper):
    return lambda n, limit: _most(upper, n, limit)


def _normal(errors):
    """Return an answer that adds standard errors to the share of mistakes."""
    return _of(lambda mistakes, n: mistakes / n + errors * np.sqrt(mistakes / n * (1 - mistakes / n) / n))


@exercise(
    "7.4",
    [(569, 0.07), (2000, 0.02), (1000, 0.05)],
    wrong={
        "this is the upper end of a two-sided interval. Only too many mistakes would hurt; use alternative='less'.": (
            _of(lambda mistakes, n: _upper(mistakes, n, "two-sided"))
        ),
        "with that many mistakes, the upper end is already above the limit. Return one mistake fewer.": (
            lambda n, limit: most_mistakes(n, limit) + 1
        ),
        "this compares the share of mistakes itself with the limit. The rate may be higher than the share; compare the "
        "upper end of the interval.": (_of(lambda mistakes, n: mistakes / n), lambda n, limit: n * limit),
        "this compares the lower end of the interval with the limit; compare the upper end.": (
            _of(lambda mistakes, n: binomtest(mistakes, n).proportion_ci(0.95).low),
            _of(lambda mistakes, n: binomtest(mistakes, n, alternative="greater").proportion_ci(0.95).low),
        ),
        "with one more mistake, the upper end would still be within the limit.": (
            lambda n, limit: most_mistakes(n, limit) - 1
        ),
        "this adds standard errors to the share; use the binomial interval, which also holds for few mistakes.": (
            _normal(2),
            _normal(1),
        ),
        "the rule of three is about no mistakes at all; use binomtest.": _of(lambda mistakes, n: (mistakes + 3) / n),
        "this is a share; return the number of mistakes.": lambda n, limit: most_mistakes(n, limit) / n,
        "this is the upper end of an interval, a rate; return the number of mistakes.": (
            lambda n, limit: _upper(most_mistakes(n, limit), n)
        ),
    },
)
def most_mistakes(n, limit):
    """Largest number of mistakes for which the one-sided 95 % upper limit of the rate is within `limit`."""
    return _most(_upper, n, limit)
