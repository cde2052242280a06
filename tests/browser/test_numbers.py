"""Extremes of numbers on the saved page: no points, two to five classes, many neighbours, any unit and offset."""

import numpy as np
import pytest
from screen import three_classes

from bayeslab import make_three_classes
from bayeslab.explore import BoundaryExplorer


def test_all_points_of_one_class_are_deleted(show):
    points = [*BoundaryExplorer().points[:75], [5, 5, 1], [4, 6, 1], [6, 4.5, 1]]
    screen = show(BoundaryExplorer(points=points))
    screen.choose(tool="delete")
    for _ in range(3):
        place = screen.points()[-1, :2]
        screen.page.mouse.click(*screen.pixel(place))
        screen.settle()
    assert len(screen.points()) == 75
    screen.choose(mode="estimate")
    assert screen.text("problem") == "No decision: class B has no points."
    assert screen.text("sample-error") == "no decision"
    screen.survives_every_rule()
    screen.click("clear")
    screen.survives_every_rule()
    screen.choose(mode="truth", rule="LDA")
    assert screen.text("sample-error") == "no points"
    screen.click("draw")
    screen.choose(mode="estimate", rule="QDA")
    assert screen.text("problem") == ""
    screen.shows_what_python_computes()


def test_two_to_five_classes(show):
    screen = show(BoundaryExplorer())
    assert screen.part("remove-0").is_disabled()
    screen.click("side_by_side")
    for K in [3, 4, 5]:
        screen.click("add-class")
        assert screen.page.locator(".bx-handle").count() == 3 * K
        assert sum(screen.values()["priors"]) == pytest.approx(1)
        screen.shows_what_python_computes()
    assert screen.part("add-class").is_disabled()
    screen.survives_every_rule()
    names = screen.values()["class_names"]
    for _ in range(3):
        screen.click("remove-1")
    assert screen.values()["class_names"] == [names[0], names[4]]
    screen.shows_what_python_computes()


def test_more_neighbours_than_points(show):
    screen = show(three_classes(5, rule="kNN"))
    for k, most in [(999, 999), (1, 1), (5000, 999), (0, 1), ("", 1)]:
        screen.type("k", k)
        assert screen.values()["k"] == most
    assert (screen.confusion() == 5 * np.eye(3)).all()  # k = 1: each point is its own neighbour
    screen.type("k", 15)
    assert (screen.confusion()[:, 0] == 5).all()  # all vote, a tie: the first class


@pytest.mark.parametrize(("scale", "offset"), [(1e-9, 0), (1e9, 0), (1, 1e6), (1e-3, -1e3)])
def test_units_and_offsets_change_nothing(show, scale, offset):
    dataset = make_three_classes(30, np.random.default_rng(0))
    screen = show(BoundaryExplorer((scale * dataset.X + offset, dataset.y)))
    screen.shows_what_python_computes()
    before = screen.mean(0)
    screen.handle(0).press("Shift+ArrowRight")
    screen.settle()
    assert screen.mean(0)[0] > before[0]
    screen.shows_what_python_computes()
    screen.survives_every_rule()
