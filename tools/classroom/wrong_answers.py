"""The sentences that the checks of the exercises have for wrong answers, read from their code."""

import ast
from pathlib import Path

CHECKS = Path(__file__).resolve().parents[2] / "bayeslab" / "checks"


def known(number):
    """Return, for each exercise of the notebook with this number, what its check can say, as a dict of lists."""
    tree = ast.parse((CHECKS / f"ch{number:02}.py").read_text(encoding="utf-8"))
    parts = {name: node for node in tree.body for name in _names(node)}
    exercises = {}
    for node in parts.values():
        for decorator in getattr(node, "decorator_list", []):
            reader = _Reader()
            for part in _reached(node, parts):
                reader.visit(part)
            exercises[decorator.args[0].value] = list(dict.fromkeys(reader.sentences))
    return exercises


def _names(node):
    """Names that a statement of the module binds: those of a function, or of what is assigned."""
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    return [target.id for target in getattr(node, "targets", []) if isinstance(target, ast.Name)]


def _reached(node, parts):
    """List a part of the module and all others that it uses, directly or not, in the order of their first use."""
    found = [node]
    for part in found:
        names = [each.id for each in ast.walk(part) if isinstance(each, ast.Name) and each.id in parts]
        found += [parts[name] for name in dict.fromkeys(names) if parts[name] not in found]
    return found


class _Reader(ast.NodeVisitor):
    """Collect the texts of some code that are sentences to a student; … stands for what only an answer can fill in."""

    def __init__(self):
        self.sentences = []

    def visit_FunctionDef(self, node):
        for part in [*node.decorator_list, *node.body[ast.get_docstring(node) is not None :]]:
            self.visit(part)

    def visit_JoinedStr(self, node):
        self.take("".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values))

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            self.take(node.value.replace("{}", "…"))

    def take(self, text):
        if " " in text and text.endswith((".", "?", ":")):
            self.sentences.append(text)
