"""A Gaussian classifier in exact arithmetic, from its definition, and how far from it rounding may take ours."""

from __future__ import annotations

import mpmath
import numpy as np
from draws import Data, weights_of

EPSILON = np.finfo(float).eps
exact = np.frompyfunc(mpmath.mpf, 1, 1)


def truth_of(model, data: Data, ever: Data | None = None) -> Exact | None:
    """Exact classifier, if these data determine one to some digits."""
    ever, of_all = ever or data, weights_of(data)
    present = np.unique(data.index[of_all > 0])
    if len(present) < len(np.unique(ever.index)) or not representable(ever):
        return None
    positive = weights_of(ever)[weights_of(ever) > 0]
    mpmath.mp.dps = 60 + 2 * int(np.log10(positive.max()) - np.log10(positive.min()))
    truth = Exact(model, data, ever)
    return truth if truth.possible else None


def representable(data: Data) -> bool:
    """Tell whether sums of squares are ordinary numbers, with some room."""
    weights = weights_of(data)
    spread = np.ptp(data.X[weights > 0], axis=0)
    if not spread.any():
        return False
    squares, sizes = 2 * np.log10(spread[spread > 0]), np.log10([weights.sum(), weights[weights > 0].min()])
    return max(squares.max() + max(0, sizes[0]), -(squares.min() - 32 + min(0, sizes[1]))) < 300


