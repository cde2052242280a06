"""Learning in pieces: a classifier that needs only sums over each class can add, merge and remove data."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from bayeslab._machinery.atomic import all_or_nothing, without_cache
from bayeslab._machinery.blocks import one_thread
from bayeslab._machinery.labels import code_labels, estimate_priors
from bayeslab._machinery.settings import NEEDS_ALL_DATA, Settings
from bayeslab.classifier import log_posterior
from bayeslab.moments import Moments, cut, moments_by_group


def streams(classifier) -> bool:
    """Tell scikit-learn whether a classifier, as it is asked for, can learn in pieces; if not, say why."""
    classifier._must_stream(classifier)
    return True


def has_streamed(classifier) -> bool:
    """Tell the same of a classifier as it was fitted."""
    classifier._must_stream(getattr(classifier, "_settings", classifier))
    return True


class StreamingMixin:
    """Adds, merges and removes data, for a classifier whose parameters follow from `statistics_` and `_settings`.

    `statistics_` has one object per class that can be added and subtracted, and has a `weight`: moments, or sums. Every
    way of giving it the data, at once or in any pieces in any order, leads to the same parameters up to rounding. They
    are computed when they are next needed: a stream may begin with too few samples for them.

    Hooks of a subclass are `_read_settings` and `_statistics_of`, and, where they are not those below, `_must_stream`,
    `_must_continue` and `_comparable`.
    """

    def _read_settings(self):
        """Return the hyperparameters as a named tuple, or raise a ValueError that names one which makes no sense."""
        raise NotImplementedError

    def _statistics_of(self, X, index: np.ndarray, weights) -> list:
        """Statistics of each class in checked rows X; `index` holds the number of each row's class, shape (n,)."""
        raise NotImplementedError

    def _must_stream(self, asked) -> None:
        """Raise an AttributeError where a classifier or settings like `asked` need all data at once."""

    def _must_continue(self, before) -> None:
        """Raise a ValueError where the settings have changed from those before to what the statistics do not tell."""

    def _comparable(self, settings) -> dict:
        """Return what two classifiers must have in common to be merged."""
        return settings._asdict()

    @available_if(streams)
    @all_or_nothing
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Add samples to those seen before.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
        classes : list, optional
            All labels there will be; needed in the first call, unless its y already holds each of them.
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
        X, y, weights = self._check_training(X, y, sample_weight, reset=first, may_vanish=True)
        self._settings, self._asked_priors = self._read_settings(), self.priors
        if first:
            labels = y if classes is None else np.array(list(classes))
            if not len(labels):
                raise ValueError("classes is empty: give all labels there will be, or None where y holds each of them")
            self.classes_ = code_labels(labels)[0]
        elif classes is not None and not np.array_equal(np.unique(list(classes)), self.classes_):
            raise ValueError(f"classes is {list(classes)}, but the classes are {self.classes_.tolist()} already")
        else:
            self._must_continue(before)
        added = self._statistics_of(X, self._index_of(y), weights)
        self._set_statistics(added if first else [old + new for old, new in zip(self.statistics_, added, strict=True)])
        return self

    @available_if(has_streamed)
    @all_or_nothing
    def remove(self, X, y, sample_weight=None):
        """Take samples away that were fitted before, as if they had never been there.

        The scatter that is left is exact to a few ε times the scatter that was there: removing a far outlier, or nearly
        all samples, costs the digits by which it was larger.

        Examples
        --------
        >>> from bayeslab import GaussianNB
        >>> rule = GaussianNB().fit([[1], [3], [50], [7], [9]], ["a", "a", "a", "b", "b"])
        >>> rule.remove([[50]], ["a"]).means_.tolist()
        [[2.0], [8.0]]
        """
        check_is_fitted(self)
        X, y, weights = self._check_training(X, y, sample_weight, reset=False, may_vanish=True)
        removed = self._statistics_of(X, self._index_of(y), weights)
        for label, old, gone in zip(self.classes_.tolist(), self.statistics_, removed, strict=True):
            if gone.weight and gone.weight >= old.weight:
                raise ValueError(
                    f"cannot remove a weight of {gone.weight:g} from the {old.weight:g} of class {label!r}"
                )
        left = [old - gone if gone.weight else old for old, gone in zip(self.statistics_, removed, strict=True)]
        self._set_statistics(left)
        return self

    @available_if(has_streamed)
    @all_or_nothing
    def merge(self, other):
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
        self._must_be_like(other)
        ours = dict(zip(self.classes_.tolist(), self.statistics_, strict=True))
        theirs = dict(zip(other.classes_.tolist(), other.statistics_, strict=True))
        self.classes_ = np.union1d(self.classes_, other.classes_)
        both = [[part[label] for part in (ours, theirs) if label in part] for label in self.classes_.tolist()]
        self._set_statistics([sum(parts[1:], start=parts[0]) for parts in both])
        return self

    def _set_statistics(self, statistics: list) -> None:
        """Take these statistics, and the priors that follow from them, and drop what was computed from the old ones."""
        self.statistics_, self._learned = statistics, None
        weights = np.array([each.weight for each in statistics])
        self.priors_, self._asked_priors = estimate_priors(self._asked_priors, self.classes_, weights)

    def _index_of(self, y) -> np.ndarray:
        """Return the number of the class of each label in a further piece of data."""
        index = np.searchsorted(self.classes_, y).clip(max=len(self.classes_) - 1)
        unknown = np.unique(y[self.classes_[index] != y]).tolist()
        if unknown:
            raise ValueError(
                f"y holds {unknown[0]!r}, but the classes are {self.classes_.tolist()}; name all of them in the first "
                f"call: partial_fit(..., classes=...)"
            )
        return index

    def _must_be_like(self, other) -> None:
        """Raise a ValueError that says in what `other` is another kind of classifier."""
        kinds = {
            "number of features": [c.n_features_in_ for c in (self, other)],
            "feature names": [list(getattr(c, "feature_names_in_", [])) for c in (self, other)],
            "hyperparameters": [
                {**c._comparable(c._settings), "priors": np.array(c._asked_priors).tolist()} for c in (self, other)
            ],
            "kind of labels": [{type(label).__name__ for label in c.classes_.tolist()} for c in (self, other)],
        }
        for what, (ours, theirs) in kinds.items():
            if ours != theirs:
                if isinstance(ours, dict):  # those that differ are enough
                    differ = [name for name in ours if ours[name] != theirs[name]]
                    ours, theirs = ({name: each[name] for name in differ} for each in (ours, theirs))
                raise ValueError(f"cannot merge classifiers of another {what}: {ours} and {theirs}")


