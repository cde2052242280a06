"""Starts of the EM algorithm, and the covariance of all samples, which some starts and the prior need."""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_random_state

from bayeslab._base.arrays import check_finite
from bayeslab._base.labels import check_shares
from bayeslab._base.warn import listed, not_varying
from bayeslab.em import component_moments, estimate_parameters, stored_form, variances_of
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments
from bayeslab.pseudo_samples import NO_PRIOR, PseudoSamples

# Squares, or ratios of squares, of larger numbers may overflow, and of smaller differences underflow.
LARGEST, SMALLEST_RANGE = 1e120, 1e-120


def as_random_state(random_state) -> np.random.RandomState:
    """Return a RandomState for scikit-learn, which accepts no `Generator`: one of those draws a seed for it."""
    if isinstance(random_state, np.random.Generator):
        random_state = int(random_state.integers(2**32))
    return check_random_state(random_state)


def start_from_init(init, n_components: int, X, sample_weight, total_covariance: np.ndarray, shared: bool):
    """Check what the user gave as `init`: weights, means and covariances, or means for `start_from_means`."""
    K, d = n_components, X.shape[1]
    shapes = {"weights": (K,), "means": (K, d), "covariances": (K, *total_covariance.shape)}
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
        return start_from_means(given["means"], X, sample_weight, total_covariance)
    check_shares(given["weights"], "the weights in init")
    if shared and (given["covariances"] != given["covariances"][0]).any():
        raise ValueError("with shared=True, all covariances in init must be the same")
    return tuple(given.values())


def start_from_means(means: np.ndarray, X, sample_weight, total_covariance: np.ndarray):
    """Start from these means, equal weights, and the covariance of all samples.

    If clusters are so far apart that this covariance is singular up to rounding, start from the covariance within the
    groups of samples that are nearest to each mean.
    """
    K = len(means)
    try:
        Gaussian(means[0], total_covariance)
    except SingularCovarianceError:
        deviation = np.sqrt(total_covariance.diagonal())
        squared = np.array([np.square((X - mean) / deviation).sum(axis=1) for mean in means])
        total_covariance = _within_clusters(X, sample_weight, squared.argmin(axis=0), K, "full", NO_PRIOR)[2][0]
    return np.full(K, 1 / K), means, np.array([total_covariance] * K)


def start_from_k_means(X, sample_weight, n_components: int, covariance: str, prior: PseudoSamples, rng):
    """Start from the clusters of k-means in standardised columns, with the covariance within them."""
    from sklearn.cluster import KMeans  # imported here because it is slow
    from sklearn.preprocessing import StandardScaler

    draw_distinct_rows(X, sample_weight, n_components, rng)  # raises an error if there are too few
    scaled = StandardScaler().fit_transform(X, sample_weight=sample_weight)
    k_means = KMeans(n_components, n_init=1, random_state=rng)
    clusters = k_means.fit_predict(scaled, sample_weight=sample_weight)
    return _within_clusters(X, sample_weight, clusters, n_components, covariance, prior)


def _within_clusters(X, sample_weight, clusters, n_components: int, covariance: str, prior: PseudoSamples):
    """Return the weights and means of these clusters of rows, and the covariance within them."""
    responsibilities = np.eye(n_components)[clusters] * sample_weight[:, None]
    moments = component_moments(X, responsibilities, covariance != "full")
    return estimate_parameters(moments, covariance, shared=True, prior=prior)


def draw_distinct_rows(X, sample_weight, n_rows, rng) -> np.ndarray:
    """Draw rows of X that all differ, with probabilities proportional to their weights."""
    chosen = []
    for i in rng.choice(len(X), len(X), replace=False, p=sample_weight / sample_weight.sum()):
        if not any((X[i] == row).all() for row in chosen):
            chosen.append(X[i])
        if len(chosen) == n_rows:
            return np.array(chosen)
    raise ValueError(f"n_components is {n_rows}, but X has only {len(chosen)} different rows (n_samples = {len(X)})")


def total_covariance_of(X, sample_weight, kind: str) -> np.ndarray | float:
    """Return the covariance of all samples, as a covariance of this kind is stored.

    Raises
    ------
    ValueError
        If the squares of a column overflow or underflow, or the samples do not vary in some direction.
    """
    _check_can_be_squared(X)
    moments = Moments.of(X, sample_weight, diagonal=kind != "full")
    total_covariance = stored_form(moments.covariance(ddof=0), kind)
    try:
        Gaussian(moments.mean, total_covariance)
    except SingularCovarianceError as error:
        # With clusters far apart the covariance can be singular up to rounding although the samples do vary.
        deviation = np.sqrt(variances_of(total_covariance))
        if not deviation.all() or _rank(X, moments.mean, deviation) < X.shape[1]:
            raise ValueError(_what_is_constant(error.columns, deviation, len(X))) from None
    return total_covariance


def _rank(X: np.ndarray, mean: np.ndarray, deviation: np.ndarray) -> int:
    """Rank of the centred samples, from their singular values: twice as many digits as in the covariance."""
    rounding = 64 * np.finfo(float).eps * max(1, (np.abs(X).max(axis=0) / deviation).max())
    return int(np.linalg.matrix_rank((X - mean) / deviation, rtol=rounding))


def _check_can_be_squared(X: np.ndarray) -> None:
    """Raise a ValueError that names a column whose numbers are too large, or differences too small, to square."""
    for column, x in enumerate(X.T):
        low, high = x.min(), x.max()
        largest = max(-low, high)
        if largest > LARGEST:
            raise ValueError(f"column {column} holds {largest:g}, which is too large to square: use a larger unit")
        if 0 < high - low < SMALLEST_RANGE:
            varies = f"column {column} varies by only {high - low:g}"
            raise ValueError(f"{varies}, which is too little to square: use a smaller unit")


def _what_is_constant(columns: list[int], deviation: np.ndarray, n_samples: int) -> str:
    """Describe the columns of a singular covariance, with a remedy."""
    if deviation.any() and deviation[columns].any():
        which = not_varying(columns)
        remedy = (
            "drop one of these columns, project with PCA before fitting, use more samples than columns, or use "
            "covariance='diagonal', which has fewer parameters"
        )
    else:
        which = f"columns {listed(columns)} do not vary" if len(columns) > 1 else f"column {columns[0]} does not vary"
        drop = "drop them" if len(columns) > 1 else "drop it"
        remedy = f"{drop}, or use covariance='spherical'" if deviation.any() else "a mixture needs samples that differ"
    return f"{which} in these {n_samples} samples: {remedy}"
