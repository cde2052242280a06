"""Make what Moodle and Canvas give to an instructor: python tests/classroom/made_up_class.py FOLDER.

Twelve students hand in notebooks 00 and 01, as they come with the student version, with answers of their own. Of the
code, only the first cell and the exercises are left, so that a class is run in seconds.
"""

import csv
import re
import sys
import zipfile
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from classroom.student import ROOT, for_students

NAMES = [
    *("Ada Lovelace", "George Boole", "Emmy Noether", "Bo Núñez-O'Brien", "Jörg Müller", "Wáng Fāng"),
    *("Ada Lovelace", "Anne Marie d'Arc", "=SUM(A1)", "Zoë van Dijk", "Li", "Nobody There"),
]
COURSE = ("00_start_here.ipynb", "01_one_dimensional_gaussian.ipynb")


def solutions(nb):
    """Return the code of our solutions, which a text folds."""
    cells = [cell for cell in nb.cells if "solution" in cell.metadata.get("tags", [])]
    return [re.search(r"```python\n(.*?)```", cell.source, re.DOTALL)[1] for cell in cells]


def answered(name, which):
    """Return a notebook as handed in: 'right' with our solutions, 'wrong' with one mistake, or untouched."""
    nb = nbformat.read(ROOT / "notebooks" / name, as_version=4)
    theirs = for_students(nbformat.read(ROOT / "notebooks" / name, as_version=4))
    codes = [cell for cell in theirs.cells if cell.cell_type == "code"]
    skipped = [cell for cell in codes[1:] if "check(" not in cell.source]
    theirs.cells = [cell for cell in theirs.cells if cell not in skipped]
    if which == "wrong":
        theirs.cells.append(nbformat.v4.new_code_cell("check('0.1', 200)"))
    if which == "right":
        theirs.cells += [nbformat.v4.new_code_cell(source) for source in solutions(nb)]
    return nbformat.writes(theirs)


def handed_in():
    """Return what each student hands in: a list of (file name, content)."""
    right, wrong, untouched = ({name: answered(name, which) for name in COURSE} for which in ("right", "wrong", "open"))
    first, second = COURSE
    return [
        list(right.items()),
        list(wrong.items()),
        list(untouched.items()),
        [(first, right[first])],
        [(second, right[second]), (first, wrong[first])],
        [(first, "{"), (second, right[second])],
        [(first, wrong[first])],  # another Ada Lovelace
        [("work.zip", b"PK\x05\x06" + bytes(18))],
        [(first, right[first])],
        [("essay.pdf", b"%PDF-1.7")],
        [(first, untouched[first]), (second, right[second])],
        [(first, "no notebook")],
    ]


def make_moodle(folder, students=range(12)):
    """Write the zip of 'Download all submissions' of some students, and the grading worksheet."""
    files = handed_in()
    rows = [["Identifier", "Full name", "Email address", "Status", "Grade"]]
    with zipfile.ZipFile(folder / "BL-Homework 1-4711.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for place in students:
            number = 12345 + place
            rows.append([f"Participant {number}", NAMES[place], f"s{number}@example.org", "Submitted", ""])
            for file, content in files[place]:
                archive.writestr(f"{NAMES[place]}_{number}_assignsubmission_file_/{file}", content)
    with (folder / "worksheet.csv").open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)


def make_canvas(folder):
    """Write the files of 'Download submissions', unpacked, with one late and one handed in again, and the gradebook."""
    (folder / "submissions").mkdir()
    upload = 90
    for user, (name, files) in enumerate(zip(NAMES, handed_in(), strict=True), 4711):
        last, first = name.split()[-1], name.split()[0]
        plain = "".join(letter for letter in f"{last}{first}".lower() if letter.isalnum())
        late = "_LATE" if user == 4712 else ""
        for file, content in files:
            upload += 1
            again = file.replace(".ipynb", "-1.ipynb") if user == 4713 else file
            path = folder / "submissions" / f"{plain}{late}_{user}_{upload}_{again}"
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with (folder / "gradebook.csv").open("w", encoding="utf-8-sig", newline="") as file:
        rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "0.1 (901)", "Current Score"]]
        rows += [["    Points Possible", "", "", "", "", "1", "(read only)"]]
        rows += [
            [", ".join(n.split()[::-1]), str(u), f"u{u}", f"l{u}", "S1", "", ""] for u, n in enumerate(NAMES, 4711)
        ]
        csv.writer(file).writerows(rows)


if __name__ == "__main__":
    make_moodle(Path(sys.argv[1]))
    make_canvas(Path(sys.argv[1]))
