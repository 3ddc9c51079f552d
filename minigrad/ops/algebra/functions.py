"""Functions of matrices: the exponential, chains of products, powers of numbers as a matrix.

exp(A) is a power series, which converges fast for a small matrix; so A is halved until it is small, and the result
squared as often [Moler and Van Loan, 2003, "Nineteen dubious ways"; Higham, 2005, "The scaling and squaring method for
the matrix exponential revisited"].  The series is cut after 18 terms, with which it is exact below the bound of Bader,
Blanes and Casas, 2019, "Computing the matrix exponential with an optimized Taylor polynomial approximation".

The differential of an analytic function of a matrix is in the corner of the function of a larger one [Mathias,
1996, "A chain rule for matrix functions and applications"]::

    f( A  E )  =  ( f(A)  df )
       0  A         0    f(A)

Of such a matrix the first n rows say everything, and so do they of a product of two: 3 products of A's size, where the
whole would take 8.

Neighbours: products.py, solving.py (powers of matrices).
"""

from functools import lru_cache

import numpy as np

from minigrad._core.dispatch.matmul import reshaped
from minigrad._core.errors import error, warn

from ..copying import zeros_of
from ..composites import composite
from ..kinds import general
from ..reductions.cumulative import cumprod
from ..shapes.arranging import flip
from ..shapes.broadcasting import expand
from ..shapes.joining import cat
from ..shapes.slicing import slice_
from ..shapes.transposing import squeeze_dim, unsqueeze
from .matrices import check_square_shape, identity_kernel, in_double
from .products import C_NAMES, adjoint, mm
from .solving import linalg_inv, linalg_solve
from ..arguments import count_over, one_int, scalar_name

# ------------------------------------------------------------------------------ the exponential

BOUND, TERMS = 1.09, 18
BOUND_OF_STEPS = 1.0    # the differential is 1/18! away from the truth where the exponential is 1/19!


def series(A, product):
    """I + A + A^2/2 + ... for matrices below the bound, four terms at a time: Horner's rule in the fourth power."""
    I = identity_kernel(A)
    second = product(A, A)
    third = product(A, second)
    fourth = product(second, second)
    result = None
    for k in range(TERMS - TERMS % 4, -1, -4):
        part = sum([power * (1 / FACTORIAL[k + i]) for i, power in enumerate((I, A, second, third)) if k + i <= TERMS])
        result = part if result is None else part + product(fourth, result)
    return result


FACTORIAL = np.cumprod([1.0, *range(1, TERMS + 1)])


def matrix_exp_kernel(A):
    if A.dtype.kind in "biu":
        raise error("MG202", "linalg.matrix_exp: Expected a floating point or complex tensor as input. Got "
                             f"{scalar_name(A.dtype)}: convert it with .double() or .float()")
    a = in_double(A)
    if not a.size:
        return a.astype(A.dtype)
    if a.shape[-1] == 1:
        return np.exp(a).astype(A.dtype, copy=False)
    return exponential(a, np.matmul, BOUND).astype(A.dtype, copy=False)


def exponential(a, product, bound):
    """exp of matrices in double precision, which are scaled until their first square part is below the bound."""
    size = np.abs(a[..., :a.shape[-2]]).sum(axis=-2).max(axis=-1)
    halvings = np.ceil(np.log2(np.maximum(np.where(np.isfinite(size), size, 1) / bound, 1))).astype(int)
    result = series(a * np.exp2(-halvings)[..., None, None], product)
    for k in range(halvings.max()):
        again = halvings > k
        squared = product(result, result)
        result = squared if again.all() else np.where(again[..., None, None], squared, result)
    return result


def first_rows(X, Y):
    """Those of the product of two matrices (A E, 0 A), from theirs."""
    n = X.shape[-2]
    product = np.matmul(X[..., :n], Y)
    product[..., n:] += np.matmul(X[..., n:], Y[..., :n])
    return product


def differential_kernel(self, step):
    n = self.shape[-1]
    a = in_double(np.concatenate([self, step], -1))
    if not a.size:
        return a[..., n:].astype(step.dtype)
    return exponential(a, first_rows, BOUND_OF_STEPS)[..., n:].astype(step.dtype)


def differential_vjp(d, self, step):
    """The gradient for A of the corner: from that of the larger matrix, which has A in two places."""
    n = self.shape[-1]
    of_corner = cat([cat([zeros_of(d), d], -1), cat([zeros_of(d), zeros_of(d)], -1)], -2)
    larger = cat([cat([self, step], -1), cat([zeros_of(self), self], -1)], -2)
    found = matrix_exp_differential(adjoint(larger), of_corner)
    first, last = slice_(found, -2, 0, n, 1), slice_(found, -2, n, 2 * n, 1)
    return slice_(first, -1, 0, n, 1) + slice_(last, -1, n, 2 * n, 1)


