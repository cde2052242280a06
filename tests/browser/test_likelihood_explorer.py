"""The likelihood explorer on a saved page: drag, keys, extremes, and numbers that are SciPy's."""

import re

import numpy as np
import pytest
from scipy.stats import norm
from screen import number

from bayeslab.explore import LikelihoodExplorer

SAMPLE = [1.0, 2.0, 4.0, 4.5]


def likelihood_explorer(**traits):
    return LikelihoodExplorer(SAMPLE, **traits)


@pytest.fixture
def likelihood(show):
    return show(likelihood_explorer(), (1100, 900))


def shows_likelihood_of_scipy(screen):
    points, mu, sigma = (np.array(screen.values()[name]) for name in ("points", "mean", "deviation"))
    assert number(screen.text("Log-likelihood ℓ")) == pytest.approx(norm.logpdf(points, mu, sigma).sum(), rel=1e-3)
    best = norm.logpdf(points, *norm.fit(points)).sum()
    assert number(screen.text("Maximum")) == pytest.approx(best, rel=1e-3)


def test_sliders_of_mean_and_deviation_are_those_of_the_points(likelihood):
    def ends(name):
        return [float(likelihood.part(f"{name}-range").get_attribute(end)) for end in ("min", "max")]

    first = ends("mean")
    likelihood.type("mean-number", first[1])
    likelihood.type("deviation-number", ends("deviation")[1])
    assert ends("mean") == first  # they do not run away from what is moved
    assert likelihood.values()["mean"] == first[1]
    for _ in range(3):
        likelihood.pull("point-3", [60, 0])
    (low, high), sigma = ends("mean"), np.std(likelihood.values()["points"])
    assert (low, high) == pytest.approx((1 - 2 * sigma, likelihood.values()["points"][3] + 2 * sigma))
    assert ends("deviation")[1] == pytest.approx(2 * sigma)


def test_curve_and_map_are_one(likelihood):
    start = likelihood.values()["mean"], likelihood.values()["deviation"]
    likelihood.pull("mean", [40, 30])
    assert likelihood.values()["mean"] > start[0]
    assert likelihood.values()["deviation"] == start[1]
    likelihood.pull("deviation", [20, 0])
    assert likelihood.values()["deviation"] > start[1]
    shows_likelihood_of_scipy(likelihood)
    before = likelihood.values()
    likelihood.pull("both", [-20, -20])
    assert likelihood.values()["mean"] < before["mean"]
    assert likelihood.values()["deviation"] > before["deviation"]
    shows_likelihood_of_scipy(likelihood)
    likelihood.click("undo", "undo", "undo")
    assert (likelihood.values()["mean"], likelihood.values()["deviation"]) == start


def test_the_maximum_has_no_slope(likelihood):
    likelihood.click("maximum")
    np.testing.assert_allclose([likelihood.values()["mean"], likelihood.values()["deviation"]], norm.fit(SAMPLE))
    for name in ("Slope of ℓ along μ", "Slope of ℓ along σ", "Still to climb"):
        assert abs(number(likelihood.text(name))) < 1e-12
    assert number(likelihood.text("Deviation of the sample, with n − 1")) == pytest.approx(
        np.std(SAMPLE, ddof=1), rel=1e-3
    )
    likelihood.click("undo")
    assert likelihood.values()["mean"] == 1


def test_the_place_of_the_maximum_is_told_once_it_is_reached(likelihood):
    mu, sigma = norm.fit(SAMPLE)
    for drop, is_told in [(1.1, False), (0.9, True), (15, False), (0.9, True)]:
        likelihood.type("mean-number", mu + sigma * np.sqrt(2 * drop / len(SAMPLE)))
        likelihood.type("deviation-number", sigma)
        assert number(likelihood.text("Still to climb")) == pytest.approx(drop, rel=1e-3)
        place = re.search(r"at μ (\S+), σ (\S+)", likelihood.text("Maximum"))
        assert bool(place) == is_told
        if is_told:
            assert [number(text) for text in place.groups()] == pytest.approx([mu, sigma], rel=1e-3)
        likelihood.click("undo", "undo")
        assert "the cross on the map" in likelihood.text("Maximum")
        assert "the cross on the map" in likelihood.part("map").get_attribute("aria-label")


def test_points_are_dragged_and_moved_by_keys(likelihood):
    likelihood.pull("point-3", [30, 0])
    assert likelihood.values()["points"][3] > 4.6
    assert likelihood.values()["points"][:3] == SAMPLE[:3]
    likelihood.named("point-0").press("ArrowLeft")
    assert likelihood.values()["points"][0] < 1
    likelihood.settle()
    shows_likelihood_of_scipy(likelihood)


@pytest.mark.parametrize("points", [[2], [2, 2, 2], [1e6, 1e6 + 1], [0, 1e-9], [0, 0.1, 100], list(range(60))])
def test_extremes_of_samples(show, points):
    screen = show(LikelihoodExplorer(points), (800, 900))
    screen.click("maximum")
    screen.pull("mean", [20, 0])
    texts = screen.page.locator(".bx-readouts").inner_text()
    assert not {"NaN", "undefined", "Infinity"} & set(texts.replace(",", " ").split()), texts
    if np.ptp(points):
        shows_likelihood_of_scipy(screen)
    else:
        assert "grows without end" in screen.text("Maximum")
    assert screen.n_colours("density") > 10


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
