"""The calls of rows that the samples lead to: forward, and in the formulas of their first and second derivatives.

A public function is often made of several rows, and many rows occur only in formulas.  So each sample runs at a level
whose interpreter writes down which row was called, and with what arrays.  A new row with a sample, or a new formula,
is among the calls without being named.
"""

import copy
import functools
import warnings
from unittest import mock

import numpy as np

import minigrad
from minigrad import viz
from minigrad._core.dispatch.levels import apply, wrap_level
from minigrad._core.graph import Tensor, wrap
from minigrad._core.runtime.thread_state import Level
from minigrad.autograd import grad
from minigrad.func.interpreters import Tape
from minigrad.ops import exports
from minigrad.ops.algebra import solving
from tests.ops.samples import ROWS
from tests.ops.test_ops import bound, call, flat

#: functions that have a row of their own for matrices that are not small, as none of a sample is
SOLVED = "linalg.solve", "linalg.solve_ex"


class Notebook(Tape):
    """A level of reverse mode that writes down each call of a row."""

    def __init__(self, calls):
        super().__init__()
        self.calls = calls

    def process(self, op, args, level):
        arrays = [without_tensors(x) for x in args]
        calls, mine = self.calls.setdefault(op.name, {}), signature(arrays)
        if mine not in calls:
            calls[mine] = copy.deepcopy(arrays)
        return super().process(op, args, level)


def without_tensors(x):
    """The arrays of tensors, inside lists too."""
    while isinstance(x, Tensor):
        x = x._array
    return type(x)(map(without_tensors, x)) if isinstance(x, (list, tuple)) else x


def signature(x):
    """What distinguishes calls: shapes and dtypes of arrays, and all else as it is."""
    if isinstance(x, np.ndarray):
        return x.shape, x.dtype.str
    return tuple(map(signature, x)) if isinstance(x, (list, tuple)) else repr(x)


@functools.cache
def calls_of_rows():
    """{name of a row: [the arguments of a call, ...]}; no two of a row with the same shapes, dtypes and parameters."""
    calls = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for row in ROWS:
            for case in row.cases:
                for dtype in ["float64"] + ["complex128"] * row.complex:
                    note(calls, row, case, dtype)
                    if row.name in SOLVED:
                        with mock.patch.object(solving, "SMALL", 0):
                            note(calls, row, case, dtype)
    for name, op in exports.ROWS.items():
        needed = [type_ for type_, default in zip(op.types, op.defaults) if type(default) is object]
        if name not in calls and {*needed} <= {"Tensor", "Scalar"}:
            calls[name] = {(): [np.arange(1., 13).reshape(3, 4) if type_ == "Tensor" else 2.5 for type_ in needed]}
    return {name: list(several.values()) for name, several in calls.items()}


def note(calls, row, case, dtype):
    """Write down what a sample calls.  One that cannot run in a transform has said so after it was written down."""
    with Level(Notebook(calls)) as level:
        def lifted(array, requires_grad):
            tensor = wrap_level(wrap(array), level)
            tensor.requires_grad = requires_grad
            return tensor

        inputs, args, kwargs, _ = bound(lifted, row, case, dtype)
        try:
            outputs = flat(call(minigrad, row, args, kwargs))
            rng = np.random.default_rng(0)
            for _ in range(2):
                outputs = [y for y in outputs if isinstance(y, Tensor) and y.requires_grad]
                if not inputs or not outputs:
                    break
                cotangents = [lifted(drawn(rng, y), False) for y in outputs]
                outputs = grad(outputs, inputs, cotangents, create_graph=True, allow_unused=True)
        except RuntimeError:
            pass


def drawn(rng, y):
    """A cotangent, no two of whose numbers are equal."""
    parts = rng.standard_normal((2, *y.shape))
    return np.asarray(parts[0] + 1j * parts[1] if y.is_complex() else parts[0], y.dtype.numpy)


# ------------------------------------------------------------------------------ recordings of them

def recorded_loss(op, arguments):
    """The recording of a call of the row, and a number that depends on all of its results; None if nothing does."""
    moving = {formula.of for formula in op.formulas}
    row = [tensors_of(x, name in moving) for x, name in zip(arguments, op.params)]
    row += op.defaults[len(row):]
    with viz.recording() as written:
        made = apply(op, row)
        loss = None
        for y in made if isinstance(made, (tuple, list)) else [made]:
            if isinstance(y, Tensor) and y.requires_grad and y.numel():
                y = minigrad.view_as_real(y) if y.is_complex() else y
                weights = 1 + minigrad.arange(y.numel(), dtype=y.dtype).reshape(y.shape) % 3
                loss = (y * weights).sum() if loss is None else loss + (y * weights).sum()
    return written, loss


def tensors_of(x, requires_grad):
    """The arrays of an argument as leaves."""
    if isinstance(x, np.ndarray):
        return wrap(x.copy()).requires_grad_(requires_grad and x.dtype.kind in "fc")
    return [tensors_of(y, requires_grad) for y in x] if isinstance(x, list) else x
