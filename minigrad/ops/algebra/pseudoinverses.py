"""Matrices that may be singular: pseudoinverse, least squares, rank, condition number.

For A = U S V^H the pseudoinverse is V S^+ U^H, where S^+ has 1/s for every singular value that counts, and 0 for those
below a tolerance.  While the rank stays what it is, P = A^+ changes by

    dP = -P dA P + P P^H dA^H (I - A P) + (I - P A) dA^H P^H P

[Golub and Pereyra, 1973, "The differentiation of pseudo-inverses and nonlinear least squares problems whose variables
separate", 4.12].  The least-squares solution is P B, and follows; its residual is at a minimum, so that to first order
it changes as if X did not.

Neighbours: singular.py, eigen.py, solving.py.
"""

import numpy as np

from minigrad._core.dispatch.op_introspection import named_results
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table_of_matrices as kernels

from ..elementwise.arithmetic import mul
from ..elementwise.complex import abs, real
from ..elementwise.comparison import gt, ne
from ..elementwise.division import div
from ..elementwise.piecewise import maximum
from ..composites import composite
from ..kinds import general, not_differentiable
from ..positions.masking import choose
from ..reductions.extremes import amax
from ..reductions.totals import sum_dim
from ..shapes.slicing import select
from ..shapes.transposing import squeeze_dim, unsqueeze
from .eigen import eigh_lower, eigvalsh_lower
from .lu_and_triangular import solve_triangular_kernel
from .matrices import (check_matrices, check_solvable, check_square_shape, hermitian, in_double, in_one_batch, total,
                       which)
from .norms import linalg_matrix_norm
from .products import adjoint, times
from .reporting import inverse_ex
from .singular import parts, singular_values, values_of
from ..arguments import in_int64, scalar_name

# ------------------------------------------------------------------------------ the pseudoinverse


def inverted(S, atol, rtol):
    """1/s for the singular values that count, and 0 for the others."""
    largest = S.max(axis=-1, keepdims=True, initial=0)
    tolerance = np.maximum(atol, rtol * largest)
    return np.divide(1, S, where=S > tolerance, out=np.zeros_like(S))


def pinv_kernel(A, atol, rtol, is_hermitian):
    """``atol`` and ``rtol`` are numbers, or arrays that have one for each matrix."""
    check_solvable(A, "linalg.pinv")
    atol, rtol = [x[..., None] if isinstance(x, np.ndarray) else x for x in (atol, rtol)]
    if not is_hermitian:
        U, S, Vh = parts(A)
        return np.matmul(hermitian(Vh) * inverted(S, atol, rtol)[..., None, :], hermitian(U))
    values, vectors = eigh_lower.kernel(A)
    factors = inverted(np.abs(values), atol, rtol) * np.sign(values)
    return np.matmul(vectors * factors[..., None, :], hermitian(vectors))


def pinv_vjp(d, self, result):
    """The transpose of the formula at the top; in the order of the factors that has the smaller products."""
    dH, P, PH = adjoint(d), result, adjoint(result)
    if self.shape[-2] <= self.shape[-1]:
        K = times(dH, P)
        KPH = times(K, PH)
        return (KPH - adjoint(times(P, K)) - times(times(self, P), KPH)
                + times(times(PH, P), dH - times(K, self)))
    K = times(P, dH)
    PHK = times(PH, K)
    return (PHK - adjoint(times(K, P)) + times(times(dH - times(self, K), P), PH)
            - times(times(PHK, P), self))


ROW = {"traceable": False, "wide": False, "node": "LinalgPinvBackward0", "public": False, "shown": "linalg.pinv"}

pinv_numbers = general("pinv_numbers(Tensor self, float atol, float rtol, bool hermitian)", pinv_kernel,
                       self=pinv_vjp, last_dims=2, fast=kernels.pinv,
                       doc="The pseudoinverse, with one tolerance for all.", **ROW)
