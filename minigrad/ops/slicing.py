"""Views of a part: one index, a range, the pieces of a split, a diagonal, windows, any strides.

A part is chosen, so the gradient of the rest is zero: the transpose of each of these views writes
its gradient into zeros of the whole shape.  Where the parts overlap (``unfold``, ``as_strided``) it
adds.  ``x[0]``, ``x[1:3]`` and the like come here through indexing.py.

``unbind`` and ``split`` have several outputs.  Their formulas get a list of gradients in which None
stands for an output that nobody used, and put zeros there.
"""

from operator import index as as_int

import numpy as np

from minigrad._core.errors import error

from . import kinds
from .dims import one_dim
from .kinds import composite
from .shape import at, ints, strided

END = 2 ** 63 - 1           # how a slice without an end is recorded, as in PyTorch


# ------------------------------------------------------------------------------ one index

def select_kernel(self, dim, index):
    if not self.ndim:
        raise error("MG203", "select() cannot be applied to a 0-dim tensor.")
    axis = one_dim(dim, self.ndim, "select")
    try:
        return self[at(axis, as_int(index))] if axis else self[as_int(index), ...]
    except IndexError:
        raise error("MG206", f"select(): index {index} out of range for tensor of size {list(self.shape)} "
                             f"at dimension {axis}") from None


def zeros_with(grad, shape, key):
    """Zeros of ``shape`` with ``grad`` at ``key``."""
    out = np.zeros(shape, grad.dtype)
    out[key] = grad
    return out


select = kinds.view("select(Tensor self, int dim, int index)", select_kernel,
                    self=lambda d, self_shape, dim, index: select_backward(d, self_shape, dim, index),
                    doc="""The part at one index of ``dim``, without that dim; a view.

>>> torch.tensor([[1, 2], [3, 4]]).select(1, 0)
tensor([1, 3])
""")

select_backward = kinds.linear(
    "select_backward(Tensor grad, int[] input_sizes, int dim, int index)",
    lambda grad, input_sizes, dim, index: zeros_with(
        grad, input_sizes, at(one_dim(dim, len(input_sizes), "select_backward"), index)),
    grad=lambda d, dim, index: select(d, dim, index),
    node="SelectBackwardBackward0", public=False,
    doc="Zeros with ``grad`` at one index: the transpose of ``select``.")


# ------------------------------------------------------------------------------ ranges

def slice_kernel(self, dim, start, end, step):
    if not self.ndim:
        raise error("MG206", "slice() cannot be applied to a 0-dim tensor.")
    if step <= 0:
        raise error("MG204", f"slice step must be positive, but got {step}")
    return self[at(one_dim(dim, self.ndim, "slice"), slice(start, end, step))]


slice_ = kinds.view("slice(Tensor self, int dim, int start, int end, int step)", slice_kernel,
                    self=lambda d, self_shape, dim, start, end, step: slice_backward(d, self_shape, dim, start, end, step),
                    public=False, doc="A range of one dim; what ``x[start:end:step]`` is.")

slice_backward = kinds.linear(
    "slice_backward(Tensor grad, int[] input_sizes, int dim, int start, int end, int step)",
    lambda grad, input_sizes, dim, start, end, step: zeros_with(
        grad, input_sizes, at(one_dim(dim, len(input_sizes), "slice_backward"), slice(start, end, step))),
    grad=lambda d, dim, start, end, step: slice_(d, dim, start, end, step),
    node="SliceBackwardBackward0", public=False,
    doc="Zeros with ``grad`` in a range: the transpose of ``slice``.")


