"""Tensors from a few numbers: ranges, and matrices with a pattern.

``arange`` counts in steps, ``linspace`` and ``logspace`` divide the interval between two ends; ``eye`` is
the identity matrix, ``tril_indices`` and ``triu_indices`` are the positions of a triangle.

No number is reached by repeated addition, which would drift.  In float32 and float64 they are PyTorch's to the last
digit (_core/frontends/ranges.h); other dtypes are computed in double precision and rounded once, at the end.

Neighbours: creation/__init__.py (from data, or one value everywhere), creation/arrays.py.
"""

import numpy as np
from functools import partial
from math import ceil, floor, isfinite

from minigrad import dtypes
from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error, warn
from minigrad._core.frontends import ranges
from minigrad._core.graph import Tensor
from minigrad._core.runtime.errstate import quiet
from minigrad.creation import finished, maker, options, integer
from minigrad.creation.arrays import fit, number
from minigrad.dtypes import BOOL, COMPLEX, FLOAT, INT

__all__ = ["arange", "eye", "linspace", "logspace", "range", "tril_indices", "triu_indices"]


@partial(maker, front=ranges.eye)
def eye(n, m=None, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """The ``n`` by ``m`` matrix (by default ``n`` by ``n``) with ones on its diagonal and zeros elsewhere.

    >>> torch.eye(2, 3)
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    kind = options("eye", dtype, device, requires_grad)
    n = integer("eye", "n", n, 0)
    m = n if m is None else integer("eye", "m", m, 0)
    return finished(np.eye(n, m, dtype=kind.numpy), device, requires_grad)


@partial(maker, front=ranges.arange)
def arange(start=None, end=None, step=1, *, dtype=None, device=None, requires_grad=False, layout=None,
           pin_memory=False):
    """The numbers from ``start`` (0) up to, but without, ``end``, in steps of ``step``.

    Integers give int64; with a float among the arguments, the dtype is the default one.  If the step is not an exact
    binary fraction, rounding may decide whether the last number is included: ``linspace`` avoids this.

    >>> torch.arange(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000])
    """
    if start is None and end is None:
        raise error("MG205", "arange() takes arange(end), arange(start, end) or arange(start, end, step)")
    if end is None or start is None:
        start, end = 0, start if end is None else end
    start, end, step = (number("arange", name, value)
                        for name, value in (("start", start), ("end", end), ("step", step)))
    whole = all(isinstance(value, int) for value in (start, end, step))
    kind = options("arange", dtype, device, requires_grad, dtypes.int64 if whole else None)
    _real_numbers("arange", kind)
    if any(isinstance(value, complex) for value in (start, end, step)):
        raise error("MG204", "arange(): value cannot be converted to type double without overflow: "
                             "complex numbers have no order")
    return finished(_arange(start, end, step, kind), device, requires_grad)


def _arange(start, end, step, kind):
    given = step
    if kind is dtypes.int64 and isfinite(start) and isfinite(end):
        start, end, step = int(start), int(end), int(step)
    _check_steps("arange", start, end, step, given, kind)
    if kind is dtypes.int64:
        return np.arange(start, end, step, dtype=np.int64)
    n = ceil((end - start) / step)
    if kind.category == INT:                    # counted before truncation; wraps around, as in C
        return (int(start) + int(step) * np.arange(n, dtype=np.int64)).astype(kind.numpy)
    if kind in (dtypes.float32, dtypes.float64):
        return ranges.numbers_in_steps(n, kind.numpy, start, step)
    return (start + step * np.arange(n, dtype=np.float64)).astype(kind.numpy)


@maker
def range(start=0, end=None, step=1, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """The numbers from ``start`` to ``end``, which is among them, in steps of ``step``: deprecated in PyTorch.

    They are of the default dtype, whatever the arguments are.  ``torch.arange`` goes up to the end, and not to it, as
    Python's ``range`` does.

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     torch.range(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000, 2.5000])
    """
    if end is None:
        raise error("MG205", 'range() missing 1 required positional arguments: "end": torch.arange counts from 0')
    warn("torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with "
         "Python's range builtin. Instead, use torch.arange, which produces values in [start, end).")
    start, end, step = (number("range", name, value)
                        for name, value in (("start", start), ("end", end), ("step", step)))
    kind = options("range", dtype, device, requires_grad)
    _real_numbers("range", kind)
    if kind.category == INT and isfinite(start) and isfinite(end):
        start, end, step = int(start), int(end), int(step)
    _check_steps("range", start, end, step, step, kind)
    n = floor((end - start) / step) + 1
    return finished((start + step * np.arange(n, dtype=np.float64)).astype(kind.numpy), device, requires_grad)


def _check_steps(function, start, end, step, given, kind):
    """Raise unless finitely many steps lead from one end to the other."""
    if not (isfinite(start) and isfinite(end)):
        raise error("MG204", f"{function}(): unsupported range: {start} -> {end}")
    if step == 0:
        raise error("MG207" if given else "MG204", f"{function}(): step must be nonzero (as {kind!r} it is 0)")
    if end < start if step > 0 else end > start:
        raise error("MG204", f"{function}(): upper bound and lower bound inconsistent with step sign: "
                             f"no step of {step} leads from {start} to {end}")


def _real_numbers(function, kind):
    if kind.category in (BOOL, COMPLEX):
        raise error("MG202", f'"{function}" not implemented for {kind!r}: take an integer or floating point dtype')


@partial(maker, front=ranges.linspace)
def linspace(start, end, steps, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """``steps`` numbers from ``start`` to ``end``, both included, at equal distances.

    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    start, end, kind = _ends("linspace", start, end, dtype, device, requires_grad)
    steps = _steps("linspace", start, end, steps)
    if kind in (dtypes.float32, dtypes.float64):
        return finished(ranges.numbers_from_to(steps, kind.numpy, start, end), device, requires_grad)
    return finished(_linspace(start, end, steps, kind).astype(kind.numpy), device, requires_grad)


