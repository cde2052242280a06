"""What the threshold explorer writes on its plots: names of the best places, and numbers below."""

import re
from itertools import pairwise

import numpy as np
import pytest
from screen import number

from bayeslab import Gaussian
from bayeslab.explore import LikelihoodExplorer, ThresholdExplorer

# Boxes of the words that a canvas is given, in CSS pixels.
RECORD = """() => {
    const write = CanvasRenderingContext2D.prototype.fillText;
    window.words = [];
    CanvasRenderingContext2D.prototype.fillText = function (text, u, v) {
        const { a, e, f } = this.getTransform(), width = this.measureText(text).width;
        const left = u + e / a - { left: 0, center: width / 2, right: width }[this.textAlign];
        const canvas = this.canvas.dataset.bx, top = f / a;
        window.words.push({ text, left, right: left + width, v: v + top, top, canvas });
        return write.call(this, text, u, v);
    };
}"""


def numbers_below(screen, canvas):
    """Return the numbers of the horizontal axis, and the pixel that each stands under, as it was last drawn."""
    words = [word for word in screen.page.evaluate("words") if word["canvas"] == canvas]
    lowest = max(word["v"] for word in words if re.fullmatch(r"[−\d.]+", word["text"]))
    return {number(word["text"]): (word["left"] + word["right"]) / 2 for word in words if word["v"] == lowest}


@pytest.mark.parametrize(
    ("explorer", "plots", "ring"),
    [
        (ThresholdExplorer(), ("line", "cost"), "deviation-1"),
        (LikelihoodExplorer([1, 2, 4, 4.5]), ("density", "map"), "deviation"),
    ],
    ids=["threshold", "likelihood"],
)
def test_a_place_stands_above_the_same_number_in_both_plots_while_a_ring_is_dragged(show, explorer, plots, ring):
    screen = show(explorer, (1100, 900))
    screen.page.evaluate(RECORD)
    start, axes = screen.middle(screen.named(ring)), []
    screen.page.mouse.move(*start)
    screen.page.mouse.down()
    for act in (lambda: screen.page.mouse.move(*np.add(start, [250, 0])), screen.page.mouse.up):
        screen.page.evaluate("words.length = 0")
        act()
        screen.settle()
        one, other = (numbers_below(screen, plot) for plot in plots)
        assert list(one) == list(other)
        assert np.ptp([*one.values()]) == pytest.approx(np.ptp([*other.values()]), rel=0.03)  # margins differ a little
        axes.append(list(one))
    assert axes[0] != axes[1]  # once it is released, there is room for it


def three_thresholds(**traits):
    return ThresholdExplorer([Gaussian(m, 1) for m in (0, 3, 6)], costs=[1, 4, 2], thresholds=[1.4, 4], **traits)


@pytest.mark.parametrize("width", [400, 1200])
@pytest.mark.parametrize("mode", ["densities", "posterior"])
def test_the_best_places_are_named_where_nothing_crosses_the_names(show, width, mode):
    screen = show(three_thresholds(mode=mode), (width, 900))
    screen.page.evaluate(RECORD)
    screen.named("threshold-0").press("ArrowLeft")
    screen.settle()
    words = [word for word in screen.page.evaluate("words") if word["text"] in ("Bayes", "cheapest")]
    assert {(word["text"], word["canvas"]) for word in words} == {
        ("Bayes", "line"),
        ("cheapest", "line"),
        ("cheapest", "cost"),
    }
    right = screen.part("line").evaluate("(e) => e.clientWidth")
    assert all(6 < word["v"] < word["top"] - 6 and 0 < word["left"] < word["right"] <= right for word in words)
    rows = {}
    for word in words:
        rows.setdefault((word["canvas"], word["v"]), set()).add((word["left"], word["right"]))
    for row in rows.values():
        boxes = sorted(row)
        assert all(one[1] < other[0] for one, other in pairwise(boxes))


@pytest.mark.parametrize("compact", [False, True])
def test_each_of_the_best_places_has_its_name_if_there_is_room_beside_it(show, compact):
    screen = show(three_thresholds(compact=compact), (1280, 720))
    screen.page.evaluate(RECORD)
    screen.named("threshold-0").press("ArrowLeft")
    screen.settle()
    cheapest = [float(text) for text in re.findall(r"up to ([\d.]+)", screen.text("Cheapest thresholds"))]
    for canvas, name, places in (
        ("line", "Bayes", [1.5, 4.5]),
        ("line", "cheapest", cheapest),
        ("cost", "cheapest", cheapest),
    ):
        words = [word for word in screen.page.evaluate("words") if (word["canvas"], word["text"]) == (canvas, name)]
        boxes = sorted({(word["left"], word["right"]) for word in words})
        below = numbers_below(screen, canvas)
        pixels = np.interp(places, list(below), list(below.values()))
        assert len(boxes) == len(places)
        assert all(left <= at <= right for (left, right), at in zip(boxes, pixels, strict=True))
