"""Checks of notebook 04: a naive covariance, the number of parameters, copies of a feature, two measurements."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.special import expit, logit
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from bayeslab import GaussianNB, QuadraticDiscriminantAnalysis, load_penguins, load_tumours
from bayeslab.checks import exercise, same_case

# Three classes of four features; every entry is different, so that each mistake gives a value of its own.
_FACTORS = np.array(
    [
        [[1.0, 0, 0, 0], [0.5, 1.2, 0, 0], [-0.3, 0.4, 0.9, 0], [0.2, 0.1, -0.6, 1.4]],
        [[2.0, 0, 0, 0], [-0.7, 0.8, 0, 0], [0.6, 0.3, 1.1, 0], [0.9, -0.2, 0.25, 0.7]],
        [[0.6, 0, 0, 0], [0.35, 1.7, 0, 0], [0.15, -0.8, 1.3, 0], [-0.4, 0.55, 0.45, 1.9]],
    ]
)
_S = _FACTORS @ _FACTORS.transpose(0, 2, 1)


def _by_class(change):
    """Return a `make_naive` that treats one matrix at a time."""
    return lambda S: np.array([change(matrix) for matrix in S])


def _variances(S):
    return np.diagonal(S, axis1=1, axis2=2)


def _overwritten(S):
    """Write zeros into the matrices of the caller."""
    S *= np.eye(S.shape[-1])
    return S


def _what_is_left(make_naive):
    """Return the matrices of the caller after the call."""
    S = _S.copy()
    make_naive(S)
    return S


@exercise(
    "4.1",
    {
        "make_naive returned": (_S,),
        "for two 2 × 2 matrices, make_naive returned": (_S[:2, :2, :2],),
        "one array:": lambda make_naive: isinstance(make_naive(_S.copy()), np.ndarray),
        "after the call, the caller's Σ is": _what_is_left,
    },
    wrong={
        "these are the variances alone; return matrices that have them on the diagonal.": (
            _variances,
            lambda S: _variances(S).T,
        ),
        "np.diagonal uses other axes of a stack; work matrix by matrix.": (np.diagonal, lambda S: np.diagonal(S).T),
        "np.diag takes one matrix, not a stack; work matrix by matrix.": np.diag,
        "this is one matrix; return one per class. Is the return inside the loop?": tuple(
            lambda S, k=k: np.diag(np.diag(S[k])) for k in range(-1, 2)
        ),
        "this is the mean over the classes; each class keeps its own.": (
            lambda S: np.diag(np.diag(S.mean(axis=0))),
            lambda S: np.array([np.diag(np.diag(S.mean(axis=0)))] * len(S)),
        ),
        "nothing was set to 0: this is Σ itself.": lambda S: S,
        "you removed the diagonal and kept the rest; do it the other way round.": lambda S: S - make_naive(S),
        "only one triangle was set to 0; set the entries above and below the diagonal to 0.": (np.tril, np.triu),
        "these are correlation matrices; keep the variances.": (
            _by_class(lambda M: M / np.sqrt(np.outer(np.diag(M), np.diag(M))))
        ),
        "these are standard deviations; a covariance matrix has the variances on its diagonal.": (
            _by_class(lambda M: np.diag(np.sqrt(np.diag(M))))
        ),
        "these are identity matrices; keep the variances on the diagonal.": _by_class(lambda M: np.eye(len(M))),
        "this is one variance for all features; each feature keeps its own.": (
            _by_class(lambda M: np.trace(M) / len(M) * np.eye(len(M)))
        ),
        "this has 1 / variance on the diagonal: it is the inverse of the naive matrix.": (
            _by_class(lambda M: np.diag(1 / np.diag(M)))
        ),
        "you put the zeros into the inverses; put them into the covariances.": (
            _by_class(lambda M: np.diag(np.diag(np.linalg.inv(M))))
        ),
        "these are the right matrices, but in a list. np.array(...) makes one array of them.": same_case(
            lambda S: list(make_naive(S))
        ),
        "these are the right matrices, but your function also changes the caller's Σ: "
        "Σ *= ... and Σ[...] = ... write into the array that was passed in. Make a new one.": same_case(_overwritten),
    },
)
def make_naive(S):
    """Diagonals of a stack of matrices, with zeros elsewhere."""
    return S * np.eye(S.shape[-1])


def _entries(d, naive):
    return d if naive else d * (d + 1) // 2


def _of_covariances(d, K, naive, shared):
    return (1 if shared else K) * _entries(d, naive)


def _with_means(d, K, naive, shared):
    return K * d + _of_covariances(d, K, naive, shared)


def _full_with(entries):
    """Return a count of means and covariances in which a full matrix has so many entries."""
    return lambda d, K, naive, shared: K * d + (1 if shared else K) * (d if naive else entries(d))


# Sentence → count of means and covariances; the priors may be missing as well, whatever else is wrong.
_WRONG_COUNTS = {
    "Σ is symmetric: of its d² entries, d(d + 1)/2 are free.": _full_with(lambda d: d * d),
    "the means are missing: d numbers for each class.": (
        _of_covariances,
        lambda *args: _of_covariances(*args) if args[2] else _with_means(*args),
    ),
    "this counts one class only; all K classes have means.": lambda d, K, naive, shared: d + _entries(d, naive),
    "the naive and the full covariance are swapped.": lambda d, K, naive, shared: _with_means(d, K, not naive, shared),
    "the number is the same for naive=True and naive=False. Count d entries of Σ if naive, otherwise d(d + 1)/2.": (
        lambda d, K, naive, shared: _with_means(d, K, True, shared),
        lambda d, K, naive, shared: _with_means(d, K, False, shared),
    ),
    "with shared=False, each class has its own covariance: count the entries of K matrices.": (
        lambda d, K, naive, shared: _with_means(d, K, naive, True)
    ),
    "with shared=True, all classes have the same covariance: count the entries of one matrix.": (
        lambda d, K, naive, shared: _with_means(d, K, naive, False)
    ),
    "shared=True and shared=False are swapped: a shared covariance is one matrix.": (
        lambda d, K, naive, shared: _with_means(d, K, naive, not shared)
    ),
    "the means are counted twice: 2d and d(d + 3)/2 already include them.": (
        _full_with(lambda d: d * (d + 3) // 2),
        lambda d, K, naive, shared: K * d + (1 if shared else K) * (d + _entries(d, naive)),
    ),
    "the diagonal of Σ is missing: there are d(d − 1)/2 entries above it, and d on it.": (
        _full_with(lambda d: d * (d - 1) // 2)
    ),
}


def _as_tuple(answers):
    return answers if isinstance(answers, tuple) else (answers,)


@exercise(
    "4.2",
    # Numbers for which no two of the mistakes give the same count in all cases.
    {
        f"count_parameters(6, 5, naive={naive}, shared={shared}) is": (6, 5, naive, shared)
        for shared in (False, True)
        for naive in (False, True)
    },
    wrong={
        "the priors are missing: K numbers with sum 1, of which K − 1 are free.": _with_means,
        "the K priors sum to 1, so only K − 1 of them are free.": lambda d, K, *of: _with_means(d, K, *of) + K,
    }
    | {
        text: tuple(lambda d, K, *of, f=f: f(d, K, *of) + K - 1 for f in _as_tuple(counts))
        for text, counts in _WRONG_COUNTS.items()
    }
    | {f"{text} The K − 1 free priors are missing, too.": counts for text, counts in _WRONG_COUNTS.items()},
)
def count_parameters(d, K, naive, shared):
    """Count means, covariances and priors."""
    return _with_means(d, K, naive, shared) + K - 1


def _by_powers(p, k, power=pow):
    return power(p, k) / (power(p, k) + power(1 - p, k))


def _by_odds(p, k, power=pow):
    odds = power(p / (1 - p), k)
    return odds / (1 + odds)


@exercise(
    "4.3",
    [(0.6, 3), (0.25, 2), (0.8, 1), (0.5, 7), (0.5, 5000), (0.6, 5000)],
    wrong={
        "this is p^k; divide it by p^k + (1 − p)^k.": lambda p, k: p**k,
        "you multiplied the odds by k; k densities are multiplied, so raise the odds to the power k.": (
            lambda p, k: expit(logit(p) + np.log(k))
        ),
        "this is right for a few copies, but not for 5000: such high powers underflow to 0 or overflow. "
        "Multiply the log odds by k instead.": (
            _by_powers,
            _by_odds,
            lambda p, k: _by_powers(p, k, np.power),
            lambda p, k: _by_odds(p, k, np.power),
        ),
        "this is the posterior of one copy; naive Bayes treats each copy as new evidence.": lambda p, k: p,
        "this is the chance that one of k independent guesses is right; multiply the densities instead.": (
            lambda p, k: 1 - (1 - p) ** k
        ),
        "this is k p, which may exceed 1; multiply the densities, don't add them.": (
            lambda p, k: k * p,
            lambda p, k: min(1, k * p),
        ),
        "this is the posterior of B; you swapped A and B.": lambda p, k: 1 - copied(p, k),
        "these are the odds o; the probability is o / (1 + o).": lambda p, k: (p / (1 - p)) ** k,
        "these are the log odds; turn them into a probability.": lambda p, k: k * logit(p),
        "p^k is divided by p^k + (1 − p); both terms need the power.": lambda p, k: p**k / (p**k + 1 - p),
        "you counted one copy too many; k is the number of columns in all, including the first.": (
            lambda p, k: expit((k + 1) * logit(p))
        ),
        "one copy is missing; k is the number of columns in all.": lambda p, k: expit((k - 1) * logit(p)),
        "you divided the log odds by k: copies make naive Bayes more certain, not less.": lambda p, k: copied(p, 1 / k),
    },
)
def copied(p, k):
    """Posterior with k copies: the odds to the power k."""
    return expit(k * logit(p))


_FOLDS = StratifiedKFold(10, shuffle=True, random_state=4)  # those of the exercise
_PENGUINS = load_penguins().X, load_penguins().y
_TUMOURS = load_tumours().X[:, [0, 1, 7, 8]], load_tumours().y
# A sixth of them, on which the pair with the fewest mistakes in training isn't the best on tumours left out.
_FEW_TUMOURS = load_tumours().X[4::6, [1, 3, 15, 24]], load_tumours().y[4::6]


def _pair_by(key):
    """Return a `best_pair` that takes the pair of columns with the smallest `key`."""
    return lambda rule, X, y: min(combinations(range(X.shape[1]), 2), key=lambda pair: key(rule, X[:, list(pair)], y))


def _mistakes(rule, X, y):
    return np.sum(cross_val_predict(rule, X, y, cv=_FOLDS) != y)


def _singly(rule, X, y):
    """Return the two columns that are best on their own."""
    alone = [_mistakes(rule, X[:, [j]], y) for j in range(X.shape[1])]
    return tuple(sorted(np.argsort(alone, kind="stable")[:2].tolist()))


@exercise(
    "4.4",
    {
        "for the penguins and naive Bayes, best_pair returned": (GaussianNB(), *_PENGUINS),
        "for the penguins and QDA, best_pair returned": (QuadraticDiscriminantAnalysis(), *_PENGUINS),
        "for four measures of the tumours and naive Bayes, best_pair returned": (GaussianNB(), *_TUMOURS),
        "for a sixth of the tumours and QDA, best_pair returned": (QuadraticDiscriminantAnalysis(), *_FEW_TUMOURS),
    },
    wrong={
        "this pair makes the fewest mistakes on the very rows that it was trained on. Count mistakes on rows that the "
        "rule hasn't seen: cross_val_predict(rule, X[:, list(pair)], y, cv=folds).": _pair_by(
            lambda rule, X, y: np.sum(rule.fit(X, y).predict(X) != y)
        ),
        "this is the pair with the most mistakes; take the one with the fewest.": _pair_by(
            lambda *args: -_mistakes(*args)
        ),
        "these are the two columns that do best on their own; try them two at a time.": _singly,
        "this is the pair that naive Bayes would take, whatever the rule; use the rule that is given.": (
            lambda rule, X, y: best_pair(GaussianNB(), X, y)
        ),
        "this is the pair that QDA would take, whatever the rule; use the rule that is given.": (
            lambda rule, X, y: best_pair(QuadraticDiscriminantAnalysis(), X, y)
        ),
        "this is the pair with the strongest correlation; what counts is the number of mistakes.": _pair_by(
            lambda rule, X, y: -abs(np.corrcoef(X.T)[0, 1])
        ),
        "this is the pair with the weakest correlation; what counts is the number of mistakes.": _pair_by(
            lambda rule, X, y: abs(np.corrcoef(X.T)[0, 1])
        ),
    },
    coincide=True,
)
def best_pair(rule, X, y):
    """Return the two columns with the fewest mistakes in ten shuffled folds."""
    return _pair_by(_mistakes)(rule, X, y)
