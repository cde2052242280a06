"""The one-dimensional explorers against SciPy and the package: thresholds, costs, likelihoods; their pictures."""

from itertools import pairwise

import numpy as np
import pytest
from javascript import call
from scipy.special import erfc
from scipy.stats import norm
from traitlets import TraitError

from bayeslab import Gaussian, QuadraticSurface, bayes_error, load_iris
from bayeslab.explore import LikelihoodExplorer, ThresholdExplorer

FAR = 1e7  # deviations: a crossing beyond hangs on the last digits of nearly equal deviations

# Means, deviations, priors, costs and thresholds.
CLASSES = {
    "tumours": ([0.0744, 0.1822], [0.0358, 0.0463], [0.6274, 0.3726], [1, 20], [0.15]),
    "three irises": ([1.462, 4.26, 5.552], [0.174, 0.47, 0.552], [1 / 3] * 3, [1, 9, 1], [2.5, 4.9]),
    "equal deviations": ([0, 2], [1, 1], [0.9, 0.1], [1, 1], [1]),
    "nearly equal deviations": ([0, 2], [1, 1 + 1e-9], [0.9, 0.1], [1, 1], [1]),
    "equal means": ([3, 3], [1, 2], [0.5, 0.5], [1, 1], [3]),
    "equal means, no crossing": ([3, 3], [1, 2], [0.1, 0.9], [1, 1], [3]),
    "identical": ([1, 1], [2, 2], [0.5, 0.5], [1, 3], [0]),
    "deviations 1 to 100": ([0, 1], [1, 100], [0.5, 0.5], [1, 1], [-2]),
    "deviations 100 to 1": ([0, 1], [100, 1], [0.5, 0.5], [2, 1], [1]),
    "far tails": ([0, 30], [1, 1.5], [0.5, 0.5], [1, 1], [20]),
    "far from the origin": ([1e6, 1e6 + 3], [1, 2], [0.3, 0.7], [5, 1], [1e6 + 1]),
    "small units": ([1e-9, 3e-9], [1e-9, 2e-9], [0.5, 0.5], [1, 1], [2e-9]),
    "prior 0": ([0, 2], [1, 1], [0, 1], [1, 1], [1]),
    "prior 1e-9": ([0, 2], [1, 0.5], [1e-9, 1 - 1e-9], [1, 1], [1]),
    "a mistake costs nothing": ([0, 2], [1, 1], [0.5, 0.5], [0, 1], [1]),
    "wrong way round": ([2, 0], [1, 1], [0.5, 0.5], [1, 1], [1]),
    "a class that never wins": ([0, 1, 2], [1, 5, 1], [0.45, 0.1, 0.45], [1, 1, 1], [0.5, 1.5]),
}

# Sample, mean and deviation.
SAMPLES = {
    "virginica": ([6.0, 5.1, 5.9, 5.6, 5.8, 6.6, 4.5, 6.3, 5.8, 6.1, 5.1, 5.3, 5.5, 5.0], 4.5, 1),
    "three points": ([1, 2, 4], 2, 0.5),
    "two points": ([-1, 1], 0.5, 3),
    "far from the origin": ([1e6, 1e6 + 1, 1e6 + 3], 1e6, 2),
    "small units": ([1e-9, 2e-9, 5e-9], 1e-9, 1e-9),
    "a far point": ([0, 0.1, -0.1, 0.05, 100], 0, 0.1),
}


@pytest.fixture(params=CLASSES)
def case(request):
    """Classes as arrays, and what the page shows of them; JSON has no infinity, but a text can say it."""
    given = dict(zip(("means", "deviations", "priors", "costs", "thresholds"), CLASSES[request.param], strict=True))
    ask = "(given) => ({ ...risksOf(given), cheapest: risksOf(given).cheapest.map(String) })"
    (shown,) = call("threshold_explorer.js", ask, [[given]])
    first, *others = shown["best"]
    shown["decisions"] = [first["decision"], *(each["decision"] for each in others)]
    shown["changes"] = np.array([each["low"] for each in others])
    return {name: np.array(values, dtype=float) for name, values in given.items()}, shown


def lost_by(given, thresholds):
    """Share of each class on the wrong side of thresholds, of shape (..., K − 1)."""
    z = (np.asarray(thresholds)[..., None, :] - given["means"][:, None]) / given["deviations"][:, None]
    none = np.zeros(z.shape[:-2])
    left = np.stack([none, *(norm.cdf(z[..., k, k - 1]) for k in range(1, z.shape[-2]))], axis=-1)
    right = np.stack([*(norm.sf(z[..., k, k]) for k in range(z.shape[-2] - 1)), none], axis=-1)
    return left + right


def test_areas_errors_and_costs_are_scipys(case):
    given, shown = case
    lost = lost_by(given, given["thresholds"])
    np.testing.assert_allclose(shown["lost"], lost, rtol=1e-9)
    assert shown["error"] == pytest.approx(lost @ given["priors"], rel=1e-9)
    assert shown["cost"] == pytest.approx(lost @ (given["priors"] * given["costs"]), rel=1e-9)


