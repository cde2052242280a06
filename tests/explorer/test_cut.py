"""The cut of the boundary explorer, and what lies between two rules: both against Python."""

import numpy as np
import pytest
from javascript import call, needs_node
from scipy.optimize import brentq

from bayeslab import make_three_classes
from bayeslab.explore import BoundaryExplorer

pytestmark = needs_node

ENDS = np.array([[-3.0, -2.0], [5.0, 7.5]])


@pytest.fixture
def explorer():
    return BoundaryExplorer(make_three_classes(20, np.random.default_rng(0)), priors=[0.5, 0.2, 0.3])


def js(explorer, rule):
    """Return what the browser makes of the cut."""
    ask = "(state, rule, ends) => cutOf(evaluateRule(rule, state, densities(state)).fit, ends)"
    return call("boundary_page.js", ask, [[explorer.get_state(), rule, ENDS.tolist()]])[0]


def joint(explorer, rule, t):
    """Prior × density of each class on the cut, as Python has it."""
    explorer.rule = rule
    places = ENDS[0] + np.multiply.outer(t, ENDS[1] - ENDS[0])
    return np.exp(explorer.classifier().joint_log_likelihood(places.reshape(-1, 2))).reshape(*np.shape(t), -1)


@pytest.mark.parametrize("mode", ["truth", "estimate"])
@pytest.mark.parametrize("rule", ["nearest mean", "naive", "LDA", "QDA", "RDA"])
def test_curves_and_crossings_are_pythons(explorer, rule, mode):
    explorer.mode = mode
    cut = js(explorer, rule)
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


def test_neighbours_have_shares_of_votes(explorer):
    cut = js(explorer, "kNN")
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
    scores, gaussians = call("boundary_page.js", ask, [[explorer.get_state(), share, place]])[0]
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
