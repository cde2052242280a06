"""Checks of notebook 12, who learns faster."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from bayeslab.checks import exercise, same_case


def _flakes(D, d, limit, *, noise=2, power=2, half=2, power_of_T=2, z=norm.isf, one=1):
    """Return the number of flakes of each kind, not yet rounded, from a formula whose parts may be wrong."""
    T = (D / (half * z(limit))) ** power_of_T
    return noise * d / (D**power * (T - one))


def _rounded_up(**wrong):
    return lambda *args: np.ceil(_flakes(*args, **wrong))


@exercise(
    "12.1",
    [(3.0, 200, 0.1), (4.0, 50, 0.05), (2.0, 20, 0.1)],
    wrong={
        "this is not rounded up; flakes are bought one by one.": _flakes,
        "for D = 2, d = 20 and limit = 0.1, the Bayes error, 0.159, is above the limit, so no number is enough: "
        "return np.inf.": same_case(_rounded_up()),
        "you used D/(2z) as T; it is √T, so square it.": _rounded_up(power_of_T=1),
        "you rounded down; with this number the error is still above the limit.": lambda *args: np.floor(
            _flakes(*args)
        ),
        "this counts the flakes of both kinds; return those of each.": (
            lambda *args: 2 * np.ceil(_flakes(*args)),
            lambda *args: np.ceil(2 * _flakes(*args)),
        ),
        "you used d/(n D²) instead of 2d/(n D²); both means are noisy.": (
            lambda *args: _flakes(*args, noise=1),
            _rounded_up(noise=1),
        ),
        "you used 2d/(n D) instead of 2d/(n D²).": (lambda *args: _flakes(*args, power=1), _rounded_up(power=1)),
        "you forgot the ½ in D/2/√T.": _rounded_up(half=1),
        "you used norm.cdf instead of norm.isf: z is the point with an area of limit to its right.": (
            _rounded_up(z=norm.cdf)
        ),
        "this is one too many; one flake fewer is enough.": lambda *args: np.ceil(_flakes(*args)) + 1,
        "you left out the 1 of T = 1 + 2d/(n D²).": _rounded_up(one=0),
    },
)
def flakes_needed(D, d, limit):
    """Smallest n for which nearest mean's approximate error is within a limit."""
    return np.ceil(_flakes(D, d, limit)) if 2 * norm.isf(limit) < D else np.inf


def _cheapest(sizes, errors, price, loss, *, kinds=2, weight=1, argmin=np.nanargmin):
    """Return row and column of the least cost, which may be computed wrongly."""
    cost = kinds * price * np.array(sizes) + weight * loss * np.asarray(errors)
    return np.unravel_index(argmin(cost), cost.shape)


def _with(**wrong):
    def answer(sizes, errors, price, loss):
        row, column = _cheapest(sizes, errors, price, loss, **wrong)
        return row, sizes[column]

    return answer


_SIZES = [10, 30, 100, 400]
_ERRORS = np.array([[0.25, 0.21, 0.2, 0.2], [0.3, 0.22, 0.15, 0.14], [np.nan, 0.4, 0.18, 0.12]])


@exercise(
    "12.2",
    {
        "cheapest returned": (_SIZES, _ERRORS, 7.0, 10_000.0),
        "at price 100, cheapest returned": (_SIZES, _ERRORS, 100.0, 10_000.0),
        "at price 0, with errors as lists, cheapest returned": (_SIZES, _ERRORS.tolist(), 0.0, 10_000.0),
    },
    wrong={
        "a NaN has won: it means that the rule cannot be fitted. Use np.nanargmin.": (
            _with(argmin=np.argmin),
            lambda *args: _cheapest(*args, argmin=np.argmin),
        ),
        "this is the number of the column; return the size that stands there.": _cheapest,
        "you paid for one kind only; each size is bought twice, once of each kind.": _with(kinds=1),
        "this is the size, then the row; return the row first.": lambda *args: cheapest(*args)[::-1],
        "this has the lowest error, whatever it costs.": _with(kinds=0),
        "this has the lowest price, whatever its errors cost.": _with(weight=0),
        "this is the number of flakes of both kinds; return those of each.": (
            lambda *args: (cheapest(*args)[0], 2 * cheapest(*args)[1])
        ),
        "rows are counted from 0.": lambda *args: (cheapest(*args)[0] + 1, cheapest(*args)[1]),
        "this is right for an array, but errors may be a list of lists; begin with np.array(errors).": (
            lambda sizes, errors, price, loss: cheapest(sizes, errors[:, :], price, loss),
            lambda sizes, errors, price, loss: cheapest(sizes, loss * errors, price, 1),
        ),
    },
)
def cheapest(sizes, errors, price, loss):
    """Row of the best rule, and flakes of each kind to buy."""
    return _with()(sizes, errors, price, loss)
