"""Naive Bayes: within a class the features are independent, and each has a density of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from inspect import signature
from itertools import product
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from bayeslab._base.arrays import (
    Array,
    Labels,
    Priors,
    Weights,
    as_log_densities,
    blocks,
    code_labels,
    hint_if_class,
    listed,
    locate_errors,
)
from bayeslab._base.failures import all_or_nothing, without_cache
from bayeslab.classifier import Accepts, BayesClassifier
from bayeslab.families import Categorical, Family, are_small_counts
from bayeslab.gaussian import Gaussian
from bayeslab.moments import ROUNDING, Sums
from bayeslab.streaming import StreamingMixin


class ColumnFamilies(NamedTuple):
    """The hyperparameter that was used in `fit`: a family for each column."""

    families: list[Any]


@dataclass(frozen=True, eq=False)
class ColumnStatistics:
    """Total weight of a class and sufficient statistics of its columns, which weigh less if values are missing."""

    weight: float
    columns: list[Any]

    def __add__(self, other: ColumnStatistics) -> ColumnStatistics:
        """Return the statistics of both samples together."""

        def both(ours: Any, theirs: Any) -> Any:
            return ours + theirs if ours.weight and theirs.weight else ours if ours.weight else theirs

        return ColumnStatistics(self.weight + other.weight, self._each_column(both, other))

    def __sub__(self, other: ColumnStatistics) -> ColumnStatistics:
        """Return the statistics of the samples that are left without `other`; a column may become empty."""

        def left(ours: Any, theirs: Any) -> Any:
            if theirs.weight > (1 + ROUNDING) * ours.weight:
                raise ValueError(
                    f"cannot remove samples that were never added: a weight of {theirs.weight:g} from "
                    f"{ours.weight:g} of the observed values"
                )
            if ours.weight - theirs.weight <= ROUNDING * ours.weight:
                return Sums()
            return ours - theirs if theirs.weight else ours

        return ColumnStatistics(self.weight - other.weight, self._each_column(left, other))

    def _each_column(self, combine: Callable, other: ColumnStatistics) -> list[Any]:
        columns = []
        for j, ours_and_theirs in enumerate(zip(self.columns, other.columns, strict=True)):
            with locate_errors(f"column {j}"):
                columns.append(combine(*ours_and_theirs))
        return columns


@dataclass(frozen=True, eq=False)
class Sample:
    """All values of a column in one class, for a family without sufficient statistics."""

    weight: float
    x: Array
    weights: Array


class Together(NamedTuple):
    """Columns of one family, whose log densities are added up at once."""

    columns: list[int]
    family: Any  # fitted to one of the columns and classes
    sums: Callable[[Array], Array]  # of the classes that differ
    rows: np.ndarray  # (K,), where each class stands among these

    @classmethod
    def of(cls, densities: list[list[Any]], columns: list[int]) -> Together:
        """Take these columns together, given the density of each class and column."""
        natural = np.array([[row[j]._natural() for j in columns] for row in densities])
        # A matrix product may round equal rows differently, and classes that are alike must tie.
        different, rows = np.unique(natural.reshape(len(natural), -1), axis=0, return_inverse=True)
        first = densities[0][columns[0]]
        return cls(columns, first, first._adder(different.reshape(-1, *natural.shape[1:])), rows.ravel())


class Fitted(NamedTuple):
    """The density of each class and column, and the columns that are taken together."""

    densities: list[list[Any]]
    together: list[Together]


class NaiveBayes(StreamingMixin, BayesClassifier):
    """Bayes classifier with a one-dimensional density for each column and class: ln p(x | C) = Σ_j ln p_j(x_j | C).

    Missing values (NaN) are left out. In `fit`, the other columns of the row still count; in prediction, the sum over
    the observed columns is the exact marginal density. Both are right if values are missing at random: that one is gone
    mustn't depend on its value or the class. Where a value lies outside the support in every class, a warning names the
    row and the columns, and the posterior is the prior.

    Parameters
    ----------
    families : family, list of d families, or dict from column to family
        One family for all columns, or one for each. The keys of a dict are the column names of a DataFrame or the
        column numbers of an array. A family is one of `families`, `StudentT`, or any object with ``fit(x, weights)``
        and ``log_density(x)``.
    priors : None, "equal" or (K,) array
        π_k: the share of each class in the training data, 1/K, or these numbers, in the order of `classes_`.

    Attributes
    ----------
    classes_, priors_ : (K,) array
    densities_ : list of K lists of d fitted families
    statistics_ : list of K
        Sufficient statistics of each class. If all families have them, there are `partial_fit`, `merge` and `remove`.

    Raises
    ------
    ValueError
        From `fit`, if a column has no family, a class has no values in a column, or a value lies outside the support.
    DegenerateSampleError
        From `fit`, if a density would have width 0, as most families have where values do not vary. A note names the
        column and the class.
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

    _accepts = Accepts(gaps="always")

    statistics_: list[ColumnStatistics]

    def __init__(self, families: Any, priors: Priors = None):
        self.families = families
        self.priors: Priors = priors

    @all_or_nothing
    def fit(self, X: ArrayLike, y: Labels, sample_weight: Weights = None) -> Self:
        """Fit the densities to the columns of X, shape (n, d), in each class of y, shape (n,).

        A `sample_weight`, shape (n,), of 2 means the same as writing the row twice.
        """
        X, index, weights = self._start_fit(X, y, sample_weight)
        self._settings = self._read_settings()
        self.statistics_ = self._statistics_of(X, index, weights)
        self._learned = self._learn()
        if not all(map(has_statistics, self._settings.families)):  # then these are all samples
            del self.statistics_
        return self

    @property
    def densities_(self) -> list[list[Any]]:
        """Density of each class and column, to read; after learning in pieces, estimated when it is first needed."""
        return self._learned.densities

    def _scores(self, X: Array, log_priors: Array, complete: bool = False) -> Array:
        joint, rest = np.repeat(log_priors[:, None], len(X), axis=1), set(range(X.shape[1]))
        for columns, family, add_up, rows in self._learned.together:
            part = X if len(columns) == X.shape[1] else X[:, columns]
            if family._support.contains_all(part):  # and no value is missing
                sums = add_up(part)
                if complete or family.vanishes or (sums == np.inf).any():  # else h(x) is the same for every class
                    sums = family._add_base(sums, part)
                joint += sums[rows]
                rest -= set(columns)
        for j in sorted(rest):  # one after the other: all together are d times as many numbers
            joint += self._term(X, j)
        return joint.T

    def _terms(self, X: Array) -> dict[str, Array]:
        """Return ln p(x_j | C_k) of each column, shape (n, K); 0 where its value is missing."""
        return {f"ln p({name}|C)": self._term(X, j).T for j, name in enumerate(self._column_names)}

    def _term(self, X: Array, j: int) -> Array:
        """ln p(x_j | C_k), shape (K, n)."""
        x = np.ascontiguousarray(X[:, j])
        if are_small_counts(x):  # look each of them up
            values, index = code_labels(x.astype(np.int64))
            return self._log_densities(j, values.astype(float)).take(index, axis=1)
        term, observed = np.zeros((len(self.classes_), len(x))), ~np.isnan(x)
        if observed.any():
            term[:, observed] = self._log_densities(j, x[observed])
        return term

    def _log_densities(self, j: int, x: Array) -> Array:
        """ln p(x_j | C_k) of these values of column j, shape (K, n)."""
        each = [densities[j] for densities in self.densities_]
        where = [partial("log_density of {}, column {!r},".format, density, self._column_names[j]) for density in each]
        return np.array([as_log_densities(d.log_density(x), x, w) for d, w in zip(each, where, strict=True)])

    def _learn(self) -> Fitted:
        """Estimate the densities of all columns from the statistics of the classes."""
        names, labels, statistics = self._column_names, self.classes_.tolist(), self.statistics_
        for j, k in product(range(len(names)), range(len(labels))):
            if not statistics[k].columns[j].weight:
                raise ValueError(
                    f"class {labels[k]!r} is empty in column {names[j]!r}: all its values are missing or have weight 0"
                )
        densities: list[list] = [[] for _ in labels]
        j = k = 0
        with locate_errors(lambda: f"column {names[j]!r} of class {labels[k]!r}"):
            for j, family in enumerate(self._settings.families):
                samples = [each.columns[j] for each in statistics]
                if isinstance(family, Categorical) and family.categories is None:
                    family = without_cache(family)
                    family.categories = sorted({c for each in samples for c, total in each.totals.items() if total > 0})
                ours = is_ours(family) and has_statistics(family)
                family = family._asked() if ours else family
                for k, sample in enumerate(samples):
                    # scikit-learn's way takes ten times as long, which hundreds of columns and classes would feel.
                    density: Any = without_cache(family) if is_ours(family) else clone(family, safe=False)
                    if ours:
                        density._estimate(sample)
                    elif isinstance(sample, Sample):
                        density.fit(sample.x, sample.weights)
                    else:
                        density.estimate(sample)
                    densities[k].append(density)
        groups = [columns for columns in alike(densities[0]) if hasattr(densities[0][columns[0]], "_natural")]
        return Fitted(densities, [Together.of(densities, columns) for columns in groups])

    def _statistics_of(self, X: Array, index: np.ndarray, weights: Array | None) -> list[ColumnStatistics]:
        families, K = self._settings.families, len(self.classes_)
        weights = np.ones(len(X)) if weights is None else weights
        if not weights.all():
            X, index, weights = X[weights > 0], index[weights > 0], weights[weights > 0]
        columns: list[list[Any]] = [[None] * len(families) for _ in range(K)]
        rest = set(range(len(families)))
        for together in alike(families):
            part = X if len(together) == X.shape[1] else X[:, together]
            with suppress(ValueError):  # below, where the error names the column and the class, it is raised again
                family = families[together[0]]._asked()
                inside = (family._support.contains_all(part[rows]) for rows in blocks(*part.shape))
                if len(X) and all(inside):  # and no value is missing
                    summaries = family._summarise_columns(part, index, K, weights)
                    for of_class, found in zip(columns, summaries, strict=True):
                        for j, each in zip(together, found, strict=True):
                            of_class[j] = each if each.weight else Sums()
                    rest -= set(together)
        classes = [np.flatnonzero(index == k) for k in range(K)]
        for k, rows in enumerate(classes if rest else []):
            for j in rest:
                columns[k][j] = self._statistics_of_column(k, j, X[rows, j], weights[rows])
        return [ColumnStatistics(float(weights[rows].sum()), of) for rows, of in zip(classes, columns, strict=True)]

    def _statistics_of_column(self, k: int, j: int, x: Array, weights: Array) -> Any:
        """Summarise the observed values of a column in class k."""
        family, observed = self._settings.families[j], ~np.isnan(x)
        x, weights = x[observed], weights[observed]
        with locate_errors(f"column {self._column_names[j]!r} of class {self.classes_.tolist()[k]!r}"):
            if not len(x):
                return Sums()
            return family.summarise(x, weights) if has_statistics(family) else Sample(float(weights.sum()), x, weights)

    def _as_samples(self, X: Any, y: Any = None, reset: bool = False) -> tuple[Any, Any]:
        try:
            return super()._as_samples(X, y, reset)
        except ValueError as error:
            if "could not convert string" in str(error):
                error.add_note("Code categories as numbers first, for instance with scikit-learn's OrdinalEncoder.")
            raise

    def _read_settings(self) -> ColumnFamilies:
        names, families = list(self._column_names), self.families
        if isinstance(families, dict):
            unknown = [key for key in families if key not in names]
            missing = [name for name in names if name not in families]
            if unknown or missing:
                wrong = f"names {unknown[0]!r}, which is not one of them" if unknown else f"has none for {missing[0]!r}"
                raise ValueError(f"families must have one for each of the columns {listed(names)}, but {wrong}")
            families = [families[name] for name in names]
        elif not isinstance(families, (list, tuple)):
            families = [families] * len(names)
        elif len(families) != len(names):
            raise ValueError(f"families has {len(families)} families, but X has {len(names)} columns: {listed(names)}")
        different = {id(family): family for family in families}
        for family in different.values():
            check_family(family)
        copies = {number: clone(family, safe=False) for number, family in different.items()}
        return ColumnFamilies([copies[id(family)] for family in families])

    def _check_streams(self, asked: Any) -> None:
        families = asked.families.values() if isinstance(asked.families, dict) else asked.families
        for family in families if isinstance(families, Iterable) else [families]:
            if is_family(family) and not has_statistics(family):  # `_read_settings` will refuse what is not a family
                raise AttributeError(
                    f"{family} needs all samples at once, since it has no sufficient statistics: use fit, or another "
                    f"family"
                )

    def _check_continues(self, before: ColumnFamilies) -> None:
        for name, old, new in zip(self._column_names, before.families, self._settings.families, strict=True):
            if type_and_params(old) != type_and_params(new):
                raise ValueError(f"the family of column {name!r} was {old}, but is {new} now: start again with fit")

    def _comparable(self, settings: ColumnFamilies) -> dict:
        families = zip(self._column_names, settings.families, strict=True)
        return {f"family of column {name!r}": type_and_params(family) for name, family in families}

    def _where_lost(self, X: Array) -> str:
        terms = zip(self._column_names, X[0], self._terms(X).values(), strict=True)
        columns = [f"column {name!r} is {x:g}" for name, x, term in terms if np.isneginf(term).all()]
        return super()._where_lost(X) + (f", where {listed(columns, str)}" if columns else "")


