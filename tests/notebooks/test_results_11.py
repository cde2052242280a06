"""What notebook 11 prints, computed in another way: by SciPy's densities, scikit-learn, and draws of NumPy."""

import re
from functools import cache, partial

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from scipy.stats import binom, multivariate_normal, norm
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid, NearestNeighbors
from stored import printed_by

from bayeslab import k_fold, load_penguins, make_gaussian_pair

printed = partial(printed_by, "11")
NUMBER = r"-?\d+(?:\.\d+)?"
NAMES, SIZES = ("P1a", "P1b", "P1c"), (10, 25, 75, 199)
ZERO = multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]])
ONES = {
    name: multivariate_normal(mean, [[1, 0], [0, 2]])
    for name, mean in {"P1a": [1, 1], "P1b": [3, 3], "P1c": [3, 6]}.items()
}
KS = np.arange(1, 100, 2)


def posterior(name, X):
    """Of class 1, with equal priors."""
    zero, one = ZERO.pdf(X), ONES[name].pdf(X)
    return one / (zero + one)


def drawn(name, n, rng):
    y = rng.integers(2, size=n)
    return np.where(y[:, None] == 1, ONES[name].rvs(n, random_state=rng), ZERO.rvs(n, random_state=rng)), y


@cache
def integrals(name):
    """Bayes error, limit of one neighbour, E[r²] by a sum over midpoints."""
    x, y = (np.arange(low, high, 0.04) + 0.0137 for low, high in ((-7, 10), (-8, 16)))
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    p = 0.04**2 * (ZERO.pdf(grid) + ONES[name].pdf(grid)) / 2
    q = posterior(name, grid)
    r = np.minimum(q, 1 - q)
    return np.sum(p * r), np.sum(2 * p * r * (1 - r)), np.sum(p * r**2)


def test_votes_for_the_new_piece():
    pair, new = make_gaussian_pair("P1a", 100, np.random.default_rng(11)), [[1.0, 0.3]]
    X, y = pair.X[1:], pair.y[1:]
    nearest = NearestNeighbors(n_neighbors=15).fit(X).kneighbors(new, return_distance=False)[0]
    ones = y[nearest].sum()
    votes, truth = printed("k_c = np.bincount").splitlines()
    zero, one = map(float, re.findall(r"0\.\d+", votes))
    assert votes.startswith(f"[{15 - ones} {ones}] of 15")
    assert (zero, one) == pytest.approx(((15 - ones) / 15, ones / 15), abs=5e-4)
    assert float(re.findall(r"0\.\d+", truth)[1]) == pytest.approx(posterior("P1a", new), abs=5e-4)


def by_gaussians(X, y, points):
    """QDA with divisor n_c and priors n_c / n."""
    parts = [X[y == c] for c in (0, 1)]
    joint = [len(a) * multivariate_normal(a.mean(axis=0), np.cov(a.T, ddof=0)).pdf(points) for a in parts]
    return (joint[1] > joint[0]).astype(int)