pinv_tensors = general("pinv_tensors(Tensor self, Tensor atol, Tensor rtol, bool hermitian)", pinv_kernel,
                       self=pinv_vjp, no_gradient=("atol", "rtol"), last_dims=(2, 0, 0),
                       doc="The pseudoinverse, with a tolerance for each matrix.", **ROW)


def tolerances(op, A, atol, rtol):
    """Both, as numbers or as tensors; what is not given follows from the precision and the size of the matrix."""
    for name, given in (("atol", atol), ("rtol", rtol)):
        if isinstance(given, Tensor) and given.dtype.is_complex:
            raise error("MG202", f"torch.{op}: {name} tensor of complex type is not supported. Got "
                                 f"{scalar_name(given.dtype.numpy)}")
    usual = float(np.finfo(A.dtype.numpy).eps) * max(A.shape[-2:]) if A.dtype.category > 1 else 0.0
    if rtol is None:
        rtol = gt_zero(atol, usual) if isinstance(atol, Tensor) else 0.0 if atol is not None and atol > 0 else usual
    if atol is None:
        atol = 0.0
    if isinstance(atol, Tensor) != isinstance(rtol, Tensor):
        like = atol if isinstance(atol, Tensor) else rtol
        atol, rtol = [x if isinstance(x, Tensor) else constant_like(like, x) for x in (atol, rtol)]
    return atol, rtol


constant_like = not_differentiable("constant_like(Tensor self, float value)",
                                   lambda self, value: np.full(self.shape, value, self.dtype),
                                   promote=None, public=False, last_dims=0, doc="A number, in the shape of a tensor.")

gt_zero = not_differentiable("gt_zero(Tensor self, float value)",
                             lambda self, value: np.where(self > 0, 0, value).astype(self.dtype),
                             promote=None, public=False, last_dims=0, doc="0 where it is positive, else the number.")


