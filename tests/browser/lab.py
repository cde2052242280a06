"""JupyterLab with a notebook in a throwaway folder, and what a student does there."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager

import nbformat

IDLE = ".jp-Notebook-ExecutionIndicator[data-status=idle]"

# Run code in the notebook's kernel, beside its cells, and return what it prints.
PRINTED = """async (code) => {
    const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
    const future = kernel.requestExecute({ code, store_history: false });
    let text = "";
    future.onIOPub = ({ header, content }) => {
        if (header.msg_type === "stream") text += content.text;
        if (header.msg_type === "error") text += `${content.ename}: ${content.evalue}`;
    };
    await future.done;
    return text;
}"""


@contextmanager
def jupyter_lab(folder):
    """Start JupyterLab in a folder, on a port that the system chooses; yields address and token, and ends it."""
    places = {name: folder / ".jupyter" / name.lower() for name in ("CONFIG", "DATA", "RUNTIME")}
    (folder / ".jupyter").mkdir()
    environment = {
        **os.environ,
        **{f"JUPYTER_{name}_DIR": str(place) for name, place in places.items()},
        "IPYTHONDIR": str(folder / ".jupyter" / "ipython"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / ".jupyter" / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / ".jupyter" / "workspaces"),
    }
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0", "--LabApp.expose_app_in_browser=True"]
    log = folder / ".jupyter" / "log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options], cwd=folder, env=environment, stdout=output, stderr=output
        )
    try:
        file = places["RUNTIME"] / f"jpserver-{server.pid}.json"
        deadline = time.monotonic() + 120
        while not file.exists():
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')}")
            time.sleep(0.1)
        time.sleep(0.2)  # the file is written at once, but not in one step
        info = json.loads(file.read_text(encoding="utf-8"))
        yield info["url"], info["token"]
    finally:
        server.terminate()  # which ends its kernels, too
        server.wait(30)


def notebook_of(codes):
    """Return the text of a notebook with these code cells."""
    cells = [nbformat.v4.new_code_cell(code.strip()) for code in codes]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}))


class Notebook:
    """A notebook that is open in JupyterLab."""

    def __init__(self, page, address, token, name):
        self.page = page
        page.goto(f"{address}lab/tree/{name}?token={token}&reset")
        page.locator(IDLE).wait_for(timeout=120_000)
        page.evaluate("() => window.jupyterapp.restored")
        page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.ready")

    def command(self, name, **arguments):
        return self.page.evaluate("([name, its]) => window.jupyterapp.commands.execute(name, its)", [name, arguments])

    def run_all(self):
        self.command("notebook:run-all-cells")
        self.page.locator(IDLE).wait_for(timeout=120_000)

    def printed(self, code):
        """What the kernel prints for this code."""
        return self.page.evaluate(PRINTED, code)

    def select_cell(self, number):
        """Select a cell, in command mode, where arrow keys go from cell to cell."""
        self.page.evaluate(
            """(number) => { const { content } = window.jupyterapp.shell.currentWidget;
                Object.assign(content, { activeCellIndex: number, mode: "command" }); }""",
            number,
        )

    def selected_cell(self):
        return self.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCellIndex")

    def outputs(self, kind):
        """Return the cells' outputs of one kind, such as "error"."""
        return self.page.evaluate(
            """(kind) => window.jupyterapp.shell.currentWidget.content.widgets
                .flatMap((cell) => cell.model.outputs?.toJSON() ?? []).filter((one) => one.output_type === kind)""",
            kind,
        )
