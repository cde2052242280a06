"""The regularised explorer without a browser: its scene, its picture, and what it refuses."""

import numpy as np
import pytest

from bayeslab import SingularCovarianceError, load_iris
from bayeslab.explore import RegularisedExplorer

PETALS = load_iris().select("petal length", "petal width")
LINE = ([[0, 0], [1, 1], [2, 2], [0, 5], [1, 7], [2, 6]], list("aaabbb"))  # class a has no inverse


@pytest.mark.parametrize("error", ["left out", "true"])
def test_at_first_no_corner_is_the_best(error):
    errors = RegularisedExplorer(error=error).errors()
    assert not np.isnan(errors).any()
    assert errors.min() < 0.95 * min(errors[0, 0], errors[-1, 0], errors[0, -1], errors[-1, -1])


def test_points_that_no_rule_can_learn_are_shown_and_can_borrow():
    explorer = RegularisedExplorer(LINE)
    assert np.isnan(explorer.errors()[0, 0])
    assert not np.isnan(explorer.errors()[10, 10])
    with pytest.raises(SingularCovarianceError):
        explorer.classifier()
    assert explorer._picture().startswith(b"\x89PNG")
    explorer.shared = 0.5
    assert explorer.classifier().get_params()["shared"] == 0.5


def test_the_picture_marks_the_pair_and_the_least():
    explorer = RegularisedExplorer(shared=0.3, shrinkage=0.2)
    chart = explorer._draw().axes[0]
    dots, pair = (np.array(line.get_data()).T for line in chart.lines)
    np.testing.assert_array_equal(pair, [[0.2, 0.3]])
    errors = explorer.errors()
    columns, rows = np.round(20 * dots).astype(int).T
    np.testing.assert_allclose(errors[rows, columns], errors.min())
    assert repr(explorer) == "RegularisedExplorer(18 points, shared=0.3, shrinkage=0.2)"


@pytest.mark.parametrize("source", [7, "iris"])
def test_what_it_starts_from_has_points(source):
    with pytest.raises(TypeError, match=f"not from a {type(source).__name__}"):
        RegularisedExplorer(source)
