"""What happens when a call fails: the error names the argument that caused it, and the estimator stays as it was.

Nothing is checked while all goes well. After an error that Python or another library raises, the arguments are compared
with the annotations of the function, and the first that isn't what its annotation asks for is named. Errors that we
raise ourselves stay.
"""

from __future__ import annotations

import dis
import re
import reprlib
from collections.abc import Callable, Iterable
from functools import cached_property, wraps
from inspect import isclass, isfunction, signature
from numbers import Integral, Real
from sys import modules, stdlib_module_names
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, get_args, get_origin

import numpy as np
from scipy.sparse import issparse

from bayeslab._base.arrays import as_floats, is_number

P = ParamSpec("P")
Estimator = TypeVar("Estimator")


def all_or_nothing(method: Callable[Concatenate[Any, P], Any]) -> Callable[Concatenate[Estimator, P], Estimator]:
    """Let a method change a copy, whose attributes become the estimator's own in one step if it succeeds.

    A call that fails or is interrupted leaves the estimator as it was, and its error names the argument at fault. The
    copy holds no cached properties, so none can go stale. Inside the method, `self` is the copy; the caller gets the
    estimator.

    Readers in other threads see the old or the new attributes, but a call that reads several of them may see some of
    each: do not call `fit` and `predict` of one object at the same time.
    """

    @wraps(method)
    def change(self: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        draft = without_cache(self)
        try:
            method(draft, *args, **kwargs)
        except Exception as error:
            name_argument(error, method, f".{method.__name__}", (self, *args), kwargs)
            raise
        self.__dict__ = draft.__dict__
        return self

    change._names_arguments = True  # type: ignore[attr-defined]
    return change


def without_cache(estimator: Estimator, keep: str = "") -> Estimator:
    """Shallow copy of an estimator without its cached properties, except for the one to keep."""
    kind = type(estimator)
    draft = kind.__new__(kind)
    for name, value in vars(estimator).items():
        if name == keep or not isinstance(getattr(kind, name, None), cached_property):
            draft.__dict__[name] = value
    return draft


def as_sentences(module: str, names: Iterable[str]) -> None:
    """Give the functions and classes of a module, by name, errors that name an argument."""
    for name in names:
        public = getattr(modules[module], name)
        if isfunction(public):
            wrapped = naming_arguments(public, name)  # one for both, so that it can be pickled
            for each in {module, public.__module__}:
                setattr(modules[each], name, wrapped)
        elif isclass(public) and not issubclass(public, Exception):
            name_arguments_of(public)


def name_arguments_of(public: type) -> None:
    """Do the same for the methods of a class, and of those of ours that it inherits from."""
    for owner in public.__mro__:
        if not owner.__module__.startswith("bayeslab."):
            continue
        for name, method in list(vars(owner).items()):
            says = owner.__name__ if name == "__init__" else f".{name}"
            if name.startswith("_") and (name != "__init__" or hasattr(owner, "__dataclass_fields__")):
                continue
            if hasattr(method, "fn"):  # of scikit-learn's `available_if`
                method.fn = naming_arguments(method.fn, says)
            elif isinstance(method, classmethod):
                setattr(owner, name, classmethod(naming_arguments(method.__func__, owner.__name__ + says)))
            elif isfunction(method):
                setattr(owner, name, naming_arguments(method, says))


def naming_arguments(function: Callable, name: str) -> Callable:
    """Return a function that does the same, but whose errors name the argument that caused them."""
    if hasattr(function, "_names_arguments"):
        return function

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            name_argument(error, function, name, args, kwargs)
            raise

    call._names_arguments = True  # type: ignore[attr-defined]
    return call


def name_argument(error: Exception, function: Callable, name: str, args: tuple, kwargs: dict[str, Any]) -> None:
    """Raise an error that names the argument which caused this one, unless it says enough itself."""
    message = None if is_meant(error) else find_culprit(function, args, kwargs, error)
    if message is not None:
        owner = f"{type(args[0]).__name__}." if name.startswith(".") else ""  # whose class may be a later one
        clearer = (ValueError if isinstance(error, ValueError) else TypeError)(f"{owner}{name.strip('.')}: {message}")
        for note in getattr(error, "__notes__", []):
            clearer.add_note(note)
        raise clearer from error


def is_meant(error: Exception) -> bool:
    """Tell whether an error comes from a raise statement of ours, of scikit-learn's checks, or from a user's code."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return False
    raised = trace.tb_frame.f_code.co_code[trace.tb_lasti] == dis.opmap["RAISE_VARARGS"]
    where = trace.tb_frame.f_globals.get("__name__", "")
    if where.split(".")[0] not in LIBRARIES:
        return True
    return raised and (where.startswith("bayeslab") or where == "sklearn.utils.validation")


def find_culprit(function: Callable, args: tuple, kwargs: dict[str, Any], error: Exception) -> str | None:
    """Say which argument isn't what its annotation asks for; None if all are."""
    try:
        given = signature(function).bind(*args, **kwargs).arguments
    except TypeError:  # one is missing, or has another name: Python says so itself
        return None
    names = getattr(function, "__wrapped__", function).__globals__
    for name, value in given.items():
        annotation = signature(function).parameters[name].annotation
        wanted = annotation.split(" | ") if isinstance(annotation, str) else []
        if wanted and not any(fits(value, each, names) for each in wanted):
            asked = " or ".join(in_words(each) for each in wanted)
            why = f" ({error})" if "ArrayLike" in wanted else ""  # NumPy says which entry it was
            return f"{name} must be {asked}, not {reprlib.repr(value)}{why}"
    return None


def fits(value: Any, wanted: str, names: dict[str, Any]) -> bool:
    """Is this what an annotation, as it is written, asks for? Of annotations that we don't know, anything is."""
    if wanted in WANTED:
        return WANTED[wanted][1](value)
    if inner := LIST.fullmatch(wanted):
        return is_list(value) and all(fits(each, inner[1], names) for each in value)
    kind: Any = names
    for name in wanted.split("."):
        kind = kind.get(name) if isinstance(kind, dict) else getattr(kind, name, None)
    if get_origin(kind) is Literal:
        return isinstance(value, str) and value in get_args(kind)
    return not isclass(kind) or kind is Any or isinstance(value, kind)


def in_words(wanted: str) -> str:
    """Say what an annotation asks for."""
    if inner := LIST.fullmatch(wanted):
        return {"Any": "a list", "float": "a list of numbers"}.get(inner[1], f"a list of {inner[1].split('.')[-1]}")
    return WANTED[wanted][0] if wanted in WANTED else f"{'an' if wanted[0] in 'AEIOU' else 'a'} {wanted.split('.')[-1]}"


def is_list(value: Any) -> bool:
    return (
        not isinstance(value, str | bytes | dict)
        and np.iterable(value)
        and hasattr(value, "__len__")
        and not issparse(value)
    )


def is_array(value: Any) -> bool:
    try:
        holds_none = np.asarray(value, dtype=object) == None  # noqa: E711  (of each entry; None would become NaN)
        return not np.any(holds_none) and as_floats(value).size > 0
    except (TypeError, ValueError, OverflowError):
        return False


def is_flat(value: Any) -> bool:
    try:
        return is_list(value) and np.ndim(value) == 1 and bool(np.unique(np.asarray(value)).size)
    except (TypeError, ValueError):  # lists of several lengths, or labels without an order
        return False


# Whose errors an argument may have caused; those of other code, such as a density of one's own, stay what they are.
LIBRARIES = {"bayeslab", "numpy", "scipy", "sklearn", "pandas", "matplotlib", "traitlets", *stdlib_module_names}
LIST = re.compile(r"(?:list|Sequence|tuple)\[([^,]*).*\]")
# What an annotation asks for: in words, and a test of it.
WANTED: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "None": ("None", lambda value: value is None),
    "bool": ("True or False", lambda value: isinstance(value, bool | np.bool_)),
    "float": ("a number", lambda value: is_number(value, Real)),
    "int": ("a whole number", lambda value: is_number(value, Integral)),
    "str": ("text", lambda value: isinstance(value, str)),
    "ArrayLike": ("an array of numbers", is_array),
    "Array": ("an array of numbers", is_array),
    "Labels": ("a flat list of labels, one for each row", is_flat),
    "Priors": (
        '"equal" or a number for each class',
        lambda value: (
            value == "equal" if isinstance(value, str) else value is None or isinstance(value, dict) or is_array(value)
        ),
    ),
    "Labelled": ("a flat list of labels", is_flat),
    "Weights": (
        "one number for each row, or None",
        lambda value: value is None or (is_array(value) and is_flat(value)),
    ),
}
