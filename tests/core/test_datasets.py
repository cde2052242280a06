"""Data sets: the files are unchanged, and generated data have the Bayes error that they state."""

import hashlib
import re
from pathlib import Path

import numpy as np
import palmerpenguins
import pytest
import sklearn.datasets
from scipy.optimize import brentq
from scipy.stats import norm

from bayeslab import (
    Gaussian,
    TrueClassifier,
    load_digits,
    load_iris,
    load_mnist5k,
    load_penguins,
    load_tumours,
    make_concentric,
    make_gaussian_pair,
    make_mixture_pair,
    make_three_classes,
    make_xor,
)

DATA = Path(__file__).parents[2] / "data"
RNG = np.random.default_rng(0)
MADE = {
    **{name: make_gaussian_pair(name, 50, RNG) for name in ("P1a", "P1b", "P1c")},
    **{name: make_mixture_pair(name, 50, RNG) for name in ("P3a", "P3b")},
    "concentric": make_concentric(50, RNG),
    "xor": make_xor(50, RNG),
    "three_classes": make_three_classes(50, RNG),
}


def test_checksums_are_those_of_the_readme():
    text = (DATA / "README.md").read_text(encoding="utf-8")
    stated = dict(re.findall(r"\|\s*`?([\w.]+\.(?:csv|npz))`?\s*\|.*?`?([0-9a-f]{64})`?\s*\|", text))
    files = [*DATA.glob("*.csv"), *DATA.glob("*.npz")]
    assert stated == {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (load_iris(), sklearn.datasets.load_iris()),
        (load_digits(), sklearn.datasets.load_digits()),
        (load_tumours(), sklearn.datasets.load_breast_cancer()),
    ],
    ids=["iris", "digits", "tumours"],
)
def test_three_are_scikit_learns(ours, theirs):
    np.testing.assert_array_equal(ours.X, theirs.data)
    np.testing.assert_array_equal(ours.y, theirs.target_names[theirs.target])


def test_penguins_are_palmers():
    columns = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
    theirs = palmerpenguins.load_penguins().dropna(subset=columns)
    np.testing.assert_array_equal(load_penguins().X, theirs[columns])
    assert load_penguins().y.tolist() == theirs["species"].tolist()


def test_images_are_read_as_they_were_written():
    """Rows from the top, columns from the left: a 1 is narrow, and a 7 is wider at the top than at the bottom."""
    mnist = load_mnist5k()
    assert np.bincount(mnist.y).tolist() == [500] * 10
    assert mnist.X.dtype == float
    assert (mnist.X.min(), mnist.X.max()) == (0, 255)
    np.testing.assert_array_equal(mnist.X, np.round(mnist.X))
    assert [mnist.feature_names[pixel] for pixel in (0, 27, 783)] == [
        "pixel row 0 column 0",
        "pixel row 0 column 27",
        "pixel row 27 column 27",
    ]
    dark = {digit: mnist.X[mnist.y == digit].mean(axis=0).reshape(28, 28) > 64 for digit in (1, 7)}
    rows, columns = np.nonzero(dark[1])
    assert np.ptp(rows) > 1.5 * np.ptp(columns)
    widths = dark[7].sum(axis=1)
    assert widths[:14].max() > 1.5 * widths[14:].max()


def test_select_by_name_with_or_without_unit():
    iris = load_iris()
    petals = iris.select("petal width", "petal length (cm)")
    np.testing.assert_array_equal(petals.X, iris.X[:, [3, 2]])
    assert petals.feature_names == ["petal width (cm)", "petal length (cm)"]
    with pytest.raises(ValueError, match="no feature 'petal size'; the features are sepal length"):
        iris.select("petal size")


def concentric_error(r=7.33):
    """Exact: the rule is a threshold t on D², and D² is χ² with 2 degrees of freedom under a class's own Σ."""
    t = 4 * np.log(r) / (1 - 1 / r**2)
    return (np.exp(-t / 2) + 1 - np.exp(-t / (2 * r**2))) / 2


def xor_error(σ=0.7225):
    """Exact: the axes are the boundary, and a sample is wrong if it crosses exactly one of them."""
    p = norm.cdf(-1 / σ)
    return 2 * p * (1 - p)


