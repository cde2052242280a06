"""Methods that change an estimator completely or, if they fail, not at all."""

from __future__ import annotations

from functools import cached_property, wraps


def all_or_nothing(method):
    """Let a method change a copy, whose attributes become the estimator's own in one step if it succeeds.

    A call that fails or is interrupted leaves the estimator as it was. The copy holds no cached properties, so none can
    go stale. Inside the method, `self` is the copy; the caller gets the estimator.

    Readers in other threads see the old or the new attributes, but a call that reads several of them may see some of
    each: do not call `fit` and `predict` of one object at the same time.
    """

    @wraps(method)
    def change(self, *args, **kwargs):
        draft = without_cache(self)
        method(draft, *args, **kwargs)
        self.__dict__ = draft.__dict__
        return self

    return change


def without_cache(estimator):
    """Shallow copy of an estimator without its cached properties."""
    kind = type(estimator)
    draft = kind.__new__(kind)
    for name, value in vars(estimator).items():
        if not isinstance(getattr(kind, name, None), cached_property):
            draft.__dict__[name] = value
    return draft
