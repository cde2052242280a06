"""Tables of the reader's own: opened, dropped and pasted, on every explorer that shows points."""

import json

import numpy as np
import pytest
from every_explorer import EXPLORERS, NAMES
from playwright.sync_api import expect
from screen import PHONE, three_classes

from bayeslab import load_iris
from bayeslab.explore import BoundaryExplorer, EMExplorer, LikelihoodExplorer, NeighboursExplorer, RegularisedExplorer

KINDS = ["boundary", "em", "neighbours", "regularised", "likelihood"]
X = np.random.default_rng(0).normal([4, 60], [1, 5], (60, 2)).round(1) + np.arange(60)[:, None] % 3 * [2, 10]
SPECIES = [["Ädelie", "=1+1", "<b>Ü</b>"][i % 3] for i in range(60)]
ROWS = [[f"{i}", *(f"{x:.1f}".replace(".", ",") for x in X[i]), SPECIES[i], "ab"[i % 2]] for i in range(60)]
HEADER = ["id", "width (mm)", "<img src=x onerror=alert(1)>", "species", "sex"]
TABLE = "\r\n".join(";".join(row) for row in [HEADER, *ROWS, ["61", "n.d.", "3", "Ädelie", "a"]]) + "\r\n"
DROP = """([text, name]) => {
    const data = new DataTransfer(), options = { bubbles: true, cancelable: true, dataTransfer: data };
    data.items.add(new File([text], name));
    const over = new DragEvent("dragover", options);
    document.body.dispatchEvent(over);
    const marked = document.querySelector(".bx-root").hasAttribute("data-drop");
    document.body.dispatchEvent(new DragEvent("drop", options));
    return over.defaultPrevented && marked;
}"""
PASTE = """(text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, clipboardData: data, cancelable: true }));
}"""


def open_table(screen, data, name="birds.csv"):
    """Open a file, and wait until something is said of it."""
    data = data.encode("cp1252") if isinstance(data, str) else data
    note = screen.part("table-note")
    before = note.text_content()
    screen.part("table-file").set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
    expect(note).not_to_have_text(before)
    screen.settle()
    return note.inner_text()


@pytest.fixture(params=KINDS)
def each(request, show):
    return EXPLORERS[request.param], show(EXPLORERS[request.param].make())


def test_a_table_is_opened_shown_linked_copied_and_undone(each, tmp_path, monkeypatch):
    case, screen = each
    before = screen.values()
    said = open_table(screen, TABLE)
    assert said.startswith("60 rows of “birds.csv” are shown. 1 of 61 rows left out: no number in “width (mm)”.") or (
        case.kind is LikelihoodExplorer and said == "61 rows of “birds.csv” are shown."
    )
    expect(screen.part("table-note")).to_be_visible()
    values = screen.values()
    if case.kind is LikelihoodExplorer:
        assert values["feature_name"] == HEADER[2]
        assert values["points"] == [*X[:, 1], 3]
        screen.part("table-x").select_option("width (mm)")
        screen.settle()
        values = screen.values()
        assert values["points"] == X[:, 0].tolist()
    else:
        assert values["feature_names"] == HEADER[1:3]
        np.testing.assert_array_equal(np.array(values["points"])[:, :2], X)
    if "class_names" in values:
        assert values["class_names"] == values["classes"] == sorted(set(SPECIES))
        assert [values["class_names"][k] for _, _, k in values["points"]] == SPECIES
    assert screen.page.locator(".bx-root img").count() == 0
    screen.writes_no_nonsense()
    assert screen.faults() == []
    if case.kind in (EMExplorer, RegularisedExplorer):
        assert screen.barriers() == []
    other = screen.opened(screen.copied("copy-link"))
    assert other.values() == values
    (tmp_path / "birds.csv").write_bytes(TABLE.encode("cp1252"))
    monkeypatch.chdir(tmp_path)
    code, names = screen.copied("copy-python"), {}
    assert 'pd.read_csv("birds.csv", sep=";", decimal=",", encoding="cp1252"' in code
    assert "points=" not in code
    exec(code, names)
    links = screen.page.evaluate("Object.keys(values)")
    made = json.loads(json.dumps(names["explorer"].get_state(links), default=np.ndarray.tolist))
    for name in {*values} - {"table", "datasets", "compact", "means", "covariances", "priors", "current", "challenge"}:
        assert made[name] == values[name] or np.allclose(made[name], values[name], rtol=1e-12), name
    undone = 2 if case.kind is LikelihoodExplorer else 1
    screen.click(*["undo"] * undone)
    assert screen.values() == before
    expect(screen.part("table-x")).to_be_hidden()
    screen.click(*["redo"] * undone)
    assert screen.values() == values
    expect(screen.part("table-x")).to_have_value("1")


