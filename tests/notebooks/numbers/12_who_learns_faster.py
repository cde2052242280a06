# %% after 12-77: 12-76
seen = table.groupby(["classifier", "n_train"])["error"].agg(["mean", "sem"])
print((100 * seen).round(1).unstack(level=0).to_string())
ends = seen["mean"].unstack()
assert np.allclose(ends.loc["LDA", [40, 450]], [0.20, 0.04], atol=0.006)
assert np.allclose(ends.loc["naive Bayes", [40, 450]], [0.06, 0.07], atol=6e-3)
assert ends.columns[ends.loc["QDA"].notna()].tolist() == parts[2:]
assert seen["sem"].max() < 0.0125
rise = seen.xs("naive Bayes", level="classifier").loc[[40, 450]]
assert rise["mean"].diff().iloc[1] < 2 * np.hypot(*rise["sem"]), "within the noise"
others = []
for seed in range(20):
    its = learning_curve({"": rules["naive Bayes"]}, tumours.X, tumours.y, [40, 450], 20, np.random.default_rng(seed))
    others.append(its.groupby("n_train")["accuracy"].mean().diff().iloc[1])
assert 6 <= np.sum(np.array(others) > 0) <= 14, "with other parts, it falls about as often"
malignant = np.mean(tumours.y == "malignant")
assert (round(100 * malignant), round(60 * malignant)) == (37, 22)
for n, loser in ((40, "LDA"), (450, "naive Bayes")):
    two = seen.loc[["LDA", "naive Bayes"]].xs(n, level="n_train")
    lead = two["mean"].max() - two["mean"].min()
    assert two["mean"].idxmax() == loser
    assert lead > 3 * np.hypot(*two["sem"])


# %% after 12-26: 12-30
assert np.allclose(list(floors.values()), [0.013, 0.098, 0.004], atol=5e-4)
for name, D2 in {"A": 20, "B": 20 / 3}.items():
    assert np.isclose(floors[name], Φ(-np.sqrt(D2) / 2)), "a closed form"
spread = [np.sqrt(np.diag(g.covariance)) for g in worlds["C"].gaussians]
correlations = [g.covariance / np.outer(s, s) for g, s in zip(worlds["C"].gaussians, spread, strict=True)]
assert np.allclose([each[4, 15] for each in correlations], [0.2, -0.4], atol=0.02)
assert np.isclose(np.ptp(correlations, axis=0).max(), np.ptp(correlations, axis=0)[4, 15]), "no pair differs more"
floor_of = {}
for name in "AC":
    for seen in ([4, 15], range(2), range(10), range(12)):
        each = [Gaussian(g.mean[seen], g.covariance[np.ix_(seen, seen)]) for g in worlds[name].gaussians]
        floor_of[name, len(seen), seen[0]] = bayes_error(each).value
assert floor_of["C", 2, 4] > floor_of["A", 2, 4]
assert floor_of["C", 2, 0] > floor_of["A", 2, 0]
assert np.isclose(floor_of["C", 10, 0], floor_of["A", 10, 0], atol=0.001)
assert floor_of["C", 12, 0] < floor_of["A", 12, 0]
assert np.allclose([np.diag(g.covariance).mean() for g in worlds["C"].gaussians], 1.5, atol=0.07)
matrix = 20 * 21 // 2
assert [2 * 20, 2 * 20 + matrix, 2 * 20 + 2 * matrix] == [40, 250, 460]
mean_errors = {}
for name, its in curves.items():
    mean_errors[name] = its.groupby(["rule", "n"])["error"].mean().unstack()


