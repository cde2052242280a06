"""Every wrong value that a check knows, handed to `check` instead of the right one, evokes its own sentence."""

from importlib import import_module

import numpy as np
import pytest
from judging import DONE, must_say

from bayeslab import checks
from bayeslab.checks import ch00, check

ROWS = [row for chapter in range(19) for row in import_module(f"test_{chapter:02}").TABLE]
RIGHT = {number: answer for number, answer, phrase in reversed(ROWS) if phrase is DONE}
# The rounded value depends on the answer; who swaps two models does so in every call. Their own tables evoke both.
BY_HAND = {"0.1": {"nearly, but this is rounded. Let Python do the division."}, "4.2": {"naive and full are swapped."}}


class Student:
    """Answers right, but for the calls whose wrong results are given."""

    def __init__(self, right, wrong=()):
        self.right, self.wrong, self.results = right, dict(wrong), []

    def __call__(self, *args):
        self.results.append(self.right(*args))
        return self.wrong.get(len(self.results) - 1, self.results[-1])


def known(monkeypatch, number):
    """List (sentence, value, results until then, what was compared) of each mistake behind a right answer."""
    student, seen = Student(RIGHT[number]), []

    def note(answer, right, mistakes=None, **words):
        for sentence, values in (mistakes or {}).items():
            for value in values if isinstance(values, tuple) else (values,):
                seen.append((sentence, value, list(student.results), answer))
        return checks.compare(answer, right, mistakes, **words)

    answer = student if callable(student.right) else student.right
    assert check(number, answer).solved  # and has loaded the module
    student.results.clear()
    with monkeypatch.context() as patch:
        patch.setattr(f"{checks._EXERCISES[number].__module__}.compare", note)
        check(number, answer)
    return seen


def mistaken(right, value, results, compared):
    """Return an answer that is right until its results, or their part that is compared, become this value."""
    if not callable(right):
        return value
    last = len(results) - 1
    if isinstance(results[last], tuple | list):
        if any(part is compared for part in results[last]):
            value = tuple(value if part is compared else part for part in results[last])
    elif np.size(compared) > np.size(results[last]):  # those of several calls
        values = np.ravel(value).tolist()
        return Student(right, enumerate(values, last + 1 - len(values)))
    return Student(right, {last: value})


@pytest.mark.parametrize("number", RIGHT)
def test_each_mistake_evokes_its_own_sentence(monkeypatch, capsys, number):
    """In some call at least: where P is ½, swapped priors are no mistake."""
    mistakes = known(monkeypatch, number)
    said = {row[0] for row in mistakes if check(number, mistaken(RIGHT[number], *row[1:])).message.endswith(row[0])}
    assert {row[0] for row in mistakes} - said == BY_HAND.get(number, set())


def test_mistakes_are_compared_in_almost_every_exercise(monkeypatch):
    assert {number for number in RIGHT if not known(monkeypatch, number)} == {"0.2", "2.1", "7.1", "17.2", "18.3"}


@pytest.mark.parametrize("sentence", ch00._MISTAKES)
def test_each_wrong_choice_evokes_its_own_sentence(capsys, sentence):
    """Of exercise 0.2, whose mistakes are functions."""

    def choose(names, priors, densities):
        return names[ch00._MISTAKES[sentence](np.array(priors), np.array(densities))]

    must_say(capsys, "0.2", choose, sentence)
