"""The checks of notebook 05 accept what is right, in whatever form, and name each usual mistake."""

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy.special import softmax
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis


def by_scipy(μ_i, Σ_i, μ_j, Σ_j, P_i, P_j):
    """Coefficients from differences of g, which are exact, as it is quadratic."""

    def g(x):
        first, second = multivariate_normal(μ_i, Σ_i), multivariate_normal(μ_j, Σ_j)
        return np.log(P_i) + first.logpdf(x) - np.log(P_j) - second.logpdf(x)

    steps = np.eye(2)
    w0 = g(np.zeros(2))
    W = [[(g(a + b) - g(a) - g(b) + w0) / 2 for a in steps] for b in steps]
    return W, [(g(a) - g(-a)) / 2 for a in steps], w0


def with_factors(W=1.0, w=1.0, w0=1.0):
    """Return a `coefficients` that gets these factors wrong."""

    def coefficients(*args):
        right = by_scipy(*args)
        return np.multiply(W, right[0]), np.multiply(w, right[1]), w0 * right[2]

    return coefficients


def with_w0(logs=-0.5, odds=1.0, forms=-0.5):
    """Return a `coefficients` whose w₀ has these factors."""

    def coefficients(μ_i, Σ_i, μ_j, Σ_j, P_i, P_j):
        W, w, _ = by_scipy(μ_i, Σ_i, μ_j, Σ_j, P_i, P_j)
        quadratic = μ_i @ np.linalg.inv(Σ_i) @ μ_i - μ_j @ np.linalg.inv(Σ_j) @ μ_j
        ratio = np.log(np.linalg.det(Σ_i) / np.linalg.det(Σ_j))
        return W, w, forms * quadratic + logs * ratio + odds * np.log(P_i / P_j)

    return coefficients


def replaced(**parts):
    """Return a `coefficients` with one of its three results computed by another function of its arguments."""

    def coefficients(*args):
        return [
            parts[name](*args) if name in parts else value
            for name, value in zip(("W", "w", "w0"), by_scipy(*args), strict=True)
        ]

    return coefficients


def scores(X, means, Σ, priors):
    """The scores as logarithms of densities, less what all classes share."""
    joint = [np.log(P) + multivariate_normal(m, Σ).logpdf(X) for m, P in zip(means, priors, strict=True)]
    return np.transpose(joint) - multivariate_normal(np.zeros(len(Σ)), Σ).logpdf(X)[:, None]


def with_terms(second=-0.5, logs=1.0):
    """Return a `linear_scores` whose terms have these factors."""

    def linear_scores(X, means, Σ, priors):
        coefficients = means @ np.linalg.inv(Σ)
        return X @ coefficients.T + second * (coefficients * means).sum(axis=1) + logs * np.log(priors)

    return linear_scores


def by_scikit_learn(X, means, Σ, priors):
    """Its LDA, given what it would have estimated; a term that all classes share is left out there."""
    lda = LinearDiscriminantAnalysis()
    lda.coef_, lda.classes_ = means @ np.linalg.inv(Σ), np.arange(len(means))
    lda.intercept_ = -0.5 * np.diag(means @ lda.coef_.T) + np.log(priors)
    return lda.decision_function(X)


