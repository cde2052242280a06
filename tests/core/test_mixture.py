"""Gaussian mixtures as estimators: starts, stopping, history, samples, and input of any size or with mistakes."""

import numpy as np
import pytest
from family import refusals
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning

from bayeslab import (
    CollapsedComponentError,
    Gaussian,
    GaussianMixture,
    e_step,
    load_iris,
    make_gaussian_pair,
    make_three_classes,
)

IRIS = load_iris()
THREE = make_three_classes(200, np.random.default_rng(0))


def test_the_history_leads_from_the_start_to_the_fit():
    start = np.array([[0.0, 0], [3, 3]])
    X = make_gaussian_pair("P1b", 100, np.random.default_rng(0)).X
    given = start.copy()
    fitted = GaussianMixture(2, init=given).fit(X)
    given[:] = 7
    first, last = fitted.history_[0], fitted.history_[-1]
    np.testing.assert_array_equal(first.means, start)
    np.testing.assert_array_equal(first.weights, [0.5, 0.5])
    np.testing.assert_allclose(first.covariances, [np.cov(X.T, ddof=0)] * 2, rtol=1e-12)
    assert len(fitted.history_) == fitted.n_iter_ + 1
    np.testing.assert_array_equal(last.responsibilities(X), fitted.predict_proba(X))
    np.testing.assert_array_equal(fitted.predict(X), fitted.predict_proba(X).argmax(axis=1))
    np.testing.assert_array_equal(last.covariances, fitted.covariances_)
    for entry in fitted.history_:
        assert entry.log_likelihood == pytest.approx(e_step(X, entry.weights, entry.gaussians)[1].mean(), rel=1e-12)
    assert fitted.lower_bound_ == pytest.approx(fitted.score(X), rel=1e-12)


def test_the_stopping_rule():
    X = make_gaussian_pair("P1b", 100, np.random.default_rng(0)).X
    fitted = GaussianMixture(2, tol=1e-7, init="random", random_state=0).fit(X)
    steps = np.diff([entry.log_likelihood for entry in fitted.history_])
    assert fitted.converged_
    assert (steps[:-1] >= 1e-7).all()
    assert steps[-1] < 1e-7
    again = {"init": "random", "random_state": 0, "max_iter": 3}
    with pytest.warns(ConvergenceWarning, match="max_iter=3"):
        short = GaussianMixture(2, **again).fit(X)
    exactly = GaussianMixture(2, tol=0, **again).fit(X)  # no warning
    assert (short.n_iter_, exactly.n_iter_, short.converged_) == (3, 3, False)
    np.testing.assert_array_equal(short.means_, fitted.history_[3].means)


@pytest.mark.parametrize("init", ["kmeans", "random"])
@pytest.mark.parametrize("scale", [(1e-6, 1e6), (1e5, 1e-5), (1, 1)])
def test_units_and_offsets_change_nothing(init, scale):
    offset = np.array([1e3, -1e6]) * scale
    for seed in range(2):
        settings = {"init": init, "tol": 0, "max_iter": 5, "random_state": seed}
        plain = GaussianMixture(3, **settings).fit(THREE.X)
        other = GaussianMixture(3, **settings).fit(THREE.X * scale + offset)
        np.testing.assert_allclose((other.means_ - offset) / scale, plain.means_, atol=1e-6)
        np.testing.assert_allclose(other.covariances_ / np.outer(scale, scale), plain.covariances_, atol=1e-6)


def test_the_start_of_kmeans_weighs_the_samples():
    """In the units, the clusters and their moments; each row is nearest to the weighted mean of its cluster."""
    weights = np.random.default_rng(0).choice([0.01, 1, 100], size=150)
    for seed in range(3):
        start = GaussianMixture(3, tol=0, max_iter=0, random_state=seed).fit(IRIS.X, sample_weight=weights).history_[0]
        scale = np.sqrt(np.cov(IRIS.X.T, ddof=0, aweights=weights).diagonal())
        clusters = np.argmin([np.square((IRIS.X - mean) / scale).sum(axis=1) for mean in start.means], axis=0)
        np.testing.assert_allclose(start.weights, np.bincount(clusters, weights) / weights.sum(), rtol=1e-12)
        means = [np.average(IRIS.X[clusters == k], axis=0, weights=weights[clusters == k]) for k in range(3)]
        np.testing.assert_allclose(start.means, means, rtol=1e-12)
        deviations = IRIS.X - np.array(means)[clusters]
        within = (weights[:, None] * deviations).T @ deviations / weights.sum()
        np.testing.assert_allclose(start.covariances, [within] * 3, rtol=1e-10, atol=1e-12)


