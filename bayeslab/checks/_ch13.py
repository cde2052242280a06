"""Checks of notebook 13, covariances without an inverse."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import exercise, same_shape
from bayeslab.checks._outcomes import Refused, read

_RNG = np.random.default_rng(13)
_FEW = _RNG.normal(size=(4, 7)).round(2)
_MANY = _RNG.normal(size=(9, 5)).round(2)
_MANY[:, 3], _MANY[:, 4] = 6, 2 * _MANY[:, 0]  # one column is constant, one is a multiple of another
_BOTH = np.vstack([_FEW[:3], _FEW[0]])  # four rows, two of them the same
_FULL = _RNG.normal(size=(12, 3)).round(2)


def _rank(rows):
    return int(np.linalg.matrix_rank(np.cov(rows.T)))


def _possible(rows):
    return min(len(rows) - 1, rows.shape[1])


@exercise(
    "13.1",
    {
        f"for {name}, missing returned": (rows,)
        for name, rows in {
            "4 rows of 7 columns": _FEW,
            "9 rows with a constant column and a column that is twice another": _MANY,
            "4 rows of 7 columns, two of them alike": _BOTH,
            "12 rows of 3 columns": _FULL,
        }.items()
    },
    wrong={
        "np.cov takes a variable in each row: give it rows.T.": (
            lambda rows: (rows.shape[1] - _possible(rows), _possible(rows) - np.linalg.matrix_rank(np.cov(rows)))
        ),
        "n rows span at most n − 1 directions, because their mean is subtracted.": (
            lambda rows: (
                rows.shape[1] - min(len(rows), rows.shape[1]),
                min(len(rows), rows.shape[1]) - _rank(rows),
            )
        ),
        "the second number is all that is missing; leave out what the first one has counted.": (
            lambda rows: (rows.shape[1] - _possible(rows), rows.shape[1] - _rank(rows))
        ),
        "the two numbers are swapped: first what is missing for want of rows.": lambda rows: missing(rows)[::-1],
        "there are never more directions than columns: take the smaller of n − 1 and d.": (
            lambda rows: (rows.shape[1] - len(rows) + 1, len(rows) - 1 - _rank(rows)),
            lambda rows: (rows.shape[1] - len(rows) + 1, _possible(rows) - _rank(rows)),
        ),
        "you took the rank of the rows themselves; subtract their mean first, as np.cov does.": (
            lambda rows: (rows.shape[1] - _possible(rows), _possible(rows) - np.linalg.matrix_rank(rows))
        ),
        "you counted constant columns only; a combination of columns can be constant as well.": (
            lambda rows: (rows.shape[1] - _possible(rows), int(np.sum(np.ptp(rows, axis=0) == 0)))
        ),
        "these are the directions that there are; return those that are missing.": (
            lambda rows: (_possible(rows), _rank(rows))
        ),
        "this is all that is missing, in one number; return two.": lambda rows: rows.shape[1] - _rank(rows),
    },
    coincide=True,
)
def missing(rows):
    """Directions missing for want of rows, and directions missing although there are enough."""
    return rows.shape[1] - _possible(rows), _possible(rows) - _rank(rows)


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
        "the eigenvalue that should be 0 was inverted. λ > 0 does not find it, since rounding leaves something like "
        "1e-16: compare with tolerance × the largest, which is λ[-1], not λ[0].": _rounding_inverted,
        "the axes are the columns of Q: keep Q[:, kept], not the rows Q[kept].": (
            _with_inverse(_by_rows),
            _with_inverse(_by_rows_that_fit),
        ),
        "this is the pseudo-determinant itself; take its logarithm.": _with_logarithm(np.exp),
        "the two results are swapped: the inverse comes first.": same_shape(lambda *args: pseudo(*args)[::-1]),
        "this is Σ itself put together again; divide by λ.": _with_inverse(lambda Σ, kept: Σ),
        "you divided by the root of λ, as for whitening; here divide by λ.": (
            _with_inverse(lambda Σ, kept: _kept(Σ, kept, -0.5)[0])
        ),
        "this is the projection on the axes that were kept; divide by λ.": (
            _with_inverse(lambda Σ, kept: _kept(Σ, kept, 0.0)[0])
        ),
        "one axis too many was left out: keep every λ above the tolerance.": (
            lambda Σ, tolerance: _kept(Σ, lambda λ: λ == λ[-1])
        ),
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
