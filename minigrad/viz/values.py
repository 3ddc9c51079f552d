"""Tensors, nodes and functions in a story: words and numbers, copied, so that nothing is kept alive."""

import inspect
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from minigrad._core.devices.meta import is_meta
from minigrad._core.errors import MinigradError
from minigrad._core.graph import Tensor
from minigrad.ops.exports import REGISTRY, ROWS
from minigrad.tensors.printing import OPTIONS, Options, array_str

__all__ = ["Value", "about_row", "line_of", "name_and_line", "names_around", "origin_of", "row_of", "tag_of",
           "value_of"]

#: A story keeps and shows all numbers of a tensor that has at most this many.
WHOLE = 20

#: The number of letters that fit on an edge of the picture.
TAG = 10


@dataclass
class Value:
    """A tensor as it was at some moment: its numbers as they are printed, and as an array if they are few."""
    text: str
    shape: tuple = None
    dtype: str = ""
    array: np.ndarray = None
    batch: tuple = None         # inside vmap: the shape of the whole batch

    @property
    def line(self):
        """The numbers on one line."""
        return " ".join(self.text.split())

    @property
    def kind(self):
        """Shape and dtype in words; empty for a single number, and for anything that is not a tensor."""
        if self.batch:
            return f"{self.shape} {self.dtype}, of a batch: {self.batch} in all"
        return f"{self.shape} {self.dtype}" if self.shape else ""


def options():
    """The user's print options, but with fewer numbers."""
    chosen = Options()
    chosen.precision, chosen.sci_mode = OPTIONS.precision, OPTIONS.sci_mode
    chosen.threshold, chosen.edgeitems, chosen.linewidth = WHOLE, 2, 52
    return chosen


def value_of(x):
    """The Value of a tensor, an array, a list of these, or a parameter such as a shape; None for None."""
    if x is None:
        return None
    if isinstance(x, (list, tuple)) and any([isinstance(each, Tensor) for each in x]):
        return Value("[" + ", ".join([value.line if value else "None" for value in map(value_of, x)]) + "]")
    if not isinstance(x, (Tensor, np.ndarray)):
        return Value(repr(tuple(x)) if isinstance(x, tuple) else "sys.maxsize" if x is not True and x == sys.maxsize
                     else str(x))
    array, shape = x, tuple(x.shape)
    while isinstance(array, Tensor):            # inside a transform: the whole batch
        array = array._array
    if is_meta(array):
        return Value("...", shape, str(array.dtype), None, array.shape if array.shape != shape else None)
    return Value(array_str(array, 0, options()), shape, str(array.dtype), array.copy() if array.size <= WHOLE else None,
                 array.shape if array.shape != shape else None)


def tag_of(value):
    """The label of an edge: the number itself if it is short, else the shape."""
    if value is None:
        return "None"
    return value.line if len(value.line) <= TAG else str(value.shape)


# ------------------------------------------------------------------------------ names

def names_around(frame):
    """id of a tensor -> (its name as a variable of the function in ``frame``, or of its module; the tensor)."""
    inner = frame.f_locals
    variables = {**frame.f_globals, **inner}
    if isinstance(inner, dict) and frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        inner.clear()               # before Python 3.13 the frame keeps a copy, which would keep the tensors alive
    return {id(value): (name, value) for name, value in reversed(variables.items()) if isinstance(value, Tensor)
            and not name.startswith(
        "_")}


def origin_of(tensor):
    """The node that made the tensor, and the number of its output; None for a leaf, and for a view that lost its
    history."""
    try:
        return None if tensor.grad_fn is None else (tensor.grad_fn, tensor.output_nr)
    except MinigradError:
        return None


def name_and_line(function):
    """A function's name and where it is defined: ``double (script.py:12)``."""
    function = inspect.unwrap(getattr(function, "func", function))
    name = getattr(function, "__qualname__", type(function).__name__).replace("<locals>.", "")
    code = getattr(function, "__code__", None)
    return f"{name} ({Path(code.co_filename).name}:{code.co_firstlineno})" if code else name


def line_of(node):
    """The line of the forward pass that recorded the node, if anomaly mode was on."""
    trace = node.metadata.get("traceback_")
    return " ".join(trace[-1].split()) if trace else ""


# ------------------------------------------------------------------------------ rows of the table

def row_of(node):
    """The row of the table whose operation recorded ``node``; None for other nodes."""
    kind = type(node)
    for op in ROWS.values():
        if kind.__name__ in (op.node_name, op.in_place_name) and kind in (op.node_class, op.in_place_class):
            return op
    return None


def about_row(op, name):
    """The name of a row, and the first sentence of its docstring.

    If this only describes a form of a public function, as in "where with three arguments", the sentence is the
    function's own. """
    said = sentence_of(op)
    if said.startswith(f"{op.shown} ") and op.shown in REGISTRY:
        said = sentence_of(REGISTRY[op.shown])
    return f"{name}: {said}"


def sentence_of(documented):
    first, _, _ = inspect.cleandoc(documented.__doc__ or documented.kind).split("\n\n")[0].partition(". ")
    return " ".join(first.split()).replace("``", "").rstrip(".")
