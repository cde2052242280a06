"""The page of one notebook in the instructor's guide: what to open with, to ask, to show, to set, and to close with."""

import html
import re
import textwrap
from itertools import accumulate
from pathlib import Path

from slide_text import run_already

from bayeslab import checks

SITE, SLIDES = "../../site", "../../slides"  # seen from the pages of the guide

SHOWN = 3  # of the wrong answers that a check knows
WORK, EXERCISE = 30, 7  # minutes of work in a class, and for an exercise at home
SAID = Path(__file__).with_name("misunderstandings.md")
LESSON = """# Teaching {number:02}: {name}

*{title}* {minutes} minutes. Needs: {needs}. {open}

They will be able to

{outcomes}

## Open with the decision

{story}

## Ask, and let them predict

{questions}

## Work

{work}

{said}

## Show

{scenes}

## Set as exercises

{exercises}

## Close with

{conclusion}

[In the notebook](#cell-{last})
"""
DRAGGED = "This is an explorer: drag it [on the page](#cell-{cell})."
MOVED = "[Here](#cell-{cell}) are controls which move in JupyterLab only: `make lab` opens it."


def to_site(text, page):
    """Make links to cells of a notebook, to other notebooks and to the data those to pages of the site."""
    text = re.sub(r"\]\(#(cell-[\w-]+)\)", rf"]({page}#\1)", text)
    text = re.sub(r"\]\((\w+)\.ipynb\)", r"](\1.html)", text.replace("](../data/README.md)", "](data.html)"))
    return re.sub(r"\[([^]]*)\]\((\w+\.html[^)]*)\)", rf'<a href="{SITE}/\2">\1</a>', text)


def fold(summary, text):
    """Markdown that a reader unfolds."""
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"


def numbered(texts):
    """Return a numbered list of texts, which may be of several paragraphs."""
    return "\n\n".join(f"{place}. {textwrap.indent(text, '   ').lstrip()}" for place, text in enumerate(texts, start=1))


def question(cell, asked, answer, voted):
    """Return a question to the class, with its answer folded; `voted` are those of the short slides."""
    folded = fold("Answer", f"{answer}\n\n[In the notebook](#cell-{cell})")
    return f"{asked}{' *(A vote on the short slides.)*' * (cell in voted)}\n\n{folded}"


def scene(found):
    """Return what to show: where it is, how it gets moving, what to ask and what to hear."""
    how = (DRAGGED if found["alive"] else MOVED).format(cell=found["cell"])
    answer = fold("Answers", found["answer"]) if found["answer"] else ""
    text = run_already(found["text"]) if found["alive"] else found["text"]
    return f"### {found['heading']}\n\n{how}\n\n{text}\n\n{answer}"


def work(minutes, read):
    """Say where a class ends its work, by the words of the sections, and what that leaves for home."""
    words, sections = read["words"], read["sections"]
    pace = (minutes - EXERCISE * len(read["exercises"])) / sum(words.values())
    reached = [pace * each for each in accumulate(words.values())]
    place = min(range(len(words)), key=lambda place: abs(reached[place] - WORK))
    names = [f"[*{name}*](#cell-{sections[name]})" for name in words]
    left = f"from {names[place + 1]} on, with the exercises" if place + 1 < len(names) else "the exercises"
    return (
        f"In {WORK} minutes, pairs get about as far as the end of {names[place]}. At home: {left}, about "
        f"{5 * round((minutes - reached[place]) / 5)} minutes."
    )


def said_in(number):
    """Return what a pair often says about a notebook, and what to ask it."""
    (listed,) = re.findall(
        rf"^## {number:02}\n(.+?)(?=\n\n|\Z)", SAID.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return f"What a pair may say, and what to ask it then:\n\n{listed.strip()}"


def exercise(number, cell, title, solution):
    """Return an exercise, its solution, and what its check says to usual mistakes, if it lists any."""
    checks.verdict_on(number, ...)  # imports its module
    sentences = [*dict.fromkeys(each.sentence for each in getattr(checks._EXERCISES[number], "mistakes", []))]
    single = [each for each in sentences if not any(each.startswith(f"{other} ") for other in sentences)]
    said = [f"<li>{html.escape(each, quote=False)}</li>" for each in single]
    first, others = "".join(said[:SHOWN]), "".join(said[SHOWN:])
    known = f"\n\n<p>Wrong answers to expect, and what the check says:</p><ul>{first}</ul>" if first else ""
    summary = f"<summary>{len(said) - SHOWN} more that the check knows</summary>"
    known += f"\n\n<details>{summary}<ul>{others}</ul></details>" if others else ""
    return f"[**{number}** {title}](#cell-{cell}){known}\n\n{fold('Solution', solution)}"


def write_lesson(notebook, read, slides, voted):
    """Return the page of a notebook, as `front_page.first_cell` and `lessons.read` found it, in Markdown.

    `voted` are the cells whose questions stand on the short slides.
    """
    number = int(notebook["stem"][:2])
    last, conclusion = read["conclusion"]
    deck, links = slides / f"{notebook['stem']}.html", [f'<a href="{SITE}/{notebook["page"]}">The notebook</a>']
    if deck.is_file():
        links.append(f'<a href="{SLIDES}/{deck.name}">Slides</a>')
        links.append(f'<a href="{SLIDES}/{deck.name}?short">Slides, short version</a>')
    page = LESSON.format(
        number=number,
        name=notebook["name"],
        title=notebook["title"],
        minutes=notebook["minutes"],
        needs=read["needs"],
        outcomes="\n".join(f"- {each}" for each in notebook["outcomes"]),
        open=" · ".join([*links, "[The whole guide](index.md)"]),
        story=read["story"],
        questions=numbered(question(*each, voted) for each in read["questions"]),
        work=work(notebook["minutes"], read),
        said=said_in(number),
        scenes="\n\n".join(map(scene, read["scenes"])),
        exercises="\n\n".join(exercise(each, *place) for each, place in read["exercises"].items()),
        conclusion=conclusion,
        last=last,
    )
    return to_site(page, notebook["page"])


def link(number, notebook):
    """Return a link to the page of a notebook in the guide."""
    return f"[{number:02} {notebook['name']}](guide_{number:02}.md)"
