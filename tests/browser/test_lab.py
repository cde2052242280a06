"""Explorers in JupyterLab, one of each kind in one notebook: Python follows, and the screen follows Python."""

import json

import numpy as np
import pytest
from every_explorer import EXPLORERS, IN_BROWSER, SETUP
from lab import notebook_of
from playwright.sync_api import expect
from screen import Screen

PENGUINS = 'BoundaryExplorer(load_penguins().select("bill length", "bill depth"), "LDA")'
CODES = {name: EXPLORERS[name].code for name in IN_BROWSER} | {"boundary": PENGUINS}
CODES |= {"em": "EMExplorer(shelf.X, shelf.X[:2])"}  # in two dimensions, with as many readouts as in a lecture


@pytest.fixture(scope="module")
def notebook(run_in_lab):
    """A notebook with a cell for each explorer, opened and run in JupyterLab."""
    cells = [f"{name} = {code}\n{name}.compact = False\n{name}" for name, code in CODES.items()]
    return run_in_lab(
        "explorers.ipynb", notebook_of([SETUP + "from bayeslab import load_penguins", *cells]), 1400, 1300
    )


class Cell(Screen):
    """One of several explorers in a notebook."""

    def __init__(self, notebook, name):
        self.notebook, self.name, self.case = notebook, name, EXPLORERS[name]
        self.number = list(CODES).index(name) + 1
        cell = notebook.page.locator(".jp-Notebook .jp-Cell").nth(self.number)
        cell.scroll_into_view_if_needed()
        self.first = cell.locator(f'[data-handle="{self.case.handles.split()[0]}"]')
        self.first.scroll_into_view_if_needed()
        super().__init__(notebook.page, cell)

    def moved(self):
        """Values of the traits that the handle moves, as Python has them."""
        return self.notebook.printed(f"print(json.dumps({self.name}.get_state({sorted(self.case.traits)})))")


@pytest.fixture
def screen(notebook):
    """The boundary explorer, in the state in which its tests begin."""
    assert notebook.printed("boundary.mode = 'truth'; boundary.rule = 'QDA'; boundary.show_regions = True") == ""
    return Cell(notebook, "boundary")


@pytest.fixture
def trait(notebook):
    """Return a function: a trait of the explorer, as Python has it."""

    def trait(what):
        return np.array(json.loads(notebook.printed(f"print(json.dumps(boundary.{what}.tolist()))")))

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


def test_arrow_keys_belong_to_what_has_the_focus_and_not_to_the_notebook(screen, trait, notebook):
    before = trait("means")
    notebook.select_cell(screen.number)
    screen.handle(1).focus()
    for key in ["ArrowRight", "ArrowDown", "Shift+ArrowDown"]:
        screen.page.keyboard.press(key)
    screen.settle()
    moved = trait("means")
    shift = moved[1] - before[1]
    assert shift[0] > 0 > shift[1]
    screen.page.keyboard.press("Control+z")
    screen.settle()
    assert (trait("means") != moved).any()
    screen.page.keyboard.press("Control+Shift+z")
    screen.settle()
    np.testing.assert_array_equal(trait("means"), moved)
    assert notebook.selected_cell() == screen.number
    screen.part("rule-LDA").focus()
    screen.page.keyboard.press("ArrowDown")  # the next radio button
    screen.settle()
    assert screen.part("rule-RDA").is_checked()
    assert notebook.selected_cell() == screen.number


def test_letters_typed_into_a_field_are_no_commands_of_jupyterlab(screen, notebook):
    cells = notebook.page.locator(".jp-Cell").count()
    notebook.select_cell(screen.number)
    screen.reveal("table-cells").focus()
    screen.page.keyboard.type("dd a b x 1,2")
    assert screen.part("table-cells").input_value() == "dd a b x 1,2"
    screen.part("table-cells").fill("")
    assert notebook.page.locator(".jp-Cell").count() == cells


def test_the_screen_shows_what_python_sets(screen, trait, notebook):
    before, at = trait("means"), screen.meant(screen.handle(1))
    notebook.printed("boundary.means = boundary.means[::-1]")
    screen.settle()
    np.testing.assert_allclose(screen.meant(screen.handle(len(before) - 2)), at, atol=1)
    notebook.printed("boundary.rule = 'nearest mean'; boundary.show_regions = False")
    screen.settle()
    assert screen.part("rule-nearest mean").is_checked()
    assert not screen.part("show_regions").is_checked()
    notebook.printed("boundary.means = boundary.means[::-1]; boundary.rule = 'QDA'")
    screen.settle()
    np.testing.assert_allclose(screen.meant(screen.handle(1)), at, atol=1)


def test_it_follows_jupyterlabs_theme(screen, notebook):
    notebook.command("apputils:change-theme", theme="JupyterLab Dark")
    expect(screen.part("root")).to_have_attribute("data-theme", "dark")
    screen.settle()
    assert screen.picture()[0][2, 2].mean() < 60
    notebook.command("apputils:change-theme", theme="JupyterLab Light")
    expect(screen.part("root")).to_have_attribute("data-theme", "light")


def test_a_second_view_shows_the_same(screen, notebook):
    """Two views of one widget: what is dragged in one moves in the other."""
    notebook.page.evaluate(
        """([code]) => { const { content } = window.jupyterapp.shell.currentWidget;
            content.activeCellIndex = content.widgets.length - 1;
            return window.jupyterapp.commands.execute("notebook:insert-cell-below")
                .then(() => content.activeCell.model.sharedModel.setSource(code)); }""",
        ["boundary"],
    )
    notebook.command("notebook:run-cell")
    last = notebook.page.locator(".jp-Notebook .jp-Cell").last.locator(".bx-root[data-theme]")
    last.wait_for()
    screen.settle()
    handles = [view.locator('[data-handle="mean-0"]') for view in (screen.part("root"), last)]
    labels = [handle.get_attribute("aria-label") for handle in handles]
    handles[1].press("Shift+ArrowRight")
    screen.settle()
    moved = [handle.get_attribute("aria-label") for handle in handles]
    notebook.command("notebook:delete-cell")
    assert labels[0] == labels[1]
    assert moved[0] == moved[1] != labels[0]


