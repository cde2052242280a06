"""The page of a deck, in HTML for reveal.js: nothing in it asks for anything that does not lie beside it."""

import html
import re

from links import mend_links
from nbconvert.filters import markdown2html
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from slide_rule import in_short, is_wide
from slide_text import SPANS, count, sentences

PAGE = """<!doctype html>
<html lang="en" class="fitting">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{number} {title}</title>
<link rel="stylesheet" href="shared/reveal.css">
<link rel="stylesheet" href="shared/deck.css">
<link rel="stylesheet" href="shared/code.css">
</head>
<body>
<div class="reveal"><div class="slides">
{slides}
</div></div>
<script src="shared/mathjax_settings.js"></script>
<script src="shared/tex-svg-full.js"></script>
<script src="shared/reveal.js"></script>
<script src="shared/notes.js"></script>
<script src="shared/deck.js"></script>
</body>
</html>
"""
LIST = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Slides of BayesLab</title>
<link rel="stylesheet" href="shared/deck.css">
</head>
<body class="list">
<h1>Slides of BayesLab</h1>
<p>A deck for each notebook, and of each a short version. Space or a clicker turns the slide, S opens the
speaker's window with the notes, F fills the screen, Esc shows all slides, ? lists all keys. What can be dragged on a
slide is live; Esc or a click beside it gives the keys back to the slides.
To print a deck, open it with <code>?view=print</code> behind its address.</p>
<table>
<tr><th>notebook</th><th>whole deck</th><th>short version</th></tr>
{rows}
</table>
</body>
</html>
"""

ASIDE = re.compile(r" *\([^()]*\bshort path\b[^()]*\)")  # a list on a slide doesn't speak of it
LONG = re.compile(r"<!-- long -->(.*?)<!-- /long -->", re.DOTALL)
NOT_SHORT = re.compile(r" *(?:\(Not on the short path\.\)|<!-- long -->)")
# A number stays on the line of its unit and of the sign before it; formulas, code and links are left as they are.
BOUND = re.compile(rf"({SPANS.pattern})|(?<=\w) (?=[=×+±] \d)|(?<=[=×+±]) (?=\d)|(?<=\d) (?=(?:cm|points?)\b|€)")
TOGETHER = {True: 85, False: 45}  # words that stay beside a figure, or below it, where they take its height
PREDICT = re.compile(r"^\*\*Predict:\*\* (.)")  # which the heading of the slide says already


def markdown(text, names):
    """Return Markdown as HTML, with links to the other decks."""
    text = LONG.sub(r'<span class="long">\1</span>', text)
    text = text if "$$" in text else BOUND.sub(lambda found: found[1] or "\N{NO-BREAK SPACE}", text)
    linked = mend_links(text, names).replace("](data.md)", "](#)")
    linked = re.sub(r"\[([^]]*)\]\(#\)", r"\1", re.sub(r"(\]\(\d\d_\w+)\.ipynb\)", r"\1.html)", linked))
    return re.sub(r'<a class="anchor-link".*?</a>', "", markdown2html(linked))


def block(part, names):
    """Return a part of a slide as HTML."""
    alt = html.escape(part.alt)
    if part.kind == "code":
        return f'<pre class="code">{highlight(part.text, PythonLexer(), HtmlFormatter(nowrap=True))}</pre>'
    if part.kind == "output":
        return f'<pre class="output">{html.escape(part.text)}</pre>'
    if part.kind == "html":
        return f'<div class="html">{part.text}</div>'
    if part.kind == "figure":
        return f'<img src="pictures/{part.text}" alt="{alt}" width="{part.shape[0]}">'
    if part.kind == "explorer":
        return f'<div class="frame"><iframe data-src="explorers/{part.text}" title="{alt}"></iframe></div>'
    if part.kind == "details":
        words = re.sub(r"^<details>\s*<summary>.*?</summary>|</details>$", "", part.text.strip(), flags=re.DOTALL)
        return f'<div class="details">{markdown(words.strip(), names)}</div>'
    text = PREDICT.sub(lambda first: first[1].upper(), part.text)
    if part.kind == "list":
        text = LONG.sub(r'<span class="long">\1</span>', text)
        text = ASIDE.sub("", NOT_SHORT.sub('<span class="long"></span>', text))
    return f'<div class="{part.kind}">{markdown(text, names)}</div>'


def section(slide, number, names, other=""):
    """Return a slide as HTML."""
    beside = any(part.kind == "figure" and not is_wide(part) for part in slide.blocks)
    classes = f"slide {slide.kind}{' beside' if beside else ''}"
    tag, title = heading_of(slide)
    answers = title == "The answer" and slide.unasked
    is_full = slide.blocks and slide.blocks[0].kind in ("figure", "explorer")  # it needs the room of a heading
    above = [number, slide.section if is_full or title != slide.section else "", title if is_full else ""]
    head = f"<header>{inline(' · '.join(filter(None, above)), names)}</header>"
    if answers:
        head = head.replace(" · The answer", '<span class="long"> · The answer</span>')
    title = f"<{tag}{' class=long' * answers}>{inline(title, names)}</{tag}>" if title and not is_full else ""
    lead = "\n".join(block(part, names) for part in slide.blocks if part.kind == "lead")
    title = f"{lead}\n{title}" if lead else title
    body = [(part, block(part, names)) for part in slide.blocks if part.kind != "lead"]
    if slide.kind == "predict":
        body = [(part, asked(part, names) if part.kind == "prose" else shown) for part, shown in body]
    hidden = [part for part in slide.blocks if part not in in_short(slide)]
    body = "\n".join(shown.replace('class="', 'class="long ', 1) if part in hidden else shown for part, shown in body)
    if slide.picture:
        body += f'\n<img class="small" src="pictures/{slide.picture.text}" alt="{html.escape(slide.picture.alt)}" '
        body += f'width="{slide.picture.shape[0]}">'
    if is_full:
        body = f'<div class="full">{body}\n<div class="steps">{strip(slide, names, beside)}</div></div>'
    notes = "\n".join(markdown(text, names) for text in slide.notes)
    marks = " data-short" * slide.short + " data-joins" * slide.joins
    return (
        f'<section{marks}><div class="{classes}">\n{head}\n'
        f'<div class="body">{title}\n{body}{other}\n</div></div><aside class="notes">{notes}</aside></section>'
    )


def strip(slide, names, beside):
    """Return what is said of a figure or an explorer as HTML, a click for each step after the first.

    A step stays when the next comes, as long as there is room: of a long answer the caption goes first. An explorer
    needs the room, so that its questions replace each other.
    """
    room = TOGETHER[beside] if slide.blocks[0].kind == "figure" else 0
    all_stay = sum(count(step.text) for step in slide.steps) <= room
    groups = []
    for step in slide.steps:
        last = groups[-1] if groups else []
        stays = all_stay or (last and last[-1].kind != "caption")
        if last and stays and sum(count(each.text) for each in [*last, step]) <= room:
            last.append(step)
        else:
            groups.append([step])
    shown = [[f"<div class=fragment>{block(step, names)}</div>" for step in group] for group in groups]
    return "".join(f"<div>{''.join(group)}</div>" for group in shown).replace(" class=fragment", "", 1)


def asked(part, names):
    """Return what a vote asks as HTML: a click for each question after the first."""
    questions = [""]
    for sentence in sentences(PREDICT.sub(lambda first: first[1].upper(), part.text)):
        if questions[-1].endswith("?") and sentence.removesuffix("<!-- /long -->").endswith("?"):
            questions.append(sentence)
        else:
            questions[-1] = f"{questions[-1]} {sentence}".strip()
    classes = ["prose"] + ["prose fragment"] * len(questions)
    shown = zip(classes, questions, strict=False)
    return "\n".join(f'<div class="{name}">{markdown(each, names)}</div>' for name, each in shown)


def heading_of(slide):
    """Return the tag and the text of the heading within a slide."""
    own = {"title": ("h1", slide.title), "outcomes": ("h2", slide.title), "heading": ("h2", slide.section)}
    own |= {"exercises": ("h2", slide.section), "answer": ("h3", "The answer"), "predict": ("h3", "Predict")}
    begins_with_code = slide.blocks and slide.blocks[0].kind in ("code", "output", "html", "table")
    return own.get(slide.kind, ("h3", slide.title or (slide.section if begins_with_code else "")))


def inline(text, names):
    """Return a line of Markdown without the paragraph around it."""
    return re.sub(r"^<p>(.*)</p>$", r"\1", markdown(text, names).strip(), flags=re.DOTALL)


def page(number, slides, names):
    """Return the page of a deck."""
    title, short = slides[0].title, in_all(slides)
    links = (
        f'<p class="switch"><a class="to-short" href="?short">The short version: {short} slides</a>'
        f'<a class="to-all" href="?">The whole deck: {len(slides)} slides</a> · <a href="index.html">All decks</a></p>'
    )
    shown = [section(slide, number, names, links if slide.kind == "title" else "") for slide in slides]
    return PAGE.format(number=number, title=html.escape(title), slides="\n".join(shown))


def in_all(slides):
    """Return how many slides the short version has."""
    return sum(slide.short and not slide.joins for slide in slides)


def index(decks):
    """Return the list of all decks: (name of the page, number, slides)."""
    rows = [
        f'<tr><td>{number} {html.escape(slides[0].title)}</td><td><a href="{name}">{len(slides)} slides</a></td>'
        f'<td><a href="{name}?short">{in_all(slides)} slides</a></td></tr>'
        for name, number, slides in decks
    ]
    return LIST.format(rows="\n".join(rows))
