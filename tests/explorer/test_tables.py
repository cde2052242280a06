"""Tables in the browser: what is read of a file, what is shown of it, and that pandas makes the same of the code."""

import csv
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from javascript import call

from bayeslab.explore import EMExplorer, LikelihoodExplorer, NeighboursExplorer
from bayeslab.explore._content import MOST_CLASSES

JS = "table/table_picker.js"
LABELLED = {"n_axes": 2, "labelled": True, "most": 600}
# What the picker does with the bytes of a file: the answer has no functions in it.
OPENED = """(bytes, limits, name, asked) => {
    const { text, encoding } = decoded(Uint8Array.from(bytes)), table = { name, ...readTable(text) };
    const options = { ...table.options, ...(encoding !== "utf-8" && { encoding }) };
    const choice = { ...firstChoice(table, limits), ...asked }, { code, ...chosen } = chosenFrom(table, choice, limits);
    const names = table.columns.map((column) => column.name);
    return { ...chosen, names, options, choice, python: pandasOf(name, options, code, chosen.class_names) };
}"""
REFUSED = f"(...given) => {{ try {{ ({OPENED})(...given); }} catch ({{ message }}) {{ return message; }} }}"


def opened(data, limits=LABELLED, asked=None, name="table.csv"):
    data = data.encode() if isinstance(data, str) else data
    (found,) = call(JS, OPENED, [[list(data), limits, name, asked or {}]])
    return found


def refusal(data, limits=LABELLED, asked=None):
    data = data.encode() if isinstance(data, str) else data
    (message,) = call(JS, REFUSED, [[list(data), limits, "table.csv", asked or {}]])
    return message


PLAIN = "width,length,kind\n1.5,2,Smith\n0,-3e2,Ü\n"
POINTS = [[1.5, 2, 0], [0, -300, 1]]
UMLAUTS = PLAIN.replace("Smith", "Ö")
WRITTEN = {
    "plain": PLAIN,
    "no line at the end": PLAIN.rstrip(),
    "semicolons and decimal commas": "width;length;kind\n1,5;2;Smith\n0;-3e2;Ü\n",
    "tabs": PLAIN.replace(",", "\t"),
    "tabs and decimal commas": "width\tlength\tkind\n1,5\t2\tSmith\n0\t-3e2\tÜ",
    "several spaces": " width  length kind\n1.5   2  Smith\n 0 -3e2 Ü\n",
    "spaces around": ' width, length, kind\n 1.5 , 2, "Smith"\n 0,-3e2 ,  Ü\n',
    "quotes": '"width","length","kind"\r\n"1.5","2","Smith"\r\n"0","-3e2","Ü"\r\n',
    "lines of Windows": PLAIN.replace("\n", "\r\n"),
    "lines of an old Mac": PLAIN.replace("\n", "\r"),
    "empty lines and rows": PLAIN.replace("\n0", "\n\n,,\n0") + ",,\n\n",
    "first line of Excel": "sep=;\n" + PLAIN.replace(",", ";"),
    "BOM": b"\xef\xbb\xbf" + PLAIN.encode(),
    "UTF-16": PLAIN.encode("utf-16"),
    "UTF-16, the other way round": b"\xfe\xff" + PLAIN.encode("utf-16-be"),
    "UTF-16 without BOM": PLAIN.encode("utf-16-le"),
    "cp1252": PLAIN.encode("cp1252"),
    "row names of R": '"width" "length" "kind"\n"1" 1.5 2 "Smith"\n"2" 0 -3e2 "Ü"\n',
    "a separator at the end": "width,length,kind\n1.5,2,Smith,\n0,-3e2,Ü,\n",
    "the label first": "kind,width,length\nSmith,1.5,2\nÜ,0,-3e2\n",
    "no header": PLAIN.split("\n", 1)[1],
    "no header, semicolons": "1,5;2;Smith\n0;-3e2;Ü\n",
    "names that are numbers": "2019,2020,kind\n1.5,2,Smith\n0,-3e2,Ü\n".replace("2019", "in 2019").replace(
        "2020", "'20"
    ),
    "the same name twice, and none": "width,width,\n1.5,2,Smith\n0,-3e2,Ü\n",
    "too short and too long": PLAIN + "7,8\n7,8,Smith,9\n7\n",
    "words among the numbers": PLAIN + "7,n. d.,Smith\n-,8,Smith\ninf,1e200,Ü\n0x1F,2,Ü\n",
    "missing": PLAIN + "7,,Smith\nNA,8,Ü\nNaN,1,Ü\n1,2,\n1,2,?\n1,2,None\n",
}


