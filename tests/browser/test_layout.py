"""The saved page at every width: nothing sticks out or is cut off, all can be reached; and the line for beginners."""

import numpy as np
import pytest
from playwright.sync_api import expect
from screen import three_classes

from bayeslab import load_iris
from bayeslab.explore import BoundaryExplorer

WIDTHS = [*range(380, 1600, 60), 1600]
LONG = ["A rather long class name", "Chinstrap", "wordwithoutanyspaceinit", "Ångström", "e"]


def five_classes():
    rng = np.random.default_rng(0)
    means = [[0, 0], [3, 0], [0, 3], [3, 3], [6, 1]]
    points = [[*rng.normal(mean, 1.5), k] for k, mean in enumerate(means) for _ in range(200)]
    given = {"class_names": LONG, "covariances": [np.eye(2)] * 5, "priors": [0.2] * 5, "points": points}
    return BoundaryExplorer(means=means, **given)


EXPLORERS = {
    "two": BoundaryExplorer,
    "three": lambda: BoundaryExplorer(load_iris().select("petal length", "petal width"), side_by_side=True),
    "five": five_classes,
}


@pytest.mark.parametrize("kind", EXPLORERS)
def test_the_layout_holds_at_every_width(show, kind):
    screen = show(EXPLORERS[kind](), (WIDTHS[0], 900))
    if kind == "three":
        screen.part("dataset").select_option("penguins")  # its menus
        screen.part("csv-open").click()
        screen.page.get_by_text("How it works").click()
    found = {}
    for width in WIDTHS:
        screen.page.set_viewport_size({"width": width, "height": 900})
        screen.settle()
        assert screen.part("root").evaluate("(root) => root.clientWidth") == width
        if faults := screen.faults():
            found[width] = faults
    assert found == {}


def test_columns_of_the_table_say_their_names(show):
    for explorer in [BoundaryExplorer(), five_classes()]:
        screen = show(explorer)
        heads = screen.part("confusion").locator("thead th .bx-label")
        assert heads.all_inner_texts() == explorer.class_names
        assert all(box["width"] > 5 and box["height"] > 5 for box in (head.bounding_box() for head in heads.all()))


def test_on_a_projector_the_tools_and_the_whole_picture_are_above_the_fold(show):
    screen = show(three_classes(), (1280, 720))
    for name in ["tool-move-text", "reset", "plot", "hint"]:
        box = screen.part(name).bounding_box()
        assert box["y"] + box["height"] <= 720, name


ACTS = {
    "a mean is dragged": lambda screen: screen.drag(screen.at(0), [30, 20]),
    "a ring is dragged": lambda screen: screen.drag(screen.at(1, "axis1"), [20, 10]),
    "a key moves a mean": lambda screen: screen.handle(1).press("ArrowRight"),
}


@pytest.mark.parametrize("act", ACTS)
def test_a_line_says_what_to_drag_until(show, act):
    screen = show(three_classes())
    hint = screen.part("hint")
    screen.choose(rule="LDA")
    expect(hint).to_be_visible()
    before = screen.page.evaluate("document.documentElement.scrollHeight"), screen.part("plot").bounding_box()
    screen.page.emulate_media(media="print")
    expect(hint).not_to_be_visible()
    screen.page.emulate_media(media="screen")
    expect(hint).to_be_visible()
    ACTS[act](screen)
    screen.page.mouse.move(2, 2)
    expect(hint).not_to_be_visible()
    assert (screen.page.evaluate("document.documentElement.scrollHeight"), screen.part("plot").bounding_box()) == before
