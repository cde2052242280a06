"""The rule that cuts a notebook into slides.

A heading begins a section, with a slide of its own that says why. A paragraph shows its first sentences; all of it goes
to the speaker's notes. A formula keeps the sentence before it, code of at most twelve lines its output, the sentence
that led to it and the one that reads it. A figure has a slide of its own, and where a text reads it, one more beside
that text. A prediction stands alone, and its answer on the next slide; what is folded in a text comes after what it
asks about. Exercises are named at the end; solutions, sources and references are left out. Cells tagged `slide` are
shown although the rule would hide their code, cells tagged `noslide` are not.
"""

import re
import struct
from base64 import b64decode
from dataclasses import dataclass, field

from explorers import VIEW
from slide_text import Block, blocks_of, count, room, shortened

ROOM, CODE_LINES, READING = 570, 12, 62
LEFT_OUT = re.compile(r"(What the sources print|References|Notation|When you are stuck|Is everything there)")
EXERCISE = re.compile(r"Exercises?\b[ :]*(.*)")


@dataclass
class Slide:
    """What is projected at once, and what is said to it.

    Parameters
    ----------
    kind : str
        title, outcomes, heading, predict, answer, figure, reading, explorer, math, text, exercises or takeaway.
    section, title : str
        Headings that it stands under: of the section, and below it.
    blocks : list of Block
        What it shows.
    notes : list of str
        Paragraphs for the speaker.
    short : bool
        Whether it belongs to the twenty minutes.
    """

    kind: str
    section: str
    title: str = ""
    blocks: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    short: bool = False

    def has_room(self, blocks):
        """Tell whether these blocks fit on it besides."""
        return sum(map(room, self.blocks)) + sum(map(room, blocks)) <= ROOM


def shape_of(png):
    """Return width and height of a picture, from the head of the file."""
    return struct.unpack(">II", b64decode(png[:64])[16:24])


def outputs_of(cell, pages):
    """Return what a code cell shows, as blocks."""
    found, alt = [], cell.metadata.get("alt", "")
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if VIEW in data and cell.id in pages:
            found.append(Block("explorer", pages[cell.id], alt))
        elif "image/png" in data:
            found.append(Block("figure", f"{cell.id}.png", alt, shape_of(data["image/png"])))
        elif VIEW in data:
            found.append(Block("prose", "*Live, with sliders: open the notebook (* `make lab` *).*"))
        elif "text/html" in data:
            found.append(Block("html", data["text/html"]))
        elif output.output_type == "error":
            found.append(Block("output", f"{output.ename}: {output.evalue}"))
        else:
            found.append(Block("output", (output.get("text") or data.get("text/plain", "")).rstrip()))
    return [block for block in found if block.text]


def shows_code(cell, outputs):
    """Tell whether the code of a cell is projected: short, and not what only draws or imports."""
    tags, hidden = cell.metadata.get("tags", []), cell.metadata.get("jupyter", {})
    if "slide" in tags:
        return True
    lines = [line for line in cell.source.splitlines() if line.strip()]
    drawn = any(block.kind in ("figure", "explorer") for block in outputs) or "widget" in tags
    only_imports = all(re.match(r"(from|import|plt\.style|%)", line) for line in lines)
    return not (drawn or hidden or only_imports) and len(lines) <= CODE_LINES


