"""Views whose elements overlap: unfold, and as_strided, which can make any view.

One number in memory is then several elements of the result, and its gradient is the sum of theirs:
where the transposes in slicing.py write into zeros, those here add.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.frontends import reshaping
from minigrad._core.graph import Tensor
from minigrad._core.graph.view_geometry import address
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.reductions.array_sums import total
from minigrad._core.kernels.shapes.strided_views import lies_at

from .. import kinds
from ..formats import owner_of, strided
from ..composites import composite, in_place
from .slicing import not_the_shape_of_the_part
from ..arguments import as_counts, at, ints, one_dim


# ------------------------------------------------------------------------------ windows

def unfold_kernel(self, dimension, size, step):
    if not self.ndim:
        return unfold_kernel(self.reshape(1), one_dim(dimension, 0, "unfold"), size, step)[0]
    axis = dimension
    have = self.shape[axis]
    if size < 0:
        raise error("MG204", f"unfold(): size is {size} but must be >= 0")
    if size > have:
        raise error("MG204", f"unfold(): maximum size for tensor at dimension {axis} is {have} but size is {size}")
    if step <= 0:
        raise error("MG204", f"unfold(): step is {step} but must be > 0")
    shape, strides = list(self.shape), list(self.strides)
    shape[axis] = (have - size) // step + 1
    strides.append(strides[axis])
    strides[axis] *= step
    return strided(self, shape + [size], strides)


def unfold_backward_kernel(grad, input_sizes, dimension, size, step):
    out = np.zeros(input_sizes or (1,), grad.dtype)
    axis = dimension if input_sizes else 0
    grad = grad if input_sizes else grad[None]
    windows = grad.shape[axis]
    for k in range(size):           # the k-th element of all windows at once: they do not overlap
        out[at(axis, slice(k, k + (windows - 1) * step + 1, step))] += grad[..., k]
    return out.reshape(input_sizes)


unfold = kinds.view("unfold(Tensor self, Dim dimension, int size, int step)", unfold_kernel,
                    self=lambda d, self_shape, dimension, size, step:
                    unfold_backward(d, self_shape, dimension, size, step),
                    fast=kernels.unfold, least_dims=1,
                    doc="""
All windows of ``size`` elements along a dim, ``step`` apart; the window is the last dim.  A view.

>>> torch.arange(5).unfold(0, 3, 1)
tensor([[0, 1, 2],
        [1, 2, 3],
        [2, 3, 4]])
