"""What notebook 14 prints, computed in another way: by scikit-learn, canonical correlations and closed forms."""

import re
from functools import cache, partial

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import f_oneway, norm
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from stored import printed_by
from threadpoolctl import threadpool_limits

from bayeslab import load_digits, load_iris, load_mnist5k, load_penguins, shuffle_splits

printed = partial(printed_by, "14")
NUMBER = r"-?\d+(?:\.\d+)?"
LDA = LinearDiscriminantAnalysis(solver="lsqr")
QDA = QuadraticDiscriminantAnalysis(tol=1e-9)
FULL = {"svd_solver": "covariance_eigh"}
# What the issue asks for, at 95 % of the variance: errors of LDA and QDA, from a few half splits.
ASKED = {"0/1": (0.001, 0.011), "4/9": (0.043, 0.035), "0/1/2": (0.032, 0.041), "3/5/8": (0.095, 0.053)}


@pytest.fixture(autouse=True)
def one_thread():
    with threadpool_limits(1):
        yield


def floats(text):
    return [float(x) for x in re.findall(NUMBER, text)]


def means_and_errors(text):
    return [(float(mean), float(error)) for mean, error in re.findall(rf"({NUMBER}) ± ({NUMBER})", text)]


def rows_of(phrase):
    """The numbers of each line of a printed table; a wide table comes in pieces."""
    rows = {}
    for line in printed(phrase).splitlines():
        if found := re.match(r"(\S+(?: %| floor)?)\s\s+(?=-?\d|NaN)(.*)", line):
            rows.setdefault(found[1], []).append(found[2])
    return {name: " ".join(pieces) for name, pieces in rows.items()}


@cache
def images(*digits):
    mnist = load_mnist5k()
    rows = np.isin(mnist.y, digits)
    return mnist.X[rows], mnist.y[rows]


@cache
def first_half():
    """The notebook's first draw: training and test rows of 3, 5 and 8."""
    X, y = images(3, 5, 8)
    ((train, test),) = shuffle_splits(y, 1, np.random.default_rng(14), stratify=True)
    return X[train], y[train], X[test], y[test]


def wrong(rule, A, y_A, B, y_B):
    return np.mean(rule.fit(A, y_A).predict(B) != y_B)


def fisher_ratios(A, y):
    """J = ρ²/(1 − ρ²), with the canonical correlations ρ of data and labels."""
    labels = (y[:, None] == np.unique(y)[:-1]).astype(float)
    Q, P = (np.linalg.qr(M - M.mean(axis=0))[0] for M in (A, labels))
    squares = np.linalg.svd(Q.T @ P, compute_uv=False) ** 2
    return squares / (1 - squares)


def test_components_of_the_first_half():
    X, *_ = first_half()
    λ = np.linalg.eigvalsh(np.cov(X.T))[::-1]
    stated = {int(s): int(share) for s, share in re.findall(r"(\d+) components hold (\d+)%", printed("s95 = "))}
    *_, s95 = stated
    assert list(stated) == [1, 2, 3, 10, 50, s95]
    for s, share in stated.items():
        assert 100 * λ[:s].sum() / λ.sum() == pytest.approx(share, abs=0.5)
    assert λ[:s95].sum() / λ.sum() >= 0.95 > λ[: s95 - 1].sum() / λ.sum()


def test_two_components_of_the_first_half():
    X, y, X_test, y_test = first_half()
    plane = PCA(6, **FULL).fit(X)
    A, B = plane.transform(X), plane.transform(X_test)
    for (mean, error), rule in zip(means_and_errors(printed("on two components")), (LDA, QDA), strict=True):
        mine = wrong(rule, A[:, :2], y, B[:, :2], y_test)
        assert mean == pytest.approx(mine, abs=2.1 / 750)  # scikit-learn's LDA divides by n: a decision or two
        assert error == pytest.approx(np.sqrt(mine * (1 - mine) / 750), abs=0.001)
    groups = [[A[y == digit, k] for digit in (3, 5, 8)] for k in range(6)]
    F = np.array([f_oneway(*parts).statistic for parts in groups])
    assert floats(printed("share of S_b").split("[")[1]) == pytest.approx(2 * F / (2 * F + 747), abs=0.0051)


def test_the_constructed_pair():
    Δ = 2.55 * np.array([np.cos(np.radians(100)), np.sin(np.radians(100))])
    c, s = np.cos(np.radians(30)), np.sin(np.radians(30))
    turn = np.array([[c, -s], [s, c]])
    Σ = turn @ np.diag([9, 0.36]) @ turn.T

    def error(degrees):
        u = np.exp(1j * np.radians(degrees))
        u = np.array([u.real, u.imag])
        return norm.sf(np.sqrt((u @ Δ) ** 2 / (u @ Σ @ u)) / 2)

    first = np.linalg.svd(Σ + np.outer(Δ, Δ) / 4)[0][:, 0]
    best = minimize_scalar(error, bounds=(100, 140), method="bounded").x
    angles = [np.degrees(np.arctan2(first[1], first[0])) % 180, 100, best]
    stated = re.findall(rf"(\d+)°  error ({NUMBER})", printed("chosen = "))
    for (angle, value), mine in zip(stated, angles, strict=True):
        assert float(angle) == pytest.approx(mine, abs=0.51)
        assert float(value) == pytest.approx(error(mine), abs=6e-4)
    smallest = norm.sf(np.sqrt(Δ @ np.linalg.solve(Σ, Δ)) / 2)  # in the plane; Fisher's axis loses nothing
    assert float(stated[-1][1]) == pytest.approx(smallest, abs=6e-4)
    found, of_grid = floats(printed("Fisher's axis from 10,000").split(":", 1)[1])
    assert (abs(found - best) < 2.5, abs(of_grid - best) < 0.51) == (True, True)
    assert floats(printed("largest error").split("largest error")[1]) == [0.5, 10]  # at right angles to the means' 100°


