"""Reading what students hand in, whatever it is."""

import zipfile

import nbformat
import pytest
from classroom.submissions import MOST_BYTES, asked_in, read, read_all


def notebook(*sources):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])


ASKING = nbformat.writes(notebook('check("0.1", 1)'))


def zipped(path, members):
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
    assert names == ["notebooks/03.ipynb", "bob.ipynb", "x/03.ipynb"]
    assert [submission.trouble for submission in found] == [[], [], []]


def test_two_of_one_name_are_told_apart(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "03.ipynb").write_text(ASKING)
    paths = [tmp_path / "a" / "03.ipynb", tmp_path / "b" / "03.ipynb"]
    assert [submission.student for submission in read_all(paths)] == [str(path) for path in paths]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"no zip", "cannot be read (BadZipFile"),
        (None, "there is no file"),
        ({}, "no notebook with an exercise"),
        ({"03.ipynb": "{"}, "'03.ipynb' is no notebook (NotJSONError)"),
        ({"03.ipynb": "[]"}, "is no notebook"),
        ({"03.ipynb": " " * (MOST_BYTES + 1)}, "is larger than 20 MB"),
        ({f"{i}.ipynb": ASKING for i in range(61)}, "holds more than 60 notebooks"),
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


@pytest.mark.parametrize("tag", ["solution", "numbers"])
def test_our_cells_are_not_the_students(tag):
    nb = notebook('check("0.1", 1)', "check( '12.2',\n f)", 'check("0.1", 2)', 'check("0.2", 2)')
    nb.cells[3].metadata.tags = [tag]
    assert asked_in(nb) == ["0.1", "12.2"]
