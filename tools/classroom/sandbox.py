"""Run one student's notebooks in a room without a door: a process with limits that sees little of this system.

The walls are bubblewrap's, which every Linux packages. Where it doesn't work, as on macOS and Windows, only the limits
hold, and results.py runs only if you insist.
"""

import compileall
import contextlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue

import matplotlib
import psutil
from classroom.plain import LONGEST, Ended

ROOT, HERE = Path(__file__).resolve().parents[2], Path(__file__).parent
ROOM = "/room"
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store")
ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "localtime", "timezone", "nsswitch.conf")
MOST_SAID = 50_000_000  # bytes, of one notebook to the judge
MOST_PROCESSES = 100
SAYS = {
    True: "Sandbox: bubblewrap. A notebook sees Python, the course and nothing else of this system. It has no network, "
    "and can write only into a folder that is deleted afterwards.",
    False: "Sandbox: none. The notebooks run as you, and can read, change and delete your files and use the network.",
}


@dataclass(frozen=True)
class Limits:
    """Seconds for a cell, for a notebook, and until an interrupted cell has ended; bytes of memory and of disk."""

    cell: float = 60
    notebook: float = 300
    memory: int = 4_000_000_000
    disk: int = 200_000_000
    patience: float = 5


@contextlib.contextmanager
def course():
    """Yield a folder with what a notebook needs of the course: not the right answers, which the judge knows.

    The rooms lie beside it, so that they are gone with it even if a judge is killed.
    """
    with tempfile.TemporaryDirectory(prefix="bayeslab-") as around:
        folder = os.path.join(around, "course")
        unneeded = shutil.ignore_patterns("_ch[0-9]*.py", "__pycache__")
        for name in ("bayeslab", "data"):
            shutil.copytree(ROOT / name, Path(folder, name), ignore=unneeded)
        for name in ("kernel.py", "plain.py"):
            shutil.copy(HERE / name, folder)
        compileall.compile_dir(folder, quiet=2)  # once, rather than once for each student
        Path(folder, "matplotlib").mkdir()
        for fonts in Path(matplotlib.get_cachedir()).glob("fontlist*.json"):
            shutil.copy(fonts, Path(folder, "matplotlib"))
        yield folder


def places(folder):
    """Return what a notebook may read: system libraries, this Python, the course; not your home, /tmp, /run or /var."""
    python = {sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1])}
    python |= {path for path in sys.path if Path(path).name in {"site-packages", "dist-packages"}}
    wanted = [*SYSTEM, *(f"/etc/{name}" for name in ETC), *sorted(python), folder]
    wanted = [place for place in wanted if os.path.exists(place) and place not in {"/", os.path.expanduser("~")}]
    return [p for p in wanted if p in SYSTEM or not any(p.startswith(q + "/") for q in wanted)]


def before(folder, size):
    """Return what stands before a command to run it in bubblewrap, with the course of that folder."""
    size = str(size)
    said = ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    said += ["--unshare-cgroup-try", "--disable-userns", "--cap-drop", "ALL", "--die-with-parent", "--new-session"]
    said += ["--size", size, "--tmpfs", "/tmp"]  # first: the course lies below it
    for place in places(folder):
        link = os.path.islink(place) and place in SYSTEM
        said += ["--symlink", os.readlink(place), place] if link else ["--ro-bind", place, place]
    said += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm"]
    return [*said, "--remount-ro", "/dev", "--size", size, "--tmpfs", ROOM, "--remount-ro", "/", "--chdir", ROOM]


@cache
def works():
    """Tell whether bubblewrap works here: a Python behind its walls starts, and cannot read a file in front of them."""
    with tempfile.TemporaryDirectory() as folder, course() as shown:
        secret = Path(folder, "secret")
        secret.touch()
        tries = "import sys\ntry: open(sys.argv[1])\nexcept OSError: print('shut in')"
        command = [*before(shown, 1_000_000), sys.executable, "-c", tries, secret]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.stdout == "shut in\n"


