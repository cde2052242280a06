"""The Gaussian densities of all classes: where predictions get the terms of ln N(x; μ_k, Σ_k) from.

Most of the work is D²_k(x) = ‖W_kᵀ (x − μ_k)‖². `write_one_by_one` is this definition. `terms` computes the same for
all classes at once, for covariances that are shared, diagonal or full: by matrix products of v = x − origin, with
m_k = μ_k − origin and one origin for all classes. That costs digits in proportion to the distance of the means from the
origin, in standard deviations, so it is done only if no mean is too far away (`FAR`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial, reduce
from itertools import pairwise
from types import EllipsisType
from typing import Any, NamedTuple

import numpy as np

from bayeslab._base.arrays import BLOCK, Array, blocks, is_surely_finite, warn_user
from bayeslab.classifier import MANY
from bayeslab.gaussian import Gaussian

FAR = 1e4  # squared distances, which lose twice as many digits, are then still right to about 1e-12
STRIP = 32  # columns of z at a time: much of a wide triangular matrix is 0, and is left out of the products
FEW_GAPS = 32  # in a row with more of them, the marginal density costs no more than a system of equations
DIGITS = 47  # of the 53 binary ones of a float: the rest can count to FEW_GAPS


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


class Prepared(NamedTuple):
    """What predictions need that is the same for all rows."""

    log_volumes: Array  # −½ ln|Σ_k|, shape (K,)
    constants: Array  # −(r/2) ln 2π with the rank r, shape (K,)
    # For the products; None if a mean is so far from the others that digits would be lost, or if the ranks differ.
    arrays: tuple[Any, ...] | None


@dataclass(eq=False)
class ClassDensities:
    """Gaussians of K classes that are evaluated together.

    Parameters
    ----------
    gaussians : list of K `Gaussian`
    shared : bool
        Do they have the same covariance?
    columns : array of int, or ... for all
        The columns of X that they are about.
    """

    gaussians: list[Gaussian]
    shared: bool
    columns: np.ndarray | EllipsisType = ...

    def scores(self, X: Array, log_priors: Array, complete: bool = False) -> Array:
        """ln π_k + ln N(x; μ_k, Σ_k), shape (n, K).

        Unless they must be complete, scores of a shared Σ may leave out a term that is the same for every class.
        """
        if complete or not (self.shared and self._prepared.arrays):
            # The (K,) terms are added first, before they are broadcast to (n, K).
            scores = sum(sorted(self.terms(X).values(), key=np.ndim), start=log_priors)
        else:
            scores = linear(X[:, self.columns], log_priors, *self._prepared.arrays)
            for scores_of_others in (self._linear_with_gaps, partial(self.scores, complete=True)):
                if is_surely_finite(scores):
                    break
                # Values are missing, or a prior is 0. No row may depend on another.
                others = np.flatnonzero(~np.isfinite(scores[:, log_priors > -np.inf]).all(axis=1))
                if len(others):
                    scores[others] = scores_of_others(X[others], log_priors)
        if self.columns is not ... and not is_surely_finite(X):  # in a column that is left out, it would not show
            scores[np.isinf(X).any(axis=1)] = np.nan
        return scores

    def terms(self, X: Array) -> dict[str, Array]:
        """Named terms of ln N(x; μ_k, Σ_k), of shape (n, K), or (K,) if they are the same for every row.

        A row with missing values (NaN) gets the terms of its observed columns: all 0 if nothing was observed.
        """
        X, (log_volumes, constants, arrays) = X[:, self.columns], self._prepared
        (n, d), K, diagonal = X.shape, len(self.gaussians), self.gaussians[0].whitening.ndim == 1
        exponents = np.empty((n, K), order="C" if K > MANY else "F")
        # Of a row, the products hold its columns and, of each class, a number or a strip of z.
        held = 1 if diagonal else min(d, STRIP)
        with np.errstate(over="ignore", invalid="ignore"):
            for rows in blocks(n, d if self.shared else max(d, K * held), size=2 * BLOCK):
                x, out = X[rows], exponents[rows]
                if arrays is None:
                    write_one_by_one(self.gaussians, x, out)
                elif self.shared:
                    first = self.gaussians[0].mahalanobis_squared(x)
                    np.subtract(linear(x, 0.0, *arrays), 0.5 * first[:, None], out=out)
                elif diagonal:  # −½ Σ_j p_j (v_j − m_j)², multiplied out
                    origin, squares, products, offsets = arrays
                    V = x - origin
                    out[:] = V @ products.T
                    out += offsets
                    V = np.square(V, out=V) if squares.shape[1] > 1 else np.einsum("ij,ij->i", V, V)[:, None]
                    out += V @ squares.T
                else:  # −½ ‖z‖² with z = Wᵀ v − Wᵀ m
                    origin, strips = arrays
                    V = np.ones((d + 1, len(x)))  # the row of ones multiplies −Wᵀ m
                    np.subtract(x.T, origin[:, None], out=V[1:])
                    zs = ((strip @ V[: strip.shape[1]]).reshape(K, -1, len(x)) for strip in strips)
                    out[:] = -0.5 * reduce(np.add, (np.einsum("kji,kji->ki", z, z) for z in zs)).T
        if not is_surely_finite(exponents):
            return self._terms_with_gaps(X, exponents)
        return {"−½ ln|Σ|": log_volumes, "−½ D²": exponents, "constant": constants}

    @cached_property
    def _prepared(self) -> Prepared:
        arrays: tuple[Any, ...]
        log_volumes = np.array([-0.5 * gaussian.log_determinant for gaussian in self.gaussians])
        constants = np.array([-0.5 * np.log(2 * np.pi) * gaussian.rank for gaussian in self.gaussians])
        W = [gaussian.whitening for gaussian in self.gaussians]
        if not W[0].size or len({each.shape for each in W}) > 1:
            return Prepared(log_volumes, constants, None)
        origin = np.mean([gaussian.mean for gaussian in self.gaussians], axis=0)
        means = np.array([(each.mean - origin) + each._remainder for each in self.gaussians])
        with np.errstate(over="ignore", invalid="ignore"):  # of means that are too far away
            if self.shared:
                coefficients, offsets = linear_scores(means, W[0])
                farthest = -2 * offsets.min()
                coefficients, offsets = coefficients - coefficients[0], offsets - offsets[0]
                arrays = origin, coefficients, offsets
                if (np.abs(coefficients) @ np.abs(origin)).max() <= FAR:  # then rows need not be moved to the origin
                    arrays = None, coefficients, offsets - coefficients @ origin
            elif W[0].ndim == 1:
                precisions = np.square(W)
                offsets = -0.5 * (precisions * means**2).sum(axis=1)
                spherical = (precisions == precisions[:, :1]).all()  # then the sum of the squares of a row will do
                squares = -0.5 * (precisions[:, :1] if spherical else precisions)
                farthest, arrays = -2 * offsets.min(), (origin, squares, precisions * means, offsets)
            else:  # the matrices [−Wᵀ m, Wᵀ] of all classes below one another, a few rows of each at a time
                farthest = max((np.abs(m) @ np.abs(each)).max() for m, each in zip(means, W, strict=True))
                triangular, rank, strips = not any(np.tril(each, -1).any() for each in W), W[0].shape[1], []
                for part in np.array_split(np.arange(rank), max(round(rank / STRIP), 1)):
                    end = part[-1] + 1 if triangular else None
                    columns = [(-m @ each[:, part], each[:end, part]) for m, each in zip(means, W, strict=True)]
                    strips.append(np.hstack([np.vstack(each) for each in columns]).T)
                arrays = origin, strips
        return Prepared(log_volumes, constants, arrays if farthest <= FAR else None)

    def _linear_with_gaps(self, X: Array, log_priors: Array) -> Array:
        """What `linear` returns, of the marginal densities of rows with gaps; NaN for a row where digits may be lost.

        Rows with gaps in the same columns have the same coefficients, which are computed once.
        """
        X, n, first, rest = X[:, self.columns], len(X), self.gaussians[0], self.gaussians[1:]
        sums, scores = np.full((2, len(self.gaussians), n), np.nan)
        if not is_well_conditioned(first):
            return scores.T
        means = np.array([(each.mean - first.mean) + (each._remainder - first._remainder) for each in rest])
        P = np.diag(np.square(first.whitening)) if first.whitening.ndim == 1 else first.whitening @ first.whitening.T
        missing = np.isnan(X)
        order, is_new = sort_by_gaps(missing)
        missing, V = missing.take(order, axis=0), X.take(order, axis=0)
        starts, gaps, pattern = np.append(np.flatnonzero(is_new), n), missing[is_new], np.cumsum(is_new) - 1
        # Where the rows with m gaps begin, for m from 1 to one more than are taken here.
        begins = starts[np.searchsorted(gaps.sum(axis=1), np.arange(1, FEW_GAPS + 2))].tolist()
        with np.errstate(over="ignore", invalid="ignore"):  # of infinity in X, which is found then
            V -= first.mean
            V -= first._remainder
            np.putmask(V, missing, 0)  # faster than by an index
            for begin, end in pairwise(begins):
                for part in blocks(end - begin, means.size, at_least=1, size=2 * BLOCK):
                    rows = slice(begin + part.start, min(begin + part.stop, end))
                    alike = pattern[rows] - pattern[rows.start]
                    coefficients, offsets = marginal_scores(means, P, gaps[pattern[rows.start] :][: alike[-1] + 1])
                    sums[0, rows] = 0  # of the first class, to which the others are compared
                    sums[1:, rows] = np.einsum("kij,ij->ki", coefficients.take(alike, axis=1), V[rows])
                    sums[1:, rows] += offsets[:, alike]
        scores[:, order] = sums
        return scores.T + log_priors

    def _terms_with_gaps(self, X: Array, exponents: Array) -> dict[str, Array]:
        """Terms where some rows have gaps: those of their marginal densities."""
        missing, (log_volumes, constants, _) = np.isnan(X), self._prepared
        rows = np.flatnonzero(missing.any(axis=1))
        terms = np.array(np.broadcast_arrays(log_volumes, exponents, constants))
        different = self.gaussians[:1] if self.shared else self.gaussians
        if all(is_well_conditioned(gaussian) for gaussian in different):
            diagonal = all(gaussian.whitening.ndim == 1 for gaussian in different)  # then no equations are solved
            have_few = np.full(len(rows), True) if diagonal else missing[rows].sum(axis=1) <= FEW_GAPS
            few, rows = rows[have_few], rows[~have_few]
            with np.errstate(over="ignore", invalid="ignore"):
                for part in blocks(len(few), X.shape[1]):
                    terms[:, few[part]] = self._terms_with_few_gaps(X[few[part]])
        patterns, pattern = np.unique(missing[rows], axis=0, return_inverse=True)
        for i, missed in enumerate(patterns):
            alike = rows[pattern.ravel() == i]
            terms[:, alike] = self._marginal_terms(X[alike], np.flatnonzero(~missed))
        terms[1][np.isnan(terms[1])] = -np.inf  # ∞ − ∞, of a row that is too far away
        terms[:, missing.all(axis=1)] = 0  # without a rounding error, so that classes of the same prior tie
        return dict(zip(("−½ ln|Σ|", "−½ D²", "constant"), terms, strict=True))

    def _marginal_terms(self, X: Array, columns: np.ndarray) -> Array | float:
        """Terms, shape (3, n, K), of rows of which only these columns were observed."""
        if not len(columns):
            return 0.0
        marginals = [gaussian.marginal(columns) for gaussian in self.gaussians[: 1 if self.shared else None]]
        if len({each.rank for each in marginals}) > len({each.rank for each in self.gaussians}):
            warn_user(
                f"in rows with {len(columns)} observed columns the covariances of the classes have different ranks "
                f"({', '.join(str(each.rank) for each in marginals)}), so their pseudo-densities are not comparable; "
                f"use shrinkage"
            )
        if self.shared:
            marginals = [marginals[0].moved_to(g.mean[columns], g._remainder[columns]) for g in self.gaussians]
        log_volumes = [-0.5 * each.log_determinant for each in marginals]
        constants = [-0.5 * np.log(2 * np.pi) * each.rank for each in marginals]
        exponents = np.empty((len(X), len(self.gaussians)), order="F")
        write_one_by_one(marginals, X[:, columns], exponents)  # too few rows to gain from one product for all classes
        return np.array(np.broadcast_arrays(log_volumes, exponents, constants))

    def _terms_with_few_gaps(self, X: Array) -> Array:
        """Terms, shape (3, n, K), of rows with gaps of any pattern, without a marginal density for each.

        With the precision P = Σ⁻¹ = W Wᵀ and missing columns m, the D² of the observed columns is the least D² that any
        values in the gaps could give: with deviations 0 there, D² − gᵀ P_mm⁻¹ g for g = (P (x − μ))_m. And the
        covariance of the observed columns has ln |Σ| + ln |P_mm|.
        """
        X = np.ascontiguousarray(X.T)  # along the rows, of which there are many
        missing, K = np.isnan(X), len(self.gaussians)
        n_missing = missing.sum(axis=0)
        log_determinants, squared = np.empty((2, K, X.shape[1]))
        for k in [slice(None)] if self.shared else [slice(k, k + 1) for k in range(K)]:
            W, ln_det = self.gaussians[k][0].whitening, self.gaussians[k][0].log_determinant
            V = np.array([X - each.mean[:, None] - each._remainder[:, None] for each in self.gaussians[k]])
            np.copyto(V, 0, where=missing)
            P = np.square(W) if W.ndim == 1 else W @ W.T
            gradients = P[:, None] * V if W.ndim == 1 else P @ V
            squared[k] = np.einsum("kji,kji->ki", V, gradients)
            log_determinants[k] = ln_det
            if W.ndim == 1:
                log_determinants[k] += np.log(P) @ missing
                continue
            for m in np.flatnonzero(np.bincount(n_missing)).tolist():
                alike = np.flatnonzero(n_missing == m)
                for part in blocks(len(alike), m * (m + len(V))):
                    rows = alike[part]
                    columns = np.nonzero(missing[:, rows].T)[1].reshape(-1, m).T
                    g = gradients[:, columns, rows].swapaxes(0, 1)
                    pivots = eliminate(P[columns[:, None], columns], g)
                    log_determinants[k, rows] += np.log(pivots).sum(axis=0)
                    squared[k, rows] -= (np.square(g) / pivots[:, None]).sum(axis=0)
        constants = -0.5 * np.log(2 * np.pi) * (len(X) - n_missing)
        terms = np.broadcast_arrays(-0.5 * log_determinants, -0.5 * np.maximum(squared, 0), constants)
        return np.array(terms).swapaxes(1, 2)


def linear(X: Array, log_priors: Array | float, origin: Array | None, coefficients: Array, offsets: Array) -> Array:
    """Return ½ D²_0(x) − ½ D²_k(x) + ln π_k, shape (n, K), for one covariance: all that decides, and linear in x."""
    few = int(len(offsets) <= MANY)  # then it is worth leaving out the first class, whose scores are 0
    scores = np.zeros((len(X), len(offsets)), order="F" if few else "C")
    with np.errstate(over="ignore", invalid="ignore"):  # of infinity in X, which is found then
        np.matmul(coefficients[few:], (X if origin is None else X - origin).T, out=scores.T[few:])
    scores += offsets + log_priors
    return scores


def write_one_by_one(gaussians: list[Gaussian], X: Array, out: Array) -> None:
    """Write −½ D²_k(x) as each Gaussian measures it from its own mean."""
    X = np.asfortranarray(X)  # densities are computed column by column
    for k, gaussian in enumerate(gaussians):
        out[:, k] = -0.5 * gaussian.mahalanobis_squared(X)


def is_well_conditioned(gaussian: Gaussian) -> bool:
    """Tell whether Σ has full rank, and an inverse that loses few digits."""
    with np.errstate(over="ignore"):
        precisions = np.square(gaussian.whitening)
    if gaussian.rank < gaussian.n_features or not np.isfinite(precisions).all():
        return False
    return precisions.ndim == 1 or (precisions.sum(axis=1) * gaussian.covariance.diagonal()).max() < FAR


def sort_by_gaps(missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Order of rows by the number of their gaps, then by the columns of these, and whether a row begins new columns.

    Up to `FEW_GAPS`: rows with many more may stand in any order behind them.
    """
    columns = np.arange(missing.shape[1])
    digits = np.zeros((len(columns), columns[-1] // DIGITS + 1))  # a few numbers tell the columns of all gaps of a row
    digits[columns, columns // DIGITS] = 2.0 ** (columns % DIGITS)
    digits[:, -1] += 2.0**DIGITS  # and the last one also how many there are
    numbers = missing @ digits
    order = np.lexsort(numbers.T) if numbers.shape[1] > 1 else numbers[:, 0].argsort()  # faster
    numbers = numbers[order]
    return order, np.append(True, (numbers[1:] != numbers[:-1]).any(axis=1))


def marginal_scores(means: Array, P: Array, gaps: np.ndarray) -> tuple[Array, Array]:
    """Linear scores of several marginal densities; `means` and X are relative to an origin.

    The coefficients for the columns o are Σ_oo⁻¹ μ_o. With P = Σ⁻¹ and gaps m, they are those of P μ if the gaps of μ
    are filled with −P_mm⁻¹ P_mo μ_o, which is what makes P μ vanish there. Means that only differ in gaps get the same
    coefficients to the last digit, so that their classes tie.

    Parameters
    ----------
    means : (K, d) array
    P : (d, d) array
    gaps : (p, d) array of bool
        Which columns are missing; in each row equally many.

    Returns
    -------
    coefficients : (K, p, d) array
        0 in the gaps.
    offsets : (K, p) array
        −½ μ_oᵀ Σ_oo⁻¹ μ_o.
    """
    (K, d), p = means.shape, len(gaps)
    at = np.flatnonzero(gaps)
    columns = (at % d).reshape(p, -1).T
    seen = means[:, None] * ~gaps
    filled, gradients = seen.reshape(K, -1).copy(), (seen @ P).reshape(K, -1)[:, at]
    solution = solve(P[columns[:, None], columns], gradients.reshape(K, p, -1).transpose(2, 0, 1).copy())
    filled[:, at] = -solution.transpose(1, 2, 0).reshape(K, -1)
    coefficients = filled.reshape(K, p, d) @ P
    coefficients.reshape(K, -1)[:, at] = 0
    return coefficients, -0.5 * np.einsum("kij,kij->ki", seen, coefficients)


def eliminate(A: Array, b: Array) -> Array:
    """Make A upper triangular in the equations A x = b, and return its diagonal, shape (m, n).

    These are n small systems: A has the shape (m, m, n), b (m, K, n). Both are overwritten; the lower triangle of A is
    to be ignored. Elimination needs no pivoting, since the matrices are positive definite.
    """
    for i in range(len(A) - 1):
        factors = A[i + 1 :, i] / A[i, i]
        A[i + 1 :, i + 1 :] -= factors[:, None] * A[i, i + 1 :]
        b[i + 1 :] -= factors[:, None] * b[i]
    return A.diagonal().T


def solve(A: Array, b: Array) -> Array:
    """A⁻¹ b, shape (m, K, n), of A and b as in `eliminate`."""
    pivots = eliminate(A, b)
    for i in reversed(range(len(A))):
        for j in range(i + 1, len(A)):
            b[i] -= A[i, j] * b[j]
        b[i] /= pivots[i]
    return b