def test_bayes_errors_against_closed_forms():
    assert MADE["concentric"].bayes_error == pytest.approx(concentric_error(), abs=1e-5)
    assert MADE["xor"].bayes_error == pytest.approx(xor_error(), abs=1e-5)


@pytest.mark.parametrize(("name", "published"), [("P3a", 0.0873), ("P3b", 0.2556)])
def test_bayes_errors_on_a_line_against_roots_and_tails(name, published):
    """The decision changes at the roots of the difference of the densities; between them, tails are exact."""
    gaussians = [norm(g.mean[0], np.sqrt(g.covariance[0, 0])) for g in MADE[name].truth.gaussians]

    def lead(x):
        return np.dot([1, 1, -1, -1], [g.pdf(x) for g in gaussians])

    grid = np.linspace(-30, 40, 7001)
    starts = np.flatnonzero(np.diff(np.sign([lead(x) for x in grid])))
    edges = [-np.inf, *(brentq(lead, grid[i], grid[i + 1], xtol=1e-12) for i in starts), np.inf]
    masses = np.array([np.diff(g.cdf(edges)) for g in gaussians])
    error = np.minimum(masses[:2].sum(axis=0), masses[2:].sum(axis=0)).sum() / 4
    assert MADE[name].bayes_error == pytest.approx(error, abs=1e-5)
    assert error == pytest.approx(published, abs=5e-5)


def test_bayes_errors_against_published_figures():
    """Figures that others computed from the parameters in the sources, to four digits."""
    published = {"P1a": 0.2459, "P1b": 0.0352, "P1c": 0.0038, "three_classes": 0.0820}
    for name, error in published.items():
        assert MADE[name].bayes_error == pytest.approx(error, abs=6e-5)


@pytest.mark.parametrize("name", MADE)
def test_made_data_have_the_classes_and_the_error_they_claim(name):
    data = MADE[name]
    assert np.unique(data.y, return_counts=True)[1].tolist() == [50] * len(data.class_names)
    X, y = data.truth.sample(20_000, np.random.default_rng(1))
    assert 1 - data.truth.score(X, y) == pytest.approx(data.bayes_error, abs=0.006)


def test_the_same_seed_makes_the_same_data():
    first, again = (make_xor(20, np.random.default_rng(7)).X for _ in range(2))
    np.testing.assert_array_equal(first, again)


def test_the_parameters_are_those_of_the_sources():
    for name, mean in (("P1a", [1, 1]), ("P1b", [3, 3]), ("P1c", [3, 6])):
        first, second = MADE[name].truth.gaussians
        np.testing.assert_array_equal(first.mean, [0, 0])
        np.testing.assert_array_equal(first.covariance, [[1, 0.5], [0.5, 1]])
        np.testing.assert_array_equal(second.mean, mean)
        np.testing.assert_array_equal(second.covariance, np.diag([1, 2]))
    three = MADE["three_classes"].truth.gaussians
    np.testing.assert_array_equal([g.mean for g in three], [[0, 0], [-0.9, 4.4], [2.3, 4.4]])
    covariances = [[[1.2, 0.2], [0.2, 0.9]], [[0.5, 0], [0, 0.9]], [[4.7, 0.1], [0.1, 1.4]]]
    np.testing.assert_array_equal([g.covariance for g in three], covariances)
    with pytest.raises(ValueError, match=r"'P1a', 'P1b', .*, not 'P2'"):
        make_gaussian_pair("P2", 5, RNG)
    for name, numbers in (("P3a", [0, 4, 8, 12]), ("P3b", [0, 8, 4, 12])):
        mixtures = MADE[name].truth
        assert [g.mean[0] for g in mixtures.gaussians] == numbers
        assert [g.covariance[0, 0] for g in mixtures.gaussians] == [5 if mean > 4 else 4 for mean in numbers]
        assert mixtures.labels == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="'P3a', 'P3b', not 'P3'"):
        make_mixture_pair("P3", 5, RNG)


