"""Extremes: any unit and offset; of the boundary explorer layers, priors, names, no points, five classes."""

import numpy as np
import pytest
from every_explorer import EXPLORERS, NAMES
from readouts import READOUTS
from screen import three_classes

from bayeslab import load_iris, make_three_classes
from bayeslab.explore import BoundaryExplorer


def test_rules_modes_and_layers_go_together(show):
    screen = show(three_classes())
    screen.click("show_posterior", "show_contours")
    screen.survives_every_rule()
    screen.click("show_posterior", "show_regions", "show_ellipses", "show_boundary", "show_contours")
    assert screen.n_colours() > 10
    screen.writes_no_nonsense()


def test_identical_classes_have_no_boundary(show):
    screen = show(BoundaryExplorer(means=[[1, 2], [1, 2]], covariances=[np.eye(2)] * 2))
    for rule in ["QDA", "LDA", "naive", "nearest mean"]:
        screen.choose(rule=rule)
        assert screen.text("kind") == "No boundary"
    assert screen.text("bayes-error").startswith("50\u00a0%")
    screen.survives_every_rule()
    screen.drag(screen.at(0), [40, 0])  # one of the two comes off
    assert screen.values()["means"][0] != screen.values()["means"][1]


def test_an_ellipse_squeezed_to_a_line_can_be_pulled_apart_again(show):
    screen, kind = show(three_classes()), "axis2"
    screen.click("show_contours")
    far = screen.at(0, kind) - screen.at(0)
    screen.drag(screen.at(0, kind), -far)
    thin = np.array(screen.values()["covariances"][0])
    assert np.linalg.eigvalsh(thin)[0] > 0
    screen.survives_every_rule()
    screen.choose(mode="truth", rule="QDA")
    screen.handle(0, kind).focus()
    for _ in range(5):
        screen.page.keyboard.press("Shift+ArrowRight" if abs(far[0]) > abs(far[1]) else "Shift+ArrowUp")
    assert np.linalg.det(screen.values()["covariances"][0]) > 4 * np.linalg.det(thin)
    screen.settle()
    screen.shows_what_python_computes()


def test_a_prior_of_zero_or_one_leaves_one_class(show):
    screen = show(BoundaryExplorer())
    for prior, never in ((0, "A"), (1, "B")):
        screen.type("prior-number-0", prior)
        assert screen.values()["priors"] == [prior, 1 - prior]
        assert screen.text("kind") == f"No boundary: class {never} has prior 0."
        assert screen.text("bayes-error").startswith("0\u00a0%")
        assert screen.confusion()[:, prior].sum() == 0
    screen.survives_every_rule()
    screen.click("priors-equal")
    assert screen.values()["priors"] == [0.5, 0.5]
    screen.shows_what_python_computes()


def test_a_prior_that_is_none_is_said_and_the_field_restored(show):
    screen = show(three_classes(priors=[0.2, 0.3, 0.5]))
    field = screen.reveal("prior-number-1")
    field.press("Control+a")
    field.press("-")  # not yet a number
    assert screen.text("prior-message") == ""
    for text in ("-3", "1.7"):
        field.click()
        field.press("Control+a")
        field.press_sequentially(text)  # the 1 of 1.7 is a prior on the way
        said = f"A prior is a probability, from 0 to 1, so it cannot be {text.replace('-', '−')}. Nothing was changed."
        assert screen.text("prior-message") == said
        field.press("Tab")
        screen.settle()
        assert screen.values()["priors"] == [0.2, 0.3, 0.5]
        assert field.input_value() == "0.3"
    screen.type("prior-number-1", 0.5)
    assert screen.text("prior-message") == ""
    np.testing.assert_allclose(screen.values()["priors"], [1 / 7, 0.5, 2.5 / 7])


def test_long_names_are_cut_short_and_nothing_breaks(show):
    iris = load_iris().select("petal length", "petal width")
    names = {name: f"{name} {'unbroken' * 25}" for name in iris.class_names}
    features = ["a long name of a feature " * 8, "unbroken" * 25]
    explorer = BoundaryExplorer((iris.X, np.array([names[name] for name in iris.y])), feature_names=features)
    screen = show(explorer, (1280, 800))
    label = screen.reveal("classes").locator(".bx-label").first
    assert label.get_attribute("title") == names["setosa"]
    for width in (1280, 640, 400):  # 640 is 1280 at 200 %
        screen.page.set_viewport_size({"width": width, "height": 800})
        screen.settle()
        assert screen.faults() == []
        assert screen.overflow()[0] == 0
        assert label.evaluate("(e) => e.scrollWidth > e.clientWidth && e.clientHeight < 30")
        picture, _ = screen.picture()
        assert (picture[-14:, -8:] == picture[-1, -1]).all()  # the name of the axis ends before the edge
        assert (picture[:8, :14] == picture[-1, -1]).all()