@partial(maker, front=ranges.logspace)
def logspace(start, end, steps, base=10.0, *, dtype=None, device=None, requires_grad=False, layout=None,
             pin_memory=False):
    """``steps`` numbers from ``base ** start`` to ``base ** end``, each the same multiple of the one before.

    >>> torch.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    base = number("logspace", "base", base)
    if isinstance(base, complex):
        raise error("MG205", "logspace(): argument 'base' must be float, not complex")
    start, end, kind = _ends("logspace", start, end, dtype, device, requires_grad)
    with quiet():
        powers = np.power(base, _linspace(start, end, _steps("logspace", start, end, steps), kind))
        return finished(powers.astype(kind.numpy), device, requires_grad)


for each in (arange, linspace, logspace):
    each.in_any_shape = True


def _ends(function, start, end, dtype, device, requires_grad):
    """Both ends as numbers that fit the result's dtype, and this dtype."""
    for name, value in (("start", start), ("end", end)):
        if isinstance(value, Tensor) and value.ndim:
            raise error("MG204", f"{function} only supports 0-dimensional start and end tensors, "
                                 f"but got {name} with {value.ndim} dimension(s).")
    start, end = number(function, "start", start), number(function, "end", end)
    is_complex = isinstance(start, complex) or isinstance(end, complex)
    kind = options(function, dtype, device, requires_grad, dtypes.of_number_category(COMPLEX if is_complex else FLOAT))
    if kind.category == BOOL:
        _real_numbers(function, kind)
    return fit(start, kind), fit(end, kind), kind


def _steps(function, start, end, steps):
    if not hasattr(steps, "__index__"):
        given = ", ".join([type(each).__name__ for each in (start, end, steps)])
        raise error("MG205", f"{function}() received an invalid combination of arguments - got ({given}): "
                             f"argument 'steps' must be int, not {type(steps).__name__}")
    steps = integer(function, "steps", steps)
    if steps < 0:
        raise error("MG204", f"{function}(): number of steps must be non-negative, got {steps}")
    return steps


def _linspace(start, end, steps, kind):
    """In double precision, counted from the nearer end, so that both ends are exact."""
    wide = np.complex128 if kind.category == COMPLEX else np.float64
    start, end = (wide(kind.numpy.type(value)) for value in (start, end))
    if steps == 1:
        return np.array([start])
    i = np.arange(steps)
    with quiet():
        step = (end - start) / max(steps - 1, 1)
        return np.where(i < steps // 2, start + step * i, end - step * (steps - 1 - i))


@partial(Composite, front=ranges.tril_indices)
def tril_indices(row, col, offset=0, *, dtype=dtypes.int64, device=None, requires_grad=False, layout=None,
                 pin_memory=False):
    """The positions on and below the ``offset``-th diagonal of a ``row`` by ``col`` matrix: row numbers, column
    numbers.

    >>> torch.tril_indices(2, 3)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
    return _triangle("tril_indices", np.tril_indices, row, col, offset, dtype, device, requires_grad)


@partial(Composite, front=ranges.triu_indices)
def triu_indices(row, col, offset=0, *, dtype=dtypes.int64, device=None, requires_grad=False, layout=None,
                 pin_memory=False):
    """The positions on and above the ``offset``-th diagonal of a ``row`` by ``col`` matrix: row numbers, column
    numbers.

    >>> torch.triu_indices(2, 3)
    tensor([[0, 0, 0, 1, 1],
            [0, 1, 2, 1, 2]])
    """
    return _triangle("triu_indices", np.triu_indices, row, col, offset, dtype, device, requires_grad)


def _triangle(function, positions, row, col, offset, dtype, device, requires_grad):
    kind = options(function, dtype, device, requires_grad)
    if kind not in (dtypes.int32, dtypes.int64):
        raise error("MG202", f'"{function}" not implemented for {kind!r}: take torch.int64')
    row, col = (integer(function, name, n, 0) for name, n in (("row", row), ("col", col)))
    return finished(np.stack(positions(row, integer(function, "offset", offset), col)).astype(kind.numpy), device)
