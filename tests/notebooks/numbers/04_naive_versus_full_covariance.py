# %% after 04-07: 04-98a
assert round(correlations["all flowers"], 2) == -0.43
assert min(correlations[name] for name in iris.class_names) > 0


# %% after 04-15: 04-98
assert list(mistakes_in_the_plane.values()) == [12, 7]
versicolor = iris.X[iris.y == "versicolor"]
assert round(np.corrcoef(versicolor.T)[2, 3], 2) == 0.79, "The opening: versicolor."


# %% after 04-19: peers
assert agree == len(X) == 100


# %% after 04-120: 04-122
def errors_of_draws(n, drawn=100):
    """True errors of naive Bayes and QDA in percent, after draws of n flowers."""
    rules = ["naive", "QDA"]
    return 100 * VarianceExplorer(two_species, rules, n, seed=4, drawn=drawn).errors()


twenty = errors_of_draws(4, 20)[:, 1]
assert np.allclose([twenty.min(), twenty.max()], [10, 39], atol=0.5)
assert round(two_species.bayes_error(), 3) == 0.095
few, some, many = (errors_of_draws(n) for n in (4, 8, 50))
assert np.allclose(few.mean(axis=0), [18.5, 23.1], atol=0.06)
assert np.diff(few.std(axis=0)) > 1
gap = np.diff(few)[:, 0]
assert np.allclose([gap.mean(), gap.std(ddof=1) / 10], [4.6, 0.9], atol=0.05)
gap = np.diff(many)[:, 0]
assert gap.mean() < -10 * gap.std(ddof=1) / 10
assert abs(np.diff(some).mean()) < 1.2
assert np.isclose(np.diff(many).mean(), -2.3, atol=0.05)
assert np.isclose(twenty.mean(), 23, atol=0.5)

from bayeslab import error_of

truths = two_species.gaussians
uprights = [Gaussian(g.mean, np.diag(g.covariance)) for g in truths]
at_last = error_of(TrueClassifier(uprights, list(pair)), truths).value
assert round(at_last - two_species.bayes_error(), 3) == 0.024


# %% after 04-29: 04-28
from scipy.stats import binom

assert round(1 / (2 * binom.cdf(4, 16, 0.5))) == 13, "Of 16 plants, fewer than five are of one species."
assert np.allclose(mean[16], [97, 155], atol=0.5)
lead = {n: table["QDA"] - table["naive Bayes"] for n, table in draws.items()}
assert lead[20].mean() > 4 * lead[20].sem()
assert lead[24].mean() < -4 * lead[24].sem()
assert np.allclose([floor, floor - best], [78, 53], atol=1)
assert abs(mean.loc["QDA", 160] - best) < 4
assert np.isclose(spread.loc["QDA", 16] / spread.loc["naive Bayes", 16], 3, atol=0.2)


# %% after 04-103: 04-105
qda, simple = bill.loc["QDA"], bill.loc["naive Bayes"]
error = 10 * standard_error
assert qda.idxmin() == 30
assert np.allclose(qda[[24, 30, 40]], [1240, 1155, 1230], atol=5)
assert round(error.loc["QDA", 30]) == 17
assert qda[24] > qda[30] + 2 * np.hypot(*error.loc["QDA", [24, 30]])
assert qda[40] > qda[30] + 3 * np.hypot(*error.loc["QDA", [40, 30]])
assert np.isclose(simple.min(), 1290, atol=10)
small = 20 * sent + mean  # 100 plants to name
few_rng, few = np.random.default_rng(4), {}
for n in (10,):  # too few for QDA
    wrong = []
    for _ in range(300):
        versicolors = np.clip(few_rng.binomial(n, 0.5), 2, n - 2)
        n_k = [versicolors, n - versicolors]
        drawn = [g.sample(m, few_rng) for g, m in zip(gaussians, n_k, strict=True)]
        rule = GaussianNB().fit(np.concatenate(drawn), np.repeat([0, 1], n_k))
        new_X, new_y = nature.sample(500, few_rng)
        wrong.append(np.sum(rule.predict(new_X) != new_y))
    few[n] = 20 * n + np.mean(wrong)
assert np.isclose(few[10], 350, atol=12)  # 2 standard errors
assert min(small.min()) > few[10] + 50
large = (20 * sent + 100 * mean).loc["QDA"]  # 10,000 plants to name
unsure = 100 * standard_error.loc["QDA"]
assert set(large.nsmallest(2).index) == {60, 80}
assert large[40] > large[60] + 3 * unsure[60]
assert large[120] > large[60] + 3 * unsure[60]


# %% after 04-103: 04-107
from bayeslab import LinearDiscriminantAnalysis, learning_curve

