"""Checks of notebook 01: the log density, the pooled variance, the prior behind a boundary."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.special import expit

from bayeslab.checks import compare, exercise

_X, _MU, _SIGMA = np.array([2.0, 4.5, 5.5, 9.0]), 5.0, 0.7
_A, _B = np.array([4.1, 4.7, 3.9, 4.5]), np.array([5.0, 6.9, 5.1, 5.6, 6.1, 4.8, 5.9])


@exercise("1.1")
def log_density(answer) -> str | None:
    """Ask for ln N(x; μ, σ²), computed without the density itself."""
    with np.errstate(all="ignore"):
        result = answer(_X.copy(), _MU, _SIGMA)
    deviation, z = _X - _MU, (_X - _MU) / _SIGMA
    pi_term, sigma_term, square = -0.5 * np.log(2 * np.pi), -np.log(_SIGMA), -(z**2) / 2
    right = pi_term + sigma_term + square
    if _has_nan(result):
        return _nan_in_log_density(result)
    if _equals(result, right.sum()):
        return "this is the sum over all x, the log-likelihood; return one value for each x."
    problem = compare(
        result,
        right,
        {
            "the ½ in front of the squared distance is missing.": pi_term + sigma_term + 2 * square,
            "the sign of the squared distance is wrong: the density must fall with it.": pi_term + sigma_term - square,
            "you divided by 2σ; the squared distance is divided by 2σ².": pi_term
            + sigma_term
            - deviation**2 / 2 / _SIGMA,
            "you multiplied by σ²: in Python, a / 2 * b is (a / 2) · b. Write a / (2 * b).": pi_term
            + sigma_term
            - deviation**2 / 2 * _SIGMA**2,
            "the distance is not squared.": pi_term + sigma_term - deviation / (2 * _SIGMA**2),
            "the distance is not divided by σ².": pi_term + sigma_term - deviation**2 / 2,
            "the term −ln σ is missing, so a narrow density is not taller.": pi_term + square,
            "the sign of ln σ is wrong: a larger σ makes the density lower.": pi_term - sigma_term + square,
            "this has ln σ² where ln σ belongs (or ½ ln σ²).": pi_term + 2 * sigma_term + square,
            "this has ½ ln σ where ln σ belongs: the root of σ² is σ.": pi_term + sigma_term / 2 + square,
            "the term −½ ln 2π is missing.": sigma_term + square,
            "the ½ in front of ln 2π is missing: it came from a square root.": 2 * pi_term + sigma_term + square,
            "the sign of ½ ln 2π is wrong.": -pi_term + sigma_term + square,
            "all signs are turned: this is −ln of the density.": -right,
            "every ½ is missing: this is twice the log density.": 2 * right,
            "you used σ where σ² belongs: σ is the standard deviation.": (
                pi_term + sigma_term / 2 - deviation**2 / 2 / _SIGMA
            ),
            "this has σ² wherever σ belongs: did you hand σ² to a function that asks for σ, as SciPy's does?": (
                pi_term + 2 * sigma_term - deviation**2 / (2 * _SIGMA**4)
            ),
            "you divided by 2σ⁴: σ² was squared once more. The squared distance is divided by 2σ².": (
                pi_term + sigma_term - deviation**2 / (2 * _SIGMA**4)
            ),
            "this is the density itself; take its logarithm on paper.": np.exp(right),
            "this is the logarithm to base 10; use np.log.": right / np.log(10),
        },
        what="what log_density returns",
    )
    return problem or _far_out(answer)


@exercise("1.2")
def pooled_variance(answer) -> str | None:
    """Ask for (S_a + S_b) / (n_a + n_b − 2)."""
    n, together = len(_A) + len(_B), np.concatenate([_A, _B])
    squares = len(_A) * _A.var() + len(_B) * _B.var()
    right = squares / (n - 2)
    mistakes = {
        "this is the value with n instead of n − 2: the maximum-likelihood estimate, too small on average.": squares
        / n,
        "this is the value with n − 1 instead of n − 2: two means were fitted, and each costs one.": squares / (n - 1),
        "this is the standard deviation; leave out the square root.": np.sqrt(right),
        "this is the sum of squares; divide it by n − 2.": squares,
        "this is the plain average of two variances, which counts the smaller sample as much as the larger one. "
        "Add the sums of squares before you divide.": (_A.var(ddof=1) + _B.var(ddof=1)) / 2,
        "these variances have divisor n, but the weights n_a − 1 and n_b − 1. Use np.var(…, ddof=1) with them.": (
            ((len(_A) - 1) * _A.var() + (len(_B) - 1) * _B.var()) / (n - 2)
        ),
        "this averages two variances with divisor n, and counts both samples alike. "
        "Add the sums of squares before you divide.": (_A.var() + _B.var()) / 2,
        "this is the average of the two variances weighted by n_a and n_b; the weights are n_a − 1 and n_b − 1.": (
            (len(_A) * _A.var(ddof=1) + len(_B) * _B.var(ddof=1)) / n
        ),
        "this adds the two variances; add the sums of squares, and divide once.": _A.var(ddof=1) + _B.var(ddof=1),
        "this adds two variances with divisor n; add the sums of squares, and divide once.": _A.var() + _B.var(),
        "the deviations are not squared, and so they add up to 0.": 0.0,
        "this is the variance of a alone.": _A.var(ddof=1),
        "this is the variance of b alone.": _B.var(ddof=1),
        "all values are measured from one common mean; measure each sample from its own mean.": tuple(
            n * together.var() / divisor for divisor in (n, n - 1, n - 2)
        ),
    }
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of NumPy, for a variance with divisor 0
        result = answer(_A.copy(), _B.copy())
    if _has_nan(result):
        return (
            "this is nan, not a number: somewhere 0 is divided by 0, or a root taken of a negative number. "
            "Sums of squares are not negative, and n_a + n_b − 2 is not 0: print both."
        )
    return compare(result, right, mistakes, what="what pooled_variance returns")


@exercise("1.3")
def prior_for_boundary(answer) -> str | None:
    """Ask for the prior of class 1 that puts the equal-σ boundary at b."""
    cases = np.array([[5.1, 4.0, 5.5, 0.6], [2.1, 3.0, 1.5, 0.8]])
    with np.errstate(all="ignore"):
        results = [_number(answer(*case)) for case in cases.tolist()]
    for result in results:
        if result is None or result is ...:
            return compare(result, 0, what="what prior_for_boundary returns")
    if any(_has_nan(result) for result in results):
        return (
            "this is nan, not a number: a logarithm or a root of a negative number, or ∞/∞. "
            "The boundary formula is solved for ln(π₁/π₂) without taking any logarithm."
        )
    b, first, second, sigma = cases.T
    step, shift = second - first, b - (first + second) / 2
    log_odds = shift * step / sigma**2
    return compare(
        results,
        expit(log_odds),
        {
            "you swapped the classes, or a sign: this is π₂. More of class 1 moves the boundary to class 2.": expit(
                -log_odds
            ),
            "you forgot to divide by σ².": expit(shift * step),
            "you divided by σ, not by σ².": expit(shift * step / sigma),
            "you multiplied by σ²; solved for ln(π₁/π₂), it is in the denominator.": expit(shift * step * sigma**2),
            "you divided by μ₂ − μ₁; solved for ln(π₁/π₂), it is a factor.": expit(shift / step / sigma**2),
            "you forgot the factor μ₂ − μ₁.": expit(shift / sigma**2),
            "you forgot to subtract the midpoint (μ₁ + μ₂)/2 from b.": expit(b * step / sigma**2),
            "you subtracted μ₁ + μ₂ from b; the midpoint is half of that.": expit(
                (shift - (first + second) / 2) * step / sigma**2
            ),
            "this is ln(π₁/π₂); you still have to solve for π₁.": log_odds,
            "these are the odds π₁/π₂; π₁ is odds / (1 + odds).": np.exp(log_odds),
            "these are the odds π₂/π₁; π₁ is 1 / (1 + odds).": np.exp(-log_odds),
        },
        what="what prior_for_boundary returns for two sets of numbers",
    )


def _far_out(answer) -> str | None:
    """Ask for a value where the density itself underflows."""
    says = "right near the mean, but not 50 σ away, where the density underflows to 0. Do not call the density at all."
    try:
        with np.errstate(all="ignore"):
            far = _number(answer(np.array([50.0]), 0.0, 1.0))
    except ValueError:  # math.log(0)
        return says
    return None if _equals(far, -0.5 * np.log(2 * np.pi) - 1250) else says


def _nan_in_log_density(result) -> str:
    """Say where the log density is not a number, which tells why."""
    nans = np.isnan(np.broadcast_to(np.asarray(result, dtype=float), _X.shape)) if np.size(result) in {1, 4} else True
    if np.array_equal(nans, _X < _MU):
        return (
            "for x < μ this is nan, not a number: x − μ is negative there, and has no logarithm and no root. "
            "Square it instead."
        )
    return (
        "this is nan, not a number: a logarithm or a root of a negative number. Only σ and 2π need a logarithm, "
        "and both are positive."
    )


def _has_nan(result) -> bool:
    """Tell whether a result is made of numbers, some of which are nan."""
    try:
        return result is not None and bool(np.isnan(np.asarray(result, dtype=float)).any())
    except (TypeError, ValueError):
        return False


def _number(result):
    """Take a number out of whatever array it was wrapped in, and leave everything else as it is."""
    return np.asarray(result).item() if np.size(result) == 1 and result is not None else result


def _equals(result, value: float) -> bool:
    """Tell whether a result is one number, and this one."""
    try:
        return np.size(result) == 1 and bool(np.isclose(float(_number(result)), value))
    except (TypeError, ValueError):
        return False
