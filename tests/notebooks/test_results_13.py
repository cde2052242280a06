"""What notebook 13 prints, computed in another way: singular values, scikit-learn, SciPy's densities."""

import re
from functools import cache, partial

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm
from sklearn.datasets import load_digits, load_iris
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from stored import printed_by

from bayeslab import k_fold, shuffle_splits

printed = partial(printed_by, "13")
NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
X, y = load_digits(return_X_y=True)
DIGITS = range(10)


def numbers(phrase):
    return [float(x) for x in re.findall(NUMBER, printed(phrase))]


def row(phrase, name):
    """Numbers of the row of a printed table, after its name."""
    return [float(x) for x in re.search(rf"^{re.escape(name)}  ?\s*(.*)$", printed(phrase), re.M)[1].split()]


@cache
def halves():
    return shuffle_splits(y, 10, np.random.default_rng(13), stratify=True)


def folds(train):
    inner = k_fold(y[train], 3, np.random.default_rng(13), stratify=True)
    return [(train[a], train[b]) for a, b in inner]


@cache
def nested(errors_of):
    """Errors of all settings in each half, and those of the settings that the inner folds choose."""
    inner = [np.mean([errors_of(*pair) for pair in folds(train)], axis=0) for train, _ in halves()]
    outer = [errors_of(*pair) for pair in halves()]
    return np.array(outer), np.array([o[np.argmin(i)] for o, i in zip(outer, inner, strict=True)])


def singular(rows):
    """Standard deviations along the axes of some rows, those axes in rows, and the mean."""
    mean = rows.mean(axis=0)
    _, s, axes = np.linalg.svd(rows - mean, full_matrices=False)
    return s / np.sqrt(len(rows) - 1), axes, mean


def rank(rows):
    s = singular(rows)[0]
    return int(np.sum(s > 1e-10 * s[0]))


def of_class(rows, k):
    return X[rows[y[rows] == k]]


def decide(joint, test):
    return np.mean(np.argmax(joint, axis=0) != y[test])


def by_peers(make, sizes, train, test):
    axes = PCA(max(sizes), svd_solver="full").fit(X[train])
    A, B = axes.transform(X[train]), axes.transform(X[test])
    return np.array([_error(make(), A[:, :s], y[train], B[:, :s], y[test]) for s in sizes])


def _error(rule, A, y_train, B, y_test):
    try:
        return 1 - rule.fit(A, y_train).score(B, y_test)
    except np.linalg.LinAlgError:  # at 45 axes, in an inner fold
        return 1.0


def log_normal(z, scale):
    """Sum over the columns of ln N(z; 0, scale²): faster than SciPy's, with which it is compared."""
    return -np.square(z / scale).sum(axis=1) / 2 - np.log(scale * np.sqrt(2 * np.pi)).sum()


SIZES = [5, 10, 15, 20, 25, 29, 35, 40, 45]
qda_errors = partial(by_peers, QuadraticDiscriminantAnalysis, SIZES)
naive_axes_errors = partial(by_peers, partial(GaussianNB, var_smoothing=0), [*SIZES, 50])


def pseudo_errors(train, test):
    """By singular values; the notebook takes eigenvalues of the covariance."""
    parts = [(*singular(of_class(train, k)), np.sum(y[train] == k)) for k in DIGITS]
    errors = []
    for ε in 10.0 ** np.array([-10, -8, -6, -5, -4, -3.5, -3, -2.5, -2, -1.5]):
        joint = []
        for s, axes, mean, n in parts:
            kept = s**2 > ε * s[0] ** 2
            z = (X[test] - mean) @ axes[kept].T
            joint.append(np.log(n) + log_normal(z, s[kept]))
        errors.append(decide(joint, test))
    return np.array(errors)


def naive_errors(train, test):
    errors = []
    for smoothing in (1e-9, 1e-6, 1e-3, 1e-2, 0.1):
        added, joint = smoothing * X[train].var(axis=0).max(), []
        for k in DIGITS:
            rows = of_class(train, k)
            scale = np.sqrt(rows.var(axis=0) + added)
            joint.append(np.log(len(rows)) + log_normal(X[test] - rows.mean(axis=0), scale))
        errors.append(decide(joint, test))
    return np.array(errors)


