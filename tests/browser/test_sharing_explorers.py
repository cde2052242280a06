"""The smaller explorers give away links, pictures and code, and refuse links that make no sense."""

import numpy as np
import pytest
from PIL import Image
from sharing import copied, open_link

from bayeslab import Gaussian, load_iris, make_gaussian_pair
from bayeslab.explore import (
    CovarianceExplorer,
    EMExplorer,
    LikelihoodExplorer,
    NeighboursExplorer,
    RegularisedExplorer,
    ThresholdExplorer,
)

FLOWERS = load_iris().select("petal length", "petal width")
SAMPLE = make_gaussian_pair("P1a", 20, np.random.default_rng(3))
THREE = [Gaussian(mean, 1) for mean in (0, 3, 6)]

# An explorer, handles to drag, fields to fill, a control to hide, and links that make no sense.
SMALLER = {
    "covariance": (CovarianceExplorer, ["axis-1"], {"cut": 2.5}, "rho", ["covariance=1,2;2,1", "cut=1e999"]),
    "likelihood": (
        lambda: LikelihoodExplorer([1, 2, 4], feature_name="width, in µm & more", style=2),
        ["point-2", "both"],
        {"mean": 2.5},
        "maximum",
        [
            "points=",
            "deviation=0",
            "deviation=1e-200",
            "mean=1e101",
            "mean=1e60&deviation=1e-60",
            "style=10",
            "feature_name=%E0%A4%A",
            "points=1,NaN",
        ],
    ),
    "threshold": (
        lambda: ThresholdExplorer(THREE, class_names=["a,b", 1, "1"]),
        ["threshold-1", "mean-0", "deviation-2"],
        {"prior-1": 0.25, "cost-2": 7},
        "mode",
        [
            "means=1",
            "priors=0.9,0.9,0.2",
            "thresholds=3,1",
            "mode=<b>",
            "class_names=A,A,B",
            "deviations=1,1,0",
            "costs=-1,1,1",
        ],
    ),
    "EM": (
        lambda: EMExplorer(SAMPLE.X, [[0, 0], [1, 1]], feature_names=["x", "é 中"]),
        ["start-1", "size-0"],
        {"step": 5},
        "more",
        [
            "starts=",
            "sizes=9,1",
            "step=801",
            "points=0,0;1,1;2,2",
            "feature_names=x",
            "starts=1e20,0;0,0",
            "starts=0,0",
        ],
    ),
    "neighbours": (
        lambda: NeighboursExplorer(SAMPLE, k=9),
        ["query", "neighbour"],
        {"k": 4},
        "k",
        [
            "k=66",
            "query=1",
            "points=0,0,0",
            "points=0,0,7;1,1,1",
            "priors=1,1",
            "class_names=A",
            "points=drawn,1,500,500",
        ],
    ),
    "neighbours without a truth": (
        lambda: NeighboursExplorer(FLOWERS),
        ["neighbour"],
        {"k": 2},
        "readouts",
        ["feature_names=1,2", "class_names=A,A,B"],
    ),
    "regularised": (
        RegularisedExplorer,
        ["mean-1", "pair"],
        {"shared": 0.35},
        "draw",
        ["shared=2", "error=none", "points=drawn,1,2,9,9", "points=drawn,1,99,99,99", "covariances=1,2;2,1", "means="],
    ),
    "regularised without a truth": (
        lambda: RegularisedExplorer((SAMPLE.X, SAMPLE.y)),
        ["mean-0"],
        {"shrinkage": 0.1},
        "shared",
        ["error=true"],
    ),
}


def readouts(screen):
    return screen.page.locator(".bx-readouts").all_inner_texts()


@pytest.mark.parametrize("kind", SMALLER)
def test_every_explorer_is_linked_to_and_copied_as_code(show, kind, tmp_path):
    make, handles, fields, hidden, wrong = SMALLER[kind]
    screen = show(make())
    start, start_readouts = screen.values(), readouts(screen)
    for name in handles:
        screen.drag(screen.middle(screen.page.locator(f'[data-handle="{name}"]')), [31, -17])
    for name, value in fields.items():
        screen.type(f"{name}-number", value)
    screen.settle()
    changed = [name for name, value in screen.values().items() if value != start[name]]
    assert len(changed) >= 2
    other = open_link(screen, copied(screen, "copy-link"))
    assert other.values() == screen.values()
    assert readouts(other) == readouts(screen) != start_readouts

    names = {}
    exec(copied(screen, "copy-python"), names)
    assert names["explorer"].get_state(list(start)) == screen.values()

    with screen.page.expect_download() as download:
        screen.click("save-picture")
    assert download.value.suggested_filename == f"{kind.split()[0].lower()}-explorer.png"
    download.value.save_as(tmp_path / "picture.png")
    labels = [canvas.get_attribute("aria-label") for canvas in screen.page.locator("canvas").all()]
    with Image.open(tmp_path / "picture.png") as image:
        assert image.width > 900  # both plots
        assert image.text["Description"] == " ".join(labels)

    bare = open_link(screen, f"{screen.page.url}#hide=share,undo,{hidden}")
    assert bare.values() == start
    for name in ("share", "undo", hidden):
        assert bare.page.locator(f'[data-hide="{name}"]').count() == 1
        assert not bare.page.locator(f'[data-hide="{name}"]').is_visible()
    assert bare.part("redo").is_visible()
    assert bare.part("share-note").inner_text() == ""
    assert bare.faults() == []
    assert bare.barriers() == []

    for fragment in wrong:
        refused = open_link(screen, f"{screen.page.url}#{fragment}", bare.page)
        assert "shown as it was saved" in refused.text("share-note"), fragment
        assert refused.values() == start
        assert readouts(refused) == start_readouts
    assert refused.barriers() == []


def test_a_new_sample_is_a_seed_in_the_link_and_another_follows(show):
    screen = show(RegularisedExplorer())
    screen.click("draw")
    screen.type("n-number", 60)
    link = copied(screen, "copy-link")
    assert link.endswith("#points=drawn,1,20,20,20")
    other = open_link(screen, link)
    assert other.values() == screen.values()
    other.click("draw")
    assert copied(other, "copy-link").endswith("#points=drawn,2,20,20,20")
    assert other.values()["points"] != screen.values()["points"]
