"""Learning in pieces is one fit, taking away is a fit without, so is leaving one out; and nothing stale remains."""

from functools import cached_property

import numpy as np
import pandas as pd
import pytest
from family import FAMILY, assert_same, refusals, state
from sklearn.base import clone

from bayeslab import (
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    load_iris,
)
from bayeslab.covariance_kinds import INTENSITIES

IRIS = load_iris()


def test_merging_unites_the_classes():
    halves = [IRIS.y != "virginica", IRIS.y == "virginica"]
    first = GaussianNB().fit(IRIS.X[halves[0]], IRIS.y[halves[0]])
    last = GaussianNB().partial_fit(IRIS.X[halves[1]], IRIS.y[halves[1]])
    assert_same(first.merge(last), GaussianNB().fit(IRIS.X, IRIS.y))


def test_removals_leave_a_constant_column_constant_up_to_rounding():
    """Of outliers of any size, one in each class: the means then differ in their last digits."""
    rng = np.random.default_rng(9)
    for value, outliers in zip(rng.normal(size=20), rng.normal(size=(20, 3)), strict=True):
        X = np.column_stack([IRIS.X, np.full(150, value)])
        fitted = GaussianNB().partial_fit(X, IRIS.y)
        gone = np.column_stack([IRIS.X[::50], outliers])
        fitted.partial_fit(gone, IRIS.y[::50]).remove(gone, IRIS.y[::50])
        with pytest.warns(UserWarning, match="never vary: columns 4"):
            assert fitted.varies_.tolist() == [True] * 4 + [False]


@pytest.mark.parametrize("shared", [False, True])
def test_a_class_not_seen_yet(shared):
    """A stream may begin without it; a prediction may not."""
    classifier = GaussianClassifier(shared=shared)
    classifier.partial_fit(IRIS.X[:100], IRIS.y[:100], classes=IRIS.class_names)
    with pytest.raises(ValueError, match="class 'virginica' is empty"):
        classifier.predict(IRIS.X)
    assert_same(
        classifier.partial_fit(IRIS.X[100:], IRIS.y[100:]), GaussianClassifier(shared=shared).fit(IRIS.X, IRIS.y)
    )


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.bool_])
def test_labels_of_any_width(dtype):
    """The difference of two small integers may need a larger one."""
    info = (False, True) if dtype is np.bool_ else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    y = np.where(np.arange(400) % 3 == 0, *np.array(info, dtype))
    X = np.random.default_rng(6).normal(size=(400, 1)) + 3 * (y == info[0])[:, None]
    fitted = GaussianNB().fit(X, y)
    assert fitted.classes_.tolist() == sorted(info)
    assert fitted.classes_.dtype == dtype
    assert fitted.score(X, y) > 0.9
    np.testing.assert_allclose(fitted.means_[:, 0], [X[y == label].mean() for label in sorted(info)])


