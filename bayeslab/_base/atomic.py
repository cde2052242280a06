"""Methods that change an estimator change it whole, or not at all."""

from __future__ import annotations

from functools import cached_property, wraps


def all_or_nothing(method):
    """Let a method work on a copy, whose attributes become the estimator's own in one step when it has succeeded.

    What fails, or is interrupted, leaves the estimator as it was. What was computed from the old state and cached, in a
    subclass too, is not in the copy. Inside of the method `self` is the copy; its caller gets the estimator.
    """

    @wraps(method)
    def change(self, *args, **kwargs):
        draft = without_cache(self)
        method(draft, *args, **kwargs)
        self.__dict__ = draft.__dict__
        return self

    return change


def without_cache(estimator):
    """Copy of an estimator without the values of its cached properties."""
    kind = type(estimator)
    draft = kind.__new__(kind)
    for name, value in vars(estimator).items():
        if not isinstance(getattr(kind, name, None), cached_property):
            draft.__dict__[name] = value
    return draft
