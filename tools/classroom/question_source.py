"""Read the bank of questions: tools/classroom/questions/NN.md, whose README says how they are written."""

import re
from pathlib import Path
from typing import NamedTuple

SOURCES = Path(__file__).with_name("questions")
SETUP = re.compile(r"^COMMENT\n(.*?)^END_COMMENT$", re.MULTILINE | re.DOTALL)
OTHER = re.compile(r"^(.+?) = .+?  # B: (.+)$", re.MULTILINE)  # the numbers of version B
NUMBER = re.compile(r"\{\{ (.+?) \}\}")
OBJECTIVE = re.compile(r"^% objective (\d): taught in (.+?)(?:; practised in (.+))?$", re.MULTILINE)
QUESTION = re.compile(
    r"^% (easy|medium|hard), (\d+) minutes, objective (\d)\nPoints: (\d+)\n\d\. .+?^(?:(\*?[a-z]\))|____)",
    re.MULTILINE | re.DOTALL,
)


class Question(NamedTuple):
    """What the source says about a question, besides what it asks."""

    name: str
    level: str
    minutes: int
    objective: int
    points: int
    written: bool


def paths():
    """List the files of the bank."""
    return sorted(SOURCES.glob("[0-9]*.md"))


def questions(path):
    """List the questions of a file."""
    return [
        Question(f"Q{place}", level, int(minutes), int(objective), int(points), not choice)
        for place, (level, minutes, objective, points, choice) in enumerate(
            QUESTION.findall(path.read_text(encoding="utf-8")), start=1
        )
    ]


def objectives(path):
    """Return, by the number of the objective, the sections that teach it and the exercises that practise it."""
    return {
        int(number): (re.findall(r'"(.+?)"', sections), re.findall(r"\d+\.\d+", exercises))
        for number, sections, exercises in OBJECTIVE.findall(path.read_text(encoding="utf-8"))
    }


def filled(path, version="A"):
    """Return the text of a file with the numbers of a version.

    Its set-up is run, and each expression read as in an f-string.
    """
    text, names = path.read_text(encoding="utf-8"), {}
    setup = SETUP.search(text)[1]
    exec(setup if version == "A" else OTHER.sub(r"\1 = \2", setup), names)
    return NUMBER.sub(lambda found: eval(f'f"""{{{found[1]}}}"""', names), text)
