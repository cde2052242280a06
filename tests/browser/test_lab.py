"""Explorers in JupyterLab, one of each kind: Python follows, and the screen follows Python."""

import json

import numpy as np
import pytest
from every_explorer import EXPLORERS, IN_BROWSER, SETUP
from lab import notebook_of
from playwright.sync_api import expect
from screen import Screen

PENGUINS = [
    "from bayeslab import load_penguins\nfrom bayeslab.explore import BoundaryExplorer",
    'penguins = load_penguins().select("bill length", "bill depth")',
    'explorer = BoundaryExplorer(penguins, "LDA")\nexplorer.compact = False\nexplorer',
]


@pytest.fixture(scope="module")
def notebook(run_in_lab):
    """A notebook with the boundary explorer, opened and run in JupyterLab."""
    notebook = run_in_lab("penguins.ipynb", notebook_of(PENGUINS), 1400, 1300)
    expect(notebook.page.locator(".bx-root")).to_have_count(1)
    return notebook


@pytest.fixture
def screen(notebook):
    notebook.printed("explorer.mode = 'truth'; explorer.rule = 'QDA'; explorer.show_regions = True")
    notebook.page.locator(".bx-root").scroll_into_view_if_needed()
    return Screen(notebook.page)


@pytest.fixture
def trait(notebook):
    """Return a function: a trait of the explorer, as Python has it."""

    def trait(what):
        return np.array(json.loads(notebook.printed(f"import json; print(json.dumps(explorer.{what}.tolist()))")))

    return trait


def test_the_notebook_runs_without_an_error_or_a_question(notebook, screen):
    assert notebook.page.locator(".Toastify__toast, .jp-Dialog").all_inner_texts() == []
    assert notebook.outputs("error") == []
    assert screen.n_colours() > 100


def test_beside_jupyterlabs_sidebar_nothing_sticks_out(screen):
    for width, height in [(1440, 900), (1280, 720)]:
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.settle()
        assert screen.faults() == []
    screen.part("root").evaluate("(root) => root.scrollIntoView({ block: 'start' })")
    for name in ["tool-move-text", "undo"]:
        box = screen.part(name).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720
    screen.page.set_viewport_size({"width": 1400, "height": 1300})
    screen.settle()


def test_python_sees_what_the_mouse_drags(screen, trait, notebook):
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
    screen.part("rule-LDA").focus()
    screen.page.keyboard.press("ArrowDown")  # the next radio button
    screen.settle()
    assert screen.part("rule-RDA").is_checked()
    assert notebook.selected_cell() == cell


def test_letters_typed_into_a_field_are_no_commands_of_jupyterlab(screen, notebook):
    cells = notebook.page.locator(".jp-Cell").count()
    notebook.select_cell_of(".bx-root")
    screen.reveal("csv-open").click()
    screen.reveal("csv").focus()
    screen.page.keyboard.type("dd a b x 1,2")
    assert screen.part("csv").input_value() == "dd a b x 1,2"
    screen.reveal("csv").fill("")
    screen.reveal("csv-open").click()
    assert notebook.page.locator(".jp-Cell").count() == cells


def test_the_screen_shows_what_python_sets(screen, trait, notebook):
    before, at = trait("means"), screen.meant(screen.handle(1))
    notebook.printed("explorer.means = explorer.means[::-1]")
    screen.settle()
    np.testing.assert_allclose(screen.meant(screen.handle(len(before) - 2)), at, atol=1)
    notebook.printed("explorer.rule = 'nearest mean'; explorer.show_regions = False")
    screen.settle()
    assert screen.part("rule-nearest mean").is_checked()
    assert not screen.part("show_regions").is_checked()
    notebook.printed("explorer.means = explorer.means[::-1]; explorer.rule = 'QDA'")
    screen.settle()
    np.testing.assert_allclose(screen.meant(screen.handle(1)), at, atol=1)


def test_nonsense_is_refused_and_the_screen_keeps_its_state(screen, notebook):
    handles = [screen.at(k) for k in range(2)]
    readouts, picture = screen.text("readouts"), screen.picture()[0]
    for assignment, message in {
        "means = [[0, float('nan')]] * len(explorer.means)": "nan",
        "covariances = [[[1, 2], [2, 1]]] * len(explorer.means)": "positive definite",
        "priors = [2.0] * len(explorer.means)": "sum to 1",
        "points = [[0, 0, 9]]": "index of their class",
    }.items():
        printed = notebook.printed("explorer." + assignment)
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
    notebook.command("notebook:delete-cell")
    assert labels[0] == labels[1]
    assert moved[0] == moved[1] != labels[0]


# One of each other kind ...............................................................................................

SMALLER = [name for name in IN_BROWSER if name != "boundary"]


class Cell(Screen):
    """One of several explorers in a notebook."""

    def __init__(self, notebook, name):
        self.notebook, self.page, self.name, self.case = notebook, notebook.page, name, EXPLORERS[name]
        self.cell = notebook.page.locator(".jp-Notebook .jp-Cell").nth(SMALLER.index(name) + 1)
        self.cell.scroll_into_view_if_needed()
        self.cell.locator(".bx-root[data-theme]").wait_for()
        self.held = self.cell.locator(f'[data-handle="{self.case.handles.split()[0]}"]')
        self.held.scroll_into_view_if_needed()
        self.settle()

    def part(self, name):
        return self.cell.locator(f'[data-bx="{name}"]')

    def python(self):
        """Values of the traits that the handle moves, as Python has them."""
        return self.notebook.printed(f"print(json.dumps({self.name}.get_state({sorted(self.case.traits)})))")


