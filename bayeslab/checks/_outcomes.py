"""Turn whatever an answer gives into numbers that can be compared, or into a sentence. Nothing raises here.

Only KeyboardInterrupt gets through, so that a student can stop a cell.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

_MOST = 10_000  # numbers; no exercise asks for more
_LONGEST = 200  # characters of an exception's message
_KINDS = {type(None): "None", str: "text", int: "a number", float: "a number", np.ndarray: "an array"}


class Refused(NamedTuple):
    """What cannot be compared with numbers.

    Parameters
    ----------
    sentence : str
        Why not, as the student reads it.
    lost : bool
        Whether a computation left the range of numbers, as 0 / 0 does.
    """

    sentence: str
    lost: bool = False


Outcome: TypeAlias = np.ndarray | Refused


class Case(NamedTuple):
    """One thing that an answer has to get right.

    Parameters
    ----------
    says : str
        Begins the sentences about it, such as "log_density returned".
    asked : str
        Name of what the exercise asks for, such as "log_density".
    probe : callable
        Takes the answer, and returns what is compared.
    """

    says: str
    asked: str
    probe: Callable[[Any], Any]

    def of(self, answer: object) -> Outcome:
        """Return what an answer comes to in this case."""
        value, error = attempt(self.probe, _marking(answer) if callable(answer) else answer)
        if error is None:
            return read(value, self.says, self.asked)
        if not isinstance(error, _RaisedError):
            return Refused(f"{self.asked} returned something that cannot be judged.")
        error = error.args[0]
        text = message_of(error)
        of_math = isinstance(error, ValueError) and any(words in text for words in ("math domain", "positive input"))
        return Refused(f"{self.asked} raised {text}", isinstance(error, ArithmeticError) or of_math)


class _RaisedError(Exception):
    """What a student's function raised; anything else was raised by looking at what it returned."""


