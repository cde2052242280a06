"""The small explorers in JupyterLab: each appears, is dragged, and Python follows there and back."""

import json

import numpy as np
import pytest
from lab import notebook_of
from screen import Screen

SETUP = """
import json
import numpy as np
from bayeslab import make_gaussian_pair
from bayeslab.explore import *

shelf = make_gaussian_pair("P1a", 30, np.random.default_rng(0))
"""

# How each is made, a handle, and the trait that it moves.
EXPLORERS = {
    "covariance": ("CovarianceExplorer()", "axis-1", "covariance"),
    "threshold": ("ThresholdExplorer()", "threshold-0", "thresholds"),
    "likelihood": ("LikelihoodExplorer()", "mean", "mean"),
    "em": ("EMExplorer(shelf.X, [[0, 0], [1, 1]])", "start-0", "starts"),
    "neighbours": ("NeighboursExplorer(shelf)", "query", "query"),
}


@pytest.fixture(scope="module")
def notebook(run_in_lab):
    """A notebook with a cell for each explorer, opened and run in JupyterLab."""
    codes = [SETUP, *(f"{name} = {how}\n{name}" for name, (how, *_) in EXPLORERS.items())]
    return run_in_lab("small.ipynb", notebook_of(codes), 1400, 1300)


class Cell(Screen):
    """One of several explorers in a notebook."""

    def __init__(self, notebook, name):
        self.notebook, self.page, self.name = notebook, notebook.page, name
        _, handle, self.trait_name = EXPLORERS[name]
        self.selector = f'[data-handle="{handle}"]'  # no other explorer has one of that name
        self.cell = notebook.page.locator(".jp-Notebook .jp-Cell").nth(list(EXPLORERS).index(name) + 1)
        self.cell.scroll_into_view_if_needed()
        self.cell.locator(".bx-root[data-theme]").wait_for()
        self.settle()

    def part(self, name):
        return self.cell.locator(f'[data-bx="{name}"]')

    @property
    def held(self):
        return self.cell.locator(self.selector)

    def trait(self):
        """Value of the trait, as Python has it."""
        code = f"print(json.dumps(np.asarray({self.name}.{self.trait_name}).tolist()))"
        return np.array(json.loads(self.notebook.printed(code)))


@pytest.fixture(params=EXPLORERS)
def cell(notebook, request):
    return Cell(notebook, request.param)


def test_it_appears_and_python_follows_a_drag_and_the_way_back(cell):
    assert cell.notebook.outputs("error") == []
    assert cell.cell.locator("canvas").first.is_visible()
    start = cell.trait()
    cell.held.scroll_into_view_if_needed()
    at = cell.middle(cell.held)
    cell.drag(at, [40, -25])
    moved = cell.trait()
    assert not np.allclose(moved, start)
    assert abs(cell.middle(cell.held) - at).max() > 10
    cell.page.keyboard.press("Control+z")
    cell.settle()
    np.testing.assert_array_equal(cell.trait(), start)
    np.testing.assert_allclose(cell.middle(cell.held), at, atol=1)
    cell.page.keyboard.press("Control+Shift+z")
    cell.settle()
    np.testing.assert_array_equal(cell.trait(), moved)


def test_arrow_keys_move_the_handle_and_not_the_notebook(cell):
    start = cell.trait()
    cell.notebook.select_cell_of(cell.selector)
    selected = cell.notebook.selected_cell()
    cell.held.focus()
    cell.page.keyboard.press("Shift+ArrowRight")
    cell.settle()
    assert not np.allclose(cell.trait(), start)
    assert cell.held.evaluate("(handle) => document.activeElement === handle")
    cell.page.keyboard.press("Control+z")
    cell.settle()
    np.testing.assert_array_equal(cell.trait(), start)
    assert cell.notebook.selected_cell() == selected


def test_the_screen_shows_what_python_sets_and_the_handle_in_use_keeps_the_focus(notebook):
    cell = Cell(notebook, "likelihood")
    cell.held.focus()
    notebook.printed("likelihood.style = 2; likelihood.mean = 2.5")
    cell.settle()
    assert "2.5" in cell.held.get_attribute("aria-label")
    assert cell.held.evaluate("(handle) => handle.style.getPropertyValue('--class')") == "var(--class-2)"
    assert cell.held.evaluate("(handle) => document.activeElement === handle")
