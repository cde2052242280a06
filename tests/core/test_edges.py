"""What is given in an odd form is right or named, errors are the same wherever they are met, and none fills a page."""

import pickle

import numpy as np
import pandas as pd
import pytest
from family import Laplace, refusals

from bayeslab import (
    DensityClassifier,
    Exponential,
    Gaussian,
    GaussianMixture,
    GaussianNB,
    LinearDiscriminantAnalysis,
    Moments,
    NaiveBayes,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    SingularCovarianceError,
    TrueClassifier,
    load_iris,
)
from bayeslab._base.failures import all_or_nothing
from bayeslab.classifier import BayesClassifier

IRIS = load_iris()
NAMES = IRIS.class_names
FULL = [Moments.of(IRIS.X[name == IRIS.y]) for name in NAMES]
SHORT = [Moments.of(IRIS.X[name == IRIS.y], diagonal=True) for name in NAMES]
QDA = QuadraticDiscriminantAnalysis


@pytest.mark.parametrize("Classifier", [QDA, LinearDiscriminantAnalysis, GaussianNB])
def test_a_classifier_of_moments_is_one_fitted_to_their_samples(Classifier):
    order = [2, 0, 1]
    known = Classifier.of_moments([FULL[k] for k in order], [NAMES[k] for k in order])
    fitted = Classifier().fit(IRIS.X, IRIS.y)
    np.testing.assert_allclose(known.predict_log_proba(IRIS.X), fitted.predict_log_proba(IRIS.X), atol=1e-10)
    twice = Classifier().fit(np.vstack([IRIS.X, IRIS.X]), np.tile(IRIS.y, 2))
    np.testing.assert_allclose(known.merge(fitted).covariance_, twice.covariance_, rtol=1e-10)


test_moments_that_make_no_classifier_are_named = refusals(
    (lambda: QDA.of_moments(FULL, NAMES[:2]), "3 moments and the classes"),
    (lambda: QDA.of_moments(FULL, [*NAMES[:2], NAMES[0]]), "at least two different classes are needed"),
    (lambda: QDA.of_moments([], []), "0 moments"),
    (lambda: QDA.of_moments(SHORT, NAMES), r"covariance='full' needs scatters of one shape, \(d, d\) for full"),
    (lambda: QDA.of_moments([*FULL[:2], Moments.of(IRIS.X[:, :2])], NAMES), r"not \[\(2, 2\), \(4, 4\)\]"),
    (lambda: QDA.of_moments(FULL, NAMES, shrinkage="ledoit_wolf"), "needs all samples at once"),
    error=(ValueError, AttributeError),
)


def test_merging_with_what_stores_labels_otherwise():
    merged = QDA().fit(IRIS.X, IRIS.y).merge(QDA().fit(IRIS.X, IRIS.y.astype(object)))
    assert [each.weight for each in merged.moments_] == [100] * 3
    stored = GaussianNB.of_moments(FULL, NAMES).merge(GaussianNB().fit(IRIS.X, IRIS.y))
    assert stored.predict(IRIS.X).tolist() == GaussianNB().fit(IRIS.X, IRIS.y).predict(IRIS.X).tolist()


def test_information_criteria_count_the_parameters_of_the_fit():
    mixture = GaussianMixture(2, random_state=0).fit(IRIS.X)
    before = mixture.bic(IRIS.X)
    mixture.set_params(covariance="spherical", shared=True)
    assert mixture.bic(IRIS.X) == before


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda X: np.zeros(X.shape), r"not \(150, 4\); did it sum over the rows, or forget to sum over the columns"),
        (lambda X: 0.0, r"not \(\)"),
        (lambda X: np.full(len(X), np.inf), "must return a number or -inf, not inf, at"),
        (lambda X: np.where(X[:, 0] > 7, np.nan, 0), r"of class 'setosa' must return .*, not nan, at \[7.1"),
    ],
)
def test_what_a_density_may_return(answer, message):
    class Density(Laplace):
        def score_samples(self, X):
            return answer(X)

    with pytest.raises(ValueError, match=message):
        DensityClassifier(Density()).fit(IRIS.X, IRIS.y).predict(IRIS.X)


