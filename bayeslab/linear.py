"""What a shared covariance makes possible: linear scores, and Fisher's axes."""

from __future__ import annotations

import numpy as np


def linear_scores(means: np.ndarray, whitening: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and constants of ln N(x; μ_k, Σ), up to a term that is the same for all classes.

    In −½ (x − μ_k)ᵀ Σ⁻¹ (x − μ_k) the quadratic term −½ xᵀΣ⁻¹x is the same for every class, so it does not affect the
    decision. What is left is linear in x: xᵀΣ⁻¹μ_k − ½ μ_kᵀΣ⁻¹μ_k. Any origin will do for x and the means; one near the
    means is the most accurate.

    Parameters
    ----------
    means : (K, d) array
    whitening : (d, r) array, or (d,) for a diagonal Σ
        W with W Wᵀ = Σ⁻¹.

    Returns
    -------
    coefficients : (K, d) array
        Σ⁻¹μ_k.
    constants : (K,) array
        −½ μ_kᵀΣ⁻¹μ_k.

    Examples
    --------
    >>> means = np.array([[0.0], [2.0]])
    >>> coefficients, constants = linear_scores(means, np.eye(1))
    >>> halfway = np.array([1.0])
    >>> (coefficients @ halfway + constants).tolist()  # a tie
    [0.0, 0.0]
    """
    whitening = np.diag(whitening) if whitening.ndim == 1 else whitening
    whitened = means @ whitening
    return whitened @ whitening.T, -0.5 * np.square(whitened).sum(axis=1)


def fisher_axes(means: np.ndarray, priors: np.ndarray, whitening: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fisher's axes, and the share of the variance between the means that lies along each.

    They maximise (aᵀ S_b a) / (aᵀ S_w a). After whitening, the covariance within the classes is round, and the axes are
    the principal axes of the means.

    Parameters
    ----------
    means : (K, d) array
    priors : (K,) array
        Weights of the means; they sum to 1.
    whitening : (d, r) array
        W with W Wᵀ = Σ⁻¹, the inverse of the covariance within the classes.

    Returns
    -------
    axes : (d, min(K − 1, r)) array
        One per column, the most important first. The variance within the classes is 1 along each; signs are arbitrary.
    ratio : (min(K − 1, r),) array
        Their shares of the variance between the means; they sum to 1, or are all 0 if the means are equal.

    References
    ----------
    Fisher (1936), The use of multiple measurements in taxonomic problems, Annals of Eugenics 7; Rao (1948), JRSS B 10.

    Examples
    --------
    The classes are narrow along the first column and wide along the second, where their means differ more:

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
