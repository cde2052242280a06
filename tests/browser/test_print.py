"""Explorers on paper: light, with the handles on the picture, and what is chosen to be seen."""

import numpy as np
import pytest
from screen import three_classes

from bayeslab.explore import CovarianceExplorer

EXPLORERS = {"plot": three_classes, "plane": CovarianceExplorer}

# Middles of all handles, as shares of the canvas, and its width: at once after the page has become so narrow, as a
# printer asks for no frame.
ON_PAPER = """([name, width]) => {
    document.querySelector(".bx-root").style.width = width;
    const box = document.querySelector(`[data-bx="${name}"]`).getBoundingClientRect();
    const handles = [...document.querySelectorAll(`[data-bx="${name}-stage"] .bx-handle`)].map((handle) => {
        const { left, right, top, bottom } = handle.getBoundingClientRect();
        return [((left + right) / 2 - box.left) / box.width, ((top + bottom) / 2 - box.top) / box.height];
    });
    return [handles, box.width];
}"""


@pytest.mark.parametrize("name", EXPLORERS)
def test_paper_is_light_and_the_handles_stay_on_the_picture(show, name):
    screen = show(EXPLORERS[name](), color_scheme="dark")
    assert screen.picture(name)[0][2, 2].max() < 60
    screen.page.emulate_media(media="print", color_scheme="dark")
    screen.settle()  # the change is told with the next frame
    assert screen.picture(name)[0][2, 2].min() > 240
    assert screen.page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(0, 0, 0)"
    screen.page.evaluate(ON_PAPER, [name, "1100px"])
    screen.settle()  # drawn for this width, so that nothing is drawn between the next two looks
    before, wide = screen.page.evaluate(ON_PAPER, [name, "1100px"])
    after, narrow = screen.page.evaluate(ON_PAPER, [name, "420px"])
    assert len(before) >= 3
    assert narrow < 0.8 * wide
    np.testing.assert_allclose(after, before, atol=3e-3)
    screen.page.emulate_media(media="screen", color_scheme="dark")
    screen.settle()
    assert screen.picture(name)[0][2, 2].max() < 60


def test_the_chosen_rule_can_be_seen_without_backgrounds(show):
    screen = show(three_classes(rule="LDA"), color_scheme="dark")
    screen.page.emulate_media(media="print", color_scheme="dark")
    screen.settle()
    look = """(input) => { const style = getComputedStyle(input.nextElementSibling);
        return [style.color, style.outlineStyle, Number(style.fontWeight)]; }"""
    chosen, other = (screen.part(f"rule-{rule}").evaluate(look) for rule in ("LDA", "QDA"))
    assert chosen == ["rgb(31, 35, 40)", "solid", 700]
    assert other == ["rgb(31, 35, 40)", "none", 400]
