"""What notebook 12 prints, computed in another way: by scikit-learn's rules, SciPy's densities and NumPy's draws."""

import re
from functools import cache, partial

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from stored import printed_by

from bayeslab import make_gaussian_pair

printed = partial(printed_by, "12")
NUMBER = r"-?\d+(?:\.\d+)?"
SIZES = [5, 10, 15, 25, 40, 70, 120, 250, 500, 1000]
LEARNT = {"nearest mean": 40, "naive": 80, "LDA": 250, "QDA": 460, "1-NN": 0}
PEERS = {
    "nearest mean": NearestCentroid(),
    "naive": GaussianNB(var_smoothing=0),
    "LDA": LinearDiscriminantAnalysis(solver="lsqr"),
    "QDA": QuadraticDiscriminantAnalysis(tol=1e-9),
    "logistic": LogisticRegression(C=100, max_iter=1000),
}


def numbers(text):
    return [float(x) for x in re.findall(NUMBER, text)]


def rows(phrase, *names):
    """Return the numbers of the printed lines that begin with a name, in the order of the lines."""
    found = [re.match(rf"\s*({'|'.join(names)})\s+(.*)", line) for line in printed(phrase).splitlines()]
    return [(match[1], numbers(match[2])) for match in found if match]


@cache
def world(problem):
    """Mean and covariance of each class; those of P2c are the package's, drawn once."""
    if problem == "P2c":
        gaussians = make_gaussian_pair("P2c", 1, np.random.default_rng(0)).truth.gaussians
        return [(g.mean, g.covariance) for g in gaussians]
    return [(np.full(20, mean), np.eye(20) * (1 if problem == "P2a" else 3)) for mean in (0.0, 1.0)]


def drawn(problem, n, rng):
    X = np.concatenate([rng.multivariate_normal(m, S, size=n, method="cholesky") for m, S in world(problem)])
    return X, np.repeat([0, 1], n)


@cache
def many(problem):
    X, y = drawn(problem, 30_000, np.random.default_rng(99))
    log = np.stack([multivariate_normal(m, S).logpdf(X) for m, S in world(problem)])
    return X, y, 1 / (1 + np.exp(log[0] - log[1]))


def error(rule, problem):
    """Share of wrong decisions among 60,000 rows."""
    X, y, _ = many(problem)
    return np.mean(rule.predict(X) != y)


@cache
def errors(name, problem, n, n_draws=12):
    """Mean error of a peer after n rows of each class, and the standard error of that mean."""
    rng = np.random.default_rng(n)
    found = [error(PEERS[name].fit(*drawn(problem, n, rng)), problem) for _ in range(n_draws)]
    return np.mean(found), np.std(found, ddof=1) / np.sqrt(n_draws) + np.sqrt(np.mean(found) / 60_000)


def floor(problem):
    p = many(problem)[2]
    exact = {"P2a": norm.sf(np.sqrt(20) / 2), "P2b": norm.sf(np.sqrt(20 / 3) / 2)}
    return exact.get(problem, np.minimum(p, 1 - p).mean())


def test_floors():
    table = dict(rows("bayes_error(worlds[name]", "P2a", "P2b", "P2c"))
    assert table["P2a"][0] == pytest.approx(norm.cdf(-np.sqrt(20) / 2), abs=5e-5)
    assert table["P2b"][0] == pytest.approx(norm.cdf(-np.sqrt(20 / 3) / 2), abs=5e-5)
    assert (table["P2a"][0], table["P2b"][0]) == (0.0127, 0.0984)
    p = many("P2c")[2]
    doubt = np.minimum(p, 1 - p)
    assert abs(table["P2c"][0] - doubt.mean()) < 4 * np.hypot(doubt.std() / np.sqrt(len(p)), 1e-4)


