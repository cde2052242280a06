# %% after 09-16: 09-18
from scipy import stats
from scipy.optimize import minimize_scalar

bells = [stats.norm(d.mean(), d.std(ddof=1)) for d in (dents[~malignant], dents[malignant])]


def by_scipy(s, price=1):
    return π[0] * bells[0].sf(s) + price * π[1] * bells[1].cdf(s)


fewest = minimize_scalar(by_scipy, bracket=(0.1, 0.13, 0.17), tol=1e-12)
least = bayes_error(classes, π).value
assert np.allclose([fewest.x, fewest.fun], [crossing, least], atol=1e-6)
for s in (halfway, 0.08, 0.17):
    assert np.isclose(by_scipy(s), error_at(s), atol=1e-8)
assert np.allclose([least, error_at(0.17)], [0.0856, 0.1498], atol=6e-5)
extra, _ = quad(lambda x: joint(x, 1) - joint(x, 0), crossing, 0.17)
assert np.isclose(least + extra, error_at(0.17), atol=1e-6)
one, two = (by_scipy(fewest.x + step) - fewest.fun for step in (0.001, 0.002))
assert np.isclose(two / one, 4, rtol=0.05)
assert np.allclose([by_scipy(0.31), by_scipy(0.066)], 0.373, atol=0.002)
least_cost = minimize_scalar(by_scipy, bracket=(0.05, 0.09, 0.12), args=(20,))
assert np.isclose(least_cost.x, 0.084, atol=0.0005)
assert low < 0


# %% after 09-31: 09-33
if (alarm, miss) != (1, 20):
    print("The numbers in the text belong to alarm, miss = 1, 20.")
else:
    by_hand = np.empty(len(y))
    for train, test in folds:
        parts = [X[train][malignant[train] == k] for k in (False, True)]
        spread = sum((len(part) - 1) * np.cov(part.T) for part in parts)
        pooled = spread / (len(train) - 2)
        means = [part.mean(axis=0) for part in parts]
        middle = (means[0] + means[1]) / 2
        w = np.linalg.solve(pooled, means[1] - means[0])
        odds = len(parts[1]) / len(parts[0])
        by_hand[test] = (X[test] - middle) @ w + np.log(odds)
    assert np.allclose(by_hand, np.log(p / (1 - p)))
    assert patient == 88
    assert np.isclose(p[patient], 0.123, atol=5e-4)
    seen = [[row["misses"], row["false alarms"]] for row in table.values()]
    assert seen[2:] == [[17, 3], [2, 56]]
    assert np.isclose(table["p > ½"]["cost"], 0.603, atol=5e-4)
    assert 0.9 < table["p > ½"]["cost"] / table["operate on all"]["cost"] < 1
    assert 3 < saving / error < 3.5
    assert y[patient] == "benign"
    assert np.allclose(at_formula[2], [1 / 21, 0.169], atol=5e-4)
    assert np.isclose(lowest[2][0], 0.106, atol=6e-4)
    cheaper = mean_and_error(costs_of(p > t) - costs_of(p > lowest[2][0]))
    assert np.allclose(cheaper, [0.033, 0.008], atol=6e-4)
    for row, formula in zip(lowest[:2], at_formula[:2], strict=True):
        assert formula[1] - row[1] < 0.004


# %% after 09-40: 09-42
from scipy.stats import mannwhitneyu
from sklearn.metrics import roc_curve

peer = roc_curve(malignant, p, drop_intermediate=False)[:2]
assert np.allclose(roc(p), peer), "our ROC curve is scikit-learn's"
by_ranks = mannwhitneyu(p[malignant], p[~malignant]).statistic / (357 * 212)
assert np.isclose(by_ranks, 0.9917, atol=5e-5)
for score, stated in ((p, (0.992, 0.004)), (p_dents, (0.966, 0.008))):  # DeLong
    ahead = np.greater.outer(score[malignant], score[~malignant])
    by_row, by_column = ahead.mean(axis=1), ahead.mean(axis=0)
    error = np.sqrt(by_row.var(ddof=1) / 212 + by_column.var(ddof=1) / 357)
    assert np.allclose((ahead.mean(), error), stated, atol=5e-4)
from scipy.stats import binomtest

assert np.isclose(binomtest(4, 212).proportion_ci(0.95).high, 0.048, atol=5e-4)
larger = [max(np.mean(p[malignant] <= s), np.mean(p[~malignant] > s)) for s in p]
s = p[np.argmin(larger)]
minimax = np.mean(p[malignant] <= s), np.mean(p[~malignant] > s)
assert np.allclose((s, *minimax), [0.27, 0.038, 0.042], atol=[0.005, 5e-4, 5e-4])
if (alarm, miss) != (1, 20):
    print("The costs in the text belong to alarm, miss = 1, 20.")
else:
    cubed = [costs_of(score > t).mean() for score in (p, p**3)]
    assert np.allclose(cubed, [0.169, 0.504], atol=5e-4)


# %% after 09-47: 09-49
assert (wrong.sum(), n_wrong[511], n_wrong[454]) == (20, 3, 2)
assert round(569 * promised[-1]) == 28
assert n_wrong[283] == 2
assert 569 * promised[283] < 1
three = np.array([p * miss, (1 - p) * alarm, np.full(len(p), second)])
assert (np.argmin(three, axis=0) == decision).all(), "decide takes the cheapest"
if (alarm, miss, second) != (1, 20, 0.2):
    print("The numbers in the text belong to 1, 20 and a second sample at 0.2.")
