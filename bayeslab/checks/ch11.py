"""Checks of notebook 11, nearest neighbours."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise

# No two of the distances between these pieces are equal.
_X = np.column_stack(
    [
        [5.4, -0.4, 0.0, -1.6, -1.4, -0.6, -2.6, 1.8, 6.2, -0.8],
        [1.0, 0.3, 0.8, 0.4, -0.5, 0.2, 0.3, -0.6, 1.5, -0.9],
    ]
)
_Y = np.array([1, 0, 0, 0, 0, 1, 0, 1, 0, 1])


@exercise("11.1")
def endless(error):
    """Limit of the error of one neighbour."""
    η = np.array([0.02, 0.1, 0.35, 0.5, 0.8, 0.97])
    R, right = np.minimum(η, 1 - η).mean(), np.mean(2 * η * (1 - η))
    mistakes = {
        "this is the Bayes error; the neighbour does not know η.": R,
        "this is Cover and Hart's bound R*(2 − 2R*); take 2η(1 − η) at each point, and then the mean.": R * (2 - 2 * R),
        "this is twice the Bayes error; take 2η(1 − η) at each point.": 2 * R,
        "this is half of it; either of the two labels can be the 1.": right / 2,
        "this is the sum; an integral over p(x) is a mean over the points.": right * len(η),
        "this is how often the two labels agree; the rule errs where they differ.": 1 - right,
        "you averaged η first; take 2η(1 − η) at each point, and then the mean.": 2 * η.mean() * (1 - η.mean()),
        "this is the mean posterior; two labels at one point differ with probability 2η(1 − η).": η.mean(),
    }
    problem = compare(error(η.copy()), right, mistakes, what="what endless returns")
    if problem is None:
        problem = compare(error(np.array([0.0, 1.0])), 0.0, what="what endless returns for η = (0, 1)")
    return problem


@exercise("11.2")
def leave_one_out(error):
    """Share of rows whose nearest other row has another label."""
    right = _left_out(_X, _Y)
    mistakes = {
        "each piece named itself; forbid the diagonal.": 0.0,
        "this is the accuracy; return the share of wrong names.": 1 - right,
        "this is the number of wrong names; divide by n.": right * len(_Y),
        "these are the farthest pieces; take argmin.": _left_out(_X, _Y, sign=-1),
        "you compared only the first feature; sum over all, axis=-1.": _left_out(_X[:, :1], _Y),
        "you added up |differences|; square them first.": _left_out(_X, _Y, power=1),
    }
    problem = compare(error(_X.copy(), _Y.copy()), right, mistakes, what="what leave_one_out returns")
    if problem is None:
        X, y = np.array([[1.0], [1.0], [5.0], [5.5]]), np.array([0, 1, 1, 0])
        mistakes = {
            "two equal pieces of different labels name each other, and both are wrong; leave out the piece itself by "
            "its number: not all at distance 0, nor the first after sorting.": 0.75
        }
        what = "what leave_one_out returns where two equal pieces differ in their labels"
        problem = compare(error(X, y), 1.0, mistakes, what=what)
    return problem


def _left_out(X, y, power=2, sign=1):
    """Error of the nearest other row, or with sign -1 of the farthest."""
    distances = sign * (np.abs(X[:, None] - X) ** power).sum(axis=-1)
    np.fill_diagonal(distances, np.inf)
    return np.mean(y[distances.argmin(axis=1)] != y)
