# %% after 07-09: 07-11
own = QuadraticDiscriminantAnalysis("equal").fit(X, y)
assert np.sum(own.predict(X) != y) == 3
assert np.isclose(np.mean(wide["naive Bayes"] > wide["QDA"]), 0.13, atol=0.005)
assert np.isclose(np.mean(wide["QDA"] - wide["naive Bayes"]), 0.028, atol=6e-4)
assert np.allclose([wide["QDA"].min(), wide["QDA"].max()], [0.86, 1])


# %% after 07-16: 07-17
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as SklearnQDA
from sklearn.model_selection import cross_val_score

ours = folds[folds["classifier"] == "QDA"]["accuracy"]
assert np.allclose(a, ours), "the loop and k_fold use the same shuffle, seed 7"
peer = cross_val_score(SklearnQDA(priors=[0.5, 0.5]), X, y, cv=splits)
assert np.allclose(ours, peer), "both with equal priors"
assert folds.groupby("classifier")["errors"].sum()["QDA"] == 4, "the folds of seed 7"


# %% after 07-19: 07-21
assert (in_order == 0).all(), "three folds of the irises, in file order"
with np.testing.assert_raises(ValueError):
    cross_validate(rules, iris.X, iris.y, k_fold(iris.y, 3))


# %% after 07-23: 07-25
seen = by_rule["QDA"].agg(["min", "mean", "max"])
assert np.allclose(seen, [0.95, 0.96, 0.97], atol=0.0005), "20 repeats, seed 7"


# %% after 07-24b: leave-one-out
assert [np.sum(guesses != mails.y), ten, seen] == [292, 297, 288], "ten folds: seed 7"
for i in range(0, len(logs), 460):  # a few of the 4,601 fits
    others = np.arange(len(logs)) != i
    fitted = LinearDiscriminantAnalysis().fit(logs[others], mails.y[others])
    assert np.allclose(fitted.predict_log_proba(logs[[i]]), left_out[i], rtol=0, atol=1e-8)


# %% after 07-34: 07-36
import bayeslab

package = cross_validate(bayeslab.NearestMean(), noise[:, [3]], labels, ten_folds)
assert np.isclose(scores[3], package["accuracy"].mean())
assert np.allclose([scores.mean(), scores.max()], [0.49, 0.70], atol=0.006)
assert np.allclose(results.mean(), [0.714, 0.51], atol=0.006)
assert np.isclose(results["nested"].sem(), 0.01, atol=0.002)


# %% after 07-41: 07-43
from scipy.stats import beta

assert np.allclose(beta.ppf([0.025, 0.975], [4, 5], [97, 96]), interval), "4 of 100"
assert np.allclose(interval, [0.011, 0.099], atol=0.0005), "4 of 100"
assert np.isclose(high, 1 - 0.05 ** (1 / 100)), "0 of 100"
assert easy_folds["errors"].sum() == 0, "setosa and versicolor"


# %% after 07-48: 07-50
from scipy.stats import t as student_t

assert np.isclose(truth, 0.971, atol=0.0005)
t_10, t_5 = student_t.ppf(0.975, [9, 4])
assert [round(t_10, 1), round(t_5, 1)] == [2.3, 2.8], "k − 1 degrees of freedom"
assert contains == {"fold spread": 28, "corrected": 38, "binomial": 40}


# %% after 07-53: 07-55
assert np.allclose([gain, error], [0.030, 0.030], atol=0.0006), "20 repeats, seed 7"


# %% after 07-61: 07-63
errors = (1 - np.square(correlations)) / np.sqrt(99)
assert np.allclose(correlations, [-0.01, 0.30], atol=0.006)
assert np.allclose(errors, [0.10, 0.09], atol=0.006)


# %% after 07-71: 07-73
assert wrong_tumours == 25, "ten outer folds, random_state=0"
ends = binomtest(wrong_tumours, 569).proportion_ci(0.95)
assert np.allclose(ends, [0.029, 0.064], atol=0.0005), "25 of 569"


# %% after 07-88: tumours
from sklearn.metrics import confusion_matrix

found = {}
for name, rule in three.items():
    said = cross_val_predict(rule, tumours.X, tumours.y, cv=parts)
    found[name] = confusion_matrix(tumours.y, said)[[1, 0], [0, 1]].tolist()
assert found == {"naive Bayes": [21, 19], "QDA": [11, 13], "LDA": [18, 3]}
assert round(binomtest(24, 569, alternative="less").proportion_ci(1 - 0.05 / 3).high, 3) == 0.064


