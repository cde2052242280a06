"""Every slide in build/slides on a projector of 1280 × 720 pixels: whole, legible, with explorers that can be used."""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from visiting import drag, moves, one_of_each_kind, opened_frame

SLIDES = Path(__file__).parents[2] / "build" / "slides"
DECKS = sorted(path.name for path in SLIDES.glob("[0-9]*.html"))
pytestmark = pytest.mark.skipif(not DECKS, reason="there are no slides: run `make slides`")
HANDS = one_of_each_kind(SLIDES, DECKS)

SCREEN = ((1280, 720), "dark")  # slides are light all the same

# What is wrong with the slide that is shown, each fault a sentence.
FAULTS = """() => {
    const slide = Reveal.getCurrentSlide(), body = slide.querySelector(".body"), faults = [];
    const all = (selector) => [...slide.querySelectorAll(selector)];
    const size = (each) => parseFloat(getComputedStyle(each).fontSize);
    const seen = (each) => each.checkVisibility() && !each.closest("mjx-assistive-mml, aside");
    // a quarter of a line is slack: a formula's box reaches below its letters
    if (body.scrollHeight > body.clientHeight + 8) faults.push(`${body.scrollHeight - body.clientHeight} px too tall`);
    for (const e of all(".slide *").filter(seen)) {
        const { right, bottom, left, top } = e.getBoundingClientRect();
        if (Math.max(right - 1281, bottom - 721, -1 - left, -1 - top) > 0) {
            faults.push(`${e.tagName} leaves the slide`);
            break;
        }
    }
    for (const e of all("pre, .html, .table, header, h1, h2, h3"))
        if (e.scrollWidth > e.clientWidth + 1) faults.push(`cut: ${e.textContent.slice(0, 40)}`);
    for (const e of all(".body :is(p, li)"))
        if (size(e) < 24 && !e.matches(".switch, .html *")) faults.push(`letters of ${size(e)} px`);
    for (const e of all("pre, .body code, td")) if (size(e) < 18) faults.push(`code or table of ${size(e)} px`);
    for (const e of all("mjx-container[display]")) if (size(e) < 18) faults.push(`a formula of ${size(e)} px`);
    for (const e of all("mjx-merror, [data-mjx-error]")) faults.push(`error in a formula: ${e.textContent}`);
    for (const e of all(".math")) if (!e.querySelector("mjx-container")) faults.push(`not set: ${e.textContent}`);
    const words = slide.cloneNode(true);
    words.querySelectorAll("pre, code, script, style, svg").forEach((e) => e.remove());
    for (const [tex] of words.textContent.matchAll(/\\$[^$\\n]{1,60}\\$|\\\\[a-zA-Z]{3,}/g)) faults.push(`TeX: ${tex}`);
    for (const e of all("img")) {
        if (e.alt.trim().length < 20) faults.push(`no words for ${e.src.slice(-30)}`);
        if (!e.naturalWidth) faults.push(`broken: ${e.src.slice(-30)}`);
        // a label of a figure has 12 points, at 90 points of a screen to the inch
        const pixel = e.getAttribute("width") / e.naturalWidth; // of the figure, not of its file
        const label = 12 * 90 / 72 / pixel * Math.min(e.clientWidth / e.naturalWidth, e.clientHeight / e.naturalHeight);
        if (label < 17) faults.push(`labels of ${label.toFixed(1)} px on ${e.src.slice(-15)}`);
    }
    for (const e of all("iframe")) if (e.title.length < 20) faults.push("no words for an explorer");
    if (!body.innerText.trim() && !all("img, iframe").length) faults.push("nothing on it");
    if (slide.querySelector(".predict details, .predict .details")) faults.push("a prediction with its answer");
    return faults;
}"""
# How large a pixel of the explorer's is on the screen; from the disk it may not ask its page.
SCALE = "(frame) => frame.getBoundingClientRect().width / frame.clientWidth"
# The words of an explorer whose letters the last row cannot read, each once.
SMALL = """(scale) => {
    const size = (e) => scale * parseFloat(getComputedStyle(e).fontSize);
    const written = (e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
    const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest(".bx-hidden");
    const small = [...document.querySelectorAll(".bx-root *")].filter((e) => written(e) && seen(e) && size(e) < 19.9);
    return [...new Set(small.map((e) => e.textContent.trim().slice(0, 30)))];
}"""
# The same for all slides but those that load something, with the number of each.
ALL = f"""() => Reveal.getSlides().flatMap((slide, place) => {{
    if (slide.querySelector("iframe")) return [];
    Reveal.slide(place);
    return ({FAULTS})().map((fault) => `slide ${{place + 1}}: ${{fault}}`);
}})"""
WITH_FRAMES = "() => Reveal.getSlides().flatMap((s, place) => s.querySelector('iframe') ? [place] : [])"


