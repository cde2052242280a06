"""The solution of every exercise, as its notebook stores it, is right."""

import ast
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


KEPT = ast.Import | ast.ImportFrom | ast.FunctionDef


def solutions():
    """Yield the solution of every exercise, up to its check, with what its notebook imports and defines before."""
    for path in NOTEBOOKS:
        before = []
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type != "code":
                continue
            body = ast.parse(cell.source).body
            if "solution" in cell.metadata.get("tags", []) and "check(" in cell.source:
                last = next(i for i, node in enumerate(body) if ast.unparse(node).startswith("check("))
                yield ast.Module(before + body[: last + 1], []), body[last].value.args[0].value
            before += [node for node in body if isinstance(node, KEPT)]


@pytest.mark.parametrize(("module", "number"), list(solutions()))
def test_the_solution_in_the_notebook_is_right(capsys, module, number):
    exec(compile(module, "solution", "exec"), {})
    assert capsys.readouterr().out == f"{number} done.\n"
