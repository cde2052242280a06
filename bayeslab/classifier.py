"""Bayes classifiers: one method is theirs, the joint log-likelihood ln p(x, C_k); everything else follows from it."""

from __future__ import annotations

from abc import abstractmethod
from copy import copy

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from bayeslab._machinery.arrays import is_surely_finite, must_be_finite
from bayeslab._machinery.blocks import blocks, one_thread
from bayeslab._machinery.missing import order_by_pattern


class BayesClassifier(ClassifierMixin, BaseEstimator):
    """Decide for the class with the largest prior × density.

    A subclass supplies `joint_log_likelihood` and sets `classes_`, the (K,) array of class labels, and `priors_`.
    """

    _nan_in_prediction = False  # whether a row may have missing values

    @abstractmethod
    def joint_log_likelihood(self, X) -> np.ndarray:
        """Return ln p(x, C_k) = ln π_k + ln p(x | C_k) of each row of X and each class, shape (n, K)."""

    def _scores(self, X: np.ndarray) -> np.ndarray:
        """`joint_log_likelihood` up to a term that all classes share: enough to decide, and sometimes quicker."""
        return self.joint_log_likelihood(X)

    @property
    def _block_width(self) -> int:
        """Numbers that `_scores` has to keep at a time for each row."""
        return self.n_features_in_

    def predict(self, X) -> np.ndarray:
        """Label of the most probable class of each row, shape (n,); a tie goes to the first class."""
        winner = self._in_blocks(lambda rows: first_largest(self._scores(rows)), X)
        return self.classes_.take(winner)

    def predict_log_proba(self, X) -> np.ndarray:
        """Log posterior ln p(C_k | x) = ln p(x, C_k) − ln Σ_l p(x, C_l), shape (n, K): Bayes' theorem."""
        return self._in_blocks(lambda rows: log_posterior(self._scores(rows)), X)

    def predict_proba(self, X) -> np.ndarray:
        """Posterior p(C_k | x), shape (n, K); each row sums to one."""
        return np.exp(self.predict_log_proba(X))

    def decision_function(self, X) -> np.ndarray:
        """Scores as scikit-learn has them: `joint_log_likelihood` up to a term that all classes share, shape (n, K).

        For two classes it is the log posterior odds ln p(C_1 | x) − ln p(C_0 | x), shape (n,), which is positive
        where the second class wins.
        """
        scores = self._in_blocks(self._scores, X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def decide(self, X, costs=None, reject=None) -> np.ndarray:
        """Decision of least expected cost for each row, shape (n,).

        Parameters
        ----------
        X : (n, d) array
        costs : (D, K) array, optional
            Cost of each decision for each true class; by default decisions are the classes, and an error costs 1.
        reject : float, optional
            Cost of not deciding: where no decision is expected to cost less, the answer is −1 (Chow's rule).

        Returns
        -------
        (n,) array of int
            Row of `costs`, which without `costs` is the index in `classes_`, or −1.

        References
        ----------
        Chow (1970), On optimum recognition error and reject tradeoff, IEEE Transactions on Information Theory 16.
        """
        check_is_fitted(self)
        n_classes = len(self.classes_)
        costs = 1 - np.eye(n_classes) if costs is None else np.asarray(costs, dtype=float)
        if costs.ndim != 2 or costs.shape[1] != n_classes or not len(costs):
            raise ValueError(
                f"costs must have a row per decision and a column per class, shape (D, {n_classes}), not {costs.shape}"
            )
        must_be_finite(costs, "costs")
        if reject is not None and not np.isfinite(reject):
            raise ValueError(f"reject must be the cost of not deciding, a finite number, not {reject}")
        expected = self.predict_proba(X) @ costs.T
        best = expected.argmin(axis=1)
        return best if reject is None else np.where(expected.min(axis=1) < reject, best, -1)

    def with_priors(self, priors):
        """Return a copy with other priors and the same densities, without fitting again.

        Parameters
        ----------
        priors : "equal" or (K,) array
            In the order of `classes_`.
        """
        check_is_fitted(self)
        reweighted = copy(self)
        reweighted.priors_ = check_priors(priors, self.classes_)
        reweighted.priors = priors if isinstance(priors, str) else reweighted.priors_
        return reweighted

    @property
    def _log_priors(self) -> np.ndarray:
        return np.log(self.priors_, where=self.priors_ > 0, out=np.full(len(self.priors_), -np.inf))

    def _in_blocks(self, compute, X) -> np.ndarray:
        """Check X, and compute something of it block by block, each checked while it is in the cache."""
        X = self._as_samples(X)
        parts, results = blocks(len(X), self._block_width), []
        with one_thread(len(X), self.n_features_in_):
            for rows in parts:
                block = X[rows]
                if not is_surely_finite(block):
                    break
                results.append(compute(block))
            else:
                return np.concatenate(results)
            must_be_finite(X, "X", allow_nan=self._nan_in_prediction)
            order = order_by_pattern(X)  # rows that miss the same values come together
            ordered = np.concatenate([compute(X[order[rows]]) for rows in parts])
        result = np.empty_like(ordered)
        result[order] = ordered
        return result

    def _check_samples(self, X) -> np.ndarray:
        """Check that the classifier is fitted and that X fits it; return X as floats."""
        X = self._as_samples(X)
        must_be_finite(X, "X", allow_nan=self._nan_in_prediction)
        return X

    def _as_samples(self, X) -> np.ndarray:
        """`_check_samples` without a look at the numbers."""
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=False)


def first_largest(scores: np.ndarray) -> np.ndarray:
    """Return ``scores.argmax(axis=1)``, but sooner: a whole column at a time."""
    winner, best = np.zeros(len(scores), dtype=np.intp), scores[:, 0]
    for k in range(1, scores.shape[1]):
        winner = np.where(scores[:, k] > best, k, winner)
        best = np.maximum(best, scores[:, k])
    return winner


def log_posterior(scores: np.ndarray) -> np.ndarray:
    """Normalise joint log-likelihoods, shape (n, K), that each row may have shifted by a term of its own."""
    return scores - logsumexp(scores, axis=1, keepdims=True)


def check_priors(priors, classes: np.ndarray) -> np.ndarray:
    """Return the priors as an array: 1/K for "equal", else one number per class, which must sum to 1."""
    if isinstance(priors, str):
        if priors != "equal":
            raise ValueError(f'priors must be None, "equal" or one number per class, not {priors!r}')
        return np.full(len(classes), 1 / len(classes))
    priors = np.array(priors, dtype=float)  # a copy: what happens to the caller's array later is not our business
    if priors.shape != classes.shape:
        raise ValueError(
            f"priors has shape {priors.shape}, but y holds {len(classes)} classes: {classes.tolist()}. "
            f"Is a class empty in this training part?"
        )
    check_shares(priors, "priors")
    return priors


def check_shares(shares: np.ndarray, name: str) -> None:
    """Raise a ValueError unless these are non-negative numbers with the sum 1."""
    if not (shares >= 0).all() or not np.isclose(shares.sum(), 1):
        raise ValueError(f"{name} must be non-negative and sum to 1, but {shares.tolist()} sums to {shares.sum():g}")
