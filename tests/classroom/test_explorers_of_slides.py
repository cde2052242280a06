"""The pages of explorers on slides: those of a lecture, in large type."""

import json
import re

import nbformat
from explorers import VIEW, save_explorers
from nbformat.v4 import new_code_cell, new_notebook, new_output
from test_slides import PNG


def test_those_of_a_lecture_are_compact(tmp_path):
    shown = new_output(
        "execute_result",
        {VIEW: {}, "image/png": PNG, "text/plain": "CovarianceExplorer(1, 0.6)"},
        execution_count=1,
    )
    cell = new_code_cell(
        "from bayeslab.explore import CovarianceExplorer\nCovarianceExplorer()", outputs=[shown], id="plane"
    )
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "05_x.ipynb")
    pages = save_explorers([tmp_path / "05_x.ipynb"], tmp_path / "pages", compact=True)
    assert pages == {"plane": "plane.html"}
    text = (tmp_path / "pages" / "plane.html").read_text(encoding="utf-8")
    state = json.loads(re.search(r'id="state">(.*?)</script>', text, re.DOTALL)[1])
    assert state["compact"] is True
