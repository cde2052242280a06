"""Points and data on the saved page: added, moved and deleted by mouse and keyboard, chosen, drawn."""

import numpy as np
import pytest
from playwright.sync_api import expect

from bayeslab import Gaussian, load_iris
from bayeslab.explore import BoundaryExplorer


@pytest.fixture
def screen(show):
    return show(BoundaryExplorer())


def place_off_points(screen):
    """Return a pixel of the plot that is far from every point and handle."""
    corner = screen.middle(screen.part("plot"))
    grid = corner + np.array([[x, y] for x in range(-150, 160, 25) for y in range(-150, 160, 25)])
    handles = [screen.at(k, kind) for k in range(2) for kind in ("mean", "axis1", "axis2")]
    taken = np.concatenate([screen.pixel(screen.points()[:, :2]), handles])
    distance = np.linalg.norm(grid[:, None] - taken, axis=2).min(axis=1)
    return grid[distance.argmax()]


def test_the_mouse_adds_moves_and_deletes_a_point(screen):
    before, start = screen.points(), place_off_points(screen)
    pixel = np.abs(screen.units()).max()
    screen.choose(tool="add")
    screen.click("active-1")
    screen.page.mouse.click(*start)
    np.testing.assert_array_equal(screen.points()[:-1], before)
    np.testing.assert_allclose(screen.points()[-1], [*screen.place(start), 1], atol=pixel)
    screen.settle()
    assert screen.confusion().sum() == len(before) + 1
    screen.choose(tool="move")
    screen.drag(start, [9, 13])
    end = np.add(start, [9, 13])
    np.testing.assert_allclose(screen.points()[-1], [*screen.place(end), 1], atol=pixel)
    screen.choose(tool="delete")
    screen.page.mouse.click(*end)
    np.testing.assert_array_equal(screen.points(), before)


def test_the_keyboard_adds_moves_and_deletes_a_point(screen):
    before, keyboard, live = screen.points(), screen.page.keyboard, screen.part("live")
    screen.part("tool-move").focus()
    keyboard.press("ArrowRight")  # the next tool: add
    assert screen.part("tool-add").is_checked()
    screen.part("plot").focus()
    step = screen.units() * np.array([1, -1])  # to the right and up, in data
    keyboard.press("ArrowRight")
    expect(live).to_contain_text("posterior")
    keyboard.press("Enter")
    added = screen.points()[-1, :2]
    expect(live).to_contain_text("Added a point of class A")
    for key in ("ArrowUp", "Shift+ArrowUp", "Shift+ArrowRight"):
        keyboard.press(key)
    keyboard.press("Enter")
    assert (np.sign(screen.points()[-1, :2] - added) == np.sign(step)).all()
    assert len(screen.points()) == len(before) + 2
    for tool, presses in (("move", ["Enter", "Shift+ArrowUp", "Enter"]), ("delete", ["Enter"])):
        there = screen.points()[-1]
        screen.choose(tool=tool)
        screen.part("plot").focus()
        for key in presses:
            keyboard.press(key)
        if tool == "move":
            assert screen.points()[-1, 1] > there[1]
    expect(live).to_contain_text("Deleted a point of class A")
    assert len(screen.points()) == len(before) + 1


def test_data_sets_of_ours_by_any_two_columns(screen):
    screen.reveal("table-table").select_option("iris")
    screen.reveal("table-x").select_option(label="sepal length (cm)")
    screen.reveal("table-y").select_option(label="petal width (cm)")
    screen.settle()
    iris = load_iris().select("sepal length", "petal width")
    np.testing.assert_array_equal(screen.python().X, iris.X)
    np.testing.assert_array_equal(screen.python().y, iris.y)
    np.testing.assert_allclose(screen.python().means, BoundaryExplorer(iris).means)


def test_a_class_keeps_its_colour_when_others_go_and_come(show):
    screen = show(BoundaryExplorer(load_iris().select("petal length", "petal width")))

    def colours():
        paths = screen.part("classes").locator(".bx-marker path")
        found = {path.get_attribute("fill")[-2] for path in paths.all()}
        assert all(screen.page.locator(f'.bx-head path[fill="var(--class-{k})"]').count() == 2 for k in found)
        return "".join(path.get_attribute("fill")[-2] for path in paths.all())

    assert colours() == "012"
    screen.click("remove-0")
    assert colours() == "12"
    screen.click("add-class", "add-class")
    assert colours() == "1234"
    screen.click("remove-2")
    assert colours() == "124"
    screen.reveal("table-table").select_option("penguins")
    screen.settle()
    assert colours() == "012"
    screen.click("reset")
    assert colours() == "012"


def test_the_readouts_say_whose_densities_and_whose_error(show):
    screen = show(BoundaryExplorer(load_iris().select("petal length", "petal width"), "kNN"))
    dashed = screen.part("dashed")
    assert screen.text("mode-truth-text") == "Fitted Gaussians"
    assert "Error under the fitted Gaussians" in screen.text("readouts")
    assert "true" not in screen.text("readouts")
    expect(dashed).to_be_hidden()  # nothing is dashed: the estimates are the fitted ones
    assert "±" in screen.text("true-error")  # of kNN, by a lattice
    explorer, rng = screen.python(), np.random.default_rng(0)
    densities = zip(explorer.class_names, explorer.means, explorer.covariances, strict=True)
    fresh = [(name, Gaussian(mean, covariance).sample(20_000, rng)) for name, mean, covariance in densities]
    wrong = np.mean([explorer.classifier().predict(X) != name for name, X in fresh])
    assert float(screen.text("true-error").split("%")[0]) == pytest.approx(100 * wrong, abs=0.4)
    screen.choose(rule="LDA")
    expect(dashed).to_be_visible()  # LDA goes by one shape for all
    assert "±" not in screen.text("readouts")
    screen.click("show_ellipses")
    expect(dashed).to_be_hidden()
    screen.click("show_ellipses", "draw")
    screen.choose(rule="QDA")
    assert screen.text("mode-truth-text") == "True densities"
    assert "fitted" not in screen.text("readouts")
    expect(dashed).to_be_visible()
    screen.choose(mode="truth")
    expect(dashed).to_be_hidden()


def test_new_points_are_drawn_from_the_true_densities(screen):
    screen.type("draw-count", 6000)
    screen.click("draw")
    assert screen.text("message") == "At most 5000 points are drawn; more would make dragging slow."
    assert screen.part("draw-count").input_value() == "5000"
    explorer = screen.python()
    assert len(explorer.points) == 5000
    for k, name in enumerate(explorer.class_names):
        own = explorer.X[explorer.y == name]
        np.testing.assert_allclose(own.mean(axis=0), explorer.means[k], atol=0.12)
        np.testing.assert_allclose(np.cov(own.T), explorer.covariances[k], atol=0.25)
    screen.click("draw")
    assert screen.text("message") == ""
    screen.click("clear")
    assert screen.values()["points"] == []
    assert screen.confusion().sum() == 0


def test_of_very_many_points_no_link_and_no_code_is_made(show):
    X = np.random.default_rng(0).normal(size=(40_000, 2)) + np.arange(40_000)[:, None] % 2
    screen = show(BoundaryExplorer((X, np.arange(40_000) % 2)))
    assert screen.confusion().sum() == 40_000
    screen.click("clear-class")  # the first
    assert set(screen.points()[:, 2]) == {1}
    for button, why in [("copy-link", "too many points for a link"), ("copy-python", "too many points to write")]:
        screen.click(button)
        assert why in screen.text("share-note")
