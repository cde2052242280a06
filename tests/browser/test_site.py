"""Every page of the site in build/site, as a visitor sees it: whole, on two screens, with explorers that work."""

import functools
import http.server
import re
import threading
from pathlib import Path

import pytest
from playwright.sync_api import expect
from screen import AXE
from settling import SETTLED
from visiting import drag, moves, one_of_each_kind, opened_frame, swipe_a_little

SITE = Path(__file__).parents[2] / "build" / "site"
PAGES = sorted(path.name for path in SITE.glob("*.html") if path.stem not in ("search", "genindex"))
pytestmark = pytest.mark.skipif(not PAGES, reason="there is no site: run `make site`")
HANDS = one_of_each_kind(SITE, reversed(PAGES))  # the first of each kind; of slides, it is the last
FOR_AXE = ("index.html", "05_lda_versus_qda.html")

SCREENS = {
    "wide": ((1280, 900), "light"),
    "phone": ((390, 844), "dark"),
}

# What is wrong with a page; all that is folded is unfolded first.
FAULTS = """async () => {
    await window.MathJax?.startup?.promise;
    document.querySelectorAll("article details").forEach((each) => { each.open = true; });
    const faults = [], all = (selector) => [...document.querySelectorAll(selector)];
    const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (over > 0) faults.push(`the page is ${over} pixels too wide`);
    for (const e of all("article :is(p, img, table, pre, iframe, li, mjx-container, svg)")) {
        let box = e.parentElement;
        const scrolling = (each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowX);
        while (box.tagName !== "ARTICLE" && !scrolling(box)) box = box.parentElement;
        const scrolls = box.tagName !== "ARTICLE" || scrolling(e);
        const right = e.getBoundingClientRect().right;
        if (!scrolls && right > document.documentElement.clientWidth + 1) faults.push(`${e.tagName} ends at ${right}`);
    }
    for (const e of all(".math")) if (!e.querySelector("mjx-container")) faults.push(`not typeset: ${e.textContent}`);
    for (const e of all("mjx-merror, [data-mjx-error]")) faults.push(`error in a formula: ${e.textContent}`);
    const words = document.querySelector("article").cloneNode(true);
    words.querySelectorAll("pre, code, .math, script, svg").forEach((e) => e.remove());
    const left = words.textContent;
    for (const [found] of left.matchAll(/\\$[^$\\n]{1,60}\\$|\\\\\\(.{1,40}/g)) faults.push(`TeX: ${found}`);
    const alone = all("article img:not(a img)"); // a link has words of its own
    for (const e of alone) if (e.alt.trim().length < 20) faults.push(`no words for ${e.src.slice(-40)}`);
    for (const e of all("article img")) if (e.complete && !e.naturalWidth) faults.push(`broken: ${e.src.slice(-40)}`);
    for (const e of all("iframe")) if (e.title.length < 20) faults.push("no words for an explorer");
    return faults;
}"""

# Whether all code that is wider than its place has the focus of keys.
KEYS_SCROLL = """() => [...document.querySelectorAll("article pre")]
    .every((e) => e.scrollWidth <= e.clientWidth || e.tabIndex === 0)"""


@pytest.fixture(scope="module")
def server():
    """Address of a web server for the site."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE))) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_port}/"
        served.shutdown()


# What axe-core finds, rule and element.
BARRIERS = """async () => {
    const { violations } = await axe.run({ iframes: false, preload: false, resultTypes: ["violations"] });
    return violations.map(({ id, nodes: [{ html }] }) => [id, html]);
}"""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_and_its_explorers_can_be_used_on_a_wide_screen_and_on_a_phone(visit, name):
    page = visit(SITE.as_uri() + "/", name, *SCREENS["wide"], has_touch=True)
    if name in FOR_AXE:
        page.evaluate(AXE.read_text(encoding="utf-8"))
    frames = {frame: frame.get_attribute("src") for frame in page.locator("iframe.explorer").all()}
    hands = {address: frame for frame, address in frames.items() if (name, address) in HANDS}.values()
    for own, other, touch in (("light", "dark", drag), ("dark", "light", swipe_a_little)):
        if own == "dark":
            page.set_viewport_size(dict(zip(("width", "height"), SCREENS["phone"][0], strict=True)))
            page.emulate_media(color_scheme="dark")  # laid out anew, not loaded, which takes seconds
        if name in FOR_AXE:
            page.wait_for_function(KEYS_SCROLL)  # a moment after the screen has changed
            assert page.evaluate(BARRIERS) == []
        assert page.evaluate(FAULTS) == []
        for frame in frames:
            inside = opened_frame(page, frame)
            wide, high = inside.evaluate("""() => { const { scrollWidth, scrollHeight } = document.documentElement;
                return [scrollWidth - innerWidth, scrollHeight - innerHeight]; }""")
            assert (wide <= 0, high <= 2) == (True, True), f"{wide} pixels too wide, {high} too high for its frame"
            root = inside.locator(".bx-root")
            expect(root).to_have_attribute("data-theme", own)
            if frame not in hands:
                continue
            if inside.locator('[data-bx="still"]').is_visible():  # the classes of this challenge stay
                inside.locator('[data-bx="next-challenge"]').click()
            handle = inside.locator("[data-handle]").first
            moves(inside, lambda handle=handle, touch=touch: touch(page, handle))
            if own == "dark":
                continue
            handle.focus()
            moves(inside, lambda: [page.keyboard.press("ArrowRight") for _ in range(8)])
            for theme in (other, own):  # the explorer follows the page
                page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
                expect(root).to_have_attribute("data-theme", theme)


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
def test_the_front_page_answers_to_a_drag(visit, server, screen):
    page = visit(server, "index.html", *screen)
    inside = page.locator("iframe.hero").element_handle().content_frame()
    answer = inside.locator('[data-bx="answer"]')
    handle = inside.locator('[data-handle="mean-0"]')
    handle.wait_for()
    start = handle.bounding_box()
    page.mouse.move(start["x"] + 12, start["y"] + 12)
    page.mouse.down()
    page.mouse.move(start["x"] + 72, start["y"] + 42, steps=4)
    page.mouse.up()
    expect(answer).to_contain_text("Gaussian")
    inside.evaluate(SETTLED)
    fits = "[document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]"
    assert inside.evaluate(fits) == [True, True]
    box = page.locator("iframe.hero").bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]  # all of it is seen at once
    assert page.locator("iframe.hero").get_attribute("loading") is None


@pytest.mark.parametrize("place", ["server", "disk"])
def test_the_search_finds_the_notebook_of_that_name_first(visit, server, place):
    page = visit(server if place == "server" else SITE.as_uri() + "/", "search.html?q=naive+bayes", *SCREENS["wide"])
    expect(page.locator("ul.search li a").first).to_have_text(re.compile("04 "))
