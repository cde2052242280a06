"""Checks of notebook 16, documents as bags of words."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from bayeslab.checks import compare, exercise

_N = np.array([7, 2, 0, 1, 0])
_X = np.array([3, 0, 1, 0])
_BAGS = np.array([[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4], [0.25, 0.3, 0.05, 0.4]])
_COINS = np.array([[0.9, 0.4, 0.2, 0.6], [0.3, 0.7, 0.6, 0.1], [0.5, 0.45, 0.8, 0.35]])
_PRIORS = np.array([0.2, 0.5, 0.3])


@exercise("16.1")
def smoothed_shares(shares):
    """Lidstone's estimate of the shares of words."""
    α = 0.5
    n, d = _N.sum(), len(_N)
    mistakes = {
        "these are the shares without smoothing; a word that has not occurred still has the share 0.": _N / n,
        "you divided by the sum without the added α, so the shares add up to more than 1.": (_N + α) / n,
        "the sum has grown by α once; it grows by α for each word of the vocabulary.": (_N + α) / (n + α),
        "you added α to the sum only; add it to each count, too.": _N / (n + α * d),
        "you added 1, whatever α is.": (_N + 1) / (n + d),
        "you added α to the shares; add it to the counts, before you divide.": (_N / n + α, (_N / n + α) / (1 + α * d)),
        "you divided by n + 2α, which belongs to two outcomes, present or absent; here are d words.": (_N + α)
        / (n + 2 * α),
        "these are logarithms of the shares; the shares themselves are asked.": np.log((_N + α) / (n + α * d)),
        "these are smoothed counts; divide by their sum.": _N + α,
        "only α is divided: put n + α in brackets.": _N + α / n,
        "you divided by the number of words in the vocabulary; divide by the sum of the smoothed counts.": (_N + α) / d,
    }
    problem = compare(shares(_N.copy(), α), (_N + α) / (n + α * d), mistakes, what="what shares returns")
    if problem is None:
        problem = compare(shares(_N.copy(), 2), (_N + 2) / (n + 2 * d), what="what shares returns for α = 2")
    return problem


@exercise("16.2")
def log_posterior(answer):
    """Multinomial log posterior of one document."""
    words, log_π = np.log(_BAGS) @ _X, np.log(_PRIORS)
    joint = words + log_π
    present = np.log(_BAGS) @ (_X > 0)

    def normalised(scores):
        return scores - logsumexp(scores)

    mistakes = {
        "you forgot the priors; add ln π.": (normalised(words), words),
        "you forgot to normalise; subtract the logsumexp, so that the posteriors add up to 1.": joint,
        "you subtracted a logsumexp that knows no priors; add ln π before you take it.": joint - logsumexp(words),
        "this is the posterior itself; its logarithm is asked.": np.exp(normalised(joint)),
        "you counted each word once; a word that occurs three times adds its ln p three times.": (
            normalised(present + log_π),
            present + log_π,
        ),
        "you added π, not its logarithm.": (normalised(words + _PRIORS), words + _PRIORS),
        "you took the sum of x · p; it is the logarithms of p that add up.": (
            normalised(_BAGS @ _X + log_π),
            normalised(np.log(_BAGS @ _X) + log_π),
        ),
        "you multiplied by the prior; on the logarithmic scale its logarithm is added.": (
            normalised(words * _PRIORS),
            words * _PRIORS,
        ),
        "you added ln p of all words of the vocabulary; x says how often each of them counts.": (
            normalised(np.log(_BAGS).sum(axis=1) + log_π)
        ),
        "you added ln(1 − p) for absent words; that is Bernoulli's rule, and the multinomial is silent about them.": (
            normalised(joint + np.log(1 - _BAGS) @ (_X == 0)),
            normalised(present + log_π + np.log(1 - _BAGS) @ (_X == 0)),
        ),
        "you normalised the logarithms by their sum; the probabilities must add up to 1: subtract logsumexp.": (
            joint / joint.sum(),
            joint - joint.sum(),
        ),
        "you divided by the largest class, not by the sum of all; subtract logsumexp, not the maximum.": joint
        - joint.max(),
    }
    given = _X.copy(), _BAGS.copy(), _PRIORS.copy()
    problem = compare(answer(*given), normalised(joint), mistakes, what="what log_posterior returns")
    return problem or _long_document(answer)


def _long_document(answer):
    """Say what is wrong with 2000 words, whose likelihood is 0 in floats, or return None."""
    x = 500 * np.array([1, 1, 1, 1])
    scores = np.log(_BAGS) @ x + np.log(_PRIORS)
    with np.errstate(all="ignore"):
        got = answer(x, _BAGS.copy(), _PRIORS.copy())
    try:
        lost = not np.isfinite(np.asarray(got, dtype=float)).all()
    except (TypeError, ValueError):
        lost = False
    if lost:
        return (
            "a document of 2000 words gives NaN or infinity: the product of so many shares is 0 in floats. "
            "Stay with the logarithms, and normalise with logsumexp."
        )
    return compare(got, scores - logsumexp(scores), what="what log_posterior returns for 2000 words")


@exercise("16.3")
def log_joint(answer):
    """Log joint of Bernoulli naive Bayes of one document."""
    log_q, log_not, log_π = np.log(_COINS), np.log(1 - _COINS), np.log(_PRIORS)
    b = (_X > 0).astype(float)
    right = log_q @ b + log_not @ (1 - b) + log_π
    mistakes = {
        "you forgot the absent words; each of them adds ln(1 − q).": log_q @ b + log_π,
        "you forgot the absent words, and took counts for presence.": log_q @ _X + log_π,
        "you took counts for presence; a word that occurs three times is present once.": (
            log_q @ _X + log_not @ (1 - _X) + log_π,
            log_q @ _X + log_not @ (1 - b) + log_π,
        ),
        "you forgot the priors; add ln π.": log_q @ b + log_not @ (1 - b),
        "you added π, not its logarithm.": log_q @ b + log_not @ (1 - b) + _PRIORS,
        "you let all words say that they are absent; a word that is present adds ln q alone.": log_q @ b
        + log_not.sum(axis=1)
        + log_π,
        "present and absent are exchanged: ln q belongs to the words that occur.": log_q @ (1 - b)
        + log_not @ b
        + log_π,
        "you added up the words of all classes at once; sum along the words only, axis=1.": (
            np.sum(log_q @ b + log_not @ (1 - b)) + log_π
        ),
        "you added up the probabilities of the words; it is their logarithms that add up.": (
            _COINS @ b + (1 - _COINS) @ (1 - b) + log_π
        ),
        "you normalised; the log joint is asked.": right - logsumexp(right),
        "this is the joint itself; its logarithm is asked.": np.exp(right),
        "you subtracted ln(1 − q) for absent words; it is added.": log_q @ b - log_not @ (1 - b) + log_π,
        "you subtracted ln q for absent words; ln(1 − q) is to be added.": log_q @ b - log_q @ (1 - b) + log_π,
    }
    given = _X.copy(), _COINS.copy(), _PRIORS.copy()
    problem = compare(answer(*given), right, mistakes, what="what log_joint returns")
    if problem is None:
        nothing = log_not.sum(axis=1) + log_π
        problem = compare(
            answer(0 * _X, _COINS.copy(), _PRIORS.copy()), nothing, what="what log_joint returns for an empty document"
        )
    return problem
