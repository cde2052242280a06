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


def read(path):
    """Return the parts of a notebook, as Markdown.

    Returns
    -------
    dict
        `story` and `needs` of the first cell; `questions`: cell, question, answer; `scenes`: dicts of the cell of a
        widget, its section, whether it lives without Python, what to ask about it, and the answer; `exercises`:
        number → cell, title and solution; `sections`: heading without its star → cell; `conclusion`: cell and text.
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
        "conclusion": _conclusion(cells),
    }


def is_question(cell):
    """Tell whether a cell asks for a prediction."""
    return cell.cell_type == "markdown" and cell.source.startswith("**Predict")


def _question(cells, place):
    """Return the cell of a question, the question, and its answer: what the notebook prints, shows and says next."""
    text, answer = cells[place].source, []
    for cell in cells[place + 1 :]:
        if cell.cell_type == "markdown":
            answer = _paragraphs(folds.open_answer(cell.source))[:1] + answer
            break
        if "answer" in cell.metadata.get("tags", []):
            answer += _outputs(cell)
    question = re.sub(r"^\*\*(Predict:\*\*|Predict\*\*:) ", "", FOLD.sub("", text).strip())
    return cells[place].id, question[0].upper() + question[1:], "\n\n".join(answer)


def _answers(text):
    """List the folded answers of a text."""
    return [inner.strip() for summary, inner in FOLD.findall(text) if summary == "Answers"]


def _paragraphs(text):
    """List the paragraphs of a text without captions, headings and folds."""
    paragraphs = FOLD.sub("", text).strip().split("\n\n")
    return [each for each in paragraphs if each.strip() and not re.match(r"#|\*[^*].*\*$", each)]


def _outputs(cell):
    """List what the outputs of a cell say in text, and what its picture shows."""
    shown = []
    for output in cell.outputs:
        data = output.get("data", {})
        text = output.get("text", "") if output.output_type == "stream" else data.get("text/plain", "")
        if "image/png" in data:
            shown.append(f"*The picture:* {cell.metadata.get('alt', '')}")
        elif text.strip():
            lines = text.rstrip().splitlines()
            lines[LINES:] = ["…"] * (len(lines) > LINES)
            shown.append("\n".join(["```text", *lines, "```"]))
    return shown


def _scene(cells, place):
    """Return what a widget shows, what to ask about it, and the answers."""
    before = [cell.source for cell in cells[:place] if cell.cell_type == "markdown"]
    after = [cell.source for cell in cells[place:] if cell.cell_type == "markdown"]
    section = [*takewhile(lambda text: not HEADING.match(text), after)]
    paragraphs = _paragraphs(before[-1])
    if not any(map(_is_list, paragraphs)):  # the questions follow
        paragraphs += _paragraphs("\n\n".join(section))
    first = next((place for place, text in enumerate(paragraphs) if _is_list(text)), 0)
    own = _answers(before[-1]) if before[-1].rstrip().endswith("</details>") else []
    return {
        "cell": cells[place].id,
        "heading": next(found[1] for text in reversed(before) if (found := HEADING.match(text))),
        "alive": stored_picture(cells[place]) is not None,
        "text": "\n\n".join(paragraphs[max(first - 1, 0) :]),
        "answer": "\n\n".join(own[-1:] or _answers("".join(section))[:1]),
    }


def _solution(cells):
    """Return the first solution in these cells, without its fold."""
    return FOLD.search(next(cell for cell in cells if "solution" in cell.metadata.get("tags", [])).source)[2].strip()


def _is_list(paragraph):
    """Tell whether a paragraph is a numbered list, that of the questions about a widget."""
    return re.match(r"\d\. ", paragraph) is not None


def _conclusion(cells):
    """Return the cell with which the conclusion begins, and what it says up to the next section, without references."""
    start = next(place for place, cell in enumerate(cells) if cell.source.startswith("## What to take away"))
    said = []
    for cell in cells[start + 1 :]:
        if cell.cell_type == "markdown":
            if HEADING.match(cell.source):
                break
            said += [each for each in _paragraphs(cell.source) if not re.match(r"\*\*(Next|References)", each)]
    return cells[start].id, "\n\n".join(said)