# The adjoint of the differential at A is the differential at A^H.
matrix_exp_differential = general("matrix_exp_differential(Tensor self, Tensor step)", differential_kernel,
                                  self=differential_vjp,
                                  step=lambda d, self: matrix_exp_differential(adjoint(self), d), traceable=False,
                                  public=False, shown="linalg.matrix_exp", last_dims=2,
                                  doc="How the exponential of each matrix changes along a step.")

matrix_exp_rows = general("matrix_exp_rows(Tensor self)", matrix_exp_kernel,
                          self=lambda d, self: matrix_exp_differential(adjoint(self), d),
                          node="LinalgMatrixExpBackward0", public=False, shown="linalg.matrix_exp", last_dims=2,
                          doc="The exponential of each matrix.")


@composite(out=False, types="Tensor", also={"A": "self"})
def linalg_matrix_exp(self):
    """The exponential of a square matrix, or of each of a batch: I + A + A^2/2 + A^3/6 + ...

    >>> torch.linalg.matrix_exp(torch.tensor([[0., 1.], [0., 0.]]))
    tensor([[1., 1.],
            [0., 1.]])
    """
    check_square_shape(self, "linalg.matrix_exp")
    return matrix_exp_rows(self)


@composite(out=False, types="Tensor")
def matrix_exp(self):
    """The exponential of a square matrix, or of each of a batch; ``linalg.matrix_exp``.

    >>> torch.matrix_exp(torch.tensor([[0., 1.], [0., 0.]]))
    tensor([[1., 1.],
            [0., 1.]])
    """
    return linalg_matrix_exp(self)

# ------------------------------------------------------------------------------ chains of products


@lru_cache(maxsize=256)
def cheapest(sizes):
    """Where to split each part of a chain: in part (i, j) the last product is that of (i, k) and (k, j).

    ``sizes`` are the rows of each matrix, and the columns of the last one [Cormen et al., Introduction to Algorithms,
    15.2].
    """
    n = len(sizes) - 1
    cost = {(i, i + 1): 0 for i in range(n)}
    split = {}
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length
            costs = [cost[i, k] + cost[k, j] + sizes[i] * sizes[k] * sizes[j] for k in range(i + 1, j)]
            cost[i, j] = min(costs)
            split[i, j] = i + 1 + costs.index(cost[i, j])
    return split


def multiplied(matrices, split, i, j):
    if j - i == 1:
        return matrices[i]
    k = split[i, j]
    return mm(multiplied(matrices, split, i, k), multiplied(matrices, split, k, j))


@composite(out="exact", types="Tensor[]")
def linalg_multi_dot(tensors):
    """The product of two or more matrices, multiplied in the order that takes the fewest operations.

    The first may be a vector, which is a row, and the last one too, which is a column.

    >>> torch.linalg.multi_dot([torch.ones(1, 2), torch.ones(2, 3), torch.ones(3)])
    tensor([6.])
    """
    tensors = list(tensors)
    check_chain(tensors)
    first, last = tensors[0].ndim == 1, tensors[-1].ndim == 1
    if first:
        tensors[0] = unsqueeze(tensors[0], 0)
    if last:
        tensors[-1] = unsqueeze(tensors[-1], 1)
    for i in range(len(tensors) - 1):
        if tensors[i].shape[1] != tensors[i + 1].shape[0]:
            raise cannot_multiply(i, tensors, first, last)
    sizes = (*[each.shape[0] for each in tensors], tensors[-1].shape[1])
    result = multiplied(tensors, cheapest(sizes), 0, len(tensors))
    if last:
        result = squeeze_dim(result, 1)
    return squeeze_dim(result, 0) if first else result


def check_chain(tensors):
    n = len(tensors)
    if n < 2:
        raise error("MG204", f"multi_dot(): expected at least 2 tensors but got {n}")
    for i, tensor in enumerate(tensors):
        end = "first" if i == 0 else "last" if i == n - 1 else None
        if end and tensor.ndim not in (1, 2):
            raise error("MG201", f"multi_dot(): the {end} tensor must be 1D or 2D but got {tensor.ndim}D")
        if not end and tensor.ndim != 2:
            raise error("MG201", f"multi_dot(): tensor {i} must be 2D but got {tensor.ndim}D")
        if tensor.dtype is not tensors[0].dtype:
            names = [C_NAMES.get(each.dtype.name, each.dtype.name) for each in (tensors[0], tensor)]
            raise error("MG202", f"multi_dot(): all tensors must have be the same dtype but tensor 0 is {names[0]} and "
                                 f"tensor {i} {names[1]}")


@composite(method=False, out="exact")
def chain_matmul(*matrices):
    """The product of several matrices. Deprecated: it is ``linalg.multi_dot``.

    >>> torch.chain_matmul(torch.ones(1, 2), torch.ones(2, 3), torch.ones(3, 1))
    tensor([[6.]])
    """
    warn("torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot "
         "instead, which accepts a list of two or more tensors rather than multiple parameters.")
    if not matrices:
        raise error("MG204", "chain_matmul(): Expected one or more matrices")
    for matrix in matrices:
        if matrix.ndim != 2:
            raise error("MG201", f"chain_matmul(): Tensor dimension is {matrix.ndim}, expected 2 instead.")
    return matrices[0] if len(matrices) == 1 else linalg_multi_dot(matrices)

