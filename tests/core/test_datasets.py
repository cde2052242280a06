"""Data sets: the files are unchanged, and generated data have the Bayes error that they state."""

import hashlib
import re
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import palmerpenguins
import pytest
import sklearn.datasets
from family import refusals
from scipy.stats import norm

from bayeslab import (
    Gaussian,
    TrueClassifier,
    load_austen,
    load_digits,
    load_disasters,
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


def test_waits_for_disasters_fill_the_time_from_the_first_to_the_last():
    """The dates of the first and the last, and the year that divides the file, are stated by others."""
    data = load_disasters()
    ends = [date(1851, 3, 15) + timedelta(days) for days in np.cumsum(data.X[:, 0])]
    assert ends[-1] == date(1962, 3, 22)
    assert [end.year >= 1890 for end in ends[:-1]] == (data.y[1:] == "from 1890").tolist()


def test_images_are_read_as_they_were_written():
    """Rows from the top, columns from the left: a 1 is narrow, and a 7 is wider at the top than at the bottom."""
    mnist = load_mnist5k()
    assert np.bincount(mnist.y).tolist() == [500] * 10
    assert (mnist.X.dtype, mnist.X.min(), mnist.X.max()) == (float, 0, 255)
    names = [mnist.feature_names[pixel] for pixel in (0, 27, 783)]
    assert names == ["pixel row 0 column 0", "pixel row 0 column 27", "pixel row 27 column 27"]
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


def test_bayes_errors_against_published_figures():
    """Figures that others computed from the parameters in the sources, to four digits."""
    published = {"P1a": 0.2459, "P1b": 0.0352, "P1c": 0.0038, "P3a": 0.0873, "P3b": 0.2556, "three_classes": 0.0820}
    for name, error in published.items():
        assert MADE[name].bayes_error == pytest.approx(error, abs=6e-5)


test_errors_say_what_is_wrong = refusals(
    (lambda: make_gaussian_pair("P2", 5, RNG), r"'P1a', 'P1b', .*, not 'P2'"),
    (lambda: make_mixture_pair("P3", 5, RNG), "'P3a', 'P3b', not 'P3'"),
    (lambda: TrueClassifier([Gaussian(0, 1)], ["a", "b"]), "one label per Gaussian"),
)


@pytest.mark.parametrize("name", MADE)
def test_made_data_have_the_classes_and_the_error_they_claim(name):
    data = MADE[name]
    assert np.unique(data.y, return_counts=True)[1].tolist() == [50] * len(data.class_names)
    X, y = data.truth.sample(20_000, np.random.default_rng(1))
    assert 1 - data.truth.score(X, y) == pytest.approx(data.bayes_error, abs=0.006)


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


@pytest.mark.parametrize("rng", [0, None, np.random])
def test_randomness_is_explicit(rng):
    with pytest.raises(TypeError, match="rng must be a random generator"):
        make_xor(5, rng)


AUSTEN, PLAIN = load_austen(), load_austen(names=False)


def test_names_are_left_out_and_commoner_words_fill_up():
    assert AUSTEN.X.shape == PLAIN.X.shape == (269, 1000)
    assert AUSTEN.y.tolist() == PLAIN.y.tolist()
    names = [word for word in AUSTEN.feature_names if word not in PLAIN.feature_names]
    assert len(names) == 82
    assert {"i", "mr", "emma", "darcy", "kellynch", "london"} <= set(names)
    common = [word for word in AUSTEN.feature_names if word not in names]
    assert PLAIN.feature_names[:918] == common
    np.testing.assert_array_equal(PLAIN.X[:, :918], AUSTEN.select(*common).X)
