"""The boundary explorer in a lecture: compact, keys for rules, the way from rule to rule, lit points, and the cut."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from screen import RULES, three_classes
from test_layout import five_classes

from bayeslab.explore import BoundaryExplorer

PROJECTOR = (1280, 720)
SCENES = {
    "two": BoundaryExplorer,
    "three": lambda: three_classes(100),
    "five": five_classes,
    "cut": lambda: three_classes(100, show_cut=True),
    "all rules": lambda: three_classes(100, side_by_side=True),
}


@pytest.mark.parametrize("scene", SCENES)
def test_compact_fits_a_projector_in_larger_type(show, scene):
    explorer = SCENES[scene]()
    explorer.compact = True
    screen = show(explorer, PROJECTOR)
    for rule in ("QDA", "RDA", "kNN"):
        screen.choose(rule=rule)
        assert screen.overflow()[1] == 0
        assert screen.faults() == []
    for name in ["plot", "sample-error", "true-error", "bayes-error", "confusion", "hint", "rule"]:
        box = screen.part(name).bounding_box()
        assert box["y"] >= 0, name
        assert box["y"] + box["height"] <= PROJECTOR[1], name
        assert (
            screen.part(name).evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)") >= 18 or name == "confusion"
        )
    assert screen.part("plot").bounding_box()["width"] > 550


def test_compact_has_buttons_that_lead_back_beside_the_rules(show):
    screen = show(three_classes(compact=True), PROJECTOR)
    before = screen.mean(0)
    screen.drag(screen.at(0), [30, 20])
    moved = screen.mean(0)
    for name, mean in ("Undo (Ctrl+Z)", before), ("Redo (Ctrl+Shift+Z)", moved):
        button = screen.page.get_by_role("button", name=name)
        box = button.bounding_box()
        assert box["y"] + box["height"] < screen.part("plot").bounding_box()["y"]
        assert min(box["width"], box["height"]) >= 24
        button.click()
        np.testing.assert_array_equal(screen.mean(0), mean)


@pytest.mark.parametrize("compact", [False, True])
def test_keys_choose_the_rule_but_not_in_a_field(show, compact):
    screen = show(three_classes(compact=compact))
    screen.page.keyboard.press("3")  # nothing has the focus
    assert screen.values()["rule"] == ("LDA" if compact else "QDA")
    screen.handle(0).focus()
    for number, rule in enumerate(RULES, 1):
        screen.page.keyboard.press(str(number))
        assert screen.values()["rule"] == rule
    screen.page.keyboard.press("7")
    screen.page.keyboard.press("Control+2")
    assert screen.values()["rule"] == "kNN"
    screen.type("k", 2)
    assert (screen.values()["rule"], screen.values()["k"]) == ("kNN", 2)


# The picture and the error in ten frames that follow a press of a key, while the page's clock goes on by 50 ms a frame.
FRAMES = """async (key) => {
    const [canvas, error] = ["plot", "sample-error"].map((name) => document.querySelector(`[data-bx="${name}"]`));
    const frames = [], before = performance.now();
    performance.now = () => before + 50 * frames.length;
    canvas.closest(".bx-root").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    while (frames.length < 10) {
        await new Promise((done) => requestAnimationFrame(done));
        frames.push([canvas.toDataURL(), error.textContent]);
    }
    delete performance.now;
    return frames;
}"""
PICTURE = "(canvas) => canvas.toDataURL()"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_boundary_moves_to_that_of_the_next_rule(show, motion):
    screen = show(three_classes(mode="estimate"), (700, 700), reduced_motion=motion)
    for key, moves in (
        ("1", motion != "reduce"),
        ("6", False),
    ):  # between neighbours and a line is nothing
        before, error = screen.part("plot").evaluate(PICTURE), screen.text("sample-error")
        pictures, errors = zip(*screen.page.evaluate(FRAMES, key), strict=True)
        screen.settle()
        assert screen.page.evaluate("window.pending.size") == 0  # nothing is drawn any more
        after = screen.part("plot").evaluate(PICTURE)
        assert before != after == pictures[-1]
        assert bool(set(pictures) - {before, after}) == moves
        assert set(errors) <= {error, screen.text("sample-error")}  # those of the next rule at once
        screen.shows_what_python_computes()


def faint(screen, points):
    """How far the picture at some points is from that of the same points when none is lit."""
    colours, corner = screen.picture()
    pixels = (screen.pixel(points[:, :2]) - corner).round().astype(int)
    return colours[pixels[:, 1], pixels[:, 0]].astype(float)


def test_a_cell_lights_its_points(show):
    screen = show(three_classes(20, show_ellipses=False, show_boundary=False, show_regions=False))
    explorer, points = screen.python(), screen.points()
    decisions = explorer.classifier().predict(explorer.X)
    # Points that no handle and no other point covers.
    pixels = screen.pixel(points[:, :2])
    apart = np.linalg.norm(pixels[:, None] - pixels, axis=2)
    np.fill_diagonal(apart, np.inf)
    alone = apart.min(axis=1) > 14
    before = faint(screen, points)
    cell = screen.part("confusion").locator("tbody td").nth(4)
    cell.hover()
    screen.settle()
    own = (points[:, 2] == 1) & (decisions == 1)
    change = np.abs(faint(screen, points) - before).max(axis=1)
    assert (alone & own).sum() > 3
    assert (alone & ~own).sum() > 10
    assert (change[alone & own] == 0).all()
    assert (change[alone & ~own] > 40).all()
    screen.page.mouse.move(2, 2)
    screen.settle()
    np.testing.assert_array_equal(faint(screen, points), before)


def test_the_keyboard_lights_points_and_says_so(show):
    screen = show(three_classes(20))
    cells = screen.part("confusion").locator("tbody td")
    assert cells.evaluate_all("(cells) => cells.filter((cell) => cell.tabIndex === 0).length") == 1
    cells.nth(0).focus()
    for key in ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowRight"]:
        screen.page.keyboard.press(key)
    expect(cells.nth(7)).to_be_focused()
    count = screen.confusion()[2, 1]
    expect(screen.part("live")).to_have_text(f"Highlighted: {count} points of class 2 classified as 1.")
    lit = screen.picture()[0]
    screen.page.keyboard.press("3")  # a change of rule leaves the focus where it is
    screen.settle()
    expect(cells.nth(7)).to_be_focused()
    cells.nth(7).evaluate("(cell) => cell.blur()")
    screen.choose(rule="QDA")
    assert (screen.picture()[0] != lit).any()


def test_points_are_lit_no_longer_once_their_cell_has_gone(show):
    screen = show(three_classes(20))
    before = screen.picture()[0]
    screen.click("add-class")
    screen.part("confusion").locator("tbody td").last.focus()
    screen.page.keyboard.press("Control+z")
    screen.settle()
    screen.page.mouse.move(2, 2)
    np.testing.assert_array_equal(screen.picture()[0], before)


def test_the_cut_is_dragged_and_says_where_the_decision_changes(show):
    screen = show(BoundaryExplorer(show_cut=True), (1180, 1000))
    ends = [screen.middle(screen.page.locator(f'[data-handle="cut-{i}"]')) for i in (0, 1)]
    np.testing.assert_allclose(
        screen.place(ends[0]), screen.mean(0) - 0.7 * (screen.mean(1) - screen.mean(0)), atol=0.03
    )
    screen.drag(ends[1], [-90, 70])
    P, Q = np.array(screen.values()["cut"])
    np.testing.assert_allclose(Q, screen.place(ends[1] + [-90, 70]), atol=0.03)
    words = screen.part("cut-stage").locator("p").inner_text()
    places = re.findall(r"class (\w) from x₁ (\S+), x₂ ([−\d.]+)", words.replace(";", " ;"))
    classifier = screen.python().classifier()
    decisions = classifier.predict(P + np.linspace(0, 1, 2001)[:, None] * (Q - P))
    changes = np.flatnonzero(decisions[1:] != decisions[:-1])
    assert words.startswith(f"Class {decisions[0]} wins at P")
    assert len(places) == len(changes) >= 1
    for (name, *place), i in zip(places, changes, strict=True):
        assert name == decisions[i + 1]
        at = [float(value.rstrip(".;,").replace("−", "-")) for value in place]
        np.testing.assert_allclose(at, P + i / 2000 * (Q - P), atol=0.02)
    screen.click("undo")
    assert screen.values()["cut"] == []
    screen.click("show_cut")
    expect(screen.part("cut-card")).not_to_be_visible()
    assert screen.page.locator('[data-handle^="cut"]').count() == 0


@pytest.mark.parametrize(
    ("scheme", "width", "explorer"),
    [
        ("light", 1280, three_classes(compact=True, show_cut=True)),
        ("dark", 800, three_classes(show_cut=True, rule="kNN")),
        ("dark", 400, five_classes()),
    ],
    ids=["slide", "cut", "five"],
)
def test_axe_finds_nothing_in_a_lecture(show, scheme, width, explorer):
    screen = show(explorer, (width, 900), color_scheme=scheme)
    assert screen.faults() == []
    assert screen.barriers() == []
