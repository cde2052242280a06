"""Checks of notebook 02: whitening, the log of the bivariate density, and the ellipse that holds a given share."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from bayeslab.checks import compare, exercise
from bayeslab.gaussian import Gaussian


@exercise("2.1")
def whiten(answer) -> str | None:
    """Whitened samples have mean 0 and covariance I; any map with W Σ Wᵀ = I will do."""
    stretch = np.array([[2.0, 0.0, 0.0], [1.5, 0.7, 0.0], [-0.6, 0.4, 0.3]])
    X = np.random.default_rng(21).standard_normal((12, 3)) @ stretch.T + [5.0, -2.0, 1.0]
    μ, Σ = X.mean(axis=0), np.cov(X.T)
    Z = answer(X.copy(), μ.copy(), Σ.copy())
    if Z is None or Z is ...:
        return compare(Z, 0, what="what whiten returns")
    Z = np.asarray(Z, dtype=float)
    if Z.shape == X.T.shape:
        return f"your result has shape {Z.shape}, but samples must stay in rows: transpose it."
    if Z.shape != X.shape:
        return f"your result has shape {Z.shape}, but it must have the shape {X.shape} of X."
    covariance, center = np.cov(Z.T), Z.mean(axis=0)
    if not np.allclose(covariance, np.eye(3), atol=1e-8):
        if np.any(Z) and any(np.array_equal(Z, Z.round(digits)) for digits in range(1, 7)):
            return "your result looks rounded: leave out round, and return all the digits."
        return _wrong_covariance(covariance, Σ)
    if not np.allclose(center, 0, atol=1e-8):
        return f"the covariance of your result is I, but its mean is {center.round(2)}, not 0. Did you subtract μ?"
    # With moments that are not those of X: μ and Σ must come from the arguments.
    other = μ + 1, 2 * Σ + np.eye(3)
    squared = (np.asarray(answer(X.copy(), other[0].copy(), other[1].copy()), dtype=float) ** 2).sum(axis=1)
    if not np.allclose(squared, Gaussian(*other).mahalanobis_squared(X)):
        return "your result is right for the moments of X itself, but not for other μ and Σ: use the arguments."
    return None


def _wrong_covariance(covariance, Σ) -> str:
    """Name the mistake that gives this covariance."""
    L = np.linalg.cholesky(Σ)
    inverse, precision, σ = np.linalg.inv(L), np.linalg.inv(Σ), np.sqrt(np.diag(Σ))
    multiplied = "{}, not I. You multiplied by L; solve with it instead."
    mistakes = [
        (Σ, "still Σ, not I. Subtracting μ only moves the cloud; now solve with L."),
        (L @ Σ @ L.T, multiplied.format("L Σ Lᵀ")),
        (L.T @ Σ @ L, multiplied.format("Lᵀ Σ L")),
        (inverse.T @ Σ @ inverse, "L⁻ᵀ Σ L⁻¹, not I. You used Lᵀ where L belongs: each row x needs L z = x − μ."),
        (precision, "Σ⁻¹, not I. You applied Σ⁻¹, which undoes the stretch twice; solve with L once."),
        (Σ @ Σ @ Σ, "Σ³, not I. You multiplied by Σ; solve with its Cholesky factor L instead."),
        (Σ / np.outer(σ, σ), "the correlation matrix, not I. You divided each column by its σ; the shear is left."),
        (Σ / np.outer(σ, σ) ** 2, "Σᵢⱼ / (σᵢ²σⱼ²), not I. You divided each column by its variance; solve with L."),
    ]
    for value, explanation in mistakes:
        if np.allclose(covariance, value, rtol=1e-6):
            return f"the covariance of your result is {explanation}"
    return f"the covariance of your result has the diagonal {np.diag(covariance).round(3)}, but it must be I."


def _log_bivariate(x, μ, σ, ρ, *, half=0.5, cross=-2.0, power=1.0, constant=1.0, scale=-1.0, root=-0.5) -> float:
    """Log of the ρ form; each keyword is one of its factors, to be got wrong."""
    u1, u2 = (np.asarray(x) - μ) / σ
    q = (u1**2 + cross * ρ * u1 * u2 + u2**2) / (1 - ρ**2) ** power
    return -constant * np.log(2 * np.pi) + scale * np.log(σ[0] * σ[1]) + root * np.log(1 - ρ**2) - half * q


_LOG_MISTAKES = {
    "the ½ is missing: the exponent is −½ q.": {"half": 1.0},
    "the sign of the exponent is wrong: a density falls with distance.": {"half": -0.5},
    "the exponent is missing: you have the log density at the mean.": {"half": 0.0},
    "½ log 2π belongs to d = 1. Here d = 2, and (d/2) log 2π is log 2π.": {"constant": 0.5},
    "d log 2π is twice too much: the ½ is missing, (d/2) log 2π.": {"constant": 2.0},
    "the constant −log 2π is missing.": {"constant": 0.0},
    "the factor in front is missing: its log is −log(2πσ₁σ₂) − ½ log(1 − ρ²).": {
        "constant": 0.0,
        "scale": 0.0,
        "root": 0.0,
    },
    "−log(2πσ₁σ₂) is missing, the log of the factor in front.": {"constant": 0.0, "scale": 0.0},
    "the log determinant is missing, −log(σ₁σ₂) − ½ log(1 − ρ²).": {"scale": 0.0, "root": 0.0},
    "the log determinant has the wrong sign: a wide cloud has a low density.": {"scale": 1.0, "root": 0.5},
    "log(σ₁σ₂) has the wrong sign: a wide cloud has a low density.": {"scale": 1.0},
    "the constant and the log determinant have the wrong sign: they stand below the line.": {
        "constant": -1.0,
        "scale": 1.0,
        "root": 0.5,
    },
    "½ log(1 − ρ²) has the wrong sign: it is minus the log of the root √(1 − ρ²).": {"root": 0.5},
    "log(σ₁σ₂) is missing.": {"scale": 0.0},
    "you subtracted log(σ₁²σ₂²): the determinant stands under a root, so the ½ is missing.": {"scale": -2.0},
    "you subtracted the whole log determinant: the ½ before it is missing.": {"scale": -2.0, "root": -1.0},
    "the root is missing: √(1 − ρ²) gives −½ log(1 − ρ²).": {"root": -1.0},
    "the term −½ log(1 − ρ²) is missing.": {"root": 0.0},
    "the mixed term has the wrong sign: it is −2ρ u₁u₂.": {"cross": 2.0},
    "the 2 is missing in the mixed term −2ρ u₁u₂.": {"cross": -1.0},
    "the mixed term −2ρ u₁u₂ is missing.": {"cross": 0.0},
    "ρ is missing: this is the sum of two log densities in one dimension.": {"cross": 0.0, "root": 0.0, "power": 0.0},
    "the exponent is not divided by 1 − ρ².": {"power": 0.0},
    "the exponent is divided by √(1 − ρ²), but should be by 1 − ρ².": {"power": 0.5},
}


@exercise("2.2")
def log_bivariate(answer) -> str | None:
    """Log of the ρ form at an ordinary point, and where the density itself is too small for a float."""
    near = np.array([1.7, 0.2]), np.array([0.4, 1.1]), np.array([0.8, 1.9]), 0.6
    far = np.array([60.0, -60.0]), np.array([0.0, 0.0]), np.array([1.0, 1.0]), -0.3
    right = _log_bivariate(*near)
    rounded = tuple(round(right, digits) for digits in range(1, 7))
    mistakes = {text: _log_bivariate(*near, **changed) for text, changed in _LOG_MISTAKES.items()}
    mistakes["you took σ for the variances; they are standard deviations."] = _log_bivariate(
        near[0], near[1], np.sqrt(near[2]), near[3]
    )
    mistakes["this is the density; its logarithm is asked."] = np.exp(right)
    mistakes["this is the logarithm to base 10; take np.log."] = right / np.log(10)
    mistakes["the sign of the whole is wrong: this is −log p."] = -right
    mistakes["this looks rounded: leave out round, and return all the digits."] = rounded
    with np.errstate(all="ignore"):
        result = answer(*near)
        if problem := compare(result, right, mistakes, what="what log_bivariate returns"):
            return problem
        result = np.asarray(answer(*(np.copy(value) for value in far[:3]), far[3]), dtype=float)
    if np.isneginf(result).all():
        return (
            "right near the mean, but at (60, −60) it is −inf: you took the log of a density that had "
            "underflowed to 0. Take the logarithm on paper, term by term."
        )
    return compare(result, _log_bivariate(*far), what="what log_bivariate returns at (60, −60)")


@exercise("2.3")
def radius(answer) -> str | None:
    """Solve 1 − exp(−k²/2) = share for k."""
    for share in (0.95, 0.5, 0.2):
        with np.errstate(all="ignore"):
            result = answer(share)
        if np.iscomplexobj(result) or (isinstance(result, float) and np.isnan(result)):
            return "this is the root of a negative number: log(1 − share) is negative, so a minus is missing."
        log_outside = np.log(1 - share)
        mistakes = {
            "this is the 1-D rule, an interval of ±k σ; the ellipse in the plane needs a larger k.": norm.ppf(
                (1 + share) / 2
            ),
            "this is the 1-D rule, and one-sided as well; use 1 − exp(−k²/2).": norm.ppf(share),
            "this is k², the squared distance: the root is missing.": -2 * log_outside,
            "the 2 is missing: from −k²/2 = log(1 − share) follows k² = −2 log(1 − share).": np.sqrt(-log_outside),
            "you divided by 2: from −k²/2 = log(1 − share) follows k² = −2 log(1 − share).": np.sqrt(-log_outside / 2),
            "you took the log of the share inside; the exponential is the share outside, 1 − share.": np.sqrt(
                -2 * np.log(share)
            ),
            "k is a distance: take the positive root.": -np.sqrt(-2 * log_outside),
            "this is the share inside the ellipse of radius k = share; the question goes the other way.": 1
            - np.exp(-(share**2) / 2),
            "this is the logarithm to base 10; take np.log.": np.sqrt(-2 * np.log10(1 - share)),
        }
        right = np.sqrt(-2 * log_outside)
        mistakes["this looks rounded: return what Python computes, with all its digits."] = tuple(
            round(right, digits) for digits in range(1, 7)
        )
        if problem := compare(result, right, mistakes, what=f"radius({share})"):
            return problem
    return None
