"""Plots of densities and decisions. Each takes something fitted or data, draws on `ax` and returns it.

`ax` is a Matplotlib Axes, by default the current one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.offsetbox import AnchoredText
from matplotlib.typing import ColorType, LineStyleType
from numpy.typing import ArrayLike

from bayeslab._base.arrays import Array, Labels, check_finite, check_number, code_labels
from bayeslab._base.failures import as_sentences
from bayeslab.boundary import QuadraticSurface
from bayeslab.classifier import BayesClassifier
from bayeslab.gaussian import Gaussian


def plot_regions(
    classifier: Any, X: ArrayLike, ax: Axes | None = None, *, classes: Sequence[Any] | None = None, n_grid: int = 400
) -> Axes:
    """Draw decision regions in pale class colours and the boundary between them in black.

    Parameters
    ----------
    classifier : fitted classifier of one or two features
    X : (n, d) array
        The window contains these samples and a margin around them.
    classes : list, optional
        All labels in order, so that a class keeps its colour when others are missing.
    n_grid : int
        Number of grid points along each side.

    Examples
    --------
    >>> from bayeslab import NearestMean
    >>> X = np.array([[0, 0], [2, 2], [8, 8], [10, 10]])
    >>> ax = plot_regions(NearestMean().fit(X, ["a", "a", "b", "b"]), X)
    >>> print("{:.1f} to {:.1f}".format(*ax.get_xlim()))  # the range of X, plus 8 % on either side
    -0.8 to 10.8
    """
    ax = ax or plt.gca()
    if not (hasattr(classifier, "classes_") and hasattr(classifier, "predict")):
        raise TypeError(f"classifier must be a fitted classifier, with predict and classes_, not {classifier!r}")
    check_number(n_grid, "n_grid", least=2, whole=True)
    sides = window_of(as_drawable(X), ax, n_grid)
    known = list(classifier.classes_ if classes is None else classes)
    colors = [COLORS[style_index(label, known)] for label in classifier.classes_]
    pale = ListedColormap([tuple(1 - 0.22 * (1 - np.array(to_rgb(color)))) for color in colors])
    grid = np.stack(np.meshgrid(*sides, indexing="xy"), axis=-1).reshape(-1, len(sides))
    scores = np.ascontiguousarray(_scores(classifier, grid).T)  # a row per class, along which the maxima are quick
    decision = scores.argmax(axis=0)
    if len(sides) == 1:
        return _plot_intervals(ax, sides[0], decision, pale)
    square = (n_grid, n_grid)
    if ax.get_xscale() == ax.get_yscale() == "linear":
        half = (sides[:, 1] - sides[:, 0]) / 2
        extent: Any = np.column_stack([sides[:, 0] - half, sides[:, -1] + half]).ravel()
        # An image, because next to a mesh of so many cells a legend takes seconds to find the best place.
        style: Any = {"aspect": ax.get_aspect(), "origin": "lower", "extent": extent, "interpolation": "nearest"}
        cells: Any = ax.imshow(decision.reshape(square), pale, zorder=0, **style)
    else:
        cells = ax.pcolormesh(*sides, decision.reshape(square), cmap=pale, zorder=0)
    cells.set_clim(-0.5, len(colors) - 0.5)
    for k in np.unique(decision)[1:]:
        lead = scores[k] - np.delete(scores, k, axis=0).max(axis=0)
        ax.contour(*sides, lead.reshape(square), levels=[0], colors="black", linewidths=1.4, zorder=2)
    ax.set(xlim=sides[0][[0, -1]], ylim=sides[1][[0, -1]])
    return ax


def window_of(X: Array, ax: Axes, n_grid: int) -> Array:
    """Points from end to end of each side of a window around the rows of X without gaps, shape (d, n_grid).

    They are evenly spaced on the screen, also where an axis is logarithmic.
    """
    whole = X[np.isfinite(X).all(axis=1)]
    if not len(whole):
        raise ValueError("no row of X is finite, so there is no window to draw")
    sides = []
    for axis, x in zip((ax.xaxis, ax.yaxis), whole.T, strict=False):
        scale = axis.get_transform()
        with np.errstate(all="ignore"):
            on_screen = scale.transform(x)
        if not np.isfinite(on_screen).all() or (axis.get_scale() == "log" and x.min() <= 0):
            raise ValueError(f"a {axis.get_scale()} axis can't show {x.min():g}: use a linear axis")
        span = np.ptp(on_screen)
        margin = 0.08 * span if span > 0 else 1
        sides.append(
            scale.inverted().transform(np.linspace(on_screen.min() - margin, on_screen.max() + margin, n_grid))
        )
    return np.array(sides)


def plot_boundary(
    surface: QuadraticSurface,
    ax: Axes | None = None,
    *,
    color: ColorType = "black",
    linestyle: LineStyleType = "-",
    label: str | None = None,
) -> Axes:
    """Draw the exact boundary between two Gaussians within the current limits of the axes, which do not change.

    Parameters
    ----------
    surface : QuadraticSurface with d = 2
    color, linestyle, label : as in Matplotlib

    Examples
    --------
    >>> _, ax = plt.subplots(subplot_kw={"xlim": (-3, 3), "ylim": (-3, 3)})
    >>> ax = plot_boundary(QuadraticSurface(np.eye(2), [0, 0], -4), ax)  # a circle of radius 2
    >>> ax.get_xlim() == (-3, 3)
    True
    """
    ax = ax or plt.gca()
    arcs = surface.curve((ax.get_xlim(), ax.get_ylim()))
    style: dict[str, Any] = {"colors": color, "linestyles": linestyle, "label": label, "linewidths": 1.4, "zorder": 2}
    ax.add_collection(LineCollection(arcs, **style), autolim=False)
    return ax


def _scores(classifier: Any, X: Array) -> Array:
    """Return a column per class, largest where the class wins; smooth for a `BayesClassifier`."""
    names = getattr(classifier, "feature_names_in_", None)  # of a frame, whose columns it expects
    rows: Any = X if names is None else pd.DataFrame(X, columns=names)
    if isinstance(classifier, BayesClassifier):
        return classifier._in_blocks(np.asarray, rows)
    return (classifier.predict(rows)[:, None] == classifier.classes_).astype(float)


def _plot_intervals(ax: Axes, x: Array, decision: Any, pale: Any) -> Axes:
    """Draw the pale intervals of a classifier of one feature and a black line at each boundary."""
    changes = np.flatnonzero(np.diff(decision))
    boundaries = (x[changes] + x[changes + 1]) / 2
    edges = [x[0], *boundaries, x[-1]]
    for low, high, k in zip(edges[:-1], edges[1:], decision[[*changes, -1]], strict=True):
        ax.axvspan(low, high, color=pale.colors[k], linewidth=0, zorder=0)
    for boundary in boundaries:
        ax.axvline(boundary, color="black", linewidth=1.4, zorder=2)
    ax.set_xlim(x[0], x[-1])
    return ax


# Okabe and Ito's palette, safe for colour-blind readers; the marker identifies the class too.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999933", "#000000", "#882255", "#44AA99")
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*", "<", ">")


def style_index(label: object, known: Sequence[Any]) -> int:
    """Index of a class in the lists of colours and markers."""
    if any(np.ndim(each) for each in known):
        raise ValueError(f"classes must be a flat list of labels, not {known}")
    if len(known) > len(COLORS):
        raise ValueError(f"{len(known)} classes cannot be told apart: there are {len(COLORS)} colours and markers")
    if label not in known:
        raise ValueError(f"class {label!r} is not among classes, {known}")
    return known.index(label)


def as_drawable(X: ArrayLike) -> Array:
    """Return samples of one or two features as an array of shape (n, 1) or (n, 2)."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[1] not in (1, 2):
        raise ValueError(f"samples of one or two features can be drawn, but X has shape {X.shape}; try X[:, [0, 1]]")
    return X


