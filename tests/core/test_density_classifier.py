"""Any density per class: mixtures (one component is QDA), kernel estimates, and a class of a student's own."""

import pickle

import numpy as np
import pytest
from family import Laplace, refusals
from sklearn.base import clone
from sklearn.neighbors import KernelDensity

from bayeslab import (
    CollapsedComponentError,
    DensityClassifier,
    Exponential,
    Gaussian,
    GaussianMixture,
    QuadraticDiscriminantAnalysis,
    load_iris,
)

IRIS = load_iris()


class Plain:
    """A density without scikit-learn and without weights: uniform on the box that holds the samples."""

    def fit(self, X):
        self.low, self.high = X.min(axis=0), X.max(axis=0)

    def score_samples(self, X):
        inside = ((self.low <= X) & (self.high >= X)).all(axis=1)
        return np.where(inside, -np.log(self.high - self.low).sum(), -np.inf)


@pytest.mark.parametrize("priors", [None, "equal", [0.2, 0.5, 0.3]])
def test_one_component_is_quadratic_discriminant_analysis(priors):
    weights = np.random.default_rng(0).uniform(1, 2, size=150)
    ours = DensityClassifier(GaussianMixture(1), priors).fit(IRIS.X, IRIS.y, weights)
    theirs = QuadraticDiscriminantAnalysis(priors=priors, ddof=0).fit(IRIS.X, IRIS.y, weights)
    np.testing.assert_allclose(ours.joint_log_likelihood(IRIS.X), theirs.joint_log_likelihood(IRIS.X), rtol=1e-10)
    np.testing.assert_array_equal(ours.predict(IRIS.X), theirs.predict(IRIS.X))


@pytest.mark.parametrize(
    "density", [GaussianMixture(2, "diagonal", n_init=2, random_state=0), KernelDensity(bandwidth=0.3)], ids=str
)
def test_each_class_has_the_density_of_its_own_samples(density):
    fitted = DensityClassifier(density).fit(IRIS.X, IRIS.y, np.ones(150))
    alone = [clone(density).fit(IRIS.X[label == IRIS.y]).score_samples(IRIS.X) for label in fitted.classes_]
    np.testing.assert_allclose(fitted.joint_log_likelihood(IRIS.X), np.log(1 / 3) + np.transpose(alone), rtol=1e-12)


def fit(density):
    return lambda: DensityClassifier(density).fit(IRIS.X, IRIS.y)


test_other_objects_are_refused_with_a_hint = refusals(
    (fit(Exponential()), r"score_samples, not Exponential\(\); NaiveBayes takes this one, for single columns$"),
    (fit(Exponential), r"not <class .*Exponential'>; is it a class, without the \(\) that make an object\?$"),
    (fit(Gaussian(0, 1)), "the classifier with a Gaussian per class is QuadraticDiscriminantAnalysis"),
    (fit("gaussian"), "density must be an object with the methods fit and score_samples, not 'gaussian'$"),
)


@pytest.mark.parametrize("Failure", [KeyError, RuntimeError, CollapsedComponentError])
def test_any_error_of_a_density_gets_a_note_of_its_class_that_survives_a_worker_process(Failure):
    class Failing(Plain):
        def fit(self, X):
            raise Failure(*"abc"[: 3 if Failure is CollapsedComponentError else 1])

    with pytest.raises(Failure) as caught:
        DensityClassifier(Failing()).fit(IRIS.X, IRIS.y)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert error.__notes__ == ["This happened in the fit of the density of class 'setosa'."]
        assert str(error) == str(caught.value)


def test_a_density_may_be_a_plain_class_and_have_a_support():
    fitted = DensityClassifier(Plain()).fit([[0.0], [2], [1], [5]], ["a", "a", "b", "b"])
    np.testing.assert_allclose(fitted.predict_proba([[0.5], [1.5], [4]]), [[1, 0], [2 / 3, 1 / 3], [0, 1]])
    assert fitted.density.__dict__ == {}  # copies were fitted
    with pytest.warns(UserWarning, match=r"density above 0 at \[9.0\] \(and 1 more rows\)"):
        found = fitted.predict_proba([[9.0], [0.5], [-1]])
    np.testing.assert_allclose(found, [[0.5, 0.5], [1, 0], [0.5, 0.5]])


@pytest.mark.parametrize("density", [GaussianMixture(1), GaussianMixture(2, prior_samples=1, random_state=0)], ids=str)
def test_a_row_that_one_class_cannot_reach_is_left_to_the_others(density):
    """Its squared distance from the narrow class, about 1e320, is infinite."""
    X = np.random.default_rng(0).normal(size=(80, 1)) * np.repeat([1e-100, 1], 40)[:, None]
    fitted = DensityClassifier(density, "equal").fit(X, np.repeat(["narrow", "wide"], 40))
    np.testing.assert_allclose(fitted.predict_proba([[1e60], [1e-100]]), [[0, 1], [1, 0]], atol=1e-90)
    with pytest.warns(UserWarning, match=r"density above 0 at \[1e\+200\] .* the priors alone decide"):
        np.testing.assert_allclose(fitted.predict_proba([[1e60], [1e200]]), [[0, 1], [0.5, 0.5]])


def test_weights_that_a_density_does_not_take_are_refused():
    with pytest.raises(ValueError, match=r"Plain\.fit takes no sample_weight"):
        DensityClassifier(Plain()).fit(IRIS.X, IRIS.y, np.ones(150))


def test_a_density_cannot_change_the_callers_data():
    class Careless(Laplace):
        def score_samples(self, X):
            X -= 1
            return super().score_samples(X)

    fitted, X = DensityClassifier(Careless()).fit(IRIS.X, IRIS.y), IRIS.X.copy()
    with pytest.raises(ValueError, match="read-only"):
        fitted.predict(X)
    np.testing.assert_array_equal(X, IRIS.X)


def test_missing_values_are_refused_even_if_the_density_would_take_them():
    class Blind(Plain):
        def score_samples(self, X):
            return np.zeros(len(X))

    fitted = DensityClassifier(Blind()).fit(IRIS.X, IRIS.y)
    with pytest.raises(ValueError, match=r"X\[1, 2\] is nan"):
        fitted.predict(np.where(np.arange(8).reshape(2, 4) == 6, np.nan, 5.0))
