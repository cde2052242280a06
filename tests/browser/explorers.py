"""The nine explorers in one table: how each is made, what can be done to it, and what Python computes of the same."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import norm
from screen import number
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from bayeslab import Gaussian, GaussianClassifier, error_of
from bayeslab.explore import EMExplorer, NeighboursExplorer, VarianceExplorer

SETUP = """
import json
import numpy as np
from bayeslab import Gaussian, load_iris, make_gaussian_pair, make_three_classes
from bayeslab.explore import *

shelf = make_gaussian_pair("P1a", 20, np.random.default_rng(3))
flowers = load_iris().select("petal length", "petal width")
three = make_three_classes(20, np.random.default_rng(0))
"""
NAMES = {}
exec(SETUP, NAMES)


# What is on the screen, compared with Python, which computes it from the values of the traits .........................


def decisions_and_errors(screen):
    if len(screen.points()):
        screen.shows_what_python_computes()
    else:
        assert screen.text("sample-error") == "no points"
    explorer = screen.python()
    densities = [Gaussian(*pair) for pair in zip(explorer.means, explorer.covariances, strict=True)]
    error = error_of(explorer.classifier(), densities, explorer.priors).value
    assert number(screen.text("true-error")) == pytest.approx(100 * error, rel=1e-3)


def eigenvalues(screen):
    values = np.linalg.eigvalsh(screen.values()["covariance"])[::-1]
    for name, value in zip(["Eigenvalue λ₁ along u₁", "Eigenvalue λ₂ along u₂"], values, strict=True):
        assert number(screen.text(name)) == pytest.approx(value, rel=1e-3)
    assert number(screen.text("Determinant |Σ| = λ₁ λ₂")) == pytest.approx(values.prod(), rel=1e-3)


def mixture_of(screen):
    values = screen.values()
    return EMExplorer(values["points"], values["starts"], values["sizes"], step=values["step"]).mixture()


def half_steps(screen):
    values, mixture = screen.values(), mixture_of(screen)
    n, here = len(values["points"]), min(values["step"], 2 * mixture.n_iter_)
    now = mixture.history_[here // 2]
    assert screen.text("Step shown") == (f"{'ME'[here % 2]}-step {(here + 1) // 2}" if here else "start")
    assert number(screen.text("Log-likelihood ℓ")) == pytest.approx(now.log_likelihood * n, abs=6e-4)
    weights = [float(weight) for weight in screen.text("Weights λ").split(", ")]
    np.testing.assert_allclose(weights, now.weights, atol=6e-4)
    end = f"ℓ = {mixture.history_[-1].log_likelihood * n:.3f} after {mixture.n_iter_} iterations"
    assert screen.text("At the end") == end.replace("-", "−")


def log_likelihoods(screen):
    points, mu, sigma = (np.array(screen.values()[name]) for name in ("points", "mean", "deviation"))
    assert number(screen.text("Log-likelihood ℓ")) == pytest.approx(norm.logpdf(points, mu, sigma).sum(), rel=1e-3)
    best = norm.logpdf(points, *norm.fit(points)).sum()
    assert number(screen.text("Maximum")) == pytest.approx(best, rel=1e-3)


def neighbours_of(screen):
    """Python's explorer of the same values."""
    values = screen.values()
    points, names = np.array(values["points"]), np.array(values["class_names"])
    return NeighboursExplorer((points[:, :2], names[points[:, 2].astype(int)]), values["k"], values["query"])


def votes_and_errors(screen):
    explorer = neighbours_of(screen)
    rule, n = explorer.classifier(), len(explorer.points)
    wrong = np.sum(cross_val_predict(rule, explorer.X, explorer.y, cv=LeaveOneOut()) != explorer.y)
    assert screen.text("Error with one left out").endswith(f"({wrong} of {n})")
    wrong = np.sum(rule.predict(explorer.X) != explorer.y)
    assert screen.text("Error on the points themselves").endswith(f"({wrong} of {n})")
    votes = explorer.y[rule.kneighbors([explorer.query])[1][0]]
    counts = ", ".join(f"{np.sum(votes == name)} for {name}" for name in explorer.class_names)
    assert screen.text("Votes for the new point").startswith(f"{counts}: {rule.predict([explorer.query])[0]}")