def environment(folder, room):
    """Return variables without your secrets; the home folder is the room."""
    kept = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "SYSTEMROOT", "TZ")
    own = {"HOME": room, "TMPDIR": room, "IPYTHONDIR": f"{room}/.ipython", "MPLCONFIGDIR": f"{room}/.matplotlib"}
    backend = "module://matplotlib_inline.backend_inline"  # Jupyter's
    set_to = {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": backend}
    return {name: os.environ[name] for name in kept if name in os.environ} | own | set_to | {"USER": "student"}


def die_with_me():
    """End with the process that started this one, where the system has that: on Linux, PR_SET_PDEATHSIG."""
    import ctypes

    ctypes.CDLL(None).prctl(1, 9)


def _children(pid):
    """Return the numbers of the children of a process; on Linux without a look at all processes."""
    try:
        if sys.platform != "linux":
            return [child.pid for child in psutil.Process(pid).children()]
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except (OSError, psutil.Error):
        return []


def _memory(processes, method, kind):
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            told = getattr(process, method)()
            total += getattr(told, kind, told.rss)
    return total


class Room:
    """A process with limits; `read` and `write` talk to it.

    Parameters
    ----------
    shut_in : bool
        Whether it is put behind the walls of bubblewrap.
    folder : str
        The course.
    limits : Limits
    notebooks : int
        How many notebooks it may run, one after another.
    """

    def __init__(self, shut_in, folder, limits, notebooks=1):
        self.limits, self.until, self.watched = limits, time.monotonic() + limits.notebook, 0.0
        self.may_say = MOST_SAID * notebooks
        self.folder, self.strangers = tempfile.mkdtemp(dir=Path(folder).parent), set(_children(os.getpid()))
        room = ROOM if shut_in else self.folder
        told = {"memory": limits.memory, "disk": limits.disk}
        told["seconds"] = (int(limits.notebook) + 10) * notebooks
        counts = shut_in and tuple(map(int, platform.release().split(".")[:2])) >= (5, 14)
        told["processes"] = 2 * MOST_PROCESSES if counts else None  # older ones count those outside of the room, too
        walls = before(folder, limits.disk) if shut_in else []
        command = [*walls, sys.executable, f"{folder}/kernel.py", json.dumps(told)]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        if sys.platform == "linux":
            pipes["preexec_fn"] = die_with_me
        self.process = subprocess.Popen(
            command, cwd=self.folder, env=environment(folder, room), start_new_session=True, **pipes
        )
        self.lines, self.said = SimpleQueue(), SimpleQueue()
        for work in (self._listen, self._speak):  # neither waits for a process that does not read or say anything
            threading.Thread(target=work, daemon=True).start()

    def _listen(self):
        """Put what it says into a queue, up to a limit, and None where there is no more."""
        left = self.may_say
        with contextlib.suppress(ValueError):  # the pipe is closed
            while left > 0 and (line := self.process.stdout.readline(LONGEST)):
                left -= len(line)
                self.lines.put(line)
        self.lines.put(None)

    def _speak(self):
        """Say what is in the queue, up to None."""
        with contextlib.suppress(OSError, ValueError):  # it has ended
            for line in iter(self.said.get, None):
                self.process.stdin.write(line)
                self.process.stdin.flush()

    def read(self):
        """Return the next line; raise Ended where the time is over, it has ended, or takes more than it may."""
        while True:
            if time.monotonic() > self.watched + 0.2:
                self._watch()
            with contextlib.suppress(Empty):
                line = self.lines.get(timeout=0.1)
                if line is None:
                    self.process.kill()
                    why = self.process.stderr.read().decode(errors="replace")[-200:].strip()
                    raise Ended(f"ended the kernel: {why or 'too much memory or time, or a crash'}")
                return line

    def write(self, line):
        """Say a line."""
        self.said.put(line + b"\n")

    def _inside(self):
        """Return the processes that it started, those too that lost their parent and became our children.

        At most a few more than it may: to list all of a crowd takes longer than the crowd needs to grow.
        """
        found = [pid for pid in _children(os.getpid()) if pid not in self.strangers]
        for pid in found:
            if len(found) <= MOST_PROCESSES:
                found += _children(pid)
        inside = []
        for pid in found:
            with contextlib.suppress(psutil.NoSuchProcess):
                inside.append(psutil.Process(pid))
        return inside

    def _watch(self):
        """Look at the time, and at what the process and all that it started take."""
        self.watched = time.monotonic()
        if self.watched > self.until:
            raise Ended("ran out of time and could not be interrupted: the rest was not run")
        inside = self._inside()
        if len(inside) > MOST_PROCESSES:
            raise Ended("took more processes than it may, and was ended")
        # The sum of the first counts what they share several times; the second takes longer.
        if _memory(inside, "memory_info", "rss") > self.limits.memory < _memory(inside, "memory_full_info", "pss"):
            raise Ended("took more memory than it may, and was ended")

    def close(self):
        """End the process and all that it started, and remove its folder."""
        with contextlib.suppress(OSError, AttributeError):  # Windows has no groups of processes
            os.killpg(self.process.pid, 9)
        while left := self._inside():
            for process in left:
                with contextlib.suppress(psutil.Error):
                    process.kill()
            psutil.wait_procs(left, timeout=1)
        self.process.wait()
        self.said.put(None)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)
