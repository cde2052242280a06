"""Bayes classifiers: one method is theirs, the joint log-likelihood ln p(x, C_k); everything else follows from it."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from bayeslab._validation import must_be_finite


class BayesClassifier(ClassifierMixin, BaseEstimator):
    """Decide for the class with the largest prior × density.

    A subclass supplies `joint_log_likelihood` and sets `classes_`, the (K,) array of class labels.
    """

    @abstractmethod
    def joint_log_likelihood(self, X) -> np.ndarray:
        """Return ln p(x, C_k) = ln π_k + ln p(x | C_k) of each row of X and each class, shape (n, K)."""

    def predict(self, X) -> np.ndarray:
        """Label of the most probable class of each row, shape (n,); a tie goes to the first class."""
        winner = self.joint_log_likelihood(X).argmax(axis=1)
        return self.classes_[winner]

    def predict_log_proba(self, X) -> np.ndarray:
        """Log posterior ln p(C_k | x) = ln p(x, C_k) − ln Σ_l p(x, C_l), shape (n, K): Bayes' theorem."""
        joint = self.joint_log_likelihood(X)
        return joint - logsumexp(joint, axis=1, keepdims=True)

    def predict_proba(self, X) -> np.ndarray:
        """Posterior p(C_k | x), shape (n, K); each row sums to one."""
        return np.exp(self.predict_log_proba(X))

    def decision_function(self, X) -> np.ndarray:
        """Scores as scikit-learn has them: `joint_log_likelihood`, shape (n, K).

        For two classes it is the log posterior odds ln p(C_1 | x) − ln p(C_0 | x), shape (n,), which is positive
        where the second class wins.
        """
        joint = self.joint_log_likelihood(X)
        return joint[:, 1] - joint[:, 0] if joint.shape[1] == 2 else joint

    def _check_training(self, X, y) -> tuple[np.ndarray, np.ndarray]:
        """Check the training data, set `classes_`, and return X and the class index of each row."""
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite=False)
        must_be_finite(X, "X")
        check_classification_targets(y)
        self.classes_, index = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two classes, but y holds one class only: "
                f"{self.classes_.tolist()[0]!r}. Is a class empty in this training part?"
            )
        return X, index

    def _check_samples(self, X) -> np.ndarray:
        """Check that the classifier is fitted and that X fits it; return X as floats."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=False)
        must_be_finite(X, "X")
        return X
