"""The exercise checks accept what is right, in whatever form, and name each usual mistake.

The answers are written anew, mostly with SciPy and scikit-learn, so that a check and its test do not err alike.
"""

import ast
import math
from fractions import Fraction
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from judging import DONE, must_say
from scipy import linalg, optimize
from scipy.special import expit, logit
from scipy.stats import chi, chi2, multivariate_normal, norm
from sklearn.metrics import accuracy_score, confusion_matrix

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


def chooser(score, best=max):
    """Return a `choose` that takes the first name with the best score of prior and density."""

    def choose(names, priors, densities):
        scores = [score(prior, density) for prior, density in zip(priors, densities, strict=True)]
        return names[scores.index(best(scores))]

    return choose


def pooled(a, b, divisor):
    return (np.var(a) * len(a) + np.var(b) * len(b)) / divisor(len(a) + len(b))


def prior_by_densities(b, μ1, μ2, σ):
    """At the boundary π₁ p₁ = π₂ p₂."""
    first, second = norm.pdf(b, [μ1, μ2], σ)
    return second / (first + second)


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


def bayes(c, P_A):
    """Posterior from two densities with the ratio exp(c/2)."""
    joint = P_A * math.exp(c / 4), (1 - P_A) * math.exp(-c / 4)
    return joint[0] / sum(joint)


def counts(truth, decision, labels, **options):
    return confusion_matrix(truth, decision, labels=labels, **options)