@pytest.fixture
def open_deck(visit):
    """Open a deck, and wait until its slides have their size."""

    def open_deck(name, query=""):
        page = visit(SLIDES.as_uri() + "/", name + query, *SCREEN)
        page.locator("html[data-ready]").wait_for(state="attached")
        return page

    return open_deck


def is_at(page, place):
    page.wait_for_function("(place) => Reveal.getIndices().h === place", arg=place)


@pytest.mark.parametrize("name", DECKS)
def test_each_slide_is_whole_and_its_explorer_is_used_without_turning_the_slide(open_deck, name):
    page = open_deck(name)
    assert page.evaluate(ALL) == []
    for place in page.evaluate(WITH_FRAMES):
        page.evaluate(f"Reveal.slide({place}, 0, -1)")  # none of its steps is shown yet
        frame = page.locator("section.present iframe")
        inside = opened_frame(page, frame)
        assert page.evaluate(FAULTS) == []
        expect(inside.locator(".bx-root")).to_have_attribute("data-theme", "light")
        assert inside.evaluate("document.documentElement.scrollHeight - innerHeight") <= 2
        assert inside.evaluate(SMALL, frame.evaluate(SCALE)) == []
        if (name, frame.get_attribute("src")) not in HANDS:
            continue
        first, handle = inside.locator('[data-bx="rule"] input').first, inside.locator("[data-handle]").first
        moves(inside, lambda handle=handle: drag(page, handle))
        handle.focus()
        moves(inside, lambda: [page.keyboard.press("ArrowRight") for _ in range(8)])
        is_at(page, place)
        page.keyboard.press("Escape")  # which gives the keys back to the slides
        expect(frame).not_to_be_focused()
        page.keyboard.press("ArrowLeft")
        is_at(page, place - 1)
        page.evaluate(f"Reveal.slide({place}, 0, -1)")
        if first.count():  # keys choose a rule though the explorer has not got them
            page.keyboard.press("1")
            expect(first).to_be_checked()
        handle.focus()
        page.keyboard.press("PageUp")  # a clicker
        is_at(page, place - 1)


def test_the_short_version_leaves_slides_out(open_deck):
    whole, short = (open_deck(DECKS[0], query).evaluate("Reveal.getTotalSlides()") for query in ("", "?short"))
    assert 0 < short < whole


def test_each_slide_is_printed_on_a_page_with_its_explorers(open_deck):
    deck = next((name for name in DECKS if name.startswith("05")), DECKS[0])  # where the highest explorer is
    page = open_deck(deck)
    number, frames = page.evaluate("[Reveal.getTotalSlides(), document.querySelectorAll('iframe').length]")
    page = open_deck(deck, "?view=print")
    expect(page.locator(".pdf-page")).to_have_count(number)
    page.emulate_media(media="print")
    for frame in page.frames[1:]:
        frame.locator(".bx-root[data-theme]").wait_for()
        frame.wait_for_function("document.documentElement.scrollHeight <= innerHeight + 2")
    assert len(page.frames) == 1 + frames


def test_the_speakers_window_has_the_notes(open_deck):
    page = open_deck(DECKS[0])
    page.evaluate("Reveal.slide(Reveal.getSlides().findIndex((s) => s.querySelector('aside p')))")
    assert page.evaluate("Reveal.getSlideNotes()")
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    value = opened.value.locator(".speaker-controls-notes .value p").first
    value.wait_for(timeout=20_000)
    assert len(value.inner_text()) >= 20
