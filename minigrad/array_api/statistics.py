"""Reductions and running totals of the standard.

They reduce over one axis, several, all (``axis=None``) or none (``axis=()``), and keep the reduced axes if they are
asked to.  Sums of integers are int64 or uint64.
"""

from minigrad import creation, dtypes
from minigrad._core.errors import error
from minigrad.dtypes import BOOL, INT
from minigrad.ops.exports import REGISTRY

__all__ = ["all", "any", "cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var"]


def every(x, axis):
    """The axes as a tuple."""
    return tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)


def reduced(name, x, axis, keepdims, **options):
    """One of minigrad's reductions, for which an empty tuple stands for all axes."""
    return REGISTRY[name](x, every(x, axis), keepdim=keepdims, **options)


def kind_of_totals(x, dtype):
    """The dtype of a sum or product."""
    if dtype is not None or x.dtype.category not in (BOOL, INT):
        return dtype or x.dtype
    return dtypes.int64 if x.dtype.is_signed or x.dtype.category == BOOL else dtypes.uint64


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    """The sum over axes."""
    kind = kind_of_totals(x, dtype)
    return reduced("sum", x, axis, keepdims, dtype=kind) if every(x, axis) else x.to(kind, copy=True)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    """The product over axes."""
    kind = kind_of_totals(x, dtype)
    x = x.to(kind, copy=not every(x, axis))
    for each in sorted([each % x.ndim for each in every(x, axis)], reverse=True):
        x = x.prod(each, keepdim=keepdims, dtype=kind)
    return x


def max(x, /, *, axis=None, keepdims=False):
    """The greatest element over axes."""
    return reduced("amax", x, axis, keepdims) if every(x, axis) else x.clone()


def min(x, /, *, axis=None, keepdims=False):
    """The least element over axes."""
    return reduced("amin", x, axis, keepdims) if every(x, axis) else x.clone()


def mean(x, /, *, axis=None, keepdims=False):
    """The mean over axes."""
    return reduced("mean", x, axis, keepdims) if every(x, axis) else x.clone()


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The variance over axes: the squared deviations, divided by their number minus ``correction``."""
    if not every(x, axis):
        x, axis = x.unsqueeze(-1), -1
        return reduced("var", x, axis, False, correction=correction)
    return reduced("var", x, axis, keepdims, correction=correction)


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The standard deviation over axes, as for :func:`var`."""
    if not every(x, axis):
        return reduced("std", x.unsqueeze(-1), -1, False, correction=correction)
    return reduced("std", x, axis, keepdims, correction=correction)


def all(x, /, *, axis=None, keepdims=False):
    """Whether all elements over axes are true, or not zero."""
    return reduced("all", x.to(dtypes.bool_), axis, keepdims) if every(x, axis) else x.to(dtypes.bool_)


def any(x, /, *, axis=None, keepdims=False):
    """Whether any element over axes is true, or not zero."""
    return reduced("any", x.to(dtypes.bool_), axis, keepdims) if every(x, axis) else x.to(dtypes.bool_)


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """The sums up to each element along an axis; with ``include_initial``, a 0 comes first."""
    return running("cumsum", 0, x, axis, dtype, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """The products up to each element along an axis; with ``include_initial``, a 1 comes first."""
    return running("cumprod", 1, x, axis, dtype, include_initial)


def running(name, initial, x, axis, dtype, include_initial):
    if axis is None and x.ndim != 1:
        raise error("MG207", f"{name}(): axis must be given for an array with {x.ndim} axes")
    axis = axis or 0
    result = REGISTRY[name](x, axis, dtype=kind_of_totals(x, dtype))
    if not include_initial:
        return result
    first = [*result.shape]
    first[axis] = 1
    return REGISTRY["cat"]([creation.full(first, initial, dtype=result.dtype), result], axis)
