# %% after 08-12: 08-14
assert np.isclose(claim, 113 / 117)
assert abs(named[[120, 135]].sum() - 2 / 3) < 0.05
assert np.isclose(curve.max(axis=1).mean(), 0.989, atol=0.0006)
assert np.isclose(np.mean(curve.max(axis=1) > claim), 0.94, atol=0.005)
assert abs(lucky - 1 / 6) < 0.03
assert curve.mean()[135] - curve.mean()[45] < 0.006
assert 0.42 < np.mean(curve[135] == 1) < 0.5
assert wrong == 7
assert np.allclose(interval, [0.019, 0.094], atol=0.0005)
assert np.isclose(250 * 7 / 150, 11.7, atol=0.05)
assert left_out(GaussianNB(), 0.95, y != "setosa")[0] == 7, "none is a setosa"


# %% after 08-30: 08-32
if α != 0.1:
    print("The numbers in the text belong to α = 10%.")
else:
    leaves = ((honest < band[0]) | (honest > band[1])).any(axis=1).mean()
    assert np.isclose(leaves, 0.702, atol=0.005)
    assert len(np.unique(X[y == "setosa", 3])) == 6
    outside = []
    for name in names:
        line = standardised(X[y == name, 3])
        outside.append((line < band[0]) | (line > band[1]))
    assert outside[0].mean() > 0.5
    assert outside[0][-2:].all()
    assert all(some.any() for some in outside)
    assert [round(12 * α, 1), round(1 - (1 - α) ** 12, 2)] == [1.2, 0.72]
    assert len(rejected) == 4
    assert holm(p, α) == [("setosa", "petal width")]
    skew = np.random.default_rng(0).gamma(16, size=(2000, n))
    p_skew = np.apply_along_axis(lambda x: shapiro(x).pvalue, 1, skew)
    assert np.isclose(np.mean(p_skew < α), 1 / 3, atol=0.04)
    assert np.mean(p_skew < α / 12) < 0.1

from itertools import combinations

kept = set()  # Holm by definition: Bonferroni must reject every set that holds it
for size in range(1, 13):
    for some in combinations(range(12), size):
        if min(p.to_numpy()[list(some)]) > α / size:
            kept.update(some)
assert {p.index[i] for i in range(12) if i not in kept} == set(holm(p, α))


# %% after 08-83: 08-84n
assert np.isclose(min(min(mardia(X[y == name])) for name in names), 0.16, atol=0.005)
assert max(mardia(typed)) < 1e-20
assert np.allclose(variances, [0.305, 59.6], atol=0.05)
assert np.allclose(r, [0.86, 0], atol=0.006)
assert 47.9 < D2[0] < 49**2 / 50
assert 40_000 < Gaussian.fit(typed[1:]).mahalanobis_squared(typed[:1]) < 50_000
assert np.sum(np.sort(D2)[:-1] > expected[:-1]) < 5
true = np.random.default_rng(8).normal(size=(1000, n, 4))
false = np.mean([np.array(mardia(rows)) < 0.1 for rows in true], axis=0)
assert (false < 0.13).all(), "Mardia's tests reject too often"


# %% after 08-37: 08-39
if α != 0.1:
    print("The numbers in the text belong to α = 10%.")
else:
    worst_one = [("setosa", "petal width")]
    assert 3.5 < share.sum() < 4.5
    assert (p_ruler[rejected].drop(worst_one) > 0.2).all()
    assert holm(p_ruler, α) == worst_one
    assert np.isclose(p_ruler[worst_one[0]], 1 / 401)


# %% after 08-44: 08-46
moved = [-0.005, 0.005, -0.027, 0.026]
assert np.allclose(table["difference"].iloc[1:], moved, atol=6e-4)
small = table.iloc[1:3]
assert (small["difference"].abs() < 1 / 150).all()
assert (small["difference"].abs() < small["standard error"]).all()
errors = table["standard error"].iloc[3:]
assert np.allclose(errors, [0.017, 0.018], atol=6e-4)
peer = cross_val_predict(GaussianNB(), X, y, cv=LeaveOneOut())
assert np.sum(peer != y) == wrong


# %% after 08-51: 08-52
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as PeerLDA

assert wrong_lda == 3
assert np.sum(cross_val_predict(PeerLDA(), X, y, cv=LeaveOneOut()) != y) == 3
assert np.isclose(five, 0.99)
assert np.isclose(interval_lda.high, 0.071, atol=5e-4)
assert (wrong_hard, hard.sum()) == (3, 100)
assert np.isclose(interval_hard.high, 0.105, atol=5e-4)
assert interval_lda.high < 20 / 250 < interval_hard.high


# %% after 08-60: 08-62
assert np.isclose(shapiro(flippers).pvalue, 0.0016, atol=5e-5)
assert np.all(flippers == flippers.round())
bulk = pd.Series(flippers)
assert bulk.kurt() < -0.5, "tails shorter than a bell's"

