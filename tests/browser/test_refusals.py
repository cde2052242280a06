"""What Python sets and the browser refuses: it is said, and nothing else stands still because of it."""

import pytest
from playwright.sync_api import expect
from screen import Linked, sets

from bayeslab.explore import BoundaryExplorer, CovarianceExplorer, NeighboursExplorer, ThresholdExplorer

FOUR = ([[0, 0], [1, 1], [0, 1], [3, 2]], list("aabb"))

# How each is made, values that do not go together, and others that do.
EXPLORERS = {
    "boundary": (BoundaryExplorer, {"means": [[0, 0]]}, {"rule": "naive"}),
    "covariance": (CovarianceExplorer, {"covariance": [[1, 2], [2, 1]]}, {"cut": 0.5}),
    "neighbours": (lambda: NeighboursExplorer(FOUR), {"points": [[0, 0, 7], [1, 1, 0]]}, {"k": 3}),
    "threshold": (ThresholdExplorer, {"deviations": [1, -1]}, {"costs": [2, 3]}),
}
every = pytest.mark.parametrize("name", EXPLORERS)


@every
def test_what_is_refused_is_said_and_what_is_not_is_followed(show, name):
    make, bad, good = EXPLORERS[name]
    screen = show(Linked(make()))
    before = screen.values()
    said = screen.page.get_by_role("alert").filter(has_text="Python has set values that do not go together")
    expect(said).to_have_count(0)
    sets(screen, bad)
    expect(said).to_be_visible()
    picture = screen.part("root").screenshot()
    sets(screen, good)
    assert screen.part("root").screenshot() != picture
    expect(said).to_be_visible()
    screen.click("undo")
    assert screen.values() == before | bad
    sets(screen, {trait: before[trait] for trait in bad})
    expect(said).to_have_count(0)
    assert screen.values() == before


@every
def test_an_explorer_begins_once_its_values_go_together(show, name):
    make, bad, good = EXPLORERS[name]
    right = {trait: make().get_state([trait])[trait] for trait in bad}
    screen = show(Linked(make(), bad))
    expect(screen.page.get_by_role("alert")).to_contain_text("do not go together")
    expect(screen.page.locator("canvas")).to_have_count(0)
    assert screen.barriers() == []
    sets(screen, right)
    expect(screen.page.locator("canvas").first).to_be_visible()
    expect(screen.page.get_by_role("alert").filter(has_text="go together")).to_have_count(0)
    start = screen.values()
    sets(screen, good)
    screen.click("undo")
    assert screen.values() == start
