"""Checks of notebook 20, your own data."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import binomtest, norm

from bayeslab.checks import exercise

_COINS = pd.DataFrame(
    {
        "coin": [0, 1, 0, 1, 1, 0],  # the label is a number
        "mass": [7.5, 8.5, np.nan, 8.4, 8.6, 7.4],
        "edge": list("rlrllr"),
        "batch": [3.0] * 6,
        "width": [23.2, 25.7, 23.3, 25.8, 25.6, 23.1],
        "weight": [7.5, 8.5, np.nan, 8.4, 8.6, 7.4],  # the mass once more
    }
)


def _usable(frame, label, *, label_too=False, text=False, constant=False, copies=None, gaps=True):
    """Return which columns pass, with some of the tests left out or made wrong."""
    answer = []
    for place, name in enumerate(frame.columns):
        column, others = frame[name], [other for other in frame.columns if other != name]
        earlier = [other for other in frame.columns[:place] if other != label]
        compared = {None: earlier, "kept": [], "both left out": others}[copies]
        answer.append(
            (label_too or name != label)
            and (text or pd.api.types.is_numeric_dtype(column))
            and (constant or column.nunique() > 1)
            and not any(column.equals(frame[other]) for other in compared)
            and (gaps or column.notna().all())
        )
    return answer


@exercise(
    "20.1",
    [
        (_COINS[["mass", "edge", "coin", "weight"]], "coin"),
        (_COINS[["width", "coin", "batch", "mass"]], "coin"),
        (_COINS, "coin"),
        (_COINS.assign(empty=np.nan), "edge"),
    ],
    wrong={
        "the label isn't a feature, even if it's a number.": lambda f, label: _usable(f, label, label_too=True),
        "a copy of an earlier column brings nothing new; compare each column with those before it.": lambda f, label: (
            _usable(f, label, copies="kept")
        ),
        "of two columns that are equal, the first can be used: compare only with those before.": lambda f, label: (
            _usable(f, label, copies="both left out")
        ),
        "a column of text can't be used: ask pd.api.types.is_numeric_dtype.": lambda f, label: _usable(
            f, label, text=True
        ),
        "a column that holds a single value tells the classes nothing: it needs nunique() > 1.": lambda f, label: (
            _usable(f, label, constant=True)
        ),
        "a missing cell is no reason to leave a column out.": lambda f, label: _usable(f, label, gaps=False),
    },
)
def usable(frame, label):
    """For each column, whether a classifier can use it."""
    return _usable(frame, label)


def _counts(labels):
    return labels.value_counts().sort_index().to_numpy()


@exercise(
    "20.2",
    [
        (pd.Series(list("aabbbb")), 2),
        (pd.Series(["b"] * 4 + ["a"] * 2 + [None, None] + ["c"] * 9), 4),
        (pd.Series([1, 0, 1, 1, 0, 1, 1, 1]), 5),
    ],
    wrong={
        "put the classes in sorted order; value_counts puts the largest first.": lambda labels, d: np.maximum(
            0, d + 2 - labels.value_counts().to_numpy()
        ),
        "a class with more than enough rows lacks 0, not a negative number.": lambda labels, d: d + 2 - _counts(labels),
        "a class should have d + 2 rows, not d + 1.": lambda labels, d: np.maximum(0, d + 1 - _counts(labels)),
        "a class should have d + 2 rows, not d.": lambda labels, d: np.maximum(0, d - _counts(labels)),
        "put the classes in sorted order, not in that of their first rows.": lambda labels, d: np.maximum(
            0, d + 2 - labels.value_counts()[labels.dropna().unique()].to_numpy()
        ),
        "rows without a label are no class of their own.": lambda labels, d: np.maximum(
            0, d + 2 - labels.value_counts(dropna=False).sort_index().to_numpy()
        ),
        "these are the numbers of rows. How many are missing up to d + 2?": lambda labels, d: _counts(labels),
        "return how many rows are lacking, not whether there are enough.": (
            lambda labels, d: _counts(labels) < d + 2,
            lambda labels, d: _counts(labels) >= d + 2,
        ),
    },
)
def rows_lacking(labels, d):
    """For each class in order, how many rows it lacks."""
    return np.maximum(0, d + 2 - _counts(labels))


def _normal(wrong, n, level=0.95):
    rate, z = wrong / n, norm.ppf((1 + level) / 2)
    margin = z * np.sqrt(rate * (1 - rate) / n)
    return rate - margin, rate + margin


@exercise(
    "20.3",
    [(10, 113), (0, 20), (3, 40), (20, 20)],
    wrong={
        "this is the normal approximation, p ± 1.96 √(p(1 − p)/n), which gives no width at all for 0 mistakes. Take "
        "binomtest.": (
            _normal,
            lambda wrong, n: np.clip(_normal(wrong, n), 0, 1),
            lambda wrong, n: _normal(wrong, n, norm.cdf(2) - norm.cdf(-2)),
        ),
        "this is Wilson's interval, a good one; but the exact one is asked for.": lambda wrong, n: binomtest(
            wrong, n
        ).proportion_ci(method="wilson"),
        "this is the range of the accuracy; return that of the error rate.": lambda wrong, n: binomtest(
            n - wrong, n
        ).proportion_ci(),
        "these are percent; return shares.": lambda wrong, n: 100 * np.array(binomtest(wrong, n).proportion_ci()),
        "this is the 90% interval.": lambda wrong, n: binomtest(wrong, n).proportion_ci(0.9),
        "this is the 99% interval.": lambda wrong, n: binomtest(wrong, n).proportion_ci(0.99),
        "return the lower end first.": lambda wrong, n: tuple(binomtest(wrong, n).proportion_ci())[::-1],
        "this is the error rate alone; return both ends of its interval.": lambda wrong, n: wrong / n,
    },
)
def honest_range(wrong, n):
    """The exact 95% interval for the error rate: its lower and upper end."""
    interval = binomtest(wrong, n).proportion_ci(0.95)
    return interval.low, interval.high
