# %% after 05-12: 05-14
# scikit-learn has four of the six (the last one with equal priors). It divides by n,
# as ours do with ddof=0 (then naive Bayes gets 23 wrong instead of 22); scikit-learn's
# QDA and LDA do so since version 1.9.
from sklearn import discriminant_analysis, naive_bayes, neighbors

assert [wrong_birds[name] for name in ("LDA", "QDA")] == [13, 11]
assert wrong_birds["spherical LDA"] == max(wrong_birds.values()) == 40
for before, after in zip(list(models)[:4], list(models)[2:], strict=True):
    assert wrong_birds[before] < wrong_birds[after]
assert [counts.max(), len(X)] == [151, 342]

peers = {
    "QDA": discriminant_analysis.QuadraticDiscriminantAnalysis(),
    "LDA": discriminant_analysis.LinearDiscriminantAnalysis(),
    "naive Bayes": naive_bayes.GaussianNB(var_smoothing=0),
    "nearest mean": neighbors.NearestCentroid(),
}
ours = {
    "QDA": GaussianClassifier("full", ddof=0),
    "LDA": GaussianClassifier("full", shared=True, ddof=0),
    "naive Bayes": GaussianClassifier("diagonal", ddof=0),
    "nearest mean": GaussianClassifier("spherical", shared=True, priors="equal"),
}
for name, peer in peers.items():
    decision = peer.fit(X, y).predict(X)
    assert (ours[name].fit(X, y).predict(X) == decision).all(), name
    print(f"{name}: bayeslab and scikit-learn agree")


# %% after 05-17: 05-27
# W, w and w₀ of Adelie against Chinstrap, by the formulas above and by bayeslab
inverse = [np.linalg.inv(Σ) for Σ in own]
forms = [m @ A @ m for m, A in zip(μ, inverse, strict=True)]
logs = [np.linalg.slogdet(Σ).logabsdet for Σ in own]
W = -(inverse[0] - inverse[1]) / 2
w_curved = inverse[0] @ μ[0] - inverse[1] @ μ[1]
w0 = -(forms[0] - forms[1]) / 2 - (logs[0] - logs[1]) / 2 + np.log(π[0] / π[1])
difference = np.sum(X @ W * X, axis=1) + X @ w_curved + w0
g = [discriminant(X, μ[k], own[k], π[k]) for k in (0, 1)]
assert np.allclose(difference, g[0] - g[1])
birds = [Gaussian(m, Σ) for m, Σ in zip(μ, own, strict=True)]
surface = QuadraticSurface.between(birds[0], birds[1], π[:2] / π[:2].sum())
assert np.allclose(difference, surface(X))
# One Σ: W is zero; with equal priors the line meets the midpoint of the means.
line = QuadraticSurface.between(Gaussian(μ[0], pooled), Gaussian(μ[1], pooled))
assert np.allclose([*line.W.ravel(), line.value((μ[0] + μ[1]) / 2)], 0)
assert np.allclose(line.w, w)
# σ²I for both: the perpendicular bisector, which the priors shift towards class j
σ2, Δ = 0.8, μ[0] - μ[1]
round_pair = [Gaussian(m, σ2) for m in μ[:2]]
shifted = QuadraticSurface.between(*round_pair, (0.9, 0.1))
shift = σ2 * np.log(9) / np.linalg.norm(Δ)
assert np.isclose(shifted.value((μ[0] + μ[1]) / 2 - shift * Δ / np.linalg.norm(Δ)), 0)
# Both diagonal: so is W
upright = [Gaussian(μ[k], keep(own[k], "diagonal")) for k in (0, 1)]
assert np.count_nonzero(QuadraticSurface.between(*upright).W) == 2


