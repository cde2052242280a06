"""Run notebooks in clean kernels and store their outputs: the same bytes every time, on every processor.

Usage: python tools/refresh_notebooks.py [--check] [notebook ...]      (default: all of notebooks/)

With --check nothing is stored: the notebooks are run for errors only, as tools/versions.py does.

Figures are stored with twice the pixels, and say how wide they are: slides enlarge them.

A code cell's metadata key "alt" is the alternative text of its figures; it is copied to their outputs, where
`nbconvert --to html --template classic` shows it. Neither JupyterLab nor the default template does.

A figure is stored again only if it differs visibly, since another processor rounds differently. A figure of measured
seconds or memory differs in every run: with "measured" in its metadata the cell is run, but keeps its stored output.
Clear the output to have such a figure drawn again.

The outputs of a cell tagged "answer" are folded: see folds.py.
"""

import configparser
import os
import re
import sys
import time
import tomllib
from base64 import b64decode, b64encode
from concurrent.futures import ProcessPoolExecutor, as_completed
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path

import nbformat
import numpy as np
from folds import fold, read
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    # No version: it would change with every reader's Python.
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}
# Random model ids of widgets. Not \b, which finds no start in "IPY_MODEL_0123…".
MODEL_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
# What a notebook does on Colab, below the line that asks whether it is there.
ON_COLAB = r'(?<=^if "google\.colab" in sys\.modules:  # Colab has all the rest\n)'
COLAB = re.compile(rf"{ON_COLAB}(?:    [agp]\S+[ (].*\n)+", re.MULTILINE)


def sanitizers():
    """Return the (pattern, replacement) pairs which nbval uses too."""
    config = configparser.RawConfigParser()
    config.read(ROOT / "tests" / "notebooks" / "sanitize.cfg", encoding="utf-8")
    return [(re.compile(config[s]["regex"]), config[s]["replace"]) for s in config.sections()]


def execute(nb, folder, timeout=180):
    """Run all cells of `nb` in place; raise RuntimeError naming the first cell that fails."""
    # The widget state is recorded, although it is dropped later: without it, nbclient crashes on Output widgets,
    # and errors inside an `interact` function go unnoticed.
    client = NotebookClient(
        nb,
        timeout=timeout,  # a cell takes seconds, on a busy machine many; rarely, nbclient overlooks a reply
        record_timing=False,
        store_widget_state=True,
        coalesce_streams=True,  # in how many pieces prints arrive is a matter of timing
        startup_timeout=timeout,
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--log-level=ERROR", "--InlineBackend.figure_formats={'retina'}"],
    )
    try:
        client.execute()
    except CellTimeoutError as error:
        raise RuntimeError(str(error)) from None
    except CellExecutionError as error:
        # Tagged cells may fail, so it is the last failure that stopped us.
        failed = [any(o.output_type == "error" for o in cell.get("outputs", [])) for cell in nb.cells]
        number = max(i for i, bad in enumerate(failed, 1) if bad)
        raise RuntimeError(f"cell {number} (id {nb.cells[number - 1].get('id')}):\n{error}") from None
    for state in client.widget_state.values():
        for output in state.get("outputs", []):
            if output["output_type"] == "error":
                trace = "\n".join(output["traceback"])
                raise RuntimeError(f"a widget's function raised {output['ename']}: {output['evalue']}\n{trace}")


