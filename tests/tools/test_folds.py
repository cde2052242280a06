"""What is folded comes out again as it was, and nothing of it is shown before."""

import copy

import nbformat
import pytest
from folds import fold, open_answer, unfold
from nbformat.v4 import new_code_cell, new_output
from parts import numbers_of

OUTPUTS = [
    new_output("stream", text="1 < 2\n"),
    new_output("display_data", {"image/png": "iVBORw0=", "text/plain": "a"}, metadata={"image/png": {"alt": '"x"'}}),
    new_output("execute_result", {"text/html": "<table>1</table>", "text/plain": "1"}, execution_count=3),
    new_output("display_data", {"image/png": "AAAA", "text/plain": "b"}),
]


@pytest.mark.parametrize("outputs", [OUTPUTS, OUTPUTS[:1], []])
def test_unfolding_gives_back_what_was_folded(outputs):
    cell = new_code_cell("x", id="a", outputs=copy.deepcopy(outputs), execution_count=3)
    fold(cell)
    nbformat.validate(nbformat.v4.new_notebook(cells=[cell]))
    assert all(output.data["text/html"].startswith("<details><summary>") for output in cell.outputs)
    assert [set(output.data) for output in cell.outputs] == [{"text/html"}] * bool(outputs)
    once = copy.deepcopy(cell)
    fold(cell)
    assert cell == once
    unfold(cell)
    assert cell.outputs == outputs


def test_a_widget_waits_as_its_picture_and_is_a_widget_again():
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "image/png": "AAAA", "text/plain": "x"}
    cell = new_code_cell("x", outputs=[new_output("display_data", view)])
    before = copy.deepcopy(cell)
    fold(cell)
    assert [set(output.data) for output in cell.outputs] == [{"text/html"}]
    unfold(cell)
    assert cell == before


def test_only_the_answer_to_a_prediction_is_opened():
    other = "<details><summary>Answers</summary>1: up.</details>"
    text = f"*Caption.*\n\n<details><summary>Answer</summary>\n\nTwo.\n\n</details>\n\nMore.\n\n{other}"
    assert open_answer(text) == f"*Caption.*\n\nTwo.\n\nMore.\n\n{other}"


@pytest.mark.parametrize("text", ["# %% after 01-99: a\n1\n", "# %% something\n1\n", "1\n# %% after 01-01: a\n1\n"])
def test_a_part_that_belongs_to_no_cell_is_refused(tmp_path, monkeypatch, text):
    monkeypatch.setattr("parts.NUMBERS", tmp_path)
    (tmp_path / "01_a.py").write_text(text)
    with pytest.raises(ValueError, match=r"01_a\.py"):
        numbers_of(tmp_path / "01_a.ipynb", ["01-01"])
