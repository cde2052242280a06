"""What notebook 07 says about many seasons, from other draws than its own and without bayeslab's rules and folds.

Nature is the notebook's: a Gaussian for each of two irises, fitted to fifty plants.
"""

import functools

import numpy as np
import pytest
from numpy.linalg import cholesky, inv, slogdet
from scipy.spatial.distance import cdist
from scipy.stats import beta
from scipy.stats import t as student_t

from bayeslab import load_iris

PLANTS = load_iris().X[50:]
NATURE = [(rows.mean(axis=0), cholesky(np.cov(rows.T))) for rows in (PLANTS[:50], PLANTS[50:])]
FOLDS = [np.arange(f, 50, 10) for f in range(10)]  # five plants of each species, the same in all seasons
N_SEASONS = 1500


def draw(rng, n):
    """Draw n plants of each species in every season: two arrays of shape (seasons, n, 4)."""
    return [rng.standard_normal((N_SEASONS, n, 4)) @ root.T + mean for mean, root in NATURE]


def qda(train, new):
    """Decide about plants of shape (seasons or 1, m, 4) in every season."""
    scores = []
    for plants in train:
        mean = plants.mean(axis=1, keepdims=True)
        covariance = np.einsum("rni,rnj->rij", plants - mean, plants - mean) / (plants.shape[1] - 1)
        scores.append(np.sum((new - mean) @ inv(covariance) * (new - mean), axis=-1) + slogdet(covariance)[1][:, None])
    return np.argmin(scores, axis=0)


def nearest_neighbour(train, new):
    """Decide likewise."""
    decisions = []
    for season in range(N_SEASONS):
        asked = new[season % len(new)]
        decisions.append(np.argmin([cdist(asked, plants[season]).min(axis=1) for plants in train], axis=0))
    return np.array(decisions)


RULES = {"QDA": qda, "nearest neighbour": nearest_neighbour}


@functools.cache
def seasons(rule):
    """Return the accuracies on folds, shape (seasons, 5 · 10), and the true accuracy of each season's rule."""
    rng, decide = np.random.default_rng(1), RULES[rule]
    samples, new = draw(rng, 50), [rng.standard_normal((1, 1000, 4)) @ root.T + mean for mean, root in NATURE]
    accuracies = []
    for _ in range(5):
        samples = [
            np.take_along_axis(plants, rng.random((N_SEASONS, 50)).argsort(axis=1)[..., None], axis=1)
            for plants in samples
        ]
        for fold in FOLDS:
            test = np.concatenate([plants[:, fold] for plants in samples], axis=1)
            train = [np.delete(plants, fold, axis=1) for plants in samples]
            accuracies.append(np.mean(decide(train, test) == np.repeat([0, 1], 5), axis=1))
    true = [np.mean(decide(samples, part) == k, axis=1) for k, part in enumerate(new)]
    return np.transpose(accuracies), np.mean(true, axis=0)


@pytest.mark.parametrize(
    ("rule", "shares"), [("QDA", (0.61, 0.93, 0.99, 0.95)), ("nearest neighbour", (0.53, 0.88, 0.90, 0.86))]
)
def test_intervals(rule, shares):
    """How often each contains the average accuracy of such rules: the shares that the text states."""
    accuracies, _ = seasons(rule)
    rng = np.random.default_rng(2)  # each rule on plants of its own: the target has to be exact to 0.0005
    samples, new = draw(rng, 50), draw(rng, 500)
    target = np.mean([RULES[rule](samples, part) == k for k, part in enumerate(new)])
    mean, s = accuracies.mean(axis=1), accuracies.std(axis=1, ddof=1)
    once = accuracies[:, :10]
    right = np.rint(100 * once.mean(axis=1))
    low, high = (np.nan_to_num(beta.ppf(q, right + e, 101 - e - right), nan=e) for q, e in ((0.025, 0), (0.975, 1)))
    inside = [
        np.abs(mean - target) <= 2 * s / np.sqrt(50),
        np.abs(mean - target) <= 2 * s * np.sqrt(1 / 50 + 1 / 9),
        (low <= target) & (target <= high),
        np.abs(once.mean(axis=1) - target) <= student_t.ppf(0.975, 9) * once.std(axis=1, ddof=1) / np.sqrt(10),
    ]
    for found, stated in zip(inside, shares, strict=True):
        assert np.mean(found) == pytest.approx(stated, abs=0.005 + 4 * np.std(found) / np.sqrt(N_SEASONS))


@pytest.mark.parametrize(
    ("rule", "correlation", "nearer"), [("QDA", 0.0, "average"), ("nearest neighbour", 0.4, "own")]
)
def test_recipe_and_cake(rule, correlation, nearer):
    """Whether better grades mean better rules, and whether a grade is nearer to its own rule or to the average."""
    accuracies, true = seasons(rule)
    grade = accuracies[:, :10].mean(axis=1)
    found = np.corrcoef(grade, true)[0, 1]
    assert np.arctanh(found) == pytest.approx(np.arctanh(correlation), abs=4 / np.sqrt(N_SEASONS - 3))
    gap = (grade - true) ** 2 - (grade - true.mean()) ** 2
    sign = 1 if nearer == "average" else -1
    assert sign * gap.mean() > 2 * gap.std() / np.sqrt(N_SEASONS)
