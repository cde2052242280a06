"""The deck of a notebook: its slides, from the title to what to take away."""

import re

from slide_rule import TAKE_AWAY, Cutter, Slide
from slide_text import Block, blocks_of, room

ORPHAN = 110  # pixels of text that need no slide of their own


def cut(nb, pages):
    """Return the slides of a notebook after those of its first cell; `pages` are those of explorers, by cell."""
    cutter = Cutter(pages)
    for cell in nb.cells[1:]:
        tags, source = cell.metadata.get("tags", []), cell.source.strip()
        if {"noslide", "solution", "numbers"} & set(tags):
            continue
        if cell.cell_type == "markdown" and (heading := re.fullmatch(r"(#+) (.+)", source)):
            cutter.heading(len(heading[1]), heading[2])
        elif cutter.left_out or not source:
            continue
        elif source.startswith("**References"):
            break
        elif cell.cell_type == "code":
            if cutter.section:  # not the imports above the first heading
                cutter.code(cell)
        elif source.startswith("**Predict"):
            cutter.predict(source)
        else:
            cutter.text(source)
    cutter.settle()
    return opening(nb.cells[0].source) + closing(without_orphans(cutter.slides), cutter.exercises)


def opening(text):
    """Return the title slide, with the decision, and what a reader will be able to do."""
    title, rest = text.split("\n", 1)
    story, able = re.split(r"\n(?=You will be able to)", rest.strip(), maxsplit=1)
    title = title.removeprefix("# ")
    able = blocks_of(able)
    return [Slide("title", "", title, blocks_of(story)), Slide("outcomes", "", able[0].text, able[1:])]


def may_follow(slide, after):
    """Tell whether the text of a slide may stand above what the next one shows."""
    if after.kind == "figure":
        return not after.words
    return after.kind in ("text", "math") and after.has_room(slide.blocks)


def without_orphans(slides):
    """Return the slides without those of a few lines of text that go with what comes next."""
    kept = []
    for slide, after in zip(slides, [*slides[1:], None], strict=True):
        alone = slide.kind == "text" and all(block.kind == "prose" for block in slide.blocks)
        small = alone and sum(map(room, slide.blocks)) <= ORPHAN
        if small and after and after.title == slide.title and may_follow(slide, after):
            after.blocks, after.notes = slide.blocks + after.blocks, slide.notes + after.notes
            continue
        kept.append(slide)
    return kept


def closing(slides, exercises):
    """Return the slides, with the names of the exercises before what to take away."""
    place = next((k for k, slide in enumerate(slides) if slide.section == TAKE_AWAY), len(slides))
    for slide in slides[place:]:
        slide.kind = "takeaway"
    if exercises:
        names = "\n".join(f"- {name}" for name in exercises)
        where = "They are in the notebook, with hints, and `check` says what is wrong with an answer."
        slides.insert(place, Slide("exercises", "Exercises", "", [Block("list", names), Block("prose", where)]))
    return slides
