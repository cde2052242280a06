"""What notebook 13 prints of the remedies and of naive Bayes, computed in another way."""

import re

import numpy as np
import pytest
from digits_otherwise import (
    DIGITS,
    NUMBER,
    X,
    decide,
    folds,
    halves,
    intensity,
    naive_axes_errors,
    naive_errors,
    nested,
    numbers,
    of_class,
    printed,
    pseudo_errors,
    qda_errors,
    rda_error,
    row,
    singular,
)
from scipy.stats import multivariate_normal, norm
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from bayeslab import shuffle_splits
from bayeslab.explore.regularised_explorer import few_points


def test_plane():
    train = halves()[0][0]

    def inner(γ, λ):
        return np.mean([rda_error(γ, λ, *pair) for pair in folds(train)])

    text = printed("np.unravel_index")
    least, γ, λ = map(float, re.search(rf"least: ({NUMBER}) at γ = ({NUMBER}), α = ({NUMBER})", text).groups())
    others = [float(x) for x in re.findall(rf"(?:QDA|LDA|α = 1) ({NUMBER})", text)]
    assert [least, *others] == pytest.approx([inner(γ, λ), inner(0, 0.05), inner(1, 0), inner(0, 1)], abs=6e-4)
    assert least <= inner(0.25, 0.2) + 5e-4
    assert numbers("by_package = ")[0] == pytest.approx(rda_error(0.25, 0.1, *halves()[0]), abs=6e-5)


def test_regularised():
    """The valley is flat, so that any setting in it has about the error of the chosen ones."""
    valley = np.mean([rda_error(0.25, 0.2, *pair) for pair in halves()])
    assert row('results["RDA"]', "RDA")[0] == pytest.approx(valley, abs=0.004)
    by_formula = np.mean([rda_error(0, intensity(pair[0]), *pair) for pair in halves()])
    assert row('results["RDA"]', "Ledoit–Wolf")[0] == pytest.approx(by_formula, abs=6e-4)
    assert row('results["RDA"]', "PCA, then QDA")[0] == pytest.approx(nested(qda_errors)[1].mean(), abs=6e-4)


def small_error(samples, γ, α):
    """True error of RDA learned from a sample of each of the explorer's three classes: a sum over a fine grid."""
    truth = few_points().truth
    side = np.linspace(-9, 12, 300)
    places = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    joint = np.array([multivariate_normal(g.mean, g.covariance).pdf(places) for g in truth.gaussians]) / 3
    own = np.array([np.cov(sample.T) for sample in samples])
    pooled = own.mean(axis=0)
    Σ = (1 - α) * ((1 - γ) * own + γ * pooled) + α * np.diag(pooled.diagonal())
    rules = [multivariate_normal(sample.mean(axis=0), each) for sample, each in zip(samples, Σ, strict=True)]
    decisions = np.argmax([rule.logpdf(places) for rule in rules], axis=0)
    return 1 - joint[decisions, range(len(places))].sum() * (side[1] - side[0]) ** 2


def test_plane_of_few_points():
    data = few_points()
    samples = [data.X[data.y == name] for name in "ABC"]
    errors = [float(x) for x in re.findall(rf"true error ({NUMBER})", printed("error_of(rule, truth)"))]
    assert errors == pytest.approx(
        [small_error(samples, *at) for at in [(0, 0), (1, 0), (0, 1), (0.5, 0.25)]], abs=6e-4
    )
    assert errors[3] < 0.9 * min(errors[:3])


def test_plane_of_many_points():
    """With 66 points a class γ hardly matters, but the correlations do."""
    rng, gaussians = np.random.default_rng(0), few_points().truth.gaussians
    draws = [[rng.multivariate_normal(g.mean, g.covariance, 66) for g in gaussians] for _ in range(10)]
    qda, lda, diagonal = (np.mean([small_error(samples, *at) for samples in draws]) for at in [(0, 0), (1, 0), (0, 1)])
    assert abs(qda - lda) < 0.01 < 0.03 < diagonal - max(qda, lda)


def test_trap():
    assert f"A 0, B {495**2}, so A" in printed("D2_A = ")
    found = re.findall(rf"of A ({NUMBER}), of B ({NUMBER})", printed("for unit, factor"))
    line = np.log(2 * np.pi)
    for (a, b), log_unit in zip(found, (0, np.log(100)), strict=True):
        assert float(a) == pytest.approx(-line + 2 * log_unit, abs=0.0051)
        assert float(b) == pytest.approx(-1.5 * line - 2 + 3 * log_unit, abs=0.0051)


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
    for ε in (1e-14, 1e-12, 1e-8, 1e-6):
        assert [int(np.sum(s > ε * s[0])) for s in spectra] == [int(np.sum(s > 1e-10 * s[0])) for s in spectra]
    assert numbers("keeps the fewest")[1] > 90  # per cent of the images
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


def test_by_file():
    """Halves of the file, as it stands, by scikit-learn and SciPy."""
    rows = np.split(np.arange(len(X)), [len(X) // 2])
    text = printed("early, late")
    stated = re.findall(rf"PCA ({NUMBER}), RDA ({NUMBER})", text)
    for (a, b), (by_pca, by_rda) in zip((rows, rows[::-1]), stated, strict=True):
        assert float(by_pca) == pytest.approx(qda_errors(a, b)[3], abs=6e-4)
        assert float(by_rda) == pytest.approx(rda_error(0.25, 0.1, a, b), abs=6e-4)
