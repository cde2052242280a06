"""The boundary explorer's JavaScript against the package: posteriors, boundaries, errors, drags, cuts."""

from itertools import product

import numpy as np
import pytest
from javascript import call
from scipy.optimize import brentq
from sklearn.neighbors import KNeighborsClassifier

from bayeslab import Gaussian, QuadraticSurface, bayes_error, make_three_classes
from bayeslab.explore import BoundaryExplorer
from bayeslab.explore._content import RULES, styles_of

JS = "boundary_page.js"
RNG = np.random.default_rng(5)

ROUND = [[1, 0], [0, 1]]
PAIR = [[[1, 0.5], [0.5, 1]], [[1, 0], [0, 2]]]
THREE = [[[1.2, 0.2], [0.2, 0.9]], [[0.5, 0], [0, 0.9]], [[4.7, 0.1], [0.1, 1.4]]]
SAMPLE = [[*RNG.normal([k, 2 * k % 3], [1, 1 + k / 2]).round(2), k] for k in (0, 1, 2) for _ in range(9 + k)]


def needles(r):
    return [[1, 2], [1, 2]], [[[1, 0], [0, r * r]], [[r * r, 0], [0, 1]]], [0.5, 0.5], []


# Means, covariances, priors and points.
CASES = {
    "hyperbola": ([[0, 0], [3, 3]], PAIR, [0.5, 0.5], []),
    "unequal priors": ([[0, 0], [1, 1]], PAIR, [0.9, 0.1], [point for point in SAMPLE if point[2] < 2]),
    "far from the origin": ([[1e6, -2e6], [1e6 + 3, -2e6 + 1]], PAIR, [0.3, 0.7], []),
    "other units": (
        [[0, 0], [2e6, 3e-6]],
        [[[1e12, 0.4], [0.4, 1e-12]], [[4e12, 0], [0, 1e-12]]],
        [0.5, 0.5],
        [],
    ),
    "line": ([[0, 0], [2, 1]], [PAIR[0], PAIR[0]], [0.4, 0.6], []),
    "ellipse": ([[0, 0], [0, 0]], [[[53.7, 21.5], [21.5, 32.2]], [[1, 0.4], [0.4, 0.6]]], [0.5, 0.5], []),
    "parabola": ([[0, 0], [2, 0]], [ROUND, [[1, 0], [0, 3]]], [0.5, 0.5], []),
    "two lines": ([[1, 2], [1, 2]], [[[1, 0], [0, 4]], [[4, 0], [0, 1]]], [0.5, 0.5], []),
    "needles": needles(0.1),
    "thin needles": needles(1e-4),
    "point": ([[0, 0], [0, 0]], [ROUND, [[4, 0], [0, 4]]], [0.2, 0.8], []),
    "identical": ([[1, 1], [1, 1]], [PAIR[0], PAIR[0]], [0.5, 0.5], []),
    "nearly a line": ([[0, 0], [1, 0]], [[[0.5, 0.499999], [0.499999, 0.5]], ROUND], [0.5, 0.5], []),
    "prior 0": ([[0, 0], [1, 1]], PAIR, [0, 1], []),
    "three classes": ([[0, 0], [-0.9, 4.4], [2.3, 4.4]], THREE, [1 / 3] * 3, SAMPLE),
    "five classes": ([[0, 0], [3, 0], [0, 3], [3, 3], [1.5, 1.5]], [*THREE, *PAIR], [0.1, 0.2, 0.3, 0.4, 0], []),
}


def explorer_of(name, **traits):
    means, covariances, priors, points = CASES[name]
    names = list(range(len(means)))
    given = {"means": means, "covariances": covariances, "priors": priors, "points": points}
    return BoundaryExplorer(class_names=names, classes=names, **given | traits)


def densities_of(explorer):
    return [Gaussian(*pair) for pair in zip(explorer.means, explorer.covariances, strict=True)]


def close(found, expected, size=1):
    """Compare to 1e-9 of the largest number; JSON has null for minus infinity."""
    found, expected = np.array(found, dtype=float), np.array(expected, dtype=float)
    expected[np.isneginf(expected)] = np.nan
    size = max(size, np.nanmax(np.abs(expected), initial=0))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * size)


# Rules ...............................................................................................................

LEARN = """(state, places) => {
    const { fit } = evaluateRule(state.rule, state, densities(state));
    const curve = state.means.length === 2 && !state.priors.includes(0);
    return {
        posteriors: places.map(([x, y]) => logPosterior(fit, x, y)),
        conic: curve && conic(...fit.gaussians, fit.logPriors[0] - fit.logPriors[1]),
    };
}"""


