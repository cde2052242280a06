"""Checks of notebook 03, the two-class log-determinant rule."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise

# Three features; every number is different, so that each mistake gives a value of its own.
_X = np.array([1.0, 2.5, -0.5])
_MEAN_A, _VAR_A = np.array([0.5, 2.0, 1.0]), np.array([0.4, 1.5, 2.0])
_MEAN_B, _VAR_B = np.array([2.0, 1.0, 0.3]), np.array([0.9, 0.7, 3.1])

# Four hundred features: each product of variances is below the smallest float, and B's is 1e400 times A's.
_MANY = np.linspace(-1, 1, 400)
_MANY_A, _MANY_B = 0.001 * (1.5 + _MANY**2), 0.01 * (1.5 + _MANY**2)


@exercise("3.1")
def naive_rule(naive_c):
    """Two-class rule of diagonal covariances, from means and variances."""
    answer = naive_c(*(values.copy() for values in (_X, _MEAN_A, _VAR_A, _MEAN_B, _VAR_B)))
    if isinstance(answer, bool | np.bool_):
        return "naive_c returns True or False; return the number c itself, whose sign decides."
    if np.shape(answer) == _X.shape:
        return "naive_c returns one number per feature; sum over the features."

    a, b = (_X - _MEAN_A) ** 2, (_X - _MEAN_B) ** 2
    distances = (b / _VAR_B).sum() - (a / _VAR_A).sum()
    logs = np.log(_VAR_B).sum() - np.log(_VAR_A).sum()
    products = np.prod(_VAR_B) - np.prod(_VAR_A)
    traces = np.log(_VAR_B.sum()) - np.log(_VAR_A.sum())
    by_σ = (b / np.sqrt(_VAR_B)).sum() - (a / np.sqrt(_VAR_A)).sum()
    by_σ4 = (b / _VAR_B**2).sum() - (a / _VAR_A**2).sum()
    crossed = (b / _VAR_A).sum() - (a / _VAR_B).sum()
    unsquared = ((_X - _MEAN_B) / _VAR_B).sum() - ((_X - _MEAN_A) / _VAR_A).sum()
    mistakes = {
        "you swapped A and B; c is B minus A, so that it is positive where A wins.": -logs - distances,
        "the log-determinants have the wrong sign; it is ln|Σ_B| − ln|Σ_A|.": distances - logs,
        "the distances have the wrong sign; it is D² to B minus D² to A.": logs - distances,
        "this is c/2, the log likelihood ratio; the rule has no ½.": (logs + distances) / 2,
        "this is −c/2; the rule has no ½, and you swapped A and B.": -(logs + distances) / 2,
        "there is a ½ at the distances; the rule has none.": logs + distances / 2,
        "there is a ½ at the log-determinants; the rule has none. ln var is ln σ² already.": logs / 2 + distances,
        "there is a factor 2 at the log-determinants; ln var is ln σ² already.": 2 * logs + distances,
        "the log-determinants are missing, or both are of the same class.": distances,
        "the squared distances are missing, or both are of the same class.": logs,
        "the logarithm is missing: you took the determinants themselves.": products + distances,
        "this has ln Σ var; a determinant is the product of the variances, its logarithm Σ ln var.": traces + distances,
        "each distance is divided by the variance of the other class.": logs + crossed,
        "you divided by σ; divide by the variance σ².": logs + by_σ,
        "you squared the variances; var is σ² already.": logs + by_σ4,
        "you took var for σ; it is σ² already.": 2 * logs + by_σ4,
        "the deviations are not divided by the variances: these are Euclidean distances.": logs + (b - a).sum(),
        "the deviations are not squared.": logs + unsquared,
    }
    problem = compare(answer, logs + distances, mistakes, what="what naive_c returns")
    if problem is None:
        equal = naive_c(*(values[:2].copy() for values in (_X, _MEAN_A, _VAR_A, _MEAN_A, _VAR_A)))
        problem = compare(equal, 0.0, what="what naive_c returns for two equal classes of two features")
    return problem or _many_features(naive_c)


def _many_features(naive_c):
    """Say what is wrong where only a sum of logarithms stays finite."""
    values = (np.sqrt(_MANY_A), np.zeros(400), _MANY_A, np.full(400, 0.02), _MANY_B)
    distances = ((values[0] - 0.02) ** 2 / _MANY_B).sum() - 400
    try:
        with np.errstate(all="ignore"):  # of products and their logarithms; the check says it in words
            answer = naive_c(*(each.copy() for each in values))
    except (ArithmeticError, ValueError):  # as of `math.log(0)`, or 0 / 0
        answer = np.nan
    if answer is not None and np.size(answer) == 1 and not np.isfinite(np.asarray(answer, dtype=float)).all():
        return (
            "right for few features, but with 400 the product of their variances is too small for a float, and its "
            "logarithm is lost. Sum the logarithms of the variances instead."
        )
    return compare(answer, 400 * np.log(10) + distances, what="what naive_c returns for 400 features")


@exercise("3.2")
def posterior(posterior_a):
    """Posterior of A from c and its prior."""
    cases = [(1.3, 0.2), (-2.1, 0.7), (0.4, 0.5), (0.0, 0.9)]
    for c, prior in cases:
        ratio = np.log(prior / (1 - prior))
        mistakes = {
            "this is P(B|x); you swapped A and B.": _logistic(-c / 2 - ratio),
            "the priors are swapped; the odds have P_A above P_B.": _logistic(c / 2 - ratio),
            "c has the wrong sign; a large c speaks for A.": _logistic(-c / 2 + ratio),
            "the ½ is missing: the log likelihood ratio is c/2.": _logistic(c + ratio),
            "the prior counts twice: 2 ln(P_A/P_B) goes with c, ln(P_A/P_B) with c/2.": _logistic(c / 2 + 2 * ratio),
            "the ½ is missing: this is with c + 2 ln(P_A/P_B), twice the log odds.": _logistic(c + 2 * ratio),
            "the prior counts half: a factor 2 is missing in (c + 2 ln(P_A/P_B)) / 2.": _logistic((c + ratio) / 2),
            "P_B is missing: the odds need P_A / (1 − P_A).": _logistic(c / 2 + np.log(prior)),
            "the prior is missing.": _logistic(c / 2),
            "the prior is missing, and so is the ½ of c/2.": _logistic(c),
            "this is the prior; c is missing.": prior,
            "these are the log posterior odds; turn them into a probability.": c / 2 + ratio,
            "this is c + 2 ln(P_A/P_B); turn it into a probability.": c + 2 * ratio,
            "these are the posterior odds o; the probability is o / (1 + o).": np.exp(c / 2 + ratio),
            "this is P_A exp(c/2), not yet divided by its sum with P_B.": prior * np.exp(c / 2),
        }
        what = f"posterior_A({c:g}, {prior:g})"
        problem = compare(posterior_a(c, prior), _logistic(c / 2 + ratio), mistakes, what=what)
        if problem is not None:
            return problem
    return None


def _logistic(log_odds):
    return 1 / (1 + np.exp(-log_odds))


@exercise("3.3")
def confusion_matrix(confusion):
    """Confusion matrix, rows truth and columns decision."""
    labels = ["oak", "ash", "elm"]
    truth = ["oak"] * 6 + ["elm"] * 5 + ["ash"] * 4
    decision = ["oak", "oak", "oak", "elm", "elm", "ash", "elm", "elm", "elm", "elm", "oak", "ash", "ash", "elm", "elm"]
    right = np.array([[3, 1, 2], [0, 2, 2], [1, 0, 4]])
    by_name = np.argsort(labels)
    shares = right / right.sum(axis=1, keepdims=True)
    mistakes = {
        "rows and columns are exchanged; a row per true class, a column per decision.": right.T,
        "these are shares of each true class; give the counts.": shares,
        "these are shares of each decision; give the counts.": right / right.sum(axis=0),
        "these are shares of all samples; give the counts.": right / right.sum(),
        "the classes are in alphabetical order; take the order of labels.": right[np.ix_(by_name, by_name)],
        "rows and columns are exchanged, and the classes are in alphabetical order.": right[np.ix_(by_name, by_name)].T,
        "only the right decisions are counted; the others go off the diagonal.": np.diag(right.diagonal()),
        "the right decisions are missing; they go on the diagonal.": right - np.diag(right.diagonal()),
        "each cell is 1 at most; add one for every sample.": np.minimum(right, 1),
    }
    answer = confusion(np.array(truth), np.array(decision), labels)
    if answer is not None and answer is not ... and np.ndim(answer) == 0:
        return "this is one number; a confusion matrix has a cell per pair of classes."
    problem = compare(answer, right, mistakes, what="your matrix")
    if problem is not None:
        return problem
    # A class that is never true, or never decided, still has its row and column.
    answer = confusion(np.array(["x", "x"]), np.array(["x", "y"]), ["x", "y", "z"])
    return compare(answer, [[1, 1, 0], [0, 0, 0], [0, 0, 0]], what="the matrix of two samples and three labels")
