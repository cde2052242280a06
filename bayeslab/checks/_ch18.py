"""Checks of notebook 18, what the next samples may be if the parameters are only estimated."""

from __future__ import annotations

import numpy as np
from scipy import stats

from bayeslab.checks import exercise, same_shape


def _half_width(s, dof, variance, share=0.975):
    return s * np.sqrt(variance) * stats.t.ppf(share, dof)


@exercise(
    "18.1",
    [(2.0, 5, 3), (0.7, 12, 2), (1.3, 3, 9)],
    wrong={
        "you left out the error of x̄, whose variance is s²/n.": lambda s, n, m: _half_width(s, n - 1, 1 / m),
        "dividing the interval of one sample by √m or m divides the error of x̄, too. It stays, so divide only the 1.": (
            lambda s, n, m: _half_width(s, n - 1, (1 + 1 / n) / m),
            lambda s, n, m: _half_width(s, n - 1, (1 + 1 / n) / m**2),
        ),
        "the variance is right, but a Gaussian takes s for σ; use stats.t.ppf(0.975, n − 1).": (
            lambda s, n, m: 1.96 * s * np.sqrt(1 / m + 1 / n),
            lambda s, n, m: _half_width(s, np.inf, 1 / m + 1 / n),
        ),
        "this is for a single new sample; the mean of m scatters less.": (
            lambda s, n, m: _half_width(s, n - 1, 1 + 1 / n)
        ),
        "this is the interval for μ; the mean of m new samples scatters about μ, with the variance s²/m.": (
            lambda s, n, m: _half_width(s, n - 1, 1 / n)
        ),
        "one degree of freedom has gone into x̄: n − 1 are left.": lambda s, n, m: _half_width(s, n, 1 / m + 1 / n),
        "s comes from the n old samples, so there are n − 1 degrees of freedom, whatever m.": (
            lambda s, n, m: _half_width(s, m - 1, 1 / m + 1 / n),
            lambda s, n, m: _half_width(s, n + m - 2, 1 / m + 1 / n),
        ),
        "this is for the sum of m samples; divide by m.": lambda s, n, m: m * _half_width(s, n - 1, 1 / m + 1 / n),
        "the mean of m has m times less variance, not m² times.": (
            lambda s, n, m: _half_width(s, n - 1, 1 / m**2 + 1 / n)
        ),
        "this leaves 5% on each side; 95% in the middle leave 2.5%.": (
            lambda s, n, m: _half_width(s, n - 1, 1 / m + 1 / n, 0.95)
        ),
        "this is the whole width; we ask for half of it.": lambda s, n, m: 2 * _half_width(s, n - 1, 1 / m + 1 / n),
        "variances add, not standard deviations: √(1/m + 1/n), not √(1/m) + √(1/n).": (
            lambda s, n, m: s * (np.sqrt(1 / m) + np.sqrt(1 / n)) * stats.t.ppf(0.975, n - 1)
        ),
    },
)
def half_width(s, n, m):
    """Half the width of the 95% interval of the mean of m new samples."""
    return _half_width(s, n - 1, 1 / m + 1 / n)


def _distance(X, x, ddof=1):
    """Return D² of x from the mean of X, with n and d."""
    n, d = X.shape
    r = x - X.mean(axis=0)
    return r @ np.linalg.solve(np.cov(X.T, ddof=ddof).reshape(d, d), r), n, d


def _factor(n, d):
    """Return what D² is divided by to become an F."""
    return (n + 1) * (n - 1) * d / (n * (n - d))


def _share(X, x, ddof=1, power=1, factor=None, dof=None):
    """Return the share beyond x, by default with the right square, factor and degrees of freedom."""
    D2, n, d = _distance(X, x, ddof)
    F = D2**power / (_factor(n, d) if factor is None else factor)
    return stats.f.sf(F, *((d, n - d) if dof is None else dof))


_PLANTS = np.array([[0.0, 0], [2, 1], [1, 3], [3, 2], [4, 5], [1, 1]])


@exercise(
    "18.2",
    [(_PLANTS, np.array([3.0, 0.5])), (_PLANTS[:, :1], np.array([4.5])), (_PLANTS[:5], np.array([0.0, 6]))],
    wrong={
        "this is the share of a known Gaussian, from χ²; the estimates come from n samples, so take F.": (
            lambda X, x: stats.chi2.sf(_distance(X, x)[0], X.shape[1])
        ),
        "D² has to be divided by (n + 1)(n − 1)d / (n (n − d)) before it is an F.": (
            lambda X, x: _share(X, x, factor=1)
        ),
        "this is the share that lies nearer; take stats.f.sf instead of stats.f.cdf.": (lambda X, x: 1 - _share(X, x)),
        "this is D², which is still to be turned into a share.": lambda X, x: _distance(X, x)[0],
        "this is the F of Hotelling's test for a mean; a new sample also scatters about it, which brings (n + 1).": (
            lambda X, x: _share(X, x, factor=_factor(*X.shape) / (len(X) + 1))
        ),
        "you multiplied by (n + 1)(n − 1)d / (n (n − d)); divide by it.": (
            lambda X, x: _share(X, x, factor=1 / _factor(*X.shape))
        ),
        "F has d and n − d degrees of freedom, in this order.": (
            lambda X, x: _share(X, x, dof=(len(X) - X.shape[1], X.shape[1])),
            lambda X, x: _share(X, x, dof=(X.shape[1], len(X) - 1)),
            lambda X, x: _share(X, x, dof=(X.shape[1], len(X))),
        ),
        "you divided the covariance by n; here it is divided by n − 1, as np.cov does.": (
            lambda X, x: _share(X, x, ddof=0)
        ),
        "you used the distance D; the formula has its square.": (lambda X, x: _share(X, x, power=0.5)),
        "this is whether x is outside the 95% ellipsoid; we ask for the share itself.": (
            lambda X, x: _share(X, x) < 0.05
        ),
        "this is an array; return the share as a number.": same_shape(lambda X, x: np.full(len(X), _share(X, x))),
    },
)
def surprise(X, x):
    """Share of new samples that lie farther out than x."""
    return _share(X, x)
