"""The instructor's guide, a page of the site, made of the notebooks and of the checks: nothing is written twice."""

import html
import textwrap

import front_page
import lessons
import schedule
import wrong_answers

HIDDEN = """---
orphan: true
nosearch: true
---
"""
PAGE = """# The instructor's guide

These pages hold answers. They are not in the list on the left, and the search does not find them, but whoever knows
their address can read them. What they say of a notebook is taken from it, and from the checks of its exercises.

## A lesson in five steps

A notebook is about an hour and a quarter of work. In a class of 90 minutes the students predict before they see, and
solve the exercises at home.

| minutes | step | what happens |
|--:|---|---|
| 5 | **Open** | Read the decision that somebody has to take, and let the class vote. |
| 20 | **Ask** | Project the slides. Each *Predict* is a slide of its own: wait for hands before you go on. |
| 40 | **Work** | In pairs, students run and change the notebook, up to its part *Explore*. |
| 15 | **Show** | Move the scene together, and ask the questions that belong to it. |
| 10 | **Close** | Come back to the decision, and say what is to be handed in. |

The evening before, read the notebook's page of this guide: the questions that you will ask, and the wrong answers that
the checks know, for these are the misunderstandings that you will meet. In the folder of the course,

- `make slides ONLY=05` makes the slides of notebook 05;
- `make student` writes the course without solutions, to be handed out;
- `make results FILES='submissions/*.zip'` tells who solved what, and which wrong answers were the commonest.

## All notebooks at a glance

Each name leads to the notebook's page of this guide.

{overview}

{schedules}
"""

SCHEDULE = """## {n_weeks} weeks: {what}

{why} {largest} minutes is the longest week, {least} the shortest, for a student who works alone, exercises included.

| week | in class | at home | hand in |
|---|---|---|---|
{rows}
"""
WHY = (
    "The notebooks are taken in order and cut into weeks that are as equal as they can be. Where a week has two, the "
    "class takes the one that more of the others build on."
)

LESSON = """# Teaching {number:02}: {name}

*{title}* {minutes} minutes. Needs: {needs}. {open}

They will be able to

{outcomes}

## Open with the decision

{story}

## Ask, and let them predict

{questions}

## Show

{scenes}

## Set as exercises

{exercises}

## Close with

{conclusion}

[In the notebook](#cell-{last})
"""


def fold(summary, text):
    """Markdown that a reader unfolds."""
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"


def numbered(texts):
    """Return a numbered list of texts, which may be of several paragraphs."""
    return "\n\n".join(f"{place}. {textwrap.indent(text, '   ').lstrip()}" for place, text in enumerate(texts, start=1))


def question(cell, asked, answer):
    """Return a question to the class, with its answer folded."""
    folded = fold("Answer", f"{answer}\n\n[In the notebook](#cell-{cell})")
    return f"{asked}\n\n{folded}"


def scene(found):
    """Return what to show: where it is, how it gets moving, what to ask and what to hear."""
    how = "drag it on the page" if found["alive"] else "it moves in JupyterLab only, which `make lab` opens"
    answer = fold("Answers", found["answer"]) if found["answer"] else ""
    return f"[**{found['heading']}**](#cell-{found['cell']}): {how}.\n\n{found['text']}\n\n{answer}"


def exercise(number, cell, title, sentences):
    """Return an exercise, and what its check says to wrong answers."""
    said = "".join(f"<li>{html.escape(each, quote=False)}</li>" for each in sentences)
    known = f"<details><summary>{len(sentences)} wrong answers that the check knows</summary><ul>{said}</ul></details>"
    return f"[**{number}** {title}](#cell-{cell})\n\n{known}"


def lesson(number, notebook, read, slides):
    """Return the page of a notebook."""
    last, conclusion = read["conclusion"]
    known = wrong_answers.known(number)
    deck = slides / f"{notebook['stem']}.html"
    links = [f'<a href="{notebook["page"]}">The notebook</a>']
    links += [f'<a href="../{slides.name}/{deck.name}">Its slides</a>'] * deck.is_file()
    return HIDDEN + LESSON.format(
        **notebook | {"outcomes": "\n".join(f"- {each}" for each in notebook["outcomes"])},
        number=number,
        needs=read["needs"],
        open=" · ".join([*links, "[The whole guide](guide.md)"]),
        story=read["story"],
        questions=numbered(question(*each) for each in read["questions"]),
        scenes="\n\n".join(map(scene, read["scenes"])),
        exercises="\n\n".join(exercise(each, *place, known[each]) for each, place in read["exercises"].items()),
        conclusion=conclusion,
        last=last,
    )


def link(number, notebook):
    """Return a link to the page of a notebook in the guide."""
    return f"[{number:02} {notebook['name']}](guide_{number:02}.md)"


def overview(notebooks, read):
    """Return a table of all notebooks: how long, and how many questions, scenes and exercises."""
    lines = ["| notebook | minutes | predictions | scenes | exercises |", "|---|--:|--:|--:|--:|"]
    for number, notebook in notebooks.items():
        counts = [len(read[number][part]) for part in ("questions", "scenes", "exercises")]
        lines.append(f"| {link(number, notebook)} | {notebook['minutes']} | {' | '.join(map(str, counts))} |")
    return "\n".join(lines)


def plan(n_weeks, what, taken, notebooks, read, needs):
    """Return a schedule of so many weeks for some of the notebooks."""
    minutes = {number: notebooks[number]["minutes"] for number in taken}
    weeks = schedule.into_weeks(minutes, n_weeks)
    rows = []
    for place, week in enumerate(weeks, start=1):
        first = schedule.for_class(week, minutes, needs)
        home = [
            f"{'before' if number < first else 'after'}: {link(number, notebooks[number])}"
            for number in week
            if number != first
        ]
        exercises = ", ".join(each for number in week for each in read[number]["exercises"])
        rows.append(f"| {place} | {link(first, notebooks[first])} | {'; '.join(home)} | {exercises} |")
    long = [sum(minutes[number] for number in week) for week in weeks]
    return SCHEDULE.format(
        n_weeks=n_weeks, what=what, why=WHY, largest=max(long), least=min(long), rows="\n".join(rows)
    )


def write(paths, readme, slides):
    """Return the pages of the guide in Markdown, by name; where there are slides, they link to them."""
    notebooks, (roads, _) = front_page.read_notebooks(paths, readme), front_page.read_map(paths[0])
    read = {int(path.stem[:2]): lessons.read(path) for path in paths}
    needs = {number: of for road in roads.values() for number, *_, of in road}
    main_road = [number for number, *_ in roads["main_road"]]
    plans = [(7, "the main road", main_road), (14, "the whole course", sorted(notebooks))]
    page = PAGE.format(
        overview=overview(notebooks, read),
        schedules="\n".join(plan(*each, notebooks, read, needs) for each in plans),
    )
    pages = {f"guide_{number:02}": lesson(number, notebooks[number], read[number], slides) for number in notebooks}
    return {"guide": HIDDEN + page} | pages
