"""The course works on this computer: the first code cell of each notebook runs, and an explorer writes its page."""

import contextlib
from pathlib import Path

import nbformat
import pytest

from bayeslab import load_iris
from bayeslab.explore import BoundaryExplorer

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("[0-9][0-9]_*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_can_begin(path):
    """Run the cell with the imports; what you have written into the others does not matter."""
    setup = next(cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    with contextlib.chdir(path.parent):
        exec(compile(setup.source, path.name, "exec"), {"__name__": "__main__"})


def test_an_explorer_writes_its_page(tmp_path):
    """Save the one with the irises' petals, which needs no Python to be dragged."""
    petals = load_iris().select("petal length", "petal width")
    BoundaryExplorer(petals, rule="LDA").save(tmp_path / "explorer.html")
    assert (tmp_path / "explorer.html").stat().st_size > 10_000
