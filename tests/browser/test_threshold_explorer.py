"""What is particular to the threshold explorer: two plots of one line, what the best rules are, and their names."""

import re
from itertools import pairwise

import numpy as np
import pytest
from readouts import areas
from scipy.stats import norm
from screen import Linked, number, sets

from bayeslab import Gaussian, QuadraticSurface
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


def threshold_explorer(**traits):
    return ThresholdExplorer([Gaussian(0, 1), Gaussian(3, 2.25)], **{"priors": [0.6, 0.4], "costs": [1, 5]} | traits)


@pytest.fixture
def screen(show):
    return show(threshold_explorer(), (1100, 900))


def test_a_threshold_is_dragged_on_either_plot(screen):
    (before,), units = screen.values()["thresholds"], []
    for name in ("threshold-0", "cost-at-0"):
        screen.pull(name, [40, 25])
        (after,) = screen.values()["thresholds"]
        units.append((after - before) / 40)
        before = after
        areas(screen)
    assert units[0] == pytest.approx(units[1], rel=0.02)
    assert units[0] > 0.01


@pytest.mark.parametrize(("name", "trait"), [("mean-1", "means"), ("deviation-1", "deviations")])
def test_means_and_deviations_are_dragged_along_the_axis(screen, name, trait):
    before = screen.values()
    screen.pull(name, [30, -40])
    after = screen.values()
    assert after[trait][1] > before[trait][1] + 0.1
    assert after[trait][0] == before[trait][0]
    assert {each for each in after if after[each] != before[each]} == {trait}
    areas(screen)


def test_priors_sum_to_one_and_costs_move_the_cheapest_threshold(screen):
    cheapest = screen.text("Cheapest threshold")
    screen.type("prior-0-number", 0.9)
    np.testing.assert_allclose(screen.values()["priors"], [0.9, 0.1])
    screen.type("cost-1-number", 45)
    assert screen.values()["costs"] == [1, 45]
    areas(screen)
    # 0.9 × 1 : 0.1 × 45 is 1 : 5, where 0.6 × 1 : 0.4 × 5 was 1.5 : 5.
    weights = np.array([0.9, 4.5])
    z = (number(screen.text("Cheapest threshold").removeprefix("A up to ")) - np.array([0, 3])) / [1, 1.5]
    np.testing.assert_allclose(*(weights * norm.pdf(z) / [1, 1.5]), rtol=2e-3)
    assert screen.text("Cheapest threshold") != cheapest


def test_sliders_have_the_names_of_the_classes_and_hold_any_cost(show):
    screen = show(Linked(threshold_explorer(costs=[1, 500])), (1100, 900))
    screen.page.get_by_label("Cost of missing B").first.press("ArrowLeft")
    assert screen.values()["costs"] == [1, 499]
    sets(screen, {"class_names": ["sick", "well"]})
    assert screen.page.get_by_label("Prior of sick").count() == 2
    assert "Prior of well" in screen.text("root")
    assert screen.page.get_by_label("Cost of missing B").count() == 0


def test_a_page_hides_the_best_places_until_they_are_found_and_then_ticks_its_task(show):
    screen = show(threshold_explorer(), (1280, 720))
    task, toggle = screen.page.locator("#task"), screen.part("answer")
    screen.page.evaluate(RECORD)

    def is_named():
        screen.page.evaluate("words.length = 0")
        screen.page.evaluate("dispatchEvent(new Event('resize'))")
        screen.settle()
        return any(word["text"] == "Bayes" for word in screen.page.evaluate("words"))

    assert not is_named()
    toggle.click()
    assert is_named()
    toggle.click()
    assert not is_named()
    for rule in ("Bayes rule", "Cheapest threshold"):
        place = float(re.search(r"A up to ([\d.]+)", screen.text(rule))[1])
        assert task.get_attribute("data-met") is None
        values = screen.values()
        units = (values["means"][1] - values["means"][0]) / (screen.at(1)[0] - screen.at(0)[0])
        screen.pull("threshold-0", [(place - values["thresholds"][0]) / units, 0])
    assert task.get_attribute("data-met") == ""
    assert is_named()


