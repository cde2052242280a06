"""What the boundary explorer's JavaScript writes: numbers, equations, windows and pictures."""

from io import BytesIO
from itertools import product

import numpy as np
import pytest
from javascript import call
from PIL import Image

JS = "boundary_page.js"
ROUND = [[1, 0], [0, 1]]


# Numbers .............................................................................................................


def test_numbers_have_four_digits_a_minus_sign_and_powers_of_ten_as_they_are_printed():
    numbers = {
        0: "0",
        1: "1",
        -1.5: "−1.5",
        1 / 3: "0.3333",
        123456: "123500",
        1e-7: "1·10⁻⁷",
        -1e-7: "−1·10⁻⁷",
        -1.23456e22: "−1.235·10²²",
        4e100: "4·10¹⁰⁰",
    }
    assert call(JS, "short", [[number] for number in numbers]) == list(numbers.values())
    assert call(JS, "scientific", [[-1.26e-9, 1]]) == ["−1.3·10⁻⁹"]


def test_shares_are_percentages_which_no_line_break_parts_from_their_sign():
    shares = {
        (0.0831444, 4): "8.314 %",
        (0.5, 4): "50 %",
        (0, 4): "0 %",
        (0.12345, 3): "12.3 %",
        (1.23e-11, 4): "1·10⁻⁹ %",
        (-0.25, 4): "−25 %",
        (-1e-18, 4): "−1·10⁻¹⁶ %",
    }
    assert call(JS, "percent", shares) == [text.replace(" ", "\u00a0") for text in shares.values()]


def test_how_far_off_an_error_may_be_is_said_where_it_shows():
    errors = {
        (0.03516, 2e-11): "3.516 %",
        (0.24687, 0.0021): "24.7 % (± 0.2 %)",
        (0.24687, 0.021): "25 % (± 2 %)",
        (0.24687, 4e-5): "24.69 %",
        (0, 0): "0 %",
        (1.23e-11, 1e-13): "1·10⁻⁹ %",
        (1.23e-11, 4e-11): "1·10⁻⁹ % (± 4·10⁻⁹ %)",
        (0.01, 0.03): "1 % (± 3 %)",
    }
    found = call(JS, "(error, accuracy) => measured({ error, accuracy })", errors)
    assert found == [text.replace(" %", "\u00a0%") for text in errors.values()]


def test_places_in_a_window_are_told_apart_however_far_from_0_it_is():
    windows = list(product([-1e9 - 1, -3, 0, 1e5, 1e12], [1e-3, 1, 400]))
    ask = "(low, width, shares) => shares.map((share) => shortIn([low, low + width], low + width * share))"
    shares = np.linspace(0, 1, 101)
    for (low, width), texts in zip(windows, call(JS, ask, [[*each, shares.tolist()] for each in windows]), strict=True):
        assert len(set(texts)) == len(np.unique(low + width * shares))
    assert call(JS, "shortIn", [[[99990, 100010], 100003.3], [[0, 10], 3.14159]]) == ["100003.3", "3.142"]


def in_figures(text):
    """Return the number that a tick shows."""
    plain = text.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-"))
    return float(plain.replace("·10", "e"))


def test_ticks_are_round_few_inside_and_where_they_say():
    windows = [(0, 1), (-3.2, 7.9), (1e6, 1e6 + 3), (2e-7, 3e-6), (-5e8, 5e8), (0, 1e-300), (-7e-200, 2e-200)]
    windows += [(-3e40, 5e40), (0, 1.3e99)]
    for (low, high), ticks in zip(windows, call(JS, "ticks", windows), strict=True):
        values = np.array([tick["value"] for tick in ticks])
        assert 3 <= len(values) <= 9
        assert low - 1e-9 * (high - low) <= values.min() <= values.max() <= high + 1e-9 * (high - low)
        steps = np.diff(values)
        np.testing.assert_allclose(steps, steps[0], rtol=1e-6)
        np.testing.assert_allclose([in_figures(tick["text"]) for tick in ticks], values, rtol=0, atol=1e-6 * steps[0])
        assert max(len(tick["text"]) for tick in ticks) <= 10


def test_a_window_holds_points_and_ellipses_and_has_room_where_nothing_varies():
    view = {"means": [[0, 0], [4, 2]], "covariances": [ROUND, ROUND], "points": [[9, 0, 0]]}
    alike, unlike = call(JS, "fittingView", [[view], [view | {"points": [[900, 0, 0]]}]])
    assert alike["x"][0] < -3 < 9 < alike["x"][1]
    assert np.ptp(alike["x"]) == pytest.approx(np.ptp(alike["y"])) == pytest.approx(1.08 * 12)
    assert np.ptp(unlike["y"]) == pytest.approx(1.08 * 8)  # alike, it would be wasted
    ask = """(points) => {
        const viewport = new Viewport(fittingView({ means: [], covariances: [], points }), 400);
        return points.map((point) => [viewport.toPixel(...point), viewport.toData(...viewport.toPixel(...point))]);
    }"""
    lists = [[1, 1, 1], [0, 2, 3], [4, 4, 4]]
    cases = [(np.column_stack([x, y]) + at).tolist() for x, y in product(lists, lists) for at in (0, -1e9)]
    for points, found in zip(cases, call(JS, ask, [[points] for points in cases]), strict=True):
        pixels, back = np.swapaxes(found, 0, 1)
        assert ((pixels > 10) & (pixels < 390)).all()
        np.testing.assert_allclose(back, points, rtol=0, atol=1e-5)


