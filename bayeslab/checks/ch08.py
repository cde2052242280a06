"""Checks of notebook 08: p-values after Holm's correction, and how many flowers would have been enough."""

from __future__ import annotations

import numpy as np
from scipy.stats import beta

from bayeslab.checks import compare, exercise

# Out of order; the third and fourth in order change places when multiplied, and the last two exceed 1.
_P = np.array([0.04, 0.6, 0.001, 0.9, 0.031, 0.012, 0.035])


def _holm(p):
    order = np.argsort(p)
    result = np.empty(len(p))
    result[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)).clip(max=1)
    return result


@exercise("8.1")
def holm_adjusted(answer) -> str | None:
    """Holm's adjusted p-values, in the order given."""
    m, order = len(_P), np.argsort(_P)
    in_order, right = _P[order], _holm(_P)
    factors = np.arange(m, 0, -1)

    def back(values):
        result = np.empty(m)
        result[order] = values
        return result

    product = in_order * factors
    upwards = np.minimum.accumulate((in_order * m / np.arange(1, m + 1))[::-1])[::-1]
    mistakes = {
        "these are in ascending order; return them in the order of p.": (
            np.sort(right),
            np.maximum.accumulate(product),
        ),
        "a value is smaller than one of a smaller p; carry the largest so far along.": (
            back(product),
            back(product.clip(max=1)),
        ),
        "some values exceed 1; a p-value is at most 1.": back(np.maximum.accumulate(product)),
        "this is Bonferroni: every p is multiplied by m. Holm's factors fall from m to 1.": (
            m * _P,
            (m * _P).clip(max=1),
        ),
        "the factors rise from 1 to m; the smallest p is multiplied by m.": (
            back(np.maximum.accumulate(in_order * factors[::-1]).clip(max=1)),
            back(in_order * factors[::-1]),
            back((in_order * factors[::-1]).clip(max=1)),
        ),
        "the p-values were multiplied in the order given; sort them first.": (
            np.maximum.accumulate(_P * factors).clip(max=1),
            _P * factors,
            (_P * factors).clip(max=1),
        ),
        "the smallest so far was carried along; take the largest.": back(np.minimum.accumulate(product).clip(max=1)),
        "the factors begin at m − 1; the smallest p is multiplied by m.": back(
            np.maximum.accumulate(in_order * (factors - 1)).clip(max=1)
        ),
        "this is the rule of Benjamini and Hochberg, which bounds another error.": back(upwards.clip(max=1)),
        "result[order] puts values back in their places; you took them from there.": _taken(right, order),
        "these are decisions; return the adjusted p-values.": (right <= 0.05, right <= 0.1),
    }
    problem = compare(answer(_P.copy()), right, mistakes, what="what holm_adjusted returns")
    if problem is None:
        two = [0.03, 0.02]
        problem = compare(answer(two), [0.04, 0.04], what="holm_adjusted of the list [0.03, 0.02]")
    return problem


def _taken(right, order):
    """Take the adjusted values at `order` instead of putting them there."""
    return np.sort(right)[order]


def _upper(rate, n, quantile=0.975, more=1, fewer=0):
    return beta.ppf(quantile, rate * n + more, n - rate * n + fewer)


def _smallest(limit, upper):
    n = 1
    while not upper(n) < limit:
        n += 1
        if n > 5000:
            return None
    return n


@exercise("8.2")
def flowers_needed(answer) -> str | None:
    """Smallest number of flowers whose interval lies below a limit."""
    for rate, limit in [(0.02, 0.08), (7 / 150, 0.08), (0.0, 0.05)]:
        right = _smallest(limit, lambda n, rate=rate: _upper(rate, n))
        mistakes = {
            "this is the first n of all; count on while the upper end, the 0.975 quantile, is not below the limit.": 1,
            "take 0.975: of the 5 % that the interval leaves out, half lies above it.": _smallest(
                limit, lambda n, rate=rate: _upper(rate, n, 0.95)
            ),
            "this is one too few: there the interval still reaches the limit.": right - 1,
            "this is one too many: the n before it is enough.": right + 1,
            "the first parameter of beta is e + 1.": _smallest(
                limit, lambda n, rate=rate: _upper(rate, n, more=1e-12 if rate == 0 else 0)
            ),
            "the second parameter of beta is n − e.": _smallest(limit, lambda n, rate=rate: _upper(rate, n, fewer=1)),
            "e is rate · n: compute it anew for each n, and do not round it.": tuple(
                _smallest(limit, lambda n, rate=rate, e=e: beta.ppf(0.975, e(rate, n) + 1, n - e(rate, n)))
                for e in (lambda r, n: r, lambda r, n: np.round(r * n), lambda r, n: np.ceil(r * n))
            ),
            "this is the normal approximation, which is too short for few errors; take beta.ppf.": (
                np.ceil(4 * rate * (1 - rate) / (limit - rate) ** 2),
                np.ceil(1.96**2 * rate * (1 - rate) / (limit - rate) ** 2),
            ),
            "this is the upper end of an interval; return the number of flowers.": _upper(rate, right),
        }
        mistakes = {text: value for text, value in mistakes.items() if value is not None}
        what = f"flowers_needed({rate:.3g}, {limit})"
        problem = compare(answer(rate, limit), right, mistakes, what=what)
        if problem is not None:
            return problem
    return None
