"""The checks of notebook 02 accept what is right, in whatever form, and name each usual mistake."""

import math

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy import linalg, optimize
from scipy.stats import chi, chi2, multivariate_normal

from bayeslab import load_iris


def principal_axes(X, μ, Σ):
    values, vectors = np.linalg.eigh(Σ)
    return (X - μ) @ vectors / np.sqrt(values)


def covariance_of(σ, ρ):
    return np.array([[σ[0] ** 2, ρ * σ[0] * σ[1]], [ρ * σ[0] * σ[1], σ[1] ** 2]])


def log_by_scipy(x, μ, σ, ρ):
    return multivariate_normal.logpdf(x, μ, covariance_of(σ, ρ))


def log_with(*, determinant=-0.5, distance=-0.5, constant=-1.0):
    """Return a `log_bivariate` from |Σ| and D², with factors to be got wrong."""

    def log_bivariate(x, μ, σ, ρ):
        Σ = covariance_of(σ, ρ)
        D2 = (x - μ) @ np.linalg.inv(Σ) @ (x - μ)
        return constant * math.log(2 * math.pi) + determinant * math.log(np.linalg.det(Σ)) + distance * D2

    return log_bivariate


# (number, answer, what is said)
TABLE = [
    ("2.1", principal_axes, DONE),
    ("2.1", lambda X, μ, Σ: principal_axes(np.subtract(X, μ, out=X), 0, Σ), DONE),
    ("2.1", lambda X, μ, Σ: ((X - μ) @ np.linalg.inv(linalg.sqrtm(Σ))).tolist(), DONE),
    ("2.1", lambda X, μ, Σ: principal_axes(X, μ, Σ).T, "transpose"),
    ("2.1", lambda X, μ, Σ: np.linalg.solve(np.linalg.cholesky(Σ).T, (X - μ).T).T, "Lᵀ where L belongs"),
    ("2.1", lambda X, μ, Σ: (X - μ) @ np.linalg.cholesky(Σ).T, "L Σ Lᵀ, not I. You multiplied by L"),
    ("2.1", lambda X, μ, Σ: (X - μ) @ np.linalg.cholesky(Σ), "Lᵀ Σ L, not I. You multiplied by L"),
    ("2.1", lambda X, μ, Σ: (X - μ) @ np.linalg.inv(Σ), "You applied Σ⁻¹"),
    ("2.1", lambda X, μ, Σ: (X - μ) @ Σ, "You multiplied by Σ"),
    ("2.1", lambda X, μ, Σ: (X - μ) / np.sqrt(np.diag(Σ)), "correlation matrix"),
    ("2.1", lambda X, μ, Σ: (X - μ) / np.diag(Σ), "divided each column by its variance"),
    ("2.1", lambda X, μ, Σ: 2 * principal_axes(X, μ, Σ), "has the diagonal [4. 4. 4.], but it must be I."),
    ("2.1", lambda X, μ, Σ: principal_axes(X, μ, Σ)[1:], "(11, 3), but it must have the shape (12, 3) of X."),
    ("2.1", lambda X, μ, Σ: X - μ, "still Σ"),
    ("2.1", lambda X, μ, Σ: principal_axes(X, 0 * μ, Σ), "Did you subtract μ"),
    ("2.1", lambda X, μ, Σ: principal_axes(X, X.mean(axis=0), np.cov(X.T)), "use the arguments"),
    ("2.1", lambda X, μ, Σ: principal_axes(X, μ, Σ).round(3), "looks rounded"),
    ("2.1", lambda X, μ, Σ: (X - μ).T.T, "now solve with L"),
    ("2.2", log_by_scipy, DONE),
    ("2.2", log_with(), DONE),
    ("2.2", lambda *args: [[log_by_scipy(*args)]], DONE),
    ("2.2", log_with(distance=-1), "the exponent is −½ q"),
    ("2.2", log_with(distance=0.5), "the sign of the exponent"),
    ("2.2", log_with(determinant=-1), "whole log determinant"),
    ("2.2", log_with(constant=0), "constant −log 2π is missing"),
    ("2.2", lambda x, μ, σ, ρ: log_by_scipy(x, μ, σ, -ρ), "mixed term has the wrong sign"),
    ("2.2", lambda x, μ, σ, ρ: log_by_scipy(x, μ, np.sqrt(σ), ρ), "σ for the variances"),
    ("2.2", lambda x, μ, σ, ρ: log_by_scipy(x, μ, σ, 0), "ρ is missing"),
    ("2.2", lambda *args: np.exp(log_by_scipy(*args)), "this is the density"),
    ("2.2", lambda *args: np.log(np.exp(log_by_scipy(*args))), "−inf"),
    ("2.2", lambda *args: round(float(log_by_scipy(*args)), 3), "looks rounded"),
    ("2.3", chi(2).ppf, DONE),
    ("2.3", lambda share: [math.sqrt(chi2.ppf(share, df=2))], DONE),
    ("2.3", lambda share: optimize.brentq(lambda k: chi2.cdf(k**2, 2) - share, 0, 9, xtol=1e-14), DONE),
    ("2.3", lambda share: chi2.ppf(share, df=2), "the root is missing"),
    ("2.3", lambda share: chi2.ppf(share, df=1) ** 0.5, "1-D rule, an interval"),
    ("2.3", lambda share: chi(2).isf(share), "log of the share inside"),
    ("2.3", lambda share: chi(2).ppf(share) / math.sqrt(2), "the 2 is missing"),
    ("2.3", lambda share: -chi(2).ppf(share), "positive root"),
    ("2.3", lambda share: chi(2).cdf(share), "the other way"),
    ("2.3", lambda share: np.sqrt(2 * np.log(1 - share)), "negative number"),
    ("2.3", lambda share: 2.4477, "looks rounded"),
    ("2.3", lambda share: round(chi(2).ppf(share), 2), "looks rounded"),
    ("2.3", lambda share: 2.4479, "which is not right"),
]
TABLE += unfinished("2.1", "2.2", "2.3")


def test_the_values_that_the_text_expects():
    iris = load_iris().select("sepal length", "sepal width")
    X = iris.X[iris.y == "setosa"]
    z = principal_axes(np.array([[0.5, -0.5]]), 0, np.cov(X.T))
    assert round((z**2).sum(), 3) == 14.557
    assert round(log_by_scipy([60, -60], [0, 0], [1, 1], 0.5), 3) == -7201.694
    assert round(chi(2).ppf(0.5), 4) == 1.1774


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
