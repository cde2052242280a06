"""Data sets: the files are unchanged, and generated data have the Bayes error that they state."""

import hashlib
import io
import re
import warnings
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import palmerpenguins
import pandas as pd
import pytest
import sklearn.datasets
from family import refusals
from scipy.stats import norm

from bayeslab import (
    Dataset,
    Gaussian,
    LinearDiscriminantAnalysis,
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


# A table as people have it: each column but the first two has one fault.
MESSY = pd.DataFrame(
    {
        "mass (g)": [7.5, 8.5, np.nan, 8.6, 7.4, 8.4, 7.6, 8.7],
        "width (mm)": [23.2, 25.7, 23.3, 25.8, 23.1, 25.6, 23.4, 25.9],
        "thickness": ["2,3", "2,2", "2,4", "2,1", "2,3", "2,2", "2,4", "2,1"],
        "batch": [1] * 8,
        "width again": [23.2, 25.7, 23.3, 25.8, 23.1, 25.6, 23.4, 25.9],
        "coin": ["one", "two", "one", "two", None, "two", "one", " "],
    }
)


def said(frame, **options):
    """Return the data set, and the warnings in order."""
    with warnings.catch_warnings(record=True, action="always") as caught:
        data = Dataset.from_frame(frame, **options)
    assert all(warning.filename == __file__ for warning in caught), "they point at the caller"
    return data, [str(warning.message) for warning in caught]


def test_a_clean_table_is_the_courses_own_data_set_and_says_nothing():
    penguins = load_penguins()
    frame = pd.read_csv(DATA / "penguins.csv")
    data, sentences = said(frame.sample(frac=1, random_state=0).sort_index(), label="species")
    assert sentences == []
    np.testing.assert_array_equal(data.X, penguins.X)
    assert (data.y.tolist(), data.class_names) == (penguins.y.tolist(), penguins.class_names)
    assert data.feature_names == penguins.feature_names
    assert data.select("body mass").X.ravel().tolist() == frame["body mass (g)"].tolist()


def test_each_fault_of_a_table_is_said_once_by_name():
    data, sentences = said(MESSY, label="coin")
    assert data.y.tolist() == ["one", "two", "one", "two", "two", "one"]
    assert data.feature_names == ["mass (g)", "width (mm)"]
    expected = MESSY.loc[[0, 1, 2, 3, 5, 6], ["mass (g)", "width (mm)"]]
    np.testing.assert_array_equal(data.X, expected)
    starts = [
        "dropped, since 'coin' is empty there: 2 of 8 rows",
        "columns left out, since they aren't numbers: 'thickness' ('2,3').",
        "columns left out, since they hold at most one value: 'batch'",
        "columns left out, since they are copies: 'width again' of 'width (mm)'",
        "missing cells: 1 in 'mass (g)'.",
        "classes of 'coin' with fewer than 4 rows, too few to trust a covariance of their own with 2 features: "
        "'one' (3), 'two' (3).",
    ]
    assert [sentence.startswith(start) for sentence, start in zip(sentences, starts, strict=True)] == [True] * 6


def test_a_class_in_one_row_may_be_a_typing_error():
    frame = pd.DataFrame({"x": np.arange(9) + 0.5, "y": ["one", "two"] * 4 + ["tow"]})
    assert said(frame, label="y")[1][-1].endswith("Is 'tow', which is in one row only, a typing error?")
    assert "typing error" not in str(said(frame[:8], label="y")[1])


def test_the_remedies_work():
    """Decimal commas, text among numbers, missing cells: what a warning offers removes it."""
    cured = pd.read_csv(io.StringIO(MESSY.to_csv(sep=";")), sep=";", decimal=",")
    assert "thickness" in said(cured, label="coin")[0].feature_names

    frame = pd.DataFrame({"a": ["1.5", "?", "2.5", "3"] * 4, "b": np.arange(16) + 0.5, "y": [0, 1] * 8})
    assert said(frame, label="y")[1][0].startswith("columns left out, since they aren't numbers: 'a' ('?')")
    frame["a"] = pd.to_numeric(frame["a"], errors="coerce")
    data, sentences = said(frame, label="y")
    assert [sentence[:24] for sentence in sentences] == ["missing cells: 4 in 'a'."]
    for whole in (frame.dropna(), frame.fillna(frame.median(numeric_only=True))):
        filled, sentences = said(whole, label="y")
        assert sentences == []
        rule = LinearDiscriminantAnalysis().fit(filled.X, filled.y)
        assert len(rule.predict(data.X)) == 16, "the missing cells are integrated out"

    frame = pd.DataFrame({"a": [1.0, np.inf, 3, 4], "y": list("aabb")})
    with pytest.raises(ValueError, match=r"column 'a' is inf in row 1"):
        Dataset.from_frame(frame, label="y")
    assert np.isnan(said(frame.replace([np.inf, -np.inf], np.nan), label="y")[0].X[1, 0])

    frame = pd.DataFrame({"a": np.arange(12.0), "price": np.arange(12) + 0.5})
    with pytest.raises(ValueError, match=r"column 'price' holds 0.5: that's a measurement"):
        Dataset.from_frame(frame, label="price")
    frame["price"] = pd.cut(frame["price"], 3, labels=["low", "middle", "high"])
    assert said(frame, label="price")[0].class_names == ["high", "low", "middle"]


DRAWN = np.random.default_rng(0)
KINDS = ["p", "q", "r", "q"] * 6
TRAPS = {
    "row number": ({"Sample Number": range(1, 25)}, "columns that seem to number the rows"),
    "identifier in file order": ({"ward": range(100, 220, 5)}, "columns that seem to number the rows"),
    "identifier by name": ({"patientId": DRAWN.permutation(900)[:24]}, "columns that seem to number the rows"),
    "rows in another order": ({"place": DRAWN.permutation(24)}, "columns that seem to number the rows"),
    "dates as numbers": ({"day": DRAWN.choice([20240115, 20240228, 20241231], 24)}, "columns that seem to be dates"),
    "code for missing": ({"age": [31, 45, 999, 28] * 6}, "numbers that may stand for 'not measured': 999 in 'age'"),
    "two codes": ({"age": [31, 99, 999, 8] * 6}, "numbers that may stand for 'not measured': 999 in 'age', 99"),
    "the label again": ({"code": [1, 2, 3, 2] * 6}, "columns with one value for each class"),
    "days": ({"seen": ["03.01.2024", "17.02.2024", "05.07.2024"] * 8}, "columns left out, since they aren't numbers"),
    "ISO days": ({"seen": ["2024-01-03", "2024-02-17", "2024-07-05"] * 8}, "columns left out, since they aren't"),
    "percent": ({"fat": ["12,5 %", "3 %", "7.5%"] * 8}, "columns left out, since they aren't numbers: 'fat'"),
    "price": ({"price": ["€ 3,20", "€ 4", "€5"] * 8}, "columns left out, since they aren't numbers: 'price'"),
    "times": (
        {"lap": pd.to_timedelta([61, 75, 58] * 8, unit="s")},
        "columns left out, since they aren't numbers: 'lap'",
    ),
    "grades": ({"grade": pd.Categorical([1, 3, 2] * 8)}, "columns left out, since they aren't numbers: 'grade' (1)"),
    "yes and no": ({"smoker": ["no", "yes", "no"] * 8}, "columns left out, since they aren't numbers: 'smoker'"),
    "blanks": ({"kind": [f"{kind}{' ' * (i % 5 == 0)}" for i, kind in enumerate(KINDS)]}, "classes of 'kind' that"),
    "capitals": ({"kind": [kind.upper() if i % 5 == 0 else kind for i, kind in enumerate(KINDS)]}, "classes of 'kind'"),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_is_said_and_its_remedy_works(trap):
    columns, start = TRAPS[trap]
    frame = pd.DataFrame({"x": np.random.default_rng(0).normal(size=24), "kind": KINDS, **columns})
    sentence = said(frame, label="kind")[1][0]
    assert sentence.startswith(start)
    assert f"{next(iter(columns))!r}" in sentence
    names = {"frame": frame, "pd": pd, "np": np}
    dropped = re.search(r"frame\.drop\(columns=\[[^]]*\]\)", sentence)
    if dropped:
        names["frame"] = eval(dropped[0], names)
    else:
        exec(re.search(r"frame\[[^]]*\] = \S.*?(?=\.?$| makes)", sentence)[0], names)
    sentences = said(names["frame"], label="kind")[1]
    assert [each for each in sentences if not each.startswith("missing cells")] == []


def test_measurements_in_the_order_of_the_file_and_yes_and_no_as_numbers_are_no_traps():
    rising = np.sort(np.random.default_rng(0).normal(size=24))
    columns = {
        "rising": rising,
        "year": [2020, 2021] * 12,
        "yes": [True, False] * 12,
        "n": np.random.default_rng(1).poisson(4, 24),
    }
    assert said(pd.DataFrame({**columns, "kind": KINDS}), label="kind")[1] == []


def test_a_label_with_very_many_values_is_told():
    frame = pd.DataFrame(
        {
            "x": np.random.default_rng(0).normal(size=400),
            "age": np.arange(400) % 200,
            "name": list(map(str, range(400))),
        }
    )
    assert "column 'age' holds 200 different numbers. If it's a measurement, cut it" in said(frame, label="age")[1][0]
    assert "'name' holds 400 different labels in 400 rows: does it name rows" in said(frame, label="name")[1][0]


def test_the_rows_keep_their_names_in_the_table():
    data, _ = said(MESSY.set_index(pd.Index(list("abcdefgh"))), label="coin")
    assert "".join(data.rows) == "abcdfg"


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([0, 1] * 4, [0, 1]),
        ([2.0, 1.0, np.nan, 1.0, 2.0, 1.0, 2.0, 2.0], [1, 2]),
        (pd.array([2, 1, None, 1, 2, 1, 2, 2], dtype="Int64"), [1, 2]),
        ([True, False] * 4, [False, True]),
        (pd.Categorical(list("baabbaab"), categories=["b", "a", "c"]), ["a", "b"]),
        (pd.array(list("baabbaab"), dtype="string"), ["a", "b"]),
    ],
    ids=["integers", "floats", "nullable", "booleans", "categories", "strings"],
)
def test_labels_of_every_kind(labels, classes):
    frame = pd.DataFrame({"x": np.arange(8), "y": labels})
    data, _ = said(frame, label="y")
    assert data.class_names == classes
    assert data.class_names == LinearDiscriminantAnalysis().fit(data.X, data.y).classes_.tolist()


