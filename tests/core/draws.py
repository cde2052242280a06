"""Random data in any form, weights, labels and hyperparameters, for `test_exact.py`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from bayeslab import GaussianClassifier
from bayeslab.covariance_kinds import INTENSITIES


class Data(NamedTuple):
    """Samples, the number of each one's class, and weights or None."""

    X: np.ndarray
    index: np.ndarray
    weights: np.ndarray | None

    def part(self, rows):
        """Return some of the rows."""
        return Data(self.X[rows], self.index[rows], None if self.weights is None else self.weights[rows])


def weights_of(data: Data) -> np.ndarray:
    """Return the weights, or ones."""
    return np.ones(len(data.X)) if data.weights is None else np.asarray(data.weights, float)


def draw_data(rng) -> Data:
    """Classes of any size, somewhere, in any units, with weights, and at times with columns that say nothing new."""
    K, d = int(rng.integers(2, 4)), int(rng.integers(1, 5))
    sizes = rng.choice([1, 2, d + 1, d + 4, 14], K, p=[0.03, 0.03, 0.04, 0.3, 0.6])
    index = rng.permutation(np.repeat(np.arange(K), sizes))
    mix = np.eye(d) + rng.choice([0, 0.3, 1]) * rng.normal(size=(d, d))
    X = rng.normal(size=(len(index), d)) @ mix + rng.choice([0.1, 1, 1e3, 1e6]) * rng.normal(size=(K, d))[index]
    X += rng.choice([0, 1]) * 10 ** rng.uniform(0, 12, d)
    X *= [np.ones(d), 10 ** rng.uniform(-3, 3, d), 10 ** rng.uniform(-100, 100, d)][rng.integers(3)]
    trouble, j = rng.choice(["none", "constant", "twice", "sum", "rows"], p=[0.8, 0.06, 0.05, 0.05, 0.04]), d - 1
    if trouble == "constant":
        X[:, j] = rng.choice([0, 0.1, 1e9 + 0.1])
    elif trouble == "twice":
        X[:, j] = X[:, 0]
    elif trouble == "sum":
        X[:, j] = X[:, :j].sum(axis=1)
    elif trouble == "rows":
        X = X[rng.integers(len(X), size=len(X))]
    return Data(X, index, draw_weights(rng, len(X)))


def draw_weights(rng, n: int) -> np.ndarray | None:
    """None, integers with zeros among them, tiny, huge, or all at once."""
    ways = {
        "none": lambda: None,
        "integers": lambda: rng.integers(0, 4, n),
        "real": lambda: rng.uniform(0, 5, n),
        "tiny": lambda: 1e-200 * rng.uniform(1, 2, n),
        "huge": lambda: 1e200 * rng.uniform(1, 2, n),
        "mixed": lambda: 10.0 ** rng.integers(-12, 12, n),
        "all": lambda: rng.choice([0, 1e-200, 1, 1e200], n),
    }
    return ways[rng.choice(list(ways), p=[0.4, 0.2, 0.1, 0.08, 0.08, 0.09, 0.05])]()


def draw_form(rng, X: np.ndarray):
    """Return the same samples in another type or order of memory (or those that the type can hold)."""
    wide = np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)
    frozen = X.copy()
    frozen.flags.writeable = False
    forms = [X, np.asfortranarray(X), wide[::2, ::3], X[::-1].copy()[::-1], X.astype(">f8"), frozen, X.tolist()]
    forms.append(pd.DataFrame(X, columns=[f"column {j}" for j in range(X.shape[1])]))
    if np.abs(X).max() < 1e15:
        forms += [np.round(X * 64).astype(np.int64), np.round(X * 64).astype(int).astype(object)]
    if np.abs(X).max() < 1e30:
        forms += [X.astype(np.float32)]
    return forms[rng.integers(len(forms))]


def draw_labels(rng, index: np.ndarray) -> np.ndarray:
    """Labels of any type, in the order of their numbers."""
    names = [
        np.array(["a", "b", "c"]),
        np.array(["a", "b", "c"], object),
        np.array([-7, 0, 900]),
        np.array([0.0, 1, 2]),
    ]
    names += [np.array([-128, 5, 127], np.int8), np.array([1, 2, 3], object)]
    names += [np.array([False, True])] if index.max() == 1 else []
    return names[rng.integers(len(names))][index]


def draw_model(rng, K: int, streaming: bool = False) -> GaussianClassifier:
    """Any hyperparameters."""
    shared = float(rng.choice([0, 0.3, 0.9, 1], p=[0.4, 0.1, 0.1, 0.4]))
    rules = [name for name, rule in INTENSITIES.items() if not (0 < shared < 1 or (streaming and rule.needs_samples))]
    shrinkage = [None, None, 0.0, 0.2, 1.0, *rules][rng.integers(5 + len(rules))]
    priors = [None, "equal", rng.dirichlet(np.ones(K))][rng.integers(3)]
    kind, singular = (
        rng.choice(["full", "full", "diagonal", "spherical"]),
        rng.choice(["raise", "pseudo"], p=[0.8, 0.2]),
    )
    return GaussianClassifier(str(kind), shared, priors, float(rng.choice([0, 1, 0.5])), str(singular), shrinkage)


def new_rows(rng, data: Data) -> np.ndarray:
    """Rows to predict: of the data, near them or far away, and with gaps."""
    new = data.X[rng.integers(len(data.X), size=6)].copy()
    new[3:] += rng.normal(size=new[3:].shape) * np.ptp(data.X, axis=0) * rng.choice([0.1, 1, 100])
    new[rng.random(new.shape) < rng.choice([0, 0.3])] = np.nan
    return new


def draw_mixture(rng):
    """Draw samples of clusters, weights, and the parameters of a mixture."""
    K, d = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    X = rng.normal(size=(int(rng.integers(K * (d + 2), 150)), d)) @ (np.eye(d) + 0.3 * rng.normal(size=(d, d)))
    X += (rng.choice([1, 5, 1e4]) * rng.normal(size=(K, d)))[rng.integers(K, size=len(X))]
    X = (X + rng.choice([0, 1]) * 10 ** rng.uniform(0, 9, d)) * [1, 10 ** rng.uniform(-100, 100)][rng.integers(2)]
    settings = {
        "n_components": K,
        "covariance": str(rng.choice(["full", "diagonal", "spherical"])),
        "shared": bool(rng.integers(2)),
        "init": ["kmeans", "random", X[rng.choice(len(X), K, replace=False)]][rng.integers(3)],
        "prior_samples": float(rng.choice([0, 0, 1, 5.5])),
        "random_state": int(rng.integers(1000)),
    }
    return X, draw_weights(rng, len(X)), settings
