"""Norms: how long a vector is, how large a matrix is.

For N = (sum |x|^p)^(1/p) the gradient is sgn(u) |u|^(p-1) with u = x / N: a direction and a power of numbers about 1,
which neither overflow nor vanish, however large or small x is.  The norm is computed in the same way where it must be.

At 0 the norm has a corner (as |x| has), and there the gradient is 0: a power of 0 that would be infinite
counts as 0, and so does a division by 0.  ``power_of_abs`` and ``signed_power`` follow this rule, and the
derivative of each is made of the other.

PyTorch records every vector norm under one node name; there are five rows for it here, because
p = 0, 1, 2, infinity and all other p have five different gradients.

Neighbours: totals.py (sums), extremes.py (ties), singular.py (singular values).
"""

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.reductions.array_sums import total

from ..copying import to_copy
from ..elementwise.arithmetic import divide_or_zero
from ..elementwise.complex import abs, conj, real, sgn
from ..composites import add_method, composite
from ..kinds import general
from ..reductions.extremes import amax, amin, spread_to_ties
from ..reductions.totals import restore_dims, sum_dim
from ..shapes.transposing import permute, squeeze_dims, unsqueeze
from .singular import values_of
from ..arguments import cast, in_rows, in_single, many_dims, must_be_tensors, one_dim, one_int, scalar_name

INF = float("inf")

# ------------------------------------------------------------------------------ powers of |x|

def power_of_abs_kernel(self, exponent):
    size = np.absolute(self)
    if exponent >= 0:
        return np.power(size, exponent)
    return np.power(size, exponent, where=size != 0, out=np.zeros_like(size))


power_of_abs = general("power_of_abs(Tensor self, Scalar exponent)", power_of_abs_kernel,
                       self=lambda d, self, exponent: d * (exponent * signed_power(self, exponent - 1)),
                       public=False,
                       last_dims=0, doc="|x|^p, and 0 where that would be infinite.")

signed_power = general("signed_power(Tensor self, Scalar exponent)",
                       lambda self, exponent: np.sign(self) * power_of_abs_kernel(self, exponent),
                       self=lambda d, self, exponent: power_of_abs(self, exponent - 1) * (
                           d + (exponent - 1) * (sgn(self) * real(conj(sgn(self)) * d))),
                       public=False,
                       last_dims=0, doc="""sgn(x) |x|^p.

A step across x turns it, and is multiplied by |x|^(p-1); a step along x is multiplied by p |x|^(p-1).
So the part of d along x counts p times; for real numbers that part is all of d.
""")

# ------------------------------------------------------------------------------ vector norms

def vector_norm_kernel(self, ord, dim, keepdim, dtype):
    self = cast(self, dtype)
    if self.dtype.kind in "biu":
        raise not_floating(self.dtype)
    axes = tuple(range(self.ndim)) if dim is None else dim
    if not self.size and (ord < 0 or ord == INF):
        refuse_no_identity(self, axes, ord)
    size = np.absolute(self)
    return in_rows(norm_of(in_single(size), ord, axes, keepdim)).astype(size.dtype, copy=False)


def norm_of(size, ord, axes, keepdim):
    """The norm of an array of absolute values."""
    if ord == INF:
        return np.maximum.reduce(size, axis=axes, keepdims=keepdim)
    if ord == -INF:
        return np.minimum.reduce(size, axis=axes, keepdims=keepdim)
    if ord == 0:
        return total(size != 0, axes, keepdim).astype(size.dtype)
    if ord == 1:
        return total(size, axes, keepdim)
    sums = sum_of_powers(size, ord, axes, keepdim)
    limits = np.finfo(size.dtype)
    if not size.size or ((sums > limits.tiny / limits.eps) & (sums <= limits.max)).all():
        return root(sums, ord)
    # Some power may have been beyond the limits: once more, in units of the entry that counts most.
    unit = (np.maximum if ord > 0 else np.minimum).reduce(size, axis=axes, keepdims=True)
    unit = np.where((unit > 0) & (unit <= limits.max), unit, 1).astype(size.dtype)
    scaled = root(sum_of_powers(size / unit, ord, axes, keepdim), ord)
    return scaled * unit.reshape(scaled.shape)


