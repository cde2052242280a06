"""Make the site of the course in build/site: all notebooks as they are stored, read without Python and network.

    python tools/classroom/site.py        called by `make site`, which installs what it needs

Nothing is executed but what an explorer needs to save its page.
"""

import html
import re
import shutil
import subprocess
import sys
import time
from base64 import b64decode
from pathlib import Path

import concordance_page
import front_page
import nbformat
from explorers import VIEW, save_explorers

from bayeslab.explore import ChallengeExplorer

ROOT = Path(__file__).resolve().parents[2]
FILES = Path(__file__).parent / "site_files"
MATHJAX = Path(sys.prefix, "classroom", "node_modules", "mathjax", "es5", "tex-svg-full.js")  # put there by `make site`
# What Sphinx and its theme leave that no page asks for.
UNUSED = ("_sources", ".buildinfo", "objects.inv", "_static/**/*.map", "_static/locales")

LIVE = """<div class="live"><iframe class="explorer" src="{page}" loading="lazy" title="{alt}"></iframe>
<p class="alone"><a href="{page}">This explorer on a page of its own</a></p></div>
<img class="still" src="{still}" alt="{alt}">"""
SLIDERS = """<p class="kernel">Here are sliders, which need Python: <code>make lab</code> opens the course with them.
{more}</p>"""


def note(text):
    """Output of HTML."""
    return nbformat.v4.new_output("display_data", {"text/html": text})


def fold(cell):
    """Say in myst-nb's words what the notebook folds: solutions, answers to predictions, code that none need read."""
    tags, hidden = cell.metadata.get("tags", []), cell.metadata.get("jupyter", {})
    source, outputs = hidden.get("source_hidden"), hidden.get("outputs_hidden")
    words = {"code_prompt_show": "Show the code", "code_prompt_hide": "Hide the code"}
    if "solution" in tags or (source and outputs):
        tag, words = "hide-cell", {"code_prompt_show": "Solution", "code_prompt_hide": "Solution"}
    elif outputs:
        tag, words = "hide-output", {"code_prompt_show": "The answer", "code_prompt_hide": "The answer"}
    elif source:
        tag = "hide-input"
    else:
        return
    if tag != "hide-output" and not cell.get("outputs"):
        tag = "hide-input"
    cell.metadata["tags"] = [*tags, tag]
    cell.metadata.setdefault("mystnb", {}).update(words)


def where_still(cells, place):
    """Say where the picture is that is drawn by a function of the notebook, as that of the slider in this place is."""
    code = [cell.source if cell.cell_type == "code" else "" for cell in cells]
    own = set(re.findall(r"^def (\w+)\(", "\n".join(code), re.MULTILINE)) & set(re.findall(r"(\w+)\(", code[place]))
    stills = [
        (abs(other - place), other < place)
        for other, cell in enumerate(cells)
        if any("image/png" in output.get("data", {}) for output in cell.get("outputs", []))
        and own & set(re.findall(r"(\w+)\(", code[other]))
    ]
    return f"A picture {'above' if min(stills)[1] else 'below'} shows what they do." if stills else ""


def without_kernel(cell, still, pages, static):
    """Return the outputs of a cell with what lives without Python in place of its widget."""
    outputs, alt = [], html.escape(cell.metadata.get("alt", ""))
    for output in cell.outputs:
        if VIEW not in (data := output.get("data", {})):
            outputs.append(output)
        elif cell.id in pages:
            (static / f"{cell.id}.png").write_bytes(b64decode(data["image/png"]))
            page, still = (f"_static/explorers/{name}" for name in (pages[cell.id], f"{cell.id}.png"))
            outputs.append(note(LIVE.format(page=page, still=still, alt=alt)))
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "full-width"]
        elif "image/png" in data:
            outputs.append(nbformat.v4.new_output("display_data", {"image/png": data["image/png"]}))
            outputs.append(note(SLIDERS.format(more="This is what they show at first.")))
        else:
            outputs.append(note(SLIDERS.format(more=still)))
    return outputs


def math_in_details(text):
    r"""Write $…$ as \(…\) where MyST takes a folded text for HTML; where it holds empty lines, MyST reads it itself."""

    def mend(found):
        if "\n\n" in found[0]:
            return found[0]
        inner = re.sub(
            r"(?<!\\)\$([^$\n]+)\$",
            lambda math: rf'<span class="math notranslate nohighlight">\({html.escape(math[1])}\)</span>',
            found[0],
        )
        return re.sub(r"`([^`\n]+)`", lambda code: f"<code>{html.escape(code[1], quote=False)}</code>", inner)

    return re.sub(r"<details>.*?</details>", mend, text, flags=re.DOTALL)


def mend_links(text, names):
    """Point to pages of the site; a notebook that is not there is named without a link."""
    text = text.replace("](../data/README.md)", "](data.md)")
    return re.sub(r"\[([^]]*)\]\((\d\d_\w+\.ipynb)\)", lambda link: link[0] if link[2] in names else link[1], text)


def prepare(path, source, pages, names):
    """Write the notebook that Sphinx shall read."""
    notebook, static = nbformat.read(path, as_version=4), source / "_static" / "explorers"
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            cell.source = mend_links(math_in_details(cell.source), names)
            continue
        cell.outputs = without_kernel(cell, where_still(notebook.cells, place), pages, static)
        fold(cell)
        if alt := cell.metadata.get("alt"):
            cell.metadata.setdefault("mystnb", {})["image"] = {"alt": alt}
    notebook.cells = concordance_page.anchored(notebook.cells)
    nbformat.write(notebook, source / path.name)


def gather(source):
    """Write all that Sphinx reads into an empty folder."""
    static = source / "_static"
    (static / "mathjax").mkdir(parents=True)
    shutil.copy(MATHJAX, static / "mathjax")
    shutil.copy(FILES / "conf.py", source)
    for name in ("course.css", "course.js", "favicon.svg"):
        shutil.copy(FILES / name, static)
    shutil.copytree(ROOT / "notebooks" / "images", source / "images")
    shutil.copy(ROOT / "data" / "README.md", source / "data.md")
    paths = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
    pages = save_explorers(paths, static / "explorers")
    ChallengeExplorer().save(static / "explorers" / "challenges.html")
    for path in paths:
        prepare(path, source, pages, {path.name for path in paths})
    (source / "concordance.md").write_text(concordance_page.write(paths), encoding="utf-8")
    (source / "index.md").write_text(front_page.write(paths, ROOT / "README.md"), encoding="utf-8")


def main():
    """Make the site, and say where it is, how large, and how long it took."""
    if not MATHJAX.is_file():
        sys.exit(f"{MATHJAX} is missing, which sets the formulas: `make site` fetches it.")
    start, site, work = time.time(), ROOT / "build" / "site", ROOT / "build" / "site_work"
    for folder in (site, work):
        shutil.rmtree(folder, ignore_errors=True)
    gather(work)
    print(f"pages written after {time.time() - start:.0f} s", flush=True)
    sphinx = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "2", "-d", work / "_doctrees"]
    if subprocess.call([*map(str, sphinx), str(work), str(site)]) != 0:
        sys.exit("Sphinx has complained: see above.")
    for pattern in UNUSED:
        for path in site.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.rmtree(work)
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    print(f"{site / 'index.html'}: {size / 1e6:.1f} MB in {time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
