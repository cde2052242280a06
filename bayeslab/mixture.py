"""Gaussian mixtures: each sample comes from one of several Gaussians, and we do not know which."""

from __future__ import annotations

from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from bayeslab._base.arrays import (
    Array,
    Weights,
    as_generator,
    as_weights,
    check_finite,
    check_number,
    check_one_of,
    check_shares,
    listed,
    not_varying,
    one_thread,
    warn_user,
)
from bayeslab._base.estimators import BaseEstimator, DensityMixin
from bayeslab._base.failures import all_or_nothing
from bayeslab.class_densities import ClassDensities
from bayeslab.covariance_kinds import KINDS, Kind
from bayeslab.em import (
    EPSILON,
    NO_WEIGHT,
    CollapsedComponentError,
    EMIteration,
    Parameters,
    PseudoSamples,
    Stored,
    blocks_of_rows,
    component_moments,
    estimate_parameters,
    expected_moments,
    posterior_and_density,
    stored_form,
    variances_of,
)
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments

Seed: TypeAlias = int | np.random.RandomState | np.random.Generator | None
# A variance below this share of that of all samples counts as zero. The share is tiny, since clusters may be 1e29 times
# as far apart as the narrowest is wide.
NEGLIGIBLE = 1e-60
# A standard deviation of fewer than this many spacings of floating-point numbers is rounding error.
SPACINGS = 8


def start_from_init(init: Any, K: int, d: int, total_covariance: Stored, shared: bool) -> Parameters:
    """Check what the user gave as `init`: weights, means and covariances, or means for `start_from_means`."""
    shapes = {"weights": (K,), "means": (K, d), "covariances": (K, *np.shape(total_covariance))}
    if isinstance(init, tuple) and len(init) != 3:
        raise ValueError(f"a tuple as init must be (weights, means, covariances), but it has {len(init)} parts")
    given = dict(zip(shapes, init, strict=True)) if isinstance(init, tuple) else {"means": init}
    for name, part in given.items():
        try:
            given[name] = np.array(part, dtype=float)
        except (TypeError, ValueError):
            raise ValueError(
                f"init must be 'kmeans', 'random', means of shape (K, d) or a tuple (weights, means, covariances), "
                f"not {init!r}"
            ) from None
        if given[name].shape != shapes[name]:
            raise ValueError(f"the {name} in init must have shape {shapes[name]}, not {given[name].shape}")
        check_finite(given[name], f"{name} in init")
    if "weights" not in given:
        return start_from_means(given["means"], total_covariance)
    check_shares(given["weights"], "the weights in init")
    if shared and (given["covariances"] != given["covariances"][0]).any():
        raise ValueError("with shared=True, all covariances in init must be the same")
    return given["weights"], given["means"], given["covariances"]


def start_from_means(means: Array, total_covariance: Stored) -> Parameters:
    """Start from these means, equal weights, and the covariance of all samples."""
    K = len(means)
    return np.full(K, 1 / K), means, np.array([total_covariance] * K)


def start_from_k_means(
    X: Array,
    sample_weight: Array,
    n_components: int,
    covariance: Kind,
    prior: PseudoSamples,
    rng: np.random.RandomState,
) -> Parameters:
    """Start from the clusters of k-means in standardised columns, with the covariance within them."""
    from sklearn.cluster import KMeans  # imported here because it is slow
    from sklearn.preprocessing import StandardScaler

    draw_distinct_rows(X, sample_weight, n_components, rng)  # raises an error if there are too few
    scaled = StandardScaler().fit_transform(X, sample_weight=sample_weight)
    clusters = KMeans(n_components, n_init=1, random_state=rng).fit_predict(scaled, sample_weight=sample_weight)
    responsibilities = np.eye(n_components)[clusters] * sample_weight[:, None]
    moments = component_moments(X, responsibilities, covariance != "full")
    return estimate_parameters(moments, covariance, shared=True, prior=prior)


def draw_distinct_rows(X: Array, sample_weight: Array, n_rows: int, rng: np.random.RandomState) -> Array:
    """Draw rows of X that all differ, with probabilities proportional to their weights."""
    chosen = []
    for i in rng.choice(len(X), len(X), replace=False, p=sample_weight / sample_weight.sum()):
        if not any((X[i] == row).all() for row in chosen):
            chosen.append(X[i])
        if len(chosen) == n_rows:
            return np.array(chosen)
    raise ValueError(f"n_components is {n_rows}, but X has only {len(chosen)} different rows (n_samples = {len(X)})")


