"""The rule that cuts a notebook into slides.

A heading of a section has a slide of its own, with the first paragraph below it. A figure and an explorer have one
each, and so has a prediction; its answer comes on the next slide. Everything else fills slides in its order: long
paragraphs keep some sentences, the speaker's notes all of them, and a paragraph stays with the formula, list, table or
code that it leads to. What a text folds comes after what it asks about, unless it is for the curious. Exercises are
named at the end. Solutions, sources, references and cells tagged `numbers` or `noslide` are left out; the tag `slide`
shows code that is long, folded or only draws.

The short version has the title, the sections with a star in their heading and what to take away; without a star, the
predictions with their answers stand for the sections.
"""

import re
import struct
from base64 import b64decode
from dataclasses import dataclass, field

from explorers import VIEW
from slide_text import Block, blocks_of, count, room, shortened

ROOM = 570  # of the 720 pixels of a slide, for what is below its head
STORY = 340  # below the title, or below the heading of a section
LITTLE = 110  # pixels of text that stand above a figure rather than alone
WORDS = 55  # beside a figure
CAPTION = 50  # pixels, below a figure
CODE_LINES = 12
TAKE_AWAY = "What to take away"
LED = ("math", "list", "table", "fence", "code", "output", "html")  # what a paragraph leads to
LEFT_OUT = re.compile(r"(What the sources print|References|Notation|When you are stuck|Is everything there)")
EXERCISE = re.compile(r"Exercises?\b[ :]*(.*)")


@dataclass
class Slide:
    """What is projected at once, and what is said to it.

    Parameters
    ----------
    kind : str
        title, outcomes, heading, predict, answer, figure, explorer, text, exercises or takeaway.
    section, title : str
        Headings that it stands under: of the section, and below it.
    blocks, words : list of Block
        What it shows, and what reads its figure.
    notes : list of str
        Paragraphs for the speaker.
    short : bool
        Whether it belongs to the short version.
    """

    kind: str
    section: str
    title: str = ""
    blocks: list = field(default_factory=list)
    words: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    short: bool = False


def cut(nb, pages):
    """Return the slides of a notebook; `pages` are those of explorers, by cell."""
    deck = Deck(pages)
    for cell in nb.cells[1:]:
        tags, source = cell.metadata.get("tags", []), cell.source.strip()
        if {"noslide", "solution", "numbers"} & set(tags):
            continue
        if cell.cell_type == "markdown" and (heading := re.fullmatch(r"(#+) (.+)", source)):
            deck.heading(len(heading[1]), heading[2])
        elif deck.left_out or not source:
            continue
        elif source.startswith("**References"):
            break
        elif cell.cell_type == "code":
            if deck.section:  # not the imports above the first heading
                deck.code(cell)
        elif source.startswith("**Predict"):
            deck.predict(source)
        else:
            deck.text(source)
    deck.settle()
    slides = opening(nb.cells[0].source) + deck.slides
    if deck.exercises:
        names = Block("list", "\n".join(f"- {name}" for name in deck.exercises))
        where = Block("prose", "They are in the notebook, with hints, and `check` says what is wrong with an answer.")
        place = next((k for k, slide in enumerate(slides) if slide.kind == "takeaway"), len(slides))
        slides.insert(place, Slide("exercises", "Exercises", "", [names, where]))
    choose(slides, deck.starred)
    return slides


def opening(text):
    """Return the title slide, with the decision, and what a reader will be able to do."""
    title, rest = text.split("\n", 1)
    story, *able = re.split(r"\n(?=You will be able to)", rest.strip(), maxsplit=1)
    blocks = blocks_of(story)
    notes = [block.text for block in blocks]
    if sum(map(room, blocks)) > STORY:
        for block in blocks:
            block.text = shortened(block.text)
    slides = [Slide("title", "", title.removeprefix("# "), blocks, notes=notes)]
    for first, *others in map(blocks_of, able):
        slides.append(Slide("outcomes", "", first.text, others))
    return slides


def choose(slides, starred):
    """Mark the slides of the short version."""
    for slide in slides:
        chosen = slide.section in starred if starred else slide.kind in ("predict", "answer")
        slide.short = chosen or slide.kind in ("title", "takeaway")


