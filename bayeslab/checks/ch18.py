"""Checks of notebook 18, the playground."""

from __future__ import annotations

import numpy as np
from numpy.linalg import det
from scipy.optimize import linprog
from scipy.spatial.distance import pdist

from bayeslab.checks import exercise, judge, same_shape
from bayeslab.checks._outcomes import kind_of


def _from_axes(combine, half=0.5):
    """Return an answer that combines the ways from the mean to the rings, halved, in another way."""
    return lambda mean, ring_1, ring_2: combine(half * np.subtract(ring_1, mean), half * np.subtract(ring_2, mean))


def _square(a):
    return np.outer(a, a)


_ANGLE = np.radians(25)
_MEAN, _AXIS_1 = np.array([3.0, -1.0]), 1.5 * np.array([np.cos(_ANGLE), np.sin(_ANGLE)])
_AXIS_2 = 0.4 * np.array([-np.sin(_ANGLE), np.cos(_ANGLE)])


@exercise(
    "18.1",
    [(_MEAN, _MEAN + 2 * _AXIS_1, _MEAN - 2 * _AXIS_2)],
    wrong={
        "the ring is at 2σ: halve the way to it before you square it.": (
            _from_axes(lambda a, b: _square(a) + _square(b), half=1)
        ),
        "you halved the square; halve the way from the mean to the ring before you square it.": (
            _from_axes(lambda a, b: 2 * (_square(a) + _square(b)))
        ),
        "you have σ where σ² belongs: an axis a of length σ contributes a aᵀ.": (
            _from_axes(lambda a, b: _square(a) / np.linalg.norm(a) + _square(b) / np.linalg.norm(b))
        ),
        "the mean is not subtracted: an axis runs from the mean to the ring.": (
            lambda mean, ring_1, ring_2: (_square(ring_1) + _square(ring_2)) / 4,
            lambda mean, ring_1, ring_2: _square(ring_1) + _square(ring_2),
            lambda mean, ring_1, ring_2: _square(ring_1 / 2 - mean) + _square(ring_2 / 2 - mean),
        ),
        "these are the variances along the axes, which are tilted: take outer products.": (
            _from_axes(lambda a, b: np.diag([a @ a, b @ b])),
            _from_axes(lambda a, b: np.diag([a @ a, b @ b]), half=1),
        ),
        "the two outer products are subtracted; add them.": _from_axes(lambda a, b: _square(a) - _square(b)),
        "you added the axes before you took the outer product; take one of each.": (
            _from_axes(lambda a, b: _square(a + b)),
            _from_axes(lambda a, b: _square(a - b)),
        ),
        "this is what one ring contributes; add the same for the other.": (
            _from_axes(lambda a, b: _square(a)),
            _from_axes(lambda a, b: _square(b)),
        ),
        "the covariance is inverted.": lambda *args: np.linalg.inv(covariance_of_rings(*args)),
    },
)
def covariance_of_rings(mean, ring_1, ring_2):
    """Σ from the mean and the two rings, on the axes of the 2σ-ellipse."""
    return _from_axes(lambda a, b: _square(a) + _square(b))(mean, ring_1, ring_2)


def _from_odds(change):
    """Return a prior that is computed in another way from the ratio of the determinants."""
    return lambda Σ_inner, Σ_outer: change(det(Σ_inner) / det(Σ_outer))


@exercise(
    "18.2",
    [(np.array([[0.8, 0.3], [0.3, 0.5]]), np.array([[7.0, -1.0], [-1.0, 3.0]]))],
    wrong={
        "this is the prior of the outer class.": _from_odds(lambda r: 1 / (1 + np.sqrt(r))),
        "the square root is missing: the factor of a density is 1/√|Σ|.": _from_odds(lambda r: r / (1 + r)),
        "this is the prior of the outer class, and the square root is missing.": _from_odds(lambda r: 1 / (1 + r)),
        "these are odds, π / (1 − π); solve for π.": (_from_odds(np.sqrt), _from_odds(lambda r: 1 / np.sqrt(r))),
        "these are odds, π / (1 − π), and the square root is missing.": (
            _from_odds(float),
            _from_odds(lambda r: 1 / r),
        ),
        "this is ½ ln of the determinants; p, not ln p, is proportional to 1/√|Σ|.": (
            _from_odds(lambda r: np.log(r) / 2),
            _from_odds(lambda r: -np.log(r) / 2),
        ),
        "the factor in front of a density is 1/√|Σ|. Take the whole determinant, not a ratio of standard deviations or "
        "variances.": (
            lambda Σ_inner, Σ_outer: 1 / (1 + np.sqrt(Σ_outer[0, 0] / Σ_inner[0, 0])),
            lambda Σ_inner, Σ_outer: 1 / (1 + Σ_outer[0, 0] / Σ_inner[0, 0]),
            lambda Σ_inner, Σ_outer: 1 / (1 + np.sqrt(np.trace(Σ_outer) / np.trace(Σ_inner))),
            lambda Σ_inner, Σ_outer: 1 / (1 + np.trace(Σ_outer) / np.trace(Σ_inner)),
            _from_odds(lambda r: r**0.25 / (1 + r**0.25)),
            same_shape(lambda Σ_inner, Σ_outer: 1 / (1 + np.sqrt(Σ_outer / Σ_inner))),
        ),
    },
)
def vanishing_prior(Σ_inner, Σ_outer):
    """Prior at which the region of the inner of two concentric classes is one point."""
    ratio = np.sqrt(det(Σ_inner) / det(Σ_outer))
    return ratio / (1 + ratio)


@judge("18.3")
def squeezed_out(explorer):
    """Scene of four classes in which LDA never decides for one of them."""
    if not hasattr(explorer, "classifier"):
        return f"give the explorer itself, not {kind_of(explorer)}."
    if explorer.rule != "LDA":
        return f"the rule in the picture is {explorer.rule}; choose LDA."
    if len(explorer.class_names) != 4:
        return f"the picture has {len(explorer.class_names)} classes; make it four."
    least, name = min(zip(explorer.priors, explorer.class_names, strict=True), key=lambda pair: pair[0])
    if least < 0.1 - 1e-9:
        return f"class {name!r} has a prior of {least:.3g}; it should be at least 0.1."
    classifier = explorer.classifier()
    means = np.linalg.solve(np.linalg.cholesky(classifier.covariance_), classifier.means_.T).T  # where Σ is round
    if pdist(means).min() < 0.1:
        return "two classes have nearly the same mean, within 0.1 σ; move them apart."
    leads = _greatest_leads(means, np.log(classifier.priors_))
    if leads.min() < -1e-6:
        return None
    k = leads.argmin()
    if leads[k] < 1e-6:
        return f"class {classifier.classes_.tolist()[k]!r} still ties with another one somewhere: go a little further."
    return "each class still wins somewhere. Move one class in among the others, and lower its prior."


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