def total_covariance_of(X: Array, sample_weight: Array, kind: Kind) -> Stored:
    """Return the covariance of all samples, as a covariance of this kind is stored.

    Raises
    ------
    ValueError
        If the squares of a column overflow, or the samples do not vary in some direction.
    """
    moments = Moments.of(X, sample_weight, diagonal=kind != "full")
    total_covariance = stored_form(moments.covariance(ddof=0), kind)
    try:
        Gaussian(moments.mean, total_covariance)
    except SingularCovarianceError as error:
        raise ValueError(
            f"{not_varying(error.columns)} in these {len(X)} samples, up to rounding: drop such columns, take more "
            f"samples than columns, or use a covariance with fewer parameters, 'diagonal' or 'spherical'"
        ) from None
    return total_covariance


def checked_components(
    parameters: Parameters, total_covariance: Stored, iteration: int, prior: PseudoSamples
) -> list[Gaussian]:
    """Return Gaussians with these weights, means and covariances, or raise a CollapsedComponentError.

    A component has collapsed if

    - its weight is rounding error, unless there are pseudo-samples,
    - a variance of it is negligible beside that of all samples, or its covariance is singular, or
    - in some direction it is as narrow as the spacing of floating-point numbers at its mean.

    How far away other components are does not matter.
    """
    least, gaussians = NEGLIGIBLE * variances_of(total_covariance), []
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


