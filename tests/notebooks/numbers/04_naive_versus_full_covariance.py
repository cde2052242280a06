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
assert lead[20].mean() > 2 * lead[20].sem()
assert lead[24].mean() < -2 * lead[24].sem()
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


# %% after 04-103: 04-107
from bayeslab import LinearDiscriminantAnalysis

lda_rng, lda_bills = np.random.default_rng(4), []
for n in (12, 16, 20, 24):
    wrong = []
    for _ in range(300):
        rule = LinearDiscriminantAnalysis().fit(*from_the_lab(n, lda_rng))
        new_X, new_y = nature.sample(500, lda_rng)
        wrong.append(np.sum(rule.predict(new_X) != new_y))
    lda_bills.append(20 * n + 10 * np.mean(wrong))
assert abs(min(lda_bills) - 900) < 30, "LDA, for 1,000 plants, seed 4"


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
seen = (posterior.max(axis=1) > 0.93) & (posterior.max(axis=1) < 0.98)
assert [seen.sum(), np.sum(malignant[seen] == (some.y[seen] == "malignant"))] == [39, 31]
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


# %% slow verdict after 04-120: 04-four
"""The difference is 4.6 points, with a standard error of 0.9 (over twenty other seeds, 3.8 ± 0.2)."""
naive, qda = 100 * VarianceExplorer(two_species, ["naive", "QDA"], 4, seed=4, drawn=100).errors().mean(axis=0)
value = qda - naive
holds = abs(value - 3.8) < 1.9 and abs(qda - 22.4) < 2  # two standard errors of a hundred draws


# %% slow verdict after 04-120: 04-eight
"""at 8 it's close"""
naive, qda = 100 * VarianceExplorer(two_species, ["naive", "QDA"], 8, seed=4, drawn=100).errors().mean(axis=0)
value = qda - naive
holds = abs(value) < 1.5


# %% slow verdict after 04-120: 04-fifty
"""at 50 QDA leads by 2.3 points"""
naive, qda = 100 * VarianceExplorer(two_species, ["naive", "QDA"], 50, seed=4, drawn=100).errors().mean(axis=0)
value = naive - qda
holds = abs(value - 2.3) < 0.5


# %% verdict after 04-02: 04-negative
"""(For a rule with a wrong shape it can even be negative.)"""
outliers, noise = again.random((1000, 3)) < 0.1, 0.1 * again.standard_normal((2, 1000, 3))
A = np.where(outliers, 12, -1) + noise[0]  # class B lies around 0
halfway, A_is_left = (A.mean(axis=1) + noise[1].mean(axis=1)) / 2, A.mean(axis=1) < noise[1].mean(axis=1)


def error_of_a_line(t, left):
    """The error of calling A what lies on the left of t, or on the right."""
    beyond = 0.9 * norm.sf(t, -1, 0.1) + 0.1 * norm.sf(t, 12, 0.1), norm.sf(t, 0, 0.1)
    return np.where(left, beyond[0] + 1 - beyond[1], 1 - beyond[0] + beyond[1]) / 2


value = error_of_a_line(halfway, A_is_left).mean() - error_of_a_line(0.15, False)  # the mean of A is 0.3
holds = value < -0.2


# %% slow verdict after 04-29: 04-sixteen
"""With 16 plants, naive Bayes gets about 97 names wrong and QDA about 155."""
value = mean.loc["QDA", 16] - mean.loc["naive Bayes", 16]
holds = abs(value - 58) < 15


# %% slow verdict after 04-29: 04-crossing
"""With 20, naive Bayes still leads, and with 24, QDA does."""
lead = {n: table["QDA"] - table["naive Bayes"] for n, table in draws.items()}
value = lead[20].mean()
holds = value > 0 > lead[24].mean()


# %% slow verdict after 04-29: 04-errors
"""at both sizes the lead is more than twice its standard error, as it usually is with other seeds."""
lead = {n: table["QDA"] - table["naive Bayes"] for n, table in draws.items()}
value = min(lead[20].mean() / lead[20].sem(), -lead[24].mean() / lead[24].sem())
holds = value > 2


# %% slow verdict after 04-29: 04-spread
"""With 16 plants, QDA's results also vary three to four times as much as those of naive Bayes."""
value = spread.loc["QDA", 16] / spread.loc["naive Bayes", 16]
holds = 2.7 < value < 4.4


