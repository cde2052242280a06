"""The share of a Gaussian's samples that a rule judges wrongly: an integral along rays, on the line or in the plane."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import ndtr

from bayeslab.gaussian import Gaussian

N_RAYS = 512  # in a plane, to begin with
N_LOOKS = {1: 4500, 2: 45}  # at a rule, along a ray on the line or in the plane, whatever the densities are there
UNMET = {1: 1 / (2 * N_LOOKS[1]), 2: 1 / (N_RAYS * N_LOOKS[2])}  # about the share of a region that no look need meet
GOLDEN = (np.sqrt(5) - 1) / 2  # steps of which, modulo 1, spread evenly, however many they are
FARTHEST = 9.0  # standard deviations from a mean to which a ray is followed; beyond lies a share below 1e-17


def share_along_rays(gaussian: Gaussian, terms: list[tuple], is_wrong: Callable) -> tuple[float, float]:
    """Probability that samples of a Gaussian in one or two dimensions are judged wrongly, and its error.

    Measured in its own standard deviations, rays leave its mean in all directions alike. Along a ray the decision
    changes at some radii, found by bisection, and the share of the samples beyond a radius is known.
    `terms` are class, prior × weight and Gaussian of all between which the rule decides, or of all that may occur,
    where that is not known.
    """
    F, on_line = np.linalg.cholesky(gaussian.covariance), gaussian.n_features == 1
    scores = [_as_quadratic(gaussian, *term) for term in terms]

    def follow(angles, offset=0.0):
        directions = np.column_stack([np.cos(angles), np.sin(angles)])[:, : gaussian.n_features] @ F.T
        return _follow(directions, gaussian, _radii(directions, scores, offset), is_wrong)

    def shares(angles):
        return follow(angles).shares(len(angles))

    angles = np.array([0, np.pi]) if on_line else _first_angles(gaussian, terms, scores, F)
    first_shares, offset = shares(angles), np.arange(len(angles)) * GOLDEN % 1
    value, off = (first_shares.mean(), 0.0) if on_line else _mean_over_circle(shares, angles, first_shares)
    # Looked at again elsewhere on each ray; what is met there is a matter of chance, so the claim is twice as large.
    again = follow(angles, offset)
    differing = np.abs(again.shares(len(angles)) - first_shares).mean()
    return float(value), float(off + 2 * (differing + again.overlooked(offset) / len(angles)))


def _as_quadratic(gaussian: Gaussian, k: int, share: float, other: Gaussian) -> tuple:
    """Return k, W, a and c of −2 ln of prior × density at mean + z, which is |zW + a|² + c up to what all share."""
    W = other.whitening if other.whitening.ndim == 2 else np.diag(other.whitening)
    a = (gaussian.mean - other.mean) @ W
    return k, W, a, a @ a + other.log_determinant - 2 * np.log(share)


def _first_angles(gaussian: Gaussian, terms: list[tuple], scores: list[tuple], F: np.ndarray) -> np.ndarray:
    """Angles all around, and those between which a narrow region may lie.

    They are the directions of the middle and four sides of each Gaussian, and those at which rays begin to meet a
    boundary.
    """
    sides = np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    towards = [each.mean - gaussian.mean + sides @ np.linalg.cholesky(each.covariance).T for *_, each in terms]
    x, y = solve_triangular(F, np.concatenate(towards).T, lower=True)
    around = np.linspace(0, 2 * np.pi, N_RAYS, endpoint=False) + 0.1
    return np.unique(np.concatenate([around, np.arctan2(y, x), _corners(scores, F)]) % (2 * np.pi))


def _corners(scores: list[tuple], F: np.ndarray) -> np.ndarray:
    """Angles at which rays begin to meet a boundary between two Gaussians.

    Along the ray of a direction u the boundary is at the roots of a r² + 2 b r + c, with a = uᵀAu and b = uᵀb. Real
    ones begin where b² = a c, and come from infinity where a = 0. Both say uᵀQu = 0 of some matrix Q.
    """
    pairs = np.array(list(combinations(range(len(scores)), 2)), dtype=int).reshape(-1, 2).T
    A, b, c = (
        values[pairs[0]] - values[pairs[1]]
        for values in map(np.array, zip(*[(F.T @ W @ W.T @ F, F.T @ W @ a, c) for _, W, a, c in scores], strict=True))
    )
    Q = np.concatenate([A, b[:, :, None] * b[:, None, :] - c[:, None, None] * A])
    # With u = (cos t, sin t) this is mean + size · cos(2 t − turn) = 0.
    mean, half, mixed = (Q[:, 0, 0] + Q[:, 1, 1]) / 2, (Q[:, 0, 0] - Q[:, 1, 1]) / 2, Q[:, 0, 1]
    size, turn = np.hypot(half, mixed), np.arctan2(mixed, half)
    real = (size > 0) & (np.abs(mean) <= size * (1 + 1e-9))  # up to rounding: of lines, the root is a double one
    between = np.arccos(np.clip(-mean[real] / size[real], -1, 1))
    angles = np.concatenate([turn[real] + between, turn[real] - between]) / 2
    return np.concatenate([angles, angles + np.pi])


def _mean_over_circle(function: Callable, low: np.ndarray, at_low: np.ndarray) -> tuple[float, float]:
    """Mean of a function, known at some angles, by Simpson's rule, finer where it bends or jumps, and its error."""
    high, at_high = np.append(low[1:], low[0] + 2 * np.pi), np.roll(at_low, -1)
    value = error = 0.0
    for step in range(40):
        middle = (low + high) / 2
        at_middle, linear, width = function(middle), (at_low + at_high) / 2, high - low
        off = np.abs(at_middle - linear) * width
        rough = (off > 1e-9) & (step < 39)
        value += ((linear + 2 * at_middle) * width / 3)[~rough].sum()
        error += off[~rough].sum()
        if not rough.any():
            break
        ends = [(low, middle, at_low, at_middle), (middle, high, at_middle, at_high)]
        low, high, at_low, at_high = (np.concatenate([half[i][rough] for half in ends]) for i in range(4))
    return float(value / (2 * np.pi)), float(error / (2 * np.pi))