FLAT_SETOSA = np.where((IRIS.y == "setosa")[:, None], 5.0, IRIS.X)
NAMED = pd.DataFrame(IRIS.X, columns=list("abcd"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: c.fit(IRIS.X * np.nan, IRIS.y), r"X\[0, 0\] is nan"),
        (lambda c: c.fit(FLAT_SETOSA, IRIS.y), "class 'setosa'"),
        (lambda c: c.fit(IRIS.X, IRIS.y, sample_weight=-np.ones(150)), r"weights\[0\] is -1"),
        (lambda c: c.fit(IRIS.X, IRIS.y, IRIS.y != "setosa"), "class 'setosa' is empty: no sample of it has a weight"),
        (
            lambda c: c.fit(IRIS.X, IRIS.y, np.full(150, 1.7e308)),
            "sum of the weights overflows: divide all of them by the largest",
        ),
        (lambda c: c.partial_fit([[1, 2, 3, 4]], ["daisy"]), "y holds 'daisy', but the classes are"),
        (lambda c: c.partial_fit([[1, 2, 3]], ["setosa"]), "3 features, but GaussianNB is expecting 4"),
        (lambda c: c.partial_fit(IRIS.X, IRIS.y, classes=["a"]), r"classes is \['a'\], but the classes are"),
        (lambda c: c.partial_fit([[1e200] * 4], ["setosa"]), "squares of column 0 are too large"),
        (lambda c: c.remove(IRIS.X, IRIS.y), "cannot remove a weight of 50 from the 50 of class 'setosa'"),
        (lambda c: c.remove(IRIS.X[:2], ["setosa", "daisy"]), "y holds 'daisy'"),
        (lambda c: c.remove(100 + 9 * IRIS.X[:9], IRIS.y[:9]), "never added: column 0 varies more in them"),
        (lambda c: c.merge(GaussianNB().fit(IRIS.X[:, :2], IRIS.y)), "another number of features: 4 and 2"),
        (lambda c: c.merge(GaussianNB().fit(NAMED, IRIS.y)), "another feature names"),
        (lambda c: c.merge(GaussianNB(ddof=0).fit(IRIS.X, IRIS.y)), "another hyperparameters"),
        (lambda c: c.merge(GaussianNB().fit(IRIS.X, np.arange(150) % 2)), "labels"),
        (lambda c: c.merge(QuadraticDiscriminantAnalysis().fit(IRIS.X, IRIS.y)), "another type: GaussianNB and Quad"),
    ],
)
def test_what_fails_says_what_is_wrong_and_changes_nothing(call, message):
    classifier = GaussianNB().fit(IRIS.X, IRIS.y)
    before = state(classifier)
    with pytest.raises(ValueError, match=message):
        call(classifier)
    assert state(classifier) == before


test_what_is_not_fitted_says_so = refusals(
    (lambda: GaussianNB().remove(IRIS.X, IRIS.y), "is not fitted yet"),
    (lambda: GaussianNB().merge(GaussianNB().fit(IRIS.X, IRIS.y)), "is not fitted yet"),
    (lambda: GaussianNB().fit(IRIS.X, IRIS.y).merge(GaussianNB()), "is not fitted yet"),
    (lambda: GaussianNB().with_priors("equal"), "is not fitted yet"),
)


def test_a_piece_may_weigh_nothing_and_a_stream_may_predict_between_pieces():
    streamed = LinearDiscriminantAnalysis().partial_fit(IRIS.X, IRIS.y, sample_weight=np.zeros(150))
    np.testing.assert_array_equal(streamed.priors_, 0)
    for rows in np.split(np.random.default_rng(8).permutation(150), 3):
        streamed.partial_fit(IRIS.X[rows], IRIS.y[rows], classes=IRIS.class_names)
        streamed.partial_fit(IRIS.X[rows], IRIS.y[rows], sample_weight=np.zeros(50))
        assert streamed.score(IRIS.X, IRIS.y) > 0.9
    assert_same(streamed, LinearDiscriminantAnalysis().fit(IRIS.X, IRIS.y))


def test_a_stream_of_variances_cannot_become_one_of_covariances():
    stream = GaussianClassifier("diagonal").partial_fit(IRIS.X, IRIS.y)
    before = stream.predict_log_proba(IRIS.X)
    with pytest.raises(ValueError, match=r"only the variances of the .* were kept: start again with fit"):
        stream.set_params(covariance="full").partial_fit(IRIS.X, IRIS.y)
    np.testing.assert_array_equal(stream.predict_log_proba(IRIS.X), before)


@pytest.mark.parametrize("rule", [name for name, each in INTENSITIES.items() if each.needs_samples])
def test_what_needs_all_data_has_no_partial_fit(rule):
    estimator = GaussianNB(shrinkage=rule)
    for learns_on in (estimator.fit(IRIS.X, IRIS.y), clone(estimator)):
        assert not any(hasattr(learns_on, name) for name in ("partial_fit", "remove", "merge"))
    with pytest.raises(AttributeError) as caught:
        estimator.partial_fit(IRIS.X, IRIS.y)
    assert f"shrinkage='{rule}' needs all samples at once: use fit" in str(caught.value.__cause__)
    estimator.fit(IRIS.X, IRIS.y).set_params(shrinkage=0.1)
    assert not any(hasattr(estimator, name) for name in ("remove", "merge"))  # of what was fitted to all data
    estimator.partial_fit(IRIS.X, IRIS.y).remove(IRIS.X, IRIS.y)  # of all, half are left
    assert_same(estimator, GaussianNB(shrinkage=0.1).fit(IRIS.X, IRIS.y))


