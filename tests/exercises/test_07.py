"""The checks of notebook 07 accept what is right, in whatever form, and name each usual mistake."""

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import NearestCentroid

from bayeslab import k_fold


def by_sklearn(y, k, rng):
    splitter = StratifiedKFold(k, shuffle=True, random_state=int(rng.integers(1000)))
    return [test for _, test in splitter.split(y, y)]


def test_parts(y, k, rng, **options):
    return [test for _, test in k_fold(y, k, rng, **options)]


test_parts.__test__ = False


def each_class_from_the_first_fold(y, k, rng):
    parts = [np.array_split(rng.permutation(np.flatnonzero(y == label)), k) for label in np.unique(y)]
    return [np.concatenate(fold) for fold in zip(*parts, strict=True)]


def overlapping(y, k, rng):
    return [rng.choice(len(y), len(y) // k, replace=False) for _ in range(k)]


def means_without(X):
    return np.array([np.delete(X, i, axis=0).mean(axis=0) for i in range(len(X))])


def mean_of_nan_rows(X):
    """Row i set to nan, but averaged by `mean` instead of `nanmean`."""
    without = np.repeat(X[None], len(X), axis=0)
    without[range(len(X)), range(len(X))] = np.nan
    return without.mean(axis=1)


def divided_by_n_minus_two(X):
    """Right for the first X, and a division by zero for two rows."""
    n = len(X)
    return means_without(X) if n > 2 else (X.sum(axis=0) - X) * np.divide(1, np.zeros(1))


def honest(X, y, splits, choose, chosen_by=lambda train, test: train):
    scores = []
    for train, test in splits:
        columns, rule = choose(X[chosen_by(train, test)], y[chosen_by(train, test)]), NearestCentroid()
        scores += cross_val_score(rule, X[:, columns], y, cv=[(train, test)]).tolist()
    return np.mean(scores)


def leaky(X, y, splits, choose):
    return honest(X, y, splits, choose, lambda train, test: np.arange(len(y)))


def chosen_once(number):
    """Return an `honest` that chooses in the training part of one split, for all."""

    def answer(X, y, splits, choose):
        return honest(X, y, splits, choose, lambda *part: splits[number][0])

    return answer


def on_training_rows(X, y, splits, choose):
    return honest(X, y, [(train, train) for train, _ in splits], choose)


def per_split(X, y, splits, choose):
    return [honest(X, y, [split], choose) for split in splits]


# (number, answer, what is said)
TABLE = [
    ("7.1", by_sklearn, DONE),
    ("7.1", lambda *args: test_parts(*args, stratify=True), DONE),
    ("7.1", lambda *args: (fold.astype(float).tolist() for fold in test_parts(*args, stratify=True)), DONE),
    ("7.1", lambda y, k, rng: np.array_split(rng.permutation(len(y)), k), "may differ by at most one. Deal"),
    ("7.1", lambda y, k, rng: np.array_split(np.arange(len(y)), k), "may differ by at most one. Deal"),
    ("7.1", each_class_from_the_first_fold, "begins again at the first fold"),
    ("7.1", lambda y, k, rng: test_parts(y, k, None, stratify=True), "the same first fold"),
    ("7.1", lambda *args: k_fold(*args, stratify=True), "pairs of training and test rows"),
    ("7.1", lambda *args: [train for train, _ in k_fold(*args, stratify=True)], "these are the training rows"),
    ("7.1", lambda y, k, rng: [y[fold] for fold in by_sklearn(y, k, rng)], "the folds hold labels"),
    ("7.1", lambda y, k, rng: [np.isin(range(len(y)), fold) for fold in by_sklearn(y, k, rng)], "True and False"),
    ("7.1", lambda *args: [fold + 1 for fold in by_sklearn(*args)], "count from 0"),
    ("7.1", lambda *args: by_sklearn(*args)[1:], "there are 3 folds"),
    ("7.1", overlapping, "exactly one"),
    ("7.2", means_without, DONE),
    ("7.2", lambda X: ((X.sum(axis=0) - X) / (len(X) - 1)).tolist(), DONE),
    ("7.2", lambda X: (X.sum(axis=0) - X) / len(X), "there are n − 1 rows"),
    ("7.2", lambda X: np.broadcast_to(X.mean(axis=0), X.shape), "row i is still in it"),
    ("7.2", lambda X: X.mean(axis=0) - X / (len(X) - 1), "start from the sum n μ"),
    ("7.2", lambda X: (X.mean(axis=0) - X) / (len(X) - 1), "subtract it from the sum n μ"),
    ("7.2", lambda X: X.sum(axis=0) - X, "sums of the other rows"),
    ("7.2", lambda X: 2 * X.mean(axis=0) - means_without(X), "the deviation has the wrong sign"),
    ("7.2", lambda X: (X.sum() - X) / (len(X) - 1), "sum over the rows alone"),
    ("7.2", lambda X: (X.sum(axis=0) - X) / len(X) - 1, "put n − 1 in brackets"),
    ("7.2", lambda X: X.mean(axis=0), "has shape"),
    ("7.2", mean_of_nan_rows, "holds nan: the mean of no rows, or of a row that you set to nan?"),
    ("7.2", lambda X: (X.sum(axis=0) - X) / np.zeros(1), "holds"),
    ("7.2", divided_by_n_minus_two, "what do you divide by?"),
    ("7.2", lambda X: [["a"]], "not list"),
    ("7.3", honest, DONE),
    ("7.3", lambda X, y, splits, choose: float("nan") * len(choose(X[splits[0][0]], y[splits[0][0]])), "no accuracies"),
    ("7.3", lambda *args: np.array([honest(*args)]), DONE),
    ("7.3", leaky, "choose saw all 46 rows"),
    ("7.3", lambda *args: honest(*args, lambda train, test: test), "choose saw the test rows"),
    ("7.3", lambda X, y, splits, choose: honest(X, y, splits, lambda *part: np.arange(X.shape[1])), "on all columns"),
    ("7.3", lambda *args: 1 - honest(*args), "share of errors"),
    ("7.3", chosen_once(0), "you chose once"),
    ("7.3", chosen_once(-1), "you chose once"),
    ("7.3", on_training_rows, "you scored the training rows"),
    ("7.3", per_split, "return their mean"),
    ("7.3", lambda *args: sum(per_split(*args)), "this is the sum"),
    ("7.3", lambda *args: per_split(*args)[0], "first split only"),
    ("7.3", lambda *args: per_split(*args)[-1], "last split only"),
    ("7.3", lambda X, y, splits, choose: honest(X, y, splits, choose) + 0 * choose(X, y)[0], "the leak is still there"),
]
TABLE += unfinished("7.1", "7.2", "7.3")


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
