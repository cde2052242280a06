"""Watch variance: rules that learn from one sample after another, and the boundary that each sample leaves behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import traitlets
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from traitlets import TraitError

from bayeslab._base.arrays import Array as Matrix
from bayeslab._base.arrays import Labelled
from bayeslab.boundary import QuadraticSurface
from bayeslab.explore._bundle import bundle, constants, styles
from bayeslab.explore._canvas_explorer import Array, CanvasExplorer, Classes, Count, Names, Number
from bayeslab.explore._content import LIMITS, Source, content_of, styles_of
from bayeslab.explore._points_explorer import check_densities
from bayeslab.gaussian import Gaussian
from bayeslab.gaussian_classifier import GaussianClassifier
from bayeslab.plotting import COLORS, MARKERS, plot_ellipses
from bayeslab.risk import bayes_error, error_of

SCENES: dict[str, Any] = constants("variance_scenes.js")["SCENES"]
OPTIONS: dict[str, Any] = constants("constants.js")["GAUSSIAN_RULES"]
RULE_COLORS: dict[str, Any] = constants("rule_colors.js")["RULE_COLORS"]
LEAST: int = LIMITS["variance"]["points"][0]
MOST: int = LIMITS["variance"]["points"][1]
Variant = Literal["nearest mean", "naive", "LDA", "RDA", "QDA"]


class VarianceExplorer(CanvasExplorer):
    """Draw samples of the same size from two known Gaussians, and watch the boundaries that rules learn from them.

    Parameters
    ----------
    source : TrueClassifier, Dataset or GaussianClassifier, optional
        Two classes in the plane, which are equally common here; by default two of different shapes.
    rules : sequence of str
        One or two of "LDA", "QDA", "RDA", "naive" (naive Bayes) and "nearest mean".
    n : int
        Points of each class in a sample, from 3 to 200.
    seed : int
        The same seed draws the same samples, here and in the browser.
    drawn : int
        Samples that have been drawn, from 1 to 200.
    shared : float
        What RDA shares of the covariances, from 0 (QDA) to 1 (LDA).

    Raises
    ------
    traitlets.TraitError
        If an attribute is set to what makes no sense; it then keeps its value.

    Examples
    --------
    >>> explorer = VarianceExplorer(rules=("LDA", "QDA"), n=8, drawn=100)
    >>> (100 * explorer.errors()).mean(axis=0).round(1).tolist()  # true errors in percent, with only 8 points a class
    [5.1, 6.2]
    >>> X, y = explorer.sample(0)
    >>> X.shape, y.tolist() == ["A"] * 8 + ["B"] * 8
    ((16, 2), True)
    """

    _esm = bundle("variance_explorer.js")
    _css = styles("kit.css", "variance_explorer.css")
    title: str = "Variance explorer"
    question: str = "How much does a rule depend on its sample?"
    task: str = "Draw 100 samples. See whose lines jump more, and how many points QDA needs before it beats LDA."

    class_names: Classes = traitlets.List(["A", "B"]).tag(sync=True)
    classes: Classes = traitlets.List(["A", "B"]).tag(sync=True)
    feature_names: Names = traitlets.List(traitlets.Unicode(), ["x₁", "x₂"], minlen=2, maxlen=2).tag(sync=True)
    means: Array = Array(2)
    covariances: Array = Array(2, 2)
    rules: traitlets.List[Variant] = traitlets.List(
        traitlets.Enum(get_args(Variant)), ["LDA", "QDA"], minlen=1, maxlen=2
    ).tag(sync=True)
    shared: Number = Number(0.5, min=0, max=1)
    n: Count = traitlets.Int(8, min=LEAST, max=MOST).tag(sync=True)
    seed: Count = traitlets.Int(0, min=0, max=LIMITS["variance"]["seed"]).tag(sync=True)
    drawn: Count = traitlets.Int(1, min=1, max=LIMITS["variance"]["samples"]).tag(sync=True)

    def __init__(
        self,
        source: Source = None,
        rules: Sequence[Variant] = ("LDA", "QDA"),
        n: int = 8,
        seed: int = 0,
        drawn: int = 1,
        **traits: Any,
    ) -> None:
        content = SCENES["two shapes"] if source is None else _two_classes_of(source)
        own = {"rules": list(rules), "n": n, "seed": seed, "drawn": drawn}
        super().__init__(**content | own | traits)

    @property
    def gaussians(self) -> list[Gaussian]:
        """The true densities."""
        return [Gaussian(*pair) for pair in zip(self.means, self.covariances, strict=True)]

    def sample(self, i: int) -> tuple[Matrix, Labelled]:
        """Return sample number i, counted from 0, as in the browser: X of shape (2 n, 2), and the labels y."""
        u, v = _random_numbers(self.seed, 4 * self.n * i, 4 * self.n).reshape(-1, 2).T
        radius, angle = np.sqrt(-2 * np.log(1 - u)), 2 * np.pi * v
        Z = (radius * [np.cos(angle), np.sin(angle)]).T.reshape(2, self.n, 2)
        X = [μ + z @ np.linalg.cholesky(Σ).T for μ, Σ, z in zip(self.means, self.covariances, Z, strict=True)]
        return np.concatenate(X), np.repeat(np.array(self.class_names), self.n)

    def classifiers(self, i: int) -> list[GaussianClassifier]:
        """Return the rules, fitted to sample number i."""
        X, y = self.sample(i)
        return [rule.fit(X, y) for rule in self._unfitted()]

    def errors(self) -> Matrix:
        """Return the true error of each rule after each sample, shape (drawn, number of rules)."""
        truth = self.gaussians
        return np.array([[self._error(rule, truth) for rule in self.classifiers(i)] for i in range(self.drawn)])

    def bayes_error(self) -> float:
        """Return the error of the best possible rule."""
        return bayes_error(self.gaussians).value

    def _unfitted(self) -> list[GaussianClassifier]:
        options = [OPTIONS[rule] for rule in self.rules]
        return [
            GaussianClassifier(**each | ({"shared": self.shared} if each["shared"] is None else {})) for each in options
        ]

    def _error(self, rule: GaussianClassifier, truth: list[Gaussian]) -> float:
        return error_of(rule, [truth[self.class_names.index(name)] for name in rule.classes_.tolist()]).value

    @traitlets.validate("class_names", "means", "covariances")
    def _check_densities(self, proposal: Any) -> Any:
        together = {name: getattr(self, name) for name in ("class_names", "means", "covariances")}
        together[proposal.trait.name] = proposal.value
        names = together["class_names"]
        if len(names) != 2 or names[0] == names[1]:
            raise TraitError(f"class_names must be 2 different labels, not {names}")
        check_densities(**together, priors=np.array([0.5, 0.5]))
        return proposal.value

    @traitlets.validate("rules")
    def _check_rules(self, proposal: Any) -> Any:
        if len(set(proposal.value)) < len(proposal.value):
            raise TraitError(f"rules must be different, not {proposal.value}")
        return proposal.value

    def __repr__(self) -> str:
        rules = " and ".join(self.rules)
        return f"VarianceExplorer({rules}, {self.drawn} draws of {self.n} points per class, seed={self.seed})"

    def _draw(self) -> Figure:
        errors, number = 100 * self.errors(), len(self.rules)
        figure = Figure(figsize=(5.2 * max(number, 1.3), 5.8), layout="constrained")
        rows: list[Any] = [[*self.rules], ["errors"] * number]
        places = figure.subplot_mosaic(rows, height_ratios=[3.2, 1])
        strip, axes = places["errors"], [places[rule] for rule in self.rules]
        reach = 2.7 * np.sqrt(self.covariances.diagonal(axis1=1, axis2=2))
        low, high = (self.means - reach).min(axis=0), (self.means + reach).max(axis=0)
        half = max(*(high - low)) / 2
        window = [(middle - half, middle + half) for middle in (low + high) / 2]
        X, y = self.sample(self.drawn - 1)
        order = styles_of(self.class_names, self.classes)
        fitted = [self.classifiers(i) for i in range(self.drawn)]
        for ax, rule, column in zip(axes, self.rules, zip(*fitted, strict=True), strict=True):
            color = RULE_COLORS[rule][0]
            for i, each in enumerate(column):
                style = {"linewidth": 2.4, "zorder": 5} if i == self.drawn - 1 else {"linewidth": 0.8, "alpha": 0.4}
                _draw_boundary(each.gaussians_, window, ax, color=color, **style)
            for name, place in zip(self.class_names, order, strict=True):
                marks: dict[str, Any] = {"color": COLORS[place], "marker": MARKERS[place], "s": 22, "zorder": 4}
                ax.scatter(*X[y == name].T, edgecolors="white", linewidths=0.5, label=name, **marks)
            plot_ellipses(self.gaussians, ax, n_sigma=(1, 2), colors=[COLORS[place] for place in order])
            _draw_boundary(self.gaussians, window, ax, color="black", linewidth=2.6, zorder=5)
            ax.set(xlim=window[0], ylim=window[1], xlabel=self.feature_names[0], title=_name_of(rule))
        axes[0].set_ylabel(self.feature_names[1])
        axes[-1].legend(loc="upper left", bbox_to_anchor=(1, 1))
        self._draw_errors(strip, errors)
        return figure

    def _draw_errors(self, ax: Axes, errors: Matrix) -> None:
        bayes, number = 100 * self.bayes_error(), len(self.rules)
        for row, (rule, values) in enumerate(zip(self.rules, errors.T, strict=True)):
            height, color = number - row, RULE_COLORS[rule][0]
            spread = np.linspace(0.08, 0.55, 7)[np.arange(len(values)) % 7] if len(values) > 1 else 0.2
            ax.plot(values, height + spread, ".", color=color, markersize=4)
            deviation = values.std(ddof=1) if len(values) > 1 else 0
            ax.plot(
                [max(values.mean() - deviation, bayes), values.mean() + deviation], [height] * 2, color=color, lw=2.5
            )
            ax.plot(values.mean(), height, "D", color=color, markersize=6)
        ax.axvline(bayes, color="black")
        label = f"Bayes error {bayes:.3g} %"
        ax.annotate(label, (bayes, 1), (3, 3), xycoords=("data", "axes fraction"), textcoords="offset points")
        ax.set_yticks(range(number, 0, -1), [_name_of(rule) for rule in self.rules])
        ax.set(ylim=(0.7, number + 0.7), xlabel="true error (%), a dot for each draw; mean ± standard deviation")


def _two_classes_of(source: Source) -> dict[str, Any]:
    content = content_of(source)
    if content["table"]:
        raise ValueError(f"the explorer draws 2 features, not {len(content['table']['features'])}: choose two")
    if len(content["class_names"]) != 2:
        raise ValueError(f"the explorer draws two classes, not {content['class_names']}: choose two")
    if not np.allclose(content["priors"], 0.5):
        raise ValueError(f"both classes are equally common here, but their priors are {content['priors']}")
    names = ("means", "covariances", "class_names", "classes", "feature_names")
    return {name: content[name] for name in names if name in content}


def _name_of(rule: str) -> str:
    return "naive Bayes" if rule == "naive" else rule


def _draw_boundary(gaussians: Any, window: ArrayLike, ax: Axes, **style: Any) -> None:
    for arc in QuadraticSurface.between(*gaussians).curve(window):
        ax.plot(*arc.T, **style)


def _random_numbers(seed: int, start: int, number: int) -> Matrix:
    """Return numbers in [0, 1) as `randomNumbers` of js/math/numbers.js gives them (mulberry32), from a place on."""
    state = (np.arange(start + 1, start + 1 + number, dtype=np.uint64) * 0x6D2B79F5 + seed).astype(np.uint32)
    t = (state ^ (state >> 15)) * (state | np.uint32(1))
    t ^= t + (t ^ (t >> 7)) * (t | np.uint32(61))
    return (t ^ (t >> 14)) / 2**32