def test_penguins():
    """Folds of another seed."""
    data = load_penguins()
    two = data.y != "Gentoo"
    X, y = data.X[two], data.y[two]
    stated = dict(re.findall(rf"^(.*?)\s+({NUMBER}) ± ", printed("PCA, divided"), re.M))
    steps = {"PCA in grams": [PCA(1)], "PCA, divided": [StandardScaler(), PCA(1)], "with labels": []}
    for name, before in steps.items():
        folds = StratifiedKFold(10, shuffle=True, random_state=1)
        mine = 1 - cross_val_score(make_pipeline(*before, LDA), X, y, cv=folds).mean()
        assert float(stated[name]) == pytest.approx(mine, abs=0.025)
    assert float(stated["PCA in grams"]) == pytest.approx(np.mean(y == "Chinstrap"), abs=0.002)


def test_nothing_is_lost():
    assert floats(printed("decisions, {np.sum")) == [750, 0]
    assert floats(printed("nearest mean in the plane")) == [1, 0, 0, 1, 0]


def test_what_is_separated_by_chance():
    X, y, *_ = first_half()
    real, _, noise = floats(printed("J_noise[0]"))
    A = PCA(0.95, svd_solver="full").fit_transform(X)
    assert fisher_ratios(A, y)[0] == pytest.approx(real, abs=0.051)
    rng, ratios = np.random.default_rng(1), []
    for _ in range(10):
        rows, labels = rng.choice(len(y), 450, replace=False), rng.permutation(np.repeat([0, 1, 2], 150))
        ratios.append(fisher_ratios(PCA(400, svd_solver="full").fit_transform(X[rows]), labels)[0])
    assert noise == pytest.approx(np.mean(ratios), abs=4 * np.std(ratios, ddof=1))
    assert floats(printed("lstsq")) == [0]


def test_error_against_dimension():
    """Means of two other draws of 450; stated ones are of five."""
    X, y = images(3, 5, 8)
    stated = {int(float(d)): floats(rest) for d, rest in rows_of("names = [").items()}
    mine = {d: [] for d in stated}
    for seed in range(2):
        A, B, y_A, y_B = train_test_split(X, y, train_size=450, random_state=seed, stratify=y)
        model, shuffled = PCA(400, svd_solver="full").fit(A), np.random.default_rng(seed).permutation(y_A)
        A, B = model.transform(A), model.transform(B)
        for d in stated:
            C = A[:, :d]
            fresh, by_chance = wrong(LDA, C, y_A, B[:, :d], y_B), wrong(LDA, C, shuffled, C, shuffled)
            mine[d].append([wrong(LDA, C, y_A, C, y_A), fresh, by_chance])
    assert list(stated) == [2, 5, 10, 20, 50, 100, 200, 400]
    for d, errors in mine.items():
        assert stated[d] == pytest.approx(np.mean(errors, axis=0), abs=0.045)  # of one draw about ± 0.015


@cache
def halves(*digits):
    """Errors of LDA, QDA, and LDA on two components, of five other halves."""
    X, y = images(*digits)
    rows = []
    for seed in range(5):
        A, B, y_A, y_B = train_test_split(X, y, test_size=0.5, random_state=seed, stratify=y)
        model = PCA(0.95, **FULL).fit(A)
        A, B = model.transform(A), model.transform(B)
        pairs = [(LDA, A, B), (QDA, A, B), (LDA, A[:, :2], B[:, :2])]
        rows.append([*(wrong(rule, P, y_A, Q, y_B) for rule, P, Q in pairs), model.n_components_])
    return np.array(rows)


@pytest.mark.parametrize("name", ASKED)
def test_pairs_and_triples(name):
    text = rows_of("pm(qda - lda)")[name]
    mine = halves(*map(int, name.split("/")))
    (lda, e_lda), (qda, e_qda), (difference, e) = means_and_errors(text)
    spread = mine.std(axis=0, ddof=1)
    assert float(text.split()[0]) == pytest.approx(mine[:, 3].mean(), abs=1.5)
    assert difference == pytest.approx(qda - lda, abs=2e-4)
    for stated, error, column in ((lda, e_lda, 0), (qda, e_qda, 1)):
        tolerance = 4 * np.hypot(error, spread[column] / np.sqrt(5)) + 0.001
        assert stated == pytest.approx(mine[:, column].mean(), abs=tolerance)
        # What was asked came from few halves: within two and a half deviations of a single one.
        assert stated == pytest.approx(ASKED[name][column], abs=2.5 * error * np.sqrt(10))
    assert float(text.split()[-1]) == pytest.approx(e_lda * np.sqrt(10), abs=3e-4)
    assert abs(difference) > 2 * e