def test_more_points_are_shown_than_fit_on_the_stack_as_arguments_of_a_function():
    ask = """(n) => {
        const points = Array.from({ length: n }, (_, i) => [Math.sin(i), Math.cos(i * i) + (i % 2), i % 2]);
        const round = [[1, 0], [0, 1]], state = { points, means: [[0, 0], [0, 1]], covariances: [round, round] };
        const { sample } = evaluateRule("LDA", { ...state, priors: [0.5, 0.5] }, estimate(points, 2));
        return [fittingView(state).x.every(Number.isFinite), sum(sample().counts.flat())];
    }"""
    assert call(JS, ask, [[300_000]]) == [[True, 300_000]]


# The equation of the boundary ........................................................................................


def test_equations_have_their_signs_and_no_terms_that_are_but_rounding():
    given = {"W": [[0.5, -0.5], [-0.5, 1e-17]], "w": [-2, 123456], "w0": 1e-9, "noise": [0, 0, 1e-16, 0, 0, 0]}
    some, none = call(JS, "equation", [[given], [given | {"noise": [1e9] * 6}]])
    assert some == "0.5 x₁² − 1 x₁x₂ − 2 x₁ + 1.23·10⁵ x₂ + 1.00·10⁻⁹ = 0"
    assert none == "0 = 0"


BOUNDARY = "(mean, S, other, T) => equation(conic(gaussian(mean, S), gaussian(other, T), 0.3))"


@pytest.mark.parametrize("unit", [1e-9, 1, 1e9])
def test_an_equation_drops_rounding_by_the_size_of_its_terms_and_keeps_what_is_small(unit):
    rng, scaled = np.random.default_rng(0), lambda values, power=1: (np.multiply(values, unit**power)).tolist()
    turn = np.array([[np.cos(0.7), -np.sin(0.7)], [np.sin(0.7), np.cos(0.7)]])
    circle, wider = (scaled(turn @ np.diag([a, a]) @ turn.T, 2) for a in (1, 4))
    # The mixed coefficient is that of Σ⁻¹ of the first class, −tilt / 2, with its sign changed.
    tilted, rounding = (
        [scaled([0, 3]), scaled([[1, tilt], [tilt, 2]], 2), scaled([1, 3]), scaled([[2, 0], [0, 1]], 2)]
        for tilt in (1e-9, 1e-17)
    )
    round_one, tilted, rounding = call(
        JS, BOUNDARY, [[scaled([1e3, 0]), circle, scaled([1e3, 0]), wider], tilted, rounding]
    )
    assert "x₁x₂" not in round_one  # however the circles were turned
    assert f" + {call(JS, 'scientific', [[0.5e-9 / unit**2, 2]])[0]} x₁x₂ " in tilted
    assert "x₁x₂" not in rounding
    upright = [[rng.uniform(-3, 3, 2), rng.uniform(0.1, 3, 2) ** 2] for _ in range(60)]
    pairs = [[scaled(mean), scaled(np.diag(S), 2)] for mean, S in upright]
    level = [[scaled([1.7, y]), scaled(np.diag([2.3, S[1]]), 2)] for (_, y), S in upright]  # x₁ says nothing
    for both in pairs, level:
        for text in call(JS, BOUNDARY, [[*one, *other] for one, other in zip(both[::2], both[1::2], strict=True)]):
            assert "x₁x₂" not in text
            assert ("x₁" in text) == (both is pairs)


# Tables, which test_tables.py has ...................................................................................


def test_chosen_points_become_a_state_that_makes_sense_even_where_a_class_has_a_single_one():
    ask = """(points) => {
        const chosen = { class_names: [9, 10], classes: [9, 10], feature_names: ["a", "b"], points };
        const state = { ...fittedTo(chosen), rule: "QDA", k: 5, shared: 0.5, cut: [] };
        return [state, makesSense(state), RULES.QDA.fit(state, densities(state)).problem];
    }"""
    ((state, is_good, problem),) = call(JS, ask, [[[[5, 1, 1], [6, 2, 1], [7, 1, 1], [1, 1, 0]]]])
    assert (state["class_names"], state["priors"], is_good) == ([9, 10], [0.25, 0.75], True)
    assert problem == "QDA needs more points in class 9: it has 1"


# Pictures ............................................................................................................


def test_a_picture_says_what_it_shows():
    words, png = "QDA: x₂ against x₁, 2 classes “é”, 😀.", BytesIO()
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3)).save(png, "PNG")
    (described,) = call("kit/png.js", "describedPNG", [[list(png.getvalue()), words]])
    image = Image.open(BytesIO(bytes(described.values())))
    image.verify()  # the checksums of all chunks
    image = Image.open(BytesIO(bytes(described.values())))
    assert image.text == {"Description": words}
    np.testing.assert_array_equal(np.array(image), np.arange(48).reshape(4, 4, 3))