def test_contest():
    """All 24 counts of wrong names."""
    rng = np.random.default_rng(11)
    make_gaussian_pair("P1a", 100, rng).truth.sample(100, rng)
    tests, shelves = ({name: make_gaussian_pair(name, 100, rng) for name in NAMES} for _ in range(2))
    mine = []
    for name in NAMES:
        counts = []
        for n in SIZES:
            part = [*range(n // 2), *range(100, 100 + n - n // 2)]
            X, y, test = shelves[name].X[part], shelves[name].y[part], tests[name]
            one = y[cdist(test.X, X).argmin(axis=1)]
            counts.append((np.sum(one != test.y), np.sum(by_gaussians(X, y, test.X) != test.y)))
        mine += np.transpose(counts).tolist()
    lines = re.findall(r"(?:1-NN|QDA)((?: +\d+){4})$", printed('contest("P1c")'), re.M)
    stated = [[int(x) for x in line.split()] for line in lines]
    assert stated == mine


def test_limits():
    """Those of the issue, too: Bayes errors and limits to four digits."""
    table = {line.split()[0]: [float(x) for x in line.split()[1:]] for line in printed("variance =").splitlines()[1:]}
    for name in NAMES:
        R, limit, square = integrals(name)
        assert limit == pytest.approx(R * (2 - 2 * R) - 2 * (square - R**2))
        assert table[name] == pytest.approx([R, limit, R * (2 - 2 * R), 2 * R, limit / R], abs=2e-4)
        assert table[name][:2] == pytest.approx([R, limit], abs=6e-5)
    assert [table[name][:2] for name in NAMES] == [[0.2459, 0.3285], [0.0352, 0.0526], [0.0038, 0.0058]]


@cache
def simulated(name, n):
    """True errors of one neighbour on 200 shelves, by the posteriors of 2000 points each."""
    rng, errors = np.random.default_rng(n), []
    points = drawn(name, 400_000, rng)[0].reshape(200, 2000, 2)
    for own, q in zip(points, posterior(name, points), strict=True):
        X, y = drawn(name, n, rng)
        errors.append(np.mean(np.where(y[cKDTree(X).query(own)[1]] == 1, 1 - q, q)))
    return np.array(errors)


@pytest.mark.parametrize("name", NAMES)
def test_shelves_against_the_bound(name):
    """Within four standard errors: of the shares, those of 200 and 400 draws, and a little for the 2000 points."""
    lines = re.findall(rf"(\d+) +({NUMBER}) +({NUMBER}) +(\d+)% +(\d+)%", printed("broken = "))
    stated = [[float(x) for x in line] for line in lines][4 * NAMES.index(name) :]
    assert len(lines) == 12
    R = integrals(name)[0]
    for n, (size, mean, error, true, measured) in zip(SIZES, stated, strict=False):
        assert n == size
        errors = simulated(name, n)
        assert abs(errors.mean() - mean) < 4 * np.hypot(error, errors.std() / np.sqrt(200)) + 1e-4
        beyond = np.maximum(errors > 2 * R, 0.0), binom.sf(np.floor(400 * R), 200, errors)
        for share, mine in zip((true, measured), beyond, strict=True):
            chance = max(mine.mean() * (1 - mine.mean()), 0.005) / 400
            assert share / 100 == pytest.approx(mine.mean(), abs=4 * np.sqrt(chance + mine.var() / 200) + 0.005)


def test_more_than_twice_the_errors_of_qda():
    rng, doubled = np.random.default_rng(1), []
    for _ in range(300):
        (X, y), (points, truth) = drawn("P1b", 75, rng), drawn("P1b", 200, rng)
        one = np.sum(y[cdist(points, X).argmin(axis=1)] != truth)
        doubled.append(one > 2 * np.sum(by_gaussians(X, y, points) != truth))
    stated = float(re.search(r"(\d+)% ±", printed("doubled = "))[1]) / 100
    share = np.mean(doubled)
    assert stated == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) * (1 / 300 + 1 / 400)) + 0.005)


def by_all_k(X, y, points):
    """Decisions of each k, (m, len(KS))."""
    near = NearestNeighbors(n_neighbors=99).fit(X).kneighbors(points, return_distance=False)
    return y[near].cumsum(axis=1)[:, KS - 1] > KS / 2


def chosen_k(X, y, rng):
    """Place in KS of the k with the fewest errors in ten folds of scikit-learn, and its share of errors."""
    folds = StratifiedKFold(10, shuffle=True, random_state=int(rng.integers(2**31))).split(X, y)
    wrong = sum((by_all_k(X[a], y[a], X[b]) != y[b, None]).sum(axis=0) for a, b in folds)
    return wrong.argmin(), wrong.min() / len(y)


def test_choices_of_k():
    rng, mine = np.random.default_rng(2), []
    for _ in range(40):
        X, y = drawn("P1a", 199, rng)
        points, _ = drawn("P1a", 3000, rng)
        q = posterior("P1a", points)[:, None]
        errors = np.where(by_all_k(X, y, points), 1 - q, q).mean(axis=0)
        place, estimate = chosen_k(X, y, rng)
        mine.append((errors[0], errors[KS == 15][0], errors[place], errors.min(), estimate))
    stated = [float(x) for x in re.findall(r": (0\.\d+)", printed("ways = "))]
    deviations = np.std(mine, axis=0) * np.sqrt(2 / 40)
    assert (np.abs(np.mean(mine, axis=0) - stated) < 4 * deviations + 0.001).all()


def test_penguins():
    data = load_penguins()
    folds = k_fold(data.y, 10, np.random.default_rng(11), stratify=True)
    names, labels = np.unique(data.y, return_inverse=True)
    mine = {"1-NN": [0, 0], "QDA": [0, 0], "1-NN, standardised": [0, 0]}
    for column, factor in enumerate((1, 1e-3)):
        X = data.X * [1, 1, 1, factor]
        for train, test in folds:
            a, b, truth = X[train], X[test], labels[test]
            mine["1-NN"][column] += np.sum(labels[train][cdist(b, a).argmin(axis=1)] != truth)
            scaled = cdist(b, a, "seuclidean", V=a.var(axis=0))
            mine["1-NN, standardised"][column] += np.sum(labels[train][scaled.argmin(axis=1)] != truth)
            parts = [a[labels[train] == c] for c in range(len(names))]
            joint = [len(p) * multivariate_normal(p.mean(axis=0), np.cov(p.T)).pdf(b) for p in parts]
            mine["QDA"][column] += np.sum(np.argmax(joint, axis=0) != truth)
    stated = re.findall(r"^(\S.*?)\s\s+(\d+)\s+(\d+)$", printed("make_pipeline("), re.M)
    assert {name: [int(g), int(kg)] for name, g, kg in stated} == mine


