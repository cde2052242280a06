# %% after 03-15: 03-16a
moments = [(X[y == name].mean(axis=0), np.cov(X[y == name].T)) for name in pair]
by_scipy = [stats.multivariate_normal(*each).logpdf(x) for each in moments]
assert np.allclose([ln_p_A, ln_p_B], by_scipy)
assert np.isclose(np.exp(by_scipy[0] - by_scipy[1]), 4.6, atol=0.05)
heights = stats.norm.pdf(between, [μ_A, μ_B], [σ_A, σ_B])
assert np.isclose(heights[0] / heights[1], σ_B / σ_A)
assert np.isclose(σ_B / σ_A, 1.43, atol=0.005)
assert species_of_x == "versicolor"
expected = {}  # petal length of a flower with such sepals
for name in pair:
    expected[name] = np.polyval(np.polyfit(X[y == name, 0], X[y == name, 2], 1), x[0])
assert abs(expected["versicolor"] - x[2]) < 0.3 < 0.5 < expected["virginica"] - x[2]


# %% after 03-24: 03-25a
moments = [(X[y == name].mean(axis=0), np.cov(X[y == name].T)) for name in pair]
by_scipy = [stats.multivariate_normal(*each).logpdf(X) for each in moments]
assert np.allclose(c, 2 * (by_scipy[0] - by_scipy[1]))
assert np.isclose(nearer + narrower, 2 * (ln_p_A - ln_p_B))
D2 = [g.mahalanobis_squared(x) for g in (A, B)]
ln_det = [np.linalg.slogdet(g.covariance).logabsdet for g in (A, B)]
assert np.allclose([*D2, *ln_det], [5.35, 6.43, -10.90, -8.93], atol=0.005)
assert np.sum((c > 0) != (y == "versicolor")) == 3
assert np.allclose(np.exp(np.array([c_of_x, D2[1] - D2[0]]) / 2), [4.6, 1.7], atol=0.05)
turned = (c > 0) != (c - narrower > 0)
assert sorted(y[turned]) == ["versicolor", "virginica"]
assert (c[turned] > 0).all()


# %% after 03-50: 03-51a
moments = [(X[y == name].mean(axis=0), np.cov(X[y == name].T)) for name in pair]
laws = [stats.multivariate_normal(*each) for each in moments]
joint = [5 * laws[0].pdf(x), laws[1].pdf(x)]
assert np.isclose(p_virginica, joint[1] / sum(joint))
assert np.allclose(qda.predict_proba([x])[0], np.array(joint) / sum(joint))
assert np.isclose(np.exp(log_odds), 23, atol=0.5)
assert np.allclose([p_virginica, 1 / p_virginica], [0.042, 24], atol=0.1)
assert np.isclose(p_virginica, 0.042, atol=0.0005)

again = np.random.default_rng(1)
redrawn = []
for _ in range(2000):
    rows = again.integers(len(y), size=len(y))
    resampled = [X[rows][y[rows] == name] for name in pair]
    ln_p = [stats.multivariate_normal(rows.mean(axis=0), np.cov(rows.T)).logpdf(x) for rows in resampled]
    redrawn.append(1 / (1 + 5 * np.exp(ln_p[0] - ln_p[1])))
assert np.isclose(np.mean(np.array(redrawn) < 20 / 1020), 0.2, atol=0.03)
runs = np.quantile(redrawn, [0.025, 0.975])
assert np.allclose(runs, [0.005, 0.28], rtol=0.2)


# %% after 03-51c: 03-51g
assert (odd_one == X[82]).all()
assert c[82] > 0
terms = qda.explain([odd_one])
ahead = terms.iloc[0] - terms.iloc[1]
by_term = ahead[["ln π", "−½ ln|Σ|", "−½ D²"]]
assert np.allclose(by_term, [1.610, 0.984, -0.569], atol=0.0006)
assert np.isclose(ahead["sum"], np.log(5) + c[82] / 2)
assert np.isclose(ahead["sum"], 2.025, atol=0.0006)
assert np.isclose(1 / (1 + np.exp(-ahead["sum"])), 0.88, atol=0.005)
assert y[82] == "virginica"
without = QuadraticDiscriminantAnalysis(priors=[π_A, π_B])
without.fit(np.delete(X, 82, axis=0), np.delete(y, 82))
assert np.isclose(without.predict_proba(X[[82]])[0, 0], 0.91, atol=0.005)


