"""Firefox and WebKit, Safari's engine, as far as a smoke test needs them: open a page, run a script, use the mouse.

Both speak WebDriver: WebKit over HTTP, and Firefox, of which Debian has no driver, over a socket of its own.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import closing, contextmanager
from pathlib import Path

MINI_BROWSER = "webkit2gtk-4.*/MiniBrowser"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def patiently(act, seconds=60):
    """Return what `act` returns, once the program that it asks has started."""
    for _ in range(10 * seconds):
        try:
            return act()
        except OSError:
            time.sleep(0.1)
    return act()


class Firefox:
    """Firefox by Marionette: lengths and JSON over a socket."""

    def __init__(self, port):
        self.socket = patiently(lambda: socket.create_connection(("127.0.0.1", port)))
        self.socket.settimeout(120)
        self.answers, self.number = self.socket.makefile("rb"), 0
        self._read()  # a greeting
        self.send("NewSession", {"capabilities": {}})

    def _read(self):
        length = b"".join(iter(lambda: self.answers.read(1), b":"))
        return json.loads(self.answers.read(int(length)))

    def send(self, command, values):
        self.number += 1
        text = json.dumps([0, self.number, f"WebDriver:{command}", values]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, value = self._read()
        assert error is None, error
        return value

    def open(self, url):
        self.send("Navigate", {"url": url})

    def run(self, script):
        return self.send("ExecuteScript", {"script": f"return {script}", "args": []})["value"]

    def act(self, actions):
        self.send("PerformActions", {"actions": actions})

    def resize(self, width, height):
        self.send("SetWindowRect", {"width": width, "height": height})

    def close(self):
        self.answers.close()
        self.socket.close()


class WebKit:
    """WebKitGTK by its driver."""

    def __init__(self, port, browser):
        options = {"webkitgtk:browserOptions": {"binary": str(browser), "args": ["--automation"]}}
        self.address = f"http://127.0.0.1:{port}/session"
        session = patiently(lambda: self.send("", {"capabilities": {"alwaysMatch": options}}))
        self.address += f"/{session['sessionId']}"

    def send(self, command, values):
        data, kind = json.dumps(values).encode(), {"Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(self.address + command, data, kind), timeout=120) as answer:
            return json.load(answer)["value"]

    def open(self, url):
        self.send("/url", {"url": url})

    def run(self, script):
        return self.send("/execute/sync", {"script": f"return {script}", "args": []})

    def act(self, actions):
        self.send("/actions", {"actions": actions})

    def resize(self, width, height):
        self.send("/window/rect", {"width": width, "height": height})


@contextmanager
def running(*command):
    """Run a program, and end it and all that it has started."""
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, start_new_session=True, **silent)
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


@contextmanager
def firefox(folder):
    """Start Firefox with a profile in this folder, or yield None where there is none."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        yield None
        return
    port = free_port()
    (Path(folder) / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
    started = running(program, "--headless", "--marionette", "--no-remote", "--profile", str(folder))
    with started, closing(Firefox(port)) as browser:
        yield browser


@contextmanager
def webkit(folder):
    """Start WebKit on a screen that nobody sees, or yield None where there is none."""
    browser = next((each for lib in ("/usr/lib", "/usr/lib64", "/usr/libexec") for each in find(lib)), None)
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("xvfb-run")
    if None in (browser, driver, screen):
        yield None
        return
    port = free_port()
    with running(screen, "-a", driver, f"--port={port}"):
        yield WebKit(port, browser)


def find(folder):
    """List the small browser that comes with WebKitGTK."""
    return [*Path(folder).glob(MINI_BROWSER), *Path(folder).glob(f"*/{MINI_BROWSER}")]


ENGINES = {
    "Firefox": (firefox, "apt install firefox-esr, or firefox"),
    "WebKit": (webkit, "apt install webkit2gtk-driver xvfb xauth"),
}
