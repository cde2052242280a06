"""What every explorer keeps, a page with each of the table: drag, keys, links, layout, and access."""

import numpy as np
import pytest
from every_explorer import EXPLORERS, IN_BROWSER
from PIL import Image
from playwright.sync_api import expect
from readouts import READOUTS
from screen import PHONE, Linked, distances, sets, swipe

SLIDE = (1240, 666)  # what a slide of 1280 × 720 leaves for an explorer
WIDE = [(1280, 720), (1366, 768), (1440, 900)]
BESIDES = " Arrow keys move a cross, Enter acts there."  # said of the canvas, but not of its picture

# What a finger could miss.
SMALL = """() => [
    ...[...document.querySelectorAll(".bx-handle")].filter((e) => parseFloat(getComputedStyle(e, "::after").width) < 44
        || parseFloat(getComputedStyle(e, "::after").height) < 44),
    ...[...document.querySelectorAll(
        "button:not(.bx-handle), select, .bx-switch span, .bx-check, summary, input[type=number]")]
        .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 44)].map((e) => e.outerHTML)"""

# What has the focus, and the line around it; of a control that is drawn by its neighbour, the neighbour's.
FOCUSED = """() => { const e = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(e.matches(".bx-switch input") ? e.nextElementSibling : e);
    return [e.dataset.handle ?? e.dataset.bx ?? e.outerHTML, outlineStyle !== "none" && parseFloat(outlineWidth) >= 2];
}"""
# What Tab must reach: of a group of radio buttons, the checked one; of tabs and ticks, the one that is open.
STOPS = """() => [...document.querySelectorAll("button, input, select, textarea, [tabindex='0']")]
    .filter((e) => e.checkVisibility() && !e.disabled && !e.closest("[inert]") && (e.type !== "radio" || e.checked)
        && (e.tabIndex >= 0 || !e.matches("[role=tab], .bx-tick")))
    .map((e) => e.dataset.handle ?? e.dataset.bx ?? e.outerHTML)"""

# Middles of all handles, as shares of their canvas, and its width: at once after the page has become so narrow, as a
# printer asks for no frame.
ON_PAPER = """(width) => {
    document.querySelector(".bx-root").style.width = width;
    const stage = document.querySelector(".bx-stage"), box = stage.querySelector("canvas").getBoundingClientRect();
    const handles = [...stage.querySelectorAll(".bx-handle")].map((handle) => {
        const { left, right, top, bottom } = handle.getBoundingClientRect();
        return [((left + right) / 2 - box.left) / box.width, ((top + bottom) / 2 - box.top) / box.height];
    });
    return [handles, box.width];
}"""

every = pytest.mark.parametrize("name", IN_BROWSER)


def opened(show, name, viewport=(1100, 1000), **options):
    case = EXPLORERS[name]
    screen = show(case.make(), viewport, **options)
    handle = screen.named(case.handles.split()[0])
    handle.scroll_into_view_if_needed()
    return screen, handle, case


def changed(screen, before):
    now = screen.values()
    return {name for name in now if now[name] != before[name]}


def is_off(screen, name):
    expect(screen.part(name)).to_have_attribute("aria-disabled", "true")


def follows(screen, handle, traits, drag):
    """Assert that a handle goes with a drag, which changes these traits only."""
    # Steep, so that a page that may scroll, would; and beside the middle, from where nothing may jump.
    before, start, shift = screen.values(), screen.meant(handle), np.array([-16, -40])
    scrolled, middle = screen.page.evaluate("scrollY"), screen.middle(handle) + np.array([5, 4])
    drag(middle, shift)
    assert screen.page.evaluate("scrollY") == scrolled
    assert set() < changed(screen, before) <= traits
    moved = screen.meant(handle) - start
    assert moved[0] == pytest.approx(-16, abs=1.5)
    if abs(moved[1]) > 0.01:  # along a line it goes across only
        assert moved[1] == pytest.approx(-40, abs=1.5)


