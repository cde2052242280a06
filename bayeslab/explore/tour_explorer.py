"""The tour: one rule, one density, and a choice of covariance, in seven steps that are done by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import traitlets
from matplotlib.figure import Figure
from traitlets import TraitError

from bayeslab._base.arrays import Array as Matrix
from bayeslab.explore._bundle import bundle, constants, styles
from bayeslab.explore._canvas_explorer import Array, CanvasExplorer, Count
from bayeslab.explore._content import LIMITS
from bayeslab.explore._points_explorer import check_densities
from bayeslab.explore.boundary_explorer import BoundaryExplorer
from bayeslab.explore.variance_explorer import VarianceExplorer, Variant
from bayeslab.gaussian import Gaussian
from bayeslab.plotting import plot_ellipses, plot_points

SCENES: list[dict[str, Any]] = constants("tour_scenes.js")["TOUR_SCENES"]
KINDS = ["blue", "orange"]
AXES = ["petal length (cm)", "petal width (cm)"]
SHOWN = 40  # flowers of a kind that are drawn where both are equally common; as in js/tour.js


class TourExplorer(CanvasExplorer):
    """What the course is about, in seven steps: one hill, two, a prior, and hills of other shapes.

    Each step says something, asks for one thing to be done, and answers.

    Parameters
    ----------
    step : int
        The step that it begins with, from 1 to 7.
    **traits
        Any of the traits below, by default as the step begins.

    Attributes
    ----------
    means, covariances, priors : (2, 2), (2, 2, 2) and (2,) arrays
        The true densities of the two kinds of flowers, and how common they are.
    star : (2,) array
        The flower without a name, in step 2.
    n, drawn : int
        Flowers of each kind in a draw, and draws, in step 7.

    Raises
    ------
    traitlets.TraitError
        If a trait is set to what makes no sense; it then keeps its value.

    Examples
    --------
    >>> TourExplorer(step=5).rule
    'LDA'
    """

    _esm = bundle("tour_explorer.js")
    _css = styles("kit.css", "tour_explorer.css")
    title: str = "One rule, one density, and a choice of covariance"
    question: str = "Which kind of flower is this?"
    task: str = "One rule answers, in seven small steps: do what the blue line says, and see what happens."

    step: Count = traitlets.Int(1, min=1, max=len(SCENES)).tag(sync=True)
    means: Array = Array(2)
    covariances: Array = Array(2, 2)
    priors: Array = Array()
    star: Array = Array()
    n: Count = traitlets.Int(8, min=LIMITS["variance"]["points"][0], max=LIMITS["variance"]["points"][1]).tag(sync=True)
    drawn: Count = traitlets.Int(1, min=1, max=LIMITS["variance"]["samples"]).tag(sync=True)

    def __init__(self, step: int = 1, **traits: Any) -> None:
        if step not in range(1, len(SCENES) + 1):
            raise TraitError(f"step must be a whole number from 1 to {len(SCENES)}, not {step!r}")
        scene = {name: SCENES[step - 1][name] for name in ("means", "covariances")}
        super().__init__(**{"step": step, **scene, "priors": [0.5, 0.5], "star": [4.3, 4]} | traits)

    @property
    def rule(self) -> Variant | None:
        """The rule of the step; the first has none."""
        rule: Variant | None = SCENES[self.step - 1]["rule"]
        return rule

    @property
    def gaussians(self) -> list[Gaussian]:
        """The true densities."""
        return [Gaussian(*pair) for pair in zip(self.means, self.covariances, strict=True)]

    @traitlets.validate("means", "covariances", "priors")
    def _check_densities(self, proposal: Any) -> Any:
        together = {name: getattr(self, name) for name in ("means", "covariances", "priors")}
        check_densities(KINDS, **together | {proposal.trait.name: proposal.value})
        return proposal.value

    @traitlets.validate("star")
    def _check_place(self, proposal: Any) -> Any:
        if proposal.value.shape != (2,):
            raise TraitError(f"star must be a place, of shape (2,), not {proposal.value.tolist()}")
        return proposal.value

    def __repr__(self) -> str:
        return f"TourExplorer(step={self.step})"

    def _points(self) -> Matrix:
        """Return the flowers that are drawn, in rows of x, y and kind."""
        X, _ = VarianceExplorer(n=2 * SHOWN, means=self.means, covariances=self.covariances).sample(0)
        counts = np.round(2 * SHOWN * self.priors).astype(int)
        return np.concatenate([np.c_[X[2 * SHOWN * k :][:count], np.full(count, k)] for k, count in enumerate(counts)])

    def _draw(self) -> Figure:
        densities: dict[str, Any] = {"means": self.means, "covariances": self.covariances, "feature_names": AXES}
        if self.step == len(SCENES):
            return VarianceExplorer(n=self.n, drawn=self.drawn, class_names=KINDS, classes=KINDS, **densities)._draw()
        points = self._points()
        if self.rule is not None:
            return BoundaryExplorer(
                rule=self.rule, points=points, priors=self.priors, class_names=KINDS, classes=KINDS, **densities
            )._draw()
        figure = Figure(figsize=(5.2, 4.2))
        ax = figure.subplots()
        own = points[points[:, 2] == 0, :2]
        plot_points(own, np.full(len(own), KINDS[0]), ax, feature_names=AXES, classes=KINDS)
        plot_ellipses(self.gaussians[:1], ax)
        ax.set_aspect("equal")
        return figure