""")

unfold_backward = kinds.linear(
    "unfold_backward(Tensor grad, Sizes input_sizes, Dim dimension, int size, int step)", unfold_backward_kernel,
    grad=lambda d, dimension, size, step: unfold(d, dimension, size, step),
    node="UnfoldBackwardBackward0", public=False, least_dims=1,
    wide=True, fast=kernels.unfold_backward, doc="The windows added up in their places: the transpose of ``unfold``.")


# ------------------------------------------------------------------------------ any strides

# as_strided ignores the strides of its input and works on the memory behind it.  So its transpose
# needs a model of that memory: a row of zeros long enough for both, into which the gradient is added
# at the places of the output, and from which it is read at the places of the input.  If several elements
# of the input share one place (an expanded input), each gets an equal share of the sum, as in PyTorch.

def memory_of(array):
    """The memory that ``array`` is a view of, as a flat array, and the place of its first element in it."""
    base = owner_of(array)
    if base is array:
        return array.ravel("K"), 0
    start = address(array) - address(base)
    return base.ravel("K").view(array.dtype), start // array.itemsize


def places(size, stride, offset):
    """For each element of an array of this geometry, its place in memory."""
    if 0 in size:                   # whose other sizes may be larger than any memory
        return np.empty(size, np.int64)
    out = np.full((), offset, np.int64)
    for n, step in zip(size, stride):
        out = out[..., None] + np.arange(n) * step
    return out


def as_strided_kernel(self, size, stride, storage_offset, self_stride, self_offset):
    if len(size) != len(stride):
        raise strides_do_not_match(size, stride)
    if min(stride, default=0) < 0:
        raise negative_stride(stride)
    storage_offset = self_offset if storage_offset is None else storage_offset
    if storage_offset < 0:
        raise error("MG204", f"as_strided(): invalid storage offset {storage_offset}")
    memory, _ = memory_of(self)
    last = storage_offset + sum([(n - 1) * step for n, step in zip(size, stride)])
    if 0 not in size and last >= memory.size:
        raise beyond_the_memory(size, stride, storage_offset, last, self.itemsize, memory.nbytes)
    return strided(memory[storage_offset:], size, [step * self.itemsize for step in stride])


def through_memory(array, written, read, shared):
    """``array`` added to memory at the places ``written``, read at ``read``, and divided among those in ``shared``."""
    room = 1 + max(written.max(initial=0), read.max(initial=0))
    memory = np.zeros(room, array.dtype)
    np.add.at(memory, written.reshape(-1), array.reshape(-1))
    owners = np.bincount(as_counts(shared.reshape(-1)), minlength=room)
    if owners.max() > 1:
        memory /= np.maximum(owners, 1).astype(memory.real.dtype)
    return memory[read]


def as_strided_backward_kernel(grad, self_sizes, size, stride, storage_offset, self_stride, self_offset):
    if not grad.size:               # whose sum over some dims may be larger than any memory
        return np.zeros(self_sizes, grad.dtype)
    inside = places(self_sizes, self_stride, self_offset)
    repeated = tuple([axis for axis, step in enumerate(stride) if step == 0])
    grad, size = total(grad, repeated, True), [1 if step == 0 else n for n, step in zip(size, stride)]
    outside = places(size, stride, self_offset if storage_offset is None else storage_offset)
    return through_memory(grad, outside, inside, inside)


def own_memory(self, size, stride, storage_offset, self_stride, self_offset):
    """``self`` in memory of its own, where it lies as it is said to lie, and the part of that which the other geometry
    shows.  None where two elements of either share a place, and where the memory has more places than ``self``."""
    start = 0 if storage_offset is None else storage_offset - self_offset
    if (not self.size or 0 in size or start < 0 or len(size) != len(stride)
            or room(self.shape, self_stride) != self.size):
        return None
    if not 0 < room(size, stride) <= self.size - start:
        return None
    memory = np.empty(self.size, self.dtype)
    whole = strided(memory, self.shape, [step * self.itemsize for step in self_stride])
    whole[...] = self
    return whole, strided(memory[start:], size, [step * self.itemsize for step in stride])


def room(size, stride):
    """How many places there are from the first element to the last one, if each has its own; else 0."""
    places = 1
    for step, n in sorted([(step, n) for n, step in zip(size, stride) if n != 1]):
        if step < places:
            return 0
        places += (n - 1) * step
    return places


def as_strided_again_kernel(self, size, stride, storage_offset, self_stride, self_offset):
    found = own_memory(self, size, stride, storage_offset, self_stride, self_offset)
    if found is not None:
        return found[1].copy()
    inside = places(self.shape, self_stride, self_offset)
    outside = places(size, stride, self_offset if storage_offset is None else storage_offset)
    return through_memory(self, inside, outside, inside)


as_strided_view = kinds.view(
    "as_strided_view(Tensor self, Sizes size, int[] stride, int? storage_offset, int[] self_stride, int self_offset)",
    as_strided_kernel,
    self=lambda d, self_shape, size, stride, storage_offset, self_stride, self_offset: as_strided_backward(
        d, self_shape, size, stride, storage_offset, self_stride, self_offset),
    node="AsStridedBackward0", inplace_node="AsStridedBackward1", public=False, fast=kernels.as_strided,
    shown="as_strided", doc="``as_strided``, with arguments that say how its input lies in memory.")

as_strided_backward = kinds.linear(
    "as_strided_backward(Tensor grad, Sizes self_sizes, Sizes size, int[] stride, int? storage_offset, "
    "int[] self_stride, int self_offset)",
    as_strided_backward_kernel,
    grad=lambda d, size, stride, storage_offset, self_stride, self_offset: as_strided_again(
        d, size, stride, storage_offset, self_stride, self_offset),
    node="AsStridedBackwardBackward0", public=False, wide=True, fast=kernels.as_strided_backward,
    doc="The transpose of ``as_strided``, by a model of the memory.")

as_strided_again = kinds.linear(
    "as_strided_again(Tensor self, Sizes size, int[] stride, int? storage_offset, int[] self_stride, int self_offset)",
    as_strided_again_kernel,
    self=lambda d, self_shape, size, stride, storage_offset, self_stride, self_offset: as_strided_backward(
        d, self_shape, size, stride, storage_offset, self_stride, self_offset),
    node="AsStridedBackward0", public=False,
    shown="as_strided",
    doc="What ``as_strided`` would see if ``self`` lay in memory as its input did: the transpose of its transpose.")


# A copy of `self` in which the elements at these places are written: the same model of the memory.

def inside_and_outside(shape, size, stride, storage_offset, self_stride, self_offset):
    """The places of the elements of `self` in memory, and those of the elements that are written."""
    return (places(shape, self_stride, self_offset),
            places(size, stride, self_offset if storage_offset is None else storage_offset))


def as_strided_scatter_kernel(self, src, *geometry):
    found = own_memory(self, *geometry)
    if found is not None and src.shape == geometry[0]:
        found[1][...] = src.real if src.dtype.kind == "c" and self.dtype.kind != "c" else src
        return found[0]
    inside, outside = inside_and_outside(self.shape, *geometry)
    if src.shape != outside.shape:
        raise not_the_shape_of_the_part("as_strided_scatter", src.shape, outside.shape)
    if np.unique(outside).size < outside.size:
        raise written_twice()
    memory = np.zeros(1 + max(outside.max(initial=0), inside.max(initial=0)), self.dtype)
    memory[inside] = self
    memory[outside] = src.real if src.dtype.kind == "c" and self.dtype.kind != "c" else src
    out = self.copy(order="K")
    out[...] = memory[inside]
    return out


def as_strided_keep_kernel(self, *geometry):
    found = own_memory(self, *geometry)
    if found is not None:
        found[1][...] = self.dtype.type(0)
        return found[0]
    inside, outside = inside_and_outside(self.shape, *geometry)
    return np.where(np.isin(inside, outside), self.dtype.type(0), self)


as_strided_keep = kinds.linear(
    "as_strided_keep(Tensor self, Sizes size, int[] stride, int? storage_offset, int[] self_stride, int self_offset)",
    as_strided_keep_kernel,
    self=lambda d, size, stride, storage_offset, self_stride, self_offset: as_strided_keep(
        d, size, stride, storage_offset, self_stride, self_offset),
    public=False, batch="loop",
    shown="as_strided", doc="A copy with zeros in places of the memory: what ``as_strided_scatter`` keeps.")

as_strided_scatter_at = kinds.linear(
    "as_strided_scatter_at(Tensor self, Tensor src, Sizes size, int[] stride, int? storage_offset, int[] self_stride, "
    "int self_offset)",
    as_strided_scatter_kernel,
    self=lambda d, size, stride, storage_offset, self_stride, self_offset: as_strided_keep(
        d, size, stride, storage_offset, self_stride, self_offset),
    src=lambda d, size, stride, storage_offset, self_stride, self_offset: as_strided_again(
        d, size, stride, storage_offset, self_stride, self_offset),
    node="AsStridedScatterBackward0", public=False, batch="loop",
    shown="as_strided_scatter", doc="``as_strided_scatter``, with arguments that say how its input lies in memory.")


def as_strided_arguments(op, self, size, stride, storage_offset):
    """What the row takes after the tensor, which includes how the tensor lies in memory."""
    array = self._array
    if not isinstance(array, np.ndarray):
        raise no_memory(op)
    return ints(op, "size", (size,)), ints(op, "stride", (stride,)), storage_offset, *lies_at(array)


def as_strided_copied(op, self, size, stride, storage_offset):
    """What ``as_strided`` shows of a tensor inside a transform, read in the model of the memory of one example."""
    memory = self._array
    while isinstance(memory, Tensor):
        memory = memory._array
    steps, start = lies_at(memory)
    steps = steps[len(steps) - self.ndim:]              # the batch of vmap is in front
    size, stride = ints(op, "size", (size,)), ints(op, "stride", (stride,))
    if len(size) != len(stride):
        raise strides_do_not_match(size, stride)
    inside, outside = inside_and_outside(self.shape, size, stride, storage_offset, steps, start)
    if not np.isin(outside, inside).all():
        raise not_of_the_example(op)
    return as_strided_again(self, size, stride, storage_offset, steps, start)


@composite(out=False, front=reshaping.as_strided)
def as_strided(self, size, stride, storage_offset=None):
    """A view of the memory of ``self`` with any size, strides and offset, all in elements.

    Strides that revisit elements are allowed; their gradients add up.  The offset counts from the
    start of the memory that ``self`` is a view of; if it is left out, it is that of ``self``.

    >>> torch.arange(5.).as_strided((3, 3), (1, 1))
    tensor([[0., 1., 2.],
            [1., 2., 3.],
            [2., 3., 4.]])
    """
    return as_strided_view(self, *as_strided_arguments("as_strided", self, size, stride, storage_offset))


@composite(out=False, types="Tensor Tensor Sizes Sizes int?")
def as_strided_scatter(self, src, size, stride, storage_offset=None):
    """A copy of ``self`` with ``src`` in the places of the memory that ``as_strided`` would show.

    >>> torch.as_strided_scatter(torch.zeros(4), torch.ones(2), (2,), (2,))
    tensor([1., 0., 1., 0.])
    """
    arguments = as_strided_arguments("as_strided_scatter", self, size, stride, storage_offset)
    as_strided_kernel(self._array, *arguments)          # refuses what is beyond the memory
    return as_strided_scatter_at(self, src, *arguments)


@composite(out=False, types="Tensor Tensor Dim int? int? int")
def slice_inverse(self, src, dim=0, start=None, end=None, step=1):
    """A view of the memory of ``self`` with the geometry of ``src``: all of what ``self`` is a slice of.

    >>> x = torch.arange(4)
    >>> x[1:3].slice_inverse(x, 0, 1, 3)
    tensor([0, 1, 2, 3])
    """
    return as_strided(self, tuple(src.shape), src.stride(), src.storage_offset())


@in_place("as_strided_", function_too=True)
def as_strided_into(self, size, stride, storage_offset=None):
    """``self`` takes any size, strides and offset in its memory; all are counted in elements.

    >>> torch.arange(6).as_strided_((2, 2), (1, 3))
    tensor([[0, 3],
            [1, 4]])
    """
    return as_strided_view.inplace(self, *as_strided_arguments("as_strided_", self, size, stride, storage_offset))


# ------------------------------------------------------------------------------ errors

def strides_do_not_match(size, stride):
    return error("MG204", f"as_strided(): mismatch in length of strides and shape: got {len(size)} sizes and "
                          f"{len(stride)} strides")


def negative_stride(stride):
    return error("MG204", f"as_strided: Negative strides are not supported at the moment, got strides: {list(stride)}")


def beyond_the_memory(size, stride, offset, last, itemsize, have):
    return error("MG204", f"as_strided(): sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and "
                          f"itemsize {itemsize} requiring a storage size of {(last + 1) * itemsize} are out of bounds "
                          f"for storage of size {have}")


def written_twice():
    return error("MG204", "as_strided_scatter(): unsupported operation: more than one element of the written-to tensor "
                          "refers to a single memory location: it is not defined which of them stays")


def not_of_the_example(op):
    return error("MG117", f"{op}() reads memory beside the elements of its tensor, and a tensor inside a transform has "
                          "none of its own: use unfold, select or slicing")


def no_memory(op):
    return error("MG117", f"{op}() works on memory, and a tensor inside a transform has none of its own: use "
                          "unfold, select or slicing")
