"""The checks of notebook 18 accept what is right, in whatever form, and name each usual mistake."""

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy.stats import multivariate_normal

from bayeslab.checks import check
from bayeslab.explore import BoundaryExplorer


def by_eigenvalues(mean, ring_1, ring_2):
    """Directions as columns, and the variances along them."""
    axes = (np.array([ring_1, ring_2]) - mean).T
    lengths = np.linalg.norm(axes, axis=0)
    return axes / lengths @ np.diag(lengths**2 / 4) @ (axes / lengths).T


def from_axes(combine, half=0.5):
    """Return an answer to 18.1 that combines the half axes in its own way."""
    return lambda mean, ring_1, ring_2: combine(half * (ring_1 - mean), half * (ring_2 - mean))


def outer(a):
    return np.outer(a, a)


def by_densities(inner, outer):
    """At the common mean the products of prior and density are equal."""
    p_inner, p_outer = (multivariate_normal([0, 0], Σ).pdf([0, 0]) for Σ in (inner, outer))
    return p_outer / (p_inner + p_outer)


def from_odds(change):
    """Return an answer to 18.2 that goes wrong from the ratio of the determinants on."""
    return lambda inner, outer: change(np.linalg.det(inner) / np.linalg.det(outer))


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

TABLE = [
    ("18.1", by_eigenvalues, DONE),
    ("18.1", lambda *args: by_eigenvalues(*args).tolist(), DONE),
    ("18.1", lambda m, p, q: (np.cov([p - m, m - p], rowvar=0) + np.cov([q - m, m - q], rowvar=0)) / 8, DONE),
    ("18.1", lambda *args: 4 * by_eigenvalues(*args), "ring is at 2σ"),
    ("18.1", lambda *args: 2 * by_eigenvalues(*args), "halves the square"),
    ("18.1", from_axes(lambda a, b: outer(a) / np.linalg.norm(a) + outer(b) / np.linalg.norm(b)), "σ where σ² belongs"),
    ("18.1", lambda m, p, q: outer(p / 2) + outer(q / 2), "the mean is not subtracted"),
    ("18.1", lambda m, p, q: outer(p) + outer(q), "the mean is not subtracted"),
    ("18.1", lambda m, p, q: outer(p / 2 - m) + outer(q / 2 - m), "the mean is not subtracted"),
    ("18.1", from_axes(lambda a, b: np.diag([a @ a, b @ b])), "take outer products"),
    ("18.1", from_axes(lambda a, b: np.array([a, b]) @ np.array([a, b]).T), "take outer products"),
    ("18.1", from_axes(lambda a, b: np.diag([a @ a, b @ b]), half=1), "take outer products"),
    ("18.1", from_axes(lambda a, b: outer(a) - outer(b)), "add them"),
    ("18.1", from_axes(lambda a, b: outer(a + b)), "one of each"),
    ("18.1", from_axes(lambda a, b: outer(a)), "what one ring contributes"),
    ("18.1", from_axes(lambda a, b: outer(b)), "what one ring contributes"),
    ("18.1", lambda *args: np.linalg.inv(by_eigenvalues(*args)), "inverted"),
    ("18.1", lambda *args: by_eigenvalues(*args)[0], "shape"),
    ("18.2", by_densities, DONE),
    ("18.2", lambda *args: [by_densities(*args)], DONE),
    ("18.2", lambda inner, outer: 1 / (1 + np.sqrt(np.linalg.det(np.linalg.solve(inner, outer)))), DONE),
    ("18.2", lambda *args: 1 - by_densities(*args), "prior of the outer class."),
    ("18.2", from_odds(lambda r: r / (1 + r)), "square root is missing"),
    ("18.2", from_odds(lambda r: 1 / (1 + r)), "prior of the outer class, and"),
    ("18.2", from_odds(np.sqrt), "solve for π"),
    ("18.2", from_odds(lambda r: r**-0.5), "solve for π"),
    ("18.2", from_odds(lambda r: 1 / r), "odds, π / (1 − π), and the square root"),
    ("18.2", from_odds(lambda r: np.log(r) / 2), "not ln p"),
    ("18.3", scene(), DONE),
    ("18.3", scene([[0, 0], [-1, 0.3], [0.2, 0.7], [0.6, -0.9]], (0.1, 0.4, 0.2, 0.3)), DONE),
    ("18.3", scene(1e-3 * np.dot(triangle(1), np.linalg.cholesky(TILTED).T), covariance=1e-6 * TILTED), DONE),
    ("18.3", scene(np.add(triangle(1), 1e6)), DONE),
    ("18.3", scene(class_names=[2, 0, 3, 1]), DONE),
    ("18.3", scene(triangle(0.99 * TIE)), DONE),
    ("18.3", scene(triangle(TIE)), "class 'A' still ties"),
    ("18.3", scene(triangle(1.01 * TIE)), "each class still wins somewhere"),
    ("18.3", scene(priors=(0.25, 0.25, 0.25, 0.25)), "each class still wins somewhere"),
    ("18.3", scene([[0, -0.6], *triangle(1)[1:]]), "each class still wins somewhere"),
    ("18.3", BoundaryExplorer(), "the rule in the picture is QDA"),
    ("18.3", BoundaryExplorer(rule="LDA"), "make it four"),
    ("18.3", scene(priors=(0.04, 0.32, 0.32, 0.32)), "class 'A' has a prior of 0.04;"),
    ("18.3", scene([[0, 0], [0, 0.09], [-1, 0], [1, 0]]), "nearly the same mean"),
    ("18.3", scene(mode="estimate"), "cannot be judged"),
    ("18.3", 3, "not int"),
    ("18.3", ..., "replace the ..."),
]
TABLE += unfinished("18.1", "18.2")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)


def test_the_values_that_the_text_expects():
    np.testing.assert_allclose(by_eigenvalues(np.zeros(2), [2, 2], [-1, 1]), [[1.25, 0.75], [0.75, 1.25]])
    assert by_densities(np.eye(2), 9 * np.eye(2)) == pytest.approx(0.1)


@pytest.mark.parametrize("prior", [0.1, 0.15, 0.2, 0.3])
@pytest.mark.parametrize("radius", [0.2, 0.5, 1.0, 1.4, 2.0])
def test_who_wins_somewhere(capsys, radius, prior):
    """The judgement is that of a grid, which holds the place where the class in the middle does best."""
    explorer = scene(triangle(radius), (prior, *[(1 - prior) / 3] * 3))
    side = np.linspace(-3, 3, 121)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    check("18.3", explorer)
    assert ("done." in capsys.readouterr().out) == ("A" not in explorer.classifier().predict(grid))
