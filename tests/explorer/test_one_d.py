"""The numbers that the one-dimensional explorers are held to, against SciPy and `bayeslab`."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from bayeslab import Gaussian, QuadraticSurface, bayes_error, error_of

CASES = json.loads(Path(__file__).with_name("one_d_cases.json").read_text(encoding="utf-8"))
CLASSES = {case["name"]: case for case in CASES["classes"]}
PAIRS = [name for name, case in CLASSES.items() if len(case["given"]["means"]) == 2 and all(case["given"]["priors"])]
SAMPLES = {case["name"]: case for case in CASES["samples"]}


@pytest.fixture(params=CLASSES)
def case(request):
    one = CLASSES[request.param]
    return {name: np.array(values, dtype=float) for name, values in one["given"].items()}, one["expected"]


def gaussians(given):
    return [Gaussian(m, s**2) for m, s in zip(given["means"], given["deviations"], strict=True)]


class Rule:
    """The classes in their order, each from one threshold to the next."""

    def __init__(self, thresholds, classes):
        self.thresholds, self.classes_ = thresholds, np.arange(classes)

    def predict(self, X):
        return np.searchsorted(self.thresholds, X[:, 0])


def test_mistakes_are_areas(case):
    given, expected = case
    ends = np.concatenate([[-np.inf], given["thresholds"], [np.inf]])
    z = (ends[:, None] - given["means"]) / given["deviations"]
    lost = np.diag(norm.cdf(z)[:-1] + norm.sf(z)[1:]) * given["priors"]
    np.testing.assert_allclose(expected["mistakes"], lost, rtol=1e-9)
    np.testing.assert_allclose(expected["cost"], lost @ given["costs"], rtol=1e-9)


def test_the_rule_and_the_bayes_rule_err_as_often_as_bayeslab_says(case):
    given, expected = case
    least = bayes_error(gaussians(given), given["priors"])
    np.testing.assert_allclose(expected["bayes_error"], least.value, atol=1e-9)
    error = error_of(Rule(given["thresholds"], len(given["means"])), gaussians(given), given["priors"])
    np.testing.assert_allclose(sum(expected["mistakes"]), error.value, atol=1e-7)


@pytest.mark.parametrize("case", PAIRS, indirect=True)
def test_bayes_thresholds_are_roots_of_bayeslabs_surface(case):
    given, expected = case
    surface = QuadraticSurface.between(*gaussians(given), given["priors"])
    near = [root for root in surface.roots() if abs(root) < 1e9 * given["deviations"].min()]
    kept = [place for place in expected["bayes_thresholds"] if abs(place) < 1e9 * given["deviations"].min()]
    np.testing.assert_allclose(kept, near, rtol=1e-7, atol=1e-9 * given["deviations"].min())


def test_no_threshold_on_a_grid_is_cheaper(case):
    given, expected = case
    weights = given["priors"] * given["costs"]
    low, high = (given["means"] + sign * 5 * given["deviations"] for sign in (-1, 1))
    grid = np.linspace(low.min(), high.max(), 20001)
    left, right = (f((grid[:, None] - given["means"]) / given["deviations"]) * weights for f in (norm.cdf, norm.sf))
    if len(weights) == 2:
        costs = right[:, 0] + left[:, 1]
    else:  # the second threshold is at the first one or beyond
        later = np.minimum.accumulate((right[:, 1] + left[:, 2])[::-1])[::-1]
        costs = right[:, 0] + left[:, 1] + later
    assert expected["bayes_cost"] <= expected["least_cost"] <= costs.min() + 1e-12
    assert np.isclose(expected["least_cost"], min(costs.min(), costs[0], costs[-1]), rtol=1e-2, atol=1e-6)


@pytest.mark.parametrize("case", SAMPLES.values(), ids=SAMPLES)
def test_likelihoods_are_scipys(case):
    points, mu, sigma = (np.array(case["given"][name]) for name in ("points", "mean", "deviation"))
    expected = case["expected"]
    np.testing.assert_allclose(expected["log_likelihood"], norm.logpdf(points, mu, sigma).sum(), rtol=1e-9)
    np.testing.assert_allclose([expected["mean"], expected["deviations"][0]], norm.fit(points), rtol=1e-9)
    np.testing.assert_allclose(expected["deviations"], [points.std(), points.std(ddof=1)], rtol=1e-9)
    best = norm.logpdf(points, *norm.fit(points)).sum()
    np.testing.assert_allclose(expected["maximum"], best, rtol=1e-9)
    for i, step in enumerate(np.eye(2) * 1e-6 * sigma):
        ahead, behind = (norm.logpdf(points, mu + dmu, sigma + dsigma).sum() for dmu, dsigma in (step, -step))
        slope = (ahead - behind) / (2e-6 * sigma)
        size = np.abs(expected["gradient"]).max()
        np.testing.assert_allclose(expected["gradient"][i], slope, rtol=1e-4, atol=1e-5 * size)