@pytest.mark.parametrize("name", CODES)
def test_it_appears_and_python_follows_mouse_and_keys_and_the_way_back(notebook, name):
    cell = Cell(notebook, name)
    expect(cell.part("root")).to_have_count(1)
    assert cell.inside.locator("canvas").first.is_visible()
    start, at = cell.moved(), cell.middle(cell.first)
    cell.drag(at, [-20, -25])
    moved = cell.moved()
    assert moved != start
    assert abs(cell.middle(cell.first) - at).max() > 5
    cell.page.keyboard.press("Control+z")
    cell.settle()
    assert cell.moved() == start
    np.testing.assert_allclose(cell.middle(cell.first), at, atol=1)
    notebook.select_cell(cell.number)
    cell.first.press("Shift+ArrowRight")
    cell.settle()
    assert cell.moved() != start
    expect(cell.first).to_be_focused()
    assert notebook.selected_cell() == cell.number


def test_ticks_are_kept_by_python(notebook):
    cell = Cell(notebook, "challenges")
    notebook.printed("challenges.done = ['line', 'coin']")
    expect(cell.inside.locator(".bx-tick[data-met]")).to_have_count(2)
    cell.click("challenge-parabola")
    cell.inside.locator('[data-handle="axis2-1"]').press("Shift+ArrowUp")
    expect(cell.part("met")).to_contain_text("3 of")
    cell.settle()
    assert notebook.printed("print(sorted(challenges.done))").strip() == "['coin', 'line', 'parabola']"


def test_the_handle_in_use_keeps_the_focus_while_python_sets_values(notebook):
    cell = Cell(notebook, "likelihood")
    cell.first.focus()
    notebook.printed("likelihood.style_index = 3; likelihood.mean = 2.5")
    cell.settle()
    assert "2.5" in cell.first.get_attribute("aria-label")
    assert cell.first.evaluate("(handle) => handle.style.getPropertyValue('--class')") == "var(--class-3)"
    expect(cell.first).to_be_focused()


def test_a_table_dropped_on_an_explorer_is_in_python(notebook):
    cell = Cell(notebook, "neighbours")
    ask = "print(len(neighbours.points), len(neighbours.means), neighbours.class_names, neighbours.feature_names)"
    before = notebook.printed(ask)
    cell.part("plane").evaluate("""(plot) => {
        const data = new DataTransfer(), options = { bubbles: true, cancelable: true, dataTransfer: data };
        data.items.add(new File(["Breite;Länge;Art\\n1,5;2;a\\n2;3,5;b\\n0;1;a\\n"], "a.csv"));
        plot.dispatchEvent(new DragEvent("drop", options));
    }""")
    expect(cell.part("table-note")).to_have_text("3 rows of “a.csv” are shown.")
    expect(cell.inside.locator(".bx-table")).to_contain_text("Only the points shown go to this notebook’s kernel.")
    cell.settle()
    assert notebook.printed(ask).strip() == "3 0 ['a', 'b'] ['Breite', 'Länge']"
    cell.click("undo")
    assert notebook.printed(ask) == before


# On a projector, between Lab's bars ...................................................................................


@pytest.fixture(scope="module")
def lecture(notebook):
    """The same notebook on a projector; its tests come last, because the explorers stay compact."""
    for code in (
        "for each in (boundary, em, threshold, variance): each.compact = True",
        "variance.rules = ('RDA', 'naive'); variance.drawn = 100; boundary.rule = 'LDA'",
    ):
        assert notebook.printed(code) == ""
    notebook.page.set_viewport_size({"width": 1280, "height": 720})
    return notebook


# Whether an explorer is drawn as large as it is going to be, and no higher than the notebook's place on the screen.
FITS = """(root) => {
    const { clientWidth, clientHeight } = root, place = document.querySelector(".jp-WindowedPanel-outer").clientHeight;
    const isSame = root.fitted === `${clientWidth} ${clientHeight}`;
    root.fitted = `${clientWidth} ${clientHeight}`;
    return isSame && clientHeight > 0 && root.getBoundingClientRect().height <= place;
}"""


@pytest.mark.parametrize("sidebar", [True, False])
@pytest.mark.parametrize("name", ["boundary", "em", "threshold", "variance"])
def test_a_compact_explorer_fits_between_the_bars(lecture, name, sidebar):
    page = lecture.page
    if page.locator("#jp-left-stack").is_visible() != sidebar:
        lecture.command("application:toggle-left-area")
    root = Cell(lecture, name).part("root")
    root.scroll_into_view_if_needed()
    page.wait_for_function(FITS, arg=root.element_handle(), polling=150)
    heights = [canvas.bounding_box()["height"] for canvas in root.locator("canvas").all() if canvas.is_visible()]
    if name == "variance":
        assert root.locator("[aria-label=Settings]").is_visible()
        assert root.locator("table").evaluate("(table) => getComputedStyle(table).display") == "table"
        assert min(heights) > 180
        return
    assert min(heights) > 200
    if name != "boundary":  # numbers stand side by side, as on a page of their own
        places = [term.bounding_box()["y"] for term in root.locator("dt").all() if term.is_visible()]
        assert places[0] == places[1] == places[2]
    if name == "threshold":  # which the boundary explorer on the same page does not hide
        assert root.locator('[data-bx="mode"]').is_visible()
