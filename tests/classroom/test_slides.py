"""The rule that cuts notebooks into slides: what must be on them, what must not, and what the speaker keeps."""

import contextlib
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import explorers
import folds
import nbformat
import pytest
import slide_rule
import slide_text
from explorers import stored_picture
from IPython.core.interactiveshell import InteractiveShell
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from parts import solution_of
from symbols import undefined

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
FIRST = "# Why?\n\nA story.\n\nYou will be able to\n\n- see.\n\nNeeds nothing. About 20 minutes."
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAEElEQVR4nGP4z8AARwzEcQCukw/x0F8jngAAAABJRU5ErkJggg=="


def deck(*cells):
    return slide_rule.cut(new_notebook(cells=[new_markdown_cell(FIRST), *map(cell_of, cells)]), {"live": "live.html"})


def cell_of(cell):
    return new_markdown_cell(cell) if isinstance(cell, str) else cell


def figure(**metadata):
    output = new_output("display_data", {"image/png": PNG})
    return new_code_cell("plt.show()", outputs=[output], metadata={"alt": "A figure", **metadata})


def printed(text, source="print(1)", **metadata):
    return new_code_cell(source, outputs=[new_output("stream", text=text)], metadata=metadata)


def shown(slide):
    return "\n".join(block.text for block in [*slide.blocks, *slide.steps])


def kinds(slides):
    return [slide.kind for slide in slides]


def lectured(nb):
    """Return the cells after the first that a lecture holds, by the headings and tags alone."""
    told = True
    for cell in nb.cells[1:]:
        if cell.cell_type == "markdown" and cell.source.startswith(("#", "**References")):
            names = ("Exercise", "What the sources print", "Notation", "When you are stuck", "Is everything there")
            told = not cell.source.lstrip("# ").startswith((*names, "**References"))
        elif told and not {"solution", "noslide"} & set(cell.metadata.get("tags", [])):
            yield cell


@pytest.fixture(scope="module", params=PATHS, ids=lambda path: path.stem[:2])
def both(request):
    nb = folds.read(request.param)
    pages = {cell.id: f"{cell.id}.html" for cell in nb.cells if stored_picture(cell)}
    return nb, slide_rule.cut(nb, pages)


def test_a_prediction_stands_alone_and_before_its_answer(both):
    nb, slides = both
    asked = [cell.source for cell in lectured(nb) if cell.source.startswith("**Predict")]
    predictions = [k for k, slide in enumerate(slides) if slide.kind == "predict"]
    assert len(predictions) == len(asked)
    for place, source in zip(predictions, asked, strict=True):
        question = source.split("<details>")[0].strip()
        asks = [block for block in slides[place].blocks if block.kind != "lead"]
        assert question.startswith(asks[0].text.split("\n")[0])
        assert {block.kind for block in asks} <= {"prose", "math", "list"}
        before = slides[place - 1]
        led = slides[place].blocks[0].kind == "lead"
        assert before.kind == "listing" or led or not before.blocks or before.blocks[-1].kind != "code"
        following = kinds(slides[place + 1 :])
        assert "answer" in following
        assert "predict" not in following[: following.index("answer")]


def test_every_figure_and_explorer_is_shown_and_no_solution(both):
    nb, slides = both
    cells = [cell for cell in lectured(nb) if cell.cell_type == "code"]
    pictures = [cell.id for cell in cells for o in cell.outputs if "image/png" in o.get("data", {})]
    found = [block.text for s in slides for block in s.blocks if block.kind in ("figure", "explorer")]
    assert sorted(re.split(r"[_.]", name)[0] for name in found) == sorted(pictures)
    assert len(set(found)) == len(found)
    everything = "\n".join(shown(slide) + "\n".join(slide.notes) for slide in slides)
    solutions = [solution_of(cell).source for cell in nb.cells if "solution" in cell.metadata.get("tags", [])]
    assert not any(source in everything for source in solutions)


def test_no_paragraph_is_lost_to_the_speaker(both):
    nb, slides = both
    everything = " ".join(shown(slide) + " " + " ".join(slide.notes) for slide in slides)
    for cell in lectured(nb):
        if cell.cell_type == "markdown":
            for block in slide_text.blocks_of(folds.open_answer(cell.source).removeprefix("## ★ ")):
                curious = block.kind == "details" and "For the curious" in block.text
                assert curious or block.text in everything, block.text[:80]


