"""What students handed in, as Moodle, Canvas and Blackboard name it, or as zips, folders and notebooks of one student.

Nothing is unpacked, and nothing is guessed: what may be the work of several students is named, and not run.
"""

import contextlib
import json
import re
import zipfile
from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath

import nbformat
from nbformat import validator

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES, MOST_IN_ALL, MOST_NOTEBOOKS = 20_000_000, 300_000_000, 60
MOST_SAID = 10  # sentences on the files of a student
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
RENAMED = re.compile(r"(.+\.ipynb)\.(?!zip$)\w+", re.IGNORECASE)  # by a browser or a mail program
BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


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
    back : str
        The name by which Moodle or Canvas takes a file back for this student, or "".
    files : dict
        Name → which of several it is, and its bytes, or a sentence on why they were not read.
    notebooks : dict
        Name → notebook, of those with an exercise.
    trouble : list of str
        What could not be read or is worth knowing, in sentences.
    flaws : list of str
        What JupyterLab overlooks in the files of notebooks that were run.
    """

    student: str
    form: str = ""
    id: str = ""
    back: str = ""
    files: dict = field(default_factory=dict)
    notebooks: dict = field(default_factory=dict)
    trouble: list = field(default_factory=list)
    flaws: list = field(default_factory=list)

    def add(self, name, data, turn=()):
        """Add a file; of several versions of one, the latest counts."""
        if name in self.files:
            self.say(f"'{name}' was handed in more than once; the latest counts")
            turn, data = max((turn, data), self.files[name], key=lambda version: version[0])
        self.files[name] = turn, data

    def say(self, sentence):
        """Add a sentence, once; of many, the first."""
        if sentence not in self.trouble and len(self.trouble) < MOST_SAID:
            self.trouble.append(sentence if len(self.trouble) < MOST_SAID - 1 else "and more of this kind")

    def read(self):
        """Read the notebooks among the files."""
        for name, (_, data) in self.files.items():
            if kind(name) == ".zip":
                self.say(f"'{name}' is a zip in what was handed in, and was not opened: unpack it first")
            elif renamed := RENAMED.fullmatch(name):
                self.say(f"'{name}' was not run: rename it to '{renamed[1]}', which it was before it was sent")
            elif kind(name) == ".ipynb" and len(self.notebooks) == MOST_NOTEBOOKS:
                self.say(f"holds more than {MOST_NOTEBOOKS} notebooks; the rest was not run")
            elif kind(name) == ".ipynb":
                try:
                    nb, flaw = _parsed(data)
                except ValueError as error:
                    self.say(f"'{name}' {error}")
                    continue
                if asked_in(nb):
                    self.notebooks[name] = nb
                    self.flaws += [f"'{name}' was run, although its file has a flaw: {flaw}"] if flaw else []
        if not (self.notebooks or self.trouble):
            others = ", ".join(f"'{name}'" for name in list(self.files)[:3])
            self.say(f"no notebook with an exercise was handed in{f', only {others}' if others else ''}")


def kind(name):
    """Return the extension of a name in small letters."""
    return PurePosixPath(name).suffix.lower()


def text_of(data):
    """Return text, its encoding and its byte order mark; what is neither UTF-8 nor UTF-16 is taken for Windows'."""
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), encoding, mark
    head = data[:1000]
    if head.count(0) > len(head) / 4:
        encoding = "utf-16-be" if head[0] == 0 else "utf-16-le"
        return data.decode(encoding, "replace"), encoding, b""
    try:
        return data.decode("utf-8"), "utf-8", b""
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), "cp1252", b""


def code_of(nb):
    """Yield the number and the cell of what is run: all code."""
    for number, cell in enumerate(nb.cells, 1):
        if cell.cell_type == "code":
            yield number, cell


def asked_in(nb):
    """Return the exercises that a notebook hands to `check`, in their order."""
    return list(dict.fromkeys(number for _, cell in code_of(nb) for number in ASKED.findall(cell.source)))


def in_course(number):
    """Return what sorts exercises: "2.10" comes after "2.9"."""
    return [int(part) for part in number.split(".")]


def _in_zip(archive, trouble):
    """Yield name, size and what opens it, of each file; a path that leaves the archive is named, and not followed."""
    for info in archive.infolist():
        name = PurePosixPath(info.filename.replace("\\", "/"))
        if name.is_absolute() or ".." in name.parts or re.match(r"[A-Za-z]:", info.filename):
            trouble.append(f"{info.filename!r} leads out of the archive and was not read")
        elif not info.is_dir():
            yield name, info.file_size, partial(archive.open, info)


def _in_folder(path, trouble):
    inside = path.resolve()
    for found in sorted(each for each in path.rglob("*") if not each.is_dir()):
        name = PurePosixPath(found.relative_to(path).as_posix())
        if not found.resolve().is_relative_to(inside):
            trouble.append(f"'{name}' leads out of the folder and was not read")
        else:
            yield name, found.stat().st_size, partial(found.open, "rb")


