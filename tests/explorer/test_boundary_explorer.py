"""The boundary explorer without a browser: what it starts from, its traits, classifiers and pictures."""

import subprocess
import sys
from base64 import b64decode
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from javascript import call
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from PIL import Image
from scipy.stats import multivariate_normal
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import KNeighborsClassifier
from traitlets import TraitError

from bayeslab import (
    Gaussian,
    GaussianClassifier,
    LinearDiscriminantAnalysis,
    TrueClassifier,
    load_iris,
    load_mnist5k,
    load_penguins,
    make_three_classes,
    make_xor,
    two_class,
)
from bayeslab.explore import BoundaryExplorer, EMExplorer, NeighboursExplorer
from bayeslab.explore._content import RULES
from bayeslab.plotting import COLORS

PETALS = load_iris().select("petal length", "petal width")
PAIR = TrueClassifier([Gaussian([0, 0], [[1, 0.5], [0.5, 1]]), Gaussian([3, 3], [1, 2])], ["b", "a"], [0.3, 0.7])
GRID = np.random.default_rng(0).uniform(-3, 6, (50, 2))


@pytest.fixture
def explorer():
    return BoundaryExplorer(PETALS)


def test_a_data_set_is_shown_with_the_gaussians_fitted_to_it(explorer):
    fitted = GaussianClassifier().fit(PETALS.X, PETALS.y)
    assert explorer.class_names == ["setosa", "versicolor", "virginica"]
    assert explorer.feature_names == ["petal length (cm)", "petal width (cm)"]
    np.testing.assert_array_equal(explorer.X, PETALS.X)
    np.testing.assert_array_equal(explorer.y, PETALS.y)
    np.testing.assert_allclose(explorer.means, fitted.means_)
    np.testing.assert_allclose(explorer.covariances, fitted.covariance_)
    assert (explorer.mode, explorer.rule) == ("estimate", "QDA")


def test_a_data_set_that_knows_its_truth_brings_it():
    dataset = make_three_classes(20, np.random.default_rng(0))
    explorer = BoundaryExplorer(dataset)
    np.testing.assert_array_equal(explorer.means, [gaussian.mean for gaussian in dataset.truth.gaussians])
    assert explorer.mode == "truth"
    assert len(explorer.points) == 60
    mixture = BoundaryExplorer(make_xor(20, np.random.default_rng(0)))  # two Gaussians per class: fitted instead
    assert mixture.mode == "estimate"


@pytest.mark.parametrize("rule", ["nearest mean", "naive", "LDA", "QDA"])
def test_a_classifier_is_shown_as_it_is_and_comes_back(rule):
    dataset = make_three_classes(30, np.random.default_rng(1))
    fitted = GaussianClassifier(**RULES[rule]).fit(dataset.X, dataset.y)
    explorer = BoundaryExplorer(fitted)
    assert (explorer.rule, explorer.mode, len(explorer.points)) == (rule, "truth", 0)
    back = explorer.classifier()
    np.testing.assert_allclose(back.predict_log_proba(GRID), fitted.predict_log_proba(GRID), atol=1e-9)


@pytest.mark.parametrize("kind", ["full", "diagonal"])
@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_a_regularised_classifier_is_shown_as_one_and_comes_back(kind, priors):
    dataset = make_three_classes(30, np.random.default_rng(1))
    fitted = GaussianClassifier(kind, shared=0.3, priors=priors).fit(dataset.X, dataset.y)
    explorer = BoundaryExplorer(fitted)
    assert (explorer.rule, explorer.shared) == ("RDA", 0.3)
    back = explorer.classifier()
    np.testing.assert_allclose(back.predict_log_proba(GRID), fitted.predict_log_proba(GRID), atol=1e-9)
    if priors is None:  # equal classes are pooled by equal priors: then the covariances are their own
        own = GaussianClassifier(kind).fit(dataset.X, dataset.y).covariance_
        np.testing.assert_allclose(explorer.covariances, own, atol=1e-9)
    again = BoundaryExplorer(back)
    assert (again.rule, again.shared) == ("RDA", 0.3)
    np.testing.assert_allclose(again.covariances, explorer.covariances, atol=1e-9)


def test_where_rda_cannot_be_shown_the_explorer_says_so_and_decides_the_same():
    X = np.random.default_rng(0).normal(size=(60, 2)) * np.repeat([[1], [9]], 30, axis=0)
    fitted = GaussianClassifier(shared=0.9, priors=[0.01, 0.99]).fit(X, np.repeat(["narrow", "wide"], 30))
    with pytest.warns(UserWarning, match="pools covariances by the priors.* shared=0.9: it shows them as QDA"):
        explorer = BoundaryExplorer(fitted)
    assert explorer.rule == "QDA"
    back = explorer.classifier()
    np.testing.assert_allclose(back.predict_log_proba(GRID), fitted.predict_log_proba(GRID), atol=1e-9)


