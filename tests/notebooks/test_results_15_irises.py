"""What notebook 15 prints of irises, by kernels and by Student's t, computed with SciPy and scikit-learn alone."""

import re

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity
from test_results_15 import NUMBER, printed, table


def kernel_log_posterior(X, y, new, h):
    joint = np.empty((len(new), 3))
    for k in range(3):
        parts = [
            KernelDensity(bandwidth=h).fit(X[y == k, j : j + 1]).score_samples(new[:, j : j + 1]) for j in range(4)
        ]
        joint[:, k] = np.log(np.mean(y == k)) + np.sum(parts, axis=0)
    return joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)


def test_kernels_on_irises():
    """With one width, 0.3 cm, near which the folds choose: the same verdict, and an error like the one stated."""
    X, y = load_iris(return_X_y=True)
    folds, found = StratifiedKFold(10, shuffle=True, random_state=1), np.empty((150, 3))
    for train, test in folds.split(X, y):
        found[test] = kernel_log_posterior(X[train], y[train], X[test], 0.3)
    bells = cross_val_predict(GaussianNB(var_smoothing=0), X, y, cv=folds, method="predict_log_proba")
    more_right = (found.argmax(axis=1) == y) * 1.0 - (bells.argmax(axis=1) == y)
    more_loss = (bells - found)[np.arange(150), y]
    (right, its_error), (loss, error) = (
        map(float, pair) for pair in re.findall(rf"({NUMBER}) ± ({NUMBER})", printed("behind, gain"))
    )
    assert abs(right - more_right.mean()) < 2 * its_error
    assert abs(loss - more_loss.mean()) < 2 * error
    assert max(abs(right) / its_error, abs(loss) / error) < 2


def test_promise_of_eight_petals():
    caught, width = map(float, re.findall(r"\d\.\d{2,3}(?!\d| s:)", printed("caught by").replace("1.96", "")))
    t = stats.t(7)
    share = 1 - 2 * t.sf(1.96 / np.sqrt(9 / 8))
    assert abs(caught - share) < 4 * np.sqrt(share * (1 - share) / 20_000)
    exact = t.ppf(0.975) * np.sqrt(9 / 8)
    density = 2 * t.pdf(t.ppf(0.975)) / np.sqrt(9 / 8)
    assert abs(width - exact) < 4 * np.sqrt(0.05 * 0.95 / 20_000) / density + 0.005


def student_log_density(X, new):
    """Geisser's density, by SciPy's multivariate t."""
    n, d = X.shape
    shape = np.cov(X.T) * (n - 1) * (n + 1) / (n * (n - d))
    return stats.multivariate_t(X.mean(axis=0), shape, df=n - d).logpdf(new)


@pytest.mark.parametrize("n", [8, 20, 80])
def test_student_cures_qda(n):
    """Sixty draws of our own: within four standard errors of the difference of two such means."""
    X, y = load_iris(return_X_y=True)
    world = [stats.multivariate_normal(X[y == k].mean(axis=0), np.cov(X[y == k].T)) for k in (1, 2)]
    rng, losses = np.random.default_rng(8), []
    new, truth = np.vstack([law.rvs(500, random_state=rng) for law in world]), np.repeat([0, 1], 500)
    right = []
    for _ in range(60):
        parts = [law.rvs(n, random_state=rng) for law in world]
        z = np.diff([student_log_density(part, new) for part in parts], axis=0)[0]
        rule = QuadraticDiscriminantAnalysis(tol=0).fit(np.vstack(parts), np.repeat([0, 1], n))
        both = rule.decision_function(new), z
        losses.append([np.mean(np.logaddexp(0, np.where(truth == 1, -odds, odds))) for odds in both])
        right.append([np.mean((odds > 0) == truth) for odds in both])
    losses, right = np.array(losses), np.array(right)
    stated = np.array(table("log_posteriors(n) for")[str(n)])
    # Beside the draws, the 1000 flowers of the test differ: another percent.
    assert stated[:2] == pytest.approx(right.mean(axis=0), abs=0.025)
    for k in (0, 1):
        deviation = stats.sem(losses[:, k]) * np.sqrt(2) * 4
        assert stated[3 + k] == pytest.approx(losses[:, k].mean(), abs=deviation + 0.035)
    for (qda, t, error), mine, margin in [(stated[:3], right, 0.01), (stated[3:], losses, 0.01)]:
        difference = mine[:, 1] - mine[:, 0]
        assert t - qda == pytest.approx(difference.mean(), abs=4 * np.hypot(stats.sem(difference), error) + margin)
    assert np.mean(losses[:, 0] - losses[:, 1]) > 0
    if n == 8:
        assert stated[1] - stated[0] > 2 * stated[2]
        assert np.mean(right[:, 1] - right[:, 0]) > 0
