"""The package as a whole: its names, its version, and the archives built from it."""

import importlib.util
import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import setuptools
import yaml
from classroom import student

import bayeslab
from bayeslab import __main__

ROOT = Path(__file__).parents[2]
FOLDERS = ("bayeslab", "data", "notebooks", "tests", "tools")


def test_make_help_names_every_command():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    groups = re.search(r"^GROUPS = (.*?)\n\n", makefile, re.MULTILINE | re.DOTALL)[1].replace("\\\n", "")
    listed = [name for group in groups.split() for name in group.partition(":")[2].split(",")]
    assert sorted(listed) == sorted(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))


def test_every_public_name_is_there_and_documented():
    for name in bayeslab.__all__:
        assert getattr(bayeslab, name).__doc__, name


def test_the_version_is_the_same_wherever_it_stands():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version, date = re.search(r"^## \[(.+)\] - (.+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE).groups()
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert bayeslab.__version__ == project["version"] == version == citation["version"]
    assert str(citation["date-released"]) == date


@pytest.mark.parametrize("repository", ["", "owner/name"])
def test_an_index_shows_no_link_that_leads_nowhere(monkeypatch, tmp_path, repository):
    """Without an address of the project there are none, and none is made up."""
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    settings = re.sub(r'(?m)^repository = ".*"', f'repository = "{repository}"', settings)
    (tmp_path / "pyproject.toml").write_text(settings, "utf-8")
    page = "[A](#a), [home](https://x.org), [00](notebooks/00.ipynb)\n\n![plot](a.png)\n"
    (tmp_path / "README.md").write_text(page, "utf-8")
    given = {}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(setuptools, "setup", lambda **options: given.update(options))
    runpy.run_path(str(ROOT / "setup.py"))
    home, tag = "https://github.com/owner/name", f"v{bayeslab.__version__}"
    links = f"[00]({home}/blob/{tag}/notebooks/00.ipynb)\n\n![plot]({home}/raw/{tag}/a.png)" if repository else "00"
    assert given["long_description"].rstrip() == f"[A](#a), [home](https://x.org), {links}"
    assert given["project_urls"].get("Homepage") == (home if repository else None)


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
    needed |= {"constraints.txt", "environment.yml", "requirements.txt", "setup.py"}
    assert {name for name in needed - held if "__pycache__" not in name and ".ipynb_checkpoints" not in name} == set()


@pytest.fixture(scope="module")
def unpacked(built, tmp_path_factory):
    """Unpack the wheel, as an installation does."""
    (wheel,) = built.glob("*.whl")
    folder = tmp_path_factory.mktemp("unpacked")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


USED = """
import sys
from pathlib import Path
import matplotlib.style
import bayeslab
from bayeslab.__main__ import copy_course
from bayeslab.checks import check
from bayeslab.explore import BoundaryExplorer  # which is made of files that are not Python's
matplotlib.style.use("bayeslab.bayeslab")
sets = "iris", "penguins", "digits", "austen", "spambase", "mnist5k"
print(bayeslab.__file__, *(getattr(bayeslab, f"load_{name}")().X.shape for name in sets), sep="\\n")
course = Path(sys.argv[1])
copy_course(course)
(course / "notebooks" / "00_start_here.ipynb").write_text("mine")
copy_course(course)
"""


@pytest.fixture(scope="module")
def used(unpacked, tmp_path_factory):
    """Use the wheel in a process of its own, and copy its course twice; return what was said, and the course."""
    course, env = tmp_path_factory.mktemp("use") / "course", {**os.environ, "PYTHONPATH": str(unpacked)}
    command = [sys.executable, "-c", USED, str(course)]
    return subprocess.run(command, capture_output=True, text=True, cwd=unpacked, env=env), course


def test_the_wheel_holds_the_data_their_licences_and_the_style(unpacked, used):
    licences = {path.name for path in unpacked.glob("*.dist-info/licenses/**/*") if path.is_file()}
    assert licences == {"LICENSE", "README.md", "CC-BY-4.0.txt", "CC-BY-SA-3.0.txt", "CC0-1.0.txt"}
    assert (unpacked / "bayeslab/py.typed").is_file()
    assert "CC0" in (unpacked / "bayeslab/data/README.md").read_text("utf-8")
    notice = "Permission to use, copy, modify, and/or distribute this software"
    assert notice in (unpacked / "bayeslab/explore/js/vendor/d3_dsv.js").read_text("utf-8")
    place, *shapes = used[0].stdout.splitlines()
    assert place.startswith(str(unpacked))
    assert shapes == ["(150, 4)", "(342, 4)", "(1797, 64)", "(269, 1000)", "(4601, 57)", "(5000, 784)"]


def test_the_course_in_the_wheel_is_copied_and_never_overwritten(used):
    done, course = used
    assert "Nothing is overwritten" in done.stderr
    mine = Path("notebooks") / "00_start_here.ipynb"
    assert (course / mine).read_text() == "mine"
    copied = [path.relative_to(course) for path in course.rglob("*") if path.is_file()]
    notebooks = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {path.name for path in copied if path.suffix == ".ipynb"} == notebooks | {"own_data.ipynb"}
    assert {"iris.csv", "README.md", "explorer.png"} <= {path.name for path in copied}
    assert [path for path in copied if (course / path).read_bytes() != (ROOT / path).read_bytes()] == [mine]


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """Record how JupyterLab is opened, instead of opening it; the folder has a space in its name."""
    commands = []
    monkeypatch.setattr(subprocess, "call", lambda command: commands.append(command) or 0)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["bayeslab", "my course", "--student"])
    return commands


