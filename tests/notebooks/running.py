"""A notebook run here, once for all tests: its widgets, and the explorers that it shows, as they were when shown."""

import ast
import contextlib
import linecache
import re
import warnings
from functools import cache

import ipywidgets
import matplotlib
import matplotlib.pyplot as plt
import nbformat
import pytest
from classroom.explorers import cells_for, names_of

from bayeslab.explore._canvas_explorer import CanvasExplorer
from bayeslab.explore.boundary_explorer import RULES, BoundaryExplorer

WIDGET = re.compile(r"\binteract|[Ee]xplorer\b")  # that is made, or used again


class Recorder:
    """Stands in for `interact`, as a function and as a decorator, and keeps the functions instead of showing them."""

    def __init__(self):
        self.recorded = []

    def __call__(self, function=None, /, **controls):
        if function is None:
            return lambda decorated: self(decorated, **controls)
        self.keep(function, **controls)
        return function

    def keep(self, function, /, *options, **controls):
        """Stand in for `interactive`, which returns the widget."""
        # The true `interactive` knows how (0, 5), ["a", "b"] and defaults become sliders and menus; it shows nothing.
        widget = interactive(function, *options, **controls)
        self.recorded.append((function, {control._kwarg: extremes(control) for control in widget.kwargs_widgets}))
        return widget

    def keep_output(self, function, controls):
        """Stand in for `interactive_output`, which is given widgets."""
        self.recorded.append((function, {name: extremes(control) for name, control in controls.items()}))
        return ipywidgets.Output()

    def keep_explorer(self, explorer):
        """Keep an explorer that is shown, whose picture for paper is drawn, by each rule where there are several."""

        def show(**values):
            for name, value in values.items():
                setattr(explorer, name, value)
            explorer._repr_mimebundle_()

        self.recorded.append((show, {"rule": list(RULES)} if isinstance(explorer, BoundaryExplorer) else {}))


interactive = ipywidgets.interactive


def extremes(control):
    """List the values of one control that are worth trying: both ends, or all if there are no ends."""
    if isinstance(control, ipywidgets.FloatLogSlider):
        return [control.base**control.min, control.base**control.max]
    if isinstance(control, ipywidgets.IntRangeSlider | ipywidgets.FloatRangeSlider):
        low, high = control.min, control.max
        return [(low, low), (low, high), (high, high)]
    if hasattr(control, "min") and hasattr(control, "max"):
        return [control.min, control.max]
    if hasattr(control, "options"):
        return [value for _, value in control._options_full]
    return [False, True] if isinstance(control.value, bool) else [control.value]


class Reader:
    """Runs cells as a kernel would, and keeps the explorers that they show, each with its state at that moment."""

    def __init__(self):
        self.shown = []
        self.namespace = {"__name__": "__main__", "display": self.display}

    def display(self, *things, **options):
        for thing in things:
            if isinstance(thing, CanvasExplorer):
                self.shown.append((self.cell, thing, self.state_of(thing)))

    @staticmethod
    def state_of(explorer):
        """Return all that the screen shows of an explorer."""
        return {name: value for name, value in explorer._saved_state().items() if name != "datasets"}

    def run(self, cells, name):
        """Run the code that makes, shows or changes a widget, and what that needs; nbval runs the rest."""
        code = [cell for cell in cells if cell.cell_type == "code"]
        explorers, needed = set(), []
        for place, cell in enumerate(code):
            bound, used = names_of(cell.source)
            if WIDGET.search(cell.source) or used & explorers:
                needed += cells_for(code, place)
            if "Explorer(" in cell.source or used & explorers:  # another name of one may be among them
                explorers |= bound
        for cell in code:
            if cell in needed:
                self.run_cell(cell, f"<{name}, cell {cell.id}>")
                plt.close("all")

    def run_cell(self, cell, name):
        """Run a cell, and show its last expression."""
        linecache.cache[name] = len(cell.source), None, cell.source.splitlines(keepends=True), name
        self.cell, tree = cell.id, ast.parse(cell.source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        meant = Exception if "raises-exception" in cell.metadata.get("tags", []) else ()
        # A warning may be what a cell shows; nbval compares it.
        with contextlib.suppress(meant), warnings.catch_warnings(action="ignore"):
            exec(compile(tree, name, "exec"), self.namespace)
            if last:
                value = eval(compile(ast.Expression(last.value), name, "eval"), self.namespace)
                if not cell.source.rstrip().endswith(";"):
                    self.display(value)

    def changed(self):
        """List the cells whose explorer is no longer what it was when shown, each with the traits that differ."""
        now = [(cell, before, self.state_of(explorer)) for cell, explorer, before in self.shown]
        return {cell: [n for n in after if after[n] != before[n]] for cell, before, after in now if after != before}


@contextlib.contextmanager
def without_a_screen():
    """Draw nowhere, and leave Matplotlib as it was."""
    with pytest.MonkeyPatch.context() as patch, matplotlib.rc_context():
        plt.switch_backend("agg")
        patch.setattr(plt, "show", lambda *args, **kwargs: None)
        yield patch
        plt.close("all")


@cache
def run(path):
    """Run a notebook; return its widgets, each a function and the values to try, its explorers, and what changed."""
    recorder, reader = Recorder(), Reader()
    with without_a_screen() as patch, contextlib.chdir(path.parent):
        patch.setattr(ipywidgets, "interact", recorder)
        patch.setattr(ipywidgets, "interactive", recorder.keep)
        patch.setattr(ipywidgets, "interactive_output", recorder.keep_output)
        reader.run(nbformat.read(path, as_version=4).cells, path.name)
    for _, explorer, _ in reader.shown:
        recorder.keep_explorer(explorer)
    return recorder.recorded, [cell for cell, *_ in reader.shown], reader.changed()
