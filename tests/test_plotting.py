"""Plots: what they draw, that they return their Axes, and that they neither fit nor show."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from bayeslab import (
    Gaussian,
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    load_iris,
    plotting,
    two_class,
)

PETALS = load_iris().select("petal length", "petal width")
LENGTH = PETALS.select("petal length")


@pytest.fixture
def ax():
    with plt.style.context("bayeslab.bayeslab"):
        figure, ax = plt.subplots()
        yield ax
        figure.canvas.draw()  # a picture that cannot be drawn fails here
        plt.close(figure)


def test_the_shaded_area_of_a_density_is_its_probability(ax):
    assert plotting.plot_density(Gaussian(0, 4), ax, between=(-2, 2)) is ax
    polygon = ax.collections[0].get_paths()[0].vertices
    x, y = polygon.T
    area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
    assert area == pytest.approx(0.6827, abs=0.01)


def test_every_class_has_a_colour_and_a_marker_of_its_own(ax):
    assert plotting.plot_points(PETALS.X, PETALS.y, ax, feature_names=PETALS.feature_names) is ax
    colors = [tuple(points.get_facecolor()[0]) for points in ax.collections]
    markers = [points.get_paths()[0].vertices.tolist() for points in ax.collections]
    assert len(set(colors)) == 3
    assert markers[0] != markers[1] != markers[2] != markers[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("petal length (cm)", "petal width (cm)")
    assert [text.get_text() for text in ax.legend().get_texts()] == PETALS.class_names


def test_a_class_keeps_its_colour_where_others_are_missing(ax):
    X, y = two_class(PETALS.X, PETALS.y, "versicolor", "virginica")
    plotting.plot_points(X, y, ax, classes=PETALS.class_names)
    assert plt.matplotlib.colors.to_hex(ax.collections[0].get_facecolor()[0]) == plotting.COLORS[1].lower()


@pytest.mark.parametrize(
    "classifier",
    [QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis(), KNeighborsClassifier()],
    ids=lambda c: type(c).__name__,
)
def test_the_boundary_of_the_regions_is_where_two_classes_tie(ax, classifier):
    classifier.fit(PETALS.X, PETALS.y)
    assert plotting.plot_regions(classifier, PETALS.X, ax) is ax
    lines = [path.vertices for contour in ax.collections[1:] for path in contour.get_paths() if len(path.vertices)]
    on_boundary = np.concatenate(lines)
    step = 0.02
    around = [classifier.predict(on_boundary + step * np.array(way)) for way in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    assert (np.array(around) != around[0]).any(axis=0).mean() > 0.99
    low, high = ax.get_xlim()
    assert low < PETALS.X[:, 0].min() < PETALS.X[:, 0].max() < high


def test_regions_of_one_feature_are_intervals(ax):
    fitted = GaussianNB().fit(LENGTH.X, LENGTH.y)
    plotting.plot_regions(fitted, LENGTH.X, ax)
    boundaries = sorted(line.get_xdata()[0] for line in ax.lines)
    assert len(boundaries) == 2
    for x in boundaries:
        below, above = fitted.predict([[x - 0.01], [x + 0.01]])
        assert below != above


def test_ellipses_take_a_gaussian_or_a_classifier(ax):
    fitted = QuadraticDiscriminantAnalysis().fit(PETALS.X, PETALS.y)
    assert plotting.plot_ellipses(fitted, ax, n_sigma=(1, 2)) is ax
    assert len(ax.lines) == 3 * (2 + 1)
    curve = np.column_stack(ax.lines[1].get_data())
    np.testing.assert_allclose(fitted.gaussians_[0].mahalanobis_squared(curve), 4)
    plotting.plot_ellipses(Gaussian([0, 0], 1), ax)


def test_confusion_has_the_truth_in_rows(ax):
    plotting.plot_confusion(["a", "a", "b"], ["a", "b", "b"], ax)
    assert [text.get_text() for text in ax.texts] == ["1", "1", "0", "1"]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("truth", "decision")