def is_family(family: Any) -> bool:
    """Tell whether this is an object, not a class, with the methods of a family."""
    return not isinstance(family, type) and hasattr(family, "fit") and hasattr(family, "log_density")


def check_family(family: Any) -> None:
    """Raise a ValueError unless this is a family; say which classifier takes it instead."""
    hint = hint_if_class(family)
    if isinstance(family, Gaussian):
        hint = "; the Gaussian family is Normal"
    elif is_family(family):
        try:
            signature(family.fit).bind(None, None)
        except TypeError:
            raise ValueError(f"the fit of a family must take x and weights, but that of {family!r} does not") from None
        return
    elif not hint and hasattr(family, "fit") and hasattr(family, "score_samples"):
        hint = "; DensityClassifier takes this one, for all columns"
    raise ValueError(f"a family must be an object with the methods fit and log_density, not {family!r}{hint}")


def is_ours(family: Any) -> bool:
    """Tell whether this is a family of `families` itself: a subclass may do anything in another way."""
    return type(family).__module__ == Family.__module__


def alike(families: list[Any]) -> list[list[int]]:
    """Numbers of the columns with the same family of ours with sufficient statistics, for each of these families."""
    groups: dict[str, list[int]] = {}
    for j, family in enumerate(families):
        if is_ours(family) and has_statistics(family):
            groups.setdefault(str(type_and_params(family)), []).append(j)
    return list(groups.values())


def has_statistics(family: Any) -> bool:
    """Tell whether a family can be estimated from sufficient statistics."""
    return hasattr(family, "summarise") and hasattr(family, "estimate")


def type_and_params(family: Any) -> tuple[str, dict[str, Any]]:
    """Type and hyperparameters of a family: equal for two families that make the same estimates."""
    params = family.get_params() if hasattr(family, "get_params") else getattr(family, "__dict__", {})
    # As lists, a tuple, a range and an array of the same numbers are equal.
    return type(family).__name__, {name: np.array(value, dtype=object).tolist() for name, value in params.items()}
