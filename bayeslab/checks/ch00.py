"""Checks of notebook 00: the error of the lazy rule, and the rule itself."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise

# (names, priors, densities). Every usual mistake chooses differently in at least one of them; the last is a tie.
_CASES = [
    (["a", "b", "c"], [0.6, 0.3, 0.1], [0.1, 0.5, 0.8]),
    (["setosa", "versicolor", "virginica"], [0.2, 0.5, 0.3], [0.9, 0.2, 0.7]),
    (["rare", "common"], [0.1, 0.9], [0.8, 0.3]),
    (["x", "y", "z"], [0.7, 0.2, 0.1], [1.0, 0.9, 0.8]),
    (["u", "v", "w", "z"], [0.3, 0.4, 0.1, 0.2], [1.5, 0.6, 2.0, 1.0]),
    (["first", "second", "third"], [0.4, 0.2, 0.4], [0.25, 0.1, 0.25]),
    (["a", "b", "c"], [0.6, 0.3, 0.1], [0.4, 0.9, 2.5]),  # neither prior nor density counts twice
]
# What to say → the position that this mistake chooses, from the arrays of priors and densities.
_MISTAKES = {
    "of two equal products the first one wins, but choose took the last.": lambda p, d: (
        len(p) - 1 - (p * d)[::-1].argmax()
    ),
    "choose took the largest density and left out the prior.": lambda p, d: d.argmax(),
    "choose took the largest prior and left out the density.": lambda p, d: p.argmax(),
    "choose took the smallest product; the largest wins.": lambda p, d: (p * d).argmin(),
    "choose took the largest sum; multiply prior and density instead of adding them.": lambda p, d: (p + d).argmax(),
    "choose divided; multiply prior and density.": lambda p, d: (d / p).argmax(),
    "choose divided; multiply density and prior.": lambda p, d: (p / d).argmax(),
    "choose took the name before the right one; positions count from 0.": lambda p, d: (p * d).argmax() - 1,
    "choose always took the first name.": lambda p, d: 0,
    "choose always took the last name.": lambda p, d: -1,
}


@exercise("0.1")
def _lazy_rule(answer):
    """Judge the error of the rule that always takes the largest of 100, 100 and 150."""
    if isinstance(answer, str):
        return "this is a text; write the number without quotation marks."
    if callable(answer):
        return "this is a function; write the number itself."
    if answer is None:
        return "this is None; a number is asked. Write it after the =, or what Python shall compute, such as 1 / 2."
    right = 4 / 7
    mistakes = {
        "this is the share that the rule gets right; the others are wrong.": 3 / 7,
        "this is the number of errors. Divide it by the number of all samples.": 200,
        "this is the number of samples that the rule gets right. Count the others, and divide.": 150,
        "this would be so if the classes were of the same size; they are not.": 2 / 3,
        "this is the share of one class among three of the same size; these differ.": 1 / 3,
        "this counts the errors in one class only; the rule is wrong about two.": 2 / 7,
        "this is the error of a rule that always takes one of the smaller classes.": 5 / 7,
        "you divided by the number that the rule gets right; divide by the number of all samples.": 4 / 3,
        "you divided the wrong way round; a share is at most 1.": 7 / 4,
        "this is the share in percent; leave out the factor 100.": 100 * right,
        "nearly, but this is rounded. Let Python do the division.": next(
            (value for digits in range(1, 7) if np.all(answer == (value := round(right, digits)))), np.nan
        ),
    }
    return compare(answer, right, mistakes, what="the share")


@exercise("0.2")
def _choose(choose):
    """Judge a function that returns the name with the largest prior × density."""
    if not callable(choose):
        return "choose should be a function; start with def choose(names, priors, densities):"
    answers = []
    for names, priors, densities in _CASES:
        try:
            answer = choose(list(names), list(priors), list(densities))
        except TypeError as error:
            if "multiply sequence" not in str(error):
                raise
            return f"choose raised TypeError: {error}: lists do not multiply; use np.multiply."
        if not isinstance(answer, str):
            return _not_a_name(answer, np.multiply(priors, densities))
        if answer not in names:
            return f"choose returned {answer!r}, which is none of the names {names}."
        answers.append(answer)
    wrong = [case for case, answer, right in zip(_CASES, answers, _chosen(_right), strict=True) if answer != right]
    if not wrong:
        return None
    for explanation, mistake in _MISTAKES.items():
        if answers == _chosen(mistake):
            return explanation
    names, priors, densities = wrong[0]
    return f"for priors {priors} and densities {densities}, prior × density is not largest where choose says."


def _right(priors, densities):
    return (priors * densities).argmax()


def _chosen(rule) -> list[str]:
    """Return the name that `rule` takes in each of the cases."""
    return [names[rule(np.array(priors), np.array(densities))] for names, priors, densities in _CASES]


def _not_a_name(answer, products):
    """Say what was returned in place of a name."""
    if answer is None:
        return "choose returned None. Does it end with return?"
    values = np.asarray(answer)
    if values.dtype.kind in "iuf" and values.shape == products.shape:
        return "choose returned a number for each class; return the name of the class where it is largest."
    if values.dtype.kind in "iuf" and values.ndim == 0:
        if any(np.isclose(values, best) for best in (products.max(), products.max() / products.sum())):
            return "choose returned the largest value itself; return the name of the class that has it."
        return f"choose returned the number {values}; if this is a position, return names[...] of it."
    return f"choose should return one of the names, not {type(answer).__name__}."