def blended(train, γ, λ):
    """Covariances of RDA in the pixels that vary; λ may be one for each class."""
    varies = np.flatnonzero(np.ptp(X[train], axis=0))
    own = [np.cov(of_class(train, k)[:, varies].T) for k in DIGITS]
    n = np.bincount(y[train]) - 1
    pooled = sum(each * weight for each, weight in zip(own, n, strict=True)) / n.sum()
    target = np.diag(pooled.diagonal())
    λ = np.broadcast_to(λ, 10)
    return varies, [(1 - a) * ((1 - γ) * each + γ * pooled) + a * target for each, a in zip(own, λ, strict=True)]


def rda_error(γ, λ, train, test):
    varies, covariances = blended(train, γ, λ)
    joint = []
    for k, Σ in enumerate(covariances):
        rows = of_class(train, k)[:, varies]
        joint.append(np.log(len(rows)) + multivariate_normal(rows.mean(axis=0), Σ).logpdf(X[test][:, varies]))
    return decide(joint, test)


def intensity(train):
    """Ledoit and Wolf's λ of each class, outer product by outer product, in pooled standard deviations."""
    varies, (*_, pooled) = blended(train, 1, 0)
    result = []
    for k in DIGITS:
        rows = of_class(train, k)[:, varies]
        z = (rows - rows.mean(axis=0)) / np.sqrt(pooled.diagonal())
        S = z.T @ z / len(z)
        noise = sum(np.sum((np.outer(each, each) - S) ** 2) for each in z) / len(z) ** 2
        result.append(min(1, noise / np.sum((S - np.eye(len(S))) ** 2)))
    return result


def test_log_normal():
    z, scale = np.array([[1.0, -2.0, 0.5]]), np.array([2.0, 1.0, 0.1])
    assert log_normal(z, scale) == pytest.approx(norm.logpdf(z, scale=scale).sum(axis=1))


def test_ranks():
    train = halves()[0][0]
    constant = np.array([np.std(of_class(train, k), axis=0) == 0 for k in DIGITS])
    stated = partial(row, 'count["rank"] = ranks')
    assert stated("images") == [np.sum(y[train] == k) for k in DIGITS]
    assert stated("constant pixels") == constant.sum(axis=1).tolist()
    assert stated("64 − constant") == (64 - constant.sum(axis=1)).tolist()
    assert stated("rank") == [rank(of_class(train, k)) for k in DIGITS] == numbers("all_λ =")[:10]
    assert min(stated("rank")) == 47
    assert max(stated("rank")) == 53
    assert f"ranks from all images: {[rank(X[y == k]) for k in DIGITS]}" in printed("ranks from all images")
    always = np.flatnonzero(X.std(axis=0) == 0).tolist()
    assert re.search(r"images: \[(.*)\]", printed('count["rank"] = ranks'))[1] == str(always)[1:-1]


def test_refusal():
    text, train = " ".join(printed("refusal = error").split()), halves()[0][0]
    left_out = np.flatnonzero(X[train].std(axis=0) == 0).tolist()
    assert f"never vary: columns {str(left_out)[1:-1]} Error" in text
    columns = [c for c in np.flatnonzero(of_class(train, 0).std(axis=0) == 0).tolist() if c not in left_out]
    assert f"rank {rank(of_class(train, 0))} of {64 - len(left_out)}, columns {str(columns)[1:-1]}, or" in text


def test_thin_bells():
    for across in (2, 0.2, 0.02, 0.002):
        a, c = (9 + across**2) / 2, (9 - across**2) / 2
        bell = multivariate_normal([8, 8], [[a, c], [c, a]])
        D2 = [8 / 9, (3.2 + 0.8) ** 2 / 2 / 9 + (3.2 - 0.8) ** 2 / 2 / across**2]
        mine = [np.log(9 * across**2), *D2, *bell.logpdf([[10, 10], [11.2, 8.8]])]
        assert row("bells =", f"{across:.3f}") == pytest.approx(mine, abs=0.0051, rel=1e-6)


def test_curve():
    outer, _ = nested(qda_errors)
    stated = partial(row, "trained =")
    assert stated("test")[:-1] == pytest.approx(outer.mean(axis=0), abs=6e-4)
    assert stated("sd")[:-1] == pytest.approx(outer.std(axis=0, ddof=1), abs=6e-4)
    training = np.mean([qda_errors(train, train) for train, _ in halves()], axis=0)
    assert stated("training")[:-1] == pytest.approx(training, abs=6e-4)
    # Figures asked for, over other halves: two standard errors of such a mean are about .01.
    asked = {5: 0.108, 10: 0.035, 20: 0.019, 29: 0.023, 40: 0.031, 50: 0.060}
    assert [dict(zip([*SIZES, 50], stated("test"), strict=True))[s] for s in asked] == pytest.approx(
        list(asked.values()), abs=0.01
    )


