"""Checks of notebook 01: the log density, the pooled variance, the prior behind a boundary."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.special import expit

from bayeslab.checks import exercise, same_case


def _terms(x, μ, σ, *, π=-0.5, log_σ=-1.0, square=-0.5, power=2, power_of_σ=2, log=np.log):
    """Return ln N(x; μ, σ²) from its three terms, each with a factor that may be wrong."""
    return π * log(2 * np.pi) + log_σ * log(σ) + square * (x - μ) ** power / σ**power_of_σ


def _density(x, μ, σ):
    return np.exp(_terms(x, μ, σ))


@exercise(
    "1.1",
    {
        "log_density returned": (np.array([2.0, 4.5, 5.5, 9.0]), 5.0, 0.7),
        "50 σ away, log_density returned": (np.array([50.0, -60.0]), 0.0, 1.0),
    },
    wrong={
        "this is right near the mean, but not 50 σ away, where the density underflows to 0. "
        "Do not compute the density at all.": same_case(lambda x, μ, σ: np.log(_density(x, μ, σ))),
        "you multiplied by σ²: in Python, a / 2 * b is (a / 2) · b. Write a / (2 * b).": partial(_terms, power_of_σ=-2),
        "the ½ in front of ln 2π is missing: it came from a square root.": partial(_terms, π=-1),
        "this is the sum over all x, the log-likelihood; return one value for each x.": (
            lambda x, μ, σ: log_density(x, μ, σ).sum()
        ),
        "the ½ in front of the squared distance is missing.": partial(_terms, square=-1),
        "the sign of the squared distance is wrong: the density must fall as the distance grows.": partial(
            _terms, square=0.5
        ),
        "you divided by 2σ; the squared distance is divided by 2σ².": partial(_terms, power_of_σ=1),
        "the distance is not squared.": partial(_terms, power=1),
        "the distance is not divided by σ².": partial(_terms, power_of_σ=0),
        "the term −ln σ is missing, so a narrow density is no taller than a wide one.": partial(_terms, log_σ=0),
        "the sign of ln σ is wrong: a larger σ makes the density lower.": partial(_terms, log_σ=1),
        "you have ln σ² instead of ln σ (or ½ ln σ²).": partial(_terms, log_σ=-2),
        "you have ½ ln σ instead of ln σ: the square root of σ² is σ.": partial(_terms, log_σ=-0.5),
        "the term −½ ln 2π is missing.": partial(_terms, π=0),
        "the sign of ½ ln 2π is wrong.": partial(_terms, π=0.5),
        "all signs are reversed: this is −ln of the density.": partial(_terms, π=0.5, log_σ=1, square=0.5),
        "every ½ is missing: this is twice the log density.": partial(_terms, π=-1, log_σ=-2, square=-1),
        "you used σ as if it were σ²: σ is the standard deviation.": partial(_terms, log_σ=-0.5, power_of_σ=1),
        "you used σ² wherever σ belongs. Did you pass σ² to a function that expects σ, such as SciPy's?": (
            partial(_terms, log_σ=-2, power_of_σ=4)
        ),
        "you divided by 2σ⁴: σ² was squared once more. The squared distance is divided by 2σ².": (
            partial(_terms, power_of_σ=4)
        ),
        "this is the density itself; take its logarithm on paper.": _density,
        "np.log10 is the logarithm to base 10; use np.log.": (
            lambda x, μ, σ: np.log10(_density(x, μ, σ)),
            partial(_terms, log=np.log10),
        ),
        "for x < μ this is nan, not a number: x − μ is negative there, and has no logarithm and no square root. "
        "Square it instead.": lambda x, μ, σ: np.log(x - μ),
        "this is nan, not a number: the logarithm or the square root of a negative number. Only σ and 2π need a "
        "logarithm, and both are positive.": lambda x, μ, σ: np.log(-_density(x, μ, σ)),
    },
)
def log_density(x, μ, σ):
    """Log of N(x; μ, σ²)."""
    return _terms(x, μ, σ)


def _squares(x):
    return ((x - x.mean()) ** 2).sum()


@exercise(
    "1.2",
    [(np.array([4.1, 4.7, 3.9, 4.5]), np.array([5.0, 6.9, 5.1, 5.6, 6.1, 4.8, 5.9]))],
    wrong={
        "you divided by n instead of n − 2. That is the maximum-likelihood estimate, which is too small on average.": (
            lambda a, b: (_squares(a) + _squares(b)) / (len(a) + len(b))
        ),
        "you divided by n − 1 instead of n − 2: two means were fitted, so subtract 2.": (
            lambda a, b: (_squares(a) + _squares(b)) / (len(a) + len(b) - 1)
        ),
        "this is the plain average of two variances, which counts the smaller sample as much as the larger one. "
        "Add the sums of squares before you divide.": (
            lambda a, b: (a.var(ddof=1) + b.var(ddof=1)) / 2,
            lambda a, b: (a.var() + b.var()) / 2,
        ),
        "this is the standard deviation; leave out the square root.": lambda a, b: np.sqrt(pooled_variance(a, b)),
        "this is the sum of squares; divide it by n − 2.": lambda a, b: _squares(a) + _squares(b),
        "these variances have divisor n, but the weights are n_a − 1 and n_b − 1. Use np.var(…, ddof=1) with them.": (
            lambda a, b: ((len(a) - 1) * a.var() + (len(b) - 1) * b.var()) / (len(a) + len(b) - 2)
        ),
        "this is the average of the two variances with weights n_a and n_b; the weights are n_a − 1 and n_b − 1.": (
            lambda a, b: (len(a) * a.var(ddof=1) + len(b) * b.var(ddof=1)) / (len(a) + len(b))
        ),
        "you added the two variances. Add the sums of squares, and divide once.": (
            lambda a, b: a.var(ddof=1) + b.var(ddof=1),
            lambda a, b: a.var() + b.var(),
        ),
        "the deviations are not squared, so they add up to 0.": lambda a, b: (
            (a - a.mean()).sum() + (b - b.mean()).sum()
        ),
        "this is the variance of a alone.": lambda a, b: a.var(ddof=1),
        "this is the variance of b alone.": lambda a, b: b.var(ddof=1),
        "all values are measured from one common mean; measure each sample from its own mean.": (
            lambda a, b: np.var(np.r_[a, b]),
            lambda a, b: np.var(np.r_[a, b], ddof=1),
            lambda a, b: np.var(np.r_[a, b], ddof=2),
        ),
        "this is nan, not a number: somewhere you divide 0 by 0, or take the square root of a negative number. "
        "Sums of squares are not negative, and n_a + n_b − 2 is not 0: print both.": (
            lambda a, b: np.sqrt(-_squares(a) - _squares(b))
        ),
    },
)
def pooled_variance(a, b):
    """Unbiased estimate of the variance that two samples share."""
    return (_squares(a) + _squares(b)) / (len(a) + len(b) - 2)


@exercise(
    "1.3",
    [(5.1, 4.0, 5.5, 0.6), (2.1, 3.0, 1.5, 0.8)],
    wrong={
        "you swapped the classes, or a sign: this is π₂. More of class 1 moves the boundary towards class 2.": (
            lambda b, μ1, μ2, σ: 1 - prior_for_boundary(b, μ1, μ2, σ)
        ),
        "these are the odds π₁/π₂; π₁ is odds / (1 + odds).": (
            lambda b, μ1, μ2, σ: np.exp((b - (μ1 + μ2) / 2) * (μ2 - μ1) / σ**2)
        ),
        "you multiplied by σ²; when you solve for ln(π₁/π₂), σ² is in the denominator.": (
            lambda b, μ1, μ2, σ: expit((b - (μ1 + μ2) / 2) * (μ2 - μ1) * σ**2)
        ),
        "you forgot to divide by σ².": lambda b, μ1, μ2, σ: expit((b - (μ1 + μ2) / 2) * (μ2 - μ1)),
        "you divided by σ, not by σ².": lambda b, μ1, μ2, σ: expit((b - (μ1 + μ2) / 2) * (μ2 - μ1) / σ),
        "you divided by μ₂ − μ₁; when you solve for ln(π₁/π₂), it becomes a factor.": (
            lambda b, μ1, μ2, σ: expit((b - (μ1 + μ2) / 2) / (μ2 - μ1) / σ**2)
        ),
        "you forgot the factor μ₂ − μ₁.": lambda b, μ1, μ2, σ: expit((b - (μ1 + μ2) / 2) / σ**2),
        "you forgot to subtract the midpoint (μ₁ + μ₂)/2 from b.": lambda b, μ1, μ2, σ: expit(b * (μ2 - μ1) / σ**2),
        "you subtracted μ₁ + μ₂ from b; the midpoint is half of that.": (
            lambda b, μ1, μ2, σ: expit((b - (μ1 + μ2)) * (μ2 - μ1) / σ**2)
        ),
        "you subtracted half the distance between the means; the midpoint is half their sum, (μ₁ + μ₂)/2.": (
            lambda b, μ1, μ2, σ: expit((b - (μ2 - μ1) / 2) * (μ2 - μ1) / σ**2),
            lambda b, μ1, μ2, σ: expit((b - (μ1 - μ2) / 2) * (μ2 - μ1) / σ**2),
        ),
        "this is ln(π₁/π₂); you still have to solve for π₁.": (
            lambda b, μ1, μ2, σ: (b - (μ1 + μ2) / 2) * (μ2 - μ1) / σ**2
        ),
        "these are the odds π₂/π₁; π₁ is 1 / (1 + odds).": (
            lambda b, μ1, μ2, σ: np.exp(-(b - (μ1 + μ2) / 2) * (μ2 - μ1) / σ**2)
        ),
        "this is nan, not a number: a logarithm or a root of a negative number, or ∞/∞. "
        "You can solve the boundary formula for ln(π₁/π₂) without taking a logarithm.": (
            lambda b, μ1, μ2, σ: np.log(-prior_for_boundary(b, μ1, μ2, σ))
        ),
    },
)
def prior_for_boundary(b, μ1, μ2, σ):
    """Prior of class 1 that puts the boundary of a common σ at b."""
    return expit((b - (μ1 + μ2) / 2) * (μ2 - μ1) / σ**2)