@pytest.mark.parametrize("data", WRITTEN.values(), ids=WRITTEN)
def test_what_people_have_is_read_and_pandas_reads_the_same(data, tmp_path, monkeypatch):
    (tmp_path / "table.csv").write_bytes(data.encode() if isinstance(data, str) else data)
    monkeypatch.chdir(tmp_path)
    found = opened(data)
    assert (found["points"], found["class_names"]) == (POINTS, ["Smith", "Ü"])
    as_pandas_reads_it(found)


def as_pandas_reads_it(found):
    """Run the code, and compare what an explorer makes of it with what the page shows."""
    names = {}
    exec(found["python"]["imports"] + found["python"]["before"], names)
    explorer = NeighboursExplorer(eval(found["python"]["source"], names))
    np.testing.assert_array_equal(explorer.points, found["points"])
    assert explorer.class_names == found["class_names"]
    assert list(map(type, explorer.class_names)) == list(map(type, found["class_names"]))
    return explorer


def test_names_of_columns_are_those_of_the_header():
    assert opened(PLAIN)["names"] == ["width", "length", "kind"]
    assert opened(" a , b ,c\n1,2,A\n3,4,B")["names"] == ["a", "b", "c"]
    assert opened("1,2,A\n3,4,B")["feature_names"] == ["column 1", "column 2"]
    assert opened("a,a,\n1,2,A\n3,4,B")["names"] == ["a", "a.1", "Unnamed: 2"]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_a_spreadsheet_writes_comes_back(seed, tmp_path, monkeypatch):
    """Separators, quotes and line ends in any cell, as Python's csv writes them."""
    rng = np.random.default_rng(seed)
    texts = ['a "b"', "a,b;c", "two\nlines", "tab\there", "=1+1", "<img src=x onerror=alert(1)>", "é 中 😀", "0 1"]
    rows = [[*rng.normal(size=2).round(4), texts[k], texts[j]] for k, j in rng.integers(0, (4, 8), (40, 2))]
    written, separator = StringIO(), ",;\t,"[seed]
    writer = csv.writer(written, delimiter=separator, lineterminator="\r\n")
    writer.writerows([["x", "y", "kind", "note\n(free)"], *rows])
    (tmp_path / "table.csv").write_text(written.getvalue(), "utf-8", newline="")
    monkeypatch.chdir(tmp_path)
    found = opened(written.getvalue())
    assert found["class_names"] == sorted(texts[:4])
    assert found["points"] == [[x, y, sorted(texts[:4]).index(kind)] for x, y, kind, _ in rows]
    as_pandas_reads_it(found)


REFUSALS = {
    "": "nothing to read",
    " \n,,\n": "nothing to read",
    "width\n1\n2\n": "needs two columns of numbers",
    "width,kind\n1,A\n2,B\n": "needs two columns of numbers",
    "species,island\nAdelie,Dream\nGentoo,Biscoe\n": "needs two columns of numbers",
    "a,b,c\n1.5,2.5,3.5\n4.5,5.5,6.5\n7.5,8.5,9.5\n1,2,3\n5,6,7\n8,9,10\n": "No column looks like a label",
    'x,y,kind\n1,2,A\n3,4,"B\n5,6,C\n': "quotation mark in row 3 is not closed",
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR": "not a table of text",
    b"PK\x03\x04\x14\0\x06\0": "spreadsheet or another packed file: save it as CSV",
    ",".join(map(str, range(1001))) + "\n" + ",".join(["1"] * 1001): "1001 columns; 1000 is the most",
}


