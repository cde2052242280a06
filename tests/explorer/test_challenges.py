"""The solutions of the challenges, computed anew by the package: no goal is met by an artefact of the JavaScript."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from javascript import needs_node
from traitlets import TraitError

from bayeslab import Gaussian, QuadraticSurface, load_penguins
from bayeslab.explore import BoundaryExplorer, ChallengeExplorer
from bayeslab.risk import bayes_error, error_of

pytestmark = needs_node
HERE = Path(__file__).parent
TOLERANCE = 2e-6  # both integrate to 1e-6


def gaussians_of(explorer):
    return [Gaussian(*pair) for pair in zip(explorer.means, explorer.covariances, strict=True)]


@pytest.fixture(scope="module")
def solutions():
    program = "console.log(JSON.stringify((await import('./challenge_facts.mjs')).numbersOfSolutions()))"
    run = ["node", "--input-type=module", "--eval", program]
    done = subprocess.run(run, cwd=HERE, capture_output=True, text=True, encoding="utf-8", check=True)
    return json.loads(done.stdout)


def test_the_bayes_error_is_that_of_the_package(solutions):
    for solution in solutions:
        explorer = BoundaryExplorer(**solution["state"])
        expected = bayes_error(gaussians_of(explorer), explorer.priors).value
        assert solution["bayes_error"] == pytest.approx(expected, abs=TOLERANCE), solution["id"]


def test_each_rule_errs_on_sample_and_truth_as_in_the_package(solutions):
    for solution in solutions:
        explorer = BoundaryExplorer(**solution["state"])
        for explorer.rule in solution["true_error"]:
            where, classifier = f"{solution['id']}, {explorer.rule}", explorer.classifier()
            if explorer.rule == "kNN":
                expected, tolerance = measured_error(explorer, classifier), 4e-3
            else:
                expected, tolerance = error_of(classifier, gaussians_of(explorer), explorer.priors).value, TOLERANCE
            assert solution["true_error"][explorer.rule] == pytest.approx(expected, abs=tolerance), where
            if len(explorer.points):
                wrong = np.mean(classifier.predict(explorer.X) != explorer.y)
                assert solution["sample_error"][explorer.rule] == pytest.approx(wrong, abs=1e-12), where


def measured_error(explorer, classifier):
    """Error on many points of the true densities, with a standard deviation of 0.1 percentage points."""
    rng, n = np.random.default_rng(0), 200_000
    drawn = [rng.multivariate_normal(*pair, n) for pair in zip(explorer.means, explorer.covariances, strict=True)]
    missed = [np.mean(classifier.predict(X) != name) for X, name in zip(drawn, explorer.class_names, strict=True)]
    return explorer.priors @ missed


def test_the_curve_has_the_name_that_the_package_gives_it(solutions):
    named = [solution for solution in solutions if solution["kind"]]
    assert {solution["kind"] for solution in named} >= {"line", "ellipse", "hyperbola", "two lines", "none"}
    for solution in named:
        classifier = BoundaryExplorer(**solution["state"]).classifier()
        surface = QuadraticSurface.between(*classifier.gaussians_, priors=classifier.priors_)
        assert solution["kind"] == surface.kind, solution["id"]


def test_three_regions_meet_where_the_package_finds_all_three_equally_probable(solutions):
    (meeting,) = (solution for solution in solutions if solution["id"] == "corners")
    posterior = BoundaryExplorer(**meeting["state"]).classifier().predict_proba(meeting["corners"])
    np.testing.assert_allclose(posterior, 1 / 3, atol=1e-9)
    assert posterior.shape == (4, 3)  # two conics never cross more often


def test_the_penguins_in_grams_are_those_of_the_data(solutions):
    (units,) = (solution for solution in solutions if solution["id"] == "units")
    state, penguins = units["state"], load_penguins().select("bill length", "body mass")
    assert state["feature_names"] == penguins.feature_names
    for k, name in enumerate(state["class_names"]):
        X = penguins.X[penguins.y == name]
        np.testing.assert_allclose(state["means"][k], X.mean(axis=0), rtol=1e-3)
        np.testing.assert_allclose(state["covariances"][k], np.cov(X.T), rtol=1e-3)
        assert state["priors"][k] == pytest.approx(len(X) / len(penguins.y), abs=0.005)


def test_recall_and_the_classes_at_the_means_are_those_of_the_package(solutions):
    for solution in solutions:
        explorer, K = BoundaryExplorer(**solution["state"]), len(solution["state"]["means"])
        if explorer.mode == "estimate":
            continue  # no goal asks for these there
        classifier = explorer.classifier()
        named = classifier.predict(explorer.means)
        assert [explorer.class_names[k] for k in solution["named_at_mean"]] == named.tolist(), solution["id"]
        for k in range(K):
            missed = error_of(classifier, gaussians_of(explorer), np.eye(K)[k]).value
            assert solution["recall"][k] == pytest.approx(1 - missed, abs=TOLERANCE), solution["id"]


def test_who_refuses_here_refuses_in_the_package(solutions):
    (refusal,) = (solution for solution in solutions if solution["id"] == "refuses")
    explorer = BoundaryExplorer(**refusal["state"])
    assert set(refusal["true_error"]) == {"LDA"}
    with pytest.raises(ValueError, match="singular"):
        explorer.classifier()
    explorer.rule = "LDA"
    assert explorer.classifier().classes_.tolist() == ["A", "B"]
    assert refusal["counts"] == [4, 2]


def test_without_a_browser_the_picture_is_that_of_the_first_challenge(solutions):
    explorer, first = ChallengeExplorer(), solutions[0]["state"]  # whose solution changes the rule alone
    there = {name: np.asarray(getattr(explorer, name)).tolist() for name in first}
    assert there == first | {"rule": "QDA"}


def test_the_explorer_knows_the_challenges_and_says_which_it_does_not(solutions):
    assert list(ChallengeExplorer.names) == [solution["id"] for solution in solutions]
    assert [ChallengeExplorer(name).challenge for name in ("all", "ellipse")] == ["all", "ellipse"]
    with pytest.raises(TraitError, match="there is no challenge 'circle': ask for 'all', or one of line, ellipse"):
        ChallengeExplorer("circle")


def test_only_what_is_offered_can_be_on_the_screen():
    explorer = ChallengeExplorer(current="ellipse")
    for wrong in ("nonsense", "all"):
        with pytest.raises(TraitError, match=f"current must be '' or one of line, ellipse.*, not '{wrong}'"):
            explorer.current = wrong
    assert explorer.current == "ellipse"
    with pytest.raises(TraitError, match="current must be '' or one of ellipse, not 'line'"):
        ChallengeExplorer("ellipse", current="line")
