"""What is particular to the regularised explorer: the map of RDA, samples to draw, covariances without inverse."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from readouts import regularised_errors

from bayeslab import GaussianClassifier
from bayeslab.explore import RegularisedExplorer

LINE = ([[0, 0], [1, 1], [2, 2], [0, 5], [1, 7], [2, 6]], list("aaabbb"))  # class a has no inverse


@pytest.fixture
def screen(show):
    return show(RegularisedExplorer(shared=0.3, shrinkage=0.2), (1100, 1000))


def type_pair(screen, pair):
    for name, value in zip(("shared", "shrinkage"), pair, strict=True):
        screen.type(f"{name}-number", value)


def test_the_dot_is_dragged_over_the_map_and_stays_in_it(screen):
    assert screen.n_colours("map") > 5
    screen.pull("pair", [60, -80])
    assert 0.2 < screen.values()["shrinkage"] < 1
    assert 0.3 < screen.values()["shared"] < 1
    screen.pull("pair", [-900, 900])
    assert [screen.values()[name] for name in ("shared", "shrinkage")] == [0, 0]


def test_on_release_the_window_stays_and_no_dots_flicker(show):
    """Released, the map has more settings; where too many are as good as the best, none has a dot."""

    def dark_pixels():
        return np.sum(screen.picture("map")[0][:-104].max(axis=2) < 80)  # without the legend

    screen = show(RegularisedExplorer(), (1280, 720))
    shift = np.array([160, 60])
    place, others = screen.middle(screen.named("mean-0")), screen.middle(screen.named("mean-1"))
    screen.page.mouse.move(*place)
    screen.page.mouse.down()
    screen.page.mouse.move(*(place + shift), steps=8)
    screen.settle()
    ties, settings = map(int, re.search(r"(\d+) of (\d+) settings", screen.text("Smallest on the map")).groups())
    assert settings / 4 < ties < settings < 441
    held = dark_pixels()
    screen.page.mouse.up()
    screen.settle()
    assert " of 441 settings" in screen.text("Smallest on the map")
    assert abs(dark_pixels() - held) < 100  # a dot has about 20
    np.testing.assert_allclose(screen.middle(screen.named("mean-0")), place + shift, atol=1)
    np.testing.assert_allclose(screen.middle(screen.named("mean-1")), others, atol=1)
    screen.pull("mean-0", [900, 0])  # to the edge: now all of it is shown again
    box = screen.part("plane").bounding_box()
    assert screen.middle(screen.named("mean-0"))[0] < box["x"] + 0.9 * box["width"]


def test_keys_move_the_dot_and_a_class(screen):
    screen.named("pair").press("Shift+ArrowRight")
    screen.named("pair").press("ArrowUp")
    assert screen.values()["shrinkage"] == pytest.approx(0.2 + 0.115)
    assert screen.values()["shared"] == pytest.approx(0.3 + 0.0115)
    points, means = screen.points(), np.array(screen.values()["means"])
    screen.named("mean-1").press("Shift+ArrowRight")
    moved, now = screen.points() - points, np.array(screen.values()["means"]) - means
    own = points[:, 2] == 1
    assert (moved[own, 0] > 0.1).all()
    np.testing.assert_allclose(moved[own], np.broadcast_to([*now[1], 0], (6, 3)), atol=1e-9)
    assert not moved[~own].any()
    assert not now[[0, 2]].any()
    screen.settle()
    regularised_errors(screen)


def test_the_plane_has_the_pale_colour_of_the_class_that_python_decides_for(screen):
    points, (picture, corner) = screen.points(), screen.picture("plane")
    rule = GaussianClassifier(shared=0.3, shrinkage=0.2).fit(points[:, :2], points[:, 2])
    at = [screen.middle(screen.named(f"mean-{k}")) for k in (0, 2)]
    units = (rule.means_[2] - rule.means_[0]) / (at[1] - at[0])
    height, width, _ = picture.shape
    pixels = np.random.default_rng(0).integers((70, 20), (width - 20, height - 60), (400, 2))
    decided = rule.predict(rule.means_[0] + (corner + pixels + 0.5 - at[0]) * units)
    seen = picture[pixels[:, 1], pixels[:, 0]].astype(float)
    colours = np.array([np.median(seen[decided == k], axis=0) for k in range(3)])
    assert colours.min() > 180
    nearest = np.linalg.norm(seen[:, None] - colours, axis=2).argmin(axis=1)
    assert np.mean(nearest == decided) > 0.9

    i = int(points[:, 0].argmin())  # and a point is dragged
    screen.drag(at[0] + (points[i, :2] - rule.means_[0]) / units, [25, -30])
    assert np.flatnonzero((screen.points() != points).any(axis=1)).tolist() == [i]
    regularised_errors(screen)


def test_true_errors_and_new_samples(screen):
    type_pair(screen, (1, 0))
    screen.type("n-number", 30)
    before = screen.points()
    assert len(before) == 30
    screen.click("draw")
    assert (screen.points() != before).any()
    left_out = screen.picture("map")[0]
    screen.choose(error="true")
    assert (screen.picture("map")[0] != left_out).any()
    regularised_errors(screen)


def test_first_the_shapes_then_the_errors_then_the_truth(show):
    screen = show(RegularisedExplorer(error="none"), (1280, 720))
    assert "Smallest" not in screen.part("map").get_attribute("aria-label")  # no error is given away
    shapes = screen.picture("map")[0]
    screen.click("draw")
    assert (screen.picture("map")[0] != shapes).any()  # other points have other ellipses, in small as well
    said = []
    for pair in (0, 0), (1, 0), (0.5, 0.2), (0, 1):
        type_pair(screen, pair)
        said.append([screen.text(name).replace("\u00a0", " ") for name in ("This rule", "Its covariances")])
    assert said == [
        ["QDA", "each class has its own"],
        ["LDA", "one for all"],
        ["in between", "40 % its own, 40 % shared, 20 % diagonal"],
        ["diagonal LDA", "one for all, without correlations"],
    ]
    assert "Error" not in screen.page.get_by_label("Readouts").inner_text()
    assert screen.page.get_by_text("the best rule").count() == 0
    screen.choose(error="left out")
    errors = screen.picture("map")[0]
    screen.click("draw")
    assert (screen.picture("map")[0] != errors).any()
    assert "True error" not in screen.text("root")
    regularised_errors(screen)
    screen.choose(error="true")
    assert screen.page.get_by_text("the best rule").count() == 1
    regularised_errors(screen)


def test_a_new_sample_is_a_seed_in_the_link_and_another_follows(screen):
    screen.click("draw")
    screen.type("n-number", 60)
    link = screen.copied("copy-link")
    assert link.endswith("#points=drawn,1,20,20,20")
    other = screen.opened(link)
    assert other.values() == screen.values()
    other.click("draw")
    assert other.copied("copy-link").endswith("#points=drawn,2,20,20,20")
    assert other.values()["points"] != screen.values()["points"]


def test_a_sample_has_three_points_of_each_class_whatever_the_priors(show):
    screen = show(RegularisedExplorer(shared=0.5, priors=[0.8, 0.1, 0.1]), (1100, 1000))
    screen.click("draw")  # 18 of them would leave 2 for a class
    for n in (18, 27, 60):  # and of 27 as well: 22, 2 and 3
        screen.type("n-number", n)
        assert len(screen.points()) == max(n, 28)
        assert screen.part("n-range").input_value() == str(max(n, 28))
        assert np.unique(screen.points()[:, 2], return_counts=True)[1].min() >= 3
    screen = show(RegularisedExplorer(priors=[0.99, 0.005, 0.005]), (1100, 1000))
    before = screen.values()
    screen.click("draw")
    expect(screen.page.get_by_role("alert").filter(has_text="fewer than 3 of 200 points")).to_be_visible()
    assert screen.values() == before


def test_a_covariance_without_an_inverse_is_refused_and_mended(show):
    screen = show(RegularisedExplorer(LINE))
    for name in ("Error with one left out", "Error on the points themselves"):
        assert screen.text(name) == "refused: the covariance of a has no inverse"
    assert "True error" not in screen.text("root")
    screen.type("shared-number", 0.5)
    assert "refused" not in screen.text("Error on the points themselves")
    screen.writes_no_nonsense()


@pytest.mark.parametrize("label", "ab")
def test_a_refusal_names_the_class_that_loses_its_inverse_with_a_point(show, label):
    """Of the five points of the one class, four lie on a line; the other class would do without any of its points."""
    loose = [[0, 0], [3, 0], [0, 3], [4, 4]]
    points = [[0, 0], [1, 1], [2, 2], [3, 3], [0, 2], *(np.array(loose) + 7)]
    other = "ab".replace(label, "")
    screen = show(RegularisedExplorer((points, list(5 * label + 4 * other))))
    words = f"refused: without one of the 5 points of {label}, a covariance has no inverse"
    assert screen.text("Error with one left out") == words
    assert screen.text("Error on the points themselves").startswith("0")
    screen.type("shared-number", 0.5)
    assert "refused" not in screen.text("Error with one left out")


def test_classes_at_one_place_are_told_apart_by_nobody(show):
    """All points but two of each class lie at one place, and the classes are copies of each other."""
    n = 12
    one = np.array([[0, 1], [1, 0], *[[0, 0]] * (n - 2)])
    screen = show(RegularisedExplorer((np.tile(one, (2, 1)), np.repeat(["A", "B"], n))), (1100, 1000))
    for pair in [(0, 0), (1, 0), (0.5, 0.5)]:
        type_pair(screen, pair)
        assert screen.text("Error on the points themselves") == f"50\u00a0% ({n} of {2 * n})"
        screen.writes_no_nonsense()
        assert screen.n_colours("plane") > 5
