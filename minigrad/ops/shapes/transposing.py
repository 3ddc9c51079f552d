"""The order and the number of dims: transpose, permute, squeeze, unsqueeze.

Nothing here moves a number: each result is a NumPy view, so a write through it is seen by its base.
Its derivative is bookkeeping, and each formula puts the dims of the gradient back:

    op            its transpose, which is the formula
    ---------     -----------------------------------
    transpose     the same transpose
    permute       the inverse permutation
    squeeze       reshape to the old shape
    unsqueeze     squeeze

Neighbours: reshaping.py (other sizes of the dims), broadcasting.py (repeated dims), slicing.py (views
of a part), manipulation.py (new arrays from the elements of old ones).
"""

from minigrad._core.errors import error, warn
from minigrad._core.kernels import table as kernels

from .. import kinds
from ..composites import composite
from ..exports import ROWS
from .reshaping import reshape_to
from ..arguments import at, each_once, ints, one_dim

conj = ROWS.waiting("conj")


# ------------------------------------------------------------------------------ the order of dims

transpose = kinds.view("transpose(Tensor self, Dim dim0, Dim dim1)",
                       lambda self, dim0, dim1: transpose_kernel(self, dim0, dim1),
                       self=lambda d, dim0, dim1: transpose(d, dim0, dim1),
                       aliases=("swapdims", "swapaxes"), also={"axis0": "dim0", "axis1": "dim1"},
                       inplace=True, inplace_node="TransposeBackward1", fast=kernels.transpose,
                       doc="""Two dims exchanged; a view.

>>> torch.zeros(2, 3, 4).transpose(0, -1).shape
torch.Size([4, 3, 2])
""")


def transpose_kernel(self, dim0, dim1):
    return self.swapaxes(dim0, dim1) if self.ndim else self[...]


def t_kernel(self):
    if self.ndim > 2:
        raise more_than_a_matrix(self.ndim)
    return self.T


t = kinds.view("t(Tensor self)", t_kernel, self=lambda d: t(d),
               inplace=True, inplace_node="TBackward1", fast=kernels.t, doc="""
The transpose of a matrix; a view.  Tensors with fewer dims stay as they are.

>>> torch.tensor([[1, 2], [3, 4]]).t()
tensor([[1, 3],
        [2, 4]])
""")


def T(self):
    """All dims in reverse order; the property ``Tensor.T``."""
    if self.ndim != 2:
        warn(NOT_FOR_MATRICES)
    return permute(self, tuple(range(self.ndim - 1, -1, -1)))


def is_number(self, name):
    """Is this a 0-d tensor, which PyTorch still takes for its own transpose?"""
    if len(self.shape):
        return False
    warn(for_a_number(name))
    return True


def mT(self):
    """The last two dims exchanged; the property ``Tensor.mT``."""
    if is_number(self, "mT"):
        return self
    if len(self.shape) < 2:
        raise less_than_a_matrix("mT", len(self.shape))
    return transpose(self, -2, -1)


def mH(self, name="mH"):
    """The conjugate transpose of the last two dims; the property ``Tensor.mH``."""
    if is_number(self, name):
        return conj(self) if self.dtype.is_complex else self
    if len(self.shape) < 2:
        raise less_than_a_matrix(name, len(self.shape))
    swapped = transpose(self, -2, -1)
    return conj(swapped) if self.dtype.is_complex else swapped


@composite(out=False)
def adjoint(self):
    """The conjugate transpose of the last two dims: a view of real numbers, and a copy of complex ones.

    >>> torch.adjoint(torch.tensor([[1, 2j]]))
    tensor([[1.-0.j],
            [0.-2.j]])
    """
    return mH(self, "adjoint()")


def H(self):
    """The conjugate transpose of a matrix; the property ``Tensor.H``."""
    if len(self.shape) not in (0, 2):
        raise not_a_matrix(len(self.shape))
    return mH(self)


def permuted(self, dims):
    """The array with its axes in this order."""
    ndim = self.ndim
    if len(dims) != ndim:
        raise not_all_dims(dims, ndim)
    if len(set(dims)) != ndim:
        raise error("MG204", f"permute(): duplicate dims are not allowed, but got {dims}.")
    return self.transpose(dims)


def unpermuted(self, dims):
    inverse = [0] * len(dims)
    for place, axis in enumerate(dims):
        inverse[axis] = place
    return self.transpose(inverse)


permute = kinds.view("permute(Tensor self, Dim... dims)", permuted,
                     self=lambda d, dims: unpermute(d, dims),
                     fast=kernels.permute, doc="""The dims in another order; a view.

>>> torch.zeros(2, 3, 4).permute(2, 0, 1).shape
torch.Size([4, 2, 3])
""")

unpermute = kinds.view("unpermute(Tensor self, Dim[1] dims)", unpermuted,
                       self=lambda d, dims: permute(d, dims),
                       fast=kernels.unpermute, node="PermuteBackward0", public=False,
                       doc="The dims put back in the order from which ``permute`` took them.")


