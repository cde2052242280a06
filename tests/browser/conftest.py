"""A browser for all tests, and saved pages that must end without a complaint and without a connection."""

import pytest
from chromium import chromium, watch
from screen import SHOW_VALUES, Screen


@pytest.fixture(scope="session")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture
def show(browser, tmp_path):
    """Save an explorer as a page and open it, with options of the context such as `color_scheme`."""
    opened = []

    def show(explorer, viewport=(1180, 1000), **options):
        file = tmp_path / "explorer.html"
        explorer.save(file)
        context = browser.new_context(viewport=dict(zip(("width", "height"), viewport, strict=True)), **options)
        context.add_init_script(SHOW_VALUES)
        page = context.new_page()
        opened.append((context, *watch(page)))
        page.goto(file.as_uri())
        return Screen(page)

    yield show
    for context, complaints, addresses in opened:
        context.close()
        assert complaints == []
        asked = [address for address in addresses if not address.startswith("blob:")]  # the script that it unpacked
        assert asked == [(tmp_path / "explorer.html").as_uri()]
