"""k nearest neighbours to play with: the circle of a new piece, cells of its neighbours, and the error of every k."""

from __future__ import annotations

import numpy as np
import traitlets
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from sklearn.neighbors import KNeighborsClassifier
from traitlets import TraitError

from bayeslab.boundary import QuadraticSurface
from bayeslab.explore._bundle import bundle, styles
from bayeslab.explore._canvas_explorer import Array, CanvasExplorer, Points
from bayeslab.explore._content import content_of, styles_of
from bayeslab.gaussian import Gaussian
from bayeslab.plotting import COLORS, plot_boundary, plot_points, plot_regions

MOST_NEIGHBOURS, MOST_POINTS = 65, 600  # as in js/neighbours_explorer.js; and with which a drag is still followed


class NeighboursExplorer(CanvasExplorer):
    """Drag a new piece and see which k neighbours decide about it; or drag the neighbours.

    Beside the plane stands the error of every k: on the points themselves, with one left out, and, where the densities
    that made the points are known, the true one.

    Parameters
    ----------
    data : Dataset or (X, y)
        Of two features and two to five classes, with at most 600 points.
    k : int, optional
        Neighbours that vote, at most 65.
    query : (2,) array, optional
        Where the new piece lies; by default in the middle of all points.

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
    _css = styles("kit.css")
    title = "Neighbours explorer"

    class_names = traitlets.List().tag(sync=True)
    classes = traitlets.List().tag(sync=True)
    feature_names = traitlets.List(traitlets.Unicode(), ["x₁", "x₂"], minlen=2, maxlen=2).tag(sync=True)
    points = Points(3, labelled=True)
    query = Array()
    k = traitlets.Int(15, min=1, max=MOST_NEIGHBOURS).tag(sync=True)
    means = Array(2)
    covariances = Array(2, 2)
    priors = Array()

    def __init__(self, data, k=15, query=None, **traits):
        content = content_of(data)
        if content["mode"] != "truth":  # then its densities were fitted
            content = {name: content[name] for name in content.keys() - {"means", "covariances", "priors"}}
        content = {name: content[name] for name in content.keys() - {"mode", "rule"}}
        query = np.mean(content["points"], axis=0)[:2] if query is None else query
        super().__init__(**content | {"k": k, "query": query} | traits)

    X = property(lambda self: self.points[:, :2])
    y = property(lambda self: np.array(self.class_names)[self.points[:, 2].astype(int)])

    def classifier(self) -> KNeighborsClassifier:
        """Return the rule on the screen, fitted; where distances are equal, scikit-learn may ask other neighbours."""
        return KNeighborsClassifier(min(self.k, len(self.points) - 1)).fit(self.X, self.y)

    @traitlets.validate("points")
    def _must_be_points(self, proposal):
        points, K = proposal.value, len(self.class_names)
        if points.ndim != 2 or points.shape[1] != 3 or not 2 <= len(points) <= MOST_POINTS:
            raise TraitError(f"points must have shape (n, 3), with n from 2 to {MOST_POINTS}, not {points.shape}")
        if not np.isin(points[:, 2], range(K)).all():
            raise TraitError(
                f"points must have the index of their class, 0 to {K - 1}, last, not {points[:, 2].max():g}"
            )
        return points

    @traitlets.validate("query")
    def _must_be_a_place(self, proposal):
        if proposal.value.shape != (2,):
            raise TraitError(f"query must have shape (2,), not {proposal.value.shape}")
        return proposal.value

    def __repr__(self) -> str:
        place = ", ".join(f"{value:.4g}" for value in self.query)
        return f"NeighboursExplorer({len(self.points)} points, k={self.k}, query=({place}))"

    def _draw(self) -> Figure:
        figure = Figure(figsize=(5.2, 5.2))
        ax, rule, names = figure.subplots(), self.classifier(), self.class_names
        places = styles_of(names, self.classes)
        order = [names[places.index(place)] if place in places else None for place in range(len(COLORS))]
        plot_regions(rule, np.vstack([self.X, self.query]), ax, classes=order)
        plot_points(self.X, self.y, ax, feature_names=self.feature_names, classes=order)
        if len(self.means) == 2:
            best = [Gaussian(*pair) for pair in zip(self.means, self.covariances, strict=True)]
            surface = QuadraticSurface.between(*best, priors=self.priors)
            plot_boundary(surface, ax, color=COLORS[8], linestyle="--")
        radius = rule.kneighbors([self.query])[0][0, -1]
        ax.add_patch(Circle(self.query, radius, fill=False, linewidth=1.5, zorder=5))
        ax.plot(*self.query, "kx", markersize=10, markeredgewidth=2.5, zorder=5)
        ax.set_aspect("equal")
        return figure