def test_beyond_the_wall():
    """At s = 50 by singular values, in pooled standard deviations as the package takes them."""
    errors = []
    for train, test in halves():
        Z = PCA(50, svd_solver="full").fit(X[train]).transform(X)
        within = np.concatenate([Z[train][y[train] == k] - Z[train][y[train] == k].mean(axis=0) for k in DIGITS])
        Z, joint = Z / within.std(axis=0), []
        for k in DIGITS:
            rows = Z[train][y[train] == k]
            s, axes, mean = singular(rows)
            kept = s > 1e-9 * s[0]
            joint.append(np.log(len(rows)) + log_normal((Z[test] - mean) @ axes[kept].T, s[kept]))
        errors.append(decide(joint, test))
    assert row("trained =", "test")[-1] == pytest.approx(np.mean(errors), abs=0.001)
    walls = [min(rank(of_class(train, k)) for k in DIGITS) for train, _ in halves()]
    smallest = min(np.bincount(y[halves()[0][0]]))
    assert numbers("# is accepted") == [*walls, smallest]


def test_confusion_and_peer():
    train, test = halves()[0]
    wrong = [round(len(rows) * qda_errors(train, rows)[3]) for rows in (train, test)]
    assert numbers("plot_confusion(y[rows]") == [wrong[0], len(train), wrong[1], len(test)]


def test_plane():
    train = halves()[0][0]

    def inner(γ, λ):
        return np.mean([rda_error(γ, λ, *pair) for pair in folds(train)])

    text = printed("np.unravel_index")
    least, γ, λ = map(float, re.search(rf"least: ({NUMBER}) at γ = ({NUMBER}), λ = ({NUMBER})", text).groups())
    others = [float(x) for x in re.findall(rf"(?:QDA|LDA|= 1) ({NUMBER})", text)]
    assert [least, *others] == pytest.approx([inner(γ, λ), inner(0, 0.05), inner(1, 0.05), inner(0, 1)], abs=6e-4)
    assert least <= inner(0.25, 0.2) + 5e-4
    assert numbers("by_package = ")[0] == pytest.approx(rda_error(0.25, 0.1, *halves()[0]), abs=6e-5)


def test_regularised():
    """The valley is flat, so that any setting in it has about the error of the chosen ones."""
    valley = np.mean([rda_error(0.25, 0.2, *pair) for pair in halves()])
    assert row('results["RDA"]', "RDA")[0] == pytest.approx(valley, abs=0.004)
    by_formula = np.mean([rda_error(0, intensity(pair[0]), *pair) for pair in halves()])
    assert row('results["RDA"]', "Ledoit–Wolf")[0] == pytest.approx(by_formula, abs=6e-4)
    assert row('results["RDA"]', "PCA, then QDA")[0] == pytest.approx(nested(qda_errors)[1].mean(), abs=6e-4)


def test_trap():
    assert f"A 0, B {495**2}, so A" in printed("D2_A = ")
    found = re.findall(rf"of A ({NUMBER}), of B ({NUMBER})", printed("for unit, factor"))
    line = np.log(2 * np.pi)
    for (a, b), log_unit in zip(found, (0, np.log(100)), strict=True):
        assert float(a) == pytest.approx(-line + 2 * log_unit, abs=0.0051)
        assert float(b) == pytest.approx(-1.5 * line - 2 + 3 * log_unit, abs=0.0051)
    text = printed("flat.predict")
    assert "('A' 2, 'B' 3)" in text
    assert "goes to A" in text
    assert f"[{500**2 / 0.5:.0f}." in text  # the pooled variance of the third column is a half


