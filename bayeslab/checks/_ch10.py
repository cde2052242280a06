"""Checks of notebook 10, posteriors that keep their promise."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit, logit
from scipy.stats import binom, binomtest, chi2, fisher_exact, ttest_rel

from bayeslab.checks import exercise, same_case


def _ratio(p, T):
    return (p / (1 - p)) ** (1 / T)


@exercise(
    "10.1",
    {
        "temper returned": (np.array([0.02, 0.3, 0.5, 0.8, 0.99]), 2.5),
        "for p = 0.9 and T = 1, temper returned": (0.9, 1.0),
        "for T = 0.5, temper returned": (np.array([0.02, 0.3, 0.5, 0.8, 0.99]), 0.5),
    },
    wrong={
        "these are log odds; go back to a probability with 1 / (1 + exp(−z)).": lambda p, T: logit(p) / T,
        "you divided the posterior itself by T; divide its log odds.": lambda p, T: p / T,
        "you multiplied by T; divide, so that a large T makes the rule more modest.": lambda p, T: expit(T * logit(p)),
        "these are odds; go back to a probability with o / (1 + o).": _ratio,
        "you divided the odds by T; divide their logarithm.": lambda p, T: expit(logit(p) - np.log(T)),
        "the posterior went to the power 1/T, but that of the other class did not; use the log odds.": (
            lambda p, T: p ** (1 / T)
        ),
        "the sign of z is reversed: this is the posterior of the other class.": lambda p, T: expit(-logit(p) / T),
        "you used p as the log odds; they are ln(p / (1 − p)).": lambda p, T: expit(p / T),
        "you used ln p as the log odds; they are ln(p / (1 − p)).": lambda p, T: expit(np.log(p) / T),
        "this is p itself; divide its log odds by T.": lambda p, T: p,
        "you took the absolute value of z, so no posterior is below one half. Keep the sign.": (
            lambda p, T: expit(np.abs(logit(p)) / T)
        ),
        "you used np.log10, but exp undoes np.log.": (lambda p, T: expit(np.log10(p / (1 - p)) / T)),
        "math.log takes one number, and p is an array; use np.log.": (
            lambda p, T: [expit(math.log(p / (1 - p)) / T)],
            lambda p, T: 1 / (1 + math.exp(-np.log(p / (1 - p)) / T)),
        ),
    },
)
def temper(p, T):
    """Posterior whose log odds are divided by T."""
    return expit(logit(p) / T)


def _errors(both, only_a, only_b, neither):
    """Return on which tumours each of two rules is wrong."""
    counts = [both, only_a, only_b, neither]
    return np.repeat([True, True, False, False], counts), np.repeat([True, False, True, False], counts)


def _discordant(a, b):
    """Return how often only the first rule is wrong, and how often one of the two."""
    return int(np.sum(a & ~b)), int(np.sum(a != b))


def _chi_squared(a, b, correction=0):
    only_a, n = _discordant(a, b)
    return chi2.sf((abs(2 * only_a - n) - correction) ** 2 / n, 1)


def _both_tails(a, b):
    """Return twice the smaller tail, which is more than 1 where the middle is in both."""
    only_a, n = _discordant(a, b)
    return 2 * binom.cdf(min(only_a, n - only_a), n, 0.5)


def _table(a, b):
    return [[np.sum(a & b), np.sum(a & ~b)], [np.sum(~a & b), np.sum(~a & ~b)]]


@exercise(
    "10.2",
    {
        "mcnemar returned": _errors(7, 11, 3, 30),
        "with the two rules exchanged, mcnemar returned": _errors(7, 3, 11, 30),
        "where each rule alone is wrong on 5 tumours, mcnemar returned": _errors(2, 5, 5, 9),
        "for two rules that are wrong on the same tumours, mcnemar returned": _errors(18, 0, 0, 33),
    },
    wrong={
        "where both rules are wrong on the same tumours, there is no toss, and no evidence of a difference: "
        "return 1 there, without a test.": (
            same_case(lambda a, b: binomtest(*_discordant(a, b)).pvalue),
            lambda a, b: mcnemar(a, b) if (a != b).any() else 0,
        ),
        "you compared all errors of the two rules; leave out the tumours on which both are wrong.": (
            lambda a, b: binomtest(int(a.sum()), int(a.sum() + b.sum())).pvalue
        ),
        "you tossed a coin for every tumour; where both rules are right, or both wrong, there is no toss.": (
            lambda a, b: binomtest(_discordant(a, b)[0], len(a)).pvalue,
            lambda a, b: binomtest(_discordant(b, a)[0], len(a)).pvalue,
        ),
        "this is one-sided; before the test nobody knew which rule would be better.": (
            lambda a, b: binomtest(*_discordant(a, b), alternative="greater").pvalue,
            lambda a, b: binomtest(*_discordant(a, b), alternative="less").pvalue,
        ),
        "you tested whether a rule is wrong half of the time; count the tumours on which exactly one is wrong.": (
            lambda a, b: binomtest(int(a.sum()), len(a)).pvalue,
            lambda a, b: binomtest(int(b.sum()), len(a)).pvalue,
        ),
        "you counted the tumours on which both are wrong as tosses; take those on which exactly one is.": (
            lambda a, b: binomtest(_discordant(a, b)[0], int(a.sum())).pvalue,
            lambda a, b: binomtest(_discordant(b, a)[0], int(b.sum())).pvalue,
        ),
        "this is McNemar's chi-squared approximation; use binomtest for the exact p-value.": (
            _chi_squared,
            lambda a, b: _chi_squared(a, b, 1),
        ),
        "this is a paired t-test, which is only approximate for True and False; use binomtest.": (
            lambda a, b: ttest_rel(a.astype(float), b.astype(float)).pvalue,
            lambda a, b: ttest_rel(a, b).pvalue,
        ),
        "this is Fisher's test, which asks whether the errors of the two rules are related. Here we ask which rule is "
        "wrong more often: use binomtest on the tumours on which exactly one is wrong.": (
            lambda a, b: fisher_exact(_table(a, b)).pvalue,
            lambda a, b: fisher_exact([[a.sum(), (~a).sum()], [b.sum(), (~b).sum()]]).pvalue,
        ),
        "this is the probability of exactly this split; a p-value adds up all those that are at least as extreme.": (
            lambda a, b: binom.pmf(*_discordant(a, b), 0.5)
        ),
        "this is the share of the discordant tumours on which one rule is wrong; the p-value is binomtest(…).pvalue.": (
            lambda a, b: _discordant(a, b)[0] / _discordant(a, b)[1],
            lambda a, b: _discordant(b, a)[0] / _discordant(a, b)[1],
        ),
        "where the split is even, this is more than 1, since both tails contain the middle. A p-value is at most 1.": (
            lambda a, b: _both_tails(a, b) if (a != b).any() else 1.0
        ),
    },
)
def mcnemar(wrong_a, wrong_b):
    """Exact two-sided p-value of two rules on one test set."""
    only_a, n = _discordant(wrong_a, wrong_b)
    return binomtest(only_a, n).pvalue if n else 1.0
