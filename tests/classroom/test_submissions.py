"""Reading what students hand in, whatever it is."""

import json
import re
import zipfile

import nbformat
import pytest
from classroom import submissions
from classroom.submissions import MOST_BYTES, UnclearError, asked_in, read_all


def notebook(*sources):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])


ASKING = nbformat.writes(notebook('check("0.1", 1)'))
FILE = "assignsubmission_file"


def read(path):
    (submission,) = read_all([path])
    return submission


def zipped(path, members):
    path.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize("evil", ["../e.ipynb", "a/../../e.ipynb", "/e.ipynb", "..\\e.ipynb", "C:\\e.ipynb"])
def test_a_path_that_leaves_the_archive_is_named_and_not_followed(tmp_path, evil):
    (tmp_path / "in").mkdir()
    submission = read(zipped(tmp_path / "in" / "eve.zip", {evil: ASKING, "good.ipynb": ASKING}))
    assert list(submission.notebooks) == ["good.ipynb"]
    assert "leads out of the archive" in submission.trouble[0]
    assert sorted(found.name for found in tmp_path.rglob("*")) == ["eve.zip", "in"]


def test_a_link_that_leaves_the_folder_is_not_followed(tmp_path):
    (tmp_path / "other.ipynb").write_text(ASKING)
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "mine.ipynb").symlink_to(tmp_path / "other.ipynb")
    submission = read(tmp_path / "eve")
    assert submission.notebooks == {}
    assert "leads out of the folder" in submission.trouble[0]


def test_zips_folders_and_notebooks_read_alike(tmp_path):
    folder = tmp_path / "ann"
    (folder / "notebooks" / ".ipynb_checkpoints").mkdir(parents=True)
    (folder / "notebooks" / "03.ipynb").write_text(ASKING)
    (folder / "notebooks" / ".ipynb_checkpoints" / "03.ipynb").write_text(ASKING)
    (tmp_path / "bob.ipynb").write_text(ASKING)
    zipped(tmp_path / "cem.zip", {"x/03.ipynb": ASKING, "__MACOSX/x/._03.ipynb": "x", "x/notes.txt": "x"})
    found = read_all([folder, tmp_path / "bob.ipynb", tmp_path / "cem.zip"])
    assert [submission.student for submission in found] == ["ann", "bob", "cem"]
    names = [name for submission in found for name in submission.notebooks]
    assert names == ["03.ipynb", "bob.ipynb", "03.ipynb"]
    assert [submission.trouble for submission in found] == [[], [], []]


def test_two_of_one_name_are_told_apart(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "03.ipynb").write_text(ASKING)
    paths = [tmp_path / "a" / "03.ipynb", tmp_path / "b" / "03.ipynb"]
    assert [submission.student for submission in read_all(paths)] == [f"03 ({path})" for path in paths]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"no zip", "cannot be read (BadZipFile"),
        (None, "there is no file"),
        ({}, "no notebook with an exercise"),
        ({"03.ipynb": "{"}, "'03.ipynb' is not a notebook: it is not JSON"),
        ({"03.ipynb": "[]"}, "is not a notebook"),
        ({"03.ipynb": ""}, "is not a notebook: it is empty"),
        ({"03.ipynb.txt": ASKING}, "'03.ipynb.txt' was not run: rename it to '03.ipynb'"),
        ({"essay.pdf": ""}, "no notebook with an exercise was handed in, only 'essay.pdf'"),
        ({"03.ipynb": " " * (MOST_BYTES + 1)}, "is larger than 20 MB"),
        ({"work.zip": "PK", "03.ipynb": ASKING}, "'work.zip' is a zip in what was handed in, and was not opened"),
        ({"03.ipynb": nbformat.writes(notebook("1 + 1"))}, "no notebook with an exercise"),
    ],
)
def test_what_cannot_be_read_becomes_a_sentence(tmp_path, data, says):
    path = tmp_path / "dan.zip"
    if isinstance(data, bytes):
        path.write_bytes(data)
    elif data is not None:
        zipped(path, data)
    (trouble,) = read(path).trouble
    assert says in trouble


FLAWED = {  # by JupyterLab overlooked
    "ids before their time": lambda nb: nb.update(nbformat_minor=4),
    "no counts": lambda nb: nb["cells"][0].pop("execution_count"),
    "no metadata": lambda nb: [part.pop("metadata") for part in (nb, *nb["cells"])],
    "outputs of a text": lambda nb: nb["cells"].append({"cell_type": "markdown", "source": "", "outputs": []}),
    "no version": lambda nb: nb.pop("nbformat"),
    "no cell": lambda nb: nb["cells"].append(None),
}


