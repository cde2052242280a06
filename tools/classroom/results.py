"""Run what students handed in, and tabulate what `check` says: `make results FILES='submissions/*.zip'`.

FILES are what Moodle, Canvas or Blackboard give to an instructor, or zips, folders and notebooks of single students
(submissions.py). Each notebook runs in a sandbox (sandbox.py), and a judge outside asks its functions (judge.py). An
exercise is solved if one call of its check says so; otherwise its last message counts. Written are
build/results/index.html, a table for the gradebook, and feedback for each student, which Moodle and Canvas take back.
"""

import argparse
import glob
import multiprocessing
import os
import re
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from classroom import feedback, gradebook, judge, page, sandbox
from classroom.answers import code_of_answer, needed, normal
from classroom.submissions import UnclearError, asked_in, code_of, in_course, read_all

from bayeslab.checks import UNANSWERED

ROOT = Path(__file__).resolve().parents[2]
PRACTICE = (
    "This is practice, not proof. Each verdict is made outside the student's process, from what the function returns, "
    "so printed text and changed checks do not count. What can still be forged: an answer can be copied, or written "
    "for the very arguments that check uses, since every student can read them. Either can be seen in the code below."
)
NO_WALL = (
    "There is no sandbox on this system: a notebook could read, change and delete your files. On Linux, install "
    "bubblewrap 0.8 or newer. If that isn't possible or doesn't help, run this in a container or virtual machine that "
    "holds nothing but the course and the submissions. There, or if you trust everybody who handed something in, add "
    "--without-sandbox."
)
# A judge starts in milliseconds where it is forked from a process that has imported it, and does nothing else.
PROCESSES = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
if sys.platform != "win32":
    PROCESSES.set_forkserver_preload(["__main__", "classroom.judge"])
ANY_VALUE = re.compile(r"(?:(?<= is )|(?<= returned )|(?<= at position )).*(?=, which is not right\.)")
MOST = 10
JOBS = min(max(os.cpu_count() or 1, 2), 8)
SLACK = 60  # seconds that a judge may take besides


@dataclass
class Student:
    """The results of one student.

    Parameters
    ----------
    submission : submissions.Submission
    asked : set of str
        The exercises whose check the notebooks call.
    records : list of dict
        What `check` said, in its order.
    trouble : list of str
    untouched : dict
        Exercise → what `check` says to it as it was handed out.
    cells : dict
        Notebook → number and source of each cell.
    """

    submission: object
    asked: set
    records: list
    trouble: list
    untouched: dict = field(default_factory=dict)
    cells: dict = field(default_factory=dict)

    @property
    def name(self):
        """Return the name."""
        return self.submission.student

    @property
    def is_readable(self):
        """Tell whether there was anything to be run."""
        return bool(self.submission.notebooks)

    def outcome(self, number):
        """Return the result of an exercise, a key of `page.MEANS`, and the message of a wrong answer."""
        rows = [row for row in self.records if row["exercise"] == number]
        if any(row["solved"] for row in rows):
            return "done", ""
        if not rows:
            return ("not reached" if number in self.asked else "missing"), ""
        message = rows[-1]["message"]
        if message in {self.untouched.get(number), UNANSWERED}:
            return "open", ""
        return "wrong", message

    @property
    def unanswered(self):
        """Return the exercises that were handed in as they were handed out."""
        return sorted((number for number in self.asked if self.outcome(number)[0] == "open"), key=in_course)

    def answer(self, number):
        """Return the code of an answer to an exercise, that of the call which counts; or ""."""
        rows = [row for row in self.records if row["exercise"] == number]
        if not rows or self.outcome(number)[0] == "open":
            return ""
        row = next((row for row in rows if row["solved"]), rows[-1])
        return code_of_answer(self.cells[row["notebook"]], number, row["cell"]) if "notebook" in row else ""


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
        return sorted(numbers, key=in_course)

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

    def same_code(self):
        """Return for each student, by place: exercise → the names of the others who wrote the same."""
        written = defaultdict(list)
        for place, student in enumerate(self.students):
            for number in self.exercises:
                if code := student.answer(number):
                    written[number, normal(code)].append(place)
        same = [{} for _ in self.students]
        for (number, _), places in written.items():
            for place in places:
                same[place][number] = [self.students[other].name for other in places if other != place]
        return same


def handed_out(folder=ROOT / "notebooks"):
    """Return the cells of the course's notebooks."""
    return [cell for path in sorted(folder.glob("*.ipynb")) for _, cell in code_of(nbformat.read(path, as_version=4))]


def untouched(cells):
    """Return what `check` says to each exercise as it was handed out, from the stored outputs."""
    texts = [output.get("text", "") for cell in cells for output in cell.outputs]
    return dict(pair for text in texts for pair in re.findall(r"^(\d+\.\d+) not yet: (.*)$", text, re.MULTILINE))


