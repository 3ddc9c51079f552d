"""Calls that the sample calls lead to: without elements, without dims, with one dim more, with complex numbers.

A sample says how an operation is called; what becomes of it in these respects needs no line of its own.
tests/parity/records/make_sample_reach.py notes which of the changed calls PyTorch takes, and test_reach.py makes them.
"""

import numpy as np

from tests.ops.sampling import Case, T


def inputs(case):
    """The ``T`` of a case, in order, also those inside lists."""
    def within(x):
        return [t for y in x for t in within(y)] if isinstance(x, (list, tuple)) else [x] if isinstance(x, T) else []
    return within([*case.args, *case.kwargs.values()])


def reshaped(case, change):
    """``case`` with ``change(i, shape)`` for the shape of its i-th input; None where all stay as they are."""
    given = inputs(case)
    shapes = [tuple(change(i, t.shape)) for i, t in enumerate(given)]
    if shapes == [t.shape for t in given]:
        return None
    new = iter([t if shape == t.shape else like(t, shape) for t, shape in zip(given, shapes)])

    def replaced(x):
        return type(x)(replaced(y) for y in x) if isinstance(x, (list, tuple)) else next(new) if isinstance(x, T) else x

    return Case([replaced(x) for x in case.args], {k: replaced(v) for k, v in case.kwargs.items()})


def like(t, shape):
    """A ``T`` of another shape; of integers in the range that the old ones have."""
    low, high = t.low, t.high
    if t.values is not None and t.kind == "int" and np.size(t.values):
        low, high = int(np.min(t.values)), int(np.max(t.values)) + 1
    return T(*shape, low=low, high=high, kind=t.kind, grad=t.grad)


def without_elements(case):
    """A size 0: for one size wherever it occurs, and for each dim of the first input alone."""
    shapes = [t.shape for t in inputs(case)]
    for size in sorted({n for shape in shapes for n in shape} - {0, 1}):
        yield reshaped(case, lambda i, shape, size=size: [0 if n == size else n for n in shape])
    for axis in range(len(shapes[0]) if shapes else 0):
        yield reshaped(case, lambda i, shape, axis=axis: (*shape[:axis], 0, *shape[axis + 1:]) if i == 0 else shape)


def without_dims(case):
    yield reshaped(case, lambda i, shape: ())
    yield reshaped(case, lambda i, shape: () if i == 0 else shape)


def with_a_dim_more(case):
    """Two examples of all inputs, or of the first."""
    yield reshaped(case, lambda i, shape: (2, *shape) if shape else shape)
    yield reshaped(case, lambda i, shape: (2, *shape) if shape and i == 0 else shape)


def of_complex_numbers(case):
    yield case if any(t.kind not in ("int", "bool", "complex") for t in inputs(case)) else None


CHANGES = {"empty": without_elements, "0-d": without_dims, "more dims": with_a_dim_more, "complex": of_complex_numbers}


def changed(row, word):
    """The calls of a sample row, each changed in this respect."""
    return [new for case in row.cases for new in CHANGES[word](case) if new is not None]


def dtype_for(word):
    return "complex128" if word == "complex" else "float64"
