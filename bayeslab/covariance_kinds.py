"""The kinds of covariance that a Gaussian of a classifier or of a mixture may have."""

from __future__ import annotations

import numpy as np

# What each kind of covariance keeps of the full matrix, or of its diagonal where that is all there is.
RESTRICT = {"full": lambda covariance: covariance, "diagonal": lambda variances: variances, "spherical": np.mean}


def check_covariance(covariance) -> None:
    """Raise a ValueError unless this is a kind of covariance."""
    if covariance not in list(RESTRICT):
        raise ValueError(f"covariance must be one of {', '.join(map(repr, RESTRICT))}, not {covariance!r}")