lda_rng, lda_bills = np.random.default_rng(4), []
for n in (12, 16, 20, 24):
    wrong = []
    for _ in range(300):
        rule = LinearDiscriminantAnalysis().fit(*from_the_lab(n, lda_rng))
        new_X, new_y = nature.sample(500, lda_rng)
        wrong.append(np.sum(rule.predict(new_X) != new_y))
    lda_bills.append(20 * n + 10 * np.mean(wrong))
assert abs(min(lda_bills) - 900) < 30, "LDA, for 1,000 plants, seed 4"

three = rules | {"LDA": LinearDiscriminantAnalysis()}
rng = np.random.default_rng(4)
curve = learning_curve(three, X, y, [12, 20, 40], 100, rng)
curve["wrong per 100"] = 100 * (1 - curve["accuracy"])
real_mean = curve.pivot_table("wrong per 100", "classifier", "n_train")
splits = curve.pivot_table("wrong per 100", ["n_train", "repeat"], "classifier")
behind = (splits["QDA"] - splits["naive Bayes"]).groupby("n_train")
assert behind.mean()[12] > 5 * behind.sem()[12]
assert behind.mean()[40] < -5 * behind.sem()[40]
assert np.allclose(real_mean[20], [5.5, 8.3, 8.3], atol=0.05)
for other in rules:  # mean difference to LDA, and its standard error
    more = (splits[other] - splits["LDA"])[20]
    assert np.allclose([more.mean(), more.sem()], [2.8, 0.4], atol=0.05)


# %% after 04-44: 04-49
assert np.allclose(errors_at(0.8, 0), [0.159, 0.048], atol=5e-4)
for φ in (45, 135):
    assert np.allclose(*errors_at(0.8, φ))
m, Σ = two_classes(0.8, 15)
x = np.random.default_rng(4).normal(size=(100, 2))
to_plus, to_minus = (Gaussian(c, Σ).mahalanobis_squared(x) for c in (m, -m))
assert np.allclose(to_minus - to_plus, 4 * x @ np.linalg.solve(Σ, m)), "w = Σ⁻¹m"


# %% after 04-54: 04-108
assert turned_wrong["xor"][0] == 177
assert abs(np.subtract(*turned_wrong["xor, turned"])) <= 5
assert turned_wrong["xor"][1] == turned_wrong["xor, turned"][1]
# From the moments alone: on the diagonals both classes have the same variances.
σ2 = 0.7225**2
own = [np.array([[1 + σ2, sign], [sign, 1 + σ2]]) for sign in (1, -1)]
turned = [turn @ Σ @ turn.T for Σ in own]
assert np.allclose(turned, [np.diag([σ2, 2 + σ2]), np.diag([2 + σ2, σ2])])


# %% after 04-58: 04-110
assert round(copies.loc["right", 50], 2) == 0.80
assert round(copies.loc["mean posterior", 50], 3) == 0.996
assert round(copies.loc["right", 1], 2) == 0.97
try:
    QuadraticDiscriminantAnalysis().fit(penguins.X[:, [0, 1, 2, 2]], penguins.y)
except np.linalg.LinAlgError as error:
    print("QDA:", str(error).split(", columns")[0])
else:
    raise AssertionError("QDA should refuse a column and its copy")


# %% after 04-126: nuclei
assert [len(tumours.y), *np.unique(tumours.y, return_counts=True)[1]] == [569, 357, 212]
assert np.allclose(nuclei.loc["right", [1, 3]], [0.88, 0.89], atol=0.005)
assert np.allclose(nuclei.loc["mean posterior", [1, 3]], [0.89, 0.96], atol=0.005)
assert 3 <= 569 * (nuclei.loc["right", 3] - nuclei.loc["right", 1]) <= 7


# %% after 04-62: answers
for rule, kind in [("naive", "none"), ("QDA", "two lines")]:
    hidden = BoundaryExplorer(two, rule, means=[[-1, -1], [1, 1]])  # not shown
    normal = QuadraticSurface.between(*hidden.classifier().gaussians_).w
    assert np.isclose(normal[0], normal[1])  # across the long axis, for both rules
    hidden.means = np.zeros((2, 2))
    hidden.covariances = [tilt, tilt * [[1, -1], [-1, 1]]]
    assert QuadraticSurface.between(*hidden.classifier().gaussians_).kind == kind


# %% after 04-113: 04-115
simple_scores, full_scores = scores.values()
ahead = full_scores - simple_scores
corrected = np.sqrt((1 / 100 + 1 / 9) * ahead.var())
assert np.allclose(ahead.mean(), [0.016, 0.078], atol=0.0005)
assert np.allclose(corrected, [0.007, 0.022], atol=0.0005)
assert round(1 / ahead.mean().iloc[0]) == 61
