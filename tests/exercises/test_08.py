"""The checks of notebook 08 accept what is right, in whatever form, and name each usual mistake."""

from itertools import combinations

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy.stats import beta, binomtest, false_discovery_control


def closed_testing(p):
    """The largest Bonferroni p-value of all sets of hypotheses that hold this one: what Holm's rule abbreviates."""
    m = len(p)
    subsets = [list(rows) for size in range(1, m + 1) for rows in combinations(range(m), size)]
    values = {tuple(rows): min(1, len(rows) * min(p[i] for i in rows)) for rows in subsets}
    return [max(value for rows, value in values.items() if i in rows) for i in range(m)]


def step(p, factors, carry=np.maximum.accumulate, most=1.0):
    order = np.argsort(p)
    result = np.empty(len(p))
    result[order] = np.minimum(carry(np.sort(p) * factors(len(p))), most)
    return result


def falling(m):
    return np.arange(m, 0, -1)


def rising(m):
    return np.arange(1, m + 1)


def holm(p):
    return step(p, falling)


def taken_not_put(p):
    return np.sort(holm(p))[np.argsort(p)]


def unsorted(p):
    return np.maximum.accumulate(np.asarray(p) * falling(len(p))).clip(max=1)


def fails_on_lists(p):
    order = p.argsort()
    result = np.empty(p.shape)
    result[order] = np.maximum.accumulate(p[order] * falling(len(p))).clip(max=1)
    return result


def exact(rate, limit):
    return search(rate, limit, lambda n: beta.ppf(0.975, rate * n + 1, n - rate * n))


def search(rate, limit, upper):
    return next(n for n in range(1, 10_000) if upper(n) < limit)


def of(quantile=0.975, more=1, fewer=0):
    """Return an answer whose interval is computed with other numbers."""

    def answer(rate, limit):
        return search(rate, limit, lambda n: beta.ppf(quantile, rate * n + more, n - rate * n + fewer))

    return answer


def counting(errors):
    """Return an answer that counts the errors in another way."""

    def answer(rate, limit):
        return search(rate, limit, lambda n: beta.ppf(0.975, errors(rate, n) + 1, n - errors(rate, n)))

    return answer


def normal(rate, limit):
    return int(np.ceil(1.96**2 * rate * (1 - rate) / (limit - rate) ** 2))


# (number, answer, what is said)
TABLE = [
    ("8.1", holm, DONE),
    ("8.1", closed_testing, DONE),
    ("8.1", lambda p: holm(p).tolist(), DONE),
    ("8.1", lambda p: np.maximum.accumulate(np.sort(p) * falling(len(p))), "return them in the order of p"),
    ("8.1", lambda p: np.sort(holm(p)), "return them in the order of p"),
    ("8.1", lambda p: step(p, falling, carry=np.asarray), "carry the largest so far along"),
    ("8.1", lambda p: step(p, falling, carry=np.asarray, most=np.inf), "carry the largest so far along"),
    ("8.1", lambda p: step(p, falling, most=np.inf), "a p-value is at most 1"),
    ("8.1", lambda p: len(p) * np.asarray(p), "this is Bonferroni"),
    ("8.1", lambda p: np.minimum(len(p) * np.asarray(p), 1), "this is Bonferroni"),
    ("8.1", lambda p: step(p, rising), "the factors rise"),
    ("8.1", lambda p: step(p, rising, carry=np.asarray), "the factors rise"),
    ("8.1", unsorted, "sort them first"),
    ("8.1", lambda p: np.asarray(p) * falling(len(p)), "sort them first"),
    ("8.1", lambda p: step(p, falling, carry=np.minimum.accumulate), "take the largest"),
    ("8.1", lambda p: step(p, lambda m: falling(m) - 1), "begin at m − 1"),
    ("8.1", false_discovery_control, "Benjamini and Hochberg"),
    ("8.1", taken_not_put, "you took them from there"),
    ("8.1", lambda p: holm(p) <= 0.1, "these are decisions"),
    ("8.1", lambda p: holm(p)[:1], "has shape"),
    ("8.1", fails_on_lists, "raised AttributeError"),
    ("8.2", exact, DONE),
    ("8.2", lambda rate, limit: float(exact(rate, limit)), DONE),
    ("8.2", of(0.95), "half lies above it"),
    ("8.2", of(0.025), "the upper end, the 0.975 quantile"),
    ("8.2", of(more=1e-12), "the first parameter of beta is e + 1"),
    ("8.2", of(fewer=1), "the second parameter of beta is n − e"),
    ("8.2", lambda rate, limit: exact(rate, limit) - 1, "one too few"),
    ("8.2", lambda rate, limit: exact(rate, limit) + 1, "one too many"),
    ("8.2", lambda rate, limit: 1, "this is the first n of all"),
    ("8.2", normal, "the normal approximation"),
    ("8.2", lambda rate, limit: beta.ppf(0.975, 80 * rate + 1, 80 * (1 - rate)), "return the number of flowers"),
    ("8.2", counting(lambda rate, n: rate), "compute it anew for each n"),
    ("8.2", counting(lambda rate, n: round(rate * n)), "do not round it"),
    ("8.2", counting(lambda rate, n: int(rate * n)), "do not round it"),
    ("8.2", counting(lambda rate, n: np.ceil(rate * n)), "do not round it"),
    ("8.2", lambda rate, limit: [exact(rate, limit)] * 2, "has shape"),
]
TABLE += unfinished("8.1", "8.2")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)


def test_the_values_in_the_text():
    np.testing.assert_allclose(closed_testing([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    # With whole numbers of errors the formula is the exact interval of SciPy.
    assert binomtest(2, 100).proportion_ci().high == pytest.approx(beta.ppf(0.975, 3, 98))
    assert exact(0.02, 0.08) == 80
