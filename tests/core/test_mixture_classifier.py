"""A mixture per class: one component is QDA, two are what the problems on a line need."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayeslab import (
    CollapsedComponentError,
    GaussianMixture,
    GaussianNB,
    MixtureClassifier,
    QuadraticDiscriminantAnalysis,
    load_iris,
    make_mixture_pair,
)

IRIS = load_iris()
TWO = GaussianMixture(2, random_state=0)


def what_we_do_otherwise(estimator) -> dict[str, str]:
    """Checks of scikit-learn that must not pass, and why."""
    same = "a class, or a cluster in it, is one sample repeated, and has no density"
    names = "weights_shape", "weights_not_overwritten", "weight_equivalence_on_dense_data"
    return {f"check_sample_{name}": same for name in names}


# Two components with covariances of their own collapse on the ten samples per class that most checks have.
CHECKED = [
    MixtureClassifier(GaussianMixture(1)),
    MixtureClassifier(GaussianMixture(2, "spherical", shared=True, random_state=0)),
]


@parametrize_with_checks(CHECKED, expected_failed_checks=what_we_do_otherwise)
def test_scikit_learns_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("priors", [None, "equal", [0.2, 0.5, 0.3]])
def test_one_component_is_quadratic_discriminant_analysis(priors):
    weights = np.random.default_rng(0).uniform(1, 2, size=150)
    ours = MixtureClassifier(GaussianMixture(1), priors).fit(IRIS.X, IRIS.y, weights)
    theirs = QuadraticDiscriminantAnalysis(priors=priors, ddof=0).fit(IRIS.X, IRIS.y, weights)
    np.testing.assert_allclose(ours.joint_log_likelihood(IRIS.X), theirs.joint_log_likelihood(IRIS.X), rtol=1e-10)
    np.testing.assert_array_equal(ours.predict(IRIS.X), theirs.predict(IRIS.X))


def test_each_class_has_the_mixture_of_its_own_samples():
    mixture = GaussianMixture(2, "diagonal", n_init=2, random_state=0)
    fitted = MixtureClassifier(mixture).fit(IRIS.X, IRIS.y)
    for k, label in enumerate(fitted.classes_):
        alone = clone(mixture).fit(IRIS.X[label == IRIS.y])
        joint = np.log(1 / 3) + alone.score_samples(IRIS.X)
        np.testing.assert_allclose(fitted.joint_log_likelihood(IRIS.X)[:, k], joint, rtol=1e-12)


@pytest.mark.parametrize("problem", ["P3a", "P3b"])
def test_mixtures_on_a_line_come_close_to_the_bayes_error(problem):
    """From 2000 samples per class, within 0.005; one Gaussian per class fails where the components alternate."""
    train, test = (make_mixture_pair(problem, n, np.random.default_rng(n)) for n in (2000, 100_000))
    mixtures = MixtureClassifier(TWO).fit(train.X, train.y)
    assert 1 - mixtures.score(test.X, test.y) == pytest.approx(test.bayes_error, abs=0.005)
    if problem == "P3b":
        assert 1 - GaussianNB().fit(train.X, train.y).score(test.X, test.y) > test.bayes_error + 0.15


def test_the_class_that_cannot_be_fitted_is_named():
    X = np.where((IRIS.y == "virginica")[:, None], IRIS.X[140], IRIS.X)
    with pytest.raises(ValueError, match=r"class 'virginica': columns 0, 1, 2, 3.*do not vary in these 50 samples"):
        MixtureClassifier(TWO).fit(X, IRIS.y)
    few = [*range(9), *range(60, 110)]
    with pytest.raises(CollapsedComponentError, match=r"component . of class 'setosa' collapsed"):
        MixtureClassifier(TWO).fit(IRIS.X[few], IRIS.y[few])


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (IRIS.X[:50], IRIS.y[:50], "one class only: 'setosa'"),
        (np.where(IRIS.X == 4.6, np.inf, IRIS.X), IRIS.y, r"X\[3, 0\] is inf"),
        (IRIS.X, IRIS.X[:, 0], "continuous"),
    ],
)
def test_errors_of_fit_say_what_is_wrong(X, y, message):
    with pytest.raises(ValueError, match=message):
        MixtureClassifier().fit(X, y)
