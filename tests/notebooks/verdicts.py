"""The ledger of verdicts: sentences that compare, tried with other seeds, other folds or other draws of the data.

A part of `numbers/` that begins with `# %% verdict after 04-29: 04-few` quotes a sentence of its notebook in its
docstring, and says in `holds` whether the sentence is true, and in `value` by how much. Here it runs after the
statements that it needs, with another seed in each of them: what the notebook draws or shuffles is drawn and shuffled
anew. `again` is a generator for draws of the part's own, such as halves of real data. A verdict that needs seconds is a
`slow verdict`, which `make verdicts` runs, but not `make test`.

Seed 0 is the notebook, up to what other statements draw from a generator that is shared with them. What a statement
changes through a second name, as an argument or in a function isn't seen: such a part has to name it.
"""

import argparse
import ast
import contextlib
import io
import os
import re
import sys
import warnings
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import numpy as np
from classroom.answers import names_told
from classroom.explorers import names_of
from parts import NUMBERS, PART

NOTEBOOKS = NUMBERS.parents[2] / "notebooks"
HEAD = re.compile(r" (slow )?verdict after (\S+): (\S+)")


@dataclass
class Verdict:
    """A sentence of a notebook, and the code that asks whether it's true."""

    name: str
    cell: str
    source: str
    slow: bool

    @property
    def sentence(self):
        """The words of the notebook."""
        return " ".join((ast.get_docstring(ast.parse(self.source)) or "").split())


@cache
def verdicts_of(notebook):
    """List the verdicts of a notebook, such as "04"."""
    (beside,) = NUMBERS.glob(f"{notebook}_*.py")
    _, *rest = PART.split(beside.read_text(encoding="utf-8"))
    heads = [HEAD.fullmatch(head) for head in rest[::2]]
    misspelt = [head for head, found in zip(rest[::2], heads, strict=True) if "verdict" in head and not found]
    if misspelt:
        raise ValueError(f"{beside.name}: {misspelt[0]!r} isn't the head of a verdict")
    return [Verdict(h[3], h[2], source, bool(h[1])) for h, source in zip(heads, rest[1::2], strict=True) if h]


@cache
def cells_of(notebook):
    """List the cells of a notebook."""
    (path,) = NOTEBOOKS.glob(f"{notebook}_*.ipynb")
    return nbformat.read(path, as_version=4).cells


@cache
def statements_of(notebook, place):
    """List the statements of a cell: source, names it binds or changes, names it binds, names it needs."""
    found = []
    for statement in ast.parse(cells_of(notebook)[place].source).body:
        source = ast.unparse(statement)
        needed, later, _ = names_told([statement])
        bound = names_of(source)[0]
        found.append((source, bound | changed_by(statement), bound, needed | later))
    return found


def changed_by(statement):
    """Return the names of objects of which a statement sets a part, or of which it calls a method for its effect."""
    nodes = list(ast.walk(statement))
    parts = [node.value.func for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    parts += [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)]
    names = set()
    for part in parts:
        if isinstance(part, ast.Attribute | ast.Subscript):
            while isinstance(part, ast.Attribute | ast.Subscript):
                part = part.value
            names |= {part.id} if isinstance(part, ast.Name) else set()
    return names


def statements_for(notebook, verdict):
    """List the statements that a verdict needs, as (place of the cell, number): what makes its names, and so on.

    Figures are left out, and simulations that other sentences need.
    """
    cells, wanted, kept = cells_of(notebook), names_of(verdict.source)[1], []
    last = [cell.id for cell in cells].index(verdict.cell)
    for place in range(last, -1, -1):
        told = statements_of(notebook, place) if cells[place].cell_type == "code" else []
        for number, (_, touched, bound, needed) in reversed(list(enumerate(told))):
            if touched & wanted:
                kept.append((place, number))
                wanted = wanted - bound | needed
    return kept[::-1]


