"""Cases that the explorer's JavaScript and Python must agree on, and what Python and SciPy say about them.

`python tools/explorer_cases.py` writes them to tests/explorer/explorer_cases.json; test_explore_output.py holds Python
to that file, and explorer.test.mjs the JavaScript.
"""

import json
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr

from bayeslab import QuadraticSurface
from bayeslab.explore import BoundaryExplorer
from bayeslab.explore._content import RULES

PATH = Path(__file__).parents[1] / "tests" / "explorer" / "explorer_cases.json"
GAUSSIAN_RULES = [rule for rule, options in RULES.items() if options]
SHARED = 0.3  # of RDA
ROUND = [[1, 0], [0, 1]]


def inputs():
    """Name and values of the traits of each case."""
    rng = np.random.default_rng(5)
    pair = [[[1, 0.5], [0.5, 1]], [[1, 0], [0, 2]]]
    three = [[[1.2, 0.2], [0.2, 0.9]], [[0.5, 0], [0, 0.9]], [[4.7, 0.1], [0.1, 1.4]]]
    sample = [[*rng.normal([k, 2 * k % 3], [1, 1 + k / 2]).round(2), k] for k in (0, 1, 2) for _ in range(9 + k)]
    two = [point for point in sample if point[2] < 2]
    yield "hyperbola", [[0, 0], [3, 3]], pair, [0.5, 0.5], []
    yield "unequal priors", [[0, 0], [1, 1]], pair, [0.9, 0.1], two
    yield "far from the origin", [[1e6, -2e6], [1e6 + 3, -2e6 + 1]], pair, [0.3, 0.7], []
    yield "other units", [[0, 0], [2e6, 3e-6]], [[[1e12, 0.4], [0.4, 1e-12]], [[4e12, 0], [0, 1e-12]]], [0.5, 0.5], []
    yield "line", [[0, 0], [2, 1]], [pair[0], pair[0]], [0.4, 0.6], []
    yield "ellipse", [[0, 0], [0, 0]], [[[53.7, 21.5], [21.5, 32.2]], [[1, 0.4], [0.4, 0.6]]], [0.5, 0.5], []
    yield "parabola", [[0, 0], [2, 0]], [ROUND, [[1, 0], [0, 3]]], [0.5, 0.5], []
    yield "two lines", [[1, 2], [1, 2]], [[[1, 0], [0, 4]], [[4, 0], [0, 1]]], [0.5, 0.5], []
    for r in (0.1, 0.01, 1e-4):
        yield f"crossed needles, {r:g}", [[1, 2], [1, 2]], [[[1, 0], [0, r * r]], [[r * r, 0], [0, 1]]], [0.5, 0.5], []
    yield "point", [[0, 0], [0, 0]], [ROUND, [[4, 0], [0, 4]]], [0.2, 0.8], []
    yield "identical", [[1, 1], [1, 1]], [pair[0], pair[0]], [0.5, 0.5], []
    yield "nearly a line", [[0, 0], [1, 0]], [[[0.5, 0.499999], [0.499999, 0.5]], ROUND], [0.5, 0.5], []
    yield "prior 0", [[0, 0], [1, 1]], pair, [0, 1], []
    yield "three classes", [[0, 0], [-0.9, 4.4], [2.3, 4.4]], three, [1 / 3] * 3, sample
    yield "five classes", [[0, 0], [3, 0], [0, 3], [3, 3], [1.5, 1.5]], [*three, *pair], [0.1, 0.2, 0.3, 0.4, 0], []


