"""What an explorer starts from: a data set, samples and labels, or a classifier, as the values of its traits."""

from __future__ import annotations

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


def content_of(source: Source) -> dict[str, Any]:
    """Return values of traits for a `Dataset`, a pair (X, y), a classifier with Gaussian densities, or None."""
    content = _content_of(source)
    return content | {"classes": _all_classes(content["class_names"])}


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
    if isinstance(source, Dataset):
        content = _labelled_of(source) | {name: _truth_of(source).get(name, []) for name in DENSITIES}
    elif isinstance(source, tuple) and len(source) == 2:
        content = _labelled(*source)
    else:
        raise TypeError(f"the explorer starts from a Dataset or a pair (X, y), not from a {type(source).__name__}")
    return content | {"classes": _all_classes(content["class_names"])}


def _of_dataset(dataset: Dataset) -> dict[str, Any]:
    """Take the points of a data set, and as densities the true ones where each class has one Gaussian."""
    content = _labelled_of(dataset)
    return _fitted(dataset.X, dataset.y) | content | _truth_of(dataset)


def _labelled_of(dataset: Dataset) -> dict[str, Any]:
    """Take the points of a data set."""
    d = len(dataset.feature_names)
    if d != 2:
        some = ", ".join(repr(name.split(" (")[0]) for name in dataset.feature_names[-2:])
        raise ValueError(f"an explorer shows 2 features, but this data set has {d}: choose, such as .select({some})")
    return _labelled(dataset.X, dataset.y) | {"feature_names": dataset.feature_names}


def _truth_of(dataset: Dataset) -> dict[str, Any]:
    """Take the densities that made a data set, where they are known and each class has one Gaussian."""
    truth = dataset.truth
    return _of_classifier(truth) if truth is not None and len(truth.gaussians) == len(truth.classes_) else {}


def _of_samples(X: ArrayLike, y: Labels) -> dict[str, Any]:
    """Take points, and as densities the Gaussians fitted to them."""
    content = _labelled(X, y)
    return _fitted(X, y) | content


def _fitted(X: ArrayLike, y: Labels) -> dict[str, Any]:
    return _of_classifier(GaussianClassifier().fit(X, y)) | {"mode": "estimate"}


def _labelled(X: ArrayLike, y: Labels) -> dict[str, Any]:
    """Take points alone."""
    X, y = as_samples(X), np.asarray(y)
    check_same_length(X, y)
    if X.shape[1] != 2:
        raise ValueError(f"an explorer shows 2 features, but X has shape {X.shape}: choose, such as X[:, [0, 1]]")
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
