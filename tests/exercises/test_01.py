"""The checks of notebook 01 accept what is right, in whatever form, and name each usual mistake."""

import math
from pathlib import Path

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy.special import expit, logit
from scipy.stats import norm

from bayeslab import load_iris

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


def pooled(a, b, divisor):
    return (np.var(a) * len(a) + np.var(b) * len(b)) / divisor(len(a) + len(b))


def prior_by_densities(b, μ1, μ2, σ):
    """At the boundary π₁ p₁ = π₂ p₂."""
    first, second = norm.pdf(b, [μ1, μ2], σ)
    return second / (first + second)


# (number, answer, what is said)
TABLE = [
    ("1.1", norm.logpdf, DONE),
    ("1.1", lambda x, μ, σ: norm.logpdf(np.subtract(x, μ, out=x), scale=σ), DONE),
    ("1.1", lambda x, μ, σ: [-math.log(2 * math.pi * σ * σ) / 2 - (v - μ) ** 2 / (2 * σ * σ) for v in x], DONE),
    ("1.1", lambda x, μ, σ: norm.logpdf(x, μ, σ) - ((x - μ) / σ) ** 2 / 2, "½ in front of the squared distance"),
    ("1.1", lambda x, μ, σ: norm.logpdf(x, μ, σ) + ((x - μ) / σ) ** 2, "sign of the squared distance"),
    ("1.1", lambda x, μ, σ: norm.logpdf(0) - np.log(σ) - (x - μ) ** 2 / 2 * σ**2, "you multiplied by σ²"),
    ("1.1", lambda x, μ, σ: norm.logpdf((x - μ) / σ), "−ln σ is missing"),
    ("1.1", lambda x, μ, σ: norm.logpdf(x, μ, math.sqrt(σ)), "σ where σ² belongs"),
    ("1.1", lambda x, μ, σ: norm.logpdf(x, μ, σ**2), "hand σ² to a function that asks for σ"),
    ("1.1", lambda x, μ, σ: norm.logpdf(0) - np.log(σ) - (x - μ) ** 2 / (2 * σ**4), "divided by 2σ⁴"),
    ("1.1", lambda x, μ, σ: norm.logpdf(0) - np.log(σ) - np.exp(2 * np.log(x - μ)) / (2 * σ**2), "for x < μ"),
    ("1.1", lambda x, μ, σ: x * np.nan, "a logarithm or a root of a negative number"),
    ("1.1", lambda x, μ, σ: np.nan, "a logarithm or a root of a negative number"),
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
    ("1.2", lambda a, b: np.var([a[0]], ddof=1), "0 is divided by 0"),
    ("1.2", lambda a, b: np.sqrt(-pooled(a, b, lambda n: n - 2)), "a root taken of a negative number"),
    ("1.2", lambda a, b: np.mean([np.var(a, ddof=1), np.var(b, ddof=1)]), "plain average"),
    ("1.2", lambda a, b: (np.var(a) * (len(a) - 1) + np.var(b) * (len(b) - 1)) / (len(a) + len(b) - 2), "ddof=1"),
    ("1.2", lambda a, b: np.var(np.r_[a, b], ddof=1), "one common mean"),
    ("1.3", prior_by_densities, DONE),
    ("1.3", lambda b, μ1, μ2, σ: expit((2 * b - μ1 - μ2) * (μ2 - μ1) / (2 * σ**2)), DONE),
    ("1.3", lambda *args: np.array([prior_by_densities(*args)]), DONE),
    ("1.3", lambda *args: 1 - prior_by_densities(*args), "swapped the classes"),
    ("1.3", lambda b, μ1, μ2, σ: prior_by_densities(b, μ1, μ2, math.sqrt(σ)), "by σ, not by σ²"),
    ("1.3", lambda b, μ1, μ2, σ: prior_by_densities(b + (μ1 + μ2) / 2, μ1, μ2, σ), "the midpoint (μ₁ + μ₂)/2"),
    ("1.3", lambda b, μ1, μ2, σ: norm.pdf(b, μ2, σ) / norm.pdf(b, μ1, σ), "the odds π₁/π₂"),
    ("1.3", lambda *args: np.log(-prior_by_densities(*args)), "without taking any logarithm"),
    ("1.3", lambda *args: logit(prior_by_densities(*args)), "this is ln(π₁/π₂)"),
]
TABLE += unfinished("1.1", "1.2", "1.3")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)


def test_values_that_the_notebook_names():
    """For these the student is told what to expect."""
    petals = load_iris().select("petal length")
    versicolor, virginica = (petals.X[petals.y == name, 0] for name in ("versicolor", "virginica"))
    text = (NOTEBOOKS / "01_one_dimensional_gaussian.ipynb").read_text(encoding="utf-8")
    values = {
        "it should give −{:.4f}": -norm.logpdf(5.0, 5.5, 0.5),
        "it should give {:.4f} cm²": pooled(versicolor, virginica, lambda n: n - 2),
        "it should give {:.4f}.": prior_by_densities(5.2, 4.3, 5.5, 0.5),
    }
    assert [words.format(value) for words, value in values.items() if words.format(value) not in text] == []