@pytest.mark.parametrize("name", CASES)
def test_posteriors_and_boundary_of_every_gaussian_rule_are_pythons(name):
    explorer = explorer_of(name)
    modes = ["truth", "estimate"] if len(explorer.points) else ["truth"]
    rules = [(rule, 0.5) for rule, options in RULES.items() if options] + [("RDA", 0), ("RDA", 0.3), ("RDA", 1)]
    spread = 2 * np.sqrt(np.diagonal(explorer.covariances, axis1=1, axis2=2).max(axis=0))
    ends = explorer.means.min(axis=0) - spread, explorer.means.max(axis=0) + spread
    grid = np.stack(np.meshgrid(*np.linspace(*ends, 5).T), axis=-1).reshape(-1, 2)
    asked = list(product(modes, rules))
    states = [explorer.get_state() | {"mode": mode, "rule": rule, "shared": shared} for mode, (rule, shared) in asked]
    for (mode, (rule, shared)), found in zip(
        asked, call(JS, LEARN, [[state, grid.tolist()] for state in states]), strict=True
    ):
        explorer.mode, explorer.rule, explorer.shared = mode, rule, shared
        classifier = explorer.classifier()
        with np.errstate(invalid="ignore"):
            close(found["posteriors"], classifier.predict_log_proba(grid))
        if not found["conic"]:
            continue
        surface = QuadraticSurface.between(*classifier.gaussians_, priors=classifier.priors_)
        assert found["conic"]["kind"] == surface.kind
        # In units of the first class, however different those of x and y are.
        s = np.sqrt(np.diag(explorer.covariances[0]))
        W, w, w0 = (np.array(found["conic"][part]) for part in ("W", "w", "w0"))
        close(
            [*(W * np.outer(s, s)).ravel(), *(w * s), w0],
            [*(surface.W * np.outer(s, s)).ravel(), *(surface.w * s), surface.w0],
        )


def test_why_there_is_no_decision_is_said_with_the_class():
    A, B = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[5, 0, 1], [6, 1, 1], [7, 5, 1]]
    level = [[0, 0, 0], [1, 0, 0], [5, 0, 1], [6, 0, 1], [7, 0, 1]]
    upright = [[0, 0, 0], [0, 1, 0], *B]
    cases = [
        ("QDA", A, "class B has no points"),
        ("QDA", [*A, [5, 5, 1], [6, 5, 1]], "QDA needs more points in class B: it has 2"),
        ("QDA", [*A, [5, 5, 1], [6, 6, 1], [7, 7, 1]], "all points of class B lie on a line"),
        ("QDA", [*A, [5, 5, 1], [6, 5, 1], [7, 7, 1]], None),
        ("LDA", [*A[:2], [5, 0, 1]], "LDA needs points that vary in both directions within the classes"),
        ("RDA", [*A, [5, 5, 1]], "RDA needs more points in class B: it has 1"),
        ("RDA", [*A, [5, 5, 1], [6, 5, 1]], None),
        ("RDA", level, "the points of class A do not vary in both directions"),
        ("QDA", level, "QDA needs more points in class A: it has 2"),
        ("naive", upright, "the points of class A do not vary in both directions"),
        ("naive", upright[1:], "naive needs more points in class A: it has 1"),
        ("QDA", [[0, 3, 0], *upright], "the points of class A do not vary in both directions"),
        ("QDA", [[2, 2, 0], [2, 2, 0], [2, 2, 0], *B], "the points of class A do not vary at all"),
        ("nearest mean", [A[0], *2 * [[5, 0, 1]]], "nearest mean needs points that vary within the classes"),
    ]
    ask = """(rule, points) => {
        const state = { mode: "estimate", means: [0, 1], points, priors: [0.5, 0.5], shared: 0.5 };
        return RULES[rule].fit({ ...state, class_names: ["A", "B"] }, densities(state)).problem ?? null;
    }"""
    assert call(JS, ask, [case[:2] for case in cases]) == [case[2] for case in cases]


# Errors ..............................................................................................................


@pytest.mark.parametrize("name", CASES)
def test_the_bayes_error_is_the_packages_and_as_accurate_as_it_says(name):
    explorer = explorer_of(name)
    ask = "(state) => errorRate(truthOf(state), truthOf(state))"
    (found,) = call(JS, ask, [[explorer.get_state()]])
    expected = bayes_error(densities_of(explorer), explorer.priors)
    assert found["error"] == pytest.approx(expected.value, abs=max(1e-9, expected.error))
    assert found["accuracy"] < 1e-9


