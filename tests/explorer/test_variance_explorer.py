"""The variance explorer: samples, errors and curves in the browser, and those of the package."""

import numpy as np
import pytest
from javascript import call
from scipy.stats import kstest, multivariate_normal

from bayeslab import Gaussian, TrueClassifier, error_of, load_iris
from bayeslab.explore import VarianceExplorer
from bayeslab.explore.variance_explorer import OPTIONS, SCENES

EVALUATE = """(state) => {
    const { bayes, runs, points } = evaluateSamples(state);
    return { bayes, points, runs: runs.map(({ errors, mean, deviation, standardError }) =>
        ({ errors, mean, deviation, standardError })) };
}"""


def shown(*explorers):
    return call("variance_explorer.js", EVALUATE, [[explorer.get_state()] for explorer in explorers])


@pytest.mark.parametrize("scene", SCENES)
def test_the_browser_draws_the_same_samples_and_measures_the_same_errors(scene):
    explorers = [
        VarianceExplorer(rules=rules, n=n, seed=3, drawn=25, shared=0.3, **SCENES[scene])
        for rules, n in ((["LDA", "QDA"], 4), (["RDA", "naive"], 12), (["nearest mean"], 40))
    ]
    for explorer, found in zip(explorers, shown(*explorers), strict=True):
        np.testing.assert_allclose(np.array(found["points"])[:, :2], explorer.sample(24)[0], rtol=1e-12, atol=1e-12)
        errors = explorer.errors()
        np.testing.assert_allclose(np.transpose([run["errors"] for run in found["runs"]]), errors, rtol=0, atol=5e-5)
        for run, own in zip(found["runs"], np.transpose([run["errors"] for run in found["runs"]]).T, strict=True):
            assert run["mean"] == pytest.approx(own.mean())
            assert run["deviation"] == pytest.approx(own.std(ddof=1))
            assert run["standardError"] == pytest.approx(own.std(ddof=1) / 5)
        assert found["bayes"] == pytest.approx(explorer.bayes_error(), abs=1e-5)


@pytest.mark.parametrize("rule", OPTIONS)
def test_an_error_is_that_of_the_package(rule):
    explorer = VarianceExplorer(rules=[rule], n=4, seed=5, drawn=2)
    truth = [Gaussian(*pair) for pair in zip(explorer.means, explorer.covariances, strict=True)]
    expected = [error_of(explorer.classifiers(i)[0], truth).value for i in range(2)]
    np.testing.assert_allclose(explorer.errors()[:, 0], expected, rtol=0, atol=2e-5)


def test_the_bayes_error_is_that_of_the_package():
    for scene in SCENES.values():
        truth = TrueClassifier([Gaussian(*pair) for pair in zip(*scene.values(), strict=True)], [0, 1])
        assert VarianceExplorer(truth).bayes_error() == pytest.approx(truth.bayes_error(), abs=2e-5)


def test_samples_come_from_the_densities_and_no_two_are_alike():
    explorer = VarianceExplorer(n=50, drawn=40)
    X = np.concatenate([explorer.sample(i)[0].reshape(2, 50, 2) for i in range(40)], axis=1)
    for g, own in zip(explorer.gaussians, X, strict=True):
        Z = np.linalg.solve(np.linalg.cholesky(g.covariance), (own - g.mean).T)
        assert all(kstest(z, "norm").pvalue > 1e-3 for z in (*Z, (Z[0] + Z[1]) / 2**0.5))
    assert len(np.unique(X[..., 0])) == 2 * 40 * 50
    other = VarianceExplorer(n=50, seed=1)
    assert not np.isin(other.sample(0)[0], X).any()
    (a, b, c) = shown(explorer, explorer, other)
    assert a == b
    assert a["points"] != c["points"]


