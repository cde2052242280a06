"""Write build/bayeslab-student.zip, the course without solutions and folded answers: `make student`.

Figures, hints and explorers stay. The zip has a short README and a Makefile of its own, for `make lab` and `make test`,
whose tests leave out what students change: they run the package's examples and the first code cell of each notebook.
The checks are in it, for they judge on the student's computer; who reads their code finds out what is right.
The same course gives the same bytes.

Usage: python tools/classroom/student.py [FILE.zip]
"""

import hashlib
import re
import sys
import time
import zipfile
from pathlib import Path

import nbformat

from bayeslab.__main__ import for_students

ROOT = Path(__file__).resolve().parents[2]
STUB = Path(__file__).with_name("student")
TOP = "bayeslab-student/"
DATE = (2026, 1, 1, 0, 0, 0)  # of every file: the time of day must not change the bytes
# By pattern, so that checkpoints and whatever else lies about, with solutions in it, stays at home.
COPIED = [
    *("LICENSE", "constraints.txt", "requirements.txt", "environment.yml", "setup.py", "tools/install.py"),
    "notebooks/images/*.png",
    "notebooks/templates/*.ipynb",
    *("bayeslab/**/*.py", "bayeslab/*.mplstyle", "bayeslab/explore/**/*.js", "bayeslab/explore/**/*.css"),
    *("bayeslab/explore/*.html", "data/*.csv", "data/*.npz", "data/*.md", "data/licences/*.txt"),
]
OWN = {"README.md": "README.md", "conftest.py": "conftest.py", "test_course.py": "tests/test_course.py"}
TARGETS = {"help", "lab", "test", "clean", "environment"}
TESTED_BY = {"nbformat", "pytest", "pytest-xdist", "ruff"}
PYTEST = """
testpaths = ["bayeslab", "tests"]
norecursedirs = [".*"]
addopts = ["--strict-markers", "--doctest-modules"]
doctest_optionflags = ["NORMALIZE_WHITESPACE"]

"""


def once(pattern, new, text):
    """Replace what must occur exactly once: where a file has changed, this program should follow."""
    changed, times = re.subn(pattern, lambda _: new, text, flags=re.MULTILINE | re.DOTALL)
    if times != 1:
        raise ValueError(f"{pattern!r} occurs {times} times, not once")
    return changed


def makefile(text):
    """Keep the targets that a student needs."""
    blocks = []
    for block in text.rstrip("\n").split("\n\n"):
        target = re.search(r"^([a-z-]+):", block, re.MULTILINE)
        if target is None or target[1] in TARGETS:
            blocks.append(block)
    text = once(r"^\.PHONY:[^\n]*", f".PHONY: {' '.join(sorted(TARGETS))}", "\n\n".join(blocks) + "\n")
    text = once(r"^GROUPS = .*?\n\n", "GROUPS = For_readers:lab,test,help,clean\n\n", text)
    return once(r"^test: ##[^\n]*", "test: ## show that everything works on this computer", text)


def project(text):
    """Keep the settings, except for the tests: these are fewer, and leave notebooks alone; so does the linter."""
    tests = re.search(r"^test = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)[1].splitlines(keepends=True)
    kept = [line for line in tests if re.search(r"[a-z-]+", line)[0] in TESTED_BY]
    text = once(r"^test = \[\n.*?^\]", f"test = [\n{''.join(kept)}]", text)
    text = once(r"(?<=^\[tool\.pytest\.ini_options\])\n.*?(?=^\[)", PYTEST, text)
    return once(r"^\[tool\.ruff\]\n", '[tool.ruff]\ninclude = ["bayeslab/**/*.py", "tests/*.py"]\n', text)


def files(root=ROOT):
    """Return the bytes of every file of the zip by its name, sorted."""
    found = {path.relative_to(root).as_posix(): path for pattern in COPIED for path in root.glob(pattern)}
    held = {name: path.read_bytes() for name, path in found.items() if "/." not in name}
    for path in (root / "notebooks").glob("[0-9A][0-9]_*.ipynb"):
        try:
            nb = for_students(nbformat.read(path, as_version=4))
            nbformat.validate(nb)
        except ValueError as error:
            raise ValueError(f"{path.name}: {error}") from None
        held[f"notebooks/{path.name}"] = (nbformat.writes(nb).rstrip("\n") + "\n").encode()
    for name, place in OWN.items():
        held[place] = (STUB / name).read_bytes()
    for name, change in {"Makefile": makefile, "pyproject.toml": project}.items():
        held[name] = change((root / name).read_text(encoding="utf-8")).encode()
    return dict(sorted(held.items()))


def write(target, root=ROOT):
    """Write the zip; return how many files it holds."""
    target.parent.mkdir(parents=True, exist_ok=True)
    held = files(root)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in held.items():
            info = zipfile.ZipInfo(TOP + name, DATE)
            info.create_system, info.external_attr = 3, 0o644 << 16  # as on Unix, wherever it is written
            archive.writestr(info, data, zipfile.ZIP_DEFLATED, 9)
    return len(held)


def main(arguments):
    """Write the zip and say what it is."""
    start = time.perf_counter()
    target = Path(arguments[0]) if arguments else ROOT / "build" / "bayeslab-student.zip"
    number = write(target)
    data, seconds = target.read_bytes(), time.perf_counter() - start
    print(f"{target}: {number} files, {len(data) / 1e6:.1f} MB, {seconds:.1f} s")
    print(f"sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main(sys.argv[1:])
