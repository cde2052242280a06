"""Each challenge as a student meets it: from its start, with what the page offers, by a hand that trembles."""

import pytest
from hands import Finger, Keys, Mouse
from playwright.sync_api import expect

from bayeslab.explore import ChallengeExplorer


def delete_until(hand, n):
    """Press points of class A, one by one, until n are left."""
    while len(left := hand.screen.points()[hand.screen.points()[:, 2] == 0, :2]) > n:
        hand.press(*left[0])


def draw(hand, n):
    hand.type("draw-count", n)
    hand.click("draw")


def draw_until_met(hand):
    """Draw ten points at most twenty times; each draw solves it with a probability of about 0.6."""
    for _ in range(20):
        draw(hand, 10)
        if hand.screen.text("met"):
            return


# For each challenge, what nearly solves it, and what then does.
HANDS = {
    "line": (lambda hand: hand.choose(rule="naive"), lambda hand: hand.choose(rule="LDA")),
    "ellipse": (lambda hand: hand.ring(0, 1.9, 1.9), lambda hand: hand.ring(0, -1.2, 1.2)),
    "hyperbola": (lambda hand: hand.ring(1, 0, 1.2), lambda hand: hand.ring(1, 0, 0.6)),
    "parallel": (lambda hand: hand.ring(1, 0, 1.75), lambda hand: (hand.click("undo"), hand.ring(1, 1.75, 0))),
    "parabola": (lambda hand: hand.ring(1, 1.75, 0), lambda hand: (hand.click("undo"), hand.ring(1, 0, 1.75))),
    "crossing": (lambda hand: hand.type("prior-number-0", 0.52), lambda hand: hand.click("priors-equal")),
    "corners": (
        lambda hand: (hand.mean(0, 0, 0), hand.mean(1, 0, 0), hand.mean(2, 0, 0), hand.ring(1, 2.5, 0)),
        lambda hand: hand.ring(2, 0, 2.5),
    ),
    "coin": (
        lambda hand: (hand.ring(1, 1, 0), hand.ring(1, 0, 1), hand.mean(1, -1.1, 0)),
        lambda hand: hand.mean(1, -1.5, 0),
    ),
    "tenth": (lambda hand: hand.mean(1, 1.8, 0), lambda hand: hand.mean(1, -0.5 + 2 * 1.28, 0)),
    "third": (
        lambda hand: (hand.click("add-class"), hand.mean(0, -3, 0)),
        lambda hand: (hand.mean(1, 3, -2), hand.mean(2, 2.5, 3)),
    ),
    "prior": (lambda hand: hand.type("prior-number-0", 0.15), lambda hand: hand.type("prior-number-0", 0.05)),
    "units": (lambda hand: hand.choose(rule="naive"), lambda hand: hand.choose(rule="LDA")),
    "idle": (lambda hand: hand.ring(1, 0, 3**0.5), lambda hand: hand.ring(1, 0.5**0.5, 0)),
    "naive-right": (lambda hand: hand.ring(0, 0, 1.34), lambda hand: hand.ring(1, 0, 1.34)),
    "naive-wrong": (
        lambda hand: (hand.ring(0, -0.15, 0.15), hand.ring(0, 1, 1)),
        lambda hand: (hand.ring(1, -0.15, 0.15), hand.ring(1, 1, 1)),
    ),
    "nearest": (lambda hand: hand.mean(0, 0, -0.7), lambda hand: hand.mean(1, 0, 0.7)),
    "lda-fails": (
        lambda hand: (hand.mean(1, 0, 0), hand.ring(1, 0, 2), hand.ring(1, 2, 0)),
        lambda hand: (hand.ring(0, -0.15, 0.15), hand.ring(0, 0.15, 0.15)),
    ),
    "vanish": (lambda hand: hand.type("prior-number-1", 0.11), lambda hand: hand.type("prior-number-1", 0.08)),
    "rare": (lambda hand: hand.type("prior-number-1", 0.03), lambda hand: hand.type("prior-number-1", 0.01)),
    "stranger-at-home": (
        lambda hand: (hand.ring(1, 0.5, 0), hand.ring(1, 0, 0.5), hand.ring(0, 0, 2), hand.ring(0, 2, 0)),
        lambda hand: hand.mean(1, -1.2, 0),
    ),
    "squeezed-out": (
        lambda hand: (hand.mean(3, 0, 0), hand.mean(0, -1, -0.6), hand.mean(1, 1, -0.6), hand.mean(2, 0, 1.1)),
        lambda hand: hand.type("prior-number-3", 0.1),
    ),
    "one-neighbour": (
        lambda hand: (hand.choose(tool="add"), hand.press(3, 1.5), hand.type("k", 1)),
        lambda hand: (hand.press(2.5, 2), hand.click("active-1"), hand.press(0, 0)),
    ),
    "everybody-votes": (lambda hand: hand.type("k", 38), lambda hand: hand.type("k", 40)),
    "enough-neighbours": (lambda hand: hand.type("k", 5), lambda hand: hand.type("k", 12)),
    "too-good": (lambda hand: draw(hand, 9), draw_until_met),
    "flattered": (lambda hand: hand.choose(rule="kNN"), lambda hand: hand.type("k", 1)),
    "between": (lambda hand: hand.type("shared-number", 1), lambda hand: hand.type("shared-number", 0.5)),
    "more-data": (
        lambda hand: (draw(hand, 300), hand.choose(rule="naive")),
        lambda hand: hand.choose(rule="LDA"),
    ),
    "one-point": (
        lambda hand: (hand.click("zoom-out", "zoom-out"), hand.look(), hand.choose(tool="add"), hand.press(6, 2)),
        lambda hand: (hand.click("undo"), hand.press(6, 6)),
    ),
    "refuses": (lambda hand: (hand.choose(tool="delete"), delete_until(hand, 3)), lambda hand: delete_until(hand, 2)),
}

# All by mouse; the tightest, and those in which points are pressed, also by a finger or by keys.
SOLVED = {
    Mouse: list(HANDS),
    Finger: ["coin", "idle", "nearest", "one-point"],
    Keys: ["tenth", "naive-wrong", "lda-fails", "refuses"],
}


def test_a_hand_is_written_for_each_challenge():
    assert list(HANDS) == list(ChallengeExplorer.names)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in SOLVED.items() for name in names])
def test_what_nearly_solves_it_is_not_ticked_and_what_does_is(show, kind, name):
    hand = kind(show(ChallengeExplorer(name), **kind.page))
    nearly, then = HANDS[name]
    nearly(hand)
    assert hand.screen.text("met") == ""
    then(hand)
    expect(hand.screen.part("met")).to_contain_text("you have done it")