@pytest.mark.parametrize("flaw", FLAWED)
def test_what_jupyterlab_overlooks_is_run_and_told(tmp_path, flaw):
    nb = json.loads(ASKING)
    FLAWED[flaw](nb)
    (tmp_path / "ann.ipynb").write_text(json.dumps(nb))
    submission = read(tmp_path / "ann.ipynb")
    assert asked_in(submission.notebooks["ann.ipynb"]) == ["0.1"]
    assert "although its file has a flaw: " in submission.flaws[0]
    assert submission.trouble == []


def test_other_encodings_extensions_and_versions_are_notebooks_too(tmp_path):
    old = {"cells": [{"cell_type": "code", "input": ["check('0.1', 1)"], "outputs": [], "language": "python"}]}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [old]}
    (tmp_path / "a.IPYNB").write_text(ASKING, encoding="utf-16")
    (tmp_path / "b.ipynb").write_text(ASKING, encoding="utf-8-sig")
    (tmp_path / "c.ipynb").write_text(json.dumps(old))
    found = read_all(sorted(tmp_path.iterdir()))
    assert [[asked_in(nb) for nb in each.notebooks.values()] for each in found] == [[["0.1"]]] * 3
    assert [each.trouble + each.flaws for each in found] == [[], [], []]


def test_a_zip_is_read_up_to_a_limit_and_the_smallest_first(tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "MOST_IN_ALL", 10_000)
    names = [f"Eve_66_{FILE}_/{i}.ipynb" for i in range(9)]
    path = zipped(
        tmp_path / "class.zip", {name: ASKING + " " * 4000 for name in names} | {f"Ada_12_{FILE}_/0.ipynb": ASKING}
    )
    eve, ada = read_all([path])
    assert list(ada.notebooks) == ["0.ipynb"]
    assert ada.trouble == []
    assert len(eve.notebooks) == 2
    assert "'2.ipynb' was not read, since the notebooks beside it take" in eve.trouble[0]


@pytest.mark.parametrize(
    ("names", "students"),
    [
        (["Ada/01.ipynb", "Bo/01.ipynb", "readme.txt"], ["Ada", "Bo"]),
        (["Ada/01.ipynb", "Ada/data/x.csv"], ["Ada"]),
        (["class/Ada/01.ipynb"], ["Ada"]),
        (["all/Ada/x/01.ipynb", "all/Bo/01.ipynb"], ["Ada", "Bo"]),
    ],
)
def test_folders_are_students_and_the_zip_is_none(tmp_path, names, students):
    path = zipped(tmp_path / "class.zip", dict.fromkeys(names, ASKING))
    assert [submission.student for submission in read_all([path], "folders")] == students


def test_a_notebook_beside_the_folders_is_nobodys(tmp_path):
    with pytest.raises(UnclearError, match=r"'01\.ipynb' lies in no folder"):
        read_all([zipped(tmp_path / "class.zip", {"Ada/01.ipynb": ASKING, "01.ipynb": ASKING})], "folders")


def told(paths, several=None):
    return {(s.student, s.form, s.id): sorted(s.notebooks) for s in read_all(paths, several)}


