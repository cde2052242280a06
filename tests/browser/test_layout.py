"""The boundary explorer's page at every width and for everybody: nothing sticks out or keeps somebody out."""

from itertools import cycle

import numpy as np
import pytest
from playwright.sync_api import expect
from screen import CONTROLS, three_classes

from bayeslab import load_iris
from bayeslab.explore import BoundaryExplorer
from bayeslab.explore._bundle import styles

WIDTHS = [320, *range(380, 1600, 90), 1600]  # at 400 %, a window of 1280 has 320 pixels
TABS = ["data", "mistakes", "classes-panel", "multiples", "layers", "classes-panel"]  # more often than the others
LONG = ["A rather long class name", "Chinstrap", "wordwithoutanyspaceinit", "Ångström", "e"]


def five_classes():
    rng = np.random.default_rng(0)
    means = [[0, 0], [3, 0], [0, 3], [3, 3], [6, 1]]
    points = [[*rng.normal(mean, 1.5), k] for k, mean in enumerate(means) for _ in range(200)]
    given = {"class_names": LONG, "covariances": [np.eye(2)] * 5, "priors": [0.2] * 5, "points": points}
    return BoundaryExplorer(means=means, **given)


EXPLORERS = {
    "three": lambda: BoundaryExplorer(load_iris().select("petal length", "petal width"), side_by_side=True),
    "five": five_classes,
}


@pytest.mark.parametrize("kind", EXPLORERS)
def test_the_layout_holds_at_every_width(show, kind):
    screen = show(EXPLORERS[kind](), (WIDTHS[0], 900))
    if kind == "three":
        screen.reveal("table-table").select_option("penguins")  # its menus
        screen.click("add-class", "add-class")
    found = {}
    for width, tab in zip(WIDTHS, cycle(TABS)):
        screen.page.set_viewport_size({"width": width, "height": 900})
        screen.click(f"tab-{tab}")
        assert screen.part("root").evaluate("(root) => root.clientWidth") == width
        if faults := screen.faults():
            found[width, tab] = faults
    assert found == {}


def test_one_screen_holds_it_all_and_the_plot_most_of_it(show):
    size = (1280, 720)
    screen = show(three_classes(), size)
    assert screen.page.evaluate(CONTROLS) <= 20
    before = screen.part("plot").bounding_box()
    assert before["width"] >= size[0] / 2
    assert before["height"] >= size[1] / 2
    for tab in [*TABS, "mistakes"]:
        screen.click(f"tab-{tab}")
        assert screen.overflow()[1] == 0, tab
        assert screen.part("plot").bounding_box() == before, tab


def test_tabs_are_one_stop_with_arrows_inside_and_what_is_open_is_remembered(show):
    screen = show(three_classes())
    tabs = screen.page.get_by_role("tab")
    names = [name.removeprefix("tab-") for name in tabs.evaluate_all("(all) => all.map((tab) => tab.dataset.bx)")]
    assert screen.values()["side_by_side"] is False
    tabs.first.focus()
    for name in [*names[1:], names[0], names[1]]:
        screen.page.keyboard.press("ArrowRight")
        expect(screen.part(name)).to_be_visible()
        expect(screen.part(f"tab-{name}")).to_be_focused()
        assert tabs.evaluate_all("(all) => all.map((tab) => tab.tabIndex)").count(0) == 1
        assert [screen.part(each).is_visible() for each in names].count(True) == 1
        assert screen.values()["side_by_side"] == (name == "multiples")
    again = screen.opened(screen.page.url)
    expect(again.part(names[1])).to_be_visible()
    again.click("tab-multiples")
    again.click("undo")
    expect(again.part(names[1])).to_be_visible()
    hiding = screen.opened("#hide=classes,mistakes")
    expect(hiding.part("tab-classes-panel")).to_be_hidden()
    expect(hiding.part("data")).to_be_visible()


def test_more_closes_as_a_menu_does_and_is_not_printed(show):
    screen = show(three_classes())
    summary = screen.part("more").locator("summary").first
    for leave in [
        lambda: screen.page.keyboard.press("Escape"),
        lambda: screen.part("plot").click(position={"x": 90, "y": 90}),
        lambda: screen.part("k").evaluate("(field) => field.closest('.bx-root').querySelector('[role=tab]').focus()"),
    ]:
        summary.press("Enter")
        expect(screen.part("zoom-in")).to_be_visible()
        leave()
        expect(screen.part("zoom-in")).to_be_hidden()
    summary.press("Enter")
    screen.page.emulate_media(media="print")
    expect(summary).to_be_visible()
    expect(screen.part("zoom-in")).to_be_hidden()
    assert screen.values() == screen.opened(screen.page.url).values()


