"""Choosing elements by number: gather, scatter, take, put.

Reading repeats elements, so its transpose adds: what was read twice receives two gradients.

    read                    its transpose
    -----------------       -------------------------------------------
    gather, take            add each gradient where its value was read
    index_select            the same (parts.py)
    embedding               the same, except for the padding row (embedding.py)

One kernel, ``add_at`` (indexing.py), does all the adding: every element is given its number in the flat array, and
NumPy's ``add.at`` over a flat array is some twenty times as fast as over rows.

Choosing by mask is in masking.py, subscripts (``x[1:, mask]``) are in subscripting.py.
"""

from math import prod

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels import table as kernels

from .. import kinds
from ..formats import steps
from ..composites import composite
from ..exports import ROWS
from ..shapes.broadcasting import common_shape, expand
from ..shapes.reshaping import reshape_to, reshaped
from .indexing import add_at
from ..arguments import number_for, one_dim, own, scalar_name

conj = ROWS.waiting("conj")

UNSIGNED = {4: np.uint32, 8: np.uint64}


# ------------------------------------------------------------------------------ checking and adding

def check_index(op, index, wanted="int32/int64", sizes=(4, 8)):
    """Refuse an index that is not of int64 (or int32, where ``sizes`` allows 4 bytes)."""
    if index.dtype.kind != "i" or index.itemsize not in sizes:
        raise no_index(op, wanted, index.dtype)


def check_bounds(op, index, size, axis, code="MG204", text="index {} is out of bounds for dimension {} with size {}"):
    """Refuse indices outside 0 ... size - 1.  Read as unsigned, negative ones are large: one pass finds both."""
    if index.size and np.maximum.reduce(index.view(UNSIGNED[index.itemsize]), axis=None) >= size:
        wrong = index[(index < 0) | (index >= size)].flat[0]
        raise error(code, f"{op}(): " + text.format(wrong, axis, size))


def grid(index, axis):
    """The NumPy index of ``out[i][j][k] = self[i][index[i][j][k]][k]``: open ranges, with ``index`` at ``axis``."""
    ndim = index.ndim
    key = [np.arange(n).reshape((-1,) + (1,) * (ndim - 1 - k)) for k, n in enumerate(index.shape)]
    key[axis] = index
    return tuple(key)


def numbers_along(shape, index, axis):
    """The number in a flat array of ``shape`` of each element that ``grid(index, axis)`` reads."""
    return sum([part * step for part, step in zip(grid(index, axis), steps(shape))])


# ------------------------------------------------------------------------------ gather and scatter

def aligned(op, self_shape, dim, index, source_shape=None):
    """Check that ``index`` fits, and return shape and a copy of it, with at least one dim, and the axis."""
    axis = one_dim(dim, len(self_shape), op)
    check_index(op, index)
    shape, index = self_shape or (1,), own(index if index.ndim else index.reshape(1))
    source = shape if source_shape is None else source_shape or (1,)
    if index.ndim != len(shape):
        raise another_rank(op, index.shape, self_shape)
    if len(source) != len(shape):
        raise another_rank_of_src(op, index.shape, source)
    for k, n in enumerate(index.shape):
        if (k != axis and n > shape[k]) or (source_shape is not None and n > source[k]):
            raise index_too_large(op, index.shape, shape, axis, k, None if source_shape is None else source)
    check_bounds(op, index, shape[axis], axis)
    return shape, index, axis


def in_order(array):
    """The array with its elements in memory as their dims follow one another, where NumPy chose another order."""
    return np.array(array, order="C", copy=None)


def cut(array, shape):
    """The part of ``array`` that an index of this shape refers to."""
    return array if array.shape == shape else array[tuple([slice(n) for n in shape])]


def gather_kernel(self, dim, index, sparse_grad=False):
    if not index.size:                          # of any dtype, as PyTorch's: there is nothing to read in it
        return np.empty(index.shape, self.dtype)
    shape, places, axis = aligned("gather", self.shape, dim, index)
    return in_order(self.reshape(shape)[grid(places, axis)]).reshape(index.shape)


