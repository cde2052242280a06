"""Checks of notebook 08: Holm's correction, how many flowers would have been enough, and which samples to doubt."""

from __future__ import annotations

import numpy as np
from scipy.stats import beta, false_discovery_control, norm, shapiro

from bayeslab.checks import exercise, same_case


def _falling(m):
    return np.arange(m, 0, -1)


def _rising(m):
    return np.arange(1, m + 1)


def _adjusted(p, factors=_falling, carry=np.maximum.accumulate, most=1.0):
    """Return Holm's p-values in the order of p, from steps that may be wrong."""
    order = np.argsort(p)
    result = np.empty(len(p))
    result[order] = np.minimum(carry(np.sort(p) * factors(len(p))), most)
    return result


def _carried_back(values):
    return np.minimum.accumulate(values[::-1])[::-1]


@exercise(
    "8.1",
    {
        # Out of order; the third and fourth in order change places when multiplied, and the last two exceed 1.
        "holm_adjusted returned": (np.array([0.04, 0.6, 0.001, 0.9, 0.031, 0.012, 0.035]),),
        "for the list [0.03, 0.02], holm_adjusted returned": ([0.03, 0.02],),
    },
    wrong={
        "these are in ascending order; return them in the order of p.": (
            lambda p: np.sort(_adjusted(p)),
            lambda p: np.sort(_adjusted(p, most=np.inf)),
        ),
        "a value is smaller than that of a smaller p; carry the largest so far along.": (
            lambda p: _adjusted(p, carry=np.asarray),
            lambda p: _adjusted(p, carry=np.asarray, most=np.inf),
        ),
        "some values exceed 1; a p-value is at most 1.": lambda p: _adjusted(p, most=np.inf),
        "this is Bonferroni: every p is multiplied by m. Holm's factors fall from m to 1.": (
            lambda p: len(p) * np.asarray(p),
            lambda p: np.minimum(len(p) * np.asarray(p), 1),
        ),
        "the factors rise from 1 to m; the smallest p is multiplied by m.": (
            lambda p: _adjusted(p, _rising),
            lambda p: _adjusted(p, _rising, carry=np.asarray),
            lambda p: _adjusted(p, _rising, carry=np.asarray, most=np.inf),
        ),
        "the p-values were multiplied in the order given; sort them first.": (
            lambda p: np.maximum.accumulate(np.asarray(p) * _falling(len(p))).clip(max=1),
            lambda p: np.asarray(p) * _falling(len(p)),
            lambda p: (np.asarray(p) * _falling(len(p))).clip(max=1),
        ),
        "you carried the smallest so far along; take the largest.": (
            lambda p: _adjusted(p, carry=np.minimum.accumulate)
        ),
        "you carried the smallest value back from the end, which is Hochberg's rule. Holm goes forwards, and carries "
        "the largest so far along.": lambda p: _adjusted(p, carry=_carried_back),
        "the factors begin at m − 1; the smallest p is multiplied by m.": (
            lambda p: _adjusted(p, lambda m: _falling(m) - 1)
        ),
        "this is the rule of Benjamini and Hochberg, which controls another kind of error.": false_discovery_control,
        "result[order] = adjusted puts the values back in their places; adjusted[order] takes them from there.": (
            lambda p: np.sort(_adjusted(p))[np.argsort(p)]
        ),
        "these are decisions; return the adjusted p-values.": (
            lambda p: _adjusted(p) <= 0.05,
            lambda p: _adjusted(p) <= 0.1,
        ),
        "this is right for an array, but p may be a list; begin with p = np.asarray(p).": (
            lambda p: _adjusted(p) if p.argsort().size else p,
            lambda p: _adjusted(p) if p[np.argsort(p)].size else p,
        ),
    },
)
def holm_adjusted(p):
    """Holm's adjusted p-values, in the order given."""
    return _adjusted(p)


def _first_below(rate, limit, *, quantile=0.975, more=1, fewer=0, errors=np.multiply):
    """Return the smallest n whose interval ends below the limit, with parts that may be wrong."""
    n = np.arange(1, 5000)
    e = errors(rate, n)
    below = beta.ppf(quantile, e + more, n - e + fewer) < limit
    return n[below.argmax()] if below.any() else np.inf


