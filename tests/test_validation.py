"""Splits into a training and a test part."""

import numpy as np
import pytest

from bayeslab import first_half_split, load_iris, random_split

IRIS = load_iris()


def assert_partition(n, X_train, X_test, y_train, y_test):
    """Rows are numbered; every one is in one part, and its label came along."""
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


def test_the_first_half_of_the_sorted_file_has_an_empty_class():
    with pytest.raises(ValueError, match="class 'virginica' is empty: none of its rows is among the 75 training rows"):
        first_half_split(IRIS.X, IRIS.y)


@pytest.mark.parametrize("stratify", [False, True])
def test_a_random_split_is_a_partition_and_depends_on_the_seed_alone(stratify):
    rows = np.arange(40)[:, None]
    parts = random_split(rows, rows.ravel() % 2, np.random.default_rng(1), 0.3, stratify)
    again = random_split(rows, rows.ravel() % 2, np.random.default_rng(1), 0.3, stratify)
    other = random_split(rows, rows.ravel() % 2, np.random.default_rng(2), 0.3, stratify)
    assert_partition(40, *parts)
    assert len(parts[0]) == 12
    np.testing.assert_array_equal(parts[0], again[0])
    assert parts[0].tolist() != other[0].tolist()
    if stratify:
        assert np.unique(parts[2], return_counts=True)[1].tolist() == [6, 6]


def test_every_row_is_as_likely_to_train():
    rng, rows = np.random.default_rng(3), np.arange(10)[:, None]
    counts = sum(np.isin(rows, random_split(rows, np.zeros(10), rng)[0]).ravel() for _ in range(2000))
    np.testing.assert_allclose(counts / 2000, 0.5, atol=0.05)


def test_the_share_is_rounded_up_without_rounding_noise():
    rows = np.arange(100)[:, None]
    assert len(random_split(rows, np.zeros(100), np.random.default_rng(0), 0.07)[0]) == 7


@pytest.mark.parametrize("size", [0, 1, -0.2, 1.5])
def test_the_training_share_must_leave_both_parts(size):
    with pytest.raises(ValueError, match="between 0 and 1"):
        random_split(IRIS.X, IRIS.y, np.random.default_rng(0), size)


def test_lengths_must_match():
    with pytest.raises(ValueError, match="X has 10 rows, but y has 150 labels"):
        first_half_split(IRIS.X[:10], IRIS.y)


def test_a_split_leaves_both_parts():
    with pytest.raises(ValueError, match="nothing is left to test on"):
        first_half_split([[1]], [0])
    with pytest.raises(ValueError, match="all 60 rows are training rows"):
        random_split(np.zeros((60, 1)), np.zeros(60), np.random.default_rng(0), 0.999)
    assert len(random_split(np.zeros((7, 1)), np.zeros(7), np.random.default_rng(0))[0]) == 4


def test_a_seed_is_no_generator():
    with pytest.raises(TypeError, match="not 0"):
        random_split(IRIS.X, IRIS.y, 0)
