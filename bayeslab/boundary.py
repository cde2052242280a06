"""Two classes: selecting them from a data set, the rule that decides between two Gaussians, and its boundary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from contourpy import contour_generator  # which Matplotlib brings
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from bayeslab._base.arrays import Array, Labelled, Labels, as_points, check_finite, check_same_length, rows_of
from bayeslab.gaussian import Gaussian

N_SIDE = 401  # points along each side of the grid


@dataclass
class DiagonalForm:
    """The function g(x) = Σ_i (q_i z_i² + l_i z_i) + k, where z = Uᵀ (x − center), so that x = center + T z."""

    center: Array  # (d,)
    U: Array  # (d, d)
    T: Array  # (d, d), with Uᵀ T = I
    q: Array  # (d,)
    l: Array  # (d,)
    k: float
    # Bounds (dq, dl, dk) on the rounding errors of q, l and k; the coefficient of z_i z_j may be off by √(dq_i dq_j).
    rounding: tuple[Array, Array, float]


def quadratic_roots(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> tuple[Array, Array]:
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


def _classify(form: DiagonalForm) -> tuple[str, list[tuple[Array, Array, float]]]:
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


ROUNDING: float = 16 * np.finfo(float).eps  # relative error assumed for given numbers, with room for a few operations
LARGEST_RATIO = 1e70  # of distances and standard deviations; their fourth powers must not overflow


def two_class(X: ArrayLike, y: Labels, first: object, second: object) -> tuple[Any, Labelled]:
    """Select the rows of X and y with one of two labels, in file order.

    Examples
    --------
    >>> X, y = two_class([[1], [2], [3], [4]], ["a", "b", "c", "a"], "a", "c")
    >>> X.tolist(), y.tolist()
    ([[1], [3], [4]], ['a', 'c', 'a'])
    """
    y = np.asarray(y)
    check_same_length(X, y)
    labels: list[Any] = [first, second]
    if any(isinstance(label, list | tuple) or np.ndim(label) for label in labels):
        raise TypeError(f"first and second must be labels, not {first!r} and {second!r}")
    if first == second:
        raise ValueError(f"first and second must be different classes, but both are {first!r}")
    for label in (first, second):
        if not (y == label).any():
            raise ValueError(f"no sample has the label {label!r}; the labels are {np.unique(y).tolist()}")
    keep = (y == first) | (y == second)
    return rows_of(X)[keep], y[keep]


def log_determinant_rule(x: ArrayLike, a: Gaussian, b: Gaussian) -> Array:
    """Two-class rule c = ln|Σ_B| − ln|Σ_A| + D²(x; μ_B, Σ_B) − D²(x; μ_A, Σ_A).

    c is twice the log likelihood ratio ln p(x | A) − ln p(x | B): choose A where c > 0 and B elsewhere, ties included.
    To include priors, add 2 ln(π_A / π_B). For x of shape (..., d), c has shape (...). It is NaN if both distances
    overflow.

    References
    ----------
    Bint, Huus and Spratt (2014), Implementing Bayes classifiers, equation 5.

    Examples
    --------
    >>> log_determinant_rule([1, 2, 5], Gaussian(0, 1), Gaussian(4, 1)).tolist()  # at 1: 3² − 1²; halfway: a tie
    [8.0, 0.0, -24.0]
    """
    _check_same_features(a, b)
    with np.errstate(invalid="ignore"):
        return b.log_determinant - a.log_determinant + b.mahalanobis_squared(x) - a.mahalanobis_squared(x)


class QuadraticSurface:
    """Boundary g(x) = xᵀWx + wᵀx + w₀ = 0 between two classes: a conic in the plane, points on the line.

    Parameters
    ----------
    W : (d, d) array
        Only its symmetric part counts.
    w : (d,) array
    w0 : float

    Attributes
    ----------
    W, w, w0
        The coefficients about the origin. For classes far from there, w and w0 are large and cancel, so a surface made
        by `between` does not use them: `value` uses the two densities, and `kind`, `curve` and `roots` use
        coefficients about a point between the means.

    References
    ----------
    Naive Bayes Classification (a chapter whose author is not named), equations 20 to 22.

    Examples
    --------
    >>> circle = QuadraticSurface(np.eye(2), [0, 0], -4)  # x₁² + x₂² = 4, with class a outside
    >>> circle.kind, circle.sign([[3, 0], [1, 1]]).tolist()
    ('ellipse', [1.0, -1.0])
    >>> QuadraticSurface.between(Gaussian(0, 1), Gaussian(4, 1)).roots().round(6).tolist()
    [2.0]
    """

    W: Array
    w: Array
    w0: float

    def __init__(
        self,
        W: ArrayLike,
        w: ArrayLike,
        w0: float,
        *,
        _form: DiagonalForm | None = None,
        _pair: tuple[Gaussian, Gaussian, float] | None = None,
    ) -> None:
        W, self.w, self.w0 = np.asarray(W, dtype=float), np.asarray(w, dtype=float), float(w0)
        d = self.w.size
        if self.w.shape != (d,) or W.shape != (d, d) or d == 0:
            raise ValueError(f"W and w must have shapes (d, d) and (d,), but have {W.shape} and {self.w.shape}")
        for array, name in ((W, "W"), (self.w, "w"), (np.array(self.w0), "w0")):
            check_finite(array, name)
        self.W = (W + W.T) / 2
        self._form, self._pair = _form or _diagonal_form(self.W, self.w, self.w0), _pair

    @classmethod
    def between(cls, a: Gaussian, b: Gaussian, priors: ArrayLike = (0.5, 0.5)) -> QuadraticSurface:
        """Boundary between the classes a and b: g(x) = ln π_a p(x | a) − ln π_b p(x | b), the log posterior odds.

        Equal covariances give W = 0: a hyperplane with normal Σ⁻¹(μ_a − μ_b) if the means differ. Diagonal
        covariances give a diagonal W. Both covariances must have full rank.
        """
        _check_same_features(a, b)
        for gaussian in (a, b):
            if gaussian.rank < gaussian.n_features:
                raise ValueError(
                    f"a boundary needs covariances of full rank, but this one has rank {gaussian.rank} of "
                    f"{gaussian.n_features}: {gaussian}; project the data with PCA first, or use shrinkage"
                )
        check_comparable([a, b])
        priors = np.asarray(priors, dtype=float)
        if priors.shape != (2,) or not (priors > 0).all() or not np.isclose(priors.sum(), 1):
            raise ValueError(
                f"priors must be two positive numbers with sum 1, not {priors.tolist()}; "
                f"if one prior is 0, the other class always wins and there is no boundary"
            )
        log_prior_odds = float(np.log(priors[0] / priors[1]))
        form = _form_between(a, b, log_prior_odds)
        W, slope = (form.U * form.q) @ form.U.T, form.U @ form.l
        w0 = float(form.k - form.center @ slope + form.center @ W @ form.center)
        return cls(W, slope - 2 * W @ form.center, w0, _form=form, _pair=(a, b, log_prior_odds))

    @property
    def n_features(self) -> int:
        """Number of features, d."""
        return len(self.w)

    def value(self, X: ArrayLike) -> Array:
        """Return g(x) of each sample: X of shape (..., d) gives (...); for d = 1 also a number or a flat array."""
        points = as_points(X, self.n_features, "this surface")
        if self._pair is None:
            return ((points @ self.W) * points).sum(axis=-1) + points @ self.w + self.w0
        a, b, log_prior_odds = self._pair
        # The new first axis keeps a single point on the line, shape (1,), from being read as a list of points.
        return log_determinant_rule(points[None], a, b)[0] / 2 + log_prior_odds

    __call__ = value

    def sign(self, X: ArrayLike) -> Array:
        """Return 1 for each sample on the side of class a, −1 for class b, 0 on the boundary."""
        return np.sign(self.value(X))

    def __repr__(self) -> str:
        return f"QuadraticSurface(W={self.W.tolist()}, w={self.w.tolist()}, w0={self.w0})"

    @property
    def kind(self) -> str:
        """Name of the boundary in the plane, up to rounding of the coefficients.

        One of "ellipse" (circles included), "hyperbola", "parabola", "line" (also a double one, which does not
        separate), "two lines" (crossing or parallel), "point" and "none". The last means that g is zero nowhere, or
        everywhere, as between equal Gaussians with equal priors.
        """
        self._check_dimension(2, "kind")
        return _classify(self._form)[0]

    def curve(self, window: ArrayLike) -> list[Array]:
        """Return the boundary inside a window ((x_low, x_high), (y_low, y_high)) of the plane, as a list of arcs.

        Each is an (m, 2) array of points on the boundary, up to rounding, from edge to edge of the window. An ellipse
        inside the window is one closed arc; a point has none.
        """
        self._check_dimension(2, "curve")
        window = np.sort(np.atleast_1d(np.asarray(window, dtype=float)))
        if window.shape != (2, 2) or not (np.isfinite(window).all() and (window[:, 0] < window[:, 1]).all()):
            raise ValueError(f"window must be ((x_low, x_high), (y_low, y_high)), not {window.tolist()}")
        form, (low, high) = self._form, window.T
        # In the coordinates y, the window is the square from 0 to 1: z = z₀ + G y.
        z0, G, side = (low - form.center) @ form.U, form.U.T * (high - low), np.linspace(0, 1, N_SIDE)
        arcs = []
        for q, l, k in _classify(form)[1]:
            z = z0 + np.stack(np.meshgrid(side, side), axis=-1) @ G.T
            lines: list = contour_generator(side, side, ((q * z + l) * z).sum(axis=-1) + k).lines(0)  # type: ignore[assignment]
            for y in lines:
                inner = (y > 0) & (y < 1)  # what lies on an edge of the window stays there
                for _ in range(4):  # Newton's steps along the gradient, from the lines of the grid onto the curve
                    z = z0 + y @ G.T
                    gradient = (2 * q * z + l) @ G * inner
                    size = np.maximum(np.square(gradient).sum(axis=1), np.finfo(float).tiny)
                    y = y - (((q * z + l) * z).sum(axis=1) + k)[:, None] * gradient / size[:, None]
                apart = np.abs(np.diff(y, axis=0)).max(axis=1) > 1e-6  # a corner of the grid gives two points
                keep = np.append(True, apart)
                keep[-2:] = keep[-2] & apart[-1], True  # of two at an end, the outer one stays: it lies on the edge
                arcs.append(low + y[keep].clip(0, 1) * (high - low))
        return arcs

    def roots(self) -> Array:
        """Return the boundary on the line: the 0, 1 or 2 roots of g, in order (none where g is zero everywhere)."""
        self._check_dimension(1, "roots")
        form = self._form
        numerators, denominators = quadratic_roots(form.q, form.l, form.k)
        finite = denominators != 0
        return np.unique(form.center + form.T[0] * numerators[finite] / denominators[finite])

    def _check_dimension(self, d: int, name: str) -> None:
        if self.n_features != d:
            raise ValueError(f"{name} needs d = {d}, but this surface has d = {self.n_features}")


def _form_between(a: Gaussian, b: Gaussian, log_prior_odds: float) -> DiagonalForm:
    """Diagonal form of ln π_a p(x | a) − ln π_b p(x | b).

    In the coordinates z both covariances are diagonal and that of the narrow class is I. Equal covariances have the
    difference 0 without rounding.
    """
    narrow = min(a, b, key=lambda g: g.log_determinant).covariance
    difference, U = eigh(a.covariance - b.covariance, narrow)
    T = narrow @ U
    precisions = np.array([g.moved_to(np.zeros(len(T))).mahalanobis_squared(T.T) for g in (a, b)])
    # The average of both means, weighted by the precisions: near the narrow class, where rounding matters most.
    center = (a.mean + b.mean) / 2 - T @ (difference / (1 / precisions).sum(axis=0) * (U.T @ (a.mean - b.mean)) / 2)
    means = np.array([(g.mean - center) @ U for g in (a, b)])
    signs = np.array([[1], [-1]])
    q = difference * precisions.prod(axis=0) / 2
    l = (signs * precisions * means).sum(axis=0)
    # ln |Σ_a| − ln |Σ_b|, one term per coordinate.
    log_determinants = np.sign(difference) * np.log1p(np.abs(difference) * precisions.max(axis=0))
    k = -0.5 * (signs * precisions * means**2).sum() - 0.5 * log_determinants.sum() + log_prior_odds
    # Rounding of the entries of Σ and μ changes entry i, j of a precision by up to √(e_i e_j), and a mean by `shift`.
    deviations = np.array([np.sqrt(g.covariance.diagonal()) @ np.abs(U) for g in (a, b)])
    e = ROUNDING * (precisions * deviations) ** 2
    shift = ROUNDING * np.array([(np.abs(g.mean) + np.abs(center)) @ np.abs(U) for g in (a, b)])
    reach = (np.sqrt(e) * np.abs(means)).sum(axis=1, keepdims=True)
    dl = (precisions * shift + np.sqrt(e) * reach).sum(axis=0)
    dk = (precisions * np.abs(means) * shift).sum() + (reach**2).sum() + (e / precisions).sum()
    dk += ROUNDING * (abs(log_prior_odds) + np.abs(log_determinants).sum())
    return DiagonalForm(center, U, T, q, l, k, (e.sum(axis=0), dl, dk))


def _diagonal_form(W: np.ndarray, w: np.ndarray, w0: float) -> DiagonalForm:
    """Diagonal form of given coefficients, about the origin.

    The eigenvalues of a 2 × 2 matrix are accurate even if its entries differ by many orders, so units do not matter.
    """
    q, T = eigh(W)
    size = np.abs(T)
    rounding = (
        ROUNDING * np.einsum("ki,kl,li->i", size, np.abs(W), size),
        ROUNDING * np.abs(w) @ size,
        ROUNDING * abs(w0),
    )
    return DiagonalForm(np.zeros(len(w)), T, T, q, w @ T, w0, rounding)


def check_comparable(gaussians: list[Gaussian]) -> None:
    """Raise a ValueError if the scales of some Gaussians with the same features are too far apart to compute with."""
    means = np.array([gaussian.mean for gaussian in gaussians])
    deviations = np.sqrt([gaussian.covariance.diagonal() for gaussian in gaussians])
    with np.errstate(over="ignore"):
        ratios = (np.ptp(means, axis=0) + deviations.max(axis=0)) / deviations.min(axis=0)
    if ratios.max() > LARGEST_RATIO:
        raise ValueError(
            f"the scales of these Gaussians are too far apart: in column {ratios.argmax()}, the means or the standard "
            f"deviations differ by {ratios.max():.0e} times the smallest standard deviation, and the limit is "
            f"{LARGEST_RATIO:.0e}, so that nothing overflows; are all of them in the same units?"
        )


def _check_same_features(a: Gaussian, b: Gaussian) -> None:
    if a.n_features != b.n_features:
        raise ValueError(
            f"the densities must have the same features, but a has {a.n_features} and b has {b.n_features}"
        )
