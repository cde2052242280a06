"""What is particular to the covariance explorer: sliders of its parts, and ellipses of any size."""

import numpy as np
import pytest
from playwright.sync_api import expect
from readouts import eigenvalues

from bayeslab.explore import CovarianceExplorer


@pytest.fixture
def screen(show):
    return show(CovarianceExplorer(), (1100, 900))


def covariance(screen):
    return np.array(screen.values()["covariance"])


def test_an_axis_is_dragged_and_the_other_stays_as_long(screen):
    before = covariance(screen)
    screen.pull("axis-1", [40, 0])
    assert covariance(screen)[0, 0] > 1.2 * before[0, 0]
    np.testing.assert_allclose(np.linalg.eigvalsh(covariance(screen))[0], np.linalg.eigvalsh(before)[0], rtol=1e-6)
    eigenvalues(screen)


def test_keys_move_the_cut_along_its_axis_only(screen):
    cut = screen.named("cut")
    for key, value in [("ArrowRight", 1.09), ("ArrowUp", 1.09), ("Shift+ArrowLeft", 0.19)]:
        cut.press(key)
        assert screen.values()["cut"] == pytest.approx(value)
    expect(screen.part("live")).to_contain_text("Cut at x₁ = 0.19")
    screen.settle()
    assert "Cut at x₁ = 0.19. Left and right arrow keys" in cut.get_attribute("aria-label")


@pytest.mark.parametrize("sigma", [1e-9, 30])
def test_an_ellipse_of_any_size_fills_the_plot_and_its_sliders_hold_it(show, sigma):
    screen = show(CovarianceExplorer(sigma**2 * np.array([[1, 0.6], [0.6, 1]]), cut=sigma), (1100, 900))
    reach = np.linalg.norm(screen.middle(screen.named("axis-1")) - screen.middle(screen.named("axis-2")))
    assert 100 < reach < 300
    for name, value in {"sigma_1": sigma, "rho": 0.6, "cut": sigma}.items():
        slider = screen.part(f"{name}-range")
        low, high = (float(slider.get_attribute(end)) for end in ("min", "max"))
        assert low < value < high
        before = screen.values()
        slider.press("ArrowRight")
        after = screen.values()
        assert before != after
        if name != "rho":
            now = after["cut"] if name == "cut" else np.sqrt(after["covariance"][0][0])
            assert value < now < 1.5 * value
    screen.pull("axis-1", [40, 0])
    eigenvalues(screen)
    screen.writes_no_nonsense()
    assert screen.n_colours("curve") > 10


def test_a_slider_holds_what_was_dragged_beyond_its_ends(screen):
    screen.pull("axis-1", [400, 0])
    wide = float(screen.part("sigma_1-number").input_value())
    assert wide > 2.5
    screen.type("sigma_1-number", 2.5)
    assert covariance(screen)[0, 0] == pytest.approx(2.5**2)
    assert float(screen.part("sigma_1-range").get_attribute("max")) == pytest.approx(wide, rel=1e-3)


def test_sliders_keep_the_other_parts(screen):
    screen.type("sigma_1-number", 2)
    np.testing.assert_allclose(covariance(screen), [[4, 1.2], [1.2, 1]])
    screen.type("rho-number", -0.5)
    np.testing.assert_allclose(covariance(screen), [[4, -1], [-1, 1]])
    screen.part("rho-range").press("ArrowRight")
    assert covariance(screen)[0, 1] == pytest.approx(-0.96)
    screen.type("rho-number", 7)  # brought to the end of the slider
    assert screen.part("rho-number").input_value() == "0.98"
    screen.settle()
    eigenvalues(screen)
