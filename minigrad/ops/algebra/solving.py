"""Linear systems: inverse, determinant, solutions, the Cholesky factor.

A B = I gives dB = -B dA B, and A X = C gives dX = A^-1 (dC - dA X).  So the gradients of a solution
are again solutions of linear systems, with A^H in place of A, and form no inverse.

All work on batches: ``times`` (products.py) is the product of matrices in any number of batch dims.

Neighbours: products.py, lu_and_triangular.py, reporting.py (the same without errors).
"""

import numpy as np

from minigrad._core.dispatch.op_introspection import named_results
from minigrad._core.errors import warn
from minigrad._core.kernels import table_of_matrices as kernels
from minigrad._core.kernels.algebra import lu_and_ldl

from ..elementwise.comparison import lt, ne
from ..elementwise.complex import conj, imag, real
from ..elementwise.elementary import exp
from ..composites import composite
from ..kinds import general, linear
from ..positions.masking import choose
from ..reductions.totals import sum_dim
from ..shapes.reshaping import clone
from ..shapes.transposing import squeeze_dim, transpose, unsqueeze
from .lu_and_triangular import check_sides, factors_of, lu_kernel, solve_triangular
from .matrices import (aligned, as_stack, check_matrices, check_same_dtype, check_square, check_square_shape, hermitian,
                       identity_like, in_double, in_one_batch, no_numbers, not_positive_definite, row_numbers,
                       singular_matrix, unless_given_up, unsolvable, where_finite)
from .products import adjoint, matmul, times
from ..arguments import one_int


SMALL = 48              # rows, beyond which L and U are found by products (lu_and_ldl.pyx), and LAPACK is not asked


def by_factors(LU, pivots, B, turned):
    """X in A X = B, or in A^H X = B if ``turned``, for arrays."""
    if not LU.shape[:-2] == pivots.shape[:-1] == B.shape[:-2]:         # under vmap
        batch = np.broadcast_shapes(LU.shape[:-2], pivots.shape[:-1], B.shape[:-2])
        LU, B = [np.broadcast_to(each, batch + each.shape[-2:]) for each in (LU, B)]
        pivots = np.broadcast_to(pivots, batch + pivots.shape[-1:])
    x = in_double(B)
    rows, LU, pivots = as_stack(x), as_stack(aligned(hermitian(LU) if turned else LU, x.dtype)), row_numbers(pivots)
    if not turned:
        lu_and_ldl.swap_rows(rows, pivots, False)
    lu_and_ldl.substitute(LU, rows, False, not turned)
    lu_and_ldl.substitute(LU, rows, True, turned)
    if turned:
        lu_and_ldl.swap_rows(rows, pivots, True)
    return x.astype(B.dtype, copy=False)


def zero_pivots(A):
    """For each matrix the first pivot that is zero, or 0: why there is no inverse."""
    LU, _, info = lu_kernel(A)
    if info.any():
        return info
    pivots = np.nan_to_num(np.abs(np.diagonal(LU, axis1=-2, axis2=-1)))     # LAPACK, which rounds otherwise, has a zero
    return np.where(pivots.min(-1) == pivots.min(), pivots.argmin(-1) + 1, 0)


def inverse_kernel(A):
    check_square(A, "linalg.inv")
    try:
        return inverse_of(A)
    except np.linalg.LinAlgError:
        raise singular_matrix("linalg.inv", zero_pivots(A)) from None


def inverse_of(A):
    """The inverse, which is nan throughout where A contains nan; NumPy's, or for large matrices by L and U."""
    found = in_doubles(A)[0] if A.shape[-1] > SMALL else unless_given_up(np.linalg.inv(A), A)
    return np.where(no_numbers(A), A.dtype.type(np.nan), found.astype(A.dtype, copy=False))


def in_doubles(A):
    """The inverse in double precision, and L and U that it is made of; NumPy's error if a pivot is zero."""
    LU, pivots, info = factors_of(A)
    if info.any():
        raise np.linalg.LinAlgError
    I = np.broadcast_to(np.eye(A.shape[-1], dtype=LU.dtype), LU.shape)
    return by_factors(LU, pivots, I, False), LU, pivots


def solution_of(A, B):
    """The same for a solution."""
    return np.where(no_numbers(A), A.dtype.type(np.nan), unless_given_up(np.linalg.solve(A, B), A, B))


# ------------------------------------------------------------------------------ inverse


