"""Save the page of each explorer that a notebook shows: what of the notebooks needs Python to be shown."""

import ast
import os
import re
import symtable
import warnings
from base64 import b64decode
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

import folds
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from PIL import Image

from bayeslab.explore._canvas_explorer import CanvasExplorer

FRAME = Path(__file__).parent / "site_files" / "explorer.html"
VIEW = "application/vnd.jupyter.widget-view+json"


def stored_picture(cell):
    """Return the stored picture of a cell that shows an explorer which can live without Python, else None."""
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if VIEW in data and re.match(r"\w+Explorer\(", data.get("text/plain", "")):
            return data["image/png"]
    return None


def alone(page):
    """Name of the page on which an explorer of a notebook is alone, with everything."""
    return page.replace(".html", "-alone.html")


def save_explorers(paths, folder, and_alone=False):
    """Run what notebooks need for their explorers; return page by id of the cell, relative to the folder.

    They are compact, for a page or a slide around them; `alone` names others, with everything, if there are to be any.
    """
    todo = [path for path in paths if any(map(stored_picture, folds.read(path).cells))]
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        pages = pool.map(_save, [path.resolve() for path in todo], repeat(folder.resolve()), repeat(and_alone))
        return {cell: page for of_notebook in pages for cell, page in of_notebook.items()}


def save_framed(explorer, page, style=""):
    """Save the page of an explorer that a page of the site shows in a frame, with more style if need be."""
    explorer.save(page)
    text = page.read_text(encoding="utf-8").replace("</body>", style + FRAME.read_text(encoding="utf-8"))
    page.write_text(text, encoding="utf-8")


def cells_for(cells, place):
    """List the code cells that the one in this place seems to need: those that bind its names, and what they need."""
    wanted, kept = set(), []
    for cell in reversed(cells[: place + 1]):
        bound, needed = names_of(cell.source)
        drawn = needed & {"rng"}  # whoever draws changes what is drawn next
        if not kept or (bound | drawn) & wanted:
            kept.append(cell)
            wanted = wanted - bound | needed
    return kept[::-1]


def names_of(source):
    """Return the names that a cell binds, and those that it takes from cells before it."""
    bound, needed = set(), set()
    for statement in ast.parse(source).body:
        tables = [symtable.symtable(ast.unparse(statement), "cell", "exec")]
        for table in tables:
            tables += table.get_children()
        targets = [each.target for each in ast.walk(statement) if isinstance(each, ast.comprehension)]
        local = {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
        stored = {name.get_name() for name in tables[0].get_symbols() if name.is_assigned() or name.is_imported()}
        names = [name for table in tables for name in table.get_symbols() if name.is_global()]
        used = {name.get_name() for name in names if name.is_referenced()}
        if isinstance(statement, ast.AugAssign):
            used |= stored
        elif not isinstance(statement, ast.Assign):  # a loop binds its names before it uses them
            used -= stored
        needed |= used - bound - local
        bound |= stored - local
    return bound, needed


def _save(path, folder, and_alone):
    """Save a notebook's explorers as they are first shown; return the names of the pages by cell."""
    cells = [cell for cell in folds.read(path).cells if cell.cell_type == "code"]
    os.chdir(path.parent)
    mpl.use("agg")
    warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")
    shell, pages = InteractiveShell.instance(), {}
    shell.display_formatter.mimebundle_formatter.enabled = False  # nobody sees the pictures that cells would draw
    for place, cell in enumerate(cells):
        if not stored_picture(cell):
            continue
        explorer = _run(shell, cells_for(cells, place))
        if explorer is None or not _looks_as_stored(explorer, cell):
            explorer = _run(shell, cells[: place + 1])
        if explorer is None:
            raise RuntimeError(f"{path.name}: the explorer of cell {cell.id} cannot be made again")
        explorer.compact = True
        page = folder / f"{cell.id}.html"
        save_framed(explorer, page)
        if and_alone:
            explorer.compact = False
            explorer.save(folder / alone(page.name))
        pages[cell.id] = page.name
    return pages


def _looks_as_stored(explorer, cell):
    """Tell whether an explorer is the one that was stored: then all that matters to it has been run."""
    pngs = explorer._picture(), b64decode(stored_picture(cell))
    ours, stored = (np.asarray(Image.open(BytesIO(png)).convert("RGB"), dtype=int) for png in pngs)
    if ours.shape[1] != stored.shape[1]:
        return False
    height = min(len(ours), len(stored)) - 6  # below, the stored one has a note
    return np.abs(ours[:height] - stored[:height]).max() < 80  # of 255: stored are 256 colours only


def _run(shell, cells):
    """Run cells from a clean start, without a kernel; return the explorer that the last one shows, None if none."""
    shell.reset(new_session=False)
    for cell in cells:
        with capture_output():
            result = shell.run_cell(cell.source)
            plt.close("all")
        if not result.success and "raises-exception" not in cell.metadata.get("tags", []):
            return None
    return result.result if isinstance(result.result, CanvasExplorer) else None
