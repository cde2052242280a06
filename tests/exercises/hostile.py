"""Answers that no exercise accepts, and that a careless check stumbles over."""

import datetime
import decimal
import types

import numpy as np
import pandas as pd


class Broken:
    """Fails wherever it is looked at, but for its type."""

    def fail(self, *args, **options):
        raise RuntimeError("broken")

    __array__ = __str__ = __repr__ = __len__ = __iter__ = __getitem__ = __float__ = __bool__ = __eq__ = __lt__ = fail
    __getattr__ = fail
    __hash__ = None


class BrokenError(Exception):
    def __str__(self):
        raise RuntimeError("broken")


class Leaving:
    """Ends Python where it is looked at."""

    def __array__(self, dtype=None, copy=None):
        raise SystemExit

    def __iter__(self):
        raise SystemExit


class Endless(list):
    def __iter__(self):
        while True:
            yield 1.0


def raising(error):
    def answer(*args):
        raise error

    return answer


def recursing(*args):
    return recursing(*args)


def numbers():
    yield 1.0


def object_array():
    array = np.empty(2, dtype=object)
    array[0] = Broken()
    return array


def lists_of_nothing():
    nested = []
    for _ in range(60):
        nested = [nested, nested]
    return nested


class BreakingTuple(tuple):
    def __getitem__(self, place):
        raise RuntimeError("broken")


class BreakingText(str):
    def __eq__(self, other):
        raise RuntimeError("broken")

    __hash__ = None
    __repr__ = __getitem__ = __contains__ = __eq__


itself = []
itself.append(itself)
in_a_circle = [[], 1.0]
in_a_circle[0].append(in_a_circle)

# Looked up by name, for the names of the tests; made anew, since a generator can be used up.
VALUES = {
    "ragged": lambda: [[1, 2], [3]],
    "ragged arrays": lambda: [np.zeros(2), np.zeros((2, 2))],
    "a list of itself": lambda: itself,
    "a list that holds itself": lambda: in_a_circle,
    "an endless list": lambda: Endless([1.0]),
    "nested deeply": lambda: [[[[[[[[[[[[[1.0]]]]]]]]]]]]],
    "lists of nothing": lists_of_nothing,
    "an empty list": list,
    "empty lists": lambda: [[], []],
    "a long range": lambda: range(10**12),
    "a large array": lambda: np.broadcast_to(0.5, (10**6, 10**6)),
    "a list of large arrays": lambda: [np.broadcast_to(0.5, (10**6, 10**6))],
    "a large number": lambda: 10**400,
    "a very large number": lambda: 10**5000,
    "a list of large numbers": lambda: [10**400, 1],
    "nan": lambda: float("nan"),
    "infinity": lambda: -np.inf,
    "nans": lambda: np.full((3, 3), np.nan),
    "complex": lambda: 1 + 2j,
    "True": lambda: True,
    "np.True_": lambda: np.True_,
    "booleans": lambda: np.array([True, False, True]),
    "text": lambda: "0.5",
    "text and numbers": lambda: [1, "2"],
    "text as object": lambda: np.array(["1", 2.0], dtype=object),
    "bytes": lambda: b"1",
    "a pair that breaks": lambda: BreakingTuple((1.0, 2.0)),
    "text that breaks": lambda: BreakingText("a"),
    "None in a list": lambda: [None, 1.0],
    "... in a list": lambda: [..., 1.0],
    "NotImplemented": lambda: NotImplemented,
    "a dict": lambda: {"a": 1.0},
    "a set": lambda: {1.0, 2.0},
    "a generator": numbers,
    "a map": lambda: map(float, [1, 2]),
    "a function": lambda: len,
    "a type": lambda: float,
    "a module": lambda: np,
    "an object": object,
    "a namespace": lambda: types.SimpleNamespace(classifier=None, rule="LDA", class_names="abcd", priors=[1, 2]),
    "a broken object": Broken,
    "a list of broken objects": lambda: [Broken(), Broken()],
    "an object array": object_array,
    "an object that leaves": Leaving,
    "a list of objects that leave": lambda: [Leaving()],
    "a Series": lambda: pd.Series([1.0]),
    "a Series of text": lambda: pd.Series(["a", "b"]),
    "a DataFrame": lambda: pd.DataFrame({"a": [1.0, 2.0]}),
    "a Categorical": lambda: pd.Categorical(["a", "b"]),
    "pd.NA": lambda: pd.NA,
    "a date": lambda: datetime.date(2026, 1, 1),
    "dates": lambda: np.array(["2026-01-01"], dtype="datetime64[D]"),
    "records": lambda: np.zeros(3, dtype=[("a", float), ("b", int)]),
    "a masked array": lambda: np.ma.masked_all(3),
    "a matrix": lambda: np.ones((1, 2)).view(np.matrix),
    "a decimal": lambda: decimal.Decimal("0.123456789"),
    "a decimal that is no number": lambda: decimal.Decimal("sNaN"),
    "long double": lambda: np.longdouble("1e4000"),
    "a memoryview": lambda: memoryview(b"123"),
    "a slice": lambda: slice(3),
    "an exception": lambda: ValueError("not raised"),
    "a tuple of three": lambda: (1.0, None, ...),
    "a list of four": lambda: [1, 2, 3, 4],
    "a pair": lambda: (np.eye(3), "x"),
    "five of them": lambda: [..., None, "1", Broken(), [1]],
}
FUNCTIONS = {
    "raising SystemExit": raising(SystemExit(1)),
    "raising a broken error": raising(BrokenError()),
    "raising GeneratorExit": raising(GeneratorExit()),
    "raising BaseException": raising(BaseException("base")),
    "raising a long message": raising(ValueError("no\n" * 10_000)),
    "raising an error that holds much": raising(KeyError(Broken())),
    "raising StopIteration": raising(StopIteration()),
    "recursing": recursing,
    "of no arguments": lambda: 1.0,
    "of keywords": lambda *, x: x,
    "being a type": object,
}
