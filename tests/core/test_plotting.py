"""Plots: what they draw, and that they return their Axes."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from scipy.stats import norm
from sklearn.neighbors import KNeighborsClassifier

from bayeslab import (
    Gaussian,
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    QuadraticSurface,
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
        figure.canvas.draw()  # a plot that cannot be drawn fails here
        plt.close(figure)


@pytest.mark.parametrize(
    "between", [(-2, 2), (0, 500), (0.001, 0.002), (2, -2), (6, 10), None, np.array([-1, 9])], ids=str
)
def test_the_shaded_area_of_a_density_is_its_probability(ax, between):
    assert plotting.plot_density(Gaussian(0, 4), ax, between=between) is ax
    x, y = ax.collections[0].get_paths()[0].vertices.T
    area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
    ends = (-8, 8) if between is None else between
    assert area == pytest.approx(abs(np.diff(norm(0, 2).cdf(ends)))[0], abs=2e-5)


def test_the_weight_of_a_density_is_its_area(ax):
    plotting.plot_density(Gaussian(1, 0.25), ax, weight=30)
    assert np.trapezoid(*ax.lines[0].get_data()[::-1]) == pytest.approx(30, rel=1e-4)
    with pytest.raises(ValueError, match="between"):
        plotting.plot_density(Gaussian(0, 1), ax, between=(0, np.inf))


def test_every_class_has_a_colour_and_a_marker_of_its_own(ax):
    assert plotting.plot_points(PETALS.X, PETALS.y, ax, feature_names=PETALS.feature_names) is ax
    colors = [tuple(points.get_facecolor()[0]) for points in ax.collections]
    markers = [points.get_paths()[0].vertices.tolist() for points in ax.collections]
    assert len(set(colors)) == 3
    assert markers[0] != markers[1] != markers[2] != markers[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("petal length (cm)", "petal width (cm)")
    assert [text.get_text() for text in ax.legend().get_texts()] == PETALS.class_names


def test_a_class_keeps_its_colour_when_others_are_missing(ax):
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
    lines = [path.vertices for contour in ax.collections for path in contour.get_paths() if len(path.vertices)]
    on_boundary = np.concatenate(lines)
    step = 0.02
    around = [classifier.predict(on_boundary + step * np.array(way)) for way in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    assert (np.array(around) != around[0]).any(axis=0).mean() > 0.99
    low, high = ax.get_xlim()
    assert low < PETALS.X[:, 0].min() < PETALS.X[:, 0].max() < high


def test_the_exact_boundary_fills_the_window_and_leaves_it_alone(ax):
    X, y = two_class(PETALS.X, PETALS.y, "versicolor", "virginica")
    fitted = QuadraticDiscriminantAnalysis().fit(X, y)
    plotting.plot_regions(fitted, X, ax)
    contour = np.concatenate([path.vertices for path in ax.collections[-1].get_paths()])
    limits = ax.get_xlim(), ax.get_ylim()
    surface = QuadraticSurface.between(*fitted.gaussians_, fitted.priors_)
    assert plotting.plot_boundary(surface, ax, label="QDA") is ax
    ax.autoscale_view()
    assert (ax.get_xlim(), ax.get_ylim()) == limits
    drawn = np.concatenate(ax.collections[-1].get_segments())
    np.testing.assert_allclose(surface(drawn), 0, atol=1e-10)
    assert max(np.linalg.norm(drawn - point, axis=1).min() for point in contour) < 0.02
    assert [text.get_text() for text in ax.legend().get_texts()] == ["QDA"]


def colour_of(rgb):
    """Return the class whose colour this is a pale tint of."""
    pale = [1 - 0.22 * (1 - np.array(to_rgb(color))) for color in plotting.COLORS]
    return int(np.argmin([np.abs(np.array(rgb[:3]) - tint).sum() for tint in pale]))


@pytest.mark.parametrize("classes", [None, ["other", "setosa", "versicolor", "virginica"]])
def test_each_point_of_the_plane_has_the_colour_of_its_class(ax, classes):
    fitted = QuadraticDiscriminantAnalysis().fit(PETALS.X, PETALS.y)
    plotting.plot_regions(fitted, PETALS.X, ax, classes=classes, n_grid=40)
    (image,) = ax.images
    left, right, bottom, top = image.get_extent()
    x, y = (low + (high - low) * (np.arange(40) + 0.5) / 40 for low, high in ((left, right), (bottom, top)))
    middles = np.stack(np.meshgrid(x, y), axis=-1)
    assert (image.origin, ax.get_aspect()) == ("lower", "auto")
    known = classes or PETALS.class_names
    expected = [known.index(label) for label in fitted.predict(middles.reshape(-1, 2))]
    assert [colour_of(rgb) for rgb in image.to_rgba(image.get_array()).reshape(-1, 4)] == expected


def test_regions_of_one_feature_are_intervals(ax):
    fitted = GaussianNB().fit(LENGTH.X, LENGTH.y)
    plotting.plot_regions(fitted, LENGTH.X, ax)
    for patch in ax.patches:
        middle = patch.get_x() + patch.get_width() / 2
        assert fitted.predict([[middle]]) == fitted.classes_[colour_of(patch.get_facecolor())]
    boundaries = sorted(line.get_xdata()[0] for line in ax.lines)
    assert len(boundaries) == 2
    for x in boundaries:
        below, above = fitted.predict([[x - 0.01], [x + 0.01]])
        assert below != above


@pytest.mark.parametrize("X", [[[0.0], [1], [2]], [[0.0, 5], [1, 5], [2, 6]]])
def test_responsibilities_mix_the_colours_of_the_components(ax, X):
    plotting.plot_responsibilities(X, [[1, 0], [0, 1], [0.25, 0.75]], ax)
    points = ax.collections[0]
    np.testing.assert_allclose(points.get_offsets()[:, 0], [0, 1, 2])
    first, second = (np.array(to_rgb(color)) for color in plotting.COLORS[:2])
    np.testing.assert_allclose(points.get_facecolors()[:, :3], [first, second, 0.25 * first + 0.75 * second])


def test_ellipses_take_a_gaussian_or_a_classifier(ax):
    fitted = QuadraticDiscriminantAnalysis().fit(PETALS.X, PETALS.y)
    assert plotting.plot_ellipses(fitted, ax, n_sigma=(1, 2)) is ax
    assert len(ax.lines) == 3 * (2 + 1)
    curve = np.column_stack(ax.lines[1].get_data())
    np.testing.assert_allclose(fitted.gaussians_[0].mahalanobis_squared(curve), 4)
    assert np.ptp(np.unwrap(np.arctan2(*(curve - curve.mean(axis=0)).T))) > 6
    centres = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == "+"]
    np.testing.assert_allclose(centres, fitted.means_)
    assert ax.get_aspect() == 1
    plotting.plot_ellipses(Gaussian([0, 0], 1), ax)


def test_more_gaussians_than_colours(ax):
    plotting.plot_ellipses([Gaussian([k, 0], 1) for k in range(12)], ax, n_sigma=(1,))
    assert len(ax.lines) == 12 * 2
    with pytest.raises(ValueError, match="11 classes cannot be told apart"):
        plotting.plot_points(np.zeros((11, 2)), np.arange(11), ax)


def test_ticks_of_one_feature_are_at_the_bottom_of_the_axes(ax):
    plotting.plot_points(LENGTH.X, LENGTH.y, ax)
    first, second, third = (line.get_ydata()[0] for line in ax.lines)
    assert 0 < first < second < third < 0.2
    assert all(line.get_transform() == ax.get_xaxis_transform() for line in ax.lines)


def test_confusion_has_the_truth_in_rows(ax):
    plotting.plot_confusion(["a", "a", "a", "a", "b"], ["a", "b", "b", "b", "b"], ax)
    assert [text.get_text() for text in ax.texts] == ["1", "3", "0", "1"]
    np.testing.assert_allclose(ax.images[0].get_array(), [[0.25, 0.75], [0, 1]])
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("truth", "decision")


@pytest.mark.parametrize("loc", ["upper left", "lower right"])
def test_a_note_is_in_its_corner(ax, loc):
    assert plotting.plot_note("n = 10\nellipse", ax, loc=loc) is ax
    ax.figure.canvas.draw()
    box, frame = ax.artists[0].patch.get_window_extent(), ax.get_window_extent()
    assert (box.y1 > frame.y0 + 0.9 * frame.height) == loc.startswith("upper")
    assert (box.x1 > frame.x0 + 0.9 * frame.width) == loc.endswith("right")
    assert frame.x0 <= box.x0 < box.x1 <= frame.x1
    assert frame.y0 <= box.y0 < box.y1 <= frame.y1


def test_regions_on_logarithmic_axes_are_those_of_the_data():
    rule = LinearDiscriminantAnalysis().fit(PETALS.X, PETALS.y)
    _, ax = plt.subplots(subplot_kw={"xscale": "log", "yscale": "log"})
    plotting.plot_regions(rule, PETALS.X, ax, n_grid=60)
    for limits, x in zip((ax.get_xlim(), ax.get_ylim()), PETALS.X.T, strict=True):
        low, high = np.log(limits)
        span = np.log(x.max() / x.min())
        np.testing.assert_allclose([low, high], [np.log(x.min()) - 0.08 * span, np.log(x.max()) + 0.08 * span])
    mesh = ax.collections[0]
    cells = mesh.get_coordinates()  # corners: a cell's colour is that of its centre
    centres = np.sqrt(cells[:-1, :-1] * cells[1:, 1:]).reshape(-1, 2)
    colors = rule.classes_[mesh.get_array().ravel().astype(int)]
    assert (rule.predict(centres) == colors).mean() > 0.98  # but for those on a boundary
    with pytest.raises(ValueError, match="a log axis can't show -1"):
        plotting.plot_regions(rule, PETALS.X - 2, ax)


def test_rows_with_gaps_do_not_hinder_regions():
    X, y = load_iris().X[:, :2].copy(), load_iris().y
    rule = LinearDiscriminantAnalysis().fit(X, y)
    _, (gaps, whole) = plt.subplots(1, 2)
    plotting.plot_regions(rule, X[1:], whole, n_grid=10)
    X[0, 0] = np.nan
    plotting.plot_regions(rule, X, gaps, n_grid=10)
    assert gaps.get_xlim() == whole.get_xlim()
