"""Choosing elements by number: gather, scatter, index_select, index_add, take, embedding.

Reading repeats elements, so its transpose adds: what was read twice receives two gradients.

    read                    its transpose
    -----------------       -------------------------------------------
    gather                  add each gradient where its value was read
    index_select, take      the same
    embedding               the same, but for the padding row

One kernel, ``add_at``, does all the adding: every element is given its number in the flat array, and
NumPy's ``add.at`` over a flat array is some twenty times as fast as over rows.

Choosing by mask is in masking.py, subscripts (``x[1:, mask]``) are in indexing.py.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor

from . import kinds
from .arithmetic import in_place
from .dims import one_dim, scalar_name
from .kinds import composite
from .shape import at, clone, common_shape, expand_to, reshaped, sum_to, unsqueeze, view_to

UNSIGNED = {4: np.uint32, 8: np.uint64}


# ------------------------------------------------------------------------------ checking and adding

def check_index(op, index, wanted="int32/int64", sizes=(4, 8)):
    if index.dtype.kind != "i" or index.itemsize not in sizes:
        raise error("MG202", f"{op}(): Expected dtype {wanted} for index, but got {scalar_name(index.dtype)}: "
                             "convert it with index.long()")


def check_bounds(op, index, size, axis, code="MG204", text="index {} is out of bounds for dimension {} with size {}"):
    """Refuse indices outside 0 ... size - 1.  Read as unsigned, negative ones are large: one pass finds both."""
    if index.size and np.maximum.reduce(index.view(UNSIGNED[index.itemsize]), axis=None) >= size:
        wrong = index[(index < 0) | (index >= size)].flat[0]
        raise error(code, f"{op}(): " + text.format(wrong, axis, size))


def add_at(shape, dtype, numbers, values):
    """Zeros of ``shape`` with ``values`` added at the elements of these numbers."""
    out = np.zeros(shape, dtype)
    np.add.at(out.reshape(-1), numbers.reshape(-1), values.reshape(-1))
    return out


def steps(shape):
    """For each axis of a contiguous array, how many elements lie between neighbours."""
    out, step = [], 1
    for size in reversed(shape):
        out.append(step)
        step *= size
    return out[::-1]


def grid(index, axis):
    """The NumPy index of ``out[i][j][k] = self[i][index[i][j][k]][k]``: open ranges, with ``index`` at ``axis``."""
    ndim = index.ndim
    key = [np.arange(n).reshape((-1,) + (1,) * (ndim - 1 - k)) for k, n in enumerate(index.shape)]
    key[axis] = index
    return tuple(key)


def numbers_along(shape, index, axis):
    """The number in a flat array of ``shape`` of each element that ``grid(index, axis)`` reads."""
    return sum([part * step for part, step in zip(grid(index, axis), steps(shape))])


def numbers_of_rows(shape, index, axis):
    """The number in a flat array of ``shape`` of each element of the parts ``index`` along ``axis``."""
    before, size, after = int(np.prod(shape[:axis])), shape[axis], int(np.prod(shape[axis + 1:]))
    rows = np.arange(before)[:, None] * size + index
    return rows[:, :, None] * after + np.arange(after)


# ------------------------------------------------------------------------------ gather and scatter

def aligned(op, self_shape, dim, index, source_shape=None):
    """Check that ``index`` fits; returns shape and index with at least one dim, and the axis."""
    axis = one_dim(dim, len(self_shape), op)
    check_index(op, index)
    shape, index = self_shape or (1,), index if index.ndim else index.reshape(1)
    source = shape if source_shape is None else source_shape or (1,)
    if index.ndim != len(shape):
        raise error("MG201", f"{op}(): Index tensor must have the same number of dimensions as "
                             f"{'input' if op == 'gather' else 'self'} tensor, but got index {list(index.shape)} and "
                             f"{list(self_shape)}")
    if len(source) != len(shape):
        raise error("MG201", f"{op}(): Index tensor must have the same number of dimensions as src tensor, but got index "
                             f"{list(index.shape)} and src {list(source)}")
    for k, n in enumerate(index.shape):
        if (k != axis and n > shape[k]) or (source_shape is not None and n > source[k]):
            if source_shape is None:
                raise error("MG201", f"{op}(): Size does not match at dimension {k} expected index {list(index.shape)} to be no "
                                     f"larger than self {list(shape)} apart from dimension {axis}")
            raise error("MG201", f"{op}(): Expected index {list(index.shape)} to be no larger than self {list(shape)} apart from "
                                 f"dimension {axis} and to be no larger size than src {list(source)}")
    check_bounds(op, index, shape[axis], axis)
    return shape, index, axis


def cut(array, shape):
    """The part of ``array`` that ``index`` of this shape refers to."""
    return array if array.shape == shape else array[tuple([slice(n) for n in shape])]


def gather_kernel(self, dim, index, sparse_grad=False):
    if not index.size:
        check_index("gather", index)
        return np.empty(index.shape, self.dtype)
    shape, places, axis = aligned("gather", self.shape, dim, index)
    return self.reshape(shape)[grid(places, axis)].reshape(index.shape)


def gather_backward_kernel(grad, input_sizes, dim, index):
    if not index.size:
        return np.zeros(input_sizes, grad.dtype)
    shape, index, axis = aligned("gather", input_sizes, dim, index)
    grad = cut(grad.reshape(grad.shape or (1,)), index.shape)
    return add_at(shape, grad.dtype, numbers_along(shape, index, axis), grad).reshape(input_sizes)


gather = kinds.linear("gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False)", gather_kernel,
                      self=lambda d, self_shape, dim, index: gather_backward(d, self_shape, dim, index),
                      doc="""Elements along ``dim`` by number: ``out[i][j] = self[i][index[i][j]]`` for ``dim=1``.

