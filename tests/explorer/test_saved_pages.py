"""Saved pages are small, and hold the points in as many digits as a screen can show."""

import json
import re

import numpy as np
import pytest

from bayeslab import Gaussian, make_gaussian_pair, make_three_classes
from bayeslab.explore import (
    BoundaryExplorer,
    ChallengeExplorer,
    CovarianceExplorer,
    EMExplorer,
    LikelihoodExplorer,
    NeighboursExplorer,
    RegularisedExplorer,
    ThresholdExplorer,
)

SHELF = make_gaussian_pair("P1a", 100, np.random.default_rng(11))

# What is saved, and the size in kB that it must not exceed; CONTRIBUTING.md has what they are.
PAGES = {
    "covariance": (CovarianceExplorer(), 98),
    "likelihood": (LikelihoodExplorer(SHELF.X[:, 0]), 101),
    "threshold": (ThresholdExplorer([Gaussian(mean, 1) for mean in (0, 3, 6)]), 110),
    "EM": (EMExplorer(SHELF.X, [[0, 0], [1, 1]]), 109),
    "neighbours": (NeighboursExplorer(SHELF), 124),
    "regularised": (RegularisedExplorer(), 143),
    "boundary": (BoundaryExplorer(make_three_classes(200, np.random.default_rng(0))), 220),
    "challenges": (ChallengeExplorer(), 234),
}


def saved(explorer, folder):
    """Text of a saved page, and the values of the traits in it."""
    explorer.save(folder / "page.html")
    text = (folder / "page.html").read_text(encoding="utf-8")
    return text, json.loads(re.search(r'id="state">(.*?)</script>', text, re.DOTALL).group(1))


@pytest.mark.parametrize("name", PAGES)
def test_a_saved_page_is_small(name, tmp_path):
    explorer, limit = PAGES[name]
    text, _ = saved(explorer, tmp_path)
    assert len(text.encode()) < 1000 * limit


@pytest.mark.parametrize("name", ["likelihood", "EM", "neighbours", "boundary"])
def test_points_are_saved_to_a_ten_thousandth_of_their_range(name, tmp_path):
    points = PAGES[name][0].points
    _, state = saved(PAGES[name][0], tmp_path)
    ours, theirs = (np.reshape(array, (len(points), -1)) for array in (points, state["points"]))
    off = np.abs(theirs - ours).max(axis=0)
    assert (off <= 1e-4 * np.ptp(ours, axis=0)).all()
    assert max(len(str(value)) for value in theirs.ravel()) <= 8
    if name in ("neighbours", "boundary"):
        assert off[2] == 0
        assert type(state["points"][0][2]) is int


@pytest.mark.parametrize("points", [[2.5], [1e-12, 3e-12, 2e-12], [1.23456789e9] * 2, [123456.0, 987654.0]])
def test_few_or_far_points_are_rounded_as_well(points, tmp_path):
    _, state = saved(LikelihoodExplorer(points, mean=0, deviation=1), tmp_path)
    np.testing.assert_allclose(state["points"], points, rtol=0, atol=1e-4 * (np.ptp(points) or 0.5))


def test_one_point_far_out_leaves_the_others_where_they_are(tmp_path):
    points = np.append(np.random.default_rng(0).normal(size=59), 1e6)
    _, state = saved(LikelihoodExplorer(points), tmp_path)
    np.testing.assert_allclose(state["points"], points, rtol=0, atol=1e-3)
