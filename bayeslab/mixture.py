"""Gaussian mixtures: several Gaussians make the samples, and which of them made which is not known."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from bayeslab._base.arrays import as_generator, as_weights, check_finite, check_number, check_one_of
from bayeslab._base.atomic import all_or_nothing
from bayeslab._base.blocks import one_thread
from bayeslab._base.warn import warn_user
from bayeslab._collapse import living_components
from bayeslab._em_start import (
    as_random_state,
    clusters_of_k_means,
    covariance_of_all,
    different_rows,
    equal_components,
    given_start,
)
from bayeslab.covariance_kinds import KINDS
from bayeslab.em import CollapsedComponentError, EMIteration, blocks_of_columns, e_step, expected_moments, maximise
from bayeslab.pseudo_samples import PseudoSamples


class GaussianMixture(DensityMixin, BaseEstimator):
    """Density p(x) = Σ_k λ_k N(x; μ_k, Σ_k), fitted by the EM algorithm.

    Parameters
    ----------
    n_components : int
        K.
    covariance : {"full", "diagonal", "spherical"}
        What Σ_k may be: any covariance, a diagonal one, or σ²I.
    shared : bool
        One covariance for all components.
    tol : float
        The iterations end when the objective (see `EMIteration`), the mean log-likelihood per sample, changes by less:
        a difference, on which the units of X have no influence. With 0 all `max_iter` are made.
    max_iter : int
        Iterations at most. If the last one still changed the objective by `tol`, a `ConvergenceWarning` says so.
    n_init : int
        So many starts, of which the one with the largest objective is kept. A start in which a component collapses is
        left out with a warning; if all do, that is an error. A start that is given is tried once.
    init : {"kmeans", "random"}, (K, d) array, or tuple (weights, means, covariances)
        Clusters of k-means, with columns in units of their standard deviations (scikit-learn takes them as they are)
        and the covariance within the clusters; K different samples as means; these means; or all parameters, in the
        shapes of the attributes. For the means alone, weights are equal, and each covariance is that of all samples.
    random_state : None, int, RandomState or Generator
        For "kmeans" and "random".
    prior_samples : float
        0 is maximum likelihood. Above, each covariance is estimated as if the component, beside its share of the
        samples, had made so many pseudo-samples about its mean, with the covariance of all samples divided by K^(2/d):
        K such components have together the volume of all samples (Fraley and Raftery). That is the maximum of
        likelihood × prior; nothing collapses, and a component that loses all samples is kept with the weight 0. One
        pseudo-sample is little; for full covariances Fraley and Raftery count 2d + 4, of a smaller spread. A sample
        counts as much as its `sample_weight` says.

    Attributes
    ----------
    weights_ : (K,) array
    means_ : (K, d) array
    covariances_ : (K, d, d), (K, d) or (K,) array
        For a full, diagonal or spherical covariance; K times the same, if it is shared.
    gaussians_ : list of K `Gaussian`
    history_ : list of n_iter_ + 1 `EMIteration`
        The start, and what each iteration made of it; the objective never decreases.
    n_iter_ : int
    converged_ : bool
    lower_bound_ : float
        The last objective: the mean log-likelihood per sample, with that of the pseudo-samples, if there are any.

    Raises
    ------
    CollapsedComponentError
        From `fit`; it names component and iteration.
    ValueError
        From `fit`, if X holds NaN, infinity or numbers whose squares are no floats, has too few different samples, or
        does not vary in some direction.

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
    >>> one, other = mixture.predict([[-1.5], [5.5]])
    >>> bool(one == other)
    False
    """

    def __init__(
        self,
        n_components=1,
        covariance="full",
        shared=False,
        tol=1e-6,
        max_iter=1000,
        n_init=1,
        init="kmeans",
        random_state=None,
        prior_samples=0.0,
    ):
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
    def fit(self, X, y=None, sample_weight=None) -> GaussianMixture:
        """Estimate weights, means and covariances from X, shape (n, d), without labels: y is ignored.

        A `sample_weight`, shape (n,), of 2 means the same as writing the row twice. A fit that fails, or is
        interrupted, changes nothing.
        """
        self._check_parameters()
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=2)
        check_finite(X, "X")
        sample_weight = as_weights(sample_weight, len(X))
        unit = sample_weight.max()  # in which sums and products of weights are floats
        sample_weight = sample_weight / unit
        kept = sample_weight > 0
        if not kept.all():
            X, sample_weight = X[kept], sample_weight[kept]
        # More pseudo-samples than that leave nothing of the samples, and their number must remain a float.
        prior_samples = min(float(self.prior_samples) / float(unit), 1e100)
        with one_thread(*X.shape):
            self.history_ = self._best_run(X, sample_weight, prior_samples)
        self.n_iter_, last = len(self.history_) - 1, self.history_[-1]
        self.weights_, self.means_, self.covariances_ = last.weights, last.means, last.covariances
        K, d = self.means_.shape
        of_one = {"full": d * (d + 1) // 2, "diagonal": d, "spherical": 1}[self.covariance]
        self._n_parameters = (K - 1) + K * d + (1 if self.shared else K) * of_one
        self.gaussians_, self.lower_bound_ = last.gaussians, last.objective
        self.converged_ = self._has_converged(self.history_)
        if self.tol and not self.converged_:
            text = f"EM has not converged after max_iter={self.max_iter} iterations: raise max_iter or tol"
            warn_user(text, ConvergenceWarning)
        return self

    def fit_predict(self, X, y=None, sample_weight=None) -> np.ndarray:
        """Fit to X and return the most probable component of each row, shape (n,); parameters as in `fit`."""
        return self.fit(X, sample_weight=sample_weight).predict(X)

    def score_samples(self, X) -> np.ndarray:
        """Log density ln p(x) of each row, shape (n,)."""
        return self._e_step(X)[1]

    def score(self, X, y=None) -> float:
        """Mean log-likelihood per sample; y is ignored."""
        return float(self.score_samples(X).mean())

    def predict_proba(self, X) -> np.ndarray:
        """Responsibilities: the posterior probability of each component for each row, shape (n, K)."""
        return self._e_step(X)[0]

    def predict(self, X) -> np.ndarray:
        """Index of the most probable component of each row, shape (n,)."""
        return self.predict_proba(X).argmax(axis=1)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw n samples, component after component: X of shape (n, d), and the component of each, shape (n,)."""
        check_is_fitted(self)
        sizes = as_generator(rng).multinomial(n, self.weights_)
        drawn = [gaussian.sample(size, rng) for gaussian, size in zip(self.gaussians_, sizes, strict=True)]
        return np.concatenate(drawn), np.repeat(np.arange(len(sizes)), sizes)

    def bic(self, X) -> float:
        """Bayesian information criterion p ln n − 2 ln L of the p parameters on the n rows of X: less is better."""
        log_density = self.score_samples(X)
        return float(self._n_parameters * np.log(len(log_density)) - 2 * log_density.sum())

    def aic(self, X) -> float:
        """Akaike's information criterion 2 p − 2 ln L: less is better."""
        return float(2 * self._n_parameters - 2 * self.score_samples(X).sum())

    def _e_step(self, X) -> tuple[np.ndarray, np.ndarray]:
        """`e_step` of checked samples, a block at a time."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=False)
        check_finite(X, "X")
        with one_thread(*X.shape):
            blocks = (block for block, _ in blocks_of_columns(X, self.n_components))
            parts = [e_step(block, self.weights_, self.gaussians_) for block in blocks]
        return tuple(np.concatenate(part) for part in zip(*parts, strict=True))

    def _best_run(self, X, sample_weight, prior_samples: float) -> list[EMIteration]:
        """History of the best of all starts in which no component collapses."""
        rng = as_random_state(self.random_state)
        spread = covariance_of_all(X, sample_weight, self.covariance)
        prior = PseudoSamples.like(spread, prior_samples, self.n_components, X.shape[1])
        runs, collapsed = [], []
        for _ in range(self.n_init if isinstance(self.init, str) else 1):
            try:
                start = self._start(X, sample_weight, spread, prior, rng)
                runs.append(self._iterate(X, sample_weight, start, spread, prior))
            except CollapsedComponentError as error:
                collapsed.append(error)
        if not runs:
            raise collapsed[-1]
        if collapsed:
            warn_user(f"{len(collapsed)} of {self.n_init} starts are left out: {collapsed[-1]}")
        return max(runs, key=lambda history: history[-1].objective)

    def _start(self, X, sample_weight, spread, prior, rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Weights, means and covariances to start from."""
        if not isinstance(self.init, str):
            return given_start(self.init, self.n_components, X, sample_weight, spread, self.shared)
        if self.init == "kmeans":
            return clusters_of_k_means(X, sample_weight, self.n_components, self.covariance, prior, rng)
        return equal_components(different_rows(X, sample_weight, self.n_components, rng), X, sample_weight, spread)

    def _iterate(self, X, sample_weight, parameters, spread, prior: PseudoSamples) -> list[EMIteration]:
        """Make EM iterations from these parameters until they converge; return the history."""
        history, n, diagonal = [], sample_weight.sum(), self.covariance != "full"
        while True:
            gaussians = living_components(parameters, spread, len(history), prior)
            log_likelihood, moments = expected_moments(X, sample_weight, parameters[0], gaussians, diagonal)
            objective = log_likelihood + prior.log_likelihood(gaussians, self.shared)
            history.append(EMIteration(*parameters, float(log_likelihood / n), float(objective / n)))
            if len(history) > self.max_iter or self._has_converged(history):
                return history
            parameters = maximise(moments, self.covariance, self.shared, prior)

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
