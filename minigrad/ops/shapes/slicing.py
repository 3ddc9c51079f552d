"""Views of a part: one index, a range, a diagonal.

A part is chosen, so the gradient of the rest is zero: the transpose of each of these views writes
its gradient into zeros of the whole shape.  ``x[0]``, ``x[1:3]`` and the like come here through
subscripting.py.

Neighbours: splitting.py (all parts at once), windows.py (parts that overlap).
"""

from operator import index as as_int

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table as kernels

from .. import kinds
from ..composites import composite
from ..arguments import at, one_dim

END = 2 ** 63 - 1           # how a slice without an end is recorded, as in PyTorch


# ------------------------------------------------------------------------------ writing where a view shows it

# `select_scatter` is a copy with other elements where `select` would show them; the old elements there get no gradient.
# So do `slice_scatter` and `diagonal_scatter`, for which the same two functions make the kernels.

def writing(op, shown):
    """The kernel that writes ``src`` into a copy of ``self``, where the view with the kernel ``shown`` shows it."""
    def kernel(self, src, *arguments):
        out = self.copy(order="K")
        part = shown(out, *arguments)
        if src.shape != part.shape:
            raise not_the_shape_of_the_part(op, src.shape, part.shape)
        part[...] = src.real if src.dtype.kind == "c" and out.dtype.kind != "c" else src
        return out
    return kernel


def erasing(shown):
    """The kernel that writes zeros there."""
    def kernel(self, *arguments):
        out = self.copy(order="K")
        shown(out, *arguments)[...] = 0
        return out
    return kernel


# ------------------------------------------------------------------------------ one index

def select_kernel(self, dim, index):
    if not self.ndim:
        raise error("MG203", "select() cannot be applied to a 0-dim tensor.")
    try:
        return self[at(dim, index)] if dim else self[index, ...]
    except IndexError:
        raise index_out_of_range(index, self.shape, dim) from None


def zeros_with(grad, shape, key):
    """Zeros of ``shape`` with ``grad`` at ``key``."""
    out = np.zeros(shape, grad.dtype)
    out[key] = grad
    return out


select = kinds.view("select(Tensor self, Dim dim, int index)", select_kernel,
                    self=lambda d, self_shape, dim, index: select_backward(d, self_shape, dim, index),
                    fast=kernels.select,
                    least_dims=1, doc="""The part at one index of ``dim``, without that dim; a view.

>>> torch.tensor([[1, 2], [3, 4]]).select(1, 0)
tensor([1, 3])
""")

select_backward = kinds.linear(
    "select_backward(Tensor grad, Sizes input_sizes, Dim dim, int index)",
    lambda grad, input_sizes, dim, index: zeros_with(grad, input_sizes, at(dim, index)),
    grad=lambda d, dim, index: select(d, dim, index),
    node="SelectBackwardBackward0", public=False,
    fast=kernels.select_backward, doc="Zeros with ``grad`` at one index: the transpose of ``select``.")


select_keep = kinds.linear("select_keep(Tensor self, Dim dim, int index)", erasing(select_kernel),
                           self=lambda d, dim, index: select_keep(d, dim, index),
                           public=False, least_dims=1,
                           fast=kernels.select_keep,
                           shown="select", doc="A copy with zeros at one index: what ``select_scatter`` keeps.")

select_scatter = kinds.linear("select_scatter(Tensor self, Tensor src, Dim dim, int index)",
                              writing("select_scatter", select_kernel),
                              self=lambda d, dim, index: select_keep(d, dim, index),
                              src=lambda d, dim, index: select(d, dim, index),
                              out=False, least_dims=1, fast=kernels.select_scatter,
                              doc="""A copy with ``src`` at one index of ``dim``.

>>> torch.zeros(2, 3).select_scatter(torch.ones(2), 1, 0)
tensor([[1., 0., 0.],
        [1., 0., 0.]])
""")


# ------------------------------------------------------------------------------ ranges

