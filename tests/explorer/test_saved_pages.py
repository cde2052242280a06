"""Saved pages are small, and hold the points in as many digits as a screen can show."""

import json
import re
import subprocess

import numpy as np
import pytest
from javascript import call, needs_node, script_of

from bayeslab import Gaussian, load_iris, load_penguins, make_gaussian_pair, make_three_classes
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
from bayeslab.explore._content import tables

SHELF = make_gaussian_pair("P1a", 100, np.random.default_rng(11))

# What is saved, and the size in kB that it must not exceed; CONTRIBUTING.md has what they are.
PAGES = {
    "covariance": (CovarianceExplorer(), 52),
    "likelihood": (LikelihoodExplorer(SHELF.X[:, 0]), 55),
    "threshold": (ThresholdExplorer([Gaussian(mean, 1) for mean in (0, 3, 6)]), 58),
    "EM": (EMExplorer(SHELF.X, [[0, 0], [1, 1]]), 60),
    "neighbours": (NeighboursExplorer(SHELF), 64),
    "regularised": (RegularisedExplorer(), 71),
    "boundary": (BoundaryExplorer(make_three_classes(200, np.random.default_rng(0))), 116),
    "challenges": (ChallengeExplorer(), 120),
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


@pytest.mark.parametrize("name", PAGES)
def test_a_saved_page_has_the_script_of_the_widget_comments_and_all(name, tmp_path):
    explorer, _ = PAGES[name]
    text, _ = saved(explorer, tmp_path)
    script = script_of(text)
    assert script.startswith(explorer._esm)
    assert script.removeprefix(explorer._esm).split() == ["//#", "sourceURL=bayeslab.js"]  # its name in developer tools


@pytest.mark.parametrize("name", ["likelihood", "EM", "neighbours", "boundary"])
def test_points_are_saved_to_a_ten_thousandth_of_their_range(name, tmp_path):
    points = PAGES[name][0].points
    _, state = saved(PAGES[name][0], tmp_path)
    theirs = state["points"]
    if name in ("neighbours", "boundary"):  # each class in one list, in its order
        points = points[np.argsort(points[:, 2], kind="stable")]
        assert [len(each) for each in theirs["byClass"]] == (2 * np.bincount(points[:, 2].astype(int))).tolist()
        points, theirs = points[:, :2], np.concatenate(theirs["byClass"])
    ours, theirs = (np.reshape(array, (len(points), -1)) for array in (points, theirs))
    assert (np.abs(theirs - ours).max(axis=0) <= 1e-4 * np.ptp(ours, axis=0)).all()
    assert max(len(str(value)) for value in theirs.ravel()) <= 8


@needs_node
@pytest.mark.parametrize("classes", [[2, 0, 1, 0, 2, 2], [1, 1], [2, 0, 2], []])
def test_a_page_reads_its_points_back(classes, tmp_path):
    """Also of classes without points; page.html does it, in lines that are run here without a page."""
    points = np.column_stack([np.random.default_rng(3).normal(size=(len(classes), 2)).round(3), classes])
    explorer = BoundaryExplorer(make_three_classes(20, np.random.default_rng(0)), points=points)
    text, state = saved(explorer, tmp_path)
    reading = re.search(r"(?m)^const pointsOf = .*\n.*byClass.*$", text).group()
    program = f"const values = {json.dumps(state)};\n{reading}\nconsole.log(JSON.stringify(values.points));"
    done = subprocess.run(["node", "--eval", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == sorted(points.tolist(), key=lambda point: point[2])


@needs_node
@pytest.mark.parametrize(("name", "load"), [("iris", load_iris), ("penguins", load_penguins)])
def test_data_sets_are_saved_to_the_last_digit(name, load):
    dataset = load()
    (table,) = call("data.js", "tableOf", [[tables()[name]]])
    assert table["features"] == dataset.feature_names
    assert table["labels"] == sorted(dataset.y)
    assert table["rows"] == dataset.X[np.argsort(dataset.y, kind="stable")].tolist()


@pytest.mark.parametrize("points", [[2.5], [1e-12, 3e-12, 2e-12], [1.23456789e9] * 2, [123456.0, 987654.0]])
def test_few_or_far_points_are_rounded_as_well(points, tmp_path):
    _, state = saved(LikelihoodExplorer(points, mean=0, deviation=1), tmp_path)
    np.testing.assert_allclose(state["points"], points, rtol=0, atol=1e-4 * (np.ptp(points) or 0.5))


def test_one_point_far_out_leaves_the_others_where_they_are(tmp_path):
    points = np.append(np.random.default_rng(0).normal(size=59), 1e6)
    _, state = saved(LikelihoodExplorer(points), tmp_path)
    np.testing.assert_allclose(state["points"], points, rtol=0, atol=1e-3)
