"""Random data against exact arithmetic: draws cases as a test engineer would, until the time is over (`make fuzz`).

A case is its seed and number; `--case` runs one again. Failures are a RuntimeWarning, a posterior that is no number, an
error that is not ours, a refusal that the data do not deserve, and a number farther from the exact one than rounding
can take it. How far that is follows from the condition number, and from what the weights leave of the spread.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
import warnings
from itertools import count
from typing import NamedTuple

import mpmath
import numpy as np
import pandas as pd
from sklearn.base import clone

from bayeslab import CollapsedComponentError, GaussianClassifier, GaussianMixture, SingularCovarianceError
from bayeslab._machinery.labels import estimate_priors

EPSILON = np.finfo(float).eps
ANSWERS = (ValueError, SingularCovarianceError, CollapsedComponentError)
exact = np.frompyfunc(mpmath.mpf, 1, 1)


class Data(NamedTuple):
    """Samples, the number of each one's class, and weights or None."""

    X: np.ndarray
    index: np.ndarray
    weights: np.ndarray | None

    def part(self, rows):
        """Return some of the rows."""
        return Data(self.X[rows], self.index[rows], None if self.weights is None else self.weights[rows])


# What is drawn


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
    shrinkage = [None, None, 0.0, 0.2, 1.0, None if streaming or 0 < shared < 1 else "ledoit_wolf"][rng.integers(6)]
    priors = [None, "equal", rng.dirichlet(np.ones(K))][rng.integers(3)]
    kind, singular = (
        rng.choice(["full", "full", "diagonal", "spherical"]),
        rng.choice(["raise", "pseudo"], p=[0.8, 0.2]),
    )
    return GaussianClassifier(str(kind), shared, priors, float(rng.choice([0, 1, 0.5])), str(singular), shrinkage)


# What is true


