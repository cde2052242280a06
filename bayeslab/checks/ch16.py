"""Checks of notebook 16, documents as bags of words."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from bayeslab.checks import exercise

_N = np.array([7, 2, 0, 1, 0])
_X = np.array([3, 0, 1, 0])
_BAGS = np.array([[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4], [0.25, 0.3, 0.05, 0.4]])
_COINS = np.array([[0.9, 0.4, 0.2, 0.6], [0.3, 0.7, 0.6, 0.1], [0.5, 0.45, 0.8, 0.35]])
_PRIORS = np.array([0.2, 0.5, 0.3])


@exercise(
    "16.1",
    {"shares returned": (_N, 0.5), "for α = 2, shares returned": (_N, 2)},
    wrong={
        "these are the shares without smoothing; a word that has not occurred still has the share 0.": (
            lambda n, α: n / n.sum()
        ),
        "you divided by the sum without the added α, so the shares add up to more than 1.": (
            lambda n, α: (n + α) / n.sum()
        ),
        "the sum has grown by α once; it grows by α for each word of the vocabulary.": (
            lambda n, α: (n + α) / (n.sum() + α)
        ),
        "you added α to the sum only; add it to each count as well.": lambda n, α: n / (n.sum() + α * len(n)),
        "you added α only to the words that have not occurred; add it to every count.": (
            lambda n, α: (n + α * (n == 0)) / (n + α * (n == 0)).sum(),
            lambda n, α: (n + α * (n == 0)) / n.sum(),
            lambda n, α: (n + α * (n == 0)) / (n.sum() + α * len(n)),
        ),
        "you added 1, whatever α is.": lambda n, α: (n + 1) / (n + 1).sum(),
        "you added 0.5, whatever α is.": lambda n, α: (n + 0.5) / (n + 0.5).sum(),
        "you added α to the shares; add it to the counts, before you divide.": (
            lambda n, α: n / n.sum() + α,
            lambda n, α: (n / n.sum() + α) / (1 + α * len(n)),
        ),
        "you divided by n + 2α, which belongs to two outcomes, present or absent; here there are d words.": (
            lambda n, α: (n + α) / (n.sum() + 2 * α)
        ),
        "these are logarithms of the shares; return the shares themselves.": lambda n, α: np.log(shares(n, α)),
        "these are smoothed counts; divide by their sum.": lambda n, α: n + α,
        "only α is divided: put n + α in brackets.": lambda n, α: n + α / n.sum(),
        "you divided by the number of words in the vocabulary; divide by the sum of the smoothed counts.": (
            lambda n, α: (n + α) / len(n)
        ),
    },
)
def shares(n, α):
    """Lidstone's estimate of the shares of words."""
    return (n + α) / (n + α).sum()


def _normalised(scores):
    return scores - logsumexp(scores)


def _joint(x, p, π):
    return np.log(p) @ x + np.log(π)


def _by_products(x, p, π):
    joint = np.prod(p**x, axis=1) * π
    return np.log(joint / joint.sum())


def _both(scores):
    """Return two wrong answers, one normalised, from what they add up."""
    return lambda *args: _normalised(scores(*args)), scores