# ------------------------------------------------------------------------------ powers of numbers


ones_of = general("ones_of(Tensor self)", np.ones_like, self=lambda d: zeros_of(d),
                  public=False, wide=False, last_dims=0, doc="Ones of the same shape and dtype.")


@composite(out=False, types="Tensor int?", also={"input": "x"})
def linalg_vander(x, N=None):
    """The powers 0 to N - 1 of each number, in one more dim; without N, as many as the last dim of x has numbers.

    >>> torch.linalg.vander(torch.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [1, 2, 4],
            [1, 3, 9]])
    """
    if x.dtype.category == 0 or x.dtype.itemsize == 2 and x.dtype.category > 1:
        raise error("MG202", "linalg.vander supports floating point, complex, and integer tensors, but got "
                             f"{scalar_name(x.dtype.numpy)}")
    if not x.ndim:
        x = unsqueeze(x, 0)
    n = x.shape[-1] if N is None else one_int("linalg_vander", "N", N)
    if n < 2:
        raise error("MG204", f"linalg.vander: N must be greater than 1. It is {n}")
    return powers(x, n)


def powers(x, n):
    column = unsqueeze(x, -1)
    return cumprod(cat([ones_of(column), expand(column, tuple(x.shape) + (n - 1,))], -1), -1)


@composite(method=False, out=False, types="Tensor int? bool", also={"input": "x"})
def vander(x, N=None, increasing=False):
    """The powers N - 1 to 0 of each number of a vector, or 0 to N - 1 if they are ``increasing``, in columns.

    >>> torch.vander(torch.tensor([1, 2, 3]), 2)
    tensor([[1, 1],
            [2, 1],
            [3, 1]])
    """
    if x.ndim != 1:
        raise error("MG201", f"vander(): x must be a one-dimensional tensor, and has {x.ndim} dims.")
    n = x.shape[0] if N is None else one_int("vander", "N", N)
    if n < 0:
        raise error("MG204", f"vander(): N must be non-negative, and is {n}.")
    result = slice_(powers(x, max(n, 1)), -1, 0, n, 1)
    return result if increasing else flip(result, (-1,))

# ------------------------------------------------------------------------------ tensors as matrices


@composite(types="Tensor int", also={"A": "self", "input": "self"})
def linalg_tensorinv(self, ind=2):
    """The inverse of a tensor that is a matrix, if its first ``ind`` dims count as one and the others as one.

    >>> torch.linalg.tensorinv(torch.eye(4).reshape(2, 2, 4)).shape
    torch.Size([4, 2, 2])
    """
    ind = one_int("linalg_tensorinv", "ind", ind)
    if ind < 1:
        raise error("MG204", f"linalg.tensorinv: Expected a strictly positive integer for 'ind', but got {ind}")
    first, last = tuple(self.shape[:ind]), tuple(self.shape[ind:])
    rows, columns = [count_over(sizes, None) for sizes in (first, last)]
    if rows != columns:
        raise error("MG201", "linalg.tensorinv: Expected self to satisfy the requirement prod(self.shape[ind:]) == "
                             f"prod(self.shape[:ind]), but got {columns} != {rows}")
    return reshaped(linalg_inv(reshaped(self, (rows, columns))), last + first)


@composite(types="Tensor Tensor Dim[1]?", also={"A": "self", "B": "other"})
def linalg_tensorsolve(self, other, dims=None):
    """X for which the sums over all of its dims of ``self`` times X are ``other``; ``dims`` are moved to the end first.

    >>> torch.linalg.tensorsolve(2 * torch.eye(4).reshape(2, 2, 4), torch.ones(2, 2))
    tensor([0.5000, 0.5000, 0.5000, 0.5000])
    """
    if dims is not None:
        self = self.movedim(tuple(dims), tuple(range(-len(dims), 0)))
    last = tuple(self.shape[other.ndim:])
    rows, columns = other.numel(), count_over(last, None)
    if rows != columns:
        raise error("MG201", "linalg.tensorsolve: Expected self to satisfy the requirement "
                             f"prod(self.shape[other.ndim:]) == "
                             f"prod(self.shape[:other.ndim]), but got {columns} != {rows}")
    return reshaped(linalg_solve(reshaped(self, (rows, columns)), reshaped(other, (-1,))), last)


# ------------------------------------------------------------------------------ errors


def cannot_multiply(i, tensors, first, last):
    shapes = [list(each.shape) for each in tensors]
    shapes[0] = shapes[0][1:] if first else shapes[0]
    shapes[-1] = shapes[-1][:1] if last else shapes[-1]
    return error("MG201", f"multi_dot(): tensors {i} and {i + 1} with shapes {shapes[i]} and {shapes[i + 1]} cannot be "
                          "multiplied")
