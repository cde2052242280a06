"""Naive Bayes: the features are independent within each class, each with a density of its own kind."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from numbers import Integral
from operator import add
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from bayeslab._base.arrays import is_number
from bayeslab._base.atomic import all_or_nothing
from bayeslab._base.sums import ROUNDING, Sums
from bayeslab._base.warn import listed
from bayeslab.classifier import BayesClassifier
from bayeslab.families import Categorical
from bayeslab.streaming import StreamingMixin


class Asked(NamedTuple):
    """What was asked for: a family for each column."""

    families: list


@contextmanager
def note_errors(where: str):
    """Context in which an error gets a note of where it happened."""
    try:
        yield
    except Exception as error:
        error.add_note(f"This happened in {where}.")
        raise


@dataclass(frozen=True, eq=False)
class Columns:
    """Sufficient statistics of the columns of a class; with missing values a column weighs less than the class."""

    weight: float
    parts: list

    def __add__(self, other: Columns) -> Columns:
        """Return the statistics of both samples together."""
        parts = []
        for j, (a, b) in enumerate(self._pairs(other)):
            with note_errors(f"column {j}"):
                parts.append(a + b if a.weight and b.weight else (a if a.weight else b))
        return Columns(self.weight + other.weight, parts)

    def __sub__(self, other: Columns) -> Columns:
        """Return the statistics of what is left without the part `other`, of some columns perhaps nothing."""
        parts = []
        for j, (a, b) in enumerate(self._pairs(other)):
            if b.weight > (1 + ROUNDING) * a.weight:
                raise ValueError(
                    f"cannot remove samples that were never added: a weight of {b.weight:g} from {a.weight:g} of the "
                    f"observed values of column {j}"
                )
            emptied = a.weight - b.weight <= ROUNDING * a.weight
            with note_errors(f"column {j}"):
                parts.append(Sums() if emptied else (a - b if b.weight else a))
        return Columns(self.weight - other.weight, parts)

    def _pairs(self, other: Columns):
        return zip(self.parts, other.parts, strict=True)


@dataclass(frozen=True, eq=False)
class Sample:
    """All values of a column of a class, for a family that needs them."""

    weight: float
    x: np.ndarray
    weights: np.ndarray


class NaiveBayes(StreamingMixin, BayesClassifier):
    """Bayes classifier with a one-dimensional density for each column and class: ln p(x | C) = Σ_j ln p_j(x_j | C).

    A missing value (NaN) is left out: in `fit`, of its column alone; in prediction, its factor, which leaves the
    marginal density of what was observed, exactly. A value outside of the support of a class has density 0 there. If
    that is so in every class, Bayes' rule says 0/0: a warning names the row and the columns, and the posterior is the
    prior, since the densities have nothing to say.

    Parameters
    ----------
    families : family, list of d families, or dict from column to family
        One for all columns, or one for each: a dict has the names of the columns of a DataFrame, or their numbers. See
        `families`; `StudentT` is one too, and so is any object with ``fit(x, weights)`` and ``log_density(x)``.
    priors : None, "equal" or (K,) array
        π_k: the share of each class in the training data, 1/K, or these numbers, in the order of `classes_`.

    Attributes
    ----------
    classes_ : (K,) array
    priors_ : (K,) array
    densities_ : list of K lists of d fitted families
    statistics_ : list of K
        Sufficient statistics of each class, if all families have them: then there are `partial_fit`, `merge`, `remove`.

    Raises
    ------
    ValueError
        From `fit`, if a column has no family, a class no value in a column, or a value lies outside of the support.
    DegenerateSampleError
        From `fit`, if the values of a column do not vary within a class. Notes of an error name the column and class.
    AttributeError
        From `partial_fit`, `merge` and `remove`, if a family needs all samples at once.

    Examples
    --------
    Waiting times, and whether it rained:

    >>> import pandas as pd
    >>> from bayeslab.families import Bernoulli, Exponential
    >>> X = pd.DataFrame({"minutes": [1, 2, 9, 30, 20], "rain": [0, 1, 0, 1, 1]})
    >>> rule = NaiveBayes({"minutes": Exponential(), "rain": Bernoulli()}).fit(X, ["bus", "bus", "bus", "walk", "walk"])
    >>> [density.mean_ for density, _ in rule.densities_]
    [4.0, 25.0]
    >>> rule.predict(pd.DataFrame({"minutes": [3, 40], "rain": [1, None]})).tolist()
    ['bus', 'walk']
    """

    _nan_in_prediction = _nan_in_fit = True

    def __init__(self, families, priors=None):
        self.families = families
        self.priors = priors

    @all_or_nothing
    def fit(self, X, y, sample_weight=None) -> NaiveBayes:
        """Fit the densities to the columns of X, shape (n, d), in each class of y, shape (n,).

        A `sample_weight`, shape (n,), of 2 means the same as writing the row twice.
        """
        X, index, weights = self._start_fit(X, y, sample_weight)
        self._settings = self._read_settings()
        statistics = self._statistics_of(X, index, weights)
        self._learned = self._learn(statistics)
        vars(self).pop("statistics_", None)
        if all(map(has_statistics, self._settings.families)):
            self.statistics_ = statistics
        return self

    @property
    def densities_(self) -> list[list]:
        """Density of each class and column; after learning in pieces, estimated when it is first needed."""
        if self._learned is None:
            self._learned = self._learn(self.statistics_)
        return self._learned

    def _terms(self, X: np.ndarray) -> dict[str, np.ndarray]:
        """Return ln p(x_j | C_k), shape (n, K), of each column; 0 where its value is missing."""
        terms = np.zeros((X.shape[1], len(X), len(self.classes_)))
        for j, x in enumerate(X.T):
            observed = ~np.isnan(x)
            for k, densities in enumerate(self.densities_):
                terms[j, observed, k] = densities[j].log_density(x[observed])
        return dict(zip([f"ln p({name}|C)" for name in self._column_names], terms, strict=True))

    def _learn(self, statistics: list[Columns]) -> list[list]:
        """From the statistics of the classes to the densities of their columns."""
        densities, labels = [[] for _ in statistics], self.classes_.tolist()
        for j, family in enumerate(self._settings.families):
            parts = [each.parts[j] for each in statistics]
            if isinstance(family, Categorical) and family.categories is None:
                seen = reduce(add, parts).totals
                family = clone(family).set_params(categories=sorted(c for c, total in seen.items() if total > 0))
            for k, part in enumerate(parts):
                if not part.weight:
                    missing = f": all its values of column {self._column_names[j]!r} are missing, or weigh nothing"
                    why = missing if statistics[k].weight else " is empty: none of its samples was given"
                    raise ValueError(f"class {labels[k]!r}{why}")
                with self._named(j, k):
                    density = clone(family, safe=False)
                    if isinstance(part, Sample):
                        density.fit(part.x, part.weights)
                    else:
                        density.estimate(part)
                    densities[k].append(density)
        return densities

    def _statistics_of(self, X, index, weights) -> list[Columns]:
        weights = np.ones(len(X)) if weights is None else weights
        return [self._columns(X, (index == k) & (weights > 0), weights, k) for k in range(len(self.classes_))]

    def _columns(self, X, rows, weights, k) -> Columns:
        """Statistics of each column of these rows of X, of class k, without the missing values."""
        parts = []
        for j, family in enumerate(self._settings.families):
            observed = rows & ~np.isnan(X[:, j])
            x, w = X[observed, j], weights[observed]
            with self._named(j, k):
                summarise = family.summarise if has_statistics(family) else lambda x, w: Sample(float(w.sum()), x, w)
                parts.append(summarise(x, w) if len(x) else Sums())
        return Columns(float(weights[rows].sum()), parts)

    def _check_training(self, X, y, sample_weight, reset=True, may_vanish=False):
        try:
            return super()._check_training(X, y, sample_weight, reset, may_vanish)
        except ValueError as error:
            if "could not convert string" in str(error):
                error.add_note("Code categories as numbers first, for instance with scikit-learn's OrdinalEncoder.")
            raise

    def _named(self, j: int, k: int):
        """Context in which an error gets a note of column j and class k."""
        return note_errors(f"column {self._column_names[j]!r} of class {self.classes_.tolist()[k]!r}")

    def _read_settings(self) -> Asked:
        d, names, families = self.n_features_in_, self._column_names, self.families
        if isinstance(families, dict):
            numbers = [key for key in families if is_number(key, Integral) and 0 <= key < d]
            unknown = [key for key in families if key not in numbers and not (isinstance(key, str) and key in names)]
            found = [[families[key] for key in {name, j} & families.keys()] for j, name in enumerate(names)]
            wrong = [name for name, each in zip(names, found, strict=True) if len(each) != 1]
            if unknown or wrong:
                how_many = "two, by name and by number," if wrong and found[names.index(wrong[0])] else "none"
                what = f"names {unknown[0]!r}, which is none" if unknown else f"has {how_many} for column {wrong[0]!r}"
                raise ValueError(f"families must have one for each of the columns {listed(names)}, but {what}")
            found = [family for (family,) in found]
        else:
            found = list(families) if isinstance(families, (list, tuple)) else [families] * d
            if len(found) != d:
                raise ValueError(f"families has {len(found)} families, but X has {d} columns: {listed(names)}")
        for family in found:
            if not is_family(family):
                raise ValueError(
                    f"a family must be an object with the methods fit and log_density, not {family!r}; "
                    f"is it a class, without the () that make an object?"
                )
        return Asked([clone(family, safe=False) for family in found])

    def _check_streams(self, asked) -> None:
        families = asked.families.values() if isinstance(asked.families, dict) else asked.families
        for family in families if isinstance(families, Iterable) else [families]:
            if is_family(family) and not has_statistics(family):  # of what is none, `_read_settings` will tell
                raise AttributeError(
                    f"{family} needs all samples at once, since it has no sufficient statistics: take fit, or "
                    f"another family"
                )

    def _check_continues(self, before: Asked) -> None:
        for name, old, new in zip(self._column_names, before.families, self._settings.families, strict=True):
            if kind_of(old) != kind_of(new):
                raise ValueError(f"the family of column {name!r} was {old}, but is {new} now: start anew with fit")

    def _comparable(self, settings: Asked) -> dict:
        families = zip(self._column_names, settings.families, strict=True)
        return {f"family of column {name!r}": kind_of(family) for name, family in families}

    def _where_lost(self, X) -> str:
        terms = zip(self._column_names, X[0], self._terms(X).values(), strict=True)
        columns = [f"column {name!r} is {x:g}" for name, x, term in terms if np.isneginf(term).all()]
        return super()._where_lost(X) + (f", where {listed(columns, str)}" if columns else "")

    @property
    def _column_names(self) -> list:
        """Names of the columns where X had names, else their numbers."""
        return list(getattr(self, "feature_names_in_", range(self.n_features_in_)))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def is_family(family) -> bool:
    """Tell whether this has the methods of a family, and is not its class."""
    return not isinstance(family, type) and all(hasattr(family, name) for name in ("fit", "log_density"))


def kind_of(family) -> tuple[str, dict]:
    """Name and hyperparameters of a family, the same for two that will estimate the same."""
    asked = family.get_params() if hasattr(family, "get_params") else getattr(family, "__dict__", {})
    return type(family).__name__, {name: _plain(value) for name, value in asked.items()}


def _plain(value):
    """Return an array, a tuple or a range as a list."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, tuple | range) else value


def has_statistics(family) -> bool:
    """Tell whether a family has sufficient statistics, from which it can be estimated."""
    return hasattr(family, "summarise") and hasattr(family, "estimate")