def test_all_points_of_one_class_are_deleted(show):
    points = [*BoundaryExplorer().points[:75], [5, 5, 1], [4, 6, 1], [6, 4.5, 1]]
    screen = show(BoundaryExplorer(points=points))
    screen.choose(tool="delete")
    for _ in range(3):
        place = screen.points()[-1, :2]
        screen.page.mouse.click(*screen.pixel(place))
        screen.settle()
    assert len(screen.points()) == 75
    screen.choose(mode="estimate")
    assert screen.text("problem") == "No decision: class B has no points."
    assert screen.text("sample-error") == "no decision"
    screen.click("clear")
    screen.survives_every_rule()
    screen.choose(mode="truth", rule="LDA")
    assert screen.text("sample-error") == "no points"
    screen.click("draw")
    screen.choose(mode="estimate", rule="QDA")
    assert screen.text("problem") == ""
    screen.shows_what_python_computes()


def test_two_to_five_classes(show):
    screen = show(BoundaryExplorer())
    assert screen.part("remove-0").is_disabled()
    screen.click("tab-multiples")
    for K in [3, 4, 5]:
        screen.click("add-class")
        assert screen.page.locator(".bx-handle").count() == 3 * K
        assert sum(screen.values()["priors"]) == pytest.approx(1)
        screen.shows_what_python_computes()
    assert screen.part("add-class").is_disabled()
    for rule in ("LDA", "kNN"):
        screen.choose(rule=rule, mode="estimate")
        screen.shows_what_python_computes()
    names = screen.values()["class_names"]
    for _ in range(3):
        screen.click("remove-1")
    assert screen.values()["class_names"] == [names[0], names[4]]
    screen.shows_what_python_computes()


def test_more_neighbours_than_points(show):
    screen = show(three_classes(5, rule="kNN"))
    for k, most in [(999, 999), (1, 1), (5000, 999), (0, 1), ("", 1)]:
        screen.type("k", k)
        assert screen.values()["k"] == most
    assert (screen.confusion() == 5 * np.eye(3)).all()  # k = 1: each point is its own neighbour
    screen.type("k", 15)
    assert (screen.confusion()[:, 0] == 5).all()  # all vote, a tie: the first class


def test_a_frame_narrower_than_a_cell_is_no_error(show):
    """As a page may have for a moment while it is laid out anew."""
    screen = show(three_classes(5, rule="kNN"))
    screen.page.set_viewport_size({"width": 30, "height": 700})
    screen.settle()


@pytest.mark.parametrize(("scale", "offset"), [(1e-9, 0), (1, 1e6)])
def test_units_and_offsets_change_nothing(show, scale, offset):
    dataset = make_three_classes(30, np.random.default_rng(0))
    screen = show(BoundaryExplorer((scale * dataset.X + offset, dataset.y)))
    before = screen.mean(0)
    screen.handle(0).press("Shift+ArrowRight")
    screen.settle()
    assert screen.mean(0)[0] > before[0]
    for rule in ("QDA", "kNN"):
        screen.choose(rule=rule)
        screen.shows_what_python_computes()


PAIR = "[Gaussian(0, 1), Gaussian(3, 2.25)]"
EXTREMES = {
    "a small ellipse": "CovarianceExplorer(1e-18 * np.array([[1, 0.6], [0.6, 1]]), cut=1e-9)",
    "a large ellipse": "CovarianceExplorer(1e12 * np.array([[1, 0.6], [0.6, 1]]), cut=1e6)",
    "two values that are nearly one": "LikelihoodExplorer([0, 1e-9])",
    "a value far from many": "LikelihoodExplorer([1e6, *range(60)])",
    "points in small units": "RegularisedExplorer((1e-9 * shelf.X, shelf.y), shared=0.3)",
    "points far from the origin": "RegularisedExplorer((shelf.X + 1e6, shelf.y), shared=0.3)",
    "curves alike": f"ThresholdExplorer({PAIR}, means=[1, 1], deviations=[1, 1])",
    "a curve 100 times as wide": f"ThresholdExplorer({PAIR}, deviations=[1, 100])",
    "a prior of 0": f"ThresholdExplorer({PAIR}, [0, 1])",
    "no costs": f"ThresholdExplorer({PAIR}, costs=[0, 0])",
    "curves far from the origin": f"ThresholdExplorer({PAIR}, means=[1e6, 1e6 + 3], thresholds=[1e6])",
}


@pytest.mark.parametrize("code", EXTREMES.values(), ids=EXTREMES)
def test_of_extremes_it_says_what_python_computes(show, code):
    explorer = eval(code, NAMES)
    name = type(explorer).__name__.removesuffix("Explorer").lower()
    screen, handle = show(explorer, (800, 900)), EXPLORERS[name].handles.split()[0]
    before = screen.values()
    screen.pull(handle, [20, -15])
    assert screen.values() != before
    READOUTS[name](screen)
    screen.writes_no_nonsense()
    for canvas in screen.page.locator("canvas[data-bx]:visible").all():
        assert screen.n_colours(canvas.get_attribute("data-bx")) > 5