linalg_inv = general("linalg_inv(Tensor A)", inverse_kernel,
                     A=lambda d, result: -times(times(adjoint(result), d), adjoint(result)),
                     node="LinalgInvExBackward0", renamed={"result": "inverse"}, aliases=("inverse",),
                     also={"input": "A"}, wide=False, last_dims=2, fast=kernels.inverse,
                     doc="""The inverse of a square matrix, or of each of a batch.

>>> torch.linalg.inv(torch.tensor([[2., 0.], [0., 4.]]))
tensor([[0.5000, 0.0000],
        [0.0000, 0.2500]])
""")


@composite(aliases=("linalg_matrix_power",))
def matrix_power(self, n):
    """The n-th power of a square matrix, by repeated squaring; of its inverse if n is negative.

    >>> torch.matrix_power(torch.tensor([[1., 1.], [0., 1.]]), 5)
    tensor([[1., 5.],
            [0., 1.]])
    """
    check_square_shape(self, "matrix_power")
    n = one_int("matrix_power", "n", n)
    if n < 0:
        self, n = linalg_inv(self), -n
    if n == 0:
        return identity_like(self)
    if n == 1:
        return clone(self)
    result = None
    while n:
        if n % 2:
            result = self if result is None else matmul(result, self)
        n //= 2
        if n:
            self = matmul(self, self)
    return result

# ------------------------------------------------------------------------------ determinant


def cofactors_kernel(self):
    """By singular values, because det(A) A^-T does not exist for a singular A, but the cofactors do.

    For A = U S V^H they are det(U) det(V^H) conj(U) S' conj(V^H), where S' has at each place the product
    of the other singular values.
    """
    return where_finite(finite_cofactors, self, np.isfinite(self).all(axis=(-2, -1)))


def finite_cofactors(A):
    regular = cofactors_of_regular(A) if A.shape[-1] > SMALL and A.dtype.kind == "f" else None
    return cofactors_by_singular_values(A) if regular is None else regular


#: as in Note [Cofactors of a regular matrix] in the core, which has them for small ones
WELL = 10000


def cofactors_of_regular(A):
    """det(A) A^-T; None where a matrix is near a singular one, or its determinant is not a normal number."""
    try:
        inverse, LU, pivots = in_doubles(A)
    except np.linalg.LinAlgError:
        return None
    with np.errstate(over="ignore", under="ignore"):
        exchanges = (pivots != np.arange(1, A.shape[-1] + 1)).sum(-1)
        det = np.diagonal(LU, axis1=-2, axis2=-1).prod(-1) * (1 - 2 * (exchanges % 2))
    normal = np.finfo(det.dtype)
    sizes = [np.linalg.norm(each, 1, axis=(-2, -1)) for each in (A.astype(det.dtype, copy=False), inverse)]
    if not ((normal.tiny <= np.abs(det)) & (np.abs(det) <= normal.max) & (sizes[0] * sizes[1] <= WELL)).all():
        return None
    return np.multiply(det[..., None, None], inverse.mT, order="C").astype(A.dtype, copy=False)


def cofactors_by_singular_values(A):
    u, s, vh = np.linalg.svd(A)
    n = s.shape[-1]
    others = np.where(np.eye(n, dtype=np.bool_), 1, s[..., None, :]).prod(axis=-1)
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return sign[..., None, None] * np.matmul(u.conj() * others[..., None, :].astype(s.dtype), vh.conj())


def determinant_kernel(A):
    check_square(A, "linalg.det")
    return np.linalg.det(A)


def cofactors_vjp(d, self, result):
    """The differential of C = det(A) A^-T is tr(A^-1 dA) C - C (dA)^T A^-T; this is its transpose."""
    inverse = linalg_inv(self)
    return (adjoint(inverse) * sum_dim(d * conj(result), (-2, -1), True)
            - transpose(times(times(adjoint(result), d), conj(inverse)), -2, -1))


cofactors = general("cofactors(Tensor self)", cofactors_kernel,
                    self=cofactors_vjp, fast=kernels.cofactors,
                    public=False, last_dims=2,
                    doc="For each entry the determinant without its row and column, with a sign: the slope of det.")

