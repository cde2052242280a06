"""From what Moodle and Canvas give to the table that they import: a class of twelve, in each of the two forms."""

import csv

import made_up_class
import pytest
from classroom import gradebook, results, sandbox
from classroom.submissions import read_all

NAMES = made_up_class.NAMES
# Of 0.1, 0.2, 1.1, 1.2, 1.3 and their sum, in the order of the names.
MARKS = ["111115", "000000", "000000", "11___2", "001113", "__1113", "00___0", "______", "11___2", "______", "001113"]
MARKS = [[mark.replace("_", "") for mark in marks] for marks in [*MARKS, "______"]]
SOME = (3, 4, 7)  # whose notebooks are run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    made_up_class.make_moodle(folder, SOME)
    made_up_class.make_canvas(folder)
    return folder


@pytest.fixture(scope="module")
def moodle(folder):
    """Run the zip of Moodle, for once with all that the command does, and return its table."""
    (path,) = folder.glob("*.zip")
    arguments = [str(path), "--out", str(folder / "out"), "--gradebook", str(folder / "worksheet.csv")]
    assert results.main([*arguments, "--without-sandbox"]) == 0
    return read(folder / "out" / "gradebook-moodle.csv")


def read(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_moodle_finds_each_student_by_number_and_email(moodle):
    head, *rows = moodle
    assert head == ["Identifier", "Full name", "Email address", "0.1", "0.2", "1.1", "1.2", "1.3", "Solved"]
    expected = [
        [f"Participant {12345 + place}", NAMES[place], f"s{12345 + place}@example.org", *MARKS[place]] for place in SOME
    ]
    assert sorted(rows) == sorted(expected)


def test_the_page_tells_who_could_not_be_read(folder, moodle):
    text = (folder / "out" / "index.html").read_text(encoding="utf-8")
    assert text.count(">not readable<") == 1
    assert "work.zip" in text


@pytest.fixture(scope="module")
def canvas(folder):
    """Return the results of Canvas's folder, whose notebooks are those of Moodle's, without running them again."""
    students = []
    for submission in read_all([folder / "submissions"]):
        marks = MARKS[int(submission.id) - 4711]
        records = [
            {"exercise": number, "solved": mark == "1", "message": "x"}
            for number, mark in zip(("0.1", "0.2", "1.1", "1.2", "1.3"), marks[:5], strict=True)
            if mark
        ]
        students.append(results.Student(submission, set(), records, []))
    return results.Results(students, [])


def test_canvas_finds_each_student_and_the_assignments_that_it_knows(folder, canvas):
    (path,) = gradebook.write(folder, canvas, gradebook.read(folder / "gradebook.csv"))
    head, points, *rows = read(path)
    assert head[:6] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "0.1 (901)"]
    assert head[6:] == ["0.2", "1.1", "1.2", "1.3", "Solved"]
    assert points == ["    Points Possible", "", "", "", "", "1", "1", "1", "1", "1", "5"]
    exported = {row[1]: row[:5] for row in read(folder / "gradebook.csv")[2:]}
    expected = [[*exported[str(user)], *marks] for user, marks in enumerate(MARKS, 4711)]
    assert sorted(rows) == sorted(expected)


def test_without_an_export_the_names_of_the_files_must_do(tmp_path, canvas):
    (path,) = gradebook.write(tmp_path, canvas)
    rows = {row[1]: row for row in read(path)}
    assert rows["ID"][:4] == ["Student", "ID", "Section", "0.1"]
    assert rows["4712"] == ["boolegeorge", "4712", "", "0", "0", "0", "0", "0", "0"]


def test_who_is_late_or_handed_in_again_is_said(folder):
    found = {submission.id: submission for submission in read_all([folder / "submissions"])}
    assert found["4712"].trouble == ["was handed in late"]
    assert sorted(found["4713"].notebooks) == sorted(made_up_class.COURSE)


def test_a_name_is_no_formula(tmp_path):
    (tmp_path / "=1+1.ipynb").write_text("{")
    students = [results.Student(submission, set(), [], []) for submission in read_all(tmp_path.iterdir())]
    assert read(gradebook.write(tmp_path, results.Results(students, []))[0])[1] == ["'=1+1", ""]


def test_an_export_of_something_else_is_refused(tmp_path, capsys):
    (tmp_path / "x.csv").write_text("a,b\n")
    (tmp_path / "x.ipynb").write_text("{")
    assert results.main([str(tmp_path / "x.ipynb"), "--gradebook", str(tmp_path / "x.csv"), "--without-sandbox"]) == 2
    assert "neither Canvas's gradebook nor Moodle's" in capsys.readouterr().err


def test_without_a_sandbox_nothing_runs_unless_you_insist(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sandbox, "works", lambda: False)
    (tmp_path / "x.ipynb").write_text("{")
    assert results.main([str(tmp_path / "x.ipynb"), "--out", str(tmp_path)]) == 2
    assert "There is no sandbox on this system" in capsys.readouterr().err
    assert results.main([str(tmp_path / "x.ipynb"), "--out", str(tmp_path), "--without-sandbox"]) == 0
    assert "Sandbox: none." in capsys.readouterr().out
    assert "Sandbox: none." in (tmp_path / "index.html").read_text(encoding="utf-8")
