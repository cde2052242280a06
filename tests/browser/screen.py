"""The explorer as somebody at the screen sees and uses it."""

import json
import re
import sys
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from settling import SETTLED, SHOW_PENDING
from sklearn.metrics import confusion_matrix

from bayeslab import make_three_classes
from bayeslab.explore import BoundaryExplorer
from bayeslab.explore._content import RULES

MODES = ["truth", "estimate"]
PHONE = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}

AXE = Path(sys.prefix, "axe", "node_modules", "axe-core", "axe.min.js")  # put there by `make test-browser`

# A saved page keeps its values to itself: this script, run before its own, shows them, and what the page is to do yet.
SHOW_VALUES = f"JSON.parse = ((parse) => (text) => (window.values = parse(text)))(JSON.parse);{SHOW_PENDING}"

# What is written to the clipboard, where tests can read it.
COPIED = "() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }"

# Of a copy: a canvas that is read often complains. At most 200.
COLOURS = """(canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer), seen = new Set();
    for (let i = 0; i < pixels.length && seen.size < 200; i++) seen.add(pixels[i]);
    return seen.size;
}"""

# Modes and rules, chosen one after another: those that are chosen then, colours of the picture, and all words.
EVERY_RULE = f"""async (ways) => {{
    const part = (name) => document.querySelector(`[data-bx="${{name}}"]`), found = [];
    for (const [mode, rule] of ways) {{
        for (const name of [`mode-${{mode}}`, `rule-${{rule}}`]) part(name).click();
        await ({SETTLED})();
        found.push([[mode, rule], values.mode, values.rule, ({COLOURS})(part("plot")), part("root").innerText]);
    }}
    return found;
}}"""

# Rule and element of what is found. Without `resultTypes` most of the time goes into describing what is in order.
BARRIERS = """async () => {
    const { passes, violations } = await axe.run({ resultTypes: ["violations"] });
    const serious = violations.filter(({ impact }) => impact !== "minor");
    return { passes: passes.length, barriers: serious.map(({ id, nodes: [{ html }] }) => [id, html]) };
}"""

# What sticks out of its card or of the explorer, lies over another control, is cut off, or cannot be pressed.
FAULTS = """(root) => {
    const faults = [], name = (e) => e.dataset.bx ?? e.getAttribute("aria-label") ?? e.textContent.trim() ?? e.tagName;
    const within = (e, outer) => {
        const [a, b] = [e, outer].map((each) => each.getBoundingClientRect());
        return a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
    };
    const visible = (selector) => [...root.querySelectorAll(selector)].filter((e) => e.checkVisibility());
    for (const e of visible("h2, p, dt, dd, caption, canvas, button, input, select, textarea, summary, .bx-label")) {
        if (e.closest(".bx-overlay")) continue;
        const shown = e.matches(".bx-switch input") ? e.nextElementSibling : e;
        for (const outer of [shown.closest(".bx-card"), shown.closest(".bx-switch"), root]) {
            if (outer && outer !== shown && !within(shown, outer)) faults.push(`${name(e)} sticks out`);
        }
    }
    for (const e of [root, ...visible(".bx-card, .bx-scroll, .bx-bar, .bx-switch, .bx-class")]) {
        if (e.scrollWidth > e.clientWidth + 1) faults.push(`${name(e)} is clipped`);
    }
    for (const e of visible("input[type=range]")) {
        if (e.offsetWidth < 90) faults.push(`${name(e)} is ${e.offsetWidth} pixels wide`);
    }
    for (const e of visible(".bx-handle")) if (!e.style.transform) faults.push(`${e.dataset.handle} is nowhere`);
    const controls = visible("button, input, select, textarea, summary").filter((e) => !e.closest(".bx-overlay"))
        .map((e) => (e.matches(".bx-switch input") ? e.nextElementSibling : e));
    for (const e of controls) {
        e.scrollIntoView({ block: "center", inline: "nearest" });
        const box = e.getBoundingClientRect();
        const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        if (!e.contains(at) && !e.closest("label")?.contains(at)) faults.push(`${name(e)} cannot be pressed`);
    }
    const boxes = controls.map((e) => [e, e.getBoundingClientRect()]);
    boxes.forEach(([e, a], i) => boxes.slice(0, i).forEach(([other, b]) => {
        const over = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const across = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (over > 1 && across > 1) faults.push(`${name(e)} lies over ${name(other)}`);
    }));
    return faults;
}"""

