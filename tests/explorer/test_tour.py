"""The tour: its numbers are the package's, its steps are done by what they ask for, its words name what is drawn."""

import re

import numpy as np
import pytest
from javascript import call

from bayeslab import error_of
from bayeslab.explore import BoundaryExplorer, TourExplorer, VarianceExplorer
from bayeslab.explore.tour_explorer import KINDS, SCENES

JS = "tour_explorer.js"
RINGS = {
    4: [np.eye(2) * 0.81, [[0.81, 0], [0, 0.2]]],
    5: [[[0.5, 0.2], [0.2, 1.4]]] * 2,
    6: [[[1, 0.5], [0.5, 0.8]], [[0.3, 0.1], [0.1, 0.3]]],
}
# What each step asks for, as a hand may leave it; beside it what is too little.
DONE = {
    1: ({"means": [[5.8, 3.3], [6.3, 3.5]]}, {"means": [[5.1, 3.1], [6.3, 3.5]]}),
    2: ({"star": [6.5, 4]}, {"star": [4.5, 4]}),
    3: ({"priors": [0.9, 0.1]}, {"priors": [0.6, 0.4]}),
    4: ({"covariances": RINGS[4]}, {"covariances": [np.eye(2) * 0.81, np.eye(2) * 0.82]}),
    5: ({"covariances": RINGS[5]}, {"means": [[4, 3], [6, 3]]}),
    6: ({"covariances": RINGS[6]}, {"covariances": [RINGS[6][0], [[2, 0], [0, 0.3]]]}),
    7: ({"drawn": 20, "n": 80}, {"drawn": 20}),
}
ASK = """(state) => {
    const start = startOfStep(state.step), { isDone, answer } = TOUR_STEPS[state.step - 1];
    const evaluation = evaluateTour(state), first = evaluateTour(start);
    return { atStart: isDone(start, start, first), done: isDone(state, start, evaluation),
        answers: [false, true].map((done) => answer(state, evaluation, done)), mistakes: evaluation.mistakes ?? [],
        flowers: flowersOf(evaluation.truth.gaussians, state.priors) };
}"""


def asked(*tours):
    return call(JS, ASK, [[tour.get_state()] for tour in tours])


def mistakes(tour, rule, priors):
    scene = {"means": tour.means, "covariances": tour.covariances, "priors": priors, "class_names": KINDS}
    return error_of(BoundaryExplorer(rule=rule, **scene).classifier(), tour.gaussians, tour.priors).value


@pytest.mark.parametrize("step", DONE)
def test_a_step_is_done_by_what_it_asks_for_and_by_nothing_less(step):
    much, little = (TourExplorer(step, **changes) for changes in DONE[step])
    enough, not_enough = asked(much, little)
    assert (enough["atStart"], enough["done"], not_enough["done"]) == (False, True, False)


@pytest.mark.parametrize("step", range(2, 7))
def test_mistakes_are_those_of_the_package(step):
    priors = [0.9, 0.1] if step == 3 else [0.5, 0.5]
    tour = TourExplorer(step, **({"priors": priors} | DONE[step][0]))
    old, rule = SCENES[step - 1]["old"], SCENES[step - 1]["rule"]
    expected = [mistakes(tour, old, [0.5, 0.5])] if old else []
    (found,) = asked(tour)
    np.testing.assert_allclose(found["mistakes"], [*expected, mistakes(tour, rule, priors)], atol=2e-6)
    if old:
        old, now = (round(100 * share, 1) for share in found["mistakes"])
        assert f"{old - now:.1f} fewer mistakes" in found["answers"][1]


def test_with_eight_flowers_lda_is_ahead_and_with_eighty_qda():
    for n, ahead in (8, "LDA"), (80, "QDA"):
        tour = TourExplorer(7, drawn=20, n=n)
        (found,) = asked(tour)
        variance = VarianceExplorer(n=n, drawn=20, means=tour.means, covariances=tour.covariances)
        expected = [*variance.errors().mean(axis=0), variance.bayes_error()]
        np.testing.assert_allclose(found["mistakes"], expected, atol=5e-5)
        assert f"{ahead} is ahead" in found["answers"][1]
        assert (
            f"LDA made {100 * expected[0]:.1f} mistakes in 100 and QDA {100 * expected[1]:.1f}" in found["answers"][1]
        )


def test_the_flowers_are_those_of_the_picture_without_a_browser():
    tours = [TourExplorer(2), TourExplorer(3, priors=[0.9, 0.1]), TourExplorer(6, covariances=RINGS[6])]
    for tour, found in zip(tours, asked(*tours), strict=True):
        np.testing.assert_allclose(found["flowers"], tour._points(), rtol=1e-12, atol=1e-12)


def test_answers_make_sense_at_the_ends():
    far = {"means": [[0, 0], [0, 0]], "star": [1e9, -1e9], "priors": [0.01, 0.99]}
    thin = [[[1e-8, 0], [0, 9]], [[9, 8.9], [8.9, 9]]]
    tours = [TourExplorer(step, **far, covariances=thin, drawn=2, n=3) for step in range(1, 7)]
    tours.append(TourExplorer(7, drawn=200, n=200))
    for found in asked(*tours):
        for answer in found["answers"]:
            assert not re.search(r"NaN|undefined|null|-\d", answer), answer


def test_words_light_up_what_is_drawn():
    ((says, answers),) = call(
        JS,
        "() => [TOUR_STEPS.map(({ says, does }) => says + does), String(TOUR_STEPS.map(({ answer }) => answer))]",
        [[]],
    )
    lit = set(re.findall(r"\[(\w+)\|", " ".join([*says, answers])))
    assert lit == {"ellipse", "mean", "boundary", "ring", "LDA", "QDA"}


@pytest.mark.parametrize("step", [1, 3, 7])
def test_without_a_browser_it_is_a_picture_of_the_step(step):
    tour = TourExplorer(step)
    figure = tour._draw()
    assert len(figure.axes) == (3 if step == 7 else 1)
    assert repr(tour) == f"TourExplorer(step={step})"
