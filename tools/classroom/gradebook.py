"""Write a table for a gradebook: a row for each student, as Canvas or Moodle knows them, a column for each exercise.

An exercise counts 1 if it is solved and 0 if not; what was not handed in stays empty. An export of the gradebook is
read in whatever language, encoding and separator it has, and what is written has the same.
"""

import csv
import io
import re
from itertools import permutations
from typing import NamedTuple

from classroom.submissions import text_of

MARKS = {"done": "1", "wrong": "0", "open": "0", "not reached": "0", "missing": ""}
TOTAL = "Solved"
BY_HAND = {"Canvas": ["Student", "ID", "Section"], "Moodle": ["Identifier", "Full name"], "Blackboard": ["Username"]}
# Canvas translates no header that matters here: "Student" (or "LastName", "FirstName"), "ID" and "Section" are fixed in
# lib/gradebook_exporter.rb of instructure/canvas-lms, and only separator and encoding follow the teacher's language
# (lib/csv_with_i18n.rb). Moodle's worksheet has the words of the language packs (strings `recordid` and `hiddenuser` of
# mod_assign, `fullname`; projectestac/moodle-langpacks: de, es, fr, and moodle/moodle for en), and begins with the
# identifier, a word and a number: "Participant 12", "Teilnehmer/in12".
IDENTIFIER = {"identifier", "id", "identifiant", "identificador"}
FULL_NAME = {"full name", "vollständiger name", "nom complet", "nombre completo"}
WANTED = (
    "Wanted is Canvas's gradebook, with a column 'ID' of numbers, or Moodle's grading worksheet, which begins with a "
    "column such as 'Identifier' with 'Participant 12' (German 'ID', French 'Identifiant', Spanish 'Identificador'). "
    "If one of these columns holds the numbers in the names of the files, give it that name."
)


class GradebookError(ValueError):
    """An export that cannot be read: the sentences say why, and what to do."""


class Layout(NamedTuple):
    """How a file of text is written: a line `sep=` for Excel, separator, encoding, byte order mark, end of a line."""

    first: str = ""
    separator: str = ","
    encoding: str = "utf-8"
    mark: bytes = b"\xef\xbb\xbf"  # with it, spreadsheets read UTF-8
    newline: str = "\r\n"

    def bytes_of(self, rows):
        """Return a table as this file would hold it."""
        text = io.StringIO()
        csv.writer(text, delimiter=self.separator, lineterminator=self.newline).writerows(rows)
        text = self.first + text.getvalue()
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError:  # a name that was not in the export
            return Layout.mark + text.encode()


class Book(NamedTuple):
    """An export of a gradebook.

    Parameters
    ----------
    who : list of str
        The columns that say who somebody is.
    form : str
        The system that it is from, a key of `submissions.FORMS`.
    head : list of str
    above : list
        Rows above the first student, such as Canvas's points.
    rows, names : dict
        What tells a student → the row, and the name.
    by_name : bool
        Whether a student is told by name, rather than by number.
    prefix : str
        What stands before the number: "Participant ".
    layout : Layout
    """

    who: list
    form: str
    head: list
    above: list
    rows: dict
    names: dict
    by_name: bool
    prefix: str
    layout: Layout

    def key(self, submission):
        """Return what tells a student here, or None where the export is of another system."""
        if submission.form != self.form:
            return None
        return _plain(submission.student) if self.by_name else submission.id

    def rename(self, submissions):
        """Call students what the gradebook calls them, and say who is not in it."""
        for submission in submissions:
            key = self.key(submission)
            if key in self.rows:
                submission.student = self.names[key] or submission.student
            elif key is not None:
                submission.say(
                    "is not in the gradebook, or more than once: the row was made from the names of the files"
                )
        names = [submission.student for submission in submissions]
        for submission in submissions:
            if names.count(submission.student) > 1 and submission.id:
                submission.student += f" ({submission.id})"


