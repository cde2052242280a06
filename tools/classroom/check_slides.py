"""Look at every slide in Chromium, cut off from the network, as a projector shows it; exit 1 where one fails.

    python tools/classroom/check_slides.py [--pictures FOLDER] [--only 03 05]

From the disk, 1280 × 720 pixels: nothing taller or wider than its slide, no text cut or too small to read, no formula
left in TeX, no figure without words, no complaint, no request outside; explorers that can be dragged without turning
the slide; and, of the first deck, the twenty minutes and the speaker's window.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from visit import SETTLE, Visit, start_chromium

SLIDES = Path(__file__).resolve().parents[2] / "build" / "slides"
SCREEN = {"viewport": {"width": 1280, "height": 720}, "color_scheme": "dark"}  # slides are light all the same

# What is wrong with the slide that is shown, each fault a sentence.
FAULTS = """() => {
    const slide = Reveal.getCurrentSlide(), body = slide.querySelector(".body"), faults = [];
    const all = (selector) => [...slide.querySelectorAll(selector)];
    const size = (each) => parseFloat(getComputedStyle(each).fontSize);
    const seen = (each) => each.checkVisibility() && !each.closest("mjx-assistive-mml, aside");
    if (body.scrollHeight > body.clientHeight + 1) faults.push(`${body.scrollHeight - body.clientHeight} px too tall`);
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
        if (e.clientHeight < 240) faults.push(`a figure ${e.clientHeight} px high`);
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
    const small = [...document.querySelectorAll(".bx-root *")].filter((e) => written(e) && seen(e) && size(e) < 16);
    return [...new Set(small.map((e) => e.textContent.trim().slice(0, 30)))];
}"""
# The same for all slides but those that load something, with the number of each.
ALL = f"""() => Reveal.getSlides().flatMap((slide, place) => {{
    if (slide.querySelector("iframe")) return [];
    Reveal.slide(place);
    return ({FAULTS})().map((fault) => `slide ${{place + 1}}: ${{fault}}`);
}})"""
WITH_FRAMES = "() => Reveal.getSlides().flatMap((s, place) => s.querySelector('iframe') ? [place] : [])"


class SlidesVisit(Visit):
    """A visit to decks."""

    def open(self, path, query=""):
        """Open a deck, and wait until its slides have their size."""
        self.name = path.stem[:2] + query
        self.page.goto(f"{self.base}{path.name}{query}")
        self.page.locator("html[data-ready]").wait_for(state="attached")

    def see(self, path):
        """Look for faults on each slide of a deck, and try its explorers; return the number of slides."""
        self.open(path)
        number = self.page.evaluate("Reveal.getTotalSlides()")
        for fault in self.page.evaluate(ALL):
            self.blame(fault)
        for place in self.page.evaluate(WITH_FRAMES):
            self.try_explorer(place)
        if self.pictures:
            for place in range(number):
                self.page.evaluate(f"Reveal.slide({place})")
                self.page.wait_for_timeout(900 if self.page.locator("section.present iframe").count() else 20)
                self.page.screenshot(path=self.pictures / f"{self.name}-{place + 1:02}.png")
        return number

    def place(self):
        """Return the number of the slide that is shown."""
        return self.page.evaluate("Reveal.getIndices().h")

    def try_explorer(self, place):
        """Move an explorer by mouse and keys, which must not turn the slide; outside of it, they must."""
        self.page.evaluate(f"Reveal.slide({place})")
        frame = self.page.locator("section.present iframe").element_handle()
        inside = frame.content_frame()
        inside.locator(".bx-root[data-theme]").wait_for()
        self.page.evaluate(SETTLE)
        for fault in self.page.evaluate(FAULTS):
            self.blame(f"slide {place + 1}: {fault}")
        size = inside.evaluate("() => [document.documentElement.scrollHeight - innerHeight, innerHeight]")
        if inside.evaluate("() => document.querySelector('.bx-root').dataset.theme") != "light":
            self.blame(f"slide {place + 1}: a dark explorer")
        if size[0] > 2:
            self.blame(f"slide {place + 1}: the explorer is {size[0]} pixels too tall for its {size[1]}")
        for words in inside.evaluate(SMALL, frame.evaluate(SCALE)):
            self.blame(f"slide {place + 1}: small letters in the explorer, {words}")
        handle = inside.locator("[data-handle]").first
        box = handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.must_change(inside, "the mouse", lambda: self.drag(x, y))
        handle.focus()
        self.must_change(inside, "keys", lambda: [self.page.keyboard.press("ArrowRight") for _ in range(8)])
        if self.place() != place:
            self.blame(f"slide {place + 1}: moving the explorer turns the slide")
        self.page.keyboard.press("Escape")
        self.page.wait_for_timeout(100)
        self.page.keyboard.press("ArrowLeft")
        if self.place() != place - 1:
            self.blame(f"slide {place + 1}: Esc does not give the keys back to the slides")
        self.page.evaluate(f"Reveal.slide({place})")
        self.check_rule_is_chosen(inside, place)
        handle.focus()
        self.page.keyboard.press("PageUp")
        self.page.wait_for_timeout(100)
        if self.place() != place - 1:
            self.blame(f"slide {place + 1}: a clicker is lost in the explorer")

    def check_rule_is_chosen(self, inside, place):
        """Press a key for the first rule while the slides have the keys."""
        first = inside.locator('[data-bx="rule"] input').first
        if not first.count():
            return
        self.page.keyboard.press("1")
        self.page.wait_for_timeout(100)
        if not first.is_checked():
            self.blame(f"slide {place + 1}: the key 1 does not choose a rule before the explorer was touched")

    def try_short(self, path):
        """Look at the slides of the twenty minutes."""
        self.open(path, "?minutes=20")
        number = self.page.evaluate("Reveal.getTotalSlides()")
        if not 12 <= number <= 15:
            self.blame(f"{number} slides")

    def try_print(self, path):
        """Look at the pages for a printer: one for each slide, and the explorers are on them."""
        self.open(path)
        number, frames = self.page.evaluate("[Reveal.getTotalSlides(), document.querySelectorAll('iframe').length]")
        self.open(path, "?view=print")
        self.page.locator(".pdf-page").nth(number - 1).wait_for(state="attached")
        if (pages := self.page.locator(".pdf-page").count()) != number:
            self.blame(f"{pages} pages for {number} slides")
        self.page.emulate_media(media="print")
        self.page.wait_for_timeout(1000)
        drawn = [frame for frame in self.page.frames[1:] if frame.locator(".bx-root[data-theme]").count()]
        if len(drawn) != frames:
            self.blame(f"{len(drawn)} of {frames} explorers are printed")
        if any(frame.evaluate("document.documentElement.scrollHeight > innerHeight + 2") for frame in drawn):
            self.blame("a printed explorer is cut off")
        self.page.emulate_media(media="screen")

    def try_notes(self, path):
        """Open the speaker's window, which must show the notes of a slide that has some."""
        self.open(path)
        self.page.evaluate("Reveal.slide(Reveal.getSlides().findIndex((s) => s.querySelector('aside p')))")
        said = self.page.evaluate("Reveal.getSlideNotes()")
        with self.page.expect_popup() as opened:
            self.page.keyboard.press("s")
        value = opened.value.locator(".speaker-controls-notes .value p").first
        value.wait_for(timeout=20000)
        if len(value.inner_text()) < 20 or not said:
            self.blame("the speaker's window has no notes")
        if self.pictures:
            opened.value.screenshot(path=self.pictures / "speaker.png")
        opened.value.close()


