"""The reference: a page for each public name, made from its docstring, with links to the notebooks that use it."""

import ast
import importlib
import inspect
import re
import warnings
from collections import defaultdict
from functools import cached_property
from pkgutil import resolve_name

import nbformat

import bayeslab

# What is imported from these rooms and not from `bayeslab` itself.
ROOMS = ("plotting", "explore", "checks")

INDEX = """Reference
=========

Every public name of the package, in the order in which the package is best read. The classifiers are scikit-learn
estimators: ``get_params``, ``set_params`` and ``score`` are described in scikit-learn's own documentation. Arrays have
samples in rows: *n* samples, *d* features, *K* classes.

{tables}

.. toctree::
   :hidden:

{pages}
"""
TABLE = """{room}
{line}

{purpose}

.. autosummary::

{names}
"""
PAGE = """{title}
{line}

.. code-block:: python

   from {module} import {name}

{notebooks}

.. currentmodule:: {module}

{body}
"""
CLASS = """.. autoclass:: {path}

   .. rubric:: Methods and properties

   .. autosummary::

{rows}

{members}"""


def public_names():
    """Return the paths of all public names by room, in the order in which the package's docstring names the rooms."""
    rooms = defaultdict(list)
    for name in bayeslab.__all__:
        rooms[getattr(bayeslab, name).__module__.split(".")[1]].append(f"bayeslab.{name}")
    for room in ROOMS:
        module = importlib.import_module(f"bayeslab.{room}")
        own = [name for name, value in vars(module).items() if is_defined_in(value, module) and name[0] != "_"]
        names = [name for name in getattr(module, "__all__", own) if callable(getattr(module, name))]
        rooms[room] = [f"bayeslab.{room}.{name}" for name in names]
    named = re.findall(r"`(\w+)`", bayeslab.__doc__)
    return {room: rooms[room] for room in dict.fromkeys(named) if room in rooms}


def is_defined_in(value, module):
    """Tell whether a class or a function is defined in a module."""
    return callable(value) and getattr(value, "__module__", "") == module.__name__


def page_of(path):
    """Return the name of the page of a public name."""
    return path.removeprefix("bayeslab.")


def is_property(value):
    """Tell whether the entry of a class is computed when it is asked for."""
    return isinstance(value, property | cached_property)


def is_method(value):
    """Tell whether a value is a function of the package, and not one that scikit-learn adds to its estimators."""
    return inspect.isroutine(value) and (inspect.unwrap(value).__module__ or "").startswith("bayeslab")


def members_of(cls):
    """Return the names of the public methods and properties of a class that the package defines."""
    names = {}
    for base in cls.__mro__:
        if base.__module__.startswith("bayeslab"):
            for name, value in vars(base).items():
                if name[0] != "_" and (is_property(value) or is_method(getattr(base, name))):
                    names[name] = None
    return list(names)


def used_in(path):
    """Return the classes and functions that a notebook takes from the package."""
    used, modules = [], {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # an exercise may call its `...`
            nodes = list(ast.walk(ast.parse(cell.source)))
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "bayeslab":
                for alias in node.names:
                    value = resolve_name(f"{node.module}.{alias.name}")
                    used.append(value)
                    if inspect.ismodule(value):
                        modules[alias.asname or alias.name] = value
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                used.append(getattr(modules[node.value.id], node.attr))
    return {value for value in used if inspect.isclass(value) or inspect.isfunction(value)}


def sentence_of(notebooks):
    """Return the line that links to the notebooks, given as pairs of page and name."""
    links = [f":doc:`{name} </{page}>`" for page, name in notebooks]
    return f"In the notebooks: {', '.join(links)}." if links else "No notebook imports it."


def body_of(path):
    """Return the directives of a page: those of a class list and describe its methods, also those that it inherits."""
    value = resolve_name(path)
    if not inspect.isclass(value):
        return f".. autofunction:: {path}"
    rows, members = [], []
    for name in members_of(value):
        static = inspect.getattr_static(value, name)  # a subclass may have a value in place of a property
        kind = "property" if is_property(static) else "method" if is_method(getattr(value, name)) else "attribute"
        rows.append(f"      ~{value.__name__}.{name}")
        members.append(f"   .. auto{kind}:: {path}.{name}")
    if not rows:
        return f".. autoclass:: {path}"
    return CLASS.format(path=path, rows="\n".join(rows), members="\n\n".join(members))


def write(paths, names):
    """Return the pages by name, as reStructuredText; `names` has the name of each notebook by its stem."""
    rooms = public_names()
    used = {path.stem: used_in(path) for path in paths}
    written, tables = {}, []
    for room, public in rooms.items():
        purpose = inspect.getdoc(importlib.import_module(f"bayeslab.{room}")).split("\n\n")[0]
        rows = "\n".join(f"   ~{path}" for path in public)
        tables.append(TABLE.format(room=room, line="-" * len(room), purpose=purpose, names=rows))
        for path in public:
            module, _, name = path.rpartition(".")
            title = page_of(path)
            notebooks = [(stem, names[stem]) for stem, found in used.items() if resolve_name(path) in found]
            written[f"reference/{title}"] = PAGE.format(
                title=title,
                line="=" * len(title),
                module=module,
                name=name,
                notebooks=sentence_of(notebooks),
                body=body_of(path),
            )
    listed = "\n".join(f"   {page}" for page in written)
    return {"reference": INDEX.format(tables="\n".join(tables), pages=listed), **written}
