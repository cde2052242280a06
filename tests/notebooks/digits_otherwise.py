"""Digits, halves and rules of notebook 13, in another way: singular values, scikit-learn, SciPy's densities."""

import re
from functools import cache, partial

import numpy as np
from scipy.stats import multivariate_normal
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from stored import printed_by

from bayeslab import k_fold, shuffle_splits

printed = partial(printed_by, "13")
NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
X, y = load_digits(return_X_y=True)
DIGITS = range(10)


def numbers(phrase):
    return [float(x) for x in re.findall(NUMBER, printed(phrase))]


def row(phrase, name):
    """Numbers of the row of a printed table, after its name."""
    return [float(x) for x in re.search(rf"^{re.escape(name)}  ?\s*(.*)$", printed(phrase), re.M)[1].split()]


@cache
def halves():
    return shuffle_splits(y, 10, np.random.default_rng(13), stratify=True)


def folds(train):
    inner = k_fold(y[train], 3, np.random.default_rng(13), stratify=True)
    return [(train[a], train[b]) for a, b in inner]


@cache
def nested(errors_of):
    """Errors of all settings in each half, and those of the settings that the inner folds choose."""
    inner = [np.mean([errors_of(*pair) for pair in folds(train)], axis=0) for train, _ in halves()]
    outer = [errors_of(*pair) for pair in halves()]
    return np.array(outer), np.array([o[np.argmin(i)] for o, i in zip(outer, inner, strict=True)])


def singular(rows):
    """Standard deviations along the axes of some rows, those axes in rows, and the mean."""
    mean = rows.mean(axis=0)
    _, s, axes = np.linalg.svd(rows - mean, full_matrices=False)
    return s / np.sqrt(len(rows) - 1), axes, mean


def rank(rows):
    s = singular(rows)[0]
    return int(np.sum(s > 1e-10 * s[0]))


def of_class(rows, k):
    return X[rows[y[rows] == k]]


def decide(joint, test):
    return np.mean(np.argmax(joint, axis=0) != y[test])


def by_peers(make, sizes, train, test):
    axes = PCA(max(sizes), svd_solver="full").fit(X[train])
    A, B = axes.transform(X[train]), axes.transform(X[test])
    return np.array([_error(make(), A[:, :s], y[train], B[:, :s], y[test]) for s in sizes])


def _error(rule, A, y_train, B, y_test):
    try:
        return 1 - rule.fit(A, y_train).score(B, y_test)
    except np.linalg.LinAlgError:  # at 45 axes, in an inner fold
        return 1.0


def log_normal(z, scale):
    """Sum over the columns of ln N(z; 0, scale²): faster than SciPy's, with which it is compared."""
    return -np.square(z / scale).sum(axis=1) / 2 - np.log(scale * np.sqrt(2 * np.pi)).sum()


SIZES = [5, 10, 15, 20, 25, 29, 35, 40, 45]
qda_errors = partial(by_peers, partial(QuadraticDiscriminantAnalysis, tol=1e-12), SIZES)
naive_axes_errors = partial(by_peers, partial(GaussianNB, var_smoothing=0), [*SIZES, 50])


def pseudo_errors(train, test):
    """By singular values; the notebook takes eigenvalues of the covariance."""
    parts = [(*singular(of_class(train, k)), np.sum(y[train] == k)) for k in DIGITS]
    errors = []
    for ε in 10.0 ** np.array([-10, -8, -6, -5, -4, -3.5, -3, -2.5, -2, -1.5]):
        joint = []
        for s, axes, mean, n in parts:
            kept = s**2 > ε * s[0] ** 2
            z = (X[test] - mean) @ axes[kept].T
            joint.append(np.log(n) + log_normal(z, s[kept]))
        errors.append(decide(joint, test))
    return np.array(errors)


def naive_errors(train, test):
    errors = []
    for smoothing in (1e-9, 1e-6, 1e-3, 1e-2, 0.1, 1):
        added, joint = smoothing * X[train].var(axis=0).max(), []
        for k in DIGITS:
            rows = of_class(train, k)
            scale = np.sqrt(rows.var(axis=0) + added)
            joint.append(np.log(len(rows)) + log_normal(X[test] - rows.mean(axis=0), scale))
        errors.append(decide(joint, test))
    return np.array(errors)


def blended(train, γ, λ):
    """Covariances of RDA in the pixels that vary; λ may be one for each class."""
    varies = np.flatnonzero(np.ptp(X[train], axis=0))
    own = [np.cov(of_class(train, k)[:, varies].T) for k in DIGITS]
    n = np.bincount(y[train]) - 1
    pooled = sum(each * weight for each, weight in zip(own, n, strict=True)) / n.sum()
    target = np.diag(pooled.diagonal())
    λ = np.broadcast_to(λ, 10)
    return varies, [(1 - a) * ((1 - γ) * each + γ * pooled) + a * target for each, a in zip(own, λ, strict=True)]


def rda_error(γ, λ, train, test):
    varies, covariances = blended(train, γ, λ)
    joint = []
    for k, Σ in enumerate(covariances):
        rows = of_class(train, k)[:, varies]
        joint.append(np.log(len(rows)) + multivariate_normal(rows.mean(axis=0), Σ).logpdf(X[test][:, varies]))
    return decide(joint, test)


def intensity(train):
    """Ledoit and Wolf's λ of each class, outer product by outer product, in pooled standard deviations."""
    varies, (*_, pooled) = blended(train, 1, 0)
    result = []
    for k in DIGITS:
        rows = of_class(train, k)[:, varies]
        z = (rows - rows.mean(axis=0)) / np.sqrt(pooled.diagonal())
        S = z.T @ z / len(z)
        noise = sum(np.sum((np.outer(each, each) - S) ** 2) for each in z) / len(z) ** 2
        result.append(min(1, noise / np.sum((S - np.eye(len(S))) ** 2)))
    return result
