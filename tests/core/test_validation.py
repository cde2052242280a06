"""Cross-validation, its standard error and learning curves, against scikit-learn, closed forms and simulation."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from family import refusals
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from bayeslab import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    SingularCovarianceError,
    accuracy_summary,
    cross_validate,
    k_fold,
    learning_curve,
    load_iris,
    shuffle_splits,
    two_class,
)

IRIS = load_iris()
PAIR = two_class(IRIS.X, IRIS.y, "versicolor", "virginica")
NAIVE, FULL = GaussianNB(), QuadraticDiscriminantAnalysis()
SPLITS = {
    "folds": k_fold(IRIS.y, 4, np.random.default_rng(0)),
    "stratified, repeated": k_fold(IRIS.y, 4, np.random.default_rng(0), stratify=True, n_repeats=2),
    "one out": k_fold(IRIS.y, 150),
    "random": shuffle_splits(IRIS.y, 3, np.random.default_rng(0), 0.7),
    "KFold": KFold(4, shuffle=True, random_state=0),
    "StratifiedKFold": StratifiedKFold(4),
    "RepeatedStratifiedKFold": RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=0),
    "ShuffleSplit": ShuffleSplit(3, random_state=0),
}


@pytest.mark.parametrize(
    ("classifier", "splits"),
    [*((FULL, each) for each in SPLITS.values()), (KNeighborsClassifier(), SPLITS["folds"])],
    ids=[*SPLITS, "another classifier"],
)
def test_the_accuracies_are_those_of_scikit_learn(classifier, splits):
    table = cross_validate(classifier, IRIS.X, IRIS.y, splits)
    np.testing.assert_array_equal(table["accuracy"], cross_val_score(classifier, IRIS.X, IRIS.y, cv=splits))
    np.testing.assert_array_equal(table["errors"], np.round((1 - table["accuracy"]) * table["n_test"]))
    assert (table["n_train"] + table["n_test"] == 150).all()
    assert list(table) == ["repeat", "fold", "n", "n_train", "n_test", "accuracy", "errors"]
    assert not hasattr(classifier, "classes_")


FOLDS, FOUR = SPLITS["folds"], list(range(4))


@pytest.mark.parametrize(
    ("splits", "repeats", "folds"),
    [
        (FOLDS, [0] * 4, FOUR),
        (SPLITS["RepeatedStratifiedKFold"], [0] * 4 + [1] * 4, FOUR + FOUR),
        (SPLITS["random"], [0, 1, 2], [0] * 3),
        (SPLITS["random"] + FOLDS, [0, 1, 2] + [3] * 4, [0] * 3 + FOUR),
        (FOLDS[:2] + FOLDS, [0, 1] + [2] * 4, [0, 0, *FOUR]),
        (FOLDS + FOLDS[:2], [0] * 4 + [1, 2], [*FOUR, 0, 0]),
    ],
    ids=["one repeat", "two repeats", "random", "random, then folds", "broken off", "incomplete"],
)
def test_folds_that_hold_each_row_once_make_a_repeat(splits, repeats, folds):
    table = cross_validate(NAIVE, IRIS.X, IRIS.y, splits)
    assert (table["repeat"].tolist(), table["fold"].tolist()) == (repeats, folds)


def test_several_classifiers_get_the_same_splits():
    anew = ShuffleSplit(5, random_state=np.random.RandomState(0))  # its splits differ from call to call
    table = cross_validate({"naive": NAIVE, "full": FULL, "again": NAIVE}, *PAIR, anew)
    assert table.columns[0] == "classifier"
    parts = dict(list(table.groupby("classifier")["errors"]))
    assert parts["naive"].tolist() == parts["again"].tolist() != parts["full"].tolist()


@pytest.mark.parametrize("splits", [k_fold(IRIS.y, 3), KFold(3)], ids=["ours", "theirs"])
def test_the_sorted_file_in_three_folds_lacks_a_class_each_time(splits):
    expected = "repeat 0, fold 0: class 'setosa' is empty: none of its rows is among the 100 training rows.* stratify"
    with pytest.raises(ValueError, match=expected):
        cross_validate(DummyClassifier(), IRIS.X, IRIS.y, splits)


def test_a_table_keeps_the_names_of_its_columns():
    table = pd.DataFrame(IRIS.X, columns=["a", "b", "c", "d"])
    petals = make_pipeline(make_column_transformer(("passthrough", ["c", "d"])), GaussianNB())
    splits = k_fold(IRIS.y, 5, stratify=True)
    expected = cross_validate(GaussianNB(), IRIS.X[:, 2:], IRIS.y, splits)
    pd.testing.assert_frame_equal(cross_validate(petals, table, IRIS.y, splits), expected)


EVERY_FIFTH = np.arange(150) % 5 == 0
FOUR_ROWS = np.zeros((4, 1))
HALVES = [0, 1], [2, 3]


def validate(*splits, X=IRIS.X, y=IRIS.y):
    return lambda: cross_validate(NAIVE, X, y, list(splits))


test_what_cannot_be_validated_is_named = refusals(
    (lambda: cross_validate(NAIVE, IRIS.X, IRIS.y, 5), r"such as k_fold\(y, 5, rng\), .* not 5"),
    (
        lambda: cross_validate(SimpleNamespace(predict=len), IRIS.X, IRIS.y, FOLDS),
        "a classifier with fit and predict, .* is needed, not",
    ),
    (validate(), "splits is empty"),
    (validate((~EVERY_FIFTH, EVERY_FIFTH)), "turn a mask into indices"),
    (validate(([0, 60, 120], [1]), ([0, 60, 120], [-1])), r"splits\[1\] has the row -1, but .* 0 to 149"),
    (validate(([0, 60, 120], [1]), ([0, 60, 150], [1])), r"splits\[1\] has the row 150, but .* 0 to 149"),
    (validate(([0, 60, 120], [1]), ([0, 60, 3], [4, 3])), "repeat 1, fold 0: row 3 is in the training and"),
    (validate(*k_fold(IRIS.y, 5), X=IRIS.X[:100]), "X has 100 rows, but y has 150 labels"),
    (validate(HALVES, X=FOUR_ROWS, y=["a", None, "a", "b"]), r"y\[1\] is None: a label is missing"),
    error=(ValueError, TypeError),
)


@pytest.mark.parametrize("classifier", [NAIVE, FULL, LinearDiscriminantAnalysis()], ids=["naive", "full", "LDA"])
def test_as_many_folds_as_rows_leave_one_out(classifier):
    table = cross_validate(classifier, *PAIR, k_fold(PAIR[1], 100))
    decisions = classifier.leave_one_out_log_proba(*PAIR).argmax(axis=1)
    truth = np.unique(PAIR[1], return_inverse=True)[1]
    np.testing.assert_array_equal(table["errors"], decisions != truth)
    error = table["errors"].mean()  # binomial, with n − 1 instead of n
    assert accuracy_summary(table).standard_error == pytest.approx(np.sqrt(error * (1 - error) / 99))


@pytest.mark.parametrize(
    ("n_repeats", "factor", "assumes"),
    [
        (1, 1 / 5, "independent folds, although their training parts overlap"),
        (3, 1 / 15 + 20 / 80, "splits correlated by their share of test rows"),
    ],
)
def test_the_standard_error_of_one_and_of_several_repeats(n_repeats, factor, assumes):
    table = cross_validate(NAIVE, *PAIR, k_fold(PAIR[1], 5, np.random.default_rng(1), n_repeats=n_repeats))
    summary, spread = accuracy_summary(table), np.var(table["accuracy"], ddof=1)
    assert summary[:2] == pytest.approx((table["accuracy"].mean(), np.sqrt(factor * spread)))
    assert repr(summary).endswith(f"(standard error, assuming {assumes})")


def test_the_standard_error_of_splits_of_different_sizes():
    """By hand: s² = 0.02, and 2 + 8 rows are tested for 8 + 2 trained on: √((1/2 + 1) s²)."""
    table = pd.DataFrame({"repeat": [0, 1], "n": 10, "n_train": [8, 2], "n_test": [2, 8], "accuracy": [0.6, 0.8]})
    assert accuracy_summary(table)[:2] == pytest.approx((0.7, np.sqrt(1.5 * 0.02)))


def test_rows_in_neither_part_make_the_mean_more_exact():
    """For a rule that doesn't change, the formula is right: 20 splits of 60 rows, 12 to train on and 15 to test."""
    rng, n, n_test, means, variances = np.random.default_rng(3), 60, 15, [], []
    table = pd.DataFrame({"repeat": range(20), "n": n, "n_train": 12, "n_test": n_test})
    for _ in range(1000):
        right = rng.random(n) < 0.8
        table["accuracy"] = [rng.choice(right, n_test, replace=False).mean() for _ in range(20)]
        mean, error, _ = accuracy_summary(table)
        means.append(mean)
        variances.append(error**2)
    assert np.mean(variances) == pytest.approx(np.var(means), rel=0.15)  # three standard errors of the variance


