"""New tensors from the elements of old ones: joined, repeated, reversed, shifted, cut, put on a diagonal.

All of these are linear and move elements without changing them, so each formula moves the gradient
back: ``cat`` splits it, ``repeat`` sums it, ``flip`` flips it again, ``tril`` cuts it the same way.
What only looks at the same memory in another way is in shape.py and slicing.py.

As in PyTorch, ``cat`` and ``stack`` promote their tensors to one dtype, and ``cat`` passes over
tensors of shape ``(0,)`` whatever the others look like.
"""

import numpy as np

from minigrad._core.errors import error

from . import kinds
from .dims import many_dims, one_dim
from .kinds import composite
from .shape import at, check_tensors, count, expand_to, ints, reshaped, unsqueeze, view_to
from .slicing import boundaries, diagonal, diagonal_backward, diagonal_of, two_axes, unbind


# ------------------------------------------------------------------------------ joining

def is_nothing(shape):
    """Is this the shape that ``cat`` passes over?"""
    return len(shape) == 1 and shape[0] == 0


def cat_kernel(tensors, dim):
    try:
        return np.concatenate(tensors, axis=dim)
    except (ValueError, TypeError):
        pass                        # something empty to pass over, or something wrong
    if not tensors:
        raise error("MG207", "torch.cat(): expected a non-empty list of Tensors")
    for i, array in enumerate(tensors):
        if not array.ndim:
            raise error("MG204", f"cat(): zero-dimensional tensor (at position {i}) cannot be concatenated: use torch.stack")
    kept = [(i, array) for i, array in enumerate(tensors) if not is_nothing(array.shape)]
    if not kept:
        return np.concatenate(tensors)
    first = kept[0][1]
    axis = one_dim(dim, first.ndim, "cat")
    for i, array in kept:
        if array.ndim != first.ndim:
            raise error("MG201", f"cat(): Tensors must have same number of dimensions: got {first.ndim} and {array.ndim} (of "
                                 f"shapes {list(first.shape)} and {list(array.shape)})")
        for k, (n, m) in enumerate(zip(first.shape, array.shape)):
            if n != m and k != axis:
                raise error("MG201", f"cat(): Sizes of tensors must match except in dimension {axis}. Expected size {n} but got size "
                                     f"{m} for tensor number {i} in the list (shapes {list(first.shape)} and "
                                     f"{list(array.shape)}).")
    return np.concatenate([array for _, array in kept], axis=axis)


def joined_sizes(shapes, dim):
    """Along which axis tensors of these shapes were joined, and the length that each has there."""
    ndim = max(map(len, shapes))
    axis = one_dim(dim, ndim, "cat")
    return axis, [0 if is_nothing(shape) and ndim > 1 else shape[axis] for shape in shapes]


def cat_backward_kernel(grad, shapes, dim):
    axis, sizes = joined_sizes(shapes, dim)
    return tuple([grad[at(axis, slice(start, end))].reshape(shape)
                  for shape, (start, end) in zip(shapes, boundaries(sizes))])


def cat_given_kernel(grads, shapes, dim):
    dtype = next(grad.dtype for grad in grads if grad is not None)
    return cat_kernel([np.zeros(shape, dtype) if grad is None else grad for grad, shape in zip(grads, shapes)], dim)


cat = kinds.linear("cat(Tensor[] tensors, int dim=0)", cat_kernel,
                   tensors=lambda d, tensors_shape, dim: cat_backward(d, tensors_shape, dim),
                   promote="common", method=False, aliases=("concat",),
                   doc="""The tensors one after another along a dim that they all have.

>>> torch.cat([torch.tensor([[1, 2]]), torch.tensor([[3, 4]])], dim=1)
tensor([[1, 2, 3, 4]])
""")

cat_backward = kinds.view("cat_backward(Tensor grad, shapes, int dim)", cat_backward_kernel,
                            outputs="list",
                            grad=lambda ds, shapes, dim: cat_given(ds, shapes, dim),
                            public=False, doc="The part of the gradient that belongs to each tensor.")

cat_given = kinds.linear("cat_given(Tensor?[] grads, shapes, int dim)", cat_given_kernel,
                         grads=lambda d, shapes, dim: cat_backward(d, shapes, dim),
                         node="CatBackward0", public=False, doc="``cat``, with zeros where there is no tensor.")


