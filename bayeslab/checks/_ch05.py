"""Checks of notebook 05, LDA versus QDA."""

from __future__ import annotations

import numpy as np
from numpy.linalg import det, inv, solve
from scipy.special import softmax
from scipy.stats import binomtest

from bayeslab.checks import exercise, same_shape
from bayeslab.checks._outcomes import Refused, kind_of, read

# Every number is different, so that each mistake gives a value of its own.
_MEAN_I, _COV_I = np.array([0.5, -1.0]), np.array([[1.5, 0.4], [0.4, 0.7]])
_MEAN_J, _COV_J = np.array([2.0, 0.8]), np.array([[0.9, -0.2], [-0.2, 2.1]])


def _part(place):
    """Return a function that takes one of W, w and w0 from what a `coefficients` returns."""

    def probe(coefficients):
        parts = coefficients(_MEAN_I.copy(), _COV_I.copy(), _MEAN_J.copy(), _COV_J.copy(), 0.3, 0.7)
        if isinstance(parts, tuple | list) and len(parts) == 3:
            return parts[place]
        if parts is None or parts is ...:
            return read(parts, "coefficients returned", "coefficients")
        found = len(parts) if isinstance(parts, tuple | list) else kind_of(parts)
        return Refused(f"return three things, W, w and w0, with a comma between them, not {found}.")

    return probe


def _with(W=1.0, w=1.0, w0=1.0, *, forms=-0.5, logs=-0.5, odds=1.0):
    """Return a `coefficients` with factors that may be wrong: of each part, and of the terms of w0."""

    def coefficients(μ_i, Σ_i, μ_j, Σ_j, π_i, π_j):
        a, b = solve(Σ_i, μ_i), solve(Σ_j, μ_j)
        terms = forms * (μ_i @ a - μ_j @ b) + logs * np.log(det(Σ_i) / det(Σ_j)) + odds * np.log(π_i / π_j)
        return -W * (inv(Σ_i) - inv(Σ_j)) / 2, w * (a - b), w0 * terms

    return coefficients


def _replacing(place, part):
    """Return a `coefficients` that computes one of W, w and w0 in another way."""

    def coefficients(*args):
        parts = list(_with()(*args))
        parts[place] = part(*args)
        return parts

    return coefficients


