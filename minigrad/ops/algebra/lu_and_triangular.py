"""Triangular matrices: L and U of a matrix, and systems that they make easy.

Elimination with pivots makes A = P L U.  A step dA, in the frame of the factors, is

    L^-1 P^T dA U^-1 = L^-1 dL + dU U^-1        strictly lower plus upper triangular

so each part is read off one triangle, and the gradients are the transposes of that.  Where A is not square, the same
holds for its first square part, and the rest of L or U follows from it [Hoog, Anderssen and Lukas, 2011,
"Differentiation of matrix functionals using triangular factorization"].

A solution X of T X = B changes by dX = T^-1 (dB - dT X), as it does for any matrix; of dT only the triangle counts that
is read [Giles, 2008, 2.3.1].

Both are eliminated in C: _core/kernels/algebra/lu_and_ldl.pyx, which says how large matrices are halved.

Neighbours: matrices.py, solving.py, orthogonal.py (its user).
"""

import numpy as np

from minigrad._core.dispatch.op_introspection import named_results
from minigrad._core.errors import error, warn
from minigrad._core.kernels import table_of_matrices as kernels
from minigrad._core.kernels.algebra import lu_and_ldl

from ..composites import composite
from ..kinds import general, linear, not_differentiable
from ..shapes.arranging import tril, triu
from ..shapes.broadcasting import expand
from ..shapes.joining import cat
from ..shapes.slicing import slice_, slice_backward
from .matrices import (aligned, as_stack, check_matrices, check_same_dtype, check_solvable, check_square_shape,
                       identity_like, in_double, in_one_batch, nothing_like, row_numbers, total, unit_lower, which)
from .products import adjoint, times
from ..arguments import scalar_name

# ------------------------------------------------------------------------------ triangular systems


def solve_triangular_kernel(A, B, upper, left, unitriangular):
    for array in (A, B):
        check_solvable(array, "linalg.solve_triangular")
    if not left:
        return np.ascontiguousarray(solve_triangular_kernel(A.mT, B.mT, not upper, True, unitriangular).mT)
    x = in_double(B)
    lu_and_ldl.substitute(as_stack(aligned(A, x.dtype)), as_stack(x), upper, unitriangular)
    return x.astype(B.dtype, copy=False)


def triangle_vjp(d, A, result, upper, left, unitriangular):
    """-T^-H d X^H, of which the triangle counts; the diagonal does not where it is read as 1."""
    solved = solve_triangular(adjoint(A), d, not upper, left, unitriangular)
    step = times(solved, adjoint(result)) if left else times(adjoint(result), solved)
    return -(triu(step, int(unitriangular)) if upper else tril(step, -int(unitriangular)))


def triangle_times(result, A, B, upper, left, unitriangular):
    """T X, or X T, for the triangle T of A that is read."""
    T = triu(A, int(unitriangular)) if upper else tril(A, -int(unitriangular))
    if unitriangular:
        T = T + identity_like(A)
    return times(T, result) if left else times(result, T)


solve_triangular = general(
    "solve_triangular(Tensor A, Tensor B, bool upper, bool left, bool unitriangular)", solve_triangular_kernel,
    A=triangle_vjp, traceable=False,
    B=lambda d, A, upper, left, unitriangular: solve_triangular(adjoint(A), d, not upper, left, unitriangular),
    public=False, wide=False, node="LinalgSolveTriangularBackward0", shown="linalg.solve_triangular",
    renamed={"A": "self"}, last_dims=2, fast=kernels.solve_triangular, equation=("B", triangle_times),
    doc="X in A X = B, for triangular A and matrices with the same batch dims; in X A = B without ``left``.")


@composite(out="exact", types="Tensor Tensor bool bool bool", also={"input": "A"})
def linalg_solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    """X in A X = B (or in X A = B for ``left=False``), where only the upper or the lower triangle of A is read.

    With ``unitriangular`` its diagonal is not read either, and counts as ones. A zero on the diagonal makes the result
    infinite, and raises nothing.

    >>> torch.linalg.solve_triangular(torch.tensor([[2., 2.], [0., 4.]]), torch.tensor([[4.], [4.]]), upper=True)
    tensor([[1.],
            [1.]])
    """
    check_square_shape(A, "linalg.solve_triangular")
    check_matrices(B, "linalg.solve_triangular", "B")
    check_same_dtype("linalg.solve_triangular", A, B)
    check_sides("linalg.solve_triangular", A, B, left)
    return solve_triangular(*in_one_batch("linalg.solve_triangular", A, B), upper, left, unitriangular)