def gather_backward_kernel(grad, input_sizes, dim, index):
    if not index.size:
        return np.zeros(input_sizes, grad.dtype)
    shape, index, axis = aligned("gather", input_sizes, dim, index)
    grad = cut(grad.reshape(grad.shape or (1,)), index.shape)
    return add_at(shape, grad.dtype, numbers_along(shape, index, axis), grad).reshape(input_sizes)


gather = kinds.linear("gather(Tensor self, Dim dim, Tensor index, *, bool sparse_grad=False)", gather_kernel,
                      self=lambda d, self_shape, dim, index: gather_backward(d, self_shape, dim, index),
                      apart=True, fast=kernels.gather,
                      doc="""Elements along ``dim`` by number: ``out[i][j] = self[i][index[i][j]]`` for ``dim=1``.

The result has the shape of ``index`` (int64), which may be smaller than ``self`` in the other dims.

>>> torch.tensor([[1, 2], [3, 4]]).gather(1, torch.tensor([[0, 0], [1, 0]]))
tensor([[1, 1],
        [4, 3]])
""")

gather_backward = kinds.linear("gather_backward(Tensor grad, Sizes input_sizes, Dim dim, Tensor index)",
                               gather_backward_kernel,
                               grad=lambda d, dim, index, grad_shape: gather_into(d, dim, index, grad_shape),
                               node="ScatterAddBackward0", public=False,
                               wide=True,
                               fast=kernels.gather_backward,
                               doc="Each gradient added where its value was read: the transpose of ``gather``.")


def gather_into_kernel(self, dim, index, sizes):
    found = gather_kernel(self, dim, index)
    if found.shape == tuple(sizes):
        return found
    out = np.zeros(sizes, self.dtype)
    cut(out.reshape(sizes or (1,)), found.shape or (1,))[...] = found
    return out


gather_into = kinds.linear("gather_into(Tensor self, Dim dim, Tensor index, Sizes sizes)", gather_into_kernel,
                           self=lambda d, self_shape, dim, index: gather_backward(d, self_shape, dim, index),
                           node="GatherBackward0", public=False,
                           fast=kernels.gather_into,
                           shown="gather",
                           doc="``gather`` into a corner of zeros: a source may be larger than its index.")


def same_dtype(op, self, source):
    """Refuse to write elements of one dtype among those of another."""
    if self.dtype != source.dtype:
        raise src_of_another_dtype(op, self.dtype, source.dtype)


def check_scalar(op, value):
    """Refuse a ``value`` with dims."""
    if len(value.shape):
        raise value_with_dims(op, len(value.shape))


def scatter_kernel(self, dim, index, src):
    same_dtype("scatter", self, src)
    out = self.copy()
    if index.size:
        shape, places, axis = aligned("scatter", self.shape, dim, index, src.shape)
        out.reshape(shape)[grid(places, axis)] = cut(src.reshape(src.shape or (1,)), places.shape)
    return out


def scatter_value_kernel(self, dim, index, value):
    out = self.copy()
    if index.size:
        shape, places, axis = aligned("scatter", self.shape, dim, index)
        out.reshape(shape)[grid(places, axis)] = number_for("scatter", value, self.dtype)
    return out


def scatter_reduce_kernel(self, dim, index, src, reduce):
    same_dtype("scatter", self, src)
    return scatter_reduced(self, dim, index, src, src.shape, reduce)


def scatter_value_reduce_kernel(self, dim, index, value, reduce):
    return scatter_reduced(self, dim, index, number_for("scatter", value, self.dtype), None, reduce)


def scatter_reduced(self, dim, index, source, source_shape, reduce):
    """Several elements may go to one place, so the ufunc takes them one after the other."""
    ufunc = reduction("scatter", reduce)
    out = self.copy()
    if index.size:
        shape, places, axis = aligned("scatter", self.shape, dim, index, source_shape)
        if source_shape is not None:
            source = cut(source.reshape(source.shape or (1,)), places.shape).reshape(-1)
        ufunc.at(out.reshape(-1), numbers_along(shape, places, axis).reshape(-1), source)
    return out


