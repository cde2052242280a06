"""Every notebook keeps to the anatomy and the budgets which CONTRIBUTING.md asks for.

That its code runs and prints what is stored is checked by nbval, which pytest applies to notebooks/ itself.
"""

import re
from pathlib import Path
from statistics import median

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CHECK = re.compile(r"\bcheck\(\s*[\"'](\d+\.\d+)[\"']")
LAST = "## What the sources print"
WIDGET = "application/vnd.jupyter.widget-view+json"
ABSOLUTE_PATH = re.compile(r"(?<![\w.~-])(?:/(?:home|Users|root|tmp|var|opt|usr|private|mnt)/|[A-Z]:\\)")


class Notebook:
    """A stored notebook and what the tests ask of it."""

    def __init__(self, path):
        self.path = path
        self.metadata, self.cells = (nb := nbformat.read(path, as_version=4)).metadata, nb.cells
        self.code = [cell for cell in self.cells if cell.cell_type == "code"]
        self.markdown = [cell for cell in self.cells if cell.cell_type == "markdown"]

    def outputs(self, mime=None):
        """Return (cell, output) for every stored output, or for those of one type."""
        found = [(cell, output) for cell in self.code for output in cell.outputs]
        return [pair for pair in found if mime is None or mime in pair[1].get("data", {})]


@pytest.fixture(scope="module", params=PATHS, ids=lambda path: path.stem)
def notebook(request):
    return Notebook(request.param)


def tags(cell):
    return cell.metadata.get("tags", [])


def n_lines(cell):
    return sum(bool(line.strip()) for line in cell.source.splitlines())


def n_words(text):
    """Count the words of a text: no tables, display equations or HTML tags; an inline formula is one word."""
    text = re.sub(r"\$\$.*?\$\$", " ", text, flags=re.DOTALL)
    text = re.sub(r"\$[^$\n]+\$", "formula", text)
    text = re.sub(r"</?[a-zA-Z][^>]*>", " ", text)
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("|")]
    return sum(bool(re.search(r"\w", word)) for line in lines for word in line.split())


def is_caption(text):
    """Tell whether the first line of a text is in italics, and of at most twelve words."""
    first = text.split("\n")[0].strip()
    return bool(re.fullmatch(r"\*(?!\*).+(?<!\*)\*|_(?!_).+(?<!_)_", first)) and n_words(first) <= 12


def text_of(output):
    """Return all that a reader sees of an output as text."""
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return "\n".join(output.traceback)
    return "\n".join(data for mime, data in output.data.items() if mime.startswith("text/"))


def test_length(notebook):
    assert 50 <= len(notebook.cells) <= 100
    assert notebook.path.stat().st_size < 800_000


def test_code_cells_are_short(notebook):
    assert median(n_lines(cell) for cell in notebook.code) <= 5
    assert [cell.id for cell in notebook.code if n_lines(cell) > 15] == []
    assert n_lines(notebook.code[0]) <= 8


def test_text_cells_are_short(notebook):
    assert {cell.id: n for cell in notebook.markdown if (n := n_words(cell.source)) > 120} == {}


def test_headings_stand_alone(notebook):
    """Slides are cut there; the title may say more."""
    texts = [(cell.id, cell.source.strip().splitlines()) for cell in notebook.markdown]
    headed = [(name, lines) for name, lines in texts if any(re.match("##+ ", line) for line in lines)]
    assert [name for name, lines in headed if len(lines) > 1] == []


def test_answers_to_predictions_are_folded(notebook):
    """A question has a cell of its own, and the next output waits until the reader unfolds it."""
    asked = [i for i, cell in enumerate(notebook.cells) if "**Predict" in cell.source]
    assert [i for i in asked if not notebook.cells[i].source.startswith("**Predict")] == []
    for i in asked:
        answer = next((cell for cell in notebook.cells[i:] if cell.get("outputs")), None)
        assert answer is not None, notebook.cells[i].source
        assert answer.metadata.get("jupyter", {}).get("outputs_hidden") is True, answer.id


def test_most_errata_wait_for_the_last_section(notebook):
    sources = [cell.source for cell in notebook.cells]
    last = sources.index(LAST) if LAST in sources else len(sources)
    assert sum("**Errat" in source for source in sources[:last]) <= 3


def test_number_of_figures_and_widgets(notebook):
    assert 1 <= len(notebook.outputs("image/png")) <= 9
    assert 1 <= len(notebook.outputs(WIDGET)) <= 2


def test_figures_have_alternative_texts(notebook):
    missing = [c.id for c, o in notebook.outputs("image/png") if not o.metadata.get("image/png", {}).get("alt")]
    assert missing == []


def test_figures_have_captions(notebook):
    drawn = {cell.id for cell, _ in notebook.outputs("image/png") if "widget" not in tags(cell)}
    following = zip(notebook.cells, [*notebook.cells[1:], None], strict=True)
    captioned = {c.id for c, after in following if after and after.cell_type == "markdown" and is_caption(after.source)}
    assert sorted(drawn - captioned) == []


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
    """Each has a stub to fill in, and a folded solution which its check accepts."""
    asking = [(found[1], cell) for cell in notebook.code if (found := CHECK.search(cell.source))]
    stubs = [name for name, cell in asking if "solution" not in tags(cell) and "..." in cell.source]
    solved = [(name, cell) for name, cell in asking if "solution" in tags(cell)]
    assert 2 <= len(stubs) <= 4
    assert stubs == [name for name, _ in solved]
    for name, cell in solved:
        assert cell.metadata.get("jupyter", {}).get("source_hidden") is True, name
        assert "done." in "".join(text_of(output) for output in cell.outputs), name
