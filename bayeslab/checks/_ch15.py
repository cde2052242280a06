"""Checks of notebook 15, densities other than the Gaussian."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from bayeslab.checks import exercise, same_case, same_shape


def _threshold(rate_0, rate_1, c):
    """Return the wait for a click at which the log odds are c."""
    return (np.log(rate_1 / rate_0) - c) / (rate_1 - rate_0)


@exercise(
    "15.1",
    [(0.2, 0.9, -1.5), (3.0, 0.5, 0.25)],
    wrong={
        "the sign is wrong: silence is evidence against the larger rate, so a negative c needs a positive time.": (
            lambda a, b, c: c / (b - a)
        ),
        "this is the wait for a click, whose density adds ln(λ₁/λ₀); a silence has the probability e^(−λt) alone.": (
            _threshold
        ),
        "you used one rate only; both classes can be silent, so the difference of the rates counts.": (
            lambda a, b, c: -c / a,
            lambda a, b, c: -c / b,
        ),
        "you treated c as odds; it is already a logarithm.": (
            lambda a, b, c: -np.log(abs(c)) / (b - a),
            lambda a, b, c: -np.exp(c) / (b - a),
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
    "15.2",
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
        "with this many clicks the log odds are exactly c, and they must be above it: take floor(t) + 1, not ceil(t), "
        "and in a loop go on while the log odds are <= c.": same_case(lambda *args: max(0, np.ceil(_level(*args)))),
        "this is where the log odds are c, not yet a whole number; take the next one above it.": _level,
        "there cannot be fewer than no clicks; where none are needed, return 0.": (
            lambda *args: np.floor(_level(*args)) + 1,
            lambda *args: int(_level(*args)) + 1,
        ),
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
        "int rounds towards 0, so −0.3 becomes 0; use floor, which rounds down.": (
            lambda *args: max(0, int(_level(*args)) + 1)
        ),
    },
)
def clicks_needed(rate_0, rate_1, seconds, c):
    """Smallest number of clicks whose log odds are above c."""
    return max(0, np.floor(_level(rate_0, rate_1, seconds, c)) + 1)


def _bell(train, test, ddof=0):
    """Return the log density of test by a Gaussian fitted to train."""
    return norm.logpdf(test, np.mean(train), np.std(train, ddof=ddof))


@exercise(
    "15.3",
    [
        (np.array([1.0, 2.5, 4.0, 9.0]), np.array([3.0, 0.7, 12.0])),
        (np.array([0.2, 0.3, 0.9]), np.array([0.4, 2.0])),
    ],
    wrong={
        "this is the mean log density of ln x, not of x: subtract ln x for the factor 1/x.": (
            lambda a, b: _bell(np.log(a), np.log(b)).mean()
        ),
        "you divided by x; in a logarithm, the factor 1/x becomes −ln x.": (
            lambda a, b: (_bell(np.log(a), np.log(b)) / b).mean()
        ),
        "this is one value for each sample of test; take their mean.": same_shape(
            lambda a, b: _bell(np.log(a), np.log(b)) - np.log(b)
        ),
        "the factor is 1/x, so its logarithm −ln x is added, but you added ln x.": (
            lambda a, b: (_bell(np.log(a), np.log(b)) + np.log(b)).mean()
        ),
        "this is the mean density; take the mean of its logarithm.": (
            lambda a, b: np.exp(_bell(np.log(a), np.log(b)) - np.log(b)).mean()
        ),
        "this is the sum; take the mean over test.": (lambda a, b: (_bell(np.log(a), np.log(b)) - np.log(b)).sum()),
        "this is a bell for x itself; fit it to the logarithms.": lambda a, b: _bell(a, b).mean(),
        "maximum likelihood divides by n, not by n − 1.": (
            lambda a, b: (_bell(np.log(a), np.log(b), ddof=1) - np.log(b)).mean()
        ),
        "you fitted μ and σ to test; they come from train.": lambda a, b: (
            _bell(np.log(b), np.log(b)) - np.log(b)
        ).mean(),
        "you took the variance for the standard deviation.": (
            lambda a, b: (norm.logpdf(np.log(b), np.log(a).mean(), np.log(a).var()) - np.log(b)).mean()
        ),
        "you took the logarithm of the mean of train; take the mean of its logarithms.": (
            lambda a, b: (norm.logpdf(np.log(b), np.log(a.mean()), np.log(a).std()) - np.log(b)).mean()
        ),
        "you evaluated the bell at x; it belongs to the logarithms, so evaluate it at ln x.": (
            lambda a, b: (_bell(np.log(a), b) - np.log(b)).mean(),
            lambda a, b: _bell(np.log(a), b).mean(),
        ),
    },
)
def log_bell(train, test):
    """Mean log density of test, by a Gaussian for the logarithms of train."""
    return np.mean(_bell(np.log(train), np.log(test)) - np.log(test))