def test_on_a_phone_only_the_head_and_the_rules_stand_above_the_plot(show):
    screen = show(three_classes(), (390, 844), has_touch=True)
    plot = screen.part("plot").bounding_box()
    assert plot["y"] < 240
    assert plot["y"] + plot["height"] < 640  # the numbers below it are on the first screen as well
    for name in "undo", "mode", "sample-error":
        assert screen.part(name).bounding_box()["y"] > plot["y"] + plot["height"]


def test_a_line_says_what_to_drag_wherever_the_pointer_is_not_in_the_plot(show):
    """After a drag as well, for its terms to light up what they name."""
    screen = show(three_classes())
    hint, place = screen.part("hint"), screen.part("place")
    screen.choose(rule="LDA")
    expect(hint).to_be_visible()
    before = screen.page.evaluate("document.documentElement.scrollHeight"), screen.part("plot").bounding_box()
    screen.page.emulate_media(media="print")
    expect(hint).not_to_be_visible()
    screen.page.emulate_media(media="screen")
    expect(hint).to_be_visible()
    screen.handle(1).press("ArrowRight")
    expect(hint).to_be_visible()
    screen.drag(screen.at(1), [30, -20])
    expect(place).to_contain_text("posterior")
    expect(hint).not_to_be_visible()
    screen.page.mouse.move(5, 5)
    expect(place).to_have_text("")
    plain = screen.picture()[0]
    hint.get_by_text("boundary", exact=True).hover()
    expect(screen.part("root")).to_have_attribute("data-lit", "boundary")
    screen.settle()
    assert (screen.picture()[0] != plain).any()
    assert (screen.page.evaluate("document.documentElement.scrollHeight"), screen.part("plot").bounding_box()) == before


@pytest.mark.parametrize(("scheme", "width"), [("light", 400), ("dark", 1180)])
def test_axe_finds_nothing_serious(show, scheme, width):
    traits = {"side_by_side": True} if scheme == "light" else {"mode": "estimate", "points": []}
    screen = show(three_classes(**traits), (width, 1000), color_scheme=scheme)
    if scheme == "dark":
        screen.paste("1,2")  # a message, and no decision
    for tab in TABS[1:-1]:
        screen.click(f"tab-{tab}")
        assert screen.barriers() == []
    screen.reveal("zoom-in")
    assert screen.barriers() == []


def test_a_moving_picture_has_fewer_pixels_where_the_screen_is_fine(show):
    screen = show(three_classes(), (1180, 1000), device_scale_factor=2)
    canvas = screen.part("plot")
    sizes = "({ width, height, clientWidth, clientHeight }) => [width * height, clientWidth * clientHeight]"

    def pixels():
        """Of the canvas, after the next frame, and of CSS."""
        screen.page.evaluate("() => new Promise(requestAnimationFrame)")
        return canvas.evaluate(sizes)

    all_of_them, of_css = pixels()
    assert all_of_them == 4 * of_css > 1_000_000
    screen.page.mouse.move(*screen.at(0))
    screen.page.mouse.down()
    screen.page.mouse.move(*screen.at(0) + 20)
    assert pixels()[0] == of_css
    # Saved meanwhile, it is at its finest.
    assert (
        canvas.evaluate(f"""(canvas) => {{
        document.querySelector('[data-bx="save-picture"]').click();
        return ({sizes})(canvas)[0];
    }}""")
        == all_of_them
    )
    screen.page.mouse.move(*screen.at(0) + 20)
    assert pixels()[0] < all_of_them
    screen.page.mouse.up()
    screen.settle()
    assert pixels()[0] == all_of_them
    screen.handle(0).press("ArrowRight")  # once is no movement
    assert pixels()[0] == all_of_them


def test_what_screen_readers_hear(show):
    screen = show(three_classes())
    assert f"x₁ {screen.mean(1)[0]:.2f}".replace("-", "−")[:6] in screen.handle(1).get_attribute("aria-label")
    assert "60 points of 3 classes" in screen.part("plot").get_attribute("aria-label")
    roles = screen.page.evaluate("[...document.querySelectorAll('[aria-live], [role=status], [role=alert]')].length")
    assert roles >= 3
    head = screen.part("confusion").locator("th").all_inner_texts()
    assert [name.strip() for name in head] == 2 * ["0", "1", "2"]


@pytest.mark.parametrize(("direction", "widths"), [("row", [500, 500]), ("column", [1000, 1000])])
def test_two_explorers_share_a_box_of_ipywidgets(browser, direction, widths):
    page = browser.new_page(viewport={"width": 1000, "height": 600})
    box = f"display: flex; flex-direction: {direction}; overflow: auto"
    views = '<div><div class="bx-root"><canvas></canvas></div></div>' * 2
    page.set_content(f'<style>body {{ margin: 0 }} {styles("kit.css")}</style><div style="{box}">{views}</div>')
    roots = page.locator(".bx-root").all()
    assert [root.bounding_box()["width"] for root in roots] == widths
    assert all(root.bounding_box()["height"] > 100 for root in roots)  # a canvas has 150 pixels
    page.close()
