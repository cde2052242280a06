"""The package as a whole: its names, its version, and the archives built from it."""

import os
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
def built(tmp_path_factory):
    """Build both archives from a copy of what git knows, so that nothing left from an earlier build gets into them."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("target")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, source)
    folder = str(target)
    program = f"from setuptools.build_meta import *; build_sdist({folder!r}); build_wheel({folder!r})"
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, cwd=source)
    return target


def test_the_source_archive_holds_all_that_its_tests_need(built):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        held = {name.partition("/")[2] for name in opened.getnames()}
    parts = [path for name in FOLDERS for path in (ROOT / name).rglob("*.*") if path.is_file()]
    needed = {path.relative_to(ROOT).as_posix() for path in parts}
    needed |= {"CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "conftest.py"}
    needed |= {"constraints.txt", "environment.yml"}
    assert {name for name in needed - held if "__pycache__" not in name and ".ipynb_checkpoints" not in name} == set()


def test_the_wheel_holds_the_data_their_licences_and_the_style(built, tmp_path):
    (wheel,) = built.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path)
    licences = {path.name for path in tmp_path.glob("*.dist-info/licenses/**/*") if path.is_file()}
    assert licences == {"LICENSE", "README.md"}
    assert (tmp_path / "bayeslab/py.typed").is_file()
    assert "CC0" in (tmp_path / "bayeslab/data/README.md").read_text("utf-8")
    program = (
        f"import bayeslab, matplotlib.style; assert bayeslab.__file__.startswith({str(tmp_path)!r}); "
        "matplotlib.style.use('bayeslab.bayeslab'); from bayeslab.checks import check; "
        "from bayeslab.explore import BoundaryExplorer; "  # which is made of files that are not Python's
        "sets = 'iris', 'penguins', 'digits', 'austen', 'spambase', 'mnist5k'; "
        "print(*(getattr(bayeslab, f'load_{name}')().X.shape for name in sets))"
    )
    run = [sys.executable, "-c", program]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(run, check=True, capture_output=True, text=True, cwd=tmp_path, env=env)
    assert done.stdout.strip() == "(150, 4) (342, 4) (1797, 64) (269, 1000) (4601, 57) (5000, 784)"