def regularised_errors(screen):
    values = screen.values()
    X, y = np.split(np.array(values["points"]), [2], axis=1)
    rule, y = GaussianClassifier(shared=values["shared"], shrinkage=values["shrinkage"]), y[:, 0]
    wrong = np.sum(cross_val_predict(rule, X, y, cv=LeaveOneOut()) != y)
    assert screen.text("Error with one left out").endswith(f"({wrong} of {len(y)})")
    wrong = np.sum(rule.fit(X, y).predict(X) != y)
    assert screen.text("Error on the points themselves").endswith(f"({wrong} of {len(y)})")
    if values["means"]:
        densities = [Gaussian(*pair) for pair in zip(values["means"], values["covariances"], strict=True)]
        shown = float(re.match(r"[\d.]+", screen.text("True error"))[0]) / 100
        assert shown == pytest.approx(error_of(rule, densities, values["priors"]).value, abs=6e-4)
    variances = np.linalg.eigvalsh(rule.gaussians_[0].covariance)[::-1]
    text = screen.text(f"Variances of {values['class_names'][0]} along its axes").split(";")[0]
    np.testing.assert_allclose([number(each) for each in text.split(" and ")], variances, rtol=1e-3)


def areas(screen):
    traits = ("means", "deviations", "priors", "costs")
    means, deviations, priors, costs = (np.array(screen.values()[name]) for name in traits)
    ends, names = [-np.inf, *screen.values()["thresholds"], np.inf], screen.values()["class_names"]
    lost = priors * (1 - norm.cdf(ends[1:], means, deviations) + norm.cdf(ends[:-1], means, deviations))
    assert number(screen.text("Error")) == pytest.approx(100 * lost.sum(), rel=1e-3)
    assert number(screen.text("Average cost")) == pytest.approx(lost @ costs, rel=1e-3)
    for name, share, *curve in zip(names, lost, means, deviations, strict=True):
        assert number(screen.text(f"{name} misclassified")) == pytest.approx(100 * share, rel=1e-3)
        shown = screen.text(f"Mean and standard deviation of {name}").split(" and ")
        assert [number(text) for text in shown] == pytest.approx(curve, rel=1e-3)


def errors_of_samples(screen):
    explorer = VarianceExplorer(**screen.values())
    names = ["naive Bayes" if rule == "naive" else rule for rule in explorer.rules]
    for name, errors in zip(names, 100 * explorer.errors().T, strict=True):
        assert float(screen.text(f"{name}: mean error")) == pytest.approx(errors.mean(), abs=0.011)
        if explorer.drawn > 1:
            found = [screen.text(f"{name}: {what}").removeprefix("± ") for what in ("standard error", "spread σ")]
            spread = errors.std(ddof=1)
            np.testing.assert_allclose(np.array(found, float), [spread / len(errors) ** 0.5, spread], atol=0.011)
    assert float(screen.text("Bayes error: mean error")) == pytest.approx(100 * explorer.bayes_error(), abs=0.006)


# The table ............................................................................................................


@dataclass(frozen=True)
class Case:
    """An explorer: the first of its handles moves `traits` and nothing else."""

    code: str
    handles: str
    traits: set[str]
    computed: Callable
    fields: dict  # what can be typed
    hidden: str  # a part that a link may hide
    wrong: str  # links that make no sense
    refused: tuple[dict, dict] | None  # values that do not go together, and others that do
    picture: str  # name of its file

    def make(self, **traits):
        explorer = eval(self.code, NAMES)
        for name, value in traits.items():
            setattr(explorer, name, value)
        return explorer


