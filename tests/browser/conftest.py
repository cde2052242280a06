"""A browser for all tests, and saved pages that must end without a complaint and without a connection."""

import re
from collections import defaultdict
from functools import partial

import pytest
from chromium import chromium, watch
from lab import Notebook, jupyter_lab
from playwright.sync_api import expect
from screen import SHOW_VALUES, Screen
from settling import SHOW_PENDING

expect.set_options(timeout=30_000)  # for what comes at once on a quiet machine, five seconds can be too few


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist there is nothing to share out
def pytest_xdist_make_scheduler(config, log):
    """Give a worker all tests in JupyterLab, or all in another browser, which share one; others to whoever has time."""
    from xdist.scheduler import LoadScopeScheduling

    class ByTest(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file, _, test = nodeid.partition("::")
            if "_lab" in file:
                return "lab"
            return test.partition("[")[2].partition("-")[0] if "_engines" in file else nodeid

    return ByTest(config, log)


@pytest.fixture(scope="session")
def browser():
    # Without the middle one of its compilers: what is used for seconds takes a quarter less of the processor.
    with chromium("--js-flags=--no-maglev") as browser:
        yield browser


@pytest.fixture(scope="session")
def idle():
    """Pages that no test uses, with what they note, by their script and the options of their context.

    They are used again: a context and a page of its own for each test would be a third of the work of all tests.
    """
    return defaultdict(list)


@pytest.fixture
def borrow(browser, idle):
    """Open an address in a page, without movements unless they are asked for, with options such as `has_touch`.

    It may neither complain nor ask for what is elsewhere than a place. The script runs before its own.
    """
    borrowed = []

    def new(script, options):
        context = browser.new_context(**options)
        context.add_init_script(script)
        page = context.new_page()
        return page, *watch(page)

    def borrow(script, place, name, viewport, color_scheme, reduced_motion="reduce", **options):
        waiting = idle[script, *options.items()]
        page, *notes = waiting.pop() if waiting else new(script, options)
        borrowed.append((place, waiting, page, *notes))
        page.set_viewport_size(dict(zip(("width", "height"), viewport, strict=True)))
        page.emulate_media(media="screen", color_scheme=color_scheme, reduced_motion=reduced_motion)
        page.goto(place + name, timeout=120_000)
        return page

    yield borrow
    found = []
    for place, waiting, page, complaints, addresses in borrowed:
        leave(page)
        found += complaints + [url for url in addresses if not url.startswith((place, "data:", "blob:"))]
        complaints.clear()
        addresses.clear()
        waiting.append((page, complaints, addresses))
    assert found == []


@pytest.fixture
def show(borrow, tmp_path):
    """Save an explorer as a page and open it."""

    def show(explorer, viewport=(1180, 1000), color_scheme="light", **options):
        file = tmp_path / "explorer.html"
        explorer.save(file)
        return Screen(borrow(SHOW_VALUES, file.as_uri(), "", viewport, color_scheme, **options))

    return show


@pytest.fixture
def visit(borrow):
    """Open a page of the site or of the slides."""
    return partial(borrow, SHOW_PENDING)


def leave(page):
    """Make a page as a new one is: empty, alone in its context, without a hand on it and without memory."""
    for other in page.context.pages:
        if other != page:
            other.close()
    if page.url.startswith("file:"):
        page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.mouse.up()
    page.mouse.move(0, 0)


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """JupyterLab for all notebooks of a worker: their folder, its address, and its token."""
    folder = tmp_path_factory.mktemp("lab")
    with jupyter_lab(folder) as (address, token):
        yield folder, address, token


@pytest.fixture(scope="module")
def run_in_lab(browser, lab):
    """Open a notebook, given as a text, in JupyterLab, and run it."""
    folder, address, token = lab
    opened = []

    def run_in_lab(name, text, width, height):
        (folder / name).write_text(text, encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": height})
        opened.append((page, *watch(page)))
        notebook = Notebook(page, address, token, name)
        notebook.run_all()
        return notebook

    yield run_in_lab
    for page, complaints, addresses in opened:
        page.close()
        assert [
            text for text in complaints if not re.search(r"took [\d.]+ms to activate|too long to activate", text)
        ] == []  # a slow machine
        assert all(url.startswith((address, "data:", "blob:")) for url in addresses)
