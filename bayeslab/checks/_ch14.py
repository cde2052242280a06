"""Checks of notebook 14, directions that matter."""

from __future__ import annotations

import numpy as np

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


_SHUFFLED = np.array([0.31, 0.2, 0.27, 0.35, 0.24, 0.2, 0.29, 0.33, 0.22])


@exercise(
    "14.2",
    {
        f"for observed = {observed} and {len(shuffled)} shuffles, p_value returned": (observed, shuffled)
        for observed, shuffled in [(0.24, _SHUFFLED), (0.1, _SHUFFLED), (0.3, _SHUFFLED[:5])]
    },
    wrong={
        "count the observed error as one of them: add 1 to the count and 1 to the number of shuffles.": (
            lambda observed, shuffled: np.mean(shuffled <= observed)
        ),
        "an error that is exactly as large as the observed one counts too: use <=.": (
            lambda observed, shuffled: (1 + np.sum(shuffled < observed)) / (1 + len(shuffled)),
            lambda observed, shuffled: np.mean(shuffled < observed),
        ),
        "this is the other side: a small error looks like a pattern, so count those that are at most as large.": (
            lambda observed, shuffled: (1 + np.sum(shuffled >= observed)) / (1 + len(shuffled)),
            lambda observed, shuffled: np.mean(shuffled >= observed),
            lambda observed, shuffled: 1 - p_value(observed, shuffled),
        ),
        "the observed error is one more to divide by: there are len(shuffled) + 1 errors.": (
            lambda observed, shuffled: (1 + np.sum(shuffled <= observed)) / len(shuffled)
        ),
        "the observed error is at most as large as itself, so it counts above the line as well.": (
            lambda observed, shuffled: np.sum(shuffled <= observed) / (1 + len(shuffled))
        ),
        "this is a count; divide by the number of errors, len(shuffled) + 1.": (
            lambda observed, shuffled: 1 + np.sum(shuffled <= observed),
            lambda observed, shuffled: np.sum(shuffled <= observed),
        ),
        "this is the mean of the shuffled errors; return the share of those at most as large as the observed one.": (
            lambda observed, shuffled: np.mean(shuffled)
        ),
    },
    coincide=True,
)
def p_value(observed, shuffled):
    """Share of errors, the observed one included, that are at most as large as the observed one."""
    return (1 + np.sum(shuffled <= observed)) / (1 + len(shuffled))