def harmless(text):
    """Return a text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text


def _plain(name):
    return " ".join(name.casefold().replace(",", " ").split())


def _tables(text):
    """Yield separator and rows for each way to read a table, the one with the most columns first."""
    one = re.sub(r'("(?:[^"]|"")*")|;', lambda found: found[1] or ",", text)  # somebody has mixed commas and semicolons
    ways = []
    for separator, content in [(",", text), (";", text), ("\t", text), (",", one)]:
        try:
            rows = [row for row in csv.reader(io.StringIO(content), delimiter=separator) if any(map(str.strip, row))]
        except csv.Error:
            continue
        ways.append((separator, [[cell.strip("\ufeff\xa0") for cell in row] for row in rows]))
    return sorted(ways, key=lambda way: -len(way[1][0]) if way[1] else 0)


def _columns(head, rows, submissions):
    """Return the system, the columns that tell a student, and the words before a number; or None."""
    columns = [[row[i].strip() if i < len(row) else "" for row in rows] for i in range(len(head))]
    titles = [title.strip().casefold() for title in head]
    first = [re.fullmatch(r"(.*\D)(\d+)", cell) for cell in columns[0] if cell]
    prefixes = {found and found[1] for found in first}
    (prefix,) = prefixes if len(prefixes) == 1 else [None]
    if prefix and (titles[0] in IDENTIFIER or len(prefix.strip()) > 3):
        return "Moodle", [0], prefix
    for i, title in enumerate(titles):
        if title == "id" and i in (1, 2) and any(columns[i]) and all(cell.isdigit() for cell in columns[i] if cell):
            return "Canvas", [i], ""
    # No header that we know: a column that holds what the names of the files say, a number or a name.
    for form in dict.fromkeys(submission.form for submission in submissions):
        theirs = [submission for submission in submissions if submission.form == form]
        ids, names = {each.id for each in theirs} - {""}, {_plain(each.student) for each in theirs}
        for i, column in enumerate(columns):
            found = {re.sub(r"^.*\D(?=\d+$)", "", cell) if form == "Moodle" else cell for cell in column}
            if ids and 2 * len(ids & found) > len(ids):
                return form, [i], ""
        for places in [*((i,) for i in range(len(head))), *permutations(range(min(len(head), 4)), 2)]:
            found = {_plain(" ".join(cells)) for cells in zip(*(columns[i] for i in places), strict=True)}
            if 2 * len(names & found) > len(names):
                return form, list(places), None
    return None


def _name_column(form, head, rows, at):
    """Return the columns of the name."""
    if form == "Canvas":
        return list(range(at))  # "Student", or "LastName" and "FirstName"
    titled = [i for i, title in enumerate(head) if title.strip().casefold() in FULL_NAME]
    nexts = [row[at + 1] for row in rows if len(row) > at + 1]
    varied = len(set(nexts)) > len(nexts) / 2 and not any("@" in cell for cell in nexts)
    return titled[:1] or ([at + 1] if varied else [])


def read(path, submissions=()):
    """Return an export as a `Book`.

    Parameters
    ----------
    path : Path
    submissions : list of submissions.Submission
        Tell the columns where their headers don't.

    Raises
    ------
    GradebookError, OSError
    """
    data = path.read_bytes()
    if data.startswith(b"PK"):
        raise GradebookError(f"{path} is a file of Excel or another program. Save it as CSV, and give that.")
    text, encoding, mark = text_of(data)
    if not text.strip():
        raise GradebookError(f"{path} is empty. Export the gradebook again.")
    newline = next((end for end in ("\r\n", "\r") if end in text), "\n")
    text = text.replace(newline, "\n")
    first = re.match(r"sep=.\n", text, re.IGNORECASE)
    first = first[0] if first else ""
    ways = _tables(text.removeprefix(first))
    first = first.replace("\n", newline)
    for separator, (head, *rows) in ((way, table) for way, table in ways if table):
        said = _columns(head, rows, submissions)
        if said:
            return _book(path, head, rows, said, Layout(first, separator, encoding, mark, newline))
    if not (ways and ways[0][1]):
        raise GradebookError(f"{path} is not a table. {WANTED}")
    head, *rows = ways[0][1]
    shown = ", ".join(f"'{title[:40]}'" for title in head[:8])
    below = f", and the line below begins {', '.join(repr(cell[:40]) for cell in rows[0][:3])}" if rows else ""
    nobody = "" if rows else " It has a header and no students."
    raise GradebookError(f"{path}: cannot tell who is who.{nobody} Its columns are {shown}{below}. {WANTED}")


def _book(path, head, rows, said, layout):
    form, places, prefix = said
    at, by_name = places[-1], prefix is None
    named = places if by_name else _name_column(form, head, rows, at)
    known, names, above, twice = {}, {}, [], set()
    for row in rows:
        row += [""] * (len(head) - len(row))
        name = (", " if form == "Canvas" else " ").join(row[i].strip() for i in named)
        cell = row[at].strip()
        key = _plain(name) if by_name else re.sub(r"^.*\D(?=\d+$)", "", cell) if form == "Moodle" else cell
        if not key or (form == "Canvas" and not key.isdigit()):
            above += [] if known else [row]
        elif key in known:
            twice.add(key)
        else:
            known[key], names[key] = row, name
    if twice and not by_name:
        raise GradebookError(
            f"{path}: {head[at]} {', '.join(sorted(twice)[:3])} stands in more than one row. Keep one of them."
        )
    for key in twice:  # two people of one name
        del known[key], names[key]
    last = at
    if form == "Canvas":
        titles = [title.strip() for title in head]
        work = next((i for i, title in enumerate(titles) if i > at and re.search(r"\(\d+\)$", title)), at + 1)
        last = titles.index("Section") if "Section" in titles else work - 1
    elif not by_name:
        last = max([at, *named])
        last += last + 1 < len(head) and any("@" in row[last + 1] for row in rows)
    return Book(head[: last + 1], form, head, above, known, names, by_name, prefix or "", layout)


def marks(student, exercises):
    """Return the cells of a student, the total last; all are empty where nothing could be read."""
    cells = [MARKS[student.outcome(number)[0]] for number in exercises]
    return [*cells, str(cells.count("1")) if student.is_readable else ""]


def _in_book(book, students, exercises):
    """Return the rows of those who handed something in, with the columns of the export.

    Of Canvas's columns only those are written that we fill: an old mark of another assignment would set back a new one.
    """
    titles = [
        next((h for h in book.head if re.fullmatch(rf"{re.escape(t)}(?: \(\d+\))?", h.strip())), t)
        for t in [*exercises, TOTAL]
    ]
    kept = [h for i, h in enumerate(book.head) if i < len(book.who) or book.form != "Canvas" or h in titles]
    head = [*kept, *(t for t in titles if t not in kept)]

    def filled(row, cells):
        own = dict(zip(titles, cells, strict=True))
        told = dict(zip(book.head, row, strict=False))
        return [own[h] if h in own else told.get(h, "") for h in head]

    order = {key: place for place, key in enumerate(book.rows)}
    students = sorted(students, key=lambda student: order.get(book.key(student.submission), len(order)))
    rows = [head]
    for above in book.above:
        points = book.form == "Canvas" and above is book.above[-1]
        rows.append(filled(above, [*["1"] * len(exercises), str(len(exercises))] if points else [""] * len(titles)))
    for student in students:
        row = book.rows.get(book.key(student.submission))
        if row is None:  # as well as the names of the files can tell
            row = [""] * len(book.head)
            told = {"Canvas": (student.name, student.submission.id)}
            own = told.get(book.form, (book.prefix + student.submission.id, student.name))
            row[: len(own)] = map(harmless, own)
        rows.append(filled(row, marks(student, exercises)))
    return rows


def _by_hand(form, students, exercises):
    """Return rows made from the names of the files."""
    rows = [[*BY_HAND.get(form, ["student"]), *exercises, TOTAL]]
    if form == "Canvas":
        rows.append(["    Points Possible", "", "", *["1"] * len(exercises), str(len(exercises))])
    for student in students:
        told, name = student.submission, harmless(student.name)
        own = {"Canvas": [name, told.id, ""], "Moodle": [f"Participant {told.id}", name], "Blackboard": [told.id]}
        rows.append([*own.get(form, [name]), *marks(student, exercises)])
    return rows


def write(folder, results, book=None):
    """Write a table for each system that the names of the files told, and return where they are."""
    exercises, written = results.exercises, []
    by_form = {}
    for student in results.students:
        by_form.setdefault(student.submission.form, []).append(student)
    for form, students in by_form.items():
        fits = book is not None and form == book.form
        rows = _in_book(book, students, exercises) if fits else _by_hand(form, students, exercises)
        written.append(folder / f"gradebook{'-' if form else ''}{form.lower()}.csv")
        written[-1].write_bytes((book.layout if fits else Layout()).bytes_of(rows))
    return written
