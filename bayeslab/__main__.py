"""Copy the course into a folder and open it: ``python -m bayeslab FOLDER [--student]``."""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLD = re.compile(r"<details\b[^>]*>\s*<summary>(.*?)</summary>.*?</details>", re.DOTALL)
KEPT, ANSWER = re.compile(r"Hint\b|The table|Answer$|<b>For the curious"), re.compile(r"Answers|Solution")
# What the text of a notebook says of solutions.
SPOKEN = {"There are hints, and the solution waits in a fold below.": "There are hints."}


def main() -> int:
    """Do what the command line asks for; return the status of JupyterLab."""
    description = "Copy the course into a folder and open it in JupyterLab."
    parser = argparse.ArgumentParser(prog="python -m bayeslab", description=description)
    parser.add_argument("folder", type=Path, help="a new or an empty folder")
    parser.add_argument("--student", action="store_true", help="leave out solutions and folded answers")
    options = parser.parse_args()
    if importlib.util.find_spec("jupyterlab") is None:
        parser.error("the course opens in JupyterLab: python -m pip install 'bayeslab[course]'")
    try:
        start = copy_course(options.folder, options.student)
    except OSError as error:
        parser.error(str(error))
    command = ["-m", "jupyterlab", str(start)]
    print(f"The course is in {options.folder}. To open it again: {' '.join([sys.executable, *command])}", flush=True)
    return subprocess.call([sys.executable, *command])


def copy_course(folder: Path, student: bool = False) -> Path:
    """Copy notebooks and data into a folder, which must be new or empty; return the first notebook.

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
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(f"{folder} is not empty, and nothing is overwritten: name a new folder")
    here = Path(__file__).parent  # in a wheel; in a clone, the folders lie beside the package
    home = here if (here / "notebooks").is_dir() else here.parent
    paths = sorted((home / "notebooks").glob("*.ipynb"))
    texts = [path.read_text("utf-8") for path in paths]
    if student:
        import nbformat  # which comes with JupyterLab

        texts = [nbformat.writes(for_students(nbformat.reads(text, as_version=4))) for text in texts]
    shutil.copytree(home / "notebooks" / "images", folder / "notebooks" / "images")
    shutil.copytree(home / "data", folder / "data", ignore=shutil.ignore_patterns("__pycache__"))
    copies = [folder / "notebooks" / path.name for path in paths]
    for copy, text in zip(copies, texts, strict=True):
        copy.write_text(text, encoding="utf-8", newline="\n")
    return copies[0]


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