class Cutter:
    """Goes through a notebook once; `slides` grows."""

    def __init__(self, pages):
        self.pages, self.slides, self.section, self.title = pages, [], "", ""
        self.exercises, self.left_out, self.answers, self.fresh = [], False, [], True

    def add(self, kind, blocks, notes=()):
        """Begin a slide."""
        self.slides.append(Slide(kind, self.section, self.title, list(blocks), list(notes)))
        self.fresh = False
        return self.slides[-1]

    def heading(self, level, text):
        """Begin a section, or leave it out."""
        self.settle()
        self.left_out = bool(LEFT_OUT.match(text))
        if exercise := EXERCISE.match(text):
            self.left_out = True
            if exercise[1]:
                self.exercises.append(exercise[1])
        if self.left_out:
            return
        if level == 2:
            self.section, self.title = text, ""
            if text != "What to take away":
                self.add("heading", [])
        else:
            self.title = text
        self.fresh = True

    def settle(self):
        """Show the answers that are still folded."""
        if self.answers:
            answers, self.answers = self.answers, []
            self.add("answer", answers)

    def last(self):
        """Return the slide that may still grow, None where the next one begins something."""
        return self.slides[-1] if self.slides and not self.fresh else None

    def predict(self, text):
        """Give a prediction a slide of its own; what is folded waits for the next."""
        self.settle()
        blocks = blocks_of(text)
        self.add("predict", [block for block in blocks if block.kind != "details"])
        self.answers = [block for block in blocks if block.kind == "details"]

    def text(self, text):
        """Put the parts of a text on slides."""
        blocks, last = blocks_of(text), self.last()
        if last and last.kind in ("figure", "answer") and blocks and blocks[0].kind == "caption":
            last.blocks.append(blocks.pop(0))
        said = [block.text for block in blocks if block.kind != "details"]
        blocks = [
            Block("prose", shortened(block.text, after and after.kind == "math")) if block.kind == "prose" else block
            for block, after in zip(blocks, [*blocks[1:], None], strict=True)
        ]
        blocks, folded = ([b for b in blocks if (b.kind == "details") is wanted] for wanted in (False, True))
        if blocks:
            blocks = self.read(blocks, said)
            self.flow(blocks, said)
        self.answers += folded

    def read(self, blocks, said):
        """Take what reads the figure or the output before it; return the rest."""
        last, taken = self.last(), []
        while blocks and blocks[0].kind == "prose" and not (len(blocks) > 1 and blocks[1].kind == "math"):
            if sum(count(block.text) for block in [*taken, blocks[0]]) > READING:
                break
            taken.append(blocks[0])
            blocks = blocks[1:]
        figures = [block for block in last.blocks if block.kind == "figure"] if last else []
        if taken and figures:
            self.add("reading", [figures[0], *taken], said)
        elif last and last.kind == "heading" and taken:
            last.blocks, last.notes = taken[:1], said
            self.fresh, blocks = True, [*taken[1:], *blocks]
        elif taken and last and last.blocks and last.blocks[-1].kind in ("code", "output", "html"):
            if last.has_room(taken[:1]):
                last.blocks, last.notes = [*last.blocks, taken[0]], [*last.notes, *said]
                taken = taken[1:]
            self.fresh, blocks = True, [*taken, *blocks]
        else:
            blocks = [*taken, *blocks]
        return blocks

    def flow(self, blocks, said):
        """Fill slides with blocks; a paragraph stays with the formula, the list or the table that it leads to."""
        units = []
        for block in blocks:
            leads = units and units[-1][-1].kind == "prose" and block.kind in ("math", "list", "table", "fence")
            follows = units and block.kind == "math" and units[-1][-1].kind == "math"
            if (leads or follows) and sum(map(room, [*units[-1], block])) <= ROOM:
                units[-1].append(block)
            else:
                units.append([block])
        for unit in units:
            last = self.last()
            if not (
                last
                and last.kind in ("text", "math")
                and last.blocks[-1].kind not in ("code", "output", "html")
                and last.has_room(unit)
            ):
                last = self.add("text", [])
            last.blocks += unit
            last.kind = "math" if any(block.kind == "math" for block in last.blocks) else last.kind
            last.notes += [text for text in said if text not in last.notes]

    def code(self, cell):
        """Put what a code cell shows, and its code where it is short, on slides."""
        outputs, last = outputs_of(cell, self.pages), self.last()
        shown = [Block("code", cell.source)] if shows_code(cell, outputs) else []
        answers = last is not None and last.kind == "predict"
        big = [block for block in outputs if block.kind in ("figure", "explorer")]
        plain = [*shown, *(block for block in outputs if block not in big)]
        for block in big:
            self.add("answer" if answers and block.kind == "figure" else block.kind, [block])
        if not plain:
            return
        last = self.last()
        if (big and last.has_room(plain)) or (last and last.kind in ("text", "math") and last.has_room(plain)):
            last.blocks += plain
        else:
            self.add("answer" if answers and not big else "text", plain)


def cut(nb, pages):
    """Return the slides of a notebook after those of its first cell; `pages` are those of explorers, by cell."""
    cutter = Cutter(pages)
    for cell in nb.cells[1:]:
        tags, source = cell.metadata.get("tags", []), cell.source.strip()
        if "noslide" in tags or "solution" in tags:
            continue
        if cell.cell_type == "markdown" and (heading := re.fullmatch(r"(#+) (.+)", source)):
            cutter.heading(len(heading[1]), heading[2])
        elif cutter.left_out or not source:
            continue
        elif source.startswith("**References"):
            break
        elif cell.cell_type == "code":
            cutter.code(cell)
        elif source.startswith("**Predict"):
            cutter.predict(source)
        else:
            cutter.text(source)
    cutter.settle()
    return opening(nb.cells[0].source) + closing(cutter)


def opening(text):
    """Return the title slide, with the decision, and what a reader will be able to do."""
    title, rest = text.split("\n", 1)
    story, able = re.split(r"\n(?=You will be able to)", rest.strip(), maxsplit=1)
    title = title.removeprefix("# ")
    able = [block for block in blocks_of(able)]
    return [Slide("title", "", title, blocks_of(story), [text]), Slide("outcomes", "", "", able)]


def closing(cutter):
    """Return the slides, with the names of the exercises before what to take away."""
    slides = cutter.slides
    names = "\n".join(f"- {name}" for name in cutter.exercises)
    place = next((k for k, slide in enumerate(slides) if slide.section == "What to take away"), len(slides))
    for slide in slides[place:]:
        slide.kind = "takeaway"
    if names:
        slides.insert(place, Slide("exercises", "Exercises", "", [Block("list", names)]))
    return slides
