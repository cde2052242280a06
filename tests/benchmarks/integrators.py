"""How far off are `bayes_error` and `error_of`, and how far do they say? (`make bench-integrators ARGS='--n 20'`)

Each line of the table is one method and kind of rule on random problems: the processor time of a call, the median of
the error that it states, the median and the largest of its true error, and the share of the problems in which the truth
lies within the stated error, which should be at least 95 %. The oracles share no code with the package: they cut each
row where anything can change, or try the rule at many places, and add up shares of the true Gaussians.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import combinations
from types import SimpleNamespace

import numpy as np
from scipy.special import ndtr
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from bayeslab import (
    Gaussian,
    GaussianNB,
    LinearDiscriminantAnalysis,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
    TrueClassifier,
    bayes_error,
    error_of,
)
from bayeslab.families import ParzenWindow

REACH = 8.0  # standard deviations
SHAPES = ("ordinary", "other scales", "nearly singular", "far apart", "on top of each other", "rare classes")


def mixtures(rng, d: int, parts: int, shape: str) -> tuple[list, np.ndarray]:
    """Two to five classes, each a list of pairs (weight, Gaussian), and their priors."""
    K, classes = int(rng.integers(2, 6 if parts == 1 else 4)), []
    for _ in range(K):
        weights, gaussians = rng.dirichlet(np.full(parts, 3.0)), []
        for _ in range(parts):
            A = rng.normal(size=(d, d))
            if shape == "nearly singular" and d > 1:
                A[:, 1:] *= 10 ** rng.uniform(-4, -1)
            A *= 10 ** rng.uniform(-2, 1) if shape == "other scales" else 1
            away = {"far apart": 8, "on top of each other": 0.3}.get(shape, 2)
            Σ = A @ A.T
            gaussians.append(Gaussian(away * rng.normal(size=d), Σ + 1e-9 * np.trace(Σ) * np.eye(d)))
        classes.append(list(zip(weights.tolist(), gaussians, strict=True)))
    priors = rng.dirichlet(np.full(K, 2.0)) * (10 ** rng.uniform(-8, 0, K) if shape == "rare classes" else 1)
    return classes, priors / priors.sum()


def sample(classes, rng, least: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """At least `least` and fewer than `most` samples of each class."""
    X, y = [], []
    for k, parts in enumerate(classes):
        sizes = rng.multinomial(rng.integers(least, most), [weight for weight, _ in parts])
        X += [gaussian.sample(n, rng) for n, (_, gaussian) in zip(sizes, parts, strict=True)]
        y += [k] * sizes.sum()
    return np.concatenate(X), np.array(y)


def lost_on_rows(classes, priors, decide: Callable, y, cuts) -> np.ndarray:
    """What a rule gets wrong on each row y; between the cuts of a row, (rows, m), its decision is constant."""
    wide = np.concatenate([np.full((len(y), 1), -1e9), np.sort(cuts, axis=1), np.full((len(y), 1), 1e9)], axis=1)
    middle = (wide[:, 1:] + wide[:, :-1]) / 2
    middle[:, 0], middle[:, -1] = wide[:, 1] - 1, wide[:, -2] + 1
    places = np.stack([middle, np.broadcast_to(y[:, None], middle.shape)], axis=-1)
    decision, lost = decide(places.reshape(-1, 2)).reshape(middle.shape), np.zeros(len(y))
    for k, (prior, parts) in enumerate(zip(priors, classes, strict=True)):
        for weight, gaussian in parts:
            (xx, xy), (_, yy) = gaussian.covariance
            mean, deviation = gaussian.mean[0] + xy / yy * (y - gaussian.mean[1]), np.sqrt(xx - xy**2 / yy)
            shares = np.diff(ndtr((wide - mean[:, None]) / deviation), axis=1)
            density = np.exp(-((y - gaussian.mean[1]) ** 2) / (2 * yy)) / np.sqrt(2 * np.pi * yy)
            lost += prior * weight * (shares * (decision != k)).sum(axis=1) * density
    return lost


def over_all_rows(lost: Callable, edges, tolerance: float) -> float:
    """Integral of `lost(y)`: Gauss's rule in 100 pieces or more, each halved until that changes little."""
    t, w = np.polynomial.legendre.leggauss(4)
    ends = np.unique(np.concatenate([edges, np.linspace(edges[0], edges[-1], 101)]))

    def integrals(low, high):
        half = (high - low)[:, None] / 2
        return (half * w * lost((low[:, None] + half * (1 + t)).ravel()).reshape(-1, 4)).sum(axis=1)

    low, high, total = ends[:-1], ends[1:], 0.0
    once = integrals(low, high)
    for step in range(16):
        middle = (low + high) / 2
        left, right = integrals(low, middle), integrals(middle, high)
        rough = (np.abs(left + right - once) > tolerance) & (step < 15)
        total += (left + right)[~rough].sum()
        if not rough.any():
            break
        low, high = (np.concatenate([a[rough], b[rough]]) for a, b in ((low, middle), (middle, high)))
        once = np.concatenate([left[rough], right[rough]])
    return float(total)