else:
    assert np.allclose([second / miss, 1 - second / alarm], [0.01, 0.8])
    assert decision[patient] == 2
    assert 3.5 < saving / error < 4


# %% after 09-56: 09-58
from scipy import stats
from scipy.special import expit, logit

priors = [np.mean(malignant[train]) for train, _ in folds]
shift = np.empty(len(y))
for (_, test), prior in zip(folds, priors, strict=True):
    shift[test] = logit(q) - logit(prior)
assert np.allclose(screened, expit(logit(p) + shift)), "with_priors shifts log odds"
none = stats.binomtest(0, 357).proportion_ci(0.95)
assert np.isclose(990 * none.high, 10, atol=0.5)
if (alarm, miss) != (1, 20):
    print("The numbers in the text belong to alarm, miss = 1, 20.")
else:
    assert np.allclose(thousand["cost"], [200, 157, 29], atol=0.5)
    assert np.sum(screened[~malignant] > t) == 0
    n_found = np.sum(screened[malignant] > t)
    exact = stats.binomtest(n_found, 212).proportion_ci(0.95)
    assert np.allclose(10 * np.array(exact), [8.0, 9.0], atol=0.05)
    bad_end = 20 * 10 * (1 - exact.low) + 990 * none.high
    assert np.isclose(bad_end, 50, atol=0.5)
    assert round(200 - thousand["cost"].iloc[2]) == 171
    share_found = np.mean(p[malignant] > p[~malignant].max())
    assert np.isclose(share_found, 0.87, atol=0.005)
    alarms = np.mean(p[malignant] > t), np.mean(p[~malignant] > t)
    both = precision(*alarms, q), precision(*alarms, π[1])
    assert np.allclose(both, [0.06, 0.79], atol=0.005)


# %% after 09-61: 09-63
means = {name: cost.mean() for name, cost in paid.items()}
if (alarm, miss) != (1, 20):
    print("The numbers in the text belong to alarm, miss = 1, 20.")
else:
    assert np.allclose([means["formula"], means["tuned"]], 0.12, atol=0.005)
    assert means["formula"] < means["threshold ½"] / 2
    counts = {name: np.sum(malignant & (cost == miss)) for name, cost in paid.items()}
    three = [counts[name] for name in ("threshold ½", "class_weight", "formula")]
    assert three == [8, 5, 1]
    saved, error = mean_and_error(paid["threshold ½"] - paid["formula"])
    assert 0 < saved < 2 * error
    gap = paid["formula"] - paid["tuned"]
    assert np.allclose(mean_and_error(gap), [0.0035, 0.0043], atol=0.0006)


# %% after 09-75: 09-78
three = {"home": p[patient] * miss, "operate": (1 - p[patient]) * alarm}
if (alarm, miss) == (1, 20):
    assert min(three, key=three.get) == "operate"
    assert screened[patient] < t
    assert np.isclose(screened[patient], 0.0024, atol=5e-5)


# %% verdict after 09-29: 09-saving
"""The saving is about three times its standard error, so it's hardly luck."""
value = saving / error
holds = 2.5 < value < 4


# %% verdict after 09-27: 09-mistakes
"""The new threshold makes more mistakes, 58 instead of 20, but cheaper ones: 2 misses instead of 17."""
value = table["p > t"]["misses"]
holds = value <= 4 and table["p > ½"]["misses"] >= 14 and table["p > t"]["false alarms"] > 45


# %% verdict after 09-31: 09-lowest
"""a threshold of 0.106 would have saved 0.033 ± 0.008 per patient"""
value = at_formula[2][1] - lowest[2][1]
holds = lowest[2][0] > t and 0.015 < value < 0.06


# %% verdict after 09-39n: 09-neyman
"""Say that at most 2% of the cancers may be missed"""
value = false_alarms
holds = 0.03 < value < 0.08


# %% verdict after 09-40: 09-auc
"""The AUC stays at 0.9917."""
value = roc_auc_score(malignant, p)
holds = abs(value - 0.9917) < 0.0015


# %% verdict after 09-40: 09-cubed
"""But the cost rises from 0.169 to 0.504."""
value = costs_of(p**3 > t).mean() - costs_of(p > t).mean()
holds = value > 0.2


# %% verdict after 09-45: 09-undecided
"""They fall from 20 to 3."""
value = n_wrong[511]
holds = value <= 5 and 17 <= n_wrong[-1] <= 23


# %% verdict after 09-47: 09-second
"""The saving is almost four times its standard error."""
value = saving / error
holds = 2.5 < value < 5.5


# %% verdict after 09-52: 09-screening
"""About 6%. In the clinic it was 79%."""
value = 100 * precision(found, alarmed, q)
holds = 5 < value < 7.5 and abs(precision(found, alarmed, π[1]) - 0.79) < 0.03


# %% verdict after 09-56: 09-adjusted
"""The adjusted rule only operates on clear cases. It misses more cancers, and still costs only 29."""
value = thousand["cost"]["priors adjusted"]
holds = value < 50 and thousand["cost"]["priors forgotten"] > 120


# %% slow verdict after 09-61: 09-tell
"""Patient by patient, they differ by 0.0035 ± 0.0043, so we can't tell them apart."""
gap = paid["formula"] - paid["tuned"]
value = gap.mean()
holds = abs(value) < 2 * max(gap.std(ddof=1) / np.sqrt(len(gap)), 1e-9)


# %% slow verdict after 09-61: 09-half
"""less than half of what ½ costs with these folds, and between a third and four fifths with others"""
value = max(paid["formula"].mean(), paid["tuned"].mean()) / paid["threshold ½"].mean()
holds = 1 / 3 < value < 0.8
