"""The threshold explorer on a saved page: drag, keys, history, extremes, and areas that are SciPy's."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from scipy.stats import norm
from screen import Linked, number, sets

from bayeslab import Gaussian, QuadraticSurface
from bayeslab.explore import ThresholdExplorer


def threshold_explorer(**traits):
    return ThresholdExplorer([Gaussian(0, 1), Gaussian(3, 2.25)], **{"priors": [0.6, 0.4], "costs": [1, 5]} | traits)


@pytest.fixture
def thresholds(show):
    return show(threshold_explorer(), (1100, 900))


def shows_areas_of_scipy(screen):
    state = {name: np.array(screen.values()[name]) for name in ("means", "deviations", "priors", "costs", "thresholds")}
    left = norm.cdf(state["thresholds"], state["means"], state["deviations"])
    lost = state["priors"] * [1 - left[0], left[1]]
    assert number(screen.text("Error")) == pytest.approx(100 * lost.sum(), rel=1e-3)
    assert number(screen.text("Average cost")) == pytest.approx(lost @ state["costs"], rel=1e-3)
    for name, share in zip("AB", lost, strict=True):
        assert number(screen.text(f"{name} mistaken for another")) == pytest.approx(100 * share, rel=1e-3)
    for name, *curve in zip("AB", state["means"], state["deviations"], strict=True):
        shown = screen.text(f"Mean and standard deviation of {name}").split(" and ")
        assert [number(text) for text in shown] == pytest.approx(curve, rel=1e-3)


def test_a_threshold_is_dragged_on_either_plot(thresholds):
    assert thresholds.n_colours("line") > 10
    (before,), units = thresholds.values()["thresholds"], []
    for name in ("threshold-0", "cost-at-0"):
        thresholds.pull(name, [40, 25])
        (after,) = thresholds.values()["thresholds"]
        units.append((after - before) / 40)
        before = after
        shows_areas_of_scipy(thresholds)
    assert units[0] == pytest.approx(units[1], rel=0.02)
    assert units[0] > 0.01


@pytest.mark.parametrize(("name", "trait"), [("mean-1", "means"), ("deviation-1", "deviations")])
def test_means_and_deviations_are_dragged_along_the_axis(thresholds, name, trait):
    before = thresholds.values()
    thresholds.pull(name, [30, -40])
    after = thresholds.values()
    assert after[trait][1] > before[trait][1] + 0.1
    assert after[trait][0] == before[trait][0]
    unchanged = {"means", "deviations", "priors", "thresholds", "costs"} - {trait}
    assert all(after[other] == before[other] for other in unchanged)
    shows_areas_of_scipy(thresholds)


def test_priors_sum_to_one_and_costs_move_the_cheapest_threshold(thresholds):
    cheapest = thresholds.text("Cheapest threshold")
    thresholds.type("prior-0-number", 0.9)
    np.testing.assert_allclose(thresholds.values()["priors"], [0.9, 0.1])
    thresholds.type("cost-1-number", 45)
    thresholds.settle()
    assert thresholds.values()["costs"] == [1, 45]
    shows_areas_of_scipy(thresholds)
    # 0.9 × 1 : 0.1 × 45 is 1 : 5, where 0.6 × 1 : 0.4 × 5 was 1.5 : 5.
    weights = np.array([0.9, 4.5])
    z = (number(thresholds.text("Cheapest threshold").removeprefix("A up to ")) - np.array([0, 3])) / [1, 1.5]
    np.testing.assert_allclose(*(weights * norm.pdf(z) / [1, 1.5]), rtol=2e-3)
    assert thresholds.text("Cheapest threshold") != cheapest


def test_sliders_have_the_names_of_the_classes_and_hold_any_cost(show):
    screen = show(Linked(threshold_explorer(costs=[1, 500])), (1100, 900))
    screen.page.get_by_label("Cost of a mistake about B").first.press("ArrowLeft")
    assert screen.values()["costs"] == [1, 499]
    sets(screen, {"class_names": ["sick", "well"]})
    assert screen.page.get_by_label("Prior of sick").count() == 2
    assert "Prior of well" in screen.text("root")
    assert screen.page.get_by_label("Cost of a mistake about B").count() == 0


def test_keys_escape_and_history(thresholds):
    start = thresholds.values()["thresholds"]
    threshold = thresholds.named("threshold-0")
    threshold.focus()
    for key in ("ArrowRight", "Shift+ArrowRight", "ArrowUp"):
        thresholds.page.keyboard.press(key)
    moved = thresholds.values()["thresholds"]
    assert moved[0] > start[0]
    expect(thresholds.part("live")).to_contain_text("Threshold at")
    thresholds.page.keyboard.press("Control+z")
    assert thresholds.values()["thresholds"] == start
    thresholds.page.keyboard.press("Control+Shift+Z")
    assert thresholds.values()["thresholds"] == moved
    thresholds.page.mouse.move(*thresholds.middle(thresholds.named("mean-0")))
    thresholds.page.mouse.down()
    thresholds.page.mouse.move(300, 300, steps=4)
    assert thresholds.values()["means"][0] != 0
    thresholds.page.keyboard.press("Escape")
    thresholds.page.mouse.up()
    assert thresholds.values()["means"][0] == 0
    thresholds.click("reset")
    assert thresholds.values()["thresholds"] == start
    thresholds.click("undo")
    assert thresholds.values()["thresholds"] == moved


def test_three_thresholds_never_change_their_order(show):
    screen = show(ThresholdExplorer([Gaussian(0, 1), Gaussian(3, 1), Gaussian(6, 1)]), (1100, 900))
    screen.pull("threshold-0", [400, 0])
    low, high = screen.values()["thresholds"]
    assert low == high == 4.5
    assert screen.n_colours("cost") > 10


EXTREMES = {
    "equal means": {"means": [1, 1]},
    "no crossing": {"means": [1, 1], "deviations": [1, 2], "priors": [0.1, 0.9]},
    "identical": {"means": [1, 1], "deviations": [1, 1], "priors": [0.5, 0.5], "costs": [1, 1]},
    "deviations 1 to 100": {"deviations": [1, 100]},
    "prior 0": {"priors": [0, 1]},
    "prior 1": {"priors": [1, 0]},
    "no costs": {"costs": [0, 0]},
    "far from the origin": {"means": [1e6, 1e6 + 3], "thresholds": [1e6]},
    "small units": {"means": [1e-9, 3e-9], "deviations": [1e-9, 2e-9], "thresholds": [2e-9]},
    "wrong way round": {"means": [5, 0]},
}


@pytest.mark.parametrize("traits", EXTREMES.values(), ids=EXTREMES)
def test_extremes_of_classes(show, traits):
    screen = show(threshold_explorer(**traits), (800, 900))
    for mode in ("posterior", "densities"):
        screen.choose(mode=mode)
        assert screen.n_colours("line") > 10
        texts = screen.page.locator(".bx-readouts").inner_text()
        assert not {"NaN", "undefined", "Infinity", "−Infinity"} & set(texts.replace(",", " ").split()), texts
    shows_areas_of_scipy(screen)
    screen.pull("mean-0", [25, 0])
    screen.pull("threshold-0", [-25, 0])
    shows_areas_of_scipy(screen)


def test_places_far_from_the_origin_have_their_digits(show):
    screen = show(ThresholdExplorer([Gaussian(1e5 + 1, 1), Gaussian(1e5 + 4, 1)]), (800, 900))
    assert screen.text("Bayes rule") == "A up to 100002.5, then B"
    assert screen.named("mean-1").get_attribute("aria-label").startswith("Mean of B at 100004.")


def test_a_place_outside_the_plot_is_said_to_be_there(show):
    screen = show(ThresholdExplorer([Gaussian(0, 1), Gaussian(3, 1.21)]), (800, 900))
    surface = QuadraticSurface.between(Gaussian(0, 1), Gaussian(3, 1.21), [0.5, 0.5])
    words = re.fullmatch(r"B up to (\S+) \(outside the plot\), then A up to (\S+), then B", screen.text("Bayes rule"))
    assert [number(text) for text in words.groups()] == pytest.approx(surface.roots(), rel=1e-3)
    assert screen.text("Cheapest threshold") == f"A up to {words[2]}, then B"


def test_the_least_cost_of_any_rule_is_told_where_one_threshold_does_not_reach_it(show):
    name = "Least average cost of any rule"
    assert show(threshold_explorer(deviations=[1, 1])).part(name).count() == 0
    screen = show(threshold_explorer(deviations=[1, 4]))
    weighed = np.array([0.6, 0.4 * 5])[:, None]
    x = np.linspace(-200, 200, 400_001)
    least = np.sum(np.min(weighed * norm.pdf(x, [[0], [3]], [[1], [4]]), axis=0)) * (x[1] - x[0])
    assert number(screen.text(name)) == pytest.approx(least, rel=1e-3)
    assert least < 0.99 * number(screen.text("Average cost").split("cheapest ")[1])


def test_in_a_lecture_the_plots_have_more_than_half_of_the_slide(show):
    screen = show(threshold_explorer(class_names=["versicolor", "virginica"], compact=True), (1240, 666))
    assert all(canvas.bounding_box()["height"] > 0.55 * 666 for canvas in screen.page.locator("canvas").all())
    shown = {dt.inner_text() for dt in screen.page.locator("dt").all() if dt.is_visible()}
    assert shown == {
        "Error",
        "Least error, of the Bayes rule",
        "versicolor mistaken for another",
        "virginica mistaken for another",
        "Cheapest threshold",
        "Average cost",
    }
