# %% after A1-17: A1-18
assert np.isclose(stats.skew(waits.ravel()), 2, atol=0.02)
assert np.isclose(stats.skew(waits.mean(axis=1)), 2 / np.sqrt(50), atol=0.1)
assert in_cm.pdf(1.5) > 1 > in_mm.pdf(15)
assert np.isclose(*areas)
assert abs(as_in_words) < 1e-12
assert np.isclose(as_in_formula, np.var(setosa))
assert np.allclose(inside, [peer.logpdf(two) for peer in peers])
assert ((inside[0] > inside[1]) == (c > 0)).all()
assert not ((outside[0] > outside[1]) == (c > 0)).all()
assert (steps["left (A)"] > steps["right (B)"]).all()
assert np.isclose(steps.loc["as a sum"] @ [1, -1], c[0])
assert gap.mean() > -2 * stats.sem(gap)[0]
assert min(naive_error, full_error) > test.bayes_error + 0.02
assert D2_A == 0 < D2_B


# %% after A1-35: A1-36
# Tables 4 to 15, without 6: mean, std, max, 75 %, 50 %, 25 %, min
PRINTED = """5.01 0.35 5.80 5.20 5.00 4.80 4.30
3.43 0.38 4.40 3.68 3.40 3.20 2.30
0.25 0.11 0.60 0.30 0.20 0.20 0.10
5.94 0.52 7.00 6.30 5.90 5.60 4.90
2.77 0.31 3.40 3.00 2.80 2.53 2.00
4.26 0.47 5.10 4.60 4.35 4.00 3.00
1.33 0.20 1.80 1.50 1.30 1.20 1.00
6.59 0.64 7.90 6.90 6.50 6.23 4.90
2.97 0.32 3.80 3.18 3.00 2.80 2.20
5.55 0.55 6.90 5.88 5.55 5.10 4.50
2.03 0.27 2.50 2.30 2.00 1.80 1.40"""
printed = np.array([line.split() for line in PRINTED.splitlines()], dtype=float)
summaries = [pd.DataFrame(rows).describe() for rows in by_species]
order = ["mean", "std", "max", "75%", "50%", "25%", "min"]
ours = np.vstack([each.loc[order].T for each in summaries])
gaps = abs(np.delete(ours, 2, axis=0) - printed)
assert printed.size == 77
assert gaps.max() < 0.0051
p_printed = [[0.459, 0.465, 0.258], [0.272, 0.338, 0.181], [0.055, 0.158, 0.110]]
assert np.allclose(p.iloc[:3], p_printed, atol=6e-4)
assert np.allclose(p.iloc[3], [0, 0.027, 0.087], atol=6e-4)
assert (p < 0.1).sum().sum() == 4
assert (p.iloc[3] < 0.1).all()
smallest = np.sort(p.to_numpy().ravel())
assert smallest[0] < 0.1 / 12
assert smallest[1] > 0.1 / 11
assert wrong["versicolor"][0] < 15
assert min(wrong["setosa"][0], wrong["virginica"][0]) > 50
assert len({counts[1] for counts in wrong.values()}) == 1
assert [np.mean(y == name) for name in species] == [1 / 3] * 3
assert np.isclose(scores[42], 113 / 117)
assert np.isclose(as_good, 1 / 6, atol=0.02)
A_, B_, a_, b_ = train_test_split(X, y, train_size=0.225, random_state=42)
assert np.isclose(naive_bayes.GaussianNB().fit(A_, a_).score(B_, b_), 110 / 117)
assert np.isclose(np.mean(scores), 0.946, atol=0.002)


# %% after A1-53: A1-54
naive = GaussianNB().fit(two, two_y).predict(two)
full = QuadraticDiscriminantAnalysis().fit(two, two_y).predict(two)
assert (full == by_chapter).all()
assert not (naive == by_chapter).all()
assert error > mixture.bayes_error + 0.1
by_scipy = mahalanobis(flower, A.mean, inverse)
assert np.isclose(by_scipy**2, A.mahalanobis_squared(flower))
assert np.isclose(ratio, 4)
assert d_k.min() < 0
assert np.allclose(table["difference"] / c[0], [-1 / 2, 1, 1 / 2])
assert np.linalg.det(small) == 0
assert abs(D2[24][1] - 24) < 1e-6
assert abs(D2[24][0] - 24) > 1
assert np.isclose(198 / 1120, 0.177, atol=5e-4)
assert 2240 / 2 / 10 == 112
assert np.isclose(smallest.mean(), 100, atol=1)
assert np.allclose(bayes_errors, printed_rates, atol=5e-4)


