"""Save the page of each explorer that a notebook shows: what of the notebooks needs Python to be shown."""

import os
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import nbformat
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from bayeslab.explore import BoundaryExplorer

FRAME = Path(__file__).parent / "site_files" / "explorer.html"
VIEW = "application/vnd.jupyter.widget-view+json"


def shows_explorer(cell):
    """Tell whether a cell's stored output is an explorer that can live without Python."""
    outputs = [output.get("data", {}) for output in cell.get("outputs", [])]
    return any(VIEW in data and data.get("text/plain", "").startswith("BoundaryExplorer(") for data in outputs)


def save_explorers(paths, folder):
    """Run what notebooks need for their explorers; return page by id of the cell, relative to the folder."""
    todo = [path for path in paths if any(map(shows_explorer, nbformat.read(path, as_version=4).cells))]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        pages = pool.map(_run, [path.resolve() for path in todo], [folder.resolve()] * len(todo))
        return {cell: page for of_notebook in pages for cell, page in of_notebook.items()}


def _run(path, folder):
    """Run the code of one notebook up to its last explorer, without a kernel, and save each as it is first shown."""
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    last = max(place for place, cell in enumerate(cells) if shows_explorer(cell))
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(path.parent)
    mpl.use("agg")
    warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")
    shell, pages = InteractiveShell.instance(), {}
    for cell in cells[: last + 1]:
        with capture_output():
            result = shell.run_cell(cell.source)
            plt.close("all")
        if not result.success and "raises-exception" not in cell.metadata.get("tags", []):
            raise RuntimeError(f"{path.name}, cell {cell.id}: {result.error_before_exec or result.error_in_exec!r}")
        if shows_explorer(cell):
            if not isinstance(result.result, BoundaryExplorer):
                raise RuntimeError(f"{path.name}, cell {cell.id}: its last line is no explorer")
            page = folder / f"{cell.id}.html"
            result.result.save(page)
            text = page.read_text(encoding="utf-8").replace("</body>", FRAME.read_text(encoding="utf-8"))
            page.write_text(text, encoding="utf-8")
            pages[cell.id] = page.name
    return pages
