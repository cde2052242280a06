"""Challenges on a saved page: not met at the start, met by hand or by keys, ticked, and begun again."""

import pytest
from playwright.sync_api import expect
from sharing import copied, open_link

from bayeslab.explore import ChallengeExplorer


def widen_a(screen, release=True):
    """Make A much wider than B in both directions: the boundary closes to an ellipse."""
    for kind in ("axis1", "axis2"):
        outward = screen.at(0, kind) - screen.at(0)
        screen.page.mouse.move(*screen.at(0, kind))
        screen.page.mouse.down()
        screen.page.mouse.move(*(screen.at(0, kind) + 1.2 * outward), steps=8)
        if release or kind == "axis1":
            screen.page.mouse.up()
        screen.settle()


def test_a_challenge_is_met_by_dragging_once_the_hand_lets_go(show):
    screen = show(ChallengeExplorer("ellipse"))
    expect(screen.part("kind")).to_have_text("Boundary: hyperbola")
    assert screen.text("met") == ""
    widen_a(screen, release=False)
    expect(screen.part("kind")).to_have_text("Boundary: ellipse")
    assert screen.text("met") == ""  # what is passed on the way does not count
    screen.page.mouse.up()
    expect(screen.part("met")).to_have_text("✓ Surrounded: you have done it.")
    assert screen.part("met").get_attribute("role") == "status"


def test_a_challenge_is_met_by_keys_and_ticked_in_the_list(show):
    screen = show(ChallengeExplorer())
    options = screen.part("challenge").locator("option")
    assert len(options.all()) == len(ChallengeExplorer.names) >= 20
    screen.part("challenge").select_option("parabola")
    screen.settle()
    expect(screen.part("kind")).to_have_text("Boundary: line")
    assert screen.text("met") == ""
    screen.handle(1, "axis2").press("Shift+ArrowUp")
    expect(screen.part("kind")).to_have_text("Boundary: parabola")
    expect(screen.part("met")).to_contain_text(f"1 of {len(ChallengeExplorer.names)} challenges done")
    ticked = [text.startswith("✓") for text in options.all_inner_texts()]
    assert [name for name, tick in zip(ChallengeExplorer.names, ticked, strict=True) if tick] == ["parabola"]
    screen.click("reset")  # to the start of this one; the tick stays
    expect(screen.part("kind")).to_have_text("Boundary: line")
    expect(screen.part("met")).to_contain_text("you have done it")
    screen.click("next-challenge")
    expect(screen.part("kind")).to_have_text("Boundary: hyperbola")
    assert screen.text("met") == ""
    screen.click("undo")
    assert screen.part("challenge").input_value() == "parabola"


def test_what_must_stay_must_stay(show):
    screen = show(ChallengeExplorer("line"))
    start = screen.mean(1)
    screen.handle(1).press("ArrowUp")
    screen.choose(rule="LDA")
    expect(screen.part("kind")).to_have_text("Boundary: line")
    screen.settle()
    assert screen.text("met") == ""
    screen.handle(1).press("ArrowDown")
    assert screen.mean(1) == pytest.approx(start, abs=1e-12)
    expect(screen.part("met")).to_contain_text("you have done it")


def test_the_hint_comes_on_demand_and_goes_with_its_challenge(show):
    screen = show(ChallengeExplorer())
    hint = screen.part("challenge-hint")
    expect(hint).to_be_hidden()
    screen.page.get_by_text("A hint").click()
    expect(hint).to_be_visible()
    screen.click("next-challenge")
    expect(hint).to_be_hidden()


def test_link_and_code_lead_to_the_challenge_on_the_screen(show):
    screen = show(ChallengeExplorer())
    screen.click("next-challenge")
    assert screen.part("challenge").input_value() == "ellipse"
    screen.drag(screen.at(1), [20, 10])
    link = copied(screen, "copy-link")
    assert "current=ellipse" in link
    other = open_link(screen, link)
    assert other.values() == screen.values()
    assert other.part("challenge").input_value() == "ellipse"
    assert other.text("task") == screen.text("task")
    names = {}
    exec(copied(screen, "copy-python"), names)
    made = names["explorer"]
    assert (made.challenge, made.current) == ("all", "ellipse")
    again = show(made)
    assert (again.part("challenge").input_value(), *again.mean(1)) == ("ellipse", *screen.mean(1))
    assert len(again.part("challenge").locator("option").all()) == len(ChallengeExplorer.names)


def test_a_link_chooses_one_challenge_and_none_that_there_is_not(show):
    screen = show(ChallengeExplorer())
    first = screen.text("task")
    one = open_link(screen, f"{screen.page.url}#challenge=ellipse")
    assert one.text("task") != first
    expect(one.part("challenge")).to_have_count(0)  # there is nothing to choose
    for fragment, why in {"current=nonsense": "is none of", "challenge=ellipse&current=line": "go together"}.items():
        wrong = open_link(screen, f"{screen.page.url}#{fragment}")
        assert why in wrong.text("share-note")
        assert wrong.text("task") == first


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1180, 400])
def test_axe_finds_nothing_serious(show, scheme, width):
    screen = show(ChallengeExplorer(), (width, 1000), color_scheme=scheme)
    screen.choose(rule="LDA")
    expect(screen.part("met")).to_contain_text("you have done it")
    screen.page.get_by_text("A hint").click()
    assert screen.barriers() == []


@pytest.mark.parametrize("width", [400, 800, 1600])
def test_nothing_sticks_out(show, width):
    screen = show(ChallengeExplorer(), (width, 1000))
    screen.part("challenge").select_option("squeezed-out")
    screen.settle()
    assert screen.faults() == []


def test_compact_fits_a_slide_with_task_rules_and_priors(show):
    screen = show(ChallengeExplorer("tenth", compact=True), (1280, 720))
    assert screen.page.evaluate("document.documentElement.scrollHeight") <= 720
    assert screen.faults() == []
    for name in "task", "rule", "mode", "prior-range-0", "plot":
        box = screen.part(name).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720
    assert screen.part("plot").bounding_box()["height"] > 500
