"""Checks of notebook 00: the error of the lazy rule, and the rule itself."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise

# (names, priors, densities): the largest prior, the largest density and the largest product in different places.
_CASES = [
    (["a", "b", "c"], [0.6, 0.3, 0.1], [0.1, 0.5, 0.8]),
    (["setosa", "versicolor", "virginica"], [0.5, 0.2, 0.3], [0.2, 0.9, 0.7]),
    (["rare", "common"], [0.1, 0.9], [0.8, 0.3]),
    (["u", "v", "w", "z"], [0.1, 0.4, 0.3, 0.2], [2.0, 0.1, 1.5, 1.0]),
]
_TIE = (["first", "second"], [0.5, 0.5], [0.25, 0.25])


@exercise("0.1")
def _lazy_rule(answer):
    """Judge the error of the rule that always takes the largest of 100, 100 and 150."""
    mistakes = {
        "this is the share that the rule gets right; the others are wrong.": 3 / 7,
        "this is the number of errors. Divide it by the number of all samples.": 200,
        "this is the number of samples that the rule gets right. Count the others, and divide.": 150,
        "this would be so if the classes were equally frequent and the rule took one of them.": 2 / 3,
        "a third is the share of a class among three of the same size; these sizes differ.": 1 / 3,
        "this counts the errors of one class only; the rule is wrong about two.": 2 / 7,
        "this is the error of a rule that always takes one of the small classes.": 5 / 7,
        "you divided by the number that the rule gets right; divide by the number of all samples.": 4 / 3,
        "you divided the wrong way round; a share is at most 1.": 7 / 4,
        "this is a percentage; as a share it is 100 times smaller.": 400 / 7,
        "you divided by the number of classes; divide by the number of samples.": 200 / 3,
    }
    if isinstance(answer, str):
        return "this is a text; write the number without quotation marks."
    problem = compare(answer, 4 / 7, mistakes, what="the share")
    if problem and np.ndim(answer) == 0 and answer is not None:
        if abs(float(answer) - 4 / 7) < 6e-3:
            return "nearly: this is rounded. Let Python do the division."
        if not 0 <= float(answer) <= 1 and problem not in mistakes:
            return f"a share lies between 0 and 1, but this is {float(answer):.4g}."
    return problem


@exercise("0.2")
def _choose(choose):
    """Judge a function that returns the name with the largest prior × density."""
    if not callable(choose):
        return "choose should be a function; start with def choose(names, priors, densities):"
    for names, priors, densities in [*_CASES, _TIE]:
        answer = choose(list(names), list(priors), list(densities))
        problem = _judge_choice(answer, names, priors, densities)
        if problem:
            return problem
    return None


def _judge_choice(answer, names, priors, densities):
    """Say what is wrong with one choice, or return None."""
    products = np.multiply(priors, densities)
    winner = int(products.argmax())
    if answer is None:
        return "choose returned None. Does it end with return?"
    if not isinstance(answer, str):
        return _not_a_name(answer, products, winner)
    if answer == names[winner]:
        return None
    case = f"for priors {priors} and densities {densities}"
    if answer not in names:
        return f"{case} choose returned {answer!r}, which is not one of the names {names}."
    ties = np.flatnonzero(np.isclose(products, products.max()))
    if len(ties) > 1:
        return "of two equal products, the first one wins; choose took the last."
    rivals = {
        "density, and left out the prior": np.array(densities),
        "prior, and left out the density": np.array(priors),
        "sum; multiply prior and density instead of adding them": np.add(priors, densities),
        "ratio density / prior; multiply them": np.divide(densities, priors),
        "ratio prior / density; multiply them": np.divide(priors, densities),
    }
    if answer == names[int(products.argmin())] and len(names) > 2:
        return f"{case} choose took the smallest product; the largest wins."
    matching = [text for text, score in rivals.items() if answer == names[int(score.argmax())]]
    guess = f" Perhaps it took the largest {matching[0]}." if matching else ""
    return f"{case} choose returned {answer!r}, but prior × density is largest for {names[winner]!r}.{guess}"


def _not_a_name(answer, products, winner):
    """Say what a number or an array stands for that was returned in place of a name."""
    values = np.asarray(answer)
    if values.dtype.kind not in "biuf":
        return f"choose should return one name, not {type(answer).__name__}."
    if values.ndim == 1 and values.shape == products.shape:
        return "choose returned a number for each class; return the name of the class where it is largest."
    if values.ndim == 0 and np.isclose(values, products.max()):
        return "choose returned the largest product itself; return the name of its class."
    if values.ndim == 0 and values in (winner, winner + 1):
        return f"choose returned the number {values}; use it to look up the name: names[...], counting from 0."
    return f"choose should return one name, not {type(answer).__name__}."
