"""Checks of notebook 12, who learns faster."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from bayeslab.checks import compare, exercise


def _flakes(D, d, limit, per_mean=2.0):
    """Return the number of flakes of each kind, not yet rounded, with the variance `per_mean` / N of the difference."""
    T = (D / (2 * norm.isf(limit))) ** 2
    return per_mean * d / (D**2 * (T - 1))


@exercise("12.1")
def flakes_needed(number):
    """Smallest N for which nearest mean's approximate error is within a limit."""
    D, d, limit = 3.0, 200, 0.1
    exact = _flakes(D, d, limit)
    one, squared = _flakes(D, d, limit, 1.0), exact * D
    right = np.ceil(exact)
    mistakes = {
        "this is not rounded up; flakes are bought one by one.": exact,
        "you rounded down; with this number the error is still above the limit.": right - 1,
        "these are the flakes of both kinds; return those of each.": (2 * right, np.ceil(2 * exact)),
        "you took d/(N D²) for 2d/(N D²); both means are noisy.": (one, np.ceil(one)),
        "you took 2d/(N D) for 2d/(N D²).": (squared, np.ceil(squared)),
        "you forgot the ½ in D/2/√T.": np.ceil(2 * d / (D**2 * ((D / norm.isf(limit)) ** 2 - 1))),
        "you took D/(2z) for T; it is √T, so square it.": np.ceil(2 * d / (D**2 * (D / (2 * norm.isf(limit)) - 1))),
        "you took norm.cdf for norm.isf: z is the place that leaves the share limit to its right.": np.ceil(
            2 * d / (D**2 * ((D / (2 * norm.cdf(limit))) ** 2 - 1))
        ),
        "this is one too many; a flake less would still do.": right + 1,
        "you left the 1 of T = 1 + 2d/(N D²) out.": np.ceil(2 * d / (D**2 * (D / (2 * norm.isf(limit))) ** 2)),
    }
    problem = compare(number(D, d, limit), right, mistakes, what="what flakes_needed returns")
    if problem is None:
        never = number(2.0, 20, 0.1)  # the floor is Φ(−1) = 0.159
        if np.ndim(never) == 0 and never is not None and np.isfinite(never):
            return (
                f"for D = 2, d = 20 and limit = 0.1 it is {float(never):g}; but there the Bayes error, 0.159, is above "
                f"the limit, so no number will do: return np.inf."
            )
        problem = compare(never, np.inf, what="what flakes_needed returns below the Bayes error")
    if problem is None:
        problem = compare(number(4.0, 50, 0.05), np.ceil(_flakes(4.0, 50, 0.05)), what="what flakes_needed returns")
    return problem


_SIZES = [10, 30, 100, 400]
_ERRORS = np.array([[0.25, 0.21, 0.2, 0.2], [0.3, 0.22, 0.15, 0.14], [np.nan, 0.4, 0.18, 0.12]])


@exercise("12.2")
def cheapest(choose):
    """Row of the best rule, and flakes of each kind to buy."""
    price, loss = 7.0, 10_000.0
    errors = _ERRORS.copy()

    def best(cost):
        row, column = np.unravel_index(np.nanargmin(cost), cost.shape)
        return [row, _SIZES[column]]

    n = np.array(_SIZES)
    right = best(2 * price * n + loss * errors)
    column = _SIZES.index(right[1])
    mistakes = {
        "this is the number of the column; return the size that stands there.": [right[0], column],
        "this is the size, then the row; return the row first.": right[::-1],
        "you paid for one kind only; each size is bought twice, once of each kind.": best(price * n + loss * errors),
        "this has the least error, whatever it costs.": best(errors),
        "this has the least price, whatever its errors cost.": [0, _SIZES[0]],
        "this is the number of flakes of both kinds; return those of each.": [right[0], 2 * right[1]],
        "rows are counted from 0.": [right[0] + 1, right[1]],
        "a NaN has won: it says that the rule cannot be fitted. Take np.nanargmin.": (
            [2, _SIZES[0]],
            [2, 0],
        ),
    }
    problem = compare(choose(list(_SIZES), errors, price, loss), right, mistakes, what="what cheapest returns")
    if problem is None:
        dear = best(200 * n + loss * _ERRORS)
        given = _ERRORS.copy()
        problem = compare(choose(list(_SIZES), given, 100.0, loss), dear, what="what cheapest returns at price 100")
    if problem is None:
        answer = choose(list(_SIZES), _ERRORS.tolist(), 0.0, loss)
        problem = compare(answer, best(_ERRORS), what="what cheapest returns at price 0, with errors as lists")
    return problem
