"""The package as a whole: its names, its version, and the archives built from it."""

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import bayeslab

ROOT = Path(__file__).parents[2]
FOLDERS = ("bayeslab", "data", "notebooks", "tests", "tools")


def test_every_public_name_is_there_and_documented():
    for name in bayeslab.__all__:
        assert getattr(bayeslab, name).__doc__, name


def test_the_version_is_the_same_wherever_it_stands():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version, date = re.search(r"^## \[(.+)\] - (.+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE).groups()
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert bayeslab.__version__ == project["version"] == version == citation["version"]
    assert str(citation["date-released"]) == date


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
        "CHANGELOG.md",
        "CITATION.cff",
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
    assert (target / "bayeslab/py.typed").is_file()
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
