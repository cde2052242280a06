"""Learning in pieces for a classifier whose statistics are the `Moments` of each class."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if

from bayeslab._base.atomic import without_cache
from bayeslab._base.blocks import one_thread
from bayeslab._settings import NEEDS_ALL_DATA, Settings
from bayeslab.classifier import log_posterior
from bayeslab.moments import Moments, cut, moments_by_group
from bayeslab.streaming import StreamingMixin, can_stream


class MomentsMixin(StreamingMixin):
    """Learning in pieces for a classifier whose statistics are the `Moments` of each class."""

    @classmethod
    def of_moments(cls, moments: list[Moments], classes, **parameters):
        """Classifier with these hyperparameters, fitted to samples of which only the moments are known.

        Parameters
        ----------
        moments : list of K `Moments`
        classes : list of K labels, in the order of the moments
        **parameters
            Hyperparameters of the classifier; priors in the order of the sorted labels.

        Examples
        --------
        >>> from bayeslab import NearestMean
        >>> rule = NearestMean.of_moments([Moments.of([1, 3]), Moments.of([7, 9])], ["a", "b"])
        >>> rule.predict([[4], [6]]).tolist()  # the means are 2 and 8
        ['a', 'b']
        """
        fitted = cls(**parameters)
        can_stream(fitted)  # or raises
        fitted._settings = settings = Settings.of(fitted)
        fitted._asked_priors = fitted.priors
        fitted.classes_, order = np.unique(classes, return_index=True)
        if len(order) < 2 or not len(order) == len(classes) == len(moments):
            raise ValueError(
                f"at least two different classes are needed, with moments of each, not {len(moments)} moments and "
                f"the classes {list(classes)}"
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

    @available_if(can_stream)
    def leave_one_out_log_proba(self, X, y, sample_weight=None) -> np.ndarray:
        """Log posteriors of each row by the classifier fitted to all other rows, shape (n, K), without n fits.

        A copy is fitted to all rows; then each row in turn is taken out of the moments of its class.

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
            raise ValueError(f"class {label!r} has only one sample, so leaving it out empties the class")
        scores = np.empty((len(X), len(whole.classes_)))
        for i, k in enumerate(index):
            rest = without_cache(whole)
            if weights[i]:
                left = _without(whole.statistics_[k], X, i, np.flatnonzero(index == k), weights)
                rest._set_statistics([*whole.statistics_[:k], left, *whole.statistics_[k + 1 :]])
            row = X[i : i + 1]
            scores[i] = rest._or_log_priors(rest._joint(row), row)[0]
        return log_posterior(scores)

    def _read_settings(self) -> Settings:
        return Settings.of(self)

    def _statistics_of(self, X, index, weights) -> list[Moments]:
        # Keep full scatters if the stream began with them, even if variances would now do.
        first = not hasattr(self, "statistics_")
        diagonal = self._settings.variances_only if first else self.statistics_[0].scatter.ndim == 1
        with one_thread(*X.shape):
            return moments_by_group(X, index, len(self.classes_), weights, diagonal)

    def _check_streams(self, asked) -> None:
        if isinstance(asked.shrinkage, str) and asked.shrinkage == "ledoit_wolf":
            raise AttributeError(NEEDS_ALL_DATA)

    def _check_continues(self, before) -> None:
        if self.statistics_[0].scatter.ndim == 1 and not self._settings.variances_only:
            raise ValueError(
                f"covariance={self._settings.covariance!r} needs covariances, but only the variances of the "
                f"samples seen so far were kept: start again with fit"
            )


def _without(moments: Moments, X: np.ndarray, i: int, rows: np.ndarray, weights: np.ndarray) -> Moments:
    """Moments of these rows of X without row i, given those with it."""
    diagonal = moments.scatter.ndim == 1
    if weights[i] < 0.999 * moments.weight:
        left = moments - Moments.of_blocks(X, [np.array([i])], weights, diagonal)
        if not (left.variation < 1e-3 * moments.variation).any():
            return left
    # The difference would lose more than three digits of the weight or the variation, so sum again.
    return Moments.of_blocks(X, cut(X, [rows[rows != i]], diagonal)[0], weights, diagonal)
