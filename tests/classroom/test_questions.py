"""The bank of questions: complete, and exported with the right keys."""

import html
import re
import zipfile
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from classroom import front_page, lessons, question_source, questions

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = {path.stem[:2]: path for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))}
of_each_notebook = pytest.mark.parametrize("stem", NOTEBOOKS)
QTI = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """The exports of the whole bank."""
    folder = tmp_path_factory.mktemp("build")
    mathjax = folder / "mathjax.js"
    mathjax.touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "MATHJAX", mathjax)
        questions.write(question_source.paths(), folder / "questions")
    return folder / "questions"


@pytest.fixture(scope="module", autouse=True)
def _fill_each_file_once():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(question_source, "filled", cache(question_source.filled))
        yield


def letters(text):
    """Reduce a text to what Markdown, Canvas and Moodle have in common: its letters and digits."""
    text = re.sub(r'<img[^>]*data-equation-content="([^"]*)"[^>]*>', r"\1", html.unescape(text))
    return re.sub(r"\W", "", html.unescape(re.sub(r"</?[a-z][^>]*>", "", text)))


def right_answers(stem, version="A"):
    """Read the right answers in the source itself."""
    text = question_source.filled(question_source.SOURCES / f"{stem}.md", version)
    return [letters(found) for found in re.findall(r"^\*[a-z]\) (.+?)^\.\.\. ", text, re.MULTILINE | re.DOTALL)]


@of_each_notebook
def test_five_questions_with_choices_and_two_to_write_about_all_objectives(stem):
    listed = questions.read(question_source.SOURCES / f"{stem}.md").questions_and_delims
    assert [each.about.written for each in listed] == [False] * 5 + [True] * 2
    for each in listed[:5]:
        assert len(each.choices) == 4
        assert sum(choice.correct for choice in each.choices) == 1
        assert all(choice.feedback_raw for choice in each.choices)
    for each in listed[5:]:
        assert sum(map(int, re.findall(r"^- \((\d)\) ", each.solution, re.MULTILINE))) == each.about.points
    outcomes = front_page.first_cell(NOTEBOOKS[stem])["outcomes"]
    assert {each.about.objective for each in listed} == set(range(1, len(outcomes) + 1))


@of_each_notebook
def test_quizzes_and_sheets_have_the_names_of_the_guide(out, stem):
    about = front_page.read_notebooks(list(NOTEBOOKS.values()), ROOT / "README.md")[int(stem)]
    for part, numbers in (("quiz-B", range(1, 6)), ("homework", (6, 7))):
        sheet = (out / "sheets" / f"{stem}-{part}.html").read_text("utf-8")
        assert f"<h1>{stem} {about['name']} · {part.replace('-', ' ')}</h1>" in html.unescape(sheet)
        assert re.findall(r"<h2>(Q\d) ", sheet) == [f"Q{number}" for number in numbers]


@of_each_notebook
def test_objectives_name_sections_of_the_notebook_and_all_its_exercises(stem):
    read, path = lessons.read(NOTEBOOKS[stem]), question_source.SOURCES / f"{stem}.md"
    objectives = question_source.objectives(path)
    assert [*objectives] == [*range(1, len(objectives) + 1)]
    assert {name for sections, _ in objectives.values() for name in sections} <= set(read["sections"])
    practised = {each for _, exercises in objectives.values() for each in exercises}
    assert practised == set(read["exercises"]), (
        f"at the head of {path}, 'practised in' must name each exercise of the notebook, and no other"
    )


@of_each_notebook
def test_canvas_gets_the_right_keys(out, stem):
    for part, version in questions.PARTS.items():
        n, written = (2, True) if part == "homework" else (5, False)
        with zipfile.ZipFile(out / "canvas" / f"{stem}-{part}.zip") as archive:
            names = [name for name in archive.namelist() if name.endswith(".xml")]
            trees = {name: ElementTree.fromstring(archive.read(name)) for name in names}
        shown = [
            each.text for tree in trees.values() for each in tree.iter() if each.tag.endswith("show_correct_answers")
        ]
        assert shown == ["false"]
        manifest = trees.pop("imsmanifest.xml")
        named = {file.get("href") for file in manifest.iter() if file.tag.endswith("}file")}
        assert named == set(trees)
        items = next(tree for tree in trees.values() if tree.tag == f"{QTI}questestinterop").findall(f".//{QTI}item")
        assert [item.find(f".//{QTI}response_str") is not None for item in items] == [written] * n
        if not written:
            assert list(map(canvas_key, items)) == right_answers(stem, version)


