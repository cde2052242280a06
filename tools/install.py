"""Install BayesLab into a virtual environment of its own, once, and then open or test the course.

    python tools/install.py           install only, the course and what its tests need
    python tools/install.py lab       open the course in JupyterLab; the tests' needs are not installed
    python tools/install.py test      check the style, run the tests and every notebook

The same on Linux, macOS and Windows; the Makefile calls it. Needs Python 3.11 or newer, nothing else. What follows the
command goes to the program behind it: `python tools/install.py test tests/core -x`.
"""

# Older versions of Python must be able to read this file, so that they can say that they are too old.

import argparse
import ast
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parents[1]
START = "/lab/tree/notebooks/00_start_here.ipynb"
# JupyterLab would ask at its first start whether to fetch news.
SETTINGS = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}
# What npm installs besides an extra of the package, and for what: axe-core looks for barriers on the explorer's page,
# pyodide is Python in the browser and lists its packages, MathJax sets the formulas of site, slides and questions, and
# reveal.js turns the slides.
EXTRAS = {
    "browser": ("axe", "axe-core@4.14.1 pyodide@314.0.6", "The tests in a browser need"),
    "classroom": ("classroom", "mathjax@3.2.2 reveal.js@6.0.2", "Site, slides and questions need"),
}
# What is pinned, and where: the course with hashes, all the rest by version.
REQUIREMENTS = ("pyproject.toml", "constraints.txt", "requirements.txt")
FAILED = "The installation failed: see the message above; is the network reachable?"
# These would bring other packages into the environment, put ours elsewhere, or change what Python does with them. The
# last three would show figures outside the notebooks, run these with the Python of another installation, and compile
# every library anew at each start: where it is set, as in some container images, an import takes nearly three times as
# long.
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "PYTHONOPTIMIZE", "PYTHONWARNINGS", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT")
FOREIGN += ("MPLBACKEND", "JUPYTER_PATH", "PYTHONDONTWRITEBYTECODE")
# What a Linux system trusts, a proxy's certificate for instance; npm knows only what it brings along.
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
# What pip calls a setting of its own, and in which variable uv looks for it.
UV_NAMES = {"UV_DEFAULT_INDEX": "index-url", "UV_INDEX": "extra-index-url", "SSL_CERT_FILE": "cert"}

# A user's own settings may open JupyterLab in another folder.
LAB = ["python", "-m", "jupyterlab", "--ip=localhost", f"--ServerApp.root_dir={ROOT}", f"--LabApp.default_url={START}"]
LINT = [
    ["python", "-m", "ruff", "check"],
    ["python", "-m", "ruff", "format", "--check"],
    ["python", "tools/check_types.py"],
    ["python", "-c", "import sys; from importlinter.cli import lint_imports as lint; sys.exit(lint(no_cache=True))"],
]
# One worker more than there are cores, because some tests mostly wait; at most four, because of the memory.
WORKERS = min((os.cpu_count() or 1) + 1, 4)
PYTEST = ["python", "-m", "pytest", "--dist", "loadscope"]
IN_BROWSER = [
    ["python", "tests/browser/chromium.py"],  # says what to do where there is none
    # Four workers: a browser spends a quarter of its time waiting for the next frame.
    [*PYTEST, "-n", "4", "tests/browser"],
]
STEPS = {
    "install": [],
    "lab": [LAB],
    "lint": LINT,
    "test": [*LINT, [*PYTEST, "-n", str(WORKERS)]],
    "browser": [],  # installs what the next one needs
    "test-browser": IN_BROWSER,
    "site": [["python", "tools/classroom/site.py"]],
    "guide": [["python", "tools/classroom/questions.py"], ["python", "tools/classroom/guide.py"]],
    "slides": [["python", "tools/classroom/slides.py"]],
    "student": [["python", "tools/classroom/student.py"]],
    "results": [["python", "tools/classroom/results.py"]],
    "questions": [["python", "tools/classroom/questions.py"]],
    "lite": [["python", "tools/classroom/lite.py"]],
}
# Beside the course and the needs of its tests.
NEEDS = {
    "browser": ["browser"],
    "test-browser": ["browser"],
    "site": ["classroom"],
    "guide": ["classroom"],
    "slides": ["classroom"],
    "questions": ["classroom"],
    "lite": ["classroom"],
}


def refuse_old_python(version):
    """Exit with a message where a version of Python is too old."""
    if tuple(version[:2]) < OLDEST:
        found, needed = (".".join(map(str, numbers)) for numbers in (version[:2], OLDEST))
        sys.exit(
            f"BayesLab needs Python {needed} or newer; this one is {found}. Install a newer one from python.org, then "
            "call it by its own name or path, such as python3.13 (with make: PYTHON=/path/to/python3)."
        )


