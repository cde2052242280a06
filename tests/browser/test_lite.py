"""The course in the browser, in build/lite, as far as that can be proven without a network.

Not proven: that a notebook runs there. NumPy and the others come over the network, as builds for the browser.
"""

import ast
import functools
import http.server
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import threading
import zipfile
from email.parser import Parser
from pathlib import Path

import nbformat
import pytest
from chromium import watch
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from playwright.sync_api import expect
from refresh_notebooks import METADATA

ROOT = Path(__file__).parents[2]
LITE, SITE = ROOT / "build" / "lite", ROOT / "build" / "site"
PYODIDE = Path(sys.prefix, "axe", "node_modules", "pyodide")
pytestmark = pytest.mark.skipif(not LITE.is_dir(), reason="it was not made: run `make lite`")

IN_BROWSER = {"sys_platform": "emscripten", "platform_system": "Emscripten", "python_version": "3.14", "extra": ""}
NOT_IN_BROWSER = {"__main__", "distributed"}  # opening JupyterLab, and dask
TYPES = {".json": "application/json", ".mjs": "text/javascript", ".wasm": "application/wasm"}


@pytest.fixture(scope="module")
def address():
    """Address of a web server for the site."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(LITE))) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_port}/"
        served.shutdown()


@pytest.fixture(scope="module")
def lock():
    """What Pyodide's distribution holds, by name: its entry in the lock file."""
    packages = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))["packages"]
    return {canonicalize_name(package["name"]): package for package in packages.values()}


@pytest.fixture(scope="module")
def bundled():
    """Wheels that the site brings along, by name: metadata and the names that can be imported."""
    wheels = {}
    for path in LITE.rglob("pypi/*.whl"):
        with zipfile.ZipFile(path) as wheel:
            inside = wheel.namelist()
            metadata = next(name for name in inside if name.endswith(".dist-info/METADATA"))
            message = Parser().parsestr(wheel.read(metadata).decode())
        newest = wheels.get(canonicalize_name(message["Name"]))
        if newest is None or newest[0]["Version"] < message["Version"]:
            wheels[canonicalize_name(message["Name"])] = message, {name.split("/")[0] for name in inside}
    return wheels