@composite(method=False)
def concatenate(tensors, axis=0, *, dim=None):
    """NumPy's name for ``cat``.

    >>> torch.concatenate([torch.tensor([1]), torch.tensor([2])], axis=0)
    tensor([1, 2])
    """
    return cat(tensors, axis if dim is None else dim)


def stack_kernel(tensors, dim):
    if not tensors:
        raise error("MG204", "stack expects a non-empty TensorList")
    shape = tensors[0].shape
    for i, array in enumerate(tensors):
        if array.shape != shape:
            raise error("MG201", f"stack expects each tensor to be equal size, but got {list(shape)} at entry 0 and "
                                 f"{list(array.shape)} at entry {i}")
    axis = one_dim(dim, len(shape) + 1, "stack")
    return np.concatenate([array[at(axis, None)] for array in tensors], axis=axis)


stack = kinds.linear("stack(Tensor[] tensors, int dim=0)", stack_kernel,
                     tensors=lambda d, dim: unbind(d, dim),
                     promote="common", method=False,
                     doc="""The tensors, all of one shape, side by side along a new dim.

>>> torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])])
tensor([[1, 2],
        [3, 4]])
""")


def listed(op, tensors):
    """``tensors`` as a list, refused where it is empty."""
    if not len(tensors):
        raise error("MG204", f"{op} expects a non-empty TensorList")
    return list(check_tensors(op, tensors))


@composite(method=False)
def hstack(tensors):
    """The tensors side by side: along dim 1, or dim 0 where they have only one.

    >>> torch.hstack([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    tensors = [to_dims(tensor, 1) for tensor in listed("hstack", tensors)]
    return cat(tensors, 0 if len(tensors[0].shape) == 1 else 1)


@composite(method=False, aliases=("row_stack",))
def vstack(tensors):
    """The tensors below one another: along dim 0, vectors as rows.

    >>> torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    return cat([to_dims(tensor, 2) for tensor in listed("vstack", tensors)], 0)


@composite(method=False)
def dstack(tensors):
    """The tensors behind one another, along dim 2.

    >>> torch.dstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[[1, 3],
             [2, 4]]])
    """
    return cat([to_dims(tensor, 3) for tensor in listed("dstack", tensors)], 2)


@composite(method=False)
def column_stack(tensors):
    """The tensors side by side, vectors as columns.

    >>> torch.column_stack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 3],
            [2, 4]])
    """
    return cat([reshaped(tensor, (-1, 1)) if len(tensor.shape) < 2 else tensor
                for tensor in listed("column_stack", tensors)], 1)


def to_dims(tensor, ndim):
    """``tensor`` with at least 1, 2 or 3 dims; new ones go in front, the third behind."""
    have = len(tensor.shape)
    if have == 0:
        return view_to(tensor, (1,) * ndim)
    if have == 1 and ndim > 1:
        tensor = unsqueeze(tensor, 0)
    return unsqueeze(tensor, -1) if have < 3 <= ndim else tensor


def each_to_dims(tensors, ndim):
    if len(tensors) == 1:
        tensors = tensors[0]
        if not isinstance(tensors, (tuple, list)):
            return to_dims(tensors, ndim)
    return tuple([to_dims(tensor, ndim) for tensor in check_tensors(f"atleast_{ndim}d", tensors)])


@composite(method=False)
def atleast_1d(*tensors):
    """A view with at least one dim; of several tensors, a tuple of them.

    >>> torch.atleast_1d(torch.tensor(1))
    tensor([1])
    """
    return each_to_dims(tensors, 1)


@composite(method=False)
def atleast_2d(*tensors):
    """A view with at least two dims; of several tensors, a tuple of them.

    >>> torch.atleast_2d(torch.tensor([1, 2]))
    tensor([[1, 2]])
    """
    return each_to_dims(tensors, 2)


@composite(method=False)
def atleast_3d(*tensors):
    """A view with at least three dims; of several tensors, a tuple of them.

    >>> torch.atleast_3d(torch.tensor([1, 2])).shape
    torch.Size([1, 2, 1])
    """
    return each_to_dims(tensors, 3)


# ------------------------------------------------------------------------------ repeating

