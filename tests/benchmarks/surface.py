"""Speed of what users call, beside scikit-learn, SciPy or plain NumPy on the same data (`make bench`).

A row times two calls in turn in one process. Its times are minima, which other work on the machine disturbs least; its
ratio is the peer's time divided by ours, so that above 1 is faster, with the standard deviation of the pairs. Rows
below 1 come first. Then follow the exponents with which time grows, and the memory beyond the data.

`table.tsv` holds the last run that was stored (`--store`), with machine and versions: a row that has lost a third of
its ratio is named. Where both decide, they must decide alike.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from statistics import geometric_mean
from typing import Any, NamedTuple

import matplotlib
import numpy as np
import pandas as pd
import scipy
import sklearn
from matplotlib import pyplot as plt
from scipy import sparse, stats
from sklearn import discriminant_analysis, inspection, mixture, model_selection, naive_bayes

import bayeslab
from bayeslab import Gaussian, families, plotting

TABLE = Path(__file__).with_name("table.tsv")
# n, d, K: the shapes of the first benchmark, whose geometric means are given apart
SHAPES = [(150, 4, 3), (2_000, 2, 3), (100_000, 20, 2), (200_000, 20, 10), (50_000, 100, 10), (20_000, 256, 10),
          (1_000_000, 4, 3)]  # fmt: skip
MANY_CLASSES = [(20_000, 10, 100), (20_000, 6, 500), (20_000, 6, 1_000)]
OURS = {
    "QDA": bayeslab.QuadraticDiscriminantAnalysis,
    "LDA": bayeslab.LinearDiscriminantAnalysis,
    "GaussianNB": bayeslab.GaussianNB,
}
N_ITER = 5


class Pair(NamedTuple):
    """Two calls that do the same work; for a fair ratio the peer's time is multiplied by `times`."""

    ours: Callable
    peer: Callable
    times: float = 1.0


def make_data(n: int, d: int, K: int) -> tuple[np.ndarray, np.ndarray]:
    """Return K overlapping classes with correlated features, each with enough samples."""
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(n) % K)
    mix = np.eye(d) + rng.normal(size=(d, d)) / (2 * np.sqrt(d))
    return rng.normal(size=(n, d)) @ mix + rng.normal(size=(K, d))[y], y


def fitted(name: str, X: np.ndarray, y: np.ndarray) -> tuple[Any, Any]:
    """Ours and scikit-learn's, the faster of its exact solvers."""
    peers = {
        "QDA": [discriminant_analysis.QuadraticDiscriminantAnalysis(solver=solver) for solver in ("eigen", "svd")],
        "LDA": [discriminant_analysis.LinearDiscriminantAnalysis(solver=solver) for solver in ("lsqr", "svd")],
        "GaussianNB": [naive_bayes.GaussianNB(var_smoothing=0)],
    }[name]
    ours = OURS[name](ddof=0).fit(X, y)  # scikit-learn divides by n
    peer = min(peers, key=lambda each: seconds(lambda: each.fit(X, y)))
    if (ours.predict(X) == peer.predict(X)).mean() < 1 - 1e-4:
        raise RuntimeError(f"{name} {X.shape}: {peer} decides otherwise")
    return ours, peer


@lru_cache(maxsize=1)
def data_and_fitted(name: str, shape: tuple[int, int, int]) -> tuple[Any, tuple[Any, Any]]:
    data = make_data(*shape)
    return data, fitted(name, *data)


