"""Pseudo-samples: EM then maximises likelihood × prior, and nothing collapses."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bayeslab import Gaussian, GaussianMixture, e_step, load_iris
from bayeslab.em import PseudoSamples, component_moments, estimate_parameters

KINDS = [(covariance, shared) for covariance in ("full", "diagonal", "spherical") for shared in (False, True)]
IRIS = load_iris()


def of_kind(matrix, covariance):
    """Restrict a matrix to a kind of covariance."""
    variances = matrix.diagonal()
    if covariance == "spherical":
        variances = np.full(len(matrix), variances.mean())
    return matrix if covariance == "full" else np.diag(variances)


def full(covariances, d):
    """Stored covariances as matrices."""
    return [Gaussian(np.zeros(d), stored).covariance for stored in covariances]


def log_prior(covariances, shared, pseudo, number):
    """Logarithm of the inverse Wishart density, up to a constant, from its definition."""
    d = len(pseudo)
    return sum(
        -number / 2 * (d * np.log(2 * np.pi) + np.linalg.slogdet(each)[1] + np.trace(np.linalg.solve(each, pseudo)))
        for each in (covariances[:1] if shared else covariances)
    )


def pseudo_covariance(X, K, covariance, weights=None):
    return of_kind(np.cov(X.T, ddof=0, aweights=weights).reshape(X.shape[1], -1), covariance) / K ** (2 / X.shape[1])


@pytest.mark.parametrize(("covariance", "shared"), KINDS)
@pytest.mark.parametrize("number", [0, 0.3, 7])
def test_m_step_adds_the_pseudo_samples_to_each_scatter(covariance, shared, number):
    """Σ_k = (S_k + νΛ) / (N_k + ν), for which likelihood × prior never falls (see `test_exact.py`)."""
    rng = np.random.default_rng(0)
    X, responsibilities = rng.normal(size=(12, 2)) @ [[1, 0.5], [0, 2]], rng.dirichlet([1, 1, 1], size=12)
    pseudo, sizes = pseudo_covariance(X, 3, covariance), responsibilities.sum(axis=0)
    moments = component_moments(X, responsibilities, diagonal=False)
    kept = {"full": pseudo, "diagonal": pseudo.diagonal(), "spherical": pseudo[0, 0]}[covariance]
    weights, means, stored = estimate_parameters(moments, covariance, shared, PseudoSamples(number, kept))
    np.testing.assert_allclose(weights, sizes / 12, rtol=1e-12)
    np.testing.assert_allclose(means, [np.average(X, axis=0, weights=γ) for γ in responsibilities.T], rtol=1e-12)
    scatters = [γ.sum() * np.cov(X.T, aweights=γ, ddof=0) for γ in responsibilities.T]
    if shared:
        sizes, scatters = [12] * 3, [sum(scatters)] * 3
    for size, scatter, found in zip(sizes, scatters, full(stored, 2), strict=True):
        expected = of_kind((scatter + number * pseudo) / (size + number), covariance)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("covariance", "shared"), KINDS)
def test_the_objective_is_likelihood_times_prior(covariance, shared):
    sample_weight = np.random.default_rng(0).integers(0, 4, size=150)
    settings = {"prior_samples": 2.5, "max_iter": 3, "tol": 0, "random_state": 0}
    fitted = GaussianMixture(3, covariance, shared, **settings).fit(IRIS.X, sample_weight=sample_weight)
    pseudo = pseudo_covariance(IRIS.X, 3, covariance, sample_weight)
    for entry in fitted.history_:
        log_density = e_step(IRIS.X, entry.weights, entry.gaussians)[1]
        prior = log_prior(full(entry.covariances, 4), shared, pseudo, 2.5)
        n = sample_weight.sum()
        # Correlations of iris have a condition number of about 100, and D² loses as many digits.
        assert entry.log_likelihood == pytest.approx(sample_weight @ log_density / n, rel=1e-10)
        assert entry.objective == pytest.approx((sample_weight @ log_density + prior) / n, rel=1e-10)
    assert fitted.lower_bound_ == fitted.history_[-1].objective


@settings(max_examples=settings.default.max_examples // 4)
@given(
    kind=st.sampled_from(KINDS),
    d=st.integers(1, 3),
    data=st.data(),
    number=st.floats(0.01, 100),
    init=st.sampled_from(["kmeans", "random"]),
)
def test_nothing_collapses(kind, d, data, number, init):
    """Few samples, some of them equal, in columns with a spread that is small beside an offset."""
    n = data.draw(st.integers(d + 1, 10))
    X = np.array(data.draw(st.lists(st.lists(st.integers(-3, 3), min_size=d, max_size=d), min_size=n, max_size=n)))
    X = X * 10.0 ** -np.arange(0, 3 * d, 3) + 100.0 * np.arange(d)
    different = len(np.unique(X, axis=0))
    assume((np.ptp(X, axis=0) > 0).all())
    assume(np.linalg.cond(np.corrcoef(X.T).reshape(d, d)) < 1e6)
    K = data.draw(st.integers(1, min(4, different)))
    model = GaussianMixture(K, *kind, tol=0, max_iter=60, init=init, random_state=0, prior_samples=number)
    assert model.fit(X).n_iter_ == 60
    # Each variance is at least what the pseudo-samples contribute to it.
    pseudo = pseudo_covariance(X, K, kind[0])
    for each in full(model.covariances_, d):
        assert (each.diagonal() >= number / (n + number) * pseudo.diagonal() * (1 - 1e-9)).all()


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
def test_with_many_pseudo_samples_the_samples_do_not_matter(covariance):
    fitted = GaussianMixture(3, covariance, prior_samples=1e12, random_state=0).fit(IRIS.X)
    expected = pseudo_covariance(IRIS.X, 3, covariance)
    np.testing.assert_allclose(full(fitted.covariances_, 4), [expected] * 3, rtol=1e-9, atol=1e-12)
    # K of them have the volume of all samples together.
    whole = of_kind(np.cov(IRIS.X.T, ddof=0), covariance)
    assert 3 * np.sqrt(np.linalg.det(fitted.gaussians_[0].covariance)) == pytest.approx(np.sqrt(np.linalg.det(whole)))


def test_a_component_that_loses_its_samples_is_kept_with_no_weight():
    X = np.array([[0.0], [1], [2], [4]])
    fitted = GaussianMixture(2, init=[[1.5], [1e5]], prior_samples=1).fit(X)
    np.testing.assert_array_equal(fitted.weights_, [1, 0])
    np.testing.assert_allclose(fitted.means_, [[1.75], [1.75]], rtol=1e-12)
    np.testing.assert_allclose(fitted.covariances_[1], X.var() / 4, rtol=1e-12)
    np.testing.assert_array_equal(fitted.predict_proba(X)[:, 1], 0)
    assert fitted.sample(5, np.random.default_rng(0))[1].max() == 0


def test_the_best_of_several_starts_has_the_largest_objective():
    settings = {"init": "random", "prior_samples": 1}
    stream = np.random.RandomState(0)
    X = IRIS.X[::15]
    singles = [GaussianMixture(3, random_state=stream, **settings).fit(X) for _ in range(6)]
    best = GaussianMixture(3, n_init=6, random_state=0, **settings).fit(X)
    objectives = [model.history_[-1].objective for model in singles]
    assert best.history_[-1].objective == max(objectives)
    assert np.argmax(objectives) != np.argmax([model.history_[-1].log_likelihood for model in singles])


def test_a_component_with_a_weight_of_rounding_error_goes_to_the_mean_of_all_samples():
    X, responsibilities = np.array([[0.0], [2], [7]]), np.array([[1, 1e-20], [1, 1e-20], [1, 0]])
    moments = component_moments(X, responsibilities, diagonal=False)
    means = estimate_parameters(moments, "full", False, PseudoSamples(1, np.eye(1)))[1]
    assert means.ravel() == pytest.approx([3, 3])


@pytest.mark.parametrize(("covariance", "shared"), KINDS)
def test_samples_of_tiny_weight_leave_the_covariance_of_the_prior(covariance, shared):
    weights = np.full(len(IRIS.X), 1e-200)  # one of ν = 5.5 pseudo-samples weighs 1e200 of them
    fitted = GaussianMixture(1, covariance, shared, prior_samples=5.5).fit(1e97 * IRIS.X, sample_weight=weights)
    expected = of_kind(np.cov(IRIS.X.T, ddof=0), covariance)
    np.testing.assert_allclose(fitted.gaussians_[0].covariance / 1e194, expected, rtol=1e-9)
