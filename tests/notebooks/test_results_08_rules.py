"""What notebook 08 says of rules on 150 flowers: principal components, the claim of a ratio, and the decision."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, multivariate_normal, norm
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from stored import code_cells
from test_results_08 import NAIVE, ROTATED, X, number_after, numbers, printed, y


class ByKernels:
    """Naive Bayes with scikit-learn's kernel densities, of Scott's width, one for each feature and class."""

    def fit(self, X, y):
        self.of_class = []
        for k in range(3):
            columns = X[y == k].T
            widths = columns.std(axis=1, ddof=1) * columns.shape[1] ** -0.2
            pairs = zip(columns, widths, strict=True)
            self.of_class.append([KernelDensity(bandwidth=h).fit(x[:, None]) for x, h in pairs])
        return self

    def score(self, X, y):
        sums = [sum(kde.score_samples(x[:, None]) for kde, x in zip(of, X.T, strict=True)) for of in self.of_class]
        return np.mean(np.argmax(sums, axis=0) == y)


def mean_accuracy(rule, n_repeats=20, seed=100):
    """Return the mean over folds that are not the notebook's."""
    accuracies = []
    for repeat in range(n_repeats):
        for train, test in StratifiedKFold(10, shuffle=True, random_state=seed + repeat).split(X, y):
            fresh = rule() if isinstance(rule, type) else clone(rule)
            accuracies.append(fresh.fit(X[train], y[train]).score(X[test], y[test]))
    return np.mean(accuracies)


def test_shape_matters_little():
    text = printed("bells, exactly normal flowers")
    assert number_after("bells +", text) == pytest.approx(mean_accuracy(NAIVE), abs=0.003)
    logs = make_pipeline(FunctionTransformer(np.log), NAIVE)
    assert number_after("bells of logs +", text) == pytest.approx(mean_accuracy(logs), abs=0.003)
    assert number_after("kernels +", text) == pytest.approx(mean_accuracy(ByKernels, 5), abs=0.005)


def simulated_flowers(n, seed):
    rng = np.random.default_rng(seed)
    moments = [(X[y == k].mean(axis=0), np.cov(X[y == k].T)) for k in range(3)]
    return np.vstack([rng.multivariate_normal(*two, n) for two in moments]), np.repeat(range(3), n), moments


def test_exactly_normal_flowers_are_as_hard():
    means = []
    for seed in range(60):
        flowers, labels, _ = simulated_flowers(50, seed)
        means.append(cross_val_score(NAIVE, flowers, labels, cv=10).mean())
    mean, spread = numbers(printed("exactly normal flowers").splitlines()[-1])
    assert mean == pytest.approx(np.mean(means), abs=0.007)
    assert spread == pytest.approx(np.std(means, ddof=1), abs=0.005)


def test_principal_components_make_it_worse():
    text = printed('rules["PCA"]')
    before, after = number_after("bells +", text), number_after("PCA +", text)
    assert (before, after) == (0.954, 0.927)
    assert before == pytest.approx(mean_accuracy(NAIVE), abs=0.003)
    assert after == pytest.approx(mean_accuracy(ROTATED), abs=0.004)
    assert number_after("difference: ", printed("difference:")) == pytest.approx(after - before, abs=0.0011)


def test_pooled_axes_are_correlated_within_species():
    by_svd = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    Z = by_svd.U * by_svd.S
    np.testing.assert_allclose(np.corrcoef(Z.T), np.eye(4), atol=1e-9)
    shares = by_svd.S**2 / np.sum(by_svd.S**2)
    np.testing.assert_allclose(numbers(printed("share of the scatter")), shares, atol=0.0006)
    text = printed("axes 1 and 2: within") + printed("triu_indices")
    within = sum(49 * np.cov(Z[y == k, :2].T)[0, 1] for k in range(3))
    assert number_after("within ", text) == pytest.approx(abs(within), abs=0.06)
    assert number_after("between ", text) == pytest.approx(-abs(within), abs=0.06)
    r = [np.abs(pd.DataFrame(Z[y == k]).corr()[0][1]) for k in range(3)]
    np.testing.assert_allclose(numbers(text.splitlines()[-1])[-3:], r, atol=0.0051)
    for name, data in (("measurements", X), ("PCA's axes", Z)):
        size = np.abs([pd.DataFrame(data[y == k]).corr().to_numpy()[np.triu_indices(4, 1)] for k in range(3)])
        values = numbers(text[text.index(f"{name}: |r|") :])[:2]
        np.testing.assert_allclose(values, [size.mean(), size.max()], atol=0.0051)


def test_what_each_zero_costs():
    flowers, labels, moments = simulated_flowers(20_000, 5)
    axes = np.linalg.svd(X - X.mean(axis=0)).Vh.T
    within = np.linalg.eigh(sum(Σ for _, Σ in moments))[1]
    pair = np.eye(4)
    pair[0, 1] = pair[1, 0] = 1
    cases = {"measurements": (np.eye(4), np.eye(4)), "PCA's axes  ": (axes, np.eye(4))}
    cases |= {"PCA's axes, one correlation kept": (axes, pair), "eigenvectors of W": (within, np.eye(4))}
    cases["nothing set to zero"] = np.eye(4), np.ones((4, 4))
    for name, (V, kept) in cases.items():
        logs = [multivariate_normal(μ @ V, V.T @ Σ @ V * kept).logpdf(flowers @ V) for μ, Σ in moments]
        error = np.mean(np.argmax(logs, axis=0) != labels)
        assert number_after(name, printed("one correlation kept")) == pytest.approx(error, abs=0.004), name


