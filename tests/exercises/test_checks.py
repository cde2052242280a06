"""The frame of the exercise checks, with an exercise of its own."""

import math
import sys
from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from ipykernel.displayhook import ZMQShellDisplayHook
from ipykernel.zmqshell import ZMQInteractiveShell
from jupyter_client.session import Session

from bayeslab import checks
from bayeslab.checks import exercise, same_case, same_shape


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """Exercise 0.9 asks for half of a number; 0.8 for the halves of an array, 0.7 for one half."""
    monkeypatch.setattr(checks, "_EXERCISES", {})

    @exercise(
        "0.9",
        [(2,), (4,), (0,)],
        wrong={
            "you doubled instead of halving.": lambda x: 2 * x,
            "you took the square.": lambda x: x**2,
            "you took a power of 2, or twice.": (lambda x: 2**x, lambda x: 4**x),
            "the half of 0 is 0.": same_case(lambda x: x / 2 if x else 7),
        },
    )
    def half(x):
        return x / 2

    @exercise(
        "0.8",
        {"halves returned": (np.array([2.0, 4.0, -1.0]),), "for one number, halves returned": (np.array([3.0]),)},
        wrong={
            "a negative number has no root.": lambda x: np.sqrt(x),
            "this is not a number at all.": lambda x: x * np.nan,
            "return all of them.": same_shape(lambda x: x[0] / 2),
        },
    )
    def halves(x):
        return x / 2

    @exercise("0.7", wrong={"this is twice as much.": 1})
    def one_half():
        return 1 / 2

    @exercise(
        "0.6",
        [(1,), (2,), (3,)],
        wrong={"you always took 1.": lambda x: 1, "you counted down.": lambda x: 2 - x},
        coincide=True,
    )
    def same_number(x):
        return x


def explode(x):
    raise ZeroDivisionError("by\nzero")


NOT_RIGHT, NO_QUOTES = "which is not right. Take the next hint.", "Write numbers without quotation marks."
UNDEFINED = "Do you divide by 0, or take a root or a logarithm that does not exist?"


@pytest.mark.parametrize(
    ("number", "answer", "reply"),
    [
        ("0.9", lambda x: x / 2, ""),
        ("0.9", lambda x: np.array([x / 2]), ""),
        ("0.9", lambda x: [[Fraction(x, 2)]], ""),
        ("0.9", lambda x: complex(x / 2), ""),
        ("0.9", lambda x: pd.Series([x / 2]), ""),
        ("0.9", ..., "replace the ... with your answer."),
        ("0.9", lambda x: None, "half(2) is None. Does it end with return?"),
        ("0.9", lambda x: ..., "replace the ... in half(2)."),
        ("0.9", 3, "this exercise asks for a function, def half(x), not for a number. Pass its name to check."),
        ("0.9", lambda x: 3, "half(2) is 3, which is not right. Take the next hint."),
        ("0.9", lambda x: x == 2, "half(2) is True or False, not a number."),
        ("0.9", lambda x: [1, 2], "half(2) is an array of shape (2,). It should be a single number."),
        ("0.9", lambda x: "one", "half(2) is text, 'one', where numbers, or True and False, are wanted."),
        ("0.9", lambda x: half, "half(2) is a function, not what it returns. Call it."),
        ("0.9", lambda x: [[1], [2, 3]], "half(2) is a list whose rows have different lengths."),
        ("0.9", lambda x: range(10**12), "half(2) is far too many numbers."),
        ("0.9", lambda x: 10**400, "half(2) is a number too large for a float."),
        ("0.9", lambda x: {1}, "half(2) is a set, not numbers."),
        ("0.9", lambda x: 1j, "half(2) is a complex number. Did you take the root or a power of a negative number?"),
        ("0.9", lambda x: np.nan, f"half(2) is nan. {UNDEFINED}"),
        ("0.9", explode, "half raised ZeroDivisionError: by zero"),
        ("0.9", lambda: 1, "half raised TypeError: <lambda>() takes 0 positional arguments but 1 was given"),
        # 4 in the first case, from three mistakes; the second tells them apart, or does not.
        ("0.9", lambda x: 2 * x, "you doubled instead of halving."),
        ("0.9", lambda x: x**2, "you took the square."),
        ("0.9", lambda x: 4, "you doubled instead of halving."),
        ("0.9", lambda x: 4**x, "you took a power of 2, or twice."),
        # Right in the first two cases.
        ("0.9", lambda x: x / 2 or 3, "the half of 0 is 0."),
        ("0.9", lambda x: x / 2 or None, "the half of 0 is 0."),
        # Wrong in the second case, where only mistakes that are right in the first come into question.
        ("0.9", lambda x: x / 2 if x < 4 else 8, "half(4) is 8, which is not right. Take the next hint."),
        ("0.8", lambda x: [value / 2 for value in x], ""),
        ("0.8", lambda x: 5.0, "return all of them."),
        ("0.8", lambda x: np.zeros(2), "halves returned an array of shape (2,). It should have shape (3,)."),
        ("0.8", lambda x: np.log(x), "a negative number has no root."),  # not a number in the same place
        ("0.8", lambda x: [math.sqrt(value) for value in x], "a negative number has no root."),
        ("0.8", lambda x: np.nan, "this is not a number at all."),
        ("0.8", lambda x: [None, 1, 2], "halves returned something that contains None."),
        ("0.8", lambda x: np.array([1.0, "2", -0.5], dtype=object), f"halves returned text. {NO_QUOTES}"),
        ("0.8", lambda x: [1, np.nan, 2], f"halves returned an array that contains nan. {UNDEFINED}"),
        ("0.8", lambda x: x / 2 + (x < 0), f"halves returned an array whose entry 2 is 0.5, {NOT_RIGHT}"),
        (
            "0.8",
            lambda x: x / 2 if len(x) > 1 else x,
            f"for one number, halves returned an array whose entry 0 is 3, {NOT_RIGHT}",
        ),
        (
            "0.8",
            lambda x: x / 2 if len(x) > 1 else 1.5,
            "for one number, halves returned a single number. It should have shape (1,).",
        ),
        ("0.7", 0.5, ""),
        ("0.7", Fraction(1, 2), ""),
        ("0.7", 1, "this is twice as much."),
        ("0.7", lambda: 0.5, "this is a function, not what it returns. Call it."),
        ("0.7", "0.5", "this is text. Write numbers without quotation marks."),
        ("0.7", 0.5004, "this is 0.5004, which is close, but not exact. Is a number rounded on the way?"),
        ("0.7", ["Adelie", "Gentoo"], "this is text, 'Adelie', where numbers, or True and False, are wanted."),
        # A cause is named where all cases agree: 1 and 0, or 1 and 1.
        ("0.6", lambda x: 2 - x, "you counted down."),
        ("0.6", lambda x: 1, "you always took 1."),
        ("0.6", lambda x: x % 2, "same_number(2) is 0, which is not right. Take the next hint."),
    ],
)
def test_what_is_wrong_is_said(number, answer, reply):
    assert checks.check(number, answer).message == reply