# What can be pressed or typed into, but for handles.
CONTROLS = """() => [...document.querySelectorAll(".bx-root :is(button, input, select, textarea, summary)")]
    .map((e) => (e.matches(".bx-switch input") ? e.nextElementSibling : e))
    .filter((e) => e.checkVisibility() && !e.closest(".bx-overlay")).length"""

SMALL_LETTERS = """() => {
    const written = (e) => [...e.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest(".bx-hidden");
    const small = (e) => parseFloat(getComputedStyle(e).fontSize) < 16;
    return [...document.querySelectorAll(".bx-root *")].filter((e) => written(e) && seen(e) && small(e))
        .map((e) => e.textContent);
}"""

REVEAL = """(part) => {
    const panel = part.closest("[role=tabpanel]"), root = part.closest(".bx-root");
    if (panel?.checkVisibility() === false) root.querySelector(`#${panel.getAttribute("aria-labelledby")}`).click();
    const first = part.matches("summary") ? part.parentElement.parentElement : part;
    for (let fold = first.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}"""

RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def number(text):
    """Return the first number of a readout, such as −1.5 or 2·10⁻⁹, as it is rounded there."""
    mantissa, power = re.match(r"(−?[\d.]+)(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", text).groups(default="⁰")
    return float(mantissa.replace("−", "-")) * 10.0 ** int(power.translate(RAISED))


def has_nonsense(text):
    return {"NaN", "undefined", "Infinity", "−Infinity"} & set(re.split(r"[\s,%()]+", text))


def three_classes(n=20, **traits):
    return BoundaryExplorer(make_three_classes(n, np.random.default_rng(0)), **traits)


class Linked:
    """An explorer whose page follows `window.sets(values)`, as a widget follows Python."""

    def __init__(self, explorer, values=()):
        self.explorer, self.values = explorer, values

    def save(self, path):
        state = self.explorer._saved_state
        self.explorer._saved_state = lambda: state() | dict(self.values)
        self.explorer.save(path)
        page, follow = path.read_text("utf-8"), "on: (event, react) => (window.listeners ??= []).push([event, react])"
        assert page.count("on() {}, off() {}") == 1
        off = "off: (event, react) => { window.listeners = listeners.filter((each) => each[1] !== react); }"
        path.write_text(page.replace("on() {}, off() {}", f"{follow}, {off}"), "utf-8")


def sets(screen, values):
    """Let Python set values, one by one."""
    screen.page.evaluate(
        """(given) => Object.entries(given).forEach(([name, value]) => {
            values[name] = value;
            for (const [event, react] of [...listeners]) if (event === `change:${name}`) react();
        })""",
        values,
    )
    screen.settle()


