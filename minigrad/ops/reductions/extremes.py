"""Extremes: the greatest and the least entry, and where they are.

The two kinds of extreme differ in what they say about equal entries.  ``amax``, and ``max`` without a
dim, name a value only: all entries that have it share the gradient evenly (``spread_to_ties``).
``max`` along a dim also names an index, and the gradient follows it (``put_along``), as it does in
all of sorting.py.  Both helpers have a transpose beside them, which is again a row.

Neighbours: cumulative.py (running extremes), sorting.py (order), piecewise.py (the extreme of two tensors).
This module defines its own ``max`` and ``min``: inside it, Python's are hidden.
"""

import numpy as np

from minigrad._core.dispatch.op_introspection import named_results
from minigrad._core.errors import error
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.reductions.array_sums import total

from ..elementwise.piecewise import maximum, minimum
from ..composites import composite
from ..exports import overload
from ..kinds import general, linear, not_differentiable
from ..arguments import in_int64, in_rows, one_dim, own, refuse_complex, refuse_empty, refuse_empty_whole, restored

# ------------------------------------------------------------------------------ where a gradient goes

def ties(self, result, axes, keepdim):
    """Which entries are equal to the extreme (nan counts as equal to nan), and how many of them there are."""
    extreme = restored(result, axes, keepdim)
    mask = (self == extreme) | (self != self) & (extreme != extreme)
    return mask, np.add.reduce(mask, axis=axes, keepdims=True, dtype=np.int64)


def spread_to_ties_kernel(self, result, grad, dim, keepdim):
    mask, count = ties(self, result, dim, keepdim)
    return in_rows(np.where(mask, restored(grad, dim, keepdim) / count.astype(grad.dtype), grad.dtype.type(0)))


def collect_from_ties_kernel(self, result, values, dim, keepdim):
    mask, count = ties(self, result, dim, keepdim)
    share = np.where(mask, values / count.astype(values.dtype), values.dtype.type(0))
    return total(share, dim, keepdim)


spread_to_ties = linear("spread_to_ties(Tensor self, Tensor result, Tensor grad, Dims? dim, bool keepdim)",
                        spread_to_ties_kernel,
                        grad=lambda d, self, result, dim, keepdim: collect_from_ties(self, result, d, dim, keepdim),
                        no_gradient=("self", "result"), public=False, wide=True, fast=kernels.spread_to_ties,
                        doc="The gradient of an extreme value, in equal shares for all entries that have it.")

collect_from_ties = linear("collect_from_ties(Tensor self, Tensor result, Tensor values, Dims? dim, bool keepdim)",
                           collect_from_ties_kernel,
                           values=lambda d, self, result, dim, keepdim: spread_to_ties(self, result, d, dim, keepdim),
                           no_gradient=("self", "result"), public=False, wide=True,
                           doc="The mean over the entries that have the extreme value: the transpose of "
                               "``spread_to_ties``.")


def with_dim(array, dim, keepdim):
    """``array`` with the reduced dim put back with size one; a 0-d array gets the dim that PyTorch pretends it has."""
    return array if keepdim and array.ndim else np.expand_dims(array, dim)


def put_along_kernel(grad, indices, shape, dim, keepdim):
    out = np.zeros(shape or (1,), grad.dtype)
    np.put_along_axis(out, with_dim(own(indices), dim, keepdim), with_dim(grad, dim, keepdim), dim)
    return out.reshape(shape)


def take_along_kernel(self, indices, dim, keepdim):
    if not self.ndim:
        return self.copy()
    taken = np.take_along_axis(self, with_dim(own(indices), dim, keepdim), dim)
    return taken if keepdim else taken.reshape(indices.shape)


put_along = linear("put_along(Tensor grad, Tensor indices, Sizes shape, Dim dim, bool keepdim)", put_along_kernel,
                   grad=lambda d, indices, dim, keepdim: take_along(d, indices, dim, keepdim),
                   public=False, fast=kernels.put_along,
                   doc="Each gradient at the index where its value came from (no index twice), zeros elsewhere.")

take_along = linear("take_along(Tensor self, Tensor indices, Dim dim, bool keepdim)", take_along_kernel,
                    self=lambda d, indices, self_shape, dim, keepdim: put_along(d, indices, self_shape, dim, keepdim),
                    public=False,
                    doc="The entries at these indices: the transpose of ``put_along``.")

# ------------------------------------------------------------------------------ values

def extreme_over(op, ufunc):
    """The kernel of amax and amin, and of max and min without a dim."""
    def kernel(self, dim, keepdim):
        refuse_complex(self, op)
        if dim is None:
            refuse_empty_whole(self, op)
        else:
            refuse_empty(self, dim, op)
        return in_rows(ufunc.reduce(self, axis=dim, keepdims=keepdim))
    return kernel


def extreme_along(op, arg):
    """The kernel of max and min along a dim: the value and its (first) index."""
    def kernel(self, dim, keepdim):
        refuse_complex(self, op)
        if not self.ndim:
            return self.copy(), np.zeros((), np.int64)
        refuse_empty(self, (dim,), op)
        indices = in_int64(arg(self, axis=dim, keepdims=True))
        values = np.take_along_axis(self, indices, dim)
        return (values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))
    return kernel


amax = general("amax(Tensor self, Dims? dim=(), bool keepdim=False)", extreme_over("amax", np.maximum),
               self=lambda d, self, result, dim, keepdim: spread_to_ties(self, result, d, dim, keepdim),
               fast=kernels.largest,
               doc="""The greatest entry over one dim or several; equal ones share the gradient evenly.

>>> torch.amax(torch.tensor([[1., 5.], [5., 2.]]), dim=(0, 1))
tensor(5.)
""")