def canvas_key(item):
    """Return the only answer that scores, of an item whose answers all have feedback."""
    texts = {label.get("ident"): label.find(f".//{QTI}mattext").text for label in item.iter(f"{QTI}response_label")}
    scored = [each for each in item.iter(f"{QTI}respcondition") if each.find(f"{QTI}setvar") is not None]
    assert [each.find(f"{QTI}setvar").text for each in scored] == ["100"]
    said = {each.get("ident") for each in item.iter(f"{QTI}itemfeedback")}
    assert {each.get("linkrefid") for each in item.iter(f"{QTI}displayfeedback")} == said
    assert said == {f"{ident}_fb" for ident in texts}
    return letters(texts[scored[0].find(f".//{QTI}varequal").text])


@of_each_notebook
def test_moodle_gets_the_right_keys(out, stem):
    *quizzes, homework = (
        ElementTree.parse(out / "moodle" / f"{stem}-{part}.xml").getroot().findall("question")
        for part in questions.PARTS
    )
    assert [each.get("type") for each in homework] == ["category", *["essay"] * 2]
    for quiz, version in zip(quizzes, "AB", strict=True):
        assert [each.get("type") for each in quiz] == ["category", *["multichoice"] * 5]
        keys = [each.find("answer[@fraction='100']/text").text for each in quiz[1:]]
        assert [letters(key) for key in keys] == right_answers(stem, version)
        assert all(len(each.findall("answer[@fraction='0']/feedback/text")) == 3 for each in quiz[1:])
    assert all(each.find("graderinfo/text").text for each in homework[1:])


@of_each_notebook
def test_a_sheet_gives_no_answer_away_and_its_key_all(out, stem):
    for part, n in (("quiz-A", 5), ("quiz-B", 5), ("homework", 0)):
        asked, key = ((out / "sheets" / f"{stem}-{part}{end}.html").read_text("utf-8") for end in ("", "-key"))
        assert (asked.count('class="right"'), key.count('class="right"')) == (0, n)
        assert 'class="why"' not in asked
        assert "A calculator is allowed" in asked
        right = re.findall(r"<b>([A-D](?: [A-D])*)</b>", key)
        options = [re.findall(r'<li class="(\w+)"', each) for each in key.split("<section>")[1:]]
        assert right == ([" ".join("ABCD"[each.index("right")] for each in options)] if n else [])
        assert not re.search(r"\{\{ | \}\}|equation_image", asked + key)


@of_each_notebook
def test_version_b_has_other_numbers_and_its_options_in_another_order(stem):
    path = question_source.SOURCES / f"{stem}.md"
    first, other = (questions.read(path, version).questions_and_delims[:5] for version in "AB")
    options = [[[choice.choice_raw for choice in each.choices] for each in listed] for listed in (first, other)]
    assert sum(set(a) != set(b) for a, b in zip(*options, strict=True)) >= 1
    assert all(a != b for a, b in zip(*options, strict=True))
    assert all(len(set(each)) == 4 for listed in options for each in listed)
    keys = [[[choice.correct for choice in each.choices] for each in listed] for listed in (first, other)]
    assert all(a != b for a, b in zip(*keys, strict=True))


def test_right_answers_stand_in_all_places():
    places = [
        next(place for place, choice in enumerate(question.choices) if choice.correct)
        for path in question_source.paths()
        for question in questions.read(path).questions_and_delims[:5]
    ]
    assert all(places.count(place) > len(places) / 8 for place in range(4))


def test_an_expression_means_what_it_means_in_an_f_string(tmp_path):
    path = tmp_path / "00.md"
    path.write_text("COMMENT\nx = [2 / 3]\nEND_COMMENT\n{{ x[0]:.1% }}, $\\frac{{ 1 }}{ {{ x[0]:.2f }} }$\n")
    assert question_source.filled(path).endswith("66.7%, $\\frac1{ 0.67 }$\n")


def test_a_question_without_its_difficulty_is_missed(tmp_path):
    path = tmp_path / "00.md"
    text = (question_source.SOURCES / "00.md").read_text(encoding="utf-8")
    path.write_text(text.replace("% medium,", "% middling,", 1), encoding="utf-8")
    with pytest.raises(ValueError, match=r"00\.md has 7 questions, and 6 of them begin"):
        questions.read(path)