@pytest.mark.parametrize(("data", "why"), REFUSALS.items(), ids=REFUSALS.values())
def test_what_cannot_be_read_is_refused_with_a_sentence(data, why):
    assert why in refusal(data)


def test_a_label_that_is_none_is_refused_with_a_remedy():
    rows = "x,y,kind,name\n" + "".join(f"{i * i % 17}.5,{i % 13}.25,A,n{i}\n" for i in range(40))
    assert refusal(rows) == "No column looks like a label, with 2 to 5 different values: choose one"
    assert refusal(rows, asked={"label": 2}) == "All rows have the label “A” in “kind”: choose another label"
    assert refusal(rows, asked={"label": 3}) == "“name” has 40 different values in 40 rows: choose another label"
    few = LABELLED | {"least": 3}
    assert refusal("x,y,k\n1,2,A\n1,3,A\n2,2,A\n4,4,B\n", few) == (
        "Fewer than two classes of “k” have 3 rows: choose another label"
    )


def test_rows_that_cannot_be_used_are_counted_with_the_reason():
    rows = "".join(f"{i},{i % 7},{'AB'[i % 2]}\n" for i in range(1, 118))
    found = opened("width,length,kind\n" + rows + "x,1,A\n2,,B\n3,4,\n1,2,A,9\n")
    assert found["words"] == (
        "117 rows of “table.csv” are shown. 4 of 121 rows left out: no number in “width” (1), "
        "no number in “length” (1), no label in “kind” (1), too many fields (1)."
    )
    one = opened("width,length,kind\n" + rows + "NA,1,A\n" * 3)
    assert one["words"].endswith("are shown. 3 of 120 rows left out: no number in “width”.")
    assert opened("width,length,kind\n" + rows)["words"] == "117 rows of “table.csv” are shown."


def table_of(counts, rng, label=str):
    """Write so many rows of each class, the classes mixed."""
    labels = rng.permutation(np.repeat(list(counts), list(counts.values())))
    X = rng.normal(size=(len(labels), 2)).round(3)
    return "a,b,kind\n" + "".join(f"{x},{y},{label(k)}\n" for (x, y), k in zip(X, labels, strict=True))


