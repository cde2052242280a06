"""Write a table for a gradebook: a row for each student, as Canvas or Moodle knows them, a column for each exercise.

An exercise counts 1 if it is solved and 0 if not; what was not handed in stays empty.
"""

import csv
import re

MARKS = {"done": "1", "wrong": "0", "open": "0", "not reached": "0", "missing": ""}
TOTAL = "Solved"
BY_HAND = {"Canvas": ["Student", "ID", "Section"], "Moodle": ["Identifier", "Full name"], "Blackboard": ["Username"]}


def harmless(text):
    """Return a text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text


def read(path):
    """Return of an export the columns that say who somebody is, what they hold for each id, and all headers."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, *rows = list(csv.reader(file))
    if "Section" in head:
        who, ids = head[: head.index("Section") + 1], "ID"
    elif "Identifier" in head:
        who, ids = ["Identifier", "Full name", "Email address"], "Identifier"
    else:
        raise OSError(f"{path} is neither Canvas's gradebook nor Moodle's grading worksheet.")
    known = {}
    for row in (dict(zip(head, row, strict=False)) for row in rows):
        found = re.search(r"\d+$", row.get(ids, ""))
        if found:
            known[found[0]] = [row.get(column, "") for column in who]
    return who, known, head


def marks(student, exercises):
    """Return the cells of a student, the total last; all are empty where nothing could be read."""
    cells = [MARKS[student.outcome(number)[0]] for number in exercises]
    return [*cells, str(cells.count("1")) if student.is_readable else ""]


def write(folder, results, joined=None):
    """Write a table for each system that the names of the files told, and return where they are."""
    exercises, written = results.exercises, []
    by_form = {}
    for student in results.students:
        by_form.setdefault(student.submission.form, []).append(student)
    for form, students in by_form.items():
        who, known, head = BY_HAND.get(form, ["student"]), {}, []
        if joined and ("Section" in joined[0]) == (form == "Canvas") and form in {"Canvas", "Moodle"}:
            who, known, head = joined
        titles = [
            next((h for h in head if re.fullmatch(rf"{re.escape(t)} \(\d+\)", h)), t) for t in [*exercises, TOTAL]
        ]
        rows = [[*who, *titles]]
        if form == "Canvas":
            points = [*["1"] * len(exercises), str(len(exercises))]
            rows.append(["    Points Possible", *[""] * (len(who) - 1), *points])
        for student in students:
            told, name = student.submission, harmless(student.name)
            own = {"Canvas": [name, told.id, ""], "Moodle": [f"Participant {told.id}", name], "Blackboard": [told.id]}
            cells = known.get(told.id) or [*own.get(form, [name]), *[""] * len(who)][: len(who)]
            rows.append([*cells, *marks(student, exercises)])
        written.append(folder / f"gradebook{'-' if form else ''}{form.lower()}.csv")
        with written[-1].open("w", encoding="utf-8-sig", newline="") as file:  # with its mark, spreadsheets read UTF-8
            csv.writer(file).writerows(rows)
    return written
