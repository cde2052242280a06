"""Make the course that runs in a browser, in build/lite: JupyterLite with all notebooks, the data and wheels.

As in the student version, there are no solutions, and no answers to questions about explorers.

    python tools/classroom/lite.py     called by `make lite`, which installs what it needs

A reader's browser loads Python itself, NumPy, SciPy, pandas, scikit-learn and matplotlib over the network, from the
version of Pyodide that jupyterlite-pyodide-kernel names. The wheels that Pyodide lacks, and that of bayeslab, are part
of the site. They are downloaded once; after that, the site is made without a network.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import folds
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_MJS, PYODIDE_PYTHON_VERSION

from bayeslab.__main__ import for_students

ROOT = Path(__file__).resolve().parents[2]
LITE = ROOT / "build" / "lite"
WHEELS = Path(sys.prefix, "classroom", "wheels")
MISSING = ["anywidget", "comm", "ipywidgets", "jupyterlab_widgets", "psygnal"]  # in Pyodide; a test compares
START = "# Loads NumPy, bayeslab and the others into this browser: a minute, once.\n%pip install -q bayeslab"
# The kernel says only in JupyterLab's log that it could not be loaded.
OFFLINE = """<script type="module">
const address = {address};
fetch(address, {{ method: "HEAD" }}).then(({{ ok }}) => {{ if (!ok) throw new Error(address); }}).catch(() => {{
  const note = Object.assign(document.createElement("p"), {{ role: "alert", id: "offline" }});
  note.textContent = `Python could not be loaded from ${{new URL(address).host}}. Without a network you can read the ` +
    "notebooks, but not run them.";
  note.style = "position: fixed; z-index: 99999; bottom: 0; left: 0; right: 0; margin: 0; padding: 12px; " +
    "background: #ffe9a8; color: black; font: 16px sans-serif; text-align: center";
  document.body.append(note);
}});
</script>
</body>"""


def run(command, what, **options):
    """Run a command silently, or exit with all that it says."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\n{done.stderr}\n{what}: see above.")


def fetch_wheels():
    """Download the pinned wheels that Pyodide lacks, unless they are there; return their paths."""
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines())
    wheels = {name: WHEELS / f"{name}-{pins[name]}-py3-none-any.whl" for name in MISSING}
    wanted = [f"{name}=={pins[name]}" for name, wheel in wheels.items() if not wheel.exists()]
    if wanted:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        for_any = ["--only-binary=:all:", "--platform=any", f"--python-version={PYODIDE_PYTHON_VERSION}"]
        run([*pip, *for_any, "--dest", WHEELS, *wanted], f"{', '.join(wanted)} could not be downloaded")
    return list(wheels.values())


def build_wheel(work):
    """Build the wheel of bayeslab from a copy, so that nothing left from an earlier build gets into it."""
    source = work / "source"
    (source / "notebooks").mkdir(parents=True)  # empty: they are beside the wheel, without solutions
    for name in ("bayeslab", "data"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    program = f"from setuptools.build_meta import build_wheel; build_wheel({str(work)!r})"
    run([sys.executable, "-c", program], "The wheel could not be built", cwd=source)
    (wheel,) = work.glob("*.whl")
    return wheel


def as_text(cell):
    """Return a cell of code that no browser can run as Markdown, with what it gave."""
    folds.unfold(cell)
    code, gave, attachments = f"```python\n{cell.source}\n```", [], {}
    for output in cell.outputs:
        if "image/png" in output.get("data", {}):
            attachments["figure.png"] = {"image/png": output.data["image/png"]}
            gave.append(f"![{cell.metadata['alt']}](attachment:figure.png)")
        else:
            gave.append(f"```text\n{output.text}\n```")
    if "answer" in cell.metadata.get("tags", []):  # to a question
        gave = ["<details><summary>Answer</summary>", *gave, "</details>"]
    return nbformat.v4.new_markdown_cell("\n\n".join([code, *gave]), id=cell.id, attachments=attachments)


def for_browser(nb):
    """Begin a notebook by installing the package; keep of cells that need several processes what they gave."""
    nb.cells = [as_text(cell) if "cluster" in cell.metadata.get("tags", []) else cell for cell in nb.cells]
    nb.cells.insert(1, nbformat.v4.new_code_cell(START, id="start"))
    nb.metadata.kernelspec = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
    nbformat.validate(nb)
    return nb


def main():
    """Make the site, and say where it is, how large, how long it took, and how to look at it."""
    start = time.time()
    shutil.rmtree(LITE, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        wheels = [build_wheel(work), *fetch_wheels()]
        contents = work / "contents"
        (contents / "notebooks").mkdir(parents=True)
        for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
            nb = for_students(nbformat.read(path, as_version=4))
            nbformat.write(for_browser(nb), contents / "notebooks" / path.name)
        shutil.copytree(ROOT / "notebooks" / "images", contents / "notebooks" / "images")
        for path in (ROOT / "notebooks" / "templates").glob("*.ipynb"):
            (contents / "notebooks" / "templates").mkdir(exist_ok=True)
            nbformat.write(
                for_browser(nbformat.read(path, as_version=4)), contents / "notebooks" / "templates" / path.name
            )
        shutil.copytree(ROOT / "data", contents / "data")
        command = [sys.executable, "-m", "jupyterlite_core", "build", "--apps", "lab", "--no-sourcemaps"]
        command += ["--contents", contents, "--output-dir", LITE, "--lite-dir", work]
        # Where tools/install.py has put the kernel, out of JupyterLab's way.
        command += [f"--FederatedExtensionAddon.extra_labextensions_path={Path(sys.prefix, 'lite')}"]
        for wheel in wheels:
            command += ["--piplite-wheels", wheel]
        run(command, "JupyterLite could not be built", cwd=work)
    page = LITE / "lab" / "index.html"
    note = OFFLINE.format(address=json.dumps(f"{PYODIDE_CDN_URL}/{PYODIDE_MJS}"))
    page.write_text(page.read_text("utf-8").replace("</body>", note), encoding="utf-8")
    size = sum(path.stat().st_size for path in LITE.rglob("*") if path.is_file())
    print(f"{LITE}: {size / 1e6:.1f} MB in {time.time() - start:.0f} s, with {len(wheels)} wheels")
    print(f"It needs a web server: run python -m http.server --directory {LITE.parent}, then open /lite/lab/ there")


if __name__ == "__main__":
    main()