def repeat_kernel(self, repeats):
    if len(repeats) < self.ndim:
        raise error("MG204", "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: "
                             f"repeat{tuple(repeats)} of shape {list(self.shape)}")
    if min(repeats, default=0) < 0:
        raise error("MG204", f"Trying to create tensor with negative dimension: repeat{tuple(repeats)} of shape {list(self.shape)}")
    return np.tile(self, repeats) if repeats else self.copy()


def repeat_backward_kernel(grad, repeats, input_sizes):
    sizes = (1,) * (len(repeats) - len(input_sizes)) + tuple(input_sizes)
    apart = [n for pair in zip(repeats, sizes) for n in pair]
    return np.asarray(grad.reshape(apart).sum(axis=tuple(range(0, len(apart), 2)))).reshape(input_sizes)


repeat_times = kinds.linear("repeat_times(Tensor self, int[] repeats)", repeat_kernel,
                            self=lambda d, repeats, self_shape: repeat_backward(d, repeats, self_shape),
                            node="RepeatBackward0", public=False, doc="``repeat`` with the numbers as one tuple.")

repeat_backward = kinds.linear("repeat_backward(Tensor grad, int[] repeats, int[] input_sizes)", repeat_backward_kernel,
                               grad=lambda d, repeats: repeat_times(d, repeats),
                               public=False, doc="All copies added up: the transpose of ``repeat``.")


@composite()
def repeat(self, *times, repeats=None):
    """The whole tensor, as often along each dim as the numbers say; more numbers than dims make new dims.

    >>> torch.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    return repeat_times(self, ints("repeat", "repeats", times, repeats))


@composite()
def tile(self, *times, dims=None):
    """``repeat``, where missing numbers in front count as 1.

    >>> torch.tensor([[1, 2]]).tile(2)
    tensor([[1, 2, 1, 2]])
    """
    dims = ints("tile", "dims", times, dims)
    return repeat_times(self, (1,) * (len(self.shape) - len(dims)) + dims)


# ------------------------------------------------------------------------------ reversing and shifting

def flip_kernel(self, dims):
    axes = many_dims(dims, self.ndim, "flip") if dims else ()
    return np.flip(self, axes).copy()


flip_dims = kinds.linear("flip_dims(Tensor self, int[] dims)", flip_kernel,
                         self=lambda d, dims: flip_dims(d, dims),
                         node="FlipBackward0", public=False, doc="``flip`` with the dims as one tuple.")


@composite()
def flip(self, *axes, dims=None):
    """A copy with the order of the elements reversed along the given dims.

    >>> torch.tensor([[1, 2], [3, 4]]).flip(0)
    tensor([[3, 4],
            [1, 2]])
    """
    return flip_dims(self, ints("flip", "dims", axes, dims))


@composite()
def fliplr(self):
    """A copy with the columns in reverse order.

    >>> torch.tensor([[1, 2], [3, 4]]).fliplr()
    tensor([[2, 1],
            [4, 3]])
    """
    if len(self.shape) < 2:
        raise error("MG204", f"fliplr(): Input must be >= 2-d., but has shape {list(self.shape)}")
    return flip_dims(self, (1,))


@composite()
def flipud(self):
    """A copy with the rows in reverse order.

    >>> torch.tensor([[1, 2], [3, 4]]).flipud()
    tensor([[3, 4],
            [1, 2]])
    """
    if not len(self.shape):
        raise error("MG204", "flipud(): Input must be >= 1-d., but has no dims")
    return flip_dims(self, (0,))


def rot90_kernel(self, k, dims):
    if len(dims) != 2:
        raise error("MG204", f"rot90(): expected total rotation dims == 2, but got dims = {len(dims)}")
    if self.ndim < 2:
        raise error("MG204", f"rot90(): expected total dims >= 2, but got total dims = {self.ndim}")
    first, second = one_dim(dims[0], self.ndim, "rot90"), one_dim(dims[1], self.ndim, "rot90")
    if first == second:
        raise error("MG204", f"rot90(): expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    return np.rot90(self, k, (first, second)).copy()


rot90 = kinds.linear("rot90(Tensor self, int k=1, int[] dims=(0, 1))", rot90_kernel,
                     self=lambda d, k, dims: rot90(d, -k, dims),
                     doc="""A copy turned by ``k`` quarter turns, from the first dim towards the second.

