"""Subscripts: ``x[0]``, ``x[1:, None]``, ``x[mask]``, ``x[[0, 2], :, idx]``, for reading and for writing.

An index is taken apart in two steps, as in PyTorch:

1. Ints, slices, None and Ellipsis become views, one after the other: select, slice, unsqueeze.
2. What remains, tensors and lists, becomes one read at explicit positions, the row ``index``.

    x[0, :, None, mask]   =   index(x.select(0, 0).unsqueeze(1), [None, None, mask])

So an int next to an index tensor is gone before the tensor is looked at.  (NumPy counts it as one more
index array, and puts the dims of ``x[0, :, idx]`` in another order.)

What is read and written at positions is in indexing.py.
"""

from operator import index as as_int

import numpy as np

from minigrad._core.dispatch.operands import unmasked
from minigrad._core.errors import error, warn
from minigrad._core.forward.dual_tensors import is_open
from minigrad._core.graph import Tensor, wrap
from minigrad._core.graph.listener import hears_calls
from minigrad._core.graph.saved_tensor_hooks import announce_write
from minigrad._core.graph.shared_memory import bump_version
from minigrad._core.graph.view_geometry import address
from minigrad._core.inplace.write_checks import check, check_unrecorded, warn_expanded
from minigrad._core.kernels.shapes.strided_views import another
from minigrad._core.runtime.errstate import quiet
from minigrad._core.runtime.thread_state import interpreter, is_recording, levels

from .. import composites
from ..copying import copy, fill
from ..shapes.reshaping import alias, clone, reshape_to
from ..shapes.slicing import END, select, slice_
from ..shapes.transposing import unsqueeze
from .indexing import (FULL, check_apart, fills, index, index_put_at, index_put_into, no_index, of_two_dtypes, put,
                       range_of, wrong_mask)
from ..arguments import is_half, number_for, scalar_name

INDEX_DTYPES = ("int64", "int32", "bool", "uint8")


# ------------------------------------------------------------------------------ taking a subscript apart

def acts_as_tuple(index):
    """Does this list stand for a tuple?  PyTorch's old rule: if something in it cannot be a number."""
    return type(index) is list and len(index) < 32 and any(
        [item is None or item is Ellipsis or isinstance(item, (Tensor, slice, list, tuple, np.ndarray, range))
         for item in index])


def as_array(item):
    """A list or array among the indices as an index array or mask."""
    array = np.asarray(unmasked(item, "x[i]"))
    if array.dtype.kind == "O":
        raise must_be_index(next((part for part in item if not isinstance(part, (int, np.integer))), item))
    if array.dtype.kind in "fc" and array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "biu":
        raise no_index_array(item, array.dtype)
    if array.dtype == np.uint8:
        warn_bytes()
    return another(array.astype(np.int64, copy=False) if array.dtype.kind == "i" or array.itemsize > 1 else array)


def is_mask(item):
    """Does this index, a Tensor or an array, stand for its True elements?"""
    return item.dtype.name in ("bool", "uint8")


def read_item(item):
    """One item of a subscript as an int, bool, slice, None, Ellipsis, index array or index Tensor."""
    if item is None or item is Ellipsis or isinstance(item, (bool, slice)):
        return item
    if isinstance(item, int):
        return int(item)                # of a class of its own, as in an IntEnum
    if isinstance(item, Tensor):
        if (item.dtype.name not in INDEX_DTYPES
            and (len(item.shape) or item.dtype.is_floating_point or item.dtype.is_complex)):
            raise no_index(item.dtype)
        if not len(item.shape) and (is_mask(item) or not item._level):
            return bool(item) if is_mask(item) else as_int(item)
        if is_mask(item) and item.dtype.name == "uint8":
            warn_bytes()
        return item
    if isinstance(item, (list, tuple, range, np.ndarray)):
        array = as_array(item)
        return array if array.ndim else bool(array) if array.dtype == bool else int(array)
    if isinstance(item, np.bool_):
        return bool(item)
    try:
        return as_int(item)
    except TypeError:
        raise must_be_index(item) from None


