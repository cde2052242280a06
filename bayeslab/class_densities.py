"""The Gaussian densities of all classes: where predictions get the terms of ln N(x; μ_k, Σ_k) from.

Most of the work is D²_k(x) = ‖W_kᵀ (x − μ_k)‖². When the classes lie near one another, matrix products measure the rows
from one common origin and compute it for all classes at once. This costs digits in proportion to the distance of the
means from that origin, in standard deviations. If some mean is too far away (`FAR`), or if there are so many columns
that nothing would be gained (`LARGE`), each Gaussian measures from its own mean. Read that first: `_class_by_class` is
the definition, and `_products` computes the same, faster.
"""

from __future__ import annotations

from functools import cached_property
from math import log, pi
from typing import Any

import numpy as np

from bayeslab._base.arrays import Array, check_finite, is_surely_finite, warn_user
from bayeslab._base.blocks import blocks
from bayeslab.gaussian import LARGE, Gaussian

FAR = 1e4  # squared distances, which lose twice as many digits, are then still right to about 1e-12
MANY = 16  # with more classes than this, it is faster to keep the scores of a row together than those of a class
FEW_GAPS = 32  # in a row with more of them, the marginal density costs no more than a system of equations


def linear_scores(means: Array, whitening: Array) -> tuple[Array, Array]:
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


def fisher_axes(means: Array, priors: Array, whitening: Array) -> tuple[Array, Array]:
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