@composite(aliases=("moveaxis",), out=False)
def movedim(self, source, destination):
    """The dims ``source`` moved to the places ``destination``, the others in their order; a view.

    >>> torch.zeros(2, 3, 4).movedim(0, -1).shape
    torch.Size([3, 4, 2])
    """
    ndim = len(self.shape)
    if type(source) is int and type(destination) is int and ndim:       # one dim, as mostly
        order = [*range(ndim)]
        moved = order.pop(one_dim(source, ndim, "movedim"))
        order.insert(one_dim(destination, ndim, "movedim"), moved)
        return permute(self, tuple(order))
    source, destination = ints("movedim", "source", (source,)), ints("movedim", "destination", (destination,))
    if len(source) != len(destination):
        raise not_as_many_places(source, destination)
    order, other = [None] * max(ndim, 1), 0
    for axis, place in zip(source, destination):
        axis, place = one_dim(axis, ndim, "movedim"), one_dim(place, ndim, "movedim")
        if axis in order:
            raise moved_twice("source", source)
        if order[place] is not None:
            raise moved_twice("destination", destination)
        order[place] = axis
    for place, axis in enumerate(order):
        if axis is None:
            while other in order:
                other += 1
            order[place] = other
    return permute(self, tuple(order) if ndim else ())          # a tensor without dims counts as if it had one


# ------------------------------------------------------------------------------ dims of size one

def squeeze_kernel(self, dim):
    axes = each_once("squeeze", dim)
    return self.reshape([n for axis, n in enumerate(self.shape) if n != 1 or axis not in axes])


squeeze_all = kinds.view("squeeze(Tensor self)", lambda self: self.squeeze(),
                         self=lambda d, self_shape: reshape_to(d, self_shape),
                         fast=kernels.squeeze, node="SqueezeBackward0", inplace=True, inplace_node="SqueezeBackward3",
                         doc="All dims of size one dropped.", function_doc="""
The dims of size one dropped: all of them, or only ``dim`` (an int or several).  A view.

>>> x = torch.zeros(1, 3, 1)
>>> x.squeeze().shape, x.squeeze(0).shape, x.squeeze(1).shape
(torch.Size([3]), torch.Size([3, 1]), torch.Size([1, 3, 1]))
""")

squeeze_dim = kinds.view("squeeze.dim(Tensor self, Dim dim)", lambda self, dim: squeeze_kernel(self, (dim,)),
                         self=lambda d, self_shape, dim: reshape_to(d, self_shape),
                         fast=kernels.squeeze_dim, node="SqueezeBackward1",
                         inplace=True, inplace_node="SqueezeBackward4",
                         doc="One dim dropped if its size is one.")

squeeze_dims = kinds.view("squeeze.dims(Tensor self, Dim[1] dim)", squeeze_kernel,
                          self=lambda d, self_shape, dim: reshape_to(d, self_shape),
                          fast=kernels.squeeze_dims, node="SqueezeBackward2",
                          inplace=True, inplace_node="SqueezeBackward5",
                          doc="Those of several dims dropped that have size one.")


unsqueeze = kinds.view("unsqueeze(Tensor self, NewDim dim)", lambda self, dim: self[at(dim, None)],
                       self=lambda d, dim: squeeze_dim(d, dim),
                       fast=kernels.unsqueeze, inplace=True, inplace_node="UnsqueezeBackward1",
                       doc="""A new dim of size one at place ``dim``; a view.

>>> torch.tensor([1, 2]).unsqueeze(-1)
tensor([[1],
        [2]])
""")


# ------------------------------------------------------------------------------ errors and warnings

NOT_FOR_MATRICES = ("The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it "
                    "will throw an error in a future release. Consider `x.mT` to transpose batches of matrices or "
                    "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.")


def for_a_number(name):
    return (f"Tensor.{name} is deprecated on 0-D tensors. It is the tensor itself"
            + (", or its conjugate: consider using x.conj()." if name in ("mH", "adjoint()") else "."))


def more_than_a_matrix(ndim):
    return error("MG204", f"t() expects a tensor with <= 2 dimensions, but self is {ndim}D. Write x.transpose(dim0, "
                          "dim1) or x.mT")


def less_than_a_matrix(name, ndim):
    return error("MG204", f"tensor.{name} is only supported on matrices or batches of matrices. Got {ndim}-D tensor.")


def not_a_matrix(ndim):
    return error("MG204", f"tensor.H is only supported on matrices (2-D tensors). Got {ndim}-D tensor. For batches of "
                          "matrices, consider using tensor.mH")


def not_all_dims(dims, ndim):
    return error("MG204", "permute(): number of dimensions in the tensor input does not match the length of the "
                          f"desired ordering of dimensions i.e. input.dim() = {ndim} is not equal to len(dims) = "
                          f"{len(dims)}")


def moved_twice(name, dims):
    return error("MG204", f"movedim: repeated dim in `{name}` ({list(dims)})")


def not_as_many_places(source, destination):
    return error("MG204", f"movedim: Invalid source or destination dims: source ({list(source)} dims) should contain "
                          f"the same number of dims as destination ({list(destination)} dims)")
