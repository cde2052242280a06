"""The neighbours explorer: its JavaScript agrees with scikit-learn on errors, votes, ties, cells; its picture."""

import numpy as np
import pytest
from javascript import call
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from bayeslab import load_iris, make_gaussian_pair, make_three_classes
from bayeslab.explore import NeighboursExplorer

PETALS = load_iris().select("petal length", "petal width")
SHELF = make_gaussian_pair("P1a", 100, np.random.default_rng(11))
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
    ask = """(points, [x, y]) => {
        const neighbours = new Neighbours(points), groups = groupsOf(points, 3), votes = [0, 0, 0];
        const decisions = new Uint8Array(points.length);
        sortDistances(groups, x, y);
        decideForAllK(groups, decisions);
        return {
            searched: points.map((_, i) => neighbours.votes(x, y, i + 1, 3)), decisions: [...decisions],
            sorted: nearestTo([x, y], points, points.length).map(({ label }) => (votes[label]++, [...votes])),
        };
    }"""
    made = call("neighbours_explorer.js", ask, [[points.tolist(), place] for place in places.tolist()])
    for place, found in zip(places, made, strict=True):
        squared = ((points[:, :2] - place) ** 2) @ [1, 1]
        order = np.lexsort([points[:, 2], squared])
        votes = np.cumsum(points[order, 2][:, None] == range(3), axis=0)  # a row for each k
        np.testing.assert_array_equal(found["searched"], votes)
        np.testing.assert_array_equal(found["sorted"], votes)
        np.testing.assert_array_equal(found["decisions"], votes.argmax(axis=1))


def area(cell):
    x, y = np.transpose(cell)
    return (x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


@pytest.mark.parametrize("n", [1, 2, 5, 40, 200])
def test_a_cell_holds_the_places_that_are_nearest_to_its_point_and_all_cells_fill_the_window(n):
    rng, window = np.random.default_rng(n), {"x": [-3, 4], "y": [-2, 5]}
    points = rng.uniform([-4, -3], [5, 6], (n, 2))
    (cells,) = call("math/voronoi.js", "voronoi", [[points.tolist(), window]])
    assert sum(area(cell) for cell in cells if cell) == pytest.approx(49)
    for place in rng.uniform([-3, -2], [4, 5], (300, 2)):
        cell = np.array(cells[np.hypot(*(points - place).T).argmin()])
        edges, to = np.roll(cell, -1, axis=0) - cell, place - cell
        assert (edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0] > -1e-9).all()


def test_points_at_one_place_share_one_cell_and_cells_of_some_are_those_that_they_have_among_all():
    window, points = {"x": [0, 3], "y": [0, 3]}, np.random.default_rng(0).integers(0, 7, (60, 2)) / 2
    square = [[x, y] for x in (0.5, 1.5, 2.5) for y in (0.5, 1.5, 2.5)]
    lattice, twins, none = call("math/voronoi.js", "voronoi", [[square, window], [[[1, 1]] * 2, window], [[], window]])
    np.testing.assert_allclose([area(cell) for cell in lattice], 1)
    assert ([area(twins[0]), *twins[1:]], none) == ([9, []], [])
    ask = "(points, window, every) => voronoi(points, window, (i) => i % every === 0)"
    every, some = call("math/voronoi.js", ask, [[points.tolist(), window, step] for step in (1, 7)])
    assert some == [[] if i % 7 else cell for i, cell in enumerate(every)]


# 200 points of three classes on a coarse lattice, so that many distances are equal, and what moves one of them.
DRIFTING = """
    const random = randomNumbers(3), coordinate = () => Math.round(20 * random()) / 2;
    const points = Array.from({ length: 200 }, (_, i) => [coordinate(), coordinate(), i % 3]);
    const moved = (from) => {
        const i = Math.floor(from.length * random()), step = () => Math.round(4 * random() - 2) / 2;
        const [x, y, c] = from[i];
        return from.with(i, [x + step(), y + step(), random() < 0.2 ? (c + 1) % 3 : c]);
    };
"""


