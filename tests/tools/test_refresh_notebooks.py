"""What `make notebooks` stores: a figure only if it differs visibly, and folds as JupyterLab writes them."""

from base64 import b64encode
from io import BytesIO

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from PIL import Image
from refresh_notebooks import keep_figures, looks_the_same, tidy


def figure_of(number, x=0.3):
    fig, ax = plt.subplots(figsize=(4, 3))
    ax.plot([0, x, 1], [0, 1, 0.5])
    ax.set_title(f"{number} wrong")
    stored = BytesIO()
    fig.savefig(stored, format="png")
    return b64encode(stored.getvalue()).decode()


def test_rounding_is_not_seen_and_a_digit_is():
    stored = figure_of(13)
    assert looks_the_same(stored, figure_of(13, 0.3 + 1e-7))
    assert not looks_the_same(stored, figure_of(14))
    assert not looks_the_same(stored, figure_of(13, 0.32))


def test_another_size_is_another_figure():
    image = BytesIO()
    Image.fromarray(np.zeros((3, 3, 3), dtype=np.uint8)).save(image, "PNG")
    assert not looks_the_same(figure_of(13), b64encode(image.getvalue()).decode())


@pytest.mark.parametrize(("number", "kept"), [(13, True), (14, False)])
def test_a_stored_figure_stays_while_it_looks_the_same(number, kept):
    old, new = ({"data": {"image/png": figure_of(n, 0.3 + shift)}} for n, shift in ((13, 0), (number, 1e-7)))
    fresh = new["data"]["image/png"]
    keep_figures([old], [new])
    assert new["data"]["image/png"] == (old["data"]["image/png"] if kept else fresh)


def test_a_folded_output_is_stored_as_jupyterlab_stores_it():
    cell = nbformat.v4.new_code_cell("1", id="a", metadata={"jupyter": {"outputs_hidden": True}})
    tidy(nb := nbformat.v4.new_notebook(cells=[cell]), "00_x")
    assert nb.cells[0].metadata["collapsed"] is True
