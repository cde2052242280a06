"""Copy the course into a folder and open it: ``bayeslab FOLDER [--student]``, or ``python -m bayeslab FOLDER``."""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

START = "notebooks/00_start_here.ipynb"
FOLD = re.compile(r"<details\b[^>]*>\s*<summary>(.*?)</summary>.*?</details>", re.DOTALL)
KEPT, ANSWER = re.compile(r"Hint\b|The table|Answer$|<b>For the curious"), re.compile(r"Answers|Solution")
# What the text of a notebook says of solutions.
SPOKEN = {"There are hints, and the solution waits in a fold below.": "There are hints."}


def main() -> int:
    """Do what the command line asks for; return the status of JupyterLab."""
    description = "Copy the course into a folder, unless it is there already, and open it in JupyterLab."
    parser = argparse.ArgumentParser(prog="bayeslab", description=description)
    parser.add_argument("folder", type=Path, help="a new or an empty folder, or an earlier copy")
    parser.add_argument(
        "--student", action="store_true", help="leave out solutions, and answers to questions about explorers"
    )
    options = parser.parse_args()
    if importlib.util.find_spec("jupyterlab") is None:
        needed = "jupyterlab ipywidgets dask distributed"
        parser.error(f"the course opens in JupyterLab: {as_typed(sys.executable)} -m pip install {needed}")
    folder = options.folder.resolve()
    if (folder / START).is_file():
        if options.student and any(
            '"solution"' in path.read_text("utf-8") for path in folder.glob("notebooks/*.ipynb")
        ):
            parser.error(f"{folder} holds a copy of the course with solutions already: name a new folder")
    else:
        try:
            copy_course(folder, options.student)
        except OSError as error:  # ours has no number
            parser.error(str(error) if error.errno is None else f"{folder} cannot be made: {error.strerror}")
    again = as_typed(sys.executable, "-m", "bayeslab", str(folder))
    print(f"The course is in {folder}. To open it again: {again}", flush=True)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    command.append(f"--LabApp.default_url=/lab/tree/{START}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        command.append("--no-browser")  # JupyterLab prints the address instead
    os.environ.pop("MPLBACKEND", None)  # figures belong in the notebooks
    return subprocess.call(command)


def as_typed(*command: str) -> str:
    """Return a command as a shell wants it, with quotes where they are needed."""
    return subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)


def copy_course(folder: Path, student: bool = False) -> Path:
    """Copy notebooks and data into a folder, which must be new or empty; return the first notebook.

    A copy that fails leaves nothing behind, and can be tried again.

    Parameters
    ----------
    folder : Path
    student : bool
        Leave out solutions and folded answers.

    Raises
    ------
    FileExistsError
        If there is something in the folder already: nothing is overwritten.
    """
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(f"{folder} is a file: name a new folder")
    if folder.exists() and (held := sorted(path.name for path in folder.iterdir())):
        raise FileExistsError(
            f"{folder} is not a copy of the course, since it has no {START}, but not empty either: it holds "
            f"{held[0]!r}. Nothing is overwritten: empty it, or name a new folder"
        )
    here = Path(__file__).parent  # in a wheel; in a clone, the folders lie beside the package
    home = here if (here / "notebooks").is_dir() else here.parent
    paths = sorted((home / "notebooks").glob("*.ipynb"))
    texts = [path.read_text("utf-8") for path in paths]
    if student:
        import nbformat  # which comes with JupyterLab

        texts = [nbformat.writes(for_students(nbformat.reads(text, as_version=4))) for text in texts]
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = not folder.exists()
    around = folder.parent if new else folder  # an empty folder stays: somebody may be in it
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=around) as beside_it:
        made = Path(beside_it, "course")
        for beside in ("images", "templates"):
            ignored = shutil.ignore_patterns(".*")
            shutil.copytree(home / "notebooks" / beside, made / "notebooks" / beside, ignore=ignored)
        shutil.copytree(home / "data", made / "data", ignore=shutil.ignore_patterns("__pycache__"))
        for path, text in zip(paths, texts, strict=True):
            (made / "notebooks" / path.name).write_text(text, encoding="utf-8", newline="\n")
        if new:
            made.rename(folder)
        else:
            for each in ("data", "notebooks"):  # the notebooks last, because one of them tells that all is there
                (made / each).rename(folder / each)
    return folder / START


def without_answers(source: str) -> str:
    """Drop the folded answers of a text; keep hints, optional sections and what a prediction waits for.

    Raises
    ------
    ValueError
        If a fold is none of these.
    """

    def keep(fold: re.Match[str]) -> str:
        if KEPT.match(fold[1]):
            return fold[0]
        if ANSWER.match(fold[1]):
            return ""
        raise ValueError(f"neither a hint nor an answer: <summary>{fold[1]}</summary>; begin it with one of the two")

    if "<details" not in source:
        return source
    kept = FOLD.sub(keep, source)
    if kept.count("<details") != len(FOLD.findall(kept)):
        raise ValueError(f"a fold without a summary, or one in another: {source[:80]!r}")
    return re.sub(r"\n{3,}", "\n\n", kept).strip()


def for_students(nb: Any) -> Any:
    """Return a notebook without solutions and folded answers, counted as if run like this."""
    cells: list[Any] = []
    count = 0
    for cell in nb.cells:
        if "solution" in cell.metadata.get("tags", []):
            continue
        if cell.cell_type == "markdown":
            cell.source = without_answers(cell.source)
            for ours, theirs in SPOKEN.items():
                cell.source = cell.source.replace(ours, theirs)
            if not cell.source:
                continue
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = count
        cells.append(cell)
    nb.cells = cells
    return nb


if __name__ == "__main__":
    sys.exit(main())
