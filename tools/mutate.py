"""Mutants: change one thing in a file of the package, run its quick tests, and print what they do not notice.

`python tools/mutate.py --n 100 --seed 0 [file ...]`. Mutants live in copies of the package; the files stay as they are.
A dot is a mutant that a test notices, a star one that survives, and a t one whose tests took more than three minutes.
mutmut 3.8 changes no decorated method, and so no `fit`, and one of our tests fails in its copy of the package;
cosmic-ray would start an interpreter for each mutant. Here a fork that has imported everything runs only the tests of
the changed file, which makes 200 mutants a matter of minutes.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from queue import Queue

import hypothesis.extra.numpy  # noqa: F401 - with what follows, for the tests
import matplotlib.pyplot  # noqa: F401
import mpmath  # noqa: F401
import numpy as np
import pytest
import scipy.stats  # noqa: F401
import sklearn.discriminant_analysis
import sklearn.mixture
import sklearn.model_selection
import sklearn.utils.estimator_checks  # noqa: F401

ROOT = Path(__file__).parents[1]
MIXTURES = "mixture em mixture_prior"
TESTS = {  # for each file of bayeslab/, the quick tests in tests/core that are about it
    "moments": "moments streaming exact documents families naive_bayes",
    "gaussian": "gaussian singular scores edges fisher certificates exact",
    "covariance_kinds": "covariance_kinds singular em exact",
    "class_densities": "scores explain fisher exact",
    "gaussian_classifier": "fisher explain singular streaming scores classifier edges exact",
    "streaming": "streaming classifier exact",
    "classifier": "classifier explain scores edges conventions",
    "density_classifier": "density_classifier edges",
    "families": "families naive_bayes",
    "naive_bayes": "naive_bayes",
    "documents": "documents",
    "student_t": "student_t",
    "em": MIXTURES,
    "mixture": MIXTURES,
    "boundary": "boundary conic",
    "risk": "risk true_error",
    "validation": "validation splits",
    "_base/arrays": "base moments gaussian mixture classifier streaming density_classifier labels naive_bayes",
    "_base/failures": "base streaming arguments",
}
COMPARISONS = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
}
NEGATED = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
SIGNS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}


def changes(node: ast.AST):
    """Yield what may stand in the place of a node."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for table in (COMPARISONS, NEGATED):
            if type(node.ops[0]) in table:
                yield ast.Compare(node.left, [table[type(node.ops[0])]()], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        yield ast.BinOp(node.left, SIGNS[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        yield from node.values if len(node.values) == 2 else ()
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
        yield ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)
        if isinstance(node.value, float) and node.value:
            yield ast.Constant(node.value * 1e3)
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif (
        (isinstance(node, ast.If) and not node.orelse)
        or isinstance(node, ast.AugAssign | ast.Raise)
        or (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript | ast.Attribute))
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    ):
        yield ast.Pass()


def mutants(source: str) -> list[tuple[int, str, str, str]]:
    """Line, what stood there, what stands there now, and the whole text, of each mutant."""
    found, tree = [], ast.parse(source)

    def visit(parent):
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns") or isinstance(parent, ast.JoinedStr | ast.Raise):
                continue  # what a message says is not arithmetic
            for i, node in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(node, ast.AST):
                    for changed in list(changes(node)):
                        put(parent, field, i, changed)
                        found.append((node.lineno, ast.unparse(node), ast.unparse(changed), ast.unparse(tree)))
                        put(parent, field, i, node)
                    visit(node)

    visit(tree)
    return found


def put(parent, field: str, i: int, node) -> None:
    """Put a node where another one was."""
    value = getattr(parent, field)
    if isinstance(value, list):
        value[i] = node
    else:
        setattr(parent, field, node)


def verdict(course: Path, name: str, text: str) -> str:
    """Run the tests of a file in a copy of the course, with this text in its place: "*" if they pass, "." or "t"."""
    path = course / "bayeslab" / f"{name}.py"
    original = path.read_text()
    path.write_text(text)
    tests = [f"tests/core/test_{test}.py" for test in TESTS[name].split()]
    # A fork has imported all that takes long already, but not the package.
    process = get_context("fork").Process(target=run_tests, args=(course, tests))
    process.start()
    process.join(180)
    late = process.is_alive()  # an endless loop, or a machine with too much to do
    if late:
        process.kill()
        process.join()
    path.write_text(original)
    if late:
        return "t"
    return "*" if process.exitcode == 0 else "."


def run_tests(course: Path, tests: list[str]) -> None:
    """Run tests in a copy of the course, and exit with their result."""
    os.chdir(course)
    sys.path.insert(0, str(course))
    sys.dont_write_bytecode = True
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    few = [
        "--hypothesis-profile=mutants",
        "-o",
        "addopts=",
        *(f"-pno:{each}" for each in ("nbval", "xdist", "cacheprovider")),
    ]
    few += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    os._exit(pytest.main(["-x", "-q", *few, "-k", "not scikit_learns_conventions", *tests]))


def copy_of_course(folder: str) -> Path:
    """Copy the package, and link to everything else."""
    course = Path(tempfile.mkdtemp(dir=folder))
    shutil.copytree(ROOT / "bayeslab", course / "bayeslab", ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.iterdir():
        if path.name not in ("bayeslab", ".git"):
            (course / path.name).symlink_to(path)
    return course


def main() -> None:
    """Print the survivors of a random sample of mutants."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", default=list(TESTS), help=f"of {', '.join(TESTS)}")
    parser.add_argument("--n", type=int, default=100, help="number of mutants")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    every = [(name, *m) for name in asked.files for m in mutants((ROOT / "bayeslab" / f"{name}.py").read_text())]
    chosen = np.random.default_rng(asked.seed).permutation(len(every))[: asked.n]
    with tempfile.TemporaryDirectory() as folder:
        free = Queue()
        for _ in range(asked.jobs):
            course = copy_of_course(folder)
            free.put(course)
        name = every[chosen[0]][0]
        if verdict(course, name, (course / "bayeslab" / f"{name}.py").read_text()) != "*":
            raise SystemExit(f"the tests of {name} fail without a change")

        def judge(i):
            name, line, before, after, text = every[i]
            course = free.get()
            found = verdict(course, name, text)
            free.put(course)
            print(found, end="", file=sys.stderr, flush=True)
            if found != ".":
                end = "  (stopped after three minutes)" if found == "t" else ""
                print(f"bayeslab/{name}.py:{line}: {before[:200]}  →  {after[:200]}{end}", flush=True)
            return found

        with ThreadPoolExecutor(asked.jobs) as pool:
            found = list(pool.map(judge, chosen))
    late = f", {found.count('t')} were stopped" if "t" in found else ""
    print(f"{found.count('*')} of {len(chosen)} mutants survive{late} (out of {len(every)})")


if __name__ == "__main__":
    main()
