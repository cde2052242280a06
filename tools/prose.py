"""Measure how the notebooks are told: `python tools/prose.py [notebook ...]` (default: all of notebooks/).

Words per line of code, the median sentence and the share of sentences of five words or fewer. Text is what stands in
text cells, but for headings, captions, tables, displayed equations and the folded hints and answers; an inline formula
is one word. Lines of code are those of all code cells but solutions.
"""

import re
import sys
from pathlib import Path
from statistics import median

import nbformat
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
LAST = "## What the sources print"


def plain(text):
    """Return the running text of a cell, a paragraph or list item a line."""
    text = re.sub(r"<details>.*?</details>|\$\$.*?\$\$|```.*?```", " ", text, flags=re.DOTALL)
    text = re.sub(r"\$[^$\n]+\$|`[^`\n]+`", "formula", text)
    text = re.sub(r"</?[a-zA-Z][^>]*>", " ", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    lines = [line.strip() for line in text.splitlines()]
    kept = [line for line in lines if not re.match(r"[#|]|\*(?!\*)[^*]+\*$", line)]
    return re.sub(r"(?m)^>? ?(?:[-*]|\d+\.) ", "\n", "\n".join(kept))


def sentences(text):
    """Return the number of words of each sentence."""
    paragraphs = re.split(r"\n\s*\n", plain(text))
    pieces = [piece for p in paragraphs for piece in re.split(r"(?<=[.!?])[*\"”)]*\s+(?=\S)", " ".join(p.split()))]
    counts = [sum(bool(re.search(r"\w", word)) for word in piece.split()) for piece in pieces]
    return [n for n in counts if n]


def measure(nb):
    """Return the measures of one notebook."""
    lengths = [n for cell in nb.cells if cell.cell_type == "markdown" for n in sentences(cell.source)]
    code = [c for c in nb.cells if c.cell_type == "code" and "solution" not in c.metadata.get("tags", [])]
    lines = [line for cell in code for line in cell.source.splitlines() if line.strip()]
    sources = [cell.source for cell in nb.cells]
    last = next((i for i, source in enumerate(sources) if source.startswith(LAST)), len(sources))
    return {
        "cells": len(nb.cells),
        "words": sum(lengths),
        "lines of code": len(lines),
        "words a line": sum(lengths) / max(len(lines), 1),
        "median sentence": median(lengths),
        "five words or fewer, %": 100 * sum(n <= 5 for n in lengths) / len(lengths),
        "longest line": max(map(len, lines), default=0),
        "errata before the last section": sum("**Errat" in source for source in sources[:last]),
    }


def main(names):
    """Print a column for each notebook."""
    rows = {p.stem[:2]: measure(nbformat.read(p, 4)) for p in map(Path, names)}
    print(pd.DataFrame(rows).round(1).to_string())


if __name__ == "__main__":
    main(sys.argv[1:] or sorted((ROOT / "notebooks").glob("*.ipynb")))
