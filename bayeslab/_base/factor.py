"""Factors of a covariance matrix: F with F Fᵀ = Σ to draw samples, W with W Wᵀ = Σ⁻¹ to whiten them, rank and ln |Σ|.

Everything, the rank included, is computed from the covariance divided by a scale per column, so units do not matter.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dtrtri

TOLERANCE = 4 * np.finfo(float).eps  # eigenvalues below d times this share of the largest count as zero
LARGE = 64  # with this many columns or more, one matrix at a time is faster than all classes stacked


def factor(covariance: np.ndarray, scale: np.ndarray | None):
    """Factor a covariance, shape (d, d), or a diagonal one given as a vector: F, W, ln |Σ| and the rank."""
    return factor_diagonal(covariance, scale) if covariance.ndim == 1 else factor_full(covariance, scale)


def factor_all(covariances: list[np.ndarray], scale: np.ndarray | None) -> list[tuple]:
    """Factor K covariances as `factor` does, stacked if they are small and have full rank; no validation."""
    if len(covariances[0]) < LARGE:
        Σ = np.array(covariances)
        variances = Σ if Σ.ndim == 2 else Σ.diagonal(axis1=1, axis2=2)
        if variances.min() > 0:
            deviations = np.sqrt(variances)
            if Σ.ndim == 2:
                return _of_deviations(deviations)
            scales = deviations if scale is None else np.tile(scale, (len(Σ), 1))
            try:
                return _by_cholesky(Σ / scales[:, None] / scales[..., None], scales)
            except np.linalg.LinAlgError:
                pass
    return [factor(covariance, scale) for covariance in covariances]


def factor_diagonal(variances: np.ndarray, scale: np.ndarray | None):
    """Factor a diagonal covariance given as a vector: F, W (vectors), ln |Σ| and the rank.

    A column of variance 0 gets weight 0 in W and enters the pseudo-determinant with its scale.
    """
    check_not_negative(variances)
    varies = variances > 0
    deviations = np.sqrt(variances)
    measure = np.where(varies, deviations, 1 if scale is None else scale)
    whitening = np.divide(1, deviations, where=varies, out=np.zeros(len(variances)))
    return deviations, whitening, 2 * float(np.log(measure).sum()), int(varies.sum())


def factor_full(covariance: np.ndarray, scale: np.ndarray | None):
    """Factor a covariance matrix: F (d, rank), W (d, rank; upper triangular for full rank), ln |Σ| and the rank."""
    scale = _own_scale(covariance) if scale is None else scale
    scaled = covariance / scale / scale[:, None]
    _check_symmetric(scaled, covariance)
    try:
        return _by_cholesky(scaled[None], scale[None])[0]
    except np.linalg.LinAlgError:
        eigenvalues, vectors = np.linalg.eigh(scaled)
    if eigenvalues[0] < -1e-8 * abs(eigenvalues[-1]):
        raise ValueError(
            f"covariance must be positive semi-definite, but divided by its variances it has the eigenvalue "
            f"{eigenvalues[0]:g}; is some covariance larger than the product of its standard deviations?"
        )
    kept = ~_is_null(eigenvalues)
    vectors, deviations = vectors[:, kept], np.sqrt(eigenvalues[kept])
    root, whitening = vectors * deviations, vectors / deviations
    log_determinant = 2 * (np.log(deviations).sum() + np.log(scale).sum())
    return scale[:, None] * root, whitening / scale[:, None], float(log_determinant), root.shape[1]


def _of_deviations(deviations: np.ndarray) -> list[tuple]:
    """Factor K diagonal covariances of full rank, given by their standard deviations, shape (K, d)."""
    ranks = [deviations.shape[1]] * len(deviations)
    log_determinants = 2 * np.log(deviations).sum(axis=1)
    return list(zip(deviations, 1 / deviations, log_determinants.tolist(), ranks, strict=True))


def _by_cholesky(scaled: np.ndarray, scales: np.ndarray) -> list[tuple]:
    """Factor K matrices, shape (K, d, d); raises LinAlgError if one of them may not have full rank."""
    d = scaled.shape[-1]
    roots = np.linalg.cholesky(scaled)
    whitenings = np.array([dtrtri(root.T)[0] for root in roots])
    # ‖W‖² bounds the inverse of the smallest eigenvalue, which usually proves that the rank is full.
    bounds = np.einsum("kij,kij->k", whitenings, whitenings) * np.einsum("kii->k", scaled)
    if not (TOLERANCE * d * bounds < 1).all():
        raise np.linalg.LinAlgError("close to a singular matrix")
    log_determinants = 2 * np.log(np.einsum("kii->ki", roots) * scales).sum(axis=1)
    columns = scales[..., None]
    return list(zip(columns * roots, whitenings / columns, log_determinants.tolist(), [d] * len(roots), strict=True))


def null_columns(covariance: np.ndarray) -> list[int]:
    """Indices of the columns that take part in a direction in which nothing varies."""
    if covariance.ndim == 1:
        return np.flatnonzero(covariance == 0).tolist()
    scale = _own_scale(covariance)
    eigenvalues, vectors = np.linalg.eigh(covariance / scale / scale[:, None])
    return np.flatnonzero(np.abs(vectors[:, _is_null(eigenvalues)]).max(axis=1) > 1e-4).tolist()


def check_not_negative(variances: np.ndarray) -> None:
    """Raise a ValueError that names the column, if a variance is negative."""
    if variances.min() < 0:
        column = int(variances.argmin())
        raise ValueError(f"the variance of column {column} is {variances[column]:g}; it cannot be negative")


def _check_symmetric(scaled: np.ndarray, covariance: np.ndarray) -> None:
    asymmetry = np.abs(scaled - scaled.T)
    if asymmetry.max() > 1e-8:
        i, j = (int(index) for index in np.unravel_index(asymmetry.argmax(), asymmetry.shape))
        raise ValueError(
            f"covariance must be symmetric, but covariance[{i}, {j}] is {covariance[i, j]:g} and "
            f"covariance[{j}, {i}] is {covariance[j, i]:g}"
        )


def _own_scale(covariance: np.ndarray) -> np.ndarray:
    variances = covariance.diagonal()
    check_not_negative(variances)
    return np.sqrt(np.where(variances > 0, variances, 1))


def _is_null(eigenvalues: np.ndarray) -> np.ndarray:
    """Mark the eigenvalues that are zero up to rounding: at most 4·d·ε times the largest."""
    return eigenvalues <= TOLERANCE * len(eigenvalues) * eigenvalues[-1]