def test_sections_keep_their_order_and_the_short_version_ends_with_what_to_take_away(both):
    slides = both[1]
    headings = [slide.section for slide in slides if slide.kind == "heading"]
    told = [slide.section for slide in slides if slide.section in headings]
    assert told == sorted(told, key=headings.index)
    chosen = [slide for slide in slides if slide.short]
    short = kinds(chosen)
    assert (short[0], chosen[-1].section) == ("title", "What to take away")
    assert short.count("takeaway") == kinds(slides).count("takeaway")
    assert 5 <= len(short) < len(slides)
    assert slide_rule.minutes(chosen) <= slide_rule.MINUTES
    assert short.count("predict") <= 6


@pytest.mark.parametrize(
    ("star", "chosen"), [("★ ", ["Why", "More", "More", "More"]), ("", ["More"] * 3 + ["Aside"] * 3)]
)
def test_the_short_version_has_the_starred_sections_or_else_the_predictions_and_their_answers(star, chosen):
    asked, again = (["**Predict:** one?", printed("2"), "It is two."] for _ in range(2))
    slides = deck(f"## {star}Why", f"## {star}More", *asked, "## Aside", *again, "## What to take away", "Go.")
    assert [slide.section for slide in slides if slide.short] == ["", *chosen, "What to take away"]


def test_a_slide_is_not_overfull_unless_one_thing_is(both):
    for slide in both[1]:
        if slide.kind not in ("figure", "answer", "predict", "title"):
            total = sum(map(slide_text.room, slide.blocks))
            assert total <= slide_rule.ROOM or len(slide.blocks) <= 2, shown(slide)[:80]


def test_what_is_folded_comes_after_what_it_asks_about():
    live = new_code_cell("BoundaryExplorer()", outputs=[view()], id="live", metadata={"alt": "To be dragged"})
    asked = f"1. Which way?\n2. How long?\n\n<details><summary>Answers</summary>1: up. 2: {'far ' * 40}</details>"
    slides = deck("## Explore", asked, live, "## Next", "That was it.")
    assert kinds(slides)[2:4] == ["explorer", "answer"]
    assert ["far" in shown(slide) for slide in slides[2:4]] == [False, True]
    assert not any("1: up" in note for slide in slides[:3] for note in slide.notes)
    slides = deck("## Guess", "**Predict:** one?\n\n<details><summary>Answer</summary>Two.</details>", printed("2"))
    assert [shown(slide) for slide in slides if "Two." in shown(slide)] == [shown(slides[-2])]
    assert kinds(slides)[-3:] == ["answer", "answer", "listing"]


def test_the_questions_stand_below_their_explorer_one_at_a_time_and_the_answers_follow():
    live = new_code_cell("BoundaryExplorer()", outputs=[view()], id="live", metadata={"alt": "To be dragged"})
    asked, short = "1. Which way?\n2. How long?", "<details><summary>Answers</summary>1: up. 2: far.</details>"
    answers = short.replace("far", "far " * 40)
    before = ["## Explore", "A plane.", f"We drag it.\n\n{asked}", live, answers, "We go on."]
    after = ["## Explore", "A plane.\n\nWe drag it.", live, f"{asked}\n\n{answers}\n\nWe go on."]
    for cells in (before, after):
        slides = deck(*cells)
        assert kinds(slides)[2:] == ["heading", "explorer", "answer", "text"]
        assert [block.text for block in slides[3].steps] == ["1. Which way?", "2. How long?"]
        assert {asked, "To be dragged"} <= set(slides[3].notes)
        assert "1: up" in shown(slides[4])
        assert shown(slides[5]) == "We go on."
    slides = deck("## Explore", "A plane.", live, f"{asked}\n\n{short}")
    assert kinds(slides)[2:] == ["heading", "explorer"]
    assert [block.text for block in slides[3].steps] == ["1. Which way?", "2. How long?", short]