def test_columns_and_label_are_chosen_in_selects(show):
    screen = show(EXPLORERS["neighbours"].make())
    open_table(screen, TABLE)
    screen.part("table-label").select_option("sex")
    screen.part("table-y").select_option("id")
    screen.settle()
    assert screen.values()["feature_names"] == ["width (mm)", "id"]
    assert screen.values()["class_names"] == ["a", "b"]
    before = screen.values()
    screen.part("table-label").select_option("width (mm)")
    assert "choose another label. Nothing was changed." in screen.text("table-note")
    assert screen.values() == before
    screen.click("undo", "undo")
    expect(screen.part("table-label")).to_have_value("3")
    screen.pull("query", [30, 30])
    expect(screen.part("table-label")).to_have_value("3")  # what is dragged is still of this table
    screen.reveal("table-x").focus()
    screen.page.keyboard.press("Escape")
    expect(screen.part("table-x")).to_be_hidden()
    expect(screen.part("menu").locator("summary")).to_be_focused()


@pytest.mark.parametrize("kind", ["boundary", "likelihood"])
def test_a_file_is_dropped_and_cells_are_pasted(show, kind):
    case, screen = EXPLORERS[kind], show(EXPLORERS[kind].make())
    before = screen.values()
    assert screen.page.evaluate(DROP, [TABLE, "dropped.csv"])
    expect(screen.part("table-note")).to_contain_text("“dropped.csv”")
    expect(screen.part("root")).not_to_have_attribute("data-drop", "")
    screen.settle()
    dropped = screen.values()
    screen.click("undo")
    screen.page.evaluate(PASTE, "\n".join("\t".join(row) for row in ROWS))  # a range of cells without its header
    expect(screen.part("table-note")).to_contain_text("“pasted cells”")
    screen.settle()
    pasted = screen.values()
    assert pasted["points"] == (dropped["points"][:60] if case.kind is LikelihoodExplorer else dropped["points"])
    assert "column 3" in (pasted.get("feature_names") or [pasted["feature_name"]])
    assert "read_csv" not in screen.copied("copy-python")  # there is no file
    screen.click("undo")
    assert screen.values() == before
    screen.page.evaluate(PASTE, "a word")
    assert screen.values() == before
    screen.paste("x;y;k\n1;2;A\n2;4;B\n3;1;A\n5;5;B\n1;1;A\n4;2;B")  # as the keyboard of a phone does
    assert len(screen.values()["points"]) == 6


