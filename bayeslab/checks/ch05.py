"""Checks of notebook 05, LDA versus QDA."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise

# Every number is different, so that each mistake gives a value of its own.
_MEAN_I, _COV_I, _PRIOR_I = np.array([0.5, -1.0]), np.array([[1.5, 0.4], [0.4, 0.7]]), 0.3
_MEAN_J, _COV_J, _PRIOR_J = np.array([2.0, 0.8]), np.array([[0.9, -0.2], [-0.2, 2.1]]), 0.7


@exercise("5.1")
def coefficients_of_the_boundary(coefficients):
    """W, w and w₀ of the quadratic boundary between two Gaussians."""
    arguments = _MEAN_I, _COV_I, _MEAN_J, _COV_J, _PRIOR_I, _PRIOR_J
    answer = coefficients(*(np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments))
    if answer is None or answer is ...:
        return compare(answer, 0.0, what="what coefficients returns")
    if not isinstance(answer, tuple | list) or len(answer) != 3:
        found = len(answer) if isinstance(answer, tuple | list) else type(answer).__name__
        return f"return three things, W, w and w0, with a comma between them, not {found}."
    W, w, w0 = answer
    return _judge_swap(W, w, w0) or _judge_matrix(W) or _judge_vector(w) or _judge_number(w0)


def _judge_swap(W, w, w0):
    """Say so where W and w are those of the other class, and w₀ perhaps, too."""
    inverse_i, inverse_j = np.linalg.inv(_COV_I), np.linalg.inv(_COV_J)
    if compare(W, (inverse_i - inverse_j) / 2) or compare(w, inverse_j @ _MEAN_J - inverse_i @ _MEAN_I):
        return None
    forms = _MEAN_I @ inverse_i @ _MEAN_I - _MEAN_J @ inverse_j @ _MEAN_J
    logs = np.log(np.linalg.det(_COV_I) / np.linalg.det(_COV_J))
    if compare(w0, forms / 2 + logs / 2 - np.log(_PRIOR_I / _PRIOR_J)):
        return "i and j are swapped in W and in w: both have the opposite sign; g > 0 means class i."
    return "i and j are swapped throughout: W, w and w0 all have the opposite sign; g > 0 means class i."


def _judge_matrix(W):
    inverse_i, inverse_j = np.linalg.inv(_COV_I), np.linalg.inv(_COV_J)
    right = -(inverse_i - inverse_j) / 2
    mistakes = {
        "W has the wrong sign: it is −½(Σ_i⁻¹ − Σ_j⁻¹), since D² counts against a class.": -right,
        "the ½ of W is missing.": 2 * right,
        "W has the wrong sign, and its ½ is missing.": -2 * right,
        "the inverses are missing in W: these are covariances.": (-(_COV_I - _COV_J) / 2, (_COV_I - _COV_J) / 2),
        "W has the inverse of the difference; take the difference of the inverses.": (
            -np.linalg.inv(_COV_I - _COV_J) / 2,
            np.linalg.inv(_COV_I - _COV_J) / 2,
        ),
        "the inverses are added in W; one is subtracted.": (-(inverse_i + inverse_j) / 2, (inverse_i + inverse_j) / 2),
        "W has 1/Σ, entry by entry; take the inverse matrix.": -(1 / _COV_I - 1 / _COV_J) / 2,
        "this W has Σ_j⁰ = I, the misprint at the end of the notebook; it is Σ_j⁻¹.": -(inverse_i - np.eye(2)) / 2,
    }
    return compare(W, right, mistakes, what="W")


def _judge_vector(w):
    a, b = np.linalg.solve(_COV_I, _MEAN_I), np.linalg.solve(_COV_J, _MEAN_J)
    mistakes = {
        "w has the wrong sign: in w, i and j are swapped; g > 0 means class i.": b - a,
        "w has a ½ too many.": (a - b) / 2,
        "w has a factor 2 too many.": 2 * (a - b),
        "the two parts of w are added; the second is subtracted.": a + b,
        "the inverses are missing in w.": (_MEAN_I - _MEAN_J, _COV_I @ _MEAN_I - _COV_J @ _MEAN_J),
        "in w each mean needs the inverse of its own covariance.": (
            np.linalg.solve(_COV_J, _MEAN_I) - np.linalg.solve(_COV_I, _MEAN_J)
        ),
    }
    return compare(w, a - b, mistakes, what="w")


def _judge_number(w0):
    forms = _MEAN_I @ np.linalg.solve(_COV_I, _MEAN_I) - _MEAN_J @ np.linalg.solve(_COV_J, _MEAN_J)
    determinants = np.linalg.det(_COV_I) / np.linalg.det(_COV_J)
    logs, odds = np.log(determinants), np.log(_PRIOR_I / _PRIOR_J)
    mistakes = {
        "w0 has the wrong sign as a whole.": forms / 2 + logs / 2 - odds,
        "in w0 the priors have the wrong sign: it is + ln(P_i / P_j).": -forms / 2 - logs / 2 - odds,
        "in w0 the log-determinants have the wrong sign: a wide class has a low density.": -forms / 2 + logs / 2 + odds,
        "in w0 the quadratic forms of the means have the wrong sign.": forms / 2 - logs / 2 + odds,
        "in w0 the ½ of the quadratic forms is missing.": -forms - logs / 2 + odds,
        "in w0 the ½ of the log-determinants is missing.": -forms / 2 - logs + odds,
        "in w0 both ½ are missing.": -forms - logs + odds,
        "this w0 is doubled: double W and w as well, or take half.": -forms - logs + 2 * odds,
        "in w0 the priors are missing.": -forms / 2 - logs / 2,
        "in w0 the log-determinants are missing.": -forms / 2 + odds,
        "in w0 the quadratic forms of the means are missing.": -logs / 2 + odds,
        "in w0 the logarithm of the determinants is missing.": -forms / 2 - determinants / 2 + odds,
        "in w0 the logarithm of the priors is missing.": -forms / 2 - logs / 2 + _PRIOR_I / _PRIOR_J,
    }
    return compare(w0, -forms / 2 - logs / 2 + odds, mistakes, what="w0")


@exercise("5.2")
def lda_scores(linear_scores):
    """Linear scores of LDA, shape (n, K)."""
    X = np.array([[1.0, 2.0], [-0.5, 0.3], [2.2, -1.1], [0.1, 0.9]])
    means, priors = np.array([[0.5, -1.0], [2.0, 0.8], [-1.3, 0.4]]), np.array([0.2, 0.5, 0.3])
    A = np.linalg.solve(_COV_I, means.T)
    first, second, logs = X @ A, (means.T * A).sum(axis=0), np.log(priors)
    r = X[:, None] - means
    D2 = np.einsum("nki,ij,nkj->nk", r, np.linalg.inv(_COV_I), r)
    by_Σ = means @ _COV_I
    right, summed = first - second / 2 + logs, first - second.sum() / 2 + logs
    mistakes = {
        "the ½ of the second term is missing.": first - second + logs,
        "the second term has the wrong sign.": first + second / 2 + logs,
        "the second term is missing.": first + logs,
        "the second term is summed over the classes as well; keep one number for each class.": summed,
        "the priors are missing.": first - second / 2,
        "the priors have the wrong sign.": first - second / 2 - logs,
        "the logarithm of the priors is missing.": first - second / 2 + priors,
        "this has Σ where Σ⁻¹ belongs.": X @ by_Σ.T - (by_Σ * means).sum(axis=1) / 2 + logs,
        "Σ⁻¹ is missing.": X @ means.T - (means**2).sum(axis=1) / 2 + logs,
        "this is the full −½D² + ln P_k: right decisions, but not the linear score; drop what all classes share.": (
            -D2 / 2 + logs,
            -D2 / 2 - np.linalg.slogdet(_COV_I).logabsdet / 2 + logs,
        ),
        "these are posteriors; the scores are asked for.": np.exp(right) / np.exp(right).sum(axis=1, keepdims=True),
    }
    answer = linear_scores(X.copy(), means.copy(), _COV_I.copy(), priors.copy())
    if np.shape(answer) == right.T.shape:
        return "linear_scores returns the transpose: a row per sample, a column per class."
    if np.shape(answer) == (len(X),):
        return "linear_scores returns one number per sample; give all K scores, not only the winner."
    return compare(answer, right, mistakes, what="what linear_scores returns")
