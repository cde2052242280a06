"""From what Moodle and Canvas give to the table that they import: a class of twelve, in each of the two forms."""

import csv
import io
import zipfile

import made_up_class
import nbformat
import pytest
from classroom import feedback, gradebook, results, sandbox
from classroom.submissions import Submission, read_all

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
    assert head[:5] == ["Identifier", "Full name", "Email address", "Status", "Grade"]
    assert head[5:] == ["0.1", "0.2", "1.1", "1.2", "1.3", "Solved"]
    own = {place: [f"Participant {12345 + place}", NAMES[place], f"s{12345 + place}@example.org"] for place in SOME}
    assert rows == [[*own[place], "Submitted", "", *MARKS[place]] for place in SOME]


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


CANVAS = """Student,ID,SIS User ID,Section,HW (9),0.1 (77)
    Points Possible,,,,10,1
"Müller, Zoë",124,u1,S1,,
"O'Neil, Li",125,u2,S1,3,
"""
MOODLE = """{},"{}","{}",Note
"{}124","Zoë Müller",a@x,
"{}125",Li O'Neil,b@x,
"""
GERMAN = MOODLE.format("ID", "Vollständiger Name", "E-Mail-Adresse", "Teilnehmer/in", "Teilnehmer/in")
FRENCH = MOODLE.format("Identifiant", "Nom complet", "Adresse de courriel", "Participant ", "Participant ")
SPANISH = MOODLE.format("Identificador", "Nombre completo", "Dirección de correo", "Participante", "Participante")
UNKNOWN = MOODLE.format("Identificatie", "Volledige naam", "E-mailadres", "Deelnemer ", "Deelnemer ")
FIRST_LAST = CANVAS.replace("Student", "LastName,FirstName").replace("Possible", "Possible,")
FIRST_LAST = FIRST_LAST.replace('"Müller, Zoë"', "Müller,Zoë").replace('"O\'Neil, Li"', "O'Neil,Li")


FROM_MOODLE = 'Vorname,Nachname,"E-Mail-Adresse"\nZoë,Müller,a@x\nLi,O\'Neil,b@x\n'


@pytest.mark.parametrize(
    ("form", "text", "separator", "end", "encoding"),
    [
        ("Canvas", CANVAS, ",", "\n", "utf-8"),
        ("Canvas", CANVAS, ",", "\r\n", "cp1252"),
        ("Canvas", CANVAS, ";", "\n", "utf-8-sig"),
        ("Canvas", CANVAS, "\t", "\r\n", "utf-16"),
        ("Canvas", FIRST_LAST, ";", "\n", "utf-8"),
        ("Canvas", CANVAS.replace("Student,ID", "Étudiant,Numéro").replace("Section", "Groupe"), ",", "\n", "utf-8"),
        ("Moodle", GERMAN, ",", "\n", "utf-8"),
        ("Moodle", GERMAN, ";", "\r", "cp1252"),
        ("Moodle", FRENCH, ";", "\r\n", "cp1252"),
        ("Moodle", SPANISH, ",", "\n", "utf-16-be"),
        ("Moodle", UNKNOWN, "\t", "\n", "utf-8-sig"),
        ("Moodle", FROM_MOODLE, ",", "\n", "utf-8"),
    ],
)
@pytest.mark.parametrize("first", ["", "sep="])
def test_what_is_written_has_the_form_of_what_was_read(tmp_path, form, text, separator, end, encoding, first):
    first = f"{first}{separator}{end}" if first else ""
    table = list(csv.reader(io.StringIO(text)))
    raw = io.StringIO()
    csv.writer(raw, delimiter=separator, lineterminator=end).writerows(table)
    (tmp_path / "export.csv").write_bytes((first + raw.getvalue()).encode(encoding))
    names = ("oneilli", "muellerzoe") if form == "Canvas" else ("Li O'Neil", "Zoë Müller")
    submissions = [Submission(name, form, str(125 - place), notebooks={"x": None}) for place, name in enumerate(names)]
    book = gradebook.read(tmp_path / "export.csv", submissions)
    book.rename(submissions)
    assert [each.student for each in submissions] == (
        ["O'Neil, Li", "Müller, Zoë"] if form == "Canvas" else ["Li O'Neil", "Zoë Müller"]
    )
    assert [each.trouble for each in submissions] == [[], []]
    done = [{"exercise": "0.1", "solved": True, "message": ""}]
    class_of_two = results.Results([results.Student(each, {"0.1"}, done, []) for each in submissions], [])
    (path,) = gradebook.write(tmp_path, class_of_two, book)
    written = path.read_bytes().decode(encoding)
    assert written.startswith(first)
    assert written.encode(encoding) == path.read_bytes()  # the byte order mark, too
    rows = list(csv.reader(io.StringIO(written.removeprefix(first), newline=""), delimiter=separator))
    assert written.count(end) == len(rows) + bool(first)
    # An old mark in another column of Canvas's would set back a new one; Moodle keeps its columns.
    kept = [i for i, title in enumerate(table[0]) if title not in {"HW (9)", "0.1 (77)"}]
    assert [[row[place] for place in range(len(kept))] for row in rows] == [[row[i] for i in kept] for row in table]
    assert [row[len(kept) :] for row in rows[-2:]] == [["1", "1"]] * 2
    assert rows[0][-2:] == ["0.1 (77)" if form == "Canvas" else "0.1", "Solved"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty. Export the gradebook again."),
        (b"PK\x03\x04", "Save it as CSV"),
        (bytes(range(256)) * 9, "g.csv"),
        (b"Name\nAnn\n", "Its columns are 'Name', and the line below begins 'Ann'. Wanted is"),
        ((CANVAS + "X,124,u3,S1,,\n").encode(), "ID 124 stands in more than one row"),
    ],
)
def test_an_export_that_cannot_be_read_is_told_in_sentences(tmp_path, data, says):
    (tmp_path / "g.csv").write_bytes(data)
    with pytest.raises(gradebook.GradebookError, match=says):
        gradebook.read(tmp_path / "g.csv")


