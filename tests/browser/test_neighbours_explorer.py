"""What is particular to the neighbours explorer: points to drag, every k, and the regions of the vote."""

import numpy as np
import pytest
from playwright.sync_api import expect
from readouts import neighbours_of, votes_and_errors

from bayeslab import load_iris, make_gaussian_pair
from bayeslab.explore import NeighboursExplorer

SHELF = make_gaussian_pair("P1a", 50, np.random.default_rng(11))
SIX = ([[0, 0], [1, 0], [0, 1], [4, 4], [5, 4], [4, 5]], list("aaabbb"))


@pytest.fixture
def screen(show):
    return show(NeighboursExplorer(SHELF, query=[0.5, 0.2]), (1100, 900))


def nearest(screen):
    explorer = neighbours_of(screen)
    return int(np.hypot(*(explorer.X - explorer.query).T).argmin())


def pixel(screen, places):
    """Where places of the plane are on the page, by the two handles in it."""
    ends = [np.array(screen.values()["query"]), screen.points()[nearest(screen), :2]]
    at = [screen.meant(screen.named(name)) for name in ("query", "neighbour")]
    return at[0] + (np.asarray(places) - ends[0]) * (at[1] - at[0]) / (ends[1] - ends[0])


def test_any_point_is_dragged_and_taken_back(screen):
    before = screen.points()
    i = int(before[:, 1].argmax())
    start = pixel(screen, before[i, :2])
    screen.drag(start, [30, 80])
    after = screen.points()
    assert np.flatnonzero((after != before).any(axis=1)).tolist() == [i]
    assert after[i, 1] < before[i, 1]
    assert after[i, 2] == before[i, 2]
    votes_and_errors(screen)
    screen.page.keyboard.press("Control+z")
    np.testing.assert_array_equal(screen.points(), before)
    screen.drag(pixel(screen, [3.4, -2.4]), [20, 20])  # where nothing is
    np.testing.assert_array_equal(screen.points(), before)
    screen.page.mouse.move(*pixel(screen, before[i, :2]))
    screen.page.mouse.down()
    screen.page.mouse.move(300, 300, steps=4)
    assert (screen.points() != before).any()
    screen.page.keyboard.press("Escape")
    screen.page.mouse.up()
    np.testing.assert_array_equal(screen.points(), before)


def test_keys_move_the_piece_its_neighbour_and_k(screen):
    before, i = screen.points(), nearest(screen)
    screen.named("neighbour").press("ArrowUp")
    screen.named("neighbour").press("Shift+ArrowUp")
    changed = np.flatnonzero((screen.points() != before).any(axis=1))
    assert changed.tolist() == [i]  # the same all the time, though it is no longer the nearest
    screen.named("query").press("ArrowLeft")
    assert screen.values()["query"][0] < 0.5
    for key, k in ("ArrowRight", 16), ("ArrowRight", 17), ("ArrowLeft", 16), ("Shift+ArrowRight", 23):
        screen.named("count").press(key)
        assert screen.values()["k"] == k
    screen.type("k-number", 41)
    assert screen.values()["k"] == 41
    votes_and_errors(screen)
    assert "True error" not in screen.text("root")  # which is to be found
    screen.click("answer")
    assert screen.text("True error").endswith("at best 24.6\u00a0%")


@pytest.mark.parametrize("k", [1, 9])
def test_regions_are_those_of_the_vote(show, k):
    """Colours of the canvas, at places away from points, lines and handles, after a point has moved far."""
    screen = show(NeighboursExplorer(SHELF, k=k, query=[0.5, 0.2]), (1100, 900))
    screen.named("neighbour").focus()
    for _ in range(3):
        screen.page.keyboard.press("Shift+ArrowRight")
    screen.named("query").press("ArrowRight")  # which has another nearest neighbour now
    screen.settle()
    screen.page.wait_for_function("window.pending.size === 0")  # and the finer cells of what is at rest
    picture, corner = screen.picture("plane")
    explorer, rng = neighbours_of(screen), np.random.default_rng(k)
    places = rng.uniform([-2, -2], [3, 3], (300, 2))
    decided = explorer.classifier().predict(places)
    seen = {}
    pixels = np.round(pixel(screen, places) - corner).astype(int)
    for (column, row), label in zip(pixels, decided, strict=True):
        patch = picture[row - 2 : row + 3, column - 2 : column + 3].reshape(-1, 3)
        if len(np.unique(patch, axis=0)) == 1:  # nothing but the region, whose boundary is drawn to a few pixels
            seen.setdefault(tuple(patch[0]), []).append(label)
    assert sum(map(len, seen.values())) > 50
    main = sorted(seen.values(), key=len)[-2:]
    for labels in main:
        assert max(np.mean(np.array(labels) == name) for name in (0, 1)) > 0.97


def test_data_without_a_truth_and_points_at_one_place(show):
    screen = show(NeighboursExplorer(load_iris().select("petal length", "petal width"), k=1))  # many petals are equal
    assert "True error" not in screen.text("root")
    screen.type("k-number", 65)
    screen.writes_no_nonsense()
    few = show(NeighboursExplorer(SIX, k=65))
    assert few.part("k-number").input_value() == "5"
    votes_and_errors(few)


def test_an_arrow_key_makes_a_whole_step_where_a_hundredth_of_the_window_is_none(show):
    screen = show(NeighboursExplorer(SIX, k=3))
    for key, k in ("ArrowRight", 4), ("ArrowRight", 5), ("ArrowRight", 5), ("ArrowLeft", 4):
        screen.named("count").press(key)
        assert screen.values()["k"] == k
    expect(screen.part("live")).to_contain_text("4 neighbours vote")


@pytest.mark.parametrize(("k", "query"), [(65, [0.5, 0.2]), (40, [-9, 9])])
def test_there_is_room_for_the_circle(show, k, query):
    screen = show(NeighboursExplorer(SHELF, k=k, query=query), (1280, 720))
    radius = float(screen.text("Radius of the circle"))
    box = screen.part("plane").bounding_box()
    left, top = pixel(screen, np.add(query, [-radius, radius]))
    right, bottom = pixel(screen, np.add(query, [radius, -radius]))
    assert box["x"] + 54 < left < right < box["x"] + box["width"] - 8
    assert box["y"] + 8 < top < bottom < box["y"] + box["height"] - 44
