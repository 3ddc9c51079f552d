"""The usual slips, as edits of a source: every place where one of them can be made, or undone.

    return d.sum(axis)      ->      return d.mean(axis)         another reduction
    a + b                   ->      a - b                       another operator
    d * np.conj(y)          ->      d * (y)                     a conjugate
    x.T @ d                 ->      x @ d                       a transpose
    return gx, gy           ->      return gy, gx               swapped results

A source with one edit is another program, whose results can be computed.  causes.py undoes slips in this way, and so
finds one that several items share; oral.py makes them, and asks what would happen.
"""

import ast
from collections import namedtuple

__all__ = ["Edit", "edits"]

#: an edit: its kind, the function and the line in which it is, that line before and after, and the new source
Edit = namedtuple("Edit", "kind function line before after source")

OPERATORS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}
NAMES = {"sum": ("a reduction", "mean"), "mean": ("a reduction", "sum"), "sin": ("a function", "cos"),
         "cos": ("a function", "sin"), "max": ("a function", "min"), "min": ("a function", "max")}
REDUCING = ("sum", "mean", "max", "min", "cumsum", "argmax", "softmax", "flip", "expand_dims")
TRANSPOSES = ("T", "mT", "H", "mH")


def edits(source):
    """All edits of a source, in the order of its lines.

    >>> from minigrad.homework.edits import edits
    >>> for edit in edits("def f(d, x):\\n    return d.mean(0) - x"):
    ...     print(f"{edit.kind}: {edit.after.strip()}")
    a sign: return -(d.mean(0) - x)
    a conjugate: return (d.mean(0) - x).conj()
    an operator: return d.mean(0) + x
    an axis: return d.mean(1) - x
    a reduction: return d.sum(0) - x
    """
    tree, lines = ast.parse(source), source.encode("utf-8").splitlines(keepends=True)
    found = []
    for function, node in within(tree, ""):
        for kind, (line, start, end), new in of_node(node, lines):
            old = lines[line - 1]
            edited = old[:start] + new.encode("utf-8") + old[end:]
            text = b"".join([*lines[:line - 1], edited, *lines[line:]]).decode("utf-8")
            if parses(text):
                found.append(Edit(kind, function, line, old.decode("utf-8").rstrip(), edited.decode("utf-8").rstrip(),
                                  text))
    return sorted(found, key=lambda edit: edit.line)


def within(node, function):
    """(the function around it, node) of everything inside functions."""
    for child in ast.iter_child_nodes(node):
        name = f"{function}.{child.name}".lstrip(".") if isinstance(child, SCOPES) else function
        if function and not isinstance(child, SCOPES):
            yield function, child
        yield from within(child, name)


SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def is_numeric(node):
    """May this be a call that returns numbers? A container and an object of a class are not negated."""
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", "A"))
    return not name[:1].isupper() and name not in ("tuple", "list", "dict", "set", "map", "zip", "range")


def parses(text):
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def of_node(node, lines):
    """(kind, (line, first byte, byte behind it), what is there instead) of the edits of a node that is on one line."""
    if getattr(node, "lineno", None) is None or node.lineno != node.end_lineno:
        return
    line, start, end = node.lineno, node.col_offset, node.end_col_offset
    row = lines[line - 1]

    def plain(of):
        return row[of.col_offset:of.end_col_offset].decode("utf-8")

    def text(of):
        found = plain(of)
        return f"({found})" if isinstance(of, (ast.BinOp, ast.UnaryOp, ast.IfExp, ast.BoolOp, ast.Compare)) else found

    if isinstance(node, ast.BinOp):
        if type(node.op) in OPERATORS:
            old, new = OPERATORS[type(node.op)]
            at = row.find(old.encode(), node.left.end_col_offset, node.right.col_offset)
            if at >= 0:
                yield "an operator", (line, at, at + 1), new
        if isinstance(node.op, ast.Mult):
            for factor, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(factor, ast.Constant):
                    yield "a factor", (line, start, end), text(other)
        elif isinstance(node.op, ast.Div) and not isinstance(node.left, ast.Constant):
            yield "a factor", (line, start, end), text(node.left)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "a sign", (line, start, end), text(node.operand)
    elif isinstance(node, ast.Return) and node.value is not None:
        if isinstance(node.value, ast.Tuple):
            if len(node.value.elts) == 2:
                first, second = node.value.elts
                yield "swapped results", (line, first.col_offset, second.end_col_offset), (
                    f"{plain(second)}, {plain(first)}")
        elif isinstance(node.value, (ast.BinOp, ast.Name)) or is_numeric(node.value):
            yield "a sign", (line, node.value.col_offset, end), f"-({plain(node.value)})"
            yield "a conjugate", (line, node.value.col_offset, end), f"({plain(node.value)}).conj()"
    elif isinstance(node, ast.Attribute):
        if node.attr in NAMES:
            kind, new = NAMES[node.attr]
            yield kind, (line, end - len(node.attr), end), new
        elif node.attr in TRANSPOSES:
            yield "a transpose", (line, start, end), text(node.value)
    elif isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in ("conj", "conjugate") and not node.keywords:
            kept = node.args[0] if node.args else node.func.value if isinstance(node.func, ast.Attribute) else node
            if kept is not node:
                yield "a conjugate", (line, start, end), f"({plain(kept)})"
        for each in [*(node.args if name in REDUCING else ()),
                     *[keyword.value for keyword in node.keywords if keyword.arg in ("axis", "dim")]]:
            if isinstance(each, ast.Constant) and type(each.value) is int and each.value in (0, 1):
                yield "an axis", (line, each.col_offset, each.end_col_offset), str(1 - each.value)
    elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        at = row.find(b"+=", node.target.end_col_offset)
        if at >= 0:
            yield "a sum", (line, at, at + 2), "="
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Attribute, ast.Subscript)):
        at = row.find(b"=", node.targets[0].end_col_offset)
        if at >= 0:
            yield "a sum", (line, at, at + 1), "+="