def window(classes, axis: int) -> tuple[float, float]:
    ends = [
        gaussian.mean[axis] + sign * REACH * np.sqrt(gaussian.covariance[axis, axis])
        for parts in classes
        for _, gaussian in parts
        for sign in (-1, 1)
    ]
    return min(ends), max(ends)


def by_neighbours(classes, priors, rule, X) -> float:
    """The decision of nearest neighbours can change only where two training points are equally near."""
    i, j = np.triu_indices(len(X), 1)
    squares = np.square(X).sum(axis=1)

    def lost(y):
        level = squares[i] - squares[j] - 2 * y[:, None] * (X[i, 1] - X[j, 1])
        return lost_on_rows(classes, priors, rule.predict, y, level / (2 * (X[i, 0] - X[j, 0])))

    return over_all_rows(lost, window(classes, 1), 1e-7)


def by_boxes(classes, priors, rule, X) -> float:
    """A tree cuts along the axes."""
    tree = rule.tree_
    xs, ys = (np.unique(tree.threshold[tree.feature == axis]) for axis in (0, 1))
    low, high = window(classes, 1)

    def lost(y):
        return lost_on_rows(classes, priors, rule.predict, y, np.tile(xs, (len(y), 1)))

    return over_all_rows(lost, np.unique(np.concatenate([[low], ys.clip(low, high), [high]])), 1e-9)


def by_looking(classes, priors, decide: Callable, of_rule=()) -> float:
    """Look at places about each Gaussian, as it is on that row; where neighbouring decisions differ, bisect.

    A rule may have narrow Gaussians of its own, pairs (weight, Gaussian) too.
    """

    def lost(y):
        x = [np.tile(np.linspace(*window(classes, 0), 200), (len(y), 1))]
        for _, gaussian in [*(pair for parts in classes for pair in parts), *of_rule]:
            (xx, xy), (_, yy) = gaussian.covariance
            mean = gaussian.mean[0] + xy / yy * (y - gaussian.mean[1])
            x.append(mean[:, None] + np.sqrt(xx - xy**2 / yy) * np.linspace(-REACH, REACH, 81))
        x = np.sort(np.concatenate(x, axis=1), axis=1)
        decision = decide(np.stack([x, np.broadcast_to(y[:, None], x.shape)], axis=-1).reshape(-1, 2)).reshape(x.shape)
        return lost_on_rows(classes, priors, decide, y, bisected(decide, y, x, decision))

    return over_all_rows(lost, window(classes, 1), 1e-8)


def bisected(decide: Callable, y, x, decision) -> np.ndarray:
    """Cuts between those places x of each row, (rows, places), at which the decision changes."""
    row, place = np.nonzero(decision[:, 1:] != decision[:, :-1])
    low, high, left = x[row, place], x[row, place + 1], decision[row, place]
    for _ in range(30):
        middle = (low + high) / 2
        same = decide(np.column_stack([middle, y[row]])) == left if len(row) else middle
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    # Where a row has fewer cuts than others, its last place fills up: we have not looked beyond.
    cuts = np.repeat(x[:, -1:], max(np.bincount(row, minlength=len(y)).max(), 1), axis=1)
    cuts[row, np.arange(len(row)) - np.searchsorted(row, row)] = high
    return cuts


