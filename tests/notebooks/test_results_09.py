"""What notebook 09 prints, computed in another way: SciPy's closed forms, and scikit-learn on the same folds."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import beta, mannwhitneyu, norm
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import confusion_matrix, precision_score, recall_score
from stored import all_texts

from bayeslab import k_fold

ALARM, MISS = 1, 20
T = 1 / 21
SCREENED = 0.01


TEXT = "\n".join(all_texts("09"))
RAW = load_breast_cancer()
COLUMNS = [RAW.feature_names.tolist().index(f"worst {name}") for name in ("area", "texture", "concave points")]
MEASURED = RAW.data[:, COLUMNS]
X = np.column_stack([np.log(MEASURED[:, 0]), np.log(MEASURED[:, 1]), MEASURED[:, 2]])
ILL = RAW.target == 0
LABELS = np.where(ILL, "malignant", "benign")
PRIORS = np.array([np.mean(~ILL), np.mean(ILL)])
DENTS = [norm(x.mean(), x.std(ddof=1)) for x in (X[~ILL, 2], X[ILL, 2])]


def held_out(X):
    """Log posterior odds on the folds of the notebook, from scikit-learn's means and pooled covariance, by n - 2."""
    odds = np.empty(len(X))
    for train, test in k_fold(LABELS, 10, np.random.default_rng(9), stratify=True):
        rule = LinearDiscriminantAnalysis(solver="lsqr", store_covariance=True).fit(X[train], ILL[train])
        Σ = rule.covariance_ * len(train) / (len(train) - 2)  # scikit-learn divides by n
        w = np.linalg.solve(Σ, rule.means_[1] - rule.means_[0])
        odds[test] = (X[test] - rule.means_.mean(axis=0)) @ w + np.log(rule.priors_[1] / rule.priors_[0])
    return odds


ODDS = held_out(X)
P = 1 / (1 + np.exp(-ODDS))
LEVEL = np.log(T / (1 - T))
SHIFT = np.log(SCREENED / (1 - SCREENED)) - np.log(PRIORS[1] / PRIORS[0])


def error_at(t):
    """P(error) of a threshold on the dents, in closed form."""
    return PRIORS[0] * DENTS[0].sf(t) + PRIORS[1] * DENTS[1].cdf(t)


def cost_at(t):
    return ALARM * PRIORS[0] * DENTS[0].sf(t) + MISS * PRIORS[1] * DENTS[1].cdf(t)


def costs_of(operated):
    return np.select([ILL & ~operated, ~ILL & operated], [float(MISS), float(ALARM)])


def says(*parts):
    """Whether the notebook prints these parts on one line, in this order, with anything between them."""
    return re.search(".*".join(map(re.escape, parts)), TEXT) is not None


def test_shares_and_skewness():
    assert says("357 benign, 212 malignant (37.3%)")
    assert (np.sum(~ILL), np.sum(ILL), f"{PRIORS[1]:.1%}") == (357, 212, "37.3%")
    for values, columns in ((MEASURED, (0, 1, 2)), (X, (0, 1, 2))):
        for j in columns:
            benign, malignant = (pd.Series(values[rows, j]).skew() for rows in (~ILL, ILL))
            assert says(f"worst {('area', 'texture', 'concave points')[j]}", f"{benign:.2f}", f"{malignant:.2f}")
    assert max(abs(pd.Series(X[rows, j]).skew()) for rows in (ILL, ~ILL) for j in range(3)) < 0.5


def test_thresholds_on_the_dents():
    best = minimize_scalar(error_at, bracket=(0.1, 0.13, 0.17), tol=1e-12)
    halfway = (DENTS[0].mean() + DENTS[1].mean()) / 2
    for name, t in (("halfway", halfway), ("crossing", best.x), ("left", 0.08)):
        assert says(f"{name}: t = {t:.4f}, P(error) = {error_at(t):.4f}")
    low = brentq(lambda x: PRIORS[0] * DENTS[0].pdf(x) - PRIORS[1] * DENTS[1].pdf(x), -0.5, -0.1)
    assert says(f"least possible: {best.fun:.4f} (exact)", f"{low:.3f}")  # what lies beyond low adds less than 1e-20
    assert PRIORS[1] * DENTS[1].cdf(low) < 1e-20


def test_a_shifted_threshold_adds_the_area_between_the_curves():
    best = minimize_scalar(error_at, bracket=(0.1, 0.13, 0.17), tol=1e-12)
    extra = error_at(0.17) - best.fun
    assert says(f"{best.fun:.4f} + {extra:.4f} = {error_at(0.17):.4f}; error_of: {error_at(0.17):.4f}")