def read_slice(item):
    """start, stop and step of a slice; a missing stop is as far as possible."""
    try:
        start = 0 if item.start is None else as_int(item.start)
        stop = END if item.stop is None else as_int(item.stop)
        step = 1 if item.step is None else as_int(item.step)
    except TypeError:
        raise error("MG205", "slice indices must be integers or None or have an __index__ method") from None
    if step <= 0:
        raise error("MG207", f"step must be greater than zero, but is {step}: write x.flip(dim) to go backwards")
    return start, stop, step


def take_apart(subscript, shape):
    """The two steps of a subscript: [int, slice, None or FULL for each dim], and the index tensors for the rest.

    Everything is checked against the shape here, before anything is done, except what the index
    tensors hold.
    """
    items = [read_item(item) for item in (subscript if type(subscript) is tuple else (subscript,))]
    sizes = [0 if item is None or item is Ellipsis or isinstance(item, bool) else 1 if isinstance(item, (int, slice))
             else len(item.shape) if is_mask(item) else 1 for item in items]
    left = len(shape) - sum(sizes)
    if left < 0:
        if not shape and len(items) == 1:
            raise bounds_error(shape, 0, subscript)
        raise error("MG206", f"too many indices for tensor of dimension {len(shape)} (got {sum(sizes)})")
    views, tensors, axis, place = [], [], 0, 0         # axis: in the tensor; place: in what the views leave of it
    covered = 0                                         # how many places the index tensors so far account for
    for item, size in zip(items, sizes):
        if item is Ellipsis:
            views += [FULL] * left
            axis, place, left = axis + left, place + left, 0
        elif item is None:
            views.append(None)
            place += 1
        elif isinstance(item, slice):
            start, stop, step = read_slice(item)
            views.append(FULL if start == 0 and stop >= shape[axis] and step == 1 else slice(start, stop, step))
            axis, place = axis + 1, place + 1
        elif isinstance(item, int) and not isinstance(item, bool):
            if not -shape[axis] <= item < shape[axis]:
                raise bounds_error(shape, axis, item)
            views.append(item)
            axis += 1
        else:
            if isinstance(item, bool):                  # a new dim, of one element or none
                item, width = np.zeros(int(item), np.int64), 1
                views.append(None)
            else:
                width = size
                if is_mask(item) and tuple(item.shape) != tuple(shape[axis:axis + size]):
                    raise wrong_mask(item.shape, axis, shape)
                views += [FULL] * size
                axis += size
            tensors += [None] * (place - covered) + [item]
            place += width
            covered = place
    return views, tensors


def getitem(self, subscript):
    """``self[subscript]``: a view if the subscript has only ints, slices, None and Ellipsis, else a copy."""
    kind = type(subscript)
    if kind is int:                 # the two most common cases in loops, then the general one
        try:
            return select(self, 0, subscript)
        except IndexError:
            raise bounds_error(tuple(self.shape), 0, subscript) from None
    if kind is slice:
        return slice_(self, 0, *read_slice(subscript))
    if kind is list and acts_as_tuple(subscript):
        warn_sequence()
        subscript = tuple(subscript)
    if kind is tuple and all([type(item) is int for item in subscript]):
        try:
            result = self
            for item in subscript:
                result = select(result, 0, item)
            return result if subscript else alias(self)
        except IndexError:
            pass                    # reported below, in terms of the whole subscript
    views, tensors = take_apart(subscript, tuple(self.shape))
    result = part_of(self, views)
    if tensors:
        return index(result, [wrap(item) if type(item) is np.ndarray else item for item in tensors])
    return alias(result) if result is self else result


def part_of(self, views):
    """The ints, slices and Nones of a subscript, one view after the other; ``self`` where they change nothing."""
    result, axis = self, 0
    for view in views:
        if type(view) is int:
            result = select(result, axis, view)
            continue
        if view is None:
            result = unsqueeze(result, axis)
        elif view is not FULL:
            result = slice_(result, axis, view.start, view.stop, view.step)
        axis += 1
    return result


# ------------------------------------------------------------------------------ writing through a subscript

