"""The concordance: what the five source texts hold and print wrong, with links to the cells that cover it."""

import re
import sys
from collections import defaultdict
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "notebooks"))
import concordance

PAGE = """# Concordance

The course follows five texts: {sources}. These tables list what they hold, and what they print wrong, with links to the
cells that say, show or prove it. Cells with code run whenever the course is tested.

## What the sources hold

{rows}

## What the sources print wrong

{errata}
"""


def anchored(cells):
    """Put a place to link to before each cell but the title."""
    placed = cells[:1]
    for cell in cells[1:]:
        placed += [nbformat.v4.new_markdown_cell(f"(cell-{cell.id})=", id=f"at-{cell.id}"), cell]
    return placed


def covered(paths):
    """Return, for each item, a dict from heading to the first link under it, to a cell that covers the item."""
    links = defaultdict(dict)
    for path in paths:
        heading = ""
        for cell in nbformat.read(path, as_version=4).cells:
            found = re.match(r"#+ (.+)", cell.source) if cell.cell_type == "markdown" else None
            heading = found[1] if found else heading
            for name in cell.metadata.get("covers", []):
                links[name].setdefault(f"{path.stem[:2]} {heading.replace('|', chr(92) + '|')}", f"#cell-{cell.id}")
    return links


def table(entries, links, head):
    """Return a Markdown table of the entries: name, what it is, where it is."""
    lines = [f"| {head} | what it is | where |", "|---|---|---|"]
    for name, (_, what) in entries.items():
        where = "<br>".join(f"[{heading}]({target})" for heading, target in links[name].items())
        lines.append(f"| {name} | {what} | {where} |")
    return "\n".join(lines)


def write(paths):
    """Return the Markdown of the concordance."""
    links = covered(paths)
    sources = re.search(r"The sources: (.+)\.", concordance.__doc__.replace("\n", " "))[1]
    errata = []
    for source in sources.split("; "):
        short, name = source.split(" ", 1)
        own = {key: entry for key, entry in concordance.ERRATA.items() if key.startswith(f"{short} ")}
        errata.append(f"### {short}: {name}\n\n{table(own, links, 'place')}")
    return PAGE.format(sources=sources, rows=table(concordance.ROWS, links, "row"), errata="\n\n".join(errata))
