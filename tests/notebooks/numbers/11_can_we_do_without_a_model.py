# %% after 11-14: 11-16
points, _ = truth.sample(100, np.random.default_rng(seed))
for asked in (1, 15, 63):
    p = KNeighborsClassifier(asked).fit(X, y).predict_proba(points)[:, 1]
    assert np.allclose(posterior_of_1(points, X, y, asked), p), "the same as ours"
assert np.allclose(posterior, k_c / 15), "the text speaks of 15 neighbours"


# %% after 11-46: 11-50
from scipy.spatial import KDTree

ratios = []
for pair in truths.values():
    _, joint = grid_of(pair, 0.05)
    r = joint.min(axis=1) / joint.sum(axis=1)
    ratios.append(np.sum(joint.sum(axis=1) * 2 * r * (1 - r)) / pair.bayes_error())
assert np.allclose(ratios, [1.34, 1.50, 1.53], atol=0.006)
assert np.isclose(bayes["P1b"], 0.035, atol=0.0005)
for name, n, stated in (("P1b", 75, 1 / 9), ("P1c", 199, 1 / 5)):
    zero, one = truths[name].gaussians
    points, joint = grid_of(truths[name])
    labels = np.repeat([0, 1], [n // 2, n - n // 2])
    rng, many = np.random.default_rng(0), []
    for _ in range(600):
        pieces = np.concatenate([zero.sample(n // 2, rng), one.sample(n - n // 2, rng)])
        decisions = labels[KDTree(pieces).query(points)[1]]
        error = joint[np.arange(len(points)), 1 - decisions].sum()
        many.append(error > 2 * bayes[name])
    assert abs(np.mean(many) - stated) < 0.03, name
if seed == 11:
    assert beyond.sum() == 16
    for name in "P1a", "P1b":
        for n in sizes[1:]:
            lead = results[name, "1-NN", n].to_numpy() - results[name, "QDA", n]
            assert lead.mean() > 2 * lead.sem()
    assert wrong["1-NN", 199] > wrong["QDA", 199]
else:
    print("The numbers in the text belong to seed 11.")


# %% after 11-54: 11-66
if seed == 11:
    stated = [0.336, 0.271, 0.258]
    assert np.allclose([w.mean() for w in ways.values()], stated, atol=0.0006)
    assert np.ptp(ks[at]) > 40
    assert estimates.min(axis=1).mean() < ways["k by cross-validation"].mean()
    wide = (ks >= 15) & (ks <= 60)  # estimates and errors compared with k = 27
    noise = (estimates - errors)[:, wide] - (estimates - errors)[:, [13]]
    assert ks[13] == 27
    assert noise.std(axis=0).max() > 2 * np.ptp(errors.mean(axis=0)[wide])
    floor = errors.mean(axis=0)[(ks >= 5) & (ks <= 40)]
    assert floor.max() < errors.mean(axis=0)[0] - 0.02


# %% after 11-91: 11-93
if (seed, price) == (11, 50):
    ours = [true_error(rule, *grid_of(foundries, 0.2)) for rule in pair.values()]
    assert np.isclose(ours[0] - ours[1], 0.38, atol=0.005)
    assert np.isclose(saved["Gaussians true"].sem(), 130, atol=5)
    gaussian, false = said["Gaussians true"], said["foundries"]
    assert np.isclose(saved["Gaussians true"].mean(), 1100, atol=50)
    assert np.isclose(saved["foundries"].mean(), -19000, atol=300)
    assert (false["mean"] < -2 * false["error"]).all()
    assert (np.abs(gaussian["mean"]) > 2 * gaussian["error"]).sum() == 6
    assert np.isclose(gaussian["error"].mean(), 1100, atol=150)
    assert 0.4 < true_error(pair["QDA"], *grid_of(foundries, 0.2)) < 0.5


# %% after 11-79: 11-80a
from scipy.stats import norm

assert np.isclose(norm.cdf(-3.29 / 2), 0.05, atol=1e-4)
assert np.allclose([3.29**2, 16**0.5, 800**0.5], [10.8, 4, 28.3], atol=0.05)
some_X, _ = round_pair(2000, np.zeros(50), np.random.default_rng(0))
squared = ((some_X[:2000] - some_X[2000:]) ** 2).sum(axis=1)
assert np.allclose([squared.mean(), squared.std()], [100, 400**0.5], rtol=0.05)
if seed == 11:
    mean = curse["useless readings added"][0]
    assert np.allclose(mean.loc[2], [0.08, 0.05, 0.05], atol=0.005)
    assert np.allclose(mean.loc[100], [0.27, 0.12, 0.07], atol=0.005)
    mean = curse["every reading useful"][0]
    assert (mean.loc[100] < mean.loc[10]).all()
    assert (mean.loc[10] < mean.loc[2]).all()


# %% after 11-69: 11-70a
tried = pd.DataFrame(search.cv_results_)
on = tried["param_scale"].astype(str) == "StandardScaler()"

by_fold = tried.filter(regex="split._test_score").T
best_of = [tried["mean_test_score"][rows].idxmax() for rows in (~on, on)]
behind = by_fold[best_of[0]] - by_fold[best_of[1]]
error = behind.std() * np.sqrt(1 / 5 + 1 / 4)  # as in notebook 07
assert np.isclose(search.score(digits_X, digits_y), 0.982, atol=0.0006)
in_order = KNeighborsClassifier(1).fit(digits.X[:898], digits.y[:898])
in_order = in_order.score(digits.X[898:], digits.y[898:])
assert np.isclose(in_order, 0.961, atol=0.0006)
errors = [np.sqrt(share * (1 - share) / 899) for share in (0.982, in_order)]
assert np.allclose(errors, [0.004, 0.006], atol=6e-4)
assert np.allclose([behind.mean(), error], [0.021, 0.009], atol=6e-4)


# %% after 11-e3s: 11-96
if (seed, price) == (11, 50):
    assert np.isclose(4 * saved["Gaussians true"].mean(), 4200, atol=100), "seed 11"
    assert np.isclose(4 * saved["Gaussians true"].sem(), 500, atol=100), "seed 11"
    assert np.isclose(4 * saved["Gaussians true"].std(), 3400, atol=100), "seed 11"
    assert 4 * saved["foundries"].mean() < -70_000, "seed 11"


# %% verdict after 11-22: 11-fewer
"""With 199 it made fewer mistakes than the neighbour."""
part = np.r_[:99, 100:200]
errors = [np.mean(rule.fit(X[part], y[part]).predict(test_X) != test_y) for rule in rules.values()]
value = 100 * (errors[1] - errors[0])
holds = value > 0


# %% slow verdict after 11-45: 11-beyond
"""On 16 of the hundred. (With many more draws it's about one in nine.)"""
value = beyond.mean()
holds = 0.04 <= value <= 0.2


# %% slow verdict after 11-45: 11-P1c
"""On P1c even one in five shelves of 199 is beyond $2R^*$ (one in six with more draws)."""
value = np.mean(results["P1c", "1-NN", 199] > 2 * bayes["P1c"])
holds = 0.08 <= value <= 0.25


# %% slow verdict after 11-45: 11-lower
"""from 25 pieces on it has a lower mean error than one neighbour on P1a and P1b"""
gaps = [
    results[name, "1-NN", n].mean() - results[name, "QDA", n].mean() for name in ("P1a", "P1b") for n in (25, 75, 199)
]
value = min(gaps)
holds = value > 0


# %% slow verdict after 11-63: 11-chosen
"""The chosen $k$ has a true error of 0.271 on average, against 0.336 for a single neighbour and 0.258 for the best
$k$ of each shelf."""
value = errors[np.arange(40), at].mean()
holds = errors[:, 0].mean() - value > 0.05 and value - errors.min(axis=1).mean() < 0.02


# %% slow verdict after 11-63: 11-promise
"""The smallest of fifty estimates was picked because it was small, so it promises too much."""
value = errors[np.arange(40), at].mean() - estimates.min(axis=1).mean()
holds = value > 0.005


# %% slow verdict after 11-88: 11-saves
"""When the software is right, it saves about 1,100 € per 1,000 pieces, with a standard error of 130 €."""
value = saved["Gaussians true"].mean()
holds = abs(value - 1100) < 300


# %% slow verdict after 11-88: 11-loses
"""When it's wrong, it loses about 19,000 €."""
value = -saved["foundries"].mean()
holds = abs(value - 19_000) < 2000


# %% slow verdict after 11-91: 11-notice
"""All 40 shelves notice the foundries. Only 6 notice the advantage of about 1,100 €"""
clear = {name: np.sum(np.abs(table["mean"]) > 2 * table["error"]) for name, table in said.items()}
value = clear["Gaussians true"]
holds = clear["foundries"] == 40 and value <= 12


# %% slow verdict after 11-79: 11-useless
"""it goes from 8% to 27%, fifteen neighbours from 5% to 12%, and nearest mean only from 5% to 7%"""
rise = 100 * (curse["useless readings added"][0].loc[100] - curse["useless readings added"][0].loc[2])
value = rise["1-NN"]
holds = value > rise["15-NN"] > rise["nearest mean"] and abs(value - 19) < 5


# %% slow verdict after 11-79: 11-useful
"""But if every reading is useful, all three get better and better."""
value = curse["every reading useful"][0].loc[100].max()
holds = bool((curse["every reading useful"][0].diff().dropna() < 0.01).all().all()) and value < 0.05


# %% slow verdict after 11-69: 11-digits
"""Unscaled, 98.2 ± 0.4% of the new digits get the right name."""
value = 100 * search.score(digits_X, digits_y)
holds = search.best_params_["scale"] == "passthrough" and abs(value - 98.2) < 0.9