def test_errors_that_are_carried_on_while_points_move_are_those_that_are_counted_anew():
    ask = f"""() => {{
        {DRIFTING}
        let now = points, carried = countErrors(now, 3, 20);
        return Array.from({{ length: 60 }}, (_, step) => {{
            now = step % 15 === 14 ? now.slice(1) : moved(moved(now)); // a point goes, or two move
            const before = carried, anew = countErrors(now, 3, 20);
            carried = countErrors(now, 3, 20, before);
            const kept = now.filter((point) => carried.known.get(point) === before.known.get(point)).length;
            return [carried.training, carried.leftOut, anew.training, anew.leftOut, kept];
        }});
    }}"""
    (steps,) = call("neighbours_explorer.js", ask, [[]])
    for *carried, training, left_out, _ in steps:
        assert carried == [training, left_out]
    assert np.mean([kept for *_, kept in steps]) > 100  # most votes need not be counted again


@pytest.mark.parametrize("k", [1, 7, 60])
def test_a_vote_stays_while_nothing_moves_within_its_reach(k):
    ask = f"""(k) => {{
        {DRIFTING}
        const found = [];
        for (let step = 0, now = points; step < 40; step++) {{
            const next = moved(now), changed = movedBetween(now, next), old = new Neighbours(now);
            for (let draw = 0; draw < 25; draw++) {{
                const place = [coordinate() + 0.1, coordinate() + 0.2], votes = old.votes(...place, k, 3);
                const reach = nearestTo(place, now, k).at(-1).squared, stays = areBeyond(changed, place, old.reach);
                found.push([old.reach - reach, stays, votes, new Neighbours(next).votes(...place, k, 3)]);
            }}
            now = next;
        }}
        return found;
    }}"""
    (found,) = call("neighbours_explorer.js", ask, [[k]])
    stayed = [(before, after) for _, stays, before, after in found if stays]
    assert len(stayed) > 300
    assert all(before == after for before, after in stayed)
    np.testing.assert_allclose([off for off, *_ in found], 0, atol=1e-12)


def test_a_data_set_that_knows_its_truth_brings_it():
    explorer = NeighboursExplorer(SHELF)
    np.testing.assert_array_equal(explorer.means, [gaussian.mean for gaussian in SHELF.truth.gaussians])
    np.testing.assert_allclose(explorer.query, SHELF.X.mean(axis=0))
    assert explorer.k == 15


@pytest.mark.parametrize("data", [PETALS, (PETALS.X, PETALS.y)])
def test_fitted_densities_are_no_truth(data):
    explorer = NeighboursExplorer(data, query=[5, 1.7])
    assert explorer.means.shape == (0, 2)
    assert explorer.priors.shape == (0,)
    assert explorer.class_names == ["setosa", "versicolor", "virginica"]
    np.testing.assert_array_equal(explorer.y, PETALS.y)
    assert repr(explorer) == "NeighboursExplorer(150 points, k=15, query=(5, 1.7))"


def test_the_picture_has_the_circle_that_holds_k_points():
    for k in 1, 7:
        explorer = NeighboursExplorer(SHELF, k=k, query=[0.5, 0.2])
        circle = explorer._draw().axes[0].patches[-1]
        inside = np.hypot(*(explorer.X - circle.center).T) <= circle.radius * (1 + 1e-9)
        assert inside.sum() == k


def test_few_points_have_as_many_neighbours_as_there_are_others():
    explorer = NeighboursExplorer(([[0, 0], [1, 0], [0, 1], [4, 4], [5, 4], [4, 5]], list("aaabbb")), k=65)
    assert explorer.classifier().n_neighbors == 5


def test_traits_alone_make_an_explorer_and_too_many_classes_are_refused():
    traits = {"points": [[0, 0, 0], [1, 0, 0], [4, 4, 1]], "class_names": ["a", "b"]}
    explorer = NeighboursExplorer(**traits, k=1)
    assert explorer.y.tolist() == ["a", "a", "b"]
    assert explorer.query.tolist() == pytest.approx([5 / 3, 4 / 3])
    with pytest.raises(TypeError, match="starts from a Dataset or a pair"):
        NeighboursExplorer()


def test_a_column_that_does_not_vary_has_its_neighbours_all_the_same():
    explorer = NeighboursExplorer(([[1, 0], [1, 1], [1, 8], [1, 9]], list("aabb")), k=1, query=[1, 2])
    assert explorer.classifier().predict([explorer.query]) == ["a"]
    assert explorer._picture().startswith(b"\x89PNG")
