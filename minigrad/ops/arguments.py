"""What the ops share: arguments of composites, refusals, conversions to a dtype, and dims put back after a reduction.

A kernel gets sizes as tuples of Python's own ints, and axes counted from 0: the types of its schema say what a call may
give (Note [Dims become axes] in _core/dispatch/axes.pyx).  A composite has no schema, and reads its sizes and dims
here, so that a wrong one is refused in the same words everywhere, before anything is computed.
"""

from math import prod
from operator import index as as_int

import numpy as np

from minigrad._core.dispatch.axes import many_dims, one_dim, plain_ints
from minigrad._core.dispatch.compute import check_number
from minigrad._core.errors import error
from minigrad._core.errors.refusals import must_be_tensor, no_tensor_in_a_list
from minigrad._core.graph import Tensor
from minigrad._core.kernels.loops import new_ufuncs as loops
from minigrad._core.kernels.loops.copies import converted
from minigrad._core.runtime.type_promotion import scalar_name


def ints(op, argument, values, keyword=None):
    """A size or dims as a tuple of Python ints: ``f(2, 3)``, ``f((2, 3))`` and ``f(size=(2, 3))`` mean the same."""
    if keyword is not None:
        values = (keyword,)
    if not values:
        raise error("MG205", f'{op}() missing 1 required positional arguments: "{argument}"')
    if len(values) == 1 and isinstance(values[0], (tuple, list)):
        values = values[0]
    if plain_ints(values):
        return values
    try:
        return tuple([as_int(value) for value in values])
    except TypeError:
        got = ", ".join([type(value).__name__ for value in values])
        raise error("MG205", f"{op}(): argument '{argument}' must be tuple of ints, but got ({got})") from None


def check_tensors(op, tensors):
    """``tensors``, refused if one of them is not a tensor."""
    for i, tensor in enumerate(tensors):
        if not isinstance(tensor, Tensor):
            raise no_tensor_in_a_list(op, 0, i, tensor)
    return tensors


def one_int(op, argument, value):
    """``value`` as a Python int."""
    try:
        return as_int(value)
    except TypeError:
        raise error("MG205", f"{op}(): argument '{argument}' must be int, not {type(value).__name__}") from None


def each_once(op, axes):
    """The axes of a ``Dim[1]``, refused if one of them appears twice."""
    if len(set(axes)) != len(axes):
        again = next(axis for i, axis in enumerate(axes) if axis in axes[:i])
        raise error("MG204", f"{op}(): dim {again} appears multiple times in the list of dims {axes}")
    return axes


def at(axis, key):
    """The NumPy index that is ``key`` along one axis, and everything along the axes before it."""
    return (slice(None),) * axis + (key,)


def count_over(shape, axes):
    """How many elements of an array of this shape become one by a reduction over these axes; None means all."""
    return prod(shape if axes is None else [shape[axis] for axis in axes])


def common_shape(op, shapes):
    """The shape that these shapes broadcast to."""
    out = []
    for shape in shapes:
        for i in range(-1, -len(shape) - 1, -1):
            if -i > len(out):
                out.insert(0, shape[i])
            elif out[i] == 1:
                out[i] = shape[i]
            elif shape[i] not in (1, out[i]):
                raise no_common_size(op, out[i], shape[i], i % max(map(len, shapes)), shapes)
    return tuple(out)


def refuse_empty(array, axes, op):
    """Refuse a reduction without an identity (max, argmax, median ...) over no elements at all."""
    for axis in axes:
        if array.shape[axis] == 0:
            raise nothing_along(op, axis, array.shape)


def refuse_empty_whole(array, op):
    """The same for a reduction that was given no dim."""
    if not array.size:
        raise nothing_at_all(op, array.shape)


def refuse_complex(array, op):
    """Refuse complex numbers, which have no order."""
    if array.dtype.kind == "c":
        raise no_order(op)


def cast(array, dtype):
    """``array`` in a dtype (None: as it is); as in PyTorch, a real dtype drops the imaginary part."""
    if dtype is None:
        return array
    target = dtype.numpy
    if array.dtype.kind == "c" and target.kind != "c":
        array = array.real
    return array if array.dtype == target else converted(array, target)


def number_for(op, value, dtype):
    """A Python number as an element of this dtype: for integers the fraction is cut off, and no more."""
    check_number(op, value, dtype)
    if isinstance(value, complex) and dtype.kind not in "bc":
        value = value.real
    if dtype.kind in "iu":
        value = int(value)
    if dtype.kind == "u" and value < 0:         # negative ints wrap around
        value += np.iinfo(dtype).max + 1
    return np.asarray(value, dtype)


