"""The share of a Gaussian's samples that a rule gets wrong, integrated along rays, on the line or in the plane."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import ndtr

from bayeslab.gaussian import Gaussian

N_RAYS = 512  # in the plane, before refinement
N_LOOKS = {1: 4500, 2: 45}  # regular evaluations of the rule along a ray, on the line and in the plane
UNMET = {1: 1 / (2 * N_LOOKS[1]), 2: 1 / (N_RAYS * N_LOOKS[2])}  # about the largest share that all of them can miss
GOLDEN = (np.sqrt(5) - 1) / 2  # multiples of it, modulo 1, are spread evenly however many there are
FARTHEST = 9.0  # length of a ray in standard deviations; less than 1e-17 of the samples lie beyond


def share_along_rays(gaussian: Gaussian, terms: list[tuple], is_wrong: Callable) -> tuple[float, float]:
    """Probability that a rule is wrong on samples of a Gaussian in one or two dimensions, and its estimated error.

    In units of the standard deviations, all directions of rays from the mean are equally probable. Along a ray the
    decision changes at some radii, found by bisection, and the share of the samples beyond each radius is known.
    `terms` has class, prior × weight and Gaussian of each component that the rule compares or, for other rules, of
    each component of the true densities.
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
    # Evaluate again elsewhere on each ray. Which regions these points meet is a matter of chance, hence the factor 2.
    again = follow(angles, offset)
    differing = np.abs(again.shares(len(angles)) - first_shares).mean()
    return float(value), float(off + 2 * (differing + again.overlooked(offset) / len(angles)))


def _as_quadratic(gaussian: Gaussian, k: int, share: float, other: Gaussian) -> tuple:
    """Return k, W, a and c: −2 ln(prior × density) at mean + z is |zW|² + 2 zWa + c, up to a common constant."""
    W = other.whitening if other.whitening.ndim == 2 else np.diag(other.whitening)
    a = (gaussian.mean - other.mean) @ W
    return k, W, a, a @ a + other.log_determinant - 2 * np.log(share)


def _first_angles(gaussian: Gaussian, terms: list[tuple], scores: list[tuple], F: np.ndarray) -> np.ndarray:
    """Regular angles, and those between which a narrow region may lie.

    The latter point to the mean and to four sides of each Gaussian, or touch a boundary.
    """
    sides = np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    towards = [each.mean - gaussian.mean + sides @ np.linalg.cholesky(each.covariance).T for *_, each in terms]
    x, y = solve_triangular(F, np.concatenate(towards).T, lower=True)
    around = np.linspace(0, 2 * np.pi, N_RAYS, endpoint=False) + 0.1
    return np.unique(np.concatenate([around, np.arctan2(y, x), _tangents(scores, F)]) % (2 * np.pi))