def by_kernels(classes, priors, rule, X) -> float:
    """As `by_looking`, at places about each kernel; the terms of x are the same on every row."""
    densities = [first for first, _ in rule.densities_]
    x = [window(classes, 0), *(np.linspace(*window(classes, 0), 400)[:, None])]
    x += [X[:, 0] + each.bandwidth_ * step for each in densities for step in np.linspace(-4, 4, 17)]
    x = np.unique(np.concatenate(x).clip(*window(classes, 0)))
    terms = np.array([each.log_density(x) for each in densities]) + np.log(rule.priors_)[:, None]

    def lost(y):
        decision = np.zeros((len(y), len(x)), dtype=int)
        best = np.full(decision.shape, -np.inf)
        for k, (_, second) in enumerate(rule.densities_):
            score = terms[k] + second.log_density(y)[:, None]
            np.copyto(decision, k, where=score > best)
            np.maximum(best, score, out=best)
        cuts = bisected(rule.predict, y, np.broadcast_to(x, decision.shape), decision)
        return lost_on_rows(classes, priors, rule.predict, y, cuts)

    return over_all_rows(lost, window(classes, 1), 1e-7)


def by_pairs(classes, priors, rule, rule_priors) -> float:
    """A rule with one Gaussian per class: in coordinates that make a class round, along lines in an odd direction."""
    return sum(
        prior * _share_lost(k, own, rule, rule_priors)
        for k, (prior, ((_, own),)) in enumerate(zip(priors, classes, strict=True))
    )


def _share_lost(k, own, rule, rule_priors) -> float:
    c, s = np.cos(0.9), np.sin(0.9)
    F, scores = np.linalg.cholesky(own.covariance) @ np.array([[c, -s], [s, c]]), []
    for prior, each in zip(rule_priors, rule, strict=True):
        L = np.linalg.cholesky(each.covariance)
        B, b = np.linalg.solve(L, F), np.linalg.solve(L, each.mean - own.mean)
        scores.append((-B.T @ B / 2, B.T @ b, np.log(prior) - np.log(np.diag(L)).sum() - b @ b / 2))

    def lost(y):
        lines = np.array(
            [[A[0, 0] + 0 * y, 2 * A[0, 1] * y + b[0], (A[1, 1] * y + b[1]) * y + c] for A, b, c in scores]
        )
        cuts = [0 * y - 9, 0 * y + 9]
        for one, other in combinations(lines, 2):
            u, v, w = one - other
            q = -(v + np.copysign(np.sqrt(np.maximum(v * v - 4 * u * w, 0)), v)) / 2
            with np.errstate(all="ignore"):
                cuts += [np.clip(np.nan_to_num(root), -9, 9) for root in (q / u, w / q)]
        cuts = np.sort(cuts, axis=0)
        middle = (cuts[1:] + cuts[:-1]) / 2
        winner = ((lines[:, 0, None] * middle + lines[:, 1, None]) * middle + lines[:, 2, None]).argmax(axis=0)
        return (
            np.where(winner != k, np.diff(ndtr(cuts), axis=0), 0).sum(axis=0) * np.exp(-y * y / 2) / np.sqrt(2 * np.pi)
        )

    low, high, total = np.linspace(-9, 9, 12_001)[:-1], np.linspace(-9, 9, 12_001)[1:], 0.0
    at_low, at_high = lost(low), lost(high)
    for step in range(40):  # Simpson's rule, halved where it is not yet right
        middle = (low + high) / 2
        left, at_middle, right = lost((low + middle) / 2), lost(middle), lost((middle + high) / 2)
        once = (high - low) / 6 * (at_low + 4 * at_middle + at_high)
        twice = (high - low) / 12 * (at_low + 4 * left + 2 * at_middle + 4 * right + at_high)
        rough = (np.abs(twice - once) > 1e-12) & (step < 39)
        total += (twice + (twice - once) / 15)[~rough].sum()
        low, high = (np.concatenate([a[rough], b[rough]]) for a, b in ((low, middle), (middle, high)))
        at_low, at_high = (np.concatenate([a[rough], b[rough]]) for a, b in ((at_low, at_middle), (at_middle, at_high)))
        if not len(low):
            break
    return float(total)


def on_line(classes, priors, decide: Callable) -> float:
    """Many places about each Gaussian, and bisection between them."""
    every = [(k, prior * w, g.mean[0], np.sqrt(g.covariance[0, 0])) for k, (prior, parts) in
             enumerate(zip(priors, classes, strict=True)) for w, g in parts]  # fmt: skip
    x = np.unique(np.concatenate([mean + deviation * np.linspace(-40, 40, 40_001) for *_, mean, deviation in every]))
    decision = decide(x[:, None])
    (place,) = np.nonzero(decision[1:] != decision[:-1])
    low, high = x[place], x[place + 1]
    for _ in range(80):
        middle = (low + high) / 2
        same = decide(middle[:, None]) == decision[place] if len(middle) else middle
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    ends, decided = np.concatenate([[-np.inf], high, [np.inf]]), np.append(decision[place], decision[-1])
    return float(sum(
        share * np.where(decided != k, np.diff(ndtr((ends - mean) / deviation)), 0).sum()
        for k, share, mean, deviation in every
    ))  # fmt: skip


