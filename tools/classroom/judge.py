"""The judge: one process for each student, which runs the notebooks in a sandbox and asks their functions.

The verdicts are made here, from plain data. What a notebook prints, or does to the checks and to NumPy in its own
process, has no part in them.
"""

import pkgutil
import signal
import sys
import time
from dataclasses import dataclass, field
from importlib import import_module

from classroom import sandbox
from classroom.plain import Ended, Peer

from bayeslab import checks

for module in pkgutil.iter_modules(checks.__path__, "bayeslab.checks."):
    import_module(module.name)  # now, rather than in the time of a cell
MOST_RECORDS, MOST_TROUBLE, LONGEST = 500, 3, 600


class Judge(Peer):
    """The side that asks. To exercise 4.4 it hands classifiers, which the other side makes anew."""

    def plain_other(self, value):
        """Return a scikit-learn estimator by its name."""
        if hasattr(value, "get_params"):
            return {"estimator": [type(value).__module__, type(value).__name__, value.get_params()]}
        raise TypeError(f"not to be handed out: {type(value).__name__}")


@dataclass
class Run:
    """What a notebook did: the verdicts, and sentences on what went wrong."""

    records: list = field(default_factory=list)
    trouble: list = field(default_factory=list)
    seconds: float = 0.0

    def judge(self, number, answer):
        """Judge an answer, keep the verdict, and return what the notebook is told."""
        if len(self.records) >= MOST_RECORDS:
            raise Ended("called check too often: the rest was not run")
        verdict = checks.verdict_on(number, answer)
        message = verdict.message[:LONGEST]
        self.records.append({"exercise": verdict.exercise, "solved": verdict.solved, "message": message})
        return verdict.solved, message


def run(cells, shut_in, folder, limits):
    """Run a notebook; never raises because of what is in it.

    Parameters
    ----------
    cells : list of tuple
        Number, source, and whether it is meant to raise.
    shut_in : bool
        Whether it runs in the sandbox.
    folder : str
        What `sandbox.course` gives.
    limits : sandbox.Limits

    Returns
    -------
    Run
    """
    start, done, place = time.monotonic(), Run(), "it did not start:"
    end = start + limits.notebook
    room = sandbox.Room(shut_in, folder, limits)
    try:
        peer = Judge(room.read, room.write, {"check": done.judge})
        if room.read() != b'"ready"\n':
            raise Ended("said something else than expected")
        for number, source, meant in cells:
            place = f"cell {number}"
            seconds = min(limits.cell, end - time.monotonic())
            if seconds <= 0:
                raise Ended(f"was not reached: the time of {limits.notebook:g} s was over")
            room.until = time.monotonic() + seconds + limits.patience
            error = peer.call("run", source, seconds)
            if not isinstance(error, str | None):
                raise Ended("spoke out of turn to its judge")
            if error == "KeyboardInterrupt: ":
                error = "ran out of time and was stopped"
            if error and not meant and len(done.trouble) < MOST_TROUBLE:
                done.trouble.append(f"{place}: {' '.join(error.split())[:200]}")
    except Ended as ended:
        done.trouble.append(f"{place} {ended}")
    except BaseException as error:  # it spoke nonsense, which a notebook can bring about
        done.trouble.append(f"{place} lost the connection to its judge ({type(error).__name__})")
    finally:
        room.close()
    done.seconds = time.monotonic() - start
    return done


def work(told, notebooks, *how):
    """Run the notebooks of a student, in a process of its own, and send each result."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # who presses Ctrl-C does not want the next notebook
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # what loses its parent becomes a child of ours, and ends with us
    for cells in notebooks:
        told.send(run(cells, *how))