@every
def test_a_handle_follows_mouse_and_keys_and_everything_leads_back(show, name):
    screen, handle, case = opened(show, name)
    before = screen.values()
    follows(screen, handle, case.traits, screen.drag)
    expect(handle).to_be_focused()
    READOUTS[name](screen)
    after = screen.values()
    screen.click("undo")
    assert screen.values() == before
    is_off(screen, "undo")
    screen.click("redo")
    assert screen.values() == after
    screen.click("reset")
    assert screen.values() == before
    screen.click("undo")  # of Reset
    assert screen.values() == after
    screen.click("undo")

    start, ways = screen.meant(handle), []
    for key in ("ArrowRight", "ArrowLeft", "Shift+ArrowRight"):
        handle.press(key)
        screen.settle()
        ways.append(screen.meant(handle)[0] - start[0])
    assert changed(screen, before) <= case.traits
    assert ways[0] > 2
    assert ways[1] == pytest.approx(0, abs=0.1)
    assert ways[2] == pytest.approx(10 * ways[0], rel=0.05)
    label = handle.get_attribute("aria-label")
    expect(screen.part("live")).to_contain_text(label.split(". ")[0])
    handle.press("ArrowUp")
    screen.settle()
    goes_up = not label.endswith(". Left and right arrow keys move it, with Shift in larger steps.")
    assert label.endswith("rrow keys move it, with Shift in larger steps.")
    assert (screen.meant(handle)[1] - start[1] < -2) == goes_up
    READOUTS[name](screen)
    for _ in range(4):  # as many steps as the keys were slow to come
        handle.press("Control+z")
    screen.settle()
    assert screen.values() == before
    expect(handle).to_be_focused()
    handle.press("Control+Shift+z")
    assert changed(screen, before)
    handle.press("Control+z")
    screen.settle()

    start = screen.middle(handle)
    screen.page.mouse.move(*start)
    screen.page.mouse.down()
    screen.page.mouse.move(*np.add(start, [40, -30]), steps=4)
    assert screen.values() != before
    screen.page.keyboard.press("Escape")
    screen.page.mouse.move(*np.add(start, [60, 30]), steps=2)
    screen.page.mouse.up()
    assert screen.values() == before
    is_off(screen, "undo")
    assert screen.page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("name", ["boundary", "threshold"])
def test_keys_lead_back_where_the_picture_was_pressed(show, name):
    screen, handle, _ = opened(show, name)
    before = screen.values()
    screen.drag(screen.middle(handle), [40, -30])
    after = screen.values()
    screen.page.evaluate("document.activeElement.blur()")
    canvas = handle.locator("xpath=ancestor::*[contains(@class, 'bx-stage')]").locator("canvas")
    canvas.click(position={"x": 75, "y": canvas.bounding_box()["height"] - 12})  # among the numbers of the axis
    for key, values in ("Control+z", before), ("Control+Shift+Z", after):
        screen.page.keyboard.press(key)
        assert screen.values() == values


@every
def test_dragged_out_of_the_window_it_says_what_it_shows(show, name):
    screen, handle, _ = opened(show, name)
    before, canvas = screen.values(), handle.locator("xpath=ancestor::*[contains(@class, 'bx-stage')]//canvas")
    for corner in ((-2000, 2000), (2000, -2000)):
        screen.drag(screen.middle(handle), corner)
        screen.writes_no_nonsense()
        box, at = canvas.bounding_box(), screen.middle(handle)
        assert box["x"] <= at[0] <= box["x"] + box["width"]
        assert box["y"] <= at[1] <= box["y"] + box["height"]
        for each in screen.page.locator("canvas[data-bx]:visible").all():
            assert screen.n_colours(each.get_attribute("data-bx")) > 5
        assert screen.faults() == []
        screen.click("undo")
        assert screen.values() == before