>>> torch.tensor([[1, 2], [3, 4]]).rot90()
tensor([[2, 4],
        [1, 3]])
""")


def roll_kernel(self, shifts, dims):
    if not len(shifts):
        raise error("MG204", "roll(): `shifts` required")
    if not len(dims) and len(shifts) == 1:
        return np.roll(self, shifts[0])
    if len(shifts) != len(dims):
        raise error("MG204", f"roll(): shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    return np.roll(self, shifts, [one_dim(dim, self.ndim, "roll") for dim in dims] if self.ndim else None)


roll_dims = kinds.linear("roll_dims(Tensor self, int[] shifts, int[] dims)", roll_kernel,
                         self=lambda d, shifts, dims: unroll(d, shifts, dims),
                         node="RollBackward0", public=False, doc="``roll`` with tuples.")

unroll = kinds.linear("unroll(Tensor self, int[] shifts, int[] dims)",
                      lambda self, shifts, dims: roll_kernel(self, tuple([-shift for shift in shifts]), dims),
                      self=lambda d, shifts, dims: roll_dims(d, shifts, dims),
                      node="RollBackward0", public=False, doc="Rolled back.")


@composite()
def roll(self, shifts, dims=()):
    """Elements moved by ``shifts`` places along ``dims``; those that leave at one end enter at the other.

    Without ``dims`` all elements count as one row.

    >>> torch.arange(5).roll(2)
    tensor([3, 4, 0, 1, 2])
    """
    return roll_dims(self, ints("roll", "shifts", (shifts,)), ints("roll", "dims", (() if dims is None else dims,)))


# ------------------------------------------------------------------------------ triangles and diagonals

def triangle(op, cut):
    def kernel(self, diagonal):
        if self.ndim < 2:
            raise error("MG204", f"{op}: input tensor must have at least 2 dimensions, but has shape {list(self.shape)}")
        return cut(self, diagonal)
    return kernel


tril = kinds.linear("tril(Tensor self, int diagonal=0)", triangle("tril", np.tril),
                    self=lambda d, diagonal: tril(d, diagonal),
                    inplace=True, doc="""The lower triangle of a matrix (or a batch), up to the diagonal of that number; zeros above.

>>> torch.ones(2, 3).tril()
tensor([[1., 0., 0.],
        [1., 1., 0.]])
""")

triu = kinds.linear("triu(Tensor self, int diagonal=0)", triangle("triu", np.triu),
                    self=lambda d, diagonal: triu(d, diagonal),
                    inplace=True, doc="""The upper triangle of a matrix (or a batch), from the diagonal of that number on; zeros below.

>>> torch.ones(2, 3).triu(1)
tensor([[0., 1., 1.],
        [0., 0., 1.]])
""")


def diag_embed_kernel(self, offset, dim1, dim2):
    first, second = two_axes("diag_embed", self.ndim + 1, dim1, dim2)
    size = self.shape[-1] + abs(offset)
    shape = list(self.shape[:-1])
    for axis in sorted((first, second)):
        shape.insert(axis, size)
    out = np.zeros(shape, self.dtype)
    diagonal_of(out, offset, first, second)[...] = self
    return out


diag_embed = kinds.linear("diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1)", diag_embed_kernel,
                          self=lambda d, offset, dim1, dim2: diagonal(d, offset, dim1, dim2),
                          doc="""Matrices with the last dim on a diagonal and zeros elsewhere.

>>> torch.tensor([1, 2]).diag_embed()
tensor([[1, 0],
        [0, 2]])
""")

diagonal_copy = kinds.linear("diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1)",
                             lambda self, offset, dim1, dim2: diagonal_of(
                                 self, offset, *two_axes("diagonal_copy", self.ndim, dim1, dim2)).copy(),
                             self=lambda d, self_shape, offset, dim1, dim2: diagonal_backward(
                                 d, self_shape, offset, dim1, dim2),
                             node="DiagonalBackward0_copy", public=False, doc="``diagonal``, copied.")


@composite()
def diag(self, diagonal=0):
    """Of a vector, the matrix with it on a diagonal; of a matrix, a copy of a diagonal.

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


@composite()
def diagflat(self, offset=0):
    """The matrix with all elements on a diagonal.

    >>> torch.tensor([[1], [2]]).diagflat()
    tensor([[1, 0],
            [0, 2]])
    """
    return diag_embed(reshaped(self, (-1,)), offset)


