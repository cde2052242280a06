"""What students handed in: zips, folders and single notebooks, each the work of one student. Nothing is unpacked."""

import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import nbformat

MOST_BYTES, MOST_NOTEBOOKS = 20_000_000, 60
SKIPPED = {"__MACOSX", ".ipynb_checkpoints", ".venv"}
ASKED = re.compile(r"\bcheck\(\s*[\"'](\d+\.\d+)[\"']")


@dataclass
class Submission:
    """The work of one student.

    Parameters
    ----------
    student : str
        Name of the file or folder.
    notebooks : dict
        Name → notebook, of those with an exercise.
    trouble : list of str
        What could not be read, in sentences.
    """

    student: str
    notebooks: dict = field(default_factory=dict)
    trouble: list = field(default_factory=list)


def code_of(nb):
    """Yield the number and the cell of what is run: code that is neither our solution nor holds numbers of our text."""
    for number, cell in enumerate(nb.cells, 1):
        if cell.cell_type == "code" and not {"solution", "numbers"} & set(cell.metadata.get("tags", [])):
            yield number, cell


def asked_in(nb):
    """Return the exercises that a notebook hands to `check`, in their order."""
    return list(dict.fromkeys(number for _, cell in code_of(nb) for number in ASKED.findall(cell.source)))


def _is_skipped(path):
    return path.suffix != ".ipynb" or path.name.startswith("._") or bool(SKIPPED & set(path.parts))


def _in_zip(path, trouble):
    """Yield name and bytes of each notebook; a path that leaves the folder is named, and not followed."""
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            name = PurePosixPath(info.filename.replace("\\", "/"))
            if name.is_absolute() or ".." in name.parts or re.match(r"[A-Za-z]:", info.filename):
                trouble.append(f"{info.filename!r} leads out of the archive and was not read")
            elif not _is_skipped(name) and not info.is_dir():
                with archive.open(info) as member:
                    yield str(name), member.read(MOST_BYTES + 1)


def _in_folder(path, trouble):
    inside = path.resolve()
    for found in sorted(path.rglob("*.ipynb")):
        name = found.relative_to(path)
        if not found.resolve().is_relative_to(inside):
            trouble.append(f"'{name}' leads out of the folder and was not read")
        elif not _is_skipped(name) and found.is_file():
            yield name.as_posix(), _bytes_of(found)


def _bytes_of(path):
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _found(path, trouble):
    if path.is_dir():
        return _in_folder(path, trouble)
    if path.suffix == ".ipynb":
        return iter([(path.name, _bytes_of(path))])
    return _in_zip(path, trouble)


def _parsed(data):
    """Return a notebook, or raise ValueError with the reason."""
    if len(data) > MOST_BYTES:
        raise ValueError(f"is larger than {MOST_BYTES // 1_000_000} MB and was not run")
    try:
        nb = nbformat.reads(data.decode("utf-8"), as_version=4)
        nbformat.validate(nb)
    except Exception as error:  # whatever a damaged file makes the reader say
        raise ValueError(f"is no notebook ({type(error).__name__})") from None
    return nb


def read(path):
    """Return the submission in a zip, a folder or a notebook; what cannot be read becomes a sentence in `trouble`."""
    path = Path(path)
    submission = Submission(path.name if path.is_dir() else path.stem)
    try:
        for name, data in _found(path, submission.trouble):
            if len(submission.notebooks) == MOST_NOTEBOOKS:
                submission.trouble.append(f"holds more than {MOST_NOTEBOOKS} notebooks; the rest was not run")
                break
            try:
                nb = _parsed(data)
            except ValueError as error:
                submission.trouble.append(f"'{name}' {error}")
                continue
            if asked_in(nb):
                submission.notebooks[name] = nb
    except FileNotFoundError:
        submission.trouble.append(f"there is no file {path}")
    except Exception as error:  # damaged, locked with a password, of an unknown compression
        submission.trouble.append(f"{path.name} cannot be read ({type(error).__name__}: {error})")
    if not (submission.notebooks or submission.trouble):
        submission.trouble.append("no notebook with an exercise was handed in")
    return submission


def read_all(paths):
    """Return the submissions; where two have one name, their paths tell them apart."""
    submissions = [read(path) for path in paths]
    names = [submission.student for submission in submissions]
    for submission, path in zip(submissions, paths, strict=True):
        if names.count(submission.student) > 1:
            submission.student = str(path)
    return submissions