def slice_kernel(self, dim, start, end, step):
    if not self.ndim:
        raise error("MG206", "slice() cannot be applied to a 0-dim tensor.")
    if step <= 0:
        raise error("MG204", f"slice step must be positive, but got {step}")
    return self[at(dim, slice(start, end, step))]


slice_ = kinds.view("slice(Tensor self, Dim dim, int? start, int? end, int step)", slice_kernel,
                    self=lambda d, self_shape, dim, start, end, step:
                    slice_backward(d, self_shape, dim, start, end, step),
                    fast=kernels.slice_,
                    public=False, least_dims=1, doc="A range of one dim; what ``x[start:end:step]`` is.")

slice_backward = kinds.linear(
    "slice_backward(Tensor grad, Sizes input_sizes, Dim dim, int? start, int? end, int step)",
    lambda grad, input_sizes, dim, start, end, step: zeros_with(grad, input_sizes, at(dim, slice(start, end, step))),
    grad=lambda d, dim, start, end, step: slice_(d, dim, start, end, step),
    node="SliceBackwardBackward0", public=False,
    fast=kernels.slice_backward, doc="Zeros with ``grad`` in a range: the transpose of ``slice``.")

slice_keep = kinds.linear("slice_keep(Tensor self, Dim dim, int? start, int? end, int step)", erasing(slice_kernel),
                          self=lambda d, dim, start, end, step: slice_keep(d, dim, start, end, step),
                          public=False, least_dims=1, fast=kernels.slice_keep,
                          doc="A copy with zeros in a range: what ``slice_scatter`` keeps.")

slice_scatter = kinds.linear(
    "slice_scatter(Tensor self, Tensor src, Dim dim=0, int? start=None, int? end=None, int step=1)",
    writing("slice_scatter", slice_kernel),
    self=lambda d, dim, start, end, step: slice_keep(d, dim, start, end, step),
    src=lambda d, dim, start, end, step: slice_(d, dim, start, end, step),
    least_dims=1, fast=kernels.slice_scatter, doc="""A copy with ``src`` in a range of ``dim``.

>>> torch.zeros(2, 3).slice_scatter(torch.ones(2, 2), 1, 1)
tensor([[0., 1., 1.],
        [0., 1., 1.]])
""")


@composite(out=False)
def narrow(self, dim, start, length):
    """The part of ``dim`` that begins at ``start`` and has ``length`` indices; a view.

    >>> torch.arange(5).narrow(0, 1, 3)
    tensor([1, 2, 3])
    """
    return slice_(self, dim, *range_of(self, dim, start, length), 1)


