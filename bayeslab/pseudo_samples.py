"""Pseudo-samples, the prior of a mixture's covariances; and the form in which covariances are stored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from bayeslab._base.factor import factor
from bayeslab.gaussian import Gaussian
from bayeslab.moments import Moments

NO_WEIGHT = np.finfo(float).eps  # a share of the total weight that is rounding error


@dataclass(frozen=True, eq=False)
class PseudoSamples:
    """Prior of the covariances, given as additional samples about the mean of each component.

    Attributes
    ----------
    number : float
        ν pseudo-samples for each covariance.
    covariance : array
        Their covariance Λ, in the form of `stored_form`.
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
        covariance = np.full(d, self.covariance) if np.ndim(self.covariance) == 0 else self.covariance
        root = factor(covariance, None)[0]
        # With Λ = F Fᵀ, tr Λ Σ⁻¹ is the sum of D² over the columns of F, which loses fewer digits than a product.
        columns = root.T if root.ndim == 2 else np.diag(root)
        penalty = 0.0
        for gaussian in gaussians[:1] if shared else gaussians:
            trace = gaussian.moved_to(np.zeros(d)).mahalanobis_squared(columns).sum()
            penalty -= self.number / 2 * (d * np.log(2 * np.pi) + gaussian.log_determinant + trace)
        return float(penalty)


NO_PRIOR = PseudoSamples(0.0, 0.0)


def stored_form(covariance: np.ndarray, kind: str) -> np.ndarray | float:
    """Covariance as a mixture stores it: a matrix (d, d), its diagonal (d,), or for a spherical one the mean variance.

    `covariance` is a matrix, or its diagonal if `kind` is not "full".
    """
    if kind == "full":
        return covariance
    return variances_of(covariance) if kind == "diagonal" else variances_of(covariance).mean()


def variances_of(covariance: np.ndarray) -> np.ndarray:
    """Variances in a stored covariance: the diagonal of a matrix, else all of it."""
    return covariance.diagonal() if np.ndim(covariance) == 2 else np.asarray(covariance)


def fill_empty_components(moments: list[Moments]) -> list[Moments]:
    """Put each component without samples at the mean of all samples, so that only its pseudo-samples are left."""
    total = reduce(add, moments)
    empty = Moments(0.0, total.mean, np.zeros_like(total.scatter))
    return [empty if each.weight <= NO_WEIGHT * total.weight else each for each in moments]
