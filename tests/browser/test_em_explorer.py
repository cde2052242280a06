"""The EM explorer on a saved page: half steps, starts to drag, collapse; all numbers are those of GaussianMixture."""

import numpy as np
import pytest
from playwright.sync_api import expect

from bayeslab import make_gaussian_pair
from bayeslab.explore import EMExplorer

X = make_gaussian_pair("P1b", 100, np.random.default_rng(6)).X


@pytest.fixture
def screen(show):
    return show(EMExplorer(X, X[[1, 0]]), (1100, 900))


def python(screen):
    """Python's explorer of the same values."""
    values = screen.values()
    return EMExplorer(values["points"], values["starts"], values["sizes"], step=values["step"])


def number(text):
    return float(text.replace("−", "-"))


def shows(screen, name, iteration):
    """Assert what the readouts say of an iteration; −1 is the last."""
    mixture = python(screen).mixture()
    now = mixture.history_[iteration]
    assert screen.text("Shown is the") == name
    assert number(screen.text("Log-likelihood ℓ")) == pytest.approx(now.log_likelihood * len(X), abs=6e-4)
    weights = [float(weight) for weight in screen.text("Weights λ").split(", ")]
    np.testing.assert_allclose(weights, now.weights, atol=6e-4)
    end = f"ℓ = {mixture.history_[-1].log_likelihood * len(X):.3f} after {mixture.n_iter_} iterations"
    assert screen.text("At the end") == end.replace("-", "−")


def test_half_steps_go_on_and_back(screen):
    shows(screen, "start", 0)
    grey = screen.picture("plane")[0]
    screen.click("forward")
    shows(screen, "E-step 1", 0)
    assert (screen.picture("plane")[0] != grey).any()
    screen.click("forward")
    shows(screen, "M-step 1", 1)
    assert number(screen.text("Gain in the last iteration")) > 100
    screen.click("back", "back")
    shows(screen, "start", 0)
    np.testing.assert_array_equal(screen.picture("plane")[0], grey)
    screen.click("end")
    shows(screen, "M-step 43", -1)
    screen.type("step-number", 9)
    shows(screen, "E-step 5", 4)
    screen.click("first")
    shows(screen, "start", 0)


def test_the_end_stays_the_end_while_a_start_is_dragged(screen):
    screen.click("end")
    end = screen.text("At the end")
    screen.pull("start-0", [120, -90])
    assert screen.text("At the end") != end
    shows(screen, f"M-step {python(screen).mixture().n_iter_}", -1)
    screen.page.keyboard.press("Control+z")
    screen.settle()
    np.testing.assert_array_equal(screen.values()["starts"], X[[1, 0]])
    assert screen.text("At the end") == end


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
    mixture = python(screen).mixture()
    assert 999 * 3 * mixture.n_iter_ > 4e5  # responsibilities: some frames of them
    assert screen.text("At the end").endswith(f"after {mixture.n_iter_} iterations")
    assert screen.text("Shown is the") == f"M-step {mixture.n_iter_}"
    mouse.up()


def test_buttons_that_lead_nowhere_say_so(screen):
    def off():
        return [
            name for name in ("first", "back", "forward") if screen.part(name).get_attribute("aria-disabled") == "true"
        ]

    assert off() == ["first", "back"]
    screen.click("forward")
    assert off() == []
    screen.click("end")
    assert off() == ["forward"]


def test_the_slider_ends_where_the_run_does(screen):
    for start in [0, 120]:
        screen.pull("start-0", [start, -start])
        last = 2 * python(screen).mixture().n_iter_
        assert [screen.part(f"step-{kind}").get_attribute("max") for kind in ("range", "number")] == [str(last)] * 2
        screen.type("step-number", 9999)
        assert screen.values()["step"] == last
        screen.click("first")


def test_keys_move_starts_sizes_and_the_place_on_the_curve(screen):
    screen.named("start-0").press("ArrowRight")
    assert screen.values()["starts"][0][0] > X[1, 0]
    screen.named("size-1").press("Shift+ArrowLeft")
    assert screen.values()["sizes"][1] < 1
    here = screen.named("here")
    here.press("ArrowRight")
    assert screen.values()["step"] == 1
    here.press("ArrowRight")
    assert screen.values()["step"] == 2
    screen.settle()
    shows(screen, "M-step 1", 1)
    assert here.get_attribute("aria-label").startswith("Shown is the M-step 1.")
    assert screen.named("size-1").count() == 0  # only the start has a size


def test_it_plays_to_the_end_and_pauses_where_it_is_told_to(screen):
    screen.click("play")
    expect(screen.part("Shown is the")).to_have_text("M-step 1")
    screen.click("play")
    step = screen.values()["step"]
    screen.page.wait_for_timeout(900)
    assert screen.values()["step"] == step
    screen.type("step-number", 60)
    screen.click("play")
    expect(screen.part("play")).to_have_text("Play", timeout=10_000)  # from 60 of 86 on, at the quick pace
    screen.settle()
    shows(screen, "M-step 43", -1)
    screen.click("undo")
    assert screen.values()["step"] == 60  # what was played is one step back


def test_undo_stops_what_is_played(screen):
    screen.click("forward", "play")
    expect(screen.part("Shown is the")).to_have_text("M-step 1")
    screen.click("undo")
    step = screen.values()["step"]
    screen.page.wait_for_timeout(900)
    assert screen.values()["step"] == step


def test_a_component_on_one_bird_collapses_in_words(show):
    farthest = X[np.argmax(X.sum(axis=1))]
    screen = show(EMExplorer(X, [[0, 0], farthest], [1, 0.02]))
    end = screen.text("At the end")
    assert "component 1, with 1.0 of 200 points, collapses in iteration 1" in end
    assert "raise ℓ without bound" in end
    screen.click("end")
    assert screen.text("Shown is the") == "E-step 1"
    screen.named("start-1").press("Shift+ArrowLeft")
    screen.settle()
    assert "with 1.0 of 200 points" not in screen.text("At the end")


def test_components_come_and_go_between_one_and_five(screen):
    for K in 3, 4, 5, 5:
        screen.click("more")
        assert len(screen.values()["starts"]) == len(screen.values()["sizes"]) == K
    assert screen.text("count") == "5 components"
    assert len(screen.text("Weights λ").split(", ")) == 5
    for K in 4, 3, 2, 1, 1:
        screen.click("fewer")
        assert len(screen.values()["starts"]) == K
    shows(screen, "start", 0)
    screen.click("undo")
    assert len(screen.values()["starts"]) == 2


def test_starts_at_one_place_never_part(show):
    screen = show(EMExplorer(X, [[1, 1], [1, 1]]))
    screen.click("end")
    assert screen.text("Weights λ") == "0.500, 0.500"
    assert "NaN" not in screen.text("root")
