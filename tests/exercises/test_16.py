"""The checks of notebook 16 accept what is right, in whatever form, and name each usual mistake."""

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy.special import logsumexp
from scipy.stats import bernoulli, multinomial


def by_loop(n, α):
    total = sum(count + α for count in n)
    return [(count + α) / total for count in n]


def by_scipy(x, p, π):
    """With the multinomial coefficient, which drops out."""
    joint = np.array([multinomial(x.sum(), row).logpmf(x) for row in p]) + np.log(π)
    return joint - logsumexp(joint)


def as_products(x, p, π):
    joint = np.prod(p**x, axis=1) * π
    return np.log(joint / joint.sum())


def joint_of(x, p, π):
    return np.log(p) @ x + np.log(π)


def normalised(scores):
    return scores - logsumexp(scores)


def coins(x, q, π):
    return [bernoulli(row).logpmf(x > 0).sum() + np.log(prior) for row, prior in zip(q, π, strict=True)]


def fails_when_empty(x, q, π):
    return coins(x, q, π) if x.any() else np.log(π)


def only_present(x, q, π):
    return np.log(q[:, x > 0]).sum(axis=1) + np.log(π)


# (number, answer, what is said)
TABLE = [
    ("16.1", by_loop, DONE),
    ("16.1", lambda n, α: (n + α) / np.sum(n + α), DONE),
    ("16.1", lambda n, α: n / n.sum(), "without smoothing"),
    ("16.1", lambda n, α: (n + α) / n.sum(), "more than 1"),
    ("16.1", lambda n, α: (n + α) / (n.sum() + α), "has grown by α once"),
    ("16.1", lambda n, α: n / (n + α).sum(), "to the sum only"),
    ("16.1", lambda n, α: (n + 1) / (n + 1).sum(), "you added 1, whatever"),
    ("16.1", lambda n, α: n / n.sum() + α, "you added α to the shares"),
    ("16.1", lambda n, α: (n / n.sum() + α) / (n / n.sum() + α).sum(), "you added α to the shares"),
    ("16.1", lambda n, α: (n + α) / (n.sum() + 2 * α), "two outcomes"),
    ("16.1", lambda n, α: np.log(n + α) - np.log((n + α).sum()), "these are logarithms"),
    ("16.1", lambda n, α: n + α, "divide by their sum"),
    ("16.1", lambda n, α: n + α / n.sum(), "in brackets"),
    ("16.1", lambda n, α: (n + α) / len(n), "number of words in the vocabulary"),
    ("16.2", lambda x, p, π: joint_of(x, p, π) / joint_of(x, p, π).sum(), "normalised the logarithms"),
    ("16.2", lambda x, p, π: joint_of(x, p, π) - joint_of(x, p, π).sum(), "normalised the logarithms"),
    ("16.3", lambda x, q, π: np.log(π) + np.log(np.where(x > 0, q, 1 - q)).sum(), "all classes at once"),
    ("16.3", lambda x, q, π: np.log(π) + np.where(x > 0, q, 1 - q).sum(axis=1), "their logarithms that add up"),
    ("16.1", lambda n, α: (n + 0.5) / (n + 0.5).sum(), "for α = 2"),
    ("16.1", lambda n, α: n, "Take the next hint"),
    ("16.2", by_scipy, DONE),
    ("16.2", lambda x, p, π: normalised(joint_of(x, p, π)).tolist(), DONE),
    ("16.2", as_products, "2000 words gives NaN"),
    ("16.2", lambda x, p, π: normalised(np.log(p) @ x), "forgot the priors"),
    ("16.2", lambda x, p, π: np.log(p) @ x, "forgot the priors"),
    ("16.2", joint_of, "forgot to normalise"),
    ("16.2", lambda x, p, π: joint_of(x, p, π) - logsumexp(np.log(p) @ x), "knows no priors"),
    ("16.2", lambda x, p, π: np.exp(normalised(joint_of(x, p, π))), "its logarithm is asked"),
    ("16.2", lambda x, p, π: normalised(joint_of(x > 0, p, π)), "counted each word once"),
    ("16.2", lambda x, p, π: normalised(np.log(p) @ x + π), "you added π"),
    ("16.2", lambda x, p, π: normalised(p @ x + np.log(π)), "the sum of x · p"),
    ("16.2", lambda x, p, π: normalised(np.log(p) @ x * π), "multiplied by the prior"),
    ("16.2", lambda x, p, π: normalised(np.log(p).sum(axis=1) + np.log(π)), "all words of the vocabulary"),
    (
        "16.2",
        lambda x, p, π: normalised(joint_of(x, p, π) + np.log(1 - p) @ (x == 0)),
        "the multinomial is silent about them",
    ),
    ("16.2", lambda x, p, π: joint_of(x, p, π) - joint_of(x, p, π).max(), "not by the sum of all"),
    ("16.2", lambda x, p, π: by_scipy(x, p, π) if x.sum() < 100 else np.log(π), "for 2000 words"),
    ("16.3", coins, DONE),
    ("16.3", lambda x, q, π: np.log(np.where(x > 0, q, 1 - q)).sum(axis=1) + np.log(π), DONE),
    ("16.3", only_present, "forgot the absent words; each"),
    ("16.3", lambda x, q, π: np.log(q) @ x + np.log(π), "forgot the absent words, and took counts"),
    ("16.3", lambda x, q, π: np.log(q) @ x + np.log(1 - q) @ (1 - x) + np.log(π), "took counts for presence"),
    ("16.3", lambda x, q, π: np.log(q) @ x + np.log(1 - q) @ (x == 0) + np.log(π), "took counts for presence"),
    ("16.3", lambda x, q, π: np.array(coins(x, q, π)) - np.log(π), "forgot the priors"),
    ("16.3", lambda x, q, π: np.array(coins(x, q, π)) - np.log(π) + π, "you added π"),
    ("16.3", lambda x, q, π: only_present(x, q, π) + np.log(1 - q).sum(axis=1), "let all words say"),
    ("16.3", lambda x, q, π: coins(x == 0, q, π), "are exchanged"),
    ("16.3", lambda x, q, π: normalised(np.array(coins(x, q, π))), "you normalised"),
    ("16.3", lambda x, q, π: np.exp(coins(x, q, π)), "its logarithm is asked"),
    ("16.3", lambda x, q, π: only_present(x, q, π) - np.log(1 - q) @ (x == 0), "you subtracted ln(1 − q)"),
    ("16.3", lambda x, q, π: only_present(x, q, π) - np.log(q) @ (x == 0), "you subtracted ln q"),
    ("16.3", fails_when_empty, "for an empty document"),
    *unfinished("16.1", "16.2", "16.3"),
]


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_check(number, answer, phrase, capsys):
    must_say(capsys, number, answer, phrase)


def test_expected_values_in_the_text():
    """The numbers that the exercises promise."""
    np.testing.assert_allclose(by_loop([3, 1, 0], 1), [0.571, 0.286, 0.143], atol=5e-4)
    bags = np.array([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]])
    assert by_scipy(np.array([2, 1, 0]), bags, np.array([0.4, 0.6]))[0] == pytest.approx(-0.2151, abs=5e-5)
    two = np.array([[0.5, 0.5, 0.5], [0.9, 0.1, 0.8]])
    np.testing.assert_allclose(coins(np.array([2, 1, 0]), two, [0.5, 0.5]), [-2.773, -4.711], atol=5e-4)
