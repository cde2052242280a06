# %% after 14-18: 14-21a
from sklearn import discriminant_analysis as peers

peer = PCA(0.95, svd_solver="full").fit(X_train)  # as many as hold 95%
first_ten = np.abs((X_test - m) @ Vt[:10].T)  # a sign is arbitrary
assert np.allclose(first_ten, np.abs(peer.transform(X_test)[:, :10]), atol=1e-6)
assert np.isclose(held[1], 0.2, atol=0.015)
assert s95 == peer.n_components_ == 121
qda = peers.QuadraticDiscriminantAnalysis(tol=1e-9)
for each in LDA, QDA, peers.LinearDiscriminantAnalysis(), qda:
    guesses = each.fit(Z_train[:, :2], y_train).predict(Z_test[:, :2])
    assert 0.36 < np.mean(guesses != y_test) < 0.38


# %% after 14-82: 14-40a
assert np.allclose(S_b + S_w, (X_train - m).T @ (X_train - m))
assert max(between[:2]) < between[3] < 0.5
least = norm.cdf(-np.sqrt(Δ @ np.linalg.solve(Σ, Δ)) / 2)  # in the plane
found = [error_along(by_pca), error_along(100), errors.min()]
assert np.allclose(found, [0.431, 0.138, least], atol=5e-4)
assert np.isclose(least, 0.023, atol=5e-4)
asked = [error_along(30), error_along(120)]
assert np.allclose(asked, [0.442, 0.023], atol=5e-4)
assert [round(by_pca), int(best), angles[errors.argmax()]] == [34, 119, 10]
spreads = [np.sqrt(axis(a) @ Σ @ axis(a)) for a in (100, best)]
assert 0.5 < spreads[1] / spreads[0] < 0.6


# %% after 14-101: 14-102
from sklearn import discriminant_analysis as peers

import bayeslab

assert abs(angle - best) < 2.5
for each in (peers.LinearDiscriminantAnalysis(), bayeslab.LinearDiscriminantAnalysis()):
    normal = each.fit(cloud, label).coef_[0]
    cosine = abs(w @ normal) / np.linalg.norm(w) / np.linalg.norm(normal)
    assert np.isclose(cosine, 1), "w is the normal of LDA, ours and scikit-learn's"
within = scatters(cloud, label)[1]
assert np.allclose(within / 9998, Σ, atol=0.3), "S_w is n − 2 times the pooled Σ"
tries = np.vstack([w, np.random.default_rng(14).normal(size=(10_000, 2))])
criterion = (tries @ apart) ** 2 / np.sum(tries @ within * tries, axis=1)
assert criterion[0] >= criterion.max(), "no axis does better than w"


# %% after 14-46: 14-47
from sklearn import discriminant_analysis as peers

import bayeslab

assert (from_all == from_two).all(), "LDA loses nothing on Fisher's axes"
assert np.allclose(LDA.predict_proba(C_test), in_plane.predict_proba(C_test @ W))
our_lda = bayeslab.LinearDiscriminantAnalysis()
their_lda = peers.LinearDiscriminantAnalysis(n_components=2)
pair_of_axes = [e.fit(C_train, y_train).transform(C_test) for e in (our_lda, their_lda)]
for axes in pair_of_axes:  # alike up to signs and one factor: divisors differ
    assert np.ptp(np.abs(axes / (C_test @ W))) < 1e-6, "axes of the package and the peer"
assert np.allclose(scatters(C_train @ W, y_train)[1] / (len(y_train) - 3), np.eye(2))
ν = np.array([(C_train @ W)[y_train == digit].mean(axis=0) for digit in (3, 5, 8)])
nearest = np.linalg.norm((C_test @ W)[:, None] - ν, axis=2).argmin(axis=1)
assert (np.array([3, 5, 8])[nearest] == from_all).all(), "the nearest mean"
on_plane = LDA.fit(Z_train[:, :2], y_train).predict(Z_test[:, :2])
ratio = np.mean(from_two != y_test) / np.mean(on_plane != y_test)
assert 0.2 < ratio < 0.32


