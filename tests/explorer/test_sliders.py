"""The slider explorers: every end of every slider, numbers against SciPy and scikit-learn, artists that stay."""

import itertools
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from scipy.stats import multivariate_normal, norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as SklearnLDA
from sklearn.model_selection import KFold, cross_val_score
from sklearn.naive_bayes import GaussianNB as SklearnNB

from bayeslab import GaussianNB, load_iris, make_gaussian_pair
from bayeslab.explore import (
    explore_k_fold,
    explore_naive_against_full,
    explore_shrinkage,
)
from bayeslab.plotting import COLORS

IRIS = load_iris()
MAKERS = {
    "naive": explore_naive_against_full,
    "shrinkage": explore_shrinkage,
    "k-fold": lambda: explore_k_fold(GaussianNB(), IRIS.X, IRIS.y),
}


def put(explorer, **values):
    """Move the controls, named without indices and units."""
    for name, control in explorer.controls.items():
        key = name.replace("₁", "1").replace("₂", "2").split(" ")[0]
        control.value = values.get(key, control.value)
    return explorer


def numbers(explorer):
    return [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?", explorer.summary)]


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_every_end_of_every_slider_moves_the_artists_of_one_figure(make):
    explorer = make()
    children = {ax: ax.get_children() for ax in explorer.figure.axes}
    limits = [(ax.get_xlim(), ax.get_ylim()) for ax in explorer.figure.axes]
    ends = [c.options if hasattr(c, "options") else [c.min, c.max] for c in explorer.controls.values()]
    seen = set()
    for values in itertools.product(*ends):
        for control, value in zip(explorer.controls.values(), values, strict=True):
            control.value = value
        assert bytes(explorer.picture.value).startswith(b"\x89PNG")
        assert "nan" not in explorer.summary
        assert "inf" not in explorer.summary
        seen.add(explorer.summary)
    assert len(seen) > 1
    assert {ax: ax.get_children() for ax in explorer.figure.axes} == children
    assert [(ax.get_xlim(), ax.get_ylim()) for ax in explorer.figure.axes] == limits
    assert not plt.get_fignums()


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_one_look_one_reading_and_a_picture_that_stays_where_no_widget_runs(make):
    explorer = make()
    assert tuple(explorer.figure.get_size_inches()) == (7.6, 3.8)
    assert explorer.children[-2:] == (explorer.picture, explorer.readout)
    assert [control.description for control in explorer.controls.values()] == list(explorer.controls)
    assert 'role="status"' in explorer.readout.value
    bundle = explorer._repr_mimebundle_()
    assert bundle["text/plain"] == explorer.summary
    assert bundle["image/png"].startswith("iVBORw0KGgo")
    assert bundle == make()._repr_mimebundle_() | {key: bundle[key] for key in bundle if "widget" in key}


def test_what_the_readout_says_is_escaped():
    y = np.where(IRIS.y == "setosa", "<b>", "c")
    explorer = put(explore_k_fold(GaussianNB(), IRIS.X, y), k=3, order="file order")
    assert "<b>" in explorer.summary
    assert "<b>" not in explorer.readout.value


def error_of_line(normal, offset, ρ, φ):
    """Error of the rule normal·x > offset, exactly, for two classes of `explore_naive_against_full`."""
    m, Σ = np.array([np.cos(np.radians(φ)), np.sin(np.radians(φ))]), np.array([[1, ρ], [ρ, 1]])
    deviation = np.sqrt(normal @ Σ @ normal)
    return (norm.sf((offset + normal @ m) / deviation) + norm.cdf((offset - normal @ m) / deviation)) / 2


@pytest.mark.parametrize(("ρ", "φ", "n"), [(0.6, 0, 20), (-0.9, 45, 3), (0.9, 30, 300), (0, 90, 5)])
def test_naive_and_full_have_the_errors_of_their_lines(ρ, φ, n):
    explorer = put(explore_naive_against_full(), ρ=ρ, φ=φ, n=n)
    plane, side = explorer.figure.axes
    m, Σ = np.array([np.cos(np.radians(φ)), np.sin(np.radians(φ))]), np.array([[1, ρ], [ρ, 1]])
    known = [np.interp(ρ, *line.get_data()) for line in side.lines[:2]]
    least = error_of_line(np.linalg.solve(Σ, m), 0, ρ, φ)
    np.testing.assert_allclose(known, [error_of_line(m, 0, ρ, φ), least], atol=1e-6)

    samples = [plane.lines[i].get_data() for i in (0, 2)]
    X, y = np.hstack(samples).T, np.repeat([0, 1], n)
    lda = SklearnLDA(solver="lsqr").fit(X, y)
    means, variances = np.array([X[y == k].mean(axis=0) for k in (0, 1)]), SklearnNB().fit(X, y).var_.mean(axis=0)
    naive = (means[1] - means[0]) / variances
    errors = [
        error_of_line(naive, naive @ means.mean(axis=0), ρ, φ),
        error_of_line(lda.coef_[0], -lda.intercept_[0], ρ, φ),
    ]
    learned = [line.get_ydata()[0] for line in side.lines[2:]]
    np.testing.assert_allclose(learned, errors, rtol=1e-7)
    np.testing.assert_allclose(numbers(explorer)[:2], 100 * np.array(errors), atol=0.051)
    assert numbers(explorer)[-1] == pytest.approx(100 * least, abs=0.051)
    boundary = np.array(plane.lines[5].get_data()).T
    np.testing.assert_allclose(lda.decision_function(boundary), 0, atol=1e-9)


@pytest.mark.parametrize(("λ", "n"), [(0, 20), (0.5, 2), (1, 5), (0.1, 3)])
def test_shrinkage_has_the_error_of_the_shrunk_rule(λ, n):
    explorer = put(explore_shrinkage(), λ=λ, n=n)
    plane, side = explorer.figure.axes
    samples = [np.array(plane.lines[i].get_data()).T for i in (0, 2)]
    S = np.array([np.cov(sample.T) for sample in samples])
    Σ = (1 - λ) * S + λ * np.diag(S.mean(axis=0).diagonal())
    rules = [multivariate_normal(sample.mean(axis=0), cov) for sample, cov in zip(samples, Σ, strict=True)]
    fresh = make_gaussian_pair("P1a", 100_000, np.random.default_rng(1))
    error = np.mean(np.argmax([rule.logpdf(fresh.X) for rule in rules], axis=0) != fresh.y)
    (here,) = side.lines[1].get_ydata()
    assert here == pytest.approx(error, abs=0.005)  # 4 standard deviations of 200 000 trials
    assert here == pytest.approx(np.interp(λ, *side.lines[0].get_data()), abs=1e-12)
    assert numbers(explorer)[0] == pytest.approx(100 * here, abs=0.051)
    assert numbers(explorer)[-1] == pytest.approx(100 * fresh.bayes_error, abs=0.06)
    boundary = np.array(plane.lines[4].get_data()).T
    boundary = boundary[np.isfinite(boundary).all(axis=1)]
    difference = rules[0].logpdf(boundary) - rules[1].logpdf(boundary)
    assert np.median(abs(difference)) < 0.03


def test_two_samples_are_singular_until_shrunk():
    assert "rank 1" in put(explore_shrinkage(), λ=0, n=2).summary
    assert "rank 2" in put(explore_shrinkage(), λ=0.05, n=2).summary


@pytest.mark.parametrize("k", [5, 20])
def test_k_fold_agrees_with_scikit_learn(k):
    explorer = put(explore_k_fold(GaussianNB(), IRIS.X, IRIS.y), k=k, order="file order")
    folds, side = explorer.figure.axes
    accuracies = cross_val_score(SklearnNB(), IRIS.X, IRIS.y, cv=KFold(k))
    np.testing.assert_allclose(side.lines[0].get_xdata(), accuracies, atol=1e-12)
    assert numbers(explorer)[:2] == pytest.approx([accuracies.mean(), accuracies.std(ddof=1) / np.sqrt(k)], abs=5e-5)
    full = np.array([to_rgb(color) for color in COLORS[:3]]).repeat(50, axis=0)
    is_test = (np.asarray(folds.images[0].get_array()) == full).all(axis=2)
    np.testing.assert_array_equal(is_test.sum(axis=0), 1)  # each row is tested once
    np.testing.assert_array_equal(np.flatnonzero(is_test[0]), next(KFold(k).split(IRIS.X))[1])


def test_a_fold_that_holds_a_whole_class_is_said_and_mended_by_shuffling():
    explorer = put(explore_k_fold(GaussianNB(), IRIS.X, IRIS.y), k=3, order="file order")
    assert explorer.summary.startswith("no estimate")
    assert "setosa" in explorer.summary
    assert np.isnan(explorer.figure.axes[1].lines[0].get_xdata()).all()
    assert put(explorer, order="shuffled").summary.startswith("accuracy")