# %% after 05-98: 05-100
assert [np.sum(straight != y), np.sum(curved != y)] == [13, 11]
seen = [np.sum(differ & (rule == y)) for rule in (curved, straight)]
assert [np.sum(differ), *seen] == [4, 3, 1]
assert set(y[differ & (curved == y)]) == {"Chinstrap"}
assert set(y[differ & (straight == y)]) == {"Gentoo"}
assert [lda.sum(), qda.sum(), only_lda, only_qda] == [14, 13, 1, 0]
assert np.isclose(binomtest(3, 4).pvalue, 10 / 16), "3–1 or worse, either way"
first = GaussianClassifier().fit([[0], [2], [4], [6]], [0, 0, 1, 1])
assert first.predict([[3]]) == 0, "A tie goes to the first class."


# %% after 05-98: 05-107
from scipy.stats import chi2


def box_m(X, y):
    """Box's M: 0 if the covariances of the classes are all the same."""
    M, scatter = 0, 0
    for name in np.unique(y):
        rows = X[y == name]
        Σ = np.cov(rows.T)
        M -= (len(rows) - 1) * np.linalg.slogdet(Σ).logabsdet
        scatter = scatter + (len(rows) - 1) * Σ
    free = len(X) - len(np.unique(y))
    return M + free * np.linalg.slogdet(scatter / free).logabsdet


