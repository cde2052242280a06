"""Copy the course into a folder and open it: ``python -m bayeslab FOLDER [--student]``."""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from pathlib import Path

from bayeslab._course import copy_course


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


if __name__ == "__main__":
    sys.exit(main())
