"""Exercise checks: each says what was asked, and what each usual wrong answer means.

One module per notebook, `ch01` for notebook 01. An exercise is a function decorated with `exercise("1.1")`; it takes
the answer and returns None where it is right, or a sentence that says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

import numpy as np

_EXERCISES: dict[str, Callable] = {}


@dataclass(frozen=True)
class Verdict:
    """What `check` says to an answer; true where it is right.

    Parameters
    ----------
    exercise : str
        Number of the exercise, such as "2.1".
    solved : bool
    message : str
        What is wrong, empty where nothing is.

    Examples
    --------
    >>> print(Verdict("0.1", True))
    0.1 done.
    """

    exercise: str
    solved: bool
    message: str = ""

    def __bool__(self) -> bool:
        return self.solved

    def __str__(self) -> str:
        return f"{self.exercise} done." if self.solved else f"{self.exercise} not yet: {self.message}"

    def _ipython_display_(self) -> None:
        """Show nothing below a cell that ends with `check(...)`, which has printed it already."""


def exercise(number: str):
    """Register the decorated function as the check of exercise `number`, such as "2.1"."""

    def register(function):
        _EXERCISES[number] = function
        return function

    return register


def check(number: str, answer) -> Verdict:
    """Print whether `answer` solves exercise `number`, and if not, what is wrong with it; return the same.

    A wrong answer never raises, so that a notebook runs through with its exercises unsolved.

    Examples
    --------
    >>> verdict = check("0.1", ...)
    0.1 not yet: replace the ... by your answer.
    >>> verdict = check("0.1", 200)
    0.1 not yet: this is the number of errors. Divide it by the number of all samples.
    >>> verdict.solved
    False
    """
    chapter = f"bayeslab.checks.ch{number.split('.')[0]:0>2}"
    if find_spec(chapter):
        import_module(chapter)
    if number not in _EXERCISES:
        raise ValueError(f"there is no exercise {number!r}; exercises are named like '2.1'")
    problem = _problem(_EXERCISES[number], answer)
    verdict = Verdict(number, problem is None, problem or "")
    print(verdict)
    return verdict


def _problem(judge, answer) -> str | None:
    if answer is ...:
        return "replace the ... by your answer."
    try:
        return judge(answer)
    except Exception as error:
        if callable(answer):
            return f"{getattr(answer, '__name__', 'your function')} raised {type(error).__name__}: {error}"
        if "not callable" in str(error):
            return f"this exercise asks for a function, not for {_short(answer)}: pass its name, without calling it."
        return f"this answer cannot be judged: {type(error).__name__}: {error}"


def compare(answer, right, mistakes: dict[str, object] | None = None, *, what: str = "the result") -> str | None:
    """Compare an answer with the right value, then with values that usual mistakes give.

    Parameters
    ----------
    answer : array-like
        Where a number is asked, an array that holds a single one will do.
    right : array-like
    mistakes : dict
        What to say → the value that this mistake gives, or a tuple of such values.
    what : str
        Name of the answer in a sentence, such as "whiten".

    Returns
    -------
    None where the answer is right, otherwise a sentence.
    """
    if answer is None or answer is ...:
        return (
            f"{what} is None. Does your function end with return?" if answer is None else f"replace the ... in {what}."
        )
    try:
        answer = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        return f"{what} should be a number or an array of numbers, not {type(answer).__name__}."
    right = np.asarray(right, dtype=float)
    if right.ndim == 0 and answer.size == 1:
        answer = answer.reshape(())
    if answer.shape != right.shape:
        return f"{what} has shape {answer.shape}, but should have shape {right.shape}."
    if np.allclose(answer, right, rtol=1e-6, atol=1e-9):
        return None
    for explanation, values in (mistakes or {}).items():
        for value in values if isinstance(values, tuple) else (values,):
            if np.shape(value) == answer.shape and np.allclose(answer, value, rtol=1e-6, atol=1e-9):
                return explanation
    return f"{what} is {_short(answer)}, which is not right. Take the next hint."


def _short(value) -> str:
    return np.array2string(np.asarray(value), precision=4, threshold=6, edgeitems=2)
