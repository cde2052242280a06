"""The process in which a student's notebooks run: IPython, without a server, and a `check` that asks the judge.

Called by sandbox.py: python kernel.py ORDERS. The judge writes to its standard input and reads its standard output, of
which the notebook gets neither: what a notebook prints is thrown away. To start it takes seconds, so a student's second
notebook runs in the same process, with an empty namespace.
"""

import contextlib
import json
import os
import shutil
import signal
import sys
import threading
from _thread import interrupt_main
from pathlib import Path


def limit(memory, seconds, file_size, processes):
    """Limit what one process takes, and where a number is given that of processes; Linux does not bind root to it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = {"RLIMIT_AS": memory, "RLIMIT_CPU": seconds, "RLIMIT_FSIZE": file_size, "RLIMIT_CORE": 0}
    limits |= {"RLIMIT_NPROC": processes} if processes else {}
    for name, value in limits.items():
        with contextlib.suppress(ValueError, OSError, AttributeError):  # macOS does not limit memory
            resource.setrlimit(getattr(resource, name), (value, value))


def interrupting(seconds, done):
    """Interrupt the main thread after some seconds, and then each second, until it is done."""
    while not done.wait(seconds):
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        else:
            interrupt_main()
        seconds = 1


def make_shell():
    """Return the IPython that runs the cells, as Jupyter's does but for what needs a server."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class Shell(InteractiveShell):
        def enable_gui(self, gui=None):
            """Do nothing: `%matplotlib inline` asks for it."""

    shell = Shell.instance(config=Config(HistoryManager={"enabled": False}))
    shell.display_formatter.active_types = ["text/plain"]  # nobody looks at figures here, and to draw them takes long
    return shell


def main(orders):
    """Read the orders, and do what the judge asks for, until it says no more."""
    told = json.loads(orders)
    limit(told["memory"], told["seconds"], told["disk"], told["processes"])
    heard, said = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    with contextlib.suppress(OSError):  # a new list of fonts takes seconds
        shutil.copytree(Path(__file__).with_name("matplotlib"), os.environ["MPLCONFIGDIR"])
    from plain import Student

    from bayeslab import checks

    sys.path[0] = ""  # as in Jupyter
    shell = make_shell()

    def check(number, answer):
        verdict = checks.Verdict(number, *peer.call("check", number, answer))
        print(verdict)
        return verdict

    def run(source, seconds):
        """Run a cell; return what it raised, in a sentence."""
        done = threading.Event()
        threading.Thread(target=interrupting, args=(seconds, done), daemon=True).start()
        try:
            result = shell.run_cell(source, store_history=True)
            error = result.error_before_exec or result.error_in_exec
        except BaseException as raised:  # it ran out of time where IPython does not expect it
            error = raised
        finally:
            done.set()
        return None if error is None else f"{type(error).__name__}: {error}"[:200]

    def afresh():
        """Forget what a notebook has defined, before the student's next one."""
        shell.reset()
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")
        os.chdir(home)
        checks.check = check

    def write(line):
        said.write(line + b"\n")

    home = os.getcwd()
    peer = Student(heard.readline, write, {"run": run, "afresh": afresh})
    check.__doc__, checks.check = checks.check.__doc__, check
    signal.signal(signal.SIGINT, lambda *_: peer.running and signal.default_int_handler(signal.SIGINT, None))
    os.dup2(nothing, 2)
    write(b'"ready"')
    for line in iter(heard.readline, b""):
        peer.answer(json.loads(line))


if __name__ == "__main__":
    main(*sys.argv[1:])
