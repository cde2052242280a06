"""The frame of the exercise checks; what single exercises ask is tried on their solutions by the notebooks."""

import numpy as np
import pytest

from bayeslab import checks


@pytest.fixture
def said(monkeypatch, capsys):
    """Exercise 0.9 asks for half of 2; returns what `check` prints for an answer."""

    def judge(answer):
        value = answer(2) if callable(answer) else answer
        return checks.compare(value, 1, {"you doubled instead of halving.": 4}, what="half")

    monkeypatch.setitem(checks._EXERCISES, "0.9", judge)

    def say(answer):
        checks.check("0.9", answer)
        return capsys.readouterr().out.strip()

    return say


def explode(x):
    raise ZeroDivisionError("by zero")


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        (1, "0.9 done."),
        (np.array(1.0), "0.9 done."),
        (lambda x: x / 2, "0.9 done."),
        (..., "0.9 not yet: replace the ... by your answer."),
        (lambda x: None, "0.9 not yet: half is None."),
        (4, "0.9 not yet: you doubled instead of halving."),
        (3, "0.9 not yet: half is 3; that is not what the formula gives. Take the next hint."),
        ([1, 2], "0.9 not yet: half has shape (2,), but should have shape ()."),
        ("one", "0.9 not yet: half should be a number or an array of numbers, not str."),
        (explode, "0.9 not yet: explode raised ZeroDivisionError: by zero"),
    ],
)
def test_what_is_wrong_is_said(said, answer, reply):
    assert said(answer) == reply


def test_nan_is_never_right(said):
    assert "not yet" in said(np.nan)


@pytest.mark.parametrize("number", ["1.99", "99.1", "x"])
def test_an_unknown_exercise_is_an_error(number):
    with pytest.raises(ValueError, match="there is no exercise"):
        checks.check(number, 1)