# %% after 03-57: 03-58a
groups = [X[y == name] for name in pair]
moments = [(X[y == name].mean(axis=0), np.cov(X[y == name].T)) for name in pair]
assert np.allclose([mow, fence], [42, 19], atol=0.5)
predictive = []  # of a new flower, when μ and Σ are uncertain: a t distribution
for rows, (mean, Σ) in zip(groups, moments, strict=True):
    n = len(rows)
    widened = Σ * (n - 1) * (n + 1) / (n * (n - 4))
    predictive.append(stats.multivariate_t(mean, widened, df=n - 4).pdf(x))
averaged = predictive[1] / (5 * predictive[0] + predictive[1])
assert np.isclose(averaged, 0.044, atol=0.0005)
assert averaged > 20 / 1020
_, low, high = thresholds.values()
assert (qda.decide(X, costs) == (c < high)).all()
middle = (c > low) & (c < high)
assert np.sum(y[middle] == "virginica") == 1
assert low < c_of_x < high


# %% after 03-62: 03-63a
accuracy, cost, error = table.to_numpy().T
assert np.allclose(accuracy[1:], [0.969, 0.876], atol=0.0005)
assert np.allclose(cost[1:], [25_000, 7_600], atol=150)
assert cost[1] - cost[0] > 5 * error.max() < cost[0] - cost[2]
mistakes = {name: decided != truth for name, decided in decisions.items()}
counts = [np.sum(each) for each in mistakes.values()]
missed = [np.sum(each & (truth == "virginica")) for each in mistakes.values()]
assert [counts, missed[1:]] == [[40, 41, 116], [26, 1]]
spread = by_rule["accuracy"].sem().to_numpy()
assert accuracy[0] - accuracy[2] > 4 * spread.max()
equal_priors, priors, with_costs = (group for _, group in by_rule)
more = 100 * (priors["accuracy"].values - equal_priors["accuracy"].values)
assert np.allclose([more.mean(), stats.sem(more)], [1.2, 0.1], atol=0.05)
saved = equal_priors["cost (€)"].values - with_costs["cost (€)"].values
assert np.allclose([saved.mean(), stats.sem(saved)], [6_300, 400], atol=50)


# %% after 03-67a: 03-67c
assert np.corrcoef(X[y == "versicolor"].T).min() > 0.5
above = z_scores["σ from versicolor"]
assert (above > 0).all()
assert np.sum(above >= 1.5) == 3
naive = [stats.norm.logpdf(x, g.mean, np.sqrt(np.diag(g.covariance))) for g in (A, B)]
assert 2 * (naive[0].sum() - naive[1].sum()) < -5
assert (qda.predict(setosa) == "versicolor").all()
assert doubt.max() < 1e-9
both = [share_beyond(setosa, A, 49), share_beyond(setosa, B, 50)]
assert 1e-6 > np.max(both[0]) > np.max(both[1])
assert np.isclose(share_beyond([x], A, 49)[0], 0.31, atol=0.005)
assert share_beyond([x], A, 49)[0] > 0.2 < share_beyond([x], B, 50)[0]
kept = np.maximum(share_beyond(X, A, 49), share_beyond(X, B, 50))
assert kept.min() > 0.001

from bayeslab import load_tumours

tumours = load_tumours().select("mean texture", "mean area", "mean compactness")
for kind in np.unique(tumours.y):  # long tails, so far more than one in a thousand is refused
    of_kind = tumours.X[tumours.y == kind]
    refused = 0
    for i, tumour in enumerate(of_kind):
        others = np.delete(of_kind, i, axis=0)
        refused += share_beyond([tumour], Gaussian.fit(others), len(others))[0] < 0.001
    assert np.isclose(refused / len(of_kind), 0.014, atol=0.0005)


# %% after 03-70: 03-71a
from bayeslab import QuadraticSurface


