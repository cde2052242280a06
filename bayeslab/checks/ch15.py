"""Checks of notebook 15, densities other than the Gaussian."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise

_X = np.array([0.4, 1.1, 2.5, 0.2, 7.3])
_RATES = 0.2, 0.9


@exercise("15.1")
def rate(estimate):
    """Maximum-likelihood rate of an exponential."""
    n, total = len(_X), _X.sum()
    mistakes = {
        "this is the mean wait, in seconds; the rate is its inverse.": total / n,
        "this is the sum; the rate is n divided by it.": total,
        "this is 1 / Σ xᵢ; the rate is n / Σ xᵢ.": 1 / total,
        "you divided n − 1 by the sum. That is unbiased, but the likelihood has its top at n / Σ xᵢ.": (n - 1) / total,
        "this is the inverse of the standard deviation. An exponential's is 1/λ, too, but maximum likelihood takes the "
        "mean.": (1 / _X.std(), 1 / _X.std(ddof=1)),
        "you took the median for the mean; the log-likelihood holds Σ xᵢ.": (
            1 / np.median(_X),
            np.log(2) / np.median(_X),
        ),
        "this is the mean of the 1/xᵢ; take 1 over the mean of the xᵢ.": np.mean(1 / _X),
        "the sign is wrong: a rate is positive.": -n / total,
    }
    return compare(estimate(_X.copy()), n / total, mistakes, what="what rate returns")


def _threshold(rate_0, rate_1, c):
    return (np.log(rate_1 / rate_0) - c) / (rate_1 - rate_0)


@exercise("15.2")
def threshold(wait):
    """Wait at which the log odds of two exponentials are c."""
    (a, b), c = _RATES, -1.5
    mistakes = {
        "the sign of c is turned round: c is what the log odds are equal to, so it is subtracted.": _threshold(
            a, b, -c
        ),
        "you left out c; this is the boundary for c = 0.": _threshold(a, b, 0),
        "you left out ln(λ₁/λ₀): of two silences without a click this would be right.": -c / (b - a),
        "you took c for odds; it is a logarithm already.": (
            (np.log(b / a) - np.log(-c)) / (b - a),
            (np.log(b / a) - np.exp(c)) / (b - a),
        ),
        "the sign is wrong: a wait is positive here.": -_threshold(a, b, c),
        "this is halfway between the mean waits; two exponentials do not cross there.": (1 / a + 1 / b) / 2,
        "the arguments are rates, and you took them for mean waits.": _threshold(1 / a, 1 / b, c),
        "the ratio in the logarithm is turned round: it is λ₁/λ₀.": (-np.log(b / a) - c) / (b - a),
        "you took ln(λ₁ − λ₀) for ln λ₁ − ln λ₀.": (np.log(b - a) - c) / (b - a),
        "you took the logarithm to base 10; it is the natural one.": (np.log10(b / a) - c) / (b - a),
        "these are the log odds at x = c; solve for the x at which they are c.": np.log(b / a) - (b - a) * c,
    }
    problem = compare(wait(a, b, c), _threshold(a, b, c), mistakes, what="what threshold returns")
    if problem is None:
        right = _threshold(3.0, 0.5, 0.25)
        problem = compare(wait(3.0, 0.5, 0.25), right, what="what threshold returns for rates 3 and 0.5 and c = 0.25")
    return problem


def _level(rate_0, rate_1, seconds, c):
    """Return the number of clicks, not rounded, at which the log odds are c."""
    return (c + (rate_1 - rate_0) * seconds) / np.log(rate_1 / rate_0)


@exercise("15.3")
def clicks_needed(clicks):
    """Least number of clicks whose log odds are above c."""
    (a, b), seconds, c = _RATES, 12, -2.0
    level = _level(a, b, seconds, c)
    least = np.floor(level) + 1
    mistakes = {
        "this is where the log odds are c, not yet a whole number; take the least above it.": level,
        "you rounded down: this many clicks are still below the level.": least - 1,
        "the rates are per second; multiply them by the seconds.": (
            np.floor(_level(a, b, 1, c)) + 1,
            max(0, np.floor(_level(a, b, 1, c)) + 1),
        ),
        "the sign of c is turned round: a level below 0 needs fewer clicks.": np.floor(_level(a, b, seconds, -c)) + 1,
        "you left out c; this is the boundary for c = 0.": np.floor(_level(a, b, seconds, 0)) + 1,
        "this is halfway between the mean counts; two Poisson laws do not cross there.": (
            np.ceil((a + b) * seconds / 2),
            (a + b) * seconds / 2,
        ),
        "this is the threshold of a wait, in seconds; the question is for a count.": _threshold(a, b, c),
    }
    problem = compare(clicks(a, b, seconds, c), least, mistakes, what="what clicks_needed returns")
    if problem is None:
        problem = compare(clicks(0.25, 1, 10, 0), 6, what="what clicks_needed returns for 0.25, 1, 10 and 0")
    if problem is None:
        mistakes = {"fewer than no clicks cannot be; where none are needed, return 0.": _negative()}
        problem = compare(clicks(*_LOW), 0, mistakes, what="what clicks_needed returns where any count will do")
    return problem


_LOW = 0.25, 1, 1, -5.0


def _negative():
    return np.floor(_level(*_LOW)) + 1
