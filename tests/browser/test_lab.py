"""Notebook 05 in JupyterLab: what is dragged reaches Python, what Python sets reaches the screen."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect
from screen import Screen

SOURCE = next((Path(__file__).parents[2] / "notebooks").glob("05_*.ipynb"))


@pytest.fixture(scope="module")
def notebook(run_in_lab):
    """Notebook 05, copied, opened and run in JupyterLab."""
    text = SOURCE.read_text(encoding="utf-8")
    assert text.count('"BoundaryExplorer(penguins') == 1  # which is shown, and gets a name
    named = re.sub(r'"BoundaryExplorer\(penguins.*(?=")', r"\g<0>\\nexplorer", text)
    named = named.replace('"BoundaryExplorer(penguins', '"explorer = BoundaryExplorer(penguins')
    notebook = run_in_lab("05.ipynb", named, 1400, 1300)
    # The first of its two explorers goes, so that the tests mean the other one.
    explorers = notebook.page.locator(".bx-root")
    expect(explorers).to_have_count(2)
    notebook.select_cell_of(".bx-root")
    notebook.command("notebook:clear-cell-output")
    expect(explorers).to_have_count(1)
    return notebook


@pytest.fixture
def screen(notebook):
    notebook.page.locator(".bx-root").scroll_into_view_if_needed()
    return Screen(notebook.page)


@pytest.fixture
def trait(notebook):
    """Return a function: a trait of the explorer, as Python has it."""

    def trait(what):
        return np.array(json.loads(notebook.printed(f"import json; print(json.dumps(explorer.{what}.tolist()))")))

    return trait


def test_nothing_is_asked_before_the_work_begins(notebook):
    assert notebook.page.locator(".Toastify__toast, .jp-Dialog").all_inner_texts() == []


def test_the_notebook_runs_without_an_error(notebook, screen):
    assert notebook.outputs("error") == []
    assert screen.n_colours() > 100


def test_beside_jupyterlabs_sidebar_nothing_sticks_out(screen):
    for width, height in [(1440, 900), (1280, 720)]:
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.settle()
        assert screen.faults() == []
    screen.part("root").evaluate("(root) => root.scrollIntoView({ block: 'start' })")
    for name in ["tool-move-text", "reset"]:
        box = screen.part(name).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720
    screen.page.set_viewport_size({"width": 1400, "height": 1300})
    screen.settle()


def test_python_sees_what_the_mouse_drags(screen, trait, notebook):
    notebook.printed("explorer.mode = 'truth'")
    screen.settle()
    before, start = trait("means"), screen.at(0)
    units = (before[1] - before[0]) / (screen.at(1) - start)
    screen.drag(start, [50, -40])
    after = trait("means")
    np.testing.assert_allclose(after[0] - before[0], units * [50, -40], atol=np.abs(units).max())
    np.testing.assert_array_equal(after[1:], before[1:])
    fitted = np.array(json.loads(notebook.printed("print(json.dumps(explorer.classifier().means_.tolist()))")))
    np.testing.assert_allclose(fitted, after)
    assert f"{len(trait('points'))} points" in screen.part("plot").get_attribute("aria-label")


def test_arrow_keys_belong_to_what_has_the_focus_and_not_to_the_notebook(screen, trait, notebook):
    before = trait("means")
    notebook.select_cell_of(".bx-root")
    cell = notebook.selected_cell()
    screen.handle(1).focus()
    for key in ["ArrowRight", "ArrowDown", "Shift+ArrowDown"]:
        screen.page.keyboard.press(key)
    screen.settle()
    shift = trait("means")[1] - before[1]
    assert shift[0] > 0 > shift[1]
    assert notebook.selected_cell() == cell
    assert screen.page.evaluate("document.activeElement.dataset.handle") == "mean-1"
    screen.part("rule-LDA").focus()
    screen.page.keyboard.press("ArrowDown")  # the next radio button
    screen.settle()
    assert screen.part("rule-RDA").is_checked()
    assert notebook.selected_cell() == cell


def test_letters_typed_into_a_field_are_no_commands_of_jupyterlab(screen, notebook):
    cells = notebook.page.locator(".jp-Cell").count()
    notebook.select_cell_of(".bx-root")
    screen.part("csv-open").click()
    screen.part("csv").focus()
    screen.page.keyboard.type("dd a b x 1,2")
    assert screen.part("csv").input_value() == "dd a b x 1,2"
    screen.part("csv").fill("")
    screen.part("csv-open").click()
    assert notebook.page.locator(".jp-Cell").count() == cells


def test_the_screen_shows_what_python_sets(screen, trait, notebook):
    notebook.printed("explorer.rule = 'QDA'")  # whose controls are fewer than those of kNN and RDA
    screen.settle()
    before, at = trait("means"), screen.meant(screen.handle(1))
    notebook.printed("explorer.means = explorer.means[::-1]")
    screen.settle()
    np.testing.assert_allclose(screen.meant(screen.handle(len(before) - 2)), at, atol=1)
    notebook.printed("explorer.rule = 'nearest mean'; explorer.show_regions = False")
    screen.settle()
    assert screen.part("rule-nearest mean").is_checked()
    assert not screen.part("show_regions").is_checked()
    notebook.printed("explorer.means = explorer.means[::-1]; explorer.rule = 'QDA'; explorer.show_regions = True")
    screen.settle()
    np.testing.assert_allclose(screen.meant(screen.handle(1)), at, atol=1)


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("means = [[0, float('nan')]] * {K}", "nan"),
        ("covariances = [[[1, 2], [2, 1]]] * {K}", "positive definite"),
        ("priors = [2.0] * {K}", "sum to 1"),
        ("points = [[0, 0, 9]]", "index of their class"),
    ],
)
def test_nonsense_is_refused_and_the_screen_keeps_its_state(screen, trait, notebook, assignment, message):
    handles = [screen.at(k) for k in range(2)]
    readouts, picture = screen.text("readouts"), screen.picture()[0]
    printed = notebook.printed("explorer." + assignment.format(K=len(trait("means"))))
    assert "TraitError" in printed
    assert message in printed
    screen.settle()
    np.testing.assert_array_equal([screen.at(k) for k in range(2)], handles)
    assert screen.text("readouts") == readouts
    np.testing.assert_array_equal(screen.picture()[0], picture)


def test_it_follows_jupyterlabs_theme(screen, notebook):
    notebook.command("apputils:change-theme", theme="JupyterLab Dark")
    notebook.page.locator('.bx-root[data-theme="dark"]').wait_for()
    screen.settle()
    assert screen.picture()[0][2, 2].mean() < 60
    notebook.command("apputils:change-theme", theme="JupyterLab Light")
    notebook.page.locator('.bx-root[data-theme="light"]').wait_for()


def test_a_second_view_shows_the_same(screen, notebook):
    """Two views of one widget: what is dragged in one moves in the other."""
    notebook.page.evaluate(
        """([code]) => { const { content } = window.jupyterapp.shell.currentWidget;
            content.activeCellIndex = content.widgets.length - 1;
            return window.jupyterapp.commands.execute("notebook:insert-cell-below")
                .then(() => content.activeCell.model.sharedModel.setSource(code)); }""",
        ["explorer"],
    )
    notebook.command("notebook:run-cell")
    views = notebook.page.locator(".bx-root")
    views.nth(1).wait_for()
    screen.settle()
    labels = [view.locator('[data-handle="mean-0"]').first.get_attribute("aria-label") for view in views.all()]
    views.nth(1).locator('[data-handle="mean-0"]').first.press("Shift+ArrowRight")
    screen.settle()
    moved = [view.locator('[data-handle="mean-0"]').first.get_attribute("aria-label") for view in views.all()]
    assert labels[0] == labels[1]
    assert moved[0] == moved[1] != labels[0]