def half(x):
    return x / 2


def test_parameters_in_another_order_are_named():
    @exercise("0.5", [(1, 2), (5, 3)])
    def difference(first, second):
        return first - second

    found = checks.check("0.5", lambda second, first: first - second).message
    assert found == "the arguments come in another order: def difference(first, second)."
    assert checks.check("0.5", lambda a, b: a - b).solved


def test_rounded_digits_are_told_from_wrong_ones():
    exercise("0.5")(lambda: 1 / 7)
    rounded = "this is 0.143, which is close, but not exact: it looks rounded. Keep all the digits."
    assert checks.check("0.5", 0.143).message == rounded
    assert checks.check("0.5", 0.144).message == "this is 0.144, which is not right. Take the next hint."


def test_an_answer_gets_arguments_of_its_own():
    x = np.zeros(2)

    @exercise("0.5", [(x, x)])
    def sum_of(x, y):
        return x + y

    def change(x, y):
        x += 1
        return y

    assert checks.check("0.5", change)
    assert not x.any()


def test_an_answer_is_tried_on_every_array():
    @exercise("0.5", [(np.array([1.0, 3]),), (np.array([2.0]),)])
    def mean(x):
        return x.mean()

    assert not checks.check("0.5", lambda x: x[0])
    assert not checks.check("0.5", lambda x: x.mean() if len(x) > 1 else 0)


@pytest.mark.parametrize("number", ["1.99", "99.1", "x", 1.99])
def test_an_unknown_exercise_is_an_error(number):
    with pytest.raises(ValueError, match="there is no exercise"):
        checks.check(number, 1)


@pytest.mark.parametrize(("answer", "solved"), [(half, True), (3, False), (..., False)])
def test_the_verdict_is_what_is_printed(capsys, answer, solved):
    verdict = checks.check("0.9", answer)
    assert capsys.readouterr().out == f"{verdict}\n"
    assert (verdict.exercise, verdict.solved, bool(verdict)) == ("0.9", solved, solved)
    assert str(verdict) == ("0.9 done." if solved else f"0.9 not yet: {verdict.message}")
    assert bool(verdict.message) is not solved


def test_a_verdict_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        checks.check("0.9", 4).solved = True


def test_a_cell_that_ends_with_check_shows_nothing_a_second_time(monkeypatch):
    """The display hook of a kernel sends the result of a cell, unless there is nothing to send."""
    sent = []
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # IPython puts a module of its own there
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