# %% after 14-59: 14-60a
target = (noise[few] == 8) - np.mean(noise[few] == 8)
exact, *_ = np.linalg.lstsq(Z[few], target)
assert np.abs(Z[few] @ exact - target).max() < 1e-6
assert J_noise[0] > J[0]
assert curves.loc[400, ["training", "training, shuffled"]].max() < 0.005
assert np.allclose(curves.loc[[20, 50, 100], "test"], 0.105, atol=0.01)
assert curves["test"].idxmin() in (20, 50, 100)
assert np.allclose(curves["test"][[400, 440]], [0.32, 0.45], atol=0.01)
assert abs(curves["test"][50] - curves["test"][100]) < 0.01
assert np.mean(learned.predict(plane[few]) == noise[few]) > 0.98
assert np.isclose(learned.score(plane[rest], noise[rest]), 1 / 3, atol=0.03)


# %% after 14-65a: 14-65b
costs = [[600 * e.mean(), 600 * standard_error(e)] for e in offers.values()]
assert np.allclose(costs, [[262, 43], [59, 3], [30, 6]], atol=0.8)
assert in_pca.argmin() == 0
assert in_pca.std() > 3 * max(in_fisher.std(), all_qda.std())
assert λ[2] / λ[1] > 0.85
swapped = []  # the third component in place of the second
for a, b in shuffle_splits(y, 2, np.random.default_rng(14), stratify=True):
    centre, directions, _ = pca(X[a])
    C = (X - centre) @ directions[[0, 2]].T
    swapped.append(1 - LDA.fit(C[a], y[a]).score(C[b], y[b]))
assert in_pca[0] < 0.4 < swapped[0]
assert swapped[1] < 0.4 < in_pca[1]
gaps = in_pca - in_fisher, in_fisher - all_qda
saved = [[600 * e.mean(), 600 * standard_error(e)] for e in gaps]
assert np.allclose(saved, [[203, 44], [29, 5]], atol=0.8)
for e in (in_pca, all_qda):
    more = e - in_fisher
    assert abs(more.mean()) > 4 * standard_error(more)
for name, (*_, gap, error) in table.items():
    assert (abs(gap) > 2 * error) == (name == "3/5/8")
assert table["4/9"][3] < 0 < min(table["0/1"][3], table["0/1/2"][3])
assert np.isclose(table["3/5/8"][3], -0.0485, atol=0.002)
images, labels = images_of(0, 1)
images = images[:, images.any(axis=0)]
more = shuffle_splits(labels, 20, np.random.default_rng(99), stratify=True)
_, _, lda, qda = np.vstack([halves["0/1"], [half_errors(images, labels, a, b) for a, b in more]]).T
mistakes = np.round(500 * (qda - lda))  # by which QDA is behind
assert mistakes.min() == 0
assert [np.sum(mistakes[:10] > 0), np.sum(mistakes[10:] > 0)] == [9, 20]


# %% after 14-34: 14-35a
from sklearn.model_selection import cross_val_predict

birds, species = penguins.X[two], penguins.y[two]
grams = make_pipeline(PCA(1), LinearDiscriminantAnalysis())
named = cross_val_predict(grams, birds, species, cv=10)
assert np.mean(named == "Adelie") > 0.97
scaled = (birds - birds.mean(axis=0)) / birds.std(axis=0)
weights = PCA(1).fit(scaled).components_[0]
assert np.allclose(np.abs(weights), 0.5, atol=0.06)
assert np.ptp(np.sign(weights)) == 0
assert np.sum(load_digits().y == 3) == 183
heaviest = np.abs(PCA(1).fit(birds).components_[0])
assert heaviest[penguins.feature_names.index("body mass (g)")] > 0.999
assert np.isclose(np.mean(species == "Chinstrap"), 0.31, atol=0.005)
same = [r @ fisher(r, species)[1][:, 0] for r in (birds, birds / [1, 1, 1, 1000])]
assert np.isclose(abs(np.corrcoef(same)[0, 1]), 1), "grams and kilograms"


# %% after 14-114: 14-116
assert ten.loc[[40, 80, 143], "local centroid"].between(3.9, 4.9).all()
assert abs(ten["kNN"].min() - 6.3) < 0.5
assert ten["kNN"].idxmin() == 40
assert abs(ten["LDA"].min() - 13) < 0.7


# %% slow verdict after 14-42: 14-quarter
"""the test error is only about a quarter of the error on the engineer's plane"""
decided = [rule.fit((X_train - m) @ Vt[:2].T, y_train).predict((X_test - m) @ Vt[:2].T) for rule in (LDA, QDA)]
value = np.mean(in_plane.predict(C_test @ W) != y_test) / np.mean([np.mean(each != y_test) for each in decided])
holds = 0.18 < value < 0.33


