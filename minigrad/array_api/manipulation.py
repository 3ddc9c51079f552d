"""Shapes, positions and order, by the standard: manipulation, indexing, searching, sorting and sets."""

from typing import NamedTuple

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap
from minigrad.array_api.dtypes import promoted
from minigrad.ops.exports import REGISTRY

__all__ = ["argmax", "argmin", "argsort", "broadcast_arrays", "broadcast_to", "concat", "count_nonzero", "diff",
           "expand_dims", "flip", "matrix_transpose", "moveaxis", "nonzero", "permute_dims", "repeat", "reshape",
           "roll", "searchsorted", "sort", "squeeze", "stack", "take", "take_along_axis", "tile", "unique_all",
           "unique_counts", "unique_inverse", "unique_values", "unstack", "where"]


def axes_of(axis):
    return axis if isinstance(axis, tuple) else (axis,)


# ------------------------------------------------------------------------------ manipulation

def broadcast_arrays(*arrays):
    """All arrays in the shape that they have together."""
    return [*REGISTRY["broadcast_tensors"](*arrays)] if arrays else []


def broadcast_to(x, /, shape):
    """The array, repeated to another shape without a copy."""
    return x.expand(shape)


def concat(arrays, /, *, axis=0):
    """The arrays one after the other along an axis; flattened ones, if that is None."""
    arrays = promoted(*arrays)
    return REGISTRY["cat"]([x.flatten() for x in arrays] if axis is None else arrays, axis or 0)


def stack(arrays, /, *, axis=0):
    """The arrays side by side along a new axis."""
    return REGISTRY["stack"](promoted(*arrays), axis)


def unstack(x, /, *, axis=0):
    """The parts of an array along an axis."""
    return x.unbind(axis)


def expand_dims(x, /, axis):
    """The array with new axes of length 1, at these places of the result."""
    rank = x.ndim + len(axes_of(axis))
    for each in axes_of(axis):
        if not -rank <= each < rank:
            raise error("MG203", f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got "
                                 f"{each}): expand_dims() makes an array with {rank} axes")
    for each in sorted([each % rank for each in axes_of(axis)]):
        x = x.unsqueeze(each)
    return x


def squeeze(x, /, axis):
    """The array without these axes, each of length 1."""
    for each in axes_of(axis):
        if x.shape[each] != 1:
            raise error("MG207", f"squeeze(): axis {each} has length {x.shape[each]}, and only axes of length 1 can be "
                                 "left out")
    return x.squeeze(axis)


def flip(x, /, *, axis=None):
    """The elements in reverse order."""
    return x.flip(tuple(range(x.ndim)) if axis is None else axis)


def moveaxis(x, source, destination, /):
    """Axes in other places."""
    return x if source == () else x.moveaxis(source, destination)


def permute_dims(x, /, axes):
    """All axes in another order."""
    return x.permute(axes)


def matrix_transpose(x, /):
    """Each matrix with rows and columns exchanged."""
    return x.mT


def repeat(x, repeats, /, *, axis=None):
    """Each element, or each part along an axis, several times."""
    if isinstance(repeats, Tensor):
        repeats = repeats.long()
    return REGISTRY["repeat_interleave"](x, repeats, dim=axis)


def reshape(x, /, shape, *, copy=None):
    """The elements in another shape; ``copy=False`` raises if they must be copied."""
    if copy:
        x = x.clone()
    return x.view(shape) if copy is False else x.reshape(shape)


def roll(x, /, shift, *, axis=None):
    """The elements, moved on; those that leave at one end come in at the other."""
    if isinstance(axis, tuple) and isinstance(shift, int):
        shift = (shift,) * len(axis)
    return x.roll(shift, axis)


def tile(x, repetitions, /):
    """The whole array, several times."""
    return x.tile(repetitions)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    """The differences between neighbours, ``n`` times."""
    return REGISTRY["diff"](x, n, axis, prepend, append)


# ------------------------------------------------------------------------------ indexing and searching

def take(x, indices, /, *, axis=None):
    """The parts with these indices along an axis."""
    if axis is None and x.ndim != 1:
        raise error("MG207", f"take(): axis must be given for an array with {x.ndim} axes")
    return x[(slice(None),) * ((axis or 0) % x.ndim) + (indices.long(),)]


def take_along_axis(x, indices, /, *, axis=-1):
    """The elements with these indices along an axis."""
    return REGISTRY["take_along_dim"](x, indices.long(), dim=axis)


def argmax(x, /, *, axis=None, keepdims=False):
    """Where the greatest element is."""
    return in_one_place("argmax", x, axis, keepdims)


def argmin(x, /, *, axis=None, keepdims=False):
    """Where the least element is."""
    return in_one_place("argmin", x, axis, keepdims)


def in_one_place(name, x, axis, keepdims):
    found = REGISTRY[name](x) if axis is None else REGISTRY[name](x, axis, keepdims)
    return found.reshape((1,) * x.ndim) if axis is None and keepdims else found


def count_nonzero(x, /, *, axis=None, keepdims=False):
    """How many elements are not zero."""
    return (x != 0).sum(axis if axis is not None else tuple(range(x.ndim)), keepdim=keepdims) if axis != () else (
        x != 0).long()


def nonzero(x, /):
    """The indices of all elements that are not zero, axis by axis."""
    if x.ndim == 0:
        raise error("MG207", "nonzero(): an array without axes has no indices")
    return x.nonzero(as_tuple=True)


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Where to insert ``x2`` into the sorted array ``x1``, so that it stays sorted."""
    x1, x2 = promoted(x1, x2)
    return REGISTRY["searchsorted"](x1, x2, side=side, sorter=None if sorter is None else sorter.long())


def where(condition, x1, x2, /):
    """Elements of ``x1`` where the condition holds, and of ``x2`` elsewhere."""
    return REGISTRY["where"](condition, *promoted(x1, x2))


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """The indices that sort the array."""
    return REGISTRY["argsort"](x, dim=axis, descending=descending, stable=stable)


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """The elements in order."""
    return REGISTRY["sort"](x, dim=axis, descending=descending, stable=stable)[0]


# ------------------------------------------------------------------------------ sets

# NumPy finds where the distinct elements are, and they are picked from the array: so gradients flow to them, complex
# numbers have an order, and each nan counts by itself, as the standard says.

class UniqueAll(NamedTuple):
    """What ``unique_all`` returns."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """What ``unique_counts`` returns."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """What ``unique_inverse`` returns."""

    values: Tensor
    inverse_indices: Tensor


def unique_all(x, /):
    """The distinct elements in order, where each comes first, which each element is, and how often each is there."""
    _, indices, inverse, counts = np.unique(x.detach().numpy(), return_index=True, return_inverse=True,
                                            return_counts=True, equal_nan=False)
    indices = wrap(indices.astype(np.int64))
    return UniqueAll(x.flatten()[indices], indices, wrap(inverse.reshape(x.shape).astype(np.int64)),
                     wrap(counts.astype(np.int64)))


def unique_counts(x, /):
    """The distinct elements in order, and how often each is there."""
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x, /):
    """The distinct elements in order, and which of them each element is."""
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x, /):
    """The distinct elements in order."""
    return unique_all(x).values
