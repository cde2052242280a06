"""Every widget of every notebook works at the ends of its sliders, and an explorer stays what the text describes."""

import itertools
import re
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from running import run, without_a_screen

PATHS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("[0-9]*.ipynb"))
WITH_EXPLORER = [path for path in PATHS if re.search(r"explore import \w+Explorer", path.read_text("utf-8"))]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_widgets_work_at_every_extreme(path, monkeypatch):
    recorded, *_ = run(path)
    assert recorded, "no widget"
    monkeypatch.chdir(path.parent)
    with without_a_screen():
        for function, controls in recorded:
            for values in itertools.product(*controls.values()):
                with warnings.catch_warnings(action="error"):
                    function(**dict(zip(controls, values, strict=True)))
                plt.close("all")


@pytest.mark.parametrize("path", WITH_EXPLORER, ids=lambda path: path.stem)
def test_an_explorer_shows_in_the_end_what_it_showed_at_first(path):
    # In this file, because one worker has its tests, for which a notebook runs once.
    _, shown, changed = run(path)
    assert shown
    assert changed == {}
