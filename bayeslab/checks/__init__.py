"""Exercise checks: each says what was asked, and what each usual wrong answer means.

One module per notebook, `_ch01` for notebook 01. An exercise is its right answer, decorated with the cases in which an
answer is compared with it, and with the wrong answers that students give, each below the sentence that they need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from bayeslab.checks._outcomes import Case, Outcome, attempt, compare, kind_of, lost_alike, message_of, same

UNANSWERED = "replace the ... with your answer."

Judge: TypeAlias = Callable[[Any], str | None]  # takes an answer, and returns None or what is wrong with it
Function = TypeVar("Function", bound=Callable[..., Any])

_EXERCISES: dict[str, Judge] = {}


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


def check(number: str, answer: object) -> Verdict:
    """Print whether `answer` solves exercise `number`, and if not, what is wrong with it; return the same.

    A wrong answer never raises, so that a notebook runs through with its exercises unsolved.

    Examples
    --------
    >>> verdict = check("0.1", ...)
    0.1 not yet: replace the ... with your answer.
    >>> verdict = check("0.1", 200)
    0.1 not yet: this is the number of errors. Divide it by the total number of samples.
    >>> verdict.solved
    False
    """
    verdict = verdict_on(number, answer)
    print(verdict)
    return verdict


def verdict_on(number: str, answer: object) -> Verdict:
    """Return what `check` prints."""
    chapter = re.fullmatch(r"(\d+)\.\d+", str(number))
    if chapter and find_spec(module := f"bayeslab.checks._ch{chapter[1]:0>2}"):
        import_module(module)
    if not isinstance(number, str) or number not in _EXERCISES:
        raise ValueError(f"there is no exercise {number!r}; exercises are named like '2.1'")
    problem, error = attempt(_problem, _EXERCISES[number], answer)
    if error is not None:
        problem = f"this answer cannot be judged: {message_of(error)}"
    return Verdict(number, problem is None, problem or "")


def _problem(judge: Judge, answer: object) -> str | None:
    return UNANSWERED if answer is ... else judge(answer)


def judge(number: str) -> Callable[[Judge], Judge]:
    """Register the decorated function, which takes an answer and returns None or what is wrong, as an exercise."""

    def register(function: Judge) -> Judge:
        _EXERCISES[number] = function
        return function

    return register


def exercise(
    number: str,
    cases: Sequence[tuple[Any, ...]] | Mapping[str, Any] | None = None,
    wrong: Mapping[str, Any] | None = None,
    *,
    coincide: bool = False,
) -> Callable[[Function], Function]:
    """Register the decorated function as the right answer to exercise `number`, such as "2.1".

    Parameters
    ----------
    number : str
    cases : list or dict
        Tuples of arguments with which answers are called. What they return must fit into one array of numbers, or of
        True and False. In place of a tuple there may be a function that takes the answer and returns what is to be
        compared. The keys of a dict begin the sentences about each case, such as "for 400 features, naive_c
        returned". Left out where the exercise asks for a value; the decorated function has no parameters then, and
        returns that value.
    wrong : dict
        Sentence → the answer that deserves it, or a tuple of such answers; the commonest first, since the guide for
        teachers shows three. Where two give the same, the first counts.
    coincide : bool
        Whether wrong answers often coincide in single cases, as names or small counts do. A cause is then named only
        where all cases agree.
    """

    def register(function: Function) -> Function:
        named: list[tuple[str, Any]]
        if cases is None:
            named = [("this is", lambda answer: answer)]
        elif isinstance(cases, Mapping):
            named = list(cases.items())
        else:
            named = [(_call(function.__name__, args), args) for args in cases]
        right = function if signature(function).parameters else function()
        listed = [Case(says, function.__name__, _probe(given)) for says, given in named]
        _EXERCISES[number] = Exercise(right, listed, wrong or {}, coincide)
        return function

    return register


def _call(name: str, args: tuple[Any, ...]) -> str:
    """Begin a sentence about a call: with its arguments, if they are short."""
    if any(np.ndim(arg) for arg in args):
        return f"{name} returned"
    return f"{name}({', '.join(map(str, args))}) is"


def _probe(given: Any) -> Callable[[Function], Function]:
    """Return a function that calls an answer with arguments of its own, which it may change."""
    return given if callable(given) else lambda answer: answer(*map(deepcopy, given))


def _order_of_parameters(answer: Any, right: Any) -> str | None:
    """Say so where a function takes the parameters that it should, but in another order."""
    if not callable(right):
        return None
    taken, _ = attempt(lambda: list(signature(answer).parameters))
    wanted = list(signature(right).parameters)
    if taken is None or taken == wanted or sorted(taken) != sorted(wanted):
        return None
    return f"the arguments come in another order: def {right.__name__}({', '.join(wanted)})."


class _Resembling(NamedTuple):
    """A wrong answer, and how to recognise others that deserve the same sentence, from what they and it give."""

    answer: object
    alike: Callable[[Any, Any, Any], bool]


def same_shape(answer: object) -> _Resembling:
    """Mark a wrong answer as one of many whose results have this shape."""

    def alike(got: Any, wrong: Any, right: Any) -> bool:
        return all(isinstance(each, np.ndarray) for each in (got, wrong)) and got.shape == wrong.shape != right.shape

    return _Resembling(answer, alike)


def same_case(answer: object) -> _Resembling:
    """Mark a wrong answer as one of many that go wrong in the same case for the first time."""
    return _Resembling(answer, lambda got, wrong, right: not same(wrong, right))


class _Known:
    """An answer that is known: the right one, or a mistake with its sentence. It is tried once in each case."""

    def __init__(self, answer: object, sentence: str = "") -> None:
        if not isinstance(answer, _Resembling):
            answer = _Resembling(answer, lambda got, wrong, right: lost_alike(got, wrong))
        self.answer: Any = answer.answer
        self.alike: Callable[[Any, Any, Any], bool] = answer.alike
        self.sentence = sentence
        self._outcomes: dict[Case, Outcome] = {}

    def of(self, case: Case) -> Outcome:
        """Return what it comes to in a case."""
        if case not in self._outcomes:
            self._outcomes[case] = case.of(self.answer)
        return self._outcomes[case]


class Exercise:
    """What is right, and what usual mistakes give; called with an answer, it returns None or what is wrong.

    Parameters
    ----------
    right : object
        The right answer.
    cases : list of Case
    wrong : dict
        Sentence → the answer that deserves it, or a tuple of such answers.
    coincide : bool
        See `exercise`.
    """

    right: _Known
    cases: list[Case]
    mistakes: list[_Known]
    coincide: bool

    def __init__(self, right: object, cases: list[Case], wrong: Mapping[str, Any], coincide: bool) -> None:
        self.right, self.cases, self.coincide = _Known(right), cases, coincide
        self.mistakes = [
            _Known(answer, sentence)
            for sentence, answers in wrong.items()
            for answer in (answers if type(answers) is tuple else (answers,))
        ]

    def __call__(self, answer: Any) -> str | None:
        """Return what is wrong with an answer, or None."""
        right = self.right.answer
        if callable(right) and not callable(answer):
            asked = f"def {right.__name__}{signature(right)}"
            return f"this exercise asks for a function, {asked}, not for {kind_of(answer)}. Pass its name to check."
        for i, case in enumerate(self.cases):
            got = case.of(answer)
            problem = compare(got, self.right.of(case), case.says)
            if problem is not None:
                return _order_of_parameters(answer, right) or self._cause(answer, i, got) or problem
        return None

    def _cause(self, answer: object, first: int, got: Outcome) -> str | None:
        """Return the sentence of the mistake that gives what an answer gives, up to where it first goes wrong."""
        case = self.cases[first]
        suspects = [m for m in self.mistakes if all(same(m.of(c), self.right.of(c)) for c in self.cases[:first])]
        exactly = [m for m in suspects if same(got, m.of(case))]
        suspects = exactly or [m for m in suspects if m.alike(got, m.of(case), self.right.of(case))]
        for later in self.cases[first + 1 :]:
            if len({m.sentence for m in suspects}) < 2 and not self.coincide:
                break
            got = later.of(answer)
            still = [m for m in suspects if same(got, m.of(later))]
            suspects = still if self.coincide else still or suspects
        return suspects[0].sentence if suspects else None
