"""Where a quadratic function is zero: the kind of curve in the plane, its points there, and the roots on the line.

The function is given as a `DiagonalForm`, in coordinates without units and without mixed terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

N_POINTS = 241  # per arc: for a whole ellipse, one every 1.5°
ALWAYS = (-np.inf, np.inf)


@dataclass
class DiagonalForm:
    """The function g(x) = Σ_i (q_i z_i² + l_i z_i) + k, where z = Uᵀ (x − center), so that x = center + T z."""

    center: np.ndarray  # (d,)
    U: np.ndarray  # (d, d)
    T: np.ndarray  # (d, d), with Uᵀ T = I
    q: np.ndarray  # (d,)
    l: np.ndarray  # (d,)
    k: float
    # Bounds (dq, dl, dk) on the rounding errors of q, l and k; the coefficient of z_i z_j may be off by √(dq_i dq_j).
    rounding: tuple[np.ndarray, np.ndarray, float]


def quadratic_roots(a, b, c) -> tuple[np.ndarray, np.ndarray]:
    """Numerators and denominators of the real roots of a t² + b t + c; a root at infinity has the denominator 0.

    Nearly equal numbers are not subtracted, except in the discriminant itself.
    """
    a, b, c = np.atleast_1d(*np.broadcast_arrays(a, b, c))
    exponent = np.frexp(np.max(np.abs([a, b, c]), axis=0))[1]
    a, b, c = (np.ldexp(coefficient, -exponent) for coefficient in (a, b, c))  # so that no square overflows
    discriminant = b**2 - 4 * a * c
    s = -0.5 * (b + np.copysign(np.sqrt(np.maximum(discriminant, 0)), b))
    numerators, denominators = np.concatenate([s, c]), np.concatenate([a, s])
    real = np.tile(discriminant >= 0, 2) & ((numerators != 0) | (denominators != 0))
    return numerators[real], denominators[real]


def real_roots(form: DiagonalForm) -> np.ndarray:
    """Return the points of the line where g is zero, in order; see `QuadraticSurface.roots`."""
    numerators, denominators = quadratic_roots(form.q, form.l, form.k)
    finite = denominators != 0
    return np.unique(form.center + form.T[0] * numerators[finite] / denominators[finite])


def conic_kind(form: DiagonalForm) -> str:
    """Return the name of the curve g = 0 in the plane; see `QuadraticSurface.kind`."""
    return _classify(form)[0]


def conic_curve(form: DiagonalForm, window) -> list[np.ndarray]:
    """Return the part of the curve g = 0 inside a window, as arcs; see `QuadraticSurface.curve`."""
    window = np.sort(np.asarray(window, dtype=float))
    if window.shape != (2, 2) or not np.isfinite(window).all() or (window[:, 0] == window[:, 1]).any():
        raise ValueError(f"window must be ((x_low, x_high), (y_low, y_high)), not {window.tolist()}")
    low, high = window.T
    middle, half = (low + high) / 2, (high - low) / 2
    # In the coordinates y, the window is the square from −1 to 1: z = z₀ + G y.
    z0, G, G_inverse = (middle - form.center) @ form.U, form.U.T * half, form.T / half[:, None]
    arcs = []
    for q, l, k in _classify(form)[1]:
        for start, span in _starts(q, l, k, z0, G, G_inverse):
            arcs += _arcs_from(start, span, q, 2 * q * (z0 + G @ start) + l, G_inverse)
    return [np.clip(middle + half * arc, low, high) for arc in arcs]


def _classify(form: DiagonalForm) -> tuple[str, list]:
    """Return the name of the curve and the smooth curves (q, l, k) that it consists of."""
    dq, dl, dk = form.rounding
    curved = np.abs(form.q) > dq
    q = np.where(curved, form.q, 0)
    centre = np.divide(-form.l, 2 * q, where=curved, out=np.zeros(2))  # where g is stationary
    k = form.k + (centre * (q * centre + form.l)).sum()
    # How far off the slope and the value at the centre may be. The minimum is for a centre so far away that its own
    # position is uncertain: the first bound then says nothing.
    reach = np.sqrt(dq) @ np.abs(centre)
    slope_error = dl + np.minimum(2 * np.sqrt(dq) * reach, 1e-6 * np.abs(form.l).max())
    error = dk + min(np.abs(centre) @ dl + reach**2, 1e-6 * np.abs(q) @ centre**2)
    sloping = ~curved & (np.abs(form.l) > slope_error)
    if sloping.any():
        return ("parabola" if curved.any() else "line"), [(q, form.l, form.k)]
    side = np.sign(k) if abs(k) > error else 0
    signs = np.sign(q)
    if curved.all() and signs[0] != signs[1]:
        if side:
            return "hyperbola", [(q, form.l, form.k)]
        normals = np.sqrt(np.abs(q)) * [[1, 1], [1, -1]]
        return "two lines", [(np.zeros(2), normal, -normal @ centre) for normal in normals]
    if not curved.any() or side == signs[curved][0]:  # away from the centre, g only moves further from zero
        return "none", []
    if curved.all():
        return ("ellipse", [(q, form.l, form.k)]) if side else ("point", [])
    (i,) = np.flatnonzero(curved)
    n, m = quadratic_roots(q[i], form.l[i], form.k) if side else (centre[[i]], 1)
    return ("two lines" if side else "line"), [(np.zeros(2), np.eye(2)[i], -root) for root in n / m]


def _starts(q, l, k, z0, G, G_inverse) -> list[tuple[np.ndarray, tuple]]:
    """Return points from which all arcs in the square can be followed, each with the range of times to follow."""
    edge = _on_edge(q, l, k, z0, G)
    if not q.all() or (q.prod() > 0 and edge):
        return [(y, ALWAYS) for y in edge[:1]]
    centre = -l / (2 * q)
    squares = -(k - (q * centre**2).sum()) / q
    axis = int(np.argmax(squares))  # this axis has a vertex on each side of the centre
    vertex = np.sqrt(squares[axis]) * np.eye(2)[axis]
    if q.prod() > 0:
        inside = G_inverse @ (centre + vertex - z0)
        return [(inside, ALWAYS)] if np.abs(inside).max() <= 1 else []
    # A branch starts at its vertex. If that lies outside the square, each half of the branch starts at its innermost
    # point and is not followed past the vertex: the rounding error of the start would grow exponentially there.
    starts = {}
    for y in sorted(edge, key=lambda y: np.linalg.norm(q * (z0 + G @ y - centre))):
        z = z0 + G @ y - centre
        side, rate = np.sign(z[axis]), np.sign(q[1]) * np.sqrt(-q[1 - axis] / q[axis]) * z[1 - axis] / z[axis]
        nearest = G_inverse @ (centre + side * vertex - z0)
        with np.errstate(divide="ignore"):
            at_vertex = -np.arctanh(np.clip(rate, -1, 1))
        if np.abs(nearest).max() <= 1 + 1e-9:
            starts[side] = nearest, ALWAYS
        else:
            starts.setdefault((side, rate > 0), (y, (at_vertex, np.inf) if rate > 0 else (-np.inf, at_vertex)))
    return list(starts.values())


def _on_edge(q, l, k, z0, G) -> list[np.ndarray]:
    """Return the points where the curve meets the edge of the square."""
    points = []
    for i, side in ((0, -1), (0, 1), (1, -1), (1, 1)):
        z, along = z0 + side * G[:, i], G[:, 1 - i]
        n, m = quadratic_roots(along @ (q * along), along @ (2 * q * z + l), z @ (q * z + l) + k)
        within = np.abs(n) <= np.abs(m)
        points += [np.insert([y], i, side) for y in n[within] / m[within]]
    return points


def _arcs_from(start, span, q, gradient, G_inverse) -> list[np.ndarray]:
    """Return the arcs inside the square of the branch through `start`, followed over a span of time.

    The branch solves y' = v, where v is the gradient turned by a right angle. Since g is quadratic, v is linear in y,
    and y = start + S(t) v + 2 S(t/2)² a, where S(t) is sin(ωt)/ω for an ellipse, t for a parabola or a line, and
    sinh(ωt)/ω for a hyperbola. The centre, which may lie far away, does not appear. Times below are ωt.
    """
    turned = np.array([gradient[1], -gradient[0]])
    v, a = G_inverse @ turned, G_inverse @ (2 * np.array([q[1], -q[0]]) * turned[::-1])
    square = 4 * q.prod()
    omega, period = np.sqrt(abs(square)) or 1.0, [-np.pi, np.pi] if square > 0 else []
    S = {1: np.sin, 0: np.positive, -1: np.sinh}[int(np.sign(square))]

    def path(t):
        return start + np.multiply.outer(S(t) / omega, v) + np.multiply.outer(2 * (S(t / 2) / omega) ** 2, a)

    beyond = (start[:, None] - [-1, 1]).ravel()
    times = _times_at_zero(beyond, np.repeat(v, 2), np.repeat(a, 2), square)
    times = np.append(times[(span[0] < times) & (times < span[1])], period)
    runs = []
    for begin, end in pairwise(np.unique(times)):
        with np.errstate(over="ignore", invalid="ignore"):
            inside = np.abs(path((begin + end) / 2)).max() <= 1
        if inside:
            runs.append((runs.pop()[0] if runs and runs[-1][1] == begin else begin, end))
    if period and len(runs) > 1 and (runs[0][0], runs[-1][1]) == tuple(period):  # one arc contains times −π and π
        runs[-1] = runs[-1][0], runs.pop(0)[1] + 2 * np.pi
    arcs = [path(np.linspace(*run, N_POINTS)) for run in runs]
    if runs == [tuple(period)]:
        arcs[0][-1] = arcs[0][0]
    return [arc for arc in arcs if np.ptp(arc, axis=0).max() > 1e-9]  # without a point that only touches a corner


def _times_at_zero(c, v, a, square) -> np.ndarray:
    """Return the times ωt at which c + S(t) v + 2 S(t/2)² a is 0; `square` is ω², or −ω² for a hyperbola."""
    n, m = quadratic_roots(c * square + 2 * a, 2 * v, c)  # for n/m = S(t/2)/S'(t/2)
    with np.errstate(divide="ignore", over="ignore"):
        if square == 0:
            return 2 * n[m != 0] / m[m != 0]
        omega = np.sqrt(abs(square))
        if square > 0:
            return 2 * np.arctan(omega * n / m)
        early = omega * np.abs(n) < 0.6 * np.abs(m)
        # At later times this ratio, a hyperbolic tangent, is too close to 1, so solve for exp(ωt) instead.
        n_late, m_late = quadratic_roots(a + omega * v, -2 * (a + c * square), a - omega * v)
        log = np.log(np.maximum(n_late / m_late, 0))
        return np.concatenate([2 * np.arctanh(omega * n[early] / m[early]), log[np.abs(log) > 1]])
