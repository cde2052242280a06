"""The EM algorithm half a step at a time, from starts that are dragged: the birds take colours, the ellipses move."""

from __future__ import annotations

from typing import Any

import numpy as np
import traitlets
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike
from traitlets import TraitError

from bayeslab._base.arrays import Array as Matrix
from bayeslab._base.arrays import as_samples
from bayeslab.em import CollapsedComponentError, EMIteration
from bayeslab.explore._bundle import bundle, styles
from bayeslab.explore._canvas_explorer import Array, CanvasExplorer, Count, Names, Points
from bayeslab.explore._content import LIMITS, names_of, table_of
from bayeslab.gaussian import Gaussian
from bayeslab.mixture import GaussianMixture
from bayeslab.plotting import plot_ellipses, plot_responsibilities

MOST: dict[str, Any] = LIMITS["EM"]


class EMExplorer(CanvasExplorer):
    """Go through the EM algorithm half a step at a time, and drag the places that it starts from.

    Parameters
    ----------
    X : (n, d) array or frame
        At most 1000 points. Of more than two columns the last two are shown, and others can be chosen in the browser.
    starts : (K, 2) array
        Means to start from, of at most 5 components; their weights are equal.
    sizes : (K,) array or float, optional
        Size of each start, from 0.02 to 2; 1, as in `GaussianMixture`, gives it the covariance of all points.
    step : int, optional
        How many half steps are made: an E-step is one, an M-step another.
    feature_names : list of 2 str, optional

    Raises
    ------
    traitlets.TraitError
        If an attribute is set to what makes no sense; it then keeps its value. To change the number of components, set
        `starts` and `sizes` inside ``with explorer.hold_trait_notifications():``.

    Examples
    --------
    >>> X = [[-1, 0], [0, 1], [0, -1], [4, 0], [5, 1], [5, -1]]
    >>> explorer = EMExplorer(X, starts=[[0, 0], [4, 0]])
    >>> explorer.mixture().means_.round(2).tolist()  # what EM finds from the starts on the screen
    [[-0.33, 0.0], [4.67, 0.0]]
    """

    _esm = bundle("em_explorer.js")
    _css = styles("kit.css", "em_explorer.css")
    title: str = "EM explorer"
    question: str = "Can groups be found without labels?"
    task: str = "Drag the three marks to a bad start, then press End. Did EM get stuck?"

    points: Points = Points(2)
    starts: Array = Array(2)
    sizes: Array = Array()
    step: Count = traitlets.Int(0, min=0).tag(sync=True)
    table: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)  # whose columns the browser offers
    feature_names: Names = traitlets.List(traitlets.Unicode(), ["x₁", "x₂"], minlen=2, maxlen=2).tag(sync=True)

    def __init__(self, X: ArrayLike, starts: ArrayLike, sizes: ArrayLike = 1.0, **traits: Any) -> None:
        sizes = np.full(len(np.atleast_1d(starts)), sizes) if np.ndim(sizes) == 0 else sizes
        names, X = names_of(X), as_samples(X)
        content: dict[str, Any] = {"table": table_of(X, names)} if X.shape[1] > 2 else {}
        content |= {"feature_names": names[-2:]} if names else {}
        super().__init__(points=X[:, -2:], starts=starts, sizes=sizes, **content | traits)

    def start(self) -> tuple[Matrix, Matrix, Matrix]:
        """Weights, means and covariances of the start on the screen: an `init` for `GaussianMixture`."""
        K = len(self.starts)
        covariances = self.sizes[:, None, None] ** 2 * np.cov(self.points.T, ddof=0)
        return np.full(K, 1 / K), self.starts.copy(), covariances

    def mixture(self) -> GaussianMixture:
        """Return what EM makes of the start on the screen; raise what such a fit raises, if a component collapses."""
        return self._mixture(tol=MOST["tolerance"] / len(self.points), max_iter=MOST["iterations"])

    def _mixture(self, **options: Any) -> GaussianMixture:
        return GaussianMixture(len(self.starts), init=self.start(), **options).fit(self.points)

    def _run(self) -> tuple[list[EMIteration], int]:
        """Return the iterations that the browser makes of the start, and the number of half steps in them."""
        try:
            history = self._mixture(tol=0, max_iter=MOST["iterations"]).history_
        except CollapsedComponentError as error:
            history = self._mixture(tol=0, max_iter=error.iteration - 1).history_
            return history, 2 * len(history) - 1  # one more E-step, and no M-step after it
        gains = np.abs(np.diff([iteration.log_likelihood for iteration in history])) * len(self.points)
        ends = np.flatnonzero(gains < MOST["tolerance"])
        history = history[: ends[0] + 2] if len(ends) else history
        return history, 2 * len(history) - 2

    @traitlets.validate("points", "starts", "sizes")
    def _check_sense(self, proposal: Any) -> Any:
        """Check a new value against the others; several may be new, while notifications are held."""
        now = {name: getattr(self, name) for name in ("points", "starts", "sizes")}
        _check(**now | {proposal.trait.name: proposal.value})
        return proposal.value

    def __repr__(self) -> str:
        return f"EMExplorer({len(self.points)} points, {len(self.starts)} components, step={self.step})"

    def _draw(self) -> Figure:
        figure = Figure(figsize=(7.6, 3.8))
        plane, climb = figure.subplots(1, 2)
        history, last = self._run()
        here = min(self.step, last)
        if here:
            plot_responsibilities(self.points, history[(here - 1) // 2].responsibilities(self.points), plane)
        else:
            plane.scatter(*self.points.T, s=32, color="0.6", edgecolors="white", linewidths=0.5)
        plot_ellipses(history[here // 2].gaussians, plane, n_sigma=(1, 2))
        plane.set(xlabel=self.feature_names[0], ylabel=self.feature_names[1])
        likelihoods = [iteration.log_likelihood * len(self.points) for iteration in history]
        climb.plot(likelihoods, color="0.6")
        climb.plot(likelihoods[: here // 2 + 1], "k.-")
        climb.xaxis.set_major_locator(MaxNLocator(integer=True))
        climb.set(xlabel="iteration", ylabel="log-likelihood ℓ")
        return figure


def _check(points: Matrix, starts: Matrix, sizes: Matrix) -> None:
    """Raise a TraitError that says what makes no sense."""
    if points.ndim != 2 or points.shape[1] != 2 or not 3 <= len(points) <= MOST["points"]:
        raise TraitError(f"points must have shape (n, 2), with n from 3 to {MOST['points']}, not {points.shape}")
    try:
        Gaussian([0, 0], np.cov(points.T, ddof=0))
    except ValueError as error:
        raise TraitError(f"the points must vary in all directions of the plane: {error}") from None
    if starts.ndim != 2 or starts.shape[1] != 2 or not 1 <= len(starts) <= MOST["components"]:
        raise TraitError(f"starts must have shape (K, 2), with K from 1 to {MOST['components']}, not {starts.shape}")
    far = (np.abs(starts - points.mean(axis=0)) / points.std(axis=0)).max()
    if far > MOST["farthest"]:
        raise TraitError(
            f"starts must be within {MOST['farthest']:g} standard deviations of the points, not {far:.3g} away"
        )
    if sizes.shape != (len(starts),):
        raise TraitError(f"one size for each start is needed, not {sizes.shape} for {len(starts)}")
    if ((sizes < MOST["sizes"][0]) | (sizes > MOST["sizes"][1])).any():
        raise TraitError(f"sizes must be from {MOST['sizes'][0]} to {MOST['sizes'][1]}, not {sizes.tolist()}")
