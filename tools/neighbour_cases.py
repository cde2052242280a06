"""What scikit-learn says of nearest neighbours, which the neighbours explorer's JavaScript must agree on.

`python tools/neighbour_cases.py` writes it to tests/explorer/neighbour_cases.json.
"""

import json
from pathlib import Path

import numpy as np
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from bayeslab import make_gaussian_pair, make_three_classes

PATH = Path(__file__).parents[1] / "tests" / "explorer" / "neighbour_cases.json"
MOST = 12
CELLS = 48


def inputs():
    """Name and data set: no two distances in them are equal."""
    yield "shelf", make_gaussian_pair("P1a", 25, np.random.default_rng(11))
    yield "three classes", make_three_classes(15, np.random.default_rng(4))
    yield "few", make_gaussian_pair("P1b", 7, np.random.default_rng(2))


def derive(X, y, truth, query):
    """Return errors of each k up to MOST, on the rows, with each left out and in truth, and what is near the query."""
    places, joint = lattice(truth)
    errors = {"training": [], "left_out": [], "true": []}
    for k in range(1, MOST + 1):
        rule = KNeighborsClassifier(k).fit(X, y)
        errors["training"].append(int(np.sum(rule.predict(X) != y)))
        errors["left_out"].append(int(np.sum(cross_val_predict(rule, X, y, cv=LeaveOneOut()) != y)))
        right = joint[np.arange(len(joint)), rule.predict(places)]
        errors["true"].append(float(joint.sum() - right.sum()))
    distances, indices = rule.kneighbors([query])
    return errors | {"nearest": indices[0].tolist(), "distances": distances[0].tolist()}


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


if __name__ == "__main__":
    cases = []
    for name, data in inputs():
        X, y = data.X.round(6), np.unique(data.y, return_inverse=True)[1]
        truth, query = data.truth, X.mean(axis=0).round(3) + 0.01
        given = {
            "name": name,
            "points": [[*row, label] for row, label in zip(X.tolist(), y.tolist(), strict=True)],
            "means": [gaussian.mean.tolist() for gaussian in truth.gaussians],
            "covariances": [gaussian.covariance.tolist() for gaussian in truth.gaussians],
            "priors": truth.priors_.tolist(),
            "query": query.tolist(),
        }
        cases.append(json.dumps(given | derive(X, y, truth, query)))
    PATH.write_text("[\n" + ",\n".join(cases) + "\n]\n", encoding="utf-8")
