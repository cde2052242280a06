"""The regularised explorer: JavaScript and the map in Python against the classifier and scikit-learn; its picture."""

import numpy as np
import pytest
from javascript import call
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from traitlets import TraitError

from bayeslab import (
    Gaussian,
    GaussianClassifier,
    SingularCovarianceError,
    error_of,
    load_penguins,
    make_gaussian_pair,
)
from bayeslab.explore import RegularisedExplorer

RNG = np.random.default_rng(5)
PENGUINS = load_penguins().select("bill length", "bill depth")
SOME = RNG.choice(len(PENGUINS.X), 30, replace=False)
DATA = {
    "few": None,
    "three and four points": ([[0, 0], [1, 2], [2, 1], [3, 3], [4, 5], [5, 3], [6, 6]], list("aaabbbb")),
    "pair": make_gaussian_pair("P1a", 20, np.random.default_rng(11)),
    "penguins": (PENGUINS.X[SOME], PENGUINS.y[SOME]),
}
LINE = ([[0, 0], [1, 1], [2, 2], [0, 5], [1, 7], [2, 6]], list("aaabbb"))  # class a has no inverse
PAIRS = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 0.05), (0.35, 0), (0.6, 0.25), (1, 0.5)]


@pytest.fixture(params=DATA.values(), ids=DATA)
def explorer(request):
    return RegularisedExplorer(request.param)


def learned(explorer):
    (model,) = call("math/regularised.js", "learn", [[explorer.points.tolist(), len(explorer.class_names)]])
    return model


