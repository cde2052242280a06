"""The checks of notebook 10 accept what is right, in whatever form, and name each usual mistake."""

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy.stats import binom, binomtest, chi2


def power_of_odds(p, T):
    """Without logarithms: p to the power 1/T, against the same of 1 − p."""
    p = np.asarray(p)
    return p ** (1 / T) / (p ** (1 / T) + (1 - p) ** (1 / T))


def log_odds(p):
    return np.log(np.asarray(p) / (1 - np.asarray(p)))


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def only_for_large_temperatures(p, T):
    return power_of_odds(p, max(T, 1))


def counts(a, b):
    return np.sum(a & b), np.sum(a & ~b), np.sum(~a & b)


def by_sum(a, b):
    """The two-sided p-value from both tails, without binomtest."""
    _, n, m = counts(np.asarray(a), np.asarray(b))
    return min(1, 2 * binom.cdf(min(n, m), n + m, 0.5)) if n + m else 1


def by_binomtest(a, b, **options):
    _, n, m = counts(a, b)
    return binomtest(n, n + m, **options).pvalue


def with_zero(a, b):
    return by_binomtest(a, b) if (a != b).any() else 0.0


def exchanged_differs(a, b):
    _, n, m = counts(a, b)
    return by_sum(a, b) if n >= m else 0.5


def chi_squared(a, b, correction=0):
    _, n, m = counts(a, b)
    return chi2.sf((abs(n - m) - correction) ** 2 / (n + m), 1)


# (number, answer, what is said)
TABLE = [
    ("10.1", power_of_odds, DONE),
    ("10.1", lambda p, T: sigmoid(log_odds(p) / T).tolist(), DONE),
    ("10.1", lambda p, T: log_odds(p) / T, "these are log odds"),
    ("10.1", lambda p, T: np.exp(log_odds(p) / T), "these are odds"),
    ("10.1", lambda p, T: p / T, "the posterior itself"),
    ("10.1", lambda p, T: p / (1 - p) / T / (1 + p / (1 - p) / T), "divided the odds by T"),
    ("10.1", lambda p, T: sigmoid(log_odds(p) * T), "you multiplied by T"),
    ("10.1", lambda p, T: p ** (1 / T), "that of the other class did not"),
    ("10.1", lambda p, T: 1 - power_of_odds(p, T), "the sign of z"),
    ("10.1", lambda p, T: sigmoid(p / T), "you took p for the log odds"),
    ("10.1", lambda p, T: sigmoid(np.log(p) / T), "you took ln p"),
    ("10.1", lambda p, T: p, "this is p itself"),
    ("10.1", lambda p, T: power_of_odds(0.02, T), "has shape"),
    ("10.1", only_for_large_temperatures, "for T = 0.5"),
    ("10.1", lambda p, T: power_of_odds(p, T) if T > 1 else p + 0.1, "p = 0.9 and T = 1"),
    ("10.2", by_sum, DONE),
    ("10.2", lambda a, b: np.array([by_sum(a, b)]), DONE),
    ("10.2", lambda a, b: by_binomtest(a, b, alternative="greater"), "one-sided"),
    ("10.2", lambda a, b: by_binomtest(a, b, alternative="less"), "one-sided"),
    ("10.2", lambda a, b: binomtest(counts(a, b)[1], len(a)).pvalue, "a coin for every row"),
    ("10.2", lambda a, b: binomtest(a.sum(), a.sum() + b.sum()).pvalue, "where both are wrong"),
    ("10.2", lambda a, b: binomtest(a.sum(), len(a)).pvalue, "half of the time"),
    ("10.2", lambda a, b: binomtest(counts(a, b)[1], a.sum()).pvalue, "for tosses"),
    ("10.2", chi_squared, "chi-squared"),
    ("10.2", lambda a, b: chi_squared(a, b, 1), "chi-squared"),
    ("10.2", lambda a, b: binom.pmf(counts(a, b)[1], np.sum(a != b), 0.5), "exactly this split"),
    ("10.2", lambda a, b: counts(a, b)[1] / np.sum(a != b), "share of the discordant"),
    ("10.2", with_zero, "give p = 0"),
    ("10.2", by_binomtest, "Nothing was tossed"),
    ("10.2", exchanged_differs, "A and B exchanged"),
    ("10.2", lambda a, b: binomtest(4, 9).pvalue, "not right"),
]
TABLE += unfinished("10.1", "10.2")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
