"""The boundary explorer's way back: drags, keys, sliders, Reset, and Escape."""

import numpy as np
import pytest
from playwright.sync_api import expect
from screen import three_classes


@pytest.fixture
def screen(show):
    return show(three_classes())


def scene(screen):
    return {name: value for name, value in screen.values().items() if name != "datasets"}


def test_every_change_can_be_undone_and_done_again(screen):
    scenes = [scene(screen)]
    for change in [
        lambda: screen.drag(screen.at(1), [60, -45]),
        lambda: screen.drag(screen.at(0, "axis1"), [10, 20]),
        lambda: screen.choose(rule="LDA"),
        lambda: screen.choose(mode="estimate"),
        lambda: screen.click("remove-2"),
        lambda: screen.click("add-class"),
        lambda: screen.click("draw"),
        lambda: screen.click("show_posterior"),
        lambda: screen.type("prior-number-0", 0.7),
        lambda: screen.click("reset"),
    ]:
        change()
        scenes.append(scene(screen))
        assert scenes[-1] != scenes[-2]
    for before in scenes[-2::-1]:
        screen.click("undo")
        assert scene(screen) == before
    expect(screen.part("undo")).to_have_attribute("aria-disabled", "true")
    for after in scenes[1:]:
        screen.click("redo")
        assert scene(screen) == after
    expect(screen.part("redo")).to_have_attribute("aria-disabled", "true")
    screen.shows_what_python_computes()


def test_keys_go_back_but_not_in_a_text(screen):
    screen.handle(0).press("ArrowRight")
    moved = screen.mean(0)
    screen.reveal("table-cells").fill("1,2,A")
    screen.part("table-cells").press("Control+z")
    np.testing.assert_array_equal(screen.mean(0), moved)
    screen.choose(rule="LDA")
    expect(screen.part("live")).to_contain_text("LDA. Error on the sample")


def test_a_handle_that_takes_another_colour_keeps_the_focus(screen):
    before, at, colour = scene(screen), screen.at(0), "(handle) => handle.style.getPropertyValue('--class')"
    screen.handle(1).press("ArrowRight")
    screen.click("remove-0")  # now the first handle is that of class B
    assert screen.handle(0).evaluate(colour) == "var(--class-1)"
    screen.handle(0).focus()
    screen.page.keyboard.press("Control+z")
    screen.settle()
    assert screen.handle(0).evaluate(colour) == "var(--class-0)"
    np.testing.assert_array_equal(screen.at(0), at)
    expect(screen.handle(0)).to_be_focused()
    screen.page.keyboard.press("Control+z")
    assert scene(screen) == before


def test_a_slider_that_is_dragged_is_one_step(screen):
    before = scene(screen)
    box = screen.reveal("prior-range-0").bounding_box()
    screen.drag([box["x"] + box["width"] / 3, box["y"] + box["height"] / 2], [60, 0])
    assert scene(screen)["priors"] != before["priors"]
    screen.click("undo")
    assert scene(screen) == before


def test_the_window_follows_what_the_history_brings_back(screen):
    def is_seen():  # a mean outside the window is pale
        return screen.handle(0).evaluate("(handle) => handle.style.opacity") == ""

    screen.paste("100,200,A\n101,203,A\n103,202,A\n110,210,B\n112,209,B\n111,213,B")
    assert screen.values()["means"][0][0] > 99
    assert is_seen()
    screen.click("undo")
    assert is_seen()
    assert screen.n_colours() > 100
    screen.shows_what_python_computes()
    assert screen.text("source-1") == "true densities"
    screen.click("redo")
    assert is_seen()
    assert screen.text("source-1") == "fitted Gaussians"
    screen.shows_what_python_computes()
