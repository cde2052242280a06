"""Checks of notebook 09, what a mistake costs."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise


def _first_problem(function, cases, what):
    """Judge a function on cases of (arguments, right value, mistakes): the first problem, or None."""
    for arguments, right, mistakes in cases:
        problem = compare(function(*arguments), right, mistakes, what=f"{what}{_listed(arguments)}")
        if problem is not None:
            return problem
    return None


def _listed(arguments) -> str:
    return f"({', '.join(str(argument) for argument in arguments)})"


@exercise("9.1")
def threshold(function):
    """Threshold on the posterior, from four costs."""
    cases = []
    for (a, b), (c, d) in [((2, 30), (7, 4)), ((0, 20), (1, 5)), ((0, 20), (1, 0))]:
        alarm, miss = c - a, b - d
        right = alarm / (alarm + miss)
        mistakes = {
            "these are the odds, alarm / miss; a probability is alarm / (alarm + miss).": alarm / miss,
            "these are odds, upside down; the threshold is a probability.": miss / alarm,
            "the costs are swapped: the dearer a miss, the lower the threshold.": miss / (alarm + miss),
            "1/2 is the threshold only where both mistakes cost the same.": 0.5,
            "the right decisions are not free here; take their costs off those of the mistakes.": c / (b + c),
            "you took rows for columns; compare home and operate within one column.": ((b - a) / (b - a + c - d)),
            "an operation where it is needed has its price, too; take it off that of a miss.": alarm / (alarm + b),
            "waiting has its price, too; take it off that of a false alarm.": c / (c + miss),
            "the costs of the right decisions have the wrong sign.": (c + a) / (c + a + b + d),
            "the differences are right, but one of them has the wrong sign.": (alarm / (alarm - miss)),
        }
        cases.append((([[a, b], [c, d]],), right, mistakes))
    return _first_problem(function, cases, "threshold")


@exercise("9.2")
def with_share(function):
    """Posterior after the share of the class has changed."""
    cases = []
    for p, old, new in [(0.6, 0.4, 0.02), (0.3, 0.1, 0.25)]:
        factor = new / (1 - new) * (1 - old) / old
        odds = p / (1 - p) * factor
        back = p / (1 - p) / factor
        mistakes = {
            "these are the odds; turn them into a probability, odds / (1 + odds).": odds,
            "old and new are swapped: where a class is rarer, its posterior falls.": back / (1 + back),
            "p times new / old is no probability; the other class changes as well. Work with odds.": p * new / old,
            "you multiplied by new / old; multiply by the ratio of the prior odds.": (
                p / (1 - p) * new / old / (1 + p / (1 - p) * new / old)
            ),
            "you multiplied p itself by the ratio of the odds; multiply the odds of p.": p * factor,
            "the old priors are still in it: divide by their odds.": (
                p / (1 - p) * new / (1 - new) / (1 + p / (1 - p) * new / (1 - new))
            ),
            "this is p as it was; nothing has changed yet.": p,
            "these are the log odds; turn them into a probability, with expit.": np.log(odds),
            "this is the posterior of the other class; take 1 minus it.": 1 / (1 + odds),
        }
        cases.append(((p, old, new), odds / (1 + odds), mistakes))
    return _first_problem(function, cases, "with_share")