TRIANGULAR = named_results("triangular_solve", ("solution", "cloned_coefficient"))


@composite(out="exact", types="Tensor Tensor bool bool bool")
def triangular_solve(self, A, upper=True, transpose=False, unitriangular=False):
    """X in A X = ``self``, for a triangular A, and a copy of A. Deprecated: it is ``linalg.solve_triangular``.

    >>> torch.linalg.solve_triangular(torch.tensor([[2.]]), torch.tensor([[4.]]), upper=True)
    tensor([[2.]])
    """
    warn("torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will be removed in a "
         "future PyTorch release.\ntorch.linalg.solve_triangular has its arguments reversed and does not return a copy "
         "of one of the inputs.\nX = torch.triangular_solve(B, A).solution\nshould be replaced with\n"
         "X = torch.linalg.solve_triangular(A, B).")
    check_right_hand_side("triangular_solve", self, A, "torch.triangular_solve: Expected b to have")
    b, A = in_one_batch("triangular_solve", self, A)
    solution = solve_triangular(A.mT if transpose else A, b, upper != transpose, True, unitriangular)
    return TRIANGULAR(solution, A.clone())

# ------------------------------------------------------------------------------ P L U


def factors_of(A):
    """L and U of arrays in double precision, pivots, and the first pivot that is zero."""
    a = in_double(A)
    batch, m, n = a.shape[:-2], *a.shape[-2:]
    pivots = np.ones((*batch, min(m, n)), np.int32)
    info = np.zeros(batch, np.int32)
    lu_and_ldl.factor(as_stack(a), pivots, info, True)
    return a, pivots, info


def lu_kernel(A):
    check_solvable(A, "linalg.lu_factor")
    a, pivots, info = factors_of(A)
    return a.astype(A.dtype, copy=False), pivots, info


def factor_vjp(d, LU, pivots):
    """The gradient for A, from that of L below the diagonal and U above it, which lie in one matrix."""
    m, n = LU.shape[-2:]
    k = min(m, n)
    L, U = unit_lower(slice_(LU, -1, 0, k, 1)), triu(slice_(LU, -2, 0, k, 1))
    d_L, d_U = tril(slice_(d, -1, 0, k, 1), -1), triu(slice_(d, -2, 0, k, 1))
    return exchanged_back(step_of_factors(d_L, d_U, L, U), pivots)


def step_of_factors(d_L, d_U, L, U):
    """P^T times the gradient of A."""
    m, n = L.shape[-2], U.shape[-1]
    k = min(m, n)
    if d_L is None:
        d_L = L * 0
    if d_U is None:
        d_U = U * 0
    L_1, U_1 = (slice_(L, -2, 0, k, 1) if m > k else L), (slice_(U, -1, 0, k, 1) if n > k else U)
    below, above = times(adjoint(L_1), slice_(d_L, -2, 0, k, 1)), times(slice_(d_U, -1, 0, k, 1), adjoint(U_1))
    if n > k:
        d_U_2 = slice_(d_U, -1, k, n, 1)
        below = below - times(d_U_2, adjoint(slice_(U, -1, k, n, 1)))
    if m > k:
        d_L_2 = slice_(d_L, -2, k, m, 1)
        above = above - times(adjoint(slice_(L, -2, k, m, 1)), d_L_2)
    inner = tril(below, -1) + triu(above)
    square = solve_triangular(adjoint(U_1), inner, False, False, False)
    square = solve_triangular(adjoint(L_1), square, True, True, True)
    if n > k:
        return cat([square, solve_triangular(adjoint(L_1), d_U_2, True, True, True)], -1)
    if m > k:
        return cat([square, solve_triangular(adjoint(U_1), d_L_2, False, False, False)], -2)
    return square


lu_rows = general("lu_rows(Tensor A)", lu_kernel,
                  A=factor_vjp, outputs=("LU", "pivots", "info"), differentiable=("LU",), traceable=False, wide=False,
                  node="LinalgLuFactorExBackward0", public=False, shown="linalg.lu_factor", last_dims=2,
                  fast=kernels.lu,
                  doc="L and U in one matrix, the rows with which each row was exchanged, and the first zero pivot.")


def plu_kernel(A):
    return unpacked_kernel(*lu_kernel(A)[:2])


def plu_vjp(ds, P, L, U):
    return times(P, step_of_factors(ds[1], ds[2], L, U))


