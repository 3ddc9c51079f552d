"""Choosing elements by mask: where, masked_fill, masked_select, masked_scatter, nonzero.

A mask is a bool tensor; it takes part in broadcasting and has no gradient.  ``where`` and
``masked_fill`` are elementwise: each branch gets the gradient of the places where it was chosen and
zero elsewhere, never ``d * condition``, since zero times a nan or inf in the branch not taken would
be nan.  ``masked_select`` packs the chosen elements into one dim, and its transpose unpacks them.

Choosing by number is in gathering.py, subscripts (``x[mask]``) are in subscripting.py.
"""

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.loops import new_ufuncs as loops

from .. import kinds
from ..composites import composite
from ..shapes.broadcasting import common_shape, sum_to
from .gathering import check_scalar
from .indexing import at_places
from ..arguments import in_int64, number_for, own, scalar_name, scalar_of


# ------------------------------------------------------------------------------ where and nonzero

def choose_kernel(condition, self, other):
    if condition.dtype.kind != "b":
        if condition.dtype != np.uint8:
            raise condition_not_bool(condition.dtype)
        warn_of_bytes()
        condition = condition.astype(bool)
    return np.where(condition, self, other)


choose = kinds.elementwise("where.self(Tensor condition, Tensor self, Tensor other)", choose_kernel,
                           self=lambda d, condition: choose(condition, d, 0),
                           other=lambda d, condition: choose(condition, 0, d),
                           promote_args=("self", "other"), method=False, inplace=False, out="exact", wide=False,
                           or_numbers=("self", "other"), fast=loops.where,
                           doc="``where`` with three arguments.", function_doc="""
Elements of ``input`` where the bool tensor ``condition`` is True, of ``other`` elsewhere; with broadcasting.

Both may be numbers.  The branch not taken gets a gradient of zero, whatever nan or inf is in it.
(What computed that branch may still turn zero into nan: the derivative of sqrt at 0 is infinite.)
With the condition alone, the indices of its True elements: ``nonzero(as_tuple=True)``.

>>> x = torch.tensor([1., float("nan")], requires_grad=True)
>>> torch.where(x > 0, 2 * x, 0.).sum().backward(); x.grad
tensor([2., 0.])
""")

indices_by_dim = kinds.not_differentiable("where(Tensor condition)",
                                          lambda condition: [*in_int64(np.argwhere(own(np.atleast_1d(condition)))).T],
                                          outputs="list", method=False, out=False,
                                          fast=kernels.indices_by_dim,
                                          doc="The indices of the elements that are not zero, a vector for each dim.")

argwhere = kinds.not_differentiable("argwhere(Tensor self)", lambda self: in_int64(np.argwhere(own(self))), out=False,
                                    fast=kernels.argwhere, doc="""
The indices of the elements that are not zero, one row for each.

>>> torch.argwhere(torch.tensor([0, 3, 4]))
tensor([[1],
        [2]])
""")


@composite(out="exact")
def nonzero(input, *, as_tuple=False):
    """The indices of the elements that are not zero: a row for each, or a tuple with a vector for each dim.

    >>> torch.tensor([[0, 1], [2, 0]]).nonzero()
    tensor([[0, 1],
            [1, 0]])
    """
    return (indices_by_dim if as_tuple else argwhere)(input)


# ------------------------------------------------------------------------------ masks

def check_mask(op, mask, text="{} only supports boolean masks, but got mask with dtype {}"):
    """Refuse a mask whose dtype is not bool."""
    if mask.dtype.kind != "b":
        raise mask_not_bool(op, mask.dtype.name, text)


def masked_fill_kernel(self, mask, value):
    check_mask("masked_fill", mask)
    return np.where(mask, value, self)


def fill_places(memory, result, mask, value):
    places = np.broadcast_to(mask, memory.shape)
    memory[places] = result[places]


@at_places(fill_places)
def masked_fill_value_kernel(self, mask, value):
    return masked_fill_kernel(self, mask, number_for("masked_fill", value, self.dtype))


masked_fill_value = kinds.elementwise("masked_fill.Scalar(Tensor self, Tensor mask, Scalar value)",
                                      masked_fill_value_kernel,
                                      self=lambda d, mask: masked_fill_value(d, mask, 0),
                                      promote=None, node="MaskedFillBackward0", wide=False, out=False,
                                      fast=loops.masked_fill,
                                      layout="rows", doc="``masked_fill`` with a number.", function_doc="""
A copy with ``value`` (a number or a 0-d tensor) where the bool tensor ``mask`` is True.

>>> torch.tensor([1., 2., 3.]).masked_fill(torch.tensor([False, True, False]), -1)
tensor([ 1., -1.,  3.])
""")


@at_places(fill_places)
def masked_fill_tensor_kernel(self, mask, value):
    check_scalar("masked_fill", value)
    return masked_fill_kernel(self, mask, scalar_of("masked_fill", value, self.dtype))


