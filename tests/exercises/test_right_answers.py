"""Right answers found in another way, or returned in another form, are accepted, too."""

import math
import warnings
from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy import linalg, optimize, special, stats
from scipy.optimize import linear_sum_assignment
from scipy.special import expit, logit, logsumexp
from scipy.stats import beta, multivariate_normal, norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from bayeslab import Dataset, Gaussian, TrueClassifier, k_fold, load_penguins
from bayeslab.checks import check


def principal_axes(X, μ, Σ):
    values, vectors = np.linalg.eigh(Σ)
    return (X - μ) @ vectors / np.sqrt(values)


def log_by_scipy(x, μ, σ, ρ):
    return multivariate_normal.logpdf(x, μ, [[σ[0] ** 2, ρ * σ[0] * σ[1]], [ρ * σ[0] * σ[1], σ[1] ** 2]])


def naive(x, mean_A, var_A, mean_B, var_B):
    """Twice the log likelihood ratio."""
    return 2 * (norm.logpdf(x, mean_A, np.sqrt(var_A)) - norm.logpdf(x, mean_B, np.sqrt(var_B))).sum()


def spoiled(x, mean_A, var_A, mean_B, var_B):
    """Write into one mean, which must not be that of the other class."""
    return naive(x, np.subtract(mean_A, x, out=mean_A) + x, var_A, mean_B, var_B)


def tags_by_scikit_learn():
    """Expected costs of both actions, from scikit-learn's posteriors."""
    table = load_penguins().select("bill length", "bill depth")
    rows = np.flatnonzero(table.y != "Gentoo")
    X, y, caught = table.X[rows], table.y[rows], [1, 114, 205, 210, 128, 154, 151]
    rule = QuadraticDiscriminantAnalysis(priors=[0.75, 0.25])
    rule.fit(np.delete(X, caught, axis=0), np.delete(y, caught))
    release, tag = (rule.predict_proba(X[caught]) * [[[0, 200]], [[100, 0]]]).sum(axis=2)
    return tag < release


def counted(d, K, naive, shared):
    """Free parameters, counted one by one."""
    entries = [(i, j) for i in range(d) for j in range(i + 1) if i == j or not naive]
    return Fraction(len([(k, j) for k in range(K) for j in range(d)]) + (1 if shared else K) * len(entries) + K - 1)


def quadratic(μ_i, Σ_i, μ_j, Σ_j, π_i, π_j):
    """Coefficients from differences of g, which are exact, as it is quadratic."""

    def g(x):
        return np.log(π_i / π_j) + multivariate_normal.logpdf(x, μ_i, Σ_i) - multivariate_normal.logpdf(x, μ_j, Σ_j)

    steps, w0 = np.eye(2), g(np.zeros(2))
    W = [[(g(a + b) - g(a) - g(b) + w0) / 2 for a in steps] for b in steps]
    return [W, [(g(a) - g(-a)) / 2 for a in steps], [w0]]


def by_scikit_learn(X, means, Σ, priors):
    """Its LDA, given what it would have estimated; a term that all classes share is left out there."""
    lda = LinearDiscriminantAnalysis()
    lda.coef_, lda.classes_ = means @ np.linalg.inv(Σ), np.arange(len(means))
    lda.intercept_ = -0.5 * np.diag(means @ lda.coef_.T) + np.log(priors)
    return lda.decision_function(X)


def hungarian(component, y, K):
    counts = confusion_matrix(y, component, labels=range(K))
    return [counts[linear_sum_assignment(-counts)].sum() / len(y)]


def by_splitter(y, k, rng):
    splitter = StratifiedKFold(k, shuffle=True, random_state=int(rng.integers(1000)))
    return (test.astype(float).tolist() for _, test in splitter.split(y, y))


def by_listing(ell, K, n, d):
    """Count the entries that are free: of a row of weights, of means, of triangles."""
    triangle = np.argwhere(np.tri(d))
    return (len(range(K - 1)) + len([*np.ndindex(K, d)]) + K * len(triangle)) * math.log(n) - 2 * ell


