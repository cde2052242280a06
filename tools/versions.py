"""Run the tests of the package and all notebooks with the oldest and the newest versions that pyproject.toml allows.

Usage: python tools/versions.py [oldest] [newest] [notebook ...]      (default: both ends, the tests and all notebooks)

Each end has an environment of its own in build/versions, made by uv: pip cannot look for the oldest versions. Notebooks
are run for errors only, since their stored outputs belong to the versions in constraints.txt.
"""

import os
import shutil
import subprocess
import sys

from install import ROOT, shed, uv_environ

RESOLUTIONS = {"oldest": "lowest-direct", "newest": "highest"}
# Packages of different ages warn about each other, so warnings are not errors here.
TESTS = ["-m", "pytest", "-n", "2", "--dist", "loadscope", "-o", "filterwarnings=default"]
TESTS += ["tests/core", "tests/exercises", "bayeslab"]


def install(end, uv):
    """Make the environment of one end anew; return its Python."""
    folder = ROOT / "build" / "versions" / end
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    base = getattr(sys, "_base_executable", sys.executable)
    resolution = ["--resolution", RESOLUTIONS[end], "-e", ".[course,distributed,test]"]
    for command in (
        [uv, "venv", "--quiet", "--clear", "--python", base, str(folder)],
        [uv, "pip", "install", "--quiet", "--python", str(python), *resolution],
    ):
        subprocess.run(command, check=True, cwd=ROOT, env=uv_environ(sys.executable))
    return python


def main(arguments):
    """Install and run; return the number of ends where something failed."""
    ends = [end for end in RESOLUTIONS if end in arguments] or list(RESOLUTIONS)
    notebooks = [name for name in arguments if name not in RESOLUTIONS]
    uv, failures = shutil.which("uv"), 0
    shed(os.environ)
    if uv is None:
        sys.exit("Only uv can look for the oldest versions, and it was not found: pip install uv")
    for end in ends:
        print(f"== {end} versions, Python {sys.version.split()[0]} ==", flush=True)
        python = install(end, uv)
        commands = [["tools/refresh_notebooks.py", "--check", *notebooks], *([] if notebooks else [TESTS])]
        failures += any([subprocess.call([python, *command], cwd=ROOT) for command in commands])
    return failures


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
