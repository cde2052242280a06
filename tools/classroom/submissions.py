"""What students handed in, as Moodle, Canvas and Blackboard name it, or as zips, folders and notebooks of one student.

Nothing is unpacked, and nothing is guessed: what may be the work of several students is named, and not run.
"""

import re
import zipfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import nbformat

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES, MOST_NOTEBOOKS = 20_000_000, 60
SKIPPED = {"__MACOSX", ".ipynb_checkpoints", ".venv"}
ASKED = re.compile(r"\bcheck\(\s*[\"'](\d+\.\d+)[\"']")
# Names of the files, from the folder that was downloaded on.
FORMS = {
    "Moodle": re.compile(
        r"(?P<name>[^_/]+)(?:_(?P<id>\d+))?_assignsubmission_(?:file|onlinetext)(?:_?/|_)(?P<file>.+)"
    ),
    "Blackboard": re.compile(
        r"(?:.*/)?[^/]+?_(?P<id>[^_/]+)_attempt_(?P<turn>\d{4}(?:-\d\d){5})(?:\.txt|_(?P<file>[^/]+))"
    ),
    "Canvas": re.compile(
        r"(?:.*/)?(?:(?P<name>[^/]+?)_)??(?P<late>LATE_)?(?P<id>[1-9]\d*|anon_[A-Za-z0-9]+)_(?P<turn>[1-9]\d*)_(?P<file>[^/]+)"
    ),
}
COURSE = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
AGAIN = re.compile(r"-\d{1,2}(?=\.ipynb$)")  # what Canvas appends to a file that is handed in again


class UnclearError(ValueError):
    """Files whose students cannot be told apart: the sentences say which, and what to do."""


@dataclass
class Submission:
    """The work of one student.

    Parameters
    ----------
    student : str
    form : str
        A key of `FORMS`, or "" where the name is that of a file or folder.
    id : str
        What that system calls the student, or "".
    files : dict
        Name → which of several it is, and its bytes.
    notebooks : dict
        Name → notebook, of those with an exercise.
    trouble : list of str
        What could not be read or is worth knowing, in sentences.
    """

    student: str
    form: str = ""
    id: str = ""
    files: dict = field(default_factory=dict)
    notebooks: dict = field(default_factory=dict)
    trouble: list = field(default_factory=list)

    def add(self, name, data, turn=()):
        """Add a file; of several versions of one, the latest counts."""
        if name in self.files:
            self.say(f"'{name}' was handed in more than once; the latest counts")
            turn, data = max((turn, data), self.files[name], key=lambda version: version[0])
        self.files[name] = turn, data

    def say(self, sentence):
        """Add a sentence, once."""
        if sentence not in self.trouble:
            self.trouble.append(sentence)

    def read(self):
        """Read the notebooks among the files."""
        for name, (_, data) in self.files.items():
            if name.endswith(".zip"):
                self.say(f"'{name}' is a zip in what was handed in, and was not opened: unpack it first")
            elif name.endswith(".ipynb") and len(self.notebooks) == MOST_NOTEBOOKS:
                self.say(f"holds more than {MOST_NOTEBOOKS} notebooks; the rest was not run")
            elif name.endswith(".ipynb"):
                try:
                    nb = _parsed(data)
                except ValueError as error:
                    self.say(f"'{name}' {error}")
                else:
                    self.notebooks |= {name: nb} if asked_in(nb) else {}
        if not (self.notebooks or self.trouble):
            self.say("no notebook with an exercise was handed in")


def code_of(nb):
    """Yield the number and the cell of what is run: all code."""
    for number, cell in enumerate(nb.cells, 1):
        if cell.cell_type == "code":
            yield number, cell


def asked_in(nb):
    """Return the exercises that a notebook hands to `check`, in their order."""
    return list(dict.fromkeys(number for _, cell in code_of(nb) for number in ASKED.findall(cell.source)))


def _in_zip(path, trouble):
    """Yield name and bytes of each file; a path that leaves the archive is named, and not followed."""
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            name = PurePosixPath(info.filename.replace("\\", "/"))
            if name.is_absolute() or ".." in name.parts or re.match(r"[A-Za-z]:", info.filename):
                trouble.append(f"{info.filename!r} leads out of the archive and was not read")
            elif not info.is_dir():
                with archive.open(info) as member:
                    yield name, member.read(MOST_BYTES + 1) if name.suffix == ".ipynb" else b""


def _in_folder(path, trouble):
    inside = path.resolve()
    for found in sorted(each for each in path.rglob("*") if not each.is_dir()):
        name = PurePosixPath(found.relative_to(path).as_posix())
        if not found.resolve().is_relative_to(inside):
            trouble.append(f"'{name}' leads out of the folder and was not read")
        else:
            yield name, _bytes_of(found) if name.suffix == ".ipynb" else b""


