"""Make the site of the course: all notebooks as they are stored, read without Python and network.

    python tools/classroom/site.py [self-study]     called by `make site`, which installs what it needs

What students may see is made in build/site, as in the student version without solutions and without the answers to
questions about explorers. The edition for self-study has both, folded, and is made in build/self-study.

Nothing is executed but what an explorer needs to save its page.
"""

import html
import shutil
import sys
import time
from base64 import b64decode
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import concordance_page
import folds
import front_page
import gallery
import openers
import reference
from explorers import VIEW, alone, save_explorers, save_framed
from links import mend_links
from slide_text import run_already
from sphinx_pages import MATHJAX, make, math_in_details

from bayeslab.__main__ import for_students

ROOT = Path(__file__).resolve().parents[2]
EDITIONS = {"students": "site", "self-study": "self-study"}  # and their folders in build

LITE = ROOT / "build" / "lite"
RUN_HERE = """```{{raw}} html
<p class="run"><a href="../lite/lab/index.html?path=notebooks/{name}">Run this notebook</a> here in the browser.</p>
```"""
LIVE = """<div class="live"><iframe class="explorer" src="{page}" loading="lazy" title="{alt}"></iframe>
<p class="alone"><a href="{alone}">This explorer on a page of its own</a></p></div>
<img class="still" src="{still}" alt="{alt}">"""
ANSWER = '<details class="hide below-input answer"><summary>The answer</summary>'
SLIDERS = """<p class="kernel">Here are sliders, which need Python: <code>make lab</code> opens the course with them.
{still}</p>"""


def note(text):
    """Output of HTML."""
    return nbformat.v4.new_output("display_data", {"text/html": text})


def fold(cell):
    """Say in myst-nb's words what the notebook folds for itself: code that none need read."""
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        cell.metadata["tags"] = [*cell.metadata.get("tags", []), "hide-input"]
        words = {"code_prompt_show": "Show the code", "code_prompt_hide": "Hide the code"}
        cell.metadata.setdefault("mystnb", {}).update(words)


def with_answers(cells):
    """Put each answer to a prediction in one fold: the outputs of cells tagged so, and the text that tells of them."""
    placed, opened = [], False
    for cell in [*cells, None]:
        if cell and "answer" in cell.metadata.get("tags", []):
            if not (opened or cell.metadata.get("jupyter", {}).get("source_hidden")):  # the code stays to be seen
                placed.append(nbformat.v4.new_code_cell(cell.source, id=cell.id))
                tags = [*cell.metadata.get("tags", []), "remove-input"]
                cell = nbformat.from_dict({**cell, "id": f"{cell.id}-out", "metadata": {**cell.metadata, "tags": tags}})
            if not opened:
                placed.append(nbformat.v4.new_markdown_cell(ANSWER, id=f"{cell.id}-answer"))
            opened = True
            placed.append(cell)
            continue
        told = cell and cell.cell_type == "markdown" and folds.ANSWER.search(cell.source)
        if told and opened:
            before, after = cell.source[: told.start()].strip(), cell.source[told.end() :].strip()
            placed += _texts(cell.id, {"-caption": before, "-told" if after else "": told[1]})  # links lead to the cell
        if opened:
            placed.append(nbformat.v4.new_markdown_cell("</details>", id=f"{placed[-1].id}-end"))
        placed += _texts(cell.id, {"": after}) if told and opened else [cell]
        opened = False
    return placed[:-1]


def _texts(name, texts):
    """Return Markdown cells for the texts that aren't empty."""
    return [nbformat.v4.new_markdown_cell(text, id=f"{name}{end}") for end, text in texts.items() if text]


def where_still(cells, place):
    """Say where the nearest picture is, which stands for the slider in this place."""
    drawn = [{mime for output in cell.get("outputs", []) for mime in output.get("data", {})} for cell in cells]
    others = [each for each, mimes in enumerate(drawn) if "image/png" in mimes and VIEW not in mimes]
    if not others:
        return ""
    other = min(others, key=lambda each: abs(each - place))
    where = "above" if other < place else "below"
    return f'<a href="#cell-{cells[other].id}">A picture {where}</a> shows what they do.'


