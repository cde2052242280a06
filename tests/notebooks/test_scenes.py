"""A later cell that changes an explorer which is shown is noticed; and the ways in which widgets are shown."""

import ast
from pathlib import Path

import nbformat
import pytest
from running import Reader, without_a_screen

PATHS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("[0-9]*.ipynb"))


@pytest.mark.parametrize(
    ("later", "changed"),
    [
        ("scene.rule = 'LDA'; other.rule = 'kNN'", {"a": ["rule"]}),
        ("scene.means = scene.means + 1", {"a": ["means"]}),
        ("scene.points = scene.points[:5]", {"a": ["points"]}),
        ("with scene.hold_trait_notifications():\n    scene.priors = [0.1, 0.9]", {"a": ["priors"]}),
        ("scene = other; scene.priors = [0.1, 0.9]", {}),
        ("scene.rule = 'LDA'; scene.rule = 'QDA'", {}),
    ],
)
def test_a_change_to_what_is_shown_is_noticed(later, changed):
    start = "from bayeslab.explore import BoundaryExplorer\nscene, other = BoundaryExplorer(), BoundaryExplorer()"
    sources = [f"{start}\nscene", later, "other.rule"]
    reader = Reader()
    with without_a_screen():
        cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in zip("abc", sources, strict=True)]
        reader.run(cells, "a notebook")
    assert [cell for cell, *_ in reader.shown] == ["a"]
    assert reader.changed() == changed


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_widgets_are_shown_by_a_last_expression(path):
    code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    widgets = [cell.source for cell in code if "widget" in cell.metadata.get("tags", [])]
    assert widgets
    last = [ast.parse(source).body[-1] for source in widgets]
    assert all(isinstance(each, ast.Expr) for each in last)
    others = ("interactive(", "interactive_output(", "@interact", "widgets.")
    assert [cell.id for cell in code if any(word in cell.source for word in others)] == []
