"""Notices finite differences: sums in which the point of a question has been moved by a little.

However a submission copies its inputs, into another array, a list or single numbers, a difference quotient needs a
point close to the given one, and that is a sum in its source.  So `instrumented` shows the result of each sum and
difference there to `noticed`, which compares it with the inputs of the question.

    def exp_backward(d, x):                             moved = __noticed__(np.array(x.tolist()) + 1e-6)
        moved = np.array(x.tolist()) + 1e-6     ->      ...

An array that is almost, but not quite, one of the inputs is a *step*; so are three entries of an input, each alone,
that have been moved by the same amount.  A step as short as a rounding error, as in ``(x - m) + m``, is none.
"""

import ast
import sys

import numpy as np

__all__ = ["ENTRY", "Steps", "compiled", "instrumented"]

#: the name by which an instrumented source calls `Steps.noticed`; with underscores at its end, no class renames it
ENTRY = "__noticed__"
#: functions and methods that add
ADDING = {"add", "subtract", "sub", "isub", "iadd",
          "__add__", "__radd__", "__sub__", "__rsub__", "__iadd__", "__isub__"}
#: the lengths of a step, as parts of the largest entry
SHORTEST, LONGEST = 1e-9, 1e-3
#: entries of an array above which it is compared as a whole only, and above which it is not compared
FEW, MANY = 64, 1 << 20
#: calls within each other, some for each term of a sum
DEEP = 20_000


class Steps:
    """The inputs of a question, and how many steps have been noticed since it was asked."""

    def __init__(self):
        self.watch([])

    def watch(self, arrays):
        """Compare with these arrays from now on; integers, and arrays of one or two entries, are left out."""
        floats = [each for each in arrays if isinstance(each, np.ndarray) and each.dtype.kind in "fc"]
        self.originals = [Original(each.copy()) for each in floats if each.size > 2 and each.any()]
        self.count = 0

    def noticed(self, value):
        """Returns the value itself; its instrumented source calls this with each sum."""
        if self.originals and isinstance(value, (float, complex, np.ndarray, np.inexact, np.flatiter)):
            array = np.asarray(value)
            if array.dtype.kind in "fc" and 0 < array.size <= MANY:
                with np.errstate(all="ignore"):         # of the submission's own warnings none is from here
                    self.count += sum([original.is_near(array) for original in self.originals])
        return value


class Original:
    """An input, and which of its entries have been found moved, by each length of a step."""

    def __init__(self, array):
        self.array, self.flat, self.largest = array, array.ravel(), np.abs(array).max()
        self.moved = {}

    def is_near(self, array):
        """Is this a step away from the input, as a whole, in one of several rows, or entry by entry?"""
        shape = self.array.shape
        if array.size == self.flat.size or array.shape[-len(shape):] == shape:
            rows = array.reshape(-1, self.flat.size)
            if self.stepped(rows - self.flat).any():
                return True
        return array.size <= FEW and self.entries_are_near(array)

    def stepped(self, differences):
        """For each row: are all of its differences short, and is one of them not a rounding error?"""
        lengths = np.abs(differences).max(-1)
        seen = lengths >= SHORTEST * self.largest
        if differences.dtype.kind == "c" and self.flat.dtype.kind == "f":       # a complex step may be of any length
            seen |= np.abs(differences.imag).max(-1) > 0
        return seen & (lengths <= LONGEST * self.largest)

    def entries_are_near(self, array):
        differences = array.reshape(-1, 1) - self.flat
        nearest = np.abs(differences).argmin(1)
        differences = np.take_along_axis(differences, nearest[:, None], 1)
        for index, (step,), hit in zip(nearest, differences, self.stepped(differences)):
            if hit:
                entries = self.moved.setdefault(f"{step:.5e}", set())
                entries.add(int(index))
                if len(entries) == 3:
                    return True
        return False


# ------------------------------------------------------------------------------ the source


def instrumented(source):
    """The syntax tree of a source whose sums are shown to `ENTRY`.

    >>> import ast
    >>> from minigrad.homework.finite_differences import instrumented
    >>> print(ast.unparse(instrumented("y[0] = f(x + h)")))
    y[0] = f(__noticed__(x + h))
    >>> print(ast.unparse(instrumented("x[0] += h")))
    x[0] += h
    __noticed__(x)
    """
    return ast.fix_missing_locations(Showing().visit(ast.parse(source)))


def compiled(source, file):
    """The code of an instrumented source."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEP))
    try:
        return compile(instrumented(source), file, "exec")
    finally:
        sys.setrecursionlimit(limit)


def shown(node):
    return ast.copy_location(ast.Call(ast.Name(ENTRY, ast.Load()), [node], []), node)


class Showing(ast.NodeTransformer):
    """Sums, calls of what adds, and what ``+=`` and ``-=`` have changed."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return shown(node) if isinstance(node.op, (ast.Add, ast.Sub)) else node

    def visit_Call(self, node):
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        return shown(node) if name in ADDING else node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, (ast.Add, ast.Sub)):
            return node
        changed = node.target
        while isinstance(changed, ast.Subscript):       # in `x[0] += h` the array that has changed is x
            changed = changed.value
        if isinstance(changed, ast.Attribute) and isinstance(changed.value, ast.Name):
            changed = ast.Attribute(changed.value, changed.attr, ast.Load())
        elif isinstance(changed, ast.Name):
            changed = ast.Name(changed.id, ast.Load())
        else:                                           # evaluating it again could do something again
            return node
        return [node, ast.copy_location(ast.Expr(shown(changed)), node)]
