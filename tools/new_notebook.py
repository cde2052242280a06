"""Write the stub of a notebook and of all that belongs to it: `make new-notebook N=08 TITLE='What is it about?'`.

That is notebooks/08_….ipynb with the parts which CONTRIBUTING.md asks for, bayeslab/checks/ch08.py,
tests/exercises/test_08.py, a row in README.md and an entry in the map of notebook 00. Run it with
`make notebooks ONLY='notebooks/08*'`. Then one test fails, until it is written: test_length, because it is too short.
"""

import json
import re
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
STUB = Path(__file__).with_name("stub")
TITLE = "Which question does it answer?"
MINUTES = 60
N_COLUMNS, N_ROWS = 7, 4  # places on the map


def stub(number):
    """Return the notebook, not yet run; cell ids are numbers, as tools/refresh_notebooks.py gives them."""
    nb = nbformat.v4.new_notebook(nbformat_minor=5)
    # [md] or [code] begins a cell, with its metadata.
    text = (STUB / "notebook.md").read_text(encoding="utf-8")
    pieces = re.split(r"^\[(md|code) ?(.*)\]\n", text, flags=re.MULTILINE)[1:]
    for i, (kind, metadata, source) in enumerate(zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True), 1):
        new_cell = nbformat.v4.new_markdown_cell if kind == "md" else nbformat.v4.new_code_cell
        cell = new_cell(source.rstrip("\n"), id=f"{number}-{i:02d}", metadata=json.loads(metadata or "{}"))
        nb.cells.append(cell)
    return nb


def number_of(line):
    """Return the number of a row of the map or of README.md, None where the line is no such row."""
    found = re.match(r" +\((\d+),|\| \[(\d\d) ", line)
    return int(found[1] or found[2]) if found else None


def insert(text, row):
    """Insert a row behind those of smaller numbers."""
    lines = text.splitlines()
    behind = max(i for i, line in enumerate(lines) if (n := number_of(line)) is not None and n < number_of(row))
    return "\n".join([*lines[: behind + 1], row, *lines[behind + 1 :]])


def on_map(rows, others, number, title):
    """Return the rows of the map with one for this notebook, at a place that neither they nor the others take."""
    taken = {tuple(map(int, place)) for place in re.findall(r"\", (\d+), (\d+), \[", rows + others)}
    free = ((x, y) for x in reversed(range(N_COLUMNS)) for y in range(N_ROWS) if (x, y) not in taken)
    x, y = next(free, (N_COLUMNS - 1, N_ROWS - 1))
    words = title.rstrip("?").split()
    short = " ".join(words[: len(words) // 2]) + "\n" + " ".join(words[len(words) // 2 :])
    return insert(rows, f"    ({number}, {json.dumps(short.strip(), ensure_ascii=False)}, {x}, {y}, []),")


def mark_on_map(nb, number, title):
    """Enter a notebook into the map of notebook 00."""
    found = {
        cell.source.split(" = ")[0]: cell for cell in nb.cells if re.match(r"(main_road|questions) = \[", cell.source)
    }
    if len(found) < 2:
        sys.exit("Notebook 00 has no cells that begin with `main_road = [` and `questions = [`: nothing was written.")
    questions = found["questions"]
    questions.source = on_map(questions.source, found["main_road"].source, number, title)


def create(root, number, title=TITLE):
    """Write everything, or nothing where the number is none or taken; return the paths."""
    slug = "_".join(re.findall(r"[a-z0-9]+", title.lower()))
    if not re.fullmatch(r"\d\d", number) or not slug:
        sys.exit("Say which notebook, with two digits: make new-notebook N=08 TITLE='What is it about?'")
    path = root / "notebooks" / f"{number}_{slug}.ipynb"
    checks, tests = root / f"bayeslab/checks/ch{number}.py", root / f"tests/exercises/test_{number}.py"
    taken = [*path.parent.glob(f"{number}_*"), *(file for file in (checks, tests) if file.exists())]
    if taken:
        sys.exit(f"Notebook {number} is there already: {', '.join(str(file.relative_to(root)) for file in taken)}.")
    start, readme = next(path.parent.glob("00_*.ipynb")), root / "README.md"
    names = {"<nn>": number, "<n>": str(int(number)), "<title>": title, "<minutes>": str(MINUTES)}
    nb, plan = stub(number), nbformat.read(start, as_version=4)
    row = f"| [{number} {title}](notebooks/{path.name}) | to be written | {MINUTES} |"
    mark_on_map(plan, int(number), title)
    texts = {
        path: nb,
        checks: fill((STUB / "chNN.py").read_text(encoding="utf-8"), names),
        tests: fill((STUB / "test_NN.py").read_text(encoding="utf-8"), names),
        readme: insert(readme.read_text(encoding="utf-8"), row) + "\n",
        start: plan,
    }
    for cell in nb.cells:
        cell.source = fill(cell.source, names)
    for file, text in texts.items():
        text = nbformat.writes(text) if isinstance(text, nbformat.NotebookNode) else text
        file.write_text(text.rstrip("\n") + "\n", encoding="utf-8", newline="\n")
    return list(texts)


def fill(text, names):
    """Put the values of the names into a text."""
    for name, value in names.items():
        text = text.replace(name, value)
    return text


if __name__ == "__main__":
    for path in create(ROOT, sys.argv[1], *filter(None, sys.argv[2:])):
        print(f"written: {path.relative_to(ROOT)}")
    print(f"Next: make notebooks ONLY='notebooks/{sys.argv[1]}*', then write it. CONTRIBUTING.md says how.")
    print("The map in notebook 00 has changed: once it is written, store 00 too, and mend the text of its figure.")
