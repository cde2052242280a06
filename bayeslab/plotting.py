"""Pictures of densities and decisions. Each takes a fitted thing, data and an Axes, and returns the Axes."""

from __future__ import annotations

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap, to_rgb
from sklearn.metrics import confusion_matrix

from bayeslab._arrays import must_be_finite
from bayeslab.boundary import QuadraticSurface
from bayeslab.classifier import BayesClassifier
from bayeslab.gaussian import Gaussian

# Okabe and Ito's palette, safe for colour-blind readers; marker and colour both tell the class.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999933", "#000000", "#882255", "#44AA99")
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*", "<", ">")


def plot_density(gaussian: Gaussian, ax=None, *, between=None, weight=1.0, color=COLORS[0], label=None):
    """Draw the curve of a 1-D Gaussian, with the area under it shaded.

    Parameters
    ----------
    gaussian : Gaussian with d = 1
    ax : matplotlib Axes, optional
    between : (low, high), optional
        Shade only this interval, which the axis then also shows; by default the whole area is shaded, paler.
    weight : float
        Factor of the curve: a prior, or the number of samples times the bin width of a histogram of counts.
    color, label : as in Matplotlib
    """
    ax = ax or plt.gca()
    mean, deviation = gaussian.mean[0], np.sqrt(gaussian.covariance[0, 0])
    near = mean - 4 * deviation, mean + 4 * deviation
    low, high = near if between is None else sorted(between)
    must_be_finite(np.array([low, high]), "between")
    ends = min(near[0], low), max(near[1], high)
    # Points near the mean, wherever the interval ends, and its ends themselves.
    x = np.unique(np.concatenate([np.linspace(*near, 801), np.linspace(*ends, 801), [low, high]]))
    density = weight * np.exp(gaussian.log_density(x))
    ax.plot(x, density, color=color, label=label)
    inside = (x >= low) & (x <= high)
    ax.fill_between(x[inside], density[inside], color=color, alpha=0.12 if between is None else 0.35, linewidth=0)
    ax.set_ylabel("density")
    return ax


def plot_points(X, y=None, ax=None, *, feature_names=None, classes=None):
    """Draw samples as points: in the plane for two features, as ticks along the axis for one.

    Parameters
    ----------
    X : (n, 2) or (n, 1) array
    y : (n,) array, optional
        Labels; each class gets its own colour and marker.
    ax : matplotlib Axes, optional
    feature_names : list of str, optional
        Axis labels.
    classes : list, optional
        All labels in order, so that a class keeps its colour where others are missing.
    """
    ax = ax or plt.gca()
    X = np.asarray(X, dtype=float)
    y = np.zeros(len(X), dtype=int) if y is None else np.asarray(y)
    known = np.unique(y).tolist() if classes is None else list(classes)
    for label in np.unique(y).tolist():
        points, k = X[y == label], _style_index(label, known)
        text = None if len(known) == 1 else label
        if X.shape[1] == 1:
            # Ticks stand at a height in the picture, not on the scale of whatever else is drawn.
            height = np.full(len(points), 0.02 + 0.035 * k)
            ax.plot(points[:, 0], height, "|", color=COLORS[k], label=text, transform=ax.get_xaxis_transform())
        else:
            style = {"marker": MARKERS[k], "color": COLORS[k], "edgecolors": "white", "linewidths": 0.5}
            ax.scatter(*points.T, s=32, label=text, zorder=3, **style)
    for name, setter in zip(feature_names or [], (ax.set_xlabel, ax.set_ylabel), strict=False):
        setter(name)
    return ax


def plot_responsibilities(X, responsibilities, ax=None):
    """Draw samples in the colours of the components of a mixture, mixed in proportion to their responsibilities.

    Parameters
    ----------
    X : (n, 2) or (n, 1) array
    responsibilities : (n, K) array
        Rows sum to one; at most 10 components.
    ax : matplotlib Axes, optional
    """
    ax = ax or plt.gca()
    X, responsibilities = np.asarray(X, dtype=float), np.asarray(responsibilities, dtype=float)
    components = range(responsibilities.shape[1])
    palette = [to_rgb(COLORS[_style_index(k, components)]) for k in components]
    colors = (responsibilities @ palette).clip(0, 1)
    if X.shape[1] == 1:
        ax.scatter(X, np.full(len(X), 0.04), s=80, marker="|", color=colors, transform=ax.get_xaxis_transform())
    else:
        ax.scatter(*X.T, s=32, color=colors, edgecolors="white", linewidths=0.5, zorder=3)
    return ax


def plot_ellipses(gaussians, ax=None, *, n_sigma=(1, 2, 3), colors=COLORS):
    """Draw σ-ellipses of 2-D Gaussians, one colour each, and their means.

    Parameters
    ----------
    gaussians : Gaussian, list of Gaussian, or a classifier that has `gaussians_`
    ax : matplotlib Axes, optional
    n_sigma : sequence of float
        Mahalanobis distances from the mean at which to draw.
    colors : sequence, used in turn
    """
    ax = ax or plt.gca()
    gaussians = getattr(gaussians, "gaussians_", gaussians)
    gaussians = [gaussians] if isinstance(gaussians, Gaussian) else gaussians
    for gaussian, color in zip(gaussians, cycle(colors), strict=False):
        for k, distance in enumerate(n_sigma):
            ax.plot(*gaussian.ellipse(distance).T, color=color, linewidth=1.8 - 0.4 * min(k, 2), zorder=4)
        ax.plot(*gaussian.mean, "+", color=color, markersize=11, markeredgewidth=2, zorder=4)
    ax.set_aspect("equal")
    return ax


