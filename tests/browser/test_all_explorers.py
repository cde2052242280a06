"""What holds for every explorer: mouse, finger, keys, the way back, extremes, and a page for everybody."""

import numpy as np
import pytest
from playwright.sync_api import expect
from screen import three_classes
from test_touch import PHONE, swipe

from bayeslab import make_gaussian_pair
from bayeslab.explore import (
    ChallengeExplorer,
    CovarianceExplorer,
    EMExplorer,
    LikelihoodExplorer,
    NeighboursExplorer,
    RegularisedExplorer,
    ThresholdExplorer,
)

SHELF = make_gaussian_pair("P1a", 30, np.random.default_rng(11))

# How each is made, a handle, and the traits that it moves.
EXPLORERS = {
    "boundary": (three_classes, "mean-1", {"means", "points"}),
    "challenges": (ChallengeExplorer, "mean-1", {"means", "points"}),
    "covariance": (CovarianceExplorer, "axis-1", {"covariance"}),
    "em": (lambda: EMExplorer(SHELF.X, [[0, 0], [1, 1]]), "start-1", {"starts"}),
    "likelihood": (LikelihoodExplorer, "mean", {"mean"}),
    "neighbours": (lambda: NeighboursExplorer(SHELF, query=[0.5, 0.2]), "query", {"query"}),
    "regularised": (lambda: RegularisedExplorer(shared=0.4, shrinkage=0.4), "pair", {"shared", "shrinkage"}),
    "threshold": (ThresholdExplorer, "threshold-0", {"thresholds"}),
}
HANDS = {"mouse": {"viewport": (1100, 1000)}, "finger": {"viewport": (400, 700), **PHONE}}
every = pytest.mark.parametrize("name", EXPLORERS)


def opened(show, name, **options):
    make, handle, traits = EXPLORERS[name]
    screen = show(make(), **options)
    handle = screen.page.locator(f'[data-handle="{handle}"]')
    handle.scroll_into_view_if_needed()
    return screen, handle, traits


def changed(screen, before):
    now = screen.values()
    return {name for name in now if now[name] != before[name]}


@pytest.mark.parametrize("hand", HANDS)
@every
def test_a_handle_follows_the_hand_and_goes_back_and_forth(show, name, hand):
    screen, handle, traits = opened(show, name, **HANDS[hand])
    # Steep, so that a page that may scroll, would.
    before, start, shift = screen.values(), screen.meant(handle), np.array([-16, -40])
    scrolled, middle = screen.page.evaluate("scrollY"), screen.middle(handle)
    if hand == "mouse":
        screen.drag(middle, shift)
    else:
        swipe(screen, (middle, middle + shift))
    assert screen.page.evaluate("scrollY") == scrolled
    assert 0 < len(changed(screen, before)) <= len(traits)
    assert changed(screen, before) <= traits
    moved = screen.meant(handle) - start
    assert moved[0] == pytest.approx(-16, abs=1.5)
    if moved[1]:  # along a line it goes across only
        assert moved[1] == pytest.approx(-40, abs=1.5)
    after = screen.values()
    screen.click("undo")
    assert screen.values() == before
    expect(screen.part("undo")).to_have_attribute("aria-disabled", "true")
    screen.click("redo")
    assert screen.values() == after
    screen.click("reset")
    assert screen.values() == before


@every
def test_arrow_keys_go_on_and_back_and_are_said(show, name):
    screen, handle, traits = opened(show, name)
    before, start, ways = screen.values(), screen.meant(handle), []
    for key in ("ArrowRight", "ArrowLeft", "Shift+ArrowRight"):
        handle.press(key)
        screen.settle()
        ways.append(screen.meant(handle)[0] - start[0])
    assert changed(screen, before) <= traits
    assert ways[0] > 2
    assert ways[1] == pytest.approx(0, abs=0.1)
    assert ways[2] > 5 * ways[0]
    expect(screen.part("live")).to_contain_text(handle.get_attribute("aria-label").split(". ")[0])
    handle.press("Control+z")
    screen.settle()
    assert screen.values() == before
    expect(handle).to_be_focused()


@every
def test_escape_takes_a_drag_back(show, name):
    screen, handle, _ = opened(show, name)
    before, start = screen.values(), screen.middle(handle)
    screen.page.mouse.move(*start)
    screen.page.mouse.down()
    screen.page.mouse.move(*np.add(start, [40, -30]), steps=4)
    assert screen.values() != before
    screen.page.keyboard.press("Escape")
    screen.page.mouse.move(*np.add(start, [60, 30]), steps=2)
    screen.page.mouse.up()
    assert screen.values() == before
    expect(screen.part("undo")).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("corner", [(-2000, 2000), (2000, -2000)])
@every
def test_dragged_out_of_the_window_it_says_what_it_shows(show, name, corner):
    screen, handle, _ = opened(show, name)
    before = screen.values()
    screen.drag(screen.middle(handle), corner)
    texts = screen.text("root")
    assert not {"NaN", "undefined", "Infinity", "−Infinity"} & set(texts.replace(",", " ").split()), texts
    stage = handle.locator("xpath=ancestor::*[contains(@class, 'bx-stage')]")
    box, at = stage.locator("canvas").bounding_box(), screen.middle(handle)
    assert box["x"] <= at[0] <= box["x"] + box["width"]
    assert box["y"] <= at[1] <= box["y"] + box["height"]
    for canvas in screen.page.locator("canvas[data-bx]:visible").all():
        assert screen.n_colours(canvas.get_attribute("data-bx")) > 5
    assert screen.faults() == []
    screen.click("undo")
    assert screen.values() == before


@every
def test_groups_and_fields_have_names_of_their_own(show, name):
    root = opened(show, name)[0].part("root")
    groups = root.locator(".bx-overlay").evaluate_all(
        "(all) => all.map((e) => [e.getAttribute('aria-label'), e.childElementCount, e.checkVisibility()])"
    )
    assert all(bool(count) == seen for _, count, seen in groups)  # an empty one is a stop for nothing
    seen = [label for label, _, seen in groups if seen]
    assert len(set(seen)) == len(seen) > 0
    assert all(label.startswith("Handles ") for label in seen)
    fields = root.locator(".bx-slider input").evaluate_all("(all) => all.map((e) => e.getAttribute('aria-label'))")
    assert len(set(fields)) == len(fields)
    for slider in root.locator(".bx-slider:visible").all():
        slider.locator("label").click()
        expect(slider.locator("input[type=range]")).to_be_focused()


@pytest.mark.parametrize(("scheme", "widths"), [("light", (400, 1280)), ("dark", (800, 1600))])
@every
def test_nothing_sticks_out_and_axe_finds_nothing_serious(show, name, scheme, widths):
    screen, handle, _ = opened(show, name, color_scheme=scheme)
    screen.drag(screen.middle(handle), [24, -18])
    found = {}
    for width in widths:
        screen.page.set_viewport_size({"width": width, "height": 900})
        screen.settle()
        assert screen.part("root").evaluate("(root) => root.clientWidth") == width
        found[width] = screen.faults() + screen.barriers()
    assert not any(found.values()), found
