"""What an explorer starts from: a data set, samples and labels, or a classifier, as the values of its traits."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from bayeslab._base.arrays import Labels, as_samples, check_same_length, warn_user
from bayeslab.datasets import Dataset, load_iris, load_penguins
from bayeslab.explore._bundle import constants
from bayeslab.gaussian import Gaussian
from bayeslab.gaussian_classifier import GaussianClassifier
from bayeslab.plotting import COLORS
from bayeslab.truth import TrueClassifier

Data: TypeAlias = Dataset | tuple[ArrayLike, Labels]  # the latter is (X, y)
Source: TypeAlias = Data | GaussianClassifier | TrueClassifier | None
Rule = Literal["nearest mean", "naive", "LDA", "RDA", "QDA", "kNN"]

_CONSTANTS = constants("constants.js")
MOST_CLASSES: int = _CONSTANTS["MOST_CLASSES"]
MOST_NEIGHBOURS: int = _CONSTANTS["MOST_NEIGHBOURS"]
MOST_POINTS_GIVEN: int = _CONSTANTS["MOST_POINTS_GIVEN"]
LIMITS: dict[str, Any] = _CONSTANTS["LIMITS"]

# The rules by name: the options of `GaussianClassifier`, where a part that is shared may be None, as it is to be chosen
# by the trait `shared`; None is k nearest neighbours.
RULES: dict[str, Any] = _CONSTANTS["GAUSSIAN_RULES"] | {"kNN": None}

DENSITIES = ("means", "covariances", "priors")
MOST_CELLS = 100_000  # of a table that is sent to the browser, where its columns are chosen


def content_of(source: Source) -> dict[str, Any]:
    """Return values of traits for a `Dataset`, a pair (X, y), a classifier with Gaussian densities, or None."""
    source, table = _in_two_columns(source)
    content = _content_of(source)
    return content | {"classes": _all_classes(content["class_names"]), "table": table}


def _all_classes(names: list[Any]) -> list[Any]:
    """Return the classes of the data set of ours which these are some of, else these."""
    sets = (list(table["classes"]) for table in tables().values())
    return next((classes for classes in sets if set(names) <= set(classes)), names)


def styles_of(names: list[Any], classes: list[Any]) -> list[int]:
    """Colour and marker of each class: its place among all `classes`; one not among them takes what is free."""
    places = list(range(len(COLORS)))
    styles = [classes.index(name) if name in classes[: len(COLORS)] else None for name in names]
    start = len(classes) % len(COLORS)
    free = iter([place for place in places[start:] + places[:start] if place not in styles])
    return [next(free) if style is None else style for style in styles]


def _content_of(source: Source) -> dict[str, Any]:
    if source is None:
        truth = TrueClassifier([Gaussian([0, 0], [[1, 0.5], [0.5, 1]]), Gaussian([3, 3], [1, 2])], ["A", "B"])
        X, y = truth.sample(75, np.random.default_rng(0))
        return _of_classifier(truth) | _labelled(X.round(3), y)
    if isinstance(source, Dataset):
        return _of_dataset(source)
    if isinstance(source, GaussianClassifier | TrueClassifier):
        return _of_classifier(source)
    if isinstance(source, tuple) and len(source) == 2:
        return _of_samples(*source)
    raise TypeError(
        f"an explorer starts from a Dataset, a pair (X, y), a fitted GaussianClassifier or a TrueClassifier, "
        f"not from a {type(source).__name__}"
    )


def points_of(source: Data | None) -> dict[str, Any]:
    """Return values of traits for the points of a `Dataset` or of a pair (X, y), and the densities that made them."""
    source, table = _in_two_columns(source)
    if isinstance(source, Dataset):
        content = _labelled_of(source) | {name: _truth_of(source).get(name, []) for name in DENSITIES}
    elif isinstance(source, tuple) and len(source) == 2:
        content = _named(*source)
    else:
        raise TypeError(f"the explorer starts from a Dataset or a pair (X, y), not from a {type(source).__name__}")
    return content | {"classes": _all_classes(content["class_names"]), "table": table}


def names_of(X: ArrayLike) -> list[str] | None:
    """Return the names of a frame's columns, if all of them are texts."""
    names = list(getattr(X, "columns", []))
    return names if names and all(isinstance(name, str) for name in names) else None


def table_of(
    X: ArrayLike, feature_names: list[str] | None, y: Labels = (), instead: str = "X[:, [0, 1]]"
) -> dict[str, Any]:
    """Return a table whose columns are chosen in the browser."""
    X = as_samples(X)
    if X.size > MOST_CELLS:
        raise ValueError(
            f"an explorer offers the columns of at most {MOST_CELLS} numbers, not {X.shape}: choose two yourself, "
            f"such as {instead}"
        )
    names, index = np.unique(y, return_inverse=True)
    return {
        "features": feature_names or [f"column {j + 1}" for j in range(X.shape[1])],
        "rows": X.tolist(),
        "labels": index.tolist(),
        "class_names": names.tolist(),
    }


def _in_two_columns(source: Any) -> tuple[Any, dict[str, Any]]:
    """Return a source that has more than two columns with the last two of them, and all of it as a table, else {}."""
    if isinstance(source, Dataset) and len(source.feature_names) > 2:
        some = ", ".join(repr(name.split(" (")[0]) for name in source.feature_names[-2:])
        table = table_of(source.X, source.feature_names, source.y, f".select({some})")
        return replace(source, X=source.X[:, -2:], feature_names=source.feature_names[-2:], truth=None), table
    if isinstance(source, tuple) and len(source) == 2 and np.ndim(source[0]) == 2 and np.shape(source[0])[1] > 2:
        X, y = as_samples(source[0]), np.asarray(source[1])
        check_same_length(X, y)
        table = table_of(X, names_of(source[0]), y)
        return Dataset(X[:, -2:], y, table["features"][-2:], ""), table
    return source, {}


