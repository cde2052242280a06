"""Named sums over samples: the sufficient statistics of most families of densities; the Gaussian has `Moments`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

ROUNDING = 64 * np.finfo(float).eps


@dataclass(frozen=True, eq=False)
class Sums:
    """Total weight of a sample, and sums of terms that cannot be negative.

    Parameters
    ----------
    weight : float
        Σ wᵢ.
    totals : dict
        Σ wᵢ tᵢ by the name of t: a number, or an array for one number per column.

    Examples
    --------
    >>> a, b = Sums(2.0, {"x": 5.0}), Sums(1.0, {"x": 3.0})
    >>> (a + b).totals, (a + b - b).totals == a.totals
    ({'x': 8.0}, True)
    """

    weight: float = 0.0
    totals: dict = field(default_factory=dict)

    def __add__(self, other: Sums) -> Sums:
        """Sums over both samples together."""
        totals = dict(self.totals)
        for name, total in other.totals.items():
            totals[name] = totals.get(name, 0.0) + total
        return Sums(self.weight + other.weight, totals).within_range()

    def __sub__(self, other: Sums) -> Sums:
        """Sums over what is left without the part `other`, 0 if only rounding errors are left."""
        rest = self.weight - other.weight
        if rest <= ROUNDING * self.weight:
            raise ValueError(f"cannot remove a weight of {other.weight:g} from {self.weight:g}: nothing would be left")
        totals = dict(self.totals)
        for name, gone in other.totals.items():
            before = totals.get(name, 0.0)
            left = before - gone
            if np.any(left < -1e-8 * (before + gone)):
                raise ValueError(f"cannot remove samples that were never added: their sum of {name} is larger")
            totals[name] = np.where(left <= ROUNDING * before, 0.0, left)[()]
        return Sums(rest, totals)

    def within_range(self) -> Sums:
        """Return these sums, or raise a ValueError if one of them has overflowed."""
        for name, total in self.totals.items():
            if not np.isfinite(total).all():
                raise ValueError(
                    f"the sum of {name} is too large for floating-point numbers: divide the column, or the weights, "
                    f"by a constant, such as the largest"
                )
        return self
