"""Checks of notebook 10, posteriors that keep their promise."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit
from scipy.stats import binom, binomtest, chi2

from bayeslab.checks import compare, exercise

_P = np.array([0.02, 0.3, 0.5, 0.8, 0.99])
_T = 2.5


@exercise("10.1")
def temper(tempered):
    """Posterior whose log odds are divided by T."""
    odds = (_P / (1 - _P)) ** (1 / _T)
    power = _P ** (1 / _T)
    mistakes = {
        "these are log odds; go back to a probability with 1 / (1 + exp(−z)).": logit(_P) / _T,
        "these are odds; go back to a probability with o / (1 + o).": odds,
        "you divided the posterior itself by T; divide its log odds.": _P / _T,
        "you divided the odds by T; divide their logarithm.": expit(logit(_P) - np.log(_T)),
        "you multiplied by T; divide, so that a large T makes the rule more modest.": expit(_T * logit(_P)),
        "the posterior went to the power 1/T, but that of the other class did not; take the log odds.": power,
        "the sign of z is turned round: this is the posterior of the other class.": expit(-logit(_P) / _T),
        "you took p for the log odds; these are ln(p / (1 − p)).": expit(_P / _T),
        "you took ln p for the log odds; these are ln(p / (1 − p)).": expit(np.log(_P) / _T),
        "this is p itself; divide its log odds by T.": _P,
    }
    given = _P.copy()
    problem = compare(tempered(given, _T), expit(logit(_P) / _T), mistakes, what="what temper returns")
    if problem is None:
        problem = compare(tempered(0.9, 1.0), 0.9, what="what temper returns for p = 0.9 and T = 1")
    if problem is None:
        problem = compare(tempered(_P.copy(), 0.5), expit(logit(_P) / 0.5), what="what temper returns for T = 0.5")
    return problem


@exercise("10.2")
def mcnemar(p_value):
    """Exact two-sided p-value of two rules on one test set."""
    both, only_a, only_b, neither = 7, 11, 3, 30
    a = np.repeat([True, True, False, False], [both, only_a, only_b, neither])
    b = np.repeat([True, False, True, False], [both, only_a, only_b, neither])
    n, discordant = len(a), only_a + only_b
    right = binomtest(only_a, discordant).pvalue
    statistics = np.array([(only_a - only_b) ** 2, (abs(only_a - only_b) - 1) ** 2]) / discordant
    half = (both + only_a) / n, (both + only_b) / n
    mistakes = {
        "this is one-sided; before the test nobody knew which rule would be better.": (
            binomtest(only_a, discordant, alternative="greater").pvalue,
            binomtest(only_a, discordant, alternative="less").pvalue,
        ),
        "you tossed a coin for every row; rows where both are right, or both wrong, are no tosses.": (
            binomtest(only_a, n).pvalue,
            binomtest(only_b, n).pvalue,
        ),
        "you compared all errors of A with those of B; leave out the rows where both are wrong.": binomtest(
            both + only_a, 2 * both + discordant
        ).pvalue,
        "you tested whether a rule is wrong half of the time; count the rows where exactly one is wrong.": tuple(
            binomtest(round(share * n), n).pvalue for share in half
        ),
        "you took the rows where both are wrong for tosses; take those where exactly one is.": (
            binomtest(only_a, both + only_a).pvalue,
            binomtest(only_b, both + only_b).pvalue,
        ),
        "this is McNemar's chi-squared approximation; use binomtest for the exact p-value.": tuple(
            chi2.sf(statistics, 1)
        ),
        "this is the probability of exactly this split; a p-value adds those that are as extreme.": binom.pmf(
            only_a, discordant, 0.5
        ),
        "this is the share of the discordant rows on which A is wrong; the p-value is binomtest(…).pvalue.": only_a
        / discordant,
    }
    problem = compare(p_value(a.copy(), b.copy()), right, mistakes, what="what mcnemar returns")
    if problem is None:
        problem = compare(p_value(b.copy(), a.copy()), right, what="what mcnemar returns with A and B exchanged")
    return problem or _without_discordant(p_value, a)


def _without_discordant(p_value, a):
    """Say what is wrong where both rules err on the same rows, or return None."""
    try:
        answer = p_value(a.copy(), a.copy())
    except (ValueError, ZeroDivisionError) as error:
        return f"two rules that err on the same rows: {type(error).__name__}: {error}. Nothing was tossed, so p is 1."
    mistakes = {"two rules that err on the same rows give p = 0; nothing speaks against them being equal: p is 1.": 0}
    return compare(answer, 1, mistakes, what="what mcnemar returns for two rules that err on the same rows")