def by_beta(n, limit):
    """Try all numbers of mistakes with the quantiles of a beta distribution."""
    mistakes = np.arange(n)
    return mistakes[stats.beta.ppf(0.95, mistakes + 1, n - mistakes) <= limit].max()


def by_cross_val_score(X, y, splits, choose):
    accuracies = []
    for train, test in splits:
        columns = choose(X[train], y[train])
        accuracies += cross_val_score(NearestCentroid(), X[:, columns], y, cv=[(train, test)]).tolist()
    return np.array([np.mean(accuracies)])


def closed_testing(p):
    """The largest Bonferroni p-value of all sets of hypotheses that hold this one: what Holm's rule abbreviates."""
    subsets = [rows for size in range(1, len(p) + 1) for rows in combinations(range(len(p)), size)]
    values = {rows: min(1, len(rows) * min(p[i] for i in rows)) for rows in subsets}
    return [max(value for rows, value in values.items() if i in rows) for i in range(len(p))]


def by_closed_testing(samples, α):
    p = closed_testing([stats.shapiro(sample).pvalue for sample in samples])
    return [i for i in range(len(p)) if p[i] <= α]


def by_counting(rate, limit):
    return float(next(n for n in range(1, 5000) if stats.beta.ppf(0.975, rate * n + 1, n - rate * n) < limit))


def by_confusion_matrices(p, spam, alarm, miss, candidates):
    tables = [confusion_matrix(spam, p > s) for s in candidates]
    return candidates[int(np.argmin([np.sum(table * [[0, alarm], [miss, 0]]) for table in tables]))]


def by_root(costs):
    """Where both decisions are expected to cost the same."""
    home, operate = np.array(costs)
    return optimize.brentq(lambda p: (home - operate) @ [1 - p, p], 0, 1)


def by_classifier(p, old, new):
    """Priors exchanged in a rule: at x the posterior is p where the second class has the prior old."""
    rule = TrueClassifier([Gaussian(0, 1), Gaussian(1, 1)], [0, 1], priors=[1 - old, old])
    x = optimize.brentq(lambda x: rule.predict_proba([[x]])[0, 1] - p, -20, 20, xtol=1e-13)
    return rule.with_priors([1 - new, new]).predict_proba([[x]])[0, 1]


def power_of_odds(p, T):
    """Without logarithms: p to the power 1/T, against the same of 1 − p."""
    p = np.asarray(p)
    return p ** (1 / T) / (p ** (1 / T) + (1 - p) ** (1 / T))


def by_tails(wrong_a, wrong_b):
    """The two-sided p-value from both tails, without binomtest."""
    n, m = np.sum(wrong_a & ~wrong_b), np.sum(~wrong_a & wrong_b)
    return [min(1, 2 * stats.binom.cdf(min(n, m), n + m, 0.5))]


def by_neighbours(X, y):
    return 1 - cross_val_score(KNeighborsClassifier(1), X, y, cv=LeaveOneOut()).mean()


def by_search(D, d, limit):
    """Without a formula: count up."""
    if norm.sf(D / 2) >= limit:
        return np.inf
    return next(n for n in range(1, 5000) if norm.sf(D / 2 / np.sqrt(1 + 2 * d / (n * D * D))) <= limit)


def by_loop(sizes, errors, price, loss):
    costs = {}
    for row, line in enumerate(errors):
        for n, error in zip(sizes, line, strict=True):
            costs[row, n] = 2 * price * n + loss * error
    return min((cost, pair) for pair, cost in costs.items() if not math.isnan(cost))[1]


def by_singular_values(rows):
    """The rank from the deviations themselves."""
    n, d = rows.shape
    rank = np.sum(np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) > 1e-9)
    return [max(d - n + 1, 0), min(n - 1, d) - rank]


def by_svd(Σ, tolerance):
    U, s, V = np.linalg.svd(Σ)
    r = np.sum(s > tolerance * s[0])
    return [V[:r].T / s[:r] @ U[:, :r].T, np.log(s[:r]).sum()]


def by_covariance(X, share):
    """From the eigenvalues of the covariance, the largest first."""
    scatter = np.linalg.eigvalsh(np.cov(X.T))[::-1]
    return np.array([np.argmax(np.cumsum(scatter) >= share * np.sum(scatter)) + 1])


