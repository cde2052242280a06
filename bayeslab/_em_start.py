"""Where the EM algorithm may start from, and the covariance of all samples, which some starts and the prior take."""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_random_state

from bayeslab._base.arrays import check_finite
from bayeslab._base.labels import check_shares
from bayeslab._base.warn import listed, not_varying
from bayeslab.em import component_moments, maximise
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments
from bayeslab.pseudo_samples import MAXIMUM_LIKELIHOOD, PseudoSamples, stored_form, variances_of

# Of larger numbers, or of smaller differences, the squares and the ratios of squares may not be floats.
LARGEST, LEAST_RANGE = 1e120, 1e-120


def as_random_state(random_state) -> np.random.RandomState:
    """Return what scikit-learn draws from; a `Generator`, which it does not take, gives a seed."""
    if isinstance(random_state, np.random.Generator):
        random_state = int(random_state.integers(2**32))
    return check_random_state(random_state)


def given_start(init, n_components: int, X, sample_weight, spread: np.ndarray, shared: bool):
    """Weights, means and covariances as a user gave them: all, or means only, as in `equal_components`."""
    K, d = n_components, X.shape[1]
    if isinstance(init, tuple):
        if len(init) != 3:
            raise ValueError(f"a tuple as init must be (weights, means, covariances), but it has {len(init)} parts")
        start = weights, means, covariances = [_as_floats(part, init) for part in init]
        parts = {"means": (means, (K, d)), "weights": (weights, (K,)), "covariances": (covariances, (K, *spread.shape))}
    else:
        means = _as_floats(init, init)
        parts = {"means": (means, (K, d))}
    for name, (array, shape) in parts.items():
        if array.shape != shape:
            raise ValueError(f"the {name} in init must have shape {shape}, not {array.shape}")
        check_finite(array, f"{name} in init")
    if not isinstance(init, tuple):
        return equal_components(means, X, sample_weight, spread)
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


def equal_components(means: np.ndarray, X, sample_weight, spread: np.ndarray):
    """Components with these means, equal weights, and the covariance of all samples.

    Where clusters are so far apart that their distance hides all other directions in that covariance, it is the one
    within the groups of samples that are nearest to each mean.
    """
    try:
        Gaussian(means[0], spread)
    except SingularCovarianceError:
        deviation = np.sqrt(spread.diagonal())
        squared = np.array([np.square((X - mean) / deviation).sum(axis=1) for mean in means])
        spread = _clusters(X, sample_weight, squared.argmin(axis=0), len(means), "full", MAXIMUM_LIKELIHOOD)[2][0]
    K = len(means)
    return np.full(K, 1 / K), means, np.array([spread] * K)


def clusters_of_k_means(X, sample_weight, n_components: int, covariance: str, prior: PseudoSamples, rng):
    """Components that are the clusters of k-means in units of the columns' deviations, with the covariance within."""
    from sklearn.cluster import KMeans  # only here, because this import takes long
    from sklearn.preprocessing import StandardScaler

    different_rows(X, sample_weight, n_components, rng)
    scaled = StandardScaler().fit_transform(X, sample_weight=sample_weight)
    k_means = KMeans(n_components, n_init=1, random_state=rng)
    clusters = k_means.fit_predict(scaled, sample_weight=sample_weight)
    return _clusters(X, sample_weight, clusters, n_components, covariance, prior)


def _clusters(X, sample_weight, clusters, n_components: int, covariance: str, prior: PseudoSamples):
    """M-step of components that are these clusters of rows, with the covariance within them."""
    responsibilities = np.eye(n_components)[clusters] * sample_weight[:, None]
    return maximise(component_moments(X, responsibilities, covariance != "full"), covariance, shared=True, prior=prior)


def different_rows(X, sample_weight, n_rows, rng) -> np.ndarray:
    """Draw rows of X that are not equal, each as probable as its weight."""
    chosen = []
    for i in rng.choice(len(X), len(X), replace=False, p=sample_weight / sample_weight.sum()):
        if not any((X[i] == row).all() for row in chosen):
            chosen.append(X[i])
        if len(chosen) == n_rows:
            return np.array(chosen)
    raise ValueError(f"n_components is {n_rows}, but X has only {len(chosen)} different rows (n_samples = {len(X)})")


def covariance_of_all(X, sample_weight, covariance: str) -> np.ndarray | float:
    """Covariance of all samples, of the components' kind.

    Raises
    ------
    ValueError
        If the squares of some column are no floats, or the samples do not vary in some direction.
    """
    _check_not_huge(X)
    moments = Moments.of(X, sample_weight, diagonal=covariance != "full")
    spread = stored_form(moments.covariance(ddof=0), covariance)
    _check_not_tiny(X, variances_of(spread))
    try:
        Gaussian(moments.mean, spread)
    except SingularCovarianceError as error:
        # Of clusters far apart the covariance is singular up to rounding, though the samples themselves are not.
        deviation = np.sqrt(variances_of(spread))
        if not deviation.all() or _rank(X, moments.mean, deviation) < X.shape[1]:
            raise ValueError(_what_does_not_vary(error.columns, deviation, covariance, len(X))) from None
    return spread


def _rank(X: np.ndarray, mean: np.ndarray, deviation: np.ndarray) -> int:
    """Rank of centred samples, from singular values, which see twice the digits that the covariance has."""
    rounding = 64 * np.finfo(float).eps * max(1, (np.abs(X).max(axis=0) / deviation).max())
    return int(np.linalg.matrix_rank((X - mean) / deviation, rtol=rounding))


def _check_not_huge(X: np.ndarray) -> None:
    """Raise a ValueError that names the column of the first number whose square is no float."""
    if max(X.max(initial=0), -X.min(initial=0)) > LARGEST:
        largest = np.abs(X).max(axis=0)
        column = int(largest.argmax())
        raise ValueError(f"column {column} holds {largest[column]:g}, which is too large to square: take a larger unit")


def _check_not_tiny(X: np.ndarray, variances: np.ndarray) -> None:
    if (variances < LEAST_RANGE**2).any():  # the range itself takes longer
        ranges = np.ptp(X, axis=0)
        for column in np.flatnonzero((ranges > 0) & (ranges < LEAST_RANGE)):
            varies = f"column {column} varies by {ranges[column]:g} only"
            raise ValueError(f"{varies}, too little to square: take a smaller unit")


def _what_does_not_vary(columns: list[int], deviation: np.ndarray, covariance: str, n_samples: int) -> str:
    """Sentence about the columns of a singular covariance, with remedies that fit its kind."""
    if not deviation.any():
        which = f"columns {listed(columns)} do" if len(columns) > 1 else "column 0 does"
        return f"{which} not vary in these {n_samples} samples: a mixture needs samples that differ"
    one = len(columns) == 1
    if not deviation[columns].any():
        which = f"column {listed(columns)} does not vary" if one else f"columns {listed(columns)} do not vary"
        remedies = f"drop {'this column' if one else 'these columns'}, or take covariance='spherical'"
    else:
        which = not_varying(columns)
        remedies = (
            "drop one of these columns, project with PCA before fitting, take more samples than columns, or a "
            "covariance with fewer parameters: covariance='diagonal'"
        )
    return f"{which} in these {n_samples} samples: {remedies}"
