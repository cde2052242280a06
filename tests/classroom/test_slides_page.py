"""The pages of the slides: local, linked with each other, and honest about what is missing."""

import re

import pytest
import slide_page
import slides
from slide_rule import Slide
from slide_text import Block


def test_text_is_escaped_and_links_lead_to_decks_that_are_there():
    assert slide_page.block(Block("output", "<b> & c"), ()) == '<pre class="output">&lt;b&gt; &amp; c</pre>'
    alt = slide_page.block(Block("figure", "a.png", 'a "b" <c>'), ())
    assert alt == '<img src="pictures/a.png" alt="a &quot;b&quot; &lt;c&gt;" width="3">'
    text = slide_page.inline("See [03](03_x.ipynb), [04](04_y.ipynb) and [data](../data/README.md).", {"03_x.ipynb"})
    assert text == 'See <a href="03_x.html">03</a>, 04 and data.'
    assert "$a&lt;b_i$" in slide_page.inline("$a<b_i$", ())


def test_a_number_stays_on_the_line_of_its_unit_and_sign():
    shown = slide_page.inline("μ = 4.3 cm, 9 × 0.4, $a = 1$ and `b = 1`", ())
    assert shown == "μ\xa0=\xa04.3\xa0cm, 9\xa0×\xa00.4, $a = 1$ and <code>b = 1</code>"


def test_folded_answers_lose_their_fold():
    text = "<details><summary>Answers</summary>1: *up*, $a<b$.</details>"
    folded = slide_page.block(Block("details", text), ())
    assert folded.startswith('<div class="details"><p>1: <em>up</em>')
    assert "summary" not in folded


def test_the_word_predict_is_said_once():
    asked = Slide("predict", "", "", [Block("prose", "**Predict:** one or **two**?")])
    text = slide_page.section(asked, "03", {})
    assert text.count("Predict") == 1
    assert "One or <strong>two</strong>?" in text


def test_a_second_question_comes_on_a_click():
    question = "**Predict:** ten birds. How many fly? And how many sing? Say it."
    asked = Slide("predict", "", "", [Block("prose", question)])
    text = slide_page.section(asked, "03", {})
    assert text.count("fragment") == 1
    assert '<div class="prose"><p>Ten birds. How many fly?</p>' in text.replace("\n", "")
    assert '<div class="prose fragment"><p>And how many sing? Say it.' in text
    asked = Slide("predict", "", "", [Block("prose", "**Predict:** one? <!-- long -->Or two?<!-- /long -->")])
    assert '<div class="prose fragment"><p><span class="long">Or two?' in slide_page.section(asked, "03", {})


def test_what_is_long_is_marked_within_a_sentence():
    part = Block("prose", "It rises<!-- long --> (by $a<b$)<!-- /long -->.")
    assert 'rises<span class="long"> (by $a&lt;b$)</span>.' in slide_page.block(part, ())


def test_a_page_asks_for_nothing_outside_and_knows_its_short_version():
    deck = [Slide("title", "", "Why?", short=True), Slide("text", "A", "", [Block("prose", "b")], notes=["Say it."])]
    page = slide_page.page("05", deck, ())
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert addresses
    assert not [address for address in addresses if re.match(r"\w+:|//|/", address)]
    assert page.count("<section data-short>") == 1
    assert "The short version: 1 slides" in page
    assert '<aside class="notes"><p>Say it.</p>' in page
    listed = slide_page.index([("05_x.html", "05", deck)])
    assert 'href="05_x.html?short"' in listed


def test_what_is_said_of_a_figure_comes_click_by_click_below_it_or_beside_it():
    steps = [Block("caption", "*A caption.*"), Block("prose", "It rises.")]
    for shape, beside in ((400, 100), False), ((100, 100), True):
        said = Slide("figure", "A", "", [Block("figure", "a.png", "words", shape)], steps)
        text = slide_page.section(said, "05", ())
        assert text.count("fragment") == 1
        assert '<div class=fragment><div class="prose"><p>It rises.' in text
        assert ('class="slide figure beside"' in text) is beside


def test_an_answer_stays_beside_its_figure_while_there_is_room():
    def groups(*steps, kind="figure", beside=True):
        slide = Slide("answer", "A", "", [Block(kind, "a", "words")], [Block(*step) for step in steps])
        shown = (
            slide_page.strip(slide, (), beside)
            .removeprefix("<div><div>")
            .split("</div></div><div><div class=fragment>")
        )
        return [re.findall(r"<p>(?:<em>)?(\w+)", group) for group in shown]

    caption, first, last = ("caption", f"*Seen {'a ' * 24}b.*"), ("prose", "One " * 40), ("prose", "Two " * 40)
    assert groups(caption, first) == [["Seen", "One"]]
    assert groups(caption, first, beside=False) == [["Seen"], ["One"]]  # below it they would take its height
    assert groups(caption, first, last) == [["Seen"], ["One", "Two"]]
    assert groups(first, last, first) == [["One", "Two"], ["One"]]
    assert groups(("list", "1. Which?"), first, kind="explorer") == [[], ["One"]]


def test_code_and_tables_have_a_heading():
    for kind, tag in (("code", "<h3>A</h3>"), ("prose", "<header>05 · A</header>")):
        assert tag in slide_page.section(Slide("text", "A", "", [Block(kind, "x = 1")]), "05", ())


@pytest.mark.parametrize("numbers", [[], ["05"]])
def test_it_says_what_is_missing(numbers, tmp_path, monkeypatch):
    monkeypatch.setattr(slides, "MODULES", tmp_path)
    with pytest.raises(SystemExit, match=r"tex-svg-full.js is missing, .* `make slides` fetches it"):
        slides.main(numbers)
    monkeypatch.setattr(slides, "SHARED", ())
    with pytest.raises(SystemExit, match="No notebook begins with 77: say for instance ONLY=05"):
        slides.main(["77"])


def test_a_list_marks_what_the_short_version_hides_and_does_not_speak_of_a_path():
    listed = Block("list", "- One. (Not on the short path.)\n- Two (not on the short path).\n- Three. <!-- long -->")
    items = re.findall(r"<li>(.*?)</li>", slide_page.block(listed, ()))
    assert items == ['One.<span class="long"></span>', "Two.", 'Three.<span class="long"></span>']


def test_a_short_deck_shows_no_code_and_answers_nothing_that_it_did_not_ask():
    told = Slide("answer", "A", "", [Block("code", "x = 1"), Block("prose", "So.")], unasked=True)
    text = slide_page.section(told, "06", ())
    assert '<pre class="long code">' in text
    assert "<h3 class=long>The answer</h3>" in text
