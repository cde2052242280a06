"""Checks of notebook 13, covariances without an inverse."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import exercise, same_shape
from bayeslab.checks._outcomes import Refused, read


def _mix(a, b, share):
    return (1 - share) * a + share * b


def _diagonal(Σ):
    return np.diag(np.diag(Σ))


_OWN = np.array([[5.0, 2.0, -1.0], [2.0, 1.0, 0.5], [-1.0, 0.5, 3.0]])
_POOLED = np.array([[2.0, 0.6, 0.2], [0.6, 4.0, -0.8], [0.2, -0.8, 1.5]])


@exercise(
    "13.1",
    {"blend returned": (_OWN, _POOLED, 0.3, 0.15)}
    | {
        f"for shared {shared} and shrinkage {shrinkage}, blend returned": (_OWN, _POOLED, shared, shrinkage)
        for shared, shrinkage in [(0, 0), (1, 0), (0.5, 1)]
    },
    wrong={
        "shared and own are swapped: at shared = 0, nothing of the pooled covariance may remain.": (
            lambda own, pooled, γ, λ: _mix(_mix(pooled, own, γ), _diagonal(pooled), λ)
        ),
        "shrinkage works the wrong way round: at 0 the mixture must stay as it is.": (
            lambda own, pooled, γ, λ: _mix(_diagonal(pooled), _mix(own, pooled, γ), λ)
        ),
        "shared and shrinkage are swapped.": lambda own, pooled, γ, λ: blend(own, pooled, λ, γ),
        "you shrank towards the whole pooled covariance; use only its diagonal.": (
            lambda own, pooled, γ, λ: _mix(_mix(own, pooled, γ), pooled, λ)
        ),
        "you shrank towards the diagonal of the class's own covariance, which may hold zeros; use the pooled one.": (
            lambda own, pooled, γ, λ: _mix(_mix(own, pooled, γ), _diagonal(own), λ)
        ),
        "you shrank towards the diagonal of the mixture; use that of the pooled covariance.": (
            lambda own, pooled, γ, λ: _mix(_mix(own, pooled, γ), _diagonal(_mix(own, pooled, γ)), λ)
        ),
        "you shrank towards I, which depends on the units; use the diagonal of the pooled covariance.": (
            lambda own, pooled, γ, λ: _mix(_mix(own, pooled, γ), np.eye(len(own)), λ)
        ),
        "you shrank before you shared; mix own and pooled first, then shrink.": (
            lambda own, pooled, γ, λ: _mix(_mix(own, _diagonal(pooled), λ), pooled, γ)
        ),
        "the diagonal was added without the factor 1 − shrinkage for the rest.": (
            lambda own, pooled, γ, λ: _mix(own, pooled, γ) + λ * _diagonal(pooled)
        ),
        "np.diag of a matrix is a vector, which was added to every row; make a diagonal matrix of it.": (
            lambda own, pooled, γ, λ: _mix(_mix(own, pooled, γ), np.diag(pooled), λ)
        ),
        "shrinkage is missing: this is the mixture of own and pooled.": lambda own, pooled, γ, λ: _mix(own, pooled, γ),
        "shared is missing: this is the class's own covariance, shrunk.": (
            lambda own, pooled, γ, λ: _mix(own, _diagonal(pooled), λ)
        ),
    },
)
def blend(own, pooled, shared, shrinkage):
    """Covariance of regularised discriminant analysis."""
    return _mix(_mix(own, pooled, shared), _diagonal(pooled), shrinkage)


_Σ = np.array([[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 0.5]])  # eigenvalues 5, 0.5 and 0


def _part(place, Σ=_Σ, tolerance=1e-10):
    """Return a function that takes the inverse or the logarithm from what a `pseudo` returns."""

    def probe(pseudo):
        pair = pseudo(Σ.copy(), tolerance)
        if pair is None or pair is ...:
            return read(pair, "pseudo returned", "pseudo")
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            return Refused("return two things: the pseudo-inverse and the logarithm of the pseudo-determinant.")
        return pair[place]

    return probe


def _kept(Σ, λ_is_kept, power=-1.0):
    """Return inverse and logarithm from the eigenvalues for which a function of all of them is true."""
    λ, Q = np.linalg.eigh(Σ)
    kept = λ_is_kept(λ)
    return Q[:, kept] * λ[kept] ** power @ Q[:, kept].T, np.sum(np.log(λ[kept]))


def _above_the_smallest(Σ, tolerance):
    """Compare with tolerance × λ[0], as if there were no rounding."""
    return _kept(Σ, lambda λ: (λ / λ[-1]).round(12) > tolerance * (λ / λ[-1]).round(12)[0])


def _rounding_inverted(Σ, tolerance):
    return np.linalg.inv(Σ + 1e-15 * np.outer([1, -2, 0], [1, -2, 0])), pseudo(Σ, tolerance)[1]


def _with_inverse(change):
    """Return a `pseudo` whose inverse alone is wrong."""
    return lambda Σ, tolerance: (change(Σ, lambda λ: λ > tolerance * λ[-1]), pseudo(Σ, tolerance)[1])


def _with_logarithm(change):
    """Return a `pseudo` whose logarithm alone is wrong."""
    return lambda Σ, tolerance: (pseudo(Σ, tolerance)[0], change(pseudo(Σ, tolerance)[1]))


def _by_rows(Σ, kept):
    λ, Q = np.linalg.eigh(Σ)
    return Q[kept(λ)] / λ[kept(λ)] @ Q[kept(λ)].T


def _by_rows_that_fit(Σ, kept):
    λ, Q = np.linalg.eigh(Σ)
    return Q[kept(λ)].T / λ[kept(λ)] @ Q[kept(λ)]


@exercise(
    "13.2",
    {
        "the pseudo-inverse is": _part(0),
        "the logarithm of the pseudo-determinant is": _part(1),
        "for a Σ that is 1e12 times smaller, the logarithm is": _part(1, 1e-12 * _Σ),
        "at tolerance 0.2, the logarithm is": _part(1, tolerance=0.2),
    },
    wrong={
        "the two results are swapped: the inverse comes first.": same_shape(lambda *args: pseudo(*args)[::-1]),
        "the eigenvalue that should be 0 was inverted. λ > 0 does not find it, since rounding leaves something like "
        "1e-16: compare with tolerance × the largest, which is λ[-1], not λ[0].": _rounding_inverted,
        "this is Σ itself put together again; divide by λ.": _with_inverse(lambda Σ, kept: Σ),
        "you divided by the root of λ, as for whitening; here divide by λ.": (
            _with_inverse(lambda Σ, kept: _kept(Σ, kept, -0.5)[0])
        ),
        "this is the projection on the axes that were kept; divide by λ.": (
            _with_inverse(lambda Σ, kept: _kept(Σ, kept, 0.0)[0])
        ),
        "the axes are the columns of Q: keep Q[:, kept], not the rows Q[kept].": (
            _with_inverse(_by_rows),
            _with_inverse(_by_rows_that_fit),
        ),
        "one axis too many was left out: keep every λ above the tolerance.": (
            lambda Σ, tolerance: _kept(Σ, lambda λ: λ == λ[-1])
        ),
        "this is the pseudo-determinant itself; take its logarithm.": _with_logarithm(np.exp),
        "you included the eigenvalue 0; add up the logarithms of those that are kept.": (
            _with_logarithm(lambda logarithm: -np.inf)
        ),
        "this is the sum of the eigenvalues; add up their logarithms.": (
            lambda Σ, tolerance: (pseudo(Σ, tolerance)[0], np.trace(Σ))
        ),
        "this is the logarithm for the pseudo-inverse; return that for Σ itself.": _with_logarithm(np.negative),
        "this is the logarithm to base 10; use np.log.": _with_logarithm(lambda value: value / np.log(10)),
        "this is half of it; the ½ belongs to the density.": _with_logarithm(lambda logarithm: logarithm / 2),
        "in other units your tolerance fails: compare λ with tolerance × the largest λ.": (
            lambda Σ, tolerance: _kept(Σ, lambda λ: λ > tolerance),
            lambda Σ, tolerance: _with_logarithm(lambda value: value if np.trace(Σ) > 1e-9 else -np.inf)(Σ, tolerance),
        ),
        "the tolerance has no effect here: at 0.2, of the eigenvalues 5, 0.5 and 0 only 5 counts. Compare λ with "
        "tolerance × the largest eigenvalue. eigh puts it last, so it is λ[-1], not λ[0].": (
            lambda Σ, tolerance: pseudo(Σ, 1e-10),
            _above_the_smallest,
        ),
    },
)
def pseudo(Σ, tolerance):
    """Pseudo-inverse and logarithm of the pseudo-determinant, with a tolerance."""
    return _kept(Σ, lambda λ: λ > tolerance * λ[-1])
