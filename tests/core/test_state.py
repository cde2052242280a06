"""What an estimator remembers: hyperparameters of its last fit, nothing stale, nothing half-done."""

import pickle
from functools import cached_property

import numpy as np
import pytest
from family import assert_same, state

from bayeslab import (
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    load_iris,
)

IRIS = load_iris()


@pytest.mark.parametrize(
    "changed",
    [
        {"shared": True},
        {"covariance": "diagonal"},
        {"ddof": 0},
        {"priors": "equal"},
        {"shrinkage": 0.5},
        {"shrinkage": "ledoit_wolf"},
        {"singular": "pseudo"},
    ],
    ids=str,
)
def test_a_changed_hyperparameter_takes_effect_at_the_next_fit_or_partial_fit(changed):
    first, rest = slice(0, 110), slice(110, 150)
    for learn in ("fit", "partial_fit"):
        classifier = GaussianClassifier()
        before = getattr(classifier, learn)(IRIS.X, IRIS.y).predict_log_proba(IRIS.X)
        classifier.set_params(**changed)
        np.testing.assert_array_equal(classifier.predict_log_proba(IRIS.X), before)
        if changed["shrinkage"] != "ledoit_wolf" if "shrinkage" in changed else True:
            removed = classifier.remove(IRIS.X[rest], IRIS.y[rest])
            assert_same(removed, GaussianClassifier().fit(IRIS.X[first], IRIS.y[first]), tolerance=1e-11)
            expected = GaussianClassifier(**changed).fit(IRIS.X, IRIS.y)
            assert_same(removed.partial_fit(IRIS.X[rest], IRIS.y[rest]), expected, tolerance=1e-11)
        assert_same(
            classifier.fit(IRIS.X[first], IRIS.y[first]),
            GaussianClassifier(**changed).fit(IRIS.X[first], IRIS.y[first]),
        )


def test_what_a_subclass_has_cached_does_not_go_stale():
    class Caching(GaussianNB):
        @cached_property
        def n_seen(self):
            return sum(each.weight for each in self.moments_)

    caching = Caching().fit(IRIS.X, IRIS.y)
    assert caching.n_seen == 150
    assert caching.remove(IRIS.X[:7], IRIS.y[:7]).n_seen == 143
    assert caching.partial_fit(IRIS.X[:9], IRIS.y[:9]).n_seen == 152


def test_a_merge_that_fails_changes_nothing():
    """Priors for two classes do not fit three."""
    two = IRIS.y != "setosa"
    ours, theirs = (
        GaussianNB(priors=[0.3, 0.7]).fit(IRIS.X[rows], IRIS.y[rows]) for rows in (two, IRIS.y != "virginica")
    )
    before = state(ours)
    with pytest.raises(ValueError, match="y holds 3 classes"):
        ours.merge(theirs)
    assert state(ours) == before


def test_other_priors_stay_when_samples_go():
    shifted = GaussianNB().fit(IRIS.X, IRIS.y).with_priors([0.5, 0.2, 0.3])
    assert shifted.remove(IRIS.X[:9], IRIS.y[:9]).priors_.tolist() == [0.5, 0.2, 0.3]


def test_other_priors_leave_no_cache_of_a_subclass():
    class Caching(GaussianNB):
        @cached_property
        def rarest(self):
            return self.classes_[self.priors_.argmin()]

    caching = Caching(priors=[0.2, 0.3, 0.5]).fit(IRIS.X, IRIS.y)
    assert caching.rarest == "setosa"
    assert caching.with_priors([0.4, 0.5, 0.1]).rarest == "virginica"


def test_leaving_one_out_in_a_subclass_with_a_cache():
    class Caching(GaussianNB):
        @cached_property
        def shift(self):
            return self.means_[:, 0].sum()

        def fit(self, X, y):
            super().fit(X, y)
            _ = self.shift
            return self

        def _joint(self, X):
            return super()._joint(X) * self.shift

    X, y = IRIS.X[::5], IRIS.y[::5]
    keep = ~np.eye(30, dtype=bool)
    refitted = [Caching().fit(X[rows], y[rows]).predict_log_proba(X[~rows])[0] for rows in keep]
    np.testing.assert_allclose(Caching().leave_one_out_log_proba(X, y), refitted, rtol=1e-9, atol=1e-9)


def test_what_was_fitted_to_all_data_at_once_does_not_forget():
    fitted = GaussianNB(shrinkage="ledoit_wolf").fit(IRIS.X, IRIS.y).set_params(shrinkage=0.1)
    assert not hasattr(fitted, "remove")
    assert not hasattr(fitted, "merge")
    assert_same(
        fitted.partial_fit(IRIS.X, IRIS.y).remove(IRIS.X, IRIS.y), GaussianNB(shrinkage=0.1).fit(IRIS.X, IRIS.y)
    )


@pytest.mark.parametrize(
    "model", [QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis(), GaussianNB(), NearestMean()], ids=str
)
def test_a_classifier_that_has_predicted_can_be_pickled(model):
    """Another process may have to go on with it."""
    fitted = model.fit(IRIS.X, IRIS.y)
    found = fitted.predict_proba(IRIS.X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict_proba(IRIS.X), found)
