"""Singular and nearly singular data: each estimator is either right or says by name what is wrong."""

import re
import warnings

import numpy as np
import pytest
from family import FAMILY
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.tree import DecisionTreeClassifier

from bayeslab import (
    Gaussian,
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    SingularCovarianceError,
    load_iris,
)

named = pytest.mark.parametrize("estimator", FAMILY, ids=lambda e: type(e).__name__)
IRIS = load_iris()


def iris_with(column):
    return np.column_stack([IRIS.X, column])


@named
def test_a_column_constant_in_each_class_tells_the_classes_apart_but_has_no_density(estimator):
    X = iris_with(np.unique(IRIS.y, return_inverse=True)[1])
    if isinstance(estimator, NearestMean):  # its one variance is the mean over the columns
        assert clone(estimator).fit(X, IRIS.y).score(X, IRIS.y) > 0.9
        return
    says = (
        r"column 4 does not vary within any class, but it differs .*: \(1\) drop such .*; \(2\).*DecisionTreeClassifier"
    )
    for settings in ({}, {"shrinkage": 0.5}, {"shrinkage": "ledoit_wolf"}):
        with pytest.raises(SingularCovarianceError, match=says) as caught:
            clone(estimator).set_params(**settings).fit(X, IRIS.y)
    clone(estimator).fit(np.delete(X, caught.value.columns, axis=1), IRIS.y)
    alone = X[:, caught.value.columns]
    assert DecisionTreeClassifier().fit(alone[::3], IRIS.y[::3]).score(alone, IRIS.y) == 1
    with pytest.warns(UserWarning, match="leaves out columns that do not vary within any class.*: 4; fit scikit"):
        clone(estimator).set_params(singular="pseudo").fit(X, IRIS.y)


RNG = np.random.default_rng(5)
FEW, Y = RNG.normal(size=(16, 12)), np.repeat([0, 1], 8)
FLAT = RNG.normal(size=(40, 3)) * [[1, 1, 0]] + np.where(np.arange(40)[:, None] < 20, 0, RNG.normal(size=(40, 3)))
TWO_VALUES = np.vstack([np.tile([[1.0, 1], [-1, -1]], (10, 1)), RNG.normal(size=(20, 2))])  # intensities are 0
CASES = {
    "twice": (QuadraticDiscriminantAnalysis(), iris_with(IRIS.X[:, 0]), IRIS.y),
    "twice two": (LinearDiscriminantAnalysis(), np.column_stack([IRIS.X, IRIS.X[:, :2]]), IRIS.y),
    "few rows": (QuadraticDiscriminantAnalysis(), FEW, Y),
    "few rows, in between": (GaussianClassifier("full", 1e-20), FEW, Y),
    "few rows pooled": (LinearDiscriminantAnalysis(), RNG.normal(size=(16, 20)), Y),
    "flat in one class": (QuadraticDiscriminantAnalysis(), FLAT, np.repeat([0, 1], 20)),
    "flat and diagonal": (GaussianNB(), FLAT, np.repeat([0, 1], 20)),
    "two values": (QuadraticDiscriminantAnalysis(), TWO_VALUES, np.repeat([0, 1], 20)),
}


def with_fewer_columns(estimator, X, y):
    """Drop one of the columns that the message names after another, class by class, until a fit succeeds."""
    while True:
        try:
            estimator.fit(X, y)
            return X
        except SingularCovarianceError as error:
            X = np.delete(X, error.columns[-1], axis=1)


@pytest.mark.parametrize("case", CASES)
def test_each_remedy_that_the_message_names_helps_in_the_case_that_raised_it(case):
    estimator, X, y = CASES[case]
    with pytest.raises(SingularCovarianceError) as caught:
        estimator.fit(X, y)
    drop, shrink, pseudo = re.split(r" \([123]\) ", str(caught.value))[1:]
    share = float(re.search("shrinkage=([0-9.]+)", shrink)[1])
    assert clone(estimator).set_params(shrinkage=share).fit(X, y).gaussians_[0].rank == X.shape[1]
    assert "singular='pseudo'" in pseudo
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the covariances of the classes have different ranks")
        clone(estimator).set_params(singular="pseudo").fit(X, y)
    if components := re.search(r"n_components=(\d+)", drop):
        estimator.fit(PCA(int(components[1])).fit_transform(X), y)
    assert with_fewer_columns(estimator, X, y).shape[1] >= min(2, caught.value.rank)


