"""A made-up class, whose notebooks are tiny: what they did is what the results say."""

import re
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from classroom import page, results, sandbox
from classroom.submissions import Submission, read_all

BEGIN = "from bayeslab.checks import check"
RIGHT, WRONG = "check('0.1', (100 + 100) / (100 + 100 + 150))", "check('0.1', 200)"
STUB = "def choose(names, priors, densities):\n    ...\n\ncheck('0.2', choose)"
LINES = ['{"value": {"tuple": [true, ""]}}', '{"call": "check", "args": ["0.2", 1]}', "x" * 10**7]
FORGED = f"""import os
for fd in range(3, 50):
    for line in {LINES!r}:
        try: os.write(fd, line.encode() + b'\\n')
        except OSError: pass"""
REPLACED = """import numpy as np, bayeslab.checks as c
np.allclose = lambda *a, **k: True
c._EXERCISES.clear()
c.Verdict.__bool__ = lambda v: True
for name in dir(c):
    if name != 'check': vars(c)[name] = lambda *a: True"""
BOMBS = "for bomb in ([[]] * 10**6, 'x' * 10**8, 10**9999, itself): check('0.1', bomb)"
CLASS = {
    "=bob": [
        *(BEGIN, WRONG, "check('0.2', lambda names, priors, densities: '<script>')"),
        *("print('0.1 done.')", "def check(*a): print('0.1 done.')", RIGHT),
    ],
    # Solved once is solved.
    "ann": [BEGIN, "check('0.1', 3", "x = bytearray(10**8)\nwhile True:\n    x = x + x", WRONG, RIGHT, STUB],
    "bea": [
        *(BEGIN, "print('x' * 10**8); import os; os.system('head -c 99000000 /dev/zero')", RIGHT),
        *("itself = []; itself.append(itself)", BOMBS, WRONG),
    ],
    "fay": [BEGIN, REPLACED, WRONG, FORGED, "check('0.2', 1)"],
    "gus": [BEGIN, RIGHT, "import ctypes; ctypes.string_at(0)", "check('0.2', 1)"],
}
ENDLESS = {
    "ida": [BEGIN, "while True:\n    pass", "check('0.2', lambda *a: [0 for _ in iter(int, 1)])", WRONG],
    "jim": [BEGIN, "while True:\n    try:\n        import time; time.sleep(1)\n    except BaseException: pass", RIGHT],
}


def notebook(*sources):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """Return the results of the class, and of one who handed in nothing, by name."""

    def run(cells, *further, **limits):
        folder = tmp_path_factory.mktemp("class")
        for name, sources in cells.items():
            nbformat.write(notebook(*sources), folder / f"{name}.ipynb")
        submissions = read_all([*sorted(folder.iterdir()), *further])
        return results.results_of(submissions, sandbox.works(), sandbox.Limits(memory=2_000_000_000, **limits))

    nothing = tmp_path_factory.mktemp("none") / "zoe.zip"
    with ThreadPoolExecutor() as pool:  # the endless notebooks spend most of their time waiting
        endless = pool.submit(run, ENDLESS, cell=5, patience=10)
        whole = run(CLASS, nothing)
        whole.students += endless.result().students
    return whole


@pytest.fixture(scope="module")
def students(known):
    return {student.name: student for student in known.students}


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("=bob", "wrong", "wrong"),
        ("ann", "done", "open"),
        ("bea", "done", "missing"),
        ("fay", "wrong", "not reached"),
        ("gus", "done", "not reached"),
        ("ida", "wrong", "not reached"),
        ("jim", "not reached", "missing"),
        ("zoe", "missing", "missing"),
    ],
)
def test_each_has_what_the_check_says(students, name, first, second):
    assert [students[name].outcome(number)[0] for number in ("0.1", "0.2")] == [first, second]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ann", "cell 2: SyntaxError"),
        ("fay", "cell 4 spoke out of turn"),
        ("gus", "cell 3 ended the kernel"),
        ("ida", "cell 2: ran out of time and was stopped"),
        ("jim", "cell 2 ran out of time and could not be interrupted"),
        ("zoe", "there is no file"),
    ],
)
def test_what_went_wrong_is_said(students, name, says):
    assert says in students[name].trouble[0]


def test_a_notebook_goes_on_after_an_error(students):
    errors = [re.match(r"ann\.ipynb, cell (\d): (\w+)", trouble).groups() for trouble in students["ann"].trouble]
    assert errors == [("2", "SyntaxError"), ("3", "MemoryError")]


def test_the_commonest_wrong_answers_come_first(known):
    (number, message), names = known.commonest()[0]
    assert (number, names) == ("0.1", ["=bob", "fay", "ida"])
    assert message.startswith("this is the number of errors")


def test_values_that_no_mistake_gives_are_one_answer():
    rows = [{"exercise": "0.1", "solved": False} for _ in range(2)]
    for row, value in zip(rows, (3, [1, 2]), strict=True):
        row["message"] = f"the share is {value}, which is not right. Take the next hint."
    class_of_two = [results.Student(Submission(name), {"0.1"}, [row], []) for name, row in zip("ab", rows, strict=True)]
    expected = ("0.1", "the share is …, which is not right. Take the next hint."), ["a", "b"]
    assert results.Results(class_of_two, []).commonest() == [expected]


def test_the_page_says_what_it_is_and_escapes_what_students_write(known):
    text = page.page(known)
    assert "practice, not proof" in text
    assert "Sandbox: " in text
    assert "not readable" in text
    assert "<script" not in text
    assert "://" not in text
    assert all(student.name in text for student in known.students)


def test_who_handed_in_what_was_handed_out_has_answered_nothing():
    row = {"exercise": "0.1", "solved": False, "message": "nothing yet"}
    lea = results.Student(Submission("lea"), {"0.1"}, [row], [], {"0.1": "nothing yet"})
    mia = results.Student(Submission("mia"), {"0.1"}, [row | {"solved": True}], [])
    text = page.page(results.Results([lea, mia], []))
    assert "lea</h3><p>1 of 1 not answered: 0.1." in text
    assert "mia</h3><p>Nothing wrong." in text


def test_without_files_it_says_what_to_write(capsys, tmp_path):
    assert results.main([str(tmp_path / "*.zip")]) == 2
    assert "make results FILES=" in capsys.readouterr().err
    assert results.main([]) == 2


def test_the_exercises_as_handed_out_are_known():
    assert results.untouched(results.handed_out())["0.2"] == "choose returned None. Does it end with return?"