def range_of(self, dim, start, length):
    """The first index of the part, and the first one after it."""
    shape = tuple(self.shape)
    if not shape:
        raise error("MG204", "narrow() cannot be applied to a 0-dim tensor.")
    if isinstance(start, Tensor) and (start.ndim or start.dtype.numpy.kind not in "iu"):
        raise no_start(start)
    if bool in (type(start), type(length), type(dim)):
        raise not_ints(dim, start, length)
    axis, length, start = one_dim(dim, len(shape), "narrow"), as_int(length), as_int(start)
    size = shape[axis]
    if length < 0:
        raise error("MG204", f"narrow(): length must be non-negative. It is {length}")
    if not -size <= start <= size:
        raise start_out_of_range(start, size, dim, shape)
    start += size if start < 0 else 0
    if start + length > size:
        raise error("MG204", f"narrow(): start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return start, start + length


def no_start(start):
    return error("MG204", "start must be an 0-dim integral Tensor. narrow() was given one of "
                          f"{start.dtype} with shape {list(start.shape)}")


def not_ints(*given):
    return error("MG205", "narrow() received an invalid combination of arguments - got ("
                          f"{', '.join([type(each).__name__ for each in given])}), but expected (int dim, int start, "
                          "int length) or (int dim, Tensor start, int length)")


# ------------------------------------------------------------------------------ diagonals

def diagonal_of(op, array, offset, dim1, dim2):
    """NumPy's diagonal, made writable again: it shares memory, and is a view like any other here."""
    if dim1 == dim2:
        raise error("MG204", f"{op}(): diagonal dimensions cannot be identical {dim1}, {dim2}")
    out = array.diagonal(max(-array.shape[dim1], min(offset, array.shape[dim2])), dim1, dim2)
    out.flags.writeable = array.flags.writeable
    return out


def diagonal_kernel(self, offset, dim1, dim2):
    if not self.ndim:
        raise error("MG203", "diagonal() cannot be applied to a 0-dim tensor.")
    return diagonal_of("diagonal", self, offset, dim1, dim2)


def diagonal_backward_kernel(grad, input_sizes, offset, dim1, dim2):
    out = np.zeros(input_sizes, grad.dtype)
    diagonal_of("diagonal_backward", out, offset, dim1, dim2)[...] = grad
    return out


diagonal = kinds.view("diagonal(Tensor self, int offset=0, Dim dim1=0, Dim dim2=1)", diagonal_kernel,
                      self=lambda d, self_shape, offset, dim1, dim2:
                      diagonal_backward(d, self_shape, offset, dim1, dim2),
                      fast=kernels.diagonal, least_dims=1,
                      doc="""
The entries whose indices in two dims differ by ``offset``; they become the last dim.  A view.

>>> torch.tensor([[1, 2], [3, 4]]).diagonal(), torch.tensor([[1, 2], [3, 4]]).diagonal(1)
(tensor([1, 4]), tensor([2]))
""")

diagonal_backward = kinds.linear("diagonal_backward(Tensor grad, Sizes input_sizes, int offset, Dim dim1, Dim dim2)",
                                 diagonal_backward_kernel,
                                 grad=lambda d, offset, dim1, dim2: diagonal(d, offset, dim1, dim2),
                                 node="DiagonalBackwardBackward0", public=False,
                                 fast=kernels.diagonal_backward,
                                 doc="Zeros with ``grad`` on a diagonal: the transpose of ``diagonal``.")

diagonal_keep = kinds.linear("diagonal_keep(Tensor self, int offset, Dim dim1, Dim dim2)", erasing(diagonal_kernel),
                             self=lambda d, offset, dim1, dim2: diagonal_keep(d, offset, dim1, dim2),
                             public=False, least_dims=1, fast=kernels.diagonal_keep,
                             shown="diagonal", doc="A copy with zeros on a diagonal: what ``diagonal_scatter`` keeps.")

diagonal_scatter = kinds.linear("diagonal_scatter(Tensor self, Tensor src, int offset=0, Dim dim1=0, Dim dim2=1)",
                                writing("diagonal_scatter", diagonal_kernel),
                                self=lambda d, offset, dim1, dim2: diagonal_keep(d, offset, dim1, dim2),
                                src=lambda d, offset, dim1, dim2: diagonal(d, offset, dim1, dim2),
                                out=False, least_dims=1, fast=kernels.diagonal_scatter, doc="""
A copy with ``src`` on a diagonal.

>>> torch.zeros(2, 2).diagonal_scatter(torch.tensor([1., 2.]))
tensor([[1., 0.],
        [0., 2.]])
""")


# ------------------------------------------------------------------------------ errors

def index_out_of_range(index, shape, dim):
    return error("MG206", f"select(): index {index} out of range for tensor of size {list(shape)} at dimension {dim}")


def not_the_shape_of_the_part(op, src, part):
    return error("MG204", f"{op}(): expected src to have a size equal to the slice of self. src size = "
                          f"{list(src)}, slice size = {list(part)}")


def start_out_of_range(start, size, dim, shape):
    return error("MG206", f"narrow(): start out of range (expected to be in range of [{-size}, {size}], but got "
                          f"{start}) along dim {dim} of shape {list(shape)}")