shuffler = np.random.default_rng(5)
centred = X - μ[np.searchsorted(names, y)]  # each bird from the mean of its species
observed = box_m(X, y)
shuffled = np.array([box_m(centred, shuffler.permutation(y)) for _ in range(999)])
p = (1 + np.sum(shuffled >= observed)) / 1000
assert [round(observed, 1), p] == [28.5, 0.001]
d, K = 2, 3  # Box's own approximation gives the same answer
c = (np.sum(1 / (counts - 1)) - 1 / (len(X) - K)) * (2 * d * d + 3 * d - 1)
c /= 6 * (d + 1) * (K - 1)
assert chi2.sf((1 - c) * observed, d * (d + 1) * (K - 1) // 2) < 0.001


# %% after 05-119: 05-120
def errors_with(other, drawn):
    """Errors of LDA and of another rule in percent, after each draw."""
    options = {"n": 30, "seed": 5, "drawn": drawn}
    return 100 * VarianceExplorer(truth, ["LDA", other], **options).errors()


def lead_of_LDA(errors):
    """LDA's lead over the other rule in points, and its standard error."""
    lead = errors[:, 1] - errors[:, 0]
    return [lead.mean(), lead.std(ddof=1) / np.sqrt(len(lead))]


with_qda, with_rda = errors_with("QDA", 100), errors_with("RDA", 200)
lead, error = lead_of_LDA(with_qda[:20])
assert 0 < lead < 2 * error
assert np.allclose(lead_of_LDA(with_qda), [0.24, 0.08], atol=0.006)
above = with_qda.mean(axis=0) - 100 * truth.bayes_error()
assert np.allclose(above, [0.9, 1.1], atol=0.05)
for drawn, is_sure in ((100, False), (200, True)):
    lead, error = lead_of_LDA(with_rda[:drawn])
    assert -0.1 < lead < -0.03
    assert (abs(lead) > 3 * error) == is_sure


# %% after 05-50: 05-52
from bayeslab import error_of

assert np.isclose(truth.bayes_error(), 0.209, atol=0.0005)
assert np.allclose([gaps[10].mean(), gaps[10].sem()], [15.3, 2.46], atol=0.06)
assert np.isclose(gaps[30].mean(), 4.2, atol=0.06)
assert abs(gaps[60].mean()) < 1
assert (gaps[[120, 500]].mean() < -2 * gaps[[120, 500]].sem()).all()
assert np.isclose(gaps[500].mean(), -1.4, atol=0.06)

shared = (A.covariance + B.covariance) / 2
line_only = TrueClassifier([Gaussian(g.mean, shared) for g in (A, B)], ["A", "B"])
floors = 1000 * np.array([error_of(line_only, [A, B]).value, truth.bayes_error()])
assert np.allclose(floors, [210.8, 209.3], atol=0.05)


# %% after 05-75: 05-74
from scipy.optimize import minimize_scalar
from scipy.stats import norm

assert (abs(wrong["LDA"] - 0.5) < 0.04).all()
assert abs(wrong.loc["xor", "naive Bayes"] - 0.5) < 0.05
gap_to_best = wrong["QDA"] - wrong["best possible"]
assert (abs(gap_to_best) < 0.01).all()


def error_beyond(t):
    """Xor along its diagonal: class 0 at ±√2, class 1 at 0; beyond t, all are 0."""
    below = norm.cdf((t - np.sqrt(2)) / 0.7225) + norm.cdf((t + np.sqrt(2)) / 0.7225)
    return (below + 2 * norm.sf(t / 0.7225)) / 4


assert round(minimize_scalar(error_beyond, (0.5, 1)).fun, 2) == 0.36


# %% after 05-116: 05-118
leads = curves[1].test_scores - curves[0].test_scores  # (4 sizes, 100 splits)
assert np.isclose(leads[0].mean(), -0.01, atol=0.004), "-1.3 points, or -1.0 with scikit-learn 1.6"
corrected = np.sqrt((1 / 100 + 69 / 273) * leads[3].var(ddof=1))
assert np.allclose([leads[3].mean(), corrected], [0.004, 0.005], atol=0.0005)


# %% after 05-112: shuffled
def only_one_wrong(other, folds):
    """How many tumours only LDA gets wrong, and how many only QDA."""
    two = tumours.select("mean texture", other)
    rules = LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()
    a, b = (cross_val_predict(rule, two.X, two.y, cv=folds) != two.y for rule in rules)
    return [np.sum(a & ~b), np.sum(b & ~a)]


assert only_one_wrong("mean area", folds) == [19, 5]
assert only_one_wrong("mean compactness", folds) == [3, 5]
assert only_one_wrong("mean radius", folds) == [4, 4]
assert only_one_wrong("mean compactness", 20) == [1, 12]
assert only_one_wrong("mean compactness", LeaveOneOut()) == [5, 2]


# %% after 05-112: 05-91
length, depth = X.T
gentoo = (8 * depth < 3 * length + 3) & (6 * depth < length + 53)
chinstrap = 3 * length - 4 * depth > 59
card = np.select([gentoo, chinstrap], ["Gentoo", "Chinstrap"], "Adelie")
assert np.sum(card != y) == np.sum(straight != y) == 13
assert np.sum(y[card != y] == "Chinstrap") > 13 / 2
print(pd.crosstab(y, card, rownames=["truth"], colnames=["card"]))


# %% slow verdict after 05-98: 05-one-to-nil
"""That's a single toss of a coin, and it tells us nothing"""
half = again.permutation(len(X))[:171]
lda, qda = (cross_val_predict(models[name], X[half], y[half], cv=LeaveOneOut()) != y[half] for name in ("LDA", "QDA"))
only_lda, only_qda = np.sum(lda & ~qda), np.sum(qda & ~lda)
value = only_lda - only_qda
holds = only_lda + only_qda == 0 or binomtest(only_lda, only_lda + only_qda).pvalue > 0.05


# %% verdict after 05-10: 05-two-of-six
"""LDA and QDA make the fewest mistakes of the straight rules and of the curved ones. (They also do on birds they
haven't seen.)"""
from sklearn.model_selection import StratifiedKFold, cross_val_predict

folds = StratifiedKFold(10, shuffle=True, random_state=int(again.integers(1000)))
wrong = {name: np.sum(cross_val_predict(model, X, y, cv=folds) != y) for name, model in models.items()}
value = wrong["diagonal LDA"] - wrong["LDA"]
straight = [wrong[name] for name in models if "LDA" in name]
curved = [wrong[name] for name in models if "LDA" not in name]
holds = wrong["LDA"] == min(straight) and wrong["QDA"] == min(curved)


# %% verdict after 05-10: 05-kinds
"""A tilted ellipse can follow that, an upright one can't, and a circle does worst."""
half = again.permutation(len(X))[:171]
wrong = [np.sum(model.fit(X[half], y[half]).predict(X) != y) for model in models.values()]
value = wrong[3] - wrong[1]  # diagonal LDA - LDA
holds = wrong[0] < wrong[2] < wrong[4] and wrong[1] < wrong[3] < wrong[5]


# %% slow verdict after 05-119: 05-thirty
"""After a hundred draws, LDA is 0.9 points above the best rule and QDA 1.1. LDA leads by 0.24 points, with a standard
error of 0.08: a small lead, but hardly chance."""
both = VarianceExplorer(truth, rules=["LDA", "QDA"], n=30, seed=5, drawn=100).errors()
lda, qda = 100 * (both.T - truth.bayes_error())
value = np.mean(qda - lda)
holds = 0 < value < 0.5 and abs(lda.mean() - 0.9) < 0.3 and abs(qda.mean() - 1.1) < 0.4


# %% slow verdict after 05-119: 05-rda
"""RDA is ahead of LDA by less than 0.1 points, and it takes more than a hundred draws to be sure of that."""
lda, rda = 100 * VarianceExplorer(truth, rules=["LDA", "RDA"], n=30, seed=5, drawn=100).errors().T
value = np.mean(lda - rda)
holds = abs(value) < 0.15


# %% slow verdict after 05-49: 05-ten
"""Over 1,500 draws it's 21 ± 1."""
value = gaps[10].mean()
holds = abs(value - 21) < 8  # two and a half standard errors of a hundred draws


# %% slow verdict after 05-49: 05-about-three
"""With 30 it's about four, or three over 1,500 draws."""
value = gaps[30].mean()
holds = 0.5 < value < 5.5


# %% slow verdict after 05-49: 05-even
"""At 60 the two rules are within a mistake of each other."""
value = gaps[60].mean()
holds = abs(value) < 1


# %% slow verdict after 05-49: 05-ahead
"""From 120 on, QDA is ahead, but not by much: with 500 samples per class it makes 1.4 fewer mistakes"""
value = -gaps[500].mean()
holds = gaps[[120, 500]].mean().max() < 0 and abs(value - 1.4) < 0.25


# %% verdict after 05-71: 05-coin
"""LDA is hardly better than a coin toss on either data set, and on xor, neither is naive Bayes."""
value = min(*wrong["LDA"], wrong.loc["xor", "naive Bayes"])
holds = value > 0.4


# %% verdict after 05-71: 05-qda
"""QDA is about as good as a rule can be."""
value = (wrong["QDA"] - wrong["best possible"]).max()
holds = value < 0.01


# %% slow verdict after 05-116: 05-splits
"""With 273, QDA is ahead by 0.4 points, with a corrected standard error of 0.5. So the ranger, who has all of these
birds, can't tell which rule is better."""
gap = curves[1].test_scores[-1] - curves[0].test_scores[-1]
value = 100 * gap.mean()
holds = abs(value) < 200 * np.sqrt((1 / 100 + 69 / 273) * gap.var(ddof=1)) and abs(value - 0.4) < 0.5


# %% slow verdict after 05-116: 05-forty
"""With 40 birds, LDA is about one point ahead, with a corrected standard error of about one point."""
gap = 100 * (curves[0].test_scores[0] - curves[1].test_scores[0])
value = np.nanmean(gap)
holds = 0.4 < value < 2 and 0.7 < np.nanstd(gap) * np.sqrt(1 / 100 + 69 / 273) < 1.7


# %% verdict after 05-111: 05-tumours
"""With area, only LDA is wrong on 19 tumours, and only QDA on 5: the curve."""


def mcnemar(other):
    two, wrong_by = tumours.select("mean texture", other), []
    for rule in (LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()):
        wrong_by.append(cross_val_predict(rule, two.X, two.y, cv=folds) != two.y)
    lda, qda = np.sum(wrong_by[0] & ~wrong_by[1]), np.sum(wrong_by[1] & ~wrong_by[0])
    return int(np.sign(lda - qda)) if binomtest(lda, lda + qda).pvalue < 0.05 else 0


found = [mcnemar(f"mean {name}") for name in ("area", "compactness", "radius")]
value = found[0]
holds = found == [1, 0, 0]
