"""What the stored notebooks print, found by words in the code or in the output, so that cells may move."""

from functools import cache
from pathlib import Path

import folds

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


@cache
def code_cells(number):
    """Return the code cells of a notebook, named by its two digits."""
    cells = folds.read(next(NOTEBOOKS.glob(f"{number}_*.ipynb"))).cells
    return [cell for cell in cells if cell.cell_type == "code"]


def texts(cell):
    """Return the texts of a cell's outputs."""
    return [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]


@cache
def all_texts(number):
    """Return the texts of all outputs of a notebook."""
    return [text for cell in code_cells(number) for text in texts(cell)]


def printed_by(number, part):
    """Return all that the first code cell prints whose source holds `part`."""
    return "\n".join(texts(next(cell for cell in code_cells(number) if part in cell.source and cell.outputs)))