def factor(op, value, dtype):
    """``alpha``, ``beta`` or ``value``, which multiplies arrays of this dtype and does not change the dtype.

    For integers its fraction is cut off; a real dtype refuses an imaginary part.
    """
    if dtype.kind not in "biu" and not (isinstance(value, complex) and dtype.kind != "c"):
        check_number(op, value, dtype)
        return value
    return number_for(op, value, dtype)


def scalar_of(op, value, dtype):
    """A 0-d array in another dtype; like a number, it may not lose an imaginary part."""
    return (number_for(op, value.item(), dtype) if value.dtype.kind == "c" and dtype.kind not in "bc"
            else value.astype(dtype))


def between(array, least, most):
    """``array`` limited to a range, of which one end may be None; where ``least > most`` it is ``most``."""
    if array.dtype.kind in "iu":            # in one pass, and many elements at a time
        limits, of = np.iinfo(array.dtype), array.dtype.type        # np.clip would leave out an int that says nothing
        return np.clip(array, of(limits.min if least is None else least), of(limits.max if most is None else most))
    if least is not None:
        array = np.maximum(least, array)    # the second of equal numbers: -0. stays -0.
    return array if most is None else np.minimum(most, array)


def chosen(mask, x, y):
    """``np.where``: two arrays of one dtype are chosen from without a branch, which NumPy has for each element."""
    return loops.where(mask, x, y) if x.dtype == y.dtype and x.dtype.char in MOVED else np.where(mask, x, y)


#: the dtypes of which `where` has a loop (new_ufuncs.pyx), as letters of NumPy's
MOVED = "?BbhilfdF"


def is_half(dtype):
    """Whether a NumPy dtype is float16 or bfloat16, whose long sums are computed in single precision, as in PyTorch."""
    return dtype.itemsize == 2 and dtype.kind in "fV"


SINGLE = np.dtype(np.float32)


def in_single(array):
    """The array, in single precision if it is in half: for computations of more than one step."""
    return converted(np.asarray(array), SINGLE) if is_half(array.dtype) else array


def in_half(array, like):
    """What was computed of ``in_single(like)``, in the dtype of ``like``."""
    return array if array.dtype == like.dtype else converted(np.asarray(array), like.dtype)


def in_rows(array):
    """An array of this shape, laid out row by row: what PyTorch returns of a reduction, however its operand lies."""
    return np.asarray(array, order="C")


def in_int64(places):
    """Places or counts as PyTorch returns them, int64: NumPy's have the size of a pointer, in wasm 32 bits."""
    return np.asarray(places, np.int64)


def own(numbers):
    """A copy of numbers or of a mask that say which memory is touched, for a kernel that looks at them more than once.

    Another thread may write to those of a tensor at any moment, and NumPy, which looks at all indices first, would then
    follow others: Note [Read once] in _core/kernels/loops/read_once.pxd.
    """
    return numbers.copy()


def as_counts(numbers):
    """Integers as ``np.repeat`` and ``np.bincount`` take them, which refuse int64 where pointers have 32 bits."""
    return numbers.astype(np.intp, copy=False)


def restored(reduced, dim, keepdim):
    """``reduced`` with the reduced dims put back with size one: it broadcasts against the array before the reduction.

    After ``dim=None`` the array has no dims, and broadcasts as it is.
    """
    if keepdim or dim is None or not reduced.ndim:
        return reduced
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    ndim = reduced.ndim + len(dims)
    shape = list(reduced.shape)
    for axis in sorted([each % ndim for each in dims]):
        shape.insert(axis, 1)
    return reduced.reshape(shape)


# ------------------------------------------------------------------------------ errors

def must_be_tensors(op, **arguments):
    """The error for the first of these arguments of a composite that is not a tensor."""
    for position, (name, given) in enumerate(arguments.items()):
        if not isinstance(given, Tensor):
            return must_be_tensor(op, name, position + 1, given)


def no_common_size(op, one, other, axis, shapes):
    given = ", ".join([str(list(shape)) for shape in shapes])
    return error("MG201", f"{op}(): The size of tensor a ({one}) must match the size of tensor b ({other}) at "
                          f"non-singleton dimension {axis}. The shapes are {given}; counted from the last dim, sizes "
                          "must be equal or one of them 1.")


def nothing_along(op, axis, shape):
    return error("MG206", f"{op}(): Expected reduction dim {axis} to have non-zero size. The tensor has shape "
                          f"{shape}, and there is no {op} of no elements")


def nothing_at_all(op, shape):
    return error("MG204", f"{op}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                          f"reduction dim with the 'dim' argument. The tensor has shape {shape}")


def no_order(op):
    return error("MG202", f"{op}(): does not support complex input, because complex numbers have no order. Reduce "
                          "x.abs() or x.real instead")
