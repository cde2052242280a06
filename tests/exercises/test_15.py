"""The checks of notebook 15 accept what is right, in whatever form, and name each usual mistake."""

import math

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy import stats
from scipy.optimize import brentq


def by_survival(rate_0, rate_1, c):
    """Where the log survival functions of SciPy differ by c."""
    laws = stats.expon(scale=1 / rate_0), stats.expon(scale=1 / rate_1)
    return brentq(lambda t: laws[1].logsf(t) - laws[0].logsf(t) - c, 0, 100)


def by_counting(rate_0, rate_1, seconds, c):
    """The first count at which SciPy's log probabilities differ by more than c."""
    counts = np.arange(1000)
    laws = stats.poisson(rate_0 * seconds), stats.poisson(rate_1 * seconds)
    return int(counts[laws[1].logpmf(counts) - laws[0].logpmf(counts) > c][0])


def level(rate_0, rate_1, seconds, c):
    return (c + (rate_1 - rate_0) * seconds) / math.log(rate_1 / rate_0)


def line(a, b, c):
    return (math.log(b / a) - c) / (b - a)


# (number, answer, what is said)
TABLE = [
    ("15.1", lambda x: 1 / np.mean(x), DONE),
    ("15.1", lambda x: 1 / stats.expon.fit(x, floc=0)[1], DONE),
    ("15.1", lambda x: [len(x) / sum(x)], DONE),
    ("15.1", lambda x: x.mean(), "this is the mean wait"),
    ("15.1", lambda x: x.sum(), "this is the sum"),
    ("15.1", lambda x: 1 / x.sum(), "this is 1 / Σ xᵢ"),
    ("15.1", lambda x: (len(x) - 1) / x.sum(), "n − 1"),
    ("15.1", lambda x: 1 / x.std(), "standard deviation"),
    ("15.1", lambda x: 1 / x.std(ddof=1), "standard deviation"),
    ("15.1", lambda x: 1 / np.median(x), "the median for the mean"),
    ("15.1", lambda x: math.log(2) / np.median(x), "the median for the mean"),
    ("15.1", lambda x: (1 / x).mean(), "1 over the mean"),
    ("15.1", lambda x: -len(x) / x.sum(), "the sign is wrong"),
    ("15.1", lambda x: 1 / x, "has shape"),
    ("15.1", lambda x: math.nan, "not right"),
    ("15.2", by_survival, DONE),
    ("15.2", lambda a, b, c: np.array([c / (a - b)]), DONE),
    ("15.2", line, "the wait for a click"),
    ("15.2", lambda a, b, c: c / (b - a), "the sign is wrong"),
    ("15.2", lambda a, b, c: -math.exp(c) / (b - a), "you took c for odds"),
    ("15.2", lambda a, b, c: -math.log(abs(c)) / (b - a), "you took c for odds"),
    ("15.2", lambda a, b, c: -c / b, "only one rate"),
    ("15.2", lambda a, b, c: -c / a, "only one rate"),
    ("15.2", lambda a, b, c: -c / (a + b), "you added the rates"),
    ("15.2", lambda a, b, c: -c / (1 / b - 1 / a), "took them for mean waits"),
    ("15.2", lambda a, b, c: -c / (1 / a - 1 / b), "took them for mean waits"),
    ("15.2", lambda a, b, c: -c / math.log(b / a), "divided by ln(λ₁/λ₀)"),
    ("15.2", lambda a, b, c: -(b - a) * c, "log odds at t = c"),
    ("15.2", lambda a, b, c: c / (a - b) if b > a else 0, "rates 3 and 0.5"),
    ("15.2", lambda a, b, c: 7, "not right"),
    ("15.3", by_counting, DONE),
    ("15.3", lambda a, b, T, c: max(0, math.ceil(level(a, b, T, c))), DONE),
    ("15.3", level, "not yet a whole number"),
    ("15.3", lambda a, b, T, c: math.floor(level(a, b, T, c)), "you rounded down"),
    ("15.3", lambda a, b, T, c: by_counting(a, b, 1, c), "multiply them by the seconds"),
    ("15.3", lambda a, b, T, c: math.floor(level(a, b, 1, c)) + 1, "multiply them by the seconds"),
    ("15.3", lambda a, b, T, c: by_counting(a, b, T, -c), "the sign of c"),
    ("15.3", lambda a, b, T, c: by_counting(a, b, T, 0), "you left out c"),
    ("15.3", lambda a, b, T, c: (a + b) * T / 2, "halfway"),
    ("15.3", lambda a, b, T, c: line(a, b, c), "threshold of a wait"),
    ("15.3", lambda a, b, T, c: math.floor(level(a, b, T, c)) + 1, "return 0"),
    ("15.3", lambda a, b, T, c: int(level(a, b, T, c)) + 1, "return 0"),
    ("15.3", lambda a, b, T, c: max(0, int(level(a, b, T, c)) + 1), "int rounds towards 0"),
    ("15.3", lambda a, b, T, c: by_counting(a, b, T, c) if T != 10 else 7, "for 0.25, 1, 10 and 0"),
    ("15.3", lambda a, b, T, c: 50, "not right"),
]
TABLE += unfinished("15.1", "15.2", "15.3")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)


def test_values_in_the_text():
    assert 1 / np.mean([2, 4, 6]) == 0.25
    assert round(by_survival(0.25, 1, -2), 3) == 2.667
    assert by_counting(0.25, 1, 10, 0) == 6