@pytest.mark.parametrize("rule", [name for name, each in INTENSITIES.items() if not each.needs_samples])
@pytest.mark.parametrize("covariance", ["full", "diagonal"])
@pytest.mark.parametrize("shared", [False, True])
def test_a_rule_for_shrinkage_that_needs_only_moments_learns_in_pieces(rule, covariance, shared):
    order, weights = np.random.default_rng(2).permutation(150), np.random.default_rng(3).integers(0, 3, 150)
    new, gone = GaussianClassifier(covariance, shared, shrinkage=rule), order[:20]
    merged = clone(new).fit(IRIS.X, IRIS.y, weights)
    parts = [clone(new).partial_fit(IRIS.X[rows], IRIS.y[rows], IRIS.class_names) for rows in np.split(order, 3)]
    streamed = parts[0].merge(parts[1]).merge(parts[2]).partial_fit(IRIS.X, IRIS.y, sample_weight=weights)
    streamed.remove(IRIS.X, IRIS.y).remove(IRIS.X[gone], IRIS.y[gone], weights[gone])
    weights[gone] = 0
    whole = clone(new).fit(IRIS.X, IRIS.y, weights)
    np.testing.assert_allclose(streamed.shrinkage_, whole.shrinkage_, rtol=1e-10)
    assert_same(streamed, whole, tolerance=1e-11)
    assert (merged.shrinkage_ != whole.shrinkage_).any() or (whole.shrinkage_ == 1).all()
    # A stream that began with covariances may go on with variances.
    stream = GaussianClassifier(shared=shared, shrinkage=rule).partial_fit(IRIS.X, IRIS.y)
    stream.set_params(covariance="diagonal").partial_fit(IRIS.X, IRIS.y)
    expected = GaussianClassifier("diagonal", shared, shrinkage=rule).fit(np.tile(IRIS.X, (2, 1)), np.tile(IRIS.y, 2))
    np.testing.assert_allclose(stream.shrinkage_, expected.shrinkage_, rtol=1e-10)


@pytest.mark.parametrize("labels", [["a", None], ["a", 1], [None, "b"], np.array(["a", 1], dtype=object)], ids=str)
def test_labels_of_mixed_kind_are_refused_in_a_sentence(labels):
    stream, X = GaussianNB().partial_fit([[1.0], [2], [3], [5]], ["a", "a", "b", "b"]), [[1.0], [2.0]]
    for change in (stream.partial_fit, stream.remove):
        with pytest.raises(ValueError, match=r"labels must be of one kind|y holds '1'|a label is missing"):
            change(X, labels)
    with pytest.raises(ValueError, match="labels must be of one kind"):
        GaussianNB().partial_fit(X, ["a", "a"], classes=labels)