def quadratics(n=60):
    """Forms of all kinds; among them lines, parallel lines, parabolas, narrow ellipses and pairs of lines."""
    rng = np.random.default_rng(0)
    forms = [rng.normal(size=6) * 10.0 ** rng.uniform(-3, 1, 6) for _ in range(n)]
    special = [[0, 0, 0, 1, 2, 0.5], [0, 0, 1, 1, 0, 0], [1, 0, 0, 0, 0, -1], [1, 2, 1, 0, 0, -2], [0, 1, 0, 0, 0, 0]]
    special += [[1, 0, 400, 0, 0, -1], [1e-9, 0, 2e-9, 1, 0, 0], [0, 0, 0, 0, 0, 1], [1, 0, 1, 0, 0, 1]]
    return [list(map(float, form)) for form in (*forms, *special)]


def value(form, x, y):
    xx, xy, yy, bx, by, one = form
    return xx * x**2 + xy * x * y + yy * y**2 + bx * x + by * y + one


def test_the_share_of_a_gaussian_above_a_quadratic_is_that_of_a_fine_grid():
    side = np.linspace(-6, 6, 801)
    u, v = np.meshgrid(side, side)
    x, y = np.cos(0.5) * u - np.sin(0.5) * v, np.sin(0.5) * u + np.cos(0.5) * v  # along no line of a form
    weights = multivariate_normal([0, 0]).pdf(np.dstack([x, y])) * (side[1] - side[0]) ** 2
    shares = call("variance_explorer.js", "shareAbove", [[form] for form in quadratics()])
    for form, share in zip(quadratics(), shares, strict=True):
        assert share == pytest.approx(np.sum(weights * (value(form, x, y) > 0)), abs=1e-3), form


def test_a_curve_lies_where_the_quadratic_is_zero_and_leaves_nothing_out():
    reach, side = 3.0, np.linspace(-2, 2, 81)
    found = call("variance_explorer.js", "curvesOf", [[form, reach] for form in quadratics()])
    for form, curves in zip(quadratics(), found, strict=True):
        scale = np.abs(form).max()
        for curve in map(np.array, curves):
            within = curve[np.hypot(*curve.T) < reach]
            np.testing.assert_allclose(value(form, *within.T) / scale, 0, atol=1e-8)
        if not curves:
            continue
        ends = [np.concatenate([np.array(curve)[:-1], np.array(curve)[1:]], axis=1) for curve in curves]
        starts, stops = np.split(np.concatenate(ends), 2, axis=1)
        for rows in (0, 1):  # on each line of a grid, where the sign changes, a piece of the curve is near
            for at in side:
                line = np.column_stack([side, np.full(81, at)])[:, :: 1 - 2 * rows]
                signs = np.sign(value(form, *line.T))
                for i in np.flatnonzero(signs[1:] * signs[:-1] < 0):
                    middle, step = (line[i] + line[i + 1]) / 2, stops - starts
                    share = np.clip(np.sum((middle - starts) * step, 1) / np.maximum(np.sum(step**2, 1), 1e-300), 0, 1)
                    nearest = np.min(np.linalg.norm(starts + share[:, None] * step - middle, axis=1))
                    assert nearest < 0.06, (form, middle)


def test_it_takes_classes_of_ours_and_keeps_their_colours():
    iris = load_iris().select("petal length", "sepal width")
    rows = iris.y != "setosa"
    explorer = VarianceExplorer(
        TrueClassifier(
            [Gaussian.fit(iris.X[iris.y == k]) for k in ("versicolor", "virginica")], ["versicolor", "virginica"]
        )
    )
    assert explorer.classes == iris.class_names
    np.testing.assert_allclose(explorer.means[0], iris.X[iris.y == "versicolor"].mean(axis=0))
    assert VarianceExplorer((iris.X[rows], iris.y[rows])).class_names == ["versicolor", "virginica"]
    with pytest.raises(ValueError, match="two classes"):
        VarianceExplorer(iris)
    with pytest.raises(ValueError, match="equally common"):
        VarianceExplorer(TrueClassifier(explorer.gaussians, [0, 1], priors=[0.2, 0.8]))