class Reseed(ast.NodeTransformer):
    """Wrap each seed in a call that moves it."""

    def moved(self, node):
        return ast.copy_location(ast.Call(ast.Name("_moved_seed", ast.Load()), [node], []), node)

    def visit_Call(self, node):
        self.generic_visit(node)
        if ast.unparse(node.func).endswith("default_rng") and node.args:
            node.args[0] = self.moved(node.args[0])
        for keyword in node.keywords:
            if keyword.arg in ("seed", "random_state"):
                keyword.value = self.moved(keyword.value)
        return node

    def visit_Dict(self, node):
        self.generic_visit(node)
        named = [isinstance(key, ast.Constant) and key.value == "random_state" for key in node.keys]
        node.values = [self.moved(value) if yes else value for value, yes in zip(node.values, named, strict=True)]
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        if ast.unparse(node.targets[0]).endswith("['random_state']"):
            node.value = self.moved(node.value)
        return node


def try_seed(notebook, seed, names=None):
    """Try the verdicts of a notebook with one seed; return a dict of (holds, value) by name."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    def moved(value):  # a generator, or None, stays; an explorer takes seeds below a million
        return (value + 100_003 * seed) % 1_000_000 if isinstance(value, int | np.integer) else value

    chosen = [each for each in verdicts_of(notebook) if names is None or each.name in names]
    needed, after = set(), defaultdict(list)
    for each in chosen:
        its = statements_for(notebook, each)
        needed |= set(its)
        after[max(its, default=(0, 0))].append(each)
    found, cells = {}, cells_of(notebook)
    space = {"__name__": "__main__", "_moved_seed": moved, "display": lambda *_: None, "get_ipython": lambda: None}
    silent, before = io.StringIO(), Path.cwd()
    os.chdir(NOTEBOOKS)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
            warnings.simplefilter("ignore")
            for place, number in sorted(needed | set(after)):
                if (place, number) in needed:
                    run(statements_of(notebook, place)[number][0], cells[place].id, space)
                    plt.close("all")
                for each in after[place, number]:
                    own = space | {"again": np.random.default_rng([2027, seed])}
                    run(each.source, each.name, own)
                    found[each.name] = bool(own["holds"]), float(own["value"])
    finally:
        os.chdir(before)
        for value in space.values():  # else it would warn wherever it is collected
            if isinstance(value, TemporaryDirectory):
                value.cleanup()
    return found


def run(source, name, space):
    """Run a cell or a part with other seeds."""
    tree = ast.fix_missing_locations(Reseed().visit(ast.parse(source)))
    try:
        exec(compile(tree, f"<{name}>", "exec"), space)
    except Exception as error:
        error.add_note(f"in {name}")
        raise


def main():
    """Try all verdicts with fresh seeds, and print sentence, share that held, mean and standard error."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("notebooks", nargs="*", help="such as 04; all unless given")
    parser.add_argument("--seeds", type=int, default=20, help="how many seeds (default: 20)")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="how many processes")
    parser.add_argument("--name", action="append", help="only verdicts of this name")
    asked = parser.parse_args()
    notebooks = asked.notebooks or sorted(path.name[:2] for path in NUMBERS.glob("*.py"))
    weak = total = 0
    with ProcessPoolExecutor(asked.workers) as pool:
        seeds = range(1, asked.seeds + 1)
        jobs = {each: [pool.submit(try_seed, each, seed, asked.name) for seed in seeds] for each in notebooks}
        for notebook, its in jobs.items():
            results = [job.result() for job in its]
            for verdict in verdicts_of(notebook):
                if asked.name and verdict.name not in asked.name:
                    continue
                held, values = np.transpose([result[verdict.name] for result in results])
                error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
                weak, total = weak + (held.mean() < 0.9), total + 1
                mark = "  " if held.mean() >= 0.9 else "! "
                print(f"{mark}{verdict.name:12} {held.mean():4.0%}  {values.mean():8.3g} ± {error:<8.2g} ", end="")
                print(verdict.sentence, flush=True)
    print(f"{total} verdicts, {asked.seeds} seeds; {weak} held in fewer than nine of ten")
    return int(weak > 0)


if __name__ == "__main__":
    sys.exit(main())
