"""Mends to nbval, which runs the notebooks, and what all tests share.

One thread each, the longest files first, figures closed; the end says what was not run.
"""

import os
import sys
from collections import defaultdict

import nbformat
import pytest
from folds import unfold
from nbval.kernel import RunningKernel
from nbval.plugin import IPyNbCell, IPyNbFile
from parts import parts_of

# With another backend than the kernel's own, figures would be missing. Unit tests ask for Agg themselves.
os.environ.pop("MPLBACKEND", None)
# Tests and kernels run beside each other: where each takes all cores for small products, they wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # scikit-learn's threads

NOT_RUN = """
Not part of these tests: `make test-browser` uses explorers, site and slides in real browsers, `make bench` compares
speed and memory, `make mutants` asks whether the tests notice a change, `make verdicts` tries what the text says."""
DRAWN = {"stream", "display_data", "execute_result", "clear_output", "update_display_data"}
get_any_message = RunningKernel.get_message
collect_cells = IPyNbFile.collect


def execute_cell_input(self, cell_input, allow_stdin=None):
    """Run a cell as Jupyter does: only with `store_history` is a trailing `;`, which hides the result, honoured."""
    return self.kc.execute(cell_input, store_history=True, allow_stdin=allow_stdin, stop_on_error=False)


def note_captures(self, message):
    """Follow which Output widgets are capturing: their `msg_id` is that of the cell, and empty when they stop."""
    content = message["content"]
    if message["msg_type"] in ("comm_open", "comm_msg"):
        state = content.get("data", {}).get("state", {})
        if "msg_id" in state:
            self.captures[content["comm_id"]] = state["msg_id"]
    elif message["msg_type"] == "comm_close":
        self.captures.pop(content["comm_id"], None)


def get_message(self, stream, timeout=None):
    """Drop what an Output widget captures, as a browser does: `interact` draws into one, not below the cell.

    Errors are passed on, so that a failing `interact` function fails its cell.
    """
    if not hasattr(self, "captures"):
        self.captures = {}
    while True:
        message = get_any_message(self, stream, timeout)
        if stream != "iopub":
            return message
        note_captures(self, message)
        captured = message["parent_header"].get("msg_id") in filter(None, self.captures.values())
        if not (captured and message["msg_type"] in DRAWN):
            return message


def collect(self):
    """Compare with what is folded; after a cell, run what the tests ask in its kernel: tests/notebooks/parts.py."""
    items = list(collect_cells(self))
    parts = parts_of(self.path, self.nb.cells)
    for item in items:
        unfold(item.cell)
        yield item
        for part in parts.get(item.cell.id, ()):
            outputs = [nbformat.v4.new_output("stream", text=part.prints)] if part.prints else []
            cell = nbformat.v4.new_code_cell(part.source, execution_count=1, outputs=outputs)
            options = defaultdict(bool, check=part.prints is not None)
            yield IPyNbCell.from_parent(self, name=part.name, cell_num=item.cell_num, cell=cell, options=options)


# Their tests run a notebook each, and what these have for one notebook belongs together.
BY_NOTEBOOK = {"tests/notebooks/test_experiments.py", "tests/notebooks/test_widgets.py"}


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist there is nothing to share out
def pytest_xdist_make_scheduler(config, log):
    """Give a worker all tests of a file, or all that a file has for one notebook, in the order of the files below."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file, _, test = nodeid.partition("::")
            return f"{file}[{test.partition('[')[2]}" if file in BY_NOTEBOOK else file

    config.option.loadscopereorder = False  # by the number of tests, which says little
    return ByFile(config, log)


def pytest_collection_modifyitems(config, items):
    """Begin with the notebooks, the longest files, so that no worker is left with one at the end."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: not (item.path.suffix == ".ipynb" or item.nodeid.partition("::")[0] in BY_NOTEBOOK))


IPyNbFile.collect = collect
RunningKernel.execute_cell_input = execute_cell_input
RunningKernel.get_message = get_message


@pytest.fixture(autouse=True)
def _close_figures():
    """Leave no figure of an example or a test to the next one."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def pytest_terminal_summary(terminalreporter, config):
    """Below the skipped tests and their reasons (`-rs`), say which tests were not part of this run."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        terminalreporter.line(NOT_RUN)