def test_the_rule_can_be_chosen_and_traits_can_be_given():
    explorer = BoundaryExplorer(LinearDiscriminantAnalysis().fit(GRID, GRID[:, 0] > 1), "naive", k=9, side_by_side=True)
    assert (explorer.rule, explorer.k, explorer.side_by_side) == ("naive", 9, True)
    assert explorer.class_names == [False, True]


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (load_iris().select("petal width"), ValueError, "2 features, but this data set has 1"),
        ((np.ones((4, 1)), [0, 0, 1, 1]), ValueError, r"X has shape \(4, 1\)"),
        ((np.ones((4, 3)), [0, 0, 1]), ValueError, "X has 4 rows, but y has 3 labels"),
        (load_mnist5k(), ValueError, r"not \(5000, 784\): choose two .*, such as \.select\('pixel row 27 column 26', "),
        ((np.ones((40_000, 3)), np.arange(40_000) % 2), ValueError, r"not \(40000, 3\): .* such as X\[:, \[0, 1\]\]"),
        ((GRID, [0, 1]), ValueError, "X has 50 rows, but y has 2 labels"),
        ((GRID[:, [0, 0]], GRID[:, 0] > 1), ValueError, "singular"),
        (make_xor(5, np.random.default_rng(0)).truth, ValueError, "one Gaussian per class"),
        (TrueClassifier([Gaussian(0, 1), Gaussian(1, 1)], [0, 1]), ValueError, "2 features"),
        ((GRID, np.arange(50) % 6), TraitError, "2 to 5 different labels"),
        (GaussianClassifier(), NotFittedError, "not fitted yet"),
        ("iris", TypeError, "not from a str"),
    ],
)
def test_what_cannot_be_shown_is_refused(source, error, message):
    with pytest.raises(error, match=message):
        BoundaryExplorer(source)


@pytest.mark.parametrize("make", [BoundaryExplorer, NeighboursExplorer])
def test_of_more_than_two_features_the_last_are_shown_and_all_are_sent(make):
    iris = load_iris()
    frame = pd.DataFrame(iris.X, columns=iris.feature_names)
    for source in (iris, (frame, iris.y), (frame, pd.Series(iris.y, index=range(9, 159)))):
        explorer = make(source)
        assert explorer.feature_names == ["petal length (cm)", "petal width (cm)"]
        np.testing.assert_array_equal(explorer.X, iris.X[:, 2:])
        table = explorer.get_state()["table"]
        assert table["features"] == iris.feature_names
        np.testing.assert_array_equal(table["rows"], iris.X)
        assert [table["class_names"][k] for k in table["labels"]] == iris.y.tolist()
    bare = make((iris.X, iris.y))
    assert (bare.feature_names, bare.table["features"][0]) == (["column 3", "column 4"], "column 1")
    assert make(PETALS).table == {}
    assert make(iris, feature_names=["a", "b"]).feature_names == ["a", "b"]


def test_the_names_of_a_frames_columns_are_kept():
    frame = pd.DataFrame(PETALS.X, columns=["length", "width"])
    assert BoundaryExplorer((frame, PETALS.y)).feature_names == ["length", "width"]
    assert BoundaryExplorer(GaussianClassifier().fit(frame, PETALS.y)).feature_names == ["length", "width"]
    assert NeighboursExplorer((frame, PETALS.y)).feature_names == ["length", "width"]
    assert BoundaryExplorer((frame.set_axis([0, 1], axis=1), PETALS.y)).feature_names == ["x₁", "x₂"]
    iris = load_iris()
    explorer = EMExplorer(pd.DataFrame(iris.X, columns=iris.feature_names), starts=[[2, 0.2], [5, 2]])
    assert explorer.feature_names == iris.feature_names[2:]
    assert (explorer.table["features"], explorer.table["labels"]) == (iris.feature_names, [])
    np.testing.assert_array_equal(explorer.points, iris.X[:, 2:])


def test_arrays_are_copies_that_cannot_be_changed_unnoticed(explorer):
    means = explorer.means + 1
    explorer.means = means
    means[0] = 99
    assert explorer.means.max() < 99
    with pytest.raises(ValueError, match="read-only"):
        explorer.means[0, 0] = 5


def test_an_observer_hears_of_a_change_once(explorer):
    heard = []
    explorer.observe(heard.append, ["means", "points"])
    explorer.means = explorer.means + 1
    explorer.means = explorer.means.tolist()
    explorer.points = explorer.points[:0]
    assert [change.name for change in heard] == ["means", "points"]


def test_what_the_browser_sends_arrives_and_is_not_sent_back(explorer, monkeypatch):
    sent = []
    monkeypatch.setattr(explorer, "send_state", sent.append)
    state = explorer.get_state(["means", "points"])
    state["means"][0] = [7, 8]
    explorer.set_state(state)
    assert explorer.means[0].tolist() == [7, 8]
    assert sent == []
    with pytest.raises(TraitError):
        explorer.set_state({"priors": [2, -1, 0]})


def test_colours_and_their_order_are_those_of_the_plots():
    assert call("kit/theme.js", "() => COLORS", [[]]) == [list(COLORS)]


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
