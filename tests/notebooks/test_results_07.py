"""What notebook 07 prints about grades of single rules, computed in another way: by scikit-learn, on new samples."""

import re
from functools import partial

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from stored import printed_by

printed = partial(printed_by, "07")
Y = np.repeat([0, 1], 8)


def draw(rng, n):
    """Draw n samples of each class of problem P1b."""
    one = rng.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], n)
    return np.vstack([one, rng.multivariate_normal([3, 3], [[1, 0], [0, 2]], n)])


def test_grades_of_the_nearest_neighbour():
    """Grade and truth go together, as 400 others do, whose rules are tested on 4000 new samples."""
    rng, rows = np.random.default_rng(0), []
    new = draw(rng, 2000)
    for _ in range(400):
        X = draw(rng, 8)
        rule = KNeighborsClassifier(1).fit(X, Y)
        left_out = Y[rule.kneighbors(return_distance=False)[:, 0]]  # a sample is not its own neighbour
        rows.append((np.mean(left_out == Y), rule.score(new, np.repeat([0, 1], 2000))))
    grade, true = np.transpose(rows)
    lines = printed("nearest neighbour: correlation").splitlines()
    correlation, *means = (float(x) for line in lines for x in re.findall(r"\d\.\d+", line.split(":")[1]))
    # Fisher's z of two correlations over 400 pairs each; means of about 200 and 200.
    assert abs(np.arctanh(correlation) - np.arctanh(np.corrcoef(grade, true)[0, 1])) < 4 * np.sqrt(2 / 397)
    expected = [true[grade <= 0.95].mean(), true[grade > 0.95].mean()]
    assert means == pytest.approx(expected, abs=4 * true.std() * np.sqrt(2 / 150))
    assert means[1] > means[0] + 0.01


def test_single_columns_of_noise_vary_more_than_coins():
    """The accuracy of nearest mean over five folds of 40 rows: its spread over other columns, by their midpoints."""
    rng, labels, means = np.random.default_rng(1), np.arange(40) % 2, []
    for seed in range(40):
        X, right = rng.standard_normal((40, 100)), np.zeros(100)
        for train, test in StratifiedKFold(5, shuffle=True, random_state=seed).split(X, labels):
            zero, one = (X[train][labels[train] == k].mean(axis=0) for k in (0, 1))
            far_right = X[test] > (zero + one) / 2
            right += np.sum((far_right == (one > zero)) == labels[test, None], axis=0)
        means.extend(right / 40)
    spread, coins = map(float, re.findall(r"0\.\d+", printed("spread of columns").splitlines()[-1]))
    assert spread == pytest.approx(np.std(means), abs=0.006)
    assert coins == pytest.approx(np.sqrt(0.25 / 40), abs=0.0006)
    assert spread > 1.1 * coins