# %% slow verdict after 14-46: 14-none
"""None, and this isn't luck."""
value = np.sum(from_all != from_two)
holds = value == 0


# %% slow verdict after 14-53: 14-shuffled
"""Nearly all: the left picture looks like a discovery, but there's nothing to find."""
plane = Z[:, :400] @ W_noise
learned = GaussianClassifier("full", shared=True).fit(plane[few], noise[few])
value = np.mean(learned.predict(plane[few]) == noise[few])
holds = value > 0.9 and abs(np.mean(learned.predict(plane[rest]) == noise[rest]) - 1 / 3) < 0.06


# %% slow verdict after 14-59: 14-valley
"""The test error has a flat valley of 10% to 11% between 20 and 100 components."""
valley = curves["test"].loc[[20, 50, 100]]
value = 100 * valley.mean()
holds = 100 * valley.min() > 9 and 100 * valley.max() < 12.5 and valley.max() < curves["test"].loc[[2, 200]].min()


# %% slow verdict after 14-59: 14-climbs
"""Near the number of images it climbs steeply, to 45% at $s=440$."""
value = curves["test"][440]
holds = abs(value - 0.45) < 0.05 and abs(curves["test"][400] - 0.32) < 0.05


# %% slow verdict after 14-64: 14-offers
"""both differences are more than four times their standard errors on these halves, and more than twice on others"""
value = min(more.mean() / standard_error(more) for more in (in_pca - in_fisher, in_fisher - all_qda))
holds = value > 2


# %% slow verdict after 14-65a: 14-zero-one
"""QDA made more mistakes than LDA in nine of the ten halves (and as many in the other), and in each of twenty more
halves"""
_, _, lda, qda = halves["0/1"].T
value = np.sum(qda > lda)
holds = value >= 8 and np.sum(qda < lda) == 0


# %% slow verdict after 14-65a: 14-groups
"""For 0/1/2 and for 0/1, LDA does."""
gap = {name: 100 * np.mean(rows[:, 3] - rows[:, 2]) for name, rows in halves.items()}
value = min(gap["0/1"], gap["0/1/2"])
holds = max(gap["3/5/8"], gap["4/9"]) < 0 < value


# %% slow verdict after 14-34: 14-penguins
"""Chinstraps have a bill that is long *for the size of the bird*. Fisher's axis finds it, because it sees the
labels."""
found = {}
for name, steps in ways.items():
    rule = make_pipeline(*steps, LinearDiscriminantAnalysis())
    found[name] = 1 - cross_val_score(rule, penguins.X[two], penguins.y[two], cv=ten_folds).mean()
value = found["Fisher"]
holds = value < 0.05 and min(found["PCA in grams"], found["PCA, scaled"]) > 0.2


# %% slow verdict after 14-34: 14-scaled
"""Dividing each column by its standard deviation is the usual cure, but here we can't tell whether it helps at
all"""
found = {}
for name, steps in ways.items():
    rule = make_pipeline(*steps, LinearDiscriminantAnalysis())
    found[name] = 1 - cross_val_score(rule, penguins.X[two], penguins.y[two], cv=ten_folds).mean()
value = found["PCA in grams"] - found["PCA, scaled"]
holds = abs(value) < 0.06


# %% slow verdict after 14-114: 14-local
"""The local centroid makes the fewest (with only five components it's close): between 4 and 5% from 40 on. kNN has
about 6 to 7% at best, and LDA 12 to 14%, with other halves, too."""
lead = ten["kNN"] - ten["local centroid"]
value = lead.loc[10:].min()
holds = value > 0 and lead.min() > -1 and bool((ten["LDA"] > ten["kNN"]).all())
holds &= ten.loc[40:, "local centroid"].between(3.6, 5.3).all()
holds &= 5.5 < ten["kNN"].min() < 7.5 and 12.0 < ten["LDA"].min() < 14.5


# %% slow verdict after 14-114: 14-95
"""The local centroid does as well with 40 components, and kNN even better"""
value = ten["kNN"][143] - ten["kNN"][40]
holds = value > 0 and abs(ten["local centroid"][40] - ten["local centroid"][143]) < 0.6
