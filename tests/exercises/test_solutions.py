"""The solution of every exercise, as its notebook stores it, is right."""

import ast
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


def solutions():
    """Yield the solution of every exercise, up to its check, with the imports of its notebook."""
    for path in NOTEBOOKS:
        code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        setup = next((cell.source for cell in code if "from bayeslab.checks import check" in cell.source), "")
        imports = [node for node in ast.parse(setup).body if isinstance(node, ast.Import | ast.ImportFrom)]
        for cell in code:
            if "solution" in cell.metadata.get("tags", []) and "check(" in cell.source:
                body = ast.parse(cell.source).body
                last = next(i for i, node in enumerate(body) if ast.unparse(node).startswith("check("))
                yield ast.Module(imports + body[: last + 1], []), body[last].value.args[0].value


@pytest.mark.parametrize(("module", "number"), list(solutions()))
def test_the_solution_in_the_notebook_is_right(capsys, module, number):
    exec(compile(module, "solution", "exec"), {})
    assert capsys.readouterr().out == f"{number} done.\n"
