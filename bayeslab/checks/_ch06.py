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
        "exp becomes 0 or infinity here, and their ratio is not a number. Subtract the largest logarithm before exp.": (
            lambda logs: _shared_out(np.exp(logs)),
            lambda logs: _shared_out(np.exp(logs - logs.mean())),
            lambda logs: _shared_out(np.exp(np.minimum(logs, 700))),
        ),
        "these are not yet divided by their sum.": (np.exp, lambda logs: np.exp(logs - logs.max())),
        "these are logarithms of the responsibilities; take exp.": lambda logs: logs - logsumexp(logs),
        "the sign is reversed: the largest logarithm has the largest responsibility.": lambda logs: softmax(-logs),
        "this assigns the whole sample to one component; return the share of each.": (
            lambda logs: (logs == logs.max()).astype(float),
            lambda logs: logs == logs.max(),
        ),
        "you divided the logarithms by their sum; take exp first.": lambda logs: logs / logs.sum(),
        "logarithms are subtracted, not divided: exp(a − max), not exp(a / max).": (
            lambda logs: np.exp(logs / logs.max()),
            lambda logs: softmax(logs / logs.max()),
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


def _bic(weights, means, covariances, charge=np.log, sign=-2.0):
    """Return an answer that counts the parameters in these three ways, functions of K and d."""

    def bic(ell, K, n, d):
        return (weights(K) + means(K, d) + covariances(K, d)) * charge(n) + sign * ell

    return bic


def _free(K):
    return K - 1


def _all(K):
    return K


def _means(K, d):
    return K * d


def _symmetric(K, d):
    return K * d * (d + 1) / 2


def _bic_times(factor):
    return lambda *args: factor * bic(*args)


@exercise(
    "6.2",
    [(-180.0, 3, 150, 4), (-706.807, 2, 200, 2)],
    wrong={
        "the weights sum to one, so only K − 1 of them are free.": _bic(_all, _means, _symmetric),
        "the weights are missing from the count of parameters; K − 1 of them are free.": (
            _bic(lambda K: 0, _means, _symmetric)
        ),
        "a covariance is symmetric: count d (d + 1) / 2 numbers, not d².": _bic(_free, _means, lambda K, d: K * d**2),
        "you counted diagonal covariances; these are full, with d (d + 1) / 2 numbers each.": (
            _bic(_free, _means, lambda K, d: K * d)
        ),
        "you counted one covariance for all components; each has its own.": (
            _bic(_free, _means, lambda K, d: d * (d + 1) / 2)
        ),
        "the count of parameters is too small by K d: the means are missing, or all the variances.": _bic(
            _free, lambda K, d: 0, _symmetric
        ),
        "this is AIC; BIC charges ln n for each parameter, not 2.": _bic(_free, _means, _symmetric, lambda n: 2),
        "you took the logarithm to base 10; ln n is np.log.": _bic(_free, _means, _symmetric, np.log10),
        "you charged n for each parameter; BIC charges ln n.": _bic(_free, _means, _symmetric, lambda n: n),
        "the factor 2 of ℓ is missing: BIC = p ln n − 2 ℓ.": _bic(_free, _means, _symmetric, sign=-1.0),
        "this is half of BIC; BIC = p ln n − 2 ℓ, without a ½.": _bic_times(0.5),
        "this is −BIC: here the smaller BIC is better, so BIC = p ln n − 2 ℓ.": _bic_times(-1),
        "this is −BIC / 2, as some texts have it; here BIC = p ln n − 2 ℓ, and the smaller one is better.": (
            _bic_times(-0.5)
        ),
        "the sign of ℓ is reversed: a higher ℓ makes BIC smaller.": _bic(_free, _means, _symmetric, sign=2.0),
    },
)
def bic(ell, K, n, d):
    """BIC of a mixture of K Gaussians with full covariances."""
    return _bic(_free, _means, _symmetric)(ell, K, n, d)


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
        "this compares y with itself: the label of a sample comes from its component, not from y.": (
            lambda component, y, K: 1.0
        ),
        "label has one entry for each component, y one for each sample; replace the ... in the loop (Hint 2).": (
            _stub,
            _by_label_only,
        ),
        "this is the accuracy without renaming; component 0 need not be class 0.": (_best_of(lambda K: [range(K)]),),
        "this looks like a naming; return the accuracy that it gives.": same_shape(
            lambda component, y, K: np.arange(K)
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
        "two components have the same name; a naming is one-to-one.": _each_its_commonest,
    },
)
def matched_accuracy(component, y, K):
    """Accuracy of components under the best naming."""
    return max(_accuracies(component, y, permutations(range(K))))