def test_a_classifier_without_the_hook_says_what_it_lacks():
    class Unfinished(BayesClassifier):
        priors = None

        def fit(self, X, y):
            self._start_fit(X, y)
            return self

    with pytest.raises(NotImplementedError, match=r"Unfinished must have a method _terms\(X\)"):
        Unfinished().fit(IRIS.X, IRIS.y).predict(IRIS.X)


def test_a_true_classifier_takes_its_priors_when_it_is_fitted():
    truth = TrueClassifier([Gaussian(0, 1), Gaussian(2, 1)], ["a", "b"]).set_params(priors=[0.9, 0.1])
    assert truth.fit(None, None).priors_.tolist() == [0.9, 0.1]


WIDE = np.random.default_rng(0).normal(size=(40, 60))
Y = np.arange(40) % 2


def test_a_singular_covariance_of_many_columns_fills_no_page():
    message = r"columns 0, 1, 2, … \(60 in all\), or a combin.*\. Rem"
    with pytest.raises(SingularCovarianceError, match=message) as caught:
        QuadraticDiscriminantAnalysis().fit(WIDE, Y)
    assert caught.value.columns == list(range(60))
    assert len(str(caught.value)) < 500
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.columns) == (str(caught.value), caught.value.columns)
    named = pd.DataFrame(WIDE).add_prefix("pixel ")
    with pytest.raises(SingularCovarianceError, match=r"columns 'pixel 0', 'pixel 1', 'pixel 2', … \(60 in all\)"):
        QuadraticDiscriminantAnalysis().fit(named, Y)
    for n, told in ((16, "0, 1, 2, 3, .*, 14, 15, or"), (17, r"0, 1, 2, … \(17 in all\), or")):
        with pytest.raises(SingularCovarianceError, match=f"columns {told}"):
            Gaussian(np.zeros(n + 1), np.diag([0.0] * n + [1]))


def test_nor_does_a_warning():
    with pytest.warns(UserWarning, match=r"left out, since they never vary: columns 5, 6, 7, … \(55 in all\)"):
        NearestMean().fit(WIDE * (np.arange(60) < 5), Y)
    rule = NaiveBayes(Exponential()).fit(np.abs(WIDE), Y)
    text = r"at \[-1.0, -1.0, -1.0, … \(60 in all\)\], where column 0 is -1, column 1 is -1, column 2 is -1, … \(60 "
    with pytest.warns(UserWarning, match=text):
        rule.predict(-np.ones((1, 60)))


def test_a_subclass_that_overrides_the_hook_has_the_say():
    class Tempered(QDA):
        def _scores(self, X, log_priors, complete=False):
            return 0.01 * super()._scores(X, log_priors, complete)

    fitted = Tempered().fit(IRIS.X, IRIS.y)
    joint = np.exp(fitted.joint_log_likelihood(IRIS.X))
    np.testing.assert_allclose(fitted.predict_proba(IRIS.X), joint / joint.sum(axis=1, keepdims=True))


def test_a_fit_of_ones_own_forgets_what_was_learned_before():
    class Own(GaussianNB):
        @all_or_nothing
        def fit(self, X, y):
            self._settings = self._read_settings()
            self.statistics_ = self._statistics_of(*self._start_fit(X, y))
            return self

    rule = Own().fit(IRIS.X, IRIS.y)
    rule.predict(IRIS.X)
    np.testing.assert_array_equal(rule.fit(X=2 * IRIS.X, y=IRIS.y).gaussians_[0].mean, rule.means_[0])


def test_a_subclass_may_answer_with_other_labels():
    class Named(QDA):
        def predict(self, X):
            return np.array(NAMES)[super().predict(X)]

    codes = np.searchsorted(NAMES, IRIS.y)
    assert Named().fit(IRIS.X, codes).score(IRIS.X, IRIS.y) == QDA().fit(IRIS.X, IRIS.y).score(IRIS.X, IRIS.y)


def test_a_method_is_called_without_its_object():
    assert QDA.fit(self=QDA(), X=IRIS.X, y=IRIS.y).score(IRIS.X, IRIS.y) > 0.9
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        QDA.fit()
