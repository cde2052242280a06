"""Methods that change an estimator completely or, if they fail, not at all."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from bayeslab._base.arguments import name_argument

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
