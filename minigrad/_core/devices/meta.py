"""Tensors without data: ``device="meta"``, which has shapes, dtypes, strides and histories, and no numbers.

The payload of such a tensor is a `MetaArray` (device_arrays.py says what that is in general): an array with addresses
that nobody reads or writes, so that it may be as large as it likes.  A view of it is another part of these addresses,
and whatever asks where a tensor lies (views, writes, overlaps) is answered as for any array.  meta_functions.py says
what an operation would give.
"""

import sys
from functools import cache
from importlib import import_module

import numpy as np

from minigrad._core.devices.device_arrays import DeviceArray
from minigrad._core.errors import error

__all__ = ["MetaArray", "is_meta", "laid_out", "no_data", "unbacked"]

#: NumPy's functions that compute addresses alone
GEOMETRY = {np.may_share_memory, np.shares_memory, np.broadcast_to, np.expand_dims, np.moveaxis, np.swapaxes,
            np.transpose, np.result_type, np.ndim, np.shape, np.size, np.byte_bounds if hasattr(np, "byte_bounds")
            else np.lib.array_utils.byte_bounds, np.lib.stride_tricks.as_strided}


class MetaArray(DeviceArray):
    """An array whose elements are not there.  What would read or write them raises."""

    @classmethod
    def of(cls, array):
        return laid_out(array.shape, array.dtype, array)

    @classmethod
    def make(cls, make, shape, dtype):
        return unbacked(shape, dtype)

    def values(self, what):
        raise no_data(f"{what}()")

    def put(self, result):
        """Nothing: there is nothing to be written."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        raise no_data(f"np.{ufunc.__name__}")

    def __array_function__(self, function, types, args, kwargs):
        if function in GEOMETRY:
            return super().__array_function__(function, types, args, kwargs)
        raise no_data(f"np.{function.__name__}")

    def copy(self, order="C"):
        return laid_out(self.shape, self.dtype, self) if order == "K" else unbacked(self.shape, self.dtype)

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        return self if self.dtype == dtype and not copy else laid_out(self.shape, dtype, self)

    def _refuse(self, *args, **kwargs):
        raise no_data("reading it")

    item = tolist = tobytes = fill = __bool__ = __int__ = __float__ = __complex__ = _refuse
    __setitem__ = __array__ = nonzero = _refuse


# ------------------------------------------------------------------------------ memory that is not used

def unbacked(shape, dtype, strides=None):
    """A MetaArray: addresses of its own, which take no memory since nothing is ever written there."""
    dtype = np.dtype(dtype)
    if strides is None:
        strides, step = [], dtype.itemsize
        for n in reversed(shape):
            strides.insert(0, step)
            step *= max(n, 1)
    n = max(dtype.itemsize + sum([(n - 1) * stride for n, stride in zip(shape, strides) if n]), 1)
    if n >= Nowhere.FIRST:
        raise too_large(shape)
    try:
        memory = addresses(n)
        if memory is not None:
            return np.ndarray.__new__(MetaArray, shape, dtype, memory, 0, tuple(strides))
        return np.asarray(Nowhere(n, shape, dtype, strides)).view(dtype, MetaArray)
    except (OverflowError, ValueError):
        raise too_large(shape) from None


@cache
def asking():
    """How to ask the system for addresses: a function and what it is told, if there is one; few programs need it."""
    mmap = import_module("mmap")
    if not hasattr(mmap, "MAP_PRIVATE"):
        return None, {}
    apart = getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0)    # it has a name since 3.13
    return mmap.mmap, {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | apart}


def addresses(n):
    """``n`` bytes of addresses; None if the system has not so many, or not so many pieces.

    They would read as zeros, and the system gives them memory when they are first written to.
    """
    ask, told = asking()
    try:
        return ask and ask(-1, n, **told)
    except (OSError, OverflowError, ValueError, MemoryError):
        return None


class Nowhere:
    """Addresses beyond those of any process: each array has others, and none can be read or written."""

    next = FIRST = 1 << 62

    def __init__(self, n, shape, dtype, strides):
        Nowhere.next = Nowhere.FIRST if Nowhere.next + n >= 2 * Nowhere.FIRST else Nowhere.next
        self.__array_interface__ = {"version": 3, "shape": tuple(shape), "strides": tuple(strides),
                                    "typestr": f"|V{dtype.itemsize}", "data": (Nowhere.next, False)}
        Nowhere.next += n + -n % 64


def laid_out(shape, dtype, like):
    """A MetaArray of this shape whose dims lie in memory in the order of ``like``, an array of the same rank.

    A dim along which ``like`` stays in one place (it was expanded) does so here.
    """
    strides, step = [0] * len(shape), np.dtype(dtype).itemsize
    steps = [abs(stride) for stride in like.strides]
    for axis in sorted(range(len(shape)), key=lambda axis: (steps[axis], -axis)):
        if steps[axis] or like.shape[axis] < 2:
            strides[axis] = step
            step *= max(shape[axis], 1)
    return unbacked(shape, dtype, strides)


def is_meta(x):
    """Is this an array without data?"""
    return type(x) is MetaArray


# ------------------------------------------------------------------------------ errors


def no_data(what):
    return error("MG406", f"Cannot copy out of meta tensor; no data! {what} needs the numbers of a tensor on the "
                          "device 'meta', which has a shape and a dtype and no numbers. Make it with device='cpu', as "
                          "torch.empty_like(x, device='cpu') does")


def too_large(shape):
    return error("MG204", f"Storage size calculation overflowed: no memory has addresses for a tensor of shape "
                          f"{list(shape)}, not even on the device 'meta', where it has nothing else")
