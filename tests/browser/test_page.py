"""A saved page without Python and network: what is dragged moves, and all that is shown is what Python computes."""

import numpy as np
import pytest
from playwright.sync_api import expect
from screen import COLOURS, RULES, three_classes

from bayeslab import make_three_classes
from bayeslab.explore import BoundaryExplorer
from bayeslab.plotting import COLORS

LAYERS = ["show_regions", "show_posterior", "show_boundary", "show_ellipses", "show_contours"]


@pytest.mark.parametrize("lack", ["JavaScript", "DecompressionStream"])
def test_a_page_that_cannot_begin_says_what_it_needs(browser, tmp_path, lack):
    three_classes().save(tmp_path / "page.html")
    context = browser.new_context(java_script_enabled=lack != "JavaScript")
    context.add_init_script("delete window.DecompressionStream")
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    expect(page.get_by_text("This page needs JavaScript")).to_be_visible()
    context.close()


@pytest.mark.parametrize("kind", ["axis1", "axis2"])
def test_an_axis_handle_stretches_and_turns_its_ellipse(show, kind):
    screen = show(three_classes())
    mean, before = screen.mean(0), np.array(screen.values()["covariances"][0])
    outward = screen.at(0, kind) - screen.at(0)
    across = outward[::-1] * [1, -1]
    screen.drag(screen.at(0, kind), 0.5 * outward + 0.5 * across)
    after = np.array(screen.values()["covariances"][0])
    np.testing.assert_array_equal(screen.mean(0), mean)
    units = np.diag(1 / np.abs(screen.units()))
    # In pixels: the length of one semi-axis grows as it was pulled, the other stays; the product is the root of |Σ|.
    grown = np.sqrt(np.linalg.det(units @ after @ units) / np.linalg.det(units @ before @ units))
    assert grown == pytest.approx(np.hypot(1.5, 0.5), rel=0.02)
    start = after
    screen.handle(0, kind).press("Shift+ArrowUp")
    assert not np.allclose(screen.values()["covariances"][0], start)
    screen.settle()
    screen.shows_what_python_computes()


def test_a_pen_drags(show):
    screen = show(three_classes(), has_touch=True)
    before, start, units = screen.mean(0), screen.at(0), screen.units()
    session = screen.page.context.new_cdp_session(screen.page)
    pen = {"button": "left", "buttons": 1, "clickCount": 1, "pointerType": "pen"}
    for kind, share in ("mousePressed", 0), ("mouseMoved", 0.5), ("mouseMoved", 1), ("mouseReleased", 1):
        x, y = start + share * np.array([40, 30])
        session.send("Input.dispatchMouseEvent", pen | {"type": kind, "x": float(x), "y": float(y)})
    session.detach()
    screen.settle()
    np.testing.assert_allclose(screen.mean(0) - before, units * [40, 30], atol=2 * np.abs(units).max())


def test_regions_and_readouts_of_every_rule_are_pythons(show):
    screen = show(three_classes(40, mode="estimate"), (1400, 1000))
    screen.click("show_boundary", "show_ellipses")
    classes = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in COLORS[:3]])
    for rule in RULES:
        screen.choose(rule=rule)
        screen.shows_what_python_computes()
        colours, corner = screen.picture()
        grid = np.array([[x, y] for x in range(120, 540, 20) for y in range(60, 440, 20)])  # pixels of the canvas
        near = np.abs(screen.pixel(screen.points()[:, :2]) - corner - grid[:, None]).max(axis=2) < 12
        grid = grid[~near.any(axis=1)]
        # The hue on the screen is that of the class, mixed with white.
        hue = 255.0 - colours[grid[:, 1], grid[:, 0]]
        own = 255.0 - classes
        cosine = hue @ own.T / np.linalg.norm(hue, axis=1)[:, None] / np.linalg.norm(own, axis=1)
        decided = screen.python().classifier().predict_proba(screen.place(grid + corner))
        least = 0.5 if rule == "kNN" else 0.05  # within a cell, one of its votes can change
        sure = np.sort(decided)[:, -1] - np.sort(decided)[:, -2] > least
        assert sure.sum() > 100
        np.testing.assert_array_equal(cosine.argmax(axis=1)[sure], decided.argmax(axis=1)[sure], err_msg=rule)


def test_every_layer_changes_the_picture_and_back(show):
    screen = show(three_classes())
    screen.click(LAYERS[0], LAYERS[0])  # once something has been done, no arrows invite to it
    before, _ = screen.picture()
    for layer in LAYERS:
        shown = screen.values()[layer]
        screen.click(layer)
        assert screen.values()[layer] is not shown
        assert (screen.picture()[0] != before).any(), layer
        screen.click(layer)
        np.testing.assert_array_equal(screen.picture()[0], before, err_msg=layer)


def test_all_rules_side_by_side(show):
    screen = show(three_classes())
    screen.click("tab-multiples")
    for rule in RULES:
        small = screen.part(f"multiple-{rule}")
        assert small.locator("canvas").evaluate(COLOURS) > 20, rule
        small.click()
        screen.settle()
        assert screen.values()["rule"] == rule
        assert screen.text("sample-error").split(" (")[0] in small.inner_text()


def test_a_gaussian_rule_is_one_line(show):
    class WithOneMore(BoundaryExplorer):
        line = '"RDA, naive": { "covariance": "diagonal", "shared": null },\n  "QDA": {'
        _esm = BoundaryExplorer._esm.replace('"QDA": {', line, 1)

    screen = show(WithOneMore(make_three_classes(20, np.random.default_rng(0)), shared=0.25), (900, 1000))
    expect(screen.part("between")).to_be_hidden()
    screen.choose(rule="RDA, naive")
    expect(screen.part("between")).to_be_visible()
    assert screen.text("title") == "RDA, naive, 0.25 shared"
    screen.choose(rule="QDA")
    expect(screen.part("between")).to_be_hidden()
    screen.click("tab-multiples")
    expect(screen.part("between")).to_be_visible()
    expect(screen.part("multiples").locator("button")).to_have_count(len(RULES) + 1)
    assert screen.faults() == []


def test_the_window_moves_and_zooms_but_the_numbers_stay(show):
    screen = show(three_classes())
    values, first, readout = screen.values(), screen.picture()[0], screen.text("bayes-error")
    screen.click("zoom-out", "zoom-in", "zoom-in")
    corner = np.add(screen.middle(screen.part("plot")), 150)
    screen.drag(corner, [-30, -20])
    assert (screen.picture()[0] != first).any()
    screen.click("fit")
    np.testing.assert_array_equal(screen.picture()[0], first)
    assert screen.values() == values
    assert screen.text("bayes-error") == readout