masked_fill_tensor = kinds.elementwise("masked_fill.Tensor(Tensor self, Tensor mask, Tensor value)",
                                       masked_fill_tensor_kernel,
                                       self=lambda d, mask: masked_fill_value(d, mask, 0),
                                       value=lambda d, mask: choose(mask, d, 0),
                                       promote=None, node="MaskedFillBackward1", wide=False, out=False,
                                       read_first=("value",), layout="rows", doc="``masked_fill`` with a 0-d tensor.")


def masked_select_kernel(self, mask):
    check_mask("masked_select", mask, "{}: expected BoolTensor for mask, but got {}")
    shape = common_shape("masked_select", [self.shape, mask.shape])
    return np.broadcast_to(self, shape)[np.broadcast_to(own(mask), shape)]


def masked_select_backward_kernel(grad, mask, input_sizes):
    shape = common_shape("masked_select", [input_sizes, mask.shape])
    out = np.zeros(shape, grad.dtype)
    out[np.broadcast_to(own(mask), shape)] = grad
    return out


masked_select = kinds.linear("masked_select(Tensor self, Tensor mask)", masked_select_kernel,
                             self=lambda d, mask, self_shape:
                             sum_to(masked_select_backward(d, mask, self_shape), self_shape),
                             apart=True, fast=kernels.masked_select,
                             doc="""The elements where ``mask``, broadcast together with ``self``, is True, in one dim.

>>> torch.tensor([1, 2, 3]).masked_select(torch.tensor([True, False, True]))
tensor([1, 3])
""")

masked_select_backward = kinds.linear("masked_select_backward(Tensor grad, Tensor mask, Sizes input_sizes)",
                                      masked_select_backward_kernel,
                                      grad=lambda d, mask: masked_select(d, mask),
                                      node="MaskedScatterBackward0", public=False,
                                      batch="loop", fast=kernels.masked_select_backward,
                                      doc="Zeros, with the gradients where the mask is True.")


def masked_scatter_kernel(self, mask, source):
    check_mask("masked_scatter_", mask)
    if self.dtype != source.dtype:
        raise source_of_another_dtype(self.dtype, source.dtype)
    shape = common_shape("masked_scatter", [self.shape, mask.shape])
    mask, out = np.broadcast_to(own(mask), shape), np.array(np.broadcast_to(self, shape), order="C")
    wanted = np.count_nonzero(mask)
    if wanted > source.size:
        raise too_few_elements(source.size, wanted)
    out[mask] = source.reshape(-1)[:wanted]
    return out


def masked_read_kernel(grad, mask, sizes):
    out = np.zeros(sizes, grad.dtype)
    found = grad[np.broadcast_to(own(mask), grad.shape)]
    out.reshape(-1)[:found.size] = found
    return out


masked_scatter = kinds.linear("masked_scatter(Tensor self, Tensor mask, Tensor source)", masked_scatter_kernel,
                              self=lambda d, mask, self_shape: sum_to(masked_fill_value(d, mask, 0), self_shape),
                              source=lambda d, mask, source_shape: masked_read(d, mask, source_shape),
                              inplace=True, out=False, batch="loop",
                              fast=kernels.masked_scatter,
                              doc="""A copy with the elements of ``source``, in their order, where ``mask`` is True.

>>> torch.zeros(3).masked_scatter(torch.tensor([True, False, True]), torch.tensor([1., 2.]))
tensor([1., 0., 2.])
""")

masked_read = kinds.linear("masked_read(Tensor grad, Tensor mask, Sizes sizes)", masked_read_kernel,
                           grad=lambda d, mask, grad_shape: masked_write(d, mask, grad_shape),
                           node="MaskedSelectBackward0", public=False, batch="loop",
                           fast=kernels.masked_read,
                           doc="The elements under a mask at the beginning of zeros: what a masked source receives.")

masked_write = kinds.linear("masked_write(Tensor self, Tensor mask, Sizes sizes)",
                            lambda self, mask, sizes: masked_scatter_kernel(np.zeros(sizes, self.dtype), mask, self),
                            self=lambda d, mask, self_shape: masked_read(d, mask, self_shape),
                            node="MaskedScatterBackward0", public=False, batch="loop",
                            fast=kernels.masked_write, doc="The transpose of ``masked_read``.")


# ------------------------------------------------------------------------------ errors and warnings


def warn_of_bytes():
    warn("where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future "
         "version of PyTorch. Use a boolean condition instead.")


def condition_not_bool(dtype):
    return error("MG202", "where expected condition to be a boolean tensor, but got a tensor with dtype "
                          f"{scalar_name(dtype)}. Compare to get one, as in x > 0, or convert with .bool()")


def mask_not_bool(op, dtype, text):
    return error("MG202", text.format(op, dtype) + ": compare, as in mask = x > 0, or convert with mask.bool()")


def source_of_another_dtype(dtype, source):
    return error("MG202", "masked_scatter: expected self and source to have same dtypes but got "
                          f"{scalar_name(dtype)} and {scalar_name(source)}")


def too_few_elements(given, wanted):
    return error("MG204", f"masked_scatter: Number of elements of source < number of ones in mask ({given} < {wanted})")