def test_crowded_cube():
    rng = np.random.default_rng(3)
    for line in printed("crowd = ").splitlines()[2:]:
        d, side, ratio = map(float, line.split())
        assert side**d == pytest.approx(0.1, rel=0.0006 * d / side)
        distances = cdist(rng.uniform(size=(300, int(d))), rng.uniform(size=(200, int(d))))
        mine = np.median(distances.min(axis=1) / distances.max(axis=1))
        assert ratio == pytest.approx(mine, abs=0.035)


def test_curse():
    """All that separates the classes lies on the first axis: a rotation, which none of the rules notices."""
    rng, length = np.random.default_rng(4), 2 * norm.isf(0.05)
    rules = [KNeighborsClassifier(1), KNeighborsClassifier(15), NearestCentroid()]
    for line in printed('curse.unstack("rule")').splitlines()[3:]:
        d, *stated = map(float, line.split())
        errors = []
        for _ in range(15):
            y, other = np.repeat([0, 1], 100), np.repeat([0, 1], 300)
            X, Z = (rng.standard_normal((len(labels), int(d))) for labels in (y, other))
            X[:, 0], Z[:, 0] = X[:, 0] + length * y, Z[:, 0] + length * other
            errors.append([1 - rule.fit(X, y).score(Z, other) for rule in rules])
        deviations = np.hypot(np.std(errors, axis=0) / np.sqrt(14), stated[1::2])
        assert (np.abs(np.mean(errors, axis=0) - stated[::2]) < 4 * deviations + 0.002).all()


def by_foundries(n, rng):
    """Four round Gaussians at 0, 2, 4 and 6, of classes 0, 1, 0, 1."""
    y = np.repeat([0, 1], n)
    X = 0.6 * rng.standard_normal((2 * n, 2))
    X[:, 0] += 2 * y + 4 * rng.integers(2, size=2 * n)
    return X, y


def final_table():
    lines = re.findall(rf"^(\w+)((?: +{NUMBER}){{6}})$", printed("final = "), re.M)
    return {name: [float(x) for x in numbers.split()] for name, numbers in lines}


def test_worlds():
    """Wrong names of 1000, of 20 shelves each; differences within four standard errors."""
    stated = final_table()
    x = np.arange(-5, 11, 1e-4)
    zero, one = (sum(norm.pdf(x, mean, 0.6) for mean in means) / 4 for means in ((0, 4), (2, 6)))
    assert stated["foundries"][0] == pytest.approx(1000 * np.minimum(zero, one).sum() * 1e-4, abs=0.06)
    rng = np.random.default_rng(5)
    for name in [*NAMES, "foundries"]:
        counts = []
        for _ in range(20):
            if name == "foundries":
                (X, y), (points, truth) = by_foundries(100, rng), by_foundries(500, rng)
            else:
                y, truth = np.repeat([0, 1], 100), np.repeat([0, 1], 500)
                X, points = (
                    np.vstack([ZERO.rvs(n, random_state=rng), ONES[name].rvs(n, random_state=rng)]) for n in (100, 500)
                )
            all_k = (by_all_k(X, y, points) != truth[:, None]).sum(axis=0)
            curve = np.sum(by_gaussians(X, y, points) != truth)
            counts.append((all_k[0], all_k[chosen_k(X, y, rng)[0]], curve))
        counts = np.array(counts)
        counts = np.column_stack([counts, counts[:, 1] - counts[:, 2]])
        deviations = np.std(counts, axis=0) * np.sqrt(1 / 19 + 1 / 24)
        assert (np.abs(counts.mean(axis=0) - stated[name][1:5]) < 4 * deviations + 1).all()
        if name in ONES:
            assert stated[name][0] == pytest.approx(1000 * integrals(name)[0], abs=0.06)


def test_euros():
    """50 for each wrong name, but for the rounding of the table."""
    stated = {name: row[-2:] for name, row in final_table().items()}
    for name, better, saved, error in re.findall(r"(\w+): the (\w+) saves (\d+) ± (\d+)", printed("final = ")):
        difference, deviation = stated[name]
        assert better == ("software" if difference > 0 else "shelf")
        assert (float(saved), float(error)) == pytest.approx((50 * abs(difference), 50 * deviation), abs=3)


def test_shares_of_votes():
    """The share of k independent labels is off by √(E[η(1 − η)] / k), if they come from the same place."""
    found = re.findall(r"n = +(\d+), k = +(\d+): share off by (0\.\d+)", printed("share off by"))
    assert len(found) == 4
    for n, k, off in found:
        floor = np.sqrt(integrals("P1a")[1] / 2 / float(k))
        assert float(off) == pytest.approx(floor, abs=0.03 if int(n) > 1000 or k == "1" else 0.06)
