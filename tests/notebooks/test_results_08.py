"""What notebook 08 prints, computed in another way, or as its sources print it."""

import re
from functools import partial
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, shapiro
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from stored import code_cells, printed_by

printed = partial(printed_by, "08")
IRIS = load_iris()
X, y = IRIS.data, IRIS.target
SAMPLES = [(k, j) for k in range(3) for j in range(4)]
NAIVE = GaussianNB(var_smoothing=0)
ROTATED = make_pipeline(PCA(), NAIVE)

# Grishin's Tables 4 to 15: mean, std, max, 75 %, 50 %, 25 %, min; his Table 6, setosa's petal length, is empty.
PRINTED = """5.01 0.35 5.80 5.20 5.00 4.80 4.30
3.43 0.38 4.40 3.68 3.40 3.20 2.30
nan nan nan nan nan nan nan
0.25 0.11 0.60 0.30 0.20 0.20 0.10
5.94 0.52 7.00 6.30 5.90 5.60 4.90
2.77 0.31 3.40 3.00 2.80 2.53 2.00
4.26 0.47 5.10 4.60 4.35 4.00 3.00
1.33 0.20 1.80 1.50 1.30 1.20 1.00
6.59 0.64 7.90 6.90 6.50 6.23 4.90
2.97 0.32 3.80 3.18 3.00 2.80 2.20
5.55 0.55 6.90 5.88 5.55 5.10 4.50
2.03 0.27 2.50 2.30 2.00 1.80 1.40"""


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


def number_after(label, text):
    return numbers(text[re.search(label, text).end() :])[0]


def p_values():
    return np.array([[shapiro(X[y == k, j]).pvalue for j in range(4)] for k in range(3)])


def test_the_table_is_the_printed_one():
    rows = [numbers(line) for line in printed(".describe()").splitlines()]
    ours = np.array([row for row in rows if len(row) == 7])
    theirs = np.array([line.split() for line in PRINTED.splitlines()], dtype=float)
    assert np.sum(~np.isnan(theirs)) == 77
    # 2.525 and 6.225 are rounded up by one, down by the other.
    assert np.nanmax(abs(ours - theirs)) < 0.0101
    for row, (k, j) in zip(ours, SAMPLES, strict=True):
        x = np.sort(X[y == k, j])
        low, high = x[12] + 0.25 * (x[13] - x[12]), x[36] + 0.75 * (x[37] - x[36])
        spread = np.sqrt(np.sum((x - x.sum() / 50) ** 2) / 49)
        right = [x.sum() / 50, spread, x[-1], high, (x[24] + x[25]) / 2, low, x[0]]
        np.testing.assert_allclose(row, right, atol=0.0051)


def test_p_values_are_the_printed_ones():
    theirs = np.array([[0.459, 0.272, 0.055, 0], [0.465, 0.338, 0.158, 0.027], [0.258, 0.181, 0.110, 0.087]])
    np.testing.assert_allclose(p_values(), theirs, atol=0.0006)
    text = printed("by_sample.apply(shapiro_p)")
    ours = [numbers(line) for line in text.splitlines() if re.match("setosa  |versicolor  |virginica  ", line)]
    np.testing.assert_allclose(ours, p_values(), rtol=0.05)
    assert "our flowers: 4 of 12" in printed("by chance")


def test_rejections_by_chance():
    uniform = np.random.default_rng(0).uniform(size=(100_000, 12)) < 0.1
    text = printed("by chance")
    assert number_after("by chance: ", text) == pytest.approx(uniform.sum(axis=1).mean(), abs=0.06)
    assert number_after("at least one: ", text) == pytest.approx(uniform.any(axis=1).mean(), abs=0.01)
    assert sum(comb(12, i) * 0.1**i * 0.9 ** (12 - i) for i in range(1, 13)) == pytest.approx(0.72, abs=0.005)


def closed_testing(p, level):
    """A hypothesis is rejected if Bonferroni rejects every set that holds it: by definition, Holm's rule."""
    subsets = [rows for size in range(1, len(p) + 1) for rows in combinations(range(len(p)), size)]
    kept = set()
    for rows in subsets:
        if min(p[i] for i in rows) > level / len(rows):
            kept.update(rows)
    return sorted(set(range(len(p))) - kept)


