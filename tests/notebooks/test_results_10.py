"""What notebook 10 prints, computed in another way: by scikit-learn, SciPy's distributions and integrals."""

import re
from functools import cache, partial

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import beta, binom, multivariate_normal, norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from stored import printed_by

from bayeslab import GaussianClassifier, k_fold, load_tumours, make_gaussian_pair

printed = partial(printed_by, "10")
NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
SIX = ["radius", "texture", "smoothness", "compactness", "concavity", "concave points"]
PEERS = {"naive": GaussianNB(var_smoothing=0), "full": QuadraticDiscriminantAnalysis(tol=1e-9)}
PEERS["LDA"] = LinearDiscriminantAnalysis(solver="lsqr")


def table(phrase):
    """Rows of a printed table: their names, and their numbers as they stand; a wide table comes in pieces."""
    rows = {}
    for line in printed(phrase).splitlines():
        found = re.fullmatch(rf"\s*(\D.*?)\s\s+({NUMBER}%?(?:\s+{NUMBER}%?)*)\s*\\?", line)
        if found:
            rows.setdefault(found[1], []).extend(float(x.rstrip("%")) for x in found[2].split())
    return rows


def numbers(phrase, pattern):
    return [float(x) for x in re.findall(pattern.replace("#", f"({NUMBER})"), printed(phrase))]


@cache
def tumours():
    data = load_tumours()  # in units of the standard deviations, which scikit-learn's tolerances need
    return data.X / data.X.std(axis=0), (data.y == "malignant").astype(int)


def odds_by_folds(name, X, y, folds):
    """Log odds of class 1; naive Bayes of scikit-learn has no decision function."""
    how = "predict_log_proba" if name == "naive" else "decision_function"
    result = cross_val_predict(PEERS[name], X, y, cv=folds, method=how)
    return result[:, 1] - result[:, 0] if name == "naive" else result


@cache
def peer_odds(name):
    """Log odds of the ten folds, by scikit-learn."""
    X, y = tumours()
    folds = k_fold(y, 10, np.random.default_rng(10), stratify=True)
    return odds_by_folds(name, X, y, folds)


@cache
def world():
    """Mean and covariance of each class by NumPy, and the priors."""
    data = load_tumours()
    X, y = data.select(*[f"mean {name}" for name in SIX]).X, tumours()[1]
    X = X / X.std(axis=0)
    return [(X[y == k].mean(axis=0), np.cov(X[y == k].T)) for k in (0, 1)], np.bincount(y) / len(y)


def drawn(n, rng):
    moments, priors = world()
    y = (rng.random(n) < priors[1]).astype(int)
    X = [rng.multivariate_normal(*moments[k], size=n) for k in (0, 1)]
    return np.where(y[:, None] == 1, X[1], X[0]), y


def true_posterior(X):
    (zero, one), priors = world()
    joint = np.log(priors) + np.stack([multivariate_normal(*m).logpdf(X) for m in (zero, one)], axis=1)
    return expit(joint[:, 1] - joint[:, 0])


@pytest.mark.parametrize("name", PEERS)
def test_released_tumours(name):
    """scikit-learn divides by n, which moves a tumour or two across 0.99."""
    z, y = peer_odds(name), tumours()[1]
    sure, wrong = expit(np.abs(z)) > 0.99, (z > 0) != y
    mine = [wrong.sum(), sure.sum(), np.sum(expit(-np.abs(z))[sure]), wrong[sure].sum()]
    assert np.abs(np.subtract(table("promised errors")[name], mine)).max() <= 3
    assert table("promised errors")[name][2] == pytest.approx(mine[2], rel=0.3)


