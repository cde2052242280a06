"""Mixtures of clusters far apart, which are fitted, and components that collapse, which are named."""

import numpy as np
import pytest

from bayeslab import CollapsedComponentError, GaussianMixture, load_iris

IRIS = load_iris()


def test_a_light_and_a_narrow_component_have_not_collapsed():
    """A weight of 1/3000 is not zero, and neither is a width of 1/10,000 of the spread."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=30_000), 100 + rng.normal(size=10)])[:, None]
    light = GaussianMixture(2, init=[[0], [100]]).fit(X)
    np.testing.assert_allclose(light.weights_[1], 10 / 30_010)
    X = np.concatenate([rng.normal(size=300), 20 + 1e-4 * rng.normal(size=300)])[:, None]
    narrow = GaussianMixture(2, init=([0.5, 0.5], [[0], [20]], [[[1]], [[1e-8]]])).fit(X)
    np.testing.assert_allclose(narrow.covariances_[1], X[300:].var(), rtol=1e-9)


def two_clouds(distance, n, d, rng):
    """Samples about zero, and others about a point at this distance in each column."""
    return rng.normal(size=(n, d)), rng.normal(size=(n // 2, d)) + distance


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize(("n", "d"), [(50, 1), (50, 2), (20_000, 1), (4000, 3)])
@pytest.mark.parametrize("distance", [1e6, 3e7, 1e8, 1e10])
@pytest.mark.parametrize("unit", [1, 1e-9])
def test_clusters_far_apart_are_fitted_to_the_last_digit(covariance, given, n, d, distance, unit):
    """Each cloud is a component: its mean to the spacing of numbers there, its covariance as from the cloud alone."""
    clouds = [unit * cloud for cloud in two_clouds(distance, n, d, np.random.default_rng(n))]
    init = np.array([cloud[0] for cloud in clouds]) if given else "kmeans"
    fitted = GaussianMixture(2, covariance, init=init, random_state=0).fit(np.concatenate(clouds))
    order = np.argsort(fitted.means_[:, 0])
    np.testing.assert_allclose(fitted.weights_[order], [2 / 3, 1 / 3], rtol=1e-12)
    for k, cloud in zip(order, clouds, strict=True):
        centred = cloud - cloud[0]  # exact, because all are of one size
        mean = cloud[0] + centred.mean(axis=0)
        np.testing.assert_allclose(fitted.means_[k], mean, rtol=1e-15, atol=1e-14 * unit)
        alone = np.cov(centred.T, ddof=0).reshape(d, d)
        alone = alone if covariance == "full" else alone.diagonal()
        alone = alone.mean() if covariance == "spherical" else alone
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


@pytest.mark.parametrize("offset", [0, 1e6, 1e9])
def test_a_component_on_a_line_has_collapsed_wherever_it_is(offset):
    rng = np.random.default_rng(0)
    place = offset + rng.normal(size=(50, 1))
    line = np.hstack([place, 3 * (place - offset) + offset / 3])  # rounded
    cloud = rng.normal(offset, 1, size=(50, 2)) + np.array([20, 0])
    init = [0.5, 0.5], [line.mean(axis=0), cloud.mean(axis=0)], [np.eye(2)] * 2
    with pytest.raises(CollapsedComponentError, match="component 0 collapsed"):
        GaussianMixture(2, init=init).fit(np.concatenate([line, cloud]))
    with pytest.raises(ValueError, match="columns 0, 1, or a combination of them, do not vary in these 50 samples"):
        GaussianMixture(1).fit(line)


@pytest.mark.parametrize("unit", [1, 1e-100])
def test_a_spread_of_rounding_error_is_a_collapse(unit):
    """Samples that are neighbouring floats, and a line far from zero, where floats are coarse."""
    rng = np.random.default_rng(0)
    neighbours = 1e6 + 0.3 + np.spacing(1e6) * rng.integers(-1, 2, size=(50, 1))
    place = rng.normal(size=(50, 1))
    line = np.hstack([place, 3 * place + 1e11])
    for X in (neighbours, line):
        with pytest.raises(CollapsedComponentError, match=r"component 0 .*its width is only rounding error"):
            GaussianMixture(1).fit(unit * X)
    coarse = np.hstack([place, rng.normal(size=(50, 1)) + 1e11])
    assert GaussianMixture(1).fit(unit * coarse).n_iter_ == 1


def test_a_weight_of_rounding_error_is_a_collapse():
    with pytest.raises(CollapsedComponentError, match="component 1 collapsed at iteration 0: it has lost"):
        GaussianMixture(2, init=([1, 1e-17], IRIS.X[:2], [np.eye(4)] * 2)).fit(IRIS.X)