def test_the_bayes_rule_and_its_error_are_the_packages(case):
    given, shown = case
    gaussians = [Gaussian(m, s**2) for m, s in zip(given["means"], given["deviations"], strict=True)]
    unit, weights = given["deviations"].min(), given["priors"] * given["costs"]
    assert shown["bayesError"] == pytest.approx(bayes_error(gaussians, given["priors"]).value, abs=1e-9)
    assert shown["bayesCost"] == pytest.approx(
        weights.sum() * bayes_error(gaussians, weights / weights.sum()).value, abs=1e-9
    )
    ends = [shown["changes"].min(initial=0) - unit, *shown["changes"], shown["changes"].max(initial=0) + unit]
    middles = np.array([(a + b) / 2 for a, b in pairwise(ends)])[:, None]
    with np.errstate(divide="ignore"):
        winners = np.argmax(np.log(given["priors"]) + norm.logpdf(middles, given["means"], given["deviations"]), axis=1)
    near = np.abs(middles[:, 0]) < FAR * unit
    assert np.array(shown["decisions"])[near].tolist() == winners[near].tolist()
    if len(gaussians) == 2 and given["priors"].all():
        roots = QuadraticSurface.between(*gaussians, given["priors"]).roots()
        found, expected = ([x for x in places if abs(x) < FAR * unit] for places in (shown["changes"], roots))
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9 * unit)


def test_no_thresholds_on_a_grid_are_cheaper_than_the_cheapest(case):
    given, shown = case
    weights = given["priors"] * given["costs"]
    cheapest = np.array(shown["cheapest"], dtype=float)
    assert shown["leastCost"] == pytest.approx(lost_by(given, cheapest) @ weights, rel=1e-9)
    low, high = (given["means"] + sign * 5 * given["deviations"] for sign in (-1, 1))
    grid = np.array([-np.inf, *np.linspace(low.min(), high.max(), 601), np.inf])
    others = grid[:, None]
    if len(weights) == 3:
        others = np.stack(np.meshgrid(grid, grid, indexing="ij"), axis=-1)[np.triu_indices(len(grid))]
    least = (lost_by(given, others) @ weights).min()
    assert shown["bayesCost"] - 1e-12 <= shown["leastCost"] <= least * (1 + 1e-9)
    assert shown["leastCost"] == pytest.approx(least, rel=2e-2, abs=1e-6)


def test_from_the_level_on_it_is_cheaper_to_decide_for_the_second_class():
    means, deviations, priors, costs, thresholds = CLASSES["tumours"]
    given = {"means": means, "deviations": deviations, "priors": priors, "costs": costs, "thresholds": thresholds}
    ask = """(given) => {
        const { classes, weighed, level } = risksOf(given);
        return [level, bestRegions(weighed).slice(1).map(({ low }) => posteriorsAt(classes, low)[1])];
    }"""
    ((level, posteriors),) = call("threshold_explorer.js", ask, [[given]])
    assert level == pytest.approx(1 / 21)
    np.testing.assert_allclose(posteriors, level, rtol=1e-9)


def test_erfc_keeps_its_digits_on_both_sides_of_the_place_where_its_two_forms_meet_and_far_out():
    places = [0, 0.5, 1.9999999, 2, 2.5, -1, 5, 25, 30]
    np.testing.assert_allclose(call("math/one_d.js", "erfc", [[x] for x in places]), erfc(places), rtol=1e-13)


@pytest.mark.parametrize("name", SAMPLES)
def test_likelihood_slopes_and_maximum_are_scipys(name):
    points, mu, sigma = SAMPLES[name]
    (shown,) = call("likelihood_explorer.js", "fitOf", [[{"points": points, "mean": mu, "deviation": sigma}]])
    z = (np.array(points) - mu) / sigma
    slopes = [z.sum() / sigma, (z @ z - len(z)) / sigma]
    assert shown["value"] == pytest.approx(norm.logpdf(points, mu, sigma).sum(), rel=1e-9)
    np.testing.assert_allclose(shown["slopes"], slopes, rtol=1e-9, atol=1e-9 * np.abs(slopes).max())
    best = norm.fit(points)
    expected = [*best, norm.logpdf(points, *best).sum()]
    np.testing.assert_allclose([shown["top"][part] for part in ("mu", "sigma", "value")], expected, rtol=1e-9)


@pytest.mark.parametrize("name", SAMPLES)
def test_on_a_contour_the_log_likelihood_is_as_far_below_the_maximum_as_it_says(name):
    points, drops = SAMPLES[name][0], [0.01, 1, 30, 300]
    ask = "(points, drop) => contour(summaryOf(points), drop)"
    top = norm.logpdf(points, *norm.fit(points)).sum()
    for drop, curve in zip(drops, call("likelihood_explorer.js", ask, [[points, drop] for drop in drops]), strict=True):
        mu, sigma = np.array(curve, dtype=float).T[:, :, None]
        fallen = top - norm.logpdf(points, mu, sigma).sum(axis=1)
        np.testing.assert_allclose(fallen, drop, rtol=1e-6, atol=1e-7 * abs(top))
        assert mu.min() < np.mean(points) < mu.max()