__all__ = [
    "COLORS",
    "MARKERS",
    "plot_boundary",
    "plot_confusion",
    "plot_density",
    "plot_ellipses",
    "plot_note",
    "plot_points",
    "plot_regions",
    "plot_responsibilities",
]


def plot_density(
    gaussian: Gaussian,
    ax: Axes | None = None,
    *,
    between: tuple[float, float] | None = None,
    weight: float = 1.0,
    color: ColorType = COLORS[0],
    label: str | None = None,
) -> Axes:
    """Draw the density curve of a 1-D Gaussian and shade the area under it.

    Parameters
    ----------
    gaussian : Gaussian with d = 1
    between : (low, high), optional
        Shade only this interval; by default the whole area is shaded, in a paler colour.
    weight : float
        Multiplies the density: a prior, or, over a histogram of counts, the number of samples times the bin width.
    color, label : as in Matplotlib
    """
    ax = ax or plt.gca()
    mean, deviation = gaussian.mean[0], np.sqrt(gaussian.covariance[0, 0])
    near = mean - 4 * deviation, mean + 4 * deviation
    if between is not None and np.shape(between) != (2,):
        raise ValueError(f"between must be two numbers, low and high, not {between!r}")
    low, high = near if between is None else np.sort(np.asarray(between, dtype=float))
    check_finite(np.array([low, high]), "between")
    ends = min(near[0], low), max(near[1], high)
    # Many points near the mean, wherever the interval ends, and the ends themselves.
    x = np.unique(np.concatenate([np.linspace(*near, 801), np.linspace(*ends, 801), [low, high]]))
    density = weight * np.exp(gaussian.log_density(x))
    ax.plot(x, density, color=color, label=label)
    inside = (x >= low) & (x <= high)
    ax.fill_between(x[inside], density[inside], color=color, alpha=0.12 if between is None else 0.35, linewidth=0)
    ax.set_ylabel("density")
    return ax


