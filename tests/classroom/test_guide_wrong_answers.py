"""The wrong answers of the guide are those that `check` knows: what it says to one is among them."""

import re
from pathlib import Path

import numpy as np
import pytest
from classroom import lessons, wrong_answers

from bayeslab.checks import check

PATHS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("[0-9]*.ipynb"))


@pytest.mark.parametrize(
    ("number", "answer"),
    [
        ("0.1", 200),  # the key of a dict
        ("0.1", None),  # a sentence that is returned
        ("0.2", lambda names, priors, densities: names[np.argmax(densities)]),  # of a dict of the module
        ("0.2", lambda names, priors, densities: "nobody"),  # with what only the answer can fill in
        ("2.1", lambda X, μ, Σ: X - μ),  # of a list of pairs, behind words that all of them share
        ("2.2", lambda x, μ, σ, ρ: 7 * np.exp(-((x - μ) ** 2).sum())),  # no usual mistake: not listed
        ("5.1", lambda *_: (1, 2)),
        ("7.1", lambda y, k, rng: [np.arange(len(y))] * k),
        ("7.2", lambda X: np.tile(X.mean(axis=0), (len(X), 1))),
        ("16.2", lambda log_odds, is_spam, c: is_spam.sum()),
        ("19.2", 5),
    ],
)
def test_what_check_says_is_listed(number, answer):
    message = check(number, answer).message
    known = wrong_answers.known(int(number.split(".")[0]))[number]
    found = [each for each in known if re.search(re.escape(each).replace("…", ".+"), message)]
    assert bool(found) == ("not right" not in message), message


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem[:2])
def test_each_exercise_has_its_own_and_nothing_else_is_among_them(path):
    known = wrong_answers.known(int(path.stem[:2]))
    assert set(known) == set(lessons.read(path)["exercises"])
    for sentences in known.values():
        assert len(sentences) == len(set(sentences)) >= 5
        assert not [each for each in sentences if each.startswith(("what ", "Judge")) or "{" in each]