@composite(types="Tensor Any bool Any Any", also={"input": "A", "self": "A"})
def linalg_pinv(A, rcond=None, hermitian=False, *, atol=None, rtol=None):
    """The pseudoinverse of a matrix, or of each of a batch, by its singular values.

    Those count that are greater than ``atol`` and than ``rtol`` times the largest; these may be tensors that have a
    number for each matrix. ``rcond`` is an older name of ``rtol``. The matrix may be ``hermitian``; then its lower
    triangle alone is read. The gradient is that at a fixed rank.

    >>> torch.linalg.pinv(torch.tensor([[2., 0.], [0., 0.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    return pseudoinverse("linalg.pinv", A, rcond, hermitian, atol, rtol)


def pseudoinverse(op, A, rcond, hermitian=False, atol=None, rtol=None):
    if A.ndim < 2 or A.dtype.category < 2 or A.dtype.itemsize == 2:
        raise error("MG202", f"{op}({scalar_name(A.dtype.numpy)}{{{list(A.shape)}}}): expected a tensor with 2 or "
                             "more dimensions of float, double, cfloat or cdouble types")
    if rcond is not None:
        if atol is not None or rtol is not None:
            raise one_way_of_tolerance("linalg_pinv", "rcond")
        atol, rtol = 0.0, rcond
    hermitian = hermitian and A.numel() > 0
    if hermitian:
        check_square_shape(A, op)
    atol, rtol = tolerances("linalg.pinv", A, atol, rtol)
    return (pinv_tensors if isinstance(atol, Tensor) else pinv_numbers)(A, atol, rtol, hermitian)


@composite(types="Tensor float", out=False)
def pinverse(self, rcond=1e-15):
    """The pseudoinverse of a matrix; ``linalg.pinv``.

    >>> torch.pinverse(torch.tensor([[2., 0.], [0., 0.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    return pseudoinverse("pinverse", self, rcond)

# ------------------------------------------------------------------------------ rank and condition


@composite(types="Tensor Any bool Any Any", also={"input": "A", "self": "A"})
def linalg_matrix_rank(A, tol=None, hermitian=False, *, atol=None, rtol=None):
    """How many singular values are greater than a tolerance; see ``linalg.pinv``.

    ``tol`` is an older name of ``atol``, without a tolerance that is relative.

    >>> torch.linalg.matrix_rank(torch.tensor([[1., 2.], [2., 4.]]))
    tensor(1)
    """
    check_matrices(A, "torch.linalg.matrix_rank", "input")
    if A.dtype.category < 2 or A.dtype.itemsize == 2:
        raise error("MG202", "linalg.matrix_rank: This function doesn't handle types other than float and double, and "
                             f"not {scalar_name(A.dtype.numpy)}")
    if tol is not None:
        if atol is not None or rtol is not None:
            raise one_way_of_tolerance("linalg_matrix_rank", "tol")
        atol, rtol = tol, 0.0
    atol, rtol = tolerances("linalg.matrix_rank", A, atol, rtol)
    hermitian = hermitian and A.numel() > 0
    if hermitian:
        check_square_shape(A, "linalg.matrix_rank")
    S = abs(eigvalsh_lower(A)) if hermitian else singular_values(A)
    if not S.shape[-1]:
        return sum_dim(gt(S, 0), -1)
    largest = amax(S, -1, False)
    if isinstance(atol, Tensor):
        tolerance = maximum(atol, mul(rtol, largest))
    else:
        tolerance = maximum(mul(largest, rtol), constant_like(largest, atol))
    return sum_dim(gt(S, unsqueeze(tolerance, -1)), -1)


@composite(types="Tensor Any", also={"input": "A", "self": "A"})
def linalg_cond(A, p=None):
    """The condition of a matrix: the norm of it times that of its inverse.

    For p=2, and without p, it is the largest singular value over the smallest, and for -2 the inverse of that. The
    other norms are "fro", "nuc", 1, -1, inf and -inf; by them a singular matrix has the condition inf.

    >>> torch.linalg.cond(torch.tensor([[2., 0.], [0., 4.]]))
    tensor(2.)
    """
    if A.ndim < 2:
        raise error("MG201", f"linalg.cond: The input tensor must have at least 2 dimensions, and has {A.ndim}")
    if p not in (None, 2, -2, "fro", "nuc", 1, -1, np.inf, -np.inf):
        raise error("MG204", f"linalg.cond got an invalid norm type: {p}")
    if p in (None, 2, -2):
        S = values_of(A)
        if not S.shape[-1]:
            return sum_dim(S, -1)
        first, last = select(S, -1, 0), select(S, -1, S.shape[-1] - 1)
        return div(last, first) if p == -2 else div(first, last)
    if A.numel() or isinstance(p, str):
        check_square_shape(A, f"linalg.cond(ord={p})")
    if not A.numel():
        return sum_dim(real(sum_dim(A, -1)), -1)
    inverse, info = inverse_ex(A)
    product = linalg_matrix_norm(A, p) * linalg_matrix_norm(infinite(inverse, info), p)
    return choose(ne(product, product), np.inf, product)


def infinite_kernel(self, info):
    return np.where((info > 0)[..., None, None], self.dtype.type(np.inf), self)


infinite = general("infinite(Tensor self, Tensor info)", infinite_kernel,
                   self=lambda d: d, public=False, wide=False, last_dims=(2, 0),
                   doc="Infinite where there is no inverse.")

# ------------------------------------------------------------------------------ least squares

DRIVERS = ("gels", "gelsy", "gelsd", "gelss")
PRECISE = 1e-12         # the least rcond for which a condition is believed, as in least_squares.pyx


def by_reflections(A, B, rcond):
    """X from A = Q R, for matrices that are of full rank by the test of least_squares.pyx; None where one is not.

    Q is not needed where A has at least as many rows as columns: the same reflections make Q^H B of B beside it.
    """
    n, flat, rcond = min(A.shape[-2:]), A.shape[-2] < A.shape[-1], max(PRECISE, rcond)
    A, B = in_double(hermitian(A) if flat else A), in_double(B)
    if flat:
        Q, R = np.linalg.qr(A)
    else:
        beside = np.linalg.qr(np.concatenate([A, B], -1), mode="r")[..., :n, :]
        R, B = beside[..., :n], np.ascontiguousarray(beside[..., n:])
    with np.errstate(all="ignore"):                     # a zero on the diagonal makes the inverse infinite
        I = np.broadcast_to(np.eye(n, dtype=R.dtype), R.shape)
        inverse = solve_triangular_kernel(R, I, True, True, False)
        sizes = [np.square(np.abs(each)).sum(axis=(-2, -1)) for each in (R, inverse)]
        if not (sizes[0] * sizes[1] * rcond ** 2 < 1).all():
            return None
    if flat:
        return np.matmul(Q, solve_triangular_kernel(hermitian(R), B, False, True, False))
    return solve_triangular_kernel(R, B, True, True, False)


def by_singular_values(A, B, rcond):
    """X, the singular values, and how many of them count."""
    U, S, Vh = parts(A)
    weights = inverted(S, 0, rcond)
    X = np.matmul(hermitian(Vh) * weights[..., None, :], np.matmul(hermitian(U), B))
    return X, S, in_int64(np.count_nonzero(weights, axis=-1))


def lstsq_kernel(A, B, rcond, driver):
    check_solvable(A, "torch.linalg.lstsq")
    if driver == "gels":
        check_full_rank(A)
    m, n = A.shape[-2:]
    rcond = 0 if driver == "gels" else rcond
    X = by_reflections(A, B, rcond) if driver in ("gels", "gelsy") and A.size and np.isfinite(A).all() else None
    if X is None:
        X, S, rank = by_singular_values(A, B, rcond)
    else:
        X, S, rank = X.astype(B.dtype, copy=False), np.zeros(0, A.real.dtype), np.full(A.shape[:-2], min(m, n))
    residuals = np.zeros(0, S.dtype)
    if m > n and driver != "gelsy" and (driver == "gels" or np.all(rank == n)):
        difference = np.matmul(A, X) - B
        residuals = (difference.real ** 2 + difference.imag ** 2).sum(axis=-2)
    if driver == "gels":
        rank = np.zeros(0)
    return X, residuals, rank.astype(np.int64), S if driver in ("gelsd", "gelss") else np.zeros(0, S.dtype)


def check_full_rank(A):
    """Refuse matrices that are singular up to rounding, which "gels" divides by."""
    if not A.size or not np.isfinite(A).all():
        return
    R = np.linalg.qr(in_double(A if A.shape[-2] >= A.shape[-1] else A.mT), mode="r")
    sizes = np.abs(np.diagonal(R, axis1=-2, axis2=-1))
    small = sizes <= 4 * np.finfo(sizes.dtype).eps * np.abs(R).max(axis=(-2, -1))[..., None]
    first = np.where(small.any(axis=-1), small.argmax(axis=-1) + 1, 0)
    if first.any():
        raise not_of_full_rank(first)


def lstsq_grad_A(ds, A, B, solution, rcond, driver):
    """With W = P^H d and E = B - A X, from the formula at the top: E (P W)^H - W X^H + P^H X (d - A^H W)^H."""
    d_X, d_residuals = ds[:2]
    from_X = from_residuals = None
    if d_X is not None:
        AH = adjoint(A)
        W, back = lstsq_rows(AH, d_X, rcond, driver)[0], lstsq_rows(AH, solution, rcond, driver)[0]
        forth = lstsq_rows(A, W, rcond, driver)[0]
        from_X = (times(B - times(A, solution), adjoint(forth)) - times(W, adjoint(solution))
                  + times(back, adjoint(d_X - times(AH, W))))
    if d_residuals is not None and d_residuals.numel():
        from_residuals = times(2 * unsqueeze(d_residuals, -2) * (times(A, solution) - B), adjoint(solution))
    return total(from_X, from_residuals)


def lstsq_grad_B(ds, A, B, solution, rcond, driver):
    d_X, d_residuals = ds[:2]
    from_X = from_residuals = None
    if d_X is not None:
        from_X = lstsq_rows(adjoint(A), d_X, rcond, driver)[0]
    if d_residuals is not None and d_residuals.numel():
        from_residuals = -2 * unsqueeze(d_residuals, -2) * (times(A, solution) - B)
    return total(from_X, from_residuals)


FIELDS = ("solution", "residuals", "rank", "singular_values")

lstsq_rows = general("lstsq_rows(Tensor A, Tensor B, float rcond, str driver)", lstsq_kernel,
                     A=lstsq_grad_A, B=lstsq_grad_B, outputs=FIELDS, differentiable=("solution", "residuals"),
                     traceable=False, wide=False, node="LinalgLstsqBackward0", renamed={"A": "self", "B": "b"},
                     public=False, shown="linalg.lstsq", batch="loop", fast=kernels.least_squares_,
                     doc="The least-squares solution, and what is known of it.")

def not_of_full_rank(info):
    number, batch = which(info)
    return error("MG220", f"torch.linalg.lstsq: {batch}The least squares solution could not be computed because the "
                          f"input matrix does not have full rank (error code: {number}). The driver 'gelsd' takes any "
                          "rank")


LSTSQ = named_results("linalg_lstsq", FIELDS)


@composite(types="Tensor Tensor float? str?", also={"input": "A", "self": "A", "b": "B"})
def linalg_lstsq(A, B, rcond=None, *, driver=None):
    """X for which A X is nearest to B, and of all such X the shortest.

    Singular values of A below ``rcond`` times the largest count as zero, and ``rank`` says how many do not. PyTorch's
    drivers differ here in what they return besides: "gelsd" and "gelss" the singular values, "gels" (which refuses a
    matrix that has not full rank) no rank, and all but "gelsy", which is the usual one, the sums of squares that
    remain, if A has more rows than columns and full rank. The gradient is that at a fixed rank; the singular values
    have none here.

    >>> A = torch.tensor([[1., 0.], [1., 1.], [1., 2.]])
    >>> torch.linalg.lstsq(A, torch.tensor([[1.], [3.], [5.]])).solution.round(decimals=4)
    tensor([[1.],
            [2.]])
    """
    op = "torch.linalg.lstsq"
    if A.ndim < 2:
        raise error("MG201", f"{op}: input must have at least 2 dimensions.")
    if not B.ndim:
        raise error("MG201", f"{op}: other must have at least 1 dimension.")
    if driver is not None and driver not in DRIVERS:
        raise error("MG204", f"{op}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss), and not {driver}")
    if A.dtype is not B.dtype:
        raise error("MG202", f"{op}: Expected input and other to have the same dtype, but got input's dtype "
                             f"{scalar_name(A.dtype.numpy)} and other's dtype {scalar_name(B.dtype.numpy)}")
    if A.dtype.category < 2 or A.dtype.itemsize == 2:
        raise error("MG202", f"{op}: This function doesn't handle types other than float and double, and not "
                             f"{scalar_name(A.dtype.numpy)}")
    if not 0 <= A.ndim - B.ndim <= 1:
        raise error("MG201", f"{op}: input.dim() must be greater or equal to other.dim() and (input.dim() - "
                             f"other.dim()) <= 1. They are {A.ndim} and {B.ndim}")
    vector = B.ndim < A.ndim
    if vector:
        B = unsqueeze(B, -1)
    if B.shape[-2] != A.shape[-2]:
        raise error("MG201", f"{op}: input.size(-2) should match other.size({-1 if vector else -2})")
    if rcond is None:
        rcond = float(np.finfo(A.dtype.numpy).eps) * max(A.shape[-2:]) if A.dtype.category > 1 else 0.0
    found = lstsq_rows(*in_one_batch(op, A, B), rcond, driver or "gelsy")
    return LSTSQ(squeeze_dim(found[0], -1) if vector else found[0], *found[1:])


# ------------------------------------------------------------------------------ errors


def one_way_of_tolerance(op, name):
    return error("MG205", f"{op}() received an invalid combination of arguments: {name} is given, which is another "
                          "name of a tolerance, and atol or rtol as well")
