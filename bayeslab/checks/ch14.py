"""Checks of notebook 14, directions that matter."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh
from scipy.stats import f_oneway

from bayeslab.checks import exercise, same_case

_RNG = np.random.default_rng(14)
_MIX = np.array([[3.0, 1, 0, 0, 0], [0, 2, 1, 0, 0], [0, 0, 1.5, 0.5, 0], [0, 0, 0, 1, 0.4], [0, 0, 0, 0, 0.5]])
_X = _RNG.normal(size=(40, 5)) @ _MIX + [9, -4, 6, 2, 3]
_TWO_EQUAL = np.array([[0.0, 0], [0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])  # each axis holds exactly one half


def _singular(X):
    return np.linalg.svd(X, compute_uv=False)


def _centred(X):
    return X - X.mean(axis=0)


def _parts_of_scatter(X):
    scatter = _singular(_centred(X)) ** 2
    return scatter / np.sum(scatter)


def _count(scatter, share):
    """Return how many have to be added up, in this order, to hold the share."""
    return int(np.sum(np.cumsum(scatter) / np.sum(scatter) < share) + 1)


@exercise(
    "14.1",
    {f"for a share of {share}, components_for returned": (_X, share) for share in (0.4, 0.7, 0.9, 0.97, 0.998)}
    | {"where each of two axes holds one half, for a share of 0.5, components_for returned": (_TWO_EQUAL, 0.5)},
    wrong={
        "the data were not centred; subtract the mean of each column first.": (
            lambda X, share: _count(_singular(X) ** 2, share)
        ),
        "you added up the singular values; their squares are the scatter.": (
            lambda X, share: _count(_singular(_centred(X)), share)
        ),
        "this is one too few: it counts the components with which the share is not yet reached.": (
            lambda X, share: components_for(X, share) - 1
        ),
        "you started from the smallest scatter; start from the largest.": (
            lambda X, share: _count(_singular(_centred(X))[::-1] ** 2, share)
        ),
        "you divided the columns by their standard deviations; take them as they are.": (
            lambda X, share: components_for(X / X.std(axis=0), share)
        ),
        "you subtracted one mean from all columns; each has its own.": (
            lambda X, share: _count(_singular(X - X.mean()) ** 2, share)
        ),
        "you compared the scatter itself with the share; divide by the sum first.": (
            lambda X, share: int(np.sum(np.cumsum(_singular(_centred(X)) ** 2) < share) + 1)
        ),
        "you counted the components that each hold the share; add up what they hold.": (
            lambda X, share: int(np.sum(_parts_of_scatter(X) >= share))
        ),
        "one component holds exactly the share of 0.5 here, and that is enough: count the sums that are < share, "
        "not <=. Unlike here, scikit-learn's PCA(share) wants more than the share.": same_case(
            lambda X, share: int(np.sum(np.cumsum(_parts_of_scatter(X)) <= share) + 1)
        ),
    },
    coincide=True,
)
def components_for(X, share):
    """Count the principal components that hold a share of the scatter."""
    return _count(_singular(_centred(X)) ** 2, share)


_Y = np.repeat([0, 1, 2], [6, 12, 22])
_CLASSES = _X + np.array([[0, 0, 0, 0, 0], [2.0, 1, 0, -1, 1], [1, -2, 2, 0, 0]])[_Y]
_W = np.array([0.5, -1, 1, 0.3, 2])


def _scatters(X, y):
    rows = np.array([X[y == label].mean(axis=0) for label in y])  # for each sample the mean of its class
    return (rows - X.mean(axis=0)).T @ (rows - X.mean(axis=0)), (X - rows).T @ (X - rows)


def _parts(w, X, y):
    """Return the positions of each class along w."""
    return [(X @ w)[y == label] for label in np.unique(y)]


def _within(w, X, y):
    return sum(((part - part.mean()) ** 2).sum() for part in _parts(w, X, y))


def _between(w, X, y, *, weighted=True, about=lambda parts: np.concatenate(parts).mean()):
    parts = _parts(w, X, y)
    return sum((len(part) if weighted else 1) * (part.mean() - about(parts)) ** 2 for part in parts)


def _mean_of_means(parts):
    return np.mean([part.mean() for part in parts])


@exercise(
    "14.2",
    {
        "ratio returned": (_W, _CLASSES, _Y),
        "for two classes with the labels a and b, ratio returned": (
            _W,
            _CLASSES[_Y > 0],
            np.array(["", "b", "a"])[_Y[_Y > 0]],
        ),
    },
    wrong={
        "the class means were not weighted; weight each by the size of its class.": (
            lambda *args: _between(*args, weighted=False) / _within(*args),
            lambda *args: _between(*args, weighted=False, about=_mean_of_means) / _within(*args),
        ),
        "the common mean is that of all samples, not that of the class means.": (
            lambda *args: _between(*args, about=_mean_of_means) / _within(*args)
        ),
        "this is the scatter within divided by that between; turn it round.": lambda *args: (
            _within(*args) / _between(*args)
        ),
        "you divided by the total scatter; divide by that within the classes.": (
            lambda *args: _between(*args) / (_between(*args) + _within(*args))
        ),
        "you divided by variances; the scatter within is a sum of squared deviations.": (
            lambda *args: _between(*args) / sum(part.var() for part in _parts(*args)),
            lambda *args: _between(*args) / sum(part.var(ddof=1) for part in _parts(*args)),
        ),
        "this is the F of an analysis of variance; J does not divide by K − 1 and n − K.": (
            lambda *args: f_oneway(*_parts(*args)).statistic
        ),
        "this is the largest J of all directions; take the one along w.": (
            lambda w, X, y: eigh(*_scatters(X, y), eigvals_only=True)[-1]
        ),
        "this is over all directions; project on w first.": (
            lambda w, X, y: np.trace(_scatters(X, y)[0]) / np.trace(_scatters(X, y)[1])
        ),
        "this is the root of J.": lambda *args: np.sqrt(ratio(*args)),
        "this is the scatter between alone; divide it by that within.": _between,
    },
)
def ratio(w, X, y):
    """Fisher's ratio along a direction."""
    return _between(w, X, y) / _within(w, X, y)