# (number, answer, what is said)
TABLE = [
    ("0.1", 200 / 350, DONE),
    ("0.1", Fraction(4, 7), DONE),
    ("0.1", np.array([1 - 150 / 350]), DONE),
    ("0.1", 150 / 350, "the share that the rule gets right"),
    ("0.1", 200, "number of errors"),
    ("0.1", 100 / 350, "one class only"),
    ("0.1", 0.571, "rounded"),
    ("0.1", "4/7", "quotation marks"),
    ("0.1", None, "None"),
    ("0.2", chooser(lambda p, d: p * d), DONE),
    ("0.2", chooser(lambda p, d: math.log(p) + math.log(d)), DONE),
    ("0.2", lambda n, p, d: np.array(n)[np.argmax(np.multiply(p, d))], DONE),
    ("0.2", chooser(lambda p, d: d), "left out the prior"),
    ("0.2", chooser(lambda p, d: p), "left out the density"),
    ("0.2", chooser(lambda p, d: p * d, min), "smallest product"),
    ("0.2", chooser(lambda p, d: p + d), "instead of adding"),
    ("0.2", lambda n, p, d: max(zip(np.multiply(p, d), range(len(n)), n, strict=True))[2], "first one wins"),
    ("0.2", lambda n, p, d: np.argmax(np.multiply(p, d)), "a position"),
    ("1.1", norm.logpdf, DONE),
    ("1.1", lambda x, μ, σ: norm.logpdf(np.subtract(x, μ, out=x), scale=σ), DONE),
    ("1.1", lambda x, μ, σ: [-math.log(2 * math.pi * σ * σ) / 2 - (v - μ) ** 2 / (2 * σ * σ) for v in x], DONE),
    ("1.1", lambda x, μ, σ: norm.logpdf(x, μ, σ) - ((x - μ) / σ) ** 2 / 2, "½ in front of the squared distance"),
    ("1.1", lambda x, μ, σ: norm.logpdf(x, μ, σ) + ((x - μ) / σ) ** 2, "sign of the squared distance"),
    ("1.1", lambda x, μ, σ: norm.logpdf((x - μ) / σ), "−ln σ is missing"),
    ("1.1", lambda x, μ, σ: norm.logpdf(x, μ, math.sqrt(σ)), "σ where σ² belongs"),
    ("1.1", norm.pdf, "the density itself"),
    ("1.1", lambda x, μ, σ: np.log(norm.pdf(x, μ, σ)), "the density underflows"),
    ("1.1", lambda x, μ, σ: [math.log(value) for value in norm.pdf(x, μ, σ)], "the density underflows"),
    ("1.1", lambda x, μ, σ: norm.logpdf(x, μ, σ).sum(), "the sum over all x"),
    ("1.2", lambda a, b: pooled(a, b, lambda n: n - 2), DONE),
    ("1.2", lambda a, b: [np.average([a.var(ddof=1), b.var(ddof=1)], weights=[len(a) - 1, len(b) - 1])], DONE),
    ("1.2", lambda a, b: np.concatenate([a - a.mean(), b - b.mean()]).var(keepdims=True, ddof=2), DONE),
    ("1.2", lambda a, b: pooled(a, b, lambda n: n), "n instead of n − 2"),
    ("1.2", lambda a, b: pooled(a, b, lambda n: n - 1), "n − 1 instead of n − 2"),
    ("1.2", lambda a, b: pooled(a, b, lambda n: 1), "this is the sum of squares"),
    ("1.2", lambda a, b: math.sqrt(pooled(a, b, lambda n: n - 2)), "standard deviation"),
    ("1.2", lambda a, b: np.mean([np.var(a, ddof=1), np.var(b, ddof=1)]), "plain average"),
    ("1.2", lambda a, b: np.var(np.r_[a, b], ddof=1), "one common mean"),
    ("1.3", prior_by_densities, DONE),
    ("1.3", lambda b, μ1, μ2, σ: expit((2 * b - μ1 - μ2) * (μ2 - μ1) / (2 * σ**2)), DONE),
    ("1.3", lambda *args: np.array([prior_by_densities(*args)]), DONE),
    ("1.3", lambda *args: 1 - prior_by_densities(*args), "swapped the classes"),
    ("1.3", lambda b, μ1, μ2, σ: prior_by_densities(b, μ1, μ2, math.sqrt(σ)), "by σ, not by σ²"),
    ("1.3", lambda b, μ1, μ2, σ: prior_by_densities(b + (μ1 + μ2) / 2, μ1, μ2, σ), "the midpoint (μ₁ + μ₂)/2"),
    ("1.3", lambda b, μ1, μ2, σ: norm.pdf(b, μ2, σ) / norm.pdf(b, μ1, σ), "the odds π₁/π₂"),
    ("1.3", lambda *args: logit(prior_by_densities(*args)), "this is ln(π₁/π₂)"),
    ("2.1", principal_axes, DONE),
    ("2.1", lambda X, μ, Σ: principal_axes(np.subtract(X, μ, out=X), 0, Σ), DONE),
    ("2.1", lambda X, μ, Σ: ((X - μ) @ np.linalg.inv(linalg.sqrtm(Σ))).tolist(), DONE),
    ("2.1", lambda X, μ, Σ: principal_axes(X, μ, Σ).T, "transpose"),
    ("2.1", lambda X, μ, Σ: np.linalg.solve(np.linalg.cholesky(Σ).T, (X - μ).T).T, "Lᵀ where L belongs"),
    ("2.1", lambda X, μ, Σ: (X - μ) @ np.linalg.cholesky(Σ).T, "multiplied by L"),
    ("2.1", lambda X, μ, Σ: (X - μ) / np.sqrt(np.diag(Σ)), "correlation matrix"),
    ("2.1", lambda X, μ, Σ: X - μ, "still Σ"),
    ("2.1", lambda X, μ, Σ: principal_axes(X, 0 * μ, Σ), "Did you subtract μ"),
    ("2.1", lambda X, μ, Σ: principal_axes(X, X.mean(axis=0), np.cov(X.T)), "use the arguments"),
    ("2.2", log_by_scipy, DONE),
    ("2.2", log_with(), DONE),
    ("2.2", lambda *args: [[log_by_scipy(*args)]], DONE),
    ("2.2", log_with(distance=-1), "the exponent is −½ q"),
    ("2.2", log_with(distance=0.5), "the sign of the exponent"),
    ("2.2", log_with(determinant=-1), "whole log determinant"),
    ("2.2", log_with(constant=0), "constant −log 2π is missing"),
    ("2.2", lambda x, μ, σ, ρ: log_by_scipy(x, μ, σ, -ρ), "mixed term has the wrong sign"),
    ("2.2", lambda x, μ, σ, ρ: log_by_scipy(x, μ, np.sqrt(σ), ρ), "σ for the variances"),
    ("2.2", lambda *args: np.exp(log_by_scipy(*args)), "this is the density"),
    ("2.2", lambda *args: np.log(np.exp(log_by_scipy(*args))), "−inf"),
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
for number in sorted({number for number, _, _ in TABLE}):
    TABLE.append((number, ..., "replace the ..."))
    if number != "0.1":
        TABLE += [(number, lambda *args: None, "return?"), (number, 1.5, "function")]
        TABLE.append((number, lambda *args: ..., "ellipsis" if number == "0.2" else "replace the ..."))


def solutions():
    """Yield the solution of every exercise, up to its check, with the imports of its notebook."""
    for path in NOTEBOOKS:
        code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        setup = next((cell.source for cell in code if "from bayeslab.checks import check" in cell.source), "")
        imports = [node for node in ast.parse(setup).body if isinstance(node, ast.Import | ast.ImportFrom)]
        for cell in code:
            if "solution" in cell.metadata.get("tags", []) and "check(" in cell.source:
                body = ast.parse(cell.source).body
                last = next(i for i, node in enumerate(body) if ast.unparse(node).startswith("check("))
                yield ast.Module(imports + body[: last + 1], []), body[last].value.args[0].value


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)


@pytest.mark.parametrize(("module", "number"), list(solutions()))
def test_the_solution_in_the_notebook_is_right(capsys, module, number):
    exec(compile(module, "solution", "exec"), {})
    assert capsys.readouterr().out == f"{number} done.\n"