def test_three_thresholds_never_change_their_order(show):
    screen = show(ThresholdExplorer([Gaussian(0, 1), Gaussian(3, 1), Gaussian(6, 1)]), (1100, 900))
    screen.pull("threshold-0", [400, 0])
    low, high = screen.values()["thresholds"]
    assert low == high == 4.5
    assert screen.n_colours("cost") > 10


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
    name = "Lowest average cost of any rule"
    assert show(threshold_explorer(deviations=[1, 1])).part(name).count() == 0
    screen = show(threshold_explorer(deviations=[1, 4]))
    weighed = np.array([0.6, 0.4 * 5])[:, None]
    x = np.linspace(-200, 200, 400_001)
    least = np.sum(np.min(weighed * norm.pdf(x, [[0], [3]], [[1], [4]]), axis=0)) * (x[1] - x[0])
    assert number(screen.text(name)) == pytest.approx(least, rel=1e-3)
    assert least < 0.99 * number(screen.text("Average cost").split("cheapest ")[1])


@pytest.mark.parametrize("compact", [False, True])
def test_three_readouts_stand_there_and_the_others_unfold(show, compact):
    def shown():
        return [dt.inner_text() for dt in screen.page.locator("dt").all() if dt.is_visible()]

    screen = show(threshold_explorer(class_names=["versicolor", "virginica"], compact=compact), (1240, 666))
    assert all(canvas.bounding_box()["height"] > 0.4 * 666 for canvas in screen.page.locator("canvas").all())
    assert shown() == ["Error", "Bayes error", "Average cost"]
    screen.part("more-readouts").press("Enter")
    assert {"Cheapest threshold", "virginica misclassified", "Bayes rule"} < set(shown())
    screen.part("more-readouts").press("Enter")
    assert len(shown()) == 3


# What is written on the plots .........................................................................................


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


@pytest.mark.parametrize(
    ("width", "mode", "compact"),
    [(400, "densities", False), (400, "posterior", True), (1280, "posterior", False), (1280, "densities", True)],
)
def test_the_best_places_are_named_beside_them_where_nothing_crosses_the_names(show, width, mode, compact):
    classes = [Gaussian(m, 1) for m in (0, 3, 6)]
    traits = {"costs": [1, 4, 2], "thresholds": [1.4, 4], "mode": mode, "compact": compact}
    screen = show(ThresholdExplorer(classes, **traits), (width, 720))
    if not compact:
        assert screen.text("answer") == "Show the best places"
        screen.click("answer")
    screen.page.evaluate(RECORD)
    screen.named("threshold-0").press("ArrowLeft")
    screen.settle()
    cheapest = [float(text) for text in re.findall(r"up to ([\d.]+)", screen.text("Cheapest thresholds"))]
    right = screen.part("line").evaluate("(e) => e.clientWidth")
    rows = {}
    for canvas, name, places in (
        ("line", "Bayes", [1.5, 4.5]),
        ("line", "cheapest", cheapest),
        ("cost", "cheapest", cheapest),
    ):
        words = [word for word in screen.page.evaluate("words") if (word["canvas"], word["text"]) == (canvas, name)]
        assert words
        assert all(6 < word["v"] < word["top"] - 6 and 0 < word["left"] < word["right"] <= right for word in words)
        boxes = sorted({(word["left"], word["right"]) for word in words})
        rows.setdefault((canvas, words[0]["v"]), []).extend(boxes)
        if width > 400:  # there is room for all of them
            below = numbers_below(screen, canvas)
            pixels = np.interp(places, list(below), list(below.values()))
            assert all(left <= at <= right for (left, right), at in zip(boxes, pixels, strict=True))
    for row in rows.values():
        assert all(one[1] < other[0] for one, other in pairwise(sorted(row)))
