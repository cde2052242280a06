"""Regularised discriminant analysis to play with: the plane between QDA, LDA and LDA without correlations."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import traitlets
from matplotlib.figure import Figure
from traitlets import TraitError

from bayeslab._base.arrays import Array as Matrix
from bayeslab.covariance_kinds import blend, class_covariances
from bayeslab.datasets import Dataset
from bayeslab.explore._bundle import bundle, styles
from bayeslab.explore._canvas_explorer import Number
from bayeslab.explore._content import LIMITS, Data, points_of
from bayeslab.explore._points_explorer import PointsExplorer
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.gaussian_classifier import GaussianClassifier
from bayeslab.moments import Moments
from bayeslab.plotting import COLORS, plot_ellipses, plot_points, plot_regions
from bayeslab.truth import TrueClassifier

Error = Literal["none", "left out", "true"]
SIDES: Matrix = np.linspace(0, 1, LIMITS["regularised"]["side"])  # of the map
CORNERS = [
    ("QDA", 0.03, 0.03, "left"),
    ("LDA", 0.03, 0.97, "left"),
    ("diagonal LDA", 0.97, 0.5, "right"),
]


class RegularisedExplorer(PointsExplorer):
    """Drag a dot over the plane of `shared` and `shrinkage`, and see ellipses, boundary and errors follow.

    The map shows the error of `GaussianClassifier` for every pair: with one point left out or, where the densities that
    made the points are known, the true one.

    Parameters
    ----------
    data : Dataset or (X, y), optional
        Of two to five classes, with at least 3 points each and at most 200 in all; by default few points of three
        Gaussians. Of more than two features the last two are shown, and others can be chosen in the browser.
    shared, shrinkage : float, optional
        As in `GaussianClassifier`.
    error : {"left out", "none", "true"}
        What the map shows. The true error, and no error at all, can be shown where the densities are known.

    Raises
    ------
    traitlets.TraitError
        If an attribute is set to what makes no sense; it then keeps its value.

    Examples
    --------
    >>> explorer = RegularisedExplorer(shared=0.5, shrinkage=0.25)
    >>> explorer.classifier()
    GaussianClassifier(shared=0.5, shrinkage=0.25)
    """

    _esm = bundle("regularised_explorer.js")
    _css = styles("kit.css", "regularised_explorer.css")
    title: str = "Regularised explorer"
    question: str = "What lies between LDA and QDA?"
    task: str = "Drag the ring from QDA to LDA and watch the ellipses. Then choose “one left out”, and beat both."
    MOST_POINTS: int = LIMITS["regularised"]["points"]

    shared: Number = Number(0.0, min=0, max=1)
    shrinkage: Number = Number(0.0, min=0, max=1)
    error: traitlets.Enum[Error] = traitlets.Enum(get_args(Error), "left out").tag(sync=True)

    def __init__(
        self,
        data: Data | None = None,
        shared: float = 0.0,
        shrinkage: float = 0.0,
        error: Error = "left out",
        **traits: Any,
    ) -> None:
        content = points_of(few_points() if data is None else data) | traits
        super().__init__(**content | {"shared": shared, "shrinkage": shrinkage, "error": error})

    def classifier(self) -> GaussianClassifier:
        """Return the rule on the screen, fitted; raise what a fit raises where a covariance has no inverse."""
        return GaussianClassifier(shared=self.shared, shrinkage=self.shrinkage).fit(self.X, self.y)

    def errors(self) -> Matrix:
        """Return errors, shape (21, 21): a row for each `shared`, a column for each `shrinkage`; NaN where refused."""
        K, (X, label) = len(self.class_names), (self.X, self.points[:, 2])
        if self.error == "true":
            places, lost = self._lattice()
            return _expected_errors(places, lost, [[X[label == k] for k in range(K)]])
        lost = (label[:, None] != range(K)) / len(X)
        kept = ~np.eye(len(X), dtype=bool)
        return _expected_errors(X, lost, [[X[rows & (label == k)] for k in range(K)] for rows in kept])

    def _lattice(self) -> tuple[Matrix, Matrix]:
        """Places over 5σ of all classes, and what each decision loses there of the probability."""
        deviations = 5 * np.sqrt(self.covariances.diagonal(axis1=1, axis2=2))
        low, high = (self.means - deviations).min(axis=0), (self.means + deviations).max(axis=0)
        step = (high - low) / LIMITS["lattice"]["side"]
        sides = low + (np.arange(LIMITS["lattice"]["side"])[:, None] + 0.5) * step
        places = np.stack(np.meshgrid(*sides.T), axis=-1).reshape(-1, 2)
        gaussians = [Gaussian(*pair) for pair in zip(self.means, self.covariances, strict=True)]
        densities = np.exp([gaussian.log_density(places) for gaussian in gaussians]).T
        joint = self.priors * densities * np.prod(step)
        return places, joint.sum(axis=1, keepdims=True) - joint

    def _check(self, class_names: list[Any], points: Matrix, **densities: Matrix) -> None:
        super()._check(class_names, points, **densities)
        counts = np.bincount(points[:, 2].astype(int), minlength=len(class_names))
        if counts.min() < 3:
            raise TraitError(f"each class needs 3 points, for one of them is left out, not {counts.tolist()}")
        spans = [np.ptp(points[points[:, 2] == k, :2], axis=0) for k in range(len(class_names))]
        for name, vary in zip(self.feature_names, np.any(spans, axis=0), strict=True):
            if not vary:
                raise TraitError(f"{name!r} does not vary within the classes: no rule here has a density then")

    @traitlets.validate("error")
    def _check_known(self, proposal: Any) -> Any:
        if proposal.value != "left out" and not len(self.means):
            raise TraitError(
                f'error="{proposal.value}" needs the densities that made the points: a Dataset with a truth'
            )
        return proposal.value

    def __repr__(self) -> str:
        return f"RegularisedExplorer({len(self.points)} points, shared={self.shared:g}, shrinkage={self.shrinkage:g})"

    def _draw(self) -> Figure:
        figure = Figure(figsize=(9.6, 4.3), layout="constrained")
        chart, plane = figure.subplots(1, 2)
        edges = (-0.025, 1.025)
        if self.error == "none":
            chart.set(xlim=edges, ylim=edges, aspect="equal")
        else:
            errors = 100 * self.errors()
            shades = chart.imshow(errors, origin="lower", cmap="Purples", extent=edges * 2)
            chart.set_facecolor("0.5")
            figure.colorbar(shades, ax=chart, label=f"error, {self._error_name} (%)")
            best = np.argwhere(errors < np.nanmin(errors) + 1e-7)
            chart.plot(SIDES[best[:, 1]], SIDES[best[:, 0]], "k.", markersize=5)
        chart.plot(self.shrinkage, self.shared, "o", color=COLORS[1], markersize=11, fillstyle="none", mew=3)
        paper = {"facecolor": "white", "alpha": 0.7, "edgecolor": "none", "pad": 1.5}
        for name, x, y, side in CORNERS:
            chart.text(x, y, name, ha=side, va="center", bbox=paper)
        chart.set(xlabel="shrinkage α", ylabel="shared γ")
        try:
            rule = self.classifier()
        except SingularCovarianceError:  # then the points alone
            pass
        else:
            plot_regions(rule, self.X, plane, classes=self._order)
            plot_ellipses(rule.gaussians_, plane, n_sigma=(2,), colors=[COLORS[place] for place in self._styles])
        plot_points(self.X, self.y, plane, feature_names=self.feature_names, classes=self._order)
        return figure

    @property
    def _error_name(self) -> str:
        return {"left out": "one left out", "true": "true"}[self.error]


def few_points() -> Dataset:
    """Return six points of each of three Gaussians: QDA has too few of them, and LDA is too simple."""
    gaussians = [
        Gaussian([0, 0], [[2, 1.3], [1.3, 1.4]]),
        Gaussian([2.4, 0], [[1.2, 0.9], [0.9, 1.6]]),
        Gaussian([0.4, 2.6], [[1.6, 0.3], [0.3, 0.9]]),
    ]
    truth = TrueClassifier(gaussians, ["A", "B", "C"])
    X, y = truth.sample(6, np.random.default_rng(6))
    return Dataset(X.round(2), y, ["x₁", "x₂"], "Six points of each of three Gaussians.", truth)


def _expected_errors(places: Matrix, lost: Matrix, folds: list[list[Matrix]]) -> Matrix:
    """Sum of what is lost at each place, (n, 2), by decisions, `lost` being (n, K), for each pair of settings.

    A fold is a list of K arrays, the points that are learned from: one for each place, or one for all.
    """
    moments = [[Moments.of(rows) for rows in fold] for fold in folds]
    own = np.array([class_covariances(each) for each in moments])
    pooled = np.array([class_covariances(each, shared=True) for each in moments])
    means = np.array([[each.mean for each in fold] for fold in moments])
    counts = np.array([[each.weight for each in fold] for fold in moments])
    deviations, result = places[:, None] - means, np.full((len(SIDES), len(SIDES)), np.nan)
    for i, j in np.ndindex(result.shape):
        Σ = blend(blend(own, pooled, float(SIDES[i])), pooled * np.eye(2), float(SIDES[j]))
        a, b, c = Σ[..., 0, 0], Σ[..., 0, 1], Σ[..., 1, 1]
        ρ = abs(b) / np.sqrt(a * c)
        if (1 - ρ <= 8 * np.finfo(float).eps * (1 + ρ)).any():  # singular, as judged in js/math/gaussian.js
            continue
        u, v = np.moveaxis(deviations, -1, 0)
        determinant = a * c - b * b
        D2 = (c * u * u - 2 * b * u * v + a * v * v) / determinant
        decisions = np.argmax(np.log(counts) - (np.log(determinant) + D2) / 2, axis=1)
        result[i, j] = lost[np.arange(len(lost)), decisions].sum()
    return result
