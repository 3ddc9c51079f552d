"""All parts of a tensor at once, as a tuple of views: unbind, split, chunk, tensor_split, hsplit.

These rows have several outputs.  Their formulas get a list of gradients, with None for an output that
was not used; they put zeros there, and join the pieces again.

Neighbours: slicing.py (one part), joining.py (the way back).
"""

from operator import index as as_int

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.frontends import stack_and_split as in_c
from minigrad._core.kernels import table as kernels

from .. import kinds
from ..composites import composite
from .slicing import slice_
from ..arguments import at, ints, one_dim, scalar_name


def unbind_kernel(self, dim):
    if not self.ndim:
        raise error("MG203", "Dimension specified as 0 but tensor has no dimensions: unbind() needs at least one")
    check_count("unbind", self.shape[dim])
    return tuple([self[at(dim, i)] if dim else self[i, ...] for i in range(self.shape[dim])])


unbind = kinds.view("unbind(Tensor self, Dim dim=0)", unbind_kernel,
                    fast=kernels.unbind, outputs="list",
                    self=lambda ds, dim: unbind_backward(ds, dim), least_dims=1,
                    doc="""All parts along ``dim``, as a tuple of views: ``for row in x`` iterates over them.

>>> torch.tensor([[1, 2], [3, 4]]).unbind(1)
(tensor([1, 3]), tensor([2, 4]))
""")


def unbind_backward_kernel(grads, dim):
    given = next(grad for grad in grads if grad is not None)
    out = np.zeros(given.shape[:dim] + (len(grads),) + given.shape[dim:], given.dtype)
    for i, grad in enumerate(grads):
        if grad is not None:
            out[at(dim, i)] = grad
    return out


unbind_backward = kinds.linear("unbind_backward(Tensor?[] grads, NewDim dim)", unbind_backward_kernel,
                               grads=lambda d, dim: unbind(d, dim),
                               node="StackBackward0", public=False, fast=kernels.unbind_backward,
                               doc="The gradients of ``unbind`` stacked, zeros where there is none.")


def check_count(op, n):
    """Refuse pieces whose number says that it is a mistake: they would not fit in memory."""
    if n > in_c.MOST:
        raise too_many_pieces(op, n)


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
    """Views of the array, one for each size along the axis."""
    return tuple([array[at(axis, slice(start, end))] for start, end in boundaries(sizes)])


