"""What is particular to the variance explorer: samples one after another, and who is ahead."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from readouts import errors_of_samples
from screen import Linked, sets

from bayeslab.explore import VarianceExplorer


def drawn(screen):
    return screen.values()["drawn"]


def test_it_draws_to_a_hundred_pauses_and_goes_on(show):
    screen = show(VarianceExplorer(drawn=12), (1280, 720), reduced_motion="no-preference")
    expect(screen.part("play")).to_have_text("Draw 88 more")
    screen.part("play").click()
    expect(screen.part("play")).to_have_text("Pause")
    expect(screen.part("counter")).to_have_text(re.compile(r"^(1[4-9]|[2-9]\d) of 100"))
    screen.page.keyboard.press("Space")  # with the focus on the button
    at = drawn(screen)
    assert 13 < at < 100
    screen.page.wait_for_timeout(300)
    assert drawn(screen) == at
    expect(screen.part("live")).to_contain_text(f"{at} draws. LDA: mean error")
    screen.part("play").click()
    expect(screen.part("counter")).to_have_text("100 draws")
    expect(screen.part("play")).to_have_text("Draw 100")
    expect(screen.part("live")).to_contain_text("100 draws")
    errors_of_samples(screen)
    screen.click("undo")
    assert drawn(screen) < 100


def test_nothing_is_said_while_it_draws(show):
    screen = show(VarianceExplorer(), (1280, 720), reduced_motion="no-preference")
    screen.page.evaluate(
        """() => { window.said = []; new MutationObserver(() => said.push(document.querySelector('[data-bx=live]')
            .textContent)).observe(document.querySelector('[data-bx=live]'), { childList: true }); }"""
    )
    screen.part("play").click()
    expect(screen.part("counter")).to_have_text(re.compile(r"^([5-9]|\d\d) of 100"))
    assert screen.page.evaluate("said") == []


def test_keys_step_and_play_where_nothing_else_needs_them(show):
    screen = show(VarianceExplorer(), (1280, 720), reduced_motion="no-preference")
    screen.part("second").click(position={"x": 90, "y": 30})
    screen.page.keyboard.press("ArrowRight")
    assert drawn(screen) == 2
    screen.page.keyboard.press("Space")
    expect(screen.part("counter")).to_have_text(re.compile(r"^([4-9]|\d\d) of 100"))
    screen.page.keyboard.press("ArrowRight")  # which also pauses
    at = drawn(screen)
    screen.page.wait_for_timeout(600)
    assert drawn(screen) == at
    screen.part("n-range").press("ArrowRight")
    screen.named("mean-0").press("ArrowRight")
    assert drawn(screen) == at


def test_start_again_draws_others_and_the_same_seed_the_same(show):
    screen = show(VarianceExplorer(drawn=20), (1280, 720))
    before, first = screen.picture("second")[0], screen.values()
    screen.click("start")
    assert screen.values() == first | {"seed": 1, "drawn": 1}
    screen.click("undo")
    np.testing.assert_array_equal(screen.picture("second")[0], before)
    for _ in range(3):
        screen.click("again")
    errors_of_samples(screen)


def test_with_reduced_motion_all_are_drawn_at_once(show):
    screen = show(VarianceExplorer(n=4), (1280, 720))
    screen.click("play")
    assert drawn(screen) == 100
    errors_of_samples(screen)
    screen.click("play")
    assert drawn(screen) == 200
    expect(screen.part("play")).to_have_attribute("aria-disabled", "true")
    screen.page.keyboard.press("ArrowRight")
    assert drawn(screen) == 200


def test_rules_are_chosen_swapped_and_left_alone(show):
    screen = show(VarianceExplorer(drawn=10), (1280, 720))
    expect(screen.part("rule")).to_be_hidden()
    screen.click("others")
    for part, rule, rules in [
        ("rule", "QDA", ["QDA", "LDA"]),
        ("other", "RDA", ["QDA", "RDA"]),
        ("other", "", ["QDA"]),
        ("rule", "nearest mean", ["nearest mean"]),
        ("other", "naive", ["nearest mean", "naive"]),
    ]:
        screen.part(part).select_option(rule)
        screen.settle()
        assert screen.values()["rules"] == rules
        assert screen.part("second").is_visible() == (len(rules) == 2)
        assert screen.part("shared-range").is_visible() == ("RDA" in rules)
        errors_of_samples(screen)
    screen.part("scene").select_option("round")
    assert screen.values()["means"] == [[-1, 0], [1, 0]]
    screen.settle()
    errors_of_samples(screen)
    screen.pull("mean-1", [30, 20])
    expect(screen.part("scene")).to_have_value("as given")
    box = screen.part("second").bounding_box()
    start = np.add(screen.middle(screen.named("mean-0")), [box["x"] - screen.part("first").bounding_box()["x"], 0])
    before = screen.values()["means"]
    screen.drag(start, [-25, 30])  # in the other plot
    assert np.all(np.subtract(screen.values()["means"][0], before[0]) < 0)
    errors_of_samples(screen)


def test_who_is_ahead_is_told_with_the_standard_error_of_the_same_samples(show):
    for n, seed in ((4, 0), (60, 0), (9, 2)):
        explorer = VarianceExplorer(n=n, seed=seed, drawn=40)
        lead = 100 * np.diff(explorer.errors(), axis=1)[:, 0]
        mean, error = lead.mean(), lead.std(ddof=1) / 40**0.5
        said = show(explorer, (1280, 720)).text("verdict")
        found = [float(each) for each in re.search(r"([\d.]+) ± ([\d.]+) mistakes in 100", said).groups()]
        assert found == pytest.approx([abs(mean), error], abs=0.011)
        ahead = "too close to call" if abs(mean) < 2 * error else f"{'LDA' if mean > 0 else 'QDA'} has the lower error"
        assert ahead in said


def test_all_of_it_is_on_one_screen(show):
    screen = show(Linked(VarianceExplorer(rules=("RDA", "nearest mean"), drawn=100)), (1280, 720))
    for width, height, compact in [(1280, 720, False), (1440, 900, False), (1240, 666, True), (1366, 768, True)]:
        screen.page.set_viewport_size({"width": width, "height": height})
        sets(screen, {"compact": compact})
        assert screen.overflow()[1] == 0
        assert screen.faults() == []
        for name in ("first", "second"):
            assert screen.part(name).bounding_box()["height"] > 0.48 * height
        assert screen.part("errors").is_visible()
        assert not compact or screen.small_letters() == []


def test_tab_goes_from_what_stands_above_to_what_stands_below(show):
    """Beside JupyterLab's files the settings stand above the planes, in a wide window beside them."""
    screen = show(Linked(VarianceExplorer(rules=("LDA", "QDA"), drawn=10)), (900, 720))
    for compact, order in [(True, ["again", "n-range", "mean-0"]), (False, ["again", "mean-0", "n-range"])]:
        sets(screen, {"compact": compact})
        stops = [screen.page.locator(f'[data-bx="{name}"], [data-handle="{name}"]') for name in order]
        heights = [stop.bounding_box()["y"] for stop in stops]
        assert heights == sorted(heights)
        stops[0].focus()
        reached = []
        for _ in range(30):
            screen.page.keyboard.press("Tab")
            reached.append(
                screen.page.evaluate("document.activeElement.dataset.bx ?? document.activeElement.dataset.handle")
            )
        assert reached.index(order[1]) < reached.index(order[2])


def test_on_a_phone_what_draws_stands_above_what_is_drawn(show):
    screen = show(VarianceExplorer(drawn=30), (390, 844), reduced_motion="no-preference", has_touch=True)
    draw, plane = screen.part("play").bounding_box(), screen.part("first").bounding_box()
    assert draw["y"] + draw["height"] < plane["y"]
    screen.click("play")
    expect(screen.part("counter")).to_have_text(re.compile("of 100"))
