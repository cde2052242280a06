"""The choice of covariance: full, diagonal or spherical; one per class, shared by all classes, or in between.

`restrict` and `class_covariances` make the choice. The second half of this file is about shrinkage whose intensity is
learned from the data: `INTENSITIES` lists the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from bayeslab._base.arrays import blocks, check_one_of
from bayeslab.gaussian import own_scale
from bayeslab.moments import Moments

Kind: TypeAlias = Literal["full", "diagonal", "spherical"]
KINDS: tuple[Kind, ...] = get_args(Kind)


def restrict(covariance: np.ndarray, kind: Kind) -> np.ndarray:
    """Restrict a covariance to its kind: the whole difference between naive Bayes and QDA.

    A classifier whose kind is not "full" never computes covariances between columns: its moments hold only variances,
    shape (d,).

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


def class_covariances(
    moments: list[Moments],
    kind: Kind = "full",
    shared: float = False,
    ddof: float = 1,
    shrinkage: float | np.ndarray = 0.0,
) -> list[np.ndarray]:
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
        If the kind is none of these, a share is not between 0 and 1, or a class has not more than `ddof` samples.

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
    if shared or shares.any():
        pooled = Moments.pooled(moments).covariance(ddof * len(moments))
        own = [blend(each, pooled, shared) for each in own]
        if shares.any():
            target = restrict(pooled, "diagonal")
            own = [blend(each, target, share) for each, share in zip(own, shares, strict=True)]
    return own if kind == "full" else [restrict(each, kind) for each in own]


def blend(a: np.ndarray, b: np.ndarray, share: float) -> np.ndarray:
    """(1 − share)·a + share·b; exactly a or b at the ends."""
    return a if share == 0 else b if share == 1 else (1 - share) * a + share * b


def ledoit_wolf(S: np.ndarray, n: float, fourth: float) -> float:
    """Intensity of Ledoit and Wolf: how uncertain S is, relative to its distance from the target.

    λ = (1/n²) Σ ‖zᵢ zᵢᵀ − S‖² / ‖S − I‖², at most 1. No distribution is assumed beyond finite fourth moments and
    independent samples.

    Parameters
    ----------
    S : (d, d) array, or (d,) for a diagonal covariance
        Σ zᵢ zᵢᵀ / n of the samples z about their mean, in units of the pooled standard deviations.
    n : float
        Number of samples.
    fourth : float
        Σ ‖zᵢ zᵢᵀ‖²; for a diagonal covariance, only of the diagonals.

    References
    ----------
    Ledoit and Wolf (2004), A well-conditioned estimator for large-dimensional covariance matrices, Journal of
    Multivariate Analysis 88, lemma 3.4, with the target I instead of the best multiple of I.
    """
    # Σ ‖z zᵀ − S‖² = Σ ‖z zᵀ‖² − n ‖S‖² needs no outer product per sample.
    uncertainty, distance = max(fourth / n - np.square(S).sum(), 0) / n, distance_from_target(S)
    return 1.0 if uncertainty >= distance else float(uncertainty / distance)


def oas(S: np.ndarray, n: float) -> float:
    """Oracle approximating shrinkage of Chen et al.: as `ledoit_wolf`, for samples of a Gaussian.

    The best intensity is λ = E‖S − Σ‖² / (E‖S − Σ‖² + ‖Σ − I‖²), and for Gaussian samples E‖S − Σ‖² is
    (tr Σ² + tr² Σ) / n, so the samples themselves are not needed. The unknown Σ is replaced by the shrunken estimate
    Σ̂ = (1 − λ) S + λ I, once in each product: tr Σ² becomes tr Σ̂S, tr² Σ becomes tr Σ̂ tr S, and ‖Σ − I‖² becomes
    tr (Σ̂ − I)(S − I). This is an equation for λ, with the solution

        λ = A / (A + n ‖S − I‖² − B),  A = tr S² + tr² S,  B = (1 + d) tr S,

    or 1 if n ‖S − I‖² ≤ B. Of a diagonal covariance only the variances are estimated: E‖S − Σ‖² = 2 tr Σ² / n, so that
    A = 2 tr S² and B = 2 tr S. Where tr S = d, as for all classes pooled, λ is scikit-learn's.

    Parameters
    ----------
    S, n
        As for `ledoit_wolf`.

    References
    ----------
    Chen, Wiesel, Eldar and Hero (2010), Shrinkage algorithms for MMSE covariance estimation, IEEE Transactions on
    Signal Processing 58, with the target I, which is known, instead of a multiple of I that is estimated.
    """
    squares = np.square(S).sum()
    if S.ndim == 1:
        A, B = 2 * squares, 2 * S.sum()
    else:
        trace = np.trace(S)
        A, B = squares + trace**2, (1 + len(S)) * trace
    excess = n * distance_from_target(S) - B
    return float(A / (A + excess)) if excess > 0 else 1.0