@pytest.mark.parametrize("name", ["boundary", "challenges", "threshold"])  # Node tests all
def test_a_link_leads_to_what_is_on_the_screen(show, name):
    screen, _, case = opened(show, name)
    start, start_readouts = screen.values(), screen.readouts()
    for handle in case.handles.split():
        screen.pull(handle, [31, -17])
    for part, value in case.fields.items():
        screen.type(part, value)
    assert len(changed(screen, start)) >= 2
    link = screen.copied("copy-link")
    other = screen.opened(link)
    assert other.values() == screen.values()
    assert other.readouts() == screen.readouts() != start_readouts
    READOUTS[name](other)
    assert other.copied("copy-link") == link
    other.click("reset")  # the link's scene is where the page starts, but a challenge begins anew
    assert other.values() == (start if name == "challenges" else screen.values())


@pytest.mark.parametrize("name", ["boundary", "threshold"])
def test_a_saved_picture_has_all_plots_and_their_words(show, name, tmp_path):
    screen, _, _ = opened(show, name, color_scheme="dark")
    with screen.page.expect_download() as download:
        screen.click("save-picture")
    assert download.value.suggested_filename == f"{name}-explorer{' QDA' if name == 'boundary' else ''}.png"
    download.value.save_as(tmp_path / "picture.png")
    canvases = screen.page.locator("canvas[data-bx]:visible").all()
    with Image.open(tmp_path / "picture.png") as image:
        colours = np.array(image.convert("RGB"))
        words = " ".join(canvas.get_attribute("aria-label").removesuffix(BESIDES) for canvas in canvases)
        assert image.text["Description"] == words
    pictures = [screen.picture(canvas.get_attribute("data-bx")) for canvas in canvases]
    origin = np.min([corner for _, corner in pictures], axis=0)
    for seen, corner in pictures:
        left, top = np.rint(corner - origin).astype(int)
        np.testing.assert_array_equal(colours[top : top + len(seen), left : left + len(seen[0])], seen)


@pytest.mark.parametrize(("name", "part"), [("em", "more"), ("challenges", "points")])
def test_a_link_hides_parts_and_one_that_is_wrong_is_refused(show, name, part):
    screen, _, _ = opened(show, name)
    start, readouts = screen.values(), screen.readouts()
    bare = screen.opened(f"#hide=share,undo,{part}")
    assert bare.values() == start
    for each in ("share", "undo", part):
        hidden = bare.page.locator(f'[data-hide="{each}"]').all()  # a panel with its tab
        assert hidden
        assert not any(element.is_visible() for element in hidden)
    if bare.part("redo").locator("xpath=ancestor::details").count():
        bare.part("more").locator("summary").first.click()
    assert bare.part("redo").is_visible()
    assert bare.text("share-note") == ""
    assert bare.faults() + bare.barriers() == []
    refused = screen.opened({"em": "#starts=0,0", "challenges": "#challenge=ellipse&current=line"}[name], bare.page)
    assert "shown as it was saved" in refused.text("share-note")
    assert name != "em" or "its values do not go together" in refused.text("share-note")
    assert (refused.values(), refused.readouts()) == (start, readouts)
    assert refused.barriers() == []
    cut_off = screen.opened({"em": "#feature_names=%E0%A4%A", "challenges": "#current=%E0%A4%A"}[name], bare.page)
    assert "cut off or changed" in cut_off.text("share-note")
    cut_off.page.evaluate("location.hash = '#'")  # back to the page as it was saved
    expect(cut_off.part("share-note")).to_have_text("")


@pytest.mark.parametrize(
    ("name", "bad", "good"),
    [
        ("boundary", {"means": [[0, 0]]}, {"rule": "naive"}),
        ("em", {"sizes": [1]}, {"step": 3}),
    ],
)
def test_what_python_sets_is_followed_or_refused_in_words(show, name, bad, good):
    explorer = EXPLORERS[name].make()
    screen, right = show(Linked(explorer, bad)), explorer.get_state(list(bad))
    expect(screen.page.get_by_role("alert")).to_contain_text("do not go together")
    expect(screen.page.locator("canvas")).to_have_count(0)
    assert screen.barriers() == []
    sets(screen, right)  # only now it begins
    expect(screen.page.locator("canvas").first).to_be_visible()
    expect(screen.page.locator(".bx-root")).to_have_count(1)
    said = screen.page.get_by_role("alert").filter(has_text="Python has set values that do not go together")
    expect(said).to_have_count(0)
    start, picture = screen.values(), screen.part("root").screenshot()
    sets(screen, good)
    assert screen.part("root").screenshot() != picture
    screen.click("undo")
    assert screen.values() == start
    sets(screen, bad)
    expect(said).to_be_visible()
    sets(screen, good)
    screen.click("undo")
    assert screen.values() == start | bad
    sets(screen, right)
    expect(said).to_have_count(0)
    assert screen.values() == start


