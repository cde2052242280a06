"""Write what the checks say to each student, as a notebook, into a zip that Moodle or Canvas takes back.

Moodle's *Upload multiple feedback files in a zip* finds a student by the folder, NAME_NUMBER_assignsubmission_file_, as
in its own download (mod/assign/feedback/file/importziplib.php of moodle/moodle). Canvas's *Upload submissions* finds
one by the numbers of student and file in the name of a file that it gave out, and gives what comes back the name of the
student's file (infer_comment_context_from_filename in app/models/abstract_assignment.rb of instructure/canvas-lms). So
the feedback has to be a notebook.
"""

import io
import re
import zipfile
from html import escape

import nbformat
from classroom.submissions import in_course

DATE = (2026, 1, 1, 0, 0, 0)  # the time of day must not change the bytes: Moodle passes over files that it has
UNANSWERED = "not answered yet"
NOT_REACHED = "the check was not reached: an error came before it, or the time was over"


def notebook(student):
    """Return the feedback for a student as the text of a notebook, in which the wrong answers can be put right."""
    exercises = sorted(student.asked | {row["exercise"] for row in student.records}, key=in_course)
    solved = sum(student.outcome(number)[0] == "done" for number in exercises)
    cells = [("m", f"# Feedback\n\n{escape(student.name)}: {solved} of {len(exercises)} exercises solved.")]
    for number in exercises:
        result, message = student.outcome(number)
        said = {"done": "solved ✓", "open": UNANSWERED, "not reached": NOT_REACHED}.get(result, escape(message))
        cells.append(("m", f"**{number}** {said}"))
        if result == "wrong":
            cells.append(("c", student.answer(number)))
    if student.trouble:
        cells.append(
            ("m", "\n".join(["What went wrong while it ran:\n", *(f"- {escape(t)}" for t in student.trouble)]))
        )
    nb = nbformat.v4.new_notebook()
    for place, (kind, text) in enumerate(cells):
        make = nbformat.v4.new_code_cell if kind == "c" else nbformat.v4.new_markdown_cell
        nb.cells.append(make(text, id=f"feedback-{place}"))
    return nbformat.writes(nb)


def _zipped(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, DATE), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def write(folder, results):
    """Write a zip for each system, and return where they are; who cannot be told from the names gets no file."""
    by_form = {}
    for student in results.students:
        told, content = student.submission, notebook(student)
        files = by_form.setdefault(told.form, {})
        if told.form == "Canvas" and told.back.lower().endswith(".zip"):
            files[told.back] = _zipped({"feedback.ipynb": content})
        elif told.form == "Moodle" or told.back.lower().endswith(".ipynb"):
            files |= {told.back: content} if told.back else {}
        elif told.form != "Canvas":
            files[re.sub(r'[\\/:*?"<>|\x00-\x1f]', "-", student.name) + "/feedback.ipynb"] = content
    written = []
    for form, files in by_form.items():
        written.append(folder / f"feedback{'-' if form else ''}{form.lower()}.zip")
        written[-1].write_bytes(_zipped(files))
    return written