def test_small_test_sets_are_coarse():
    text = printed("counts = wrong")
    truth, spread = (numbers(re.search(r"\[(.*?)\]", line)[1]) for line in text.splitlines()[:2])
    for e, s in zip(truth, spread, strict=True):  # a binomial spread, known to 1/√800 of itself from 400 sets
        assert s == pytest.approx(np.sqrt(100 * e * (1 - e)), rel=4 / np.sqrt(800))
    for name, e in zip(("nearest mean", "LDA"), truth, strict=True):
        mean, sem = errors(name, "P2b", 50)
        assert abs(e - mean) < 4 * sem * np.sqrt(12)  # one draw


def test_four_ways_to_one_error():
    text = printed("error_of: ")
    exact = numbers(text)[0]
    for value, deviation in re.findall(r": (0\.\d+) ± (0\.\d+)", text):
        assert abs(float(value) - exact) < 4 * float(deviation)
    count, excess = (float(re.search(rf"{way}: .* ± (0\.\d+)", text)[1]) for way in ("count", r"floor \+ excess"))
    assert excess < 0.6 * count


def test_sizes_needed():
    """At the size in the table the mean error is within 1.5 times the floor, at the one before it is not."""
    table = {
        name: line for name, line in re.findall(r"^(\S.*?)\s\s+(\d.*)$", printed("first_within(means[rule]"), re.M)
    }
    for name, number in LEARNT.items():
        learnt, *needed = table[name].split()
        assert int(learnt) == number
        if name == "1-NN":
            assert needed == ["–"] * 3
            continue
        for problem, size in zip(("P2a", "P2b", "P2c"), needed, strict=True):
            limit = 1.5 * floor(problem)
            at = len(SIZES) - 1 if size == "–" else SIZES.index(int(size))
            mean, sem = errors(name, problem, SIZES[at])
            if size == "–":
                assert mean > limit
                continue
            assert mean < limit + 5 * sem
            mean, sem = errors(name, problem, SIZES[at - 1])
            assert np.isnan(mean) or mean > limit - 5 * sem


def test_formula_of_the_means():
    found = printed("rows[name, n, rule]").splitlines()
    problem = n = None
    seen = 0
    for line in found:
        match = re.match(r"(P2[ab])?\s*(\d+)?\s*(nearest mean|LDA)\s+(.*)", line)
        if not match:
            continue
        problem, n = match[1] or problem, int(match[2] or n)
        formula, mean, sem = numbers(match[4])
        D2 = 20 if problem == "P2a" else 20 / 3
        T = (1 + 40 / (n * D2)) * (2 * n / (2 * n - 20) if match[3] == "LDA" else 1)
        assert formula == pytest.approx(norm.sf(np.sqrt(D2 / T) / 2), abs=6e-5)
        mine, its = errors(match[3], problem, n)
        assert abs(mean - mine) < 4 * np.hypot(sem, its)
        seen += 1
    assert seen == 12


def test_limits():
    table = dict(rows("reached = {", "nearest mean", "naive", "LDA", "QDA", "1-NN"))
    (m0, S0), (m1, S1) = world("P2c")
    for name, S in (("nearest mean", np.eye(20)), ("LDA", S0 + S1)):
        w = np.linalg.inv(S) @ (m1 - m0)
        half = w @ (m1 - m0) / 2
        exact = (norm.sf(half / np.sqrt(w @ S0 @ w)) + norm.sf(half / np.sqrt(w @ S1 @ w))) / 2
        assert table[name][0] == pytest.approx(exact, abs=6e-5)
    X, y, p = many("P2c")
    d = [norm(m, np.sqrt(np.diag(S))).logpdf(X).sum(axis=1) for m, S in world("P2c")]
    assert table["naive"][0] == pytest.approx(np.mean((d[1] > d[0]) != y), abs=4 * 0.0009)
    assert table["1-NN"][0] == pytest.approx(np.mean(2 * p * (1 - p)), abs=4 * 0.0003)
    for name in ("nearest mean", "naive", "LDA", "QDA"):
        mean, sem = errors(name, "P2c", 1000)
        assert abs(table[name][-1] - mean) < 4 * sem + 0.0015  # naive's by twenty times 1200 rows


