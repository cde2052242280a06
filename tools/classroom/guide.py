"""Make the guide for teachers in build/teacher/guide, of the notebooks and of the checks: nothing is written twice.

    python tools/classroom/guide.py     called by `make guide`, which installs what it needs

Its pages link to the site, which is made first where there is none, and nothing of the site links to them.
"""

import math
import subprocess
import sys
import time
from itertools import combinations, pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import front_page
import guide_bank
import lessons
from guide_lesson import link, write_lesson
from links import mend_links
from slide_rule import MINUTES, PACE, deck_of, minutes
from sphinx_pages import make, math_in_details

ROOT = Path(__file__).resolve().parents[2]

PAGE = """# The instructor's guide

These pages hold answers and solutions, so keep the folder build/teacher to yourself. What students may see is in
build/site and build/lite. What the pages say of a notebook is taken from it, and from the checks of its exercises. What
pairs may say is in tools/classroom/misunderstandings.md: add what you hear.

## A lesson in five steps

A notebook is about an hour and a half of work. In a class of 90 minutes the students predict before they see, and
solve the exercises at home.

| minutes | step | what happens |
|--:|---|---|
| 5 | **Open** | Read the decision that somebody has to take, and let the class vote. |
| {ask} | **Ask** | Project the short version of the slides. Each vote is a slide of its own: wait for hands. |
| 30 | **Work** | In pairs, students run and change the notebook, as far as its page says. The rest is for home. |
| 15 | **Show** | Drag the explorer or move the sliders together, and ask the questions that belong to it. |
| 10 | **Close** | Come back to the decision, and say what is to be handed in. |

The evening before, read the notebook's page of this guide. It marks the questions that are votes on the short slides;
the others meet the pairs in the notebook. If somebody is stuck in an exercise, let the check speak first: it says what
is wrong with an answer. Ask what that means, have the exercise's small example worked out by hand, and only then open a
hint. In the folder of the course,

- `make slides ONLY=05` makes the slides of notebook 05, to which the next `make guide` links (`CODE=no`: without code);
- `make student` writes the course without solutions, to be handed out;
- build/teacher/questions has a quiz of five questions, in versions A and B for neighbours, and a homework of two for
  each notebook, for Canvas, Moodle and paper;
- `make results FILES='submissions/*.zip'` takes what Moodle, Canvas or Blackboard let you download. It tells who solved
  what, shows the code, and says which wrong answers were the commonest and who wrote the same. It writes a table for
  the gradebook. With `ARGS='--gradebook export.csv'` (Canvas's gradebook, or Moodle's grading worksheet, in any
  language), the table has the columns by which the import knows your students, and the page has their names. It also
  writes a zip of feedback. Upload it in Moodle by *Upload multiple feedback files in a zip*, in Canvas by *Upload
  submissions*, and each student gets a notebook with what the checks say to the answers. On Linux the notebooks run in
  a sandbox (don't be root); elsewhere nothing protects your files.

[Objectives, exercises, questions and slides](guide_bank.md) shows in a table what examines what.

## All notebooks at a glance

Each name leads to the notebook's page of this guide. The last columns are for the short version of the slides: what
its words take at {pace} a minute, at least half a minute a slide, and one more for each vote. The explorers aren't
counted, since they belong to *Show*.

{overview}

## Two schedules

The notebooks are taken in order, and cut into weeks that are as equal as can be, by the minutes that a student needs
alone, exercises included. At home they finish the notebook of the class, and solve its exercises. Where a week has a
second notebook, the class takes the one on which more of the others build, and the other is read at home. So is 00,
before the first class, since it installs the course. If you can't ask for that, give it a class of its own.

The last three columns are the homework of a week. Students hand in the notebook with its exercises, for `make results`,
and answer the written questions. The quiz opens the next class: import its file from build/teacher/questions. Its
minutes come on top of the 90: take them from *Work*, or give the quiz at home.

{schedules}

### Projects

After the main road, each of the other notebooks is a question that a pair of students can take as a project, and answer
before the class. Its page says what it needs.
"""

SCHEDULE = """### {n_weeks} weeks: {what}

A week is {least} to {largest} minutes of notebook. Written questions and quiz come on top, as their columns say.

| week | in class | besides, at home | exercises | written questions | quiz in the next class |
|--:|---|---|---|---|---|
{rows}
"""


