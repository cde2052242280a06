"""The rule that cuts a notebook into slides.

A heading of a section has a slide of its own, with what leads to it. A figure and an explorer fill one each: what is
said about them, a caption, a question, a short answer, stands in a strip below, where each click shows the next. A
prediction has a slide too, with a short paragraph that leads to it; its answer comes on the next ones, its code only
then, with the code that prepared it. Everything else fills slides in its order, and a paragraph stays with the
formula, list, table or code that it leads to. No sentence is left out but what speaks of cells or of the page. What a
text folds comes after what it asks about, unless it is for the curious. Exercises are named at the end. Solutions,
sources, references, cells tagged `noslide`, and code that is long, folded or only draws are left out.

The short version has the title, the sections with a star in their heading and what to take away; without a star, the
predictions with the slide that leads to them and their answers stand for the sections. Cells tagged `short` are in it
all the same, those tagged `long` are not: a prediction tagged `long` is told, not asked. Nor is an item or a paragraph
that ends with `<!-- long -->`, or what stands between that and `<!-- /long -->`. It shows no code, and of an answer in
words no raw print; what is then short joins the slide before. A vote tagged `picture` shows the last figure again, or
that of the cell which its metadata name as `picture`. It takes as many sections as fit into the minutes that the guide
gives to slides.
"""

import re
import struct
from base64 import b64decode
from dataclasses import dataclass, field, replace

import folds
from explorers import VIEW, stored_picture
from slide_text import Block, blocks_of, count, in_steps, projected, room

ROOM = 580  # of the 720 pixels of a slide, for what is below its head
STORY = 340  # below the title, or below the heading of a section
BELOW = 34  # words below a figure or an explorer at once: no more than two lines
BELOW_MORE = (34, 44, 56)  # where there would be more than
CLICKS = 3  # on a figure
SMALL = 230  # pixels of a slide that joins the one before
PARAGRAPHS = 3  # on a slide, and below a figure
HEAD = 70  # pixels of a heading
STRIP = 80  # pixels, below a figure
CODE_LINES = 12
MINUTES = 30  # for a short version
PACE = 120  # words a minute
TAKE_AWAY = "What to take away"
LEAD = 60  # words above a prediction
WORDS = ("lead", "prose", "list", "caption", "details")
LED = ("math", "list", "table", "fence", "code", "output", "html")  # what a paragraph leads to
LEFT_OUT = re.compile(r"(What the sources print|References|Notation|When you are stuck|Is everything there)")
TO_CODE = re.compile(r"Here (?:is|are)\b|.*:$", re.DOTALL)  # a paragraph that says nothing without it
LEFT_OUT_TAGS = {"noslide", "solution"}
LONG = re.compile(r"<!-- long -->(?:(?!<!-- /long).)*<!-- /long -->", re.DOTALL)
HEADING = re.compile(r"(#+) (.+)(?:\n|$)")
EXERCISE = re.compile(r"Exercises?\b[ :]*(.*)")


@dataclass
class Slide:
    """What is projected at once, and what is said to it.

    Parameters
    ----------
    kind : str
        title, story, outcomes, heading, predict, answer, listing (the code of an answer), figure, explorer, text,
        exercises or takeaway.
    section, title : str
        Headings that it stands under: of the section, and below it.
    blocks, steps : list of Block
        What it shows, and what a click after the other shows below a figure or an explorer.
    notes : list of str
        Paragraphs for the speaker.
    tags : set of str
        Of the cells that it shows.
    cell : str
        The cell of a prediction.
    short : bool
        Whether it belongs to the short version.
    picture : Block or None
        The figure that a vote is about.
    joins : bool
        Whether it is so short that the short version shows it on the slide before.
    unasked : bool
        Whether it answers a prediction that the short version does not ask.
    """

    kind: str
    section: str
    title: str = ""
    blocks: list = field(default_factory=list)
    steps: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    tags: set = field(default_factory=set)
    cell: str = ""
    short: bool = False
    picture: Block | None = None
    joins: bool = False
    unasked: bool = False


