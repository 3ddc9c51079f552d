"""Subscripts: ``x[0]``, ``x[1:, None]``, ``x[mask]``, ``x[[0, 2], :, idx]``, for reading and for writing.

An index is taken apart in two steps, as in PyTorch:

1. Ints, slices, None and Ellipsis become views, one after the other: select, slice, unsqueeze.
2. What remains, tensors and lists, becomes one read at explicit positions, the row ``index``.

    x[0, :, None, mask]   =   index(x.select(0, 0).unsqueeze(1), [None, None, mask])

So an int next to an index tensor is gone before the tensor is looked at.  (NumPy counts it as one more
index array, and puts the dims of ``x[0, :, idx]`` in another order.)

The index tensors broadcast together.  The dims of their common shape go where the index tensors were, or in front if a
slice was between them.  A bool mask stands for the positions of its True elements, as many index tensors as it has
dims.  Reading one element twice adds up two gradients.
"""

import math
from operator import index as as_int

import numpy as np

from minigrad._core.quiet import quiet
from minigrad._core.operands import unmasked
from minigrad._core import kernels
from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor, wrap
from minigrad._core.sharing import bump_version
from minigrad._core.writable import check, check_unrecorded
from minigrad._core.forward import is_open
from minigrad._core.modes import interpreter, is_grad_enabled, levels
from minigrad._core.packing import announce_write
from minigrad._core.parts import address
from minigrad._core import subscripts

from .. import kinds
from ..copying import copy, fill, to_copy
from ..dims import in_single, is_half, number_for, scalar_name
from ..formats import steps
from ..shapes.broadcasting import sum_to
from ..shapes.reshaping import alias, clone, reshape_to
from ..shapes.slicing import END, select, slice_
from ..shapes.transposing import unsqueeze
from .gathering import add_at

FULL = slice(None)
INDEX_DTYPES = ("int64", "int32", "bool", "uint8")


# ------------------------------------------------------------------------------ reading at positions

def as_key(array):
    """An index array as NumPy wants it: bytes are masks here."""
    if array.dtype.kind in "bi":
        return array
    if array.dtype == np.uint8:
        return array.astype(bool)
    raise no_index(scalar_name(array.dtype))


def keys(indices):
    """The indices, each None or an array, as a NumPy index."""
    return tuple([FULL if index is None else as_key(index) for index in indices])


def index_kernel(self, indices):
    key = keys(indices)
    try:
        if key[-1] is not FULL and key[-1].dtype != bool and all([part is FULL for part in key[:-1]]):
            return self.take(key[-1], len(key) - 1)     # one index tensor: the short way
        # NumPy may leave the result in another order of memory, or return a view if no index has dims.
        return np.array(self[key], order="C", copy=None if key[-1].ndim else True)
    except (IndexError, np.exceptions.AxisError) as reason:
        raise wrong_index(self.shape, key, reason) from None


def offsets(shape, strides):
    """The offset of each element of an array of this geometry, in one row."""
    out = np.zeros(1, np.int64)
    for n, step in zip(shape, strides):
        out = (out[:, None] + np.arange(n) * step).reshape(-1)
    return out


def numbers(shape, key):
    """The number in the flat array of each element that ``array[key]`` reads, in the order in which it is read."""
    strides, axis, explicit, kept = steps(shape), 0, {}, []
    for part in key:
        if part is FULL:
            kept.append(axis)
            axis += 1
            continue
        for each in part.nonzero() if part.dtype == bool else (part,):
            explicit[axis] = np.where(each < 0, each + shape[axis], each) * strides[axis]
            axis += 1
    kept += range(axis, len(shape))
    read = sum(explicit.values()).reshape(-1)
    first, last = min(explicit), max(explicit)
    together = last - first + 1 == len(explicit)        # else their dims come first
    before = [k for k in kept if together and k < first]
    after = [k for k in kept if k not in before]
    before, after = [offsets([shape[k] for k in dims], [strides[k] for k in dims]) for dims in (before, after)]
    return before[:, None, None] + read[:, None] + after


def index_backward_kernel(grad, input_sizes, indices):
    key = keys(indices)
    if all([part is FULL or part.dtype == bool for part in key]):
        out = np.zeros(input_sizes, grad.dtype)         # masks read nothing twice
        out[key] = grad
        return out
    return add_at(input_sizes, grad.dtype, numbers(input_sizes, key), grad)


index = kinds.linear("index(Tensor self, Tensor?[] indices)", index_kernel,
                     self=lambda d, self_shape, indices: index_backward(d, self_shape, indices),
                     public=False, fast=kernels.index,
                     doc="``x[i, j]`` for index tensors; None stands for a whole dim.")

index_backward = kinds.linear("index_backward(Tensor grad, Sizes input_sizes, Tensor?[] indices)",
                              index_backward_kernel,
                              grad=lambda d, indices: index(d, indices),
                              node="IndexPutImplBackward0", public=False,
                              wide=True,
                              fast=kernels.index_backward,
                              doc="Each gradient added where its value was read: the transpose of ``index``.")


# ------------------------------------------------------------------------------ writing at positions