plu = general("plu(Tensor A)", plu_kernel,
              A=plu_vjp, outputs=("P", "L", "U"), differentiable=("L", "U"), traceable=False, wide=False,
              node="LinalgLuBackward0", public=False, shown="linalg.lu", last_dims=2, fast=kernels.plu,
              doc="The three factors of each matrix.")

# ------------------------------------------------------------------------------ rows exchanged


def order(pivots, rows):
    """Where each row comes from, after the exchanges that pivots name one after the other."""
    if pivots.size and (pivots.min() < 1 or pivots.max() > rows):
        raise beyond_the_rows(rows)
    places = np.empty((*pivots.shape[:-1], rows, 1))
    places[...] = np.arange(rows)[:, None]
    lu_and_ldl.swap_rows(as_stack(places), row_numbers(pivots), False)
    return places.astype(np.intp)


def permutation_kernel(LU, pivots):
    rows = LU.shape[-2]
    return (order(pivots, rows)[..., 0][..., None, :] == np.arange(rows)[:, None]).astype(LU.dtype)


permutation = not_differentiable("permutation(Tensor LU, Tensor pivots)", permutation_kernel,
                                 promote=None, public=False, shown="lu_unpack", last_dims=(2, 1),
                                 fast=kernels.permutation,
                                 doc="The matrix P of the exchanges.")

exchanged = linear("exchanged(Tensor self, Tensor pivots)",
                   lambda self, pivots: np.take_along_axis(self, order(pivots, self.shape[-2]), -2),
                   self=lambda d, pivots: exchanged_back(d, pivots),
                   public=False, shown="lu_solve", last_dims=(2, 1), fast=kernels.exchanged, doc="P^T times a matrix.")

exchanged_back = linear("exchanged_back(Tensor self, Tensor pivots)",
                        lambda self, pivots: np.take_along_axis(
                            self, np.argsort(order(pivots, self.shape[-2]), axis=-2), -2),
                        self=lambda d, pivots: exchanged(d, pivots),
                        public=False, shown="lu_solve", last_dims=(2, 1), fast=kernels.exchanged_back,
                        doc="P times a matrix.")


def unpacked_kernel(LU, pivots):
    k = min(LU.shape[-2:])
    return permutation_kernel(LU, pivots), unit_lower.kernel(LU[..., :k]), np.triu(LU[..., :k, :])


def unpacked_vjp(ds, LU_shape):
    """L and U lie beside each other in one matrix."""
    d_L, d_U = ds[1:]
    m, n = LU_shape[-2:]
    k = min(m, n)
    below = None if d_L is None else slice_backward(tril(d_L, -1), tuple(LU_shape), -1, 0, k, 1)
    return total(below, None if d_U is None else slice_backward(triu(d_U), tuple(LU_shape), -2, 0, k, 1))


unpacked = general("unpacked(Tensor LU, Tensor pivots)", unpacked_kernel,
                   LU=unpacked_vjp, outputs=("P", "L", "U"), differentiable=("L", "U"), traceable=False, wide=False,
                   node="LuUnpackBackward0", public=False, shown="lu_unpack", last_dims=(2, 1), fast=kernels.unpacked,
                   doc="The three factors, of what ``lu_rows`` makes of a matrix.")

# ------------------------------------------------------------------------------ what users call

LU = named_results("linalg_lu", ("P", "L", "U"))
LU_FACTOR = named_results("linalg_lu_factor", ("LU", "pivots"))
LU_FACTOR_EX = named_results("linalg_lu_factor_ex", ("LU", "pivots", "info"))
LU_UNPACK = named_results("lu_unpack", ("P", "L", "U"))


def check_pivots_kernel(info, op):
    if info.any():
        raise zero_pivot(op, info)
    return np.zeros(info.shape)


check_pivots = not_differentiable("check_pivots(Tensor info, str op)", check_pivots_kernel,
                                  promote=None, public=False, last_dims=0, doc="Refuse factors with a zero pivot.")