@named
def test_a_duplicated_column(estimator):
    X = iris_with(IRIS.X[:, 0])
    if isinstance(estimator, (GaussianNB, NearestMean)):  # no covariances between columns: nothing is singular
        assert clone(estimator).fit(X, IRIS.y).score(X, IRIS.y) > 0.85
        return
    with pytest.raises(SingularCovarianceError, match="columns 0, 4") as caught:
        clone(estimator).fit(X, IRIS.y)
    assert (caught.value.rank, caught.value.dimension) == (4, 5)
    pseudo = clone(estimator).set_params(singular="pseudo").fit(X, IRIS.y)
    plain = clone(estimator).fit(IRIS.X, IRIS.y)  # all classes lose the same direction, so nothing else changes
    np.testing.assert_allclose(pseudo.predict_proba(X), plain.predict_proba(IRIS.X), atol=1e-9)
    assert [each.rank for each in pseudo.gaussians_] == [4, 4, 4]


@named
@pytest.mark.parametrize("remedy", [{"singular": "pseudo"}, {"shrinkage": 0.3}, {"shrinkage": "ledoit_wolf"}], ids=str)
def test_more_columns_than_samples(estimator, remedy):
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 8)
    fitted = clone(estimator).set_params(**remedy).fit(rng.normal(size=(16, 30)) + y[:, None], y)
    new = rng.normal(size=(400, 30)) + np.repeat([0, 1], 200)[:, None]
    # Pseudo-densities of QDA are blind outside the few directions that a class has shown.
    at_least = 0.5 if "singular" in remedy and isinstance(estimator, QuadraticDiscriminantAnalysis) else 0.85
    assert fitted.score(new, np.repeat([0, 1], 200)) >= at_least


@named
def test_one_sample_in_a_class(estimator):
    X, y = np.vstack([IRIS.X[:20], IRIS.X[50:51]]), np.array(["many"] * 20 + ["one"])
    if estimator.get_params() and estimator.shared:  # the pooled covariance needs none from this class
        assert clone(estimator).fit(X, y).predict(X)[-1] == "one"
    else:
        with pytest.raises(ValueError, match=r"class 'one'.*the samples have 1"):
            clone(estimator).fit(X, y)
        alone = clone(estimator).set_params(ddof=0, shrinkage=0.5).fit(X, y)
        assert alone.predict(X)[-1] == "one"
        # Nothing is known about how it varies, so Ledoit and Wolf's answer is all of the target.
        assert clone(estimator).set_params(shrinkage="ledoit_wolf").fit(X, y).shrinkage_[1] == 1


def test_pseudo_quantities_are_taken_in_the_scale():
    """Against eigenvalues of the covariance of x / scale; its log-determinant then goes back to the units of x."""
    rng = np.random.default_rng(3)
    A, scale = rng.normal(size=(4, 2)), np.array([1e-3, 1.0, 20.0, 1e5])
    singular = A @ A.T * np.outer(scale, scale)
    gaussian = Gaussian(np.zeros(4), singular, singular="pseudo", scale=scale)
    values, vectors = np.linalg.eigh(A @ A.T)
    X = rng.normal(size=(5, 4)) * scale
    z = X / scale @ vectors
    np.testing.assert_allclose(gaussian.mahalanobis_squared(X), (z[:, 2:] ** 2 / values[2:]).sum(axis=1))
    assert gaussian.log_determinant == pytest.approx(np.log(values[2:]).sum() + 2 * np.log(scale).sum())
    columns = [3, 1, 0]
    part = gaussian.marginal(columns)
    alone = Gaussian(np.zeros(3), singular[np.ix_(columns, columns)], singular="pseudo", scale=scale[columns])
    np.testing.assert_allclose(part.log_density(X[:, columns]), alone.log_density(X[:, columns]))


