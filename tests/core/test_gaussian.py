"""Gaussian against SciPy, mpmath, quadrature and its own properties."""

import numpy as np
import pytest
from family import refusals
from scipy.integrate import quad
from scipy.stats import chi2, multivariate_normal, norm

from bayeslab import Gaussian, SingularCovarianceError


@pytest.mark.parametrize("d", [2, 5, 30])
def test_log_density_is_scipys(d):
    rng = np.random.default_rng(d)
    mean, root, X = rng.normal(size=d), rng.normal(size=(d, d + 2)), rng.normal(size=(20, d))
    covariance = root @ root.T
    ours, theirs = Gaussian(mean, covariance), multivariate_normal(mean, covariance)
    np.testing.assert_allclose(ours.log_density(X), theirs.logpdf(X), rtol=1e-10)
    assert np.ndim(ours.log_density(X[0])) == 0
    assert ours.log_determinant == pytest.approx(np.linalg.slogdet(covariance)[1])
    assert ours.rank == d


def test_one_dimension_takes_numbers_and_flat_arrays():
    x = np.linspace(-3, 3, 7)
    for points in (x, x[:, None], 0):
        np.testing.assert_allclose(Gaussian(1.5, 4).log_density(points), norm(1.5, 2).logpdf(points).T.squeeze())


def test_a_vector_is_a_diagonal_and_a_number_is_spherical():
    X = np.random.default_rng(1).normal(size=(6, 3))
    for short, full in (([1, 4, 9], np.diag([1, 4, 9])), (2.5, 2.5 * np.eye(3))):
        gaussian = Gaussian(np.ones(3), short)
        np.testing.assert_allclose(gaussian.log_density(X), Gaussian(np.ones(3), full).log_density(X))
        np.testing.assert_array_equal(gaussian.covariance, full)


def test_sample_has_the_distribution():
    gaussian = Gaussian([1, -2], [[2, 0.9], [0.9, 0.6]])
    X = gaussian.sample(40_000, np.random.default_rng(3))
    np.testing.assert_allclose(X.mean(axis=0), gaussian.mean, atol=0.03)
    np.testing.assert_allclose(np.cov(X.T), gaussian.covariance, atol=0.06)
    inside = (gaussian.mahalanobis_squared(X) < 4).mean()
    assert inside == pytest.approx(chi2(2).cdf(4), abs=0.01)


def test_marginal_integrates_the_other_columns_away():
    gaussian = Gaussian([1, -2, 0.5], [[2, 0.9, 0.2], [0.9, 0.6, 0.1], [0.2, 0.1, 1]])
    pair = gaussian.marginal([2, 0])
    integral = quad(lambda y: np.exp(gaussian.log_density([0.3, y, 0.7])), -15, 15)[0]
    assert np.exp(pair.log_density([0.7, 0.3])) == pytest.approx(integral)
    assert gaussian.marginal(1).mean == pytest.approx([-2])


@pytest.mark.parametrize("covariance", [[[2, 0.9], [0.9, 0.6]], [1, 4]])
def test_ellipse_stays_at_its_distance(covariance):
    gaussian = Gaussian([3, 1], covariance)
    np.testing.assert_allclose(gaussian.mahalanobis_squared(gaussian.ellipse(2.5)), 2.5**2)


def test_fit_divides_by_n_minus_ddof():
    X, weights = np.random.default_rng(4).normal(size=(10, 2)), np.arange(10)
    np.testing.assert_allclose(Gaussian.fit(X).covariance, np.cov(X.T))
    np.testing.assert_allclose(Gaussian.fit(X, ddof=0).covariance, np.cov(X.T, ddof=0))
    np.testing.assert_allclose(Gaussian.fit(X, weights=weights).mean, np.average(X, axis=0, weights=weights))


@pytest.mark.parametrize("units", [1, 1e-9, 1e9])
def test_a_singular_covariance_is_named(units):
    X = np.random.default_rng(6).normal(size=(30, 4)) * units
    X[:, 3] = X[:, 0] - 2 * X[:, 2]
    with pytest.raises(SingularCovarianceError, match="rank 3 of 4") as caught:
        Gaussian.fit(X)
    assert (caught.value.rank, caught.value.dimension, caught.value.columns) == (3, 4, [0, 2, 3])
    X[:, 3] = 0.1
    with pytest.raises(SingularCovarianceError, match="column 3 does not vary"):
        Gaussian.fit(X)
    with pytest.raises(SingularCovarianceError, match="column 1 does not vary"):
        Gaussian([0, 0], [1, 0])


