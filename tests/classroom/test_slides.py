"""The rule that cuts notebooks into slides: what must be on them, what must not, and what the speaker keeps."""

from pathlib import Path

import nbformat
import pytest
import slide_choice
import slide_deck
import slide_rule
import slide_text
from explorers import stored_picture
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
FIRST = "# Why?\n\nA story.\n\nYou will be able to\n\n- see.\n\nNeeds nothing. About 20 minutes."
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAEElEQVR4nGP4z8AARwzEcQCukw/x0F8jngAAAABJRU5ErkJggg=="


def deck(*cells):
    return slide_deck.cut(new_notebook(cells=[new_markdown_cell(FIRST), *map(cell_of, cells)]), {"live": "live.html"})


def cell_of(cell):
    return new_markdown_cell(cell) if isinstance(cell, str) else cell


def figure(**metadata):
    output = new_output("display_data", {"image/png": PNG})
    return new_code_cell("plt.show()", outputs=[output], metadata={"alt": "A figure", **metadata})


def printed(text, source="print(1)", **metadata):
    return new_code_cell(source, outputs=[new_output("stream", text=text)], metadata=metadata)


def shown(slide):
    return "\n".join(block.text for block in [*slide.blocks, *slide.words])


def kinds(slides):
    return [slide.kind for slide in slides]


def lectured(nb):
    """Return the cells after the first that a lecture holds, by the headings and tags alone."""
    told = True
    for cell in nb.cells[1:]:
        if cell.cell_type == "markdown" and cell.source.startswith(("#", "**References")):
            names = ("Exercise", "What the sources print", "Notation", "When you are stuck", "Is everything there")
            told = not cell.source.lstrip("# ").startswith((*names, "**References"))
        elif told and not {"solution", "noslide", "numbers"} & set(cell.metadata.get("tags", [])):
            yield cell


@pytest.fixture(scope="module", params=PATHS, ids=lambda path: path.stem[:2])
def both(request):
    nb = nbformat.read(request.param, as_version=4)
    pages = {cell.id: f"{cell.id}.html" for cell in nb.cells if stored_picture(cell)}
    slides = slide_deck.cut(nb, pages)
    slide_choice.choose(slides)
    return nb, slides


def test_a_prediction_stands_alone_and_before_its_answer(both):
    nb, slides = both
    asked = [cell.source for cell in lectured(nb) if cell.source.startswith("**Predict")]
    predictions = [k for k, slide in enumerate(slides) if slide.kind == "predict"]
    assert len(predictions) == len(asked)
    for place, source in zip(predictions, asked, strict=True):
        question = source.split("<details>")[0].strip()
        assert question.startswith(shown(slides[place]).split("\n")[0])
        assert {block.kind for block in slides[place].blocks} <= {"prose", "math", "list"}
        following = kinds(slides[place + 1 :])
        assert "answer" in following
        assert "predict" not in following[: following.index("answer")]


def test_every_figure_and_explorer_is_shown_and_no_solution(both):
    nb, slides = both
    cells = [cell for cell in lectured(nb) if cell.cell_type == "code"]
    pictures = {cell.id for cell in cells for o in cell.outputs if "image/png" in o.get("data", {})}
    found = {block.text.split(".")[0] for s in slides for block in s.blocks if block.kind in ("figure", "explorer")}
    assert found == pictures
    everything = "\n".join(shown(slide) + "\n".join(slide.notes) for slide in slides)
    solutions = [cell.source for cell in nb.cells if "solution" in cell.metadata.get("tags", [])]
    assert not any(source in everything for source in solutions)


def test_no_paragraph_is_lost_to_the_speaker(both):
    nb, slides = both
    everything = " ".join(shown(slide) + " " + " ".join(slide.notes) for slide in slides)
    for cell in lectured(nb):
        if cell.cell_type == "markdown":
            for block in slide_text.blocks_of(cell.source):
                assert block.text in everything, block.text[:80]


def test_every_section_begins_with_a_slide_of_its_own(both):
    _, slides = both
    headings = [slide.section for slide in slides if slide.kind == "heading"]
    for slide in slides[2:]:
        assert slide.kind in ("exercises", "takeaway") or slide.section in ["", *headings]
    assert [slide.section for slide in slides[2:]] == sorted((s.section for s in slides[2:]), key=order(slides))


def order(slides):
    """Return the key that sorts sections as they begin."""
    begun = list(dict.fromkeys(slide.section for slide in slides))
    return begun.index


def test_twenty_minutes_hold_question_answers_and_what_to_take_away(both):
    _, slides = both
    chosen = [k for k, slide in enumerate(slides) if slide.short]
    assert 12 <= len(chosen) <= 15
    assert slides[0].short
    assert all(slide.short for slide in slides if slide.kind == "takeaway")
    for k in chosen:
        if slides[k].kind == "predict":
            answer = kinds(slides).index("answer", k)
            assert slides[answer].short or (slides[answer + 1].kind == "reading" and slides[answer + 1].short)
        if slides[k].kind == "answer":
            assert next(slide for slide in slides[k::-1] if slide.kind in ("predict", "explorer")).short
    live = [k for k, slide in enumerate(slides) if slide.kind == "explorer"]
    assert not live or slides[live[0]].short
    if live and slides[live[0] + 1].kind == "answer":  # of what was asked there, which nobody could follow else
        assert slides[live[0] - 1].short
        assert slides[live[0] + 1].short


