"""Checks of notebook 00: the error of the lazy rule, and the rule itself."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import exercise
from bayeslab.checks._outcomes import Refused, read


@exercise(
    "0.1",
    {"this is": lambda answer: answer, "this stands alone:": lambda answer: np.ndim(answer) == 0},
    wrong={
        "this is the share that the rule gets right; we want the share that it gets wrong.": 3 / 7,
        "this is the number of errors. Divide it by the total number of samples.": 200,
        "this is the number of samples that the rule gets right. Count the others, and divide.": 150,
        "this would be right if the classes were equally large; they are not.": 2 / 3,
        "this would be the share of one class if all three were equally large; they are not.": 1 / 3,
        "this counts the errors in one class only; the rule gets two classes wrong.": 2 / 7,
        "this is the error of a rule that always takes one of the smaller classes.": 5 / 7,
        "you divided by the number that the rule gets right; divide by the total number of samples.": 4 / 3,
        "you divided the wrong way round; a share is at most 1.": 7 / 4,
        "this is the share in percent; leave out the factor of 100.": 400 / 7,
        "// drops everything after the decimal point; divide with a single /.": 200 // 350,
        "this is rounded. Let Python do the division, and keep all the digits.": (0.6, 0.57, 0.571, 0.5714),
        "this is None. Write a number after the =, or what Python should compute, such as 1 / 2.": None,
        "the number is right, but it is wrapped in a list or an array. Leave out the brackets.": [4 / 7],
    },
)
def error_share():
    """Error of the rule that always takes the largest of 100, 100 and 150."""
    return (100 + 100) / (100 + 100 + 150)


# (names, priors, densities). Every usual mistake chooses differently in at least one of them.
_EXAMPLES = [
    (["a", "b", "c"], [0.6, 0.3, 0.1], [0.1, 0.5, 0.8]),
    (["setosa", "versicolor", "virginica"], [0.2, 0.5, 0.3], [0.9, 0.2, 0.7]),
    (["rare", "common"], [0.1, 0.9], [0.8, 0.3]),
    (["x", "y", "z"], [0.7, 0.2, 0.1], [1.0, 0.9, 0.8]),
    (["u", "v", "w", "z"], [0.3, 0.4, 0.1, 0.2], [1.5, 0.6, 2.0, 1.0]),
    (["first", "second", "third"], [0.4, 0.2, 0.4], [0.25, 0.1, 0.25]),  # a tie
    (["a", "b", "c"], [0.6, 0.3, 0.1], [0.4, 0.9, 2.5]),  # neither prior nor density counts twice
]


def _position_of_the_name(names, priors, densities):
    """Return a function that finds the place, among the names, of what a `choose` returns."""

    def probe(choose):
        answer = choose(list(names), list(priors), list(densities))
        if isinstance(answer, str):
            found = f"choose returned {answer[:20]!r}, which is none of the names {names}."
            return names.index(answer) if answer in names else Refused(found)
        if (
            isinstance(answer, list | tuple | np.ndarray)
            and len(answer)
            and all(isinstance(each, str) for each in answer)
        ):
            return Refused(
                "choose returned a list of names. Return one name, that of the class with the largest product."
            )
        number = read(answer, "choose returned", "choose")
        if isinstance(number, Refused):
            return number
        if number.shape == np.shape(names):
            return Refused("choose returned a number for each class. Return the name of the class with the largest.")
        if number.size > 1:
            return Refused("choose returned several numbers. Return the name of one class.")
        return Refused(f"choose returned {number.ravel().tolist()[0] if number.size else 'nothing'}, not a name.")

    return probe


def _choosing(position):
    """Return a `choose` that takes the name at a position computed from the arrays of priors and densities."""
    return lambda names, priors, densities: names[position(np.array(priors), np.array(densities))]


@exercise(
    "0.2",
    {
        f"for priors {priors} and densities {densities}, choose took the name at position": (
            _position_of_the_name(names, priors, densities)
        )
        for names, priors, densities in _EXAMPLES
    },
    wrong={
        "lists cannot be multiplied with *. Use np.multiply.": (
            lambda names, priors, densities: names[np.argmax(priors * densities)]
        ),
        "choose returned a position. Return the name at that position, names[...].": (
            lambda names, priors, densities: np.argmax(np.multiply(priors, densities))
        ),
        "choose took the largest density and left out the prior.": _choosing(lambda p, d: d.argmax()),
        "if two products are equal, the first one wins, but choose took the last.": (
            _choosing(lambda p, d: len(p) - 1 - (p * d)[::-1].argmax())
        ),
        "choose took the largest prior and left out the density.": _choosing(lambda p, d: p.argmax()),
        "choose took the smallest product; the largest wins.": _choosing(lambda p, d: (p * d).argmin()),
        "choose took the largest sum. Multiply prior and density instead of adding them.": (
            _choosing(lambda p, d: (p + d).argmax())
        ),
        "choose divided; multiply prior and density.": (
            _choosing(lambda p, d: (d / p).argmax()),
            _choosing(lambda p, d: (p / d).argmax()),
        ),
        "choose took the name before the right one; positions are counted from 0.": (
            _choosing(lambda p, d: (p * d).argmax() - 1)
        ),
        "choose always took the first name.": _choosing(lambda p, d: 0),
        "choose always took the last name.": _choosing(lambda p, d: -1),
        "choose returned the largest value itself. Return the name of the class that has it.": (
            lambda names, priors, densities: np.max(np.multiply(priors, densities)),
            lambda names, priors, densities: np.max(np.multiply(priors, densities) / np.dot(priors, densities)),
        ),
    },
    coincide=True,
)
def choose(names, priors, densities):
    """Name with the largest prior × density."""
    return names[np.argmax(np.multiply(priors, densities))]
