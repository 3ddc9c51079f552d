"""Checks of matrices before they are factorized, and the errors if that fails.

The words are PyTorch's.  ``failed`` names the first matrix of a batch that has no result.

Neighbours: solving.py, singular.py, eigen.py, orthogonal.py, lu_and_triangular.py, which all use it.
"""

import sys
from math import prod

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels import table_of_matrices as kernels
from minigrad._core.runtime.memory_pool import empty

from ..kinds import general, linear, not_differentiable, piecewise_constant
from ..reductions.totals import sum_dim
from ..shapes.arranging import tril
from ..shapes.broadcasting import common_shape, expand
from .products import adjoint
from ..arguments import scalar_name

# ------------------------------------------------------------------------------ shapes and dtypes


def check_matrices(A, op, argument="A"):
    """Refuse a tensor or array that is not a batch of matrices."""
    if A.ndim < 2:
        raise error("MG201", f"{op}: The input tensor {argument} must have at least 2 dimensions. "
                             f"It has shape {list(A.shape)}")


def check_square_shape(A, op):
    """Refuse a tensor or array that is not a batch of square matrices."""
    check_matrices(A, op)
    if A.shape[-1] != A.shape[-2]:
        raise not_square(op, A.shape)


def check_solvable(array, op):
    """Refuse an array whose entries are not floating point numbers that LAPACK takes."""
    if array.dtype.kind not in "fc" or array.itemsize == 2:
        raise not_solvable(op, array.dtype)


def check_square(array, op):
    """Both of these."""
    check_square_shape(array, op)
    check_solvable(array, op)


def check_same_dtype(op, A, B, names=("A", "B")):
    """Refuse two tensors of different dtypes."""
    if A.dtype is not B.dtype:
        raise of_two_dtypes(op, A, B, names)


def in_one_batch(op, A, B):
    """Both with the same batch dims, to which they are broadcast."""
    if A.shape[:-2] == B.shape[:-2]:
        return A, B
    batch = common_shape(op, [tuple(A.shape[:-2]), tuple(B.shape[:-2])])
    return expand(A, batch + tuple(A.shape[-2:])), expand(B, batch + tuple(B.shape[-2:]))


# ------------------------------------------------------------------------------ precision


def precise(array):
    """The dtype in which an array of this one is computed with: double precision, real or complex."""
    return np.complex128 if array.dtype.kind == "c" else np.float64


def in_double(array):
    """A dense copy in double precision, to be written over; if it is large, in memory that has been used before."""
    copy = empty(array.shape, np.dtype(precise(array)))
    copy[...] = array
    return copy


def aligned(array, dtype):
    """The same in a dtype, as loops in C read it: the memory of an array of bytes may begin at an odd address."""
    return np.require(array, dtype, "A")


def row_numbers(pivots):
    """Pivots as loops in C read them."""
    return aligned(np.ascontiguousarray(pivots, np.int32), np.int32)


def as_stack(array):
    """The same with one batch dim, or none."""
    return array.reshape((prod(array.shape[:-2]), *array.shape[-2:])) if array.ndim > 3 else array


def hermitian(array):
    """The conjugate transpose of an array."""
    return array.mT.conj() if array.dtype.kind == "c" else array.mT


def total(a, b):
    """a + b, where None is zero."""
    return b if a is None else a if b is None else a + b

# ------------------------------------------------------------------------------ inf and nan

# Elimination passes nan on, but not to entries that it takes for zeros: so it is put there afterwards.


def no_numbers(A):
    """For each matrix, whether it contains nan, with two dims more."""
    return np.isnan(A).any(axis=(-2, -1), keepdims=True)


# LAPACK looks for singular values and eigenvalues step by step, and with an inf among the numbers it may go on for
# ever.  So it never sees one.  PyTorch refuses nan; of a matrix that has an inf it finds values that are nan, mostly.


def where_finite(function, A, finite):
    """What ``function`` finds in each matrix of a batch, and nan in those that are not finite."""
    if finite.all():
        return function(A)
    found = function(np.where(finite[..., None, None], A, A.dtype.type(0)))
    if isinstance(found, np.ndarray):
        return blotted(found, finite)
    return [blotted(each, finite) for each in found]


def blotted(found, finite):
    return np.where(finite.reshape(finite.shape + (1,) * (found.ndim - finite.ndim)), found, found.dtype.type(np.nan))


def found_step_by_step(function, A, op, what, read=np.asarray):
    """The same for an algorithm that goes step by step, where nan is refused; ``read`` is the part that counts."""
    numbers = read(A)
    if np.isnan(numbers).any():
        raise not_converged(op, numbers, what)
    try:
        return where_finite(function, A, np.isfinite(numbers).all(axis=(-2, -1)))
    except np.linalg.LinAlgError:
        raise not_converged(op, numbers, what) from None


#: Does a processor's flag tell NumPy that an algorithm has given up?  Not in a web page, where it only leaves nan.
FLAGS = sys.platform != "emscripten"


def unless_given_up(found, *given):
    """``found``; NumPy's error if a whole matrix of it is nan, and what it was made of has neither nan nor inf."""
    if not FLAGS and found.size:
        numbers = [np.isfinite(each).all(axis=(-2, -1)) for each in given]
        if (np.isnan(found).all(axis=(-2, -1)) & np.logical_and.reduce(numbers)).any():
            raise np.linalg.LinAlgError
    return found

# ------------------------------------------------------------------------------ what formulas need


def identity_kernel(self):
    out = np.zeros(self.shape, self.dtype)
    n = min(self.shape[-2:])
    out[..., range(n), range(n)] = 1
    return out


