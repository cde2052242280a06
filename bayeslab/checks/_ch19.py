"""Checks of notebook 19, the playground."""

from __future__ import annotations

import numpy as np
from numpy.linalg import det
from scipy.optimize import linprog
from scipy.spatial.distance import pdist

from bayeslab.checks import exercise, judge, same_shape
from bayeslab.checks._outcomes import kind_of


def _from_odds(change):
    """Return a prior that is computed in another way from the ratio of the determinants."""
    return lambda Σ_inner, Σ_outer: change(det(Σ_inner) / det(Σ_outer))


@exercise(
    "19.1",
    [(np.array([[0.8, 0.3], [0.3, 0.5]]), np.array([[7.0, -1.0], [-1.0, 3.0]]))],
    wrong={
        "the square root is missing: the factor of a density is 1/√|Σ|.": _from_odds(lambda r: r / (1 + r)),
        "these are odds, π / (1 − π); solve for π.": (_from_odds(np.sqrt), _from_odds(lambda r: 1 / np.sqrt(r))),
        "this is the prior of the outer class.": _from_odds(lambda r: 1 / (1 + np.sqrt(r))),
        "this is the prior of the outer class, and the square root is missing.": _from_odds(lambda r: 1 / (1 + r)),
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


@judge("19.2")
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


def _shifted(P, π):
    """Posterior of virginica where its prior is π, from that at equal priors."""
    return P * π / (P * π + (1 - P) * (1 - π))


def _cheapest(P, cost, count):
    """0, versicolor, 1, virginica, or 2, count, given the posterior of virginica."""
    return int(np.argmin([P * cost, (1 - P) * cost, count]))


@exercise(
    "19.3",
    [
        (0.93, 0.5, 300, 20),
        (0.93, 0.5, 100, 20),
        (0.93, 0.01, 100, 20),
        (0.6, 0.9, 150, 20),
        (0.6, 0.1, 150, 20),
        (0.2, 0.5, 50, 20),
        (0.3, 0.7, 30, 20),
        (0.5, 0.2, 90, 20),
    ],
    wrong={
        "you ignored the meadow: the prior changes the odds of virginica.": (
            lambda P, π, cost, count: _cheapest(P, cost, count)
        ),
        "posterior · π is no probability yet: divide it by itself plus (1 − posterior)(1 − π).": (
            lambda P, π, cost, count: _cheapest(P * π, cost, count)
        ),
        "a name is wrong with the probability of the other species; you took that of the name itself.": (
            lambda P, π, cost, count: _cheapest(1 - _shifted(P, π), cost, count)
        ),
        "you never count, however expensive a wrong label is.": (
            lambda P, π, cost, count: int(_shifted(P, π) > 0.5),
            lambda P, π, cost, count: int(P > 0.5),
        ),
        "π is the share of virginica; you took it for that of versicolor.": (
            lambda P, π, cost, count: _cheapest(_shifted(P, 1 - π), cost, count)
        ),
        "you never write versicolor; sometimes that is the cheapest.": (
            lambda P, π, cost, count: 1 if (1 - _shifted(P, π)) * cost < count else 2
        ),
        "these are odds, not a probability: divide them by 1 + odds.": (
            lambda P, π, cost, count: _cheapest(P / (1 - P) * π / (1 - π), cost, count)
        ),
    },
    coincide=True,
)
def what_to_write(posterior, π, cost, count):
    """The cheapest of writing a name and counting the chromosomes."""
    return _cheapest(_shifted(posterior, π), cost, count)
