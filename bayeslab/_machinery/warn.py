"""Warnings that point to the user's line, however deep in the package their reason is found."""

from __future__ import annotations

import sys
import warnings

_OURS = ("bayeslab", "sklearn", "functools", "abc")


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the nearest line outside of this package and of what it calls itself through."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in _OURS:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