def test_efficiency_is_efrons():
    """His printed values, and Gauss's and Hermite's points for the integral."""
    values = [float(x) for x in re.findall(r"efficiency (0\.\d+)", printed("for D in (1, 2, 3, 4)"))]
    assert values == [0.995, 0.899, 0.641, 0.343]
    x, weight = np.polynomial.hermite_e.hermegauss(120)
    for D, value in zip((1, 2, 3, 4), values, strict=True):
        p = 1 / (1 + np.exp(-D * (x + D / 2)))
        assert value == pytest.approx((4 + D**2) * np.sum(weight * p * (1 - p)) / np.sqrt(2 * np.pi), abs=6e-4)


def test_measured_efficiency():
    """Over 15 draws at 1000 and at 2000 of each class: the excess of a draw varies by about a third."""
    ratios = re.findall(r"efficiency (0\.\d+), ratio of excesses (0\.\d+)", printed("ratio of excesses"))
    assert [float(e) for e, _ in ratios] == [0.23, 0.76]
    for efficiency, measured in ratios:
        assert float(measured) == pytest.approx(float(efficiency), rel=4 * np.sqrt(2) * 0.33 / np.sqrt(30))
    rng = np.random.default_rng(5)
    for problem, share in zip(("P2a", "P2b"), re.findall(r"in (\d+)% of", printed("ratio of excesses")), strict=True):
        apart = [PEERS["logistic"].fit(*(d := drawn(problem, 120, rng))).score(*d) == 1 for _ in range(10)]
        assert int(share) == 100 * np.mean(apart)


def test_wet_flakes():
    """The limits, by fits to 100,000 rows."""
    rng, n = np.random.default_rng(3), 100_000
    X = rng.normal(size=(2 * n, 2))
    y = np.repeat([0, 1], n)
    is_wet = (rng.random(2 * n) < 0.1) & (y == 1)
    X[y == 1, 0] += 3
    X[is_wet] += [5, -8]
    test = rng.permutation(2 * n)
    half = test[:n], test[n:]
    text = printed("by_draw.loc[[10, 640]]")
    stated = re.findall(rf"(LDA|logistic|QDA)\s+({NUMBER})", text[text.index("640") :])
    assert len(stated) == 3
    for name, value in stated:
        mine = np.mean(PEERS[name].fit(X[half[0]], y[half[0]]).predict(X[half[1]]) != y[half[1]])
        assert float(value) == pytest.approx(mine, abs=0.004)


def test_planes():
    """Naive with one variance for both classes is LDA on a diagonal matrix: here, nearest mean after scaling."""
    table = {int(n): numbers(rest) for n, rest in re.findall(r"^(\d+)\s+(0\..*)$", printed('table.loc["limit"]'), re.M)}
    for n in (25, 250, 1000):
        for column, name in ((2, "logistic"), (4, "LDA")):
            mean, sem = errors(name, "P2c", n)
            assert abs(table[n][column] - mean) < 4 * np.hypot(sem, table[n][column + 1]) + 6e-4
    (m0, S0), (m1, S1) = world("P2c")
    w = (m1 - m0) / np.diag(S0 + S1)
    half = w @ (m1 - m0) / 2
    naive = (norm.sf(half / np.sqrt(w @ S0 @ w)) + norm.sf(half / np.sqrt(w @ S1 @ w))) / 2
    limits = numbers(re.search("limit(.*)", printed('table.loc["limit"]'))[1])
    assert limits[0] == pytest.approx(naive, abs=6e-4)
    X, y, _ = many("P2c")
    logistic = PEERS["logistic"].fit(*drawn("P2c", 20_000, np.random.default_rng(8)))
    assert limits[1] == pytest.approx(np.mean(logistic.predict(X) != y), abs=0.0025)
    crossing = {n: values[0] - values[2] for n, values in table.items()}  # naive minus logistic
    assert crossing[250] < 0 < crossing[500]


