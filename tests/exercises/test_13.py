"""The checks of notebook 13 accept what is right, in whatever form, and name each usual mistake."""

import numpy as np
import pytest
from judging import DONE, must_say, unfinished


def mix(a, b, share):
    return a + share * (b - a)


def diagonal(Σ):
    return Σ * np.eye(len(Σ))


def rda(own, pooled, shared, shrinkage):
    """By entries: off the diagonal everything is scaled, on it the pooled variance comes in."""
    Σ = (own - shared * (own - pooled)) * (1 - shrinkage)
    Σ[np.diag_indices(len(Σ))] += shrinkage * np.diagonal(pooled)
    return Σ


def changes_its_input(own, pooled, shared, shrinkage):
    own *= 1 - shared
    own += shared * pooled
    return mix(own, diagonal(pooled), shrinkage)


def wrong_at_the_end(own, pooled, shared, shrinkage):
    return rda(own, pooled, shared, shrinkage) if shrinkage < 1 else pooled


def by_svd(Σ, tolerance):
    U, s, V = np.linalg.svd(Σ)
    r = np.sum(s > tolerance * s[0])
    return V[:r].T / s[:r] @ U[:, :r].T, np.log(s[:r]).sum()


def by_pinv(Σ, tolerance):
    s = np.linalg.svd(Σ, compute_uv=False)
    return np.linalg.pinv(Σ, rcond=tolerance), np.log(np.prod(s[s > tolerance * s[0]]))


def inverse(Σ, tolerance=1e-10):
    return by_svd(Σ, tolerance)[0]


def logarithm(Σ, tolerance=1e-10):
    return by_svd(Σ, tolerance)[1]


def power(Σ, exponent):
    λ, Q = np.linalg.eigh(Σ)
    return Q[:, 1:] * λ[1:] ** exponent @ Q[:, 1:].T


def absolute(Σ, tolerance):
    λ, Q = np.linalg.eigh(Σ)
    kept = λ > tolerance
    return Q[:, kept] / λ[kept] @ Q[:, kept].T, np.sum(np.log(λ[kept]))


def inverts_rounding(Σ, tolerance):
    Σ = Σ + 1e-15 * np.outer([1, -2, 0], [1, -2, 0])
    return np.linalg.inv(Σ), logarithm(Σ)


# (number, answer, what is said)
TABLE = [
    ("13.1", rda, DONE),
    ("13.1", lambda o, p, g, s: mix(mix(o, p, g), diagonal(p), s).tolist(), DONE),
    ("13.1", lambda o, p, g, s: mix(mix(p, o, g), diagonal(p), s), "shared and own are exchanged"),
    ("13.1", lambda o, p, g, s: mix(diagonal(p), mix(o, p, g), s), "the wrong way round"),
    ("13.1", lambda o, p, g, s: rda(o, p, s, g), "shared and shrinkage are exchanged"),
    ("13.1", lambda o, p, g, s: mix(mix(o, p, g), p, s), "the whole pooled covariance"),
    ("13.1", lambda o, p, g, s: mix(mix(o, p, g), diagonal(o), s), "the class's own covariance, zeros included"),
    ("13.1", lambda o, p, g, s: mix(mix(o, p, g), diagonal(mix(o, p, g)), s), "the diagonal of the mixture"),
    ("13.1", lambda o, p, g, s: mix(mix(o, p, g), np.eye(3), s), "towards I"),
    ("13.1", lambda o, p, g, s: mix(mix(o, diagonal(p), s), p, g), "shrank before you shared"),
    ("13.1", lambda o, p, g, s: mix(o, p, g) + s * diagonal(p), "without the factor"),
    ("13.1", lambda o, p, g, s: mix(mix(o, p, g), np.diag(p), s), "is a vector"),
    ("13.1", lambda o, p, g, s: mix(o, p, g), "shrinkage is missing"),
    ("13.1", lambda o, p, g, s: mix(o, diagonal(p), s), "shared is missing"),
    ("13.1", changes_its_input, DONE),
    ("13.1", wrong_at_the_end, "shared 0.5 and shrinkage 1"),
    ("13.1", lambda o, p, g, s: o[0], "has shape"),
    ("13.2", by_svd, DONE),
    ("13.2", by_pinv, DONE),
    ("13.2", lambda Σ, t: list(by_svd(Σ, t)), DONE),
    ("13.2", lambda Σ, t: inverse(Σ, t), "return two things"),
    ("13.2", inverts_rounding, "λ > 0 is no test"),
    ("13.2", lambda Σ, t: (Σ, logarithm(Σ)), "Σ itself put together"),
    ("13.2", lambda Σ, t: (power(Σ, -0.5), logarithm(Σ)), "the root of λ"),
    ("13.2", lambda Σ, t: (power(Σ, 0.0), logarithm(Σ)), "the projection"),
    ("13.2", lambda Σ, t: (logarithm(Σ), inverse(Σ)), "the two results are exchanged"),
    ("13.2", lambda Σ, t: by_svd(Σ, 0.2), "one axis too many"),
    ("13.2", lambda Σ, t: (inverse(Σ), np.exp(logarithm(Σ))), "the pseudo-determinant itself"),
    ("13.2", lambda Σ, t: (inverse(Σ), -np.inf), "you included the eigenvalue 0"),
    ("13.2", lambda Σ, t: (inverse(Σ), np.trace(Σ)), "the sum of the eigenvalues"),
    ("13.2", lambda Σ, t: (inverse(Σ), -logarithm(Σ)), "the pseudo-inverse's"),
    ("13.2", lambda Σ, t: (inverse(Σ), logarithm(Σ) / np.log(10)), "base 10"),
    ("13.2", lambda Σ, t: (inverse(Σ), logarithm(Σ) / 2), "belongs to the density"),
    ("13.2", absolute, "in other units your tolerance fails"),
    ("13.2", lambda Σ, t: by_svd(Σ, 1e-10), "the tolerance is not used"),
    ("13.2", lambda Σ, t: (inverse(Σ), 3.0), "not right"),
]
TABLE += unfinished("13.1", "13.2")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