The result has the shape of ``index`` (int64), which may be smaller than ``self`` in the other dims.

>>> torch.tensor([[1, 2], [3, 4]]).gather(1, torch.tensor([[0, 0], [1, 0]]))
tensor([[1, 1],
        [4, 3]])
""")

gather_backward = kinds.linear("gather_backward(Tensor grad, int[] input_sizes, int dim, Tensor index)",
                               gather_backward_kernel,
                               grad=lambda d, dim, index, grad_shape: gather_into(d, dim, index, grad_shape),
                               node="ScatterAddBackward0", public=False,
                               doc="Each gradient added where its value was read: the transpose of ``gather``.")


def gather_into_kernel(self, dim, index, sizes):
    found = gather_kernel(self, dim, index)
    if found.shape == tuple(sizes):
        return found
    out = np.zeros(sizes, self.dtype)
    cut(out, found.shape)[...] = found
    return out


gather_into = kinds.linear("gather_into(Tensor self, int dim, Tensor index, int[] sizes)", gather_into_kernel,
                           self=lambda d, self_shape, dim, index: gather_backward(d, self_shape, dim, index),
                           node="GatherBackward0", public=False,
                           doc="``gather`` in a corner of zeros: a source may be larger than the index that reads it.")


def same_dtype(op, self, source):
    if self.dtype != source.dtype:
        raise error("MG202", f"{op}(): Expected self.dtype to be equal to src.dtype, but got {scalar_name(self.dtype)} and "
                             f"{scalar_name(source.dtype)}")


def number_for(op, value, dtype):
    """A Python number as an element of this dtype; floats are cut to integers, nothing else is lost."""
    try:
        if isinstance(value, complex) and dtype.kind != "c":
            raise OverflowError
        return np.asarray(value).astype(dtype) if isinstance(value, float) else np.asarray(value, dtype)
    except (OverflowError, ValueError, TypeError):
        raise error("MG209", f"{op}(): value cannot be converted to type {dtype.name} without overflow: {value!r}") from None


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


def scatter_multiply_kernel(self, dim, index, alpha):
    shape, places, axis = aligned("scatter", self.shape, dim, index)
    times = add_at(shape, np.int64, numbers_along(shape, places, axis), np.ones(places.shape, np.int64))
    return self * number_for("scatter", alpha, self.dtype) ** times.reshape(self.shape)


def scatter_add_kernel(self, dim, index, src):
    same_dtype("scatter_add", self, src)
    if not index.size:
        return self.copy()
    shape, places, axis = aligned("scatter_add", self.shape, dim, index, src.shape)
    out = self.copy()
    np.add.at(out.reshape(-1), numbers_along(shape, places, axis).reshape(-1),
              cut(src.reshape(src.shape or (1,)), places.shape).reshape(-1))
    return out


scatter_src = kinds.linear("scatter_src(Tensor self, int dim, Tensor index, Tensor src)", scatter_kernel,
                           self=lambda d, dim, index: scatter_value(d, dim, index, 0),
                           src=lambda d, dim, index, src_shape: gather_into(d, dim, index, src_shape),
                           node="ScatterBackward0", public=False, doc="``scatter`` of a tensor.")

scatter_value = kinds.linear("scatter_value(Tensor self, int dim, Tensor index, value)", scatter_value_kernel,
                             self=lambda d, dim, index: scatter_value(d, dim, index, 0),
                             node="ScatterBackward1", public=False, doc="``scatter`` of one number.")

scatter_multiply = kinds.linear("scatter_multiply(Tensor self, int dim, Tensor index, alpha)", scatter_multiply_kernel,
                                self=lambda d, dim, index, alpha: scatter_multiply(d, dim, index, alpha),
                                public=False, doc="``scatter`` of one number with ``reduce='multiply'``.")

scatter_add = kinds.linear("scatter_add(Tensor self, int dim, Tensor index, Tensor src)", scatter_add_kernel,
                           self=lambda d: d,
                           src=lambda d, dim, index, src_shape: gather_into(d, dim, index, src_shape),
                           inplace=True, doc="""A copy of ``self`` with ``src`` added at the places ``index`` along ``dim``.

