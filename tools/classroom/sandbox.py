"""Run one student's notebook in a clean kernel, in a throwaway folder, with limits of time and memory.

On Linux the kernel also has no network and sees no process but its own, where the system lets users make namespaces.
It can read, and as far as you may, change your files: `SAYS` says so, and the page of results repeats it.
"""

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from queue import Empty

import matplotlib
from classroom.submissions import code_of
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager
from jupyter_core.utils import ensure_event_loop

ROOT = Path(__file__).resolve().parents[2]
ALONE = ["unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child"]
MOST_RECORDS = 5_000_000  # bytes
MOST_TROUBLE = 3
PATIENCE = 5  # seconds until a cell that was interrupted must have ended
SAYS = (
    "This runs students' code on your computer, as you. Each notebook runs in a throwaway folder, with limits of time "
    "and, on Linux, of memory. It could still read your files, and change them: use a machine or a container where "
    "that does no harm."
)


@dataclass(frozen=True)
class Limits:
    """Seconds for a cell and for a notebook, and bytes of memory."""

    cell: float = 60
    notebook: float = 300
    memory: int = 4_000_000_000


@dataclass
class Run:
    """What a notebook did: the records of `check`, and sentences on what went wrong."""

    records: list = field(default_factory=list)
    trouble: list = field(default_factory=list)
    seconds: float = 0.0


@cache
def alone():
    """Return the command before a kernel that cuts its network, empty where the system has none."""
    try:
        works = subprocess.run([*ALONE, "true"], capture_output=True, timeout=10).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        works = False
    return ALONE if works else []


def network():
    """Say whether the notebooks had a network."""
    return "The notebooks have no network." if alone() else "This system cannot cut the network: the notebooks have it."


class OwnKernel(KernelManager):
    """A kernel started by a command of ours, not by what is installed."""

    command: tuple = ()

    @property
    def kernel_spec(self):
        """Return that command as a specification."""
        return KernelSpec(argv=list(self.command), display_name="Python 3", language="python")


def environment(folder):
    """Return variables without your secrets; the home folder is the throwaway one."""
    kept = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "SYSTEMROOT", "TZ")
    cache = folder / "matplotlib"
    with contextlib.suppress(OSError):  # its list of fonts takes seconds to make
        shutil.copytree(matplotlib.get_cachedir(), cache, ignore=lambda _, names: [n for n in names if "font" not in n])
    return {name: os.environ[name] for name in kept if name in os.environ} | {
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "IPYTHONDIR": str(folder / "ipython"),
        "MPLCONFIGDIR": str(cache),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


class Room:
    """A throwaway folder with a kernel in it."""

    def __init__(self, limits):
        self.limits, self.token = limits, secrets.token_hex(16)
        self.folder = Path(tempfile.mkdtemp(prefix="bl-"))  # short: the path of a socket has at most 100 characters
        self.records = self.folder / "records"

    def __enter__(self):
        """Start the kernel."""
        orders, work = self.folder / "orders", self.folder / "notebook"
        work.mkdir()
        told = {"token": self.token, "records": str(self.records), "memory": self.limits.memory}
        orders.write_text(json.dumps(told | {"seconds": int(self.limits.notebook) + 10}), encoding="utf-8")
        own = [sys.executable, str(Path(__file__).with_name("kernel.py")), "{connection_file}", str(orders)]
        sockets = {"transport": "ipc", "ip": str(self.folder / "s")} if os.name == "posix" else {}
        self.manager = OwnKernel(connection_file=str(self.folder / "connection.json"), **sockets)
        self.manager.command = (*alone(), *own)
        try:
            with (self.folder / "log").open("wb") as log:
                said = {"stdout": log, "stderr": log}
                self.manager.start_kernel(cwd=str(work), env=environment(self.folder), **said)
            self.client = self.manager.blocking_client()
            self.client.start_channels()
            self.client.wait_for_ready(timeout=60)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        """End the kernel and all that it began, and remove the folder."""
        with contextlib.suppress(AttributeError):
            self.client.stop_channels()
        if self.manager.has_kernel:
            self.manager.shutdown_kernel(now=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def idle(self, message_id, until):
        """Wait for the end of a cell, throwing away what it shows; tell whether it came."""
        while time.monotonic() < until:
            if not self.manager.is_alive():
                raise ChildProcessError
            with contextlib.suppress(Empty):
                message = self.client.get_iopub_msg(timeout=0.2)
                mine = message["parent_header"].get("msg_id") == message_id
                if mine and message["content"].get("execution_state") == "idle":
                    return True
        return False

    def cell(self, source, end):
        """Run a cell; return None, or a sentence on its error.

        Raises
        ------
        ChildProcessError
            Where the kernel has ended.
        TimeoutError
            Where the cell could not be interrupted.
        """
        message_id = self.client.execute(source, store_history=True, allow_stdin=False, stop_on_error=False)
        until = min(time.monotonic() + self.limits.cell, end)
        if not self.idle(message_id, until):
            self.manager.interrupt_kernel()
            if not self.idle(message_id, time.monotonic() + PATIENCE):
                raise TimeoutError
            return "ran out of time and was stopped"
        while True:
            reply = self.client.get_shell_msg(timeout=5)
            if reply["parent_header"].get("msg_id") == message_id:
                break
        said = reply["content"]
        return f"{said['ename']}: {said['evalue']}"[:200] if said["status"] == "error" else None

    def recorded(self):
        """Return the records that bear the token."""
        rows = []
        if self.records.exists():
            with self.records.open("rb") as file:
                lines = file.read(MOST_RECORDS).splitlines()
            for line in lines:
                with contextlib.suppress(ValueError):
                    row = json.loads(line)
                    if isinstance(row, dict) and row.pop("token", None) == self.token:
                        rows.append(row)
        return rows


def run(nb, limits):
    """Run a notebook in a thread of its own, whose event loop is closed with it: see `_run`."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_run, nb, limits).result()


def _run(nb, limits):
    """Run the code of a notebook, except cells tagged `solution` or `numbers`; never raises because of what is in it.

    Parameters
    ----------
    nb : NotebookNode
    limits : Limits

    Returns
    -------
    Run
    """
    start, done = time.monotonic(), Run()
    end, place = start + limits.notebook, "it did not start"
    try:
        with Room(limits) as room:
            try:
                for number, cell in code_of(nb):
                    place = f"cell {number}"
                    if time.monotonic() > end:
                        done.trouble.append(f"the time of {limits.notebook:g} s was over before {place}")
                        break
                    error = room.cell(cell.source, end)
                    meant = "raises-exception" in cell.metadata.get("tags", [])
                    if error and not meant and len(done.trouble) < MOST_TROUBLE:
                        done.trouble.append(f"{place}: {' '.join(error.split())}")
            except ChildProcessError:
                done.trouble.append(f"{place} ended the kernel: too much memory or time, or a crash")
            except (TimeoutError, Empty):
                done.trouble.append(f"{place} ran out of time and could not be interrupted: the rest was not run")
            done.records = room.recorded()
    except Exception as error:  # of the system: no memory, no space, a kernel that does not start
        done.trouble.append(f"{place}: {type(error).__name__}: {error}"[:200])
    finally:
        ensure_event_loop().close()
    done.seconds = time.monotonic() - start
    return done
