"""The checks of notebook 12 accept what is right, in whatever form, and name each usual mistake."""

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy.stats import norm


def by_search(D, d, limit):
    """Without a formula: count up."""
    if norm.sf(D / 2) >= limit:
        return np.inf
    n = 1
    while norm.sf(D / 2 / np.sqrt(1 + 2 * d / (n * D * D))) > limit:
        n += 1
    return n


def real(D, d, limit, noise=2, power=2, half=2):
    T = (D / (half * norm.isf(limit))) ** 2
    return noise * d / (D**power * (T - 1))


def formula(D, d, limit, **wrong):
    return np.ceil(real(D, d, limit, **wrong))


def without_infinity(D, d, limit):
    return np.ceil(abs(real(D, d, limit)))


def unsquared(D, d, limit):
    return np.ceil(2 * d / (D**2 * (D / (2 * norm.isf(limit)) - 1)))


def without_one(D, d, limit):
    return np.ceil(2 * d / (D**2 * (D / (2 * norm.isf(limit))) ** 2))


def only_close(D, d, limit):
    return by_search(D, d, limit) if D < 4 else 7


def by_loop(sizes, errors, price, loss, kinds=2, weight=1):
    best, answer = np.inf, None
    for row, line in enumerate(errors):
        for n, error in zip(sizes, line, strict=True):
            cost = kinds * price * n + weight * loss * error
            if cost < best:
                best, answer = cost, (row, n)
    return answer


def column(sizes, errors, price, loss):
    row, n = by_loop(sizes, errors, price, loss)
    return row, list(sizes).index(n)


def nan_wins(sizes, errors, price, loss):
    cost = 2 * price * np.array(sizes) + loss * np.asarray(errors)
    row, where = np.unravel_index(np.argmin(cost), cost.shape)
    return row, sizes[where]


def blind_to_price(sizes, errors, price, loss):
    return by_loop(sizes, errors, min(price, 7.0), loss)


def arrays_only(sizes, errors, price, loss):
    return by_loop(sizes, errors[:, :], price, loss)


def both_kinds(*args):
    row, n = by_loop(*args)
    return row, 2 * n


# (number, answer, what is said)
TABLE = [
    ("12.1", by_search, DONE),
    ("12.1", lambda D, d, limit: np.array([by_search(D, d, limit)]), DONE),
    ("12.1", real, "not rounded up"),
    ("12.1", lambda D, d, limit: np.floor(real(D, d, limit)), "rounded down"),
    ("12.1", lambda D, d, limit: 2 * by_search(D, d, limit), "of both kinds"),
    ("12.1", lambda D, d, limit: np.ceil(2 * real(D, d, limit)), "of both kinds"),
    ("12.1", lambda D, d, limit: formula(D, d, limit, noise=1), "both means are noisy"),
    ("12.1", lambda D, d, limit: formula(D, d, limit, power=1), "2d/(N D) for"),
    ("12.1", lambda D, d, limit: formula(D, d, limit, half=1), "the ½"),
    ("12.1", unsquared, "square it"),
    ("12.1", without_one, "left the 1"),
    ("12.1", lambda D, d, limit: by_search(D, d, limit) + 1, "one too many"),
    ("12.1", lambda D, d, limit: np.ceil(2 * d / (D**2 * ((D / 2 / norm.cdf(limit)) ** 2 - 1))), "norm.cdf for"),
    ("12.1", formula, "return np.inf"),
    ("12.1", without_infinity, "return np.inf"),
    ("12.1", only_close, "not right"),
    ("12.2", by_loop, DONE),
    ("12.2", lambda *args: np.array(by_loop(*args)), DONE),
    ("12.2", column, "number of the column"),
    ("12.2", lambda *args: by_loop(*args)[::-1], "row first"),
    ("12.2", lambda *args: (by_loop(*args)[0] + 1, by_loop(*args)[1]), "from 0"),
    ("12.2", lambda *args: by_loop(*args, kinds=1), "one kind only"),
    ("12.2", lambda *args: by_loop(*args, kinds=0), "least error"),
    ("12.2", lambda *args: by_loop(*args, weight=0), "least price"),
    ("12.2", both_kinds, "of both kinds"),
    ("12.2", nan_wins, "a NaN has won"),
    ("12.2", blind_to_price, "at price 100"),
    ("12.2", arrays_only, "TypeError"),
    ("12.2", lambda *args: by_loop(*args)[1], "has shape"),
]
TABLE += unfinished("12.1", "12.2")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)


def test_expected_values():
    assert by_search(2, 10, 0.2) == 13
    assert by_loop([10, 100], [[0.2, 0.15], [0.3, 0.1]], 5, 5000) == (0, 10)