def test_equal_values_have_no_maximum():
    samples = [[2, 2, 2], [2], [0.1, 0.1, 0.1]]  # the sum of the last is not 0.3 to the last digit
    ask = "(points) => maximum(summaryOf(points))"
    assert call("math/likelihood.js", ask, [[points] for points in samples]) == [None, None, None]


PAIR = [Gaussian(0, 1), Gaussian(2, 4)]
TRIPLE = [Gaussian(4, 1), Gaussian(0, 1), Gaussian(10, 9)]


def test_thresholds_start_halfway_between_means_and_priors_equal():
    explorer = ThresholdExplorer(TRIPLE)
    np.testing.assert_array_equal(explorer.thresholds, [2, 5])  # in ascending order, whatever that of the means
    np.testing.assert_allclose(explorer.priors, [1 / 3] * 3)
    np.testing.assert_array_equal(explorer.deviations, [1, 1, 3])
    assert [str(g) for g in explorer.gaussians] == [str(g) for g in TRIPLE]
    assert explorer.class_names == explorer.classes == ["A", "B", "C"]


def test_a_class_keeps_its_colour_among_all_classes():
    iris = load_iris()
    explorer = ThresholdExplorer(PAIR, class_names=iris.class_names[1:], classes=iris.class_names)
    figure = explorer._draw()
    colors = [line.get_color() for line in figure.axes[0].get_lines()[:2]]
    assert colors == ["#D55E00", "#009E73"]


@pytest.mark.parametrize("source", [[Gaussian([0, 0], 1), Gaussian([1, 1], 1)], [1.0, 2.0]])
def test_only_gaussians_on_a_line_will_do(source):
    with pytest.raises(TypeError, match="Gaussians on a line"):
        ThresholdExplorer(source)


def test_a_sample_starts_off_its_maximum():
    explorer = LikelihoodExplorer([1, 2, 4])
    assert (explorer.mean, explorer.deviation) == (1, np.std([1, 2, 4]) / 2)
    assert LikelihoodExplorer([3, 3]).deviation == 1


def test_the_picture_says_the_error_and_the_cost():
    explorer = ThresholdExplorer(PAIR, [0.25, 0.75], thresholds=[1], costs=[2, 1])
    error = 0.25 * 0.15865525393145707, 0.75 * 0.3085375387259869  # one and one half standard deviation away
    (note,) = explorer._draw().axes[0].artists
    assert note.txt.get_text() == f"error {sum(error):.4f}\naverage cost {2 * error[0] + error[1]:.4f}"


@pytest.mark.parametrize(
    ("gaussians", "priors"),
    [
        (PAIR, [0.25, 0.75]),
        (TRIPLE, [0.3, 0.3, 0.4]),
        (TRIPLE, [0.6, 0, 0.4]),
        ([Gaussian(0, 1), Gaussian(2, 1), Gaussian(4, 1)], [0.495, 0.01, 0.495]),  # nobody is ever called B
        (PAIR, [0.01, 0.99]),  # nor A here
    ],
)
def test_the_picture_shows_where_the_bayes_rule_changes_its_decision(gaussians, priors):
    explorer = ThresholdExplorer(gaussians, priors)
    (ax,) = explorer._draw().axes
    x = np.linspace(*ax.get_xlim(), 100_001)
    winners = np.argmax(explorer.priors * norm.pdf(x[:, None], explorer.means, explorer.deviations), axis=1)
    dotted = [line.get_xdata()[0] for line in ax.get_lines() if line.get_linestyle() == ":"]
    np.testing.assert_allclose(dotted, x[1:][np.diff(winners) != 0], atol=x[1] - x[0])
    named = [text.get_position()[0] for text in ax.texts if text.get_text() == "Bayes"]
    assert set(named) <= set(dotted)
    assert bool(named) == bool(dotted)


def test_the_map_in_the_picture_has_the_log_likelihood():
    points = np.random.default_rng(0).normal(3, 2, 20)
    (contours,) = [c for c in LikelihoodExplorer(points)._draw().axes[1].collections if hasattr(c, "levels")]
    top = norm.logpdf(points, points.mean(), points.std()).sum()
    for level, path in zip(contours.levels[-4:], contours.get_paths()[-4:], strict=True):
        values = norm.logpdf(points[:, None], *path.vertices.T).sum(axis=0)
        np.testing.assert_allclose(values, level, atol=0.05 * (top - level) + 0.05)  # between places of a grid


def set_together(explorer, other, *names):
    with explorer.hold_trait_notifications():
        for name in (*names, "class_names"):
            setattr(explorer, name, getattr(other, name))


def test_a_class_more_or_less_needs_another_explorer():
    explorer = ThresholdExplorer([Gaussian(mean, 1) for mean in (0, 3, 6)])
    with pytest.raises(TraitError, match="has 3 classes: make a new one for 2"):
        set_together(explorer, ThresholdExplorer(PAIR), "means", "deviations", "costs", "priors", "thresholds")
    assert explorer.class_names == ["A", "B", "C"]
