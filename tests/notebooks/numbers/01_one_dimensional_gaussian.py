# %% after 01-09: 01-10a
fewest = counts.index[counts["mistakes"] == 7]
assert counts["mistakes"].min() == 7
assert list(fewest) == [4.75, 4.85]
assert counts["cost"].idxmin() == 5.15
assert counts["cost"][5.15] == counts["virginica lost"][5.15]
assert list(counts["virginica lost"][[5.05, 5.15]]) == [9, 16]


# %% after 01-21: 01-21n
assert 1.0 == setosa.min() < setosa.max() == 1.9
peak = Gaussian.fit(setosa)
assert np.isclose(peak.covariance[0, 0] ** 0.5, 0.17, atol=0.005)
assert np.isclose(np.exp(peak.log_density(peak.mean)).item(), 2.3, atol=0.05)
ours = np.exp(Gaussian(5, 0.25).log_density(x))
assert np.allclose(normal_density(x, 5, 0.5), ours), "bayeslab disagrees"


# %% after 01-31: 01-30
widths = np.array([1, 0.5, 2]) * virginica.std()
ells = [log_likelihood(virginica, virginica.mean(), width) / 50 for width in widths]
stated = [5.55, 0.55, -0.81]
assert np.allclose([virginica.mean(), widths[0], ells[0]], stated, atol=0.005)
assert np.allclose([virginica.var(), virginica.var(ddof=1)], [0.298, 0.305], atol=0.0005)
assert np.allclose(ells[0] - np.array(ells[1:]), [0.81, 0.32], atol=0.005)


def minus_log_likelihood(parameters):
    μ, ln_σ = parameters  # the logarithm keeps σ positive
    return -log_likelihood(virginica, μ, np.exp(ln_σ))


best = optimize.minimize(minus_log_likelihood, x0=[5, 0]).x
at_top = [best[0], np.exp(2 * best[1])]
assert np.allclose(at_top, [virginica.mean(), virginica.var()], rtol=1e-3)
by_scipy = stats.norm.fit(virginica)
assert np.allclose(by_scipy, [virginica.mean(), virginica.std()])

for size in (2, 5, 50):
    drawn = np.random.default_rng(0).normal(5, 0.5, size=(100_000, size))
    by_n, less = drawn.var(axis=1), drawn.var(axis=1, ddof=1)
    assert np.isclose(by_n.mean(), 0.25 * (size - 1) / size, rtol=0.02)
    assert np.isclose(less.mean(), 0.25, rtol=0.02)
    assert np.mean((by_n - 0.25) ** 2) < np.mean((less - 0.25) ** 2)


# %% after 01-50: 01-51n
assert np.allclose(pd.Series(x).groupby(y).agg(["mean", "std"]).T, [μ_k, σ_k])
assert np.isclose(μ_k[2] - σ_k[2], 5, atol=0.001)
assert np.isclose(stats.norm.cdf(5, μ_k[2], σ_k[2]), 1 / 6, atol=0.01)
joint = [0.5 * stats.norm.pdf(5, np.mean(s), np.std(s, ddof=1)) for s in species[1:]]
assert np.allclose(joint / np.sum(joint), table["posterior"])
assert np.isclose(table["posterior"]["virginica"], 0.64, atol=0.005)
assert np.isclose(cost_of_planting / cost_of_sending_back, 5, atol=0.1)


# %% after 01-57b: 01-59
import sklearn.naive_bayes

assert np.isclose(equal, 4.89, atol=0.005)
assert np.isclose(equal, boundaries([0.5, 0.5], μ, σ)[1])
assert np.isclose(one_σ[0], μ.mean() + 0.25 * np.log(4) / (μ[1] - μ[0]))
left, right = boundaries([0.5, 0.5], μ, σ)
assert left < 0
assert not boundaries([1e-6, 1 - 1e-6], μ, σ).size
ours = GaussianNB(ddof=0).fit(X2, y2).predict_proba(X2)
theirs = sklearn.naive_bayes.GaussianNB(var_smoothing=0).fit(X2, y2).predict_proba(X2)
assert np.allclose(ours, theirs), "scikit-learn disagrees"
by_hand = stats.norm.pdf(X2, μ, σ)
by_hand /= by_hand.sum(axis=1, keepdims=True)
assert np.allclose(by_hand, rule.predict_proba(X2))


