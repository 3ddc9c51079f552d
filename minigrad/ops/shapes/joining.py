"""Several tensors made into one, or spread over one grid: cat, stack, block_diag, meshgrid.

Joining is linear, and the formula takes the gradient apart again: ``cat`` splits it, ``stack``
unbinds it.  As in PyTorch, ``cat`` and ``stack`` promote their tensors to one dtype, and ``cat``
skips tensors of shape ``(0,)``, whatever the shapes of the others.

Neighbours: splitting.py (the way back), manipulation.py (new tensors from the elements of one).
"""

from math import prod

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.frontends import stack_and_split
from minigrad._core.kernels import table as kernels
from minigrad._core.runtime.type_promotion import default_real

from .. import kinds
from ..composites import composite
from .broadcasting import expand
from .reshaping import reshaped, view
from .splitting import boundaries, unbind
from .transposing import unsqueeze
from ..arguments import at, check_tensors


# ------------------------------------------------------------------------------ joining

def is_nothing(shape):
    """Is this the shape that ``cat`` skips?"""
    return len(shape) == 1 and shape[0] == 0


def cat_kernel(tensors, dim):
    try:
        return np.concatenate(tensors, axis=dim)
    except (ValueError, TypeError):
        pass                        # there is an empty tensor to skip, or a mistake
    if not tensors:
        raise error("MG207", "torch.cat(): expected a non-empty list of Tensors")
    for i, array in enumerate(tensors):
        if not array.ndim:
            raise no_dim_to_join(i)
    kept = [(i, array) for i, array in enumerate(tensors) if not is_nothing(array.shape)]
    if not kept:
        return np.concatenate(tensors)
    first = kept[0][1]
    for i, array in kept:
        if array.ndim != first.ndim:
            raise ranks_differ(first.shape, array.shape)
        for k, (n, m) in enumerate(zip(first.shape, array.shape)):
            if n != m and k != dim:
                raise sizes_differ(i, dim, n, m, first.shape, array.shape)
    return np.concatenate([array for _, array in kept], axis=dim)


def cat_backward_kernel(grad, shapes, dim):
    ndim = max(map(len, shapes))
    sizes = [0 if is_nothing(shape) and ndim > 1 else shape[dim] for shape in shapes]
    return tuple([grad[at(dim, slice(start, end))].reshape(shape)
                  for shape, (start, end) in zip(shapes, boundaries(sizes))])


def cat_given_kernel(grads, shapes, dim):
    dtype = next(grad.dtype for grad in grads if grad is not None)
    return cat_kernel([np.zeros(shape, dtype) if grad is None else grad for grad, shape in zip(grads, shapes)], dim)


cat = kinds.linear("cat(Tensor[] tensors, Dim dim=0)", cat_kernel,
                   tensors=lambda d, tensors_shape, dim: cat_backward(d, tensors_shape, dim),
                   apart=True, fast=kernels.cat, promote="common", method=False, aliases=("concat", "concatenate"),
                   least_dims=1, layout="channels", doc="""The tensors one after another along a dim that they all have.

>>> torch.cat([torch.tensor([[1, 2]]), torch.tensor([[3, 4]])], dim=1)
tensor([[1, 2, 3, 4]])
""")

cat_backward = kinds.view("cat_backward(Tensor grad, Sizes[] shapes, Dim dim)", cat_backward_kernel,
                            outputs="list", fast=kernels.cat_backward,
                            grad=lambda ds, shapes, dim: cat_given(ds, shapes, dim),
                            public=False, doc="The part of the gradient that belongs to each tensor.")

cat_given = kinds.linear("cat_given(Tensor?[] grads, Sizes[] shapes, Dim dim)", cat_given_kernel,
                         grads=lambda d, shapes, dim: cat_backward(d, shapes, dim),
                         node="CatBackward0", public=False,
                         shown="cat", doc="``cat``, with zeros where there is no tensor.")


def stack_kernel(tensors, dim):
    if not tensors:
        raise error("MG204", "stack expects a non-empty TensorList")
    shape = tensors[0].shape
    for i, array in enumerate(tensors):
        if array.shape != shape:
            raise shapes_differ(i, shape, array.shape)
    return np.concatenate([array[at(dim, None)] for array in tensors], axis=dim)