@pytest.mark.parametrize(
    ("names", "students"),
    [
        (
            [f"Ada L_12_{FILE}_/01.ipynb", f"Ada L_12_{FILE}_/more/02.ipynb", f"Ada L_77_{FILE}/01.ipynb"],
            {
                ("Ada L (12)", "Moodle", "12"): ["01.ipynb", "more/02.ipynb"],
                ("Ada L (77)", "Moodle", "77"): ["01.ipynb"],
            },
        ),
        (
            [f"Bo O'Brien_12_{FILE}_01_a.ipynb", f"Participant_3_{FILE}_01_a.ipynb", f"Team A_{FILE}/01_a.ipynb"],
            {
                ("Bo O'Brien", "Moodle", "12"): ["01_a.ipynb"],
                ("Participant", "Moodle", "3"): ["01_a.ipynb"],
                ("Team A", "Moodle", ""): ["01_a.ipynb"],
            },
        ),
        (
            ["lovelaceada_4711_99_01_a.ipynb", "lovelaceada_4711_100_03.ipynb", "o_neil_2_LATE_816_102_01_a.ipynb"],
            {
                ("lovelaceada", "Canvas", "4711"): ["01_a.ipynb", "03.ipynb"],
                ("o_neil_2", "Canvas", "816"): ["01_a.ipynb"],
            },
        ),
        (
            ["anon_Ab3dE_104_01_a.ipynb", "LATE_anon_Zb3dE_105_01_a.ipynb"],
            {
                ("anon_Ab3dE", "Canvas", "anon_Ab3dE"): ["01_a.ipynb"],
                ("anon_Zb3dE", "Canvas", "anon_Zb3dE"): ["01_a.ipynb"],
            },
        ),
        (
            [
                "Home Work 1_s12_attempt_2026-11-23-10-00-00_a_b.ipynb",
                "Home Work 1_s12_attempt_2026-11-23-10-00-00.txt",
            ],
            {("s12", "Blackboard", "s12"): ["a_b.ipynb"]},
        ),
        (["lab_01_02_gauss.ipynb"], {("class", "", ""): ["lab_01_02_gauss.ipynb"]}),
        (["class/notebooks/00.ipynb", "class/data/x.csv"], {("class", "", ""): ["notebooks/00.ipynb"]}),
    ],
)
def test_names_of_learning_systems_tell_the_students(tmp_path, names, students):
    """In a zip, in a folder, in a folder in a zip, and one by one."""
    members = {name: ASKING for name in names}
    assert told([zipped(tmp_path / "class.zip", members)]) == students
    assert (
        told([zipped(tmp_path / "down" / "class.zip", {f"x/{name}": data for name, data in members.items()})])
        == students
    )
    for name, data in members.items():
        path = tmp_path / "class" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(data)
    assert told([tmp_path / "class"]) == students
    if next(iter(students))[1]:
        assert told(sorted((tmp_path / "class").iterdir())) == students


def test_of_files_that_were_handed_in_again_the_latest_counts(tmp_path):
    first, second, third = (nbformat.writes(notebook(f'check("0.{i}", 1)')) for i in (1, 2, 3))
    names = ["a_47_99_00_start_here.ipynb", "a_47_100_00_start_here.ipynb", "a_47_98_00_start_here-2.ipynb"]
    (student,) = read_all([zipped(tmp_path / "c.zip", dict(zip(names, (first, second, third), strict=True)))])
    assert [asked_in(nb) for nb in student.notebooks.values()] == [["0.2"]]
    assert student.trouble == ["'00_start_here.ipynb' was handed in more than once; the latest counts"]


def test_a_zip_that_canvas_names_belongs_to_that_student(tmp_path):
    paths = [zipped(tmp_path / "adal_4711_99_work.zip", {"01.ipynb": ASKING}), tmp_path / "adal_4711_101_02.ipynb"]
    paths[1].write_text(ASKING)
    assert told(paths) == {("adal", "Canvas", "4711"): ["01.ipynb", "02.ipynb"]}


def test_an_empty_zip_that_canvas_names_is_still_that_students(tmp_path):
    submission = read(zipped(tmp_path / "darcanne_4718_103_work.zip", {}))
    assert (submission.form, submission.id, submission.notebooks) == ("Canvas", "4718", {})


@pytest.mark.parametrize(
    ("names", "says", "folders"),
    [
        (["Ada/01.ipynb", "Bo/01.ipynb"], "may be the work of several students: 'Ada/01.ipynb' and 'Bo", ["Ada", "Bo"]),
        (["Ada/01.ipynb", "Bo/02.ipynb"], "may be the work of several students", ["Ada", "Bo"]),
        (["ada.ipynb", "bo.ipynb"], "may be the work of several students: 'ada.ipynb' and 'bo.ipynb'", None),
        ([f"Ada_12_{FILE}_/01.ipynb", "Bo/01.ipynb"], "some files are named by Moodle, but not 'Bo/01.ipynb'", None),
        (["ada_4711_99_01.ipynb", "Bo/01.ipynb"], "some files are named by Canvas, but not 'Bo/01.ipynb'", None),
    ],
)
def test_what_may_be_several_students_is_asked_for(tmp_path, names, says, folders):
    path = zipped(
        tmp_path / "class.zip",
        {
            name: nbformat.writes(notebook(f'check("0.{i}", 1)', 'check("1.1", 1)'))
            if "02" not in name
            else ASKING.replace("0.1", "2.1")
            for i, name in enumerate(names)
        },
    )
    with pytest.raises(UnclearError, match=re.escape(says)):
        read_all([path])
    assert [submission.student for submission in read_all([path], "one")] == ["class"]
    if folders:
        assert [submission.student for submission in read_all([path], "folders")] == folders
