"""How elements lie in memory: steps, strides, and what a program asks for by name, ``memory_format=``.

A format is an order of the dims, from the one with the largest step to the one whose elements are neighbours.
``channels_last`` keeps the channels of one pixel together, which suits some convolutions; the shape does not change::

    shape (2, 3, 4, 5)      contiguous_format   steps (60, 20, 5, 1)
                            channels_last       steps (60, 1, 15, 3)

``preserve_format`` is not an order, but asks for that of another tensor: the function that copies knows which.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph.view_geometry import address

#: name -> the dims as they follow one another in memory; None for their own order, or that of another tensor
ORDERS = {"contiguous_format": None, "preserve_format": None, "channels_last": (0, 2, 3, 1),
          "channels_last_3d": (0, 2, 3, 4, 1)}


def format_name(op, memory_format):
    """The name of a ``memory_format`` argument, which is a constant of that name or None."""
    name = "preserve_format" if memory_format is None else str(memory_format).removeprefix("torch.")
    if name not in ORDERS:
        raise no_format(op, memory_format)
    return name


def empty_in(op, shape, dtype, name, empty=np.empty):
    """An uninitialized array of this shape, in the format of this name; ``empty`` makes one."""
    order = ORDERS[name]
    if order is None:
        return empty(shape, dtype)
    if len(order) != len(shape):
        raise wrong_rank(op, order, name, shape)
    return empty([shape[axis] for axis in order], dtype).transpose(np.argsort(order))


def lies_in(array, name):
    """Do the elements lie in memory in the format of this name?"""
    order = ORDERS[name]
    if order is None:
        return array.flags.c_contiguous
    return len(order) == array.ndim and array.transpose(order).flags.c_contiguous


def steps(shape):
    """For each axis of a contiguous array, how many elements lie between neighbours."""
    out, step = [], 1
    for size in reversed(shape):
        out.append(step)
        step *= size
    return out[::-1]


def owner_of(array):
    """The array that owns the memory of this one."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def strided(array, shape, strides, dtype=None):
    """A view that begins at the first element of ``array``, with these strides in bytes.

    This is ten times faster than NumPy's as_strided, and ``base`` leads to the memory, which as_strided hides.
    """
    dtype = array.dtype if dtype is None else dtype
    if array.flags.c_contiguous:
        return np.ndarray(shape, dtype, array, 0, strides)
    memory = owner_of(array).ravel("K")
    if not np.may_share_memory(memory, array):          # the owner has gaps: its memory is not NumPy's
        return np.lib.stride_tricks.as_strided(array if dtype == array.dtype else array.real, shape, strides)
    start = address(array) - address(memory)
    return np.ndarray(shape, dtype, memory.view(np.uint8), start, strides)


# ------------------------------------------------------------------------------ errors

def no_format(op, memory_format):
    return error("MG205", f"{op}(): argument 'memory_format' must be torch.memory_format, not "
                          f"{type(memory_format).__name__}: it is one of "
                          f"{', '.join(['torch.' + known for known in ORDERS])}")


def wrong_rank(op, order, name, shape):
    return error("MG204", f"{op}(): required rank {len(order)} tensor to use {name} format, but the shape is "
                          f"{list(shape)}")


def outer_first(array):
    """The dims in their order in memory, the one with the longest stride first.

    An expanded dimension (stride 0) does not affect the order, and stays where it is.
    """
    strides = [abs(stride) for stride in array.strides]
    inner_first = list(reversed(range(array.ndim)))
    for i in range(1, array.ndim):              # PyTorch's insertion sort, to the letter
        for j in reversed(range(i)):
            here, there = inner_first[i], inner_first[j]
            if strides[here] == 0 or strides[there] == 0:
                continue
            if (strides[there], array.shape[there]) > (strides[here], array.shape[here]):
                inner_first[i], inner_first[j] = there, here
                i = j
            elif strides[there] < strides[here]:
                break
    return inner_first[::-1]
