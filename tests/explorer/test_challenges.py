"""The challenges: not met at the start, met by their solutions, and by numbers that the package computes anew."""

import numpy as np
import pytest
from javascript import call
from traitlets import TraitError

from bayeslab import Gaussian, QuadraticSurface, load_penguins
from bayeslab.explore import BoundaryExplorer, ChallengeExplorer
from bayeslab.risk import bayes_error, error_of

JS = "challenge_explorer.js"
TOLERANCE = 2e-6  # both integrate to 1e-6
FACTS = "const factsOf = (state) => new Facts(state, (rule) => evaluateRule(rule, state, densities(state)));"

# The solution of a challenge, and the numbers of it that goals look at.
SOLVE = f"""(id) => {{
    {FACTS}
    const state = solutionOf(CHALLENGES.find((one) => one.id === id)), facts = factsOf(state);
    const asked = state.mode === "truth" ? ["nearest mean", "naive", "LDA", "QDA"] : ["LDA", "QDA", state.rule];
    const rules = asked.filter((rule) => facts.decides(rule)), classes = [...state.means.keys()];
    const each = (value) => Object.fromEntries(rules.map((rule) => [rule, value(rule)]));
    return {{
        id, state, kind: facts.kind, corners: facts.corners, bayes_error: facts.bayesError, counts: facts.counts,
        sample_error: each((rule) => facts.sampleError(rule)), true_error: each((rule) => facts.trueError(rule)),
        recall: rules.includes(state.rule) && classes.map((k) => facts.recall(k)),
        named_at_mean: rules.includes(state.rule) && classes.map((k) => facts.namedAtMean(k)),
    }};
}}"""

# Whether a challenge is met at its start, by its solution, and by one that a hand may leave: means a hundredth off,
# ellipses a hundredth larger. And whether it is still met where anything that must stay is another.
TRY = f"""(id) => {{
    {FACTS}
    const challenge = CHALLENGES.find((one) => one.id === id), keeps = challenge.keeps ?? [];
    const start = startOf(challenge), solution = solutionOf(challenge), near = structuredClone(solution);
    if (!keeps.includes("means")) near.means = near.means.map(([x, y], k) => [x + 0.01 * k, y - 0.01 * k]);
    const larger = (S) => S.map((row) => row.map((value) => 1.01 * value));
    if (!keeps.includes("covariances")) near.covariances = near.covariances.map(larger);
    const met = (state) => makesSense(state) && isMet(challenge, factsOf(state));
    const changed = keeps.map((name) => {{
        const first = solution[name], turned = name === "mode" ? "truth" : [...first.slice(1), first[0]];
        const same = JSON.stringify(turned) === JSON.stringify(first), other = same ? first.slice(1) : turned;
        return isMet({{ ...challenge, goal: () => true }}, factsOf({{ ...solution, [name]: other }}));
    }});
    return [met(start), met(solution), met(near), ...changed];
}}"""


def gaussians_of(explorer):
    return [Gaussian(*pair) for pair in zip(explorer.means, explorer.covariances, strict=True)]


@pytest.fixture(scope="module")
def solutions():
    return call(JS, SOLVE, [[name] for name in ChallengeExplorer.names])


@pytest.mark.parametrize("name", ChallengeExplorer.names)
def test_a_goal_is_met_by_the_solution_with_room_for_a_hand_and_not_before_or_otherwise(name):
    ((at_start, solved, by_hand, *otherwise),) = call(JS, TRY, [[name]])
    assert (at_start, solved, by_hand) == (False, True, True)
    assert not any(otherwise)


def test_the_curve_that_a_hand_meant_has_the_name_of_the_curve_without_the_tremor():
    ask = f"""(means, S) => {{
        {FACTS}
        const {{ start }} = CHALLENGES.find(({{ id }}) => id === "parabola");
        const covariances = [start.covariances[0], S];
        const facts = factsOf(startOf({{ start: {{ ...start, means: means ?? start.means, covariances }} }}));
        return [facts.kind, facts.kindByHand];
    }}"""
    curves = {"line": (1, 1), "two lines": (2.25, 1), "parabola": (1, 2.25), "ellipse": (2.25, 4)}
    curves["hyperbola"] = (2.25, 0.5625)
    for kind, (a, c) in curves.items():
        trembling = [[[-1.54, 0.03], [1.48, -0.05]], [[a + 0.04, 0.05], [0.05, c - 0.03]]]
        exact, by_hand = call(JS, ask, [[None, [[a, 0], [0, c]]], trembling])
        assert exact == [kind, kind]
        assert by_hand[0] in ("ellipse", "hyperbola")
        assert by_hand[1] == kind


