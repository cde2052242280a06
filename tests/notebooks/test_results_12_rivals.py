"""What notebook 12 prints of logistic regression, of tumours and of the bill, computed in another way."""

import re

import numpy as np
import pytest
from flakes_otherwise import NUMBER, PEERS, drawn, error, errors, many, numbers, printed, rows, world
from scipy.stats import norm
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


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