def index_put_kernel(self, indices, values, accumulate):
    if self.dtype != values.dtype:
        raise of_two_dtypes(self.dtype, values.dtype, "index_put(): ")
    out = self.copy()
    if not accumulate:
        put(out, indices, values)
        return out
    out, values = in_single(out), in_single(values)
    read = index_kernel(self, indices)
    try:
        values = np.broadcast_to(values, read.shape)
    except ValueError:
        raise wrong_values(values.shape, read.shape) from None
    np.add.at(out.reshape(-1), numbers(out.shape, keys(indices)).reshape(-1), values.reshape(-1))
    return out.astype(self.dtype, copy=False)


def put(target, indices, values):
    """``target[indices] = values`` on arrays, with PyTorch's errors."""
    key, shape = keys(indices), np.shape(values)
    while np.ndim(values) and len(values) == 1:         # with a mask, NumPy refuses extra dims
        values = values[0]
    try:
        target[key] = values
    except IndexError as reason:
        raise wrong_index(target.shape, key, reason) from None
    except (ValueError, TypeError):
        raise wrong_values(shape, index_kernel(target, indices).shape) from None


def index_erase_kernel(self, indices, accumulate):
    out = self.copy()
    if not accumulate:
        put(out, indices, 0)
    return out


index_put_at = kinds.linear("index_put_at(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False)",
                            index_put_kernel,
                            self=lambda d, indices, accumulate: index_erase(d, indices, accumulate),
                            values=lambda d, indices, values_shape: sum_to(index(d, indices), values_shape),
                            node="IndexPutBackward0", public=False, fast=kernels.index_put,
                            doc="``index_put`` with the indices as one tuple.")

index_erase = kinds.linear("index_erase(Tensor self, Tensor?[] indices, bool accumulate)", index_erase_kernel,
                           self=lambda d, indices, accumulate: index_erase(d, indices, accumulate),
                           node="IndexPutBackward0", public=False,
                           fast=kernels.index_erase,
                           doc="What reaches the old values: zero where they were overwritten, everything where they "
                               "were added to.")


@kinds.composite(out=False)
def index_put(self, indices, values, accumulate=False):
    """A copy of ``self`` with ``values`` written (or added, with ``accumulate``) at the positions ``indices``.

    ``indices`` is a tuple of index tensors, one for each dim from the first on.

    >>> torch.zeros(3).index_put((torch.tensor([0, 0]),), torch.tensor([1., 2.]), accumulate=True)
    tensor([3., 0., 0.])
    """
    return index_put_at(self, indices, values, accumulate)


@kinds.in_place("index_put_", function_too=True)
def index_put_into(self, indices, values, accumulate=False):
    """``values`` are written (or added, with ``accumulate``) at the positions ``indices`` of ``self``.

    >>> torch.zeros(3).index_put_((torch.tensor([0, 0]),), torch.tensor([1., 2.]), accumulate=True)
    tensor([3., 0., 0.])
    """
    if not isinstance(indices, (tuple, list)):
        raise not_a_tuple(indices)
    if isinstance(values, Tensor):
        if is_grad_enabled() and (self.requires_grad or values.requires_grad):
            check("index_put_", self)
        if fills(indices, values, self.dtype.is_complex or self.dtype.name == "bool"):
            values = to_copy(values, self.dtype)
        check_apart(self._array, values._array)
    return index_put_at.inplace(self, indices, values, accumulate)


def fills(indices, value, takes_complex):
    """Is it one value for all places of a mask?  Such a value is read first, and cast."""
    return (len(indices) == 1 and indices[0] is not None and indices[0].dtype.name in ("bool", "uint8")
            and math.prod(value.shape) == 1 and (takes_complex or not value.dtype.name.startswith("complex")))


def check_apart(array, values):
    """Refuse values that share memory with the elements they would be written to."""
    if not (isinstance(array, np.ndarray) and isinstance(values, np.ndarray)):
        return                      # inside a transform, which is refused by the write itself
    if array.flags.forc and values.flags.forc and np.may_share_memory(array, values):
        raise shared_memory()


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
    return array.astype(np.int64, copy=False) if array.dtype.kind == "i" or array.itemsize > 1 else array


def is_mask(item):
    """Does this index, a Tensor or an array, stand for its True elements?"""
    return item.dtype.name in ("bool", "uint8")


def read_item(item):
    """One item of a subscript as an int, bool, slice, None, Ellipsis, index array or index Tensor."""
    if item is None or item is Ellipsis or isinstance(item, (int, slice)):
        return item
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
    if any([step == 0 and n > 1 for n, step in zip(target.shape, target.strides)]):
        raise overlapping_memory()
    if value.shape != target.shape or not isinstance(value, np.ndarray) or address(value) != address(target):
        check_apart(target, value)


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
    recorded = is_grad_enabled() and (self.requires_grad or isinstance(value, Tensor) and value.requires_grad)
    if is_open() or recorded:
        write_recorded(self, subscript, value, recorded)
        return
    check_unrecorded(self)
    array = self._array
    views, tensors = take_apart(subscript, array.shape)
    target = array[(*views, ...)]
    fitting = fitted(array, target.shape, tensors, value._array if isinstance(value, Tensor) else value)
    (put_unrecorded if tensors else copy_unrecorded)(self, target, fitting, tensors)