def reduction(op, reduce):
    """The ufunc that combines what is there with what is written."""
    if reduce not in REDUCTIONS:
        raise error("MG204", f"{op}(): reduce argument must be either add or multiply, not {reduce!r}.")
    return REDUCTIONS[reduce]


REDUCTIONS = {"add": np.add, "multiply": np.multiply}


def scatter_add_kernel(self, dim, index, src):
    same_dtype("scatter_add", self, src)
    if not index.size:
        return self.copy()
    shape, places, axis = aligned("scatter_add", self.shape, dim, index, src.shape)
    out = self.copy()
    np.add.at(out.reshape(-1), numbers_along(shape, places, axis).reshape(-1),
              cut(src.reshape(src.shape or (1,)), places.shape).reshape(-1))
    return out


scatter_src = kinds.linear("scatter.src(Tensor self, Dim dim, Tensor index, Tensor src)", scatter_kernel,
                           self=lambda d, dim, index: scatter_value(d, dim, index, 0),
                           src=lambda d, dim, index, src_shape: gather_into(d, dim, index, src_shape),
                           node="ScatterBackward0", inplace=True, apart=True,
                           fast=kernels.scatter, doc="``scatter`` of a tensor.", function_doc="""
A copy of ``self`` with ``src`` (a tensor) or ``value`` (a number) written at the places ``index`` along ``dim``.

``self[i][index[i][j]] = src[i][j]`` for ``dim=1``.  If places repeat, it is not defined which
element stays, and the gradient goes to all of them.  With ``reduce="add"`` or ``"multiply"`` the source is added to
what is there, or multiplied with it.

>>> torch.zeros(2, 3).scatter(1, torch.tensor([[0], [2]]), 1.)
tensor([[1., 0., 0.],
        [0., 0., 1.]])
""")

scatter_value = kinds.linear("scatter.value(Tensor self, Dim dim, Tensor index, Scalar value)", scatter_value_kernel,
                             self=lambda d, dim, index: scatter_value(d, dim, index, 0),
                             node="ScatterBackward1", inplace=True, apart=True, fast=kernels.scatter,
                             doc="``scatter`` of one number.")


def reduced_old(d, reduce):
    """What reaches the old values."""
    if reduce == "add":
        return d
    raise no_scatter_derivative()


def reduced_src(d, dim, index, src_shape, reduce):
    """What reaches the tensor that is written."""
    if reduce == "add":
        return gather_into(d, dim, index, src_shape)
    raise no_scatter_derivative()


scatter_reduce = kinds.general("scatter.reduce(Tensor self, Dim dim, Tensor index, Tensor src, *, str reduce)",
                               scatter_reduce_kernel, self=reduced_old, src=reduced_src, traceable=False,
                               node="ScatterBackward2", inplace=True, apart=True, fast=kernels.scatter_reduce,
                               doc="``scatter`` that adds or multiplies.")


def reduced_around_number(d, dim, index, value, reduce):
    """A sum passes the gradient on; a product multiplies it by the same number, conjugated."""
    if reduce == "add":
        return d
    return conj(scatter_value_reduce(conj(d), dim, index, value, reduce=reduce))


scatter_value_reduce = kinds.general(
    "scatter.value_reduce(Tensor self, Dim dim, Tensor index, Scalar value, *, str reduce)",
    scatter_value_reduce_kernel, self=reduced_around_number, traceable=False,
    node="ScatterBackward3", inplace=True, apart=True, fast=kernels.scatter_reduce,
    doc="``scatter`` that adds one number or multiplies by it.")

scatter_add = kinds.linear("scatter_add(Tensor self, Dim dim, Tensor index, Tensor src)", scatter_add_kernel,
                           self=lambda d: d,
                           src=lambda d, dim, index, src_shape: gather_into(d, dim, index, src_shape),
                           inplace=True, apart=True, wide=True,
                           fast=kernels.scatter_add,
                           doc="""A copy of ``self`` with ``src`` added at the places ``index`` along ``dim``.

>>> torch.zeros(3).scatter_add(0, torch.tensor([0, 0, 2]), torch.tensor([1., 2., 3.]))
tensor([3., 0., 3.])
""")


