"""Install the oldest versions that pyproject.toml allows into an empty environment, and run the unit tests there.

    python tools/oldest.py [options of pytest]

The lower bounds hold for what needs no notebook: the tests of the core and of the exercises.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GROUPS = ("course", "distributed", "test")


def oldest(project: dict) -> list[str]:
    """Return each requirement with its lower bound as the version: ``numpy>=2.0`` as ``numpy==2.0``."""
    extras = project["optional-dependencies"]
    requirements = [*project["dependencies"], *(text for group in GROUPS for text in extras[group])]
    return [re.sub(r"\s*>=\s*", "==", text) for text in requirements]


def main(options: list[str]) -> int:
    """Make the environment, install, test; return the exit code of pytest."""
    pins = oldest(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"])
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = next(path for path in Path(folder).glob("[Bb]*/python*") if path.stem == "python")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        print("\n".join(pins), flush=True)
        subprocess.run([*install, *pins], check=True)
        subprocess.run([*install, "--no-deps", "-e", ROOT], check=True)
        # A new notebook is written and run with today's tools.
        tests = options or ["tests/core", "tests/exercises", "bayeslab"]
        # Old packages beside new ones warn of each other, which no line of ours can help.
        quiet = ["-o", "filterwarnings=default", "-n", "2", "--dist", "loadscope"]
        return subprocess.call([python, "-m", "pytest", "-q", *quiet, *tests], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
