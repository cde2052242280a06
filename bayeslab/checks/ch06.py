"""Checks of notebook 06, mixtures and the EM algorithm."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
from scipy.special import logsumexp, softmax

from bayeslab.checks import exercise, same_shape


def _shared_out(densities, least=0.0):
    return densities / (densities.sum() + least)


@exercise(
    "6.1",
    {
        f"for {logs}, responsibilities returned": (np.array(logs),)
        for logs in ([-1.3, -0.4, -2.1], [-1000.0, -1001.5, -1003.0], [-8.0, -9.0, -5000.0], [710.0, 712.0])
    },
    wrong={
        "these are not yet divided by their sum.": (np.exp, lambda logs: np.exp(logs - logs.max())),
        "these are logarithms of the responsibilities; take exp.": lambda logs: logs - logsumexp(logs),
        "the sign is reversed: the largest logarithm has the largest responsibility.": lambda logs: softmax(-logs),
        "this gives the whole sample to one component; share it out.": (
            lambda logs: (logs == logs.max()).astype(float),
            lambda logs: logs == logs.max(),
        ),
        "you divided the logarithms by their sum; take exp first.": lambda logs: logs / logs.sum(),
        "logarithms are subtracted, not divided: exp(a − max), not exp(a / max).": (
            lambda logs: np.exp(logs / logs.max()),
            lambda logs: softmax(logs / logs.max()),
        ),
        "exp becomes 0 or infinity here, and their ratio is not a number. Subtract the largest logarithm before exp.": (
            lambda logs: _shared_out(np.exp(logs)),
            lambda logs: _shared_out(np.exp(logs - logs.mean())),
            lambda logs: _shared_out(np.exp(np.minimum(logs, 700))),
        ),
        "all are 0: every exp underflows to 0, and a small number added to the sum only hides the 0/0. "
        "Responsibilities sum to 1. Subtract the largest logarithm before exp.": (
            lambda logs: _shared_out(np.exp(logs), 1e-300)
        ),
        "all are equal, though the logarithms are not: limiting them, or adding a small number to each exp, loses "
        "their differences. Subtract the largest logarithm before exp.": (
            lambda logs: _shared_out(np.exp(logs) + 1e-300),
            lambda logs: _shared_out(np.exp(np.clip(logs, -700, 700))),
        ),
    },
)
def responsibilities(log_joint):
    """Responsibilities of one sample, from the logarithms of its joint densities."""
    return softmax(log_joint)


def _means(x, γ):
    return γ.T @ x / γ.sum(axis=0)


def _squares(x, γ, means=_means, power=1):
    """Return γᵢₖ (xᵢ − μₖ)² for each point and component, with parts that may be wrong."""
    return γ**power * (x[:, None] - means(x, γ)) ** 2


def _variances(x, γ):
    return _squares(x, γ).sum(axis=0) / γ.sum(axis=0)


@exercise(
    "6.2",
    # Means, variances and sizes of the components differ, so that each mistake gives a value of its own.
    {
        "shared_variance returned": (
            np.array([0.5, 1.0, 2.5, 4.0, 7.5]),
            np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.4, 0.6], [0.2, 0.8]]),
        ),
        "for three components, shared_variance returned": (
            np.array([1.0, -2.0, 4.0, 0.5]),
            np.array([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8], [0.5, 0.25, 0.25]]),
        ),
    },
    wrong={
        "shared_variance returned several numbers; sum over points and components: all share one variance.": (
            same_shape(_squares),
            same_shape(lambda x, γ: _squares(x, γ).sum(axis=0)),
            same_shape(lambda x, γ: _squares(x, γ).sum(axis=1)),
        ),
        "this is the plain average of the variances; a component with larger responsibilities counts more.": (
            lambda x, γ: _variances(x, γ).mean()
        ),
        "this is the sum of squares; divide it by n.": lambda x, γ: _squares(x, γ).sum(),
        "you divided by n − K; the M-step maximises the likelihood, which divides by n.": (
            lambda x, γ: _squares(x, γ).sum() / (len(x) - γ.shape[1])
        ),
        "you divided by n − 1; the M-step maximises the likelihood, which divides by n.": (
            lambda x, γ: _squares(x, γ).sum() / (len(x) - 1)
        ),
        "you divided by n·K: the responsibilities of a point already sum to 1, so all of them sum to n.": (
            lambda x, γ: _squares(x, γ).mean()
        ),
        "you added the variances of the components; weight them by N_k / n.": lambda x, γ: _variances(x, γ).sum(),
        "this is the standard deviation; return σ².": lambda x, γ: np.sqrt(shared_variance(x, γ)),
        "these are deviations from the mean of all points; each component has its own mean.": (
            lambda x, γ: _squares(x, γ, lambda x, γ: x.mean()).sum() / len(x)
        ),
        "the responsibilities are missing in the sum of squares.": (
            lambda x, γ: _squares(x, γ, power=0).sum() / len(x),
            lambda x, γ: _squares(x, γ, power=0).mean(),
        ),
        "γ is squared; it is a weight.": lambda x, γ: _squares(x, γ, power=2).sum() / len(x),
        "your means are divided by n; divide Σ γᵢₖ xᵢ by N_k.": (
            lambda x, γ: _squares(x, γ, lambda x, γ: γ.T @ x / len(x)).sum() / len(x)
        ),
    },
)
def shared_variance(x, γ):
    """One variance for all components, about the new means."""
    return _squares(x, γ).sum() / len(x)


def _accuracies(component, y, namings):
    return [np.mean(np.array(naming)[component] == y) for naming in namings]


def _best_of(namings):
    """Return a `matched_accuracy` that tries only some namings of K components."""
    return lambda component, y, K: max(_accuracies(component, y, namings(K)))


def _swaps(K):
    """Return the namings that exchange two numbers at most."""
    namings = [list(range(K))]
    for i, j in combinations(range(K), 2):
        naming = list(range(K))
        naming[i], naming[j] = j, i
        namings.append(naming)
    return namings


def _stub(component, y, K):
    """Return what the stub does before its ... is replaced."""
    return max(np.mean(np.array(naming)[...] == y) for naming in permutations(range(K)))


def _by_label_only(component, y, K):
    """Compare a label for each component with one for each sample, as far as both go."""
    return max(np.mean(np.resize(naming, len(y)) == y) for naming in permutations(range(K)))


def _each_its_commonest(component, y, K):
    """Give each component its commonest label, even if another has taken it."""
    return sum(np.bincount(y[component == k]).max() for k in set(component)) / len(y)


@exercise(
    "6.3",
    {
        # As many components as samples, so that the stub compares without an error.
        "for four components, matched_accuracy returned": (np.array([0, 0, 0, 1]), np.array([1, 1, 1, 0]), 4),
        # The best naming swaps 0 and 1: neither a shift of the numbers nor their reversal.
        "for three components, matched_accuracy returned": (
            np.array([0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2]),
            np.array([1, 1, 1, 2, 2, 0, 0, 2, 0, 2, 2]),
            3,
        ),
        # Each component taking its own commonest label would use one label twice.
        "where one class is common, matched_accuracy returned": (
            np.array([0, 0, 0, 1, 1, 1]),
            np.array([0, 0, 0, 0, 0, 1]),
            2,
        ),
        "where two of four components have no sample, matched_accuracy returned": (
            np.array([3, 3, 1, 1]),
            np.array([0, 0, 2, 2]),
            4,
        ),
    },
    wrong={
        "this looks like a naming; return the accuracy that it gives.": same_shape(
            lambda component, y, K: np.arange(K)
        ),
        "label has one entry for each component, y one for each sample; replace the ... in the loop (Hint 2).": (
            _stub,
            _by_label_only,
        ),
        "this is the accuracy without renaming; component 0 need not be class 0.": (_best_of(lambda K: [range(K)]),),
        "this compares y with itself: the label of a sample comes from its component, not from y.": (
            lambda component, y, K: 1.0
        ),
        "1 − a and max(a, 1 − a) work for two components only.": (
            lambda component, y, K: np.mean(component != y),
            lambda component, y, K: max(np.mean(component == y), np.mean(component != y)),
        ),
        "you tried only some of the namings; there are K! of them.": (
            _best_of(lambda K: [np.roll(range(K), shift) for shift in range(K)]),
            _best_of(lambda K: [range(K), range(K)[::-1]]),
            _best_of(_swaps),
        ),
        "this is the number of matches; divide by the number of samples.": (
            lambda component, y, K: len(y) * matched_accuracy(component, y, K)
        ),
        "this is the smallest error; return the accuracy.": lambda *args: 1 - matched_accuracy(*args),
        "this is the worst naming; take the best.": (
            lambda component, y, K: min(_accuracies(component, y, permutations(range(K))))
        ),
        "this is the mean over the namings; take the best.": (
            lambda component, y, K: np.mean(_accuracies(component, y, permutations(range(K))))
        ),
        "two components have taken the same name; a naming is one-to-one.": _each_its_commonest,
    },
)
def matched_accuracy(component, y, K):
    """Accuracy of components under the best naming."""
    return max(_accuracies(component, y, permutations(range(K))))