class Exact:
    """The classifier in exact arithmetic, from its definition, and how much of it rounding may take away.

    `ever` are all samples that were ever added, of which some may have been removed: their variation rounds too.
    """

    def __init__(self, model, data: Data, ever: Data | None = None):
        self.K = K = len(np.unique(data.index))
        weights = np.ones(len(data.X)) if data.weights is None else np.asarray(data.weights, float)
        self.varies = np.ptp(data.X[weights > 0], axis=0) > 0
        self.X, self.w, self.index = exact(data.X[:, self.varies]), exact(weights), data.index
        groups = [self.index == k for k in range(K)]
        n = np.array([self.w[rows].sum() for rows in groups])
        self.means = [self.w[rows] @ self.X[rows] / size for rows, size in zip(groups, n, strict=True)]
        scatters = [self._scatter(rows, mean) for rows, mean in zip(groups, self.means, strict=True)]
        ddof, s = exact(model.ddof), exact(float(model.shared))
        self.possible = self.varies.any() and n.sum() > K * ddof
        if not self.possible:
            return
        pooled = sum(scatters) / (n.sum() - K * ddof)
        self.variances = pooled.diagonal()
        self.of_intensity = 0.0
        λ = self._intensities(model, groups, scatters, n)
        needs_own = [s < 1 and share < 1 for share in λ]
        self.possible = bool(min(self.variances) > 0) and all(n[k] > ddof for k in range(K) if needs_own[k])
        if not self.possible:
            return
        own = [S / (m - ddof) if needed else 0 * S for S, m, needed in zip(scatters, n, needs_own, strict=True)]
        target, noise = np.diag(self.variances), self._noise(ever or data, n)
        self.covariances = [(1 - a) * ((1 - s) * S + s * pooled) + a * target for S, a in zip(own, λ, strict=True)]
        self.covariances = [self._restrict(S, model.covariance) for S in self.covariances]
        # Rounding of each covariance, relative to its variances, and of the mean, in standard deviations.
        common = noise.sum(axis=0) / (n.sum() - K * ddof) + EPSILON * self.variances * n.sum() / (n.sum() - K * ddof)
        self.rounding, self.mean_rounding, self.condition = np.zeros(K), np.zeros(K), np.zeros(K)
        for k, S in enumerate(self.covariances):
            of_class = common.copy()
            if needs_own[k]:
                of_class += noise[k] / (n[k] - ddof) + EPSILON * own[k].diagonal() * n[k] / (n[k] - ddof)
            if model.covariance == "spherical":
                of_class = np.full(len(of_class), of_class.mean())
            of_class += self.of_intensity * (own[k].diagonal() + self.variances)
            self.rounding[k] = float(max(of_class / S.diagonal())) if min(S.diagonal()) > 0 else np.inf
            self.mean_rounding[k] = float(
                max(
                    EPSILON * r / mpmath.sqrt(v) if v else mpmath.inf
                    for r, v in zip(self.ranges[k], S.diagonal(), strict=True)
                )
            )
            self.condition[k] = self._condition(S)
        self.possible &= bool((self.rounding * self.condition < 1e-3).all() and (self.mean_rounding < 1).all())

    def _scatter(self, rows, mean):
        deviations = self.X[rows] - mean
        return (self.w[rows, None] * deviations).T @ deviations

    def _intensities(self, model, groups, scatters, n):
        """Shrinkage λ of each class; Ledoit and Wolf's from its definition, an outer product for each sample."""
        if model.shrinkage != "ledoit_wolf":
            return [exact(float(model.shrinkage or 0))] * self.K
        scale = np.array([mpmath.sqrt(v) if v else exact(1.0) for v in self.variances])
        deviations = np.array([(x - self.means[k]) / scale for x, k in zip(self.X, self.index, strict=True)])
        samples = [np.arange(len(self.X))] * self.K if model.shared else groups
        intensities = []
        for k, rows in enumerate(samples):
            total, S = (n.sum(), sum(scatters)) if model.shared else (n[k], scatters[k])
            S, target = S / np.outer(scale, scale) / total, np.diag([exact(1.0)] * len(scale))
            outer = [np.outer(z, z) - S for z in deviations[rows]]
            if model.covariance != "full":
                outer, S, target = [o.diagonal() for o in outer], S.diagonal(), target.diagonal()
            uncertainty = sum(w * np.square(o).sum() for w, o in zip(self.w[rows], outer, strict=True)) / total**2
            distance = np.square(S - target).sum()
            intensities.append(exact(1.0) if total <= 1 or uncertainty >= distance else uncertainty / distance)
            size = sum(w * (z @ z) ** 2 for w, z in zip(self.w[rows], deviations[rows], strict=True)) / total
            if total > 1:
                self.of_intensity = max(
                    self.of_intensity, EPSILON * len(rows) * float(1 + size / total / (distance or 1))
                )
        return intensities

    def _noise(self, ever: Data, n):
        """Bound the rounding of each class's scatter, by column, which takes the mean for known to ε times the range.

        Taking nearly all of the weight away costs the digits by which it was larger.
        """
        X = exact(ever.X[:, self.varies])
        w = exact(np.ones(len(X)) if ever.weights is None else np.asarray(ever.weights, float))
        noise, self.ranges = [], []
        for k in range(self.K):
            rows = (ever.index == k) & (w > 0)
            part, weights = X[rows], w[rows]
            reach, lost = part.max(axis=0) - part.min(axis=0), weights.sum() / n[k]
            self.ranges.append(lost * reach)
            self.possible &= bool(lost < 1e12)  # beyond, nothing is left, which is said
            variation = weights @ np.square(part - weights @ part / weights.sum())
            noise.append(len(X) * lost * (EPSILON * variation + EPSILON**2 * weights.sum() * np.square(reach)))
        return np.array(noise)

    @staticmethod
    def _restrict(S, kind):
        diagonal = S.diagonal()
        if kind == "full":
            return S
        return np.diag(diagonal if kind == "diagonal" else [diagonal.sum() / len(diagonal)] * len(diagonal))

    @staticmethod
    def _condition(S) -> float:
        if min(S.diagonal()) <= 0:
            return np.inf
        root = np.array([mpmath.sqrt(v) for v in S.diagonal()])
        return float(np.linalg.cond((S / np.outer(root, root)).astype(float)))

    def joint(self, new: np.ndarray, log_priors) -> tuple[np.ndarray, np.ndarray]:
        """Log joint densities of rows, which may have gaps, relative to the largest, and their tolerances."""
        scores, tolerance = np.zeros((len(new), self.K)), np.zeros(len(new))
        for i, x in enumerate(new[:, self.varies]):
            seen = np.flatnonzero(~np.isnan(x))
            values, distances = [], np.zeros(self.K)
            for k, (mean, S) in enumerate(zip(self.means, self.covariances, strict=True)):
                distance, log_determinant = exact(0.0), exact(0.0)
                if len(seen):
                    size = np.sqrt(S.diagonal()[seen])
                    v = mpmath.matrix(((exact(x[seen]) - mean[seen]) / size).tolist())
                    Σ = mpmath.matrix((S[np.ix_(seen, seen)] / np.outer(size, size)).tolist())
                    distance = (v.T * mpmath.lu_solve(Σ, v))[0]
                    log_determinant = mpmath.log(mpmath.det(Σ)) + 2 * sum(map(mpmath.log, size))
                values.append(log_priors[k] - (distance + log_determinant) / 2)
                distances[k] = float(mpmath.sqrt(distance))
            D, condition = distances.max(), self.condition.max()
            tolerance[i] = 100 * (self.rounding.max() * condition * (len(x) + D**2) + 1e4 * EPSILON * (1 + D))
            tolerance[i] += 100 * np.sqrt(condition) * self.mean_rounding.max() * (D + 1)
            scores[i] = [float(value - max(values)) for value in values]
        return scores, tolerance