def counted_from_start_kernel(indices, size):
    return in_order(np.where(indices < 0, indices + size, indices)) if indices.dtype.kind == "i" else indices


counted_from_start_kernel.shapes = lambda indices, size: indices

counted_from_start = kinds.not_differentiable("counted_from_start(Tensor indices, int size)", counted_from_start_kernel,
                                              promote=None, public=False,
                                              fast=kernels.counted_from_start,
                                              doc="Indices in which negative ones count from the end.")


@composite(out="exact")
def take_along_dim(self, indices, dim=None):
    """``gather`` with broadcasting in the other dims, or from the flat tensor if ``dim`` is left out.

    Unlike those of ``gather``, negative indices count from the end.

    >>> x = torch.tensor([[3, 1], [2, 4]])
    >>> x.take_along_dim(x.argsort(1), dim=1)
    tensor([[1, 3],
            [2, 4]])
    """
    if indices.dtype.numpy.kind != "i" or indices.dtype.itemsize < 4:
        raise error("MG202", "torch.take_along_dim(): dtype of indices should be Long but got "
                             f"{scalar_name(indices.dtype.numpy)}: convert them with indices.long()")
    if dim is None:
        flat = reshaped(self, (-1,))
        return gather(flat, 0, counted_from_start(reshaped(indices, (-1,)), flat.shape[0]))
    shape, wanted = list(self.shape), list(indices.shape)
    if len(shape) != len(wanted):
        raise another_rank_of_indices(len(shape), len(wanted))
    axis = one_dim(dim, len(shape), "take_along_dim")
    if not shape:
        return gather(self, 0, counted_from_start(indices, 1))
    length, rows = shape[axis], wanted[axis]
    shape[axis] = wanted[axis] = 1
    common = common_shape("take_along_dim", [shape, wanted])
    return gather(expand(self, common[:axis] + (length,) + common[axis + 1:]), axis,
                  expand(counted_from_start(indices, length), common[:axis] + (rows,) + common[axis + 1:]))


# ------------------------------------------------------------------------------ elements of the flat tensor

def flat_index(op, index, n):
    """A copy of the index with negative numbers counted from the end, checked."""
    check_index(op, index, "int64", (8,))
    index = own(index)
    index = np.where(index < 0, index + n, index) if index.size and index.min() < 0 else index
    check_bounds(op, index, n, 0, "MG206", "out of range: tried to access index {0} on a tensor of {2} elements.")
    return index


take = kinds.linear("take(Tensor self, Tensor index)",
                    lambda self, index: self.reshape(-1).take(flat_index("take", index, self.size)),
                    self=lambda d, self_shape, index: take_backward(d, self_shape, index),
                    apart=True, fast=kernels.take,
                    doc="""The elements with these numbers in the flat tensor; the result has the shape of ``index``.

>>> torch.tensor([[1, 2], [3, 4]]).take(torch.tensor([0, -1]))
tensor([1, 4])
""")

take_backward = kinds.linear("take_backward(Tensor grad, Sizes input_sizes, Tensor index)",
                             lambda grad, input_sizes, index: add_at(
                                 input_sizes, grad.dtype, flat_index("take", index, prod(input_sizes)), grad),
                             grad=lambda d, index: take(d, index),
                             node="PutBackward0", public=False, wide=True, fast=kernels.take_backward,
                             doc="The transpose of ``take``.")


def put_kernel(self, index, source, accumulate):
    if source.dtype != self.dtype:
        raise source_of_another_dtype(self.dtype, source.dtype)
    if source.size != index.size:
        raise another_number_of_elements(source.size, index.size)
    return put_flat(self, index, source.reshape(index.shape), accumulate)


