"""Challenges on a saved page: met by hand or by keys, ticked, hinted at, and linked to."""

import re

import pytest
from playwright.sync_api import expect
from screen import CONTROLS

from bayeslab import Gaussian, error_of
from bayeslab.explore import ChallengeExplorer

PLACE_ON_PAGE = """(part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [x + scrollX, y + scrollY, width, height].map(Math.round);
}"""


def current(screen):
    """Name of the challenge that the strip marks as the one on the screen."""
    return screen.page.locator('.bx-tick[aria-current="true"]').get_attribute("data-bx").removeprefix("challenge-")


def test_a_challenge_is_met_once_the_hand_lets_go(show):
    screen = show(ChallengeExplorer("ellipse"))
    expect(screen.part("kind")).to_have_text("Boundary: hyperbola")
    for kind in ("axis1", "axis2"):  # much wider than B in both directions: the boundary closes to an ellipse
        assert screen.text("met") == ""
        outward = screen.at(0, kind) - screen.at(0)
        screen.page.mouse.move(*screen.at(0, kind))
        screen.page.mouse.down()
        screen.page.mouse.move(*(screen.at(0, kind) + 1.2 * outward), steps=8)
        screen.settle()
        if kind == "axis2":
            expect(screen.part("kind")).to_have_text("Boundary: ellipse")
            assert screen.text("met") == ""  # what is passed on the way does not count
        screen.page.mouse.up()
        screen.settle()
    expect(screen.part("met")).to_have_text("✓ You have done it.")
    assert screen.part("met").get_attribute("role") == "status"


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
@pytest.mark.parametrize("name", ["line", "tenth"])  # without a gauge, and with one
def test_what_the_card_says_moves_nothing(show, size, name):
    screen = show(ChallengeExplorer(), size)
    if size[0] < 740:
        screen.click("challenges")
    screen.click(f"challenge-{name}")

    def places():
        parts = (
            screen.part("task").locator("xpath=.."),
            screen.part("plot"),
            screen.part("rule"),
            screen.part("readouts"),
        )
        return [part.evaluate(PLACE_ON_PAGE) for part in parts]

    before = places()
    if name == "line":
        screen.handle(0).press("ArrowUp")
        expect(screen.part("reminder")).to_contain_text("must not change")
        assert places() == before
        two = "Undo: the ellipses and points must not change."
        screen.part("reminder").evaluate("(line, text) => { line.textContent = text; }", two)
        assert places() == before
        screen.click("undo")
        screen.choose(rule="LDA")
    else:
        one, _ = screen.at(1) - screen.at(0)
        screen.drag(screen.at(1), [1.56 * one, 0])
    expect(screen.part("met")).to_contain_text("You have done it")
    assert places() == before


def test_a_challenge_is_met_by_keys_and_ticked_in_the_list(show):
    screen, names = show(ChallengeExplorer()), list(ChallengeExplorer.names)
    ticks = screen.page.locator(".bx-tick")
    assert len(ticks.all()) == len(names) >= 20
    assert ticks.evaluate_all("(all) => all.filter((tick) => tick.tabIndex === 0).length") == 1
    ticks.first.focus()
    for key in ["ArrowRight"] * names.index("parabola") + ["End", "Home", "ArrowLeft", "ArrowRight"]:
        screen.page.keyboard.press(key)
    expect(ticks.first).to_be_focused()
    screen.click("challenge-parabola")
    expect(screen.part("kind")).to_have_text("Boundary: line")
    assert screen.text("met") == ""
    hint = screen.part("challenge-hint")
    expect(hint).to_be_hidden()  # it waits to be asked for
    screen.click("help")
    expect(hint).to_be_visible()
    screen.handle(1, "axis2").press("Shift+ArrowUp")
    expect(screen.part("kind")).to_have_text("Boundary: parabola")
    expect(screen.part("met")).to_contain_text(f"You have done it: 1 of {len(names)} challenges")
    assert screen.barriers() == []
    ticked = [text == "✓" for text in ticks.all_inner_texts()]
    assert [name for name, tick in zip(names, ticked, strict=True) if tick] == ["parabola"]
    expect(screen.part("challenge-parabola")).to_have_attribute("aria-label", re.compile(r"\d+ .+, done"))
    screen.click("reset")  # to the start of this one; the tick stays
    expect(screen.part("kind")).to_have_text("Boundary: line")
    expect(screen.part("met")).to_contain_text("You have done it")
    screen.click("next-challenge")
    assert current(screen) == names[names.index("parabola") + 1]
    assert screen.text("met") == ""
    expect(hint).to_be_hidden()
    screen.click("undo")
    assert current(screen) == "parabola"


def test_ticks_are_kept_by_the_browser(show):
    screen, names = show(ChallengeExplorer(done=["coin"])), list(ChallengeExplorer.names)
    screen.click("challenge-parabola")
    screen.handle(1, "axis2").press("Shift+ArrowUp")
    expect(screen.part("met")).to_contain_text(f"You have done it: 1 of {len(names)} challenges")
    again = screen.opened(screen.page.url)
    expect(again.part("challenge-parabola")).to_have_text("✓")
    expect(again.page.locator(".bx-tick[data-met]")).to_have_count(1)
    assert current(again) == "line"  # the first without a tick
    again.choose(rule="LDA")
    expect(again.part("met")).to_contain_text("You have done it: 2 of")
    assert current(screen.opened(screen.page.url)) == "ellipse"
    assert current(screen.opened("#hide=mode")) == "line"  # a link begins where it did for whoever sent it
    again.page.evaluate(
        "localStorage.setItem('bayeslab challenges', 'none,such')"
    )  # as something else may have left it
    fresh = screen.opened(screen.page.url)
    expect(fresh.page.locator(".bx-tick[data-met]")).to_have_count(0)


