"""Everything that the source texts hold, right or wrong, has a cell that teaches it."""

from pathlib import Path

import nbformat
import pytest
from concordance import ERRATA, PLACES, ROWS

PATHS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
CELLS = [(path, cell) for path in PATHS for cell in nbformat.read(path, as_version=4).cells]
APPENDIX = {name for path, cell in CELLS if path.stem[:2] == "A1" for name in cell.metadata.get("covers", [])}
COVERED = {name for _, cell in CELLS for name in cell.metadata.get("covers", [])}


@pytest.mark.parametrize("name", PLACES)
def test_every_row_and_erratum_has_a_cell(name):
    number, what = (ROWS | ERRATA)[name]
    assert name in COVERED, f"no cell covers {name} ({what}), which belongs to notebook {number}"


def test_the_appendix_has_every_erratum():
    assert set(ERRATA) - APPENDIX == set()


def test_cells_cover_what_there_is():
    named = [(cell.id, name) for _, cell in CELLS for name in cell.metadata.get("covers", [])]
    assert [pair for pair in named if pair[1] not in PLACES] == []