def gaussian_rows() -> Iterator[tuple[str, Callable[[], Pair]]]:
    for name in OURS:
        for shape in [*SHAPES, *MANY_CLASSES]:
            size = "{:,} x {} x {}".format(*shape)

            def method(what: str, name=name, shape=shape) -> Pair:
                data, both = data_and_fitted(name, shape)
                arguments = data if what == "fit" else data[:1]
                return Pair(*(lambda each=each: getattr(each, what)(*arguments) for each in both))

            old = "" if shape in SHAPES else "many classes, "
            for what in ("fit", "predict", "predict_proba"):
                yield f"{name} {what}, {old}{size}", lambda what=what, method=method: method(what)
    X, y = make_data(100_000, 20, 3)
    holes = np.where(np.random.default_rng(1).random(X.shape) < 0.1, np.nan, X)
    costs = np.random.default_rng(1).random((4, 3))
    kinds = {"float32": X.astype(np.float32), "Fortran order": np.asfortranarray(X), "a frame": pd.DataFrame(X)}
    for name in OURS:
        ours, peer = fitted(name, X, y)
        one, alone = fitted(name, X[:500], y[:500])
        yield (
            f"{name} predict, one row",
            lambda a=one, b=alone: Pair(lambda: a.predict(X[:1]), lambda: b.predict(X[:1])),
        )
        yield (
            f"{name} decide",
            lambda a=ours, b=peer: Pair(
                lambda: a.decide(X, costs), lambda: (b.predict_proba(X) @ costs.T).argmin(axis=1)
            ),
        )
        for kind, given in kinds.items():
            for what in ("fit", "predict"):
                yield (
                    f"{name} {what}, {kind}",
                    lambda name=name, what=what, given=given: Pair(
                        *(
                            lambda each=each: getattr(each, what)(*((given, y) if what == "fit" else (given,)))
                            for each in (both.fit(given, y) for both in fitted(name, X, y))
                        )
                    ),
                )
        yield (
            f"{name} predict with gaps, against 15 times complete",
            lambda a=ours: Pair(lambda: a.predict(holes[:20_000]), lambda: a.predict(X[:20_000]), 15),
        )
    nb, weights = naive_bayes.GaussianNB(var_smoothing=0), np.random.default_rng(2).random(len(X))
    ours = bayeslab.GaussianNB(ddof=0)
    yield "GaussianNB fit, weights", lambda: Pair(lambda: ours.fit(X, y, weights), lambda: nb.fit(X, y, weights))
    for n in (1, 100, 10_000):
        a, b = bayeslab.GaussianNB(ddof=0).fit(X, y), naive_bayes.GaussianNB(var_smoothing=0).fit(X, y)
        yield (
            f"GaussianNB partial_fit, {n:,} rows",
            lambda a=a, b=b, n=n: Pair(lambda: a.partial_fit(X[:n], y[:n]), lambda: b.partial_fit(X[:n], y[:n])),
        )
    for shrinkage, theirs in ((0.1, 0.1), ("ledoit_wolf", "auto")):
        a = bayeslab.LinearDiscriminantAnalysis(shrinkage=shrinkage)
        b = discriminant_analysis.LinearDiscriminantAnalysis("lsqr", shrinkage=theirs)
        yield f"LDA fit, {shrinkage=}", lambda a=a, b=b: Pair(lambda: a.fit(X, y), lambda: b.fit(X, y))
    lda, peer = fitted("LDA", X, y)
    peer = discriminant_analysis.LinearDiscriminantAnalysis("svd").fit(X, y)
    yield "LDA transform", lambda: Pair(lambda: lda.transform(X), lambda: peer.transform(X))
    qda, normal = fitted("QDA", X, y)[0], stats.multivariate_normal
    yield (
        "QDA explain, against SciPy's densities",
        lambda: Pair(
            lambda: qda.explain(X[:5_000]),
            lambda: [normal(g.mean, g.covariance).logpdf(X[:5_000]) for g in qda.gaussians_],
        ),
    )


