"""Sliders to explore one idea each. Every function is one picture, and what a move of its sliders does to it."""

from __future__ import annotations

import numpy as np
from contourpy import contour_generator
from ipywidgets import Dropdown, IntSlider, SelectionSlider
from matplotlib.colors import to_rgb
from scipy.stats import norm

from bayeslab.datasets import make_gaussian_pair
from bayeslab.explore._explorer import Explorer, look, new_figure, slider
from bayeslab.gaussian import Gaussian
from bayeslab.gaussian_classifier import GaussianClassifier
from bayeslab.plotting import COLORS, MARKERS
from bayeslab.splits import k_fold
from bayeslab.validation import accuracy_summary, cross_validate

SIDE = np.linspace(-7, 7, 141)
PLANE = np.stack(np.meshgrid(SIDE, SIDE), axis=-1).reshape(-1, 2)  # a grid, on which two classes are compared


@look
def explore_naive_against_full() -> Explorer:
    """See when ignoring ρ costs: two classes of one Σ with unit variances, their means 2 apart in the direction φ.

    Beside the plane, the errors of both rules: lines where Σ is known, dots where it is learned from n samples a class.
    """
    figure, (plane, side) = new_figure(2)
    classes, many = _plot_classes(plane), np.linspace(-0.99, 0.99, 199)
    rules = {"naive": ("diagonal", "--", "s"), "full": ("full", "-", "o")}
    boundaries = [plane.plot([], [], "k", linestyle=style)[0] for _, style, _ in rules.values()]
    known = [side.plot([], [], "k", linestyle=style, label=name)[0] for name, (_, style, _) in rules.items()]
    learned = [side.plot([], [], "k" + m, label=f"{name}, learned")[0] for name, (_, _, m) in rules.items()]
    side.set(xlim=(-1, 1), ylim=(0, 0.5), xlabel="correlation ρ", ylabel="probability of error")
    side.legend(loc="upper right")

    def update(ρ, φ, n):
        mean = np.array([np.cos(np.radians(φ)), np.sin(np.radians(φ))])
        gaussians = [Gaussian(m, [[1, ρ], [ρ, 1]]) for m in (-mean, mean)]
        X, y = _move_classes(classes, gaussians, n)
        along = many * np.sin(np.radians(2 * φ))  # mᵀΣm − 1, where the means are m and −m
        known[0].set_data(many, norm.cdf(-1 / np.sqrt(1 + along)))
        known[1].set_data(many, norm.cdf(-np.sqrt((1 - along) / (1 - many**2))))
        for boundary, dot, (covariance, _, _) in zip(boundaries, learned, rules.values(), strict=True):
            rule = GaussianClassifier(covariance, shared=True).fit(X, y)
            middle, difference = rule.means_.mean(axis=0), rule.means_[1] - rule.means_[0]
            normal = np.linalg.solve(rule.covariance_, difference)
            ends = np.outer([-20, 20], [-normal[1], normal[0]]) / np.linalg.norm(normal)
            boundary.set_data(*(middle + ends).T)
            dot.set_data([ρ], [_error_of_line(normal, middle, gaussians)])
        (naive,), (full,) = (dot.get_ydata() for dot in learned)
        least = norm.cdf(-np.sqrt(gaussians[1].mahalanobis_squared([0, 0])))
        return f"error: naive {naive:.1%}, full {full:.1%} with n = {n} per class; least possible {least:.1%}"

    sizes = SelectionSlider(options=[3, 5, 10, 20, 50, 100, 300], value=20)
    return Explorer(figure, update, {"ρ": slider(-0.95, 0.95, 0.05, 0.6), "φ (°)": slider(0, 90, 5, 0), "n": sizes})


@look
def explore_shrinkage() -> Explorer:
    """Shrink the covariances learned from n samples a class: (1 − λ) Σₖ + λ diag(pooled variances).

    Beside the plane, the error for every λ; dotted, the least possible one.
    """
    figure, (plane, side) = new_figure(2)
    truth = make_gaussian_pair("P1a", 1, np.random.default_rng(0)).truth
    joint = np.exp(truth.joint_log_likelihood(PLANE))
    least, many = _error(_lead(truth), joint), np.linspace(0, 1, 11)
    classes = _plot_classes(plane)
    (boundary,) = plane.plot([], [], "k")
    (curve,) = side.plot([], [], "k")
    (here,) = side.plot([], [], "ko")
    side.axhline(least, color="black", linestyle=":", linewidth=1.2)
    side.set(xlim=(-0.03, 1.03), ylim=(0, 0.6), xlabel="shrinkage λ", ylabel="probability of error")

    def update(λ, n):
        X, y = _move_classes(classes, truth.gaussians, n)
        # Two samples a class have a covariance of rank 1: without shrinkage, there is but the pseudo-inverse.
        rules = [GaussianClassifier(shrinkage=share, singular="pseudo").fit(X, y) for share in (λ, *many)]
        for (_, ellipse), gaussian in zip(classes, rules[0].gaussians_, strict=True):
            ellipse.set_data(*gaussian.ellipse(2).T)
        leads = [_lead(rule) for rule in rules]
        boundary.set_data(*_boundary(leads[0]))
        error, *errors = [_error(lead, joint) for lead in leads]
        curve.set_data(many, errors)
        here.set_data([λ], [error])
        rank = rules[0].rank_.min()
        return f"error {error:.1%} with n = {n} per class (covariances of rank {rank}); least possible {least:.1%}"

    sizes = SelectionSlider(options=[2, 3, 5, 10, 20, 50, 100, 300], value=3)
    return Explorer(figure, update, {"λ": slider(0, 1, 0.05, 0), "n": sizes})