@exercise(
    "16.2",
    {
        "log_posterior returned": (_X, _BAGS, _PRIORS),
        "for 2000 words, log_posterior returned": (np.full(4, 500), _BAGS, _PRIORS),
    },
    wrong={
        "you forgot the priors; add ln π.": _both(lambda x, p, π: np.log(p) @ x),
        "you forgot to normalise; subtract the logsumexp, so that the posteriors add up to 1.": _joint,
        "you subtracted a logsumexp without the priors; add ln π before you take it.": (
            lambda x, p, π: _joint(x, p, π) - logsumexp(np.log(p) @ x)
        ),
        "this is the posterior itself; return its logarithm.": lambda *args: np.exp(log_posterior(*args)),
        "you counted each word once; a word that occurs three times adds its ln p three times.": (
            _both(lambda x, p, π: _joint(x > 0, p, π))
        ),
        "you added π, not its logarithm.": _both(lambda x, p, π: np.log(p) @ x + π),
        "you took the sum of x · p; add up the logarithms of p instead.": (
            lambda x, p, π: _normalised(p @ x + np.log(π)),
            lambda x, p, π: _normalised(np.log(p @ x) + np.log(π)),
        ),
        "you multiplied by the prior; on the logarithmic scale, add its logarithm.": (
            _both(lambda x, p, π: np.log(p) @ x * π)
        ),
        "you added ln p for all words of the vocabulary; x says how often each of them counts.": (
            lambda x, p, π: _normalised(np.log(p).sum(axis=1) + np.log(π))
        ),
        "you added ln(1 − p) for absent words. That is Bernoulli's rule; in the multinomial they add nothing.": (
            lambda x, p, π: _normalised(_joint(x, p, π) + np.log(1 - p) @ (x == 0)),
            lambda x, p, π: _normalised(_joint(x > 0, p, π) + np.log(1 - p) @ (x == 0)),
        ),
        "you normalised the logarithms by their sum, but the probabilities must add up to 1: subtract logsumexp.": (
            lambda *args: _joint(*args) / _joint(*args).sum(),
            lambda *args: _joint(*args) - _joint(*args).sum(),
        ),
        "you divided by the largest class, not by the sum of all; subtract logsumexp, not the maximum.": (
            lambda *args: _joint(*args) - _joint(*args).max()
        ),
        "a document of 2000 words gives nan or infinity: the product of so many shares is 0 in floats. "
        "Stay with the logarithms, and normalise with logsumexp.": (
            _by_products,
            lambda *args: _joint(*args) - np.log(np.exp(_joint(*args)).sum()),
        ),
    },
)
def log_posterior(x, p, π):
    """Multinomial log posterior of one document."""
    return _normalised(_joint(x, p, π))


def _coins(present, absent, q, π, *, of_present=np.log, of_absent=lambda q: np.log(1 - q)):
    """Add up what words say that are present, or absent, with parts that may be wrong."""
    return of_present(q) @ present + of_absent(q) @ absent + np.log(π)


@exercise(
    "16.3",
    {
        "log_joint returned": (_X, _COINS, _PRIORS),
        "for an empty document, log_joint returned": (0 * _X, _COINS, _PRIORS),
    },
    wrong={
        "you forgot the absent words; each of them adds ln(1 − q).": lambda x, q, π: _coins(x > 0, 0 * x, q, π),
        "you forgot the absent words, and you used counts where only presence matters.": lambda x, q, π: _coins(
            x, 0 * x, q, π
        ),
        "you forgot the words that are present; each of them adds ln q.": lambda x, q, π: _coins(0 * x, x == 0, q, π),
        "you used counts where only presence matters; a word that occurs three times is present once.": (
            lambda x, q, π: _coins(x, 1 - x, q, π),
            lambda x, q, π: _coins(x, x == 0, q, π),
        ),
        "you forgot the priors; add ln π.": lambda x, q, π: log_joint(x, q, π) - np.log(π),
        "you added π, not its logarithm.": lambda x, q, π: log_joint(x, q, π) - np.log(π) + π,
        "you added ln(1 − q) for every word; a word that is present adds ln q alone.": (
            lambda x, q, π: _coins(x > 0, np.ones(len(x)), q, π)
        ),
        "present and absent are swapped: ln q belongs to the words that occur.": (
            lambda x, q, π: _coins(x == 0, x > 0, q, π)
        ),
        "you added up the words of all classes at once; sum along the words only, axis=1.": (
            lambda x, q, π: np.log(np.where(x > 0, q, 1 - q)).sum() + np.log(π)
        ),
        "you added up the probabilities of the words; add up their logarithms.": (
            lambda x, q, π: np.where(x > 0, q, 1 - q).sum(axis=1) + np.log(π)
        ),
        "you normalised; return the log joint as it is.": lambda *args: _normalised(log_joint(*args)),
        "this is the joint itself; return its logarithm.": lambda *args: np.exp(log_joint(*args)),
        "you subtracted ln(1 − q) for absent words; add it.": (
            lambda x, q, π: _coins(x > 0, x == 0, q, π, of_absent=lambda q: -np.log(1 - q))
        ),
        "you subtracted ln q for absent words; add ln(1 − q).": (
            lambda x, q, π: _coins(x > 0, x == 0, q, π, of_absent=lambda q: -np.log(q))
        ),
    },
)
def log_joint(x, q, π):
    """Log joint of Bernoulli naive Bayes of one document."""
    return _coins(x > 0, x == 0, q, π)
