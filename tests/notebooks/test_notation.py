"""Notebook 00 has a table of notation: the notebooks use what it lists, and nothing that stands for the same."""

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
MATHS = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)
TOKEN = re.compile(r"\\[A-Za-z]+|\\?[^\s{}]")
SPACING = {"\\,", "\\;", "\\!", "\\bigl", "\\bigr", "\\Bigl", "\\Bigr", "\\big", "\\Big"}
# What isn't written, in maths and in code, and what is written instead.
INSTEAD_OF = {
    r"P _ [ABk]\b|\\lambda _ k\b": "a prior and the weight of a component are π_k, π_A, π_B",
    r"D _ [ijk](?! \^ 2)": "D is a distance, and the discriminant is g_k",
    r"(?<!\S)e \^": r"the exponential is \exp(·)",
}
INSTEAD_OF_NAMES = re.compile(r"(?<!\w)(P_[ABk]|λ_k)(?!\w)")


def maths(source):
    """Return the formulas of a Markdown text as tokens with a blank between them, without braces and spacing."""
    found = ["".join(pair) for pair in MATHS.findall(CODE.sub("", source))]
    return [" ".join(token for token in TOKEN.findall(text) if token not in SPACING) for text in found]


def read(path):
    return nbformat.read(path, as_version=4).cells


def is_table(cell):
    return "| maths | code | meaning |" in cell.source


(TABLE,) = (cell.source for cell in read(PATHS[0]) if is_table(cell))
ROWS = [line.strip("| ").split(" | ") for line in TABLE.split("|---|---|---|\n")[1].split("\n\n")[0].splitlines()]


@pytest.fixture(scope="module")
def cells():
    return [cell for path in PATHS for cell in read(path) if not is_table(cell)]


@pytest.fixture(scope="module")
def formulas(cells):
    return [text for cell in cells if cell.cell_type == "markdown" for text in maths(cell.source)]


@pytest.fixture(scope="module")
def code(cells):
    package = [path.read_text(encoding="utf-8") for path in (ROOT / "bayeslab").glob("*.py")]
    return "\n".join(package + [cell.source for cell in cells if cell.cell_type == "code"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_notebooks_use_each_line_of_the_table(row, formulas, code):
    assert len(row) == 3
    symbols = [symbol.removesuffix(" \\cdot )") for symbol in maths(row[0])]
    unused = [symbol for symbol in symbols if not any(f" {symbol} " in f" {text} " for text in formulas)]
    names = re.findall(r"`([^`]*)`", row[1])
    unknown = [name for name in names if not re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", code)]
    assert (unused, unknown) == ([], [])


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_one_thing_has_one_symbol(path):
    wrong = []
    for cell in read(path):
        for text in maths(cell.source) if cell.cell_type == "markdown" else []:
            wrong += [(cell.id, text, why) for pattern, why in INSTEAD_OF.items() if re.search(pattern, text)]
        names = set(INSTEAD_OF_NAMES.findall(MATHS.sub("", cell.source)))
        wrong += [(cell.id, name) for name in names]
    assert wrong == []
