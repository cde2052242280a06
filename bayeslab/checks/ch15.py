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
def silence(quiet):
    """Seconds of silence after which the log odds of two rates are c."""
    (a, b), c = _RATES, -1.5
    mistakes = {
        "this is the wait for a click, whose density brings ln(λ₁/λ₀); a silence has the probability e^(−λt) alone.": (
            _threshold(a, b, c)
        ),
        "the sign is wrong: silence speaks against the larger rate, so it takes a negative c to a positive time.": c
        / (b - a),
        "you took c for odds; it is a logarithm already.": (-np.log(-c) / (b - a), -np.exp(c) / (b - a)),
        "only one rate occurs; a clean lorry may be silent, too, so the difference of the rates counts.": (
            -c / a,
            -c / b,
        ),
        "you added the rates; the logarithms of the two probabilities are subtracted.": -c / (a + b),
        "the arguments are rates, and you took them for mean waits.": (-c / (1 / a - 1 / b), -c / (1 / b - 1 / a)),
        "you divided by ln(λ₁/λ₀); the logarithm of e^(−λt) is −λt, so the rates themselves are subtracted.": -c
        / np.log(b / a),
        "these are the log odds at t = c; solve for the t at which they are c.": -(b - a) * c,
    }
    problem = compare(quiet(a, b, c), -c / (b - a), mistakes, what="what silence returns")
    if problem is None:
        problem = compare(quiet(3.0, 0.5, 0.25), 0.1, what="what silence returns for rates 3 and 0.5 and c = 0.25")
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
    if problem is None:
        mistakes = {"int rounds towards 0, so −0.3 becomes 0; take floor, which rounds down.": 1}
        problem = compare(clicks(0.25, 1, 1, -1.2), 0, mistakes, what="what clicks_needed returns where 0 will do")
    return problem


_LOW = 0.25, 1, 1, -5.0


def _negative():
    """Return what floor + 1 and int + 1 make of a level below 0."""
    return np.floor(_level(*_LOW)) + 1, int(_level(*_LOW)) + 1