# What is compared


def truth_of(model, data: Data, ever: Data | None = None) -> Exact | None:
    """Exact classifier, if these data determine one to some digits."""
    ever, of_all = ever or data, weights_of(data)
    present = np.unique(data.index[of_all > 0])
    if len(present) < len(np.unique(ever.index)) or not representable(ever):
        return None
    positive = weights_of(ever)[weights_of(ever) > 0]
    mpmath.mp.dps = 60 + 2 * int(np.log10(positive.max()) - np.log10(positive.min()))
    truth = Exact(model, data, ever)
    return truth if truth.possible else None


def weights_of(data: Data) -> np.ndarray:
    """Return the weights, or ones."""
    return np.ones(len(data.X)) if data.weights is None else np.asarray(data.weights, float)


def representable(data: Data) -> bool:
    """Tell whether sums of squares are ordinary numbers, with some room."""
    weights = weights_of(data)
    spread = np.ptp(data.X[weights > 0], axis=0)
    if not spread.any():
        return False
    squares, sizes = 2 * np.log10(spread[spread > 0]), np.log10([weights.sum(), weights[weights > 0].min()])
    return max(squares.max() + max(0, sizes[0]), -(squares.min() - 32 + min(0, sizes[1]))) < 300


def compare(model, data: Data, new, given, learn, ever: Data | None = None) -> None:
    """Learn, and compare everything with exact arithmetic; raise an error of ours where the data deserve it."""
    try:
        fitted = learn()
        log_proba, joint = fitted.predict_log_proba(given), fitted.joint_log_likelihood(given)
    except ANSWERS as error:
        must_be_deserved(error, truth_of(model, data, ever))
        raise
    assert not np.isnan(log_proba).any(), "a posterior is no number"
    truth = truth_of(model, data, ever)
    if truth is None:
        return
    np.testing.assert_array_equal(fitted.varies_, truth.varies, "columns that vary")
    for k, Σ in enumerate(truth.covariances):
        found, size = fitted.gaussians_[k].covariance, exact(np.sqrt(Σ.diagonal()))
        error = np.abs((exact(found) - Σ) / np.outer(size, size)).astype(float).max()
        assert error <= 100 * truth.rounding[k], f"covariance of class {k} is wrong by {error:.2g}"
    expected, tolerance = truth.joint(new, exact(fitted._log_priors))
    scores = fitted._from_scores(np.asarray, given)
    must_be_close(joint, expected, tolerance, "joint log-likelihood")
    must_be_close(scores, expected, tolerance, "score")
    must_be_close(log_proba, expected, tolerance, "log posterior")


def must_be_close(found, expected, tolerance, what: str) -> None:
    """Raise an AssertionError where a row, relative to its largest, is farther off than its tolerance."""
    near = tolerance < 1e290  # squared distances beyond are no floats, which a warning says
    excess = np.zeros(len(tolerance))
    with np.errstate(invalid="ignore"):  # a share of 1e-400 is a prior of 0
        largest = expected.argmax(axis=1)[:, None]
        found, expected = (each - np.take_along_axis(each, largest, axis=1) for each in (found, expected))
        errors = np.where(found == expected, 0, np.abs(found - expected)).max(axis=1)
    excess[near] = errors[near] / tolerance[near]
    i = int(np.argmax(np.nan_to_num(excess, nan=np.inf)))
    assert excess[i] <= 1, f"{what} of row {i} is {found[i]} instead of {expected[i]} ± {tolerance[i]:.2g}"


def must_be_deserved(error: Exception, truth) -> None:
    """Raise an AssertionError where an error is not ours (or scikit-learn's), or there is an answer."""
    where = traceback.extract_tb(error.__traceback__)[-1].filename
    assert "bayeslab" in where or "sklearn" in where, f"a raw error: {error!r}"
    assert truth is None, f"refused, though there is an answer: {error!r}"


