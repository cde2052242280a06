# %% after 18-71c: 18-71b
t7, widen = stats.t(7), np.sqrt(1 + 1 / 8)
kept = 1 - 2 * t7.sf(1.96 / widen)
assert np.allclose([np.mean(distance < 1.96), kept], 0.893, atol=0.01)
assert np.isclose(np.quantile(distance, 0.95), 2.5, atol=0.06)
found = [widths[n] for n in (4, 8, 100)]
assert np.allclose(found, [3.56, 2.51, 1.99], atol=0.006)
assert np.abs(drawn.mean(axis=1) - student.pdf(x)).max() < 0.01 / s


# %% after 18-77: 18-78a
assert np.isclose(150 * 100 * needless(8, 4), 6500, rtol=0.01)
found = [needless(8, 1), needless(8, 4), needless(20, 4), needless(100, 4)]
assert np.allclose(found, [0.107, 0.43, 0.16, 0.067], atol=0.002)
assert np.allclose([exact_limit(8, 4), plug_in_limit(4)], [50.3, 9.5], atol=0.05)
widen = np.sqrt(1 + 1 / 8)
assert np.isclose(needless(8, 1), 2 * stats.t(7).sf(1.96 / widen), atol=1e-4)
assert np.isclose(birds_caught.loc["all four", "plug-in"], 0.43, atol=0.015)
assert birds_caught["exact"].between(0.04, 0.06).all()


# %% after 18-87: 18-88a
assert np.allclose(sick["two (%)"], [0.43, 0.603, 0.666], atol=6e-4)
assert np.allclose(sick["four (%)"], [0.277, 0.572, 0.679], atol=6e-4)
draw = np.random.default_rng(18)  # the exact law against a simulation
for columns in ([2, 3], [0, 1, 2, 3]):
    nature, shares = (gentoo[:, columns].mean(axis=0), np.cov(gentoo[:, columns].T)), []
    for _ in range(1000):
        healthy = draw.multivariate_normal(*nature, 8)
        ill = draw.multivariate_normal(*nature, 100)
        ill[:, -1] -= 1000
        shares.append(caught(healthy, ill, exact_limit(8, len(columns))).mean())
    assert abs(np.mean(shares) - found_sick(columns, 8)) < 4 * stats.sem(shares)
order = [np.random.default_rng(group).permutation(123) for group in (17, 24)]
flippers = [gentoo[each][:, 2:] for each in order]
groups = [caught(rows[:8], rows[8:], plug_in_limit(2)).mean() for rows in flippers]
assert np.allclose(groups, [0, 0.39], atol=0.006), "groups 17 and 24"
assert np.isclose(np.sqrt(exact_limit(50, 2) / plug_in_limit(2)), 1.05, atol=0.01)
waits = rng.exponential(size=(100_000, 8))
z = rng.exponential(size=100_000) - waits.mean(axis=1)
z /= waits.std(axis=1, ddof=1) * widths[8]
assert np.isclose(np.mean(z > 1), 0.07, atol=0.004)
assert np.mean(z < -1) < 0.003
# The t is what the posterior of the independence Jeffreys prior predicts.
train = gentoo[ours]
S = np.cov(train.T) * 7
Σs = stats.invwishart(7, S).rvs(20_000, random_state=rng)
noise = rng.normal(size=(20_000, 4, 1)) * np.sqrt(1 + 1 / 8)
next_birds = train.mean(axis=0) + (np.linalg.cholesky(Σs) @ noise)[:, :, 0]
outside = caught(train, next_birds, exact_limit(8, 4)).mean()
assert np.isclose(outside, 0.05, atol=0.006), outside


