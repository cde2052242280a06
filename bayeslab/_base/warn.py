"""Warnings that point to the user's line, however deep their cause, and short lists for messages."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence

LONG = 16  # longer lists are cut to their first three entries

_OURS = ("bayeslab", "sklearn", "functools", "abc")


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the nearest line outside this package and the libraries that call it back."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in _OURS:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def quoted(entry) -> str:
    """A name in quotes, a number as it is."""
    return repr(str(entry)) if isinstance(entry, str) else str(entry)


def listed(entries: Sequence, say: Callable = quoted) -> str:
    """Entries for a sentence, cut short if there are many: 0, 1, 2, … (600 in all)."""
    if len(entries) <= LONG:
        return ", ".join(map(say, entries))
    return f"{', '.join(map(say, entries[:3]))}, … ({len(entries)} in all)"


def not_varying(columns: Sequence) -> str:
    """Sentence that these columns, or a combination of them, do not vary."""
    if len(columns) == 1:
        return f"column {listed(columns)} does not vary"
    return f"columns {listed(columns)}, or a combination of them, do not vary"