def check_memory(array, target, value):
    """Refuse to write where one element stands for several, or where the write changes what is still to be read."""
    if not array.flags.writeable:
        raise error("MG116", "x[i] = v: the memory of this tensor is read-only. Please clone() the tensor first.")
    if is_expanded(target):
        raise overlapping_memory()
    if value.shape != target.shape:             # repeated along a dim, as by expand(), it is not dense: a copy is made
        value = np.broadcast_to(value, target.shape)
    if address(value) != address(target):
        check_apart(target, value)


def is_expanded(array):
    return array.size and any([step == 0 and n > 1 for n, step in zip(array.shape, array.strides)])


def setitem(self, subscript, value):
    """``self[subscript] = value``: the subscript is taken apart as for reading, and the part is written to in place.

    It records that write, through a view, by ``copy_`` or, at explicit positions, ``index_put_``.  A write
    that is not recorded, as in an optimizer or when data is prepared, goes straight into the array.
    """
    if subscript is False:          # nothing is selected, and PyTorch does not even look at the value
        return
    if type(subscript) is list and acts_as_tuple(subscript):
        warn_sequence()
        subscript = tuple(subscript)
    if self._level or isinstance(value, Tensor) and value._level or levels() and is_at_level(subscript):
        write_at_level(self, subscript, value)
        return
    recorded = is_recording() and (self.requires_grad or isinstance(value, Tensor) and value.requires_grad)
    if (is_open() or recorded or not self.is_cpu or isinstance(value, Tensor) and not value.is_cpu
            or hears_calls()):
        write_recorded(self, subscript, value, recorded)
        return
    check_unrecorded(self)
    array = self._array
    views, tensors = take_apart(subscript, array.shape)
    target = array[(*views, ...)]
    fitting = fitted(array, target.shape, tensors, value._array if isinstance(value, Tensor) else value)
    (put_unrecorded if tensors else copy_unrecorded)(self, target, fitting, tensors)


@composites.composite(name="copy_", public=False)
def copy_unrecorded(self, target, fitting, tensors):
    """Write to ``target``, a part of the memory of ``self``."""
    check_memory(self._array, target, fitting)
    announce_write(self)
    with quiet():
        np.copyto(target, fitting, casting="unsafe")
    bump_version(self)


@composites.composite(name="index_put_", public=False)
def put_unrecorded(self, target, fitting, tensors):
    """The same at explicit positions."""
    check_apart(target, fitting)
    if is_expanded(target):
        warn_expanded("index_put_")
    announce_write(self)
    with quiet():
        put(target, [item._array if isinstance(item, Tensor) else item for item in tensors], fitting)
    bump_version(self)


def write_recorded(self, subscript, value, checked):
    if type(subscript) is int and isinstance(value, Tensor) and value.shape == self.shape[1:] and len(value.shape):
        copy.inplace(getitem(self, subscript), value)       # the short way for loops over rows
        return
    views, tensors = take_apart(subscript, tuple(self.shape))
    part = part_of(self, views)
    if checked:
        check("x[i] = v", part)
    fitting = fitted(self._array, tuple(part.shape), tensors, value._array if isinstance(value, Tensor) else value)
    if not tensors:
        check_memory(self._array, part._array, fitting)
    if not isinstance(value, Tensor):
        value = wrap(fitting)
    elif value.ndim > fitting.ndim:
        value = reshape_to(value, fitting.shape)
    if tensors:
        value = without_leading_ones(value)
        index_put_into(part, [wrap(item) if type(item) is np.ndarray else item for item in tensors], value)
    elif value.ndim:
        repeated = fitting.size == 1 and value is not part or fitting.shape != part.shape
        copy.inplace(part, clone(value) if repeated and np.may_share_memory(self._array, value._array) else value)
    else:
        fill.inplace(part, value)


def is_at_level(subscript):
    """Is one of the indices a tensor of a transform?"""
    return any([isinstance(item, Tensor) and item._level
                for item in (subscript if type(subscript) is tuple else (subscript,))])


def write_at_level(self, subscript, value):
    """The same inside a transform, where there may be no arrays to look at: the write itself checks its arguments."""
    if isinstance(value, Tensor) and value._level > self._level:
        interpreter(value._level).adopt(self)
    views, tensors = take_apart(subscript, tuple(self.shape))
    part = part_of(self, views)
    if not isinstance(value, Tensor):
        value = wrap(np.asarray(value, self.dtype.numpy))
    if tensors or value.ndim > part.ndim:
        value = without_leading_ones(value)
    if tensors:
        index_put_at.inplace(part, [wrap(item) if type(item) is np.ndarray else item for item in tensors], value)
    elif value.ndim:
        copy.inplace(part, value)
    else:
        fill.inplace(part, value)