def test_a_random_start_has_different_samples_as_means():
    X = np.repeat([[0.0], [1], [2]], [50, 1, 1], axis=0)
    for seed in range(20):
        drawn = GaussianMixture(3, init="random", max_iter=0, tol=0, random_state=seed).fit(X).means_
        assert sorted(drawn.ravel()) == [0, 1, 2]


def outcomes_of_single_starts(X, n_starts):
    """Log-likelihood that each of these starts reaches, −∞ where a component collapses."""
    stream, reached = np.random.RandomState(0), []
    for _ in range(n_starts):
        try:
            reached.append(GaussianMixture(2, init="random", random_state=stream).fit(X).lower_bound_)
        except CollapsedComponentError:
            reached.append(-np.inf)
    return np.array(reached)


def test_the_best_of_several_starts_is_kept():
    reached = outcomes_of_single_starts(IRIS.X[:, 1:2], 5)
    assert np.ptp(reached) > 1e-5
    fitted = GaussianMixture(2, init="random", n_init=5, random_state=0).fit(IRIS.X[:, 1:2])
    assert fitted.lower_bound_ == reached.max()


def test_collapsed_starts_are_skipped_with_a_warning():
    rng = np.random.default_rng(0)
    X = np.concatenate([np.zeros(9), rng.normal(5, 1, size=30), rng.normal(9, 1, size=30)])[:, None]
    reached = outcomes_of_single_starts(X, 8)
    n_collapsed = np.isneginf(reached).sum()
    assert 0 < n_collapsed < 8
    with pytest.warns(UserWarning, match=f"{n_collapsed} of 8 starts were skipped.*component .* collapsed"):
        fitted = GaussianMixture(2, init="random", n_init=8, random_state=0).fit(X)
    assert fitted.lower_bound_ == reached.max()


@pytest.mark.parametrize("init", ["kmeans", "random"])
def test_a_generator_seeds_the_starts(init):
    def start(rng):
        return GaussianMixture(3, init=init, max_iter=0, tol=0, random_state=rng).fit(IRIS.X).means_

    rng = np.random.default_rng(0)
    first, second = start(rng), start(rng)
    assert (first != second).any()
    np.testing.assert_array_equal(start(np.random.default_rng(0)), first)


def test_samples_come_from_the_mixture():
    fitted = GaussianMixture(3, random_state=0).fit(THREE.X)
    X, component = fitted.sample(100_000, np.random.default_rng(0))
    assert X.shape == (100_000, 2)
    np.testing.assert_allclose(np.bincount(component) / 100_000, fitted.weights_, atol=0.01)
    for k in range(3):
        np.testing.assert_allclose(X[component == k].mean(axis=0), fitted.means_[k], atol=0.05)
        np.testing.assert_allclose(np.cov(X[component == k].T), fitted.covariances_[k], atol=0.15)


HOLED = np.where(IRIS.X == 4.6, np.nan, IRIS.X)


@pytest.mark.parametrize("init", ["kmeans", "random"])
@pytest.mark.parametrize("weight", [0.001, 700])
def test_only_the_ratio_of_weights_counts(init, weight):
    settings = {"init": init, "random_state": 0}
    plain = GaussianMixture(2, **settings).fit(IRIS.X)
    weighted = GaussianMixture(2, **settings).fit(IRIS.X, sample_weight=np.full(150, weight))
    np.testing.assert_array_equal(weighted.covariances_, plain.covariances_)
    weights = np.append(np.full(150, weight), 0)
    beside = GaussianMixture(2, **settings).fit(np.vstack([IRIS.X, np.zeros(4)]), sample_weight=weights)
    np.testing.assert_array_equal(beside.covariances_, plain.covariances_)


def test_numpy_numbers_are_numbers():
    numbers = {"tol": np.float32(1e-3), "max_iter": np.int32(100), "n_init": np.uint8(1), "prior_samples": np.int64(0)}
    GaussianMixture(np.int64(2), shared=np.True_, random_state=0, **numbers).fit(IRIS.X)


