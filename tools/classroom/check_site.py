"""Look at every page of the site in Chromium, cut off from the network, as a visitor does; exit 1 where one fails.

    python tools/classroom/check_site.py [--pictures FOLDER] [--only 03 05]

On a screen of 1280 pixels, light from a web server and dark from the disk, and of 390: no request outside, no
complaint, nothing sideways out of sight, no formula left in TeX, no figure without words, and explorers that follow the
page's theme, keys, mouse and finger.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from visit import SETTLE, Visit, server, start_chromium

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"

SCREENS = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light", "has_touch": True},
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
    for (const e of all("article img")) if (e.alt.trim().length < 20) faults.push(`no words for ${e.src.slice(-40)}`);
    for (const e of all("article img")) if (e.complete && !e.naturalWidth) faults.push(`broken: ${e.src.slice(-40)}`);
    for (const e of all("iframe")) if (e.title.length < 20) faults.push("no words for an explorer");
    return faults;
}"""
THEME = "() => document.querySelector('.bx-root').dataset.theme"


class SiteVisit(Visit):
    """A visit to the site: each page, its explorers, and the search."""

    def see(self, path):
        """Open a page, look for faults, and try its explorers."""
        self.name = path.stem[:2] if path.stem[:2].isdigit() else path.stem
        self.page.goto(self.base + path.name)
        self.photograph("top")
        for fault in self.page.evaluate(FAULTS):
            self.blame(fault)
        frames = self.page.locator("iframe.explorer")
        for place in range(frames.count()):
            self.try_explorer(frames.nth(place))

    def try_explorer(self, frame):
        """Move an explorer by keys, by mouse and, where there is one, by finger; it must look as the page does."""
        frame.scroll_into_view_if_needed()
        inside = frame.element_handle().content_frame()
        inside.locator(".bx-root[data-theme]").wait_for()
        self.page.evaluate(SETTLE)
        self.photograph("explorer")
        wide = inside.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        high = inside.evaluate("() => document.documentElement.scrollHeight - innerHeight")
        if wide > 0 or high > 2:
            self.blame(f"the explorer is {wide} pixels too wide and {high} too high for its frame")
        handle = inside.locator("[data-handle]").first
        handle.focus()
        self.must_change(inside, "keys", lambda: [self.page.keyboard.press("ArrowRight") for _ in range(8)])
        box = handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.must_change(inside, "the mouse", lambda: self.drag(x, y))
        if SCREENS[self.screen].get("has_touch"):
            handle.scroll_into_view_if_needed()
            box = handle.bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            self.must_change(inside, "a finger", lambda: self.swipe(x, y))
        own, other = ("light", "dark") if self.theme() == "light" else ("dark", "light")
        if inside.evaluate(THEME) != own:
            self.blame(f"the explorer is {other} on a {own} page")
        for theme in (other, own):
            self.must_follow(inside, theme)

    def must_follow(self, inside, theme):
        """Turn the page light or dark, and note a fault where the explorer does not follow at once."""
        self.page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        try:
            inside.wait_for_function(f"(theme) => ({THEME})() === theme", arg=theme, timeout=2000)
        except Exception as error:
            self.blame(f"the explorer stays as it was when the page turns {theme}: {error}")

    def theme(self):
        """Theme that the system asks for."""
        return SCREENS[self.screen]["color_scheme"]

    def swipe(self, x, y):
        """Drag a finger from here to a place nearby."""
        session = self.context.new_cdp_session(self.page)
        for phase, step in (("Start", 0), ("Move", 10), ("Move", 20), ("Move", 30), ("End", None)):
            points = [] if step is None else [{"x": x + step, "y": y + step / 2}]
            session.send("Input.dispatchTouchEvent", {"type": f"touch{phase}", "touchPoints": points})

    def search(self, word):
        """Search the site: something must be found."""
        self.name = "search"
        self.page.goto(f"{self.base}search.html?q={word}")
        try:
            self.page.locator("ul.search li a").first.wait_for(timeout=8000)
        except Exception as error:
            self.blame(f"nothing found: {error}")
        self.photograph("results")


def look(base, screen, pages, pictures):
    """Visit pages with a Chromium of its own; return the faults."""
    start, where = time.time(), "from the disk" if base.startswith("file:") else "from a server"
    with start_chromium() as browser:
        visit = SiteVisit(browser, base, screen, SCREENS[screen], pictures)
        for path in pages:
            visit.see(path)
        visit.search("covariance")
    found = f"{len(pages)} pages, {len(visit.faults)} faults"
    print(f"{screen}, {where}: {found}, {time.time() - start:.0f} s", flush=True)
    return visit.faults


def main():
    """Check the site, and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path, help="folder for screenshots")
    parser.add_argument("--only", nargs="*", default=[""], help="how the names of pages begin")
    options = parser.parse_args()
    pages = [path for path in sorted(SITE.glob("*.html")) if path.name.startswith(tuple(options.only))]
    if not pages:
        sys.exit("There is no site to check: run `make site`.")
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    pages = [path for path in pages if path.stem not in ("search", "genindex")]
    with server(SITE) as address, ThreadPoolExecutor(2) as pool:  # most machines have two cores
        bases = {"light": address, "dark": SITE.as_uri() + "/", "phone": address}
        parts = [(base, screen, pages[half::2]) for screen, base in bases.items() for half in (0, 1)]
        visits = [pool.submit(look, *part, options.pictures) for part in parts if part[-1]]
        faults = [fault for visit in visits for fault in visit.result()]
    print(*faults, sep="\n")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