amin = general("amin(Tensor self, Dims? dim=(), bool keepdim=False)", extreme_over("amin", np.minimum),
               self=lambda d, self, result, dim, keepdim: spread_to_ties(self, result, d, dim, keepdim),
               fast=kernels.least, doc="""The least entry over one dim or several; equal ones share the gradient evenly.

>>> torch.amin(torch.tensor([[1., 5.], [5., 2.]]), dim=0)
tensor([1., 2.])
""")

max_all = general("max(Tensor self)", lambda self: extreme_over("max", np.maximum)(self, None, False),
                  self=lambda d, self, result: spread_to_ties(self, result, d, None, False),
                  node="MaxBackward1", fast=kernels.largest_of_all, out="cast",
                  doc="The greatest entry of all.", function_doc="""
The greatest entry of all; along a dim, with its index; or, given two tensors, of each pair.

Without a dim, equal entries share the gradient evenly; along a dim it goes to the entry that the index names, the
first of equal ones.

>>> x = torch.tensor([[1., 5., 5.], [4., 2., 3.]], requires_grad=True)
>>> torch.max(x, 1)
torch.return_types.max(
values=tensor([5., 4.], grad_fn=<MaxBackward0>),
indices=tensor([1, 0]))
>>> torch.max(x).backward(); x.grad
tensor([[0.0000, 0.5000, 0.5000],
        [0.0000, 0.0000, 0.0000]])
""")

max_dim = general("max.dim(Tensor self, Dim dim, bool keepdim=False)", extreme_along("max", np.argmax),
                  self=lambda d, indices, self_shape, dim, keepdim: put_along(d, indices, self_shape, dim, keepdim),
                  outputs=("values", "indices"), differentiable=("values",), node="MaxBackward0",
                  fast=kernels.largest_at, out="cast",
                  doc="The greatest entry along a dim, and where it is.")

overload("max", maximum)

min_all = general("min(Tensor self)", lambda self: extreme_over("min", np.minimum)(self, None, False),
                  self=lambda d, self, result: spread_to_ties(self, result, d, None, False),
                  node="MinBackward1", fast=kernels.least_of_all, out="cast",
                  doc="The least entry of all.", function_doc="""
The least entry of all; along a dim, with its index; or, given two tensors, of each pair.

>>> torch.min(torch.tensor([[1., 5.], [4., 2.]]), 1).values
tensor([1., 2.])
""")

min_dim = general("min.dim(Tensor self, Dim dim, bool keepdim=False)", extreme_along("min", np.argmin),
                  self=lambda d, indices, self_shape, dim, keepdim: put_along(d, indices, self_shape, dim, keepdim),
                  outputs=("values", "indices"), differentiable=("values",), node="MinBackward0",
                  fast=kernels.least_at, out="cast",
                  doc="The least entry along a dim, and where it is.")

overload("min", minimum)

AMINMAX = named_results("aminmax", ("min", "max"))


@composite(out="exact")
def aminmax(self, *, dim=None, keepdim=False):
    """The least and the greatest entry, of all or along one dim; equal ones share the gradient evenly.

    >>> torch.aminmax(torch.tensor([[1., 5.], [4., 2.]]), dim=0)
    torch.return_types.aminmax(
    min=tensor([1., 2.]),
    max=tensor([4., 5.]))
    """
    if dim is not None:
        dim = one_dim(dim, self.ndim, "aminmax")
    if 0 in self.shape and (dim is None or not self.shape[dim]):
        raise no_extremes(dim, self.shape)
    return AMINMAX(amin(self, dim, keepdim), amax(self, dim, keepdim))


def arg_extreme(op, arg):
    """The kernel of argmax and argmin: the index of the first of equal entries, of all (flattened) or along a dim."""
    def kernel(self, dim, keepdim):
        refuse_complex(self, op)
        if dim is None:
            if not self.size:
                raise nothing_to_search(op, self.shape)
            return in_int64(arg(self)).reshape((1,) * self.ndim if keepdim else ())
        if not self.ndim:
            return np.zeros((), np.int64)
        refuse_empty(self, (dim,), op)
        return in_int64(arg(self, axis=dim, keepdims=keepdim))
    return kernel


argmax = not_differentiable("argmax(Tensor self, Dim? dim=None, bool keepdim=False)", arg_extreme("argmax", np.argmax),
                            fast=kernels.place_of_largest, doc="""
The index of the greatest entry, the first of equal ones; nan counts as greater than all numbers.

Without ``dim`` it is an index of the flattened tensor.

>>> torch.argmax(torch.tensor([[1., 5.], [4., 2.]]), dim=1)
tensor([1, 0])
""")

argmin = not_differentiable("argmin(Tensor self, Dim? dim=None, bool keepdim=False)", arg_extreme("argmin", np.argmin),
                            fast=kernels.place_of_least, doc="""
The index of the least entry, the first of equal ones; nan counts as less than all numbers.

>>> torch.argmin(torch.tensor([[1., 5.], [4., 2.]]))
tensor(0)
""")


# ------------------------------------------------------------------------------ errors

def no_extremes(dim, shape):
    if dim is None:
        return error("MG204", "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
                              f"identity. The tensor has shape {list(shape)}")
    return error("MG206", f"aminmax(): Expected reduction dim {dim} to have non-zero size. The tensor has shape "
                          f"{list(shape)}")


def nothing_to_search(op, shape):
    return error("MG206", f"{op}(): Expected reduction dim to be specified for input.numel() == 0. The tensor has "
                          f"shape {shape}")
