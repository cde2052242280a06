"""Checks of notebook 03: the rule for diagonal covariances, the posterior, and which birds get a tag."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from scipy.special import expit

from bayeslab import QuadraticDiscriminantAnalysis, load_penguins, two_class
from bayeslab.checks import exercise, same_shape
from bayeslab.checks._outcomes import Refused, read

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
        "this is right for few features, but with 400 the product of their variances is too small for a float, and its "
        "logarithm is lost. Sum the logarithms of the variances instead.": (
            _by_product,
            partial(_by_product, log=math.log),
            _by_ratio,
        ),
        "you swapped A and B; c is B minus A, so that it is positive where A wins.": partial(_c, logs=-1, distances=-1),
        "naive_c returned one number per feature; sum over the features.": same_shape(
            lambda x, a, A, b, B: (x - b) ** 2 / B - (x - a) ** 2 / A + np.log(B / A)
        ),
        "naive_c returned True or False; return the number c itself, not only its sign.": lambda *args: _c(*args) > 0,
        "this is the term of one feature only; sum over the features. Is the return inside the loop?": (
            lambda x, a, A, b, B: _c(x[:1], a[:1], A[:1], b[:1], B[:1]),
            lambda x, a, A, b, B: _c(x[-1:], a[-1:], A[-1:], b[-1:], B[-1:]),
        ),
        "the log-determinants have the wrong sign; they enter as ln|Σ_B| − ln|Σ_A|.": partial(_c, logs=-1),
        "the distances have the wrong sign; they enter as D² to B minus D² to A.": partial(_c, distances=-1),
        "this is c/2, the log likelihood ratio; the rule has no ½.": partial(_c, logs=0.5, distances=0.5),
        "this is −c/2; the rule has no ½, and you swapped A and B.": partial(_c, logs=-0.5, distances=-0.5),
        "there is a ½ in front of the distances; the rule has none.": partial(_c, distances=0.5),
        "there is a ½ in front of the log-determinants; the rule has none. ln var is already ln σ².": (
            partial(_c, logs=0.5)
        ),
        "there is a factor 2 in front of the log-determinants; ln var is already ln σ².": partial(_c, logs=2),
        "the log-determinants are missing, or both belong to the same class.": partial(_c, logs=0),
        "the squared distances are missing, or both belong to the same class.": partial(_c, distances=0),
        "the logarithm is missing: you took the determinants themselves.": partial(_c, of_var=np.prod),
        "you took the logarithm of the sum of the variances. A determinant is their product, and its logarithm is the "
        "sum of their logarithms.": partial(_c, of_var=lambda var: np.log(var.sum())),
        "each distance is divided by the variance of the other class.": (
            lambda x, a, A, b, B: _c(x, a, B, b, A, logs=0) + np.log(B / A).sum()
        ),
        "you divided by σ; divide by the variance σ².": partial(_c, power_of_var=0.5),
        "you squared the variances; var is already σ².": partial(_c, power_of_var=2),
        "you treated var as σ; it is already σ².": partial(_c, power_of_var=2, logs=2),
        "the deviations are not divided by the variances: these are Euclidean distances.": partial(_c, power_of_var=0),
        "the deviations are not squared.": partial(_c, power=1),
    },
)
def naive_c(x, mean_A, var_A, mean_B, var_B):
    """Two-class rule of diagonal covariances, from means and variances."""
    return _c(x, mean_A, var_A, mean_B, var_B)


def _logit(π_A):
    return np.log(π_A / (1 - π_A))


def _odds(c, π_A, exp=np.exp):
    return exp(c / 2) * π_A / (1 - π_A)


def _by_plain_exp(c, π_A, exp=np.exp):
    return _odds(c, π_A, exp) / (1 + _odds(c, π_A, exp))


@exercise(
    "3.2",
    [(1.3, 0.2), (-2.1, 0.7), (0.4, 0.5), (0.0, 0.9), (2000.0, 0.3), (-2000.0, 0.3)],
    wrong={
        "the ½ is missing: the log likelihood ratio is c/2.": lambda c, π_A: posterior_A(2 * c, π_A),
        "this is right for most flowers, but for c = 2000 or −2000 exp overflows, and the posterior is lost. "
        "Pass the log odds to scipy.special.expit, which doesn't overflow.": (
            _by_plain_exp,
            partial(_by_plain_exp, exp=math.exp),
            lambda c, π_A: 1 / (1 + math.exp(-c / 2) * (1 - π_A) / π_A),
        ),
        "these are the posterior odds o; the probability is o / (1 + o).": _odds,
        "this is P(B|x); you swapped A and B.": lambda c, π_A: 1 - posterior_A(c, π_A),
        "the priors are swapped; the odds are π_A over π_B.": lambda c, π_A: posterior_A(c, 1 - π_A),
        "c has the wrong sign; a large c favours A.": lambda c, π_A: posterior_A(-c, π_A),
        "the prior counts twice: 2 ln(π_A/π_B) goes with c, ln(π_A/π_B) with c/2.": (
            lambda c, π_A: expit(c / 2 + 2 * _logit(π_A))
        ),
        "the ½ is missing: you used c + 2 ln(π_A/π_B), which is twice the log odds.": (
            lambda c, π_A: expit(c + 2 * _logit(π_A))
        ),
        "the prior has half the weight that it should have: a factor 2 is missing in (c + 2 ln(π_A/π_B)) / 2.": (
            lambda c, π_A: expit((c + _logit(π_A)) / 2)
        ),
        "π_B is missing: the odds need π_A / (1 − π_A).": lambda c, π_A: expit(c / 2 + np.log(π_A)),
        "the prior is missing.": lambda c, π_A: expit(c / 2),
        "the prior is missing, and so is the ½ of c/2.": lambda c, π_A: expit(c),
        "this is the prior; c is missing.": lambda c, π_A: π_A,
        "these are the log posterior odds; turn them into a probability.": lambda c, π_A: c / 2 + _logit(π_A),
        "this is c + 2 ln(π_A/π_B); turn it into a probability.": lambda c, π_A: c + 2 * _logit(π_A),
        "this is π_A exp(c/2), not yet divided by its sum with π_B.": lambda c, π_A: π_A * np.exp(c / 2),
    },
)
def posterior_A(c, π_A):
    """Posterior of A from c and its prior."""
    return expit(c / 2 + _logit(π_A))


_CAUGHT = [1, 114, 205, 210, 128, 154, 151]


def _bills():
    """Return the bills of the seven birds that were caught, then those of the others and their species."""
    bills = load_penguins().select("bill length", "bill depth")
    X, y = two_class(bills.X, bills.y, "Adelie", "Chinstrap")
    return X[_CAUGHT], np.delete(X, _CAUGHT, axis=0), np.delete(y, _CAUGHT)


def _tags(P_adelie=0.75, wasted=100.0, missed=200.0):
    """Return which birds get a tag, by a prior and costs that may be wrong."""
    seven, X, y = _bills()
    p = QuadraticDiscriminantAnalysis(priors=[P_adelie, 1 - P_adelie]).fit(X, y).predict_proba(seven)[:, 1]
    return (missed * p > wasted * (1 - p)).astype(float)


def _as_numbers(tags):
    """Read True and False as 1 and 0; a list of 1 and 0 is accepted too."""
    found = read(tags, "tags is", "tags")
    return found if isinstance(found, Refused) else found.astype(float)


@exercise(
    "3.3",
    {"tags is": _as_numbers},
    wrong={
        "you tag the birds that are more probably Chinstraps. Use the costs, too: a missed Chinstrap costs twice as "
        "much as a wasted tag.": _tags(wasted=1, missed=1),
        "this ignores that there are three Adelies for every Chinstrap. Set priors=[3 / 4, 1 / 4].": _tags(
            P_adelie=0.5
        ),
        "you swapped the two costs: a wasted tag costs 100 €, a missed Chinstrap 200 €.": _tags(wasted=200, missed=100),
        "you tag the Adelies and let the Chinstraps go. The columns of predict_proba are in alphabetical order.": 1
        - _tags(),
        "every bird gets a tag. On average that costs too much: compare the two expected costs for each bird.": np.ones(
            7
        ),
        "no bird gets a tag. On average that costs too much: compare the two expected costs for each bird.": np.zeros(
            7
        ),
    },
)
def tags():
    """Which of the seven birds get a tag."""
    return _tags()
