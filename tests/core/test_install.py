"""What tools/install.py decides, without installing anything."""

import ast
import json
import shutil
import sys
import tomllib
from pathlib import Path

import install
import pytest


@pytest.fixture
def root(tmp_path):
    """A folder of the course, as far as the installation looks into it."""
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(install.ROOT / name, tmp_path)
    return tmp_path


@pytest.fixture
def environment(root):
    return install.Environment(".venv", root)


@pytest.fixture
def calls(monkeypatch, environment):
    """Record commands instead of running them; the one that makes an environment makes its folder."""
    commands = []

    def call(command, **_):
        commands.append([str(part) for part in command])
        if "venv" in command:
            environment.folder.mkdir(exist_ok=True)
        return calls.status

    calls = type("Calls", (), {"commands": commands, "status": 0})
    monkeypatch.setattr(install.subprocess, "call", call)
    monkeypatch.setattr(install, "works", lambda *command: environment.folder.exists())
    return calls


def made_elsewhere(environment):
    environment.write(".made-in", "/elsewhere")


def test_the_key_changes_with_the_requirements_and_with_the_folder(root, tmp_path_factory):
    first = install.key_of(root)
    assert install.key_of(root) == first
    moved = shutil.copytree(root, tmp_path_factory.mktemp("moved") / "course")
    assert install.key_of(moved) != first
    for name in ("pyproject.toml", "constraints.txt"):
        before = install.key_of(root)
        with (root / name).open("a", encoding="utf-8") as file:
            file.write("# changed\n")
        assert install.key_of(root) != before


@pytest.mark.parametrize("version", [(3, 6, 15), (3, 10, 13), (2, 7)])
def test_too_old_a_python_is_told(version):
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer; this one is \d"):
        install.refuse_old_python(version)


def test_an_old_python_can_read_that_it_is_too_old():
    tree = ast.parse(Path(install.__file__).read_text(encoding="utf-8"), feature_version=(3, 7))
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or node.names[0].name for node in imports}
    assert names <= sys.stdlib_module_names


def test_the_oldest_python_is_that_of_the_package():
    project = tomllib.loads((install.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">={}.{}".format(*install.OLDEST)
    install.refuse_old_python((*install.OLDEST, 0))


def test_an_environment_of_a_foreign_maker_is_refused(environment, calls):
    environment.write("theirs", "precious")
    with pytest.raises(SystemExit, match="was not made by this program"):
        environment.install()
    assert environment.note("theirs") == "precious"
    assert calls.commands == []


def test_a_new_environment_is_made_once_and_filled_once(environment, calls):
    environment.install()
    (*_, venv), pip = calls.commands
    assert venv == str(environment.folder)
    assert pip[0] == environment.python
    assert pip[-4:] == ["-e", ".[course,distributed,test]", "-c", "constraints.txt"]
    environment.install()
    assert len(calls.commands) == 2


def test_new_requirements_are_installed_into_the_same_environment(root, environment, calls):
    environment.install()
    (root / "constraints.txt").write_text("numpy==2.0\n", encoding="utf-8")
    install.Environment(".venv", root).install()
    assert ["venv" in command for command in calls.commands] == [True, False, False]


def test_a_moved_environment_is_made_anew(environment, calls, capsys):
    made_elsewhere(environment)
    environment.install()
    assert "venv" in calls.commands[0]
    assert "making it anew" in capsys.readouterr().out


def test_a_missing_venv_module_is_told_and_nothing_is_left(environment, calls):
    calls.status = 1
    with pytest.raises(SystemExit, match="apt install python3-venv"):
        environment.install()
    assert not environment.folder.exists()


def test_a_failing_network_is_told_and_tried_again(environment, calls):
    environment.write(".made-in", str(environment.root))
    for attempt in (1, 2):
        calls.status = 1
        with pytest.raises(SystemExit, match="is the network reachable"):
            environment.install()
        assert len(calls.commands) == attempt
    assert environment.note(".installed") is None


def test_windows_has_its_python_elsewhere(root):
    assert Path(install.Environment(".venv", root, windows=True).python).parts[-2:] == ("Scripts", "python.exe")
    assert Path(install.Environment(".venv", root, windows=False).python).parts[-2:] == ("bin", "python")


@pytest.mark.parametrize(
    ("is_root", "system", "environ", "options"),
    [
        (False, "linux", {"DISPLAY": ":0"}, []),
        (False, "linux", {"WAYLAND_DISPLAY": "wayland-0"}, []),
        (True, "linux", {}, ["--allow-root", "--no-browser"]),
        (False, "darwin", {}, []),
        (False, "win32", {}, []),
    ],
)
def test_jupyterlab_is_told_about_root_and_displays(is_root, system, environ, options):
    assert install.lab_options(is_root, system, environ) == options


def test_jupyterlab_knows_the_settings(environment, calls):
    """That it then asks nothing, a test in a browser sees."""
    environment.install()
    (file,) = (environment.folder / "share/jupyter/lab/settings").rglob("*.json")
    ((name, values),) = json.loads(file.read_text(encoding="utf-8")).items()
    schema = Path(sys.prefix, "share/jupyter/lab/schemas", *f"{name}.json".replace(":", "/").split("/"))
    properties = json.loads(schema.read_text(encoding="utf-8"))["properties"]
    choices = properties["fetchNews"].get("oneOf") or [{"const": each} for each in properties["fetchNews"]["enum"]]
    allowed = [choice["const"] for choice in choices]
    assert values["fetchNews"] in allowed
    assert properties["checkForUpdates"]["type"] == "boolean"
    assert values["checkForUpdates"] is False