def _tangents(scores: list[tuple], F: np.ndarray) -> np.ndarray:
    """Angles of the rays that touch a boundary between two Gaussians, at a point or at infinity.

    Along a ray of direction u, the boundary is at the roots of a r² + 2 b r + c, with a = uᵀAu and b = uᵀb. The roots
    become real where b² = a c, and one comes in from infinity where a = 0. Both conditions are uᵀQu = 0 for some Q.
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
    real = (size > 0) & (np.abs(mean) <= size * (1 + 1e-9))  # with room for rounding: for a line the root is double
    between = np.arccos(np.clip(-mean[real] / size[real], -1, 1))
    angles = np.concatenate([turn[real] + between, turn[real] - between]) / 2
    return np.concatenate([angles, angles + np.pi])


def _mean_over_circle(function: Callable, low: np.ndarray, at_low: np.ndarray) -> tuple[float, float]:
    """Mean of a function over all angles and its error, by Simpson's rule with finer steps where it bends or jumps."""
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
    """Changes of the decision along rays, ordered by ray and radius."""

    ray: np.ndarray  # number of its ray
    radius: np.ndarray
    wrong_below: np.ndarray  # whether the decision at smaller radii is wrong
    wrong_first: np.ndarray  # for each ray, whether the decision at the mean is wrong
    only_look: np.ndarray  # radius of the only evaluation between this change and the next; NaN if there were more
    d: int

    @property
    def beyond(self) -> np.ndarray:
        """Share of the samples of its ray that lie beyond each change."""
        return np.exp(-(self.radius**2) / 2) if self.d == 2 else 2 * ndtr(-self.radius)

    def shares(self, n: int) -> np.ndarray:
        """Share of the samples on each of the n rays that the rule gets wrong."""
        weights = np.where(self.wrong_below, -self.beyond, self.beyond)
        return self.wrong_first + np.bincount(self.ray, weights, minlength=n)

    def overlooked(self, offset: np.ndarray) -> float:
        """Estimated share, summed over the rays, in regions too narrow for the regular evaluations to meet.

        A region narrower than the step between evaluations is met with probability width / step, so each one met by a
        single regular evaluation stands for step / width − 1 others that were not.
        """
        step = FARTHEST / N_LOOKS[self.d]
        looks = self.only_look[:-1] / step - offset[self.ray[:-1]]
        # The comparison is False for NaN, where there were several evaluations.
        by_chance = (self.ray[1:] == self.ray[:-1]) & (np.abs(looks - np.round(looks)) < 1e-9)
        width, share = np.diff(self.radius)[by_chance], -np.diff(self.beyond)[by_chance]
        return float((share * (np.maximum(step / np.maximum(width, 1e-12), 1) - 1)).sum())


def _follow(directions: np.ndarray, gaussian: Gaussian, r: np.ndarray, is_wrong: Callable) -> _Changes:
    """Evaluate the rule at the radii r of each ray, mean + r · direction, and find the changes between them."""
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
    """Radii at which to evaluate the rule along each ray, in order, shape (n, m).

    Along a ray the log of each prior × density is quadratic in r, and the decision may change where two are equal. The
    radii are these places, a point between each two, and regular ones for rules that decide in another way.
    """
    n, looks = len(directions), N_LOOKS[directions.shape[1]]
    regular = (np.arange(looks + 1) + np.broadcast_to(offset, n)[:, None]) * (FARTHEST / looks)
    quadratics = [(np.square(directions @ W).sum(axis=1), directions @ (W @ a), c) for _, W, a, c in scores]
    # −2 ln of a sum of m densities is at most 2 ln m below that of the largest. The slack is twice that, since the
    # sums are equal only near the place where the largest terms are.
    most = max(Counter(k for k, *_ in scores).values())
    places = _equal_places(quadratics, n, 4 * np.log(most) + 1e-6)
    between = (places[:, 1:] + places[:, :-1]) / 2
    return np.sort(np.concatenate([regular, places, between], axis=1), axis=1)


def _equal_places(quadratics: list[tuple], n: int, slack: float) -> np.ndarray:
    """Radii where two quadratics a r² + 2 b r + c are equal and, up to the slack, smallest; for each ray in order.

    With many classes, most pairs are equal only where a third one is smaller. Such places are set to 0, and columns
    that hold nothing else are dropped.
    """
    places, levels = [np.zeros(n)], [np.zeros(n)]
    for (a1, b1, c1), (a2, b2, c2) in combinations(quadratics, 2):
        a, b, c = a1 - a2, b1 - b2, c1 - c2
        s = -(b + np.copysign(np.sqrt(np.maximum(b * b - a * c, 0)), b))
        for above, below in ((s, a), (c, s)):
            with np.errstate(divide="ignore", invalid="ignore"):
                r = np.clip(np.nan_to_num(above / below), 0, FARTHEST)
            places.append(r)
            levels.append((a1 * r + 2 * b1) * r + c1 - 1e-9 * max(abs(c1), abs(c2)))  # with room for rounding
    places, least = np.array(places), np.inf
    for a, b, c in quadratics:
        least = np.minimum(least, (a * places + 2 * b) * places + c)
    places[np.array(levels) > least + slack] = 0
    places.sort(axis=0)
    return places[max(int(np.argmax(places.any(axis=1))) - 1, 0) :].T
