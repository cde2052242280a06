"""Explorers of a lecture in JupyterLab on a projector: each fits between Lab's bars, beside others on the page."""

import pytest
from lab import notebook_of

CODES = [
    "from bayeslab import load_penguins, make_gaussian_pair\nfrom bayeslab.explore import *",
    'BoundaryExplorer(load_penguins().select("bill length", "bill depth"), "LDA", compact=True)',
    'import numpy as np\nX = make_gaussian_pair("P1b", 100, np.random.default_rng(0)).X\n'
    "EMExplorer(X, X[:2], compact=True)",
    "ThresholdExplorer(compact=True)",
]


@pytest.fixture(scope="module")
def lecture(run_in_lab):
    return run_in_lab("lecture.ipynb", notebook_of(CODES), 1280, 720)


@pytest.mark.parametrize("sidebar", [True, False])
@pytest.mark.parametrize("cell", [1, 2, 3])
def test_a_compact_explorer_fits_between_the_bars(lecture, cell, sidebar):
    page = lecture.page
    if page.locator("#jp-left-stack").is_visible() != sidebar:
        lecture.command("application:toggle-left-area")
    root = page.locator(".jp-Notebook .jp-Cell").nth(cell).locator(".bx-root")
    root.scroll_into_view_if_needed()
    page.wait_for_timeout(800)
    assert root.bounding_box()["height"] <= page.locator(".jp-WindowedPanel-outer").bounding_box()["height"]
    heights = [canvas.bounding_box()["height"] for canvas in root.locator("canvas").all() if canvas.is_visible()]
    assert min(heights) > 200
    if cell > 1:  # numbers stand side by side, as on a page of their own
        places = [name.bounding_box()["y"] for name in root.locator("dt").all() if name.is_visible()]
        assert places[0] == places[1] == places[2]
    if cell == 3:  # which the boundary explorer on the same page does not hide
        assert root.locator('[data-bx="mode"]').is_visible()
