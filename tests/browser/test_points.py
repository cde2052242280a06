"""Points and data on the saved page: added, moved and deleted by mouse and keyboard, pasted, loaded, drawn."""

import numpy as np
import pytest
from playwright.sync_api import expect

from bayeslab import Gaussian, load_iris
from bayeslab.explore import BoundaryExplorer

GOOD = "height,width,kind\n1.5,2.0,B\n0.5,1.25,A\n-1,0,B\n2,2.5,A\n0,-1,B\n3,1,A\n"


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


def test_a_pasted_csv_is_shown(screen):
    screen.paste(GOOD)
    values = screen.values()
    assert (values["class_names"], values["feature_names"], values["mode"]) == (
        ["A", "B"],
        ["height", "width"],
        "estimate",
    )
    assert sorted(map(tuple, values["points"])) == sorted(
        [(1.5, 2, 1), (0.5, 1.25, 0), (-1, 0, 1), (2, 2.5, 0), (0, -1, 1), (3, 1, 0)]
    )
    assert screen.text("message") == ""
    np.testing.assert_allclose(screen.python().means, [[5.5 / 3, 4.75 / 3], [0.5 / 3, 1 / 3]])
    assert screen.confusion().sum() == 6
    screen.paste(GOOD + "1,,A\nNA,2,B\n3,4,\n")
    assert len(screen.points()) == 6
    assert screen.text("message") == "3 rows of 9 were left out because of a missing value."


def test_a_bad_csv_is_explained_and_nothing_is_lost(screen):
    before, picture = screen.values(), screen.picture()[0]
    for text, why in {"": "There is nothing to read", "1,2,A\n3,four,B": 'Line 2: "four" is not a number'}.items():
        screen.paste(text)
        assert why in screen.text("message")
        assert "Nothing was changed" in screen.text("message")
        assert screen.values() == before
        assert screen.part("csv").input_value() == text
    screen.page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    np.testing.assert_array_equal(screen.picture()[0], picture)
    screen.paste(GOOD)  # and the next try works
    assert len(screen.points()) == 6
    assert screen.text("message") == ""


def test_a_file_is_loaded_and_a_bad_one_refused(screen, tmp_path):
    file = tmp_path / "four columns.csv"
    file.write_text("a;b;c;label\n1,5;2;3;7\n2,5;1;0;8\n0,5;1;1;7\n1;1;2;8\n3;2;1;7\n4;2;2;8\n", encoding="utf-8")
    screen.reveal("csv-open").click()
    screen.reveal("csv-file").set_input_files(file)
    screen.settle()
    assert screen.values()["class_names"] == [7, 8]
    assert screen.values()["feature_names"] == ["b", "c"]
    screen.reveal("column-1").select_option(label="a")
    screen.settle()
    assert [1.5, 3, 0] in screen.values()["points"]
    before = screen.values()
    for bad in [b"\x89PNG\r\n\x1a\n\0\0", b"1,2,A\n3,4,B\n" * 2501]:
        (tmp_path / "bad.csv").write_bytes(bad)
        screen.reveal("csv-file").set_input_files(tmp_path / "bad.csv")
        expect(screen.part("message")).to_contain_text("Nothing was changed")
        assert screen.values() == before
    assert "5002 points; 5000 is the most" in screen.text("message")


def test_data_sets_of_ours_by_any_two_columns(screen):
    screen.reveal("dataset").select_option("iris")
    screen.reveal("column-1").select_option(label="sepal length (cm)")
    screen.reveal("column-2").select_option(label="petal width (cm)")
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
    screen.reveal("dataset").select_option("penguins")
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
