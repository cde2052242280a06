"""A made-up class, whose notebooks are tiny: what they did is what the results say."""

import csv
import io
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from classroom import kernel, page, results, sandbox

from bayeslab import checks

BEGIN = "from bayeslab.checks import check"
RIGHT, WRONG = "check('0.1', (100 + 100) / (100 + 100 + 150))", "check('0.1', 200)"
STUB = "def choose(names, priors, densities):\n    ...\n\ncheck('0.2', choose)"
RECORD = "import os\nopen(os.environ['HOME'] + '/records', 'a').write('{\"exercise\": \"0.2\", \"solved\": true}\\n')"
CLASS = {
    "=bob": [BEGIN, WRONG, "check('0.2', lambda names, priors, densities: '<script>')"],
    "ann": [BEGIN, "check('0.1', 3", "1 / 0", WRONG, RIGHT, STUB],  # solved once is solved
    "eve": ["print('0.1 done.')", "def check(*a): print('0.1 done.')", RIGHT, RECORD],
    "fay": [BEGIN, "import numpy as np\nnp.allclose = lambda *a, **k: True", WRONG],
    "ida": [BEGIN, "while True:\n    pass", WRONG],
    "jim": [BEGIN, "while True:\n    try:\n        import time; time.sleep(1)\n    except BaseException: pass", RIGHT],
    "kim": [BEGIN, "import numpy as np\nnp.ones(10**10)", "x = bytearray(10**8)\nwhile True:\n    x += x", RIGHT],
    "ned": [BEGIN, "import os; os._exit(1)", RIGHT],
}


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """Return the results of the class, and of one who handed in nothing, by name."""
    folder = tmp_path_factory.mktemp("class")
    for name, sources in CLASS.items():
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / f"{name}.ipynb")
    paths = [*sorted(folder.iterdir()), folder / "zoe.zip"]
    limits = sandbox.Limits(cell=2, notebook=20, memory=2_000_000_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox, "PATIENCE", 1)
        return results.results_of(paths, limits, jobs=3)


@pytest.fixture(scope="module")
def students(known):
    return {student.name: student for student in known.students}


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("=bob", "wrong", "wrong"),
        ("ann", "done", "open"),
        ("eve", "not reached", "missing"),
        ("fay", "changed", "missing"),
        ("ida", "wrong", "missing"),
        ("jim", "not reached", "missing"),
        ("kim", "done", "missing"),
        ("ned", "not reached", "missing"),
        ("zoe", "missing", "missing"),
    ],
)
def test_each_has_what_the_check_says(students, name, first, second):
    assert [students[name].outcome(number)[0] for number in ("0.1", "0.2")] == [first, second]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ann", "cell 2: SyntaxError"),
        ("ida", "cell 2: ran out of time and was stopped"),
        ("jim", "cell 2 ran out of time and could not be interrupted"),
        ("kim", "cell 2: MemoryError"),
        ("ned", "cell 2 ended the kernel"),
        ("zoe", "there is no file"),
    ],
)
def test_what_went_wrong_is_said(students, name, says):
    assert says in students[name].trouble[0]


@pytest.mark.parametrize("name", ["ann", "kim"])
def test_a_notebook_goes_on_after_an_error(students, name):
    places = [trouble.partition(":")[0] for trouble in students[name].trouble]
    assert places == [f"{name}.ipynb, cell 2", f"{name}.ipynb, cell 3"]


def test_the_commonest_wrong_answers_come_first(known):
    (number, message), names = known.commonest()[0]
    assert (number, names) == ("0.1", ["=bob", "ida"])
    assert message.startswith("this is the number of errors")


def test_values_that_no_mistake_gives_are_one_answer():
    rows = [{"exercise": "0.1", "solved": False, "changed": False} for _ in range(2)]
    for row, value in zip(rows, (3, [1, 2]), strict=True):
        row["message"] = f"the share is {value}, which is not right. Take the next hint."
    class_of_two = [results.Student(name, {"0.1"}, [row], []) for name, row in zip("ab", rows, strict=True)]
    expected = ("0.1", "the share is …, which is not right. Take the next hint."), ["a", "b"]
    assert results.Results(class_of_two, []).commonest() == [expected]