def deck_of(path, pages=None, with_code=True):
    """Return a notebook and its slides; `pages` are those of its explorers, by cell, if they have been saved."""
    nb = folds.read(path)
    if pages is None:
        pages = {cell.id: f"{cell.id}.html" for cell in nb.cells if stored_picture(cell)}
    return nb, cut(nb, pages, with_code)


def cut(nb, pages, with_code=True):
    """Return the slides of a notebook; `pages` are those of explorers, by cell."""
    deck = Deck(pages, with_code)
    cells = [cell for cell in nb.cells[1:] if not LEFT_OUT_TAGS & set(cell.metadata.get("tags", []))]
    for cell, after in zip(cells, [*cells[1:], None], strict=True):
        source, deck.tags = cell.source.strip(), {"short", "long", "picture"} & set(cell.metadata.get("tags", []))
        deck.picture = cell.metadata.get("picture", "")
        if cell.cell_type == "markdown" and (heading := HEADING.match(source)):
            deck.heading(len(heading[1]), heading[2])
            source = source[heading.end() :].strip()
        if deck.left_out or not source or source.startswith("**References"):
            continue
        if cell.cell_type == "code":
            if deck.section:  # not the imports above the first heading
                deck.code(cell)
        elif source.startswith("**Predict"):
            deck.predict(source, cell.id)
        else:
            deck.answer(source, after)
    deck.settle()
    for slide in deck.slides:
        if slide.blocks and slide.blocks[0].kind == "figure":
            slide.steps = paced(slide.steps)
    slides = opening(nb.cells[0].source) + deck.slides
    if deck.exercises:
        names = Block("list", "\n".join(f"- {name}" for name in deck.exercises))
        where = Block("prose", "They are in the notebook, with hints, and `check` says what is wrong with an answer.")
        place = next((k for k, slide in enumerate(slides) if slide.kind == "takeaway"), len(slides))
        slides.insert(place, Slide("exercises", "Exercises", "", [names, where]))
    choose(slides, deck.starred)
    return slides


def opening(text):
    """Return the title slide with the decision, which may take another one, and what a reader will be able to do."""
    title, rest = text.split("\n", 1)
    story, *able = re.split(r"\n(?=You will be able to)", rest.strip(), maxsplit=1)
    slides = [Slide("title", "", title.removeprefix("# "))]
    for block in blocks_of(story):
        said = block.text
        block.text = projected(said) if block.kind == "prose" else said
        if slides[-1].blocks and sum(map(room, [*slides[-1].blocks, block])) > STORY:
            slides.append(Slide("story", "", ""))
        slides[-1].blocks += [block] if block.text else []
        slides[-1].notes.append(said)
    for first, *others in map(blocks_of, able):
        slides.append(Slide("outcomes", "", first.text, others))
    return slides


def choose(slides, starred):
    """Mark the slides of the short version: section by section, as long as their minutes last."""
    asked = {slide.section for slide in slides if slide.kind == "predict" and "long" not in slide.tags}
    for slide in slides:
        slide.short = slide.kind in ("title", "story", "takeaway")
    for name in dict.fromkeys(slide.section for slide in slides):
        part = [slide for slide in slides if slide.section == name]
        chosen = {place for place, slide in enumerate(part) if "short" in slide.tags}
        if name in starred:
            chosen |= {*range(len(part))}
        elif not starred and name in asked:
            for place, slide in enumerate(part):
                if slide.kind in ("heading", "predict", "answer", "explorer"):
                    chosen.add(place)
                led = slide.blocks and slide.blocks[0].kind == "lead"
                if slide.kind == "predict" and place and not led and is_told(part[place - 1]):
                    chosen.add(place - 1)
        chosen = [part[place] for place in sorted(chosen)]
        chosen = [slide for slide in chosen if slide.kind != "listing" and "long" not in slide.tags]
        chosen = [slide for slide in chosen if not slide.blocks or in_short(slide)]
        if minutes([*(slide for slide in slides if slide.short), *chosen]) > MINUTES:
            break
        for slide in chosen:
            slide.short = True
    first = None  # on which others are shown
    for slide in (slide for slide in slides if slide.short):
        slide.joins = first is not None and joins(first, slide)
        first = first if slide.joins else slide