def test_the_answers_to_the_widget():
    """The extra area grows with the square of the step; at the right end P(error) is nearly the share of the ill."""
    best = minimize_scalar(error_at, bracket=(0.1, 0.13, 0.17), tol=1e-12)
    one, two = (error_at(best.x + step) - best.fun for step in (0.001, 0.002))
    assert two / one == pytest.approx(4, rel=0.05)
    assert error_at(0.31) == pytest.approx(PRIORS[1], abs=0.002)
    assert error_at(-0.04) > PRIORS[1]
    assert minimize_scalar(cost_at, bracket=(0.05, 0.09, 0.12), tol=1e-12).x == pytest.approx(0.084, abs=5e-4)
    assert (ALARM, MISS) == (1, 20)


def test_least_cost_on_the_dents():
    cheapest = minimize_scalar(cost_at, bracket=(0.05, 0.09, 0.12), tol=1e-12).x
    slope = DENTS[1].pdf(cheapest) / DENTS[0].pdf(cheapest)
    assert slope == pytest.approx(PRIORS[0] * ALARM / (PRIORS[1] * MISS), rel=1e-4)
    assert says(f"dents: operate above {cheapest:.4f}; the slope there is {slope:.4f}")
    crossing = minimize_scalar(error_at, bracket=(0.1, 0.13, 0.17), tol=1e-12).x
    for name, t in (("fewest mistakes", crossing), ("least cost", cheapest)):
        assert says(f"{name}: P(error) {error_at(t):.4f}, cost per patient {cost_at(t):.4f}")


def test_the_patient():
    row = int(np.flatnonzero((P > 0.1) & (P < 0.2))[0])
    p = P[row]
    assert says(f"row {row}: p = {p:.3f}; operate above t = {T:.4f}")
    assert says(f"expected cost: home {MISS * p:.2f}, operate {ALARM * (1 - p):.2f}")
    assert says(f"clinic, p = {p:.3f}: operate")
    assert says("clinic, second sample at 0.2: second sample")
    assert ALARM * (1 - p) < MISS * p
    assert min(MISS * p, ALARM * (1 - p)) > 0.2
    q = 1 / (1 + np.exp(-ODDS[row] - SHIFT))
    assert says(f"screening, p = {q:.4f}: home")
    assert MISS * q < min(0.2, ALARM * (1 - q))
    assert says("what it was: benign")
    assert LABELS[row] == "benign"


@pytest.mark.parametrize(("name", "level"), [("p > ½", 0), ("p > t", LEVEL)])
def test_the_table_of_mistakes(name, level):
    operated = level < ODDS
    (_, false), (missed, _) = confusion_matrix(ILL, operated)
    sensitivity, specificity = recall_score(ILL, operated), recall_score(~ILL, ~operated)
    precision = precision_score(ILL, operated)
    assert says(name, f"{missed} ", f"{false} ", f"{sensitivity:.3f}", f"{specificity:.3f}", f"{precision:.3f}")
    assert says(name, f"{(MISS * missed + ALARM * false) / 569:.3f}")


def test_the_saving_and_its_paired_error():
    half, by_cost = costs_of(ODDS > 0), costs_of(ODDS > LEVEL)
    saved = half - by_cost
    variance = half.var(ddof=1) + by_cost.var(ddof=1) - 2 * np.cov(half, by_cost)[0, 1]
    assert says(f"t saves {saved.mean():.3f} ± {np.sqrt(variance / 569):.3f}")
    assert 3 < saved.mean() / np.sqrt(variance / 569) < 3.5
    assert 0.9 < half.mean() / PRIORS[0] < 1  # with ½ almost as dear as to operate on everybody


def test_area_under_the_curve():
    auc = mannwhitneyu(ODDS[ILL], ODDS[~ILL]).statistic / (np.sum(ILL) * np.sum(~ILL))
    assert says(f"p: AUC {auc:.4f}, cost {costs_of(ODDS > LEVEL).mean():.3f}")
    assert says(f"p cubed: AUC {auc:.4f}, cost {costs_of(P**3 > T).mean():.3f}")
    p = np.empty(569)
    for train, test in k_fold(LABELS, 10, np.random.default_rng(9), stratify=True):
        joint = [
            ILL[train][rows].size / train.size * norm(values.mean(), values.std(ddof=1)).pdf(X[test, 2])
            for rows in (~ILL[train], ILL[train])
            for values in [X[train][rows, 2]]
        ]
        p[test] = joint[1] / (joint[0] + joint[1])
    auc = mannwhitneyu(p[ILL], p[~ILL]).statistic / (np.sum(ILL) * np.sum(~ILL))
    assert says(f"dents: AUC {auc:.4f}, cost {costs_of(p > T).mean():.3f}")


