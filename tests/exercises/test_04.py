"""The checks of notebook 04 accept what is right, in whatever form, and name each usual mistake."""

from fractions import Fraction

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy.special import expit, logit

from bayeslab.checks import check


def by_class(change):
    """Return a `make_naive` that treats one matrix at a time."""
    return lambda S: [change(matrix) for matrix in S]


def overwriting(S):
    """Zeros, written into the matrices of the caller."""
    for i, j in np.ndindex(S.shape[1:]):
        if i != j:
            S[:, i, j] = 0
    return S


def multiplying(S):
    """Zeros, multiplied into the matrices of the caller."""
    S *= np.eye(S.shape[-1])
    return S


def naive_means(d, K, naive, shared):
    """Right for full matrices; leaves the means of naive ones out."""
    return count(d, K, naive, shared, means=not naive)


def count(d, K, naive, shared, *, means=True, priors=True, last=True, entries=None):
    """Free parameters, counted one by one."""
    one = [(i, j) for i in range(d) for j in range(i + 1) if i == j or not naive]
    n_matrices = 1 if shared else K
    return (
        len([(k, j) for k in range(K) for j in range(d) if means])
        + n_matrices * (len(one) if entries is None else entries(d))
        + (K - last if priors else 0)
    )


def wrong_count(**mistake):
    return lambda *args: count(*args, **mistake)


def full_entries(wrong):
    """Return a `count_parameters` that gets the entries of a full matrix wrong."""
    return lambda d, K, naive, shared: count(d, K, naive, shared, entries=None if naive else wrong)


def by_odds(p, k):
    odds = (p / (1 - p)) ** k
    return odds / (1 + odds)


def with_log_odds(change):
    return lambda p, k: expit(change(logit(p), k))


