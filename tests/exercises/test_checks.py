"""The frame of the exercise checks; what single exercises ask is tried on their solutions by the notebooks."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from ipykernel.displayhook import ZMQShellDisplayHook
from ipykernel.zmqshell import ZMQInteractiveShell
from jupyter_client.session import Session

from bayeslab import checks


@pytest.fixture
def said(monkeypatch, capsys):
    """Exercise 0.9 asks for half of 2; returns what `check` prints for an answer."""

    def judge(answer):
        value = answer(2) if callable(answer) else answer
        return checks.compare(
            value, 1, {"you doubled instead of halving.": 4, "you doubled, once or twice.": (6, 8)}, what="half"
        )

    monkeypatch.setitem(checks._EXERCISES, "0.9", judge)
    monkeypatch.setitem(checks._EXERCISES, "0.8", lambda answer: judge(answer(2)))

    def say(answer, number="0.9"):
        checks.check(number, answer)
        return capsys.readouterr().out.strip()

    return say


def explode(x):
    raise ZeroDivisionError("by zero")


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        (1, "0.9 done."),
        (np.array(1.0), "0.9 done."),
        ([[1]], "0.9 done."),
        (8, "0.9 not yet: you doubled, once or twice."),
        (lambda x: x / 2, "0.9 done."),
        (..., "0.9 not yet: replace the ... by your answer."),
        (lambda x: None, "0.9 not yet: half is None. Does your function end with return?"),
        (4, "0.9 not yet: you doubled instead of halving."),
        (3, "0.9 not yet: half is 3., which is not right. Take the next hint."),
        ([1, 2], "0.9 not yet: half has shape (2,), but should have shape ()."),
        ("one", "0.9 not yet: half should be a number or an array of numbers, not str."),
        (explode, "0.9 not yet: explode raised ZeroDivisionError: by zero"),
    ],
)
def test_what_is_wrong_is_said(said, answer, reply):
    assert said(answer) == reply


def test_a_number_where_a_function_is_asked(said):
    expected = "0.8 not yet: this exercise asks for a function, not for 3: pass its name, without calling it."
    assert said(3, "0.8") == expected


def test_nan_is_never_right(said):
    assert "not yet" in said(np.nan)


@pytest.mark.parametrize("number", ["1.99", "99.1", "x"])
def test_an_unknown_exercise_is_an_error(number):
    with pytest.raises(ValueError, match="there is no exercise"):
        checks.check(number, 1)


@pytest.mark.parametrize("right", [[2.0], [[2.0]], [2.0, 3.0]])
def test_where_an_array_is_asked_its_shape_counts(right):
    """Only where a number is asked, an array that holds a single one will do."""
    assert checks.compare(right, right) is None
    assert "has shape" in checks.compare(np.array(2.0), right)


@pytest.mark.parametrize(("answer", "solved"), [(1, True), (4, False), (..., False)])
def test_the_verdict_is_what_is_printed(said, capsys, answer, solved):
    verdict = checks.check("0.9", answer)
    assert capsys.readouterr().out == f"{verdict}\n"
    assert (verdict.exercise, verdict.solved, bool(verdict)) == ("0.9", solved, solved)
    assert str(verdict) == ("0.9 done." if solved else f"0.9 not yet: {verdict.message}")
    assert bool(verdict.message) is not solved


def test_a_verdict_cannot_be_changed(said):
    with pytest.raises(FrozenInstanceError):
        checks.check("0.9", 4).solved = True


def test_a_cell_that_ends_with_check_shows_nothing_a_second_time(said, monkeypatch):
    """The display hook of a kernel sends the result of a cell, unless there is nothing to send."""
    sent = []
    monkeypatch.setattr(Session, "send", lambda self, socket, message, **_: sent.append(message["content"]["data"]))
    ZMQInteractiveShell.clear_instance()
    shell = ZMQInteractiveShell.instance(user_ns={"check": checks.check})
    try:
        shell.displayhook.session, shell.displayhook.pub_socket = Session(key=b""), None
        assert isinstance(shell.displayhook, ZMQShellDisplayHook)
        shell.run_cell('check("0.9", 4)', store_history=True)
        assert sent == []
        shell.run_cell("1 + 1", store_history=True)
        assert sent == [{"text/plain": "2"}]
    finally:
        ZMQInteractiveShell.clear_instance()