def derive(means, covariances, priors, points):
    """Return what Python says: by mode and rule, and the Bayes error of the true densities."""
    explorer = BoundaryExplorer(([[0, 0], [0, 1], [1, 0], [2, 2], [2, 3], [3, 2]], [0, 0, 0, 1, 1, 1]))
    with explorer.hold_trait_notifications():
        explorer.class_names = list(range(len(means)))
        explorer.means, explorer.covariances, explorer.priors, explorer.points = means, covariances, priors, points
    spread = 2 * np.sqrt(np.diagonal(explorer.covariances, axis1=1, axis2=2).max(axis=0))
    low, high = explorer.means.min(axis=0) - spread, explorer.means.max(axis=0) + spread
    grid = np.stack(np.meshgrid(*np.linspace(low, high, 5).T), axis=-1).reshape(-1, 2)
    explorer.shared = SHARED
    result = {"grid": grid.tolist(), "shared": SHARED, "expected": {}}
    for explorer.mode in ["truth", "estimate"] if points else ["truth"]:
        result["expected"][explorer.mode] = {rule: _of_rule(explorer, rule, grid) for rule in GAUSSIAN_RULES}
    explorer.mode, explorer.rule = "truth", "QDA"
    result["bayes_error"] = error_rate(explorer.classifier())
    return result


def _of_rule(explorer, rule, grid):
    explorer.rule = rule
    classifier = explorer.classifier()
    with np.errstate(invalid="ignore"):
        posterior = classifier.predict_log_proba(grid)
    found = {"log_posterior": [[value if np.isfinite(value) else None for value in row] for row in posterior.tolist()]}
    if len(explorer.means) == 2 and explorer.priors.all():
        surface = QuadraticSurface.between(*classifier.gaussians_, priors=classifier.priors_)
        found["conic"] = {name: np.asarray(getattr(surface, name)).tolist() for name in ("W", "w", "w0", "kind")}
    return found


def error_rate(classifier):
    """Probability of error of a classifier on its own densities: exact along x, SciPy's adaptive integral along y."""
    able = [k for k, prior in enumerate(classifier.priors_) if prior]
    origin, scale = classifier.gaussians_[able[0]].mean, np.sqrt(np.diag(classifier.gaussians_[able[0]].covariance))
    mean = np.array([(classifier.gaussians_[k].mean - origin) / scale for k in able])
    S = np.array([classifier.gaussians_[k].covariance / scale / scale[:, None] for k in able])
    P, weight = np.linalg.inv(S), np.log(classifier.priors_[able]) - np.log(np.linalg.det(S)) / 2
    deviation = np.sqrt(np.diagonal(S, axis1=1, axis2=2))
    slope = S[:, 0, 1] / S[:, 1, 1]
    rest = np.sqrt(S[:, 0, 0] - slope * S[:, 0, 1])  # what is left of the deviation of x, given y
    low, high = (mean - 10 * deviation).min(axis=0), (mean + 10 * deviation).max(axis=0)

    def lost(y):
        dy, x0 = y - mean[:, 1], mean[:, 0]
        curves = np.array([-P[:, 0, 0] / 2, P[:, 0, 0] * x0 - P[:, 0, 1] * dy, weight])
        curves[2] -= (P[:, 0, 0] * x0**2 - 2 * P[:, 0, 1] * x0 * dy + P[:, 1, 1] * dy**2) / 2
        cuts = [low[0], high[0]]
        for i, j in combinations(range(len(able)), 2):
            cuts += [root.real for root in np.roots(curves[:, i] - curves[:, j]) if low[0] < root.real < high[0]]
        cuts = np.sort(cuts)
        winners = np.polyval(curves[:, :, None], (cuts[1:] + cuts[:-1]) / 2).argmax(axis=0)
        shares = np.diff(ndtr((cuts[:, None] - x0 - slope * dy) / rest), axis=0).T
        wrong = np.sum(shares, where=winners != np.arange(len(able))[:, None], axis=1)
        return np.exp(-((dy / deviation[:, 1]) ** 2) / 2) / deviation[:, 1] * classifier.priors_[able] @ wrong

    cuts = np.unique(np.outer([-10, -3, -1, 0, 1, 3, 10], deviation[:, 1]) + mean[:, 1])
    pieces = [quad(lost, *piece, epsabs=1e-12, epsrel=1e-10, limit=500)[0] for piece in pairwise(cuts)]
    return sum(pieces) / np.sqrt(2 * np.pi)


if __name__ == "__main__":
    cases = []
    for name, *values in inputs():
        given = dict(zip(("means", "covariances", "priors", "points"), values, strict=True))
        cases.append(json.dumps({"name": name} | given | derive(*values)))
    PATH.write_text("[\n" + ",\n".join(cases) + "\n]\n", encoding="utf-8")