def distance_from_target(S: np.ndarray) -> float:
    """‖S − I‖²; for a diagonal covariance, of the diagonals."""
    return np.square(S - (1 if S.ndim == 1 else np.eye(len(S)))).sum()


class Intensity(NamedTuple):
    """A rule for λ, and what it must know of a class.

    S is (d, d), or (d,) for a diagonal covariance, and the target is I, as in `ledoit_wolf`. n is a total weight, which
    may be 1e200.
    """

    rule: Callable[..., float]  # of S and n, and of `fourth` if it needs the samples
    needs_samples: bool  # False if the moments are enough; only then can it learn in pieces


RuleName: TypeAlias = Literal["ledoit_wolf", "oas"]
Shrinkage: TypeAlias = RuleName | float | None
Samples: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray | None]  # X, the class index of each row, weights

# The names that `shrinkage` may have. A new rule is one more entry, and a name above and in `GaussianClassifier`.
INTENSITIES: dict[RuleName, Intensity] = {
    "ledoit_wolf": Intensity(ledoit_wolf, needs_samples=True),
    "oas": Intensity(oas, needs_samples=False),
}


def intensities(
    rule: RuleName,
    moments: list[Moments],
    kind: Kind = "full",
    shared: float = False,
    ddof: float = 1,
    samples: Samples | None = None,
) -> np.ndarray:
    """λ of each class by this rule, shape (K,).

    It sees the covariance of each class, or if one is shared, the pooled one, in units of the pooled standard
    deviations, in which the target is I. So λ doesn't depend on the units of the columns.

    Parameters
    ----------
    rule : name in `INTENSITIES`
    moments : list of K `Moments`
    kind, shared, ddof
        As in `class_covariances`.
    samples : tuple of X, class indices and weights, optional
        For a rule that needs them.
    """
    n_classes, (intensity, needs_samples) = len(moments), INTENSITIES[rule]
    if kind != "full":
        moments = [each.without_covariances() for each in moments]
    varies = Moments.pooled(moments).variation > 0
    if varies.any():  # a column without variance is 0 in the target too
        moments = [each.of_columns(varies) for each in moments]
    scale, further = pooled_scale(moments, ddof), []
    if needs_samples:
        assert samples is not None  # `check_learns_in_pieces` has refused such a rule where they are not at hand
        X, index, weights = samples
        X = X if len(scale) == X.shape[1] else X[:, varies]
        further = [fourth_moments(X, index, weights, moments, scale)]
    if shared:
        moments, further = [Moments.pooled(moments)], [each.sum(keepdims=True) for each in further]
    λ = np.ones(len(moments))  # a single sample says nothing about S
    for k, each in enumerate(moments):
        if each.count > 1:
            S = each.scatter / scale / (scale if each.scatter.ndim == 1 else scale[:, None]) / each.weight
            repeats = each.count / each.weight
            λ[k] = intensity(S, each.count, *(repeats * known[k] for known in further))
    return np.full(n_classes, λ)


def check_learns_in_pieces(shrinkage: Any) -> None:
    """Raise an AttributeError if this is a rule that needs all samples at once."""
    if isinstance(shrinkage, str) and shrinkage in INTENSITIES and INTENSITIES[shrinkage].needs_samples:
        others = " or ".join(repr(name) for name, each in INTENSITIES.items() if not each.needs_samples)
        raise AttributeError(f"{shrinkage=} needs all samples at once: use fit, or shrink by {others} or a number")


def pooled_scale(moments: list[Moments], ddof: float) -> np.ndarray:
    """Pooled standard deviations, shape (d,); 1 for a column that varies within no class."""
    return own_scale(Moments.pooled(moments).covariance(ddof * len(moments)))


def fourth_moments(
    X: np.ndarray, group: np.ndarray, weights: np.ndarray | None, moments: list[Moments], scale: np.ndarray
) -> np.ndarray:
    """Σ w ‖z zᵀ‖² of each group of rows, where z is a row minus its group's mean, in units of `scale`.

    If the moments hold only variances, the norm is over the diagonal of z zᵀ.
    """
    diagonal, sums, means = moments[0].scatter.ndim == 1, np.zeros(len(moments)), np.array([m.mean for m in moments])
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