>>> torch.zeros(3).scatter_add(0, torch.tensor([0, 0, 2]), torch.tensor([1., 2., 3.]))
tensor([3., 0., 3.])
""")


@composite()
def scatter(self, dim, index, src=None, *, value=None, reduce=None):
    """A copy of ``self`` with ``src`` (a tensor or a number) written at the places ``index`` along ``dim``.

    ``self[i][index[i][j]] = src[i][j]`` for ``dim=1``.  Where places repeat, which one stays is not
    defined, and the gradient goes to all of them.  ``reduce`` may be "add", or "multiply" for a number.

    >>> torch.zeros(2, 3).scatter(1, torch.tensor([[0], [2]]), 1.)
    tensor([[1., 0., 0.],
            [0., 0., 1.]])
    """
    row, value = scatter_row("scatter", self, index, src, value, reduce)
    return row(self, dim, index, value)


@in_place("scatter_")
def scatter_into(self, dim, index, src=None, *, value=None, reduce=None):
    """``src``, a tensor or a number, is written at the places ``index`` along ``dim`` of ``self``.

    >>> torch.zeros(3).scatter_(0, torch.tensor([0, 2]), torch.tensor([1., 2.]))
    tensor([1., 0., 2.])
    """
    row, value = scatter_row("scatter_", self, index, src, value, reduce)
    return row.inplace(self, dim, index, value)


def scatter_row(op, self, index, src, value, reduce):
    """Which row does it, and what it writes."""
    if (src is None) == (value is None):
        raise error("MG205", f"{op}() takes either a tensor src or a number value: {op}(dim, index, src)")
    value = src if value is None else value
    if reduce not in (None, "add", "multiply"):
        raise error("MG204", f"{op}(): reduce argument must be either add or multiply, not {reduce!r}.")
    if isinstance(value, Tensor):
        if reduce == "multiply":
            raise error("MG204", f"{op}(): reduce='multiply' takes a number, not a tensor src")
        return scatter_add if reduce else scatter_src, value
    if reduce == "add":
        return scatter_add, number_at(index, self, value)
    return scatter_multiply if reduce else scatter_value, value


number_at = kinds.not_differentiable("number_at(Tensor index, Tensor like, value)",
                                     lambda index, like, value: np.full(index.shape, number_for("scatter", value, like.dtype)),
                                     promote=None, public=False, doc="One number for each index.")


@composite()
def take_along_dim(self, indices, dim=None):
    """``gather`` with broadcasting in the other dims, or from the flat tensor where ``dim`` is left out.

    >>> x = torch.tensor([[3, 1], [2, 4]])
    >>> x.take_along_dim(x.argsort(1), dim=1)
    tensor([[1, 3],
            [2, 4]])
    """
    if dim is None:
        return gather(reshaped(self, (-1,)), 0, reshaped(indices, (-1,)))
    shape, wanted = list(self.shape), list(indices.shape)
    if len(shape) != len(wanted):
        raise error("MG201", "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
                             f"{len(shape)} dimensions for input, and {len(wanted)} dimensions for indices")
    axis = one_dim(dim, len(shape), "take_along_dim")
    length, rows = shape[axis], wanted[axis]
    shape[axis] = wanted[axis] = 1
    common = common_shape("take_along_dim", [shape, wanted])
    return gather(expand_to(self, common[:axis] + (length,) + common[axis + 1:]), axis,
                  expand_to(indices, common[:axis] + (rows,) + common[axis + 1:]))


# ------------------------------------------------------------------------------ whole parts along a dim

def vector_index(op, index):
    if index.ndim > 1:
        raise error("MG206", f"{op}(): Index is supposed to be a vector, but has shape {list(index.shape)}")
    check_index(op, index)
    return index if index.ndim else index.reshape(1)


def index_select_kernel(self, dim, index):
    axis, index = one_dim(dim, self.ndim, "index_select"), vector_index("index_select", index)
    check_bounds("index_select", index, self.shape[axis] if self.ndim else 1, axis, "MG206",
                 "index out of range in self: index {} for dimension {} with size {}")
    return self.take(index, axis) if self.ndim else self.copy()


def index_select_backward_kernel(grad, input_sizes, dim, index):
    index = index.reshape(-1)
    if not input_sizes:
        return grad.copy()
    axis = one_dim(dim, len(input_sizes), "index_select")
    return add_at(input_sizes, grad.dtype, numbers_of_rows(input_sizes, index, axis), grad)


index_select = kinds.linear("index_select(Tensor self, int dim, Tensor index)", index_select_kernel,
                            self=lambda d, self_shape, dim, index: index_select_backward(d, self_shape, dim, index),
                            doc="""The parts along ``dim`` with the numbers in the vector ``index``.

