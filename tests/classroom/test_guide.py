"""The instructor's guide: complete, linked to cells that are there, with schedules that a class can follow."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from classroom import front_page, guide, guide_bank, lessons

from bayeslab.checks import check

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    slides = tmp_path_factory.mktemp("build") / "slides"
    slides.mkdir()
    (slides / f"{PATHS[5].stem}.html").touch()
    return guide.write(PATHS, ROOT / "README.md", slides)


def cells_of(path):
    return nbformat.read(path, as_version=4).cells


def test_its_links_lead_to_pages_of_the_site_and_to_its_own(pages):
    stems = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    for page in pages.values():
        assert {*re.findall(r'"../../site/(\w+)\.html', page)} <= {*stems, "data"}
        assert {*re.findall(r"\]\((\w+)\.md\)", page)} <= set(pages)
        assert not re.search(r"\]\(#cell|\.ipynb\)", page)
    (listed,) = re.findall(r"```{toctree}\n:hidden:\n\n(.+?)\n```", pages["index"], re.DOTALL)
    assert {*listed.split()} == {*pages} - {"index"}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem[:2])
def test_the_page_of_a_notebook_holds_its_questions_scenes_and_exercises(pages, path):
    page = pages[f"guide_{path.stem[:2]}"]
    cells = cells_of(path)
    wanted = [cell for cell in cells if cell.source.startswith(("**Predict", "## Exercise ", "### Exercise "))]
    wanted += [cell for cell in cells if "widget" in cell.metadata.get("tags", [])]
    linked = re.findall(rf'/{path.stem}\.html#cell-([\w-]+)"', page)
    assert {cell.id for cell in wanted} < set(linked) <= {cell.id for cell in cells[1:]}
    assert re.findall("^## (.+)", page, re.MULTILINE) == [
        "Open with the decision",
        "Ask, and let them predict",
        "Work",
        "Show",
        "Set as exercises",
        "Close with",
    ]
    assert page.count("<details>") == page.count("</details>")
    solutions = [cell for cell in cells if "solution" in cell.metadata.get("tags", [])]
    assert all(lessons.FOLD.search(cell.source)[2].strip() in page for cell in solutions)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem[:2])
def test_each_question_has_an_answer_and_no_text_is_empty(path):
    read = lessons.read(path)
    for _, asked, answer in read["questions"]:
        assert "?" in asked or "Predict" in asked
        assert "details>" not in asked
        assert len(answer) > 40
    for scene in read["scenes"]:
        assert "?" in scene["text"] or "check" in scene["text"] or scene["alive"]
        assert len(scene["text"]) > 60
    assert len(read["story"].split()) > 30
    assert len(read["conclusion"][1].split()) > 40


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem[:2])
def test_the_answers_to_a_scene_are_those_to_its_questions(path):
    """Both are numbered alike, also where two scenes share a section, and no paragraph before the scene is told."""
    for scene in lessons.read(path)["scenes"]:
        asked = re.findall(r"^(\d)\. ", scene["text"], re.MULTILINE)
        assert set(asked) == set(re.findall(r"(?:^|[.)] )(\d)[.:] ", scene["answer"], re.MULTILINE)), scene
        assert not asked or f"{asked[0]}. " in [paragraph[:3] for paragraph in scene["text"].split("\n\n")[:2]]
        assert not asked or f"{asked[-1]}. " in scene["text"].split("\n\n")[-1]
        assert scene["answer"] or "?" not in scene["text"]


def test_what_a_notebook_prints_folds_and_says_answers_its_question():
    def cell(source, hidden=False):
        output = nbformat.v4.new_output("stream", text="printed 7\n")
        return nbformat.v4.new_code_cell(source, outputs=[output], metadata={"tags": ["answer"] * hidden})

    text = nbformat.v4.new_markdown_cell
    cells = [
        text("**Predict:** how many?"),
        cell("seen"),
        cell("folded", True),
        text("*A caption.*\n\nWe go on.\n\n<details><summary>Answer</summary>\n\nSeven.\n\nMore.\n\n</details>"),
        cell("# no heading"),
        text("<details><summary>Answer</summary>\n\nAnd why.\n\n</details>\n\nA lead."),
        text("**Predict:** and now?"),
        text("## Next\n\n<details><summary>Answer</summary>\n\nOf another question.\n\n</details>"),
    ]
    answer = "Seven.\n\nMore.\n\nAnd why.\n\n```text\nprinted 7\n```"
    assert lessons._question(cells, 0) == (cells[0].id, "How many?", answer)
    assert lessons._question(cells, 6) == (cells[6].id, "A lead.\n\nAnd now?", "")


@pytest.mark.parametrize("lead", ["Here it is in Python:", "$$x^2$$", "*A caption.*", "word " * 81])
def test_what_does_not_lead_to_a_question_is_left_out(lead):
    cells = [nbformat.v4.new_markdown_cell(text) for text in (lead, "**Predict:** how many?")]
    assert lessons._question(cells, 1)[1] == "How many?"


def test_what_a_reader_of_the_short_path_skips_is_no_matter_in_class():
    cells = [
        nbformat.v4.new_markdown_cell(text) for text in ("## What to take away", "- It holds. (Not on the short path.)")
    ]
    assert lessons._conclusion(cells)[1] == "- It holds."


def test_wrong_answers_come_with_what_the_check_says_to_them(pages):
    assert f"<li>{check('0.1', 200).message}</li>" in pages["guide_00"]


@pytest.mark.parametrize(
    ("number", "gap", "filled"),
    [
        ("5.1", "W = ...", "W = (inv_i - inv_j) / 2"),
        ("6.3", "label[...]", "label[y]"),
        ("17.2", "[1, ..., ..., ..., ...]", "[1, 1, 2, 2, 20]"),
        ("17.2", "[1, ..., ..., ..., ...]", "[1, 1, 2, 1, 40]"),
    ],
)
def test_wrong_ways_to_fill_the_gaps_of_given_code_are_shown(pages, number, gap, filled):
    path, said = PATHS[int(number.split(".")[0])], []
    (given,) = [cell.source for cell in cells_of(path) if f'\ncheck("{number}"' in cell.source and gap in cell.source]
    told = {"np": np, "check": lambda *answer: said.append(check(*answer).message)}
    exec(given.replace(gap, filled), told)
    shown = re.search(rf"\*\*{number}\*\* .+?</ul>", pages[f"guide_{path.stem[:2]}"], re.DOTALL)[0]
    assert f"<li>{said[0]}</li>" in shown


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem[:2])
def test_work_ends_with_a_section_and_what_is_left_is_the_homework(pages, path):
    page, read = pages[f"guide_{path.stem[:2]}"], lessons.read(path)
    ends, left = re.search(r"the end of <a.+?>\*(.+?)\*</a>.+?At home: (?:from <a.+?>\*(.+?)\*</a>)?", page).groups()
    assert list(read["words"]).index(left) == list(read["words"]).index(ends) + 1
    home = int(re.search(r"about (\d+) minutes", page)[1])
    assert 15 <= front_page.first_cell(path)["minutes"] - home <= 45
    assert len(re.findall(r'^- ".+?" .+\?$', page, re.MULTILINE)) == 2


def test_it_links_to_the_slides_that_are_there(pages):
    linked = [name for name, page in pages.items() if "../../slides/" in page]
    assert linked == ["guide_05"]
    for end in ("", "?short"):
        assert f'href="../../slides/{PATHS[5].stem}.html{end}"' in pages["guide_05"]


def test_a_lesson_lasts_90_minutes_and_its_slides_fit_into_it(pages):
    lesson = [int(found) for found in re.findall(r"^\| (\d+) \| \*\*", pages["index"], re.MULTILINE)]
    assert sum(lesson) == 90
    rows = re.findall(r"^\| \[.*\| (\d+) \| (\d+) \| (\d+) \|$", pages["index"], re.MULTILINE)
    assert len(rows) == len(PATHS)
    for path, (slides, votes, minutes) in zip(PATHS, (map(int, row) for row in rows), strict=True):
        assert slides / 4 + votes <= minutes <= lesson[1]
        assert pages[f"guide_{path.stem[:2]}"].count("A vote on the short slides") == votes


def test_weeks_are_as_equal_as_can_be():
    assert guide.into_weeks(dict(enumerate([40, 80, 90, 75, 70, 65])), 4) == [[0, 1], [2], [3], [4, 5]]
    assert guide.into_weeks(dict(enumerate([1, 9, 1, 1, 5, 7, 2])), 3) == [[0, 1], [2, 3, 4], [5, 6]]
    assert guide.into_weeks({5: 60}, 1) == [[5]]


def test_the_class_takes_what_others_build_on_then_the_longer_then_the_first():
    minutes = {1: 60, 2: 80, 3: 80}
    assert guide.for_class([1, 2], minutes, {2: [], 3: [1]}) == 1
    assert guide.for_class([1, 2, 3], minutes, {2: [], 3: []}) == 2
    assert guide.for_class([0, 1], {0: 90, 1: 60}, {1: [0]}) == 1


def test_the_schedules_take_each_notebook_once_and_after_what_it_needs(pages):
    needs = {int(path.stem[:2]): front_page.first_cell(path)["needs"] for path in PATHS}
    tables = re.findall(r"### \d+ weeks.+?(?=\n#|\Z)", pages["index"], re.DOTALL)
    for table, n_weeks, numbers in zip(tables, (7, 14), (range(8), range(len(PATHS))), strict=True):
        rows = re.findall(r"^\| \d.+", table, re.MULTILINE)
        week_of = {int(number): week for week, row in enumerate(rows) for number in re.findall(r"guide_(\d\d)", row)}
        assert len(rows) == n_weeks
        assert table.count("(guide_") == len(numbers)
        assert sorted(week_of) == list(numbers)
        assert all(week_of[each] <= week_of[number] for number in numbers for each in needs[number])
        exercises = re.findall(r"\b\d+\.\d\b", table)
        assert len(exercises) == len(set(exercises)) == sum(len(lessons.read(PATHS[n])["exercises"]) for n in numbers)


def test_the_table_of_objectives_has_them_all_with_their_exercises_and_questions(pages):
    tables = pages["guide_bank"].split("\n## ")[1:]
    for path, table in zip(PATHS, tables, strict=True):
        rows = re.findall(r"^\| \d\. .+", table, re.MULTILINE)
        assert len(rows) == len(front_page.first_cell(path)["outcomes"])
        assert set(re.findall(r"\bQ\d", " ".join(rows))) == {f"Q{place}" for place in range(1, 8)}
        linked = {cell for row in rows for cell in re.findall(r"#cell-([\w-]+)", row)}
        assert (
            {cell for cell, *_ in lessons.read(path)["exercises"].values()} < linked <= {c.id for c in cells_of(path)}
        )


def test_a_section_is_found_on_the_slides_that_have_been_made(tmp_path):
    deck = tmp_path / "05_name.html"
    heads = ["05", "05 · Why <em>one</em> Σ?", "05 · Why <em>one</em> Σ?", "05 · More"]
    deck.write_text("".join(f"<header>{head}</header>" for head in heads), encoding="utf-8")
    places = guide_bank.slides_of(deck)
    assert places["Why one Σ?"] == [2, 3]
    shown = guide_bank.section("Why one Σ?", "abc", places, deck)
    assert shown == '[Why one Σ?](#cell-abc) (<a href="../../slides/05_name.html#/1">slides 2–3</a>)'


def test_a_week_hands_in_its_written_questions_and_opens_with_the_others():
    bank = guide_bank.load([2, 3])
    assert guide_bank.week([2, 3], bank, written=True).startswith("02 Q6–Q7; 03 Q6–Q7 (")
    points = sum(each.points for number in (2, 3) for each in bank[number][0] if not each.written)
    assert guide_bank.week([2, 3], bank, written=False).endswith(f" min, {points} marks)")