def crossings(σ_wide, π_B=0.5, cost_A=1, cost_B=1):
    """Where the two curves, times priors and costs, cross: by roots of a parabola."""
    parabola = np.polynomial.Polynomial([-μ_B, 1]) ** 2 / σ_wide**2
    parabola -= np.polynomial.Polynomial([-μ_A, 1]) ** 2 / σ_A**2
    shift = 2 * np.log(σ_wide / σ_A * (1 - π_B) * cost_A / π_B / cost_B)
    return (parabola + shift).roots()


places = [crossings(σ_B)[1], crossings(σ_B, 0.17)[1], crossings(σ_B, 0.17, 2, 100)[1]]
assert np.allclose(places, [1.64, 1.75, 1.45], atol=0.005)
by_bayeslab = QuadraticSurface.between(width_A, width_B).roots()
assert np.allclose(crossings(σ_B), by_bayeslab)
assert (np.diff([crossings(σ)[0] for σ in (σ_B, 0.4, 0.5)]) > 0).all()
assert stats.norm.logpdf(0, μ_A, σ_A) < stats.norm.logpdf(0, μ_B, 0.5)


# %% after 03-72c: 03-72e
is_spam = mails.y == "spam"
p_spam = np.zeros(len(is_spam))
for learn, rest in folds.split(log_mails, mails.y):
    joint = []
    for kind in (False, True):
        part = log_mails[learn][is_spam[learn] == kind]
        law = stats.multivariate_normal(part.mean(axis=0), np.cov(part.T, bias=True))
        joint.append(len(part) * law.pdf(log_mails[rest]))
    p_spam[rest] = joint[1] / sum(joint)
deleted = [p_spam > t for t in (1 / 2, 10 / 11)]
assert (deleted[1] == (decision == "spam")).all()
real, left = [np.sum(each & ~is_spam) for each in deleted], [np.sum(is_spam & ~each) for each in deleted]
assert [real, left, np.sum(is_spam)] == [[197, 94], [467, 735], 1813]
by_mail = [np.where(is_spam, ~each, 10 * each) for each in deleted]
assert [each.sum() for each in by_mail] == [2437, 1675]
differences = np.array([by_mail[0] - by_mail[1], is_spam - by_mail[1]])
assert np.allclose(differences.sum(axis=1), [760, 140], atol=5)
assert np.allclose(differences.std(axis=1) * len(is_spam) ** 0.5, 100, atol=5)


# %% slow verdict after 03-61: 03-accurate
"""The most accurate rule is the one with the right priors: it gets 96.9% of the plants right, 1.2 points more than
with equal priors (the difference has a standard error of 0.1)."""
value = 100 * (table["accuracy"]["priors"] - table["accuracy"]["equal priors"])
holds = table["accuracy"].idxmax() == "priors" and abs(value - 1.2) < 0.3


# %% slow verdict after 03-61: 03-dear
"""It's also the most expensive, at about 25,000 € a meadow."""
value = table["cost (€)"]["priors"]
holds = table["cost (€)"].idxmax() == "priors" and abs(value - 25_000) < 2000


# %% slow verdict after 03-61: 03-cheap
"""The rule that knows the costs is the least accurate, by about eight points, and the cheapest"""
value = 100 * (table["accuracy"]["equal priors"] - table["accuracy"]["priors and costs"])
holds = table["cost (€)"].idxmin() == "priors and costs" and 6.5 < value < 9.5


# %% slow verdict after 03-61: 03-saves
"""it costs 6,300 € less than the rule with equal priors (taken before rounding; standard error 400 €)"""
value = table["cost (€)"]["equal priors"] - table["cost (€)"]["priors and costs"]
holds = abs(value - 6300) < 1200  # two errors of the difference of two such means


# %% verdict after 03-09: 03-petals
"""In a virginica with such sepals, we'd expect longer petals."""
rows = again.integers(99, size=99)
lengths = [np.polyval(np.polyfit(X[rows][y[rows] == name, 0], X[rows][y[rows] == name, 2], 1), x[0]) for name in pair]
value = lengths[1] - x[2]
holds = value > 0.4 and abs(lengths[0] - x[2]) < value


