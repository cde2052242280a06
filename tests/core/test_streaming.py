"""Learning in pieces leads to the parameters of one fit, and taking data away to those of a fit without them."""

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from family import FAMILY, assert_same, state
from hypothesis import given
from sklearn.base import clone

from bayeslab import (
    GaussianClassifier,
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    load_iris,
)

IRIS = load_iris()


def ill_conditioned(rng, n=90, d=4, condition=1e6):
    """Three classes whose covariance has this condition number, far from the origin."""
    Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
    y = rng.permutation(np.repeat(["a", "b", "c"], n // 3))
    X = rng.normal(size=(n, d)) * np.geomspace(1, condition**-0.5, d) @ Q + 100 * rng.normal(size=d)
    return X + 0.5 * (y == "b")[:, None], y


@pytest.mark.parametrize("estimator", FAMILY, ids=lambda e: type(e).__name__)
@given(seed=st.integers(0, 2**32 - 1), cuts=st.lists(st.integers(1, 89), min_size=1, max_size=9, unique=True))
def test_any_blocks_in_any_order_are_one_fit(estimator, seed, cuts):
    rng = np.random.default_rng(seed)
    X, y = ill_conditioned(rng)
    whole = clone(estimator).fit(X, y)
    blocks = np.split(rng.permutation(90), sorted(cuts))
    streamed = clone(estimator)
    for rows in blocks:
        streamed.partial_fit(X[rows], y[rows], classes=["a", "b", "c"])
    assert_same(streamed, whole)
    np.testing.assert_allclose(streamed.decision_function(X), whole.decision_function(X), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("estimator", FAMILY, ids=lambda e: type(e).__name__)
def test_merging_and_removing(estimator):
    X, y = ill_conditioned(np.random.default_rng(1))
    first, rest = slice(0, 50), slice(50, 90)
    whole, part = clone(estimator).fit(X, y), clone(estimator).fit(X[first], y[first])
    assert_same(clone(estimator).fit(X[rest], y[rest]).merge(part), whole)
    assert_same(whole.remove(X[rest], y[rest]), part, tolerance=1e-10)


def test_merging_unites_the_classes():
    halves = [IRIS.y != "virginica", IRIS.y == "virginica"]
    first = GaussianNB().fit(IRIS.X[halves[0]], IRIS.y[halves[0]])
    last = GaussianNB().partial_fit(IRIS.X[halves[1]], IRIS.y[halves[1]])
    assert_same(first.merge(last), GaussianNB().fit(IRIS.X, IRIS.y))


@pytest.mark.parametrize("estimator", FAMILY, ids=lambda e: type(e).__name__)
@given(seed=st.integers(0, 2**32 - 1), ddof=st.sampled_from([0, 1]))
def test_a_weight_is_a_repetition(estimator, seed, ddof):
    counts = np.random.default_rng(seed).integers(0, 4, 150)
    repeated = np.repeat(np.arange(150), counts)
    estimator = clone(estimator).set_params(ddof=ddof)
    weighted = clone(estimator).fit(IRIS.X, IRIS.y, sample_weight=counts)
    assert_same(weighted, estimator.fit(IRIS.X[repeated], IRIS.y[repeated]))


def test_a_removal_leaves_no_variation_where_there_was_none():
    X, y = np.column_stack([IRIS.X, np.full(150, 0.1)]), IRIS.y
    X[7, 4] = 3.0
    fitted = GaussianNB().partial_fit(X, y)
    others = np.arange(150) != 7
    with pytest.warns(UserWarning, match="never vary: columns 4"):
        left = fitted.remove(X[[7]], y[[7]]).predict_log_proba(X)
    np.testing.assert_allclose(left, GaussianNB().fit(IRIS.X[others], y[others]).predict_log_proba(IRIS.X), atol=1e-9)


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


@pytest.mark.parametrize(
    "call",
    [
        lambda c: c.fit(IRIS.X * np.nan, IRIS.y),
        lambda c: c.partial_fit(IRIS.X[:2], ["setosa", "daisy"], classes=["setosa", "virginica"]),
        lambda c: c.remove(IRIS.X[:2], ["setosa", "daisy"]),
        lambda c: c.merge(GaussianNB(ddof=0).fit(IRIS.X, IRIS.y)),
        lambda c: c.merge(GaussianNB().fit(IRIS.X, np.arange(150) % 2)),
    ],
)
def test_what_fails_changes_nothing(call):
    for classifier in (GaussianNB(), fitted()):
        before = state(classifier)
        with pytest.raises(ValueError):  # noqa: PT011 - what it says is tested elsewhere
            call(classifier)
        assert state(classifier) == before


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


def test_columns_in_one_piece_give_the_same():
    X = np.random.default_rng(7).normal(size=(3000, 40))
    y = np.arange(3000) % 2
    ours = QuadraticDiscriminantAnalysis()
    assert_same(clone(ours).fit(np.asfortranarray(X), y), clone(ours).fit(X, y))


def test_predicting_in_the_middle_of_a_stream():
    streamed = LinearDiscriminantAnalysis()
    for rows in np.array_split(np.random.default_rng(4).permutation(150), 3):
        streamed.partial_fit(IRIS.X[rows], IRIS.y[rows])
        assert streamed.score(IRIS.X, IRIS.y) > 0.9
    assert_same(streamed, LinearDiscriminantAnalysis().fit(IRIS.X, IRIS.y))


def fitted():
    return GaussianNB().fit(IRIS.X, IRIS.y)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fitted().partial_fit([[1, 2, 3, 4]], ["daisy"]), "y holds 'daisy', but the classes are"),
        (lambda: fitted().partial_fit([[1, 2, 3]], ["setosa"]), "3 features, but GaussianNB is expecting 4"),
        (lambda: fitted().remove(IRIS.X, IRIS.y), "cannot remove a weight of 50 from the 50 of class 'setosa'"),
        (lambda: fitted().merge(GaussianNB().fit(IRIS.X[:, :2], IRIS.y)), "another number of features: 4 and 2"),
        (
            lambda: fitted().merge(QuadraticDiscriminantAnalysis().fit(IRIS.X, IRIS.y)),
            "another type: GaussianNB and Quad",
        ),
        (lambda: GaussianNB().fit(IRIS.X, IRIS.y, sample_weight=-np.ones(150)), r"weights\[0\] is -1"),
        (lambda: fitted().partial_fit(IRIS.X, IRIS.y, classes=["a"]), r"classes is \['a'\], but the classes are"),
        (lambda: fitted().remove(100 + 9 * IRIS.X[:9], IRIS.y[:9]), "never added: column 0 varies more in them"),
        (lambda: GaussianNB().with_priors("equal"), "is not fitted yet"),
        (
            lambda: GaussianNB().partial_fit(IRIS.X[:60], IRIS.y[:60], classes=IRIS.class_names).predict(IRIS.X),
            "class 'virginica' is empty",
        ),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_piece_may_weigh_nothing():
    streamed = GaussianNB()
    for rows in np.split(np.random.default_rng(8).permutation(150), 3):
        streamed.partial_fit(IRIS.X[rows], IRIS.y[rows], classes=IRIS.class_names)
        streamed.partial_fit(IRIS.X[rows], IRIS.y[rows], sample_weight=np.zeros(50))
    assert_same(streamed, GaussianNB().fit(IRIS.X, IRIS.y))


def test_the_first_piece_may_weigh_nothing_too():
    streamed = GaussianNB().partial_fit(IRIS.X, IRIS.y, sample_weight=np.zeros(150))
    np.testing.assert_array_equal(streamed.priors_, 0)
    assert_same(streamed.partial_fit(IRIS.X, IRIS.y), GaussianNB().fit(IRIS.X, IRIS.y))


def test_merging_minds_the_names_of_the_columns():
    one, other = (GaussianNB().fit(pd.DataFrame(IRIS.X, columns=list(names)), IRIS.y) for names in ("abcd", "abdc"))
    with pytest.raises(ValueError, match="another feature names"):
        one.merge(other)


def test_merging_takes_equal_priors_in_any_form():
    one, other = (
        GaussianNB(priors=priors).fit(IRIS.X, IRIS.y) for priors in ([0.2, 0.3, 0.5], np.array([0.2, 0.3, 0.5]))
    )
    assert one.merge(other).moments_[0].weight == 100


def test_a_stream_of_variances_cannot_become_one_of_covariances():
    stream = GaussianClassifier("diagonal").partial_fit(IRIS.X, IRIS.y)
    before = stream.predict_log_proba(IRIS.X)
    with pytest.raises(ValueError, match=r"only the variances of the .* were kept: start again with fit"):
        stream.set_params(covariance="full").partial_fit(IRIS.X, IRIS.y)
    np.testing.assert_array_equal(stream.predict_log_proba(IRIS.X), before)


def test_what_needs_all_data_has_no_partial_fit():
    estimator = GaussianNB(shrinkage="ledoit_wolf")
    assert not hasattr(estimator, "partial_fit")
    with pytest.raises(AttributeError) as caught:
        estimator.partial_fit(IRIS.X, IRIS.y)
    assert "needs all data at once" in str(caught.value.__cause__)


def test_a_row_that_weighs_nothing_is_not_there():
    X, weights = np.vstack([IRIS.X, [1e200] * 4]), np.append(np.ones(150), 0)
    fitted = GaussianNB().fit(X, np.append(IRIS.y, "setosa"), weights)
    assert_same(fitted, GaussianNB().fit(IRIS.X, IRIS.y))


def test_a_piece_that_overflows_with_what_was_there_is_named():
    stream = GaussianNB().fit(IRIS.X, IRIS.y)
    before = state(stream)
    with pytest.raises(ValueError, match="squares of column 0 are too large"):
        stream.partial_fit([[1e200] * 4], ["setosa"])
    assert state(stream) == before


@pytest.mark.parametrize("labels", [["a", None], ["a", 1], [None, "b"], np.array(["a", 1], dtype=object)], ids=str)
def test_labels_of_mixed_kind_are_refused_in_a_sentence(labels):
    stream, X = GaussianNB().partial_fit([[1.0], [2], [3], [5]], ["a", "a", "b", "b"]), [[1.0], [2.0]]
    for change in (stream.partial_fit, stream.remove):
        with pytest.raises(ValueError, match=r"labels must be of one kind|y holds '1'"):
            change(X, labels)
    with pytest.raises(ValueError, match="labels must be of one kind"):
        GaussianNB().partial_fit(X, ["a", "a"], classes=labels)
