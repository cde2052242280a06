"""The boundary of two Gaussians in the plane: the kind of conic and its exact curve."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from family import refusals
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

from bayeslab import Gaussian, QuadraticSurface

# Means and covariances of two classes and the log prior odds, for boundaries worked out by hand.
KINDS = {
    "ellipse": [([0, 0], [1, 2], [1, 0.5], [4, 9], 0), ([0, 0], [1, 1], [3, 0], [1.5, 1.5], 0)],
    "hyperbola": [([0, 0], [1, 5], [1, 0.5], [4, 2], 0), ([0, 0], [1, 3], [0, 0], [3, 1], 0.1)],
    "parabola": [([0, 0], [1, 1], [1, 0.5], [1, 3], 0), ([0, 0], [2, 1], [0, 1], [1, 1], -2)],
    "line": [
        ([0, 0], [1, 2], [1, 0.5], [1, 2], 1),
        ([0, 0], [1, 1], [0, 0], [1, 4], -np.log(2)),  # a double line: class a wins nowhere and ties on the line
    ],
    "two lines": [
        ([0, 0], [1, 3], [0, 0], [3, 1], 0),
        ([0, 0], [1, 3], [0, 0.5], [1, 1], 0),
        ([0, 0], [4, 4], [0, 0.5], [4, 1], 0),
    ],
    "point": [([0, 0], [1, 1], [0, 0], [4, 4], -np.log(4)), ([0, 0], [1, 2], [0, 0], [4, 8], -np.log(4))],
    "none": [
        ([0, 0], [1, 1], [0, 0], [4, 4], -1.5),
        ([0, 0], [1, 1], [0, 0], [1, 4], -0.8),
        ([0, 0], [1, 2], [0, 0], [1, 2], 0),
        ([0, 0], [1, 2], [0, 0], [1, 2], 1),
    ],
}
CASES = [pytest.param(kind, case, id=f"{kind} {i}") for kind, cases in KINDS.items() for i, case in enumerate(cases)]
WITH_CURVE = [case for case in CASES if case.values[0] not in ("point", "none")]
IDENTITY = np.eye(2)
FEW = settings(max_examples=settings.default.max_examples // 8)  # of each kind
WINDOW = ((-5, 5), (-4, 6))


def priors_of(log_odds):
    first = 1 / (1 + np.exp(-log_odds))
    return first, 1 - first


def surface_of(case, map_=IDENTITY, shift=0.0):
    """Return the surface of a case after the affine map x ↦ map_ x + shift."""
    mean_a, variances_a, mean_b, variances_b, log_odds = case
    a = Gaussian(map_ @ mean_a + shift, map_ * variances_a @ map_.T)
    b = Gaussian(map_ @ mean_b + shift, map_ * variances_b @ map_.T)
    return QuadraticSurface.between(a, b, priors_of(log_odds))


@pytest.mark.parametrize(("kind", "case"), CASES)
@FEW
@given(
    angles=st.tuples(st.floats(0, 6), st.floats(0, 6)),
    stretch=st.floats(0.01, 100),
    units=arrays(float, 2, elements=st.sampled_from([1e-6, 1e-3, 1.0, 1e3, 1e6])),
    offset=arrays(float, 2, elements=st.floats(-1e6, 1e6)),
)
@example(angles=(0.4, 1), stretch=1, units=np.array([1e-6, 1e6]), offset=np.array([1e6, -1e6]))
def test_the_kind_does_not_depend_on_units_offset_or_basis(kind, case, angles, stretch, units, offset):
    turns = [np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) for t in angles]
    map_ = units[:, None] * (turns[0] * [stretch, 1] @ turns[1])
    spread = np.sqrt(np.square(map_).sum(axis=1))
    assert surface_of(case, map_, offset * spread).kind == kind


@pytest.mark.parametrize(
    ("W", "w", "w0", "kind"),
    [
        ([[1, 0], [0, 1]], [-6, -8], 24, "ellipse"),
        ([[1, 0], [0, 1]], [-6, -8], 25, "point"),
        ([[1, 0], [0, 1]], [-6, -8], 26, "none"),
        ([[4, 3], [3, 4]], [0, 0], -1, "ellipse"),
        ([[0, 1], [1, 0]], [0, 0], 1, "hyperbola"),
        ([[0, 2], [0, 0]], [0, 0], 0, "two lines"),  # xy = 0, by a matrix that is not symmetric
        ([[0, 1], [1, 0]], [-4, -6], 12, "two lines"),
        ([[0, 1], [1, 0]], [-4, -6], 13, "hyperbola"),
        ([[1, -2], [-2, 4]], [0, 1], 0, "parabola"),
        ([[1, -2], [-2, 4]], [3, -6], 2, "two lines"),
        ([[1, -2], [-2, 4]], [2, -4], 1, "line"),
        ([[1, -2], [-2, 4]], [2, -4], 2, "none"),
        ([[0, 0], [0, 0]], [1, 0], 2, "line"),
        ([[0, 0], [0, 0]], [0, 0], 2, "none"),
        ([[0, 0], [0, 0]], [0, 0], 0, "none"),
    ],
)
@FEW
@given(g=st.floats(1e-30, 1e30), units=arrays(float, 2, elements=st.sampled_from([1e-6, 0.1, 1.0, 1e6])))
@example(g=1.0, units=np.array([1e-6, 1e6]))
def test_the_kind_of_given_coefficients(W, w, w0, kind, g, units):
    surface = QuadraticSurface(-g * units * units[:, None] * W, -g * units * w, -g * w0)
    assert surface.kind == kind
    assert QuadraticSurface(-surface.W, -surface.w, -surface.w0).kind == kind


@given(exponents=st.tuples(st.integers(-40, 40), st.integers(-40, 40)), seed=st.integers(0, 1000))
@example(exponents=(-40, 40), seed=0)
def test_units_do_not_matter_to_given_coefficients(exponents, seed):
    """Powers of 2, so that no entry is rounded."""
    rng, units = np.random.default_rng(seed), 2.0 ** np.array(exponents)
    A, centre = rng.normal(size=(2, 2)), rng.normal(size=2)
    for kind, W, k in (("ellipse", A @ A.T, -1), ("none", A @ A.T, 1), ("hyperbola", A @ np.diag([1, -1]) @ A.T, 1)):
        w, w0 = -2 * W @ centre, centre @ W @ centre + k
        surface, moved = QuadraticSurface(W, w, w0), QuadraticSurface(units * units[:, None] * W, units * w, w0)
        assert (surface.kind, moved.kind) == (kind, kind)
        for arc in moved.curve((np.array([[-5, 5], [-5, 5]]) + centre[:, None]) / units[:, None]):
            assert (np.abs(surface(arc * units)) < 1e-11 * (abs(w0) + terms(surface, arc * units))).all()


def terms(surface, points):
    """Return the sum of the absolute terms of g at each point."""
    return 1 + np.einsum("ni,ij,nj->n", np.abs(points), np.abs(surface.W), np.abs(points)) + np.abs(points @ surface.w)


@pytest.mark.parametrize(("kind", "case"), WITH_CURVE)
@FEW
@given(angle=st.floats(0, 3.2), stretch=st.floats(0.3, 3), shift=arrays(float, 2, elements=st.floats(-4, 4)))
@example(angle=0.0, stretch=1.0, shift=np.zeros(2))
@example(angle=9.5367431640625e-07, stretch=1.0, shift=np.zeros(2))  # meets the edge right beside a corner of the grid
def test_the_curve_lies_on_the_boundary_and_ends_at_the_edge(kind, case, angle, stretch, shift):
    map_ = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * [stretch, 1]
    surface, (low, high) = surface_of(case, map_, shift), np.transpose(WINDOW)
    for arc in surface.curve(WINDOW):
        assert (np.abs(surface(arc)) < 1e-11 * terms(surface, arc)).all()
        assert ((low <= arc) & (arc <= high)).all()
        for end in arc[[0, -1]]:
            on_edge = np.isclose(end, low, rtol=0, atol=1e-9) | np.isclose(end, high, rtol=0, atol=1e-9)
            assert on_edge.any() or (kind == "ellipse" and np.array_equal(arc[0], arc[-1]))


def contour_of(surface, window, n=801):
    grid = np.meshgrid(*np.linspace(*np.transpose(window), n).T)
    figure, ax = plt.subplots()
    paths = ax.contour(*grid, surface(np.stack(grid, axis=-1)), levels=[0]).get_paths()
    plt.close(figure)
    return np.concatenate([path.vertices for path in paths if len(path.vertices)])


@pytest.mark.parametrize(("kind", "case"), [case for case in WITH_CURVE if case.id != "line 1"])
@pytest.mark.parametrize("window", [WINDOW, ((0.3, 2.4), (-3.1, 2.6)), ((-0.9, 40), (-30, 41))], ids=str)
def test_the_curve_is_the_contour_of_a_fine_grid(kind, case, window):
    """In other units and far from the origin too."""
    map_, shift = np.array([[1.0, 0.4], [-0.3, 0.9]]), np.array([0.1, -0.2])
    surface, size = surface_of(case, map_, shift), np.ptp(window, axis=1)
    contour, curve = contour_of(surface, window) / size, np.concatenate(surface.curve(window)) / size
    units, offset = np.array([1e-6, 1e6]), np.array([1e6, -1e6])
    elsewhere = surface_of(case, units[:, None] * map_, (shift + offset) * units)
    arcs = elsewhere.curve((np.array(window) + offset[:, None]) * units[:, None])
    for each in (curve, (np.concatenate(arcs) / units - offset) / size):
        distances = cdist(contour, each)
        assert distances.min(axis=0).max() < 2e-3  # no extra arc
        assert distances.min(axis=1).max() < 2e-2  # no arc missing, no gap


@pytest.mark.parametrize(("kind", "case"), WITH_CURVE)
def test_the_curve_is_smooth(kind, case):
    for arc in surface_of(case, np.array([[1.0, 0.4], [-0.3, 0.9]])).curve(WINDOW):
        steps = np.diff(arc, axis=0)
        turns = np.diff(np.unwrap(np.arctan2(*steps.T)))
        assert np.abs(turns).max() < 0.1
        assert (np.abs(turns) * np.linalg.norm(steps[1:], axis=1)).max() < 5e-3  # deviation from the chord


def circle(x, y, radius):
    return QuadraticSurface(np.eye(2), [-2 * x, -2 * y], x**2 + y**2 - radius**2)


@pytest.mark.parametrize(
    ("surface", "window", "n_arcs"),
    [
        (circle(0, 0, 1), ((-1, 2), (-2, 2)), 1),  # touches one
        (circle(0, 0, 1), ((0, 2), (-2, 2)), 1),
        (circle(0, 0, 1), ((0, 2), (0, 2)), 1),
        (circle(0, 0, 1.2), ((-1, 1), (-1, 1)), 4),
        (circle(0, 0, 2), ((-1, 1), (-1, 1)), 0),  # the window lies inside
        (circle(0, 0, 2**0.5), ((-1, 1), (-1, 1)), 0),  # touches the four corners from outside
        (circle(5, 0, 2), ((-1, 1), (-1, 1)), 0),
        (QuadraticSurface(np.diag([1, -1]), [0, 0], -1), ((-2, 2), (-2, 2)), 2),
        (QuadraticSurface(np.diag([1, -1]), [0, 0], -1), ((0, 2), (-2, 2)), 1),
        (QuadraticSurface(np.diag([1, -1]), [0, 0], -1), ((-2, 2), (2, 8)), 0),
        (QuadraticSurface(np.diag([1, -1]), [0, 0], -1), ((-2, 2), (1, 8)), 2),
        (QuadraticSurface(np.diag([1, 0]), [0, -1], 0), ((-1, 1), (0.25, 4)), 2),  # a parabola without its vertex
        (QuadraticSurface(np.diag([1, 0]), [0, -1], 0), ((-1, 1), (-4, -1)), 0),
        (QuadraticSurface(np.diag([1, 0]), [0, 0], -1), ((-2, 2), (-4, -1)), 2),
        (QuadraticSurface(np.diag([1, 0]), [0, 0], -1), ((0, 2), (-4, -1)), 1),
    ],
)
def test_the_number_of_arcs_in_a_window(surface, window, n_arcs):
    assert len(surface.curve(window)) == n_arcs
    assert len(surface.curve(np.flip(window, axis=1))) == n_arcs


@pytest.mark.parametrize("gap", [1e-2, 1e-4])
@pytest.mark.parametrize("window", [WINDOW, ((0.5, 5), (-4, 6))], ids=str)
def test_a_hyperbola_that_is_nearly_two_lines(gap, window):
    case = ([0, 0], [1, 3], [0, 0], [3, 1], gap)
    surface, lines = surface_of(case), surface_of(KINDS["two lines"][0])
    assert surface.kind == "hyperbola"
    arcs = surface.curve(window)
    assert len(arcs) == 2
    for arc in arcs:
        assert (np.abs(surface(arc)) < 1e-14 * terms(surface, arc)).all()
        assert (np.abs(lines(arc) + gap) < 1e-14 * terms(surface, arc)).all()


@pytest.mark.parametrize("signs", [(0, -1), (-1, -0.7), (-0.2, 1), (1, 1)])
@given(exponent=st.floats(-14, -2), angle=st.floats(0, 6), variance=st.sampled_from([1.0, 4.0]))
@example(exponent=-11.5, angle=1.27, variance=4.0)
def test_nearly_equal_covariances_never_leave_two_lines_or_a_point(signs, exponent, angle, variance):
    """g does not vanish where it is stationary: its value there grows with the distance of that point."""
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    variances = np.array([[1, variance], [1, variance] * (1 + 10**exponent * np.array(signs))])
    a, b = (rotation * each @ rotation.T for each in variances)
    surface = QuadraticSurface.between(Gaussian([0, 0], (a + a.T) / 2), Gaussian(rotation @ [1, 2], (b + b.T) / 2))
    assert surface.kind in ("line", "parabola", "hyperbola", "ellipse")


@pytest.mark.parametrize("difference", [1e-3, 1e-6, 1e-9, 1e-11, 1e-13])
@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, 0.3)])
def test_nearly_equal_covariances_give_nearly_a_line(difference, signs):
    a = Gaussian([0, 0], 1 + difference * np.array(signs))
    surface = QuadraticSurface.between(a, Gaussian([2, 1], 1))
    (arc,) = surface.curve(((-4, 4), (-4, 4)))
    assert np.abs(surface(arc)).max() < 1e-14
    assert np.abs(arc @ [2, 1] - 2.5).max() < 100 * difference
    assert np.ptp(arc, axis=0).max() == pytest.approx(8, abs=100 * difference)


test_a_window_must_be_an_interval_for_each_axis = refusals(
    *(
        (lambda window=window: circle(0, 0, 1).curve(window), "window must be")
        for window in ((0, 1), ((0, 1), (2, 2)), ((0, np.inf), (0, 1)))
    )
)