def _contents(members):
    """Return name → bytes of a notebook, or why it was not read; of too many bytes, the largest files are left out."""
    found, left = {}, MOST_IN_ALL
    members = [m for m in members if not (m[0].name.startswith("._") or SKIPPED & set(m[0].parts))]
    for name, _, opens in sorted(members, key=lambda member: member[1]):
        data = b""
        if kind(name) == ".ipynb" and left > 0:
            try:
                with opens() as file:
                    data = file.read(MOST_BYTES + 1)
            except Exception as error:  # damaged, locked with a password, of an unknown compression
                data = f"cannot be read ({type(error).__name__}: {error})"
            left -= len(data)
        if kind(name) == ".ipynb" and left <= 0:  # this one was too much
            data = f"was not read, since the notebooks beside it take {MOST_IN_ALL // 1_000_000} MB in all"
        elif len(data) > MOST_BYTES:
            data = f"is larger than {MOST_BYTES // 1_000_000} MB and was not run"
        found[str(name)] = data
    return {str(name): found[str(name)] for name, *_ in members}


def _found(path, trouble):
    """Return name → bytes of the files at a path; what cannot be read becomes a sentence."""
    try:
        if path.is_dir():
            return _contents(_in_folder(path, trouble))
        if path.exists() and kind(path.name) != ".zip":
            return _contents([(PurePosixPath(path.name), path.stat().st_size, partial(path.open, "rb"))])
        with zipfile.ZipFile(path) as archive:
            return _contents(_in_zip(archive, trouble))
    except FileNotFoundError:
        trouble.append(f"there is no file {path}")
    except Exception as error:  # damaged, or no zip at all
        trouble.append(f"{path.name} cannot be read ({type(error).__name__}: {error})")
    return {}


def _unwrapped(found, several, stem):
    """Return files without folders that hold everything, which say nothing, unless that folder is a student's."""
    while len(tops := {name.partition("/")[0] for name in found}) == 1 and all("/" in name for name in found):
        (top,) = tops
        inner = {name.removeprefix(f"{top}/"): data for name, data in found.items()}
        holding = {name.partition("/")[0] for name in inner if "/" in name and kind(name) == ".ipynb"}
        if FORMS["Moodle"].fullmatch(next(iter(found))) or (several == "folders" and top != stem and len(holding) < 2):
            break
        found = inner
    return found


def _parsed(data):
    """Return a notebook with a file's code, and what JupyterLab overlooks in it; raise ValueError with a reason."""
    if isinstance(data, str):
        raise ValueError(data)
    try:
        told = json.loads(text_of(data)[0])
        flaw = "" if "nbformat" in told else "it doesn't name its version"
        if told.get("nbformat", 4) < 4:
            told = nbformat.reads(json.dumps(told), as_version=4)
        cells = [
            nbformat.v4.new_code_cell(_source_of(cell), metadata={"tags": _tags_of(cell)})
            if cell.get("cell_type") == "code"
            else nbformat.v4.new_markdown_cell()
            for cell in told["cells"]
            if isinstance(cell, dict)
        ]
    except json.JSONDecodeError:
        raise ValueError(f"is not a notebook: {'it is not JSON' if data.strip() else 'it is empty'}") from None
    except Exception as error:  # whatever a damaged file makes the reader say
        raise ValueError(f"is not a notebook ({type(error).__name__})") from None
    with contextlib.suppress(Exception):  # the validator has its own ideas about what can be validated
        errors = validator.iter_validate(told, version=4, version_minor=told.get("nbformat_minor", 5))
        flaw = flaw or next((error.message.partition("\n")[0][:100] for error in errors), "")
    return nbformat.v4.new_notebook(cells=cells), flaw


def _source_of(cell):
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(map(str, source))


def _tags_of(cell):
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    return [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []


def _form_of(path, found):
    """Return the form that all names have, and name → match; of names that have none, (None, {})."""
    telling = [name for name in found if kind(name) in {".ipynb", ".zip"}] or list(found)
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
            return form, dict.fromkeys(found or [""], outer)  # an empty zip is somebody's, too
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
        if form == "Moodle" and parts["id"]:
            submission.back = f"{student}_{parts['id']}_assignsubmission_file_/feedback.ipynb"
        elif form == "Canvas" and kind(submission.back) != ".ipynb":
            submission.back = match.string.rpartition("/")[2]
        if parts["late"]:
            submission.say("was handed in late")
        if name in found:
            submission.add(file, found[name], turn)


def _add_single(submissions, path, found, trouble, several):
    """Add what bears no names of a system: the work of one student, or of one for each folder."""
    if several == "folders" and path.exists() and (path.is_dir() or kind(path.name) == ".zip"):
        loose = [name for name in found if "/" not in name and kind(name) == ".ipynb"]
        if loose:
            raise UnclearError(
                f"{path}: {', '.join(map(repr, loose[:3]))} lies in no folder, so it is nobody's. Put it into the "
                "folder of its student, or remove it"
            )
        for name, data in found.items():
            top, _, inside = name.partition("/")
            if inside:
                submissions.setdefault((str(path), top), Submission(top)).add(inside, data)
        found = {}
        if not trouble:
            return
    own = submissions.setdefault(str(path), Submission(path.name if path.is_dir() else path.stem, trouble=trouble))
    for name, data in found.items():
        own.add(name, data)


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
        found = _unwrapped(_found(path, trouble), several, path.stem)
        try:
            form, said = _form_of(path, found) if several != "one" else (None, {})
            if form:
                _add_named(submissions, form, said, found)
            if trouble or not form:
                _add_single(submissions, path, {} if form else found, trouble, several)
        except UnclearError as error:
            unclear.append(str(error))
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