def _named(X: ArrayLike, y: Labels) -> dict[str, Any]:
    """Take points alone, with the names of a frame's columns."""
    names = names_of(X)
    return _labelled(X, y) | ({"feature_names": names} if names else {})


def _of_dataset(dataset: Dataset) -> dict[str, Any]:
    """Take the points of a data set, and as densities the true ones where each class has one Gaussian."""
    content = _labelled_of(dataset)
    return _fitted(dataset.X, dataset.y) | content | _truth_of(dataset)


def _labelled_of(dataset: Dataset) -> dict[str, Any]:
    """Take the points of a data set."""
    d = len(dataset.feature_names)
    if d != 2:
        raise ValueError(f"an explorer shows 2 features, but this data set has {d}")
    return _labelled(dataset.X, dataset.y) | {"feature_names": dataset.feature_names}


def _truth_of(dataset: Dataset) -> dict[str, Any]:
    """Take the densities that made a data set, where they are known and each class has one Gaussian."""
    truth = dataset.truth
    return _of_classifier(truth) if truth is not None and len(truth.gaussians) == len(truth.classes_) else {}


def _of_samples(X: ArrayLike, y: Labels) -> dict[str, Any]:
    """Take points, and as densities the Gaussians fitted to them."""
    content = _named(X, y)
    return _fitted(X, y) | content


def _fitted(X: ArrayLike, y: Labels) -> dict[str, Any]:
    return _of_classifier(GaussianClassifier().fit(X, y)) | {"mode": "estimate"}


def _labelled(X: ArrayLike, y: Labels) -> dict[str, Any]:
    """Take points alone."""
    X, y = as_samples(X), np.asarray(y)
    check_same_length(X, y)
    if X.shape[1] != 2:
        raise ValueError(f"an explorer shows 2 features, but X has shape {X.shape}")
    names, index = np.unique(y, return_inverse=True)
    return {"class_names": names.tolist(), "points": np.column_stack([X, index])}


def _of_classifier(classifier: GaussianClassifier | TrueClassifier) -> dict[str, Any]:
    """Take the densities of a classifier, and the rule that it is."""
    check_is_fitted(classifier)
    gaussians = classifier.gaussians if isinstance(classifier, TrueClassifier) else classifier.gaussians_
    names = classifier.classes_.tolist()
    if {gaussian.n_features for gaussian in gaussians} != {2} or classifier.n_features_in_ != 2:
        raise ValueError(
            f"an explorer shows 2 features that vary, but this classifier is of another kind: {classifier}"
        )
    if isinstance(classifier, TrueClassifier):
        if len(gaussians) != len(names):
            raise ValueError("an explorer shows one Gaussian per class, but a class of this classifier has several")
        gaussians = [gaussians[classifier.labels.index(name)] for name in names]
        own = {"rule": "QDA"}
    else:
        own = _rule_of(classifier)
    features = getattr(classifier, "feature_names_in_", None)  # of a frame that it was fitted to
    own |= {} if features is None else {"feature_names": list(features)}
    return {
        "class_names": names,
        "means": [gaussian.mean for gaussian in gaussians],
        "covariances": [gaussian.covariance for gaussian in gaussians],
        "priors": classifier.priors_,
        "mode": "truth",
    } | own


def _rule_of(classifier: GaussianClassifier) -> dict[str, Any]:
    """Return the rule that a classifier is; of one between QDA and LDA also what is shared, and what is not yet."""
    shared, covariances = classifier.shared, [gaussian.covariance for gaussian in classifier.gaussians_]
    if not 0 < shared < 1:
        options = {"covariance": classifier.covariance, "shared": shared}
        return {"rule": next((rule for rule, its in RULES.items() if its == options), "QDA")}
    # Pooled by the priors, as in the explorer, the own covariances have the same mean as those that share.
    own = (covariances - shared * np.average(covariances, axis=0, weights=classifier.priors_)) / (1 - shared)
    if np.linalg.eigvalsh(own).min() > 1e-9 * np.linalg.eigvalsh(covariances).min():
        return {"rule": "RDA", "shared": shared, "covariances": own}
    warn_user(
        f"the explorer pools covariances by the priors, and none would become those of this classifier with "
        f"shared={shared:g}: it shows them as QDA, which decides the same"
    )
    return {"rule": "QDA"}


@cache
def tables() -> dict[str, Any]:
    """Return the data sets of the course that the explorer offers, by name: features, and by class all its rows."""
    return {"iris": _by_class(load_iris()), "penguins": _by_class(load_penguins())}


def _by_class(dataset: Dataset) -> dict[str, Any]:
    """Rows by class as whole numbers n, which take little room: in column j, (first + n·step) / scale is the value."""
    X = dataset.X
    scales = [next(s for s in 10 ** np.arange(16) if (np.rint(x * s) / s == x).all()) for x in X.T]
    whole = np.rint(X * scales).astype(int)
    first, steps = whole.min(axis=0), np.gcd.reduce(whole - whole.min(axis=0))
    marks = (whole - first) // steps
    return {
        "features": dataset.feature_names,
        "rulers": np.column_stack([first, steps, scales]).tolist(),
        "classes": {label: marks[dataset.y == label].ravel().tolist() for label in dataset.class_names},
    }
