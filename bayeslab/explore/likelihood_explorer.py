"""The likelihood explorer: a sample, a Gaussian to fit to it by hand, and the map of the log-likelihood."""

from __future__ import annotations

from typing import Any

import numpy as np
import traitlets
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from scipy.stats import norm
from traitlets import TraitError

from bayeslab.explore._bundle import bundle, styles
from bayeslab.explore._canvas_explorer import CanvasExplorer, Count, Number, Points, Text
from bayeslab.explore._content import LIMITS
from bayeslab.gaussian import Gaussian
from bayeslab.plotting import COLORS, plot_density, plot_note

MOST_POINTS: int = LIMITS["likelihood"]["points"]  # with which a drag is still followed


class LikelihoodExplorer(CanvasExplorer):
    """Fit a Gaussian to a sample by hand: drag μ and σ on the curve, or on the map of the log-likelihood beside it.

    Up to 12 points can be dragged as well.

    Parameters
    ----------
    points : (n,) array, optional
        At most 1000.
    **traits
        Any of the traits below.

    Attributes
    ----------
    points : (n,) array
        The sample.
    mean, deviation : float
        μ and σ of the curve; at first both are too small.
    feature_name : str
        What the axis shows.
    style_index : int
        Number of the colour and the marker, as in `bayeslab.plotting.COLORS`.

    Raises
    ------
    traitlets.TraitError
        If a trait is set to what makes no sense; it then keeps its value.

    Examples
    --------
    >>> explorer = LikelihoodExplorer([1, 2, 4], mean=2)
    >>> explorer.deviation = explorer.points.std()
    >>> explorer
    LikelihoodExplorer(3 points, mean=2.0, deviation=1.247)
    """

    _esm = bundle("likelihood_explorer.js")
    _css = styles("kit.css")
    title: str = "Likelihood explorer"
    question: str = "Which bell curve explains these points best?"
    task: str = "Climb to the top of the hill by feel. You are there when every step makes the log-likelihood smaller."

    points: Points = Points()
    mean: Number = Number()
    deviation: Number = Number(1.0)
    feature_name: Text = traitlets.Unicode("x").tag(sync=True)
    style_index: Count = traitlets.Int(0, min=0, max=len(COLORS) - 1).tag(sync=True)

    def __init__(self, points: ArrayLike = (1.2, 2.0, 2.3, 3.1, 4.4), **traits: Any) -> None:
        points = np.asarray(points, dtype=float)
        usable = points.size and np.isfinite(points).all()  # else it is refused below
        start = {"mean": points.min(), "deviation": points.std() / 2 or 1.0} if usable else {}
        super().__init__(**start | {"points": points} | traits)

    @traitlets.validate("points", "deviation")
    def _check_sense(self, proposal: Any) -> Any:
        """Check a new value."""
        name, value = proposal.trait.name, proposal.value
        if name == "points" and (value.ndim != 1 or not 1 <= len(value) <= MOST_POINTS):
            raise TraitError(
                f"points must be a sample on a line, of shape (n,), n from 1 to {MOST_POINTS}, not {value.shape}"
            )
        if name == "deviation" and value <= 0:
            raise TraitError(f"deviation must be positive, not {value}")
        return value

    def __repr__(self) -> str:
        return f"LikelihoodExplorer({len(self.points)} points, mean={self.mean:.4}, deviation={self.deviation:.4})"

    def _draw(self) -> Figure:
        figure = Figure(figsize=(8, 3.6))
        ax, plane = figure.subplots(1, 2)
        plot_density(Gaussian(self.mean, self.deviation**2), ax, color=COLORS[self.style_index])
        ax.plot(self.points, np.zeros(len(self.points)), "|", color="black", markersize=12)
        total = norm.logpdf(self.points, self.mean, self.deviation).sum()
        note = f"μ = {self.mean:.4g}, σ = {self.deviation:.4g}\nlog-likelihood {total:.4f}"
        plot_note(note.replace(" -", " −"), ax)  # a minus sign, which is wider than a hyphen
        ax.set(xlabel=self.feature_name, ylim=(None, 1.3 * ax.get_ylim()[1]))  # room for the note
        top = max(2 * self.points.std(), 1.2 * self.deviation)
        left, right = ax.get_xlim()
        mu, sigma = np.meshgrid(np.linspace(left, right, 151), np.linspace(top / 100, top, 150))
        squares = np.sum((self.points - self.points.mean()) ** 2) + len(self.points) * (self.points.mean() - mu) ** 2
        surface = -len(self.points) * np.log(np.sqrt(2 * np.pi) * sigma) - squares / (2 * sigma**2)
        levels, style = surface.max() - [300, 100, 30, 10, 3, 1], {"linewidths": 1, "linestyles": "solid"}
        plane.contour(mu, sigma, surface, levels, colors=COLORS[self.style_index], **style)
        plane.plot(self.mean, self.deviation, "o", color=COLORS[self.style_index])
        plane.plot(self.points.mean(), self.points.std(), "x", color="black")
        plane.set(xlabel="μ", ylabel="σ", ylim=(0, top))
        return figure