def test_covariances_are_the_classifiers(explorer):
    model = learned(explorer)
    found = call("math/regularised.js", "regularised", [[model, *pair] for pair in PAIRS])
    for (shared, shrinkage), gaussians in zip(PAIRS, found, strict=True):
        rule = GaussianClassifier(shared=shared, shrinkage=shrinkage).fit(explorer.X, explorer.y)
        for ours, theirs in zip(gaussians, rule.gaussians_, strict=True):
            np.testing.assert_allclose(ours["S"], theirs.covariance, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(ours["mean"], theirs.mean, rtol=1e-9)
    np.testing.assert_allclose(np.exp(model["logPriors"]), rule.priors_, rtol=1e-12)


def test_a_line_of_points_has_no_inverse_until_it_borrows():
    model = learned(RegularisedExplorer(LINE))
    found = call("math/regularised.js", "regularised", [[model, *pair] for pair in PAIRS])
    assert [gaussians[0] is None for gaussians in found] == [pair == (0, 0) for pair in PAIRS]


def test_the_points_that_are_mistaken_when_left_out_are_scikit_learns(explorer):
    points, K = explorer.points.tolist(), len(explorer.class_names)
    (folds,) = call("math/regularised.js", "learnWithoutEach", [[points, K]])
    found = call("math/regularised.js", "mistakenLeftOut", [[folds, *pair] for pair in PAIRS])
    for (shared, shrinkage), mistaken in zip(PAIRS, found, strict=True):
        rule = GaussianClassifier(shared=shared, shrinkage=shrinkage)
        if mistaken is None:
            with pytest.raises(SingularCovarianceError):
                cross_val_predict(rule, explorer.X, explorer.y, cv=LeaveOneOut())
        else:
            decided = cross_val_predict(rule, explorer.X, explorer.y, cv=LeaveOneOut())
            assert mistaken == (decided != explorer.y).tolist()
    assert (found[0] is None) == (min(np.bincount(explorer.points[:, 2].astype(int))) == 3)


@pytest.mark.parametrize("error", ["left out", "true"])
def test_both_maps_are_one(explorer, error):
    if error == "true" and not len(explorer.means):
        pytest.skip("nobody knows the densities of these points")
    explorer.error = error
    points, K = explorer.points.tolist(), len(explorer.class_names)
    (places,) = call("math/regularised.js", "gridOf", [[21]])
    some = np.ix_(range(0, 21, 5), range(0, 21, 5))
    pairs = [[place["shared"], place["shrinkage"]] for place in np.reshape(places, (21, 21))[some].ravel()]
    if error == "true":
        gaussians = list(zip(explorer.means.tolist(), explorer.covariances.tolist(), strict=True))
        truth = call("math/gaussian.js", "gaussian", gaussians)
        (cells,) = call("math/vote.js", "latticeOf", [[truth, explorer.priors.tolist()]])
        found = call("math/regularised.js", "errorOnCells", [[learned(explorer), cells, *pair] for pair in pairs])
        tolerance = 48**2 * 1e-6  # what JavaScript leaves out: cells of less probability than 1e-6
    else:
        (folds,) = call("math/regularised.js", "learnWithoutEach", [[points, K]])
        lists = call("math/regularised.js", "mistakenLeftOut", [[folds, *pair] for pair in pairs])
        found, tolerance = [each and np.mean(each) for each in lists], 1e-9
    np.testing.assert_allclose(np.array(found, dtype=float).reshape(5, 5), explorer.errors()[some], atol=tolerance)


@pytest.mark.parametrize("name", ["few", "pair"])
def test_the_map_of_true_errors_is_that_of_the_rules(name):
    explorer = RegularisedExplorer(DATA[name], error="true")
    densities = [Gaussian(*pair) for pair in zip(explorer.means, explorer.covariances, strict=True)]
    errors = explorer.errors()
    for i, j in [(0, 0), (20, 0), (0, 20), (12, 5)]:
        rule = GaussianClassifier(shared=i / 20, shrinkage=j / 20).fit(explorer.X, explorer.y)
        exact = error_of(rule, densities, explorer.priors).value
        assert errors[i, j] == pytest.approx(exact, abs=6e-3)  # enough for a colour; the number on the screen is exact


@pytest.mark.parametrize("error", ["left out", "true"])
def test_at_first_no_corner_is_the_best(error):
    errors = RegularisedExplorer(error=error).errors()
    assert not np.isnan(errors).any()
    assert errors.min() < 0.95 * min(errors[0, 0], errors[-1, 0], errors[0, -1], errors[-1, -1])


def test_points_that_no_rule_can_learn_are_shown_and_can_borrow():
    explorer = RegularisedExplorer(LINE)
    assert np.isnan(explorer.errors()[0, 0])
    assert not np.isnan(explorer.errors()[10, 10])
    with pytest.raises(SingularCovarianceError):
        explorer.classifier()
    assert explorer._picture().startswith(b"\x89PNG")
    explorer.shared = 0.5
    assert explorer.classifier().get_params()["shared"] == 0.5


def test_the_picture_marks_the_pair_and_the_least():
    explorer = RegularisedExplorer(shared=0.3, shrinkage=0.2)
    chart = explorer._draw().axes[0]
    dots, pair = (np.array(line.get_data()).T for line in chart.lines)
    np.testing.assert_array_equal(pair, [[0.2, 0.3]])
    errors = explorer.errors()
    columns, rows = np.round(20 * dots).astype(int).T
    np.testing.assert_allclose(errors[rows, columns], errors.min())
    assert repr(explorer) == "RegularisedExplorer(18 points, shared=0.3, shrinkage=0.2)"


def test_without_errors_the_picture_has_none_and_points_need_a_truth():
    (chart, _) = RegularisedExplorer(error="none")._draw().axes
    assert not chart.images
    with pytest.raises(TraitError, match='error="none" needs the densities'):
        RegularisedExplorer(LINE, error="none")


@pytest.mark.parametrize("source", [7, "iris"])
def test_what_it_starts_from_has_points(source):
    with pytest.raises(TypeError, match=f"not from a {type(source).__name__}"):
        RegularisedExplorer(source)


def test_a_legend_has_a_step_for_each_count_or_a_scale_where_there_are_many():
    few, many, true = [[2 / 18, 4 / 18, None, 3 / 18, 4 / 18], 18], [[k / 50 for k in range(30)], 50], [[0.1, 0.4], 0]
    (counts, *scales) = call("map_legend.js", "legendSteps", [few, many, true])
    assert [step["text"] for step in counts] == ["2", "3", "4"]
    assert [step["value"] for step in counts] == [2 / 18, 3 / 18, 4 / 18]
    for steps, ends in zip(scales, [(0, 0.58), (0.1, 0.4)], strict=True):
        np.testing.assert_allclose([step["value"] for step in steps], np.linspace(*ends, 7))
        assert {step["text"] for step in steps} == {""}