def imported(source):
    """Name the packages that code imports, from wherever."""
    nodes = list(ast.walk(ast.parse(source)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.split(".")[0] for name in names} - set(sys.stdlib_module_names)


def test_the_lock_file_is_that_of_the_pyodide_which_the_kernel_loads():
    from jupyterlite_pyodide_kernel.constants import PYODIDE_PYTHON_VERSION, PYODIDE_VERSION

    assert json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"] == PYODIDE_VERSION
    assert IN_BROWSER["python_version"] == PYODIDE_PYTHON_VERSION


def test_every_import_is_in_the_distribution_or_among_the_wheels(lock, bundled):
    there = {name for package in lock.values() for name in package["imports"]}
    there |= {name for _, names in bundled.values() for name in names}
    notebooks = sorted((LITE / "files" / "notebooks").glob("*.ipynb"))
    assert [path.name for path in notebooks] == sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    for path in notebooks:
        cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        assert cells[0].source.endswith("%pip install -q bayeslab")
        missing = {name for cell in cells[1:] for name in imported(cell.source)} - there
        assert missing == set(), path.name
    for path in sorted((ROOT / "bayeslab").rglob("*.py")):
        if path.stem not in NOT_IN_BROWSER:
            assert imported(path.read_text("utf-8")) - there == set(), path.name


def test_what_is_installed_is_there_in_a_version_that_is_allowed(lock, bundled):
    """As the first cell and the kernel resolve it: the site's own wheels come first."""
    wanted, seen = [Requirement(name) for name in ("bayeslab", "pyodide-kernel")], set()
    while wanted:
        requirement = wanted.pop()
        name = canonicalize_name(requirement.name)
        if requirement.marker and not requirement.marker.evaluate(IN_BROWSER):
            continue
        assert name in bundled or name in lock, f"{name} would be looked for elsewhere"
        version = bundled[name][0]["Version"] if name in bundled else lock[name]["version"]
        assert requirement.specifier.contains(version), f"{requirement}, but there is {version}"
        if name not in seen:
            seen.add(name)
            depends = bundled[name][0].get_all("Requires-Dist", []) if name in bundled else lock[name]["depends"]
            wanted += map(Requirement, depends)
    assert {"numpy", "scipy", "pandas", "scikit-learn", "matplotlib", "ipywidgets"} <= seen
    assert {path.name.split("-")[0].replace("_", "-") for path in (LITE / "pypi").glob("*.whl")} & set(lock) == set()


def test_without_a_network_a_notebook_can_be_read_and_the_page_says_what_is_missing(browser, address):
    page = browser.new_page()
    _, addresses = watch(page)
    page.goto(f"{address}lab/index.html?path=notebooks/05_lda_versus_qda.ipynb")
    expect(page.locator("#offline")).to_contain_text("you can read the notebooks, but not run them", timeout=60_000)
    expect(page.locator(".jp-NotebookPanel h1").first).to_contain_text("Should the boundary be", timeout=60_000)
    expect(page.locator(".jp-NotebookPanel .jp-OutputArea-output img").first).to_be_attached(timeout=60_000)
    outside = [url for url in addresses if not url.startswith((address, "data:", "blob:"))]
    assert {url.rpartition("/")[2] for url in outside} == {"pyodide.mjs"}
    page.close()


def test_python_starts_from_the_files_of_npm_and_asks_for_what_comes_over_the_network(browser, address):
    context, asked = browser.new_context(), []  # a page alone would not see what its workers ask for

    def answer(route):
        file = PYODIDE / route.request.url.rpartition("/")[2]
        if not file.is_file():
            asked.append(file.name)
            route.abort()
        else:
            kind = TYPES.get(file.suffix, "application/octet-stream")
            route.fulfill(path=file, content_type=kind, headers={"access-control-allow-origin": "*"})

    context.route(re.compile(r"/full/[\w.-]+$"), answer)
    page = context.new_page()
    with page.expect_console_message(lambda message: "Failed to load micropip" in message.text, timeout=120_000):
        page.goto(f"{address}lab/index.html?path=notebooks/00_start_here.ipynb")
    assert [name.split("-")[0] for name in asked] == ["micropip"]
    assert page.locator("#offline").count() == 0
    context.close()


def test_the_pages_of_the_site_lead_to_their_notebooks():
    pages = [path for path in SITE.glob("*.html") if (ROOT / "notebooks" / f"{path.stem}.ipynb").exists()]
    for path in pages:
        links = re.findall(r'href="\.\./lite/(lab/index\.html)\?path=(notebooks/[^"]+)"', path.read_text("utf-8"))
        assert links == [("lab/index.html", f"notebooks/{path.stem}.ipynb")]
        assert (LITE / links[0][0]).is_file()
        assert (LITE / "files" / links[0][1]).is_file()


def test_buttons_for_binder_and_colab_are_there_if_the_repository_is_named(tmp_path, monkeypatch):
    conf = ROOT / "tools" / "classroom" / "site_files" / "conf.py"
    monkeypatch.delenv("REPO", raising=False)
    assert "launch_buttons" not in runpy.run_path(str(conf))["html_theme_options"]
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# A page")], metadata=METADATA)
    nbformat.write(nb, tmp_path / "index.ipynb")
    for needed in (conf, conf.with_name("scorer.js")):
        shutil.copy(needed, tmp_path)
    command = [sys.executable, "-m", "sphinx", "-Q", str(tmp_path), str(tmp_path / "made")]
    subprocess.run(command, check=True, env={**os.environ, "REPO": "owner/name"})
    text = (tmp_path / "made" / "index.html").read_text("utf-8")
    for host in ("mybinder.org/v2/gh", "colab.research.google.com/github"):
        assert re.search(rf'href="https://{host}/owner/name/[^"]*main[^"]*/notebooks/index.ipynb"', text)