@exercise(
    "5.1",
    {"W is": _part(0), "w is": _part(1), "w0 is": _part(2)},
    wrong={
        "W has the wrong sign: it is −½(Σ_i⁻¹ − Σ_j⁻¹), since D² counts against a class.": _with(W=-1),
        "in w0 the log-determinants have the wrong sign: a wide class has a low density.": _with(logs=0.5),
        "in w0 the ½ of the quadratic forms is missing.": _with(forms=-1),
        "i and j are swapped in W and in w: both have the opposite sign; g_i > g_j means class i.": _with(W=-1, w=-1),
        "i and j are swapped throughout: W, w and w0 all have the opposite sign; g_i > g_j means class i.": _with(
            -1, -1, -1
        ),
        "the ½ of W is missing.": _with(W=2),
        "W has the wrong sign, and its ½ is missing.": _with(W=-2),
        "the inverses are missing in W: these are covariances.": (
            _replacing(0, lambda μ_i, Σ_i, μ_j, Σ_j, *π: (Σ_i - Σ_j) / 2),
            _replacing(0, lambda μ_i, Σ_i, μ_j, Σ_j, *π: (Σ_j - Σ_i) / 2),
        ),
        "W has the inverse of the difference; take the difference of the inverses.": (
            _replacing(0, lambda μ_i, Σ_i, μ_j, Σ_j, *π: inv(Σ_i - Σ_j) / 2),
            _replacing(0, lambda μ_i, Σ_i, μ_j, Σ_j, *π: inv(Σ_j - Σ_i) / 2),
        ),
        "the inverses are added in W; subtract the second.": (
            _replacing(0, lambda μ_i, Σ_i, μ_j, Σ_j, *π: (inv(Σ_i) + inv(Σ_j)) / 2),
            _replacing(0, lambda μ_i, Σ_i, μ_j, Σ_j, *π: -(inv(Σ_i) + inv(Σ_j)) / 2),
        ),
        "W has 1/Σ, entry by entry; take the inverse matrix.": (
            _replacing(0, lambda μ_i, Σ_i, μ_j, Σ_j, *π: (1 / Σ_j - 1 / Σ_i) / 2)
        ),
        "W has the identity in place of Σ_j⁻¹.": (_replacing(0, lambda μ_i, Σ_i, *of: (np.eye(2) - inv(Σ_i)) / 2),),
        "w has the wrong sign: in w, i and j are swapped; g_i > g_j means class i.": _with(w=-1),
        "w has an extra factor ½; leave it out.": _with(w=0.5),
        "w has an extra factor 2; leave it out.": _with(w=2),
        "the two parts of w are added; subtract the second.": (
            _replacing(1, lambda μ_i, Σ_i, μ_j, Σ_j, *π: solve(Σ_i, μ_i) + solve(Σ_j, μ_j))
        ),
        "the inverses are missing in w.": (
            _replacing(1, lambda μ_i, Σ_i, μ_j, Σ_j, *π: μ_i - μ_j),
            _replacing(1, lambda μ_i, Σ_i, μ_j, Σ_j, *π: Σ_i @ μ_i - Σ_j @ μ_j),
        ),
        "in w each mean needs the inverse of its own covariance.": (
            _replacing(1, lambda μ_i, Σ_i, μ_j, Σ_j, *π: solve(Σ_j, μ_i) - solve(Σ_i, μ_j))
        ),
        "w0 has the wrong sign as a whole.": _with(w0=-1),
        "in w0 the priors have the wrong sign: it is + ln(π_i / π_j).": _with(odds=-1),
        "in w0 the quadratic forms of the means have the wrong sign.": _with(forms=0.5),
        "in w0 the ½ of the log-determinants is missing.": _with(logs=-1),
        "in w0 the log-determinants count three times; subtract half their difference once.": (_with(logs=-1.5)),
        "in w0 both factors of ½ are missing.": _with(forms=-1, logs=-1),
        "w0 is twice as large as it should be; W and w aren't.": _with(w0=2),
        "in w0 the priors are missing.": _with(odds=0),
        "in w0 the log-determinants are missing.": _with(logs=0),
        "in w0 the quadratic forms of the means are missing.": _with(forms=0),
        "in w0 the logarithm of the determinants is missing.": (
            _replacing(2, lambda *of: _with(logs=0)(*of)[2] - det(of[1]) / det(of[3]) / 2),
            _replacing(2, lambda *of: _with(logs=0)(*of)[2] - (det(of[1]) - det(of[3])) / 2),
        ),
        "in w0 the logarithm of the priors is missing.": (
            _replacing(2, lambda *of: _with(odds=0)(*of)[2] + of[4] / of[5]),
            _replacing(2, lambda *of: _with(odds=0)(*of)[2] + of[4] - of[5]),
        ),
    },
)
def coefficients(μ_i, Σ_i, μ_j, Σ_j, π_i, π_j):
    """W, w and w₀ of the quadratic boundary between two Gaussians."""
    return _with()(μ_i, Σ_i, μ_j, Σ_j, π_i, π_j)


def _scores(X, means, Σ, priors, *, second=-0.5, logs=1.0):
    """Return the scores, with factors that may be wrong."""
    A = solve(Σ, means.T)
    return X @ A + second * (means.T * A).sum(axis=0) + logs * np.log(priors)


def _half_squares(X, means, Σ):
    r = X[:, None] - means
    return np.einsum("nki,ij,nkj->nk", r, inv(Σ), r) / 2


