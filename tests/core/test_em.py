"""The E-step and the M-step against their definitions, EM against scikit-learn's, and components that collapse."""

import pickle

import numpy as np
import pytest
from family import refusals
from scipy.stats import multivariate_normal, norm
from sklearn import mixture
from sklearn.exceptions import ConvergenceWarning

from bayeslab import CollapsedComponentError, Gaussian, GaussianClassifier, GaussianMixture, e_step, load_iris, m_step
from bayeslab.em import stored_form

KINDS = [(covariance, shared) for covariance in ("full", "diagonal", "spherical") for shared in (False, True)]
# Their names in scikit-learn, which shares only full covariances.
PEERS = {
    ("full", False): "full",
    ("full", True): "tied",
    ("diagonal", False): "diag",
    ("spherical", False): "spherical",
}
IRIS = load_iris()


def overlapping(n=600, d=3, K=3, seed=0):
    """Samples of K components that overlap, in units of very different size."""
    rng = np.random.default_rng(seed)
    mix = np.eye(d) + rng.normal(size=(d, d)) / 4
    return (rng.normal(size=(n, d)) @ mix + 2 * rng.normal(size=(K, d))[rng.integers(K, size=n)]) * 10.0 ** np.arange(d)


def start_for(X, K, covariance):
    """Weights, means and covariances, all different."""
    weights = np.arange(1.0, K + 1) / (K * (K + 1) / 2)
    whole = np.cov(X.T)
    kept = {"full": whole, "diagonal": whole.diagonal(), "spherical": whole.diagonal().mean()}[covariance]
    return weights, X[:K].copy(), np.array([kept] * K)


def test_e_step_is_bayes_theorem():
    X, (weights, means, covariances) = overlapping(50), start_for(overlapping(50), 3, "full")
    gaussians = [Gaussian(*parts) for parts in zip(means, covariances, strict=True)]
    responsibilities, log_density = e_step(X, weights, gaussians)
    joint = [λ * multivariate_normal(μ, Σ).pdf(X) for λ, μ, Σ in zip(weights, means, covariances, strict=True)]
    np.testing.assert_allclose(responsibilities.T, joint / np.sum(joint, axis=0), rtol=1e-10)
    np.testing.assert_allclose(log_density, np.log(np.sum(joint, axis=0)), rtol=1e-12)


def test_e_step_far_from_every_component():
    """Densities of e⁻⁵⁰⁰⁰⁰⁰ and less, which underflow."""
    responsibilities, log_density = e_step([[1000.0], [-1000.0]], [0.25, 0.75], [Gaussian(0, 1), Gaussian(1, 1)])
    np.testing.assert_allclose(log_density, np.log([0.75, 0.25]) + norm.logpdf([999, 1000]), rtol=1e-15)
    np.testing.assert_allclose(responsibilities, [[0, 1], [1, 0]], atol=1e-300)


@pytest.mark.parametrize(("covariance", "shared"), KINDS)
def test_m_step_with_labels_is_the_supervised_fit(covariance, shared):
    labels = np.unique(IRIS.y, return_inverse=True)[1]
    weights, means, covariances = m_step(IRIS.X, np.eye(3)[labels], covariance, shared)
    supervised = GaussianClassifier(covariance, shared, ddof=0).fit(IRIS.X, IRIS.y)
    np.testing.assert_allclose(weights, supervised.priors_, rtol=1e-14)
    np.testing.assert_allclose(means, supervised.means_, rtol=1e-14)
    ours = [Gaussian(*parts).covariance for parts in zip(means, covariances, strict=True)]
    np.testing.assert_allclose(ours, [g.covariance for g in supervised.gaussians_], rtol=1e-12, atol=1e-15)


