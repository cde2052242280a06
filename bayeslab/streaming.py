"""Learning in pieces: a classifier that needs only the moments of each class can add, merge and remove data."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import contextmanager
from copy import copy

import numpy as np
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from bayeslab._machinery.arrays import as_weights, must_be_finite
from bayeslab.classifier import BayesClassifier, log_posterior
from bayeslab.moments import Moments, moments_by_group


def streams(estimator) -> bool:
    """Tell scikit-learn which methods an estimator has with its present hyperparameters."""
    return estimator._streams()


class MomentsClassifier(BayesClassifier):
    """Bayes classifier whose parameters follow from `moments_`, the weight, mean and scatter of each class.

    Every way of giving it the data, at once or in any pieces in any order, leads to the same parameters up to rounding.
    A subclass supplies `_estimate`, which computes them, and `_forget`, which drops them when the moments change.
    """

    _diagonal = False  # whether the diagonal of the scatter is enough

    @abstractmethod
    def _estimate(self, X: np.ndarray, index: np.ndarray, weights) -> None:
        """Compute all parameters from `moments_` (and from the data, what moments cannot tell), or raise."""

    @abstractmethod
    def _forget(self) -> None:
        """Drop all parameters that depend on `moments_`."""

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise a ValueError that names a hyperparameter which makes no sense."""

    @abstractmethod
    def _streams(self) -> bool:
        """Return True, or raise an AttributeError where these hyperparameters need all data at once."""

    def fit(self, X, y, sample_weight=None):
        """Estimate the parameters from X, shape (n, d), and the labels y, shape (n,).

        A `sample_weight`, shape (n,), of 2 means the same as writing the row twice.
        """
        with self._all_or_nothing():
            self._fit(*self._check_training(X, y, sample_weight, reset=True, may_vanish=False))
        return self

    def _fit(self, X: np.ndarray, y: np.ndarray, weights) -> None:
        self.classes_, index = code_labels(y)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two classes, but y holds one class only: "
                f"{self.classes_.tolist()[0]!r}. Is a class empty in this training part?"
            )
        self._forget()
        self.moments_ = moments_by_group(X, index, len(self.classes_), weights, self._diagonal)
        self._estimate(X, index, weights)

    @available_if(streams)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Add samples to those seen before; parameters are computed when they are next needed.

        The first call needs `classes`, all labels there will be, unless its y already holds each of them.
        """
        first = not hasattr(self, "moments_")
        with self._all_or_nothing():
            X, y, weights = self._check_training(X, y, sample_weight, reset=first)
            if first:
                self.classes_ = np.unique(y if classes is None else classes)
                self.moments_ = [Moments.none(X.shape[1], self._diagonal)] * len(self.classes_)
            elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
                raise ValueError(f"classes is {list(classes)}, but the classes are {self.classes_.tolist()} already")
            added = self._moments_of(X, y, weights)
            self._forget()
            self.moments_ = [old + new for old, new in zip(self.moments_, added, strict=True)]
        return self

    @available_if(streams)
    def remove(self, X, y, sample_weight=None):
        """Take samples away that were fitted before, as if they had never been there.

        The scatter that is left is exact to a few ε times the scatter that was there: removing a far outlier, or nearly
        all samples, costs the digits by which it was larger.
        """
        check_is_fitted(self)
        removed = self._moments_of(*self._check_training(X, y, sample_weight, reset=False))
        for label, old, gone in zip(self.classes_.tolist(), self.moments_, removed, strict=True):
            if gone.weight and gone.weight >= old.weight:
                raise ValueError(
                    f"cannot remove a weight of {gone.weight:g} from the {old.weight:g} of class {label!r}"
                )
        left = [old - gone if gone.weight else old for old, gone in zip(self.moments_, removed, strict=True)]
        self._forget()
        self.moments_ = left
        return self

    @available_if(streams)
    def merge(self, other):
        """Add all samples that `other`, the same kind of classifier fitted elsewhere, has seen."""
        check_is_fitted(self)
        check_is_fitted(other)
        self._must_be_like(other)
        empty = Moments.none(self.n_features_in_, self._diagonal)
        ours = dict(zip(self.classes_.tolist(), self.moments_, strict=True))
        theirs = dict(zip(other.classes_.tolist(), other.moments_, strict=True))
        classes = np.union1d(self.classes_, other.classes_)
        merged = [ours.get(label, empty) + theirs.get(label, empty) for label in classes.tolist()]
        self._forget()
        self.classes_, self.moments_ = classes, merged
        return self

    @available_if(streams)
    def leave_one_out_log_proba(self, X, y, sample_weight=None) -> np.ndarray:
        """Log posteriors of each row by the classifier fitted to all other rows, shape (n, K), without n fits.

        The classifier is fitted once, to a copy of itself; each row is then taken out of the moments of its class.
        """
        whole = clone(self).fit(X, y, sample_weight)
        X, y, weights = whole._check_training(X, y, sample_weight, reset=False)
        index = np.searchsorted(whole.classes_, y)
        weights = np.ones(len(X)) if weights is None else weights
        counts = np.bincount(index[weights > 0])
        if counts.min() == 1:
            label = whole.classes_.tolist()[counts.argmin()]
            raise ValueError(f"class {label!r} has one sample only: left out, it leaves its class empty")
        scores = np.empty((len(X), len(whole.classes_)))
        for i, k in enumerate(index):
            rest = copy(whole)
            if weights[i]:
                rest._forget()
                rest.moments_ = list(whole.moments_)
                rest.moments_[k] = _without(whole.moments_[k], X, i, np.flatnonzero(index == k), weights)
            scores[i] = rest._scores(X[i : i + 1])[0]
        return log_posterior(scores)

    @contextmanager
    def _all_or_nothing(self):
        """Leave the classifier as it was where what is done inside fails."""
        before = dict(vars(self))
        try:
            yield
        except Exception:
            vars(self).clear()
            vars(self).update(before)
            raise

    def _must_be_like(self, other) -> None:
        """Raise a ValueError that says in what `other` is another kind of classifier."""
        kinds = {
            "type": [type(c).__name__ for c in (self, other)],
            "number of features": [c.n_features_in_ for c in (self, other)],
            "feature names": [list(getattr(c, "feature_names_in_", [])) for c in (self, other)],
            "hyperparameters": [{k: np.array(v).tolist() for k, v in c.get_params().items()} for c in (self, other)],
            "kind of labels": [c.classes_.dtype.kind for c in (self, other)],
        }
        for what, (ours, theirs) in kinds.items():
            if ours != theirs:
                raise ValueError(f"cannot merge classifiers of another {what}: {ours} and {theirs}")

    def _check_training(self, X, y, sample_weight, reset, may_vanish=True):
        self._check_parameters()
        X, y = validate_data(self, X, y, reset=reset, dtype=np.float64, ensure_all_finite=False)
        must_be_finite(X, "X")  # here NaN is wrong even where prediction allows it
        if y.dtype.kind in "fc":
            check_classification_targets(y)
        # In a stream, a piece may weigh nothing.
        return X, y, None if sample_weight is None else as_weights(sample_weight, len(X), may_vanish)

    def _moments_of(self, X, y, weights) -> list[Moments]:
        """Moments of each class in a further piece of data."""
        index = np.searchsorted(self.classes_, y).clip(max=len(self.classes_) - 1)
        unknown = np.unique(y[self.classes_[index] != y]).tolist()
        if unknown:
            raise ValueError(
                f"y holds {unknown[0]!r}, but the classes are {self.classes_.tolist()}; name all of them in the first "
                f"call: partial_fit(..., classes=...)"
            )
        return moments_by_group(X, index, len(self.classes_), weights, self._diagonal)


def code_labels(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ``np.unique(y, return_inverse=True)``, by counting instead of sorting where y holds small integers."""
    if y.dtype.kind not in "iu" or not np.can_cast(y.dtype, np.int64) or int(y.max()) - int(y.min()) > len(y):
        return np.unique(y, return_inverse=True)
    least = int(y.min())
    offsets = y.astype(np.int64) - least  # in 64 bits: the difference of two small integers may need a larger one
    present = np.bincount(offsets) > 0
    return (np.flatnonzero(present) + least).astype(y.dtype), (np.cumsum(present) - 1)[offsets]


def _without(moments: Moments, X: np.ndarray, i: int, rows: np.ndarray, weights: np.ndarray) -> Moments:
    """Moments of these rows of X without row i, given those with it."""
    diagonal = moments.scatter.ndim == 1
    left = moments - Moments.of_rows(X, np.array([i]), weights, diagonal)
    if (left.variation < 1e-3 * moments.variation).any():  # more than three digits went with it: sum them anew
        left = Moments.of_rows(X, rows[rows != i], weights, diagonal)
    return left