# %% slow verdict after 03-09: 03-bootstrap
"""it lies between about 0.005 and 0.28 in 95 draws of 100."""
found = []
for _ in range(400):
    rows = again.integers(99, size=99)
    rule = QuadraticDiscriminantAnalysis(priors=[5 / 6, 1 / 6]).fit(X[rows], y[rows])
    found.append(rule.predict_proba([x])[0, 1])
value = np.mean((np.array(found) > 0.005) & (np.array(found) < 0.28))
holds = 0.92 < value < 0.98


# %% verdict after 03-09: 03-mow
"""If you draw the flowers in her table again, she'd mow in about one case out of five."""
found = []
for _ in range(400):
    rows = again.integers(99, size=99)
    rule = QuadraticDiscriminantAnalysis(priors=[5 / 6, 1 / 6]).fit(X[rows], y[rows])
    found.append(rule.predict_proba([x])[0, 1] < 20 / 1020)
value = np.mean(found)
holds = 0.15 < value < 0.25


# %% verdict after 03-05b: 03-correlated
"""in versicolor all four go together, with correlations above 0.5"""
rows = X[y == "versicolor"]
value = np.corrcoef(rows[again.permutation(len(rows))[:25]].T).min()
holds = value > 0.3  # in a half of them


# %% slow verdict after 03-66: 03-setosa
"""if we draw her 99 flowers again, some setosas are called virginica in about one draw in four. But the rule is sure
nearly every time."""
other, sure = [], []
for _ in range(200):
    rows = again.integers(len(y), size=len(y))
    p = QuadraticDiscriminantAnalysis(priors=[5 / 6, 1 / 6]).fit(X[rows], y[rows]).predict_proba(setosa)
    other.append((p[:, 1] > 0.5).any())
    sure.append(np.mean(p.max(axis=1) > 0.9))
value = np.mean(other)
holds = abs(value - 0.25) < 0.09 and np.mean(sure) > 0.95


# %% verdict after 03-72c: 03-mail
"""With your threshold it's 94 and 735, or 1,675, which is 760 less (standard error 100)."""
costs_of_mail = {}
for t in (1 / 2, 10 / 11):
    rule = ms.FixedThresholdClassifier(da.QuadraticDiscriminantAnalysis(), threshold=t, pos_label="spam")
    said = ms.cross_val_predict(rule, log_mails, mails.y, cv=folds)
    lost, left = (np.sum((mails.y == kind) & (said != kind)) for kind in ("nonspam", "spam"))
    costs_of_mail[t] = 10 * lost + left
value = costs_of_mail[1 / 2] - costs_of_mail[10 / 11]
holds = abs(value - 760) < 200


# %% slow verdict after 03-72c: 03-nearest
"""The three measures aren't to blame: with the same threshold, a vote of the 50 nearest mails saves about 680 ± 50."""
from sklearn.neighbors import KNeighborsClassifier

rule = ms.FixedThresholdClassifier(KNeighborsClassifier(50), threshold=10 / 11, pos_label="spam")
said = ms.cross_val_predict(rule, log_mails, mails.y, cv=folds)
saved = np.where(mails.y == "spam", said == "spam", -10.0 * (said == "spam"))
value = saved.sum()
holds = abs(value - 680) < 50 and abs(np.std(saved) * np.sqrt(len(saved)) - 50) < 5


# %% verdict after 03-72c: 03-no-filter
"""So the usual threshold is worse than no filter, and yours saves 140 ± 100: we can't tell whether it's any use."""
costs_of_mail = {}
for t in (1 / 2, 10 / 11):
    rule = ms.FixedThresholdClassifier(da.QuadraticDiscriminantAnalysis(), threshold=t, pos_label="spam")
    said = ms.cross_val_predict(rule, log_mails, mails.y, cv=folds)
    lost, left = (np.sum((mails.y == kind) & (said != kind)) for kind in ("nonspam", "spam"))
    costs_of_mail[t] = 10 * lost + left
value = 1813 - costs_of_mail[10 / 11]
holds = costs_of_mail[1 / 2] > 1813 and abs(value) < 200
