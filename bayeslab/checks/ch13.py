"""Checks of notebook 13, covariances without an inverse."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise

_OWN = np.array([[5.0, 2.0, -1.0], [2.0, 1.0, 0.5], [-1.0, 0.5, 3.0]])
_POOLED = np.array([[2.0, 0.6, 0.2], [0.6, 4.0, -0.8], [0.2, -0.8, 1.5]])
_Σ = np.array([[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 0.5]])  # eigenvalues 5, 0.5 and 0


def _mix(a, b, share):
    return (1 - share) * a + share * b


@exercise("13.1")
def blend(blended):
    """Covariance of regularised discriminant analysis."""
    γ, λ = 0.3, 0.15
    target = np.diag(_POOLED.diagonal())
    mixed = _mix(_OWN, _POOLED, γ)
    own_target = np.diag(_OWN.diagonal())
    mistakes = {
        "shared and own are exchanged: at shared 0 nothing of the pooled covariance may be left.": _mix(
            _mix(_POOLED, _OWN, γ), target, λ
        ),
        "shrinkage works the wrong way round: at 0 the mixture must stay as it is.": _mix(target, mixed, λ),
        "shared and shrinkage are exchanged.": _mix(_mix(_OWN, _POOLED, λ), target, γ),
        "you shrank towards the whole pooled covariance; take its diagonal only.": _mix(mixed, _POOLED, λ),
        "you shrank towards the diagonal of the class's own covariance, zeros included; take the pooled one.": _mix(
            mixed, own_target, λ
        ),
        "you shrank towards the diagonal of the mixture; take that of the pooled covariance.": _mix(
            mixed, np.diag(mixed.diagonal()), λ
        ),
        "you shrank towards I, which depends on the units; take the diagonal of the pooled covariance.": _mix(
            mixed, np.eye(3), λ
        ),
        "you shrank before you shared; mix own and pooled first, then shrink.": _mix(_mix(_OWN, target, λ), _POOLED, γ),
        "the diagonal was added without the factor 1 − shrinkage for the rest.": mixed + λ * target,
        "np.diag of a matrix is a vector, which was added to every row; make it a diagonal matrix.": _mix(
            mixed, _POOLED.diagonal(), λ
        ),
        "shrinkage is missing: this is the mixture of own and pooled.": mixed,
        "shared is missing: this is the class's own covariance, shrunken.": _mix(_OWN, target, λ),
    }
    answer = blended(_OWN.copy(), _POOLED.copy(), γ, λ)
    problem = compare(answer, _mix(mixed, target, λ), mistakes, what="what blend returns")
    for ends, right in [((0, 0), _OWN), ((1, 0), _POOLED), ((0.5, 1), target)]:
        if problem is None:
            what = f"what blend returns for shared {ends[0]} and shrinkage {ends[1]}"
            problem = compare(blended(_OWN.copy(), _POOLED.copy(), *ends), right, what=what)
    return problem


@exercise("13.2")
def pseudo(function):
    """Pseudo-inverse and logarithm of the pseudo-determinant, with a tolerance."""
    pair = function(_Σ.copy(), 1e-10)
    if pair is None or pair is ...:
        return compare(pair, 0, what="what pseudo returns")
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        return "return two things: the pseudo-inverse and the logarithm of the pseudo-determinant."
    if np.ndim(pair[0]) < np.ndim(pair[1]):
        return "the two results are exchanged: the inverse comes first."
    problem = _judge_inverse(pair[0]) or _judge_logarithm(pair[1])
    return problem or _judge_tolerance(function)


def _judge_inverse(inverse):
    """Say what is wrong with a pseudo-inverse, or return None."""
    if np.shape(inverse) == (3, 3) and np.nanmax(np.abs(inverse)) > 1e6:
        return "the eigenvalue that should be 0 was inverted; λ > 0 is no test, since rounding leaves some 1e-16."
    right, (λ, Q) = np.linalg.pinv(_Σ), np.linalg.eigh(_Σ)
    λ, Q = λ[1:], Q[:, 1:]
    mistakes = {
        "this is Σ itself put together again; divide by λ.": _Σ,
        "you divided by the root of λ, as for whitening; here divide by λ.": Q / np.sqrt(λ) @ Q.T,
        "this is the projection on the axes that were kept; divide by λ.": Q @ Q.T,
        "one axis too many was left out: keep every λ above the tolerance.": Q[:, 1:] / λ[1:] @ Q[:, 1:].T,
    }
    return compare(inverse, right, mistakes, what="the pseudo-inverse")


def _judge_logarithm(logarithm):
    """Say what is wrong with the logarithm of a pseudo-determinant, or return None."""
    mistakes = {
        "this is the pseudo-determinant itself; take its logarithm.": 2.5,
        "you included the eigenvalue 0; add up the logarithms of those that are kept.": -np.inf,
        "this is the sum of the eigenvalues; add up their logarithms.": 5.5,
        "this is the logarithm of the pseudo-inverse's; Σ itself was asked for.": -np.log(2.5),
        "this is the logarithm to base 10; take the natural one.": np.log10(2.5),
        "this is half of it; the ½ belongs to the density.": np.log(2.5) / 2,
    }
    return compare(logarithm, np.log(2.5), mistakes, what="the logarithm of the pseudo-determinant")


def _judge_tolerance(function):
    """Say what is wrong where the scale or the tolerance changes, or return None."""
    _, logarithm = function(1e-12 * _Σ, 1e-10)
    mistakes = {"in other units your tolerance fails: compare λ with tolerance × the largest λ.": (-np.inf, 0)}
    right = np.log(2.5) - 24 * np.log(10)
    problem = compare(logarithm, right, mistakes, what="the logarithm for a Σ that is 1e12 times smaller")
    if problem is None:
        _, logarithm = function(_Σ.copy(), 0.2)
        mistakes = {"the tolerance is not used: at 0.2 only the eigenvalue 5 of 5, 0.5 and 0 counts.": np.log(2.5)}
        problem = compare(logarithm, np.log(5), mistakes, what="the logarithm at tolerance 0.2")
    return problem