class _Changes(NamedTuple):
    """Where decisions change along rays: number of the ray and radius, in order, and whether they are wrong below."""

    ray: np.ndarray
    radius: np.ndarray
    wrong_below: np.ndarray
    wrong_first: np.ndarray  # of each ray, at its mean
    only_look: np.ndarray  # where the rule was looked at between this change and the next, if at one place alone
    d: int

    @property
    def beyond(self) -> np.ndarray:
        """Share of the samples on its ray that lie beyond each change."""
        return np.exp(-(self.radius**2) / 2) if self.d == 2 else 2 * ndtr(-self.radius)

    def shares(self, n: int) -> np.ndarray:
        """Share of the samples on each of the n rays that are judged wrongly."""
        weights = np.where(self.wrong_below, -self.beyond, self.beyond)
        return self.wrong_first + np.bincount(self.ray, weights, minlength=n)

    def overlooked(self, offset: np.ndarray) -> float:
        """Share, summed over the rays, that lies in regions too narrow to be met, as judged from those that were.

        Of the regions of a width below the step between regular looks, a share width / step is met: each that is met
        by such a look alone stands for step / width − 1 that are not.
        """
        step = FARTHEST / N_LOOKS[self.d]
        looks = self.only_look[:-1] / step - offset[self.ray[:-1]]
        # NaN, where there were several looks, is no regular one.
        by_chance = (self.ray[1:] == self.ray[:-1]) & (np.abs(looks - np.round(looks)) < 1e-9)
        width, share = np.diff(self.radius)[by_chance], -np.diff(self.beyond)[by_chance]
        return float((share * (np.maximum(step / np.maximum(width, 1e-12), 1) - 1)).sum())


def _follow(directions: np.ndarray, gaussian: Gaussian, r: np.ndarray, is_wrong: Callable) -> _Changes:
    """Look at the rule at the radii r on each ray, mean + r · direction, and find the changes between them."""
    points = gaussian.mean + r[..., None] * directions[:, None, :]
    wrong = is_wrong(points.reshape(-1, directions.shape[1])).reshape(r.shape)
    ray, place = np.nonzero(wrong[:, 1:] != wrong[:, :-1])
    low, high, below = r[ray, place], r[ray, place + 1], wrong[ray, place]
    only_look = np.where(np.diff(place, append=-1) == 1, high, np.nan)
    for _ in range(36 if len(ray) else 0):  # to 1e-12
        middle = (low + high) / 2
        same = is_wrong(gaussian.mean + middle[:, None] * directions[ray]) == below
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return _Changes(ray, high, below, wrong[:, 0], only_look, directions.shape[1])


def _radii(directions: np.ndarray, scores: list[tuple], offset) -> np.ndarray:
    """Radii between which the decision changes once at most, for each ray: (n, m), in order.

    Along a ray the log of each prior × density is a quadratic of r. Where two of them are equal, the decision may
    change. Between these places, and at some regular ones, for rules that decide elsewhere, one looks.
    """
    n, looks = len(directions), N_LOOKS[directions.shape[1]]
    regular = (np.arange(looks + 1) + np.broadcast_to(offset, n)[:, None]) * (FARTHEST / looks)
    quadratics = [(np.square(directions @ W).sum(axis=1), directions @ (W @ a), c) for _, W, a, c in scores]
    # −2 ln of a sum of m densities is less than that of the largest by 2 ln m at most; and twice as much, since the
    # place is only near the one where the sums are equal.
    most = max(Counter(k for k, *_ in scores).values())
    places = _equal_places(quadratics, n, 4 * np.log(most) + 1e-6)
    between = (places[:, 1:] + places[:, :-1]) / 2
    return np.sort(np.concatenate([regular, places, between], axis=1), axis=1)


def _equal_places(quadratics: list[tuple], n: int, slack: float) -> np.ndarray:
    """Radii where two of these a r² + 2 b r + c are equal and about as small as any, for each of n rays, in order.

    With many classes most pairs are equal where a third one is smaller by more than the slack. The place is then 0.
    """
    places, levels = [np.zeros(n)], [np.zeros(n)]
    for (a1, b1, c1), (a2, b2, c2) in combinations(quadratics, 2):
        a, b, c = a1 - a2, b1 - b2, c1 - c2
        s = -(b + np.copysign(np.sqrt(np.maximum(b * b - a * c, 0)), b))
        for above, below in ((s, a), (c, s)):
            with np.errstate(divide="ignore", invalid="ignore"):
                r = np.clip(np.nan_to_num(above / below), 0, FARTHEST)
            places.append(r)
            levels.append((a1 * r + 2 * b1) * r + c1 - 1e-9 * max(abs(c1), abs(c2)))  # up to rounding
    places, least = np.array(places), np.inf
    for a, b, c in quadratics:
        least = np.minimum(least, (a * places + 2 * b) * places + c)
    places[np.array(levels) > least + slack] = 0
    places.sort(axis=0)
    return places[max(int(np.argmax(places.any(axis=1))) - 1, 0) :].T
