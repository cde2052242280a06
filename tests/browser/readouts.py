"""What stands on the screen of each explorer, compared with what Python computes from the values of the traits."""

import re

import numpy as np
import pytest
from scipy.stats import norm
from screen import number
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from bayeslab import Gaussian, GaussianClassifier, error_of
from bayeslab.explore import BoundaryExplorer, EMExplorer, NeighboursExplorer, TourExplorer, VarianceExplorer
from bayeslab.explore.tour_explorer import KINDS, SCENES


def decisions_and_errors(screen):
    if len(screen.points()):
        screen.shows_what_python_computes()
    else:
        assert screen.text("sample-error") == "no points"
    explorer = screen.python()
    densities = [Gaussian(*pair) for pair in zip(explorer.means, explorer.covariances, strict=True)]
    error = error_of(explorer.classifier(), densities, explorer.priors).value
    assert number(screen.text("true-error")) == pytest.approx(100 * error, rel=1e-3)


def eigenvalues(screen):  # printed to three digits
    values = np.linalg.eigvalsh(screen.values()["covariance"])[::-1]
    for name, value in zip(["Eigenvalue λ₁ along u₁", "Eigenvalue λ₂ along u₂"], values, strict=True):
        assert number(screen.text(name)) == pytest.approx(value, rel=6e-3)
    assert number(screen.text("Determinant |Σ| = λ₁ λ₂")) == pytest.approx(values.prod(), rel=6e-3)


def mixture_of(screen):
    values = screen.values()
    return EMExplorer(values["points"], values["starts"], values["sizes"], step=values["step"]).mixture()


def half_steps(screen):
    values, mixture = screen.values(), mixture_of(screen)
    n, here = len(values["points"]), min(values["step"], 2 * mixture.n_iter_)
    now = mixture.history_[here // 2]
    assert screen.text("Step shown") == (f"{'ME'[here % 2]}-step {(here + 1) // 2}" if here else "start")
    assert number(screen.text("Log-likelihood ℓ")) == pytest.approx(now.log_likelihood * n, abs=6e-4)
    weights = [float(weight) for weight in screen.text("Weights π").split(", ")]
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
    if values["error"] == "true":
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


def mistakes_in_a_hundred(screen):
    """Of the rule of the step and, before it, of the one that it is compared with."""
    tour = TourExplorer(**screen.values())
    rules = [rule for rule in (SCENES[tour.step - 1]["old"], tour.rule) if rule]
    believed = [[0.5, 0.5] if tour.step == 3 else tour.priors, tour.priors][-len(rules) :]
    for i, (rule, priors) in enumerate(zip(rules, believed, strict=True)):
        classifier = BoundaryExplorer(
            rule=rule, means=tour.means, covariances=tour.covariances, priors=priors, class_names=KINDS
        ).classifier()
        mistakes = 100 * error_of(classifier, tour.gaussians, tour.priors).value
        assert float(screen.text(f"mistakes-{i}")) == pytest.approx(mistakes, abs=0.051)


READOUTS = {
    "boundary": decisions_and_errors,
    "challenges": decisions_and_errors,
    "covariance": eigenvalues,
    "em": half_steps,
    "likelihood": log_likelihoods,
    "neighbours": votes_and_errors,
    "regularised": regularised_errors,
    "threshold": areas,
    "tour": mistakes_in_a_hundred,
    "variance": errors_of_samples,
}