def key_of(root):
    """Hash what is installed: the requirements and the folder, because an installed package knows its place."""
    key = hashlib.sha256(str(root).encode())
    for name in REQUIREMENTS:
        key.update((root / name).read_bytes())
    return key.hexdigest()


def lab_options(is_root, system, environ):
    """List what JupyterLab wants to be told: that root is meant; without a display, there is no browser to open."""
    without_display = system == "linux" and not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
    return ["--allow-root"] * is_root + ["--no-browser"] * without_display


def works(*command):
    """Tell whether a command can be run and succeeds, silently."""
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def shed(environ):
    """Take out of the variables what would break the environment; return the names of what was there."""
    found = [name for name in FOREIGN if environ.pop(name, None)]
    environ["PIP_USER"] = "0"  # pip's own settings may ask for it, too
    return found


def pip_settings(python):
    """Return what pip's files and variables ask for when it installs."""
    listed = subprocess.run(
        [python, "-m", "pip", "config", "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
    )
    settings = {}
    for place in ("global.", "install.", ":env:."):  # the later ones win, as in pip
        for line in listed.stdout.splitlines():
            if line.startswith(place):
                name, _, value = line[len(place) :].partition("=")
                settings[name] = " ".join(ast.literal_eval(value).split())
    return settings


def uv_environ(python):
    """Return the variables with which uv looks for packages where pip does: it reads none of pip's settings."""
    settings = pip_settings(python)
    found = {name: settings[option] for name, option in UV_NAMES.items() if option in settings}
    return {"UV_INDEX_STRATEGY": "unsafe-best-match", **found, **os.environ}


def show_progress(lines, of, out):
    """Say in one line which package pip is at; where nobody watches, only that it goes on to unpack them."""
    watched, count = out.isatty(), 0
    for line in lines:
        words = line.split()
        if words[:1] == ["Collecting"]:
            count += 1
            shown, end = f"  {count}{of}: {words[1]}", ""
        elif count and words[:2] == ["Installing", "collected"]:
            shown, end = f"  unpacking {count} packages ...", "\n"
        else:
            continue
        if watched:
            out.write(f"\r{shown[:79]:<79}{end}")
        elif end:
            out.write(shown + end)
        out.flush()


class Environment:
    """The virtual environment in a folder, with notes in it: made where, and when it was installed last."""

    def __init__(self, folder, root=ROOT, windows=os.name == "nt"):
        self.root, self.folder, self.key = root, root / folder, key_of(root)
        self.python = str(self.folder / ("Scripts/python.exe" if windows else "bin/python"))

    def note(self, name):
        """Return the text of a note, None where there is none."""
        path = self.folder / name
        return path.read_text(encoding="utf-8").strip() if path.is_file() else None

    def write(self, name, text):
        """Write a note."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")

    def make(self):
        """Make it, unless it works and has not been moved: reinstalling into it takes seconds."""
        made_in = self.note(".made-in")
        if made_in == str(self.root) and works(self.python, "-m", "pip", "--version"):
            return
        if self.folder.exists() and made_in is None:
            sys.exit(f"{self.folder} was not made by this program: move it away, or name another folder with --venv.")
        if self.folder.exists():
            print(f"The environment in {self.folder} is broken or was moved: making it anew.", flush=True)
        python = getattr(sys, "_base_executable", sys.executable)  # not that of the environment, should it be ours
        if subprocess.call([python, "-m", "venv", "--clear", str(self.folder)]) != 0:
            shutil.rmtree(self.folder, ignore_errors=True)
            sys.exit(
                f"{python} cannot make a virtual environment: see the message above. Where its venv module is missing, "
                "install it (Debian, Ubuntu: apt install python3-venv)."
            )
        self.write(".made-in", str(self.root))

    def add(self, *arguments, of=""):
        """Install packages with uv, which is faster, or else with pip; exit where that fails."""
        uv = shutil.which("uv")
        if uv:
            command = [uv, "pip", "install", "--python", self.python, *arguments]
            if subprocess.call(command, cwd=str(self.root), env=uv_environ(self.python)) == 0:
                return
            print("uv could not install it: trying pip ...", flush=True)
        settings = pip_settings(self.python)
        for option in ("target", "prefix", "root"):  # our variables could not overrule a file that asks for one
            if settings.get(option):
                sys.exit(
                    f"A settings file of pip asks for {option} = {settings[option]}, so it would install elsewhere. "
                    f"Set PIP_CONFIG_FILE={os.devnull} for this command, or take the line out of the file: "
                    f"pip config debug says which one it is."
                )
        options = ["--no-compile", "--progress-bar=off", "--disable-pip-version-check"]
        command = [self.python, "-m", "pip", "install", *options, *arguments]
        piped = {"stdout": subprocess.PIPE, "encoding": "utf-8", "errors": "replace"}
        with subprocess.Popen(command, cwd=str(self.root), **piped) as process:
            show_progress(process.stdout, of, sys.stdout)
        if process.returncode != 0:
            sys.exit(FAILED + " pip is told to ask no index: pip config debug says where." * ("no-index" in settings))

    def install(self):
        """Install the course, unless that is done."""
        if self.note(".installed") == self.key and works(self.python, "-c", ""):
            return
        if re.search(r"\$[A-Za-z_]|[{}]", str(self.folder)):  # setuptools would take it for a variable
            sys.exit(f"BayesLab cannot be installed below {self.folder}: rename the folder without $, {{ and }}.")
        self.make()
        lines = (self.root / "requirements.txt").read_text(encoding="utf-8").splitlines()
        pins = sum(line[:1].isalpha() for line in lines)  # some are for other systems only
        print(f"Installing BayesLab and what it needs into {self.folder} (once; 550 MB, a few minutes) ...", flush=True)
        self.add("--no-deps", "--require-hashes", "-r", "requirements.txt", of=f" of up to {pins}")
        self.add("--no-deps", "--no-build-isolation", "-e", ".")
        self.write("share/jupyter/lab/settings/overrides.d/bayeslab.json", json.dumps(SETTINGS))
        self.write(".installed", self.key)

    def install_tests(self):
        """Install what the tests and the tools need besides, unless that is done."""
        if self.note(".tests") == self.key:
            return
        print("Installing what the tests need, too (once; half a minute) ...", flush=True)
        self.add("--no-build-isolation", "-e", ".[distributed,test]", "-c", "constraints.txt")
        self.write(".tests", self.key)

    def install_extra(self, extra):
        """Install what some commands need besides, except a browser, unless that is done."""
        folder, packages, purpose = EXTRAS[extra]
        npm = shutil.which("npm")
        if not (shutil.which("node") and npm):
            sys.exit(f"{purpose} Node.js and npm (Debian, Ubuntu: apt install nodejs npm).")
        if self.note(f".{extra}") == f"{self.key} {packages}":
            return
        if os.path.exists(CERTIFICATES):
            os.environ.setdefault("NODE_EXTRA_CA_CERTS", CERTIFICATES)
        quiet = ["--loglevel=error", "--no-fund", "--no-audit", "--no-save", "--no-package-lock"]
        self.add("--no-build-isolation", "-e", f".[{extra}]", "-c", "constraints.txt")
        command = [npm, "install", *quiet, "--prefix", str(self.folder / folder), *packages.split()]
        if subprocess.call(command, cwd=str(self.root)) != 0:
            sys.exit(FAILED)
        # JupyterLab would load the kernel of JupyterLite, and complain; tools/classroom/lite.py finds it here.
        kernel, place = (self.folder / where / "@jupyterlite" for where in ("share/jupyter/labextensions", "lite"))
        if kernel.is_dir():
            shutil.rmtree(str(place), ignore_errors=True)
            place.parent.mkdir(exist_ok=True)
            kernel.rename(place)
        self.write(f".{extra}", f"{self.key} {packages}")

    def run(self, steps):
        """Run commands until one fails; the last one takes over, so that it gets Ctrl-C and signals itself."""
        steps = [[self.python if step[0] == "python" else shutil.which(step[0]), *step[1:]] for step in steps]
        os.chdir(str(self.root))
        for step in steps[:-1]:
            status = subprocess.call(step)
            if status != 0:
                sys.exit(status)
        if os.name != "nt":
            os.execv(steps[-1][0], steps[-1])
        process = subprocess.Popen(steps[-1])  # Windows cannot replace a program
        while True:
            with contextlib.suppress(KeyboardInterrupt):  # JupyterLab asks whether it is meant
                sys.exit(process.wait())


def main():
    """Do what the command line asks for."""
    refuse_old_python(sys.version_info)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--venv", metavar="FOLDER", default=".venv", help="where to install (default: .venv)")
    parser.add_argument("command", nargs="?", choices=list(STEPS), default="install")
    options, further = parser.parse_known_args()
    ignored = shed(os.environ)
    if ignored:
        print(f"Without {', '.join(ignored)}: the environment of BayesLab is its own.", flush=True)
    environment = Environment(options.venv)
    environment.install()
    if options.command != "lab":
        environment.install_tests()
    for extra in NEEDS.get(options.command, []):
        environment.install_extra(extra)
    steps = [list(step) for step in STEPS[options.command]]
    if options.command == "lab":
        steps[-1] += lab_options(hasattr(os, "geteuid") and os.geteuid() == 0, sys.platform, os.environ)
    if steps:
        steps[-1] += further
        environment.run(steps)


if __name__ == "__main__":
    main()
