"""Checks of notebook 11, nearest neighbours."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import exercise, same_shape


def _bayes(η):
    return np.minimum(η, 1 - η).mean()


@exercise(
    "11.1",
    {
        "endless returned": (np.array([0.02, 0.1, 0.35, 0.5, 0.8, 0.97]),),
        "for η = (0, 1), endless returned": (np.array([0.0, 1.0]),),
    },
    wrong={
        "these are the errors at each point; return their mean.": same_shape(lambda η: 2 * η * (1 - η)),
        "this is the Bayes error; the neighbour does not know η.": _bayes,
        "this is Cover and Hart's bound R*(2 − 2R*); take 2η(1 − η) at each point, and then the mean.": (
            lambda η: _bayes(η) * (2 - 2 * _bayes(η))
        ),
        "this is twice the Bayes error; take 2η(1 − η) at each point.": lambda η: 2 * _bayes(η),
        "this is half of it; either of the two labels can be the 1.": lambda η: (η * (1 - η)).mean(),
        "this is the sum; an integral over p(x) is a mean over the points.": lambda η: (2 * η * (1 - η)).sum(),
        "this is how often the two labels agree; the rule is wrong where they differ.": (
            lambda η: (η**2 + (1 - η) ** 2).mean()
        ),
        "you averaged η first; take 2η(1 − η) at each point, and then the mean.": (
            lambda η: 2 * η.mean() * (1 - η.mean())
        ),
        "this is the mean posterior; two labels at one point differ with probability 2η(1 − η).": lambda η: η.mean(),
    },
)
def endless(η):
    """Limit of the error of one neighbour."""
    return np.mean(2 * η * (1 - η))


def _left_out(X, y, *, power=2, sign=1, forbidden=np.inf):
    """Error of the nearest other row, with parts that may be wrong."""
    distances = sign * (np.abs(X[:, None] - X) ** power).sum(axis=-1)
    np.fill_diagonal(distances, forbidden)
    return np.mean(y[distances.argmin(axis=1)] != y)


def _first_after_sorting(X, y):
    distances = ((X[:, None] - X) ** 2).sum(axis=-1)
    return np.mean(y[distances.argsort(axis=1, kind="stable")[:, 1]] != y)


def _none_at_distance_0(X, y):
    distances = ((X[:, None] - X) ** 2).sum(axis=-1)
    distances[distances == 0] = np.inf
    return np.mean(y[distances.argmin(axis=1)] != y)


# No two of the distances between these pieces are equal.
_X = np.column_stack(
    [
        [5.4, -0.4, 0.0, -1.6, -1.4, -0.6, -2.6, 1.8, 6.2, -0.8],
        [1.0, 0.3, 0.8, 0.4, -0.5, 0.2, 0.3, -0.6, 1.5, -0.9],
    ]
)
_Y = np.array([1, 0, 0, 0, 0, 1, 0, 1, 0, 1])


@exercise(
    "11.2",
    {
        "leave_one_out returned": (_X, _Y),
        "where two equal pieces differ in their labels, leave_one_out returned": (
            np.array([[1.0], [1.0], [5.0], [5.5]]),
            np.array([0, 1, 1, 0]),
        ),
        "for pieces that are far apart, leave_one_out returned": (1e50 * _X, _Y),
    },
    wrong={
        "each piece has named itself; put np.inf on the diagonal.": lambda X, y: 0.0,
        "this is the accuracy; return the share of wrong names.": lambda X, y: 1 - _left_out(X, y),
        "this is the number of wrong names; divide by n.": lambda X, y: len(y) * _left_out(X, y),
        "these are the farthest pieces; use argmin.": lambda X, y: _left_out(X, y, sign=-1),
        "you compared only the first feature; sum over all, axis=-1.": lambda X, y: _left_out(X[:, :1], y),
        "you added up |differences|; square them first.": lambda X, y: _left_out(X, y, power=1),
        "two equal pieces with different labels name each other, and both are wrong. Leave out the piece itself by its "
        "number: not everything at distance 0, and not the first after sorting.": (
            _first_after_sorting,
            _none_at_distance_0,
        ),
        "where all pieces are far apart, the number on your diagonal is the smallest distance, and each piece names "
        "itself. Put np.inf there.": (
            lambda X, y: _left_out(X, y, forbidden=1e3),
            lambda X, y: _left_out(X, y, forbidden=1e9),
        ),
    },
)
def leave_one_out(X, y):
    """Share of rows whose nearest other row has another label."""
    return _left_out(X, y)