identity_like = piecewise_constant("identity_like(Tensor self)", identity_kernel,
                                   promote=None, node="CopyBackwards", public=False, last_dims=2,
                                   doc="The identity for each matrix of a batch: its power 0.")

unit_lower = general("unit_lower(Tensor self)", lambda self: np.tril(self, -1) + identity_kernel(self),
                     self=lambda d: tril(d, -1),
                     public=False, wide=False, last_dims=2, fast=kernels.unit_lower,
                     doc="What is below the diagonal, and ones on it.")


nothing_like = not_differentiable("nothing_like(Tensor self)", lambda self: np.zeros(0, self.dtype),
                                  promote=None, public=False, batch="loop", doc="No elements, of the same dtype.")


def off_diagonal_kernel(self):
    out = self.copy()
    n = min(self.shape[-2:])
    out[..., range(n), range(n)] = 0
    return out


off_diagonal = linear("off_diagonal(Tensor self)", off_diagonal_kernel,
                      self=lambda d: off_diagonal(d),
                      public=False, wide=False, last_dims=2, doc="Zeros on the diagonal.")


def gaps_kernel(self):
    out = self[..., None, :] - self[..., :, None]
    n = self.shape[-1]
    out[..., range(n), range(n)] = 1
    return out


gaps = general("gaps(Tensor self)", gaps_kernel,
               self=lambda d: sum_dim(d, -2) - sum_dim(d, -1),
               public=False, last_dims=1,
               doc="x_k - x_j in row j, column k, and 1 on the diagonal: something to divide by.")


def check_phase_kernel(self, op):
    if self.dtype.kind == "c" and np.any(np.abs(np.diagonal(self, axis1=-2, axis2=-1).imag) > 0.01):
        raise depends_on_phase(op)
    return np.zeros(self.shape[:-2])


check_phase = not_differentiable("check_phase(Tensor self, str op)", check_phase_kernel,
                                 promote=None, public=False, last_dims=2, doc="""Refuse a diagonal that is not real.

A complex vector may be turned by any e^{i phi}.  The derivative along such a turn is i times the imaginary part of the
diagonal of V^H dV: where it is not zero, the loss depends on the turn that LAPACK happens to return.
""")


def check_basis_kernel(self):
    if np.any(np.abs(self) > 0.01):
        raise depends_on_basis()
    return np.zeros(self.shape[:-2])


check_basis = not_differentiable("check_basis(Tensor self)", check_basis_kernel,
                                 promote=None, public=False, last_dims=2,
                                 doc="Refuse what is not zero: W^H dW, where any basis W would do.")


def skew(X):
    """X - X^H"""
    return X - adjoint(X)


# ------------------------------------------------------------------------------ errors


def which(info):
    """The first matrix that failed, as an index and a number, and how a message names it."""
    info = np.asarray(info)
    i = int(np.flatnonzero(info)[0])
    return int(info.reshape(-1)[i]), f"(Batch element {i}): " if info.ndim else ""


def singular_matrix(op, info):
    number, batch = which(info)
    return error("MG220", f"{op}: {batch}The diagonal element {number} is zero, the inversion could not be completed "
                          "because the input matrix is singular.")


def unsolvable(op, info):
    _, batch = which(info)
    return error("MG220", f"{op}: {batch}The solver failed because the input matrix is singular.")


def not_positive_definite(op, info):
    number, batch = which(info)
    return error("MG220", f"{op}: {batch}The factorization could not be completed because the input is not "
                          f"positive-definite (the leading minor of order {number} is not positive-definite).")


def not_converged(op, array, what):
    """The error for an array of which an algorithm found no values: which matrix, and why."""
    missing = np.isnan(array).any(axis=(-2, -1))
    if missing.any():
        _, batch = which(missing)
        return error("MG220", f"{op}: {batch}The algorithm failed to converge because the input matrix contained "
                              "non-finite values.")
    return error("MG220", f"{op}: The algorithm failed to converge because the input matrix is ill-conditioned or has "
                          f"too many repeated {what}.")


def depends_on_phase(op):
    what, why = (("singular vectors", "phase term, making it ill-defined") if op == "svd_backward" else
                 ("eigenvectors", "quantity, so it is ill-defined"))
    return error("MG113", f"{op}: The {what} in the complex case are specified up to multiplication by e^{{i phi}}. "
                          f"The specified loss function depends on this {why}. Take a function of their absolute "
                          "values, or of products with their own conjugates")


def depends_on_basis():
    return error("MG113", "svd_backward: with full_matrices=True, the loss depends on which basis completes the "
                          "singular vectors, and nothing determines that. Take full_matrices=False, or a function "
                          "of the space alone, such as W @ W.mH")


def not_square(op, shape):
    return error("MG201", f"{op}: A must be batches of square matrices, but they are {shape[-2]} by {shape[-1]} "
                          "matrices. Only a square matrix has an inverse, a determinant, eigenvalues, or powers")


def not_solvable(op, dtype):
    name = scalar_name(dtype)
    if dtype.itemsize == 2 and dtype.kind not in "iu":
        return error("MG202", f"{op}: Low precision dtypes not supported. Got {name} (it is not implemented for "
                              f"'{name}'): convert it with .float()")
    return error("MG202", f"{op}: Expected a floating point or complex tensor as input. Got {name} (it is not "
                          f"implemented for '{name}'): convert it with .double() or .float()")


def of_two_dtypes(op, A, B, names):
    a, b = scalar_name(A.dtype.numpy), scalar_name(B.dtype.numpy)
    return error("MG202", f"{op}: Expected {names[0]} and {names[1]} to have the same dtype, but found {names[0]} of "
                          f"type {a} and {names[1]} of type {b} instead")
