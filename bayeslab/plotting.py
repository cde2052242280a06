"""Plots of densities and decisions. Each takes something fitted or data, draws on `ax` and returns it.

`ax` is a Matplotlib Axes, by default the current one.
"""

from __future__ import annotations

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.offsetbox import AnchoredText
from sklearn.metrics import confusion_matrix

from bayeslab._base.arrays import check_finite
from bayeslab._base.style import COLORS, MARKERS, as_drawable, style_index
from bayeslab._regions import plot_boundary, plot_regions
from bayeslab.gaussian import Gaussian

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


def plot_density(gaussian: Gaussian, ax=None, *, between=None, weight=1.0, color=COLORS[0], label=None):
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
    low, high = near if between is None else sorted(between)
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


def plot_points(X, y=None, ax=None, *, feature_names=None, classes=None):
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
    X = as_drawable(X)
    y = np.zeros(len(X), dtype=int) if y is None else np.asarray(y)
    known = np.unique(y).tolist() if classes is None else list(classes)
    for label in np.unique(y).tolist():
        points, k = X[y == label], style_index(label, known)
        text = None if len(known) == 1 else label
        if X.shape[1] == 1:
            height = np.full(len(points), 0.02 + 0.035 * k)  # a fraction of the Axes, whatever the scale of y
            ax.plot(points[:, 0], height, "|", color=COLORS[k], label=text, transform=ax.get_xaxis_transform())
        else:
            style = {"marker": MARKERS[k], "color": COLORS[k], "edgecolors": "white", "linewidths": 0.5}
            ax.scatter(*points.T, s=32, label=text, zorder=3, **style)
    for name, setter in zip(feature_names or [], (ax.set_xlabel, ax.set_ylabel), strict=False):
        setter(name)
    return ax


def plot_responsibilities(X, responsibilities, ax=None):
    """Draw samples in the colours of the mixture components, blended in proportion to the responsibilities.

    X has shape (n, 2) or (n, 1), and `responsibilities` (n, K), where K is at most 10 and each row sums to one.
    """
    ax = ax or plt.gca()
    X, responsibilities = as_drawable(X), np.asarray(responsibilities, dtype=float)
    components = range(responsibilities.shape[1])
    palette = [to_rgb(COLORS[style_index(k, components)]) for k in components]
    colors = (responsibilities @ palette).clip(0, 1)
    if X.shape[1] == 1:
        ax.scatter(X, np.full(len(X), 0.04), s=80, marker="|", color=colors, transform=ax.get_xaxis_transform())
    else:
        ax.scatter(*X.T, s=32, color=colors, edgecolors="white", linewidths=0.5, zorder=3)
    return ax


def plot_ellipses(gaussians, ax=None, *, n_sigma=(1, 2, 3), colors=COLORS):
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
    for gaussian, color in zip(gaussians, cycle(colors), strict=False):
        for k, distance in enumerate(n_sigma):
            ax.plot(*gaussian.ellipse(distance).T, color=color, linewidth=1.8 - 0.4 * min(k, 2), zorder=4)
        ax.plot(*gaussian.mean, "+", color=color, markersize=11, markeredgewidth=2, zorder=4)
    ax.set_aspect("equal")
    return ax


def plot_confusion(y_true, y_pred, ax=None):
    """Draw a confusion matrix of counts: a row per true class, a column per decision.

    Examples
    --------
    >>> ax = plot_confusion(["a", "a", "b"], ["a", "b", "b"], plt.figure().gca())
    >>> [text.get_text() for text in ax.texts]  # one of the two "a" is called "b"
    ['1', '1', '0', '1']
    """
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


def plot_note(text, ax=None, *, loc="upper left"):
    """Write a note on white, above everything else, in a corner, which `loc` names as for Matplotlib's legends."""
    ax = ax or plt.gca()
    note = AnchoredText(text, loc=loc, pad=0.2, borderpad=0.4)
    note.patch.set(facecolor="white", edgecolor="none", alpha=0.85)
    note.set_zorder(6)
    ax.add_artist(note)
    return ax
