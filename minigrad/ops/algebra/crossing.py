"""The cross product, and the diagonal under its name in ``linalg``.

Neighbours: products.py, transposing.py.
"""

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.kernels import table as kernels

from ..elementwise.complex import conj
from ..composites import composite
from ..kinds import multilinear
from ..shapes.broadcasting import common_shape, expand
from ..shapes.slicing import diagonal
from ..arguments import one_dim, scalar_name


def cross_kernel(self, other, dim):
    if self.dtype.kind == "b":
        raise error("MG202", 'linalg.cross: "cross" not implemented for \'Bool\': convert the tensors to a number type')
    a, b = [np.moveaxis(x, dim, 0) for x in (self, other)]
    out = np.empty(self.shape, self.dtype)
    to = np.moveaxis(out, dim, 0)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        to[i] = a[j] * b[k] - a[k] * b[j]
    return out


cross_rows = multilinear("cross_rows(Tensor self, Tensor other, Dim dim)", cross_kernel,
                         self=lambda d, other, dim: cross_rows(conj(other), d, dim),
                         other=lambda d, self, dim: cross_rows(d, conj(self), dim),
                         node="LinalgCrossBackward0", public=False, shown="linalg.cross", fast=kernels.cross,
                         doc="The cross products of the vectors along ``dim`` of two tensors of one shape.")


@composite(out="exact", types="Tensor Tensor Dim", also={"A": "self"})
def linalg_cross(self, other, *, dim=-1):
    """The cross products of the vectors of three numbers along ``dim``; both tensors are broadcast.

    >>> torch.linalg.cross(torch.tensor([1., 0., 0.]), torch.tensor([[0., 1., 0.], [0., 0., 1.]])[:1].squeeze(0))
    tensor([0., 0., 1.])
    """
    if self.ndim != other.ndim:
        raise error("MG201", "linalg.cross: inputs must have the same number of dimensions. They have "
                             f"{self.ndim} and {other.ndim}")
    axis = one_dim(dim, self.ndim, "linalg.cross")
    if not self.ndim:
        raise error("MG203", f"linalg.cross: Dimension specified as {dim} but tensor has no dimensions")
    if self.shape[axis] != 3 or other.shape[axis] != 3:
        raise not_three(dim, self, other, axis)
    if self.dtype is not other.dtype:
        raise error("MG202", f"linalg.cross: expected scalar type {scalar_name(self.dtype.numpy)} but found "
                             f"{scalar_name(other.dtype.numpy)}")
    if self.shape != other.shape:
        shape = common_shape("linalg.cross", [tuple(self.shape), tuple(other.shape)])
        self, other = expand(self, shape), expand(other, shape)
    return cross_rows(self, other, axis)


@composite(out="exact", types="Tensor Tensor Dim?")
def cross(self, other, dim=None):
    """The cross products of the vectors of three numbers along ``dim``.

    Without ``dim`` it is the first one of size 3, which is deprecated: ``linalg.cross`` takes the last one.

    >>> torch.cross(torch.tensor([1., 0., 0.]), torch.tensor([0., 1., 0.]), dim=0)
    tensor([0., 0., 1.])
    """
    if dim is None:
        warn("Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly "
             "or simply use torch.linalg.cross.\nThe default value of dim will change to agree with that of "
             "linalg.cross in a future release.")
        if 3 not in self.shape:
            raise error("MG201", f"cross(): no dimension of size 3 in input: its shape is {list(self.shape)}")
        dim = list(self.shape).index(3)
    return linalg_cross(self, other, dim=dim)


@composite(out=False, types="Tensor int Dim Dim")
def linalg_diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """The diagonals of matrices, as a view: ``diagonal``, of the last two dims.

    >>> torch.linalg.diagonal(torch.tensor([[[1, 2], [3, 4]]]))
    tensor([[1, 4]])
    """
    return diagonal(A, offset, dim1, dim2)


def not_three(dim, self, other, axis):
    return error("MG201", f"linalg.cross: inputs dimension {dim} must have length 3. Got {self.shape[axis]} and "
                          f"{other.shape[axis]}")
