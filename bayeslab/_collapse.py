"""When a component of a mixture has collapsed: lost its samples, or shrunk onto less than a volume."""

from __future__ import annotations

import numpy as np

from bayeslab.em import CollapsedComponentError
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.pseudo_samples import MAXIMUM_LIKELIHOOD, NO_WEIGHT, PseudoSamples, variances_of

EPSILON = np.finfo(float).eps
# A variance is nothing below the first times that of all samples: clusters may be 1e30 times as far apart as the
# narrowest is wide. Samples that differ by fewer than so many spacings of numbers have no spread.
NO_VARIANCE, SPACINGS = EPSILON**4, 8


def living_components(parameters, spread, iteration: int, prior: PseudoSamples = MAXIMUM_LIKELIHOOD) -> list[Gaussian]:
    """Gaussians with these weights, means and covariances, unless one has collapsed.

    A component has lost its samples where its weight is rounding, though pseudo-samples may still hold it. It has
    shrunk where its variance is nothing beside `spread`, the covariance of all samples, or where numbers as large as
    its mean are too coarse to tell its samples from each other. How far away other components are does not matter.
    """
    floor, gaussians = NO_VARIANCE * variances_of(spread), []
    for k, (weight, mean, covariance) in enumerate(zip(*parameters, strict=True)):
        if weight <= NO_WEIGHT and not prior.number:
            raise CollapsedComponentError(k, iteration, "no sample is left to it")
        if (variances_of(covariance) <= floor).any():
            raise CollapsedComponentError(k, iteration, f"with a weight of {weight:.2g} it has shrunk to no variance")
        try:
            gaussian = Gaussian(mean, covariance)
        except SingularCovarianceError as error:
            what = f"with a weight of {weight:.2g} its covariance has only the rank {error.rank} of {error.dimension}"
            raise CollapsedComponentError(k, iteration, what) from None
        # In units of its standard deviations, and so in every direction.
        coarseness = gaussian.whitening.T * (SPACINGS * EPSILON * mean)
        if np.vdot(coarseness, coarseness) >= 1:
            what = f"with a weight of {weight:.2g} it has shrunk, in some direction, to the rounding of its samples"
            raise CollapsedComponentError(k, iteration, what)
        gaussians.append(gaussian)
    return gaussians
