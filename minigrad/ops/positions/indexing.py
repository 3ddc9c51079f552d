"""Elements at positions that index tensors say: the rows ``index`` and ``index_put``.

The index tensors broadcast together.  The dims of their common shape go where the index tensors were, or in front if a
slice was between them.  A bool mask stands for the positions of its True elements, as many index tensors as it has
dims.  Reading one element twice adds up two gradients.

How a subscript, ``x[1:, mask]``, becomes views and such positions is in subscripting.py.
"""

import math

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.inplace.write_checks import check
from minigrad._core.kernels import table as kernels
from minigrad._core.runtime.thread_state import is_recording

from .. import composites, kinds
from ..copying import to_copy
from ..formats import steps
from ..shapes.broadcasting import sum_to
from ..arguments import in_single, own, scalar_name

FULL = slice(None)


# ------------------------------------------------------------------------------ reading at positions

def as_key(array):
    """A copy of an index array as NumPy wants it: bytes are masks here."""
    if array.dtype.kind in "bi":
        return own(array)
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


def add_at(shape, dtype, numbers, values):
    """Zeros of ``shape`` with ``values`` added at the elements of these numbers."""
    out = np.zeros(shape, dtype)
    np.add.at(out.reshape(-1), numbers.reshape(-1), values.reshape(-1))
    return out


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
                     layout="self", doc="``x[i, j]`` for index tensors; None stands for a whole dim.")

index_backward = kinds.linear("index_backward(Tensor grad, Sizes input_sizes, Tensor?[] indices)",
                              index_backward_kernel,
                              grad=lambda d, indices: index(d, indices),
                              node="IndexPutImplBackward0", public=False,
                              wide=True,
                              fast=kernels.index_backward,
                              doc="Each gradient added where its value was read: the transpose of ``index``.")


# ------------------------------------------------------------------------------ writing at positions

def at_places(write):
    """A kernel that can write into an expanded array: ``write(array, result, *its other operands)``."""
    def marked(kernel):
        kernel.at_places = write
        return kernel

    return marked


def put_at_places(memory, result, indices, values, accumulate):
    """In the order of the indices; what is added, all together."""
    if not accumulate:
        put(memory, indices, values)
        return
    repeated = tuple([dim for dim in range(memory.ndim) if not memory.strides[dim]])
    once = memory[tuple([slice(0, 1) if dim in repeated else slice(None) for dim in range(memory.ndim)])]
    added = index_put_kernel(np.zeros(memory.shape, memory.dtype), indices, values, True)
    once[...] = (in_single(once) + in_single(added).sum(repeated, keepdims=True)).astype(memory.dtype)


@at_places(put_at_places)
def index_put_kernel(self, indices, values, accumulate):
    if self.dtype != values.dtype:
        raise of_two_dtypes(self.dtype, values.dtype, "index_put(): ")
    one_for_all = values.size == 1 and len(indices) == 1 and indices[0].dtype.kind == "b"
    if values.shape[:1] == (1,) and not one_for_all and values.ndim > (read := index_kernel(self, indices)).ndim:
        raise wrong_values(values.shape, read.shape)
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
                            shown="index_put", layout="self", doc="``index_put`` with the indices as one tuple.")

index_erase = kinds.linear("index_erase(Tensor self, Tensor?[] indices, bool accumulate)", index_erase_kernel,
                           self=lambda d, indices, accumulate: index_erase(d, indices, accumulate),
                           node="IndexPutBackward0", public=False,
                           fast=kernels.index_erase,
                           doc="What reaches the old values: zero where they were overwritten, everything where they "
                               "were added to.")


@composites.composite(out=False)
def index_put(self, indices, values, accumulate=False):
    """A copy of ``self`` with ``values`` written (or added, with ``accumulate``) at the positions ``indices``.

    ``indices`` is a tuple of index tensors, one for each dim from the first on.

    >>> torch.zeros(3).index_put((torch.tensor([0, 0]),), torch.tensor([1., 2.]), accumulate=True)
    tensor([3., 0., 0.])
    """
    if isinstance(indices, (tuple, list)) and not indices:
        raise without_indices("index_put")
    return index_put_at(self, indices, values, accumulate)


@composites.in_place("index_put_", function_too=True)
def index_put_into(self, indices, values, accumulate=False):
    """``values`` are written (or added, with ``accumulate``) at the positions ``indices`` of ``self``.

    >>> torch.zeros(3).index_put_((torch.tensor([0, 0]),), torch.tensor([1., 2.]), accumulate=True)
    tensor([3., 0., 0.])
    """
    if not isinstance(indices, (tuple, list)):
        raise not_a_tuple(indices)
    if not indices:
        raise without_indices("index_put_")
    if isinstance(values, Tensor):
        if is_recording() and (self.requires_grad or values.requires_grad):
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


# ------------------------------------------------------------------------------ errors

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
                                      f"{shape[axis]}{range_of(shape[axis])}")
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


def without_indices(op):
    return error("MG204", f"{op}(): at least one index is needed: indices is empty. Everywhere: x.copy_(values)")


def not_a_tuple(indices):
    return error("MG205", "index_put_(): argument 'indices' (position 1) must be tuple of Tensors, not "
                          f"{type(indices).__name__}: x.index_put_((index,), values)")


def shared_memory():
    return error("MG116", "x[i] = v: unsupported operation: some elements of the input tensor and the written-to "
                          "tensor refer to a single memory location. Please clone() the tensor before performing "
                          "the operation.")


def range_of(size):
    """The indices that are allowed, as the end of a message."""
    return (f": it can be from 0 to {size - 1}, or from -{size} to -1, counted from the end" if size
            else ": it has no elements")