def test_seed_42_is_the_likely_origin():
    parts = train_test_split(X, y, train_size=0.225, random_state=42, stratify=y)
    right = GaussianNB().fit(parts[0], parts[2]).predict(parts[1]) == parts[3]
    assert (len(right), right.sum()) == (117, 113)
    assert printed("train_test_split(").startswith("seed 42: 33 flowers train, accuracy 0.9658")


def accuracies(total, n, stratify):
    found = []
    for seed in range(n):
        A, B, a, b = train_test_split(X, y, train_size=total, random_state=seed, stratify=stratify)
        found.append(GaussianNB().fit(A, a).score(B, b))
    return np.array(found)


def test_the_band_and_the_claim():
    """Against scikit-learn's splits and classifier; the plain ones against .941 ± .027 and .954 ± .035, of 4000."""
    mean, spread = [numbers(line)[-4:] for line in printed("permutations").splitlines()[-2:]]
    for i, (total, known) in enumerate([(33, (0.941, 0.027)), (120, (0.954, 0.035))]):
        assert (mean[i], spread[i]) == pytest.approx(known, abs=0.003)
        own_mean, own_spread = mean[i + 2], spread[i + 2]
        peer = accuracies(total, 400, y)
        assert (own_mean, own_spread) == pytest.approx((peer.mean(), peer.std(ddof=1)), abs=0.005)
        if total == 33:
            text = printed("as good as seed 42")
            assert number_after("33 flowers: mean ", text) == pytest.approx(peer.mean(), abs=0.004)
            share = np.mean(peer >= 113 / 117 - 1e-9)
            assert number_after("as good as seed 42: ", text) == pytest.approx(100 * share, abs=7)
    none_wrong = np.mean(accuracies(135, 400, y) == 1)
    assert number_after("no error in ", printed("no error in")) == pytest.approx(100 * none_wrong, abs=9)


def test_the_largest_ratio_is_named_most_often():
    rows = [numbers(line) for line in printed("idxmax().value_counts").split("as best:")[1].strip().splitlines()]
    assert [int(size) for size, _ in rows] == [15, 24, 33, 45, 60, 75, 90, 105, 120, 135]
    assert sum(share for _, share in rows) == pytest.approx(1, abs=0.05)
    assert max(rows, key=lambda row: row[1])[0] == 135
    peers = np.array([accuracies(int(size), 120, y) for size, _ in rows])
    named = np.bincount(peers.argmax(axis=0), minlength=10) / 120
    np.testing.assert_allclose(named, [share for _, share in rows], atol=0.14)


def clopper_pearson(wrong, n, level):
    tail = (1 - level) / 2
    return 100 * beta.ppf(tail, wrong, n - wrong + 1), 100 * beta.ppf(1 - tail, wrong + 1, n - wrong)


def test_the_decision():
    lines = printed("would settle it").splitlines()
    cases = [(GaussianNB(), 0.95, 259), (LinearDiscriminantAnalysis(), 0.99, 80)]
    for (first, second), (rule, level, needed) in zip((lines[:2], lines[2:]), cases, strict=True):
        wrong = int(np.sum(cross_val_score(rule, X, y, cv=LeaveOneOut()) == 0))
        low, high = clopper_pearson(wrong, 150, level)
        got = numbers(first)
        assert got[:3] == [wrong, 150, 100 * level]
        assert got[3:] == pytest.approx([low, high, 250 * wrong / 150, 2.5 * high], abs=0.051)
        assert numbers(second) == [needed]
        for n, enough in ((needed - 1, False), (needed, True)):
            e = wrong / 150 * n
            assert (beta.ppf(0.975, e + 1, n - e) < 0.08) == enough


def test_the_report_prints_what_was_found():
    report = " ".join(printed("report = f").split())
    for found in ("150 irises, 50 of each of 3 species", "7 of 150 (95% interval 1.9% to 9.4%)"):
        assert found in report
    for found in (
        "3 of 150 (99% interval 0.2% to 7.1%)",
        "the last of 5 rules",
        "4 rejected normality at 10%, 1 after",
    ):
        assert found in report
    assert number_after("the accuracy of ", report) == 0.954
    assert number_after("components gave ", report) == 0.927
    assert "(difference -0.026 ± 0.017 standard error)" in report
    table = printed("bells, exactly normal flowers")
    bells, logs, kernels = (number_after(f"{name} +", table) for name in ("bells", "bells of logs", "kernels"))
    change = max(abs(logs - bells), abs(kernels - bells))
    assert number_after("at most ", report) == pytest.approx(change, abs=0.0011)


def test_kernels_are_scipys():
    from scipy.stats import gaussian_kde

    namespace = {"np": np, "norm": norm}
    exec(next(cell.source for cell in code_cells("08") if "class Kernels" in cell.source), namespace)
    flowers = X[y == 0]
    expected = sum(gaussian_kde(x).logpdf(x) for x in flowers.T)
    np.testing.assert_allclose(namespace["Kernels"]().fit(flowers).score_samples(flowers), expected)
