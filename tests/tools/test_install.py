"""What tools/install.py decides, without installing anything."""

import ast
import contextlib
import io
import json
import os
import re
import shutil
import sys
import tomllib
from pathlib import Path

import install
import pytest


@pytest.fixture
def root(tmp_path):
    """A folder of the course, as far as the installation looks into it."""
    for name in install.REQUIREMENTS:
        shutil.copy(install.ROOT / name, tmp_path)
    return tmp_path


@pytest.fixture
def environment(root):
    return install.Environment(".venv", root)


@pytest.fixture
def programs(monkeypatch):
    """Programs that are found, by name."""
    found = {"node": "/bin/node", "npm": "/bin/npm"}
    monkeypatch.setattr(install.shutil, "which", found.get)
    monkeypatch.setenv("NODE_EXTRA_CA_CERTS", "")  # and deleted: what a test sets is taken back
    monkeypatch.delenv("NODE_EXTRA_CA_CERTS")
    return found


@pytest.fixture
def calls(monkeypatch, environment, programs):
    """Record commands, and the certificates they get, instead of running them; venv makes the folder it shall make."""
    commands, trusted = [], []

    class Pip:
        """What runs beside us, and is read."""

        def __init__(self, command, **_):
            commands.append(command)
            self.stdout, self.returncode = iter(()), calls.status

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

    def call(command, **_):
        commands.append([str(part) for part in command])
        trusted.append(os.environ.get("NODE_EXTRA_CA_CERTS"))
        if "venv" in command:
            environment.folder.mkdir(exist_ok=True)
        return calls.status

    calls = type("Calls", (), {"commands": commands, "trusted": trusted, "status": 0, "settings": {}})
    monkeypatch.setattr(install.subprocess, "call", call)
    monkeypatch.setattr(install.subprocess, "Popen", Pip)
    monkeypatch.setattr(install, "pip_settings", lambda python: calls.settings)
    monkeypatch.setattr(install, "works", lambda *command: environment.folder.exists())
    return calls


def test_the_key_changes_with_the_requirements_and_with_the_folder(root, tmp_path_factory):
    first = install.key_of(root)
    assert install.key_of(root) == first
    moved = shutil.copytree(root, tmp_path_factory.mktemp("moved") / "course")
    assert install.key_of(moved) != first
    for name in install.REQUIREMENTS:
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
    (*_, venv), pins, course = calls.commands
    assert venv == str(environment.folder)
    assert pins[0] == course[0] == environment.python
    assert pins[-4:] == ["--no-deps", "--require-hashes", "-r", "requirements.txt"]
    assert course[-4:] == ["--no-deps", "--no-build-isolation", "-e", "."]  # the pinned builder builds it
    environment.install()
    assert len(calls.commands) == 3
    (environment.root / "constraints.txt").write_text("numpy==2.0\n", encoding="utf-8")  # into the same environment
    install.Environment(".venv", environment.root).install()
    assert ["venv" in command for command in calls.commands] == [True, False, False, False, False]


def test_the_needs_of_the_tests_come_once_and_later(environment, calls):
    for _ in range(2):
        environment.install_tests()
    (pip,) = calls.commands
    assert pip[-4:] == ["-e", ".[distributed,test]", "-c", "constraints.txt"]


@pytest.mark.parametrize(("status", "programs_called"), [(0, ["uv"]), (1, ["uv", "pip"])])
def test_uv_is_asked_first_and_pip_where_it_fails(environment, calls, programs, status, programs_called):
    programs["uv"], calls.status = "uv", status
    with contextlib.suppress(SystemExit):  # pip fails, too
        environment.install_tests()
    assert ["uv" if command[0] == "uv" else command[2] for command in calls.commands] == programs_called
    assert calls.commands[0][:5] == ["uv", "pip", "install", "--python", environment.python]
    assert environment.note(".tests") == (environment.key if status == 0 else None)


def test_pip_is_not_used_where_a_file_sends_it_elsewhere(environment, calls):
    calls.settings = {"target": "/theirs"}
    with pytest.raises(SystemExit, match=r"asks for target = /theirs.* Set PIP_CONFIG_FILE="):
        environment.install_tests()
    assert calls.commands == []