def test_the_command_opens_the_first_notebook_of_a_copy_for_students(opened, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "tkagg")
    assert __main__.main() == 0
    assert "MPLBACKEND" not in os.environ  # figures would appear elsewhere
    (command,) = opened
    course, start = tmp_path / "my course", tmp_path / "my course" / "notebooks" / "00_start_here.ipynb"
    address = "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb"
    assert command[:5] == [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={course}", address]
    assert f"-m bayeslab '{course}'" in capsys.readouterr().out
    held = student.files()
    for path in start.parent.glob("*.ipynb"):
        assert path.read_text("utf-8").rstrip() == held[f"notebooks/{path.name}"].decode().rstrip()
    start.write_text("mine", "utf-8")
    assert __main__.main() == 0  # the copy is opened as it is
    assert opened == [command] * 2
    assert start.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ("my course/thesis.tex", "it holds 'thesis.tex'. Nothing is overwritten: empty it, or name a new folder"),
        ("my course/data/iris.csv", "has no notebooks/00_start_here.ipynb"),  # a copy that was stopped
        ("my course", "is a file: name a new folder"),
    ],
)
def test_a_folder_of_somebody_elses_is_left_alone(opened, tmp_path, capsys, there, said):
    (tmp_path / there).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / there).touch()
    with pytest.raises(SystemExit):
        __main__.main()
    assert said in capsys.readouterr().err
    assert opened == []


def test_a_copy_that_was_stopped_can_be_tried_again(opened, monkeypatch, tmp_path, capsys):
    def fail(*arguments, **options):
        raise OSError(28, "No space left on device", "notebooks")

    with monkeypatch.context() as full:
        full.setattr(Path, "write_text", fail)
        with pytest.raises(SystemExit):
            __main__.main()
    assert "my course cannot be made: No space left on device" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert __main__.main() == 0


@pytest.mark.parametrize(("user", "display"), [(0, ""), (1000, ":0")])
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is a display")
def test_jupyterlab_is_told_of_root_and_of_a_missing_display(opened, monkeypatch, user, display):
    monkeypatch.setattr(__main__, "copy_course", lambda *_: None)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    __main__.main()
    assert opened[0][5:] == ([] if display else ["--allow-root", "--no-browser"])


def test_python_m_bayeslab_says_what_to_install(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["bayeslab", str(tmp_path / "course")])
    with pytest.raises(SystemExit):
        __main__.main()
    assert "-m pip install jupyterlab" in capsys.readouterr().err
    assert not (tmp_path / "course").exists()
