"""Checks of notebook 16, documents as bags of words."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from bayeslab.checks import exercise

_X = np.array([3, 0, 1, 0])
_BAGS = np.array([[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4], [0.25, 0.3, 0.05, 0.4]])
_PRIORS = np.array([0.2, 0.5, 0.3])


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
    "16.1",
    {
        "log_posterior returned": (_X, _BAGS, _PRIORS),
        "for 2000 words, log_posterior returned": (np.full(4, 500), _BAGS, _PRIORS),
    },
    wrong={
        "you forgot to normalise; subtract the logsumexp, so that the posteriors add up to 1.": _joint,
        "a document of 2000 words gives nan or infinity: the product of so many shares is 0 in floats. "
        "Stay with the logarithms, and normalise with logsumexp.": (
            _by_products,
            lambda *args: _joint(*args) - np.log(np.exp(_joint(*args)).sum()),
        ),
        "you forgot the priors; add ln π.": _both(lambda x, p, π: np.log(p) @ x),
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
            lambda x, p, π: _normalised(np.log(1 - p) @ (x == 0) + np.log(π)),
        ),
        "you normalised the logarithms by their sum, but the probabilities must add up to 1: subtract logsumexp.": (
            lambda *args: _joint(*args) / _joint(*args).sum(),
            lambda *args: _joint(*args) - _joint(*args).sum(),
        ),
        "you divided by the largest class, not by the sum of all; subtract logsumexp, not the maximum.": (
            lambda *args: _joint(*args) - _joint(*args).max()
        ),
    },
)
def log_posterior(x, p, π):
    """Multinomial log posterior of one document."""
    return _normalised(_joint(x, p, π))


_ODDS = np.array([4.0, 1.5, 3.0, -1.0, 0.4, 2.5, 0.7, -0.5])
_SPAM = np.array([True, True, False, True, True, True, False, False])


def _saved(out, is_spam, c):
    return np.sum(out & is_spam) - c * np.sum(out & ~is_spam)


@exercise(
    "16.2",
    {"for c = 10, saving returned": (_ODDS, _SPAM, 10), "for c = 1.5, saving returned": (_ODDS, _SPAM, 1.5)},
    wrong={
        "you threw emails away from even odds on. A good one costs c: throw one away if its log odds exceed ln c.": (
            lambda z, spam, c: _saved(z > 0, spam, c)
        ),
        "the threshold on log odds is ln c, not c.": lambda z, spam, c: _saved(z > c, spam, c),
        "you subtracted 1 for spam that is kept; without a filter it is kept as well, so it saves nothing.": (
            lambda z, spam, c: saving(z, spam, c) - np.sum((z <= np.log(c)) & spam)
        ),
        "you threw away what is probably good; the log odds are those of spam.": (
            lambda z, spam, c: _saved(z < np.log(c), spam, c),
            lambda z, spam, c: _saved(z <= np.log(c), spam, c),
        ),
        "you threw emails away too soon: the threshold is ln c, above 0, not −ln c.": (
            lambda z, spam, c: _saved(z > -np.log(c), spam, c)
        ),
        "a good email that is thrown away costs c, not 1.": lambda z, spam, c: _saved(z > np.log(c), spam, 1),
        "this is what the filter costs. Subtract it from what no filter costs, a second for each piece of spam.": (
            lambda z, spam, c: np.sum(spam) - saving(z, spam, c)
        ),
        "you counted only what is saved; subtract c for each good email that is thrown away.": (
            lambda z, spam, c: np.sum((z > np.log(c)) & spam)
        ),
        "the sign is wrong: a positive number means that the filter saves something.": (
            lambda z, spam, c: -saving(z, spam, c)
        ),
        "this is the saving per email; return that of all emails together.": lambda z, spam, c: (
            saving(z, spam, c) / len(z)
        ),
    },
)
def saving(log_odds, is_spam, c):
    """Seconds that a filter saves, if good emails that are lost cost c and spam that is kept costs 1."""
    return _saved(log_odds > np.log(c), is_spam, c)
