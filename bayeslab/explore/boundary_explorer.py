"""The decision-boundary explorer: a widget whose mathematics and picture live in the browser."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import traitlets
from matplotlib.figure import Figure
from sklearn.neighbors import KNeighborsClassifier
from traitlets import TraitError

from bayeslab._base.arrays import Array as Matrix
from bayeslab.explore._bundle import bundle, styles
from bayeslab.explore._canvas_explorer import Array, Count, Flag, Number
from bayeslab.explore._content import MOST_NEIGHBOURS, MOST_POINTS_GIVEN, RULES, Rule, Source, content_of, tables
from bayeslab.explore._points_explorer import PointsExplorer, check_densities
from bayeslab.gaussian import Gaussian
from bayeslab.gaussian_classifier import GaussianClassifier
from bayeslab.moments import Moments
from bayeslab.plotting import COLORS, plot_ellipses, plot_points, plot_regions

Mode = Literal["truth", "estimate"]


class BoundaryExplorer(PointsExplorer):
    """Drag two to five Gaussian classes across the plane and see what becomes of the boundary between them.

    Parameters
    ----------
    data_or_classifier : Dataset, (X, y), GaussianClassifier or TrueClassifier, optional
        Data are shown in the mode "estimate", classifiers, of two features, in the mode "truth". Of data with more
        features the last two are shown, and others can be chosen in the browser. X may be a frame.
    rule : {"nearest mean", "naive", "LDA", "RDA", "QDA", "kNN"}, optional
        By default the rule that the classifier is, or QDA.
    **traits
        Any of the traits below.

    Attributes
    ----------
    means, covariances, priors : (K, 2), (K, 2, 2) and (K,) arrays
        The true densities: what is dragged.
    points : (n, 3) array
        The sample: x, y and the index of the class. `X` and `y` are the same in scikit-learn's form.
    class_names : list of K labels
    classes : list
        All labels in order, so that a class keeps its colour and marker where others are missing. By default those of
        the data set, also where the labels are some of those of iris or penguins.
    feature_names : list of 2 str
    mode : {"truth", "estimate"}
        Whether the rules go by the true densities, a shared covariance being Σ π_k Σ_k, or by estimates from the
        points.
    k : int
        Number of neighbours of kNN, which always goes by the points, and by no priors.
    shared : float in [0, 1]
        Of RDA, which goes from QDA to LDA: each class has (1 − shared)·(its own covariance) + shared·(the pooled one).
    show_regions, show_posterior, show_boundary, show_ellipses, show_contours, show_cut, side_by_side : bool
    cut : (2, 2) array
        Ends of the line on which prior × density is shown, where `show_cut` asks for that; empty for one through the
        first two means.
    compact : bool, optional
        Picture, rules and numbers only, in larger type, on a projector of 1280 × 720; keys 1 to 6 choose the rule. By
        default so in a notebook, and not on a page that is saved.

    Raises
    ------
    traitlets.TraitError
        If a trait is set to what makes no sense; it then keeps its value. To change the number of classes, set all
        that depends on it inside ``with explorer.hold_trait_notifications():``.

    Examples
    --------
    >>> explorer = BoundaryExplorer(rule="LDA")  # of two classes A and B about (0, 0) and (3, 3)
    >>> explorer.rule = "nearest mean"  # as a reader does in the browser
    >>> explorer.classifier().predict([[0, 0], [3, 3]]).tolist()
    ['A', 'B']
    """

    _esm = bundle("boundary_page.js")
    _css = styles("kit.css", "boundary_explorer.css")
    title: str = "Decision-boundary explorer"
    question: str = "Should the boundary be straight or curved?"
    task: str = "Make QDA's boundary as straight as LDA's. Then see what the ellipses have in common."

    MOST_POINTS: int = MOST_POINTS_GIVEN

    rule: traitlets.Enum[Rule] = traitlets.Enum(get_args(Rule), "QDA").tag(sync=True)
    mode: traitlets.Enum[Mode] = traitlets.Enum(get_args(Mode), "truth").tag(sync=True)
    k: Count = traitlets.Int(5, min=1, max=MOST_NEIGHBOURS).tag(sync=True)
    shared: Number = Number(0.5, min=0, max=1)
    show_regions: Flag = traitlets.Bool(True).tag(sync=True)
    show_posterior: Flag = traitlets.Bool(False).tag(sync=True)
    show_boundary: Flag = traitlets.Bool(True).tag(sync=True)
    show_ellipses: Flag = traitlets.Bool(True).tag(sync=True)
    show_contours: Flag = traitlets.Bool(False).tag(sync=True)
    show_cut: Flag = traitlets.Bool(False).tag(sync=True)
    cut: Array = Array(2)
    side_by_side: Flag = traitlets.Bool(False).tag(sync=True)
    datasets: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(self, data_or_classifier: Source = None, rule: Rule | None = None, **traits: Any) -> None:
        content = content_of(data_or_classifier) | ({} if rule is None else {"rule": rule})
        self.set_trait("datasets", tables())
        super().__init__(**content | traits)

    def classifier(self) -> GaussianClassifier | KNeighborsClassifier:
        """Return the rule on the screen as a fitted classifier; for kNN it is scikit-learn's.

        In the mode "estimate" it is fitted to the points, with the priors on the screen, and raises what such a fit
        raises; in the mode "truth" it has the means and covariances on the screen.
        """
        if self.rule == "kNN":
            neighbours = min(self.k, max(len(self.points), 1))
            return KNeighborsClassifier(neighbours).fit(self.X, self.y)
        names, parameters = np.array(self.class_names), dict(RULES[self.rule])
        parameters["priors"] = self.priors[np.argsort(names)]
        if parameters["shared"] is None:
            parameters["shared"] = self.shared
        if self.mode == "estimate":
            return GaussianClassifier(**parameters).fit(self.X, self.y)
        # Moments that have these means and covariances: a shared covariance is then pooled by the priors.
        weights = np.maximum(self.priors, 1e-200) if parameters["shared"] else np.ones(len(names))  # none is empty
        scatters = weights[:, None, None] * self.covariances
        moments = [Moments(*each) for each in zip(weights, self.means, scatters, strict=True)]
        return GaussianClassifier.of_moments(moments, names, ddof=0, **parameters)

    def _check(self, class_names: list[Any], points: Matrix, **densities: Matrix) -> None:
        super()._check(class_names, points, **densities)
        check_densities(class_names, **densities)  # which are what is dragged, and never missing

    @traitlets.validate("cut")
    def _check_two_ends(self, proposal: Any) -> Any:
        if proposal.value.shape not in ((0, 2), (2, 2)):
            raise TraitError(f"cut must be two places, of shape (2, 2), or empty, not {proposal.value.tolist()}")
        return proposal.value

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({len(self.means)} classes, {len(self.points)} points, rule={self.rule!r}, "
            f"mode={self.mode!r})"
        )

    def _draw(self) -> Figure:
        gaussians = [Gaussian(*pair) for pair in zip(self.means, self.covariances, strict=True)]
        corners = np.concatenate([self.X, *(gaussian.ellipse(3) for gaussian in gaussians)])
        figure = Figure(figsize=(5.2, 5.2))
        ax = figure.subplots()
        try:
            classifier = self.classifier()
            plot_regions(classifier, corners, ax, classes=self._order)
            fitted = getattr(classifier, "gaussians_", gaussians)
            if fitted is not gaussians and fitted[0].n_features == 2:  # a constant column is left out
                gaussians = [fitted[classifier.classes_.tolist().index(name)] for name in self.class_names]
        except ValueError:
            pass  # no decision: the points and the densities remain
        plot_points(self.X, self.y, ax, feature_names=self.feature_names, classes=self._order)
        plot_ellipses(gaussians, ax, colors=[COLORS[place] for place in self._styles])
        spans = np.ptp(corners, axis=0)
        if spans.max() >= 2.5 * spans.min():  # as on the canvas
            ax.set_aspect("auto")
        if len(self.points):
            ax.legend(loc="best")
        return figure