def minutes(slides):
    """Return how long some slides take: each as long as its words, at least half a minute, and a minute for each vote.

    Explorers are not counted: they are what the lesson shows later.
    """
    told = [slide for slide in slides if slide.kind != "explorer"]
    words = [sum(count(block.text) for block in [*slide.blocks, *slide.steps] if block.kind in WORDS) for slide in told]
    return sum(max(0.5, each / PACE) for each in words) + sum(slide.kind == "predict" for slide in told)


class Deck:
    """Goes through a notebook once; `slides` grows.

    `open` is the slide that may still grow, `shown` the one whose figure or explorer the next text is about.
    `predicted` says that the next output answers a prediction, `answering` that the words of an answer are placed.
    `folded` are answers that wait until they may be shown, `held` is code that waits for the words of its answer,
    `tags` are those of the cell, `picture` is the cell whose figure its vote shows, if not the last figure, and
    `unasked` says that the short version leaves out the prediction that is answered.
    """

    def __init__(self, pages, with_code):
        self.pages, self.with_code = pages, with_code
        self.slides, self.section, self.title = [], "", ""
        self.exercises, self.starred, self.folded, self.held, self.tags = [], set(), [], [], set()
        self.open, self.shown, self.picture = None, None, ""
        self.left_out = self.predicted = self.answering = self.unasked = False

    def add(self, kind, blocks, notes=()):
        """Begin a slide."""
        if self.section == TAKE_AWAY and kind not in ("predict", "answer", "listing"):
            kind = "takeaway"
        if kind in ("text", "figure", "explorer") and self.slides and is_bare(self.slides[-1]):
            notes = [*self.slides.pop().notes, *notes]  # it has the section's name above it
        slide = Slide(kind, self.section, self.title, list(blocks), notes=list(notes), tags={*self.tags})
        slide.unasked = self.unasked and kind == "answer"
        self.slides.append(slide)
        return slide

    def settle(self):
        """Show the answers that are still folded; nothing is predicted or open any more."""
        below = self.shown is not None and self.shown.blocks[0].kind == "explorer"
        if below and sum(count(block.text) for block in self.folded) <= BELOW:
            self.shown.steps += self.folded
        elif self.folded:
            self.add("answer", self.folded)
        self.folded, self.predicted, self.shown, self.open = [], False, None, None
        self.release()
        self.unasked = False

    def release(self):
        """Show the code that waited for the words of its answer."""
        if self.held and not self.predicted:
            self.open, held, self.held = None, self.held, []
            for group in [held] if sum(map(room, held)) <= ROOM else [[block] for block in held]:
                self.flow(group, kind="listing")
            self.open = None

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
            self.open = self.add("heading", [])

    def predict(self, text, cell):
        """Give a prediction a slide of its own; what is folded waits for the next."""
        self.settle()
        self.prepare()
        blocks, before = blocks_of(text), self.slides[-1] if self.slides else None
        self.folded = [block for block in blocks if block.kind == "details"]
        slide = self.add("predict", [block for block in blocks if block.kind != "details"])
        slide.cell = cell
        if leads_to_vote(before) and "long" not in self.tags | before.tags:
            self.slides.remove(before)
            slide.blocks = [Block("lead", block.text) for block in before.blocks] + slide.blocks
            slide.notes += before.notes
        if "picture" in self.tags:
            figures = [b for each in self.slides for b in each.blocks if b.kind == "figure"]
            slide.picture = [b for b in figures if b.text.startswith(self.picture)][-1]
        self.predicted, self.unasked = True, "long" in self.tags

    def prepare(self):
        """Let the code that prepares a prediction wait for its answer, with the paragraph that only leads to it."""
        while self.slides and self.slides[-1].kind in ("heading", "text"):
            blocks, taken = self.slides[-1].blocks, []
            while blocks and blocks[-1].kind == "code":
                taken.insert(0, blocks.pop())
            if taken and blocks and blocks[-1].kind == "prose" and TO_CODE.match(blocks[-1].text):
                taken.insert(0, blocks.pop())
            self.held = taken + self.held
            if blocks or not taken or self.slides[-1].kind == "heading":
                break
            self.slides.pop()

    def answer(self, text, after):
        """Put a text on slides: first the answer that it folds, on slides of its own, then its code, then the rest."""
        drags = self.shown is not None and self.shown.blocks[0].kind == "explorer"  # its questions come before
        found = None if drags else folds.ANSWER.search(text)
        leads = after is not None and after.cell_type == "code"
        if found:
            self.answering = True
            self.text(folds.open_answer(text[: found.end()]))
            self.answering = False
            text = text[found.end() :].strip()
            self.release()
            self.open = self.shown = None
        if text:
            asks = after is not None and after.source.startswith("**Predict")
            self.text(text, leads, alone=asks and self.section == TAKE_AWAY)
        if not self.predicted:
            self.release()

    def text(self, text, leads=False, alone=False):
        """Put the parts of a text on slides; its end may lead to a cell of code."""
        blocks = [block for block in blocks_of(text) if "For the curious" not in block.text]
        folds = [block for block in blocks if block.kind == "details"]
        asked = blocks[: blocks.index(folds[-1])] if folds else []
        notes = [block.text for block in blocks if block not in folds]
        for block in blocks:
            block.text = projected(block.text) if block.kind in ("prose", "caption") else block.text
        told = [block for block in blocks if block.text and block not in folds]
        if self.shown and self.shown.blocks[0].kind == "explorer" and (folds or self.folded):
            self.below([block for block in told if block in asked], notes)
            told, self.folded = [block for block in told if block not in asked], self.folded + folds
            self.settle()
            folds = []
        self.place(told[:-1] if alone else told, notes, leads)
        if alone:  # what a last question is about
            self.open = None
            self.place(told[-1:], notes, leads)
        self.folded += folds
        self.shown = None

    def place(self, blocks, notes, leads):
        """Put blocks below what is shown, as long as they may stand there, and the others on slides."""
        units = units_of([part for block in blocks for part in cut_table(block)])
        while self.shown and units and len(units[0]) == 1 and units[0][0].kind in self.said_below(leads, units):
            self.below(units.pop(0), notes)
        for unit in units:
            self.flow(unit, notes)
        if not blocks:
            self.slides[-1].notes += notes

    def said_below(self, leads, units):
        """List the kinds of blocks that may join the strip of what is shown: all but what leads to the next cell."""
        if self.shown.blocks[0].kind == "explorer" or (leads and len(units) == 1):
            return ["caption"]
        return ["caption", "prose"] if len(self.shown.steps) <= PARAGRAPHS * (1 + self.answering) else []

    def below(self, blocks, notes):
        """Put blocks below the figure or explorer that is shown, a step for each and for each item of a list."""
        for block in blocks:
            is_list = block.kind == "list"
            items = re.split(r"\n(?=\d+\. )", block.text) if is_list else in_steps(block.text, BELOW)
            steps = [Block(block.kind, item) for item in items]
            place = len(self.shown.steps)
            if block.kind == "caption":  # it says what is seen
                place = sum(step.kind == "caption" for step in self.shown.steps)
            self.shown.steps[place:place] = steps
        self.shown.notes += [text for text in notes if text not in self.shown.notes]
        self.shown.tags |= self.tags & {"short"}

    def flow(self, unit, notes=(), kind="text"):
        """Put blocks that belong together on the open slide where they fit, else on a new one."""
        lead, kind, tags = [], "answer" if self.answering else kind, self.tags & {"short"}
        if self.open and ("long" in self.tags) != ("long" in self.open.tags):
            self.open = None
        if self.open and not self.fits(unit):
            *others, last = self.open.blocks or [None]
            leads = unit[0].kind in LED and last and last.kind == "prose" and not last.text[0].islower()
            if others and leads and sum(map(room, [last, *unit])) <= ROOM:
                lead, tags = [self.open.blocks.pop()], tags | self.open.tags & {"short"}
            self.open = None
        if not self.open and unit[0].text.startswith("**Next"):  # which alone is no slide
            self.slides[-1].notes += [text for text in notes if text not in self.slides[-1].notes]
            return
        if not self.open:
            self.open = self.add(kind, lead)
        self.open.blocks += unit
        self.open.tags |= tags
        self.open.notes += [text for text in notes if text not in self.open.notes]

    def fits(self, unit):
        """Tell whether blocks fit on the open slide."""
        blocks = [*self.open.blocks, *unit]
        if self.open.kind == "heading" and {block.kind for block in blocks} <= {"prose", "math", "list", "table"}:
            return sum(map(room, blocks)) <= STORY and len(blocks) <= PARAGRAPHS
        is_first = self.open.kind == "heading"
        paragraphs = sum(block.kind == "prose" for block in blocks)
        return sum(map(room, blocks)) <= ROOM - HEAD * is_first and paragraphs <= PARAGRAPHS - is_first

    def code(self, cell):
        """Put what a code cell shows, and its code where it is short, on slides; answers come before their code."""
        outputs = outputs_of(cell, self.pages)
        big = [block for block in outputs if block.kind in ("figure", "explorer")]
        code = [Block("code", cell.source)] if self.with_code and shows_code(cell, outputs) else []
        if self.predicted and not outputs:
            self.held += code
            return
        kind = "answer" if self.predicted or self.held else ""
        printed = [block for block in outputs if block not in big]
        plain = printed if kind else [*code, *printed]
        if kind:
            self.predicted, self.held = False, [*self.held, *code]
        for block in big:
            steps, notes = self.led(block.kind) if not kind else ([], [])
            self.shown = self.add(kind if kind and block.kind == "figure" else block.kind, [block])
            self.below(steps, [*notes, block.alt])
            self.open = None
        if plain and big and sum(map(room, [*self.shown.blocks, *plain])) <= ROOM - STRIP:
            self.shown.blocks += plain
        elif plain:
            self.open = None if kind else self.open
            for group in [plain] if sum(map(room, plain)) <= ROOM else [[block] for block in plain]:
                self.flow(group, kind=kind or "text")

    def led(self, kind):
        """Take what leads to a figure or an explorer from the open slide: its questions, and the paragraph before."""
        slide, steps = self.open, []
        if not slide:
            return [], []
        if kind == "explorer" and slide.blocks and slide.blocks[-1].kind == "list":
            steps = [slide.blocks.pop()]
        if slide.kind == "text" and slide.blocks and slide.blocks[-1].kind == "prose":
            steps.insert(0, slide.blocks.pop())
        if not slide.blocks and slide.kind == "text":
            self.slides.remove(slide)
        return steps, slide.notes if steps else []


