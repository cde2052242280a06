"""The rule that cuts a notebook into slides.

A heading begins a section, with a slide of its own that says why. A paragraph shows its first sentences; all of it goes
to the speaker's notes. A formula keeps the sentence before it, code of at most twelve lines its output, the sentence
that led to it and the one that reads it. A figure has a slide of its own, and where a text reads it, one more beside
that text. A prediction stands alone, and its answer on the next slide; what is folded in a text comes after what it
asks about. Exercises are named at the end; solutions, sources and references are left out, and so are cells tagged
`numbers`. Cells tagged `slide` are shown although the rule would hide their code, cells tagged `noslide` are not.
"""

import re
from dataclasses import dataclass, field

from slide_cells import is_wide, outputs_of, shows_code
from slide_text import Block, blocks_of, count, room, sentences, shortened

ROOM = 570  # of the 720 pixels of a slide, for what is below its head
ANSWER_LINES = 6  # of code beside the answer to a prediction
READING = 62  # words beside a figure
TAKE_AWAY = "What to take away"
LED = ("math", "list", "table", "fence")  # what a paragraph leads to
SHOWN = ("code", "output", "html")
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
    words : list of Block
        What reads its figure.
    notes : list of str
        Paragraphs for the speaker.
    short : bool
        Whether it belongs to the twenty minutes.
    """

    kind: str
    section: str
    title: str = ""
    blocks: list = field(default_factory=list)
    words: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    short: bool = False

    def has_room(self, blocks):
        """Tell whether these blocks fit on it besides."""
        return sum(map(room, self.blocks)) + sum(map(room, blocks)) <= ROOM


class Cutter:
    """Goes through a notebook once; `slides` grows.

    `fresh` says that the next block begins a slide, `figure` is the one that a text may read, `predicted` says that the
    next output answers a prediction, and `answers` are those that wait, folded in the text, until they may be shown.
    """

    def __init__(self, pages):
        self.pages, self.slides, self.section, self.title = pages, [], "", ""
        self.exercises, self.answers, self.figure = [], [], None
        self.left_out, self.fresh, self.predicted = False, True, False

    def add(self, kind, blocks, notes=()):
        """Begin a slide."""
        self.slides.append(Slide(kind, self.section, self.title, list(blocks), notes=list(notes)))
        self.fresh = False
        return self.slides[-1]

    def growing(self, *kinds):
        """Return the last slide where it may still grow and is of one of these kinds, else None."""
        last = self.slides[-1] if self.slides and not self.fresh else None
        return last if last and last.kind in kinds else None

    def settle(self):
        """Show the answers that are still folded; nothing is predicted any more."""
        if self.answers:
            answers, self.answers = self.answers, []
            self.add("answer", answers)
        self.predicted, self.figure = False, None

    def heading(self, level, text):
        """Begin a section, or leave it out."""
        self.settle()
        exercise = EXERCISE.match(text)
        if exercise and exercise[1]:
            self.exercises.append(exercise[1])
        self.left_out = bool(exercise or LEFT_OUT.match(text))
        if self.left_out:
            return
        self.fresh = True
        if level > 2:
            self.title = text
            return
        self.section, self.title = text, ""
        if text != TAKE_AWAY:
            self.add("heading", [])

    def predict(self, text):
        """Give a prediction a slide of its own; what is folded waits for the next."""
        self.settle()
        blocks = blocks_of(text)
        self.add("predict", [block for block in blocks if block.kind != "details"])
        self.answers = [block for block in blocks if block.kind == "details"]
        self.predicted = True

    def text(self, text):
        """Put the parts of a text on slides."""
        blocks = blocks_of(text)
        if self.figure and blocks[0].kind == "caption":
            self.figure.blocks.append(blocks.pop(0))
        said = [block.text for block in blocks if block.kind != "details"]
        folded = [block for block in blocks if block.kind == "details"]
        blocks = [block for block in blocks if block.kind != "details"]
        if (last := self.growing("heading")) and not last.blocks and blocks and blocks[0].kind == "prose":
            blocks = self.lead(last, blocks)
        leads = [after is not None and after.kind == "math" for after in [*blocks[1:], None]]
        blocks = [
            Block("prose", shortened(block.text, before)) if block.kind == "prose" else block
            for block, before in zip(blocks, leads, strict=False)
        ]
        self.flow(self.read(blocks, said), said)
        self.answers += folded
        self.figure = None

    def lead(self, heading, blocks):
        """Say on the slide of a heading why; return what is left of the text."""
        heading.notes.append(blocks[0].text)
        before = len(blocks) > 1 and blocks[1].kind in LED
        parts = sentences(blocks[0].text)
        if not before:
            heading.blocks.append(Block("prose", shortened(blocks[0].text)))
            return blocks[1:]
        if len(parts) == 1 or blocks[1].kind != "math":
            return blocks
        heading.blocks.append(Block("prose", parts[0]))
        return [Block("prose", " ".join(parts[1:])), *blocks[1:]]

    def read(self, blocks, said):
        """Take what reads the figure or the output before it; return the rest."""
        taken = 0
        while taken < len(blocks) and blocks[taken].kind == "prose":
            leads = taken + 1 < len(blocks) and blocks[taken + 1].kind in LED
            if leads or sum(count(block.text) for block in blocks[: taken + 1]) > READING:
                break
            taken += 1
        last = self.growing("text", "math", "answer")
        if taken and self.figure:
            picture = next(block for block in self.figure.blocks if block.kind == "figure")
            if is_wide(picture) and not any(block.kind in SHOWN for block in self.figure.blocks):
                self.figure.words, self.figure.notes = blocks[:taken], said
            else:
                self.add("reading", [picture], said).words = blocks[:taken]
            self.fresh = True
        elif last and last.blocks[-1].kind in SHOWN:
            while taken and not last.has_room(blocks[:taken]):
                taken -= 1
            if taken:
                last.blocks, last.notes = [*last.blocks, *blocks[:taken]], [*last.notes, *said]
            self.fresh = True
        else:
            return blocks
        return blocks[taken:]

    def flow(self, blocks, said):
        """Fill slides with blocks; a paragraph stays with the formula, the list or the table that it leads to."""
        units = []
        for block in blocks:
            leads = units and units[-1][-1].kind == "prose" and block.kind in LED
            follows = units and block.kind == "math" and units[-1][-1].kind == "math"
            if (leads or follows) and sum(map(room, [*units[-1], block])) <= ROOM:
                units[-1].append(block)
            else:
                units.append([block])
        for unit in units:
            last = self.growing("text", "math")
            if not (last and last.has_room(unit)):
                last = self.add("text", [])
            last.blocks += unit
            last.kind = "math" if any(block.kind == "math" for block in last.blocks) else last.kind
            last.notes += [text for text in said if text not in last.notes]

    def code(self, cell):
        """Put what a code cell shows, and its code where it is short, on slides."""
        outputs = outputs_of(cell, self.pages)
        big = [block for block in outputs if block.kind in ("figure", "explorer")]
        plain = [block for block in outputs if block not in big]
        answers = self.predicted and outputs
        if shows_code(cell, outputs) and not (answers and len(cell.source.splitlines()) > ANSWER_LINES):
            plain.insert(0, Block("code", cell.source))
        for block in big:
            slide = self.add("answer" if answers and block.kind == "figure" else block.kind, [block])
            self.figure = slide if block.kind == "figure" else self.figure
            if block.kind == "explorer":
                slide.notes = self.asked_of(slide)
        groups = [plain] if sum(map(room, plain)) <= ROOM else [plain[:1], plain[1:]]
        for group in filter(None, groups):
            last = self.growing("figure", "answer") if big else self.growing("text", "math")
            if last and group is groups[0] and last.has_room(group) and (big or not answers):
                last.blocks += group
                continue
            lead = self.lead_of_code(group) if last and not big else []
            self.add("answer" if answers and not big else "text", lead + group)
        if answers:
            self.predicted = False

    def asked_of(self, explorer):
        """Return what the slide before an explorer says, for the speaker: the questions are off the screen by now."""
        before = self.slides[-2]
        same = (before.section, before.title) == (explorer.section, explorer.title)
        return list(before.notes) if same and before.kind in ("text", "math") else []

    def lead_of_code(self, plain):
        """Return the last paragraph before code, taken from its slide, where that leaves enough there."""
        last = self.slides[-1]
        fits = sum(map(room, [last.blocks[-1], *plain])) <= ROOM
        if len(last.blocks) < 3 or last.blocks[-1].kind != "prose" or not fits or last.blocks[-1].text[0].islower():
            return []
        return [last.blocks.pop()]
