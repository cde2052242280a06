"""The covariance explorer on a saved page: drag, keys, undo, and numbers that are NumPy's."""

import numpy as np
import pytest
from playwright.sync_api import expect
from screen import number

from bayeslab.explore import CovarianceExplorer


@pytest.fixture
def screen(show):
    return show(CovarianceExplorer(), (1100, 900))


def covariance(screen):
    return np.array(screen.values()["covariance"])


def shows_what_numpy_computes(screen):
    values = np.linalg.eigvalsh(covariance(screen))[::-1]
    for name, value in zip(["Eigenvalue λ₁ along u₁", "Eigenvalue λ₂ along u₂"], values, strict=True):
        assert number(screen.text(name)) == pytest.approx(value, rel=1e-3)
    assert number(screen.text("Determinant |Σ| = λ₁ λ₂")) == pytest.approx(values.prod(), rel=1e-3)


def test_an_axis_is_dragged_and_the_matrix_follows(screen):
    before, colours = covariance(screen), screen.n_colours("plane")
    assert colours > 10
    screen.pull("axis-1", [40, 0])
    after = covariance(screen)
    assert after[0, 0] > 1.2 * before[0, 0]
    # The other axis stays as long.
    np.testing.assert_allclose(np.linalg.eigvalsh(after)[0], np.linalg.eigvalsh(before)[0], rtol=1e-6)
    shows_what_numpy_computes(screen)


def test_a_drag_is_one_step_back_and_escape_takes_it_back_at_once(screen):
    start = covariance(screen)
    screen.pull("axis-1", [50, -20])
    first = covariance(screen)
    screen.pull("axis-2", [30, 30])
    screen.page.keyboard.press("Control+z")
    np.testing.assert_array_equal(covariance(screen), first)
    screen.page.keyboard.press("Control+z")
    np.testing.assert_array_equal(covariance(screen), start)
    screen.page.keyboard.press("Control+Shift+Z")
    np.testing.assert_array_equal(covariance(screen), first)
    screen.page.mouse.move(*screen.middle(screen.named("cut")))
    screen.page.mouse.down()
    screen.page.mouse.move(300, 300, steps=4)
    assert screen.values()["cut"] != 1
    screen.page.keyboard.press("Escape")
    assert screen.values()["cut"] == 1
    screen.page.mouse.move(350, 300)
    screen.page.mouse.up()
    assert screen.values()["cut"] == 1


def test_keys_go_back_once_the_picture_is_pressed_beside_all_handles(screen):
    screen.part("cut-range").press("ArrowRight")  # not typed: the browser itself would take that back
    changed = screen.values()["cut"]
    assert changed > 1
    for name, key, value in [("plane", "Control+z", 1), ("curve", "Control+Shift+z", changed)]:
        screen.page.evaluate("document.activeElement.blur()")
        screen.part(name).click(position={"x": 80, "y": 20})
        screen.page.keyboard.press(key)
        assert screen.values()["cut"] == value


def test_reset_can_be_undone_and_the_buttons_say_what_is_possible(screen):
    expect(screen.part("undo")).to_have_attribute("aria-disabled", "true")
    screen.pull("axis-1", [50, -20])
    changed = covariance(screen)
    screen.click("reset")
    np.testing.assert_array_equal(covariance(screen), [[1, 0.6], [0.6, 1]])
    screen.click("undo")
    np.testing.assert_array_equal(covariance(screen), changed)
    screen.click("undo")
    expect(screen.part("undo")).to_have_attribute("aria-disabled", "true")
    expect(screen.part("undo")).to_be_focused()
    shows_what_numpy_computes(screen)


def test_keys_move_the_cut_along_its_axis_only(screen):
    cut = screen.named("cut")
    cut.focus()
    for key, value in [("ArrowRight", 1.09), ("ArrowUp", 1.09), ("Shift+ArrowLeft", 0.19)]:
        screen.page.keyboard.press(key)
        assert screen.values()["cut"] == pytest.approx(value)
    expect(screen.part("live")).to_contain_text("Cut at x₁ = 0.19")
    screen.settle()
    assert "Cut at x₁ = 0.19. Left and right arrow keys" in cut.get_attribute("aria-label")
    screen.page.keyboard.press("Control+z")  # keys in a quick row are one step
    assert screen.values()["cut"] == 1


@pytest.mark.parametrize("sigma", [1e-9, 0.01, 30, 1e6])
def test_an_ellipse_of_any_size_fills_the_plot_and_its_sliders_hold_it(show, sigma):
    covariance_, cut = sigma**2 * np.array([[1, 0.6], [0.6, 1]]), sigma
    screen = show(CovarianceExplorer(covariance_, cut=cut), (1100, 900))
    reach = np.linalg.norm(screen.middle(screen.named("axis-1")) - screen.middle(screen.named("axis-2")))
    assert 100 < reach < 300
    for name, value in {"sigma_1": sigma, "rho": 0.6, "cut": cut}.items():
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
    shows_what_numpy_computes(screen)
    assert "NaN" not in screen.text("root")
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
    shows_what_numpy_computes(screen)