def other_rows() -> Iterator[tuple[str, Callable[[], Pair]]]:
    rng = np.random.default_rng(0)
    X, y = make_data(50_000, 10, 3)
    g = Gaussian.fit(X)
    peer = stats.multivariate_normal(g.mean, g.covariance)
    yield "Gaussian log_density", lambda: Pair(lambda: g.log_density(X), lambda: peer.logpdf(X))
    yield "Gaussian fit", lambda: Pair(lambda: Gaussian.fit(X), lambda: (X.mean(axis=0), np.cov(X.T)))
    t = bayeslab.StudentT().fit(X[:100])
    yield (
        "StudentT, 50,000 x 10",
        lambda: Pair(lambda: t.score_samples(X), lambda: stats.multivariate_t(np.zeros(10), np.eye(10), 90).logpdf(X)),
    )
    x, at = rng.normal(size=(2, 4_000))
    window, kernels = families.ParzenWindow().fit(x), stats.gaussian_kde(x)
    yield "kernel density, 4,000 at 4,000", lambda: Pair(lambda: window.log_density(at), lambda: kernels.logpdf(at))
    coin, counts = rng.random((2, 20_000, 50)) < 0.3, rng.poisson(2.0, (20_000, 50))
    label = rng.integers(5, size=20_000)
    cases = {
        "Bernoulli": (bayeslab.NaiveBayes(families.Bernoulli()), naive_bayes.BernoulliNB(alpha=1e-9), coin[0] * 1.0),
        "Categorical": (
            bayeslab.NaiveBayes(families.Categorical(alpha=1)), naive_bayes.CategoricalNB(), counts.clip(0, 3) * 1.0
        ),
        "Poisson": (bayeslab.NaiveBayes(families.Poisson()), _PoissonNB(), counts * 1.0),
        "Normal": (bayeslab.NaiveBayes(families.Normal()), naive_bayes.GaussianNB(), counts + 0.1 * coin[1]),
    }  # fmt: skip
    words = sparse.random(
        20_000, 20_000, 0.002, "csr", rng=np.random.default_rng(0), data_rvs=lambda n: 1.0 + rng.poisson(1.0, n)
    )
    cases["MultinomialNB, sparse"] = bayeslab.MultinomialNB(), naive_bayes.MultinomialNB(), words
    cases["BernoulliNB, sparse"] = bayeslab.BernoulliNB(), naive_bayes.BernoulliNB(), words
    cases["MultinomialNB, dense"] = bayeslab.MultinomialNB(), naive_bayes.MultinomialNB(), counts * 1.0
    cases["BernoulliNB, dense"] = bayeslab.BernoulliNB(), naive_bayes.BernoulliNB(), coin[0] * 1.0
    for name, (ours, theirs, given) in cases.items():
        ours.fit(given, label), theirs.fit(given, label)
        yield f"{name} fit", lambda a=ours, b=theirs, X=given: Pair(lambda: a.fit(X, label), lambda: b.fit(X, label))
        for what in ("predict", "predict_proba"):
            yield (
                f"{name} {what}",
                lambda a=ours, b=theirs, X=given, what=what: Pair(
                    lambda: getattr(a, what)(X), lambda: getattr(b, what)(X)
                ),
            )
    many = make_data(1_000_000, 4, 3)
    yield (
        "k_fold, a million rows",
        lambda: Pair(
            lambda: bayeslab.k_fold(many[1], 10, rng, stratify=True),
            lambda: list(model_selection.StratifiedKFold(10, shuffle=True, random_state=0).split(*many)),
        ),
    )
    folds, nb = bayeslab.k_fold(many[1], 10, rng), naive_bayes.GaussianNB()
    yield (
        "cross_validate, a million rows, 10 folds",
        lambda: Pair(
            lambda: bayeslab.cross_validate(nb, *many, folds),
            lambda: model_selection.cross_validate(nb, *many, cv=folds),
        ),
    )
    few, lda = (X[:300], y[:300]), bayeslab.LinearDiscriminantAnalysis()
    leave = model_selection.LeaveOneOut()
    yield (
        "leave one out, 300 rows",
        lambda: Pair(
            lambda: lda.leave_one_out_log_proba(*few),
            lambda: model_selection.cross_val_predict(
                discriminant_analysis.LinearDiscriminantAnalysis(), *few, cv=leave
            ),
        ),
    )
    two = X[:500, :2], y[:500]
    a, b = fitted("QDA", *two)

    def draw(plot: Callable) -> None:
        figure, ax = plt.subplots()
        plot(ax)
        plt.close(figure)

    yield (
        "plot_regions, 400 x 400",
        lambda: Pair(
            lambda: draw(lambda ax: plotting.plot_regions(a, two[0], ax)),
            lambda: draw(
                lambda ax: inspection.DecisionBoundaryDisplay.from_estimator(
                    b, two[0], ax=ax, grid_resolution=400, response_method="predict"
                )
            ),
        ),
    )
    grid = np.stack(np.meshgrid(*[np.linspace(-12, 12, 1_000)] * 2), axis=-1).reshape(-1, 2)
    for K in (2, 10, 30):
        gaussians = [Gaussian(rng.normal(size=2) * 2, np.cov(rng.normal(size=(2, 5)))) for _ in range(K)]
        yield (
            f"bayes_error in the plane, {K} classes, against a grid of 3 digits",
            lambda every=gaussians, K=K: Pair(
                lambda: bayeslab.bayes_error(every),
                lambda: np.max([np.exp(each.log_density(grid)) for each in every], axis=0).sum() / K,
            ),
        )