def cut_table(block):
    """Return a table in pieces that fit on a slide, each with the head; any other block alone."""
    if block.kind != "table" or room(block) <= ROOM:
        return [block]
    *head, first = block.text.splitlines()[:3]
    pieces = [Block("table", "\n".join([*head, first]))]
    for row in block.text.splitlines()[3:]:
        longer = Block("table", f"{pieces[-1].text}\n{row}")
        if room(longer) <= ROOM - HEAD:
            pieces[-1] = longer
        else:
            pieces.append(Block("table", "\n".join([*head, row])))
    return pieces


def units_of(blocks):
    """Return the blocks that stay together: what a paragraph leads to, and formulas that follow each other."""
    units = []
    for block in blocks:
        last = units[-1][-1].kind if units else ""
        together = block.kind in LED if last == "prose" else last == block.kind == "math"
        together |= last == "math" and block.kind == "prose" and block.text[0].islower()  # the sentence goes on
        if together and sum(map(room, [*units[-1], block])) <= ROOM:
            units[-1].append(block)
        else:
            units.append([block])
    return units


def paced(steps):
    """Return what is said below a figure in no more clicks than needed."""
    for words in BELOW_MORE:
        joined = steps[:1]
        for step in steps[1:]:
            last = joined[-1]
            if last.kind == step.kind == "prose" and count(last.text) + count(step.text) <= words:
                joined[-1] = Block("prose", f"{last.text} {step.text}")
            else:
                joined.append(step)
        if len(joined) <= 1 + CLICKS:
            break
    return joined


