"""The zip for students: no solution, no answer, the same bytes twice, and it works."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from classroom import student

from bayeslab import __main__ as course

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
ALL = [*NOTEBOOKS, *sorted((ROOT / "notebooks").glob("A[0-9]_*.ipynb"))]  # the appendix has no solutions


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    path = tmp_path_factory.mktemp("student") / "student.zip"
    student.write(path)
    return path


@pytest.fixture(scope="module")
def held(archive):
    """Return the text of each file, by name."""
    with zipfile.ZipFile(archive) as opened:
        texts = {name.removeprefix(student.TOP): opened.read(name) for name in opened.namelist()}
    return {name: data.decode("utf-8", errors="replace") for name, data in texts.items()}


def lines(cells):
    return {line.strip() for cell in cells for line in cell.source.splitlines()}


def solutions_of(path):
    """Return the cells of all solutions of a notebook."""
    return [cell for cell in nbformat.read(path, as_version=4).cells if is_solution(cell)]


def is_solution(cell):
    return "solution" in cell.metadata.get("tags", [])


@pytest.fixture(scope="module")
def public():
    """Return the lines that some notebook shows to students."""
    shown = (cell for path in ALL for cell in nbformat.read(path, as_version=4).cells if not is_solution(cell))
    return lines(shown) | {"```python", "```text", "```"}


@pytest.fixture(scope="module")
def outside(held):
    """Return the lines of the student version that are outside the package."""
    found = {line.strip() for name, text in held.items() if name[-3:] != ".py" for line in text.splitlines()}
    for name, text in held.items():
        if name.endswith(".ipynb"):
            found |= lines(nbformat.reads(text, as_version=4).cells)
    return found


def test_twice_the_same_bytes(archive, tmp_path):
    student.write(tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_line_of_a_solution_is_in_it(held, outside, public, path):
    """Outside of the package, not one; in the package, which must judge, never all lines of one solution."""
    inside = "\n".join(text for name, text in held.items() if name.endswith(".py"))
    assert solutions_of(path)
    for solution in solutions_of(path):
        secret = {line for line in lines([solution]) - public if len(line) > 5}  # "6" is no secret
        assert secret, solution.id
        assert secret & outside == set()
        assert not all(line in inside for line in secret), solution.id


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_solution_is_in_it_but_every_other_fold_and_figure(held, path):
    before = nbformat.read(path, as_version=4).cells
    after = nbformat.reads(held[f"notebooks/{path.name}"], as_version=4).cells
    texts = "\n".join(cell.source for cell in after)
    folds = [fold for cell in before for fold in course.FOLD.finditer(cell.source)]
    for fold in folds:
        assert (fold[0] in texts) is not fold[1].startswith(("Answers", "Solution"))
    answers = [fold[0].split("</summary>")[1] for fold in folds if fold[1].startswith("Answers")]
    assert [line for text in answers for line in text.splitlines()[:-1] if len(line) > 20 and line in texts] == []
    assert not re.search("<summary>(Answers|Solution)|folded solution", texts)

    def shown(cells):
        return [output.get("data") for cell in cells for output in cell.get("outputs", [])]

    assert shown(after) == shown(before)
    counts = [cell.execution_count for cell in after if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


def test_what_notebooks_say_of_solutions_is_still_there_to_be_replaced():
    texts = "\n".join(cell.source for path in NOTEBOOKS for cell in nbformat.read(path, as_version=4).cells)
    assert [spoken for spoken in course.SPOKEN if spoken not in texts] == []


@pytest.mark.parametrize("name", ["README.md", *(f"notebooks/{path.name}" for path in ALL)])
def test_links_lead_to_files_in_it(held, name):
    texts = [held[name]] if name == "README.md" else [c.source for c in nbformat.reads(held[name], 4).cells]
    links = {link for text in texts for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link}
    links = {link for link in links if link.startswith(".") or Path(link).suffix in {".md", ".ipynb", ".png", ".py"}}
    for link in links:
        place = (ROOT / name).parent / link
        assert not place.exists() or place.resolve().relative_to(ROOT).as_posix() in held


def test_an_unknown_fold_is_named():
    with pytest.raises(ValueError, match="neither a hint nor an answer: <summary>Proof"):
        course.without_answers("<details><summary>Proof</summary>\n\nx\n\n</details>")


@pytest.mark.parametrize("source", ["<details>x</details>", "<details><summary>Hint</summary><details>x</details>"])
def test_a_fold_that_cannot_be_read_is_refused(source):
    with pytest.raises(ValueError, match="a fold without a summary"):
        course.without_answers(source)


def test_a_text_that_was_an_answer_only_goes():
    cell = nbformat.v4.new_markdown_cell("<details><summary>Answers</summary>1: no.</details>")
    assert course.for_students(nbformat.v4.new_notebook(cells=[cell])).cells == []


def test_its_commands_are_those_that_work_in_it(held):
    targets = set(re.findall(r"^([a-z-]+):", held["Makefile"], re.MULTILINE))
    assert targets == student.TARGETS
    assert "browser" not in held["Makefile"]


def test_its_tests_pass_whatever_students_write(archive, tmp_path):
    """Of its tests two, for the sake of time; the other notebooks' first cells run with all their cells here."""
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(tmp_path)
    folder = tmp_path / student.TOP
    path = next((folder / "notebooks").glob("03_*.ipynb"))
    nb = nbformat.read(path, as_version=4)
    nb.cells.append(nbformat.v4.new_code_cell("this is (no Python"))
    nbformat.write(nb, path)
    tests = ["pytest", "-q", "-p", "no:cacheprovider", "-p", "no:nbval", "tests", "-k"]
    for command in ([*tests, "03 or page"], ["ruff", "check"], ["ruff", "format", "--check"]):
        done = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
        assert command[0] == "ruff" or "2 passed" in done.stdout
