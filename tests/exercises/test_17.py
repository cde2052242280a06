"""The checks of notebook 17 accept what is right, in whatever form, and name each usual mistake."""

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy import stats


def of_sums(a, b):
    """Without the merge: by sums and sums of squares, which are exact enough here."""
    n = a[0] + b[0]
    total = a[0] * a[1] + b[0] * b[1]
    squares = sum((n_k - 1) * v_k + n_k * m_k**2 for n_k, m_k, v_k in (a, b))
    return n, total / n, (squares - total**2 / n) / (n - 1)


def of_statistics(a, b):
    """By SciPy's pooled variance, from samples with these statistics."""
    samples = []
    for n, mean, variance in (a, b):
        x = np.arange(n, dtype=float)
        samples.append(mean + stats.zscore(x, ddof=1) * np.sqrt(variance))
    described = stats.describe(np.concatenate(samples))
    return [described.nobs, described.mean, described.variance]


def with_variance(variance):
    """Return a function that is wrong in its variance alone: a function of all that is known."""

    def merged(a, b):
        (n_a, _, v_a), (n_b, _, v_b) = a, b
        n, mean, _ = of_sums(a, b)
        within, δ = (n_a - 1) * v_a + (n_b - 1) * v_b, b[1] - a[1]
        return n, mean, variance(n, within, n_a * n_b / n * δ**2, v_a, v_b, n_a, n_b)

    return merged


def with_mean(mean):
    def merged(a, b):
        n, _, variance = of_sums(a, b)
        return n, mean(*a[:2], *b[:2]), variance

    return merged


def one_way(a, b):
    return of_sums(a, b) if a[0] <= b[0] else (0, 0, 0)


RIGHT = [1, 1, 2, 1, 20]


def passes(line, value):
    """All right but one."""
    return {name: value if name == line else right for name, right in enumerate(RIGHT)}


# (number, answer, what is said)
TABLE = [
    ("17.1", of_sums, DONE),
    ("17.1", of_statistics, DONE),
    ("17.1", lambda a, b: np.array(of_sums(a, b)), DONE),
    ("17.1", with_variance(lambda n, within, *_: within / (n - 1)), "is missing"),
    ("17.1", with_variance(lambda n, within, *_: within / (n - 2)), "is missing"),
    ("17.1", with_variance(lambda n, within, price, v_a, v_b, *_: (v_a + v_b) / 2), "the mean of the two variances"),
    ("17.1", with_variance(lambda n, w, p, v_a, v_b, n_a, n_b: (n_a * v_a + n_b * v_b) / n), "the mean of the two"),
    ("17.1", with_variance(lambda n, within, price, v_a, v_b, *_: v_a + v_b), "you added the variances"),
    ("17.1", with_variance(lambda n, within, price, v_a, v_b, *_: v_a + v_b + price), "you added the variances"),
    ("17.1", with_variance(lambda n, within, price, *_: within + price), "this is the scatter"),
    ("17.1", with_variance(lambda n, within, price, *_: (within + price) / n), "you divided by n;"),
    ("17.1", with_variance(lambda n, within, price, *_: (within + price) / (n - 2)), "you divided by n − 2"),
    (
        "17.1",
        with_variance(lambda n, w, price, v_a, v_b, n_a, n_b: (n_a * v_a + n_b * v_b + price) / (n - 1)),
        "n · variance",
    ),
    ("17.1", lambda a, b: (*of_sums(a, b)[:2], of_sums(a, b)[2] ** 0.5), "standard deviation"),
    (
        "17.1",
        with_variance(lambda n, w, price, v_a, v_b, n_a, n_b: (w + (price * n_a * n_b / n) ** 0.5) / (n - 1)),
        "not squared",
    ),
    ("17.1", with_variance(lambda n, within, price, *_: (within + n * price) / (n - 1)), "left out its division"),
    (
        "17.1",
        with_variance(lambda n, w, price, v_a, v_b, n_a, n_b: (w + price * n / (n_a * n_b)) / (n - 1)),
        "does not depend on the sizes",
    ),
    ("17.1", with_mean(lambda n_a, m_a, n_b, m_b: (m_a + m_b) / 2), "weight them by n"),
    ("17.1", with_mean(lambda n_a, m_a, n_b, m_b: (n_b * m_a + n_a * m_b) / (n_a + n_b)), "of the other sample"),
    ("17.1", with_mean(lambda n_a, m_a, n_b, m_b: m_a - n_b / (n_a + n_b) * (m_b - m_a)), "turned round"),
    ("17.1", one_way, "exchanged"),
    ("17.1", lambda a, b: of_sums(a, b)[2], "has shape"),
    ("17.2", dict(enumerate(RIGHT)), DONE),
    ("17.2", RIGHT, DONE),
    ("17.2", np.array(RIGHT), DONE),
    ("17.2", passes(1, ...), "replace the ... in place 2"),
    ("17.2", passes(0, 2), "as the text says"),
    ("17.2", passes(2, 3), "two passes"),
    ("17.2", passes(3, 3), "divide the moments afterwards"),
    ("17.2", passes(4, 22), "likelihood after"),
    ("17.2", list(map(str, RIGHT)), "number 1 (mean) is a text"),
    ("17.2", passes(1, 2), "the covariance needs one pass"),
    ("17.2", passes(2, 1), "a second pass"),
    ("17.2", passes(3, 2), "divide the moments afterwards"),
    ("17.2", passes(4, 1), "for each iteration"),
    ("17.2", passes(4, 2), "not one for each step"),
    ("17.2", passes(4, 40), "share a pass"),
    ("17.2", passes(4, 21), "likelihood after"),
    ("17.2", passes(4, 19), "for the first iteration"),
    ("17.2", passes(4, 5), "number 5 (EM) is 5"),
    ("17.2", [1, 1, 2, 1], "5 questions, but 4 numbers"),
    ("17.2", lambda: RIGHT, "not for a function"),
    ("17.2", ..., "replace the ..."),
]
TABLE += unfinished("17.1")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