def plot_points(
    X: ArrayLike,
    y: Labels | None = None,
    ax: Axes | None = None,
    *,
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Any] | None = None,
) -> Axes:
    """Draw samples as points: in the plane for two features, as ticks along the axis for one.

    Parameters
    ----------
    X : (n, 2) or (n, 1) array
    y : (n,) array, optional
        Labels; each class gets its own colour and marker.
    feature_names : list of str, optional
        Axis labels.
    classes : list, optional
        All labels in order, so that a class keeps its colour when others are missing.

    Examples
    --------
    >>> ax = plot_points([[4, 1], [6, 2]], ["a", "b"], feature_names=["length (cm)", "width (cm)"])
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('length (cm)', 'width (cm)')
    """
    ax = ax or plt.gca()
    feature_names = getattr(X, "columns", ()) if feature_names is None else feature_names
    X = as_drawable(X)
    y = np.zeros(len(X), dtype=int) if y is None else np.asarray(y)
    if y.shape != (len(X),):
        raise ValueError(f"y must have a label for each row of X, shape ({len(X)},), but has shape {y.shape}")
    known = np.unique(y).tolist() if classes is None else list(classes)
    for label in np.unique(y).tolist():
        points, k = X[y == label], style_index(label, known)
        text = None if len(known) == 1 else label
        if X.shape[1] == 1:
            height = np.full(len(points), 0.02 + 0.035 * k)  # a fraction of the Axes, whatever the scale of y
            ax.plot(points[:, 0], height, "|", color=COLORS[k], label=text, transform=ax.get_xaxis_transform())
        else:
            style: dict[str, Any] = {"marker": MARKERS[k], "color": COLORS[k], "edgecolors": "white", "linewidths": 0.5}
            ax.scatter(points[:, 0], points[:, 1], s=32, label=text, zorder=3, **style)
    ax.set(**dict(zip(("xlabel", "ylabel"), feature_names, strict=False)))
    return ax


