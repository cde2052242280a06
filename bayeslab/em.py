"""The EM algorithm for Gaussian mixtures: its two steps as functions of arrays, and what an iteration leaves behind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from bayeslab._base.arrays import as_samples, check_number, check_one_of, check_same_length
from bayeslab._base.blocks import blocks
from bayeslab.covariance_kinds import KINDS
from bayeslab.gaussian import Gaussian
from bayeslab.moments import Moments
from bayeslab.pseudo_samples import MAXIMUM_LIKELIHOOD, PseudoSamples, stored_form, without_the_empty

TINY = np.finfo(float).tiny
# So many standard deviations from zero, the rounding of a mean is worth a correction.
FAR = 1000


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
            f"covariance with fewer parameters: shared=True, covariance='diagonal' or 'spherical'; (4) "
            f"prior_samples=1: so many pseudo-samples keep each covariance away from zero"
        )

    def __reduce__(self):
        # An exception is pickled with its message alone, which worker processes would then fail to rebuild.
        return type(self), (self.component, self.iteration, self.what, self.owner), self.__dict__


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
    objective : float
        What no iteration lowers: the log-likelihood, and with `prior_samples` that of the pseudo-samples too, divided
        by the number (total weight) of the samples.

    Examples
    --------
    >>> from bayeslab import GaussianMixture
    >>> X = [[-2.0], [-1], [0], [4], [5], [6]]
    >>> last = GaussianMixture(2, init=[[0], [5]]).fit(X).history_[-1]
    >>> last.responsibilities([[-1.0], [5]]).round(2)
    array([[1., 0.],
           [0., 1.]])
    """

    weights: np.ndarray
    means: np.ndarray
    covariances: np.ndarray
    log_likelihood: float
    objective: float

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
        λ_k, not negative, with the sum 1.
    gaussians : list of K `Gaussian`

    Returns
    -------
    responsibilities : (n, K) array
        γ_ik = λ_k N(x_i; μ_k, Σ_k) / p(x_i), the posterior probabilities of the components (Kamath, Assignment 1,
        equation 1.5).
    log_density : (n,) array
        ln p(x_i) = ln Σ_k λ_k N(x_i; μ_k, Σ_k); their sum is the log-likelihood.

    Raises
    ------
    ValueError
        If shapes do not match, or a sample is so far from all components that its squared distance is no float.

    Examples
    --------
    >>> from bayeslab import Gaussian
    >>> responsibilities, log_density = e_step([[0.0], [2]], [0.5, 0.5], [Gaussian(0, 1), Gaussian(2, 1)])
    >>> responsibilities.round(3)
    array([[0.881, 0.119],
           [0.119, 0.881]])
    """
    X = as_samples(X)
    if np.shape(weights) != (len(gaussians),):
        raise ValueError(f"one weight per Gaussian is needed, not {np.shape(weights)} for {len(gaussians)}")
    # A row per component, so that each operation runs along the samples; the largest term is taken out before exp.
    with np.errstate(over="ignore", divide="ignore"):  # a density of zero, and the logarithm of a weight of zero
        joint = np.array([gaussian.log_density(X) for gaussian in gaussians])
        joint += np.log(weights)[:, None]  # in place here and below: a new array takes as long as the work
    largest = joint.max(axis=0)
    if not largest.min() > -np.inf:
        sample = X[np.argmin(np.isfinite(largest))].tolist()
        raise ValueError(f"the sample {sample} is too far from all components: its squared distance is no float")
    joint -= largest
    responsibilities = np.exp(joint, out=joint)
    total = responsibilities.sum(axis=0)
    responsibilities /= total
    largest += np.log(total, out=total)
    return responsibilities.T, largest


def m_step(X, responsibilities, covariance="full", shared=False, prior_samples=0.0):
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
    prior_samples : float
        ν pseudo-samples about each mean, with the covariance Λ of all samples divided by K^(2/d), of the components'
        kind, as in `GaussianMixture`.

    Returns
    -------
    weights : (K,) array
        λ_k = N_k / Σ_l N_l with N_k = Σ_i γ_ik.
    means : (K, d) array
        μ_k = Σ_i γ_ik x_i / N_k.
    covariances : (K, d, d), (K, d) or (K,) array
        Σ_k = (Σ_i γ_ik (x_i − μ_k)(x_i − μ_k)ᵀ + νΛ) / (N_k + ν) about the new mean, its diagonal, or the mean of
        that; where it is shared, K times (Σ_k S_k + νΛ) / (n + ν), where S_k is the sum over i.

    Examples
    --------
    >>> weights, means, covariances = m_step([[0.0], [2], [7]], [[1, 0], [1, 0], [0, 1]])
    >>> means.ravel().round(3)
    array([1., 7.])
    >>> covariances.ravel().round(3)
    array([1., 0.])
    """
    X, responsibilities = as_samples(X), np.asarray(responsibilities, dtype=float)
    check_same_length(X, responsibilities)
    if responsibilities.ndim != 2:
        raise ValueError(f"responsibilities must have shape (n, K), not {responsibilities.shape}")
    check_one_of(covariance, "covariance", KINDS)
    check_number(prior_samples, "prior_samples", least=0)
    moments = component_moments(X, responsibilities, covariance != "full")
    prior = MAXIMUM_LIKELIHOOD
    if prior_samples:
        all_samples = stored_form(reduce(add, moments).covariance(ddof=0), covariance)
        prior = PseudoSamples.like(all_samples, prior_samples, len(moments), X.shape[1])
    return maximise(moments, covariance, shared, prior)


