"""The checks of notebook 11 accept what is right, in whatever form, and name each usual mistake."""

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy.spatial.distance import cdist
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier


def bayes(η):
    return np.minimum(η, 1 - η).mean()


def by_sklearn(X, y):
    return 1 - cross_val_score(KNeighborsClassifier(1), X, y, cv=LeaveOneOut()).mean()


def by_distances(X, y, metric="euclidean", mean=np.mean):
    """The share of other labels among the nearest others, by SciPy's distances."""
    distances = cdist(X, X, metric)
    distances[np.diag_indices_from(distances)] = np.inf
    return mean(y[distances.argmin(axis=1)] != y)


def farthest(X, y):
    return np.mean(y[cdist(X, X).argmax(axis=1)] != y)


def itself(X, y):
    return 1 - KNeighborsClassifier(1).fit(X, y).score(X, y)


def second_of_the_sorted(X, y):
    """Right unless two rows are equal."""
    return np.mean(y[cdist(X, X).argsort(axis=1, kind="stable")[:, 1]] != y)


def none_at_distance_0(X, y):
    distances = cdist(X, X)
    distances[distances == 0] = np.inf
    return np.mean(y[distances.argmin(axis=1)] != y)


# (number, answer, what is said)
TABLE = [
    ("11.1", lambda η: 2 * np.mean(η) - 2 * np.mean(np.square(η)), DONE),
    ("11.1", lambda η: [1 - np.mean(np.square(η) + np.square(1 - np.asarray(η)))], DONE),
    ("11.1", bayes, "this is the Bayes error"),
    ("11.1", lambda η: bayes(η) * (2 - 2 * bayes(η)), "Cover and Hart's bound"),
    ("11.1", lambda η: 2 * bayes(η), "twice the Bayes error"),
    ("11.1", lambda η: np.mean(η * (1 - η)), "half of it"),
    ("11.1", lambda η: np.sum(2 * η * (1 - η)), "this is the sum"),
    ("11.1", lambda η: np.mean(η**2 + (1 - η) ** 2), "how often the two labels agree"),
    ("11.1", lambda η: 2 * η.mean() * (1 - η.mean()), "you averaged η first"),
    ("11.1", lambda η: 2 * η * (1 - η), "has shape"),
    ("11.1", lambda η: η.mean(), "the mean posterior"),
    ("11.1", lambda η: np.mean(2 * η * (1 - η)) if η.max() < 1 else 0.5, "for η = (0, 1)"),
    ("11.1", lambda η: 0.3, "not right"),
    ("11.2", by_sklearn, DONE),
    ("11.2", lambda X, y: np.array([by_distances(np.asarray(X), np.asarray(y))]), DONE),
    ("11.2", itself, "each piece named itself"),
    ("11.2", lambda X, y: 1 - by_distances(X, y), "this is the accuracy"),
    ("11.2", lambda X, y: by_distances(X, y, mean=np.sum), "divide by n"),
    ("11.2", farthest, "the farthest pieces"),
    ("11.2", lambda X, y: by_distances(X[:, :1], y), "only the first feature"),
    ("11.2", lambda X, y: by_distances(X, y, "cityblock"), "square them first"),
    ("11.2", second_of_the_sorted, "the first after sorting"),
    ("11.2", none_at_distance_0, "not all at distance 0"),
    ("11.2", lambda X, y: 0.2, "not right"),
]
TABLE += unfinished("11.1", "11.2")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
