"""Gaussian mixtures as estimators: starts, stopping, history, samples, errors."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayeslab import (
    CollapsedComponentError,
    GaussianMixture,
    e_step,
    load_iris,
    make_gaussian_pair,
    make_three_classes,
)

IRIS = load_iris()
THREE = make_three_classes(200, np.random.default_rng(0))


def expected_failures(estimator) -> dict[str, str]:
    """Checks of scikit-learn that must fail, and why."""
    check = "check_sample_weight_equivalence_on_dense_data"
    if estimator.covariance == "full":
        return {check: "27 samples in 30 dimensions have no density"}
    if estimator.n_components > 1:
        failures = {check: "starts are random, so that repeated rows give another start than weights"}
        if not estimator.prior_samples:
            failures["check_sample_weights_shape"] = "a component on samples that are all the same has no density"
        return failures
    return {}


CHECKED = [GaussianMixture(covariance=covariance) for covariance in ("full", "diagonal", "spherical")]
CHECKED.append(GaussianMixture(2, "diagonal", shared=True))
CHECKED += [GaussianMixture(2, covariance, prior_samples=1) for covariance in ("full", "diagonal")]


@parametrize_with_checks(CHECKED, expected_failed_checks=expected_failures)
def test_scikit_learns_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("init", ["kmeans", "random"])
def test_three_classes_are_found_without_labels(init):
    """Within 5 standard errors of the supervised estimates, and some more since labels are unknown."""
    many = make_three_classes(20_000, np.random.default_rng(1))
    fitted = GaussianMixture(3, init=init, random_state=0).fit(many.X)
    truth = many.truth.gaussians
    nearest = [int(np.argmin(np.linalg.norm(fitted.means_ - g.mean, axis=1))) for g in truth]
    assert sorted(nearest) == [0, 1, 2]
    np.testing.assert_allclose(fitted.weights_, [1 / 3] * 3, atol=0.02)
    np.testing.assert_allclose(fitted.means_[nearest], [g.mean for g in truth], atol=0.1)
    np.testing.assert_allclose(fitted.covariances_[nearest], [g.covariance for g in truth], atol=0.2)
    np.testing.assert_array_equal(fitted.predict(many.truth.gaussians[1].mean[None]), [nearest[1]])


def test_the_history_leads_from_the_start_to_the_fit():
    start = np.array([[0.0, 0], [3, 3]])
    X = make_gaussian_pair("P1b", 100, np.random.default_rng(0)).X
    fitted = GaussianMixture(2, init=start).fit(X)
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
    for seed in range(5):
        settings = {"init": init, "tol": 0, "max_iter": 5, "random_state": seed}
        plain = GaussianMixture(3, **settings).fit(THREE.X)
        other = GaussianMixture(3, **settings).fit(THREE.X * scale + offset)
        np.testing.assert_allclose((other.means_ - offset) / scale, plain.means_, atol=1e-6)
        np.testing.assert_allclose(other.covariances_ / np.outer(scale, scale), plain.covariances_, atol=1e-6)


def test_the_start_of_kmeans_is_its_clusters():
    start = GaussianMixture(3, tol=0, max_iter=0, random_state=0).fit(IRIS.X).history_[0]
    assert np.isclose(start.weights * 150, np.round(start.weights * 150)).all()
    # Each row is nearest to the mean of its cluster, in standardised columns.
    scale = IRIS.X.std(axis=0)
    clusters = KMeans(3, init=start.means / scale, n_init=1, max_iter=1).fit_predict(IRIS.X / scale)
    np.testing.assert_allclose(start.weights, np.bincount(clusters) / 150, rtol=1e-12)
    np.testing.assert_allclose(start.means, [IRIS.X[clusters == k].mean(axis=0) for k in range(3)], rtol=1e-12)
    within = sum(np.cov(IRIS.X[clusters == k].T, ddof=0) * w for k, w in enumerate(start.weights))
    np.testing.assert_allclose(start.covariances, [within] * 3, rtol=1e-10)


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


def test_a_given_start_is_copied():
    means = IRIS.X[[0, 60, 120]].copy()
    fitted = GaussianMixture(3, init=means).fit(IRIS.X)
    means[:] = 0
    np.testing.assert_array_equal(fitted.history_[0].means, IRIS.X[[0, 60, 120]])


def test_fit_predict_is_fit_and_predict():
    weights = np.random.default_rng(0).integers(0, 3, size=150)
    model = GaussianMixture(3, random_state=0)
    predicted = model.fit_predict(IRIS.X, IRIS.y, weights)
    again = GaussianMixture(3, random_state=0).fit(IRIS.X, sample_weight=weights)
    np.testing.assert_array_equal(model.means_, again.means_)
    np.testing.assert_array_equal(predicted, again.predict(IRIS.X))


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
