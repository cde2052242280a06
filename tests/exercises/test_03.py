"""The checks of notebook 03 accept what is right, in whatever form, and name each usual mistake."""

import math

import numpy as np
import pandas as pd
import pytest
from judging import DONE, must_say, unfinished
from scipy.special import expit, logit
from scipy.stats import norm
from sklearn.metrics import accuracy_score, confusion_matrix

from bayeslab import load_iris


def naive(x, mean_A, var_A, mean_B, var_B):
    """Twice the log likelihood ratio."""
    return 2 * (norm.logpdf(x, mean_A, np.sqrt(var_A)) - norm.logpdf(x, mean_B, np.sqrt(var_B))).sum()


def naive_with(logs=1.0, distances=1.0):
    """Return a `naive_c` from matrices, with factors to be got wrong."""

    def naive_c(x, mean_A, var_A, mean_B, var_B):
        A, B = np.diag(var_A), np.diag(var_B)
        difference = (x - mean_B) @ np.linalg.inv(B) @ (x - mean_B) - (x - mean_A) @ np.linalg.inv(A) @ (x - mean_A)
        return logs * (np.linalg.slogdet(B)[1] - np.linalg.slogdet(A)[1]) + distances * difference

    return naive_c


def by_product(x, mean_A, var_A, mean_B, var_B, *, log=np.log):
    """Logarithms of products, which are lost where there are many features."""
    return (
        log(np.prod(var_B)) - log(np.prod(var_A)) + naive(x, mean_A, var_A, mean_B, var_B) - np.log(var_B / var_A).sum()
    )


def in_a_loop(x, mean_A, var_A, mean_B, var_B):
    """Count one feature after the other, and divide determinants as they grow."""
    total, ratio = 0, 1
    for i, value in enumerate(x):
        total += (value - mean_B[i]) ** 2 / var_B[i] - (value - mean_A[i]) ** 2 / var_A[i]
        ratio *= float(var_B[i]) / float(var_A[i])
    return total + math.log(ratio)


def bayes(c, P_A):
    """Posterior from two densities with the ratio exp(c/2)."""
    joint = P_A * math.exp(c / 4), (1 - P_A) * math.exp(-c / 4)
    return joint[0] / sum(joint)


def counts(truth, decision, labels, **options):
    return confusion_matrix(truth, decision, labels=labels, **options)


# (number, answer, what is said)
TABLE = [
    ("3.1", naive, DONE),
    ("3.1", naive_with(), DONE),
    ("3.1", lambda *args: [naive(*args)], DONE),
    ("3.1", lambda x, a, A, b, B: naive(x, np.subtract(a, x, out=a) + x, A, b, B), DONE),
    ("3.1", lambda x, mean_A, var_A, *B: naive(x, *B, mean_A, var_A), "swapped A and B"),
    ("3.1", lambda *args: naive(*args) / 2, "this is c/2"),
    ("3.1", lambda x, a, A, b, B: naive(x, a, A**2, b, B**2), "var for σ"),
    ("3.1", naive_with(logs=-1), "log-determinants have the wrong sign"),
    ("3.1", naive_with(distances=0.5), "½ at the distances"),
    ("3.1", lambda x, a, A, b, B: np.log(B / A) + (x - b) ** 2 / B - (x - a) ** 2 / A, "one number per feature"),
    ("3.1", lambda *args: naive(*args) > 0, "True or False"),
    ("3.1", by_product, "Sum the logarithms"),
    ("3.1", lambda *args: by_product(*args, log=math.log), "Sum the logarithms"),
    (
        "3.1",
        lambda x, a, A, b, B: naive(x, a, A, b, B) + np.log(np.prod(B / A)) - np.log(B / A).sum(),
        "Sum the logarithms",
    ),
    ("3.1", in_a_loop, "Sum the logarithms"),
    ("3.1", lambda x, *args: naive(x, *args) if len(x) < 9 else None, "is None. Does your function end with return?"),
    ("3.1", lambda x, *args: naive(x, *args) if len(x) < 9 else 1.0, "returns for 400 features is 1"),
    ("3.2", bayes, DONE),
    ("3.2", lambda c, P_A: [expit(c / 2 + logit(P_A))], DONE),
    ("3.2", lambda c, P_A: np.array(1 / (1 + (1 - P_A) / P_A * np.exp(-c / 2))), DONE),
    ("3.2", lambda c, P_A: 1 - bayes(c, P_A), "P(B|x)"),
    ("3.2", lambda c, P_A: bayes(c, 1 - P_A), "priors are swapped"),
    ("3.2", lambda c, P_A: bayes(-c, P_A), "c has the wrong sign"),
    ("3.2", lambda c, P_A: bayes(2 * c, P_A), "the log likelihood ratio is c/2"),
    ("3.2", lambda c, P_A: bayes(c, 0.5), "the prior is missing."),
    ("3.2", lambda c, P_A: logit(bayes(c, P_A)), "log posterior odds"),
    ("3.2", lambda c, P_A: math.exp(c / 2) * P_A / (1 - P_A), "posterior odds o"),
    ("3.3", counts, DONE),
    ("3.3", lambda *args: counts(*args).astype(float).tolist(), DONE),
    ("3.3", lambda t, d, labels: pd.crosstab(t, d).reindex(index=labels, columns=labels, fill_value=0), DONE),
    ("3.3", lambda *args: counts(*args).T, "rows and columns are exchanged; a row"),
    ("3.3", lambda *args: counts(*args, normalize="true"), "of each true class"),
    ("3.3", lambda truth, decision, labels: confusion_matrix(truth, decision), "in alphabetical order; take"),
    ("3.3", lambda truth, decision, labels: accuracy_score(truth, decision), "one number"),
    ("3.3", lambda t, d, labels: counts(t, d, [k for k in labels if k in {*t, *d}]), "shape (2, 2)"),
]
TABLE += unfinished("3.1", "3.2", "3.3")


def test_values_which_the_text_gives():
    """The notebook tells what its flower gives; here they come from SciPy and from scikit-learn's matrix."""
    iris = load_iris()
    A, B = iris.X[50:100], iris.X[100:]
    moments = A.mean(axis=0), A.var(axis=0, ddof=1), B.mean(axis=0), B.var(axis=0, ddof=1)
    assert round(naive(iris.X[77], *moments), 3) == -4.888
    assert round(bayes(3.647, 5 / 6), 3) == 0.969
    assert counts(["a", "a", "b"], ["a", "b", "b"], ["a", "b"]).tolist() == [[1, 1], [0, 1]]


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