TABLE = [
    ("5.1", by_scipy, DONE),
    ("5.1", with_w0(), DONE),
    ("5.1", lambda *args: [np.array(part) for part in by_scipy(*args)], DONE),
    ("5.1", replaced(w0=lambda *args: [by_scipy(*args)[2]]), DONE),
    ("5.1", lambda μ, Σ, m, S, P, p: by_scipy(m, S, μ, Σ, p, P), "i and j are swapped throughout"),
    ("5.1", with_factors(W=-1, w=-1, w0=-1), "i and j are swapped throughout"),
    ("5.1", with_factors(W=-1, w=-1), "i and j are swapped in W and in w"),
    ("5.1", lambda *args: (-np.array(by_scipy(*args)[0]), *by_scipy(*args)[1:]), "W has the wrong sign"),
    ("5.1", with_factors(W=-1), "W has the wrong sign"),
    ("5.1", with_factors(W=-1, w0=-1), "W has the wrong sign"),
    ("5.1", lambda *args: (..., by_scipy(*args)[1], ...), "replace the ... in W"),
    ("5.1", lambda *args: (by_scipy(*args)[0], None, None), "w is None"),
    ("5.1", with_factors(W=2), "the ½ of W is missing"),
    ("5.1", with_factors(W=-2), "and its ½ is missing"),
    ("5.1", replaced(W=lambda μ, Σ, m, S, P, p: (S - Σ) / 2), "these are covariances"),
    ("5.1", replaced(W=lambda μ, Σ, m, S, P, p: np.linalg.inv(Σ - S) / -2), "inverse of the difference"),
    ("5.1", replaced(W=lambda μ, Σ, m, S, P, p: np.linalg.inv(Σ) / 2 + np.linalg.inv(S) / 2), "inverses are added"),
    ("5.1", replaced(W=lambda μ, Σ, m, S, P, p: (1 / S - 1 / Σ) / 2), "entry by entry"),
    ("5.1", replaced(W=lambda μ, Σ, m, S, P, p: (np.eye(2) - np.linalg.inv(Σ)) / 2), "misprint"),
    ("5.1", with_factors(w=-1), "w has the wrong sign"),
    ("5.1", with_factors(w=0.5), "w has a ½ too many"),
    ("5.1", with_factors(w=2), "w has a factor 2"),
    ("5.1", replaced(w=lambda μ, Σ, m, S, P, p: μ - m), "inverses are missing in w"),
    ("5.1", replaced(w=lambda μ, Σ, m, S, P, p: np.linalg.solve(S, μ) - np.linalg.solve(Σ, m)), "its own covariance"),
    ("5.1", with_factors(w0=-1), "w0 has the wrong sign as a whole"),
    ("5.1", with_w0(odds=-1), "priors have the wrong sign"),
    ("5.1", with_w0(logs=0.5), "log-determinants have the wrong sign"),
    ("5.1", with_w0(forms=0.5), "quadratic forms of the means have the wrong sign"),
    ("5.1", with_w0(forms=-1), "½ of the quadratic forms"),
    ("5.1", with_w0(logs=-1), "½ of the log-determinants"),
    ("5.1", with_w0(forms=-1, logs=-1), "both ½"),
    ("5.1", with_w0(odds=0), "priors are missing"),
    ("5.1", with_w0(logs=0), "log-determinants are missing"),
    ("5.1", lambda *args: np.array(by_scipy(*args)[0]), "between them, not ndarray"),
    ("5.1", lambda *args: by_scipy(*args)[:2], "between them, not 2"),
    ("5.1", lambda *args: None, "what coefficients returns is None"),
    ("5.1", lambda *args: (*by_scipy(*args)[:2], ...), "replace the ..."),
    ("5.2", scores, DONE),
    ("5.2", with_terms(), DONE),
    ("5.2", by_scikit_learn, DONE),
    ("5.2", lambda *args: scores(*args).tolist(), DONE),
    ("5.2", with_terms(second=-1), "½ of the second term"),
    ("5.2", with_terms(second=0.5), "second term has the wrong sign"),
    ("5.2", with_terms(second=0), "second term is missing"),
    ("5.2", lambda X, m, Σ, P: with_terms(0)(X, m, Σ, P) - np.sum(m * (m @ np.linalg.inv(Σ))) / 2, "for each class"),
    ("5.2", with_terms(logs=0), "priors are missing"),
    ("5.2", with_terms(logs=-1), "priors have the wrong sign"),
    ("5.2", lambda X, m, Σ, P: with_terms(logs=0)(X, m, Σ, P) + P, "logarithm of the priors"),
    ("5.2", lambda X, m, Σ, P: scores(X, m, np.linalg.inv(Σ), P), "Σ where Σ⁻¹ belongs"),
    ("5.2", lambda X, m, Σ, P: scores(X, m, np.eye(2), P), "Σ⁻¹ is missing"),
    ("5.2", lambda *args: softmax(scores(*args), axis=1), "posteriors"),
    ("5.2", lambda *args: scores(*args).T, "transpose"),
    ("5.2", lambda *args: scores(*args).argmax(axis=1), "not only the winner"),
]
TABLE += unfinished("5.1", "5.2")


def test_values_that_the_notebook_promises():
    """Of exercise 5.1: w₀ of N((0, 0), I) against N((2, 0), diag(4, 1)); of 5.2: two scores."""
    W, w, w0 = by_scipy(np.zeros(2), np.eye(2), np.array([2.0, 0]), np.diag([4.0, 1]), 0.5, 0.5)
    np.testing.assert_allclose(W, [[-0.375, 0], [0, 0]], atol=1e-9)
    np.testing.assert_allclose(w, [-0.5, 0], atol=1e-9)
    assert round(w0, 3) == 1.193
    two = scores(np.array([[1.0, 2], [0, 0]]), np.array([[0.0, 0], [2, 2]]), np.eye(2), np.array([0.5, 0.5]))
    assert two[0].round(3).tolist() == [-0.693, 1.307]


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