def test_released_by_shrunken():
    """With the densities of SciPy."""
    X, y = tumours()
    counts = np.zeros(4)
    for train, test in k_fold(y, 10, np.random.default_rng(10), stratify=True):
        X_train, X_test, y_train = X[train], X[test], y[train]
        λ = GaussianClassifier(shrinkage="ledoit_wolf").fit(X_train, y_train).shrinkage_
        own = [np.cov(X_train[y_train == k].T) for k in (0, 1)]
        n = np.bincount(y_train)
        pooled = sum((n[k] - 1) * own[k] for k in (0, 1)) / (n.sum() - 2)
        joint = []
        for k in (0, 1):
            Σ = (1 - λ[k]) * own[k] + λ[k] * np.diag(np.diag(pooled))
            mean = X_train[y_train == k].mean(axis=0)
            joint.append(np.log(n[k] / n.sum()) + multivariate_normal(mean, Σ).logpdf(X_test))
        z = joint[1] - joint[0]
        sure, wrong = expit(np.abs(z)) > 0.99, (z > 0) != y[test]
        counts += [wrong.sum(), sure.sum(), np.sum(expit(-np.abs(z))[sure]), wrong[sure].sum()]
    np.testing.assert_allclose(table("promised errors")["shrunken"], counts, atol=0.006)


def test_bayes_errors_and_bounds():
    rows = re.findall(rf"^(\S.*?)\s\s+({NUMBER})\s+({NUMBER})\s+(exact|Monte Carlo)\s+(.*)$", printed("at_half"), re.M)
    values = {name: [float(value), float(error), *map(float, rest.split())] for name, value, error, _, rest in rows}
    assert values["P2a"][0] == pytest.approx(norm.sf(np.sqrt(20) / 2), abs=5e-5)
    assert values["P2b"][0] == pytest.approx(norm.sf(np.sqrt(20 / 3) / 2), abs=5e-5)
    assert (values["P2a"][0], values["P2b"][0]) == (0.0127, 0.0984)
    # By samples: E[min], E[pˢ q¹⁻ˢ] of the posteriors p of class 0 and q of class 1, with densities of SciPy.
    rng, n = np.random.default_rng(1), 200_000
    pair = make_gaussian_pair("P2c", n, rng)
    log = [multivariate_normal(g.mean, g.covariance).logpdf(pair.X) for g in pair.truth.gaussians]
    posteriors = {"P2c": expit(log[1] - log[0]), "our world": true_posterior(drawn(n, rng)[0])}
    for name, q in posteriors.items():
        value, error, chernoff, s, bhattacharyya = values[name]
        doubt = np.minimum(q, 1 - q)
        deviation = np.hypot(error, doubt.std() / np.sqrt(len(q)))
        assert abs(value - doubt.mean()) < 4 * deviation + 5e-5
        assert np.mean((1 - q) ** s * q ** (1 - s)) == pytest.approx(chernoff, rel=0.03)
        assert np.mean(np.sqrt(q * (1 - q))) == pytest.approx(bhattacharyya, rel=0.03)
        others = [np.mean((1 - q) ** t * q ** (1 - t)) for t in (0.1, 0.2, 0.4, 0.6, 0.8)]
        assert min(others) > chernoff * 0.97


def test_floor_and_calibration_of_the_truth():
    rng = np.random.default_rng(2)
    X, y = drawn(400_000, rng)
    p = true_posterior(X)
    (doubt, error), (share, its_error) = re.findall(rf"({NUMBER}) ± ({NUMBER})", printed("mean doubt"))
    floor = np.minimum(p, 1 - p).mean()
    assert abs(float(doubt) - floor) < 4 * float(error)
    assert abs(float(share) - floor) < 4 * float(its_error)
    for n, stated in zip(
        (200, 2000, 40_000), map(float, re.findall(r": (0\.\d+)", printed("ECE of the truth"))), strict=True
    ):
        rows = [rng.choice(len(y), n) for _ in range(60)]
        mine = [np.abs(_sums(p[r], y[r])).sum() / n for r in rows]
        assert np.mean(mine) == pytest.approx(stated, abs=0.15 * np.mean(mine) + 3 * np.std(mine) / np.sqrt(50) + 0.002)


