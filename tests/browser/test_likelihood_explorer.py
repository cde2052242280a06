"""What is particular to the likelihood explorer: curve and map, the maximum, and samples of any kind."""

import re

import numpy as np
import pytest
from readouts import log_likelihoods
from scipy.stats import norm
from screen import number

from bayeslab.explore import LikelihoodExplorer

SAMPLE = [1.0, 2.0, 4.0, 4.5]


@pytest.fixture
def screen(show):
    return show(LikelihoodExplorer(SAMPLE), (1100, 900))


def ends(screen, name):
    return [float(screen.part(f"{name}-range").get_attribute(end)) for end in ("min", "max")]


def test_sliders_of_mean_and_deviation_are_those_of_the_points(screen):
    first = ends(screen, "mean")
    screen.type("mean-number", first[1])
    screen.type("deviation-number", ends(screen, "deviation")[1])
    assert ends(screen, "mean") == first  # they do not run away from what is moved
    assert screen.values()["mean"] == first[1]
    for _ in range(3):
        screen.pull("point-3", [60, 0])
    assert screen.values()["points"][:3] == SAMPLE[:3]
    (low, high), sigma = ends(screen, "mean"), np.std(screen.values()["points"])
    assert (low, high) == pytest.approx((1 - 2 * sigma, screen.values()["points"][3] + 2 * sigma))
    assert ends(screen, "deviation")[1] == pytest.approx(2 * sigma)
    log_likelihoods(screen)


def test_curve_and_map_are_one(screen):
    start = screen.values()
    screen.pull("mean", [40, 30])
    assert screen.values()["mean"] > start["mean"]
    assert screen.values()["deviation"] == start["deviation"]
    screen.pull("deviation", [20, 0])
    before = screen.values()
    assert before["deviation"] > start["deviation"]
    log_likelihoods(screen)
    screen.pull("both", [-20, -20])
    assert screen.values()["mean"] < before["mean"]
    assert screen.values()["deviation"] > before["deviation"]
    log_likelihoods(screen)


def test_the_maximum_has_no_slope(screen):
    screen.click("maximum")
    np.testing.assert_allclose([screen.values()["mean"], screen.values()["deviation"]], norm.fit(SAMPLE))
    for name in ("Slope of ℓ along μ", "Slope of ℓ along σ", "Still to climb"):
        assert abs(number(screen.text(name))) < 1e-12
    deviation = number(screen.text("Deviation, dividing by n − 1"))
    assert deviation == pytest.approx(np.std(SAMPLE, ddof=1), rel=1e-3)


def test_the_place_of_the_maximum_is_told_once_it_is_reached(screen):
    mu, sigma = norm.fit(SAMPLE)
    for drop, is_told in [(1.1, False), (0.9, True), (15, False)]:
        screen.type("mean-number", mu + sigma * np.sqrt(2 * drop / len(SAMPLE)))
        screen.type("deviation-number", sigma)
        assert number(screen.text("Still to climb")) == pytest.approx(drop, rel=1e-3)
        place = re.search(r"at μ (\S+), σ (\S+)", screen.text("Maximum"))
        assert bool(place) == is_told
        if is_told:
            assert [number(text) for text in place.groups()] == pytest.approx([mu, sigma], rel=1e-3)
        screen.click("undo", "undo")
        assert "the top of the map" in screen.text("Maximum")
        assert "the top of the map" in screen.part("map").get_attribute("aria-label")


def test_an_arrow_key_moves_a_slider_step_by_step_far_from_the_origin(show):
    screen = show(LikelihoodExplorer([1e6, 1e6 + 1]), (800, 900))
    slider, means = screen.part("mean-range"), [screen.values()["mean"]]
    for _ in range(4):
        slider.press("ArrowRight")
        screen.settle()  # the slider is brought in line with the state
        means.append(screen.values()["mean"])
    steps = np.diff(means)
    assert (steps[1:] > 0).all()  # the first goes to the next step of the slider
    np.testing.assert_allclose(steps[1:], float(slider.get_attribute("step")), rtol=1e-6)
    assert float(screen.part("mean-number").input_value()) == pytest.approx(means[-1], abs=1e-4)


def test_places_far_from_the_origin_have_their_digits(show):
    screen = show(LikelihoodExplorer([1e5 + 1, 1e5 + 4], mean=1e5 + 1.5, deviation=1.5), (800, 900))
    assert "μ 100002.5, σ 1.5" in screen.text("Maximum")
    assert screen.named("mean").get_attribute("aria-label").startswith("Mean μ at 100001.5.")


def test_the_axis_grows_with_the_curve_while_it_is_dragged(screen):
    top, end = screen.meant(screen.named("mean")), screen.meant(screen.named("deviation"))
    screen.page.mouse.move(*end)
    screen.page.mouse.down()
    screen.page.mouse.move(end[0] - 0.7 * (end[0] - top[0]), end[1], steps=4)  # three times as high
    screen.page.wait_for_timeout(100)
    assert screen.named("mean").evaluate("handle => handle.style.opacity") == ""  # not faint, as outside of the plot
    screen.page.mouse.up()
    log_likelihoods(screen)
