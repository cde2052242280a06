"""Run what students handed in, and tabulate what `check` says: `make results FILES='submissions/*.zip'`.

Each zip, folder or notebook is the work of one student. Its notebooks run in clean kernels, and the verdicts of
`check` are recorded where printed text does not get (kernel.py says what that stops, and what not). An exercise is
solved if one call of its check says so; otherwise its last message counts. Written are build/results/results.csv and
index.html.

This is practice, not an examination. It runs students' code on your computer (sandbox.py says within which limits).
"""

import argparse
import re
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from classroom import page, sandbox
from classroom.submissions import asked_in, code_of, read_all

from bayeslab.checks import UNANSWERED

ROOT = Path(__file__).resolve().parents[2]
PRACTICE = (
    "This is practice, not an examination. Text that a notebook prints does not count, only what check itself says; "
    "but whoever means to deceive, and knows Python well, can."
)
ANY_VALUE = re.compile(r"(?:(?<= is )|(?<= returned )|(?<= at position )).*(?=, which is not right\.)")
MOST = 10


@dataclass
class Student:
    """The results of one student.

    Parameters
    ----------
    name : str
    asked : set of str
        The exercises whose check the notebooks call.
    records : list of dict
        What `check` said, in its order.
    trouble : list of str
    untouched : dict
        Exercise → what `check` says to it as it was handed out.
    """

    name: str
    asked: set
    records: list
    trouble: list
    untouched: dict = field(default_factory=dict)

    def outcome(self, number):
        """Return the result of an exercise, a key of `page.MEANS`, and the message of a wrong answer."""
        rows = [row for row in self.records if row["exercise"] == number]
        if any(row["changed"] for row in rows):
            return "changed", ""
        if any(row["solved"] for row in rows):
            return "done", ""
        if not rows:
            return ("not reached" if number in self.asked else "missing"), ""
        message = rows[-1]["message"]
        if message in {self.untouched.get(number), UNANSWERED}:
            return "open", ""
        return "wrong", message


@dataclass
class Results:
    """The results of a class, by student."""

    students: list
    notes: list

    @property
    def exercises(self):
        """Return the exercises that somebody was asked, in the order of the course."""
        numbers = {number for student in self.students for number in student.asked}
        numbers |= {row["exercise"] for student in self.students for row in student.records}
        return sorted(numbers, key=lambda number: [int(part) for part in number.split(".")])

    def commonest(self, most=MOST):
        """Return the commonest wrong answers: (exercise, message) with the names of those who gave it.

        Values that no known mistake gives differ from student to student, and are one answer here.
        """
        names = defaultdict(list)
        for student in self.students:
            for number in self.exercises:
                result, message = student.outcome(number)
                if result == "wrong":
                    names[number, ANY_VALUE.sub("…", message)].append(student.name)
        return sorted(names.items(), key=lambda item: -len(item[1]))[:most]


def untouched(folder=ROOT / "notebooks"):
    """Return what `check` says to each exercise as it was handed out, from the stored outputs."""
    said = {}
    for path in sorted(folder.glob("*.ipynb")):
        for _, cell in code_of(nbformat.read(path, as_version=4)):
            for output in cell.outputs:
                found = re.findall(r"^(\d+\.\d+) not yet: (.*)$", output.get("text", ""), re.MULTILINE)
                said.update(dict(found))
    return said


def _of(submission, limits, before, tell):
    """Run the notebooks of one student."""
    student = Student(submission.student, set(), [], list(submission.trouble), before)
    for name, nb in submission.notebooks.items():
        run = sandbox.run(nb, limits)
        student.asked |= set(asked_in(nb))
        student.records += run.records
        student.trouble += [f"{name}, {trouble}" for trouble in run.trouble]
        tell(f"{student.name}: {name}, {run.seconds:.0f} s" + "".join(f"; {trouble}" for trouble in run.trouble))
    return student


def results_of(paths, limits=None, jobs=2, tell=lambda line: None):
    """Run the submissions.

    Parameters
    ----------
    paths : list of path
        Zips, folders and notebooks, each of one student.
    limits : sandbox.Limits
    jobs : int
        How many students run beside each other.
    tell : callable
        Is given a line on each notebook that has run.

    Returns
    -------
    Results
    """
    before, limits = untouched(), limits or sandbox.Limits()
    notes = [PRACTICE, f"{sandbox.SAYS} {sandbox.network()}"]
    with ThreadPoolExecutor(jobs) as pool:
        students = list(pool.map(lambda submission: _of(submission, limits, before, tell), read_all(paths)))
    return Results(sorted(students, key=lambda student: student.name), notes)


def main(arguments=None):
    """Read the command line, run, write, and say where it is; return the exit status."""
    parser = argparse.ArgumentParser(prog="make results", description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="zips, folders or notebooks, each of one student")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "results", help="folder to write into")
    parser.add_argument("--cell-seconds", type=float, default=60, help="limit for a cell (default: 60)")
    parser.add_argument("--seconds", type=float, default=300, help="limit for a notebook (default: 300)")
    parser.add_argument("--gigabytes", type=float, default=4, help="limit of memory (default: 4)")
    parser.add_argument("--jobs", type=int, default=2, help="students beside each other (default: 2)")
    options = parser.parse_args(arguments)
    if not any(path.exists() for path in options.files):
        print("No submissions found. Say where they are: make results FILES='submissions/*.zip'", file=sys.stderr)
        return 2
    print(f"{sandbox.SAYS} {sandbox.network()}", flush=True)
    limits = sandbox.Limits(options.cell_seconds, options.seconds, int(options.gigabytes * 1e9))
    results = results_of(options.files, limits, options.jobs, lambda line: print(line, flush=True))
    options.out.mkdir(parents=True, exist_ok=True)
    page.write_csv(options.out / "results.csv", results)
    (options.out / "index.html").write_text(page.page(results), encoding="utf-8")
    print(f"{len(results.students)} students, {len(results.exercises)} exercises: {options.out / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
