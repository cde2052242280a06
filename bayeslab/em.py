"""The EM algorithm for Gaussian mixtures: its two steps as functions of arrays, and what an iteration leaves behind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from numbers import Integral, Real
from operator import add

import numpy as np

from bayeslab._machinery.arrays import as_samples, same_length
from bayeslab._machinery.factor import factor_diagonal, factor_full
from bayeslab.covariance_kinds import check_covariance
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments

EPSILON, TINY = np.finfo(float).eps, np.finfo(float).tiny
# A weight is nothing below the first, a variance below the second times that of all samples: clusters may be 1e30 times
# as far apart as the narrowest is wide. Samples that differ by fewer than so many spacings of numbers have no spread.
NO_WEIGHT, NO_VARIANCE, SPACINGS = EPSILON, EPSILON**4, 8
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
        factor = (factor_full if covariance.ndim == 2 else factor_diagonal)(covariance, None)[0]
        # With Λ = F Fᵀ, tr Λ Σ⁻¹ is the sum of D² over the columns of F, which loses fewer digits than a product.
        columns = factor.T if factor.ndim == 2 else np.diag(factor)
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
    same_length(X, responsibilities)
    if responsibilities.ndim != 2:
        raise ValueError(f"responsibilities must have shape (n, K), not {responsibilities.shape}")
    check_covariance(covariance)
    must_be_number(prior_samples, "prior_samples", least=0)
    moments = component_moments(X, responsibilities, covariance != "full")
    prior = MAXIMUM_LIKELIHOOD
    if prior_samples:
        all_samples = stored_form(reduce(add, moments).covariance(ddof=0), covariance)
        prior = PseudoSamples.like(all_samples, prior_samples, len(moments), X.shape[1])
    return maximise(moments, covariance, shared, prior)


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
        moments = _without_the_empty(moments)
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


def _without_the_empty(moments: list[Moments]) -> list[Moments]:
    """Moments in which a component without samples is about the mean of all: only pseudo-samples are left to it."""
    total = reduce(add, moments)
    none = Moments(0.0, total.mean, np.zeros_like(total.scatter))
    return [none if component.weight <= NO_WEIGHT * total.weight else component for component in moments]


def _positive(sizes: np.ndarray) -> np.ndarray:
    """Sizes to divide by: where a component has lost all its samples, its sums are zero as well."""
    return np.maximum(sizes, TINY)


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


def must_be_number(value, name: str, least: float, whole: bool = False) -> None:
    """Raise a ValueError unless this is a finite number of at least `least`; True and False are no numbers."""
    number = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    if not (number and least <= value < np.inf):
        raise ValueError(f"{name} must be a {'whole ' * whole}number, {least} or more, not {value!r}")
