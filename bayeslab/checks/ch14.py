"""Checks of notebook 14."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise

_X = np.array([[1.0, 5.0], [3.0, -2.0], [5.0, 0.0], [2.0, 1.0]])


@exercise("14.1")
def mean_of(function):
    """Mean of each column: an example, to be replaced."""
    n, total = len(_X), _X.sum(axis=0)
    mistakes = {
        "these are the sums; divide by n.": total,
        "you divided by n − 1; a mean has n.": total / (n - 1),
    }
    return compare(function(_X.copy()), total / n, mistakes, what="what mean_of returns")


@exercise("14.2")
def spread_of(function):
    """Spread of each column: an example, to be replaced."""
    mistakes = {
        "this is the variance; take the root.": _X.var(axis=0, ddof=1),
        "you divided by n instead of n − 1.": _X.std(axis=0),
    }
    return compare(function(_X.copy()), _X.std(axis=0, ddof=1), mistakes, what="what spread_of returns")