def by_percentile(observed, shuffled):
    """SciPy's weak percentile of the observed error among all of them."""
    return stats.percentileofscore([*shuffled, observed], observed, kind="weak") / 100


def by_survival(rate_0, rate_1, c):
    """Where the log survival functions of SciPy differ by c."""
    laws = stats.expon(scale=1 / rate_0), stats.expon(scale=1 / rate_1)
    return optimize.brentq(lambda t: laws[1].logsf(t) - laws[0].logsf(t) - c, 0, 100, xtol=1e-14)


def by_lognormal(train, test):
    """SciPy's log-normal density, with its own fit."""
    return stats.lognorm(*stats.lognorm.fit(train, floc=0)).logpdf(test).mean()


def first_count(rate_0, rate_1, seconds, c):
    """The first count at which SciPy's log probabilities differ by more than c."""
    counts = np.arange(1000)
    laws = stats.poisson(rate_0 * seconds), stats.poisson(rate_1 * seconds)
    return int(counts[laws[1].logpmf(counts) - laws[0].logpmf(counts) > c][0])


def by_variances(s, n, m):
    """SciPy's interval about 0."""
    return stats.t.interval(0.95, n - 1, scale=np.hypot(s / math.sqrt(n), s / math.sqrt(m)))[1]


def by_the_tail_of_student(X, x):
    """The share as an integral of the multivariate t over the radius, for d = 1 and 2."""
    n, d = X.shape
    Σ = np.atleast_2d(np.cov(X.T)) * (n - 1) * (n + 1) / (n * (n - d))
    r2 = (x - X.mean(axis=0)) @ np.linalg.inv(Σ) @ (x - X.mean(axis=0))
    return 2 * stats.t.sf(np.sqrt(r2), n - 1) if d == 1 else (1 + r2 / (n - 2)) ** (1 - n / 2)


def by_multinomial(x, p, π):
    """With the multinomial coefficient, which drops out."""
    joint = np.array([stats.multinomial(x.sum(), row).logpmf(x) for row in p]) + np.log(π)
    return (joint - logsumexp(joint)).tolist()


def by_filter(log_odds, is_spam, c):
    """What each mail costs with the cheaper decision, compared with what it costs without a filter."""
    p = expit(log_odds)
    return np.sum(is_spam - np.where(c * (1 - p) < p, c * ~is_spam, is_spam))


def by_samples(a, b):
    """From samples with these statistics."""
    samples = [m + stats.zscore(np.arange(n, dtype=float), ddof=1) * np.sqrt(v) for n, m, v in (a, b)]
    found = stats.describe(np.concatenate(samples))
    return [found.nobs, found.mean, found.variance]


def by_log_odds(P, π, cost, count):
    """Each price is a threshold on the log odds, on either side of 0."""
    z, doubt = logit(P) + logit(π), min(count / cost, 0.5)
    if abs(z) <= logit(1 - doubt):
        return 2
    return np.heaviside(z, 0)


def by_densities(inner, outer):
    """At the common mean the products of prior and density are equal."""
    p_inner, p_outer = (multivariate_normal([0, 0], Σ).pdf([0, 0]) for Σ in (inner, outer))
    return [p_outer / (p_inner + p_outer)]


def by_data_set(frame, label):
    with warnings.catch_warnings(action="ignore"):
        names = Dataset.from_frame(frame, label).feature_names
    return np.isin(frame.columns, names)


def by_counter(labels, d):
    counts = Counter(label for label in labels if label is not None)
    return [max(0, d + 2 - counts[label]) for label in sorted(counts)]


def by_the_beta_distribution(wrong, n):
    low = beta.ppf(0.025, wrong, n - wrong + 1) if wrong else 0
    return low, beta.ppf(0.975, wrong + 1, n - wrong) if wrong < n else 1