def test_uv_looks_where_pip_does(monkeypatch, tmp_path):
    settings = tmp_path / "pip.conf"
    settings.write_text("[global]\nindex-url = file:///ours\nextra-index-url = file:///a\n  file:///b\n", "utf-8")
    for name in list(os.environ):
        if name.startswith(("PIP_", "UV_", "SSL_CERT_FILE")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    monkeypatch.setenv("PIP_INDEX_URL", "file:///theirs")
    found = install.uv_environ(sys.executable)
    assert (found["UV_DEFAULT_INDEX"], found["UV_INDEX"]) == ("file:///theirs", "file:///a file:///b")
    monkeypatch.setenv("UV_DEFAULT_INDEX", "file:///mine")
    assert install.uv_environ(sys.executable)["UV_DEFAULT_INDEX"] == "file:///mine"


def test_what_would_break_the_environment_is_left_out_and_named():
    environ = {"PYTHONPATH": "/theirs", "MPLBACKEND": "tkagg", "PIP_USER": "1", "PIP_TARGET": "", "HOME": "/home/ada"}
    assert install.shed(environ) == ["PYTHONPATH", "MPLBACKEND"]
    assert environ == {"PIP_USER": "0", "HOME": "/home/ada"}


@pytest.mark.parametrize("watched", [True, False])
def test_pip_shows_how_far_it_is(watched):
    said = ["Collecting numpy==2.4.6 (from -r requirements.txt)\n", "  Downloading numpy.whl (16 MB)\n"]
    said += ["Collecting six==1.17.0\n", "Installing collected packages: six, numpy\n", "Successfully installed\n"]
    out = io.StringIO()
    out.isatty = lambda: watched
    install.show_progress(said, " of up to 127", out)
    lines = [line.strip() for line in re.split(r"[\r\n]", out.getvalue()) if line.strip()]
    packages = ["1 of up to 127: numpy==2.4.6", "2 of up to 127: six==1.17.0"]
    assert lines == [*(packages if watched else []), "unpacking 2 packages ..."]


def test_a_folder_that_setuptools_would_take_for_a_variable_is_refused(tmp_path):
    environment = install.Environment(".venv")
    environment.folder = tmp_path / "a$x" / ".venv"
    with pytest.raises(SystemExit, match=r"a\$x/\.venv: rename the folder"):
        environment.install()
    assert not environment.folder.exists()


def test_a_moved_environment_is_made_anew(environment, calls, capsys):
    environment.write(".made-in", "/elsewhere")
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


@pytest.mark.parametrize("missing", ["node", "npm"])
@pytest.mark.parametrize("extra", install.EXTRAS)
def test_without_node_or_npm_nothing_is_fetched(environment, calls, programs, extra, missing):
    del programs[missing]
    with pytest.raises(SystemExit, match=r"needs? Node\.js and npm .*apt install nodejs npm"):
        environment.install_extra(extra)
    assert calls.commands == []


@pytest.mark.parametrize("extra", install.EXTRAS)
def test_an_extra_is_installed_once_from_pip_and_npm(environment, calls, programs, extra):
    environment.install_extra(extra)
    pip, npm = calls.commands
    assert pip[:4] == [environment.python, "-m", "pip", "install"]
    assert pip[-4:] == ["-e", f".[{extra}]", "-c", "constraints.txt"]
    assert npm[:2] == [programs["npm"], "install"]
    folder, packages, _ = install.EXTRAS[extra]
    place = npm.index("--prefix") + 1
    assert npm[place] == str(environment.folder / folder)
    assert npm[place + 1 :] == packages.split()
    assert all(re.fullmatch(r"[\w.-]+@\d+\.\d+\.\d+", package) for package in npm[place + 1 :])
    environment.install_extra(extra)
    assert len(calls.commands) == 2


@pytest.mark.parametrize("extra", install.EXTRAS)
def test_another_pin_is_installed_over_the_first(monkeypatch, environment, calls, programs, extra):
    environment.install_extra(extra)
    folder, packages, purpose = install.EXTRAS[extra]
    monkeypatch.setitem(install.EXTRAS, extra, (folder, f"{packages}-rc.1", purpose))
    environment.install_extra(extra)
    assert calls.commands[-1][-1].endswith("-rc.1")
    assert len(calls.commands) == 4


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("before", [None, "/their/own.pem"])
def test_npm_trusts_what_the_system_trusts(monkeypatch, tmp_path, environment, calls, programs, there, before):
    """Where the system has certificates, and unless the user has named others."""
    certificates = tmp_path / "system.pem"
    if there:
        certificates.touch()
    monkeypatch.setattr(install, "CERTIFICATES", str(certificates))
    if before:
        monkeypatch.setenv("NODE_EXTRA_CA_CERTS", before)
    environment.install_extra("browser")
    *_, npm = calls.trusted
    assert npm == (before or (str(certificates) if there else None))


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
