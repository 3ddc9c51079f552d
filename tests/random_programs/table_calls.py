"""Calls of everything in the table, as a user writes them: one for each case of each sample row (tests/ops).

A call knows which of its arguments are tensors, and what they may hold; the writer says by which texts they are named.
"""

import functools
import re

import numpy as np

from minigrad.ops import exports
from tests.ops.samples import ROWS
from tests.ops.sampling import T
from tests.ops.test_ops import place

__all__ = ["CALLS", "Call", "literal", "written"]

LARGEST = 150           # elements of a tensor argument
SHOWN = 30              # of a tensor that is written out
USUAL = (-2.0, 2.0)
#: What is random, or computed by another algorithm than PyTorch's.
RANDOM = ("dropout", "rrelu", "lobpcg")


class Call:
    def __init__(self, row, case):
        self.row, self.case = row, case
        self.tensors = [*within([case.args, [*case.kwargs.values()]])]
        self.where = place(row)

    def __repr__(self):
        return f"{self.row}({self.case})"

    @functools.cached_property
    def inplace(self):
        """The name of the method that writes the result into the first argument, if there is one."""
        name = self.row.name.split(".")[-1] + "_"
        first = self.case.args[0] if self.case.args else None
        return (name if self.row.inplace and isinstance(first, T) and self.where == "torch" and "." not in self.row.name
                and name in exports.INPLACE and is_recorded(exports.INPLACE[name]) else "")

    def text(self, names, inplace=False):
        """The call with these texts for its tensors."""
        given = iter(names)
        args = [written(a, given) for a in self.case.args]
        keywords = [f"{k}={written(v, given, k)}" for k, v in self.case.kwargs.items()]
        if self.where == "method" or inplace:
            name = self.inplace if inplace else self.row.name
            return f"{args[0]}.{name}({', '.join(args[1:] + keywords)})"
        module = "torch.nn.functional" if self.where == "nn.functional" else "torch"
        return f"{module}.{self.row.name}({', '.join(args + keywords)})"


def is_recorded(written):
    """Whether autograd sees such a write: PyTorch records no answers to questions, even where they are written."""
    return all([row.kind != "not_differentiable" for row in getattr(written, "rows", [written])])


def within(x):
    if isinstance(x, T):
        yield x
    elif isinstance(x, (list, tuple)):
        for y in x:
            yield from within(y)


def written(x, given, keyword=""):
    if isinstance(x, T):
        return next(given)
    if isinstance(x, (list, tuple)):
        inner = ", ".join([written(y, given) for y in x])
        return f"[{inner}]" if isinstance(x, list) else f"({inner}{',' * (len(x) == 1)})"
    if keyword == "dtype" and isinstance(x, str):
        return f"torch.{x}"
    return number(x)


def number(x):
    if isinstance(x, np.ndarray):
        return literal(x)
    text = repr(x)
    return f"float({text!r})" if isinstance(x, float) and not np.isfinite(x) else re.sub(r"\bnp\.\w+\((.*)\)$", r"\1",
                                                                                        text)


def writable(x):
    """Whether an argument can be written down: no function."""
    if isinstance(x, (list, tuple)):
        return all(map(writable, x))
    return x is None or isinstance(x, (T, bool, int, float, complex, str, np.ndarray))


def usable(row, case):
    call = Call(row, case)
    return (all(map(writable, [*case.args, *case.kwargs.values()])) and row.name not in RANDOM
            and sum([int(np.prod(t.shape)) for t in call.tensors]) <= LARGEST)


CALLS = {}
for sample in ROWS:
    if place(sample) != "row":
        for one in sample.cases:
            if usable(sample, one):
                CALLS.setdefault(sample.name, []).append(Call(sample, one))


# ------------------------------------------------------------------------------ tensors as texts


def literal(array, requires_grad=False):
    """``torch.tensor(...)`` for an array."""
    ends = f"dtype=torch.{array.dtype}{', requires_grad=True' * requires_grad})"
    return f"torch.tensor({nested(array)}, {ends}" if array.size else f"torch.zeros({array.shape}, {ends}"


def nested(array):
    if array.ndim:
        return f"[{', '.join([nested(part) for part in array])}]"
    x = array.item()
    if isinstance(x, complex):
        real, imag = shortest_digits(array.real), shortest_digits(array.imag)
        return f"{real}{'+' * (imag[0] != '-')}{imag}j" if np.isfinite(x) else f"complex({real}, {imag})"
    return shortest_digits(array) if isinstance(x, float) else repr(x)


def shortest_digits(x):
    """The shortest text that is this number in its own precision."""
    return str(x[()]) if np.isfinite(x) else f"float('{x[()]}')"
