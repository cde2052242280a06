"""Checks of notebook 17, moments as a sum of parts."""

from __future__ import annotations

from itertools import islice

import numpy as np

from bayeslab.checks import exercise
from bayeslab.checks._outcomes import Refused, attempt, read


def _n(n_a, m_a, v_a, n_b, m_b, v_b):
    return n_a + n_b


def _within(n_a, m_a, v_a, n_b, m_b, v_b):
    return (n_a - 1) * v_a + (n_b - 1) * v_b


def _between(n_a, m_a, v_a, n_b, m_b, v_b, *, power=2):
    return n_a * n_b / (n_a + n_b) * (m_b - m_a) ** power


def _scatter(*both):
    return _within(*both) + _between(*both)


def _with_variance(variance):
    """Return a merge that computes its variance in another way, from the numbers of both samples."""
    return lambda a, b: (*merge_variances(a, b)[:2], variance(*a, *b))


def _with_mean(mean):
    """Return a merge that computes its mean in another way, from the numbers of both samples."""
    return lambda a, b: (a[0] + b[0], mean(*a, *b), merge_variances(a, b)[2])


_A, _B = (4, 8.0, 34 / 3), (7, 26.0, 74 / 3)


@exercise(
    "17.1",
    {"merge_variances returned": (_A, _B), "with the samples exchanged, merge_variances returned": (_B, _A)},
    wrong={
        "your variance lacks n_a n_b / n · δ², which comes from moving the means.": (
            _with_variance(lambda *both: _within(*both) / (_n(*both) - 1)),
            _with_variance(lambda *both: _within(*both) / (_n(*both) - 2)),
            _with_variance(lambda *both: _within(*both) / _n(*both)),
        ),
        "you averaged the two variances; go back to scatters, which add up.": (
            _with_variance(lambda n_a, m_a, v_a, n_b, m_b, v_b: (v_a + v_b) / 2),
            _with_variance(lambda n_a, m_a, v_a, n_b, m_b, v_b: (n_a * v_a + n_b * v_b) / (n_a + n_b)),
        ),
        "you added the variances; go back to scatters, (n − 1) · variance.": (
            _with_variance(lambda n_a, m_a, v_a, n_b, m_b, v_b: v_a + v_b),
            _with_variance(lambda *both: both[2] + both[5] + _between(*both)),
        ),
        "this is the scatter; divide it by n − 1.": _with_variance(_scatter),
        "you divided by n; this variance has the divisor n − 1.": (
            _with_variance(lambda *both: _scatter(*both) / _n(*both))
        ),
        "you divided by n − 2; only one mean was estimated from both samples together.": (
            _with_variance(lambda *both: _scatter(*both) / (_n(*both) - 2))
        ),
        "you used n · variance as the scatter; these variances have the divisor n − 1.": (
            _with_variance(lambda *both: (_scatter(*both) + both[2] + both[5]) / (_n(*both) - 1)),
            _with_variance(lambda *both: (_scatter(*both) + both[2] + both[5]) / _n(*both)),
        ),
        "this is the standard deviation; return the variance.": (
            _with_variance(lambda *both: np.sqrt(_scatter(*both) / (_n(*both) - 1)))
        ),
        "δ is not squared in your variance.": (
            _with_variance(lambda *both: (_within(*both) + _between(*both, power=1)) / (_n(*both) - 1)),
            _with_variance(lambda *both: (_within(*both) + abs(_between(*both, power=1))) / (_n(*both) - 1)),
        ),
        "moving the means adds n_a n_b / n · δ²; you left out the division by n.": (
            _with_variance(lambda *both: (_within(*both) + _n(*both) * _between(*both)) / (_n(*both) - 1))
        ),
        "moving the means adds n_a n_b / n · δ²; what you add does not depend on the sizes of the samples.": (
            _with_variance(lambda *both: (_within(*both) + (both[4] - both[1]) ** 2) / (_n(*both) - 1))
        ),
        "the mean of the two means forgets that one sample is larger; weight them by n.": (
            _with_mean(lambda n_a, m_a, v_a, n_b, m_b, v_b: (m_a + m_b) / 2)
        ),
        "each mean has the weight of the other sample.": (
            _with_mean(lambda n_a, m_a, v_a, n_b, m_b, v_b: (n_b * m_a + n_a * m_b) / (n_a + n_b))
        ),
        "you moved away from the other mean: the sign of δ is reversed.": (
            _with_mean(lambda n_a, m_a, v_a, n_b, m_b, v_b: m_a - n_b / (n_a + n_b) * (m_b - m_a))
        ),
    },
)
def merge_variances(a, b):
    """Return number, mean and variance of two samples together."""
    (n_a, m_a, _), (n_b, m_b, _) = a, b
    n = n_a + n_b
    return n, (n_a * m_a + n_b * m_b) / n, _scatter(*a, *b) / (n - 1)


