"""Splits into a training part and a test part: one, several at random, and folds."""

import numpy as np
import pandas as pd
import pytest
from family import refusals
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold

from bayeslab import first_half_split, k_fold, load_iris, random_split, shuffle_splits

IRIS, RNG = load_iris(), np.random.default_rng(0)


def assert_partition(n, X_train, X_test, y_train, y_test):
    """Check that each numbered row is in exactly one part, together with its label."""
    assert sorted([*X_train.ravel(), *X_test.ravel()]) == list(range(n))
    np.testing.assert_array_equal(X_train.ravel() % 2, y_train)
    np.testing.assert_array_equal(X_test.ravel() % 2, y_test)


@pytest.mark.parametrize("n", [6, 7])
def test_the_first_half_is_rounded_up_and_in_file_order(n):
    rows = np.arange(n)[:, None]
    parts = first_half_split(rows, rows.ravel() % 2)
    assert parts[0].ravel().tolist() == list(range((n + 1) // 2))
    assert_partition(n, *parts)


def test_halves_within_each_class():
    X_train, _, y_train, y_test = first_half_split(IRIS.X, IRIS.y, within_class=True)
    np.testing.assert_array_equal(X_train, IRIS.X[np.arange(150) % 50 < 25])
    for part in (y_train, y_test):
        assert np.unique(part, return_counts=True)[1].tolist() == [25, 25, 25]


@pytest.mark.parametrize(("n", "share", "n_train"), [(100, 0.07, 7), (7, 0.5, 4), (5, 1e-12, 1)])
def test_the_share_is_rounded_up_without_rounding_noise(n, share, n_train):
    [(train, test)] = shuffle_splits(np.zeros(n), 1, np.random.default_rng(0), share)
    assert (len(train), len(test)) == (n_train, n - n_train)


@pytest.mark.parametrize("stratify", [False, True])
def test_a_random_split_is_the_first_of_several_and_depends_on_the_seed(stratify):
    rows, y = np.arange(30)[:, None], np.arange(30) % 3
    train, test = shuffle_splits(y, 4, np.random.default_rng(5), 0.4, stratify)[0]
    parts = random_split(rows, y, np.random.default_rng(5), 0.4, stratify)
    for part, expected in zip(parts, (rows[train], rows[test], y[train], y[test]), strict=True):
        np.testing.assert_array_equal(part, expected)
    other = random_split(rows, y, np.random.default_rng(6), 0.4, stratify)
    assert parts[0].tolist() != other[0].tolist()


CLASSES = st.lists(st.sampled_from("abc"), min_size=4, max_size=60).map(np.array)


@given(CLASSES, st.booleans(), st.data())
def test_random_splits_have_the_size_asked_for_and_keep_the_shares(y, stratify, data):
    n_train = data.draw(st.integers(1, len(y) - 1))
    splits = shuffle_splits(y, 3, np.random.default_rng(0), n_train, stratify)
    assert len(splits) == 3
    for train, test in splits:
        assert len(train) == n_train
        assert sorted([*train, *test]) == list(range(len(y)))
        for label in np.unique(y) if stratify else ():
            assert abs((y[train] == label).sum() - n_train * (y == label).mean()) < 1


@given(CLASSES, st.booleans(), st.booleans(), st.data())
def test_folds_are_partitions_of_equal_size_and_equal_shares(y, stratify, shuffle, data):
    smallest = np.unique(y, return_counts=True)[1].min() if stratify else len(y)
    n_folds = data.draw(st.integers(2, max(2, smallest)))
    n_repeats = 3 if shuffle else 1
    rng = np.random.default_rng(0) if shuffle else None
    if smallest < 2:
        with pytest.raises(ValueError, match="has 1 of the rows, too few for 2 folds; take fewer folds"):
            k_fold(y, n_folds, rng, stratify, n_repeats)
        return
    splits = k_fold(y, n_folds, rng, stratify, n_repeats)
    assert len(splits) == n_repeats * n_folds
    for start in range(0, len(splits), n_folds):
        repeat = splits[start : start + n_folds]
        assert sorted(np.concatenate([test for _, test in repeat])) == list(range(len(y)))
        assert all(sorted([*train, *test]) == list(range(len(y))) for train, test in repeat)
        assert np.ptp([len(test) for _, test in repeat]) <= 1
        if stratify:
            counts = [[(y[test] == label).sum() for label in np.unique(y)] for _, test in repeat]
            assert (np.ptp(counts, axis=0) <= 1).all()


@pytest.mark.parametrize("n_folds", [2, 7, 150])
def test_without_a_generator_the_folds_are_those_of_scikit_learn(n_folds):
    for ours, theirs in zip(k_fold(IRIS.y, n_folds), KFold(n_folds).split(IRIS.X), strict=True):
        np.testing.assert_array_equal(ours[0], theirs[0])
        np.testing.assert_array_equal(ours[1], theirs[1])


def test_repeats_are_shuffled_anew_and_depend_on_the_seed_alone():
    splits, again = (k_fold(IRIS.y, 5, np.random.default_rng(4), n_repeats=2) for _ in range(2))
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(splits, again, strict=True))
    assert not any(np.array_equal(a[1], b[1]) for a, b in zip(splits[:5], splits[5:], strict=True))


def test_every_pair_of_rows_is_equally_likely_to_share_a_fold():
    rng, together = np.random.default_rng(5), np.zeros((6, 6))
    for _, test in k_fold(np.zeros(6), 2, rng, n_repeats=2000):
        together[np.ix_(test, test)] += 1 / 2000
    np.testing.assert_allclose(together[~np.eye(6, dtype=bool)], 2 / 5, atol=0.05)


MIXED = np.array(["a", 1, "a", 1], dtype=object)
ORDER = "labels must be of one kind that has an order, but y mixes int, str"


test_what_cannot_be_cut_is_named = refusals(
    (lambda: first_half_split(IRIS.X, IRIS.y), "class 'virginica' is empty: none of .* among the 75 training rows"),
    (lambda: first_half_split(IRIS.X[:10], IRIS.y), "X has 10 rows, but y has 150 labels"),
    (lambda: first_half_split([[1]], [0]), "nothing is left to test on"),
    (lambda: first_half_split(np.zeros((4, 1)), MIXED), ORDER),
    (lambda: random_split(IRIS.X, IRIS.y, RNG, 2), "is empty: none .* among the 2 training rows of 150.*larger"),
    (lambda: random_split(np.zeros((60, 1)), np.zeros(60), RNG, 0.999), "all 60 rows are training rows"),
    (lambda: random_split(IRIS.X, IRIS.y, RNG, 0.0), "train_size must be between .*, not 0"),
    (lambda: random_split(IRIS.X, IRIS.y, RNG, 1.0), "train_size must be between .*, not 1"),
    (lambda: random_split(IRIS.X, IRIS.y, RNG, 0), "train_size must be between .*, not 0"),
    (lambda: random_split(IRIS.X, IRIS.y, RNG, 150), "train_size must be between .*, not 150"),
    (lambda: k_fold(IRIS.y, 1), "n_folds must be a whole number from 2 to the number of rows, 150, not 1"),
    (lambda: k_fold(IRIS.y, 151), "not 151"),
    (lambda: k_fold(IRIS.y, 51, stratify=True), "class 'setosa' has 50 of the rows, too few for 51 folds"),
    (lambda: k_fold(IRIS.y, 5, n_repeats=3), "without rng, all 3 repeats are the same"),
    (lambda: k_fold(MIXED, 2, stratify=True), ORDER),
    (lambda: k_fold([0, 1, 0], 2, RNG, n_repeats=0), "n_repeats must be a whole number, 1 or more, not 0"),
    (lambda: shuffle_splits([0, 1, 0], 1.5, RNG), "n_splits must be a whole number, 1 or more, not 1.5"),
    (lambda: random_split(IRIS.X, IRIS.y, 0), "not 0"),  # a seed is not a generator
    (lambda: k_fold(IRIS.y, 5, 7), "not 7"),
    (lambda: k_fold([], 2), r"one label per row, shape \(n,\), but has shape \(0,\)"),
    (lambda: k_fold([[0], [1]], 2), r"one label per row, shape \(n,\), but has shape \(2, 1\)"),
    (lambda: k_fold([0.0, np.nan, 1.0], 2), r"y\[1\] is nan: a label is missing"),
    (lambda: shuffle_splits(["a", None, "b"], 1, RNG), r"y\[1\] is None: a label is missing"),
    error=(ValueError, TypeError),
)


def test_a_table_is_split_into_tables():
    table, y = pd.DataFrame({"a": range(8), "b": range(8)}, index=list("stuvwxyz")), np.arange(8) % 2
    train, test, *_ = random_split(table, y, np.random.default_rng(0), stratify=True)
    assert sorted([*train.index, *test.index]) == list(table.index)
    first, rest, *_ = first_half_split(table, y)
    assert first.equals(table.iloc[:4])
    assert rest.equals(table.iloc[4:])