def in_short(slide):
    """Return the blocks that the short version shows: no code, and no raw print that words repeat."""
    said = slide.kind in ("answer", "figure") and "short" not in slide.tags and is_told(slide)
    hidden = ("code", "output") if said else ("code",)
    return [block for block in slide.blocks if block.kind not in hidden and not LONG.fullmatch(block.text)]


def joins(first, slide):
    """Tell whether a slide is short enough to stand on the one before."""
    if first.kind not in ("answer", "text", "heading") or slide.kind != "text" or first.steps or slide.steps:
        return False
    both = in_short(first), in_short(slide)
    if (first.section, first.title) != (slide.section, slide.title) or "lead" in {block.kind for block in both[1]}:
        return False
    if {block.kind for part in both for block in part} & {"figure", "explorer"}:
        return False
    before, added = (sum(room(replace(block, text=LONG.sub("", block.text))) for block in part) for part in both)
    return added <= SMALL and before + added <= ROOM


def is_told(slide):
    """Tell whether a slide says something, and is not only code."""
    return any(block.kind in WORDS for block in [*slide.blocks, *slide.steps])


def leads_to_vote(slide):
    """Tell whether a slide is a short paragraph or two, and nothing else."""
    if not slide or slide.kind != "text" or slide.title or {block.kind for block in slide.blocks} != {"prose"}:
        return False
    return sum(count(block.text) for block in slide.blocks) <= LEAD


