"""Moments of a sample: what a Gaussian fit needs to remember of its data, and nothing more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bayeslab._validation import as_samples, as_weights


@dataclass(frozen=True)
class Moments:
    """Total weight, mean and scatter of a weighted sample of d features.

    Samples can be added and taken away again without the data: ``a + b`` has the moments of both samples together,
    ``a - b`` those of ``a`` without the part ``b``.

    Parameters
    ----------
    weight : float
        Σ wᵢ; the number of samples when they are not weighted.
    mean : (d,) array
        μ = Σ wᵢ xᵢ / Σ wᵢ, in the units of X.
    scatter : (d, d) array
        S = Σ wᵢ (xᵢ − μ)(xᵢ − μ)ᵀ, not yet divided, in the units of X squared.

    References
    ----------
    Chan, Golub and LeVeque (1983), Algorithms for computing the sample variance, The American Statistician 37.
    """

    weight: float
    mean: np.ndarray
    scatter: np.ndarray

    @classmethod
    def of(cls, X, weights=None) -> Moments:
        """Moments of the rows of X, by the two-pass algorithm.

        Parameters
        ----------
        X : (n, d) or (n,) array
            Samples in rows; a flat array is n samples of one feature.
        weights : (n,) array, optional
            Non-negative; a weight of 2 means the same as writing the row twice.

        Raises
        ------
        ValueError
            If X is empty or not finite, or the weights are negative, all zero or not one per row.
        """
        X = as_samples(X)
        weights = as_weights(weights, len(X))
        total = weights.sum()
        # Measuring from one of the samples loses no digits to a large offset, and makes a constant column exactly zero.
        origin = X[np.argmax(weights > 0)]
        deviations = X - origin
        shift = weights @ deviations / total
        deviations -= shift
        # What rounding left over in the mean is measured once more and taken out of both mean and scatter.
        residual = weights @ deviations / total
        scatter = deviations.T @ (weights[:, None] * deviations) - total * np.outer(residual, residual)
        return cls(float(total), origin + (shift + residual), scatter)

    @property
    def n_features(self) -> int:
        """Number of features, d."""
        return len(self.mean)

    def __add__(self, other: Moments) -> Moments:
        """Moments of both samples together: Chan et al., equation 2.1, for matrices."""
        self._must_match(other)
        total = self.weight + other.weight
        difference = other.mean - self.mean
        mean = self.mean + (other.weight / total) * difference
        between = (self.weight * other.weight / total) * np.outer(difference, difference)
        return Moments(total, mean, self.scatter + other.scatter + between)

    def __sub__(self, other: Moments) -> Moments:
        """Moments of what is left when the part `other` is taken away: addition, solved for one of its terms."""
        self._must_match(other)
        rest = self.weight - other.weight
        if rest <= 0:
            raise ValueError(f"cannot remove a weight of {other.weight:g} from {self.weight:g}: nothing would be left")
        difference = self.mean - other.mean
        mean = self.mean + (other.weight / rest) * difference
        between = (self.weight * other.weight / rest) * np.outer(difference, difference)
        return Moments(rest, mean, self.scatter - other.scatter - between)

    def covariance(self, ddof: float = 1) -> np.ndarray:
        """Covariance matrix S / (Σw − ddof), shape (d, d).

        ``ddof=1`` is the unbiased estimate, ``ddof=0`` the maximum-likelihood one.

        Raises
        ------
        ValueError
            If the total weight is not larger than `ddof`.
        """
        if not self.weight > ddof:
            raise ValueError(
                f"a covariance with ddof={ddof:g} needs a total weight above {ddof:g}, but the samples have "
                f"{self.weight:g}; add samples" + (", or use ddof=0" if ddof and self.weight > 0 else "")
            )
        return self.scatter / (self.weight - ddof)

    def _must_match(self, other: Moments) -> None:
        if self.n_features != other.n_features:
            raise ValueError(f"moments of {self.n_features} and of {other.n_features} features do not go together")