def test_patients_left_undecided():
    surest_first = np.argsort(-np.abs(ODDS))
    wrong = ((ODDS > 0) != ILL)[surest_first]
    for share, n in ((0, 569), (5, 541), (10, 512), (20, 455)):
        assert says(f"{share}% undecided: {wrong[:n].sum()} wrong of {n}")
    doubt = np.sort(np.minimum(P, 1 - P))
    assert doubt[569 - 57 :].mean() == pytest.approx(0.3, abs=0.1)  # the first tenth: the curve falls steeply
    assert wrong[: 569 // 2].sum() > doubt[: 569 // 2].sum()  # surer than it should be


def test_a_second_sample():
    again = (MISS * P >= 0.2) & (ALARM * (1 - P) >= 0.2)
    paid = np.where(again, 0.2, costs_of(P > 0.5))
    saved = costs_of(ODDS > LEVEL) - paid
    assert says(f"{again.sum()} come again, with 0.010 ≤ p ≤ 0.800")
    assert says(f"cost per patient {paid.mean():.3f}; saved {saved.mean():.3f} ± {saved.std(ddof=1) / 569**0.5:.3f}")


def test_screening():
    for name, level in (("priors forgotten", LEVEL), ("priors adjusted", LEVEL - SHIFT)):
        sensitivity, specificity = recall_score(ILL, level < ODDS), recall_score(~ILL, level >= ODDS)
        found, missed, false = 10 * sensitivity, 10 * (1 - sensitivity), 990 * (1 - specificity)
        assert says(name, f"{found:.1f}", f"{missed:.1f}", f"{false:.1f}", f"{MISS * missed + ALARM * false:.1f}")
        if name == "priors forgotten":
            assert says(f"of 1000: {found:.1f} found, {missed:.1f} missed, {false:.0f} false alarms")
            clinic = precision_score(ILL, level < ODDS)
            assert says(f"precision {found / (found + false):.1%}; clinic {clinic:.1%}")
    assert says("all home", "0.0", "10.0", "0.0", "200.0")
    moved = 1 / (1 + np.exp(SHIFT - LEVEL))
    assert says(f"operate above a clinic's p of {moved:.3f}, no longer {T:.3f}")


def test_interval_of_the_false_alarms():
    count = np.sum(ODDS[~ILL] > LEVEL - SHIFT)
    low, high = 0 if count == 0 else beta.ppf(0.025, count, 358 - count), beta.ppf(0.975, count + 1, 357 - count)
    assert says(
        f"{count} benign tumours above; in 1000 screened (95 %)", f"{round(990 * low, 1):g}", f"{990 * high:.1f}"
    )


def test_the_dents_in_a_screening():
    """Scored by SciPy: each threshold for one in a hundred, and the share from which on the clinic's is worth it."""

    def cost(t, q):
        return MISS * q * DENTS[1].cdf(t) + ALARM * (1 - q) * DENTS[0].sf(t)

    clinic = minimize_scalar(cost_at, bracket=(0.05, 0.09, 0.12), tol=1e-12).x
    adjusted = minimize_scalar(cost, bracket=(0.1, 0.15, 0.2), args=(SCREENED,), tol=1e-12).x
    assert says(f"priors forgotten: threshold {clinic:.3f}, cost {cost(clinic, SCREENED):.3f}")
    assert says(f"priors adjusted: threshold {adjusted:.3f}, cost {cost(adjusted, SCREENED):.3f}")
    assert says(f"all home: cost {MISS * SCREENED:.3f}")
    assert 0.015 < brentq(lambda q: MISS * q - cost(clinic, q), 0.001, 0.1) < 0.025  # "from about 2 %"


def test_threshold_minimises_expected_cost():
    """Where the posteriors are right: what t costs is the integral of the lower of both weighted curves."""
    crossing = brentq(lambda x: MISS * PRIORS[1] * DENTS[1].pdf(x) - PRIORS[0] * DENTS[0].pdf(x), 0, 0.2)
    best, _ = quad(lambda x: min(MISS * PRIORS[1] * DENTS[1].pdf(x), PRIORS[0] * DENTS[0].pdf(x)), -0.2, 0.6, limit=200)
    assert cost_at(crossing) == pytest.approx(best, abs=1e-6)
