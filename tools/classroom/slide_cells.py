"""What a code cell shows on a slide."""

import re
import struct
from base64 import b64decode

from explorers import VIEW
from slide_text import Block

CODE_LINES = 12


def is_wide(figure):
    """Tell whether a figure is so wide that its words stand better below it than beside."""
    return figure.shape[0] > 1.75 * figure.shape[1]


def shape_of(png):
    """Return width and height of a picture, from the head of the file."""
    return struct.unpack(">II", b64decode(png[:64])[16:24])


def outputs_of(cell, pages):
    """Return what a code cell shows, as blocks."""
    found, alt = [], cell.metadata.get("alt", "")
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if VIEW in data and cell.id in pages:
            found.append(Block("explorer", pages[cell.id], alt))
        elif "image/png" in data:
            found.append(Block("figure", f"{cell.id}.png", alt, shape_of(data["image/png"])))
        elif VIEW in data:
            found.append(Block("prose", "*The sliders are in the notebook:* `make lab` *opens it.*"))
        elif "text/html" in data:
            found.append(Block("html", data["text/html"]))
        elif output.output_type == "error":
            found.append(Block("output", f"{output.ename}: {output.evalue}"))
        else:
            found.append(Block("output", (output.get("text") or data.get("text/plain", "")).rstrip()))
    return [block for block in found if block.text]


def shows_code(cell, outputs):
    """Tell whether the code of a cell is projected: short, and not what only draws or imports."""
    tags, hidden = cell.metadata.get("tags", []), cell.metadata.get("jupyter", {})
    if "slide" in tags:
        return True
    lines = [line for line in cell.source.splitlines() if line.strip()]
    drawn = any(block.kind in ("figure", "explorer") for block in outputs) or "widget" in tags
    only_imports = all(re.match(r"(from|import|plt\.style|%)", line) for line in lines)
    return not (drawn or hidden or only_imports) and len(lines) <= CODE_LINES