def _marking(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that marks what another one raises."""

    def call(*args: Any) -> Any:
        value, error = attempt(function, *args)
        if error is not None:
            raise _RaisedError(error)
        return value

    return call


def attempt(function: Callable[..., Any], *args: Any) -> tuple[Any, BaseException | None]:
    """Return what a function returns and None, or None and what it raised."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # the check says it in words
            return function(*args), None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit
        return None, error


def message_of(error: BaseException) -> str:
    """Return the kind of an exception and its message, on one line, even if its __str__ is broken."""
    text, broken = attempt(str, error)
    text = "" if broken else " ".join(text.split())
    text = text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
    return f"{_type_of(error)}: {text}" if text else _type_of(error)


def kind_of(value: object) -> str:
    """Return what a value is, such as "a list"."""
    name = _type_of(value)
    return _KINDS.get(type(value), f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}")


def _type_of(value: object) -> str:
    name, _ = attempt(lambda: type(value).__name__)
    return name or "object"


def read(value: Any, says: str, asked: str) -> Outcome:
    """Return numbers, or True and False, as an array; refuse anything else."""
    if type(value) is Refused:
        return value
    if value is None:
        return Refused(f"{says} None. Does it end with return?")
    if value is ...:
        return Refused(f"replace the ... in {says.removesuffix(' is') if says.endswith(' is') else asked}.")
    array, error = attempt(_numbers, value)
    if error is None:
        return array
    if isinstance(error, _NotNumbersError):
        return Refused(f"{says} {error}", error.lost)
    return Refused(f"{says} {kind_of(value)}, not numbers.")


class _NotNumbersError(Exception):
    """Says what was returned instead, to complete "log_density returned …"."""

    def __init__(self, text: str, lost: bool = False) -> None:
        super().__init__(text)
        self.lost = lost


def _numbers(value: Any) -> np.ndarray:
    if isinstance(value, str | bytes):
        raise _NotNumbersError(_text(value))
    if callable(value):
        raise _NotNumbersError("a function, not what it returns. Call it.")
    if isinstance(value, Iterator):
        raise _NotNumbersError(f"{kind_of(value)}. Make a list of it, with list(...).")
    if _count(value) > _MOST:
        raise _NotNumbersError("far too many numbers.")
    try:
        array = np.asarray(value)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
        raise _NotNumbersError("a list whose rows have different lengths.") from error
    if array.dtype.kind == "c":
        array = np.real_if_close(array)
    if array.dtype.kind == "O":
        array = _from_objects(array)
    if array.dtype.kind == "c":
        raise _NotNumbersError("a complex number. Did you take the root or a power of a negative number?", lost=True)
    if array.dtype.kind in "US":
        raise _NotNumbersError(_text(array.flat[0]))
    if array.dtype.kind not in "biuf":
        raise _NotNumbersError(f"{kind_of(value)} of {array.dtype}, not of numbers.")
    return array if array.dtype.kind == "b" else array.astype(float)


def _text(value: object) -> str:
    """Tell a number in quotation marks from a name."""
    _, error = attempt(float, value)
    if error is None:
        return "text. Write numbers without quotation marks."
    return f"text, {str(value)[:20]!r}, where numbers, or True and False, are wanted."


def _count(value: object) -> int:
    """Count the numbers in nested lists, and the lists, up to a little above what is allowed."""
    if not isinstance(value, list | tuple | range):
        return value.size if isinstance(value, np.ndarray) else 1
    if len(value) > _MOST:
        return len(value)
    total = 1
    for each in value:
        total += _count(each)
        if total > _MOST:
            break
    return total


def _from_objects(array: np.ndarray) -> np.ndarray:
    for each in array.ravel():
        if each is None:
            raise _NotNumbersError("something that contains None.")
        if each is ...:
            raise _NotNumbersError("something that still contains the ... of the stub.")
        if isinstance(each, str):
            raise _NotNumbersError(_text(each))
    try:
        return array.astype(float)  # of fractions, say
    except OverflowError as error:
        raise _NotNumbersError("a number too large for a float.") from error


def same(got: Any, wanted: Any) -> bool:
    """Tell whether two outcomes are equal; nan equals nan, and where one number is wanted, an array of one will do."""
    if isinstance(got, Refused) or isinstance(wanted, Refused):
        return type(got) is type(wanted) and got == wanted
    if (got.dtype == bool) != (wanted.dtype == bool):
        return False
    if wanted.ndim == 0 and got.size == 1:
        got = got.reshape(())
    return got.shape == wanted.shape and np.allclose(got, wanted, rtol=1e-6, atol=1e-9, equal_nan=True)


def lost_alike(got: Any, wanted: Any) -> bool:
    """Tell whether two computations left the range of numbers in the same places, whatever else they give."""
    if isinstance(got, Refused) or isinstance(wanted, Refused):
        return _lost(got) and _lost(wanted)
    alike, _ = attempt(lambda: [bool(np.all(f(got) == f(wanted))) for f in (np.isnan, np.isinf)])
    return _lost(wanted) and alike == [True, True]


def _lost(outcome: Outcome) -> bool:
    return outcome.lost if isinstance(outcome, Refused) else not np.isfinite(outcome).all()


def compare(got: Any, right: Any, says: str) -> str | None:
    """Return None where an outcome is the right one, or else what can be said of it without knowing the cause."""
    if isinstance(got, Refused):
        return got.sentence
    if same(got, right):
        return None
    if got.dtype == bool and right.dtype != bool:
        return f"{says} {'True or False, not a number' if got.ndim == 0 else 'True and False, not numbers'}."
    if right.ndim == 0 and got.size == 1:
        got = got.reshape(())
    if got.shape != right.shape:
        should = "be a single number" if right.ndim == 0 else f"have shape {right.shape}"
        return f"{says} {'a single number' if got.ndim == 0 else f'an array of shape {got.shape}'}. It should {should}."
    bad = got[~np.isfinite(got)]
    if bad.size:
        where = "" if got.ndim == 0 else "an array that contains "
        return f"{says} {where}{bad[0]}. Do you divide by 0, or take a root or a logarithm that does not exist?"
    value = _first_wrong(got, right)
    if right.dtype != bool and np.any(got) and np.allclose(got, right, rtol=0.02, atol=0.005):
        if any(np.array_equal(got, np.round(right, digits)) for digits in range(8)):
            return f"{says} {value}, which is close, but not exact: it looks rounded. Keep all the digits."
        if np.allclose(got, right, rtol=1e-3, atol=0):
            return f"{says} {value}, which is close, but not exact. Is a number rounded on the way?"
    return f"{says} {value}, which is not right. Take the next hint."


def _first_wrong(got: np.ndarray, right: np.ndarray) -> str:
    """Return a number, or the first entry of an array that is not right."""
    if got.ndim == 0:
        return f"{got:.4g}"
    wrong = ~np.isclose(got, right, rtol=1e-6, atol=1e-9)
    place = [int(i) for i in np.argwhere(wrong)[0]]
    return f"an array whose entry {place if len(place) > 1 else place[0]} is {got[tuple(place)]:.4g}"
