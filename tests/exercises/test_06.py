"""The checks of notebook 06 accept what is right, in whatever form, and name each usual mistake."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from judging import DONE, must_say
from scipy.optimize import linear_sum_assignment
from scipy.special import logsumexp, softmax
from sklearn.metrics import accuracy_score, confusion_matrix

from bayeslab.checks import check


def m_step_variance(divisor=len, means=None, power=1):
    """Return a `shared_variance` by loops, with parts to be got wrong."""

    def shared_variance(x, γ):
        total = 0.0
        for shares in np.transpose(γ):
            mean = np.average(x, weights=shares) if means is None else means(x, shares)
            total += np.dot(shares**power, (x - mean) ** 2)
        return total / divisor(x)

    return shared_variance


def component_variances(x, γ):
    return np.array([np.cov(x, aweights=shares, ddof=0) for shares in γ.T])


def hungarian(component, y, K):
    counts = confusion_matrix(y, component, labels=range(K))
    return counts[linear_sum_assignment(-counts)].sum() / len(y)


def majority(component, y, K):
    """Give each component its commonest label, even if another has taken it."""
    return sum(np.bincount(y[component == k]).max() for k in set(component)) / len(y)


def best_of(*namings):
    """Return a `matched_accuracy` that tries only these namings, each a function of the component and K."""
    return lambda component, y, K: max(np.mean(naming(component, K) == y) for naming in namings)


def unchanged(component, K):
    return component


def shifts(K):
    return [lambda component, K, shift=shift: (component + shift) % K for shift in range(K)]


def one_swap(component, y, K):
    """Try all namings that change the places of at most two numbers."""
    namings = [np.arange(K)]
    for pair in combinations(range(K), 2):
        namings.append(np.arange(K))
        namings[-1][list(pair)] = pair[::-1]
    return max(np.mean(naming[component] == y) for naming in namings)


def softmax_of(densities):
    return densities / densities.sum()


def less_the_mean(logs):
    with np.errstate(all="ignore"):
        return softmax_of(np.exp(logs - logs.mean()))


def unfilled(component, y, K):
    """Return what the stub of 6.3 does before its ... is replaced."""
    best = 0
    for naming in permutations(range(K)):
        label = np.array(naming)
        best = max(best, np.mean(label[...] == y))
    return best


def by_label_only(component, y, K):
    """Compare a label for each component with one for each sample, as far as both go."""
    return max(np.mean(np.resize(naming, len(y)) == y) for naming in permutations(range(K)))


# (number, answer, what is said)
TABLE = [
    ("6.1", softmax, DONE),
    ("6.1", lambda logs: np.exp(logs - logsumexp(logs)).tolist(), DONE),
    ("6.1", lambda logs: [1 / sum(math.exp(min(b - a, 700)) for b in logs) for a in logs], DONE),
    ("6.1", lambda logs: softmax(np.subtract(logs, logs.max(), out=logs)), DONE),
    ("6.1", lambda logs: np.exp(logs - logs.max()), "not yet divided by their sum"),
    ("6.1", np.exp, "not yet divided by their sum"),
    ("6.1", lambda logs: np.exp(logs) / (np.exp(logs).sum() + 1e-300), "only hides the 0/0"),
    ("6.1", lambda logs: np.exp(logs) / max(np.exp(logs).sum(), 1e-300), "only hides the 0/0"),
    ("6.1", lambda logs: softmax_of(np.exp(logs) + 1e-300), "loses their differences"),
    ("6.1", lambda logs: softmax_of(np.exp(np.clip(logs, -700, 700))), "loses their differences"),
    ("6.1", lambda logs: logs - logsumexp(logs), "take exp"),
    ("6.1", lambda logs: softmax(-logs), "the sign is turned"),
    ("6.1", lambda logs: np.eye(len(logs))[np.argmax(logs)], "share the sample out"),
    ("6.1", lambda logs: logs / logs.sum(), "divided the logarithms"),
    ("6.1", lambda logs: softmax(logs / logs.max()), "subtracted, not divided"),
    ("6.1", less_the_mean, "Subtract the largest logarithm"),
    ("6.1", lambda logs: logs, "not right"),
    ("6.1", lambda logs: softmax(logs)[0], "should have shape (3,)"),
    ("6.2", m_step_variance(), DONE),
    ("6.2", lambda x, γ: γ.sum(axis=0) @ component_variances(x, γ) / γ.sum(), DONE),
    ("6.2", lambda x, γ: [m_step_variance()(x, γ)], DONE),
    ("6.2", component_variances, "all share one"),
    ("6.2", lambda x, γ: (x - x.mean()) ** 2, "sum over points and components"),
    ("6.2", lambda x, γ: component_variances(x, γ).mean(), "plain average"),
    ("6.2", lambda x, γ: component_variances(x, γ).sum(), "weight them by N_k / n"),
    ("6.2", m_step_variance(divisor=lambda x: 1), "this is the sum of squares"),
    ("6.2", m_step_variance(divisor=lambda x: len(x) - 1), "you divided by n − 1"),
    ("6.2", m_step_variance(divisor=lambda x: len(x) - 2), "you divided by n − K"),
    ("6.2", m_step_variance(divisor=lambda x: 2 * len(x)), "n·K"),
    ("6.2", lambda x, γ: math.sqrt(m_step_variance()(x, γ)), "standard deviation"),
    ("6.2", lambda x, γ: np.var(x), "mean of all points"),
    ("6.2", m_step_variance(means=lambda x, shares: shares @ x / len(x)), "divide Σ γᵢₖ xᵢ by N_k"),
    ("6.2", m_step_variance(power=0), "the responsibilities are missing"),
    ("6.2", m_step_variance(power=2), "γ is squared"),
    ("6.3", hungarian, DONE),
    ("6.3", lambda *args: [float(hungarian(*args))], DONE),
    ("6.3", lambda component, y, K: accuracy_score(y, component), "need not be class 0"),
    ("6.3", lambda component, y, K: max(np.mean(component == y), np.mean(component != y)), "two components only"),
    ("6.3", lambda component, y, K: len(y) * hungarian(component, y, K), "divide by the number of samples"),
    ("6.3", lambda component, y, K: 1 - hungarian(component, y, K), "smallest error"),
    ("6.3", lambda component, y, K: best_of(*shifts(K))(component, y, K), "only some of the namings"),
    ("6.3", best_of(unchanged, lambda component, K: K - 1 - component), "only some of the namings"),
    ("6.3", one_swap, "only some of the namings"),
    ("6.3", lambda component, y, K: 1 / K, "the mean over the namings"),
    ("6.3", unfilled, "replace the ... in the loop"),
    ("6.3", by_label_only, "one entry for each component"),
    ("6.3", lambda component, y, K: np.mean(y == y), "compares y with itself"),
    ("6.3", majority, "taken the same name"),
    ("6.3", lambda component, y, K: list(range(K)), "looks like a naming"),
]
for number in sorted({number for number, _, _ in TABLE}):
    TABLE += [(number, ..., "replace the ..."), (number, lambda *args: ..., "replace the ...")]
    TABLE += [(number, lambda *args: None, "return?"), (number, 1.5, "function")]


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)


@pytest.mark.parametrize(
    "naive",
    [
        lambda logs: np.exp(logs) / np.exp(logs).sum(),
        lambda logs: np.exp(np.log(np.exp(logs) / np.sum(np.exp(logs)))),
    ],
)
def test_densities_that_underflow_are_named(capsys, naive):
    with np.errstate(all="ignore"):
        check("6.1", naive)
    assert "Subtract the largest logarithm" in capsys.readouterr().out


def test_the_values_that_the_text_of_the_exercises_gives():
    """For the reader's own comparison: they stand in the notebook, unlike the solutions that would give them."""
    assert np.allclose(softmax([-1000, -1001.5, -1003]), [0.786, 0.175, 0.039], atol=5e-4)
    x = np.array([1, 2, 4, 6, 7, 8.0])
    first = 1 / (1 + np.exp(x - 4))
    assert m_step_variance()(x, np.column_stack([first, 1 - first])) == pytest.approx(2.659, abs=5e-4)
    assert hungarian(np.array([0, 0, 1, 1, 2]), np.array([1, 1, 2, 0, 0]), 3) == 0.8
