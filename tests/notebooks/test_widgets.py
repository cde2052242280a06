"""Every widget of every notebook works at the ends of its sliders; a run of the notebook tries one value only."""

import itertools
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from running import run, without_a_screen

PATHS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


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
