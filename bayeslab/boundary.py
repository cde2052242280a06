"""Two classes at a time: picking them out of a data set, and the rule that decides between two Gaussians."""

from __future__ import annotations

import numpy as np

from bayeslab._arrays import same_length
from bayeslab.gaussian import Gaussian


def two_class(X, y, first, second) -> tuple[np.ndarray, np.ndarray]:
    """Keep the rows of two classes, in their order, and disregard the others.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    first, second : labels that occur in y

    Returns
    -------
    X, y : the rows of X and y whose label is `first` or `second`
    """
    X, y = np.asarray(X), np.asarray(y)
    same_length(X, y)
    if first == second:
        raise ValueError(f"two different classes are needed, but both are {first!r}")
    for label in (first, second):
        if not (y == label).any():
            raise ValueError(f"no sample has the label {label!r}; the labels are {np.unique(y).tolist()}")
    keep = (y == first) | (y == second)
    return X[keep], y[keep]


def log_determinant_rule(x, a: Gaussian, b: Gaussian) -> np.ndarray:
    """Two-class rule c = ln|Σ_B| − ln|Σ_A| + D²(x; μ_B, Σ_B) − D²(x; μ_A, Σ_A).

    c is twice the log likelihood ratio ln p(x | A) − ln p(x | B), without priors: decide for A where c > 0 and for B
    otherwise, a tie included. Add 2 ln(π_A / π_B) to respect priors.

    Parameters
    ----------
    x : (..., d) array
    a, b : `Gaussian`
        Densities of the classes A and B.

    Returns
    -------
    (...) array

    References
    ----------
    Bint, Huus and Spratt (2014), Implementing Bayes classifiers, equation 5.
    """
    if a.n_features != b.n_features:
        raise ValueError(
            f"the densities must have the same features, but a has {a.n_features} and b has {b.n_features}"
        )
    return b.log_determinant - a.log_determinant + b.mahalanobis_squared(x) - a.mahalanobis_squared(x)
