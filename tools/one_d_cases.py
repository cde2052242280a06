"""Cases of the one-dimensional explorers, and their numbers with 50 digits by mpmath: what JavaScript must find, too.

`python tools/one_d_cases.py` writes them to tests/explorer/one_d_cases.json; test_one_d.py holds SciPy and `bayeslab`
to that file, and one_d.test.mjs the JavaScript.
"""

import json
from itertools import combinations, combinations_with_replacement, pairwise
from pathlib import Path

from mpmath import erfc, fsum, inf, isinf, log, mp, mpf, pi, sqrt

PATH = Path(__file__).parents[1] / "tests" / "explorer" / "one_d_cases.json"
mp.dps = 50


def classes():
    """Name, means, deviations, priors, costs and thresholds of each case."""
    yield "tumours", [0.0744, 0.1822], [0.0358, 0.0463], [0.6274, 0.3726], [1, 20], [0.15]
    yield "two irises", [4.26, 5.552], [0.47, 0.552], [0.5, 0.5], [9, 1], [4.9]
    yield "three irises", [1.462, 4.26, 5.552], [0.174, 0.47, 0.552], [1 / 3] * 3, [1, 9, 1], [2.5, 4.9]
    yield "equal deviations", [0, 2], [1, 1], [0.9, 0.1], [1, 1], [1]
    yield "nearly equal deviations", [0, 2], [1, 1 + 1e-9], [0.9, 0.1], [1, 1], [1]
    yield "equal means", [3, 3], [1, 2], [0.5, 0.5], [1, 1], [3]
    yield "equal means, no crossing", [3, 3], [1, 2], [0.1, 0.9], [1, 1], [3]
    yield "identical", [1, 1], [2, 2], [0.5, 0.5], [1, 3], [0]
    yield "deviations 1 to 100", [0, 1], [1, 100], [0.5, 0.5], [1, 1], [-2]
    yield "deviations 100 to 1", [0, 1], [100, 1], [0.5, 0.5], [2, 1], [1]
    yield "far tails", [0, 30], [1, 1.5], [0.5, 0.5], [1, 1], [20]
    yield "far from the origin", [1e6, 1e6 + 3], [1, 2], [0.3, 0.7], [5, 1], [1e6 + 1]
    yield "small units", [1e-9, 3e-9], [1e-9, 2e-9], [0.5, 0.5], [1, 1], [2e-9]
    yield "prior 0", [0, 2], [1, 1], [0, 1], [1, 1], [1]
    yield "prior 1e-9", [0, 2], [1, 0.5], [1e-9, 1 - 1e-9], [1, 1], [1]
    yield "a mistake costs nothing", [0, 2], [1, 1], [0.5, 0.5], [0, 1], [1]
    yield "wrong way round", [2, 0], [1, 1], [0.5, 0.5], [1, 1], [1]
    yield "a class that never wins", [0, 1, 2], [1, 5, 1], [0.45, 0.1, 0.45], [1, 1, 1], [0.5, 1.5]


def samples():
    """Name, sample, and a mean and a deviation to judge it by."""
    virginica = [6.0, 5.1, 5.9, 5.6, 5.8, 6.6, 4.5, 6.3, 5.8, 6.1, 5.1, 5.3, 5.5, 5.0, 5.1, 5.3, 5.5, 6.7, 6.9, 5.0]
    yield "virginica", virginica, 4.5, 1
    yield "three points", [1, 2, 4], 2, 0.5
    yield "two points", [-1, 1], 0.5, 3
    yield "far from the origin", [1e6, 1e6 + 1, 1e6 + 3], 1e6, 2
    yield "small units", [1e-9, 2e-9, 5e-9], 1e-9, 1e-9
    yield "a far point", [0, 0.1, -0.1, 0.05, 100], 0, 0.1


def area(mean, deviation, low, high):
    """Area of a Gaussian between two places."""
    return (erfc((low - mean) / deviation / sqrt(2)) - erfc((high - mean) / deviation / sqrt(2))) / 2


def crossings(one, other):
    """Places where two classes (mean, deviation, weight) have the same weight × density, as the textbook solves it."""
    (m, s, v), (n, t, w) = one, other
    if not v or not w:
        return []
    a, b, c = 1 / t**2 - 1 / s**2, 2 * (m / s**2 - n / t**2), n**2 / t**2 - m**2 / s**2 + 2 * log(v * t / w / s)
    if not a:
        return [-c / b] if b else []
    square = b * b - 4 * a * c
    return sorted([(-b - sqrt(square)) / 2 / a, (-b + sqrt(square)) / 2 / a]) if square > 0 else []