EXPLORERS = {
    "boundary": Case(
        *("BoundaryExplorer(three)", "mean-1 axis1-0", {"means", "points"}, decisions_and_errors),
        *({"prior-number-1": 0.25}, "points", "rule=none covariances=1,0;0,1"),
        *(({"means": [[0, 0]]}, {"rule": "naive"}), "boundary-explorer QDA.png"),
    ),
    "challenges": Case(
        *("ChallengeExplorer()", "mean-1 axis2-0", {"means", "points"}, decisions_and_errors),
        *({"prior-number-0": 0.4}, "points", "current=nonsense challenge=ellipse&current=line"),
        *(({"means": [[0, 0]]}, {"rule": "LDA"}), "challenge-explorer QDA.png"),
    ),
    "covariance": Case(
        *("CovarianceExplorer()", "axis-1", {"covariance"}, eigenvalues),
        *({"cut-number": 2.5}, "rho", "covariance=1,2;2,1 cut=1e999"),
        *(({"covariance": [[1, 2], [2, 1]]}, {"cut": 0.5}), "covariance-explorer.png"),
    ),
    "em": Case(
        'EMExplorer(shelf.X, [[0, 0], [1, 1]], feature_names=["x", "é 中"])',
        *("start-1 size-0", {"starts"}, half_steps, {"step-number": 5}, "more"),
        "starts= sizes=9,1 step=801 points=0,0;1,1;2,2 feature_names=x starts=1e20,0;0,0 starts=0,0",
        *(({"sizes": [1]}, {"step": 3}), "em-explorer.png"),
    ),
    "likelihood": Case(
        'LikelihoodExplorer([1, 2, 4], feature_name="width, in µm & more", style_index=2)',
        *("mean point-2 both", {"mean"}, log_likelihoods, {"mean-number": 2.5}, "maximum"),
        "points= points=1,NaN deviation=0 deviation=1e-200 mean=1e101 mean=1e60&deviation=1e-60 style_index=10 "
        "feature_name=%E0%A4%A",
        *(({"deviation": -1}, {"mean": 3}), "likelihood-explorer.png"),
    ),
    "neighbours": Case(
        "NeighboursExplorer(shelf, k=9, query=[0.5, 0.2])",
        *("query neighbour", {"query"}, votes_and_errors, {"k-number": 4}, "k"),
        "k=66 query=1 points=0,0,0 points=0,0,7;1,1,1 priors=1,1 class_names=A points=drawn,1,500,500",
        *(({"points": [[0, 0, 7], [1, 1, 0]]}, {"k": 3}), "neighbours-explorer.png"),
    ),
    "regularised": Case(
        "RegularisedExplorer(shared=0.4, shrinkage=0.4)",
        *("pair mean-1", {"shared", "shrinkage"}, regularised_errors, {"shared-number": 0.35}, "draw"),
        "shared=2 error=none points=drawn,1,2,9,9 points=drawn,1,99,99,99 covariances=1,2;2,1 means=",
        *(({"shared": 2}, {"shrinkage": 0.3}), "regularised-explorer.png"),
    ),
    "threshold": Case(
        "ThresholdExplorer([Gaussian(mean, 1) for mean in (0, 3, 6)], "
        'class_names=["a,b and a rather long name", 1, "wordwithoutanyspaceinit"])',
        *(
            "threshold-0 mean-0 deviation-2",
            {"thresholds"},
            areas,
            {"prior-1-number": 0.25, "cost-2-number": 7},
            "mode",
        ),
        "means=1 priors=0.9,0.9,0.2 thresholds=3,1 mode=<b> class_names=A,A,B deviations=1,1,0 costs=-1,1,1",
        *(({"deviations": [1, -1, 1]}, {"costs": [2, 3, 4]}), "threshold-explorer.png"),
    ),
    "variance": Case(
        'VarianceExplorer(rules=("naive", "QDA"), n=5, drawn=30)',
        *("mean-1", {"means"}, errors_of_samples, {"n-number": 9}, "again"),
        "n=2 n=3.5 drawn=0 drawn=201 seed=-1 rules= rules=LDA,LDA rules=kNN means=0,0 shared=2 class_names=A,A "
        "covariances=1,2,2,1;;1,0,0,1",
        *(({"means": [[0, 0]]}, {"n": 12}), "variance-explorer.png"),
    ),
}
WITHOUT_TRUTH = {
    "neighbours of flowers": Case(
        *("NeighboursExplorer(flowers)", "neighbour", {"points"}, votes_and_errors, {"k-number": 2}, "readouts"),
        *("feature_names=1,2 class_names=A,A,B", None, "neighbours-explorer.png"),
    ),
    "regularised shelf": Case(
        *("RegularisedExplorer((shelf.X, shelf.y))", "mean-0", {"points"}, regularised_errors),
        *({"shrinkage-number": 0.1}, "shared", "error=true", None, "regularised-explorer.png"),
    ),
}
