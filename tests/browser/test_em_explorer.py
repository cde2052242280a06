"""What is particular to the EM explorer: half steps, playing, and starts that collapse."""

import numpy as np
import pytest
from playwright.sync_api import expect
from readouts import half_steps, mixture_of

from bayeslab import load_penguins, make_gaussian_pair
from bayeslab.explore import EMExplorer

X = make_gaussian_pair("P1b", 100, np.random.default_rng(6)).X
LAST = 43  # iterations from these two points


@pytest.fixture
def screen(show):
    return show(EMExplorer(X, X[[1, 0]]), (1100, 900))


def shows(screen, name):
    assert screen.text("Step shown") == name
    half_steps(screen)


def test_half_steps_go_on_and_back(screen):
    def off():
        names = ("first", "back", "forward")
        return [name for name in names if screen.part(name).get_attribute("aria-disabled") == "true"]

    shows(screen, "start")
    assert off() == ["first", "back"]
    screen.click("forward", "back")  # once something has been done, no arrows invite to it
    grey = screen.picture("plane")[0]
    screen.click("forward")
    shows(screen, "E-step 1")
    assert off() == []
    assert (screen.picture("plane")[0] != grey).any()
    screen.click("forward")
    shows(screen, "M-step 1")
    gain = np.diff([each.log_likelihood * len(X) for each in mixture_of(screen).history_[:2]])[0]
    assert float(screen.text("Gain in the last iteration")) == pytest.approx(gain, rel=1e-3)
    screen.click("back", "back")
    shows(screen, "start")
    np.testing.assert_array_equal(screen.picture("plane")[0], grey)
    screen.click("end")
    shows(screen, f"M-step {LAST}")
    assert off() == ["forward"]
    screen.type("step-number", 9)
    shows(screen, "E-step 5")
    screen.click("first")
    shows(screen, "start")


def test_the_end_stays_the_end_and_the_slider_ends_there_while_a_start_is_dragged(screen):
    screen.click("end")
    end = screen.text("At the end")
    for shift in ([120, -90], [0, 30]):
        screen.pull("start-0", shift)
        last = mixture_of(screen).n_iter_
        shows(screen, f"M-step {last}")
        assert [screen.part(f"step-{kind}").get_attribute("max") for kind in ("range", "number")] == [str(2 * last)] * 2
    assert screen.text("At the end") != end
    screen.type("step-number", 9999)
    assert screen.values()["step"] == 2 * last


def test_while_a_start_is_held_still_the_run_from_there_is_shown(show):
    """A run too long for a frame goes on from frame to frame; what it comes to is said before the start is let go."""
    middles = np.array([[0, 0], [3, 0], [0, 3]])[np.arange(999) % 3]
    points = np.random.default_rng(0).normal(middles)
    screen = show(EMExplorer(points, points[:3], step=800), (1100, 900))
    before = screen.text("At the end")
    mouse, (u, v) = screen.page.mouse, screen.middle(screen.named("start-0"))
    mouse.move(u, v)
    mouse.down()
    mouse.move(u + 120, v - 90)
    expect(screen.part("At the end")).not_to_have_text(before)
    mixture = mixture_of(screen)
    assert 999 * 3 * mixture.n_iter_ > 4e5  # responsibilities: some frames of them
    expect(screen.part("At the end")).to_contain_text(f"after {mixture.n_iter_} iterations")
    shows(screen, f"M-step {mixture.n_iter_}")
    mouse.up()


def test_keys_move_starts_sizes_and_the_place_on_the_curve(screen):
    screen.named("start-0").press("ArrowRight")
    assert screen.values()["starts"][0][0] > X[1, 0]
    screen.named("size-1").press("Shift+ArrowRight")  # inwards
    assert screen.values()["sizes"][1] < 1
    here = screen.named("here")
    for step in (1, 2):
        here.press("ArrowRight")
        assert screen.values()["step"] == step
    screen.settle()
    shows(screen, "M-step 1")
    assert here.get_attribute("aria-label").startswith("Step shown: M-step 1.")
    assert screen.named("size-1").count() == 0  # only the start has a size


