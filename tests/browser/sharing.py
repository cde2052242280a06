"""Links and code, from the clipboard of somebody who gives them away to the page of somebody who opens them."""

from screen import Screen

# What is written to the clipboard, where tests can read it.
COPIED = "() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }"


def copied(screen, button):
    screen.page.evaluate(COPIED)
    screen.click(button)
    return screen.page.evaluate("window.copied")


def open_link(screen, link, page=None):
    """Open a link in another page, a new one if none is given, of the same browser, as somebody to whom it was sent."""
    page = page or screen.page.context.new_page()
    page.set_viewport_size(screen.page.viewport_size)
    page.goto("about:blank")  # from a page of the same file it would only change the fragment
    page.goto(link)
    return Screen(page)
