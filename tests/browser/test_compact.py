"""Explorers in a lecture: on a projector all can be seen at once, from the back row, and stays where it is."""

import numpy as np
import pytest
from playwright.sync_api import expect

from bayeslab import Gaussian, make_gaussian_pair
from bayeslab.explore import (
    CovarianceExplorer,
    EMExplorer,
    LikelihoodExplorer,
    NeighboursExplorer,
    RegularisedExplorer,
    ThresholdExplorer,
)

SLIDE = (1240, 666)  # what a slide of 1280 × 720 leaves for an explorer
SHELF = make_gaussian_pair("P1b", 100, np.random.default_rng(11))
DENTS = [Gaussian(0.07, 0.0013), Gaussian(0.18, 0.002)]
EXPLORERS = {
    "covariance": CovarianceExplorer,
    "likelihood": lambda **traits: LikelihoodExplorer(SHELF.X[:, 0], **traits),
    "threshold": lambda **traits: ThresholdExplorer(
        DENTS, [0.6274, 0.3726], class_names=["benign", "malignant"], thresholds=[0.15], **traits
    ),
    "em": lambda **traits: EMExplorer(SHELF.X, SHELF.X[[1, 0]], **traits),
    "neighbours": lambda **traits: NeighboursExplorer(SHELF, **traits),
    "regularised": RegularisedExplorer,
}

# Texts on the screen whose letters are smaller than 16 pixels.
SMALL = """() => {
    const written = (e) => [...e.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest(".bx-hidden");
    const small = (e) => parseFloat(getComputedStyle(e).fontSize) < 16;
    return [...document.querySelectorAll(".bx-root *")].filter((e) => written(e) && seen(e) && small(e))
        .map((e) => e.textContent);
}"""


@pytest.mark.parametrize("name", EXPLORERS)
def test_all_is_on_one_slide_in_large_type(show, name):
    screen = show(EXPLORERS[name](compact=True), SLIDE)
    assert screen.page.evaluate("document.documentElement.scrollHeight") <= SLIDE[1]
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= SLIDE[0]
    assert screen.faults() == []
    assert screen.page.evaluate(SMALL) == []
    cards = screen.page.locator(".bx-cards").bounding_box()
    assert cards["y"] + cards["height"] <= SLIDE[1]
    for canvas in screen.page.locator("canvas").all():
        box = canvas.bounding_box()
        assert box["height"] > SLIDE[1] / 2
        assert box["y"] + box["height"] <= cards["y"]


def test_the_plots_stay_as_they_are_while_something_is_dragged(show):
    narrow = EMExplorer(SHELF.X, [SHELF.X.mean(axis=0), [3, 3]], [0.1, 1], compact=True)
    screen = show(narrow, SLIDE)
    assert "collapses" not in screen.text("At the end")
    height = screen.page.locator(".bx-cards").bounding_box()["height"]
    screen.page.mouse.move(*screen.middle(screen.page.locator('[data-handle="start-0"]')))
    screen.page.mouse.down()
    screen.page.mouse.move(SLIDE[0] - 2, 2, steps=8)  # so far away that it collapses, which takes more words
    expect(screen.part("At the end")).to_contain_text("collapses")
    assert screen.page.locator(".bx-cards").evaluate("(cards) => cards.style.minHeight") == f"{height:.0f}px"
    screen.page.mouse.up()
    screen.settle()
    grown = screen.page.locator(".bx-cards").bounding_box()["height"]
    assert grown > height
    screen.click("reset")
    assert screen.page.locator(".bx-cards").bounding_box()["height"] == grown
