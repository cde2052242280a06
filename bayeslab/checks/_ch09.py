"""Checks of notebook 09, what a mistake costs."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from bayeslab.checks import exercise


def _of_four(rule):
    """Return an answer from a rule for the four costs, row by row."""
    return lambda costs: rule(*costs[0], *costs[1])


@exercise(
    "9.1",
    {
        f"threshold({costs}) is": (costs,)
        for costs in ([[2, 30], [7, 4]], [[0, 20], [1, 5]], [[1, 20], [4, 0]], [[0, 20], [1, 0]])
    },
    wrong={
        "the right decisions are not free here; subtract their costs from those of the mistakes.": (
            _of_four(lambda a, b, c, d: c / (b + c))
        ),
        "these are the odds, alarm / miss; a probability is alarm / (alarm + miss).": (
            _of_four(lambda a, b, c, d: (c - a) / (b - d))
        ),
        "the costs are swapped: the more a miss costs, the lower the threshold.": (
            _of_four(lambda a, b, c, d: (b - d) / (c - a + b - d))
        ),
        "these are odds, upside down; the threshold is a probability.": _of_four(lambda a, b, c, d: (b - d) / (c - a)),
        "1/2 is the threshold only where both mistakes cost the same.": lambda costs: 0.5,
        "you compared along the rows; compare home and operate within one column.": (
            _of_four(lambda a, b, c, d: (b - a) / (b - a + c - d))
        ),
        "even a necessary operation costs something; subtract that from the cost of a miss.": (
            _of_four(lambda a, b, c, d: (c - a) / (c - a + b))
        ),
        "even the waiting of a healthy patient costs something; subtract that from the cost of a false alarm.": (
            _of_four(lambda a, b, c, d: c / (c + b - d))
        ),
        "you subtracted the costs of the right decisions in some places only. In alarm / (alarm + miss), both alarm "
        "and miss are differences of two costs.": (
            _of_four(lambda a, b, c, d: (c - a) / (c + b)),
            _of_four(lambda a, b, c, d: (c - a) / (c + b - d)),
            _of_four(lambda a, b, c, d: c / (c - a + b)),
            _of_four(lambda a, b, c, d: c / (c - a + b - d)),
        ),
        "the costs of the right decisions have the wrong sign.": _of_four(lambda a, b, c, d: (c + a) / (c + a + b + d)),
        "the differences are right, but one of them has the wrong sign.": (
            _of_four(lambda a, b, c, d: (c - a) / (c - a - b + d))
        ),
    },
)
def threshold(costs):
    """Threshold on the posterior, from four costs."""
    (a, b), (c, d) = costs
    return (c - a) / (c - a + b - d)


def _odds(p):
    return p / (1 - p)


@exercise(
    "9.2",
    [(0.6, 0.4, 0.02), (0.3, 0.1, 0.25)],
    wrong={
        "p times new / old is not a probability; the other class changes as well. Work with odds.": (
            lambda p, old, new: p * new / old
        ),
        "these are the odds; turn them into a probability, odds / (1 + odds).": (
            lambda p, old, new: _odds(p) / _odds(old) * _odds(new)
        ),
        "you multiplied by new / old; multiply by the ratio of the prior odds.": (
            lambda p, old, new: expit(logit(p)) * new / old / (expit(logit(p)) * new / old + 1 - p)
        ),
        "old and new are swapped: where a class is rarer, its posterior falls.": (
            lambda p, old, new: with_share(p, new, old)
        ),
        "you multiplied p itself by the ratio of the odds; multiply the odds of p.": (
            lambda p, old, new: p * _odds(new) / _odds(old)
        ),
        "the old priors are still in it: divide by their odds.": lambda p, old, new: expit(logit(p) + logit(new)),
        "this is p as it was; nothing has changed yet.": lambda p, old, new: p,
        "these are the log odds; turn them into a probability, with expit.": (
            lambda p, old, new: logit(p) - logit(old) + logit(new)
        ),
        "this is the posterior of the other class; subtract it from 1.": lambda p, old, new: (
            1 - with_share(p, old, new)
        ),
    },
)
def with_share(p, old, new):
    """Posterior after the share of the class has changed."""
    return expit(logit(p) - logit(old) + logit(new))


def _cheapest(p, spam, alarm, miss, candidates, *, deleted=np.greater):
    """Return the first of the cheapest candidates, where `deleted` compares p with one of them."""
    cost = [alarm * np.sum(~spam & deleted(p, s)) + miss * np.sum(spam & ~deleted(p, s)) for s in candidates]
    return candidates[np.argmin(cost)]


def _mails(seed, n=60):
    """Return posteriors of so many emails, and which are spam."""
    rng = np.random.default_rng(seed)
    p = rng.random(n).round(2)
    return p, rng.random(n) < p**2


@exercise(
    "9.3",
    {
        "for equal costs, cheapest_threshold returned": (*_mails(1), 1, 1, np.arange(0.05, 1, 0.1)),
        "for alarm = 10 and miss = 1, cheapest_threshold returned": (*_mails(2), 10, 1, np.arange(0.05, 1, 0.05)),
        "for alarm = 1 and miss = 4, cheapest_threshold returned": (*_mails(3), 1, 4, np.arange(0.05, 1, 0.05)),
        "where some p equal a candidate, cheapest_threshold returned": (
            np.array([0.3, 0.5, 0.5, 0.5, 0.8]),
            np.array([False, False, False, True, True]),
            *(1, 1, np.array([0.2, 0.5, 0.6])),
        ),
    },
    wrong={
        "this is the place of the candidate in the list; return the candidate itself.": (
            lambda *args: np.flatnonzero(args[-1] == _cheapest(*args))[0]
        ),
        "an email whose p equals the threshold is not deleted.": (
            lambda p, spam, alarm, miss, candidates: _cheapest(
                p, spam, alarm, miss, candidates, deleted=np.greater_equal
            )
        ),
        "the costs are swapped: a letter that is lost costs alarm, and spam that gets through costs miss.": (
            lambda p, spam, alarm, miss, candidates: _cheapest(p, spam, miss, alarm, candidates)
        ),
        "this has the fewest mistakes; weigh each mistake with its cost.": (
            lambda p, spam, alarm, miss, candidates: _cheapest(p, spam, 1, 1, candidates)
        ),
        "this is the formula's threshold; count what each candidate costs on these mails.": (
            lambda p, spam, alarm, miss, candidates: alarm / (alarm + miss)
        ),
        "this is the candidate next to the formula's threshold; count what each candidate costs on these mails.": (
            lambda p, spam, alarm, miss, candidates: candidates[
                np.argmin(np.abs(np.asarray(candidates) - alarm / (alarm + miss)))
            ]
        ),
        "this is the most expensive candidate. Delete the emails whose p exceeds the threshold, and use argmin.": (
            lambda p, spam, alarm, miss, candidates: _cheapest(p, spam, -alarm, -miss, candidates)
        ),
        "this is the lowest cost; return the candidate that has it.": lambda p, spam, alarm, miss, candidates: min(
            alarm * np.sum(~spam & (p > s)) + miss * np.sum(spam & (p <= s)) for s in candidates
        ),
        "count the mistakes of one class each: letters among those that are not spam, missed spam among the spam.": (
            lambda p, spam, alarm, miss, candidates: candidates[
                np.argmin([alarm * np.sum(p > s) + miss * np.sum(p <= s) for s in candidates])
            ]
        ),
    },
)
def cheapest_threshold(p, spam, alarm, miss, candidates):
    """Candidate with the lowest total cost."""
    return _cheapest(p, spam, alarm, miss, candidates)