def test_nearly_singular_is_not_singular():
    ρ = 1 - 1e-12
    assert Gaussian([0, 0], [[1, ρ], [ρ, 1]]).rank == 2


FLAT = [[1, 1], [1, 1]]
SCALE = "scale must hold 2 finite numbers above 0, one per column"


test_errors_say_what_is_wrong = refusals(
    (lambda: Gaussian([0, 0], np.eye(3)), r"needs a covariance of shape \(2, 2\)"),
    (lambda: Gaussian([0, 0], [[1, 0.5], [0.4, 1]]), r"covariance\[0, 1\] is 0.5 and covariance\[1, 0\] is 0.4"),
    (lambda: Gaussian([0, 0], [[1, 2], [2, 1]]), "eigenvalue -1"),
    (lambda: Gaussian([0, 0], [[1, 1.05], [1.05, 1]]), r"eigenvalue -0\.05"),
    (lambda: Gaussian([0, 0], [1, -2]), "variance of column 1 is -2"),
    (lambda: Gaussian([0, 0], [[1, 0], [0, -2]]), "variance of column 1 is -2"),
    (lambda: Gaussian([0, np.nan], np.eye(2)), r"mean\[1\] is nan"),
    (lambda: Gaussian([0, 0], [[1, np.inf], [np.inf, 1]]), r"covariance\[0, 1\] is inf"),
    (lambda: Gaussian([[0, 0]], np.eye(2)), r"mean must be a number or have shape \(d,\)"),
    (lambda: Gaussian([0, 0], FLAT, "pseudo", [1, -1]), SCALE),
    (lambda: Gaussian([0, 0], FLAT, "pseudo", [1, np.inf]), SCALE),
    (lambda: Gaussian([0, 0], FLAT, "pseudo", [1, 2, 3]), SCALE),
    (lambda: Gaussian([0, 0], np.eye(2), "psuedo"), "singular must be one of 'raise', 'pseudo', not 'psuedo'"),
    (lambda: Gaussian([0, 0], np.eye(2), singular=True), "'raise', 'pseudo', not True"),
    (lambda: Gaussian([0, 0], 1).moved_to([1, 2, 3]), r"the new mean must have shape \(2,\), not \(3,\)"),
    (lambda: Gaussian([0, 0], 1).log_density(np.zeros((5, 3))), r"2 features, but X has shape \(5, 3\)"),
    (lambda: Gaussian(0, 1).ellipse(1), "needs 2 features, not 1"),
)


@pytest.mark.parametrize("units", [[1, 1], [1e-20, 1e20]])
def test_what_is_symmetric_up_to_rounding(units):
    """In units of the standard deviations."""
    size = np.outer(units, units)
    with pytest.raises(ValueError, match="covariance must be symmetric"):
        Gaussian([0, 0], np.array([[1, 0.5], [0.5 + 1e-7, 1]]) * size)
    assert Gaussian([0, 0], np.array([[1, 0.5], [0.5 + 1e-10, 1]]) * size).rank == 2


@pytest.mark.parametrize("covariance", [[[2, 1], [1, 2]], [2, 2], 2])
@pytest.mark.parametrize("x", [[np.inf, 0], [1e308, 1e308], [1e200, -1e200]])
def test_a_remote_point_is_infinitely_far_and_a_gap_has_no_distance(covariance, x):
    gaussian = Gaussian([0, 0], covariance)
    assert gaussian.mahalanobis_squared(x) == np.inf
    assert gaussian.log_density(x) == -np.inf
    assert np.isnan(gaussian.mahalanobis_squared([x[0], np.nan]))


def test_a_nearly_singular_covariance_of_many_columns_is_whitened_by_all_of_its_matrix():
    """Its factor is not triangular, though the entry that would show it may be 0."""
    covariance = np.eye(64)
    covariance[0, 1] = covariance[1, 0] = 1 - 1e-12
    x = np.zeros(64)
    x[1] = 1e-6
    assert Gaussian(np.zeros(64), covariance).mahalanobis_squared(x) == pytest.approx(0.5, rel=1e-3)