def test_penalties():
    """Both penalties against an independent run; the error in each cell is that of 20 draws."""
    lines = rows('rivals[f"C = {C}"]', "LDA", "naive", "C = 100", "C = 1", "C = 0.01")
    table = {name: np.reshape(values, (4, 2)) for name, values in lines}
    for column, (problem, n) in enumerate([("P2a", 120), ("P2c", 25), ("P2c", 120), ("P2c", 250)]):
        for C in (100, 1, 0.01):
            rng, peer = np.random.default_rng(7), LogisticRegression(C=C, max_iter=1000)
            mine = [error(peer.fit(*drawn(problem, n, rng)), problem) for _ in range(12)]
            mean, sem = table[f"C = {C}"][column]
            sampling = np.sqrt(mean / 60_000)
            assert abs(mean - np.mean(mine)) < 4 * np.hypot(sem, np.std(mine, ddof=1) / np.sqrt(12)) + 2 * sampling
    assert table["C = 0.01"][0, 0] < table["LDA"][0, 0] < table["C = 1"][0, 0]
    assert abs(table["C = 1"][1, 0] - table["naive"][1, 0]) < 2 * table["C = 1"][1, 1]  # level at 25
    for C in ("C = 1", "C = 0.01"):
        assert (table[C][2:, 0] < table["naive"][2:, 0] - 4 * table["naive"][2:, 1]).all()


def test_tumours_in_pairs():
    """Logistic regression is ahead of naive on the mean; other parts of the data, with scikit-learn's rules."""
    means, sems = (numbers(re.search(rf"{name} (.*)", printed("by_part = "))[1]) for name in ("mean", "sem"))
    data = load_breast_cancer()
    logistic = make_pipeline(StandardScaler(), LogisticRegression(C=100, max_iter=1000))
    for n, mean, sem in [(40, means[0], sems[0]), (300, means[4], sems[4])]:
        found = []
        for seed in range(15):
            X, T, y, t = train_test_split(data.data, data.target, train_size=n, random_state=seed, stratify=data.target)
            found.append(logistic.fit(X, y).score(T, t) - PEERS["naive"].fit(X, y).score(T, t))
        assert abs(mean - np.mean(found)) < 4 * np.hypot(sem, np.std(found, ddof=1) / np.sqrt(15)) + 5e-4
    assert min(means) > 0
    assert means[0] < 3 * sems[0]


def test_repeated_splits_hide_the_data_set():
    lines = printed("per_set.round(3)").splitlines()
    means, bars = (numbers(line)[-10:] for line in lines[:2])
    claimed, spread = numbers(lines[2])
    assert spread == pytest.approx(np.std(means, ddof=1), abs=1e-3)
    assert claimed == pytest.approx(np.mean(bars), abs=1e-3)
    rng, mine = np.random.default_rng(4), []
    for _ in range(40):
        X, y = drawn("P2b", 50, rng)
        accuracies = []
        for _ in range(10):
            rows = [rng.permutation(50) + 50 * k for k in (0, 1)]
            train, test = (np.concatenate([r[part] for r in rows]) for part in (slice(30), slice(30, None)))
            accuracies.append(PEERS["nearest mean"].fit(X[train], y[train]).score(X[test], y[test]))
        mine.append(np.mean(accuracies))
    assert spread == pytest.approx(np.std(mine, ddof=1), rel=0.9)  # a spread of ten is known to a quarter of itself
    assert spread > 2 * claimed


def test_bill():
    text = printed("bill = {}")
    assert numbers(text.splitlines()[0])[-1] == round(300_000 * norm.sf(np.sqrt(20 / 3) / 2))
    lines = re.findall(r"(P2.)?\s+(\d+)\s+(nearest mean|QDA)\s+(\d+)\s+(\d+)\s+(\d+)$", text, re.M)
    assert len(lines) == 6
    problem = None
    for name, most, rule, flakes, cost, doubt in lines:
        problem = name or problem
        assert int(flakes) <= int(most)
        mean, sem = errors(rule, problem, int(flakes) // 2)
        assert abs(int(cost) - 5 * int(flakes) - 300_000 * mean) < 4 * np.hypot(300_000 * sem, float(doubt)) + 10