TABLE = [
    ("4.1", by_class(lambda M: np.diag(np.diag(M))), DONE),
    ("4.1", lambda S: np.einsum("kii,ij->kij", S, np.eye(S.shape[1])), DONE),
    ("4.1", lambda S: multiplying(S.copy()), DONE),
    ("4.1", lambda S: overwriting(S.copy()), DONE),
    ("4.1", lambda S: S, "nothing was set to 0"),
    ("4.1", by_class(np.diag), "the variances alone"),
    ("4.1", np.diagonal, "takes other axes"),
    ("4.1", lambda S: np.diag(S), "raised ValueError"),
    ("4.1", by_class(lambda M: M - np.diag(np.diag(M))), "removed the diagonal"),
    ("4.1", np.tril, "only one triangle"),
    ("4.1", lambda S: np.diag(np.diag(S[0])), "inside the loop"),
    ("4.1", lambda S: np.diag(np.diag(S[-1])), "inside the loop"),
    ("4.1", lambda S: np.diag(np.diag(S.mean(axis=0))), "mean over the classes"),
    ("4.1", by_class(lambda M: M / np.sqrt(np.outer(np.diag(M), np.diag(M)))), "correlation"),
    ("4.1", by_class(lambda M: np.diag(np.diag(M) ** 0.5)), "standard deviations"),
    ("4.1", by_class(lambda M: np.eye(len(M))), "identity"),
    ("4.1", by_class(lambda M: np.trace(M) / len(M) * np.eye(len(M))), "one variance for all"),
    ("4.1", by_class(lambda M: np.linalg.inv(np.diag(np.diag(M)))), "inverse of the naive"),
    ("4.1", by_class(lambda M: np.diag(np.diag(np.linalg.inv(M)))), "zeros in the inverses"),
    ("4.1", lambda S: [np.diag(np.diag(S[k])) for k in (0, 1, -1)], "shape (3, 2, 2)"),
    ("4.2", count, DONE),
    ("4.2", lambda *args: [float(count(*args))], DONE),
    ("4.2", lambda *args: Fraction(count(*args)), DONE),
    ("4.2", wrong_count(priors=False), "the priors are missing"),
    ("4.2", wrong_count(last=False), "only K − 1"),
    ("4.2", wrong_count(means=False), "the means, or"),
    ("4.2", naive_means, "the means are missing"),
    ("4.2", wrong_count(means=False, priors=False), "missing, too"),
    ("4.2", full_entries(lambda d: d * d), "symmetric"),
    ("4.2", full_entries(lambda d: d * (d - 1) // 2), "the diagonals, are missing"),
    ("4.2", full_entries(lambda d: d * (d + 3) // 2), "counted twice"),
    ("4.2", lambda d, K, naive, shared: count(d, K, not naive, shared), "naive and full are swapped"),
    ("4.2", lambda d, K, naive, shared: count(d, K, naive, not shared), "shared is False"),
    ("4.2", lambda d, K, naive, shared: count(d, K, naive, False), "shared is True"),
    ("4.2", lambda d, K, naive, shared: count(d, 1, naive, shared), "this is one class"),
    ("4.2", lambda d, K, naive, shared: count(d, K, False, shared), "the same for naive=True and naive=False"),
    ("4.2", lambda d, K, naive, shared: count(d, K, True, shared), "the same for naive=True and naive=False"),
    ("4.2", lambda d, K, naive, shared: count(d, K, False, shared, priors=False), "the priors are missing"),
    ("4.2", lambda d, K, naive, shared: count(d, K, True, shared, priors=False), "naive=False; count d entries"),
    ("4.2", lambda d, K, naive, shared: count(d, K, not naive, shared, priors=False), "swapped. The K − 1 free"),
    ("4.3", with_log_odds(lambda o, k: k * o), DONE),
    ("4.3", lambda p, k: np.array([expit(k * logit(p))]), DONE),
    ("4.3", lambda p, k: 1 / (1 + ((1 - p) / p) ** k), DONE),
    ("4.3", lambda p, k: p**k / (p**k + (1 - p) ** k), "Multiply the log odds"),
    ("4.3", lambda p, k: np.power(p, k) / (np.power(p, k) + np.power(1 - p, k)), "Multiply the log odds"),
    ("4.3", by_odds, "copied(0.6, 5000) fails"),
    ("4.3", lambda p, k: p, "one copy"),
    ("4.3", lambda p, k: p**k, "this is p^k"),
    ("4.3", lambda p, k: 1 - (1 - p) ** k, "independent guesses"),
    ("4.3", lambda p, k: min(k * p, 1), "do not add"),
    ("4.3", with_log_odds(lambda o, k: -k * o), "swapped A and B"),
    ("4.3", lambda p, k: (p / (1 - p)) ** k, "these are the odds"),
    ("4.3", lambda p, k: k * logit(p), "these are the log odds"),
    ("4.3", with_log_odds(lambda o, k: o + np.log(k)), "multiplied the odds by k"),
    ("4.3", lambda p, k: p**k / (p**k + 1 - p), "the power belongs to both"),
    ("4.3", with_log_odds(lambda o, k: (k + 1) * o), "besides the first"),
    ("4.3", with_log_odds(lambda o, k: (k - 1) * o), "one copy is missing"),
    ("4.3", with_log_odds(lambda o, k: o / k), "divided the log odds"),
]
TABLE += unfinished("4.1", "4.2", "4.3")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)


@pytest.mark.parametrize("answer", [overwriting, multiplying, lambda S: multiplying(S).copy()])
def test_the_matrices_of_the_caller_are_missed(capsys, answer):
    check("4.1", answer)
    assert "right matrices, but the caller's S was changed" in capsys.readouterr().out


def test_the_expected_values_of_the_text(capsys):
    """The notebook gives one value for each exercise; the solutions that the checks accept return it."""
    matrices = np.array([[[2, 1], [1, 3]]])
    answers = {"4.1": lambda S: S * np.eye(S.shape[-1]), "4.2": count, "4.3": with_log_odds(lambda o, k: k * o)}
    for number, answer in answers.items():
        must_say(capsys, number, answer, DONE)
    np.testing.assert_array_equal(answers["4.1"](matrices), [[[2, 0], [0, 3]]])
    assert answers["4.2"](4, 3, False, False) == 44
    assert answers["4.3"](0.6, 2) == pytest.approx(0.692, abs=0.0005)
