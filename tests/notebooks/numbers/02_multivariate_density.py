# %% after 02-08a: 02-08b
assert (like_P.sum(), like_Q.sum()) == (3, 0)
assert np.isclose(np.linalg.norm(P - X.mean(axis=0)), 0.71, atol=0.005)
assert np.isclose(np.linalg.norm(Q - X.mean(axis=0)), 0.71, atol=0.005)
assert (X > P).any(axis=0).all()
assert (X[:, 1] < Q[1]).any()


# %% after 02-24: 02-25a
from scipy.spatial.distance import mahalanobis

assert abs((np.array([P, Q]) - μ) / σ).max() < 1.5
assert np.allclose([L11, L21, L22], [0.352, 0.281, 0.254], atol=0.0005)
assert np.allclose(np.cov(Z.T), np.eye(2)), "The cloud is round."
by_scipy = [mahalanobis(x, X.mean(axis=0), np.linalg.inv(np.cov(X.T))) for x in (P, Q)]
assert np.allclose([D_P, D_Q], by_scipy)
assert np.allclose([D_P, D_Q, D_all.max()], [1.47, 3.82, 3.19], atol=0.005)


# %% after 02-25f: 02-25g
assert np.allclose(L, [[L11, 0], [L21, L22]])
assert np.allclose(mahalanobis_squared(X, μ, Σ), D_all**2)


# %% after 02-32: 02-33a
for columns in (1, 2, 4):
    part = load_iris().X[:50, :columns]
    m, C = part.mean(axis=0), np.cov(part.T).reshape(columns, columns)
    by_scipy = stats.multivariate_normal(m, C).pdf(part)
    assert np.allclose(density(part, m, C), by_scipy), "Our density is SciPy's."
assert np.isclose(np.diag(L).prod(), np.sqrt(np.linalg.det(Σ))), "The area factor."


# %% after 02-39: 02-40n
exact = stats.chi(2).cdf([1, 2, 3])
assert np.allclose(exact, [0.393, 0.865, 0.989], atol=0.0005)
assert np.isclose(1 - exact[2], 0.011, atol=0.0005)
counted = [np.mean(distances <= k) for k in (1, 2, 3)]
assert np.allclose(counted, exact, atol=4 * 0.5 / 100_000**0.5)
assert np.isclose(1 / stats.chi2(2).sf(D_Q**2), 1449, atol=0.5)
assert stats.chi2(2).sf(D_P**2) > 0.01 > stats.chi2(2).sf(D_all.max() ** 2)


# %% after 02-40c: 02-40e
def passing(limit):
    """The shares of versicolors and virginicas inside the limit, summed over a fine grid in the round cloud."""
    u = np.linspace(-limit, limit, 1201)
    Z = np.stack(np.meshgrid(u, u), axis=-1)
    inside, area = (Z**2).sum(axis=-1) <= limit**2, (u[1] - u[0]) ** 2 * np.linalg.det(L)
    shares = []
    for name in ("versicolor", "virginica"):
        part = iris.X[iris.y == name]
        p = stats.multivariate_normal(part.mean(axis=0), np.cov(part.T)).pdf(μ + Z @ L.T)
        shares.append(p[inside].sum() * area)
    return shares


assert np.allclose(passing(np.sqrt(-2 * np.log(0.01))), [0.0299, 0.0123], atol=0.0003)
assert np.allclose(passing(3.2515), [0.0408, 0.0160], atol=0.0003)


# %% after 02-42c: 02-42a
assert D_all.max() < limit
plug_in = stats.f.sf(factor * stats.chi2(2).isf(0.01), d, n - d)
assert np.isclose(plug_in, 0.0173, atol=0.00005)
assert abs(np.mean(refused) - plug_in) < 4 * error
assert np.allclose([1 / beyond, limit], [462, 3.25], atol=0.5)
assert np.isclose(limit, 3.25, atol=0.005)
lost, luck = [], np.random.default_rng(9)
for _ in range(1000):
    of_bank = Gaussian.fit(setosa.sample(50, luck))
    strange = of_bank.mahalanobis_squared(setosa.sample(10_000, luck)) > limit**2
    lost.append(np.mean(strange))
assert abs(np.mean(lost) - 0.01) < 4 * stats.sem(lost)
assert np.allclose(np.quantile(lost, [0.025, 0.975]), [0.002, 0.03], rtol=0.2)


# %% after 02-54d: 02-54e
assert np.allclose(Σ @ directions, directions * λ)
assert np.allclose(np.sqrt(λ), [0.185, 0.483], atol=0.0005)
along_Q, along_P = abs((Q - μ) @ directions), abs((P - μ) @ directions)
assert along_Q[0] > 0.7 > 0.1 > along_Q[1]
assert np.isclose(along_Q[0] / np.sqrt(λ[0]), 3.8, atol=0.05)
assert np.isclose(along_P[1] / np.sqrt(λ[1]), 1.5, atol=0.05)