class Polars:
    """What a frame of polars has: a list of columns, each a sequence of Python values with None for what is missing."""

    def __init__(self, frame):
        self.columns = frame.columns.tolist()
        self._values = {name: frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame}

    def __getitem__(self, name):
        return self._values[name]


def test_a_frame_of_polars_gives_the_same():
    ours, theirs = said(MESSY, label="coin"), said(Polars(MESSY), label="coin")
    assert ours[1] == theirs[1]
    np.testing.assert_array_equal(ours[0].X, theirs[0].X)
    assert ours[0].y.tolist() == theirs[0].y.tolist()


TWICE = pd.DataFrame([[1.0, 2.0, "a"], [2.0, 3.0, "b"]], columns=["x", "x", "y"])


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (MESSY, {"label": "species"}, "no column 'species'; the columns are 'mass (g)', 'width (mm)'"),
        (MESSY, {"label": "coin", "features": ["mass"]}, "no column 'mass'; the columns are"),
        (MESSY, {"label": "coin", "features": ["coin"]}, "'coin' is the label, so it can't be a feature too"),
        (MESSY, {"label": "coin", "features": ["batch"] * 2}, "'batch' stands twice in features"),
        (MESSY, {"label": "Coin"}, "'coin'; is it 'coin'?"),
        (MESSY.set_index("coin"), {"label": "coin"}, "it's in the index: frame.reset_index() makes a column of it"),
        (
            pd.DataFrame({"x": [1, np.inf, 2], "y": ["a", "b", "a"]}, index=[7, 8, 8]),
            {"label": "y"},
            "column 'x' is inf in row 8; make such cells missing",
        ),
        (pd.DataFrame({"x\ty": [1]}), {"label": "y"}, "use another separator? pd.read_csv(..., sep='\\t')"),
        (TWICE, {"label": "y"}, "2 columns are called 'x'; give each a name"),
        (MESSY.rename(columns={"coin": "a;b"})[["a;b"]], {"label": "a"}, "does the file use another separator"),
        (pd.DataFrame({"x": [1, 2], "y": ["a", "a"]}), {"label": "y"}, "one class only: 'a'; a classifier needs"),
        (pd.DataFrame({"x": [1, 2], "y": [None, None]}), {"label": "y"}, "column 'y' holds no label"),
        (pd.DataFrame({"x": [1, 2], "y": ["a", 1]}), {"label": "y"}, "mixes int, str"),
        (pd.DataFrame({"x": ["p", "q"], "y": [0, 1]}), {"label": "y"}, "no feature is left of 'x'"),
    ],
)
@pytest.mark.filterwarnings("ignore:dropped|columns left out")
def test_what_cannot_be_a_data_set_is_refused_by_name(frame, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Dataset.from_frame(frame, **options)


def test_an_array_has_no_columns_to_name():
    with pytest.raises(TypeError, match="not ndarray; read a file with"):
        Dataset.from_frame(np.eye(3), label="y")


def test_a_feature_is_selected_by_its_unit_where_two_share_a_name():
    frame = pd.DataFrame({"size (mm)": [1.0, 2, 4, 3], "size (g)": [5.0, 6, 8, 9], "y": [0, 0, 1, 1]})
    data, _ = said(frame, label="y")
    assert data.select("size (g)").X.ravel().tolist() == [5, 6, 8, 9]
    with pytest.raises(ValueError, match="several features are called 'size'"):
        data.select("size")


@pytest.mark.parametrize("large", [[2**63 + 1, 2**63 + 3], [2**62, 2**62 + 1]], ids=["unsigned", "64 bits"])
def test_large_whole_numbers_stay_the_labels_they_are(large):
    frame = pd.DataFrame({"x": np.arange(12) % 5 + 0.5, "y": np.array(large * 6, dtype=np.uint64)})
    assert said(frame, label="y")[0].class_names == large


@pytest.mark.parametrize("labels", [[1e20, 2e20], [np.inf, 1.0], [0.5, 1.0]], ids=str)
def test_a_measurement_is_no_label(labels):
    with pytest.raises(ValueError, match=re.escape(f"column 'y' holds {labels[0]:g}: that's a measurement")):
        Dataset.from_frame(pd.DataFrame({"x": np.arange(12) + 0.5, "y": labels * 6}), "y")
