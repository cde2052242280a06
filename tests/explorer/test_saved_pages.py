"""What every explorer leaves where no kernel runs: a page in one small file, a picture and a line of text."""

import json
import re
import subprocess
from base64 import b64decode
from pathlib import Path

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
THREE = make_three_classes(200, np.random.default_rng(0))
EXPLORERS = {
    "boundary": BoundaryExplorer(THREE, class_names=["</script><b>", "é", "z"]),
    "challenges": ChallengeExplorer(),
    "covariance": CovarianceExplorer([[4, 0], [0, 1]], cut=2),
    "EM": EMExplorer(SHELF.X, [[0, 0], [1, 1]], step=3),
    "likelihood": LikelihoodExplorer(SHELF.X[:, 0]),
    "likelihood of equal values": LikelihoodExplorer([2, 2, 2]),
    "neighbours": NeighboursExplorer(SHELF, query=[0.5, 0.2]),
    "regularised": RegularisedExplorer(shared=0.3, shrinkage=0.2),
    "threshold": ThresholdExplorer([Gaussian(mean, 1) for mean in (0, 3, 6)]),
}


def saved(explorer, folder):
    """Text of a saved page, and the values of the traits in it."""
    explorer.save(folder / "page.html")
    text = (folder / "page.html").read_text(encoding="utf-8")
    return text, json.loads(re.search(r'id="state">(.*?)</script>', text, re.DOTALL).group(1))


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_saved_page_is_one_small_file_that_holds_everything(name, tmp_path):
    explorer = EXPLORERS[name]
    page, state = saved(explorer, tmp_path)
    assert len(page.encode()) < 130_000
    # The only addresses in it are names of XML, and nothing is asked for but the script that it has unpacked.
    address = r"https?://(?!www\.w3\.org/)|\bsrc=|@import|url\(|\bimport\b *[({*\"']|fetch\(|XMLHttp|WebSocket"
    assert re.findall(address, page) == ["import("]
    assert "default-src 'none'" in page
    assert page.count("<script") == page.count("</script>") == 3
    script = script_of(page)
    assert not re.search(address, script)
    assert script.startswith(explorer._esm)  # comments and all
    ours = [trait for trait in explorer.traits(sync=True) if explorer._is_ours(trait)]
    assert set(state) == set(ours)
    assert {"layout", "tabbable", "_esm"} & set(ours) == set()
    for trait in set(ours) - {"points"}:
        assert state[trait] == explorer.get_state([trait])[trait]


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_notebook_keeps_a_picture_and_a_text_without_an_address(name):
    explorer = EXPLORERS[name]
    data, _ = explorer._repr_mimebundle_()
    assert b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert data["text/plain"] == repr(explorer)
    assert repr(explorer).startswith(f"{type(explorer).__name__}(")
    assert " at 0x" not in repr(explorer)
    assert "application/vnd.jupyter.widget-view+json" in data


@pytest.mark.parametrize("name", ["boundary", "EM", "likelihood", "neighbours"])
def test_points_are_saved_to_a_ten_thousandth_of_their_range(name, tmp_path):
    points, (_, state) = EXPLORERS[name].points, saved(EXPLORERS[name], tmp_path)
    theirs = state["points"]
    if name in ("neighbours", "boundary"):  # each class in one list, in its order
        points = points[np.argsort(points[:, 2], kind="stable")]
        assert [len(each) for each in theirs["byClass"]] == (2 * np.bincount(points[:, 2].astype(int))).tolist()
        points, theirs = points[:, :2], np.concatenate(theirs["byClass"])
    ours, theirs = (np.reshape(array, (len(points), -1)) for array in (points, theirs))
    assert (np.abs(theirs - ours).max(axis=0) <= 1e-4 * np.ptp(ours, axis=0)).all()
    assert max(len(str(value)) for value in theirs.ravel()) <= 8


@pytest.mark.parametrize("points", [[2.5], [1e-12, 3e-12, 2e-12], [1.23456789e9] * 2, [123456.0, 987654.0]])
def test_few_or_far_points_are_rounded_as_well(points, tmp_path):
    _, state = saved(LikelihoodExplorer(points, mean=0, deviation=1), tmp_path)
    np.testing.assert_allclose(state["points"], points, rtol=0, atol=1e-4 * (np.ptp(points) or 0.5))


def test_one_point_far_out_leaves_the_others_where_they_are(tmp_path):
    points = np.append(np.random.default_rng(0).normal(size=59), 1e6)
    _, state = saved(LikelihoodExplorer(points), tmp_path)
    np.testing.assert_allclose(state["points"], points, rtol=0, atol=1e-3)


@needs_node
@pytest.mark.parametrize("classes", [[2, 0, 1, 0, 2, 2], [1, 1], [2, 0, 2], []])
def test_a_page_reads_its_points_back(classes, tmp_path):
    """Also of classes without points; page.html does it, in lines that are run here without a page."""
    points = np.column_stack([np.random.default_rng(3).normal(size=(len(classes), 2)).round(3), classes])
    text, state = saved(BoundaryExplorer(THREE, points=points), tmp_path)
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


def test_saving_takes_labels_of_any_kind_and_spares_the_page_that_was_there(tmp_path, monkeypatch):
    days = np.array(["2026-01-01", "2026-01-02"], dtype="datetime64[D]")
    path = tmp_path / "page.html"
    BoundaryExplorer((X := np.random.default_rng(0).normal(size=(20, 2)), days[np.arange(20) % 2])).save(path)
    assert "2026-01-02" in (before := path.read_text("utf-8"))
    BoundaryExplorer((X, np.array(["a", "\ud800"])[np.arange(20) % 2])).save(tmp_path / "surrogate.html")
    explorer = BoundaryExplorer((X, np.arange(20) % 2))
    monkeypatch.setattr(Path, "write_bytes", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        explorer.save(path)
    assert path.read_text("utf-8") == before