def put_flat(self, index, source, accumulate):
    """A copy of ``self`` with ``source`` at the elements with these numbers."""
    index = flat_index("put", index, self.size)
    out = self.copy()
    if accumulate:
        np.add.at(out.reshape(-1), index, source)
    else:
        out.reshape(-1)[index] = source
    return out


put = kinds.linear("put(Tensor self, Tensor index, Tensor source, bool accumulate=False)", put_kernel,
                   self=lambda d, index, accumulate: put_backward(d, index, accumulate),
                   source=lambda d, index, source_shape: reshape_to(take(d, index), source_shape),
                   inplace=True, apart=True, out=False, wide=True,
                   fast=kernels.put,
                   layout="self",
                   doc="""A copy of ``self`` with ``source`` written (or added, with ``accumulate``) at flat positions.

``index`` counts through the flattened tensor, as in ``take``, and ``source`` has as many elements.  Where numbers
repeat, which of the elements stays is not defined, and the gradient goes to all of them.

>>> torch.zeros(2, 2).put(torch.tensor([0, -1]), torch.tensor([5., 6.]))
tensor([[5., 0.],
        [0., 6.]])
""")

put_backward = kinds.linear("put_backward(Tensor grad, Tensor index, bool accumulate)",
                            lambda grad, index, accumulate:
                                grad.copy() if accumulate else put_flat(grad, index, 0, False),
                            grad=lambda d, index, accumulate: put_backward(d, index, accumulate),
                            node="PutBackward0", public=False,
                            fast=kernels.put_backward,
                            doc="What reaches the old values: zero where they were overwritten, all where they were "
                                "added to.")


# ------------------------------------------------------------------------------ errors


def no_index(op, wanted, dtype):
    return error("MG202", f"{op}(): Expected dtype {wanted} for index, but got {scalar_name(dtype)}: "
                          "convert it with index.long()")


def another_rank(op, index, shape):
    return error("MG201", f"{op}(): Index tensor must have the same number of dimensions as "
                          f"{'input' if op == 'gather' else 'self'} tensor, but got index {list(index)} and "
                          f"{list(shape)}. Each entry of the index is at the place of an entry of the result: "
                          "give it the missing dims with unsqueeze() or reshape()")


def another_rank_of_src(op, index, source):
    return error("MG201", f"{op}(): Index tensor must have the same number of dimensions as src tensor, but got "
                          f"index {list(index)} and src {list(source)}")


def index_too_large(op, index, shape, axis, k, source):
    """It reaches beyond the tensor in dim ``k``, or beyond the ``source``, if there is one."""
    if source is None:
        return error("MG201", f"{op}(): Size does not match at dimension {k} expected index {list(index)} "
                              f"to be no larger than self {list(shape)} apart from dimension {axis}")
    return error("MG201", f"{op}(): Expected index {list(index)} to be no larger than self {list(shape)} "
                          f"apart from dimension {axis} and to be no larger size than src {list(source)}")


def src_of_another_dtype(op, dtype, src):
    return error("MG202", f"{op}(): Expected self.dtype to be equal to src.dtype, but got {scalar_name(dtype)} "
                          f"and {scalar_name(src)}")


def value_with_dims(op, ndim):
    return error("MG204", f"{op} only supports a 0-dimensional value tensor, but got tensor with {ndim} dimension(s).")


def no_scatter_derivative():
    return error("MG204", "the derivative for 'scatter' with reduce='multiply' and a tensor src is not implemented: "
                          "write the product with gather and *")


def another_rank_of_indices(ndim, wanted):
    return error("MG201", "torch.take_along_dim(): input and indices should have the same number of dimensions, but "
                          f"got {ndim} dimensions for input, and {wanted} dimensions for indices")


def source_of_another_dtype(dtype, source):
    return error("MG202", "put(): self and source expected to have the same dtype, but got self.dtype = "
                          f"{scalar_name(dtype)} and source.dtype = {scalar_name(source)}. Convert the source with "
                          "source.to(x.dtype)")


def another_number_of_elements(source, index):
    return error("MG206", "put(): Expected source and index to have the same number of elements, but got "
                          f"source.numel() = {source}, index.numel() = {index}")