def test_nothing_on_a_slide_speaks_of_cells_or_of_what_stands_above_them(both):
    pointing = r"\b(?:(?!from )\w+ above[.,:]|(?:next|this) cell|(?:cell|drawn) (?:above|below)|[Rr]un the cell|Below,)"
    for slide in both[1]:
        said = [block.text for block in [*slide.blocks, *slide.steps] if block.kind in ("prose", "caption", "list")]
        assert not re.findall(pointing, "\n".join(said))
    long = "In the figure above, it falls. Run the cell and press *Step*. The next cell does it."
    assert slide_text.projected(long) == "Press *Step*."
    aside = (
        "(On the short path, skip to *What to take away*.) It rises. The first cell draws it. Change these three lines."
    )
    assert slide_text.projected(aside) == "It rises."


def view():
    return new_output("execute_result", {"application/vnd.jupyter.widget-view+json": {}}, execution_count=1)


def test_code_is_shown_where_it_is_short_and_stays_with_what_it_prints():
    cells = ["## Sum", "We add two numbers.", "And print them.", printed("3\n", "print(1 + 2)")]
    assert [block.kind for block in deck(*cells)[-1].blocks] == ["prose", "prose", "code", "output"]
    without = slide_rule.cut(new_notebook(cells=[new_markdown_cell(FIRST), *map(cell_of, cells)]), {}, with_code=False)
    assert [block.kind for block in without[-1].blocks] == ["prose", "prose", "output"]
    long = "\n".join(f"x{k} = {k}" for k in range(13))
    assert [block.kind for block in deck("## A", printed("3", long))[-1].blocks] == ["output"]
    assert kinds(deck("## A", "Text.", printed("3", tags=["noslide"]))) == ["title", "outcomes", "heading"]
    assert [block.kind for block in deck("## A", figure())[-1].blocks] == ["figure"]


def test_what_is_said_of_a_figure_stands_below_it_step_by_step():
    slides = deck("## A", "One.\n\nTwo.\n\nThree.", "Look.", figure(), "*A caption.*\n\nIt rises.\n\nSo\n\n$$x=1$$")
    assert [block.text for block in slides[-2].steps] == ["*A caption.*", "Look. It rises."]
    assert [block.shape for block in slides[-2].blocks] == [(4, 2)]
    assert [block.kind for block in slides[-1].blocks] == ["prose", "math"]
    slides = deck("## A", figure(), "It rises.\n\nWe count.", printed("3"))
    assert [block.text for block in slides[-2].steps] == ["It rises."]  # the rest leads to the code
    assert [block.kind for block in slides[-1].blocks] == ["prose", "code", "output"]


def test_a_figure_is_said_in_few_clicks():
    pieces = [slide_text.Block("prose", f"{'word ' * n}end.") for n in (25, 15, 20, 20, 20)]
    said = slide_rule.paced([slide_text.Block("caption", "*A.*"), *pieces])
    assert [slide_text.count(step.text) for step in said] == [1, 42, 42, 21]
    assert " ".join(step.text for step in said[1:]) == " ".join(step.text for step in pieces)


def test_a_vote_tagged_so_shows_the_last_figure_again():
    asked = new_markdown_cell("**Predict:** one?", metadata={"tags": ["picture"]})
    slides = deck("## A", figure(), "*Seen.*", "Look.", asked, printed("1"), "**Predict:** two?", printed("2"))
    assert [slide.picture and slide.picture.kind for slide in slides if slide.kind == "predict"] == ["figure", None]
    first, last = figure(), figure()
    for named, cell in (({}, last), ({"picture": first.id}, first)):
        asked = new_markdown_cell("**Predict:** one?", metadata={"tags": ["picture"], **named})
        (vote,) = (slide for slide in deck("## A", first, last, asked, printed("1")) if slide.kind == "predict")
        assert vote.picture.text.startswith(cell.id)


def test_a_sentence_that_goes_on_below_its_formula_stays_with_it():
    slides = deck("## A", "One.", "If\n\n$$x>0$$\n\nis true, stop.", printed("3\n4\n5", "x = 1\n" * 12))
    assert [block.kind for block in slides[-2].blocks][-3:] == ["prose", "math", "prose"]