@pytest.mark.parametrize("name", ["boundary", "challenges", "threshold", "variance"])
def test_tab_reaches_everything(show, name):
    screen, _, _ = opened(show, name)
    folds = "(open) => document.querySelectorAll('details').forEach((fold) => { fold.open = open; })"
    screen.page.evaluate(folds, True)
    expected, reached = screen.page.evaluate(STOPS), {}
    screen.page.evaluate(folds, False)
    for _ in range(len(expected) + 3):  # and the summaries
        screen.page.keyboard.press("Tab")
        stop, is_seen = screen.page.evaluate(FOCUSED)
        reached[stop] = is_seen
        if screen.page.evaluate("document.activeElement.matches('summary')"):
            screen.page.keyboard.press("Enter")
    assert {stop: reached.get(stop) for stop in expected} == dict.fromkeys(expected, True)
    for slider in screen.page.locator(".bx-slider:visible").all():
        slider.locator("label").click()
        expect(slider.locator("input[type=range]")).to_be_focused()


def names_of_its_own(screen):
    """Assert that plots and fields have names, each another."""
    root = screen.part("root")
    groups = root.locator(".bx-overlay").evaluate_all(
        "(all) => all.map((e) => [e.getAttribute('aria-label'), e.childElementCount, e.checkVisibility()])"
    )
    assert all(bool(count) == seen for _, count, seen in groups)  # an empty one is a stop for nothing
    seen = [label for label, _, seen in groups if seen]
    assert len(set(seen)) == len(seen) > 0
    assert all(label.startswith("Handles ") for label in seen)
    plots = root.locator("canvas[role]:visible").evaluate_all("(all) => all.map((e) => e.getAttribute('aria-label'))")
    assert len(set(plots)) == len(plots) > 0
    assert min(map(len, plots)) > 20
    fields = root.locator(".bx-slider input").evaluate_all("(all) => all.map((e) => e.getAttribute('aria-label'))")
    assert None not in fields
    assert len(set(fields)) == len(fields)


def fits_at(screen, *widths):
    for width in widths:
        screen.page.set_viewport_size({"width": width, "height": 900})
        screen.settle()
        assert screen.part("root").evaluate("(root) => root.clientWidth") == width
        assert screen.faults() == [], width


@every
def test_on_a_dark_screen_of_any_width_nothing_sticks_out_and_axe_finds_nothing_serious(show, name):
    screen, handle, _ = opened(show, name, color_scheme="dark")
    screen.drag(screen.middle(handle), [24, -18])
    names_of_its_own(screen)
    fits_at(screen, 1600, 800, 1280)
    assert screen.barriers() == []


@every
def test_on_a_phone_a_finger_drags_and_misses_nothing(show, name):
    screen, handle, case = opened(show, name, (400, 700), **PHONE)
    assert distances(screen).min() >= 43.9
    assert screen.page.evaluate(SMALL) == []
    follows(screen, handle, case.traits, lambda start, shift: swipe(screen, (start, start + shift)))
    assert screen.overflow()[0] == 0
    assert set(screen.faults()) <= {"root is clipped"}  # as wide as a finger, a handle reaches over the edge
    assert screen.barriers() == []


