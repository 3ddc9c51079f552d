"""Inverses, solutions and Cholesky factors with a report instead of an error.

Each returns ``info``: for a matrix that has no result the number of the pivot, or the order of the minor, that is to
blame, and else 0.  The inverse or solution of such a matrix is nan, which leaves the others of its batch alone; the
Cholesky factor remains as it was when the factorization had to end, and its gradient is nan, since it has none.

Neighbours: solving.py (the same with errors), matrices.py.
"""

import numpy as np

from minigrad._core.dispatch.op_introspection import named_results
from minigrad._core.kernels import table_of_matrices as kernels

from ..composites import composite
from ..elementwise.arithmetic import mul
from ..kinds import general, not_differentiable
from .lu_and_triangular import lu_rows
from .matrices import check_square, check_square_shape, not_positive_definite, singular_matrix, unsolvable
from .products import adjoint, times
from .solving import (SMALL, bad_minors, cholesky_vjp, inverse_of, lower_factor, solution, solution_of, solve_kept,
                      solve_matrices, zero_pivots)


def each_by_itself(function, info, *arrays):
    """The function of each matrix of a batch, and nan where ``info`` says that it has none."""
    out = np.full_like(arrays[-1], np.nan)
    good = info == 0
    if good.any():
        out[good] = function(*[array[good] for array in arrays])
    return out


def inverse_ex_kernel(A):
    check_square(A, "linalg.inv")
    try:
        return inverse_of(A), np.zeros(A.shape[:-2], np.int32)
    except np.linalg.LinAlgError:
        info = zero_pivots(A)
        return each_by_itself(inverse_of, info, A), info


inverse_ex = general("inverse_ex(Tensor A)", inverse_ex_kernel,
                     A=lambda d, inverse: -times(times(adjoint(inverse), d), adjoint(inverse)),
                     outputs=("inverse", "info"), differentiable=("inverse",), wide=False,
                     node="LinalgInvExBackward0", public=False, shown="linalg.inv_ex", last_dims=2,
                     fast=kernels.inverse_ex,
                     doc="The inverses, and which of them there are not.")


def solve_ex_kernel(A, B):
    check_square(A, "linalg.solve")
    try:
        return solution_of(A, B), np.zeros(A.shape[:-2], np.int32)
    except np.linalg.LinAlgError:
        info = zero_pivots(A)
        return each_by_itself(solution_of, info, A, B), info


solve_ex = general("solve_ex(Tensor A, Tensor B)", solve_ex_kernel,
                   B=lambda d, A: solve_matrices(adjoint(A), d),
                   A=lambda d, A, result: -times(solve_matrices(adjoint(A), d), adjoint(result)),
                   outputs=("result", "info"), differentiable=("result",), wide=False,
                   node="LinalgSolveExBackward0", public=False, shown="linalg.solve_ex", last_dims=2,
                   equation=("B", lambda result, A, B: times(A, result)),
                   fast=kernels.solution_ex,
                   doc="The solutions, and which of them there are not.")


def solve_and_report(A, B):
    """The solutions and the report, by the row for matrices of this size."""
    if A.shape[-1] <= SMALL:
        return solve_ex(A, B)
    X, _, _, info = solve_kept(A, B, False)
    return X, info


def unfinished_factor(A, k):
    """What LAPACK leaves where pivot ``k`` is not positive: the columns before it, the pivot, and of A what follows."""
    lower = np.tril(A)
    if k:
        lower[:k, :k] = np.linalg.cholesky(A[:k, :k])
        lower[k:, :k] = np.linalg.solve(lower[:k, :k], A[k:, :k].conj().T).conj().T
    lower[k, k] = A[k, k].real - np.square(np.abs(lower[k, :k])).sum()
    return lower


def cholesky_ex_kernel(A, upper):
    check_square(A, "linalg.cholesky")
    A = adjoint.kernel(A) if upper else A
    try:
        lower, info = lower_factor(A), np.zeros(A.shape[:-2], np.int32)
    except np.linalg.LinAlgError:
        info = bad_minors(A)
        lower = each_by_itself(lower_factor, info, A)
        for i in map(tuple, np.argwhere(info)):
            lower[i] = unfinished_factor(A[i], info[i] - 1)
    return np.ascontiguousarray(adjoint.kernel(lower)) if upper else lower, info