def test_what_cannot_be_read_is_refused_at_once_and_nothing_is_lost(show):
    screen = show(EXPLORERS["regularised"].make())
    before = screen.values()
    said = screen.page.evaluate("""() => {
        const data = new DataTransfer(), options = { bubbles: true, cancelable: true, dataTransfer: data };
        data.items.add(new File(["1,2,A\\n".repeat(8_500_000)], "large.csv"));
        document.body.dispatchEvent(new DragEvent("drop", options));
        return document.querySelector("[data-bx=table-note]").textContent;
    }""")
    assert said == "large.csv has 51 MB, and 5 MB is the most: take some of its rows. Nothing was changed."
    for data, why in {
        b"PK\x03\x04\x14\x00\x06\x00": "This is a spreadsheet or another packed file: save it as CSV",
        b"\x89PNG\r\n\x1a\n\0\0": "This is not a table of text",
        b"": "There is nothing to read",
        b"x,y,k\n1,2,A\n1,3,A\n1,5,A\n2,1,B\n2,2,B\n2,3,B\n": "“x” does not vary within the classes",
    }.items():
        assert why in open_table(screen, data)
        assert screen.text("table-note").endswith("Nothing was changed.")
        assert screen.values() == before
    expect(screen.part("table-note")).to_have_class("bx-message")
    assert open_table(screen, TABLE).startswith("60 rows")  # and the next try works


def test_where_nobody_knows_the_densities_nothing_asks_for_them(show):
    screen = show(EXPLORERS["regularised"].make())
    screen.choose(error="true")
    truth = ["error", "n-range", "draw"]
    assert all(screen.part(name).is_visible() for name in truth)
    open_table(screen, TABLE)
    assert not any(screen.part(name).is_visible() for name in truth)
    assert screen.values()["error"] == "left out"
    assert "the best rule" not in screen.text("root")
    screen.click("undo")
    assert all(screen.part(name).is_visible() for name in truth)
    assert screen.values()["error"] == "true"


def test_the_starts_of_em_keep_their_places_among_the_points(show):
    points = np.random.default_rng(1).normal(size=(50, 2)).round(3)
    screen = show(EMExplorer(points, starts=[[0.5, -1], [1, 1]]))
    open_table(screen, "a,b\n" + "".join(f"{100 + 10 * x:.2f},{y}\n" for x, y in points), "shifted.csv")
    np.testing.assert_allclose(screen.values()["starts"], [[105, -1], [110, 1]], atol=1e-2)
    assert screen.values()["step"] == 0


def test_a_link_hides_tables_and_then_none_is_taken(show):
    screen = show(three_classes())
    for hide in ("table", "points"):
        other = screen.opened(f"#hide={hide}")
        before = other.values()
        other.page.evaluate(PASTE, TABLE)
        assert not other.page.evaluate(DROP, [TABLE, "dropped.csv"])
        other.settle()
        assert other.values() == before
        assert not other.part("open-table").is_visible()


@pytest.mark.parametrize("kind", ["boundary", "em"])
def test_on_a_phone_and_in_a_lecture_a_table_is_in_the_menu(show, kind):
    explorer = EXPLORERS[kind].make()
    explorer.compact = True
    screen = show(explorer, (390, 844), **PHONE)
    said = open_table(screen, TABLE)
    expect(screen.part("table-note")).to_be_visible()
    assert said.startswith("60 rows")
    assert screen.faults() == []
    assert screen.overflow()[0] == 0
    assert screen.part("table-x").evaluate("(e) => e.closest('details').open")


def test_what_python_gives_with_more_than_two_features_is_chosen_from_on_a_saved_page(show):
    iris = load_iris()
    screen = show(BoundaryExplorer(iris))
    expect(screen.part("table-note")).to_have_text("")
    screen.reveal("table-x").select_option("sepal length (cm)")
    screen.settle()
    assert screen.text("table-note") == "150 rows of “data” are shown."
    points = np.array(screen.values()["points"])
    np.testing.assert_array_equal(points[:, :2], iris.X[:, [0, 3]])
    assert screen.values()["class_names"] == iris.class_names
    assert not screen.part("table-label").is_visible()
    screen.click("undo")
    expect(screen.part("table-x")).to_have_value("2")


def test_labels_that_python_gives_keep_their_kind(show):
    shelf = NAMES["shelf"]
    screen = show(NeighboursExplorer((np.column_stack([shelf.X, shelf.X[:, 0]]), np.asarray(shelf.y, dtype=bool))))
    screen.reveal("table-x").select_option("column 1")
    screen.settle()
    assert screen.values()["class_names"] == [False, True]
