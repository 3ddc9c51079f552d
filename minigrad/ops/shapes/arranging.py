"""New tensors from the elements of one: repeated, reversed, shifted, cut, put on a diagonal.

All of these are linear and move elements without changing them, so each formula moves the gradient
back: ``repeat`` sums it, ``flip`` flips it again, ``tril`` cuts it the same way.

Neighbours: joining.py (from several tensors), transposing.py and slicing.py (views of the same memory).
"""

import math
import sys

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.reductions.array_sums import total

from .. import kinds
from ..composites import composite
from ..formats import outer_first
from .copies import diagonal_copy
from .reshaping import reshaped
from .slicing import diagonal, diagonal_of
from ..arguments import each_once, ints


def in_order(array):
    """The elements in memory as their dims follow one another, which is how the results here lie."""
    return np.array(array, order="C", copy=None)


# ------------------------------------------------------------------------------ repeating

def repeat_kernel(self, repeats):
    if len(repeats) < self.ndim:
        raise too_few_repeats(repeats, self.shape)
    if min(repeats, default=0) < 0:
        raise negative_repeats(repeats, self.shape)
    # NumPy does not notice it where sizes have 32 bits, and writes beyond the end.
    if math.prod(repeats) * self.nbytes > sys.maxsize:
        raise too_many_repeats(repeats, self.shape)
    return np.tile(self, repeats) if repeats else self.copy()


def repeat_backward_kernel(grad, repeats, input_sizes):
    sizes = (1,) * (len(repeats) - len(input_sizes)) + tuple(input_sizes)
    apart, added = [], []
    for times, size in zip(repeats, sizes):
        if times != 1:                  # an array has no more than 64 dims: none is spent on what was not repeated
            added.append(len(apart))
            apart.append(times)
        apart.append(size)
    return total(grad.reshape(apart), tuple(added)).reshape(input_sizes)


repeat = kinds.linear("repeat(Tensor self, int... repeats)", repeat_kernel,
                      self=lambda d, repeats, self_shape: repeat_backward(d, repeats, self_shape),
                      out=False, fast=kernels.repeat, doc="""
Copies of the tensor side by side, as many along each dim as the numbers say; more numbers than dims make new dims.

>>> torch.tensor([1, 2]).repeat(2, 2)
tensor([[1, 2, 1, 2],
        [1, 2, 1, 2]])
""")

repeat_backward = kinds.linear("repeat_backward(Tensor grad, int[] repeats, Sizes input_sizes)", repeat_backward_kernel,
                               grad=lambda d, repeats: repeat(d, repeats),
                               public=False, doc="All copies added up: the transpose of ``repeat``.")


@composite(out=False)
def tile(self, *times, dims=None):
    """``repeat``, with 1 for each number that is missing in front.

    >>> torch.tensor([[1, 2]]).tile(2)
    tensor([[1, 2, 1, 2]])
    """
    dims = ints("tile", "dims", times, dims)
    return repeat(self, (1,) * (len(self.shape) - len(dims)) + dims)


# ------------------------------------------------------------------------------ reversing and shifting

def flip_kernel(self, dims):
    axes = each_once("flip", dims)
    return np.flip(self, axes).copy() if self.ndim else self.copy()


flip = kinds.linear("flip(Tensor self, Dim... dims)", flip_kernel,
                    self=lambda d, dims: flip(d, dims),
                    out=False, fast=kernels.flip,
                    layout="self", doc="""A copy with the order of the elements reversed along the given dims.

>>> torch.tensor([[1, 2], [3, 4]]).flip(0)
tensor([[3, 4],
        [1, 2]])
""")


@composite(out=False)
def fliplr(self):
    """A copy with the columns in reverse order.

    >>> torch.tensor([[1, 2], [3, 4]]).fliplr()
    tensor([[2, 1],
            [4, 3]])
    """
    if len(self.shape) < 2:
        raise error("MG204", f"fliplr(): Input must be >= 2-d., but has shape {list(self.shape)}")
    return flip(self, 1)


@composite(out=False)
def flipud(self):
    """A copy with the rows in reverse order.

    >>> torch.tensor([[1, 2], [3, 4]]).flipud()
    tensor([[3, 4],
            [1, 2]])
    """
    if not len(self.shape):
        raise error("MG204", "flipud(): Input must be >= 1-d., but has no dims")
    return flip(self, 0)


def rot90_kernel(self, k, dims):
    if len(dims) != 2:
        raise error("MG204", f"rot90(): expected total rotation dims == 2, but got dims = {len(dims)}")
    if self.ndim < 2:
        raise error("MG204", f"rot90(): expected total dims >= 2, but got total dims = {self.ndim}")
    if dims[0] == dims[1]:
        raise one_dim_twice(dims)
    k %= 4
    if not k:
        return self.copy()
    order = outer_first(self)
    flipped = np.flip(self, dims if k == 2 else dims[k % 3]).transpose(order).copy().transpose(np.argsort(order))
    return flipped if k == 2 else np.swapaxes(flipped, *dims)


rot90 = kinds.linear("rot90(Tensor self, int k=1, Dim[1] dims=(0, 1))", rot90_kernel,
                     self=lambda d, k, dims: rot90(d, -k, dims),
                     out=False, least_dims=2,
                     fast=kernels.rot90,
                     doc="""A copy turned by ``k`` quarter turns, from the first dim towards the second.

>>> torch.tensor([[1, 2], [3, 4]]).rot90()
tensor([[2, 4],
        [1, 3]])
""")