def best(classes, priors) -> Callable:
    """The most probable class, from densities that are written out."""

    def decide(X):
        joint = []
        for prior, parts in zip(priors, classes, strict=True):
            terms = []
            for weight, gaussian in parts:
                L = np.linalg.cholesky(gaussian.covariance)
                z = np.linalg.solve(L, (X - gaussian.mean).T)
                terms.append(np.log(prior * weight) - np.log(np.diag(L)).sum() - np.square(z).sum(axis=0) / 2)
            joint.append(np.logaddexp.reduce(terms))
        return np.argmax(joint, axis=0)

    return decide


def gaussians(classes) -> list[Gaussian]:
    return [gaussian for ((_, gaussian),) in classes]


def silent(rule):
    """A rule that only predicts: where its densities are known and a plane is its boundary, nothing is integrated."""
    return SimpleNamespace(classes_=rule.classes_, predict=rule.predict)


# Each kind of problem: what to call, and the truth. A rule is fitted to few samples, so that its regions are odd.


def gaussian_rule(rng, d: int, i: int):
    classes, priors = mixtures(rng, d, 1, SHAPES[i // 2 % 6])
    if i % 2 == 0:
        truth = on_line(classes, priors, best(classes, priors)) if d == 1 else by_pairs(
            classes, priors, gaussians(classes), priors)  # fmt: skip
        return lambda: bayes_error(classes, priors), truth
    kinds = QuadraticDiscriminantAnalysis, LinearDiscriminantAnalysis, GaussianNB
    rule = kinds[int(rng.integers(3))]().fit(*sample(classes, rng, d + 2, 12))
    truth = on_line(classes, priors, rule.predict) if d == 1 else by_pairs(
        classes, priors, rule.gaussians_, rule.priors_)  # fmt: skip
    return lambda: error_of(rule, classes, priors), truth


def any_rule(make: Callable, oracle: Callable, parts=1):
    def problem(rng, i: int):
        classes, priors = mixtures(rng, 2, parts, SHAPES[i % 6] if i % 6 not in (1, 2) else "ordinary")
        X, y = sample(classes, rng, 6, 16)
        rule = make().fit(X, y)
        return lambda: error_of(rule, classes, priors), oracle(classes, priors, rule, X)

    return problem


def mixture(rng, i: int):
    classes, priors = mixtures(rng, 2, 2, "ordinary")
    if i % 2 == 0:
        return lambda: bayes_error(classes, priors), by_looking(classes, priors, best(classes, priors))
    other = [(w, g.moved_to(g.mean + 0.3 * rng.normal(size=2))) for parts in classes for w, g in parts]
    labels = [k for k, parts in enumerate(classes) for _ in parts]
    rule = TrueClassifier([g for _, g in other], labels, priors, [w for w, _ in other])
    decide = best([[other[i] for i in range(len(other)) if labels[i] == k] for k in range(len(classes))], priors)
    return lambda: error_of(rule, classes, priors), by_looking(classes, priors, decide, other)


def mixture_on_line(rng, i: int):
    classes, priors = mixtures(rng, 1, 2, SHAPES[i % 6])
    return lambda: bayes_error(classes, priors), on_line(classes, priors, best(classes, priors))


def neighbours_on_line(rng, i: int):
    classes, priors = mixtures(rng, 1, 1, SHAPES[i % 6])
    rule = KNeighborsClassifier(1).fit(*sample(classes, rng, 3, 12))
    return lambda: error_of(rule, classes, priors), on_line(classes, priors, rule.predict)


def hidden(rng, classes, priors, i: int):
    """A problem of the plane in 3 to 8 dimensions: the others are noise, alike in all classes, and all are mixed.

    The best rule, or QDA or LDA of samples in which the noise is uncorrelated, so that they decide in the plane too.
    """
    d, kind = int(rng.integers(3, 9)), (None, QuadraticDiscriminantAnalysis, LinearDiscriminantAnalysis)[i]
    F = rng.normal(size=(d, d))

    def mixed(mean, covariance) -> Gaussian:
        Σ = np.eye(d)
        Σ[:2, :2] = covariance
        return Gaussian(F @ np.append(mean, np.zeros(d - 2)), F @ Σ @ F.T)

    every = [mixed(g.mean, g.covariance) for g in gaussians(classes)]
    if kind is None:
        return lambda: bayes_error(every, priors), by_pairs(classes, priors, gaussians(classes), priors)
    X, y, own = [], [], []
    for k, g in enumerate(gaussians(classes)):
        few, n = g.sample(int(rng.integers(4, 12)), rng), 3 * d
        own.append(Gaussian.fit(few))
        Z = rng.normal(size=(n, d))
        Z -= Z.mean(axis=0)
        Z = np.linalg.solve(np.linalg.cholesky(Z.T @ Z / n), Z.T)  # of covariance I
        Z[:2] = own[-1].mean[:, None] + np.linalg.cholesky(own[-1].covariance) @ Z[:2]
        X.append((F @ Z).T)
        y += [k] * n
    rule = kind(priors=priors, ddof=0).fit(np.concatenate(X), y)
    if kind is LinearDiscriminantAnalysis:
        pooled = np.mean([each.covariance for each in own], axis=0)
        own = [Gaussian(each.mean, pooled) for each in own]
    return lambda: error_of(silent(rule), every, priors), by_pairs(classes, priors, own, priors)


def more_dimensions(which: int):
    return lambda rng, i: hidden(rng, *mixtures(rng, 2, 1, SHAPES[i % 6]), which)


def linear(rng, i: int):
    """A linear rule of two classes in 3 to 8 dimensions is wrong with a probability that Φ gives."""
    d = int(rng.integers(3, 9))
    classes, priors = mixtures(rng, d, 1, "ordinary")
    classes, priors = classes[:2], priors[:2] / priors[:2].sum()
    rule = LinearDiscriminantAnalysis().fit(*sample(classes, rng, d + 2, 20))
    slope, level = rule.coef_[0], rule.intercept_[0]
    z = [(level + slope @ g.mean) / np.sqrt(slope @ g.covariance @ slope) for g in gaussians(classes)]
    return lambda: error_of(silent(rule), classes, priors), float(priors @ [ndtr(z[0]), ndtr(-z[1])])


KINDS = {
    "Gaussian rules on the line": lambda rng, i: gaussian_rule(rng, 1, i),
    "Gaussian rules in the plane": lambda rng, i: gaussian_rule(rng, 2, i),
    "mixtures on the line": mixture_on_line,
    "mixtures in the plane": mixture,
    "1 neighbour on the line": neighbours_on_line,
    "1 neighbour in the plane": any_rule(lambda: KNeighborsClassifier(1), by_neighbours),
    "5 neighbours in the plane": any_rule(lambda: KNeighborsClassifier(5), by_neighbours),
    "trees": any_rule(lambda: DecisionTreeClassifier(random_state=0), by_boxes),
    "trees, true mixtures": any_rule(lambda: DecisionTreeClassifier(random_state=0), by_boxes, parts=2),
    "naive Bayes with kernels": any_rule(lambda: NaiveBayes(ParzenWindow()), by_kernels),
    "best rules, 3 to 8 dim.": more_dimensions(0),
    "QDA, 3 to 8 dimensions": more_dimensions(1),
    "LDA, 3 to 8 dimensions": more_dimensions(2),
    "LDA of two, 3 to 8 dim.": linear,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=200, help="problems of each kind")
    parser.add_argument("--only", default="", help="part of the name of a kind")
    options = parser.parse_args()
    print(f"{'problems':28}{'method':>12}{'n':>5}{'time':>9}{'stated':>10}{'true':>10}{'largest':>10}{'within':>9}")
    for name, kind in KINDS.items():
        if options.only not in name:
            continue
        rows, methods = [], set()
        for i in range(options.n):
            call, truth = kind(np.random.default_rng([len(name), i]), i)
            start = time.process_time()
            found = call()
            rows.append((time.process_time() - start, found.error, abs(found.value - truth)))
            methods.add(found.method)
            if rows[-1][2] > found.error:
                print(f"    problem {i}: {found.value:.3g} ± {found.error:.1e}, but the truth is {truth:.3g}")
        seconds, stated, true = np.array(rows).T
        print(
            f"{name:28}{'/'.join(sorted(methods)):>12}{len(rows):5}{1e3 * np.median(seconds):6.0f} ms"
            f"{np.median(stated):10.0e}{np.median(true):10.0e}{true.max():10.0e}{np.mean(true <= stated):9.1%}",
            flush=True,
        )


if __name__ == "__main__":
    main()
