"""What the boundary explorer gives away: numbers that JavaScript and Python share, classifiers, pictures, a page."""

import json
import re
import subprocess
import sys
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from PIL import Image
from scipy.stats import multivariate_normal
from sklearn.neighbors import KNeighborsClassifier

from bayeslab import Gaussian, TrueClassifier, load_iris, load_penguins, two_class
from bayeslab.explore import BoundaryExplorer
from bayeslab.plotting import COLORS

THEME = Path(__file__).parents[2] / "bayeslab" / "explore" / "js" / "kit" / "theme.js"
PAIR = TrueClassifier([Gaussian([0, 0], [[1, 0.5], [0.5, 1]]), Gaussian([3, 3], [1, 2])], ["b", "a"], [0.3, 0.7])
GRID = np.random.default_rng(0).uniform(-3, 6, (50, 2))


@pytest.fixture
def explorer():
    return BoundaryExplorer(load_iris().select("petal length", "petal width"))


def test_colours_and_their_order_are_those_of_the_plots():
    listed = re.search(r"COLORS = (\[.*?\]);", THEME.read_text(encoding="utf-8"), re.DOTALL).group(1)
    assert json.loads(listed) == list(COLORS)


def test_some_of_the_classes_keep_their_colours_in_the_picture(monkeypatch):
    iris = load_iris()
    X, y = two_class(iris.X, iris.y, "versicolor", "virginica")
    explorer = BoundaryExplorer((X[:, 2:], y))
    assert explorer.classes == ["setosa", "versicolor", "virginica"]
    digits = BoundaryExplorer((X[:, 2:], np.where(y == "virginica", 9, 4)), classes=list(range(10)))
    mirrored = BoundaryExplorer((X[:, 2:], y), class_names=["virginica", "versicolor"])  # as dragged: out of order
    for shown, first, second in [(explorer, 1, 2), (digits, 4, 9), (mirrored, 2, 1)]:
        figures = []
        monkeypatch.setattr(Figure, "savefig", lambda figure, *args, figures=figures, **kwargs: figures.append(figure))
        for shown.rule in ["QDA", "kNN"]:
            shown._picture()
            (ax,) = figures.pop().axes
            points = [
                to_hex(each.get_facecolor()[0]).upper() for each in ax.collections if len(each.get_offsets()) == 50
            ]
            lines = [to_hex(line.get_color()).upper() for line in ax.lines]
            # Points are drawn in the order of the labels, ellipses in that of the classes on the screen.
            assert points == [COLORS[place] for place in sorted([first, second])]
            assert lines == [COLORS[first]] * 4 + [COLORS[second]] * 4
            middle = [line.get_xydata()[0] for line in ax.lines[3::4]]
            np.testing.assert_allclose(middle, shown.means[:, :2], atol=1e-9)


def test_the_classifier_of_true_densities_is_the_true_classifier():
    explorer = BoundaryExplorer(PAIR)
    np.testing.assert_allclose(explorer.classifier().joint_log_likelihood(GRID), PAIR.joint_log_likelihood(GRID))
    assert set(explorer.classifier().predict(GRID)) == {"a", "b"}
    explorer.class_names = ["z", "a"]  # out of order: a classifier has its classes in order
    assert explorer.classifier().classes_.tolist() == ["a", "z"]
    np.testing.assert_allclose(
        explorer.classifier().joint_log_likelihood(GRID)[:, ::-1], PAIR.joint_log_likelihood(GRID)
    )


def test_shared_covariances_are_pooled_by_the_priors():
    explorer = BoundaryExplorer(PAIR, "LDA")
    np.testing.assert_allclose(
        explorer.classifier().covariance_, np.tensordot(explorer.priors, explorer.covariances, 1)
    )
    explorer.priors = [1, 0]
    np.testing.assert_allclose(explorer.classifier().covariance_, explorer.covariances[0], atol=1e-15)
    assert set(explorer.classifier().predict(GRID)) == {"a"}


def test_estimated_classifiers_are_fitted_to_the_points(explorer):
    X, y = explorer.X, explorer.y
    explorer.priors = [0.2, 0.3, 0.5]
    groups = [X[y == name] for name in explorer.class_names]
    densities = [multivariate_normal(group.mean(axis=0), np.cov(group.T)).pdf(X) for group in groups]
    joint = explorer.priors * np.transpose(densities)
    found = explorer.classifier().predict_proba(X)
    np.testing.assert_allclose(found, joint / joint.sum(axis=1, keepdims=True), atol=1e-9)
    explorer.rule, explorer.k = "kNN", 3
    neighbours = KNeighborsClassifier(3).fit(X, y)
    np.testing.assert_array_equal(explorer.classifier().predict_proba(X), neighbours.predict_proba(X))


def test_a_class_without_points_is_said_by_the_fit_but_still_drawn(explorer):
    explorer.points = explorer.points[50:]
    with pytest.raises(ValueError, match="empty"):
        explorer.classifier()
    assert explorer._repr_mimebundle_()[0]["image/png"]
    explorer.points = []
    assert explorer.points.shape == (0, 3)
    for explorer.rule in ["QDA", "kNN"]:
        assert explorer._repr_mimebundle_()[0]["image/png"]


def test_few_points_are_all_neighbours(explorer):
    explorer.rule, explorer.k, explorer.points = "kNN", 9, explorer.points[::40]
    np.testing.assert_allclose(explorer.classifier().predict_proba([[0, 0]]), [[0.5, 0.25, 0.25]])


def test_the_picture_has_room_for_unlike_units():
    """Millimetres and grams on axes of the same scale would leave a sliver."""
    explorer = BoundaryExplorer(load_penguins().select("bill length", "body mass"))
    data, _ = explorer._repr_mimebundle_()
    width, height = Image.open(BytesIO(b64decode(data["image/png"]))).size
    assert 0.5 < width / height < 2


def test_without_anywidget_the_message_says_what_to_install():
    program = """
import sys
sys.modules["anywidget"] = None
import bayeslab.explore
try:
    bayeslab.explore.BoundaryExplorer
except ModuleNotFoundError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install anywidget" in done.stdout