def roll_kernel(self, shifts, dims):
    dims = dims or ()
    if not len(shifts):
        raise error("MG204", "roll(): `shifts` required")
    if not len(dims) and len(shifts) == 1:
        return np.roll(in_order(self), shifts[0])
    if len(shifts) != len(dims):
        raise error("MG204", f"roll(): shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    if not self.ndim:
        raise error("MG206", f"roll(): Dimension specified as {dims[0]} but tensor has no dimensions")
    return np.roll(in_order(self), shifts, dims)


roll = kinds.linear("roll(Tensor self, int[1] shifts, Dim[1]? dims=())", roll_kernel,
                    self=lambda d, shifts, dims: unroll(d, shifts, dims),
                    out=False, fast=kernels.roll, layout="channels", doc="""
Elements moved by ``shifts`` places along ``dims``; those that leave at one end enter at the other.

Without ``dims``, all elements count as one row.

>>> torch.arange(5).roll(2)
tensor([3, 4, 0, 1, 2])
""")

unroll = kinds.linear("unroll(Tensor self, int[1] shifts, Dim[1]? dims)",
                      lambda self, shifts, dims: roll_kernel(self, tuple([-shift for shift in shifts]), dims),
                      self=lambda d, shifts, dims: roll(d, shifts, dims),
                      node="RollBackward0", public=False, fast=kernels.unroll, layout="channels",
                      doc="``roll`` in the other direction: its transpose.")


# ------------------------------------------------------------------------------ triangles and diagonals

def triangle(op, cut):
    """The kernel of tril and triu."""
    def kernel(self, diagonal):
        if self.ndim < 2:
            raise no_triangle(op, self.shape)
        rows, columns = self.shape[-2:]
        return cut(in_order(self), max(-rows, min(diagonal, columns)))
    return kernel


tril = kinds.linear("tril(Tensor self, int diagonal=0)", triangle("tril", np.tril),
                    self=lambda d, diagonal: tril(d, diagonal),
                    inplace=True, last_dims=2,
                    fast=kernels.tril,
                    doc="""The lower triangle of a matrix (or a batch), up to the given diagonal; zeros above it.

>>> torch.ones(2, 3).tril()
tensor([[1., 0., 0.],
        [1., 1., 0.]])
""")

triu = kinds.linear("triu(Tensor self, int diagonal=0)", triangle("triu", np.triu),
                    self=lambda d, diagonal: triu(d, diagonal),
                    inplace=True, last_dims=2,
                    fast=kernels.triu, doc="""
The upper triangle of a matrix (or a batch), from the given diagonal on; zeros below it.

>>> torch.ones(2, 3).triu(1)
tensor([[0., 1., 1.],
        [0., 0., 1.]])
""")


def diag_embed_kernel(self, offset, dim1, dim2):
    size = self.shape[-1] + abs(offset)
    shape = list(self.shape[:-1])
    for axis in sorted((dim1, dim2)):
        shape.insert(axis, size)
    out = np.zeros(shape, self.dtype)
    diagonal_of("diag_embed", out, offset, dim1, dim2)[...] = self
    return out


diag_embed = kinds.linear("diag_embed(Tensor self, int offset=0, NewDim dim1=-2, NewDim dim2=-1)", diag_embed_kernel,
                          self=lambda d, offset, dim1, dim2: diagonal(d, offset, dim1, dim2),
                          out=False, fast=kernels.diag_embed,
                          doc="""Matrices with the last dim on a diagonal and zeros elsewhere.

>>> torch.tensor([1, 2]).diag_embed()
tensor([[1, 0],
        [0, 2]])
""")

@composite(out="exact")
def diag(self, diagonal=0):
    """For a vector, the matrix with it on a diagonal; for a matrix, a copy of a diagonal.

    >>> torch.tensor([1, 2]).diag()
    tensor([[1, 0],
            [0, 2]])
    >>> torch.tensor([[1, 2], [3, 4]]).diag()
    tensor([1, 4])
    """
    ndim = len(self.shape)
    if ndim == 1:
        return diag_embed(self, diagonal)
    if ndim == 2:
        return diagonal_copy(self, diagonal)
    raise error("MG204", f"diag(): Supports 1D or 2D tensors. Got {ndim}D")


@composite(out=False)
def diagflat(self, offset=0):
    """The matrix with all elements on a diagonal.

    >>> torch.tensor([[1], [2]]).diagflat()
    tensor([[1, 0],
            [0, 2]])
    """
    return diag_embed(reshaped(self, (-1,)), offset)


# ------------------------------------------------------------------------------ errors

def too_many_repeats(repeats, shape):
    return error("MG204", f"repeat(): Storage size calculation overflowed: shape {list(shape)}, repeated "
                          f"{tuple(repeats)} times, has more elements than memory can be addressed for")


def too_few_repeats(repeats, shape):
    return error("MG204", "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
                          f"tensor: repeat{tuple(repeats)} of shape {list(shape)}")


def negative_repeats(repeats, shape):
    return error("MG204", f"Trying to create tensor with negative dimension: repeat{tuple(repeats)} of shape "
                          f"{list(shape)}")


def one_dim_twice(dims):
    return error("MG204", f"rot90(): expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = "
                          f"{dims[1]}")


def no_triangle(op, shape):
    return error("MG204", f"{op}: input tensor must have at least 2 dimensions, but has shape {list(shape)}")
