"""The neighbours explorer's JavaScript agrees with scikit-learn: the errors of every k, and who is near."""

import numpy as np
import pytest
from javascript import call, needs_node
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from bayeslab import load_iris, make_gaussian_pair, make_three_classes
from bayeslab.explore import NeighboursExplorer

pytestmark = needs_node
CELLS = 48  # as in js/math/vote.js
DATA = {
    "shelf": make_gaussian_pair("P1a", 25, np.random.default_rng(11)),
    "three classes": make_three_classes(15, np.random.default_rng(4)),
    "few": make_gaussian_pair("P1b", 7, np.random.default_rng(2)),
}
MOST = 12


@pytest.fixture(params=DATA.values(), ids=DATA)
def explorer(request):
    return NeighboursExplorer(request.param, k=MOST, query=request.param.X.mean(axis=0) + 0.01)


def lattice(truth):
    """Middles of the cells of a lattice over 5σ of all classes, and the probability of each class in them."""
    deviations = np.array([5 * np.sqrt(gaussian.covariance.diagonal()) for gaussian in truth.gaussians])
    means = np.array([gaussian.mean for gaussian in truth.gaussians])
    low, high = (means - deviations).min(axis=0), (means + deviations).max(axis=0)
    step = (high - low) / CELLS
    sides = low + (np.arange(CELLS)[:, None] + 0.5) * step
    places = np.stack(np.meshgrid(*sides.T), axis=-1).reshape(-1, 2)
    joint = np.exp(truth.joint_log_likelihood(places)) * step.prod()
    kept = joint.sum(axis=1) > 1e-6
    return places[kept], joint[kept]


def test_the_errors_of_every_k_are_scikit_learns(explorer):
    points, K = explorer.points.tolist(), len(explorer.class_names)
    (found,) = call("math/vote.js", "countErrors", [[points, K, MOST]])
    for k in range(1, MOST + 1):
        rule = KNeighborsClassifier(k).fit(explorer.X, explorer.y)
        assert found["training"][k - 1] == np.sum(rule.predict(explorer.X) != explorer.y)
        left_out = cross_val_predict(rule, explorer.X, explorer.y, cv=LeaveOneOut())
        assert found["leftOut"][k - 1] == np.sum(left_out != explorer.y)


@pytest.mark.parametrize("name", DATA)
def test_the_true_errors_are_sums_over_the_lattice(name):
    truth, explorer = DATA[name].truth, NeighboursExplorer(DATA[name])
    points, K = explorer.points.tolist(), len(explorer.class_names)
    gaussians = call(
        "math/gaussian.js", "gaussian", list(zip(explorer.means.tolist(), explorer.covariances.tolist(), strict=True))
    )
    (cells,) = call("math/vote.js", "latticeOf", [[gaussians, explorer.priors.tolist()]])
    (errors,) = call("math/vote.js", "trueErrors", [[points, cells, K, MOST]])
    places, joint = lattice(truth)
    for k in range(1, MOST + 1):
        decided = KNeighborsClassifier(k).fit(explorer.X, explorer.points[:, 2].astype(int)).predict(places)
        expected = joint.sum() - joint[np.arange(len(joint)), decided].sum()
        assert errors[k - 1] == pytest.approx(expected, abs=1e-9)
    # The lattice is fine enough for the three digits on the screen.
    best = sum(sum(cell["shares"]) - max(cell["shares"]) for cell in cells)
    assert best == pytest.approx(truth.bayes_error(), abs=2e-3)


def test_the_vote_is_scikit_learns(explorer):
    state = {name: getattr(explorer, name).tolist() for name in ("points", "query")}
    (found,) = call(
        "neighbours_explorer.js", "evaluateVote", [[state | {"class_names": explorer.class_names, "k": MOST}]]
    )
    distances, indices = explorer.classifier().kneighbors([explorer.query])
    assert [voter["i"] for voter in found["voters"]] == indices[0].tolist()
    assert found["radius"] == pytest.approx(distances[0, -1], rel=1e-9)
    counts = [np.sum(explorer.y[indices[0]] == name) for name in explorer.class_names]
    assert found["votes"] == counts
    assert explorer.class_names[found["decision"]] == explorer.classifier().predict([explorer.query])[0]


def test_all_searches_agree_where_distances_are_equal():
    """Petals are rounded to millimetres: ties everywhere. Of equal distances the first class votes first."""
    iris = load_iris().select("petal length", "petal width")
    points = NeighboursExplorer(iris).points
    rng = np.random.default_rng(0)
    corners = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    places = np.vstack([points[:, :2], rng.uniform(*corners, (100, 2)).round(1), [[2.75, 0.1]]])
    made = call("../../../tests/explorer/votes.mjs", "votesForAllK", [[points.tolist(), places.tolist(), 3]])[0]
    for place, found in zip(places, made, strict=True):
        squared = ((points[:, :2] - place) ** 2) @ [1, 1]
        order = np.lexsort([points[:, 2], squared])
        votes = np.cumsum(points[order, 2][:, None] == range(3), axis=0)  # a row for each k
        np.testing.assert_array_equal(found["searched"], votes)
        np.testing.assert_array_equal(found["sorted"], votes)
        np.testing.assert_array_equal(found["decisions"], votes.argmax(axis=1))
