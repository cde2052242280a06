"""The neighbours explorer without a browser: what it starts from, its picture, and what it refuses."""

import numpy as np
import pytest
from traitlets import TraitError

from bayeslab import load_iris, make_gaussian_pair
from bayeslab.explore import NeighboursExplorer

SHELF = make_gaussian_pair("P1a", 100, np.random.default_rng(11))
PETALS = load_iris().select("petal length", "petal width")


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
    points = [[i, i**2, i] for i in range(6)]
    with pytest.raises(TraitError, match="2 to 5 different labels, not"):
        NeighboursExplorer(points=points, class_names=list("abcdef"))


def test_names_may_hold_signs_of_mathematics():
    explorer = NeighboursExplorer((SHELF.X, np.where(SHELF.y == 0, "cost ($)", "$^$")), feature_names=["a_$ b^$", "$"])
    assert explorer._picture().startswith(b"\x89PNG")


def test_a_column_that_does_not_vary_has_its_neighbours_all_the_same():
    explorer = NeighboursExplorer(([[1, 0], [1, 1], [1, 8], [1, 9]], list("aabb")), k=1, query=[1, 2])
    assert explorer.classifier().predict([explorer.query]) == ["a"]
    assert explorer._picture().startswith(b"\x89PNG")