def new_rows(rng, data: Data) -> np.ndarray:
    """Rows to predict: of the data, near them or far away, and with gaps."""
    new = data.X[rng.integers(len(data.X), size=6)].copy()
    new[3:] += rng.normal(size=new[3:].shape) * np.ptp(data.X, axis=0) * rng.choice([0.1, 1, 100])
    new[rng.random(new.shape) < rng.choice([0, 0.3])] = np.nan
    return new


def fit_at_once(rng) -> None:
    """Any form of data, any hyperparameters."""
    data = draw_data(rng)
    form, labels, model = draw_form(rng, data.X), draw_labels(rng, data.index), draw_model(rng, data.index.max() + 1)
    data = data._replace(X=np.array(form, dtype=float))
    new = new_rows(rng, data)
    given = pd.DataFrame(new, columns=form.columns) if isinstance(form, pd.DataFrame) else new
    compare(model, data, new, given, lambda: model.fit(form, labels, data.weights))


def learn_in_pieces(rng) -> None:
    """Pieces in any order, merged or not, and one of them taken away again."""
    data = draw_data(rng)
    K = data.index.max() + 1
    pieces = np.array_split(rng.permutation(len(data.X)), rng.integers(1, min(6, len(data.X) + 1)))
    merges, gone = rng.random() < 0.4, len(pieces) > 1 and rng.random() < 0.4
    model, left = draw_model(rng, K, streaming=True), data.part(np.concatenate(pieces[int(gone) :]))

    def add(rule, rows):
        part = data.part(rows)
        return rule.partial_fit(part.X, part.index, np.arange(K), part.weights)

    def learn():
        rule = add(clone(model), pieces[0])
        for rows in pieces[1:]:
            rule = rule.merge(add(clone(model), rows)) if merges else add(rule, rows)
        part = data.part(pieces[0])
        return rule.remove(part.X, part.index, part.weights) if gone else rule

    new = new_rows(rng, data)
    compare(model, left, new, new, learn, ever=data)


def leave_one_out(rng) -> None:
    """Each row by all others, of which three are compared."""
    data = draw_data(rng)
    model = draw_model(rng, data.index.max() + 1, streaming=True)
    rests = [data.part(np.arange(len(data.X)) != i) for i in range(len(data.X))]
    try:
        found = model.leave_one_out_log_proba(data.X, data.index, data.weights)
    except ANSWERS as error:
        must_be_deserved(error, None if any(truth_of(model, rest, data) is None for rest in rests) else rests)
        raise
    assert not np.isnan(found).any(), "a posterior is no number"
    for i in rng.integers(len(data.X), size=3):
        truth = truth_of(model, rests[i], data)
        if truth is not None:
            sizes = np.bincount(rests[i].index, weights_of(rests[i]))
            log_priors = exact(np.log(estimate_priors(model.priors, np.arange(len(sizes)), sizes)))
            expected, tolerance = truth.joint(data.X[[i]], log_priors)
            must_be_close(found[[i]], expected, tolerance, f"row {i} left out: log posterior")


def two_paths(rng) -> None:
    """Many columns and classes: all classes at once, class by class, and with a gap that hides nothing."""
    d, K = int(rng.integers(1, 90)), int(rng.integers(2, 7))
    index = np.repeat(np.arange(K), d + rng.integers(2, 40))
    X = rng.normal(size=(len(index), d)) + rng.choice([0, 1, 30]) * rng.normal(size=(K, d))[index]
    X *= 10 ** rng.uniform(-3, 3, d)
    model = draw_model(rng, K)
    fitted = model.fit(X, index)
    plain, quick = fitted._joint(X), fitted._from_scores(np.asarray, X)
    condition = max(np.linalg.cond(correlation(g.covariance)) for g in fitted.gaussians_)
    tolerance = 100 * EPSILON * (condition * (d + np.abs(plain - plain[:, :1]).max(axis=1)) + 1e4 * np.sqrt(d))
    if condition < 1e10:
        must_be_close(quick, plain, tolerance, "score")
        with_gap = np.column_stack([X, X[:, 0]])
        with_gap[:, 0] = np.nan
        shifted = [g.marginal([*range(1, d), 0]).log_density(with_gap[:, 1:]) for g in fitted.gaussians_]
        must_be_close(np.transpose(shifted) + fitted._log_priors, plain, tolerance + 1e-9 * d, "marginal")


