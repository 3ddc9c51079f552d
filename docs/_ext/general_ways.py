"""The general way of a row, as code to read: the function that computes it with NumPy, from its source.

What is shown depends on what the kernel of the row is::

    np.exp                          the name of the function
    special_functions.erf           its name, and the file in C
    lambda self: self > 0           the expression
    def softmax_kernel(self, dim)   the function
    made("mean", np.mean)           the function that makes it, what its names mean in this row, and the functions
                                    among them

Each comes with a link to the page where the file is read.
"""

import ast
import functools
import inspect
import textwrap
import types
from pathlib import Path

import numpy as np

import minigrad
from minigrad._core import kernels
from minigrad._core.kernels.loops import new_ufuncs, patched_ufuncs, special_functions

from literate import page_of

ROOT = Path(minigrad.__file__).parent.parent


def general_way(row):
    """The lines of a page that show how the row computes; of a call without options first, where that is simpler."""
    return [line for kernel in dict.fromkeys([row.plain, row.kernel]) if kernel is not None for line in shown(kernel)]


def shown(kernel):
    if not isinstance(kernel, types.FunctionType) or numpy_name(kernel):
        return ["", f"Computed by {linked(kernel)}."]
    file = file_of(kernel)
    short = file.removeprefix("minigrad/")
    return ["", f"Computed in NumPy, by a function of :doc:`{short} </reading/{page_of(file)}>`:", "",
            ".. code-block:: python", "", *["   " + line if line else "" for line in text_of(kernel).splitlines()]]


def file_of(function):
    return Path(function.__code__.co_filename).relative_to(ROOT).as_posix()


def text_of(kernel):
    """Its source; of a function that another one has made, that one, and the functions that it was made with."""
    values = inspect.getclosurevars(kernel).nonlocals
    means = [f"{name} = {meaning}" for name, value in values.items() if (meaning := said(value))]
    parts = ["# " + ", ".join(means) + "\n" if means else ""]
    parts[0] += source(file_of(kernel), kernel.__code__)
    for value in values.values():
        if isinstance(value, types.FunctionType) and value.__module__.startswith("minigrad.ops."):
            parts.append(source(file_of(value), value.__code__))
    return "\n\n\n".join(dict.fromkeys(parts))


def numpy_name(function):
    """As users of NumPy write it; None if it is not NumPy's."""
    name = getattr(function, "__name__", "")
    return f"np.{name}" if name and getattr(np, name, None) is function else None


def linked(kernel):
    """The name of a function that is not written in Python, and for those of the library the page of its file."""
    if numpy_name(kernel):
        return f"``{numpy_name(kernel)}``"
    module, name = in_c(kernel)
    file = module.partition(".")[2].replace(".", "/") + ".pyx"
    short = file.rpartition("/")[2]
    return f"``{name}``, which is written in C (:doc:`{short} </reading/{page_of('minigrad/' + file)}>`)"


def in_c(function):
    """The module and the name of a function of the core."""
    for module in (new_ufuncs, patched_ufuncs, special_functions):
        for name, each in vars(module).items():
            if each is function:
                return module.__name__, name
    return function.__module__, function.__name__


@functools.cache
def tree_of(file):
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


def source(file, code):
    """The text of the function with this code, or of the one that makes it: the outermost that it is written in."""
    text = (ROOT / file).read_text(encoding="utf-8")
    for node in tree_of(file).body:
        if isinstance(node, ast.FunctionDef) and first_line(node) <= code.co_firstlineno <= node.end_lineno:
            return "\n".join(text.splitlines()[first_line(node) - 1:node.end_lineno])
    names = [*code.co_varnames[:code.co_argcount]]
    for node in ast.walk(tree_of(file)):
        if (isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno
                and [arg.arg for arg in node.args.args] == names):
            first, newline, rest = ast.get_source_segment(text, node).partition("\n")
            return f"({first}\n{textwrap.indent(textwrap.dedent(rest), '    ')})" if newline else first
    raise LookupError(f"{file}: no function begins at line {code.co_firstlineno}")


def first_line(node):
    """With its decorators."""
    return min([node.lineno, *[each.lineno for each in node.decorator_list]])


def said(value):
    """What a name means, in few words; None if there are none."""
    if numpy_name(value):
        return numpy_name(value)
    if isinstance(value, np.ufunc) or getattr(value, "__module__", "").startswith(kernels.__name__):
        module, name = in_c(value)
        return f"{module.rpartition('.')[2]}.{name}"
    if isinstance(value, (str, int, float, bool, tuple)) or value is None:
        return repr(value)
    name = getattr(value, "__name__", "<")
    return None if name.startswith("<") else name
