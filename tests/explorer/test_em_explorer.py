"""The EM explorer: its JavaScript agrees with `e_step`, `m_step` and `GaussianMixture`, and its picture follows."""

import warnings

import numpy as np
import pytest
from javascript import call

from bayeslab import CollapsedComponentError, Gaussian, GaussianMixture, e_step, load_iris, m_step, make_gaussian_pair
from bayeslab.explore import EMExplorer

N_STEPS = 30
BIRDS = make_gaussian_pair("P1b", 100, np.random.default_rng(6)).X
CLOUD = make_gaussian_pair("P1a", 40, np.random.default_rng(1)).X.round(3)
PETALS = load_iris().select("petal length", "petal width").X
AWAY = np.array([1e6, -2e6])

# Points, means to start from, and their sizes.
RUNS = {
    "two birds": (BIRDS, BIRDS[[1, 0]], 1),
    "three birds, small": (BIRDS, BIRDS[[3, 50, 150]], [0.3, 0.2, 0.1]),
    "five of one cloud": (CLOUD, CLOUD[:5], 1),
    "one component": (CLOUD, [[1, 1]], 1),
    "in steps of a millimetre": (PETALS, [[1.5, 0.2], [4, 1.5], [6, 2]], 1),
    "far from the origin": (BIRDS + AWAY, BIRDS[[1, 0]] + AWAY, 1),
    "other units": (BIRDS * [1e6, 1e-6], BIRDS[[1, 0]] * [1e6, 1e-6], 1),
    "twins": (CLOUD, [[1, 2], [1, 2]], 1),
}
UPRIGHT, SLANTING = ([[x, y] for x, y in zip(x, (9, 10, 12), strict=True)] for x in ((9, 9, 9), (9, 10, 12)))
COLLAPSES = {
    "on one bird": (BIRDS, [[0, 0], BIRDS[np.argmax(BIRDS.sum(axis=1))]], [1, 0.02], "line|width"),
    "on an upright line": (np.vstack([BIRDS[:60], UPRIGHT]), [[1, 1], [9, 10]], [1, 0.1], "width"),
    "on a slanting line": (np.vstack([BIRDS[:60], SLANTING]), [[1, 1], [10, 10]], [1, 0.1], "line"),
    "on two points, early": (CLOUD, CLOUD[[63, 61, 50, 37, 1]], 0.3, "line"),
    "on two points, late": (CLOUD, CLOUD[[9, 68, 79, 4, 0]], 0.3, "line"),
    "where nobody is": (BIRDS, [[1, 1], [40, -40]], [1, 0.1], "no point is left"),
}


def run_of(explorer, most, tolerance=0.0):
    """What JavaScript makes of the start on the screen."""
    weights, means, covariances = (part.tolist() for part in explorer.start())
    start = {"weights": weights, "means": means, "covariances": covariances}
    return call("math/em.js", "runEM", [[explorer.points.tolist(), start, most, tolerance]])[0]


@pytest.mark.parametrize("case", RUNS.values(), ids=RUNS)
def test_thirty_iterations_are_those_of_e_step_and_m_step(case):
    explorer = EMExplorer(*case)
    X, units = explorer.points, explorer.points.std(axis=0)
    slack = 1e-9 * units + 1e-15 * np.abs(X).max(axis=0)  # of a mean; numbers far from 0 are rounded themselves
    (weights, means, covariances), history = explorer.start(), run_of(explorer, N_STEPS)["history"]
    assert len(history) == N_STEPS + 1
    for now in history:
        gaussians = [Gaussian(*pair) for pair in zip(means, covariances, strict=True)]
        responsibilities, log_density = e_step(X, weights, gaussians)
        assert now["logLikelihood"] == pytest.approx(log_density.sum(), rel=1e-9, abs=1e-9)
        np.testing.assert_allclose(now["weights"], weights, rtol=0, atol=1e-9)
        assert (np.abs(np.array(now["means"]) - means) <= slack).all()
        np.testing.assert_allclose(
            now["covariances"] / np.outer(units, units), covariances / np.outer(units, units), atol=1e-9
        )
        weights, means, covariances = m_step(X, responsibilities)


@pytest.mark.parametrize("case", RUNS.values(), ids=RUNS)
def test_the_screen_starts_where_python_does_and_colours_are_responsibilities(case):
    explorer = EMExplorer(*case)
    state = {name: getattr(explorer, name).tolist() for name in ("points", "starts", "sizes")}
    shown = call("em_evaluation.js", "evaluateEM", [[state | {"step": step}] for step in (0, 1, 2, 3, 10_000)])
    history = explorer.mixture().history_
    for seen, iteration in (0, 0), (1, 0), (2, 0), (3, 1), (4, -2):
        shares = np.transpose([list(each.values()) for each in shown[seen]["shares"]])
        np.testing.assert_allclose(shares, history[iteration].responsibilities(explorer.points), atol=1e-9)
    for seen, iteration in (0, 0), (1, 0), (2, 1), (3, 1), (4, -1):
        expected = history[iteration].log_likelihood * len(explorer.points)
        assert shown[seen]["now"]["logLikelihood"] == pytest.approx(expected, rel=1e-9)
    assert shown[4]["run"]["end"] == {"iteration": len(history) - 1, "converged": True}


