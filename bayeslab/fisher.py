"""Fisher's axes: the directions in which the means of the classes differ most beside the spread within the classes."""

from __future__ import annotations

import numpy as np


def fisher_axes(means: np.ndarray, priors: np.ndarray, whitening: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find the axes, and the share of the variance between the means that lies along each.

    Where the covariance within the classes is round, distance tells how well two classes are separated; there, the axes
    are the principal axes of the means. They maximise (aᵀ S_b a) / (aᵀ S_w a).

    Parameters
    ----------
    means : (K, d) array
    priors : (K,) array
        Weights of the means, with the sum 1.
    whitening : (d, r) array
        W with W Wᵀ = Σ⁻¹, the inverse of the covariance within the classes.

    Returns
    -------
    axes : (d, min(K − 1, r)) array
        One a column, the most important first; along each the variance within the classes is 1. Signs are arbitrary.
    ratio : (min(K − 1, r),) array
        Their shares of the variance between the means, with the sum 1.

    References
    ----------
    Fisher (1936), The use of multiple measurements in taxonomic problems, Annals of Eugenics 7; Rao (1948), JRSS B 10.

    Examples
    --------
    Two means differ along the first column, where the classes are narrow, and by more along the second, where not:

    >>> means = np.array([[-1.0, -5.0], [1.0, 5.0]])
    >>> axes, ratio = fisher_axes(means, np.array([0.5, 0.5]), whitening=np.diag([1 / 0.1, 1 / 10]))
    >>> abs(axes[:, 0] / axes[0, 0]).round(4).tolist(), ratio.tolist()
    ([1.0, 0.0005], [1.0])
    """
    whitened = (means - priors @ means) @ whitening
    _, strengths, rotation = np.linalg.svd(np.sqrt(priors)[:, None] * whitened, full_matrices=False)
    n_axes = min(len(means) - 1, whitening.shape[1])
    variances = strengths[:n_axes] ** 2
    return whitening @ rotation[:n_axes].T, variances / (variances.sum() or 1.0)