def plot_regions(classifier, X, ax=None, *, classes=None, n_grid=400):
    """Draw decision regions in pale class colours and the boundary between them in black.

    Parameters
    ----------
    classifier : fitted classifier of one or two features
    X : (n, d) array
        Samples that the window must hold, with a margin around.
    ax : matplotlib Axes, optional
    classes : list, optional
        All labels in order, so that a class keeps its colour where others are missing.
    n_grid : int
        Points of the grid along each side.
    """
    ax = ax or plt.gca()
    X = np.asarray(X, dtype=float)
    span = np.ptp(X, axis=0)
    margin = np.where(span > 0, 0.08 * span, 1)
    sides = np.linspace(X.min(axis=0) - margin, X.max(axis=0) + margin, n_grid).T
    known = list(classifier.classes_ if classes is None else classes)
    colors = [COLORS[_style_index(label, known)] for label in classifier.classes_]
    pale = ListedColormap([tuple(1 - 0.22 * (1 - np.array(to_rgb(color)))) for color in colors])
    grid = np.stack(np.meshgrid(*sides, indexing="xy"), axis=-1).reshape(-1, len(sides))
    scores = _scores(classifier, grid)
    decision = scores.argmax(axis=1)
    if len(sides) == 1:
        return _plot_intervals(ax, sides[0], decision, pale)
    square = (n_grid, n_grid)
    limits = {"vmin": -0.5, "vmax": len(colors) - 0.5}
    ax.pcolormesh(*sides, decision.reshape(square), cmap=pale, shading="nearest", zorder=0, rasterized=True, **limits)
    for k in np.unique(decision)[1:]:
        lead = scores[:, k] - np.delete(scores, k, axis=1).max(axis=1)
        ax.contour(*sides, lead.reshape(square), levels=[0], colors="black", linewidths=1.4, zorder=2)
    ax.set(xlim=sides[0][[0, -1]], ylim=sides[1][[0, -1]])
    return ax


def plot_boundary(surface: QuadraticSurface, ax=None, *, color="black", linestyle="-", label=None):
    """Draw the exact boundary between two Gaussians in the present limits of the axes, which stay as they are.

    Parameters
    ----------
    surface : QuadraticSurface with d = 2
    ax : matplotlib Axes, optional
    color, linestyle, label : as in Matplotlib
    """
    ax = ax or plt.gca()
    arcs = surface.curve((ax.get_xlim(), ax.get_ylim()))
    style = {"colors": color, "linestyles": linestyle, "label": label, "linewidths": 1.4, "zorder": 2}
    ax.add_collection(LineCollection(arcs, **style), autolim=False)
    return ax


def plot_confusion(y_true, y_pred, ax=None):
    """Draw a small confusion matrix: a row per true class, a column per decision, a count in each cell."""
    ax = ax or plt.gca()
    labels = np.unique(np.concatenate([y_true, y_pred]))
    counts = confusion_matrix(y_true, y_pred, labels=labels)
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


def plot_learning_curve(table, ax=None):
    """Draw accuracy against the number of training samples: a line per classifier, in a band.

    The line is the mean over the repeats, the band that mean ± one standard deviation: the spread from one training
    part to another, not the error of the mean. Repeats in which a classifier could not be fitted do not count; a size
    at which these are more than half is left out.

    Parameters
    ----------
    table : pandas.DataFrame
        From `learning_curve`.
    ax : matplotlib Axes, optional
    """
    ax = ax or plt.gca()
    names = table["classifier"].unique().tolist()
    for name, rows in table.groupby("classifier", sort=False):
        curve = rows.groupby("n_train")["accuracy"].agg(["mean", "std", "count", "size"])
        curve = curve[2 * curve["count"] >= curve["size"]]
        k = _style_index(name, names)
        ax.plot(curve.index, curve["mean"], marker=MARKERS[k], color=COLORS[k], label=name)
        band = curve["mean"] - curve["std"], curve["mean"] + curve["std"]
        ax.fill_between(curve.index, *band, color=COLORS[k], alpha=0.15, linewidth=0)
    ax.set(xlabel="training samples", ylabel="accuracy")
    return ax


def _style_index(label, known):
    """Position of a class among all classes, which has a colour and a marker of its own."""
    if len(known) > len(COLORS):
        raise ValueError(f"{len(known)} classes cannot be told apart: there are {len(COLORS)} colours and markers")
    return known.index(label)


def _scores(classifier, X):
    """One column per class, largest where the class wins; smooth where the classifier has a joint log-likelihood."""
    if isinstance(classifier, BayesClassifier):
        return classifier.joint_log_likelihood(X)
    return (classifier.predict(X)[:, None] == classifier.classes_).astype(float)


def _plot_intervals(ax, x, decision, pale):
    """Pale intervals of a classifier of one feature, and a black line at each boundary."""
    changes = np.flatnonzero(np.diff(decision))
    boundaries = (x[changes] + x[changes + 1]) / 2
    edges = [x[0], *boundaries, x[-1]]
    for low, high, k in zip(edges[:-1], edges[1:], decision[[*changes, -1]], strict=True):
        ax.axvspan(low, high, color=pale.colors[k], linewidth=0, zorder=0)
    for boundary in boundaries:
        ax.axvline(boundary, color="black", linewidth=1.4, zorder=2)
    ax.set_xlim(x[0], x[-1])
    return ax