@pytest.mark.parametrize("case", COLLAPSES.values(), ids=COLLAPSES)
def test_the_component_collapses_that_collapses_in_python(case):
    *given, words = case
    explorer = EMExplorer(*given)
    with pytest.raises(CollapsedComponentError) as caught:
        GaussianMixture(len(explorer.starts), init=explorer.start(), tol=0).fit(explorer.points)
    found = run_of(explorer, 1000)
    end = found["end"]
    assert (end["component"], end["iteration"]) == (caught.value.component, caught.value.iteration)
    assert len(found["history"]) == end["iteration"]
    assert any(word in end["why"] for word in words.split("|"))
    (text,) = call("em_evaluation.js", "ending", [[found]])
    assert text == f"component {end['component']} collapses in iteration {end['iteration']}"
    (text,) = call("em_evaluation.js", "reason", [[end, len(explorer.points)]])
    assert text == f"with {end['weight'] * len(explorer.points):.1f} of {len(explorer.points)} points {end['why']}"


def test_a_run_ends_where_it_gains_less_than_the_tolerance_or_when_it_is_told_to():
    explorer = EMExplorer(BIRDS, BIRDS[[1, 0]])
    found = run_of(explorer, 400, 1e-6)
    gains = np.diff([now["logLikelihood"] for now in found["history"]])
    assert found["end"] == {"iteration": len(gains), "converged": True}
    assert (gains[:-1] >= 1e-6).all()
    assert 0 <= gains[-1] < 1e-6
    short = run_of(explorer, 3, 1e-6)
    assert short["end"] == {"iteration": 3, "converged": False}
    assert call("em_evaluation.js", "ending", [[short]])[0].endswith("and still rising after 3 iterations")


def test_a_new_component_starts_at_the_point_farthest_from_the_others_in_any_units():
    for units in ([1, 1], [1e6, 1e-6]):
        X = BIRDS * units
        (found,) = call("math/em.js", "farthestFrom", [[X[:2].tolist(), X.tolist()]])
        scaled = BIRDS / BIRDS.std(axis=0)
        reach = ((scaled[:, None] - scaled[:2]) ** 2).sum(axis=2).min(axis=1)
        np.testing.assert_array_equal(found, X[reach.argmax()])


def test_a_component_of_half_the_size_starts_with_a_quarter_of_the_covariance():
    covariances = EMExplorer(BIRDS, BIRDS[[1, 0]], sizes=[1, 0.5]).start()[2]
    whole = np.cov(BIRDS.T, ddof=0)
    np.testing.assert_allclose(covariances, [whole, whole / 4])


def test_a_collapse_is_raised_and_what_comes_before_is_drawn():
    farthest = BIRDS[np.argmax(BIRDS.sum(axis=1))]
    ours = EMExplorer(BIRDS, [[0, 0], farthest], sizes=[1, 0.02], step=99)
    with pytest.raises(CollapsedComponentError) as caught:
        ours.mixture()
    assert caught.value.component == 1
    plane, climb = ours._draw().axes
    assert [len(line.get_ydata()) for line in climb.lines] == [caught.value.iteration] * 2
    assert len(plane.collections[0].get_offsets()) == len(BIRDS)


@pytest.mark.parametrize(("step", "iteration"), [(0, 0), (1, 0), (2, 1), (7, 3), (10_000, 43)])
def test_the_picture_shows_the_half_step(step, iteration):
    ours = EMExplorer(BIRDS, BIRDS[[1, 0]], step=step)
    plane, climb = ours._draw().axes
    history = ours.mixture().history_
    assert len(history) == 44
    expected = [each.log_likelihood * len(BIRDS) for each in history]
    np.testing.assert_allclose(climb.lines[0].get_ydata(), expected)
    np.testing.assert_allclose(climb.lines[1].get_ydata(), expected[: iteration + 1])
    colours = np.unique(plane.collections[0].get_facecolors(), axis=0)
    assert len(colours) == 1 if step == 0 else len(colours) > 100  # grey, or mixed by responsibilities


def test_a_run_that_has_not_ended_draws_without_a_warning():
    cloud = np.random.default_rng(0).normal(size=(60, 2))
    slow = EMExplorer(cloud, [[0, 0.01], [0, 0]], step=3)
    with warnings.catch_warnings(action="error"):
        slow._repr_mimebundle_()