# %% after 07-89: 07-92
from scipy.stats import betabinom, binom

one_sided = binomtest(4, 100, alternative="less").proportion_ci(0.95).high
assert round(one_sided, 3) == 0.089
# More than 10 of the next 100: with any rate equally likely beforehand, and with the rate at its limit.
chances = [betabinom(100, 5, 97).sf(10), binom(100, one_sided).sf(10)]
assert np.allclose(chances, [0.05, 0.28], atol=0.005)


# %% verdict after 07-09: 07-halves
"""Naive Bayes wins in 13% of the halves, although it's 2.8 points worse on average."""
value = 100 * np.mean(wide["naive Bayes"] > wide["QDA"])
holds = 7 < value < 19 and abs(100 * np.mean(wide["QDA"] - wide["naive Bayes"]) - 2.8) < 0.5


# %% verdict after 07-09: 07-range
"""QDA's accuracy runs from 0.86 to 1.00."""
value = wide["QDA"].min()
holds = value <= 0.88 and wide["QDA"].max() == 1


# %% verdict after 07-16: 07-four
"""On plants it hasn't seen, QDA gets 4 of 100 wrong."""
value = folds.groupby("classifier")["errors"].sum()["QDA"]
holds = 3 <= value <= 5


# %% verdict after 07-23: 07-repeated
"""(For another twenty, the range may be three points.)"""
each = by_rule["QDA"]
value = 100 * (each.max() - each.min())
holds = 1 <= value < 3.5 and abs(each.mean() - 0.96) < 0.004


# %% verdict after 07-23: 07-every
"""QDA was ahead in every shuffle"""
value = np.min(by_rule["QDA"] - by_rule["naive Bayes"])
holds = value > 0


# %% verdict after 07-30: 07-noise
"""The best column scores 0.70, though its true accuracy is 0.50."""
value = scores.max()
holds = value > 0.62


# %% slow verdict after 07-34: 07-nested
"""The nested accuracy averages 0.51, with a standard error of 0.01"""
value = results["nested"].mean()
holds = abs(value - 0.5) < 3 * results["nested"].sem() and abs(results["best column"].mean() - 0.71) < 0.012


# %% slow verdict after 07-48: 07-spread
"""The fold spread falls short: only 28 of its 40 intervals contain the true accuracy, 0.971."""
value = contains["fold spread"]
holds = value < 34


# %% slow verdict after 07-48: 07-corrected
"""So do 38 of the corrected intervals and all 40 binomial ones."""
value = contains["binomial"]
holds = contains["corrected"] >= 34 and value >= 38


# %% slow verdict after 07-53: 07-tell
"""So 100 plants aren't enough to tell which rule is better."""
value = gain / error
holds = 0 < value < 2


# %% slow verdict after 07-61: 07-recipe
"""For QDA, in this nursery, the grade tells you next to nothing about your own rule"""
value = correlations[0]
holds = abs(value) < 0.25


# %% slow verdict after 07-61: 07-cake
"""For the nearest neighbour, better grades do go with better rules: the correlation is 0.30 ± 0.09."""
value = correlations[1]
holds = value > 0.12


# %% slow verdict after 07-71: 07-tumours
"""The whole pipeline, with its own choice inside, gets 25 of 569 tumours wrong."""
value = wrong_tumours
holds = 20 <= value <= 31


# %% verdict after 07-24b: 07-mails
"""LDA learns few numbers from so many emails, so it matters little whether it has seen the one it's tested on."""
value = ten - seen
holds = 0 < value < 15 and abs(ten - np.sum(guesses != mails.y)) < 12


# %% slow verdict after 07-24b: 07-remembers
"""Tested on those, it gets 3 wrong, and in ten folds, about 280."""
from sklearn.neighbors import KNeighborsClassifier

nearest = KNeighborsClassifier(1)
value = cross_validate(nearest, logs, mails.y, mail_folds)["errors"].sum()
holds = abs(value - 280) < 20 and np.sum(nearest.fit(logs, mails.y).predict(logs) != mails.y) == 3


# %% slow verdict after 07-88: 07-hospital
"""LDA and QDA may be used, naive Bayes may not."""
found = {}
for name, rule in three.items():
    found[name] = np.sum(cross_val_predict(rule, tumours.X, tumours.y, cv=parts) != tumours.y)
value = found["naive Bayes"] - found["QDA"]
holds = found["naive Bayes"] > 29 >= max(found["QDA"], found["LDA"])