def test_where_a_mean_is_now_is_as_large_as_where_it_started(show):
    screen = show(EMExplorer(X, X[[1, 0]], step=2 * LAST), (1100, 900))
    at, size = screen.meant(screen.handle(1, "start")), screen.handle(1, "start").bounding_box()["width"]
    start, now = X[0], mixture_of(screen).means_[1]
    other = screen.values()["starts"][0]
    scale = (screen.meant(screen.handle(0, "start")) - at) / (other - start)
    colours, corner = screen.picture("plane")
    u, v = np.rint(at + (now - start) * scale - corner).astype(int)
    rim = [colours[v + dv, u + du].astype(int) for du, dv in [(7, 0), (-7, 0), (0, 7), (0, -7)]]
    assert all(np.ptp(pixel) > 60 for pixel in rim)  # a disc of colour, and neither paper nor a point
    assert size == pytest.approx(24, abs=0.1)


def test_it_plays_to_the_end_and_stops_where_it_is_told_to(screen):
    play = screen.part("play")
    for stop in ("play", "undo"):
        screen.type("step-number", 1)
        screen.click("play")
        expect(screen.part("Step shown")).to_have_text("M-step 1")
        screen.click(stop)
        expect(play).to_have_text("Play")
        step = screen.values()["step"]
        screen.page.wait_for_timeout(900)  # longer than its pace
        assert screen.values()["step"] == step
    screen.type("step-number", 60)
    screen.click("play")
    expect(play).to_have_text("Play")  # from 60 of 86 on, at the quick pace
    screen.settle()
    shows(screen, f"M-step {LAST}")
    screen.click("undo")
    assert screen.values()["step"] == 60  # what was played is one step back


def test_a_component_on_one_bird_collapses_in_words(show):
    screen = show(EMExplorer(X, [[0, 0], X[np.argmax(X.sum(axis=1))]], [1, 0.02]))
    assert screen.text("At the end") == "component 1 collapses in iteration 1"
    assert screen.text("Why it collapses").startswith("with 1.0 of 200 points it ")
    assert "raise ℓ without bound" in screen.text("Why it collapses")
    screen.click("end")
    assert screen.text("Step shown") == "E-step 1"
    screen.named("start-1").press("Shift+ArrowDown")
    screen.settle()
    assert "with 1.0 of 200 points" not in screen.text("root")


def test_components_come_and_go_between_one_and_five(screen):
    for button, counts in ("more", (3, 4, 5, 5)), ("fewer", (4, 3, 2, 1, 1)):
        for K in counts:
            screen.click(button)
            assert len(screen.values()["starts"]) == len(screen.values()["sizes"]) == K
            assert len(np.unique(screen.values()["starts"], axis=0)) == K
            assert screen.text("count") == f"{K} component{'s' if K > 1 else ''}"
            assert len(screen.text("Weights π").split(", ")) == K
    shows(screen, "start")
    screen.click("undo")
    assert len(screen.values()["starts"]) == 2


def test_in_a_lecture_the_plots_stay_as_they_are_while_something_is_dragged(show):
    screen = show(EMExplorer(X, [X.mean(axis=0), [3, 3]], [0.1, 1], compact=True), (1240, 666))
    cards = screen.page.locator(".bx-cards")
    assert "collapses" not in screen.text("At the end")
    height = cards.bounding_box()["height"]
    screen.page.mouse.move(*screen.middle(screen.named("start-0")))
    screen.page.mouse.down()
    screen.page.mouse.move(1238, 2, steps=8)  # so far away that it collapses, which takes more words
    expect(screen.part("At the end")).to_contain_text("collapses")
    assert cards.evaluate("(cards) => cards.style.minHeight") == f"{height:.0f}px"
    screen.page.mouse.up()
    screen.settle()
    grown = cards.bounding_box()["height"]
    assert grown > height
    screen.click("reset")
    assert cards.bounding_box()["height"] == pytest.approx(grown, abs=0.5)


def test_an_end_below_the_best_one_meets_the_task_and_all_of_it_is_on_the_screen(show):
    X = load_penguins().select("bill length", "flipper length").X
    screen = show(EMExplorer(X, X[[5, 160, 300]]), (1280, 720))
    task = screen.page.locator("#task")
    screen.click("end")
    expect(task).not_to_have_attribute("data-met", "")
    screen.page.keyboard.press("Control+z")
    for name, shift in ("start-0", [320, 90]), ("start-2", [120, -160]), ("start-1", [120, 120]):
        screen.drag(screen.middle(screen.named(name)), shift)
    screen.click("end")
    expect(task).to_have_attribute("data-met", "")
    assert screen.overflow()[1] == 0
