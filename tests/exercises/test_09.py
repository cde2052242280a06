"""The checks of notebook 09 accept what is right, in whatever form, and name each usual mistake."""

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy.optimize import brentq
from scipy.special import expit, logit

from bayeslab import Gaussian, TrueClassifier


def by_root(costs):
    """Where both decisions are expected to cost the same."""
    home, operate = np.array(costs)
    return brentq(lambda p: (home - operate) @ [1 - p, p], 0, 1)


def by_classifier(p, old, new):
    """Priors exchanged in a rule: at x the posterior is p where the second class has the prior old."""
    rule = TrueClassifier([Gaussian(0, 1), Gaussian(1, 1)], [0, 1], priors=[1 - old, old])
    x = brentq(lambda x: rule.predict_proba([[x]])[0, 1] - p, -20, 20, xtol=1e-13)
    return rule.with_priors([1 - new, new]).predict_proba([[x]])[0, 1]


def odds(p):
    return p / (1 - p)


def of_four(costs):
    (a, b), (c, d) = costs
    return a, b, c, d


def threshold(rule):
    """Return an answer to 9.1 from a function of the four costs, row by row."""
    return lambda costs: rule(*of_four(costs))


# (number, answer, what is said)
TABLE = [
    ("9.1", by_root, DONE),
    ("9.1", threshold(lambda a, b, c, d: 1 / (1 + (b - d) / (c - a))), DONE),
    ("9.1", threshold(lambda a, b, c, d: (c - a) / (b - d)), "these are the odds, alarm / miss"),
    ("9.1", threshold(lambda a, b, c, d: (b - d) / (c - a)), "upside down"),
    ("9.1", threshold(lambda a, b, c, d: (b - d) / (b - d + c - a)), "the costs are swapped"),
    ("9.1", lambda costs: 0.5, "1/2 is the threshold only where"),
    ("9.1", threshold(lambda a, b, c, d: c / (b + c)), "the right decisions are not free"),
    ("9.1", threshold(lambda a, b, c, d: (c + a) / (a + b + c + d)), "have the wrong sign"),
    ("9.1", threshold(lambda a, b, c, d: (b - a) / (b - a + c - d)), "you took rows for columns"),
    ("9.1", threshold(lambda a, b, c, d: (c - a) / (c - a - b + d)), "one of them has the wrong sign"),
    ("9.1", threshold(lambda a, b, c, d: (c - a) / (c - a + b)), "take it off that of a miss"),
    ("9.1", threshold(lambda a, b, c, d: c / (c + b - d)), "take it off that of a false alarm"),
    ("9.1", threshold(lambda a, b, c, d: a - b), "which is not right"),
    ("9.2", by_classifier, DONE),
    ("9.2", lambda p, old, new: expit(logit(p) - logit(old) + logit(new)), DONE),
    ("9.2", lambda p, old, new: odds(p) * odds(new) / odds(old), "these are the odds; turn"),
    ("9.2", lambda p, old, new: by_classifier(p, new, old), "old and new are swapped"),
    ("9.2", lambda p, old, new: p * new / old, "is no probability"),
    ("9.2", lambda p, old, new: expit(logit(p) + np.log(new / old)), "ratio of the prior odds"),
    ("9.2", lambda p, old, new: p * odds(new) / odds(old), "multiply the odds of p"),
    ("9.2", lambda p, old, new: expit(logit(p) + logit(new)), "the old priors are still in it"),
    ("9.2", lambda p, old, new: p, "nothing has changed yet"),
    ("9.2", lambda p, old, new: logit(p) - logit(old) + logit(new), "log odds; turn them"),
    ("9.2", lambda p, old, new: 1 - by_classifier(p, old, new), "the other class; take 1 minus it"),
]
TABLE += unfinished("9.1", "9.2")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