stack = kinds.linear("stack(Tensor[] tensors, NewDim dim=0)", stack_kernel,
                     tensors=lambda d, dim: unbind(d, dim),
                     fast=kernels.stack, promote="common", method=False,
                     layout="rows", doc="""The tensors, all of one shape, side by side along a new dim.

>>> torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])])
tensor([[1, 2],
        [3, 4]])
""")


def listed(op, tensors):
    """``tensors`` as a list, refused if it is empty."""
    if not isinstance(tensors, (tuple, list)):
        raise error("MG205", f"{op}(): argument 'tensors' (position 1) must be tuple of Tensors, not "
                             f"{type(tensors).__name__}: put them into a list, as in {op}([a, b])")
    if not len(tensors):
        raise error("MG204", f"{op} expects a non-empty TensorList")
    return list(check_tensors(op, tensors))


@composite(method=False, front=stack_and_split.hstack)
def hstack(tensors):
    """The tensors side by side: along dim 1, or dim 0 if they have only one.

    >>> torch.hstack([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    tensors = [to_dims(tensor, 1) for tensor in listed("hstack", tensors)]
    return cat(tensors, 0 if len(tensors[0].shape) == 1 else 1)


@composite(method=False, aliases=("row_stack",), front=stack_and_split.vstack)
def vstack(tensors):
    """The tensors below one another: along dim 0, vectors as rows.

    >>> torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    return cat([to_dims(tensor, 2) for tensor in listed("vstack", tensors)], 0)


@composite(method=False, front=stack_and_split.dstack)
def dstack(tensors):
    """The tensors behind one another, along dim 2.

    >>> torch.dstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[[1, 3],
             [2, 4]]])
    """
    return cat([to_dims(tensor, 3) for tensor in listed("dstack", tensors)], 2)


@composite(method=False, front=stack_and_split.column_stack)
def column_stack(tensors):
    """The tensors side by side, vectors as columns.

    >>> torch.column_stack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 3],
            [2, 4]])
    """
    return cat([reshaped(tensor, (-1, 1)) if len(tensor.shape) < 2 else tensor
                for tensor in listed("column_stack", tensors)], 1)


def to_dims(tensor, ndim):
    """``tensor`` with at least 1, 2 or 3 dims; new dims come first, but the third comes last."""
    have = len(tensor.shape)
    if have == 0:
        return view(tensor, (1,) * ndim)
    if have == 1 and ndim > 1:
        tensor = unsqueeze(tensor, 0)
    return unsqueeze(tensor, -1) if have < 3 <= ndim else tensor


def each_to_dims(tensors, ndim):
    """``to_dims`` for each of the tensors, or for the only one."""
    if len(tensors) == 1:
        tensors = tensors[0]
        if not isinstance(tensors, (tuple, list)):
            return to_dims(tensors, ndim)
    return tuple([to_dims(tensor, ndim) for tensor in check_tensors(f"atleast_{ndim}d", tensors)])


@composite(method=False, out=False)
def atleast_1d(*tensors):
    """A view with at least one dim; for several tensors, a tuple of views.

    >>> torch.atleast_1d(torch.tensor(1))
    tensor([1])
    """
    return each_to_dims(tensors, 1)


@composite(method=False, out=False)
def atleast_2d(*tensors):
    """A view with at least two dims; for several tensors, a tuple of views.

    >>> torch.atleast_2d(torch.tensor([1, 2]))
    tensor([[1, 2]])
    """
    return each_to_dims(tensors, 2)


@composite(method=False, out=False)
def atleast_3d(*tensors):
    """A view with at least three dims; for several tensors, a tuple of views.

    >>> torch.atleast_3d(torch.tensor([1, 2])).shape
    torch.Size([1, 2, 1])
    """
    return each_to_dims(tensors, 3)


# ------------------------------------------------------------------------------ blocks and grids

def blocks(shapes):
    """The shape of a block diagonal matrix, and the NumPy index of each block."""
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
            raise not_a_block(i, shape)
    if not tensors:
        return np.zeros((1, 0), default_real())
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
                               batch="loop", shown="block_diag", doc="``block_diag`` with the tensors in a list.")

