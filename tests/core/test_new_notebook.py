"""What tools/new_notebook.py writes, in a copy of the course: it runs, and is found wherever the course lists it."""

import os
import re
import shutil
import subprocess
import sys

import nbformat
import new_notebook
import pytest

NUMBER = "98"
ROAD = 'main_road = [\n    (0, "start\\nhere", 6, 0, []),\n]'
QUESTIONS = 'questions = [\n    (8, "iris", 5, 1, [5, 7]),\n    (18, "playground", 6, 1, [5]),\n]'
README = """| [07 Folds](notebooks/07_folds.ipynb) | honest testing | 80 |
| [18 Playground](notebooks/18_playground.ipynb) | play | 60 |

The rest.
"""


@pytest.fixture
def root(tmp_path):
    left_out = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__", "browser", "benchmarks")
    return shutil.copytree(new_notebook.ROOT, tmp_path / "course", ignore=left_out)


def contents(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_only_what_is_named_changes(root):
    before = contents(root)
    written = new_notebook.create(root, NUMBER, "What is <new>, and “why”?")
    after = contents(root)
    assert {path for path in after if after[path] != before.get(path)} == set(written)
    assert [str(path.relative_to(root)) for path in written] == [
        "notebooks/98_what_is_new_and_why.ipynb",
        "bayeslab/checks/ch98.py",
        "tests/exercises/test_98.py",
        "README.md",
        "notebooks/00_start_here.ipynb",
    ]
    assert "](notebooks/98_what_is_new_and_why.ipynb)" in after[root / "README.md"].decode()
    nb, plan = (nbformat.read(path, as_version=4) for path in (written[0], written[-1]))
    for notebook in (nb, plan):
        nbformat.validate(notebook)
    assert [cell.id for cell in nb.cells] == [f"98-{i:02d}" for i in range(1, len(nb.cells) + 1)]
    old = nbformat.reads(before[written[-1]].decode(), as_version=4)
    assert [cell.id for cell in plan.cells] == [cell.id for cell in old.cells]
    assert any('(98, "What is\\n' in cell.source for cell in plan.cells)


def test_all_that_is_written_passes_but_for_its_length(root):
    path, _, tests, *_ = new_notebook.create(root, NUMBER)
    # Kernels and tests import the copy.
    here = {"cwd": root, "env": {**os.environ, "PYTHONPATH": str(root)}, "text": True, "capture_output": True}
    python = [sys.executable, "-m"]
    subprocess.run([*python, "ruff", "format", path], check=True, **here)
    subprocess.run([sys.executable, "tools/refresh_notebooks.py", path], check=True, **here)
    subprocess.run([*python, "ruff", "check", "."], check=True, **here)
    subprocess.run([*python, "ruff", "format", "--check", "."], check=True, **here)
    where = [tests, "tests/notebooks", path, "-k", NUMBER]
    plain = ["-q", "--color=no", "-p", "no:cacheprovider"]  # whatever the environment asks for
    done = subprocess.run([*python, "pytest", *plain, *where], **here)
    assert re.findall(r"^FAILED \S+::(\w+)", done.stdout, re.MULTILINE) == ["test_length"], done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 30


@pytest.mark.parametrize("number", ["", "8", "008", "0x", "-1", "00", "07"])
def test_a_number_that_is_none_or_taken_changes_nothing(root, number):
    before = contents(root)
    with pytest.raises(SystemExit, match=r"two digits|is there already"):
        new_notebook.create(root, number)
    assert contents(root) == before


@pytest.mark.parametrize("name", ["bayeslab/checks/ch98.py", "tests/exercises/test_98.py", "notebooks/98_x.ipynb"])
def test_nothing_is_overwritten(root, name):
    (root / name).write_text("precious", encoding="utf-8")
    before = contents(root)
    with pytest.raises(SystemExit, match="98 is there already"):
        new_notebook.create(root, NUMBER)
    assert contents(root) == before


def test_a_notebook_gets_a_free_place_on_the_map():
    rows = new_notebook.on_map(QUESTIONS, ROAD, 16, 'Is "it" so?').splitlines()
    assert rows == [*QUESTIONS.splitlines()[:2], '    (16, "Is\\n\\"it\\" so", 6, 2, []),', *QUESTIONS.splitlines()[2:]]


@pytest.mark.parametrize("number", ["08", "17"])
def test_readme_lists_it_in_order(number):
    table, rest = new_notebook.insert(README, f"| [{number} Title](file.ipynb) |").split("\n\n")
    assert [line[3:5] for line in table.splitlines()] == ["07", number, "18"]
    assert rest == "The rest."