def without_kernel(cell, still, pages, static):
    """Return the outputs of a cell with what lives without Python in place of its widget."""
    outputs, alt = [], html.escape(cell.metadata.get("alt", ""))
    for output in cell.outputs:
        if VIEW not in (data := output.get("data", {})):
            outputs.append(output)
        elif cell.id in pages:
            (static / f"{cell.id}.png").write_bytes(b64decode(data["image/png"]))
            names = {"page": pages[cell.id], "alone": alone(pages[cell.id]), "still": f"{cell.id}.png"}
            places = {what: f"_static/explorers/{name}" for what, name in names.items()}
            outputs.append(note(LIVE.format(alt=alt, **places)))
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "full-width"]
        else:
            outputs.append(note(SLIDERS.format(still=still)))
    return outputs


def prepare(path, source, pages, names, edition):
    """Write the notebook that Sphinx shall read; `names` are those of the notebooks in all lists, by their files."""
    notebook, static = folds.read(path), source / "_static"
    if edition == "students":
        notebook = for_students(notebook)
    notebook.cells = openers.opened(notebook.cells, names[path.name], pages, static)
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            cell.source = mend_links(math_in_details(run_already(cell.source)), names)
            continue
        cell.outputs = without_kernel(cell, where_still(notebook.cells, place), pages, static / "explorers")
        fold(cell)
        if alt := cell.metadata.get("alt"):
            cell.metadata.setdefault("mystnb", {})["image"] = {"alt": alt}
    if LITE.is_dir():
        notebook.cells.insert(1, nbformat.v4.new_markdown_cell(RUN_HERE.format(name=path.name), id="run"))
    notebook.cells = concordance_page.anchored(with_answers(notebook.cells))
    nbformat.write(notebook, source / path.name)


def gather(source, edition):
    """Write all that Sphinx reads of the site into a folder."""
    static = source / "_static"
    shutil.copytree(ROOT / "notebooks" / "images", source / "images")
    shutil.copy(ROOT / "data" / "README.md", source / "data.md")
    paths = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
    appendix = sorted((ROOT / "notebooks").glob("A[0-9]*.ipynb"))
    listed = front_page.read_notebooks([*paths, *appendix], ROOT / "README.md")
    names = {f"{each['stem']}.ipynb": f"{each['stem'][:2]} {each['name']}" for each in listed.values()}
    pages = save_explorers(paths, static / "explorers", and_alone=True)
    gallery.save_gallery(static / "explorers")
    hero = static / "explorers" / "hero.html"
    save_framed(gallery.hero(), hero, gallery.HERO_STYLE)
    gallery.place_in_course(hero, gallery.WAYS["TourExplorer"])
    for path in (*paths, *appendix):
        prepare(path, source, pages, names, edition)
    (source / "concordance.md").write_text(concordance_page.write([*paths, *appendix]), encoding="utf-8")
    (source / "index.md").write_text(front_page.write(paths, ROOT / "README.md", appendix), encoding="utf-8")
    titles = {path.stem: names[path.name] for path in paths}
    (source / "reference").mkdir()
    for name, text in reference.write(paths, titles).items():
        (source / f"{name}.rst").write_text(text, encoding="utf-8")


def main(arguments):
    """Make the site, and say where it is, how large, and how long it took."""
    (edition,) = arguments or ["students"]
    if edition not in EDITIONS:
        sys.exit(f"There is no edition {edition!r}: `make site` makes that for students, EDITION=self-study the other.")
    if not MATHJAX.is_file():
        sys.exit(f"{MATHJAX} is missing, which sets the formulas: `make site` fetches it.")
    start, out = time.time(), ROOT / "build" / EDITIONS[edition]
    size = make(out, lambda source: gather(source, edition))
    print(f"{out / 'index.html'}: {size:.1f} MB in {time.time() - start:.0f} s, the edition for {edition}")


if __name__ == "__main__":
    main(sys.argv[1:])
