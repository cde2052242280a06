"""Checks of notebook 14, directions that matter."""

from __future__ import annotations

from numbers import Number

import numpy as np
from scipy.linalg import eigh

from bayeslab.checks import compare, exercise

_RNG = np.random.default_rng(14)
_MIX = np.array([[3.0, 1, 0, 0, 0], [0, 2, 1, 0, 0], [0, 0, 1.5, 0.5, 0], [0, 0, 0, 1, 0.4], [0, 0, 0, 0, 0.5]])
_X = _RNG.normal(size=(40, 5)) @ _MIX + [9, -4, 6, 2, 3]
_SHARES = (0.4, 0.7, 0.9, 0.97, 0.998)
_Y = np.repeat([0, 1, 2], [6, 12, 22])
_CLASSES = _X + np.array([[0, 0, 0, 0, 0], [2.0, 1, 0, -1, 1], [1, -2, 2, 0, 0]])[_Y]
_W = np.array([0.5, -1, 1, 0.3, 2])


def _counts(scatter):
    """Components needed for each of the shares."""
    held = np.cumsum(scatter) / np.sum(scatter)
    return np.array([np.sum(held < share) + 1 for share in _SHARES])


@exercise("14.1")
def components_for(count):
    """Count the principal components that hold a share of the scatter."""
    centred = _X - _X.mean(axis=0)
    D = np.linalg.svd(centred, compute_uv=False)
    right = _counts(D**2)
    of_units = np.linalg.svd(centred / centred.std(axis=0), compute_uv=False)
    mistakes = {
        "the data were not centred; subtract the mean of each column first.": _counts(
            np.linalg.svd(_X, compute_uv=False) ** 2
        ),
        "you added up the singular values; their squares are the scatter.": _counts(D),
        "this is one too few: it counts the components with which the share is not yet reached.": right - 1,
        "you started from the smallest scatter; start from the largest.": _counts(D[::-1] ** 2),
        "you divided the columns by their standard deviations; take them as they are.": _counts(of_units**2),
        "you subtracted one mean from all; each column has its own.": _counts(
            np.linalg.svd(_X - _X.mean(), compute_uv=False) ** 2
        ),
        "you compared the scatter itself with the share; divide by the sum first.": np.ones(len(_SHARES)),
        "you counted components that hold the share each; add up what they hold.": np.array(
            [np.sum(D**2 / np.sum(D**2) >= share) for share in _SHARES]
        ),
    }
    if not isinstance(answer := count(_X.copy(), _SHARES[0]), Number | np.ndarray):
        return compare(answer, right[0], what="what components_for returns")
    if np.size(answer) != 1:
        return compare(answer, right[0], what="what components_for returns")
    answer = np.array([np.squeeze(count(_X.copy(), share)) for share in _SHARES])
    return compare(answer, right, mistakes, what=f"what components_for returns for the shares {_SHARES}")


def _scatters(X, y):
    m, S_b, S_w = X.mean(axis=0), 0, 0
    for label in np.unique(y):
        rows = X[y == label]
        deviation = rows.mean(axis=0) - m
        S_b = S_b + len(rows) * np.outer(deviation, deviation)
        S_w = S_w + (rows - rows.mean(axis=0)).T @ (rows - rows.mean(axis=0))
    return S_b, S_w


@exercise("14.2")
def ratio(function):
    """Judge Fisher's ratio along a direction."""
    S_b, S_w = _scatters(_CLASSES, _Y)
    between, within = _W @ S_b @ _W, _W @ S_w @ _W
    t = _CLASSES @ _W
    parts = [t[k == _Y] for k in range(3)]
    means = np.array([part.mean() for part in parts])
    sizes = np.array([len(part) for part in parts])
    middle = means.mean()
    mistakes = {
        "the class means were not weighted; count each as often as its class has samples.": (
            np.sum((means - t.mean()) ** 2) / within,
            np.sum((means - middle) ** 2) / within,
        ),
        "the common mean is that of all samples, not that of the class means.": np.sum(sizes * (means - middle) ** 2)
        / within,
        "this is the scatter within over that between; turn it round.": within / between,
        "you divided by the total scatter; divide by that within the classes.": between / (between + within),
        "you divided by variances; within is a sum of squared deviations.": tuple(
            between / sum(part.var(ddof=ddof) for part in parts) for ddof in (0, 1)
        ),
        "this is the F of an analysis of variance; J does not divide by K − 1 and n − K.": (between / 2)
        / (within / (len(t) - 3)),
        "this is the largest J of all directions; take the one along w.": eigh(S_b, S_w, eigvals_only=True)[-1],
        "this is over all directions; project on w first.": np.trace(S_b) / np.trace(S_w),
        "this is the root of J.": np.sqrt(between / within),
        "this is the scatter between alone; divide it by that within.": between,
    }
    problem = compare(
        function(_W.copy(), _CLASSES.copy(), _Y.copy()), between / within, mistakes, what="what ratio returns"
    )
    if problem is None:
        two = _Y > 0
        S_b, S_w = _scatters(_CLASSES[two], _Y[two])
        right = _W @ S_b @ _W / (_W @ S_w @ _W)
        names = np.array(["", "b", "a"])[_Y[two]]
        answer = function(_W.copy(), _CLASSES[two], names)
        problem = compare(answer, right, what="what ratio returns for two classes with the labels a and b")
    return problem