def sum_of_powers(size, ord, axes, keepdim):
    return total(size * size if ord == 2 else np.power(size, ord), axes, keepdim)


def root(sums, ord):
    return np.sqrt(sums) if ord == 2 else np.power(sums, 1 / ord)


def refuse_no_identity(array, axes, ord):
    """Refuse the largest or smallest of no entries: there is none."""
    if len(axes) == array.ndim:
        raise no_identity(ord, array.shape)
    for axis in axes:
        if not array.shape[axis]:
            raise no_identity_along(axis, ord, array.shape)


def norm_row(name, **formula):
    """One of the rows that together are the vector norm."""
    return general(f"{name}(Tensor self, Scalar ord, Dims? dim=None, bool keepdim=False, DType? dtype=None)",
                   vector_norm_kernel, public=False, node="LinalgVectorNormBackward0", shown="norm", fast=kernels.norm,
                   **formula)


norm_0 = norm_row("norm_0", self=lambda d: None,
                  doc="How many entries are not zero; it has no gradient, as in PyTorch.")

norm_1 = norm_row("norm_1", self=lambda d, self, dim, keepdim: restore_dims(d, dim, keepdim) * sgn(self),
                  doc="The sum of absolute values.")

norm_2 = norm_row("norm_2", self=lambda d, self, result, dim, keepdim:
                  restore_dims(d, dim, keepdim) * divide_or_zero(self, restore_dims(result, dim, keepdim)),
                  doc="The length of the vector: d goes along x / |x|.")

norm_inf = norm_row("norm_inf", self=lambda d, self, result, dim, keepdim:
                    sgn(self) * spread_to_ties(abs(self), result, d, dim, keepdim),
                    doc="The largest absolute value, or the smallest; equal ones share the gradient evenly.")

norm_p = norm_row("norm_p", self=lambda d, self, result, ord, dim, keepdim:
                  restore_dims(d, dim, keepdim)
                  * signed_power(divide_or_zero(self, restore_dims(result, dim, keepdim)), ord - 1),
                  doc="The norm for any other p.")

ROW_OF_ORD = {0: norm_0, 1: norm_1, 2: norm_2, INF: norm_inf, -INF: norm_inf}


@composite(out="exact")
def linalg_vector_norm(self, ord=2, dim=None, keepdim=False, *, dtype=None):
    """The p-norm of all entries, or over the dims in ``dim``; p is ``ord``: 0, 1, 2, inf, -inf or any other number.

    Its gradient at 0 is 0.

    >>> torch.linalg.vector_norm(torch.tensor([3., -4.]))
    tensor(5.)
    >>> torch.linalg.vector_norm(torch.tensor([3., -4.]), ord=float("inf"))
    tensor(4.)
    """
    if isinstance(ord, (np.integer, np.floating)):
        ord = ord.item()
    if not isinstance(ord, (int, float)):
        raise ord_not_a_number(ord)
    return ROW_OF_ORD.get(ord, norm_p)(self, ord, dim, keepdim, dtype)

# ------------------------------------------------------------------------------ matrix norms