def _of(submission, before, ours, *how):
    """Run the notebooks of one student, with a judge in a process of its own, which may be lost."""
    student = Student(submission, set(), [], list(submission.trouble), before)
    cells = []
    for name, nb in submission.notebooks.items():
        student.asked |= set(asked_in(nb))
        student.cells[name] = [(n, cell.source) for n, cell in code_of(nb)]
        tags = [(n, cell.source, "raises-exception" in cell.metadata.get("tags", [])) for n, cell in code_of(nb)]
        cells.append((tags, needed(student.cells[name], ours)))
    if not cells:
        return student
    heard, told = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=judge.work, args=(told, cells, *how))
    process.start()
    told.close()
    for name in submission.notebooks:
        try:
            run = heard.recv() if heard.poll(how[-1].notebook + SLACK) else None
        except EOFError:
            run = None
        if run is None:
            student.trouble.append(f"{name}: its judge did not answer")
            break
        student.records += [record | {"notebook": name} for record in run.records]
        student.trouble += [f"{name}, {trouble}" for trouble in run.trouble]
    process.kill()
    process.join()
    return student


def _left(seconds):
    return f"about {seconds / 60:.0f} min left" if seconds >= 90 else f"about {seconds:.0f} s left"


def results_of(submissions, shut_in, limits=None, jobs=JOBS, tell=lambda line: None):
    """Run submissions.

    Parameters
    ----------
    submissions : list of submissions.Submission
    shut_in : bool
        Whether the notebooks run in the sandbox.
    limits : sandbox.Limits
    jobs : int
        How many students run beside each other.
    tell : callable
        Is given a line on each student who is done.

    Returns
    -------
    Results
    """
    start, course, done = time.monotonic(), handed_out(), []
    before, ours = untouched(course), {cell.source for cell in course}

    def one(submission):
        student = _of(submission, before, ours, shut_in, folder, limits or sandbox.Limits())
        done.append(student)
        left = (time.monotonic() - start) / len(done) * (len(submissions) - len(done))
        n = len(submission.notebooks)
        what = f"{n} notebook{'s' * (n > 1)}" if n else "not readable"
        trouble = "".join(f"; {each}" for each in student.trouble)
        line = f"{len(done)} of {len(submissions)}, {_left(left)}. {student.name}: {what}{trouble}"
        tell("".join(letter if letter.isprintable() else "?" for letter in line))  # no commands to your terminal
        return student

    with sandbox.course() as folder, ThreadPoolExecutor(jobs) as pool:
        try:
            students = list(pool.map(one, submissions))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return Results(sorted(students, key=lambda student: student.name), [PRACTICE, sandbox.SAYS[shut_in]])


def main(arguments=None):
    """Read the command line, run, write, and say where it is; return the exit status."""
    parser = argparse.ArgumentParser(prog="make results", description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", help="what Moodle, Canvas or Blackboard gave you; zips, folders, notebooks")
    parser.add_argument(
        "--students",
        choices=["folders", "one"],
        help="what is a student where names do not tell: each folder in a file, or each file",
    )
    parser.add_argument(
        "--gradebook",
        type=Path,
        help="CSV that Canvas exports, or Moodle's grading worksheet, in any language; also as Excel saves it as CSV",
    )
    parser.add_argument("--without-sandbox", action="store_true", help="run students' code as you")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "results", help="folder to write into")
    parser.add_argument("--seconds", type=float, default=300, help="limit for a notebook (default: 300)")
    options = parser.parse_args(arguments)
    # Windows hands over the pattern itself.
    files = [Path(name) for text in options.files for name in (sorted(glob.glob(text)) or [text])]
    if not any(path.exists() for path in files):
        print("No submissions found. Say where they are: make results FILES='submissions/*.zip'", file=sys.stderr)
        return 2
    shut_in = sandbox.works()
    if not shut_in and not options.without_sandbox:
        print(NO_WALL, file=sys.stderr)
        return 2
    try:
        submissions = read_all(files, options.students)
        book = gradebook.read(options.gradebook, submissions) if options.gradebook else None
    except (UnclearError, gradebook.GradebookError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if book:
        book.rename(submissions)
    print(f"{len(submissions)} students. {sandbox.SAYS[shut_in]}", flush=True)
    limits = sandbox.Limits(notebook=options.seconds)
    results = results_of(submissions, shut_in, limits, tell=lambda line: print(line, flush=True))
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "index.html").write_text(page.page(results), encoding="utf-8")
    written = [options.out / "index.html", *gradebook.write(options.out, results, book)]
    written += feedback.write(options.out, results)
    print(f"{len(results.students)} students, {len(results.exercises)} exercises: {', '.join(map(str, written))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