@kinds.composite(name="copy_", public=False)
def copy_unrecorded(self, target, fitting, tensors):
    """Write to ``target``, a part of the memory of ``self``."""
    check_memory(self._array, target, fitting)
    announce_write(self)
    with quiet():
        np.copyto(target, fitting, casting="unsafe")
    bump_version(self)


@kinds.composite(name="index_put_", public=False)
def put_unrecorded(self, target, fitting, tensors):
    """The same at explicit positions."""
    check_apart(target, fitting)
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
        index_put_into(part, [wrap(item) if type(item) is np.ndarray else item for item in tensors], value)
    elif value.ndim:
        one_of_its_own = fitting.size == 1 and value is not part and np.may_share_memory(self._array, value._array)
        copy.inplace(part, clone(value) if one_of_its_own else value)
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
    while value.ndim > part.ndim and value.shape[0] == 1 and not tensors:
        value = reshape_to(value, tuple(value.shape[1:]))
    if tensors:
        index_put_at.inplace(part, [wrap(item) if type(item) is np.ndarray else item for item in tensors], value)
    elif value.ndim:
        copy.inplace(part, value)
    else:
        fill.inplace(part, value)


def fitted(array, shape, tensors, value):
    """``value``, a number or an array, as an array that may be written to a part of ``array`` of this shape."""
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if not isinstance(unmasked(value, "x[i] = v"), np.ndarray):
        if not isinstance(value, (bool, int, float, complex)):
            raise cannot_assign(value, array.dtype)
        # one too large for 16 bits is written as inf, and only here
        wide = np.dtype(np.float64) if is_half(array.dtype) else array.dtype
        value = number_for("setitem", value, wide).astype(array.dtype, copy=False)
    elif fills(tensors, value, array.dtype.kind in "cb"):
        value = value.astype(array.dtype)       # a copy: it may be one of the elements that are written to
    elif value.size == 1 and not tensors:
        value = value.copy()
    elif tensors and value.dtype != array.dtype:
        raise of_two_dtypes(array.dtype, value.dtype)
    while value.ndim > len(shape) and value.shape[0] == 1 and not tensors:
        value = value[0]
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


def no_index(dtype):
    return error("MG206", "tensors used as indices must be long, int, byte or bool tensors, not "
                          f"{dtype}: convert with .long(), or compare to make a mask")


def wrong_index(shape, key, reason):
    """Which part of a NumPy index does not fit an array of this shape, in PyTorch's words."""
    if hasattr(reason, "code"):
        return reason
    used = sum([1 if part is FULL or part.dtype != bool else part.ndim for part in key])
    if used > len(shape):
        return error("MG206", f"too many indices for tensor of dimension {len(shape)} (got {used})")
    axis, explicit = 0, []
    for part in key:
        if part is FULL:
            axis += 1
        elif part.dtype == bool:
            if part.shape != shape[axis:axis + part.ndim]:
                return wrong_mask(part.shape, axis, shape)
            explicit += list(part.nonzero())
            axis += part.ndim
        else:
            wrong = part[(part < -shape[axis]) | (part >= shape[axis])]
            if wrong.size:
                return error("MG206", f"index {wrong.flat[0]} is out of bounds for dimension {axis} with size "
                                      f"{shape[axis]}{_range_of(shape[axis])}")
            explicit.append(part)
            axis += 1
    given = ", ".join([str(list(part.shape)) for part in explicit])
    return error("MG206", f"shape mismatch: indexing tensors could not be broadcast together with shapes {given}")


def wrong_mask(mask_shape, axis, shape):
    return error("MG206", f"The shape of the mask {list(mask_shape)} at index {axis} does not match the shape of the "
                          f"indexed tensor {list(shape)} at index {axis}")


def of_two_dtypes(destination, source, op=""):
    return error("MG202", f"{op}Index put requires the source and destination dtypes match, got "
                          f"{scalar_name(destination)} for the destination and {scalar_name(source)} for the source.")


def wrong_values(shape, room):
    return error("MG201", f"index_put(): shape mismatch: value tensor of shape {list(shape)} cannot be broadcast to "
                          f"indexing result of shape {list(room)}")


def not_a_tuple(indices):
    return error("MG205", "index_put_(): argument 'indices' (position 1) must be tuple of Tensors, not "
                          f"{type(indices).__name__}: x.index_put_((index,), values)")


def shared_memory():
    return error("MG116", "x[i] = v: unsupported operation: some elements of the input tensor and the written-to "
                          "tensor refer to a single memory location. Please clone() the tensor before performing "
                          "the operation.")


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
                          f"{shape[axis]}{_range_of(shape[axis])}")


def _range_of(size):
    """The indices that are allowed, as the end of a message."""
    return (f": it can be from 0 to {size - 1}, or from -{size} to -1, counted from the end" if size
            else ": it has no elements")


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


subscripts.register(getitem, setitem)