def test_a_slide_is_not_overfull_unless_one_thing_is(both):
    for slide in both[1]:
        if slide.kind not in ("figure", "answer", "predict", "title"):
            total = sum(map(slide_text.room, slide.blocks))
            assert total <= slide_rule.ROOM or len(slide.blocks) <= 2, shown(slide)[:80]


def test_what_is_folded_comes_after_what_it_asks_about():
    live = new_code_cell("BoundaryExplorer()", outputs=[view()], id="live", metadata={"alt": "To be dragged"})
    asked = "1. Which way?\n2. How long?\n\n<details><summary>Answers</summary>1: up. 2: far.</details>"
    slides = deck("## Explore", asked, live, "## Next", "That was it.")
    assert kinds(slides)[2:6] == ["heading", "text", "explorer", "answer"]
    assert ["far" in shown(slide) for slide in slides[3:6]] == [False, False, True]
    assert not any("1: up" in note for slide in slides[:5] for note in slide.notes)
    slides = deck("## Guess", "**Predict:** one?\n\n<details><summary>Answer</summary>Two.</details>", printed("2"))
    assert ["Two." in shown(slide) for slide in slides] == [False] * (len(slides) - 1) + [True]


def test_the_speaker_has_the_questions_beside_the_explorer():
    live = new_code_cell("BoundaryExplorer()", outputs=[view()], id="live", metadata={"alt": "To be dragged"})
    slides = deck("## Explore", "We drag it.", "1. Which way?\n2. How long?", live)
    assert kinds(slides)[-2:] == ["text", "explorer"]
    assert "1. Which way?\n2. How long?" in slides[-1].notes
    assert deck("## Explore", "We drag it.", live)[-1].notes == []


def view():
    return new_output("execute_result", {"application/vnd.jupyter.widget-view+json": {}}, execution_count=1)


def test_code_is_shown_where_it_is_short_and_stays_with_what_it_prints():
    slides = deck("## Sum", "We add two numbers.", "And print them.", printed("3\n", "print(1 + 2)"))
    assert [block.kind for block in slides[-1].blocks] == ["prose", "code", "output"]
    long = "\n".join(f"x{k} = {k}" for k in range(13))
    assert [block.kind for block in deck("## A", printed("3", long))[-1].blocks] == ["output"]
    assert deck("## A", printed("3", long, tags=["slide"]))[-1].blocks[0].text == long
    for tag in ("noslide", "numbers"):
        assert kinds(deck("## A", "Text.", printed("3", tags=[tag]))) == ["title", "outcomes", "heading"]
    assert [block.kind for block in deck("## A", figure())[-1].blocks] == ["figure"]


def test_a_caption_stays_with_its_figure_and_words_beside_it():
    wide = deck("## A", figure(), "*A caption.*\n\nIt rises.\n\nSo\n\n$$x=1$$")
    assert wide[-2].words[0].text == "It rises."
    assert [block.kind for block in wide[-2].blocks] == ["figure", "caption"]
    assert wide[-2].blocks[0].shape == (4, 2)
    assert wide[-1].kind == "math"


def test_sentences_end_neither_in_formulas_nor_in_links():
    text = "A $p. X$ and [it. So](a.ipynb) is `b. C`. Then **more.** *Why?* (Yes.) The end."
    assert slide_text.sentences(text) == [
        "A $p. X$ and [it. So](a.ipynb) is `b. C`.",
        "Then **more.**",
        "*Why?*",
        "(Yes.)",
        "The end.",
    ]


def test_a_long_paragraph_keeps_its_beginning_and_its_definitions_or_what_leads_to_a_formula():
    filler = "Here are ten more words that nobody needs on slides."
    text = " ".join(["First.", *[filler] * 5, "This is a **thing**.", filler, "So we write"])
    assert slide_text.shortened(text).startswith(f"First. {filler}")
    assert slide_text.shortened(text).endswith("… This is a **thing**.")
    assert slide_text.shortened(text, before_math=True).endswith("So we write")
    assert slide_text.count(slide_text.shortened(text)) <= slide_text.WORDS + 16
    assert slide_text.shortened("Short. Very short.") == "Short. Very short."


def test_exercises_are_named_and_sources_left_out():
    end = ["## What to take away", "Go.", "## What the sources print", "An erratum."]
    slides = deck("## A", "Text.", "## Exercise 1.1: count", "Count.", *end)
    assert kinds(slides) == ["title", "outcomes", "heading", "exercises", "takeaway"]
    assert shown(slides[3]).startswith("- 1.1: count")
    assert not any("erratum" in shown(slide) or "Count." in shown(slide) for slide in slides)
