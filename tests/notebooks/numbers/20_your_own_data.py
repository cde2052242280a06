# %% after 20-06: 20-06a
assert (len(frame), len(frame.columns)) == (569, 31)
import warnings

with warnings.catch_warnings(action="error"):  # "had nothing to say"
    Dataset.from_frame(frame, label, features)


# %% after 20-15: 20-15a
assert not look["missing"].any()
units = look.loc[["mean radius", "mean texture"], "median"]
assert look["max"].drop(units.index).max() < 0.5
assert units.between(13, 19).all()


# %% after 20-18: 20-18a
assert largest == 17.85
assert (low, (others < largest).sum(), len(others)) == ("benign", 115, 212)


# %% after 20-30: 20-30a
assert table["mean"].round(2).to_dict() == {"nearest mean": 0.87, "naive Bayes": 0.93, "LDA": 0.93, "QDA": 0.95}
for other in ("naive Bayes", "LDA"):
    assert round(100 * (by_fold["QDA"] - by_fold[other]).mean(), 1) == 2.4
assert (best, *(100 * gaps["sem"]).round(1)[["naive Bayes", "LDA"]]) == ("QDA", 0.9, 0.5)
gains, three = [], {name: rules[name] for name in ("naive Bayes", "LDA", "QDA")}
for seed in range(1, 21):
    other_folds = k_fold(y_open, 10, np.random.default_rng(seed), stratify=True)
    other_scores = cross_validate(three, X_open.to_numpy(), y_open, other_folds)
    wide = other_scores.pivot(index="fold", columns="classifier", values="accuracy").mean()
    gains += [100 * (wide["QDA"] - wide[name]) for name in ("naive Bayes", "LDA")]
assert (round(min(gains), 1), round(max(gains), 1)) == (1.7, 2.8)
# Scaled, nearest mean is no longer the worst by far.
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

scaled = cross_validate(make_pipeline(StandardScaler(), NearestMean()), X_open, y_open, folds)
assert scaled["accuracy"].mean() > table["mean"]["nearest mean"] + 0.02


# %% after 20-39: 20-39a
counts = pd.crosstab(y_open, said)
assert counts.to_numpy().tolist() == [[279, 7], [14, 156]]
assert round(21 / 456, 3) == 0.046


# %% after 20-42: 20-42a
assert worst.tolist() == [297]
assert mistakes["truth"].head(5).eq("malignant").all()
parts = rule.explain(X_open.loc[worst])
steps = parts.iloc[0] - parts.iloc[1]
assert steps["−½ D²"] > 2 * max(steps["ln π"], steps["−½ ln|Σ|"])


# %% after 20-48: 20-48a
taken = pd.crosstab(y_open, decision)
assert taken.to_numpy().tolist() == [[94, 192], [169, 1]]
assert 94 + 169 + 20 * 1 == 283
assert 7 + 156 + 20 * 14 == 443


# %% after 20-49d: 20-49f
sick = y_open == "malignant"
missed_at = {price: np.sum((price * posterior[:, 1] < 1) & sick) for price in range(2, 61)}
assert min(price for price, missed in missed_at.items() if missed == 0) == 28
assert np.sum((28 * posterior[:, 1] >= 1) & ~sick) == 115
assert missed_at[2] == 14


# %% after 20-53: 20-53a
assert (wrong, len(y_locked)) == (10, 113)
assert (round(low, 2), round(high, 2)) == (0.04, 0.16)
assert (np.sum(home & in_danger), in_danger.sum(), asked, np.sum(~in_danger)) == (0, 42, 22, 71)
assert round(binomtest(0, 42).proportion_ci(0.95).high, 2) == 0.08
others = []
for seed in range(1, 20):
    X_a, X_b, y_a, y_b = random_split(X, y, np.random.default_rng(seed), train_size=0.8, stratify=True)
    others.append(np.sum(QuadraticDiscriminantAnalysis().fit(X_a, y_a).predict(X_b) != y_b))
assert (min(others), max(others), round(np.mean(others), 1)) == (3, 10, 6.6)


# %% after 20-59: 20-59a
assert result["label"].tolist().count("ask me") == 2
assert np.isnan(result.loc[2, "mean symmetry"])
assert result["label"][2] == "malignant"
assert round(binomtest(0, 20).proportion_ci(0.95).high, 2) == 0.17


# %% verdict after 20-30: 20-ahead
"""With twenty other locks, QDA was ahead of naive Bayes each time, by 1.6 points on average"""
mean = by_fold.mean()
value = 100 * (mean["QDA"] - mean["naive Bayes"])
holds = 0 < value < 4


# %% verdict after 20-28: 20-worst
"""Nearest mean, with 0.87."""
value = table["mean"]["nearest mean"]
holds = table["mean"].idxmin() == "nearest mean"


# %% verdict after 20-37: 20-dangerous
"""The dangerous one: 14 of 170 malignant tumours are called benign, and only 7 of 286 benign ones malignant."""
value = np.sum((y_open == "malignant") & (said == "benign")) - np.sum((y_open == "benign") & (said == "malignant"))
holds = value > 0


# %% verdict after 20-53: 20-locked
"""With nineteen other seeds QDA got 3 to 10 locked rows wrong, 6.6 on average."""
others = []
for _ in range(19):
    X_a, X_b, y_a, y_b = random_split(X, y, again, train_size=0.8, stratify=True)
    others.append(np.sum(QuadraticDiscriminantAnalysis().fit(X_a, y_a).predict(X_b) != y_b))
value = np.mean(others)
holds = abs(value - 6.6) < 1.5  # two standard deviations of the difference of two such means


# %% slow verdict after 20-53: 20-same
"""Over sixty other locks, QDA got 5.6% wrong in the folds as well as in the lock."""
from sklearn.model_selection import StratifiedKFold

found = []
for _ in range(60):
    X_a, X_b, y_a, y_b = random_split(X, y, again, train_size=0.8, stratify=True)
    shuffled = StratifiedKFold(10, shuffle=True, random_state=int(again.integers(2**31)))
    qda = QuadraticDiscriminantAnalysis()
    in_folds = np.mean(cross_val_predict(qda, X_a, y_a, cv=shuffled) != y_a)
    found.append([in_folds, np.mean(qda.fit(X_a, y_a).predict(X_b) != y_b)])
in_folds, in_lock = 100 * np.mean(found, axis=0)
value = in_lock - in_folds
holds = abs(value) < 1 and abs(in_folds - 5.6) < 0.5