def _bytes_of(path):
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _found(path, trouble):
    """Return name → bytes of the files at a path; what cannot be read becomes a sentence."""
    if path.is_file() and path.suffix != ".zip":
        return {path.name: _bytes_of(path)}
    found = {}
    try:
        for name, data in _in_folder(path, trouble) if path.is_dir() else _in_zip(path, trouble):
            if not (name.name.startswith("._") or SKIPPED & set(name.parts)):
                found[str(name)] = data
    except FileNotFoundError:
        trouble.append(f"there is no file {path}")
    except Exception as error:  # damaged, locked with a password, of an unknown compression
        trouble.append(f"{path.name} cannot be read ({type(error).__name__}: {error})")
    return found


def _unwrapped(found):
    """Return files without folders that hold everything, which say nothing."""
    while len(tops := {name.partition("/")[0] for name in found}) == 1 and all("/" in name for name in found):
        if FORMS["Moodle"].fullmatch(next(iter(found))):
            break
        found = {name.removeprefix(f"{next(iter(tops))}/"): data for name, data in found.items()}
    return found


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


def _form_of(path, found):
    """Return the form that all names have, and name → match; of names that have none, (None, {})."""
    telling = [name for name in found if name.endswith((".ipynb", ".zip"))] or list(found)
    for form, pattern in FORMS.items():
        said = {name: match for name in found if (match := pattern.fullmatch(name))}
        others = [name for name in telling if name not in said]
        if said and not others:
            return form, said
        if len(others) < len(telling):
            raise UnclearError(
                f"{path}: some files are named by {form}, but not {', '.join(map(repr, others[:3]))}. Remove these, "
                "or add --students one if all files are from one student"
            )
        outer = pattern.fullmatch(f"{path.name}/x" if path.is_dir() else path.name)
        if outer:
            return form, dict.fromkeys(found, outer)
    return None, {}


def _add_named(submissions, form, said, found):
    """Add files to the students that their names tell."""
    for name, match in said.items():
        parts = {"name": None, "id": None, "file": None, "turn": "", "late": None} | match.groupdict()
        student = parts["name"] or parts["id"]
        key = (form, parts["id"], student if form == "Moodle" else "")  # an id of Moodle belongs to one assignment
        submission = submissions.setdefault(key, Submission(student, form, parts["id"] or ""))
        file, turn = parts["file"] or name, (len(parts["turn"]), parts["turn"])
        if match.string != name:  # the name of the zip or folder around it
            file = name
        if form == "Canvas" and ((first := AGAIN.sub("", file)) in COURSE or first in submission.files):
            file = first
        if parts["late"]:
            submission.say("was handed in late")
        submission.add(file, found[name], turn)


def _add_single(submissions, path, found, trouble, several):
    """Add what bears no names of a system: the work of one student, unless it looks like several."""
    label = path.name if path.is_dir() else path.stem
    own = submissions.setdefault(str(path), Submission(label, trouble=trouble))
    for name, data in found.items():
        top = name.partition("/")[0] if several == "folders" and "/" in name else ""
        taken = submissions.setdefault((str(path), top), Submission(top)) if top else own
        taken.add(name, data)
    if several == "folders" and not (own.files or own.trouble):
        del submissions[str(path)]


def _check_single(path, submission):
    """Raise UnclearError where the notebooks lie in several folders, or ask the same."""
    asked = defaultdict(list)
    for name, nb in submission.notebooks.items():
        for number in asked_in(nb):
            asked[number].append(name)
    tops = {name.rpartition("/")[0]: name for name in submission.notebooks}
    twice = next((names for names in [*asked.values(), list(tops.values())] if len(names) > 1), [])
    if twice:
        raise UnclearError(
            f"{path} may be the work of several students: {' and '.join(map(repr, twice[:3]))}. If it is one "
            "student's, add --students one. If each folder in it is a student, add --students folders. If each "
            "notebook is, name the notebooks themselves in FILES"
        )


def read_all(paths, several=None):
    """Return the submissions in files.

    Parameters
    ----------
    paths : list of path
    several : None, "folders" or "one"
        What is a student where names do not tell. None asks, by an exception.

    Raises
    ------
    UnclearError
    """
    submissions, unclear = {}, []
    for path in map(Path, paths):
        trouble = []
        found = _unwrapped(_found(path, trouble))
        try:
            form, said = _form_of(path, found) if several != "one" else (None, {})
        except UnclearError as error:
            unclear.append(str(error))
            continue
        if form:
            _add_named(submissions, form, said, found)
        if trouble or not form:
            _add_single(submissions, path, {} if form else found, trouble, several)
    for key, submission in submissions.items():
        submission.read()
        if several is None and not submission.form:
            try:
                _check_single(key, submission)
            except UnclearError as error:
                unclear.append(str(error))
    if unclear:
        raise UnclearError("\n".join(unclear))
    names = [submission.student for submission in submissions.values()]
    for key, submission in submissions.items():
        if names.count(submission.student) > 1:
            submission.student += f" ({submission.id or key})"
    return list(submissions.values())