def test_samples_are_divided_in_proportion_to_the_priors():
    """Two Gaussians 2 σ apart, against tails beyond the boundary 1 + ln 9 / 2."""
    truth = TrueClassifier([Gaussian(0, 1), Gaussian(2, 1)], [0, 1], priors=[0.9, 0.1])
    cut = 1 + np.log(9) / 2
    assert truth.bayes_error() == pytest.approx(0.9 * norm.sf(cut) + 0.1 * norm.cdf(cut - 2), abs=1e-12)
    X, y = truth.sample(20_000, np.random.default_rng(0))
    assert np.mean(y) == 0.1
    assert np.mean(truth.predict(X) != y) == pytest.approx(truth.bayes_error(), abs=0.005)
    thirds = TrueClassifier([Gaussian(k, 1) for k in range(3)], [0, 1, 2], priors=[0.25, 0.3, 0.45])
    assert np.bincount(thirds.sample(7, np.random.default_rng(0))[1]).tolist() == [5, 6, 10]  # from 5.25, 6.3, 9.45


def test_gaussians_of_a_class_may_have_unequal_weights():
    truth = TrueClassifier([Gaussian(0, 1), Gaussian(9, 1), Gaussian(4, 1)], [0, 0, 1], weights=[0.8, 0.2, 1])
    X, y = truth.sample(10_000, np.random.default_rng(0))
    assert np.mean(X[y == 0] > 4.5) == pytest.approx(0.2, abs=0.01)
    x = np.array([[0.0], [4.2], [9.0]])
    expected = np.log(0.8 * norm.pdf(x) + 0.2 * norm.pdf(x, 9)), norm.logpdf(x, 4)
    np.testing.assert_allclose(truth.joint_log_likelihood(x) - np.log(0.5), np.hstack(expected), rtol=1e-12)
    typed = TrueClassifier([Gaussian(k, 1) for k in range(4)], [0, 0, 0, 1], weights=[0.500004, 0.500004, 0, 1])
    assert len(typed.sample(10, np.random.default_rng(0))[0]) == 20
    with pytest.raises(ValueError, match=r"weights of class 0 must be .* sums to 0.9"):
        TrueClassifier([Gaussian(0, 1), Gaussian(9, 1), Gaussian(4, 1)], [0, 0, 1], weights=[0.8, 0.1, 1])
    with pytest.raises(ValueError, match="one weight per Gaussian is needed, not 2 for 3"):
        TrueClassifier([Gaussian(0, 1), Gaussian(9, 1), Gaussian(4, 1)], [0, 0, 1], weights=[0.8, 0.2])


def test_twenty_dimensions():
    """P2a and P2b against Φ (√20 apart, with standard deviations 1 and √3), P2c against simulation."""
    pairs = {name: make_gaussian_pair(name, 5, np.random.default_rng(0)) for name in ("P2a", "P2b", "P2c")}
    assert pairs["P2a"].X.shape == (10, 20)
    assert pairs["P2a"].feature_names[::19] == ["x₁", "x₂₀"]
    assert pairs["P2a"].bayes_error == pytest.approx(norm.cdf(-np.sqrt(20) / 2), rel=1e-12)
    assert pairs["P2b"].bayes_error == pytest.approx(norm.cdf(-np.sqrt(20 / 3) / 2), rel=1e-12)
    X, y = pairs["P2c"].truth.sample(20_000, np.random.default_rng(1))
    assert 1 - pairs["P2c"].truth.score(X, y) == pytest.approx(pairs["P2c"].bayes_error, abs=0.003)
    again = make_gaussian_pair("P2c", 5, np.random.default_rng(0)).truth.gaussians
    for first, second in zip(pairs["P2c"].truth.gaussians, again, strict=True):
        np.testing.assert_array_equal(first.covariance, second.covariance)


def test_the_truth_is_unknown_for_selected_columns():
    assert MADE["xor"].select("x₁").bayes_error is None


def test_a_truth_needs_a_label_for_each_gaussian():
    with pytest.raises(ValueError, match="one label per Gaussian"):
        TrueClassifier([Gaussian(0, 1)], ["a", "b"])


@pytest.mark.parametrize("rng", [0, None, np.random])
def test_randomness_is_explicit(rng):
    with pytest.raises(TypeError, match="rng must be a random generator"):
        make_xor(5, rng)
