"""Numbers that the stored notebooks print, computed once more without bayeslab, or held within the error of chance.

A printed number is found by a mark in its output and the beginning of its line, so cells may move. Only data sets come
from the package; rules come from scikit-learn, SciPy, closed forms, or `decide`, which runs many training sets at once.
"""

import functools
import math
import re

import numpy as np
import pytest
from numpy.linalg import cholesky, det, inv
from scipy.stats import beta, multivariate_normal, norm
from sklearn import discriminant_analysis, metrics, model_selection, naive_bayes, neighbors
from stored import all_texts

from bayeslab import load_iris, load_penguins, make_concentric, make_gaussian_pair, make_three_classes, make_xor

LDA, QDA = discriminant_analysis.LinearDiscriminantAnalysis, discriminant_analysis.QuadraticDiscriminantAnalysis
Naive = functools.partial(naive_bayes.GaussianNB, var_smoothing=0)  # all three divide by n
X, Y = load_iris().X[50:], np.repeat([0, 1], 50)  # versicolor and virginica
MOMENTS = [(rows.mean(axis=0), np.cov(rows.T)) for rows in (X[:50], X[50:])]
KAMATH = {"P1a": (1, 1), "P1b": (3, 3), "P1c": (3, 6)}


def printed(notebook, mark, start=None, nth=0):
    """Return the numbers after `start` in the nth line that begins with it, of the only output which holds `mark`."""
    start = mark if start is None else start
    texts = {text for text in all_texts(notebook) if mark in text}
    assert len(texts) == 1, (notebook, mark)
    lines = [line.strip() for line in texts.pop().splitlines()]
    rest = [line[len(start) :] for line in lines if line.startswith(start)][nth]
    return np.array(re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", rest), dtype=float)


def near(values, tolerance):
    return pytest.approx(np.asarray(values, dtype=float), abs=tolerance)


def near_mean(values, n):
    """Four standard errors of the mean of n such values."""
    return pytest.approx(np.mean(values), abs=0.0006 + 4 * np.std(values) / math.sqrt(n))


def draw(rng, mean, covariance, *shape):
    return rng.standard_normal((*shape, len(mean))) @ cholesky(covariance).T + mean


def kamath(rng, problem, *shape):
    """Draw both classes of a problem."""
    return [draw(rng, (0, 0), [[1, 0.5], [0.5, 1]], *shape), draw(rng, KAMATH[problem], [[1, 0], [0, 2]], *shape)]


def decide(samples, new, s=0.0, naive=False, ddof=1, priors=(0.5, 0.5)):
    """Return the decisions of QDA (s = 0) to LDA (s = 1), or naive Bayes: classes (R, n, d), new (R or 1, m, d)."""
    deviations, scores = [sample - sample.mean(axis=1, keepdims=True) for sample in samples], []
    own = [np.einsum("rni,rnj->rij", r, r) / (r.shape[1] - ddof) for r in deviations]
    for sample, covariance, prior in zip(samples, own, priors, strict=True):
        Σ = ((1 - s) * covariance + s * sum(own) / 2) * (np.eye(new.shape[-1]) if naive else 1)
        r = new - sample.mean(axis=1, keepdims=True)
        scores.append(np.log(prior) - np.sum(r @ inv(Σ) * r, axis=-1) / 2 - np.log(det(Σ))[:, None] / 2)
    return np.argmax(scores, axis=0)


def test_four_rules_about_the_botanists_flower():
    """Four answers of notebook 00, each with its posterior, from densities of SciPy."""
    (μ, A), (ν, B) = [(m[[0, 2]], Σ[np.ix_([0, 2], [0, 2])]) for m, Σ in MOMENTS]
    both, eye = (A + B) / 2, np.eye(2)
    shapes = {"nearest mean versicolor": [np.trace(both) / 2 * eye] * 2, "naive Bayes  versicolor": [A * eye, B * eye]}
    shapes |= {"LDA          virginica": [both, both], "QDA          virginica": [A, B]}
    for start, (Σ, Λ) in shapes.items():
        p, q = multivariate_normal(μ, Σ).pdf([5.2, 4.7]), multivariate_normal(ν, Λ).pdf([5.2, 4.7])
        assert printed("00", "nearest mean versicolor", start) == near([(q if "virg" in start else p) / (p + q)], 0.005)


def test_the_rangers_flower():
    """The number c, naive c, the posterior and the expected costs, from SciPy's log densities."""
    x, without = X[27], np.delete(X[:50], 27, axis=0)
    A, B = (multivariate_normal(*moments) for moments in MOMENTS)
    c = 2 * (A.logpdf(x) - B.logpdf(x))
    naive = 2 * np.subtract(*(norm.logpdf(x, μ, np.sqrt(np.diag(Σ))).sum() for μ, Σ in MOMENTS))
    assert printed("03", "our flower: full c") == near([c, naive], 0.0005)
    change = multivariate_normal(without.mean(axis=0), np.cov(without.T)).logpdf(x) - A.logpdf(x)
    assert printed("03", "our flower, left out: c") == near([c + 2 * change], 0.0005)
    odds = 5 * math.exp(c / 2)
    assert printed("03", ", with priors", "c =") == near([c, 2 * math.log(odds)], 0.0005)
    assert printed("03", "P(virginica | x)") == near([1 / (1 + odds), 1, round(1 + odds)], 0.00005)
    assert printed("03", "expected cost: mow") == near([1000 / (1 + odds), 20 * odds / (1 + odds)], 0.005)


def test_costs_of_three_rules_in_meadows():
    """Mean accuracy and cost of a hundred meadows, by 300 others."""
    rng, petals = np.random.default_rng(0), [(μ[2:], Σ[2:, 2:]) for μ, Σ in MOMENTS]
    learn = [draw(rng, *m, 300, n) for m, n in zip(petals, (50, 10), strict=True)]
    new = np.concatenate([draw(rng, *m, 300, n) for m, n in zip(petals, (1000, 200), strict=True)], axis=1)
    for name, priors in {"equal": (1, 1), "priors": (5, 1), "costs": (5 * 20, 1 * 1000)}.items():
        decisions = decide(learn, new, priors=priors)
        mown, fenced = np.sum(decisions[:, 1000:] == 0, axis=1), np.sum(decisions[:, :1000] == 1, axis=1)
        accuracy, cost = printed("03", "cost (€)", name)
        assert accuracy == near_mean(1 - (mown + fenced) / 1200, 100)
        assert cost == near_mean(1000 * mown + 20 * fenced, 100)


def test_halves_and_folds_of_the_pair():
    """Random halves in 03 and 07; in 07 the mean and spread of folds of ten, the mistakes and their interval."""
    order = np.random.default_rng(0).permuted(np.tile(np.arange(100).reshape(2, 1, 50), (1, 3000, 1)), axis=-1)

    def accuracies(n, naive):
        new = np.concatenate([X[rows[:, :n]] for rows in order], axis=1)
        return np.mean(decide([X[rows[:, n:]] for rows in order], new, naive=naive) == np.repeat([0, 1], n), axis=1)

    naive, full = accuracies(25, True), accuracies(25, False)
    for notebook, won, table in (("03", "naive better in", "full better in"), ("07", "naive is better in", "min    ")):
        assert printed(notebook, won) == near([100 * np.mean(naive > full)], 5)
        assert printed(notebook, table, "mean") == near([naive.mean(), full.mean()], 0.006)
    naive, full = accuracies(5, True), accuracies(5, False)
    assert printed("07", "10-fold, 20 times", nth=1) == near([naive.mean(), full.mean()], 0.006)
    expected = full.mean(), math.sqrt(1 / 200 + 1 / 9) * full.std()
    assert printed("07", "20 times 0.", "20 times")[:2] == near(expected, 0.003)
    assert printed("07", "times wrong:").sum() / 2000 == near(1 - full.mean(), 0.003)
    leave_one_out, rule = model_selection.LeaveOneOut(), QDA(priors=[0.5, 0.5])
    wrong = np.sum(model_selection.cross_val_predict(rule, X, Y, cv=leave_one_out) != Y)
    ends = beta.ppf([0.025, 0.975], [wrong, wrong + 1], [101 - wrong, 100 - wrong])
    assert printed("07", "hard pair,") == near([wrong, 100, *(100 * ends)], 0.05)
    assert printed("07", "0 errors of") == near([100, 1 - 0.05**0.01, 3, 0.03], 0.00005)


def test_bias_and_variance():
    """The table of notebook 04 by other training sets on another test set, its two limits by a larger one."""
    rng, sizes = np.random.default_rng(0), (12, 16, 20, 30, 40, 80, 160)
    test, large = (np.concatenate([draw(rng, *m, n) for m in MOMENTS]) for n in (1000, 50_000))
    for i, (naive, line) in enumerate([(False, "true densities:"), (True, "naive from unlimited rows:")]):
        p, q = (multivariate_normal(μ, Σ * np.eye(4) if naive else Σ).logpdf(large) for μ, Σ in MOMENTS)
        assert printed("04", "true densities:", line)[0] == near_mean((q > p) == np.repeat([0, 1], 50_000), 40_000)
        means = printed("04", "naive mean", "naive" if naive else "full")
        for n, mean, spread in zip(sizes, means, printed("04", "naive mean", "spread", 1 - i), strict=True):
            samples = [draw(rng, *m, 100, n // 2) for m in MOMENTS]
            accuracies = np.mean(decide(samples, test[None], naive=naive) == np.repeat([0, 1], 1000), axis=1)
            assert [mean, spread] == near([accuracies.mean(), accuracies.std()], 0.007 + 0.3 * spread)


def test_copies_of_the_flipper():
    """The log density of a column that is there k times is added k times."""
    birds, y = load_penguins().X[:, :3], np.unique(load_penguins().y, return_inverse=True)[1]
    logs = [norm.logpdf(birds, r.mean(axis=0), r.std(axis=0, ddof=1)) for r in (birds[y == k] for k in range(3))]
    for i, k in enumerate((1, 2, 5, 20, 50)):
        joint = np.array(logs) @ [1, 1, k] + np.log(np.bincount(y) / len(y))[:, None]
        shares = np.mean(joint.argmax(axis=0) == y), np.mean(1 / np.exp(joint - joint.max(axis=0)).sum(axis=0))
        shown = [printed("04", "mean posterior", start)[i] for start in ("right", "mean posterior")]
        assert shown == near(shares, 0.0006)


def test_errors_of_concentric_and_xor():
    """Of the true densities if class 1 is nine times as common, in closed form; of naive and full by other draws."""
    ratio = 7.33**2  # round clouds: outside a circle, whose radius depends on the prior used, the wide class 0 wins
    for used in (0.5, 0.1):
        squared = 2 * (np.log(ratio) + np.log((1 - used) / used)) / (1 - 1 / ratio)
        error = 0.1 * -np.expm1(-squared / 2 / ratio) + 0.9 * np.exp(-squared / 2)
        assert printed("04", "priors [0.5 0.5]", f"true densities, priors [{used}")[-1] == near(error, 0.003)
    rng, turn = np.random.default_rng(0), np.array([[1, 1], [-1, 1]]) / np.sqrt(2)
    for name, make, n in (("concentric", make_concentric, 100), ("xor", make_xor, 200), ("xor, turned", make_xor, 200)):
        samples = np.array([make(n, rng).X for _ in range(200)]) @ (turn if "turned" in name else np.eye(2))
        for kind in ("naive", "full"):
            wrong = decide([samples[:, :n], samples[:, n:]], samples, naive=kind == "naive") != np.repeat([0, 1], n)
            assert printed("04", "concentric, naive:", f"{name}, {kind}:")[0] == near_mean(wrong.sum(axis=1), 200)


def test_penguins_by_scikit_learn():
    """Mistakes, both confusion matrices, and the wrong rings of LDA and QDA by other folds."""
    penguins, mark = load_penguins().select("bill length", "bill depth"), "number of mislabelled points:"
    rules = QDA(), LDA(), Naive(), neighbors.NearestCentroid()
    decisions = [rule.fit(penguins.X, penguins.y).predict(penguins.X) for rule in rules]
    assert [printed("05", mark, nth=i)[0] for i in range(4)] == [np.sum(d != penguins.y) for d in decisions]
    table = np.hstack([metrics.confusion_matrix(penguins.y, decisions[i]) for i in (1, 0)]).tolist()
    assert [printed("05", "Gentoo Adelie", f"{name}  ").tolist() for name in np.unique(penguins.y)] == table
    folds = model_selection.RepeatedStratifiedKFold(n_splits=10, n_repeats=8, random_state=0)
    for s, rule in (("0.00", QDA()), ("1.00", LDA())):
        wrong = 342 * (1 - model_selection.cross_val_score(rule, penguins.X, penguins.y, cv=folds).mean())
        assert printed("05", "wrong rings", s)[2] == near(wrong, 1)


def test_three_classes_and_hopeless_lines():
    """The draws of notebook 05 by scikit-learn, whose divisor may turn one decision in a thousand."""
    three, rng = make_three_classes(200, np.random.default_rng(5)), np.random.default_rng(5)
    table = metrics.confusion_matrix(three.y, QDA().fit(three.X, three.y).predict(three.X)).tolist()
    assert [printed("05", "chapter", f"{k} ")[:3].tolist() for k in range(3)] == table
    makers = {"concentric": (make_concentric, 0.045), "xor": (make_xor, 0.1525)}
    tests = {name: make(5000, rng) for name, (make, _) in makers.items()}
    for name, (make, least) in makers.items():
        train, test, shown = make(1000, rng), tests[name], printed("05", "true densities", name)
        errors = [1 - rule.fit(train.X, train.y).score(test.X, test.y) for rule in (LDA(), QDA(), Naive())]
        assert shown[:3] == near(errors, 0.001)
        assert shown[3:5] == near([least, least], 3 * math.sqrt(least * (1 - least) / 10_000))


def test_nearly_equal_covariances():
    """LDA's limit in closed form; the learning curve and the path from QDA to LDA by 300 other training sets."""
    pairs = ([0, 0], np.array([[1, 0.6], [0.6, 1]])), ([1.5, 0], np.array([[1.4, 0.4], [0.4, 0.8]]))
    w = inv(pairs[0][1] + pairs[1][1]) @ [1.5, 0]
    limit = np.mean([norm.sf(w[0] * 0.75 / math.sqrt(w @ Σ @ w)) for _, Σ in pairs])
    assert printed("05", "largest standard error", "LDA", 1)[-1] == near(limit, 0.004)
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 1000)
    test = np.concatenate([draw(rng, *pair, 1000) for pair in pairs])[None]
    for n, in_curve, in_path in ((14, 1, 0), (30, 2, 1), (120, 4, 2)):
        samples = [draw(rng, *pair, 300, n // 2) for pair in pairs]
        error = {s: np.mean(decide(samples, test, s) != y) for s in (0, 0.5, 1)}
        shown = [printed("05", "mean error, n =", f"{s:.2f}")[in_path] for s in error]
        shown += [printed("05", "largest standard error", name)[in_curve] for name in ("QDA", "LDA")]
        assert shown == near([*error.values(), error[0], error[1]], 0.006 + 0.3 / n)
    assert error[0.5] < min(error[0], error[1])


@pytest.mark.parametrize("problem", KAMATH)
def test_kamaths_accuracies(problem):
    """Means of 200 experiments, and how often they rise at every step, by 1500 others."""
    rng, sizes = np.random.default_rng(0), ((5, 5), (12, 13), (37, 38), (99, 100))
    train, new = kamath(rng, problem, 1500, 100), np.concatenate(kamath(rng, problem, 1500, 100), axis=1)
    samples = [[t[:, :m] for t, m in zip(train, n, strict=True)] for n in sizes]
    a = np.array([np.mean(decide(part, new, ddof=0) == np.repeat([0, 1], 100), axis=1) for part in samples])
    for mean, accuracies in zip(printed("05", "± of one accuracy", problem), a, strict=False):
        assert mean == near_mean(accuracies, 200)
    assert printed("05", f"{problem} rises at every step:")[0] / 100 == near_mean(
        (np.diff(a, axis=0) > 0).all(axis=0), 200
    )


def em(points, weights, means, covariances):
    """Run EM with SciPy's densities; return the log-likelihood before each step, and the last parameters."""
    path = [-np.inf, -1e9]
    while path[-1] - path[-2] >= 1e-6:
        last = weights, means, covariances
        joint = np.array([w * multivariate_normal(m, Σ).pdf(points) for w, m, Σ in zip(*last, strict=True)])
        path.append(np.log(joint.sum(axis=0)).sum())
        γ = joint / joint.sum(axis=0)
        weights, means = γ.mean(axis=1), [np.average(points, axis=0, weights=g) for g in γ]
        covariances = [np.cov(points.T, aweights=g, ddof=0) for g in γ]
    return path[2:], last


def test_em_on_six_points():
    """The number of iterations, and the last row of the table."""
    x = np.array([1, 2, 4, 6, 7, 8.0])[:, None]
    path, (weights, means, variances) = em(x, [0.5, 0.5], [[2], [6]], [[[4]], [[4]]])
    shown = printed("06", "σ₁²    σ₂²", f"{len(path) - 1} ")
    assert shown == near([*weights, *np.ravel(means), *np.ravel(variances), path[-1]], 0.0005)


def test_em_on_the_birds():
    """The climb and its end; BIC and AIC from ℓ and a count of parameters."""
    birds = make_gaussian_pair("P1b", 100, np.random.default_rng(6))
    path, end = em(birds.X, [0.5, 0.5], birds.X[[1, 0]], [np.cov(birds.X.T, ddof=0)] * 2)
    assert printed("06", "iterations, ℓ from", "") == near([len(path) - 1, path[0], path[-1]], 0.0005)
    scores = [w * multivariate_normal(m, Σ).pdf(birds.X) for w, m, Σ in zip(*end, strict=True)]
    assert printed("06", "start: ℓ =") == near([path[-1], 100 * np.mean(np.argmax(scores, axis=0) == birds.y)], 0.0005)
    for i in (1, 2, 5):
        assert printed("06", "new mean  old mean", f"{i} ")[0] == near(path[i], 0.0005)
    for K in range(1, 5):
        ell, bic, aic = printed("06", "10 starts  ", f"{K}  ").reshape(3, 3).T
        assert np.array([bic, aic]) == near([(6 * K - 1) * charge - 2 * ell for charge in (math.log(200), 2)], 0.16)


def test_folds_on_400_data_sets():
    """Bias, spread and both formulas for it on 16 samples of P1b, by 1200 others; the same for the intervals."""
    rng = np.random.default_rng(0)
    samples, new = kamath(rng, "P1b", 1200, 8), np.concatenate(kamath(rng, "P1b", 1, 1000), axis=1)
    both = np.concatenate(samples, axis=1)
    true = np.mean(decide(samples, new) == np.repeat([0, 1], 1000), axis=1)
    for k, name in ((2, "2 "), (4, "4 "), (8, "8 "), (16, "16")):
        right = []
        for test in (np.arange(16) % 8 % k == f if k < 16 else np.arange(16) == f for f in range(k)):
            part = [sample[:, ~tested] for sample, tested in zip(samples, (test[:8], test[8:]), strict=True)]
            right.append(np.mean(decide(part, both[:, test]) == np.repeat([0, 1], 8)[test], axis=1))
        estimate, variance = np.mean(right, axis=0), np.var(right, axis=0, ddof=1)
        bias, spread = printed("07", "spread_of_error", name)
        plain, corrected, spread_of_estimate = printed("07", "true_spread", name)
        assert bias == near_mean(estimate - true, 400)
        shown = np.array([spread, spread_of_estimate, plain, corrected / plain])
        expected = [np.std(estimate - true), estimate.std(), math.sqrt(variance.mean() / k), math.sqrt(1 + k / (k - 1))]
        assert shown / expected == near(np.ones(4), 0.15)
    counts = np.rint(16 * estimate)
    low, high = (np.nan_to_num(beta.ppf(q, counts + e, 17 - counts - e), nan=e) for q, e in ((0.025, 0), (0.975, 1)))
    shares = np.abs(estimate - true) <= 2 * np.sqrt(variance / 16), (low <= true) & (true <= high), counts == 16
    percent = np.append(printed("07", "estimate ± 2 SE:"), printed("07", "no error at all:"))
    for shown, share in zip(percent, shares, strict=True):
        assert shown / 100 == near_mean(share, 400)
