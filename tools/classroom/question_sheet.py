"""The questions of a notebook as a page to print, and their key as another."""

import html
import re

EQUATION = re.compile(r'<img class="equation_image"[^>]*data-equation-content="([^"]*)"[^>]*>')
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 11.5pt/1.45 Georgia, serif; margin: 2rem auto; max-width: 46rem; padding: 0 1rem; color: #000; }}
h1 {{ font-size: 1.35em; }} .name {{ display: flex; gap: 1rem; }} .name span {{ border-bottom: 1px solid; flex: 1; }}
section {{ break-inside: avoid; margin: 1.4em 0; }} p {{ margin: .35em 0; }}
h2 {{ font-size: 1em; margin: 0; }} h2 small {{ font-weight: normal; float: right; }}
ol {{ list-style: upper-alpha; margin: .4em 0; }} li.right > :first-child {{ font-weight: bold; }}
table {{ border-collapse: collapse; margin: .5em 0; }} th, td {{ border: 1px solid #999; padding: .1rem .6rem; }}
.room div {{ border-bottom: 1px solid #bbb; height: 2em; }} .why {{ color: #333; }}
</style>
<script src="../mathjax.js" async></script></head>
<body><h1>{title}</h1>
{body}
</body></html>
"""
HEAD = """<p class="name">Name <span></span> Date <span></span></p>
<p>{minutes} minutes, {points} marks. A calculator is allowed.{choices}</p>
"""


def plain(canvas):
    r"""Return HTML that text2qti has escaped for Canvas as it was, with its pictures of formulas as \(…\)."""
    return EQUATION.sub(r"\\(\1\\)", html.unescape(canvas))


def marks(question):
    """Say what a question is worth."""
    return f"{question.about.points} mark{'s' if question.about.points > 1 else ''}"


def section(question, body, head):
    """Return a question with what stands below it, and at its head on the right; its name is that in the guide."""
    asked = plain(question.question_html_xml)
    return f"<section><h2>{question.about.name} <small>{head}</small></h2>\n{asked}\n{body}</section>"


def asked(question):
    """Return a question as students get it."""
    if question.about.written:
        body = f'<div class="room">{"<div></div>" * 2 * question.about.points}</div>'
    else:
        body = f"<ol>{''.join(f'<li>{plain(choice.choice_html_xml)}</li>' for choice in question.choices)}</ol>"
    return section(question, body, f"{marks(question)}, {question.about.minutes} minutes")


def key(question):
    """Return a question with its key, and why each answer is right or wrong."""
    about = question.about
    if about.written:
        body = plain(question.md.md_to_html_xml(question.solution))
    else:
        rows = (
            f'<li class="{"right" if choice.correct else "wrong"}">{plain(choice.choice_html_xml)}'
            f'<div class="why">{plain(choice.feedback_html_xml)}</div></li>'
            for choice in question.choices
        )
        body = f"<ol>{''.join(rows)}</ol>"
    return section(question, body, f"{marks(question)}, {about.level}, objective {about.objective}")


def page(quiz):
    """Return the sheet of a quiz, for students."""
    listed = quiz.questions_and_delims
    head = HEAD.format(
        minutes=sum(each.about.minutes for each in listed),
        points=sum(each.about.points for each in listed),
        choices="" if any(each.about.written for each in listed) else " Each question has one right answer.",
    )
    body = head + "\n".join(map(asked, listed))
    return PAGE.format(title=quiz.title_xml, body=body)


def key_page(quiz):
    """Return the key to the sheet of a quiz, which begins with the letters of the right answers."""
    listed = quiz.questions_and_delims
    letters = ["ABCD"[place] for each in listed for place, choice in enumerate(each.choices) if choice.correct]
    head = f"<p><b>{' '.join(letters)}</b></p>\n" if letters else ""
    body = head + "\n".join(map(key, listed))
    return PAGE.format(title=f"Key to {quiz.title_xml}", body=body)
