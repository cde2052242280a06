# %% after 15-22: 15-24a
below_0 = [stats.norm(x.mean(), x.std()).cdf(0) for x in wait]
assert np.allclose(below_0, [1 / 8, 1 / 6], atol=0.01)
clean, source = (stats.expon(*stats.expon.fit(x, floc=0)) for x in wait)
roots = []
for t in (0, c):
    roots.append(brentq(lambda x, t=t: source.logpdf(x) - clean.logpdf(x) - t, 0, 30))
assert np.allclose(roots, [1.87, 7.25], atol=0.006)
assert np.allclose(roots, [wait_threshold(0), wait_threshold(c)])
assert np.allclose([bell_threshold(0), bell_threshold(c)], [2.71, 4.44], atol=0.006)
costs = cost_of_threshold(np.array([roots[1], bell_threshold(c), np.inf]))
assert np.allclose(costs, [266, 439, 300], atol=0.5)
assert np.isclose(stats.expon.sf(6), 1 / 400, rtol=0.02)
x = np.linspace(0, 9, 200)
errors = [(1 - np.exp(-t / 4) + np.exp(-t)) / 2 for t in (1.87, 2.71)]
assert np.allclose(errors, [0.26, 0.28], atol=0.005)
apart = np.abs(bell_odds(x, "wait") - wait_odds(x))
assert 2.7 < np.exp(apart[x <= 3].max()) < 3.5
assert apart.argmax() == 199


# %% after 15-35: 15-39a
assert np.allclose(stats.laplace.fit(weight[1]), [m[1], b[1]])
fits = [stats.rayleigh.fit(X["spots"][y == k], floc=0)[1] for k in (0, 1)]
assert np.allclose(fits, σ)
typo = np.append(weight[0][1:], 4000)
assert np.isclose(typo.mean() - weight[0].mean(), 27, atol=0.7)
assert np.median(typo) == np.median(weight[0])
assert np.allclose(evidence["categorical"], evidence["renumbered"])
industry = evidence["Gaussian"][2], evidence["Gaussian, renumbered"][2]
assert np.allclose(industry, [-0.13, 0.13], atol=0.006)


# %% after 15-42: 15-43
# The fitted densities have the log odds that the notebook writes down.
ours = [wait_odds, clicks_odds, weight_odds, spots_odds, badges_odds, origin_odds.get]
for j, (x, odds) in enumerate(zip(X.to_numpy().T, ours, strict=True)):
    clean, source = (densities[j] for densities in rule.densities_)
    found = source.log_density(x) - clean.log_density(x)
    assert np.allclose(found, [odds(value) for value in x])


# %% after 15-46: 15-48a
costs = table["€"]
assert np.isclose(costs["all six"], 89, atol=0.5)
assert costs["all six"] < search / 3
assert np.allclose(table.iloc[4, 2:], [78, 10], atol=0.5)
singles = costs["wait, Gaussian"], costs["wait"]
assert np.allclose(singles, [521, 267], atol=0.5)
assert table["more"].iloc[4] > 4 * table["±"].iloc[4]
gap = table["accuracy"]["all six"] - table["accuracy"]["all six, Gaussian"]
assert np.isclose(gap, 0.011, atol=0.0006)


# %% after 15-53: 15-54a
draws = np.random.default_rng(1)
for x in days:
    mean, sd, n = x.mean(), x.std(), len(x)
    bells = np.sort(draws.normal(size=(1000, n)))
    bells = mean + sd * stats.zscore(bells, axis=1)  # fitted like the waits
    low, high = np.quantile(bells, [0.005, 0.995], axis=0)
    assert quantiles(x, stats.norm(mean, sd))[0] < -200
    assert x.min() > high[0], "the shortest wait leaves the grey of the bell"
    assert x.max() > high[-1], "and so does the longest"
    exact = np.sort(draws.exponential(size=(1000, n)))
    exact *= mean / exact.mean(axis=1, keepdims=True)
    low, high = np.quantile(exact, [0.005, 0.995], axis=0)
    outside = np.mean((np.sort(x) < low) | (np.sort(x) > high))
    assert outside < 0.05, "the exponential stays in the grey, or runs along its edge"
    assert np.mean(exact[:, -1] > x.max()) > 0.05, "the longest wait lies among the grey lines"


# %% after 15-57: 15-58
from sklearn.neighbors import KernelDensity

x = np.linspace(0, 900, 50)
peer = KernelDensity(bandwidth=60).fit(days[0][:, None]).score_samples(x[:, None])
other = stats.gaussian_kde(days[0], 60 / days[0].std(ddof=1))(x)
assert np.allclose(kernel_density(x, days[0], 60), np.exp(peer))
assert np.allclose(other, np.exp(peer))


# %% after 15-63a: 15-63c
assert comparison["learned from"].idxmax() == "kernels, 1 day"
assert comparison["left out"].idxmax() == "exponential"
assert comparison["left out"].idxmin() == "kernels, 1 day"
found = comparison.loc["Gaussian", ["behind", "±"]]
assert np.allclose(found, [0.55, 0.10], atol=0.006)
for name in ("Gaussian", "Laplace", "kernels, 100 days"):
    assert comparison["behind"][name] > 3 * comparison["±"][name]
for name in ("kernels, 1 day", "kernels, 20 days"):
    gap = held_out["exponential"] - held_out[name]
    assert np.sort(gap)[-10:].sum() > 0.95 * gap.sum()
