"""Symmetric matrices: P L D L^T P^T of any of them, and solutions by the Cholesky factor of the positive-definite ones.

Neighbours: lu_and_triangular.py, solving.py (the Cholesky factor itself), eigen.py.
"""

import numpy as np

from minigrad._core.dispatch.op_introspection import named_results
from minigrad._core.errors import error
from minigrad._core.kernels import table_of_matrices as kernels
from minigrad._core.kernels.algebra import lu_and_ldl

from ..composites import composite
from ..kinds import general, not_differentiable
from .lu_and_triangular import check_right_hand_side, solve_triangular
from .matrices import (aligned, as_stack, check_solvable, check_square_shape, identity_like, in_double, in_one_batch,
                       precise, row_numbers, which)
from .products import adjoint, times
from ..arguments import scalar_name

# ------------------------------------------------------------------------------ L D L^T


def ldl_kernel(A, hermitian):
    check_solvable(A, "torch.linalg.ldl_factor_ex")
    a = np.tril(in_double(A))
    n = a.shape[-1]
    if hermitian and A.dtype.kind == "c":
        a[..., range(n), range(n)] = a[..., range(n), range(n)].real
    pivots = np.zeros(a.shape[:-1], np.int32)
    info = np.zeros(a.shape[:-2], np.int32)
    lu_and_ldl.factor_symmetric(as_stack(a), pivots, info, hermitian)
    return a.astype(A.dtype, copy=False), pivots, info


def no_ldl_derivative(d):
    raise error("MG117", "derivative for aten::linalg_ldl_factor_ex is not implemented, in PyTorch neither: "
                         "linalg.solve solves the same systems, and has one")


ldl_rows = general("ldl_rows(Tensor A, bool hermitian)", ldl_kernel,
                   A=no_ldl_derivative, outputs=("LD", "pivots", "info"), differentiable=("LD",), traceable=False,
                   wide=False, node="NotImplemented", public=False, shown="linalg.ldl_factor", last_dims=2,
                   fast=kernels.ldl,
                   doc="L and D in one matrix, and the pivots: Note [Pivots of a symmetric matrix] in the core.")


def check_blocks_kernel(info, op):
    if info.any():
        number, batch = which(info)
        raise error("MG204", f"{op}: {batch}D[{number},{number}] is zero, and using it on ldl_solve would result in a "
                             "division by zero")
    return np.zeros(info.shape)


check_blocks = not_differentiable("check_blocks(Tensor info, str op)", check_blocks_kernel,
                                  promote=None, public=False, last_dims=0, doc="Refuse a D with a zero in it.")

LDL_FACTOR = named_results("linalg_ldl_factor", ("LD", "pivots"))
LDL_FACTOR_EX = named_results("linalg_ldl_factor_ex", ("LD", "pivots", "info"))


@composite(out="exact", types="Tensor bool", also={"input": "A", "self": "A"})
def linalg_ldl_factor(A, *, hermitian=False):
    """The factors of a symmetric matrix in one, P L D L^T P^T, and its pivots: for ``linalg.ldl_solve``.

    Only the lower triangle is read. With ``hermitian`` it is P L D L^H P^T. It has no gradient.

    >>> torch.linalg.ldl_factor(torch.tensor([[4., 0.], [2., 3.]])).LD
    tensor([[4.0000, 0.0000],
            [0.5000, 2.0000]])
    """
    check_square_shape(A, "torch.linalg.ldl_factor")
    LD, pivots, info = ldl_rows(A, hermitian)
    check_blocks(info, "torch.linalg.ldl_factor")
    return LDL_FACTOR(LD, pivots)


@composite(out="exact", types="Tensor bool bool", also={"input": "A", "self": "A"})
def linalg_ldl_factor_ex(A, *, hermitian=False, check_errors=False):
    """``linalg.ldl_factor``, which says in ``info`` which entry of D is the first that is zero, or 0 if none is.

    >>> torch.linalg.ldl_factor_ex(torch.tensor([[1., 0.], [1., 1.]])).info
    tensor(2, dtype=torch.int32)
    """
    check_square_shape(A, "torch.linalg.ldl_factor_ex")
    found = ldl_rows(A, hermitian)
    if check_errors:
        check_blocks(found[2], "torch.linalg.ldl_factor_ex")
    return LDL_FACTOR_EX(*found)