>>> torch.tensor([[1, 2], [3, 4]]).index_select(1, torch.tensor([1, 1]))
tensor([[2, 2],
        [4, 4]])
""")

index_select_backward = kinds.linear("index_select_backward(Tensor grad, int[] input_sizes, int dim, Tensor index)",
                                     index_select_backward_kernel,
                                     grad=lambda d, dim, index: index_select(d, dim, index),
                                     node="IndexAddBackward0", public=False,
                                     doc="Each part added where it was read: the transpose of ``index_select``.")


def check_parts(op, self, dim, index, source, code="MG204"):
    """Check that ``source`` has one part of the right shape for each index; returns the axis and the index vector."""
    axis, index = one_dim(dim, self.ndim, op), vector_index(op, index)
    given = source.shape[axis] if source.ndim > axis else 1
    if index.size != given:
        raise error(code, f"{op}(): Number of indices ({index.size}) should be equal to source.size(dim): ({given}), for dim: {dim}")
    if self.dtype != source.dtype:
        raise error("MG202", f"{op}(): self ({scalar_name(self.dtype)}) and source ({scalar_name(source.dtype)}) must have the "
                             "same scalar type")
    if self.ndim and source.shape[:axis] + source.shape[axis + 1:] != self.shape[:axis] + self.shape[axis + 1:]:
        raise error("MG201", f"{op}(): source tensor shape must match self tensor shape, excluding the specified dimension. "
                             f"Got self.shape = {list(self.shape)} source.shape = {list(source.shape)}")
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


index_add = kinds.linear("index_add(Tensor self, int dim, Tensor index, Tensor source, *, alpha=1)", index_add_kernel,
                         self=lambda d: d,
                         source=lambda d, dim, index, alpha: index_select(d, dim, index) * alpha,
                         inplace=True, doc="""A copy with the parts of ``source``, times ``alpha``, added at the numbers in ``index``.

