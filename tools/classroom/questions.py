"""Export the bank of questions for Canvas, for Moodle and for paper, in build/teacher/questions.

    python tools/classroom/questions.py [03 04]        called by `make questions`, which installs what it needs

The source is one file a notebook, tools/classroom/questions/NN.md; the README beside it says how it is written. Each
makes a quiz for a class, in versions A and B for neighbours, and a homework.
"""

import shutil
import sys
from copy import copy
from pathlib import Path
from xml.etree import ElementTree

import question_sheet
import question_source
from text2qti.config import Config
from text2qti.qti import QTI
from text2qti.quiz import Quiz

ROOT = Path(__file__).resolve().parents[2]
MATHJAX = Path(sys.prefix, "classroom", "node_modules", "mathjax", "es5", "tex-svg-full.js")  # by `make questions`
PARTS = {"quiz-A": "A", "quiz-B": "B", "homework": "A"}  # and the version of the numbers


def read(path, version="A"):
    """Return the quiz of a file, as text2qti reads it; each question has its `about`, what our source adds.

    Answers stand in an order that says nothing about which is right, the same each time. In version
    B the right one stands elsewhere.

    Raises
    ------
    ValueError
        If not each question has two lines above it that say this.
    """
    quiz = Quiz(question_source.filled(path, version), config=Config(), source_name=path.name)
    listed, described = quiz.questions_and_delims, question_source.questions(path)
    if len(listed) != len(described):
        raise ValueError(
            f"{path.name} has {len(listed)} questions, and {len(described)} of them begin with two lines such as "
            "'% easy, 2 minutes, objective 1' and 'Points: 1'"
        )
    for question, about in zip(listed, described, strict=True):
        question.about, question.title_xml = about, f"{path.stem} {about.name}"
        question.choices.sort(key=lambda choice: choice.id if version == "A" else choice.id[::-1])
    if version == "B":
        for question, other in zip(listed, read(path).questions_and_delims, strict=True):
            if question.choices and place_of_right(question) == place_of_right(other):
                question.choices.append(question.choices.pop(0))
    return quiz


def place_of_right(question):
    """Return the place of the right answer among the choices of a question."""
    return next(place for place, choice in enumerate(question.choices) if choice.correct)


def part(quiz, name):
    """Return a quiz for a class, of the questions with choices, or the `homework`, of those to be written."""
    chosen = copy(quiz)
    chosen.show_correct_answers_xml = "false"  # neighbours, and those who take it later, share what they see
    chosen.id = f"{quiz.id[:48]}{name}"
    shown = name.replace("-", " ")
    chosen.title_raw, chosen.title_xml = f"{quiz.title_raw} · {shown}", f"{quiz.title_xml} · {shown}"
    listed = [each for each in quiz.questions_and_delims if each.about.written == (name == "homework")]
    chosen.questions_and_delims, chosen.points_possible = listed, sum(each.about.points for each in listed)
    return chosen


def add(parent, tag, text=None, **attributes):
    """Add an element to another, and return it."""
    element = ElementTree.SubElement(parent, tag, attributes)
    element.text = text
    return element


def add_html(parent, tag, canvas, **attributes):
    """Add an element that holds a text in HTML."""
    element = add(parent, tag, format="html", **attributes)
    add(element, "text", question_sheet.plain(canvas))
    return element


def moodle(quiz):
    """Return a quiz in Moodle's XML."""
    root = ElementTree.Element("quiz")
    category = add(add(root, "question", type="category"), "category")
    add(category, "text", f"$course$/top/BayesLab/{quiz.title_raw}")
    for each in quiz.questions_and_delims:
        question = add(root, "question", type="essay" if each.about.written else "multichoice")
        add(add(question, "name"), "text", each.title_xml)
        add_html(question, "questiontext", each.question_html_xml)
        add(question, "defaultgrade", str(each.about.points))
        if each.about.written:
            add(question, "responseformat", "editor")
            add(question, "responsefieldlines", "10")
            add_html(question, "graderinfo", each.md.md_to_html_xml(each.solution))
        else:
            add(question, "single", "true")
            add(question, "shuffleanswers", "true")
            add(question, "answernumbering", "ABCD")
        for choice in each.choices:
            answer = add_html(question, "answer", choice.choice_html_xml, fraction="100" if choice.correct else "0")
            add_html(answer, "feedback", choice.feedback_html_xml)
        tags = add(question, "tags")
        for tag in (each.about.level, f"{each.about.minutes} minutes", f"objective {each.about.objective}"):
            add(add(tags, "tag"), "text", tag)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def write(paths, out):
    """Write what Canvas, Moodle and a printer take of these files into an empty folder."""
    shutil.rmtree(out, ignore_errors=True)
    for name in ("canvas", "moodle", "sheets"):
        (out / name).mkdir(parents=True)
    for path in paths:
        for name, version in PARTS.items():
            quiz, stem = part(read(path, version), name), f"{path.stem}-{name}"
            QTI(quiz).save(out / "canvas" / f"{stem}.zip")
            (out / "moodle" / f"{stem}.xml").write_bytes(moodle(quiz))
            (out / "sheets" / f"{stem}.html").write_text(question_sheet.page(quiz), encoding="utf-8")
            (out / "sheets" / f"{stem}-key.html").write_text(question_sheet.key_page(quiz), encoding="utf-8")
    shutil.copy(MATHJAX, out / "mathjax.js")


def main(numbers):
    """Export the questions, and say where they are, and how many."""
    if not MATHJAX.is_file():
        sys.exit(f"{MATHJAX} is missing, which sets the formulas: `make questions` fetches it.")
    paths = [path for path in question_source.paths() if not numbers or path.stem in numbers]
    if not paths:
        sys.exit(f"No questions for {' or '.join(numbers)}: say for instance ONLY=05.")
    out = ROOT / "build" / "teacher" / "questions"
    write(paths, out)
    for folder in ("canvas", "moodle", "sheets"):
        sizes = [path.stat().st_size for path in (out / folder).iterdir()]
        print(f"{out / folder}: {len(sizes)} files, {sum(sizes) / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