assert np.isclose(difference.mean(), 0.136, atol=6e-4)
assert np.isclose(difference.mean() / stats.sem(difference), 1.5, atol=0.06)
assert np.isclose(np.sort(difference)[-2:].sum() / difference.sum(), 3 / 4, atol=0.03)
for seed in range(4):
    gap = np.empty(190)
    for train, test in k_fold(era, 10, np.random.default_rng(seed), stratify=True):
        gap[test] = log_densities(Exponential(), train, test)
        gap[test] -= log_densities(Normal(), train, test)
    assert np.isclose(gap.mean(), 0.55, atol=0.03)


# %% after 15-71: 15-72a
for name, x in samples.items():
    x = np.maximum(x, 0.5)
    shape, _, scale = stats.gamma.fit(x, floc=0)
    gamma = Gamma().fit(x)
    assert np.allclose([gamma.shape_, gamma.scale_], [shape, scale], rtol=1e-4)
    # Twice the gain in log-likelihood is about chi-squared with one degree of freedom if α = 1.
    gain = 2 * (stats.gamma(shape, 0, scale).logpdf(x) - stats.expon(0, x.mean()).logpdf(x)).sum()
    assert (stats.chi2(1).sf(gain) < 0.01) == (name == "all")
halves, gap = np.maximum(mines.X[:, 0], 0.5), np.empty(190)
for train, test in folds:
    for k in (0, 1):
        learn, judge = train[era[train] == k], test[era[test] == k]
        gap[judge] = Gamma().fit(halves[learn]).log_density(halves[judge])
        gap[judge] -= Exponential().fit(halves[learn]).log_density(halves[judge])
assert np.allclose([gap.mean(), stats.sem(gap)], [0, 0.006], atol=5e-4)


# %% after 15-81: 15-82a
from sklearn.neighbors import KernelDensity

found = {}
for h in (5, 10, *range(25, 301, 5)):
    fits = [KernelDensity(bandwidth=h).fit(x[:, None]) for x in days]
    logs = [fit.score_samples(grid[:, None]) for fit in fits]
    log_odds = logs[1] - logs[0] + np.log(67 / 123)
    found[h] = grid[:-1][np.diff(np.sign(log_odds)) != 0]
assert [len(found[h]) for h in (10, 25)] == [7, 5]
assert {len(found[h]) for h in range(30, 301, 5)} == {1}
assert 14 <= len(found[5]) <= 16  # two of them nearly touch
assert np.allclose([*found[60], *found[250]], [281, 562], atol=1)
log_odds = [stats.expon(0, days[k].mean()).logpdf([300]) + np.log(len(days[k])) for k in (0, 1)]
assert abs(log_odds[0] - log_odds[1]).item() < 0.005


# %% verdict after 15-19: 15-only
"""Only the exponential rule does, at 266 €. The Gaussian rule costs 439 €: it lets too many sources pass."""
value = cost_of_threshold(bell_threshold(c))
holds = cost_of_threshold(wait_threshold(c)) < 300 < value


# %% verdict after 15-07: 15-below
"""An eighth of one bell and a sixth of the other lie below 0."""
areas = [stats.norm.cdf(0, x.mean(), x.std()) for x in wait]
value = np.mean(areas)
holds = 0.1 < value < 0.22


# %% slow verdict after 15-46: 15-six
"""With all six families a truck costs 89 €, less than a third of a search."""
value = table.loc["all six", "€"]
holds = abs(value - 89) < 9


# %% slow verdict after 15-46: 15-bells
"""Six bells ("Gaussian") cost 78 ± 10 € more, though their accuracy is only 1.1 points lower."""
value = table.loc["all six, Gaussian", "more"]
holds = value > 40 and 0.5 < 100 * (table.loc["all six", "accuracy"] - table.loc["all six, Gaussian", "accuracy"]) < 1.8


# %% slow verdict after 15-46: 15-first
"""By the wait alone, the Gaussian rule costs 521 € on average and the exponential one 267 €"""
value = table.loc["wait, Gaussian", "€"]
holds = value > 400 and abs(table.loc["wait", "€"] - 267) < 4


# %% verdict after 15-62: 15-behind
"""The Gaussian is 0.55 ± 0.10 behind. Laplace and the widest kernels are also more than three standard errors
behind."""
value = comparison.loc["Gaussian", "behind"]
others = comparison.loc[["Laplace", "kernels, 100 days", "Gaussian"]]
holds = abs(value - 0.55) < 0.1 and bool((others["behind"] > 3 * others["±"]).all())


# %% verdict after 15-62: 15-highest
"""There, the exponential has the highest mean."""
value = comparison["left out"].drop("exponential").max() - comparison.loc["exponential", "left out"]
holds = value < 0


# %% verdict after 15-63a: 15-tell
"""The exponential rule looks better, by 0.136, but that's only 1.5 standard errors"""
value = difference.mean() / stats.sem(difference)
holds = 0 < value < 2


# %% slow verdict after 15-71: 15-eras
"""Within each era, the waits could well be exponential. All together they couldn't"""
usual = {}
for name, x in samples.items():
    shapes = [Gamma().fit(each).shape_ for each in again.exponential(size=(300, len(x)))]
    low, high = np.quantile(shapes, [0.025, 0.975])
    usual[name] = low <= Gamma().fit(np.maximum(x, 0.5)).shape_ <= high
value = sum(usual.values())
holds = list(usual.values()) == [True, True, False]