@exercise(
    "8.2",
    [(0.02, 0.08), (0.05, 0.09), (0.0, 0.05), (0.05, 0.065)],
    wrong={
        "this is one too few: there the interval still reaches the limit.": (
            lambda rate, limit: _first_below(rate, limit) - 1
        ),
        "this is one too many: one flower fewer is enough.": lambda rate, limit: _first_below(rate, limit) + 1,
        "e is rate · n: compute it anew for each n, and do not round it.": (
            lambda rate, limit: _first_below(rate, limit, errors=lambda rate, n: rate),
            lambda rate, limit: _first_below(rate, limit, errors=lambda rate, n: np.round(rate * n)),
            lambda rate, limit: _first_below(rate, limit, errors=lambda rate, n: np.floor(rate * n)),
            lambda rate, limit: _first_below(rate, limit, errors=lambda rate, n: np.ceil(rate * n)),
        ),
        "this is the first n of all; go on counting while the upper end, the 0.975 quantile, is not below the limit.": (
            lambda rate, limit: 1
        ),
        "use 0.975: of the 5 % that the interval leaves out, half lies above it.": (
            lambda rate, limit: _first_below(rate, limit, quantile=0.95)
        ),
        "the first parameter of beta is e + 1.": lambda rate, limit: _first_below(rate, limit, more=1e-12),
        "the second parameter of beta is n − e.": lambda rate, limit: _first_below(rate, limit, fewer=1),
        "this is the normal approximation, which is too short for few errors; use beta.ppf.": (
            lambda rate, limit: np.ceil(4 * rate * (1 - rate) / (limit - rate) ** 2),
            lambda rate, limit: np.ceil(1.96**2 * rate * (1 - rate) / (limit - rate) ** 2),
        ),
        "this is the upper end of an interval; return the number of flowers.": (
            lambda rate, limit: beta.ppf(0.975, rate * 80 + 1, 80 - rate * 80)
        ),
        "this is right where a few hundred flowers are enough, but a limit of 0.065 takes more than a thousand. "
        "Does your search stop too early?": same_case(lambda rate, limit: min(_first_below(rate, limit), 600)),
    },
)
def flowers_needed(rate, limit):
    """Smallest number of flowers whose interval lies below a limit."""
    return _first_below(rate, limit)


def _sample(crooked):
    """Return 40 numbers whose logarithms lie on the bell; the p-value falls as `crooked` rises."""
    return np.exp(crooked * norm.ppf((np.arange(1, 41) - 0.5) / 40))


def _p(samples):
    return np.array([shapiro(sample).pvalue for sample in samples])


def _rejected(samples, α, *adjust):
    """Return the numbers of the samples whose p-values, adjusted by each function in turn, are at most α."""
    p = _p(samples)
    for function in adjust:
        p = function(p)
    return np.flatnonzero(p <= α)


@exercise(
    "8.3",
    {
        # The p-values, in order: 0.0004, 0.022, 0.05, 0.10, 0.8; then 0.0004, 0.027, 0.030, 0.24, 1; then 0.004, 0.022.
        "doubtful returned": ([_sample(crooked) for crooked in (0.2, 0.42, 0.38, 0.6, 0.35)], 0.1),
        "for other samples, doubtful returned": ([_sample(crooked) for crooked in (0.41, 0.3, 0.405, 0.05, 0.6)], 0.1),
        "at the level 0.01, doubtful returned": ([_sample(crooked) for crooked in (0.42, 0.5)], 0.01),
    },
    wrong={
        "these are the rejections without a correction; correct for the number of tests.": (
            lambda samples, α: _rejected(samples, α)
        ),
        "these are decisions; return the numbers of the rejected samples.": (
            lambda samples, α: _adjusted(_p(samples)) <= α
        ),
        "this is Bonferroni, which multiplies every p by the number of samples; use Holm's values.": (
            lambda samples, α: _rejected(samples, α, lambda p: p * len(p))
        ),
        "a sample was rejected behind one that was not. Holm's rule stops at the first failure.": (
            lambda samples, α: _rejected(samples, α, lambda p: _adjusted(p, carry=np.asarray))
        ),
        "this is the rule of Benjamini and Hochberg, which controls another kind of error.": (
            lambda samples, α: _rejected(samples, α, false_discovery_control)
        ),
        "these are the samples that are not rejected; return the others.": (
            lambda samples, α: np.flatnonzero(_adjusted(_p(samples)) > α)
        ),
        "these are in the order of p; return them in ascending order.": (
            lambda samples, α: np.array(sorted(_rejected(samples, α, _adjusted), key=lambda i: _p(samples)[i]))
        ),
        "count the samples from 0.": lambda samples, α: _rejected(samples, α, _adjusted) + 1,
        "these are p-values; return the numbers of the rejected samples.": (
            lambda samples, α: _p(samples),
            lambda samples, α: _adjusted(_p(samples)),
        ),
        "return which samples are rejected, not how many.": lambda samples, α: len(_rejected(samples, α, _adjusted)),
        "use the level that is passed as α.": lambda samples, α: _rejected(samples, 0.05, _adjusted),
    },
)
def doubtful(samples, α):
    """Numbers of the samples that Shapiro and Wilk's test rejects after Holm's correction."""
    return _rejected(samples, α, _adjusted)
