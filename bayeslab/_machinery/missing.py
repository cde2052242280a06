"""Missing values at prediction are integrated out: a row has the marginal density of its observed columns, exactly."""

from __future__ import annotations

import numpy as np

from bayeslab._machinery.blocks import blocks
from bayeslab._machinery.warn import warn_user
from bayeslab.gaussian import Gaussian


def order_by_pattern(X: np.ndarray) -> np.ndarray:
    """Return an order of the rows in which those that miss the same columns stand together."""
    patterns = [np.packbits(np.isnan(X[rows]), axis=1) for rows in blocks(*X.shape)]
    return np.lexsort(np.concatenate(patterns).T)


def observed_terms(gaussians: list[Gaussian], X: np.ndarray, shared: bool) -> np.ndarray:
    """Terms −½ ln |Σ|, −½ D² and −½ r ln 2π of the log density of the observed columns, shape (3, n, K).

    All are 0 where nothing was observed. Rows that miss the same columns should stand together: each such group needs
    marginals of its own.

    Parameters
    ----------
    gaussians : list of K `Gaussian`
    X : (n, d) array
        NaN where a value is missing.
    shared : bool
        Whether the Gaussians have the same covariance, whose marginal then needs to be factored only once.
    """
    missing = np.isnan(X)
    starts = np.flatnonzero(np.append(True, (missing[1:] != missing[:-1]).any(axis=1)))
    terms = np.zeros((3, len(X), len(gaussians)))
    for start, stop in zip(starts, [*starts[1:], len(X)], strict=True):
        observed = np.flatnonzero(~missing[start])
        if len(observed):
            part = X[start:stop, observed]
            for k, marginal in enumerate(marginals_of(gaussians, observed, shared)):
                terms[0, start:stop, k] = -0.5 * marginal.log_determinant
                terms[1, start:stop, k] = -0.5 * marginal.mahalanobis_squared(part)
                terms[2, start:stop, k] = -0.5 * marginal.rank * np.log(2 * np.pi)
    return terms


def marginals_of(gaussians: list[Gaussian], observed: np.ndarray, shared: bool) -> list[Gaussian]:
    """Gaussians of the observed columns; a warning says where their ranks differ though those of all columns do not."""
    if shared:
        first = gaussians[0].marginal(observed)
        return [first.moved_to(gaussian.mean[observed], gaussian.remainder_of(observed)) for gaussian in gaussians]
    marginals = [gaussian.marginal(observed) for gaussian in gaussians]
    if len({marginal.rank for marginal in marginals}) > len({gaussian.rank for gaussian in gaussians}):
        ranks = ", ".join(str(marginal.rank) for marginal in marginals)
        warn_user(
            f"where only {len(observed)} columns are observed, the covariances of the classes have different ranks "
            f"({ranks}), so their pseudo-densities are not comparable; take shrinkage"
        )
    return marginals