class GaussianMixture(DensityMixin, BaseEstimator):
    """Density p(x) = Σ_k π_k N(x; μ_k, Σ_k), fitted by the EM algorithm.

    Parameters
    ----------
    n_components : int
        K.
    covariance : {"full", "diagonal", "spherical"}
        The kind of Σ_k: any covariance, a diagonal one, or σ²I.
    shared : bool
        Whether all components have the same covariance.
    tol : float
        EM stops when the objective, a mean per sample (see `EMIteration`), changes by less than this. The units of X do
        not matter. With 0, EM makes all `max_iter` iterations.
    max_iter : int
        The largest number of iterations. A `ConvergenceWarning` says if the last one still changed the objective by
        `tol` or more.
    n_init : int
        Number of starts, of which the one with the largest objective is kept. A start in which a component collapses
        is skipped with a warning; it is an error if all of them do. A start given as `init` is tried once. The largest
        may have a narrow component on a few samples in a row, so look at weights and covariances.
    init : {"kmeans", "random"}, (K, d) array, or tuple (weights, means, covariances)
        "kmeans" starts from the clusters of k-means, found in standardised columns (scikit-learn does not standardise),
        and the covariance within them; "random" from K different samples as means; an array holds the means; a tuple
        holds all parameters, in the shapes of the attributes. Where only means are known, the weights are equal and
        each covariance is that of all samples.
    random_state : None, int, RandomState or Generator
        For "kmeans" and "random".
    prior_samples : float
        0 is maximum likelihood. A larger number ν maximises likelihood × prior: each covariance is estimated as if the
        component also had ν pseudo-samples about its mean, with the covariance of all samples divided by K^(2/d), so
        that K such components together have the volume of all samples (Fraley and Raftery). Then no component
        collapses, and one that loses all its samples stays with weight 0. A value of 1 is a weak prior; for full
        covariances Fraley and Raftery use 2d + 4, of a smaller covariance. A pseudo-sample counts as much as a sample
        with `sample_weight` 1.

    Attributes
    ----------
    weights_ : (K,) array
    means_ : (K, d) array
    covariances_ : (K, d, d), (K, d) or (K,) array
        For full, diagonal or spherical covariances. If they are shared, all K are equal.
    gaussians_ : list of K `Gaussian`
    history_ : list of n_iter_ + 1 `EMIteration`
        The start and the result of each iteration. The objective never decreases.
    n_iter_ : int
    converged_ : bool
    lower_bound_ : float
        The last objective.

    Raises
    ------
    CollapsedComponentError
        From `fit`; it names component and iteration.
    ValueError
        From `fit`, if X holds NaN, infinity or numbers whose squares overflow, has fewer different samples than
        components, or does not vary in some direction.

    References
    ----------
    Dempster, Laird and Rubin (1977), Maximum likelihood from incomplete data via the EM algorithm, JRSS B 39.
    Fraley and Raftery (2007), Bayesian regularization for normal mixture estimation and model-based clustering, Journal
    of Classification 24.

    Examples
    --------
    >>> X = [[-2.0], [-1], [0], [4], [5], [6]]
    >>> mixture = GaussianMixture(2, random_state=0).fit(X)
    >>> sorted(mixture.means_.ravel().round(1).tolist())
    [-1.0, 5.0]
    >>> left, right = mixture.predict([[-1.5], [5.5]])
    >>> bool(left == right)
    False
    """

    weights_: Array
    means_: Array
    covariances_: Array
    gaussians_: list[Gaussian]
    history_: list[EMIteration]
    n_iter_: int
    converged_: bool
    lower_bound_: float

    def __init__(
        self,
        n_components: int = 1,
        covariance: Kind = "full",
        shared: bool = False,
        tol: float = 1e-6,
        max_iter: int = 1000,
        n_init: int = 1,
        init: Literal["kmeans", "random"] | ArrayLike | tuple[ArrayLike, ArrayLike, ArrayLike] = "kmeans",
        random_state: Seed = None,
        prior_samples: float = 0.0,
    ) -> None:
        self.n_components = n_components
        self.covariance = covariance
        self.shared = shared
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.init = init
        self.random_state = random_state
        self.prior_samples = prior_samples

    @all_or_nothing
    def fit(self, X: ArrayLike, y: Any = None, sample_weight: Weights = None) -> Self:
        """Estimate weights, means and covariances from X, shape (n, d), without labels; y is ignored.

        A `sample_weight`, shape (n,), of 2 means the same as writing the row twice. A fit that fails or is interrupted
        changes nothing.
        """
        self._check_parameters()
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=2)
        check_finite(X, "X")
        sample_weight = as_weights(sample_weight, len(X))
        unit = sample_weight.max()  # divided by this, sums and products of weights neither overflow nor underflow
        sample_weight = sample_weight / unit
        if not sample_weight.all():
            X, sample_weight = X[sample_weight > 0], sample_weight[sample_weight > 0]
        with one_thread(*X.shape):
            self.history_ = self._best_run(X, sample_weight, float(self.prior_samples / unit))
        self.n_iter_, last = len(self.history_) - 1, self.history_[-1]
        self.weights_, self.means_, self.covariances_ = last.weights, last.means, last.covariances
        K, d = self.means_.shape
        of_one = {"full": d * (d + 1) // 2, "diagonal": d, "spherical": 1}[self.covariance]
        self._is_shared = bool(self.shared)  # which set_params may change after a fit
        self._n_parameters = (K - 1) + K * d + (1 if self.shared else K) * of_one
        self.gaussians_, self.lower_bound_ = last.gaussians, last.objective
        self.converged_ = self._has_converged(self.history_)
        if self.tol and not self.converged_:
            text = f"EM has not converged after max_iter={self.max_iter} iterations: raise max_iter or tol"
            warn_user(text, ConvergenceWarning)
        return self

    def score_samples(self, X: ArrayLike) -> Array:
        """Return ln p(x) of each row, shape (n,), or −∞ where the squared distance to every component overflows."""
        return self._by_block(X)[1]

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return the mean log density of the rows; y is ignored."""
        return float(self.score_samples(X).mean())

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the responsibilities: posterior probabilities of the components for each row, shape (n, K).

        If the squared distances of a row to all components overflow, these are the weights, and a warning says so.
        """
        responsibilities, log_density = self._by_block(X)
        lost = np.flatnonzero(np.isneginf(log_density))
        if len(lost):
            warn_user(f"rows too far from all components: {listed(lost.tolist())}; the weights alone decide there")
            responsibilities[lost] = self.weights_
        return responsibilities

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return the index of the most probable component of each row, shape (n,); a tie goes to the first one."""
        return self.predict_proba(X).argmax(axis=1)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, NDArray[np.intp]]:
        """Draw n samples, shape (n, d), sorted by component; also return the component of each, shape (n,)."""
        check_is_fitted(self)
        check_number(n, "n", least=0, whole=True)
        sizes = as_generator(rng).multinomial(n, self.weights_)
        drawn = [gaussian.sample(size, rng) for gaussian, size in zip(self.gaussians_, sizes, strict=True)]
        return np.concatenate(drawn), np.repeat(np.arange(len(sizes)), sizes)

    def bic(self, X: ArrayLike) -> float:
        """Return the Bayesian information criterion p ln n − 2 ln L, of p parameters and n rows: lower is better."""
        log_density = self.score_samples(X)
        return float(self._n_parameters * np.log(len(log_density)) - 2 * log_density.sum())

    def _by_block(self, X: ArrayLike) -> tuple[Array, ...]:
        """Check X and apply `posterior_and_density` to a block of rows at a time."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=False)
        check_finite(X, "X")
        with one_thread(*X.shape):
            densities = ClassDensities(self.gaussians_, self._is_shared)
            diagonal = self.gaussians_[0].whitening.ndim == 1
            blocks = (block for block, _ in blocks_of_rows(X, len(self.weights_), diagonal))
            parts = [posterior_and_density(block, self.weights_, densities) for block in blocks]
        return tuple(np.concatenate(part) for part in zip(*parts, strict=True))

    def _best_run(self, X: Array, sample_weight: Array, prior_samples: float) -> list[EMIteration]:
        """Run EM from each start; return the history that reaches the largest objective."""
        seed = self.random_state
        if isinstance(seed, np.random.Generator):  # which scikit-learn doesn't accept
            seed = int(seed.integers(2**32))
        rng = check_random_state(seed)
        total_covariance = total_covariance_of(X, sample_weight, self.covariance)
        # Fraley and Raftery (2007): K components with this covariance have together the volume √|Σ| of all samples.
        prior = PseudoSamples(prior_samples, total_covariance / self.n_components ** (2 / X.shape[1]))
        runs, collapsed = [], []
        for _ in range(self.n_init if isinstance(self.init, str) else 1):
            try:
                start = self._start(X, sample_weight, total_covariance, prior, rng)
                runs.append(self._iterate(X, sample_weight, start, total_covariance, prior))
            except CollapsedComponentError as error:
                collapsed.append(error)
        if not runs:
            raise collapsed[-1]
        if collapsed:
            warn_user(f"{len(collapsed)} of {self.n_init} starts were skipped. The last one: {collapsed[-1]}")
        return max(runs, key=lambda history: history[-1].objective)

    def _start(
        self, X: Array, sample_weight: Array, total_covariance: Stored, prior: PseudoSamples, rng: np.random.RandomState
    ) -> Parameters:
        """Return the weights, means and covariances to start from."""
        if not isinstance(self.init, str):
            return start_from_init(self.init, self.n_components, X.shape[1], total_covariance, self.shared)
        if self.init == "kmeans":
            return start_from_k_means(X, sample_weight, self.n_components, self.covariance, prior, rng)
        means = draw_distinct_rows(X, sample_weight, self.n_components, rng)
        return start_from_means(means, total_covariance)

    def _iterate(
        self, X: Array, sample_weight: Array, parameters: Parameters, total_covariance: Stored, prior: PseudoSamples
    ) -> list[EMIteration]:
        """Iterate from these parameters until EM has converged; return the history."""
        history, n, diagonal = [], sample_weight.sum(), self.covariance != "full"
        while True:
            gaussians = checked_components(parameters, total_covariance, len(history), prior)
            log_likelihood, moments = expected_moments(
                X, sample_weight, parameters[0], gaussians, diagonal, self.shared
            )
            objective = log_likelihood + prior.log_likelihood(gaussians, self.shared)
            weights, means, covariances = parameters
            history.append(EMIteration(weights, means, covariances, float(log_likelihood / n), float(objective / n)))
            if len(history) > self.max_iter or self._has_converged(history):
                return history
            parameters = estimate_parameters(moments, self.covariance, self.shared, prior)

    def _has_converged(self, history: list[EMIteration]) -> bool:
        return len(history) > 1 and abs(history[-1].objective - history[-2].objective) < self.tol

    def _check_parameters(self) -> None:
        for name, least in (("n_components", 1), ("n_init", 1), ("max_iter", 0)):
            check_number(getattr(self, name), name, least, whole=True)
        for name in ("tol", "prior_samples"):
            check_number(getattr(self, name), name, least=0)
        check_one_of(self.covariance, "covariance", KINDS)
        if not isinstance(self.shared, bool | np.bool_):
            raise ValueError(f"shared must be True or False, not {self.shared!r}")
        if isinstance(self.init, str) and self.init not in ("kmeans", "random"):
            raise ValueError(f"init must be 'kmeans', 'random', means or a tuple of parameters, not {self.init!r}")
