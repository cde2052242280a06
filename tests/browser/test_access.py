"""The saved page for everybody: keyboard, screen readers, dark mode, narrow and enlarged pages, reduced motion."""

import numpy as np
import pytest
from screen import three_classes

from bayeslab.explore import BoundaryExplorer


def test_tab_reaches_every_handle_and_control(show):
    screen = show(three_classes())
    screen.page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    name = "(e) => e.dataset.handle ?? e.dataset.bx ?? e.outerHTML"
    # A group of radio buttons is one stop, the checked one.
    kinds = "button, input, select, textarea, [tabindex='0']"
    expected = screen.page.evaluate(f"""() => [...document.querySelectorAll("{kinds}")]
        .filter((e) => e.checkVisibility() && !e.disabled && (e.type !== "radio" || e.checked)).map({name})""")
    assert {f"{kind}-{k}" for k in range(3) for kind in ("mean", "axis1", "axis2")} < set(expected)
    reached = []
    for _ in range(len(expected) + 2):  # and the two summaries
        screen.page.keyboard.press("Tab")
        reached.append(screen.page.evaluate(f"({name})(document.activeElement)"))
    assert set(expected) <= set(reached)


def test_a_focused_control_can_be_seen(show):
    screen = show(three_classes())
    for _ in range(25):
        screen.page.keyboard.press("Tab")
        outline = screen.page.evaluate("""() => { const e = document.activeElement;
            const shown = e.matches(".bx-switch input") ? e.nextElementSibling : e, style = getComputedStyle(shown);
            return [style.outlineStyle, parseFloat(style.outlineWidth)]; }""")
        assert outline[0] != "none"
        assert outline[1] >= 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1180, 400])
def test_axe_finds_nothing_serious(show, scheme, width):
    two = show(BoundaryExplorer(), (width, 1000), color_scheme=scheme)
    many = show(three_classes(side_by_side=True), (width, 1000), color_scheme=scheme)
    many.part("csv-open").click()
    many.page.get_by_text("How it works").click()
    bare = show(three_classes(mode="estimate", points=[]), (width, 1000), color_scheme=scheme)
    bare.paste("1,2")  # a message, and no decision
    for screen in (two, many, bare):
        assert screen.barriers() == []


def test_dark_and_light_follow_the_system(show):
    screen = show(three_classes(), color_scheme="dark")

    def brightness():
        corner = screen.picture()[0][2, 2].mean()
        page = screen.page.evaluate("getComputedStyle(document.querySelector('.bx-root')).backgroundColor")
        return corner, page

    dark, page = brightness()
    assert dark < 60
    screen.page.emulate_media(color_scheme="light")
    screen.settle()
    light, other = brightness()
    assert light > 240
    assert other != page


@pytest.mark.parametrize(
    ("viewport", "ratio"), [((400, 800), 3), ((640, 512), 2), ((320, 640), 1)], ids=["phone", "200 %", "400 %"]
)
def test_narrow_and_enlarged_pages_do_not_scroll_sideways(show, viewport, ratio):
    """The browser's zoom of 200 % halves the CSS pixels of a window: 1280 × 1024 becomes 640 × 512."""
    screen = show(three_classes(side_by_side=True), viewport, device_scale_factor=ratio)
    screen.click("add-class", "add-class")
    screen.part("csv-open").click()
    screen.part("dataset").select_option("penguins")
    screen.settle()
    wide, view = screen.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= view
    outside = screen.page.evaluate("""() => [...document.querySelector(".bx-root").querySelectorAll("*")]
        .filter((e) => e.matches("button, input, select, p, canvas") && e.checkVisibility()
            && !e.closest(".bx-scroll, .bx-overlay, .bx-switch")
            && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML)""")
    assert outside == []
    screen.page.evaluate("scrollTo(0, 0)")
    screen.handle(0).scroll_into_view_if_needed()
    before = screen.at(0)
    screen.drag(before, [20, 10])
    np.testing.assert_allclose(screen.at(0) - before, [20, 10], atol=1)


def test_with_reduced_motion_nothing_moves_by_itself(show):
    screen = show(three_classes(), reduced_motion="reduce")
    screen.drag(screen.at(0), [30, 20])
    screen.click("side_by_side")
    assert screen.page.evaluate("document.getAnimations().length") == 0
    first = screen.picture()[0]
    screen.settle()
    np.testing.assert_array_equal(screen.picture()[0], first)


def test_what_screen_readers_hear(show):
    screen = show(three_classes())
    screen.settle()
    assert f"x₁ {screen.mean(1)[0]:.2f}".replace("-", "−")[:6] in screen.handle(1).get_attribute("aria-label")
    assert "60 points of 3 classes" in screen.part("plot").get_attribute("aria-label")
    roles = screen.page.evaluate("[...document.querySelectorAll('[aria-live], [role=status], [role=alert]')].length")
    assert roles >= 3
    head = screen.part("confusion").locator("th").all_inner_texts()
    assert [name.strip() for name in head] == 2 * ["0", "1", "2"]