@pytest.mark.parametrize("name", ["covariance", "em", "likelihood", "neighbours", "regularised", "threshold"])
def test_all_is_on_one_screen_and_in_a_lecture_on_one_slide_in_large_type(show, name):
    screen = show(Linked(EXPLORERS[name].make()), WIDE[0])
    for width, height in WIDE:
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.settle()
        for part in screen.page.locator(".bx-desk :is(canvas, section)").all():
            box = part.bounding_box()
            assert box["y"] + box["height"] <= height
        first = screen.page.locator("canvas").first.bounding_box()
        assert first["width"] > 0.4 * width
        assert first["height"] > 0.55 * height
    screen.page.set_viewport_size({"width": SLIDE[0], "height": SLIDE[1]})
    sets(screen, {"compact": True})
    assert screen.overflow() == (0, 0)
    assert screen.faults() + screen.small_letters() == []
    cards = screen.page.locator(".bx-cards").bounding_box()
    assert cards["y"] + cards["height"] <= SLIDE[1]
    for canvas in screen.page.locator("canvas").all():
        box = canvas.bounding_box()
        assert box["height"] > 0.45 * SLIDE[1]
        assert box["y"] + box["height"] <= cards["y"]


# Python sets a mean and then, while that is still to be written and the next frame is late, that it is compact.
LATE = """async () => {
    const set = (name, value) => {
        values[name] = value;
        for (const [event, react] of [...listeners]) if (event === `change:${name}`) react();
    };
    const frame = requestAnimationFrame, held = [];
    set("means", values.means.map((mean) => mean + 0.1));
    await new Promise(frame);
    await new Promise(frame);
    window.requestAnimationFrame = (act) => held.push(act);
    set("compact", true);
    await new Promise((done) => setTimeout(done, 300));
    window.requestAnimationFrame = frame;
    held.forEach((act) => frame(act));
}"""


def test_in_a_lecture_the_cards_take_no_more_than_they_need_though_a_frame_is_late(show):
    explorer = EXPLORERS["threshold"].make()
    screen = show(Linked(explorer), SLIDE)
    screen.page.evaluate(LATE)
    screen.settle()
    late = screen.page.locator(".bx-cards").bounding_box()["height"]
    explorer.compact = True
    screen = show(explorer, SLIDE)
    assert late == screen.page.locator(".bx-cards").bounding_box()["height"]


@pytest.mark.parametrize("name", ["boundary", "covariance", "em", "neighbours", "regularised", "threshold"])
def test_terms_light_up_what_they_name_for_pointer_and_keyboard(show, name):
    screen, _, _ = opened(show, name, (1280, 1000))
    stages = screen.page.locator(".bx-stage:visible")

    def pictures():
        screen.settle()
        return [stage.screenshot() for stage in stages.all()]

    rest, terms = pictures(), screen.page.locator("[data-lights]:visible")
    assert terms.count() >= 1
    for term in terms.all():
        term.hover()
        assert pictures() != rest, term.inner_text()
    screen.page.mouse.move(2, 2)
    assert pictures() == rest
    term = screen.page.locator("span[data-lights]:visible").first
    term.focus()
    assert pictures() != rest
    term.blur()
    assert pictures() == rest


@pytest.mark.parametrize("name", ["boundary", "threshold", "variance"])
def test_it_is_dark_or_light_as_the_system_and_light_on_paper(show, name):
    screen, _, _ = opened(show, name, color_scheme="dark")
    canvas = screen.page.locator("canvas").first.get_attribute("data-bx")

    def brightness():
        screen.settle()  # a change is told with the next frame
        return screen.picture(canvas)[0][2, 2].mean()

    assert brightness() < 60
    screen.page.emulate_media(media="print", color_scheme="dark")
    assert brightness() > 240
    assert screen.page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(0, 0, 0)"
    screen.page.evaluate(ON_PAPER, "1100px")
    screen.settle()  # drawn for this width, so that nothing is drawn between the next two looks
    before, wide = screen.page.evaluate(ON_PAPER, "1100px")
    after, narrow = screen.page.evaluate(ON_PAPER, "420px")
    assert len(before) >= 1
    assert narrow < 0.8 * wide
    np.testing.assert_allclose(after, before, atol=5e-3)
    screen.page.emulate_media(media="screen", color_scheme="dark")
    assert brightness() < 60
    screen.page.emulate_media(color_scheme="light")
    assert brightness() > 240