def test_sentences_end_neither_in_formulas_nor_in_links_nor_in_questions_that_are_quoted():
    told = ["A $p. X$ and [it. So](a.ipynb) is `b. C`.", "Then **more.**", "*Why?*", "(Yes.)", '"Why?" is "How?".']
    assert slide_text.sentences(" ".join(told)) == told


def test_no_sentence_is_left_out_but_what_speaks_of_cells(both):
    nb, slides = both
    projected = " ".join(shown(slide) for slide in slides)
    for cell in (cell for cell in lectured(nb) if cell.cell_type == "markdown"):
        for block in slide_text.blocks_of(folds.open_answer(cell.source).removeprefix("## ★ ")):
            if block.kind == "prose" and not block.text.startswith(("#", "**Next")):
                told = slide_text.sentences(slide_text.projected(block.text))
                assert [sentence for sentence in told if sentence not in projected] == []


def test_what_stands_below_a_figure_comes_in_whole_sentences():
    told = "Here are ten more words that nobody needs on slides."
    assert slide_text.in_steps(f"*{told} {told} {told}*", 25) == [f"*{told} {told}*", f"*{told}*"]
    assert slide_text.projected(f"{told} The figure above shows it. Run the cell, and look.") == f"{told} Look."


def test_each_symbol_in_a_formula_is_defined_on_its_slide_or_before(both):
    nb, slides = both
    assert undefined(nb.cells[0].id[:2], slides) == []


def test_code_waits_for_the_answer():
    first, last = new_code_cell("x = 1"), new_code_cell("x = 1")
    slides = deck("## A", "**Predict:** one?", first, printed("2"), "## B", "**Predict:** three?", last)
    assert [[block.text for block in slide.blocks] for slide in slides[3:]] == [
        ["**Predict:** one?"], ["2"], ["x = 1", "print(1)"], [], ["**Predict:** three?"], ["x = 1"]
    ]  # fmt: skip


def test_code_that_prepares_a_vote_waits_with_the_paragraph_that_only_leads_to_it():
    first, last = new_code_cell("x = 1"), printed("1")
    slides = deck("## A", "It rains.", "Here is a function.", first, "**Predict:** one?", last)
    asked = next(slide for slide in slides if slide.kind == "predict")
    assert [block.kind for slide in slides[2 : slides.index(asked)] for block in slide.blocks] == ["prose"]
    assert [block.text for block in slides[-1].blocks] == ["Here is a function.", "x = 1", "print(1)"]


def test_a_short_paragraph_stands_above_the_vote_that_it_leads_to():
    told, long = "Ten birds.", " ".join(["Many words are said here."] * 13)
    for text, kinds_ in ((told, ["lead", "prose"]), (long, ["prose"])):
        answer = f"<details><summary>Answer</summary>\n\nNone.\n\n</details>\n\n{text}"
        slides = deck("## A", "**Predict:** none?", printed("0"), answer, "**Predict:** one?")
        assert [block.kind for block in slides[-1].blocks] == kinds_, text


def test_all_words_of_an_answer_come_before_its_code_and_before_what_follows():
    long = " ".join(["So it is."] * 100)
    words = f"*A caption.*\n\n<details><summary>Answer</summary>\n\n{long}\n\n{long}\n\n</details>\n\nWe go on."
    slides = deck("## A", "**Predict:** one?", printed("1"), words)
    assert kinds(slides)[3:] == ["predict", "answer", "answer", "listing", "text"]
    assert shown(slides[-1]) == "We go on."
    slides = deck("## A", "**Predict:** one?", figure(), words)
    assert kinds(slides)[3:] == ["predict", "answer", "answer", "text"]


def test_the_short_version_has_what_leads_to_a_vote_and_not_its_code():
    asked = ["First.", figure(), "*Seen.*", printed("1"), "So we ask.", "**Predict:** one?", printed("2")]
    slides = deck("## A", *asked, "It is two.")
    assert [(slide.kind, slide.short) for slide in slides[2:]] == [
        ("heading", True), ("figure", False), ("text", True), ("predict", True), ("answer", True), ("listing", False)
    ]  # fmt: skip


