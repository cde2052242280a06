"""What notebook 16 prints about e-mails, computed in another way: by scikit-learn and plain NumPy."""

import re
from functools import cache, partial

import numpy as np
import pytest
from sklearn import naive_bayes
from sklearn.linear_model import LogisticRegression
from stored import printed_by

from bayeslab import k_fold, load_spambase

printed = partial(printed_by, "16")
NUMBER = r"-?\d+(?:\.\d+)?"
RULES = {"multinomial": naive_bayes.MultinomialNB(), "Bernoulli": naive_bayes.BernoulliNB()}
RULES["Gaussian"] = naive_bayes.GaussianNB()
OWNER = ["george", "hp", "hpl", "lab", "labs", "telnet", "650", "857", "415", "85"]


@cache
def mails():
    data = load_spambase()
    return data.X, (data.y == "spam").astype(int), [name.split(" (")[0] for name in data.feature_names]


def odds(rule, X, y, folds):
    z = np.empty(len(y))
    for train, test in folds:
        log_p = rule.fit(X[train], y[train]).predict_joint_log_proba(X[test])
        z[test] = log_p[:, 1] - log_p[:, 0]
    return z


def ten_folds():
    return k_fold(mails()[1], 10, np.random.default_rng(16), stratify=True)


@cache
def odds_of(name):
    X, y, _ = mails()
    return odds(RULES[name], X[:, :48], y, ten_folds())


@pytest.mark.parametrize("name", RULES)
def test_accuracies(name):
    X, y, names = mails()
    stated = float(re.search(rf"{name}: ({NUMBER})", printed("for name in z:"))[1])
    assert stated == pytest.approx(np.mean((odds_of(name) > 0) == y), abs=5e-4)
    assert stated == pytest.approx({"multinomial": 0.870, "Bernoulli": 0.877, "Gaussian": 0.807}[name], abs=0.002)
    majority = float(re.search(rf"nothing is spam: ({NUMBER})", printed("for name in z:"))[1])
    assert majority == pytest.approx(2788 / 4601, abs=5e-4)
    others = [j for j in range(48) if names[j] not in OWNER]
    z = odds(RULES[name], X[:, others], y, ten_folds())
    stated = float(re.search(rf"{name}\s+({NUMBER})", printed("owner = "))[1])
    assert stated == pytest.approx(np.mean((z > 0) == y), abs=5e-4)


def test_multinomial_on_presence():
    X, y, _ = mails()
    z = odds(RULES["multinomial"], np.sign(X[:, :48]), y, ten_folds())
    stated = float(re.search(rf"presence: ({NUMBER})", printed("for name in z:"))[1])
    assert stated == pytest.approx(np.mean((z > 0) == y), abs=5e-4)


def test_costs():
    X, y, _ = mails()
    z = {"as it is": odds_of("Bernoulli"), "tempered": np.empty(len(y))}
    for train, test in ten_folds():
        inner = k_fold(y[train], 5, np.random.default_rng(16), stratify=True)
        inside = odds(RULES["Bernoulli"], X[train, :48], y[train], inner)
        slope = LogisticRegression(C=np.inf, fit_intercept=False).fit(inside[:, None], y[train]).coef_[0, 0]
        z["tempered"][test] = slope * z["as it is"][test]
    text = printed("columns = [")
    found = re.findall(r"(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)$", text, re.MULTILINE)
    assert len(found) == 6
    for (c, *counts), name in zip(found, ["as it is"] * 3 + ["tempered"] * 3, strict=True):
        p = 1 / (1 + np.exp(-z[name]))
        filtered = p > int(c) / (int(c) + 1)
        lost, kept = np.sum(filtered & (y == 0)), np.sum(~filtered & (y == 1))
        # Temperatures that differ in the fourth digit may move a mail across the threshold.
        margin = 0 if name == "as it is" else 2
        assert np.abs(np.subtract([int(x) for x in counts[:2]], [lost, kept])).max() <= margin
        assert int(counts[2]) == int(c) * int(counts[0]) + int(counts[1])
        # Each mail saves 1, -c or 0; the sum of 4601 independent ones has about this error.
        error = np.sqrt(int(c) ** 2 * lost + (y.sum() - kept) - (int(c) * lost - (y.sum() - kept)) ** 2 / len(y))
        assert int(counts[3]) == pytest.approx(error, rel=0.02 + 0.4 * margin / max(lost, 1))
    assert f"no filter costs {y.sum()};" in text
    assert float(re.search(rf"last fold: ({NUMBER})", text)[1]) == pytest.approx(1 / slope, abs=0.06)
    assert [int(row[3]) < y.sum() for row in found] == [True, True, False, True, True, True]


def test_the_owner():
    X, y, names = mails()
    has = np.zeros(len(y), dtype=bool)
    for word in OWNER:
        has |= X[:, names.index(word)] > 0
    text = printed("owner = ")
    shares = [float(x) for x in re.findall(rf"({NUMBER})%", text)]
    assert shares == pytest.approx([100 * has[y == 0].mean(), 100 * has[y == 1].mean()], abs=0.5)
    assert shares[1] == pytest.approx(100 * has[y == 1].mean(), abs=0.05)
    a, b = X[:, names.index("415")], X[:, names.index("857")]
    r = np.mean((a - a.mean()) * (b - b.mean())) / a.std() / b.std()
    assert float(re.search(rf"857: ({NUMBER})", text)[1]) == pytest.approx(r, abs=5e-4)
    assert int(re.search(r"mails: (\d+)", text)[1]) == len(y) - len(
        {(*row, label) for row, label in zip(X, y, strict=True)}
    )