class ClassDensities:
    """Gaussians of K classes that are evaluated together.

    Parameters
    ----------
    gaussians : list of K `Gaussian`
    shared : bool
        Do they have the same covariance? Then −½ D²_0(x) may be left out of every −½ D²_k(x), since it is the same for
        all classes; what remains is linear in x. `common` returns what was left out.
    """

    _origin: Any  # of the rows, shape (d,), or None where they need not be moved

    def __init__(self, gaussians: list[Gaussian], shared: bool):
        self.gaussians = gaussians
        self.shared = shared
        self._log_volumes = np.array([-0.5 * gaussian.log_determinant for gaussian in gaussians])
        self._constants = np.array([-0.5 * log(2 * pi) * gaussian.rank for gaussian in gaussians])

    def terms(self, X: Array) -> dict[str, Array]:
        """Named terms of ln N(x; μ_k, Σ_k), of shape (n, K), or (K,) if they are the same for every row.

        A row with missing values (NaN) gets the terms of its observed columns: all 0 if nothing was observed.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            exponents = self._exponents(X)
        if not is_surely_finite(exponents):
            check_finite(X, "X", allow_nan=True)
            return self._terms_of_every_row(X, exponents)
        return {"−½ ln|Σ|": self._log_volumes, "−½ D²": exponents, "constant": self._constants}

    def common(self, X: Array) -> Array:
        """−½ D²_0(x), shape (n, 1), where `terms` leaves it out, else 0; rows with gaps have all of it in `terms`."""
        if not (self.shared and self._at_once):
            return np.zeros((len(X), 1))
        left_out = -0.5 * self.gaussians[0].mahalanobis_squared(X)[:, None]
        return np.where(np.isnan(left_out), 0.0, left_out)

    @cached_property
    @np.errstate(over="ignore", invalid="ignore")  # a mean whose numbers overflow is not near enough
    def _at_once(self) -> bool:
        """Do matrix products serve all classes at once? They do unless a mean is too far from the origin.

        This sets the matrices, when they are first needed; several threads may do so, so each is set only once.
        """
        whitenings = [gaussian.whitening for gaussian in self.gaussians]
        origin: Any = np.mean([gaussian.mean for gaussian in self.gaussians], axis=0)
        means = np.array([(each.mean - origin) + each._remainder for each in self.gaussians])
        if self.shared:
            linear, offsets = linear_scores(means, whitenings[0])
            near = bool(-2 * offsets.min() <= FAR)
            linear, offsets = linear - linear[0], offsets - offsets[0]  # the first class then needs no product
            if (np.abs(linear) @ np.abs(origin)).max() <= FAR:  # then rows need not be moved to the origin
                offsets, origin = offsets - linear @ origin, None
            self._origin, self._linear, self._offsets = origin, linear, offsets
            return near
        self._origin = origin
        if len({W.shape for W in whitenings}) > 1:
            return False
        if whitenings[0].ndim == 1:
            precisions = np.square(whitenings)
            self._quadratic, self._linear = -0.5 * precisions, precisions * means
            self._offsets = -0.5 * (precisions * means**2).sum(axis=1)
            return bool(-2 * self._offsets.min() <= FAR)
        if means.shape[1] >= LARGE or not whitenings[0].size:
            return False
        shifts = np.array([mean @ W for mean, W in zip(means, whitenings, strict=True)])
        self._whiten = np.hstack([np.concatenate(whitenings, axis=1).T, -shifts.reshape(-1, 1)])
        return max((np.abs(mean) @ np.abs(W)).max() for mean, W in zip(means, whitenings, strict=True)) <= FAR

    def _exponents(self, X: Array) -> Array:
        """−½ D²_k(x), shape (n, K); relative to the first class where `common` is left out."""
        n, K = len(X), len(self.gaussians)
        if self.shared and self._at_once:
            V = X if self._origin is None else X - self._origin
            if K > MANY:
                exponents = V @ self._linear.T
                exponents += self._offsets
                return exponents
            exponents = np.zeros((K, n))
            np.matmul(self._linear[1:], V.T, out=exponents[1:])
            exponents[1:] += self._offsets[1:, None]
            return exponents.T
        exponents = np.empty((n, K), order="C" if K > MANY else "F")
        for rows in blocks(n, X.shape[1] * max(K // 8, 1)):  # a product for all classes has K times as many numbers
            exponents[rows] = self._products(X[rows]) if self._at_once else self._class_by_class(X[rows])
        return exponents

    def _products(self, X: Array) -> Array:
        """−½ D²_k(x), shape (n, K), of all classes at once, if their covariances differ."""
        if self.gaussians[0].whitening.ndim == 1:
            V = X - self._origin
            exponents = V @ self._linear.T
            exponents += self._offsets
            exponents += np.square(V, out=V) @ self._quadratic.T
            return exponents
        # z = Wᵀ (x − μ) = Wᵀ v − Wᵀ (μ − origin) for v = x − origin: a row of ones multiplies the second term.
        V = np.ones((X.shape[1] + 1, len(X)))
        np.subtract(X.T, self._origin[:, None], out=V[:-1])
        z = (self._whiten @ V).reshape(len(self.gaussians), -1, len(X))
        return (-0.5 * np.einsum("kji,kji->ki", z, z)).T

    def _class_by_class(self, X: Array) -> Array:
        """−½ D²_k(x), shape (n, K), each Gaussian measuring from its own mean."""
        X = np.asfortranarray(X)  # densities are computed column by column
        return -0.5 * np.array([gaussian.mahalanobis_squared(X) for gaussian in self.gaussians]).T

    def _terms_of_every_row(self, X: Array, exponents: Array) -> dict[str, Array]:
        """Terms where some rows have gaps, or are so far away that products overflow."""
        missing = np.isnan(X)
        has_gap = missing.any(axis=1)
        # A product may overflow where a single Gaussian does not, and `Gaussian` handles infinity.
        overflows = ~(has_gap | np.isfinite(exponents).all(axis=1))
        exponents[overflows] = self._class_by_class(X[overflows])
        terms = np.array(np.broadcast_arrays(self._log_volumes, exponents, self._constants))
        rows = np.flatnonzero(has_gap)
        if self._well_conditioned():
            diagonal = all(each.whitening.ndim == 1 for each in self.gaussians)  # then no equations are solved
            few = rows if diagonal else rows[missing[rows].sum(axis=1) <= FEW_GAPS]
            with np.errstate(over="ignore", invalid="ignore"):
                for part in blocks(len(few), X.shape[1]):
                    terms[:, few[part]] = self._terms_with_few_gaps(X[few[part]])
            done = np.isfinite(terms[:, few]).all(axis=(0, 2))  # a single Gaussian may be finite where this is not
            rows = np.setdiff1d(rows, few[done])
        patterns, pattern = np.unique(missing[rows], axis=0, return_inverse=True)
        for i, missed in enumerate(patterns):
            alike = rows[pattern.ravel() == i]
            terms[:, alike] = self._terms_with_one_gap(X[alike], ~missed)
        return dict(zip(("−½ ln|Σ|", "−½ D²", "constant"), terms, strict=True))

    def _terms_with_one_gap(self, X: Array, observed: np.ndarray) -> Array | float:
        """Terms, shape (3, n, K), of rows that lack the same columns, from their marginal densities."""
        if not observed.any():
            return 0.0
        marginals = self.marginals(np.flatnonzero(observed))
        exponents = marginals._class_by_class(X[:, observed])  # too few rows to gain from one product for all classes
        return np.array(np.broadcast_arrays(marginals._log_volumes, exponents, marginals._constants))

    def _terms_with_few_gaps(self, X: Array) -> Array:
        """Terms, shape (3, n, K), of rows with gaps of any pattern, without a marginal density for each.

        With the precision P = Σ⁻¹ = W Wᵀ and missing columns m, the D² of the observed columns is the least D² that any
        values in the gaps could give: with deviations 0 there, D² − gᵀ P_mm⁻¹ g for g = (P (x − μ))_m. And the
        covariance of the observed columns has ln |Σ| + ln |P_mm|.
        """
        missing = np.isnan(X).T
        n_missing, K = missing.sum(axis=0), len(self.gaussians)
        log_determinants, squared = np.empty((2, K, len(X)))  # along the rows, of which there are many
        for k in [slice(None)] if self.shared else [slice(k, k + 1) for k in range(K)]:
            W, ln_det = self.gaussians[k][0].whitening, self.gaussians[k][0].log_determinant
            V = np.array([(X - each.mean - each._remainder).T for each in self.gaussians[k]])  # (classes, d, n)
            V[:, missing] = 0
            z = W[:, None] * V if W.ndim == 1 else W.T @ V
            squared[k] = np.einsum("kji,kji->ki", z, z)
            log_determinants[k] = ln_det
            if W.ndim == 1:
                log_determinants[k] += 2 * np.log(W) @ missing
                continue
            P, gradients = W @ W.T, W @ z
            for m in np.unique(n_missing):
                alike = np.flatnonzero(n_missing == m)
                for part in blocks(len(alike), m * (m + len(V))):
                    rows = alike[part]
                    columns = np.nonzero(missing[:, rows].T)[1].reshape(-1, m).T
                    ln_p, g_p_g = _eliminate(P[columns[:, None], columns], gradients[:, columns, rows].swapaxes(0, 1))
                    log_determinants[k, rows] += ln_p
                    squared[k, rows] -= g_p_g
        constants = -0.5 * np.log(2 * np.pi) * (X.shape[1] - n_missing)
        terms = np.broadcast_arrays(-0.5 * log_determinants, -0.5 * np.maximum(squared, 0), constants)
        return np.array(terms).swapaxes(1, 2)

    def _well_conditioned(self) -> bool:
        """Tell whether all covariances have full rank, and inverses that lose few digits."""
        different = self.gaussians[:1] if self.shared else self.gaussians
        if any(gaussian.rank < gaussian.n_features for gaussian in different):
            return False
        return all(
            gaussian.whitening.ndim == 1
            or (np.square(gaussian.whitening).sum(axis=1) * gaussian.covariance.diagonal()).max() < FAR
            for gaussian in different
        )

    def marginals(self, columns: np.ndarray) -> ClassDensities:
        """Marginal densities of some columns, given by their indices; warns if their ranks have become different."""
        if self.shared:
            first = self.gaussians[0].marginal(columns)
            moved = [first.moved_to(each.mean[columns], each.remainder_of(columns)) for each in self.gaussians]
            return ClassDensities(moved, True)
        gaussians = [gaussian.marginal(columns) for gaussian in self.gaussians]
        if len({gaussian.rank for gaussian in gaussians}) > len({gaussian.rank for gaussian in self.gaussians}):
            ranks = ", ".join(str(gaussian.rank) for gaussian in gaussians)
            warn_user(
                f"in rows with {len(columns)} observed columns the covariances of the classes have different ranks "
                f"({ranks}), so their pseudo-densities are not comparable; use shrinkage"
            )
        return ClassDensities(gaussians, False)


def _eliminate(A: Array, b: Array) -> tuple[Array, Array]:
    """ln |A|, shape (n,), and bᵀ A⁻¹ b, shape (K, n), of n small matrices A, shape (m, m, n), and b, shape (m, K, n).

    Both are overwritten. Elimination needs no pivoting, since the matrices are positive definite.
    """
    log_determinant, product = np.zeros(A.shape[2]), np.zeros(b.shape[1:])
    for i, pivot in enumerate(A.diagonal().T):
        log_determinant += np.log(pivot)
        product += np.square(b[i]) / pivot
        factors = A[i + 1 :, i] / pivot
        A[i + 1 :, i + 1 :] -= factors[:, None] * A[i, i + 1 :]
        b[i + 1 :] -= factors[:, None] * b[i]
    return log_determinant, product
