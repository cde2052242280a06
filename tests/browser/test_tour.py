"""The tour, from the first step to the last, as a visitor takes it."""

import numpy as np
import pytest
from playwright.sync_api import expect
from readouts import mistakes_in_a_hundred

from bayeslab.explore import TourExplorer

MOVES = {1: [("mean-0", (80, -40))], 2: [("star", (190, -10))], 4: [("ring2-1", (0, 60))],
         5: [("ring1-0", (-60, -90))], 6: [("ring1-1", (-78, 60)), ("ring2-1", (-30, -42))]}  # fmt: skip
SIZE = (1280, 720)
# Whether the first hill has moved by itself after so many milliseconds of its time.
DRIFTED = """(ms) => {
    for (const animation of document.getAnimations()) { animation.pause(); animation.currentTime = ms; }
}"""


class OnTheSite(TourExplorer):
    """A tour whose page says where it leads, as the site has it."""

    def save(self, path):
        super().save(path)
        page = path.read_text("utf-8")
        path.write_text(page.replace('<p id="next">', '<p id="next"><a href="00.html">Go on</a>'), "utf-8")


def ticks(screen):
    return [text == "✓" for text in screen.page.locator(".bx-tick").all_inner_texts()]


def test_a_visitor_does_each_step_and_is_told_what_it_shows(show):
    screen = show(TourExplorer(), SIZE, reduced_motion="no-preference")
    answers = []
    for step in range(1, 8):
        assert screen.values()["step"] == step
        assert screen.text("answer") == ""
        assert ticks(screen)[step - 1] is False
        expect(screen.part("mistakes-0")).to_be_hidden()
        if step == 3:
            screen.type("blue-number", 90)
        elif step == 7:
            screen.part("again").click()
            screen.part("again").get_by_text("Pause").or_(screen.part("again").get_by_text("Pick 20 more")).wait_for()
            expect(screen.part("again")).to_have_text("Pick 20 more")
            screen.settle()
            assert "LDA is ahead" in screen.text("answer")
            assert ticks(screen)[6] is False  # the other half is to come
            screen.choose(size="80")
            assert (screen.values()["n"], screen.values()["drawn"]) == (80, 1)
            screen.part("again").click()
            expect(screen.part("again")).to_have_text("Pick 20 more", timeout=20_000)
            screen.settle()
        for handle, shift in MOVES.get(step, []):
            screen.pull(handle, shift)
        assert ticks(screen) == [True] * step + [False] * (7 - step)
        answers.append(screen.text("answer"))
        assert screen.overflow() == (0, 0)
        assert screen.faults() == []
        screen.writes_no_nonsense()
        if 1 < step < 7:
            mistakes_in_a_hundred(screen)
        if step < 7:
            screen.click("next")
    for rule, answer in zip(
        ["Gaussian", "nearest mean", "prior", "naive Bayes", "LDA", "QDA"], answers[:-1], strict=True
    ):
        assert rule in answer
    assert "QDA is ahead" in answers[-1]
    assert "One rule: name the kind whose hill is higher" in answers[-1]
    expect(screen.part("onwards")).to_have_count(0)  # no site is known
    screen.click("next")  # to the start, with all ticks
    assert screen.values()["step"] == 1
    assert all(ticks(screen))
    screen.click("undo")
    assert screen.values()["step"] == 7


def test_whoever_presses_on_passes_and_comes_back_by_the_numbers(show):
    screen = show(TourExplorer(), SIZE)
    for _ in range(3):
        screen.click("next")
    assert screen.values() == TourExplorer(4)._saved_state()
    assert ticks(screen) == [False] * 7
    screen.part("step-4").focus()
    screen.page.keyboard.press("ArrowLeft")
    screen.page.keyboard.press("Enter")
    screen.settle()
    assert screen.values()["step"] == 3
    screen.click("back", "back")
    expect(screen.part("back")).to_have_attribute("aria-disabled", "true")
    screen.part("back").press("Enter")
    assert screen.values()["step"] == 1
    assert screen.page.evaluate("document.getAnimations().length") == 0


def test_on_the_site_the_last_step_leads_on(show):
    screen = show(OnTheSite(), SIZE)
    onwards = screen.part("onwards")
    expect(onwards).to_be_hidden()
    screen.part("step-7").click()
    expect(onwards).to_have_text("Go on")
    expect(onwards).to_have_attribute("target", "_top")  # on the front page it is in a frame
    assert onwards.get_attribute("href").endswith("/00.html")
    assert screen.faults() == []


def test_with_lda_one_hill_turns_with_the_other_and_naive_bayes_stays_upright(show):
    screen = show(TourExplorer(5), SIZE)
    screen.pull("ring1-0", (-60, -90))
    one, other = screen.values()["covariances"]
    assert one == other
    screen.part("step-4").click()
    screen.pull("ring2-1", (40, -60))
    (a, b), (c, d) = screen.values()["covariances"][1]
    assert (a, b, c) == (0.81, 0, 0)
    assert d > 1.2


def test_the_first_hill_drifts_until_it_is_touched_unless_motion_is_unwanted(show):
    screen = show(TourExplorer(), SIZE)
    start, page = screen.at(0), screen.page.context.new_page()
    page.set_viewport_size(screen.page.viewport_size)
    page.goto(screen.page.url)
    middle = page.locator("[data-handle='mean-0']")
    middle.wait_for()
    page.evaluate(DRIFTED, 3000)
    page.wait_for_timeout(300)
    drifted = screen.middle(middle)
    assert 10 < np.hypot(*(drifted - start)) < 80
    page.mouse.move(*drifted)
    page.mouse.down()
    page.mouse.move(drifted[0] + 50, drifted[1], steps=3)
    page.mouse.up()
    page.wait_for_timeout(300)
    assert screen.middle(middle) - drifted == pytest.approx([50, 0], abs=2)
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    middle.wait_for()
    assert page.evaluate("document.getAnimations().length") == 0


def test_on_a_phone_a_step_and_its_answer_are_on_one_screen(show):
    screen = show(TourExplorer(6), (390, 844), has_touch=True, is_mobile=True, device_scale_factor=2)
    for handle, shift in (("ring1-1", (-34, 22)), ("ring2-1", (-13, -17))):
        screen.pull(handle, shift)
    assert ticks(screen)[5]
    assert screen.overflow() == (0, 0)
    plot, answer, way = (screen.part(name).bounding_box() for name in ("picture", "answer", "next"))
    assert plot["height"] >= 260
    assert plot["y"] + plot["height"] <= answer["y"] <= way["y"] <= 844 - way["height"]
