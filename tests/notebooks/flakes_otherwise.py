"""The worlds of notebook 12 and the errors of rules in them, by scikit-learn, SciPy and NumPy; for its tests."""

import re
from functools import cache, partial

import numpy as np
from scipy.stats import multivariate_normal, norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from stored import printed_by

from bayeslab import make_gaussian_pair

printed = partial(printed_by, "12")
NUMBER = r"-?\d+(?:\.\d+)?"
SIZES = [5, 10, 15, 25, 40, 70, 120, 250, 500, 1000]
LEARNT = {"nearest mean": 40, "naive": 80, "LDA": 250, "QDA": 460, "1-NN": 0}
PEERS = {
    "nearest mean": NearestCentroid(),
    "naive": GaussianNB(var_smoothing=0),
    "LDA": LinearDiscriminantAnalysis(solver="lsqr"),
    "QDA": QuadraticDiscriminantAnalysis(tol=1e-9),
    "logistic": LogisticRegression(C=100, max_iter=1000),
}


def numbers(text):
    return [float(x) for x in re.findall(NUMBER, text)]


def rows(phrase, *names):
    """Return the numbers of the printed lines that begin with a name, in the order of the lines."""
    found = [re.match(rf"\s*({'|'.join(names)})\s+(.*)", line) for line in printed(phrase).splitlines()]
    return [(match[1], numbers(match[2])) for match in found if match]


@cache
def world(problem):
    """Mean and covariance of each class; those of P2c are the package's, drawn once."""
    if problem == "P2c":
        gaussians = make_gaussian_pair("P2c", 1, np.random.default_rng(0)).truth.gaussians
        return [(g.mean, g.covariance) for g in gaussians]
    return [(np.full(20, mean), np.eye(20) * (1 if problem == "P2a" else 3)) for mean in (0.0, 1.0)]


def drawn(problem, n, rng):
    X = np.concatenate([rng.multivariate_normal(m, S, size=n, method="cholesky") for m, S in world(problem)])
    return X, np.repeat([0, 1], n)


@cache
def many(problem):
    X, y = drawn(problem, 30_000, np.random.default_rng(99))
    log = np.stack([multivariate_normal(m, S).logpdf(X) for m, S in world(problem)])
    return X, y, 1 / (1 + np.exp(log[0] - log[1]))


def error(rule, problem):
    """Share of wrong decisions among 60,000 rows."""
    X, y, _ = many(problem)
    return np.mean(rule.predict(X) != y)


@cache
def errors(name, problem, n, n_draws=12):
    """Mean error of a peer after n rows of each class, and the standard error of that mean."""
    rng = np.random.default_rng(n)
    found = [error(PEERS[name].fit(*drawn(problem, n, rng)), problem) for _ in range(n_draws)]
    return np.mean(found), np.std(found, ddof=1) / np.sqrt(n_draws) + np.sqrt(np.mean(found) / 60_000)


def floor(problem):
    p = many(problem)[2]
    exact = {"P2a": norm.sf(np.sqrt(20) / 2), "P2b": norm.sf(np.sqrt(20 / 3) / 2)}
    return exact.get(problem, np.minimum(p, 1 - p).mean())