@pytest.mark.parametrize("estimator", FAMILY[:2], ids=lambda e: type(e).__name__)
def test_leaving_out_the_one_that_made_the_variation(estimator):
    """What is left of a column would be the rounding errors of what was taken: it must be summed anew."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(40, 2)), np.repeat([0, 1], 20)
    X[3, 1], X[30, 0] = 1e7, -1e9
    others = ~np.eye(40, dtype=bool)
    expected = [clone(estimator).fit(X[rows], y[rows]).predict_log_proba(X[~rows])[0] for rows in others]
    np.testing.assert_allclose(estimator.leave_one_out_log_proba(X, y), expected, rtol=1e-8, atol=1e-8)


def test_leaving_one_out_counts_samples_not_weights():
    """Two samples of weight ½ are two samples; three of which two weigh nothing are one."""
    X, y = np.array([[0.0], [1.0], [2.0], [4.0], [5.0], [7.0]]), np.repeat([0, 1], 3)
    classifier = GaussianNB(ddof=0)
    light = classifier.leave_one_out_log_proba(X, y, np.full(6, 0.25))
    np.testing.assert_allclose(light, classifier.leave_one_out_log_proba(X, y))
    # Weights whose mean passes 1 when one is left out: the divisor is then another.
    classifier, others = QuadraticDiscriminantAnalysis(), ~np.eye(6, dtype=bool)
    for weights in (np.tile([0.7, 1.6, 0.7], 2), np.tile([0.1, 1.2, 1.2], 2)):
        expected = [classifier.fit(X[r], y[r], weights[r]).predict_log_proba(X[~r])[0] for r in others]
        np.testing.assert_allclose(classifier.leave_one_out_log_proba(X, y, weights), expected)
    with pytest.raises(ValueError, match="class 1 is empty without its only sample"):
        GaussianClassifier("diagonal", shared=True).leave_one_out_log_proba(X, y, [1, 1, 1, 0, 5, 0])


@pytest.mark.parametrize("heavy", [1e12, 1e30])
def test_leaving_out_nearly_all_of_the_weight(heavy):
    """Of the weight that is left, a difference of two large ones, few digits would be right."""
    rng = np.random.default_rng(6)
    X, y, weights = rng.normal(size=(20, 2)), np.repeat([0, 1], 10), np.full(20, 0.3)
    X[3], weights[3] = X[4] + 1e-3, heavy
    found = QuadraticDiscriminantAnalysis().leave_one_out_log_proba(X, y, weights)
    others = np.arange(20) != 3
    fitted = QuadraticDiscriminantAnalysis().fit(X[others], y[others], weights[others])
    np.testing.assert_allclose(found[3], fitted.predict_log_proba(X[[3]])[0], rtol=1e-11)


@pytest.mark.parametrize(
    "changed",
    [
        {"shared": True},
        {"covariance": "diagonal"},
        {"ddof": 0},
        {"priors": "equal"},
        {"shrinkage": 0.5},
        *({"shrinkage": rule} for rule in INTENSITIES),
        {"singular": "pseudo"},
    ],
    ids=str,
)
def test_a_changed_hyperparameter_takes_effect_at_the_next_fit_or_partial_fit(changed):
    first, rest = slice(0, 110), slice(110, 150)
    for learn in ("fit", "partial_fit"):
        classifier, expected = GaussianClassifier(), GaussianClassifier(**changed)
        before = getattr(classifier, learn)(IRIS.X, IRIS.y).predict_log_proba(IRIS.X)
        classifier.set_params(**changed)
        np.testing.assert_array_equal(classifier.predict_log_proba(IRIS.X), before)
        if hasattr(expected, "partial_fit"):
            removed = classifier.remove(IRIS.X[rest], IRIS.y[rest])
            assert_same(removed, GaussianClassifier().fit(IRIS.X[first], IRIS.y[first]), tolerance=1e-11)
            removed.partial_fit(IRIS.X[rest], IRIS.y[rest])
            assert_same(removed, expected.fit(IRIS.X, IRIS.y), tolerance=1e-11)
        assert_same(classifier.fit(IRIS.X[first], IRIS.y[first]), expected.fit(IRIS.X[first], IRIS.y[first]))


def test_what_a_subclass_has_cached_does_not_go_stale():
    class Caching(GaussianNB):
        @cached_property
        def n_seen(self):
            return sum(each.weight for each in self.moments_)

        @cached_property
        def rarest(self):
            return self.classes_[self.priors_.argmin()]

    caching = Caching(priors=[0.2, 0.3, 0.5]).fit(IRIS.X, IRIS.y)
    assert (caching.rarest, caching.with_priors([0.4, 0.5, 0.1]).rarest) == ("setosa", "virginica")
    assert caching.n_seen == 150
    assert caching.remove(IRIS.X[:7], IRIS.y[:7]).n_seen == 143
    assert caching.partial_fit(IRIS.X[:9], IRIS.y[:9]).n_seen == 152


def test_other_priors_stay_when_samples_come_or_go():
    shifted = GaussianNB().fit(IRIS.X, IRIS.y).with_priors([0.5, 0.2, 0.3])
    assert shifted.remove(IRIS.X[:9], IRIS.y[:9]).priors_.tolist() == [0.5, 0.2, 0.3]
    assert shifted.partial_fit(IRIS.X[:5], IRIS.y[:5]).priors_.tolist() == [0.5, 0.2, 0.3]
