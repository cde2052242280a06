"""The EM algorithm for Gaussian mixtures: the E-step and the M-step as functions of arrays, and a record of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from bayeslab._base.arrays import BLOCK, Array, as_points, as_samples, blocks, check_finite, check_one_of, check_shares
from bayeslab.class_densities import FAR, ClassDensities
from bayeslab.covariance_kinds import KINDS, Kind
from bayeslab.gaussian import Gaussian
from bayeslab.moments import Moments, add_exactly

Stored: TypeAlias = Array | float  # a covariance: a matrix (d, d), its diagonal (d,), or a number σ² for σ²I
Parameters: TypeAlias = tuple[Array, Array, Array]  # weights, means and covariances of K components

EPSILON = np.finfo(float).eps
NO_WEIGHT = EPSILON  # a share of the total weight that is rounding error
# Replaces the size of an empty component in a divisor. Its sums are 0, so the quotients are 0 as well.
TINY = np.finfo(float).tiny
WIDE = 20  # columns
NEAR = 4  # in its narrowest direction, a full covariance has no digits to lose to squares beyond its own variances


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
    covariance: Stored

    def log_likelihood(self, gaussians: list[Gaussian], shared: bool) -> float:
        """Sum of −ν/2 (d ln 2π + ln |Σ_k| + tr Λ Σ_k⁻¹) over the components, or one term if they share Σ."""
        if not self.number:
            return 0.0
        d = gaussians[0].n_features
        covariance = np.asarray(self.covariance)
        covariance = np.full(d, covariance) if covariance.ndim == 0 else covariance
        F = Gaussian._unchecked(np.zeros(d), covariance, "pseudo")._factor
        penalty = 0.0
        for gaussian in gaussians[:1] if shared else gaussians:
            # With Λ = F Fᵀ and Σ⁻¹ = W Wᵀ, tr Λ Σ⁻¹ is the sum of the squares of Wᵀ F. Vectors are diagonals.
            W = gaussian.whitening
            trace = np.square(W * F if W.ndim == 1 else W.T @ F).sum()
            penalty -= self.number / 2 * (d * np.log(2 * np.pi) + gaussian.log_determinant + trace)
        return float(penalty)


NO_PRIOR = PseudoSamples(0.0, 0.0)


class CollapsedComponentError(np.linalg.LinAlgError):
    """A component lost its samples or shrank to a singular covariance, where the likelihood is unbounded.

    Attributes
    ----------
    component, iteration : int
    reason : str
        What happened to the component.
    """

    def __init__(self, component: int, iteration: int, reason: str) -> None:
        self.component = component
        self.iteration = iteration
        self.reason = reason
        super().__init__(
            f"component {component} collapsed at iteration {iteration}: {reason}. Remedies: (1) another start: "
            f"another init or random_state, or n_init above 1, which skips starts that collapse; (2) fewer components; "
            f"(3) a covariance with fewer parameters: shared=True, covariance='diagonal' or 'spherical'; (4) "
            f"prior_samples=1, whose pseudo-samples keep every covariance away from zero"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # By default an exception is pickled with its message alone, from which workers could not rebuild it.
        return type(self), (self.component, self.iteration, self.reason), self.__dict__


@dataclass(frozen=True, eq=False)
class EMIteration:
    """The parameters after an iteration of the EM algorithm, and their log-likelihood.

    Attributes
    ----------
    weights : (K,) array
    means : (K, d) array
    covariances : (K, d, d), (K, d) or (K,) array
    log_likelihood : float
        The mean of ln p(x_i) over the samples.
    objective : float
        What EM maximises, so that it never decreases: `log_likelihood`, plus the penalty of the pseudo-samples
        divided by the total weight of the samples if there are `prior_samples`.

    Examples
    --------
    >>> from bayeslab import GaussianMixture
    >>> X = [[-2.0], [-1], [0], [4], [5], [6]]
    >>> last = GaussianMixture(2, init=[[0], [5]]).fit(X).history_[-1]
    >>> last.responsibilities([[-1.0], [5]]).round(2)
    array([[1., 0.],
           [0., 1.]])
    """

    weights: Array
    means: Array
    covariances: Array
    log_likelihood: float
    objective: float

    @property
    def gaussians(self) -> list[Gaussian]:
        """The components."""
        return [Gaussian(mean, covariance) for mean, covariance in zip(self.means, self.covariances, strict=True)]

    def responsibilities(self, X: ArrayLike) -> Array:
        """Responsibilities of the components for the rows of X, shape (n, K)."""
        return e_step(X, self.weights, self.gaussians)[0]


def e_step(X: ArrayLike, weights: ArrayLike, gaussians: Sequence[Gaussian]) -> tuple[Array, Array]:
    """Compute the posterior probability of each component for each sample: the expectation step.

    Parameters
    ----------
    X : (n, d) array
    weights : (K,) array
        π_k, non-negative numbers that sum to 1.
    gaussians : list of K `Gaussian`

    Returns
    -------
    responsibilities : (n, K) array
        γ_ik = π_k N(x_i; μ_k, Σ_k) / p(x_i) (Kamath, Assignment 1, equation 1.5, with λ_k for π_k).
    log_density : (n,) array
        ln p(x_i) = ln Σ_k π_k N(x_i; μ_k, Σ_k). The log-likelihood is their sum.

    Raises
    ------
    ValueError
        If shapes do not match, or the squared distance of a sample to every component overflows.

    Examples
    --------
    >>> from bayeslab import Gaussian
    >>> responsibilities, log_density = e_step([[0.0], [2]], [0.5, 0.5], [Gaussian(0, 1), Gaussian(2, 1)])
    >>> responsibilities.round(3)
    array([[0.881, 0.119],
           [0.119, 0.881]])
    """
    X, weights = as_samples(X), np.asarray(weights, dtype=float)
    if weights.shape != (len(gaussians),):
        raise ValueError(f"there must be one weight per Gaussian, not {weights.shape} for {len(gaussians)}")
    check_shares(weights, "weights")
    for gaussian in gaussians:
        as_points(X, gaussian.n_features, "this Gaussian")
    responsibilities, log_density = posterior_and_density(X, weights, ClassDensities(list(gaussians), shared=False))
    check_no_sample_is_lost(X, log_density)
    return responsibilities, log_density


def check_no_sample_is_lost(X: Array, log_density: Array) -> None:
    """Raise a ValueError that names the first row whose log densities are −∞."""
    if not log_density.min() > -np.inf:
        sample = X[log_density.argmin()].tolist()
        raise ValueError(f"the sample {sample} is too far from all components: its squared distances overflow")


def posterior_and_density(X: Array, weights: Array, densities: ClassDensities) -> tuple[Array, Array]:
    """Return what `e_step` does, but NaN and −∞ for a sample whose squared distance to every component overflows."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        # A row per component, so that each operation runs along the samples. Operations are in place, since a new array
        # takes as long to make as the arithmetic.
        joint = densities.scores(X, np.log(weights), complete=True).T
        # Subtracting the largest term, or the lowest float if all are −∞, keeps exp from underflowing.
        largest = joint.max(axis=0, initial=np.finfo(float).min)
        joint -= largest
        responsibilities = np.exp(joint, out=joint)
        total = responsibilities.sum(axis=0)
        responsibilities /= total
        largest += np.log(total, out=total)
    return responsibilities.T, largest


