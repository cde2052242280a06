"""Explorers on a phone: what one and two fingers do, and whether a finger finds each handle."""

import numpy as np
import pytest
from screen import PHONE, distances, swipe, three_classes

from bayeslab import make_gaussian_pair
from bayeslab.explore import BoundaryExplorer, CovarianceExplorer, EMExplorer, NeighboursExplorer


@pytest.fixture
def phone(show):
    return lambda explorer=None: show(explorer or three_classes(), (400, 700), **PHONE)


def scrolled(screen):
    return screen.page.evaluate("scrollY")


def empty_place(screen):
    """A place of the picture far from all handles, as a pixel of the page."""
    box = screen.part("plot").bounding_box()
    handles = [screen.middle(handle) for handle in screen.page.locator("[data-bx=plot-stage] .bx-handle").all()]
    places = [np.array([x, y]) for x in range(110, 350, 20) for y in range(int(box["y"]) + 40, int(box["y"]) + 280, 20)]
    return max(places, key=lambda place: min(np.linalg.norm(place - handle) for handle in handles))


def test_a_swipe_beside_the_handles_changes_nothing(phone):
    screen = phone()
    values, picture, start = screen.values(), screen.units(), empty_place(screen)
    for way in ([110, 0], [0, -150]):
        swipe(screen, (start, start + way))
        assert screen.values() == values
        np.testing.assert_allclose(screen.units(), picture)
    assert scrolled(screen) > 100


SAMPLE = make_gaussian_pair("P1a", 20, np.random.default_rng(3))
POINTS = {  # an explorer, its plot, and two handles with their places
    "boundary": (three_classes, "plot", ("mean-0", "mean-1"), lambda values: values["means"]),
    "neighbours": (
        lambda: NeighboursExplorer(SAMPLE, query=[-2, -2]),
        "plane",
        ("query", "neighbour"),
        lambda values: [
            values["query"],
            min(values["points"], key=lambda point: np.hypot(point[0] + 2, point[1] + 2))[:2],
        ],
    ),
}


@pytest.mark.parametrize("kind", POINTS)
def test_a_finger_that_rests_on_a_point_moves_it_and_one_that_does_not_scrolls(phone, kind):
    make, plot, names, places_of = POINTS[kind]
    screen = phone(make())
    handles = [screen.page.locator(f'[data-handle="{name}"]') for name in names]
    screen.part(plot).scroll_into_view_if_needed()
    ends, places = [screen.meant(handle) for handle in handles], places_of(screen.values())
    units = np.subtract(places[1], places[0]) / (ends[1] - ends[0])
    before, top = screen.points(), scrolled(screen)
    pixels = ends[0] + (before[:, :2] - places[0]) / units
    marks = np.array([screen.middle(handle) for handle in screen.page.locator(".bx-handle").all()])
    free = np.linalg.norm(pixels[:, None] - marks, axis=2).min(axis=1)
    others = np.linalg.norm(pixels[:, None] - pixels, axis=2) + 1e9 * np.eye(len(pixels))
    i = int(np.argmax(np.minimum(free, others.min(axis=1)) * (pixels[:, 1] < 600)))

    way = np.array([10, -60])
    swipe(screen, (pixels[i], pixels[i] + way), rest=500)
    assert scrolled(screen) == top
    moved = screen.points() - before
    assert np.flatnonzero(moved.any(axis=1)).tolist() == [i]
    np.testing.assert_allclose(moved[i, :2] / units, way, atol=3)
    after = screen.points()
    start = pixels[i] + way
    swipe(screen, (start, np.add(start, [0, -150])))  # at once
    np.testing.assert_array_equal(screen.points(), after)
    assert scrolled(screen) > top + 100


def test_a_finger_that_rests_where_nothing_is_scrolls(phone):
    screen = phone(three_classes(points=[]))
    values, picture, start = screen.values(), screen.units(), empty_place(screen)
    swipe(screen, (start, np.add(start, [0, -150])), rest=500)
    assert screen.values() == values
    np.testing.assert_allclose(screen.units(), picture)
    assert scrolled(screen) > 100


def test_two_fingers_move_and_zoom_the_window(phone):
    screen, spread = phone(), 0.6
    values, units = screen.values(), screen.units()
    middle = empty_place(screen)
    place = screen.place(middle)
    half, shift = np.array([30, 0]), np.array([0, 40])
    swipe(screen, *((middle + sign * half, middle + shift + sign * spread * half) for sign in (-1, 1)))
    assert scrolled(screen) == 0
    assert screen.page.evaluate("visualViewport.scale") == 1
    assert screen.values() == values
    np.testing.assert_allclose(screen.units(), units / spread, rtol=0.02)
    # What was between the fingers still is.
    np.testing.assert_allclose(screen.place(middle + shift), place, atol=3 * np.abs(units).max())


def test_with_the_tool_pan_a_finger_moves_the_window(phone):
    screen = phone()
    screen.choose(tool="pan")
    screen.part("plot").scroll_into_view_if_needed()  # the tools are below it
    values, start = screen.values(), empty_place(screen)
    at, top = screen.at(0), scrolled(screen)
    swipe(screen, (start, np.add(start, [20, 50])))
    assert scrolled(screen) == top
    assert screen.values() == values
    np.testing.assert_allclose(screen.at(0) - at, [20, 50], atol=4)


def crowded(**traits):
    """Three classes, nearly in one place, one of them a needle."""
    traits |= {"class_names": ["A", "B", "C"], "priors": [0.3, 0.3, 0.4], "points": [[0, 0, 0], [20, 20, 1]]}
    S = [[[1, 0.99], [0.99, 1]], [[1, 0], [0, 2]], [[0.5, 0], [0, 0.5]]]
    return BoundaryExplorer(means=[[0, 0], [0.4, 0.2], [0.1, 0.5]], covariances=S, **traits)


EXPLORERS = {
    "cut": lambda: crowded(show_cut=True),
    "covariance": lambda: CovarianceExplorer(covariance=[[1, 0.95], [0.95, 1]], cut=0.1),
}


@pytest.mark.parametrize("kind", EXPLORERS)
def test_finger_and_mouse_find_each_handle(show, kind):
    assert distances(show(EXPLORERS[kind](), (400, 900), **PHONE)).min() >= 43.9
    assert distances(show(EXPLORERS[kind](), (700, 900))).min() >= 23.9


def test_a_handle_that_stepped_aside_is_dragged_as_if_it_had_not(phone):
    screen = phone(crowded())
    aside = screen.page.locator('[data-handle="mean-1"][data-aside]')
    start, before, other = screen.middle(aside), screen.mean(1), screen.mean(0)
    swipe(screen, (start, np.add(start, [50, 30])))
    moved = screen.mean(1) - before
    assert moved[0] > 0 > moved[1]
    np.testing.assert_allclose(moved[1] / moved[0], -30 / 50, rtol=0.2)
    np.testing.assert_array_equal(screen.mean(0), other)


def test_a_handle_at_the_edge_makes_the_page_no_wider(show):
    points = np.vstack([[6, 0], np.random.default_rng(0).normal(size=(50, 2))])
    screen = show(EMExplorer(points, [[6, 0], [0, 0]], [0.02, 1]), (358, 900), **PHONE)
    assert screen.page.evaluate("document.documentElement.scrollWidth") == 358
