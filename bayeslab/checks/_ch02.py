"""Checks of notebook 02: whitening, the log of the bivariate density, and the ellipse that holds a given share."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.stats import norm

from bayeslab.checks import exercise, same_case
from bayeslab.checks._outcomes import Refused, read

_X = np.random.default_rng(21).standard_normal((12, 3)) @ [[2, 1.5, -0.6], [0, 0.7, 0.4], [0, 0, 0.3]] + [5, -2, 1]
_μ, _Σ = _X.mean(axis=0), np.cov(_X.T)


def _whitened(look, μ=_μ, Σ=_Σ):
    """Return a function that looks at what a `whiten` makes of X."""

    def probe(whiten):
        Z = read(whiten(_X.copy(), μ.copy(), Σ.copy()), "whiten returned", "whiten")
        if isinstance(Z, Refused) or Z.dtype == bool:
            return Z
        if Z.shape == _X.T.shape:
            return Refused(f"your result has shape {Z.shape}, but samples must stay in rows: transpose it.")
        if Z.shape != _X.shape:
            return Refused(f"your result has shape {Z.shape}, but it must have the shape {_X.shape} of X.")
        if np.any(Z) and any(np.array_equal(Z, Z.round(digits)) for digits in range(1, 7)):
            return Refused("your result looks rounded: leave out round, and keep all the digits.")
        return look(Z)

    return probe


def _solved(L, X):
    return np.linalg.solve(L, X.T).T


@exercise(
    "2.1",
    {
        "the covariance of your result is": _whitened(lambda Z: np.cov(Z.T)),
        "the mean of your result is": _whitened(lambda Z: Z.mean(axis=0)),
        # Distances are the same for any W with W Σ Wᵀ = I; here μ and Σ are not the moments of X.
        "for another μ and Σ, the table of products of your rows is": _whitened(
            lambda Z: Z @ Z.T, _μ + 1, 2 * _Σ + np.eye(3)
        ),
    },
    wrong={
        "the covariance of your result is L Σ Lᵀ, not I. You multiplied by L; solve with it instead.": (
            lambda X, μ, Σ: (X - μ) @ np.linalg.cholesky(Σ).T
        ),
        "the covariance of your result is the correlation matrix, not I. You divided each column by its σ, which "
        "leaves the shear.": lambda X, μ, Σ: (X - μ) / np.sqrt(np.diag(Σ)),
        "the covariance of your result is Σ⁻¹, not I. You applied Σ⁻¹, which undoes the stretch twice; "
        "solve with L once.": lambda X, μ, Σ: _solved(Σ, X - μ),
        "the covariance of your result is still Σ, not I. Subtracting μ only moves the cloud; now solve with L.": (
            lambda X, μ, Σ: X - μ
        ),
        "the covariance of your result is Lᵀ Σ L, not I. You multiplied by L; solve with it instead.": (
            lambda X, μ, Σ: (X - μ) @ np.linalg.cholesky(Σ)
        ),
        "the covariance of your result is L⁻ᵀ Σ L⁻¹, not I. You used Lᵀ instead of L: each row x needs L z = x − μ.": (
            lambda X, μ, Σ: _solved(np.linalg.cholesky(Σ).T, X - μ)
        ),
        "the covariance of your result is Σ³, not I. You multiplied by Σ; solve with its Cholesky factor L instead.": (
            lambda X, μ, Σ: (X - μ) @ Σ
        ),
        "the covariance of your result is Σᵢⱼ / (σᵢ²σⱼ²), not I. You divided each column by its variance; "
        "solve with L.": lambda X, μ, Σ: (X - μ) / np.diag(Σ),
        "the covariance of your result is I, but its mean is not 0. Did you subtract μ?": same_case(
            lambda X, μ, Σ: _solved(np.linalg.cholesky(Σ), X)
        ),
        "your result is right for the moments of X itself, but not for another μ and Σ: use the arguments.": same_case(
            lambda X, μ, Σ: _solved(np.linalg.cholesky(np.cov(X.T)), X - X.mean(axis=0))
        ),
    },
)
def whiten(X, μ, Σ):
    """Whitened samples; any map with W Σ Wᵀ = I will do."""
    return _solved(np.linalg.cholesky(Σ), X - μ)


def _log(x, μ, σ, ρ, *, half=0.5, cross=-2.0, power=1.0, constant=-1.0, scale=-1.0, root=-0.5):
    """Return the log of the ρ form, with factors that may be wrong."""
    u1, u2 = (np.asarray(x) - μ) / σ
    q = (u1**2 + cross * ρ * u1 * u2 + u2**2) / (1 - ρ**2) ** power
    return constant * np.log(2 * np.pi) + scale * np.log(σ[0] * σ[1]) + root * np.log(1 - ρ**2) - half * q


@exercise(
    "2.2",
    {
        "log_bivariate returned": (np.array([1.7, 0.2]), np.array([0.4, 1.1]), np.array([0.8, 1.9]), 0.6),
        "at (60, −60), log_bivariate returned": (np.array([60.0, -60.0]), np.zeros(2), np.ones(2), -0.3),
    },
    wrong={
        "this is right near the mean, but at (60, −60) it is −inf: you took the log of a density that had underflowed "
        "to 0. Take the logarithm on paper, term by term.": lambda *args: np.log(np.exp(log_bivariate(*args))),
        "the ½ is missing: the exponent is −½ q.": partial(_log, half=1),
        "the root is missing: √(1 − ρ²) gives −½ log(1 − ρ²).": partial(_log, root=-1),
        "the sign of the exponent is wrong: a density falls with distance.": partial(_log, half=-0.5),
        "the exponent is missing: this is the log density at the mean.": partial(_log, half=0),
        "½ log 2π belongs to d = 1. Here d = 2, and (d/2) log 2π is log 2π.": partial(_log, constant=-0.5),
        "you subtracted d log 2π, which is twice too much: it should be (d/2) log 2π.": partial(_log, constant=-2),
        "the constant −log 2π is missing.": partial(_log, constant=0),
        "the factor in front is missing: its log is −log(2πσ₁σ₂) − ½ log(1 − ρ²).": (
            partial(_log, constant=0, scale=0, root=0)
        ),
        "−log(2πσ₁σ₂) is missing, part of the log of the factor in front.": partial(_log, constant=0, scale=0),
        "the log determinant is missing, −log(σ₁σ₂) − ½ log(1 − ρ²).": partial(_log, scale=0, root=0),
        "the log determinant has the wrong sign: a wide cloud has a low density.": partial(_log, scale=1, root=0.5),
        "log(σ₁σ₂) has the wrong sign: a wide cloud has a low density.": partial(_log, scale=1),
        "the constant and the log determinant have the wrong sign: they come from the denominator.": (
            partial(_log, constant=1, scale=1, root=0.5)
        ),
        "½ log(1 − ρ²) has the wrong sign: the root √(1 − ρ²) is in the denominator.": partial(_log, root=0.5),
        "log(σ₁σ₂) is missing.": partial(_log, scale=0),
        "you subtracted log(σ₁²σ₂²): the determinant is under a root, so the ½ is missing.": partial(_log, scale=-2),
        "you subtracted the whole log determinant: the ½ in front of it is missing.": partial(_log, scale=-2, root=-1),
        "the term −½ log(1 − ρ²) is missing.": partial(_log, root=0),
        "the mixed term has the wrong sign: it is −2ρ u₁u₂.": partial(_log, cross=2),
        "the 2 is missing in the mixed term −2ρ u₁u₂.": partial(_log, cross=-1),
        "the mixed term −2ρ u₁u₂ is missing.": partial(_log, cross=0),
        "ρ is missing: this is the sum of two log densities in one dimension.": partial(_log, cross=0, root=0, power=0),
        "the exponent is not divided by 1 − ρ².": partial(_log, power=0),
        "the exponent is divided by √(1 − ρ²), but should be divided by 1 − ρ².": partial(_log, power=0.5),
        "you treated σ as the variances; it holds the standard deviations.": (
            lambda x, μ, σ, ρ: log_bivariate(x, μ, np.sqrt(σ), ρ)
        ),
        "this is the density; we want its logarithm.": lambda *args: np.exp(log_bivariate(*args)),
        "this is the logarithm to base 10; use np.log.": lambda *args: log_bivariate(*args) / np.log(10),
        "the overall sign is wrong: this is −log p.": lambda *args: -log_bivariate(*args),
    },
)
def log_bivariate(x, μ, σ, ρ):
    """Log of the ρ form at one point."""
    return _log(x, μ, σ, ρ)


@exercise(
    "2.3",
    [(0.95,), (0.5,), (0.2,)],
    wrong={
        "this is the 1-D rule, an interval of ±k σ; the ellipse in the plane needs a larger k.": (
            lambda share: norm.ppf((1 + share) / 2)
        ),
        "this is k², the squared distance: take the square root.": lambda share: -2 * np.log(1 - share),
        "you took the log of the share inside; the exponential is the share outside, 1 − share.": (
            lambda share: np.sqrt(-2 * np.log(share))
        ),
        "this is the 1-D rule, and one-sided as well; use 1 − exp(−k²/2).": lambda share: norm.ppf(share),
        "the 2 is missing: −k²/2 = log(1 − share) gives k² = −2 log(1 − share).": (
            lambda share: np.sqrt(-np.log(1 - share))
        ),
        "you divided by 2: −k²/2 = log(1 − share) gives k² = −2 log(1 − share).": (
            lambda share: np.sqrt(-np.log(1 - share) / 2)
        ),
        "k is a distance: take the positive root.": lambda share: -radius(share),
        "this is the share inside the ellipse of radius k = share; we ask for the radius, given the share.": (
            lambda share: 1 - np.exp(-(share**2) / 2)
        ),
        "this is the logarithm to base 10; use np.log.": lambda share: np.sqrt(-2 * np.log10(1 - share)),
        "this is the root of a negative number: log(1 − share) is negative, so a minus sign is missing.": (
            lambda share: np.sqrt(2 * np.log(1 - share))
        ),
    },
)
def radius(share):
    """Radius k for which 1 − exp(−k²/2) is the share."""
    return np.sqrt(-2 * np.log(1 - share))