@pytest.mark.parametrize("remedy", [{"singular": "pseudo"}, {"shrinkage": "ledoit_wolf"}, {"shrinkage": 0.1}], ids=str)
def test_units_with_fewer_samples_than_columns(remedy):
    """Pseudo-inverse and shrinkage too are taken in units that the data bring along."""
    rng = np.random.default_rng(0)
    y, units = np.repeat([0, 1, 2], 8), 10.0 ** rng.integers(-6, 7, size=12)
    X = rng.normal(size=(24, 12)) + 0.6 * y[:, None]
    plain, scaled = (QuadraticDiscriminantAnalysis(**remedy).fit(X * u, y).predict_proba(X * u) for u in (1, units))
    np.testing.assert_allclose(scaled, plain, atol=1e-6)


@pytest.mark.parametrize("unit", [1e-153, 1e150])
@named
def test_tiny_and_huge_units(estimator, unit):
    expected = estimator.fit(IRIS.X, IRIS.y).predict_proba(IRIS.X)
    np.testing.assert_allclose(estimator.fit(IRIS.X * unit, IRIS.y).predict_proba(IRIS.X * unit), expected, atol=1e-7)


def test_a_diagonal_column_without_variance_counts_with_its_scale():
    gaussian = Gaussian([1, 2, 3], [4, 0, 9], singular="pseudo", scale=np.array([2.0, 5.0, 3.0]))
    assert gaussian.rank == 2
    assert gaussian.log_determinant == pytest.approx(np.log(4 * 25 * 9))
    assert gaussian.mahalanobis_squared([3, 100, 3]) == pytest.approx(1)


@pytest.mark.parametrize(("small", "rank"), [(1e-13, 3), (1e-17, 2)])
def test_the_rank_tolerance_is_a_few_times_the_rounding(small, rank):
    Q = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]
    covariance = Q * [1, 0.5, small] @ Q.T
    assert Gaussian(np.zeros(3), (covariance + covariance.T) / 2, singular="pseudo").rank == rank


@pytest.mark.parametrize(("smallest", "rank"), [(0.0, 50), (1e-12, 80)])
def test_many_columns_of_low_rank_or_nearly(smallest, rank):
    """Where the rank is settled by eigenvalues, the whitening is not triangular, however many columns there are."""
    rng, d = np.random.default_rng(7), 80
    Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
    values = np.append(rng.uniform(0.5, 2, 50), np.full(30, smallest))
    covariance = Q * values @ Q.T
    gaussian = Gaussian(np.zeros(d), (covariance + covariance.T) / 2, singular="pseudo", scale=np.ones(d))
    assert gaussian.rank == rank
    z = rng.normal(size=(6, 50))
    np.testing.assert_allclose(
        gaussian.mahalanobis_squared(z @ Q[:, :50].T), (z**2 / values[:50]).sum(axis=1), rtol=1e-2 if smallest else 1e-9
    )


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
@pytest.mark.parametrize("shared", [False, 0.5, True])
def test_classes_that_do_not_vary_at_all_leave_the_priors(covariance, shared):
    """Pseudo-densities on spaces of dimension 0 are 1 everywhere."""
    rule = GaussianClassifier(covariance, shared, priors=[0.3, 0.7], singular="pseudo")
    with pytest.warns(UserWarning, match="do not vary within any class.*: 0, 1; fit scikit"):
        fitted = rule.fit([[1.0, 2.0], [1.0, 2.0], [5.0, 3.0], [5.0, 3.0]], ["a", "a", "b", "b"])
    assert [each.rank for each in fitted.gaussians_] == [0, 0]
    np.testing.assert_allclose(fitted.predict_proba([[1.0, 2.0], [7.0, 7.0], [np.nan, 1.0]]), [[0.3, 0.7]] * 3)
