"""What an instructor wants of a notebook, read from its cells: story, questions, scenes, exercises, conclusion."""

import re
from itertools import takewhile

import folds
from explorers import stored_picture

FOLD = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
HEADING = re.compile(r"#+ (.+)")
SECTION = re.compile(r"## (?:★ )?(.+)")
EXERCISE = re.compile(r"#+ Exercise (\d+\.\d+): (.+)")
LINES = 14  # of printed output; the rest is in the notebook
ALONE, LEAD = 24, 80  # words of a question that needs what leads to it, and of that


def read(path):
    """Return the parts of a notebook, as Markdown.

    Returns
    -------
    dict
        `story` and `needs` of the first cell; `questions`: cell, question, answer; `scenes`: dicts of the cell of a
        widget, its section, whether it lives without Python, what to ask about it, and the answer; `exercises`:
        number → cell, title and solution; `sections`: heading without its star → cell; `words`: of a section before
        the conclusion that isn't an exercise → how many; `conclusion`: cell and text.
    """
    cells = folds.read(path).cells
    story, rest = cells[0].source.split("\n\nYou will be able to")
    needs = re.search(r"Needs:\**\s*(.+?)[.;]\s+(?:\*\*Takes:|[Aa]bout)", rest)[1]
    return {
        "story": story.split("\n", 1)[1].strip(),
        "needs": needs,
        "questions": [_question(cells, place) for place, cell in enumerate(cells) if is_question(cell)],
        "scenes": [
            _scene(cells, place) for place, cell in enumerate(cells) if "widget" in cell.metadata.get("tags", [])
        ],
        "exercises": {
            found[1]: (cell.id, found[2], _solution(cells[place:]))
            for place, cell in enumerate(cells)
            if (found := EXERCISE.match(cell.source))
        },
        "sections": {found[1]: cell.id for cell in cells if (found := SECTION.match(cell.source))},
        "words": _words(cells),
        "conclusion": _conclusion(cells),
    }


def is_question(cell):
    """Tell whether a cell asks for a prediction."""
    return cell.cell_type == "markdown" and cell.source.startswith("**Predict")


def _question(cells, place):
    """Return the cell of a question, the question, and its answer: what is folded below it, then what code gives."""
    said, shown = [], []
    for cell in _up_to_next(cells[place + 1 :]):
        if cell.cell_type == "markdown":
            said += _told(cell.source)
        elif "answer" in cell.metadata.get("tags", []):
            shown += _outputs(cell)
    question = re.sub(r"^\*\*(Predict:\*\*|Predict\*\*:) ", "", FOLD.sub("", cells[place].source).strip())
    asked = [question[0].upper() + question[1:]]
    before = next((cell for cell in reversed(cells[:place]) if cell.cell_type == "markdown"), None)
    if len(question.split()) <= ALONE and before and not is_question(before):
        lead = [each for each in _paragraphs(before.source)[-1:] if len(each.split()) <= LEAD]
        asked = [each for each in lead if not each.startswith("$$") and not each.endswith(":")] + asked
    return cells[place].id, "\n\n".join(asked), "\n\n".join(said + shown)


def _told(text):
    """List the folded answers of a text, each after the question that stands above it, if there is one."""
    told = []
    for before, answer in re.findall(r"(.*?)<details>\s*<summary>Answer</summary>(.*?)</details>", text, re.DOTALL):
        told += [each for each in _paragraphs(before)[-1:] if each.endswith("?")] + [answer.strip()]
    return told


def _folded(text, name):
    """List what a text holds in folds of this name."""
    return [inner.strip() for summary, inner in FOLD.findall(text) if summary == name]


def _paragraphs(text):
    """List the paragraphs of a text without captions, headings and folds."""
    paragraphs = FOLD.sub("", text).strip().split("\n\n")
    return [each for each in paragraphs if each.strip() and not re.match(r"#|\*[^*].*\*$", each)]


def _outputs(cell):
    """List what the outputs of a cell say in text; what a picture shows is told in the answer."""
    shown = []
    for output in cell.outputs:
        data = output.get("data", {})
        text = output.get("text", "") if output.output_type == "stream" else data.get("text/plain", "")
        if "image/png" not in data and text.strip():
            lines = text.rstrip().splitlines()
            lines[LINES:] = ["…"] * (len(lines) > LINES)
            shown.append("\n".join(["```text", *lines, "```"]))
    return shown


def _scene(cells, place):
    """Return what a widget shows, what to ask about it, and the answers."""
    before = [cell.source for cell in cells[:place] if cell.cell_type == "markdown"]
    after = "\n\n".join(cell.source for cell in _up_to_next(cells[place:]) if cell.cell_type == "markdown")
    paragraphs = _paragraphs(before[-1])
    if not any(map(_is_list, paragraphs)):  # the questions follow
        paragraphs += _paragraphs(after)
    lists = [place for place, text in enumerate(paragraphs) if _is_list(text)]
    asked = paragraphs[max(lists[0] - 1, 0) : lists[-1] + 1] if lists else paragraphs
    own = _folded(before[-1], "Answers") if before[-1].rstrip().endswith("</details>") else []
    return {
        "cell": cells[place].id,
        "heading": next(found[1] for text in reversed(before) if (found := HEADING.match(text))).removeprefix("★ "),
        "alive": stored_picture(cells[place]) is not None,
        "text": "\n\n".join(asked),
        "answer": "\n\n".join(own[-1:] or _folded(after, "Answers")[:1]),
    }


def _up_to_next(cells):
    """Return the cells before the next heading or prediction."""
    return [
        *takewhile(
            lambda cell: cell.cell_type == "code" or not (HEADING.match(cell.source) or is_question(cell)), cells
        )
    ]


def _solution(cells):
    """Return the first solution in these cells, without its fold, and the answers that follow it."""
    place = next(place for place, cell in enumerate(cells) if "solution" in cell.metadata.get("tags", []))
    solution = FOLD.search(cells[place].source)[2].strip()
    return "\n\n".join([solution, *_folded(cells[place + 1].source, "Answers")])


def _is_list(paragraph):
    """Tell whether a paragraph is a numbered list, that of the questions about a widget."""
    return re.match(r"\d\. ", paragraph) is not None


def _words(cells):
    """Count the words of each section, as far as the conclusion, without exercises."""
    words, name = {}, None
    for cell in cells:
        if cell.cell_type == "markdown":
            if found := SECTION.match(cell.source):
                name = None if re.match("Exercise", found[1]) else found[1]
            if name == "What to take away":
                break
            if name:
                words[name] = words.get(name, 0) + len(cell.source.split())
    return words


def _conclusion(cells):
    """Return the cell with which the conclusion begins, and what it says up to the next section, without references."""
    start = next(place for place, cell in enumerate(cells) if cell.source.startswith("## What to take away"))
    said = []
    for cell in cells[start + 1 :]:
        if cell.cell_type == "markdown":
            if HEADING.match(cell.source):
                break
            said += [each for each in _paragraphs(cell.source) if not re.match(r"\*\*(Next|References)", each)]
    return cells[start].id, re.sub(r" \([^()]*short path[^()]*\)", "", "\n\n".join(said))