def correlation(covariance: np.ndarray) -> np.ndarray:
    """Covariance in units of the standard deviations."""
    deviations = np.sqrt(covariance.diagonal())
    return covariance / deviations / deviations[:, None]


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


def mixture(rng) -> None:
    """Check that the objective never falls, weights are repetitions, components have no order, one is a Gaussian."""
    X, weights, settings = draw_mixture(rng)
    K, sizes = settings["n_components"], np.ones(len(X)) if weights is None else weights
    fitted = GaussianMixture(**settings, max_iter=60).fit(X, sample_weight=weights)
    condition = max(np.linalg.cond(correlation(g.covariance)) for each in fitted.history_ for g in each.gaussians)
    rounding = max(EPSILON * np.abs(g.mean / np.sqrt(g.covariance.diagonal())).max() for g in fitted.gaussians_)
    objectives = np.array([each.objective for each in fitted.history_])
    slack = 100 * EPSILON * condition * (1 + np.abs(objectives).max()) + condition * rounding**2
    falls = -np.diff(objectives).min(initial=0)
    assert falls <= slack, f"the objective falls by {falls:.2g}, rounding explains {slack:.2g}"
    assert not np.isnan(fitted.predict_proba(X)).any(), "a responsibility is no number"
    if K == 1:
        mpmath.mp.dps = 1000
        w, Y = exact(sizes / 1.0), exact(X)
        mean = w @ Y / w.sum()
        S = ((Y - mean).T * w) @ (Y - mean) / w.sum()
        deviation = np.sqrt(np.sqrt(np.outer(S.diagonal(), S.diagonal())).astype(float).diagonal())
        assert (np.abs(fitted.means_[0] - mean.astype(float)) <= 1e-9 * deviation + 4 * EPSILON * np.abs(X).max()).all()
        reach = float(max((Y.max(axis=0) - Y.min(axis=0)) ** 2 / S.diagonal()))
        found = fitted.gaussians_[0].covariance.diagonal()
        expected = np.full(len(found), S.diagonal().mean()) if settings["covariance"] == "spherical" else S.diagonal()
        np.testing.assert_allclose(found, expected.astype(float), rtol=1e-12 + 1e3 * EPSILON**2 * reach)
    start = fitted.history_[0]
    order, few = rng.permutation(K), {**settings, "max_iter": 4, "tol": 0}
    init = start.weights, start.means, start.covariances
    one = GaussianMixture(**{**few, "init": init}).fit(X, sample_weight=weights)
    others = [(GaussianMixture(**{**few, "init": tuple(p[order] for p in init)}).fit(X, sample_weight=weights), order)]
    if weights is not None and weights.dtype.kind == "i":
        others.append((GaussianMixture(**{**few, "init": init}).fit(np.repeat(X, weights, axis=0)), np.arange(K)))
    for other, order in others:
        if condition < 1e6 and rounding < 1e-10:
            np.testing.assert_allclose(other.weights_, one.weights_[order], rtol=1e-5, atol=1e-6)
            scale = np.sqrt(one.gaussians_[0].covariance.diagonal())
            np.testing.assert_allclose(other.means_ / scale, one.means_[order] / scale, rtol=1e-9, atol=1e-4)


CHECKS = (fit_at_once, learn_in_pieces, leave_one_out, fit_at_once, learn_in_pieces, two_paths, mixture)


def run(seed: int, case: int) -> str:
    """Run a case; return "right" or "refused", or raise what is wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # ours: of columns left out, ranks, rows too far away
        try:
            CHECKS[case % len(CHECKS)](np.random.default_rng([seed, case]))
        except ANSWERS as error:
            must_be_deserved(error, None)
            return "refused"
    return "right"


def main() -> int:
    """Run cases until the time is over, or a single one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="run this one only")
    asked = parser.parse_args()
    end, counted, failures = time.monotonic() + 60 * asked.minutes, {}, 0
    for case in count() if asked.case is None else [asked.case]:
        if time.monotonic() > end:
            break
        name = CHECKS[case % len(CHECKS)].__name__
        try:
            result = run(asked.seed, case)
        except Exception as error:
            result, failures = "failed", failures + 1
            last = traceback.format_exc() if asked.case is not None else f"{type(error).__name__}: {str(error)[:600]}"
            print(f"{name} failed: {last}\n  again: python tools/fuzz.py --seed {asked.seed} --case {case}", flush=True)
        counted[name, result] = counted.get((name, result), 0) + 1
    for (name, result), number in sorted(counted.items()):
        print(f"{name:16s} {result:8s} {number:7d}")
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
