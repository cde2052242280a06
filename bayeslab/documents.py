"""Naive Bayes for documents: by how often each word occurs, or by whether it occurs."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse, sparray, spmatrix
from scipy.special import logsumexp

from bayeslab._base.arrays import Array, Labels, Priors, Weights, check_number
from bayeslab._base.failures import all_or_nothing
from bayeslab.classifier import Accepts, BayesClassifier
from bayeslab.families import times_terms
from bayeslab.moments import ROUNDING, Sums
from bayeslab.streaming import StreamingMixin


class Smoothing(NamedTuple):
    """The hyperparameter that was used in `fit`."""

    alpha: float


class _BagOfWords(StreamingMixin, BayesClassifier):
    """Base class: sums over the documents of each class, dense or sparse, and smoothing."""

    _accepts = Accepts(sparse=True)

    _positive_only: bool  # are negative numbers refused?

    def __init__(self, alpha: float = 1.0, priors: Priors = None):
        self.alpha = alpha
        self.priors: Priors = priors

    @all_or_nothing
    def fit(self, X: ArrayLike | sparray | spmatrix, y: Labels, sample_weight: Weights = None) -> Self:
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
        self.statistics_ = self._statistics_of(X, index, weights)
        self._learned = self._learn()  # now, so that fit reports any problem with the data
        return self

    @property
    def class_count_(self) -> Array:
        """Number of documents of each class, or their total weight, shape (K,)."""
        return np.array([each.weight for each in self.statistics_])

    @property
    def feature_count_(self) -> Array:
        """Sum of each column over the documents of each class, shape (K, d)."""
        none = np.zeros(self.n_features_in_)
        return np.array([each.totals.get("counts", none) for each in self.statistics_])

    @property
    def feature_log_prob_(self) -> Array:
        """Smoothed ln p of each word in each class, shape (K, d)."""
        return self._learned[0]

    def _learn(self) -> tuple[Array, ...]:
        """Estimate log probabilities from the counts."""
        with np.errstate(divide="ignore"):
            return self._log_probabilities(self.feature_count_, self._settings.alpha)

    def _counted(self, X: Any) -> Any:
        """Return what is summed of each document."""
        raise NotImplementedError

    def _log_probabilities(self, counts: Array, α: float) -> tuple[Array, ...]:
        """Tables of shape (K, d), the first of which is `feature_log_prob_`."""
        raise NotImplementedError

    def _statistics_of(self, X: Any, index: np.ndarray, weights: Array | None) -> list[Sums]:
        members = np.zeros((X.shape[0], len(self.classes_)))  # the weight of each document, in the column of its class
        members[np.arange(X.shape[0]), index] = 1.0 if weights is None else weights
        with np.errstate(over="ignore"):
            counts = (self._counted(X).T @ members).T
        classes = zip(members.sum(axis=0).tolist(), counts, strict=True)
        return [Sums(weight, {"counts": total}).within_range() for weight, total in classes]

    def _read_settings(self) -> Smoothing:
        check_number(self.alpha, "alpha", least=0)
        return Smoothing(float(self.alpha))

    def _as_samples(self, X: Any, y: Any = None, reset: bool = False) -> tuple[Any, Any]:
        """Return X without duplicate entries, and y; raise a ValueError that names a negative count."""
        X, y = super()._as_samples(X, y, reset)
        if issparse(X) and not X.has_canonical_format:
            X = X.copy()  # SciPy would add them up in the caller's matrix
            X.sum_duplicates()
        if self._positive_only and (least := X.min()) < 0:
            row, column = np.unravel_index(X.argmin(), X.shape)
            raise ValueError(
                f"X[{row}, {column}] is {least:g}. Negative values in data passed to {type(self).__name__}: counts are "
                f"0 or more; for other columns use NaiveBayes, with a family for each"
            )
        return X, y

    def _where_lost(self, X: Any) -> str:
        words = np.flatnonzero(X.toarray()[0] if issparse(X) else X[0])
        unknown = [j for j in words.tolist() if np.isneginf(self.feature_log_prob_[:, j]).all()]
        if unknown:
            return f"in a document with the word {self._column_names[unknown[0]]!r}, which no class has"
        return f"in a document of {len(words)} different words: each class has a word that rules it out"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = self._positive_only
        tags.classifier_tags.poor_score = True  # on scikit-learn's clusters in the plane, which are not documents
        return tags


class MultinomialNB(_BagOfWords):
    """Naive Bayes of word counts: in class k, each word of a document is word j with probability p_kj.

    ln p(x | C_k) = Σ_j x_j ln p_kj, without the multinomial coefficient, which is the same for all classes. The
    estimate is p_kj = (n_kj + α) / Σ_l (n_kl + α), where n_kj counts word j in the documents of class k. Source:
    Manning, Raghavan and Schütze, Introduction to Information Retrieval, chapter 13.

    Parameters
    ----------
    alpha : float
        α of Lidstone smoothing, as if each class had each word α times more; 1 is Laplace's. With 0, the
        maximum-likelihood estimate, a single word rules out the classes that do not have it.
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
        If X holds NaN, infinity or negative numbers, or if `alpha` is 0 and a class has no words at all.

    Examples
    --------
    >>> X, y = [[2, 1, 0], [1, 0, 0], [0, 1, 3]], ["ham", "ham", "spam"]
    >>> rule = MultinomialNB().fit(X, y)
    >>> np.exp(rule.feature_log_prob_).round(3).tolist()  # (3, 1, 0) + 1 of 7, and (0, 1, 3) + 1 of 7
    [[0.571, 0.286, 0.143], [0.143, 0.286, 0.571]]
    >>> rule.predict([[1, 1, 0], [0, 1, 1]]).tolist()
    ['ham', 'spam']
    """

    _positive_only = True
    _shows_infinity = True  # times ln p ≤ 0, it is −∞ or NaN

    def _counted(self, X: Any) -> Any:
        return X

    def _log_probabilities(self, counts: Array, α: float) -> tuple[Array, ...]:
        log_counts = np.logaddexp(np.log(counts), np.log(α))  # the sums themselves may overflow
        log_totals = logsumexp(log_counts, axis=1, keepdims=True)
        if np.isneginf(log_totals).any():
            label = self.classes_.tolist()[log_totals.argmin()]
            raise ValueError(f"class {label!r} has no words at all: set alpha above 0, or add documents")
        return (log_counts - log_totals,)

    def _terms(self, X: Any) -> dict[str, Array]:
        return {"ln p(x|C)": times_terms(self._learned[0], X).T}


class BernoulliNB(_BagOfWords):
    """Naive Bayes of the words that occur: a document of class k contains word j with probability p_kj.

    ln p(x | C_k) = Σ_j b_j ln p_kj + (1 − b_j) ln(1 − p_kj), where b_j is 1 if x_j > 0 and 0 otherwise. The estimate is
    p_kj = (n_kj + α) / (n_k + 2α): of the n_k documents of class k, n_kj contain word j. Source: Manning, Raghavan and
    Schütze, Introduction to Information Retrieval, chapter 13.

    Parameters and attributes are those of `MultinomialNB`, with this n_kj. With α = 0, a class is ruled out by a word
    that it never had, and also if a word is missing that all of its documents had. X may hold any finite numbers.

    Examples
    --------
    >>> X, y = [[2, 1, 0], [1, 0, 0], [0, 1, 3]], ["ham", "ham", "spam"]
    >>> np.exp(BernoulliNB().fit(X, y).feature_log_prob_).round(3).tolist()  # (2, 1, 0) + 1 of 4; (0, 1, 1) + 1 of 3
    [[0.75, 0.5, 0.25], [0.333, 0.667, 0.667]]
    """

    _positive_only = False

    def _counted(self, X: Any) -> Any:
        if issparse(X):  # faster than by comparing the matrix
            return type(X)(((X.data > 0).astype(float), X.indices, X.indptr), shape=X.shape)
        return (X > 0).astype(float)

    def _log_probabilities(self, counts: Array, α: float) -> tuple[Array, ...]:
        n = self.class_count_[:, None]
        absent = np.where(n - counts > ROUNDING * n, n - counts, 0)  # sums of weights have rounding errors
        log_odds = np.logaddexp(np.log(counts), np.log(α)) - np.logaddexp(np.log(absent), np.log(α))
        return -np.logaddexp(0, -log_odds), -np.logaddexp(0, log_odds)

    def _terms(self, X: Any) -> dict[str, Array]:
        b, (log_present, log_absent) = self._counted(X), self._learned
        # The sum over absent words is that over all words, minus that over the few that occur. Words that all documents
        # of a class have, ln(1 − p) = −∞, are counted instead.
        always = np.isneginf(log_absent)
        log_absent = np.where(always, 0, log_absent)
        log_density = log_absent.sum(axis=1) + times_terms(log_present - log_absent, b).T
        if always.any():
            log_density[b @ always.T < always.sum(axis=1)] = -np.inf
        return {"ln p(x|C)": log_density}