@composite()
def narrow(self, dim, start, length):
    """``length`` indices of ``dim`` from ``start`` on; a view.

    >>> torch.arange(5).narrow(0, 1, 3)
    tensor([1, 2, 3])
    """
    shape = tuple(self.shape)
    if not shape:
        raise error("MG204", "narrow() cannot be applied to a 0-dim tensor.")
    axis, length, start = one_dim(dim, len(shape), "narrow"), as_int(length), as_int(start)
    size = shape[axis]
    if length < 0:
        raise error("MG204", f"narrow(): length must be non-negative, but got {length}.")
    if not -size <= start <= size:
        raise error("MG206", f"narrow(): start out of range (expected to be in range of [{-size}, {size}], but got {start}) "
                             f"along dim {dim} of shape {list(shape)}")
    start += size if start < 0 else 0
    if start + length > size:
        raise error("MG204", f"narrow(): start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return slice_(self, dim, start, start + length, 1)


# ------------------------------------------------------------------------------ pieces

def unbind_kernel(self, dim):
    if not self.ndim:
        raise error("MG203", "Dimension specified as 0 but tensor has no dimensions: unbind() needs at least one")
    axis = one_dim(dim, self.ndim, "unbind")
    return tuple([self[at(axis, i)] if axis else self[i, ...] for i in range(self.shape[axis])])


unbind = kinds.view("unbind(Tensor self, int dim=0)", unbind_kernel,
                    outputs="list",
                    self=lambda ds, dim: unbind_backward(ds, dim),
                    doc="""All parts along ``dim``, as a tuple of views: what ``for row in x`` goes through.

>>> torch.tensor([[1, 2], [3, 4]]).unbind(1)
(tensor([1, 3]), tensor([2, 4]))
""")


def unbind_backward_kernel(grads, dim):
    given = next(grad for grad in grads if grad is not None)
    axis = one_dim(dim, given.ndim + 1, "unbind")
    out = np.zeros(given.shape[:axis] + (len(grads),) + given.shape[axis:], given.dtype)
    for i, grad in enumerate(grads):
        if grad is not None:
            out[at(axis, i)] = grad
    return out


unbind_backward = kinds.linear("unbind_backward(Tensor?[] grads, int dim)", unbind_backward_kernel,
                               grads=lambda d, dim: unbind(d, dim),
                               node="StackBackward0", public=False,
                               doc="The gradients of ``unbind`` stacked, zeros where there is none.")


def boundaries(sizes):
    """Where pieces of these sizes start and end."""
    ends = np.cumsum(sizes).tolist() if sizes else []
    return list(zip([0] + ends[:-1], ends))


def equal_sizes(total, size):
    """The sizes of the pieces that ``split`` cuts a dim into; the last may be smaller."""
    if size == 0:
        return [0]
    return [min(size, total - start) for start in range(0, total, size)] or [0]


def pieces(array, axis, sizes):
    return tuple([array[at(axis, slice(start, end))] for start, end in boundaries(sizes)])


def split_kernel(self, split_size, dim):
    if not self.ndim:
        raise error("MG204", "split expects at least a 1-dimensional tensor")
    axis = one_dim(dim, self.ndim, "split")
    if split_size < 0:
        raise error("MG204", f"split expects split_size be non-negative, but got split_size={split_size}")
    if split_size == 0 and self.shape[axis]:
        raise error("MG204", "split_size can only be 0 if dimension size is 0, but got dimension size of "
                             f"{self.shape[axis]} (dim {axis} of shape {list(self.shape)})")
    return pieces(self, axis, equal_sizes(self.shape[axis], split_size))


def split_sizes_kernel(self, split_sizes, dim):
    if not self.ndim:
        raise error("MG204", "split expects at least a 1-dimensional tensor")
    axis, sizes = one_dim(dim, self.ndim, "split_with_sizes"), list(split_sizes)
    if min(sizes, default=0) < 0:
        raise error("MG204", f"split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={sizes}")
    if sum(sizes) != self.shape[axis]:
        raise error("MG204", f"split_with_sizes expects split_sizes to sum exactly to {self.shape[axis]} (input tensor's size "
                             f"at dimension {axis}), but got split_sizes={sizes}")
    return pieces(self, axis, sizes)


def put_pieces(grads, sizes, axis, shape):
    """The given pieces in their places along ``axis`` of zeros of ``shape``."""
    dtype = next(grad.dtype for grad in grads if grad is not None)
    out = np.zeros(shape, dtype)
    for grad, (start, end) in zip(grads, boundaries(sizes)):
        if grad is not None:
            out[at(axis, slice(start, end))] = grad
    return out


def split_backward_kernel(grads, split_size, dim, self_sizes):
    axis = one_dim(dim, len(self_sizes), "split")
    return put_pieces(grads, equal_sizes(self_sizes[axis], split_size), axis, self_sizes)


split_equal = kinds.view("split_equal(Tensor self, int split_size, int dim)", split_kernel,
                         outputs="list", node="SplitBackward0", public=False,
                         self=lambda ds, split_size, dim, self_shape: split_backward(ds, split_size, dim, self_shape),
                         doc="``split`` into pieces of one size.")

split_backward = kinds.linear("split_backward(Tensor?[] grads, int split_size, int dim, int[] self_sizes)",
                              split_backward_kernel,
                              grads=lambda d, split_size, dim: split_equal(d, split_size, dim),
                              node="CatBackward0", public=False,
                              doc="The gradients of ``split`` joined, zeros where there is none.")

split_with_sizes = kinds.view(
    "split_with_sizes(Tensor self, int[] split_sizes, int dim=0)", split_sizes_kernel,
    outputs="list",
    self=lambda ds, split_sizes, dim, self_shape: split_with_sizes_backward(ds, split_sizes, dim, self_shape),
    doc="""Pieces of the given sizes along ``dim``, as a tuple of views.

>>> torch.arange(5).split_with_sizes([2, 3])
(tensor([0, 1]), tensor([2, 3, 4]))
""")

split_with_sizes_backward = kinds.linear(
    "split_with_sizes_backward(Tensor?[] grads, int[] split_sizes, int dim, int[] self_sizes)",
    lambda grads, split_sizes, dim, self_sizes: put_pieces(
        grads, list(split_sizes), one_dim(dim, len(self_sizes), "split_with_sizes"), self_sizes),
    grads=lambda d, split_sizes, dim: split_with_sizes(d, split_sizes, dim),
    node="CatBackward0", public=False,
    doc="The gradients of ``split_with_sizes`` joined, zeros where there is none.")


@composite()
def split(self, split_size_or_sections, dim=0):
    """Pieces of one size along ``dim`` (the last may be smaller), or of the sizes in a list; views.

    >>> torch.arange(5).split(2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    >>> torch.arange(5).split([1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """
    if isinstance(split_size_or_sections, (tuple, list)):
        return split_with_sizes(self, ints("split", "split_size", (split_size_or_sections,)), dim)
    return split_equal(self, as_int(split_size_or_sections), dim)


@composite()
def chunk(self, chunks, dim=0):
    """At most ``chunks`` pieces of one size along ``dim`` (the last may be smaller); views.

    >>> torch.arange(5).chunk(2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    shape = tuple(self.shape)
    if not shape:
        raise error("MG204", "chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise error("MG204", f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = shape[one_dim(dim, len(shape), "chunk")]
    if size == 0:                   # as many empty pieces as were asked for
        return split_with_sizes(self, (0,) * chunks, dim)
    return split_equal(self, -(-size // chunks), dim)


@composite()
def tensor_split(self, indices_or_sections, dim=0):
    """As many nearly equal pieces as an int says, or pieces cut at the given indices; views.

    >>> torch.arange(5).tensor_split(3)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    >>> torch.arange(5).tensor_split((1, 4))
    (tensor([0]), tensor([1, 2, 3]), tensor([4]))
    """
    shape = tuple(self.shape)
    if not shape:
        raise error("MG204", "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    size = shape[one_dim(dim, len(shape), "tensor_split")]
    if hasattr(indices_or_sections, "tolist"):
        indices_or_sections = indices_or_sections.tolist()
    if isinstance(indices_or_sections, (tuple, list)):
        cuts = list(ints("tensor_split", "indices", (indices_or_sections,)))
    else:
        sections = as_int(indices_or_sections)
        if sections <= 0:
            raise error("MG204", f"tensor_split(): number of sections must be larger than 0, got {sections}")
        small, larger = divmod(size, sections)
        cuts = [i * small + min(i, larger) for i in range(1, sections)]
    starts, ends = [0] + cuts, cuts + [size]
    return tuple([slice_(self, dim, start, end, 1) for start, end in zip(starts, ends)])


# ------------------------------------------------------------------------------ diagonals

def two_axes(op, ndim, dim1, dim2):
    first, second = one_dim(dim1, ndim, op), one_dim(dim2, ndim, op)
    if first == second:
        raise error("MG204", f"{op}(): diagonal dimensions cannot be identical {dim1}, {dim2}")
    return first, second


def diagonal_of(array, offset, first, second):
    """NumPy's diagonal, made writable again: it shares memory, and is a view like any other here."""
    out = array.diagonal(offset, first, second)
    out.flags.writeable = array.flags.writeable
    return out


def diagonal_kernel(self, offset, dim1, dim2):
    if not self.ndim:
        raise error("MG203", "diagonal() cannot be applied to a 0-dim tensor.")
    return diagonal_of(self, offset, *two_axes("diagonal", self.ndim, dim1, dim2))


def diagonal_backward_kernel(grad, input_sizes, offset, dim1, dim2):
    out = np.zeros(input_sizes, grad.dtype)
    diagonal_of(out, offset, *two_axes("diagonal_backward", out.ndim, dim1, dim2))[...] = grad
    return out


diagonal = kinds.view("diagonal(Tensor self, int offset=0, int dim1=0, int dim2=1)", diagonal_kernel,
                      self=lambda d, self_shape, offset, dim1, dim2: diagonal_backward(d, self_shape, offset, dim1, dim2),
                      doc="""The entries whose indices in two dims differ by ``offset``; they become the last dim.  A view.

>>> torch.tensor([[1, 2], [3, 4]]).diagonal(), torch.tensor([[1, 2], [3, 4]]).diagonal(1)
(tensor([1, 4]), tensor([2]))
""")

diagonal_backward = kinds.linear("diagonal_backward(Tensor grad, int[] input_sizes, int offset, int dim1, int dim2)",
                                 diagonal_backward_kernel,
                                 grad=lambda d, offset, dim1, dim2: diagonal(d, offset, dim1, dim2),
                                 node="DiagonalBackwardBackward0", public=False,
                                 doc="Zeros with ``grad`` on a diagonal: the transpose of ``diagonal``.")


# ------------------------------------------------------------------------------ windows

def unfold_kernel(self, dimension, size, step):
    axis = one_dim(dimension, self.ndim, "unfold")
    if not self.ndim:
        self = self.reshape(1)
        out = unfold_kernel(self, 0, size, step)
        return out[0]
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
    axis = one_dim(dimension, out.ndim, "unfold")
    grad = grad if input_sizes else grad[None]
    windows = grad.shape[axis]
    for k in range(size):           # the k-th element of all windows at once: they do not overlap
        out[at(axis, slice(k, k + (windows - 1) * step + 1, step))] += grad[..., k]
    return out.reshape(input_sizes)


unfold = kinds.view("unfold(Tensor self, int dimension, int size, int step)", unfold_kernel,
                    self=lambda d, self_shape, dimension, size, step: unfold_backward(d, self_shape, dimension, size, step),
                    doc="""All windows of ``size`` elements along a dim, ``step`` apart; the window is the last dim.  A view.

>>> torch.arange(5).unfold(0, 3, 1)
tensor([[0, 1, 2],
        [1, 2, 3],
        [2, 3, 4]])
""")

unfold_backward = kinds.linear(
    "unfold_backward(Tensor grad, int[] input_sizes, int dimension, int size, int step)", unfold_backward_kernel,
    grad=lambda d, dimension, size, step: unfold(d, dimension, size, step),
    node="UnfoldBackwardBackward0", public=False,
    doc="The windows added up in their places: the transpose of ``unfold``.")


# ------------------------------------------------------------------------------ any strides

# as_strided ignores the strides of its input and speaks of the memory behind it.  So its transpose
# needs a model of that memory: a row of zeros long enough for both, into which the gradient is added
# where the output lay, and from which it is read where the input lies.  Where elements of the input
# share one place (an expanded input), each gets its share of what arrived there, as in PyTorch.

def memory_of(array):
    """The memory that ``array`` is a view of, as a flat array, and the number of its first element therein."""
    base = array
    while isinstance(base.base, np.ndarray):
        base = base.base
    if base is array:
        return array.ravel("K"), 0
    start = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return base.ravel("K").view(array.dtype), start // array.itemsize


def offset_of(array):
    """PyTorch's storage_offset: the number of the first element of ``array`` in its memory."""
    return memory_of(array)[1]


def places(size, stride, offset):
    """For each element of an array of this geometry, its number in memory."""
    out = np.full((), offset, np.int64)
    for n, step in zip(size, stride):
        out = out[..., None] + np.arange(n) * step
    return out


def as_strided_kernel(self, size, stride, storage_offset, self_stride, self_offset):
    if len(size) != len(stride):
        raise error("MG204", f"as_strided(): mismatch in length of strides and shape: got {len(size)} sizes and "
                             f"{len(stride)} strides")
    if min(stride, default=0) < 0:
        raise error("MG204", f"as_strided: Negative strides are not supported at the moment, got strides: {list(stride)}")
    storage_offset = self_offset if storage_offset is None else storage_offset
    if storage_offset < 0:
        raise error("MG204", f"as_strided(): invalid storage offset {storage_offset}")
    memory, _ = memory_of(self)
    last = storage_offset + sum([(n - 1) * step for n, step in zip(size, stride)])
    if 0 not in size and last >= memory.size:
        raise error("MG204", f"as_strided(): sizes {list(size)}, strides {list(stride)}, storage offset {storage_offset}, and "
                             f"itemsize {self.itemsize} requiring a storage size of {(last + 1) * self.itemsize} are out of "
                             f"bounds for storage of size {memory.nbytes}")
    return strided(memory[storage_offset:], size, [step * self.itemsize for step in stride])


def through_memory(array, written, read, shared):
    """``array`` added to memory at the places ``written`` and read at ``read``, divided among the elements in ``shared``."""
    room = 1 + max(written.max(initial=0), read.max(initial=0))
    memory = np.zeros(room, array.dtype)
    np.add.at(memory, written.reshape(-1), array.reshape(-1))
    owners = np.bincount(shared.reshape(-1), minlength=room)
    if owners.max() > 1:
        memory /= np.maximum(owners, 1).astype(memory.real.dtype)
    return memory[read]


def as_strided_backward_kernel(grad, self_sizes, size, stride, storage_offset, self_stride, self_offset):
    inside = places(self_sizes, self_stride, self_offset)
    outside = places(size, stride, self_offset if storage_offset is None else storage_offset)
    return through_memory(grad, outside, inside, inside)


def as_strided_copy_kernel(self, size, stride, storage_offset, self_stride, self_offset):
    inside = places(self.shape, self_stride, self_offset)
    outside = places(size, stride, self_offset if storage_offset is None else storage_offset)
    return through_memory(self, inside, outside, inside)


as_strided_view = kinds.view(
    "as_strided_view(Tensor self, int[] size, int[] stride, int storage_offset, int[] self_stride, int self_offset)",
    as_strided_kernel,
    self=lambda d, self_shape, size, stride, storage_offset, self_stride, self_offset: as_strided_backward(
        d, self_shape, size, stride, storage_offset, self_stride, self_offset),
    node="AsStridedBackward0", public=False, doc="``as_strided``, which also knows how its input lies in memory.")

as_strided_backward = kinds.linear(
    "as_strided_backward(Tensor grad, int[] self_sizes, int[] size, int[] stride, int storage_offset, "
    "int[] self_stride, int self_offset)",
    as_strided_backward_kernel,
    grad=lambda d, size, stride, storage_offset, self_stride, self_offset: as_strided_copy(
        d, size, stride, storage_offset, self_stride, self_offset),
    node="AsStridedBackwardBackward0", public=False, doc="The transpose of ``as_strided``, by a model of the memory.")

as_strided_copy = kinds.linear(
    "as_strided_copy(Tensor self, int[] size, int[] stride, int storage_offset, int[] self_stride, int self_offset)",
    as_strided_copy_kernel,
    self=lambda d, self_shape, size, stride, storage_offset, self_stride, self_offset: as_strided_backward(
        d, self_shape, size, stride, storage_offset, self_stride, self_offset),
    node="AsStridedBackward0", public=False,
    doc="What ``as_strided`` would see if ``self`` lay in memory as its input did: the transpose of its transpose.")


@composite()
def as_strided(self, size, stride, storage_offset=None):
    """A view of the memory of ``self`` with any size, strides and offset, all in elements.

    Strides that revisit elements are allowed; their gradients add up.  The offset counts from the
    start of the memory that ``self`` is a view of, and is that of ``self`` where it is left out.

    >>> torch.arange(5.).as_strided((3, 3), (1, 1))
    tensor([[0., 1., 2.],
            [1., 2., 3.],
            [2., 3., 4.]])
    """
    array = self._array
    if type(array) is not np.ndarray:
        raise error("MG117", "as_strided() speaks of memory, which a tensor inside a transform does not have of its own: "
                             "use unfold, select or slicing")
    return as_strided_view(self, ints("as_strided", "size", (size,)), ints("as_strided", "stride", (stride,)), storage_offset,
                           tuple([step // array.itemsize for step in array.strides]), offset_of(array))