def m_step(X: ArrayLike, responsibilities: ArrayLike, covariance: Kind = "full", shared: bool = False) -> Parameters:
    """Compute the parameters that maximise the expected log-likelihood: the maximisation step.

    Kamath's equation 1.6, but with the covariance about the new mean.

    Parameters
    ----------
    X : (n, d) array
    responsibilities : (n, K) array
        γ_ik, or γ_ik times the weight of the sample.
    covariance : {"full", "diagonal", "spherical"}
        The kind of Σ_k: any covariance, a diagonal one, or σ²I.
    shared : bool
        Whether all components have the same covariance.

    Returns
    -------
    weights : (K,) array
        π_k = N_k / Σ_l N_l with N_k = Σ_i γ_ik.
    means : (K, d) array
        μ_k = Σ_i γ_ik x_i / N_k.
    covariances : (K, d, d), (K, d) or (K,) array
        Σ_k = Σ_i γ_ik (x_i − μ_k)(x_i − μ_k)ᵀ / N_k, or its diagonal, or the mean of the diagonal; if it is shared,
        Σ_l N_l Σ_l / Σ_l N_l for each of the K components.

    Raises
    ------
    ValueError
        If shapes do not match, X is not finite, or a responsibility is NaN, infinite or negative.

    Examples
    --------
    >>> weights, means, covariances = m_step([[0.0], [2], [7]], [[1, 0], [1, 0], [0, 1]])
    >>> means.ravel().round(3)
    array([1., 7.])
    >>> covariances.ravel().round(3)
    array([1., 0.])
    """
    X, responsibilities = as_samples(X), np.asarray(responsibilities, dtype=float)
    if responsibilities.ndim != 2 or len(responsibilities) != len(X) or not responsibilities.size:
        raise ValueError(
            f"responsibilities must have shape ({len(X)}, K), a row for each row of X, not {responsibilities.shape}"
        )
    check_finite(responsibilities, "responsibilities")
    if responsibilities.min() < 0:
        i, k = np.unravel_index(responsibilities.argmin(), responsibilities.shape)
        raise ValueError(f"responsibilities[{i}, {k}] is {responsibilities[i, k]:g}; it cannot be negative")
    if not responsibilities.any():
        raise ValueError("all responsibilities are zero")
    check_one_of(covariance, "covariance", KINDS)
    moments = component_moments(X, responsibilities, covariance != "full", shared)
    return estimate_parameters(moments, covariance, shared)


