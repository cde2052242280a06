"""Readers change a flower, a seed or a size, and run all cells: every cell runs, except where an error is meant.

Where a notebook repeats much, they repeat less often, too, as somebody does who doesn't want to wait.
"""

import contextlib
import re
from pathlib import Path

import ipywidgets
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pandas as pd
import pytest
from running import Reader, Recorder, without_a_screen

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
OFTEN = re.compile(
    r"(for (?:_|seed) in range\(|n_repeats=|n_splits=|\+ np\.arange\(|shuffle_splits\(\w+, "
    r"|\blearn(?:ing_curve)?\([^()]*, )(\d{2,})\b"
)
# Of each notebook, a line that makes its first data, or draws them, and what a reader may write instead.
LONGER = "iris = load_iris()\niris.X[50:55] += 0.4"
SEPALS = 'iris = load_iris().select("sepal length", "sepal width")'
TUMOURS = 'tumours = load_tumours().select("worst area", "worst texture", "worst concave points")'
CHANGES = {
    "00": ("new = np.array([5.2, 4.7])", "new = np.array([1.4, 0.2])"),
    "01": ("iris = load_iris()", LONGER),
    "02": (SEPALS, f"{SEPALS}\niris.X[:5] += 0.4"),
    "03": ("iris = load_iris()", LONGER),
    "04": ("iris = load_iris()", LONGER),
    "05": ('load_penguins().select("bill length", "bill depth")', 'load_penguins().select("bill length", "body mass")'),
    "06": (
        'make_gaussian_pair("P1b", 100, np.random.default_rng(6))',
        'make_gaussian_pair("P1b", 60, np.random.default_rng(66))',
    ),
    "07": ("iris = load_iris()", LONGER),
    "08": ("iris = load_iris()", LONGER),
    "09": (TUMOURS, f"{TUMOURS}\ntumours.X[:5] *= 1.2"),
    "10": ("tumours = load_tumours()", "tumours = load_tumours()\ntumours.X[:5] *= 1.2"),
    "11": ("seed = 11", "seed = 12"),
    "12": ("tumours = load_tumours()", "tumours = load_tumours()\ntumours.X[:5] *= 1.2"),
    "13": (
        "splits = shuffle_splits(y, 10, np.random.default_rng(13)",
        "splits = shuffle_splits(y, 3, np.random.default_rng(31)",
    ),
    "14": ("np.random.default_rng(14)", "np.random.default_rng(41)"),
    "15": ("np.random.default_rng(15)", "np.random.default_rng(51)"),
    "16": ("folds = k_fold(y, 10, np.random.default_rng(16)", "folds = k_fold(y, 8, np.random.default_rng(61)"),
    "17": ("rng = np.random.default_rng(i)", "rng = np.random.default_rng(i + 100)"),
    "18": ("rng = np.random.default_rng(18)", "rng = np.random.default_rng(81)"),
    "19": ('make_gaussian_pair("P1a", 60, rng)', 'make_gaussian_pair("P1a", 40, rng)'),
    "20": ("np.random.default_rng(20)", "np.random.default_rng(21)"),
    "A1": ("iris = load_iris()", LONGER),
}


def test_the_template_for_your_own_data_has_the_nine_steps_of_notebook_20_and_runs():
    template = NOTEBOOKS / "templates" / "own_data.ipynb"
    ours, lesson = (nbformat.read(path, as_version=4).cells for path in (template, next(NOTEBOOKS.glob("20_*.ipynb"))))
    steps = [cell.source.partition(". ")[2] for cell in ours if cell.source.startswith("## ")]
    assert steps == [cell.source.removeprefix("## ★ ") for cell in lesson if cell.source.startswith("## ★ ")]
    assert [cell.outputs for cell in ours if cell.cell_type == "code" and cell.outputs] == []
    reader = Reader()
    with without_a_screen(), contextlib.chdir(template.parent):
        for cell in ours:
            if cell.cell_type == "code":
                reader.run_cell(cell, f"<{template.name}, cell {cell.id}>")
                plt.close("all")


def tables():
    """Three tables of a reader, in each what another one has not."""
    rng = np.random.default_rng(0)
    few = pd.DataFrame(rng.normal(size=(31, 3)), columns=["Länge", "Breite", "Höhe"]).round(2)
    few["Höhe"] = few["Höhe"].where(few["Breite"] > -0.5)  # in many rows a gap
    few["Art"] = [*range(1, 7)] * 5 + [9]  # six classes, and one of a single row
    yield "few", few, {"sep": ";", "decimal": ",", "encoding": "cp1252"}, "Art", []
    apart = pd.DataFrame({"x": [*rng.normal(size=60), *rng.normal(40, 1, 60)], "true": [False] * 60 + [True] * 60})
    yield "apart", apart, {"sep": "\t"}, "true", []
    kinds = np.repeat(["a", "b", "c"], [30, 20, 50])
    text = pd.DataFrame({"Id": range(100), "p": rng.normal(size=100), "q": rng.gamma(2, size=100)})
    text["sex"] = ["f", "m", "m", "f"] * 25
    text.loc[3, "p"] = np.nan
    yield "text", text.assign(kind=np.where(np.arange(100) == 7, None, kinds)), {"sep": ","}, "kind", ["Id"]


@pytest.mark.filterwarnings("ignore:dropped|columns left out|missing cells|classes of")
@pytest.mark.parametrize(("name", "frame", "reading", "label", "leave_out"), [*tables()], ids=["few", "apart", "text"])
@pytest.mark.parametrize(("path", "cell_id"), [("20_your_own_data", "20-05"), ("templates/own_data", "own-1b")])
def test_one_cell_takes_a_table_of_ones_own(tmp_path, path, cell_id, name, frame, reading, label, leave_out):
    frame.to_csv(tmp_path / name, index=False, **reading)
    path = NOTEBOOKS / f"{path}.ipynb"
    lines = {"file": str(tmp_path / name), "reading": reading, "label": label, "features": None, "leave_out": leave_out}
    reader, recorder = Reader(), Recorder()
    with without_a_screen() as patch, contextlib.chdir(path.parent):
        patch.setattr(ipywidgets, "interact", recorder)
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.id == cell_id:
                cell.source += "".join(f"\n{key} = {value!r}" for key, value in lines.items())
                if "sex" in frame:
                    cell.source += "\nprepare = lambda its: its.assign(sex=its['sex'].map({'f': 0, 'm': 1}))"
            if cell.cell_type == "code":
                reader.run_cell(cell, f"<{path.name}, cell {cell.id}>")
                plt.close("all")


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_changed_notebook_runs_to_the_end(path):
    """Without a kernel, and without storing pictures, which takes most of the time; processes aren't started."""
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    cells = [cell for cell in cells if "cluster" not in cell.metadata.get("tags", [])]
    old, new = CHANGES[path.stem[:2]]
    changed = next(cell for cell in cells if old in cell.source)
    changed.source = changed.source.replace(old, new, 1)
    for cell in cells:
        cell.source = OFTEN.sub(lambda found: found[1] + str(int(found[2]) // 10 + 2), cell.source)
    reader, recorder, failed = Reader(), Recorder(), {}
    with without_a_screen() as patch, contextlib.chdir(path.parent):
        for name in ("interact", "interactive"):
            patch.setattr(ipywidgets, name, recorder)
        for cell in cells:
            try:
                reader.run_cell(cell, f"<{path.name}, cell {cell.id}>")
            except Exception as error:
                failed[cell.id] = repr(error)
            plt.close("all")
    assert failed == {}
