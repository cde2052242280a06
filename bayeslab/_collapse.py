"""When a component of a mixture has collapsed: it has lost its samples, or its covariance is singular."""

from __future__ import annotations

import numpy as np

from bayeslab.em import NO_WEIGHT, CollapsedComponentError, variances_of
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.pseudo_samples import PseudoSamples

EPSILON = np.finfo(float).eps
# A variance below this fraction of the total variance counts as zero. The fraction is tiny, since clusters may be
# 1e30 times as far apart as the narrowest is wide.
NO_VARIANCE = EPSILON**4
# A standard deviation of fewer than this many spacings of floating-point numbers is rounding error.
SPACINGS = 8


def checked_components(parameters, total_covariance, iteration: int, prior: PseudoSamples) -> list[Gaussian]:
    """Return Gaussians with these weights, means and covariances, or raise a CollapsedComponentError.

    A component has collapsed if

    - its weight is rounding error, unless there are pseudo-samples,
    - a variance of it is negligible beside that of all samples, or its covariance is singular, or
    - in some direction it is as narrow as the spacing of floating-point numbers at its mean.

    How far away other components are does not matter.
    """
    least, gaussians = NO_VARIANCE * variances_of(total_covariance), []
    for k, (weight, mean, covariance) in enumerate(zip(*parameters, strict=True)):
        if weight <= NO_WEIGHT and not prior.number:
            raise CollapsedComponentError(k, iteration, "it has lost all its samples")
        if (variances_of(covariance) <= least).any():
            raise CollapsedComponentError(k, iteration, f"a variance has shrunk to zero (its weight is {weight:.2g})")
        try:
            gaussian = Gaussian(mean, covariance)
        except SingularCovarianceError as error:
            reason = f"its covariance has rank {error.rank} instead of {error.dimension} (its weight is {weight:.2g})"
            raise CollapsedComponentError(k, iteration, reason) from None
        rounding = gaussian.whitening.T * (SPACINGS * EPSILON * mean)  # in standard deviations, in every direction
        if np.vdot(rounding, rounding) >= 1:
            reason = f"in some direction its width is only rounding error (its weight is {weight:.2g})"
            raise CollapsedComponentError(k, iteration, reason)
        gaussians.append(gaussian)
    return gaussians