>>> torch.zeros(2, 2).index_add(0, torch.tensor([1, 1]), torch.ones(2, 2))
tensor([[0., 0.],
        [2., 2.]])
""")

index_copy = kinds.linear("index_copy(Tensor self, int dim, Tensor index, Tensor source)", index_copy_kernel,
                          self=lambda d, dim, index: index_fill_value(d, dim, index, 0),
                          source=lambda d, dim, index: index_select(d, dim, index),
                          inplace=True, doc="""A copy with the parts of ``source`` written at the numbers in ``index``.

>>> torch.zeros(2, 2).index_copy(1, torch.tensor([1]), torch.ones(2, 1))
tensor([[0., 1.],
        [0., 1.]])
""")

index_fill_value = kinds.linear("index_fill_value(Tensor self, int dim, Tensor index, value)",
                                lambda self, dim, index, value: index_fill_kernel(
                                    self, dim, index, number_for("index_fill", value, self.dtype)),
                                self=lambda d, dim, index: index_fill_value(d, dim, index, 0),
                                node="IndexFillBackward0", public=False, doc="``index_fill`` with a number.")

index_fill_tensor = kinds.linear("index_fill_tensor(Tensor self, int dim, Tensor index, Tensor value)", index_fill_kernel,
                                 self=lambda d, dim, index: index_fill_value(d, dim, index, 0),
                                 value=lambda d, dim, index, value_shape: sum_to(index_keep(d, dim, index), value_shape),
                                 node="IndexFillBackward1", public=False, doc="``index_fill`` with a 0-d tensor.")

index_keep = kinds.linear("index_keep(Tensor self, int dim, Tensor index)",
                          lambda self, dim, index: self - index_fill_kernel(self, dim, index, 0),
                          self=lambda d, dim, index: index_keep(d, dim, index),
                          public=False, doc="Zeros but for the parts with the numbers in ``index``, which may repeat.")


def check_scalar(op, value):
    if len(value.shape):
        raise error("MG204", f"{op} only supports a 0-dimensional value tensor, but got tensor with {len(value.shape)} dimension(s).")


@composite()
def index_fill(self, dim, index, value):
    """A copy with ``value`` (a number or a 0-d tensor) in the parts with the numbers in ``index``.

    >>> torch.zeros(2, 2).index_fill(1, torch.tensor([0]), 5.)
    tensor([[5., 0.],
            [5., 0.]])
    """
    return index_fill_row(value)(self, dim, index, value)


@in_place("index_fill_")
def index_fill_into(self, dim, index, value):
    """The parts of ``self`` with the numbers in ``index`` take ``value``.

    >>> torch.zeros(2, 2).index_fill_(1, torch.tensor([0]), 5.)
    tensor([[5., 0.],
            [5., 0.]])
    """
    return index_fill_row(value).inplace(self, dim, index, value)


def index_fill_row(value):
    """Which row does it."""
    if not isinstance(value, Tensor):
        return index_fill_value
    check_scalar("index_fill", value)
    return index_fill_tensor


# ------------------------------------------------------------------------------ elements of the flat tensor

def flat_index(op, index, n):
    check_index(op, index, "int64", (8,))
    index = np.where(index < 0, index + n, index) if index.size and index.min() < 0 else index
    check_bounds(op, index, n, 0, "MG206", "out of range: tried to access index {0} on a tensor of {2} elements.")
    return index


take = kinds.linear("take(Tensor self, Tensor index)",
                    lambda self, index: self.reshape(-1).take(flat_index("take", index, self.size)),
                    self=lambda d, self_shape, index: take_backward(d, self_shape, index),
                    doc="""The elements with these numbers in the flat tensor; the result has the shape of ``index``.

