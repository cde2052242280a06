"""Check the types of the package, and as a user's type checker sees them: the examples, and how much has any.

mypy goes over the package, and over tests/typing/examples.py and the examples in README. pyright counts the public
names whose type is known. It comes from npm; where that is missing, the count is left out, and a line says so. The
three run beside each other.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYRIGHT = "pyright@1.1.414"
LEAST = 0.95  # of the public names


def code_of(text):
    """Return the Python code of a page in Markdown: what stands after >>>, or all of a block without."""
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```", text)
    plain = [re.sub(r"(?m)^(?!>>> |\.\.\. ).*\n", "", block) if ">>> " in block else block for block in blocks]
    return "\n".join(re.sub(r"(?m)^(>>>|\.\.\.) ", "", block) for block in plain)


def check_package():
    """Return whether mypy is content with the package, as pyproject.toml asks."""
    return subprocess.call([sys.executable, "-m", "mypy"], cwd=ROOT) == 0


def check_examples(folder):
    """Return whether mypy --strict is content with the examples, as in a project of somebody else's."""
    page = Path(folder, "readme.py")
    page.write_text(code_of((ROOT / "README.md").read_text("utf-8")), "utf-8")
    # The package itself is checked elsewhere, and other libraries without types are not our business.
    options = ["--strict", "--config-file=", "--follow-imports=silent", "--disable-error-code=import-untyped"]
    paths = ["tests/typing/examples.py", str(page)]
    cache = str(ROOT / ".mypy_cache" / "examples")
    return subprocess.call([sys.executable, "-m", "mypy", *options, "--cache-dir", cache, *paths], cwd=ROOT) == 0


def count_types(folder):
    """Return whether enough public names have a known type, and print those that have none where there are too few."""
    if not shutil.which("npx"):
        print("Not counted how much of the package has types: that takes Node.js and npm.")
        return True
    # From a folder without a project: in its own, pyright does not take the package for one that is installed.
    found = [shutil.which("npx"), "--yes", PYRIGHT, "--pythonpath", sys.executable]
    command = [*found, "--verifytypes", "bayeslab", "--ignoreexternal", "--outputjson"]
    # pyright asks the first Python on the path where libraries are, whatever `--pythonpath` says.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path}
    answer = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")
    if not answer.stdout.startswith("{"):
        print(f"Not counted how much of the package has types, as npm cannot get {PYRIGHT}:\n{answer.stderr.strip()}")
        return True
    report = json.loads(answer.stdout)["typeCompleteness"]
    score = report["completenessScore"]
    print(f"{score:.1%} of the public names have a known type; at least {LEAST:.0%} must.")
    if score < LEAST:
        for name in report["symbols"]:
            if name["isExported"] and not name["isTypeKnown"]:
                why = "\n".join(each["message"] for each in name["diagnostics"])
                print(f"{name['name']}\n{textwrap.indent(why, '    ')}")
    return score >= LEAST


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:
        parts = [pool.submit(check_package), pool.submit(check_examples, folder), pool.submit(count_types, folder)]
        sys.exit(not all([part.result() for part in parts]))
