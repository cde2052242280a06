"""What notebook 16 prints of overconfidence, computed in another way."""

import re
from functools import cache

import numpy as np
import pytest
from chapters_otherwise import NUMBER, RULES, chapters, in_brief, joint, numbers, printed, rows, ten_folds
from scipy.special import log_softmax, logsumexp
from scipy.stats import binom
from sklearn import naive_bayes
from sklearn.model_selection import cross_val_predict

from bayeslab import k_fold


def test_overconfidence():
    k, z = chapters()[1], joint()
    accuracy, top, loss = in_brief(z)
    assert numbers("log loss {loss", "accuracy #") == [pytest.approx(accuracy, abs=5e-4)]
    assert numbers("log loss {loss", "posterior #") == [pytest.approx(top, abs=5e-4)]
    assert numbers("log loss {loss", "loss #; one sixth for each: (?:.*)") == [pytest.approx(loss, abs=0.005)]
    assert numbers("log loss {loss", "each: #") == [pytest.approx(-np.log(1 / 6), abs=0.005)]
    sure = log_softmax(z, axis=1).max(axis=1) > np.log(0.99)
    mine = [100 * sure.mean(), 100 * np.mean(z.argmax(axis=1) == k, where=sure)]
    assert numbers("above 0.99", "#%") == pytest.approx(mine, abs=0.5)


def test_fewer_words():
    lines = printed("explore(100, 1)").splitlines()
    stated = {line.split("  ")[0]: [float(x) for x in line.split()[-5:]] for line in lines[1:]}
    mine = np.array([in_brief(joint(d))[:2] for d in (10, 30, 100, 300, 1000)])
    assert stated["accuracy"] == pytest.approx(mine[:, 0], abs=6e-4)
    assert stated["mean top"] == pytest.approx(mine[:, 1], abs=6e-4)
    assert in_brief(joint(1000, 100.0))[0] < 0.35
    assert in_brief(joint(1000, 100.0))[1] > 0.9


def test_drawn_chapters_are_easy_and_real_ones_vary():
    """The same draws, judged by scikit-learn; how much a word's count varies in real chapters."""
    X, k, words = chapters()
    stated = numbers("worlds.append", r"(\d\.\d+)")
    rng, lengths, worlds = np.random.default_rng(16), X.sum(axis=1).astype(int), []
    p = np.array([X[k == i].sum(axis=0) + 1 for i in range(6)])
    for _ in range(10):
        drawn = np.array([rng.multinomial(m, p[i] / p[i].sum()) for m, i in zip(lengths, k, strict=True)])
        proba = cross_val_predict(RULES["multinomial"], drawn, k, cv=ten_folds(), method="predict_proba")
        worlds.append([np.mean(proba.argmax(axis=1) == k), proba.max(axis=1).mean()])
    assert stated == pytest.approx(np.mean(worlds, axis=0), abs=6e-5)
    emma, you = k == 0, (words == "you").argmax()
    share = X[emma, you].sum() / lengths[emma].sum()
    deviation = (X[emma, you] - share * lengths[emma]) / binom(lengths[emma], share).std()
    assert np.mean(deviation**2) > 5


@cache
def tempered():
    """The log loss is convex in 1/T; bisection of its derivative finds the least."""
    X, k, _ = chapters()
    result, temperatures = np.empty((len(k), 6)), []
    for train, test in ten_folds():
        inner = k_fold(k[train], 5, np.random.default_rng(16), stratify=True)
        z = np.empty((len(train), 6))
        for inner_train, inner_test in inner:
            rule = naive_bayes.MultinomialNB().fit(X[train][inner_train], k[train][inner_train])
            z[inner_test] = rule.predict_joint_log_proba(X[train][inner_test])
        low, high, truth = 1e-3, 1.0, z[np.arange(len(z)), k[train]]
        for _ in range(50):
            β = (low + high) / 2
            share = np.exp(β * z - logsumexp(β * z, axis=1, keepdims=True))
            slope = np.mean((share * z).sum(axis=1) - truth)
            low, high = (β, high) if slope < 0 else (low, β)
        temperatures.append(1 / β)
        result[test] = joint()[test] * β
    return result, temperatures


def test_temperature():
    z, temperatures = tempered()
    stated = [np.mean(temperatures), min(temperatures), max(temperatures)]
    assert numbers("tempered, all_T", r"(\d+\.\d) ?(?:on|to|\n)") == pytest.approx(stated, abs=0.06)
    assert rows("tempered, all_T", "as it is") == [pytest.approx(in_brief(joint()), abs=6e-4)]
    assert rows("tempered, all_T", "tempered") == [pytest.approx(in_brief(z), abs=2e-3)]


def test_binder():
    k = chapters()[1]
    for name, z in [("as it is", joint()), ("tempered", tempered()[0])]:
        doubt, wrong = 1 - np.exp(log_softmax(z, axis=1).max(axis=1)), z.argmax(axis=1) != k
        read = doubt > 1 / 20
        hours = read + 20 * (wrong & ~read)
        mine = [read.sum(), np.sum(wrong & ~read), hours.mean(), hours.std(ddof=1) / np.sqrt(269)]
        line = next(line for line in printed("def binder").splitlines() if line.startswith(name))
        assert [float(x) for x in re.findall(NUMBER, line)] == pytest.approx(mine, abs=0.006)
    assert hours.mean() + 3 * hours.std() / np.sqrt(269) < 1


def test_nobody():
    X, k, _ = chapters()
    rule = naive_bayes.MultinomialNB().fit(X, k)
    z = rule.predict_joint_log_proba(np.full((1, 1000), 2.0))[0]
    T = np.mean(tempered()[1])
    tops = [np.exp(log_softmax(z / t).max()) for t in (1, T)]
    assert numbers("nobody = ", "posterior #") == pytest.approx(tops, abs=2e-3)
    per_word = rule.predict_joint_log_proba(X).max(axis=1) / X.sum(axis=1)
    assert numbers("nobody = ", "word: #") == [pytest.approx(z.max() / 2000, abs=0.006)]
    real, forged = re.findall(rf": ({NUMBER}) to ({NUMBER})", printed("nobody = "))
    assert [float(x) for x in real] == pytest.approx([per_word.min(), per_word.max()], abs=0.006)
    poured = np.random.default_rng(16).multinomial(2000, X.sum(axis=0) / X.sum(), 100)
    per_word = rule.predict_joint_log_proba(poured).max(axis=1) / 2000
    assert [float(x) for x in forged] == pytest.approx([per_word.min(), per_word.max()], abs=0.006)
    assert float(real[0]) < float(forged[0]) < float(forged[1]) < float(real[1])


def test_covariance_of_frequencies():
    sampled, formula = numbers("covariance = np.cov", ": #")[0], numbers("covariance = np.cov", "formula: #")[0]
    assert formula == -100 * 0.5 * 0.3
    # The standard error of a covariance of 20,000 pairs is √((σ₁²σ₂² + cov²) / 20,000).
    assert abs(sampled - formula) < 4 * np.sqrt((25 * 21 + 15**2) / 20_000) + 0.05