def test_errors_recall_and_decisions_are_those_of_the_package(solutions):
    for solution in solutions[::3]:  # goals ask the same functions
        explorer, where = BoundaryExplorer(**solution["state"]), solution["id"]
        gaussians = gaussians_of(explorer)
        expected = bayes_error(gaussians, explorer.priors).value
        assert solution["bayes_error"] == pytest.approx(expected, abs=TOLERANCE), where
        if explorer.rule not in solution["true_error"]:
            continue  # it refuses
        classifier, K = explorer.classifier(), len(gaussians)
        if len(explorer.points):
            wrong = np.mean(classifier.predict(explorer.X) != explorer.y)
            assert solution["sample_error"][explorer.rule] == pytest.approx(wrong, abs=1e-12), where
        if explorer.rule == "kNN":
            expected = measured_error(explorer, classifier)
            assert solution["true_error"]["kNN"] == pytest.approx(expected, abs=6e-3), where
            continue
        missed = np.array([error_of(classifier, gaussians, np.eye(K)[k]).value for k in range(K)])
        expected = explorer.priors @ missed
        assert solution["true_error"][explorer.rule] == pytest.approx(expected, abs=TOLERANCE), where
        np.testing.assert_allclose(solution["recall"], 1 - missed, atol=TOLERANCE, err_msg=where)
        named = [explorer.class_names[k] for k in solution["named_at_mean"]]
        assert named == classifier.predict(explorer.means).tolist(), where


def measured_error(explorer, classifier):
    """Error on many points of the true densities, with a standard deviation of 0.15 percentage points."""
    rng, n = np.random.default_rng(0), 50_000
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
    assert posterior.shape == (4, 3)  # two conics never cross more often, and each corner counts once


def test_the_penguins_in_grams_are_those_of_the_data(solutions):
    (units,) = (solution for solution in solutions if solution["id"] == "units")
    state, penguins = units["state"], load_penguins().select("bill length", "body mass")
    assert state["feature_names"] == penguins.feature_names
    for k, name in enumerate(state["class_names"]):
        X = penguins.X[penguins.y == name]
        np.testing.assert_allclose(state["means"][k], X.mean(axis=0), rtol=1e-3)
        np.testing.assert_allclose(state["covariances"][k], np.cov(X.T), rtol=1e-3)
        assert state["priors"][k] == pytest.approx(len(X) / len(penguins.y), abs=0.005)


def test_a_rule_that_refuses_here_refuses_in_the_package(solutions):
    (refusal,) = (solution for solution in solutions if solution["id"] == "refuses")
    explorer = BoundaryExplorer(**refusal["state"])
    assert set(refusal["true_error"]) == {"LDA"}
    with pytest.raises(ValueError, match="singular"):
        explorer.classifier()
    assert refusal["counts"] == [4, 2]


def test_without_a_browser_the_picture_is_that_of_the_first_challenge(solutions):
    explorer, first = ChallengeExplorer(), solutions[0]["state"]  # whose solution changes the rule alone
    there = {name: np.asarray(getattr(explorer, name)).tolist() for name in first}
    assert there == first | {"rule": "QDA"}


def test_the_explorer_knows_the_challenges_and_says_which_it_does_not():
    assert [ChallengeExplorer(name).challenge for name in ("all", "ellipse")] == ["all", "ellipse"]
    with pytest.raises(TraitError, match="there is no challenge 'circle': ask for 'all', or one of line, ellipse"):
        ChallengeExplorer("circle")
    with pytest.raises(TraitError, match="current must be '' or one of ellipse, not 'line'"):
        ChallengeExplorer("ellipse", current="line")