def expected_moments(
    X: Array, sample_weight: Array, weights: Array, gaussians: list[Gaussian], diagonal: bool, shared: bool
) -> tuple[float, list[Moments]]:
    """Log-likelihood of weighted samples, and their moments weighted by the responsibilities of each component.

    Each block of rows goes through the E-step and into the moments while it is in the cache.
    """
    log_likelihood, moments = 0.0, [Moments.none(X.shape[1], diagonal)] * len(gaussians)
    densities = ClassDensities(gaussians, shared)
    for block, rows in blocks_of_rows(X, len(gaussians), diagonal):
        responsibilities, log_density = posterior_and_density(block, weights, densities)
        check_no_sample_is_lost(block, log_density)
        log_likelihood += float(sample_weight[rows] @ log_density)
        responsibilities *= sample_weight[rows, None]
        moments = list(map(add, moments, component_moments(block, responsibilities, diagonal, shared)))
    return log_likelihood, moments


def blocks_of_rows(X: Array, n_components: int, diagonal: bool) -> Iterator[tuple[Array, slice]]:
    """Yield blocks of rows, with their slices; a block and its responsibilities fit the cache.

    They are copied in column-major order, in which operations run along the rows. For diagonal covariances, those along
    wide rows are as fast as they are.
    """
    for rows in blocks(len(X), X.shape[1] + n_components, size=4 * BLOCK):
        yield X[rows] if diagonal and X.shape[1] >= WIDE else np.asfortranarray(X[rows]), rows


