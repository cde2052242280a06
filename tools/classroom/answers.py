"""The code of an answer: which cells hold it, what it needs, and whether two students wrote the same."""

import ast
import symtable
import warnings
from copy import copy

LONGEST = 20_000  # characters; what is longer is compared as text
STATEMENTS = (ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.For, ast.With)
BLOCKS = (ast.For, ast.While, ast.If, ast.With, ast.Try)


def _tree(source):
    """Return a syntax tree, or None of what is too long or not Python: magics, a slip, something made to crash us."""
    if len(source) > LONGEST:
        return None
    with warnings.catch_warnings(action="ignore"):  # students write "\d", too
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _bound(tree):
    """Return the names that a cell binds, wherever in it."""
    names = {alias.asname or alias.name.partition(".")[0] for alias in _all(tree, ast.alias)}
    names |= {node.name for node in _all(tree, ast.FunctionDef | ast.ClassDef)}
    return names | {node.id for node in _all(tree, ast.Name) if isinstance(node.ctx, ast.Store)}


def _all(tree, kind):
    return (node for node in ast.walk(tree) if isinstance(node, kind))


def _changed(tree):
    """Return the names of objects that a cell may change: whose methods it calls, or of which it sets a part."""
    parts = [node.func for node in _all(tree, ast.Call) if isinstance(node.func, ast.Attribute)]
    parts += [node for node in _all(tree, ast.Attribute | ast.Subscript) if isinstance(node.ctx, ast.Store | ast.Del)]
    return set().union(*map(_root, parts))


def _root(part):
    """Return the name of the object that an expression is a part of, or is, as a set; none of another expression."""
    while isinstance(part, ast.Attribute | ast.Subscript):
        part = part.value
    return {part.id} if isinstance(part, ast.Name) else set()


def names_told(body):
    """Return the names that statements take from those above, those that their functions look up, and those bound."""
    asks, binds, later = set(), set(), set()
    for statement in body:
        head, blocks = _opened(statement) if isinstance(statement, BLOCKS) else (statement, [])
        table = symtable.symtable(ast.unparse(head), "", "exec")
        here, inner = {each.get_name() for each in table.get_symbols() if each.is_referenced()}, [*table.get_children()]
        for scope in inner:  # grows
            inner += scope.get_children()
            called = {each.get_name() for each in scope.get_symbols() if each.is_global()}
            if isinstance(statement, ast.FunctionDef):
                later |= called  # when it is called, which may be after cells below
            else:
                here |= called
        here |= {node.target.id for node in _all(head, ast.AugAssign) if isinstance(node.target, ast.Name)}
        for block in blocks:
            asks_there, later_there, _ = names_told(block)
            here |= asks_there - _bound(head)
            later |= later_there
        asks |= here - binds
        if not isinstance(statement, ast.If | ast.Try | ast.While):  # those may not bind it
            binds |= _bound(statement) if isinstance(statement, STATEMENTS) else set()
    return asks, later - binds, binds


def _opened(statement):
    """Return a statement that holds others without them, and the blocks that it holds."""
    head, blocks = copy(statement), []
    for name in ("body", "orelse", "finalbody"):
        blocks += filter(None, [getattr(statement, name, None)])
        setattr(head, name, [ast.Pass()] if name == "body" else [])
    if isinstance(statement, ast.Try):
        blocks += [handler.body for handler in statement.handlers]
        head.handlers = [ast.ExceptHandler(each.type, each.name, [ast.Pass()]) for each in statement.handlers]
        head.finalbody = [ast.Pass()]  # a handler may be missing
    return head, blocks


def needed(cells, handed_out):
    """Return what has to run: number → whether the cell is as it was handed out, and its source.

    The simulations and figures of a notebook take most of its time, and hardly an answer needs them. So of a cell as we
    handed it out runs only a statement that binds or changes what is used below it, by what runs, or calls a check.
    Cells of the student run as they are.

    Parameters
    ----------
    cells : list of tuple
        Number and source of each cell.
    handed_out : set of str
        The sources of the cells of the course.

    Returns
    -------
    dict
    """
    trees = [_tree(source) for _, source in cells]
    known = [tree for tree in trees if tree]
    modules = {name for tree in known for node in _all(tree, ast.Import | ast.ImportFrom) for name in _bound(node)}
    drawn = [node for tree in known for node in _all(tree, ast.Assign) if "default_rng" in ast.dump(node.value)]
    draws = {name for node in drawn for name in _bound(node)}  # a generator changes wherever it is used
    shared = [(_bound(node), _root(node.value)) for tree in known for node in _all(tree, ast.Assign)]  # y = x
    parts = [_parts(tree, source in handed_out) for (_, source), tree in zip(cells, trees, strict=True)]
    runs, always, before = {}, set(), None
    while always != before:
        runs, wanted, before = {}, set(), set(always)
        for (number, source), tree, told in reversed(list(zip(cells, trees, parts, strict=True))):
            ours, kept = source in handed_out, []
            for part, (asks, later, binds) in reversed(told):
                changed = _changed(part)
                changed |= set().union(*(roots for names, roots in shared if names & changed))
                changes = binds | _bound(part) | (changed - modules) | (asks & draws)
                if not ours or "check" in asks or (wanted | always) & changes:
                    kept.insert(0, part)
                    wanted = (wanted - binds) | asks
                    always |= later
            if kept or tree is None:
                runs[number] = ours, "\n".join(map(ast.unparse, kept)) if ours and tree else source
    return runs


def _parts(tree, apart):
    """Return a cell, or each of its statements, with what `names_told` tells of it."""
    if tree is None:
        return []
    parts = [ast.Module([statement], []) for statement in tree.body] if apart else [tree]
    return [(part, names_told(part.body)) for part in parts]


def code_of_answer(cells, exercise, number):
    """Return the source of the cell that called check, and above it that of the cell that defines what it hands over.

    Parameters
    ----------
    cells : list of tuple
        Number and source of each cell.
    exercise : str
    number : int
        The cell that called check.
    """
    source = dict(cells)[number]
    tree = _tree(source)
    if tree is None:
        return source
    wanted = set()
    for node in ast.walk(tree):
        named = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "check"
        if named and node.args and getattr(node.args[0], "value", None) == exercise:
            inside = [each for argument in node.args[1:] for each in ast.walk(argument)]
            wanted |= {each.id for each in inside if isinstance(each, ast.Name)}
            wanted -= {each.arg for each in inside if isinstance(each, ast.arg)}
    wanted -= _bound(tree)
    parts = [source]
    for _, above in reversed([cell for cell in cells if cell[0] < number]):
        found = wanted & _bound(tree) if wanted and (tree := _tree(above)) else set()
        if found:
            parts.insert(0, above)
            wanted -= found
    return "\n\n".join(part.strip("\n") for part in parts)


def normal(source):
    """Return code without what is no part of an answer: spaces, comments, docstrings."""
    tree = _tree(source)
    if tree is None:
        return " ".join(source.split())
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            texts = [each for each in body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)]
            node.body = [each for each in body if each not in texts]
    try:
        return ast.dump(tree)
    except RecursionError:
        return " ".join(source.split())
