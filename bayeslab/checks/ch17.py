"""Checks of notebook 17, moments as a sum of parts."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise

_PARTS = np.array([4.0, 7.0, 9.0, 12.0]), np.array([20.0, 26.0, 21.0, 30.0, 33.0, 24.0, 28.0])


@exercise("17.1")
def merge_variances(merge):
    """Judge number, mean and variance of two samples together."""
    a, b = ((len(x), x.mean(), x.var(ddof=1)) for x in _PARTS)
    both = np.concatenate(_PARTS)
    n, mean, variance = len(both), both.mean(), both.var(ddof=1)
    (n_a, m_a, v_a), (n_b, m_b, v_b) = a, b
    within, gap = (n_a - 1) * v_a + (n_b - 1) * v_b, m_b - m_a
    between = n_a * n_b / n * gap**2
    variances = {
        "the price of moving the means, n_a n_b / n · δ², is missing from your variance.": (
            within / (n - 1),
            within / (n - 2),
            within / n,
        ),
        "you took the mean of the two variances; go back to scatters, which add up.": (
            (v_a + v_b) / 2,
            (n_a * v_a + n_b * v_b) / n,
        ),
        "you added the variances; go back to scatters, (n − 1) · variance.": (v_a + v_b, v_a + v_b + between),
        "this is the scatter; divide it by n − 1.": (within + between,),
        "you divided by n; the variance asked for has n − 1.": ((within + between) / n,),
        "you divided by n − 2; only one mean was estimated from both samples.": ((within + between) / (n - 2),),
        "you took n · variance for the scatter; these variances have the divisor n − 1.": (
            (n_a * v_a + n_b * v_b + between) / (n - 1),
            (n_a * v_a + n_b * v_b + between) / n,
        ),
        "this is the standard deviation; the variance was asked for.": (np.sqrt(variance),),
        "δ is not squared in your variance.": ((within + n_a * n_b / n * gap) / (n - 1),),
        "the price is n_a n_b / n · δ²; you left out its division by n.": ((within + n * between) / (n - 1),),
        "the price is n_a n_b / n · δ²; yours does not depend on the sizes of the samples.": (
            (within + gap**2) / (n - 1),
        ),
    }
    means = {
        "the mean of the two means forgets that one sample is larger; weight them by n.": (m_a + m_b) / 2,
        "each mean has the weight of the other sample.": (n_b * m_a + n_a * m_b) / n,
        "you moved away from the other mean: the sign of δ is turned round.": m_a - n_b / n * gap,
    }
    mistakes = {text: tuple((n, mean, value) for value in values) for text, values in variances.items()}
    mistakes |= {text: ((n, value, variance),) for text, value in means.items()}
    problem = compare(merge(a, b), (n, mean, variance), mistakes, what="what merge_variances returns")
    if problem is None:
        problem = compare(
            merge(b, a), (n, mean, variance), what="what merge_variances returns with the samples exchanged"
        )
    return problem


_PASSES = [
    ("mean", 1, {2: "the mean needs one pass, as the text says: a number of rows and a sum are enough."}),
    (
        "covariance",
        1,
        {2: "the covariance needs one pass: the merge moves each part's scatter to the common mean afterwards."},
    ),
    (
        "accuracy",
        2,
        {
            1: "QDA's accuracy needs a second pass: the first row can be judged only when the last has been learned.",
            3: "QDA's accuracy needs two passes: the first gives the moments, the second the judgement.",
        },
    ),
    (
        "divided columns",
        1,
        dict.fromkeys(
            (2, 3),
            "for divided columns one pass will do: divide the moments afterwards, or not at all; QDA does not care.",
        ),
    ),
    (
        "EM",
        20,
        {
            1: "EM needs a pass for each iteration: a row's shares depend on the parameters of the last one.",
            2: "EM needs a pass for each iteration, not one for each step: E-step and M-step share it.",
            40: "EM's E-step and M-step share a pass: a row's shares are added to the moments at once.",
            **dict.fromkeys(
                (21, 22),
                "EM needs a pass for each iteration; nobody asked for a survey or for the likelihood after them.",
            ),
            19: "EM needs a pass for the first iteration, too.",
        },
    ),
]


@exercise("17.2")
def passes(answer):
    """How often rows are read at least."""
    if callable(answer):
        return "this exercise asks for numbers, not for a function."
    values = list(answer.values()) if isinstance(answer, dict) else list(np.ravel(answer))
    if len(values) != len(_PASSES):
        return f"there are {len(_PASSES)} questions, but {len(values)} numbers."
    for number, (value, (name, right, mistakes)) in enumerate(zip(values, _PASSES, strict=True), 1):
        if value is ... or value is None:
            return f"replace the ... in place {number}."
        if isinstance(value, str):
            return f"number {number} ({name}) is a text; write it without quotation marks."
        if value != right:
            known = mistakes.get(value)
            return known or f"number {number} ({name}) is {value}, which is not right. Take the next hint."
    return None
