"""Chromium, cut off from the network, for the tests in this folder and for the benchmark of the explorer."""

import shutil
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

# Without the window that nobody sees, the same engine takes a sixth less of the processor.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]


@contextmanager
def chromium(*flags):
    """Start the first Chromium found, of the system or of Playwright, and end it."""
    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, NAMES)), playwright.chromium.executable_path)
        if not Path(path).exists():
            raise SystemExit(
                f"No Chromium was found, neither as {', '.join(NAMES)} nor Playwright's own: run "
                "`apt install chromium` or `.venv/bin/python -m playwright install chromium`."
            )
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
        yield browser
        browser.close()


def watch(page):
    """Return lists which fill with what the page complains of, and with the addresses that it asks for."""
    complaints, addresses = [], []

    def on_console(message):
        if message.type in ("error", "warning"):
            complaints.append(f"{message.text} {message.location['url']}")

    page.on("console", on_console)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: addresses.append(request.url))
    return complaints, addresses


if __name__ == "__main__":  # where there is none, say so once
    with chromium():
        pass