class MomentsMixin(StreamingMixin):
    """Learning in pieces for a classifier whose statistics are the `Moments` of each class."""

    @classmethod
    def of_moments(cls, moments: list[Moments], classes, **parameters):
        """Return a classifier with these hyperparameters, fitted to samples of which only the moments are known.

        Parameters
        ----------
        moments : list of K `Moments`
        classes : list of K labels, in the order of the moments
        **parameters
            Of the classifier; priors are in the order of the sorted labels.

        Examples
        --------
        >>> from bayeslab import NearestMean
        >>> rule = NearestMean.of_moments([Moments.of([1, 3]), Moments.of([7, 9])], ["a", "b"])
        >>> rule.predict([[4], [6]]).tolist()  # the means are 2 and 8
        ['a', 'b']
        """
        fitted = cls(**parameters)
        streams(fitted)  # or raises
        fitted._settings = settings = Settings.of(fitted)
        fitted._asked_priors = fitted.priors
        fitted.classes_, order = np.unique(classes, return_index=True)
        if len(order) < 2 or not len(order) == len(classes) == len(moments):
            raise ValueError(
                f"two or more different classes are needed, and moments of each, not {len(moments)} moments and the "
                f"classes {list(classes)}"
            )
        shapes = {each.scatter.shape for each in moments}
        if len(shapes) > 1 or (moments[0].scatter.ndim == 1 and not settings.variances_only):
            raise ValueError(
                f"covariance={settings.covariance!r} needs scatters of one shape, (d, d) for full covariances, "
                f"not {sorted(shapes)}"
            )
        if settings.variances_only:
            moments = [each.without_covariances() for each in moments]
        fitted.n_features_in_ = moments[0].n_features
        fitted._set_statistics([moments[k] for k in order])
        return fitted

    @available_if(streams)
    def leave_one_out_log_proba(self, X, y, sample_weight=None) -> np.ndarray:
        """Log posteriors of each row by the classifier fitted to all other rows, shape (n, K), without n fits.

        The classifier is fitted once, to a copy of itself; each row is then taken out of the moments of its class.

        Examples
        --------
        >>> from bayeslab import NearestMean
        >>> X, y = [[0], [1], [5], [8], [9], [10]], ["a", "a", "a", "b", "b", "b"]
        >>> NearestMean().leave_one_out_log_proba(X, y).argmax(axis=1).tolist()  # without itself, 5 is nearer to "b"
        [0, 0, 1, 1, 1, 1]
        """
        whole = clone(self).fit(X, y, **({} if sample_weight is None else {"sample_weight": sample_weight}))
        X, y, weights = whole._check_training(X, y, sample_weight, reset=False)
        index = np.searchsorted(whole.classes_, y)
        weights = np.ones(len(X)) if weights is None else weights
        counts = np.bincount(index[weights > 0])
        if counts.min() == 1:
            label = whole.classes_.tolist()[counts.argmin()]
            raise ValueError(f"class {label!r} has one sample only: left out, it leaves its class empty")
        scores = np.empty((len(X), len(whole.classes_)))
        for i, k in enumerate(index):
            rest = without_cache(whole)
            if weights[i]:
                left = _without(whole.statistics_[k], X, i, np.flatnonzero(index == k), weights)
                rest._set_statistics([*whole.statistics_[:k], left, *whole.statistics_[k + 1 :]])
            scores[i] = rest._from_scores(np.asarray, X[i : i + 1])[0]
        return log_posterior(scores)

    def _read_settings(self) -> Settings:
        return Settings.of(self)

    def _statistics_of(self, X, index, weights) -> list[Moments]:
        # A stream goes on as it began, also where less would now be enough.
        first = not hasattr(self, "statistics_")
        diagonal = self._settings.variances_only if first else self.statistics_[0].scatter.ndim == 1
        with one_thread(*X.shape):
            return moments_by_group(X, index, len(self.classes_), weights, diagonal)

    def _must_stream(self, asked) -> None:
        if isinstance(asked.shrinkage, str) and asked.shrinkage == "ledoit_wolf":
            raise AttributeError(NEEDS_ALL_DATA)

    def _must_continue(self, before) -> None:
        if self.statistics_[0].scatter.ndim == 1 and not self._settings.variances_only:
            raise ValueError(
                f"covariance={self._settings.covariance!r} needs covariances, but of the samples seen so far only the "
                f"variances were kept: start anew with fit"
            )


def _without(moments: Moments, X: np.ndarray, i: int, rows: np.ndarray, weights: np.ndarray) -> Moments:
    """Moments of these rows of X without row i, given those with it."""
    diagonal = moments.scatter.ndim == 1
    if weights[i] < 0.999 * moments.weight:
        left = moments - Moments.of_blocks(X, [np.array([i])], weights, diagonal)
        if not (left.variation < 1e-3 * moments.variation).any():
            return left
    # More than three digits of the weight or of the variation would go with it: sum them anew.
    return Moments.of_blocks(X, cut(X, [rows[rows != i]], diagonal)[0], weights, diagonal)
