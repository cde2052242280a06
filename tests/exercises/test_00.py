"""The checks of notebook 00 accept what is right, in whatever form, and name each usual mistake."""

import math
from fractions import Fraction

import numpy as np
import pytest
from judging import DONE, must_say


def chooser(score, best=max):
    """Return a `choose` that takes the first name with the best score of prior and density."""

    def choose(names, priors, densities):
        scores = [score(prior, density) for prior, density in zip(priors, densities, strict=True)]
        return names[scores.index(best(scores))]

    return choose


# (number, answer, what is said)
TABLE = [
    ("0.1", 200 / 350, DONE),
    ("0.1", Fraction(4, 7), DONE),
    ("0.1", np.array([1 - 150 / 350]), DONE),
    ("0.1", 150 / 350, "the share that the rule gets right"),
    ("0.1", 200, "number of errors"),
    ("0.1", 100 / 350, "one class only"),
    ("0.1", 0.571, "rounded"),
    ("0.1", "4/7", "quotation marks"),
    ("0.1", None, "this is None; a number is asked"),
    ("0.1", lambda: 200 / 350, "this is a function"),
    ("0.1", 0.5, "which is not right"),
    ("0.2", chooser(lambda p, d: p * d), DONE),
    ("0.2", chooser(lambda p, d: math.log(p) + math.log(d)), DONE),
    ("0.2", lambda n, p, d: np.array(n)[np.argmax(np.multiply(p, d))], DONE),
    ("0.2", chooser(lambda p, d: d), "left out the prior"),
    ("0.2", chooser(lambda p, d: p), "left out the density"),
    ("0.2", chooser(lambda p, d: p * d, min), "smallest product"),
    ("0.2", chooser(lambda p, d: p**2 * d), "not largest where choose says"),
    ("0.2", chooser(lambda p, d: p * d**2), "not largest where choose says"),
    ("0.2", chooser(lambda p, d: p + d), "instead of adding"),
    ("0.2", lambda n, p, d: max(zip(np.multiply(p, d), range(len(n)), n, strict=True))[2], "first one wins"),
    ("0.2", lambda n, p, d: np.argmax(np.multiply(p, d)), "a position"),
    ("0.2", lambda n, p, d: n[np.argmax(p * d)], "use np.multiply"),
    ("0.2", lambda n, p, d: "nobody", "choose returned 'nobody', which is none of the names ['a', 'b', 'c']."),
    ("0.2", lambda n, p, d: n[np.argsort(np.multiply(p, d))[-2]], "not largest where choose says"),
    ("0.2", lambda n, p, d: np.multiply(p, d), "a number for each class"),
    ("0.2", lambda n, p, d: np.multiply(p, d).max(), "the largest value itself"),
    ("0.2", lambda n, p, d: np.divide(np.multiply(p, d), np.dot(p, d)).max(), "the largest value itself"),
    ("0.1", ..., "replace the ..."),
    ("0.2", ..., "replace the ..."),
    ("0.2", lambda *args: ..., "ellipsis"),
    ("0.2", lambda *args: None, "return?"),
    ("0.2", 1.5, "function"),
]


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
