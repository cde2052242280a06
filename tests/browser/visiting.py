"""What visitors of site and slides do with an explorer that stands in a frame of a page."""

import re

import numpy as np
from settling import SETTLED

PIXELS = "() => [...document.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL()).join()"


def one_of_each_kind(folder, names):
    """Of each kind of explorer on some pages, the last one: the name of its page, and the address in its frame.

    What hands do is tried on these: the others have the same script.
    """
    last = {}
    for name in names:
        for address in re.findall(r'<iframe[^>]* (?:data-)?src="([^"]+)"', (folder / name).read_text("utf-8")):
            kind = re.search("<title>(.+?)</title>", (folder / address).read_text("utf-8"))[1]
            last[kind] = name, address
    return set(last.values())


def opened_frame(page, frame):
    """The explorer in a frame, once it is drawn."""
    frame.scroll_into_view_if_needed()
    inside = frame.element_handle().content_frame()
    inside.locator(".bx-root[data-theme]").wait_for()
    page.evaluate(SETTLED)
    inside.evaluate(SETTLED)
    return inside


def moves(inside, act):
    """Assert that the explorer's picture changes by what is done."""
    before = inside.evaluate(PIXELS)
    act()
    inside.evaluate(SETTLED)
    assert inside.evaluate(PIXELS) != before


def middle(handle):
    """Where on the page the middle of a handle is; its frame may be enlarged, which its bounding box doesn't know."""
    handle.scroll_into_view_if_needed()
    frame, box = (
        handle.element_handle().owner_frame().frame_element(),
        handle.evaluate("(e) => e.getBoundingClientRect()"),
    )
    scale = frame.evaluate("(frame) => frame.getBoundingClientRect().width / frame.offsetWidth")
    corner = frame.evaluate(
        "(f) => { const { x, y } = f.getBoundingClientRect(); return [x + f.clientLeft, y + f.clientTop]; }"
    )
    return np.array(corner) + scale * np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])


def drag(page, handle):
    start = middle(handle)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*(start - [30, 20]), steps=5)
    page.mouse.up()


def swipe_a_little(page, handle):
    session, start = page.context.new_cdp_session(page), middle(handle)
    for phase, step in (("Start", 0), ("Move", 10), ("Move", 20), ("Move", 30), ("End", None)):
        points = [] if step is None else [dict(zip("xy", (start + np.array([step, step / 2])).tolist(), strict=True))]
        session.send("Input.dispatchTouchEvent", {"type": f"touch{phase}", "touchPoints": points})