def plot_responsibilities(X: ArrayLike, responsibilities: ArrayLike, ax: Axes | None = None) -> Axes:
    """Draw samples in the colours of the mixture components, blended in proportion to the responsibilities.

    X has shape (n, 2) or (n, 1), and `responsibilities` (n, K), where K is at most 10 and each row sums to one.
    """
    ax = ax or plt.gca()
    X, responsibilities = as_drawable(X), np.asarray(responsibilities, dtype=float)
    if responsibilities.ndim != 2 or len(responsibilities) != len(X):
        raise ValueError(f"responsibilities must have shape ({len(X)}, K), not {responsibilities.shape}")
    components = range(responsibilities.shape[1])
    palette = [to_rgb(COLORS[style_index(k, components)]) for k in components]
    colors = (responsibilities @ palette).clip(0, 1)
    if X.shape[1] == 1:
        ax.scatter(X, np.full(len(X), 0.04), s=80, marker="|", color=colors, transform=ax.get_xaxis_transform())
    else:
        ax.scatter(X[:, 0], X[:, 1], s=32, color=colors, edgecolors="white", linewidths=0.5, zorder=3)
    return ax


def plot_ellipses(
    gaussians: Any,
    ax: Axes | None = None,
    *,
    n_sigma: Sequence[float] = (1, 2, 3),
    colors: Sequence[ColorType] = COLORS,
) -> Axes:
    """Draw the σ-ellipses and means of 2-D Gaussians, one colour each.

    Parameters
    ----------
    gaussians : Gaussian, list of Gaussian, or fitted estimator with `gaussians_`
    n_sigma : sequence of float
        Mahalanobis distances from the mean at which to draw.
    colors : sequence
        Colours of the Gaussians, used in turn.
    """
    ax = ax or plt.gca()
    gaussians = getattr(gaussians, "gaussians_", gaussians)
    gaussians = [gaussians] if isinstance(gaussians, Gaussian) else gaussians
    gaussians = list(gaussians) if np.iterable(gaussians) else gaussians
    if not (isinstance(gaussians, list) and all(isinstance(each, Gaussian) for each in gaussians)):
        raise TypeError(
            f"gaussians must be a Gaussian, a list of Gaussians, or a fitted model that has some, not {gaussians!r}"
        )
    for gaussian, color in zip(gaussians, cycle(colors), strict=False):
        for k, distance in enumerate(n_sigma):
            ax.plot(*gaussian.ellipse(distance).T, color=color, linewidth=1.8 - 0.4 * min(k, 2), zorder=4)
        ax.plot(*gaussian.mean, "+", color=color, markersize=11, markeredgewidth=2, zorder=4)
    ax.set_aspect("equal")
    return ax


def plot_confusion(y_true: Labels, y_pred: Labels, ax: Axes | None = None) -> Axes:
    """Draw a confusion matrix of counts: a row per true class, a column per decision.

    Examples
    --------
    >>> ax = plot_confusion(["a", "a", "b"], ["a", "b", "b"], plt.figure().gca())
    >>> [text.get_text() for text in ax.texts]  # one of the two "a" is called "b"
    ['1', '1', '0', '1']
    """
    ax = ax or plt.gca()
    if np.ndim(y_true) != 1 or np.shape(y_true) != np.shape(y_pred):
        shapes = f"{np.shape(y_true)} and {np.shape(y_pred)}"
        raise ValueError(f"y_true and y_pred must be flat lists of labels, equally long, but have shapes {shapes}")
    labels, index = code_labels(np.concatenate([y_true, y_pred]))
    counts = np.zeros((len(labels), len(labels)), dtype=int)
    np.add.at(counts, tuple(index.reshape(2, -1)), 1)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    ax.imshow(shares, cmap="Blues", vmin=0, vmax=1.8)
    for (i, j), count in np.ndenumerate(counts):
        ax.text(j, i, count, ha="center", va="center", fontweight="bold" if i == j else "normal")
    ticks = range(len(labels))
    ax.set_xticks(ticks, labels)
    ax.set_yticks(ticks, labels)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set(xlabel="decision", ylabel="truth")
    return ax


def plot_note(text: str, ax: Axes | None = None, *, loc: str = "upper left") -> Axes:
    """Write a note on white, above everything else, in a corner, which `loc` names as for Matplotlib's legends."""
    ax = ax or plt.gca()
    note = AnchoredText(text, loc=loc, pad=0.2, borderpad=0.4)
    note.patch.set(facecolor="white", edgecolor="none", alpha=0.85)
    note.set_zorder(6)
    ax.add_artist(note)
    return ax


as_sentences(__name__, __all__)
