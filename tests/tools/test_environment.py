"""pyproject.toml, constraints.txt, requirements.txt and environment.yml say the same."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, BUILD = SETTINGS["project"], SETTINGS["build-system"]
CONSTRAINTS = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))["dependencies"]
PINNED = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in CONSTRAINTS)}
HASHED = (ROOT / "requirements.txt").read_text("utf-8")
GROUPS = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
DIRECT = [Requirement(text) for group in GROUPS for text in group]


def test_constraints_are_bare_pins_each_named_once():
    assert [line for line in CONSTRAINTS if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    assert len(PINNED) == len(CONSTRAINTS)


@pytest.mark.parametrize("requirement", DIRECT, ids=lambda r: r.name)
def test_direct_dependency_is_pinned_within_its_bounds(requirement):
    assert requirement.specifier.contains(PINNED[canonicalize_name(requirement.name)])


def test_the_course_is_pinned_with_hashes_and_by_the_same_versions():
    """`make pins` makes it; whatever else an installer might take is refused."""
    parts = re.split(r"\n(?=\w)", HASHED.strip())
    hashed_pin = re.compile(r"([\w.-]+)==(\S+)(?: ; [^\n]+?)?(?: \\\n +--hash=sha256:[0-9a-f]{64})+")
    pins = [hashed_pin.fullmatch(part) for part in parts]
    assert [part for part, pin in zip(parts, pins, strict=True) if pin is None] == []
    hashed = {canonicalize_name(pin[1]): pin[2] for pin in pins}
    assert {name: PINNED[name] for name in hashed} == hashed
    needed = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["course"], *BUILD["requires"]]
    assert {canonicalize_name(Requirement(text).name) for text in needed} <= set(hashed)


def test_the_guide_for_contributors_says_what_each_dependency_is_for():
    rows = re.findall(r"(?m)^\| ([a-z][\w, -]+) \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    assert {requirement.name for requirement in DIRECT} <= {name for row in rows for name in row.split(", ")}


def test_conda_takes_python_alone_and_the_rest_as_pinned():
    # Only Python and pip come from conda: a package pinned twice would drift apart.
    python, pip, packages = CONDA
    assert SpecifierSet(PROJECT["requires-python"]).contains(python.removeprefix("python="))
    assert pip == "pip"
    assert packages == {"pip": ["-c constraints.txt", "-e .[course]"]}
