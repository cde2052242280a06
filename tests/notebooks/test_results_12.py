"""What notebook 12 prints, computed in another way: by scikit-learn's rules, SciPy's densities and NumPy's draws."""

import re

import numpy as np
import pytest
from flakes_otherwise import LEARNT, PEERS, SIZES, drawn, errors, floor, many, numbers, printed, rows, world
from scipy.stats import norm


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
