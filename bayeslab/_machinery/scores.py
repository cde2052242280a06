"""Log densities under all classes at once, up to a shared term: products of matrices instead of a loop over classes.

The fast path of `GaussianClassifier` beside the plain one, its `_joint`. Rows are measured from one origin, the mean of
the class means. What that costs in digits grows with the distance of the means from it, in units of a class's spread:
where they are `FAR` away, there is no such function, and each class is measured from its own mean.
"""

from __future__ import annotations

from functools import partial

import numpy as np

FAR = 1e4  # for squared distances, which lose twice the digits, as well: about 1e-12 of an error is left


def all_at_once(gaussians: list, moments: list, alike: bool):
    """Return a function from rows (n, d) to log densities (K, n), up to a term that all classes share, or None.

    Parameters
    ----------
    gaussians : list of K `Gaussian`
    moments : list of K `Moments`
        Their means are known to more digits than those of the Gaussians, which counts far from 0.
    alike : bool
        Whether the Gaussians have the same covariance.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is not below FAR
        return _made(gaussians, moments, alike)


def _made(gaussians, moments, alike):
    origin = np.mean([gaussian.mean for gaussian in gaussians], axis=0)
    means = np.array([(each.mean - origin) + each.remainder for each in moments])
    if alike:
        return _shared(gaussians[0].whitening, means, origin)
    whitenings = [gaussian.whitening for gaussian in gaussians]
    constants = -0.5 * np.array([g.log_determinant + g.rank * np.log(2 * np.pi) for g in gaussians])
    make = _diagonal if whitenings[0].ndim == 1 else _full
    return make(whitenings, means, origin, constants)


def _shared(whitening, means, origin):
    """Relative to the first class, log densities with one covariance are linear."""
    whitening = np.diag(whitening) if whitening.ndim == 1 else whitening
    whitened = means @ whitening
    if not np.square(whitened).sum(axis=1).max() <= FAR:  # else the rounding of its constant drowns the near classes
        return None
    coefficients = (whitened - whitened[0]) @ whitening.T
    constants = 0.5 * (np.square(whitened[0]).sum() - np.square(whitened).sum(axis=1))
    if (np.abs(coefficients) @ np.abs(origin)).max() > FAR:
        return partial(_linear, coefficients, constants, origin)
    return partial(_linear, coefficients, constants - coefficients @ origin, None)


def _linear(coefficients, constants, origin, X):
    # Transposed: the scores of a class are then in one piece.
    scores = np.zeros((len(coefficients), len(X)))
    np.matmul(coefficients[1:], (X if origin is None else X - origin).T, out=scores[1:])
    scores += constants[:, None]
    return scores


def _diagonal(whitenings, means, origin, constants):
    """With diagonal covariances, log densities are linear in the columns and their squares."""
    weights = np.square(whitenings)
    distances = (weights * means**2).sum(axis=1)
    if not distances.max() <= FAR:
        return None
    return partial(_by_squares, origin, -0.5 * weights, weights * means, constants - 0.5 * distances)


def _by_squares(origin, quadratic, linear, constants, X):
    deviations = X - origin
    scores = linear @ deviations.T
    scores += constants[:, None]
    scores += quadratic @ np.square(deviations, out=deviations).T
    return scores


def _full(whitenings, means, origin, constants):
    """Rows are whitened for all classes in one product, while the matrices are small."""
    d, ranks = len(origin), {whitening.shape[1] for whitening in whitenings}
    if d >= 64 or len(ranks) > 1 or 0 in ranks:
        return None
    if not max((np.abs(mean) @ np.abs(W)).max() for mean, W in zip(means, whitenings, strict=True)) <= FAR:
        return None
    whiten = np.vstack([np.vstack([W, -mean @ W]).T for mean, W in zip(means, whitenings, strict=True)])
    return partial(_by_whitening, origin, whiten, constants)


def _by_whitening(origin, whiten, constants, X):
    deviations = np.ones((len(origin) + 1, len(X)))  # a last row of ones takes the means along
    np.subtract(X.T, origin[:, None], out=deviations[:-1])
    z = (whiten @ deviations).reshape(len(constants), -1, len(X))
    scores = np.einsum("kji,kji->ki", z, z)
    scores *= -0.5
    scores += constants[:, None]
    return scores
