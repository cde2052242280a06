"""What all sliders share: controls, one picture whose artists they move, and one line that says what it shows."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from io import BytesIO

import matplotlib.pyplot as plt
from ipywidgets import HTML, FloatSlider, Image, VBox
from matplotlib.figure import Figure
from traitlets import Unicode

# As a decorator it gives the figure made in a function the look of the course, whatever the notebook has set.
look = plt.style.context("bayeslab.bayeslab")


class Picture(Image):
    """Image with a name for screen readers: the browser takes a tooltip only from what has a description."""

    description = Unicode("").tag(sync=True)


class Explorer(VBox):
    """Controls, under them a picture, and under it a line that says what the picture shows.

    Where no widget can run, on a printed page for instance, the picture and the line remain.

    Parameters
    ----------
    figure : matplotlib Figure
    update : function
        Takes the values of the controls in their order, moves the artists and returns the line.
    controls : dict of widgets
        By their description.
    """

    def __init__(self, figure, update, controls):
        self.figure, self.update, self.controls = figure, update, controls
        self.picture, self.readout = Picture(format="png"), HTML()
        self.picture.layout.max_width = "100%"
        for name, control in controls.items():
            control.description, control.style.description_width, control.layout.width = name, "4em", "30em"
            control.observe(self.refresh, "value")
        super().__init__([*controls.values(), self.picture, self.readout])
        self.refresh()
        figure.set_layout_engine("none")  # arranged once; from now on only the artists move

    def refresh(self, change=None):
        """Show what the controls say."""
        self.summary = self.update(*(control.value for control in self.controls.values()))
        png = BytesIO()
        self.figure.savefig(png, dpi="figure", pil_kwargs={"compress_level": 1})  # quick rather than small
        self.picture.value, self.picture.tooltip = png.getvalue(), self.summary
        self.readout.value = f'<div role="status" aria-live="polite">{escape(self.summary)}</div>'

    def _repr_mimebundle_(self, **kwargs):
        still = {"image/png": b64encode(self.picture.value).decode(), "text/plain": self.summary}
        return super()._repr_mimebundle_(**kwargs) | still


def new_figure(n_axes):
    """Figure of the one size, with its axes; pyplot, which would show and keep it, does not know it."""
    figure = Figure(figsize=(7.6, 3.8))
    return figure, figure.subplots(1, n_axes)


def slider(low, high, step, value):
    """Slider over numbers; its name is its key among the controls."""
    return FloatSlider(value, min=low, max=high, step=step)
