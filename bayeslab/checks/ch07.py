"""Checks of notebook 07, k-fold cross-validation."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise
from bayeslab.gaussian_classifier import NearestMean
from bayeslab.splits import k_fold

_LABELS = np.repeat(["elm", "ash", "oak"], [11, 7, 5])[np.random.default_rng(1).permutation(23)]
_N_FOLDS = 4


@exercise("7.1")
def stratified_folds(make_folds):
    """Stratified folds: a partition, in equal parts, of all rows and of each class."""
    runs = []
    for seed in range(5):
        folds = make_folds(_LABELS.copy(), _N_FOLDS, np.random.default_rng(seed))
        if folds is None or folds is ...:
            return compare(folds, 0, what="what stratified_folds returns")
        runs.append(list(folds))
        problem = _not_stratified(runs[-1])
        if problem is not None:
            return problem
    if len({tuple(np.sort(folds[0])) for folds in runs}) == 1:
        return "five generators gave the same first fold; shuffle the rows of each class, with rng."
    return None


def _not_stratified(folds):
    """Say what is wrong with one list of folds, or return None."""
    if len(folds) != _N_FOLDS:
        return f"for k = {_N_FOLDS} there are {len(folds)} folds."
    if any(isinstance(fold, tuple) and len(fold) == 2 and np.ndim(fold[0]) == 1 for fold in folds):
        return "these are pairs of training and test rows; return the rows of each fold only, the test rows."
    rows = np.concatenate([np.ravel(fold) for fold in folds])
    if not np.issubdtype(rows.dtype, np.number):
        kind = "True and False" if rows.dtype == bool else "labels"
        return f"the folds hold {kind}; return numbers of rows, 0 to n − 1."
    if not np.isin(rows, np.arange(len(_LABELS))).all():
        return f"the folds hold numbers that are not rows of y; its {len(_LABELS)} rows count from 0."
    rows = rows.astype(int)
    times = np.bincount(rows, minlength=len(_LABELS))
    if (times == _N_FOLDS - 1).all():
        return "these are the training rows; return the rows of each fold itself, the test rows."
    if (times != 1).any():
        row = int(np.flatnonzero(times != 1)[0])
        return f"row {row} is in {times[row]} folds; each row must be in exactly one."
    classes, index = np.unique(_LABELS, return_inverse=True)
    counts = np.array([np.bincount(index[np.ravel(fold).astype(int)], minlength=len(classes)) for fold in folds])
    if (np.ptp(counts, axis=0) > 1).any():
        k = int(np.ptp(counts, axis=0).argmax())
        found = f"the folds hold {counts[:, k].tolist()} rows of class {classes.tolist()[k]!r}"
        return f"{found}; these may differ by at most one. Deal each class to the folds in turn."
    if np.ptp(counts.sum(axis=1)) > 1:
        sizes = counts.sum(axis=1).tolist()
        return f"the classes are balanced, but the folds have {sizes} rows: each class begins again at the first fold."
    return None


@exercise("7.2")
def left_out_means(means_of):
    """Mean of all other rows, for each row."""
    X = np.array([[1.0, -2.0, 0.3], [2.5, 0.4, 7.0], [-3.0, 1.7, 0.9], [0.2, 5.0, -1.1], [4.4, 0.6, 2.2]])
    n, μ = len(X), X.mean(axis=0)
    right = (X.sum(axis=0) - X) / (n - 1)
    mistakes = {
        "you divided by n; without row i there are n − 1 rows.": (X.sum(axis=0) - X) / n,
        "this is the mean of all rows; row i is still in it.": np.tile(μ, (n, 1)),
        "you subtracted row i from the mean; subtract it from the sum n μ.": ((μ - X) / (n - 1), μ - X),
        "you subtracted x/(n − 1) from μ; start from the sum n μ, then divide.": μ - X / (n - 1),
        "the deviation has the wrong sign: without a row far to the right the mean moves left.": μ + (X - μ) / (n - 1),
        "the deviation is divided by n; without row i there are n − 1 rows.": μ - (X - μ) / n,
        "these are the sums of the other rows; divide by n − 1.": X.sum(axis=0) - X,
        "row i counts twice; take it out of the sum instead of adding it.": (X.sum(axis=0) + X) / (n + 1),
        "you added up the columns, too; sum over the rows alone, with axis=0.": (X.sum() - X) / (n - 1),
        "the 1 is taken off after the division; put n − 1 in brackets.": (X.sum(axis=0) - X) / n - 1,
        "this is x minus the mean of the others; give that mean itself.": X - right,
    }
    why = "the mean of no rows, or of a row that you set to nan? Subtract row i from the sum of all rows instead."
    answer = means_of(X.copy())
    problem = _not_finite(answer, why) or compare(answer, right, mistakes, what="what left_out_means returns")
    if problem is None:
        two, why = np.array([[1.0, 5.0], [3.0, -2.0]]), "with two rows, n − 1 is 1; what do you divide by?"
        answer = means_of(two.copy())
        problem = _not_finite(answer, why) or compare(
            answer, two[::-1], what="what left_out_means returns for two rows"
        )
    return problem


def _not_finite(answer, why):
    """Say that an answer holds nan or inf, and what may be the reason, or return None."""
    if answer is None:  # which NumPy would turn into nan
        return None
    try:
        answer = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):  # left to `compare`
        return None
    bad = answer[~np.isfinite(answer)]
    return f"the answer holds {bad[0]}: {why}" if bad.size else None


@exercise("7.3")
def honest(accuracy_of):
    """Mean accuracy of nearest mean on columns that are chosen in each training part."""
    rng = np.random.default_rng(13)
    X, y = rng.standard_normal((46, 60)), np.arange(46) % 2
    splits = k_fold(y, 4, rng, stratify=True)
    n_seen = []

    def choose(rows, labels):
        n_seen.append(len(rows))
        return _three_best(rows, labels)

    answer = accuracy_of(X.copy(), y.copy(), [(train.copy(), test.copy()) for train, test in splits], choose)
    if len(y) in n_seen:
        return f"the leak is still there: choose saw all {len(y)} rows; show it the training rows of a split only."
    if set(n_seen) & {len(test) for _, test in splits}:
        return "choose saw the test rows; show it the training rows of the split."
    if np.shape(answer) == (len(splits),):
        return "this is one accuracy per split; return their mean."
    chosen = [_three_best(X[train], y[train]) for train, _ in splits]
    right = _accuracies(X, y, splits, chosen)
    trained = _accuracies(X, y, [(train, train) for train, _ in splits], chosen)
    once = tuple(np.mean(_accuracies(X, y, splits, [columns] * len(splits))) for columns in chosen)
    mistakes = {
        "choose was not used: this is nearest mean on all columns.": np.mean(
            _accuracies(X, y, splits, [slice(None)] * len(splits))
        ),
        "you chose once, for all splits; choose anew in each training part.": once,
        "you scored the training rows; score the test rows.": np.mean(trained),
        "this is the share of errors; give the accuracy.": 1 - np.mean(right),
        "this is the accuracy of the last split only; take the mean of all.": right[-1],
        "this is the accuracy of the first split only; return after the loop.": right[0],
        "this is the sum over the splits; take the mean.": np.sum(right),
    }
    why = "the mean of no accuracies? Append the accuracy of each split to the list before you take the mean."
    return _not_finite(answer, why) or compare(answer, np.mean(right), mistakes, what="what honest returns")


def _three_best(X, y):
    """Choose the columns whose class means differ most."""
    return np.argsort(-np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0)))[:3]


def _accuracies(X, y, splits, chosen):
    """Accuracy of nearest mean in each split, on the columns chosen for it."""
    result = []
    for (train, test), columns in zip(splits, chosen, strict=True):
        rule = NearestMean().fit(X[train][:, columns], y[train])
        result.append(rule.score(X[test][:, columns], y[test]))
    return result