@pytest.mark.parametrize("priors", [[0.5, 0.5], [0.2, 0.8]])
def test_the_lattice_finds_the_error_of_neighbours_and_says_how_accurate_it_is(priors):
    explorer = explorer_of("hyperbola", priors=priors)
    densities, n, rng = densities_of(explorer), 40_000, np.random.default_rng(3)
    points = [[*place, k] for k, density in enumerate(densities) for place in density.sample(50, rng).tolist()]
    fresh = [density.sample(n, rng) for density in densities]
    ask = "(state) => evaluateRule('kNN', state, densities(state)).trueError(truthOf(state))"
    ks = [1, 5, 31, 60]
    found = call(JS, ask, [[explorer.get_state() | {"points": points, "k": k}] for k in ks])
    for k, rate in zip(ks, found, strict=True):
        rule = KNeighborsClassifier(k).fit(np.array(points)[:, :2], np.array(points)[:, 2])
        wrong = np.dot(priors, [np.mean(rule.predict(X) != c) for c, X in enumerate(fresh)])
        assert rate["error"] == pytest.approx(wrong, abs=2 * rate["accuracy"] + 4 * np.sqrt(wrong / n))
        assert 0 < rate["accuracy"] < 3e-3
    ask = "(state) => errorByLattice(truthOf(state), ([x, y]) => decide(truthOf(state), x, y), 4000)"
    (rate,) = call(JS, ask, [[explorer.get_state()]])
    exact = bayes_error(densities, priors).value
    assert rate["error"] == pytest.approx(exact, abs=2 * rate["accuracy"])
    assert rate["accuracy"] < 2e-3


def test_one_line_where_two_coincide_and_two_where_they_do_not():
    level = -np.log(2)  # of ln odds, at which the two lines about the mean become one
    ask = "(odds) => conic(gaussian([0, 0], [[1, 0], [0, 1]]), gaussian([0, 0], [[4, 0], [0, 1]]), odds).kind"
    assert call(JS, ask, [[0], [level], [level - 0.1]]) == ["two lines", "line", "none"]


# Ellipses and classes ................................................................................................


def test_a_class_that_is_moved_takes_its_density_along_and_leaves_the_others_what_they_have_become():
    S, other = [[2, 0.6], [0.6, 1]], [[3, 0], [0, 3]]
    state = {"means": [[1, 2], [0, 0]], "covariances": [S, ROUND], "points": [[1, 1, 0], [2, 2, 1]]}
    now = {"means": [[9, 9], [7, 7]], "covariances": [S, other], "points": [[8, 8, 0], [6, 6, 1]]}
    start = {"mean": [1, 2], "axes": ROUND}
    end = {"mean": [2, 0], "axes": [[0, 2], [-1, 0]]}  # by A = [[0, −1], [2, 0]]
    moved, shifted = call(JS, "moveClass", [[state, 0, start, end, now], [state, 0, start, {**start, "mean": [5, 5]}]])
    close(moved["means"], [[2, 0], [7, 7]])
    close(moved["covariances"], [[[1, -1.2], [-1.2, 8]], other])
    close(moved["points"], [[3, 0, 0], [6, 6, 1]])
    assert shifted["covariances"] == state["covariances"]


def test_an_axis_follows_its_end_and_the_other_stays_perpendicular_on_the_screen_and_as_long():
    units, mean, axes = [0.5, -0.25], [1, 1], [[10, 0], [0, -4]]  # 20 and 16 pixels long
    ask = "(part, end, place) => turnedAxes([[10, 0], [0, -4]], part, [1, 1], end, place, [0.5, -0.25])"
    up, opposite, squeezed, second = call(
        JS, ask, [[0, [21, 1], [1, 13]], [0, [-19, 1], [1, 13]], [0, [21, 1], mean], [1, [1, -7], [1, -3]]]
    )
    close(up[0], [0, 6])
    close([np.hypot(*np.divide(up[1], units)), up[1][1]], [16, 0])
    close(opposite[0], [0, -6])
    close(squeezed[0], [0.5, 0])  # to a pixel, and not to nothing
    close(second, [axes[0], [0, -2]])


def test_semi_axes_are_perpendicular_on_the_screen_and_belong_to_the_covariance():
    S, units = np.array([[2, -0.7], [-0.7, 1]]), np.array([3, -0.5])
    (axes,) = call(JS, "semiAxes", [[S.tolist(), units.tolist()]])
    close(np.transpose(axes) @ axes, S)
    close(np.dot(*np.divide(axes, units)), 0)


