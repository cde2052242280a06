"""Checks of notebook 03, the two-class log-determinant rule."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from scipy.special import expit

from bayeslab.checks import exercise, same_shape

# Three features; every number is different, so that each mistake gives a value of its own.
_X = np.array([1.0, 2.5, -0.5])
_MEAN_A, _VAR_A = np.array([0.5, 2.0, 1.0]), np.array([0.4, 1.5, 2.0])
_MEAN_B, _VAR_B = np.array([2.0, 1.0, 0.3]), np.array([0.9, 0.7, 3.1])

# Four hundred features: each product of variances is below the smallest float, and B's is 1e400 times A's.
_MANY = np.linspace(-1, 1, 400)
_MANY_A, _MANY_B = 0.001 * (1.5 + _MANY**2), 0.01 * (1.5 + _MANY**2)


def _c(x, mean_A, var_A, mean_B, var_B, *, logs=1.0, distances=1.0, power=2, power_of_var=1, of_var=np.log):
    """Return c for diagonal covariances, with factors and powers that may be wrong."""
    D2_A = (x - mean_A) ** power / var_A**power_of_var
    D2_B = (x - mean_B) ** power / var_B**power_of_var
    return distances * (D2_B.sum() - D2_A.sum()) + logs * (of_var(var_B).sum() - of_var(var_A).sum())


def _by_product(x, mean_A, var_A, mean_B, var_B, *, log=np.log):
    return _c(x, mean_A, var_A, mean_B, var_B, logs=0) + log(np.prod(var_B)) - log(np.prod(var_A))


def _by_ratio(x, mean_A, var_A, mean_B, var_B):
    return _c(x, mean_A, var_A, mean_B, var_B, logs=0) + np.log(np.prod(var_B / var_A))


@exercise(
    "3.1",
    {
        "naive_c returned": (_X, _MEAN_A, _VAR_A, _MEAN_B, _VAR_B),
        "for two equal classes, naive_c returned": (_X, _MEAN_A, _VAR_A, _MEAN_A, _VAR_A),
        "for 400 features, naive_c returned": (np.sqrt(_MANY_A), np.zeros(400), _MANY_A, np.full(400, 0.02), _MANY_B),
    },
    wrong={
        "naive_c returned True or False; return the number c itself, whose sign decides.": lambda *args: _c(*args) > 0,
        "naive_c returned one number per feature; sum over the features.": same_shape(
            lambda x, a, A, b, B: (x - b) ** 2 / B - (x - a) ** 2 / A + np.log(B / A)
        ),
        "you swapped A and B; c is B minus A, so that it is positive where A wins.": partial(_c, logs=-1, distances=-1),
        "the log-determinants have the wrong sign; they enter as ln|Σ_B| − ln|Σ_A|.": partial(_c, logs=-1),
        "the distances have the wrong sign; they enter as D² to B minus D² to A.": partial(_c, distances=-1),
        "this is c/2, the log likelihood ratio; the rule has no ½.": partial(_c, logs=0.5, distances=0.5),
        "this is −c/2; the rule has no ½, and you swapped A and B.": partial(_c, logs=-0.5, distances=-0.5),
        "there is a ½ in front of the distances; the rule has none.": partial(_c, distances=0.5),
        "there is a ½ in front of the log-determinants; the rule has none. ln var is already ln σ².": (
            partial(_c, logs=0.5)
        ),
        "there is a factor 2 in front of the log-determinants; ln var is already ln σ².": partial(_c, logs=2),
        "the log-determinants are missing, or both are of the same class.": partial(_c, logs=0),
        "the squared distances are missing, or both are of the same class.": partial(_c, distances=0),
        "the logarithm is missing: you took the determinants themselves.": partial(_c, of_var=np.prod),
        "you took the logarithm of the sum of the variances. A determinant is their product, and its logarithm the sum "
        "of their logarithms.": partial(_c, of_var=lambda var: np.log(var.sum())),
        "each distance is divided by the variance of the other class.": (
            lambda x, a, A, b, B: _c(x, a, B, b, A, logs=0) + np.log(B / A).sum()
        ),
        "you divided by σ; divide by the variance σ².": partial(_c, power_of_var=0.5),
        "you squared the variances; var is already σ².": partial(_c, power_of_var=2),
        "you treated var as σ; it is already σ².": partial(_c, power_of_var=2, logs=2),
        "the deviations are not divided by the variances: these are Euclidean distances.": partial(_c, power_of_var=0),
        "the deviations are not squared.": partial(_c, power=1),
        "this is right for few features, but with 400 the product of their variances is too small for a float, and its "
        "logarithm is lost. Sum the logarithms of the variances instead.": (
            _by_product,
            partial(_by_product, log=math.log),
            _by_ratio,
        ),
    },
)
def naive_c(x, mean_A, var_A, mean_B, var_B):
    """Two-class rule of diagonal covariances, from means and variances."""
    return _c(x, mean_A, var_A, mean_B, var_B)


def _logit(P_A):
    return np.log(P_A / (1 - P_A))


def _odds(c, P_A, exp=np.exp):
    return exp(c / 2) * P_A / (1 - P_A)


def _by_plain_exp(c, P_A, exp=np.exp):
    return _odds(c, P_A, exp) / (1 + _odds(c, P_A, exp))


@exercise(
    "3.2",
    [(1.3, 0.2), (-2.1, 0.7), (0.4, 0.5), (0.0, 0.9), (2000.0, 0.3), (-2000.0, 0.3)],
    wrong={
        "this is P(B|x); you swapped A and B.": lambda c, P_A: 1 - posterior_A(c, P_A),
        "the priors are swapped; the odds are P_A over P_B.": lambda c, P_A: posterior_A(c, 1 - P_A),
        "c has the wrong sign; a large c favours A.": lambda c, P_A: posterior_A(-c, P_A),
        "the ½ is missing: the log likelihood ratio is c/2.": lambda c, P_A: posterior_A(2 * c, P_A),
        "the prior counts twice: 2 ln(P_A/P_B) goes with c, ln(P_A/P_B) with c/2.": (
            lambda c, P_A: expit(c / 2 + 2 * _logit(P_A))
        ),
        "the ½ is missing: you used c + 2 ln(P_A/P_B), which is twice the log odds.": (
            lambda c, P_A: expit(c + 2 * _logit(P_A))
        ),
        "the prior counts half: a factor 2 is missing in (c + 2 ln(P_A/P_B)) / 2.": (
            lambda c, P_A: expit((c + _logit(P_A)) / 2)
        ),
        "P_B is missing: the odds need P_A / (1 − P_A).": lambda c, P_A: expit(c / 2 + np.log(P_A)),
        "the prior is missing.": lambda c, P_A: expit(c / 2),
        "the prior is missing, and so is the ½ of c/2.": lambda c, P_A: expit(c),
        "this is the prior; c is missing.": lambda c, P_A: P_A,
        "these are the log posterior odds; turn them into a probability.": lambda c, P_A: c / 2 + _logit(P_A),
        "this is c + 2 ln(P_A/P_B); turn it into a probability.": lambda c, P_A: c + 2 * _logit(P_A),
        "these are the posterior odds o; the probability is o / (1 + o).": _odds,
        "this is P_A exp(c/2), not yet divided by its sum with P_B.": lambda c, P_A: P_A * np.exp(c / 2),
        "this is right for most flowers, but for c = 2000 or −2000 exp overflows, and the posterior is lost. "
        "scipy.special.expit takes the log odds as they are.": (
            _by_plain_exp,
            partial(_by_plain_exp, exp=math.exp),
            lambda c, P_A: 1 / (1 + math.exp(-c / 2) * (1 - P_A) / P_A),
        ),
    },
)
def posterior_A(c, P_A):
    """Posterior of A from c and its prior."""
    return expit(c / 2 + _logit(P_A))


_LABELS = ["oak", "ash", "elm"]
_TRUTH = np.array(["oak"] * 6 + ["elm"] * 5 + ["ash"] * 4)
_DECISION = np.array(["oak"] * 3 + ["elm"] * 2 + ["ash"] + ["elm"] * 4 + ["oak"] + ["ash"] * 2 + ["elm"] * 2)


@exercise(
    "3.3",
    {
        "your matrix is": (_TRUTH, _DECISION, _LABELS),
        # A class that is never true, or never decided, still has its row and column.
        "for two samples and three labels, your matrix is": (
            np.array(["x", "x"]),
            np.array(["x", "y"]),
            ["x", "y", "z"],
        ),
    },
    wrong={
        "this is one number; a confusion matrix has a cell for each pair of classes.": same_shape(
            lambda truth, decision, labels: np.mean(truth == decision)
        ),
        "rows and columns are swapped. There is a row for each true class, a column for each decision.": (
            lambda truth, decision, labels: confusion(decision, truth, labels)
        ),
        "these are shares of each true class; give the counts.": (
            lambda *args: confusion(*args) / confusion(*args).sum(axis=1, keepdims=True)
        ),
        "these are shares of each decision; give the counts.": lambda *args: confusion(*args) / confusion(*args).sum(0),
        "these are shares of all samples; give the counts.": lambda *args: confusion(*args) / confusion(*args).sum(),
        "the classes are in alphabetical order; use the order of labels.": (
            lambda truth, decision, labels: confusion(truth, decision, sorted(labels))
        ),
        "rows and columns are swapped, and the classes are in alphabetical order.": (
            lambda truth, decision, labels: confusion(decision, truth, sorted(labels))
        ),
        "only the right decisions are counted; the wrong ones belong off the diagonal.": (
            lambda *args: confusion(*args) * np.eye(3)
        ),
        "the right decisions are missing; they go on the diagonal.": lambda *args: confusion(*args) * (1 - np.eye(3)),
        "each cell is 1 at most; add one for every sample.": lambda *args: np.minimum(confusion(*args), 1),
    },
)
def confusion(truth, decision, labels):
    """Confusion matrix, rows truth and columns decision."""
    counts = np.zeros((len(labels), len(labels)))
    for true, decided in zip(truth, decision, strict=True):
        counts[labels.index(true), labels.index(decided)] += 1
    return counts