def _sums(p, y):
    """Of each bin the sum of posterior minus label."""
    return np.histogram(p, 10, (0, 1), weights=p - y)[0]


def test_more_data_cure_full_only():
    """With scikit-learn's rules and draws of NumPy; means of 30 draws differ by chance."""
    rng = np.random.default_rng(3)
    X, y = drawn(20_000, rng)
    stated = table("by_rule")
    for column, n in enumerate((50, 400)):
        for name, rule in PEERS.items():
            shares = []
            for _ in range(30):
                p = rule.fit(*drawn(n, rng)).predict_proba(X)[:, 1]
                sure = np.maximum(p, 1 - p) > 0.99
                shares.append(100 * np.mean((p > 0.5)[sure] != y[sure]))
            tolerance = 4 * np.sqrt(2 / 30) * np.std(shares) + 0.3
            assert stated[name][column] == pytest.approx(np.mean(shares), abs=tolerance)
    p = true_posterior(X)
    assert stated["true posterior"][0] == pytest.approx(100 * np.minimum(p, 1 - p)[abs(p - 0.5) > 0.49].mean(), abs=0.1)


def test_fines_of_the_truth_and_of_the_prior():
    (_, priors), rng = world(), np.random.default_rng(4)
    p = true_posterior(drawn(200_000, rng)[0])
    stated = table("def report")
    log_loss = -np.mean(p * np.log(np.maximum(p, 1e-300)) + (1 - p) * np.log1p(-np.minimum(p, 1 - 1e-16)))
    assert stated["true posterior"][0] == pytest.approx(log_loss, abs=0.006)
    assert stated["true posterior"][1] == pytest.approx(np.mean(p * (1 - p)), abs=0.002)
    entropy = -np.sum(priors * np.log(priors))
    np.testing.assert_allclose(stated["prior for all"], [entropy, priors.prod(), 0, 0.5, priors.max()], atol=1e-4)


def test_copies():
    """In closed form: x is N(1, 1) by symmetry, the log odds are 2kx, and released is |x| > ln 99 / 2k."""
    stated = table("bells =")
    for column, k in enumerate((1, 2, 5, 20)):
        cut = np.log(99) / (2 * k)
        wrong = norm.cdf(-cut - 1)
        released = wrong + norm.sf(cut - 1)
        mean = quad(lambda x, k=k: expit(2 * k * abs(x)) * norm.pdf(x, 1), -9, 11, points=[0])[0]
        mine = [norm.cdf(1), mean, released, wrong / released]
        assert [stated[name][column] for name in stated if name != "copies"] == pytest.approx(mine, abs=0.008)


def test_a_common_noise_makes_naive_modest():
    """z = x₁ − x₂ of naive has the mean 1 and the variance 0.4 in class 1, and the opposite mean in class 0."""
    z = norm(1, np.sqrt(0.4))
    claimed = quad(lambda x: expit(abs(x)) * z.pdf(x), -10, 10, points=[0, 1])[0]
    assert numbers("X, lamp_y = ", "#%") == pytest.approx([100 * z.sf(0), 100 * claimed], abs=0.5)


def test_temperatures():
    """1/T is the coefficient of a logistic regression on z without intercept and penalty."""
    rng = np.random.default_rng(5)
    x = np.concatenate([rng.normal(-1, 1, 50_000), rng.normal(1, 1, 50_000)])
    labels = np.repeat([0, 1], 50_000)
    for k, stated in zip((2, 5, 20), numbers("copies: T", "T = #"), strict=True):
        slope = LogisticRegression(C=np.inf, fit_intercept=False).fit(2 * k * x[:, None], labels).coef_[0, 0]
        assert stated == pytest.approx(1 / slope, rel=0.03)


