"""The threshold explorer: Gaussians on a line, thresholds between them, and what these cost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np
import traitlets
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from scipy.stats import norm
from traitlets import TraitError

from bayeslab._base.arrays import Array as Matrix
from bayeslab.boundary import QuadraticSurface
from bayeslab.explore._bundle import bundle, styles
from bayeslab.explore._canvas_explorer import Array, CanvasExplorer, Classes, Text
from bayeslab.explore._content import styles_of
from bayeslab.gaussian import Gaussian
from bayeslab.plotting import COLORS, plot_density, plot_note

LISTS: tuple[str, ...] = ("means", "deviations", "priors", "costs")

Mode = Literal["densities", "posterior"]


class ThresholdExplorer(CanvasExplorer):
    """Drag two or three Gaussians and the thresholds between them along a line, and see the areas of the mistakes.

    The classes are decided for in their order: the first one left of the first threshold, and so on.

    Parameters
    ----------
    gaussians : sequence of 2 or 3 Gaussian with d = 1, optional
    priors : (K,) array, optional
        By default equal.
    **traits
        Any of the traits below.

    Attributes
    ----------
    means, deviations, priors : (K,) arrays
    costs : (K,) array
        What a mistake about a sample of each class costs.
    thresholds : (K - 1,) array
        In ascending order; by default halfway between the means.
    class_names : list of K labels
    classes : list
        All labels in order, so that a class keeps its colour and marker where others are missing.
    feature_name : str
        What the axis shows.
    mode : {"densities", "posterior"}
        Whether the curves are prior × density or the posterior.

    Raises
    ------
    traitlets.TraitError
        If a trait is set to what makes no sense; it then keeps its value.

    Examples
    --------
    >>> explorer = ThresholdExplorer([Gaussian(0, 1), Gaussian(2, 1)], [0.9, 0.1])
    >>> explorer.thresholds.tolist(), explorer.deviations.tolist()
    ([1.0], [1.0, 1.0])
    >>> explorer.thresholds = [2.1]  # as a reader does in the browser
    """

    _esm = bundle("threshold_explorer.js")
    _css = styles("kit.css", "threshold_explorer.css")
    title: str = "Threshold explorer"
    question: str = "Where should the line between two kinds be?"
    task: str = "Drag the thick line to the fewest mistakes, then to the cheapest place. How far apart are they?"

    means: Array = Array()
    deviations: Array = Array()
    priors: Array = Array()
    costs: Array = Array()
    thresholds: Array = Array()
    class_names: Classes = traitlets.List().tag(sync=True)
    classes: Classes = traitlets.List().tag(sync=True)
    feature_name: Text = traitlets.Unicode("x").tag(sync=True)
    mode: traitlets.Enum[Mode] = traitlets.Enum(get_args(Mode), "densities").tag(sync=True)
    _n_classes: int | None = None  # until it is made

    def __init__(
        self, gaussians: Sequence[Gaussian] | None = None, priors: ArrayLike | None = None, **traits: Any
    ) -> None:
        gaussians = [Gaussian(0, 1), Gaussian(3, 2.25)] if gaussians is None else list(gaussians)
        wrong = [each for each in gaussians if not isinstance(each, Gaussian) or each.n_features != 1]
        if wrong:
            raise TypeError(f"a threshold explorer needs Gaussians on a line, such as Gaussian(0, 1), not {wrong[0]!r}")
        K, means = len(gaussians), np.array([each.mean[0] for each in gaussians])
        content = {
            "class_names": [chr(ord("A") + k) for k in range(K)],
            "means": means,
            "deviations": [np.sqrt(each.covariance[0, 0]) for each in gaussians],
            "priors": np.full(K, 1 / K) if priors is None else priors,
            "costs": np.ones(K),
            "thresholds": np.sort((means[1:] + means[:-1]) / 2),
        } | traits
        super().__init__(**{"classes": content["class_names"]} | content)
        self._n_classes = len(self.class_names)

    @property
    def gaussians(self) -> list[Gaussian]:
        """The classes as they are on the screen."""
        return [Gaussian(*pair) for pair in zip(self.means, self.deviations**2, strict=True)]

    @traitlets.validate(*LISTS, "thresholds", "class_names")
    def _check_sense(self, proposal: Any) -> Any:
        """Check a new value against all others; several may be new, while notifications are held."""
        now = {name: getattr(self, name) for name in (*LISTS, "thresholds", "class_names")}
        now[proposal.trait.name] = proposal.value
        _check(**now)
        K = len(now["class_names"])
        if self._n_classes not in (None, K):  # each has its sliders
            raise TraitError(f"this explorer has {self._n_classes} classes: make a new one for {K}")
        return proposal.value

    def __repr__(self) -> str:
        return f"ThresholdExplorer({len(self.means)} classes, thresholds={self.thresholds.round(4).tolist()})"

    def _draw(self) -> Figure:
        figure = Figure(figsize=(7.5, 3.8))
        ax, styles = figure.subplots(), styles_of(self.class_names, self.classes)
        ends = np.concatenate([[-np.inf], self.thresholds, [np.inf]])
        z = (ends[:, None] - self.means) / self.deviations
        lost = np.diag(norm.cdf(z[:-1]) + norm.sf(z[1:])) * self.priors
        for k, gaussian in enumerate(self.gaussians):
            color, name = COLORS[styles[k]], str(self.class_names[k])
            plot_density(gaussian, ax, weight=self.priors[k], color=color, label=name)
            x = np.linspace(*ax.get_xlim(), 801)
            mistaken = np.searchsorted(self.thresholds, x) != k
            height = self.priors[k] * np.exp(gaussian.log_density(x))
            ax.fill_between(x, height, where=mistaken, color=color, alpha=0.4, linewidth=0)
        for threshold in self.thresholds:
            ax.axvline(threshold, color="black")
        self._draw_bayes(ax)
        plot_note(f"error {lost.sum():.4f}\naverage cost {lost @ self.costs:.4f}", ax)
        ax.set(xlabel=self.feature_name, ylabel="prior × density", ylim=(0, 1.25 * ax.get_ylim()[1]))  # room for words
        ax.legend(loc="upper right")
        return figure

    def _draw_bayes(self, ax: Axes) -> None:
        """Draw where the rule of the least error changes its decision, and say so above the frame, where it is calm."""
        (low, high), last = ax.get_xlim(), -np.inf
        for place in self._bayes_places():
            if low < place < high:
                ax.axvline(place, color="0.35", linestyle=":", linewidth=1.2)
                if place - last > (high - low) / 12:
                    ax.text(place, 1.01, "Bayes", transform=ax.get_xaxis_transform(), ha="center", va="bottom")
                    last = place

    def _bayes_places(self) -> list[float]:
        """Return where two classes have the same prior × density and no other has more, in order."""
        possible, places = np.flatnonzero(self.priors), []
        for pair in combinations(possible, 2):
            priors = self.priors[list(pair)]
            a, b = (self.gaussians[k] for k in pair)
            surface = QuadraticSurface.between(a, b, priors / priors.sum())
            for place in surface.roots():
                joint = {k: np.log(self.priors[k]) + self.gaussians[k].log_density(place) for k in possible}
                if max(joint, key=lambda k: joint[k]) in pair:
                    places.append(float(place))
        return sorted(places)


def _check(
    means: Matrix, deviations: Matrix, priors: Matrix, costs: Matrix, thresholds: Matrix, class_names: list[Any]
) -> None:
    """Raise a TraitError that says what makes no sense."""
    K = len(class_names)
    if K not in (2, 3) or len(set(class_names)) < K:
        raise TraitError(f"class_names must be 2 or 3 different labels, not {class_names}")
    for name, array in zip(LISTS, (means, deviations, priors, costs), strict=True):
        if array.shape != (K,):
            raise TraitError(f"{name} must have shape {(K,)}, for {K} classes, not {array.shape}")
    if (deviations <= 0).any():
        raise TraitError(f"deviations must be positive, not {deviations.tolist()}")
    if (priors < 0).any() or not np.isclose(priors.sum(), 1):
        raise TraitError(f"priors must be non-negative and sum to 1, but {priors.tolist()} sums to {priors.sum():g}")
    if (costs < 0).any():
        raise TraitError(f"costs must be non-negative, not {costs.tolist()}")
    if thresholds.shape != (K - 1,) or (np.diff(thresholds) < 0).any():
        raise TraitError(
            f"thresholds must be {K - 1} in ascending order, between {K} classes, not {thresholds.tolist()}"
        )