linalg_det = general("linalg_det(Tensor A)", determinant_kernel,
                     A=lambda d, A: unsqueeze(unsqueeze(d, -1), -1) * conj(cofactors(A)),
                     wide=False, last_dims=2, fast=kernels.determinant,
                     doc="""
The determinant of a square matrix, or of each of a batch. Its gradient is right for singular ones too.

>>> torch.linalg.det(torch.tensor([[1., 2.], [3., 4.]]))
tensor(-2.)
""")


@composite(out=False)
def det(self):
    """The determinant of a square matrix, or of each of a batch; ``linalg.det``.

    >>> torch.det(torch.tensor([[2., 0.], [0., 4.]]))
    tensor(8.)
    """
    return linalg_det(self)


def infinite_inverse_kernel(A):
    """The inverse; if a matrix is singular, cofactors / 0, entry by entry: inf, -inf or nan."""
    try:
        return inverse_of(A)
    except np.linalg.LinAlgError:
        return (cofactors_kernel(A) / np.linalg.det(A)[..., None, None]).mT


infinite_inverse = general("infinite_inverse(Tensor A)", infinite_inverse_kernel,
                           A=lambda d, result: -times(times(adjoint(result), d), adjoint(result)),
                           public=False, last_dims=2, fast=kernels.inverse,
                           doc="The inverse, infinite for a singular matrix: there the logarithm of the determinant "
                               "is -inf.")

slogdet_size = linear("slogdet_size(Tensor?[] grads)",
                      lambda grads: np.zeros_like(grads[0]) if grads[1] is None else grads[1],
                      grads=lambda d: [None, d],
                      public=False, last_dims=0,
                      shown="slogdet",
                      doc="The second of the two gradients of ``slogdet``: a real sign is constant wherever it is "
                          "not 0.")

def slogdet_kernel(A):
    check_square(A, "linalg.slogdet")
    return np.linalg.slogdet(A)


slogdet_real = general("slogdet_real(Tensor A)", slogdet_kernel,
                       A=lambda ds, A: unsqueeze(unsqueeze(slogdet_size(ds), -1), -1) * adjoint(infinite_inverse(A)),
                       outputs=("sign", "logabsdet"), node="LinalgSlogdetBackward0", public=False,
                       shown="linalg_slogdet", wide=False, last_dims=2, fast=kernels.sign_and_logarithm,
                       doc="``slogdet`` of real matrices.")


def complex_logdet_kernel(A):
    sign, size = slogdet_kernel(A)
    return size + 1j * np.angle(sign)


complex_logdet = general("complex_logdet(Tensor A)", complex_logdet_kernel,
                         A=lambda d, A: unsqueeze(unsqueeze(d, -1), -1) * adjoint(infinite_inverse(A)),
                         public=False, wide=False, last_dims=2, fast=kernels.complex_logarithm,
                         shown="slogdet", doc="""
The logarithm of a complex determinant: the logarithm of its size, plus i times its angle.

It is holomorphic; its two parts by themselves are not.
""")


def sign_and_size(A):
    """``slogdet`` as two tensors.

    The sign of a complex determinant is a direction, which turns with A; that of 0 is 0.
    """
    if not A.dtype.is_complex:
        return slogdet_real(A)
    logarithm = complex_logdet(A)
    size = real(logarithm)
    return exp(1j * imag(logarithm)) * ne(size, -np.inf), size


@composite(out="exact")
def linalg_slogdet(A):
    """The sign of the determinant and the logarithm of its absolute value, which do not overflow.

    For a singular matrix the logarithm is -inf, and the gradient is infinite.

    >>> torch.linalg.slogdet(torch.tensor([[0., 1.], [1., 0.]])).sign
    tensor(-1.)
    """
    return signed("linalg_slogdet", A)


@composite(out="exact")
def slogdet(self):
    """The sign of the determinant and the logarithm of its absolute value; ``linalg.slogdet``.

    >>> torch.slogdet(torch.tensor([[1., 0.], [0., 1.]])).logabsdet
    tensor(0.)
    """
    return signed("slogdet", self)


RESULTS = {name: named_results(name, ("sign", "logabsdet")) for name in ("linalg_slogdet", "slogdet")}


def signed(name, A):
    check_square_shape(A, "linalg.slogdet")
    return RESULTS[name](*sign_and_size(A))


@composite(out=False)
def logdet(self):
    """The logarithm of the determinant: nan where that is negative, and complex where the matrix is.

    >>> torch.logdet(torch.tensor([[1., 0.], [0., 1.]]))
    tensor(0.)
    """
    check_square_shape(self, "logdet")
    if self.dtype.is_complex:
        return complex_logdet(self)
    sign, size = sign_and_size(self)
    return choose(lt(sign, 0), float("nan"), size)

