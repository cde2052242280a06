"""The EM algorithm for Gaussian mixtures: its two steps as functions of arrays, and what an iteration leaves behind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bayeslab._machinery.arrays import as_samples, same_length
from bayeslab.covariance_kinds import RESTRICT, check_covariance
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments

# A weight is nothing below the first; a variance is rounding below this share of the variance of all samples.
NO_WEIGHT, NO_VARIANCE = np.finfo(float).eps, 1e-14


class CollapsedComponentError(np.linalg.LinAlgError):
    """A component lost its samples, or shrank onto a point, a line, ..., where the likelihood grows without bound.

    Attributes
    ----------
    component, iteration : int
    what : str
        What happened to it.
    owner : str
        Whose component it is, such as " of class 'a'".
    """

    def __init__(self, component, iteration, what, owner=""):
        self.component, self.iteration, self.what, self.owner = component, iteration, what, owner
        super().__init__(
            f"component {component}{owner} collapsed at iteration {iteration}: {what}. Remedies: (1) another start: "
            f"init, random_state, or n_init above 1, which leaves collapsed starts out; (2) fewer components; (3) a "
            f"covariance with fewer parameters: shared=True, covariance='diagonal' or 'spherical'"
        )

    def __reduce__(self):
        # An exception is pickled with its message alone, which worker processes would then fail to rebuild.
        return type(self), (self.component, self.iteration, self.what, self.owner)


@dataclass(frozen=True, eq=False)
class EMIteration:
    """Where the EM algorithm stood after an iteration.

    Attributes
    ----------
    weights : (K,) array
    means : (K, d) array
    covariances : (K, d, d), (K, d) or (K,) array
    log_likelihood : float
        Of these parameters, the mean over the samples.
    """

    weights: np.ndarray
    means: np.ndarray
    covariances: np.ndarray
    log_likelihood: float

    @property
    def gaussians(self) -> list[Gaussian]:
        """The components."""
        return [Gaussian(mean, covariance) for mean, covariance in zip(self.means, self.covariances, strict=True)]

    def responsibilities(self, X) -> np.ndarray:
        """Responsibilities of the components for the rows of X, shape (n, K), computed anew."""
        return e_step(X, self.weights, self.gaussians)[0]


def e_step(X, weights, gaussians) -> tuple[np.ndarray, np.ndarray]:
    """Tell how probable it is that each component made each sample: the expectation step.

    Parameters
    ----------
    X : (n, d) array
    weights : (K,) array
        λ_k, positive, with the sum 1.
    gaussians : list of K `Gaussian`

    Returns
    -------
    responsibilities : (n, K) array
        γ_ik = λ_k N(x_i; μ_k, Σ_k) / p(x_i), the posterior probabilities of the components (Kamath, Assignment 1,
        equation 1.5).
    log_density : (n,) array
        ln p(x_i) = ln Σ_k λ_k N(x_i; μ_k, Σ_k); their sum is the log-likelihood.
    """
    X = as_samples(X)
    if np.shape(weights) != (len(gaussians),):
        raise ValueError(f"one weight per Gaussian is needed, not {np.shape(weights)} for {len(gaussians)}")
    # A row per component, so that each operation runs along the samples; the largest term is taken out before exp.
    joint = np.array([gaussian.log_density(X) for gaussian in gaussians]) + np.log(weights)[:, None]
    largest = joint.max(axis=0)
    responsibilities = np.exp(joint - largest)
    total = responsibilities.sum(axis=0)
    return (responsibilities / total).T, largest + np.log(total)


def m_step(X, responsibilities, covariance="full", shared=False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Estimate the parameters that suit these responsibilities best: the maximisation step (Kamath, equation 1.6).

    Parameters
    ----------
    X : (n, d) array
    responsibilities : (n, K) array
        γ_ik, or γ_ik times the weight of the sample.
    covariance : {"full", "diagonal", "spherical"}
        What Σ_k may be: any covariance, a diagonal one, or σ²I.
    shared : bool
        One covariance for all components.

    Returns
    -------
    weights : (K,) array
        λ_k = N_k / Σ_l N_l with N_k = Σ_i γ_ik.
    means : (K, d) array
        μ_k = Σ_i γ_ik x_i / N_k.
    covariances : (K, d, d), (K, d) or (K,) array
        Σ_k = Σ_i γ_ik (x_i − μ_k)(x_i − μ_k)ᵀ / N_k about the new mean, its diagonal, or the mean of that; where it is
        shared, K times the same.
    """
    X, responsibilities = as_samples(X), np.asarray(responsibilities, dtype=float)
    same_length(X, responsibilities)
    if responsibilities.ndim != 2:
        raise ValueError(f"responsibilities must have shape (n, K), not {responsibilities.shape}")
    check_covariance(covariance)
    return maximise(component_moments(X, responsibilities, covariance != "full"), covariance, shared)


def component_moments(X: np.ndarray, responsibilities: np.ndarray, diagonal: bool) -> list[Moments]:
    """Moments of the samples in each component's view, in two passes; those of blocks of rows add up."""
    sizes = responsibilities.sum(axis=0)
    means = responsibilities.T @ X / _positive(sizes)[:, None]
    moments = []
    for size, mean, gamma in zip(sizes, means, responsibilities.T, strict=True):
        deviations = X.T - mean[:, None]
        deviations *= np.sqrt(gamma)
        # A matrix times its own transpose takes half the time of another product.
        scatter = np.einsum("ij,ij->i", deviations, deviations) if diagonal else deviations @ deviations.T
        moments.append(Moments(float(size), mean, scatter))
    return moments


def maximise(moments: list[Moments], covariance: str, shared: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights, means and covariances as from `m_step`, of components with these moments."""
    sizes = np.array([component.weight for component in moments])
    scatters = np.array([component.scatter for component in moments])
    if shared:
        covariances = [scatters.sum(axis=0) / sizes.sum()] * len(moments)
    else:
        covariances = [scatter / size for scatter, size in zip(scatters, _positive(sizes), strict=True)]
    means = np.array([component.mean for component in moments])
    return sizes / sizes.sum(), means, np.array([RESTRICT[covariance](each) for each in covariances])


def _positive(sizes: np.ndarray) -> np.ndarray:
    """Sizes to divide by: where a component has lost all its samples, its sums are zero as well."""
    return np.maximum(sizes, np.finfo(float).tiny)


def living_components(parameters, spread, iteration: int) -> list[Gaussian]:
    """Gaussians with these weights, means and covariances, unless one has collapsed in comparison with `spread`."""
    floor, gaussians = NO_VARIANCE * _variances(spread), []
    for k, (weight, mean, covariance) in enumerate(zip(*parameters, strict=True)):
        if weight <= NO_WEIGHT:
            raise CollapsedComponentError(k, iteration, "no sample is left to it")
        if (_variances(covariance) <= floor).any():
            raise CollapsedComponentError(k, iteration, f"with a weight of {weight:.2g} it has shrunk to no variance")
        try:
            gaussians.append(Gaussian(mean, covariance))
        except SingularCovarianceError as error:
            what = f"with a weight of {weight:.2g} its covariance has only the rank {error.rank} of {error.dimension}"
            raise CollapsedComponentError(k, iteration, what) from None
    return gaussians


def _variances(covariance: np.ndarray) -> np.ndarray:
    return covariance.diagonal() if covariance.ndim == 2 else covariance