@composite(out="exact")
def linalg_matrix_norm(self, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """A norm of the matrices in two dims.

    "fro" is the length of the vector of all entries. 1 (or inf) is the largest sum of absolute values in a column (or
    row), and -1 (or -inf) the smallest. 2 is the largest singular value, -2 the smallest, and "nuc" the sum of all.

    >>> torch.linalg.matrix_norm(torch.tensor([[1., -2.], [3., 4.]]), 1)
    tensor(6.)
    >>> torch.linalg.matrix_norm(torch.tensor([[3., 0.], [0., -4.]]), "nuc")
    tensor(7.)
    """
    if ord not in ("fro", "nuc", 1, -1, 2, -2, INF, -INF):
        raise unknown_ord(ord)
    rows, columns = two_dims(self, dim)
    if ord == "fro":
        return norm_2(self, 2, (rows, columns), keepdim, dtype)
    if ord in ("nuc", 2, -2):
        return spectral_norm(self, ord, rows, columns, keepdim, dtype)
    added, kept = (rows, columns) if ord in (1, -1) else (columns, rows)
    sums = norm_1(self, 1, added, True, dtype)
    extreme = largest(sums, kept, True) if ord > 0 else amin(sums, kept, True)
    return extreme if keepdim else squeeze_dims(extreme, (rows, columns))


def largest(sizes, dim, keepdim):
    """The largest of sizes along a dim; of none, it is 0."""
    return amax(sizes, dim, keepdim) if sizes.shape[dim] else sum_dim(sizes, dim, keepdim)


def spectral_norm(self, ord, rows, columns, keepdim, dtype):
    """The sum, the largest or the smallest of the singular values of the matrices in two dims."""
    order = [axis for axis in range(self.ndim) if axis not in (rows, columns)] + [rows, columns]
    if dtype is not None and dtype is not self.dtype:
        self = to_copy(self, dtype)
    values = values_of(permute(self, tuple(order)))
    if ord == "nuc":
        result = sum_dim(values, -1, keepdim)
    else:
        result = largest(values, -1, keepdim) if ord > 0 else amin(values, -1, keepdim)
    if not keepdim:
        return result
    return permute(unsqueeze(result, -1), tuple([order.index(axis) for axis in range(self.ndim)]))


def two_dims(tensor, dim):
    """The two dims of the matrices, counted from 0."""
    if tensor.ndim < 2:
        raise no_matrix(tensor.ndim)
    if not isinstance(dim, (tuple, list)) or len(dim) != 2:
        raise error("MG204", f"linalg.matrix_norm: dim must be a 2-tuple. Got {dim}")
    return many_dims(dim, tensor.ndim, "linalg.matrix_norm")


@composite(out="exact")
def linalg_norm(self, ord=None, dim=None, keepdim=False, *, dtype=None):
    """The vector norm over one dim or all, the matrix norm over two; without ``ord``, the length of all entries.

    >>> torch.linalg.norm(torch.tensor([[3., 4.], [0., 0.]]))
    tensor(5.)
    """
    if ord is None:
        return norm_2(self, 2, dim, keepdim, dtype)
    if dim is None:
        if self.ndim not in (1, 2):
            raise neither_vector_nor_matrix(self.ndim)
        dim = tuple(range(self.ndim))
    if isinstance(ord, str) or isinstance(dim, (tuple, list)) and len(dim) == 2:
        return linalg_matrix_norm(self, ord, dim, keepdim, dtype=dtype)
    return linalg_vector_norm(self, ord, dim, keepdim, dtype=dtype)


@composite(method=False, out="exact")
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """The p-norm of all entries, or over the dims in ``dim``. Its gradient at 0 is 0.

    With p = "nuc" it is the sum of the singular values of the matrix, or of the matrices in two dims. A number means
    the norm of a vector even over two dims, unlike in ``linalg.norm``.

    >>> x = torch.tensor([3., 4.], requires_grad=True)
    >>> torch.norm(x).backward(); x.grad
    tensor([0.6000, 0.8000])
    """
    if out is not None:                 # given by position; @composite takes it as a keyword
        return norm(input, p, dim, keepdim, dtype=dtype, out=out)
    if p == "fro" or p is None:
        return norm_2(input, 2, dim, keepdim, dtype)
    if isinstance(p, str):
        return linalg_matrix_norm(input, p, tuple(range(input.ndim)) if dim is None else dim, keepdim, dtype=dtype)
    return linalg_vector_norm(input, p, dim, keepdim, dtype=dtype)


@composite(method=False, out="exact", types="Tensor Any bool")
def nuclear_norm(self, dim=None, keepdim=False):
    """The sum of the singular values of a matrix, or of those in two dims. Deprecated.

    >>> torch.linalg.matrix_norm(torch.tensor([[3., 0.], [0., -4.]]), "nuc")
    tensor(7.)
    """
    warn("at::nuclear_norm is deprecated and it is just left for JIT compatibility. It will be removed in a future "
         "PyTorch release. Please use `linalg.matrix_norm(A, 'nuc', dim, keepdim)` instead")
    if self.ndim < 2:
        raise no_matrix(self.ndim, "nuclear_norm")
    if dim is None or isinstance(dim, bool):
        dim, keepdim = (-2, -1), keepdim if dim is None else dim
    return linalg_matrix_norm(self, "nuc", dim, keepdim)


@composite(method=False, out="exact", types="Tensor Dims bool")
def frobenius_norm(self, dim, keepdim=False):
    """The length of all entries over one dim or two. Deprecated: it is ``linalg.vector_norm``.

    >>> torch.linalg.vector_norm(torch.tensor([[3., 0.], [0., -4.]]))
    tensor(5.)
    """
    warn("at::frobenius_norm is deprecated and it is just left for JIT compatibility. It will be removed in a future "
         "PyTorch release. Please use `linalg.vector_norm(A, 2., dim, keepdim)` instead")
    if isinstance(dim, (tuple, list)) and len(dim) > 2:
        raise error("MG204", f"frobenius_norm(): Expected at most 2 dimensions, but got {len(dim)} dimensions instead.")
    return norm_2(self, 2, dim, keepdim, None)


@composite(method=False, out=False, types="Tensor int int")
def norm_except_dim(v, pow=2, dim=0):
    """The norms over all dims but one, which are kept with size 1; with dim=-1, over all dims.

    >>> torch.norm_except_dim(torch.tensor([[3., 4.], [6., 8.]]))
    tensor([[ 5.],
            [10.]])
    """
    pow = one_int("norm_except_dim", "pow", pow)
    if dim == -1:
        return linalg_vector_norm(v, pow)
    axis = one_dim(dim, v.ndim, "norm_except_dim")
    others = tuple([other for other in range(v.ndim + 1) if other != axis])
    return squeeze_dims(linalg_vector_norm(unsqueeze(v, -1), pow, others, True), (-1,))


def norm_method(self, p="fro", dim=None, keepdim=False, dtype=None):
    """The p-norm of all entries, or over the dims in ``dim``; see :func:`norm`.

    >>> torch.tensor([3., 4.]).norm()
    tensor(5.)
    """
    return norm(self, p, dim, keepdim, dtype=dtype)


add_method("norm", norm_method)


@composite(out=False)
def dist(self, other, p=2):
    """The p-norm of the difference.

    >>> torch.dist(torch.tensor([1., 1.]), torch.tensor([4., 5.]))
    tensor(5.)
    """
    if not isinstance(other, Tensor):
        raise must_be_tensors("dist", input=self, other=other)
    return linalg_vector_norm(self - other, p)


# ------------------------------------------------------------------------------ errors


def not_floating(dtype):
    return error("MG202", "linalg.vector_norm: Expected a floating point or complex tensor as input. "
                          f"Got {scalar_name(dtype)}. Write x.float() first")


def no_identity(ord, shape):
    return error("MG204", f"linalg.vector_norm cannot compute the {ord} norm on an empty tensor because the "
                          f"operation does not have an identity. The tensor has shape {shape}")


def no_identity_along(axis, ord, shape):
    return error("MG204", f"linalg.vector_norm cannot compute the {ord} norm on the dimension {axis} because "
                          f"this dimension is empty and the operation does not have an identity. Shape: {shape}")


def ord_not_a_number(ord):
    return error("MG205", f"linalg_vector_norm(): argument 'ord' (position 2) must be Number, not {type(ord).__name__}")


def unknown_ord(ord):
    return error("MG204", f"linalg.matrix_norm: Order {ord} not supported. Take 'fro', 'nuc', 1, -1, 2, -2, inf or "
                          "-inf")


def no_matrix(ndim, op="linalg.matrix_norm"):
    return error("MG201", f"{op}: The input tensor A must have at least 2 dimensions, but it has {ndim}")


def neither_vector_nor_matrix(ndim):
    return error("MG204", f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {ndim}D.")
