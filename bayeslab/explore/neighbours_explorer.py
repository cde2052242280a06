"""k nearest neighbours to play with: the circle of a new point, cells of its neighbours, and the error of every k."""

from __future__ import annotations

from typing import Any

import numpy as np
import traitlets
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import ArrayLike
from sklearn.neighbors import KNeighborsClassifier
from traitlets import TraitError

from bayeslab._base.arrays import Array as Matrix
from bayeslab.boundary import QuadraticSurface
from bayeslab.explore._bundle import bundle, styles
from bayeslab.explore._canvas_explorer import Array, Count
from bayeslab.explore._content import LIMITS, Data, points_of
from bayeslab.explore._points_explorer import PointsExplorer
from bayeslab.gaussian import Gaussian
from bayeslab.plotting import COLORS, plot_boundary, plot_points, plot_regions


class NeighboursExplorer(PointsExplorer):
    """Drag a new point and see which k neighbours decide about it; or drag the neighbours.

    Beside the plane stands the error of every k: on the points themselves, with one left out, and, where the densities
    that made the points are known, the true one.

    Parameters
    ----------
    data : Dataset or (X, y)
        Of two to five classes, with at most 600 points. Of more than two features the last two are shown, and others
        can be chosen in the browser. X may be a frame.
    k : int, optional
        Neighbours that vote, at most 65.
    query : (2,) array, optional
        Where the new point lies; by default in the middle of all points.

    Raises
    ------
    traitlets.TraitError
        If an attribute is set to what makes no sense; it then keeps its value.

    Examples
    --------
    >>> X = [[0, 0], [1, 0], [0, 1], [4, 4], [5, 4]]
    >>> explorer = NeighboursExplorer((X, ["a", "a", "a", "b", "b"]), k=3, query=[1, 1])
    >>> explorer.classifier().predict([explorer.query]).tolist()
    ['a']
    """

    _esm = bundle("neighbours_explorer.js")
    _css = styles("kit.css", "neighbours_explorer.css")
    title: str = "Neighbours explorer"
    question: str = "How many neighbours should vote?"
    task: str = "Find the k that is best for new points. Then show the truth: which curve would have told you?"
    MOST_POINTS: int = LIMITS["neighbours"]["points"]

    query: Array = Array()
    k: Count = traitlets.Int(15, min=1, max=LIMITS["neighbours"]["voters"]).tag(sync=True)

    def __init__(self, data: Data | None = None, k: int = 15, query: ArrayLike | None = None, **traits: Any) -> None:
        given = data is None and {"points", "class_names"} <= traits.keys()  # as code copied in the browser has them
        content = ({} if given else points_of(data)) | traits
        super().__init__(**content | {"k": k} | ({} if query is None else {"query": query}))
        if query is None:
            self.query = self.X.mean(axis=0)

    def _check(self, class_names: list[Any], points: Matrix, **densities: Matrix) -> None:
        super()._check(class_names, points, **densities)
        if len(points) < 2:
            raise TraitError(f"a point needs another for its neighbour: there must be 2 points, not {len(points)}")

    def classifier(self) -> KNeighborsClassifier:
        """Return the rule on the screen, fitted; where distances are equal, scikit-learn may ask other neighbours."""
        return KNeighborsClassifier(min(self.k, len(self.points) - 1)).fit(self.X, self.y)

    @traitlets.validate("query")
    def _check_place(self, proposal: Any) -> Any:
        if proposal.value.shape != (2,):
            raise TraitError(f"query must have shape (2,), not {proposal.value.shape}")
        return proposal.value

    def __repr__(self) -> str:
        place = ", ".join(f"{value:.4g}" for value in self.query)
        return f"NeighboursExplorer({len(self.points)} points, k={self.k}, query=({place}))"

    def _draw(self) -> Figure:
        figure = Figure(figsize=(5.2, 5.2))
        ax, rule = figure.subplots(), self.classifier()
        plot_regions(rule, np.vstack([self.X, self.query]), ax, classes=self._order)
        plot_points(self.X, self.y, ax, feature_names=self.feature_names, classes=self._order)
        if len(self.means) == 2:
            a, b = (Gaussian(*pair) for pair in zip(self.means, self.covariances, strict=True))
            surface = QuadraticSurface.between(a, b, self.priors)
            plot_boundary(surface, ax, color=COLORS[8], linestyle="--")
        radius = rule.kneighbors([self.query])[0][0, -1]
        ax.add_patch(Circle(tuple(self.query), radius, fill=False, linewidth=1.5, zorder=5))
        ax.plot(*self.query, "kx", markersize=10, markeredgewidth=2.5, zorder=5)
        ax.set_aspect("equal")
        return figure
