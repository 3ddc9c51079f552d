"""Derivatives of every order: the formulas are made of rows, whose formulas are proved too.

The second derivative of a function is the derivative of its formula, a program of rows of the table; by the chain rule
it is right if the formulas of those rows are.  So a row is proved to every order if its own formulas are proved, and
those of all rows that they call, and so on.  A formula that refuses (there is no derivative, and that is an error) ends
such a chain too, since it cannot be silently wrong.
"""

import warnings

import numpy as np

import minigrad
from minigrad._core.dispatch.levels import wrap_level
from minigrad._core.errors import MinigradError
from minigrad._core.graph import Tensor, wrap
from minigrad._core.runtime.thread_state import Level
from minigrad.autograd import grad
from tests.ops.calling import Notebook

from .exact import sampled


def called_by(row):
    """The names of the rows that the formulas of a row call: steps of programs, and what the samples lead to."""
    programs = [row.program(formula.of) for formula in row.formulas if row.traceable and formula.text is not None]
    found = {op.name for program in programs if program is not None for op, _ in program.steps}
    for call in sampled(row):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found |= called_in(row, call)
    return found


def called_in(row, call):
    """The rows that the gradients of one call are made of."""
    calls, leaves = {}, []
    with Level(Notebook(calls)) as level:
        def lifted(x):
            if isinstance(x, list):
                return [lifted(each) for each in x]
            if not isinstance(x, np.ndarray):
                return x
            tensor = wrap_level(wrap(x.copy()), level)
            if x.dtype.kind in "fc":
                leaves.append(tensor.requires_grad_())
            return tensor

        try:
            outputs = row(**{name: lifted(each) for name, each in call.items()})
            several = outputs if isinstance(outputs, (list, tuple)) else [outputs]
            several = [y for y in several if isinstance(y, Tensor) and y.requires_grad]
            calls.clear()
            if several:
                grad(several, leaves, [minigrad.ones_like(y) for y in several], create_graph=True, allow_unused=True)
        except (RuntimeError, MinigradError):
            pass                        # it has said so, after what it called was written down
    return set(calls)


def first_order_only(rows, entries):
    """{row: what its formulas call that is only tested}, for the rows whose own formulas are proved."""
    proved = {entry.row for entry in entries} - {entry.row for entry in entries if entry.means == "tests"}
    calls = {row.name: called_by(row) for row in rows}
    tested, found = {row.name for row in rows} - proved, {}
    while more := {name: calls[name] & tested for name in proved - {*found} if calls[name] & tested}:
        found |= more
        tested |= {*more}
    return found