# ------------------------------------------------------------------------------ linear systems


def solve_kernel(A, B):
    check_square(A, "linalg.solve")
    try:
        return solution_of(A, B)
    except np.linalg.LinAlgError:
        raise unsolvable("torch.linalg.solve", zero_pivots(A)) from None


solve_matrices = general("solve_matrices(Tensor A, Tensor B)", solve_kernel,
                         B=lambda d, A: solve_matrices(adjoint(A), d),
                         A=lambda d, A, result: -times(solve_matrices(adjoint(A), d), adjoint(result)),
                         public=False, wide=False, node="LinalgSolveExBackward0", fast=kernels.solution,
                         shown="linalg.solve", equation=("B", lambda result, A, B: times(A, result)),
                         last_dims=2, doc="X in A X = B, for batches of matrices with the same batch dims.")

# A backward pass asks for solutions of A^H X = d, and L and U are half of the work or more: those of a matrix of more
# than SMALL rows are kept, in double precision whatever A has.

def solve_kept_kernel(A, B, check):
    check_square(A, "linalg.solve")
    LU, pivots, info = factors_of(A)
    if check and info.any():
        raise unsolvable("torch.linalg.solve", info)
    X = by_factors(LU, pivots, B, False)
    if not np.isfinite(X).all():
        X = np.where(no_numbers(A) | (info != 0)[..., None, None], X.dtype.type(np.nan), X)
    return X, LU, pivots, info


def again_vjp(d, A, LU, pivots, result, turned):
    W = solve_again(A, d, LU, pivots, not turned)
    return -times(result, adjoint(W)) if turned else -times(W, adjoint(result))


def turned_times(result, A, B, LU, pivots, turned):
    return times(adjoint(A) if turned else A, result)


solve_again = general("solve_again(Tensor A, Tensor B, Tensor LU, Tensor pivots, bool turned)",
                      lambda A, B, LU, pivots, turned: by_factors(LU, pivots, B, turned),
                      A=again_vjp, B=lambda d, A, LU, pivots, turned: solve_again(A, d, LU, pivots, not turned),
                      no_gradient=("LU", "pivots"), traceable=False, public=False, wide=False, shown="linalg.solve",
                      last_dims=(2, 2, 2, 1),
                      equation=("B", turned_times),
                      doc="X in A X = B, or in A^H X = B if ``turned``, where L and U of A are known.")

solve_kept = general("solve_kept(Tensor A, Tensor B, bool check)", solve_kept_kernel,
                     A=lambda d, A, LU, pivots, result: -times(solve_again(A, d, LU, pivots, True), adjoint(result)),
                     B=lambda d, A, LU, pivots: solve_again(A, d, LU, pivots, True),
                     outputs=("result", "LU", "pivots", "info"), differentiable=("result",), public=False, wide=False,
                     node="LinalgSolveExBackward0", shown="linalg.solve", last_dims=2,
                     equation=("B", lambda result, A, B, check: times(A, result)),
                     doc="X in A X = B, with L, U and the pivots of A, and the first pivot that is zero.")


def solve(A, B):
    """X in A X = B by the row for matrices of this size."""
    return solve_matrices(A, B) if A.shape[-1] <= SMALL else solve_kept(A, B, True)[0]


@composite(out="exact", types="Tensor Tensor bool")
def linalg_solve(A, B, *, left=True):
    """X in A X = B (or in X A = B for ``left=False``), for a square matrix and right-hand sides, or batches of them.

    >>> torch.linalg.solve(torch.tensor([[2., 0.], [0., 4.]]), torch.tensor([2., 8.]))
    tensor([1., 2.])
    """
    return solution("linalg.solve", solve, A, B, left)[0]


def solution(op, row, A, B, left):
    """What a row gives, one output or several, for a B that may be a vector, and for another side."""
    check_square_shape(A, op)
    check_same_dtype(op, A, B)
    if B.ndim == 1 or (B.ndim == A.ndim - 1 and tuple(B.shape) == tuple(A.shape[:-1])):
        X, *info = solution(op, row, A, unsqueeze(B, -1), left)
        return squeeze_dim(X, -1), *info
    check_matrices(B, op, "B")
    check_sides(op, A, B, left)
    if not left:
        A, B = transpose(A, -2, -1), transpose(B, -2, -1)
    found = row(*in_one_batch(op, A, B))
    X, *info = found if isinstance(found, tuple) else (found,)
    return X if left else transpose(X, -2, -1), *info

