"""Chapters, folds and posteriors of notebook 16, by scikit-learn and NumPy; for its tests."""

import re
from functools import cache, partial

import numpy as np
from scipy.special import log_softmax
from sklearn import naive_bayes
from sklearn.model_selection import cross_val_predict
from stored import printed_by

from bayeslab import k_fold, load_austen

printed = partial(printed_by, "16")
NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
RULES = {"multinomial": naive_bayes.MultinomialNB(), "Bernoulli": naive_bayes.BernoulliNB()}
RULES["Gaussian"] = naive_bayes.GaussianNB()


def numbers(phrase, pattern=NUMBER):
    return [float(x) for x in re.findall(pattern.replace("#", f"({NUMBER})"), printed(phrase))]


def rows(phrase, name):
    """Numbers at the end of each line of a table in which the name stands."""
    lines = [line for line in printed(phrase).splitlines() if re.search(rf"(^|\s){re.escape(name)}\s", line)]
    return [[float(x) for x in line.split(name, 1)[1].split()] for line in lines]


@cache
def chapters(names=False):
    data = load_austen(names=names)
    return data.X, np.unique(data.y, return_inverse=True)[1], np.array(data.feature_names)


def ten_folds(n_repeats=1):
    return k_fold(chapters()[1], 10, np.random.default_rng(16), stratify=True, n_repeats=n_repeats)


@cache
def joint(words=1000, alpha=1.0):
    """Log joint of the ten folds, by scikit-learn."""
    X, k, _ = chapters()
    result = np.empty((len(k), 6))
    for train, test in ten_folds():
        rule = naive_bayes.MultinomialNB(alpha=alpha).fit(X[train, :words], k[train])
        result[test] = rule.predict_joint_log_proba(X[test, :words])
    return result


def accuracies(rule, X, n_repeats=10):
    k, folds, shares = chapters()[1], ten_folds(n_repeats), []
    for repeat in range(n_repeats):
        predicted = cross_val_predict(rule, X, k, cv=folds[10 * repeat : 10 * repeat + 10])
        shares.append(np.mean(predicted == k))
    return np.array(shares)


def in_brief(z):
    k, log_p = chapters()[1], log_softmax(z, axis=1)
    return [np.mean(z.argmax(axis=1) == k), np.exp(log_p.max(axis=1)).mean(), -log_p[np.arange(len(k)), k].mean()]