def swipe(screen, *ways, rest=0):
    """Move fingers, each from a place to a place, in steps, after they have rested for so many milliseconds."""
    session = screen.page.context.new_cdp_session(screen.page)
    ways = [(np.asarray(start, float), np.asarray(end, float)) for start, end in ways]

    def send(phase, share):
        points = [dict(zip("xy", start + share * (end - start), strict=True)) for start, end in ways]
        touches = [] if phase == "End" else [point | {"id": i} for i, point in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": f"touch{phase}", "touchPoints": touches})

    send("Start", 0)
    screen.page.wait_for_timeout(rest)
    for share in np.linspace(0.1, 1, 10):
        send("Move", share)
    send("End", 1)
    session.detach()
    screen.settle()


def distances(screen):
    """How far any two handles are from each other, in pixels."""
    places = np.array([screen.middle(handle) for handle in screen.inside.locator(".bx-handle").all()])
    apart = np.linalg.norm(places[:, None] - places, axis=2)
    return apart[np.triu_indices(len(places), 1)]


class Screen:
    """An explorer on a page: its parts, its handles, and what can be done to them."""

    def __init__(self, page, inside=None):
        self.page, self.inside = page, inside or page  # where it stands, such as a cell of a notebook
        self.inside.locator(".bx-root[data-theme]").wait_for()
        self.settle()

    def settle(self):
        self.page.evaluate(SETTLED)

    # What is there

    def part(self, name):
        return self.inside.locator(f'[data-bx="{name}"]')

    def text(self, name):
        return self.part(name).inner_text()

    def values(self):
        """Values of the traits, in a saved page: as a text, because Playwright takes numbers one by one.

        Ticks of challenges are left out: they stay, whatever is undone.
        """
        values = json.loads(self.page.evaluate("JSON.stringify(window.values)"))
        values.pop("done", None)
        return values

    def mean(self, k):
        return np.array(self.values()["means"][k])

    def points(self):
        return np.array(self.values()["points"]).reshape(-1, 3)

    def python(self):
        """Return Python's explorer of the same values: an independent computation of all that is shown."""
        others = ("datasets", "challenge", "current")
        return BoundaryExplorer(**{name: value for name, value in self.values().items() if name not in others})

    def readouts(self):
        return self.inside.locator(".bx-readouts").all_text_contents()

    def confusion(self):
        cells = self.part("confusion").locator("td:not(thead td)").all_inner_texts()
        return np.array(cells, dtype=int).reshape([round(len(cells) ** 0.5)] * 2)

    def named(self, name):
        """Return the handle of this name."""
        return self.inside.locator(f'[data-handle="{name}"]')

    def pull(self, name, shift):
        # A click before may have moved it: its place is that of the next frame.
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.drag(self.middle(self.named(name)), shift)

    def handle(self, k, kind="mean"):
        return self.named(f"{kind}-{k}")

    def at(self, k, kind="mean"):
        """Middle of a handle on the page, in pixels."""
        return self.middle(self.handle(k, kind))

    @staticmethod
    def middle(locator):
        box = locator.bounding_box()
        return np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])

    @classmethod
    def meant(cls, locator):
        """Pixel that a handle stands for, also where it has stepped aside for others."""
        aside, back = locator.evaluate("""(handle) => handle.hasAttribute("data-aside")
            ? ["--aside", "--back"].map((name) => parseFloat(handle.style.getPropertyValue(name))) : [0, 0]""")
        return cls.middle(locator) + aside * np.array([np.cos(back), np.sin(back)])

    def barriers(self):
        """What axe-core finds that keeps somebody out, but for what is minor: rule and element."""
        if not self.page.evaluate("typeof axe === 'object'"):
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        self.page.evaluate("() => Promise.all(document.getAnimations().map(({ finished }) => finished))")
        found = self.page.evaluate(BARRIERS)
        assert found["passes"] > 15  # it has looked
        return found["barriers"]

    def held(self, k):
        """Mean that the handle of a class holds: of the points where densities are estimated."""
        own = self.points()[self.points()[:, 2] == k, :2]
        return own.mean(axis=0) if self.values()["mode"] == "estimate" and len(own) else self.mean(k)

    def units(self):
        """Data units per pixel, from the means and handles of the first two classes."""
        return (self.held(1) - self.held(0)) / (self.at(1) - self.at(0))

    def place(self, pixel):
        """Place in the data of a pixel of the page."""
        return self.held(0) + (np.asarray(pixel) - self.at(0)) * self.units()

    def pixel(self, place):
        """Where a place in the data is on the page."""
        return self.at(0) + (np.asarray(place) - self.held(0)) / self.units()

    def picture(self, name="plot"):
        """A canvas as an array of colours, shape (height, width, 3), and its corner on the page."""
        canvas = self.part(name)
        box = canvas.bounding_box()
        png = b64decode(canvas.evaluate("(canvas) => canvas.toDataURL().split(',')[1]"))
        return np.array(Image.open(BytesIO(png)).convert("RGB")), np.array([box["x"], box["y"]])

    def n_colours(self, name="plot"):
        """How many different colours the picture has, up to 200: one, where nothing was painted."""
        return self.part(name).evaluate(COLOURS)

    def faults(self):
        """List what is wrong with the layout: nothing may stick out, be cut off, or be out of reach."""
        return self.part("root").evaluate(FAULTS)

    def overflow(self):
        """By how many pixels the page is wider and higher than its window."""
        return tuple(
            self.page.evaluate("""() => { const { scrollWidth, scrollHeight } = document.documentElement;
                return [Math.max(scrollWidth - innerWidth, 0), Math.max(scrollHeight - innerHeight, 0)]; }""")
        )

    def small_letters(self):
        """Texts on the screen whose letters are smaller than 16 pixels."""
        return self.page.evaluate(SMALL_LETTERS)

    # What can be done

    def reveal(self, name):
        """Open the tab or the fold that a part is behind, and return the part."""
        self.part(name).evaluate(REVEAL)
        return self.part(name)

    def choose(self, **choices):
        """Press radio buttons: rule, mode, tool."""
        for name, value in choices.items():
            self.reveal(f"{name}-{value}").locator("xpath=following-sibling::span").click()
        self.settle()

    def click(self, *names):
        """Press buttons, also behind a tab or a fold, which is opened first."""
        for name in names:
            self.reveal(name).click()
        self.settle()

    def type(self, name, text):
        self.reveal(name).fill(str(text))
        self.part(name).press("Tab")
        self.settle()

    def drag(self, start, shift):
        """Drag the mouse from a pixel of the page, by so many pixels."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*np.add(start, shift), steps=4)
        self.page.mouse.up()
        self.settle()

    def copied(self, button):
        """Press a button, and return what it writes to the clipboard."""
        self.page.evaluate(COPIED)
        self.click(button)
        return self.page.evaluate("window.copied")

    def opened(self, link, page=None):
        """Open a link, or only its fragment, in a page of the same browser, as somebody to whom it was sent."""
        page = page or self.page.context.new_page()
        page.set_viewport_size(self.page.viewport_size)
        page.goto("about:blank")  # from a page of the same file it would only change the fragment
        page.goto(self.page.url.split("#")[0] + link if link.startswith("#") else link)
        return Screen(page)

    def paste(self, text):
        """Give cells to the explorer, as somebody who types or pastes them into the field."""
        self.reveal("table-cells").fill(text)
        self.part("table-cells").press("Tab")
        self.settle()

    # What must hold

    def shows_what_python_computes(self):
        """Assert that Python decides every point of the sample as the table on the screen says."""
        explorer = self.python()
        counts = confusion_matrix(explorer.y, explorer.classifier().predict(explorer.X), labels=explorer.class_names)
        np.testing.assert_array_equal(self.confusion(), counts)
        wrong = counts.sum() - np.trace(counts)
        np.testing.assert_string_equal(self.text("sample-error").split("(")[1], f"{wrong} of {len(explorer.y)})")

    def writes_no_nonsense(self):
        assert not has_nonsense(self.text("root")), self.text("root")

    def survives_every_rule(self):
        """Go through all modes and rules, in one go: each paints, and writes no nonsense."""
        ways = [(mode, rule) for mode in MODES for rule in RULES]
        for way, *seen, n_colours, text in self.page.evaluate(EVERY_RULE, ways):
            assert seen == way
            assert n_colours > 10, way
            assert not has_nonsense(text), text