def factored(op, A, pivot=True, check=True):
    check_lu(A, op)
    if not pivot:
        raise error("MG117", "linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    found = lu_rows(A)
    if check:
        check_pivots(found[2], op)
    return found


@composite(out="exact", types="Tensor bool", also={"input": "A"})
def linalg_lu(A, *, pivot=True):
    """A = P L U for a matrix, or each of a batch: rows exchanged, a lower triangle with ones, an upper triangle.

    The exchanges make the largest entry the pivot. Where A has not full rank, the gradient is infinite
    or nan. Large matrices are eliminated in double precision, as small ones are.

    >>> P, L, U = torch.linalg.lu(torch.tensor([[1., 2.], [4., 4.]]))
    >>> L, U
    (tensor([[1.0000, 0.0000],
            [0.2500, 1.0000]]), tensor([[4., 4.],
            [0., 1.]]))
    """
    check_lu(A, "linalg.lu")
    if not pivot:
        raise error("MG117", "linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    return LU(*plu(A))


@composite(out="exact", types="Tensor bool", also={"input": "A"})
def linalg_lu_factor(A, *, pivot=True):
    """L and U of a matrix in one matrix, and its pivots: for ``linalg.lu_solve``.

    ``pivots`` has for each row the row with which it was exchanged, counted from 1. A pivot that is zero is refused.

    >>> torch.linalg.lu_factor(torch.tensor([[1., 2.], [4., 4.]])).pivots
    tensor([2, 2], dtype=torch.int32)
    """
    return LU_FACTOR(*factored("torch.linalg.lu_factor", A, pivot)[:2])


@composite(out="exact", types="Tensor bool bool", also={"input": "A"})
def linalg_lu_factor_ex(A, *, pivot=True, check_errors=False):
    """``linalg.lu_factor``, which says in ``info`` which pivot is the first zero one, or 0 if none is.

    >>> torch.linalg.lu_factor_ex(torch.tensor([[1., 2.], [2., 4.]])).info
    tensor(2, dtype=torch.int32)
    """
    return LU_FACTOR_EX(*factored("torch.linalg.lu_factor_ex", A, pivot, check_errors))


@composite(types="Tensor bool bool")
def lu(self, pivot=True, get_infos=False):
    """L and U of a matrix in one matrix, and its pivots. Deprecated: it is ``linalg.lu_factor``.

    >>> torch.linalg.lu_factor(torch.tensor([[2.]])).LU
    tensor([[2.]])
    """
    warn("torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be removed in "
         "a future PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\nLU, pivots = "
         "torch.linalg.lu_factor(A, compute_pivots)\nand\nLU, pivots, info = torch.lu(A, compute_pivots, "
         "get_infos=True)\nshould be replaced with\nLU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)")
    found = factored("torch.lu", self, pivot, False)
    return tuple(found) if get_infos else tuple(found[:2])


@composite(method=False, out="exact", types="Tensor Tensor bool bool")
def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    """P, L and U of what ``linalg.lu_factor`` returns; those that are not asked for have no elements.

    >>> torch.lu_unpack(*torch.linalg.lu_factor(torch.tensor([[1., 2.], [4., 4.]]))).P
    tensor([[0., 1.],
            [1., 0.]])
    """
    check_lu(LU_data, "torch.lu_unpack")
    if unpack_pivots and LU_pivots.dtype.name != "int32":
        raise error("MG202", "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n"
                             "Note: this function is intended to be used with the output produced by "
                             "torch.linalg.lu_factor")
    if unpack_pivots and tuple(LU_pivots.shape) != (*LU_data.shape[:-2], min(LU_data.shape[-2:])):
        raise not_the_pivots_of(LU_data.shape, LU_pivots.shape)
    if unpack_data and unpack_pivots:
        return LU_UNPACK(*unpacked(LU_data, LU_pivots))
    k = min(LU_data.shape[-2:])
    P = L = U = nothing_like(LU_data)
    if unpack_pivots:
        P = permutation(LU_data, LU_pivots)
    if unpack_data:
        L, U = unit_lower(slice_(LU_data, -1, 0, k, 1)), triu(slice_(LU_data, -2, 0, k, 1))
    return LU_UNPACK(P, L, U)


@composite(out="exact", types="Tensor Tensor Tensor bool bool")
def linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    """X in A X = B (or X A = B for ``left=False``), from what ``linalg.lu_factor`` makes of A; of A^H with ``adjoint``.

    >>> A = torch.tensor([[1., 2.], [4., 4.]])
    >>> torch.linalg.lu_solve(*torch.linalg.lu_factor(A), torch.tensor([[3.], [8.]]))
    tensor([[1.],
            [1.]])
    """
    op = "linalg.lu_solve"
    check_square_shape(LU, "torch.linalg.lu_solve")
    check_matrices(B, op, "B")
    check_same_dtype(op, LU, B, ("LU", "B"))
    if pivots.dtype.name != "int32":
        raise error("MG202", f"{op}: pivots should be a Tensor of scalar type torch.int32")
    if tuple(pivots.shape) != tuple(LU.shape[:-1]):
        raise pivots_of_another_shape(op, LU.shape, pivots.shape)
    check_sides(op, LU, B, left)
    if not left:
        return conjugate_transpose(solved(op, LU, pivots, conjugate_transpose(B), not adjoint))
    return solved(op, LU, pivots, B, adjoint)


conjugate_transpose = adjoint


def solved(op, LU, pivots, B, adjoint):
    """A X = B, or A^H X = B: exchange rows, and solve two triangular systems."""
    LU, B = in_one_batch(op, LU, B)
    if tuple(pivots.shape[:-1]) != tuple(B.shape[:-2]):
        pivots = expand(pivots, tuple(B.shape[:-2]) + tuple(pivots.shape[-1:]))
    if adjoint:
        factors = conjugate_transpose(LU)
        X = solve_triangular(factors, B, False, True, False)
        return exchanged_back(solve_triangular(factors, X, True, True, True), pivots)
    X = solve_triangular(LU, exchanged(B, pivots), False, True, True)
    return solve_triangular(LU, X, True, True, False)


@composite(out="exact", types="Tensor Tensor Tensor")
def lu_solve(self, LU_data, LU_pivots):
    """X in A X = ``self``. Deprecated: it is ``linalg.lu_solve``.

    >>> torch.linalg.lu_solve(*torch.linalg.lu_factor(torch.tensor([[2.]])), torch.tensor([[6.]]))
    tensor([[3.]])
    """
    warn("torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a future PyTorch "
         "release.\nNote that torch.linalg.lu_solve has its arguments reversed.\nX = torch.lu_solve(B, LU, pivots)\n"
         "should be replaced with\nX = torch.linalg.lu_solve(LU, pivots, B)")
    return linalg_lu_solve(LU_data, LU_pivots, self)

# ------------------------------------------------------------------------------ errors


def check_lu(A, op="linalg.lu_factor"):
    """Refuse what has no L and U, a tensor or an array."""
    if A.ndim < 2:
        raise error("MG201", f"{op.replace('torch.linalg', 'torch')}: Expected tensor with 2 or more dimensions. Got "
                             f"size: {list(A.shape)} instead")


def check_sides(op, A, B, left):
    """Refuse right-hand sides of another length than A has rows."""
    if B.shape[-2 if left else -1] != A.shape[-1]:
        equation = "AX = B" if left else "XA = B"
        raise error("MG201", f"{op}: Incompatible shapes of A and B for the equation {equation} "
                             f"({A.shape[-2]}x{A.shape[-1]} and {B.shape[-2]}x{B.shape[-1]})")


def check_right_hand_side(op, b, A, expected="b should have"):
    """The same for the functions that are older than ``linalg``."""
    if b.ndim < 2:
        raise error("MG201", f"{expected} at least 2 dimensions, but it has {b.ndim} dimensions instead")
    if A.ndim < 2:
        raise error("MG201", f"{op}: Expected A to have at least 2 dimensions, but it has {A.ndim} dimensions instead")
    if A.shape[-1] != A.shape[-2]:
        raise error("MG201", f"A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} "
                             f"matrices: {op}() divides by A")
    if b.shape[-2] != A.shape[-1]:
        raise error("MG201", f"Incompatible matrix sizes for {op}: each A matrix is {A.shape[-1]} by {A.shape[-1]} but "
                             f"each b matrix is {b.shape[-2]} by {b.shape[-1]}")
    if b.dtype is not A.dtype:
        raise error("MG202", f"Expected b and A to have the same dtype, but found b of type "
                             f"{scalar_name(b.dtype.numpy)} and A of type {scalar_name(A.dtype.numpy)} instead.")


def zero_pivot(op, info):
    number, batch = which(info)
    return error("MG204", f"{op}: {batch}U[{number},{number}] is zero and using it on lu_solve would result in a "
                          "division by zero. If you still want to perform the factorization, consider calling "
                          "linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)")


def beyond_the_rows(rows):
    return error("MG204", f"pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive, which is {rows}. "
                          "Did you properly pass the result of lu_factor?")


def not_the_pivots_of(LU, pivots):
    return error("MG201", f"torch.lu_unpack: LU_data has the shape {list(LU)}, so LU_pivots must have the shape "
                          f"{[*LU[:-2], min(LU[-2:])]}, and it has {list(pivots)}. Note: this function is intended to "
                          "be used with the output produced by torch.linalg.lu_factor")


def pivots_of_another_shape(op, LU, pivots):
    if pivots[-1:] != LU[-1:]:
        return error("MG201", f"{op}: Number of pivots per batch should be same as the dimension of the matrix")
    return error("MG201", f"{op}: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape "
                          f"{list(pivots)} instead")
