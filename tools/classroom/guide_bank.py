"""What the guide says about the bank of questions: the table of objectives, and what a week hands in."""

import html
import re
from itertools import chain

import question_source
from guide_lesson import SLIDES, to_site
from questions import PARTS

PAGE = """# Objectives, exercises, questions and slides

What each notebook promises, where it teaches that, which exercises practise it, and which questions of the bank examine
it. Q6 and Q7 want a written answer. The bank is in build/teacher/questions, for Canvas, for Moodle, and to print with a
key. This page links to the slides with their numbers, if they were made before the guide. [The whole guide](index.md)

{tables}
"""
TABLE = """## {number:02} {name}

| objective | exercises | questions | taught in |
|---|---|---|---|
{rows}

Q1–Q5: {quiz}. Q6–Q7: {written}.{sheet}.
"""


def load(numbers):
    """Return the questions and the objectives of these notebooks, by number."""
    paths = {int(path.stem): path for path in question_source.paths()}
    return {
        number: (question_source.questions(paths[number]), question_source.objectives(paths[number]))
        for number in numbers
    }


def load_of(questions):
    """Say how long some questions take, and what they are worth."""
    return f"{sum(each.minutes for each in questions)} min, {sum(each.points for each in questions)} marks"


def week(numbers, bank, written):
    """Return the written questions that a week hands in, or the others, which are the quiz after it."""
    chosen = {number: [each for each in bank[number][0] if each.written == written] for number in numbers}
    named = "; ".join(f"{number:02} {listed[0].name}–{listed[-1].name}" for number, listed in chosen.items())
    return f"{named} ({load_of([*chain(*chosen.values())])})"


def slides_of(deck):
    """Return the numbers of a deck's slides by section; none where the deck has not been made."""
    places = {}
    if deck.is_file():
        heads = re.findall(r"<header>\d\d(?: · )?(.*?)</header>", deck.read_text(encoding="utf-8"))
        for place, head in enumerate(heads, start=1):
            places.setdefault(html.unescape(re.sub("<.+?>", "", head)), []).append(place)
    return places


def section(name, cell, places, deck):
    """Return a section with links to the notebook and to its slides."""
    shown = f"[{name}](#cell-{cell})"
    if name in places:
        first, last = places[name][0], places[name][-1]
        shown += f' (<a href="{SLIDES}/{deck.name}#/{first - 1}">slides {first}–{last}</a>)'
    return shown


def table(number, notebook, read, bank, deck):
    """Return the table of a notebook."""
    (questions, objectives), places, rows = bank[number], slides_of(deck), []
    for place, outcome in enumerate(notebook["outcomes"], start=1):
        sections, exercises = objectives[place]
        practised = ", ".join(f"[{each}](#cell-{read['exercises'][each][0]})" for each in exercises)
        examined = ", ".join(each.name for each in questions if each.objective == place)
        taught = "; ".join(section(name, read["sections"][name], places, deck) for name in sections)
        rows.append(f"| {place}. {outcome} | {practised} | {examined} | {taught} |")
    files = [f"{part}{end}" for part in PARTS for end in ("", "-key")]
    sheets = [f'<a href="../questions/sheets/{number:02}-{file}.html">{file}</a>' for file in files]
    text = TABLE.format(
        number=number,
        name=notebook["name"],
        rows="\n".join(rows),
        quiz=load_of([each for each in questions if not each.written]),
        written=load_of([each for each in questions if each.written]),
        sheet=f" The sheets and their keys: {', '.join(sheets)}",
    )
    return to_site(text, notebook["page"])


def page(notebooks, read, bank, slides):
    """Return the page of the guide with the tables of all notebooks."""
    tables = [
        table(number, notebook, read[number], bank, slides / f"{notebook['stem']}.html")
        for number, notebook in notebooks.items()
    ]
    return PAGE.format(tables="\n".join(tables))