@pytest.mark.parametrize(
    ("number", "answer"),
    [
        ("0.1", Fraction(4, 7)),
        ("0.1", np.array(1 - 150 / 350)),
        ("0.2", lambda n, p, d: np.array(n)[np.argmax(np.multiply(p, d))]),
        ("1.1", norm.logpdf),
        ("1.1", lambda x, μ, σ: norm.logpdf(np.subtract(x, μ, out=x), scale=σ)),
        ("1.1", lambda x, μ, σ: [-math.log(2 * math.pi * σ * σ) / 2 - (v - μ) ** 2 / (2 * σ * σ) for v in x]),
        ("1.2", lambda a, b: np.concatenate([a - a.mean(), b - b.mean()]).var(keepdims=True, ddof=2)),
        ("1.2", lambda a, b: [np.average([a.var(ddof=1), b.var(ddof=1)], weights=[len(a) - 1, len(b) - 1])]),
        ("1.3", lambda b, μ1, μ2, σ: norm.pdf(b, μ2, σ) / (norm.pdf(b, μ1, σ) + norm.pdf(b, μ2, σ))),
        ("2.1", principal_axes),
        ("2.1", lambda X, μ, Σ: ((X - μ) @ np.linalg.inv(linalg.sqrtm(Σ))).tolist()),
        ("2.2", log_by_scipy),
        ("2.2", lambda *args: [[log_by_scipy(*args)]]),
        ("2.3", stats.chi(2).ppf),
        ("2.3", lambda share: [optimize.brentq(lambda k: stats.chi2.cdf(k**2, 2) - share, 0, 9, xtol=1e-14)]),
        ("3.1", naive),
        ("3.1", spoiled),
        ("3.2", lambda c, π_A: [expit(c / 2 + logit(π_A))]),
        ("3.2", lambda c, π_A: 1 / (1 + (1 - π_A) / π_A * np.exp(-c / 2))),
        ("3.3", tags_by_scikit_learn()),
        ("3.3", [False, False, False, True, True, True, True]),
        ("4.1", lambda S: np.array([np.diag(np.diag(matrix)) for matrix in S])),
        ("4.1", lambda S: np.einsum("kii,ij->kij", S, np.eye(S.shape[1]))),
        ("4.2", counted),
        ("4.3", lambda p, k: 1 / (1 + ((1 - p) / p) ** k)),
        ("5.1", quadratic),
        ("5.2", by_scikit_learn),
        ("6.1", lambda logs: [1 / sum(math.exp(min(b - a, 700)) for b in logs) for a in logs]),
        ("6.1", lambda logs: special.softmax(np.subtract(logs, logs.max(), out=logs))),
        ("6.2", by_listing),
        ("6.3", hungarian),
        ("7.1", by_splitter),
        ("7.1", lambda y, k, rng: [test for _, test in k_fold(y, k, rng, stratify=True)]),
        ("7.2", lambda X: [np.delete(X, i, axis=0).mean(axis=0) for i in range(len(X))]),
        ("7.3", by_cross_val_score),
        ("7.4", by_beta),
        ("8.1", closed_testing),
        ("8.2", by_counting),
        ("8.3", by_closed_testing),
        ("9.1", by_root),
        ("9.2", by_classifier),
        ("9.3", by_confusion_matrices),
        ("10.1", power_of_odds),
        ("10.2", by_tails),
        ("11.1", lambda P: [1 - np.mean(np.einsum("ij,ij->i", P, P))]),
        ("11.2", by_neighbours),
        ("12.1", by_search),
        ("12.2", by_loop),
        ("13.1", by_singular_values),
        ("13.2", by_svd),
        ("14.1", by_covariance),
        ("14.2", by_percentile),
        ("15.1", by_survival),
        ("15.2", first_count),
        ("15.3", by_lognormal),
        ("16.1", by_multinomial),
        ("16.2", by_filter),
        ("17.1", by_samples),
        ("17.2", np.array([1, 1, 2, 1, 20])),
        ("17.2", dict(enumerate([1, 1, 2, 1, 20]))),
        ("18.1", by_variances),
        ("18.2", by_the_tail_of_student),
        ("19.1", by_densities),
        ("19.3", by_log_odds),
        ("20.1", by_data_set),
        ("20.2", by_counter),
        ("20.3", by_the_beta_distribution),
    ],
)
def test_is_accepted(number, answer):
    assert check(number, answer).message == ""