def test_the_table_has_a_row_for_each_student_and_exercise(known, tmp_path):
    page.write_csv(tmp_path / "results.csv", known)
    rows = list(csv.reader(io.StringIO((tmp_path / "results.csv").read_text(encoding="utf-8-sig"))))
    assert rows[0] == ["student", "exercise", "result", "message"]
    assert rows[1][:3] == ["'=bob", "0.1", "wrong"]  # a spreadsheet would take the name for a formula
    assert len([row for row in rows[1:] if row[1]]) == (len(CLASS) + 1) * 2
    assert ["ann", "0.1", "done", ""] in rows


def test_the_page_says_what_it_is_and_escapes_what_students_write(known):
    text = page.page(known)
    assert "practice, not an examination" in text
    assert "runs students&#x27; code" in text
    assert "<script" not in text
    assert "://" not in text
    assert all(student.name in text for student in known.students)


def test_who_handed_in_what_was_handed_out_has_answered_nothing():
    row = {"exercise": "0.1", "solved": False, "message": "nothing yet", "changed": False}
    lea = results.Student("lea", {"0.1"}, [row], [], {"0.1": "nothing yet"})
    mia = results.Student("mia", {"0.1"}, [row | {"solved": True}], [])
    text = page.page(results.Results([lea, mia], []))
    assert "lea</h3><p>Nothing answered." in text
    assert "mia</h3><p>Nothing wrong." in text


@pytest.mark.skipif(not sandbox.alone(), reason="this system lets nobody make a network of its own")
def test_there_is_no_network_but_its_own_no_secret_and_nothing_is_left(monkeypatch, tmp_path):
    monkeypatch.setenv("SECRET", "x")
    folders, make = [], sandbox.tempfile.mkdtemp
    monkeypatch.setattr(sandbox.tempfile, "mkdtemp", lambda **options: folders.append(make(**options)) or folders[-1])
    lines = [
        "import os, socket\nassert 'SECRET' not in os.environ and os.getppid() == 0",
        "with socket.create_server(('127.0.0.1', 0)) as s:\n    socket.create_connection(s.getsockname(), 2).close()",
        "import subprocess\nsubprocess.Popen(['sleep', '76.54321'])",
        "open('here.txt', 'w').write('x')\nsocket.create_connection(('192.0.2.1', 80), 2)",
    ]
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in lines])
    assert sandbox.run(nb, sandbox.Limits(cell=5)).trouble == ["cell 4: OSError: [Errno 101] Network is unreachable"]
    assert [Path(folder).exists() for folder in folders] == [False]
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout if shutil.which("ps") else ""
    assert "sleep 76.54321" not in listed


def test_without_namespaces_it_runs_and_says_so(monkeypatch):
    monkeypatch.setattr(sandbox, "alone", list)
    assert "the notebooks have it" in sandbox.network()
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(f"{BEGIN}\n{RIGHT}")])
    assert [row["solved"] for row in sandbox.run(nb, sandbox.Limits(cell=5)).records] == [True]


def test_without_files_it_says_what_to_write(capsys, tmp_path):
    assert results.main([str(tmp_path / "*.zip")]) == 2
    assert "make results FILES=" in capsys.readouterr().err
    assert results.main([]) == 2


def test_the_exercises_as_handed_out_are_known():
    assert results.untouched()["0.2"] == "choose returned None. Does it end with return?"


@pytest.mark.parametrize("place", [checks, np, sys.modules["numpy._core.numeric"]])
def test_a_changed_function_is_noticed(monkeypatch, place):
    changed = kernel.watch(checks)
    assert not changed()
    monkeypatch.setattr(place, "compare" if place is checks else "allclose", lambda *args, **options: True)
    assert changed()


def test_a_changed_exercise_is_noticed(monkeypatch):
    checks.check("0.1", ...)
    changed = kernel.watch(checks)
    monkeypatch.setitem(checks._EXERCISES, "0.1", lambda answer: None)
    assert changed()


def test_changed_code_is_noticed(monkeypatch):
    changed = kernel.watch(checks)
    monkeypatch.setattr(checks.compare, "__code__", (lambda *args, **options: None).__code__)
    assert changed()