def with_palette(png):
    """The same figure with a palette of 256 colours: a third of the bytes, and no visible difference."""
    figure, small = Image.open(BytesIO(b64decode(png))).convert("RGB"), BytesIO()
    figure.quantize(256, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return b64encode(small.getvalue()).decode()


def looks_the_same(png, other):
    """Whether nobody would see the difference: hardly a pixel of strong contrast, and no area of another shade."""
    if png == other:
        return True
    figures = [np.asarray(Image.open(BytesIO(b64decode(each))).convert("RGB"), dtype=int) for each in (png, other)]
    if figures[0].shape != figures[1].shape:
        return False
    difference = np.abs(figures[0] - figures[1]).max(axis=2)
    return np.count_nonzero(difference > 100) <= 3 and np.mean(difference > 20) < 0.001


def keep_figures(before, outputs):
    """Put back the stored figures that look like the new ones."""
    pairs = [(a.get("data", {}), b.get("data", {})) for a, b in zip(before, outputs, strict=False)]
    for old, new in pairs:
        if "image/png" in old and "image/png" in new and looks_the_same(old["image/png"], new["image/png"]):
            new["image/png"] = old["image/png"]


def install_on_colab(source):
    """Let a notebook install this version from where pyproject.toml says that we live; no index is asked for a name."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    repository, version = settings["tool"]["bayeslab"]["repository"], settings["project"]["version"]
    lines = '    print("First install bayeslab: README.md says how, under Without installing")\n'
    if repository:
        lines = f'    address = "git+https://github.com/{repository}@v{version}"\n'
        lines += '    get_ipython().run_line_magic("pip", f"install -q {address}")\n'
    return COLAB.sub(lambda _: lines, source)


def tidy_output(output, alt, patterns):
    """Make one output reproducible, its figure small, and give the figure an alternative text."""
    if "image/png" in output.get("data", {}):
        output.data["image/png"] = with_palette(output.data["image/png"])
        output.metadata.get("image/png", {}).pop("height", None)  # the page of a phone is narrower than the width
    if alt and "image/png" in output.get("data", {}):
        output.metadata.setdefault("image/png", {})["alt"] = alt

    def clean(text):
        for pattern, replacement in patterns:
            text = pattern.sub(lambda _, new=replacement: new, text)
        return text

    if output.output_type == "stream":
        output.text = clean(output.text)
    elif output.output_type == "error":
        output.traceback = [clean(line) for line in output.traceback]
    else:
        for mime, data in output.data.items():
            if mime.startswith("text/") and isinstance(data, str):
                output.data[mime] = clean(data)


def tidy(nb, stem):
    """Keep of `nb` only what is the same in every run."""
    nb.metadata = nbformat.from_dict(METADATA)
    nb.nbformat, nb.nbformat_minor = 4, 5
    patterns = sanitizers()
    for number, cell in enumerate(nb.cells, 1):
        cell.setdefault("id", f"{stem.split('_')[0]}-{number:02d}")
        cell.metadata.pop("execution", None)
        cell.source = install_on_colab(cell.source)
        hidden = cell.metadata.get("jupyter", {})
        if hidden.get("outputs_hidden"):
            cell.metadata["collapsed"] = True  # JupyterLab stores both, and would ask to save a notebook with one
        if hidden.get("source_hidden"):
            cell.metadata["cellView"] = "form"  # the same for Colab
        for output in cell.get("outputs", []):
            tidy_output(output, cell.metadata.get("alt"), patterns)


def rename_models(text):
    """Give numbers to the widgets' random ids, in order of appearance."""
    names = {}
    return MODEL_ID.sub(lambda m: names.setdefault(m[0], f"{len(names) + 1:032x}"), text)


def refresh(path, store=True):
    """Execute and rewrite one notebook; return (seconds, bytes)."""
    start = time.perf_counter()
    nb = read(path)
    if not store:
        execute(nb, path.parent, timeout=1800)  # on a busy machine, the oldest libraries take their time
        return time.perf_counter() - start, path.stat().st_size
    before = {cell.id: list(cell.get("outputs", [])) for cell in nb.cells if "id" in cell}
    execute(nb, path.parent)
    tidy(nb, path.stem)
    for cell in nb.cells:
        if cell.metadata.get("measured") and before.get(cell.id):
            cell.outputs = before[cell.id]
        keep_figures(before.get(cell.id, []), cell.get("outputs", []))
        if "answer" in cell.metadata.get("tags", []):
            fold(cell)
    # Written and read again, so that a second run starts from what the first one left.
    text = rename_models(nbformat.writes(nb))
    text = nbformat.writes(nbformat.reads(text, as_version=4)).rstrip("\n") + "\n"
    nbformat.validate(nbformat.reads(text, as_version=4))
    if text != path.read_text(encoding="utf-8"):
        path.write_text(text, encoding="utf-8", newline="\n")
    return time.perf_counter() - start, len(text.encode())


def main(names, store=True):
    """Refresh the notebooks two at a time; return the number of failures."""
    # With another backend than the kernel's own, figures would not be stored.
    os.environ.pop("MPLBACKEND", None)
    # Two kernels beside each other, each on all cores, would wait for one another.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # scikit-learn's threads
    paths = [Path(n).resolve() for n in names] or sorted((ROOT / "notebooks").glob("*.ipynb"))
    failures = 0
    # A forked worker may inherit a lock of a thread that it does not have, and wait for it for ever.
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        jobs = {pool.submit(refresh, path, store): path.name for path in paths}
        for job in as_completed(jobs):
            try:
                seconds, size = job.result()
                print(f"{jobs[job]}: {seconds:.1f} s, {size / 1000:.0f} kB", flush=True)
            except Exception as error:
                failures += 1
                print(f"{jobs[job]}: FAILED, left as it was: {error}", file=sys.stderr, flush=True)
    return failures


if __name__ == "__main__":
    names = sys.argv[1:]
    sys.exit(1 if main([name for name in names if name != "--check"], "--check" not in names) else 0)