def test_a_summary_needs_the_number_of_all_rows():
    table = cross_validate(NAIVE, *PAIR, k_fold(PAIR[1], 5, np.random.default_rng(0)))
    with pytest.raises(ValueError, match="with n, the number of all rows"):
        accuracy_summary(table.drop(columns="n"))


def test_a_standard_error_needs_one_classifier_and_two_splits():
    splits = k_fold(PAIR[1], 5, np.random.default_rng(0))
    table = cross_validate({"naive": NAIVE, "full": FULL}, *PAIR, splits)
    with pytest.raises(ValueError, match="several classifiers"):
        accuracy_summary(table)
    alone = accuracy_summary(cross_validate(FULL, *PAIR, splits))
    assert accuracy_summary(table[table["classifier"] == "full"]) == alone
    with pytest.raises(ValueError, match="at least two splits, not 1"):
        accuracy_summary(table[:1])


def test_a_learning_curve_tests_on_the_rest_of_stratified_parts():
    classifiers = {"naive": NAIVE, "full": FULL}
    table = learning_curve(classifiers, IRIS.X, IRIS.y, [30, 0.5], 3, np.random.default_rng(3))
    assert list(table) == ["classifier", "n_train", "repeat", "accuracy"]
    assert table["n_train"].tolist() == [30, 30, 30, 75, 75, 75] * 2
    assert table["repeat"].tolist() == [0, 1, 2] * 4
    rng, rows = np.random.default_rng(3), iter(table[table["classifier"] == "full"]["accuracy"])
    for train_size in (30, 0.5):
        for train, test in shuffle_splits(IRIS.y, 3, rng, train_size, stratify=True):
            fitted = QuadraticDiscriminantAnalysis().fit(IRIS.X[train], IRIS.y[train])
            assert next(rows) == fitted.score(IRIS.X[test], IRIS.y[test])
    alone = learning_curve(NAIVE, IRIS.X, IRIS.y, [30, 0.5], 3, np.random.default_rng(3))
    assert alone["classifier"].unique().tolist() == ["GaussianNB"]
    assert alone["accuracy"].tolist() == table["accuracy"][:6].tolist()


def test_the_accuracy_is_nan_with_too_few_rows_for_a_classifier():
    neighbours = KNeighborsClassifier(7)
    classifiers = {"LDA": LinearDiscriminantAnalysis(), "full": FULL, "neighbours": neighbours}
    table = learning_curve(classifiers, *PAIR, [6, 8, 40], 5, np.random.default_rng(0))
    known = table.groupby(["classifier", "n_train"])["accuracy"].count().unstack()
    assert known.loc["LDA"].tolist() == [5, 5, 5]
    assert known.loc["full"].tolist() == [0, 0, 5]  # four samples of a class span three dimensions
    assert known.loc["neighbours"].tolist() == [0, 5, 5]
    with pytest.raises(SingularCovarianceError, match="4 samples, but a full covariance needs at least 5"):
        learning_curve(FULL, *PAIR, [6, 8], 5, np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"class 'versicolor' is empty.* train on more rows"):
        learning_curve(FULL, *PAIR, [1, 30], 5, np.random.default_rng(0))
