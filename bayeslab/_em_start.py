"""Starts of the EM algorithm, and the covariance of all samples, which some starts and the prior need."""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_random_state

from bayeslab._base.arrays import check_finite
from bayeslab._base.labels import check_shares
from bayeslab._base.warn import listed, not_varying
from bayeslab.em import component_moments, estimate_parameters
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments
from bayeslab.pseudo_samples import NO_PRIOR, PseudoSamples, stored_form, variances_of

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
    if isinstance(init, tuple):
        if len(init) != 3:
            raise ValueError(f"a tuple as init must be (weights, means, covariances), but it has {len(init)} parts")
        start = weights, means, covariances = [_as_floats(part, init) for part in init]
        of_covariances = K, *total_covariance.shape
        parts = {"means": (means, (K, d)), "weights": (weights, (K,)), "covariances": (covariances, of_covariances)}
    else:
        means = _as_floats(init, init)
        parts = {"means": (means, (K, d))}
    for name, (array, shape) in parts.items():
        if array.shape != shape:
            raise ValueError(f"the {name} in init must have shape {shape}, not {array.shape}")
        check_finite(array, f"{name} in init")
    if not isinstance(init, tuple):
        return start_from_means(means, X, sample_weight, total_covariance)
    check_shares(weights, "the weights in init")
    if shared and (covariances != covariances[0]).any():
        raise ValueError("with shared=True, all covariances in init must be the same")
    return tuple(start)


def _as_floats(part, init) -> np.ndarray:
    try:
        return np.array(part if part is not None else "None", dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            f"init must be 'kmeans', 'random', means of shape (K, d) or a tuple (weights, means, covariances), "
            f"not {init!r}"
        ) from None


def start_from_means(means: np.ndarray, X, sample_weight, total_covariance: np.ndarray):
    """Start from these means, equal weights, and the covariance of all samples.

    If clusters are so far apart that this covariance is singular up to rounding, start from the covariance within the
    groups of samples that are nearest to each mean.
    """
    try:
        Gaussian(means[0], total_covariance)
    except SingularCovarianceError:
        deviation = np.sqrt(total_covariance.diagonal())
        squared = np.array([np.square((X - mean) / deviation).sum(axis=1) for mean in means])
        total_covariance = _clusters(X, sample_weight, squared.argmin(axis=0), len(means), "full", NO_PRIOR)[2][0]
    K = len(means)
    return np.full(K, 1 / K), means, np.array([total_covariance] * K)


def start_from_k_means(X, sample_weight, n_components: int, covariance: str, prior: PseudoSamples, rng):
    """Start from the clusters of k-means in standardised columns, with the covariance within them."""
    from sklearn.cluster import KMeans  # imported here because it is slow
    from sklearn.preprocessing import StandardScaler

    draw_distinct_rows(X, sample_weight, n_components, rng)
    scaled = StandardScaler().fit_transform(X, sample_weight=sample_weight)
    k_means = KMeans(n_components, n_init=1, random_state=rng)
    clusters = k_means.fit_predict(scaled, sample_weight=sample_weight)
    return _clusters(X, sample_weight, clusters, n_components, covariance, prior)


def _clusters(X, sample_weight, clusters, n_components: int, covariance: str, prior: PseudoSamples):
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
    _check_not_huge(X)
    moments = Moments.of(X, sample_weight, diagonal=kind != "full")
    total_covariance = stored_form(moments.covariance(ddof=0), kind)
    _check_not_tiny(X, variances_of(total_covariance))
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


def _check_not_huge(X: np.ndarray) -> None:
    """Raise a ValueError that names the column with the largest number if its square may overflow."""
    if max(X.max(initial=0), -X.min(initial=0)) > LARGEST:
        largest = np.abs(X).max(axis=0)
        column = int(largest.argmax())
        raise ValueError(f"column {column} holds {largest[column]:g}, which is too large to square: use a larger unit")


def _check_not_tiny(X: np.ndarray, variances: np.ndarray) -> None:
    """Raise a ValueError that names the first column whose differences are too small to square."""
    if (variances < SMALLEST_RANGE**2).any():  # quicker than computing the ranges
        ranges = np.ptp(X, axis=0)
        for column in np.flatnonzero((ranges > 0) & (ranges < SMALLEST_RANGE)):
            varies = f"column {column} varies by only {ranges[column]:g}"
            raise ValueError(f"{varies}, which is too little to square: use a smaller unit")


def _what_is_constant(columns: list[int], deviation: np.ndarray, n_samples: int) -> str:
    """Describe the columns of a singular covariance, with remedies that fit its kind."""
    if not deviation.any():
        which = f"columns {listed(columns)} do" if len(columns) > 1 else "column 0 does"
        return f"{which} not vary in these {n_samples} samples: a mixture needs samples that differ"
    one = len(columns) == 1
    if not deviation[columns].any():
        which = f"column {listed(columns)} does not vary" if one else f"columns {listed(columns)} do not vary"
        remedies = f"drop {'this column' if one else 'these columns'}, or use covariance='spherical'"
    else:
        which = not_varying(columns)
        remedies = (
            "drop one of these columns, project with PCA before fitting, use more samples than columns, or use "
            "covariance='diagonal', which has fewer parameters"
        )
    return f"{which} in these {n_samples} samples: {remedies}"