def test_an_ellipse_that_is_stretched_along_its_upright_axes_stays_upright_to_the_last_digit():
    ask = """(S, part, factor) => {
        const mean = [1.5, 0.3], units = [0.01, -0.01], axes = semiAxes(S, units);
        const end = mean.map((value, i) => value + 2 * axes[part][i]);
        const place = mean.map((value, i) => rounded(value + factor * (end[i] - value), 4));
        const pulled = { mean, axes: turnedAxes(axes, part, mean, end, place, units) };
        return moveClass({ means: [mean], covariances: [S], points: [] }, 0, { mean, axes }, pulled).covariances[0];
    }"""
    shapes = [[[1, 0], [0, 4]], [[4, 0], [0, 1]], ROUND]
    assert {S[0][1] for S in call(JS, ask, product(shapes, [0, 1], [5, 0.005]))} == {0}


def test_eigenvectors_turn_the_right_way_for_every_sign():
    cases = list(product([1, 4], [1, 4], [-0.7, 0, 0.7, 1e-9, -1e-170]))
    for (a, c, b), found in zip(cases, call(JS, "eigen", [[[[a, b], [b, c]]] for a, c, b in cases]), strict=True):
        V = np.array(found["vectors"])
        close(V @ np.diag(found["values"]) @ V.T, [[a, b], [b, c]])
        assert np.linalg.det(V) == pytest.approx(1)
        assert found["values"][0] >= found["values"][1]


def test_a_prior_that_is_set_leaves_the_others_their_shares():
    cases = [([0.2, 0.3, 0.5], 2, 0.75), ([0.2, 0.3, 0.5], 0, 1), ([1, 0, 0], 0, 0), ([0.5, 0.5], 0, 7)]
    close(call(JS, "withPrior", cases[:3]), [[0.1, 0.15, 0.75], [1, 0, 0], [0, 0.5, 0.5]])
    close(call(JS, "withPrior", cases[3:]), [[1, 0]])


def test_an_ellipse_is_dashed_only_where_the_rule_goes_by_another():
    S = [[4, 1], [1, 1]]
    ask = """(mean, S) => dashedEllipse({ means: [[1e3, 2]], covariances: [[[4, 1], [1, 1]]] },
        S && gaussian(mean, S), 0) !== null"""
    cases = {
        "the same": ([1e3, 2], S),
        "less than a pixel away": ([1e3 + 1e-3, 2], [[4.001, 1], [1, 1]]),
        "moved": ([1e3 + 0.1, 2], S),
        "turned": ([1e3, 2], [[4, 1.1], [1.1, 1]]),
        "nothing": ([1e3, 2], None),
    }
    assert dict(zip(cases, call(JS, ask, cases.values()), strict=True)) == {
        "the same": False,
        "less than a pixel away": False,
        "moved": True,
        "turned": True,
        "nothing": True,
    }


def test_a_class_has_the_colour_of_its_place_among_all_classes_in_both_languages():
    species, digits = ["setosa", "versicolor", "virginica"], list(range(10))
    cases = {
        (0, 1, 2): (species, species),
        (1, 2): (species[1:], species),
        (2, 0): (["virginica", "setosa"], species),
        (0, 1): (["A", "B"], []),
        (3, 2, 4): (["A", "virginica", "B"], species),
        (9, 4): ([9, 4], digits),
        (3, 4): ([12, 4], list(range(13))),
        (1, 0, 3): ([10, 0, 3], digits),
    }
    assert list(map(tuple, call(JS, "stylesOf", cases.values()))) == list(cases)
    assert [tuple(styles_of(*case)) for case in cases.values()] == list(cases)


# The cut, and what lies between two rules .............................................................................

ENDS = np.array([[-3.0, -2.0], [5.0, 7.5]])


@pytest.fixture
def explorer():
    return BoundaryExplorer(make_three_classes(20, np.random.default_rng(0)), priors=[0.5, 0.2, 0.3])


def cut_of(explorer, rule):
    """Return what the browser makes of the cut."""
    ask = "(state, rule, ends) => cutOf(evaluateRule(rule, state, densities(state)).fit, ends)"
    return call(JS, ask, [[explorer.get_state(), rule, ENDS.tolist()]])[0]


def joint(explorer, rule, t):
    """Prior × density of each class on the cut, as Python has it."""
    explorer.rule = rule
    places = ENDS[0] + np.multiply.outer(t, ENDS[1] - ENDS[0])
    return np.exp(explorer.classifier().joint_log_likelihood(places.reshape(-1, 2))).reshape(*np.shape(t), -1)