@pytest.fixture(scope="module")
def smaller(run_in_lab):
    """A notebook with a cell for each explorer, opened and run in JupyterLab."""
    codes = [SETUP, *(f"{name} = {EXPLORERS[name].code}\n{name}.compact = False\n{name}" for name in SMALLER)]
    return run_in_lab("small.ipynb", notebook_of(codes), 1400, 1300)


@pytest.mark.parametrize("name", SMALLER)
def test_it_appears_and_python_follows_mouse_and_keys_and_the_way_back(smaller, name):
    assert smaller.outputs("error") == []
    cell = Cell(smaller, name)
    expect(cell.cell.locator(".bx-root")).to_have_count(1)
    assert cell.cell.locator("canvas").first.is_visible()
    start, at = cell.python(), cell.middle(cell.held)
    cell.drag(at, [-20, -25])
    moved = cell.python()
    assert moved != start
    assert abs(cell.middle(cell.held) - at).max() > 5
    for key, values in ("Control+z", start), ("Control+Shift+z", moved), ("Control+z", start):
        cell.page.keyboard.press(key)
        cell.settle()
        assert cell.python() == values
    np.testing.assert_allclose(cell.middle(cell.held), at, atol=1)
    smaller.select_cell(SMALLER.index(name) + 1)
    cell.held.press("Shift+ArrowRight")
    cell.settle()
    assert cell.python() != start
    expect(cell.held).to_be_focused()
    assert smaller.selected_cell() == SMALLER.index(name) + 1


def test_ticks_are_kept_by_python(smaller):
    cell = Cell(smaller, "challenges")
    smaller.printed("challenges.done = ['line', 'coin']")
    expect(cell.cell.locator(".bx-tick[data-met]")).to_have_count(2)
    cell.click("challenge-parabola")
    cell.cell.locator('[data-handle="axis2-1"]').press("Shift+ArrowUp")
    expect(cell.part("met")).to_contain_text("3 of")
    cell.settle()
    assert smaller.printed("print(sorted(challenges.done))").strip() == "['coin', 'line', 'parabola']"


def test_the_handle_in_use_keeps_the_focus_while_python_sets_values(smaller):
    cell = Cell(smaller, "likelihood")
    cell.held.focus()
    smaller.printed("likelihood.style_index = 3; likelihood.mean = 2.5")
    cell.settle()
    assert "2.5" in cell.held.get_attribute("aria-label")
    assert cell.held.evaluate("(handle) => handle.style.getPropertyValue('--class')") == "var(--class-3)"
    expect(cell.held).to_be_focused()


# On a projector, between Lab's bars ...................................................................................

LECTURE = [
    "from bayeslab import load_penguins, make_gaussian_pair\nfrom bayeslab.explore import *",
    'BoundaryExplorer(load_penguins().select("bill length", "bill depth"), "LDA")',
    'import numpy as np\nX = make_gaussian_pair("P1b", 100, np.random.default_rng(0)).X\nEMExplorer(X, X[:2])',
    "ThresholdExplorer()",
    'VarianceExplorer(rules=("RDA", "naive"), drawn=100)',
]


@pytest.fixture(scope="module")
def lecture(run_in_lab):
    return run_in_lab("lecture.ipynb", notebook_of(LECTURE), 1280, 720)


# Whether an explorer is drawn as large as it is going to be, and no higher than the notebook's place on the screen.
FITS = """(root) => {
    const { clientWidth, clientHeight } = root, place = document.querySelector(".jp-WindowedPanel-outer").clientHeight;
    const isSame = root.fitted === `${clientWidth} ${clientHeight}`;
    root.fitted = `${clientWidth} ${clientHeight}`;
    return isSame && clientHeight > 0 && root.getBoundingClientRect().height <= place;
}"""


@pytest.mark.parametrize("sidebar", [True, False])
@pytest.mark.parametrize("cell", [1, 2, 3, 4])
def test_a_compact_explorer_fits_between_the_bars(lecture, cell, sidebar):
    page = lecture.page
    if page.locator("#jp-left-stack").is_visible() != sidebar:
        lecture.command("application:toggle-left-area")
    root = page.locator(".jp-Notebook .jp-Cell").nth(cell).locator(".bx-root")
    root.scroll_into_view_if_needed()
    page.wait_for_function(FITS, arg=root.element_handle(), polling=150)
    heights = [canvas.bounding_box()["height"] for canvas in root.locator("canvas").all() if canvas.is_visible()]
    if cell == 4:
        assert root.locator("[aria-label=Settings]").is_visible()
        assert root.locator("table").evaluate("(table) => getComputedStyle(table).display") == "table"
        assert min(heights) > 180
        return
    assert min(heights) > 200
    if cell > 1:  # numbers stand side by side, as on a page of their own
        places = [name.bounding_box()["y"] for name in root.locator("dt").all() if name.is_visible()]
        assert places[0] == places[1] == places[2]
    if cell == 3:  # which the boundary explorer on the same page does not hide
        assert root.locator('[data-bx="mode"]').is_visible()