>>> torch.tensor([[1, 2], [3, 4]]).take(torch.tensor([0, -1]))
tensor([1, 4])
""")

take_backward = kinds.linear("take_backward(Tensor grad, int[] input_sizes, Tensor index)",
                             lambda grad, input_sizes, index: add_at(
                                 input_sizes, grad.dtype, flat_index("take", index, int(np.prod(input_sizes))), grad),
                             grad=lambda d, index: take(d, index),
                             node="PutBackward0", public=False, doc="The transpose of ``take``.")


# ------------------------------------------------------------------------------ embedding

def embedding_kernel(weight, indices, padding_idx, scale_grad_by_freq):
    if weight.ndim != 2:
        raise error("MG204", f"embedding(): 'weight' must be 2-D, but has shape {list(weight.shape)}")
    if indices.dtype.kind != "i" or indices.itemsize not in (4, 8):
        raise error("MG202", "embedding(): Expected tensor for argument #1 'indices' to have one of the following scalar types: "
                             f"Long, Int; but got {scalar_name(indices.dtype)}: convert it with indices.long()")
    check_bounds("embedding", indices, weight.shape[0], 0, "MG206", "index out of range in self: index {0} for {2} rows of weight")
    return weight.take(indices, 0)


def shares(indices, rows, padding_idx, scale_grad_by_freq):
    """What each use of a row counts: 1, or 1 / its number of uses; 0 for the padding row."""
    flat = indices.reshape(-1)
    out = 1.0 / np.bincount(flat, minlength=rows)[flat] if scale_grad_by_freq else np.ones(flat.size)
    out[flat == padding_idx] = 0
    return out[:, None]


def embedding_backward_kernel(grad, indices, weight_sizes, padding_idx, scale_grad_by_freq):
    rows = grad.reshape(-1, weight_sizes[1])
    if padding_idx >= 0 or scale_grad_by_freq:
        rows = rows * shares(indices, weight_sizes[0], padding_idx, scale_grad_by_freq).astype(rows.real.dtype)
    return add_at(weight_sizes, grad.dtype, numbers_of_rows(weight_sizes, indices.reshape(-1), 0), rows)


def embedding_again_kernel(self, indices, padding_idx, scale_grad_by_freq):
    out = self.take(indices.reshape(-1), 0)
    if padding_idx >= 0 or scale_grad_by_freq:
        out *= shares(indices, self.shape[0], padding_idx, scale_grad_by_freq).astype(out.real.dtype)
    return out.reshape(indices.shape + self.shape[1:])


embedding_rows = kinds.linear(
    "embedding_rows(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False)", embedding_kernel,
    weight=lambda d, indices, weight_shape, padding_idx, scale_grad_by_freq: embedding_backward(
        d, indices, weight_shape, padding_idx, scale_grad_by_freq),
    node="EmbeddingBackward0", public=False, doc="Rows of ``weight`` by number.")

embedding_backward = kinds.linear(
    "embedding_backward(Tensor grad, Tensor indices, int[] weight_sizes, int padding_idx, bool scale_grad_by_freq)",
    embedding_backward_kernel,
    grad=lambda d, indices, padding_idx, scale_grad_by_freq: embedding_again(d, indices, padding_idx, scale_grad_by_freq),
    node="EmbeddingDenseBackwardBackward0", public=False, doc="Each gradient added to the row that was read.")

embedding_again = kinds.linear(
    "embedding_again(Tensor self, Tensor indices, int padding_idx, bool scale_grad_by_freq)", embedding_again_kernel,
    self=lambda d, indices, self_shape, padding_idx, scale_grad_by_freq: embedding_backward(
        d, indices, self_shape, padding_idx, scale_grad_by_freq),
    node="EmbeddingBackward0", public=False, doc="The transpose of ``embedding_backward``: zero at the padding.")


@composite(nn=True)
def embedding(input, weight, padding_idx=None, *, scale_grad_by_freq=False):
    """The rows of the matrix ``weight`` with the numbers in ``input`` (int64, any shape).

    The row ``padding_idx`` is read like any other, but receives no gradient.  With
    ``scale_grad_by_freq`` the gradient of a row is divided by the number of its uses.

    >>> weight = torch.tensor([[0., 0.], [1., 2.]])
    >>> torch.nn.functional.embedding(torch.tensor([1, 0, 1]), weight)
    tensor([[1., 2.],
            [0., 0.],
            [1., 2.]])
    """
    if padding_idx is None:
        return embedding_rows(weight, input, -1, scale_grad_by_freq)
    rows = weight.shape[0]
    if not -rows <= padding_idx < rows:
        raise error("MG204", f"embedding(): Padding_idx must be within num_embeddings: {padding_idx} for {rows} rows")
    return embedding_rows(weight, input, padding_idx % rows, scale_grad_by_freq)


def one_hot_kernel(self, num_classes):
    if self.dtype != np.int64:
        raise error("MG202", f"one_hot is only applicable to index tensor of type LongTensor, not {scalar_name(self.dtype)}.")
    if not self.size and num_classes <= 0:
        raise error("MG204", "one_hot(): Can not infer total number of classes from empty tensor.")
    if self.size and self.min() < 0:
        raise error("MG204", f"one_hot(): Class values must be non-negative, but one is {self.min()}.")
    classes = int(self.max()) + 1 if num_classes == -1 else num_classes
    if self.size and self.max() >= classes:
        raise error("MG204", f"one_hot(): Class values must be smaller than num_classes, but one is {self.max()} of {classes}.")
    return (self[..., None] == np.arange(classes)).astype(np.int64)


one_hot = kinds.not_differentiable("one_hot(Tensor self, int num_classes=-1)", one_hot_kernel, nn=True,
                                   doc="""Vectors with a one at the given class and zeros elsewhere, along a new last dim.