class _PoissonNB:
    """Naive Bayes of counts in plain NumPy."""

    def fit(self, X, y):
        rates = np.array([X[y == k].mean(axis=0) for k in range(5)])
        self.logs, self.sums, self.priors = np.log(rates).T, rates.sum(axis=1), np.log(np.bincount(y) / len(y))

    def joint(self, X):
        return X @ self.logs - self.sums + self.priors

    def predict(self, X):
        return self.joint(X).argmax(axis=1)

    def predict_proba(self, X):
        joint = self.joint(X)
        shares = np.exp(joint - joint.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)


def mixture_rows() -> Iterator[tuple[str, Callable[[], Pair]]]:
    kinds = {"full": "full", "shared": "tied", "diagonal": "diag", "spherical": "spherical"}
    for shape in [(100_000, 2, 3), (100_000, 10, 5), (50_000, 30, 5), (50_000, 50, 5), (20_000, 30, 20)]:
        for kind in kinds:
            yield (
                "mixture fit, {}, {:,} x {} x {}".format(kind, *shape),
                lambda kind=kind, shape=shape: em(kind, kinds[kind], *shape),
            )


def em(kind: str, theirs: str, n: int, d: int, K: int) -> Pair:
    """Both make the same iterations from the same start and must end at the same log-likelihood."""
    X, _ = make_data(n, d, K)
    means, Σ = X[np.random.default_rng(1).choice(n, K, replace=False)], np.cov(X.T)
    start = {"full": Σ, "shared": Σ, "diagonal": Σ.diagonal(), "spherical": Σ.diagonal().mean()}[kind]
    inverse = np.linalg.inv(Σ) if np.ndim(start) == 2 else 1 / start
    ours = bayeslab.GaussianMixture(
        K, "full" if kind == "shared" else kind, kind == "shared", tol=0, max_iter=N_ITER,
        init=(np.full(K, 1 / K), means, np.array([start] * K)),
    )  # fmt: skip
    # Whatever is given, scikit-learn also makes a start of its own, and this is its quickest.
    peer = mixture.GaussianMixture(
        K, covariance_type=theirs, tol=0, reg_covar=0, max_iter=N_ITER, init_params="random_from_data", random_state=0,
        weights_init=np.full(K, 1 / K), means_init=means,
        precisions_init=inverse if kind == "shared" else np.array([inverse] * K),
    )  # fmt: skip
    if abs(ours.fit(X).score(X) - peer.fit(X).score(X)) > 1e-9 * abs(ours.score(X)):
        raise RuntimeError(f"mixtures of {kind} covariances, {(n, d, K)}: the log-likelihoods differ")
    return Pair(lambda: ours.fit(X), lambda: peer.fit(X))


def seconds(call: Callable) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare(pair: Pair, budget: float) -> tuple[float, float, float]:
    """Least seconds of both calls, in turn at least 4 times, and the standard deviation of the ratio."""
    runs, end = [], time.perf_counter() + budget
    while len(runs) < 4 or time.perf_counter() < end:
        runs.append((seconds(pair.ours), seconds(pair.peer) * pair.times))
    ours, peer = np.array(runs).T
    return ours.min(), peer.min(), float(np.std(peer / ours))


def exponents() -> Iterator[str]:
    """Slope of log time over log size, from four sizes: of fit and predict in n, d and K."""
    sizes = {
        "n": [(n, 20, 5) for n in (50_000, 100_000, 200_000, 400_000)],
        "d": [(20_000, d, 5) for d in (16, 32, 64, 128)],
        "K": [(40_000, 20, K) for K in (10, 20, 40, 80)],
    }
    for name, Rule in OURS.items():
        for what in ("fit", "predict"):
            slopes = {}
            for letter, shapes in sizes.items():
                times = []
                for shape in shapes:
                    X, y = make_data(*shape)
                    rule = Rule().fit(X, y)
                    arguments = (X, y) if what == "fit" else (X,)
                    times.append(min(seconds(partial(getattr(rule, what), *arguments)) for _ in range(4)))
                measure = [dict(zip("ndK", shape, strict=True))[letter] for shape in shapes]
                slopes[letter] = np.polyfit(np.log(measure), np.log(times), 1)[0]
            yield f"{name} {what}: " + ", ".join(f"{letter}^{slope:.2f}" for letter, slope in slopes.items())