# %% after 02-55: 02-55a
expected, spread = μ[1] + ρ * σ[1] / σ[0] * (Q[0] - μ[0]), σ[1] * np.sqrt(1 - ρ**2)
assert np.allclose([expected, spread, Q[1]], [3.83, 0.25, 2.93], atol=0.005)
scores = [(P[1] - expected) / spread, (Q[1] - expected) / spread]
assert np.allclose(scores, [0.40, -3.54], atol=0.005)
assert np.allclose(scores, [z_P[1], z_Q[1]]), "z₂ is the width, given the length."
assert np.allclose([conditional.mean[0], L[1, 1]], [expected, spread])
widths = np.linspace(0, 7, 7001)
line = np.column_stack([np.full(7001, 5.5), widths])
summed = density(line, μ, Σ).sum() * (widths[1] - widths[0])
assert np.isclose(summed, stats.norm.pdf(5.5, μ[0], σ[0]), rtol=1e-6), "the marginal"


# %% after 02-55: 02-48
from scipy.optimize import minimize


def loss(θ):
    """Minus ℓ of a mean and a Cholesky factor, by SciPy."""
    factor = np.array([[θ[2], 0], [θ[3], θ[4]]])
    return -stats.multivariate_normal(θ[:2], factor @ factor.T).logpdf(X).sum()


found = minimize(loss, [5, 3, 1, 0, 1], method="BFGS", options={"gtol": 1e-4}).x
K = np.array([[found[2], 0], [found[3], found[4]]])
assert np.allclose(found[:2], X.mean(axis=0), atol=1e-4), "the mean is the maximum"
assert np.allclose(K @ K.T, np.cov(X.T, ddof=0), atol=1e-4), "S/n is the maximum"
assert np.allclose(Gaussian.fit(X, ddof=0).covariance, S / n)


# %% after 02-68: 02-69a
in_cm = log_density(leaf, μ_leaf, Σ_leaf)[0]
others = stats.multivariate_normal(μ_leaf, Σ_leaf).logpdf(leaf[0])
assert np.isclose(in_cm, others)
for c in units.values():
    value = log_density(c * leaf, c * μ_leaf, c**2 * Σ_leaf)[0]
    assert np.isclose(value, in_cm - 500 * np.log(c))
    D2 = mahalanobis_squared(c * leaf, c * μ_leaf, c**2 * Σ_leaf)
    assert np.isclose(D2, mahalanobis_squared(leaf, μ_leaf, Σ_leaf))
with np.errstate(all="ignore"):
    fits = [0 < np.linalg.det(c**2 * Σ_leaf) < np.inf for c in units.values()]
assert fits == [False, False, True, False]
assert 19 < D_leaves.min() < 20
# the closest of 2,000 is nearly always between 18.8 and 20.6
closest = stats.chi(500).ppf([1 - 0.999 ** (1 / 2000), 1 - 0.001 ** (1 / 2000)])
assert closest[0] < D_leaves.min() < closest[1]
assert np.isclose(np.median(D_leaves), np.sqrt(500), atol=0.1)
assert np.isclose(2 * stats.chi2(500).std() / 500, 0.13, atol=0.005)


# %% verdict after 02-36: 02-ellipses
"""They hold fewer: about 39%, 86.5% and 98.9%"""
found = np.array([np.mean(distances <= k) for k in (1, 2, 3)])
value = found[0]
holds = np.allclose(found, 1 - np.exp(-np.square([1, 2, 3]) / 2), atol=0.005)


# %% slow verdict after 02-41: 02-banks
"""It refuses about 1.7%, on average over many banks."""
value = 100 * np.mean(refused)
holds = 1.6 <= value < 1.8


# %% slow verdict after 02-42b: 02-bank
"""A single bank usually loses between 0.2% and 3%, depending on its luck with the fifty."""
lost = []
for _ in range(200):
    one = Gaussian.fit(setosa.sample(50, again))
    lost.append(np.mean(one.mahalanobis_squared(setosa.sample(20_000, again)) > limit**2))
value = np.mean((np.array(lost) > 0.002) & (np.array(lost) < 0.03))
holds = value > 0.88


# %% verdict after 02-42b: 02-foreign
"""now about 4% of the versicolors and 1.6% of the virginicas get in."""
plants = [Gaussian.fit(iris.X[iris.y == name]).sample(50_000, again) for name in ("versicolor", "virginica")]
accepted = [100 * np.mean(setosa.mahalanobis_squared(each) <= limit**2) for each in plants]
value = accepted[0]
holds = np.allclose(accepted, [4.0, 1.6], atol=0.4)


# %% slow verdict after 02-42b: 02-fifty-of-each
"""(fifty flowers of each species can't rule out anything from 1% to 9%)"""
fitted, shares = Gaussian.fit(iris.X[iris.y == "versicolor"]), []
for _ in range(300):
    plants = Gaussian.fit(fitted.sample(50, again)).sample(2000, again)
    bank = Gaussian.fit(setosa.sample(50, again))
    shares.append(100 * np.mean(bank.mahalanobis_squared(plants) <= limit**2))
lowest, value = np.quantile(shares, [0.025, 0.975])
holds = lowest < 1 and value > 9


# %% verdict after 02-68: 02-shell
"""The closest leaf is about 20 away."""
value = D_leaves.min()
holds = 19 < value < 21