class Exact:
    """The classifier in exact arithmetic, from its definition, and how much of it rounding may take away.

    `ever` are all samples that were ever added, of which some may have been removed: their variation rounds too.
    """

    def __init__(self, model, data: Data, ever: Data | None = None):
        self.K = K = len(np.unique(data.index))
        weights = np.ones(len(data.X)) if data.weights is None else np.asarray(data.weights, float)
        self.varies = np.ptp(data.X[weights > 0], axis=0) > 0
        self.X, self.w, self.index = exact(data.X[:, self.varies]), exact(weights), data.index
        groups = [self.index == k for k in range(K)]
        n = np.array([self.w[rows].sum() for rows in groups])
        # Weights that average less than 1 are shares: they count as much as so many rows.
        rows = [np.count_nonzero(weights[each]) for each in groups]
        self.count, self.total_count = np.maximum(n, rows), max(n.sum(), sum(rows))
        self.means = [self.w[rows] @ self.X[rows] / size for rows, size in zip(groups, n, strict=True)]
        scatters = [self._scatter(rows, mean) for rows, mean in zip(groups, self.means, strict=True)]
        ddof, s = exact(model.ddof), exact(float(model.shared))
        self.possible = self.varies.any() and self.total_count > K * ddof
        if not self.possible:
            return
        divisors, divisor = n * (1 - ddof / self.count), n.sum() * (1 - K * ddof / self.total_count)
        pooled = sum(scatters) / divisor
        self.variances = pooled.diagonal()
        self.of_intensity = 0.0
        λ = self.intensities = self._intensities(model, groups, scatters, n)
        needs_own = [s < 1 and share < 1 for share in λ]
        self.possible = bool(min(self.variances) > 0) and all(divisors[k] > 0 for k in range(K) if needs_own[k])
        if not self.possible:
            return
        own = [S / m if needed else 0 * S for S, m, needed in zip(scatters, divisors, needs_own, strict=True)]
        target, noise = np.diag(self.variances), self._noise(ever or data, n)
        self.covariances = [(1 - a) * ((1 - s) * S + s * pooled) + a * target for S, a in zip(own, λ, strict=True)]
        self.covariances = [self._restrict(S, model.covariance) for S in self.covariances]
        # Rounding of each covariance, relative to its variances, and of the mean, in standard deviations.
        common = noise.sum(axis=0) / divisor + EPSILON * self.variances * n.sum() / divisor
        self.rounding, self.mean_rounding, self.condition = np.zeros(K), np.zeros(K), np.zeros(K)
        for k, S in enumerate(self.covariances):
            of_class = common.copy()
            if needs_own[k]:
                of_class += noise[k] / divisors[k] + EPSILON * own[k].diagonal() * n[k] / divisors[k]
            if model.covariance == "spherical":
                of_class = np.full(len(of_class), of_class.mean())
            of_class += self.of_intensity * (own[k].diagonal() + self.variances)
            self.rounding[k] = float(max(of_class / S.diagonal())) if min(S.diagonal()) > 0 else np.inf
            self.mean_rounding[k] = float(
                max(
                    EPSILON * r / mpmath.sqrt(v) if v else mpmath.inf
                    for r, v in zip(self.ranges[k], S.diagonal(), strict=True)
                )
            )
            self.condition[k] = self._condition(S)
        self.possible &= bool((self.rounding * self.condition < 1e-3).all() and (self.mean_rounding < 1).all())

    def _scatter(self, rows, mean):
        deviations = self.X[rows] - mean
        return (self.w[rows, None] * deviations).T @ deviations

    def _intensities(self, model, groups, scatters, n):
        """Shrinkage λ of each class; Ledoit and Wolf's from its definition, an outer product for each sample."""
        if not isinstance(model.shrinkage, str):
            return [exact(float(model.shrinkage or 0))] * self.K
        scale = np.array([mpmath.sqrt(v) if v else exact(1.0) for v in self.variances])
        deviations = np.array([(x - self.means[k]) / scale for x, k in zip(self.X, self.index, strict=True)])
        samples = [np.arange(len(self.X))] * self.K if model.shared else groups
        intensities = []
        for k, rows in enumerate(samples):
            total, S = (n.sum(), sum(scatters)) if model.shared else (n[k], scatters[k])
            count = self.total_count if model.shared else self.count[k]
            S, target = S / np.outer(scale, scale) / total, np.diag([exact(1.0)] * len(scale))
            outer = [np.outer(z, z) - S for z in deviations[rows]]
            if model.covariance != "full":
                outer, S, target = [o.diagonal() for o in outer], S.diagonal(), target.diagonal()
            uncertainty = sum(w * np.square(o).sum() for w, o in zip(self.w[rows], outer, strict=True)) / total / count
            distance = np.square(S - target).sum()
            λ = uncertainty / distance if distance else exact(1.0)
            if model.shrinkage == "oas":
                trace, d = (S * target).sum(), len(scale)
                A, B = np.square(S).sum() + trace**2, (1 + d) * trace
                if model.covariance != "full":
                    A, B = 2 * np.square(S).sum(), 2 * trace
                λ = A / (A - B + count * distance) if count * distance > B else exact(1.0)
            elif model.shrinkage != "ledoit_wolf":
                raise NotImplementedError(f"no exact formula yet for shrinkage={model.shrinkage!r}: add it here")
            intensities.append(exact(1.0) if count <= 1 or λ >= 1 else λ)
            size = sum(w * (z @ z) ** 2 for w, z in zip(self.w[rows], deviations[rows], strict=True)) / total
            if count > 1:
                self.of_intensity = max(
                    self.of_intensity, EPSILON * len(rows) * float(1 + size / total / (distance or 1))
                )
        return intensities

    def _noise(self, ever: Data, n):
        """Bound the rounding of each class's scatter, by column, which takes the mean for known to ε times the range.

        Taking nearly all of the weight away costs the digits by which it was larger.
        """
        X = exact(ever.X[:, self.varies])
        w = exact(np.ones(len(X)) if ever.weights is None else np.asarray(ever.weights, float))
        noise, self.ranges = [], []
        for k in range(self.K):
            rows = (ever.index == k) & (w > 0)
            part, weights = X[rows], w[rows]
            reach, lost = part.max(axis=0) - part.min(axis=0), weights.sum() / n[k]
            self.ranges.append(lost * reach)
            self.possible &= bool(lost < 1e12)  # beyond, nothing is left, which is said
            variation = weights @ np.square(part - weights @ part / weights.sum())
            noise.append(len(X) * lost * (EPSILON * variation + EPSILON**2 * weights.sum() * np.square(reach)))
        return np.array(noise)

    @staticmethod
    def _restrict(S, kind):
        diagonal = S.diagonal()
        if kind == "full":
            return S
        return np.diag(diagonal if kind == "diagonal" else [diagonal.sum() / len(diagonal)] * len(diagonal))

    @staticmethod
    def _condition(S) -> float:
        if min(S.diagonal()) <= 0:
            return np.inf
        root = np.array([mpmath.sqrt(v) for v in S.diagonal()])
        return float(np.linalg.cond((S / np.outer(root, root)).astype(float)))

    def joint(self, new: np.ndarray, log_priors) -> tuple[np.ndarray, np.ndarray]:
        """Log joint densities of rows, which may have gaps, relative to the largest, and their tolerances."""
        scores, tolerance = np.zeros((len(new), self.K)), np.zeros(len(new))
        for i, x in enumerate(new[:, self.varies]):
            seen = np.flatnonzero(~np.isnan(x))
            values, distances = [], np.zeros(self.K)
            for k, (mean, S) in enumerate(zip(self.means, self.covariances, strict=True)):
                distance, log_determinant = exact(0.0), exact(0.0)
                if len(seen):
                    size = np.sqrt(S.diagonal()[seen])
                    v = mpmath.matrix(((exact(x[seen]) - mean[seen]) / size).tolist())
                    Σ = mpmath.matrix((S[np.ix_(seen, seen)] / np.outer(size, size)).tolist())
                    distance = (v.T * mpmath.lu_solve(Σ, v))[0]
                    log_determinant = mpmath.log(mpmath.det(Σ)) + 2 * sum(map(mpmath.log, size))
                values.append(log_priors[k] - (distance + log_determinant) / 2)
                distances[k] = float(mpmath.sqrt(distance))
            D, condition = distances.max(), self.condition.max()
            tolerance[i] = 100 * (self.rounding.max() * condition * (len(x) + D**2) + 1e4 * EPSILON * (1 + D))
            tolerance[i] += 100 * np.sqrt(condition) * self.mean_rounding.max() * (D + 1)
            scores[i] = [float(value - max(values)) for value in values]
        return scores, tolerance
