"""From ES modules to one text: what a widget sends to the browser, and what a saved page holds."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

MODULES = Path(__file__).parent / "js"
STYLES = Path(__file__).parent / "css"

# As our modules write them: an import stands on a line of its own, or on several, and names what it takes.
_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]*)";\n', re.MULTILINE)
_DEFINED = re.compile(r"^(?:export )?(?:async )?(?:const|let|class|function) (\w+)", re.MULTILINE)


@cache
def bundle(entry: str, folder: Path = MODULES) -> str:
    """Return a module and all that it imports as one, each after those that it needs, comments and all.

    The modules then share one scope: names defined at the top must differ, also those that are not exported.
    """
    texts: dict[Path, str] = {}
    _gather((folder / entry).resolve(), texts)
    homes: dict[str, Path] = {}
    for path, text in texts.items():
        for name in _DEFINED.findall(text):
            if name in homes:
                raise ValueError(f"{path.name} defines {name}, and so does {homes[name].name}: rename one of them")
            homes[name] = path
    bodies = (_IMPORT.sub("", text) for text in texts.values())
    text = "\n".join(re.sub(r"(?m)^export (?!default)", "", body) for body in bodies)
    return re.sub(r"(?m)^( *// .*?) \.{9,}$", r"\1", text)  # a heading keeps its words, and not its line of dots


def _gather(path: Path, texts: dict[Path, str], importers: tuple[Path, ...] = ()) -> None:
    """Put the text of a module after those of all that it imports."""
    if path in importers:
        raise ValueError(f"{path.name} imports itself, by way of {importers[-1].name}: modules need an order")
    if path in texts:
        return
    text = path.read_text("utf-8")
    for relative in _IMPORT.findall(text):
        _gather((path.parent / relative).resolve(), texts, (*importers, path))
    texts[path] = text


@cache
def styles(*names: str) -> str:
    """Return style sheets as one, the first of them first."""
    return "\n".join((STYLES / name).read_text("utf-8") for name in names)


def constants(name: str) -> dict[str, Any]:
    """Return the constants of a module whose values are written as JSON."""
    found = re.findall(r"(?ms)^export const (\w+) = (.*?);$", (MODULES / name).read_text("utf-8"))
    return {constant: json.loads(value) for constant, value in found}
