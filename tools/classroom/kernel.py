"""Start a Jupyter kernel with limits, in which `check` also writes its verdicts where printed text does not get.

Called by sandbox.py: python kernel.py CONNECTION_FILE ORDERS. The orders, with a token that makes a record count, are
deleted once they are read, before any code of a student runs.

What this stops: printing "done", a `check` of one's own, and replacing functions of the checks, of NumPy or SciPy; such
records say `changed`. What it does not stop: student and judge share one process, so somebody who digs for the token in
it, or writes a function that looks into its caller, gets through.
"""

import contextlib
import json
import os
import pkgutil
import socket
import struct
import sys
import types
from importlib import import_module
from pathlib import Path

WATCHED = ("bayeslab", "numpy", "scipy")
LONGEST = 600


def limit(memory, seconds, file_size=100_000_000):
    """Limit address space, processor time and the size of a file, where the system knows such limits."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = {"RLIMIT_AS": memory, "RLIMIT_CPU": seconds, "RLIMIT_FSIZE": file_size, "RLIMIT_CORE": 0}
    for name, value in limits.items():
        with contextlib.suppress(ValueError, OSError, AttributeError):  # macOS does not limit memory
            resource.setrlimit(getattr(resource, name), (value, value))


def bring_up_loopback():
    """Let the processes of a notebook talk to each other, where the network is cut: dask's workers do."""
    with contextlib.suppress(ImportError, OSError), socket.socket() as probe:
        import fcntl

        fcntl.ioctl(probe, 0x8914, struct.pack("16sh14x", b"lo", 0x41))  # SIOCSIFFLAGS: up, running


def callables():
    """Return what can be called in the watched modules, functions with their code."""
    found = {}
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] in WATCHED and isinstance(module, types.ModuleType):
            for name, value in list(vars(module).items()):
                if callable(value):
                    found[module_name, name] = value, getattr(value, "__code__", None)
    return found


def watch(checks):
    """Return a function that tells whether the checks, or what they compute with, were changed since now."""
    registered, before = dict(checks._EXERCISES), callables()

    def changed():
        now = callables()
        same = all(
            found in now and now[found][0] is value and now[found][1] is code
            for found, (value, code) in before.items()
            if found != ("bayeslab.checks", "check")
        )
        return not same or {number: checks._EXERCISES.get(number) for number in registered} != registered

    return changed


def record(checks, token, path):
    """Make `check` write each verdict into a file, with the token."""
    judge, write, encode = checks.check, os.write, json.JSONEncoder().encode
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    changed = watch(checks)

    def check(number, answer):
        spoilt = changed()
        verdict = judge(number, answer)
        row = {
            "token": token,
            "exercise": verdict.exercise,
            "solved": verdict.solved,
            "message": verdict.message[:LONGEST],
            "changed": spoilt or changed(),
        }
        write(file, encode(row).encode() + b"\n")
        return verdict

    check.__doc__ = judge.__doc__
    checks.check = check


def main(connection_file, orders):
    """Read the orders, and become a kernel."""
    told = json.loads(Path(orders).read_text(encoding="utf-8"))
    Path(orders).unlink()
    sys.path.pop(0)  # this folder: a student's `import results` is not meant for ours
    bring_up_loopback()
    from ipykernel.kernelapp import IPKernelApp

    from bayeslab import checks

    for module in pkgutil.iter_modules(checks.__path__, "bayeslab.checks."):
        import_module(module.name)
    record(checks, told["token"], told["records"])
    limit(told["memory"], told["seconds"])
    sys.argv = [sys.argv[0], "-f", connection_file]
    IPKernelApp.launch_instance()


if __name__ == "__main__":
    main(*sys.argv[1:])
