"""Pseudo-samples: the prior of a mixture's covariances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bayeslab._base.factor import factor
from bayeslab.gaussian import Gaussian


@dataclass(frozen=True, eq=False)
class PseudoSamples:
    """Prior of the covariances, given as additional samples about the mean of each component.

    Attributes
    ----------
    number : float
        ν pseudo-samples for each covariance.
    covariance : (d, d) array, (d,) array or float
        Their covariance Λ; a number stands for σ²I.
    """

    number: float
    covariance: np.ndarray | float

    @classmethod
    def for_mixture(cls, total_covariance, number: float, n_components: int, n_features: int) -> PseudoSamples:
        """Pseudo-samples with the covariance of all samples, divided by K^(2/d), as Fraley and Raftery (2007) propose.

        K components with this covariance have together the volume √|Σ| of all samples. A single component is estimated
        as without pseudo-samples.
        """
        return cls(number, total_covariance / n_components ** (2 / n_features))

    def log_likelihood(self, gaussians: list[Gaussian], shared: bool) -> float:
        """Sum of −ν/2 (d ln 2π + ln |Σ_k| + tr Λ Σ_k⁻¹) over the components, or one term if they share Σ."""
        if not self.number:
            return 0.0
        d = gaussians[0].n_features
        covariance = np.asarray(self.covariance)
        covariance = np.full(d, covariance) if covariance.ndim == 0 else covariance
        F = factor(covariance, None)[0]
        penalty = 0.0
        for gaussian in gaussians[:1] if shared else gaussians:
            # With Λ = F Fᵀ and Σ⁻¹ = W Wᵀ, tr Λ Σ⁻¹ is the sum of the squares of Wᵀ F. Vectors are diagonals.
            W = gaussian.whitening
            trace = np.square(W * F if W.ndim == 1 else W.T @ F).sum()
            penalty -= self.number / 2 * (d * np.log(2 * np.pi) + gaussian.log_determinant + trace)
        return float(penalty)


NO_PRIOR = PseudoSamples(0.0, 0.0)