def without_leading_ones(value):
    """A value may have more dims than what it is written to."""
    shape = tuple(value.shape)
    rest = shape[next((dim for dim, n in enumerate(shape) if n != 1), len(shape)):]
    return value if rest == shape else reshape_to(value, rest)


def fitted(array, shape, tensors, value):
    """``value``, a number or an array, as an array that may be written to a part of ``array`` of this shape."""
    if isinstance(value, np.generic):
        value = value.item()        # a number, which has no dtype that would have to be the destination's
    if not isinstance(unmasked(value, "x[i] = v"), np.ndarray):
        if not isinstance(value, (bool, int, float, complex)):
            raise cannot_assign(value, array.dtype)
        # one too large for 16 bits is written as inf, and only here
        wide = np.dtype(np.float64) if is_half(array.dtype) else array.dtype
        with quiet():
            value = number_for("setitem", value, wide).astype(array.dtype, copy=False)
    elif fills(tensors, value, array.dtype.kind in "cb"):
        value = value.astype(array.dtype)       # a copy: it may be one of the elements that are written to
    elif value.size == 1 and not tensors:
        value = value.copy()
    elif tensors and value.dtype != array.dtype:
        raise of_two_dtypes(array.dtype, value.dtype)
    while value.shape[:1] == (1,) and (tensors or value.ndim > len(shape)):
        value = value.reshape(value.shape[1:])          # the same memory: value[0] may be a number
    if value.dtype.kind == "c" and array.dtype.kind != "c":
        warn("Casting complex values to real discards the imaginary part")
        value = value.real
    if not tensors:
        check_fit(shape, value.shape)
    return value


def check_fit(shape, given):
    """Does a value of shape ``given`` broadcast to a part of this shape?"""
    if len(given) > len(shape):
        raise too_many_dims(shape, given)
    for back in range(1, len(given) + 1):
        if given[-back] not in (1, shape[-back]):
            raise cannot_expand(shape, given, back)


# ------------------------------------------------------------------------------ errors and warnings

def must_be_index(item):
    return error("MG206", "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
                          f"indices (got {type(item).__name__}). An index is an integer: write int(i), or i.long() "
                          "for a tensor")


def no_index_array(item, dtype):
    return error("MG206", f"tensors used as indices must be long, int, byte or bool tensors, but {item!r} holds "
                          f"{dtype}")


def bounds_error(shape, axis, item):
    if not shape:
        return error("MG206", "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in "
                              "C++ to convert a 0-dim tensor to a number")
    return error("MG206", f"index {item} is out of bounds for dimension {axis} with size "
                          f"{shape[axis]}{range_of(shape[axis])}")


def overlapping_memory():
    return error("MG116", "x[i] = v: unsupported operation: more than one element of the written-to tensor refers "
                          "to a single memory location. Please clone() the tensor before performing the operation.")


def cannot_assign(value, dtype):
    return error("MG205", f"can't assign a {type(value).__name__} to a torch.{scalar_name(dtype)}Tensor: "
                          "convert it with torch.tensor(...)")


def too_many_dims(shape, given):
    return error("MG201", f"expand(): the number of sizes provided ({len(shape)}) must be greater or equal to the "
                          f"number of dimensions in the tensor ({len(given)}): a value of shape {list(given)} does "
                          f"not fit into shape {list(shape)}")


def cannot_expand(shape, given, back):
    return error("MG201", f"The expanded size of the tensor ({shape[-back]}) must match the existing size "
                          f"({given[-back]}) at non-singleton dimension {len(shape) - back}.  Target sizes: "
                          f"{list(shape)}.  Tensor sizes: {list(given)}")


def warn_bytes():
    warn("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.")


def warn_sequence():
    warn("Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; "
         "use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, "
         "x[torch.tensor(seq)], which will result either in an error or a different result.")