def test_a_short_version_shows_no_code_no_print_in_words_and_no_long_part():
    long = new_code_cell("x = 1")
    folded = "<details><summary>Answer</summary>\n\nTwo.\n\n</details>\n\n<!-- long -->By the way.<!-- /long -->"
    slides = deck("## ★ A", "It is so.", printed("5", "print(5)"), "**Predict:** one?", printed("2"), folded, long)
    told = [[block.text for block in slide_rule.in_short(slide)] for slide in slides if slide.short]
    assert told == [["A story."], ["It is so.", "5"], ["**Predict:** one?"], ["Two."]]


def test_what_is_short_joins_the_slide_before():
    few, many = slide_text.Block("prose", "So it is."), slide_text.Block("prose", "word " * 120)
    first = slide_rule.Slide("answer", "A", blocks=[few])
    for blocks, section, joins in (([few], "A", True), ([many], "A", False), ([few], "B", False)):
        assert slide_rule.joins(first, slide_rule.Slide("text", section, blocks=blocks)) is joins
    shown = slide_rule.Slide("answer", "A", blocks=[slide_text.Block("figure", "a.png")])
    assert not slide_rule.joins(shown, slide_rule.Slide("text", "A", blocks=[few]))


def test_tags_put_a_cell_into_the_short_version_or_leave_its_vote_out():
    def tagged(text, tag):
        return new_markdown_cell(text, metadata={"tags": [tag]})

    first = [tagged("**Predict:** one?", "long"), printed("1")]
    slides = deck("## A", *first, "## B", tagged("It is so.", "short"), "**Predict:** two?", printed("2"))
    assert [slide.section for slide in slides if slide.short] == ["", "B", "B", "B"]
    assert slides[0].kind == "title"


def test_minutes_follow_from_words_and_votes_without_explorers():
    said = [slide_rule.Slide("text", "", blocks=[slide_text.Block("prose", "word " * n)]) for n in (10, 240)]
    shown_later = slide_rule.Slide("explorer", "", steps=[slide_text.Block("prose", "word " * 240)])
    assert slide_rule.minutes([*said, shown_later, slide_rule.Slide("predict", "")]) == 0.5 + 2 + 1.5


def test_a_heading_above_its_text_is_no_slide_of_its_own():
    live = new_code_cell("BoundaryExplorer()", outputs=[view()], id="live", metadata={"alt": "To be dragged"})
    slides = deck("## A", "### Explore\n\n1. Which way?", live)
    assert [(slide.kind, slide.section, slide.title) for slide in slides[2:]] == [("explorer", "A", "Explore")]


def test_exercises_are_named_and_sources_left_out():
    end = ["## What to take away", "Go.", "## What the sources print", "An erratum."]
    slides = deck("## A", "Text.", "## Exercise 1.1: count", "Count.", *end)
    assert kinds(slides) == ["title", "outcomes", "heading", "exercises", "takeaway"]
    assert shown(slides[3]).startswith("- 1.1: count")
    assert not any("erratum" in shown(slide) or "Count." in shown(slide) for slide in slides)


def test_explorers_of_a_page_are_compact_and_those_alone_have_everything(tmp_path, monkeypatch):
    """Made here, where `make slides` takes processes of their own."""
    here = contextlib.nullcontext(SimpleNamespace(map=map))
    monkeypatch.setattr(explorers, "ProcessPoolExecutor", lambda *_, **__: here)
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # IPython puts a module of its own there
    monkeypatch.chdir(tmp_path)
    data = {explorers.VIEW: {}, "image/png": PNG, "text/plain": "CovarianceExplorer(1, 0.6)"}
    source = "from bayeslab.explore import CovarianceExplorer\nCovarianceExplorer()"
    cell = new_code_cell(source, outputs=[new_output("execute_result", data, execution_count=1)], id="plane")
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "05_x.ipynb")
    try:
        pages = explorers.save_explorers([tmp_path / "05_x.ipynb"], tmp_path / "pages", and_alone=True)
    finally:
        InteractiveShell.clear_instance()
    assert pages == {"plane": "plane.html"}
    for page, compact in (("plane.html", True), (explorers.alone("plane.html"), False)):
        text = (tmp_path / "pages" / page).read_text(encoding="utf-8")
        assert json.loads(re.search(r'id="state">(.*?)</script>', text, re.DOTALL)[1])["compact"] is compact
