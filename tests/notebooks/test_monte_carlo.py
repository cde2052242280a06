"""Claims of notebooks 08 to 18 about draws, checked by draws of our own: with scikit-learn, SciPy and NumPy.

What can be asserted in seconds stands in `tests/notebooks/numbers/`, beside the notebooks.
"""

import re
from functools import cache

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from stored import printed_by

from bayeslab import load_mnist5k, load_tumours, make_gaussian_pair
from bayeslab.explore.regularised_explorer import few_points

NUMBER = r"-?\d+(?:\.\d+)?"
flowers, species = load_iris(return_X_y=True)
NAIVE = GaussianNB(var_smoothing=0)
LDA = LinearDiscriminantAnalysis(solver="lsqr")
QDA = QuadraticDiscriminantAnalysis(tol=1e-9)


def numbers(text):
    return [float(x) for x in re.findall(NUMBER, text)]


def after(label, text):
    """Return the first number behind a label."""
    return numbers(text[re.search(label, text).end() :])[0]


def table(notebook, phrase):
    """Return the rows of a printed table: their names, and their numbers; a wide table comes in pieces."""
    rows = {}
    for line in printed_by(notebook, phrase).splitlines():
        if found := re.fullmatch(rf"\s*(\S.*?)\s\s+({NUMBER}%?(?:\s+{NUMBER}%?)*)\s*\\?", line):
            rows.setdefault(found[1], []).extend(float(x.rstrip("%")) for x in found[2].split())
    return rows


def near_mean(draws, extra=0.0):
    """Four standard errors of the mean of some draws, along axis 0."""
    return 4 * np.std(draws, axis=0, ddof=1) / np.sqrt(len(draws)) + extra


# 08: how much 150 flowers tell


def test_a_ruler_explains_three_of_four_rejections():
    rng, n_rejected, as_small = np.random.default_rng(1), 0, {}
    for k, j in np.ndindex(3, 4):
        x = flowers[species == k, j]
        drawn = np.rint(rng.normal(x.mean(), x.std(ddof=1), (400, 50)) * 10) / 10
        p = np.array([stats.shapiro(row).pvalue for row in drawn])
        n_rejected += np.mean(p < 0.1)
        as_small[k, j] = np.mean(p <= stats.shapiro(x).pvalue)
    assert after("rounded normal flowers: ", printed_by("08", "p with ruler")) == pytest.approx(n_rejected, abs=0.3)
    assert as_small.pop((0, 3)) < 0.01
    assert min(as_small.values()) > 0.1


