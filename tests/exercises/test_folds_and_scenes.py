"""The two exercises that have many right answers: folds, and a scene of the playground."""

import numpy as np
import pytest

from bayeslab import k_fold
from bayeslab.checks import check
from bayeslab.explore import BoundaryExplorer


def right(y, k, rng):
    return [test for _, test in k_fold(y, k, rng, stratify=True)]


def each_class_from_the_first_fold(y, k, rng):
    parts = [np.array_split(rng.permutation(np.flatnonzero(y == label)), k) for label in np.unique(y)]
    return [np.concatenate(fold) for fold in zip(*parts, strict=True)]


@pytest.mark.parametrize(
    ("answer", "phrase"),
    [
        (lambda y, k, rng: np.array_split(rng.permutation(len(y)), k), "may differ by at most one. Deal"),
        (each_class_from_the_first_fold, "since each class starts at the first fold"),
        (lambda y, k, rng: right(y, k, None), "the same first fold"),
        (lambda y, k, rng: k_fold(y, k, rng, stratify=True), "pairs of training and test rows"),
        (lambda y, k, rng: [train for train, _ in k_fold(y, k, rng, stratify=True)], "these are the training rows"),
        (lambda y, k, rng: [y[fold] for fold in right(y, k, rng)], "the folds hold labels"),
        (lambda y, k, rng: [np.isin(range(len(y)), fold) for fold in right(y, k, rng)], "True and False"),
        (lambda y, k, rng: [fold + 1 for fold in right(y, k, rng)], "count from 0"),
        (lambda y, k, rng: [fold + 0.5 for fold in right(y, k, rng)], "are not rows of y"),
        (lambda y, k, rng: right(y, k, rng)[1:], "there should be 4 folds, but there are 3"),
        (lambda y, k, rng: [rng.choice(len(y), 6, replace=False) for _ in range(k)], "must be in exactly one"),
        (lambda y, k, rng: 5, "returned a number, not a list of folds"),
    ],
)
def test_what_is_said_of_folds(answer, phrase):
    assert phrase in check("7.1", answer).message


def triangle(radius):
    """Class A in the middle of an equilateral triangle, B, C and D at its corners."""
    angles = np.radians([90, 210, 330])
    return [[0, 0], *(radius * np.column_stack([np.cos(angles), np.sin(angles)]))]


def scene(means=None, priors=(0.1, 0.3, 0.3, 0.3), covariance=None, **traits):
    means, K = triangle(1) if means is None else means, len(priors)
    covariances = [np.eye(2) if covariance is None else covariance] * K
    given = {"rule": "LDA", "class_names": list("ABCDE"[:K]), "points": np.zeros((0, 3))} | traits
    return BoundaryExplorer(means=means, priors=priors, covariances=covariances, **given)


TILTED = np.array([[4, 1.9], [1.9, 1]])
TIE = np.sqrt(2 * np.log(3))  # where the middle of the triangle gains by its place what it loses by its prior


@pytest.mark.parametrize(
    "explorer",
    [
        scene(),
        scene([[0, 0], [-1, 0.3], [0.2, 0.7], [0.6, -0.9]], (0.1, 0.4, 0.2, 0.3)),
        scene(1e-3 * np.dot(triangle(1), np.linalg.cholesky(TILTED).T), covariance=1e-6 * TILTED),
        scene(np.add(triangle(1), 1e6)),
        scene(class_names=[2, 0, 3, 1]),
        scene(triangle(0.99 * TIE)),
    ],
)
def test_scenes_that_squeeze_a_class_out(explorer):
    assert check("19.2", explorer)


@pytest.mark.parametrize(
    ("explorer", "phrase"),
    [
        (scene(triangle(TIE)), "class 'A' still ties"),
        (scene(triangle(1.01 * TIE)), "each class still wins somewhere"),
        (scene(priors=(0.25, 0.25, 0.25, 0.25)), "each class still wins somewhere"),
        (scene([[0, -0.6], *triangle(1)[1:]]), "each class still wins somewhere"),
        (BoundaryExplorer(), "the rule in the picture is QDA"),
        (BoundaryExplorer(rule="LDA"), "make it four"),
        (scene(priors=(0.04, 0.32, 0.32, 0.32)), "class 'A' has a prior of 0.04;"),
        (scene([[0, 0], [0, 0.09], [-1, 0], [1, 0]]), "nearly the same mean"),
        (scene(mode="estimate"), "cannot be judged"),
        (3, "not a number"),
    ],
)
def test_what_is_said_of_other_scenes(explorer, phrase):
    assert phrase in check("19.2", explorer).message


@pytest.mark.parametrize("prior", [0.1, 0.15, 0.2, 0.3])
@pytest.mark.parametrize("radius", [0.2, 0.5, 1.0, 1.4, 2.0])
def test_which_class_wins_somewhere(radius, prior):
    """The judgement is that of a grid, which holds the place where the class in the middle does best."""
    explorer = scene(triangle(radius), (prior, *[(1 - prior) / 3] * 3))
    side = np.linspace(-3, 3, 121)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    assert check("19.2", explorer).solved == ("A" not in explorer.classifier().predict(grid))
