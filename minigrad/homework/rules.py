"""What can be told from a submission without running it: does it parse, and does it use a forbidden name?"""

import ast

__all__ = ["Refused", "read"]


class Refused(Exception):
    """The submission is not run; ``verdict`` is "syntax" or "forbidden"."""

    def __init__(self, verdict, reason):
        super().__init__(reason)
        self.verdict = verdict


def read(source, forbidden=()):
    """The names of functions and classes that the file defines.

    Raises `Refused` if it has a syntax error, or calls or imports one of the names in ``forbidden``, in which only the
    last part of a dotted name counts. What the file itself defines may have such a name.

    >>> from minigrad.homework.rules import read
    >>> read("def slope(x):\\n    return 2 * x")
    ['slope']
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as failure:
        line = getattr(failure, "lineno", None)
        where = f"line {line}: " if line else ""
        raise Refused("syntax", f"{where}{getattr(failure, 'msg', None) or failure} (a syntax error: nothing in the "
                                "file could be run)") from None
    own = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    short = {name.rpartition(".")[2] for name in forbidden} - {*bound(tree)}
    for node in ast.walk(tree):
        for name in used(node):
            if name in short:
                raise Refused("forbidden", f"line {node.lineno} uses {name}, which this assignment forbids")
    return own


def bound(tree):
    """The names that the file gives to something of its own: functions, classes, methods, parameters, variables."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def used(node):
    """The names that a node of the syntax tree calls or imports; as an attribute of one's own, a name is free."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield node.func.id
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield node.func.attr
    elif isinstance(node, ast.Import):
        yield from [part for each in node.names for part in each.name.split(".")]
    elif isinstance(node, ast.ImportFrom):
        yield from (node.module or "").split(".")
        yield from [each.name for each in node.names]
