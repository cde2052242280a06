"""Checks of notebook 09, what a mistake costs."""

from __future__ import annotations

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
        "these are the odds, alarm / miss; a probability is alarm / (alarm + miss).": (
            _of_four(lambda a, b, c, d: (c - a) / (b - d))
        ),
        "these are odds, upside down; the threshold is a probability.": _of_four(lambda a, b, c, d: (b - d) / (c - a)),
        "the costs are swapped: the more a miss costs, the lower the threshold.": (
            _of_four(lambda a, b, c, d: (b - d) / (c - a + b - d))
        ),
        "1/2 is the threshold only where both mistakes cost the same.": lambda costs: 0.5,
        "the right decisions are not free here; subtract their costs from those of the mistakes.": (
            _of_four(lambda a, b, c, d: c / (b + c))
        ),
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
        "these are the odds; turn them into a probability, odds / (1 + odds).": (
            lambda p, old, new: _odds(p) / _odds(old) * _odds(new)
        ),
        "old and new are swapped: where a class is rarer, its posterior falls.": (
            lambda p, old, new: with_share(p, new, old)
        ),
        "p times new / old is not a probability; the other class changes as well. Work with odds.": (
            lambda p, old, new: p * new / old
        ),
        "you multiplied by new / old; multiply by the ratio of the prior odds.": (
            lambda p, old, new: expit(logit(p)) * new / old / (expit(logit(p)) * new / old + 1 - p)
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
