# %% after 00-32: 00-33n
from scipy import stats

counts = [(np.abs(petal[name] - 4.7) < 0.25).sum() for name in names]
assert counts == [19, 6]
assert (np.abs(petal["versicolor"] - 4.76) < 0.25).sum() == 13
by_scipy = [stats.norm(petal[name].mean(), petal[name].std(ddof=1)).pdf(4.7) for name in names]
assert np.allclose(by_scipy, [density(name, 4.7) for name in names])
assert 2 < by_scipy[0] / by_scipy[1] < 3


# %% after 00-60: 00-62
assert 0.28 < posterior(4.7, equal)["virginica"] < 0.3


def name_for(x, share):
    return decide(x, {"versicolor": 1 - share, "virginica": share})


for share, length, named in (
    (0.5, 4.88, "versicolor"),
    (0.5, 4.89, "virginica"),
    (0.71, 4.7, "versicolor"),
    (0.72, 4.7, "virginica"),
    (0.01, 5.71, "versicolor"),
    (0.01, 5.73, "virginica"),
    (0.99, 3.82, "versicolor"),
    (0.99, 3.84, "virginica"),
):
    assert name_for(length, share) == named
lengths = np.linspace(-5, 10, 3001)
ratio = density("virginica", lengths) / density("versicolor", lengths)
assert np.isclose(1 + 1 / ratio.min(), 25_000, rtol=0.01)


# %% after 00-85: 00-86n
assert (len(mails.y), round(np.mean(mails.y == "spam"), 2)) == (4601, 0.39)
assert np.allclose([share["spam"], share["other"]], [0.376, 0.019], atol=0.0005)
assert np.isclose(share["spam"] / share["other"], 19.4, atol=0.05)
spams = 0.01 * share["spam"]
assert np.isclose(spams / (spams + 0.99 * share["other"]), 0.16, atol=0.005)
assert round(0.39 * share["spam"] / (0.39 * share["spam"] + 0.61 * share["other"]), 2) == 0.93


# %% after 00-46: 00-49a
from scipy import stats

means = np.array([X[y == name].mean(axis=0) for name in names])
own = np.array([np.cov(X[y == name].T) for name in names])
shared = np.array([own.mean(axis=0)] * 2)
mean_variance = np.trace(shared[0]) / 2 * np.eye(2)
shapes = [[mean_variance] * 2, own * np.eye(2), shared, own]
for Σs, stated in zip(shapes, [0.04, 0.08, 0.96, 0.95], strict=True):
    p, q = (stats.multivariate_normal(*pair).pdf(new) for pair in zip(means, Σs, strict=True))
    assert abs(q / (p + q) - stated) < 0.005

expected = means[:, 1] + own[:, 0, 1] / own[:, 0, 0] * (5.2 - means[:, 0])
assert np.allclose(expected, [3.75, 4.51], atol=0.01)
give_or_take = np.sqrt(own[:, 1, 1] - own[:, 0, 1] ** 2 / own[:, 0, 0])
assert np.allclose(give_or_take, 0.3, atol=0.03)
assert np.isclose((4.7 - expected[0]) / give_or_take[0], 3, atol=0.1)

for Σs, inside in ((shapes[1], [True, False]), (own, [False, True])):
    d = [r @ np.linalg.solve(Σ, r) for r, Σ in zip(new - means, Σs, strict=True)]
    assert [bool(value < 2.5**2) for value in d] == inside


# %% verdict after 00-53: 00-units
"""Only nearest mean changes its mind about some flowers"""
half = again.permutation(100)[:50]
changed = {}
for name, model in choices.items():
    before = model.fit(X[half], y[half]).predict(X)
    changed[name] = np.sum(before != model.fit(Z[half], y[half]).predict(Z))
value = changed.pop("nearest mean")
holds = value > 0 and not any(changed.values())


# %% verdict after 00-44: 00-two-and-two
"""Two say *versicolor* and two say *virginica*"""
drawn = np.concatenate([again.choice(np.flatnonzero(y == name), 50) for name in names])
said = [model.fit(X[drawn], y[drawn]).predict([new])[0] for model in choices.values()]
value = said.count("virginica")
holds = value == 2


# %% verdict after 00-83: 00-money
"""The word is nearly twenty times as common in spam as in other mails"""
half = again.integers(len(mails.y), size=len(mails.y))  # drawn with replacement
spam = mails.y[half] == "spam"
value = has_word[half][spam].mean() / has_word[half][~spam].mean()
holds = 14 < value < 27