# %% after 01-67b: 01-68b
assert np.isclose(mark, optimize.minimize_scalar(cost, (4, 7)).x, atol=1e-4)
assert np.allclose([equal, mark], [4.89, 5.30], atol=0.005)
assert np.allclose([cost(equal), cost(mark), cost(5.15)], [0.468, 0.222, 0.25], atol=[5e-4, 5e-4, 5e-3])
planted, lost = stats.norm.sf(mark, μ[0], σ[0]), stats.norm.cdf(mark, μ[1], σ[1])
assert np.isclose(1 / planted, 75, atol=0.5)
assert np.isclose(lost, 1 / 3, atol=0.01)
grid = np.linspace(4.5, 6.5, 2001)
near = grid[cost(grid) < 1.1 * cost(mark)]
assert np.allclose([near.min(), near.max()], [5.16, 5.48], atol=0.005)
assert np.isclose(1.1 * cost(mark), 0.245, atol=0.0005)
planted, lost = stats.norm.sf(grid, μ[0], σ[0]), stats.norm.cdf(grid, μ[1], σ[1])
rare = 9 * 0.1 * planted + 0.9 * lost
assert np.isclose(stats.sem(virginica), 0.08, atol=0.005)
assert abs(grid[rare.argmin()] - equal) < 0.001


# %% after 01-96: 01-98
assert np.isclose(fitted.std(), 0.09, atol=0.005)
assert 1.7 < counted.std() / fitted.std() < 2
extra = [100 * (cost(found).mean() / cost(mark) - 1) for found in (fitted, counted)]
assert np.allclose(extra, [4, 16], atol=[0.5, 1])
again = [fitted_mark(rng.choice(versicolor, 50), rng.choice(virginica, 50)) for _ in range(1000)]
assert np.isclose(np.std(again), 0.07, atol=0.006)
assert np.isclose(counted.mean() - mark, -0.07, atol=0.015)
assert np.isclose(np.mean(counted < 5.155), 1 / 3, atol=0.04)
assert np.isclose(fitted_mark(versicolor, virginica), mark, atol=0.011)
assert np.isclose(np.mean(fitted), mark, atol=0.01)
assert (cost(mark + np.array([-0.1, 0.1])) < 1.05 * cost(mark)).all()
assert np.isclose(0.51**2 * np.log(9) / 1.29, 0.44, atol=0.005)
assert np.isclose(mark - equal, 0.44, atol=0.03), "about as far"
assert np.isclose(μ[1] - μ[0], 1.29, atol=0.005)
assert np.isclose(np.sqrt(np.mean(σ**2)), 0.51, atol=0.005)


# %% after 01-72: 01-74
assert np.isclose(stats.skew(waits.ravel()), 3.6, atol=0.05)
assert np.isclose(stats.skew(means), 0.5, atol=0.05)


# %% slow verdict after 01-94: 01-fitted
"""With a fitted mark, the average cost is about 4% higher than with the best one."""
value = 100 * np.mean(cost(fitted) / cost(mark) - 1)
holds = 3.2 < value < 4.6


# %% slow verdict after 01-94: 01-counted
"""With a counted mark, it's about 16% higher."""
value = 100 * np.mean(cost(counted) / cost(mark) - 1)
holds = 14 < value < 18


# %% slow verdict after 01-94: 01-twice
"""The fitted mark has a standard error of 0.09 cm, and the counted one nearly twice that"""
value = counted.std() / fitted.std()
holds = 0.083 <= fitted.std() < 0.098 and 1.6 < value < 2


# %% slow verdict after 01-94: 01-usually
"""So the mark is 5.3 cm, give or take two millimetres (two standard errors)"""
value = np.mean(abs(fitted - 5.3) <= 0.2)
holds = 0.93 < value < 0.98


# %% slow verdict after 01-94: 01-low
"""Even in the Gaussian meadow, counted marks are about 0.07 cm too low on average"""
value = counted.mean() - mark
holds = -0.085 < value < -0.05


# %% slow verdict after 01-94: 01-third
"""a third of them are no higher than the table's"""
value = np.mean(counted <= 5.15 + 1e-9)
holds = 0.29 < value < 0.38


# %% slow verdict after 01-97c: 01-delta
"""The two agree to a few percent."""
value = by_formula / fitted.std()
holds = abs(value - 1) < 0.07


# %% verdict after 01-92b: 01-bootstrap
"""If you draw from our real flowers instead, with replacement (the **bootstrap**), the standard error is 0.07
cm."""
drawn = [fitted_mark(again.choice(versicolor, 50), again.choice(virginica, 50)) for _ in range(500)]
value = np.std(drawn)
holds = 0.065 <= value < 0.076


# %% verdict after 01-72: 01-means
"""is 3.6 for the waits and $3.6/\\sqrt{50}\\approx0.5$ for the means"""
value = stats.skew(means)
holds = 0.45 < value < 0.6 and 3.5 < stats.skew(waits.ravel()) < 3.8