def memory() -> Iterator[str]:
    """Peak beyond input and output, as NumPy's allocations tell."""
    calls = {}
    for size in [(1_000_000, 20, 3), (20_000, 10, 500)]:
        X, y = make_data(*size)
        for name, Rule in OURS.items():
            rule = Rule().fit(X, y)
            label = "{} {:,} x {} x {}".format(name, *size)
            calls[f"{label}: fit"] = lambda rule=rule, X=X, y=y: rule.fit(X, y)
            for what in ("predict", "predict_proba", "joint_log_likelihood", "decide"):
                calls[f"{label}: {what}"] = lambda rule=rule, X=X, what=what: getattr(rule, what)(X)
    Z = make_data(50_000, 30, 20)[0]
    start = np.full(20, 0.05), Z[:20], np.array([np.cov(Z.T)] * 20)
    mixed = bayeslab.GaussianMixture(20, tol=0, max_iter=2, init=start)
    calls["mixture 50,000 x 30 x 20: fit"] = lambda: mixed.fit(Z)
    for name, call in calls.items():
        tracemalloc.start()
        result = call()
        peak = tracemalloc.get_traced_memory()[1] - (result.nbytes if isinstance(result, np.ndarray) else 0)
        tracemalloc.stop()
        yield f"{peak / 2**20:7.1f} MB  {name}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="part of the name of a row")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds for each row")
    parser.add_argument("--store", action="store_true", help="keep this run as the table to compare with")
    options = parser.parse_args()
    matplotlib.use("Agg")
    warnings.simplefilter("ignore")  # scikit-learn's, about collinear columns and too few iterations
    rows, start = {}, time.perf_counter()
    for every in (gaussian_rows, other_rows, mixture_rows):
        for name, pair in every():
            if options.only in name:
                rows[name] = compare(pair(), options.budget)
                ours, peer, _ = rows[name]
                print(f"{peer / ours:7.2f}  {1e3 * ours:10.3f} ms  {name}", flush=True)
    ratios = {name: peer / ours for name, (ours, peer, _) in rows.items()}
    before = pd.read_csv(TABLE, sep="\t", comment="#", index_col=0)["ratio"].to_dict() if TABLE.exists() else {}
    print("\nBelow 1:")
    for name in sorted((name for name in ratios if ratios[name] < 1), key=ratios.__getitem__):
        print(f"{ratios[name]:7.2f} ± {rows[name][2]:.2f}  {name}")
    print("\nLost a third since the stored table:")
    for name in ratios:
        if ratios[name] < 2 / 3 * before.get(name, 0):
            print(f"{before[name]:7.2f} -> {ratios[name]:.2f}  {name}")
    print(f"\nGeometric mean of {len(rows)} rows: {geometric_mean(ratios.values()):.2f}")
    for what in ("fit", "predict"):
        old = [ratios[name] for name in ratios if any(name == f"{rule} {what}, " + "{:,} x {} x {}".format(*shape)
                                                      for rule in OURS for shape in SHAPES)]  # fmt: skip
        if old:
            print(f"    {what} of three rules at seven shapes: {geometric_mean(old):.2f}, least {min(old):.2f}")
    if not options.only:
        print("\nHow time grows:", *exponents(), "\nMemory beyond input and output:", *memory(), sep="\n")
    print(f"\n{time.perf_counter() - start:.0f} s, load {os.getloadavg()[0]:.1f}")
    if options.store:
        about = f"# {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, NumPy "
        about += f"{np.__version__}, SciPy {scipy.__version__}, scikit-learn {sklearn.__version__}\n"
        table = pd.DataFrame(rows, index=["ours", "peer", "deviation"]).T.assign(ratio=ratios).round(6)
        TABLE.write_text(about + table.to_csv(sep="\t", index_label="row"), encoding="utf-8")


if __name__ == "__main__":
    main()
