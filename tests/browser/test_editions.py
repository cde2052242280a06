"""What students may see, as far as it has been built: no solution and no key in pages, search, notebooks and wheels."""

import html
import re
import zipfile
from pathlib import Path

import nbformat
import pytest
from classroom import question_source

ROOT = Path(__file__).parents[2]
BUILT = [folder for name in ("site", "lite", "slides") if (folder := ROOT / "build" / name).is_dir()]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9A]*.ipynb"))
pytestmark = pytest.mark.skipif(not BUILT, reason="nothing was built: run `make site`, `make lite` or `make slides`")


def as_text(page):
    """Return what a page of HTML says, code too."""
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def lines(text):
    return {line.strip() for line in text.splitlines()}


def words(text):
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def stretches(key):
    """Return what a key says between its formulas and marks, in words."""
    found = map(words, re.split(r"\$[^$]*\$|`[^`]*`|[*.,:;]", key))
    return [stretch for stretch in found if " " in stretch]


@pytest.fixture(scope="module")
def shown():
    """The text of every page and every notebook, by its place."""
    pages = {path: path.read_text("utf-8") for folder in BUILT for path in folder.rglob("*.html")}
    texts = {path: as_text(page) for path, page in pages.items()}
    for path in (path for folder in BUILT for path in folder.rglob("*.ipynb")):
        texts[path] = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    return texts


@pytest.fixture(scope="module")
def cells():
    """The cells of all notebooks: those that students see, and solutions."""
    both = ([], [])
    for path in NOTEBOOKS:
        for cell in nbformat.read(path, as_version=4).cells:
            both["solution" in cell.metadata.get("tags", [])].append(cell)
    return both


@pytest.fixture(scope="module")
def secrets(cells):
    """The lines of each solution that no student sees elsewhere."""
    public, solutions = cells
    seen = set().union(*(lines(cell.source) for cell in public))
    return {
        cell.id: {line for line in lines(cell.source) - seen if len(line) > 9 and not line.isidentifier()}
        for cell in solutions
    }


def test_no_line_of_a_solution_is_shown(shown, secrets, cells):
    assert len(secrets) > 50
    assert all(secrets.values())
    secret = set().union(*secrets.values())
    told = {path: lines(text) for path, text in shown.items()}
    assert {path: found for path, text in told.items() if (found := text & secret)} == {}
    everything = set().union(*told.values())  # where code is found as it is written, or nothing was proven
    stubs = {cell.source.splitlines()[0].strip() for cell in cells[0] if "check(" in cell.source}
    assert len(stubs - everything) < len(stubs) / 10


def test_the_search_does_not_know_what_only_solutions_name(cells):
    public, solutions = ({*re.findall(r"\w*_\w+", "\n".join(cell.source for cell in each).lower())} for each in cells)
    public |= {name.removesuffix("s") for name in public}  # the search knows words by their stem
    assert len(solutions - public) > 5
    for index in (path for folder in BUILT for path in folder.rglob("searchindex.js")):
        known = {*re.findall(r"\w+", index.read_text("utf-8"))}
        assert (solutions - public) & known == set()


def test_no_key_is_shown(shown):
    """A key is a reason, as written in the bank; what it says between formulas is looked for, all of it on one page."""
    told = {path: words(text) for path, text in shown.items()}
    for path in question_source.paths():
        text = question_source.filled(path).replace("!   -", "    -")
        keys = re.findall(r"^(?:\.\.\.| +- \(\d\)) (.+?)(?=^\S|^ +- |\Z)", text, re.MULTILINE | re.DOTALL)
        parts = [part for part in map(stretches, keys) if sum(map(len, part)) > 60]
        assert len(parts) > 15, path.name
        assert [
            (part, place) for part in parts for place, page in told.items() if all(each in page for each in part)
        ] == []


def test_no_link_leads_to_what_is_for_teachers():
    for path in (path for folder in BUILT for path in folder.rglob("*.html")):
        assert not re.search(r'href="[^"]*(?:teacher/|self-study/|guide)', path.read_text("utf-8")), path


def test_no_wheel_brings_notebooks():
    for path in (path for folder in BUILT for path in folder.rglob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            assert [name for name in wheel.namelist() if name.endswith(".ipynb")] == []