def one_or_nan_kernel(info, like):
    return np.where(info, np.nan, 1)[..., None, None].astype(like.dtype)


one_or_nan = not_differentiable("one_or_nan(Tensor info, Tensor like)", one_or_nan_kernel,
                                promote=None, public=False, last_dims=2, doc="1 for each result there is, else nan.")


cholesky_ex = general("cholesky_ex(Tensor A, bool upper)", cholesky_ex_kernel,
                      A=lambda d, L, upper, info: mul(cholesky_vjp(d, L, upper), one_or_nan(info, L)),
                      outputs=("L", "info"), differentiable=("L",), wide=False,
                      node="LinalgCholeskyExBackward0", public=False, shown="linalg.cholesky_ex",
                      last_dims=2, fast=kernels.cholesky_ex,
                      doc="The factors, and which of them there are not.")

INV_EX = named_results("linalg_inv_ex", ("inverse", "info"))
SOLVE_EX = named_results("linalg_solve_ex", ("result", "info"))
CHOLESKY_EX = named_results("linalg_cholesky_ex", ("L", "info"))
COMPLAINTS = {"linalg.inv_ex": singular_matrix, "torch.linalg.solve_ex": unsolvable,
              "linalg.cholesky_ex": not_positive_definite}


def check_info_kernel(info, op):
    if info.any():
        raise COMPLAINTS[op](op, info)
    return np.zeros(info.shape)


check_info = not_differentiable("check_info(Tensor info, str op)", check_info_kernel,
                                promote=None, public=False, last_dims=0, doc="Refuse a result that there is not.")


def reported(op, results, found, check_errors):
    if check_errors:
        check_info(found[1], op)
    return results(*found)


@composite(out="exact", types="Tensor bool", also={"input": "A"})
def linalg_inv_ex(A, *, check_errors=False):
    """The inverse, and ``info``: 0, or for a singular matrix the number of the diagonal entry that is zero.

    The inverse of such a matrix is nan. With ``check_errors`` it is an error, as it is in ``linalg.inv``.

    >>> torch.linalg.inv_ex(torch.tensor([[1., 2.], [2., 4.]])).info
    tensor(2, dtype=torch.int32)
    """
    check_square_shape(A, "linalg.inv_ex")
    return reported("linalg.inv_ex", INV_EX, inverse_ex(A), check_errors)


@composite(out="exact", types="Tensor Tensor bool bool")
def linalg_solve_ex(A, B, *, left=True, check_errors=False):
    """The solution of ``linalg.solve``, and ``info``: 0, or the number of the diagonal entry that is zero.

    The solution for such a matrix is nan. With ``check_errors`` it is an error.

    >>> torch.linalg.solve_ex(torch.tensor([[2.]]), torch.tensor([[4.]])).result
    tensor([[2.]])
    """
    X, info = solution("linalg.solve_ex", solve_and_report, A, B, left)
    if info.shape != A.shape[:-2]:              # B has more batch dims
        info = lu_rows(A if left else A.mT)[2]
    return reported("torch.linalg.solve_ex", SOLVE_EX, (X, info), check_errors)


@composite(out="exact", types="Tensor bool bool", also={"input": "A", "self": "A"})
def linalg_cholesky_ex(A, *, upper=False, check_errors=False):
    """The Cholesky factor, and ``info``: 0, or the order of the first leading minor that is not positive-definite.

    The factor of such a matrix is unfinished: the columns before the last of that minor, its last pivot, and else the
    triangle of A. It has no gradient: that is nan. With ``check_errors`` it is an error, as in ``linalg.cholesky``.

    >>> torch.linalg.cholesky_ex(torch.tensor([[1., 2.], [2., 1.]])).info
    tensor(2, dtype=torch.int32)
    """
    check_square_shape(A, "linalg.cholesky_ex")
    return reported("linalg.cholesky_ex", CHOLESKY_EX, cholesky_ex(A, upper), check_errors)
