"""What the site of the course makes of a notebook, without making a site."""

import re
import runpy
from pathlib import Path

import folds
import nbformat
import pytest
from classroom import concordance_page, explorers, front_page, gallery, openers, reference, site, sphinx_pages
from concordance import PLACES
from PIL import Image

import bayeslab
import bayeslab.explore
from bayeslab import GaussianClassifier, LinearDiscriminantAnalysis, plotting

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
APPENDIX = sorted((ROOT / "notebooks").glob("A[0-9]*.ipynb"))
START = PATHS[0]


def code(source, **metadata):
    return nbformat.v4.new_code_cell(source, metadata=metadata)


def with_picture(source):
    output = nbformat.v4.new_output("display_data", {"image/png": "…"})
    return nbformat.v4.new_code_cell(source, outputs=[output])


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem[:2])
def test_the_first_cell_names_a_title_minutes_and_outcomes(path):
    cell = front_page.first_cell(path)
    assert cell["title"]
    assert cell["minutes"] > 0
    assert cell["outcomes"]


def test_the_map_has_a_box_for_each_notebook_with_a_link():
    lists, alt = front_page.read_map(START)
    entries = [entry for road in lists.values() for entry in road]
    assert [number for number, *_ in entries] == list(range(len(entries)))
    assert "boxes" in alt
    notebooks = {number: {"page": f"{number}.html", "name": "n", "title": "a & b"} for number in range(len(entries))}
    svg = front_page.draw_map(lists, alt, notebooks)
    assert svg.count("<rect") == svg.count("<a ") == len(entries)
    assert svg.count('class="arrow') == sum(len(needs) for *_, needs in entries)
    assert "a &amp; b" in svg


def test_the_front_page_names_every_notebook_once_in_its_lists():
    page = front_page.write(PATHS, ROOT / "README.md", APPENDIX)
    places = [page.find(f"<{path.stem}>") for path in (*PATHS, *APPENDIX)]
    assert places == sorted(places)
    assert all(page.count(f"<{path.stem}>") == 1 for path in (*PATHS, *APPENDIX))


def test_every_explorer_has_a_page_and_a_dare_in_the_gallery(tmp_path):
    assert set(gallery.EXHIBITS) == set(bayeslab.explore.__all__)
    page = front_page.write(PATHS, ROOT / "README.md", APPENDIX)
    gallery.save_gallery(tmp_path)
    for kind, exhibit in gallery.EXHIBITS.items():
        assert exhibit.dare in page
        assert f'src="_static/explorers/{gallery.page_of(kind)[:-5]}.png"' in page
        assert kind in (tmp_path / gallery.page_of(kind)).read_text("utf-8")
        with Image.open((tmp_path / gallery.page_of(kind)).with_suffix(".png")) as picture:
            assert picture.size == (330, 209)
            assert len(picture.getcolors(1 << 16)) > 4
    # All that is starred in the notebooks is on the short path, and nothing else is.
    path = re.search(r'<ol class="path">(.*?)</ol>', page, re.DOTALL)[1]
    starred = [each.stem[:2] for each in PATHS if "★" in "".join(re.findall(r'"#+ .*', each.read_text("utf-8")))]
    assert re.findall(r"<b>(\d\d)</b>", path) == starred


def test_math_and_code_of_a_folded_line_become_html_and_that_of_a_folded_text_stays():
    line = "<details><summary>Hint</summary>$a<b$ and `c`</details>"
    assert r"\(a&lt;b\)</span> and <code>c</code>" in site.math_in_details(line)
    text = "<details><summary>Answers</summary>\n\n1. $a$\n\n</details>"
    assert site.math_in_details(text) == text
    assert front_page.inline("**say** a < `b`, *c*") == "<strong>say</strong> a &lt; <code>b</code>, <em>c</em>"


def test_links_to_notebooks_that_are_not_there_are_words():
    text = "[01](01_a.ipynb), [02](02_b.ipynb), [data](../data/README.md)"
    assert site.mend_links(text, {"01_a.ipynb"}) == "[01](01_a.ipynb), 02, [data](data.md)"