def component_moments(X: Array, responsibilities: Array, diagonal: bool, shared: bool = False) -> list[Moments]:
    """Moments of the samples weighted by the responsibilities of each component.

    Products with all responsibilities measure the rows from their mean. A component that is far from it, in its own
    standard deviations, is measured from its own mean. With one covariance for all only the sum of the scatters counts,
    so each component gets its share of the pooled scatter: what the means leave of the total.
    """
    sizes, origin = responsibilities.sum(axis=0), X.mean(axis=0)
    V = X - origin
    shifts = responsibilities.T @ V / np.maximum(sizes, TINY)[:, None]
    lost = sizes[:, None] * shifts**2
    if diagonal:
        scatters = variations = responsibilities.T @ np.square(V, out=V) - lost
    elif shared:
        z = V.T * np.sqrt(responsibilities.sum(axis=1))
        pooled = z @ z.T - (sizes * shifts.T) @ shifts
        scatters = pooled * (sizes / sizes.sum())[:, None, None]
        lost, variations = lost.sum(axis=0), np.tile(pooled.diagonal(), (len(sizes), 1))
    else:
        scatters, z = np.empty((len(sizes), *2 * X.shape[1:])), np.empty(X.T.shape)
        for k, root in enumerate(np.sqrt(responsibilities.T)):
            np.multiply(V.T, root, out=z)
            np.matmul(z, z.T, out=scatters[k])  # a product with itself transposed takes half the time of another
            scatters[k] -= sizes[k] * np.outer(shifts[k], shifts[k])
        variations = scatters.diagonal(axis1=1, axis2=2)
    means, remainders = add_exactly(origin, shifts)
    moments = list(map(Moments, sizes.tolist(), means, scatters, remainders))
    for k in np.flatnonzero(~(lost <= (FAR if diagonal else NEAR) * variations).all(axis=1)):
        moments[k] = _moments_about_own_mean(X, responsibilities[:, k], diagonal)
    return moments


def _moments_about_own_mean(X: Array, weights: Array, diagonal: bool) -> Moments:
    size = weights.sum()
    mean = weights @ X / max(size, TINY)
    V = X.T - mean[:, None]
    remainder = V @ weights / max(size, TINY)  # what the mean lost when it was rounded
    V *= np.sqrt(weights)
    if diagonal:
        return Moments(float(size), mean, np.einsum("ij,ij->i", V, V) - size * remainder**2, remainder)
    return Moments(float(size), mean, V @ V.T - size * np.outer(remainder, remainder), remainder)


def estimate_parameters(
    moments: list[Moments], covariance: Kind, shared: bool, prior: PseudoSamples = NO_PRIOR
) -> Parameters:
    """Weights, means and covariances of components with these moments, as `m_step` returns them.

    With ν pseudo-samples of covariance Λ, Σ_k = (S_k + νΛ) / (N_k + ν), where S_k is the scatter of the moments.
    """
    if prior.number:  # a component without samples has only its pseudo-samples, about the mean of all samples
        total = reduce(add, moments)
        empty = Moments(0.0, total.mean, np.zeros_like(total.scatter))
        moments = [empty if each.weight <= NO_WEIGHT * total.weight else each for each in moments]
    sizes = np.array([each.weight for each in moments])
    scatters = np.array([each.scatter for each in moments])
    means = np.array([each.mean + each.remainder for each in moments])
    weights = sizes / sizes.sum()
    if shared:
        sizes, scatters = sizes.sum(keepdims=True), scatters.sum(axis=0, keepdims=True)
    totals = np.maximum(sizes, TINY) + prior.number
    covariances = [  # ν may be huge, as it is in units of the largest weight, but ν / (N_k + ν) is a share
        stored_form(scatter / total + prior.number / total * prior.covariance, covariance)
        for scatter, total in zip(scatters, totals, strict=True)
    ]
    return weights, means, np.array(covariances * (len(moments) if shared else 1))


def stored_form(covariance: Array, kind: Kind) -> Stored:
    """Covariance as a mixture stores it; a spherical one is stored as the mean variance.

    `covariance` is a matrix, or its diagonal if `kind` is not "full".
    """
    if kind == "full":
        return covariance
    return variances_of(covariance) if kind == "diagonal" else variances_of(covariance).mean()


def variances_of(covariance: Stored) -> Array:
    """Variances in a stored covariance: the diagonal of a matrix, else all of it."""
    stored = np.asarray(covariance)
    return stored.diagonal() if stored.ndim == 2 else stored
