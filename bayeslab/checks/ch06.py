"""Checks of notebook 06, mixtures and the EM algorithm."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from bayeslab.checks import compare, exercise


@exercise("6.1")
def responsibilities(answer):
    """Responsibilities of one sample, from the logarithms of its joint densities."""
    for log_joint in ([-1.3, -0.4, -2.1], [-1000.0, -1001.5, -1003.0], [-8.0, -9.0, -5000.0], [710.0, 712.0]):
        log_joint = np.array(log_joint)
        relative = log_joint - log_joint.max()
        right = np.exp(relative) / np.exp(relative).sum()
        given = answer(log_joint.copy())
        what = f"what you return for {log_joint.tolist()}"
        if given is not None and given is not ... and not np.isfinite(np.asarray(given, dtype=float)).all():
            return (
                f"{what} is {np.asarray(given).tolist()}: exp becomes 0 or infinity, and their ratio is not a number. "
                f"Subtract the largest logarithm before exp."
            )
        if np.shape(given) == right.shape and not np.any(given):
            return (
                f"{what} is all zeros: every exp underflows to 0, and a small number added to the sum only hides the "
                f"0/0. Responsibilities sum to 1. Subtract the largest logarithm before exp."
            )
        mistakes = {
            "these are not yet divided by their sum.": (np.exp(relative), np.exp(np.minimum(log_joint, 700))),
            "these are logarithms of the responsibilities; take exp.": np.log(np.maximum(right, 1e-300)),
            "the sign is turned: the largest logarithm has the largest responsibility.": _normalised(-relative),
            "this gives all to one component; share the sample out.": (relative == 0).astype(float),
            "all are equal, though the logarithms are not: limiting them, or adding a small number to each exp, loses "
            "their differences. Subtract the largest logarithm before exp.": np.full(len(right), 1 / len(right)),
            "you divided the logarithms by their sum; take exp first.": log_joint / log_joint.sum(),
            "you divided by the largest; divide by the sum.": np.exp(log_joint / log_joint.max()),
            "logarithms are subtracted, not divided: exp(a − max), not exp(a / max).": _normalised(
                log_joint / log_joint.max()
            ),
        }
        if (problem := compare(given, right, mistakes, what=what)) is not None:
            return problem
    return None


def _normalised(logs):
    shares = np.exp(logs - logs.max())
    return shares / shares.sum()


# Means, variances and sizes of the two components differ, so that each mistake gives a value of its own.
_x = np.array([0.5, 1.0, 2.5, 4.0, 7.5])
_γ = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.4, 0.6], [0.2, 0.8]])


@exercise("6.2")
def shared_variance(answer):
    """One variance for all components, about the new means."""
    given = answer(_x.copy(), _γ.copy())
    if np.size(given) > 1:
        shape = np.shape(given)
        return (
            f"shared_variance returns numbers of shape {shape}; sum over points and components: all share one variance."
        )
    n, N = len(_x), _γ.sum(axis=0)
    K = len(N)
    squares = _γ * (_x[:, None] - _γ.T @ _x / N) ** 2
    right = squares.sum() / n
    plain = (_γ * (_x[:, None] - _x.mean()) ** 2).sum() / n
    mistakes = {
        "this is the plain average of the variances; a component with more shares counts more.": (
            np.mean(squares.sum(axis=0) / N)
        ),
        "this is the sum of squares; divide it by n.": squares.sum(),
        "you divided by n − K; the M-step maximises the likelihood, which divides by n.": squares.sum() / (n - K),
        "you divided by n − 1; the M-step maximises the likelihood, which divides by n.": squares.sum() / (n - 1),
        "you divided by n·K: the shares of a point already sum to 1, so that there are n of them.": right / K,
        "you added the variances of the components; weight them by N_k / n.": (squares.sum(axis=0) / N).sum(),
        "this is the standard deviation; σ² is asked for.": np.sqrt(right),
        "these are deviations from the mean of all points; each component has a mean of its own.": plain,
        "the responsibilities are missing in the sum of squares.": (
            ((_x[:, None] - _γ.T @ _x / N) ** 2).sum() / n,
            ((_x[:, None] - _γ.T @ _x / N) ** 2).mean(),
        ),
        "γ is squared; it is a weight.": (_γ * squares).sum() / n,
        "your means are divided by n; divide Σ γᵢₖ xᵢ by N_k.": ((_γ * (_x[:, None] - _γ.T @ _x / n) ** 2).sum() / n),
    }
    problem = compare(given, right, mistakes, what="what shared_variance returns")
    if problem is None:
        three = np.array([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8], [0.5, 0.25, 0.25]])
        x = np.array([1.0, -2.0, 4.0, 0.5])
        right = (three * (x[:, None] - three.T @ x / three.sum(axis=0)) ** 2).sum() / len(x)
        problem = compare(answer(x, three), right, what="what shared_variance returns for three components")
    return problem


_FEW_NAMINGS = "you tried only some of the namings; there are K!."


@exercise("6.3")
def matched_accuracy(answer):
    """Accuracy of components under the best naming."""
    # The best naming swaps 0 and 1: neither a shift of the numbers nor their reversal.
    component = np.array([0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
    y = np.array([1, 1, 1, 2, 2, 0, 0, 2, 0, 2, 2])
    accuracies = [np.mean(np.array(naming)[component] == y) for naming in permutations(range(3))]
    unchanged, shifted, reversed_ = accuracies[0], max(accuracies[3:5]), accuracies[5]
    mistakes = {
        "no naming has been counted yet; replace the ... in the loop.": 0.0,
        "this compares y with itself: the label of a sample comes from its component, not from y.": 1.0,
        "this is the accuracy without renaming; component 0 need not be class 0.": unchanged,
        "this is 1 − the accuracy; max(a, 1 − a) serves two components only.": 1 - unchanged,
        _FEW_NAMINGS: (max(unchanged, shifted), max(unchanged, reversed_)),
        "this is the number of matches; divide by the number of samples.": max(accuracies) * len(y),
        "this is the smallest error; the accuracy is asked for.": 1 - max(accuracies),
        "this is the worst naming; take the best.": min(accuracies),
        "this is the mean over the namings; take the best.": np.mean(accuracies),
    }
    if compare(answer(np.array([0, 0, 0, 1]), np.array([1, 1, 1, 0]), 4), 0.5) is None:  # as many labels as samples
        return "label has one entry for each component, y one for each sample; replace the ... in the loop (Hint 2)."
    given = answer(component.copy(), y.copy(), 3)
    if np.ndim(given) == 1 and np.size(given) == 3:
        return "this looks like a naming; return the accuracy that it gives."
    problem = compare(given, max(accuracies), mistakes, what="your accuracy")
    if problem is not None:
        return problem
    # Each component taking its own commonest label would use one label twice.
    component, y = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 0, 0, 0, 1])
    mistakes = {"two components have taken the same name; a naming is one-to-one.": 5 / 6}
    problem = compare(answer(component, y, 2), 4 / 6, mistakes, what="your accuracy where one class is common")
    if problem is None:
        empty = answer(np.array([3, 3, 1, 1]), np.array([0, 0, 2, 2]), 4)
        mistakes = {_FEW_NAMINGS: 1 / 2}  # namings that swap one pair
        problem = compare(empty, 1, mistakes, what="your accuracy where two of four components have no sample")
    return problem