def test_what_is_folded_stays_folded():
    cell = code("1", jupyter={"source_hidden": True})
    site.fold(cell)
    assert cell.metadata["tags"] == ["hide-input"]
    assert cell.metadata["mystnb"]["code_prompt_show"] == "Show the code"


def test_the_text_that_answers_a_prediction_is_folded_with_its_output():
    text, drawn = nbformat.v4.new_markdown_cell, with_picture("plot()")
    shown = code("n", tags=["answer"])
    drawn.metadata |= {"tags": ["answer"], "jupyter": {"source_hidden": True}}
    told = text("*Two.*\n\n<details><summary>Answer</summary>\n\nIt is 2.\n\n</details>\n\nWe go on.")
    cells = site.with_answers([text("**Predict:** 1 or 2?"), shown, drawn, told, drawn])
    answer = [site.ANSWER, "n", "plot()", "*Two.*", "It is 2.", "</details>"]
    after = ["We go on.", site.ANSWER, "plot()", "</details>"]
    assert [cell.source for cell in cells] == ["**Predict:** 1 or 2?", "n", *answer, *after]
    assert cells[3].metadata["tags"] == ["answer", "remove-input"]
    assert len({cell.id for cell in cells[:-3]}) == len(cells) - 3
    assert [cell.source for cell in site.with_answers([shown, text("## Next")])][2:] == ["n", "</details>", "## Next"]
    alone = text("<details><summary>Answer</summary>\n\nIt is 2.\n\n</details>")
    for each in (told, alone):  # links lead to it
        assert each.id in [cell.id for cell in site.with_answers([shown, each])]


def test_solutions_and_answers_about_explorers_are_in_the_edition_for_self_study_only(tmp_path):
    path, names = PATHS[7], {PATHS[7].name: "07 k-fold cross-validation"}
    cells = nbformat.read(path, as_version=4).cells
    solutions = [cell.source for cell in cells if "solution" in cell.metadata.get("tags", [])]
    for edition, there in (("students", False), ("self-study", True)):
        site.prepare(path, tmp_path, {}, names, edition)
        text = "\n".join(cell.source for cell in nbformat.read(tmp_path / path.name, as_version=4).cells)
        assert [solution in text for solution in solutions] == [there] * len(solutions)
        assert ("<summary>Answers</summary>" in text) is there
    with pytest.raises(SystemExit, match=r"no edition 'teachers': .* EDITION=self-study"):
        site.main(["teachers"])


def test_a_page_opens_with_its_name_its_question_its_story_and_a_picture_that_answers_nothing(tmp_path):
    for number, opener in openers.OPENERS.items():
        cells = nbformat.read(PATHS[int(number)], as_version=4).cells
        tags = [cell.metadata.get("tags", []) for cell in cells if cell.id == opener.shown]
        assert callable(opener.shown) or (len(tags) == 1 and "answer" not in tags[0]), number
    cells = openers.opened(folds.read(PATHS[18]).cells, "18 A name", {}, tmp_path)
    order = ["# 18 A name", 'class="question">What if we', "A ranger has", '<img src="_static/openers/18.png"']
    order += ["<summary>You will be able to …</summary>\n\n- ", "</details>", "**Needs:**"]
    places = [cells[0].source.index(part) for part in order]
    assert places == sorted(places)
    assert (tmp_path / "openers" / "18.png").is_file()


def test_where_an_explorer_lives_no_text_asks_to_run_it():
    told = "Look. Run the cell, press *Play*. Then run the cell and wait. (Nothing moves until you run the cell.) End."
    assert site.run_already(told) == "Look. Press *Play*. Then wait. End."


def test_a_slider_points_to_the_nearest_picture():
    cells = [with_picture("plot()"), code("1"), code("interact(print)"), with_picture("plot()")]
    assert f'#cell-{cells[3].id}">A picture below' in site.where_still(cells, 2)
    assert f'#cell-{cells[0].id}">A picture above' in site.where_still(cells[:3], 2)
    assert site.where_still(cells[1:3], 1) == ""


