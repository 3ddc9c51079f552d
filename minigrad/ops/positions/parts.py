"""Whole parts along a dim, by number: index_select, index_add, index_copy, index_fill, repeat_interleave.

``index_select`` reads rows (or columns, or slabs); its transpose adds to them, in the flat array as in
gathering.py, where single elements are chosen.
"""

import itertools
from math import comb, prod

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table as kernels

from .. import kinds
from ..composites import composite
from ..shapes.broadcasting import expand, sum_to
from ..shapes.reshaping import clone, reshaped, view
from ..shapes.transposing import unsqueeze
from .gathering import check_bounds, check_index, check_scalar
from .indexing import add_at, at_places
from ..arguments import as_counts, at, number_for, one_dim, one_int, own, scalar_name, scalar_of


def numbers_of_rows(shape, index, axis):
    """The number in a flat array of ``shape`` of each element of the parts ``index`` along ``axis``."""
    before, size, after = prod(shape[:axis]), shape[axis], prod(shape[axis + 1:])
    rows = np.arange(before)[:, None] * size + index
    return rows[:, :, None] * after + np.arange(after)


# ------------------------------------------------------------------------------ whole parts along a dim

def vector_index(op, index):
    """A copy of the index as a vector; one with more dims is refused."""
    if index.ndim > 1:
        raise error("MG206", f"{op}(): Index is supposed to be a vector, but has shape {list(index.shape)}")
    check_index(op, index)
    return own(index if index.ndim else index.reshape(1))


def index_select_kernel(self, dim, index):
    axis, index = one_dim(dim, self.ndim, "index_select"), vector_index("index_select", index)
    if self.ndim > 1 and not self.shape[axis] and index.size:
        raise error("MG204", f"index_select(): self indexing axis dim should be positive: dimension {axis} of shape "
                             f"{list(self.shape)} is empty")
    check_bounds("index_select", index, self.shape[axis] if self.ndim else 1, axis, "MG206",
                 "index out of range in self: index {} for dimension {} with size {}")
    if self.ndim:
        return self.take(index, axis)
    if index.size != 1:
        raise error("MG204", f"index_select(): Index to scalar can have only 1 value, got {index.size} value(s)")
    return self.copy()


def index_select_backward_kernel(grad, input_sizes, dim, index):
    index = index.reshape(-1)
    if not input_sizes:
        return grad.copy()
    axis = one_dim(dim, len(input_sizes), "index_select")
    return add_at(input_sizes, grad.dtype, numbers_of_rows(input_sizes, index, axis), grad)


index_select = kinds.linear("index_select(Tensor self, Dim dim, Tensor index)", index_select_kernel,
                            self=lambda d, self_shape, dim, index: index_select_backward(d, self_shape, dim, index),
                            apart=True, fast=kernels.index_select,
                            doc="""The parts along ``dim`` with the numbers in the vector ``index``.

>>> torch.tensor([[1, 2], [3, 4]]).index_select(1, torch.tensor([1, 1]))
tensor([[2, 2],
        [4, 4]])
""")

index_select_backward = kinds.linear("index_select_backward(Tensor grad, Sizes input_sizes, Dim dim, Tensor index)",
                                     index_select_backward_kernel,
                                     grad=lambda d, dim, index: index_select(d, dim, index),
                                     node="IndexAddBackward0", public=False,
                                     wide=True,
                                     fast=kernels.index_select_backward,
                                     doc="Each part added where it was read: the transpose of ``index_select``.")


def check_parts(op, self, dim, index, source, code="MG204"):
    """Check that ``source`` has one part of the right shape for each index, and return the axis and the vector."""
    axis, index = one_dim(dim, self.ndim, op), vector_index(op, index)
    given = source.shape[axis] if source.ndim > axis else 1
    if index.size != given:
        raise other_number_of_parts(op, index.size, given, dim, code)
    if self.dtype != source.dtype:
        raise source_of_another_dtype(op, self.dtype, source.dtype)
    if self.ndim and source.shape[:axis] + source.shape[axis + 1:] != self.shape[:axis] + self.shape[axis + 1:]:
        raise source_of_another_shape(op, self.shape, source.shape)
    return axis, index


def index_add_kernel(self, dim, index, source, alpha):
    axis, index = check_parts("index_add", self, dim, index, source)
    check_bounds("index_add", index, self.shape[axis] if self.ndim else 1, axis)
    out = self.copy()
    source = source if alpha == 1 else source * number_for("index_add", alpha, self.dtype)
    numbers = numbers_of_rows(out.shape or (1,), index, axis)
    np.add.at(out.reshape(-1), numbers.reshape(-1), source.reshape(-1))
    return out


