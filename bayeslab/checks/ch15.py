"""Checks of notebook 15, densities other than the Gaussian."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import exercise, same_case, same_shape


@exercise(
    "15.1",
    [(np.array([0.4, 1.1, 2.5, 0.2, 7.3]),)],
    wrong={
        "this is the mean wait, in seconds; the rate is its inverse.": lambda x: x.mean(),
        "this is the sum; the rate is n divided by it.": lambda x: x.sum(),
        "this is 1 / Σ xᵢ; the rate is n / Σ xᵢ.": lambda x: 1 / x.sum(),
        "you divided n − 1 by the sum. That is unbiased, but the likelihood is largest at n / Σ xᵢ.": (
            lambda x: (len(x) - 1) / x.sum()
        ),
        "this is the inverse of the standard deviation. For an exponential that is also 1/λ, but maximum likelihood "
        "takes the mean.": (lambda x: 1 / x.std(), lambda x: 1 / x.std(ddof=1)),
        "you used the median instead of the mean; the log-likelihood contains Σ xᵢ.": (
            lambda x: 1 / np.median(x),
            lambda x: np.log(2) / np.median(x),
        ),
        "this is the mean of the 1/xᵢ; take 1 over the mean of the xᵢ.": lambda x: np.mean(1 / x),
        "this is one rate for each wait; take 1 over the mean of all waits.": same_shape(lambda x: 1 / x),
        "the sign is wrong: a rate is positive.": lambda x: -len(x) / x.sum(),
    },
)
def rate(x):
    """Maximum-likelihood rate of an exponential."""
    return len(x) / np.sum(x)


def _threshold(rate_0, rate_1, c):
    """Return the wait for a click at which the log odds are c."""
    return (np.log(rate_1 / rate_0) - c) / (rate_1 - rate_0)


@exercise(
    "15.2",
    [(0.2, 0.9, -1.5), (3.0, 0.5, 0.25)],
    wrong={
        "this is the wait for a click, whose density adds ln(λ₁/λ₀); a silence has the probability e^(−λt) alone.": (
            _threshold
        ),
        "the sign is wrong: silence is evidence against the larger rate, so a negative c needs a positive time.": (
            lambda a, b, c: c / (b - a)
        ),
        "you treated c as odds; it is already a logarithm.": (
            lambda a, b, c: -np.log(abs(c)) / (b - a),
            lambda a, b, c: -np.exp(c) / (b - a),
        ),
        "you used one rate only; both classes can be silent, so the difference of the rates counts.": (
            lambda a, b, c: -c / a,
            lambda a, b, c: -c / b,
        ),
        "you added the rates; the logarithms of the two probabilities are subtracted.": lambda a, b, c: -c / (a + b),
        "the arguments are rates, but you used them as mean waits.": (
            lambda a, b, c: -c / (1 / a - 1 / b),
            lambda a, b, c: -c / (1 / b - 1 / a),
        ),
        "you divided by ln(λ₁/λ₀); the logarithm of e^(−λt) is −λt, so the rates themselves are subtracted.": (
            lambda a, b, c: -c / np.log(b / a)
        ),
        "these are the log odds at t = c; solve for the t at which they are c.": lambda a, b, c: -(b - a) * c,
    },
)
def silence(rate_0, rate_1, c):
    """Seconds of silence after which the log odds of two rates are c."""
    return -c / (rate_1 - rate_0)


def _level(rate_0, rate_1, seconds, c):
    """Return the number of clicks, not rounded, at which the log odds are c."""
    return (c + (rate_1 - rate_0) * seconds) / np.log(rate_1 / rate_0)


@exercise(
    "15.3",
    # The last three: exactly a whole number, where any count will do, and where 0 will.
    [
        (0.2, 0.9, 12, -2.0),
        (0.25, 1, 10, 0),
        (0.25, 1, 9, 0),
        (0.25, 1, 4, -3.0),
        (0.25, 1, 1, -5.0),
        (0.25, 1, 1, -1.2),
    ],
    wrong={
        "this is where the log odds are c, not yet a whole number; take the next one above it.": _level,
        "you rounded down: with this many clicks the log odds are still below c.": lambda *args: np.floor(
            _level(*args)
        ),
        "you rounded to the nearest whole number; take the next one above, floor(t) + 1.": (
            lambda *args: np.round(_level(*args)),
            lambda *args: max(0, np.round(_level(*args))),
        ),
        "you rounded to the nearest whole number, and then added 1. Round down first, with floor.": (
            lambda *args: np.round(_level(*args)) + 1,
            lambda *args: max(0, np.round(_level(*args)) + 1),
        ),
        "with this many clicks the log odds are exactly c, and they must be above it: take floor(t) + 1, not ceil(t), "
        "and in a loop go on while the log odds are <= c.": same_case(lambda *args: max(0, np.ceil(_level(*args)))),
        "the rates are per second; multiply them by the seconds.": (
            lambda a, b, seconds, c: clicks_needed(a, b, 1, c),
            lambda a, b, seconds, c: np.floor(_level(a, b, 1, c)) + 1,
        ),
        "the sign of c is reversed: a negative c needs fewer clicks.": (
            lambda a, b, seconds, c: clicks_needed(a, b, seconds, -c)
        ),
        "you left out c; this is the boundary for c = 0.": lambda a, b, seconds, c: clicks_needed(a, b, seconds, 0),
        "this is halfway between the mean counts; two Poisson distributions do not cross there.": (
            lambda a, b, seconds, c: np.ceil((a + b) * seconds / 2),
            lambda a, b, seconds, c: (a + b) * seconds / 2,
        ),
        "this is the threshold of a wait, in seconds; here we ask for a count.": (
            lambda a, b, seconds, c: _threshold(a, b, c)
        ),
        "there cannot be fewer than no clicks; where none are needed, return 0.": (
            lambda *args: np.floor(_level(*args)) + 1,
            lambda *args: int(_level(*args)) + 1,
        ),
        "int rounds towards 0, so −0.3 becomes 0; use floor, which rounds down.": (
            lambda *args: max(0, int(_level(*args)) + 1)
        ),
    },
)
def clicks_needed(rate_0, rate_1, seconds, c):
    """Least number of clicks whose log odds are above c."""
    return max(0, np.floor(_level(rate_0, rate_1, seconds, c)) + 1)