def test_the_best_of_eight_splits():
    """Most students name one of the two largest sizes, and their best score is too good: splits of our own."""
    text, rng = printed_by("08", "average best score"), np.random.default_rng(3)
    lines = text.split("each size:")[1].split("average")[0].strip().splitlines()
    sizes, stated = np.transpose([numbers(line) for line in lines])
    scores = np.empty((len(sizes), 150))
    for line, size in zip(scores, (sizes // 3).astype(int), strict=True):
        for k in range(150):
            order = rng.permuted(np.arange(150).reshape(3, 50), axis=1)
            train, test = order[:, :size].ravel(), order[:, size:].ravel()
            line[k] = GaussianNB().fit(flowers[train], species[train]).score(flowers[test], species[test])
    best = scores.max(axis=0)
    assert after("average best score: ", text) == pytest.approx(best.mean(), abs=np.sqrt(2) * near_mean(best, 0.001))
    at_33 = scores[list(sizes).index(33)]
    assert after("33 flowers: mean ", text) == pytest.approx(at_33.mean(), abs=np.sqrt(2) * near_mean(at_33, 0.001))
    lucky = at_33 >= 113 / 117 - 1e-9
    assert after("as good as seed 42: ", text) == pytest.approx(100 * lucky.mean(), abs=100 * near_mean(lucky, 0.02))
    named = np.bincount(np.argmax(scores, axis=0), minlength=len(sizes)) / 150
    np.testing.assert_allclose(named, stated, atol=0.2)
    assert named[-2:].sum() > 0.4


# 10: can the posterior be trusted


@cache
def tumour_world():
    """Mean and covariance of each class by NumPy, and the priors."""
    data = load_tumours()
    names = ["radius", "texture", "smoothness", "compactness", "concavity", "concave points"]
    X, y = data.select(*[f"mean {name}" for name in names]).X, (data.y == "malignant").astype(int)
    X = X / X.std(axis=0)
    return [(X[y == k].mean(axis=0), np.cov(X[y == k].T)) for k in (0, 1)], np.bincount(y) / len(y)


def drawn_tumours(n, rng):
    moments, priors = tumour_world()
    y = (rng.random(n) < priors[1]).astype(int)
    X = [rng.multivariate_normal(*moments[k], size=n) for k in (0, 1)]
    return np.where(y[:, None] == 1, X[1], X[0]), y


def true_posterior(X):
    moments, priors = tumour_world()
    joint = np.log(priors) + np.stack([multivariate_normal(*m).logpdf(X) for m in moments], axis=1)
    return expit(joint[:, 1] - joint[:, 0])


def test_floor_of_the_world():
    p = true_posterior(drawn_tumours(400_000, np.random.default_rng(2))[0])
    floor = np.minimum(p, 1 - p).mean()
    for mean, error in re.findall(rf"({NUMBER}) ± ({NUMBER})", printed_by("10", "mean doubt")):
        assert abs(float(mean) - floor) < 4 * float(error)


def test_more_data_cure_qda_only():
    rng, stated = np.random.default_rng(3), table("10", "by_rule")
    X, y = drawn_tumours(20_000, rng)
    for name, rule in {"naive Bayes": NAIVE, "QDA": QDA, "LDA": LDA}.items():
        for column, n in enumerate((50, 400)):
            shares = []
            for _ in range(30):
                p = rule.fit(*drawn_tumours(n, rng)).predict_proba(X)[:, 1]
                sure = np.maximum(p, 1 - p) > 0.99
                shares.append(100 * np.mean((p > 0.5)[sure] != y[sure]))
            tolerance = np.sqrt(2) * near_mean(shares, 0.3)
            assert stated[name][column] == pytest.approx(np.mean(shares), abs=tolerance)


# 12: who learns faster

RULES = {"nearest mean": NearestCentroid(), "LDA": LDA, "QDA": QDA}
RULES |= {f"logistic, C = {C}": LogisticRegression(C=C, max_iter=1000) for C in (100, 1, 0.01)}


@cache
def flake_world(instrument):
    """Mean and covariance of each class; those of C are the package's, drawn once."""
    if instrument == "C":
        gaussians = make_gaussian_pair("P2c", 1, np.random.default_rng(0)).truth.gaussians
        return [(g.mean, g.covariance) for g in gaussians]
    return [(np.full(20, mean), np.eye(20) * (1 if instrument == "A" else 3)) for mean in (0.0, 1.0)]


def flakes(instrument, n, rng):
    parts = [rng.multivariate_normal(m, S, size=n, method="cholesky") for m, S in flake_world(instrument)]
    return np.concatenate(parts), np.repeat([0, 1], n)


@cache
def fresh_flakes(instrument):
    return flakes(instrument, 30_000, np.random.default_rng(99))


def flake_errors(name, instrument, n):
    """Mean error after n rows of each class, over twelve draws, and a standard error of that mean."""
    (X, y), rng = fresh_flakes(instrument), np.random.default_rng(n)
    found = [np.mean(RULES[name].fit(*flakes(instrument, n, rng)).predict(X) != y) for _ in range(12)]
    return np.mean(found), np.std(found, ddof=1) / np.sqrt(12) + np.sqrt(np.mean(found) / 60_000)


@pytest.mark.parametrize("name", ["LDA", "logistic, C = 100", "logistic, C = 1", "logistic, C = 0.01"])
def test_a_penalty_changes_who_is_ahead(name):
    stated, error_there = table("12", "penalties.round")[name]
    mean, error = flake_errors(name, "A", 120)
    assert abs(stated - mean) < 4 * np.hypot(error, error_there) + 1e-4


# 13: what if Σ has no inverse


def test_plane_of_many_points():
    """With 66 points a class it hardly matters how much is shared, but the correlations do."""
    truth, side = few_points().truth, np.linspace(-9, 12, 300)
    places = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    joint = np.array([multivariate_normal(g.mean, g.covariance).pdf(places) for g in truth.gaussians]) / 3
    rng, errors = np.random.default_rng(0), []
    for _ in range(10):
        samples = [rng.multivariate_normal(g.mean, g.covariance, 66) for g in truth.gaussians]
        own = np.array([np.cov(sample.T) for sample in samples])
        kinds = own, [own.mean(axis=0)] * 3, [np.diag(own.mean(axis=0).diagonal())] * 3
        right = []
        for covariances in kinds:
            pairs = zip(samples, covariances, strict=True)
            logs = [multivariate_normal(sample.mean(axis=0), S).logpdf(places) for sample, S in pairs]
            right.append(joint[np.argmax(logs, axis=0), range(len(places))].sum() * (side[1] - side[0]) ** 2)
        errors.append(1 - np.array(right))
    qda, lda, diagonal = np.mean(errors, axis=0)
    assert abs(qda - lda) < 0.01 < 0.03 < diagonal - max(qda, lda)


# 14: which directions matter


@pytest.mark.parametrize("name", ["0/1", "4/9", "0/1/2", "3/5/8"])
def test_pairs_and_triples(name):
    """Five other halves: components that hold 95 % of the variance, and errors of LDA and QDA on them."""
    mnist, mine = load_mnist5k(), []
    rows = np.isin(mnist.y, [int(digit) for digit in name.split("/")])
    for seed in range(5):
        parts = train_test_split(mnist.X[rows], mnist.y[rows], test_size=0.5, random_state=seed, stratify=mnist.y[rows])
        model = PCA(0.95, svd_solver="covariance_eigh").fit(parts[0])
        A, B = model.transform(parts[0]), model.transform(parts[1])
        mine.append([model.n_components_, *(1 - rule.fit(A, parts[2]).score(B, parts[3]) for rule in (LDA, QDA))])
    stated, mine = np.array(table("14", "standard_error(qda - lda)")[name]), np.array(mine)
    assert stated[0] == pytest.approx(mine[:, 0].mean(), abs=1.5)
    by_draws = stated[4] / np.sqrt(11)  # the notebook prints sd · √(1/10 + 1) of ten halves
    tolerance = np.hypot(near_mean(mine[:, 1:]), 4 * by_draws) + 0.001
    assert (np.abs(stated[1:3] - mine[:, 1:].mean(axis=0)) < tolerance).all()


# 18: what if we do not trust our estimates


@pytest.mark.parametrize("n", [8, 20, 80])
def test_student_cures_qda(n):
    """Geisser's density by SciPy's multivariate t, in sixty draws: within four standard errors of two such means."""
    rng, right, losses = np.random.default_rng(8), [], []
    world = [multivariate_normal(flowers[species == k].mean(axis=0), np.cov(flowers[species == k].T)) for k in (1, 2)]
    new, truth = np.vstack([law.rvs(500, random_state=rng) for law in world]), np.repeat([0, 1], 500)
    for _ in range(60):
        parts = [law.rvs(n, random_state=rng) for law in world]
        laws = []
        for X in parts:
            shape = np.cov(X.T) * (n - 1) * (n + 1) / (n * (n - 4))
            laws.append(stats.multivariate_t(X.mean(axis=0), shape, df=n - 4).logpdf(new))
        rule = QuadraticDiscriminantAnalysis(tol=0).fit(np.vstack(parts), np.repeat([0, 1], n))
        both = rule.decision_function(new), laws[1] - laws[0]
        losses.append([np.mean(np.logaddexp(0, np.where(truth == 1, -odds, odds))) for odds in both])
        right.append([np.mean((odds > 0) == truth) for odds in both])
    losses, right = np.array(losses), np.array(right)
    stated = np.array(table("18", "log_posteriors(n) for")[str(n)])
    # Beside the draws, the 1000 flowers of the test differ: another percent.
    assert stated[:2] == pytest.approx(right.mean(axis=0), abs=0.025)
    assert (np.abs(stated[3:5] - losses.mean(axis=0)) < np.sqrt(2) * near_mean(losses) + 0.035).all()
    for (qda, t, error), mine in [(stated[:3], right), (stated[3:], losses)]:
        difference = mine[:, 1] - mine[:, 0]
        assert t - qda == pytest.approx(difference.mean(), abs=4 * np.hypot(stats.sem(difference), error) + 0.01)
    assert losses[:, 0].mean() > losses[:, 1].mean()
    if n == 8:
        assert stated[1] - stated[0] > 2 * stated[2]
        assert right[:, 1].mean() > right[:, 0].mean()