# %% after A1-73: A1-74
assert np.isclose(1 - 2 * norm.sf(3), 0.997, atol=5e-4)
assert np.isclose(1 - np.exp(-9 / 2), 0.989, atol=5e-4)
assert np.allclose(totals[[0, 2]], [1, 0.5], atol=1e-3)
assert totals[1] > 1e6
assert np.allclose(surface(curve), 0, atol=1e-9)
assert off > 1
assert np.isclose(worse, 1 / 5, atol=0.03)
falls = distance.mean() * np.sqrt(sizes)
assert np.ptp(falls) < 0.2 * falls.mean()
assert np.isclose(by_truth, 1 / 8, atol=0.04)
assert np.isclose(by_trained, 1 / 20, atol=0.02)
assert np.allclose(surface.W, (inv_1 - inv_0) / 2)
assert (both["new mean"].diff()[1:] > -1e-9).all()
assert np.isclose(*both.iloc[-1], atol=0.01)
assert both["old mean"][2] < both["new mean"][2] - 1


# %% after A1-125: A1-93
assert kept.sum() == 1
assert abs(pooled) < 1e-9
assert np.isclose(np.max(np.abs(within)), 0.81, atol=0.005)
rmse_1 = KNeighborsClassifier(1).fit(sample, sample_y).predict_proba(new)[:, 1] - true_p
assert (np.abs(rmse_1) >= np.minimum(true_p, 1 - true_p) - 1e-12).all()
assert lda.score(noise[:200], labels[:200]) > 0.9
assert abs(lda.score(noise[200:], labels[200:]) - 0.5) < 0.12
assert np.isclose(covariance, -15, atol=1)


# %% slow verdict after A1-15: A1-optimal
"""With ten samples per class, it's far from optimal here, and no better than naive Bayes."""
value = gap.mean() / stats.sem(gap)[0]
holds = value > -1.5 and full_error > test.bayes_error + 0.015


# %% slow verdict after A1-35: A1-seed-42
"""About one
stratified split in six does at least as well."""
value = np.mean(np.array(scores) > 113 / 117 - 1e-9)
holds = abs(value - 1 / 6) < 0.03


# %% slow verdict after A1-41: A1-mixture
"""If the classes aren't Gaussian, even unlimited data needn't make that rule the best one."""
value = error - mixture.bayes_error
holds = value > 0.1


# %% verdict after A1-51: A1-wall
"""the smallest of the ten has only about 100"""
value = smallest.mean()
holds = 99 < value < 101


# %% verdict after A1-65: A1-worse
"""in one draw in five, even 199 samples of one class give a *worse* covariance than the first 75 of them"""
value = worse
holds = 0.15 < value < 0.26


# %% slow verdict after A1-67: A1-twice
"""the true error of about one training set in eight or nine is more than twice the Bayes error, and that of about one
in sixteen is more than twice the error of the Bayes classifier *trained* on the same samples"""
# Against the Bayes error on the same points, so that their luck is the same on both sides.
least = np.mean(np.minimum(posterior_1, 1 - posterior_1))
found = []
for _ in range(400):
    pool, pool_y = truth.sample(38, again)
    rules = KNeighborsClassifier(1), QuadraticDiscriminantAnalysis()
    error, trained = (true_error(rule.fit(pool[1:], pool_y[1:])) for rule in rules)
    found.append([error > 2 * least, error > 2 * trained])
value, by_trained = np.mean(found, axis=0)
holds = 0.07 < value < 0.17 and 0.02 < by_trained < 0.12


# %% slow verdict after A1-85: A1-votes
"""With $k=1$ the share is always 0 or 1."""
single = KNeighborsClassifier(1).fit(sample, sample_y).predict_proba(new)[:, 1]
value = np.sqrt(np.mean((single - true_p) ** 2))
holds = value > 5 * np.sqrt(np.mean((share - true_p) ** 2))


# %% verdict after A1-87: A1-noise
"""With many features, even shuffled labels can nearly be separated"""
value = lda.score(noise[:200], labels[:200])
holds = value > 0.9 and abs(lda.score(noise[200:], labels[200:]) - 0.5) < 0.12


# %% slow verdict after A1-123: A1-climbs
"""In 72 of a hundred other draws of this pair, ten starts didn't all reach the same summit."""


def summit(drawn, start):  # with a tolerance so small that EM stops at a summit, not below one
    mixture = GaussianMixture(2, n_init=1, init="random", random_state=start, tol=1e-8, max_iter=20_000)
    return mixture.fit(drawn).score_samples(drawn).sum()


differ = []
for _ in range(5):
    drawn = make_gaussian_pair("P1a", 100, again).X
    first = summit(drawn, 0)
    differ.append(any(abs(summit(drawn, start) - first) > 0.1 for start in range(1, 10)))  # ends with the first that is
value = np.mean(differ)
holds = abs(value - 0.72) <= 0.4  # two standard errors of the mean of five


# %% slow verdict after A1-121: A1-199
"""the mean of a hundred is about a tenth above it"""
value = 100 * (np.mean(risks) / truth.bayes_error() - 1)
holds = 6 < value < 15


# %% verdict after A1-125: A1-codes
"""it takes them for counts, and the decision changes when you renumber them"""
value = np.sum(before != after)
holds = value > 0
