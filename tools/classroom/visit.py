"""A visit to pages in Chromium, which notes what is wrong with them; what the checks of site and slides share."""

import functools
import http.server
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "browser"))
from settling import SETTLED, SHOW_PENDING

PIXELS = "() => [...document.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL()).join()"
SETTLE = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 350)))"


@contextmanager
def server(folder):
    """Serve a folder, and yield its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_port}/"
        served.shutdown()


class Visit:
    """One browser window, and what is wrong with what it has seen."""

    def __init__(self, browser, base, screen, options, pictures=None):
        self.base, self.screen, self.pictures, self.faults = base, screen, pictures, []
        self.context = browser.new_context(**options)
        self.context.add_init_script(SHOW_PENDING)
        self.page, self.name = self.context.new_page(), ""
        self.page.on("console", self.on_console)
        self.page.on("pageerror", lambda error: self.blame(f"error: {error}"))
        self.page.on("requestfailed", self.on_failure)
        self.page.on("response", lambda answer: answer.status >= 400 and self.blame(f"{answer.status}: {answer.url}"))
        self.page.on("request", self.on_request)

    def blame(self, text):
        """Note a fault of the page that is open."""
        self.faults.append(f"{self.screen} {self.name}: {text}")

    def on_console(self, message):
        """Note what the page complains of."""
        if message.type in ("error", "warning"):
            self.blame(message.text)

    def on_failure(self, request):
        """Note a request that failed; one for an icon is given up when the next page is opened meanwhile."""
        if request.failure != "net::ERR_ABORTED":
            self.blame(f"failed: {request.url}, {request.failure}")

    def on_request(self, request):
        """Note a request that leaves the site."""
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.blame(f"asks for {request.url}")

    def photograph(self, what):
        """Store what is on the screen, where that is wanted."""
        if self.pictures:
            self.page.evaluate("() => window.MathJax?.startup?.promise")
            self.page.wait_for_timeout(300)
            self.page.screenshot(path=self.pictures / f"{self.name}-{self.screen}-{what}.png")

    def must_change(self, inside, means, act):
        """Do something, and note a fault where the explorer's picture stays the same."""
        before = inside.evaluate(PIXELS)
        act()
        inside.evaluate(SETTLED)
        if inside.evaluate(PIXELS) == before:
            self.blame(f"the explorer does not move by {means}")

    def drag(self, x, y):
        """Drag the mouse from here to a place nearby."""
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x - 30, y - 20, steps=5)
        self.page.mouse.up()


def start_chromium():
    """Return the context of a Chromium without network, or exit with what is missing."""
    try:
        from chromium import chromium
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is missing, which drives Chromium: `make test-browser` installs it.")
    return chromium()