def expected_moments(X: np.ndarray, sample_weight: np.ndarray, weights, gaussians, diagonal: bool):
    """Log-likelihood of weighted samples, and what the M-step needs of them: the moments in each component's view.

    All that an iteration asks of the samples. Both are sums over the rows: those of two parts of the data add up.
    """
    log_likelihood, moments = 0.0, [Moments.none(X.shape[1], diagonal)] * len(gaussians)
    for block, rows in blocks_of_columns(X, len(gaussians)):  # both steps, while the block is in the cache
        responsibilities, log_density = e_step(block, weights, gaussians)
        log_likelihood += sample_weight[rows] @ log_density
        responsibilities *= sample_weight[rows, None]
        moments = list(map(add, moments, component_moments(block, responsibilities, diagonal)))
    return log_likelihood, moments


def blocks_of_columns(X: np.ndarray, n_components: int):
    """Blocks that hold samples and responsibilities, each column in one piece, and their rows."""
    for rows in blocks(len(X), X.shape[1] + n_components):
        yield np.asfortranarray(X[rows]), rows


def component_moments(X: np.ndarray, responsibilities: np.ndarray, diagonal: bool) -> list[Moments]:
    """Moments of the samples in each component's view, in two passes; those of blocks of rows add up."""
    sizes = responsibilities.sum(axis=0)
    means = responsibilities.T @ X / _positive(sizes)[:, None]
    roots, moments = np.sqrt(responsibilities.T), []
    for size, mean, root in zip(sizes.tolist(), means, roots, strict=True):
        deviations = X.T - mean[:, None]
        deviations *= root
        # A matrix times its own transpose takes half the time of another product.
        scatter = np.einsum("ij,ij->i", deviations, deviations) if diagonal else deviations @ deviations.T
        moments.append(Moments(size, mean, scatter))
    variations = np.array([component.variation for component in moments])
    for k in np.flatnonzero((sizes[:, None] * means**2 > FAR**2 * variations).any(axis=1)):
        moments[k] = _recentred(moments[k], (X - means[k]).T @ responsibilities[:, k])
    return moments


def _recentred(moments: Moments, left: np.ndarray) -> Moments:
    """Moments about a mean that was rounded, of which this sum of weighted deviations is left."""
    shift = left / max(moments.weight, TINY)
    square = shift**2 if moments.scatter.ndim == 1 else np.outer(shift, shift)
    return Moments(moments.weight, moments.mean, moments.scatter - moments.weight * square, shift)


def maximise(moments: list[Moments], covariance: str, shared: bool, prior: PseudoSamples = MAXIMUM_LIKELIHOOD):
    """Weights, means and covariances as from `m_step`, of components with these moments."""
    if prior.number:
        moments = without_the_empty(moments)
    sizes = np.array([component.weight for component in moments])
    scatters = np.array([component.scatter for component in moments])
    means = np.array([component.mean + component.remainder for component in moments])
    weights = sizes / sizes.sum()
    if shared:
        sizes, scatters = sizes.sum(keepdims=True), scatters.sum(axis=0, keepdims=True)
    covariances = [
        stored_form((scatter + prior.number * prior.covariance) / (size + prior.number), covariance)
        for scatter, size in zip(scatters, _positive(sizes), strict=True)
    ]
    return weights, means, np.array(covariances * (len(moments) if shared else 1))


def _positive(sizes: np.ndarray) -> np.ndarray:
    """Sizes to divide by: where a component has lost all its samples, its sums are zero as well."""
    return np.maximum(sizes, TINY)