def behind(world, leader, rule):
    """How far a rule is behind the leader at each size, in standard errors."""
    wide = curves[world].assign(draw=np.arange(len(curves[world])) // len(rules))
    wide = wide.pivot(index=["n", "draw"], columns="rule", values="error")
    gap = (wide[rule] - wide[leader]).groupby("n").agg(["mean", "sem"])
    return (gap["mean"] / gap["sem"]).dropna()


for world in "AB":
    for rule in ("naive Bayes", "LDA", "QDA"):
        assert behind(world, "nearest mean", rule).min() > 2
for rule in ("nearest mean", "naive Bayes", "LDA"):
    assert behind("C", "QDA", rule).loc[70:].min() > 7
    assert behind("C", "QDA", rule).loc[:40].max() < 0
for rule in ("naive Bayes", "LDA"):
    assert abs(behind("C", "nearest mean", rule)[40]) < 2
    assert behind("C", "nearest mean", rule)[25] > 2
late = mean_errors["C"][1000]
assert np.isclose(late["nearest mean"] / late["QDA"], 5, atol=0.3)
print(mean_errors["C"].round(4).to_string())


# %% after 12-45: 12-44
mean_errors = {name: its.groupby(["rule", "n"])["error"].mean().unstack() for name, its in curves.items()}
shares = {n: mean_errors["C"].loc[names, n] - floor - bias for n in (25, 1000)}
for name in ("LDA", "QDA"):
    assert shares[25][name] > max(floor, limits[name] - floor)
for k, name in enumerate(("nearest mean", "naive Bayes")):
    assert bias[k] > max(floor, shares[25][name])
for k, name in enumerate(("nearest mean", "naive Bayes", "LDA")):
    assert bias[k] > floor
    assert abs(shares[1000][name]) < 0.1 * bias[k]
assert mean_errors["C"].loc["QDA", 40] > mean_errors["C"].loc["nearest mean", 40]
centres = [g.mean for g in worlds["C"].gaussians]
Σ = sum(g.covariance for g in worlds["C"].gaussians) / 2
exact = {"nearest mean": np.eye(20), "naive Bayes": np.diag(np.diag(Σ)), "LDA": Σ}
for name, shape in exact.items():  # the same limits, from the true moments
    w = np.linalg.solve(shape, centres[1] - centres[0])
    half = w @ (centres[1] - centres[0]) / 2
    spread = [np.sqrt(w @ g.covariance @ w) for g in worlds["C"].gaussians]
    assert np.isclose(Φ(-half / np.array(spread)).mean(), limits[name], atol=5e-4), name
assert np.allclose([limits["LDA"], floors["A"]], 0.013, atol=5e-4)
alike = [Gaussian(centre, Σ) for centre in centres]
assert np.isclose(bayes_error(alike).value, floors["A"], atol=2e-4), "all of C's advantage is in the difference"


# %% after 12-36: 12-34
T = 1 + 2 * np.array([1, 4, 16]) / (20 / 3)
formula = Φ(-np.sqrt(20 / 3) / 2 / np.sqrt(T))
assert np.allclose(growth["n = 20"], formula, atol=0.02)
assert np.allclose(growth["n = d"], formula[0], atol=0.012)
assert np.allclose(growth["n = 20"].iloc[[0, 2]], [0.14, 0.30], atol=0.01)


# %% after 12-56: 12-57a
assert np.allclose([eff["A"], eff["B"]], [0.23, 0.76], atol=0.005)
nodes, weights = np.polynomial.hermite_e.hermegauss(120)
for D in (1, 2, 3, 4):  # another sum for the integral
    doubt = expit(D * (nodes + D / 2)) * expit(-D * (nodes + D / 2))
    exact_eff = (4 + D**2) * weights @ doubt / np.sqrt(2 * np.pi)
    assert np.isclose(efficiency(D), exact_eff, atol=1e-4), D
from scipy.optimize import linprog


def separable(X, y):
    """Does a plane separate the two classes?"""
    rows = np.where(y == 1, -1, 1)[:, None] * np.c_[X, np.ones(len(X))]
    free = [(None, None)] * rows.shape[1]
    return linprog(free_cost, rows, -np.ones(len(X)), bounds=free).status == 0


free_cost, draws = np.zeros(21), np.random.default_rng(12)
assert np.mean([separable(*worlds["A"].sample(120, draws)) for _ in range(20)]) > 0.9
for name, its in races.items():
    by_rule = its.groupby(["rule", "n"])["excess"].agg(["mean", "sem"])
    late = by_rule.xs(2000, level="n")
    ratio = late.loc["LDA", "mean"] / late.loc["logistic", "mean"]
    error = ratio * np.hypot(*(late["sem"] / late["mean"]))
    print(f"{name}: ratio of excesses at n = 2000: {ratio:.2f} ± {error:.2f}")
    assert abs(ratio - eff[name]) < 3 * error + 0.04
    gap = by_rule.loc["logistic"] - by_rule.loc["LDA"]
    assert (gap["mean"].loc[70:] > 0).all()
    if name == "A":
        rise = by_rule.loc["logistic"].loc[[70, 120]]
        assert rise["mean"].diff()[120] < 2 * np.hypot(*rise["sem"])
        assert gap["mean"][25] < -2 * np.hypot(*by_rule.xs(25, level="n")["sem"])


# %% after 12-70: 12-71a
seen = penalties["mean"]
stated = {"logistic, C = 0.01": 0.014, "LDA, shrunk": 0.014, "LDA": 0.017}
assert np.allclose(seen[list(stated)], list(stated.values()), atol=5e-4)
for better, worse in [("LDA, shrunk", "LDA"), ("LDA", "logistic, C = 1")]:
    error = np.hypot(*penalties.loc[[better, worse], "sem"])
    assert seen[worse] - seen[better] > 2 * error
assert seen["logistic, C = 1"] < seen["logistic, C = 100"]


# %% after 12-62: 12-61
from scipy.optimize import minimize

for place, stated in {(8, -8): [0.077, 0.064], (-8, -8): [0.184, 0.184]}.items():
    by_rule = soaked[place].groupby(["rule", "n"])["error"].agg(["mean", "sem"])
    assert np.allclose(by_rule["mean"].xs(640, level="n"), stated, atol=0.001)
    assert by_rule["sem"].xs(640, level="n").max() < 0.00025
    if place == (8, -8):
        few = by_rule.xs(10, level="n")
        assert abs(few["mean"].diff().iloc[1]) < 2 * np.hypot(*few["sem"])


def error_of_line(angle_and_cut):
    """True error of a line on the right-hand side of the figure."""
    angle, cut = angle_and_cut
    line = LogisticRegression()
    line.coef_ = np.array([[np.cos(angle), np.sin(angle)]])
    line.intercept_ = np.array([cut])
    return linear_error(line, wet[-8, -8])


starts = [(angle, cut) for angle in range(6) for cut in (-2, 0, 2)]
best = min(minimize(error_of_line, s, method="Nelder-Mead").fun for s in starts)
assert np.isclose(best, 0.11, atol=0.005)


# %% after 12-83: 12-85
def lead_of_LDA(truth, n, drawn=100):
    """LDA's lead over nearest mean in points, and its standard error."""
    options = {"n": n, "seed": 12, "drawn": drawn}
    errors = 100 * VarianceExplorer(truth, ["LDA", "nearest mean"], **options).errors()
    lead = errors[:, 1] - errors[:, 0]
    return np.array([lead.mean(), lead.std(ddof=1) / np.sqrt(drawn)])


assert np.allclose(lead_of_LDA(lamp, 4), [-1.4, 0.4], atol=0.06)
early = lead_of_LDA(lamp, 4, 5)
assert abs(early[0]) < early[1]
assert np.allclose(lead_of_LDA(lamp, 30), [1.1, 0.1], atol=0.05)
tried = {n: lead_of_LDA(lamp, n, 200) for n in (6, 8, 12)}
print("LDA's lead with 8 flakes:", tried[8].round(2))
assert np.allclose(tried[8], 0.2, atol=0.05)
for n, (lead, error) in tried.items():
    assert (abs(lead) < 2 * error) == (n == 8)
steady = TrueClassifier([Gaussian([-1, 0], [1, 1]), Gaussian([1, 0], [1, 1])], kinds)
leads = np.array([lead_of_LDA(steady, n) for n in (4, 12, 60, 200)])
assert (leads[:, 0] < -2 * leads[:, 1]).all()
assert (np.diff(leads[:, 0]) > 0).all()


# %% after 12-work-02: 12-work-04
seen = np.array([curve.test_scores.mean(axis=1) for curve in shown])
print(seen.round(3))
assert np.allclose(seen[:, 0], [0.81, 0.94], atol=0.006)
lead = shown[1].test_scores[-1] - shown[0].test_scores[-1]
error = lead.std(ddof=1) * np.sqrt(1 / 10 + 119 / 450)
assert np.allclose([lead.mean(), error], [0.018, 0.010], atol=0.0006)


# %% after 12-97: 12-98a
mean_errors = {name: its.groupby(["rule", "n"])["error"].mean().unstack() for name, its in curves.items()}
print(pd.concat(bill).round(-1).to_string())
cost = pd.concat(bill)["mean"]
assert np.isclose(cost["A", "nearest mean", 25], 5300, atol=50)
at_25 = 300_000 * mean_errors["C"][25].min() + 250
assert np.isclose(cost["A", "nearest mean", 25] / at_25, 0.55, atol=0.05)
assert cost.idxmin() == ("C", "QDA", 120)
assert np.isclose(cost["C", "QDA", 120], 3500, atol=100)
assert cost["C", "QDA", 250] < cost["A"].min()
lda = mean_errors["C"].loc["LDA"].dropna()
assert (lda > mean_errors["C"].drop("LDA").min()[lda.index] - 0.001).all(), "LDA isn't drawn"
overall = {k: cheapest(sizes, m.to_numpy(), 5, 300_000) for k, m in mean_errors.items()}
assert mean_errors["C"].index[overall["C"][0]] == "QDA"
assert overall["C"][1] == 120
told = {("A", "nearest mean", 25): 1.7, ("C", "QDA", 120): 0.75, ("C", "QDA", 1000): 0.4}
for (name, rule, n), stated in told.items():
    assert abs(100 * mean_errors[name].loc[rule, n] - stated) < 0.051


# %% verdict after 12-75: 12-tumours
"""With 40 tumours, LDA gets 20% wrong and naive Bayes only 6%. With 450 it's the other way round: 4% for LDA, 7%
for naive Bayes."""
error = table.groupby(["n_train", "classifier"])["error"].mean().unstack()
value = 100 * (error.loc[40, "LDA"] - error.loc[40, "naive Bayes"])
holds = value > 8 and error.loc[450, "LDA"] + 0.01 < error.loc[450, "naive Bayes"]


# %% verdict after 12-75: 12-chance
"""its small rise is chance, and with other parts it falls about as often"""
error = table[table["classifier"] == "naive Bayes"].groupby("n_train")["error"].mean()
value = 100 * (error.loc[450] - error.loc[40])
holds = abs(value) < 1.5


# %% slow verdict after 12-23: 12-nearest
"""by about two standard errors or more"""
worst = []
for name in "AB":
    wide = curves[name].assign(draw=np.tile(np.repeat(np.arange(20), 4), len(sizes)))
    wide = wide.pivot_table("error", ["n", "draw"], "rule")
    for other in ("naive Bayes", "LDA", "QDA"):
        gap = (wide[other] - wide["nearest mean"]).dropna().groupby("n")
        worst.append((gap.mean() / gap.sem()).min())
value = min(worst)
holds = value > 1.6


# %% slow verdict after 12-23: 12-smallest
"""On A and B, QDA leads at none of these sizes."""
leads = []
for name in "AB":
    mean = curves[name].groupby(["n", "rule"])["error"].mean().unstack()
    leads.append((mean["QDA"] - mean["nearest mean"]).min())
value = 1000 * min(leads)
holds = value > 0


# %% slow verdict after 12-23: 12-five
"""by more than five standard errors"""
wide = (
    curves["C"]
    .assign(draw=np.tile(np.repeat(np.arange(20), 4), len(sizes)))
    .pivot_table("error", ["n", "draw"], "rule")
)
mean = wide.groupby("n").mean()
ratios = []
for other in ("naive Bayes", "LDA", "nearest mean"):
    gap = (wide[other] - wide["QDA"]).dropna().groupby("n")
    ratios.append((gap.mean() / gap.sem()).loc[70:].min())
value = min(ratios)
holds = value > 5 and mean.loc[40].idxmax() == "QDA"


# %% slow verdict after 12-23: 12-close
"""With 40, these two and LDA are within about half a point of each other."""
mean = curves["C"][curves["C"]["n"] == 40].groupby("rule")["error"].mean().drop("QDA")
value = 100 * (mean.max() - mean.min())
holds = value < 0.75


# %% slow verdict after 12-36: 12-rises
"""The error rises from 14% to 30%."""
value = growth.loc[320, "n = 20"]
holds = abs(value - 0.3) < 0.02 and abs(growth.loc[20, "n = 20"] - 0.14) < 0.015


# %% slow verdict after 12-36: 12-proportion
"""the number of flakes has to grow in proportion to the number of wavelengths: 80 for 80, and 320 for 320"""
value = growth["n = d"].max() - growth["n = d"].min()
holds = value < 0.015


# %% slow verdict after 12-56: 12-ahead
"""From 70 flakes of each kind on, LDA is ahead, although it has far more numbers to learn."""
leads = []
for its in races.values():
    mean = its.groupby(["n", "rule"])["error"].mean().unstack()
    leads.append((mean["logistic"] - mean["LDA"]).loc[70:].min())
value = 1000 * min(leads)
holds = value > 0


# %% slow verdict after 12-56: 12-behind
"""(With 25 on A it's behind: its matrix is still very rough.)"""
mean = races["A"].groupby(["n", "rule"])["error"].mean().unstack().loc[25]
value = 100 * (mean["LDA"] - mean["logistic"])
holds = value > 0


# %% slow verdict after 12-70: 12-share
"""Two of them share the lead: logistic regression with $C=0.01$ and shrunken LDA get 1.4% wrong. Plain LDA gets
1.7%, and the other two more."""
error = penalties["mean"]
lead = error[["logistic, C = 0.01", "LDA, shrunk"]].max()
value = 100 * (error["LDA"] - lead)
holds = value > 0.1 and error[["logistic, C = 1", "logistic, C = 100"]].min() > error["LDA"]


# %% slow verdict after 12-60: 12-own
"""On the left, logistic regression wins: 6.4% wrong with 640 flakes of each kind, and LDA 7.7%"""
mean = soaked[8, -8].groupby(["n", "rule"])["error"].mean().unstack().loc[640]
value = 100 * (mean["LDA"] - mean["logistic"])
holds = abs(value - 1.2) < 0.2


# %% slow verdict after 12-60: 12-right
"""On the right, both get 18% wrong."""
mean = soaked[-8, -8].groupby(["n", "rule"])["error"].mean().unstack().loc[640]
value = 100 * abs(mean["LDA"] - mean["logistic"])
holds = value < 1 and abs(mean.mean() - 0.18) < 0.01


# %% slow verdict after 12-60: 12-ten
"""with only ten of each kind, we can't tell the two rules apart on the left"""
its = soaked[8, -8][soaked[8, -8]["n"] == 10]
lda, logistic = (its[its["rule"] == rule]["error"].to_numpy() for rule in ("LDA", "logistic"))
gap = lda - logistic
value = gap.mean() / (gap.std(ddof=1) / np.sqrt(len(gap)))
holds = abs(value) < 2


# %% slow verdict after 12-83: 12-four
"""| 4 | 100 | −1.4 ± 0.4 |"""
near, lda = 100 * VarianceExplorer(lamp, ["nearest mean", "LDA"], n=4, seed=12, drawn=100).errors().T
value = np.mean(lda - near)
holds = 0.4 < value < 2.6


# %% slow verdict after 12-83: 12-thirty
"""(0.9 on average with twenty other seeds)"""
near, lda = 100 * VarianceExplorer(lamp, ["nearest mean", "LDA"], n=30, seed=12, drawn=100).errors().T
value = np.mean(near - lda)
holds = abs(value - 0.9) < 0.25  # two standard deviations over the seeds


# %% slow verdict after 12-83: 12-eight
"""Near 8: after 200 draws, LDA's lead is 0.2 ± 0.2 points, so we can't tell."""
near, lda = 100 * VarianceExplorer(lamp, ["nearest mean", "LDA"], n=8, seed=12, drawn=200).errors().T
gap = near - lda
value = gap.mean()
holds = abs(value) < 2.5 * gap.std(ddof=1) / np.sqrt(200)


# %% slow verdict after 12-work-02: 12-work
"""With 40 tumours, logistic regression gets 94% right. LDA, without any penalty here, gets 81%."""
lda, logistic = (each.test_scores[0].mean() for each in shown)
value = 100 * (logistic - lda)
holds = value > 7


# %% slow verdict after 12-work-02: 12-shrinks
"""Other splits give 2 to 3 points, so it's probably real, but we can't be sure."""
gap = shown[1].test_scores[-1] - shown[0].test_scores[-1]
value = 100 * gap.mean()
holds = 1.4 < value < 3.4


# %% slow verdict after 12-97: 12-fifty
"""With 50 flakes, take A and nearest mean, which costs about 5,300 €, little more than half of what C would cost."""
cost = {key: its.loc[25, "mean"] for key, its in bill.items() if 25 in its.index}
value = cost["A", "nearest mean"]
holds = min(cost, key=cost.get) == ("A", "nearest mean") and abs(value - 5300) < 400


# %% slow verdict after 12-97: 12-cheapest
"""take C, let QDA learn from about 240 flakes, and pay the lab 1,200 €"""
value = bill["C", "QDA"]["mean"].idxmin()
holds = value == 120 and bill["C", "QDA"]["mean"].min() < bill["A", "nearest mean"]["mean"].min()


# %% slow verdict after 12-97: 12-even
"""But from 240 to 500 flakes, C with QDA beats A at its best."""
value = bill["A", "nearest mean"]["mean"].min() - bill["C", "QDA"].loc[[120, 250], "mean"].max()
holds = value > 0