# %% slow verdict after 04-29: 04-bias
"""The gap between the dashed line and the dotted one, about 53 names, is its bias"""
value = floor - best
holds = abs(value - 53) < 3 and abs(floor - 78) < 2


# %% slow verdict after 04-103: 04-thirty
"""There the bill for QDA is lowest, at 1,155 €, with a standard error of 17 €."""
value = bill.loc["QDA", 30]
holds = bill.loc["QDA"].idxmin() == 30 and abs(value - 1155) < 34


# %% slow verdict after 04-103: 04-bills
"""The lowest bill of naive Bayes is about 1,290 €."""
value = bill.loc["naive Bayes"].min()
holds = abs(value - 1290) < 30 and value > bill.loc["QDA"].min()


# %% slow verdict after 04-103: 04-small
"""it's best to send about ten plants, fewer than in the chart, and to use naive Bayes, which costs about 350 €"""
wrong = []
for _ in range(300):
    k = int(np.clip(again.binomial(10, 0.5), 2, 8))
    drawn = [g.sample(m, again) for g, m in zip(gaussians, (k, 10 - k), strict=True)]
    rule = GaussianNB().fit(np.concatenate(drawn), np.repeat([0, 1], (k, 10 - k)))
    new_X, new_y = nature.sample(500, again)
    wrong.append(np.sum(rule.predict(new_X) != new_y))
value = 200 + np.mean(wrong)
holds = abs(value - 350) < 15 and value + 50 < (20 * sent + mean).min().min()


# %% slow verdict after 04-29: 04-lda
"""its lowest bill is only about 920 €"""
from bayeslab import LinearDiscriminantAnalysis

bills = {}
for n in (12, 16, 20, 24):
    wrong = []
    for _ in range(300):
        new_X, new_y = nature.sample(500, again)
        wrong.append(np.sum(LinearDiscriminantAnalysis().fit(*from_the_lab(n, again)).predict(new_X) != new_y))
    bills[n] = 20 * n + 10 * np.mean(wrong)
value = min(bills.values())
holds = abs(value - 920) < 35


# %% verdict after 04-54: 04-xor
"""Naive Bayes gets 177 of the 400 points wrong, which is little better than guessing."""
value = turned_wrong["xor"][0]
holds = value > 140


# %% verdict after 04-54: 04-turned
"""Naive Bayes can use that, and does about as well as QDA."""
value = turned_wrong["xor, turned"][0] - turned_wrong["xor, turned"][1]
holds = abs(value) <= 5


# %% verdict after 04-58: 04-copies
"""With 50 copies, it gets only 80% of the birds right, yet the average posterior of its decisions is 0.996."""
half = again.permutation(len(penguins.y))[:171]
many = penguins.X[:, [0, 1] + [2] * 50]
rule = GaussianNB().fit(many[half], penguins.y[half])
value = rule.score(many, penguins.y)
holds = 0.75 < value < 0.85 and rule.predict_proba(many).max(axis=1).mean() > 0.99


# %% verdict after 04-126: 04-nuclei
"""It gets hardly more of them right: 89% instead of 88%, which is about five tumours."""
value = 569 * (table[3]["right"] - table[1]["right"])
holds = 0 < value < 12


# %% verdict after 04-126: 04-certain
"""With one measure of the size, its mean posterior is 0.89, about as often as it's right. With three, it's 0.96."""
value = table[3]["mean posterior"]
holds = abs(value - 0.96) < 0.01 and abs(table[1]["mean posterior"] - table[1]["right"]) < 0.02


# %% verdict after 04-126: 04-patient
"""and the rule is right about 31 of them: 79%, with a standard error of 6 points."""
seen = (posterior.max(axis=1) > 0.93) & (posterior.max(axis=1) < 0.98)
value = np.mean(malignant[seen] == (some.y[seen] == "malignant"))
holds = abs(value - 0.79) < 0.06


# %% slow verdict after 04-113: 04-penguins
"""QDA is right more often by 1.6 points, with a standard error of 0.7."""
naive, qda = scores.values()
value = 100 * (qda["test_accuracy"].mean() - naive["test_accuracy"].mean())
holds = 1.2 < value < 2


# %% slow verdict after 04-113: 04-log-loss
"""Its log loss is 0.078 lower, with a standard error of 0.022."""
naive, qda = scores.values()
value = qda["test_neg_log_loss"].mean() - naive["test_neg_log_loss"].mean()
holds = 0.06 < value < 0.1
