"""What a covariance matrix is, as an ellipse to drag: its axes, its determinant, and what x₁ says about x₂."""

from __future__ import annotations

from typing import Any

import numpy as np
import traitlets
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from scipy.stats import norm
from traitlets import TraitError

from bayeslab.explore._bundle import bundle, styles
from bayeslab.explore._canvas_explorer import Array, CanvasExplorer, Number
from bayeslab.gaussian import Gaussian
from bayeslab.plotting import COLORS, plot_ellipses


class CovarianceExplorer(CanvasExplorer):
    """Drag the axes of an ellipse and see the covariance matrix, its eigenvectors, and the cut p(x₂ | x₁).

    Parameters
    ----------
    covariance : (2, 2) array, optional
    cut : float, optional
        The x₁ that is seen.

    Raises
    ------
    traitlets.TraitError
        If the covariance is not symmetric and positive definite; the explorer then stays as it was.

    Examples
    --------
    >>> explorer = CovarianceExplorer([[1, 0.6], [0.6, 1]], cut=2)
    >>> explorer.conditional()
    Gaussian(mean=[1.2], covariance=[[0.64]])
    """

    _esm = bundle("covariance_explorer.js")
    _css = styles("kit.css")
    title: str = "Covariance explorer"
    question: str = "What does a covariance do to a cloud?"
    task: str = "Make an ellipse that is not round, in which x₁ says nothing about x₂. Then look off the diagonal of Σ."

    covariance: Array = Array(2)
    cut: Number = Number(1.0)

    def __init__(self, covariance: ArrayLike = ((1, 0.6), (0.6, 1)), cut: float = 1.0, **traits: Any) -> None:
        super().__init__(covariance=covariance, cut=cut, **traits)

    def gaussian(self) -> Gaussian:
        """Return the density on the screen, about the origin."""
        return Gaussian([0, 0], self.covariance)

    def conditional(self) -> Gaussian:
        """Return the density of x₂ once x₁ = cut is seen."""
        (a, b), (_, c) = self.covariance
        return Gaussian(b / a * self.cut, c - b**2 / a)

    @traitlets.validate("covariance")
    def _check_covariance(self, proposal: Any) -> Any:
        if proposal.value.shape != (2, 2):
            raise TraitError(f"covariance must have shape (2, 2), not {proposal.value.shape}")
        try:
            Gaussian([0, 0], proposal.value)
        except ValueError as error:
            raise TraitError(f"covariance must be positive definite: {error}") from None
        return proposal.value

    def __repr__(self) -> str:
        return f"CovarianceExplorer({self.covariance.round(4).tolist()}, cut={self.cut:g})"

    def _draw(self) -> Figure:
        figure = Figure(figsize=(7.6, 3.8))
        plane, side = figure.subplots(1, 2)
        gaussian, conditional = self.gaussian(), self.conditional()
        plot_ellipses(gaussian, plane, colors=COLORS[:1])
        values, vectors = np.linalg.eigh(self.covariance)
        for end in (np.sqrt(values) * vectors).T:
            plane.plot(*np.column_stack([[0, 0], end]), color="black", linewidth=2)
        plane.axvline(self.cut, color=COLORS[1], linestyle="--")
        plane.set(xlabel="x₁", ylabel="x₂", aspect="equal")
        x = np.linspace(-1, 1, 401) * 3.5 * np.sqrt(self.covariance[1, 1]) + [[0], [conditional.mean[0] / 2]]
        x = np.sort(x.ravel())
        for density, style, label in (
            (gaussian.marginal(1), {"color": COLORS[0]}, "p(x₂)"),
            (conditional, {"color": COLORS[1], "linestyle": "--"}, f"p(x₂ | x₁ = {self.cut:g})"),
        ):
            side.plot(x, norm(density.mean[0], np.sqrt(density.covariance[0, 0])).pdf(x), label=label, **style)
        side.set(xlabel="x₂", ylabel="density", ylim=(0, 1.25 * side.get_ylim()[1]))  # room for the legend
        side.legend()
        return figure
