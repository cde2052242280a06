"""The front page of the site: an explorer, the short path, the gallery, and then the map and each notebook."""

import ast
import html
import re
import textwrap

import gallery
import nbformat

STEP, HALF = (160, 108), (72, 38)  # from box to box, and half a box, in pixels
ROADS = {"main_road": "The main road", "questions": "One question each"}

PAGE = """---
html_theme.sidebar_secondary.remove: true
---
# BayesLab

```{{raw}} html
<nav class="front" aria-label="On this page">
<a href="#short-path">The short path</a> <a href="#explorers">Explorers</a> <a href="{challenges}">Challenges</a>
<a href="#notebooks">All notebooks</a> <a href="#for-teachers">For teachers</a>
</nav>
<div class="hero">
<div class="words">
<p class="claim">{claim}</p>
<p>A course on <strong>Bayes classifiers</strong> in notebooks. See its one idea in seven
steps: drag what moves.</p>
<p class="ways"><a class="first" href="{start}">Start with notebook 00</a> <a href="{table}">Try your own table</a>
<a href="{challenges}">30 challenges</a></p>
</div>
<iframe class="explorer hero" src="_static/explorers/hero.html" title="{hero}"></iframe>
</div>
```

(short-path)=
## The short path

{short}

```{{raw}} html
{path}
```

(explorers)=
## Things to drag

```{{raw}} html
{gallery}
```

(notebooks)=
## The map of the course

{intro}

```{{raw}} html
{map}
```

An arrow leads from a notebook to those that build on it. Blue is the main road, to be taken in order; each of the
others asks one question more. These pages show the notebooks as they are stored: read here, and drag what can be
dragged. To run, change and break the code, and to solve the exercises, open the course in JupyterLab with `make lab`.

{parts}

## For teachers

For each notebook there is a page of a guide with what to ask, what to show and what students get wrong, and a bank of
questions with keys. They hold answers, so they aren't part of this site: `make guide` makes them in the folder of the
course. The [concordance](concordance.md) lists where the course covers its five sources{errata}.
"""

HERO = "A tour in seven steps: two kinds of flowers, whose hills can be dragged, and the line between them"

BESIDE = """```{{toctree}}
:hidden:
:caption: Beside the notebooks

{appendix}Reference <reference>
Concordance <concordance>
The data <data>
```"""


def first_cell(path):
    """Return title, minutes, outcomes and needed notebooks, as a notebook states them in its first cell."""
    text = nbformat.read(path, as_version=4).cells[0].source
    return {
        "page": path.with_suffix(".html").name,
        "title": re.match(r"# (.+)", text)[1],
        "minutes": int((re.findall(r"(\d+) minutes", text) or ["0"])[-1]),
        "needs": [int(number) for number in re.findall(r"\((\d\d)_\w+\.ipynb\)", text)],
        "outcomes": re.findall(r"^- (.+?)[;,.]?$", text, re.MULTILINE),
    }


def inline(text):
    """Return Markdown of a line as HTML: bold, italics and code."""
    text = html.escape(text, quote=False)
    for mark, tag in ((r"\*\*", "strong"), (r"\*", "em"), ("`", "code")):
        text = re.sub(f"{mark}(.+?){mark}", rf"<{tag}>\1</{tag}>", text)
    return text


def read_map(path):
    """Return the lists that notebook 00 draws its map from, by name, and the alternative text of the map."""
    lists, alt = {}, ""
    for cell in nbformat.read(path, as_version=4).cells:
        for name in ROADS:
            if cell.source.startswith(f"{name} = "):
                lists[name] = ast.literal_eval(cell.source.removeprefix(f"{name} = "))
        if len(lists) == len(ROADS) and (alt := cell.metadata.get("alt", "")):
            break
    return lists, alt


def draw_map(lists, alt, notebooks):
    """Return the map as SVG, each box a link to its notebook."""
    boxes = [(road, *entry) for road, entries in lists.items() for entry in entries]
    top = max(y for _, _, _, _, y, _ in boxes)
    place = {number: (x * STEP[0] + 76, (top - y) * STEP[1] + 46) for _, number, _, x, y, _ in boxes}
    width, height = (max(at[axis] for at in place.values()) + (76, 46)[axis] for axis in (0, 1))
    arrows = [_arrow(place[start], place[number], road) for road, number, *_, needs in boxes for start in needs]
    drawn = [_box(place[number], number, road, notebooks[number]) for road, number, *_ in boxes]
    heads = [
        f'<marker id="head-{road}" class="{road}" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="11" '
        f'markerHeight="11" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L10 5L0 10z"/></marker>'
        for road in ROADS
    ]
    return "\n".join(
        [
            '<div class="course-map" tabindex="0" role="group" aria-label="Map of the course">',
            f'<svg viewBox="0 0 {width} {height}" aria-label="{html.escape(alt)}">',
            f"<defs>{''.join(heads)}</defs>",
            *arrows,
            *drawn,
            "</svg>",
            "</div>",
        ]
    )