def test_m_step_weighs_samples_by_their_responsibility():
    X, responsibilities = overlapping(40), np.random.default_rng(0).dirichlet([1, 1, 1], size=40)
    weights, means, covariances = m_step(X, responsibilities)
    np.testing.assert_allclose(weights, responsibilities.mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(means, [np.average(X, axis=0, weights=γ) for γ in responsibilities.T], rtol=1e-12)
    np.testing.assert_allclose(covariances, [np.cov(X.T, aweights=γ, ddof=0) for γ in responsibilities.T], rtol=1e-11)
    pooled = m_step(X, responsibilities, shared=True)[2]
    np.testing.assert_allclose(pooled, [np.average(covariances, axis=0, weights=weights)] * 3, rtol=1e-11)


@pytest.mark.parametrize(("covariance", "shared"), KINDS)
def test_a_fit_in_blocks_is_the_textbook_loop(covariance, shared):
    X = overlapping(40_000)
    weights, means, covariances = start = start_for(X, 3, covariance)
    for _ in range(3):
        gaussians = [Gaussian(*parts) for parts in zip(means, covariances, strict=True)]
        weights, means, covariances = m_step(X, e_step(X, weights, gaussians)[0], covariance, shared)
    fitted = GaussianMixture(3, covariance, shared, tol=0, max_iter=3, init=start).fit(X)
    # Sums of n terms may differ by n·ε = 1e-11 in each iteration, covariances by more, where terms cancel.
    np.testing.assert_allclose(fitted.weights_, weights, rtol=1e-10)
    np.testing.assert_allclose(fitted.means_, means, rtol=1e-10, atol=1e-10 * X.std(axis=0).min())
    np.testing.assert_allclose(fitted.covariances_, covariances, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("covariance", "shared"), PEERS)
@pytest.mark.parametrize(("X", "n_iter"), [(overlapping(), 1), (overlapping(), 25), (IRIS.X[::3], 10), (IRIS.X, 40)])
def test_scikit_learn_is_at_the_same_place_after_the_same_iterations(covariance, shared, X, n_iter):
    X = X / X.std(axis=0)  # scikit-learn's distances lose digits where units differ
    weights, means, covariances = start = start_for(X, 3, covariance)
    ours = GaussianMixture(3, covariance, shared, tol=0, max_iter=n_iter, init=start).fit(X)
    precisions = np.linalg.inv(covariances) if covariance == "full" else 1 / covariances
    settings = {"precisions_init": precisions[0] if shared else precisions, "max_iter": n_iter, "tol": 0}
    settings |= {"covariance_type": PEERS[covariance, shared], "reg_covar": 0, "weights_init": weights}
    theirs = mixture.GaussianMixture(3, means_init=means, random_state=0, **settings)
    with pytest.warns(ConvergenceWarning):
        theirs.fit(X)
    np.testing.assert_allclose(ours.weights_, theirs.weights_, atol=1e-8)
    np.testing.assert_allclose(ours.means_, theirs.means_, atol=1e-8)
    np.testing.assert_allclose(ours.covariances_[0] if shared else ours.covariances_, theirs.covariances_, atol=1e-8)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-8)
    assert ours.score(X) == pytest.approx(theirs.score(X), rel=1e-9)
    assert ours.bic(X) == pytest.approx(theirs.bic(X), rel=1e-9)


LINE = np.array([0.0, 0, 0, 4, 5, 6, 7, 8])[:, None]
DIAGONAL = np.array([[0, 0], [1, 1], [2, 2], [3, 3], [9, 5], [8, 7], [7, 9], [9, 9], [6, 7.5]])


@pytest.mark.parametrize(
    ("X", "start", "component", "message"),
    [
        (LINE, [[6], [0]], 1, "component 1 collapsed at iteration .*: a variance has shrunk to zero.*Remedies"),
        (LINE, [[6], [1e5]], 1, "component 1 collapsed at iteration 1: it has lost all its samples"),
        (LINE, ([1, 1e-17], [[6], [0]], [[[9.0]]] * 2), 1, "component 1 collapsed at iteration 0: it has lost"),
        (
            DIAGONAL,
            ([0.5, 0.5], [[1.5, 1.5], [8, 8]], [np.eye(2)] * 2),
            0,
            "rank 1 instead of 2.*fewer components.*shared=True",
        ),
    ],
)
def test_a_collapsed_component_is_named(X, start, component, message):
    with pytest.raises(CollapsedComponentError, match=message) as caught:
        GaussianMixture(2, init=start).fit(X)
    assert caught.value.component == component
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