class Deck:
    """Goes through a notebook once; `slides` grows.

    `open` is the slide that may still grow, `figure` the one that a text may read. `predicted` says that the next
    output answers a prediction, and `folded` are answers that wait until they may be shown.
    """

    def __init__(self, pages):
        self.pages, self.slides, self.section, self.title = pages, [], "", ""
        self.exercises, self.starred, self.folded = [], set(), []
        self.open = self.figure = None
        self.left_out = self.predicted = False

    def add(self, kind, blocks, notes=()):
        """Begin a slide."""
        if self.section == TAKE_AWAY and kind not in ("predict", "answer"):
            kind = "takeaway"
        self.slides.append(Slide(kind, self.section, self.title, list(blocks), notes=list(notes)))
        return self.slides[-1]

    def settle(self):
        """Show the answers that are still folded; nothing is predicted or open any more."""
        if self.folded:
            self.add("answer", self.folded)
        self.folded, self.predicted, self.figure, self.open = [], False, None, None

    def heading(self, level, text):
        """Begin a section or a part of one, or leave it out."""
        self.settle()
        name = text.removeprefix("★").strip()
        exercise = EXERCISE.match(name)
        if exercise and exercise[1]:
            self.exercises.append(exercise[1])
        self.left_out = bool(exercise or LEFT_OUT.match(name))
        if self.left_out:
            return
        if level > 2:
            self.title = name
            return
        self.section, self.title = name, ""
        self.starred |= {name} if name != text else set()
        if name != TAKE_AWAY:
            self.add("heading", [])

    def predict(self, text):
        """Give a prediction a slide of its own; what is folded waits for the next."""
        self.settle()
        blocks = blocks_of(text)
        self.folded = [block for block in blocks if block.kind == "details"]
        self.add("predict", [block for block in blocks if block.kind != "details"])
        self.predicted = True

    def text(self, text):
        """Put the parts of a text on slides."""
        blocks = blocks_of(text)
        folded = [block for block in blocks if block.kind == "details" and "For the curious" not in block.text]
        if self.figure and blocks[0].kind == "caption":
            self.figure.blocks.append(blocks.pop(0))
        blocks = [block for block in blocks if block.kind != "details"]
        notes = [block.text for block in blocks]
        for block, after in zip(blocks, [*blocks[1:], None], strict=False):
            if block.kind == "prose":
                block.text = shortened(block.text, after is not None and after.kind == "math")
        units = units_of(blocks)
        if units and self.slides and self.slides[-1].kind == "heading" and not self.slides[-1].blocks:
            self.slides[-1].notes += notes[: len(units[0])]
            if units[0][0].kind == "prose" and sum(map(room, units[0])) <= STORY:
                self.slides[-1].blocks = units.pop(0)
        while self.figure and units and len(units[0]) == 1 and units[0][0].kind == "prose":
            crowded = len(self.figure.blocks) > 2  # more than the figure and its caption
            if crowded or sum(count(block.text) for block in [*self.figure.words, *units[0]]) > WORDS:
                break
            self.figure.words += units.pop(0)
            self.figure.notes += [text for text in notes if text not in self.figure.notes]
        for unit in units:
            self.flow(unit, notes)
        self.folded += folded
        self.figure = None

    def flow(self, unit, notes=(), kind="text"):
        """Put blocks that belong together on the open slide where they fit, else on a new one."""
        lead = []
        if self.open and sum(map(room, [*self.open.blocks, *unit])) > ROOM:
            *others, last = self.open.blocks
            fits = sum(map(room, [last, *unit])) <= ROOM
            if others and fits and unit[0].kind in LED and last.kind == "prose":
                lead = [self.open.blocks.pop()]
            self.open = None
        if not self.open:
            self.open = self.add(kind, lead)
        self.open.blocks += unit
        self.open.notes += [text for text in notes if text not in self.open.notes]

    def code(self, cell):
        """Put what a code cell shows, and its code where it is short, on slides."""
        outputs = outputs_of(cell, self.pages)
        big = [block for block in outputs if block.kind in ("figure", "explorer")]
        plain = [Block("code", cell.source)] if shows_code(cell, outputs) else []
        plain += [block for block in outputs if block not in big]
        kind = "answer" if self.predicted and outputs else ""
        self.predicted = self.predicted and not outputs
        for block in big:
            above = self.taken_above() if block.kind == "figure" and not kind else ([], [])
            asked = self.slides[-1].notes if block.kind == "explorer" and self.slides[-1] is self.open else above[1]
            slide = self.add(kind if kind and block.kind == "figure" else block.kind, [*above[0], block], asked)
            self.open, self.figure = None, slide if block.kind == "figure" else None
        if plain and self.figure and sum(map(room, [*self.figure.blocks, *plain])) <= ROOM - CAPTION:
            self.figure.blocks += plain
        elif plain:
            self.open = None if kind else self.open
            for group in [plain] if sum(map(room, plain)) <= ROOM else [plain[:1], plain[1:]]:
                if group:
                    self.flow(group, kind=kind or "text")

    def taken_above(self):
        """Take the blocks and notes of the open slide, where they are so few that they stand above a figure."""
        slide = self.open
        if not slide or slide.kind != "text" or {block.kind for block in slide.blocks} != {"prose"}:
            return [], []
        return (slide.blocks, self.slides.pop().notes) if sum(map(room, slide.blocks)) <= LITTLE else ([], [])


def units_of(blocks):
    """Return the blocks that stay together: what a paragraph leads to, and formulas that follow each other."""
    units = []
    for block in blocks:
        last = units[-1][-1].kind if units else ""
        together = block.kind in LED if last == "prose" else last == block.kind == "math"
        if together and sum(map(room, [*units[-1], block])) <= ROOM:
            units[-1].append(block)
        else:
            units.append([block])
    return units


def is_wide(figure):
    """Tell whether a figure is so wide that its words stand better below it than beside."""
    return figure.shape[0] > 1.75 * figure.shape[1]


def outputs_of(cell, pages):
    """Return what a code cell shows, as blocks."""
    found, alt = [], cell.metadata.get("alt", "")
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if VIEW in data and cell.id in pages:
            found.append(Block("explorer", pages[cell.id], alt))
        elif "image/png" in data:
            shape = struct.unpack(">II", b64decode(data["image/png"][:64])[16:24])  # from the head of the file
            found.append(Block("figure", f"{cell.id}.png", alt, shape))
        elif VIEW in data:
            found.append(Block("prose", "*The sliders are in the notebook:* `make lab` *opens it.*"))
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
    drawn = "widget" in tags
    drawn |= any(block.kind in ("figure", "explorer") or "<script" in block.text for block in outputs)  # or a film
    only_imports = all(re.match(r"(from|import|plt\.style|%)", line) for line in lines)
    return not (drawn or hidden or only_imports) and len(lines) <= CODE_LINES
