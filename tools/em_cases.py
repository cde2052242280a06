"""Runs of the EM algorithm that the EM explorer's JavaScript must agree on with `e_step` and `m_step`.

`python tools/em_cases.py` writes them to tests/explorer/em_cases.json.
"""

import json
from pathlib import Path

import numpy as np

from bayeslab import CollapsedComponentError, Gaussian, GaussianMixture, e_step, load_iris, m_step, make_gaussian_pair

PATH = Path(__file__).parents[1] / "tests" / "explorer" / "em_cases.json"
N_STEPS = 30


def inputs():
    """Name, points, and the means and sizes to start from, 1 being as wide as all points."""
    birds = make_gaussian_pair("P1b", 100, np.random.default_rng(6)).X.round(3)
    one_cloud = make_gaussian_pair("P1a", 40, np.random.default_rng(1)).X.round(3)
    away = np.array([1e6, -2e6])
    petals = load_iris().select("petal length", "petal width").X
    yield "two birds", birds, birds[[1, 0]], 1
    yield "three birds, small", birds, birds[[3, 50, 150]], [0.3, 0.2, 0.1]
    yield "five of one cloud", one_cloud, one_cloud[[0, 1, 2, 3, 4]], 1
    yield "one component", one_cloud, [[1, 1]], 1
    yield "petals in steps of a millimetre", petals, [[1.5, 0.2], [4, 1.5], [6, 2]], 1
    yield "far from the origin", birds + away, birds[[1, 0]] + away, 1
    yield "other units", birds * [1e6, 1e-6], birds[[1, 0]] * [1e6, 1e-6], 1
    yield "twins", one_cloud, [[1, 2], [1, 2]], 1
    farthest = birds[np.argmax(birds.sum(axis=1))]
    yield "narrow, on one bird", birds, [[0, 0], farthest], [1, 0.02]
    for name, x in ("an upright", [9, 9, 9]), ("a slanting", [9, 10, 12]):
        three = np.column_stack([x, [9, 10, 12]])
        yield f"narrow, on {name} line", np.append(birds[:60], three, axis=0), [[1, 1], three[1]], [1, 0.1]
    yield "onto two points, early", one_cloud, one_cloud[[63, 61, 50, 37, 1]], 0.3
    yield "onto two points, late", one_cloud, one_cloud[[9, 68, 79, 4, 0]], 0.3
    yield "nobody's", birds, [[1, 1], [40, -40]], [1, 0.1]


def derive(points, means, sizes):
    """Return what `e_step` and `m_step` say after each of some iterations, or where a component collapses."""
    everyone = np.cov(points.T, ddof=0)
    start = np.full(len(means), 1 / len(means)), means, sizes[:, None, None] ** 2 * everyone
    try:
        GaussianMixture(len(means), init=start, tol=0, max_iter=N_STEPS).fit(points)
    except CollapsedComponentError as error:
        return {"collapsed": {"component": error.component, "iteration": error.iteration}}
    (weights, means, covariances), steps = start, []
    for iteration in range(N_STEPS + 1):
        gaussians = [Gaussian(*pair) for pair in zip(means, covariances, strict=True)]
        responsibilities, log_density = e_step(points, weights, gaussians)
        if iteration in (0, 1, 2, 5, 10, N_STEPS):
            parameters = {"weights": weights, "means": means, "covariances": covariances}
            step = {name: value.tolist() for name, value in parameters.items()}
            shares = responsibilities[:: len(points) // 7].tolist()
            likelihood = float(log_density.sum())
            steps.append({"iteration": iteration, "log_likelihood": likelihood, "responsibilities": shares} | step)
        weights, means, covariances = m_step(points, responsibilities)
    return {"steps": steps}


if __name__ == "__main__":
    cases = []
    for name, points, means, size in inputs():
        means = np.array(means, dtype=float)
        sizes = np.broadcast_to(np.asarray(size, dtype=float), len(means))
        given = {"name": name, "points": points.tolist(), "means": means.tolist(), "sizes": sizes.tolist()}
        cases.append(json.dumps(given | derive(points, means, sizes)))
    PATH.write_text("[\n" + ",\n".join(cases) + "\n]\n", encoding="utf-8")
