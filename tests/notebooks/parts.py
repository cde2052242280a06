"""What the tests ask of a notebook besides its cells: parts that nbval runs in its kernel, each right after a cell.

A file of `numbers/`, named after its notebook, is Python in parts. Each begins with a line such as
`# %% after 03-58: 03-58a`, the cell after which it runs and a name of its own, and uses the names of the notebook. It
sees a copy of them, so that nothing that it defines or draws reaches the cells below. Parts that begin with
`# %% verdict` aren't run here: see verdicts.py.

The code of a solution, which is Markdown for the reader, runs in its place as if the reader had copied it into a cell:
below, everything comes out the same whether the exercises are solved or not. It prints that the exercise is done, and
then what the notebook says it prints.
"""

import re
from dataclasses import dataclass
from pathlib import Path

NUMBERS = Path(__file__).parent / "numbers"
PART = re.compile(r"^# %%(.*)\n", re.MULTILINE)
HEAD = re.compile(r" after (\S+): (\S+)")
FENCE = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A part must not draw the random numbers of the cells below.
COPY = (
    "{name: __import__('copy').deepcopy(each) if type(each).__name__ == 'Generator' else each"
    " for name, each in globals().items()}"
)
CHECK = re.compile(r"\bcheck\([\"'](\d+\.\d+)[\"']")


@dataclass
class Part:
    """Code that runs after a cell, under a name of its own; `prints` is what it has to print, or None."""

    name: str
    source: str
    prints: str | None = None


def numbers_of(path, ids):
    """Return the parts for a notebook with these cells, a dict from the cell after which they run.

    Raises
    ------
    ValueError
        If a part names no cell of the notebook, or no cell at all.
    """
    beside, parts = NUMBERS / f"{path.stem}.py", {}
    if not beside.exists():
        return parts
    text = beside.read_text(encoding="utf-8")
    start, *rest = PART.split(text)
    if start.strip():
        raise ValueError(f"{beside.name} begins with code that belongs to no part: begin it with # %% after CELL: NAME")
    line = 1
    for head, source in zip(rest[::2], rest[1::2], strict=True):
        if " verdict " in head:  # verdicts.py runs it
            line += 1 + source.count("\n")
            continue
        found = HEAD.fullmatch(head)
        if not found or found[1] not in ids:
            raise ValueError(f"{beside.name}, line {line}: '# %%{head}' names no cell of {path.name} that runs")
        same_lines = "\n" * line + source  # as in the file, so that a traceback shows them
        apart = f"exec(compile({same_lines!r}, {str(beside)!r}, 'exec'), {COPY})"
        parts.setdefault(found[1], []).append(Part(f"numbers {found[2]}", apart))
        line += 1 + source.count("\n")
    return parts


def solution_of(cell):
    """Return the code of a solution as a part."""
    fences = dict(FENCE.findall(cell.source))
    solved = CHECK.search(fences["python"])
    prints = (f"{solved[1]} done.\n" if solved else "") + fences.get("text", "")
    return Part(f"solution {cell.id}", fences["python"], prints)


def parts_of(path, cells):
    """Return all parts for a notebook, a dict from the code cell after which they run."""
    run = [cell for cell in cells if cell.cell_type == "code" or "solution" in cell.metadata.get("tags", [])]
    beside, parts = numbers_of(path, [cell.id for cell in run]), {}
    for cell in run:
        if cell.cell_type == "code":
            last = cell.id
        else:
            parts.setdefault(last, []).append(solution_of(cell))
        parts.setdefault(last, []).extend(beside.get(cell.id, []))
    return parts
