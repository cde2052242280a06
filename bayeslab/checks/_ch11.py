"""Checks of notebook 11, nearest neighbours."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import exercise, same_case, same_shape


def _bayes(posterior):
    return 1 - posterior.max(axis=1).mean()


_SURE = np.array([[0.9, 0.1, 0.0], [0.5, 0.3, 0.2], [0.2, 0.2, 0.6], [0.05, 0.9, 0.05], [0.0, 0.15, 0.85]])


@exercise(
    "11.1",
    {
        "endless returned": (_SURE,),
        "for two classes, endless returned": (np.array([[0.98, 0.02], [0.65, 0.35], [0.3, 0.7], [0.2, 0.8]]),),
        "where all posteriors are 0 or 1, endless returned": (np.eye(3)[[0, 2, 2, 1]],),
    },
    wrong={
        "these are the errors at each point; return their mean.": same_shape(
            lambda posterior: 1 - (posterior**2).sum(axis=1)
        ),
        "this is the Bayes error; the neighbour does not know the posteriors.": _bayes,
        "this is the formula for two classes, 2r(1 − r). With more, add up how often the two labels agree.": (
            lambda posterior: np.mean(2 * posterior.max(axis=1) * (1 - posterior.max(axis=1)))
        ),
        "this is Cover and Hart's bound for two classes; take the error at each point, and then the mean.": (
            lambda posterior: _bayes(posterior) * (2 - 2 * _bayes(posterior))
        ),
        "this is twice the Bayes error, a bound; take the error at each point, and then the mean.": (
            lambda posterior: 2 * _bayes(posterior)
        ),
        "this is how often the two labels agree; the rule is wrong where they differ.": (
            lambda posterior: (posterior**2).sum(axis=1).mean()
        ),
        "this is the sum over the points; an integral over p(x) is a mean over them.": (
            lambda posterior: (1 - (posterior**2).sum(axis=1)).sum()
        ),
        "you took the mean of all the squares; add up those of one point first.": lambda posterior: (
            1 - (posterior**2).mean()
        ),
        "you averaged the posteriors first; take the error at each point, and then the mean.": (
            lambda posterior: 1 - (posterior.mean(axis=0) ** 2).sum()
        ),
    },
)
def endless(posterior):
    """Limit of the error of one neighbour."""
    return np.mean(1 - (posterior**2).sum(axis=1))


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
        "itself. Put np.inf there.": same_case(lambda X, y: _left_out(X, y, forbidden=1e3)),
    },
)
def leave_one_out(X, y):
    """Share of rows whose nearest other row has another label."""
    return _left_out(X, y)


def _votes_costs(votes, right, clerk, mistake, k, *, passes_on=np.less):
    """Cost of each number of votes from 1 to k + 1."""
    needed = np.arange(1, k + 2)[:, None]
    passed_on = passes_on(votes, needed)
    return (clerk * passed_on + mistake * (~passed_on & ~right)).sum(axis=1)


def _digits(seed, k, n=60):
    """Return the votes of the winners of so many digits, and which of them are right."""
    rng = np.random.default_rng(seed)
    votes = rng.integers(1, k + 1, n)
    return votes, rng.random(n) < (votes / k) ** 0.3


@exercise(
    "11.3",
    {
        "votes_needed returned": (*_digits(1, 9), 0.1, 2.0, 9),
        "for five neighbours, votes_needed returned": (*_digits(2, 5), 0.3, 1.0, 5),
        "for an expensive clerk, votes_needed returned": (*_digits(3, 7), 5.0, 2.0, 7),
        "where the neighbours agree on a wrong digit, votes_needed returned": (
            np.array([7, 7, 3]),
            np.array([False, True, False]),
            *(0.1, 2.0, 7),
        ),
        "for four digits, votes_needed returned": (
            np.array([9, 9, 7, 5]),
            np.array([True, True, True, False]),
            *(0.1, 2.0, 9),
        ),
    },
    wrong={
        "this is the place in the list of costs; m begins at 1.": lambda *args: _votes_costs(*args).argmin(),
        "you left out k + 1, with which the clerk gets everything.": (
            lambda *args: 1 + _votes_costs(*args)[:-1].argmin()
        ),
        "a digit with exactly m votes is named by the machine; only those with fewer go to the clerk.": (
            lambda *args: 1 + _votes_costs(*args, passes_on=np.less_equal).argmin()
        ),
        "the costs are swapped: a digit that goes to the clerk costs clerk, and a wrong one costs mistake.": (
            lambda votes, right, clerk, mistake, k: 1 + _votes_costs(votes, right, mistake, clerk, k).argmin()
        ),
        "you charged for the right digits; the mistakes are those that are not right.": (
            lambda votes, right, clerk, mistake, k: 1 + _votes_costs(votes, ~right, clerk, mistake, k).argmin()
        ),
        "this is the most expensive m; use argmin.": lambda *args: 1 + _votes_costs(*args).argmax(),
        "of several m that cost the same, return the smallest.": (
            lambda *args: args[-1] + 1 - _votes_costs(*args)[::-1].argmin()
        ),
        "this is the lowest cost; return the m that has it.": lambda *args: _votes_costs(*args).min(),
        "this follows from the formula of notebook 09; count what each m costs on these digits.": (
            lambda votes, right, clerk, mistake, k: int(np.ceil(k * (1 - clerk / mistake)))
        ),
    },
)
def votes_needed(votes, right, clerk, mistake, k):
    """Fewest votes for which the machine should decide."""
    return 1 + _votes_costs(votes, right, clerk, mistake, k).argmin()
