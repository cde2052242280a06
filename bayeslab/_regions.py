"""Plots of decisions: the regions of the classes and the boundary between them."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap, to_rgb

from bayeslab._base.style import COLORS, as_drawable, style_index
from bayeslab.boundary import QuadraticSurface
from bayeslab.classifier import BayesClassifier


def plot_regions(classifier, X, ax=None, *, classes=None, n_grid=400):
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
    X = as_drawable(X)
    span = np.ptp(X, axis=0)
    margin = np.where(span > 0, 0.08 * span, 1)
    sides = np.linspace(X.min(axis=0) - margin, X.max(axis=0) + margin, n_grid).T
    known = list(classifier.classes_ if classes is None else classes)
    colors = [COLORS[style_index(label, known)] for label in classifier.classes_]
    pale = ListedColormap([tuple(1 - 0.22 * (1 - np.array(to_rgb(color)))) for color in colors])
    grid = np.stack(np.meshgrid(*sides, indexing="xy"), axis=-1).reshape(-1, len(sides))
    scores = _scores(classifier, grid)
    decision = scores.argmax(axis=1)
    if len(sides) == 1:
        return _plot_intervals(ax, sides[0], decision, pale)
    square = (n_grid, n_grid)
    half = (sides[:, 1] - sides[:, 0]) / 2
    extent = np.column_stack([sides[:, 0] - half, sides[:, -1] + half]).ravel()
    # An image, because next to a mesh of so many cells a legend takes seconds to find the best place.
    image = ax.imshow(decision.reshape(square), pale, aspect=ax.get_aspect(), origin="lower", extent=extent, zorder=0)
    image.set(clim=(-0.5, len(colors) - 0.5), interpolation="nearest")
    for k in np.unique(decision)[1:]:
        lead = scores[:, k] - np.delete(scores, k, axis=1).max(axis=1)
        ax.contour(*sides, lead.reshape(square), levels=[0], colors="black", linewidths=1.4, zorder=2)
    ax.set(xlim=sides[0][[0, -1]], ylim=sides[1][[0, -1]])
    return ax


def plot_boundary(surface: QuadraticSurface, ax=None, *, color="black", linestyle="-", label=None):
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
    style = {"colors": color, "linestyles": linestyle, "label": label, "linewidths": 1.4, "zorder": 2}
    ax.add_collection(LineCollection(arcs, **style), autolim=False)
    return ax


def _scores(classifier, X):
    """Return a column per class, largest where the class wins; smooth for a `BayesClassifier`."""
    if isinstance(classifier, BayesClassifier):
        return classifier._from_joint(np.asarray, X)
    return (classifier.predict(X)[:, None] == classifier.classes_).astype(float)


def _plot_intervals(ax, x, decision, pale):
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
