"""Write the results of a class as a page that needs nothing from outside."""

from html import escape

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


def _of_student(student, exercises):
    """Return what a student's answers have wrong, and what went wrong in running them."""
    items = []
    for number in exercises:
        result, message = student.outcome(number)
        if message:
            items.append(f"<li><b>{number}</b> {escape(message)}</li>")
        elif result == "not reached":
            items.append(f"<li><b>{number}</b> {escape(MEANS[result])}</li>")
    items += [f"<li><i>{escape(trouble)}</i></li>" for trouble in student.trouble]
    solved = any(student.outcome(number)[0] == "done" for number in exercises)
    said = f"<ul>{''.join(items)}</ul>" if items else f"<p>Nothing {'wrong' if solved else 'answered'}.</p>"
    return f"<h3>{escape(student.name)}</h3>{said}"


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
            *(_of_student(student, results.exercises) for student in results.students),
            "</body></html>\n",
        ]
    )
