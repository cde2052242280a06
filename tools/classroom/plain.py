"""Plain data between a notebook's process (kernel.py) and the judge (judge.py), and calls from one to the other.

What travels is JSON: numbers, text, lists, arrays. Nothing is unpickled. A function, or an object that is none of
these, stays where it is, and the other side gets a stand-in that asks for each call and each attribute.
"""

import base64
import json
import re
from collections.abc import Iterator
from importlib import import_module
from numbers import Number

import numpy as np
import pandas as pd

from bayeslab.checks._outcomes import attempt

MOST = 100_000  # numbers in one answer; the checks want a tenth of that
LONGEST = 10_000_000  # bytes of a line
PLAIN = "biufcSUmM"
DTYPE = re.compile(rf"[<>|=]?[{PLAIN}]\d*(\[\w+\])?")
TOLD = (ArithmeticError, AttributeError, ValueError, Exception)  # the kinds of exceptions that the checks tell apart


class Ended(KeyboardInterrupt):
    """Nothing more will come from the other side. The checks let nothing else through."""


class TooManyError(Exception):
    """An answer has more numbers than anybody asks for."""


class StandIn:
    """An object of the other side."""

    def __getattr__(self, name):
        """Ask for an attribute; what Python and NumPy look for by themselves is not there."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self._peer.call("get", self._place, name)


class Items:
    """What an iterator of the other side gave."""

    def __iter__(self):
        """Return itself."""
        return self

    def __next__(self):
        """Return the next one."""
        return next(self.items)


class Peer:
    """One of two processes that call each other's functions.

    Parameters
    ----------
    read, write : callable
        Return and take a line, bytes.
    functions : dict
        Name → function that the other side may call; besides these, it may call those that it is given.
    """

    def __init__(self, read, write, functions):
        self.read, self.write, self.functions, self.given, self.left = read, write, functions, [], 0
        decode = self.decode
        self.makers = {
            "many": lambda of: range(10**9),
            "int": lambda of: int(of, 16),
            "dots": lambda of: ...,
            "complex": lambda of: complex(*of),
            "tuple": lambda of: tuple(decode(of)),
            "dict": lambda of: {decode(key): decode(each) for key, each in of},
            "array": _array_of,
            "scalar": lambda of: decode(of)[()],
            "objects": lambda of: _objects_of(of[0], decode(of[1])),
            "iterator": lambda of: type(of[0], (Items,), {"items": iter(decode(of[1]))})(),
            "function": lambda of: lambda *args: self.call(of[0], *args),
            "object": lambda of: type(of[1], (StandIn,), {"_peer": self, "_place": of[0]})(),
        }
        self.running = False  # whether a function is at work here, rather than the talk about it

    def encode(self, value):
        """Return a value as JSON has it."""
        self.left = MOST
        try:
            return self._plain(value)
        except (TooManyError, RecursionError):
            return {"many": None}

    def _plain(self, value):
        self.left -= 1
        if self.left < 0:
            raise TooManyError
        kind = type(value)
        if value is None or kind in (bool, float, str):
            return value
        if kind is int:
            return value if abs(value) < 2**53 else {"int": hex(value)}
        if value is ...:
            return {"dots": None}
        if isinstance(value, np.ndarray):
            return self._array(np.asarray(value))
        if isinstance(value, np.generic):
            return {"scalar": self._array(np.asarray(value))}
        if isinstance(value, complex):
            return {"complex": [value.real, value.imag]}
        if isinstance(value, bytes):
            return value.decode("latin-1")
        if isinstance(value, list | range):
            return [self._plain(each) for each in value]
        if isinstance(value, tuple):
            return {"tuple": [self._plain(each) for each in value]}
        if isinstance(value, dict):
            return {"dict": [[self._plain(key), self._plain(each)] for key, each in value.items()]}
        if isinstance(value, np.random.Generator):
            return {"generator": value.bit_generator.state}
        if callable(value):
            return self._give("function", value)
        if isinstance(value, Iterator):
            return {"iterator": [kind.__name__, [self._plain(each) for each in value]]}
        return self.plain_other(value)

    def plain_other(self, value):
        """Return what has an array or a number in it as that, and anything else as an object that stays here."""
        found, error = attempt(float if isinstance(value, Number) else np.asarray, value)
        if isinstance(found, float) and error is None:
            return found
        return self._array(found) if error is None and found.ndim else self._give("object", value)

    def _array(self, array):
        self.left -= array.size
        if self.left < 0:
            raise TooManyError
        if array.dtype.kind == "O":
            return {"objects": [array.shape, [self._plain(each) for each in array.ravel()]]}
        if array.dtype.kind not in PLAIN:
            return self._give("object", array)
        return {"array": [array.dtype.str, array.shape, base64.b64encode(array.tobytes()).decode()]}

    def _give(self, kind, value):
        self.given.append(value)
        return {kind: [len(self.given) - 1, type(value).__name__]}

    def decode(self, value):
        """Return the value that JSON stands for; raise an exception where it stands for none."""
        if isinstance(value, list):
            return [self.decode(each) for each in value]
        if not isinstance(value, dict):
            return value
        ((kind, of),) = value.items()
        return self.makers[kind](of)

    def call(self, target, *args):
        """Call a function of the other side; arrays and lists are changed here where it changed them there."""
        before, self.running = self.running, False
        try:
            self.write(json.dumps({"call": target, "args": [self.encode(arg) for arg in args]}).encode())
            while "call" in (row := json.loads(self.read())):
                self.answer(row)
        finally:
            self.running = before
        if "raised" in row:
            name, kinds, text = row["raised"]
            if name == "KeyboardInterrupt":
                raise KeyboardInterrupt
            raise type(name, (next(kind for kind in TOLD if kind.__name__ in [*kinds, "Exception"]),), {})(text)
        for mine, theirs in zip(args, row.get("args", ()), strict=False):
            if theirs is not None:
                mine[... if isinstance(mine, np.ndarray) else slice(None)] = self.decode(theirs)
        return self.decode(row["value"])

    def answer(self, row):
        """Do what the other side asks for, and tell what came of it."""
        target = row["call"]
        try:
            args = [self.decode(arg) for arg in row["args"]]
            function = self.given[target] if type(target) is int else self.functions[target]
            self.running = True
            said = {"value": self.encode(function(*args))}
            if type(target) is int:
                said["args"] = [self.encode(arg) if type(arg) in (list, np.ndarray) else None for arg in args]
            self.running = False
        except Ended:
            raise
        except BaseException as error:  # a function may raise anything, SystemExit too
            self.running = False
            said = {"raised": _described(error)}
        self.write(json.dumps(said).encode())


class Student(Peer):
    """The side of the notebook, where the judge may look at objects, and hand classifiers to a function."""

    def __init__(self, read, write, functions):
        super().__init__(read, write, functions | {"get": lambda place, name: getattr(self.given[place], name)})
        self.makers["generator"] = _generator_of
        self.makers["frame"] = lambda of: pd.DataFrame(dict(zip(of[1], self.decode(of[0]), strict=True)))
        self.makers["series"] = lambda of: pd.Series(self.decode(of[0]), index=of[1])
        self.makers["estimator"] = lambda of: getattr(import_module(of[0]), of[1])(**of[2])


def _array_of(of):
    dtype, shape, data = of
    if not DTYPE.fullmatch(dtype):
        raise ValueError(f"no plain data: {dtype}")
    return np.ndarray(shape, np.dtype(dtype), base64.b64decode(data)).copy()


def _objects_of(shape, items):
    array = np.empty(len(items), object)
    for place, each in enumerate(items):
        array[place] = each
    return array.reshape(shape)


def _generator_of(state):
    rng = np.random.default_rng()
    rng.bit_generator.state = state
    return rng


def _described(error):
    try:
        text = str(error)
    except Exception:  # its __str__ is broken
        text = ""
    return [type(error).__name__, [kind.__name__ for kind in type(error).__mro__], text[:10_000]]
