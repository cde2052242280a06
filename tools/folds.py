"""Fold the stored outputs of a cell, so that the answer to a prediction waits in every front end.

JupyterLab alone knows `outputs_hidden`; VS Code, Colab and nbclassic show such an output. So what is stored for a cell
tagged `answer` is one output of HTML, `<details>` with the pictures, tables and texts in it. JupyterLab shows it in a
notebook that it doesn't trust, too: it cleans HTML, and keeps `<details>` and pictures given as data. The first run
puts the true outputs in its place. Of a widget, its still picture is what waits.
"""

import html
import re

import nbformat

SUMMARY = "Run this cell, or open"
PICTURE = re.compile(r'<img src="data:image/png;base64,([^"]*)"')
ANSWER = re.compile(r"<details>\s*<summary>Answer</summary>\s*(.*?)\s*</details>", re.DOTALL)


def fold(cell):
    """Fold the outputs of a cell; `unfold` takes them out again."""
    if not cell.outputs or _folded(cell):
        return
    shown = "\n".join(map(_as_html, cell.outputs))
    kept = [_without_picture(output) for output in cell.outputs]
    text = f"<details><summary>{SUMMARY}</summary>\n{shown}\n</details>"
    cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": text}, metadata={"folded": kept})]


def unfold(cell):
    """Give a cell the outputs that were folded; leave any other cell as it is."""
    if not _folded(cell):
        return
    (output,) = cell.outputs
    pictures, cell.outputs = iter(PICTURE.findall(output.data["text/html"])), output.metadata["folded"]
    for each in cell.outputs:
        if each.output_type == "execute_result":
            each.execution_count = cell.execution_count
        if "image/png" in each.get("data", {}):
            each.data["image/png"] = next(pictures)


def read(path):
    """Read a notebook with nothing folded."""
    nb = nbformat.read(path, as_version=4)
    for cell in nb.cells:
        unfold(cell)
    return nb


def open_answer(text):
    """Take the answer to a prediction out of its fold; answers to other questions stay folded."""
    return ANSWER.sub(r"\1", text)


def _folded(cell):
    return cell.cell_type == "code" and any("folded" in output.get("metadata", {}) for output in cell.outputs)


def _as_html(output):
    if output.output_type == "stream":
        return f"<pre>{html.escape(output.text)}</pre>"
    if "image/png" in output.data:
        shown = output.metadata.get("image/png", {})
        alt, width = html.escape(shown.get("alt", "")), f' width="{shown["width"]}"' if "width" in shown else ""
        return f'<img src="data:image/png;base64,{output.data["image/png"]}" alt="{alt}"{width}>'
    return output.data.get("text/html") or f"<pre>{html.escape(output.data['text/plain'])}</pre>"


def _without_picture(output):
    """Return a copy for the metadata: the picture is in the HTML, and the count is that of the cell."""
    kept = {name: value for name, value in output.items() if name != "execution_count"}
    if "image/png" in output.get("data", {}):
        kept["data"] = {**output.data, "image/png": ""}
    return nbformat.from_dict(kept)