# ------------------------------------------------------------------------------ blocks and grids

def blocks(shapes):
    """The shape of a block diagonal matrix, and for each block the key of its place."""
    rows = columns = 0
    keys = []
    for shape in shapes:
        height, width = (1,) * (2 - len(shape)) + tuple(shape)
        keys.append((slice(rows, rows + height), slice(columns, columns + width)))
        rows, columns = rows + height, columns + width
    return (rows, columns), keys


def block_diag_kernel(tensors, shapes):
    for i, shape in enumerate(shapes):
        if len(shape) > 2:
            raise error("MG204", "torch.block_diag: Input tensors must have 2 or fewer dimensions. "
                                 f"Input {i} has {len(shape)} dimensions")
    size, keys = blocks(shapes)
    out = np.zeros(size, next(array.dtype for array in tensors if array is not None))
    for array, key in zip(tensors, keys):
        if array is not None:
            out[key] = array
    return out


block_diag_list = kinds.linear("block_diag_list(Tensor[] tensors)",
                               lambda tensors: block_diag_kernel(tensors, [array.shape for array in tensors]),
                               tensors=lambda d, tensors_shape: block_diag_backward(d, tensors_shape),
                               promote="common", node="BlockDiagBackward0", public=False,
                               doc="``block_diag`` with the tensors in a list.")

block_diag_given = kinds.linear("block_diag_given(Tensor?[] grads, shapes)", block_diag_kernel,
                                grads=lambda d, shapes: block_diag_backward(d, shapes),
                                node="BlockDiagBackward0", public=False, doc="The same, with zeros where there is no tensor.")

block_diag_backward = kinds.view("block_diag_backward(Tensor grad, shapes)",
                                   lambda grad, shapes: tuple([grad[key].reshape(shape) for shape, key in
                                                               zip(shapes, blocks(shapes)[1])]),
                                   outputs="list",
                                   grad=lambda ds, shapes: block_diag_given(ds, shapes),
                                   public=False, doc="The block of the gradient that belongs to each tensor.")


@composite(method=False)
def block_diag(*tensors):
    """The matrix with the tensors as blocks on its diagonal; vectors count as rows.

    >>> torch.block_diag(torch.tensor([[1, 2]]), torch.tensor(3))
    tensor([[1, 2, 0],
            [0, 0, 3]])
    """
    return block_diag_list(tensors)


@composite(method=False)
def meshgrid(*tensors, indexing="ij"):
    """The coordinates of a grid from the coordinates along each axis; views.

    With ``indexing="ij"`` the first tensor runs along dim 0, with ``"xy"`` along dim 1.

    >>> x, y = torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4]), indexing="ij")
    >>> x
    tensor([[1, 1],
            [2, 2]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    tensors = listed("meshgrid", tensors)
    if indexing not in ("ij", "xy"):
        raise error("MG204", f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    for tensor in tensors:
        if len(tensor.shape) > 1:
            raise error("MG204", "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got one of shape "
                                 f"{list(tensor.shape)}")
        if tensor.dtype is not tensors[0].dtype:
            raise error("MG202", "meshgrid expects all tensors to have the same dtype, but got "
                                 f"{tensors[0].dtype} and {tensor.dtype}")
    swap = indexing == "xy" and len(tensors) > 1
    if swap:
        tensors[:2] = tensors[1], tensors[0]
    shape = tuple([count(tensor.shape) for tensor in tensors])
    grids = [expand_to(view_to(tensor, (1,) * i + (-1,) + (1,) * (len(tensors) - 1 - i)), shape)
             for i, tensor in enumerate(tensors)]
    if swap:
        grids[:2] = grids[1], grids[0]
    return tuple(grids)


@composite(method=False)
def cartesian_prod(*tensors):
    """All ways to take one element of each vector, as rows.

    >>> torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor([[1, 3],
            [1, 4],
            [2, 3],
            [2, 4]])
    """
    for tensor in check_tensors("cartesian_prod", tensors):
        if len(tensor.shape) != 1:
            raise error("MG204", f"cartesian_prod(): Expect a 1D vector, but got shape {list(tensor.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    return stack([reshaped(grid, (-1,)) for grid in meshgrid(*tensors)], 1)
