"""Tensors in memory of a given form: with given strides, or in memory that belongs to something else.

The strides of a tensor say how far apart neighbours lie; usually they follow from the shape.
"""

from functools import partial

import numpy as np

from minigrad import dtypes
from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error
from minigrad._core.frontends.conversions import Conversion
from minigrad._core.graph import wrap
from minigrad.creation import beside, finished, maker, maker_on, options, size_tuple, integer
from minigrad.creation.arrays import of_buffer

__all__ = ["empty_permuted", "empty_strided", "frombuffer"]


def _with_strides(function, size, stride, kind, device):
    """An array of that shape whose neighbours lie so many elements apart."""
    size = size_tuple(function, size)
    if not isinstance(stride, (tuple, list)):
        raise error("MG205", f"{function}(): argument 'stride' must be tuple of ints, not {type(stride).__name__}")
    stride = tuple([integer(function, "stride", each) for each in stride])
    if len(size) != len(stride):
        raise error("MG201", f"{function}: dimensionality of sizes ({len(size)}) must match dimensionality of strides "
                             f"({len(stride)}): a size and a stride for each dim")
    if min(stride, default=0) < 0:
        raise error("MG201", f"{function}: as_strided: Negative strides are not supported at the moment, got strides: "
                             f"{list(stride)}")
    length = 0 if 0 in size else 1 + sum([(n - 1) * step for n, step in zip(size, stride)])
    width = kind.numpy.itemsize
    memory = maker_on(device, np.empty)((length,), kind.numpy)
    return np.lib.stride_tricks.as_strided(memory, size, [step * width for step in stride], subok=True)


@maker
def empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """An uninitialized tensor with the given strides, in elements.

    >>> torch.empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
    kind = options("empty_strided", dtype, device, requires_grad)
    return wrap(_with_strides("empty_strided", size, stride, kind, device), bool(requires_grad))


@maker
def empty_permuted(size, physical_layout, *, dtype=None, layout=None, device=None, requires_grad=False,
                   pin_memory=False):
    """An uninitialized tensor without gaps, whose dims lie in memory in the order of ``physical_layout``.

    >>> torch.empty_permuted((2, 3, 4), (1, 2, 0)).stride()
    (1, 8, 2)
    """
    kind, size = options("empty_permuted", dtype, device, requires_grad), size_tuple("empty_permuted", size)
    order = size_tuple("empty_permuted", physical_layout)
    if len(order) != len(size):
        raise error("MG201", "Number of dimensions in size does not match the length of the physical_layout; i.e. "
                             f"len(size) = {len(size)} is not equal to len(physical_layout) = {len(order)}")
    if max(order, default=-1) >= len(size):
        raise error("MG204", f"Dimension out of range (expected to be between 0 and {len(size) - 1}, but got "
                             f"{max(order)}): empty_permuted was given physical_layout={list(order)}")
    if len({*order}) != len(order):
        raise error("MG204", f"Duplicate dim not allowed: empty_permuted was given physical_layout={list(order)}")
    made = np.empty([size[dim] for dim in order], kind.numpy).transpose(np.argsort(order).tolist())
    return finished(made, device, requires_grad)


@Composite
def new_empty_strided(self, size, stride, dtype=None, layout=None, device=None, pin_memory=False,
                      requires_grad=False):
    """An uninitialized tensor with the given strides and the dtype of ``self``.

    >>> torch.ones(1, dtype=torch.int64).new_empty_strided((2, 3), (1, 2)).dtype
    torch.int64
    """
    kind = options("new_empty_strided", dtype, device, requires_grad, self.dtype)
    made = _with_strides("new_empty_strided", size, stride, kind, self.device if device is None else device)
    return beside(self, made, requires_grad)


@Conversion
def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A tensor in the memory of an object that lends it, such as ``bytearray``; nothing is copied.

    Parameters
    ----------
    buffer : object
        What has Python's buffer protocol.
    dtype : torch.dtype
        What its bytes are read as.
    count : int
        The number of elements; all that there are, if it is negative.
    offset : int
        How many bytes are left out at the beginning.

    >>> memory = bytearray([1, 0, 2, 0])
    >>> x = torch.frombuffer(memory, dtype=torch.int16)
    >>> memory[0] = 7
    >>> x
    tensor([7, 2], dtype=torch.int16)
    """
    kind = dtypes.as_dtype(dtype, "frombuffer")
    if kind is None:
        raise error("MG205", 'frombuffer() missing 1 required positional arguments: "dtype"')
    count, offset = integer("frombuffer", "count", count), integer("frombuffer", "offset", offset)
    options("frombuffer", kind, None, requires_grad)
    return wrap(of_buffer(buffer, kind, count, offset), bool(requires_grad))


METHODS = {"new_empty_strided": new_empty_strided}