def test_pseudo_inverse():
    outer, chosen = nested(pseudo_errors)
    train = halves()[0][0]
    spectra = [singular(of_class(train, k))[0] ** 2 for k in DIGITS]
    lines = re.findall(rf"^(1e-10|\de-\d\d)\s+({NUMBER})\s+(\d+)\s+(\d+)$", printed("largest rank"), re.M)
    assert len(lines) == 10
    tolerances = 10.0 ** np.array([-10, -8, -6, -5, -4, -3.5, -3, -2.5, -2, -1.5])
    for ε, mine, (_, *stated) in zip(tolerances, outer.mean(axis=0), lines, strict=True):
        ranks = [np.sum(s > ε * s[0]) for s in spectra]
        assert [float(x) for x in stated] == pytest.approx([mine, min(ranks), max(ranks)], abs=6e-4)
    assert numbers("keeps the fewest")[0] == np.argmin([np.sum(s > tolerances[-1] * s[0]) for s in spectra])
    assert row("columns = ", "pseudo-inverse, ε = 1e-10")[0] == pytest.approx(outer[:, 0].mean(), abs=6e-4)
    assert row("columns = ", "pseudo-inverse, ε chosen")[0] == pytest.approx(chosen.mean(), abs=6e-4)


def test_naive_on_pixels_and_axes():
    outer, chosen = nested(naive_errors)
    stated = [float(x) for x in re.findall(r": (0\.\d+)$", printed("on_pixels = "), re.M)]
    assert stated == pytest.approx(outer.mean(axis=0), abs=6e-4)
    assert row("columns = ", "naive, smoothing chosen")[0] == pytest.approx(chosen.mean(), abs=6e-4)
    assert row("columns = ", "naive, smoothing 1e-9")[0] == pytest.approx(outer[:, 0].mean(), abs=6e-4)
    on_axes, chosen = nested(naive_axes_errors)  # scikit-learn divides by n, which moves an image or two
    assert row("by_both =", "error") == pytest.approx(on_axes.mean(axis=0), abs=0.002)
    assert row("columns = ", "PCA, then naive")[0] == pytest.approx(chosen.mean(), abs=0.003)


def test_kernels():
    """At the width 2 for all halves: the chosen widths differ from it by a step."""
    errors = []
    for train, test in halves():
        joint = []
        for k in DIGITS:
            rows = of_class(train, k)
            table = np.array([norm.pdf(v, rows, 2).mean(axis=0) for v in range(17)])
            joint.append(np.log(table)[X[test].astype(int), np.arange(64)].sum(axis=1))
        errors.append(decide(joint, test))
    assert numbers("def kernel_errors")[0] == pytest.approx(np.mean(errors), abs=0.005)


def test_irises():
    data, labels = load_iris(return_X_y=True)
    rules, accuracies = (GaussianNB(var_smoothing=0), make_pipeline(PCA(), GaussianNB(var_smoothing=0))), []
    for a, b in shuffle_splits(labels, 100, np.random.default_rng(13), 0.8, stratify=True):
        accuracies.append([rule.fit(data[a], labels[a]).score(data[b], labels[b]) for rule in rules])
    plain, turned, difference, error, *correlations = numbers("labels = pca.fit")
    assert (plain, turned) == pytest.approx(np.mean(accuracies, axis=0), abs=0.003)
    assert (plain, turned) == pytest.approx((0.954, 0.927), abs=0.002)  # the figures asked for
    assert difference == pytest.approx(turned - plain, abs=0.0011)
    assert error == pytest.approx(np.sqrt(0.26) * np.std(np.diff(accuracies), ddof=1), rel=0.06)
    axes = PCA(2).fit_transform(data)
    mine = [np.corrcoef(axes[labels == k].T)[0, 1] for k in range(3)]
    assert correlations == pytest.approx(mine, abs=0.0051)


def test_page():
    first = nested(qda_errors)[1]
    rows = {"PCA, then QDA": first, "pseudo-inverse, ε chosen": nested(pseudo_errors)[1]}
    rows["naive, smoothing chosen"] = nested(naive_errors)[1]
    factor = np.sqrt(1 / 10 + 898 / 899)
    for name, errors in rows.items():
        mean, error, more, its_error, lost, euros = row("columns = ", name)
        assert error == pytest.approx(factor * errors.std(ddof=1), abs=6e-4)
        assert (mean, more) == pytest.approx((errors.mean(), np.mean(errors - first)), abs=6e-4)
        assert its_error == pytest.approx(factor * np.std(errors - first, ddof=1), abs=6e-4)
        assert lost == pytest.approx(1000 * (1 - (1 - errors.mean()) ** 4), abs=0.6)
        assert euros == pytest.approx(lost / 100, abs=0.006)


def test_sources():
    assert printed("np.random.default_rng(0)").splitlines() == [
        "s = 100: rank 100 from 112 rows",
        "s = 150: rank 111 from 112 rows",
    ]