@pytest.mark.parametrize("mode", ["truth", "estimate"])
@pytest.mark.parametrize("rule", ["nearest mean", "naive", "LDA", "QDA", "RDA"])
def test_curves_and_crossings_are_pythons(explorer, rule, mode):
    explorer.mode = mode
    cut = cut_of(explorer, rule)
    curves = np.array(cut["curves"])
    t = curves[0, :, 0]
    expected = joint(explorer, rule, t)
    np.testing.assert_allclose(curves[:, :, 1].T, expected, rtol=1e-9, atol=1e-300)
    assert expected.max() < cut["top"] <= 2.2 * expected.max()
    crossings = [piece["from"] for piece in cut["pieces"][1:]]
    fine = np.linspace(0, 1, 4001)
    winners = joint(explorer, rule, fine).argmax(axis=1)
    changes = np.flatnonzero(np.diff(winners))
    assert len(changes) == len(crossings) > 0
    assert [piece["winner"] for piece in cut["pieces"]] == [winners[0], *winners[changes + 1]]
    for crossing, i in zip(crossings, changes, strict=True):
        first, second = winners[i : i + 2]

        def odds(t, first=first, second=second):
            values = joint(explorer, rule, t)
            return np.log(values[first] / values[second])

        assert crossing == pytest.approx(brentq(odds, fine[i], fine[i + 1], xtol=1e-14), abs=1e-9)


@pytest.mark.parametrize("k", [5, 99])  # more than there are points
def test_neighbours_have_shares_of_votes(explorer, k):
    explorer.k = k
    cut = cut_of(explorer, "kNN")
    explorer.rule = "kNN"
    curves = np.array(cut["curves"])
    places = ENDS[0] + curves[0, :, :1] * (ENDS[1] - ENDS[0])
    np.testing.assert_allclose(curves[:, :, 1].T, explorer.classifier().predict_proba(places), atol=1e-12)
    assert cut["shares"]
    assert cut["pieces"][0]["from"] == 0
    assert cut["pieces"][-1]["to"] == 1
    for before, after in zip(cut["pieces"], cut["pieces"][1:], strict=False):
        assert before["to"] == after["from"]
        assert before["winner"] != after["winner"]


def test_without_a_choice_the_cut_goes_through_the_first_two_means(explorer):
    ends = np.array(call("math/cut.js", "endsOf", [[explorer.get_state()]])[0])
    first, second = explorer.means[:2]
    np.testing.assert_allclose(ends, [first - 0.7 * (second - first), second + 0.7 * (second - first)])
    same = explorer.get_state() | {"means": [[1, 2], [1, 2]]}
    ends = np.array(call("math/cut.js", "endsOf", [[same]])[0])
    assert np.linalg.norm(ends[1] - ends[0]) > 1
    assert call("math/cut.js", "endsOf", [[explorer.get_state() | {"cut": ENDS.tolist()}]])[0] == ENDS.tolist()


@pytest.mark.parametrize("share", [0, 0.3, 1])
def test_between_two_rules_lie_scores_means_and_covariances(explorer, share):
    """A score between those of two rules is a mixture of log priors and log densities, so is the boundary."""
    place = [0.7, -1.3]
    ask = """(state, share, [x, y]) => {
        const [from, to] = ["LDA", "QDA"].map((rule) => evaluateRule(rule, state, densities(state)));
        const { fit, gaussians } = betweenRules(from, to, share);
        const at = ([xx, xy, yy, a, b, one]) => (xx * x + xy * y + a) * x + (yy * y + b) * y + one;
        return [fit.quadratics([0, 0], [1, 1]).map(at), gaussians];
    }"""
    scores, gaussians = call(JS, ask, [[explorer.get_state(), share, place]])[0]
    expected, covariances = 0, 0
    for rule, weight in {"LDA": 1 - share, "QDA": share}.items():
        explorer.rule = rule
        classifier = explorer.classifier()
        expected += weight * classifier.joint_log_likelihood([place])[0]
        covariances += weight * np.array([gaussian.covariance for gaussian in classifier.gaussians_])
    np.testing.assert_allclose(scores, expected, rtol=1e-9)
    np.testing.assert_allclose([g["S"] for g in gaussians], covariances, rtol=1e-9)
    np.testing.assert_allclose([g["mean"] for g in gaussians], explorer.means, rtol=1e-9)


def test_a_movement_takes_a_quarter_of_a_second_and_never_goes_back():
    progress = call("transition.js", "progress", [[elapsed] for elapsed in range(0, 400, 10)])
    assert progress[0] == 0
    assert progress[25] == progress[-1] == 1
    assert progress[24] < 1
    assert (np.diff(progress) >= 0).all()
