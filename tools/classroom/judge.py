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

import pandas as pd
from classroom import sandbox
from classroom.plain import Ended, Peer

from bayeslab import checks

for module in pkgutil.iter_modules(checks.__path__, "bayeslab.checks."):
    import_module(module.name)  # now, rather than in the time of a cell
MOST_RECORDS, MOST_TROUBLE, LONGEST = 500, 3, 600


class Judge(Peer):
    """The side that asks. It hands out classifiers (4.4) and frames (20.1, 20.2), which the other side makes anew."""

    def plain_other(self, value):
        """Return a frame by its columns, a series by its values, and a scikit-learn estimator by its name."""
        if isinstance(value, pd.DataFrame):
            return {"frame": [self._plain([value[name].tolist() for name in value]), value.columns.tolist()]}
        if isinstance(value, pd.Series):
            return {"series": [self._plain(value.tolist()), value.index.tolist()]}
        if hasattr(value, "get_params"):
            return {"estimator": [type(value).__module__, type(value).__name__, value.get_params()]}
        raise TypeError(f"not to be handed out: {type(value).__name__}")


@dataclass
class Run:
    """What a notebook did: the verdicts, with the cell that asked for each, and what went wrong, in sentences."""

    records: list = field(default_factory=list)
    trouble: list = field(default_factory=list)
    cell: int = 0
    failed: list = field(default_factory=list)

    def judge(self, number, answer):
        """Judge an answer, keep the verdict, and return what the notebook is told."""
        if len(self.records) >= MOST_RECORDS:
            raise Ended("called check too often: the rest was not run")
        verdict = checks.verdict_on(number, answer)
        message = verdict.message[:LONGEST]
        said = {"exercise": verdict.exercise, "solved": verdict.solved, "message": message}
        self.records.append(said | {"cell": self.cell})
        return verdict.solved, message


class Kernel:
    """The process of one student: started when it is needed, and anew after a notebook that has ended it.

    Parameters
    ----------
    notebooks : int
        How many notebooks it is for.
    shut_in, folder, limits
        What `sandbox.Room` takes.
    """

    def __init__(self, notebooks, shut_in, folder, limits):
        self.how, self.limits, self.room = (shut_in, folder, limits, notebooks), limits, None

    def start(self, check):
        """Begin a notebook, whose calls of `check` go to a function."""
        if self.room is None:
            self.room = sandbox.Room(*self.how)
            self.peer = Judge(self.room.read, self.room.write, {"check": check})
            if self.room.read() != b'"ready"\n':
                raise Ended("said something else than expected")
        else:
            self.room.until = time.monotonic() + self.limits.cell
            self.peer.functions["check"], self.peer.given = check, []
            self.peer.call("afresh")

    def close(self):
        """End the process."""
        if self.room:
            self.room.close()
        self.room = None

    def run(self, cells):
        """Run a notebook; never raises because of what is in it.

        Parameters
        ----------
        cells : list of tuple
            Number, source, and whether it is meant to raise.

        Returns
        -------
        Run
        """
        done, place, limits = Run(), "it did not start:", self.limits
        end = time.monotonic() + limits.notebook
        try:
            self.start(done.judge)
            for number, source, meant in cells:
                place, done.cell = f"cell {number}", number
                seconds = min(limits.cell, end - time.monotonic())
                if seconds <= 0:
                    raise Ended(f"was not reached: the time of {limits.notebook:g} s was over")
                self.room.until = time.monotonic() + seconds + limits.patience
                error = self.peer.call("run", source, seconds)
                if not isinstance(error, str | None):
                    raise Ended("spoke out of turn to its judge")
                if error == "KeyboardInterrupt: ":
                    error = "ran out of time and was stopped"
                if error and not meant:
                    done.failed.append((number, error.partition(":")[0]))
                if error and not meant and len(done.trouble) < MOST_TROUBLE:
                    done.trouble.append(f"{place}: {' '.join(error.split())[:200]}")
        except Ended as ended:
            done.trouble.append(f"{place} {ended}")
            self.close()
        except BaseException as error:  # it spoke nonsense, which a notebook can bring about
            done.trouble.append(f"{place} lost the connection to its judge ({type(error).__name__})")
            self.close()
        return done


def work(told, notebooks, *how):
    """Run the notebooks of a student, in a process of its own, and send each result.

    With each notebook comes what `answers.needed` says: what no answer needs of the course's cells is left out.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # who presses Ctrl-C does not want the next notebook
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # what loses its parent becomes a child of ours, and ends with us
    kernel = Kernel(len(notebooks), *how)
    try:
        for cells, wanted in notebooks:
            few = [(number, wanted[number][1], meant) for number, _, meant in cells if number in wanted]
            done = kernel.run(few)
            if any(name == "NameError" or wanted[number][0] for number, name in done.failed) and few != cells:
                done = kernel.run(cells)  # perhaps it needs more than we thought
            told.send(done)
    finally:
        kernel.close()