def _arrow(start, end, road):
    """Line from the middle of a box to the edge of another."""
    across = [end[axis] - start[axis] for axis in (0, 1)]
    share = 1 - min(HALF[axis] / abs(across[axis]) for axis in (0, 1) if across[axis])
    x, y = (start[axis] + share * across[axis] for axis in (0, 1))
    return f'<path class="arrow {road}" d="M{start[0]} {start[1]}L{x:.0f} {y:.0f}" marker-end="url(#head-{road})"/>'


def _box(at, number, road, notebook):
    """Box with number and name, which links to the notebook."""
    x, y = at
    named = f"{number:02} {notebook['name']}"  # with what stands there begins what is said to whoever can't see it
    lines = textwrap.wrap(named, 18)
    rows = [
        f'<tspan x="{x}" y="{y + 19 * (place - (len(lines) - 1) / 2) + 5:.0f}">{html.escape(line)}</tspan>'
        for place, line in enumerate(lines)
    ]
    shape = f'<rect x="{x - HALF[0]}" y="{y - HALF[1]}" width="{2 * HALF[0]}" height="{2 * HALF[1]}" rx="8"/>'
    asks = "" if notebook["title"].strip("?") in named else f": {notebook['title']}"
    name = html.escape(named + asks)
    inner = f"{shape}<text>{' '.join(rows)}</text>"
    return f'<a class="box {road}" href="{notebook["page"]}" aria-label="{name}"><title>{name}</title>{inner}</a>'


def card(number, notebook):
    """Card of a notebook: its question, minutes, what it builds on, and what a reader will be able to do."""
    outcomes = "".join(f"<li>{inline(text)}</li>" for text in notebook["outcomes"])
    builds = f" · builds on {', '.join(f'{need:02}' for need in notebook['needs'])}" if notebook["needs"] else ""
    title = f"<span>{number:02}</span> {html.escape(notebook['name'])}"
    asked = "" if notebook["title"].strip("?") in notebook["name"] else f"{inline(notebook['title'])} · "
    return (
        f'<li class="lesson"><h3><a href="{notebook["page"]}">{title}</a></h3>'
        f'<p class="facts">{asked}{notebook["minutes"]} minutes{builds}</p>'
        f"<ul>{outcomes}</ul></li>"
    )


def part(heading, entries, notebooks):
    """Section of the front page for one road: its cards, and its list of pages for Sphinx."""
    numbers = [number for number, *_ in entries]
    cards = "\n".join(card(number, notebooks[number]) for number in numbers)
    pages = "\n".join(f"{number:02} {notebooks[number]['name']} <{notebooks[number]['stem']}>" for number in numbers)
    hours = round(sum(notebooks[number]["minutes"] for number in numbers) / 60)
    return (
        f'## {heading}: about {hours} hours\n\n```{{raw}} html\n<ul class="cards">\n{cards}\n</ul>\n```\n\n'
        f"```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{pages}\n```\n"
    )


def read_notebooks(paths, readme):
    """Return what the first cells and the table of README.md say of each notebook, by number, or A1."""
    names = dict(re.findall(r"^\| \[(\w\d) ([^]]+)\]\(", readme.read_text(encoding="utf-8"), re.MULTILINE))
    notebooks = {}
    for path in paths:
        number = int(path.stem[:2]) if path.stem[0] != "A" else path.stem[:2]
        notebooks[number] = first_cell(path) | {"stem": path.stem, "name": names[path.stem[:2]]}
    return notebooks


def short_path(paths, notebooks):
    """Return a list of the notebooks with sections of the short path, which have a star, as HTML."""
    stars = [number for number, path in zip(notebooks, paths, strict=True) if "# ★" in path.read_text("utf-8")]
    items = [
        f'<li><a href="{each["page"]}"><b>{number:02}</b> {html.escape(each["name"])}</a></li>'
        for number, each in notebooks.items()
        if number in stars
    ]
    return "\n".join(['<ol class="path">', *items, "</ol>"])


def write(paths, readme, appendix=()):
    """Return the Markdown of the front page; an appendix is listed behind the notebooks."""
    text = readme.read_text(encoding="utf-8")
    claim, rest, short = re.search(r"^# .+?\n\n\*\*(.+?):\*\* (.+?)\n\n(\*\*Short.+?)\n\n", text, re.DOTALL).groups()
    notebooks = read_notebooks(paths, readme)
    lists, alt = read_map(paths[0])
    parts = [part(heading, lists[road], notebooks) for road, heading in ROADS.items()]
    names = {each["stem"]: each["name"] for each in read_notebooks(appendix, readme).values()}
    listed = "".join(f"{stem[:2]} {name} <{stem}>\n" for stem, name in names.items())
    parts.append(BESIDE.format(appendix=listed))
    errata = "".join(f", and [{stem[:2]}]({stem}.ipynb) what they print wrong" for stem in names)
    return PAGE.format(
        hero=HERO,
        claim=inline(f"{claim}."),
        intro=f"BayesLab is {rest}",
        short=short,
        challenges=f"_static/explorers/{gallery.page_of('ChallengeExplorer')}",
        start=notebooks[0]["page"],
        table=f"_static/explorers/{gallery.page_of('BoundaryExplorer')}",
        path=short_path(paths, notebooks),
        gallery=gallery.cards(notebooks),
        map=draw_map(lists, alt, notebooks),
        parts="\n".join(parts),
        errata=errata,
    )