def index_copy_kernel(self, dim, index, source):
    axis, index = check_parts("index_copy", self, dim, index, source, "MG206")
    check_bounds("index_copy", index, self.shape[axis] if self.ndim else 1, axis, "MG206")
    out = self.copy()
    out.reshape(self.shape or (1,))[at(axis, index)] = source
    return out


def index_fill_kernel(self, dim, index, value):
    axis, index = one_dim(dim, self.ndim, "index_fill"), vector_index("index_fill", index)
    size = self.shape[axis] if self.ndim else 1
    index = np.where(index < 0, index + size, index)
    check_bounds("index_fill", index, size, axis, "MG206")
    out = self.copy()
    out.reshape(self.shape or (1,))[at(axis, index)] = value
    return out


index_add = kinds.linear("index_add(Tensor self, Dim dim, Tensor index, Tensor source, *, Scalar alpha=1)",
                         index_add_kernel,
                         self=lambda d: d,
                         source=lambda d, dim, index, alpha: index_select(d, dim, index) * alpha,
                         inplace=True, apart=True, wide=True,
                         fast=kernels.index_add,
                         doc="""A copy with the parts of ``source``, times ``alpha``, added at the numbers in ``index``.

>>> torch.zeros(2, 2).index_add(0, torch.tensor([1, 1]), torch.ones(2, 2))
tensor([[0., 0.],
        [2., 2.]])
""")

index_copy = kinds.linear("index_copy(Tensor self, Dim dim, Tensor index, Tensor source)", index_copy_kernel,
                          self=lambda d, dim, index: index_fill_value(d, dim, index, 0),
                          source=lambda d, dim, index: index_select(d, dim, index),
                          inplace=True, apart=True, fast=kernels.index_copy,
                          doc="""A copy with the parts of ``source`` written at the numbers in ``index``.

>>> torch.zeros(2, 2).index_copy(1, torch.tensor([1]), torch.ones(2, 1))
tensor([[0., 1.],
        [0., 1.]])
""")

def fill_parts(memory, result, dim, index, value):
    key = at(one_dim(dim, memory.ndim, "index_fill"), vector_index("index_fill", index))
    memory[key] = result[key]


@at_places(fill_parts)
def index_fill_value_kernel(self, dim, index, value):
    return index_fill_kernel(self, dim, index, number_for("index_fill", value, self.dtype))


index_fill_value = kinds.linear("index_fill.int_Scalar(Tensor self, Dim dim, Tensor index, Scalar value)",
                                index_fill_value_kernel,
                                self=lambda d, dim, index: index_fill_value(d, dim, index, 0),
                                node="IndexFillBackward0", inplace=True, apart=True, inplace_function=False, out=False,
                                fast=kernels.index_fill,
                                layout="self", doc="``index_fill`` with a number.", function_doc="""
A copy with ``value`` (a number or a 0-d tensor) in the parts with the numbers in ``index``.

>>> torch.zeros(2, 2).index_fill(1, torch.tensor([0]), 5.)
tensor([[5., 0.],
        [5., 0.]])
""")


@at_places(fill_parts)
def index_fill_tensor_kernel(self, dim, index, value):
    check_scalar("index_fill", value)
    return index_fill_kernel(self, dim, index, scalar_of("index_fill", value, self.dtype))


index_fill_tensor = kinds.linear("index_fill.int_Tensor(Tensor self, Dim dim, Tensor index, Tensor value)",
                                 index_fill_tensor_kernel,
                                 self=lambda d, dim, index: index_fill_value(d, dim, index, 0),
                                 value=lambda d, dim, index, value_shape:
                                 sum_to(index_keep(d, dim, index), value_shape),
                                 node="IndexFillBackward1", inplace=True, apart=True, read_first=("value",),
                                 inplace_function=False, out=False,
                                 fast=kernels.index_fill, layout="self", doc="``index_fill`` with a 0-d tensor.")

index_keep = kinds.linear("index_keep(Tensor self, Dim dim, Tensor index)",
                          lambda self, dim, index: self - index_fill_kernel(self, dim, index, 0),
                          self=lambda d, dim, index: index_keep(d, dim, index),
                          public=False, doc="Zeros but for the parts with the numbers in ``index``, which may repeat.")


# ------------------------------------------------------------------------------ repeating

def counts(op, repeats, size):
    """How often each of ``size`` parts is wanted, checked."""
    if repeats.dtype.kind != "i":
        raise error("MG202", f'"{op}" not implemented for \'{scalar_name(repeats.dtype)}\': repeats must be int64')
    repeats = own(repeats)
    if repeats.ndim > 1:
        raise error("MG204", f"{op} only accept 1D vector as repeat, but got shape {list(repeats.shape)}")
    if repeats.size and repeats.min() < 0:
        raise error("MG204", f"{op}: repeats can not be negative")
    if size is not None and repeats.size not in (1, size):
        raise other_number_of_repeats(op, repeats.size, size)
    return repeats.reshape(-1)