def best_thresholds(triples):
    """Decisions for the largest weight × density from left to right, and the places where they change."""
    places = sorted({place for pair in combinations(triples, 2) for place in crossings(*pair)})
    inner = [places[0] - 1, *((a + b) / 2 for a, b in pairwise(places)), places[-1] + 1] if places else [triples[0][0]]

    def score(triple, x):
        mean, deviation, weight = triple
        return log(weight / deviation) - ((x - mean) / deviation) ** 2 / 2 if weight else -inf

    scores = [[score(triple, x) for triple in triples] for x in inner]
    winners = [row.index(max(row)) for row in scores]
    changes = [i for i, (a, b) in enumerate(pairwise(winners)) if a != b]
    return [winners[0], *(winners[i + 1] for i in changes)], [places[i] for i in changes]


def loss(triples, decisions, thresholds):
    """Weight × share on the wrong side, by class."""
    ends = list(pairwise([-inf, *thresholds, inf]))
    wrong = [
        [area(m, s, *e) for e, k in zip(ends, decisions, strict=True) if k != j] for j, (m, s, _) in enumerate(triples)
    ]
    return [triple[2] * fsum(areas) for triple, areas in zip(triples, wrong, strict=True)]


def derive_classes(means, deviations, priors, costs, thresholds):
    """Return what the threshold explorer shows."""
    means, deviations, priors, costs = ([mpf(value) for value in row] for row in (means, deviations, priors, costs))
    classes = list(zip(means, deviations, priors, strict=True))
    weighed = list(zip(means, deviations, [p * c for p, c in zip(priors, costs, strict=True)], strict=True))
    order, places = (
        range(len(means)),
        sorted({place for pair in combinations(weighed, 2) for place in crossings(*pair)}),
    )
    decisions, best = best_thresholds(classes)
    candidates = combinations_with_replacement([-inf, *places, inf], len(means) - 1)
    cheapest = min((fsum(loss(weighed, order, ends)), i, ends) for i, ends in enumerate(candidates))
    cheapest_decisions, cheapest_rule = best_thresholds(weighed)
    return {
        "mistakes": numbers(loss(classes, order, thresholds)),
        "cost": float(fsum(loss(weighed, order, thresholds))),
        "bayes_decisions": decisions,
        "bayes_thresholds": numbers(best),
        "bayes_error": float(fsum(loss(classes, decisions, best))),
        "cheapest_thresholds": [
            str(end).replace("inf", "Infinity") if isinf(end) else float(end) for end in cheapest[2]
        ],
        "least_cost": float(cheapest[0]),
        "bayes_cost": float(fsum(loss(weighed, cheapest_decisions, cheapest_rule))),
    }


def derive_sample(points, mu, sigma):
    """Return what the likelihood explorer shows."""
    points, mu, sigma, n = [mpf(x) for x in points], mpf(mu), mpf(sigma), len(points)
    mean = fsum(points) / n
    scatter = fsum((x - mean) ** 2 for x in points)

    def log_likelihood(mu, sigma):
        return -fsum(log(sigma * sqrt(2 * pi)) + ((x - mu) / sigma) ** 2 / 2 for x in points)

    return {
        "log_likelihood": float(log_likelihood(mu, sigma)),
        "gradient": numbers(
            [fsum(x - mu for x in points) / sigma**2, fsum((x - mu) ** 2 for x in points) / sigma**3 - n / sigma]
        ),
        "mean": float(mean),
        "deviations": numbers([sqrt(scatter / n), sqrt(scatter / (n - 1))]),
        "maximum": float(log_likelihood(mean, sqrt(scatter / n))),
    }


def numbers(values):
    """Return floats, which JSON can hold."""
    return [float(value) for value in values]


if __name__ == "__main__":
    both = {}
    for kind, cases, derive, names in (
        ("classes", classes, derive_classes, ("means", "deviations", "priors", "costs", "thresholds")),
        ("samples", samples, derive_sample, ("points", "mean", "deviation")),
    ):
        both[kind] = [
            {"name": name, "given": dict(zip(names, given, strict=True)), "expected": derive(*given)}
            for name, *given in cases()
        ]
    rows = [f'"{kind}": [\n' + ",\n".join(map(json.dumps, cases)) + "\n]" for kind, cases in both.items()]
    PATH.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