@pytest.mark.parametrize("name", PEERS)
def test_tempered_tumours(name):
    X, y = tumours()
    z, tempered, temperatures = peer_odds(name), np.empty(len(y)), []
    for train, test in k_fold(y, 10, np.random.default_rng(10), stratify=True):
        inner = k_fold(y[train], 5, np.random.default_rng(6), stratify=True)
        inside = odds_by_folds(name, X[train], y[train], inner)[:, None]
        slope = LogisticRegression(C=np.inf, fit_intercept=False).fit(inside, y[train]).coef_[0, 0]
        temperatures.append(1 / slope)
        tempered[test] = z[test] * slope
    sign = np.where(y == 1, 1, -1)
    most = -np.log(np.finfo(float).eps)  # scikit-learn's limit
    losses = [np.mean(np.minimum(np.logaddexp(0, -sign * odds), most)) for odds in (z, tempered)]
    briers = [np.mean((expit(odds) - y) ** 2) for odds in (z, tempered)]
    T, errors, *fines = table("tempered_folds(rule, z[name])")[name]
    assert pytest.approx(np.mean(temperatures), rel=0.1) == T
    assert abs(errors - np.sum((z > 0) != y)) <= 2
    assert fines == pytest.approx([losses[0], losses[1], briers[0], briers[1]], rel=0.08)
    released = np.sum(expit(np.abs(tempered)) > 0.99)
    row = re.search(rf"^{name} .*\n\s+tempered\s+(\d+)", printed("upper = "), re.M)
    assert int(row[1]) == pytest.approx(released, rel=0.1)


def test_intervals():
    n, rates = 569, re.findall(rf"(\d+) errors, rate ({NUMBER})% to ({NUMBER})%", printed("misses = "))
    assert len(rates) == 2
    for count, low, high in (map(float, row) for row in rates):
        ends = 100 * beta.ppf(0.025, count, n - count + 1), 100 * beta.ppf(0.975, count + 1, n - count)
        assert (low, high) == pytest.approx(ends, abs=0.05)
    rows = re.findall(rf"(\d+)\s+(\d+)\s+({NUMBER})%", printed("upper = "))
    assert len(rows) == 8
    for n, count, upper in (map(float, row) for row in rows):
        assert upper == pytest.approx(100 * beta.ppf(0.95, count + 1, n - count), abs=0.005)
        assert upper > 1


def test_mcnemar():
    first, second, p = map(float, re.findall(NUMBER, printed("only_a, only_b").replace("p =", "")))
    assert p == pytest.approx(2 * binom.cdf(min(first, second), first + second, 0.5), abs=5e-6)
    errors = dict(re.findall(r"(\w+): (\d+) errors", printed("misses = ")))
    assert first - second == int(errors["naive"]) - int(errors["shrunken"])


def test_how_many_must_be_released():
    (_, first), (one, second) = re.findall(r"(\d) wrong of (\d+)", printed("binom.cdf"))
    assert int(first) == np.ceil(np.log(0.05) / np.log(0.99))
    n = int(second)
    assert beta.ppf(0.95, int(one) + 1, n - 1) <= 0.01 < beta.ppf(0.95, int(one) + 1, n - 2)


def test_believed_error():
    """What shrunken believes, by samples of its own densities."""
    X, y = tumours()
    rule, rng = GaussianClassifier(shrinkage="ledoit_wolf").fit(X, y), np.random.default_rng(7)
    doubts = []
    for prior, own in zip(rule.priors_, rule.gaussians_, strict=True):
        rows = rng.multivariate_normal(own.mean, own.covariance, size=20_000)
        log = [
            np.log(pi) + multivariate_normal(g.mean, g.covariance).logpdf(rows)
            for pi, g in zip(rule.priors_, rule.gaussians_, strict=True)
        ]
        doubts.append(prior * expit(-np.abs(log[1] - log[0])).mean())
    believed, observed = map(float, re.findall(r"0\.\d+", printed("believed = ")))
    assert believed == pytest.approx(sum(doubts), rel=0.15)
    assert observed == pytest.approx(19 / 569, abs=5e-5)