def look(decks, first, pictures):
    """Visit decks with a Chromium of its own, and try what all share on the first of them; return slides and faults."""
    with start_chromium() as browser:
        visit = SlidesVisit(browser, SLIDES.as_uri() + "/", "slides", SCREEN, pictures)
        number = sum(visit.see(path) for path in decks)
        if first:
            visit.try_short(first)
            visit.try_print(first)
            visit.try_notes(first)
    return number, visit.faults


def main():
    """Check the slides, and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path, help="folder for a picture of each slide")
    parser.add_argument("--only", nargs="*", default=[""], help="how the names of decks begin")
    options = parser.parse_args()
    decks = [path for path in sorted(SLIDES.glob("[0-9]*.html")) if path.name.startswith(tuple(options.only))]
    if not decks:
        sys.exit("There are no slides to check: run `make slides`.")
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    start = time.time()
    with ThreadPoolExecutor(2) as pool:  # most machines have two cores
        halves = (decks[::2], None), (decks[1::2], decks[0])
        visits = [pool.submit(look, *half, options.pictures).result for half in halves]
        number = sum(visit()[0] for visit in visits)
        faults = [fault for visit in visits for fault in visit()[1]]
    print(*faults, sep="\n")
    print(f"{len(decks)} decks, {number} slides, {len(faults)} faults, {time.time() - start:.0f} s")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
