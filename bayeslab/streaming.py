"""Learning in pieces: a classifier that needs only sums over each class can add, merge and remove data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from bayeslab._base.arrays import (
    Array,
    Labelled,
    Labels,
    Priors,
    Weights,
    as_classes,
    as_weights,
    check_no_class_is_empty,
    check_total,
    code_labels,
    estimate_priors,
    rows_of,
)
from bayeslab._base.failures import all_or_nothing, without_cache
from bayeslab.classifier import log_posterior
from bayeslab.moments import Moments, moments_of_rows


def can_stream(classifier: Any) -> bool:
    """Can a classifier with these hyperparameters learn in pieces? If not, the AttributeError says why."""
    classifier._check_streams(classifier)
    return True


def can_continue(classifier: Any) -> bool:
    """The same for the hyperparameters with which a classifier was fitted."""
    classifier._check_streams(getattr(classifier, "_settings", classifier))
    return True


class StreamingMixin:
    """Adds, merges and removes data for a classifier whose parameters follow from `statistics_` and `_settings`.

    `statistics_` holds one object per class with a `weight` that can be added and subtracted: moments, or sums. However
    the data arrive, at once or in pieces, in any order, the parameters are the same up to rounding. They are computed
    when they are next needed, because a stream may begin with too few samples.

    A subclass must define `_read_settings()`, which returns the hyperparameters as a named tuple or raises an error,
    `_statistics_of(X, index, weights)` of checked rows and their class indices, a list with one object per class, and
    `_learn()`, which estimates the parameters from `statistics_`; it may override the three methods that follow.
    """

    # Of the classifier it is mixed into.
    priors: Priors
    classes_: Labelled
    priors_: Array
    statistics_: list[Any]
    n_features_in_: int
    _as_samples: Any
    _read_settings: Any
    _statistics_of: Any
    _learn: Any

    def _check_streams(self, asked: Any) -> None:
        """Raise an AttributeError if a classifier, or settings, like `asked` need all data at once."""

    def _check_continues(self, before: Any) -> None:
        """Raise a ValueError if the settings have changed to something that the statistics cannot provide."""

    def _comparable(self, settings: Any) -> dict[str, Any]:
        """What two classifiers must have in common to be merged."""
        return settings._asdict()

    @available_if(can_stream)
    @all_or_nothing
    def partial_fit(
        self, X: ArrayLike, y: Labels, classes: Sequence[Any] | Labelled | None = None, sample_weight: Weights = None
    ) -> Self:
        """Add samples to those seen before.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
        classes : list, optional
            All labels that will ever occur; needed in the first call unless its y holds each of them.
        sample_weight : (n,) array, optional

        Examples
        --------
        >>> from bayeslab import GaussianNB
        >>> stream = GaussianNB().partial_fit([[1.0], [2.0], [7.0]], ["a", "a", "b"])
        >>> stream.partial_fit([[8.0]], ["b"]).means_
        array([[1.5],
               [7.5]])
        """
        first, before = not hasattr(self, "classes_"), getattr(self, "_settings", None)
        X, y = self._as_samples(X, y, reset=first)
        weights = None if sample_weight is None else as_weights(sample_weight, X.shape[0], may_vanish=True)
        self._settings, self._asked_priors = self._read_settings(), self.priors
        if first:
            labels = y if classes is None else as_classes(classes)
            if not len(labels):
                raise ValueError("classes is empty: give all labels that will occur, or None if y holds each of them")
            self.classes_ = code_labels(labels)[0]
        elif classes is not None and not np.array_equal(code_labels(as_classes(classes))[0], self.classes_):
            raise ValueError(f"classes is {list(classes)}, but the classes are {self.classes_.tolist()} already")
        else:
            self._check_continues(before)
        added = self._statistics_of(X, self._index_of(y), weights)
        self._set_statistics(added if first else [old + new for old, new in zip(self.statistics_, added, strict=True)])
        return self

    @available_if(can_continue)
    @all_or_nothing
    def remove(self, X: ArrayLike, y: Labels, sample_weight: Weights = None) -> Self:
        """Take away samples that were fitted before, as if they had never been there.

        The error of the scatter that is left is a few ε times the scatter before: removing a remote outlier, or nearly
        all samples, costs as many digits as the scatter shrinks by.

        Examples
        --------
        >>> from bayeslab import GaussianNB
        >>> rule = GaussianNB().fit([[1], [3], [50], [7], [9]], ["a", "a", "a", "b", "b"])
        >>> rule.remove([[50]], ["a"]).means_.tolist()
        [[2.0], [8.0]]
        """
        check_is_fitted(self)
        X, y = self._as_samples(X, y)
        weights = None if sample_weight is None else as_weights(sample_weight, X.shape[0], may_vanish=True)
        removed = self._statistics_of(X, self._index_of(y), weights)
        for label, old, gone in zip(self.classes_.tolist(), self.statistics_, removed, strict=True):
            if gone.weight and gone.weight >= old.weight:
                raise ValueError(
                    f"cannot remove a weight of {gone.weight:g} from the {old.weight:g} of class {label!r}: nothing "
                    f"would be left"
                )
        pairs = zip(self.statistics_, removed, strict=True)
        self._set_statistics([old - gone if gone.weight else old for old, gone in pairs])
        return self

    @available_if(can_continue)
    @all_or_nothing
    def merge(self, other: Self) -> Self:
        """Add all samples that `other`, the same kind of classifier fitted elsewhere, has seen.

        Examples
        --------
        >>> from bayeslab import GaussianNB
        >>> here = GaussianNB().fit([[0], [2], [6], [8]], ["a", "a", "b", "b"])
        >>> there = GaussianNB().fit([[8], [10], [20], [22]], ["b", "b", "c", "c"])
        >>> here.merge(there).classes_.tolist(), here.means_.tolist()
        (['a', 'b', 'c'], [[1.0], [8.0], [21.0]])
        """
        check_is_fitted(self)
        if type(other) is not type(self):
            names = [type(each).__name__ for each in (self, other)]
            raise ValueError(f"cannot merge classifiers of another type: {names[0]} and {names[1]}")
        check_is_fitted(other)
        self._check_alike(other)
        ours = dict(zip(self.classes_.tolist(), self.statistics_, strict=True))
        theirs = dict(zip(other.classes_.tolist(), other.statistics_, strict=True))
        self.classes_ = np.union1d(self.classes_, other.classes_)
        both = [[part[label] for part in (ours, theirs) if label in part] for label in self.classes_.tolist()]
        self._set_statistics([sum(parts[1:], start=parts[0]) for parts in both])
        return self

    @cached_property
    def _learned(self) -> Any:
        """What follows from the statistics; `fit` sets it, and after learning in pieces it is computed when needed."""
        check_no_class_is_empty(self.classes_, [each.weight for each in self.statistics_])
        return self._learn()

    def _set_statistics(self, statistics: list[Any]) -> None:
        """Set the statistics of a copy without cache, and the priors that follow from them."""
        self.statistics_ = statistics
        weights = np.array([each.weight for each in statistics])
        check_total(weights)
        self.priors_, self._asked_priors = estimate_priors(self._asked_priors, self.classes_, weights)

    def _index_of(self, y: np.ndarray) -> np.ndarray:
        """Class index of each label in a further piece of data."""
        if y.dtype == object:
            code_labels(y)  # raises if they cannot be compared with one another
            y = np.array(y.tolist())
        index = np.searchsorted(self.classes_, y).clip(max=len(self.classes_) - 1)
        unknown = y[self.classes_[index] != y].tolist()
        if unknown:
            raise ValueError(
                f"y holds {unknown[0]!r}, but the classes are {self.classes_.tolist()}; name all of them in the first "
                f"call: partial_fit(..., classes=...)"
            )
        return index

    def _check_alike(self, other: Self) -> None:
        """Raise a ValueError that says how `other` differs, if the two cannot be merged."""
        kinds: dict[str, list] = {
            "number of features": [c.n_features_in_ for c in (self, other)],
            "feature names": [list(getattr(c, "feature_names_in_", [])) for c in (self, other)],
            "hyperparameters": [
                {**c._comparable(c._settings), "priors": np.array(c._asked_priors).tolist()} for c in (self, other)
            ],
            "kind of labels": [{type(label).__name__ for label in c.classes_.tolist()} for c in (self, other)],
        }
        for what, (ours, theirs) in kinds.items():
            if ours != theirs:
                if isinstance(ours, dict):  # name only those that differ
                    differ = [name for name in ours if ours[name] != theirs[name]]
                    ours, theirs = ({name: each[name] for name in differ} for each in (ours, theirs))
                raise ValueError(f"cannot merge classifiers of another {what}: {ours} and {theirs}")


class LeaveOneOutMixin:
    """Leaves each sample out in turn, for a Gaussian classifier whose statistics are the `Moments` of each class."""

    @available_if(can_stream)
    def leave_one_out_log_proba(self, X: ArrayLike, y: Labels, sample_weight: Weights = None) -> Array:
        """Log posteriors of each row by the classifier fitted to all other rows, shape (n, K), without n fits.

        A copy is fitted to all rows. For QDA and LDA, what each row has added to it follows from one formula
        (`without_each_row`); for the others, and where the formula loses digits, the row is taken out of the moments of
        its class, which takes about as long as a fit to little data.

        Examples
        --------
        >>> from bayeslab import NearestMean
        >>> X, y = [[0], [1], [5], [8], [9], [10]], ["a", "a", "a", "b", "b", "b"]
        >>> NearestMean().leave_one_out_log_proba(X, y).argmax(axis=1).tolist()  # without itself, 5 is nearer to "b"
        [0, 0, 1, 1, 1, 1]
        """
        by_row = rows_of(X)
        whole: Any = clone(self).fit(X, y, sample_weight)
        X, y = whole._as_samples(X, y)
        index, weights = whole._index_of(y), as_weights(sample_weight, len(X))
        counts = np.bincount(index[weights > 0])
        if counts.min() == 1:
            label = whole.classes_.tolist()[counts.argmin()]
            raise ValueError(f"class {label!r} is empty without its only sample, so that can't be left out")
        log_proba = without_each_row(whole, X, index, weights)
        for i in np.flatnonzero(np.isnan(log_proba).any(axis=1)).tolist():
            rest, k = without_cache(whole), index[i]
            if weights[i]:
                left = _without(whole.statistics_[k], X, i, index == k, weights)
                rest._set_statistics([*whole.statistics_[:k], left, *whole.statistics_[k + 1 :]])
            log_proba[i] = rest.predict_log_proba(by_row[[i]])[0]
        return log_proba


def without_each_row(whole: Any, X: np.ndarray, index: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Log posteriors of each row without it, shape (n, K), from the fit to all rows; NaN where digits are lost.

    Leaving out a row x of weight w, from a class of weight n and mean μ, turns the scatter S into S − c δ δᵀ with
    δ = x − μ and c = w n / (n − w), the mean into one that is n / (n − w) times as far from x, and, by Sherman and
    Morrison's formula, aᵀ S⁻¹ b into aᵀ S⁻¹ b + c (aᵀ S⁻¹ δ) (δᵀ S⁻¹ b) / (1 − h), where h = c δᵀ S⁻¹ δ is the leverage
    of the row. The determinant of S is multiplied by 1 − h.
    """
    settings, K = whole._settings, len(whole.classes_)
    gaussians, (n, d) = whole.gaussians_, (len(X), len(whole.gaussians_[0].mean))
    if settings.covariance != "full" or settings.shared not in (0, 1) or settings.shrinkage or gaussians[0].rank < d:
        return np.full((n, K), np.nan)
    sizes, own = np.array([each.weight for each in whole.statistics_]), np.arange(n)
    with np.errstate(all="ignore"):  # what is not finite is NaN in the end
        z = np.array([((X[:, whole.varies_] - g.mean) - g._remainder) @ g.whitening for g in gaussians])  # (K, n, d)
        squared = np.einsum("kij,kij->ik", z, z)
        divisors = sizes - settings.ddof if settings.shared == 0 else np.full(K, sizes.sum() - K * settings.ddof)
        c = weights * sizes[index] / (sizes[index] - weights) / divisors[index]
        left = 1 - c * squared[own, index]  # 1 − h
        shrunk = 1 - weights / divisors[index]  # by which the divisor of the covariance is multiplied
        if settings.shared:
            squared += (c / left)[:, None] * np.einsum("kij,ij->ik", z, z[index, own]) ** 2
            squared *= shrunk[:, None]
            scores = -0.5 * squared
        else:
            squared[own, index] *= shrunk / left
            scores = -0.5 * (squared + [g.log_determinant for g in gaussians])
            scores[own, index] -= 0.5 * (np.log(left) - d * np.log(shrunk))
        moved = (sizes[index] / (sizes[index] - weights)) ** 2 - 1
        scores[own, index] -= 0.5 * moved * squared[own, index]
        if whole._asked_priors is None:
            shares = np.tile(sizes, (n, 1))
            shares[own, index] -= weights
            scores += np.log(shares)
        else:
            scores += np.log(whole.priors_)
        log_proba = log_posterior(scores)
    exact = (left > 0.1) & (shrunk > 0) & (weights < 0.9 * sizes[index])
    # With weights that average less than 1, before or after, the divisor is another one: see `Moments.covariance`.
    surplus = sizes - [each.rows for each in whole.statistics_]
    surplus = np.full(K, surplus.sum())[index] if settings.shared else surplus[index]
    exact &= (surplus >= 0) & (surplus >= weights - 1)
    return np.where(exact[:, None], log_proba, np.nan)


def _without(moments: Moments, X: np.ndarray, i: int, alike: np.ndarray, weights: np.ndarray) -> Moments:
    """Moments of the rows of X that are marked as alike, without row i, given those with it."""
    diagonal = moments.scatter.ndim == 1
    if weights[i] < 0.999 * moments.weight:
        left = moments - moments_of_rows(X, np.array([i]), weights, diagonal)
        if not (left.variation < 1e-3 * moments.variation).any():
            return left
    # The difference would lose more than three digits of the weight or the variation, so sum again.
    rows = np.flatnonzero(alike)
    return moments_of_rows(X, rows[rows != i], weights, diagonal)