block_diag_given = kinds.linear("block_diag_given(Tensor?[] grads, Sizes[] shapes)", block_diag_kernel,
                                grads=lambda d, shapes: block_diag_backward(d, shapes),
                                node="BlockDiagBackward0", public=False, batch="loop",
                                shown="block_diag", doc="The same, with zeros where there is no tensor.")

block_diag_backward = kinds.view("block_diag_backward(Tensor grad, Sizes[] shapes)",
                                   lambda grad, shapes: tuple([grad[key].reshape(shape) for shape, key in
                                                               zip(shapes, blocks(shapes)[1])]),
                                   outputs="list",
                                   grad=lambda ds, shapes: block_diag_given(ds, shapes),
                                   public=False, batch="loop",
                                   doc="The block of the gradient that belongs to each tensor.")


@composite(method=False, out=False)
def block_diag(*tensors):
    """The matrix with the tensors as blocks on its diagonal; vectors count as rows.

    >>> torch.block_diag(torch.tensor([[1, 2]]), torch.tensor(3))
    tensor([[1, 2, 0],
            [0, 0, 3]])
    """
    return block_diag_list(tensors)


@composite(method=False, out=False)
def meshgrid(*tensors, indexing=None):
    """The coordinates of a grid from the coordinates along each axis, as views.

    With ``indexing="ij"`` the first tensor runs along dim 0; with ``"xy"`` it runs along dim 1.  Without it, "ij" is
    taken, with a warning.

    >>> x, y = torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4]), indexing="ij")
    >>> x
    tensor([[1, 1],
            [2, 2]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    tensors = listed("meshgrid", tensors)
    if indexing not in (None, "ij", "xy"):
        raise error("MG204", f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    for tensor in tensors:
        if len(tensor.shape) > 1:
            raise not_coordinates(tensor.shape)
        if tensor.dtype is not tensors[0].dtype:
            raise dtypes_differ(tensors[0].dtype, tensor.dtype)
    if indexing is None:
        warn("torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument. It is "
             'indexing="ij" here, and indexing="xy" in NumPy.')
    swap = indexing == "xy" and len(tensors) > 1
    if swap:
        tensors[:2] = tensors[1], tensors[0]
    shape = tuple([prod(tensor.shape) for tensor in tensors])
    grids = [expand(view(tensor, (1,) * i + (-1,) + (1,) * (len(tensors) - 1 - i)), shape)
             for i, tensor in enumerate(tensors)]
    if swap:
        grids[:2] = grids[1], grids[0]
    return tuple(grids)


@composite(method=False, out=False)
def cartesian_prod(*tensors):
    """All combinations of one element from each vector, as rows.

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
    return stack([reshaped(grid, (-1,)) for grid in meshgrid(*tensors, indexing="ij")], 1)


# ------------------------------------------------------------------------------ errors

def no_dim_to_join(i):
    return error("MG204", f"cat(): zero-dimensional tensor (at position {i}) cannot be concatenated: use torch.stack")


def ranks_differ(first, other):
    return error("MG201", f"cat(): Tensors must have same number of dimensions: got {len(first)} and {len(other)} (of "
                          f"shapes {list(first)} and {list(other)})")


def sizes_differ(i, dim, n, m, first, other):
    return error("MG201", f"cat(): Sizes of tensors must match except in dimension {dim}. Expected size {n} but got "
                          f"size {m} for tensor number {i} in the list (shapes {list(first)} and {list(other)}).")


def shapes_differ(i, first, other):
    return error("MG201", f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and "
                          f"{list(other)} at entry {i}. torch.cat joins along an existing dim, in which sizes "
                          "may differ")


def not_a_block(i, shape):
    return error("MG204", f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has "
                          f"{len(shape)} dimensions")


def not_coordinates(shape):
    return error("MG204", "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got one of shape "
                          f"{list(shape)}")


def dtypes_differ(first, other):
    return error("MG202", f"meshgrid expects all tensors to have the same dtype, but got {first} and {other}")