def ldl_solve_kernel(LD, pivots, B, hermitian):
    check_solvable(LD, "torch.linalg.ldl_solve")
    x = in_double(B)
    a = aligned(np.ascontiguousarray(LD), precise(LD))
    lu_and_ldl.solve_symmetric(as_stack(a), row_numbers(pivots), as_stack(x), hermitian)
    return x.astype(B.dtype, copy=False)


def no_derivative_of_factors(d):
    raise error("MG117", "torch.linalg.ldl_solve: the derivative with respect to LD is not implemented, in PyTorch "
                         "neither: linalg.solve solves the same systems, and has one")


ldl_solve_rows = general("ldl_solve_rows(Tensor LD, Tensor pivots, Tensor B, bool hermitian)", ldl_solve_kernel,
                         LD=no_derivative_of_factors, B=no_derivative_of_factors, traceable=False, wide=False,
                         node="NotImplemented", public=False, shown="linalg.ldl_solve", last_dims=(2, 1, 2),
                         doc="The solution, from the factors.")


@composite(out="exact", types="Tensor Tensor Tensor bool")
def linalg_ldl_solve(LD, pivots, B, *, hermitian=False):
    """X in A X = B, from what ``linalg.ldl_factor`` makes of A. It has no gradient.

    >>> torch.linalg.ldl_solve(*torch.linalg.ldl_factor(torch.tensor([[4., 2.], [2., 3.]])), torch.tensor([[8.], [8.]]))
    tensor([[1.],
            [2.]])
    """
    op = "torch.linalg.ldl_solve"
    check_square_shape(LD, op)
    check_right_hand_side(op, B, LD, f"{op}: B should have")
    if tuple(pivots.shape) != tuple(LD.shape[:-1]):
        raise error("MG201", f"{op}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape "
                             f"{list(pivots.shape)} instead")
    if pivots.dtype.category != 1:
        raise error("MG202", f"{op}: Expected pivots to be integers. Got {scalar_name(pivots.dtype.numpy)}")
    LD, B = in_one_batch(op, LD, B)
    pivots = pivots.expand(*B.shape[:-2], pivots.shape[-1])
    return ldl_solve_rows(LD, pivots, B, hermitian)

# ------------------------------------------------------------------------------ solutions by the Cholesky factor


@composite(types="Tensor Tensor bool", also={"B": "self", "L": "input2"})
def cholesky_solve(self, input2, upper=False):
    """X in A X = ``self``, where ``input2`` is the Cholesky factor of A.

    Only its lower triangle is read, with ``upper`` the upper one, and the gradient is zero beyond that.

    >>> L = torch.linalg.cholesky(torch.tensor([[4., 2.], [2., 3.]]))
    >>> torch.cholesky_solve(torch.tensor([[8.], [8.]]), L)
    tensor([[1.],
            [2.]])
    """
    check_right_hand_side("cholesky_solve", self, input2)
    L, B = in_one_batch("cholesky_solve", input2, self)
    first, second = (adjoint(L), L) if upper else (L, adjoint(L))
    return solve_triangular(second, solve_triangular(first, B, False, True, False), True, True, False)


@composite(types="Tensor bool", also={"L": "self"})
def cholesky_inverse(self, upper=False):
    """The inverse of A, from its Cholesky factor.

    Only its lower triangle is read, with ``upper`` the upper one, and the gradient is zero beyond that.

    >>> torch.cholesky_inverse(torch.tensor([[2., 0.], [0., 4.]]))
    tensor([[0.2500, 0.0000],
            [0.0000, 0.0625]])
    """
    check_square_shape(self, "cholesky_inverse")
    inverse = solve_triangular(self, identity_like(self), upper, True, False)
    return times(inverse, adjoint(inverse)) if upper else times(adjoint(inverse), inverse)
