"""Make the slides of the course in build/slides: a deck for each notebook, shown without Python and network.

    python tools/classroom/slides.py [05 06] [--no-code]     called by `make slides`, which installs what it needs

Nothing is executed but what an explorer needs to save its page.
"""

import shutil
import sys
import time
from base64 import b64decode
from pathlib import Path

from pygments.formatters import HtmlFormatter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import slide_page
from explorers import save_explorers
from slide_rule import deck_of, picture_name

ROOT = Path(__file__).resolve().parents[2]
FILES = Path(__file__).parent / "slides_files"
OUT = ROOT / "build" / "slides"
MODULES = Path(sys.prefix, "classroom", "node_modules")  # put there by `make slides`
SHARED = (
    "mathjax/es5/tex-svg-full.js",
    "reveal.js/dist/reveal.js",
    "reveal.js/dist/reveal.css",
    "reveal.js/dist/plugin/notes.js",
)


def write_pictures(nb, slides, folder):
    """Write the pictures that the slides show."""
    wanted = {block.text for slide in slides for block in slide.blocks if block.kind == "figure"}
    for cell in nb.cells:
        for place, output in enumerate(cell.get("outputs", [])):
            name = picture_name(cell, place)
            if name in wanted and "image/png" in output.get("data", {}):
                (folder / name).write_bytes(b64decode(output["data"]["image/png"]))


def gather(out):
    """Put what all decks share into an empty folder."""
    shutil.rmtree(out, ignore_errors=True)
    for name in ("shared", "pictures", "explorers"):
        (out / name).mkdir(parents=True)
    for name in SHARED:
        shutil.copy(MODULES / name, out / "shared")
    for path in FILES.iterdir():
        shutil.copy(path, out / "shared")
    (out / "shared" / "code.css").write_text(HtmlFormatter().get_style_defs(".code"), encoding="utf-8")


def write(paths, out, with_code):
    """Write the decks of these notebooks; return name, number and slides of each."""
    gather(out)
    pages, decks = save_explorers(paths, out / "explorers"), []
    for path in paths:
        nb, slides = deck_of(path, pages, with_code)
        write_pictures(nb, slides, out / "pictures")
        text = slide_page.page(path.stem[:2], slides, {each.name for each in paths})
        (out / f"{path.stem}.html").write_text(text, encoding="utf-8")
        decks.append((f"{path.stem}.html", path.stem[:2], slides))
    (out / "index.html").write_text(slide_page.index(decks), encoding="utf-8")
    return decks


def main(arguments):
    """Make the slides, and say where they are, how many, how large, and how long it took."""
    numbers = set(arguments) - {"--no-code"}
    if missing := [name for name in SHARED if not (MODULES / name).is_file()]:
        sys.exit(f"{MODULES / missing[0]} is missing, which the slides need: `make slides` fetches it.")
    start = time.perf_counter()
    paths = [path for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))]
    paths = [path for path in paths if not numbers or path.stem[:2] in numbers]
    if not paths:
        sys.exit(f"No notebook begins with {' or '.join(numbers)}: say for instance ONLY=05.")
    decks = write(paths, OUT, "--no-code" not in arguments)
    for name, _, slides in decks:
        print(f"{name}: {len(slides)} slides, {slide_page.in_all(slides)} in the short version")
    size = sum(path.stat().st_size for path in OUT.rglob("*") if path.is_file())
    print(f"{OUT / 'index.html'}: {size / 1e6:.1f} MB in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