def repeated(repeats, size):
    """0, 0, 1, 2, 2 ... : each number below ``size`` as often as ``repeats`` says."""
    repeats = counts("repeat_interleave", repeats, size)
    if repeats.sum(dtype=np.float64) * (1 if repeats.size != 1 else size or 1) >= 2.0 ** 60:
        raise too_large("repeat_interleave")
    return np.repeat(np.arange(repeats.size if size is None else size, dtype=np.int64), as_counts(repeats))


repeated_index = kinds.not_differentiable("repeated_index(Tensor repeats, int? size)", repeated, public=False,
                                          doc="The index with which ``index_select`` repeats parts.")


def of_size(index, output_size):
    """The index of a repetition, which must have this size if one is given."""
    if output_size is not None and output_size != index.shape[0]:
        raise error("MG204", f"repeat_interleave(): allocated size does not match required size: output_size is "
                             f"{output_size}, and the repeats add up to {index.shape[0]}")
    return index


@composite(out=False)
def repeat_interleave(self, repeats=None, dim=None, *, output_size=None):
    """Each part along ``dim``, or without ``dim`` each element, as often as ``repeats`` says: a number or a vector.

    A vector alone gives the numbers 0, 1, 2 ..., each as often as the vector says.  ``output_size``, if given, must be
    the size of the result along ``dim``.

    >>> torch.tensor([1, 2]).repeat_interleave(2), torch.tensor([1, 2]).repeat_interleave(torch.tensor([3, 1]))
    (tensor([1, 1, 2, 2]), tensor([1, 1, 1, 2]))
    """
    if repeats is None:
        return of_size(repeated_index(self, None), output_size)
    if dim is None:
        self, dim = reshaped(self, (-1,)), 0
    shape = tuple(self.shape)
    axis = one_dim(dim, len(shape), "repeat_interleave")
    if isinstance(repeats, Tensor):
        return index_select(self, dim, of_size(repeated_index(repeats, shape[axis]), output_size))
    if repeats < 0:
        raise error("MG204", f"repeat_interleave(): Repeats must be non-negative, but got {repeats}")
    if output_size is not None and output_size != shape[axis] * repeats:
        raise error("MG204", f"repeat_interleave: Invalid output_size, expected {shape[axis] * repeats} but got "
                             f"{output_size}")
    apart = expand(unsqueeze(self, axis + 1), shape[:axis + 1] + (repeats,) + shape[axis + 1:])
    return view(clone(apart, memory_format="contiguous_format"),
                shape[:axis] + (shape[axis] * repeats,) + shape[axis + 1:])


# ------------------------------------------------------------------------------ choosing

@composite(method=False, out=False, types="Tensor int bool")
def combinations(self, r=2, with_replacement=False):
    """All choices of ``r`` elements of a vector in their order, as rows; with ``with_replacement`` elements may repeat.

    >>> torch.combinations(torch.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    if len(self.shape) != 1:
        raise error("MG204", f"combinations(): Expect a 1D vector, but got shape {list(self.shape)}")
    r = one_int("combinations", "r", r)
    if r < 0:
        raise error("MG204", f"combinations(): Expect a non-negative number, but got {r}")
    if r == 0:
        return index_select(self.detach(), 0, constant(np.empty(0, np.int64), self))
    n = self.shape[0]
    rows = comb(n + r - 1, r) if with_replacement and n else comb(n, r)
    if rows * r >= 2 ** 60:
        raise too_large("combinations")
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    chosen = choose(range(n), r) if rows else ()
    numbers = np.fromiter(itertools.chain.from_iterable(chosen), np.int64, rows * r)    # refused before any is made
    return view(index_select(self, 0, constant(numbers, self)), (rows, r))


# ------------------------------------------------------------------------------ errors


def other_number_of_parts(op, indices, given, dim, code):
    return error(code, f"{op}(): Number of indices ({indices}) should be equal to source.size(dim): ({given}), "
                       f"for dim: {dim}")


def too_large(op):
    return error("MG204", f"{op}(): Storage size calculation overflowed: the result has more elements than memory can "
                          "be addressed for")


def source_of_another_dtype(op, dtype, source):
    return error("MG202", f"{op}(): self ({scalar_name(dtype)}) and source ({scalar_name(source)}) must "
                          "have the same scalar type")


def source_of_another_shape(op, shape, source):
    return error("MG201", f"{op}(): source tensor shape must match self tensor shape, excluding the specified "
                          f"dimension. Got self.shape = {list(shape)} source.shape = {list(source)}")


def other_number_of_repeats(op, repeats, size):
    return error("MG204", f"{op}: repeats must have the same size as input along dim, but got repeats.size(0) = "
                          f"{repeats} and input.size(0) = {size}")