@pytest.mark.parametrize("counts", [{"A": 900, "B": 250, "C": 3}, {"A": 601, "B": 1}, {"A": 599, "B": 1}])
def test_beyond_the_limit_every_so_manieth_row_of_each_class_is_shown(counts, tmp_path, monkeypatch):
    data = table_of(counts, np.random.default_rng(0))
    (tmp_path / "table.csv").write_text(data)
    monkeypatch.chdir(tmp_path)
    found, total = opened(data), sum(counts.values())
    step = 1 if total <= 600 else 2
    classes = np.array(found["points"])[:, 2]
    assert np.bincount(classes.astype(int)).tolist() == [-(-n // step) for n in counts.values()]
    assert ("Every 2nd row of each class is shown: 600 points are the most here." in found["words"]) == (step > 1)
    as_pandas_reads_it(found)


def test_of_many_classes_the_five_with_the_most_rows_are_shown(tmp_path, monkeypatch):
    counts = dict(zip("GFEDCBA", [9, 4, 8, 7, 3, 6, 5], strict=True))
    data = table_of(counts, np.random.default_rng(0))
    (tmp_path / "table.csv").write_text(data)
    monkeypatch.chdir(tmp_path)
    found = opened(data, asked={"label": 2})
    assert found["class_names"] == ["A", "B", "D", "E", "G"]
    assert found["classes"] == sorted(counts)  # so that each keeps its colour
    assert f"{MOST_CLASSES} of 7 classes are shown, those with the most rows." in found["words"]
    as_pandas_reads_it(found)
    few = opened(data, LABELLED | {"least": 5}, {"label": 2})
    assert "2 classes with fewer than 5 rows left out." in few["words"]
    assert few["class_names"] == ["A", "B", "D", "E", "G"]


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["10", "9", "9"], [9, 10]),
        (["10", "9", ""], [9, 10]),  # of which pandas makes floats, for the missing one
        (["01", "1", "1"], ["01", "1"]),
        (["1.0", "2", "2"], ["1.0", "2"]),
        (["True", "False", "True"], ["False", "True"]),
        (["A ", "B", "A"], ["A", "B"]),
        (["1", "x", "1"], ["1", "x"]),
        (["-1", "1", "1"], [-1, 1]),
        (["=1+1", "'; DROP", '"\\'], ['"\\', "'; DROP", "=1+1"]),
    ],
)
def test_labels_are_whole_numbers_or_texts_as_in_pandas(labels, names, tmp_path, monkeypatch):
    rows = [[i, i * i, label] for i, label in enumerate(labels)]
    pd.DataFrame(rows, columns=["a", "b", "kind"]).to_csv(tmp_path / "table.csv", index=False)
    monkeypatch.chdir(tmp_path)
    found = opened((tmp_path / "table.csv").read_bytes(), asked={"axes": [0, 1], "label": 2})
    assert found["class_names"] == names
    as_pandas_reads_it(found)


def test_the_first_choice_is_a_label_with_few_values_and_measurements():
    data = "id,species,island,bill,mass,year\n" + "".join(
        f"{i},{'AGC'[i % 3]},{'XY'[i % 2]},{i * i % 31}.5,{i * 7 % 43},{2007 + i % 3}\n" for i in range(60)
    )
    choice = opened(data)["choice"]
    assert choice == {"axes": [3, 4], "label": 1}  # neither the number of the row nor the year
    assert opened(data.replace("island", "Class"))["choice"]["label"] == 1  # of two names the first
    assert opened(data.replace("species", "study").replace("island", "Class"))["choice"]["label"] == 2
    rows = "".join(f"{i * i % 31}.5,{i * 7 % 43},{1 + i % 3},{'mf'[i % 2]}\n" for i in range(60))
    words = "x,y,grade,sex\n" + rows
    assert opened(words)["choice"] == {"axes": [0, 1], "label": 3}  # words before whole numbers
    assert opened(words.replace("m\n", "0\n").replace("f\n", "1.5\n"))["class_names"] == [1, 2, 3]


def test_points_without_labels_are_chosen_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(0).normal(size=(2500, 2)).round(3)
    pd.DataFrame(X, columns=["a", "b"]).to_csv("table.csv", index=False)
    data = (tmp_path / "table.csv").read_bytes()
    plane, line = (opened(data, {"n_axes": n, "labelled": False, "most": 1000}) for n in (2, 1))
    assert "Every 3rd row is shown: 1000 points are the most here." in plane["words"]
    for found, make in [(plane, lambda source: EMExplorer(source, [[0, 0]])), (line, LikelihoodExplorer)]:
        names = {}
        exec(found["python"]["imports"] + found["python"]["before"], names)
        np.testing.assert_array_equal(make(eval(found["python"]["source"], names)).points, found["points"])
    assert plane["points"] == X[::3].tolist()
    assert line["feature_names"] == ["b"]


def test_where_no_short_code_gives_the_same_there_is_none():
    strays = "a,b,kind\n" + "".join(f"{i},{i * 3 % 40},{'AB'[i % 2]}\nx{i},1,A\n" for i in range(40))
    assert opened(strays, asked={"axes": [0, 1], "label": 2})["python"] is None
    assert opened(PLAIN, asked={"axes": [0, 0]})["python"] is None