@look
def explore_k_fold(classifier, X, y) -> Explorer:
    """Cut the rows into k folds, in file order or shuffled, and see the accuracy on each fold.

    A row of the picture is a fold: full colours are the samples it tests on, pale ones those that are trained on.

    Parameters
    ----------
    classifier : classifier
    X : (n, d) array
    y : (n,) array
        Labels of at most 10 classes, a colour each.
    """
    figure, (folds, side) = new_figure(2)
    y = np.asarray(y)
    colors = np.array([to_rgb(color) for color in COLORS])[np.unique(y, return_inverse=True)[1]]
    image = folds.imshow(colors[None], aspect="auto", interpolation="nearest", extent=(0, len(y), 1, 0))
    (band,) = side.fill([0], [0], color="0.85", linewidth=0)
    (dots,) = side.plot([], [], "ko", markersize=4)
    line = side.axvline(0, color="black")
    folds.set(xlabel="row of the data", ylabel="fold", yticks=[])
    side.set(xlim=(-0.02, 1.02), ylim=(1, 0), xlabel="accuracy", ylabel="fold", yticks=[])

    def update(k, order, draw):
        rng = None if order == "file order" else np.random.default_rng(draw)
        splits = k_fold(y, k, rng, stratify=order == "stratified")
        tested = [np.isin(np.arange(len(y)), test)[:, None] for _, test in splits]
        image.set_data(np.where(tested, colors, 1 - 0.2 * (1 - colors)))
        accuracies, mean, deviation, words = _fold_accuracies(classifier, X, y, splits)
        dots.set_data(accuracies, (np.arange(k) + 0.5) / k)
        line.set_xdata([mean, mean])
        low, high = mean - deviation, mean + deviation
        band.set_xy([(low, 0), (low, 1), (high, 1), (high, 0)])
        return words

    controls = {
        "k": IntSlider(min(10, len(y)), min=2, max=min(20, len(y))),
        "order": Dropdown(options=["file order", "shuffled", "stratified"], value="shuffled"),
        "draw": IntSlider(0, min=0, max=20),
    }
    return Explorer(figure, update, controls)


def _fold_accuracies(classifier, X, y, splits):
    """Accuracy on each fold, their mean, its standard error, and words for them; NaN where a fold cannot be learned."""
    try:
        table = cross_validate(classifier, X, y, splits)
    except ValueError as error:  # such as a fold that holds all samples of a class
        return np.full(len(splits), np.nan), np.nan, np.nan, f"no estimate: {error}"
    mean, deviation, _ = accuracy_summary(table)
    n_train = table["n_train"].min()
    words = f"accuracy {mean:.4f} ± {deviation:.4f}, each fold tested after training on {n_train} of {len(y)} rows"
    return table["accuracy"], mean, deviation, words


def _plot_classes(ax):
    """Artists of two classes in the plane, still empty: for each, its samples and an ellipse."""
    ax.set(xlim=(-5, 5), ylim=(-5, 5), xlabel="x₁", ylabel="x₂", aspect="equal")
    styles = list(zip(COLORS[:2], MARKERS[:2], strict=True))
    return [
        (ax.plot([], [], marker, color=color, markersize=4, alpha=0.6)[0], ax.plot([], [], color=color)[0])
        for color, marker in styles
    ]


def _move_classes(classes, gaussians, n):
    """Put n samples of each Gaussian, and its 2σ-ellipse, in place of what these artists show; return X and y."""
    samples = [gaussian.sample(n, np.random.default_rng(k)) for k, gaussian in enumerate(gaussians)]
    for (dots, ellipse), gaussian, points in zip(classes, gaussians, samples, strict=True):
        dots.set_data(*points.T)
        ellipse.set_data(*gaussian.ellipse(2).T)
    return np.concatenate(samples), np.repeat([0, 1], n)


def _error_of_line(normal, point, gaussians):
    """Probability of error of the rule normal·(x − point) > 0 for the second of two Gaussians, of equal priors."""
    deviations = [np.sqrt(normal @ gaussian.covariance @ normal) for gaussian in gaussians]
    scores = [normal @ (gaussian.mean - point) / s for gaussian, s in zip(gaussians, deviations, strict=True)]
    return (norm.cdf(scores[0]) + norm.cdf(-scores[1])) / 2


def _lead(rule):
    """Log posterior odds of class 1 against class 0 over the plane: a value per point of the grid, a row per x₂."""
    return np.diff(rule.joint_log_likelihood(PLANE)).reshape(len(SIDE), len(SIDE))


def _boundary(lead):
    """Points where `lead` is zero, shape (2, m), the pieces of the curve separated by NaN."""
    pieces = contour_generator(SIDE, SIDE, lead).lines(0)
    return np.concatenate([np.vstack([piece, [[np.nan, np.nan]]]) for piece in pieces] or [np.empty((0, 2))]).T


def _error(lead, joint):
    """Probability of error of the rule that decides by the sign of `lead`, given the joint densities, (n, 2)."""
    missed = np.where(lead.ravel() > 0, *joint.T)  # midpoint rule; the grid is fine enough for half a per mille
    return missed.sum() * (SIDE[1] - SIDE[0]) ** 2
