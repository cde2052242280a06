"""The package as a whole: its names, its layers, its sizes, and the wheel."""

import ast
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

import bayeslab

ROOT = Path(__file__).parents[2]
FOLDERS = ("bayeslab", "data", "notebooks", "tests", "tools")
SOURCES = sorted((ROOT / "bayeslab").rglob("*.py"))
TESTS = sorted(path for name in ("tests", "tools") for path in (ROOT / name).rglob("*.py"))


def test_every_public_name_is_there_and_documented():
    for name in bayeslab.__all__:
        assert getattr(bayeslab, name).__doc__, name


def test_the_version_is_that_of_pyproject():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert bayeslab.__version__ == project["version"]


def lines_of_code(path):
    """Count the lines that hold code: no blank lines, comments or docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    spoken = {line for text in texts for line in range(text.lineno, text.end_lineno + 1)}
    numbered = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return sum(bool(line.strip()) and line.strip()[0] != "#" and n not in spoken for n, line in numbered)


@pytest.mark.parametrize("path", [*SOURCES, *TESTS], ids=lambda path: path.name)
def test_a_file_can_be_read_in_one_sitting(path):
    """About 200 lines of code; where a file wants more, it wants another name."""
    assert lines_of_code(path) <= 220


def test_a_file_imports_only_from_those_above_it():
    """In the order that CONTRIBUTING.md gives; `checks/` and `explore/` are leaves that may import them all."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    order = re.search(r"only from files before it in this order.*?come last", " ".join(text.split()))[0]
    layers = re.findall(r"`([\w/]+)`", order)
    package = ROOT / "bayeslab"
    files = [*package.glob("*.py"), *(package / "_machinery").glob("*.py")]
    found = {path.relative_to(package).with_suffix("").as_posix() for path in files if path.stem != "__init__"}
    assert found == set(layers) - {"checks/", "explore/"}
    for position, layer in enumerate(layers):
        if layer.endswith("/"):
            continue
        tree = ast.parse((package / f"{layer}.py").read_text(encoding="utf-8"))
        modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
        ours = {m.removeprefix("bayeslab.").replace(".", "/") for m in modules if m.startswith("bayeslab.")}
        assert ours <= set(layers[:position]), layer


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """Copy of what git knows, so that nothing left from an earlier build gets into an archive."""
    folder = tmp_path_factory.mktemp("source")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    return folder


def test_the_source_archive_holds_all_that_its_tests_need(source, tmp_path):
    program = f"from setuptools.build_meta import build_sdist; build_sdist({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, cwd=source)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        held = {name.partition("/")[2] for name in opened.getnames()}
    parts = [
        path for name in ("bayeslab", "data", "notebooks", "tests", "tools") for path in (ROOT / name).rglob("*.*")
    ]
    needed = {path.relative_to(ROOT).as_posix() for path in parts if path.is_file()}
    needed |= {
        "CONTRIBUTING.md",
        "LICENSE",
        "Makefile",
        "README.md",
        "conftest.py",
        "constraints.txt",
        "environment.yml",
    }
    assert {name for name in needed - held if "__pycache__" not in name and ".ipynb_checkpoints" not in name} == set()


def test_the_wheel_holds_the_data_their_licences_and_the_style(source, tmp_path):
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        tmp_path,
        source,
    ]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    target = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(target)
    assert {path.name for path in target.glob("*.dist-info/licenses/**/*") if path.is_file()} == {
        "LICENSE",
        "README.md",
    }
    assert "CC0" in (target / "bayeslab/data/README.md").read_text("utf-8")
    program = (
        f"import bayeslab, matplotlib.style; assert bayeslab.__file__.startswith({str(target)!r}); "
        "matplotlib.style.use('bayeslab.bayeslab'); from bayeslab.checks import check; "
        "from bayeslab.explore import BoundaryExplorer; "  # which is made of files that are not Python's
        "print(bayeslab.load_iris().X.shape, bayeslab.load_penguins().X.shape, bayeslab.load_digits().X.shape, "
        "bayeslab.load_austen().X.shape, bayeslab.load_spambase().X.shape, bayeslab.load_mnist5k().X.shape)"
    )
    run = [sys.executable, "-c", program]
    done = subprocess.run(run, check=True, capture_output=True, text=True, cwd=target)
    assert done.stdout.strip() == "(150, 4) (342, 4) (1797, 64) (269, 1000) (4601, 57) (5000, 784)"


def hops(call) -> int:
    """Count how often consecutive calls of functions of the package are in different files."""
    package, files = str(ROOT / "bayeslab"), []

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(package):
            files.append(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return sum(a != b for a, b in pairwise(files))


def test_a_reader_who_follows_fit_and_predict_does_not_zigzag_between_files():
    iris, classifier = bayeslab.load_iris(), bayeslab.GaussianClassifier()
    classifier.fit(iris.X, iris.y)  # what is imported or cached at the first call does not count
    assert hops(lambda: classifier.fit(iris.X, iris.y)) <= 20
    classifier.predict(iris.X[:5])
    assert hops(lambda: classifier.predict(iris.X[:5])) <= 8
