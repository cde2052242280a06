"""The checks of notebook 14 accept what is right, in whatever form, and name each usual mistake."""

import numpy as np
import pytest
from judging import DONE, must_say, unfinished
from scipy.linalg import eigh
from scipy.stats import f_oneway
from sklearn.decomposition import PCA


def by_covariance(X, share):
    """From the eigenvalues of the covariance, the largest first."""
    return first_at(np.linalg.eigvalsh(np.cov(X.T))[::-1], share)


def first_at(scatter, share):
    return int(np.argmax(np.cumsum(scatter) >= share * np.sum(scatter))) + 1


def singular(X):
    return np.linalg.svd(X - X.mean(axis=0), compute_uv=False)


def each(X, share):
    scatter = singular(X) ** 2
    return np.sum(scatter / scatter.sum() >= share)


def parts(w, X, y):
    """Positions along w of each class, and of all."""
    t = np.asarray(X) @ np.asarray(w)
    return [t[np.asarray(y) == label] for label in np.unique(y)], t


def by_f(w, X, y):
    """From the F statistic of SciPy."""
    groups, t = parts(w, X, y)
    return f_oneway(*groups).statistic * (len(groups) - 1) / (len(t) - len(groups))


def within(groups):
    return sum(len(part) * part.var() for part in groups)


def unweighted(w, X, y):
    groups, t = parts(w, X, y)
    return sum((part.mean() - t.mean()) ** 2 for part in groups) / within(groups)


def about_the_middle(w, X, y, weighted=True):
    groups, _ = parts(w, X, y)
    middle = np.mean([part.mean() for part in groups])
    return sum((len(p) if weighted else 1) * (p.mean() - middle) ** 2 for p in groups) / within(groups)


def over_variances(w, X, y, ddof):
    groups, _ = parts(w, X, y)
    return by_f(w, X, y) * within(groups) / sum(part.var(ddof=ddof) for part in groups)


def largest(w, X, y):
    means = np.array([X[y == label].mean(axis=0) for label in np.unique(y)])
    rows = means[np.unique(y, return_inverse=True)[1]]
    return eigh((rows - X.mean(axis=0)).T @ (rows - X.mean(axis=0)), (X - rows).T @ (X - rows))[0][-1]


def plain_f(w, X, y):
    return f_oneway(*parts(w, X, y)[0]).statistic


def over_all(X, y, which):
    """Scatter between (0) or within (1) the classes along each column."""
    columns = [parts(w, X, y)[0] for w in np.eye(X.shape[1])]
    F = [by_f(w, X, y) for w in np.eye(X.shape[1])]
    return [within(groups) * (1 if which else J) for groups, J in zip(columns, F, strict=True)]


def of_three_only(w, X, y):
    return by_f(w, X, y) if len(np.unique(y)) == 3 else 0.0


# (number, answer, what is said)
TABLE = [
    ("14.1", by_covariance, DONE),
    ("14.1", lambda X, share: PCA(share, svd_solver="full").fit(X).n_components_, DONE),
    ("14.1", lambda X, share: first_at(np.linalg.svd(X, compute_uv=False) ** 2, share), "not centred"),
    ("14.1", lambda X, share: first_at(singular(X), share), "the singular values"),
    ("14.1", lambda X, share: by_covariance(X, share) - 1, "one too few"),
    ("14.1", lambda X, share: first_at(singular(X)[::-1] ** 2, share), "from the smallest"),
    ("14.1", lambda X, share: by_covariance(X / X.std(axis=0), share), "standard deviations"),
    ("14.1", each, "the share each"),
    ("14.1", lambda X, share: first_at(np.linalg.svd(X - X.mean(), compute_uv=False) ** 2, share), "its own"),
    ("14.1", lambda X, share: 1 + int(np.sum(np.cumsum(singular(X) ** 2) < share)), "divide by the sum"),
    ("14.1", lambda X, share: np.cumsum(singular(X) ** 2), "has shape (5,)"),
    ("14.1", lambda X, share: 3, "not right"),
    ("14.1", lambda X, share: np.array([by_covariance(X, share)]), DONE),
    ("14.2", by_f, DONE),
    ("14.2", lambda w, X, y: np.array([by_f(w, X, y)]), DONE),
    ("14.2", unweighted, "not weighted"),
    ("14.2", lambda w, X, y: about_the_middle(w, X, y, weighted=False), "not weighted"),
    ("14.2", about_the_middle, "the common mean"),
    ("14.2", lambda w, X, y: 1 / by_f(w, X, y), "turn it round"),
    ("14.2", lambda w, X, y: by_f(w, X, y) / (1 + by_f(w, X, y)), "total scatter"),
    ("14.2", lambda w, X, y: over_variances(w, X, y, 0), "by variances"),
    ("14.2", lambda w, X, y: over_variances(w, X, y, 1), "by variances"),
    ("14.2", plain_f, "analysis of variance"),
    ("14.2", lambda w, X, y: sum(over_all(X, y, 0)) / sum(over_all(X, y, 1)), "over all directions"),
    ("14.2", largest, "largest J"),
    ("14.2", lambda w, X, y: np.sqrt(by_f(w, X, y)), "the root"),
    ("14.2", lambda w, X, y: by_f(w, X, y) * within(parts(w, X, y)[0]), "between alone"),
    ("14.2", of_three_only, "for two classes"),
]
TABLE += unfinished("14.1", "14.2")


@pytest.mark.parametrize(("number", "answer", "phrase"), TABLE)
def test_what_is_said(capsys, number, answer, phrase):
    must_say(capsys, number, answer, phrase)