# ------------------------------------------------------------------------------ Cholesky


def lower_factor(A):
    """NumPy's factor.  LAPACK does not notice a nan, which is passed on to the last element; nor inf / inf."""
    lower = np.linalg.cholesky(A)
    if np.isnan(lower[..., -1:, -1:]).any() or not np.isfinite(np.tril(A, -1)).all():
        raise np.linalg.LinAlgError
    return lower


def bad_minors(A):
    """For each matrix the order of the first leading minor that is not positive-definite, or 0."""
    info = np.zeros(A.shape[:-2], np.int32)
    for i in np.ndindex(info.shape):
        for k in range(1, A.shape[-1] + 1):
            try:
                lower_factor(A[i][:k, :k])
            except np.linalg.LinAlgError:
                info[i] = k
                break
    return info


def cholesky_kernel(A, upper):
    check_square(A, "linalg.cholesky")
    A = adjoint.kernel(A) if upper else A           # so that the triangle that is read is the lower one
    try:
        lower = lower_factor(A)
    except np.linalg.LinAlgError:
        raise not_positive_definite("linalg.cholesky", bad_minors(A)) from None
    return np.ascontiguousarray(adjoint.kernel(lower)) if upper else lower


def half_lower(self):
    """Half the sum of the lower triangle and the mirrored upper one; the diagonal counts once."""
    return (np.tril(self) + np.tril(adjoint.kernel(self), -1)) / 2


mirrored = linear("mirrored(Tensor self)", lambda self: (np.tril(self) + adjoint.kernel(np.tril(self, -1))) / 2,
                  self=lambda d: folded(d),
                  public=False,
                  wide=True, last_dims=2,
                  doc="Half of the lower triangle, mirrored at the diagonal; the upper triangle is ignored.")

folded = linear("folded(Tensor self)", half_lower,
                self=lambda d: mirrored(d),
                public=False,
                wide=True, last_dims=2, doc="The transpose of ``mirrored``.")


turned = linear("turned(Tensor self, bool upper)", lambda self, upper: adjoint.kernel(self) if upper else self,
                self=lambda d, upper: turned(d, upper),
                public=False, last_dims=2,
                doc="From the factor that was asked for to the lower triangular one, and back.")


def cholesky_vjp(d, result, upper):
    """A = L L^H gives L^-1 dA L^-H = L^-1 dL + (L^-1 dL)^H, whose lower half is L^-1 dL [Murray, arXiv:1602.07527]."""
    LH = adjoint(turned(result, upper))
    inner = solve_triangular(LH, mirrored(times(LH, turned(d, upper))), True, True, False)
    return adjoint(solve_triangular(LH, adjoint(inner), True, True, False))


linalg_cholesky = general("linalg_cholesky(Tensor A, *, bool upper=False)", cholesky_kernel,
                          A=cholesky_vjp, wide=False, fast=kernels.cholesky,
                          node="LinalgCholeskyExBackward0", renamed={"result": "L"}, last_dims=2,
                          doc="""
The lower triangular L with A = L L^H, of a positive-definite matrix or of each of a batch.

Only the lower triangle of A is read.  With ``upper`` the upper one is, and the result is the upper triangular L^H.

>>> torch.linalg.cholesky(torch.tensor([[4., 0.], [0., 9.]]))
tensor([[2., 0.],
        [0., 3.]])
""")


@composite(types="Tensor bool")
def cholesky(self, upper=False):
    """The Cholesky factor of a positive-definite matrix. Deprecated: it is ``linalg.cholesky``.

    >>> torch.linalg.cholesky(torch.tensor([[4.]]))
    tensor([[2.]])
    """
    warn("torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a future PyTorch "
         "release.\nL = torch.cholesky(A)\nshould be replaced with\nL = torch.linalg.cholesky(A)\nand\nU = "
         "torch.cholesky(A, upper=True)\nshould be replaced with\nU = torch.linalg.cholesky(A).mH\nThis transform will "
         "produce equivalent results for all valid (symmetric positive definite) inputs.")
    if not self.numel():
        return clone(self)
    check_square_shape(self, "cholesky")
    return linalg_cholesky(self, upper=upper)