test_steps_say_what_is_wrong = refusals(
    (lambda: e_step([[0.0]], [1.0], [Gaussian(0, 1), Gaussian(1, 1)]), "there must be one weight per Gaussian"),
    (lambda: e_step([[0.0]], [np.nan], [Gaussian(0, 1)]), r"non-negative .*one of \[nan\] is nan"),
    (lambda: e_step([[0.0]], [1.5, -0.5], [Gaussian(0, 1)] * 2), r"one of \[1.5, -0.5\] is -0.5"),
    (lambda: m_step([[0.0], [1.0]], [[1.0]]), r"shape \(2, K\), a row for each row of X, not \(1, 1\)"),
    (lambda: m_step([[0.0], [1.0]], [1.0, 1.0]), r"shape \(2, K\), a row for each row of X, not \(2,\)"),
    (lambda: m_step([[0.0], [1.0]], [[], []]), r"shape \(2, K\), a row for each row of X, not \(2, 0\)"),
    (lambda: m_step([[0.0], [1.0]], [[1, 0], [np.nan, 1]]), r"responsibilities\[1, 0\] is nan"),
    (lambda: m_step([[0.0], [1.0]], [[1, 0], [1, -1e-3]]), r"responsibilities\[1, 1\] is -0.001; .* be negative"),
    (lambda: m_step([[0.0], [1.0]], [[0, 0], [0, 0]]), "all responsibilities are zero"),
    (lambda: m_step([[0.0], [1.0]], [[1.0], [1.0]], "tied"), "not 'tied'"),
)


def test_a_light_and_a_narrow_component_have_not_collapsed():
    """A weight of 1/3000 is not zero, and neither is a width of 1/10,000 of the spread."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=30_000), 100 + rng.normal(size=10)])[:, None]
    light = GaussianMixture(2, init=[[0], [100]]).fit(X)
    np.testing.assert_allclose(light.weights_[1], 10 / 30_010)
    X = np.concatenate([rng.normal(size=300), 20 + 1e-4 * rng.normal(size=300)])[:, None]
    narrow = GaussianMixture(2, init=([0.5, 0.5], [[0], [20]], [[[1]], [[1e-8]]])).fit(X)
    np.testing.assert_allclose(narrow.covariances_[1], X[300:].var(), rtol=1e-9)


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize(("n", "d"), [(50, 2), (20_000, 1)])
@pytest.mark.parametrize(("distance", "unit"), [(1e6, 1e-9), (1e6, 1)])
def test_clusters_far_apart_are_fitted_to_the_last_digit(covariance, given, n, d, distance, unit):
    """Each cloud is a component: its mean to the spacing of numbers there, its covariance as from the cloud alone."""
    rng = np.random.default_rng(n)
    clouds = unit * rng.normal(size=(n, d)), unit * (rng.normal(size=(n // 2, d)) + distance)
    init = np.array([cloud[0] for cloud in clouds]) if given else "kmeans"
    fitted = GaussianMixture(2, covariance, init=init, random_state=0).fit(np.concatenate(clouds))
    order = np.argsort(fitted.means_[:, 0])
    np.testing.assert_allclose(fitted.weights_[order], [2 / 3, 1 / 3], rtol=1e-12)
    for k, cloud in zip(order, clouds, strict=True):
        centred = cloud - cloud[0]  # exact, because all are of one size
        mean = cloud[0] + centred.mean(axis=0)
        np.testing.assert_allclose(fitted.means_[k], mean, rtol=1e-15, atol=1e-14 * unit)
        alone = stored_form(np.cov(centred.T, ddof=0).reshape(d, d), covariance)
        np.testing.assert_allclose(fitted.covariances_[k] / unit**2, alone / unit**2, rtol=1e-11, atol=1e-11)  # n·ε


@pytest.mark.parametrize("place", [0.1, 1e6 + 0.3, 1e-9])
@pytest.mark.parametrize("n", [50, 30_000])
def test_a_component_on_one_value_has_collapsed_wherever_it_is(place, n):
    """The rounding errors of n equal numbers are not a spread."""
    X = place * np.concatenate([np.ones(n), 6 + np.random.default_rng(0).normal(size=n)])[:, None]
    init = [0.5, 0.5], [[place], [6 * place]], [[[place**2 / 100]], [[place**2]]]
    with pytest.raises(CollapsedComponentError, match=r"component 0 .* (shrunk to zero|rounding error)") as caught:
        GaussianMixture(2, init=init).fit(X)
    assert caught.value.iteration <= 3


def test_a_spread_of_rounding_error_is_a_collapse():
    """Samples that are neighbouring floats, and a line far from zero, where floats are coarse."""
    rng = np.random.default_rng(0)
    neighbours = 1e6 + 0.3 + np.spacing(1e6) * rng.integers(-1, 2, size=(50, 1))
    place = rng.normal(size=(50, 1))
    line = np.hstack([place, 3 * place + 1e11])
    for X in (neighbours, line):
        with pytest.raises(CollapsedComponentError, match=r"component 0 .*its width is only rounding error"):
            GaussianMixture(1).fit(X)
    coarse = np.hstack([place, rng.normal(size=(50, 1)) + 1e11])
    assert GaussianMixture(1).fit(coarse).n_iter_ == 1