def holm_of_the_notebook():
    namespace = {"np": np}
    exec(next(cell.source for cell in code_cells("08") if cell.source.startswith("def holm(")), namespace)
    return namespace["holm"]


def test_holm_is_closed_testing():
    holm, rng = holm_of_the_notebook(), np.random.default_rng(0)
    assert closed_testing(p_values().ravel(), 0.1) == [3] == holm(pd.Series(p_values().ravel()), 0.1).tolist()
    for _ in range(100):
        p = rng.uniform(size=6) ** 3
        assert sorted(holm(pd.Series(p), 0.1)) == closed_testing(p, 0.1)
    assert sorted(holm(pd.Series([0.001, 0.002]), 0.1)) == [0, 1]
    assert holm(pd.Series([0.3, 0.2]), 0.1).tolist() == []


def test_w_is_nearly_a_squared_correlation():
    for line, k in zip(printed("W, p = shapiro(x)").splitlines(), range(3), strict=True):
        x = np.sort(X[y == k, 3])
        # Expected order statistics of a normal sample, by simulation.
        expected = np.sort(np.random.default_rng(k).normal(size=(20_000, 50))).mean(axis=0)
        W, r2, p = numbers(line)
        assert shapiro(x)[:] == pytest.approx((W, p), rel=0.05)
        assert r2 == pytest.approx(np.corrcoef(expected, x)[0, 1] ** 2, abs=0.01)


def test_rounding_explains_three_of_four_rejections():
    rng, n_rejected, by_ruler = np.random.default_rng(1), 0, {}
    for k, j in SAMPLES:
        x = X[y == k, j]
        drawn = np.rint(rng.normal(x.mean(), x.std(ddof=1), (400, 50)) * 10) / 10
        p = np.array([shapiro(row).pvalue for row in drawn])
        n_rejected += np.mean(p < 0.1)
        by_ruler[k, j] = np.mean(p <= shapiro(x).pvalue)
    text = printed("p with ruler")
    assert number_after("rounded normal flowers: ", text) == pytest.approx(n_rejected, abs=0.3)
    assert by_ruler.pop((0, 3)) < 0.01
    assert min(by_ruler.values()) > 0.1
    ours = [numbers(line) for line in text.splitlines() if re.search(r"(length|width) +\d", line)]
    assert [row[-1] < 0.1 for row in ours] == [False, True, False, False]  # setosa's length, width, then the others'


def test_setosa_leaves_the_band():
    """D² of setosa leaves the band of normal samples in more places than the two others, as few normal samples do."""
    q, outside = chi2.ppf((np.arange(50) + 0.5) / 50, 4), []
    rng = np.random.default_rng(3)

    def distances(rows):
        z = np.linalg.solve(np.linalg.cholesky(np.cov(rows.T)), (rows - rows.mean(axis=0)).T)
        return np.sort(np.sum(z**2, axis=0))

    normal = np.array([distances(rng.normal(size=(50, 4))) for _ in range(1000)])
    low, high = np.quantile(normal, [0.025, 0.975], axis=0)
    for k in range(3):
        D2 = distances(X[y == k])
        outside.append(np.sum((low > D2) | (high < D2)))
        assert np.corrcoef(q, D2)[0, 1] > 0.95
    assert outside[0] >= 5
    assert max(outside[1:]) <= 4
    worst, share = (number_after(label, printed("as_bad =")) for label in ("samples with ", "outside: "))
    as_bad = np.mean(np.sum((low > normal) | (high < normal), axis=1) >= worst)
    assert share / 100 == pytest.approx(as_bad, abs=0.06)


def test_most_normal_lines_leave_the_band():
    normal = np.sort(np.random.default_rng(4).normal(size=(4000, 50)))
    normal = (normal - normal.mean(axis=1, keepdims=True)) / normal.std(axis=1, ddof=1, keepdims=True)
    low, high = np.quantile(normal, [0.025, 0.975], axis=0)
    share = np.mean(np.any((normal < low) | (normal > high), axis=1))
    assert numbers(printed("leaves.mean()"))[0] / 100 == pytest.approx(share, abs=0.08)
