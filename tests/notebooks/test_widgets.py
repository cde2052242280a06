"""Every widget of every notebook works at the ends of its sliders; a run of the notebook tries one value only."""

import contextlib
import itertools
import linecache
import warnings
from pathlib import Path

import ipywidgets
import matplotlib
import matplotlib.pyplot as plt
import nbformat
import pytest

from bayeslab.explore._explorer import Explorer
from bayeslab.explore.boundary_explorer import RULES, BoundaryExplorer

PATHS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


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

    def keep_explorer(self, explorer, *args):
        """Stand in for the constructor of an `Explorer`, whose controls are turned by their names."""
        construct(explorer, *args)

        def turn(**values):
            for name, value in values.items():
                explorer.controls[name].value = value

        self.recorded.append((turn, {name: extremes(control) for name, control in explorer.controls.items()}))

    def keep_boundary_explorer(self, explorer, *args, **traits):
        """Stand in for the constructor of a `BoundaryExplorer`, whose picture for paper is drawn by each rule."""
        construct_boundary_explorer(explorer, *args, **traits)

        def show(rule):
            explorer.rule = rule
            explorer._repr_mimebundle_()

        self.recorded.append((show, {"rule": list(RULES)}))


interactive, construct = ipywidgets.interactive, Explorer.__init__
construct_boundary_explorer = BoundaryExplorer.__init__


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


def run_cells(path, namespace):
    """Execute the code cells of a notebook as a kernel would, but here."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        meant = Exception if "raises-exception" in cell.metadata.get("tags", []) else ()
        name = f"<{path.name}, cell {cell.id}>"
        linecache.cache[name] = len(cell.source), None, cell.source.splitlines(keepends=True), name
        # A warning may be what a cell shows; nbval compares it.
        with contextlib.suppress(meant), warnings.catch_warnings(action="ignore"):
            exec(compile(cell.source, name, "exec"), namespace)
        plt.close("all")


@pytest.fixture
def recorder(monkeypatch):
    stand_in = Recorder()
    monkeypatch.setattr(ipywidgets, "interact", stand_in)
    monkeypatch.setattr(ipywidgets, "interactive", stand_in.keep)
    monkeypatch.setattr(ipywidgets, "interactive_output", stand_in.keep_output)
    monkeypatch.setattr(Explorer, "__init__", lambda explorer, *args: stand_in.keep_explorer(explorer, *args))
    keep = stand_in.keep_boundary_explorer
    monkeypatch.setattr(BoundaryExplorer, "__init__", lambda *args, **traits: keep(*args, **traits))
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: None)
    with matplotlib.rc_context():  # a notebook sets its style for itself only
        plt.switch_backend("agg")
        yield stand_in
        plt.close("all")


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_widgets_work_at_every_extreme(path, recorder, monkeypatch):
    monkeypatch.chdir(path.parent)
    run_cells(path, {"__name__": "__main__", "display": lambda *things, **options: None})
    assert recorder.recorded, "no widget"
    for function, controls in recorder.recorded:
        for values in itertools.product(*controls.values()):
            with warnings.catch_warnings(action="error"):
                function(**dict(zip(controls, values, strict=True)))
            plt.close("all")
