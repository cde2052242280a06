"""Pseudo-samples: what a mixture's covariances would be estimated from without samples; how covariances are stored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from bayeslab._base.factor import factor
from bayeslab.gaussian import Gaussian
from bayeslab.moments import Moments

NO_WEIGHT = np.finfo(float).eps  # a share of the samples that is rounding


@dataclass(frozen=True, eq=False)
class PseudoSamples:
    """Prior of the covariances: what they would be estimated from if there were no samples.

    Attributes
    ----------
    number : float
        ν pseudo-samples about the mean of each component, wherever that is; of one covariance, if it is shared.
    covariance : array
        Their covariance Λ, in the form that `stored_form` gives it.
    """

    number: float
    covariance: np.ndarray | float

    @classmethod
    def like(cls, all_samples: np.ndarray, number: float, n_components: int, n_features: int) -> PseudoSamples:
        """Pseudo-samples with the covariance of all samples, in its stored form, divided by K^(2/d).

        So K components that are like their pseudo-samples have together the volume √|Λ| of all samples, as Fraley and
        Raftery (2007) propose; and one component alone is estimated as without pseudo-samples.
        """
        return cls(number, all_samples / n_components ** (2 / n_features))

    def log_likelihood(self, gaussians: list[Gaussian], shared: bool) -> float:
        """Penalty: −ν/2 (d ln 2π + ln |Σ_k| + tr Λ Σ_k⁻¹), summed over the components, or once if Σ is shared."""
        if not self.number:
            return 0.0
        d = gaussians[0].n_features
        covariance = np.full(d, self.covariance) if np.ndim(self.covariance) == 0 else self.covariance
        root = factor(covariance, None)[0]
        # With Λ = F Fᵀ, tr Λ Σ⁻¹ is the sum of D² over the columns of F, which loses fewer digits than a product.
        columns = root.T if root.ndim == 2 else np.diag(root)
        penalty = 0.0
        for gaussian in gaussians[:1] if shared else gaussians:
            trace = gaussian.moved_to(np.zeros(d)).mahalanobis_squared(columns).sum()
            penalty -= self.number / 2 * (d * np.log(2 * np.pi) + gaussian.log_determinant + trace)
        return float(penalty)


MAXIMUM_LIKELIHOOD = PseudoSamples(0.0, 0.0)


def stored_form(covariance: np.ndarray, kind: str) -> np.ndarray | float:
    """Covariance of a component as it is kept: matrix (d, d), diagonal (d,), or for a spherical one the mean variance.

    What it is taken from may also be a diagonal alone, if no more is needed.
    """
    if kind == "full":
        return covariance
    return variances_of(covariance) if kind == "diagonal" else variances_of(covariance).mean()


def variances_of(covariance: np.ndarray) -> np.ndarray:
    """Variances in a stored covariance: its diagonal, or all that it holds."""
    return covariance.diagonal() if np.ndim(covariance) == 2 else np.asarray(covariance)


def without_the_empty(moments: list[Moments]) -> list[Moments]:
    """Moments in which a component without samples is about the mean of all: only pseudo-samples are left to it."""
    total = reduce(add, moments)
    none = Moments(0.0, total.mean, np.zeros_like(total.scatter))
    return [none if component.weight <= NO_WEIGHT * total.weight else component for component in moments]