petals = X[y == "setosa", 3]
for seed in range(51):  # the slider of the explorer
    bell = np.random.default_rng(seed).normal(petals.mean(), petals.std(ddof=1), n)
    fake = pd.Series(bell.round(1))
    assert fake.value_counts().max() < pd.Series(petals).value_counts().max()
    assert fake.skew() < pd.Series(petals).skew()


# %% after 08-74: 08-76n
from scipy.stats import beta, binom


def chance_to_settle(n, rate=0.02, limit=0.08):
    """How often the 95% interval from n new flowers ends below the limit."""
    mistakes = np.arange(n)
    settles = beta.ppf(0.975, mistakes + 1, n - mistakes) < limit
    return binom.pmf(mistakes, n, rate)[settles].sum()


chances = [chance_to_settle(80), chance_to_settle(160)]
assert np.allclose(chances, [0.52, 0.96], atol=0.005)
assert chance_to_settle(160, 0.03) < 0.85, "without setosas, LDA's rate is 3 of 100"
on_paper = beta.ppf(0.975, 0.02 * np.array([79, 80]) + 1, 0.98 * np.array([79, 80]))
assert on_paper[0] >= 0.08 > on_paper[1]


# %% slow verdict after 08-09: 08-students
"""About two in three students report one of the two largest sizes, and the best score is 0.989 on average."""
value = curve.max(axis=1).mean()
holds = 0.55 < named[named.index >= 120].sum() < 0.78 and 0.985 < value < 0.993


# %% slow verdict after 08-09: 08-beat
"""94% of the students beat it"""
value = np.mean(curve.max(axis=1) > claim)
holds = value > 0.88


# %% slow verdict after 08-09: 08-one
"""about half of those splits score 1"""
value = np.mean(curve[135] == 1)
holds = 0.38 < value < 0.56


# %% verdict after 08-20: 08-band
"""about 70% of the 500 normal samples leave the band somewhere"""
value = np.mean(((honest < band[0]) | (honest > band[1])).any(axis=1))
holds = 0.64 < value < 0.77


# %% slow verdict after 08-37: 08-ruler
"""Rounding alone raises the number of rejections from 1.2 of twelve to about four, on average"""
value = share.sum()
holds = 3.5 < value < 4.5


# %% slow verdict after 08-37: 08-three
"""Beside their own copies, three of the four are nothing special: the last column is above 0.2."""
others = p_ruler[rejected].drop(("setosa", "petal width"))
value = others.min()
holds = value > 0.2


# %% slow verdict after 08-37: 08-setosa
"""The ruler alone hardly explains that, and Holm's rule still rejects it."""
value = p_ruler["setosa", "petal width"]
holds = holm(p_ruler, α) == [("setosa", "petal width")]


# %% slow verdict after 08-44: 08-shape
"""about one flower, and less than two standard errors"""
logs, kernels = table.loc["Gaussians of logs"], table.loc["kernels"]
value = logs["difference"]
holds = max(abs(logs["difference"]), abs(kernels["difference"])) < 1.7 / 150
holds &= bool((abs(table["difference"]) < 2 * table["standard error"])[["Gaussians of logs", "kernels"]].all())


# %% slow verdict after 08-44: 08-pca
"""PCA lowers it by 0.027 ± 0.017. That's no proof"""
value, error = table.loc["PCA first", ["difference", "standard error"]]
holds = -2 * error < value < 0


# %% slow verdict after 08-44: 08-lda
"""LDA, in the last row, gains 0.026 ± 0.018. That isn't proof"""
value, error = table.loc["LDA", ["difference", "standard error"]]
holds = 0 < value < 2 * error


# %% verdict after 08-83: 08-joint
"""Mardia's tests reject none of the three species: the smallest of their six p-values is 0.16."""
halves = [X[np.flatnonzero(y == name)[again.permutation(50)[:25]]] for name in names]
value = min(min(mardia(rows)) for rows in halves)
holds = value > 0.1 / 6


# %% verdict after 08-83: 08-lenient
"""With fifty flowers, the one for kurtosis is too lenient: simulated, setosa's p-value is about 0.05"""


def kurtosis_of(samples):
    r = samples - samples.mean(axis=1, keepdims=True)
    turned = np.swapaxes(r, 1, 2)
    D2 = np.sum(turned * np.linalg.solve(turned @ r / 50, turned), axis=1)
    return np.mean(D2**2, axis=1)


normal = kurtosis_of(again.normal(size=(2000, 50, 4)))
value = 2 * np.mean(normal >= kurtosis_of(X[y == "setosa"][None])[0])
holds = 0.03 < value < 0.08 and np.mean(2 * norm.sf(abs(normal - 24) / np.sqrt(192 / 50)) < 0.05) < 0.035


# %% verdict after 08-83: 08-slip
"""The $D^2$ of the others shrink, and their points sink below the line."""
typed = X[y == "virginica"].copy()
typed[again.integers(50), again.integers(4)] *= 10
D2 = np.sort(Gaussian.fit(typed).mahalanobis_squared(typed))
value = np.mean(D2[:-1] < expected[:-1])
holds = value > 0.85 and 45 < D2[-1] < 49**2 / 50
