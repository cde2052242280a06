"""The choice of covariance: full, diagonal or spherical; one per class, shared by all classes, or in between."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from bayeslab._base.arrays import check_one_of
from bayeslab._base.blocks import blocks
from bayeslab.moments import Moments


def ledoit_wolf(X: np.ndarray, index: np.ndarray, weights, moments: list, settings) -> np.ndarray:
    """Intensity for each class, shape (K,), from its own covariance, or one for all from the shared covariance.

    X has shape (n, d), `index` holds the class index of each row, and `moments` those of the classes.
    """
    varies = Moments.pooled(moments).variation > 0
    if varies.any() and not varies.all():  # a column without variance is 0 in the target too
        X, moments = X[:, varies], [each.of_columns(varies) for each in moments]
    scale = pooled_scale(moments, settings.ddof)
    fourth = fourth_moments(X, index, weights, moments, scale, settings.variances_only)
    if settings.shared:
        pooled = Moments.pooled(moments)
        return np.full(len(moments), ledoit_wolf_intensity(pooled.scatter, scale, fourth.sum(), pooled.weight))
    pairs = zip(moments, fourth, strict=True)
    return np.array([ledoit_wolf_intensity(each.scatter, scale, total, each.weight) for each, total in pairs])


def pooled_scale(moments: list, ddof: float) -> np.ndarray:
    """Pooled standard deviations, shape (d,); 1 for a column that varies within no class."""
    pooled = Moments.pooled(moments).covariance(ddof * len(moments))
    variances = pooled if pooled.ndim == 1 else pooled.diagonal()
    return np.sqrt(np.where(variances > 0, variances, 1))


def ledoit_wolf_intensity(scatter: np.ndarray, scale: np.ndarray, fourth: float, n: float) -> float:
    """Intensity λ in [0, 1] of the shrinkage (1 − λ) S + λ I of S, the covariance of the scaled samples z.

    λ = (1/n²) Σ ‖zᵢ zᵢᵀ − S‖² / ‖S − I‖², at most 1: the uncertainty of S relative to its distance from the target.
    No distribution is assumed beyond finite fourth moments and independent samples.

    Parameters
    ----------
    scatter : (d, d) array, or (d,) for a diagonal covariance
        Σ xᵢ xᵢᵀ of the samples about their mean, not scaled.
    scale : (d,) array
        The standard deviations in whose units the target is I.
    fourth : float
        Σ ‖zᵢ zᵢᵀ‖²; for a diagonal covariance, only of the diagonals.
    n : float
        Number of samples.

    References
    ----------
    Ledoit and Wolf (2004), A well-conditioned estimator for large-dimensional covariance matrices, Journal of
    Multivariate Analysis 88, lemma 3.4, with the target I instead of the best multiple of I.
    """
    if n <= 1:  # a single sample says nothing about S
        return 1.0
    if scatter.ndim == 1:
        S, target = scatter / scale**2 / n, np.ones(len(scale))
    else:
        S, target = scatter / scale / scale[:, None] / n, np.eye(len(scale))
    # Σ ‖z zᵀ − S‖² = Σ ‖z zᵀ‖² − n ‖S‖² needs no outer product per sample.
    uncertainty = max(fourth / n - np.square(S).sum(), 0) / n
    distance = np.square(S - target).sum()
    return 1.0 if uncertainty >= distance else float(uncertainty / distance)


def fourth_moments(X: np.ndarray, group: np.ndarray, weights, moments: list, scale: np.ndarray, diagonal: bool):
    """Σ w ‖z zᵀ‖² of each group of rows, where z is a row minus its group's mean, in units of `scale`.

    With `diagonal`, the norm is over the diagonal of z zᵀ only.
    """
    sums, means = np.zeros(len(moments)), np.array([each.mean for each in moments])
    remainders = np.array([np.broadcast_to(each.remainder, each.mean.shape) for each in moments])
    for rows in blocks(*X.shape):
        squares = np.square((X[rows] - means[group[rows]] - remainders[group[rows]]) / scale)
        if weights is not None:
            squares[weights[rows] == 0] = 0
        with np.errstate(over="ignore"):  # infinity: S is as uncertain as it can be
            power = np.square(squares).sum(axis=1) if diagonal else np.square(squares.sum(axis=1))
            power = power if weights is None else weights[rows] * power
        sums += np.bincount(group[rows], power, minlength=len(sums))
    return sums


Kind: TypeAlias = Literal["full", "diagonal", "spherical"]
KINDS: tuple[Kind, ...] = get_args(Kind)


def restrict(covariance: np.ndarray, kind: str) -> np.ndarray:
    """Restrict a covariance to its kind: the whole difference between naive Bayes and QDA.

    A classifier whose kind is not "full" never computes covariances between columns (`Settings.variances_only`): its
    moments hold only variances, shape (d,).

    Parameters
    ----------
    covariance : (d, d) array, or (d,) variances
    kind : {"full", "diagonal", "spherical"}
        The covariance as it is; without its off-diagonal entries; or σ²I with the mean of its variances as σ².

    Examples
    --------
    >>> restrict(np.array([[2.0, 1.0], [1.0, 4.0]]), "spherical")
    array([[3., 0.],
           [0., 3.]])
    """
    check_one_of(kind, "kind", KINDS)
    if kind == "full":
        return covariance
    variances = covariance if covariance.ndim == 1 else covariance.diagonal()  # the correlations are dropped here
    if kind == "spherical":
        variances = np.full(len(variances), variances.mean())
    return variances if covariance.ndim == 1 else np.diag(variances)


def class_covariances(moments: list[Moments], kind="full", shared=False, ddof=1, shrinkage=0.0) -> list[np.ndarray]:
    """Covariance of each class, from the moments of its samples: Σ_k = (1 − λ) R(own or shared) + λ R(diagonal).

    R is `restrict`. A class's own covariance is S_k / (n_k − ddof). The shared one is pooled from the scatters of all K
    classes, each about its own mean: Σ_k S_k / (n − K·ddof).

    Parameters
    ----------
    moments : list of K `Moments`
    kind : {"full", "diagonal", "spherical"}
    shared : bool or float in [0, 1]
        False: each class has its own. True: all have the pooled one. Between: (1 − shared)·own + shared·pooled.
    ddof : float
        1 for the unbiased estimate (if weights count repetitions of rows), 0 for maximum likelihood.
    shrinkage : float in [0, 1], or (K,) array
        λ, the share of the diagonal of the pooled covariance; if it is 1, a class may have a single sample.

    Returns
    -------
    list of K (d, d) arrays, or (d,) where the moments hold variances alone
        All equal if the classes share one.

    Raises
    ------
    ValueError
        If the kind is none of these, a share is not between 0 and 1, or a class's weight is not above `ddof`.

    References
    ----------
    Friedman (1989), Regularized discriminant analysis, JASA 84. He blends scatters and counts where we blend
    covariances, and shrinks towards a multiple of I, which depends on units.

    Examples
    --------
    >>> a, b = Moments.of([[0, 0], [2, 2], [1, 4]]), Moments.of([[5, 0], [7, 0], [6, 3]])
    >>> class_covariances([a, b])[0]
    array([[1., 1.],
           [1., 4.]])
    >>> class_covariances([a, b], shared=True)[0]
    array([[1. , 0.5],
           [0.5, 3.5]])
    """
    shares = np.full(len(moments), shrinkage)
    if not (0 <= shared <= 1 and ((shares >= 0) & (shares <= 1)).all()):
        raise ValueError(f"shared and shrinkage must be between 0 and 1, not {shared!r} and {shrinkage!r}")
    own: list = [
        each.covariance(ddof) if shared < 1 and share < 1 else 0.0  # not used
        for each, share in zip(moments, shares, strict=True)
    ]
    if not (shared or shares.any()):
        return [restrict(each, kind) for each in own]
    pooled = Moments.pooled(moments).covariance(ddof * len(moments))
    target = restrict(pooled, "diagonal")
    blended = [blend(blend(each, pooled, shared), target, share) for each, share in zip(own, shares, strict=True)]
    return [restrict(each, kind) for each in blended]


def blend(a: np.ndarray, b: np.ndarray, share: float) -> np.ndarray:
    """(1 − share)·a + share·b; exactly a or b at the ends."""
    return a if share == 0 else b if share == 1 else (1 - share) * a + share * b


# λ of each class, from the data, by the name that `shrinkage` may have.
INTENSITIES = {"ledoit_wolf": ledoit_wolf}
