"""What would hurt a reader of a notebook: a spoiled prediction, a figure without words, a stub that lacks a solution.

That its code runs and prints what is stored is checked by nbval, which pytest applies to notebooks/ itself.
"""

import ast
import re
from pathlib import Path

import folds
import nbformat
import pytest
from refresh_notebooks import install_on_colab

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CHECK = re.compile(r"\bcheck\(\s*[\"'](\d+\.\d+)[\"']")
ABSOLUTE_PATH = re.compile(r"(?<![\w.~-])(?:/(?:home|Users|root|tmp|var|opt|usr|private|mnt)/|[A-Z]:\\)")


class Notebook:
    """A stored notebook and what the tests ask of it."""

    def __init__(self, path):
        self.path = path
        self.metadata, self.cells = (nb := folds.read(path)).metadata, nb.cells
        self.code = [cell for cell in self.cells if cell.cell_type == "code"]

    def outputs(self, mime=None):
        """Return (cell, output) for every stored output, or for those of one type."""
        found = [(cell, output) for cell in self.code for output in cell.outputs]
        return [pair for pair in found if mime is None or mime in pair[1].get("data", {})]


@pytest.fixture(scope="module", params=PATHS, ids=lambda path: path.stem)
def notebook(request):
    return Notebook(request.param)


def tags(cell):
    return cell.metadata.get("tags", [])


def text_of(output):
    """Return all that a reader sees of an output as text."""
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return "\n".join(output.traceback)
    return "\n".join(data for mime, data in output.data.items() if mime.startswith("text/"))


def test_it_is_small_enough_to_open_quickly_and_to_keep_in_the_history(notebook):
    assert notebook.path.stat().st_size < 800_000


def test_code_fits_the_width_of_the_page(notebook):
    assert [cell.id for cell in notebook.code if max(map(len, cell.source.splitlines()), default=0) > 88] == []


def test_no_paragraph_begins_with_a_comment(notebook):
    """Markdown would leave its formulas and its code as they are."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert not [line for text in texts for line in text.splitlines() if line.startswith("<!--")]


def test_its_needs_are_the_arrows_of_the_map():
    """The map of notebook 00 and the first cell of each notebook name the same notebooks."""
    start = Notebook(PATHS[0])
    arrows = {}
    for name in ("main_road", "questions"):
        (cell,) = (cell for cell in start.code if cell.source.startswith(f"{name} = "))
        boxes = ast.literal_eval(cell.source.partition(" = ")[2])
        arrows.update((number, needs) for number, *_, needs in boxes)
    first = {int(path.stem[:2]): Notebook(path).cells[0].source for path in PATHS if path.stem[:2].isdigit()}
    said = {number: re.search(r"\*\*Needs:\*\*(.*)", text)[1] for number, text in first.items()}
    assert {number: [int(n) for n in re.findall(r"\[(\d\d)\]", text)] for number, text in said.items()} == arrows


def test_the_short_path_stands_alone(notebook):
    """What a starred section uses is made in a starred section, or at the top."""
    starred, made, used = True, {True: set(), False: set()}, set()
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            starred = "★" in cell.source
        elif cell.cell_type == "code":
            for node in ast.walk(ast.parse(cell.source)):
                match node:
                    case ast.Name(id=name, ctx=ast.Load()):
                        used |= {name} if starred else set()
                    case ast.alias(asname=str(name)) | ast.alias(name=name) | ast.arg(arg=name):
                        made[starred].add(name)
                    case ast.FunctionDef(name=name) | ast.Name(id=name):
                        made[starred].add(name)
    assert (used & made[False]) - made[True] == set()


def test_answers_to_predictions_wait(notebook):
    """A prediction has a cell of its own; the next output is stored folded, and so is its text."""
    stored = {cell.id: cell for cell in nbformat.read(notebook.path, as_version=4).cells}
    assert [cell.id for cell in notebook.cells if "\n**Predict" in cell.source] == []
    for i in [i for i, cell in enumerate(notebook.cells) if "**Predict" in cell.source]:
        answer = next((cell for cell in notebook.cells[i:] if cell.get("outputs")), None)
        assert answer is not None, notebook.cells[i].source
        assert "answer" in tags(answer), answer.id
        below = "\n".join(cell.source for cell in notebook.cells[i + 1 :])
        assert folds.ANSWER.search(re.split(r"^#|^\*\*Predict", below, flags=re.MULTILINE)[0]), notebook.cells[i].id
    for cell in [cell for cell in notebook.code if "answer" in tags(cell)]:
        folded = [output.get("data", {}).get("text/html", "") for output in stored[cell.id].outputs]
        assert len(folded) == 1, cell.id
        assert folded[0].startswith("<details>"), cell.id
        assert "outputs_hidden" not in cell.metadata.get("jupyter", {}), cell.id


def test_folded_code_is_folded_in_colab_too(notebook):
    hidden = [cell for cell in notebook.code if cell.metadata.get("jupyter", {}).get("source_hidden")]
    assert [cell.id for cell in hidden if cell.metadata.get("cellView") != "form"] == []


def test_on_colab_it_installs_nothing_but_our_own_release(notebook):
    """`make notebooks` writes the address, once pyproject.toml has it."""
    (setup,) = [cell.source for cell in notebook.code if '"google.colab" in sys.modules' in cell.source]
    assert install_on_colab(setup) == setup
    assert all("install" not in line or "address}" in line or "print(" in line for line in setup.splitlines())


def test_figures_have_alternative_texts(notebook):
    """Where the cell's metadata has an alternative text, the stored figure has the same one."""
    stored = [(c, o.metadata.get("image/png", {}).get("alt")) for c, o in notebook.outputs("image/png")]
    assert [c.id for c, alt in stored if not alt or alt != c.metadata.get("alt", alt)] == []


def test_stored_as_run_from_top_to_bottom(notebook):
    assert [cell.execution_count for cell in notebook.code] == list(range(1, len(notebook.code) + 1))
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}


def test_stored_errors_are_meant(notebook):
    meant = [output.output_type != "error" or "raises-exception" in tags(cell) for cell, output in notebook.outputs()]
    assert all(meant)


def test_outputs_name_no_place_on_a_disk(notebook):
    texts = [(cell.id, text_of(output)) for cell, output in notebook.outputs()]
    assert [name for name, text in texts if ABSOLUTE_PATH.search(text) or f"{ROOT}" in text] == []


def test_exercises(notebook):
    """Each has a stub to fill in, and a solution in a fold, which nbval hands to its check; the appendix has none."""
    asking = [(CHECK.search(cell.source), cell) for cell in notebook.cells]
    asking = [(found[1], cell) for found, cell in asking if found]
    stubs = [name for name, cell in asking if cell.cell_type == "code" and "..." in cell.source]
    solved = [name for name, cell in asking if "solution" in tags(cell)]
    assert bool(stubs) == notebook.path.stem[:2].isdigit()
    assert stubs == solved
    for cell in [cell for cell in notebook.cells if "solution" in tags(cell)]:
        assert cell.cell_type == "markdown"
        assert re.fullmatch(r"<details><summary>Solution.*</details>", cell.source, re.DOTALL), cell.id
