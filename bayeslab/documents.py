"""Documents as bags of words: naive Bayes by how often each word occurs, or by whether it does."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse

from bayeslab._base.arrays import check_finite, check_number
from bayeslab._base.atomic import all_or_nothing
from bayeslab._base.blocks import blocks
from bayeslab._base.sums import ROUNDING, Sums
from bayeslab.classifier import BayesClassifier
from bayeslab.streaming import StreamingMixin


class Asked(NamedTuple):
    """What was asked for."""

    alpha: float


class _BagOfWords(StreamingMixin, BayesClassifier):
    """What both have in common: sums over the documents of each class, dense or sparse, and smoothing."""

    _sparse = "csr"

    def __init__(self, alpha=1.0, priors=None):
        self.alpha = alpha
        self.priors = priors

    @all_or_nothing
    def fit(self, X, y, sample_weight=None):
        """Count the words in the documents of each class.

        Parameters
        ----------
        X : (n, d) array, DataFrame or sparse matrix
            A row for each document, a column for each word.
        y : (n,) array
        sample_weight : (n,) array, optional
            A weight of 2 means the same as writing the row twice.
        """
        X, index, weights = self._start_fit(X, y, sample_weight)
        self._settings = self._read_settings()
        self._set_statistics(self._statistics_of(X, index, weights))
        self._learned = self._learn()  # now, so that whatever is wrong with the data is said by fit
        return self

    @property
    def class_count_(self) -> np.ndarray:
        """Documents of each class, or their weight, shape (K,)."""
        return np.array([each.weight for each in self.statistics_])

    @property
    def feature_count_(self) -> np.ndarray:
        """Sum of each column over the documents of each class, shape (K, d)."""
        none = np.zeros(self.n_features_in_)
        return np.array([each.totals.get("counts", none) for each in self.statistics_])

    @property
    def feature_log_prob_(self) -> np.ndarray:
        """Smoothed ln p of each word in each class, shape (K, d)."""
        return self._fitted[0]

    @property
    def _fitted(self) -> tuple[np.ndarray, ...]:
        """What follows from the counts; after learning in pieces, computed when it is first needed."""
        if self._learned is None:
            self._learned = self._learn()
        return self._learned

    def _learn(self) -> tuple[np.ndarray, ...]:
        """From the counts to logarithms of probabilities."""
        for label, weight in zip(self.classes_.tolist(), self.class_count_, strict=True):
            if not weight:
                raise ValueError(f"class {label!r} is empty: none of its samples was given, with a weight above 0")
        with np.errstate(divide="ignore"):
            return self._log_probabilities(self.feature_count_, self._settings.alpha)

    def _statistics_of(self, X, index, weights) -> list[Sums]:
        share = np.zeros((X.shape[0], len(self.classes_)))
        share[np.arange(X.shape[0]), index] = 1.0 if weights is None else weights
        with np.errstate(over="ignore"):
            counts = (self._counted(X).T @ share).T
        each_class = zip(share.sum(axis=0).tolist(), counts, strict=True)
        return [Sums(weight, {"counts": total}).within_range() for weight, total in each_class]

    def _read_settings(self) -> Asked:
        check_number(self.alpha, "alpha", least=0)
        return Asked(float(self.alpha))

    def _in_blocks(self, compute, X) -> np.ndarray:
        X = self._as_samples(X)
        check_finite(X, "X")
        width = X.nnz // X.shape[0] + 1 if issparse(X) else X.shape[1]  # numbers a row
        return np.concatenate([compute(X[rows]) for rows in blocks(X.shape[0], width)])

    def _as_samples(self, X):
        X = one_entry_each(super()._as_samples(X))
        self._check_counts(X)
        return X

    def _where_lost(self, X) -> str:
        words = np.flatnonzero(X.toarray()[0] if issparse(X) else X[0])
        lost = [j for j in words if np.isneginf(self.feature_log_prob_[:, j]).all()]
        known = getattr(self, "feature_names_in_", range(self.n_features_in_))
        one = f", with {known[lost[0]]!r}, which no class has" if lost else ", each class lacking one of its words"
        return f"in a document of {len(words)} different words{one if len(words) else ''}"

    def _check_training(self, X, y, sample_weight, reset=True, may_vanish=False):
        X, *others = super()._check_training(X, y, sample_weight, reset, may_vanish)
        X = one_entry_each(X)
        self._check_counts(X)
        return X, *others

    def _check_counts(self, X) -> None:
        """Raise a ValueError that names a negative entry, where there can be none."""
        if self._counts and (least := X.min()) < 0:
            row, column = np.unravel_index(X.argmin(), X.shape)
            raise ValueError(
                f"X[{row}, {column}] is {least:g}. Negative values in data passed to {type(self).__name__}: counts are "
                f"0 or more; for other columns take NaiveBayes, with a family for each"
            )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self._counts
        tags.classifier_tags.poor_score = True  # on scikit-learn's clusters in the plane, which are no documents
        return tags


class MultinomialNB(_BagOfWords):
    """Naive Bayes of word counts: each word of a document is drawn from the words of its class, p_kj of them word j.

    ln p(x | C_k) = Σ_j x_j ln p_kj, up to the multinomial coefficient, which all classes share (and which therefore is
    left out of `joint_log_likelihood`). The estimate is p_kj = (n_kj + α) / Σ_l (n_kl + α), with n_kj times word j in
    the documents of class k. Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, chapter 13.

    Parameters
    ----------
    alpha : float
        α of Lidstone's smoothing: as if each class had each word so many times more; 1 is Laplace's. With 0, maximum
        likelihood, a single word that a class never had rules the class out.
    priors : None, "equal" or (K,) array
        π_k: the share of each class in the training documents, 1/K, or these numbers, in the order of `classes_`.

    Attributes
    ----------
    classes_, priors_, class_count_ : (K,) arrays
    feature_count_, feature_log_prob_ : (K, d) arrays
        n_kj and ln p_kj.

    Raises
    ------
    ValueError
        If X holds NaN, infinity or negative numbers, or `alpha` is 0 and a class has no word at all.

    Examples
    --------
    >>> X, y = [[2, 1, 0], [1, 0, 0], [0, 1, 3]], ["ham", "ham", "spam"]
    >>> rule = MultinomialNB().fit(X, y)
    >>> np.exp(rule.feature_log_prob_).round(3).tolist()  # (3, 1, 0) + 1 of 7, and (0, 1, 3) + 1 of 7
    [[0.571, 0.286, 0.143], [0.143, 0.286, 0.571]]
    >>> rule.predict([[1, 1, 0], [0, 1, 1]]).tolist()
    ['ham', 'spam']
    """

    _counts = True

    def _counted(self, X):
        return X

    def _log_probabilities(self, counts, α):
        totals = (counts + α).sum(axis=1, keepdims=True)
        if not totals.all():
            label = self.classes_.tolist()[totals.argmin()]
            raise ValueError(f"class {label!r} has no word at all: take alpha above 0, or add documents")
        return (np.log(counts + α) - np.log(totals),)

    def _terms(self, X) -> dict[str, np.ndarray]:
        return {"ln p(x|C)": _times_logarithms(X, *self._fitted)}


class BernoulliNB(_BagOfWords):
    """Naive Bayes of the words that occur: a document of class k has word j with the probability p_kj, or it has not.

    ln p(x | C_k) = Σ_j b_j ln p_kj + (1 − b_j) ln(1 − p_kj), where b_j is 1 where x_j > 0, and else 0. The estimate is
    p_kj = (n_kj + α) / (n_k + 2α): of n_k documents of class k, n_kj have word j. Source: Manning, Raghavan and
    Schütze, Introduction to Information Retrieval, chapter 13.

    Parameters
    ----------
    alpha : float
        α of Lidstone's smoothing: as if so many more documents of each class had the word, and so many had not. With 0,
        maximum likelihood, one word that is new to a class rules it out, or one that all of its documents had.
    priors : None, "equal" or (K,) array
        π_k: the share of each class in the training documents, 1/K, or these numbers, in the order of `classes_`.

    Attributes
    ----------
    classes_, priors_, class_count_ : (K,) arrays
    feature_count_, feature_log_prob_ : (K, d) arrays
        n_kj and ln p_kj.

    Raises
    ------
    ValueError
        If X holds NaN or infinity.

    Examples
    --------
    >>> X, y = [[2, 1, 0], [1, 0, 0], [0, 1, 3]], ["ham", "ham", "spam"]
    >>> np.exp(BernoulliNB().fit(X, y).feature_log_prob_).round(3).tolist()  # (2, 1, 0) + 1 of 4; (0, 1, 1) + 1 of 3
    [[0.75, 0.5, 0.25], [0.333, 0.667, 0.667]]
    """

    _counts = False

    def _counted(self, X):
        return (X > 0).astype(float)

    def _log_probabilities(self, counts, α):
        n = self.class_count_[:, None]
        absent = np.where(n - counts > ROUNDING * n, n - counts, 0)  # weights may have been rounded
        return np.log(counts + α) - np.log(n + 2 * α), np.log(absent + α) - np.log(n + 2 * α)

    def _terms(self, X) -> dict[str, np.ndarray]:
        present, absent = self._fitted
        certain = np.isneginf(absent)  # words that all documents of a class have: (1 − b) ln 0 counts those that lack
        lacking = certain.sum(axis=1) - self._counted(X) @ certain.T
        b, odds = self._counted(X), present - np.where(certain, 0, absent)
        log_density = np.where(certain, 0, absent).sum(axis=1) + _times_logarithms(b, odds)
        return {"ln p(x|C)": np.where(lacking > 0, -np.inf, log_density)}


def one_entry_each(X):
    """Return X; a sparse matrix with several entries for a place, which SciPy would add up in place, as a copy."""
    if issparse(X) and not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def _times_logarithms(X, logarithms) -> np.ndarray:
    """X logarithmsᵀ, shape (n, K), where 0 · (−∞) is 0: a word that does not occur does not count."""
    never = np.isneginf(logarithms)
    product = X @ np.where(never, 0, logarithms).T
    if not never.any():
        return product
    return np.where((X != 0).astype(float) @ never.T > 0, -np.inf, product)