>>> torch.nn.functional.one_hot(torch.tensor([0, 2]), 3)
tensor([[1, 0, 0],
        [0, 0, 1]])
""")


# ------------------------------------------------------------------------------ repeating

def counts(op, repeats, size):
    """How often each of ``size`` parts is wanted, checked."""
    if repeats.dtype.kind != "i":
        raise error("MG202", f'"{op}" not implemented for \'{scalar_name(repeats.dtype)}\': repeats must be int64')
    if repeats.ndim > 1:
        raise error("MG204", f"{op} only accept 1D vector as repeat, but got shape {list(repeats.shape)}")
    if repeats.size and repeats.min() < 0:
        raise error("MG204", f"{op}: repeats can not be negative")
    if size is not None and repeats.size not in (1, size):
        raise error("MG204", f"{op}: repeats must have the same size as input along dim, but got repeats.size(0) = {repeats.size} and "
                             f"input.size(0) = {size}")
    return repeats.reshape(-1)


def repeated(repeats, size):
    """0, 0, 1, 2, 2 ... : each number below ``size`` as often as ``repeats`` says."""
    repeats = counts("repeat_interleave", repeats, size)
    return np.repeat(np.arange(repeats.size if size is None else size), repeats)


repeated_index = kinds.not_differentiable("repeated_index(Tensor repeats, size)", repeated, public=False,
                                          doc="The index with which ``index_select`` repeats parts.")


@composite()
def repeat_interleave(self, repeats=None, dim=None, *, output_size=None):
    """Each part along ``dim`` as often as ``repeats`` says, a number or a vector; without ``dim`` of the flat tensor.

    A vector alone gives the numbers 0, 1, 2 ..., each as often as the vector says.

    >>> torch.tensor([1, 2]).repeat_interleave(2), torch.tensor([1, 2]).repeat_interleave(torch.tensor([3, 1]))
    (tensor([1, 1, 2, 2]), tensor([1, 1, 1, 2]))
    """
    if repeats is None:
        return repeated_index(self, None)
    if dim is None:
        self, dim = reshaped(self, (-1,)), 0
    shape = tuple(self.shape)
    axis = one_dim(dim, len(shape), "repeat_interleave")
    if isinstance(repeats, Tensor):
        return index_select(self, dim, repeated_index(repeats, shape[axis]))
    if repeats < 0:
        raise error("MG204", f"repeat_interleave(): Repeats must be non-negative, but got {repeats}")
    apart = expand_to(unsqueeze(self, axis + 1), shape[:axis + 1] + (repeats,) + shape[axis + 1:])
    return view_to(clone(apart, memory_format="contiguous_format"), shape[:axis] + (shape[axis] * repeats,) + shape[axis + 1:])