@exercise(
    "5.2",
    [
        (
            np.array([[1.0, 2.0], [-0.5, 0.3], [2.2, -1.1], [0.1, 0.9]]),
            np.array([[0.5, -1.0], [2.0, 0.8], [-1.3, 0.4]]),
            _COV_I,
            np.array([0.2, 0.5, 0.3]),
        )
    ],
    wrong={
        "the second term is summed over the classes as well; keep one number for each class.": (
            lambda X, means, Σ, π: _scores(X, means, Σ, π, second=0) - (means.T * solve(Σ, means.T)).sum() / 2
        ),
        "the ½ of the second term is missing.": lambda *args: _scores(*args, second=-1),
        "this is the full −½D² + ln π_k: it decides correctly, but it is not the linear score. Drop what all classes "
        "share.": (
            lambda X, means, Σ, π: np.log(π) - _half_squares(X, means, Σ),
            lambda X, means, Σ, π: np.log(π) - _half_squares(X, means, Σ) - np.log(det(Σ)) / 2,
        ),
        "linear_scores returned the transpose: it should have a row per sample, a column per class.": same_shape(
            lambda *args: _scores(*args).T
        ),
        "linear_scores returned one number per sample; give all K scores, not only the winner.": same_shape(
            lambda *args: _scores(*args).argmax(axis=1)
        ),
        "the second term has the wrong sign.": lambda *args: _scores(*args, second=0.5),
        "the second term is missing.": lambda *args: _scores(*args, second=0),
        "the priors are missing.": lambda *args: _scores(*args, logs=0),
        "the priors have the wrong sign.": lambda *args: _scores(*args, logs=-1),
        "the logarithm of the priors is missing.": lambda *args: _scores(*args, logs=0) + args[3],
        "you used Σ; use Σ⁻¹.": lambda X, means, Σ, π: _scores(X, means, inv(Σ), π),
        "Σ⁻¹ is missing.": lambda X, means, Σ, π: _scores(X, means, np.eye(len(Σ)), π),
        "these are posteriors; return the scores themselves.": lambda *args: softmax(_scores(*args), axis=1),
    },
)
def linear_scores(X, means, Σ, priors):
    """Linear scores of LDA, shape (n, K)."""
    return _scores(X, means, Σ, priors)


def _flags(only_lda, only_qda, both=2, neither=30):
    """Return who is wrong where, for so many samples of each kind."""
    lda = np.repeat([True, False, True, False], [only_lda, only_qda, both, neither])
    qda = np.repeat([False, True, True, False], [only_lda, only_qda, both, neither])
    return lda, qda


def _verdict(b, c, p):
    """Return 1 for the curve, -1 for the line: b samples only LDA gets wrong, c only QDA; 0 if p is not small."""
    return 0 if p >= 0.05 else int(np.sign(b - c))


def _discordant(lda_wrong, qda_wrong):
    return int(np.sum(lda_wrong & ~qda_wrong)), int(np.sum(qda_wrong & ~lda_wrong))


def _p(b, c, alternative="two-sided"):
    return binomtest(b, b + c, alternative=alternative).pvalue if b + c else 1.0


def _by_counts(lda_wrong, qda_wrong):
    b, c = _discordant(lda_wrong, qda_wrong)
    return _verdict(b, c, 0)


def _one_sided(lda_wrong, qda_wrong):
    b, c = _discordant(lda_wrong, qda_wrong)
    return _verdict(b, c, min(_p(b, c, "less"), _p(b, c, "greater")))


def _against_all(lda_wrong, qda_wrong):
    """Compare with a coin that is tossed for every mistake, also for those that both make."""
    b, c = int(np.sum(lda_wrong)), int(np.sum(qda_wrong))
    return _verdict(b, c, _p(b, c))


def _swapped(lda_wrong, qda_wrong):
    return decide(qda_wrong, lda_wrong)


_DISCORDANT = [(12, 1), (1, 12), (3, 1), (0, 0), (7, 1), (6, 6), (9, 1, 40), (1, 9, 40)]


@exercise(
    "5.3",
    {
        f"for {counts[0]} samples that only LDA gets wrong and {counts[1]} that only QDA does, decide returned": (
            lambda decide, counts=counts: decide(*_flags(*counts))
        )
        for counts in _DISCORDANT
    },
    wrong={
        "line and curve are swapped: where LDA is wrong more often, the curve is better, which is 1.": _swapped,
        "this is the rule with fewer mistakes; ask McNemar's test whether the difference could be chance.": _by_counts,
        "these are p-values; return 1, 0 or -1.": lambda *wrong: _p(*_discordant(*wrong)),
        "this is the one-sided p-value; use the two-sided one, since either rule could be better.": _one_sided,
        "mistakes that both rules make say nothing about which is better; count those that only one makes.": (
            _against_all
        ),
        "this is always 0; where p is below 0.05, return 1 for the curve or -1 for the line.": lambda *wrong: 0,
    },
    coincide=True,
)
def decide(lda_wrong, qda_wrong):
    """Return 1 if the curve is better by McNemar's test, -1 if the line is, and 0 if it cannot tell."""
    b, c = _discordant(lda_wrong, qda_wrong)
    return _verdict(b, c, _p(b, c))
