"""Write the results of a class as a page that needs nothing from outside."""

from html import escape
from itertools import repeat

CHANCE = (
    "The same code can be chance, above all where it is short, or the work of a pair: ask before you conclude anything."
)
LONGEST = 4000  # characters of an answer
SIGNS = {"done": "✓", "wrong": "✗", "open": "…", "not reached": "!", "missing": ""}
MEANS = {
    "done": "solved",
    "wrong": "answered, but not right",
    "open": "as it was handed out",
    "not reached": "asked, but check never ran: an error, the time was over, or another function of this name",
    "missing": "not handed in",
}
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid #8886; padding: .2rem .5rem; text-align: left; vertical-align: top; }
.sign, .sum td { text-align: center; white-space: nowrap; }
th:first-child { position: sticky; left: 0; background: Canvas; }
.done { background: #2a73; } .wrong { background: #c333; } .not { background: #c803; }
.answer { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.5rem; }
@media (max-width: 45rem) { .answer { display: block; } }
pre { background: #8881; font-size: 13px; margin: .5rem 0; overflow: auto; padding: .5rem; max-height: 30rem; }
aside { border-left: .3rem solid #c80; padding-left: 1rem; }
"""


def _row(cells, tag="td"):
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


def _table(results):
    """Return the table of signs: a row for each student, a column for each exercise."""
    head = ["student", *results.exercises, "solved"]
    rows = []
    for student in results.students:
        outcomes = [student.outcome(number)[0] for number in results.exercises]
        signs = "".join(
            f'<td class="sign {result}" title="{escape(MEANS[result])}" aria-label="{result}">{SIGNS[result]}</td>'
            for result in outcomes
        )
        solved = f"{outcomes.count('done')} of {len(outcomes)}" if student.is_readable else "not readable"
        rows.append(f'<tr><th scope="row">{escape(student.name)}</th>{signs}<td class="sign">{solved}</td></tr>')
    counts = [sum(student.outcome(number)[0] == "done" for student in results.students) for number in results.exercises]
    rows.append(_row(["<b>solved by</b>", *counts, ""]).replace("<tr>", '<tr class="sum">'))
    return f'<div class="wide"><table>{_row(head, "th")}{"".join(rows)}</table></div>'


def _same(number, others):
    """Return who wrote the same, in a sentence."""
    shown = ", ".join(others[:3]) + (f" and {len(others) - 3} others" if len(others) > 3 else "")
    return f"<p><i>{number}: same code as {escape(shown)}.</i></p>" if others else ""


def _of_student(student, exercises, same):
    """Return what a student's answers have wrong beside their code, and what went wrong in running them."""
    open_, parts, solved = student.unanswered, [], []
    for number in exercises:
        result, message = student.outcome(number)
        code = student.answer(number)
        code = f"<pre>{escape(code[:LONGEST])}{' …' if len(code) > LONGEST else ''}</pre>" if code else ""
        if result in {"wrong", "not reached"}:
            said = escape(message or MEANS[result])
            parts.append(f'<div class="answer"><p><b>{number}</b> {said}</p>{code}</div>')
        elif result == "done":
            solved.append(number)
            parts.append(f"<details><summary>{number} solved</summary>{code}</details>" if code else "")
        parts.append(_same(number, same.get(number, [])))
    if open_:
        parts.append(f"<p>{len(open_)} of {len(student.asked)} not answered: {', '.join(open_)}.</p>")
    if told := [*student.trouble, *student.submission.flaws]:
        parts.append(f"<ul>{''.join(f'<li><i>{escape(each)}</i></li>' for each in told)}</ul>")
    if not any(parts):
        parts.append(f"<p>{'Nothing wrong' if solved else 'Nothing answered'}.</p>")
    return f"<h3>{escape(student.name)}</h3>{''.join(parts)}"


def page(results):
    """Return the page."""
    legend = " · ".join(f"{SIGNS[result] or 'empty'} {text}" for result, text in MEANS.items())
    common = [
        _row([number, escape(message), f"{len(names)}: {escape(', '.join(names))}"])
        for (number, message), names in results.commonest()
    ]
    common = f"<table>{_row(['exercise', 'what the check says', 'students'], 'th')}{''.join(common)}</table>"
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Results of the class</title>',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<style>{STYLE}</style></head><body><h1>Results of the class</h1>",
            *(f"<aside><p>{escape(note)}</p></aside>" for note in results.notes),
            f"<h2>Who solved what</h2>{_table(results)}<p>{escape(legend)}</p>",
            f"<h2>The commonest wrong answers</h2>{common if results.commonest() else '<p>None.</p>'}",
            "<h2>Student by student</h2>",
            f"<p>{CHANCE}</p>",
            *(_of_student(*each) for each in zip(results.students, repeat(results.exercises), results.same_code())),
            "</body></html>\n",
        ]
    )