def test_what_must_stay_must_stay(show):
    screen = show(ChallengeExplorer("line"))
    start = screen.mean(1)
    screen.drag(screen.at(1), [40, 30])  # the pointer takes hold of nothing that must stay
    assert (screen.mean(1) == start).all()
    screen.handle(1).press("ArrowUp")
    screen.choose(rule="LDA")
    expect(screen.part("kind")).to_have_text("Boundary: line")
    expect(screen.part("reminder")).to_have_text("Undo: the means must not change.")
    assert screen.text("met") == ""
    screen.handle(1).press("ArrowDown")
    expect(screen.part("reminder")).to_have_text("")
    assert screen.mean(1) == pytest.approx(start, abs=1e-12)
    expect(screen.part("met")).to_contain_text("You have done it")


def test_link_and_code_lead_to_the_challenge_on_the_screen(show):
    screen = show(ChallengeExplorer())
    screen.click("next-challenge")
    screen.drag(screen.at(1), [20, 10])
    link = screen.copied("copy-link")
    assert "current=ellipse" in link
    other = screen.opened(link)
    assert current(other) == "ellipse"
    assert other.text("task") == screen.text("task")
    names = {}
    exec(screen.copied("copy-python"), names)
    again = show(names["explorer"])
    assert (current(again), *again.mean(1)) == ("ellipse", *screen.mean(1))
    assert len(again.page.locator(".bx-tick").all()) == len(ChallengeExplorer.names)
    one = screen.opened("#challenge=ellipse")
    assert one.text("task") == screen.text("task")
    expect(one.page.locator(".bx-tick")).to_have_count(0)  # there is nothing to choose
    expect(one.part("next-challenge")).to_have_count(0)
    why = "This link cannot be used: there is no challenge “nonsense”. The page is shown as it was saved."
    assert screen.opened("#challenge=nonsense").text("share-note") == why


def test_compact_fits_a_slide_with_task_rules_and_priors(show):
    screen = show(ChallengeExplorer("tenth", compact=True), (1280, 720))
    assert screen.overflow()[1] == 0
    assert screen.faults() == []
    for name in "task", "rule", "mode", "prior-range-0", "plot":
        box = screen.part(name).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720
    assert screen.part("plot").bounding_box()["height"] > 500


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_task_plot_and_error_are_above_the_fold(show, size):
    screen = show(ChallengeExplorer("third"), size)
    assert screen.overflow()[1] == 0
    for name in "task", "gauge", "plot", "true-error", "rule":
        box = screen.part(name).bounding_box()
        assert box["y"] + box["height"] <= size[1], name
    assert screen.faults() == []
    assert screen.page.evaluate(CONTROLS) - screen.page.locator(".bx-tick").count() <= 20


def test_what_is_seldom_needed_stands_in_the_menu_and_keys_reach_it(show):
    screen = show(ChallengeExplorer("third"), (1280, 720))
    start = screen.mean(1)
    screen.handle(1).press("Shift+ArrowUp")
    screen.click("undo")
    expect(screen.part("redo")).to_be_hidden()
    screen.part("more").locator("summary").first.press("Enter")
    for name in ("zoom-out", "zoom-in", "fit", "redo"):
        screen.page.keyboard.press("Tab")
        expect(screen.part(name)).to_be_focused()
    screen.page.keyboard.press("Enter")
    assert screen.mean(1)[1] > start[1]


def test_a_table_of_mistakes_without_points_is_no_stop_for_tab(show):
    screen = show(ChallengeExplorer("line"))
    stops = []
    for _ in range(2):
        screen.click("tab-mistakes")
        screen.page.keyboard.press("Tab")
        stops.append(screen.part("mistakes").evaluate("(panel) => panel.contains(document.activeElement)"))
        screen.click("draw")
    assert stops == [False, True]


def test_the_gauge_says_how_far_it_is_and_in_a_curve_there_is_none(show):
    screen = show(ChallengeExplorer())
    expect(screen.part("gauge")).to_be_hidden()
    screen.click("challenge-tenth")
    screen.drag(screen.at(1), [40, 0])
    explorer = screen.python()
    densities = [Gaussian(*pair) for pair in zip(explorer.means, explorer.covariances, strict=True)]
    error = error_of(explorer.classifier(), densities, explorer.priors).value
    shown, points = re.findall(r"([\d.]+)(?=\s%| points too high)", screen.text("gauge"))
    assert float(shown) == pytest.approx(100 * error, abs=0.06)
    assert float(points) == pytest.approx(100 * error - 11, rel=0.06)
    left = screen.page.locator(".bx-mark").bounding_box()["x"]
    assert left > screen.page.locator(".bx-target").bounding_box()["x"] + 20


def test_on_a_phone_task_error_rules_and_plot_share_the_first_screen_with_one_button_for_all_challenges(show):
    screen = show(ChallengeExplorer(), (390, 844), has_touch=True)
    tick = screen.part("challenge-third")
    expect(tick).to_be_hidden()
    screen.click("challenges")
    assert min(tick.bounding_box()[side] for side in ("width", "height")) >= 44
    assert screen.barriers() == []
    screen.click("challenge-third")
    expect(tick).to_be_hidden()
    names = ("task", "gauge", "rule", "plot")  # the gauge says what the error is
    boxes = [screen.part(name).bounding_box() for name in names]
    assert [box["y"] for box in boxes] == sorted(box["y"] for box in boxes)
    assert boxes[-1]["y"] + boxes[-1]["height"] <= 844
    assert screen.faults() == []