_QUESTIONS = ["mean", "covariance", "accuracy", "divided columns", "EM"]


def _number(place):
    """Return a function that takes one of the five numbers."""

    def probe(answer):
        listed = answer.values() if isinstance(answer, dict) else answer
        numbers, error = attempt(lambda: list(islice(listed, 100)))
        if error is not None:
            return read(answer, "this is", "passes")
        if len(numbers) != len(_QUESTIONS):
            return Refused(f"there are five questions: write five numbers, not {len(numbers)}.")
        return numbers[place]

    return probe


@exercise(
    "17.2",
    {f"number {place} ({name}) is": _number(place - 1) for place, name in enumerate(_QUESTIONS, 1)},
    wrong={
        "the covariance needs one pass: the merge moves each part's scatter to the common mean afterwards.": (
            [1, 2, 2, 1, 20]
        ),
        "divided columns need one pass: divide the moments afterwards, or not at all, since QDA gives the same.": (
            [1, 1, 2, 2, 20],
            [1, 1, 2, 3, 20],
        ),
        "EM's E-step and M-step share a pass: a row's responsibilities are added to the moments at once.": (
            [1, 1, 2, 1, 40]
        ),
        "EM needs a pass for each iteration, not one for each step: E-step and M-step share it.": [1, 1, 2, 1, 2],
        "the mean needs one pass, as the text says: a number of rows and a sum are enough.": [2, 1, 2, 1, 20],
        "QDA's accuracy needs a second pass: the first row can be judged only after the last one has been learned.": (
            [1, 1, 1, 1, 20]
        ),
        "QDA's accuracy needs two passes: the first gives the moments, the second the judgement.": [1, 1, 3, 1, 20],
        "EM needs a pass for each iteration: a row's responsibilities depend on the parameters of the last one.": (
            [1, 1, 2, 1, 1]
        ),
        "EM needs a pass for each iteration; neither a first look at the data nor the likelihood is asked for.": (
            [1, 1, 2, 1, 21],
            [1, 1, 2, 1, 22],
        ),
        "EM needs a pass for the first iteration, too.": [1, 1, 2, 1, 19],
    },
)
def passes():
    """How often rows are read at least."""
    return [1, 1, 2, 1, 20]


def _total(accuracy, sizes, label, mistake, n_mails):
    """Return the total cost of each size."""
    return label * sizes + mistake * n_mails * (1 - accuracy.mean(axis=0))


_SIZES = np.array([50, 100, 200, 400, 800])
_CURVE = np.array([[0.70, 0.80, 0.85, 0.89, 0.90], [0.60, 0.78, 0.87, 0.88, 0.90], [0.65, 0.81, 0.86, 0.90, 0.91]])


@exercise(
    "17.3",
    {
        "cheapest_size returned": (_CURVE, _SIZES, 1.0, 2.0, 1000),
        "for cheap labels, cheapest_size returned": (_CURVE, _SIZES, 0.0005, 2.0, 1500),
        "for a year of 20,000 emails, cheapest_size returned": (_CURVE, _SIZES, 2.0, 0.5, 20_000),
        "for two sizes, cheapest_size returned": (np.array([[0.8, 0.9], [0.9, 0.9]]), np.array([10, 100]), 1, 1, 1000),
    },
    wrong={
        "this is the place of the size in the list; return the size itself.": lambda *args: _total(*args).argmin(),
        "1 − accuracy is a share; multiply it by the number of emails.": (
            lambda accuracy, sizes, label, mistake, n: sizes[_total(accuracy, sizes, label, mistake, 1).argmin()]
        ),
        "you charged for the emails that the filter gets right; take 1 − accuracy.": (
            lambda accuracy, sizes, label, mistake, n: sizes[_total(1 - accuracy, sizes, label, mistake, n).argmin()]
        ),
        "this is the lowest cost; return the size that has it.": lambda *args: _total(*args).min(),
        "this is the most expensive size; use argmin.": lambda *args: args[1][_total(*args).argmax()],
        "this is the size with the best accuracy; add what labelling costs.": (
            lambda accuracy, sizes, *_: sizes[accuracy.mean(axis=0).argmax()]
        ),
        "the costs are swapped: label is paid for each email of the size, mistake for each wrong email.": (
            lambda accuracy, sizes, label, mistake, n: sizes[_total(accuracy, sizes, mistake, label, n).argmin()]
        ),
    },
    coincide=True,
)
def cheapest_size(accuracy, sizes, label, mistake, n_mails):
    """Size with the lowest total cost."""
    return sizes[_total(accuracy, sizes, label, mistake, n_mails).argmin()]
