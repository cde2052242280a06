"""Checks of notebook 18, the playground."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.spatial.distance import pdist

from bayeslab.checks import compare, exercise

_MEAN, _ANGLE, _DEVIATIONS = np.array([3.0, -1.0]), np.radians(25), np.array([1.5, 0.4])


@exercise("18.1")
def covariance_of_rings(function):
    """Σ from the mean and the two rings, on the axes of the 2σ-ellipse."""
    directions = np.array([[np.cos(_ANGLE), np.sin(_ANGLE)], [-np.sin(_ANGLE), np.cos(_ANGLE)]])
    a, b = directions * _DEVIATIONS[:, None]
    rings = _MEAN + 2 * a, _MEAN - 2 * b
    right = np.outer(a, a) + np.outer(b, b)
    mistakes = {
        "the ring is at 2σ: halve the way to it, before it is squared.": 4 * right,
        "this halves the square; halve the way from the mean to the ring, before it is squared.": 2 * right,
        "this has σ where σ² belongs: an axis a of length σ contributes a aᵀ.": (
            np.outer(a, a) / np.linalg.norm(a) + np.outer(b, b) / np.linalg.norm(b)
        ),
        "the mean is not subtracted: an axis runs from the mean to the ring.": (
            sum(np.outer(ring, ring) for ring in rings) / 4,
            sum(np.outer(ring, ring) for ring in rings),
            sum(np.outer(ring / 2 - _MEAN, ring / 2 - _MEAN) for ring in rings),
        ),
        "these are the variances along the axes, which are tilted: take outer products.": (
            np.diag(_DEVIATIONS**2),
            np.diag(4 * _DEVIATIONS**2),
        ),
        "the two outer products are subtracted; add them.": np.outer(a, a) - np.outer(b, b),
        "this is the sum of the axes, then one outer product; take one of each.": (
            np.outer(a + b, a + b),
            np.outer(a - b, a - b),
        ),
        "this is what one ring contributes; add the same of the other.": (np.outer(a, a), np.outer(b, b)),
        "the covariance is inverted.": np.linalg.inv(right),
    }
    answer = function(_MEAN.copy(), *(ring.copy() for ring in rings))
    return compare(answer, right, mistakes, what="what covariance_of_rings returns")


@exercise("18.2")
def vanishing_prior(function):
    """Prior at which the region of the inner of two concentric classes is one point."""
    inner, outer = np.array([[0.8, 0.3], [0.3, 0.5]]), np.array([[7.0, -1.0], [-1.0, 3.0]])
    determinants = np.linalg.det(inner) / np.linalg.det(outer)
    ratio = np.sqrt(determinants)
    mistakes = {
        "this is the prior of the outer class.": 1 / (1 + ratio),
        "the square root is missing: the factor of a density is 1/√|Σ|.": determinants / (1 + determinants),
        "this is the prior of the outer class, and the square root is missing.": 1 / (1 + determinants),
        "these are odds, π / (1 − π); solve for π.": (ratio, 1 / ratio),
        "these are odds, π / (1 − π), and the square root is missing.": (determinants, 1 / determinants),
        "this is ½ ln of the determinants; p, not ln p, is proportional to 1/√|Σ|.": (
            np.log(determinants) / 2,
            -np.log(determinants) / 2,
        ),
    }
    answer = function(inner.copy(), outer.copy())
    return compare(answer, ratio / (1 + ratio), mistakes, what="what vanishing_prior returns")


@exercise("18.3")
def squeezed_out(explorer):
    """Scene of four classes in which LDA never decides for one of them."""
    if not hasattr(explorer, "classifier"):
        return f"give the explorer itself, not {type(explorer).__name__}."
    if explorer.rule != "LDA":
        return f"the rule in the picture is {explorer.rule}; choose LDA."
    if len(explorer.class_names) != 4:
        return f"the picture has {len(explorer.class_names)} classes; make it four."
    least, name = min(zip(explorer.priors, explorer.class_names, strict=True))
    if least < 0.1 - 1e-9:
        return f"class {name!r} has a prior of {least:.3g}; at least 0.1 is asked."
    classifier = explorer.classifier()
    means = np.linalg.solve(np.linalg.cholesky(classifier.covariance_), classifier.means_.T).T  # where Σ is round
    if pdist(means).min() < 0.1:
        return "two classes have nearly the same mean, within 0.1 σ; move them apart."
    leads = _greatest_leads(means, np.log(classifier.priors_))
    if leads.min() < -1e-6:
        return None
    k = leads.argmin()
    if leads[k] < 1e-6:
        return f"class {classifier.classes_.tolist()[k]!r} still ties with another somewhere: go on a little."
    return "each class still wins somewhere. Bring a class in among the others, and lower its prior."


def _greatest_leads(means, log_priors):
    """How far the linear score of each class gets ahead of all others, at most 1, wherever that is in the plane."""
    offsets = log_priors - np.square(means).sum(axis=1) / 2
    leads = []
    for k in range(len(means)):
        others = np.arange(len(means)) != k
        # The largest t with (μ_k − μ_j)·x + offset_k − offset_j ≥ t for every other class j.
        rows = np.column_stack([means[others] - means[k], np.ones(others.sum())])
        best = linprog([0, 0, -1], rows, offsets[k] - offsets[others], bounds=[(None, None)] * 2 + [(None, 1)])
        leads.append(-best.fun)
    return np.array(leads)