TWO = IRIS.X[:2]
SAME = [np.eye(4)] * 2


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components must be a whole number, 1 or more, not 0"),
        ({"n_init": 0}, "n_init must be a whole number, 1 or more, not 0"),
        ({"max_iter": 1.5}, "max_iter must be a whole number, 0 or more, not 1.5"),
        ({"covariance": "tied"}, "'full', 'diagonal', 'spherical', not 'tied'"),
        ({"shared": "no"}, "shared must be True or False, not 'no'"),
        ({"tol": -1}, "tol must be a number, 0 or more, not -1"),
        ({"prior_samples": np.inf}, "prior_samples must be a number, 0 or more, not inf"),
        ({"prior_samples": True}, "prior_samples must be a number, 0 or more, not True"),
        ({"random_state": "x"}, "'x' cannot be used to seed"),
        ({"init": "k-means++"}, r"'kmeans', 'random', means or a tuple .* not 'k-means\+\+'"),
        ({"init": None}, r"the means in init must have shape \(2, 4\), not \(\)"),
        ({"init": [[0, 1], [2]]}, r"init must be .*, not \[\[0, 1\], \[2\]\]"),
        ({"init": [[0, 0]]}, r"the means in init must have shape \(2, 4\), not \(1, 2\)"),
        ({"init": HOLED[[3, 4]]}, r"means in init\[0, 0\] is nan"),
        ({"init": tuple(TWO)}, "has 2 parts"),
        ({"init": ([0.5, 0.6], TWO, SAME)}, "sums to 1.1"),
        ({"init": ([0.5, 0.5], TWO, [1, 1])}, r"covariances in init .* \(2, 4, 4\)"),
        ({"init": ([0.5, 0.3, 0.2], TWO, SAME)}, r"weights in init .* \(2,\)"),
        ({"shared": True, "init": ([0.5, 0.5], TWO, [np.eye(4), 2 * np.eye(4)])}, "the same"),
    ],
)
def test_parameters_that_make_no_sense_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        GaussianMixture(**{"n_components": 2, **parameters}).fit(IRIS.X)


@pytest.mark.parametrize(
    ("covariance", "X", "message"),
    [
        ("full", HOLED, r"X\[3, 0\] is nan"),
        ("full", IRIS.X[:, [0, 1, 0]], "columns 0, 2, or a combination of them, do not vary in these 150 samples, up"),
        ("full", IRIS.X * [1, 0, 1, 1], "^column 1 does not vary in these 150 samples, up to rounding: drop"),
        ("diagonal", IRIS.X * [0, 1, 0, 1], "^columns 0, 2, or a .* do not vary .*'spherical'$"),
        ("spherical", np.ones((9, 1)), "^column 0 does not vary in these 9 samples"),
        ("full", IRIS.X * [1, 1e160, 1, 1], "^the squares of column 1 are too large"),
    ],
)
def test_data_without_a_density_are_named(covariance, X, message):
    with pytest.raises(ValueError, match=message):
        GaussianMixture(2, covariance).fit(X)


APART = [Gaussian([0, 0], 1), Gaussian([1, 0], 1)]
test_what_has_no_responsibilities_or_is_not_fitted_says_so = refusals(
    (lambda: GaussianMixture(3).fit([[0.0], [1]] * 5), "n_components is 3, but X has only 2 different rows"),
    (lambda: GaussianMixture(2, random_state=0).fit(IRIS.X).predict_proba(HOLED), r"X\[3, 0\] is nan"),
    (lambda: e_step([[0, 0], [1e160, 0]], [0.5, 0.5], APART), r"sample \[1e\+160, 0.0\] is too far from all comp"),
    (lambda: GaussianMixture().sample(3, np.random.default_rng(0)), "GaussianMixture instance is not fitted yet"),
    (lambda: GaussianMixture().score_samples([[0.0]]), "GaussianMixture instance is not fitted yet"),
)


def test_a_row_beyond_all_distances_has_the_weights_and_leaves_the_others_alone():
    fitted = GaussianMixture(2, random_state=0).fit(IRIS.X)
    X = np.vstack([IRIS.X[:3], np.full(4, 1e200)])
    expected = logsumexp(np.log(fitted.weights_) + np.transpose([g.log_density(X) for g in fitted.gaussians_]), axis=1)
    np.testing.assert_allclose(fitted.score_samples(X), expected, rtol=1e-12)
    assert fitted.score_samples(X)[3] == fitted.score(X) == -np.inf
    with pytest.warns(UserWarning, match="rows too far from all components: 3; the weights alone decide there"):
        found = fitted.predict_proba(X)
    np.testing.assert_allclose(found[:3], fitted.predict_proba(X[:3]), rtol=1e-12)
    np.testing.assert_array_equal(found[3], fitted.weights_)