def test_an_explorer_takes_only_the_cells_that_it_needs():
    sources = ["import numpy as np", "a = np.ones(2)", "b = 2", "a = a + 1", "print(a)", "r = 1", "x = r", "f(a, x)"]
    needed = explorers.cells_for([code(source) for source in sources], len(sources) - 1)
    assert [cell.source for cell in needed] == [sources[place] for place in (0, 1, 3, 5, 6, 7)]
    draws = [code(source) for source in ("rng = f()", "y = rng.normal()", "z = 1", "x = rng.normal()", "g(x)")]
    assert explorers.cells_for(draws, 4) == [draws[place] for place in (0, 1, 3, 4)]  # y changes what x becomes


@pytest.mark.parametrize(
    ("source", "bound", "needed"),
    [
        ("import a.b as c\nfrom d import e", {"c", "e"}, set()),
        ("x = x + 1\ny = x", {"x", "y"}, {"x"}),
        ("x += y", {"x"}, {"x", "y"}),
        ("fig, ax = subplots()\nax.plot(x)", {"fig", "ax"}, {"subplots", "x"}),
        ("for k, x in pairs:\n    y = k * x + z", {"k", "x", "y"}, {"pairs", "z"}),
        ("y = [f(k) for k in x]\nz = {k: v}", {"y", "z"}, {"f", "x", "k", "v"}),
        ("def f(x, s=size):\n    t = x * scale\n    return t", {"f"}, {"size", "scale"}),
        ("rows['a'] = 1\nrule.k = 2", set(), {"rows", "rule"}),
    ],
)
def test_names_that_a_cell_binds_and_those_that_it_needs(source, bound, needed):
    assert explorers.names_of(source) == (bound, needed)


def test_the_concordance_links_to_labels_that_the_notebooks_get():
    paths = [*PATHS, *APPENDIX]
    page, links = concordance_page.write(paths), concordance_page.covered(paths)
    assert set(links) <= set(PLACES)
    cells = [cell for path in paths for cell in nbformat.read(path, as_version=4).cells]
    labels = {cell.source.strip("()=") for cell in concordance_page.anchored(cells) if cell.source.startswith("(cell-")}
    linked = set(re.findall(r"\(#(.+?)\)", page))
    assert linked
    assert linked <= labels


def test_the_reference_has_a_page_for_each_public_name_and_links_to_the_notebooks_that_import_it():
    pages = reference.write(PATHS, {path.stem: path.stem for path in PATHS})
    names = {name.partition("/")[2] for name in pages}
    assert names >= {*bayeslab.__all__, "plotting.plot_points", "explore.EMExplorer", "checks.check"}
    assert all(name in pages["reference"] for name in pages)
    linked = re.findall(r":doc:`(.+?) <", pages["reference/GaussianMixture"])
    importing = re.compile(r"from bayeslab import [^\\]*\bGaussianMixture\b")
    assert linked == [path.stem for path in PATHS if importing.search(path.read_text(encoding="utf-8"))]


def test_names_that_a_notebook_takes_from_the_package(tmp_path):
    cells = [
        code("from bayeslab import GaussianClassifier as Rule\nfrom bayeslab import plotting as many, two_class"),
        code("from numpy import ones\nones(2)"),
        code("many.plot_points(X, y)"),
        nbformat.v4.new_markdown_cell("from bayeslab import BayesClassifier"),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "a.ipynb")
    assert reference.used_in(tmp_path / "a.ipynb") == {GaussianClassifier, plotting.plot_points, bayeslab.two_class}


def test_methods_are_described_on_each_page_but_those_that_scikit_learn_adds():
    members = set(reference.members_of(LinearDiscriminantAnalysis))
    assert {"transform", "fit", "partial_fit", "predict", "score"} <= members  # of its own, inherited, and of a mixin
    assert {"get_params", "set_fit_request", "fit_transform"} & members == set()


def test_bars_and_underscores_of_a_docstring_are_no_marks():
    conf = runpy.run_path(str(sphinx_pages.FILES / "conf.py"))
    lines = ["ln |Σ| of n_iter_ + 1, `rank_` and ``a|b``", ".. rubric:: Examples", ">>> x_ | y"]
    conf["as_plain_text"](None, "class", "", None, None, lines)
    assert lines == [r"ln \|Σ\| of n_iter\_ + 1, `rank_` and ``a|b``", *lines[1:]]
