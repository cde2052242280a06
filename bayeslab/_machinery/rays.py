"""The share of a Gaussian's samples that a rule judges wrongly: an integral along rays, on the line or in the plane."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import ndtr

from bayeslab.gaussian import Gaussian

N_RAYS = 512  # in a plane, to begin with
N_LOOKS = {1: 4500, 2: 45}  # at a rule, along a ray on the line or in the plane, whatever the densities are there
FARTHEST = 9.0  # standard deviations from a mean to which a ray is followed; beyond lies a share below 1e-17


def share_along_rays(gaussian: Gaussian, terms: list[tuple], is_wrong: Callable) -> tuple[float, float]:
    """Probability that samples of a Gaussian in one or two dimensions are judged wrongly, and its error.

    Measured in its own standard deviations, rays leave its mean in all directions alike. Along a ray the decision
    changes at some radii, found by bisection, and the share of the samples beyond a radius is known.
    `terms` are class, prior × weight and Gaussian of all that may occur.
    """
    F, looks = np.linalg.cholesky(gaussian.covariance), N_LOOKS[gaussian.n_features]
    on_line = gaussian.n_features == 1

    def shares(angles, looks=looks):
        directions = np.column_stack([np.cos(angles), np.sin(angles)])[:, : gaussian.n_features]
        return _wrong_shares(directions @ F.T, gaussian, terms, is_wrong, looks)

    angles = np.array([0, np.pi]) if on_line else _first_angles(gaussian, terms, F)
    first_shares = shares(angles)
    overlooked = np.abs(first_shares - shares(angles, looks // 2)).mean()
    value, off = (first_shares.mean(), 0.0) if on_line else _mean_over_circle(shares, angles, first_shares)
    return float(value), float(off + overlooked)


def _first_angles(gaussian: Gaussian, terms: list[tuple], F: np.ndarray) -> np.ndarray:
    """Angles all around, and towards the middle and four sides of each Gaussian, lest a narrow one lie between rays."""
    sides = np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    towards = [each.mean - gaussian.mean + sides @ np.linalg.cholesky(each.covariance).T for *_, each in terms]
    x, y = solve_triangular(F, np.concatenate(towards).T, lower=True)
    around = np.linspace(0, 2 * np.pi, N_RAYS, endpoint=False) + 0.1
    return np.unique(np.concatenate([around % (2 * np.pi), np.arctan2(y, x) % (2 * np.pi)]))


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


def _wrong_shares(directions, gaussian: Gaussian, terms: list[tuple], is_wrong: Callable, looks: int) -> np.ndarray:
    """Share of the samples on each ray, mean + r · direction, that are judged wrongly."""
    n, d = directions.shape

    def judged(r):  # of as many radii for each ray
        points = gaussian.mean + r[..., None] * directions[:, None, :]
        return is_wrong(points.reshape(-1, d)).reshape(r.shape)

    r = _radii(directions, gaussian, terms, looks)
    wrong = judged(r)
    ray, place = np.nonzero(wrong[:, 1:] != wrong[:, :-1])
    low, high, before = r[ray, place], r[ray, place + 1], wrong[ray, place]
    for _ in range(36 if len(ray) else 0):  # to 1e-12
        middle = (low + high) / 2
        same = is_wrong(gaussian.mean + middle[:, None] * directions[ray]) == before
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    beyond = np.exp(-(high**2) / 2) if d == 2 else 2 * ndtr(-high)
    return wrong[:, 0] + np.bincount(ray, np.where(before, -beyond, beyond), minlength=n)


def _radii(directions: np.ndarray, gaussian: Gaussian, terms: list[tuple], looks: int) -> np.ndarray:
    """Radii between which the decision changes once at most, for each ray: (n, m), in order.

    Along a ray the log of each prior × density is a quadratic of r. Where two of them are equal, the best decision may
    change. Between these places, and at some more, for rules that decide elsewhere, one looks.
    """
    quadratics, regular = [], np.tile(np.linspace(0, FARTHEST, looks + 1), (len(directions), 1))
    for _, share, other in terms:
        W = other.whitening if other.whitening.ndim == 2 else np.diag(other.whitening)
        a, b = (gaussian.mean - other.mean) @ W, directions @ W
        constant = a @ a + other.log_determinant - 2 * np.log(share)
        quadratics.append(((b * b).sum(axis=1), b @ a, constant))
    # −2 ln of a sum of m densities is less than that of the largest by 2 ln m at most; and twice as much, since the
    # place is only near the one where the sums are equal.
    most = max(Counter(k for k, *_ in terms).values())
    places = _equal_places(quadratics, len(directions), 4 * np.log(most) + 1e-6)
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
            levels.append((a1 * r + 2 * b1) * r + c1 - 1e-9 * abs(c1))  # up to rounding
    places, least = np.array(places), np.inf
    for a, b, c in quadratics:
        least = np.minimum(least, (a * places + 2 * b) * places + c)
    places[np.array(levels) > least + slack] = 0
    places.sort(axis=0)
    return places[max(int(np.argmax(places.any(axis=1))) - 1, 0) :].T