def is_bare(slide):
    """Tell whether a slide is a heading and nothing else."""
    return slide.kind == "heading" and not slide.blocks


def is_wide(figure):
    """Tell whether a figure is so wide that its strip stands below it, not beside."""
    return figure.shape[0] > 1.2 * figure.shape[1]


def picture_name(cell, place):
    """Return the name of the file for the picture that is a cell's output in this place."""
    return f"{cell.id}_{place}.png"


def shape_of(png, metadata):
    """Return width and height of a figure: what its output says, else the pixels in the head of the file."""
    width, height = struct.unpack(">II", b64decode(png[:64])[16:24])
    shown = metadata.get("image/png", {}).get("width", width)
    return shown, height * shown / width


def outputs_of(cell, pages):
    """Return what a code cell shows, as blocks."""
    found, alt = [], cell.metadata.get("alt", "")
    for place, output in enumerate(cell.get("outputs", [])):
        data = output.get("data", {})
        if VIEW in data and cell.id in pages:
            found.append(Block("explorer", pages[cell.id], alt))
        elif "image/png" in data:
            shape = shape_of(data["image/png"], output.metadata)
            found.append(Block("figure", picture_name(cell, place), alt, shape))
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
    hidden = cell.metadata.get("jupyter", {})
    lines = [line for line in cell.source.splitlines() if line.strip()]
    drawn = "widget" in cell.metadata.get("tags", [])
    drawn |= any(block.kind in ("figure", "explorer") or "<script" in block.text for block in outputs)  # or a film
    only_imports = all(re.match(r"(from|import|plt\.style|%)", line) for line in lines)
    return not (drawn or hidden or only_imports) and len(lines) <= CODE_LINES
