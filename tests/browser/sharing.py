"""Links and code, from the clipboard of somebody who gives them away to the page of somebody who opens them."""

from screen import Screen

# What is written to the clipboard, where tests can read it.
COPIED = "() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }"


def copied(screen, button):
    screen.page.evaluate(COPIED)
    screen.click(button)
    return screen.page.evaluate("window.copied")


def open_link(screen, link):
    """Open a link in a new page of the same browser, as somebody to whom it was sent."""
    page = screen.page.context.new_page()
    page.goto(link)
    return Screen(page)