# %% after 18-94: 18-95a
qda, twin, error, qda_loss, twin_loss, loss_error = rows[8]
assert np.allclose([twin - qda, error], [0.009, 0.003], atol=6e-4)
assert np.allclose([qda_loss, twin_loss], [1.18, 0.25], atol=0.006)
more = [qda_loss - twin_loss, loss_error]
assert np.allclose(more, [0.9, 0.2], atol=0.06)
p_8 = draws[8][:, 0, 1]
assert np.mean((p_8 < 0.01) | (p_8 > 0.99)) > 0.75
assert abs(rows[80][1] - rows[80][0]) < 0.001
fitted, d = StudentT().fit(train), 4
κ_n, ν_n, Λ_n = 8, 8 - 1, np.cov(train.T) * 7  # for κ₀ = 0, ν₀ = −1, Λ₀ = 0
assert fitted.dof_ == ν_n - d + 1
assert np.allclose(fitted.scale_, Λ_n * (κ_n + 1) / (κ_n * (ν_n - d + 1)))


# %% after 18-101: 18-101b
assert caught(twelve, others, limit).sum() == 1, "twelve birds from seed 0"
assert caught(chinstrap[:12], chinstrap[12:], limit).sum() == 16
assert np.isclose(limit, exact_limit(12, 2))
draw, outside = np.random.default_rng(1), []
for _ in range(4000):
    birds = draw.permutation(chinstrap)
    outside.append(caught(birds[:12], birds[12:], limit).sum())
assert np.isclose(np.mean(np.array(outside) >= 16), 0.02, atol=0.005), "random draws"


# %% after 18-98a: 18-106a
assert np.isclose(exact_limit(8, 2), 13.5, atol=0.005)
assert np.isclose(plug_in_limit(2), 5.99, atol=0.005)
assert np.isclose(1 - needless(8, 4), 0.57, atol=0.005)


# %% verdict after 18-66: 18-kept
"""It's kept in about 89 cases of 100."""
value = 100 * np.mean(distance < 1.96)
holds = 88.5 <= value < 90


# %% slow verdict after 18-77: 18-real
"""The three exact limits catch between 4 and 6%."""
value = 100 * birds_caught["exact"].max()
holds = 100 * birds_caught["exact"].min() > 3.8 and value < 6.2


# %% slow verdict after 18-77: 18-plug-in
"""(with twenty other seeds, 42.5% on average)"""
value = 100 * birds_caught.loc["all four", "plug-in"]
holds = abs(value - 42.5) < 1.9


# %% slow verdict after 18-93: 18-right
"""With eight plants, Student's t is right slightly more often, by 0.9 ± 0.3 points."""
right = np.mean((draws[8][:, :, 1] > 0.5) == test_y, axis=2)
value = 100 * np.mean(right[:, 1] - right[:, 0])
holds = 0 < value < 2


# %% slow verdict after 18-93: 18-loss
"""Over twenty other seeds the difference is about 1.4 on average."""
loss = -draws[8][:, :, 0].mean(axis=(0, 2))
value = loss[0] - loss[1]
holds = 0.6 < value < 2.5 and loss[1] < 0.32


# %% slow verdict after 18-93: 18-eighty
"""With 80 plants the two hardly differ."""
loss, right = -draws[80][:, :, 0].mean(axis=(0, 2)), np.mean((draws[80][:, :, 1] > 0.5) == test_y, axis=(0, 2))
value = loss[0] - loss[1]
holds = abs(value) < 0.02 and abs(right[0] - right[1]) < 0.003


# %% verdict after 18-101: 18-chinstraps
"""The first twelve in the file would have left out 16; only about 2 in 100 random draws leave out as many."""
outside = []
for _ in range(500):
    birds = again.permutation(chinstrap)
    outside.append(caught(birds[:12], birds[12:], limit).sum() >= 16)
value = np.mean(outside)
holds = 0.005 < value < 0.045


# %% verdict after 18-88: 18-waits
"""7% of the new waits lie above it, and almost none below"""
x, new = again.exponential(size=(20_000, 8)), again.exponential(size=20_000)
width = stats.t.ppf(0.975, 7) * np.sqrt(1 + 1 / 8) * x.std(axis=1, ddof=1)
value = 100 * np.mean(new > x.mean(axis=1) + width)
holds = 6 < value < 8 and np.mean(new < x.mean(axis=1) - width) < 0.005