def split_kernel(self, split_size, dim):
    if not self.ndim:
        raise error("MG204", "split expects at least a 1-dimensional tensor")
    if split_size < 0:
        raise error("MG204", f"split expects split_size be non-negative, but got split_size={split_size}")
    if split_size == 0 and self.shape[dim]:
        raise pieces_of_nothing(self.shape[dim], dim, self.shape)
    if split_size:
        check_count("split", self.shape[dim] // split_size)
    return pieces(self, dim, equal_sizes(self.shape[dim], split_size))


def split_sizes_kernel(self, split_sizes, dim):
    if not self.ndim:
        raise error("MG204", "split expects at least a 1-dimensional tensor")
    sizes = list(split_sizes)
    if min(sizes, default=0) < 0:
        raise negative_size(sizes)
    if sum(sizes) != self.shape[dim]:
        raise sizes_do_not_add_up(sizes, self.shape[dim], dim)
    return pieces(self, dim, sizes)


def put_pieces(grads, sizes, axis, shape):
    """The given pieces in their places along ``axis`` of zeros of ``shape``."""
    dtype = next(grad.dtype for grad in grads if grad is not None)
    out = np.zeros(shape, dtype)
    for grad, (start, end) in zip(grads, boundaries(sizes)):
        if grad is not None:
            out[at(axis, slice(start, end))] = grad
    return out


def split_backward_kernel(grads, split_size, dim, self_sizes):
    return put_pieces(grads, equal_sizes(self_sizes[dim], split_size), dim, self_sizes)


split_equal = kinds.view("split_equal(Tensor self, int split_size, Dim dim)", split_kernel, fast=kernels.split,
                         outputs="list", node="SplitBackward0", public=False,
                         self=lambda ds, split_size, dim, self_shape: split_backward(ds, split_size, dim, self_shape),
                         least_dims=1, shown="split", doc="``split`` into pieces of one size.")

split_backward = kinds.linear("split_backward(Tensor?[] grads, int split_size, Dim dim, Sizes self_sizes)",
                              split_backward_kernel,
                              grads=lambda d, split_size, dim: split_equal(d, split_size, dim),
                              node="CatBackward0", public=False, fast=kernels.split_backward,
                              doc="The gradients of ``split`` joined, zeros where there is none.")

split_with_sizes = kinds.view(
    "split_with_sizes(Tensor self, int[] split_sizes, Dim dim=0)", split_sizes_kernel,
    outputs="list", fast=kernels.split_with_sizes,
    self=lambda ds, split_sizes, dim, self_shape: split_with_sizes_backward(ds, split_sizes, dim, self_shape),
    least_dims=1, doc="""Pieces of the given sizes along ``dim``, as a tuple of views.

>>> torch.arange(5).split_with_sizes([2, 3])
(tensor([0, 1]), tensor([2, 3, 4]))
""")

split_with_sizes_backward = kinds.linear(
    "split_with_sizes_backward(Tensor?[] grads, int[] split_sizes, Dim dim, Sizes self_sizes)",
    lambda grads, split_sizes, dim, self_sizes: put_pieces(grads, list(split_sizes), dim, self_sizes),
    grads=lambda d, split_sizes, dim: split_with_sizes(d, split_sizes, dim),
    node="CatBackward0", public=False, fast=kernels.split_backward,
    doc="The gradients of ``split_with_sizes`` joined, zeros where there is none.")


@composite(out=False, also={"tensor": "self", "split_size": "split_size_or_sections"}, front=in_c.split)
def split(self, split_size_or_sections, dim=0):
    """Pieces of one size along ``dim`` (the last may be smaller), or of the sizes in a list; views.

    >>> torch.arange(5).split(2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    >>> torch.arange(5).split([1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """
    if isinstance(split_size_or_sections, (tuple, list)):
        return split_with_sizes(self, split_size_or_sections, dim)
    return split_equal(self, as_int(split_size_or_sections), dim)


@composite(out=False, front=in_c.chunk)
def chunk(self, chunks, dim=0):
    """At most ``chunks`` pieces of one size along ``dim`` (the last may be smaller); views.

    >>> torch.arange(5).chunk(2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    return chunked(self, chunks, dim, split_equal, split_with_sizes)


def chunked(self, chunks, dim, equal, unequal):
    """As many pieces, made by a row for pieces of one size or a row for pieces of several."""
    shape = tuple(self.shape)
    if not shape:
        raise error("MG204", "chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise error("MG204", f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = shape[one_dim(dim, len(shape), "chunk")]
    if size == 0:                   # as many empty pieces as were asked for
        check_count("chunk", chunks)
        return unequal(self, (0,) * chunks, dim)
    return equal(self, -(-size // chunks), dim)


@composite(out=False, front=in_c.tensor_split,
           also=dict.fromkeys(("sections", "indices", "tensor_indices_or_sections"), "indices_or_sections"))
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
    if isinstance(indices_or_sections, Tensor):
        indices_or_sections = read_cuts(indices_or_sections)
    elif hasattr(indices_or_sections, "tolist"):
        indices_or_sections = indices_or_sections.tolist()
    if isinstance(indices_or_sections, (tuple, list)):
        cuts = list(ints("tensor_split", "indices", (indices_or_sections,)))
    else:
        sections = number_of_sections("tensor_split", self, indices_or_sections)
        if sections <= 0:
            raise error("MG204", f"tensor_split(): number of sections must be larger than 0, got {sections}")
        check_count("tensor_split", sections)
        small, larger = divmod(size, sections)
        cuts = [i * small + min(i, larger) for i in range(1, sections)]
    starts, ends = [0] + cuts, cuts + [size]
    return tuple([slice_(self, dim, start, end, 1) for start, end in zip(starts, ends)])


def read_cuts(given):
    """A tensor of indices or of one number of sections, as Python's ints."""
    if given.dtype.numpy != np.int64:
        raise error("MG204", "tensor_split expected tensor_indices_or_sections to have dtype of long, but got "
                             f"{scalar_name(given.dtype.numpy)}")
    if given.ndim > 1:
        raise error("MG204", "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or "
                             f"one-dimensional tensor, but got a tensor with {given.ndim} dims")
    return given.tolist()


def number_of_sections(op, self, given):
    try:
        return as_int(given)
    except TypeError:
        raise error("MG205", f"{op}() received an invalid combination of arguments. It was given ("
                             f"{type(self).__name__}, {type(given).__name__}), and takes the number of sections as an "
                             "int, or the indices at which to cut as a tuple of ints") from None


def split_evenly(op, self, indices_or_sections, dim, least_dims):
    """``tensor_split`` that refuses pieces of different sizes, unless they are cut at indices."""
    shape = self.shape
    if len(shape) < least_dims:
        raise too_few_dims(op, least_dims, len(shape))
    if not isinstance(indices_or_sections, (tuple, list)):
        sections = number_of_sections(op, self, indices_or_sections)
        if sections == 0 or shape[dim] % sections:
            raise uneven(op, dim, shape[dim], sections)
    return tensor_split(self, indices_or_sections, dim)


CUTS = dict.fromkeys(("sections", "indices"), "indices_or_sections")


@composite(out=False, also=CUTS, front=in_c.hsplit)
def hsplit(self, indices_or_sections):
    """Pieces side by side, the way back from ``hstack``: as many equal ones as an int says, or cut at indices; views.

    The pieces lie along dim 1, and along dim 0 of a tensor with one dim.

    >>> torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]]).hsplit(2)
    (tensor([[1, 2],
            [5, 6]]), tensor([[3, 4],
            [7, 8]]))
    """
    return split_evenly("hsplit", self, indices_or_sections, 0 if len(self.shape) == 1 else 1, 1)


@composite(out=False, also=CUTS, front=in_c.vsplit)
def vsplit(self, indices_or_sections):
    """Pieces one below the other, along dim 0: the way back from ``vstack``. As ``hsplit`` otherwise.

    >>> torch.tensor([[1, 2], [3, 4], [5, 6]]).vsplit([1])
    (tensor([[1, 2]]), tensor([[3, 4],
            [5, 6]]))
    """
    return split_evenly("vsplit", self, indices_or_sections, 0, 2)


@composite(out=False, also=CUTS, front=in_c.dsplit)
def dsplit(self, indices_or_sections):
    """Pieces one behind the other, along dim 2: the way back from ``dstack``. As ``hsplit`` otherwise.

    >>> torch.tensor([[[1, 2], [3, 4]]]).dsplit(2)
    (tensor([[[1],
             [3]]]), tensor([[[2],
             [4]]]))
    """
    return split_evenly("dsplit", self, indices_or_sections, 2, 3)


# ------------------------------------------------------------------------------ errors

def too_many_pieces(op, n):
    return error("MG204", f"{op}(): {n} pieces are more than can be held in memory: the most are {in_c.MOST}")


def pieces_of_nothing(size, dim, shape):
    return error("MG204", f"split_size can only be 0 if dimension size is 0, but got dimension size of {size} (dim "
                          f"{dim} of shape {list(shape)})")


def negative_size(sizes):
    return error("MG204", "split_with_sizes expects split_sizes have only non-negative entries, but got "
                          f"split_sizes={sizes}")


def sizes_do_not_add_up(sizes, size, dim):
    return error("MG204", f"split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's size at "
                          f"dimension {dim}), but got split_sizes={sizes}")


def too_few_dims(op, least_dims, ndim):
    return error("MG204", f"torch.{op} requires a tensor with at least {least_dims} dimension, but got a tensor with "
                          f"{ndim} dimensions!")


def uneven(op, dim, size, sections):
    return error("MG204", f"torch.{op} attempted to split along dimension {dim}, but the size of the dimension {size} "
                          f"is not divisible by the split_size {sections}! Write tensor_split for pieces of different "
                          "sizes, or the indices to cut at")