def overview(notebooks, read, decks):
    """Return a table of all notebooks: how long they are, and how long the short slides take."""
    lines = ["| notebook | minutes | exercises | slides | votes | minutes of slides |", "|---|--:|--:|--:|--:|--:|"]
    for number, notebook in notebooks.items():
        short = [slide for slide in decks[number] if slide.short]
        votes = sum(slide.kind == "predict" for slide in short)
        counts = [notebook["minutes"], len(read[number]["exercises"]), len(short), votes, math.ceil(minutes(short))]
        lines.append(f"| {link(number, notebook)} | {' | '.join(map(str, counts))} |")
    return "\n".join(lines)


def into_weeks(minutes, n_weeks):
    """Cut notebooks, given in order with their minutes, into weeks as equal as can be: least sum of squared minutes."""
    numbers = list(minutes)

    def weeks_of(cuts):
        return [numbers[start:end] for start, end in pairwise([0, *cuts, len(numbers)])]

    def unevenness(cuts):
        return sum(sum(minutes[number] for number in week) ** 2 for week in weeks_of(cuts))

    return weeks_of(min(combinations(range(1, len(numbers)), n_weeks - 1), key=unevenness))


def for_class(week, minutes, needs):
    """Return the notebook of a week that most others build on; of several such the longest, of these the first.

    Notebook 00, which installs the course, is for home.
    """
    return max(
        week, key=lambda number: (number > 0, sum(number in of_other for of_other in needs.values()), minutes[number])
    )


def plan(n_weeks, what, minutes, notebooks, read, bank):
    """Return a schedule of some notebooks, given with their minutes."""
    needs = {number: notebook["needs"] for number, notebook in notebooks.items()}
    weeks, rows = into_weeks(minutes, n_weeks), []
    for place, week in enumerate(weeks, start=1):
        taught = for_class(week, minutes, needs)
        home = "; ".join(
            f"{'before' if number < taught else 'after'} the class, {link(number, notebooks[number])}"
            for number in week
            if number != taught
        )
        exercises = ", ".join(each for number in week for each in read[number]["exercises"])
        written, quiz = (guide_bank.week(week, bank, written) for written in (True, False))
        rows.append(f"| {place} | {link(taught, notebooks[taught])} | {home} | {exercises} | {written} | {quiz} |")
    sums = [sum(minutes[number] for number in week) for week in weeks]
    return SCHEDULE.format(n_weeks=n_weeks, what=what, largest=max(sums), least=min(sums), rows="\n".join(rows))


def write(paths, readme, slides):
    """Return the pages of the guide in Markdown, by name; where there are slides, they link to them."""
    notebooks, (roads, _) = front_page.read_notebooks(paths, readme), front_page.read_map(paths[0])
    read = {int(path.stem[:2]): lessons.read(path) for path in paths}
    bank = guide_bank.load(notebooks)
    takes = {number: notebook["minutes"] for number, notebook in notebooks.items()}
    main_road = {number: takes[number] for number, *_ in roads["main_road"]}
    plans = [(7, "the main road", main_road), (14, "the whole course", takes)]
    decks = {number: deck_of(path)[1] for number, path in zip(read, paths, strict=True)}
    page = PAGE.format(
        ask=MINUTES,
        pace=PACE,
        overview=overview(notebooks, read, decks),
        schedules="\n".join(plan(n_weeks, what, taken, notebooks, read, bank) for n_weeks, what, taken in plans),
    )
    voted = {number: {slide.cell for slide in deck if slide.short} for number, deck in decks.items()}
    pages = {
        f"guide_{number:02}": write_lesson(notebooks[number], read[number], slides, voted[number])
        for number in notebooks
    }
    listed = "\n".join(["guide_bank", *pages])
    page += f"\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
    return {"index": page, "guide_bank": guide_bank.page(notebooks, read, bank, slides)} | pages


def gather(source):
    """Write what Sphinx reads of the guide into a folder."""
    paths = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
    for name, text in write(paths, ROOT / "README.md", ROOT / "build" / "slides").items():
        (source / f"{name}.md").write_text(math_in_details(mend_links(text, ())), encoding="utf-8")


def main():
    """Make the guide, and the site where there is none; say where it is, and how long it took."""
    if not (ROOT / "build" / "site").is_dir():
        subprocess.run([sys.executable, Path(__file__).with_name("site.py")], check=True)
    start, out = time.time(), ROOT / "build" / "teacher" / "guide"
    out.parent.mkdir(exist_ok=True)
    size = make(out, gather)
    print(f"{out / 'index.html'}: {size:.1f} MB in {time.time() - start:.0f} s, for teachers only")


if __name__ == "__main__":
    main()