def test_who_is_not_in_the_gradebook_gets_a_row_too(tmp_path):
    (tmp_path / "g.csv").write_text(GERMAN, encoding="utf-8")
    book, stranger = gradebook.read(tmp_path / "g.csv"), Submission("Bo Li", "Moodle", "7")
    book.rename([stranger])
    assert "is not in the gradebook" in stranger.trouble[0]
    (path,) = gradebook.write(tmp_path, results.Results([results.Student(stranger, {"0.1"}, [], [])], []), book)
    assert path.read_text(encoding="utf-8").split("\n")[1] == "Teilnehmer/in7,Bo Li,,,0,"


def test_feedback_is_named_as_moodle_and_canvas_take_it_back(folder, canvas, tmp_path):
    submissions = read_all(folder.glob("*.zip"))
    moodle = results.Results([results.Student(each, set(), [], []) for each in submissions], [])
    (path,) = feedback.write(tmp_path, moodle)
    names = [f"{NAMES[place]}_{12345 + place}_assignsubmission_file_/feedback.ipynb" for place in SOME]
    assert zipfile.ZipFile(path).namelist() == names
    (path,) = feedback.write(tmp_path, canvas)
    with zipfile.ZipFile(path) as archive:
        downloaded = {each.name for each in (folder / "submissions").iterdir()}
        assert set(archive.namelist()) < downloaded
        assert len(archive.namelist()) == 11  # all but the essay
        george = next(name for name in archive.namelist() if "_4712_" in name)
        nb = nbformat.reads(archive.read(george), as_version=4)
    nbformat.validate(nb)
    assert "boolegeorge: 0 of 5 exercises solved." in nb.cells[0].source
    assert [cell.source for cell in nb.cells[1:3]] == ["**0.1** x", ""]


def test_a_name_is_no_formula(tmp_path):
    (tmp_path / "=1+1.ipynb").write_text("{")
    students = [results.Student(submission, set(), [], []) for submission in read_all(tmp_path.iterdir())]
    assert read(gradebook.write(tmp_path, results.Results(students, []))[0])[1] == ["'=1+1", ""]


def test_an_export_of_something_else_is_refused(tmp_path, capsys):
    (tmp_path / "x.csv").write_text("a,b\n")
    (tmp_path / "x.ipynb").write_text("{")
    assert results.main([str(tmp_path / "x.ipynb"), "--gradebook", str(tmp_path / "x.csv"), "--without-sandbox"]) == 2
    assert (
        "cannot tell who is who. It has a header and no students. Its columns are 'a', 'b'." in capsys.readouterr().err
    )


def test_without_a_sandbox_nothing_runs_unless_you_insist(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sandbox, "works", lambda: False)
    (tmp_path / "x.ipynb").write_text("{")
    assert results.main([str(tmp_path / "x.ipynb"), "--out", str(tmp_path)]) == 2
    assert "There is no sandbox on this system" in capsys.readouterr().err
    assert results.main([str(tmp_path / "x.ipynb"), "--out", str(tmp_path), "--without-sandbox"]) == 0
    assert "Sandbox: none." in capsys.readouterr().out
    assert "Sandbox: none." in (tmp_path / "index.html").read_text(encoding="utf-8")