def test_ones_become_zeros():
    counts = np.array([floats(row) for row in rows_of("pd.crosstab").values()])
    assert counts.sum(axis=1).tolist() == [250, 250]
    assert counts[1, 0] > counts[0, 1]
    X, y = images(0, 1)
    A, B, y_A, y_B = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
    decided = make_pipeline(PCA(0.95, **FULL), QDA).fit(A, y_A).predict(B)
    assert np.sum(decided[y_B == 1] == 0) > np.sum(decided[y_B == 0] == 1)


def test_ten_digits():
    """Means of four other halves; the printed standard errors are at most 0.005."""
    digits, stated = load_digits(), rows_of("by_s = ")
    rules = [LDA, QDA, GaussianNB(var_smoothing=0), KNeighborsClassifier(3), NearestCentroid()]
    mine = {name: [] for name in ("5", "10", "20", "95 %", "40", "pixels", "pixels, floor")}
    for seed in range(4):
        A, B, y_A, y_B = train_test_split(digits.X, digits.y, test_size=0.5, random_state=seed, stratify=digits.y)
        for name, values in mine.items():
            if name.startswith("pixels"):
                naive = GaussianNB(var_smoothing=0.1 if "floor" in name else 1e-9)
                values.append([64, *(wrong(rule, A, y_A, B, y_B) for rule in (naive, rules[3]))])
                continue
            model = PCA(0.95 if name == "95 %" else int(name), svd_solver="full").fit(A)
            C, D = model.transform(A), model.transform(B)
            values.append([C.shape[1], *(wrong(rule, C, y_A, D, y_B) for rule in rules)])
    assert list(stated) == list(mine)
    for name, values in mine.items():
        assert floats(stated[name])[0] == pytest.approx(np.mean(values, axis=0)[0], abs=0.8)
        assert floats(stated[name])[1:] == pytest.approx(np.mean(values, axis=0)[1:], abs=0.02)


def test_draws_have_negative_ink():
    X, _ = images(3)
    drawn = np.random.default_rng(1).multivariate_normal(X.mean(axis=0), np.cov(X.T), size=500, method="svd")
    (stated,) = floats(printed("pixels of draws").split(":")[-1])
    outside = (drawn < -0.5) | (drawn > 255.5)  # white pixels that never change are off by rounding
    assert 100 * outside.mean() == pytest.approx(stated, abs=1)


def test_the_depot():
    *lines, half_by_half, scatter = printed("euros = ").strip().splitlines()
    mine, table = halves(3, 5, 8), means_and_errors(rows_of("pm(qda - lda)")["3/5/8"])
    for line, column, exact in zip(lines, (2, 0, 1), (None, table[0][0], table[1][0]), strict=True):
        ((error, deviation),) = means_and_errors(line)
        euros = float(re.search(r"about ([\d,]+) €", line)[1].replace(",", ""))
        assert euros == pytest.approx(600_000 * error, abs=900)
        assert error == pytest.approx(mine[:, column].mean(), abs=4 * deviation * np.sqrt(3) + 0.001)
        assert exact is None or error == pytest.approx(exact, abs=6e-4)
    ten = floats(half_by_half.split(":")[1])
    assert (len(ten), np.mean(ten)) == (10, pytest.approx(means_and_errors(lines[0])[0][0], abs=0.005))
    held = PCA(svd_solver="full").fit(first_half()[0]).explained_variance_ratio_
    assert floats(scatter) == pytest.approx(100 * held[1:3], abs=0.051)


def test_the_second_place_is_an_accident():
    """The second and third components are near each other, and three components err less unevenly than two."""
    X, y = images(3, 5, 8)
    errors, gaps = {2: [], 3: []}, []
    for seed in range(6):
        A, B, y_A, y_B = train_test_split(X, y, test_size=0.5, random_state=seed, stratify=y)
        model = PCA(4, **FULL).fit(A)
        gaps.append(1 - model.explained_variance_[2] / model.explained_variance_[1])
        for s, found in errors.items():
            found.append(wrong(LDA, model.transform(A)[:, :s], y_A, model.transform(B)[:, :s], y_B))
    assert max(gaps) < 0.15
    assert np.std(errors[3]) < np.std(errors[2])


def test_expected_values_of_the_exercises():
    iris = load_iris()
    assert printed("components_for(iris.X, 0.95)").splitlines()[-1] == str(PCA(0.95).fit(iris.X).n_components_)
    F = f_oneway(*(iris.X[iris.y == name, 2] for name in iris.class_names)).statistic
    assert float(printed("# Solution 14.2").splitlines()[-1]) == pytest.approx(F * 2 / 147, abs=0.005)
